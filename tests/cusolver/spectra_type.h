/* SPDX-License-Identifier: MIT */
/* spectra_type - the tests of conform_spectra for one type; see solver_types.h. */

/* A v is w v, and the values ascend. */
static void NAME(check_eigen_of)(const char *what, int n, const T *a, int lda, const T *v, int ldv, const R *w) {
  T *av = NAME(product)(n, n, n, a, lda, CUBLAS_OP_N, v, ldv, CUBLAS_OP_N), *wv = NAME(random_matrix)(n, n, n);
  for (int j = 0; j < n; j++) {
    EXPECT(what, j == 0 || w[j - 1] <= w[j]);
    for (int i = 0; i < n; i++)
      wv[i + j * n] = w[j] * v[i + j * ldv];
  }
  EXPECT(what, NAME(distance)(n, n, av, n, wv, n) <= TOLERANCE * (n + 1) * 4);
  EXPECT(what, NAME(is_orthonormal)(n, n, v, ldv));
  free(av), free(wv);
}

static void NAME(check_eigen)(cusolverDnHandle_t handle, int n, cublasFillMode_t uplo) {
  sizes("type %d, syevd of %d, uplo %d", (int)DATA_TYPE, n, (int)uplo);
  int lda = random_leading(n), room = 0, *info = NULL;
  T *a = NAME(hermitian)(n, lda, 0), *given = NAME(copy_of)(a, n, n, lda);
  R w[64] = { 0 }, alone[64] = { 0 };
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR, without = CUSOLVER_EIG_MODE_NOVECTOR;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
        given[i + j * lda] = 77;
  begin_memory();
  DT *device = NAME(put)(given, n, n, lda), *work;
  R *values = on_device(w, sizeof w);
  info = new_info();
  FINE(EIGEN(d_bufferSize)(handle, with, uplo, n, device, lda, values, &room));
  cudaMalloc((void **)&work, (size_t)(room + 4096) * sizeof(T));
  FINE(EIGEN(d)(handle, with, uplo, n, device, lda, values, work, room, info));
  EXPECT("syevd's info", value_of(info) == 0);
  T *v = NAME(get)("syevd", device, given, n, n, lda);
  from_device(w, values, sizeof w);
  NAME(check_eigen_of)("syevd", n, a, lda, v, lda, w);
  cudaFree(work);

  device = NAME(put)(given, n, n, lda);
  FINE(EIGEN(d_bufferSize)(handle, without, uplo, n, device, lda, values, &room));
  cudaMalloc((void **)&work, (size_t)(room + 4096) * sizeof(T));
  FINE(EIGEN(d)(handle, without, uplo, n, device, lda, values, work, room, info));
  from_device(alone, values, sizeof alone);
  for (int i = 0; i < n; i++)
    EXPECT("values without vectors", fabs((double)(alone[i] - w[i])) <= TOLERANCE * (n + 1));
  cudaFree(work);

  syevjInfo_t params;
  double residual = -7;
  FINE(cusolverDnCreateSyevjInfo(&params));
  FINE(cusolverDnXsyevjSetTolerance(params, TOLERANCE / 20));
  FINE(cusolverDnXsyevjSetMaxSweeps(params, 50));
  FINE(cusolverDnXsyevjSetSortEig(params, 1));
  device = NAME(put)(given, n, n, lda);
  FINE(EIGEN(j_bufferSize)(handle, with, uplo, n, device, lda, values, &room, params));
  cudaMalloc((void **)&work, (size_t)(room + 4096) * sizeof(T));
  FINE(EIGEN(j)(handle, with, uplo, n, device, lda, values, work, room, info, params));
  EXPECT("syevj's info", value_of(info) == 0);
  FINE(cusolverDnXsyevjGetResidual(handle, params, &residual));
  EXPECT("syevj's residual", residual >= 0 && residual <= 2e-5 * (n + 1));
  free(v);
  v = NAME(get)("syevj", device, given, n, n, lda);
  from_device(w, values, sizeof w);
  NAME(check_eigen_of)("syevj", n, a, lda, v, lda, w);
  FINE(cusolverDnDestroySyevjInfo(params));
  cudaFree(work);
  free(a), free(given), free(v);
}

