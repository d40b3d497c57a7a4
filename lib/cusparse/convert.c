/* SPDX-License-Identifier: MIT */
/*
 * convert - between sparse and dense matrices.
 *
 * cusparseDenseToSparse_analysis() counts what is not 0 and tells the matrix how many those are; the program gives it
 * memory for so many, and cusparseDenseToSparse_convert() fills that. The offsets of COO are counted a second time,
 * since it has no place for them. The blocks of blocked ELL are where the program says: its analysis only checks.
 *
 * Values are moved, and keep their bits; what is 0 of either sign is no entry.
 *
 * No state and no locks. Called by programs. The analysis waits for the stream. No buffer is needed: its size is told
 * as 0.
 */
#include "cusparse/blocked.h"
#include "cusparse/group.h"
#include "cusparse/kernel.h"
#include "cusparse/tile.h"

static bool is_ell(cusparseConstSpMatDescr_t sparse) {
  return sparse->format == CUSPARSE_FORMAT_BLOCKED_ELL;
}

static void check_pair(vptr__sparse_call *call, cusparseConstSpMatDescr_t sparse, cusparseConstDnMatDescr_t dense,
                       int algorithm, bool to_sparse) {
  vptr__sparse_require(call, sparse != NULL && dense != NULL, "matA or matB is NULL");
  vptr__sparse_require(call, algorithm == 0, "there is no algorithm %d", algorithm);
  if (!vptr__sparse_is_well(call))
    return;
  vptr__sparse_support(call, !vptr__sparse_is_blocked(sparse) || (to_sparse && is_ell(sparse)),
                       "the sparse matrix is in blocks (format %d): from dense matrices, blocked ELL is filled",
                       (int)sparse->format);
  vptr__sparse_move(call, dense->type);
  vptr__sparse_require_type(call, "the sparse matrix", sparse->type);
  vptr__sparse_require_matrix(call, "the dense matrix", dense, sparse->rows, sparse->cols);
}

static cusparseStatus_t tell_no_buffer(const char *name, cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                       cusparseConstDnMatDescr_t dense, int algorithm, bool to_sparse, size_t *size) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  check_pair(&call, sparse, dense, algorithm, to_sparse);
  vptr__sparse_require(&call, size != NULL, "bufferSize is NULL");
  if (vptr__sparse_is_well(&call))
    *size = 0;
  return vptr__sparse_finish(&call);
}

/* How far elements of a dense matrix are apart from line to line of a sparse one, and along such a line. */
static vptr__sparse_steps steps_by_lines(cusparseConstDnMatDescr_t dense, bool is_turned) {
  vptr__sparse_steps steps = vptr__sparse_steps_of(dense, false);
  return is_turned ? (vptr__sparse_steps){ steps.along, steps.down } : steps;
}

/* ---- sparse to dense ------------------------------------------------------------------------------------------ */

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg,
                                                  size_t *bufferSize) {
  return tell_no_buffer("cusparseSparseToDense_bufferSize", handle, matA, matB, (int)alg, false, bufferSize);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg,
                                       void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseSparseToDense", handle);
  check_pair(&call, matA, matB, (int)alg, false);
  vptr__sparse_lines a = vptr__sparse_lines_of(&call, "matA", matA);
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  bool is_by_columns = matB->order == CUSPARSE_ORDER_COL;
  int64_t length = is_by_columns ? matB->rows : matB->cols, count = is_by_columns ? matB->cols : matB->rows;
  vptr__sparse_steps steps = steps_by_lines(matB, a.is_turned);
  vptr__sparse_launch(&call, VPTR__SPARSE_BLANK, vptr__sparse_line(length * count),
                      VPTR__SPARSE_ARGUMENTS(&length, &count, &matB->ld, &matB->values));
  if (a.entries > 0)
    vptr__sparse_launch(&call, VPTR__SPARSE_EXPAND, vptr__sparse_blocks(a.count),
                        VPTR__SPARSE_ARGUMENTS(&a.count, &a.offsets.narrow, &a.offsets.wide, &a.base,
                                               &a.indices.narrow, &a.indices.wide, &a.index_base, &a.values,
                                               &matB->values, &steps.down, &steps.along));
  return vptr__sparse_finish(&call);
}

/* ---- dense to sparse ------------------------------------------------------------------------------------------ */

