/* SPDX-License-Identifier: MIT */
/*
 * stage - a block of host memory that holds what is on its way to the device.
 *
 * A stream may be far behind when the host sends it a few bytes, and the host goes on to use their place for something
 * else. A stage takes them, packed, and goes by itself when the device has them. CUDA does so up to 64 KiB, and
 * programs count on it, knowingly or not: waiting for the stream instead would stop those that have it wait for the
 * host. It is its caller's until it is left or dropped. No locks.
 */
#ifndef VPTR_TRANSFER_STAGE_H
#define VPTR_TRANSFER_STAGE_H

#include "transfer/rect.h"

enum { VPTR__STAGE_BYTES = 64 << 10 }; /* what is staged at most */

/* Takes a copy of a rect of host memory: an endpoint without gaps. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__stage_make(const vptr__pitched_endpoint *from, const size_t region[3],
                             vptr__pitched_endpoint *stage_out);

/* The stage goes when the event comes; both are taken over. Does not wait, unless the driver cannot notify. */
void vptr__stage_leave(vptr__pitched_endpoint *stage, vptr__device *device, cl_event event);

/* Nothing was queued that uses it. */
void vptr__stage_drop(vptr__pitched_endpoint *stage);

/* Copies a rect of host memory, row by row. */
void vptr__stage_copy(const vptr__pitched_endpoint *to, const vptr__pitched_endpoint *from, const size_t region[3]);

#endif
