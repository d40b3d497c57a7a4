/* SPDX-License-Identifier: MIT */
/*
 * event - a place in a stream's work, as CUDA has it.
 *
 * Recording an event puts it behind all work that its stream has now; the event is reached when that work is done.
 * Recording it again moves it. Never recorded, it counts as reached. Thread-safe, but that an event must not be
 * destroyed while another thread is inside a call with it; it may be destroyed while it is pending.
 * mapper->stream_lock, of rank STREAM, guards which command (an OpenCL event) an event means, and the list of a
 * mapper's events, which end with it. Only vptr__event_synchronize() waits for the device.
 */
#ifndef VPTR_STREAM_EVENT_H
#define VPTR_STREAM_EVENT_H

#include <stdbool.h>

#include "stream/stream.h"

enum { VPTR__EVENT_NO_TIMING = 2 };

/* Other flags are the caller's own: they are kept, for vptr__event_flags(), and mean nothing here. */
VPTR_API vptr_status vptr__event_create(vptr_mapper *mapper, unsigned flags, vptr__event **event_out);

/* Errors: INVALID_ARGUMENT (no live event). */
VPTR_API vptr_status vptr__event_destroy(vptr__event *event);
VPTR_API bool vptr__event_is_live(const void *event);
VPTR_API unsigned vptr__event_flags(const vptr__event *event);
VPTR_API vptr_mapper *vptr__event_mapper(const vptr__event *event);
VPTR_API bool vptr__event_is_recorded(vptr__event *event);

/* Whether it was recorded last in a capture, as vptr__event_set_captured() says: nothing here looks at that, and the
 * next vptr__event_record() ends it. */
VPTR_API void vptr__event_set_captured(vptr__event *event);
VPTR_API bool vptr__event_is_captured(vptr__event *event);

/* Errors: INVALID_ARGUMENT if stream and event are of different mappers. */
VPTR_API vptr_status vptr__event_record(vptr__event *event, vptr__stream *stream);

/* SUCCESS: reached. NOT_READY (without a message): not yet. OPENCL: the work before it failed. */
VPTR_API vptr_status vptr__event_query(vptr__event *event);
/* The same of the event alone: a failure of the commands before it stays, for the program to be told. */
vptr_status vptr__event_poll(vptr__event *event);
VPTR_API vptr_status vptr__event_synchronize(vptr__event *event);

/* Milliseconds of device time between two reached events. Errors: INVALID_ARGUMENT (never recorded, NO_TIMING, or of
 * different mappers), NOT_READY (not reached, without a message). */
VPTR_API vptr_status vptr__event_elapsed(vptr__event *from, vptr__event *to, float *milliseconds_out);

/* The command that it means now, an OpenCL event, retained, or NULL if it was never recorded. Any queue may wait for
 * it. */
VPTR_API cl_event vptr__event_command(vptr__event *event);

#endif
