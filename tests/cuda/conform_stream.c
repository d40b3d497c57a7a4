/* SPDX-License-Identifier: MIT */
/*
 * conform_stream - streams: handles, order, waiting, host functions.
 *
 * A gate is a host function that waits to be opened: what is behind it in its stream is pending until then.
 */
#include "conform.h"

#include <cuda_profiler_api.h>

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 4096 };

typedef struct gate {
  int reached, opened;
} gate;

static void CUDART_CB wait_at_gate(void *context) {
  gate *gate = context;
  __atomic_store_n(&gate->reached, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&gate->opened, __ATOMIC_ACQUIRE))
    usleep(50);
}

static void shut(gate *gate, cudaStream_t stream) {
  memset(gate, 0, sizeof *gate);
  conform_succeed(cudaLaunchHostFunc(stream, wait_at_gate, gate));
}

static void open_gate(gate *gate) {
  __atomic_store_n(&gate->opened, 1, __ATOMIC_RELEASE);
}

static void await_reached(gate *gate) {
  while (!__atomic_load_n(&gate->reached, __ATOMIC_ACQUIRE))
    usleep(50);
}

/* ---- handles -------------------------------------------------------------------------------------------- */

static void refuse_bad_arguments(void) {
  cudaStream_t stream = NULL;
  unsigned flags;
  int number;
  unsigned long long id;
  conform_expect(cudaErrorInvalidValue, cudaStreamCreate(NULL));
  conform_expect(cudaErrorInvalidValue, cudaStreamCreateWithFlags(NULL, 0));
  conform_expect(cudaErrorInvalidValue, cudaStreamCreateWithPriority(NULL, 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 2));
  conform_expect(cudaErrorInvalidValue, cudaStreamCreateWithPriority(&stream, 0x80, 0));
  conform_true(stream == NULL);
  conform_expect(cudaErrorInvalidResourceHandle, cudaStreamDestroy(NULL));
  conform_succeed(cudaStreamCreate(&stream));
  conform_expect(cudaErrorInvalidValue, cudaStreamGetFlags(stream, NULL));
  conform_expect(cudaErrorInvalidValue, cudaStreamGetPriority(stream, NULL));
  conform_expect(cudaErrorInvalidValue, cudaStreamGetId(stream, NULL));
  conform_expect(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, NULL, NULL));
  conform_expect(cudaErrorInvalidValue, cudaStreamAddCallback(stream, NULL, NULL, 0));
  conform_expect(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(stream, NULL, 0));
  conform_succeed(cudaStreamDestroy(stream));
  conform_succeed(cudaStreamGetFlags(NULL, &flags));
  conform_succeed(cudaStreamGetPriority(NULL, &number));
  conform_succeed(cudaStreamGetId(NULL, &id));
  printf("observed: legacy stream has flags %u, priority %d, id %llu\n", flags, number, id);
  conform_succeed(cudaStreamGetFlags(cudaStreamPerThread, &flags));
  conform_succeed(cudaStreamGetId(cudaStreamPerThread, &id));
  printf("observed: the thread's own stream has flags %u, id %llu\n", flags, id);
}

static void observe(const char *what, cudaError_t error) {
  printf("observed: %s: %s, last error %s\n", what, cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()));
}

static void report_what_a_stream_is(void) {
  cudaStream_t plain, urgent, clamped;
  int least = 7, greatest = 7, priority, device = -1;
  unsigned flags;
  unsigned long long one, two, again;
  conform_succeed(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  conform_succeed(cudaDeviceGetStreamPriorityRange(NULL, NULL));
  conform_true(least == 0 && greatest <= least);
  printf("observed: priorities %d to %d\n", least, greatest);
  conform_succeed(cudaStreamCreateWithFlags(&plain, cudaStreamNonBlocking));
  conform_succeed(cudaStreamCreateWithPriority(&urgent, cudaStreamDefault, greatest));
  conform_succeed(cudaStreamCreateWithPriority(&clamped, cudaStreamDefault, greatest - 10));
  conform_succeed(cudaStreamGetFlags(plain, &flags));
  conform_true(flags == cudaStreamNonBlocking);
  conform_succeed(cudaStreamGetFlags(urgent, &flags));
  conform_true(flags == cudaStreamDefault);
  conform_succeed(cudaStreamGetPriority(plain, &priority));
  conform_true(priority == 0);
  conform_succeed(cudaStreamGetPriority(urgent, &priority));
  conform_true(priority == greatest);
  conform_succeed(cudaStreamGetPriority(clamped, &priority));
  conform_true(priority == greatest);
  conform_succeed(cudaStreamGetId(plain, &one));
  conform_succeed(cudaStreamGetId(urgent, &two));
  conform_succeed(cudaStreamGetId(plain, &again));
  conform_true(one == again && one != two);
#if CUDART_VERSION >= 12080
  conform_succeed(cudaStreamGetDevice(plain, &device));
  conform_true(device == 0);
  conform_succeed(cudaStreamGetDevice(NULL, &device));
  conform_true(device == 0);
#endif
  conform_succeed(cudaStreamDestroy(plain));
  conform_succeed(cudaStreamDestroy(urgent));
  conform_succeed(cudaStreamDestroy(clamped));
}

/* What is promised of them is nothing; it is good to know what happens. Each ends the program in the worst case, so
 * they come last, and on request. */
static void look_at_dead_handles(void) {
  cudaStream_t stream;
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaStreamDestroy(stream));
  observe("destroying cudaStreamLegacy", cudaStreamDestroy(cudaStreamLegacy));
  observe("destroying cudaStreamPerThread", cudaStreamDestroy(cudaStreamPerThread));
  if (getenv("CONFORM_DEAD_HANDLES") == NULL)
    return;
  fflush(stdout);
  observe("waiting for a destroyed stream", cudaStreamSynchronize(stream));
  observe("destroying a destroyed stream", cudaStreamDestroy(stream));
}

