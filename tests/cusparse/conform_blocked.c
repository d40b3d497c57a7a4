/* SPDX-License-Identifier: MIT */
/*
 * conform_blocked - matrices of blocks in the generic interface, BSR and blocked ELL, beside plain loops over the dense
 * matrices that they stand for: products with vectors and with dense matrices, samples, what is filled from a dense
 * matrix, and what is refused.
 */
#include "sparse_dense.h"

#define WRONG(call) GIVES(call, CUSPARSE_STATUS_INVALID_VALUE)
#define UNSUPPORTED(call) GIVES(call, CUSPARSE_STATUS_NOT_SUPPORTED)
#define N CUSPARSE_OPERATION_NON_TRANSPOSE
#define T CUSPARSE_OPERATION_TRANSPOSE

typedef struct way {
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cusparseOrder_t block_order;
  bool b_by_rows, c_by_rows, is_b_turned, on_device, is_zero;
} way;

/* Blocks, and the dense matrix that they are. Of ELL, each row of blocks has `slots` of them, and an index of -1 is
 * none. `place` says for each stored value its row and column in the dense matrix, or -1. */
typedef struct blocks {
  int height, width, rows, cols, slots; /* rows and columns of elements */
  int64_t count;                        /* of values */
  number *value, *dense;
  int64_t *place;
  copy offsets, indices, values;
  cusparseSpMatDescr_t descr;
} blocks;

static void begin_blocks(blocks *it, kind of, int64_t count) {
  it->count = count;
  it->value = random_numbers(of, count);
  it->place = malloc((size_t)(count + 1) * sizeof *it->place);
  it->dense = calloc((size_t)it->rows * (size_t)it->cols + 1, sizeof *it->dense);
}

static void spread_values(blocks *it) {
  for (int64_t k = 0; k < it->count; k++)
    if (it->place[k] >= 0)
      it->dense[it->place[k]] = it->value[k];
}

static blocks make_bsr(kind of, matrix pattern, int height, int width, way by) {
  blocks it = { .height = height, .width = width, .rows = pattern.rows * height, .cols = pattern.cols * width };
  const int area = height * width;
  begin_blocks(&it, of, (int64_t)pattern.nnz * area);
  for (int k = 0; k < pattern.nnz; k++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++)
        it.place[k * area + (by.block_order == CUSPARSE_ORDER_ROW ? i * width + j : j * height + i)] =
            (int64_t)(pattern.row[k] * height + i) * it.cols + pattern.col[k] * width + j;
  spread_values(&it);
  it.offsets = copy_indices(by.index_type, pattern.offset, pattern.rows + 1, (int)by.base);
  it.indices = copy_indices(by.index_type, pattern.col, pattern.nnz, (int)by.base);
  it.values = copy_numbers(of, it.value, it.count);
  FINE(cusparseCreateBsr(&it.descr, pattern.rows, pattern.cols, pattern.nnz, height, width, it.offsets.at,
                         it.indices.at, it.values.at, by.index_type, by.index_type, by.base, of.type,
                         by.block_order));
  return it;
}

/* Of so many rows and columns of blocks. Columns of a row of blocks are different, and a third of them is not there:
 * -1, whatever the base. */
static blocks make_ell(kind of, int rows, int cols, int slots, int side, way by) {
  blocks it = { .height = side, .width = side, .rows = rows * side, .cols = cols * side, .slots = slots };
  int *index = malloc((size_t)(rows * slots + 1) * sizeof *index), width = slots * side;
  begin_blocks(&it, of, (int64_t)it.rows * width);
  for (int row = 0; row < rows; row++)
    for (int slot = 0; slot < slots; slot++) {
      int column = (row + slot) % cols;
#ifdef ON_NVIDIA /* which takes blocks that are not there for blocks of the first column */
      bool is_there = true;
#else
      bool is_there = random_below(3) != 0;
#endif
      index[row * slots + slot] = is_there ? column : -1 - (int)by.base;
      for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
          it.place[(row * side + i) * width + slot * side + j] =
              is_there ? (int64_t)(row * side + i) * it.cols + column * side + j : -1;
    }
  spread_values(&it);
  it.offsets = (copy){ NULL, NULL };
  it.indices = copy_indices(by.index_type, index, rows * slots, (int)by.base);
  it.values = copy_numbers(of, it.value, it.count);
  FINE(cusparseCreateBlockedEll(&it.descr, it.rows, it.cols, side, width, it.indices.at, it.values.at, by.index_type,
                                by.base, of.type));
  free(index);
  return it;
}

