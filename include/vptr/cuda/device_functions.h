/* SPDX-License-Identifier: MIT */
/* device_functions - functions of kernels, which need no header. Host code may include it. */
#ifndef VPTR_CUDA_DEVICE_FUNCTIONS_H
#define VPTR_CUDA_DEVICE_FUNCTIONS_H
#define __DEVICE_FUNCTIONS_H__

#include "builtin_types.h"

#endif
