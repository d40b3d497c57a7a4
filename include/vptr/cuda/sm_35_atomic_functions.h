/* SPDX-License-Identifier: MIT */
/* sm_35_atomic_functions - another name of sm_32_atomic_functions.h. Host code may include it. */
#ifndef VPTR_CUDA_SM_35_ATOMIC_FUNCTIONS_H
#define VPTR_CUDA_SM_35_ATOMIC_FUNCTIONS_H
#define __SM_35_ATOMIC_FUNCTIONS_H__

#include "sm_32_atomic_functions.h"

#endif
