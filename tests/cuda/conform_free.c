/* SPDX-License-Identifier: MIT */
/*
 * conform_free - what is freed while work is in flight: cudaFree(), cudaFreeHost() and cudaFreeArray() return when the
 * device's work is done, whichever stream has it and whatever it uses; cudaFreeAsync() returns at once.
 *
 * Work is setting memory over and over, and an event behind it tells whether it is done.
 */
#include "conform.h"

#include <string.h>
#include <unistd.h>

enum { SIZE = 16 << 20, TIMES = 40, SMALL = 4096 };

static unsigned char *worked_on;
static cudaEvent_t event;

static void send_work(cudaStream_t stream) {
  for (int i = 0; i < TIMES; i++)
    conform_true(cudaMemsetAsync(worked_on, i, SIZE, stream) == cudaSuccess);
  conform_succeed(cudaEventRecord(event, stream));
}

/* ---- who waits ------------------------------------------------------------------------------------------ */

static void freeing_device_memory_waits(cudaStream_t stream) {
  void *small = NULL, *large = NULL;
  conform_succeed(cudaMalloc(&small, SMALL));
  conform_succeed(cudaMalloc(&large, SIZE));
  send_work(stream);
  conform_succeed(cudaFree(small));
  conform_succeed(cudaEventQuery(event));
  send_work(stream);
  conform_succeed(cudaFree(large));
  conform_succeed(cudaEventQuery(event));
  conform_succeed(cudaStreamQuery(stream));
}

static void freeing_pinned_memory_waits(cudaStream_t stream) {
  void *small = NULL, *large = NULL;
  conform_succeed(cudaMallocHost(&small, SMALL));
  conform_succeed(cudaMallocHost(&large, SIZE));
  send_work(stream);
  conform_succeed(cudaFreeHost(small));
  conform_succeed(cudaEventQuery(event));
  send_work(stream);
  conform_succeed(cudaFreeHost(large));
  conform_succeed(cudaEventQuery(event));
}

static void freeing_an_array_waits(cudaStream_t stream) {
  struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array = NULL;
  conform_succeed(cudaMallocArray(&array, &desc, 64, 64, 0));
  send_work(stream);
  conform_succeed(cudaFreeArray(array));
  conform_succeed(cudaEventQuery(event));
}

static void freeing_managed_memory_waits(cudaStream_t stream) {
  void *managed = NULL;
  conform_succeed(cudaMallocManaged(&managed, SMALL, cudaMemAttachGlobal));
  send_work(stream);
  conform_succeed(cudaFree(managed));
  conform_succeed(cudaEventQuery(event));
}

static void every_free_waits(cudaStream_t stream) {
  freeing_device_memory_waits(stream);
  freeing_pinned_memory_waits(stream);
  freeing_an_array_waits(stream);
  freeing_managed_memory_waits(stream);
}

/* ---- who does not --------------------------------------------------------------------------------------- */

static int gate_open;

static void CUDART_CB wait_at_gate(void *unused) {
  (void)unused;
  while (!__atomic_load_n(&gate_open, __ATOMIC_ACQUIRE))
    usleep(50);
}

/* The gate is not open before the call is over. */
static void a_free_in_a_stream_does_not_wait(void) {
  cudaStream_t stream;
  void *pooled = NULL;
  conform_succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  conform_succeed(cudaMallocAsync(&pooled, SMALL, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaLaunchHostFunc(stream, wait_at_gate, NULL));
  conform_succeed(cudaFreeAsync(pooled, stream));
  conform_not_ready(cudaStreamQuery(stream));
  __atomic_store_n(&gate_open, 1, __ATOMIC_RELEASE);
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaStreamDestroy(stream));
}

/* A call of CUDA's own inside of a host function is an error, not a lock that nobody opens. */
static void *to_free, *pinned_to_free;
static cudaError_t freed, freed_pinned;

static void CUDART_CB free_from_host(void *unused) {
  (void)unused;
  freed = cudaFree(to_free);
  freed_pinned = cudaFreeHost(pinned_to_free);
}

static void host_functions_free_nothing(void) {
  conform_succeed(cudaMalloc(&to_free, SMALL));
  conform_succeed(cudaMallocHost(&pinned_to_free, SMALL));
  conform_succeed(cudaLaunchHostFunc(NULL, free_from_host, NULL));
  conform_succeed(cudaDeviceSynchronize());
  conform_true(freed == cudaErrorNotPermitted && freed_pinned == cudaErrorNotPermitted);
  conform_succeed(cudaFree(to_free));
  conform_succeed(cudaFreeHost(pinned_to_free));
}

int main(void) {
  cudaStream_t blocking, other;
  conform_succeed(cudaMalloc((void **)&worked_on, SIZE));
  conform_succeed(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  every_free_waits(NULL);
  conform_succeed(cudaStreamCreate(&blocking));
  every_free_waits(blocking);
  conform_succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  every_free_waits(other);
  a_free_in_a_stream_does_not_wait();
  host_functions_free_nothing();
  conform_succeed(cudaStreamDestroy(blocking));
  conform_succeed(cudaStreamDestroy(other));
  conform_succeed(cudaEventDestroy(event));
  conform_succeed(cudaFree(worked_on));
  return conform_done("conform_free");
}
