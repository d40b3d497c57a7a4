/* SPDX-License-Identifier: MIT */
/*
 * geam - sums of two sparse matrices: cusparseXcsrgeam2*(), of CSR whose rows have columns in order.
 *
 * First offsets of the sum's rows are found, then its columns and values: for the second the program brings the offsets
 * of the first. How long its arrays are is not known here without waiting, so they are held against what they have at
 * least.
 *
 * No state and no locks. Called by programs. Offsets are waited for where their number goes to the host. No buffer is
 * needed: its size is told as 0.
 */
#include "cusparse/group.h"
#include "cusparse/kernel.h"
#include "cusparse/lines.h"

enum { TEAM = 32 };

/* A or B, as a program hands it in. */
typedef struct summand {
  cusparseMatDescr_t descr;
  int nnz;
  const void *values;
  const int *offsets, *columns;
} summand;

static vptr__sparse_lines lines_of(vptr__sparse_call *call, const char *what, int m, int n, const summand *it,
                                   size_t value_size) {
  return vptr__sparse_general_lines(call, what, it->descr, m, n, it->nnz, it->values, value_size, it->offsets,
                                    it->columns);
}

/* The descriptor and the offsets of C. */
static int check_result(vptr__sparse_call *call, int m, cusparseMatDescr_t descr, const int *offsets) {
  summand none = { descr, 0, NULL, offsets, NULL };
  vptr__sparse_lines it = lines_of(call, "C", 0, 0, &none, 0);
  vptr__sparse_memory(call, "csrSortedRowPtrC", offsets, (int64_t)m + 1, sizeof(int));
  return (int)it.base;
}

cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA,
                                      int nnzA, const int *csrSortedRowPtrA, const int *csrSortedColIndA,
                                      const cusparseMatDescr_t descrB, int nnzB, const int *csrSortedRowPtrB,
                                      const int *csrSortedColIndB, const cusparseMatDescr_t descrC,
                                      int *csrSortedRowPtrC, int *nnzTotalDevHostPtr, void *workspace) {
  (void)workspace;
  vptr__sparse_call call = vptr__sparse_enter("cusparseXcsrgeam2Nnz", handle);
  const summand of_a = { descrA, nnzA, NULL, csrSortedRowPtrA, csrSortedColIndA };
  const summand of_b = { descrB, nnzB, NULL, csrSortedRowPtrB, csrSortedColIndB };
  vptr__sparse_lines a = lines_of(&call, "A", m, n, &of_a, 0), b = lines_of(&call, "B", m, n, &of_b, 0);
  int base = check_result(&call, m, descrC, csrSortedRowPtrC), a_base = (int)a.base, b_base = (int)b.base;
  vptr__sparse_require(&call, nnzTotalDevHostPtr != NULL, "nnzTotalDevHostPtr is NULL");
  if (call.scalars_on_device)
    vptr__sparse_memory(&call, "nnzTotalDevHostPtr", nnzTotalDevHostPtr, 1, sizeof(int));
  void *counts = vptr__sparse_work(&call, m, sizeof(int));
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  int64_t total = 0, one = 1, from_base = base, zero = 0;
  void *none = NULL, *last = csrSortedRowPtrC + m;
  vptr__sparse_launch(&call, VPTR__SPARSE_COUNT_UNION, vptr__sparse_teams(&call, m, TEAM),
                      VPTR__SPARSE_ARGUMENTS(&a.count, &of_a.offsets, &a_base, &of_a.columns, &a_base, &of_b.offsets,
                                             &b_base, &of_b.columns, &b_base, &counts));
  vptr__sparse_sum_before(&call, m, counts, base, (vptr__sparse_indices){ csrSortedRowPtrC, NULL },
                          call.scalars_on_device ? NULL : &total);
  if (call.scalars_on_device)
    vptr__sparse_launch(&call, VPTR__SPARSE_RENUMBER, vptr__sparse_line(one),
                        VPTR__SPARSE_ARGUMENTS(&one, &last, &none, &from_base, &nnzTotalDevHostPtr, &none, &zero));
  else if (vptr__sparse_is_well(&call))
    *nnzTotalDevHostPtr = (int)total;
  return vptr__sparse_finish(&call);
}

