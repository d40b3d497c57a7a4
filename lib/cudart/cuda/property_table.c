/* SPDX-License-Identifier: MIT */
/*
 * property_table - where each property and each attribute of a device comes from; see property.h.
 *
 * The order is that of struct cudaDeviceProp; what has no field, and what CUDA reserves, stands at the end. Values
 * that are invented lean to the cautious side: 0 for what a program would use if it were there, a lower bound for
 * what it would rely on, CUDA's own number where programs have that built in.
 *
 * The table, vptr__cuda_properties, and the count of its rows are constant; no locks. Called by property.c alone, which
 * also asks the functions that stand in rows. Those that need a trial open the device if its memory may be the host's,
 * or it is a CPU or the fake one.
 */
#include "cuda/property.h"

#include <limits.h>
#include <stdalign.h>
#include <string.h>

#include "base/error.h"

#include "cuda/copy_rect.h"
#include "cuda/property_12.h"
#include "mapper/mapper.h"

/* Queries of extensions, whose headers are not everywhere. */
#ifndef CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
#define CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV 0x4000
#define CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV 0x4001
#define CL_DEVICE_REGISTERS_PER_BLOCK_NV 0x4002
#define CL_DEVICE_WARP_SIZE_NV 0x4003
#define CL_DEVICE_GPU_OVERLAP_NV 0x4004
#define CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV 0x4005
#define CL_DEVICE_INTEGRATED_MEMORY_NV 0x4006
#endif
#ifndef CL_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT_NV
#define CL_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT_NV 0x4007
#endif
#ifndef CL_DEVICE_WAVEFRONT_WIDTH_AMD
#define CL_DEVICE_WAVEFRONT_WIDTH_AMD 0x4043
#endif
#ifndef CL_DEVICE_IMAGE_PITCH_ALIGNMENT
#define CL_DEVICE_IMAGE_PITCH_ALIGNMENT 0x104A
#endif

/* ---- questions that are more than a query --------------------------------------------------------------- */

/* The fake device's memory is what its mapper was told, so that one is asked, and made if need be. */
static int64_t ask_memory(const vptr__cuda_subject *subject, int64_t fixed) {
  cl_ulong bytes;
  if (subject->device != NULL)
    return clGetDeviceInfo(subject->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes, &bytes, NULL) == CL_SUCCESS
               ? (int64_t)bytes
               : fixed;
  vptr_mapper *mapper;
  return vptr__mapper_for_device(subject->ordinal, &mapper) == VPTR_SUCCESS ? (int64_t)mapper->device->memory_bytes
                                                                            : fixed;
}

static int64_t ask_priorities(const vptr__cuda_subject *subject, int64_t fixed) {
  char extensions[16384];
  if (subject->device == NULL ||
      clGetDeviceInfo(subject->device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) != CL_SUCCESS)
    return fixed;
  return strstr(extensions, "cl_khr_priority_hints") != NULL;
}

/* Asked without opening the device, as device->reaches_pinned is. */
static bool reaches_pinned(cl_device_id device) {
  char vendor[128] = "", version[128] = "";
  clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof vendor - 1, vendor, NULL);
  clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
  return strstr(vendor, "NVIDIA") != NULL && strncmp(version, "OpenCL 3", 8) == 0;
}

/* A device whose memory is not the host's is not even opened. Of the others not all work in place on memory that is
 * brought to them, which only trying tells; the device remembers. */
static int64_t ask_mapped(const vptr__cuda_subject *subject, int64_t fixed) {
  alignas(VPTR__SHARE_ALIGNMENT) unsigned char bytes[VPTR__SHARE_ALIGNMENT] = { 0 };
  cl_bool is_unified = CL_FALSE;
  vptr_mapper *mapper;
  cl_mem buffer;
  if (subject->device != NULL && reaches_pinned(subject->device))
    return 1;
  if (subject->device != NULL && (clGetDeviceInfo(subject->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof is_unified,
                                                  &is_unified, NULL) != CL_SUCCESS ||
                                  !is_unified))
    return fixed;
  vptr__error_try();
  vptr_status status = vptr__mapper_for_device(subject->ordinal, &mapper);
  if (status == VPTR_SUCCESS)
    status = mapper->device->ops->memory.share_host(mapper->device, bytes, sizeof bytes, &buffer);
  vptr__error_tried(VPTR_SUCCESS);
  if (status != VPTR_SUCCESS)
    return fixed;
  mapper->device->ops->memory.release(mapper->device, buffer);
  return 1;
}

