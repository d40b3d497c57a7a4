/* SPDX-License-Identifier: MIT */
/* device_double_functions - double precision in kernels, which needs no header. Host code may include it. */
#ifndef VPTR_CUDA_DEVICE_DOUBLE_FUNCTIONS_H
#define VPTR_CUDA_DEVICE_DOUBLE_FUNCTIONS_H
#define __DEVICE_DOUBLE_FUNCTIONS_H__

#include "builtin_types.h"

#endif