/* Counts what each line has, into the offsets: of the matrix, or of the call's own if it has none. */
static vptr__sparse_indices count_lines(vptr__sparse_call *call, cusparseConstDnMatDescr_t dense,
                                        cusparseConstSpMatDescr_t sparse, int64_t *total) {
  bool is_turned = sparse->format == CUSPARSE_FORMAT_CSC, is_coo = sparse->format == CUSPARSE_FORMAT_COO;
  int64_t lines = is_turned ? sparse->cols : sparse->rows, length = is_turned ? sparse->rows : sparse->cols;
  vptr__sparse_steps steps = steps_by_lines(dense, is_turned);
  void *counts = vptr__sparse_work(call, lines, sizeof(int));
  void *own = is_coo ? vptr__sparse_work(call, lines + 1, sizeof(int64_t)) : NULL;
  if (!is_coo)
    vptr__sparse_memory(call, "offsets", sparse->offsets, lines + 1, vptr__sparse_index_size(sparse->offset_type));
  vptr__sparse_indices offsets =
      is_coo ? (vptr__sparse_indices){ NULL, own } : vptr__sparse_indices_of(sparse->offset_type, sparse->offsets);
  vptr__sparse_launch(call, VPTR__SPARSE_COUNT_VALUES, vptr__sparse_line(lines),
                      VPTR__SPARSE_ARGUMENTS(&lines, &length, &dense->values, &steps.down, &steps.along, &counts));
  vptr__sparse_sum_before(call, lines, counts, is_coo ? 0 : (int64_t)sparse->base, offsets, total);
  return offsets;
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                  cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t alg,
                                                  size_t *bufferSize) {
  return tell_no_buffer("cusparseDenseToSparse_bufferSize", handle, matB, matA, (int)alg, true, bufferSize);
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t alg,
                                                void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseDenseToSparse_analysis", handle);
  int64_t total = 0;
  check_pair(&call, matB, matA, (int)alg, true);
  bool counts = vptr__sparse_is_well(&call) && !is_ell(matB);
  if (counts)
    count_lines(&call, matA, matB, &total);
  if (counts && vptr__sparse_is_well(&call))
    matB->nnz = total;
  return vptr__sparse_finish(&call);
}

static void fill_blocks(vptr__sparse_call *call, cusparseConstDnMatDescr_t dense, cusparseConstSpMatDescr_t sparse) {
  vptr__sparse_blocked to = vptr__sparse_blocked_of(call, "matB", sparse);
  vptr__sparse_steps steps = vptr__sparse_steps_of(dense, false);
  vptr__sparse_launch(call, VPTR__SPARSE_FILL_BLOCKED, vptr__sparse_teams(call, to.rows, THREADS),
                      VPTR__SPARSE_ARGUMENTS(VPTR__SPARSE_BLOCKED(&to), &dense->values, &steps.down, &steps.along));
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t alg,
                                               void *externalBuffer) {
  (void)externalBuffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseDenseToSparse_convert", handle);
  check_pair(&call, matB, matA, (int)alg, true);
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  if (is_ell(matB)) {
    fill_blocks(&call, matA, matB);
    return vptr__sparse_finish(&call);
  }
  bool is_turned = matB->format == CUSPARSE_FORMAT_CSC, is_coo = matB->format == CUSPARSE_FORMAT_COO;
  int64_t lines = is_turned ? matB->cols : matB->rows, length = is_turned ? matB->rows : matB->cols;
  int64_t index_base = (int64_t)matB->base, base = is_coo ? 0 : index_base;
  vptr__sparse_memory(&call, "indices", matB->indices, matB->nnz, vptr__sparse_index_size(matB->index_type));
  vptr__sparse_memory(&call, "values", matB->values, matB->nnz, vptr__sparse_size(call.type));
  if (is_coo)
    vptr__sparse_memory(&call, "rows", matB->offsets, matB->nnz, vptr__sparse_index_size(matB->index_type));
  vptr__sparse_steps steps = steps_by_lines(matA, is_turned);
  vptr__sparse_indices offsets = count_lines(&call, matA, matB, NULL);
  vptr__sparse_indices to_lines = vptr__sparse_indices_of(matB->index_type, is_coo ? matB->offsets : NULL);
  vptr__sparse_indices to = vptr__sparse_indices_of(matB->index_type, matB->indices);
  if (matB->nnz > 0)
    vptr__sparse_launch(&call, VPTR__SPARSE_COMPRESS, vptr__sparse_line(lines),
                        VPTR__SPARSE_ARGUMENTS(&lines, &length, &matA->values, &steps.down, &steps.along,
                                               &offsets.narrow, &offsets.wide, &base, &index_base, &to_lines.narrow,
                                               &to_lines.wide, &to.narrow, &to.wide, &matB->values));
  return vptr__sparse_finish(&call);
}
