/* SPDX-License-Identifier: MIT */
/*
 * conform_narrow - operands of half and bfloat16 beside plain loops in double: products of sparse matrices with vectors
 * and with dense matrices, whose results are of 16 bits or floats, and sparse vectors beside dense ones. What is moved
 * keeps its bits, and what is not touched does.
 */
#include "sparse_narrow.h"

#define N CUSPARSE_OPERATION_NON_TRANSPOSE
#define T CUSPARSE_OPERATION_TRANSPOSE
#define UNSUPPORTED(call) GIVES(call, CUSPARSE_STATUS_NOT_SUPPORTED)

static const char *words_of(cusparseFormat_t stored_as) {
  return stored_as == CUSPARSE_FORMAT_CSR   ? "CSR"
         : stored_as == CUSPARSE_FORMAT_CSC ? "CSC"
         : stored_as == CUSPARSE_FORMAT_COO ? "COO"
                                            : "BSR";
}

/* A product's: of which types and formats it is. */
static void combining_product(cudaDataType type, cusparseFormat_t stored_as, bool is_wide, const char *how) {
  const char *narrow = words_of_type(type);
  combining("%s of %s to %s, %s", words_of(stored_as), narrow, is_wide ? "float" : narrow, how);
}

/* ---- matrices ----------------------------------------------------------------------------------------------- */

typedef struct sparse {
  matrix a;
  double *value; /* of each entry, in the order of rows */
  copy offsets, indices, values;
  cusparseSpMatDescr_t descr;
} sparse;

static sparse make_sparse(format of, int rows, int cols, cusparseFormat_t as, shape form) {
  sparse it = { .a = random_matrix(kinds[1], rows, cols, form) };
  const cusparseIndexType_t type = CUSPARSE_INDEX_32I;
  const cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  it.value = random_values(of, it.a.nnz);
  for (int k = 0; k < it.a.nnz; k++)
    it.a.value[k] = it.value[k];
  matrix lines = as == CUSPARSE_FORMAT_CSC ? transposed_matrix(it.a) : it.a;
  double *stored_as = malloc((size_t)(it.a.nnz + 1) * sizeof *stored_as);
  for (int k = 0; k < it.a.nnz; k++)
    stored_as[k] = creal(lines.value[k]);
  it.offsets = copy_indices(type, as == CUSPARSE_FORMAT_COO ? lines.row : lines.offset,
                            as == CUSPARSE_FORMAT_COO ? it.a.nnz : lines.rows + 1, 0);
  it.indices = copy_indices(type, lines.col, it.a.nnz, 0);
  it.values = copy_values(of, false, stored_as, it.a.nnz);
  if (as == CUSPARSE_FORMAT_COO)
    FINE(cusparseCreateCoo(&it.descr, rows, cols, it.a.nnz, it.offsets.at, it.indices.at, it.values.at, type, base,
                           of.type));
  else if (as == CUSPARSE_FORMAT_BSR)
    FINE(cusparseCreateBsr(&it.descr, rows, cols, it.a.nnz, 1, 1, it.offsets.at, it.indices.at, it.values.at, type,
                           type, base, of.type, CUSPARSE_ORDER_ROW));
  else
    FINE((as == CUSPARSE_FORMAT_CSC ? cusparseCreateCsc : cusparseCreateCsr)(
        &it.descr, rows, cols, it.a.nnz, it.offsets.at, it.indices.at, it.values.at, type, type, base, of.type));
  if (as == CUSPARSE_FORMAT_CSC)
    free_matrix(lines);
  free(stored_as);
  return it;
}

static void free_sparse(sparse it) {
  FINE(cusparseDestroySpMat(it.descr));
  cudaFree(it.offsets.base);
  cudaFree(it.indices.base);
  cudaFree(it.values.base);
  free(it.value);
  free_matrix(it.a);
}

