/* SPDX-License-Identifier: MIT */
/*
 * handle - what a program holds of cuSOLVER: a device, a stream, and a handle of cuBLAS's in the same stream.
 *
 * A handle is of the device that was current when it was created, whatever is current later. Any value that a program
 * hands in is told apart from a live handle (library/handle.h).
 *
 * Settings are the program's to order: one handle is used by one thread at a time, as in cuSOLVER; destroying it while
 * another thread's call uses it is the program's mistake.
 */
#ifndef VPTR_CUSOLVER_HANDLE_H
#define VPTR_CUSOLVER_HANDLE_H

#include "cusolver/status.h"
#include "library/handle.h"
#include "mapper/mapper.h"

struct cusolverDnContext {
  vptr__library_place place;
  vptr_mapper *mapper;
  cudaStream_t stream;
  cublasHandle_t blas;
  cusolverDeterministicMode_t deterministic_mode;
};

/* One that lives; else NOT_INITIALIZED, which is said in the words of `call`. */
cusolverStatus_t vptr__solver_handle_check(const char *call, const struct cusolverDnContext *handle);

#endif
