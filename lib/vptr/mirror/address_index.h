/* SPDX-License-Identifier: MIT */
/*
 * address_index - which addresses are managed memory, and whose.
 *
 * Two trees by first address. One says where each mirror ends, and is searched without a lock, so that a signal handler
 * can: it asks of every fault of the process whether it is ours. The other says which mirror it is, and is searched
 * under the lock: a mirror that is entered stays until it is left.
 *
 * The static `lock` of address_index.c, of rank LEAF, guards the changes of both trees, the searches of the second, and
 * the references to mirrors.
 */
#ifndef VPTR_MIRROR_ADDRESS_INDEX_H
#define VPTR_MIRROR_ADDRESS_INDEX_H

#include "mirror/mirror.h"

/* Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__address_index_add(vptr__mirror *mirror);

/* From then on no address is found to be the mirror's; waits until all references to it are gone. */
void vptr__address_index_remove(vptr__mirror *mirror);

/* Whether an address is a live mirror's. Takes no lock, calls nothing of the system's, allocates nothing. */
VPTR_API bool vptr__address_index_has(const void *address);

/* The mirror that has an address, and the offset in it; NULL if no mirror has it. It is not destroyed before it is
 * left. */
VPTR_API vptr__mirror *vptr__address_index_enter(const void *address, size_t *offset_out);
VPTR_API void vptr__address_index_leave(vptr__mirror *mirror);

/* One more reference, for a caller that has one. */
void vptr__address_index_enter_again(vptr__mirror *mirror);

/* The mirror that begins at an address, for the first caller that asks, which destroys it. NULL for all other
 * callers, or if none begins there. */
VPTR_API vptr__mirror *vptr__address_index_take(const void *begin);

/* Likewise any one that was made for a mapper. */
VPTR_API vptr__mirror *vptr__address_index_take_any(const vptr_mapper *mapper);

/* The first mirror that begins at an address or behind it; NULL behind the last. Left like any other. */
VPTR_API vptr__mirror *vptr__address_index_enter_next(const void *from);

/* Whether an address belonged to a mirror that was destroyed, and has not been mapped by anybody since; bounded, see
 * tombstones.h. */
VPTR_API bool vptr__address_index_was(const void *address);

#endif
