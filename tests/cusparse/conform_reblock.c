/* SPDX-License-Identifier: MIT */
/*
 * conform_reblock - from CSR to blocks and back beside plain loops: each type and direction, bases that differ, shapes
 * that blocks divide and others, totals on the host and on the device, and what is refused.
 */
#include "sparse_check.h"

#define WRONG(call) GIVES(call, CUSPARSE_STATUS_INVALID_VALUE)

typedef struct way {
  cusparseDirection_t direction;
  cusparseIndexBase_t base, block_base;
  bool on_device;
} way;

/* The pattern of blocks as a matrix without values, and the elements of all blocks. */
typedef struct blocked {
  matrix pattern;
  number *elements;
} blocked;

static int place_in(int side, way by, int block, int i, int j) {
  return block * side * side + (by.direction == CUSPARSE_DIRECTION_ROW ? i * side + j : j * side + i);
}

static blocked blocks_of(matrix a, int side, way by) {
  int rows = (a.rows + side - 1) / side, cols = (a.cols + side - 1) / side, count = 0;
  blocked it = { { rows, cols, 0, NULL, NULL, malloc((size_t)(rows + 1) * sizeof(int)), NULL }, NULL };
  int *at = malloc((size_t)(cols + 1) * sizeof(int));
  it.pattern.col = malloc((size_t)(a.nnz + 1) * sizeof(int));
  it.elements = calloc((size_t)(a.nnz + 1) * (size_t)(side * side), sizeof *it.elements);
  for (int row = 0; row < rows; row++) {
    int end = (row + 1) * side < a.rows ? (row + 1) * side : a.rows;
    it.pattern.offset[row] = count;
    for (int col = 0; col < cols; col++)
      at[col] = -1;
    for (int k = a.offset[row * side]; k < a.offset[end]; k++)
      at[a.col[k] / side] = 0;
    for (int col = 0; col < cols; col++)
      if (at[col] == 0) {
        it.pattern.col[count] = col;
        at[col] = count++;
      }
    for (int k = a.offset[row * side]; k < a.offset[end]; k++)
      it.elements[place_in(side, by, at[a.col[k] / side], a.row[k] % side, a.col[k] % side)] = a.value[k];
  }
  it.pattern.offset[rows] = it.pattern.nnz = count;
  free(at);
  return it;
}

static void compare_ints(const void *at, const int *expected, int64_t count, int base) {
  int *got = malloc((size_t)count * sizeof(int) + 1), wrong = 0;
  copy_or_end(checked, got, at, (size_t)count * sizeof(int));
  for (int64_t i = 0; i < count; i++)
    wrong += got[i] != expected[i] + base;
  EXPECT(wrong == 0);
  free(got);
}

/* What blocks are as rows: each element an entry. */
static void compare_opened(kind of, blocked it, int side, way by, const int *offsets, const int *columns,
                           const void *values) {
  int rows = it.pattern.rows * side, count = 0, all = it.pattern.nnz * side * side;
  int *expected = malloc((size_t)(rows + 1) * sizeof(int)), *cols = malloc((size_t)(all + 1) * sizeof(int));
  number *numbers = malloc((size_t)(all + 1) * sizeof *numbers);
  for (int row = 0; row < rows; row++) {
    expected[row] = count;
    for (int block = it.pattern.offset[row / side]; block < it.pattern.offset[row / side + 1]; block++)
      for (int j = 0; j < side; j++) {
        numbers[count] = it.elements[place_in(side, by, block, row % side, j)];
        cols[count++] = it.pattern.col[block] * side + j;
      }
  }
  expected[rows] = count;
  compare_ints(offsets, expected, rows + 1, (int)by.base);
  compare_ints(columns, cols, all, (int)by.base);
  compare_numbers(of, values, numbers, all, 0);
  free(expected);
  free(cols);
  free(numbers);
}

/* The functions of a type differ in what they point to. */
#define THERE_AND_BACK(T, letter)                                                                                    \
  do {                                                                                                               \
    FINE(cusparse##letter##csr2bsr(handle, by.direction, a.rows, a.cols, descr, (const T *)at.values.at,             \
                                   at.offsets.at, at.indices.at, side, block_descr, (T *)elements, block_offsets,    \
                                   block_columns));                                                                  \
    FINE(cusparse##letter##bsr2csr(handle, by.direction, b.pattern.rows, b.pattern.cols, block_descr,                \
                                   (const T *)elements, block_offsets, block_columns, side, descr, (T *)values,      \
                                   offsets, columns));                                                               \
  } while (0)

