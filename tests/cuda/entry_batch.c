/* SPDX-License-Identifier: MIT */
/* entry_batch - rows of the runtime: several operations by one call, attributes of streams, messages of errors. */
#include "entry.h"

#include <stdio.h>
#include <unistd.h>

static cudaStream_t stream;

static void copies(void) {
  unsigned char *device = NULL, host[BYTES];
  struct cudaMemcpyAttributes attributes = { cudaMemcpySrcAccessOrderStream, { 0, 0 }, { 0, 0 }, 0 };
  size_t sizes[] = { BYTES / 2, BYTES / 2 }, first = 0, late = 1;
  NEED(cudaMalloc((void **)&device, BYTES) == cudaSuccess);
  memset(host, 6, BYTES);
  void *to[] = { device, device + BYTES / 2 };
  const void *from[] = { host, host + BYTES / 2 };
  ENTRY(cudaMemcpyBatchAsync, (to, from, sizes, 2, &attributes, &first, 1, stream), cudaSuccess,
        entry_device_holds(device, 6, BYTES), (to, from, sizes, 2, &attributes, &late, 1, stream),
        cudaErrorInvalidValue);
  struct cudaMemcpy3DBatchOp op;
  memset(&op, 0, sizeof op);
  op.src.type = op.dst.type = cudaMemcpyOperandTypePointer;
  op.src.op.ptr.ptr = host;
  op.dst.op.ptr.ptr = device;
  op.extent.width = BYTES;
  op.extent.height = op.extent.depth = 1;
  op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  memset(host, 8, BYTES);
  ENTRY(cudaMemcpy3DBatchAsync, (1, &op, 0, stream), cudaSuccess, entry_device_holds(device, 8, BYTES),
        (1, NULL, 0, stream), cudaErrorInvalidValue);
  NEED(cudaFree(device) == cudaSuccess);
}

static void ranges(void) {
  struct cudaMemLocation host = { cudaMemLocationTypeHost, 0 };
  unsigned char *managed = NULL;
  size_t size = BYTES, first = 0;
  NEED(cudaMallocManaged((void **)&managed, BYTES, cudaMemAttachGlobal) == cudaSuccess);
  void *ptr = managed;
  memset(managed, 2, BYTES);
  ENTRY(cudaMemPrefetchBatchAsync, (&ptr, &size, 1, &host, &first, 1, 0, stream), cudaSuccess,
        entry_host_holds(managed, 2, BYTES), (&ptr, &size, 1, &host, &first, 1, 1, stream), cudaErrorInvalidValue);
  ENTRY(cudaMemDiscardBatchAsync, (&ptr, &size, 1, 0, stream), cudaSuccess, 1, (&ptr, NULL, 1, 0, stream),
        cudaErrorInvalidValue);
  ENTRY(cudaMemDiscardAndPrefetchBatchAsync, (&ptr, &size, 1, &host, &first, 1, 0, stream), cudaSuccess, 1,
        (&ptr, &size, 1, NULL, &first, 1, 0, stream), cudaErrorInvalidValue);
  NEED(cudaStreamSynchronize(stream) == cudaSuccess);
  NEED(cudaFree(managed) == cudaSuccess);
}

static void attributes(void) {
  const cudaStreamAttrID which = cudaStreamAttributeSynchronizationPolicy, none = cudaLaunchAttributeCooperative;
  cudaStreamAttrValue value, seen;
  cudaStream_t other = NULL;
  memset(&value, 0, sizeof value);
  value.syncPolicy = cudaSyncPolicySpin;
  NEED(cudaStreamCreate(&other) == cudaSuccess);
  ENTRY(cudaStreamSetAttribute, (stream, which, &value), cudaSuccess, 1, (stream, none, &value),
        cudaErrorInvalidValue);
  ENTRY(cudaStreamCopyAttributes, (other, stream), cudaSuccess, 1, ((cudaStream_t)&value, stream),
        cudaErrorInvalidResourceHandle);
  ENTRY(cudaStreamGetAttribute, (other, which, &seen), cudaSuccess, seen.syncPolicy == cudaSyncPolicySpin,
        (other, which, NULL), cudaErrorInvalidValue);
  NEED(cudaStreamDestroy(other) == cudaSuccess);
  ENTRY_HOLDS(cudaCtxResetPersistingL2Cache, cudaCtxResetPersistingL2Cache() == cudaSuccess);
}

void entry_batches(void) {
  NEED(cudaStreamCreate(&stream) == cudaSuccess);
  copies();
  ranges();
  attributes();
  NEED(cudaStreamDestroy(stream) == cudaSuccess);
}

/* ---- messages ------------------------------------------------------------------------------------------- */

static void CUDART_CB count_message(void *data, cudaLogLevel level, char *message, size_t length) {
  *(int *)data += level == cudaLogLevelError && strlen(message) == length;
}

void entry_logs(void) {
  cudaLogsCallbackHandle handle = NULL;
  cudaLogIterator now = 0;
  char text[4096] = "", path[64];
  size_t size = sizeof text;
  int told = 0;
  snprintf(path, sizeof path, "/tmp/conform_entry_%ld.log", (long)getpid());
  ENTRY(cudaLogsCurrent, (&now, 0), cudaSuccess, 1, (&now, 1), cudaErrorInvalidValue);
  ENTRY(cudaLogsRegisterCallback, (count_message, &told, &handle), cudaSuccess,
        cudaFree(&told) != cudaSuccess && told == 1, (NULL, &told, &handle), cudaErrorInvalidValue);
  ENTRY(cudaLogsUnregisterCallback, (handle), cudaSuccess, cudaFree(&told) != cudaSuccess && told == 2, (handle),
        cudaErrorInvalidValue);
  ENTRY(cudaLogsDumpToFile, (&now, path, 0), cudaSuccess, remove(path) == 0, (&now, "/no/such/folder/file", 0),
        cudaErrorInvalidValue);
  ENTRY(cudaLogsDumpToMemory, (&now, text, &size, 0), cudaSuccess, strstr(text, "/no/such/folder/file") != NULL,
        (&now, NULL, &size, 0), cudaErrorInvalidValue);
}

