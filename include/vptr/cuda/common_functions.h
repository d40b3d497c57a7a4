/* SPDX-License-Identifier: MIT */
/* common_functions - functions of host and kernels, which need no header. Host code may include it. */
#ifndef VPTR_CUDA_COMMON_FUNCTIONS_H
#define VPTR_CUDA_COMMON_FUNCTIONS_H
#define __COMMON_FUNCTIONS_H__

#include "builtin_types.h"

#endif
