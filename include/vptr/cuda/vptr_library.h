/* SPDX-License-Identifier: MIT */
/*
 * vptr_library - libraries of kernels, which a program loads while it runs; functions of kernels by their stubs, and of
 * the driver's interface by their names. Part of cuda_runtime_api.h.
 *
 * Values are CUDA 13's. A kernel of a library is launched by its handle in place of a stub's address.
 */
#ifndef VPTR_CUDA_VPTR_LIBRARY_H
#define VPTR_CUDA_VPTR_LIBRARY_H

#include "driver_types.h"
#include "vptr_function.h"

typedef struct CUlib_st *cudaLibrary_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUfunc_st *cudaFunction_t;

/* Of these the log buffers have a meaning. */
enum cudaJitOption {
  cudaJitMaxRegisters = 0,
  cudaJitThreadsPerBlock = 1,
  cudaJitWallTime = 2,
  cudaJitInfoLogBuffer = 3,
  cudaJitInfoLogBufferSizeBytes = 4,
  cudaJitErrorLogBuffer = 5,
  cudaJitErrorLogBufferSizeBytes = 6,
  cudaJitOptimizationLevel = 7,
  cudaJitFallbackStrategy = 10,
  cudaJitGenerateDebugInfo = 11,
  cudaJitLogVerbose = 12,
  cudaJitGenerateLineInfo = 13,
  cudaJitCacheMode = 14,
  cudaJitPositionIndependentCode = 30,
  cudaJitMinCtaPerSm = 31,
  cudaJitMaxThreadsPerBlock = 32,
  cudaJitOverrideDirectiveValues = 33
};

enum cudaJit_CacheMode { cudaJitCacheOptionNone = 0, cudaJitCacheOptionCG = 1, cudaJitCacheOptionCA = 2 };

enum cudaJit_Fallback { cudaPreferPtx = 0, cudaPreferBinary = 1 };

enum cudaLibraryOption {
  cudaLibraryHostUniversalFunctionAndDataTable = 0, /* not taken: cudaErrorNotSupported */
  cudaLibraryBinaryIsPreserved = 1                  /* of data alone; it is copied all the same */
};

/* How cudaGetDriverEntryPoint() chooses between variants for default streams: as the caller was compiled, or one. */
enum cudaGetDriverEntryPointFlags {
  cudaEnableDefault = 0x0,
  cudaEnableLegacyStream = 0x1,
  cudaEnablePerThreadDefaultStream = 0x2
};

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
};

#ifdef __cplusplus
extern "C" {
#endif

/* Loads what nvrtcGetPTX() or vptrcc made, CUDA text, or an image of NVIDIA's compiler where the current device takes
 * PTX. Text ends with a zero. A library is of no device: its kernels are built where they are first launched. Errors:
 * cudaErrorInvalidValue (the output or the image is NULL, options), cudaErrorInvalidKernelImage, cudaErrorInvalidPtx,
 * cudaErrorNoKernelImageForDevice, cudaErrorJitCompilerNotFound, cudaErrorFileNotFound, cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                                        enum cudaJitOption *jitOptions, void **jitOptionsValues,
                                                        unsigned int numJitOptions,
                                                        enum cudaLibraryOption *libraryOptions,
                                                        void **libraryOptionValues, unsigned int numLibraryOptions);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName,
                                                            enum cudaJitOption *jitOptions, void **jitOptionsValues,
                                                            unsigned int numJitOptions,
                                                            enum cudaLibraryOption *libraryOptions,
                                                            void **libraryOptionValues,
                                                            unsigned int numLibraryOptions);

/* Waits for the devices where its kernels were built. Its handles end with it. Errors of this and of all that take a
 * library: cudaErrorInvalidResourceHandle (it was unloaded, or never loaded). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLibraryUnload(cudaLibrary_t library);

/* A kernel by its name in the source, or by its lowered one. Errors of the four that take names: cudaErrorInvalidValue
 * (NULL), cudaErrorSymbolNotFound. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library,
                                                         const char *name);

/* A variable's memory on the current device, and its size; either output may be NULL. A managed variable's memory is
 * the same on all. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLibraryGetGlobal(void **dptr, size_t *bytes, cudaLibrary_t library,
                                                         const char *name);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLibraryGetManaged(void **dptr, size_t *bytes, cudaLibrary_t library,
                                                          const char *name);

/* There are no functions that host and device share: always cudaErrorSymbolNotFound. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLibraryGetUnifiedFunction(void **fptr, cudaLibrary_t library,
                                                                  const char *symbol);

VPTR_CUDA_API cudaError_t CUDARTAPI cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t lib);

/* The first numKernels of them, or all if there are fewer. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int numKernels,
                                                                cudaLibrary_t lib);

/* As cudaFuncSetAttribute(); the dynamic shared memory that launches may ask for holds on all devices. Errors:
 * cudaErrorInvalidDevice, cudaErrorInvalidDeviceFunction (no kernel). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr,
                                                                    int value, int device);

/* The kernel of a stub, and the same for the driver's interface (cuda.h). Errors: cudaErrorInvalidValue (NULL),
 * cudaErrorInvalidDeviceFunction. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr);

/* A function of libvptr-cuda's, by its name without a version; of CUDA 13.0, or of the version that is asked for.
 * driverStatus may be NULL. What is not found is no error where it is not: *funcPtr is NULL then. Errors:
 * cudaErrorInvalidValue (NULL, other flags), cudaErrorSymbolNotFound (without driverStatus), cudaErrorNotSupported
 * (there is no libvptr-cuda). */
VPTR_CUDA_API cudaError_t CUDARTAPI
cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, vptr_unsigned_long_long flags,
                        enum cudaDriverEntryPointQueryResult *driverStatus VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI
cudaGetDriverEntryPoint_ptsz(const char *symbol, void **funcPtr, vptr_unsigned_long_long flags,
                             enum cudaDriverEntryPointQueryResult *driverStatus VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI
cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion,
                                 vptr_unsigned_long_long flags,
                                 enum cudaDriverEntryPointQueryResult *driverStatus VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI
cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **funcPtr, unsigned int cudaVersion,
                                      vptr_unsigned_long_long flags,
                                      enum cudaDriverEntryPointQueryResult *driverStatus VPTR_CUDA_DEFAULT(0));

#ifdef __cplusplus
}
#endif

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaGetDriverEntryPoint cudaGetDriverEntryPoint_ptsz
#define cudaGetDriverEntryPointByVersion cudaGetDriverEntryPointByVersion_ptsz
#endif

#endif
