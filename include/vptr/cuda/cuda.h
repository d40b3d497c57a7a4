/* SPDX-License-Identifier: MIT */
/*
 * cuda - the CUDA driver's interface, over OpenCL: prototypes for C and C++.
 *
 * Functions have CUDA's names, arguments and values; the header maps each name to the symbol that CUDA 13's maps it
 * to (cuMemAlloc is cuMemAlloc_v2), so that objects compiled against either header run with this library. It is a
 * second door to what cuda_runtime_api.h shows: a CUdeviceptr is an address of cudaMalloc()'s, streams, events and
 * pools are the runtime's, and both may be used beside each other. What is said there of virtual addresses and of
 * errors in words (vptr_last_error()) holds here; errors of these calls are not the runtime's last error.
 *
 * Which functions there are, and why others are not: doc/cuda-driver-coverage.md. With
 * CUDA_API_PER_THREAD_DEFAULT_STREAM defined before this header, the default stream is the thread's own. Thread-safe,
 * every call. Sizes are bytes.
 */
#ifndef VPTR_CUDA_CUDA_H
#define VPTR_CUDA_CUDA_H
#define __cuda_cuda_h__

#include "vptr_driver_types.h"

/* The version of CUDA whose behaviour is followed, as 1000 * major + 10 * minor. A program that was written for CUDA 12
 * may define it before, as 12080 say: cuCtxCreate(), cuMemAdvise() and cuMemPrefetchAsync() then have CUDA 12's
 * arguments, and the symbols that CUDA 12's header maps them to. */
#ifndef CUDA_VERSION
#define CUDA_VERSION 13000
#endif

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define VPTR_CUDA_PTDS(name) name##_ptds
#define VPTR_CUDA_PTSZ(name) name##_ptsz
#else
#define VPTR_CUDA_PTDS(name) name
#define VPTR_CUDA_PTSZ(name) name
#endif

