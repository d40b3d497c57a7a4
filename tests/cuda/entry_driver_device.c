/* SPDX-License-Identifier: MIT */
/* entry_driver_device - rows of the driver's interface: errors, versions, devices, contexts. */
#include "entry.h"

#include <cudaProfiler.h>

static void errors(void) {
  const char *text = NULL;
  int version = 0;
  ENTRY(cuInit, (0), CUDA_SUCCESS, 1, (1), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuGetErrorName, (CUDA_ERROR_INVALID_VALUE, &text), CUDA_SUCCESS,
        strcmp(text, "CUDA_ERROR_INVALID_VALUE") == 0, ((CUresult)-1, &text), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuGetErrorString, (CUDA_ERROR_INVALID_VALUE, &text), CUDA_SUCCESS, strcmp(text, "invalid argument") == 0,
        ((CUresult)-1, &text), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuDriverGetVersion, (&version), CUDA_SUCCESS, version >= 12000, (NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuProfilerStart, (), CUDA_SUCCESS, 1, (), CUDA_SUCCESS);
  ENTRY(cuProfilerStop, (), CUDA_SUCCESS, 1, (), CUDA_SUCCESS);
}

static void devices(void) {
  CUdevice device = -1;
  int count = 0, warp = 0, major = -1, minor = -1;
  size_t bytes = 0;
  char name[256] = "", bus[32] = "";
  CUuuid uuid = { { 0 } };
  CUdevprop properties = { .SIMDWidth = 0 };
  ENTRY(cuDeviceGet, (&device, 0), CUDA_SUCCESS, device == 0, (&device, NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDeviceGetCount, (&count), CUDA_SUCCESS, count >= 1, (NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuDeviceGetName, (name, sizeof name, 0), CUDA_SUCCESS, name[0] != '\0', (name, sizeof name, NOT_A_DEVICE),
        CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDeviceGetUuid, (&uuid, 0), CUDA_SUCCESS, !entry_host_holds(&uuid, 0, sizeof uuid), (NULL, 0),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuDeviceTotalMem, (&bytes, 0), CUDA_SUCCESS, bytes > 0, (&bytes, NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDeviceGetAttribute, (&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), CUDA_SUCCESS, warp > 0,
        (&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDeviceGetProperties, (&properties, 0), CUDA_SUCCESS, properties.SIMDWidth == warp,
        (&properties, NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDeviceComputeCapability, (&major, &minor, 0), CUDA_SUCCESS, major > 0 && minor >= 0,
        (&major, &minor, NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDeviceGetPCIBusId, (bus, sizeof bus, 0), CUDA_SUCCESS, strchr(bus, ':') != NULL,
        (bus, sizeof bus, NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  device = -1;
  ENTRY(cuDeviceGetByPCIBusId, (&device, bus), CUDA_SUCCESS, device == 0, (&device, "no bus"),
        CUDA_ERROR_INVALID_VALUE);
}

static void peers_and_pools(void) {
  int can = -1, value = -1;
  CUmemoryPool standard = NULL, now = NULL;
  ENTRY(cuDeviceCanAccessPeer, (&can, 0, 0), CUDA_SUCCESS, can == 0, (&can, 0, NOT_A_DEVICE),
        CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDeviceGetP2PAttribute, (&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0), CUDA_ERROR_INVALID_DEVICE,
        value == -1, (&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDeviceGetDefaultMemPool, (&standard, 0), CUDA_SUCCESS, standard != NULL, (&standard, NOT_A_DEVICE),
        CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDeviceSetMemPool, (0, standard), CUDA_SUCCESS, 1, (NOT_A_DEVICE, standard), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDeviceGetMemPool, (&now, 0), CUDA_SUCCESS, now == standard, (&now, NOT_A_DEVICE),
        CUDA_ERROR_INVALID_DEVICE);
}

static void contexts(CUcontext primary) {
  CUcontext context = NULL, current = NULL;
  CUdevice device = -1;
  unsigned flags = 99, version = 0;
  vptr_unsigned_long_long id = 0, other = 0;
  ENTRY(cuCtxCreate, (&context, NULL, 0, 0), CUDA_SUCCESS, context != NULL, (&context, NULL, 0, NOT_A_DEVICE),
        CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuCtxSetCurrent, (context), CUDA_SUCCESS, 1, ((CUcontext)(void *)&flags), CUDA_ERROR_INVALID_CONTEXT);
  ENTRY(cuCtxGetCurrent, (&current), CUDA_SUCCESS, current == context, (NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuCtxPopCurrent, (&current), CUDA_SUCCESS, current == context, ((CUcontext *)NULL), CUDA_SUCCESS);
  ENTRY(cuCtxPushCurrent, (context), CUDA_SUCCESS, 1, (NULL), CUDA_ERROR_INVALID_CONTEXT);
  ENTRY(cuCtxGetDevice, (&device), CUDA_SUCCESS, device == 0, (NULL), CUDA_ERROR_INVALID_VALUE);
  device = -1;
  ENTRY(cuCtxGetDevice_v2, (&device, primary), CUDA_SUCCESS, device == 0, (NULL, primary), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuCtxSetFlags, (CU_CTX_SCHED_YIELD), CUDA_SUCCESS, 1, (0x40000000), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuCtxGetFlags, (&flags), CUDA_SUCCESS, (flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_YIELD, (NULL),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuCtxGetId(primary, &other) == CUDA_SUCCESS);
  ENTRY(cuCtxGetId, (context, &id), CUDA_SUCCESS, id != other, (context, NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuCtxGetApiVersion, (context, &version), CUDA_SUCCESS, version > 0, (context, NULL),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuCtxSynchronize, (), CUDA_SUCCESS, 1, (), CUDA_SUCCESS);
  ENTRY(cuCtxSynchronize_v2, (context), CUDA_SUCCESS, 1, ((CUcontext)(void *)&flags), CUDA_ERROR_INVALID_CONTEXT);
  ENTRY(cuCtxEnablePeerAccess, (context, 0), CUDA_ERROR_INVALID_CONTEXT, 1, (NULL, 0), CUDA_ERROR_INVALID_CONTEXT);
  ENTRY(cuCtxDisablePeerAccess, (context), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 1, (NULL), CUDA_ERROR_INVALID_CONTEXT);
  ENTRY(cuCtxDestroy, (context), CUDA_SUCCESS, 1, (context), CUDA_ERROR_INVALID_CONTEXT);
  NEED(cuCtxSetCurrent(primary) == CUDA_SUCCESS);
}

static void settings(void) {
  size_t size = 0, same = 0;
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_L1;
  CUsharedconfig banks = CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
  int least = 99, greatest = 99;
  NEED(cuCtxGetLimit(&same, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS);
  ENTRY(cuCtxSetLimit, (CU_LIMIT_STACK_SIZE, same), CUDA_SUCCESS, 1, ((CUlimit)99, 1), CUDA_ERROR_UNSUPPORTED_LIMIT);
  ENTRY(cuCtxGetLimit, (&size, CU_LIMIT_STACK_SIZE), CUDA_SUCCESS, size == same, (&size, (CUlimit)99),
        CUDA_ERROR_UNSUPPORTED_LIMIT);
  ENTRY(cuCtxSetCacheConfig, (CU_FUNC_CACHE_PREFER_NONE), CUDA_SUCCESS, 1, ((CUfunc_cache)99),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuCtxGetCacheConfig, (&cache), CUDA_SUCCESS, cache == CU_FUNC_CACHE_PREFER_NONE, (NULL),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuCtxSetSharedMemConfig, (CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE), CUDA_SUCCESS, 1, ((CUsharedconfig)99),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuCtxGetSharedMemConfig, (&banks), CUDA_SUCCESS, banks == CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE, (NULL),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuCtxGetStreamPriorityRange, (&least, &greatest), CUDA_SUCCESS, least >= greatest && least != 99,
        (NULL, NULL), CUDA_SUCCESS);
}

void entry_driver_device(void) {
  CUcontext primary = NULL;
  unsigned flags = 99;
  int active = -1;
  errors();
  devices();
  peers_and_pools();
  ENTRY(cuDevicePrimaryCtxSetFlags, (0, CU_CTX_SCHED_SPIN), CUDA_SUCCESS, 1, (0, 0x40000000),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuDevicePrimaryCtxRetain, (&primary, 0), CUDA_SUCCESS, primary != NULL, (&primary, NOT_A_DEVICE),
        CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuDevicePrimaryCtxGetState, (0, &flags, &active), CUDA_SUCCESS,
        active == 1 && (flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_SPIN, (NOT_A_DEVICE, &flags, &active),
        CUDA_ERROR_INVALID_DEVICE);
  contexts(primary);
  settings();
  ENTRY(cuDevicePrimaryCtxRelease, (0), CUDA_SUCCESS, 1, (NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  NEED(cudaFree(NULL) == cudaSuccess);
  NEED(cuCtxSetCurrent(primary) == CUDA_SUCCESS);
}
