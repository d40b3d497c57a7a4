/* SPDX-License-Identifier: MIT */
/*
 * shape - what a plan computes; see shape.h.
 *
 * No state, no locks. Called by the other files of this folder. Nothing blocks.
 */
#include "cufft/shape.h"

#include <string.h>

static bool is_type(cufftType type) {
  return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z || type == CUFFT_D2Z ||
         type == CUFFT_Z2D;
}

static cufftResult check_layout(const char *call, const char *side, int rank, const long long *embed,
                                long long stride, long long distance) {
  if (embed == NULL)
    return CUFFT_SUCCESS;
  if (stride < 1)
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, call, "%sstride is %lld, and must be at least 1", side, stride);
  if (distance < 0)
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, call, "%sdist is %lld, below 0", side, distance);
  for (int i = 1; i < rank; i++)
    if (embed[i] < 1)
      return vptr__fft_refuse(CUFFT_INVALID_VALUE, call, "%snembed[%d] is %lld, and must be at least 1", side, i,
                              embed[i]);
  return CUFFT_SUCCESS;
}

static vptr__fft_layout layout_of(int rank, const long long *embed, long long stride, long long distance) {
  vptr__fft_layout layout = { .is_told = embed != NULL };
  if (embed == NULL)
    return layout;
  int64_t *step = layout.told.step;
  step[0] = stride;
  for (int i = 1; i < rank; i++)
    if (__builtin_mul_overflow(step[i - 1], embed[rank - i], &step[i]))
      step[i] = INT64_MAX;
  step[VPTR__FFT_MOST_RANK] = distance;
  return layout;
}

static void remove_dimension(vptr__fft_shape *shape, int at) {
  for (int i = at; i < VPTR__FFT_MOST_RANK - 1; i++) {
    shape->n[i] = shape->n[i + 1];
    shape->in.told.step[i] = shape->in.told.step[i + 1];
    shape->out.told.step[i] = shape->out.told.step[i + 1];
  }
  shape->n[VPTR__FFT_MOST_RANK - 1] = 1;
  shape->rank--;
}

static void remove_ones(vptr__fft_shape *shape) {
  int first = vptr__fft_shape_kind(shape) == VPTR__FFT_COMPLEX ? 0 : 1;
  for (int i = shape->rank - 1; i >= first && shape->rank > 1; i--)
    if (shape->n[i] == 1)
      remove_dimension(shape, i);
}

cufftResult vptr__fft_shape_of(const char *call, const vptr__fft_arguments *it, vptr__fft_shape *shape_out) {
  if (!is_type(it->type))
    return vptr__fft_refuse(CUFFT_INVALID_TYPE, call, "there is no type %d of a transform", (int)it->type);
  if (it->rank < 1 || it->rank > VPTR__FFT_MOST_RANK)
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, call, "rank is %d, and must be 1, 2 or 3", it->rank);
  if (it->n == NULL)
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, call, "n is NULL");
  for (int i = 0; i < it->rank; i++)
    if (it->n[i] < 1)
      return vptr__fft_refuse(CUFFT_INVALID_SIZE, call, "length %d is %lld, and must be at least 1", i, it->n[i]);
  if (it->batch < 1)
    return vptr__fft_refuse(CUFFT_INVALID_SIZE, call, "batch is %lld, and must be at least 1", it->batch);
  if ((it->inembed == NULL) != (it->onembed == NULL))
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, call, "%s is NULL and %s is not: both are told, or none is",
                            it->inembed == NULL ? "inembed" : "onembed", it->inembed == NULL ? "onembed" : "inembed");
  cufftResult result = check_layout(call, "i", it->rank, it->inembed, it->istride, it->idist);
  if (result == CUFFT_SUCCESS)
    result = check_layout(call, "o", it->rank, it->onembed, it->ostride, it->odist);
  if (result != CUFFT_SUCCESS)
    return result;
  vptr__fft_shape shape = { .type = it->type, .rank = it->rank, .n = { 1, 1, 1 }, .batch = it->batch };
  for (int i = 0; i < it->rank; i++)
    shape.n[it->rank - 1 - i] = it->n[i];
  shape.in = layout_of(it->rank, it->inembed, it->istride, it->idist);
  shape.out = layout_of(it->rank, it->onembed, it->ostride, it->odist);
  remove_ones(&shape);
  if (vptr__fft_shape_complex_bytes(&shape) > SIZE_MAX / 4)
    return vptr__fft_refuse(CUFFT_INVALID_SIZE, call, "the transforms have more bytes than there are addresses");
  *shape_out = shape;
  return CUFFT_SUCCESS;
}