#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#if CUDA_VERSION >= 13000
#define cuCtxCreate cuCtxCreate_v4
#define cuMemAdvise cuMemAdvise_v2
#define cuMemPrefetchAsync VPTR_CUDA_PTSZ(cuMemPrefetchAsync_v2)
#else
#define cuCtxCreate cuCtxCreate_v2
#define cuMemPrefetchAsync VPTR_CUDA_PTSZ(cuMemPrefetchAsync)
#define cuMemPrefetchAsync_v2 VPTR_CUDA_PTSZ(cuMemPrefetchAsync_v2)
#endif
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemcpyHtoD VPTR_CUDA_PTDS(cuMemcpyHtoD_v2)
#define cuMemcpyDtoH VPTR_CUDA_PTDS(cuMemcpyDtoH_v2)
#define cuMemcpyDtoD VPTR_CUDA_PTDS(cuMemcpyDtoD_v2)
#define cuMemcpy2D VPTR_CUDA_PTDS(cuMemcpy2D_v2)
#define cuMemcpy2DUnaligned VPTR_CUDA_PTDS(cuMemcpy2DUnaligned_v2)
#define cuMemcpy3D VPTR_CUDA_PTDS(cuMemcpy3D_v2)
#define cuMemcpyHtoDAsync VPTR_CUDA_PTSZ(cuMemcpyHtoDAsync_v2)
#define cuMemcpyDtoHAsync VPTR_CUDA_PTSZ(cuMemcpyDtoHAsync_v2)
#define cuMemcpyDtoDAsync VPTR_CUDA_PTSZ(cuMemcpyDtoDAsync_v2)
#define cuMemcpy2DAsync VPTR_CUDA_PTSZ(cuMemcpy2DAsync_v2)
#define cuMemcpy3DAsync VPTR_CUDA_PTSZ(cuMemcpy3DAsync_v2)
#define cuMemcpyHtoA VPTR_CUDA_PTDS(cuMemcpyHtoA_v2)
#define cuMemcpyDtoA VPTR_CUDA_PTDS(cuMemcpyDtoA_v2)
#define cuMemcpyAtoH VPTR_CUDA_PTDS(cuMemcpyAtoH_v2)
#define cuMemcpyAtoD VPTR_CUDA_PTDS(cuMemcpyAtoD_v2)
#define cuMemcpyAtoA VPTR_CUDA_PTDS(cuMemcpyAtoA_v2)
#define cuMemcpyHtoAAsync VPTR_CUDA_PTSZ(cuMemcpyHtoAAsync_v2)
#define cuMemcpyAtoHAsync VPTR_CUDA_PTSZ(cuMemcpyAtoHAsync_v2)
#define cuArrayCreate cuArrayCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuTexRefSetAddress cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3
#define cuTexRefGetAddress cuTexRefGetAddress_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuMemsetD8 VPTR_CUDA_PTDS(cuMemsetD8_v2)
#define cuMemsetD16 VPTR_CUDA_PTDS(cuMemsetD16_v2)
#define cuMemsetD32 VPTR_CUDA_PTDS(cuMemsetD32_v2)
#define cuMemsetD2D8 VPTR_CUDA_PTDS(cuMemsetD2D8_v2)
#define cuMemsetD2D16 VPTR_CUDA_PTDS(cuMemsetD2D16_v2)
#define cuMemsetD2D32 VPTR_CUDA_PTDS(cuMemsetD2D32_v2)
#define cuStreamDestroy cuStreamDestroy_v2
#define cuStreamWaitValue32 VPTR_CUDA_PTSZ(cuStreamWaitValue32_v2)
#define cuStreamWaitValue64 VPTR_CUDA_PTSZ(cuStreamWaitValue64_v2)
#define cuStreamWriteValue32 VPTR_CUDA_PTSZ(cuStreamWriteValue32_v2)
#define cuStreamWriteValue64 VPTR_CUDA_PTSZ(cuStreamWriteValue64_v2)
#define cuStreamBatchMemOp VPTR_CUDA_PTSZ(cuStreamBatchMemOp_v2)
#define cuEventDestroy cuEventDestroy_v2
#define cuEventElapsedTime cuEventElapsedTime_v2
#define cuGetProcAddress cuGetProcAddress_v2

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuMemcpy cuMemcpy_ptds
#define cuMemcpyPeer cuMemcpyPeer_ptds
#define cuMemcpyAsync cuMemcpyAsync_ptsz
#define cuMemcpyPeerAsync cuMemcpyPeerAsync_ptsz
#define cuMemsetD8Async cuMemsetD8Async_ptsz
#define cuMemsetD16Async cuMemsetD16Async_ptsz
#define cuMemsetD32Async cuMemsetD32Async_ptsz
#define cuMemsetD2D8Async cuMemsetD2D8Async_ptsz
#define cuMemsetD2D16Async cuMemsetD2D16Async_ptsz
#define cuMemsetD2D32Async cuMemsetD2D32Async_ptsz
#define cuMemAllocAsync cuMemAllocAsync_ptsz
#define cuMemFreeAsync cuMemFreeAsync_ptsz
#define cuMemAllocFromPoolAsync cuMemAllocFromPoolAsync_ptsz
#define cuStreamAttachMemAsync cuStreamAttachMemAsync_ptsz
#define cuStreamGetPriority cuStreamGetPriority_ptsz
#define cuStreamGetDevice cuStreamGetDevice_ptsz
#define cuStreamGetFlags cuStreamGetFlags_ptsz
#define cuStreamGetId cuStreamGetId_ptsz
#define cuStreamGetCtx cuStreamGetCtx_ptsz
#define cuStreamWaitEvent cuStreamWaitEvent_ptsz
#define cuStreamAddCallback cuStreamAddCallback_ptsz
#define cuStreamQuery cuStreamQuery_ptsz
#define cuStreamSynchronize cuStreamSynchronize_ptsz
#define cuStreamIsCapturing cuStreamIsCapturing_ptsz
#define cuLaunchHostFunc cuLaunchHostFunc_ptsz
#define cuEventRecord cuEventRecord_ptsz
#define cuEventRecordWithFlags cuEventRecordWithFlags_ptsz
#define cuLaunchKernel cuLaunchKernel_ptsz
#define cuLaunchKernelEx cuLaunchKernelEx_ptsz
#define cuLaunchCooperativeKernel cuLaunchCooperativeKernel_ptsz
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ------------------------------------------------------------------------------------------------- */

