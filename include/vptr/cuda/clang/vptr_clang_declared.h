/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_declared - device functions that have no definition in the IR: what makes the module knows them by name.
 *
 * Those of C's linkage have their plain name, the others C++'s (_Z11__nanosleepj).
 */
#ifndef VPTR_CUDA_CLANG_DECLARED_H
#define VPTR_CUDA_CLANG_DECLARED_H

extern "C" {
/* -fno-builtin-printf keeps clang from making a buffer and a call of vprintf() of it */
__device__ int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
__device__ int vprintf(const char *format, const char *arguments);

/* assert()'s, as the C library's header calls it. It returns: what follows is not unreachable. */
__device__ void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function);
__device__ void __assertfail(const char *assertion, const char *file, unsigned int line, const char *function,
                             size_t char_size);

/* Launches from kernels, which are refused by name. */
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *func, void *parameters, dim3 grid, dim3 block, unsigned int shared,
                                        cudaStream_t stream);
}

__device__ void __nanosleep(unsigned int nanoseconds);

#endif
