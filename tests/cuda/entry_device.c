/* SPDX-License-Identifier: MIT */
/*
 * entry_device - rows of the runtime: errors, versions, devices, their settings; and what resets a device, which comes
 * last.
 */
#include "entry.h"

#include <cuda_profiler_api.h>

/* Of CUDA 12's programs, whose structure begins alike and is longer. */
typedef union properties_12 {
  struct cudaDeviceProp beginning;
  char room[2048];
} properties_12;
#undef cudaGetDeviceProperties_v2
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetDeviceProperties_v2(properties_12 *prop, int device);

static void errors(void) {
  int version = 0;
  ENTRY_HOLDS(cudaGetErrorName, strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  ENTRY_HOLDS(cudaGetErrorString, strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
  cudaSetDevice(NOT_A_DEVICE);
  ENTRY(cudaPeekAtLastError, (), cudaErrorInvalidDevice, 1, (), cudaErrorInvalidDevice);
  cudaSetDevice(NOT_A_DEVICE);
  ENTRY(cudaGetLastError, (), cudaErrorInvalidDevice, 1, (), cudaSuccess);
  ENTRY(cudaRuntimeGetVersion, (&version), cudaSuccess, version >= 12000, (NULL), cudaErrorInvalidValue);
  version = 0;
  ENTRY(cudaDriverGetVersion, (&version), cudaSuccess, version >= 12000, (NULL), cudaErrorInvalidValue);
  ENTRY(cudaProfilerStart, (), cudaSuccess, 1, (), cudaSuccess);
  ENTRY(cudaProfilerStop, (), cudaSuccess, 1, (), cudaSuccess);
}

static void devices(void) {
  int count = 0, device = -1, valid[] = { 0 }, invalid[] = { NOT_A_DEVICE }, value = 0;
  char bus[32] = "";
  struct cudaDeviceProp properties = { .warpSize = 0 };
  static properties_12 older;
  ENTRY(cudaGetDeviceCount, (&count), cudaSuccess, count >= 1, (NULL), cudaErrorInvalidValue);
  ENTRY(cudaSetDevice, (0), cudaSuccess, 1, (NOT_A_DEVICE), cudaErrorInvalidDevice);
  ENTRY(cudaGetDevice, (&device), cudaSuccess, device == 0, (NULL), cudaErrorInvalidValue);
  ENTRY(cudaGetDeviceProperties, (&properties, 0), cudaSuccess, properties.warpSize > 0, (&properties, NOT_A_DEVICE),
        cudaErrorInvalidDevice);
  ENTRY(cudaGetDeviceProperties_v2, (&older, 0), cudaSuccess, older.beginning.warpSize == properties.warpSize,
        (NULL, 0), cudaErrorInvalidValue);
  ENTRY(cudaDeviceGetAttribute, (&value, cudaDevAttrWarpSize, 0), cudaSuccess, value == properties.warpSize,
        (&value, cudaDevAttrWarpSize, NOT_A_DEVICE), cudaErrorInvalidDevice);
  ENTRY(cudaChooseDevice, (&device, &properties), cudaSuccess, device >= 0 && device < count, (NULL, &properties),
        cudaErrorInvalidValue);
  ENTRY(cudaSetValidDevices, (valid, 1), cudaSuccess, 1, (invalid, 1), cudaErrorInvalidDevice);
  ENTRY(cudaInitDevice, (0, 0, 0), cudaSuccess, 1, (NOT_A_DEVICE, 0, 0), cudaErrorInvalidDevice);
  ENTRY(cudaDeviceGetPCIBusId, (bus, sizeof bus, 0), cudaSuccess, strchr(bus, ':') != NULL,
        (bus, sizeof bus, NOT_A_DEVICE), cudaErrorInvalidDevice);
  device = -1;
  ENTRY(cudaDeviceGetByPCIBusId, (&device, bus), cudaSuccess, device == 0, (&device, "no bus"),
        cudaErrorInvalidValue);
  ENTRY(cudaDeviceSynchronize, (), cudaSuccess, 1, (), cudaSuccess);
}

static void peers(void) {
  int can = -1, value = -1;
  ENTRY(cudaDeviceCanAccessPeer, (&can, 0, 0), cudaSuccess, can == 0, (&can, 0, NOT_A_DEVICE),
        cudaErrorInvalidDevice);
  ENTRY(cudaDeviceEnablePeerAccess, (0, 0), cudaErrorPeerAccessUnsupported, 1, (NOT_A_DEVICE, 0),
        cudaErrorInvalidDevice);
  ENTRY(cudaDeviceDisablePeerAccess, (0), cudaErrorPeerAccessNotEnabled, 1, (NOT_A_DEVICE), cudaErrorInvalidDevice);
  ENTRY(cudaDeviceGetP2PAttribute, (&value, cudaDevP2PAttrAccessSupported, 0, 0), cudaErrorInvalidDevice, value == -1,
        (&value, cudaDevP2PAttrAccessSupported, 0, NOT_A_DEVICE), cudaErrorInvalidDevice);
}

static void settings(void) {
  size_t size = 0, same = 0;
  unsigned flags = 0;
  enum cudaFuncCache cache = cudaFuncCachePreferL1;
  enum cudaSharedMemConfig banks = cudaSharedMemBankSizeEightByte;
  int least = 99, greatest = 99;
  enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  ENTRY(cudaSetDeviceFlags, (cudaDeviceScheduleYield), cudaSuccess, 1, (0x40000000), cudaErrorInvalidValue);
  ENTRY(cudaGetDeviceFlags, (&flags), cudaSuccess, (flags & cudaDeviceScheduleMask) == cudaDeviceScheduleYield,
        (NULL), cudaErrorInvalidValue);
  cudaDeviceGetLimit(&same, cudaLimitStackSize);
  ENTRY(cudaDeviceSetLimit, (cudaLimitStackSize, same), cudaSuccess, 1, ((enum cudaLimit)99, 1),
        cudaErrorUnsupportedLimit);
  ENTRY(cudaDeviceGetLimit, (&size, cudaLimitStackSize), cudaSuccess, size == same, (&size, (enum cudaLimit)99),
        cudaErrorUnsupportedLimit);
  ENTRY(cudaThreadSetLimit, (cudaLimitStackSize, same), cudaSuccess, 1, ((enum cudaLimit)99, 1),
        cudaErrorUnsupportedLimit);
  size = 0;
  ENTRY(cudaThreadGetLimit, (&size, cudaLimitStackSize), cudaSuccess, size == same, (NULL, cudaLimitStackSize),
        cudaErrorInvalidValue);
  ENTRY(cudaDeviceSetCacheConfig, (cudaFuncCachePreferNone), cudaSuccess, 1, ((enum cudaFuncCache)99),
        cudaErrorInvalidValue);
  ENTRY(cudaDeviceGetCacheConfig, (&cache), cudaSuccess, cache == cudaFuncCachePreferNone, (NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaThreadSetCacheConfig, (cudaFuncCachePreferNone), cudaSuccess, 1, ((enum cudaFuncCache)99),
        cudaErrorInvalidValue);
  cache = cudaFuncCachePreferL1;
  ENTRY(cudaThreadGetCacheConfig, (&cache), cudaSuccess, cache == cudaFuncCachePreferNone, (NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaDeviceSetSharedMemConfig, (cudaSharedMemBankSizeFourByte), cudaSuccess, 1, ((enum cudaSharedMemConfig)99),
        cudaErrorInvalidValue);
  ENTRY(cudaDeviceGetSharedMemConfig, (&banks), cudaSuccess, banks == cudaSharedMemBankSizeFourByte, (NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaDeviceGetStreamPriorityRange, (&least, &greatest), cudaSuccess, least >= greatest && least != 99,
        (NULL, NULL), cudaSuccess);
  ENTRY(cudaThreadExchangeStreamCaptureMode, (&mode), cudaSuccess, mode == cudaStreamCaptureModeGlobal, (NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaThreadSynchronize, (), cudaSuccess, 1, (), cudaSuccess);
}

void entry_runtime_device(void) {
  errors();
  devices();
  peers();
  settings();
}

/* Memory of before is nobody's afterwards. */
void entry_reset(void) {
  void *device = NULL;
  NEED(cudaMalloc(&device, BYTES) == cudaSuccess);
  ENTRY(cudaThreadExit, (), cudaSuccess, cudaFree(device) == cudaErrorInvalidValue, (), cudaSuccess);
  NEED(cudaMalloc(&device, BYTES) == cudaSuccess);
  ENTRY(cudaDeviceReset, (), cudaSuccess, cudaFree(device) == cudaErrorInvalidValue, (), cudaSuccess);
}
