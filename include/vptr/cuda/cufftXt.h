/* SPDX-License-Identifier: MIT */
/*
 * cufftXt - of cuFFT's extended interface what plans and transforms of one device are: types by cudaDataType, sizes of
 * 64 bits. What is for several devices, and callbacks, do not exist: doc/cufft-coverage.md.
 */
#ifndef CUFFTXT_H_
#define CUFFTXT_H_

#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

VPTR_CUFFT(cufftXtMakePlanMany)(cufftHandle plan, int rank, vptr_long_long *n, vptr_long_long *inembed,
                                vptr_long_long istride, vptr_long_long idist, cudaDataType inputtype,
                                vptr_long_long *onembed, vptr_long_long ostride, vptr_long_long odist,
                                cudaDataType outputtype, vptr_long_long batch, size_t *workSize,
                                cudaDataType executiontype);
VPTR_CUFFT(cufftXtGetSizeMany)(cufftHandle plan, int rank, vptr_long_long *n, vptr_long_long *inembed,
                               vptr_long_long istride, vptr_long_long idist, cudaDataType inputtype,
                               vptr_long_long *onembed, vptr_long_long ostride, vptr_long_long odist,
                               cudaDataType outputtype, vptr_long_long batch, size_t *workSize,
                               cudaDataType executiontype);

/* By the plan's type; the direction counts for complex ones alone. */
VPTR_CUFFT(cufftXtExec)(cufftHandle plan, void *input, void *output, int direction);

#ifdef __cplusplus
}
#endif

#endif
