/* SPDX-License-Identifier: MIT */
/* sm_30_intrinsics - shuffles in kernels, as far as they are supported, need no header. Host code may include it. */
#ifndef VPTR_CUDA_SM_30_INTRINSICS_H
#define VPTR_CUDA_SM_30_INTRINSICS_H
#define __SM_30_INTRINSICS_H__

#include "builtin_types.h"

#endif
