/* SPDX-License-Identifier: MIT */
/*
 * unit - modules that vptrcc compiled into the program, and those of them that are not registered yet.
 *
 * Constructors register them, before main() mostly, and cannot report a failure. A unit whose registration failed goes
 * into a list, which needs no memory, since the unit is static and has room for a link. Whoever asks for a stub or
 * shadow that is unknown looks there, and tries the registration again: where there was no memory there may be some
 * by now, and otherwise the error is told with the words of this attempt.
 *
 * A kernel may also need a unit that its launch does not name: by an extern variable, or a pointer to a managed one. So
 * while a unit waits for memory, every call that uses a device tries it, and threads keep no answers (cuda/thread.h).
 * Calls pay nothing for that while none waits.
 *
 * Lock: one, the static `lock` of unit.c, of rank UNIT, guards the list and what binary.c has, and is held during later
 * attempts, so that there is one at a time. Constructors and destructors take it, with the dynamic loader's lock held;
 * so nothing that takes the latter is called under it (cuda/need.h). Called by binary.c, registration.c, symbol.c and
 * reference.c; by device.c, stream.c and pointer.c, while a unit waits.
 */
#ifndef VPTR_CUDA_UNIT_H
#define VPTR_CUDA_UNIT_H

#include <stdatomic.h>
#include <stdbool.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/cuda/vptr_kernel.h>

#include "cuda/need.h"

/* How many units wait for memory. */
extern atomic_size_t vptr__cuda_units_waiting;

static inline bool vptr__cuda_unit_waits(void) {
  return atomic_load_explicit(&vptr__cuda_units_waiting, memory_order_acquire) > 0;
}

/* Tries all that wait for memory, in silence. The caller holds no lock, and is not in a forked child. */
void vptr__cuda_unit_try_all(void);

/* If address is a stub or shadow of a unit that is not registered: tries that one. cudaSuccess: it is registered now,
 * or there is no such unit; else the error, which has been said. The caller holds no lock. */
cudaError_t vptr__cuda_unit_try(const char *call, const void *address);

/* That the kernels of a file cannot be registered: on stderr with the thread's last words, and, if no later attempt can
 * help, as the thread's last error. */
void vptr__cuda_unit_tell(const char *file, cudaError_t error);

/* ---- for binary.c ---------------------------------------------------------------------------------------- */

void vptr__cuda_units_lock(void);
void vptr__cuda_units_unlock(void);

/* Under the lock: onto the list, off it if it is there; an attempt for one on the list, with what it needs, which takes
 * it off. */
void vptr__cuda_unit_push(vptr_cuda_unit *unit);
void vptr__cuda_unit_take_out(const vptr_cuda_unit *unit);
cudaError_t vptr__cuda_unit_attempt(vptr_cuda_unit *unit, const vptr__cuda_obtained *obtained);

#endif