/* The enumerator's name, and CUDA's short text for it. INVALID_VALUE, and NULL, for a value that is none. They need no
 * cuInit(). */
VPTR_CUDA_API CUresult CUDAAPI cuGetErrorString(CUresult error, const char **pStr);
VPTR_CUDA_API CUresult CUDAAPI cuGetErrorName(CUresult error, const char **pStr);

/* ---- beginning ---------------------------------------------------------------------------------------------- */

/* cuInit(0) comes first, in the process; the runtime's calls count as one. cuDriverGetVersion() needs none. */
VPTR_CUDA_API CUresult CUDAAPI cuInit(unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuDriverGetVersion(int *driverVersion);

/* ---- devices ------------------------------------------------------------------------------------------------ */

/* Ordinals are those of the runtime, and so are all answers: doc/cuda-device-properties.md. Only a CPU, or a device
 * that shares the host's memory, is opened, where a trial alone tells, and a device that is asked for its memory pools.
 * Outputs that are NULL, unknown attributes: INVALID_VALUE. No such device: INVALID_DEVICE. */
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetCount(int *count);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetName(char *name, int len, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceTotalMem(size_t *bytes, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetProperties(CUdevprop *prop, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceComputeCapability(int *major, int *minor, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice,
                                                       CUdevice dstDevice);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool);

/* ---- primary contexts --------------------------------------------------------------------------------------- */

/* A device's primary context is the runtime's. Retaining it opens the device; the last release waits for nothing
 * and frees nothing, since the runtime may still be at work there. Reset is cudaDeviceReset(). */
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active);
VPTR_CUDA_API CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice dev);

/* ---- contexts ----------------------------------------------------------------------------------------------- */

/* A context is a device, and what it is called by: all contexts of a device share its memory, streams and
 * settings, and a pointer knows its device whichever is current. Each thread has a stack of contexts, 64 deep; its
 * top is the current one, and the device of that is the runtime's current device. cudaSetDevice() in turn puts a
 * primary context at the top.  Calls that need a context: INVALID_CONTEXT if none is current, CONTEXT_IS_DESTROYED
 * if it was destroyed. Destroying a context waits for its device, and unloads its modules; memory, streams and
 * events stay, to be freed by the program. */
VPTR_CUDA_API CUresult CUDAAPI cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags,
                                              CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuCtxDestroy(CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxPushCurrent(CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxPopCurrent(CUcontext *pctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxSetCurrent(CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxGetCurrent(CUcontext *pctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxGetDevice(CUdevice *device);
VPTR_CUDA_API CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxGetFlags(unsigned int *flags);
VPTR_CUDA_API CUresult CUDAAPI cuCtxSetFlags(unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuCtxGetId(CUcontext ctx, vptr_unsigned_long_long *ctxId);
VPTR_CUDA_API CUresult CUDAAPI cuCtxSynchronize(void);
VPTR_CUDA_API CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value);
VPTR_CUDA_API CUresult CUDAAPI cuCtxGetLimit(size_t *pvalue, CUlimit limit);
VPTR_CUDA_API CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache *pconfig);
VPTR_CUDA_API CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache config);
VPTR_CUDA_API CUresult CUDAAPI cuCtxGetSharedMemConfig(CUsharedconfig *pConfig);
VPTR_CUDA_API CUresult CUDAAPI cuCtxSetSharedMemConfig(CUsharedconfig config);
VPTR_CUDA_API CUresult CUDAAPI cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
VPTR_CUDA_API CUresult CUDAAPI cuCtxGetApiVersion(CUcontext ctx, unsigned int *version);
VPTR_CUDA_API CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext peerContext);

/* As cuCtxCreate() is until CUDA 12, without parameters; and with the first kind of them. */
VPTR_CUDA_API CUresult CUDAAPI cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray, int numParams,
                                              unsigned int flags, CUdevice dev);

/* ---- modules ------------------------------------------------------------------------------------------------ */

/* An image is what nvrtcGetPTX() made, or what vptrcc did, or CUDA C, which is translated then (libvptr-nvrtc).
 * PTX, cubins and fat binaries of NVIDIA's compilers are taken where the current device takes PTX, which opens it,
 * and are refused elsewhere: INVALID_PTX, NO_BINARY_FOR_GPU; INVALID_IMAGE: it is damaged. Options are
 * checked to be some; the log buffers are filled, others have no meaning to OpenCL. Kernels are built when first
 * used. Names are as written, or as lowered. NOT_FOUND: no such kernel or variable. INVALID_HANDLE: no such
 * module. */
VPTR_CUDA_API CUresult CUDAAPI cuModuleLoad(CUmodule *module, const char *fname);
VPTR_CUDA_API CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *image);
VPTR_CUDA_API CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
                                                  CUjit_option *options, void **optionValues);
