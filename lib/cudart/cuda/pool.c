/* SPDX-License-Identifier: MIT */
/*
 * pool - cudaMallocAsync(), cudaFreeAsync() and the pools that they use.
 *
 * A cudaMemPool_t is a vptr__pool's address, and checked before it is followed. A pool belongs to one device and is
 * seen by no other, since OpenCL contexts share no memory; so there is no access to grant, and cudaMemPoolSetAccess()
 * (pool_attribute.c) takes the pool's own device only. Pools cannot be shared with other processes. No data, no locks
 * here: a pool is lib/vptr/pool's, guarded by the `lock` of its mapper's pool allocator, of rank POOL; the list of live
 * ones is pool/pool.c's, with its `live_lock`, of rank LEAF.
 *
 * Called by programs; by pool_attribute.c, which calls vptr__cuda_pool() and vptr__cuda_invalid(); by advice_call.c,
 * batch.c, lacking.c and error_log.c, for the latter; and by driver/pool.c and driver/device.c, which call the
 * public functions, and to allocate those of site.h. An allocation waits for the device where there is no other room,
 * or the stream is another device's; a free only for the stream and the memory's device where these are not one
 * device's, or the memory is an attached buffer; besides, both may wait for the lock of rank POOL, which is held over
 * some waits (pool/reuse.c). To trim and to destroy wait only where the heap, which gets the memory back, has to.
 */
#include "cuda/pool.h"

#include "base/error.h"
#include "cuda/capture_work.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/site.h"
#include "cuda/stream.h"
#include "cuda/thread.h"
#include "device/device.h"

#include <vptr/cuda/cuda_runtime_api.h>

cudaError_t vptr__cuda_invalid(const char *call, const char *what) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, what);
  return cudaErrorInvalidValue;
}

cudaError_t vptr__cuda_pool(const char *call, cudaMemPool_t handle, vptr__pool **pool_out) {
  cudaError_t error = vptr__cuda_permitted();
  if (error == cudaSuccess)
    error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (handle == NULL || !vptr__pool_is_live(handle))
    return vptr__cuda_invalid(call, "the handle is no memory pool: it was destroyed, or never created");
  *pool_out = (vptr__pool *)handle;
  return cudaSuccess;
}

static cudaError_t mapper_of(const char *call, int device, vptr_mapper **mapper_out) {
  cudaError_t error = vptr__cuda_permitted();
  if (error == cudaSuccess)
    error = vptr__cuda_check_ordinal(call, device);
  return error != cudaSuccess ? error : vptr__cuda_from_status(vptr__mapper_for_device(device, mapper_out));
}

/* ---- allocation ----------------------------------------------------------------------------------------- */

/* As cudaMalloc(): NULL where there is no room, and sizes that no device has are a lack of memory. */
static cudaError_t allocate_from_pool(vptr__pool *pool, size_t size, vptr__stream *stream, const void *site,
                                      void **ptr_out) {
  void *ptr = NULL;
  vptr_status status = size > 0 ? vptr__pool_allocate(pool, size, stream, site, &ptr) : VPTR_SUCCESS;
  *ptr_out = ptr;
  return status == VPTR_ERROR_INVALID_SIZE ? cudaErrorMemoryAllocation : vptr__cuda_from_status(status);
}

static cudaError_t allocate_current(void **devPtr, size_t size, cudaStream_t handle, const void *site) {
  if (devPtr == NULL)
    return vptr__cuda_null_output("cudaMallocAsync", "devPtr");
  vptr__stream *stream = vptr__cuda_stream_at_hand(handle);
  cudaError_t error = stream != NULL ? cudaSuccess : vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess && vptr__captures_any() &&
      vptr__cuda_captures_alloc("cudaMallocAsync", size, site, stream, devPtr, &error))
    return error;
  return error != cudaSuccess ? error : allocate_from_pool(NULL, size, stream, site, devPtr);
}

/* For a stream of another device, which may use the memory as soon as the call returns. */
static cudaError_t allocate_abroad(vptr__pool *pool, size_t size, vptr__stream *stream, const void *site,
                                   void **ptr_out) {
  static const char call[] = "cudaMallocFromPoolAsync";
  vptr_mapper *mapper = vptr__pool_mapper(pool);
  vptr__stream *here;
  void *ptr;
  cudaError_t error = vptr__captures_any() ? vptr__capture_refuse(call, stream) : cudaSuccess;
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__stream_legacy(mapper, &here));
  if (error == cudaSuccess)
    error = allocate_from_pool(pool, size, here, site, &ptr);
  if (error != cudaSuccess)
    return error;
  vptr_status status = vptr__stream_synchronize(here);
  if (status == VPTR_SUCCESS)
    *ptr_out = ptr;
  else if (ptr != NULL)
    vptr__pool_free(mapper, ptr, here, call);
  return vptr__cuda_from_status(status);
}

