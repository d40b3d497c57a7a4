/* SPDX-License-Identifier: MIT */
/* large_spectra_type - the tests of conform_large_spectra for one type; see solver_types.h. */

enum { NAME(LARGEST) = 460 };

/* The triangle that is given; what lies in the other one must not be looked at. */
static T *NAME(triangle_of)(const T *a, int n, int lda, cublasFillMode_t uplo) {
  T *given = NAME(copy_of)(a, n, n, lda);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
        given[i + (size_t)j * (size_t)lda] = (T)NAN;
  return given;
}

/* A v is w v for each of `count` vectors, which are orthonormal, and the values ascend. */
static void NAME(check_large_vectors)(const char *what, int n, int count, const T *a, int lda, const T *v, int ldv,
                                      const R *w, double scale) {
  T *av = NAME(product)(n, count, n, a, lda, CUBLAS_OP_N, v, ldv, CUBLAS_OP_N), *wv = NAME(random_matrix)(n, count, n);
  for (int j = 0; j < count; j++) {
    EXPECT(what, j == 0 || w[j - 1] <= w[j]);
    for (int i = 0; i < n; i++)
      wv[i + (size_t)j * (size_t)n] = w[j] * v[i + (size_t)j * (size_t)ldv];
  }
  EXPECT(what, NAME(distance)(n, count, av, n, wv, n) <= TOLERANCE * 20 * scale);
  EXPECT(what, NAME(is_orthonormal)(n, count, v, ldv));
  free(av), free(wv);
}

/* syevd of a matrix: values into w, and what is in A's place. */
static T *NAME(large_syevd)(cusolverDnHandle_t handle, int n, const T *given, int lda, cusolverEigMode_t jobz,
                            cublasFillMode_t uplo, R *w) {
  int room = 0;
  begin_memory();
  DT *device = NAME(put)(given, n, n, lda);
  R *values = on_device(w, (size_t)n * sizeof(R));
  int *info = new_info();
  FINE(EIGEN(d_bufferSize)(handle, jobz, uplo, n, device, lda, values, &room));
  DT *work = new_buffer((size_t)room * sizeof(T));
  FINE(EIGEN(d)(handle, jobz, uplo, n, device, lda, values, work, room, info));
  EXPECT("syevd's info", value_of(info) == 0);
  from_device(w, values, (size_t)n * sizeof(R));
  cudaFree(work);
  return NAME(get)("syevd", device, given, n, n, lda);
}

static void NAME(check_large_eigen)(cusolverDnHandle_t handle, int n, cublasFillMode_t uplo) {
  sizes("type %d, syevd of %d, uplo %d", (int)DATA_TYPE, n, (int)uplo);
  const int lda = n + 3;
  R w[NAME(LARGEST)] = { 0 }, alone[NAME(LARGEST)] = { 0 };
  T *a = NAME(hermitian)(n, lda, 0), *given = NAME(triangle_of)(a, n, lda, uplo);
  T *v = NAME(large_syevd)(handle, n, given, lda, CUSOLVER_EIG_MODE_VECTOR, uplo, w);
  NAME(check_large_vectors)("syevd", n, n, a, lda, v, lda, w, n);
  T *kept = NAME(large_syevd)(handle, n, given, lda, CUSOLVER_EIG_MODE_NOVECTOR, uplo, alone);
  for (int i = 0; i < n; i++)
    EXPECT("values without vectors", fabs((double)(alone[i] - w[i])) <= TOLERANCE * n);
#ifndef ON_NVIDIA
  EXPECT("A without vectors", memcmp(kept, given, extent_of(n, n, lda) * sizeof(T)) == 0);
#endif
  free(a), free(given), free(v), free(kept);
}

/* H diag(d) H, H = I - 2 u u^H, has the values d, whatever their order and how often each is there; times a scale that
 * makes squares of its elements overflow, or vanish. */
