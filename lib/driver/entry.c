/* SPDX-License-Identifier: MIT */
/*
 * entry - cuGetProcAddress(): functions by name and version.
 *
 * A row for each symbol: the name without its version, the version of CUDA that it came with, the function, and its
 * variant for the thread's own default stream. The versions tell apart what has several symbols, newest first. A
 * function whose first symbol is here is mostly as old as CUDA 2.0, so that no program is told that it is too old; one
 * whose earlier symbols are not here has the version of the one that is. tests/project/driver_coverage.sh compares the
 * names with what is exported. Constant; no locks. Called by programs alone.
 */
#include <string.h>

#include <vptr/cuda/cudaProfiler.h>

#include "base/error.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

typedef void (*entry)(void);

typedef struct row {
  const char *name;
  int since;
  entry function, variant;
} row;

static const row rows[] = {
  { "cuArray3DCreate", 3020, (entry)cuArray3DCreate_v2, NULL },
  { "cuArray3DGetDescriptor", 3020, (entry)cuArray3DGetDescriptor_v2, NULL },
  { "cuArrayCreate", 3020, (entry)cuArrayCreate_v2, NULL },
  { "cuArrayDestroy", 2000, (entry)cuArrayDestroy, NULL },
  { "cuArrayGetDescriptor", 3020, (entry)cuArrayGetDescriptor_v2, NULL },
  { "cuCtxCreate", 12050, (entry)cuCtxCreate_v4, NULL },
  { "cuCtxCreate", 11040, (entry)cuCtxCreate_v3, NULL },
  { "cuCtxCreate", 3020, (entry)cuCtxCreate_v2, NULL },
  { "cuCtxDestroy", 4000, (entry)cuCtxDestroy_v2, NULL },
  { "cuCtxDestroy", 2000, (entry)cuCtxDestroy, NULL },
  { "cuCtxDisablePeerAccess", 2000, (entry)cuCtxDisablePeerAccess, NULL },
  { "cuCtxEnablePeerAccess", 2000, (entry)cuCtxEnablePeerAccess, NULL },
  { "cuCtxGetApiVersion", 2000, (entry)cuCtxGetApiVersion, NULL },
  { "cuCtxGetCacheConfig", 2000, (entry)cuCtxGetCacheConfig, NULL },
  { "cuCtxGetCurrent", 2000, (entry)cuCtxGetCurrent, NULL },
  { "cuCtxGetDevice", 2000, (entry)cuCtxGetDevice, NULL },
  { "cuCtxGetDevice_v2", 3020, (entry)cuCtxGetDevice_v2, NULL },
  { "cuCtxGetFlags", 2000, (entry)cuCtxGetFlags, NULL },
  { "cuCtxGetId", 2000, (entry)cuCtxGetId, NULL },
  { "cuCtxGetLimit", 2000, (entry)cuCtxGetLimit, NULL },
  { "cuCtxGetSharedMemConfig", 2000, (entry)cuCtxGetSharedMemConfig, NULL },
  { "cuCtxGetStreamPriorityRange", 2000, (entry)cuCtxGetStreamPriorityRange, NULL },
  { "cuCtxPopCurrent", 4000, (entry)cuCtxPopCurrent_v2, NULL },
  { "cuCtxPopCurrent", 2000, (entry)cuCtxPopCurrent, NULL },
  { "cuCtxPushCurrent", 4000, (entry)cuCtxPushCurrent_v2, NULL },
  { "cuCtxPushCurrent", 2000, (entry)cuCtxPushCurrent, NULL },
  { "cuCtxResetPersistingL2Cache", 11000, (entry)cuCtxResetPersistingL2Cache, NULL },
  { "cuCtxSetCacheConfig", 2000, (entry)cuCtxSetCacheConfig, NULL },
  { "cuCtxSetCurrent", 2000, (entry)cuCtxSetCurrent, NULL },
  { "cuCtxSetFlags", 2000, (entry)cuCtxSetFlags, NULL },
  { "cuCtxSetLimit", 2000, (entry)cuCtxSetLimit, NULL },
  { "cuCtxSetSharedMemConfig", 2000, (entry)cuCtxSetSharedMemConfig, NULL },
  { "cuCtxSynchronize", 2000, (entry)cuCtxSynchronize, NULL },
  { "cuCtxSynchronize_v2", 3020, (entry)cuCtxSynchronize_v2, NULL },
  { "cuDeviceCanAccessPeer", 2000, (entry)cuDeviceCanAccessPeer, NULL },
  { "cuDeviceComputeCapability", 2000, (entry)cuDeviceComputeCapability, NULL },
  { "cuDeviceGet", 2000, (entry)cuDeviceGet, NULL },
  { "cuDeviceGetAttribute", 2000, (entry)cuDeviceGetAttribute, NULL },
  { "cuDeviceGetByPCIBusId", 2000, (entry)cuDeviceGetByPCIBusId, NULL },
  { "cuDeviceGetCount", 2000, (entry)cuDeviceGetCount, NULL },
  { "cuDeviceGetDefaultMemPool", 2000, (entry)cuDeviceGetDefaultMemPool, NULL },
  { "cuDeviceGetHostAtomicCapabilities", 13000, (entry)cuDeviceGetHostAtomicCapabilities, NULL },
  { "cuDeviceGetMemPool", 2000, (entry)cuDeviceGetMemPool, NULL },
  { "cuDeviceGetName", 2000, (entry)cuDeviceGetName, NULL },
  { "cuDeviceGetP2PAtomicCapabilities", 13000, (entry)cuDeviceGetP2PAtomicCapabilities, NULL },
  { "cuDeviceGetP2PAttribute", 2000, (entry)cuDeviceGetP2PAttribute, NULL },
  { "cuDeviceGetPCIBusId", 2000, (entry)cuDeviceGetPCIBusId, NULL },
  { "cuDeviceGetProperties", 2000, (entry)cuDeviceGetProperties, NULL },
  { "cuDeviceGetUuid", 11040, (entry)cuDeviceGetUuid_v2, NULL },
  { "cuDeviceGetUuid", 9020, (entry)cuDeviceGetUuid, NULL },
  { "cuDevicePrimaryCtxGetState", 2000, (entry)cuDevicePrimaryCtxGetState, NULL },
  { "cuDevicePrimaryCtxRelease", 11000, (entry)cuDevicePrimaryCtxRelease_v2, NULL },
  { "cuDevicePrimaryCtxRelease", 7000, (entry)cuDevicePrimaryCtxRelease, NULL },
  { "cuDevicePrimaryCtxReset", 11000, (entry)cuDevicePrimaryCtxReset_v2, NULL },
  { "cuDevicePrimaryCtxReset", 7000, (entry)cuDevicePrimaryCtxReset, NULL },
  { "cuDevicePrimaryCtxRetain", 2000, (entry)cuDevicePrimaryCtxRetain, NULL },
  { "cuDevicePrimaryCtxSetFlags", 11000, (entry)cuDevicePrimaryCtxSetFlags_v2, NULL },
  { "cuDevicePrimaryCtxSetFlags", 7000, (entry)cuDevicePrimaryCtxSetFlags, NULL },
  { "cuDeviceSetMemPool", 2000, (entry)cuDeviceSetMemPool, NULL },
  { "cuDeviceTotalMem", 3020, (entry)cuDeviceTotalMem_v2, NULL },
  { "cuDriverGetVersion", 2000, (entry)cuDriverGetVersion, NULL },
  { "cuEventCreate", 2000, (entry)cuEventCreate, NULL },
  { "cuEventDestroy", 4000, (entry)cuEventDestroy_v2, NULL },
  { "cuEventDestroy", 2000, (entry)cuEventDestroy, NULL },
  { "cuEventElapsedTime", 12080, (entry)cuEventElapsedTime_v2, NULL },
  { "cuEventElapsedTime", 2000, (entry)cuEventElapsedTime, NULL },
  { "cuEventQuery", 2000, (entry)cuEventQuery, NULL },
  { "cuEventRecord", 2000, (entry)cuEventRecord, (entry)cuEventRecord_ptsz },
  { "cuEventRecordWithFlags", 2000, (entry)cuEventRecordWithFlags, (entry)cuEventRecordWithFlags_ptsz },
  { "cuEventSynchronize", 2000, (entry)cuEventSynchronize, NULL },
  { "cuFlushGPUDirectRDMAWrites", 11030, (entry)cuFlushGPUDirectRDMAWrites, NULL },
  { "cuFuncGetAttribute", 2000, (entry)cuFuncGetAttribute, NULL },
  { "cuFuncGetModule", 2000, (entry)cuFuncGetModule, NULL },
  { "cuFuncGetName", 2000, (entry)cuFuncGetName, NULL },
  { "cuFuncGetParamInfo", 2000, (entry)cuFuncGetParamInfo, NULL },
  { "cuFuncIsLoaded", 12040, (entry)cuFuncIsLoaded, NULL },
  { "cuFuncLoad", 12040, (entry)cuFuncLoad, NULL },
  { "cuFuncSetAttribute", 2000, (entry)cuFuncSetAttribute, NULL },
  { "cuFuncSetCacheConfig", 2000, (entry)cuFuncSetCacheConfig, NULL },
  { "cuFuncSetSharedMemConfig", 2000, (entry)cuFuncSetSharedMemConfig, NULL },
  { "cuGetErrorName", 2000, (entry)cuGetErrorName, NULL },
  { "cuGetErrorString", 2000, (entry)cuGetErrorString, NULL },
  { "cuGetProcAddress", 12000, (entry)cuGetProcAddress_v2, NULL },
  { "cuGetProcAddress", 11030, (entry)cuGetProcAddress, NULL },
  { "cuInit", 2000, (entry)cuInit, NULL },
  { "cuIpcCloseMemHandle", 4010, (entry)cuIpcCloseMemHandle, NULL },
  { "cuIpcGetEventHandle", 4010, (entry)cuIpcGetEventHandle, NULL },
  { "cuIpcGetMemHandle", 4010, (entry)cuIpcGetMemHandle, NULL },
  { "cuIpcOpenEventHandle", 4010, (entry)cuIpcOpenEventHandle, NULL },
  { "cuIpcOpenMemHandle", 11000, (entry)cuIpcOpenMemHandle_v2, NULL },
  { "cuKernelGetAttribute", 12000, (entry)cuKernelGetAttribute, NULL },
  { "cuKernelGetFunction", 12000, (entry)cuKernelGetFunction, NULL },
  { "cuKernelGetLibrary", 12050, (entry)cuKernelGetLibrary, NULL },
  { "cuKernelGetName", 12030, (entry)cuKernelGetName, NULL },
  { "cuKernelGetParamInfo", 12040, (entry)cuKernelGetParamInfo, NULL },
  { "cuKernelSetAttribute", 12000, (entry)cuKernelSetAttribute, NULL },
  { "cuKernelSetCacheConfig", 12000, (entry)cuKernelSetCacheConfig, NULL },
  { "cuLaunchCooperativeKernel", 9000, (entry)cuLaunchCooperativeKernel, (entry)cuLaunchCooperativeKernel_ptsz },
  { "cuLaunchHostFunc", 2000, (entry)cuLaunchHostFunc, (entry)cuLaunchHostFunc_ptsz },
  { "cuLaunchKernel", 2000, (entry)cuLaunchKernel, (entry)cuLaunchKernel_ptsz },
  { "cuLaunchKernelEx", 11060, (entry)cuLaunchKernelEx, (entry)cuLaunchKernelEx_ptsz },
  { "cuLibraryEnumerateKernels", 12040, (entry)cuLibraryEnumerateKernels, NULL },
  { "cuLibraryGetGlobal", 12000, (entry)cuLibraryGetGlobal, NULL },
  { "cuLibraryGetKernel", 12000, (entry)cuLibraryGetKernel, NULL },
  { "cuLibraryGetKernelCount", 12040, (entry)cuLibraryGetKernelCount, NULL },
  { "cuLibraryGetManaged", 12000, (entry)cuLibraryGetManaged, NULL },
  { "cuLibraryGetModule", 12000, (entry)cuLibraryGetModule, NULL },
  { "cuLibraryGetUnifiedFunction", 12000, (entry)cuLibraryGetUnifiedFunction, NULL },
  { "cuLibraryLoadData", 12000, (entry)cuLibraryLoadData, NULL },
  { "cuLibraryLoadFromFile", 12000, (entry)cuLibraryLoadFromFile, NULL },
  { "cuLibraryUnload", 12000, (entry)cuLibraryUnload, NULL },
  { "cuLinkAddData", 6050, (entry)cuLinkAddData_v2, NULL },
  { "cuLinkAddFile", 6050, (entry)cuLinkAddFile_v2, NULL },
  { "cuLinkComplete", 5050, (entry)cuLinkComplete, NULL },
  { "cuLinkCreate", 6050, (entry)cuLinkCreate_v2, NULL },
  { "cuLinkDestroy", 5050, (entry)cuLinkDestroy, NULL },
  { "cuLogsCurrent", 12090, (entry)cuLogsCurrent, NULL },
  { "cuLogsDumpToFile", 12090, (entry)cuLogsDumpToFile, NULL },
  { "cuLogsDumpToMemory", 12090, (entry)cuLogsDumpToMemory, NULL },
  { "cuLogsRegisterCallback", 12090, (entry)cuLogsRegisterCallback, NULL },
  { "cuLogsUnregisterCallback", 12090, (entry)cuLogsUnregisterCallback, NULL },
  { "cuMemAdvise", 12020, (entry)cuMemAdvise_v2, NULL },
  { "cuMemAdvise", 8000, (entry)cuMemAdvise, NULL },
  { "cuMemAlloc", 3020, (entry)cuMemAlloc_v2, NULL },
  { "cuMemAllocAsync", 2000, (entry)cuMemAllocAsync, (entry)cuMemAllocAsync_ptsz },
  { "cuMemAllocFromPoolAsync", 2000, (entry)cuMemAllocFromPoolAsync, (entry)cuMemAllocFromPoolAsync_ptsz },
  { "cuMemAllocHost", 3020, (entry)cuMemAllocHost_v2, NULL },
  { "cuMemAllocManaged", 2000, (entry)cuMemAllocManaged, NULL },
  { "cuMemAllocPitch", 3020, (entry)cuMemAllocPitch_v2, NULL },
  { "cuMemDiscardAndPrefetchBatchAsync", 13000, (entry)cuMemDiscardAndPrefetchBatchAsync,
    (entry)cuMemDiscardAndPrefetchBatchAsync_ptsz },
  { "cuMemDiscardBatchAsync", 13000, (entry)cuMemDiscardBatchAsync, (entry)cuMemDiscardBatchAsync_ptsz },
  { "cuMemFree", 3020, (entry)cuMemFree_v2, NULL },
  { "cuMemFreeAsync", 2000, (entry)cuMemFreeAsync, (entry)cuMemFreeAsync_ptsz },
  { "cuMemFreeHost", 2000, (entry)cuMemFreeHost, NULL },
  { "cuMemGetAddressRange", 3020, (entry)cuMemGetAddressRange_v2, NULL },
  { "cuMemGetInfo", 3020, (entry)cuMemGetInfo_v2, NULL },
  { "cuMemHostAlloc", 2000, (entry)cuMemHostAlloc, NULL },
  { "cuMemHostGetDevicePointer", 3020, (entry)cuMemHostGetDevicePointer_v2, NULL },
  { "cuMemHostGetFlags", 2000, (entry)cuMemHostGetFlags, NULL },
  { "cuMemHostRegister", 6050, (entry)cuMemHostRegister_v2, NULL },
  { "cuMemHostRegister", 4000, (entry)cuMemHostRegister, NULL },
  { "cuMemHostUnregister", 2000, (entry)cuMemHostUnregister, NULL },
  { "cuMemPoolCreate", 2000, (entry)cuMemPoolCreate, NULL },
  { "cuMemPoolDestroy", 2000, (entry)cuMemPoolDestroy, NULL },
  { "cuMemPoolGetAttribute", 2000, (entry)cuMemPoolGetAttribute, NULL },
  { "cuMemPoolSetAttribute", 2000, (entry)cuMemPoolSetAttribute, NULL },
  { "cuMemPoolTrimTo", 2000, (entry)cuMemPoolTrimTo, NULL },
  { "cuMemPrefetchAsync", 12020, (entry)cuMemPrefetchAsync_v2, (entry)cuMemPrefetchAsync_v2_ptsz },
  { "cuMemPrefetchAsync", 8000, (entry)cuMemPrefetchAsync, (entry)cuMemPrefetchAsync_ptsz },
  { "cuMemPrefetchBatchAsync", 13000, (entry)cuMemPrefetchBatchAsync, (entry)cuMemPrefetchBatchAsync_ptsz },
  { "cuMemRangeGetAttribute", 2000, (entry)cuMemRangeGetAttribute, NULL },
  { "cuMemRangeGetAttributes", 2000, (entry)cuMemRangeGetAttributes, NULL },
  { "cuMemcpy", 2000, (entry)cuMemcpy, (entry)cuMemcpy_ptds },
  { "cuMemcpy2D", 3020, (entry)cuMemcpy2D_v2, (entry)cuMemcpy2D_v2_ptds },
  { "cuMemcpy2DAsync", 3020, (entry)cuMemcpy2DAsync_v2, (entry)cuMemcpy2DAsync_v2_ptsz },
  { "cuMemcpy2DUnaligned", 3020, (entry)cuMemcpy2DUnaligned_v2, (entry)cuMemcpy2DUnaligned_v2_ptds },
  { "cuMemcpy3D", 3020, (entry)cuMemcpy3D_v2, (entry)cuMemcpy3D_v2_ptds },
  { "cuMemcpy3DAsync", 3020, (entry)cuMemcpy3DAsync_v2, (entry)cuMemcpy3DAsync_v2_ptsz },
  { "cuMemcpy3DBatchAsync", 13000, (entry)cuMemcpy3DBatchAsync_v2, (entry)cuMemcpy3DBatchAsync_v2_ptsz },
  { "cuMemcpyAsync", 2000, (entry)cuMemcpyAsync, (entry)cuMemcpyAsync_ptsz },
  { "cuMemcpyAtoA", 3020, (entry)cuMemcpyAtoA_v2, (entry)cuMemcpyAtoA_v2_ptds },
  { "cuMemcpyAtoD", 3020, (entry)cuMemcpyAtoD_v2, (entry)cuMemcpyAtoD_v2_ptds },
  { "cuMemcpyAtoH", 3020, (entry)cuMemcpyAtoH_v2, (entry)cuMemcpyAtoH_v2_ptds },
  { "cuMemcpyAtoHAsync", 3020, (entry)cuMemcpyAtoHAsync_v2, (entry)cuMemcpyAtoHAsync_v2_ptsz },
  { "cuMemcpyBatchAsync", 13000, (entry)cuMemcpyBatchAsync_v2, (entry)cuMemcpyBatchAsync_v2_ptsz },
  { "cuMemcpyDtoA", 3020, (entry)cuMemcpyDtoA_v2, (entry)cuMemcpyDtoA_v2_ptds },
  { "cuMemcpyDtoD", 3020, (entry)cuMemcpyDtoD_v2, (entry)cuMemcpyDtoD_v2_ptds },
  { "cuMemcpyDtoDAsync", 3020, (entry)cuMemcpyDtoDAsync_v2, (entry)cuMemcpyDtoDAsync_v2_ptsz },
  { "cuMemcpyDtoH", 3020, (entry)cuMemcpyDtoH_v2, (entry)cuMemcpyDtoH_v2_ptds },
  { "cuMemcpyDtoHAsync", 3020, (entry)cuMemcpyDtoHAsync_v2, (entry)cuMemcpyDtoHAsync_v2_ptsz },
  { "cuMemcpyHtoA", 3020, (entry)cuMemcpyHtoA_v2, (entry)cuMemcpyHtoA_v2_ptds },
  { "cuMemcpyHtoAAsync", 3020, (entry)cuMemcpyHtoAAsync_v2, (entry)cuMemcpyHtoAAsync_v2_ptsz },
  { "cuMemcpyHtoD", 3020, (entry)cuMemcpyHtoD_v2, (entry)cuMemcpyHtoD_v2_ptds },
  { "cuMemcpyHtoDAsync", 3020, (entry)cuMemcpyHtoDAsync_v2, (entry)cuMemcpyHtoDAsync_v2_ptsz },
  { "cuMemcpyPeer", 2000, (entry)cuMemcpyPeer, (entry)cuMemcpyPeer_ptds },
  { "cuMemcpyPeerAsync", 2000, (entry)cuMemcpyPeerAsync, (entry)cuMemcpyPeerAsync_ptsz },
  { "cuMemsetD16", 3020, (entry)cuMemsetD16_v2, (entry)cuMemsetD16_v2_ptds },
  { "cuMemsetD16Async", 2000, (entry)cuMemsetD16Async, (entry)cuMemsetD16Async_ptsz },
  { "cuMemsetD2D16", 3020, (entry)cuMemsetD2D16_v2, (entry)cuMemsetD2D16_v2_ptds },
  { "cuMemsetD2D16Async", 2000, (entry)cuMemsetD2D16Async, (entry)cuMemsetD2D16Async_ptsz },
  { "cuMemsetD2D32", 3020, (entry)cuMemsetD2D32_v2, (entry)cuMemsetD2D32_v2_ptds },
  { "cuMemsetD2D32Async", 2000, (entry)cuMemsetD2D32Async, (entry)cuMemsetD2D32Async_ptsz },
  { "cuMemsetD2D8", 3020, (entry)cuMemsetD2D8_v2, (entry)cuMemsetD2D8_v2_ptds },
  { "cuMemsetD2D8Async", 2000, (entry)cuMemsetD2D8Async, (entry)cuMemsetD2D8Async_ptsz },
  { "cuMemsetD32", 3020, (entry)cuMemsetD32_v2, (entry)cuMemsetD32_v2_ptds },
  { "cuMemsetD32Async", 2000, (entry)cuMemsetD32Async, (entry)cuMemsetD32Async_ptsz },
  { "cuMemsetD8", 3020, (entry)cuMemsetD8_v2, (entry)cuMemsetD8_v2_ptds },
  { "cuMemsetD8Async", 2000, (entry)cuMemsetD8Async, (entry)cuMemsetD8Async_ptsz },
  { "cuModuleEnumerateFunctions", 2000, (entry)cuModuleEnumerateFunctions, NULL },
  { "cuModuleGetFunction", 2000, (entry)cuModuleGetFunction, NULL },
  { "cuModuleGetFunctionCount", 2000, (entry)cuModuleGetFunctionCount, NULL },
  { "cuModuleGetGlobal", 3020, (entry)cuModuleGetGlobal_v2, NULL },
  { "cuModuleGetLoadingMode", 2000, (entry)cuModuleGetLoadingMode, NULL },
  { "cuModuleGetSurfRef", 2000, (entry)cuModuleGetSurfRef, NULL },
  { "cuModuleGetTexRef", 2000, (entry)cuModuleGetTexRef, NULL },
  { "cuModuleLoad", 2000, (entry)cuModuleLoad, NULL },
  { "cuModuleLoadData", 2000, (entry)cuModuleLoadData, NULL },
  { "cuModuleLoadDataEx", 2000, (entry)cuModuleLoadDataEx, NULL },
  { "cuModuleUnload", 2000, (entry)cuModuleUnload, NULL },
  { "cuOccupancyAvailableDynamicSMemPerBlock", 2000, (entry)cuOccupancyAvailableDynamicSMemPerBlock, NULL },
  { "cuOccupancyMaxActiveBlocksPerMultiprocessor", 2000, (entry)cuOccupancyMaxActiveBlocksPerMultiprocessor, NULL },
  { "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 2000,
    (entry)cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, NULL },
  { "cuOccupancyMaxActiveClusters", 11070, (entry)cuOccupancyMaxActiveClusters, NULL },
  { "cuOccupancyMaxPotentialBlockSize", 2000, (entry)cuOccupancyMaxPotentialBlockSize, NULL },
  { "cuOccupancyMaxPotentialBlockSizeWithFlags", 2000, (entry)cuOccupancyMaxPotentialBlockSizeWithFlags, NULL },
  { "cuOccupancyMaxPotentialClusterSize", 11070, (entry)cuOccupancyMaxPotentialClusterSize, NULL },
  { "cuParamSetTexRef", 2000, (entry)cuParamSetTexRef, NULL },
  { "cuPointerGetAttribute", 2000, (entry)cuPointerGetAttribute, NULL },
  { "cuPointerGetAttributes", 2000, (entry)cuPointerGetAttributes, NULL },
  { "cuProfilerStart", 4000, (entry)cuProfilerStart, NULL },
  { "cuProfilerStop", 4000, (entry)cuProfilerStop, NULL },
  { "cuStreamAddCallback", 2000, (entry)cuStreamAddCallback, (entry)cuStreamAddCallback_ptsz },
  { "cuStreamAttachMemAsync", 2000, (entry)cuStreamAttachMemAsync, (entry)cuStreamAttachMemAsync_ptsz },
  { "cuStreamBatchMemOp", 11070, (entry)cuStreamBatchMemOp_v2, (entry)cuStreamBatchMemOp_v2_ptsz },
  { "cuStreamBatchMemOp", 8000, (entry)cuStreamBatchMemOp, (entry)cuStreamBatchMemOp_ptsz },
  { "cuStreamCopyAttributes", 11000, (entry)cuStreamCopyAttributes, (entry)cuStreamCopyAttributes_ptsz },
  { "cuStreamCreate", 2000, (entry)cuStreamCreate, NULL },
  { "cuStreamCreateWithPriority", 2000, (entry)cuStreamCreateWithPriority, NULL },
  { "cuStreamDestroy", 4000, (entry)cuStreamDestroy_v2, NULL },
  { "cuStreamDestroy", 2000, (entry)cuStreamDestroy, NULL },
  { "cuStreamGetAttribute", 11000, (entry)cuStreamGetAttribute, (entry)cuStreamGetAttribute_ptsz },
  { "cuStreamGetCtx", 2000, (entry)cuStreamGetCtx, (entry)cuStreamGetCtx_ptsz },
  { "cuStreamGetDevice", 2000, (entry)cuStreamGetDevice, (entry)cuStreamGetDevice_ptsz },
  { "cuStreamGetFlags", 2000, (entry)cuStreamGetFlags, (entry)cuStreamGetFlags_ptsz },
  { "cuStreamGetId", 2000, (entry)cuStreamGetId, (entry)cuStreamGetId_ptsz },
  { "cuStreamGetPriority", 2000, (entry)cuStreamGetPriority, (entry)cuStreamGetPriority_ptsz },
  { "cuStreamIsCapturing", 2000, (entry)cuStreamIsCapturing, (entry)cuStreamIsCapturing_ptsz },
  { "cuStreamQuery", 2000, (entry)cuStreamQuery, (entry)cuStreamQuery_ptsz },
  { "cuStreamSetAttribute", 11000, (entry)cuStreamSetAttribute, (entry)cuStreamSetAttribute_ptsz },
  { "cuStreamSynchronize", 2000, (entry)cuStreamSynchronize, (entry)cuStreamSynchronize_ptsz },
  { "cuStreamWaitEvent", 2000, (entry)cuStreamWaitEvent, (entry)cuStreamWaitEvent_ptsz },
  { "cuStreamWaitValue32", 11070, (entry)cuStreamWaitValue32_v2, (entry)cuStreamWaitValue32_v2_ptsz },
  { "cuStreamWaitValue32", 8000, (entry)cuStreamWaitValue32, (entry)cuStreamWaitValue32_ptsz },
  { "cuStreamWaitValue64", 11070, (entry)cuStreamWaitValue64_v2, (entry)cuStreamWaitValue64_v2_ptsz },
  { "cuStreamWaitValue64", 9000, (entry)cuStreamWaitValue64, (entry)cuStreamWaitValue64_ptsz },
  { "cuStreamWriteValue32", 11070, (entry)cuStreamWriteValue32_v2, (entry)cuStreamWriteValue32_v2_ptsz },
  { "cuStreamWriteValue32", 8000, (entry)cuStreamWriteValue32, (entry)cuStreamWriteValue32_ptsz },
  { "cuStreamWriteValue64", 11070, (entry)cuStreamWriteValue64_v2, (entry)cuStreamWriteValue64_v2_ptsz },
  { "cuStreamWriteValue64", 9000, (entry)cuStreamWriteValue64, (entry)cuStreamWriteValue64_ptsz },
  { "cuSurfRefGetArray", 2000, (entry)cuSurfRefGetArray, NULL },
  { "cuSurfRefSetArray", 2000, (entry)cuSurfRefSetArray, NULL },
  { "cuTexRefCreate", 2000, (entry)cuTexRefCreate, NULL },
  { "cuTexRefDestroy", 2000, (entry)cuTexRefDestroy, NULL },
  { "cuTexRefGetAddress", 3020, (entry)cuTexRefGetAddress_v2, NULL },
  { "cuTexRefGetAddressMode", 2000, (entry)cuTexRefGetAddressMode, NULL },
  { "cuTexRefGetArray", 2000, (entry)cuTexRefGetArray, NULL },
  { "cuTexRefGetBorderColor", 2000, (entry)cuTexRefGetBorderColor, NULL },
  { "cuTexRefGetFilterMode", 2000, (entry)cuTexRefGetFilterMode, NULL },
  { "cuTexRefGetFlags", 2000, (entry)cuTexRefGetFlags, NULL },
  { "cuTexRefGetFormat", 2000, (entry)cuTexRefGetFormat, NULL },
  { "cuTexRefGetMaxAnisotropy", 2000, (entry)cuTexRefGetMaxAnisotropy, NULL },
  { "cuTexRefGetMipmapFilterMode", 2000, (entry)cuTexRefGetMipmapFilterMode, NULL },
  { "cuTexRefGetMipmapLevelBias", 2000, (entry)cuTexRefGetMipmapLevelBias, NULL },
  { "cuTexRefGetMipmapLevelClamp", 2000, (entry)cuTexRefGetMipmapLevelClamp, NULL },
  { "cuTexRefGetMipmappedArray", 2000, (entry)cuTexRefGetMipmappedArray, NULL },
  { "cuTexRefSetAddress", 3020, (entry)cuTexRefSetAddress_v2, NULL },
  { "cuTexRefSetAddress2D", 4010, (entry)cuTexRefSetAddress2D_v3, NULL },
  { "cuTexRefSetAddressMode", 2000, (entry)cuTexRefSetAddressMode, NULL },
  { "cuTexRefSetArray", 2000, (entry)cuTexRefSetArray, NULL },
  { "cuTexRefSetBorderColor", 2000, (entry)cuTexRefSetBorderColor, NULL },
  { "cuTexRefSetFilterMode", 2000, (entry)cuTexRefSetFilterMode, NULL },
  { "cuTexRefSetFlags", 2000, (entry)cuTexRefSetFlags, NULL },
  { "cuTexRefSetFormat", 2000, (entry)cuTexRefSetFormat, NULL },
  { "cuTexRefSetMaxAnisotropy", 2000, (entry)cuTexRefSetMaxAnisotropy, NULL },
  { "cuTexRefSetMipmapFilterMode", 2000, (entry)cuTexRefSetMipmapFilterMode, NULL },
  { "cuTexRefSetMipmapLevelBias", 2000, (entry)cuTexRefSetMipmapLevelBias, NULL },
  { "cuTexRefSetMipmapLevelClamp", 2000, (entry)cuTexRefSetMipmapLevelClamp, NULL },
  { "cuTexRefSetMipmappedArray", 2000, (entry)cuTexRefSetMipmappedArray, NULL },
};

