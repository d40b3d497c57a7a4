/* SPDX-License-Identifier: MIT */
/*
 * supply - small blocks of pinned memory, cut from what a depot carves.
 *
 * Of two implementations one is built: supply_jemalloc.c, and supply_class.c where there is no jemalloc. Both serve any
 * size below VPTR__BLOCK_LIMIT in blocks aligned to VPTR__BLOCK_STEP, keep all they know outside the blocks, so that a
 * program that writes where it must not breaks its own data only, and never give memory back to the depot.
 */
#ifndef VPTR_PINNED_SUPPLY_H
#define VPTR_PINNED_SUPPLY_H

#include <stddef.h>

#include "pinned/depot.h"

typedef struct vptr__supply vptr__supply;

/* The ordinal-th supply, for a depot; ordinals are not used twice. It lasts as long as the process. Errors:
 * OUT_OF_HOST_MEMORY. */
vptr_status vptr__supply_create(vptr__depot *depot, int ordinal, vptr__supply **supply_out);

/* A block, or NULL if the depot had nothing to carve. The block may be other memory than the depot's (jemalloc falls back
 * to ordinary memory in threads that are ending): look before use, and refuse it. */
void *vptr__supply_take(vptr__supply *supply, size_t size);

/* Takes back what was just taken, and is not the depot's. */
void vptr__supply_refuse(vptr__supply *supply, void *block, size_t size);

/* size: as when it was taken. From any thread. */
void vptr__supply_give(vptr__supply *supply, void *block, size_t size);

#endif