static void NAME(check_known_values)(cusolverDnHandle_t handle, int n, double scale) {
  sizes("type %d, syevd of %d, known values times %g", (int)DATA_TYPE, n, scale);
  R w[NAME(LARGEST)] = { 0 };
  T *u = NAME(random_matrix)(n, 1, n), *a = calloc((size_t)n * (size_t)n, sizeof(T));
  double squares = 0, inner = 0;
  for (int i = 0; i < n; i++)
    squares += SIZE_OF(u[i]) * SIZE_OF(u[i]);
  for (int i = 0; i < n; i++) {
    u[i] = (T)(u[i] / sqrt(squares));
    inner += SIZE_OF(u[i]) * SIZE_OF(u[i]) * (i % 7 - 3);
  }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i + (size_t)j * (size_t)n] = (T)((((i == j) * (i % 7 - 3)) - u[i] * CONJ(u[j]) * (T)(2 * (i % 7 - 3)) -
                                          u[i] * CONJ(u[j]) * (T)(2 * (j % 7 - 3)) +
                                          u[i] * CONJ(u[j]) * (T)(4 * inner)) *
                                         (R)scale);
  T *v = NAME(large_syevd)(handle, n, a, n, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, w);
  int at = 0;
  for (int value = -3; value <= 3; value++)
    for (int i = 0; i < n; i++)
      if (i % 7 - 3 == value) {
        EXPECT("a known value", fabs((double)w[at] / scale - value) <= TOLERANCE * 40);
        at++;
      }
  EXPECT("V^H V is one", NAME(is_orthonormal)(n, n, v, n));
  free(u), free(a), free(v);
}

/* Values by numbers, and between two of them: as many vectors are written, and no column behind them. */
static void NAME(check_large_part)(cusolverDnHandle_t handle, int n, int il, int iu) {
  sizes("type %d, syevdx of %d, %d to %d", (int)DATA_TYPE, n, il, iu);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  const cublasFillMode_t upper = CUBLAS_FILL_MODE_UPPER;
  const int count = iu - il + 1, lda = n + 1;
  int room = 0, found = -7;
  R all[NAME(LARGEST)] = { 0 }, w[NAME(LARGEST)] = { 0 };
  T *a = NAME(hermitian)(n, lda, 0), *v = NAME(large_syevd)(handle, n, a, lda, with, upper, all);
  for (int by_values = 0; by_values < 2; by_values++) {
    const cusolverEigRange_t range = by_values ? CUSOLVER_EIG_RANGE_V : CUSOLVER_EIG_RANGE_I;
    const R vl = il > 1 ? (all[il - 2] + all[il - 1]) / 2 : all[0] - 1;
    const R vu = iu < n ? (all[iu - 1] + all[iu]) / 2 : all[n - 1] + 1;
    begin_memory();
    DT *device = NAME(put)(a, n, n, lda);
    R *values = on_device(w, (size_t)n * sizeof(R));
    int *info = new_info();
    FINE(EIGEN(dx_bufferSize)(handle, with, range, upper, n, device, lda, vl, vu, il, iu, &found, values, &room));
    DT *work = new_buffer((size_t)room * sizeof(T));
    FINE(EIGEN(dx)(handle, with, range, upper, n, device, lda, vl, vu, il, iu, &found, values, work, room, info));
    EXPECT("syevdx's info", value_of(info) == 0);
    EXPECT("how many there are", found == count);
    R got[NAME(LARGEST)] = { 0 };
    from_device(got, values, (size_t)n * sizeof(R));
    for (int i = 0; i < count; i++)
      EXPECT("a value of a part", fabs((double)(got[i] - all[il - 1 + i])) <= TOLERANCE * n);
    T *part = NAME(get)("syevdx", device, a, n, n, lda);
    NAME(check_large_vectors)("vectors of a part", n, count, a, lda, part, lda, got, n);
#ifndef ON_NVIDIA
    const size_t behind = (size_t)count * (size_t)lda;
    EXPECT("columns behind", memcmp(part + behind, a + behind, (extent_of(n, n, lda) - behind) * sizeof(T)) == 0);
    EXPECT("values behind", count == n || got[count] == 0);
#endif
    cudaFree(work);
    free(part);
  }
  free(a), free(v);
}

