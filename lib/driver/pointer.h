/* SPDX-License-Identifier: MIT */
/* pointer - the allocation that an address lies in. No state, no locks. */
#ifndef VPTR_DRIVER_POINTER_H
#define VPTR_DRIVER_POINTER_H

#include <vptr/cuda/cuda.h>

typedef struct vptr__driver_range {
  CUdeviceptr begin;
  size_t size;               /* bytes; 0: it lies in none */
  unsigned long long serial; /* of the allocation; 0 for managed and pinned memory */
} vptr__driver_range;

/* Of device memory, managed memory or pinned memory. */
vptr__driver_range vptr__driver_range_of(CUdeviceptr ptr);

#endif
