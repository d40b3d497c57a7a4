/* SPDX-License-Identifier: MIT */
/*
 * prefetch_task - bytes of managed memory that come to the host when a stream is there.
 *
 * A prefetch to the host is work of a stream: it begins when what was queued before it is done, what is queued behind
 * it waits, and whoever waits for the stream finds the bytes. It is run as a function on the host (stream/stream.h),
 * which may wait for work of other streams that uses the memory, but never for work behind itself: a prefetch task is
 * for speed alone, so it is given up as soon as any part of the mirror is acquired again, after
 * VPTR__PREFETCH_TASK_PATIENCE_MS, and when it fails. A fault brings the bytes then.
 *
 * The mirror stays until the task has run, which has a reference to it. No static state and no lock of its own; it
 * takes the mirror's. Used by managed.c.
 */
#ifndef VPTR_MANAGED_PREFETCH_TASK_H
#define VPTR_MANAGED_PREFETCH_TASK_H

#include "mirror/mirror.h"
#include "stream/stream.h"

enum { VPTR__PREFETCH_TASK_PATIENCE_MS = 10000 };

/* The caller has entered the mirror (mirror/address_index.h). This call takes the entry over: the mirror is left when
 * the task has run, and also where this call fails. Does not wait for the stream, but may wait for bytes of the same
 * mirror that another thread moves. Errors: OUT_OF_HOST_MEMORY, those of vptr__stream_host(). */
vptr_status vptr__prefetch_task_send(vptr__stream *stream, vptr__mirror *mirror, size_t offset, size_t size);

#endif
