/* SPDX-License-Identifier: MIT */
/*
 * conform_incomplete - incomplete factors beside plain loops: L U of csrilu02 and L of csric02, of each type, index
 * base and policy, with wide levels and long chains of rows; pivots that are missing or 0, and what takes their place.
 */
#include "sparse_check.h"

#define WRONG(call) GIVES(call, CUSPARSE_STATUS_INVALID_VALUE)

/* The functions of a type, which differ in what they point to. */
#define CALL_OF(kind_of, name, ...)                                                                                  \
  (!(kind_of).is_double ? ((kind_of).is_complex ? cusparseC##name(CAST(cuComplex, __VA_ARGS__))                      \
                                                : cusparseS##name(CAST(float, __VA_ARGS__)))                         \
                        : ((kind_of).is_complex ? cusparseZ##name(CAST(cuDoubleComplex, __VA_ARGS__))                \
                                                : cusparseD##name(CAST(double, __VA_ARGS__))))
/* handle, m, nnz, descr, (values), and the rest */
#define CAST(T, handle, m, nnz, descr, values, ...) handle, m, nnz, descr, (T *)(values), __VA_ARGS__

typedef struct triple {
  matrix a;
  int *place; /* of each place of the matrix, or -1 */
} triple;

static triple square_matrix(kind of, int n, shape form, bool is_chain) {
  matrix a = random_matrix(of, n, n, form);
  triple it = { { n, n, 0, NULL, NULL, malloc((size_t)(n + 1) * sizeof(int)), NULL }, NULL };
  size_t room = (size_t)n * (size_t)n + 1;
  bool *is_there = calloc(room, 1);
  for (int k = 0; k < a.nnz; k++)
    is_there[a.row[k] * n + a.col[k]] = is_there[a.col[k] * n + a.row[k]] = true;
  it.a.row = malloc(room * sizeof(int));
  it.a.col = malloc(room * sizeof(int));
  it.a.value = malloc(room * sizeof(number));
  it.place = malloc(room * sizeof(int));
  for (int i = 0; i < n; i++) {
    it.a.offset[i] = it.a.nnz;
    for (int j = 0; j < n; j++) {
      bool is_in_chain = is_chain && (j == i - 1 || j == i + 1);
      it.place[i * n + j] = -1;
      if (i != j && !is_there[i * n + j] && !is_in_chain)
        continue;
      it.place[i * n + j] = it.a.nnz;
      it.a.row[it.a.nnz] = i;
      it.a.col[it.a.nnz] = j;
      it.a.value[it.a.nnz++] = i == j ? 4 + random_number(of) / 4 : random_number(of) / 8;
    }
  }
  it.a.offset[n] = it.a.nnz;
  free(is_there);
  free_matrix(a);
  return it;
}

/* Hermitian, with a diagonal that rules. */
static void make_hermitian(triple *it) {
  matrix *a = &it->a;
  for (int k = 0; k < a->nnz; k++) {
    if (a->row[k] < a->col[k])
      a->value[k] = conj(a->value[it->place[a->col[k] * a->rows + a->row[k]]]);
    if (a->row[k] == a->col[k])
      a->value[k] = 4 + creal(a->value[k]);
  }
}

static void free_triple(triple it) {
  free_matrix(it.a);
  free(it.place);
}

/* ---- plain loops ----------------------------------------------------------------------------------------------- */

static void factor_lu(triple *it, double tolerance, const number *boost) {
  int n = it->a.rows;
  number *v = it->a.value;
  for (int i = 0; i < n; i++) {
    for (int k = it->a.offset[i]; it->a.col[k] < i; k++) {
      int from = it->a.col[k];
      v[k] /= v[it->place[from * n + from]];
      for (int e = k + 1; e < it->a.offset[i + 1]; e++) {
        int other = it->place[from * n + it->a.col[e]];
        if (other >= 0)
          v[e] -= v[k] * v[other];
      }
    }
    int d = it->place[i * n + i];
    if (boost != NULL && cabs(v[d]) <= tolerance)
      v[d] = *boost;
  }
}

static void factor_llh(triple *it) {
  int n = it->a.rows;
  number *v = it->a.value;
  for (int i = 0; i < n; i++)
    for (int k = it->a.offset[i]; k < it->a.offset[i + 1] && it->a.col[k] <= i; k++) {
      int j = it->a.col[k];
      for (int m = 0; m < j; m++)
        if (it->place[i * n + m] >= 0 && it->place[j * n + m] >= 0)
          v[k] -= v[it->place[i * n + m]] * conj(v[it->place[j * n + m]]);
      v[k] = i == j ? csqrt(creal(v[k])) : v[k] / v[it->place[j * n + j]];
    }
}

/* ---- both --------------------------------------------------------------------------------------------------- */

typedef struct way {
  cusparseIndexBase_t base;
  cusparseSolvePolicy_t policy;
  bool is_lu, on_device;
} way;

typedef struct factored {
  stored at;
  cusparseMatDescr_t descr;
  csrilu02Info_t lu;
  csric02Info_t llh;
  void *buffer;
} factored;

static factored begin_system(cusparseHandle_t handle, kind of, triple it, way by) {
  factored made = { store_matrix(of, it.a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, by.base),
                    NULL, NULL, NULL, NULL };
  int size = -1;
#ifdef ON_NVIDIA /* which has no size_t for them any more */
  size_t wide = 0;
#else
  size_t wide = (size_t)-1;
#endif
  const int *offsets = made.at.offsets.at, *columns = made.at.indices.at;
  FINE(cusparseCreateMatDescr(&made.descr));
  FINE(cusparseSetMatIndexBase(made.descr, by.base));
  FINE(cusparseCreateCsrilu02Info(&made.lu));
  FINE(cusparseCreateCsric02Info(&made.llh));
  if (by.is_lu) {
    FINE(CALL_OF(of, csrilu02_bufferSize, handle, it.a.rows, it.a.nnz, made.descr, made.at.values.at, offsets,
                 columns, made.lu, &size));
#ifndef ON_NVIDIA
    FINE(CALL_OF(of, csrilu02_bufferSizeExt, handle, it.a.rows, it.a.nnz, made.descr, made.at.values.at, offsets,
                 columns, made.lu, &wide));
#endif
  } else {
    FINE(CALL_OF(of, csric02_bufferSize, handle, it.a.rows, it.a.nnz, made.descr, made.at.values.at, offsets, columns,
                 made.llh, &size));
#ifndef ON_NVIDIA
    FINE(CALL_OF(of, csric02_bufferSizeExt, handle, it.a.rows, it.a.nnz, made.descr, made.at.values.at, offsets,
                 columns, made.llh, &wide));
#endif
  }
  EXPECT(size >= 0 && wide != (size_t)-1);
  made.buffer = external_buffer(wide > (size_t)size ? wide : (size_t)size);
  return made;
}

static void analyse(cusparseHandle_t handle, kind of, triple it, factored *with, way by) {
  const int *offsets = with->at.offsets.at, *columns = with->at.indices.at;
  if (by.is_lu)
    FINE(CALL_OF(of, csrilu02_analysis, handle, it.a.rows, it.a.nnz, with->descr, with->at.values.at, offsets,
                 columns, with->lu, by.policy, with->buffer));
  else
    FINE(CALL_OF(of, csric02_analysis, handle, it.a.rows, it.a.nnz, with->descr, with->at.values.at, offsets, columns,
                 with->llh, by.policy, with->buffer));
}

static void factor_system(cusparseHandle_t handle, kind of, triple it, factored *with, way by) {
  const int *offsets = with->at.offsets.at, *columns = with->at.indices.at;
  if (by.is_lu)
    FINE(CALL_OF(of, csrilu02, handle, it.a.rows, it.a.nnz, with->descr, with->at.values.at, offsets, columns,
                 with->lu, by.policy, with->buffer));
  else
    FINE(CALL_OF(of, csric02, handle, it.a.rows, it.a.nnz, with->descr, with->at.values.at, offsets, columns,
                 with->llh, by.policy, with->buffer));
}

/* Where the first pivot is missing, from the base on; -1: nowhere. */
static void check_pivot(cusparseHandle_t handle, factored *with, way by, int expected) {
  int position = 77;
  copy device = copy_bytes(&position, sizeof position, 16);
  int *at = by.on_device ? device.at : &position;
  FINE(cusparseSetPointerMode(handle, by.on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  GIVES(by.is_lu ? cusparseXcsrilu02_zeroPivot(handle, with->lu, at)
                 : cusparseXcsric02_zeroPivot(handle, with->llh, at),
        expected < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT);
  if (by.on_device)
    copy_or_end(checked, &position, device.at, sizeof position);
  EXPECT(position == (expected < 0 ? -1 : expected + (int)by.base));
  cudaFree(device.base);
}

static void end_system(factored it) {
  FINE(cusparseDestroyMatDescr(it.descr));
  FINE(cusparseDestroyCsrilu02Info(it.lu));
  FINE(cusparseDestroyCsric02Info(it.llh));
  free_stored(it.at);
  cudaFree(it.buffer);
}

/* Twice, the second time with other values. */
static void check_factors(cusparseHandle_t handle, kind of, triple it, way by) {
  if (!by.is_lu)
    make_hermitian(&it);
  number *values = malloc((size_t)it.a.nnz * sizeof *values);
  memcpy(values, it.a.value, (size_t)it.a.nnz * sizeof *values);
  factored with = begin_system(handle, of, it, by);
  analyse(handle, of, it, &with, by);
  check_pivot(handle, &with, by, -1);
  for (int round = 0; round < 2; round++) {
    factor_system(handle, of, it, &with, by);
    check_pivot(handle, &with, by, -1);
    if (by.is_lu)
      factor_lu(&it, 0, NULL);
    else
      factor_llh(&it);
    compare_numbers(of, with.at.values.at, it.a.value, it.a.nnz, 8);
    for (int k = 0; k < it.a.nnz; k++)
      it.a.value[k] = values[k] * 1.5;
    copy fresh = copy_numbers(of, it.a.value, it.a.nnz);
    cudaFree(with.at.values.base);
    with.at.values = fresh;
  }
  end_system(with);
  free(values);
}

/* ---- pivots --------------------------------------------------------------------------------------------------- */

/* 2 x 2 blocks in a row: the diagonal of row 3 becomes 0 when row 2 is taken off. */
static triple blocks(kind of) {
  enum { N = 6 };
  triple it = square_matrix(of, N, EVEN, true);
  matrix *a = &it.a;
  int count = 0;
  for (int i = 0; i < N; i++) {
    a->offset[i] = count;
    for (int j = 0; j < N; j++) {
      bool is_there = i / 2 == j / 2;
      it.place[i * N + j] = is_there ? count : -1;
      if (!is_there)
        continue;
      a->row[count] = i;
      a->col[count] = j;
      a->value[count++] = i == j && i != 3 ? 4 : i == 3 && j == 3 ? 0.25 : 1;
    }
  }
  a->offset[N] = a->nnz = count;
  return it;
}

static void check_boost(cusparseHandle_t handle, kind of, triple it, factored *with, bool on_device) {
  way by = { CUSPARSE_INDEX_BASE_ONE, CUSPARSE_SOLVE_POLICY_USE_LEVEL, true, on_device };
  number boost = of.is_complex ? 3 + 2 * I : 3;
  _Alignas(16) double packed[2];
  double tolerance = 1e-3, *tolerance_at;
  void *boost_at;
  pack(of, &boost, packed, 1);
  copy first = copy_bytes(&tolerance, sizeof tolerance, 16), second = copy_bytes(packed, of.size, 16);
  tolerance_at = on_device ? first.at : &tolerance;
  boost_at = on_device ? second.at : packed;
  FINE(cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  for (int is_on = 1; is_on >= 0; is_on--) {
    if (of.is_double && of.is_complex)
      FINE(cusparseZcsrilu02_numericBoost(handle, with->lu, is_on, tolerance_at, boost_at));
    else if (of.is_double)
      FINE(cusparseDcsrilu02_numericBoost(handle, with->lu, is_on, tolerance_at, boost_at));
    else if (of.is_complex)
      FINE(cusparseCcsrilu02_numericBoost(handle, with->lu, is_on, tolerance_at, boost_at));
    else
      FINE(cusparseScsrilu02_numericBoost(handle, with->lu, is_on, tolerance_at, boost_at));
    triple fresh = blocks(of);
    copy values = copy_numbers(of, fresh.a.value, fresh.a.nnz);
    cudaFree(with->at.values.base);
    with->at.values = values;
    factor_system(handle, of, it, with, by);
    check_pivot(handle, with, by, is_on ? -1 : 3);
    FINE(cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
    factor_lu(&fresh, tolerance, is_on ? &boost : NULL);
    compare_numbers(of, with->at.values.at, fresh.a.value, fresh.a.nnz, 4);
    free_triple(fresh);
  }
  cudaFree(first.base);
  cudaFree(second.base);
}

static void check_zeros(cusparseHandle_t handle, kind of) {
  for (int is_lu = 0; is_lu < 2; is_lu++) {
    way by = { CUSPARSE_INDEX_BASE_ONE, CUSPARSE_SOLVE_POLICY_USE_LEVEL, is_lu, false };
    triple it = blocks(of);
    factored with = begin_system(handle, of, it, by);
    analyse(handle, of, it, &with, by);
    check_pivot(handle, &with, by, -1);
    factor_system(handle, of, it, &with, by);
    check_pivot(handle, &with, by, 3);
    if (is_lu) {
      check_boost(handle, of, it, &with, false);
      check_boost(handle, of, it, &with, true);
    }
    end_system(with);
    free_triple(it);
  }
}

/* A diagonal that is not there is told by the analysis. */
static void check_missing(cusparseHandle_t handle, kind of) {
  static const int offsets[] = { 0, 2, 3, 5, 6 }, columns[] = { 0, 1, 1, 0, 1, 3 };
  for (int is_lu = 0; is_lu < 2; is_lu++) {
    way by = { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_SOLVE_POLICY_NO_LEVEL, is_lu, true };
    triple it = square_matrix(of, 4, EVEN, true);
    memcpy(it.a.offset, offsets, sizeof offsets);
    memcpy(it.a.col, columns, sizeof columns);
    it.a.nnz = 6;
    it.a.value[0] = it.a.value[2] = it.a.value[5] = 4;
    factored with = begin_system(handle, of, it, by);
    analyse(handle, of, it, &with, by);
    check_pivot(handle, &with, by, 2);
    factor_system(handle, of, it, &with, by);
    check_pivot(handle, &with, by, 2);
    end_system(with);
    free_triple(it);
  }
}

#ifndef ON_NVIDIA
static void check_refusals(cusparseHandle_t handle) {
  kind of = kinds[1];
  triple it = blocks(of);
  way by = { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_SOLVE_POLICY_USE_LEVEL, true, false };
  factored with = begin_system(handle, of, it, by);
  double *values = with.at.values.at, tolerance = 0, boost = 1;
  int *offsets = with.at.offsets.at, *columns = with.at.indices.at, n = it.a.rows, nnz = it.a.nnz, size, position = 5;
  const cusparseSolvePolicy_t any = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  WRONG(cusparseCreateCsrilu02Info(NULL));
  WRONG(cusparseCreateCsric02Info(NULL));
  FINE(cusparseDestroyCsrilu02Info(NULL));
  FINE(cusparseDestroyCsric02Info(NULL));
  GIVES(cusparseDcsrilu02(NULL, n, nnz, with.descr, values, offsets, columns, with.lu, any, NULL),
        CUSPARSE_STATUS_NOT_INITIALIZED);
  WRONG(cusparseXcsrilu02_zeroPivot(handle, with.lu, &position));
  WRONG(cusparseDcsrilu02(handle, n, nnz, with.descr, values, offsets, columns, with.lu, any, NULL));
  WRONG(cusparseDcsrilu02_bufferSize(handle, n, nnz, with.descr, values, offsets, columns, with.lu, NULL));
  WRONG(cusparseDcsrilu02_bufferSize(handle, -1, nnz, with.descr, values, offsets, columns, with.lu, &size));
  WRONG(cusparseDcsrilu02_analysis(handle, n, -1, with.descr, values, offsets, columns, with.lu, any, NULL));
  WRONG(cusparseDcsrilu02_analysis(handle, n, nnz, NULL, values, offsets, columns, with.lu, any, NULL));
  WRONG(cusparseDcsrilu02_analysis(handle, n, nnz, with.descr, values, NULL, columns, with.lu, any, NULL));
  WRONG(cusparseDcsrilu02_analysis(handle, n, nnz, with.descr, values, offsets, columns, NULL, any, NULL));
  WRONG(cusparseDcsrilu02_analysis(handle, n, nnz, with.descr, values, offsets, columns, with.lu,
                                   (cusparseSolvePolicy_t)4, NULL));
  FINE(cusparseSetMatType(with.descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
  GIVES(cusparseDcsrilu02_analysis(handle, n, nnz, with.descr, values, offsets, columns, with.lu, any, NULL),
        CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  FINE(cusparseSetMatType(with.descr, CUSPARSE_MATRIX_TYPE_GENERAL));
  FINE(cusparseDcsrilu02_analysis(handle, n, nnz, with.descr, values, offsets, columns, with.lu, any, NULL));
  WRONG(cusparseXcsrilu02_zeroPivot(handle, with.lu, NULL));
  WRONG(cusparseXcsrilu02_zeroPivot(handle, NULL, &position));
  WRONG(cusparseXcsric02_zeroPivot(handle, with.llh, &position));
  EXPECT(position == 5);
  WRONG(cusparseDcsrilu02(handle, n - 1, nnz, with.descr, values, offsets, columns, with.lu, any, NULL));
  WRONG(cusparseDcsrilu02_numericBoost(handle, NULL, 1, &tolerance, &boost));
  WRONG(cusparseDcsrilu02_numericBoost(handle, with.lu, 1, NULL, &boost));
  WRONG(cusparseDcsrilu02_numericBoost(handle, with.lu, 1, &tolerance, NULL));
  FINE(cusparseDcsrilu02_numericBoost(handle, with.lu, 0, NULL, NULL));
  FINE(cusparseDcsrilu02(handle, n, nnz, with.descr, values, offsets, columns, with.lu, any, NULL));
  FINE(cusparseDcsrilu02_analysis(handle, 0, 0, with.descr, NULL, NULL, NULL, with.lu, any, NULL));
  FINE(cusparseDcsrilu02(handle, 0, 0, with.descr, NULL, NULL, NULL, with.lu, any, NULL));
  FINE(cusparseXcsrilu02_zeroPivot(handle, with.lu, &position));
  EXPECT(position == -1);
  end_system(with);
  free_triple(it);
}
#endif

int main(void) {
  static const int sizes[] = { 1, 30, 150, 500 };
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 64; turn++) {
    kind of = kinds[turn % 4];
    way by = { turn & 8 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO,
               turn & 16 ? CUSPARSE_SOLVE_POLICY_NO_LEVEL : CUSPARSE_SOLVE_POLICY_USE_LEVEL, turn & 4, turn & 32 };
    triple it = square_matrix(of, sizes[turn / 8 % 4], turn % 3 ? SPARSE_ROWS : SKEWED, turn % 5 < 2);
    checking("turn %d: type %d, %d rows with %d, LU %d, policy %d", turn, (int)of.type, it.a.rows, it.a.nnz, by.is_lu,
             (int)by.policy);
    check_factors(handle, of, it, by);
    checked = "";
    free_triple(it);
  }
  for (int i = 0; i < 4; i++) {
    check_zeros(handle, kinds[i]);
    check_missing(handle, kinds[i]);
  }
#ifndef ON_NVIDIA
  check_refusals(handle);
#endif
  FINE(cusparseDestroy(handle));
  return verdict("conform_incomplete");
}
