/* SPDX-License-Identifier: MIT */
/*
 * conform_dense - sparse matrices beside dense ones, against plain loops: products, products of dense ones where a
 * sparse one has entries, and from one form to the other and back.
 */
#include "sparse_dense.h"

static bool turns(cusparseOperation_t operation) {
  return operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
}
static number operand(const dense *it, cusparseOperation_t operation, int i, int j) {
  return turns(operation) ? conjugate_for(operation, *element(it, j, i)) : *element(it, i, j);
}

typedef struct way {
  cusparseFormat_t format;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cusparseOperation_t op_a, op_b;
  bool b_by_rows, c_by_rows, on_device, is_zero;
} way;

static void check_product(cusparseHandle_t handle, kind of, matrix a, int columns, way by) {
  int rows = turns(by.op_a) ? a.cols : a.rows, depth = turns(by.op_a) ? a.rows : a.cols;
  stored sparse = store_matrix(of, a, by.format, by.index_type, by.index_type, by.base);
  dense b =
      turns(by.op_b) ? make_dense(of, columns, depth, by.b_by_rows) : make_dense(of, depth, columns, by.b_by_rows);
  dense c = make_dense(of, rows, columns, by.c_by_rows);
  number alpha = random_number(of), beta = by.is_zero ? 0 : random_number(of);
  factor f, g;
  size_t bytes = 0;
  void *buffer = NULL;
  make_factor(&f, of, alpha, by.on_device);
  make_factor(&g, of, beta, by.on_device);
  FINE(cusparseSetPointerMode(handle, by.on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseSpMM_bufferSize(handle, by.op_a, by.op_b, f.at, sparse.descr, b.descr, g.at, c.descr, of.type,
                               CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  buffer = external_buffer(bytes);
  FINE(cusparseSpMM_preprocess(handle, by.op_a, by.op_b, f.at, sparse.descr, b.descr, g.at, c.descr, of.type,
                               CUSPARSE_SPMM_ALG_DEFAULT, buffer));
  FINE(cusparseSpMM(handle, by.op_a, by.op_b, f.at, sparse.descr, b.descr, g.at, c.descr, of.type,
                    CUSPARSE_SPMM_ALG_DEFAULT, buffer));
  for (int j = 0; j < columns; j++) {
    for (int i = 0; i < rows; i++)
      *element(&c, i, j) *= beta;
    for (int k = 0; k < a.nnz; k++) {
      int to = turns(by.op_a) ? a.col[k] : a.row[k], from = turns(by.op_a) ? a.row[k] : a.col[k];
      *element(&c, to, j) += alpha * conjugate_for(by.op_a, a.value[k]) * operand(&b, by.op_b, from, j);
    }
  }
  compare_numbers(of, c.memory.at, c.value, extent(&c), sqrt(a.rows + a.cols));
  free_stored(sparse);
  free_dense(b);
  free_dense(c);
  cudaFree(buffer);
  cudaFree(f.device.base);
  cudaFree(g.device.base);
}

/* C = alpha A B + beta C where C has entries. */
static void check_sample(cusparseHandle_t handle, kind of, matrix c, int depth, way by) {
  stored sparse = store_matrix(of, c, by.format, by.index_type, by.index_type, by.base);
  dense a =
      turns(by.op_a) ? make_dense(of, depth, c.rows, by.b_by_rows) : make_dense(of, c.rows, depth, by.b_by_rows);
  dense b =
      turns(by.op_b) ? make_dense(of, c.cols, depth, by.c_by_rows) : make_dense(of, depth, c.cols, by.c_by_rows);
  number alpha = random_number(of), beta = by.is_zero ? 0 : random_number(of);
  factor f, g;
  size_t bytes = 0;
  void *buffer = NULL;
  make_factor(&f, of, alpha, false);
  make_factor(&g, of, beta, false);
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseSDDMM_bufferSize(handle, by.op_a, by.op_b, f.at, a.descr, b.descr, g.at, sparse.descr, of.type,
                                CUSPARSE_SDDMM_ALG_DEFAULT, &bytes));
  buffer = external_buffer(bytes);
  FINE(cusparseSDDMM_preprocess(handle, by.op_a, by.op_b, f.at, a.descr, b.descr, g.at, sparse.descr, of.type,
                                CUSPARSE_SDDMM_ALG_DEFAULT, buffer));
  FINE(cusparseSDDMM(handle, by.op_a, by.op_b, f.at, a.descr, b.descr, g.at, sparse.descr, of.type,
                     CUSPARSE_SDDMM_ALG_DEFAULT, buffer));
  for (int k = 0; k < c.nnz; k++) {
    number sum = 0;
    for (int i = 0; i < depth; i++)
      sum += operand(&a, by.op_a, c.row[k], i) * operand(&b, by.op_b, i, c.col[k]);
    c.value[k] = alpha * sum + beta * c.value[k];
  }
  matrix stored_as = by.format == CUSPARSE_FORMAT_CSC ? transposed_matrix(c) : c;
  compare_numbers(of, sparse.values.at, stored_as.value, c.nnz, depth);
  if (by.format == CUSPARSE_FORMAT_CSC)
    free_matrix(stored_as);
  free_stored(sparse);
  free_dense(a);
  free_dense(b);
  cudaFree(buffer);
}

#ifdef ON_NVIDIA
static int64_t index_in(const char *indices, int k, size_t width) {
  int64_t wide = 0;
  int narrow = 0;
  if (width == sizeof wide)
    memcpy(&wide, indices + (size_t)k * width, sizeof wide);
  else
    memcpy(&narrow, indices + (size_t)k * width, sizeof narrow);
  return wide + narrow;
}

/* The k-th and the one before it. */
static void swap_bytes(char *bytes, int k, size_t width) {
  char kept[16];
  char *first = bytes + (size_t)(k - 1) * width, *second = first + width;
  memcpy(kept, first, width);
  memcpy(first, second, width);
  memcpy(second, kept, width);
}

/* The entries of each line by their indices. */
static void sort_lines(matrix lines, char *indices, size_t width, char *values, size_t size) {
  for (int line = 0; line < lines.rows; line++)
    for (int i = lines.offset[line] + 1; i < lines.offset[line + 1]; i++)
      for (int k = i; k > lines.offset[line] && index_in(indices, k - 1, width) > index_in(indices, k, width); k--) {
        swap_bytes(indices, k, width);
        swap_bytes(values, k, size);
      }
}
#endif

/* What was made of a dense matrix is what it had been made of: offsets, or the rows of entries, indices and values. */
static void compare_forms(kind of, matrix a, way by, stored made_of, const void *offsets, const void *indices,
                          const void *values) {
  matrix lines = by.format == CUSPARSE_FORMAT_CSC ? transposed_matrix(a) : a;
  size_t width = by.index_type == CUSPARSE_INDEX_64I ? 8 : 4;
  const struct {
    const void *here, *there;
    size_t bytes;
  } parts[] = { { offsets, made_of.offsets.at,
                  (size_t)(by.format == CUSPARSE_FORMAT_COO ? a.nnz : lines.rows + 1) * width },
                { indices, made_of.indices.at, (size_t)a.nnz * width },
                { values, made_of.values.at, (size_t)a.nnz * of.size } };
  char *got[3], *expected[3];
  for (int i = 0; i < 3; i++) {
    got[i] = malloc(parts[i].bytes + 1);
    expected[i] = malloc(parts[i].bytes + 1);
    copy_or_end(checked, got[i], parts[i].here, parts[i].bytes);
    copy_or_end(checked, expected[i], parts[i].there, parts[i].bytes);
  }
#ifdef ON_NVIDIA /* whose lines of more than 32 across the dense matrix are not in order, and none is promised */
  sort_lines(lines, got[1], width, got[2], of.size);
#endif
  for (int i = 0; i < 3; i++) {
    EXPECT(memcmp(got[i], expected[i], parts[i].bytes) == 0);
    free(got[i]);
    free(expected[i]);
  }
  if (by.format == CUSPARSE_FORMAT_CSC)
    free_matrix(lines);
}

/* There and back again. */
static void check_forms(cusparseHandle_t handle, kind of, matrix a, way by) {
  bool by_rows = by.b_by_rows, is_coo = by.format == CUSPARSE_FORMAT_COO, is_csc = by.format == CUSPARSE_FORMAT_CSC;
  stored sparse = store_matrix(of, a, by.format, by.index_type, by.index_type, by.base);
  dense b = make_dense(of, a.rows, a.cols, by_rows);
  size_t bytes = 0, width = by.index_type == CUSPARSE_INDEX_64I ? 8 : 4;
  FINE(cusparseSparseToDense_bufferSize(handle, sparse.descr, b.descr, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
  void *buffer = NULL, *offsets = NULL, *indices = NULL, *values = NULL;
  buffer = external_buffer(bytes);
  FINE(cusparseSparseToDense(handle, sparse.descr, b.descr, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer));
  cudaFree(buffer);
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < a.cols; j++)
      *element(&b, i, j) = 0;
  for (int k = 0; k < a.nnz; k++)
    *element(&b, a.row[k], a.col[k]) = a.value[k];
  compare_numbers(of, b.memory.at, b.value, extent(&b), 0);

  int64_t lines = is_csc ? a.cols : a.rows, rows, cols, nnz = -1;
  cusparseSpMatDescr_t back;
  cudaMalloc(&offsets, (size_t)(is_coo ? a.nnz : lines + 1) * width + 8);
  cudaMalloc(&indices, (size_t)a.nnz * width + 8);
  cudaMalloc(&values, (size_t)a.nnz * of.size + 8);
  if (is_coo)
    FINE(cusparseCreateCoo(&back, a.rows, a.cols, 0, NULL, NULL, NULL, by.index_type, by.base, of.type));
  else if (is_csc)
    FINE(cusparseCreateCsc(&back, a.rows, a.cols, 0, offsets, NULL, NULL, by.index_type, by.index_type, by.base,
                           of.type));
  else
    FINE(cusparseCreateCsr(&back, a.rows, a.cols, 0, offsets, NULL, NULL, by.index_type, by.index_type, by.base,
                           of.type));
  FINE(cusparseDenseToSparse_bufferSize(handle, b.descr, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
  buffer = external_buffer(bytes);
  FINE(cusparseDenseToSparse_analysis(handle, b.descr, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  FINE(cusparseSpMatGetSize(back, &rows, &cols, &nnz));
  EXPECT(nnz == a.nnz);
  if (is_coo)
    FINE(cusparseCooSetPointers(back, offsets, indices, values));
  else if (is_csc)
    FINE(cusparseCscSetPointers(back, offsets, indices, values));
  else
    FINE(cusparseCsrSetPointers(back, offsets, indices, values));
  FINE(cusparseDenseToSparse_convert(handle, b.descr, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  compare_forms(of, a, by, sparse, offsets, indices, values);
  cudaFree(buffer);
  cudaFree(offsets);
  cudaFree(indices);
  cudaFree(values);
  FINE(cusparseDestroySpMat(back));
  free_stored(sparse);
  free_dense(b);
}

/* A row over several tiles beside short ones, and more columns than go at once. */
static void check_long(cusparseHandle_t handle) {
  for (int turn = 0; turn < 8; turn++) {
    kind of = kinds[turn % 4];
    way by = { .format = CUSPARSE_FORMAT_CSR,
               .index_type = CUSPARSE_INDEX_32I,
               .b_by_rows = turn & 1,
               .c_by_rows = turn & 2,
               .op_b = turn & 4 ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE };
    matrix a = random_matrix(of, 9, 3000, SKEWED);
    checking("long rows %d", turn);
    check_product(handle, of, a, turn % 3 == 0 ? 150 : 33, by);
    checked = "";
    free_matrix(a);
  }
}

/* C_i = alpha A_i B_i + beta C_i, or with one A, or one B, for all: as a batch whose stride is 0, which NVIDIA's wants,
 * or as none. */
enum { BATCH = 3, ROWS = 20, COLS = 30, SIDES = 5 };

typedef struct batch {
  matrix a;
  number *values, *b, *c;
  copy rows_at, columns_at, values_at, b_at, c_at;
  cusparseSpMatDescr_t sparse;
  cusparseDnMatDescr_t dense_b, dense_c;
  bool has_a, has_b, is_stride_0;
} batch;

/* All matrices of the batch have one pattern, and a copy of it each. */
static void store_batch(batch *it, kind of, cusparseFormat_t format) {
  bool is_coo = format == CUSPARSE_FORMAT_COO;
  int first_count = is_coo ? it->a.nnz : ROWS + 1;
  int *rows = malloc(BATCH * (size_t)first_count * sizeof(int) + 1);
  int *columns = malloc(BATCH * (size_t)it->a.nnz * sizeof(int) + 1);
  for (int i = 0; i < BATCH; i++) {
    memcpy(rows + i * first_count, is_coo ? it->a.row : it->a.offset, (size_t)first_count * sizeof(int));
    memcpy(columns + i * it->a.nnz, it->a.col, (size_t)it->a.nnz * sizeof(int));
  }
  it->rows_at = copy_indices(CUSPARSE_INDEX_32I, rows, BATCH * first_count, 0);
  it->columns_at = copy_indices(CUSPARSE_INDEX_32I, columns, (int64_t)BATCH * it->a.nnz, 0);
  it->values_at = copy_numbers(of, it->values, (int64_t)BATCH * it->a.nnz);
  if (is_coo)
    FINE(cusparseCreateCoo(&it->sparse, ROWS, COLS, it->a.nnz, it->rows_at.at, it->columns_at.at, it->values_at.at,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, of.type));
  else
    FINE(cusparseCreateCsr(&it->sparse, ROWS, COLS, it->a.nnz, it->rows_at.at, it->columns_at.at, it->values_at.at,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, of.type));
  if (is_coo && (it->has_a || it->is_stride_0))
    FINE(cusparseCooSetStridedBatch(it->sparse, BATCH, it->has_a ? it->a.nnz : 0));
  else if (it->has_a || it->is_stride_0)
    FINE(cusparseCsrSetStridedBatch(it->sparse, BATCH, it->has_a ? ROWS + 1 : 0, it->has_a ? it->a.nnz : 0));
  free(rows);
  free(columns);
}

static batch begin_batch(kind of, cusparseFormat_t format, bool has_a, bool has_b) {
#ifdef ON_NVIDIA
  const bool is_stride_0 = true;
#else
  static int turn;
  const bool is_stride_0 = turn++ / 2 % 2;
#endif
  batch it = { .a = random_matrix(of, ROWS, COLS, EVEN), .has_a = has_a, .has_b = has_b, .is_stride_0 = is_stride_0 };
  int count = 0;
  int64_t stride = 0;
  it.values = random_numbers(of, (int64_t)BATCH * it.a.nnz);
  it.b = random_numbers(of, BATCH * COLS * SIDES);
  it.c = random_numbers(of, BATCH * ROWS * SIDES);
  store_batch(&it, of, format);
  it.b_at = copy_numbers(of, it.b, BATCH * COLS * SIDES);
  it.c_at = copy_numbers(of, it.c, BATCH * ROWS * SIDES);
  FINE(cusparseCreateDnMat(&it.dense_b, COLS, SIDES, COLS, it.b_at.at, of.type, CUSPARSE_ORDER_COL));
  FINE(cusparseCreateDnMat(&it.dense_c, ROWS, SIDES, ROWS, it.c_at.at, of.type, CUSPARSE_ORDER_COL));
  if (has_b || is_stride_0)
    FINE(cusparseDnMatSetStridedBatch(it.dense_b, BATCH, has_b ? COLS * SIDES : 0));
  FINE(cusparseDnMatSetStridedBatch(it.dense_c, BATCH, ROWS * SIDES));
  FINE(cusparseDnMatGetStridedBatch(it.dense_c, &count, &stride));
  EXPECT(count == BATCH && stride == ROWS * SIDES);
  FINE(cusparseSpMatGetStridedBatch(it.sparse, &count));
  EXPECT(!has_a || count == BATCH);
  GIVES(cusparseDnMatSetStridedBatch(it.dense_c, 0, 0), CUSPARSE_STATUS_INVALID_VALUE);
  return it;
}

static void end_batch(batch it) {
  FINE(cusparseDestroySpMat(it.sparse));
  FINE(cusparseDestroyDnMat(it.dense_b));
  FINE(cusparseDestroyDnMat(it.dense_c));
  copy all[] = { it.rows_at, it.columns_at, it.values_at, it.b_at, it.c_at };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    cudaFree(all[i].base);
  free(it.values);
  free(it.b);
  free(it.c);
  free_matrix(it.a);
}

static void check_batch(cusparseHandle_t handle, kind of, cusparseFormat_t format, bool has_a, bool has_b) {
  batch it = begin_batch(of, format, has_a, has_b);
  const cusparseOperation_t n = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpMMAlg_t any = CUSPARSE_SPMM_ALG_DEFAULT;
  number alpha = random_number(of), beta = random_number(of);
  factor f, g;
  size_t bytes = 0;
  void *buffer = NULL;
  make_factor(&f, of, alpha, false);
  make_factor(&g, of, beta, false);
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseSpMM_bufferSize(handle, n, n, f.packed, it.sparse, it.dense_b, g.packed, it.dense_c, of.type, any,
                               &bytes));
  buffer = external_buffer(bytes);
  FINE(cusparseSpMM(handle, n, n, f.packed, it.sparse, it.dense_b, g.packed, it.dense_c, of.type, any, buffer));
  for (int i = 0; i < BATCH; i++) {
    const number *own = it.values + (has_a ? i * it.a.nnz : 0), *side = it.b + (has_b ? i * COLS * SIDES : 0);
    number *to = it.c + i * ROWS * SIDES;
    for (int k = 0; k < ROWS * SIDES; k++)
      to[k] *= beta;
    for (int j = 0; j < SIDES; j++)
      for (int k = 0; k < it.a.nnz; k++)
        to[it.a.row[k] + j * ROWS] += alpha * own[k] * side[it.a.col[k] + j * COLS];
  }
  compare_numbers(of, it.c_at.at, it.c, BATCH * ROWS * SIDES, 8);
#ifndef ON_NVIDIA
  /* One more than there is: nothing is written. */
  FINE(cusparseDnMatSetStridedBatch(it.dense_c, BATCH + 1, ROWS * SIDES));
  GIVES(cusparseSpMM(handle, n, n, f.packed, it.sparse, it.dense_b, g.packed, it.dense_c, of.type, any, buffer),
        has_a || has_b || it.is_stride_0 ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_EXECUTION_FAILED);
  compare_numbers(of, it.c_at.at, it.c, BATCH * ROWS * SIDES, 8);
#endif
  cudaFree(buffer);
  end_batch(it);
}

int main(void) {
  static const cusparseFormat_t formats[] = { CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_CSC };
  static const cusparseOperation_t operations[] = { CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                                    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE };
  static const int sizes[][3] = { { 1, 1, 1 }, { 40, 30, 7 }, { 25, 90, 40 }, { 130, 20, 3 } };
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 144; turn++) {
    kind of = kinds[turn % 4];
    const int *size = sizes[turn / 4 % 4];
    way by = { formats[turn % 3],
               turn & 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I,
               turn & 16 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO,
               operations[turn / 3 % 3],
               operations[turn / 9 % (of.is_complex ? 3 : 2)],
               turn & 1,
               turn & 2,
               turn & 32,
               turn % 5 == 0 };
    matrix a = random_matrix(of, size[0], size[1], (shape)(turn % SHAPES));
    checking("turn %d: type %d, %d by %d with %d, format %d, index type %d, operations %d and %d, columns %d", turn,
             (int)of.type, a.rows, a.cols, a.nnz, (int)by.format, (int)by.index_type, (int)by.op_a, (int)by.op_b,
             size[2]);
    bool is_product = has_operation(of, by.op_a);
#ifdef ON_NVIDIA /* which does not take the conjugate of a single row */
    is_product = is_product && (size[2] > 1 || by.op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
#endif
    if (is_product)
      check_product(handle, of, a, size[2], by);
#ifdef ON_NVIDIA /* whose samples are stored by rows */
    bool is_sample = by.format == CUSPARSE_FORMAT_CSR;
#else
    bool is_sample = by.format != CUSPARSE_FORMAT_COO;
#endif
    if (is_sample && by.op_a != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE &&
        by.op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
      check_sample(handle, of, a, size[2], by);
    free_matrix(a);
    a = random_matrix(of, size[0], size[1], (shape)(turn % SHAPES));
    check_forms(handle, of, a, by);
    free_matrix(a);
    checked = "";
  }
  check_long(handle);
  for (int turn = 0; turn < 24; turn++) {
    checking("batch %d: type %d, format %d, of A %d, of B %d", turn, (int)kinds[turn % 4].type, turn & 8 ? 3 : 1,
             turn & 1 || turn < 8, turn & 4);
#ifdef ON_NVIDIA /* which has batches of A, or of B */
    if (turn >= 8 && !(turn & 1) && !(turn & 4))
      continue;
#endif
    check_batch(handle, kinds[turn % 4], turn & 8 ? CUSPARSE_FORMAT_COO : CUSPARSE_FORMAT_CSR, turn & 1 || turn < 8,
                turn & 4);
    checked = "";
  }
  FINE(cusparseDestroy(handle));
  return verdict("conform_dense");
}
