/* SPDX-License-Identifier: MIT */
/*
 * device - cuDevice*(): the runtime's answers. No state, no locks.
 *
 * Called by programs, directly or by the table in entry.c; and by function.c, which asks for a device's limits. A
 * question opens a device where the runtime's does (cuda/property.c), and for its memory pools.
 */
#include <stdio.h>
#include <string.h>

#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"
#include "mapper/mapper.h"
#include "virtual/virtual_range.h"

#include <vptr/cuda/cuda_runtime_api.h>

static CUresult check_device_query(const char *call, CUdevice device, const void *output) {
  CUresult result = vptr__driver_check_device(call, device);
  return vptr__driver_check_pointer(result, call, output, "the output");
}

CUresult cuDeviceGetCount(int *count) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGetDeviceCount(count)) : result;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  CUresult result = check_device_query("cuDeviceGet", ordinal, device);
  if (result == CUDA_SUCCESS)
    *device = ordinal;
  return result;
}

static CUresult get_properties(const char *call, CUdevice device, const void *output,
                               struct cudaDeviceProp *properties) {
  CUresult result = check_device_query(call, device, output);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGetDeviceProperties(properties, device)) : result;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice dev) {
  struct cudaDeviceProp properties;
  CUresult result = get_properties("cuDeviceGetName", dev, name, &properties);
  if (result == CUDA_SUCCESS && len <= 0)
    result = vptr__driver_invalid("cuDeviceGetName", "there is no room for a name");
  if (result == CUDA_SUCCESS)
    snprintf(name, (size_t)len, "%s", properties.name);
  return result;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev) {
  struct cudaDeviceProp properties;
  CUresult result = get_properties("cuDeviceGetUuid", dev, uuid, &properties);
  if (result == CUDA_SUCCESS)
    *uuid = properties.uuid;
  return result;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev) {
  return cuDeviceGetUuid_v2(uuid, dev);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev) {
  struct cudaDeviceProp properties;
  CUresult result = get_properties("cuDeviceTotalMem", dev, bytes, &properties);
  if (result == CUDA_SUCCESS)
    *bytes = properties.totalGlobalMem;
  return result;
}

/* Whether there is what virtual.c has. */
static CUresult ask_virtual(int *pi, CUdevice device) {
  vptr_mapper *mapper;
  CUresult result = vptr__driver_status(vptr__mapper_for_device(device, &mapper));
  if (result == CUDA_SUCCESS)
    *pi = vptr__virtual_range_is_possible(mapper);
  return result;
}

/* The runtime's table has no rows for values that no enumerator of the runtime's has. */
CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev) {
  CUresult result = check_device_query("cuDeviceGetAttribute", dev, pi);
  if (result == CUDA_SUCCESS && (attrib == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ||
                                 attrib == CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED))
    return ask_virtual(pi, dev);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceGetAttribute(pi, (enum cudaDeviceAttr)attrib, dev))
                                : result;
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev) {
  struct cudaDeviceProp from;
  CUresult result = get_properties("cuDeviceGetProperties", dev, prop, &from);
  int clock = 0;
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, dev));
  if (result != CUDA_SUCCESS)
    return result;
  *prop = (CUdevprop){ .maxThreadsPerBlock = from.maxThreadsPerBlock,
                       .sharedMemPerBlock = (int)from.sharedMemPerBlock,
                       .totalConstantMemory = (int)from.totalConstMem,
                       .SIMDWidth = from.warpSize,
                       .memPitch = (int)from.memPitch,
                       .regsPerBlock = from.regsPerBlock,
                       .clockRate = clock,
                       .textureAlign = (int)from.textureAlignment };
  memcpy(prop->maxThreadsDim, from.maxThreadsDim, sizeof prop->maxThreadsDim);
  memcpy(prop->maxGridSize, from.maxGridSize, sizeof prop->maxGridSize);
  return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev) {
  struct cudaDeviceProp properties;
  CUresult result = get_properties("cuDeviceComputeCapability", dev, minor != NULL ? major : NULL, &properties);
  if (result == CUDA_SUCCESS) {
    *major = properties.major;
    *minor = properties.minor;
  }
  return result;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceGetByPCIBusId(dev, pciBusId)) : result;
}

CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev) {
  CUresult result = check_device_query("cuDeviceGetPCIBusId", dev, pciBusId);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceGetPCIBusId(pciBusId, len, dev)) : result;
}

/* ---- between devices ------------------------------------------------------------------------------------ */

CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev) {
  CUresult result = check_device_query("cuDeviceCanAccessPeer", dev, canAccessPeer);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceCanAccessPeer(canAccessPeer, dev, peerDev)) : result;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice) {
  CUresult result = check_device_query("cuDeviceGetP2PAttribute", srcDevice, value);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attrib, srcDevice, dstDevice));
}

/* ---- pools ---------------------------------------------------------------------------------------------- */

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev) {
  CUresult result = check_device_query("cuDeviceGetDefaultMemPool", dev, pool_out);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceGetDefaultMemPool(pool_out, dev)) : result;
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev) {
  CUresult result = check_device_query("cuDeviceGetMemPool", dev, pool);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceGetMemPool(pool, dev)) : result;
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
  CUresult result = vptr__driver_check_device("cuDeviceSetMemPool", dev);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceSetMemPool(dev, pool)) : result;
}
