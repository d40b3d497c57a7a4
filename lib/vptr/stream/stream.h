/* SPDX-License-Identifier: MIT */
/*
 * stream - work in order, beside other work: what CUDA calls a stream.
 *
 * A stream is an in-order queue of a mapper's device. Streams of a mapper overlap where the device can. One of them
 * is the mapper's own queue, the legacy stream, and keeps CUDA's old promise of order with all the others that are
 * BLOCKING (the default): what is queued on it begins after all earlier work of those, and their later work begins
 * after it. The promise is kept with barriers, made only when work on both sides has been queued since the last one.
 *
 *     legacy      ----A------------D------E----
 *     blocking 1  ------B--------------------F-      D waits for B and C; F for E; X for nobody
 *     blocking 2  --------C--------------------
 *     non-block.  -----------X-----------------
 *
 * Everything that sends commands does it between vptr__stream_begin(), which orders the queue and keeps others out of
 * it, and vptr__stream_end(). A thread is between the two for one stream at a time. What only waits, or blocks by
 * itself on the mapper's own queue, calls vptr__stream_settle_legacy() instead.
 *
 * A program that asked for the mapper's queue (vptr_get_queue(), or vptr_config.queue) may send to it unseen. Blocking
 * streams then wait for it each time; what it sends waits for them only by its own means.
 *
 * A stream that is destroyed takes no more work and goes when its work is done; streams and events end with their
 * mapper. A handle that is no live stream is recognised. Frees of memory wait for all streams of the mapper
 * (device->has_queues).
 *
 * Thread-safe, every call, but that a stream must not be destroyed while another thread is inside a call with it.
 * Locks: mapper->stream_lock, rank STREAM. It is never held while work is waited for, but barriers are sent with it.
 * Host functions run on one thread of the library's own, with no lock held, one after the other, whatever their
 * streams.
 *
 * A command that fails while it runs is reported once: by the next call that waits for its stream, for an event
 * behind it, for the legacy stream if its own is blocking, or for all. Host functions get the status
 * too. The thread that sends hands over the events of its commands for that, except those that it waits for itself.
 *
 * Files: stream (life, waiting), order (begin, end, barriers), outcome (what failed), thread (each thread's own
 * streams), timing (queues that keep times, and vptr_get_queue()), gate (places that the host holds shut), host (host
 * functions), word (words of memory that streams wait for), event, handle (which values are live handles); state.h is
 * what they share.
 */
#ifndef VPTR_STREAM_STREAM_H
#define VPTR_STREAM_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "mapper/mapper.h"

typedef struct vptr__stream vptr__stream;
typedef struct vptr__event vptr__event; /* lib/vptr/stream/event.h */

enum { VPTR__STREAM_NON_BLOCKING = 1 };
enum { VPTR__STREAM_PRIORITY_HIGH = -1 }; /* there are two levels: 0 and this */

/* priority: 0 normal, negative higher; clamped to what there is. Errors: INVALID_ARGUMENT (unknown flags),
 * OUT_OF_HOST_MEMORY, OPENCL. */
VPTR_API vptr_status vptr__stream_create(vptr_mapper *mapper, unsigned flags, int priority, vptr__stream **stream_out);

/* Does not wait. Errors: INVALID_ARGUMENT (no live stream, the legacy one, or a thread's own one). */
VPTR_API vptr_status vptr__stream_destroy(vptr__stream *stream);

/* The mapper's legacy stream, and the calling thread's own stream on the mapper (blocking); made on first use, never
 * destroyed by callers. A thread's own stream ends with the thread. */
VPTR_API vptr_status vptr__stream_legacy(vptr_mapper *mapper, vptr__stream **stream_out);
VPTR_API vptr_status vptr__stream_per_thread(vptr_mapper *mapper, vptr__stream **stream_out);

/* Whether a value is a live stream of any mapper. Takes no lock and looks at no memory behind the value. */
VPTR_API bool vptr__stream_is_live(const void *stream);

VPTR_API vptr_mapper *vptr__stream_mapper(const vptr__stream *stream);
VPTR_API unsigned vptr__stream_flags(const vptr__stream *stream);
VPTR_API int vptr__stream_priority(const vptr__stream *stream);
VPTR_API uint64_t vptr__stream_id(const vptr__stream *stream); /* unique in the process, never used again */
VPTR_API bool vptr__stream_is_legacy(const vptr__stream *stream);

/* SUCCESS: all its work is done. NOT_READY (said without words, since programs poll): not yet. Else: what its work
 * failed with. Never blocks. The legacy stream's work includes what it would wait for. */
VPTR_API vptr_status vptr__stream_query(vptr__stream *stream);

/* Blocks until all its work is done. Errors of that work surface here, once. */
VPTR_API vptr_status vptr__stream_synchronize(vptr__stream *stream);

/* All streams of the mapper, the legacy one included. */
VPTR_API vptr_status vptr__stream_synchronize_all(vptr_mapper *mapper);

/* Whether all work that a mapper's streams had when its work_last was `number` is known to be over. Without may_ask it
 * takes no lock and calls no driver; with it the device is asked, and nothing is waited for. */
VPTR_API bool vptr__streams_are_over(vptr_mapper *mapper, uint64_t number, bool may_ask);

/* Later work of the stream waits for what the event records now; of any mapper's stream. */
vptr_status vptr__stream_wait(vptr__stream *stream, vptr__event *event);