static cusparseStatus_t add(const char *name, cusparseHandle_t handle, vptr__sparse_type type, int m, int n,
                            const void *alpha, const summand *of_a, const void *beta, const summand *of_b,
                            cusparseMatDescr_t descr, void *values, const int *offsets, int *columns) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  const size_t size = vptr__sparse_size(type);
  call.type = type;
  vptr__sparse_lines a = lines_of(&call, "A", m, n, of_a, size), b = lines_of(&call, "B", m, n, of_b, size);
  vptr__sparse_scalar f = vptr__sparse_scalar_at(&call, "alpha", alpha);
  vptr__sparse_scalar g = vptr__sparse_scalar_at(&call, "beta", beta);
  int base = check_result(&call, m, descr, offsets), a_base = (int)a.base, b_base = (int)b.base;
  int64_t least = a.entries > b.entries ? a.entries : b.entries;
  vptr__sparse_memory(&call, "csrSortedColIndC", columns, least, sizeof(int));
  vptr__sparse_memory(&call, "csrSortedValC", values, least, size);
  vptr__sparse_launch(&call, VPTR__SPARSE_ADD, vptr__sparse_teams(&call, m, TEAM),
                      VPTR__SPARSE_ARGUMENTS(&a.count, &of_a->offsets, &a_base, &of_a->columns, &a_base,
                                             &of_b->offsets, &b_base, &of_b->columns, &b_base, &of_a->values,
                                             &of_b->values, &f.value, &f.at, &g.value, &g.at, &offsets, &base,
                                             &columns, &values));
  return vptr__sparse_finish(&call);
}

static cusparseStatus_t tell_no_buffer(const char *name, cusparseHandle_t handle, int m, int n, const summand *a,
                                       const summand *b, cusparseMatDescr_t descr, size_t *size) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  const summand none = { descr, 0, NULL, NULL, NULL };
  lines_of(&call, "A", m, n, a, 0);
  lines_of(&call, "B", m, n, b, 0);
  lines_of(&call, "C", 0, 0, &none, 0);
  vptr__sparse_require(&call, size != NULL, "pBufferSizeInBytes is NULL");
  if (vptr__sparse_is_well(&call))
    *size = 0;
  return vptr__sparse_finish(&call);
}

#define SUM(letter, T, type)                                                                                         \
  cusparseStatus_t cusparse##letter##csrgeam2_bufferSizeExt(                                                         \
      cusparseHandle_t handle, int m, int n, const T *alpha, const cusparseMatDescr_t descrA, int nnzA,              \
      const T *csrSortedValA, const int *csrSortedRowPtrA, const int *csrSortedColIndA, const T *beta,               \
      const cusparseMatDescr_t descrB, int nnzB, const T *csrSortedValB, const int *csrSortedRowPtrB,                \
      const int *csrSortedColIndB, const cusparseMatDescr_t descrC, const T *csrSortedValC,                          \
      const int *csrSortedRowPtrC, const int *csrSortedColIndC, size_t *pBufferSizeInBytes) {                        \
    const summand a = { descrA, nnzA, csrSortedValA, csrSortedRowPtrA, csrSortedColIndA };                           \
    const summand b = { descrB, nnzB, csrSortedValB, csrSortedRowPtrB, csrSortedColIndB };                           \
    (void)alpha, (void)beta, (void)csrSortedValC, (void)csrSortedRowPtrC, (void)csrSortedColIndC;                    \
    return tell_no_buffer("cusparse" #letter "csrgeam2_bufferSizeExt", handle, m, n, &a, &b, descrC,                 \
                          pBufferSizeInBytes);                                                                       \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##csrgeam2(                                                                       \
      cusparseHandle_t handle, int m, int n, const T *alpha, const cusparseMatDescr_t descrA, int nnzA,              \
      const T *csrSortedValA, const int *csrSortedRowPtrA, const int *csrSortedColIndA, const T *beta,               \
      const cusparseMatDescr_t descrB, int nnzB, const T *csrSortedValB, const int *csrSortedRowPtrB,                \
      const int *csrSortedColIndB, const cusparseMatDescr_t descrC, T *csrSortedValC, int *csrSortedRowPtrC,         \
      int *csrSortedColIndC, void *pBuffer) {                                                                        \
    const summand a = { descrA, nnzA, csrSortedValA, csrSortedRowPtrA, csrSortedColIndA };                           \
    const summand b = { descrB, nnzB, csrSortedValB, csrSortedRowPtrB, csrSortedColIndB };                           \
    (void)pBuffer;                                                                                                   \
    return add("cusparse" #letter "csrgeam2", handle, type, m, n, alpha, &a, beta, &b, descrC, csrSortedValC,        \
               csrSortedRowPtrC, csrSortedColIndC);                                                                  \
  }
SUM(S, float, VPTR__SPARSE_S)
SUM(D, double, VPTR__SPARSE_D)
SUM(C, cuComplex, VPTR__SPARSE_C)
SUM(Z, cuDoubleComplex, VPTR__SPARSE_Z)
