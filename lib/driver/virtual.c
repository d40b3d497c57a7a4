/* SPDX-License-Identifier: MIT */
/*
 * virtual - cuMemAddressReserve(), cuMemCreate(), cuMemMap() and their kin: what is there of virtual memory management.
 *
 * Addresses are reservations, handles are memory without an address (virtual/virtual_range.h, virtual/physical.h); what
 * is checked here are the arguments that they do not know: properties, flags, locations. No state, no locks. Called by
 * programs, directly or by the table in entry.c. Freeing addresses and unmapping wait for the device's work.
 */
#include <string.h>

#include "base/error.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"
#include "mapper/mapper.h"
#include "virtual/physical.h"
#include "virtual/virtual_range.h"

/* ---- arguments ------------------------------------------------------------------------------------------ */

static CUresult check_size(CUresult result, const char *call, vptr_unsigned_long_long ptr, size_t size) {
  if (result != CUDA_SUCCESS || (size > 0 && size % VPTR__PHYSICAL_GRANULE == 0 && ptr % VPTR__PHYSICAL_GRANULE == 0))
    return result;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: addresses and sizes are multiples of %d bytes, and not 0x%llx, %zu",
              call, (int)VPTR__PHYSICAL_GRANULE, ptr, size);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_VALUE);
}

static CUresult check_flags(CUresult result, const char *call, vptr_unsigned_long_long flags) {
  return result == CUDA_SUCCESS && flags != 0 ? vptr__driver_invalid(call, "flags are 0") : result;
}

static CUresult refuse_call(const char *call, const char *what) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: %s", call, what);
  return vptr__driver_refuse(CUDA_ERROR_NOT_SUPPORTED);
}

/* A device that has memory under addresses by pages. */
static CUresult find_device(const char *call, int device, vptr_mapper **mapper_out) {
  CUresult result = vptr__driver_check_device(call, device);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_status(vptr__mapper_for_device(device, mapper_out));
  if (result != CUDA_SUCCESS || vptr__virtual_range_is_possible(*mapper_out))
    return result;
  return refuse_call(
      call, "an OpenCL buffer of this device has all its memory at once: memory under addresses comes and goes "
            "where device memory is the host's, as CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED "
            "tells");
}

static CUresult check_prop(const char *call, const CUmemAllocationProp *prop, vptr_mapper **mapper_out) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, prop, "prop");
  if (result != CUDA_SUCCESS)
    return result;
  if (prop->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return vptr__driver_invalid(call, "the type is CU_MEM_ALLOCATION_TYPE_PINNED");
  if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return refuse_call(call, "memory is a device's: CU_MEM_LOCATION_TYPE_DEVICE");
  if ((prop->requestedHandleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0)
    return refuse_call(call,
                       "memory goes to other processes by CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, or not at all");
  return find_device(call, prop->location.id, mapper_out);
}

/* ---- memory --------------------------------------------------------------------------------------------- */

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option) {
  static const char call[] = "cuMemGetAllocationGranularity";
  vptr_mapper *mapper;
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, granularity, "granularity");
  if (result == CUDA_SUCCESS)
    result = check_prop(call, prop, &mapper);
  if (result == CUDA_SUCCESS && (unsigned)option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
    return vptr__driver_invalid(call, "the option is the minimum or what is recommended");
  if (result == CUDA_SUCCESS)
    *granularity = VPTR__PHYSICAL_GRANULE;
  return result;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop,
                     unsigned long long flags) {
  static const char call[] = "cuMemCreate";
  vptr_mapper *mapper;
  uint64_t made = 0;
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, handle, "handle");
  if (result == CUDA_SUCCESS)
    result = check_prop(call, prop, &mapper);
  result = check_flags(check_size(result, call, 0, size), call, flags);
  if (result != CUDA_SUCCESS)
    return result;
  bool is_shareable = prop->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE;
  result = vptr__driver_status(
      vptr__physical_create(prop->location.id, size, mapper->device->memory_bytes, is_shareable, &made));
  if (result == CUDA_SUCCESS)
    *handle = made;
  return result;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_status(vptr__physical_release(handle)) : result;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle) {
  int device = 0;
  bool is_shareable = false;
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_begun(), "cuMemGetAllocationPropertiesFromHandle", prop, "prop");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_status(vptr__physical_describe(handle, &device, &is_shareable));
  if (result != CUDA_SUCCESS)
    return result;
  memset(prop, 0, sizeof *prop);
  prop->type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop->requestedHandleTypes = is_shareable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE;
  prop->location = (CUmemLocation){ CU_MEM_LOCATION_TYPE_DEVICE, device };
  return CUDA_SUCCESS;
}

/* ---- other processes ------------------------------------------------------------------------------------ */

static CUresult check_handle_type(const char *call, CUmemAllocationHandleType type) {
  return type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
             ? CUDA_SUCCESS
             : refuse_call(call, "memory goes to other processes by CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR alone");
}

