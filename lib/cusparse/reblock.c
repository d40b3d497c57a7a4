/* SPDX-License-Identifier: MIT */
/*
 * reblock - from CSR to blocks and back: cusparseXcsr2bsrNnz(), cusparseXcsr2bsr() and cusparseXbsr2csr().
 *
 * Which blocks a row of blocks has are the columns of a product: that of a matrix which takes rows together, and of the
 * given one, whose columns are those of blocks (pattern.h). So what finds them is the same.
 *
 * No state and no locks. Called by programs. Turning into blocks waits for the stream, since the number of entries and
 * that of blocks have to be known.
 */
#include "cusparse/kernel.h"
#include "cusparse/pattern.h"

enum { TEAM = 32 };

/* A matrix to be turned into blocks. */
typedef struct rows {
  cusparseDirection_t direction;
  int m, n, side;
  cusparseMatDescr_t descr, block_descr;
  const int *offsets, *columns;
} rows;

static int64_t pieces_of(int64_t count, int side) {
  return side > 0 ? (count + side - 1) / side : 0;
}

static void require_shape(vptr__sparse_call *call, cusparseDirection_t direction, int side) {
  vptr__sparse_require(call, direction == CUSPARSE_DIRECTION_ROW || direction == CUSPARSE_DIRECTION_COLUMN,
                       "dirA is %d, no direction", (int)direction);
  vptr__sparse_require(call, side > 0, "blockDim is %d, and must be above 0", side);
}

/* How many entries there are, which the program does not say. */
static vptr__sparse_lines check_rows(vptr__sparse_call *call, const rows *it) {
  require_shape(call, it->direction, it->side);
  vptr__sparse_general_lines(call, "C", it->block_descr, 0, 0, 0, NULL, 0, NULL, NULL);
  vptr__sparse_lines a =
      vptr__sparse_general_lines(call, "A", it->descr, it->m, it->n, 0, NULL, 0, it->offsets, it->columns);
  int last = (int)a.base;
  if (it->m > 0 && vptr__sparse_is_well(call))
    vptr__sparse_read(call, &last, it->offsets + it->m, sizeof last);
  a.entries = last - a.base;
  vptr__sparse_require(call, a.entries >= 0, "the last offset of A is %d, below its base", last);
  vptr__sparse_memory(call, "csrSortedColIndA", it->columns, a.entries, sizeof(int));
  return a;
}

/* The pattern of blocks: offsets and columns, from 0 on, in memory of the call's; NULL where it has failed. */
static vptr__sparse_pattern find_blocks(vptr__sparse_call *call, const rows *it, const vptr__sparse_lines *a,
                                        int64_t **offsets, int **columns) {
  vptr__sparse_pattern found = { .nnz = 0 };
  int64_t block_rows = pieces_of(it->m, it->side), count = a->count, entries = a->entries, one_more = block_rows + 1;
  int base = (int)a->base;
  *offsets = NULL, *columns = NULL;
  int *taken = vptr__sparse_work(call, one_more, sizeof(int)), *all = vptr__sparse_work(call, count, sizeof(int));
  int *divided = vptr__sparse_work(call, entries, sizeof(int));
  void *room = vptr__sparse_work(call, (int64_t)vptr__sparse_pattern_bytes(block_rows), 1);
  vptr__sparse_launch(call, VPTR__SPARSE_SPACE, vptr__sparse_line(one_more),
                      VPTR__SPARSE_ARGUMENTS(&one_more, &it->side, &it->m, &taken));
  vptr__sparse_launch(call, VPTR__SPARSE_IDENTITY, vptr__sparse_line(count), VPTR__SPARSE_ARGUMENTS(&count, &all));
  vptr__sparse_launch(call, VPTR__SPARSE_DIVIDE, vptr__sparse_line(entries),
                      VPTR__SPARSE_ARGUMENTS(&entries, &it->columns, &base, &it->side, &divided));
  const vptr__sparse_lines takes = {
    .count = block_rows, .length = count, .entries = count, .offsets = { taken, NULL }, .indices = { all, NULL }
  };
  vptr__sparse_lines by_blocks = *a;
  by_blocks.indices.narrow = divided;
  by_blocks.index_base = 0;
  by_blocks.length = pieces_of(it->n, it->side);
  if (!vptr__sparse_is_well(call) || block_rows == 0)
    return found;
  vptr__sparse_pattern_estimate(call, &takes, &by_blocks, room, &found);
  if (vptr__sparse_is_well(call))
    vptr__sparse_pattern_count(call, &takes, &by_blocks, &found);
  if (!vptr__sparse_is_well(call))
    return found;
  *offsets = vptr__sparse_work(call, one_more, sizeof(int64_t));
  *columns = vptr__sparse_work(call, found.nnz, sizeof(int));
  if (vptr__sparse_is_well(call))
    vptr__sparse_pattern_write(call, &takes, &by_blocks, &found, *offsets, *columns);
  return found;
}