/* y = alpha op(A) x + beta y. */
static void check_vector(cusparseHandle_t handle, format of, cusparseFormat_t as, bool is_turned, bool is_wide,
                         float beta) {
  const int rows = 70, cols = 50;
  sparse a = make_sparse(of, rows, cols, as, beta == 0 ? SKEWED : EVEN);
  int to = is_turned ? cols : rows, from = is_turned ? rows : cols;
  double *x = random_values(of, from), *y = random_values(of, to);
  if (beta == 0)
    y[1] = NAN;
  copy x_at = copy_values(of, false, x, from), y_at = copy_values(of, is_wide, y, to);
  cusparseDnVecDescr_t vx, vy;
  const float alpha = 0.75f;
  const cusparseOperation_t operation = is_turned ? T : N;
  const cudaDataType type = is_wide ? CUDA_R_32F : of.type;
  size_t bytes = 0;
  FINE(cusparseCreateDnVec(&vx, from, x_at.at, of.type));
  FINE(cusparseCreateDnVec(&vy, to, y_at.at, type));
  combining_product(of.type, as, is_wide, is_turned ? "turned" : "not turned");
  bool is_there = DOES(cusparseSpMV_bufferSize(handle, operation, &alpha, a.descr, vx, &beta, vy, CUDA_R_32F,
                                               CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  void *buffer = external_buffer(bytes);
  is_there = is_there && DOES(cusparseSpMV(handle, operation, &alpha, a.descr, vx, &beta, vy, CUDA_R_32F,
                                           CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  for (int i = 0; i < to; i++)
    y[i] = beta == 0 ? 0 : (double)beta * y[i];
  for (int k = 0; k < a.a.nnz; k++)
    y[is_turned ? a.a.col[k] : a.a.row[k]] += 0.75 * a.value[k] * x[is_turned ? a.a.row[k] : a.a.col[k]];
  if (is_there)
    compare_values(of, is_wide, y_at.at, y, to, 4);
  FINE(cusparseDestroyDnVec(vx));
  FINE(cusparseDestroyDnVec(vy));
  cudaFree(x_at.base);
  cudaFree(y_at.base);
  cudaFree(buffer);
  free(x);
  free(y);
  free_sparse(a);
}

/* One A for a batch: as one whose stride is 0, which NVIDIA's wants, for it takes batches of one size alone. There is
 * no such call for CSC. */
static void repeat_matrix(const sparse *a, cusparseFormat_t as, int batch) {
  if (as == CUSPARSE_FORMAT_COO)
    FINE(cusparseCooSetStridedBatch(a->descr, batch, 0));
  else if (as == CUSPARSE_FORMAT_BSR)
    FINE(cusparseBsrSetStridedBatch(a->descr, batch, 0, 0, 0));
  else
    FINE(cusparseCsrSetStridedBatch(a->descr, batch, 0, 0));
}

/* Of results of 16 bits. NVIDIA's adds up their products in 16 bits, and bfloat16 has three bits fewer behind the point
 * than half. */
static double narrow_scale(format of) {
#ifdef ON_NVIDIA
  return ldexp(64, 10 - of.digits);
#else
  (void)of;
  return 4;
#endif
}

/* C_i = alpha A B_i, of a batch; each C has a line more than it needs, of NaNs with bits of their own, which stay. A is
 * a batch of stride 0, or, of ours, none. */
static void check_product(cusparseHandle_t handle, format of, cusparseFormat_t as, bool by_rows, bool is_wide,
                          bool is_stride_0) {
  enum { ROWS = 33, COLS = 20, SIDES = 9 };
#ifdef ON_NVIDIA
  const int batch = as == CUSPARSE_FORMAT_CSC ? 1 : 2;
#else
  const int batch = 2;
#endif
  const int ld = (by_rows ? SIDES : ROWS) + 1, count = ld * (by_rows ? ROWS : SIDES), b_count = COLS * SIDES;
  sparse a = make_sparse(of, ROWS, COLS, as, EVEN);
  double *b = random_values(of, batch * b_count), *c = calloc((size_t)batch * (size_t)count, sizeof *c);
  word *bits = malloc((size_t)batch * (size_t)count * sizeof *bits);
  const word other = (word)(encode(of, NAN) + 2);
  for (int i = 0; i < batch * count; i++)
    bits[i] = other;
  copy b_at = copy_values(of, false, b, batch * b_count);
  copy c_at = is_wide ? copy_values(of, true, c, batch * count)
                      : copy_bytes(bits, (size_t)batch * (size_t)count * sizeof *bits, 6);
  const cusparseOrder_t order = by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
  const float alpha = 0.75f, beta = 0;
  cusparseDnMatDescr_t db, dc;
  size_t bytes = 0;
  FINE(cusparseCreateDnMat(&db, COLS, SIDES, by_rows ? SIDES : COLS, b_at.at, of.type, order));
  FINE(cusparseCreateDnMat(&dc, ROWS, SIDES, ld, c_at.at, is_wide ? CUDA_R_32F : of.type, order));
  FINE(cusparseDnMatSetStridedBatch(db, batch, b_count));
  FINE(cusparseDnMatSetStridedBatch(dc, batch, count));
  if (is_stride_0 && as != CUSPARSE_FORMAT_CSC)
    repeat_matrix(&a, as, batch);
  combining_product(of.type, as, is_wide, by_rows ? "by rows" : "by columns");
  bool is_there = DOES(cusparseSpMM_bufferSize(handle, N, N, &alpha, a.descr, db, &beta, dc, CUDA_R_32F,
                                               CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  void *buffer = external_buffer(bytes);
  is_there = is_there && DOES(cusparseSpMM(handle, N, N, &alpha, a.descr, db, &beta, dc, CUDA_R_32F,
                                           CUSPARSE_SPMM_ALG_DEFAULT, buffer));
  for (int i = 0; i < batch; i++)
    for (int k = 0; k < a.a.nnz; k++)
      for (int j = 0; j < SIDES; j++)
        c[i * count + (by_rows ? a.a.row[k] * ld + j : a.a.row[k] + j * ld)] +=
            0.75 * a.value[k] * b[i * b_count + (by_rows ? a.a.col[k] * SIDES + j : a.a.col[k] + j * COLS)];
  if (!is_wide)
    copy_or_end(checked, bits, c_at.at, (size_t)batch * (size_t)count * sizeof *bits);
  for (int i = 0; i < batch * count && !is_wide; i++)
    if (i % ld == ld - 1) {
      EXPECT(bits[i] == other);
      c[i] = NAN;
    }
  if (is_there)
    compare_values(of, is_wide, c_at.at, c, batch * count, is_wide ? 4 : narrow_scale(of));
  FINE(cusparseDestroyDnMat(db));
  FINE(cusparseDestroyDnMat(dc));
  cudaFree(b_at.base);
  cudaFree(c_at.base);
  cudaFree(buffer);
  free(b);
  free(c);
  free(bits);
  free_sparse(a);
}

/* ---- vectors ------------------------------------------------------------------------------------------------ */

enum { SIZE = 300, ENTRIES = 90 };

typedef struct couple {
  int index[ENTRIES];
  double *x, *y;
  copy index_at, x_at, y_at;
  cusparseSpVecDescr_t sparse;
  cusparseDnVecDescr_t vector;
} couple;

static couple make_couple(format of) {
  couple it = { .x = random_values(of, ENTRIES), .y = random_values(of, SIZE) };
  for (int k = 0; k < ENTRIES; k++)
    it.index[k] = 3 * k + random_below(3);
  it.index_at = copy_indices(CUSPARSE_INDEX_32I, it.index, ENTRIES, 0);
  it.x_at = copy_values(of, false, it.x, ENTRIES);
  it.y_at = copy_values(of, false, it.y, SIZE);
  FINE(cusparseCreateSpVec(&it.sparse, SIZE, ENTRIES, it.index_at.at, it.x_at.at, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, of.type));
  FINE(cusparseCreateDnVec(&it.vector, SIZE, it.y_at.at, of.type));
  return it;
}

static void free_couple(couple it) {
  FINE(cusparseDestroySpVec(it.sparse));
  FINE(cusparseDestroyDnVec(it.vector));
  cudaFree(it.index_at.base);
  cudaFree(it.x_at.base);
  cudaFree(it.y_at.base);
  free(it.x);
  free(it.y);
}

static void check_sum_and_product(cusparseHandle_t handle, format of) {
  couple it = make_couple(of);
  const float alpha = 0.75f, beta = -0.5f;
  float result = 0;
  double sum = 0;
  size_t bytes = 0;
  for (int k = 0; k < ENTRIES; k++)
    sum += it.x[k] * it.y[it.index[k]];
  FINE(cusparseSpVV_bufferSize(handle, N, it.sparse, it.vector, &result, CUDA_R_32F, &bytes));
  void *buffer = external_buffer(bytes);
  FINE(cusparseSpVV(handle, N, it.sparse, it.vector, &result, CUDA_R_32F, buffer));
  EXPECT(fabs((double)result - sum) <= 1e-3);
  FINE(cusparseAxpby(handle, &alpha, it.sparse, &beta, it.vector));
  for (int i = 0; i < SIZE; i++)
    it.y[i] *= -0.5;
  for (int k = 0; k < ENTRIES; k++)
    it.y[it.index[k]] += 0.75 * it.x[k];
  compare_values(of, false, it.y_at.at, it.y, SIZE, 1);
  cudaFree(buffer);
  free_couple(it);
}

static void check_rotation(cusparseHandle_t handle, format of) {
  couple it = make_couple(of);
  const float c = 0.5f, s = 0.25f;
  FINE(cusparseRot(handle, &c, &s, it.sparse, it.vector));
  for (int k = 0; k < ENTRIES; k++) {
    double a = it.x[k], b = it.y[it.index[k]];
    it.x[k] = 0.5 * a + 0.25 * b;
    it.y[it.index[k]] = 0.5 * b - 0.25 * a;
  }
  compare_values(of, false, it.x_at.at, it.x, ENTRIES, 1);
  compare_values(of, false, it.y_at.at, it.y, SIZE, 1);
  free_couple(it);
}

/* All bits there are, NaNs with their own too. */
static void check_moves(cusparseHandle_t handle, format of) {
  couple it = make_couple(of);
  word dense[SIZE], entries[ENTRIES], got[SIZE];
  for (int i = 0; i < SIZE; i++)
    dense[i] = (word)(i * 219 + 7);
  cudaMemcpy(it.y_at.at, dense, sizeof dense, cudaMemcpyHostToDevice);
  FINE(cusparseGather(handle, it.vector, it.sparse));
  copy_or_end(checked, entries, it.x_at.at, sizeof entries);
  for (int k = 0; k < ENTRIES; k++)
    EXPECT(entries[k] == dense[it.index[k]]);
  for (int k = 0; k < ENTRIES; k++)
    dense[it.index[k]] = entries[k] = (word)(0xffff - k);
  cudaMemcpy(it.x_at.at, entries, sizeof entries, cudaMemcpyHostToDevice);
  FINE(cusparseScatter(handle, it.sparse, it.vector));
  copy_or_end(checked, got, it.y_at.at, sizeof got);
  EXPECT(memcmp(got, dense, sizeof got) == 0);
  free_couple(it);
}

/* ---- refusals ----------------------------------------------------------------------------------------------- */

#ifndef ON_NVIDIA
static void check_refusals(cusparseHandle_t handle, format of) {
  sparse a = make_sparse(of, 8, 8, CUSPARSE_FORMAT_CSR, SKEWED);
  double values[64] = { 1 }, one = 1;
  const float f = 1;
  copy x_at = copy_values(of, false, values, 8), y_at = copy_values(of, false, values, 8);
  copy wide = copy_values(of, true, values, 64);
  cusparseDnVecDescr_t x, y, wrong, shorter;
  cusparseDnMatDescr_t dense;
  const cusparseSpMVAlg_t any = CUSPARSE_SPMV_ALG_DEFAULT;
  FINE(cusparseCreateDnVec(&x, 8, x_at.at, of.type));
  FINE(cusparseCreateDnVec(&y, 8, y_at.at, of.type));
  FINE(cusparseCreateDnVec(&wrong, 8, wide.at, CUDA_R_8I));
  FINE(cusparseCreateDnVec(&shorter, 8, (word *)x_at.at + 10, of.type));
  FINE(cusparseCreateDnMat(&dense, 8, 8, 8, wide.at, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  FINE(cusparseSpMV(handle, N, &f, a.descr, x, &f, y, CUDA_R_32F, any, NULL));
  UNSUPPORTED(cusparseSpMV(handle, N, &f, a.descr, x, &f, y, of.type, any, NULL));
  UNSUPPORTED(cusparseSpMV(handle, N, &one, a.descr, x, &one, y, CUDA_R_64F, any, NULL));
  UNSUPPORTED(cusparseSpMV(handle, N, &f, a.descr, wrong, &f, y, CUDA_R_32F, any, NULL));
  UNSUPPORTED(cusparseSparseToDense(handle, a.descr, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, NULL));
  GIVES(cusparseSpMV(handle, N, &f, a.descr, shorter, &f, y, CUDA_R_32F, any, NULL),
        CUSPARSE_STATUS_EXECUTION_FAILED);
  GIVES(cusparseSpMV(handle, N, &f, a.descr, y, &f, x, CUDA_R_32F, CUSPARSE_SPMV_COO_ALG1, NULL),
        CUSPARSE_STATUS_INVALID_VALUE);
  couple it = make_couple(of);
  float result;
  UNSUPPORTED(cusparseSpVV(handle, N, it.sparse, it.vector, &result, of.type, NULL));
  FINE(cusparseDestroyDnVec(it.vector));
  FINE(cusparseCreateDnVec(&it.vector, SIZE, it.y_at.at, CUDA_R_32F));
  UNSUPPORTED(cusparseAxpby(handle, &f, it.sparse, &f, it.vector));
  free_couple(it);
  cusparseDnVecDescr_t vectors[] = { x, y, wrong, shorter };
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    FINE(cusparseDestroyDnVec(vectors[i]));
  FINE(cusparseDestroyDnMat(dense));
  cudaFree(x_at.base);
  cudaFree(y_at.base);
  cudaFree(wide.base);
  free_sparse(a);
}
#endif

int main(void) {
  static const cusparseFormat_t as[] = { CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO,
                                         CUSPARSE_FORMAT_BSR };
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 64; turn++) {
    format of = formats[turn % 2];
    cusparseFormat_t stored_as = as[turn / 2 % 4];
    bool is_blocked = stored_as == CUSPARSE_FORMAT_BSR;
    checking("turn %d: type %d, format %d", turn, (int)of.type, (int)stored_as);
    bool is_stride_0 = turn & 32;
#ifdef ON_NVIDIA /* which has larger blocks, and batches of one size */
    if (is_blocked)
      continue;
    is_stride_0 = true;
#endif
    check_vector(handle, of, stored_as, (turn & 8) && !is_blocked, turn & 16, turn & 32 ? -0.5f : 0.0f);
    check_product(handle, of, stored_as, turn & 8, turn & 16, is_stride_0);
    checked = combination = "";
  }
  for (int i = 0; i < 2; i++) {
    checking("vectors of type %d", (int)formats[i].type);
    combining("%s", words_of_type(formats[i].type));
    check_sum_and_product(handle, formats[i]);
    check_rotation(handle, formats[i]);
    check_moves(handle, formats[i]);
#ifndef ON_NVIDIA
    check_refusals(handle, formats[i]);
#endif
    checked = combination = "";
  }
  FINE(cusparseDestroy(handle));
  return verdict("conform_narrow");
}
