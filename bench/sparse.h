/* SPDX-License-Identifier: MIT */
/*
 * sparse - what products of cuSPARSE's cost beside plain loops in C, of one thread (sparse_loops.h): matrices whose
 * rows are even, and matrices with a few long rows.
 *
 * Each call is waited for. What both sides gave is compared before anything is measured. A product of two sparse
 * matrices is all of its calls, from the descriptor on, with buffers that are there already, as the loops' memory is.
 */
#ifndef BENCH_SPARSE_H
#define BENCH_SPARSE_H

#include <stdbool.h>

#include "options.h"

/* Needs an OpenCL device. False if something failed, which has been said on stderr. */
bool sparse_run(const options *wanted);

#endif
