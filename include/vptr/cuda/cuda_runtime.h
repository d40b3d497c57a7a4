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

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus

template <class T> static inline cudaError_t cudaMalloc(T **devPtr, size_t size) {
  return ::cudaMalloc(static_cast<void **>(static_cast<void *>(devPtr)), size);
}

#elif !defined(VPTR_CUDA_NO_C_MACROS)

#define cudaMalloc(p, ...) cudaMalloc(1 ? (p) : (void *)1, __VA_ARGS__)

#endif

#endif
