/* SPDX-License-Identifier: MIT */
/*
 * conform_sample - products of dense matrices where a sparse one has entries, beside plain loops: of half and bfloat16,
 * whose results are of 16 bits or floats, and of batches, of which an operand may be the same for all.
 */
#include "sparse_narrow.h"

#define N CUSPARSE_OPERATION_NON_TRANSPOSE
#define T CUSPARSE_OPERATION_TRANSPOSE
#define WRONG(call) GIVES(call, CUSPARSE_STATUS_INVALID_VALUE)
#define ALGORITHM CUSPARSE_SDDMM_ALG_DEFAULT

enum { ROWS = 21, COLS = 34, DEPTH = 13, MOST = 3 /* matrices of a batch */ };

static const char *const words[] = { "CSR", "COO", "CSC", "BSR" };
static const cusparseFormat_t kept_as[] = { CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_CSC,
                                            CUSPARSE_FORMAT_BSR };

/* The sparse matrices: so many of one pattern, with values behind each other. */
typedef struct pattern {
  matrix a, lines; /* in the order of rows; as they are stored */
  copy offsets, indices;
} pattern;

static pattern make_pattern(cusparseFormat_t format, shape form, int count) {
  pattern it = { .a = random_matrix(kinds[1], ROWS, COLS, form) };
  it.lines = format == CUSPARSE_FORMAT_CSC ? transposed_matrix(it.a) : it.a;
  const int firsts = format == CUSPARSE_FORMAT_COO ? it.a.nnz : it.lines.rows + 1, nnz = it.a.nnz;
  const int *first = format == CUSPARSE_FORMAT_COO ? it.lines.row : it.lines.offset;
  int *repeated = malloc((size_t)count * (size_t)(firsts + nnz) * sizeof *repeated + 1);
  for (int i = 0; i < count; i++) {
    memcpy(repeated + i * firsts, first, (size_t)firsts * sizeof *first);
    memcpy(repeated + count * firsts + i * nnz, it.lines.col, (size_t)nnz * sizeof *first);
  }
  it.offsets = copy_indices(CUSPARSE_INDEX_32I, repeated, (int64_t)count * firsts, 0);
  it.indices = copy_indices(CUSPARSE_INDEX_32I, repeated + count * firsts, (int64_t)count * nnz, 0);
  free(repeated);
  return it;
}

static void free_pattern(pattern it, cusparseFormat_t format) {
  cudaFree(it.offsets.base);
  cudaFree(it.indices.base);
  if (format == CUSPARSE_FORMAT_CSC)
    free_matrix(it.lines);
  free_matrix(it.a);
}

static cusparseSpMatDescr_t describe(const pattern *it, cusparseFormat_t format, cudaDataType type, void *values) {
  const cusparseIndexType_t narrow = CUSPARSE_INDEX_32I;
  const cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cusparseSpMatDescr_t made = NULL;
  if (format == CUSPARSE_FORMAT_COO)
    FINE(cusparseCreateCoo(&made, ROWS, COLS, it->a.nnz, it->offsets.at, it->indices.at, values, narrow, base, type));
  else if (format == CUSPARSE_FORMAT_BSR)
    FINE(cusparseCreateBsr(&made, ROWS, COLS, it->a.nnz, 1, 1, it->offsets.at, it->indices.at, values, narrow, narrow,
                           base, type, CUSPARSE_ORDER_ROW));
  else
    FINE((format == CUSPARSE_FORMAT_CSC ? cusparseCreateCsc : cusparseCreateCsr)(
        &made, ROWS, COLS, it->a.nnz, it->offsets.at, it->indices.at, values, narrow, narrow, base, type));
  return made;
}

static void repeat(cusparseSpMatDescr_t it, cusparseFormat_t format, int count, int nnz) {
  if (format == CUSPARSE_FORMAT_COO)
    FINE(cusparseCooSetStridedBatch(it, count, nnz));
  else if (format == CUSPARSE_FORMAT_BSR)
    FINE(cusparseBsrSetStridedBatch(it, count, ROWS + 1, nnz, nnz));
  else
    FINE(cusparseCsrSetStridedBatch(it, count, ROWS + 1, nnz));
}

