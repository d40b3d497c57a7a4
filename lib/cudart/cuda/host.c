/* SPDX-License-Identifier: MIT */
/*
 * host - pinned host memory: allocated, registered, and what the device calls it.
 *
 * Allocation and registration go to the current device; everything else finds its device by the address. Which flags
 * mean something: Portable is always so, since an address is recognised whatever device is current. WriteCombined is a
 * wish that OpenCL has no words for, and the memory is ordinary. Mapped memory has a device address where the device
 * works on host memory in place; where it does not, cudaHostGetDevicePointer() is the call that says so. No data, no
 * locks here: pinned memory has its own, of ranks MAPPING, HEAP and LEAF (pinned/pinned.h), and the ledger one, of rank
 * LEAF. Called by programs, and by driver/memory.c, which allocates by the function of site.h. Freeing and
 * unregistering wait for work that uses the memory; allocating and registering for the driver, where it has to pin.
 */
#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/site.h"
#include "cuda/stream.h"
#include "cuda/thread.h"
#include "graph/capture.h"
#include "mapper/ledger.h"
#include "mapper/registry.h"
#include "pinned/pinned.h"
#include "managed/managed.h"

#include <vptr/cuda/cuda_runtime_api.h>

enum {
  ALLOC_FLAGS = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined,
  REGISTER_FLAGS =
      cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly
};

static cudaError_t refuse_flags(const char *call, unsigned flags, unsigned known) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: flags are 0x%x, and those that there are make 0x%x", call, flags,
              known);
  return cudaErrorInvalidValue;
}

/* NULL where there is no room, as cudaMalloc() has it; of no bytes CUDA looks at nothing else. Inline, as a block costs
 * no more than a call or two. */
__attribute__((always_inline)) static inline cudaError_t allocate_host(const char *call, void **ptr, size_t size,
                                                                       unsigned flags, const void *site) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (ptr == NULL)
    return vptr__cuda_null_output(call, "the pointer");
  *ptr = NULL;
  if (size == 0)
    return cudaSuccess;
  if (vptr__captures_any())
    error = vptr__capture_unsafe(call);
  if (error != cudaSuccess)
    return error;
  if ((flags & ~(unsigned)ALLOC_FLAGS) != 0)
    return refuse_flags(call, flags, ALLOC_FLAGS);
  void *host = NULL;
  error = vptr__cuda_from_status(vptr__pinned_allocate(mapper, size, flags, &host));
  if (__builtin_expect(vptr__ledger_wanted(), false) && host != NULL)
    vptr__ledger_enter(VPTR__LEDGER_PINNED, mapper, host, size, site);
  *ptr = host;
  return error;
}

static cudaError_t check_release(const void *ptr) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_permitted();
  if (error == cudaSuccess && ptr == NULL)
    return vptr__cuda_current_mapper(&mapper);
  return error == cudaSuccess ? vptr__cuda_device_exists() : error;
}

static bool is_managed(const void *ptr) {
  vptr__managed_place place;
  return vptr__managed_find(ptr, &place);
}

/* As in CUDA, a free returns when the device's work is done (doc/decisions/2026-11-22-frees-wait.md). */
static cudaError_t free_pinned(void *ptr) {
  cudaError_t error = vptr__cuda_at_hand() != NULL ? cudaSuccess : check_release(ptr);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_unsafe("cudaFreeHost"); /* of NULL, too */
  if (error != cudaSuccess || ptr == NULL)
    return error;
  if (is_managed(ptr))
    return vptr__cuda_from_status(vptr__error(
        VPTR_ERROR_UNKNOWN_ADDRESS, "cudaFreeHost: %p is managed memory, which cudaFree() takes back", ptr));
  return vptr__cuda_from_status(vptr__pinned_free_behind_work(ptr));
}

/* I/O memory of another device cannot be had through OpenCL. Memory that is to be read only needs a driver that does
 * not write when it pins, and none says that of itself; where pinning is nothing to do, there is nothing to go
 * wrong. */
static cudaError_t check_kind(const vptr_mapper *mapper, unsigned flags) {
  if ((flags & ~(unsigned)REGISTER_FLAGS) != 0)
    return refuse_flags("cudaHostRegister", flags, REGISTER_FLAGS);
  bool is_possible = (flags & cudaHostRegisterIoMemory) == 0 &&
                     ((flags & cudaHostRegisterReadOnly) == 0 || mapper->device->host_unified);
  if (is_possible)
    return cudaSuccess;
  return vptr__cuda_from_status(
      vptr__error(VPTR_ERROR_UNSUPPORTED, "cudaHostRegister: %s cannot be registered on %s",
                  (flags & cudaHostRegisterIoMemory) != 0 ? "I/O memory" : "read-only memory", mapper->device->name));
}

