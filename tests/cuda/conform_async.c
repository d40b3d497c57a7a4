/* SPDX-License-Identifier: MIT */
/* conform_async - copies and settings on streams: what they wait for, in which order they happen, what they refuse. */
#include "conform.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 1 << 20, LITTLE = 1 << 16, ROW = 1024 };

static unsigned char host[SIZE], seen[SIZE];
static unsigned char *device[2], *pinned;
static cudaStream_t stream, other;

/* ---- a stream that stands still ------------------------------------------------------------------------- */

static atomic_int gate_open;

static void CUDART_CB wait_at_gate(void *unused) {
  (void)unused;
  while (!atomic_load(&gate_open))
    usleep(100);
}

static void close_gate(void) {
  atomic_store(&gate_open, 0);
  conform_succeed(cudaLaunchHostFunc(stream, wait_at_gate, NULL));
}

static void open_gate(void) {
  conform_not_ready(cudaStreamQuery(stream));
  atomic_store(&gate_open, 1);
  conform_succeed(cudaStreamSynchronize(stream));
}

static int all_are(const unsigned char *bytes, size_t size, unsigned char value) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i] != value)
      return 0;
  return 1;
}

/* ---- waiting -------------------------------------------------------------------------------------------- */

static void nobody_waits_for_device_and_pinned_memory(void) {
  memset(pinned, 3, SIZE);
  close_gate();
  conform_succeed(cudaMemcpyAsync(device[0], pinned, SIZE, cudaMemcpyHostToDevice, stream));
  conform_succeed(cudaMemcpyAsync(device[1], device[0], SIZE, cudaMemcpyDeviceToDevice, stream));
  conform_succeed(cudaMemsetAsync(device[1], 4, SIZE / 2, stream));
  conform_succeed(cudaMemset2DAsync(device[1], ROW, 5, ROW / 2, 10, stream));
  conform_succeed(
      cudaMemset3DAsync(make_cudaPitchedPtr(device[1], ROW, ROW, 10), 6, make_cudaExtent(1, 2, 3), stream));
  conform_succeed(cudaMemcpyAsync(pinned, device[1], SIZE, cudaMemcpyDeviceToHost, stream));
  conform_true(pinned[0] == 3);
  open_gate();
  int wrong = 0;
  for (int i = 0; i < SIZE; i++) {
    int x = i % ROW, y = i / ROW;
    int wanted = x == 0 && y < 30 && y % 10 < 2 ? 6 : x < ROW / 2 && y < 10 ? 5 : i < SIZE / 2 ? 4 : 3;
    wrong += pinned[i] != wanted;
  }
  conform_true(wrong == 0);
}

static void a_little_pageable_memory_is_free_at_once(void) {
  memset(host, 7, LITTLE);
  close_gate();
  conform_succeed(cudaMemcpyAsync(device[0], host, 1000, cudaMemcpyHostToDevice, stream));
  memset(host, 8, LITTLE);
  open_gate();
  conform_succeed(cudaMemcpy(seen, device[0], 1000, cudaMemcpyDeviceToHost));
  conform_true(all_are(seen, 1000, 7));
}

static void pageable_memory_is_free_or_there_on_return(void) {
  memset(host, 9, SIZE);
  conform_succeed(cudaMemcpyAsync(device[0], host, SIZE, cudaMemcpyHostToDevice, stream));
  memset(host, 10, SIZE);
  memset(seen, 0, SIZE);
  conform_succeed(cudaMemcpyAsync(seen, device[0], SIZE, cudaMemcpyDeviceToHost, stream));
  conform_true(all_are(seen, SIZE, 9));
  conform_succeed(cudaMemcpyAsync(seen, host, SIZE, cudaMemcpyHostToHost, stream));
  conform_true(all_are(seen, SIZE, 10));
}

/* ---- order ---------------------------------------------------------------------------------------------- */

