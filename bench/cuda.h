/* SPDX-License-Identifier: MIT */
/*
 * cuda - what CUDA's calls take on vptr, beside NVIDIA's own runtime on the same device.
 *
 * bench/cuda is one program, compiled for both (runner.c). The two run in turns, a process each time, and who goes
 * first alternates; one run gives one figure of each operation, and a row has the medians of all runs. Without the
 * program that nvcc built a table has vptr's figures alone.
 */
#ifndef BENCH_CUDA_H
#define BENCH_CUDA_H

#include <stdbool.h>

#include "options.h"

/*
 * False if a program could not be started, ended badly, printed what is none of its lines or said that a call failed,
 * or if the two ran on different devices; said on stderr. What was measured before is printed.
 */
bool cuda_run(const options *wanted);

#endif
