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

VPTR_CUFFT(cufftXtMakePlanMany)(cufftHandle plan, int rank, long long int *n, long long int *inembed,
                                long long int istride, long long int idist, cudaDataType inputtype,
                                long long int *onembed, long long int ostride, long long int odist,
                                cudaDataType outputtype, long long int batch, size_t *workSize,
                                cudaDataType executiontype);
VPTR_CUFFT(cufftXtGetSizeMany)(cufftHandle plan, int rank, long long int *n, long long int *inembed,
                               long long int istride, long long int idist, cudaDataType inputtype,
                               long long int *onembed, long long int ostride, long long int odist,
                               cudaDataType outputtype, long long int batch, size_t *workSize,
                               cudaDataType executiontype);

/* By the plan's type; the direction counts for complex ones alone. */
VPTR_CUFFT(cufftXtExec)(cufftHandle plan, void *input, void *output, int direction);

#ifdef __cplusplus
}
#endif

#endif
