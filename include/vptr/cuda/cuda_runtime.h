/* SPDX-License-Identifier: MIT */
/*
 * cuda_runtime - what programs include: the runtime API, short vectors, and typed forms of its calls.
 *
 * cudaMalloc() takes a `void **`, and a program has a `float *p`. In C++ a template takes `&p`, as CUDA's does.
 * C has no overloading, and `&p` is a `float **`, which does not convert to `void **` by itself. Here it does:
 *
 *   - A macro of the function's name rewrites its first argument. A function-like macro is only taken for a call,
 *     so `&cudaMalloc` and a function pointer's initialiser still mean the function, with CUDA's type.
 *   - The rewritten argument is `1 ? (p) : (void *)1`. One branch being a `void *` that is no null pointer
 *     constant, the whole is a `void *`, for any p that points to an object, and a `void *` converts. A plain cast
 *     would do as well and would also swallow an integer, or a pointer to const; those are diagnosed here.
 *   - It cannot tell `cudaMalloc(p, n)` from `cudaMalloc(&p, n)`: a `float *` converts as a `float **` does.
 *   - The rest of the arguments go through `...`, so that a comma in a compound literal does no harm.
 *
 * Code that defines a cudaMalloc() of its own (an interposer) includes cuda_runtime_api.h, which has no macros,
 * or defines VPTR_CUDA_NO_C_MACROS first.
 */
#ifndef VPTR_CUDA_RUNTIME_H
#define VPTR_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "cuda_surface_types.h"
#include "cuda_texture_types.h"
#include "driver_functions.h"
#include "vector_functions.h"

#ifdef __CUDACC__
enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};
#endif

#ifdef __cplusplus

/* Memory is traced to the place that called for it, which shall be the program's and not one of these: without a frame
 * of their own, what they call returns into the program. */
#define VPTR_CUDA_PLACE __attribute__((__always_inline__)) static inline

template <class T> VPTR_CUDA_PLACE cudaError_t cudaMalloc(T **devPtr, size_t size) {
  return ::cudaMalloc(static_cast<void **>(static_cast<void *>(devPtr)), size);
}

/* A symbol is given by itself in C++: `cudaMemcpyToSymbol(table, ...)`, whatever its type. */
template <class T> static inline const void *vptr_cuda_shadow(const T &symbol) {
  return const_cast<const void *>(static_cast<const volatile void *>(&symbol));
}

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(vptr_cuda_shadow(symbol), src, count, offset, kind);
}

template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, vptr_cuda_shadow(symbol), count, offset, kind);
}

template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync(vptr_cuda_shadow(symbol), src, count, offset, kind, stream);
}

template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, vptr_cuda_shadow(symbol), count, offset, kind, stream);
}

template <class T> static inline cudaError_t cudaGetSymbolAddress(void **devPtr, const T &symbol) {
  return ::cudaGetSymbolAddress(devPtr, vptr_cuda_shadow(symbol));
}

template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
  return ::cudaGetSymbolSize(size, vptr_cuda_shadow(symbol));
}

/* Pinned memory, of any type and with flags left out. */
template <class T> VPTR_CUDA_PLACE cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc(static_cast<void **>(static_cast<void *>(ptr)), size, flags);
}

/* Rows with a pitch, and memory in the order of streams: of any type. */
template <class T> VPTR_CUDA_PLACE cudaError_t cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(static_cast<void **>(static_cast<void *>(devPtr)), pitch, width, height);
}

template <class T> VPTR_CUDA_PLACE cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync(static_cast<void **>(static_cast<void *>(ptr)), size, stream);
}

/* From a pool: cudaMallocFromPoolAsync() under another name. */
VPTR_CUDA_PLACE cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(ptr, size, memPool, stream);
}

template <class T>
VPTR_CUDA_PLACE cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(static_cast<void **>(static_cast<void *>(ptr)), size, memPool, stream);
}

template <class T>
VPTR_CUDA_PLACE cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(static_cast<void **>(static_cast<void *>(ptr)), size, memPool, stream);
}

/* ---- kernels by themselves, in place of their stubs' addresses ------------------------------------------ */

/* A stub, from a function, or from an object that converts to a pointer to void. */
template <class Function> static inline const void *vptr_cuda_stub(Function *func) {
  return reinterpret_cast<const void *>(reinterpret_cast<size_t>(func)); /* C++98 has no direct way */
}

static inline const void *vptr_cuda_stub(const void *func) {
  return func;
}

/* Shared memory that is the same for blocks of all sizes. */
struct vptr_cuda_same_for_all {
  size_t bytes;
  explicit vptr_cuda_same_for_all(size_t value) : bytes(value) {}
  size_t operator()(int) const { return bytes; }
};

/* The block size that keeps a multiprocessor busiest, and the fewest blocks that keep the device so. The dynamic
 * shared memory of a block is a function of its size. */
