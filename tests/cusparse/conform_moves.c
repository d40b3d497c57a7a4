/* SPDX-License-Identifier: MIT */
/*
 * conform_moves - half and bfloat16 between sparse and dense matrices, and from rows to columns: all bits there are
 * stay as they are, NaNs with their own too; in a dense matrix 0 of either sign is no entry.
 */
#include "sparse_narrow.h"

enum { ROWS = 37, COLS = 29, GAP = 3, ROOM = (ROWS + GAP) * (COLS + GAP) };

static const char *const words[] = { "CSR", "COO", "CSC" };
static const cusparseFormat_t kept_as[] = { CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_CSC };

/* Any bits but those of 0. */
static word random_word(void) {
  word bits = (word)random_bits();
  return (bits & 0x7fff) == 0 ? 1 : bits;
}

typedef struct bits {
  matrix a, lines; /* in the order of rows; as they are stored */
  word *value;     /* of lines */
  copy offsets, indices, values;
} bits;

static bits make_bits(cusparseFormat_t format, shape form) {
  bits it = { .a = random_matrix(kinds[1], ROWS, COLS, form) };
  const cusparseIndexType_t narrow = CUSPARSE_INDEX_32I;
  it.lines = format == CUSPARSE_FORMAT_CSC ? transposed_matrix(it.a) : it.a;
  it.value = malloc((size_t)(it.a.nnz + 1) * sizeof *it.value);
  for (int k = 0; k < it.a.nnz; k++)
    it.value[k] = random_word();
  it.offsets = format == CUSPARSE_FORMAT_COO ? copy_indices(narrow, it.lines.row, it.a.nnz, 0)
                                             : copy_indices(narrow, it.lines.offset, it.lines.rows + 1, 0);
  it.indices = copy_indices(narrow, it.lines.col, it.a.nnz, 0);
  it.values = copy_bytes(it.value, (size_t)it.a.nnz * sizeof *it.value, 6);
  return it;
}

static void free_bits(bits it, cusparseFormat_t format) {
  cudaFree(it.offsets.base);
  cudaFree(it.indices.base);
  cudaFree(it.values.base);
  if (format == CUSPARSE_FORMAT_CSC)
    free_matrix(it.lines);
  free_matrix(it.a);
  free(it.value);
}

static cusparseSpMatDescr_t describe(cusparseFormat_t format, cudaDataType type, int nnz, void *offsets,
                                     void *indices, void *values) {
  const cusparseIndexType_t narrow = CUSPARSE_INDEX_32I;
  const cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cusparseSpMatDescr_t made = NULL;
  if (format == CUSPARSE_FORMAT_COO)
    FINE(cusparseCreateCoo(&made, ROWS, COLS, nnz, offsets, indices, values, narrow, base, type));
  else
    FINE((format == CUSPARSE_FORMAT_CSC ? cusparseCreateCsc : cusparseCreateCsr)(
        &made, ROWS, COLS, nnz, offsets, indices, values, narrow, narrow, base, type));
  return made;
}

static bool holds(const void *at, const void *expected, size_t bytes) {
  char *got = malloc(bytes + 1);
  copy_or_end(checked, got, at, bytes);
  bool is_same = memcmp(got, expected, bytes) == 0;
  free(got);
  return is_same;
}

/* ---- sparse and dense ---------------------------------------------------------------------------------------- */

