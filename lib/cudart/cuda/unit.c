/* SPDX-License-Identifier: MIT */
/*
 * unit - the list of modules in the program that are not registered (yet), and the later attempts (unit.h).
 *
 * The static list `failed` is linked through the units, static variables of the program or part of a binary (binary.h),
 * which knows how it is registered. The static `lock`, of rank UNIT, guards it and is held while a unit is tried again;
 * `failed`, for whether the list is empty, and the count vptr__cuda_units_waiting are atomic, and read without it.
 * binary.c takes it by vptr__cuda_units_lock().
 *
 * Called by programs, in constructors and destructors that vptrcc wrote; by binary.c for those of other compilers; by
 * registration.c, symbol.c and reference.c for a stub or shadow that is unknown; and by device.c, stream.c and
 * pointer.c while a unit waits for memory. An attempt reads the module's text and waits for no device; the current one
 * may have to be opened first, without the lock.
 */
#include "cuda/unit.h"

#include "base/error.h"
#include "base/lock.h"
#include "cuda/binary.h"
#include "cuda/error.h"
#include "cuda/registration.h"
#include "mapper/registry.h"

#include <vptr/cuda/vptr_kernel.h>

#include <stdio.h>

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_UNIT);
static vptr_cuda_unit
    *_Atomic failed; /* written under the lock; read without it by those who only ask if it is empty */
atomic_size_t vptr__cuda_units_waiting; /* of those; written under the lock */

void vptr__cuda_units_lock(void) {
  vptr__lock_take(&lock);
}

void vptr__cuda_units_unlock(void) {
  vptr__lock_give(&lock);
}

/* ---- the list, under the lock --------------------------------------------------------------------------- */

static void count_waiting(void) {
  size_t count = 0;
  for (const vptr_cuda_unit *unit = atomic_load(&failed); unit != NULL; unit = unit->next)
    count += unit->error == cudaErrorMemoryAllocation;
  atomic_store(&vptr__cuda_units_waiting, count);
}

void vptr__cuda_unit_push(vptr_cuda_unit *unit) {
  unit->next = atomic_load(&failed);
  atomic_store(&failed, unit);
  count_waiting();
}

void vptr__cuda_unit_take_out(const vptr_cuda_unit *unit) {
  vptr_cuda_unit *before = atomic_load(&failed);
  if (before == unit) {
    atomic_store(&failed, unit->next);
  } else {
    while (before != NULL && before->next != unit)
      before = before->next;
    if (before != NULL)
      before->next = unit->next;
  }
  count_waiting();
}

static bool has_symbol_at(const vptr_cuda_module *module, const void *address) {
  for (size_t i = 0; i < module->kernel_count; i++)
    if (module->kernels[i].stub == address)
      return true;
  for (size_t i = 0; i < module->variable_count; i++)
    if (module->variables[i].host == address)
      return true;
  return false;
}

static vptr_cuda_unit *unit_of(const void *address) {
  vptr_cuda_unit *unit = atomic_load(&failed);
  while (unit != NULL && !has_symbol_at(&unit->module, address))
    unit = unit->next;
  return unit;
}

static unsigned needs_of(const vptr_cuda_unit *unit) {
  return vptr__cuda_unit_is_binary(unit) ? vptr__cuda_binary_needs(unit)
                                         : vptr__cuda_need_of_text(unit->module.text, unit->module.length);
}

static cudaError_t register_unit(vptr_cuda_unit *unit, const vptr__cuda_obtained *obtained) {
  if (vptr__cuda_unit_is_binary(unit))
    return vptr__cuda_binary_register(unit, obtained);
  return vptr__cuda_register(&unit->module, VPTR__CUDA_LISTS_EXACT, &unit->handle, unit->site);
}

cudaError_t vptr__cuda_unit_attempt(vptr_cuda_unit *unit, const vptr__cuda_obtained *obtained) {
  unit->error = register_unit(unit, obtained);
  if (unit->error == cudaSuccess)
    vptr__cuda_unit_take_out(unit);
  else
    count_waiting();
  return unit->error;
}

/* ---- later attempts ------------------------------------------------------------------------------------- */

/* Under the lock. */
static unsigned needs_of_waiting(void) {
  unsigned needs = 0;
  for (const vptr_cuda_unit *unit = atomic_load(&failed); unit != NULL; unit = unit->next)
    if (unit->error == cudaErrorMemoryAllocation)
      needs |= needs_of(unit);
  return needs;
}