/* Whoever has the bytes of a copy that blocks need not ask twice whether the work before it is done. */
static void a_blocking_copy_leaves_its_stream_ready(void) {
  unsigned char row[4 * 16];
  cudaEvent_t event;
  conform_succeed(cudaEventCreate(&event));
  for (int i = 0; i < 25; i++) {
    conform_succeed(cudaMemsetAsync(device[0], i, SIZE, NULL));
    conform_succeed(cudaMemcpy(row, device[0], 4, cudaMemcpyDeviceToHost));
    conform_succeed(cudaStreamQuery(NULL));
    conform_succeed(cudaMemsetAsync(device[0], i, SIZE, NULL));
    conform_succeed(cudaEventRecord(event, NULL));
    conform_succeed(cudaMemcpy2D(row, 4, device[0], ROW, 4, 16, cudaMemcpyDeviceToHost));
    conform_succeed(cudaEventQuery(event));
    conform_succeed(cudaStreamQuery(NULL));
    conform_succeed(cudaMemsetAsync(device[0], i, SIZE, stream));
    conform_succeed(cudaMemcpyAsync(row, device[0], 4, cudaMemcpyDeviceToHost, stream));
    conform_succeed(cudaStreamQuery(stream));
  }
  conform_succeed(cudaEventDestroy(event));
}

