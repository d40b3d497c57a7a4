/* SPDX-License-Identifier: MIT */
/*
 * qr - what cuSOLVER's factorization into an orthogonal and a triangular matrix costs beside LAPACK's routine of the
 * same name on the host, the one that the library itself takes for panels.
 *
 * Each begins with a copy of the matrix, which the factorization writes over, in its own memory; each is waited for.
 * The triangles of both sides are compared before anything is measured.
 */
#ifndef BENCH_QR_H
#define BENCH_QR_H

#include <stdbool.h>

#include "options.h"

/* Needs an OpenCL device. False if something failed, which has been said on stderr. */
bool qr_run(const options *wanted);

#endif
