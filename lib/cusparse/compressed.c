/* SPDX-License-Identifier: MIT */
/*
 * compressed - from rows of entries to offsets of rows and back, and from rows to columns: cusparseXcoo2csr(),
 * cusparseXcsr2coo() and cusparseCsr2cscEx2().
 *
 * No state and no locks. Called by programs. Nothing waits. No buffer is needed: its size is told as 0.
 */
#include "cusparse/group.h"
#include "cusparse/kernel.h"

static void require_base(vptr__sparse_call *call, cusparseIndexBase_t base) {
  vptr__sparse_require(call, vptr__sparse_is_base(base), "idxBase is %d, neither 0 nor 1", (int)base);
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd, int nnz, int m, int *csrSortedRowPtr,
                                  cusparseIndexBase_t idxBase) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseXcoo2csr", handle);
  int64_t lines = m, entries = nnz, base = (int64_t)idxBase;
  void *none = NULL;
  vptr__sparse_require(&call, nnz >= 0 && m >= 0, "nnz is %d, and m %d: neither may be below 0", nnz, m);
  require_base(&call, idxBase);
  vptr__sparse_memory(&call, "cooRowInd", cooRowInd, nnz, sizeof(int));
  vptr__sparse_memory(&call, "csrSortedRowPtr", csrSortedRowPtr, lines + 1, sizeof(int));
  vptr__sparse_launch(
      &call, VPTR__SPARSE_OFFSETS_OF, vptr__sparse_line(lines + 1),
      VPTR__SPARSE_ARGUMENTS(&lines, &entries, &cooRowInd, &none, &base, &base, &csrSortedRowPtr, &none));
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *csrSortedRowPtr, int nnz, int m, int *cooRowInd,
                                  cusparseIndexBase_t idxBase) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseXcsr2coo", handle);
  int64_t lines = m, entries = nnz, base = (int64_t)idxBase;
  void *none = NULL;
  vptr__sparse_require(&call, nnz >= 0 && m >= 0, "nnz is %d, and m %d: neither may be below 0", nnz, m);
  require_base(&call, idxBase);
  vptr__sparse_memory(&call, "csrSortedRowPtr", csrSortedRowPtr, lines + 1, sizeof(int));
  vptr__sparse_memory(&call, "cooRowInd", cooRowInd, nnz, sizeof(int));
  vptr__sparse_launch(
      &call, VPTR__SPARSE_LINES_OF, vptr__sparse_line(entries),
      VPTR__SPARSE_ARGUMENTS(&lines, &entries, &csrSortedRowPtr, &none, &base, &none, &base, &cooRowInd, &none));
  return vptr__sparse_finish(&call);
}

/* ---- rows to columns ----------------------------------------------------------------------------------------- */

static void check_turn(vptr__sparse_call *call, int m, int n, int nnz, cudaDataType type, cusparseAction_t action,
                       cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm) {
  vptr__sparse_require(call, m >= 0 && n >= 0 && nnz >= 0, "m is %d, n %d and nnz %d: none may be below 0", m, n,
                       nnz);
  vptr__sparse_require(call, action == CUSPARSE_ACTION_SYMBOLIC || action == CUSPARSE_ACTION_NUMERIC,
                       "copyValues is %d, no action", (int)action);
  vptr__sparse_require(call, algorithm == CUSPARSE_CSR2CSC_ALG1, "there is no algorithm %d", (int)algorithm);
  require_base(call, base);
  vptr__sparse_move(call, type);
}

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
                                    const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
                                    int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
                                    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg, void *buffer) {
  (void)buffer;
  vptr__sparse_call call = vptr__sparse_enter("cusparseCsr2cscEx2", handle);
  int64_t rows = m, columns = n, entries = nnz, base = (int64_t)idxBase;
  void *none = NULL;
  check_turn(&call, m, n, nnz, valType, copyValues, idxBase, alg);
  const size_t size = vptr__sparse_size(call.type);
  vptr__sparse_memory(&call, "csrRowPtr", csrRowPtr, rows + 1, sizeof(int));
  vptr__sparse_memory(&call, "csrColInd", csrColInd, nnz, sizeof(int));
  vptr__sparse_memory(&call, "cscColPtr", cscColPtr, columns + 1, sizeof(int));
  vptr__sparse_memory(&call, "cscRowInd", cscRowInd, nnz, sizeof(int));
  bool is_numeric = copyValues == CUSPARSE_ACTION_NUMERIC;
  vptr__sparse_memory(&call, "csrVal", csrVal, is_numeric ? nnz : 0, size);
  vptr__sparse_memory(&call, "cscVal", cscVal, is_numeric ? nnz : 0, size);
  void *source = vptr__sparse_work(&call, nnz, sizeof(int));
  vptr__sparse_group(&call, columns, entries, csrColInd, base, cscColPtr, source);
  vptr__sparse_launch(
      &call, VPTR__SPARSE_LINES_OF, vptr__sparse_line(entries),
      VPTR__SPARSE_ARGUMENTS(&rows, &entries, &csrRowPtr, &none, &base, &source, &base, &cscRowInd, &none));
  if (is_numeric)
    vptr__sparse_launch(&call, VPTR__SPARSE_PICK_VALUES, vptr__sparse_line(entries),
                        VPTR__SPARSE_ARGUMENTS(&entries, &csrVal, &source, &cscVal));
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
                                               const int *csrRowPtr, const int *csrColInd, void *cscVal,
                                               int *cscColPtr, int *cscRowInd, cudaDataType valType,
                                               cusparseAction_t copyValues, cusparseIndexBase_t idxBase,
                                               cusparseCsr2CscAlg_t alg, size_t *bufferSize) {
  (void)csrVal, (void)csrRowPtr, (void)csrColInd, (void)cscVal, (void)cscColPtr, (void)cscRowInd;
  vptr__sparse_call call = vptr__sparse_enter("cusparseCsr2cscEx2_bufferSize", handle);
  check_turn(&call, m, n, nnz, valType, copyValues, idxBase, alg);
  vptr__sparse_require(&call, bufferSize != NULL, "bufferSize is NULL");
  if (vptr__sparse_is_well(&call))
    *bufferSize = 0;
  return vptr__sparse_finish(&call);
}
