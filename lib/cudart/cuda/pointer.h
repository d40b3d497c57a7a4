/* SPDX-License-Identifier: MIT */
/*
 * pointer - the managed memory that an address lies in: of cudaMallocManaged(), or a __managed__ variable.
 *
 * Thread-safe. Managed memory in place is found without a lock, that by page faults under the address index's, of rank
 * LEAF; for other addresses the variables' lock is taken (module/variable.c, of rank LEAF); while units wait for
 * memory, that of units before, of rank UNIT (unit.h). No data. Called by advice_call.c, copy.c and set.c, and by
 * driver/pointer.c.
 */
#ifndef VPTR_CUDA_POINTER_H
#define VPTR_CUDA_POINTER_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

typedef struct vptr__cuda_managed {
  const void *base;
  size_t size;
  vptr_mapper *mapper; /* of its device; NULL: a variable, which is of all */
} vptr__cuda_managed;

/* False if it lies in none. */
VPTR_API bool vptr__cuda_managed_at(const void *ptr, vptr__cuda_managed *found_out);

/* Whether size bytes lie in a __managed__ variable. To copies and sets it is what pinned memory is: memory that every
 * device reaches, and that stays until their work is done. */
bool vptr__cuda_is_variable(const void *ptr, size_t size);

#endif
