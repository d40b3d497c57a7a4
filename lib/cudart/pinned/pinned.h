/* SPDX-License-Identifier: MIT */
/*
 * pinned - host memory that a device reaches without a copy in between.
 *
 * Two sources: memory that vptr hands out, so that a pair costs nanoseconds and not the half millisecond of pinning,
 * and memory of the program's that it registers. Both lie in regions (pinned/region.h), and one registry of these
 * answers for any host address without a lock: pinned or not, by whom, how.
 *
 *     request             where it goes
 *     below 1 MiB         a block of a chunk: pinned memory of 4 to 64 MiB that is never unpinned, cut by size class,
 *                         or by jemalloc where the process has it (pinned/supply.h)
 *     from 1 MiB          a region of its own; freed, it is kept for the next of about its size, within the idle bytes
 *                         that the mapper also keeps of device memory (VPTR_IDLE_BYTES)
 *     registered          a region of its own, exactly as registered
 *
 * Which flag really pins is the driver's affair (device->ops->memory.pin_host). Memory is always mapped for the
 * purpose, never malloc's: PoCL takes its own from there, and jemalloc must not be fed with itself.
 *
 * Mappers here are the process's own (vptr__mapper_for_device()), which last as long as the process. At its end
 * nothing is unpinned: the drivers may be gone by then, and the system takes it all.
 *
 * Part of libvptr-cudart.
 *
 * Thread-safe, every call. Locks: of rank MAPPING (depot.c: making and growing a depot; alias.c: device addresses),
 * HEAP (region.c: the registry's changes, idle regions) and LEAF (depot.c and supply_class.c: cutting a chunk; the
 * ledger, where leaks are to be told), and of rank STREAM for a free behind work. Allocating a block that a chunk has
 * at hand takes none, nor does freeing one that has no device address, unless leaks are to be told or work is in
 * flight. Used by managed/managed.c, by the files of lib/cudart/usm and lib/cudart/cuda that handle host memory, by
 * module/argument.c and lib/driver/pointer.c, and by the other files of this folder.
 */
#ifndef VPTR_PINNED_PINNED_H
#define VPTR_PINNED_PINNED_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

#include "mapper/mapper.h"

typedef enum vptr__pinned_kind {
  VPTR__PINNED_NONE = 0,
  VPTR__PINNED_OURS,      /* by vptr__pinned_allocate() */
  VPTR__PINNED_REGISTERED /* by vptr__pinned_register() */
} vptr__pinned_kind;

/* What flags may hold; the caller's to mean something by, but for the highest: managed memory in place
 * (managed/managed.h), of which programs know the host address alone. */
enum { VPTR__PINNED_FLAGS = 0xf, VPTR__PINNED_IS_MANAGED = 8 };

/* What a host address is. */
typedef struct vptr__pinned_place {
  vptr__pinned_kind kind;
  void *base;             /* of the allocation or registration */
  size_t size;
  unsigned flags;         /* as given when it was made */
  vptr_mapper *mapper;
  bool has_device_address; /* it was asked for */
} vptr__pinned_place;

/* size at least 1; aligned to 256 bytes. Contents undefined. Errors: OUT_OF_HOST_MEMORY (also more than the machine
 * has), and what the driver says. */
vptr_status vptr__pinned_allocate(vptr_mapper *mapper, size_t size, unsigned flags, void **host_out);

/* Waits first for the work that it was acquired for. Errors: UNKNOWN_ADDRESS (registered memory too), INTERIOR, FREED,
 * and those of that work: then nothing was freed. */
vptr_status vptr__pinned_free(void *host);

/* The same as CUDA's frees are: behind all work of its mapper's streams (vptr__mapper_holds_frees()). */
vptr_status vptr__pinned_free_behind_work(void *host);

/* Pins memory of the program's. Errors: INVALID_ARGUMENT (NULL, no bytes, not all mapped, device addresses), MAPPED (a
 * byte of it is pinned already), and what the driver says. */
vptr_status vptr__pinned_register(vptr_mapper *mapper, void *host, size_t size, unsigned flags);

/* Waits as vptr__pinned_free() does. Errors: NOT_MAPPED (host is not where a registration starts). */
vptr_status vptr__pinned_unregister(void *host);

/* Lock-free. kind NONE for ordinary memory. */
VPTR_API vptr__pinned_place vptr__pinned_find(const void *host);

/* Whether all of [host, host + size) is pinned, so that a copy may go on while the program does. If so it is
 * acquired: freeing or unregistering any of it waits from now on for the work that `user` has then (NULL: the
 * memory's own mapper). So ask before that work is queued. size at least 1. Lock-free. */
bool vptr__pinned_acquire(vptr_mapper *user, const void *host, size_t size);

/* Whether all of it is pinned, and nothing more: it is not acquired. */
bool vptr__pinned_is(const void *host, size_t size);

/* Likewise, and whether it belongs to one allocation or registration. */
bool vptr__pinned_is_piece(const void *host, size_t size);

/* The device address of a byte of pinned memory, for kernels and copies. The memory itself, no copy: what one side
 * writes the other sees once they have synchronised. Lasts as long as the memory is pinned. Errors: UNKNOWN_ADDRESS
 * (not pinned), UNSUPPORTED (the device does not work on host memory in place, or this memory is not aligned for it,
 * and it does not take plain memory either). */
vptr_status vptr__pinned_device_address(const void *host, void **device_out);

/* The same for who has asked vptr__pinned_find() already, without words: NULL where there is none, and after fork(). */
void *vptr__pinned_known_address(const vptr__pinned_place *place, const void *host);

/* The other way round: the host memory that a device address of the above stands for, or NULL. */
void *vptr__pinned_host_address(const void *device);

/* Frees and unregisters all that a mapper holds, and gives back what was idle. Returns the first error of the work in
 * flight; what was acquired for work that cannot be waited for stays. */
vptr_status vptr__pinned_clear(vptr_mapper *mapper);

/* Gives back large regions that are idle, the oldest first, until at most keep_bytes of them are left. */
void vptr__pinned_trim(vptr_mapper *mapper, size_t keep_bytes);

#endif
