/* SPDX-License-Identifier: MIT */
/*
 * narrow - numbers of 16 bits, which kernels read and write as floats, and ints, which they compute with as with others.
 */
#include "../../cudart/library/narrow.cuh"

static __device__ int plus(int a, int b) { return a + b; }
static __device__ int times(int a, int b) { return a * b; }
static __device__ int conjugate_if(int a, int is_wanted) { return a; }
static __device__ bool is_zero(int a) { return a == 0; }
