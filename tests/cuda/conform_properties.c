/* SPDX-License-Identifier: MIT */
/* conform_properties - what a device is: the structure's layout, sane values, attributes that agree with fields. */
#include "conform.h"

#include <stddef.h>
#include <string.h>

static struct cudaDeviceProp prop;

/* CUDA 13's layout; CUDA 12's runtime has another structure under the same name. */
static void the_layout_is_that_of_cuda_13(void) {
  conform_true(sizeof(struct cudaDeviceProp) == 1008);
  conform_true(offsetof(struct cudaDeviceProp, uuid) == 256);
  conform_true(offsetof(struct cudaDeviceProp, totalGlobalMem) == 288);
  conform_true(offsetof(struct cudaDeviceProp, warpSize) == 308);
  conform_true(offsetof(struct cudaDeviceProp, totalConstMem) == 352);
  conform_true(offsetof(struct cudaDeviceProp, major) == 360);
  conform_true(offsetof(struct cudaDeviceProp, multiProcessorCount) == 384);
  conform_true(offsetof(struct cudaDeviceProp, reservedSharedMemPerBlock) == 696);
  conform_true(offsetof(struct cudaDeviceProp, hostNumaMultinodeIpcSupported) == 780);
  conform_true(offsetof(struct cudaDeviceProp, reserved) == 784);
  conform_true(sizeof(cudaUUID_t) == 16);
}

static void properties_are_sane(void) {
  memset(&prop, 0x55, sizeof prop);
  conform_succeed(cudaGetDeviceProperties(&prop, 0));
  conform_true(memchr(prop.name, 0, sizeof prop.name) != NULL && prop.name[0] != '\0');
  conform_true(prop.totalGlobalMem > 0);
  conform_true(prop.sharedMemPerBlock > 0 && prop.regsPerBlock > 0);
  conform_true(prop.warpSize > 0 && prop.maxThreadsPerBlock >= 1);
  conform_true(prop.maxThreadsDim[0] >= 1 && prop.maxThreadsDim[1] >= 1 && prop.maxThreadsDim[2] >= 1);
  /* programs have these built in: no device of CUDA's has more */
  conform_true(prop.maxThreadsPerBlock <= 1024 && prop.maxThreadsDim[0] <= 1024 && prop.maxThreadsDim[1] <= 1024);
  conform_true(prop.maxThreadsDim[2] <= 64 && prop.maxThreadsPerMultiProcessor <= 2048);
  conform_true(prop.sharedMemPerBlock <= 49152);
  conform_true(prop.maxGridSize[0] >= 65535 && prop.maxGridSize[1] >= 65535 && prop.maxGridSize[2] >= 65535);
  conform_true(prop.memPitch > 0 && prop.totalConstMem > 0);
  conform_true(prop.major >= 1 && prop.minor >= 0);
  conform_true(prop.textureAlignment > 0 && prop.texturePitchAlignment > 0 && prop.surfaceAlignment > 0);
  conform_true(prop.multiProcessorCount >= 1);
  conform_true(prop.maxTexture2D[0] > 0 && prop.maxTexture2D[1] > 0 && prop.maxTexture3D[2] > 0);
  conform_true(prop.maxThreadsPerMultiProcessor >= prop.maxThreadsPerBlock);
  conform_true(prop.maxBlocksPerMultiProcessor >= 1);
  conform_true(prop.sharedMemPerMultiprocessor >= prop.sharedMemPerBlock);
  conform_true(prop.sharedMemPerBlockOptin >= prop.sharedMemPerBlock);
  conform_true(prop.unifiedAddressing == 1);
  printf("observed: %s, %zu bytes, %d.%d, %d units of %d threads, warp %d, %d bytes of cache\n", prop.name,
         prop.totalGlobalMem, prop.major, prop.minor, prop.multiProcessorCount, prop.maxThreadsPerMultiProcessor,
         prop.warpSize, prop.l2CacheSize);
  printf("observed: integrated %d, map host %d, copies %d, managed %d, pools %d, priorities %d, register %d\n",
         prop.integrated, prop.canMapHostMemory, prop.asyncEngineCount, prop.managedMemory, prop.memoryPoolsSupported,
         prop.streamPrioritiesSupported, prop.hostRegisterSupported);
}

static void wrong_questions_are_refused(void) {
  int count = 0, value = -7;
  conform_succeed(cudaGetDeviceCount(&count));
  conform_expect(cudaErrorInvalidDevice, cudaGetDeviceProperties(&prop, count));
  conform_expect(cudaErrorInvalidDevice, cudaGetDeviceProperties(&prop, -1));
  conform_expect(cudaErrorInvalidValue, cudaGetDeviceProperties(NULL, 0));
  conform_expect(cudaErrorInvalidValue, cudaGetDeviceProperties(NULL, count));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, count));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, count));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)100000, 0));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr) - 1, 0));
  conform_true(value == -7);
}

