/* SPDX-License-Identifier: MIT */
/*
 * pinned - what a pair of cudaMallocHost() and cudaFreeHost() costs once warm, beside a pair of malloc() and free(),
 * and beside what OpenCL has for the purpose: a buffer of CL_MEM_ALLOC_HOST_PTR that is mapped, unmapped and released.
 */
#ifndef BENCH_PINNED_H
#define BENCH_PINNED_H

#include <stdbool.h>

#include "options.h"

/* On the fake device without OpenCL's part. False if something failed, which has been said on stderr. */
bool pinned_run(const options *wanted);

#endif
