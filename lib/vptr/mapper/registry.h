/* SPDX-License-Identifier: MIT */
/*
 * registry - all mappers of the process, and whose address is whose.
 *
 * A tree from the first address of each reservation to its entry answers "which mapper does this address belong
 * to" without a lock. Entries are never freed, only used again, so a look-up that races the end of a mapper reads
 * an entry that is empty by then, not freed memory. Changes are guarded by the registry's lock, of rank REGISTRY.
 *
 * A child after fork() has the memory of its parent and none of its threads: locks that another thread held are held
 * for ever, and drivers wait for threads that are gone. So once there was a mapper, every door answers FORKED in a
 * child before it touches anything.
 */
#ifndef VPTR_MAPPER_REGISTRY_H
#define VPTR_MAPPER_REGISTRY_H

#include <stdatomic.h>

#include "mapper/mapper.h"

/* Rises when the process is found to be forked, a handle of a stream has ended, or a user of the library ends it: who
 * keeps an answer to such a question keeps the epoch with it, read before it asked, and asks anew in another. */
VPTR_API extern atomic_uint vptr__epoch;

static inline unsigned vptr__epoch_now(void) {
  return atomic_load_explicit(&vptr__epoch, memory_order_acquire);
}

static inline void vptr__epoch_end(void) {
  atomic_fetch_add(&vptr__epoch, 1);
}

/* Makes a mapper known. Errors: OUT_OF_HOST_MEMORY, OUT_OF_ADDRESSES (its addresses, a device's, are another's too). */
vptr_status vptr__registry_add(vptr_mapper *mapper);

/* Forgets it. */
void vptr__registry_remove(vptr_mapper *mapper);

/* SUCCESS, or FORKED (said in words) in a child process. Takes no lock. */
VPTR_API vptr_status vptr__registry_check_process(void);
VPTR_API bool vptr__registry_is_forked(void);

/* Where the addresses of the default mapper shall begin, and how many there shall be, if it is not made yet. */
VPTR_API void vptr__registry_place(uintptr_t base, size_t size);

/* Whether it is one of the process's own, made by vptr__mapper_for_device(). */
bool vptr__registry_is_default(const vptr_mapper *mapper);

#endif
