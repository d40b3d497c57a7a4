/* SPDX-License-Identifier: MIT */
/*
 * lt_descriptor - what a program says to cuBLASLt: matrices, products, preferences, sums.
 *
 * Each lies in the words of cuBLASLt's opaque structure, which programs also have on their stacks, and begins with a
 * number that tells what it is: one that was never made is refused. No locks: descriptors are the program's to order.
 */
#ifndef VPTR_CUBLAS_LT_DESCRIPTOR_H
#define VPTR_CUBLAS_LT_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/cuda/cublasLt.h>

typedef enum vptr__lt_kind {
  VPTR__LT_LAYOUT = 0x4c4c5456,
  VPTR__LT_MATMUL = 0x4d4c5456,
  VPTR__LT_PREFERENCE = 0x504c5456,
  VPTR__LT_TRANSFORM = 0x544c5456,
  VPTR__LT_ALGORITHM = 0x414c5456
} vptr__lt_kind;

typedef struct vptr__lt_layout {
  uint32_t kind, type;
  int32_t order, batch_count;
  uint64_t rows, columns;
  int64_t ld, batch_stride, plane_offset;
  uint32_t batch_mode;
} vptr__lt_layout;

typedef struct vptr__lt_matmul {
  uint32_t kind;
  int32_t compute_type, scale_type, pointer_mode, trans_a, trans_b, trans_c, fill_mode;
  uint32_t epilogue;
  int32_t bias_type, aux_type, sm_count;
  const void *bias;
  void *aux;
  int64_t bias_stride, aux_ld, aux_stride, alpha_stride;
  int8_t fast_accumulation;
} vptr__lt_matmul;

typedef struct vptr__lt_preference {
  uint32_t kind, search, schemes, align[4];
  float waves;
  uint64_t workspace, implementations;
} vptr__lt_preference;

typedef struct vptr__lt_transform {
  uint32_t kind;
  int32_t scale_type, pointer_mode, trans_a, trans_b;
} vptr__lt_transform;

/* The algorithm, for elements of A and B, and of C and D, of so many bytes; and what it is to be like, of which there
 * is one choice each. */
typedef struct vptr__lt_algorithm {
  uint32_t kind;
  int32_t number, splits;
  uint32_t tile, scheme, swizzle, custom, stages;
  uint16_t shape, cluster;
  uint32_t input_size, output_size;
} vptr__lt_algorithm;

/* INVALID_VALUE, said in words, if it is NULL or of another kind. */
cublasStatus_t vptr__lt_check(const char *call, const char *what, const void *descriptor, vptr__lt_kind kind);

static inline const vptr__lt_layout *vptr__lt_layout_of(cublasLtMatrixLayout_t layout) {
  return (const void *)layout;
}

#endif