/* To a dense matrix whose lines have gaps, which stay. */
static void check_expand(cusparseHandle_t handle, const bits *a, cusparseFormat_t format, cudaDataType type,
                         bool by_rows, word *dense, void *dense_at) {
  const int ld = (by_rows ? COLS : ROWS) + GAP, lines = by_rows ? ROWS : COLS;
  cusparseSpMatDescr_t sparse = describe(format, type, a->a.nnz, a->offsets.at, a->indices.at, a->values.at);
  cusparseDnMatDescr_t to;
  size_t bytes = 0;
  FINE(cusparseCreateDnMat(&to, ROWS, COLS, ld, dense_at, type, by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  bool is_there =
      DOES(cusparseSparseToDense_bufferSize(handle, sparse, to, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
  void *buffer = external_buffer(bytes);
  is_there = is_there && DOES(cusparseSparseToDense(handle, sparse, to, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer));
  for (int i = 0; i < lines * ld; i++)
    if (i % ld < ld - GAP)
      dense[i] = 0;
  for (int k = 0; k < a->a.nnz; k++) {
    bool is_csc = format == CUSPARSE_FORMAT_CSC;
    int row = is_csc ? a->lines.col[k] : a->lines.row[k], column = is_csc ? a->lines.row[k] : a->lines.col[k];
    dense[by_rows ? row * ld + column : row + column * ld] = a->value[k];
  }
  if (is_there)
    EXPECT(holds(dense_at, dense, ROOM * sizeof *dense));
  FINE(cusparseDestroySpMat(sparse));
  FINE(cusparseDestroyDnMat(to));
  cudaFree(buffer);
}

/* And back, from one with zeros of either sign. */
static void check_compress(cusparseHandle_t handle, const bits *a, cusparseFormat_t format, cudaDataType type,
                           bool by_rows, word *dense, void *dense_at) {
  const int ld = (by_rows ? COLS : ROWS) + GAP, count = a->a.nnz, width = sizeof(int);
  const int firsts = format == CUSPARSE_FORMAT_COO ? count : a->lines.rows + 1;
  const cusparseDenseToSparseAlg_t algorithm = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  int64_t rows, cols, nnz = -1;
  size_t bytes = 0;
  for (int i = 0; i < ROOM; i++)
    dense[i] = dense[i] == 0 && i % 3 == 0 ? 0x8000 : dense[i];
  cudaMemcpy(dense_at, dense, ROOM * sizeof *dense, cudaMemcpyHostToDevice);
  char *made = new_buffer((size_t)(firsts + 2 * count) * sizeof(int) + 512);
  char *indices = made + ((size_t)firsts * sizeof(int) + 15) / 16 * 16;
  char *values = indices + ((size_t)count * sizeof(int) + 15) / 16 * 16;
  cusparseSpMatDescr_t sparse = describe(format, type, 0, format == CUSPARSE_FORMAT_COO ? NULL : made, NULL, NULL);
  cusparseDnMatDescr_t from;
  FINE(cusparseCreateDnMat(&from, ROWS, COLS, ld, dense_at, type, by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  bool is_there = DOES(cusparseDenseToSparse_bufferSize(handle, from, sparse, algorithm, &bytes));
  void *buffer = external_buffer(bytes);
  is_there = is_there && DOES(cusparseDenseToSparse_analysis(handle, from, sparse, algorithm, buffer));
  FINE(cusparseSpMatGetSize(sparse, &rows, &cols, &nnz));
#ifdef ON_NVIDIA /* which may count -0 as an entry */
  is_there = is_there && nnz == count;
#endif
  EXPECT(!is_there || nnz == count);
  if (is_there && nnz == count) {
    if (format == CUSPARSE_FORMAT_COO)
      FINE(cusparseCooSetPointers(sparse, made, indices, values));
    else
      FINE((format == CUSPARSE_FORMAT_CSC ? cusparseCscSetPointers : cusparseCsrSetPointers)(sparse, made, indices,
                                                                                             values));
    FINE(cusparseDenseToSparse_convert(handle, from, sparse, algorithm, buffer));
    EXPECT(holds(made, format == CUSPARSE_FORMAT_COO ? a->lines.row : a->lines.offset, (size_t)(firsts * width)));
    EXPECT(holds(indices, a->lines.col, (size_t)(count * width)));
    EXPECT(holds(values, a->value, (size_t)count * sizeof *a->value));
  }
  FINE(cusparseDestroySpMat(sparse));
  FINE(cusparseDestroyDnMat(from));
  cudaFree(buffer);
  cudaFree(made);
}

static void check_forms(cusparseHandle_t handle, int turn) {
  const cusparseFormat_t format = kept_as[turn / 2 % 3];
  const cudaDataType type = formats[turn % 2].type;
  const bool by_rows = turn & 8;
  bits a = make_bits(format, (shape)(turn / 6 % SHAPES));
  word dense[ROOM];
  for (int i = 0; i < ROOM; i++)
    dense[i] = random_word();
  copy dense_at = copy_bytes(dense, sizeof dense, 6);
  combining("%s of %s", words[turn / 2 % 3], words_of_type(type));
  check_expand(handle, &a, format, type, by_rows, dense, dense_at.at);
  check_compress(handle, &a, format, type, by_rows, dense, dense_at.at);
  cudaFree(dense_at.base);
  free_bits(a, format);
}

/* The blocks that indices name; one of them is not there. */
#ifndef ON_NVIDIA
static void check_blocks(cusparseHandle_t handle, cudaDataType type) {
  enum { SIDE = 2, BLOCKS = 3, EDGE = SIDE * BLOCKS };
  static const int index[BLOCKS] = { 2, -1, 0 };
  word dense[EDGE * EDGE], expected[EDGE * SIDE];
  for (int i = 0; i < EDGE * EDGE; i++)
    dense[i] = random_word();
  for (int i = 0; i < EDGE * SIDE; i++)
    expected[i] = index[i / SIDE / SIDE] < 0 ? 0 : dense[i / SIDE * EDGE + index[i / SIDE / SIDE] * SIDE + i % SIDE];
  copy from_at = copy_bytes(dense, sizeof dense, 6), index_at = copy_bytes(index, sizeof index, 4);
  copy to_at = copy_bytes(dense, sizeof expected, 6);
  cusparseDnMatDescr_t from;
  cusparseSpMatDescr_t to;
  combining("blocked ELL of %s", words_of_type(type));
  FINE(cusparseCreateDnMat(&from, EDGE, EDGE, EDGE, from_at.at, type, CUSPARSE_ORDER_ROW));
  FINE(cusparseCreateBlockedEll(&to, EDGE, EDGE, SIDE, SIDE, index_at.at, to_at.at, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, type));
  FINE(cusparseDenseToSparse_convert(handle, from, to, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, NULL));
  EXPECT(holds(to_at.at, expected, sizeof expected));
  FINE(cusparseDestroyDnMat(from));
  FINE(cusparseDestroySpMat(to));
  cudaFree(from_at.base);
  cudaFree(index_at.base);
  cudaFree(to_at.base);
}
#endif

/* ---- rows to columns ----------------------------------------------------------------------------------------- */

static void check_turn(cusparseHandle_t handle, cudaDataType type, cusparseIndexBase_t base) {
  bits a = make_bits(CUSPARSE_FORMAT_CSR, EVEN);
  matrix turned = transposed_matrix(a.a);
  const int nnz = a.a.nnz;
  word *value = malloc((size_t)nnz * sizeof *value + 1);
  copy offsets = copy_indices(CUSPARSE_INDEX_32I, a.a.offset, ROWS + 1, (int)base);
  copy columns = copy_indices(CUSPARSE_INDEX_32I, a.a.col, nnz, (int)base);
  char *to = new_buffer((size_t)(COLS + 1 + nnz) * sizeof(int)), *values = new_buffer((size_t)nnz * sizeof *value);
  int *to_offsets = (int *)(void *)to, *to_rows = to_offsets + COLS + 1, next[COLS];
  size_t bytes = 0;
  combining("%s, base %d", words_of_type(type), (int)base);
  FINE(cusparseCsr2cscEx2_bufferSize(handle, ROWS, COLS, nnz, a.values.at, offsets.at, columns.at, values, to_offsets,
                                     to_rows, type, CUSPARSE_ACTION_NUMERIC, base, CUSPARSE_CSR2CSC_ALG1, &bytes));
  void *buffer = external_buffer(bytes);
  FINE(cusparseCsr2cscEx2(handle, ROWS, COLS, nnz, a.values.at, offsets.at, columns.at, values, to_offsets, to_rows,
                          type, CUSPARSE_ACTION_NUMERIC, base, CUSPARSE_CSR2CSC_ALG1, buffer));
  memcpy(next, turned.offset, sizeof next);
  for (int k = 0; k < nnz; k++)
    value[next[a.a.col[k]]++] = a.value[k];
  for (int i = 0; i <= COLS; i++)
    turned.offset[i] += (int)base;
  for (int k = 0; k < nnz; k++)
    turned.col[k] += (int)base;
  EXPECT(holds(to_offsets, turned.offset, (COLS + 1) * sizeof(int)));
  EXPECT(holds(to_rows, turned.col, (size_t)nnz * sizeof(int)));
  EXPECT(holds(values, value, (size_t)nnz * sizeof *value));
  cudaFree(offsets.base);
  cudaFree(columns.base);
  cudaFree(to);
  cudaFree(values);
  cudaFree(buffer);
  free(value);
  free_matrix(turned);
  free_bits(a, CUSPARSE_FORMAT_CSR);
}

int main(void) {
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 36; turn++) {
    checking("turn %d", turn);
    check_forms(handle, turn);
  }
  for (int i = 0; i < 4; i++) {
    checking("rows to columns %d", i);
    check_turn(handle, formats[i % 2].type, i / 2 == 0 ? CUSPARSE_INDEX_BASE_ZERO : CUSPARSE_INDEX_BASE_ONE);
  }
#ifndef ON_NVIDIA
  for (int i = 0; i < 2; i++) {
    checking("blocks %d", i);
    check_blocks(handle, formats[i].type);
  }
#endif
  FINE(cusparseDestroy(handle));
  return verdict("conform_moves");
}
