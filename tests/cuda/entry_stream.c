/* SPDX-License-Identifier: MIT */
/* entry_stream - rows of the runtime: streams and events. */
#include "entry.h"

static int calls;

static void CUDART_CB count_call(void *context) {
  (void)context;
  calls++;
}

static void CUDART_CB count_status(cudaStream_t stream, cudaError_t status, void *context) {
  (void)stream, (void)context;
  calls += status == cudaSuccess;
}

static int was_called(cudaStream_t stream, int times) {
  return cudaStreamSynchronize(stream) == cudaSuccess && calls == times;
}

static void made(cudaStream_t *stream) {
  cudaStream_t brief = NULL;
  ENTRY(cudaStreamCreate, (&brief), cudaSuccess, brief != NULL, (NULL), cudaErrorInvalidValue);
  ENTRY(cudaStreamDestroy, (brief), cudaSuccess, 1, (NULL), cudaErrorInvalidResourceHandle);
  ENTRY(cudaStreamCreateWithFlags, (&brief, cudaStreamDefault), cudaSuccess, cudaStreamDestroy(brief) == cudaSuccess,
        (&brief, 99), cudaErrorInvalidValue);
  ENTRY(cudaStreamCreateWithPriority, (stream, cudaStreamNonBlocking, 0), cudaSuccess, *stream != NULL,
        (&brief, 99, 0), cudaErrorInvalidValue);
}

static void asked(cudaStream_t stream) {
  unsigned flags = 99;
  int priority = 99, device = 99;
  vptr_unsigned_long_long id = 0, legacy = 0;
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  ENTRY(cudaStreamGetFlags, (stream, &flags), cudaSuccess, flags == cudaStreamNonBlocking, (stream, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaStreamGetPriority, (stream, &priority), cudaSuccess, priority == 0, (stream, NULL),
        cudaErrorInvalidValue);
  NEED(cudaStreamGetId(NULL, &legacy) == cudaSuccess);
  ENTRY(cudaStreamGetId, (stream, &id), cudaSuccess, id != legacy, (stream, NULL), cudaErrorInvalidValue);
  ENTRY(cudaStreamGetDevice, (stream, &device), cudaSuccess, device == 0, (stream, NULL), cudaErrorInvalidValue);
  ENTRY(cudaStreamIsCapturing, (stream, &status), cudaSuccess, status == cudaStreamCaptureStatusNone, (stream, NULL),
        cudaErrorInvalidValue);
}

static void events(cudaStream_t stream) {
  cudaEvent_t begun = NULL, done = NULL;
  float ms = -1;
  ENTRY(cudaEventCreate, (&begun), cudaSuccess, begun != NULL, (NULL), cudaErrorInvalidValue);
  ENTRY(cudaEventCreateWithFlags, (&done, cudaEventBlockingSync), cudaSuccess, done != NULL, (&done, 99),
        cudaErrorInvalidValue);
  ENTRY(cudaEventRecord, (begun, stream), cudaSuccess, 1, (NULL, stream), cudaErrorInvalidResourceHandle);
  ENTRY(cudaStreamWaitEvent, (stream, begun, 0), cudaSuccess, 1, (stream, NULL, 0), cudaErrorInvalidResourceHandle);
  ENTRY(cudaEventRecordWithFlags, (done, stream, cudaEventRecordDefault), cudaSuccess, 1, (done, stream, 99),
        cudaErrorInvalidValue);
  ENTRY(cudaEventSynchronize, (done), cudaSuccess, 1, (NULL), cudaErrorInvalidResourceHandle);
  ENTRY(cudaEventQuery, (done), cudaSuccess, 1, (NULL), cudaErrorInvalidResourceHandle);
  ENTRY(cudaEventElapsedTime, (&ms, begun, done), cudaSuccess, ms >= 0, (NULL, begun, done), cudaErrorInvalidValue);
  ms = -1;
  ENTRY(cudaEventElapsedTime_v2, (&ms, begun, done), cudaSuccess, ms >= 0, (&ms, NULL, done),
        cudaErrorInvalidResourceHandle);
  ENTRY(cudaEventDestroy, (begun), cudaSuccess, cudaEventDestroy(done) == cudaSuccess, (NULL),
        cudaErrorInvalidResourceHandle);
}

void entry_runtime_stream(void) {
  cudaStream_t stream = NULL;
  made(&stream);
  asked(stream);
  ENTRY(cudaLaunchHostFunc, (stream, count_call, NULL), cudaSuccess, was_called(stream, 1), (stream, NULL, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaStreamAddCallback, (stream, count_status, NULL, 0), cudaSuccess, was_called(stream, 2),
        (stream, count_status, NULL, 1), cudaErrorInvalidValue);
  ENTRY(cudaStreamSynchronize, (stream), cudaSuccess, 1, (NULL), cudaSuccess);
  ENTRY(cudaStreamQuery, (stream), cudaSuccess, 1, (NULL), cudaSuccess);
  events(stream);
  NEED(cudaStreamDestroy(stream) == cudaSuccess);
}
