/* SPDX-License-Identifier: MIT */
/* math_functions - mathematics of kernels, which need no header; the host has its own. Host code may include it. */
#ifndef VPTR_CUDA_MATH_FUNCTIONS_H
#define VPTR_CUDA_MATH_FUNCTIONS_H
#define __MATH_FUNCTIONS_H__

#include <math.h>

#include "builtin_types.h"

#endif