static cudaError_t allocate_from(void **devPtr, size_t size, cudaMemPool_t memPool, cudaStream_t handle,
                                 const void *site) {
  vptr__stream *stream;
  vptr__pool *pool;
  if (devPtr == NULL)
    return vptr__cuda_null_output("cudaMallocFromPoolAsync", "ptr");
  cudaError_t error = vptr__cuda_pool("cudaMallocFromPoolAsync", memPool, &pool);
  if (error == cudaSuccess)
    error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess && vptr__pool_mapper(pool) != vptr__stream_mapper(stream))
    return allocate_abroad(pool, size, stream, site, devPtr);
  if (error == cudaSuccess && vptr__captures_any() &&
      vptr__cuda_captures_alloc("cudaMallocFromPoolAsync", size, site, stream, devPtr, &error))
    return error;
  return error != cudaSuccess ? error : allocate_from_pool(pool, size, stream, site, devPtr);
}

/* A host or wild address is explained by the mapper of the stream's device. */
static cudaError_t free_on_stream(void *ptr, cudaStream_t handle) {
  vptr__stream *stream = vptr__cuda_stream_at_hand(handle);
  cudaError_t error = stream != NULL ? cudaSuccess : vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess && vptr__captures_any() && vptr__cuda_captures_free("cudaFreeAsync", ptr, stream, &error))
    return error;
  if (error != cudaSuccess)
    return error;
  if (ptr == NULL)
    return cudaSuccess;
  vptr_status status;
  if (vptr__graph_memory_any() && vptr__graph_memory_free(ptr, stream, &status))
    return vptr__cuda_from_status(status);
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  if (owner == NULL)
    return vptr__cuda_from_status(
        vptr__mapper_explain(vptr__stream_mapper(stream), VPTR_ERROR_UNKNOWN_ADDRESS, "cudaFreeAsync", ptr, 1));
  return vptr__cuda_from_status(vptr__pool_free(owner, ptr, stream, "cudaFreeAsync"));
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream) {
  return vptr__cuda_record(allocate_current(devPtr, size, hStream, __builtin_return_address(0)));
}

cudaError_t vptr__cuda_malloc_async_at(void **ptr, size_t size, cudaStream_t stream, const void *site) {
  return vptr__cuda_record(allocate_current(ptr, size, stream, site));
}

cudaError_t vptr__cuda_malloc_from_pool_at(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream,
                                           const void *site) {
  return vptr__cuda_record(allocate_from(ptr, size, pool, stream, site));
}

cudaError_t cudaMallocAsync_ptsz(void **devPtr, size_t size, cudaStream_t hStream) {
  cudaStream_t stream = vptr__cuda_own_default(hStream);
  return vptr__cuda_record(allocate_current(devPtr, size, stream, __builtin_return_address(0)));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return vptr__cuda_record(allocate_from(ptr, size, memPool, stream, __builtin_return_address(0)));
}

cudaError_t cudaMallocFromPoolAsync_ptsz(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  cudaStream_t own = vptr__cuda_own_default(stream);
  return vptr__cuda_record(allocate_from(ptr, size, memPool, own, __builtin_return_address(0)));
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream) {
  return vptr__cuda_record(free_on_stream(devPtr, hStream));
}

cudaError_t cudaFreeAsync_ptsz(void *devPtr, cudaStream_t hStream) {
  return cudaFreeAsync(devPtr, vptr__cuda_own_default(hStream));
}

/* ---- life of pools -------------------------------------------------------------------------------------- */

static cudaError_t create_pool(cudaMemPool_t *memPool, const struct cudaMemPoolProps *props) {
  static const char call[] = "cudaMemPoolCreate";
  if (memPool == NULL || props == NULL)
    return vptr__cuda_null_output(call, memPool == NULL ? "memPool" : "poolProps");
  if (props->allocType != cudaMemAllocationTypePinned)
    return vptr__cuda_invalid(call,
                              "poolProps->allocType is not cudaMemAllocationTypePinned, the only type there is");
  if (props->location.type != cudaMemLocationTypeDevice)
    return vptr__cuda_invalid(call, "poolProps->location is no device: pools of host memory do not exist");
  if (props->handleTypes != cudaMemHandleTypeNone) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: pools cannot be shared with other processes: set handleTypes to 0",
                call);
    return cudaErrorNotSupported;
  }
  vptr_mapper *mapper;
  vptr__pool *pool;
  cudaError_t error = mapper_of(call, props->location.id, &mapper);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__pool_create(mapper, props->maxSize, &pool));
  if (error == cudaSuccess)
    *memPool = (cudaMemPool_t)pool;
  return error == cudaErrorInvalidDevice ? cudaErrorInvalidValue : error;
}