VPTR_CUDA_API CUresult CUDAAPI cuModuleUnload(CUmodule hmod);
VPTR_CUDA_API CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);
VPTR_CUDA_API CUresult CUDAAPI cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name);
VPTR_CUDA_API CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int *count, CUmodule mod);
VPTR_CUDA_API CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions,
                                                          CUmodule mod);
VPTR_CUDA_API CUresult CUDAAPI cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name);

/* Modules are linked when they are translated. One image passes through, for programs that link what nvrtcGetPTX() made
 * before they load it, and what cuModuleLoadData() takes, but for cubins; a second one is NOT_SUPPORTED. What
 * cuLinkComplete() hands out stays the state's. INVALID_HANDLE: no such state. */
VPTR_CUDA_API CUresult CUDAAPI cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues,
                                            CUlinkState *stateOut);
VPTR_CUDA_API CUresult CUDAAPI cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                                             const char *name, unsigned int numOptions, CUjit_option *options,
                                             void **optionValues);
VPTR_CUDA_API CUresult CUDAAPI cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                                             unsigned int numOptions, CUjit_option *options, void **optionValues);
VPTR_CUDA_API CUresult CUDAAPI cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut);
VPTR_CUDA_API CUresult CUDAAPI cuLinkDestroy(CUlinkState state);

/* ---- libraries of kernels ----------------------------------------------------------------------------------- */

/* As the runtime's (vptr_library.h), errors included: NOT_FOUND where no kernel or variable has the name,
 * INVALID_HANDLE of what is no library. They need no context but for what is asked of the current device: modules,
 * functions and variables. */
VPTR_CUDA_API CUresult CUDAAPI cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions,
                                                 void **jitOptionsValues, unsigned int numJitOptions,
                                                 CUlibraryOption *libraryOptions, void **libraryOptionValues,
                                                 unsigned int numLibraryOptions);
VPTR_CUDA_API CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary *library, const char *fileName,
                                                     CUjit_option *jitOptions, void **jitOptionsValues,
                                                     unsigned int numJitOptions, CUlibraryOption *libraryOptions,
                                                     void **libraryOptionValues, unsigned int numLibraryOptions);
VPTR_CUDA_API CUresult CUDAAPI cuLibraryUnload(CUlibrary library);
VPTR_CUDA_API CUresult CUDAAPI cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name);
VPTR_CUDA_API CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib);
VPTR_CUDA_API CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib);

/* Good while the library is loaded; cuModuleUnload() says NOT_PERMITTED. */
VPTR_CUDA_API CUresult CUDAAPI cuLibraryGetModule(CUmodule *pMod, CUlibrary library);
VPTR_CUDA_API CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
                                                  const char *name);
VPTR_CUDA_API CUresult CUDAAPI cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
                                                   const char *name);