static void check_blocks(cusparseHandle_t handle, kind of, matrix a, int side, way by) {
  blocked b = blocks_of(a, side, by);
  size_t all = (size_t)(b.pattern.nnz * side * side) + 1, rows = (size_t)(b.pattern.rows * side) + 1;
  stored at = store_matrix(of, a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, by.base);
  int *block_offsets, *block_columns, *offsets, *columns, total = -5, *total_at = &total;
  void *elements, *values;
  cusparseMatDescr_t descr, block_descr;
  FINE(cusparseCreateMatDescr(&descr));
  FINE(cusparseCreateMatDescr(&block_descr));
  FINE(cusparseSetMatIndexBase(descr, by.base));
  FINE(cusparseSetMatIndexBase(block_descr, by.block_base));
  FINE(cusparseSetPointerMode(handle, by.on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  cudaMalloc((void **)&block_offsets, (size_t)(b.pattern.rows + 1) * sizeof(int));
  cudaMalloc((void **)&block_columns, (size_t)(b.pattern.nnz + 1) * sizeof(int));
  cudaMalloc((void **)&offsets, rows * sizeof(int));
  cudaMalloc((void **)&columns, all * sizeof(int));
  cudaMalloc(&elements, all * of.size);
  cudaMalloc(&values, all * of.size);
  if (by.on_device)
    cudaMalloc((void **)&total_at, sizeof total);
  FINE(cusparseXcsr2bsrNnz(handle, by.direction, a.rows, a.cols, descr, at.offsets.at, at.indices.at, side,
                           block_descr, block_offsets, total_at));
  if (by.on_device)
    copy_or_end(checked, &total, total_at, sizeof total);
  EXPECT(total == b.pattern.nnz);
  if (of.is_double && of.is_complex)
    THERE_AND_BACK(cuDoubleComplex, Z);
  else if (of.is_double)
    THERE_AND_BACK(double, D);
  else if (of.is_complex)
    THERE_AND_BACK(cuComplex, C);
  else
    THERE_AND_BACK(float, S);
  compare_ints(block_offsets, b.pattern.offset, b.pattern.rows + 1, (int)by.block_base);
  compare_ints(block_columns, b.pattern.col, b.pattern.nnz, (int)by.block_base);
  compare_numbers(of, elements, b.elements, (int64_t)all - 1, 0);
  compare_opened(of, b, side, by, offsets, columns, values);
  FINE(cusparseDestroyMatDescr(descr));
  FINE(cusparseDestroyMatDescr(block_descr));
  void *memory[] = {
    block_offsets, block_columns, offsets, columns, elements, values, by.on_device ? total_at : NULL
  };
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    cudaFree(memory[i]);
  free_stored(at);
  free_matrix(b.pattern);
  free(b.elements);
}

#ifndef ON_NVIDIA
static void check_refusals(cusparseHandle_t handle) {
  kind of = kinds[0];
  matrix a = random_matrix(of, 12, 12, EVEN);
  stored at =
      store_matrix(of, a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO);
  int *offsets = at.offsets.at, *columns = at.indices.at, *result, total = 5;
  float *values = at.values.at;
  cusparseMatDescr_t descr;
  const cusparseDirection_t row = CUSPARSE_DIRECTION_ROW;
  cudaMalloc((void **)&result, 7 * sizeof(int));
  FINE(cusparseCreateMatDescr(&descr));
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
#define NNZ(direction, m, at_offsets, side, to, all)                                                                 \
  cusparseXcsr2bsrNnz(handle, direction, m, 12, descr, at_offsets, columns, side, descr, to, all)
  WRONG(NNZ((cusparseDirection_t)4, 12, offsets, 2, result, &total));
  WRONG(NNZ(row, -1, offsets, 2, result, &total));
  WRONG(NNZ(row, 12, NULL, 2, result, &total));
  WRONG(NNZ(row, 12, offsets, 0, result, &total));
  WRONG(NNZ(row, 12, offsets, 2, NULL, &total));
  WRONG(NNZ(row, 12, offsets, 2, result, NULL));
  GIVES(NNZ(row, 12, offsets, 1, result, &total), CUSPARSE_STATUS_EXECUTION_FAILED);
  EXPECT(total == 5);
  FINE(NNZ(row, 0, NULL, 2, result, &total));
  EXPECT(total == 0);
  WRONG(cusparseScsr2bsr(handle, row, 12, 12, descr, values, offsets, columns, 2, descr, NULL, result, columns));
  WRONG(cusparseScsr2bsr(handle, row, 12, 12, NULL, values, offsets, columns, 2, descr, values, result, columns));
  WRONG(cusparseSbsr2csr(handle, row, 6, 6, descr, values, NULL, columns, 2, descr, values, offsets, columns));
  WRONG(cusparseSbsr2csr(handle, row, 6, 6, descr, values, offsets, columns, -2, descr, values, offsets, columns));
#undef NNZ
  FINE(cusparseDestroyMatDescr(descr));
  cudaFree(result);
  free_stored(at);
  free_matrix(a);
}
#endif

int main(void) {
  static const int sizes[][2] = { { 1, 1 }, { 30, 50 }, { 64, 64 }, { 45, 1900 }, { 200, 7 } };
  static const int sides[] = { 2, 3, 4, 7, 16, 1 };
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 80; turn++) {
    kind of = kinds[turn % 4];
    way by = { turn & 4 ? CUSPARSE_DIRECTION_COLUMN : CUSPARSE_DIRECTION_ROW,
               turn & 8 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO,
               turn & 16 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO, turn & 32 };
    const int side = sides[turn / 3 % 6];
#ifdef ON_NVIDIA /* which refuses blocks larger than the matrix, and counts wrongly those of one where bases differ */
    if (side > sizes[turn % 5][0] || side > sizes[turn % 5][1] || (side == 1 && by.base != by.block_base))
      continue;
#endif
    matrix a = random_matrix(of, sizes[turn % 5][0], sizes[turn % 5][1], (shape)(turn % SHAPES));
    checking("turn %d: type %d, %d by %d with %d, side %d, direction %d", turn, (int)of.type, a.rows, a.cols, a.nnz,
             side, (int)by.direction);
    check_blocks(handle, of, a, side, by);
    checked = "";
    free_matrix(a);
  }
#ifndef ON_NVIDIA
  check_refusals(handle);
#endif
  FINE(cusparseDestroy(handle));
  return verdict("conform_reblock");
}
