/* SPDX-License-Identifier: MIT */
/*
 * shape - what a plan computes: lengths, where the elements of both sides lie, how many transforms.
 *
 * Dimensions are kept from the fastest to the slowest, the reverse of cuFFT's arguments. Where a program says nothing
 * of the sides (inembed and onembed NULL) they are packed; the real side of a transform in place has rows padded to
 * those of the complex one, as cuFFT has it. So a side is known when its placement is. Dimensions of one element are
 * left out, but for one that is the only one, and for the rows of a real transform.
 *
 * A value; no locks. Numbers of bytes are computed without overflow.
 */
#ifndef VPTR_CUFFT_SHAPE_H
#define VPTR_CUFFT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cufft/engine.h"
#include "cufft/status.h"

/* Where elements lie: their steps along each dimension, the last one from transform to transform, in elements. */
typedef struct vptr__fft_side {
  int64_t step[VPTR__FFT_MOST_RANK + 1];
} vptr__fft_side;

typedef struct vptr__fft_layout {
  bool is_told; /* else it is packed */
  vptr__fft_side told;
} vptr__fft_layout;

typedef struct vptr__fft_shape {
  cufftType type;
  int rank;
  int64_t n[VPTR__FFT_MOST_RANK]; /* beyond the rank 1 */
  int64_t batch;
  vptr__fft_layout in, out;
} vptr__fft_shape;

/* As cuFFT's functions have them. */
typedef struct vptr__fft_arguments {
  int rank;
  const long long *n, *inembed, *onembed;
  long long istride, idist, ostride, odist;
  cufftType type;
  long long batch;
} vptr__fft_arguments;

/* Errors: INVALID_TYPE, INVALID_SIZE (lengths and batches), INVALID_VALUE. */
cufftResult vptr__fft_shape_of(const char *call, const vptr__fft_arguments *arguments, vptr__fft_shape *shape_out);

vptr__fft_kind vptr__fft_shape_kind(const vptr__fft_shape *shape);
bool vptr__fft_shape_is_double(const vptr__fft_shape *shape);

/* Bytes of an element of a side. */
size_t vptr__fft_shape_size(const vptr__fft_shape *shape, bool is_output);

/* Elements of a side's rows: half as many, and one, on the complex side of a real transform. */
int64_t vptr__fft_shape_row(const vptr__fft_shape *shape, bool is_output);

vptr__fft_side vptr__fft_shape_side(const vptr__fft_shape *shape, bool is_output, bool is_in_place);

/* Packed, with rows of so many elements, `pad` elements apart. */
vptr__fft_side vptr__fft_shape_packed(const vptr__fft_shape *shape, int64_t pad);

/* Bytes from the first element of a side to the end of the last; SIZE_MAX if that is too large. */
size_t vptr__fft_shape_bytes(const vptr__fft_shape *shape, bool is_output, const vptr__fft_side *side);

/* Bytes of all numbers as complex ones; SIZE_MAX. */
size_t vptr__fft_shape_complex_bytes(const vptr__fft_shape *shape);

/* Whether an engine takes the side as it lies. */
bool vptr__fft_shape_is_direct(const vptr__fft_shape *shape, bool is_output, const vptr__fft_side *side);

#endif
