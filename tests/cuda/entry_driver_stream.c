/* SPDX-License-Identifier: MIT */
/*
 * entry_driver_stream - rows of the driver's interface: streams, events, words in memory that streams wait for and
 * write.
 */
#include "entry.h"

static int calls;

static void CUDA_CB count_call(void *context) {
  (void)context;
  calls++;
}

static void CUDA_CB count_status(CUstream stream, CUresult status, void *context) {
  (void)stream, (void)context;
  calls += status == CUDA_SUCCESS;
}

static int was_called(CUstream stream, int times) {
  return cuStreamSynchronize(stream) == CUDA_SUCCESS && calls == times;
}

static CUstream made(void) {
  CUstream stream = NULL, brief = NULL;
  ENTRY(cuStreamCreate, (&brief, CU_STREAM_DEFAULT), CUDA_SUCCESS, brief != NULL, (&stream, 99),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuStreamDestroy, (brief), CUDA_SUCCESS, 1, (NULL), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuStreamCreateWithPriority, (&stream, CU_STREAM_NON_BLOCKING, 0), CUDA_SUCCESS, stream != NULL,
        (&brief, 99, 0), CUDA_ERROR_INVALID_VALUE);
  return stream;
}

static void asked(CUstream stream) {
  unsigned flags = 99;
  int priority = 99;
  CUdevice device = 99;
  CUcontext context = NULL, current = NULL;
  vptr_unsigned_long_long id = 0, legacy = 0;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  const CUresult refused = CUDA_ERROR_INVALID_VALUE;
  ENTRY(cuStreamGetFlags, (stream, &flags), CUDA_SUCCESS, flags == CU_STREAM_NON_BLOCKING, (stream, NULL), refused);
  ENTRY(cuStreamGetPriority, (stream, &priority), CUDA_SUCCESS, priority == 0, (stream, NULL), refused);
  NEED(cuStreamGetId(NULL, &legacy) == CUDA_SUCCESS && cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  ENTRY(cuStreamGetId, (stream, &id), CUDA_SUCCESS, id != legacy, (stream, NULL), refused);
  ENTRY(cuStreamGetDevice, (stream, &device), CUDA_SUCCESS, device == 0, (stream, NULL), refused);
  ENTRY(cuStreamGetCtx, (stream, &context), CUDA_SUCCESS, context == current, (stream, NULL), refused);
  ENTRY(cuStreamIsCapturing, (stream, &status), CUDA_SUCCESS, status == CU_STREAM_CAPTURE_STATUS_NONE, (stream, NULL),
        refused);
}

static void events(CUstream stream) {
  CUevent begun = NULL, done = NULL;
  float ms = -1;
  ENTRY(cuEventCreate, (&begun, CU_EVENT_DEFAULT), CUDA_SUCCESS, begun != NULL, (&done, 99),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuEventCreate(&done, CU_EVENT_BLOCKING_SYNC) == CUDA_SUCCESS);
  ENTRY(cuEventRecord, (begun, stream), CUDA_SUCCESS, 1, (NULL, stream), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuStreamWaitEvent, (stream, begun, 0), CUDA_SUCCESS, 1, (stream, NULL, 0), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuEventRecordWithFlags, (done, stream, CU_EVENT_RECORD_DEFAULT), CUDA_SUCCESS, 1, (done, stream, 99),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuEventSynchronize, (done), CUDA_SUCCESS, 1, (NULL), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuEventQuery, (done), CUDA_SUCCESS, 1, (NULL), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuEventElapsedTime, (&ms, begun, done), CUDA_SUCCESS, ms >= 0, (&ms, NULL, done), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuEventDestroy, (begun), CUDA_SUCCESS, cuEventDestroy(done) == CUDA_SUCCESS, (NULL),
        CUDA_ERROR_INVALID_HANDLE);
}

static void words(CUstream stream) {
  CUdeviceptr at = 0;
  cuuint64_t seen = 0;
  CUstreamBatchMemOpParams batch[2] = { { .operation = CU_STREAM_MEM_OP_WRITE_VALUE_32 } };
  NEED(cuMemAlloc(&at, BYTES) == CUDA_SUCCESS && cuMemsetD8(at, 0, BYTES) == CUDA_SUCCESS);
  NEED(cuCtxSynchronize() == CUDA_SUCCESS); /* the set is on another stream, which the words do not wait for */
  ENTRY(cuStreamWriteValue32, (stream, at, 7, 0), CUDA_SUCCESS, 1, (stream, at + 1, 7, 0), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuStreamWaitValue32, (stream, at, 7, CU_STREAM_WAIT_VALUE_EQ), CUDA_SUCCESS,
        cuStreamSynchronize(stream) == CUDA_SUCCESS && cuMemcpyDtoH(&seen, at, 4) == CUDA_SUCCESS && seen == 7,
        (stream, at + 1, 7, CU_STREAM_WAIT_VALUE_EQ), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuStreamWriteValue64, (stream, at, 8, 0), CUDA_SUCCESS, 1, (stream, at + 1, 8, 0), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuStreamWaitValue64, (stream, at, 8, CU_STREAM_WAIT_VALUE_GEQ), CUDA_SUCCESS,
        cuStreamSynchronize(stream) == CUDA_SUCCESS && cuMemcpyDtoH(&seen, at, 8) == CUDA_SUCCESS && seen == 8,
        (stream, at + 1, 8, CU_STREAM_WAIT_VALUE_GEQ), CUDA_ERROR_INVALID_VALUE);
  batch[0].writeValue.address = batch[1].waitValue.address = at;
  batch[0].writeValue.value = batch[1].waitValue.value = 9;
  batch[1].operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  batch[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  ENTRY(cuStreamBatchMemOp, (stream, 2, batch, 0), CUDA_SUCCESS,
        cuStreamSynchronize(stream) == CUDA_SUCCESS && cuMemcpyDtoH(&seen, at, 4) == CUDA_SUCCESS && seen == 9,
        (stream, 1, NULL, 0), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemFree(at) == CUDA_SUCCESS);
}

void entry_driver_stream(void) {
  CUstream stream = made();
  asked(stream);
  ENTRY(cuLaunchHostFunc, (stream, count_call, NULL), CUDA_SUCCESS, was_called(stream, 1), (stream, NULL, NULL),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuStreamAddCallback, (stream, count_status, NULL, 0), CUDA_SUCCESS, was_called(stream, 2),
        (stream, count_status, NULL, 1), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuStreamSynchronize, (stream), CUDA_SUCCESS, 1, (NULL), CUDA_SUCCESS);
  ENTRY(cuStreamQuery, (stream), CUDA_SUCCESS, 1, (NULL), CUDA_SUCCESS);
  events(stream);
  words(stream);
  NEED(cuStreamDestroy(stream) == CUDA_SUCCESS);
}
