/* SPDX-License-Identifier: MIT */
/*
 * kernels - five kernels as CUDA C translated, and by hand in OpenCL C: what is measured, and the half by hand.
 *
 * kernels.cu is a program by itself that any CUDA compiler builds; built by vptrcc with BY_HAND and linked with this
 * half, it measures both in turns.
 */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SAXPY, STENCIL, MATMUL, GUARDED, TILED, KERNELS };
enum { BLOCK = 256, RADIUS = 3, TILE = 16 };

typedef struct sizes {
  int vector; /* elements, a multiple of BLOCK */
  int matrix; /* rows and columns, a multiple of TILE */
} sizes;

/* Builds the kernels on the device of CUDA's device 0, with buffers and a queue of their own. a and b: as many floats
 * as the larger of vector and matrix * matrix. False if something failed, as from all of them; it has been said on
 * stderr. */
bool by_hand_open(sizes of, const float *a, const float *b);
bool by_hand_launch(int which);
bool by_hand_wait(void);
bool by_hand_read(float *c, size_t count);
void by_hand_close(void);

#ifdef __cplusplus
}
#endif

#endif
