/* SPDX-License-Identifier: MIT */
/*
 * svm - what memory of host and kernels costs by where it comes from: pinned and reached in place, copied around
 * kernels, OpenCL's shared virtual memory (coarse by map and unmap, fine), and plain memory where kernels take it.
 */
#ifndef BENCH_SVM_H
#define BENCH_SVM_H

#include <stdbool.h>

#include "options.h"

/* What the device has not is said in the notes. Not on the fake device, which computes nothing. False if something
 * failed, which has been said on stderr. */
bool svm_run(const options *wanted);

#endif