VPTR_CUDA_API CUresult CUDAAPI cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol);

/* A CUkernel is launched as a CUfunction, too. INVALID_HANDLE: it is no kernel; NOT_FOUND: it came with a module. */
VPTR_CUDA_API CUresult CUDAAPI cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel);
VPTR_CUDA_API CUresult CUDAAPI cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel);
VPTR_CUDA_API CUresult CUDAAPI cuKernelGetName(const char **name, CUkernel hfunc);
VPTR_CUDA_API CUresult CUDAAPI cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset,
                                                    size_t *paramSize);
VPTR_CUDA_API CUresult CUDAAPI cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel,
                                                    CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
                                                    CUdevice dev);
VPTR_CUDA_API CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev);

/* ---- memory ------------------------------------------------------------------------------------------------- */

/* As the runtime's, with two differences that are CUDA's own: size 0 is INVALID_VALUE, and so is freeing 0. */
VPTR_CUDA_API CUresult CUDAAPI cuMemGetInfo(size_t *free, size_t *total);
VPTR_CUDA_API CUresult CUDAAPI cuMemAlloc(CUdeviceptr *dptr, size_t bytesize);
VPTR_CUDA_API CUresult CUDAAPI cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                                               unsigned int ElementSizeBytes);
VPTR_CUDA_API CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemFree(CUdeviceptr dptr);
VPTR_CUDA_API CUresult CUDAAPI cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr);
VPTR_CUDA_API CUresult CUDAAPI cuMemAllocHost(void **pp, size_t bytesize);
VPTR_CUDA_API CUresult CUDAAPI cuMemFreeHost(void *p);
VPTR_CUDA_API CUresult CUDAAPI cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemHostGetFlags(unsigned int *pFlags, void *p);
VPTR_CUDA_API CUresult CUDAAPI cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemHostUnregister(void *p);

/* ---- managed memory ----------------------------------------------------------------------------------------- */

/* As the runtime's (vptr_managed.h), errors included. */
#if CUDA_VERSION >= 13000
VPTR_CUDA_API CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location,
                                                  unsigned int flags, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                                           CUmemLocation location);
#else
VPTR_CUDA_API CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                                                  CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location,
                                                     unsigned int flags, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device);
VPTR_CUDA_API CUresult CUDAAPI cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                                              CUmemLocation location);
#endif
VPTR_CUDA_API CUresult CUDAAPI cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute,
                                                      CUdeviceptr devPtr, size_t count);
VPTR_CUDA_API CUresult CUDAAPI cuMemRangeGetAttributes(void **data, size_t *dataSizes,
                                                       CUmem_range_attribute *attributes, size_t numAttributes,
                                                       CUdeviceptr devPtr, size_t count);
VPTR_CUDA_API CUresult CUDAAPI cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length,
                                                      unsigned int flags);

/* ---- copies ------------------------------------------------------------------------------------------------- */

/* As the runtime's copies of the same kind; where an address is of the wrong kind, INVALID_VALUE. Words about
 * errors name the runtime's function, which does the work. */
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                                            CUcontext srcContext, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy2D(const CUDA_MEMCPY2D *pCopy);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy3D(const CUDA_MEMCPY3D *pCopy);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                                                 CUcontext srcContext, size_t ByteCount, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
                                                 CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                                                 CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
                                                 CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream);

/* ---- arrays ------------------------------------------------------------------------------------------------- */

/* The runtime's arrays: a handle of either interface is one of the other's (cudaArray_t). Copies of lines take bytes
 * from a byte of the array on, both whole elements; cuMemcpy2D() and cuMemcpy3D() take rectangles. INVALID_HANDLE: no
 * such array. NOT_SUPPORTED: formats of textures and video, cube maps, sparse arrays. */
