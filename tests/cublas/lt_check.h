/* SPDX-License-Identifier: MIT */
/*
 * lt_check - for programs that hold cuBLASLt against loops on the host: types and their numbers, matrices in any order
 * and batch with their layouts, comparison.
 *
 * Plain CUDA and cuBLASLt, so that they run on NVIDIA's library as well. Numbers are small multiples of 1/8, so that
 * sums are exact where nothing is rounded but the result.
 */
#ifndef LT_CHECK_H
#define LT_CHECK_H

#include "blas_check.h"

#include <complex.h>
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define GIVES(status, call) EXPECT(#call, (call) == (status))
#define FINE(call) GIVES(CUBLAS_STATUS_SUCCESS, call)

typedef struct kind {
  const char *name;
  cudaDataType input, output, scale;
  cublasComputeType_t compute;
  double tolerance;
} kind;

static const kind kinds[] = {
  { "float", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-5 },
  { "double", CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 1e-12 },
  { "complex", CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F, 1e-5 },
  { "double complex", CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F, 1e-12 },
  { "half", CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-3 },
  { "bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 8e-3 },
  { "half to float", CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-5 },
  { "bytes", CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 0 },
};
enum { KINDS = sizeof kinds / sizeof *kinds, BYTES = 7, ROUNDS = 5 };

/* ---- numbers of any type ---------------------------------------------------------------------------------- */

static inline size_t size_of_type(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 4;
  }
}

/* Of a float that half precision has exactly, or nearly: normal numbers, by rounding to the nearest. */
static inline unsigned short half_bits(float value) {
  unsigned bits, sign;
  memcpy(&bits, &value, sizeof bits);
  sign = bits >> 16 & 0x8000u;
  bits &= 0x7fffffffu;
  return (unsigned short)(bits < 0x38800000u ? sign
                                             : sign | ((bits + 0xfffu + (bits >> 13 & 1u) - 0x38000000u) >> 13));
}

static inline float float_of_half_bits(unsigned short half) {
  unsigned bits = (unsigned)(half & 0x8000u) << 16;
  float value;
  if ((half & 0x7c00u) != 0)
    bits |= (((unsigned)half & 0x7fffu) << 13) + 0x38000000u;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline void put(cudaDataType type, void *array, long index, double complex value) {
  unsigned bits;
  float real = (float)creal(value);
  switch (type) {
  case CUDA_R_8I:
    ((signed char *)array)[index] = (signed char)real;
    break;
  case CUDA_R_32I:
    ((int *)array)[index] = (int)real;
    break;
  case CUDA_R_16F:
    ((unsigned short *)array)[index] = half_bits(real);
    break;
  case CUDA_R_16BF:
    memcpy(&bits, &real, sizeof bits);
    ((unsigned short *)array)[index] = (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
    break;
  case CUDA_R_32F:
    ((float *)array)[index] = real;
    break;
  case CUDA_R_64F:
    ((double *)array)[index] = creal(value);
    break;
  case CUDA_C_32F:
    ((float complex *)array)[index] = (float complex)value;
    break;
  default:
    ((double complex *)array)[index] = value;
  }
}

static inline double complex get(cudaDataType type, const void *array, long index) {
  unsigned bits;
  float real;
  switch (type) {
  case CUDA_R_8I:
    return ((const signed char *)array)[index];
  case CUDA_R_32I:
    return ((const int *)array)[index];
  case CUDA_R_16F:
    return (double)float_of_half_bits(((const unsigned short *)array)[index]);
  case CUDA_R_16BF:
    bits = (unsigned)((const unsigned short *)array)[index] << 16;
    memcpy(&real, &bits, sizeof real);
    return (double)real;
  case CUDA_R_32F:
    return (double)((const float *)array)[index];
  case CUDA_R_64F:
    return ((const double *)array)[index];
  case CUDA_C_32F:
    return (double complex)((const float complex *)array)[index];
  default:
    return ((const double complex *)array)[index];
  }
}

static inline bool is_complex(cudaDataType type) {
  return type == CUDA_C_32F || type == CUDA_C_64F;
}

static inline double complex some_number(cudaDataType type) {
  double real = type == CUDA_R_8I || type == CUDA_R_32I ? random_int(-5, 5) : random_int(-12, 12) / 8.0;
  return is_complex(type) ? real + I * (random_int(-12, 12) / 8.0) : real;
}

/* ---- matrices ---------------------------------------------------------------------------------- */

typedef struct matrix {
  cudaDataType type;
  int rows, columns, ld, batch;
  bool by_rows;
  long stride, elements;
  void *host, *device, *pointers; /* NULL, or an array of them on the device, one for each of the batch */
  cublasLtMatrixLayout_t layout;
} matrix;

static inline long place_of(const matrix *it, int batch, int i, int j) {
  return batch * it->stride + (it->by_rows ? j + (long)i * it->ld : i + (long)j * it->ld);
}

static inline matrix new_matrix(cudaDataType type, int rows, int columns, bool by_rows, int batch) {
  matrix it = { .type = type, .rows = rows, .columns = columns, .by_rows = by_rows, .batch = batch };
  int32_t order = by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
  int64_t stride;
  it.ld = (by_rows ? columns : rows) + random_int(0, 3);
  it.ld = (it.ld + 7) / 8 * 8; /* cuBLASLt wants multiples of 4 of bytes, and of 8 of GELU's auxiliary matrix */
  stride = it.stride = (long)it.ld * (by_rows ? rows : columns) + 8 * random_int(0, 2);
  it.elements = it.stride * batch;
  it.host = calloc((size_t)it.elements + 1, 16);
  for (long i = 0; i < it.elements; i++)
    put(type, it.host, i, some_number(type));
  it.device = on_device(it.host, (size_t)it.elements * size_of_type(type));
  FINE(cublasLtMatrixLayoutCreate(&it.layout, type, (uint64_t)rows, (uint64_t)columns, it.ld));
  FINE(cublasLtMatrixLayoutSetAttribute(it.layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  FINE(cublasLtMatrixLayoutSetAttribute(it.layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &it.batch, sizeof it.batch));
  FINE(cublasLtMatrixLayoutSetAttribute(it.layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                        sizeof stride));
  return it;
}

static inline void end_matrix(matrix *it) {
  FINE(cublasLtMatrixLayoutDestroy(it->layout));
  free(it->host);
}

static inline double complex element_of(const matrix *it, int batch, int i, int j, cublasOperation_t operation) {
  double complex value = get(it->type, it->host,
                             place_of(it, batch, operation == CUBLAS_OP_N ? i : j, operation == CUBLAS_OP_N ? j : i));
  return operation == CUBLAS_OP_C ? conj(value) : value;
}

/* What is on the device beside what is expected, all of it. */
static inline void compare_matrix(const char *what, const matrix *it, const void *expected, double tolerance) {
  void *got = calloc((size_t)it->elements + 1, 16);
  from_device(got, it->device, (size_t)it->elements * size_of_type(it->type));
  checks++;
  for (long i = 0; i < it->elements; i++) {
    double complex is = get(it->type, got, i), should = get(it->type, expected, i);
    if (!(cabs(is - should) <= tolerance * (1 + cabs(should)))) {
      if (count_failure())
        printf("%s: number %ld of %ld is %g%+gi, not %g%+gi\n", what, i, it->elements, creal(is), cimag(is),
               creal(should), cimag(should));
      break;
    }
  }
  free(got);
}

#endif