/* A dense operand: `rows` by `columns` as the product sees it. */
static cusparseDnMatDescr_t describe_dense(int rows, int columns, bool is_turned, bool by_rows, cudaDataType type,
                                           void *values) {
  cusparseDnMatDescr_t made = NULL;
  int height = is_turned ? columns : rows, width = is_turned ? rows : columns;
  FINE(cusparseCreateDnMat(&made, height, width, by_rows ? width : height, values, type,
                           by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  return made;
}

static int place(int rows, int columns, bool is_turned, bool by_rows, int i, int j) {
  return is_turned != by_rows ? i * columns + j : i + j * rows;
}

/* ---- 16 bits ------------------------------------------------------------------------------------------------- */

static void check_narrow(cusparseHandle_t handle, format of, int turn) {
  const cusparseFormat_t format = kept_as[turn / 2 % 4];
  const bool a_turned = turn & 8, b_turned = turn & 16, by_rows = turn & 32, is_wide = turn & 64;
  const float alpha = 0.75f, beta = turn % 3 == 0 ? 0 : -0.5f;
  pattern c = make_pattern(format, (shape)(turn % SHAPES), 1);
  double *a = random_values(of, ROWS * DEPTH), *b = random_values(of, DEPTH * COLS);
  double *value = random_values(of, c.a.nnz);
  if (beta == 0 && c.a.nnz > 0)
    value[0] = NAN;
  copy a_at = copy_values(of, false, a, ROWS * DEPTH), b_at = copy_values(of, false, b, DEPTH * COLS);
  copy values = copy_values(of, is_wide, value, c.a.nnz);
  cusparseDnMatDescr_t da = describe_dense(ROWS, DEPTH, a_turned, by_rows, of.type, a_at.at);
  cusparseDnMatDescr_t db = describe_dense(DEPTH, COLS, b_turned, !by_rows, of.type, b_at.at);
  cusparseSpMatDescr_t dc = describe(&c, format, is_wide ? CUDA_R_32F : of.type, values.at);
  size_t bytes = 0;
  combining("%s of %s to %s", words[turn / 2 % 4], words_of_type(of.type), is_wide ? "float" : "the same");
  bool is_there = DOES(cusparseSDDMM_bufferSize(handle, a_turned ? T : N, b_turned ? T : N, &alpha, da, db, &beta, dc,
                                                CUDA_R_32F, ALGORITHM, &bytes));
  void *buffer = external_buffer(bytes);
  is_there = is_there && DOES(cusparseSDDMM(handle, a_turned ? T : N, b_turned ? T : N, &alpha, da, db, &beta, dc,
                                            CUDA_R_32F, ALGORITHM, buffer));
  for (int k = 0; k < c.a.nnz; k++) {
    bool is_csc = format == CUSPARSE_FORMAT_CSC;
    int row = is_csc ? c.lines.col[k] : c.lines.row[k], column = is_csc ? c.lines.row[k] : c.lines.col[k];
    double sum = 0;
    for (int i = 0; i < DEPTH; i++)
      sum += a[place(ROWS, DEPTH, a_turned, by_rows, row, i)] * b[place(DEPTH, COLS, b_turned, !by_rows, i, column)];
    value[k] = 0.75 * sum + (beta == 0 ? 0 : (double)beta * value[k]);
  }
  if (is_there)
    compare_values(of, is_wide, values.at, value, c.a.nnz, 4);
  FINE(cusparseDestroyDnMat(da));
  FINE(cusparseDestroyDnMat(db));
  FINE(cusparseDestroySpMat(dc));
  copy memory[] = { a_at, b_at, values };
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    cudaFree(memory[i].base);
  cudaFree(buffer);
  free_pattern(c, format);
  free(a);
  free(b);
  free(value);
}

/* ---- batches ------------------------------------------------------------------------------------------------- */

typedef struct batch {
  cusparseFormat_t format;
  pattern c;
  number *a, *b, *value;
  copy a_at, b_at, values;
  cusparseDnMatDescr_t da, db;
  cusparseSpMatDescr_t dc;
} batch;

/* An operand that is the same for all is a batch of stride 0, as NVIDIA's wants it, or, of ours, none. */
static void repeat_dense(cusparseDnMatDescr_t it, bool has_own, int64_t size, bool is_stride_0) {
  if (has_own || is_stride_0)
    FINE(cusparseDnMatSetStridedBatch(it, MOST, has_own ? size : 0));
}

static batch make_batch(kind of, cusparseFormat_t format, bool has_a, bool has_b, bool is_stride_0) {
#ifdef ON_NVIDIA
  is_stride_0 = true;
#endif
  batch it = { .format = format, .c = make_pattern(format, SKEWED, MOST) };
  const int nnz = it.c.a.nnz;
  it.a = random_numbers(of, MOST * ROWS * DEPTH);
  it.b = random_numbers(of, MOST * DEPTH * COLS);
  it.value = random_numbers(of, (int64_t)MOST * nnz);
  it.a_at = copy_numbers(of, it.a, MOST * ROWS * DEPTH);
  it.b_at = copy_numbers(of, it.b, MOST * DEPTH * COLS);
  it.values = copy_numbers(of, it.value, (int64_t)MOST * nnz);
  it.da = describe_dense(ROWS, DEPTH, false, true, of.type, it.a_at.at);
  it.db = describe_dense(DEPTH, COLS, false, false, of.type, it.b_at.at);
  it.dc = describe(&it.c, format, of.type, it.values.at);
  repeat_dense(it.da, has_a, ROWS * DEPTH, is_stride_0);
  repeat_dense(it.db, has_b, DEPTH * COLS, is_stride_0);
  repeat(it.dc, format, MOST, nnz);
  return it;
}

static void free_batch(batch it) {
  FINE(cusparseDestroyDnMat(it.da));
  FINE(cusparseDestroyDnMat(it.db));
  FINE(cusparseDestroySpMat(it.dc));
  cudaFree(it.a_at.base);
  cudaFree(it.b_at.base);
  cudaFree(it.values.base);
  free_pattern(it.c, it.format);
  free(it.a);
  free(it.b);
  free(it.value);
}

static void check_batch(cusparseHandle_t handle, kind of, int turn) {
  const cusparseFormat_t format = turn & 16  ? CUSPARSE_FORMAT_CSR
                                  : turn & 8 ? CUSPARSE_FORMAT_BSR
                                             : CUSPARSE_FORMAT_COO;
  const bool has_a = turn & 1, has_b = turn & 2;
  batch it = make_batch(of, format, has_a, has_b, turn & 4);
  const int nnz = it.c.a.nnz;
  number alpha = random_number(of), beta = random_number(of);
  factor f, g;
  size_t bytes = 0;
  make_factor(&f, of, alpha, turn & 4);
  make_factor(&g, of, beta, turn & 4);
  combining("a batch of type %d, A %s, B %s", (int)of.type, has_a ? "each" : "one", has_b ? "each" : "one");
  FINE(cusparseSetPointerMode(handle, turn & 4 ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseSDDMM_bufferSize(handle, N, N, f.at, it.da, it.db, g.at, it.dc, of.type, ALGORITHM, &bytes));
  void *buffer = external_buffer(bytes);
  FINE(cusparseSDDMM_preprocess(handle, N, N, f.at, it.da, it.db, g.at, it.dc, of.type, ALGORITHM, buffer));
  bool is_there = FINE(cusparseSDDMM(handle, N, N, f.at, it.da, it.db, g.at, it.dc, of.type, ALGORITHM, buffer));
  for (int i = 0; i < MOST; i++)
    for (int k = 0; k < nnz; k++) {
      const number *a = it.a + (has_a ? i * ROWS * DEPTH : 0), *b = it.b + (has_b ? i * DEPTH * COLS : 0);
      number sum = 0, *to = &it.value[i * nnz + k];
      for (int d = 0; d < DEPTH; d++)
        sum += a[it.c.a.row[k] * DEPTH + d] * b[d + it.c.a.col[k] * DEPTH];
      *to = alpha * sum + beta * *to;
    }
  if (is_there)
    compare_numbers(of, it.values.at, it.value, (int64_t)MOST * nnz, DEPTH);
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  cudaFree(f.device.base);
  cudaFree(g.device.base);
  cudaFree(buffer);
  free_batch(it);
}

/* ---- refusals ------------------------------------------------------------------------------------------------ */

/* Batches of other sizes, values that overlap, and memory that is too short for the last: nothing is changed. */
#ifndef ON_NVIDIA
static void check_refusals(cusparseHandle_t handle) {
  const double one = 1;
  const float narrow = 1;
  const cudaDataType type = CUDA_R_64F;
  batch it = make_batch(kinds[1], CUSPARSE_FORMAT_CSR, true, true, true);
  const int nnz = it.c.a.nnz;
  size_t bytes = 77;
  FINE(cusparseDnMatSetStridedBatch(it.da, MOST - 1, ROWS * DEPTH));
  WRONG(cusparseSDDMM(handle, N, N, &one, it.da, it.db, &one, it.dc, type, ALGORITHM, NULL));
  WRONG(cusparseSDDMM_bufferSize(handle, N, N, &one, it.da, it.db, &one, it.dc, type, ALGORITHM, &bytes));
  WRONG(cusparseSDDMM_preprocess(handle, N, N, &one, it.da, it.db, &one, it.dc, type, ALGORITHM, NULL));
  FINE(cusparseDnMatSetStridedBatch(it.da, MOST, ROWS * DEPTH));
  FINE(cusparseCsrSetStridedBatch(it.dc, MOST, ROWS + 1, nnz - 1));
  WRONG(cusparseSDDMM(handle, N, N, &one, it.da, it.db, &one, it.dc, type, ALGORITHM, NULL));
  FINE(cusparseCsrSetStridedBatch(it.dc, MOST, ROWS + 1, nnz + 8));
  GIVES(cusparseSDDMM(handle, N, N, &one, it.da, it.db, &one, it.dc, type, ALGORITHM, NULL),
        CUSPARSE_STATUS_EXECUTION_FAILED);
  FINE(cusparseCsrSetStridedBatch(it.dc, MOST, ROWS + 1, nnz));
  FINE(cusparseDnMatSetStridedBatch(it.db, MOST, DEPTH * COLS + 8));
  GIVES(cusparseSDDMM(handle, N, N, &one, it.da, it.db, &one, it.dc, type, ALGORITHM, NULL),
        CUSPARSE_STATUS_EXECUTION_FAILED);
  FINE(cusparseDnMatSetStridedBatch(it.db, MOST, DEPTH * COLS));
  WRONG(cusparseSDDMM(handle, N, N, NULL, it.da, it.db, &one, it.dc, type, ALGORITHM, NULL));
  WRONG(cusparseSDDMM(handle, N, T, &one, it.da, it.db, &one, it.dc, type, ALGORITHM, NULL));
  WRONG(cusparseSDDMM_bufferSize(handle, N, N, &one, it.da, it.db, &one, it.dc, type, ALGORITHM, NULL));
  GIVES(cusparseSDDMM(handle, N, N, &narrow, it.da, it.db, &narrow, it.dc, CUDA_R_16F, ALGORITHM, NULL),
        CUSPARSE_STATUS_NOT_SUPPORTED);
  GIVES(cusparseSDDMM(handle, N, N, &narrow, it.da, it.db, &narrow, it.dc, CUDA_R_32F, ALGORITHM, NULL),
        CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT(bytes == 77);
  compare_numbers(kinds[1], it.values.at, it.value, (int64_t)MOST * nnz, 0);
  free_batch(it);
}
#endif

int main(void) {
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 128; turn++) {
    checking("turn %d", turn);
#ifdef ON_NVIDIA /* whose samples are stored by rows, or in larger blocks */
    if (kept_as[turn / 2 % 4] != CUSPARSE_FORMAT_CSR)
      continue;
#endif
    check_narrow(handle, formats[turn % 2], turn);
  }
  for (int turn = 0; turn < 96; turn++) {
    checking("batch %d", turn);
#ifdef ON_NVIDIA
    if (!(turn & 16))
      continue;
#endif
    check_batch(handle, kinds[turn / 3 % 4], turn);
  }
#ifndef ON_NVIDIA
  checking("refusals");
  check_refusals(handle);
#endif
  FINE(cusparseDestroy(handle));
  return verdict("conform_sample");
}
