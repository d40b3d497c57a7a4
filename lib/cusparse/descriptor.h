/* SPDX-License-Identifier: MIT */
/*
 * descriptor - what vectors and matrices are to cuSPARSE: shapes, types, and where the program has the elements.
 *
 * A descriptor owns no memory of the device's. What it says of memory is checked when a call uses it. Of constant ones
 * the type of the pointer alone tells that they are: the calls that write take others.
 *
 * No locks: a descriptor is used by several threads as long as none changes it.
 */
#ifndef VPTR_CUSPARSE_DESCRIPTOR_H
#define VPTR_CUSPARSE_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cusparse/status.h"

struct cusparseSpVecDescr {
  int64_t size, nnz;
  void *indices, *values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};

struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};

struct cusparseDnMatDescr {
  int64_t rows, cols, ld;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
  int batch;
  int64_t batch_stride;
};

struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, cols, nnz;
  void *offsets, *indices, *values; /* of COO, offsets are the rows */
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFillMode_t fill;
  cusparseDiagType_t diagonal;
  int batch;
  int64_t offsets_stride, entries_stride; /* from matrix to matrix of a batch, in elements */
  int64_t values_stride;                  /* likewise; it is that of entries but where entries are blocks */
  int64_t block_height, block_width;      /* of BSR and blocked ELL, whose entries, nnz, are values of blocks */
  int64_t ell_columns;                    /* of blocked ELL: columns of values */
  cusparseOrder_t block_order;            /* of BSR: how a block lies */
};

/* Whether the matrix is stored in blocks; see blocked.h. */
static inline bool vptr__sparse_is_blocked(const struct cusparseSpMatDescr *matrix) {
  return matrix->format == CUSPARSE_FORMAT_BSR || matrix->format == CUSPARSE_FORMAT_BLOCKED_ELL;
}

/* How the functions with names of types see a matrix. */
struct cusparseMatDescr {
  cusparseMatrixType_t type;
  cusparseFillMode_t fill;
  cusparseDiagType_t diagonal;
  cusparseIndexBase_t base;
};

/* The address of a constant operand, for a place that has both kinds. */
static inline void *vptr__sparse_address(const void *ptr) {
  return (void *)(uintptr_t)ptr;
}

/* Whether it is one of the values that its type has. */
static inline bool vptr__sparse_is_index_type(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}
static inline bool vptr__sparse_is_base(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}
bool vptr__sparse_is_data_type(cudaDataType type);

/* Memory for a descriptor of `size` bytes, and a copy of `as` in it, if the arguments are right. */
cusparseStatus_t vptr__sparse_create(const char *call, bool is_right, const void *as, size_t size, void *place);

/* What the arguments of a question, or of a change, have to be. */
cusparseStatus_t vptr__sparse_check_arguments(const char *call, bool are_right);

#endif