/* ---- what follows from it --------------------------------------------------------------------------------- */

vptr__fft_kind vptr__fft_shape_kind(const vptr__fft_shape *shape) {
  if (shape->type == CUFFT_R2C || shape->type == CUFFT_D2Z)
    return VPTR__FFT_FROM_REAL;
  return shape->type == CUFFT_C2R || shape->type == CUFFT_Z2D ? VPTR__FFT_TO_REAL : VPTR__FFT_COMPLEX;
}

bool vptr__fft_shape_is_double(const vptr__fft_shape *shape) {
  return shape->type == CUFFT_Z2Z || shape->type == CUFFT_D2Z || shape->type == CUFFT_Z2D;
}

static bool is_real(const vptr__fft_shape *shape, bool is_output) {
  return vptr__fft_shape_kind(shape) == (is_output ? VPTR__FFT_TO_REAL : VPTR__FFT_FROM_REAL);
}

size_t vptr__fft_shape_size(const vptr__fft_shape *shape, bool is_output) {
  size_t real = vptr__fft_shape_is_double(shape) ? sizeof(double) : sizeof(float);
  return is_real(shape, is_output) ? real : 2 * real;
}

int64_t vptr__fft_shape_row(const vptr__fft_shape *shape, bool is_output) {
  bool is_half = vptr__fft_shape_kind(shape) != VPTR__FFT_COMPLEX && !is_real(shape, is_output);
  return is_half ? shape->n[0] / 2 + 1 : shape->n[0];
}

vptr__fft_side vptr__fft_shape_packed(const vptr__fft_shape *shape, int64_t pad) {
  vptr__fft_side side = { { 1, pad, 0, 0 } };
  for (int i = 1; i < VPTR__FFT_MOST_RANK; i++)
    side.step[i + 1] = side.step[i] * shape->n[i];
  return side;
}

vptr__fft_side vptr__fft_shape_side(const vptr__fft_shape *shape, bool is_output, bool is_in_place) {
  const vptr__fft_layout *layout = is_output ? &shape->out : &shape->in;
  if (!layout->is_told)
    return vptr__fft_shape_packed(shape, is_real(shape, is_output) && is_in_place
                                             ? shape->n[0] / 2 * 2 + 2
                                             : vptr__fft_shape_row(shape, is_output));
  return layout->told;
}

static size_t times(size_t a, size_t b) {
  size_t product;
  return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

static size_t plus(size_t a, size_t b) {
  size_t sum;
  return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

size_t vptr__fft_shape_bytes(const vptr__fft_shape *shape, bool is_output, const vptr__fft_side *side) {
  size_t last = times((size_t)(vptr__fft_shape_row(shape, is_output) - 1), (size_t)side->step[0]);
  for (int i = 1; i < VPTR__FFT_MOST_RANK; i++)
    last = plus(last, times((size_t)(shape->n[i] - 1), (size_t)side->step[i]));
  last = plus(last, times((size_t)(shape->batch - 1), (size_t)side->step[VPTR__FFT_MOST_RANK]));
  return times(plus(last, 1), vptr__fft_shape_size(shape, is_output));
}

size_t vptr__fft_shape_complex_bytes(const vptr__fft_shape *shape) {
  size_t bytes = vptr__fft_shape_is_double(shape) ? 16 : 8;
  for (int i = 0; i < VPTR__FFT_MOST_RANK; i++)
    bytes = times(bytes, (size_t)shape->n[i]);
  return times(bytes, (size_t)shape->batch);
}

bool vptr__fft_shape_is_direct(const vptr__fft_shape *shape, bool is_output, const vptr__fft_side *side) {
  int64_t most = INT64_MAX / 4, least = vptr__fft_shape_row(shape, is_output);
  if (side->step[0] != 1)
    return false;
  for (int i = 1; i < shape->rank; i++) {
    if (side->step[i] < least || side->step[i] > most / shape->n[i])
      return false;
    least = side->step[i] * shape->n[i];
  }
  int64_t distance = side->step[VPTR__FFT_MOST_RANK];
  return shape->batch == 1 || (distance >= least && distance <= most / shape->batch);
}
