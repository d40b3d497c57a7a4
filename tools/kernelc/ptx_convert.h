/* SPDX-License-Identifier: MIT */
/* ptx_convert - PTX's cvt: between integers, reals and numbers of 16 bits, by each rounding, saturated or not. */
#ifndef KERNELC_PTX_CONVERT_H
#define KERNELC_PTX_CONVERT_H

#include "ptx_value.h"

/* The instruction at work, which is a cvt. */
void kc_ptx_convert(kc_ptx_work *work);

#endif