CUresult cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType, unsigned long long flags) {
  static const char call[] = "cuMemExportToShareableHandle";
  int file = -1;
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, shareableHandle, "shareableHandle");
  if (result == CUDA_SUCCESS)
    result = check_handle_type(call, handleType);
  result = check_flags(result, call, flags);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_status(vptr__physical_export(handle, &file));
  if (result == CUDA_SUCCESS)
    memcpy(shareableHandle, &file, sizeof file);
  return result;
}

/* The memory is the current context's device's. */
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
                                        CUmemAllocationHandleType shHandleType) {
  static const char call[] = "cuMemImportFromShareableHandle";
  CUcontext context;
  vptr_mapper *mapper;
  uint64_t made = 0;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(&context), call, handle, "handle");
  if (result == CUDA_SUCCESS)
    result = check_handle_type(call, shHandleType);
  if (result == CUDA_SUCCESS)
    result = find_device(call, context->device, &mapper);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_status(vptr__physical_import(context->device, (int)(intptr_t)osHandle, &made));
  if (result == CUDA_SUCCESS)
    *handle = made;
  return result;
}

/* ---- addresses ------------------------------------------------------------------------------------------ */

/* The address is a wish, which CUDA need not fulfil either. */
CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
                             unsigned long long flags) {
  static const char call[] = "cuMemAddressReserve";
  CUcontext context = NULL;
  vptr_mapper *mapper;
  uintptr_t base = 0;
  (void)addr;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(&context), call, ptr, "ptr");
  if (result == CUDA_SUCCESS && (alignment & (alignment - 1)) != 0)
    result = vptr__driver_invalid(call, "the alignment is a power of two, or 0");
  result = check_flags(check_size(result, call, 0, size), call, flags);
  if (result == CUDA_SUCCESS)
    result = find_device(call, context->device, &mapper);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_status(vptr__virtual_range_make(mapper, context->device, size, alignment, &base));
  if (result == CUDA_SUCCESS)
    *ptr = base;
  return result;
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size) {
  CUresult result = check_size(vptr__driver_begun(), "cuMemAddressFree", ptr, size);
  return result == CUDA_SUCCESS ? vptr__driver_status(vptr__virtual_range_free((uintptr_t)ptr, size)) : result;
}

CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  CUresult result = check_flags(check_size(vptr__driver_begun(), "cuMemMap", ptr, size), "cuMemMap", flags);
  if (result == CUDA_SUCCESS && offset != 0)
    result = vptr__driver_invalid("cuMemMap", "the offset is 0");
  return result == CUDA_SUCCESS ? vptr__driver_status(vptr__virtual_range_map((uintptr_t)ptr, size, handle)) : result;
}

CUresult cuMemUnmap(CUdeviceptr ptr, size_t size) {
  CUresult result = check_size(vptr__driver_begun(), "cuMemUnmap", ptr, size);
  return result == CUDA_SUCCESS ? vptr__driver_status(vptr__virtual_range_unmap((uintptr_t)ptr, size)) : result;
}

/* ---- access --------------------------------------------------------------------------------------------- */

static CUresult check_access(const char *call, const CUmemAccessDesc *desc) {
  const unsigned flags = (unsigned)desc->flags;
  if (desc->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return refuse_call(call, "access is a device's: CU_MEM_LOCATION_TYPE_DEVICE");
  if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
      flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
    return vptr__driver_invalid(call, "the flags are none of CU_MEM_ACCESS_FLAGS_PROT_*");
  return vptr__driver_check_device(call, desc->location.id);
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count) {
  static const char call[] = "cuMemSetAccess";
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, desc, "desc");
  if (result == CUDA_SUCCESS && count == 0)
    result = vptr__driver_invalid(call, "there is nothing in desc");
  result = check_size(result, call, ptr, size);
  for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++)
    result = check_access(call, &desc[i]);
  for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++)
    result = vptr__driver_status(
        vptr__virtual_range_allow((uintptr_t)ptr, size, desc[i].location.id, (unsigned)desc[i].flags));
  return result;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr) {
  static const char call[] = "cuMemGetAccess";
  unsigned rights = 0;
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, flags, "flags");
  result = vptr__driver_check_pointer(result, call, location, "location");
  if (result == CUDA_SUCCESS && location->type != CU_MEM_LOCATION_TYPE_DEVICE)
    result = refuse_call(call, "access is a device's: CU_MEM_LOCATION_TYPE_DEVICE");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_device(call, location->id);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_status(vptr__virtual_range_rights((uintptr_t)ptr, location->id, &rights));
  if (result == CUDA_SUCCESS)
    *flags = rights;
  return result;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr) {
  uint64_t found = 0;
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), "cuMemRetainAllocationHandle", handle, "handle");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_status(vptr__virtual_range_retain_at((uintptr_t)addr, &found));
  if (result == CUDA_SUCCESS)
    *handle = found;
  return result;
}
