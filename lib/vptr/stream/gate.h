/* SPDX-License-Identifier: MIT */
/*
 * gate - a place in a stream that the host holds shut while it does the stream's work by other means.
 *
 *     stream   --earlier work--[ gate ]====================--later work--
 *     host        close() returns ^ ... ^ open()
 *
 * What the host does in between is then like one command of the stream: behind all that was sent before, before all
 * that is sent later, by whichever thread, and waited for by who waits for the stream or frees memory.
 *
 * While no other thread has business with the stream, a closed gate is a flag: the stream counts as one that a thread
 * is sending to. The first other thread that would have to wait for that puts a barrier into the queue, which waits
 * for an event that open() completes, and goes on. So nobody is kept from sending, and a thread that has a gate may
 * wait for whatever needs no work behind it: not for the stream, nor for the whole device.
 *
 * The barrier is not put at once because an event that the host completes wakes a thread of NVIDIA's driver (580),
 * which then polls for as long as the program keeps the device busy; each launch meanwhile takes 1.3 to 2 us longer.
 *
 * A gate is a variable of one call in one thread, which has to stay where it is until it is opened.
 * mapper->stream_lock, of rank STREAM, guards what others see of it: vptr__stream.gate and `sending`, and the
 * gate's `after` and `number`.
 */
#ifndef VPTR_STREAM_GATE_H
#define VPTR_STREAM_GATE_H

#include "stream/stream.h"

typedef struct vptr__gate {
  vptr__device *device;
  vptr__stream *stream;
  uint64_t number; /* of the last that is before the gate; of the barrier, once there is one */
  cl_event after;  /* the barrier's, complete when the gate is open; NULL: there is no barrier */
} vptr__gate;

/* Shuts the stream for later work, and blocks until the earlier work is over, whatever became of it:
 * vptr__stream_poll_failure() says. Errors: OUT_OF_HOST_MEMORY, OPENCL; then there is no gate. */
vptr_status vptr__gate_close(vptr__stream *stream, vptr__gate *gate);

/* What the host did behind the gate is over then, and so is all that the stream had before. */
void vptr__gate_open(vptr__gate *gate);

/* For those who would wait for a stream because it has a closed gate: puts the barrier, so that they need not. Under
 * mapper->stream_lock; does nothing for a stream without such a gate. Errors: OUT_OF_HOST_MEMORY, OPENCL. */
vptr_status vptr__gate_put_barrier(vptr__stream *stream);

#endif