static void NAME(check_svd)(cusolverDnHandle_t handle, int m, int n, char jobu, char jobvt) {
  sizes("type %d, gesvd of %d by %d, jobs %c and %c", (int)DATA_TYPE, m, n, jobu, jobvt);
  int lda = random_leading(m), ldu = random_leading(m), ldvt = random_leading(n), room = 0;
  int columns = jobu == 'A' ? m : n;
  T *a = NAME(random_matrix)(m, n, lda), *u0 = NAME(random_matrix)(m, m, ldu), *vt0 = NAME(random_matrix)(n, n, ldvt);
  R s[64] = { 0 };
  begin_memory();
  DT *device = NAME(put)(a, m, n, lda), *du = NAME(put)(u0, m, m, ldu), *dvt = NAME(put)(vt0, n, n, ldvt), *work;
  R *values = on_device(s, sizeof s), *rwork = on_device(s, sizeof s);
  int *info = new_info();
  FINE(FN(gesvd_bufferSize)(handle, m, n, &room));
  cudaMalloc((void **)&work, (size_t)(room + 1) * sizeof(T));
  FINE(FN(gesvd)(handle, (signed char)jobu, (signed char)jobvt, m, n, device, lda, values, du, ldu, dvt, ldvt, work,
                 room, rwork, info));
  EXPECT("gesvd's info", value_of(info) == 0);
  from_device(s, values, sizeof s);
  T *u = jobu == 'O' ? NAME(get)("gesvd, U on A", device, a, m, n, lda) : NAME(get)("gesvd's U", du, u0, m, m, ldu);
  T *vt = jobvt == 'O' ? NAME(get)("gesvd, VT on A", device, a, m, n, lda)
                       : NAME(get)("gesvd's VT", dvt, vt0, n, n, ldvt);
  if (jobu == 'N' || jobvt == 'N') {
    double sum = 0, squares = 0;
    for (int j = 0; j < n; j++) {
      sum += (double)s[j] * (double)s[j];
      for (int i = 0; i < m; i++)
        squares += SIZE_OF(a[i + j * lda]) * SIZE_OF(a[i + j * lda]);
    }
    EXPECT("values alone", fabs(sum - squares) <= TOLERANCE * (m + 1) * (n + 1) * 4);
  } else {
    NAME(check_svd_of)
    ("gesvd", m, n, a, lda, s, u, jobu == 'O' ? lda : ldu, vt, jobvt == 'O' ? lda : ldvt, CUBLAS_OP_N);
    EXPECT("U^H U is one", NAME(is_orthonormal)(m, columns, u, jobu == 'O' ? lda : ldu));
  }
  cudaFree(work);
  free(a), free(u0), free(vt0), free(u), free(vt);
}

static void NAME(check_jacobi)(cusolverDnHandle_t handle, int m, int n, int econ) {
  sizes("type %d, gesvdj of %d by %d, econ %d", (int)DATA_TYPE, m, n, econ);
  int lda = random_leading(m), ldu = random_leading(m), ldv = random_leading(n), room = 0, k = m < n ? m : n;
  T *a = NAME(random_matrix)(m, n, lda), *u0 = NAME(random_matrix)(m, m, ldu), *v0 = NAME(random_matrix)(n, n, ldv);
  R s[64] = { 0 };
  gesvdjInfo_t params;
  double residual = -7;
  begin_memory();
  DT *device = NAME(put)(a, m, n, lda), *du = NAME(put)(u0, m, m, ldu), *dv = NAME(put)(v0, n, n, ldv), *work;
  R *values = on_device(s, sizeof s);
  int *info = new_info();
  FINE(cusolverDnCreateGesvdjInfo(&params));
  FINE(cusolverDnXgesvdjSetTolerance(params, TOLERANCE / 20));
  FINE(cusolverDnXgesvdjSetMaxSweeps(params, 50));
  FINE(cusolverDnXgesvdjSetSortEig(params, 1));
  FINE(FN(gesvdj_bufferSize)(handle, CUSOLVER_EIG_MODE_VECTOR, econ, m, n, device, lda, values, du, ldu, dv, ldv,
                             &room, params));
  cudaMalloc((void **)&work, (size_t)(room + 1) * sizeof(T));
  FINE(FN(gesvdj)(handle, CUSOLVER_EIG_MODE_VECTOR, econ, m, n, device, lda, values, du, ldu, dv, ldv, work, room,
                  info, params));
  EXPECT("gesvdj's info", value_of(info) == 0);
  FINE(cusolverDnXgesvdjGetResidual(handle, params, &residual));
  EXPECT("gesvdj's residual", residual >= 0 && residual <= 2e-5 * (m + n));
  from_device(s, values, sizeof s);
  T *u = NAME(get)("gesvdj's U", du, u0, m, m, ldu), *v = NAME(get)("gesvdj's V", dv, v0, n, n, ldv);
  NAME(check_svd_of)("gesvdj", m, n, a, lda, s, u, ldu, v, ldv, CUBLAS_OP_C);
  EXPECT("U^H U is one", NAME(is_orthonormal)(m, econ ? k : m, u, ldu));
  EXPECT("V^H V is one", NAME(is_orthonormal)(n, econ ? k : n, v, ldv));
  FINE(cusolverDnDestroyGesvdjInfo(params));
  cudaFree(work);
  free(a), free(u0), free(v0), free(u), free(v);
}

