/* SPDX-License-Identifier: MIT */
/* sm_20_atomic_functions - atomicAdd() of float in kernels, which needs no header. Host code may include it. */
#ifndef VPTR_CUDA_SM_20_ATOMIC_FUNCTIONS_H
#define VPTR_CUDA_SM_20_ATOMIC_FUNCTIONS_H
#define __SM_20_ATOMIC_FUNCTIONS_H__

#include "builtin_types.h"

#endif
