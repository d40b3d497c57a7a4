/* SPDX-License-Identifier: MIT */
/*
 * eigen - what cuSOLVER's eigenvalues of a symmetric matrix, and singular values of a square one, cost beside LAPACK's
 * routines of the same names on the host, with vectors and without.
 *
 * Each begins with a copy of the matrix in its own memory; each is waited for. Values of both sides are compared before
 * anything is measured. VPTR_SPECTRA=device measures the device's way where LAPACK would have all.
 */
#ifndef BENCH_EIGEN_H
#define BENCH_EIGEN_H

#include <stdbool.h>

#include "options.h"

/* Needs an OpenCL device. False if something failed, which has been said on stderr. */
bool eigen_run(const options *wanted);

#endif
