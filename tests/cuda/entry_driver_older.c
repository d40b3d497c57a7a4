/* SPDX-License-Identifier: MIT */
/*
 * entry_driver_older - rows of the driver's interface: functions by the names that older headers gave them, which
 * cuda.h maps to newer ones; cuGetProcAddress is how programs reach either.
 */
#define CUDA_VERSION 12080
#include "entry.h"

#undef cuDeviceGetUuid
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxSetFlags
#undef cuDevicePrimaryCtxReset
#undef cuCtxDestroy
#undef cuCtxPushCurrent
#undef cuCtxPopCurrent
#undef cuMemHostRegister
#undef cuStreamDestroy
#undef cuEventDestroy
#undef cuEventElapsedTime
#undef cuGetProcAddress
#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64
#undef cuStreamBatchMemOp
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuStreamWaitValue32 cuStreamWaitValue32_ptsz
#define cuStreamWaitValue64 cuStreamWaitValue64_ptsz
#define cuStreamWriteValue32 cuStreamWriteValue32_ptsz
#define cuStreamWriteValue64 cuStreamWriteValue64_ptsz
#define cuStreamBatchMemOp cuStreamBatchMemOp_ptsz
#endif
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned flags);
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuCtxDestroy(CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxPushCurrent(CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxPopCurrent(CUcontext *pctx);
VPTR_CUDA_API CUresult CUDAAPI cuMemHostRegister(void *p, size_t bytesize, unsigned Flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamDestroy(CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuEventDestroy(CUevent hEvent);
VPTR_CUDA_API CUresult CUDAAPI cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd);
VPTR_CUDA_API CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                   unsigned flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                   unsigned flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                    unsigned flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                    unsigned flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamBatchMemOp(CUstream stream, unsigned count,
                                                  CUstreamBatchMemOpParams *paramArray, unsigned flags);

static char registered[1 << 16];

static void devices_and_memory(void) {
  CUuuid uuid = { { 0 } };
  void *function = NULL, *newer = NULL;
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  CUdeviceptr p = 0;
  CUmemLocation host = { CU_MEM_LOCATION_TYPE_HOST, 0 };
  ENTRY(cuDeviceGetUuid, (&uuid, 0), CUDA_SUCCESS, !entry_host_holds(&uuid, 0, sizeof uuid), (&uuid, NOT_A_DEVICE),
        CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuMemHostRegister, (registered, sizeof registered, 0), CUDA_SUCCESS,
        cuMemHostUnregister(registered) == CUDA_SUCCESS, (NULL, sizeof registered, 0), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuGetProcAddress, ("cuInit", &function, 12000, 0), CUDA_SUCCESS, function != NULL,
        (NULL, &function, 12000, 0), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuGetProcAddress_v2, ("cuInit", &newer, 12000, 0, &found), CUDA_SUCCESS,
        newer == function && found == CU_GET_PROC_ADDRESS_SUCCESS, (NULL, &newer, 12000, 0, &found),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
  ENTRY(cuMemAdvise, (p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0), CUDA_SUCCESS, 1,
        (p, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuMemAdvise_v2, (p, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host), CUDA_SUCCESS, 1,
        (p, 4096, (CUmem_advise)99, host), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemPrefetchAsync, (p, 4096, 0, NULL), CUDA_SUCCESS, cuCtxSynchronize() == CUDA_SUCCESS,
        (p, 4096, NOT_A_DEVICE, NULL), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuMemPrefetchAsync_v2, (p, 4096, host, 0, NULL), CUDA_SUCCESS, cuCtxSynchronize() == CUDA_SUCCESS,
        (p, 4096, host, 1, NULL), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemFree(p) == CUDA_SUCCESS);
}

static void streams(void) {
  CUstream stream = NULL;
  CUevent begun = NULL, done = NULL;
  CUdeviceptr at = 0;
  float ms = -1;
  cuuint64_t seen = 0;
  CUstreamBatchMemOpParams batch = { .operation = CU_STREAM_MEM_OP_WRITE_VALUE_32 };
  const CUresult refused = CUDA_ERROR_INVALID_VALUE;
  NEED(cuStreamCreate(&stream, 0) == CUDA_SUCCESS && cuEventCreate(&begun, 0) == CUDA_SUCCESS);
  NEED(cuEventCreate(&done, 0) == CUDA_SUCCESS && cuMemAlloc(&at, BYTES) == CUDA_SUCCESS);
  NEED(cuEventRecord(begun, stream) == CUDA_SUCCESS);
  ENTRY(cuStreamWriteValue32, (stream, at, 7, 0), CUDA_SUCCESS, 1, (stream, at + 1, 7, 0), refused);
  ENTRY(cuStreamWaitValue32, (stream, at, 7, CU_STREAM_WAIT_VALUE_EQ), CUDA_SUCCESS,
        cuStreamSynchronize(stream) == CUDA_SUCCESS && cuMemcpyDtoH(&seen, at, 4) == CUDA_SUCCESS && seen == 7,
        (stream, at + 1, 7, 0), refused);
  ENTRY(cuStreamWriteValue64, (stream, at, 8, 0), CUDA_SUCCESS, 1, (stream, at + 1, 8, 0), refused);
  ENTRY(cuStreamWaitValue64, (stream, at, 8, CU_STREAM_WAIT_VALUE_EQ), CUDA_SUCCESS,
        cuStreamSynchronize(stream) == CUDA_SUCCESS && cuMemcpyDtoH(&seen, at, 8) == CUDA_SUCCESS && seen == 8,
        (stream, at + 1, 8, 0), refused);
  batch.writeValue.address = at;
  batch.writeValue.value = 9;
  ENTRY(cuStreamBatchMemOp, (stream, 1, &batch, 0), CUDA_SUCCESS,
        cuStreamSynchronize(stream) == CUDA_SUCCESS && cuMemcpyDtoH(&seen, at, 4) == CUDA_SUCCESS && seen == 9,
        (stream, 1, NULL, 0), refused);
  NEED(cuEventRecord(done, stream) == CUDA_SUCCESS && cuEventSynchronize(done) == CUDA_SUCCESS);
  ENTRY(cuEventElapsedTime, (&ms, begun, done), CUDA_SUCCESS, ms >= 0, (&ms, NULL, done), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuEventDestroy, (begun), CUDA_SUCCESS, cuEventDestroy(done) == CUDA_SUCCESS, (NULL),
        CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuStreamDestroy, (stream), CUDA_SUCCESS, cuMemFree(at) == CUDA_SUCCESS, (NULL), CUDA_ERROR_INVALID_HANDLE);
}

/* The primary context is reset last of all, and used again. */
static void contexts(void) {
  CUcontext context = NULL, other = NULL, primary = NULL, popped = NULL;
  CUdeviceptr p = 0;
  NEED(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
  ENTRY(cuCtxCreate_v2, (&context, 0, 0), CUDA_SUCCESS, context != NULL, (NULL, 0, 0), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuCtxCreate_v3, (&other, NULL, 0, 0, 0), CUDA_SUCCESS, other != NULL, (&other, NULL, 0, 0, NOT_A_DEVICE),
        CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuCtxPopCurrent, (&popped), CUDA_SUCCESS, popped == other, (NULL), CUDA_SUCCESS);
  ENTRY(cuCtxPushCurrent, (context), CUDA_SUCCESS, 1, (NULL), CUDA_ERROR_INVALID_CONTEXT);
  ENTRY(cuCtxDestroy, (context), CUDA_SUCCESS, cuCtxDestroy(other) == CUDA_SUCCESS, (context),
        CUDA_ERROR_INVALID_CONTEXT);
  ENTRY(cuDevicePrimaryCtxSetFlags, (0, CU_CTX_SCHED_AUTO), CUDA_SUCCESS, 1, (0, 0x40000000),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuCtxSetCurrent(primary) == CUDA_SUCCESS && cuMemAlloc(&p, BYTES) == CUDA_SUCCESS);
  ENTRY(cuDevicePrimaryCtxReset, (0), CUDA_SUCCESS, cuMemFree(p) != CUDA_SUCCESS, (NOT_A_DEVICE),
        CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDevicePrimaryCtxReset_v2, (0), CUDA_SUCCESS, 1, (NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  NEED(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
  ENTRY(cuDevicePrimaryCtxRelease, (0), CUDA_SUCCESS, 1, (NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  NEED(cudaSetDevice(0) == cudaSuccess && cudaFree(NULL) == cudaSuccess);
}

void entry_driver_older(void) {
  devices_and_memory();
  streams();
  contexts();
}