static void a_blocking_copy_leaves_what_it_waited_for_ready(void) {
  unsigned char some[4];
  cudaEvent_t event;
  conform_succeed(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (int i = 0; i < 25; i++) {
    conform_succeed(cudaMemsetAsync(device[0], i, SIZE, other));
    conform_succeed(cudaEventRecord(event, other));
    conform_succeed(cudaMemcpy(some, device[0], sizeof some, cudaMemcpyDeviceToHost));
    conform_succeed(cudaEventQuery(event));
    conform_succeed(cudaStreamQuery(other));
    conform_succeed(cudaStreamQuery(NULL));
  }
  conform_succeed(cudaEventDestroy(event));
}

static void an_event_orders_two_streams(void) {
  cudaEvent_t event;
  conform_succeed(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  conform_succeed(cudaMemset(device[0], 0, SIZE));
  conform_succeed(cudaDeviceSynchronize());
  close_gate();
  conform_succeed(cudaMemsetAsync(device[0], 11, SIZE, stream));
  conform_succeed(cudaEventRecord(event, stream));
  conform_succeed(cudaStreamWaitEvent(other, event, 0));
  conform_succeed(cudaMemcpyAsync(pinned, device[0], SIZE, cudaMemcpyDeviceToHost, other));
  open_gate();
  conform_succeed(cudaStreamSynchronize(other));
  conform_true(all_are(pinned, SIZE, 11));
  conform_succeed(cudaEventDestroy(event));
}

/* A synchronous call comes after the work of blocking streams; the copy into the device, before what they do next. */
static void calls_without_a_stream_are_the_legacy_stream_s(void) {
  for (int i = 0; i < 20; i++) {
    conform_succeed(cudaMemsetAsync(device[0], i, SIZE, other));
    conform_succeed(cudaMemcpy(seen, device[0], SIZE, cudaMemcpyDeviceToHost));
    conform_true(seen[0] == i && seen[SIZE - 1] == i);
    conform_succeed(cudaMemset(device[0], 100 + i, SIZE));
    conform_succeed(cudaMemcpyAsync(pinned, device[0], SIZE, cudaMemcpyDeviceToHost, other));
    conform_succeed(cudaStreamSynchronize(other));
    conform_true(pinned[0] == 100 + i && pinned[SIZE - 1] == 100 + i);
  }
}

static void calls_without_a_stream_do_not_wait_for_non_blocking_ones(void) {
  close_gate();
  conform_succeed(cudaMemcpy(seen, device[0], 1000, cudaMemcpyDeviceToHost));
  conform_succeed(cudaMemcpy(device[0], seen, 1000, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemset(device[0], 1, 1000));
  open_gate();
}

static void the_default_streams_have_handles(void) {
  conform_succeed(cudaMemsetAsync(device[0], 21, 100, 0));
  conform_succeed(cudaMemsetAsync(device[0] + 1, 22, 99, cudaStreamLegacy));
  conform_succeed(cudaMemcpyAsync(seen, device[0], 100, cudaMemcpyDeviceToHost, cudaStreamLegacy));
  conform_true(seen[0] == 21 && all_are(seen + 1, 99, 22));
  conform_succeed(cudaMemsetAsync(device[0], 23, 100, cudaStreamPerThread));
  conform_succeed(cudaMemcpyAsync(seen, device[0], 100, cudaMemcpyDeviceToHost, cudaStreamPerThread));
  conform_true(all_are(seen, 100, 23));
}

static void rects_on_a_stream(void) {
  for (int i = 0; i < SIZE; i++)
    host[i] = (unsigned char)(i * 5 + i / ROW);
  memset(seen, 0xee, SIZE);
  conform_succeed(cudaMemcpy2DAsync(device[0], 2048, host, ROW, 1000, 300, cudaMemcpyHostToDevice, stream));
  struct cudaMemcpy3DParms p;
  memset(&p, 0, sizeof p);
  p.srcPtr = make_cudaPitchedPtr(device[0], 2048, 1000, 30);
  p.dstPtr = make_cudaPitchedPtr(seen, ROW, 1000, 30);
  p.extent = make_cudaExtent(1000, 30, 10);
  p.kind = cudaMemcpyDeviceToHost;
  conform_succeed(cudaMemcpy3DAsync(&p, stream));
  int wrong = 0;
  for (int i = 0; i < ROW * 300; i++)
    wrong += seen[i] != (i % ROW < 1000 ? host[i] : 0xee);
  conform_true(wrong == 0);
  conform_succeed(cudaMemcpyPeerAsync(device[1], 0, device[0], 0, SIZE, stream));
  conform_succeed(cudaMemcpyAsync(seen, device[1], 1000, cudaMemcpyDeviceToHost, stream));
  conform_true(memcmp(seen, host, 1000) == 0);
}

/* ---- refusals ------------------------------------------------------------------------------------------- */

static void refusals_are_those_of_the_synchronous_calls(void) {
  conform_expect(cudaErrorInvalidValue, cudaMemcpyAsync(NULL, host, 8, cudaMemcpyHostToDevice, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemcpyAsync(device[0], NULL, 8, cudaMemcpyHostToDevice, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemcpyAsync(host, seen, 8, cudaMemcpyHostToDevice, stream));
  conform_expect(cudaErrorInvalidMemcpyDirection,
                 cudaMemcpyAsync(device[0], host, 8, (enum cudaMemcpyKind)9, stream));
  conform_expect(cudaErrorInvalidPitchValue,
                 cudaMemcpy2DAsync(device[0], 9, host, 20, 10, 2, cudaMemcpyHostToDevice, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3DAsync(NULL, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemsetAsync(NULL, 1, 8, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemsetAsync(host, 1, 8, stream));
  conform_expect(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(device[0], 9999, device[1], 0, 8, stream));
  conform_succeed(cudaMemcpyAsync(NULL, NULL, 0, cudaMemcpyDefault, stream));
  conform_succeed(cudaMemsetAsync(NULL, 1, 0, stream));
  conform_succeed(cudaMemset2DAsync(device[0], 10, 1, 0, 10, stream));
}

int main(void) {
  conform_succeed(cudaMalloc((void **)&device[0], SIZE));
  conform_succeed(cudaMalloc((void **)&device[1], SIZE));
  conform_succeed(cudaMallocHost((void **)&pinned, SIZE));
  conform_succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  conform_succeed(cudaStreamCreate(&other));
  nobody_waits_for_device_and_pinned_memory();
  a_little_pageable_memory_is_free_at_once();
  pageable_memory_is_free_or_there_on_return();
  a_blocking_copy_leaves_its_stream_ready();
  a_blocking_copy_leaves_what_it_waited_for_ready();
  an_event_orders_two_streams();
  calls_without_a_stream_are_the_legacy_stream_s();
  calls_without_a_stream_do_not_wait_for_non_blocking_ones();
  the_default_streams_have_handles();
  rects_on_a_stream();
  refusals_are_those_of_the_synchronous_calls();
  conform_succeed(cudaStreamDestroy(stream));
  conform_succeed(cudaStreamDestroy(other));
  conform_succeed(cudaFreeHost(pinned));
  conform_succeed(cudaFree(device[0]));
  conform_succeed(cudaFree(device[1]));
  return conform_done("conform_async");
}