VPTR_CUDA_API CUresult CUDAAPI cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray);
VPTR_CUDA_API CUresult CUDAAPI cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray);
VPTR_CUDA_API CUresult CUDAAPI cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray);
VPTR_CUDA_API CUresult CUDAAPI cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray);
VPTR_CUDA_API CUresult CUDAAPI cuArrayDestroy(CUarray hArray);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost,
                                            size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice,
                                            size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset,
                                            size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
                                            size_t ByteCount);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost,
                                                 size_t ByteCount, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount,
                                                 CUstream hStream);

/* ---- texture and surface references ------------------------------------------------------------------------- */

/* References of CUDA up to 11, which these calls outlived: texture<float, 2> image; in a module's text, by its name.
 * What is bound, and how it reads, counts when a kernel is launched. A binding is of the current device; what is bound
 * stays until something else is, also if it is freed before. Memory may have any alignment of an element's, and
 * *ByteOffset becomes 0; address 0 unbinds. Integers of 8 and 16 bits are read as floats without
 * CU_TRSF_READ_AS_INTEGER, which a module's reference has at first unless its text has cudaReadModeNormalizedFloat.
 * Names are those that cuModuleGetGlobal() takes. NOT_FOUND: no such reference in the module. INVALID_HANDLE: no such
 * module or reference. NOT_SUPPORTED: a cube, bound or launched with a linear filter and CU_TRSF_SEAMLESS_CUBEMAP.
 * INVALID_VALUE, else; what was set stays then. References are changed by one thread at a time. */
VPTR_CUDA_API CUresult CUDAAPI cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name);
VPTR_CUDA_API CUresult CUDAAPI cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod, const char *name);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefCreate(CUtexref *pTexRef); /* no kernel reads by it */
VPTR_CUDA_API CUresult CUDAAPI cuTexRefDestroy(CUtexref hTexRef); /* INVALID_VALUE: a module's */
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray,
                                                         unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetAddress(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr,
                                                  size_t bytes);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc,
                                                    CUdeviceptr dptr, size_t Pitch);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetMipmapFilterMode(CUtexref hTexRef, CUfilter_mode fm);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetMipmapLevelBias(CUtexref hTexRef, float bias);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp,
                                                           float maxMipmapLevelClamp);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned int maxAniso);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetBorderColor(CUtexref hTexRef, float *pBorderColor);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetAddress(CUdeviceptr *pdptr, CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetMipmappedArray(CUmipmappedArray *phMipmappedArray, CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetMipmapFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetMipmapLevelBias(float *pbias, CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp,
                                                           CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetMaxAnisotropy(int *pmaxAniso, CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetBorderColor(float *pBorderColor, CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuTexRefGetFlags(unsigned int *pFlags, CUtexref hTexRef);
VPTR_CUDA_API CUresult CUDAAPI cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef);
VPTR_CUDA_API CUresult CUDAAPI cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef); /* nothing more */

/* ---- settings ----------------------------------------------------------------------------------------------- */

/* N elements, or rows of Width elements. Addresses and pitches are multiples of the element: else INVALID_VALUE. */
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                                            size_t Height);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                                             size_t Height);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                                             size_t Height);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                                 size_t Width, size_t Height, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                                  size_t Width, size_t Height, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                                  size_t Width, size_t Height, CUstream hStream);

/* ---- memory in the order of streams ------------------------------------------------------------------------- */

/* As cudaMallocAsync() and its kin. */
VPTR_CUDA_API CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool,
                                                       CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps);
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool pool);
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep);
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value);
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value);
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count);
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool,
                                                  CUmemLocation *location);

/* CUDA 13's names for a device's pools, for locations. NOT_SUPPORTED: it is no device. */
VPTR_CUDA_API CUresult CUDAAPI cuMemGetDefaultMemPool(CUmemoryPool *pool_out, CUmemLocation *location,
                                                      CUmemAllocationType type);
VPTR_CUDA_API CUresult CUDAAPI cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location,
                                               CUmemAllocationType type);
VPTR_CUDA_API CUresult CUDAAPI cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool);

