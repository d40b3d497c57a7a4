/* SPDX-License-Identifier: MIT */
/*
 * results - the ends of reductions that only real types have, and the numbers that describe a rotation.
 */
__global__ void NAME(root)(long n, const R *sums, R *result) {
  R scale = 0, square = 0;
  for (long i = 0; i < n; i++)
    add_squares(&scale, &square, sums[2 * i], sums[2 * i + 1]);
  *result = scale == 0 || scale != scale ? scale : scale * sqrt(square);
}

/* Counted from 1; 0: the vector is empty. */
__global__ void NAME(place)(long blocks, long n, const R *values, const long *places, int *result, long *wide_result) {
  R value = 0;
  long place = n;
  for (long i = 0; i < blocks; i++)
    if (places[i] < n && (place == n || values[i] > value || (values[i] == value && places[i] < place))) {
      value = values[i];
      place = places[i];
    }
  long counted = n <= 0 ? 0 : place == n ? 1 : place + 1;
  if (wide_result != NULL)
    *wide_result = counted;
  else
    *result = (int)counted;
}

/* param: flag, h11, h21, h12, h22. */
__global__ void NAME(rotm)(long n, T *x, long incx, T *y, long incy, T flag, T h11, T h21, T h12, T h22,
                           const T *param) {
  if (param != NULL) {
    flag = param[0];
    h11 = param[1];
    h21 = param[2];
    h12 = param[3];
    h22 = param[4];
  }
  if (flag == -2)
    return;
  if (flag == 0) {
    h11 = 1;
    h22 = 1;
  } else if (flag == 1) {
    h12 = 1;
    h21 = -1;
  }
  for (long i = first_index(); i < n; i += all_threads()) {
    T a = x[i * incx], b = y[i * incy];
    x[i * incx] = h11 * a + h12 * b;
    y[i * incy] = h21 * a + h22 * b;
  }
}
