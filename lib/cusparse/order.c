/* SPDX-License-Identifier: MIT */
/*
 * order - entries into the order of rows and columns: cusparseXcoosortByRow() and its kin.
 *
 * Entries of one place stay in the order in which they were. What goes along is the permutation P, by which a program
 * then gathers values. Indices of COO may count from 0 or from 1, which the functions are not told: lines are counted
 * from 0 on, with one more.
 *
 * No state and no locks. Called by programs. Nothing waits. No buffer is needed: its size is told as 0.
 */
#include "cusparse/group.h"
#include "cusparse/kernel.h"

static void pick(vptr__sparse_call *call, int64_t n, const void *from, const void *source, const void *to) {
  vptr__sparse_launch(call, VPTR__SPARSE_PICK, vptr__sparse_line(n), VPTR__SPARSE_ARGUMENTS(&n, &from, &source, &to));
}

/* In place, by way of memory of the call's. */
static void permute(vptr__sparse_call *call, int64_t n, int *numbers, const void *source, void *room) {
  if (numbers == NULL)
    return;
  pick(call, n, numbers, source, room);
  pick(call, n, room, NULL, numbers);
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseCreateIdentityPermutation", handle);
  int64_t count = n;
  vptr__sparse_require(&call, n >= 0, "n is %d, below 0", n);
  vptr__sparse_memory(&call, "p", p, n, sizeof(int));
  vptr__sparse_launch(&call, VPTR__SPARSE_IDENTITY, vptr__sparse_line(count), VPTR__SPARSE_ARGUMENTS(&count, &p));
  return vptr__sparse_finish(&call);
}

static cusparseStatus_t tell_no_buffer(const char *name, cusparseHandle_t handle, int m, int n, int nnz,
                                       size_t *size) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  vptr__sparse_require(&call, m >= 0 && n >= 0 && nnz >= 0, "m is %d, n %d and nnz %d: none may be below 0", m, n,
                       nnz);
  vptr__sparse_require(&call, size != NULL, "pBufferSizeInBytes is NULL");
  if (vptr__sparse_is_well(&call))
    *size = 0;
  return vptr__sparse_finish(&call);
}

/* ---- lists of entries --------------------------------------------------------------------------------------- */

/* By `major`, of which there are so many numbers, and then by `minor`. */
static cusparseStatus_t sort_entries(const char *name, cusparseHandle_t handle, int m, int n, int nnz, int count,
                                     int *major, int *minor, int *p) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  int64_t lines = (int64_t)count + 1, entries = nnz;
  int base = 0;
  vptr__sparse_require(&call, m >= 0 && n >= 0 && nnz >= 0, "m is %d, n %d and nnz %d: none may be below 0", m, n,
                       nnz);
  vptr__sparse_memory(&call, "cooRows or cooCols", major, nnz, sizeof(int));
  vptr__sparse_memory(&call, "cooCols or cooRows", minor, nnz, sizeof(int));
  vptr__sparse_memory(&call, "P", p, p != NULL ? nnz : 0, sizeof(int));
  if (nnz == 0)
    return vptr__sparse_finish(&call);
  void *offsets = vptr__sparse_work(&call, lines + 1, sizeof(int));
  void *source = vptr__sparse_work(&call, nnz, sizeof(int)), *keys = vptr__sparse_work(&call, nnz, sizeof(int));
  vptr__sparse_group(&call, lines, entries, major, 0, offsets, source);
  pick(&call, entries, minor, source, keys);
  vptr__sparse_launch(&call, VPTR__SPARSE_SORT_LINES, vptr__sparse_line(lines),
                      VPTR__SPARSE_ARGUMENTS(&lines, &offsets, &base, &keys, &source));
  pick(&call, entries, keys, NULL, minor);
  permute(&call, entries, major, source, keys);
  permute(&call, entries, p, source, keys);
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int *cooRowsA, int *cooColsA,
                                       int *P, void *pBuffer) {
  (void)pBuffer;
  return sort_entries("cusparseXcoosortByRow", handle, m, n, nnz, m, cooRowsA, cooColsA, P);
}

cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz, int *cooRowsA,
                                          int *cooColsA, int *P, void *pBuffer) {
  (void)pBuffer;
  return sort_entries("cusparseXcoosortByColumn", handle, m, n, nnz, n, cooColsA, cooRowsA, P);
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int *cooRowsA,
                                                const int *cooColsA, size_t *pBufferSizeInBytes) {
  (void)cooRowsA, (void)cooColsA;
  return tell_no_buffer("cusparseXcoosort_bufferSizeExt", handle, m, n, nnz, pBufferSizeInBytes);
}

/* ---- lines ------------------------------------------------------------------------------------------------- */

static cusparseStatus_t sort_lines(const char *name, cusparseHandle_t handle, int m, int n, int nnz, int count,
                                   const cusparseMatDescr_t descr, const int *offsets, int *indices, int *p) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  int64_t lines = count, entries = nnz;
  vptr__sparse_require(&call, m >= 0 && n >= 0 && nnz >= 0, "m is %d, n %d and nnz %d: none may be below 0", m, n,
                       nnz);
  vptr__sparse_require(&call, descr != NULL, "descrA is NULL");
  vptr__sparse_memory(&call, "offsets", offsets, lines + 1, sizeof(int));
  vptr__sparse_memory(&call, "indices", indices, nnz, sizeof(int));
  vptr__sparse_memory(&call, "P", p, p != NULL ? nnz : 0, sizeof(int));
  if (!vptr__sparse_is_well(&call) || nnz == 0)
    return vptr__sparse_finish(&call);
  int base = (int)descr->base;
  void *source = vptr__sparse_work(&call, nnz, sizeof(int)), *room = vptr__sparse_work(&call, nnz, sizeof(int));
  vptr__sparse_launch(&call, VPTR__SPARSE_IDENTITY, vptr__sparse_line(entries),
                      VPTR__SPARSE_ARGUMENTS(&entries, &source));
  vptr__sparse_launch(&call, VPTR__SPARSE_SORT_LINES, vptr__sparse_line(lines),
                      VPTR__SPARSE_ARGUMENTS(&lines, &offsets, &base, &indices, &source));
  permute(&call, entries, p, source, room);
  return vptr__sparse_finish(&call);
}

cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,
                                  const int *csrRowPtrA, int *csrColIndA, int *P, void *pBuffer) {
  (void)pBuffer;
  return sort_lines("cusparseXcsrsort", handle, m, n, nnz, m, descrA, csrRowPtrA, csrColIndA, P);
}

cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,
                                  const int *cscColPtrA, int *cscRowIndA, int *P, void *pBuffer) {
  (void)pBuffer;
  return sort_lines("cusparseXcscsort", handle, m, n, nnz, n, descrA, cscColPtrA, cscRowIndA, P);
}

cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int *csrRowPtrA,
                                                const int *csrColIndA, size_t *pBufferSizeInBytes) {
  (void)csrRowPtrA, (void)csrColIndA;
  return tell_no_buffer("cusparseXcsrsort_bufferSizeExt", handle, m, n, nnz, pBufferSizeInBytes);
}

cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int *cscColPtrA,
                                                const int *cscRowIndA, size_t *pBufferSizeInBytes) {
  (void)cscColPtrA, (void)cscRowIndA;
  return tell_no_buffer("cusparseXcscsort_bufferSizeExt", handle, m, n, nnz, pBufferSizeInBytes);
}
