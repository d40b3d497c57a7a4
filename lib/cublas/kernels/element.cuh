/* SPDX-License-Identifier: MIT */
/*
 * element - an element of a matrix, however that is stored. Numbers are those of lib/cublas/matrix.h.
 *
 * storage: 0 columns of ld elements, 1 bands, 2 packed columns of a triangle. triangle: 0 there is all, 1 the lower
 * part is stored, 2 the upper one. mirror: what the other part is, 0 zeros, 1 the same, 2 the conjugate. unit: the
 * diagonal is not read, it is ones. lower and upper are how far a band reaches from the diagonal, n is the order of
 * what is packed.
 */
#define MATRIX_PARAMETERS                                                                                             \
  const T *a, long ld, int storage, int triangle, int mirror, int unit, long lower, long upper, long n
#define MATRIX_ARGUMENTS a, ld, storage, triangle, mirror, unit, lower, upper, n

static __device__ T NAME(element)(MATRIX_PARAMETERS, long i, long j) {
  bool is_turned = triangle == 1 ? i < j : triangle == 2 && i > j;
  if (triangle != 0 && unit && i == j)
    return ONE;
  if (is_turned && mirror == 0)
    return ZERO;
  long row = is_turned ? j : i, column = is_turned ? i : j;
  long index = row + column * ld;
  if (storage == 1) {
    if (column - row > upper || row - column > lower)
      return ZERO;
    index = upper + row - column + column * ld;
  } else if (storage == 2) {
    index = triangle == 2 ? row + column * (column + 1) / 2 : row + column * (2 * n - column - 1) / 2;
  }
  T value = a[index];
  if (mirror != 2)
    return value;
  return i == j ? only_real(value) : conjugate_if(value, is_turned);
}
