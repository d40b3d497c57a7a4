/* SPDX-License-Identifier: MIT */
/*
 * blas - what a call of cuBLAS's costs beside the call of CLBlast's that is asked for the same.
 *
 * Sent: the host's share, as many calls in a row as a chunk has; what they sent is waited for outside of the time.
 * Waited for: each call to its end. axpy is CLBlast's here and a kernel of the library's own there (doc/cublas.md).
 * CLBlast compiles its kernels, and the library its own, before anything is measured.
 */
#ifndef BENCH_BLAS_H
#define BENCH_BLAS_H

#include <stdbool.h>

#include "options.h"

/* Needs an OpenCL device. False if something failed, which has been said on stderr. */
bool blas_run(const options *wanted);

#endif
