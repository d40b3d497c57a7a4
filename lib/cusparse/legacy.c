/* SPDX-License-Identifier: MIT */
/*
 * legacy - cusparseMatDescr_t: how the functions with names of types see a matrix.
 *
 * No locks: see descriptor.h. Called by programs. Nothing blocks.
 */
#include "base/memory.h"
#include "cusparse/descriptor.h"

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descrA) {
  struct cusparseMatDescr as = { CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT,
                                 CUSPARSE_INDEX_BASE_ZERO };
  return vptr__sparse_create("cusparseCreateMatDescr", true, &as, sizeof as, descrA);
}

/* NULL is nothing to destroy, as in cuSPARSE. */
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descrA) {
  vptr__memory_free(descrA);
  return CUSPARSE_STATUS_SUCCESS;
}

/* What the values may be is said of `value`. */
#define SETTING(noun, T, member, most)                                                                               \
  cusparseStatus_t cusparseSet##noun(cusparseMatDescr_t descrA, T value) {                                           \
    cusparseStatus_t status =                                                                                        \
        vptr__sparse_check_arguments("cusparseSet" #noun, descrA != NULL && (unsigned)value <= (unsigned)(most));    \
    if (status == CUSPARSE_STATUS_SUCCESS)                                                                           \
      descrA->member = value;                                                                                        \
    return status;                                                                                                   \
  }                                                                                                                  \
  T cusparseGet##noun(const cusparseMatDescr_t descrA) {                                                             \
    return descrA != NULL ? descrA->member : (T)0;                                                                   \
  }
SETTING(MatType, cusparseMatrixType_t, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR)
SETTING(MatFillMode, cusparseFillMode_t, fill, CUSPARSE_FILL_MODE_UPPER)
SETTING(MatDiagType, cusparseDiagType_t, diagonal, CUSPARSE_DIAG_TYPE_UNIT)
SETTING(MatIndexBase, cusparseIndexBase_t, base, CUSPARSE_INDEX_BASE_ONE)
