/* SPDX-License-Identifier: MIT */
/*
 * conform_spgemm - products of two sparse matrices beside plain loops: which entries there are, in the order of
 * columns, and their values; each type, few and many products in a row, empty rows, matrices without entries, factors
 * on the host and on the device, new values in the same pattern, and what is refused.
 */
#include "sparse_check.h"

#define N CUSPARSE_OPERATION_NON_TRANSPOSE
#define WRONG(call) GIVES(call, CUSPARSE_STATUS_INVALID_VALUE)

typedef struct way {
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cusparseSpGEMMAlg_t algorithm;
  bool on_device, has_beta;
} way;

/* alpha A B, with an entry wherever two entries meet. */
static matrix product_of(matrix a, matrix b, number alpha) {
  matrix c = { a.rows, b.cols, 0, NULL, NULL, malloc((size_t)(a.rows + 1) * sizeof(int)), NULL };
  size_t room = (size_t)a.rows * (size_t)b.cols + 1;
  number *sums = malloc((size_t)(b.cols + 1) * sizeof *sums);
  bool *is_there = malloc((size_t)b.cols + 1);
  c.row = malloc(room * sizeof(int));
  c.col = malloc(room * sizeof(int));
  c.value = malloc(room * sizeof(number));
  for (int i = 0; i < a.rows; i++) {
    c.offset[i] = c.nnz;
    memset(is_there, 0, (size_t)b.cols);
    for (int k = a.offset[i]; k < a.offset[i + 1]; k++)
      for (int m = b.offset[a.col[k]]; m < b.offset[a.col[k] + 1]; m++) {
        int j = b.col[m];
        sums[j] = (is_there[j] ? sums[j] : 0) + alpha * a.value[k] * b.value[m];
        is_there[j] = true;
      }
    for (int j = 0; j < b.cols; j++)
      if (is_there[j]) {
        c.row[c.nnz] = i;
        c.col[c.nnz] = j;
        c.value[c.nnz++] = sums[j];
      }
  }
  c.offset[a.rows] = c.nnz;
  free(sums);
  free(is_there);
  return c;
}

static void compare_indices(cusparseIndexType_t type, const void *at, const int *expected, int64_t count, int base) {
  size_t size = type == CUSPARSE_INDEX_64I ? 8 : 4;
  void *got = malloc((size_t)count * size + 1);
  int64_t wrong = 0;
  copy_or_end(checked, got, at, (size_t)count * size);
  for (int64_t i = 0; i < count; i++)
    wrong += (size == 8 ? ((const int64_t *)got)[i] : ((const int *)got)[i]) != expected[i] + base;
  EXPECT(wrong == 0);
  free(got);
}

/* Memory for the entries of C, whose values are `before` at first. */
static stored make_result(kind of, matrix c, const number *before, way by) {
  stored it;
  int *zeros = calloc((size_t)(c.nnz + c.rows + 1), sizeof(int));
  it.offsets = copy_indices(by.index_type, zeros, c.rows + 1, 0);
  it.indices = copy_indices(by.index_type, zeros, c.nnz, 0);
  it.values = copy_numbers(of, before, c.nnz);
  FINE(cusparseCreateCsr(&it.descr, c.rows, c.cols, 0, it.offsets.at, NULL, NULL, by.index_type, by.index_type,
                         by.base, of.type));
  free(zeros);
  return it;
}

static void check_result(kind of, stored it, matrix c, number *expected, way by) {
  compare_indices(by.index_type, it.offsets.at, c.offset, c.rows + 1, (int)by.base);
  compare_indices(by.index_type, it.indices.at, c.col, c.nnz, (int)by.base);
  compare_numbers(of, it.values.at, expected, c.nnz, 20);
}

/* C = A B + beta C where C has what the product has. */
static number *blended(matrix c, const number *before, number beta) {
  number *to = malloc((size_t)(c.nnz + 1) * sizeof *to);
  for (int k = 0; k < c.nnz; k++)
    to[k] = c.value[k] + (beta == 0 ? 0 : beta * before[k]);
  return to;
}

typedef struct factors {
  factor alpha, beta;
  number a, b;
} factors;

