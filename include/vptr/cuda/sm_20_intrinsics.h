/* SPDX-License-Identifier: MIT */
/* sm_20_intrinsics - ballots and fences in kernels, which need no header. Host code may include it. */
#ifndef VPTR_CUDA_SM_20_INTRINSICS_H
#define VPTR_CUDA_SM_20_INTRINSICS_H
#define __SM_20_INTRINSICS_H__

#include "builtin_types.h"

#endif