/* Always NOT_SUPPORTED, as the runtime's. */
typedef struct CUmemPoolPtrExportData_st {
  unsigned char reserved[64];
} CUmemPoolPtrExportData_v1;
typedef CUmemPoolPtrExportData_v1 CUmemPoolPtrExportData;
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool,
                                                                CUmemAllocationHandleType handleType,
                                                                vptr_unsigned_long_long flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle,
                                                                  CUmemAllocationHandleType handleType,
                                                                  vptr_unsigned_long_long flags);
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr);
VPTR_CUDA_API CUresult CUDAAPI cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool,
                                                      CUmemPoolPtrExportData *shareData);

/* ---- addresses ---------------------------------------------------------------------------------------------- */

/* What an address stands for. INVALID_VALUE: it is none that CUDA knows, or the attribute is none of those that
 * doc/cuda-driver-coverage.md names. cuPointerGetAttributes() takes any address, and writes zeros for what there
 * is not, CU_DEVICE_INVALID for an ordinal, and as host pointer an address that is nobody's. */
VPTR_CUDA_API CUresult CUDAAPI cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr);
VPTR_CUDA_API CUresult CUDAAPI cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes,
                                                      void **data, CUdeviceptr ptr);

/* CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, an unsigned that is 0 or not, of the device memory that ptr lies in: kept, and
 * told. INVALID_VALUE: another attribute, other memory. Thread-safe; it does not block. */
VPTR_CUDA_API CUresult CUDAAPI cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr);

/* ---- streams ------------------------------------------------------------------------------------------------ */

/* As the runtime's. INVALID_HANDLE: no such stream. */
VPTR_CUDA_API CUresult CUDAAPI cuStreamCreate(CUstream *phStream, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority);
VPTR_CUDA_API CUresult CUDAAPI cuStreamDestroy(CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetPriority(CUstream hStream, int *priority);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetDevice(CUstream hStream, CUdevice *device);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetFlags(CUstream hStream, unsigned int *flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetId(CUstream hStream, vptr_unsigned_long_long *streamId);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCtx(CUstream hStream, CUcontext *pctx);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData,
                                                   unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamQuery(CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamSynchronize(CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus);
VPTR_CUDA_API CUresult CUDAAPI cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData);

/* Words of 4 or 8 bytes that the stream waits for, or writes, when it gets there: of device memory, or of pinned
 * host memory by either of its addresses. Whoever changes a word lets the streams go on that wait for it: a kernel,
 * a copy or a write of another stream, the host. A batch is taken in its order, at most 255 at once.
 * cudaDeviceReset() ends what waits. INVALID_VALUE: flags, addresses that are neither, or no multiple of the word's
 * size. NOT_SUPPORTED: flushes. */
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                   unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                   unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                    unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                    unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamBatchMemOp(CUstream stream, unsigned int count,
                                                  CUstreamBatchMemOpParams *paramArray, unsigned int flags);

/* ---- events ------------------------------------------------------------------------------------------------- */

/* As the runtime's. INVALID_HANDLE: no such event. */
VPTR_CUDA_API CUresult CUDAAPI cuEventCreate(CUevent *phEvent, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuEventRecord(CUevent hEvent, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuEventQuery(CUevent hEvent);
VPTR_CUDA_API CUresult CUDAAPI cuEventSynchronize(CUevent hEvent);
VPTR_CUDA_API CUresult CUDAAPI cuEventDestroy(CUevent hEvent);
VPTR_CUDA_API CUresult CUDAAPI cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd);

/* ---- functions ---------------------------------------------------------------------------------------------- */

/* A launch takes its arguments by their addresses (kernelParams), or packed as CUDA lays them out (extra).
 * INVALID_VALUE: an empty or too large grid, block or shared memory, both kinds of arguments or neither where
 * there are some, a pointer that is none. LAUNCH_OUT_OF_RESOURCES: more threads than the kernel can have in a
 * block. */
VPTR_CUDA_API CUresult CUDAAPI cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                              unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                              unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                                              void **kernelParams, void **extra);
/* The same, with attributes: as cuLaunchCooperativeKernel() if they say so. NOT_SUPPORTED: one that would change what
 * the kernel does, INVALID_VALUE also for a value that is none. */
VPTR_CUDA_API CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams,
                                                void **extra);
/* Its blocks may wait for each other. COOPERATIVE_LAUNCH_TOO_LARGE: more blocks than the device has room for at once,
 * where each is the device's own. */
VPTR_CUDA_API CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                                         unsigned int gridDimZ, unsigned int blockDimX,
                                                         unsigned int blockDimY, unsigned int blockDimZ,
                                                         unsigned int sharedMemBytes, CUstream hStream,
                                                         void **kernelParams);