/* Of what CUDA allocated itself the value is wrong, of what was registered that it was. */
static cudaError_t refuse_registration(const void *ptr) {
  bool is_ours = vptr__pinned_find(ptr).kind == VPTR__PINNED_OURS || is_managed(ptr);
  return is_ours ? cudaErrorInvalidValue : cudaErrorHostMemoryAlreadyRegistered;
}

/* The same of the other way: only of plain memory CUDA says that it is not registered. */
static cudaError_t refuse_unregistration(const void *ptr) {
  bool is_known =
      vptr__pinned_find(ptr).kind != VPTR__PINNED_NONE || is_managed(ptr) || vptr__mapper_owning(ptr) != NULL;
  return is_known ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered;
}

static cudaError_t register_host(void *ptr, size_t size, unsigned flags) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_unsafe("cudaHostRegister");
  if (error == cudaSuccess)
    error = check_kind(mapper, flags);
  if (error != cudaSuccess)
    return error;
  vptr_status status = vptr__pinned_register(mapper, ptr, size, flags);
  return status == VPTR_ERROR_MAPPED ? refuse_registration(ptr) : vptr__cuda_from_status(status);
}

static cudaError_t unregister_host(void *ptr) {
  cudaError_t error = vptr__cuda_permitted();
  if (error == cudaSuccess)
    error = vptr__cuda_device_exists();
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_unsafe("cudaHostUnregister");
  if (error != cudaSuccess)
    return error;
  if (ptr == NULL)
    return vptr__cuda_from_status(vptr__error(VPTR_ERROR_NULL_POINTER, "cudaHostUnregister: ptr is NULL"));
  vptr_status status = vptr__pinned_unregister(ptr);
  return status == VPTR_ERROR_NOT_MAPPED ? refuse_unregistration(ptr) : vptr__cuda_from_status(status);
}

/* NULL is stored where there is none. */
static cudaError_t get_device_pointer(void **device, void *host, unsigned flags) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (device == NULL)
    return vptr__cuda_null_output("cudaHostGetDevicePointer", "pDevice");
  *device = NULL;
  if (flags != 0)
    return refuse_flags("cudaHostGetDevicePointer", flags, 0);
  if (is_managed(host))
    return vptr__cuda_from_status(vptr__error(
        VPTR_ERROR_UNKNOWN_ADDRESS, "cudaHostGetDevicePointer: %p is managed memory, and has one address", host));
  return vptr__cuda_from_status(vptr__pinned_device_address(host, device));
}

/* Kernels reach all pinned memory, whether that was asked for or not, and CUDA says so. */
static cudaError_t get_flags(unsigned *flags, const void *host) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (flags == NULL)
    return vptr__cuda_null_output("cudaHostGetFlags", "pFlags");
  vptr__pinned_place place = vptr__pinned_find(host);
  if (place.kind == VPTR__PINNED_NONE)
    return vptr__cuda_from_status(vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                                              "cudaHostGetFlags: %p is no pinned memory, so it has no flags", host));
  *flags = place.flags | cudaHostAllocMapped;
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void **ptr, size_t size) {
  return vptr__cuda_record(
      allocate_host("cudaMallocHost", ptr, size, cudaHostAllocDefault, __builtin_return_address(0)));
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags) {
  return vptr__cuda_record(allocate_host("cudaHostAlloc", pHost, size, flags, __builtin_return_address(0)));
}

cudaError_t vptr__cuda_host_alloc_at(const char *call, void **ptr, size_t size, unsigned flags, const void *site) {
  return vptr__cuda_record(allocate_host(call, ptr, size, flags, site));
}

cudaError_t cudaFreeHost(void *ptr) {
  return vptr__cuda_record(free_pinned(ptr));
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags) {
  return vptr__cuda_record(register_host(ptr, size, flags));
}

cudaError_t cudaHostUnregister(void *ptr) {
  return vptr__cuda_record(unregister_host(ptr));
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags) {
  return vptr__cuda_record(get_device_pointer(pDevice, pHost, flags));
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost) {
  return vptr__cuda_record(get_flags(pFlags, pHost));
}