/* What came meanwhile and needs more than the others is the next call's. */
static void attempt_waiting(const vptr__cuda_obtained *obtained) {
  for (vptr_cuda_unit *unit = atomic_load(&failed), *next; unit != NULL; unit = next) {
    next = unit->next;
    if (unit->error == cudaErrorMemoryAllocation && (needs_of(unit) & ~obtained->needs) == 0)
      vptr__cuda_unit_attempt(unit, obtained);
  }
}

void vptr__cuda_unit_try_all(void) {
  vptr__cuda_obtained obtained = { 0 };
  vptr__error_try();
  vptr__lock_take(&lock);
  unsigned needs = needs_of_waiting();
  if (needs != 0) {
    vptr__lock_give(&lock);
    vptr__cuda_need_obtain(needs, &obtained);
    vptr__lock_take(&lock);
  }
  attempt_waiting(&obtained);
  vptr__lock_give(&lock);
  vptr__cuda_binary_keep_managed();
  vptr__error_tried(VPTR_SUCCESS);
}

/* Takes the lock, with all obtained that the unit of an address needs; that unit, or NULL. */
static vptr_cuda_unit *lock_unit(const void *address, vptr__cuda_obtained *obtained) {
  for (;;) {
    vptr__lock_take(&lock);
    vptr_cuda_unit *unit = unit_of(address);
    unsigned missing = unit != NULL ? needs_of(unit) & ~obtained->needs : 0;
    if (missing == 0)
      return unit;
    vptr__lock_give(&lock);
    vptr__cuda_need_obtain(missing, obtained);
  }
}

static void report_unit(const char *call, const vptr_cuda_unit *unit) {
  const char *next = unit->error == cudaErrorMemoryAllocation ? "; the next call that needs it tries again" : "";
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the module of %.100s is not registered: %.200s%s", call, unit->file,
              vptr_last_error(), next);
}

cudaError_t vptr__cuda_unit_try(const char *call, const void *address) {
  if (atomic_load(&failed) == NULL || vptr__registry_is_forked())
    return cudaSuccess;
  vptr__cuda_obtained obtained = { 0 };
  cudaError_t error = cudaSuccess;
  vptr__error_try();
  vptr_cuda_unit *unit = lock_unit(address, &obtained);
  if (unit != NULL)
    error = vptr__cuda_unit_attempt(unit, &obtained);
  if (error != cudaSuccess)
    report_unit(call, unit);
  vptr__lock_give(&lock);
  if (unit != NULL)
    vptr__cuda_binary_keep_managed();
  vptr__error_tried(error == cudaSuccess ? VPTR_SUCCESS : VPTR_ERROR_INVALID_ARGUMENT);
  return error;
}

/* ---- constructors and destructors ----------------------------------------------------------------------- */

/* Threads that go on by what they were told before would not try. */
static void keep_unit(vptr_cuda_unit *unit) {
  vptr__lock_take(&lock);
  vptr__cuda_unit_push(unit);
  vptr__lock_give(&lock);
  vptr__epoch_end();
}

/* What memory is lacking for is not the thread's last error: it may well be registered when it is needed. */
void vptr__cuda_unit_tell(const char *file, cudaError_t error) {
  bool waits = error == cudaErrorMemoryAllocation;
  fprintf(stderr, "vptr: the kernels of %s cannot be registered (%s): %s%s\n", file, cudaGetErrorName(error),
          vptr_last_error(), waits ? "; the first call that needs them tries again" : "");
  if (!waits)
    vptr__cuda_record(error);
}

void vptr_cuda_register_unit(vptr_cuda_unit *unit) {
  vptr__cuda_obtained obtained = { 0 };
  if (unit == NULL || unit->struct_size != sizeof *unit) {
    fprintf(stderr, "vptr: vptr_cuda_register_unit: %s: compile the program anew with this version's vptrcc\n",
            unit == NULL ? "unit is NULL" : "struct_size is not that of vptr_cuda_unit");
    return;
  }
  vptr__cuda_need_obtain(needs_of(unit), &obtained);
  unit->site = __builtin_return_address(0);
  unit->error = register_unit(unit, &obtained);
  if (unit->error == cudaSuccess || unit->error == cudaErrorMemoryAllocation)
    vptr__cuda_keep_managed(&unit->module);
  if (unit->error == cudaSuccess)
    return;
  vptr__cuda_unit_tell(unit->file, unit->error);
  keep_unit(unit);
}

void vptr_cuda_unregister_unit(vptr_cuda_unit *unit) {
  if (unit == NULL || unit->struct_size != sizeof *unit || vptr__registry_is_forked())
    return;
  vptr__lock_take(&lock);
  vptr__cuda_unit_take_out(unit);
  vptr__lock_give(&lock);
  (void)vptr_cuda_unregister_module(unit->handle);
  unit->handle = NULL;
}
