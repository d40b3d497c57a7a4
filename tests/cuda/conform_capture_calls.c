/* SPDX-License-Identifier: MIT */
/*
 * conform_capture_calls - which calls may be made while a stream is captured, with which error those are refused that
 * may not, and whether the capture is over by that.
 */
#include "conform.h"

#include <string.h>
#include <sys/mman.h>

enum { BYTES = 4096, REGISTERED = 8192 };

static cudaStream_t captured, other, free_stream; /* the first two wait for the legacy stream */
static cudaEvent_t outside, inside, fresh, shared;
static void *device, *pinned, *managed;
static char *pages;
static cudaArray_t array;
static cudaGraph_t empty;

static void begin(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  conform_succeed(cudaStreamBeginCapture(stream, mode));
  conform_succeed(cudaEventRecord(inside, stream));
}

static void end(cudaStream_t stream, int is_valid) {
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = NULL;
  conform_succeed(cudaStreamIsCapturing(stream, &status));
  conform_true(status == (is_valid ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated));
  conform_expect(is_valid ? cudaSuccess : cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  conform_true((graph != NULL) == is_valid);
  if (graph != NULL)
    conform_succeed(cudaGraphDestroy(graph));
}

/* The call within a capture of its own, which it leaves as it is. */
#define leaves(expected, call)                                                                                       \
  do {                                                                                                               \
    begin(captured, cudaStreamCaptureModeGlobal);                                                                    \
    conform_expect(expected, call);                                                                                  \
    end(captured, 1);                                                                                                \
  } while (0)

/* Or which is invalid then. */
#define invalidates(expected, call)                                                                                  \
  do {                                                                                                               \
    begin(captured, cudaStreamCaptureModeGlobal);                                                                    \
    conform_expect(expected, call);                                                                                  \
    end(captured, 0);                                                                                                \
  } while (0)

#define is_unsafe(call) invalidates(cudaErrorStreamCaptureUnsupported, call)

static void memory_stays_as_it_is(void) {
  const struct cudaChannelFormatDesc bytes = { 8, 0, 0, 0, cudaChannelFormatKindUnsigned };
  void *made = NULL;
  cudaArray_t made_array = NULL;
  size_t pitch = 0;
  is_unsafe(cudaMalloc(&made, 64));
  is_unsafe(cudaMallocPitch(&made, &pitch, 100, 10));
  is_unsafe(cudaMallocHost(&made, 64));
  is_unsafe(cudaHostAlloc(&made, 64, cudaHostAllocMapped));
  is_unsafe(cudaMallocManaged(&made, 64, cudaMemAttachGlobal));
  is_unsafe(cudaMallocAsync(&made, 64, free_stream));
  is_unsafe(cudaMallocArray(&made_array, &bytes, 64, 4, 0));
  conform_true(made == NULL && made_array == NULL);
  is_unsafe(cudaFree(device));
  is_unsafe(cudaFree(NULL));
  is_unsafe(cudaFreeHost(pinned));
  is_unsafe(cudaFreeHost(NULL));
  is_unsafe(cudaFreeArray(array));
  is_unsafe(cudaHostRegister(pages + REGISTERED, 4096, 0));
  is_unsafe(cudaHostUnregister(pages));
  leaves(cudaSuccess, cudaMalloc(&made, 0));
  leaves(cudaErrorInvalidValue, cudaMalloc(NULL, 64));
  conform_succeed(cudaMemset(device, 1, BYTES)); /* it is still there */
}

static void what_is_known_may_be_asked(void) {
  struct cudaPointerAttributes attributes;
  void *address = NULL;
  size_t left, total, limit;
  unsigned flags;
  int priority;
  leaves(cudaSuccess, cudaPointerGetAttributes(&attributes, device));
  leaves(cudaSuccess, cudaMemGetInfo(&left, &total));
  leaves(cudaSuccess, cudaHostGetFlags(&flags, pinned));
  leaves(cudaSuccess, cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  leaves(cudaSuccess, cudaStreamGetPriority(captured, &priority));
  leaves(cudaErrorInvalidValue, cudaHostGetDevicePointer(&address, pinned, 1));
}

static void settings_stay_as_they_are(void) {
  const struct cudaMemLocation here = { cudaMemLocationTypeDevice, 0 };
  is_unsafe(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  is_unsafe(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
  is_unsafe(cudaStreamAttachMemAsync(other, managed, 0, cudaMemAttachGlobal));
  is_unsafe(cudaMemAdvise(managed, BYTES, cudaMemAdviseSetReadMostly, here));
  leaves(cudaSuccess, cudaSetDeviceFlags(0));
  leaves(cudaSuccess, cudaSetDevice(0));
}

static void nobody_waits(void) {
  is_unsafe(cudaDeviceSynchronize());
  is_unsafe(cudaStreamSynchronize(captured));
  is_unsafe(cudaStreamSynchronize(other));
  is_unsafe(cudaStreamSynchronize(free_stream));
  is_unsafe(cudaStreamQuery(other));
  is_unsafe(cudaStreamQuery(free_stream));
  is_unsafe(cudaEventSynchronize(outside));
  is_unsafe(cudaEventQuery(outside));
  is_unsafe(cudaEventQuery(fresh));
  invalidates(cudaErrorStreamCaptureImplicit, cudaStreamSynchronize(NULL));
  invalidates(cudaErrorCapturedEvent, cudaEventQuery(inside));
}

static void events_have_no_time_in_a_capture(void) {
  float ms;
  leaves(cudaSuccess, cudaEventElapsedTime(&ms, outside, outside));
  leaves(cudaErrorCapturedEvent, cudaEventElapsedTime(&ms, outside, inside));
  leaves(cudaErrorCapturedEvent, cudaEventElapsedTime(&ms, inside, outside));
}

static void graphs_are_instantiated_outside(void) {
  cudaGraphExec_t exec = NULL;
  is_unsafe(cudaGraphInstantiate(&exec, empty, 0));
  is_unsafe(cudaGraphInstantiate(NULL, empty, 0));
  conform_true(exec == NULL);
  conform_succeed(cudaGraphInstantiate(&exec, empty, 0));
  is_unsafe(cudaGraphExecDestroy(exec));
  leaves(cudaSuccess, cudaGraphLaunch(exec, free_stream));
  leaves(cudaSuccess, cudaGraphExecUpdate(exec, empty, &(cudaGraphExecUpdateResultInfo){ 0 }));
  conform_succeed(cudaGraphExecDestroy(exec));
}

static void streams_wait_for_what_was_recorded(void) {
  leaves(cudaSuccess, cudaStreamWaitEvent(captured, fresh, 0));
  leaves(cudaErrorStreamCaptureUnsupported, cudaEventRecord(shared, captured));
  invalidates(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(captured, outside, 0));
}

static void other_streams_go_on(void) {
  cudaStream_t made = NULL;
  cudaEvent_t event = NULL;
  leaves(cudaSuccess, cudaMemsetAsync(device, 1, BYTES, other));
  leaves(cudaSuccess, cudaMemsetAsync(device, 1, BYTES, free_stream));
  leaves(cudaSuccess, cudaStreamCreate(&made));
  leaves(cudaSuccess, cudaStreamDestroy(made));
  leaves(cudaSuccess, cudaEventCreate(&event));
  leaves(cudaSuccess, cudaEventRecord(event, free_stream));
  leaves(cudaSuccess, cudaEventDestroy(event));
}

static void wrong_arguments_change_nothing(void) {
  leaves(cudaErrorInvalidMemcpyDirection, cudaMemcpyAsync(device, pinned, 64, (enum cudaMemcpyKind)9, captured));
  leaves(cudaErrorInvalidPitchValue,
         cudaMemcpy2DAsync(device, 64, pinned, 64, 65, 4, cudaMemcpyHostToDevice, captured));
  leaves(cudaErrorInvalidValue, cudaLaunchHostFunc(captured, NULL, NULL));
}

/* Where the legacy stream does not wait for what is captured, it copies as ever: a copy is not unsafe. */
static void copies_are_safe(void) {
  char bytes[64] = { 1 };
  begin(free_stream, cudaStreamCaptureModeThreadLocal);
  conform_succeed(cudaMemcpy(device, bytes, sizeof bytes, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy(bytes, device, sizeof bytes, cudaMemcpyDeviceToHost));
  conform_succeed(cudaMemcpy2D(device, 64, bytes, 16, 16, 4, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemset(device, 0, BYTES));
  end(free_stream, 1);
  begin(free_stream, cudaStreamCaptureModeThreadLocal);
  conform_expect(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(NULL));
  end(free_stream, 0);
}

static void a_relaxed_capture_forbids_none_of_it(void) {
  void *made = NULL;
  begin(captured, cudaStreamCaptureModeRelaxed);
  conform_succeed(cudaMalloc(&made, 64));
  conform_succeed(cudaFree(made));
  conform_succeed(cudaMallocHost(&made, 64));
  conform_succeed(cudaFreeHost(made));
  conform_succeed(cudaHostRegister(pages + REGISTERED, 4096, 0));
  conform_succeed(cudaHostUnregister(pages + REGISTERED));
  conform_succeed(cudaStreamSynchronize(free_stream));
  conform_succeed(cudaEventSynchronize(outside));
  conform_succeed(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  end(captured, 1);
}

static void prepare(void) {
  const struct cudaChannelFormatDesc bytes = { 8, 0, 0, 0, cudaChannelFormatKindUnsigned };
  conform_succeed(cudaGraphCreate(&empty, 0));
  conform_succeed(cudaStreamCreate(&captured));
  conform_succeed(cudaStreamCreate(&other));
  conform_succeed(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking));
  conform_succeed(cudaEventCreate(&outside));
  conform_succeed(cudaEventCreate(&inside));
  conform_succeed(cudaEventCreate(&fresh));
  conform_succeed(cudaEventCreateWithFlags(&shared, cudaEventInterprocess | cudaEventDisableTiming));
  conform_succeed(cudaMalloc(&device, BYTES));
  conform_succeed(cudaMallocHost(&pinned, BYTES));
  conform_succeed(cudaMallocManaged(&managed, BYTES, cudaMemAttachGlobal));
  conform_succeed(cudaMallocArray(&array, &bytes, 64, 4, 0));
  pages = mmap(NULL, 2 * REGISTERED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(pages, 0, 2 * REGISTERED);
  conform_succeed(cudaHostRegister(pages, REGISTERED, 0));
  conform_succeed(cudaEventRecord(outside, free_stream));
  conform_succeed(cudaDeviceSynchronize());
}

static void release(void) {
  conform_succeed(cudaHostUnregister(pages));
  munmap(pages, 2 * REGISTERED);
  conform_succeed(cudaFreeArray(array));
  conform_succeed(cudaFree(managed));
  conform_succeed(cudaFreeHost(pinned));
  conform_succeed(cudaFree(device));
  conform_succeed(cudaGraphDestroy(empty));
  conform_succeed(cudaEventDestroy(shared));
  conform_succeed(cudaEventDestroy(fresh));
  conform_succeed(cudaEventDestroy(inside));
  conform_succeed(cudaEventDestroy(outside));
  conform_succeed(cudaStreamDestroy(free_stream));
  conform_succeed(cudaStreamDestroy(other));
  conform_succeed(cudaStreamDestroy(captured));
}

int main(void) {
  prepare();
  memory_stays_as_it_is();
  what_is_known_may_be_asked();
  settings_stay_as_they_are();
  nobody_waits();
  events_have_no_time_in_a_capture();
  graphs_are_instantiated_outside();
  streams_wait_for_what_was_recorded();
  other_streams_go_on();
  wrong_arguments_change_nothing();
  copies_are_safe();
  a_relaxed_capture_forbids_none_of_it();
  release();
  return conform_done("conform_capture_calls");
}