static void agree(enum cudaDeviceAttr attribute, long long field, const char *name) {
  int value = -7;
  conform_succeed(cudaDeviceGetAttribute(&value, attribute, 0));
  conform_true(value == field);
  if (value != field)
    printf("    %s: attribute %d, field %lld\n", name, value, field);
}
#define conform_agree(attribute, field) agree(cudaDevAttr##attribute, (long long)prop.field, #field)

static void attributes_agree_with_fields(void) {
  conform_succeed(cudaGetDeviceProperties(&prop, 0));
  conform_agree(MaxThreadsPerBlock, maxThreadsPerBlock);
  conform_agree(MaxBlockDimX, maxThreadsDim[0]);
  conform_agree(MaxBlockDimY, maxThreadsDim[1]);
  conform_agree(MaxBlockDimZ, maxThreadsDim[2]);
  conform_agree(MaxGridDimX, maxGridSize[0]);
  conform_agree(MaxGridDimY, maxGridSize[1]);
  conform_agree(MaxGridDimZ, maxGridSize[2]);
  conform_agree(MaxSharedMemoryPerBlock, sharedMemPerBlock);
  conform_agree(TotalConstantMemory, totalConstMem);
  conform_agree(WarpSize, warpSize);
  conform_agree(MaxPitch, memPitch);
  conform_agree(MaxRegistersPerBlock, regsPerBlock);
  conform_agree(TextureAlignment, textureAlignment);
  conform_agree(TexturePitchAlignment, texturePitchAlignment);
  conform_agree(MultiProcessorCount, multiProcessorCount);
  conform_agree(Integrated, integrated);
  conform_agree(CanMapHostMemory, canMapHostMemory);
  conform_agree(MaxTexture1DWidth, maxTexture1D);
  conform_agree(MaxTexture2DWidth, maxTexture2D[0]);
  conform_agree(MaxTexture2DHeight, maxTexture2D[1]);
  conform_agree(MaxTexture3DDepth, maxTexture3D[2]);
  conform_agree(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]);
  conform_agree(MaxSurface3DWidth, maxSurface3D[0]);
  conform_agree(SurfaceAlignment, surfaceAlignment);
  conform_agree(ConcurrentKernels, concurrentKernels);
  conform_agree(EccEnabled, ECCEnabled);
  conform_agree(PciBusId, pciBusID);
  conform_agree(PciDeviceId, pciDeviceID);
  conform_agree(PciDomainId, pciDomainID);
  conform_agree(AsyncEngineCount, asyncEngineCount);
  conform_agree(UnifiedAddressing, unifiedAddressing);
  conform_agree(GlobalMemoryBusWidth, memoryBusWidth);
  conform_agree(L2CacheSize, l2CacheSize);
  conform_agree(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor);
  conform_agree(StreamPrioritiesSupported, streamPrioritiesSupported);
  conform_agree(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor);
  conform_agree(MaxRegistersPerMultiprocessor, regsPerMultiprocessor);
  conform_agree(ManagedMemory, managedMemory);
  conform_agree(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin);
  conform_agree(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor);
  conform_agree(MemoryPoolsSupported, memoryPoolsSupported);
  conform_agree(ComputeCapabilityMajor, major);
  conform_agree(ComputeCapabilityMinor, minor);
}

/* Attributes that CUDA has kept while the structure lost their fields. */
static void attributes_without_a_field_are_told(void) {
  int value = -7;
  conform_succeed(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
  conform_true(value > 0);
  conform_succeed(cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, 0));
  conform_true(value >= cudaComputeModeDefault && value <= cudaComputeModeExclusiveProcess);
  conform_succeed(cudaDeviceGetAttribute(&value, cudaDevAttrGpuOverlap, 0));
  conform_succeed(cudaDeviceGetAttribute(&value, cudaDevAttrKernelExecTimeout, 0));
  conform_succeed(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryClockRate, 0));
  conform_succeed(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture1DLinearWidth, 0));
  conform_true(value > 0);
  for (int attribute = 1; attribute < cudaDevAttrMax; attribute++) {
    cudaError_t error = cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)attribute, 0);
    if (error != cudaSuccess)
      printf("observed: attribute %d: %s\n", attribute, cudaGetErrorName(error));
  }
  cudaGetLastError();
}

/* ---- what a device says it can, it does ----------------------------------------------------------------- */

enum { PAGE = 4096 };

static _Alignas(PAGE) char registered[PAGE];

static int attribute_of(enum cudaDeviceAttr attribute) {
  int value = -7;
  conform_succeed(cudaDeviceGetAttribute(&value, attribute, 0));
  return value;
}