/* *is_name_out: there is one of that name, if only of a later version. */
static const row *find_row(const char *name, int version, bool *is_name_out) {
  *is_name_out = false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].name, name) != 0)
      continue;
    *is_name_out = true;
    if (rows[i].since <= version)
      return &rows[i];
  }
  return NULL;
}

static CUresult check_proc_address(const char *symbol, void **pfn, cuuint64_t flags) {
  cuuint64_t both = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (symbol == NULL || pfn == NULL)
    return vptr__driver_invalid("cuGetProcAddress", "the name or the output is NULL");
  if ((flags & ~both) != 0 || flags == both)
    return vptr__driver_invalid("cuGetProcAddress", "flags are none of CUDA's, or contradict each other");
  return CUDA_SUCCESS;
}

/* POSIX lets a function's address travel through void *; C has no cast for it. */
static void store_function(void **out, entry function) {
  memcpy(out, &function, sizeof function);
}

static CUresult get_proc_address(const char *symbol, void **pfn, int version, cuuint64_t flags,
                                 CUdriverProcAddressQueryResult *status_out) {
  bool is_name;
  CUresult result = check_proc_address(symbol, pfn, flags);
  if (result != CUDA_SUCCESS)
    return result;
  const row *row = find_row(symbol, version, &is_name);
  if (status_out != NULL)
    *status_out = row != NULL ? CU_GET_PROC_ADDRESS_SUCCESS
                  : is_name   ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                              : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (row == NULL) {
    *pfn = NULL;
    vptr__error(VPTR_ERROR_UNSUPPORTED, "cuGetProcAddress: there is no %.60s of CUDA %d.%d", symbol, version / 1000,
                version % 1000 / 10);
    return vptr__driver_refuse(CUDA_ERROR_NOT_FOUND);
  }
  bool own_default = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  store_function(pfn, own_default && row->variant != NULL ? row->variant : row->function);
  return CUDA_SUCCESS;
}

CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *symbolStatus) {
  return get_proc_address(symbol, pfn, cudaVersion, flags, symbolStatus);
}

CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags) {
  return get_proc_address(symbol, pfn, cudaVersion, flags, NULL);
}
