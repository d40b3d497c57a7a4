/* SPDX-License-Identifier: MIT */
/*
 * cuda_text - CUDA C as programs have it, of any length: structs, device functions with loops and conditions, kernels
 * with shared memory and atomics, in groups of the same lines under other names.
 */
#ifndef BENCH_CUDA_TEXT_H
#define BENCH_CUDA_TEXT_H

#include <stddef.h>

/* `lines` lines or some more: groups are whole. To be freed; NULL: memory is out. */
char *cuda_text_make(size_t lines, size_t *lines_out);

#endif