/* ---- waiting -------------------------------------------------------------------------------------------- */

static void idle_streams_are_ready(void) {
  cudaStream_t stream;
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaStreamQuery(stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaStreamSynchronize(NULL));
  conform_succeed(cudaStreamSynchronize(cudaStreamLegacy));
  conform_succeed(cudaStreamSynchronize(cudaStreamPerThread));
  conform_succeed(cudaStreamQuery(NULL));
  conform_succeed(cudaStreamQuery(cudaStreamPerThread));
  conform_succeed(cudaStreamDestroy(stream));
}

static void queries_do_not_wait(void) {
  gate gate;
  cudaStream_t busy, other;
  conform_succeed(cudaStreamCreate(&busy));
  conform_succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  shut(&gate, busy);
  conform_not_ready(cudaStreamQuery(busy));
  observe("query of the legacy stream beside a busy blocking one", cudaStreamQuery(NULL));
  conform_succeed(cudaStreamQuery(other));
  conform_succeed(cudaStreamSynchronize(other));
  open_gate(&gate);
  conform_succeed(cudaStreamSynchronize(busy));
  conform_succeed(cudaStreamQuery(busy));
  conform_succeed(cudaStreamDestroy(busy));
  conform_succeed(cudaStreamDestroy(other));
}

static void destroying_does_not_wait(void) {
  gate gate;
  cudaStream_t stream;
  cudaEvent_t event;
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaEventCreate(&event));
  shut(&gate, stream);
  conform_succeed(cudaEventRecord(event, stream));
  await_reached(&gate);
  conform_succeed(cudaStreamDestroy(stream));
  conform_not_ready(cudaEventQuery(event));
  open_gate(&gate);
  conform_succeed(cudaEventSynchronize(event));
  conform_succeed(cudaEventDestroy(event));
}

static void *open_later(void *context) {
  usleep(20000);
  open_gate(context);
  return NULL;
}

static void open_in_a_while(gate *gate, pthread_t *thread) {
  if (pthread_create(thread, NULL, open_later, gate) != 0)
    open_gate(gate);
}

static void the_device_waits_for_all_streams(void) {
  gate gate;
  pthread_t thread;
  cudaStream_t stream;
  conform_succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  shut(&gate, stream);
  open_in_a_while(&gate, &thread);
  conform_succeed(cudaDeviceSynchronize());
  conform_true(gate.opened == 1);
  conform_succeed(cudaStreamQuery(stream));
  pthread_join(thread, NULL);
  conform_succeed(cudaStreamDestroy(stream));
}

/* ---- order ---------------------------------------------------------------------------------------------- */

static char order[64];

static void CUDART_CB write_down(void *context) {
  const char *letter = context;
  size_t end = strlen(order);
  order[end] = *letter;
}

/* Legacy work comes after earlier work of blocking streams, and before their later work. */
static void the_legacy_stream_comes_between(void) {
  gate gate;
  cudaStream_t one, two;
  conform_succeed(cudaStreamCreate(&one));
  conform_succeed(cudaStreamCreate(&two));
  memset(order, 0, sizeof order);
  shut(&gate, one);
  conform_succeed(cudaLaunchHostFunc(one, write_down, (void *)(uintptr_t) "a"));
  conform_succeed(cudaLaunchHostFunc(NULL, write_down, (void *)(uintptr_t) "b"));
  conform_succeed(cudaLaunchHostFunc(two, write_down, (void *)(uintptr_t) "c"));
  conform_succeed(cudaLaunchHostFunc(cudaStreamLegacy, write_down, (void *)(uintptr_t) "d"));
  conform_succeed(cudaLaunchHostFunc(one, write_down, (void *)(uintptr_t) "e"));
  usleep(2000);
  conform_true(order[0] == 0);
  open_gate(&gate);
  conform_succeed(cudaDeviceSynchronize());
  conform_true(strcmp(order, "abcde") == 0);
  conform_succeed(cudaStreamDestroy(one));
  conform_succeed(cudaStreamDestroy(two));
}

