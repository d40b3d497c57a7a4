/* SPDX-License-Identifier: MIT */
/*
 * error_text - the list of CUDA's errors: value, name and short text of each.
 *
 * The list is a constant of error_text.c, so there is no lock. Called by error.c alone, for cudaGetErrorName() and
 * cudaGetErrorString().
 */
#ifndef VPTR_CUDA_ERROR_TEXT_H
#define VPTR_CUDA_ERROR_TEXT_H

#include <vptr/cuda/driver_types.h>

typedef struct vptr__cuda_error_text {
  cudaError_t error;
  const char *name; /* the enumerator */
  const char *text; /* what the CUDA runtime says for it */
} vptr__cuda_error_text;

/* The entry of a value, or NULL if it is none of CUDA's. */
const vptr__cuda_error_text *vptr__cuda_error_find(cudaError_t error);

#endif