/* syevj, which tells its residual; and the function whose types are arguments. */
static void NAME(check_large_kin)(cusolverDnHandle_t handle, cusolverDnParams_t params, int n) {
  sizes("type %d, syevj and Xsyevd of %d", (int)DATA_TYPE, n);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  int room = 0;
  size_t there = 0, here = 0;
  double residual = -7;
  syevjInfo_t jacobi;
  R w[NAME(LARGEST)] = { 0 };
  T *a = NAME(hermitian)(n, n, 0);
  begin_memory();
  DT *device = NAME(put)(a, n, n, n);
  R *values = on_device(w, (size_t)n * sizeof(R));
  int *info = new_info();
  FINE(cusolverDnCreateSyevjInfo(&jacobi));
  FINE(EIGEN(j_bufferSize)(handle, with, lower, n, device, n, values, &room, jacobi));
  DT *work = new_buffer((size_t)room * sizeof(T));
  FINE(EIGEN(j)(handle, with, lower, n, device, n, values, work, room, info, jacobi));
  EXPECT("syevj's info", value_of(info) == 0);
  FINE(cusolverDnXsyevjGetResidual(handle, jacobi, &residual));
  EXPECT("syevj's residual", residual > 0 && residual <= TOLERANCE * 20 * n);
  from_device(w, values, (size_t)n * sizeof(R));
  T *v = NAME(get)("syevj", device, a, n, n, n);
  NAME(check_large_vectors)("syevj", n, n, a, n, v, n, w, n);
  FINE(cusolverDnDestroySyevjInfo(jacobi));
  cudaFree(work), free(v);

  begin_memory();
  device = NAME(put)(a, n, n, n), values = on_device(w, (size_t)n * sizeof(R)), info = new_info();
  FINE(cusolverDnXsyevd_bufferSize(handle, params, with, lower, n, DATA_TYPE, device, n, REAL_TYPE, values, DATA_TYPE,
                                   &there, &here));
  void *buffer = new_buffer(there), *host = malloc(here + 1);
  FINE(cusolverDnXsyevd(handle, params, with, lower, n, DATA_TYPE, device, n, REAL_TYPE, values, DATA_TYPE, buffer,
                        there, host, here, info));
  EXPECT("Xsyevd's info", value_of(info) == 0);
  from_device(w, values, (size_t)n * sizeof(R));
  v = NAME(get)("Xsyevd", device, a, n, n, n);
  NAME(check_large_vectors)("Xsyevd", n, n, a, n, v, n, w, n);
  cudaFree(buffer);
  free(host), free(a), free(v);
}

#ifndef ON_NVIDIA
/* A NaN leaves hardly a value that is a number, as LAPACK's, or an info; nothing hangs. A work area that is too small
 * is refused, and what is said there to be is looked at: A stays, and so does the info. */
static void NAME(check_large_limits)(cusolverDnHandle_t handle, int n) {
  sizes("type %d, limits of syevd of %d", (int)DATA_TYPE, n);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  int room = 0;
  R w[NAME(LARGEST)] = { 0 };
  T *a = NAME(hermitian)(n, n, 0);
  begin_memory();
  DT *device = NAME(put)(a, n, n, n);
  R *values = on_device(w, (size_t)n * sizeof(R));
  int *info = new_info();
  FINE(EIGEN(d_bufferSize)(handle, with, lower, n, device, n, values, &room));
  DT *work = new_buffer((size_t)room * sizeof(T)), *less = new_buffer((size_t)(room - 1) * sizeof(T));
  WRONG(EIGEN(d)(handle, with, lower, n, device, n, values, work, room - 1, info));
  WRONG(EIGEN(d)(handle, with, lower, n, device, n, values, NULL, room, info));
  GIVES(EIGEN(d)(handle, with, lower, n, device, n, values, less, room, info), CUSOLVER_STATUS_EXECUTION_FAILED);
  T *kept = NAME(get)("syevd", device, a, n, n, n);
  EXPECT("A is as it was", memcmp(kept, a, extent_of(n, n, n) * sizeof(T)) == 0);
  EXPECT("the info is as it was", value_of(info) == -77);
  for (int infinite = 0; infinite < 2; infinite++) {
    kept[n / 2 + 3] = infinite ? (T)INFINITY : (T)NAN;
    device = NAME(put)(kept, n, n, n);
    FINE(EIGEN(d)(handle, with, lower, n, device, n, values, work, room, info));
    from_device(w, values, (size_t)n * sizeof(R));
    int numbers = 0;
    for (int i = 0; i < n; i++)
      numbers += isfinite((double)w[i]);
    EXPECT("a NaN or an infinity is told", numbers <= 1 || value_of(info) > 0);
  }
  cudaFree(work), cudaFree(less);
  free(a), free(kept);
}
#endif

static void NAME(check_large_spectra)(cusolverDnHandle_t handle, cusolverDnParams_t params) {
  const double huge = sizeof(R) == sizeof(float) ? 1e30 : 1e250;
  NAME(check_large_eigen)(handle, 385, CUBLAS_FILL_MODE_LOWER);
  NAME(check_large_eigen)(handle, 416, CUBLAS_FILL_MODE_UPPER);
  NAME(check_large_eigen)(handle, NAME(LARGEST), CUBLAS_FILL_MODE_UPPER);
  NAME(check_known_values)(handle, 400, 1);
  NAME(check_known_values)(handle, 400, huge);
#ifndef ON_NVIDIA /* which scales nothing up: vectors of tiny elements are not orthogonal there */
  NAME(check_known_values)(handle, 400, 1 / huge);
#endif
  NAME(check_large_part)(handle, 391, 10, 200);
  NAME(check_large_part)(handle, 391, 391, 391);
  NAME(check_large_kin)(handle, params, 389);
#ifndef ON_NVIDIA
  NAME(check_large_limits)(handle, 390);
#endif
}
