/* SPDX-License-Identifier: MIT */
/*
 * handle - what a program holds of cuSPARSE: a device, a stream, and where factors are.
 *
 * A handle is of the device that was current when it was created, whatever is current later. Any value that a program
 * hands in is told apart from a live handle (library/handle.h).
 *
 * Settings are the program's to order: threads that change a handle while others use it race, as in cuSPARSE; threads
 * that only use it do not.
 */
#ifndef VPTR_CUSPARSE_HANDLE_H
#define VPTR_CUSPARSE_HANDLE_H

#include "cusparse/status.h"
#include "library/handle.h"
#include "mapper/mapper.h"

struct cusparseContext {
  vptr__library_place place;
  vptr_mapper *mapper;
  cudaStream_t stream;
  cusparsePointerMode_t pointer_mode;
};

/* One that lives; else NOT_INITIALIZED, which is said in the words of `call`. */
cusparseStatus_t vptr__sparse_handle_check(const char *call, const struct cusparseContext *handle);

#endif