static factors make_factors(cusparseHandle_t handle, kind of, way by) {
  factors it = { .a = random_number(of), .b = by.has_beta ? random_number(of) : 0 };
  make_factor(&it.alpha, of, it.a, by.on_device);
  make_factor(&it.beta, of, it.b, by.on_device);
  FINE(cusparseSetPointerMode(handle, by.on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  return it;
}

static void replace_values(kind of, stored it, matrix a) {
  char *packed = malloc((size_t)a.nnz * of.size + 1);
  for (int k = 0; k < a.nnz; k++)
    a.value[k] = random_number(of);
  pack(of, a.value, packed, a.nnz);
  cudaMemcpy(it.values.at, packed, (size_t)a.nnz * of.size, cudaMemcpyHostToDevice);
  free(packed);
}

/* ---- one product --------------------------------------------------------------------------------------------- */

static void check_once(cusparseHandle_t handle, kind of, matrix a, matrix b, way by) {
  factors f = make_factors(handle, of, by);
  const void *alpha = by.on_device ? f.alpha.at : f.alpha.packed, *beta = by.on_device ? f.beta.at : f.beta.packed;
  matrix c = product_of(a, b, f.a);
  number *before = random_numbers(of, c.nnz + 1), *expected = blended(c, before, f.b);
  if (f.b == 0)
    before[0] = NAN;
  stored at = store_matrix(of, a, CUSPARSE_FORMAT_CSR, by.index_type, by.index_type, by.base);
  stored bt = store_matrix(of, b, CUSPARSE_FORMAT_CSR, by.index_type, by.index_type, by.base);
  stored ct = make_result(of, c, before, by);
  cusparseSpGEMMDescr_t descr;
  size_t first = 0, second = 0, third = 0;
  void *buffers[3];
  int64_t rows, cols, nnz, products, counted = 0;
  for (int k = 0; k < a.nnz; k++)
    counted += b.offset[a.col[k] + 1] - b.offset[a.col[k]];
#define ARGUMENTS handle, N, N, alpha, at.descr, bt.descr, beta, ct.descr, of.type, by.algorithm, descr
  FINE(cusparseSpGEMM_createDescr(&descr));
  FINE(cusparseSpGEMM_workEstimation(ARGUMENTS, &first, NULL));
  buffers[0] = new_buffer(first);
  FINE(cusparseSpGEMM_workEstimation(ARGUMENTS, &first, buffers[0]));
  if (by.algorithm == CUSPARSE_SPGEMM_ALG2 || by.algorithm == CUSPARSE_SPGEMM_ALG3) {
    FINE(cusparseSpGEMM_getNumProducts(descr, &products));
    EXPECT(products == counted);
    FINE(cusparseSpGEMM_estimateMemory(ARGUMENTS, 0.5f, &third, NULL, NULL));
    buffers[2] = new_buffer(third);
    FINE(cusparseSpGEMM_estimateMemory(ARGUMENTS, 0.5f, &third, buffers[2], &second));
    cudaFree(buffers[2]);
  } else {
    FINE(cusparseSpGEMM_compute(ARGUMENTS, &second, NULL));
  }
  buffers[1] = new_buffer(second);
  FINE(cusparseSpGEMM_compute(ARGUMENTS, &second, buffers[1]));
  FINE(cusparseSpMatGetSize(ct.descr, &rows, &cols, &nnz));
  EXPECT(rows == c.rows && cols == c.cols && nnz == c.nnz);
  FINE(cusparseCsrSetPointers(ct.descr, ct.offsets.at, ct.indices.at, ct.values.at));
  FINE(cusparseSpGEMM_copy(ARGUMENTS));
  check_result(of, ct, c, expected, by);
#undef ARGUMENTS
  FINE(cusparseSpGEMM_destroyDescr(descr));
  free_stored(at);
  free_stored(bt);
  free_stored(ct);
  cudaFree(buffers[0]);
  cudaFree(buffers[1]);
  cudaFree(f.alpha.device.base);
  cudaFree(f.beta.device.base);
  free_matrix(c);
  free(before);
  free(expected);
}

/* ---- many products of one pattern ------------------------------------------------------------------------------ */

/* The pattern is found once; buffers that are not needed any more are freed on the way. */
static void find_pattern(cusparseHandle_t handle, stored a, stored b, stored c, cusparseSpGEMMDescr_t descr,
                         void *kept[2], int64_t expected) {
  size_t sizes[5] = { 0 };
  void *buffers[5];
  int64_t rows, cols, nnz;
#define ARGUMENTS handle, N, N, a.descr, b.descr, c.descr, CUSPARSE_SPGEMM_DEFAULT, descr
  FINE(cusparseSpGEMMreuse_workEstimation(ARGUMENTS, &sizes[0], NULL));
  buffers[0] = new_buffer(sizes[0]);
  FINE(cusparseSpGEMMreuse_workEstimation(ARGUMENTS, &sizes[0], buffers[0]));
  FINE(cusparseSpGEMMreuse_nnz(ARGUMENTS, &sizes[1], NULL, &sizes[2], NULL, &sizes[3], NULL));
  for (int i = 1; i < 4; i++)
    buffers[i] = new_buffer(sizes[i]);
  FINE(cusparseSpGEMMreuse_nnz(ARGUMENTS, &sizes[1], buffers[1], &sizes[2], buffers[2], &sizes[3], buffers[3]));
  cudaFree(buffers[0]);
  cudaFree(buffers[1]);
  FINE(cusparseSpMatGetSize(c.descr, &rows, &cols, &nnz));
  EXPECT(nnz == expected);
  FINE(cusparseCsrSetPointers(c.descr, c.offsets.at, c.indices.at, c.values.at));
  FINE(cusparseSpGEMMreuse_copy(ARGUMENTS, &sizes[4], NULL));
  buffers[4] = new_buffer(sizes[4]);
  FINE(cusparseSpGEMMreuse_copy(ARGUMENTS, &sizes[4], buffers[4]));
  cudaFree(buffers[2]);
#undef ARGUMENTS
  kept[0] = buffers[3];
  kept[1] = buffers[4];
}

static void check_reuse(cusparseHandle_t handle, kind of, matrix a, matrix b, way by) {
  factors f = make_factors(handle, of, by);
  const void *alpha = by.on_device ? f.alpha.at : f.alpha.packed, *beta = by.on_device ? f.beta.at : f.beta.packed;
  matrix c = product_of(a, b, f.a);
  number *before = random_numbers(of, c.nnz + 1);
  stored at = store_matrix(of, a, CUSPARSE_FORMAT_CSR, by.index_type, by.index_type, by.base);
  stored bt = store_matrix(of, b, CUSPARSE_FORMAT_CSR, by.index_type, by.index_type, by.base);
  stored ct = make_result(of, c, before, by);
  cusparseSpGEMMDescr_t descr;
  void *kept[2];
  FINE(cusparseSpGEMM_createDescr(&descr));
  find_pattern(handle, at, bt, ct, descr, kept, c.nnz);
  for (int round = 0; round < 3; round++) {
    number *expected = blended(c, before, f.b);
    FINE(cusparseSpGEMMreuse_compute(handle, N, N, alpha, at.descr, bt.descr, beta, ct.descr, of.type,
                                     CUSPARSE_SPGEMM_DEFAULT, descr));
    check_result(of, ct, c, expected, by);
    free(before);
    before = expected;
    replace_values(of, at, a);
    replace_values(of, bt, b);
    free_matrix(c);
    c = product_of(a, b, f.a);
  }
  FINE(cusparseSpGEMM_destroyDescr(descr));
  free_stored(at);
  free_stored(bt);
  free_stored(ct);
  cudaFree(kept[0]);
  cudaFree(kept[1]);
  cudaFree(f.alpha.device.base);
  cudaFree(f.beta.device.base);
  free_matrix(c);
  free(before);
}

/* ---- shapes --------------------------------------------------------------------------------------------------- */

static void check_shapes(cusparseHandle_t handle, kind of) {
  static const int sizes[][3] = { { 1, 1, 1 }, { 30, 40, 50 }, { 7, 200, 2500 }, { 200, 300, 90 }, { 64, 5, 64 } };
  static const cusparseSpGEMMAlg_t algorithms[] = { CUSPARSE_SPGEMM_DEFAULT, CUSPARSE_SPGEMM_ALG1,
                                                    CUSPARSE_SPGEMM_ALG2, CUSPARSE_SPGEMM_ALG3 };
  static int turn;
  for (int form = 0; form < SHAPES; form++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      matrix a = random_matrix(of, sizes[i][0], sizes[i][1], (shape)form);
      matrix b = random_matrix(of, sizes[i][1], sizes[i][2], (shape)((form + turn) % SHAPES));
      way by = { CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, algorithms[turn % 4], turn & 4, turn & 8 };
#ifndef ON_NVIDIA
      by.index_type = turn % 3 == 1 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
      by.base = turn % 5 == 2 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
#endif
      checking("turn %d: type %d, %d by %d by %d, %d and %d entries, algorithm %d, beta %d", turn, (int)of.type,
               a.rows, a.cols, b.cols, a.nnz, b.nnz, (int)by.algorithm, by.has_beta);
      turn++;
      check_once(handle, of, a, b, by);
      if (a.nnz > 0 && b.nnz > 0)
        check_reuse(handle, of, a, b, by);
      checked = "";
      free_matrix(a);
      free_matrix(b);
    }
}

/* Rows of one, two and of thousands of products, over columns that need several words of bits of bits. */
static void check_wide(cusparseHandle_t handle) {
  enum { ROWS = 9, INNER = 60, COLS = 5000 };
  kind of = kinds[1];
  matrix a = random_matrix(of, ROWS, INNER, SKEWED), b = random_matrix(of, INNER, COLS, SKEWED);
  way by = { CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_SPGEMM_DEFAULT, false, false };
  checked = "wide rows";
  check_once(handle, of, a, b, by);
  check_reuse(handle, of, a, b, by);
  checked = "";
  free_matrix(a);
  free_matrix(b);
}

#ifndef ON_NVIDIA
static void check_none(cusparseHandle_t handle) {
  static const int sizes[][3] = { { 0, 0, 0 }, { 0, 5, 4 }, { 5, 0, 4 }, { 5, 4, 0 } };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    matrix a = random_matrix(kinds[i], sizes[i][0], sizes[i][1], EVEN);
    matrix b = random_matrix(kinds[i], sizes[i][1], sizes[i][2], EVEN);
    way by = { CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_SPGEMM_DEFAULT, false, true };
    checked = "nothing";
    check_once(handle, kinds[i], a, b, by);
    check_reuse(handle, kinds[i], a, b, by);
    checked = "";
    free_matrix(a);
    free_matrix(b);
  }
}

/* What is refused leaves the descriptor as it was. */
static void check_refusals(cusparseHandle_t handle) {
  kind of = kinds[0];
  matrix a = random_matrix(of, 20, 20, EVEN);
  way by = { CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_SPGEMM_DEFAULT, false, false };
  stored at = store_matrix(of, a, CUSPARSE_FORMAT_CSR, by.index_type, by.index_type, by.base);
  stored coo = store_matrix(of, a, CUSPARSE_FORMAT_COO, by.index_type, by.index_type, by.base);
  matrix c = product_of(a, a, 1);
  stored ct = make_result(of, c, c.value, by);
  cusparseSpGEMMDescr_t descr;
  size_t size = 0, less = 1;
  void *buffer, *result;
  float one = 1, zero = 0;
  const cusparseSpGEMMAlg_t any = CUSPARSE_SPGEMM_DEFAULT;
  int64_t products;
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  WRONG(cusparseSpGEMM_createDescr(NULL));
  WRONG(cusparseSpGEMM_destroyDescr(NULL));
  FINE(cusparseSpGEMM_createDescr(&descr));
  WRONG(cusparseSpGEMM_getNumProducts(descr, &products));
#define REST &one, at.descr, at.descr, &zero, ct.descr, of.type, any, descr
  GIVES(cusparseSpGEMM_workEstimation(NULL, N, N, REST, &size, NULL), CUSPARSE_STATUS_NOT_INITIALIZED);
  WRONG(cusparseSpGEMM_workEstimation(handle, (cusparseOperation_t)7, N, REST, &size, NULL));
  GIVES(cusparseSpGEMM_workEstimation(handle, CUSPARSE_OPERATION_TRANSPOSE, N, REST, &size, NULL),
        CUSPARSE_STATUS_NOT_SUPPORTED);
  WRONG(cusparseSpGEMM_workEstimation(handle, N, N, REST, NULL, NULL));
  WRONG(cusparseSpGEMM_workEstimation(handle, N, N, NULL, at.descr, at.descr, &zero, ct.descr, of.type, any, descr,
                                      &size, NULL));
  WRONG(cusparseSpGEMM_workEstimation(handle, N, N, &one, at.descr, at.descr, &zero, ct.descr, of.type, any, NULL,
                                      &size, NULL));
  WRONG(cusparseSpGEMM_workEstimation(handle, N, N, &one, at.descr, at.descr, &zero, ct.descr, of.type,
                                      (cusparseSpGEMMAlg_t)77, descr, &size, NULL));
  GIVES(cusparseSpGEMM_workEstimation(handle, N, N, &one, coo.descr, at.descr, &zero, ct.descr, of.type, any, descr,
                                      &size, NULL),
        CUSPARSE_STATUS_NOT_SUPPORTED);
  GIVES(cusparseSpGEMM_workEstimation(handle, N, N, &one, at.descr, at.descr, &zero, ct.descr, CUDA_R_64F, any, descr,
                                      &size, NULL),
        CUSPARSE_STATUS_NOT_SUPPORTED);
  WRONG(cusparseSpGEMM_compute(handle, N, N, REST, &size, NULL));
  FINE(cusparseSpGEMM_workEstimation(handle, N, N, REST, &size, NULL));
  EXPECT(size > 0);
  buffer = new_buffer(size);
  GIVES(cusparseSpGEMM_workEstimation(handle, N, N, REST, &less, buffer), CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
  WRONG(cusparseSpGEMM_compute(handle, N, N, REST, &size, NULL));
  FINE(cusparseSpGEMM_workEstimation(handle, N, N, REST, &size, buffer));
  WRONG(cusparseSpGEMM_copy(handle, N, N, REST));
  WRONG(cusparseSpGEMMreuse_copy(handle, N, N, at.descr, at.descr, ct.descr, any, descr, &size, NULL));
  FINE(cusparseSpGEMM_compute(handle, N, N, REST, &size, NULL));
  EXPECT(size > 0);
  result = new_buffer(size);
  GIVES(cusparseSpGEMM_compute(handle, N, N, REST, &less, result), CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
  GIVES(cusparseSpGEMM_compute(handle, N, N, REST, &size, buffer), CUSPARSE_STATUS_EXECUTION_FAILED);
  FINE(cusparseSpGEMM_compute(handle, N, N, REST, &size, result));
  FINE(cusparseCsrSetPointers(ct.descr, ct.offsets.at, ct.indices.at, ct.values.at));
  cudaFree(result);
  GIVES(cusparseSpGEMM_copy(handle, N, N, REST), CUSPARSE_STATUS_EXECUTION_FAILED);
  result = new_buffer(size);
  FINE(cusparseSpGEMM_compute(handle, N, N, REST, &size, result));
  FINE(cusparseSpGEMM_copy(handle, N, N, REST));
#undef REST
  check_result(of, ct, c, c.value, by);
  FINE(cusparseSpGEMM_destroyDescr(descr));
  free_stored(at);
  free_stored(coo);
  free_stored(ct);
  cudaFree(buffer);
  cudaFree(result);
  free_matrix(a);
  free_matrix(c);
}
#endif

int main(void) {
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int i = 0; i < 4; i++)
    check_shapes(handle, kinds[i]);
  check_wide(handle);
#ifndef ON_NVIDIA
  check_none(handle);
  check_refusals(handle);
#endif
  FINE(cusparseDestroy(handle));
  return verdict("conform_spgemm");
}
