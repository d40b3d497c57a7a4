/* SPDX-License-Identifier: MIT */
/* entry_memory - rows of the runtime: memory of the device and of the host, and pools. */
#include "entry.h"

static char registered[1 << 16];

static void device_memory(void) {
  void *p = NULL;
  size_t free = 0, total = 0, pitch = 0;
  struct cudaPitchedPtr box = { NULL, 0, 0, 0 };
  ENTRY(cudaMalloc, (&p, BYTES), cudaSuccess, p != NULL && cudaMemset(p, 1, BYTES) == cudaSuccess, (NULL, BYTES),
        cudaErrorInvalidValue);
  ENTRY(cudaFree, (p), cudaSuccess, cudaMemset(p, 1, BYTES) == cudaErrorInvalidValue, (p), cudaErrorInvalidValue);
  ENTRY(cudaMemGetInfo, (&free, &total), cudaSuccess, free > 0 && free <= total, (NULL, NULL), cudaSuccess);
  ENTRY(cudaMallocPitch, (&p, &pitch, 100, 3), cudaSuccess, pitch >= 100, (&p, NULL, 100, 3), cudaErrorInvalidValue);
  NEED(cudaFree(p) == cudaSuccess);
  ENTRY(cudaMalloc3D, (&box, make_cudaExtent(100, 3, 2)), cudaSuccess, box.ptr != NULL && box.pitch >= 100,
        (NULL, make_cudaExtent(100, 3, 2)), cudaErrorInvalidValue);
  NEED(cudaFree(box.ptr) == cudaSuccess);
}

static void host_memory(void) {
  void *p = NULL, *q = NULL, *mapped = NULL;
  unsigned flags = 0;
  struct cudaPointerAttributes attributes = { .type = cudaMemoryTypeDevice };
  ENTRY(cudaMallocHost, (&p, BYTES), cudaSuccess, p != NULL && memset(p, 1, BYTES) == p, (NULL, BYTES),
        cudaErrorInvalidValue);
  ENTRY(cudaHostAlloc, (&q, BYTES, cudaHostAllocMapped), cudaSuccess, q != NULL, (&mapped, BYTES, 0x40000000),
        cudaErrorInvalidValue);
  ENTRY(cudaHostGetFlags, (&flags, q), cudaSuccess, (flags & cudaHostAllocMapped) != 0, (&flags, registered),
        cudaErrorInvalidValue);
  ENTRY(cudaHostGetDevicePointer, (&mapped, q, 0), cudaSuccess, mapped != NULL, (&mapped, registered, 0),
        cudaErrorInvalidValue);
  ENTRY(cudaPointerGetAttributes, (&attributes, p), cudaSuccess, attributes.type == cudaMemoryTypeHost, (NULL, p),
        cudaErrorInvalidValue);
  ENTRY(cudaFreeHost, (p), cudaSuccess, 1, (p), cudaErrorInvalidValue);
  NEED(cudaFreeHost(q) == cudaSuccess);
  ENTRY(cudaHostRegister, (registered, sizeof registered, cudaHostRegisterDefault), cudaSuccess,
        cudaHostGetFlags(&flags, registered) == cudaSuccess, (registered, sizeof registered, cudaHostRegisterDefault),
        cudaErrorHostMemoryAlreadyRegistered);
  ENTRY(cudaHostUnregister, (registered), cudaSuccess, 1, (registered), cudaErrorHostMemoryNotRegistered);
}

static void pools(void) {
  cudaMemPool_t pool = NULL, standard = NULL, now = NULL;
  struct cudaMemPoolProps properties = { .allocType = cudaMemAllocationTypePinned };
  struct cudaMemLocation here = { .type = cudaMemLocationTypeDevice }, nowhere = here;
  struct cudaMemAccessDesc access = { .flags = cudaMemAccessFlagsProtReadWrite };
  enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  cuuint64_t threshold = 12345, got = 0;
  void *p = NULL;
  properties.location = access.location = here;
  nowhere.id = NOT_A_DEVICE;
  ENTRY(cudaMemPoolCreate, (&pool, &properties), cudaSuccess, pool != NULL, (NULL, &properties),
        cudaErrorInvalidValue);
  ENTRY(cudaMemPoolSetAttribute, (pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess, 1,
        (pool, (enum cudaMemPoolAttr)99, &threshold), cudaErrorInvalidValue);
  ENTRY(cudaMemPoolGetAttribute, (pool, cudaMemPoolAttrReleaseThreshold, &got), cudaSuccess, got == threshold,
        (pool, (enum cudaMemPoolAttr)99, &got), cudaErrorInvalidValue);
  ENTRY(cudaMemPoolSetAccess, (pool, &access, 1), cudaSuccess, 1, (pool, NULL, 1), cudaErrorInvalidValue);
  ENTRY(cudaMemPoolGetAccess, (&flags, pool, &here), cudaSuccess, flags == cudaMemAccessFlagsProtReadWrite,
        (NULL, pool, &here), cudaErrorInvalidValue);
  ENTRY(cudaMallocFromPoolAsync, (&p, BYTES, pool, NULL), cudaSuccess, p != NULL, (NULL, BYTES, pool, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaFreeAsync, (p, NULL), cudaSuccess, cudaDeviceSynchronize() == cudaSuccess, (registered, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaMallocAsync, (&p, BYTES, NULL), cudaSuccess, p != NULL && cudaFreeAsync(p, NULL) == cudaSuccess,
        (NULL, BYTES, NULL), cudaErrorInvalidValue);
  ENTRY(cudaMemPoolTrimTo, (pool, 0), cudaSuccess, 1, (NULL, 0), cudaErrorInvalidValue);
  ENTRY(cudaDeviceGetDefaultMemPool, (&standard, 0), cudaSuccess, standard != NULL, (&standard, NOT_A_DEVICE),
        cudaErrorInvalidDevice);
  ENTRY(cudaDeviceSetMemPool, (0, pool), cudaSuccess, 1, (NOT_A_DEVICE, pool), cudaErrorInvalidValue);
  ENTRY(cudaDeviceGetMemPool, (&now, 0), cudaSuccess, now == pool, (&now, NOT_A_DEVICE), cudaErrorInvalidValue);
  ENTRY(cudaMemGetDefaultMemPool, (&now, &here, cudaMemAllocationTypePinned), cudaSuccess, now == standard,
        (&now, &nowhere, cudaMemAllocationTypePinned), cudaErrorInvalidValue);
  ENTRY(cudaMemSetMemPool, (&here, cudaMemAllocationTypePinned, standard), cudaSuccess, 1,
        (&nowhere, cudaMemAllocationTypePinned, standard), cudaErrorInvalidValue);
  now = NULL;
  ENTRY(cudaMemGetMemPool, (&now, &here, cudaMemAllocationTypePinned), cudaSuccess, now == standard,
        (&now, &nowhere, cudaMemAllocationTypePinned), cudaErrorInvalidValue);
  ENTRY(cudaMemPoolDestroy, (pool), cudaSuccess, 1, (NULL), cudaErrorInvalidValue);
}

void entry_runtime_memory(void) {
  device_memory();
  host_memory();
  pools();
}