static void free_blocks(blocks it) {
  FINE(cusparseDestroySpMat(it.descr));
  cudaFree(it.offsets.base);
  cudaFree(it.indices.base);
  cudaFree(it.values.base);
  free(it.value);
  free(it.dense);
  free(it.place);
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

/* y = alpha A x + beta y. */
static void check_vector(cusparseHandle_t handle, kind of, const blocks *a, way by) {
  number *x = random_numbers(of, a->cols), *y = random_numbers(of, a->rows);
  number alpha = random_number(of), beta = by.is_zero ? 0 : random_number(of);
  if (by.is_zero && a->rows > 0)
    y[0] = NAN;
  copy x_at = copy_numbers(of, x, a->cols), y_at = copy_numbers(of, y, a->rows);
  cusparseDnVecDescr_t vx, vy;
  const cusparseSpMVAlg_t algorithm = by.b_by_rows ? CUSPARSE_SPMV_BSR_ALG1 : CUSPARSE_SPMV_ALG_DEFAULT;
  factor f, g;
  size_t bytes = 0;
  make_factor(&f, of, alpha, by.on_device);
  make_factor(&g, of, beta, by.on_device);
  FINE(cusparseSetPointerMode(handle, by.on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseCreateDnVec(&vx, a->cols, x_at.at, of.type));
  FINE(cusparseCreateDnVec(&vy, a->rows, y_at.at, of.type));
  combining("type %d, algorithm %d", (int)of.type, (int)algorithm);
  FINE(cusparseSpMV_bufferSize(handle, N, f.at, a->descr, vx, g.at, vy, of.type, algorithm, &bytes));
  void *buffer = external_buffer(bytes);
  bool is_there = FINE(cusparseSpMV(handle, N, f.at, a->descr, vx, g.at, vy, of.type, algorithm, buffer));
  for (int i = 0; i < a->rows; i++) {
    number sum = 0;
    for (int j = 0; j < a->cols; j++)
      sum += a->dense[(int64_t)i * a->cols + j] * x[j];
    y[i] = alpha * sum + (beta == 0 ? 0 : beta * y[i]);
  }
  if (is_there)
    compare_numbers(of, y_at.at, y, a->rows, 2 * sqrt(a->cols));
  FINE(cusparseDestroyDnVec(vx));
  FINE(cusparseDestroyDnVec(vy));
  copy all[] = { x_at, y_at, f.device, g.device };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    cudaFree(all[i].base);
  cudaFree(buffer);
  free(x);
  free(y);
}

/* C = alpha A op(B) + beta C. */
static void check_product(cusparseHandle_t handle, kind of, const blocks *a, int columns, way by) {
  cusparseOperation_t op_b = by.is_b_turned ? T : N;
  dense b = by.is_b_turned ? make_dense(of, columns, a->cols, by.b_by_rows)
                           : make_dense(of, a->cols, columns, by.b_by_rows);
  dense c = make_dense(of, a->rows, columns, by.c_by_rows);
  number alpha = random_number(of), beta = by.is_zero ? 0 : random_number(of);
  factor f, g;
  size_t bytes = 0;
  const cusparseSpMMAlg_t algorithm = CUSPARSE_SPMM_ALG_DEFAULT;
  make_factor(&f, of, alpha, by.on_device);
  make_factor(&g, of, beta, by.on_device);
  FINE(cusparseSetPointerMode(handle, by.on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  combining("%s of type %d, B %s by %s, C by %s", a->slots > 0 ? "ELL" : "BSR", (int)of.type,
            by.is_b_turned ? "turned" : "not turned", by.b_by_rows ? "rows" : "columns",
            by.c_by_rows ? "rows" : "columns");
  FINE(cusparseSpMM_bufferSize(handle, N, op_b, f.at, a->descr, b.descr, g.at, c.descr, of.type, algorithm, &bytes));
  void *buffer = external_buffer(bytes);
  bool is_there =
      FINE(cusparseSpMM(handle, N, op_b, f.at, a->descr, b.descr, g.at, c.descr, of.type, algorithm, buffer));
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < columns; j++) {
      number sum = 0;
      for (int k = 0; k < a->cols; k++)
        sum += a->dense[(int64_t)i * a->cols + k] * *(by.is_b_turned ? element(&b, j, k) : element(&b, k, j));
      *element(&c, i, j) = alpha * sum + beta * *element(&c, i, j);
    }
  double scale = 2 * sqrt(a->cols);
#ifdef ON_NVIDIA /* whose float ELL rounds factors to 11 bits, as its tensor cores do */
  if (a->slots > 0 && of.type == CUDA_R_32F)
    scale *= 50;
#endif
  if (is_there)
    compare_numbers(of, c.memory.at, c.value, extent(&c), scale);
  free_dense(b);
  free_dense(c);
  cudaFree(buffer);
  cudaFree(f.device.base);
  cudaFree(g.device.base);
}

/* C = alpha A B + beta C where C has blocks. */
static void check_sample(cusparseHandle_t handle, kind of, blocks *c, int depth, way by) {
  dense a = make_dense(of, c->rows, depth, by.b_by_rows), b = make_dense(of, depth, c->cols, by.c_by_rows);
  number alpha = random_number(of), beta = by.is_zero ? 0 : random_number(of);
  factor f, g;
  size_t bytes = 0;
  const cusparseSDDMMAlg_t algorithm = CUSPARSE_SDDMM_ALG_DEFAULT;
  make_factor(&f, of, alpha, false);
  make_factor(&g, of, beta, false);
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  combining("type %d", (int)of.type);
  FINE(cusparseSDDMM_bufferSize(handle, N, N, f.at, a.descr, b.descr, g.at, c->descr, of.type, algorithm, &bytes));
  void *buffer = external_buffer(bytes);
  FINE(cusparseSDDMM(handle, N, N, f.at, a.descr, b.descr, g.at, c->descr, of.type, algorithm, buffer));
  for (int64_t k = 0; k < c->count; k++) {
    int row = (int)(c->place[k] / c->cols), column = (int)(c->place[k] % c->cols);
    number sum = 0;
    for (int i = 0; i < depth; i++)
      sum += *element(&a, row, i) * *element(&b, i, column);
    c->value[k] = alpha * sum + beta * c->value[k];
  }
  compare_numbers(of, c->values.at, c->value, c->count, depth);
  free_dense(a);
  free_dense(b);
  cudaFree(buffer);
}

/* What a dense matrix has where there are blocks, and 0 elsewhere. */
static void check_fill(cusparseHandle_t handle, kind of, blocks *to, way by) {
  dense from = make_dense(of, to->rows, to->cols, by.b_by_rows);
  size_t bytes = 0;
  const cusparseDenseToSparseAlg_t algorithm = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  combining("type %d, by %s", (int)of.type, by.b_by_rows ? "rows" : "columns");
  FINE(cusparseDenseToSparse_bufferSize(handle, from.descr, to->descr, algorithm, &bytes));
  void *buffer = external_buffer(bytes);
  FINE(cusparseDenseToSparse_analysis(handle, from.descr, to->descr, algorithm, buffer));
  FINE(cusparseDenseToSparse_convert(handle, from.descr, to->descr, algorithm, buffer));
  for (int64_t k = 0; k < to->count; k++) {
    int64_t at = to->place[k];
    to->value[k] = at < 0 ? 0 : *element(&from, (int)(at / to->cols), (int)(at % to->cols));
  }
  compare_numbers(of, to->values.at, to->value, to->count, 0);
  free_dense(from);
  cudaFree(buffer);
}

/* Three products of one pattern, with values, B and C of their own each. */
static void check_batch(cusparseHandle_t handle, kind of) {
  enum { BATCH = 3, SIDE = 2, COLUMNS = 4 };
  matrix pattern = random_matrix(of, 6, 5, SKEWED);
  way by = { CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_ORDER_ROW, false, false, false, false, false };
  blocks all[BATCH];
  number *values = malloc((size_t)pattern.nnz * SIDE * SIDE * BATCH * sizeof *values + 1), f = random_number(of);
  number zero = 0;
  int64_t rows = pattern.rows * SIDE, cols = pattern.cols * SIDE, count = (int64_t)pattern.nnz * SIDE * SIDE;
  for (int i = 0; i < BATCH; i++) {
    all[i] = make_bsr(of, pattern, SIDE, SIDE, by);
    memcpy(values + i * count, all[i].value, (size_t)count * sizeof *values);
  }
  copy values_at = copy_numbers(of, values, BATCH * count);
  number *b = random_numbers(of, BATCH * cols * COLUMNS), *c = random_numbers(of, BATCH * rows * COLUMNS);
  copy b_at = copy_numbers(of, b, BATCH * cols * COLUMNS), c_at = copy_numbers(of, c, BATCH * rows * COLUMNS);
  cusparseDnMatDescr_t db, dc;
  factor alpha, beta;
  int told = 0;
  size_t bytes = 0;
  combining("a batch of BSR of type %d", (int)of.type);
  make_factor(&alpha, of, f, false);
  make_factor(&beta, of, zero, false);
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseSpMatSetValues(all[0].descr, values_at.at));
  FINE(cusparseBsrSetStridedBatch(all[0].descr, BATCH, 0, 0, count));
  FINE(cusparseSpMatGetStridedBatch(all[0].descr, &told));
  EXPECT(told == BATCH);
  FINE(cusparseCreateDnMat(&db, cols, COLUMNS, cols, b_at.at, of.type, CUSPARSE_ORDER_COL));
  FINE(cusparseCreateDnMat(&dc, rows, COLUMNS, rows, c_at.at, of.type, CUSPARSE_ORDER_COL));
  FINE(cusparseDnMatSetStridedBatch(db, BATCH, cols * COLUMNS));
  FINE(cusparseDnMatSetStridedBatch(dc, BATCH, rows * COLUMNS));
  FINE(cusparseSpMM_bufferSize(handle, N, N, alpha.at, all[0].descr, db, beta.at, dc, of.type, CUSPARSE_SPMM_BSR_ALG1,
                               &bytes));
  void *buffer = external_buffer(bytes);
  FINE(cusparseSpMM(handle, N, N, alpha.at, all[0].descr, db, beta.at, dc, of.type, CUSPARSE_SPMM_BSR_ALG1, buffer));
  for (int i = 0; i < BATCH; i++)
    for (int64_t at = 0; at < rows * COLUMNS; at++) {
      number sum = 0;
      for (int64_t k = 0; k < cols; k++)
        sum += all[i].dense[at % rows * cols + k] * b[i * cols * COLUMNS + at / rows * cols + k];
      c[i * rows * COLUMNS + at] = f * sum;
    }
  compare_numbers(of, c_at.at, c, BATCH * rows * COLUMNS, 8);
  FINE(cusparseDestroyDnMat(db));
  FINE(cusparseDestroyDnMat(dc));
  copy memory[] = { values_at, b_at, c_at };
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    cudaFree(memory[i].base);
  cudaFree(buffer);
  for (int i = 0; i < BATCH; i++)
    free_blocks(all[i]);
  free_matrix(pattern);
  free(values);
  free(b);
  free(c);
}

/* ---- refusals ----------------------------------------------------------------------------------------------- */

/* What no call does with blocks, and memory that is too short. */
static void check_refusals(cusparseHandle_t handle) {
  kind of = kinds[1];
  matrix pattern = random_matrix(of, 4, 4, SKEWED);
  way by = { CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_ORDER_ROW, false, false, false, false, false };
  blocks bsr = make_bsr(of, pattern, 2, 2, by), ell = make_ell(of, 4, 4, 2, 2, by);
  dense b = make_dense(of, 8, 3, true), c = make_dense(of, 8, 3, true), square = make_dense(of, 8, 8, true);
  cusparseDnVecDescr_t x, y;
  double one = 1;
  size_t bytes;
  const cusparseSpMVAlg_t any = CUSPARSE_SPMV_ALG_DEFAULT;
  const cusparseSpMMAlg_t any_product = CUSPARSE_SPMM_ALG_DEFAULT;
  const cudaDataType type = CUDA_R_64F;
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseCreateDnVec(&x, 8, b.memory.at, type));
  FINE(cusparseCreateDnVec(&y, 8, c.memory.at, type));
  UNSUPPORTED(cusparseSpMV(handle, T, &one, bsr.descr, x, &one, y, type, any, NULL));
  UNSUPPORTED(cusparseSpMV(handle, N, &one, ell.descr, x, &one, y, type, any, NULL));
  UNSUPPORTED(cusparseSpMV_bufferSize(handle, T, &one, bsr.descr, x, &one, y, type, any, &bytes));
  UNSUPPORTED(cusparseSpMM(handle, T, N, &one, bsr.descr, b.descr, &one, c.descr, type, any_product, NULL));
  UNSUPPORTED(cusparseSpMM(handle, T, N, &one, ell.descr, b.descr, &one, c.descr, type, any_product, NULL));
  UNSUPPORTED(cusparseSparseToDense(handle, ell.descr, square.descr, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, NULL));
  UNSUPPORTED(
      cusparseSparseToDense_bufferSize(handle, bsr.descr, square.descr, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
  UNSUPPORTED(
      cusparseDenseToSparse_bufferSize(handle, square.descr, bsr.descr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
#ifndef ON_NVIDIA
  WRONG(cusparseSpMV(handle, N, &one, bsr.descr, x, &one, y, type, CUSPARSE_SPMV_CSR_ALG1, NULL));
  WRONG(cusparseSpMM(handle, N, N, &one, bsr.descr, b.descr, &one, c.descr, type, CUSPARSE_SPMM_CSR_ALG1, NULL));
  WRONG(cusparseSpMM(handle, N, N, &one, ell.descr, b.descr, &one, c.descr, type, CUSPARSE_SPMM_BSR_ALG1, NULL));
  WRONG(cusparseSpMM(handle, N, N, &one, bsr.descr, square.descr, &one, c.descr, type, any_product, NULL));
  WRONG(cusparseSpMM(handle, N, N, NULL, ell.descr, b.descr, &one, c.descr, type, any_product, NULL));
  UNSUPPORTED(
      cusparseDenseToSparse_convert(handle, square.descr, bsr.descr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, NULL));
  UNSUPPORTED(
      cusparseSDDMM(handle, N, T, &one, b.descr, c.descr, &one, ell.descr, type, CUSPARSE_SDDMM_ALG_DEFAULT, NULL));
  UNSUPPORTED(cusparseSpMM(handle, N, N, &one, ell.descr, b.descr, &one, c.descr, CUDA_R_32F, any_product, NULL));
  number *before = read_numbers(of, c.memory.at, 24);
  FINE(cusparseSpMatSetValues(bsr.descr, (char *)bsr.values.at + (bsr.count - 1) * 8));
  GIVES(cusparseSpMV(handle, N, &one, bsr.descr, x, &one, y, type, any, NULL), CUSPARSE_STATUS_EXECUTION_FAILED);
  FINE(cusparseSpMatSetValues(ell.descr, (char *)ell.values.at + (ell.count - 1) * 8));
  GIVES(cusparseSpMM(handle, N, N, &one, ell.descr, b.descr, &one, c.descr, type, any_product, NULL),
        CUSPARSE_STATUS_EXECUTION_FAILED);
  GIVES(cusparseDenseToSparse_convert(handle, square.descr, ell.descr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, NULL),
        CUSPARSE_STATUS_EXECUTION_FAILED);
  compare_numbers(of, c.memory.at, before, 24, 0);
  free(before);
#endif
  FINE(cusparseDestroyDnVec(x));
  FINE(cusparseDestroyDnVec(y));
  free_dense(b);
  free_dense(c);
  free_dense(square);
  free_blocks(bsr);
  free_blocks(ell);
  free_matrix(pattern);
}

static void check_turn(cusparseHandle_t handle, int turn) {
  static const int sides[] = { 1, 2, 3, 5, 16, 40 }, columns[] = { 1, 3, 33 };
  kind of = kinds[turn % 4];
  int height = sides[turn % 6], width = turn % 5 == 4 ? sides[(turn + 2) % 6] : height;
  way by = { turn & 2 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I,
             turn & 4 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO,
             turn & 8 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW,
             turn & 1,
             turn & 2,
             turn % 3 == 1,
             turn & 16,
             turn % 5 == 0 };
  bool has_vector = true;
#ifdef ON_NVIDIA /* which has square blocks, of these in rows; SpMV takes none of one element */
  width = height;
  by.block_order = CUSPARSE_ORDER_ROW;
  has_vector = height > 1;
#endif
  matrix pattern = random_matrix(of, 1 + turn % 9, 1 + turn % 7, (shape)(turn % SHAPES));
  checking("turn %d: type %d, %d by %d blocks of %d by %d, index type %d, base %d, order %d", turn, (int)of.type,
           pattern.rows, pattern.cols, height, width, (int)by.index_type, (int)by.base, (int)by.block_order);
  blocks bsr = make_bsr(of, pattern, height, width, by);
  if (has_vector)
    check_vector(handle, of, &bsr, by);
  check_product(handle, of, &bsr, columns[turn % 3], by);
#ifndef ON_NVIDIA /* which samples in blocks of 16 and more */
  check_sample(handle, of, &bsr, 1 + turn % 20, by);
#endif
  free_blocks(bsr);
#ifdef ON_NVIDIA /* of whose ELL factors are on the host, values real, and indices of 32 bits */
  bool has_ell = !of.is_complex && height > 1;
  by.on_device = false;
  by.index_type = CUSPARSE_INDEX_32I;
#else
  bool has_ell = true;
#endif
  if (has_ell) {
    blocks ell = make_ell(of, 1 + turn % 9, 1 + turn % 7, 1 + turn % (1 + turn % 7), height, by);
    check_product(handle, of, &ell, columns[turn % 3], by);
    check_fill(handle, of, &ell, by);
    free_blocks(ell);
  }
  free_matrix(pattern);
  checked = combination = "";
}

int main(void) {
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 120; turn++)
    check_turn(handle, turn);
  for (int i = 0; i < 4; i++) {
    checking("batch: type %d", (int)kinds[i].type);
    check_batch(handle, kinds[i]);
    checked = combination = "";
  }
  check_refusals(handle);
  FINE(cusparseDestroy(handle));
  return verdict("conform_blocked");
}