/* Runs function(context) once all earlier work of the stream is done; later work of the stream waits for it. It
 * gets the status of the earlier work. It may not call vptr's streams (vptr__stream_in_host_function()). On an error
 * it is not run. */
VPTR_API vptr_status vptr__stream_host(vptr__stream *stream, void (*function)(vptr_status status, void *context),
                                       void *context);

/* The same for the library's own function, which may send to other streams, and wait for those that do not wait for
 * this one; with a thread of its own, so that no program's function keeps it waiting. */
VPTR_API vptr_status vptr__stream_aside(vptr__stream *stream, void (*function)(vptr_status status, void *context),
                                        void *context);

/* Whether the calling thread is inside such a function: calls that would deadlock refuse then. */
VPTR_API bool vptr__stream_in_host_function(void);

/* The queue of a stream, ordered for the commands that follow, and nobody else sends to it until the end. There is room
 * for one note. Errors: OUT_OF_HOST_MEMORY, OPENCL. */
VPTR_API vptr_status vptr__stream_begin(vptr__stream *stream, cl_command_queue *queue_out);

/* While a stream is captured (lib/cudart/graph) begin and synchronize are UNSUPPORTED: who has not asked before shall
 * not send, nor wait for what runs later. And whether that has happened since the capture began. */
VPTR_API void vptr__stream_set_captured(vptr__stream *stream, bool captured);
VPTR_API bool vptr__stream_has_missed(const vptr__stream *stream);

/* Between begin and end. Room for one more note, to be made before the command is sent; errors: OUT_OF_HOST_MEMORY. And
 * the note: the event of a command that was sent, taken over; NULL is allowed. Others hear of its failure once the
 * sender has ended. */
VPTR_API vptr_status vptr__stream_expect(vptr__stream *stream);
VPTR_API void vptr__stream_note(vptr__stream *stream, cl_event event);

/* Room for that many notes more than the stream has now, whatever the device has done of its work: by who is about to
 * send much, before the first begin, so that no later one asks for host memory. Errors: OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__stream_reserve(vptr__stream *stream, size_t count);

/* Flushes. Call it after a begin that succeeded, also when sending failed. Returns the number of what was sent, for
 * whoever waits for all of it: vptr__stream_poll_failure_behind(). */
VPTR_API uint64_t vptr__stream_end(vptr__stream *stream);

/* The same without the flush, for commands that begin all the same. */
VPTR_API uint64_t vptr__stream_end_unflushed(vptr__stream *stream);

/* The number given last on the stream's mapper: whatever is sent from now on, with a number or without, is behind all
 * work of the stream that has this number or a lower one. */
uint64_t vptr__stream_last(const vptr__stream *stream);

/* All work of the stream up to a number is known to be over: the caller has waited for it. A query need not ask the
 * device then, whose answer would come later than the end of the wait. */
void vptr__stream_note_over(vptr__stream *stream, uint64_t number);

/* Orders the mapper's own queue behind all earlier work of blocking streams: for calls that send to it and block until
 * that is done, which therefore need no end. Free of cost where there are no blocking streams. */
VPTR_API vptr_status vptr__stream_settle_legacy(vptr_mapper *mapper);

/* Keeps the first failure of work that was done for the stream by other means than its queue, for its next
 * synchronising call to report. */
VPTR_API void vptr__stream_fail(vptr__stream *stream, cl_int code);

/* What a stream fails with from now on is told to whoever waits for another of its mapper's, as that one's own failure:
 * its work is part of what was sent there. */
VPTR_API void vptr__stream_tell(vptr__stream *stream, vptr__stream *to);

/* The first failure of work that is over, which is then forgotten; of blocking streams too for the legacy one. For
 * calls that waited for the stream by other means than vptr__stream_synchronize(). Does not wait. */
vptr_status vptr__stream_poll_failure(vptr__stream *stream);

/* vptr__stream_note_over() and vptr__stream_poll_failure() at once. */
VPTR_API vptr_status vptr__stream_poll_failure_behind(vptr__stream *stream, uint64_t number);

/* ---- all of a mapper's -------------------------------------------------------------------------------------- */

/* word.c: what the mapper's streams, and any that wait for words of its memory, wait for is not waited for any more;
 * they go on, with a failure. Before a mapper that is going away or begins anew waits for its work, which may be behind
 * a word that never comes. Returns when no call uses the mapper. */
VPTR_API void vptr__streams_end_waits(vptr_mapper *mapper);

/* Ends every stream and event of a mapper that is going away or begins anew, whose work has been waited for. */
VPTR_API void vptr__streams_close_all(vptr_mapper *mapper);

/* Waits for all work of the mapper's streams and of queues that were named; what it failed with stays for who asks for
 * its stream. */
VPTR_API vptr_status vptr__streams_drain(vptr_mapper *mapper);

/* Whether CUDA's frees have to wait for the mapper's streams, where that is not quiet: work may be under way, and
 * VPTR_FREE_WAITS does not say that they return at once. */
VPTR_API bool vptr__streams_hold_frees(vptr_mapper *mapper);

/* Whether a free as CUDA has it begins with vptr__streams_drain(). */
static inline bool vptr__mapper_holds_frees(vptr_mapper *mapper) {
  return !vptr__mapper_is_quiet(mapper) && vptr__streams_hold_frees(mapper);
}

#endif
