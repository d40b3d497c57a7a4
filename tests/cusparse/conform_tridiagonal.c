/* SPDX-License-Identifier: MIT */
/*
 * conform_tridiagonal - systems of three diagonals: solutions are put into the systems again, on the host. Each type,
 * sizes around powers of 2, several right sides and several systems, gaps between them, and what is refused.
 */
#include "sparse_check.h"

#define WRONG(call) GIVES(call, CUSPARSE_STATUS_INVALID_VALUE)

/* So many systems of m rows, each with so many right sides; distances in elements. */
typedef struct shape_of {
  int m, systems, sides, stride, apart;
} shape_of;

static number *diagonal(kind of, shape_of by, int skipped, double scale) {
  int64_t count = (int64_t)by.systems * by.stride;
  number *made = random_numbers(of, count);
  for (int64_t i = 0; i < count; i++)
    made[i] = i % by.stride == skipped ? 0 : scale > 1 ? scale + made[i] : made[i] * scale;
  return made;
}

/* The functions of a type differ in what they point to. */
#define SOLVE(T, letter)                                                                                             \
  do {                                                                                                               \
    if (is_batch) {                                                                                                  \
      FINE(cusparse##letter##gtsv2StridedBatch_bufferSizeExt(handle, by.m, (const T *)dl.at, (const T *)d.at,        \
                                                             (const T *)du.at, (const T *)x.at, by.systems,          \
                                                             by.stride, &bytes));                                    \
      buffer = external_buffer(bytes);                                                                               \
      FINE(cusparse##letter##gtsv2StridedBatch(handle, by.m, (const T *)dl.at, (const T *)d.at, (const T *)du.at,    \
                                               (T *)x.at, by.systems, by.stride, buffer));                           \
    } else {                                                                                                         \
      FINE(cusparse##letter##gtsv2_nopivot_bufferSizeExt(handle, by.m, by.sides, (const T *)dl.at, (const T *)d.at,  \
                                                         (const T *)du.at, (const T *)x.at, by.apart, &bytes));      \
      buffer = external_buffer(bytes);                                                                               \
      FINE(cusparse##letter##gtsv2_nopivot(handle, by.m, by.sides, (const T *)dl.at, (const T *)d.at,                \
                                           (const T *)du.at, (T *)x.at, by.apart, buffer));                          \
    }                                                                                                                \
  } while (0)

/* With pivots. */
#define SOLVE_PIVOTED(T, letter)                                                                                     \
  do {                                                                                                               \
    FINE(cusparse##letter##gtsv2_bufferSizeExt(handle, by.m, by.sides, (const T *)dl.at, (const T *)d.at,            \
                                               (const T *)du.at, (const T *)x.at, by.apart, &bytes));                \
    buffer = external_buffer(bytes);                                                                                 \
    FINE(cusparse##letter##gtsv2(handle, by.m, by.sides, (const T *)dl.at, (const T *)d.at, (const T *)du.at,        \
                                 (T *)x.at, by.apart, buffer));                                                      \
  } while (0)

/* Diagonals that rule no row, and are 0 in every fourth, behind which the row below is larger: elimination without
 * pivots divides by 0. Known solutions are put in first, as such systems may be badly conditioned for a random one. */
static void check_pivots(cusparseHandle_t handle, kind of, shape_of by) {
  int64_t all = (int64_t)by.sides * by.apart;
  number *lower = diagonal(of, by, 0, 0.25), *middle = diagonal(of, by, -1, 0.25),
         *upper = diagonal(of, by, by.m - 1, 0.25);
  number *right = random_numbers(of, all), *known = random_numbers(of, all);
  for (int i = 0; i < by.m; i++) {
    if (i % 2 == 0 && i + 1 < by.m) { /* two rows whose large entries stand beside the diagonal */
      middle[i] = i % 4 == 0 ? 0 : middle[i];
      upper[i] = 3 + upper[i];
      lower[i + 1] = 3 + lower[i + 1];
    } else if (i % 2 == 0) {
      middle[i] = 3 + middle[i];
    }
  }
  for (int64_t at = 0; at < all; at++) {
    int64_t i = at % by.apart;
    if (i < by.m)
      right[at] = middle[i] * known[at] + (i > 0 ? lower[i] * known[at - 1] : 0) +
                  (i + 1 < by.m ? upper[i] * known[at + 1] : 0);
    else
      known[at] = right[at];
  }
  copy dl = copy_numbers(of, lower, by.m), d = copy_numbers(of, middle, by.m), du = copy_numbers(of, upper, by.m);
  copy x = copy_numbers(of, right, all);
  size_t bytes = 99;
  void *buffer = NULL;
  if (of.is_double && of.is_complex)
    SOLVE_PIVOTED(cuDoubleComplex, Z);
  else if (of.is_double)
    SOLVE_PIVOTED(double, D);
  else if (of.is_complex)
    SOLVE_PIVOTED(cuComplex, C);
  else
    SOLVE_PIVOTED(float, S);
  compare_numbers(of, x.at, known, all, 8);
  compare_numbers(of, dl.at, lower, by.m, 0);
  compare_numbers(of, d.at, middle, by.m, 0);
  compare_numbers(of, du.at, upper, by.m, 0);
  copy copies[] = { dl, d, du, x };
  for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
    cudaFree(copies[i].base);
  cudaFree(buffer);
  number *numbers[] = { lower, middle, upper, right, known };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    free(numbers[i]);
}

