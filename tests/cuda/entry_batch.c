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