static cudaError_t destroy_pool(cudaMemPool_t memPool) {
  vptr__pool *pool;
  cudaError_t error = vptr__cuda_pool("cudaMemPoolDestroy", memPool, &pool);
  return error != cudaSuccess ? error : vptr__cuda_from_status(vptr__pool_destroy(pool));
}

static cudaError_t trim_pool(cudaMemPool_t memPool, size_t keep) {
  vptr__pool *pool;
  cudaError_t error = vptr__cuda_pool("cudaMemPoolTrimTo", memPool, &pool);
  if (error == cudaSuccess)
    vptr__pool_trim(pool, keep);
  return error;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps) {
  return vptr__cuda_record(create_pool(memPool, poolProps));
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  return vptr__cuda_record(destroy_pool(memPool));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
  return vptr__cuda_record(trim_pool(memPool, minBytesToKeep));
}

/* ---- a device's pools ----------------------------------------------------------------------------------- */

static cudaError_t get_device_pool(const char *call, cudaMemPool_t *memPool, int device,
                                   vptr_status (*get)(vptr_mapper *mapper, vptr__pool **pool_out)) {
  if (memPool == NULL)
    return vptr__cuda_null_output(call, "memPool");
  vptr_mapper *mapper;
  vptr__pool *pool;
  cudaError_t error = mapper_of(call, device, &mapper);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(get(mapper, &pool));
  if (error == cudaSuccess)
    *memPool = (cudaMemPool_t)pool;
  return error;
}

static cudaError_t set_device_pool(const char *call, int device, cudaMemPool_t memPool) {
  vptr_mapper *mapper;
  vptr__pool *pool;
  cudaError_t error = mapper_of(call, device, &mapper);
  if (error == cudaSuccess)
    error = vptr__cuda_pool(call, memPool, &pool);
  if (error != cudaSuccess)
    return error;
  if (vptr__pool_mapper(pool) != mapper)
    return vptr__cuda_invalid(call, "the memory pool is another device's");
  vptr__pool_make_current(pool);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device) {
  return vptr__cuda_record(get_device_pool("cudaDeviceGetDefaultMemPool", memPool, device, vptr__pool_default));
}

/* For a device that is none CUDA has these, and those by location, answer cudaErrorInvalidValue, and the one above
 * cudaErrorInvalidDevice. */
static cudaError_t record_as_value(cudaError_t error) {
  return vptr__cuda_record(error == cudaErrorInvalidDevice ? cudaErrorInvalidValue : error);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device) {
  return record_as_value(get_device_pool("cudaDeviceGetMemPool", memPool, device, vptr__pool_current));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  return record_as_value(set_device_pool("cudaDeviceSetMemPool", device, memPool));
}

/* The same by location, of which a device is the only kind. */
static cudaError_t check_location(const char *call, const struct cudaMemLocation *location,
                                  enum cudaMemAllocationType type) {
  if (location == NULL)
    return vptr__cuda_null_output(call, "location");
  if (location->type == cudaMemLocationTypeDevice && type == cudaMemAllocationTypePinned)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: there are memory pools of devices and of pinned type only", call);
  return cudaErrorNotSupported;
}

static cudaError_t get_location_pool(const char *call, cudaMemPool_t *memPool, const struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type,
                                     vptr_status (*get)(vptr_mapper *mapper, vptr__pool **pool_out)) {
  cudaError_t error = check_location(call, location, type);
  return error != cudaSuccess ? error : get_device_pool(call, memPool, location->id, get);
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type) {
  return record_as_value(get_location_pool("cudaMemGetDefaultMemPool", memPool, location, type, vptr__pool_default));
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                              enum cudaMemAllocationType type) {
  return record_as_value(get_location_pool("cudaMemGetMemPool", memPool, location, type, vptr__pool_current));
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                              cudaMemPool_t memPool) {
  cudaError_t error = check_location("cudaMemSetMemPool", location, type);
  if (error == cudaSuccess)
    error = set_device_pool("cudaMemSetMemPool", location->id, memPool);
  return record_as_value(error);
}