static void check_systems(cusparseHandle_t handle, kind of, shape_of by) {
  bool is_batch = by.apart == by.stride;
  int64_t count = (int64_t)by.systems * by.stride, all = is_batch ? count : (int64_t)by.sides * by.apart;
  number *lower = diagonal(of, by, 0, 0.5), *middle = diagonal(of, by, -1, 3),
         *upper = diagonal(of, by, by.m - 1, 0.5);
  number *right = random_numbers(of, all);
  copy dl = copy_numbers(of, lower, count), d = copy_numbers(of, middle, count), du = copy_numbers(of, upper, count);
  copy x = copy_numbers(of, right, all);
  size_t bytes = 99;
  void *buffer = NULL;
  if (of.is_double && of.is_complex)
    SOLVE(cuDoubleComplex, Z);
  else if (of.is_double)
    SOLVE(double, D);
  else if (of.is_complex)
    SOLVE(cuComplex, C);
  else
    SOLVE(float, S);
  number *got = read_numbers(of, x.at, all);
  for (int64_t at = 0; at < all; at++) {
    int64_t i = at % by.apart, own = is_batch ? at : i;
    if (i >= by.m) {
      EXPECT(is_near(of, got[at], right[at], 0)); /* a gap stays */
      continue;
    }
    number back = middle[own] * got[at];
    if (i > 0)
      back += lower[own] * got[at - 1];
    if (i + 1 < by.m)
      back += upper[own] * got[at + 1];
    EXPECT(is_near(of, back, right[at], 4));
  }
  compare_numbers(of, dl.at, lower, count, 0);
  compare_numbers(of, d.at, middle, count, 0);
  compare_numbers(of, du.at, upper, count, 0);
  cudaFree(dl.base);
  cudaFree(d.base);
  cudaFree(du.base);
  cudaFree(x.base);
  cudaFree(buffer);
  free(lower);
  free(middle);
  free(upper);
  free(right);
  free(got);
}

#ifndef ON_NVIDIA
static void check_refusals(cusparseHandle_t handle) {
  static const double numbers[64] = { 1 };
  copy memory = copy_bytes(numbers, sizeof numbers, 0);
  double *a = memory.at;
  size_t bytes;
  WRONG(cusparseDgtsv2_nopivot(handle, 2, 1, a, a, a, a, 2, NULL));
  WRONG(cusparseDgtsv2_nopivot(handle, 4, -1, a, a, a, a, 4, NULL));
  WRONG(cusparseDgtsv2_nopivot(handle, 4, 1, a, a, a, a, 3, NULL));
  WRONG(cusparseDgtsv2_nopivot(handle, 4, 1, NULL, a, a, a, 4, NULL));
  WRONG(cusparseDgtsv2_nopivot(handle, 4, 1, a, a, a, NULL, 4, NULL));
  WRONG(cusparseDgtsv2_nopivot_bufferSizeExt(handle, 4, 1, a, a, a, a, 4, NULL));
  WRONG(cusparseDgtsv2(handle, 2, 1, a, a, a, a, 2, NULL));
  WRONG(cusparseDgtsv2(handle, 4, 1, a, a, a, a, 3, NULL));
  WRONG(cusparseDgtsv2(handle, 4, 1, a, NULL, a, a, 4, NULL));
  WRONG(cusparseDgtsv2_bufferSizeExt(handle, 4, 1, a, a, a, a, 4, NULL));
  GIVES(cusparseDgtsv2(handle, 40, 2, a, a, a, a, 40, NULL), CUSPARSE_STATUS_EXECUTION_FAILED);
  FINE(cusparseDgtsv2(handle, 4, 0, a, a, a, NULL, 4, NULL));
  WRONG(cusparseDgtsv2StridedBatch(handle, 4, a, a, a, a, 0, 4, NULL));
  WRONG(cusparseDgtsv2StridedBatch(handle, 4, a, a, a, a, 2, 3, NULL));
  WRONG(cusparseDgtsv2StridedBatch_bufferSizeExt(handle, 1, a, a, a, a, 2, 4, &bytes));
  GIVES(cusparseDgtsv2StridedBatch(handle, 40, a, a, a, a, 2, 40, NULL), CUSPARSE_STATUS_EXECUTION_FAILED);
  GIVES(cusparseDgtsv2StridedBatch(NULL, 4, a, a, a, a, 2, 4, NULL), CUSPARSE_STATUS_NOT_INITIALIZED);
  FINE(cusparseDgtsv2_nopivot(handle, 4, 0, a, a, a, NULL, 4, NULL));
  cudaFree(memory.base);
}
#endif

int main(void) {
  static const int sizes[] = { 3, 4, 5, 8, 16, 17, 100, 512, 1025, 5000 };
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 80; turn++) {
    int m = sizes[turn / 4 % 10];
    checking("turn %d: type %d, %d rows", turn, (int)kinds[turn % 4].type, m);
    check_systems(handle, kinds[turn % 4], (shape_of){ m, 1, 1 + turn % 7, m, m + 1 + turn % 3 });
    check_systems(handle, kinds[turn % 4], (shape_of){ m, 1 + turn % 9, 1, m + turn % 5, m + turn % 5 });
    check_pivots(handle, kinds[turn % 4], (shape_of){ m, 1, 1 + turn % 7, m, m + 1 + turn % 3 });
    checked = "";
  }
#ifndef ON_NVIDIA
  check_refusals(handle);
#endif
  FINE(cusparseDestroy(handle));
  return verdict("conform_tridiagonal");
}
