/* SPDX-License-Identifier: MIT */
/*
 * mark - a place in a stream's work: what CUDA calls an event.
 *
 * Recording a mark puts it behind all work that its stream has now; the mark is reached when that work is done.
 * Recording it again moves it. Never recorded, it counts as reached. Thread-safe, but that a mark must not be destroyed
 * while another thread is inside a call with it; it may be destroyed while it is pending. mapper->stream_lock guards which
 * OpenCL event a mark means, and the list of a mapper's marks, which end with it.
 */
#ifndef VPTR_STREAM_MARK_H
#define VPTR_STREAM_MARK_H

#include <stdbool.h>

#include "stream/stream.h"

enum { VPTR__MARK_NO_TIMING = 2 };

/* Other flags are the caller's own: they are kept, for vptr__mark_flags(), and mean nothing here. */
VPTR_API vptr_status vptr__mark_create(vptr_mapper *mapper, unsigned flags, vptr__mark **mark_out);

/* Errors: INVALID_ARGUMENT (no live mark). */
VPTR_API vptr_status vptr__mark_destroy(vptr__mark *mark);
VPTR_API bool vptr__mark_is_live(const void *mark);
VPTR_API unsigned vptr__mark_flags(const vptr__mark *mark);
VPTR_API vptr_mapper *vptr__mark_mapper(const vptr__mark *mark);
VPTR_API bool vptr__mark_is_recorded(vptr__mark *mark);

/* Errors: INVALID_ARGUMENT if stream and mark are of different mappers. */
VPTR_API vptr_status vptr__mark_record(vptr__mark *mark, vptr__stream *stream);

/* SUCCESS: reached. NOT_READY (without words): not yet. OPENCL: the work before it failed. */
VPTR_API vptr_status vptr__mark_query(vptr__mark *mark);
/* The same of the mark alone: a failure of the commands before it stays, for the program to hear. */
vptr_status vptr__mark_look(vptr__mark *mark);
VPTR_API vptr_status vptr__mark_synchronize(vptr__mark *mark);

/* Milliseconds of device time between two reached marks. Errors: INVALID_ARGUMENT (never recorded, NO_TIMING, or of
 * different mappers), NOT_READY (not reached, without words). */
VPTR_API vptr_status vptr__mark_elapsed(vptr__mark *from, vptr__mark *to, float *milliseconds_out);

/* The OpenCL event it means now, retained, or NULL if it was never recorded. Any queue may wait for it. */
VPTR_API cl_event vptr__mark_event(vptr__mark *mark);

#endif
