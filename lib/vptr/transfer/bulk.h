/* SPDX-License-Identifier: MIT */
/*
 * bulk - large copies between pageable host memory and a device whose driver is slow at them.
 *
 * A driver that is given pageable memory copies it through pinned memory of its own, with one thread: 11 to 20 GB/s
 * on an H200, where the bus has 55. Here a pool of threads does the same. The bytes of one copy, which lie in one
 * row on both sides, are the line; a thread takes the next piece of it, copies that into a pinned chunk of its own, has
 * it sent without waiting, and goes on with its second chunk meanwhile; from the device the other way round. Eight
 * threads reach 50 GB/s.
 *
 *     line     | 0 | 1 | 2 | 3 | 4 | 5 | ...            a piece goes to whoever is free
 *     thread 0   copy 0 | copy 3 | ...  | copy 6
 *     thread 1   copy 1 | copy 4 | ...
 *     queue            | send 0 | 1 | 2 | 3 | 4 ...      of the mapper's own, in no order with others
 *
 * The stream has a gate (stream/gate.h) around it, so the line is one command of the stream's like any other.
 *
 * Taken for lines of device->tuning.bulk_bytes and more, if the machine has cores for two threads at least; only where
 * the device says so, since others' drivers, PoCL's first of all, copy at the speed of memory themselves.
 *
 * Memory: 4 MiB of pinned memory for each thread that copies for a mapper, at most 32 MiB, made when the thread first
 * does. A mapper may use one thread more for each four lines of the least length that it was asked to copy, so that a
 * program that copies little pays nothing: its first lines go the driver's way, and count. Given back by vptr_trim(),
 * and when the mapper ends. The processor time is that of one copy more, as in the driver.
 *
 * What leaves a full device and comes back goes so, too (heap/residence.h), and then the pinned memory stays although
 * the device is full.
 *
 * What cannot be had, be it memory, a thread or a queue, is done without; in the end the driver's own way is left.
 * A command that fails ends the copy, and how much of the line has been moved by then is not reported.
 *
 * Threads send their pieces one at a time, under a lock of the mapper's: where two threads meet inside NVIDIA's driver
 * (580) with commands, it wakes a thread of its own, which then polls for as long as the program keeps the device busy,
 * and each launch takes 1.3 to 2 us longer. Waiting for commands at the same time does not wake it.
 *
 * Two lines of one mapper come one after the other: they would share the bus. Thread-safe. Two locks (bulk.c): the
 * static `lock`, of rank LEAF, for whose turn it is; and vptr__bulk.sending, one for each mapper, of rank MAPPING, held
 * while a piece is sent or a chunk is pinned. A thread waits for its turn without holding a lock. Who has the turn
 * waits for the device's transfers alone, and for no stream, because the stream's gate was reached before: so the turn
 * always comes.
 */
#ifndef VPTR_TRANSFER_BULK_H
#define VPTR_TRANSFER_BULK_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/stream.h"
#include "transfer/endpoint.h"

/* Whether a line of so many bytes may be worth a bulk copy. */
static inline bool vptr__bulk_pays(const vptr__device *device, size_t size) {
  return device->tuning.bulk_bytes != 0 && size >= device->tuning.bulk_bytes;
}

/* Copies size bytes between held endpoints, one of which is pageable memory of the host, in the order of a stream of
 * the device's mapper; blocks until done. false: nothing was done, and nothing said; it has to go another way.
 * true: *status_out is SUCCESS, or what failed: OPENCL and what else the device's commands say. Earlier work that
 * failed is not told: vptr__stream_poll_failure(). */
bool vptr__bulk_copy(vptr__stream *stream, const vptr__endpoint *to, const vptr__endpoint *from, size_t size,
                     vptr_status *status_out);

#endif