static void mapped_memory_has_an_address_if_it_is_said_to(void) {
  void *host = NULL, *device = NULL;
  int can_map = attribute_of(cudaDevAttrCanMapHostMemory);
  conform_true(can_map == 0 || can_map == 1);
  conform_succeed(cudaHostAlloc(&host, PAGE, cudaHostAllocMapped));
  cudaError_t error = cudaHostGetDevicePointer(&device, host, 0);
  printf("observed: can map %d: %s\n", can_map, cudaGetErrorName(error));
  conform_true((error == cudaSuccess) == can_map);
  conform_true(error == cudaSuccess || error == cudaErrorNotSupported);
  conform_true((device != NULL) == can_map);
  if (can_map) {
    memcpy(host, "there", 6);
    char seen[6] = "";
    conform_succeed(cudaMemcpy(seen, device, 6, cudaMemcpyDefault));
    conform_true(strcmp(seen, "there") == 0);
  }
  cudaGetLastError();
  conform_succeed(cudaFreeHost(host));
}

static void registered_memory_is_as_it_is_said_to_be(void) {
  void *device = NULL;
  int can_map = attribute_of(cudaDevAttrCanMapHostMemory);
  conform_true(attribute_of(cudaDevAttrHostRegisterSupported) == 1);
  conform_succeed(cudaHostRegister(registered, PAGE, cudaHostRegisterMapped));
  cudaError_t error = cudaHostGetDevicePointer(&device, registered, 0);
  conform_true((error == cudaSuccess) == can_map);
  cudaGetLastError();
  int same = attribute_of(cudaDevAttrCanUseHostPointerForRegisteredMem);
  printf("observed: host pointer for registered memory %d, the same address %d\n", same,
         (const void *)registered == device);
  if (error == cudaSuccess)
    conform_true(((const void *)registered == device) == same);
  conform_succeed(cudaHostUnregister(registered));
  cudaGetLastError();

  int can_read = attribute_of(cudaDevAttrHostRegisterReadOnlySupported);
  error = cudaHostRegister(registered, PAGE, cudaHostRegisterReadOnly);
  conform_true((error == cudaSuccess) == can_read);
  if (error == cudaSuccess)
    conform_succeed(cudaHostUnregister(registered));
  cudaGetLastError();
}

static void addresses_are_unified_if_they_are_said_to_be(void) {
  struct cudaPointerAttributes what;
  char sent[8] = "unified", seen[8] = "";
  void *device = NULL;
  if (attribute_of(cudaDevAttrUnifiedAddressing) != 1)
    return;
  conform_succeed(cudaMalloc(&device, sizeof sent));
  conform_succeed(cudaMemcpy(device, sent, sizeof sent, cudaMemcpyDefault));
  conform_succeed(cudaMemcpy(seen, device, sizeof sent, cudaMemcpyDefault));
  conform_true(strcmp(seen, sent) == 0);
  conform_succeed(cudaPointerGetAttributes(&what, device));
  conform_true(what.type == cudaMemoryTypeDevice && what.device == 0);
  conform_succeed(cudaFree(device));
}

static void pools_are_there_if_they_are_said_to_be(void) {
  void *p = NULL;
  int has = attribute_of(cudaDevAttrMemoryPoolsSupported);
  conform_true((cudaMallocAsync(&p, 64, NULL) == cudaSuccess) == has);
  if (has)
    conform_succeed(cudaFreeAsync(p, NULL));
  conform_succeed(cudaDeviceSynchronize());
}

#ifdef VPTR_CUDA_RUNTIME_API_H
/* Sources of CUDA 11 and 12 name what 13 removed. */
static void former_fields_can_be_named(void) {
  conform_succeed(cudaGetDeviceProperties_v2(&prop, 0));
  conform_agree(ClockRate, clockRate);
  conform_agree(GpuOverlap, deviceOverlap);
  conform_agree(KernelExecTimeout, kernelExecTimeoutEnabled);
  conform_agree(ComputeMode, computeMode);
  conform_agree(MaxTexture1DLinearWidth, maxTexture1DLinear);
  conform_agree(MemoryClockRate, memoryClockRate);
  conform_agree(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio);
  conform_agree(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch);
}
#endif

int main(void) {
  the_layout_is_that_of_cuda_13();
  properties_are_sane();
  wrong_questions_are_refused();
  attributes_agree_with_fields();
  attributes_without_a_field_are_told();
  mapped_memory_has_an_address_if_it_is_said_to();
  registered_memory_is_as_it_is_said_to_be();
  addresses_are_unified_if_they_are_said_to_be();
  pools_are_there_if_they_are_said_to_be();
#ifdef VPTR_CUDA_RUNTIME_API_H
  former_fields_can_be_named();
#endif
  return conform_done("conform_properties");
}
