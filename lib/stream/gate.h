/* SPDX-License-Identifier: MIT */
/*
 * gate - a place in a stream that the host holds shut while it does the stream's work by other means.
 *
 *     stream   --earlier work--[ gate ]====================--later work--
 *     host        close() returns ^ ... ^ open()
 *
 * What the host does in between is then like one command of the stream: behind all that was sent before, before all
 * that is sent later, by whichever thread, and waited for by who waits for the stream or frees memory. Nobody is
 * kept from sending meanwhile, so a thread that has a gate may wait for whatever needs no work behind it: not for
 * the stream, nor for the whole device.
 *
 * A gate is a value of one call in one thread: no locks but those of vptr__stream_begin().
 */
#ifndef VPTR_STREAM_GATE_H
#define VPTR_STREAM_GATE_H

#include "stream/stream.h"

typedef struct vptr__gate {
  vptr__device *device;
  cl_event after; /* complete when the gate is open */
  vptr__stream *stream;
  uint64_t number; /* the gate's in the stream */
} vptr__gate;

/* Shuts the stream for later work, and blocks until the earlier work is over, whatever became of it:
 * vptr__stream_hear() says. Errors: OUT_OF_HOST_MEMORY, OPENCL; then there is no gate. */
vptr_status vptr__gate_close(vptr__stream *stream, vptr__gate *gate_out);

/* What the host did behind the gate is over then, and so is all that the stream had before. */
void vptr__gate_open(vptr__gate *gate);

#endif
