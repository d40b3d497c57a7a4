/* SPDX-License-Identifier: MIT */
/* sm_32_intrinsics - loads and shifts in kernels, which need no header. Host code may include it. */
#ifndef VPTR_CUDA_SM_32_INTRINSICS_H
#define VPTR_CUDA_SM_32_INTRINSICS_H
#define __SM_32_INTRINSICS_H__

#include "builtin_types.h"

#endif
