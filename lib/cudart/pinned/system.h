/* SPDX-License-Identifier: MIT */
/*
 * system - plain memory of the process: what is neither a mapper's nor pinned, as kernels may take it on some devices.
 *
 * SYCL calls it system allocations, CUDA pageable memory: what malloc() returns, stacks, globals. Nobody tells us of
 * it, so it is recognised by what it is not, and by the system's word that the process may read there: one system call
 * (process_vm_readv() of a byte; where that is forbidden mincore(), which takes pages without access for memory). So
 * NULL and a small number, a pointer that was never one, memory of ours that was freed: all are refused as on other
 * devices. Memory that free() took back cannot be told from the rest.
 *
 * Thread-safe; no locks, but where the device is asked for the first time (device->ops->memory.takes_system). An
 * address that was memory of ours takes the lock of tombstones, of rank LEAF. Used by register.c, module/argument.c and
 * prepare.c, usm/usm.c and place.c, and cuda/pointer.c and advice_call.c.
 */
#ifndef VPTR_PINNED_SYSTEM_H
#define VPTR_PINNED_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "mapper/mapper.h"

/* Whether something is mapped at every page of [host, host + size); size at least 1, no end behind all addresses. */
bool vptr__system_is_mapped(const void *host, size_t size);

/* Whether the mapper's kernels take [host, host + size) as it is, being plain memory. size at least 1. */
bool vptr__system_takes(vptr_mapper *mapper, const void *host, size_t size);

/* The same of what a kernel is about to be given: one byte, or one past the end of some. If so, copies in streams of
 * the device know from now on that kernels may write to plain memory (device->acquires_system). */
bool vptr__system_acquire(vptr_mapper *mapper, const void *host);

#endif
