/* SPDX-License-Identifier: MIT */
/* sm_32_atomic_functions - 64-bit atomic functions of kernels, which need no header. Host code may include it. */
#ifndef VPTR_CUDA_SM_32_ATOMIC_FUNCTIONS_H
#define VPTR_CUDA_SM_32_ATOMIC_FUNCTIONS_H
#define __SM_32_ATOMIC_FUNCTIONS_H__

#include "builtin_types.h"

#endif
