/* SPDX-License-Identifier: MIT */
/*
 * binary_call - the calls that clang and nvcc write into programs (vptr_binary.h).
 *
 * Each is handed on: what registers, to binary.c, which has the binaries; a launch to cudaLaunchKernel(), and its
 * configuration to launch.c. A stub's address is the handle of its kernel, so that nothing has to be found before the
 * launch. Texture and surface references are variables of 8 bytes (reference.h). No data, no locks here: binary.c
 * registers under the static `lock` of unit.c, of rank UNIT. Called by programs, in constructors, destructors, handlers
 * of atexit() and stubs that their compiler wrote.
 */
#include "base/error.h"
#include "cuda/binary.h"
#include "cuda/error.h"
#include "cuda/stream.h"

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/cuda/vptr_binary.h>

/* ---- binaries ------------------------------------------------------------------------------------------- */

void **__cudaRegisterFatBinary(void *record) {
  return vptr__cuda_binary_open(record, __builtin_return_address(0));
}

void __cudaRegisterFatBinaryEnd(void **handle) {
  vptr__cuda_binary_complete(handle);
}

char __cudaInitModule(void **handle) {
  return (char)vptr__cuda_binary_init(handle);
}

void __cudaUnregisterFatBinary(void **handle) {
  vptr__cuda_binary_close(handle);
}

void __cudaRegisterFunction(void **handle, const char *stub, char *device, const char *name, int most_threads,
                            uint3 *thread, uint3 *block, dim3 *block_size, dim3 *grid_size, int *warp_size) {
  (void)device, (void)most_threads, (void)thread, (void)block, (void)block_size, (void)grid_size, (void)warp_size;
  vptr__cuda_binary_add_kernel(handle, stub, name);
}

void __cudaRegisterVar(void **handle, char *shadow, char *device, const char *name, int is_extern, size_t size,
                       int is_constant, int is_global) {
  const unsigned constant = is_constant != 0 ? VPTR_CUDA_VARIABLE_CONSTANT : 0;
  const vptr_cuda_variable variable = { shadow, name, size, VPTR_CUDA_VARIABLE_ZERO | constant };
  (void)device, (void)is_extern, (void)is_global;
  vptr__cuda_binary_add_variable(handle, &variable);
}

void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name, int is_extern,
                              size_t size, int is_constant, int is_global) {
  (void)device, (void)is_extern, (void)is_constant, (void)is_global;
  vptr__cuda_binary_add_managed(handle, pointer, name, size);
}

/* What kernels read of it is a number. */
static void add_reference(void **handle, const void *shadow, const char *name, unsigned flags) {
  const vptr_cuda_variable variable = { (void *)(uintptr_t)shadow, name, sizeof(uint64_t),
                                        VPTR_CUDA_VARIABLE_ZERO | flags };
  vptr__cuda_binary_add_variable(handle, &variable);
}

void __cudaRegisterTexture(void **handle, const struct textureReference *shadow, const void **device,
                           const char *name, int dimensions, int is_normalized, int is_extern) {
  (void)device, (void)dimensions, (void)is_extern;
  add_reference(handle, shadow, name,
                VPTR_CUDA_VARIABLE_TEXTURE | (is_normalized != 0 ? VPTR_CUDA_VARIABLE_NORMALIZED : 0));
}

void __cudaRegisterSurface(void **handle, const struct surfaceReference *shadow, const void **device,
                           const char *name, int dimensions, int is_extern) {
  (void)device, (void)dimensions, (void)is_extern;
  add_reference(handle, shadow, name, VPTR_CUDA_VARIABLE_SURFACE);
}

/* ---- launches ------------------------------------------------------------------------------------------- */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  return (unsigned)vptr_cuda_push_configuration(grid, block, shared, stream);
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  return vptr_cuda_pop_configuration(grid, block, shared, stream);
}

cudaError_t __cudaGetKernel(struct CUkern_st **kernel, const void *stub) {
  if (kernel == NULL)
    return vptr__cuda_record(vptr__cuda_null_output("__cudaGetKernel", "kernel"));
  *kernel = (struct CUkern_st *)(uintptr_t)stub;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(struct CUkern_st *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t __cudaLaunchKernel_ptsz(struct CUkern_st *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                    cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, vptr__cuda_own_default(stream));
}