VPTR_CUDA_API CUresult CUDAAPI cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc);
VPTR_CUDA_API CUresult CUDAAPI cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value);
VPTR_CUDA_API CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config);
VPTR_CUDA_API CUresult CUDAAPI cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config);
VPTR_CUDA_API CUresult CUDAAPI cuFuncGetModule(CUmodule *hmod, CUfunction hfunc);
VPTR_CUDA_API CUresult CUDAAPI cuFuncGetName(const char **name, CUfunction hfunc);
VPTR_CUDA_API CUresult CUDAAPI cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset,
                                                  size_t *paramSize);

/* Whether a kernel was built for the current device; builds it. */
VPTR_CUDA_API CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function);
VPTR_CUDA_API CUresult CUDAAPI cuFuncLoad(CUfunction function);
VPTR_CUDA_API CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func,
                                                                           int blockSize, size_t dynamicSMemSize);
VPTR_CUDA_API CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func,
                                                                                    int blockSize,
                                                                                    size_t dynamicSMemSize,
                                                                                    unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
                                                                CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                                size_t dynamicSMemSize, int blockSizeLimit);
VPTR_CUDA_API CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                                         CUfunction func,
                                                                         CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                                         size_t dynamicSMemSize, int blockSizeLimit,
                                                                         unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func,
                                                                       int numBlocks, int blockSize);

/* ---- other processes ---------------------------------------------------------------------------------------- */

/* OpenCL shares no memory or events between processes: always CUDA_ERROR_NOT_SUPPORTED. They are there for programs
 * that look up every name before they start. */
#define CU_IPC_HANDLE_SIZE 64
typedef struct CUipcEventHandle_st { char reserved[CU_IPC_HANDLE_SIZE]; } CUipcEventHandle_v1;
typedef CUipcEventHandle_v1 CUipcEventHandle;
typedef struct CUipcMemHandle_st { char reserved[CU_IPC_HANDLE_SIZE]; } CUipcMemHandle_v1;
typedef CUipcMemHandle_v1 CUipcMemHandle;
typedef enum CUipcMem_flags_enum { CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 0x1 } CUipcMem_flags;

#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2
VPTR_CUDA_API CUresult CUDAAPI cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event);
VPTR_CUDA_API CUresult CUDAAPI cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle);
VPTR_CUDA_API CUresult CUDAAPI cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr);
VPTR_CUDA_API CUresult CUDAAPI cuIpcOpenMemHandle_v2(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags);
VPTR_CUDA_API CUresult CUDAAPI cuIpcCloseMemHandle(CUdeviceptr dptr);

/* ---- entry points ------------------------------------------------------------------------------------------- */

/* The function of a name without its version, as CUDA cudaVersion had it; NULL and NOT_FOUND if there is none here;
 * symbolStatus says why. */
VPTR_CUDA_API CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                                                CUdriverProcAddressQueryResult *symbolStatus);

#ifdef __cplusplus
}
#endif

#include "vptr_driver_graph.h"  /* graphs, capture */
#include "vptr_driver_stream.h" /* attributes of streams, several copies by one call, messages */
#include "vptr_driver_texture.h" /* texture and surface objects, arrays of levels */
#include "vptr_driver_external.h" /* memory of a descriptor */
#include "vptr_driver_virtual.h" /* addresses that get their memory later */

#endif
