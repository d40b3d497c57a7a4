/* SPDX-License-Identifier: MIT */
/*
 * managed - managed memory: one address for host and kernels. cudaMallocManaged() and shared USM both come here.
 *
 * It is pinned memory of the host's, so copies and sets take it like any other. Where the only device works on host
 * memory in place, or reaches it where it lies (NVIDIA's), kernels get its address, and nothing is copied; pointers in
 * it hold on both sides then. Elsewhere it is known as a managed variable is (module/managed.c): written to the device
 * before a kernel that is given a pointer into it, read back behind it.
 *
 * Thread-safe; no locks of its own.
 */
#ifndef VPTR_USM_MANAGED_H
#define VPTR_USM_MANAGED_H

#include <stdbool.h>

#include "mapper/mapper.h"
#include "pinned/pinned.h"

/* size at least 1; aligned to 256 bytes; contents undefined. The mapper is one of the process's own. site is who asked,
 * for traces. Errors: those of vptr__pinned_allocate(). */
vptr_status vptr__managed_allocate(vptr_mapper *mapper, size_t size, const void *site, void **host_out);

/* Waits for the kernels that use it, and frees it: host is where it begins. Errors: those of vptr__pinned_free(); nothing
 * was freed then. */
vptr_status vptr__managed_free(void *host);

/* For those above, who remember things about such memory (cuda/advice.h): from now on forget is called with where it begins
 * before any is freed by the above, whoever frees it. */
void vptr__managed_watch_frees(void (*forget)(const void *host));

/* An allocation of managed memory. */
typedef struct vptr__managed_place {
  vptr_mapper *mapper;
  void *base;
  size_t size;
} vptr__managed_place;

/* The live one that an address lies in; false if there is none. Lock-free. */
bool vptr__managed_find(const void *host, vptr__managed_place *place_out);

/* Whether an address, inside live managed memory, is kept on the device as a copy. */
bool vptr__managed_is_copied(const void *host);

/* Whether a place of pinned memory is managed. Lock-free. */
bool vptr__managed_is(const vptr__pinned_place *place);

/* What a mapper's managed memory was to kernels is forgotten, since vptr__pinned_clear() will free it. */
void vptr__managed_forget_all(const vptr_mapper *mapper);

#endif
