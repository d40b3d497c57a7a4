/* SPDX-License-Identifier: MIT */
/*
 * narrow - operands of half and bfloat16: to floats and back, and what goes without floats beside them.
 */
#include "../../cudart/library/narrow.cuh"

static __device__ float read_narrow(const unsigned short *from, long i, int is_bfloat) {
  return is_bfloat ? float_of_bfloat16(from[i]) : float_of_half(from[i]);
}

static __device__ void write_narrow(unsigned short *to, long i, int is_bfloat, float value) {
  to[i] = is_bfloat ? bfloat16_of_float(value) : half_of_float(value);
}

/* `count` lines of n elements, `distance` apart on both sides. */
__global__ void widen(long n, long count, long distance, int is_bfloat, const unsigned short *from, float *to) {
  for (long i = first_index(); i < n * count; i += all_threads()) {
    long at = i / n * distance + i % n;
    to[at] = read_narrow(from, at, is_bfloat);
  }
}

__global__ void narrow(long n, long count, long distance, int is_bfloat, const float *from, unsigned short *to) {
  for (long i = first_index(); i < n * count; i += all_threads()) {
    long at = i / n * distance + i % n;
    write_narrow(to, at, is_bfloat, from[at]);
  }
}

/* A sparse vector beside a dense one, of which nothing is touched but what has an index. */
__global__ void gather_narrow(long entries, INDICES(indices), long base, const unsigned short *y, unsigned short *x) {
  for (long k = first_index(); k < entries; k += all_threads())
    x[k] = y[AT(indices, k) - base];
}

__global__ void scatter_narrow(long entries, INDICES(indices), long base, const unsigned short *x, unsigned short *y) {
  for (long k = first_index(); k < entries; k += all_threads())
    y[AT(indices, k) - base] = x[k];
}

__global__ void rotate_narrow(long entries, INDICES(indices), long base, int is_bfloat, unsigned short *x,
                              unsigned short *y, float c_value, const float *c_at, float s_value, const float *s_at) {
  float c = scalar(c_value, c_at), s = scalar(s_value, s_at);
  for (long k = first_index(); k < entries; k += all_threads()) {
    long i = AT(indices, k) - base;
    float a = read_narrow(x, k, is_bfloat), b = read_narrow(y, i, is_bfloat);
    write_narrow(x, k, is_bfloat, c * a + s * b);
    write_narrow(y, i, is_bfloat, c * b - s * a);
  }
}
