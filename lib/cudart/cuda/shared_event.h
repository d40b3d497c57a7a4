/* SPDX-License-Identifier: MIT */
/*
 * shared_event - events that several processes of one machine record, wait for and ask: cudaIpcGetEventHandle().
 *
 *     page     in memory of the system's, mapped by each process that has the event
 *       recorded     how often it was recorded, by whomever: the number of its latest place
 *       places[64]   for each of the latest numbers, who recorded it, and whether it was reached
 *
 * OpenCL shares no events, and none is needed: a stream writes the word of its number when it comes there, and one of
 * another process waits for that word (stream/word.h), in host memory, which is there on every device. What was
 * recorded here last is an event of this process besides, and is waited for and asked as any other one.
 *
 * A process that ends before its work is done takes that work along: what it recorded counts as reached then. It is
 * looked for every few milliseconds by a thread that runs while a stream waits for another process. The page goes with
 * the last that has it mapped; here, when the event was destroyed and no stream is about to look at it any more.
 *
 * Recording waits where 64 earlier records of the event are not reached yet.
 *
 * Thread-safe. Locks: the static `events` of shared_event.c, of rank LEAF, guards the list of such events here; in a
 * page a lock between processes, which outlives its owner, guards who gets a number. Called by cuda/event.c,
 * cuda/stream.c, cuda/sharing.c, cuda/reset.c and replay/send.c.
 */
#ifndef VPTR_CUDA_SHARED_EVENT_H
#define VPTR_CUDA_SHARED_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "stream/event.h"

/* What another process opens the event by; a program has it as an array of bytes. */
typedef struct vptr__shared_event_name {
  char mark[8];
  int64_t process;
  int64_t file;   /* its descriptor there */
  uint64_t inode; /* of the file, so that no other one is taken for it */
} vptr__shared_event_name;

/* A live event of this process becomes one. Errors: OUT_OF_HOST_MEMORY (of descriptors, too). */
vptr_status vptr__shared_event_make(vptr__event *event);

/* False: it is none. */
bool vptr__shared_event_tell(const vptr__event *event, vptr__shared_event_name *name_out);

/* `event` is what another process named from now on. Errors: INVALID_ARGUMENT (there is none any more),
 * OUT_OF_HOST_MEMORY. */
vptr_status vptr__shared_event_open(const vptr__shared_event_name *name, vptr__event *event);

/* In the place of the calls of pool/pool.h and stream/event.h by these names, for any event. A record may wait, see
 * above. */
vptr_status vptr__shared_event_record(vptr__event *event, vptr__stream *stream);
vptr_status vptr__shared_event_wait(vptr__stream *stream, vptr__event *event);
vptr_status vptr__shared_event_query(vptr__event *event);
vptr_status vptr__shared_event_synchronize(vptr__event *event);

/* Before it is destroyed. And all of a mapper, whose events have gone: nobody waits for them any more. */
void vptr__shared_event_forget(const vptr__event *event);
void vptr__shared_events_forget(const vptr_mapper *mapper);

#endif
