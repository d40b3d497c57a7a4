/* SPDX-License-Identifier: MIT */
/*
 * vptr_kernel - kernels, for those who stand in for CUDA's compiler.
 *
 * A kernel is two things: code for devices, and a function on the host, its stub, whose address stands for it in
 * cudaLaunchKernel() and its kin. vptrcc writes both, and a constructor that registers them. Programs in plain C, or
 * in any language without such a compiler, do it by hand:
 *
 *     static const char text[] = "extern \"C\" __global__ void scale(float *x, float by, int n) {"
 *                                "  int i = blockIdx.x * blockDim.x + threadIdx.x;"
 *                                "  if (i < n) x[i] *= by; }";
 *     static const char scale;                                                  any address that is unique
 *     const vptr_cuda_kernel kernels[] = { { &scale, "scale" } };
 *     const vptr_cuda_module module = { sizeof module, text, sizeof text - 1, kernels, 1, NULL, 0 };
 *     void *handle;
 *     vptr_cuda_register_module(&module, &handle);
 *     ...
 *     VPTR_CUDA_LAUNCH(&scale, grid, block, 0, stream, &x, &by, &n);            addresses of the arguments
 *
 * The text is CUDA C, which is translated by libvptr-nvrtc (opened when needed), or what vptrcc or NVRTC's functions
 * made of it. Registering translated text touches no device; it is built when a kernel is first launched, and kept on
 * disk (VPTR_CACHE). Thread-safe, every call.
 */
#ifndef VPTR_CUDA_KERNEL_H
#define VPTR_CUDA_KERNEL_H

#include <stddef.h>

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel's stub, and its name in the module: as written, or as lowered (mangled). */
typedef struct vptr_cuda_kernel {
  const void *stub;
  const char *name;
} vptr_cuda_kernel;

/* A variable's shadow on the host, and its name in the module. The shadow's size bytes are the initial content, unless
 * VPTR_CUDA_VARIABLE_ZERO says that they are not there yet; of a managed variable they are the variable. */
typedef struct vptr_cuda_variable {
  void *host;
  const char *name;
  size_t size; /* bytes */
  unsigned flags;
} vptr_cuda_variable;

#define VPTR_CUDA_VARIABLE_CONSTANT 1u
#define VPTR_CUDA_VARIABLE_MANAGED 2u
#define VPTR_CUDA_VARIABLE_ZERO 4u /* zeros, or what the module's text says, instead of the shadow's bytes */

/* References of CUDA up to 11 (vptr_reference.h): the shadow is a textureReference or a surfaceReference, and the
 * variable of 8 bytes begins with its number. NORMALIZED: a texture that reads integers as floats. */
#define VPTR_CUDA_VARIABLE_TEXTURE 8u
#define VPTR_CUDA_VARIABLE_SURFACE 16u
#define VPTR_CUDA_VARIABLE_NORMALIZED 32u

typedef struct vptr_cuda_module {
  size_t struct_size; /* sizeof(vptr_cuda_module) */
  const char *text;
  size_t length;      /* bytes */
  const vptr_cuda_kernel *kernels;
  size_t kernel_count;
  const vptr_cuda_variable *variables;
  size_t variable_count;
} vptr_cuda_module;

/* Makes a module's kernels and variables known. The text is copied; shadows and names stay until it is unregistered.
 * All of it or nothing is registered. Errors: cudaErrorInvalidValue (struct_size, NULL, a text that is no module),
 * cudaErrorInvalidPtx (CUDA C that does not translate: vptr_last_error() has the first message),
 * cudaErrorInvalidSymbol (a name that the module has not, a shadow that is known already),
 * cudaErrorJitCompilerNotFound (CUDA C without libvptr-nvrtc), cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t vptr_cuda_register_module(const vptr_cuda_module *module, void **handle_out);

/* The module of a file that vptrcc compiled. It stays where it is, and so does all that it points to, until it is
 * unregistered. */
typedef struct vptr_cuda_unit {
  size_t struct_size;      /* sizeof(vptr_cuda_unit) */
  vptr_cuda_module module;
  const char *file;        /* that it was made of, for messages */
  void *handle;            /* this and what follows is the library's: zeros at first */
  const void *site;
  struct vptr_cuda_unit *next;
  cudaError_t error;
} vptr_cuda_unit;

/* vptr_cuda_register_module() for constructors, which have nobody to report to; what vptrcc compiles calls it. Errors
 * go to stderr, and a program whose kernels cannot be registered goes on: it may have others. Calls that need a stub or
 * shadow of the unit try again: where there was no memory, they succeed when there is, and else return
 * cudaErrorMemoryAllocation. */
VPTR_CUDA_API void vptr_cuda_register_unit(vptr_cuda_unit *unit);

/* As vptr_cuda_unregister_module(), of a unit that was registered or failed. */
VPTR_CUDA_API void vptr_cuda_unregister_unit(vptr_cuda_unit *unit);