static void a_non_blocking_stream_has_no_order_with_it(void) {
  gate gate;
  cudaStream_t stream;
  void *memory = NULL;
  conform_succeed(cudaMalloc(&memory, BYTES));
  conform_succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  shut(&gate, stream);
  conform_succeed(cudaStreamSynchronize(NULL));
  conform_succeed(cudaStreamQuery(NULL));
  open_gate(&gate);
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaStreamDestroy(stream));
  conform_succeed(cudaFree(memory));
}

static void a_stream_waits_for_an_event(void) {
  gate gate;
  cudaStream_t one, two;
  cudaEvent_t event;
  conform_succeed(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  conform_succeed(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  conform_succeed(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  memset(order, 0, sizeof order);
  shut(&gate, one);
  conform_succeed(cudaLaunchHostFunc(one, write_down, (void *)(uintptr_t) "a"));
  conform_succeed(cudaEventRecord(event, one));
  conform_succeed(cudaStreamWaitEvent(two, event, 0));
  conform_succeed(cudaLaunchHostFunc(two, write_down, (void *)(uintptr_t) "b"));
  conform_expect(cudaErrorInvalidValue, cudaStreamWaitEvent(two, event, 0x100));
  conform_expect(cudaErrorInvalidValue, cudaStreamWaitEvent(two, NULL, 2));
  conform_expect(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(two, NULL, 0));
  conform_expect(cudaErrorIllegalState, cudaStreamWaitEvent(two, event, cudaEventWaitExternal));
  open_gate(&gate);
  conform_succeed(cudaStreamSynchronize(two));
  conform_true(strcmp(order, "ab") == 0);
  conform_succeed(cudaEventDestroy(event));
  conform_succeed(cudaStreamDestroy(one));
  conform_succeed(cudaStreamDestroy(two));
}

/* ---- host functions ------------------------------------------------------------------------------------- */

typedef struct visit {
  pthread_t thread;
  int count;
  cudaStream_t stream;
  cudaError_t status, allocate, wait, create;
} visit;

static void CUDART_CB call_back(cudaStream_t stream, cudaError_t status, void *context) {
  visit *visit = context;
  void *memory = NULL;
  cudaEvent_t event;
  visit->thread = pthread_self();
  visit->stream = stream;
  visit->status = status;
  visit->allocate = cudaMalloc(&memory, BYTES);
  visit->wait = cudaDeviceSynchronize();
  visit->create = cudaEventCreate(&event);
  visit->count++;
}

static void callbacks_are_called_once_elsewhere(void) {
  visit visit;
  cudaStream_t stream;
  memset(&visit, 0, sizeof visit);
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaStreamAddCallback(stream, call_back, &visit, 0));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(visit.count == 1);
  conform_true(visit.stream == stream && visit.status == cudaSuccess);
  conform_true(!pthread_equal(visit.thread, pthread_self()));
  conform_true(visit.allocate == cudaErrorNotPermitted);
  conform_true(visit.wait == cudaErrorNotPermitted);
  conform_true(visit.create == cudaErrorNotPermitted);
  conform_expect(cudaErrorInvalidValue, cudaStreamAddCallback(stream, call_back, &visit, 1));
  conform_succeed(cudaStreamDestroy(stream));
}

/* Outside of a capture, and without a profiler. */
static void nothing_is_captured_or_profiled(void) {
  cudaStream_t stream;
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaStreamIsCapturing(stream, &status));
  conform_true(status == cudaStreamCaptureStatusNone);
  conform_succeed(cudaStreamIsCapturing(NULL, &status));
  conform_true(status == cudaStreamCaptureStatusNone);
  conform_succeed(cudaThreadExchangeStreamCaptureMode(&mode));
  conform_true(mode == cudaStreamCaptureModeGlobal);
  conform_succeed(cudaThreadExchangeStreamCaptureMode(&mode));
  conform_true(mode == cudaStreamCaptureModeRelaxed);
  if (getenv("CONFORM_DEAD_HANDLES") != NULL) { /* NVIDIA's runtime writes to where NULL points */
    conform_expect(cudaErrorInvalidValue, cudaStreamIsCapturing(stream, NULL));
    conform_expect(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(NULL));
    mode = (enum cudaStreamCaptureMode)7; /* which it takes */
    conform_expect(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(&mode));
  }
  conform_succeed(cudaProfilerStart());
  conform_succeed(cudaProfilerStop());
  conform_succeed(cudaProfilerStop());
  conform_succeed(cudaStreamDestroy(stream));
}

int main(void) {
  refuse_bad_arguments();
  nothing_is_captured_or_profiled();
  report_what_a_stream_is();
  idle_streams_are_ready();
  queries_do_not_wait();
  destroying_does_not_wait();
  the_device_waits_for_all_streams();
  the_legacy_stream_comes_between();
  a_non_blocking_stream_has_no_order_with_it();
  a_stream_waits_for_an_event();
  callbacks_are_called_once_elsewhere();
  look_at_dead_handles();
  return conform_done("conform_stream");
}
