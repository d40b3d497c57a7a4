/* SPDX-License-Identifier: MIT */
/*
 * strategy - how the bytes of a held copy move: the head of strategy.c has the table.
 *
 * Thread-safe, no state. No locks of its own: a strategy takes those of streams, of bulk.h and, on a full device, the
 * heap's.
 */
#ifndef VPTR_TRANSFER_STRATEGY_H
#define VPTR_TRANSFER_STRATEGY_H

#include "transfer/held_copy.h"

/* Moves the bytes, or queues that they move. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, OPENCL; those of
 * earlier work of the stream, where the caller waited for that. */
typedef vptr_status vptr__strategy(const vptr__held_copy *copy);

/* Which one a copy goes by. */
vptr__strategy *vptr__strategy_of(const vptr__held_copy *copy);

#endif
