/* SPDX-License-Identifier: MIT */
/*
 * fft_check - for programs that hold cuFFT against FFTW on the host: transforms of any type and layout, one at a time.
 *
 * Plain CUDA and cuFFT, so that they run on NVIDIA's libraries as well. FFTW computes in double, on packed complex
 * numbers alone: what cuFFT does with strides, halves and padding is written out here. Both sides lie somewhere inside
 * of an allocation, and the output is compared whole, with what lies between its elements, in front and behind.
 */
#ifndef FFT_CHECK_H
#define FFT_CHECK_H

#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <string.h>

#include <cufft.h>

#include "support/library.h"

#define EXPECT(what, condition) check_that(condition, what, #condition, __LINE__)

/* ---- a transform --------------------------------------------------------------------------------------------- */

typedef struct layout {
  bool is_told; /* else inembed or onembed is NULL */
  int embed[3], stride, distance;
} layout;

typedef struct transform {
  const char *what;
  cufftType type;
  int rank, n[3], batch;
  layout in, out;
  bool is_in_place;
  int direction;
  int in_front; /* elements of the input, and of the output, in front of the first */
} transform;

static inline bool is_double(const transform *it) {
  return it->type == CUFFT_Z2Z || it->type == CUFFT_D2Z || it->type == CUFFT_Z2D;
}
static inline bool is_from_real(const transform *it) { return it->type == CUFFT_R2C || it->type == CUFFT_D2Z; }
static inline bool is_to_real(const transform *it) { return it->type == CUFFT_C2R || it->type == CUFFT_Z2D; }

/* Of a side: how long its rows are, how far its elements are apart. */
typedef struct side {
  int n[3], step[3], distance; /* slowest first, padded in front with 1 */
  bool is_real;
  size_t count; /* elements from the first to the last */
} side;

static inline side side_of(const transform *it, bool is_output) {
  const layout *told = is_output ? &it->out : &it->in;
  side s = { .n = { 1, 1, 1 }, .is_real = is_output ? is_to_real(it) : is_from_real(it) };
  for (int i = 0; i < it->rank; i++)
    s.n[3 - it->rank + i] = it->n[i];
  int row = s.n[2];
  if ((is_from_real(it) || is_to_real(it)) && !s.is_real)
    row = s.n[2] = s.n[2] / 2 + 1;
  if (s.is_real && it->is_in_place)
    row = (s.n[2] / 2 + 1) * 2;
  s.step[2] = told->is_told ? told->stride : 1;
  s.step[1] = told->is_told && it->rank > 1 ? told->embed[it->rank - 1] * told->stride : row;
  s.step[0] = s.step[1] * (told->is_told && it->rank > 2 ? told->embed[it->rank - 2] : s.n[1]);
  s.distance = told->is_told ? told->distance : s.step[0] * s.n[0];
  s.count = (size_t)(it->batch - 1) * (size_t)s.distance + 1;
  for (int i = 0; i < 3; i++)
    s.count += (size_t)(s.n[i] - 1) * (size_t)s.step[i];
  return s;
}

static inline size_t place_of(const side *s, int batch, int i, int j, int k) {
  return (size_t)batch * (size_t)s->distance + (size_t)i * (size_t)s->step[0] + (size_t)j * (size_t)s->step[1] +
         (size_t)k * (size_t)s->step[2];
}

/* Element number `place` of memory, behind `front` elements. */
static inline double complex get(const transform *it, const side *s, const void *memory, size_t place) {
  size_t at = ((size_t)it->in_front + place) * (s->is_real ? 1 : 2);
  const double *d = memory;
  const float *f = memory;
  if (s->is_real)
    return is_double(it) ? d[at] : (double)f[at];
  return is_double(it) ? d[at] + I * d[at + 1] : (double)f[at] + I * (double)f[at + 1];
}

static inline void put(const transform *it, const side *s, void *memory, size_t place, double complex value) {
  size_t at = ((size_t)it->in_front + place) * (s->is_real ? 1 : 2);
  for (int part = 0; part < (s->is_real ? 1 : 2); part++) {
    double number = part == 0 ? creal(value) : cimag(value);
    if (is_double(it))
      ((double *)memory)[at + (size_t)part] = number;
    else
      ((float *)memory)[at + (size_t)part] = (float)number;
  }
}

static inline size_t bytes_of(const transform *it, const side *s) {
  size_t real = is_double(it) ? sizeof(double) : sizeof(float);
  return (s->count + 2 * (size_t)it->in_front) * (s->is_real ? 1 : 2) * real;
}

static inline void fill(const transform *it, void *memory, size_t bytes) {
  size_t size = is_double(it) ? sizeof(double) : sizeof(float);
  for (size_t i = 0; i < bytes / size; i++)
    if (is_double(it))
      ((double *)memory)[i] = random_real();
    else
      ((float *)memory)[i] = (float)random_real();
}