static void NAME(check_typed)(cusolverDnHandle_t handle, cusolverDnParams_t params, int m, int n) {
  sizes("type %d, types as arguments, %d by %d", (int)DATA_TYPE, m, n);
  size_t room = 0, host_room = 0;
  T *a = NAME(random_matrix)(m, n, m), *h = NAME(hermitian)(n, n, 0), *wide = NAME(random_matrix)(m, m, m);
  R s[64] = { 0 };
  begin_memory();
  DT *da = NAME(put)(a, m, n, m), *dh = NAME(put)(h, n, n, n), *u = NAME(put)(wide, m, m, m),
     *vt = NAME(put)(h, n, n, n);
  R *values = on_device(s, sizeof s);
  int *info = new_info();
  char *work, *host;
  FINE(cusolverDnXsyevd_bufferSize(handle, params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, DATA_TYPE, dh,
                                   n, REAL_TYPE, values, DATA_TYPE, &room, &host_room));
  cudaMalloc((void **)&work, room + 1);
  host = malloc(host_room + 1);
  FINE(cusolverDnXsyevd(handle, params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, DATA_TYPE, dh, n,
                        REAL_TYPE, values, DATA_TYPE, work, room, host, host_room, info));
  T *v = NAME(get)("Xsyevd", dh, h, n, n, n);
  from_device(s, values, sizeof s);
  NAME(check_eigen_of)("Xsyevd", n, h, n, v, n, s);
  cudaFree(work);
  free(host);
  FINE(cusolverDnXgesvd_bufferSize(handle, params, 'S', 'S', m, n, DATA_TYPE, da, m, REAL_TYPE, values, DATA_TYPE, u,
                                   m, DATA_TYPE, vt, n, DATA_TYPE, &room, &host_room));
  cudaMalloc((void **)&work, room + 1);
  host = malloc(host_room + 1);
  FINE(cusolverDnXgesvd(handle, params, 'S', 'S', m, n, DATA_TYPE, da, m, REAL_TYPE, values, DATA_TYPE, u, m,
                        DATA_TYPE, vt, n, DATA_TYPE, work, room, host, host_room, info));
  T *gu = NAME(get)("Xgesvd", u, wide, m, m, m), *gvt = NAME(get)("Xgesvd", vt, h, n, n, n);
  from_device(s, values, sizeof s);
  NAME(check_svd_of)("Xgesvd", m, n, a, m, s, gu, m, gvt, n, CUBLAS_OP_N);
  cudaFree(work);
  free(host), free(a), free(h), free(wide), free(v), free(gu), free(gvt);
}

static void NAME(check_spectra)(cusolverDnHandle_t handle, cusolverDnParams_t params) {
  static const char jobs[][2] = {
    { 'A', 'A' }, { 'S', 'S' }, { 'N', 'N' }, { 'O', 'S' }, { 'S', 'O' }, { 'S', 'A' }
  };
  for (int round = 0; round < 6; round++) {
    int n = random_int(1, 30), m = n + random_int(0, 9);
    NAME(check_eigen)(handle, n, round % 2 ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER);
    NAME(check_svd)(handle, m, n, jobs[round][0], jobs[round][1]);
    NAME(check_jacobi)(handle, round < 4 ? m : n, round < 4 ? n : m, round % 2);
  }
  NAME(check_typed)(handle, params, 24, 17);
}