/* Offsets, or columns, as the program wants them. */
static void renumber(vptr__sparse_call *call, int64_t n, vptr__sparse_indices from, int64_t base, const int *to) {
  int64_t zero = 0;
  void *none = NULL;
  vptr__sparse_launch(call, VPTR__SPARSE_RENUMBER, vptr__sparse_line(n),
                      VPTR__SPARSE_ARGUMENTS(&n, &from.narrow, &from.wide, &zero, &to, &none, &base));
}

static void write_offsets(vptr__sparse_call *call, int64_t block_rows, const int64_t *offsets, int base, int *to) {
  if (block_rows > 0)
    renumber(call, block_rows + 1, (vptr__sparse_indices){ NULL, offsets }, base, to);
  else
    vptr__sparse_launch(call, VPTR__SPARSE_PUT_ONE, vptr__sparse_one_block(call), VPTR__SPARSE_ARGUMENTS(&base, &to));
}

cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
                                     const cusparseMatDescr_t descrA, const int *csrSortedRowPtrA,
                                     const int *csrSortedColIndA, int blockDim, const cusparseMatDescr_t descrC,
                                     int *bsrSortedRowPtrC, int *nnzTotalDevHostPtr) {
  vptr__sparse_call call = vptr__sparse_enter("cusparseXcsr2bsrNnz", handle);
  const rows it = { dirA, m, n, blockDim, descrA, descrC, csrSortedRowPtrA, csrSortedColIndA };
  vptr__sparse_lines a = check_rows(&call, &it);
  int64_t block_rows = pieces_of(m, blockDim), *offsets;
  int *columns;
  vptr__sparse_memory(&call, "bsrSortedRowPtrC", bsrSortedRowPtrC, block_rows + 1, sizeof(int));
  vptr__sparse_require(&call, nnzTotalDevHostPtr != NULL, "nnzTotalDevHostPtr is NULL");
  if (call.scalars_on_device)
    vptr__sparse_memory(&call, "nnzTotalDevHostPtr", nnzTotalDevHostPtr, 1, sizeof(int));
  vptr__sparse_pattern found = find_blocks(&call, &it, &a, &offsets, &columns);
  int total = (int)found.nnz;
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  write_offsets(&call, block_rows, offsets, (int)descrC->base, bsrSortedRowPtrC);
  if (call.scalars_on_device)
    vptr__sparse_launch(&call, VPTR__SPARSE_PUT_ONE, vptr__sparse_one_block(&call),
                        VPTR__SPARSE_ARGUMENTS(&total, &nnzTotalDevHostPtr));
  else if (vptr__sparse_is_well(&call))
    *nnzTotalDevHostPtr = total;
  return vptr__sparse_finish(&call);
}

static cusparseStatus_t to_blocks(const char *name, cusparseHandle_t handle, vptr__sparse_type type, const rows *it,
                                  const void *values, void *blocks, int *block_offsets, int *block_columns) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  call.type = type;
  vptr__sparse_lines a = check_rows(&call, it);
  int64_t block_rows = pieces_of(it->m, it->side), *offsets;
  int *columns, base = (int)a.base, by_columns = it->direction == CUSPARSE_DIRECTION_COLUMN;
  vptr__sparse_memory(&call, "csrSortedValA", values, a.entries, vptr__sparse_size(type));
  vptr__sparse_memory(&call, "bsrSortedRowPtrC", block_offsets, block_rows + 1, sizeof(int));
  vptr__sparse_pattern found = find_blocks(&call, it, &a, &offsets, &columns);
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  int64_t elements = 0;
  if (__builtin_mul_overflow((int64_t)it->side * it->side, found.nnz, &elements))
    elements = INT64_MAX;
  int block_base = (int)it->block_descr->base;
  vptr__sparse_memory(&call, "bsrSortedColIndC", block_columns, found.nnz, sizeof(int));
  vptr__sparse_memory(&call, "bsrSortedValC", blocks, elements, vptr__sparse_size(type));
  write_offsets(&call, block_rows, offsets, block_base, block_offsets);
  renumber(&call, found.nnz, (vptr__sparse_indices){ columns, NULL }, block_base, block_columns);
  vptr__sparse_launch(&call, VPTR__SPARSE_FILL_BLOCKS, vptr__sparse_teams(&call, block_rows, TEAM),
                      VPTR__SPARSE_ARGUMENTS(&block_rows, &it->m, &it->offsets, &it->columns, &base, &values,
                                             &it->side, &by_columns, &block_offsets, &block_columns, &block_base,
                                             &blocks));
  return vptr__sparse_finish(&call);
}

