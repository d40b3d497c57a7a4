/* SPDX-License-Identifier: MIT */
/*
 * lock_words - the locks of atomic operations on 16 bytes in kernels, one array for each device, for all modules: what
 * one module's kernel exchanges another's compares.
 *
 * OpenCL has no such operations, so they are plain accesses under a lock, which emit/prelude/atomic.cl of lib/translate
 * takes and gives back. The locks are a variable (module/variable.h) of zeros, whose key is an element of the static
 * `words`; it has its memory with a device's first launch that needs it. No kernel ends with a lock. `words` is a
 * constant, whose addresses alone mean something, so the host needs no lock here; variable.c has what changes, under
 * its own.
 *
 * Called by prepare.c for kernels that have such operations, and by cudart/cuda/setting.c at a reset, by the function
 * that module.h declares. To forget them waits for the device, as vptr_free() does.
 */
#include "module/state.h"

#include "base/limit.h"

enum { LOCKS = 256 };

static const char words[VPTR__MOST_DEVICES];

vptr_status vptr__lock_words_key(int ordinal, const void **key_out) {
  const vptr__variable variable = {
    .key = &words[ordinal], .name = "locks", .size = LOCKS * sizeof(uint32_t), .is_scratch = true
  };
  vptr_status status = vptr__variable_register(&variable);
  *key_out = variable.key;
  return status == VPTR_ERROR_NOT_READY ? VPTR_SUCCESS : status;
}

void vptr__lock_words_forget(int ordinal) {
  vptr__variable_forget(&words[ordinal]);
}
