/* SPDX-License-Identifier: MIT */
/*
 * pack - rects between host and device whose rows are moved as one line, where that is quicker.
 *
 * A command for rectangles may cost a driver a descriptor, or a copy of its own, for each row; many narrow rows then
 * take longer than their bytes by far. The other way: the host packs a few MiB of rows into pinned memory, one command
 * brings the line to the device, and one within the device takes it apart there (on GPUs a kernel,
 * device/opencl_blit_rect.c); from the device the other way round.
 *
 *     host rows  --memcpy-->  stage  ==line==>  scratch  --rect-->  rows with gaps
 *
 * Which is quicker depends on the driver and on how long rows are, so the copies themselves are timed: of each class of
 * rects the first go both ways in turns, two each or a few more, and from then on the quicker one is taken. This asks
 * for no copy that the program did not. Only such copies go here as the host waits for, only on devices with memory of
 * their own (device->tuning.packs_rows), and only those of pageable memory: what is pinned a driver takes as it lies.
 *
 * The stream has a gate (stream/gate.h) around a packed copy, so it is one command of the stream's like any other.
 *
 * Memory: 4 MiB of pinned memory and 4 MiB of the device's for a mapper, made by its first packed copy; given back by
 * vptr_trim(), and when the mapper ends. What cannot be had is done without, by the command.
 *
 * Thread-safe. No locks but mapper->stream_lock, of rank STREAM, which the gate takes: of two copies of one mapper at
 * once the second goes by the command.
 */
#ifndef VPTR_TRANSFER_PACK_H
#define VPTR_TRANSFER_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "transfer/rect.h"

/* Whether a rect may be worth packing: pageable memory, and many rows. */
bool vptr__pack_pays(const vptr__device *device, const vptr__pitched_endpoint *to, const vptr__pitched_endpoint *from,
                     const size_t region[3]);

/* A rect under way that goes by the device's own command. */
typedef struct vptr__pack_trial {
  struct vptr__pack *pack; /* NULL: nobody learns from it */
  struct vptr__pack_class *of;
  uint64_t began; /* 0: it is not timed */
  bool to_device;
} vptr__pack_trial;

/* Copies a rect that may be worth it between held endpoints, in the order of a stream of the device's mapper; blocks
 * until done. true: *status_out is what became of it; OPENCL, and what else the device's commands say. false: the
 * caller copies it by the device's own command, and hands the outcome to vptr__pack_end(). */
bool vptr__pack_copy(vptr__stream *stream, const vptr__pitched_endpoint *to, const vptr__pitched_endpoint *from,
                     const size_t region[3], vptr__pack_trial *trial_out, vptr_status *status_out);

/* The command is over, and was waited for. Returns its status, or that of earlier work of the stream. */
vptr_status vptr__pack_end(const vptr__pack_trial *trial, vptr__stream *stream, const size_t region[3],
                           vptr_status status);

#endif
