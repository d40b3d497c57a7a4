/* SPDX-License-Identifier: MIT */
/* sm_61_intrinsics - dot products of bytes in kernels, which need no header. Host code may include it. */
#ifndef VPTR_CUDA_SM_61_INTRINSICS_H
#define VPTR_CUDA_SM_61_INTRINSICS_H
#define __SM_61_INTRINSICS_H__

#include "builtin_types.h"

#endif