template <class Function, class BytesOfBlock>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *minGridSize, int *blockSize,
                                                                                  Function func, BytesOfBlock bytes,
                                                                                  int blockSizeLimit = 0,
                                                                                  unsigned int flags = 0) {
  const void *stub = vptr_cuda_stub(func);
  struct cudaFuncAttributes attributes;
  int device = 0, warp = 0, processors = 0, best = 0, threads = 0, blocks = 0;
  if (!minGridSize || !blockSize || !stub)
    return cudaErrorInvalidValue;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaFuncGetAttributes(&attributes, stub);
  if (error != cudaSuccess)
    return error;
  int most = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < most)
    most = blockSizeLimit;
  for (int size = most; size > 0; size = (size - 1) / warp * warp) {
    int fitting = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&fitting, stub, size, bytes(size), flags);
    if (error != cudaSuccess)
      return error;
    if (fitting * size > threads) {
      threads = fitting * size;
      blocks = fitting;
      best = size;
    }
  }
  *minGridSize = blocks * processors;
  *blockSize = best;
  return cudaSuccess;
}

template <class Function, class BytesOfBlock>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize,
                                                                         Function func, BytesOfBlock bytes,
                                                                         int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func, bytes, blockSizeLimit);
}

template <class Function>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, Function func,
                                                                      size_t dynamicSMemSize = 0,
                                                                      int blockSizeLimit = 0,
                                                                      unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, func, vptr_cuda_same_for_all(dynamicSMemSize), blockSizeLimit, flags);
}

template <class Function>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, Function func,
                                                             size_t dynamicSMemSize = 0, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit);
}

template <class Function>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, Function func, int blockSize,
                                                                        size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, vptr_cuda_stub(func), blockSize, dynamicSMemSize);
}

template <class Function>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, Function func,
                                                                                 int blockSize, size_t dynamicSMemSize,
                                                                                 unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, vptr_cuda_stub(func), blockSize,
                                                                  dynamicSMemSize, flags);
}

template <class Function>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, Function *func,
                                                                    int numBlocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, vptr_cuda_stub(func), numBlocks, blockSize);
}

template <class Function>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, Function *func) {
  return ::cudaFuncGetAttributes(attr, vptr_cuda_stub(func));
}

template <class Function>
static inline cudaError_t cudaFuncSetAttribute(Function *func, cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute(vptr_cuda_stub(func), attr, value);
}

template <class Function> static inline cudaError_t cudaFuncSetCacheConfig(Function *func, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(vptr_cuda_stub(func), config);
}

template <class Function>
static inline cudaError_t cudaFuncSetSharedMemConfig(Function *func, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(vptr_cuda_stub(func), config);
}

template <class Function> static inline cudaError_t cudaFuncGetName(const char **name, Function *func) {
  return ::cudaFuncGetName(name, vptr_cuda_stub(func));
}

/* ---- libraries of kernels ------------------------------------------------------------------------------- */

template <class Function> static inline cudaError_t cudaGetKernel(cudaKernel_t *kernel, Function *func) {
  return ::cudaGetKernel(kernel, vptr_cuda_stub(func));
}

template <class Function> static inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, Function *func) {
  return ::cudaGetFuncBySymbol(function, vptr_cuda_stub(func));
}

template <class T>
static inline cudaError_t cudaLibraryGetGlobal(T **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  return ::cudaLibraryGetGlobal(static_cast<void **>(static_cast<void *>(dptr)), bytes, library, name);
}

template <class T>
static inline cudaError_t cudaLibraryGetManaged(T **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  return ::cudaLibraryGetManaged(static_cast<void **>(static_cast<void *>(dptr)), bytes, library, name);
}

/* ---- host memory ---------------------------------------------------------------------------------------- */

template <class T>
VPTR_CUDA_PLACE cudaError_t cudaMallocManaged(T **ptr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(static_cast<void **>(static_cast<void *>(ptr)), size, flags);
}

template <class T> VPTR_CUDA_PLACE cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(static_cast<void **>(static_cast<void *>(ptr)), size, flags);
}

template <class T> static inline cudaError_t cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags) {
  return ::cudaHostGetDevicePointer(static_cast<void **>(static_cast<void *>(pDevice)), pHost, flags);
}

/* With flags, as CUDA's header has it for C++. */
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

#elif !defined(VPTR_CUDA_NO_C_MACROS)

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L

#define cudaMalloc(p, ...) cudaMalloc(1 ? (p) : (void *)1, __VA_ARGS__)
#define cudaMallocManaged(p, ...) cudaMallocManaged(1 ? (p) : (void *)1, __VA_ARGS__)
#define cudaMallocHost(p, ...) cudaMallocHost(1 ? (p) : (void *)1, __VA_ARGS__)
#define cudaHostAlloc(p, ...) cudaHostAlloc(1 ? (p) : (void *)1, __VA_ARGS__)
#define cudaHostGetDevicePointer(p, ...) cudaHostGetDevicePointer(1 ? (p) : (void *)1, __VA_ARGS__)

#else /* C89 */

#define cudaMalloc(p, size) cudaMalloc(1 ? (p) : (void *)1, size)
#define cudaMallocManaged(p, size, flags) cudaMallocManaged(1 ? (p) : (void *)1, size, flags)
#define cudaMallocHost(p, size) cudaMallocHost(1 ? (p) : (void *)1, size)
#define cudaHostAlloc(p, size, flags) cudaHostAlloc(1 ? (p) : (void *)1, size, flags)
#define cudaHostGetDevicePointer(p, host, flags) cudaHostGetDevicePointer(1 ? (p) : (void *)1, host, flags)

#endif

#endif

#ifdef __VPTRCC__
#include "vptr_host.h"
#endif

#endif