/* Forgets the module, as for dlclose(): no other thread may be using it. Waits for no device: what work in flight uses
 * of the module goes when that is over. It writes to managed variables, so a shared object that has any stays loaded
 * from its registration on. NULL: nothing is done. Nor is it behind exit()'s handlers, since OpenCL may be gone by
 * then, and in a forked child. */
VPTR_CUDA_API cudaError_t vptr_cuda_unregister_module(void *handle);

/* k<<<grid, block, shared, stream>>>(...) is a push, and a call of the stub, which pops. Each thread has a stack of
 * eight, for launches among the arguments of others; a ninth push takes the place of the first. Errors:
 * cudaErrorMissingConfiguration (pop without push). */
VPTR_CUDA_API cudaError_t vptr_cuda_push_configuration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
VPTR_CUDA_API cudaError_t vptr_cuda_pop_configuration(dim3 *grid_out, dim3 *block_out, size_t *shared_out,
                                                      cudaStream_t *stream_out);

/* A launch from C; at least one argument, each by its address. The value is a cudaError_t. */
#define VPTR_CUDA_LAUNCH(stub, grid, block, shared, stream, ...) \
  cudaLaunchKernel((const void *)(stub), (grid), (block), (void *[]){ __VA_ARGS__ }, (shared), (stream))

/* What a launch does with the managed memory that an argument points into: all of the allocation counts, not only what
 * lies behind the pointer. Discard: all of its bytes are written, and what they were before is not looked at. The same
 * numbers as vptr_access in <vptr/vptr.h>; 0 is the same as 3. */
#define VPTR_CUDA_ACCESS_READ 1
#define VPTR_CUDA_ACCESS_WRITE 2
#define VPTR_CUDA_ACCESS_READ_WRITE 3
#define VPTR_CUDA_ACCESS_DISCARD_WRITE 4
#define VPTR_CUDA_ACCESS_DISCARD_READ_WRITE 5

/* cudaLaunchKernel(), with a word about each of the first access_count arguments (bytes that are no pointer: any, and
 * NULL for none at all), which spares copies where managed memory is kept in step by page faults: what is only read
 * stays readable to the host, and what is discarded is not sent. Nobody checks what the kernel does: one that writes
 * what it declared to read leaves the host with the bytes of before. Where memory is in place nothing changes.
 * VPTR_VERBOSE=2 tells, when memory is freed, how many bytes went each way. Errors: those of cudaLaunchKernel();
 * cudaErrorInvalidValue for an access that is none, or more of them than the kernel has parameters. Thread-safe; does
 * not wait for the kernel. */
VPTR_CUDA_API cudaError_t vptr_cuda_launch_declared(const void *stub, dim3 grid, dim3 block, void **arguments,
                                                    const int *accesses, size_t access_count, size_t shared,
                                                    cudaStream_t stream);

/* What a launch reaches of the memory that one argument points to, and what it does with it. */
typedef struct vptr_cuda_range {
  /* [ptr, ptr + bytes), inside one allocation, and nothing else of that by this argument; 0: nothing is said, as of
   * what is no pointer */
  size_t bytes;
  /* of these each layer of blocks reaches the next layer_bytes and no others, the last layer what is left; 0: any block
   * may reach all of them */
  size_t layer_bytes;
  int access; /* VPTR_CUDA_ACCESS_*, of these bytes, or with 0 bytes of the allocation; 0: as the kernel's text */
} vptr_cuda_range;

/* cudaLaunchKernel(), with a word about each of the first range_count arguments. It is for a device that is several
 * (VPTR_STRIPE), and of others declares what vptr_cuda_launch_declared() does. A layer are the blocks that have the
 * same index along the last axis with more than one: z, else y, else x; so in a grid along x each block is one.
 *
 * Without layers the launch runs on the member that has most of what it reaches, and only what is missing of that is
 * brought there. With layers in an argument that has stripes the launch is divided along those: members run layers of
 * their own at once, each those whose bytes are at home there. What has no layers must then be read only, and each
 * member gets all of it; else, and where layers of different members overlap and one writes, the launch is not divided,
 * nor is it if the kernel prints, has an assert(), uses variables that are not __constant__, waits for other blocks or
 * launches kernels. VPTR_VERBOSE=2 tells what was done. A launch that is divided is built for its grid: once for each.
 *
 * Nobody checks what the kernel does: bytes that it reaches beside those are old ones, another member's, or nobody's; a
 * write there may be lost or go astray. In a captured launch the ranges have no effect. The array is read by the call
 * alone. Errors: those of cudaLaunchKernel(); cudaErrorInvalidValue for an access that is none, layers that are longer
 * than the whole, bytes of what is no pointer or beyond its allocation, and more ranges than parameters;
 * cudaErrorMemoryAllocation. If a part fails the launch has failed, as in CUDA: what others wrote is there.
 * Thread-safe; does not wait for the kernel; blocks while a driver builds it. */
VPTR_CUDA_API cudaError_t vptr_cuda_launch_ranges(const void *stub, dim3 grid, dim3 block, void **arguments,
                                                  const vptr_cuda_range *ranges, size_t range_count, size_t shared,
                                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