/* Only a CPU is opened and tried; what has no OpenCL device is the fake one, which is asked as well. */
static int64_t ask_pageable(const vptr__cuda_subject *subject, int64_t fixed) {
  cl_device_type type = CL_DEVICE_TYPE_CPU;
  cl_device_svm_capabilities svm = 0;
  vptr_mapper *mapper;
  if (subject->device != NULL) {
    clGetDeviceInfo(subject->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(subject->device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
  }
  if ((type & CL_DEVICE_TYPE_CPU) == 0 && (svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) == 0)
    return fixed;
  vptr__error_try();
  vptr_status status = vptr__mapper_for_device(subject->ordinal, &mapper);
  vptr__error_tried(VPTR_SUCCESS);
  return status == VPTR_SUCCESS ? mapper->device->ops->memory.takes_system(mapper->device) : fixed;
}

/* Whether what cudaHostGetDevicePointer() tells is the same address. */
static int64_t ask_same_address(const vptr__cuda_subject *subject, int64_t fixed) {
  return subject->device != NULL && reaches_pinned(subject->device) ? 1 : fixed;
}

static int64_t ask_ordinal(const vptr__cuda_subject *subject, int64_t fixed) {
  (void)fixed;
  return subject->ordinal;
}

/* ---- the table ------------------------------------------------------------------------------------------ */

/* A place in the structure: in today's alone, or also in that of CUDA 12. */
#define FIELD_13(name)                                                                                               \
  .field = #name, .offset = offsetof(struct cudaDeviceProp, name), .offset_12 = VPTR__CUDA_NOT_THERE,                \
  .size = sizeof((struct cudaDeviceProp *)NULL)->name
#define FIELD(name)                                                                                                  \
  .field = #name, .offset = offsetof(struct cudaDeviceProp, name),                                                   \
  .offset_12 = offsetof(vptr__cuda_properties_12, name), .size = sizeof((struct cudaDeviceProp *)NULL)->name
#define ATTRIBUTE(name) .attribute_name = #name, .attribute = name

/* A source. */
#define ASK(name) .source = VPTR__CUDA_ASKED, .asked = #name, .query = { name }
#define ASK2(first, second) .source = VPTR__CUDA_ASKED, .asked = #first ", " #second, .query = { first, second }
#define KNOWN(value) .source = VPTR__CUDA_KNOWN, .fixed = value
#define INVENTED(value) .source = VPTR__CUDA_INVENTED, .fixed = value

const vptr__cuda_property vptr__cuda_properties[] = {
  { FIELD(totalGlobalMem), .source = VPTR__CUDA_ASKED, .asked = "CL_DEVICE_GLOBAL_MEM_SIZE", .ask = ask_memory },
  { FIELD(sharedMemPerBlock), ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlock), ASK(CL_DEVICE_LOCAL_MEM_SIZE),
    .most = VPTR__PLAIN_SHARED, .fixed = 49152, .note = "what a launch may ask for at once" },
  { FIELD(regsPerBlock), ATTRIBUTE(cudaDevAttrMaxRegistersPerBlock), ASK(CL_DEVICE_REGISTERS_PER_BLOCK_NV),
    .fixed = 65536 },
  { FIELD(warpSize), ATTRIBUTE(cudaDevAttrWarpSize), ASK2(CL_DEVICE_WARP_SIZE_NV, CL_DEVICE_WAVEFRONT_WIDTH_AMD),
    .fixed = 32, .note = "CUDA code has 32 built in" },
  { FIELD(memPitch), ATTRIBUTE(cudaDevAttrMaxPitch), KNOWN(VPTR__CUDA_MOST_PITCH) },
  { FIELD(maxThreadsPerBlock), ATTRIBUTE(cudaDevAttrMaxThreadsPerBlock), ASK(CL_DEVICE_MAX_WORK_GROUP_SIZE),
    .most = VPTR__MOST_THREADS, .fixed = 1024 },
  { FIELD(maxThreadsDim[0]), ATTRIBUTE(cudaDevAttrMaxBlockDimX), ASK(CL_DEVICE_MAX_WORK_ITEM_SIZES),
    .most = VPTR__MOST_THREADS, .fixed = 1024 },
  { FIELD(maxThreadsDim[1]), ATTRIBUTE(cudaDevAttrMaxBlockDimY), ASK(CL_DEVICE_MAX_WORK_ITEM_SIZES), .index = 1,
    .most = VPTR__MOST_THREADS, .fixed = 1024 },
  { FIELD(maxThreadsDim[2]), ATTRIBUTE(cudaDevAttrMaxBlockDimZ), ASK(CL_DEVICE_MAX_WORK_ITEM_SIZES), .index = 2,
    .most = VPTR__MOST_DEEP, .fixed = 64 },
  { FIELD(maxGridSize[0]), ATTRIBUTE(cudaDevAttrMaxGridDimX), INVENTED(INT_MAX),
    .note = "as CUDA's: OpenCL limits no single dimension" },
  { FIELD(maxGridSize[1]), ATTRIBUTE(cudaDevAttrMaxGridDimY), INVENTED(65535),
    .note = "as CUDA's: OpenCL limits no single dimension" },
  { FIELD(maxGridSize[2]), ATTRIBUTE(cudaDevAttrMaxGridDimZ), INVENTED(65535),
    .note = "as CUDA's: OpenCL limits no single dimension" },
  { FIELD(clockRate), ATTRIBUTE(cudaDevAttrClockRate), ASK(CL_DEVICE_MAX_CLOCK_FREQUENCY), .multiply = 1000,
    .fixed = 1000000, .note = "kHz" },
  { FIELD(totalConstMem), ATTRIBUTE(cudaDevAttrTotalConstantMemory), ASK(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE),
    .fixed = 65536 },
  { FIELD(major), ATTRIBUTE(cudaDevAttrComputeCapabilityMajor), ASK(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV),
    .fixed = 7, .note = "7.5 is the least that CUDA 13 runs on" },
  { FIELD(minor), ATTRIBUTE(cudaDevAttrComputeCapabilityMinor), ASK(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV),
    .fixed = 5 },
  { FIELD(textureAlignment), ATTRIBUTE(cudaDevAttrTextureAlignment), ASK(CL_DEVICE_MEM_BASE_ADDR_ALIGN), .divide = 8,
    .fixed = 512 },
  { FIELD(texturePitchAlignment), ATTRIBUTE(cudaDevAttrTexturePitchAlignment), ASK(CL_DEVICE_IMAGE_PITCH_ALIGNMENT),
    .fixed = 32 },
  { FIELD(deviceOverlap), ATTRIBUTE(cudaDevAttrGpuOverlap), ASK(CL_DEVICE_GPU_OVERLAP_NV), .fixed = 1 },
  { FIELD(multiProcessorCount), ATTRIBUTE(cudaDevAttrMultiProcessorCount), ASK(CL_DEVICE_MAX_COMPUTE_UNITS),
    .fixed = 1 },
  { FIELD(kernelExecTimeoutEnabled), ATTRIBUTE(cudaDevAttrKernelExecTimeout), ASK(CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV) },
  { FIELD(integrated), ATTRIBUTE(cudaDevAttrIntegrated),
    ASK2(CL_DEVICE_INTEGRATED_MEMORY_NV, CL_DEVICE_HOST_UNIFIED_MEMORY) },
  { FIELD(canMapHostMemory), ATTRIBUTE(cudaDevAttrCanMapHostMemory), .source = VPTR__CUDA_ASKED,
    .asked = "CL_DEVICE_HOST_UNIFIED_MEMORY and a trial, or CL_DEVICE_VENDOR", .ask = ask_mapped,
    .note = "1: cudaHostGetDevicePointer() has an address for pinned memory" },
  { FIELD(computeMode), ATTRIBUTE(cudaDevAttrComputeMode), KNOWN(0), .note = "cudaComputeModeDefault" },
  { FIELD(maxTexture1D), ATTRIBUTE(cudaDevAttrMaxTexture1DWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH), .fixed = 16384 },
  { FIELD(maxTexture1DMipmap), ATTRIBUTE(cudaDevAttrMaxTexture1DMipmappedWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxTexture1DLinear), ATTRIBUTE(cudaDevAttrMaxTexture1DLinearWidth), ASK(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE),
    .fixed = 65536 },
  { FIELD(maxTexture2D[0]), ATTRIBUTE(cudaDevAttrMaxTexture2DWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxTexture2D[1]), ATTRIBUTE(cudaDevAttrMaxTexture2DHeight), ASK(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    .fixed = 16384 },
  { FIELD(maxTexture2DMipmap[0]), ATTRIBUTE(cudaDevAttrMaxTexture2DMipmappedWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxTexture2DMipmap[1]), ATTRIBUTE(cudaDevAttrMaxTexture2DMipmappedHeight),
    ASK(CL_DEVICE_IMAGE2D_MAX_HEIGHT), .fixed = 16384 },
  { FIELD(maxTexture2DLinear[0]), ATTRIBUTE(cudaDevAttrMaxTexture2DLinearWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxTexture2DLinear[1]), ATTRIBUTE(cudaDevAttrMaxTexture2DLinearHeight), ASK(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    .fixed = 16384 },
  { FIELD(maxTexture2DLinear[2]), ATTRIBUTE(cudaDevAttrMaxTexture2DLinearPitch), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .multiply = 16, .fixed = 262144, .note = "bytes: the widest row of the widest pixels" },
  { FIELD(maxTexture2DGather[0]), ATTRIBUTE(cudaDevAttrMaxTexture2DGatherWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxTexture2DGather[1]), ATTRIBUTE(cudaDevAttrMaxTexture2DGatherHeight), ASK(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    .fixed = 16384 },
  { FIELD(maxTexture3D[0]), ATTRIBUTE(cudaDevAttrMaxTexture3DWidth), ASK(CL_DEVICE_IMAGE3D_MAX_WIDTH),
    .fixed = 2048 },
  { FIELD(maxTexture3D[1]), ATTRIBUTE(cudaDevAttrMaxTexture3DHeight), ASK(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
    .fixed = 2048 },
  { FIELD(maxTexture3D[2]), ATTRIBUTE(cudaDevAttrMaxTexture3DDepth), ASK(CL_DEVICE_IMAGE3D_MAX_DEPTH),
    .fixed = 2048 },
  { FIELD(maxTexture3DAlt[0]), ATTRIBUTE(cudaDevAttrMaxTexture3DWidthAlt), ASK(CL_DEVICE_IMAGE3D_MAX_WIDTH),
    .fixed = 2048 },
  { FIELD(maxTexture3DAlt[1]), ATTRIBUTE(cudaDevAttrMaxTexture3DHeightAlt), ASK(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
    .fixed = 2048 },
  { FIELD(maxTexture3DAlt[2]), ATTRIBUTE(cudaDevAttrMaxTexture3DDepthAlt), ASK(CL_DEVICE_IMAGE3D_MAX_DEPTH),
    .fixed = 2048 },
  { FIELD(maxTextureCubemap), ATTRIBUTE(cudaDevAttrMaxTextureCubemapWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxTexture1DLayered[0]), ATTRIBUTE(cudaDevAttrMaxTexture1DLayeredWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxTexture1DLayered[1]), ATTRIBUTE(cudaDevAttrMaxTexture1DLayeredLayers),
    ASK(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), .fixed = 2048 },
  { FIELD(maxTexture2DLayered[0]), ATTRIBUTE(cudaDevAttrMaxTexture2DLayeredWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxTexture2DLayered[1]), ATTRIBUTE(cudaDevAttrMaxTexture2DLayeredHeight), ASK(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    .fixed = 16384 },
  { FIELD(maxTexture2DLayered[2]), ATTRIBUTE(cudaDevAttrMaxTexture2DLayeredLayers),
    ASK(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), .fixed = 2048 },
  { FIELD(maxTextureCubemapLayered[0]), ATTRIBUTE(cudaDevAttrMaxTextureCubemapLayeredWidth),
    ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH), .fixed = 16384 },
  { FIELD(maxTextureCubemapLayered[1]), ATTRIBUTE(cudaDevAttrMaxTextureCubemapLayeredLayers),
    ASK(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), .fixed = 2048 },
  { FIELD(maxSurface1D), ATTRIBUTE(cudaDevAttrMaxSurface1DWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH), .fixed = 16384 },
  { FIELD(maxSurface2D[0]), ATTRIBUTE(cudaDevAttrMaxSurface2DWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxSurface2D[1]), ATTRIBUTE(cudaDevAttrMaxSurface2DHeight), ASK(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    .fixed = 16384 },
  { FIELD(maxSurface3D[0]), ATTRIBUTE(cudaDevAttrMaxSurface3DWidth), ASK(CL_DEVICE_IMAGE3D_MAX_WIDTH),
    .fixed = 2048 },
  { FIELD(maxSurface3D[1]), ATTRIBUTE(cudaDevAttrMaxSurface3DHeight), ASK(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
    .fixed = 2048 },
  { FIELD(maxSurface3D[2]), ATTRIBUTE(cudaDevAttrMaxSurface3DDepth), ASK(CL_DEVICE_IMAGE3D_MAX_DEPTH),
    .fixed = 2048 },
  { FIELD(maxSurface1DLayered[0]), ATTRIBUTE(cudaDevAttrMaxSurface1DLayeredWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxSurface1DLayered[1]), ATTRIBUTE(cudaDevAttrMaxSurface1DLayeredLayers),
    ASK(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), .fixed = 2048 },
  { FIELD(maxSurface2DLayered[0]), ATTRIBUTE(cudaDevAttrMaxSurface2DLayeredWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxSurface2DLayered[1]), ATTRIBUTE(cudaDevAttrMaxSurface2DLayeredHeight), ASK(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    .fixed = 16384 },
  { FIELD(maxSurface2DLayered[2]), ATTRIBUTE(cudaDevAttrMaxSurface2DLayeredLayers),
    ASK(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), .fixed = 2048 },
  { FIELD(maxSurfaceCubemap), ATTRIBUTE(cudaDevAttrMaxSurfaceCubemapWidth), ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    .fixed = 16384 },
  { FIELD(maxSurfaceCubemapLayered[0]), ATTRIBUTE(cudaDevAttrMaxSurfaceCubemapLayeredWidth),
    ASK(CL_DEVICE_IMAGE2D_MAX_WIDTH), .fixed = 16384 },
  { FIELD(maxSurfaceCubemapLayered[1]), ATTRIBUTE(cudaDevAttrMaxSurfaceCubemapLayeredLayers),
    ASK(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), .fixed = 2048 },
  { FIELD(surfaceAlignment), ATTRIBUTE(cudaDevAttrSurfaceAlignment), ASK(CL_DEVICE_MEM_BASE_ADDR_ALIGN), .divide = 8,
    .fixed = 512 },
  { FIELD(concurrentKernels), ATTRIBUTE(cudaDevAttrConcurrentKernels), KNOWN(1),
    .note = "each stream is a queue of its own; the driver may still take turns" },
  { FIELD(ECCEnabled), ATTRIBUTE(cudaDevAttrEccEnabled), ASK(CL_DEVICE_ERROR_CORRECTION_SUPPORT) },
  { FIELD(pciBusID), ATTRIBUTE(cudaDevAttrPciBusId), .source = VPTR__CUDA_ASKED,
    .asked = "CL_DEVICE_PCI_BUS_INFO_KHR, CL_DEVICE_PCI_BUS_ID_NV", .ask = vptr__cuda_ask_bus },
  { FIELD(pciDeviceID), ATTRIBUTE(cudaDevAttrPciDeviceId), .source = VPTR__CUDA_ASKED,
    .asked = "CL_DEVICE_PCI_BUS_INFO_KHR, CL_DEVICE_PCI_SLOT_ID_NV", .ask = vptr__cuda_ask_slot,
    .note = "without an answer: the ordinal" },
  { FIELD(pciDomainID), ATTRIBUTE(cudaDevAttrPciDomainId), .source = VPTR__CUDA_ASKED,
    .asked = "CL_DEVICE_PCI_BUS_INFO_KHR, CL_DEVICE_PCI_DOMAIN_ID_NV", .ask = vptr__cuda_ask_domain, .fixed = 65535,
    .note = "ffff: plugged in nowhere" },
  { FIELD(tccDriver), ATTRIBUTE(cudaDevAttrTccDriver), KNOWN(0), .note = "of Windows" },
  { FIELD(asyncEngineCount), ATTRIBUTE(cudaDevAttrAsyncEngineCount), ASK(CL_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT_NV),
    .fixed = 1 },
  { FIELD(unifiedAddressing), ATTRIBUTE(cudaDevAttrUnifiedAddressing), KNOWN(1),
    .note = "an address knows its device, and cudaMemcpyDefault takes any; kernels take pinned memory where "
            "canMapHostMemory is 1" },
  { FIELD(memoryClockRate), ATTRIBUTE(cudaDevAttrMemoryClockRate), INVENTED(0) },
  { FIELD(memoryBusWidth), ATTRIBUTE(cudaDevAttrGlobalMemoryBusWidth), INVENTED(0) },
  { FIELD(l2CacheSize), ATTRIBUTE(cudaDevAttrL2CacheSize), ASK(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE) },
  { FIELD(persistingL2CacheMaxSize), ATTRIBUTE(cudaDevAttrMaxPersistingL2CacheSize), KNOWN(0) },
  { FIELD(maxThreadsPerMultiProcessor), ATTRIBUTE(cudaDevAttrMaxThreadsPerMultiProcessor),
    ASK(CL_DEVICE_MAX_WORK_GROUP_SIZE), .most = VPTR__MOST_THREADS, .fixed = 1024,
    .note = "a lower bound: one group fits" },
  { FIELD(streamPrioritiesSupported), ATTRIBUTE(cudaDevAttrStreamPrioritiesSupported), .source = VPTR__CUDA_ASKED,
    .asked = "CL_DEVICE_EXTENSIONS: cl_khr_priority_hints", .ask = ask_priorities },
  { FIELD(globalL1CacheSupported), ATTRIBUTE(cudaDevAttrGlobalL1CacheSupported), ASK(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE),
    .mask = UINT64_MAX },
  { FIELD(localL1CacheSupported), ATTRIBUTE(cudaDevAttrLocalL1CacheSupported), ASK(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE),
    .mask = UINT64_MAX },
  { FIELD(sharedMemPerMultiprocessor), ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
    ASK(CL_DEVICE_LOCAL_MEM_SIZE), .fixed = 49152, .note = "a lower bound: one group fits" },
  { FIELD(regsPerMultiprocessor), ATTRIBUTE(cudaDevAttrMaxRegistersPerMultiprocessor),
    ASK(CL_DEVICE_REGISTERS_PER_BLOCK_NV), .fixed = 65536 },
  { FIELD(managedMemory), ATTRIBUTE(cudaDevAttrManagedMemory), KNOWN(1),
    .note = "cudaMallocManaged(), in place or by page faults: doc/managed.md" },
  { FIELD(isMultiGpuBoard), ATTRIBUTE(cudaDevAttrIsMultiGpuBoard), INVENTED(0) },
  { FIELD(multiGpuBoardGroupID), ATTRIBUTE(cudaDevAttrMultiGpuBoardGroupID), .source = VPTR__CUDA_KNOWN,
    .ask = ask_ordinal, .note = "the ordinal: each device is a group of its own" },
  { FIELD(hostNativeAtomicSupported), ATTRIBUTE(cudaDevAttrHostNativeAtomicSupported), KNOWN(0) },
  { FIELD(singleToDoublePrecisionPerfRatio), ATTRIBUTE(cudaDevAttrSingleToDoublePrecisionPerfRatio), INVENTED(2) },
  { FIELD(pageableMemoryAccess), ATTRIBUTE(cudaDevAttrPageableMemoryAccess), .source = VPTR__CUDA_ASKED,
    .asked = "CL_DEVICE_SVM_CAPABILITIES: fine-grained system", .ask = ask_pageable,
    .note = "CPUs are tried: kernels take what malloc() returned; elsewhere 0" },
  { FIELD(concurrentManagedAccess), ATTRIBUTE(cudaDevAttrConcurrentManagedAccess), KNOWN(0),
    .note = "the host does not use what a kernel uses: its access waits, or in place the program does" },
  { FIELD(computePreemptionSupported), ATTRIBUTE(cudaDevAttrComputePreemptionSupported), INVENTED(0) },
  { FIELD(canUseHostPointerForRegisteredMem), ATTRIBUTE(cudaDevAttrCanUseHostPointerForRegisteredMem),
    .source = VPTR__CUDA_ASKED, .asked = "CL_DEVICE_VENDOR", .ask = ask_same_address,
    .note = "NVIDIA's devices: 1; elsewhere cudaHostGetDevicePointer() tells another address" },
  { FIELD(cooperativeLaunch), ATTRIBUTE(cudaDevAttrCooperativeLaunch), KNOWN(1) },
  { FIELD(cooperativeMultiDeviceLaunch), ATTRIBUTE(cudaDevAttrReserved96), KNOWN(0) },
  { FIELD(sharedMemPerBlockOptin), ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlockOptin), ASK(CL_DEVICE_LOCAL_MEM_SIZE),
    .fixed = 49152, .note = "after cudaFuncSetAttribute()" },
  { FIELD(pageableMemoryAccessUsesHostPageTables), ATTRIBUTE(cudaDevAttrPageableMemoryAccessUsesHostPageTables),
    .source = VPTR__CUDA_ASKED, .asked = "as pageableMemoryAccess", .ask = ask_pageable },
  { FIELD(directManagedMemAccessFromHost), ATTRIBUTE(cudaDevAttrDirectManagedMemAccessFromHost), KNOWN(0) },
  { FIELD(maxBlocksPerMultiProcessor), ATTRIBUTE(cudaDevAttrMaxBlocksPerMultiprocessor), INVENTED(1),
    .note = "a lower bound" },
  { FIELD(accessPolicyMaxWindowSize), ATTRIBUTE(cudaDevAttrMaxAccessPolicyWindowSize), KNOWN(0) },
  { FIELD(reservedSharedMemPerBlock), ATTRIBUTE(cudaDevAttrReservedSharedMemoryPerBlock), INVENTED(0) },
  { FIELD(hostRegisterSupported), ATTRIBUTE(cudaDevAttrHostRegisterSupported), KNOWN(1),
    .note = "cudaHostRegister()" },
  { FIELD(sparseCudaArraySupported), ATTRIBUTE(cudaDevAttrSparseCudaArraySupported), KNOWN(0) },
  { FIELD(hostRegisterReadOnlySupported), ATTRIBUTE(cudaDevAttrHostRegisterReadOnlySupported),
    ASK(CL_DEVICE_HOST_UNIFIED_MEMORY), .note = "where there is nothing to pin" },
  { FIELD(timelineSemaphoreInteropSupported), ATTRIBUTE(cudaDevAttrTimelineSemaphoreInteropSupported), KNOWN(0) },
  { FIELD(memoryPoolsSupported), ATTRIBUTE(cudaDevAttrMemoryPoolsSupported), KNOWN(1), .note = "cudaMallocAsync()" },
  { FIELD(gpuDirectRDMASupported), ATTRIBUTE(cudaDevAttrGPUDirectRDMASupported), KNOWN(0) },
  { FIELD(gpuDirectRDMAFlushWritesOptions), ATTRIBUTE(cudaDevAttrGPUDirectRDMAFlushWritesOptions), KNOWN(0) },
  { FIELD(gpuDirectRDMAWritesOrdering), ATTRIBUTE(cudaDevAttrGPUDirectRDMAWritesOrdering), KNOWN(0) },
  { FIELD(memoryPoolSupportedHandleTypes), ATTRIBUTE(cudaDevAttrMemoryPoolSupportedHandleTypes), KNOWN(0),
    .note = "no memory goes to other processes" },
  { FIELD(deferredMappingCudaArraySupported), ATTRIBUTE(cudaDevAttrDeferredMappingCudaArraySupported), KNOWN(0) },
  { FIELD(ipcEventSupported), ATTRIBUTE(cudaDevAttrIpcEventSupport), KNOWN(1) },
  { FIELD(clusterLaunch), ATTRIBUTE(cudaDevAttrClusterLaunch), KNOWN(0) },
  { FIELD(unifiedFunctionPointers), ATTRIBUTE(cudaDevAttrReserved129), KNOWN(0) },
  { FIELD_13(deviceNumaConfig), ATTRIBUTE(cudaDevAttrNumaConfig), INVENTED(0), .note = "cudaDeviceNumaConfigNone" },
  { FIELD_13(deviceNumaId), ATTRIBUTE(cudaDevAttrNumaId), INVENTED(-1) },
  { FIELD_13(mpsEnabled), ATTRIBUTE(cudaDevAttrMpsEnabled), KNOWN(0) },
  { FIELD_13(hostNumaId), ATTRIBUTE(cudaDevAttrHostNumaId), INVENTED(-1) },
  { FIELD_13(gpuPciDeviceID), ATTRIBUTE(cudaDevAttrGpuPciDeviceId), INVENTED(0) },
  { FIELD_13(gpuPciSubsystemID), ATTRIBUTE(cudaDevAttrGpuPciSubsystemId), INVENTED(0) },
  { FIELD_13(hostNumaMultinodeIpcSupported), ATTRIBUTE(cudaDevAttrHostNumaMultinodeIpcSupported), KNOWN(0) },
  { ATTRIBUTE(cudaDevAttrCanFlushRemoteWrites), KNOWN(0) },
  { ATTRIBUTE(cudaDevAttrMemSyncDomainCount), KNOWN(1) },
  { ATTRIBUTE(cudaDevAttrD3D12CigSupported), KNOWN(0) },
  { ATTRIBUTE(cudaDevAttrVulkanCigSupported), KNOWN(0) },
  { ATTRIBUTE(cudaDevAttrHostNumaMemoryPoolsSupported), KNOWN(0) },
  { ATTRIBUTE(cudaDevAttrHostMemoryPoolsSupported), KNOWN(0) },
  { ATTRIBUTE(cudaDevAttrOnlyPartialHostNativeAtomicSupported), KNOWN(0) },
  { ATTRIBUTE(cudaDevAttrReserved92), KNOWN(1), .note = "cuStreamWaitValue32() and its kin" },
  { ATTRIBUTE(cudaDevAttrReserved93), KNOWN(1), .note = "cuStreamWaitValue32() and its kin" },
  { ATTRIBUTE(cudaDevAttrReserved94), KNOWN(1), .note = "cuStreamWaitValue32() and its kin" },
  { ATTRIBUTE(cudaDevAttrReserved122), KNOWN(1), .note = "cuStreamWaitValue32() and its kin" },
  { ATTRIBUTE(cudaDevAttrReserved123), KNOWN(1), .note = "cuStreamWaitValue32() and its kin" },
  { ATTRIBUTE(cudaDevAttrReserved124), INVENTED(0), .note = "reserved by CUDA" },
  { ATTRIBUTE(cudaDevAttrReserved127), INVENTED(0), .note = "reserved by CUDA" },
  { ATTRIBUTE(cudaDevAttrReserved128), INVENTED(0), .note = "reserved by CUDA" },
  { ATTRIBUTE(cudaDevAttrReserved132), INVENTED(0), .note = "reserved by CUDA" },
  { ATTRIBUTE(cudaDevAttrReserved141), INVENTED(0), .note = "reserved by CUDA" },
  { ATTRIBUTE(cudaDevAttrReserved145), INVENTED(0), .note = "reserved by CUDA" },
};

const size_t vptr__cuda_property_count = sizeof vptr__cuda_properties / sizeof *vptr__cuda_properties;
