/* SPDX-License-Identifier: MIT */
/*
 * hold - addresses of the process that vptr_restore() keeps free until it takes them.
 *
 * Memory that the host reaches comes back at its addresses. Until then the same restore makes buffers, and other
 * threads map what they need: the system may put any of that where something is still to come. So all such places are
 * held at the beginning, by pages that nobody may read, and each is released right before it is taken.
 *
 * It is an attempt: what cannot be held is not, and whoever takes that place tells what is wrong. The list is guarded
 * by the lock of checkpoint/kept.c, of rank CHECKPOINT, which all callers hold. Nothing blocks. Called by
 * checkpoint/restore.c, and at the moment of taking by mirror/view.c and cudart/pinned/chunk.c.
 */
#ifndef VPTR_BASE_HOLD_H
#define VPTR_BASE_HOLD_H

#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

/* Holds the pages of these bytes, and one behind them if that is free. */
void vptr__hold(uintptr_t address, size_t bytes);

/* Releases all holds that share a page with these bytes. */
VPTR_API void vptr__hold_release(const void *address, size_t bytes);

/* Releases what is left. */
void vptr__hold_end(void);

#endif