static cusparseStatus_t from_blocks(const char *name, cusparseHandle_t handle, vptr__sparse_type type, const rows *it,
                                    const void *blocks, void *values, int *offsets, int *columns) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  call.type = type;
  rows as_blocks = *it;
  as_blocks.block_descr = it->descr;
  vptr__sparse_lines a = check_rows(&call, &as_blocks);
  int64_t elements = 0;
  if (__builtin_mul_overflow((int64_t)it->side * it->side, a.entries, &elements))
    elements = INT64_MAX;
  vptr__sparse_general_lines(&call, "C", it->block_descr, 0, 0, 0, NULL, 0, NULL, NULL);
  vptr__sparse_support(&call, elements <= INT32_MAX, "%lld entries are more than offsets of 32 bits count",
                       (long long)elements);
  vptr__sparse_memory(&call, "bsrSortedValA", blocks, elements, vptr__sparse_size(type));
  vptr__sparse_memory(&call, "csrSortedValC", values, elements, vptr__sparse_size(type));
  vptr__sparse_memory(&call, "csrSortedColIndC", columns, elements, sizeof(int));
  vptr__sparse_memory(&call, "csrSortedRowPtrC", offsets, (int64_t)it->m * it->side + 1, sizeof(int));
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  int block_base = (int)a.base, base = (int)it->block_descr->base;
  int by_columns = it->direction == CUSPARSE_DIRECTION_COLUMN;
  if (it->m == 0)
    write_offsets(&call, 0, NULL, base, offsets);
  vptr__sparse_launch(&call, VPTR__SPARSE_OPEN_BLOCKS, vptr__sparse_teams(&call, a.count, TEAM),
                      VPTR__SPARSE_ARGUMENTS(&a.count, &it->offsets, &it->columns, &block_base, &blocks, &it->side,
                                             &by_columns, &offsets, &columns, &base, &values));
  return vptr__sparse_finish(&call);
}

#define REBLOCK(letter, T, type)                                                                                     \
  cusparseStatus_t cusparse##letter##csr2bsr(                                                                        \
      cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n, const cusparseMatDescr_t descrA,              \
      const T *csrSortedValA, const int *csrSortedRowPtrA, const int *csrSortedColIndA, int blockDim,                \
      const cusparseMatDescr_t descrC, T *bsrSortedValC, int *bsrSortedRowPtrC, int *bsrSortedColIndC) {             \
    const rows it = { dirA, m, n, blockDim, descrA, descrC, csrSortedRowPtrA, csrSortedColIndA };                    \
    return to_blocks("cusparse" #letter "csr2bsr", handle, type, &it, csrSortedValA, bsrSortedValC,                  \
                     bsrSortedRowPtrC, bsrSortedColIndC);                                                            \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##bsr2csr(                                                                        \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, const cusparseMatDescr_t descrA,            \
      const T *bsrSortedValA, const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int blockDim,                \
      const cusparseMatDescr_t descrC, T *csrSortedValC, int *csrSortedRowPtrC, int *csrSortedColIndC) {             \
    const rows it = { dirA, mb, nb, blockDim, descrA, descrC, bsrSortedRowPtrA, bsrSortedColIndA };                  \
    return from_blocks("cusparse" #letter "bsr2csr", handle, type, &it, bsrSortedValA, csrSortedValC,                \
                       csrSortedRowPtrC, csrSortedColIndC);                                                          \
  }
REBLOCK(S, float, VPTR__SPARSE_S)
REBLOCK(D, double, VPTR__SPARSE_D)
REBLOCK(C, cuComplex, VPTR__SPARSE_C)
REBLOCK(Z, cuDoubleComplex, VPTR__SPARSE_Z)