/* ---- the driver's names --------------------------------------------------------------------------------- */

static void driver_copies(CUstream own) {
  unsigned char host[BYTES];
  CUdeviceptr device = 0, from = (CUdeviceptr)(size_t)host;
  size_t size = BYTES, first = 0, late = 1;
  CUmemcpyAttributes attributes;
  CUDA_MEMCPY3D_BATCH_OP op;
  memset(&attributes, 0, sizeof attributes);
  memset(&op, 0, sizeof op);
  memset(host, 3, BYTES);
  attributes.srcAccessOrder = op.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  NEED(cuMemAlloc(&device, BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpyBatchAsync, (&device, &from, &size, 1, &attributes, &first, 1, own), CUDA_SUCCESS,
        entry_device_holds((void *)(size_t)device, 3, BYTES), (&device, &from, &size, 1, &attributes, &late, 1, own),
        CUDA_ERROR_INVALID_VALUE);
  op.src.type = op.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  op.src.op.ptr.ptr = from;
  op.dst.op.ptr.ptr = device;
  op.extent.width = BYTES;
  op.extent.height = op.extent.depth = 1;
  memset(host, 4, BYTES);
  ENTRY(cuMemcpy3DBatchAsync, (1, &op, 0, own), CUDA_SUCCESS, entry_device_holds((void *)(size_t)device, 4, BYTES),
        (1, &op, 1, own), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemFree(device) == CUDA_SUCCESS);
}

static void driver_ranges(CUstream own) {
  CUmemLocation host = { CU_MEM_LOCATION_TYPE_HOST, 0 };
  CUdeviceptr managed = 0;
  size_t size = BYTES, first = 0;
  NEED(cuMemAllocManaged(&managed, BYTES, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
  ENTRY(cuMemPrefetchBatchAsync, (&managed, &size, 1, &host, &first, 1, 0, own), CUDA_SUCCESS, 1,
        (&managed, &size, 0, &host, &first, 1, 0, own), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemDiscardBatchAsync, (&managed, &size, 1, 0, own), CUDA_SUCCESS, 1, (&managed, &size, 1, 1, own),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemDiscardAndPrefetchBatchAsync, (&managed, &size, 1, &host, &first, 1, 0, own), CUDA_SUCCESS, 1,
        (&managed, &size, 1, &host, &first, 2, 0, own), CUDA_ERROR_INVALID_VALUE);
  NEED(cuStreamSynchronize(own) == CUDA_SUCCESS);
  NEED(cuMemFree(managed) == CUDA_SUCCESS);
}

static void driver_attributes(CUstream own) {
  CUstreamAttrValue value, seen;
  CUstream other = NULL;
  memset(&value, 0, sizeof value);
  value.syncPolicy = CU_SYNC_POLICY_YIELD;
  NEED(cuStreamCreate(&other, 0) == CUDA_SUCCESS);
  ENTRY(cuStreamSetAttribute, (own, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value), CUDA_SUCCESS, 1,
        (own, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuStreamCopyAttributes, (other, own), CUDA_SUCCESS, 1, ((CUstream)&value, own), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuStreamGetAttribute, (other, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &seen), CUDA_SUCCESS,
        (int)seen.syncPolicy == CU_SYNC_POLICY_YIELD, (other, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, NULL),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY_HOLDS(cuCtxResetPersistingL2Cache, cuCtxResetPersistingL2Cache() == CUDA_SUCCESS);
  NEED(cuStreamDestroy(other) == CUDA_SUCCESS);
}

static void CUDA_CB count_driver_message(void *data, CUlogLevel level, char *message, size_t length) {
  *(int *)data += level == CU_LOG_LEVEL_ERROR && strlen(message) == length;
}

static void driver_logs(void) {
  CUlogsCallbackHandle handle = NULL;
  CUlogIterator now = 0;
  char text[4096] = "", path[64];
  size_t size = sizeof text;
  int told = 0;
  snprintf(path, sizeof path, "/tmp/conform_entry_%ld.log", (long)getpid());
  ENTRY(cuLogsCurrent, (&now, 0), CUDA_SUCCESS, 1, (NULL, 0), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuLogsRegisterCallback, (count_driver_message, &told, &handle), CUDA_SUCCESS,
        cuMemAlloc(NULL, 1) != CUDA_SUCCESS && told == 1, (NULL, &told, &handle), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuLogsUnregisterCallback, (handle), CUDA_SUCCESS, told == 2, (handle), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuLogsDumpToFile, (&now, path, 0), CUDA_SUCCESS, remove(path) == 0, (&now, NULL, 0),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuLogsDumpToMemory, (&now, text, &size, 0), CUDA_SUCCESS, size > 0 && strlen(text) == size,
        (&now, text, NULL, 0), CUDA_ERROR_INVALID_VALUE);
}

void entry_driver_batches(void) {
  CUstream own = NULL;
  NEED(cuStreamCreate(&own, 0) == CUDA_SUCCESS);
  driver_copies(own);
  driver_ranges(own);
  driver_attributes(own);
  driver_logs();
  NEED(cuStreamDestroy(own) == CUDA_SUCCESS);
}