/* ---- what is expected ---------------------------------------------------------------------------------------- */

static inline size_t whole_of(const transform *it) {
  size_t whole = 1;
  for (int i = 0; i < it->rank; i++)
    whole *= (size_t)it->n[i];
  return whole;
}

/* The output of one transform from the input's numbers, both whole, complex and packed. */
static inline void transform_on_host(const transform *it, fftw_complex *numbers) {
  int sign = is_to_real(it) || (!is_from_real(it) && it->direction == CUFFT_INVERSE) ? FFTW_BACKWARD : FFTW_FORWARD;
  fftw_plan plan = fftw_plan_dft(it->rank, it->n, numbers, numbers, sign, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

/* A spectrum of real numbers, of which the first half is put into the input. */
static inline void put_spectrum(const transform *it, const side *in, void *input, int batch, fftw_complex *numbers) {
  const side whole = side_of(&(transform){ .type = CUFFT_C2C, .rank = it->rank, .n = { it->n[0], it->n[1], it->n[2] } },
                             false);
  for (size_t i = 0; i < whole_of(it); i++)
    numbers[i] = random_real();
  fftw_plan plan = fftw_plan_dft(it->rank, it->n, numbers, numbers, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  for (int i = 0; i < in->n[0]; i++)
    for (int j = 0; j < in->n[1]; j++)
      for (int k = 0; k < in->n[2]; k++)
        put(it, in, input, place_of(in, batch, i, j, k), numbers[place_of(&whole, 0, i, j, k)]);
}

/* Writes what comes out of `input` where it belongs in `expected`. */
static inline void expect_of(const transform *it, void *input, void *expected) {
  side in = side_of(it, false), out = side_of(it, true);
  const side whole = side_of(&(transform){ .type = CUFFT_C2C, .rank = it->rank, .n = { it->n[0], it->n[1], it->n[2] } },
                             false);
  fftw_complex *numbers = fftw_malloc(whole_of(it) * sizeof *numbers);
  for (int batch = 0; batch < it->batch; batch++) {
    if (is_to_real(it))
      put_spectrum(it, &in, input, batch, numbers);
    else
      for (int i = 0; i < in.n[0]; i++)
        for (int j = 0; j < in.n[1]; j++)
          for (int k = 0; k < in.n[2]; k++)
            numbers[place_of(&whole, 0, i, j, k)] = get(it, &in, input, place_of(&in, batch, i, j, k));
    transform_on_host(it, numbers);
    for (int i = 0; i < out.n[0]; i++)
      for (int j = 0; j < out.n[1]; j++)
        for (int k = 0; k < out.n[2]; k++)
          put(it, &out, expected, place_of(&out, batch, i, j, k), numbers[place_of(&whole, 0, i, j, k)]);
  }
  fftw_free(numbers);
}

/* ---- the comparison ------------------------------------------------------------------------------------------ */

/* Relative to the largest number: a transform adds all of them up. Every number of the memory counts, so gaps too. */
static inline void compare(const transform *it, const void *got, const void *expected, size_t bytes) {
  size_t size = is_double(it) ? sizeof(double) : sizeof(float), count = bytes / size, worst = 0;
  double largest = 0, most = 0;
  for (size_t i = 0; i < count; i++) {
    double a = is_double(it) ? ((const double *)got)[i] : (double)((const float *)got)[i];
    double b = is_double(it) ? ((const double *)expected)[i] : (double)((const float *)expected)[i];
    double difference = isfinite(a) ? fabs(a - b) : INFINITY;
    largest = fabs(b) > largest ? fabs(b) : largest;
    if (difference > most) {
      most = difference;
      worst = i;
    }
  }
  checks++;
  if (most <= (is_double(it) ? 1e-13 : 2e-6) * (largest + 1))
    return;
  if (count_failure())
    printf("%s: type %#x, rank %d of %d %d %d, batch %d, %s, direction %d: number %zu of %zu is off by %g, "
           "largest %g\n",
           it->what, (unsigned)it->type, it->rank, it->n[0], it->n[1], it->n[2], it->batch,
           it->is_in_place ? "in place" : "out of place", it->direction, worst, count, most, largest);
}

static inline cufftResult execute(const transform *it, cufftHandle plan, void *in, void *out) {
  switch (it->type) {
  case CUFFT_C2C:
    return cufftExecC2C(plan, in, out, it->direction);
  case CUFFT_R2C:
    return cufftExecR2C(plan, in, out);
  case CUFFT_C2R:
    return cufftExecC2R(plan, in, out);
  case CUFFT_Z2Z:
    return cufftExecZ2Z(plan, in, out, it->direction);
  case CUFFT_D2Z:
    return cufftExecD2Z(plan, in, out);
  default:
    return cufftExecZ2D(plan, in, out);
  }
}

static inline cufftResult plan_of(const transform *it, cufftHandle *plan) {
  transform copy = *it;
  return cufftPlanMany(plan, copy.rank, copy.n, copy.in.is_told ? copy.in.embed : NULL, copy.in.stride,
                       copy.in.distance, copy.out.is_told ? copy.out.embed : NULL, copy.out.stride, copy.out.distance,
                       copy.type, copy.batch);
}

/* cuFFT may compute in an input of several dimensions where it makes reals of it. */
static inline void check_input(const transform *it, const void *device, const void *input, size_t bytes) {
  if (it->is_in_place || (is_to_real(it) && it->rank > 1))
    return;
  void *back = malloc(bytes);
  cudaMemcpy(back, device, bytes, cudaMemcpyDeviceToHost);
  EXPECT("the input is as it was", memcmp(back, input, bytes) == 0);
  free(back);
}

/* With a plan that was made for it. */
static inline void run_transform(const transform *it, cufftHandle plan) {
  side in = side_of(it, false), out = side_of(it, true);
  size_t in_bytes = bytes_of(it, &in), out_bytes = bytes_of(it, &out);
  size_t shared = in_bytes > out_bytes ? in_bytes : out_bytes;
  char *input = malloc(shared), *expected = malloc(shared), *device_in, *device_out;
  size_t in_front = (size_t)it->in_front * (in.is_real ? 1 : 2) * (is_double(it) ? 8 : 4);
  size_t out_front = (size_t)it->in_front * (out.is_real ? 1 : 2) * (is_double(it) ? 8 : 4);
  fill(it, input, shared);
  fill(it, expected, shared);
  cudaMalloc((void **)&device_in, shared);
  cudaMalloc((void **)&device_out, shared);
  cudaMemcpy(device_out, expected, shared, cudaMemcpyHostToDevice);
  expect_of(it, input, expected);
  cudaMemcpy(device_in, input, shared, cudaMemcpyHostToDevice);
  cufftResult result = execute(it, plan, device_in + in_front, device_out + out_front);
  EXPECT(it->what, result == CUFFT_SUCCESS);
  char *got = malloc(out_bytes);
  cudaMemcpy(got, device_out, out_bytes, cudaMemcpyDeviceToHost);
  if (result == CUFFT_SUCCESS)
    compare(it, got, expected, out_bytes);
  check_input(it, device_in, input, in_bytes);
  cudaFree(device_in);
  cudaFree(device_out);
  free(input), free(expected), free(got);
}

/* In place: what lies between rows of reals is padding, whose numbers are anybody's. */
static inline void run_in_place(const transform *it, cufftHandle plan) {
  side in = side_of(it, false), out = side_of(it, true);
  size_t real = is_double(it) ? sizeof(double) : sizeof(float);
  size_t front = 2 * (size_t)it->in_front * real;
  size_t bytes = front + (in.count * (in.is_real ? 1 : 2) + out.count * (out.is_real ? 1 : 2)) * real;
  transform moved = *it;
  moved.in_front = 0;
  char *input = malloc(bytes), *expected = malloc(bytes), *got = malloc(bytes), *device;
  fill(it, input, bytes);
  expect_of(&moved, input + front, expected + front);
  cudaMalloc((void **)&device, bytes);
  cudaMemcpy(device, input, bytes, cudaMemcpyHostToDevice);
  EXPECT(it->what, execute(it, plan, device + front, device + front) == CUFFT_SUCCESS);
  cudaMemcpy(got, device, bytes, cudaMemcpyDeviceToHost);
  EXPECT(it->what, memcmp(got, input, front) == 0);
  memcpy(input, got, bytes);
  for (int batch = 0; batch < it->batch; batch++)
    for (int i = 0; i < out.n[0]; i++)
      for (int j = 0; j < out.n[1]; j++)
        for (int k = 0; k < out.n[2]; k++) {
          size_t place = place_of(&out, batch, i, j, k);
          put(&moved, &out, input + front, place, get(&moved, &out, expected + front, place));
        }
  compare(it, got, input, bytes);
  cudaFree(device);
  free(input), free(expected), free(got);
}

static inline void check_transform(const transform *given) {
  transform moved = *given;
  const transform *it = &moved;
#ifdef ON_NVIDIA /* which wants reals where complex numbers may lie */
  moved.in_front -= moved.in_front % 2;
#endif
  cufftHandle plan;
  cufftResult result = plan_of(it, &plan);
  EXPECT(it->what, result == CUFFT_SUCCESS);
  if (result != CUFFT_SUCCESS) {
    printf("%s: no plan of type %#x, rank %d of %d %d %d: %d\n", it->what, (unsigned)it->type, it->rank, it->n[0],
           it->n[1], it->n[2], (int)result);
    return;
  }
  if (it->is_in_place)
    run_in_place(it, plan);
  else
    run_transform(it, plan);
  EXPECT(it->what, cufftDestroy(plan) == CUFFT_SUCCESS);
}

#endif
