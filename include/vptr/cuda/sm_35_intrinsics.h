/* SPDX-License-Identifier: MIT */
/* sm_35_intrinsics - another name of sm_32_intrinsics.h. Host code may include it. */
#ifndef VPTR_CUDA_SM_35_INTRINSICS_H
#define VPTR_CUDA_SM_35_INTRINSICS_H
#define __SM_35_INTRINSICS_H__

#include "sm_32_intrinsics.h"

#endif
