/* SPDX-License-Identifier: MIT */
/* device_types - rounding modes; kernels name them in functions. Host code may include it. */
#ifndef VPTR_CUDA_DEVICE_TYPES_H
#define VPTR_CUDA_DEVICE_TYPES_H
#define __DEVICE_TYPES_H__

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
