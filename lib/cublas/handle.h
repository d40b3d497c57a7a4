/* SPDX-License-Identifier: MIT */
/*
 * handle - what a program holds of cuBLAS: a device, a stream, and settings.
 *
 * A handle is of the device that was current when it was created, whatever is current later. Any value that a program
 * hands in is told apart from a live handle (library/handle.h).
 *
 * Settings are the program's to order: threads that change a handle while others use it race, as in cuBLAS; threads
 * that only use it do not.
 */
#ifndef VPTR_CUBLAS_HANDLE_H
#define VPTR_CUBLAS_HANDLE_H

#include <vptr/cuda/cublas_api.h>
#include <vptr/vptr.h>

#include "library/handle.h"
#include "mapper/mapper.h"

struct cublasContext {
  vptr__library_place place;
  vptr_mapper *mapper;
  cudaStream_t stream;
  cublasPointerMode_t pointer_mode;
  cublasAtomicsMode_t atomics_mode;
  cublasMath_t math_mode;
  int sm_count;
};

/* One that lives; else NOT_INITIALIZED, which is said in the words of `call`. */
cublasStatus_t vptr__blas_handle_check(const char *call, const struct cublasContext *handle);

#endif
