/* SPDX-License-Identifier: MIT */
/*
 * strategy - how the bytes of a held copy move: the head of strategy.c has the table.
 *
 * Thread-safe, no data but the table. No locks of its own: a strategy takes mapper->stream_lock, of rank STREAM, those
 * of bulk.h and endpoint.h, and, on a full device, vptr__heap.lock, of rank HEAP.
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
