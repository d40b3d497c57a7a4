/* SPDX-License-Identifier: MIT */
/*
 * vptr_binary - what clang and nvcc write into programs, under NVIDIA's names.
 *
 * For each file with kernels they emit a constructor, and for each k<<<...>>>(...) a push and a call of the stub:
 *
 *     void **handle = __cudaRegisterFatBinary(&record);        record: { 0x466243b1, 1, content, NULL }
 *     __cudaRegisterFunction(handle, stub, ..., "_Z1kPf", ...); each kernel
 *     __cudaRegisterVar(handle, shadow, ..., "table", ...);     each variable
 *     __cudaRegisterFatBinaryEnd(handle);
 *     atexit(... __cudaUnregisterFatBinary(handle) ...);
 *
 *     if (__cudaPushCallConfiguration(grid, block, shared, stream) == 0) stub(arguments);
 *     stub: __cudaPopCallConfiguration(&grid, &block, &shared, &stream); cudaLaunchKernel(stub, ...);
 *
 * The content is a module's text and a zero behind it: what `vptrcc -ptx` writes, given to clang's host half as
 * `-Xclang -fcuda-include-gpubinary -Xclang FILE`. Such objects are linked with -lcudart (or -lvptr-cudart) by any
 * linker. Kernels and variables are known by their lowered names, or as written. A kernel that the text has not is
 * cudaErrorInvalidDeviceFunction when it is launched. A fat binary of nvcc's registers in silence, and is looked into
 * when one of its kernels or variables is first used: its PTX is taken if the current device takes that. What is taken
 * nowhere, or not by the device, is cudaErrorNoKernelImageForDevice.
 *
 * Programs do not call these by hand: vptr_kernel.h has what is made for that. Thread-safe, every call; none touches a
 * device but the launch.
 */
#ifndef VPTR_CUDA_VPTR_BINARY_H
#define VPTR_CUDA_VPTR_BINARY_H

#include <stddef.h>

#include "driver_types.h"
#include "vector_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct CUkern_st;
struct surfaceReference;
struct textureReference;

/* ---- GPU binaries ---------------------------------------------------------------------------------------- */

/* The record and its content stay until the binary is unregistered, and so do names. What is wrong with the content is
 * said when it is registered, on stderr, or when one of its kernels is launched. */
VPTR_CUDA_API void **__cudaRegisterFatBinary(void *record);

/* All of it has been said: it is registered. Where this call is missing, as with compilers for CUDA 10.0 and before,
 * the first launch of one of its kernels does it. */
VPTR_CUDA_API void __cudaRegisterFatBinaryEnd(void **handle);

/* As vptr_cuda_unregister_module(); from destructors and from handlers of atexit(), in any order. */
VPTR_CUDA_API void __cudaUnregisterFatBinary(void **handle);

/* Registers it now, for managed variables. Not 0: they may be used. */
VPTR_CUDA_API char __cudaInitModule(void **handle);

/* The kernel's name in the module; all that follows it, and device, is not looked at: the module knows. */
VPTR_CUDA_API void __cudaRegisterFunction(void **handle, const char *stub, char *device, const char *name,
                                          int most_threads, uint3 *thread, uint3 *block, dim3 *block_size,
                                          dim3 *grid_size, int *warp_size);

/* The shadow's address stands for the variable in cudaMemcpyToSymbol() and its kin; its bytes are not looked at: what
 * the variable begins with is in the module. */
VPTR_CUDA_API void __cudaRegisterVar(void **handle, char *shadow, char *device, const char *name, int is_extern,
                                     size_t size, int is_constant, int is_global);

/* *pointer becomes the variable's address when the binary is registered. A shared object with one stays loaded. */
VPTR_CUDA_API void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name,
                                            int is_extern, size_t size, int is_constant, int is_global);

/* A texture or surface reference (vptr_reference.h), which the module knows as a variable of 8 bytes: its number. Not
 * looked at: device, dimensions, is_extern. */
VPTR_CUDA_API void __cudaRegisterTexture(void **handle, const struct textureReference *shadow, const void **device,
                                         const char *name, int dimensions, int is_normalized, int is_extern);
VPTR_CUDA_API void __cudaRegisterSurface(void **handle, const struct surfaceReference *shadow, const void **device,
                                         const char *name, int dimensions, int is_extern);

/* ---- launches -------------------------------------------------------------------------------------------- */

/* vptr_cuda_push_configuration() and its counterpart; stream: a cudaStream_t, and where one goes. */
VPTR_CUDA_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
VPTR_CUDA_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);

/* What stubs of CUDA 13 launch by. The handle is the stub's address, good as a function everywhere; whether it is a
 * kernel is found out by the launch. Errors: cudaErrorInvalidValue (kernel is NULL); those of cudaLaunchKernel(). */
VPTR_CUDA_API cudaError_t __cudaGetKernel(struct CUkern_st **kernel, const void *stub);
VPTR_CUDA_API cudaError_t __cudaLaunchKernel(struct CUkern_st *kernel, dim3 grid, dim3 block, void **arguments,
                                             size_t shared, cudaStream_t stream);
VPTR_CUDA_API cudaError_t __cudaLaunchKernel_ptsz(struct CUkern_st *kernel, dim3 grid, dim3 block, void **arguments,
                                                  size_t shared, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
