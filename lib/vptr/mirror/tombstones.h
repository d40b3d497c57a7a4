/* SPDX-License-Identifier: MIT */
/*
 * tombstones - addresses that were managed memory, or pinned memory that the system has back.
 *
 * So that a second free, or a use after it, is told from a pointer that was never ours. The last MOST of them are
 * remembered. An address is forgotten when anybody has mapped memory there that can be used: whose it is then, we
 * cannot know.
 *
 * The static `lock` of tombstones.c, of rank LEAF, guards the list of them.
 */
#ifndef VPTR_MIRROR_TOMBSTONES_H
#define VPTR_MIRROR_TOMBSTONES_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

enum { VPTR__TOMBSTONES_MOST = 256 };

/* add: the addresses are about to be freed, and count as freed from now on, though they are mapped still. settle: they
 * are mapped no more. */
VPTR_API void vptr__tombstones_add(const void *begin, size_t size);
VPTR_API void vptr__tombstones_settle(const void *begin);

/* Whether an address was freed, and lies idle since. Asks the system: some microseconds, for such an address. */
bool vptr__tombstones_has(const void *address);

#endif
