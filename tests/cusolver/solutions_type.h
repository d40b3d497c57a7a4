/* SPDX-License-Identifier: MIT */
/* solutions_type - the tests of conform_solutions for one type; see solver_types.h. */

/* A X is B, of a matrix whose diagonal is strong; with factors of the same type, and of another one. */
static void NAME(check_system)(cusolverDnHandle_t handle, int n, int nrhs, bool is_mixed) {
  sizes("type %d, gesv of %d with %d sides, mixed %d", (int)DATA_TYPE, n, nrhs, is_mixed);
  int lda = random_leading(n), ldb = random_leading(n), ldx = random_leading(n), iterations = -77, pivots[64] = { 0 };
  size_t room = 0;
  T *a = NAME(random_matrix)(n, n, lda), *b = NAME(random_matrix)(n, nrhs, ldb);
  T *x0 = NAME(random_matrix)(n, nrhs, ldx);
  for (int i = 0; i < n; i++)
    a[i + i * lda] += 2 * n;
  begin_memory();
  DT *device = NAME(put)(a, n, n, lda), *sides = NAME(put)(b, n, nrhs, ldb), *to = NAME(put)(x0, n, nrhs, ldx);
  int *info = new_info(), *ipiv = on_device(pivots, sizeof pivots);
  void *work = NULL;
  if (is_mixed)
    FINE(MIXED(gesv_bufferSize)(handle, n, nrhs, device, lda, ipiv, sides, ldb, to, ldx, NULL, &room));
  else
    FINE(SOLUTION(gesv_bufferSize)(handle, n, nrhs, device, lda, ipiv, sides, ldb, to, ldx, NULL, &room));
  cudaMalloc(&work, room + 1);
  if (is_mixed)
    FINE(MIXED(gesv)(handle, n, nrhs, device, lda, ipiv, sides, ldb, to, ldx, work, room, &iterations, info));
  else
    FINE(SOLUTION(gesv)(handle, n, nrhs, device, lda, ipiv, sides, ldb, to, ldx, work, room, &iterations, info));
  EXPECT("gesv's info", value_of(info) == 0);
  EXPECT("gesv's iterations", iterations != -77);
  T *x = NAME(get)("gesv", to, x0, n, nrhs, ldx);
  T *ax = NAME(product)(n, nrhs, n, a, lda, CUBLAS_OP_N, x, ldx, CUBLAS_OP_N);
  EXPECT("A X is B", NAME(distance)(n, nrhs, ax, n > 0 ? n : 1, b, ldb) <= TOLERANCE * (n + 1) * 4);
#ifndef ON_NVIDIA
  T *after = NAME(get)("gesv's A", device, a, n, n, lda);
  EXPECT("no iterations, and A as it was", iterations == 0 && NAME(distance)(n, n, after, lda, a, lda) == 0);
  free(after);
#endif
  cudaFree(work);
  free(a), free(b), free(x0), free(x), free(ax);
}

/* What is left of B has no part in the columns of A. */
static void NAME(check_squares)(cusolverDnHandle_t handle, int m, int n, int nrhs, bool is_mixed) {
  sizes("type %d, gels of %d by %d with %d sides, mixed %d", (int)DATA_TYPE, m, n, nrhs, is_mixed);
  int lda = random_leading(m), ldb = random_leading(m), ldx = random_leading(n), iterations = -77;
  size_t room = 0;
  T *a = NAME(random_matrix)(m, n, lda), *b = NAME(random_matrix)(m, nrhs, ldb);
  T *x0 = NAME(random_matrix)(n, nrhs, ldx);
  for (int i = 0; i < n; i++)
    a[i + i * lda] += 4;
  begin_memory();
  DT *device = NAME(put)(a, m, n, lda), *sides = NAME(put)(b, m, nrhs, ldb), *to = NAME(put)(x0, n, nrhs, ldx);
  int *info = new_info();
  void *work = NULL;
  if (is_mixed)
    FINE(MIXED(gels_bufferSize)(handle, m, n, nrhs, device, lda, sides, ldb, to, ldx, NULL, &room));
  else
    FINE(SOLUTION(gels_bufferSize)(handle, m, n, nrhs, device, lda, sides, ldb, to, ldx, NULL, &room));
  cudaMalloc(&work, room + 1);
  if (is_mixed)
    FINE(MIXED(gels)(handle, m, n, nrhs, device, lda, sides, ldb, to, ldx, work, room, &iterations, info));
  else
    FINE(SOLUTION(gels)(handle, m, n, nrhs, device, lda, sides, ldb, to, ldx, work, room, &iterations, info));
  EXPECT("gels's info", value_of(info) == 0);
  EXPECT("gels's iterations", iterations != -77);
  T *x = NAME(get)("gels", to, x0, n, nrhs, ldx);
  T *left = NAME(product)(m, nrhs, n, a, lda, CUBLAS_OP_N, x, ldx, CUBLAS_OP_N);
  for (int j = 0; j < nrhs; j++)
    for (int i = 0; i < m; i++)
      left[i + j * m] -= b[i + j * ldb];
  T *part = NAME(product)(n, nrhs, m, a, lda, CUBLAS_OP_C, left, m > 0 ? m : 1, CUBLAS_OP_N);
  for (int i = 0; i < n * nrhs; i++)
    EXPECT("A^H (A X - B) is 0", SIZE_OF(part[i]) <= TOLERANCE * (m + 1) * 40);
  cudaFree(work);
  free(a), free(b), free(x0), free(x), free(left), free(part);
}

/* The same by parameters: a system, and least squares of a square matrix, so that A X is B for both. */
static void NAME(check_refinement)(cusolverDnHandle_t handle, int n) {
  sizes("type %d, refinement of %d", (int)DATA_TYPE, n);
  const cusolverPrecType_t main = DATA_TYPE == CUDA_R_32F   ? CUSOLVER_R_32F
                                  : DATA_TYPE == CUDA_R_64F ? CUSOLVER_R_64F
                                  : DATA_TYPE == CUDA_C_32F ? CUSOLVER_C_32F
                                                            : CUSOLVER_C_64F;
  cusolverDnIRSParams_t params;
  cusolverDnIRSInfos_t infos;
  size_t room = 0;
  int iterations = -77, told = -77;
  T *a = NAME(random_matrix)(n, n, n), *b = NAME(random_matrix)(n, 1, n);
  for (int i = 0; i < n; i++)
    a[i + i * n] += 2 * n;
  FINE(cusolverDnIRSParamsCreate(&params));
  FINE(cusolverDnIRSInfosCreate(&infos));
  FINE(cusolverDnIRSParamsSetSolverPrecisions(params, main, main));
  FINE(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_CLASSICAL));
  FINE(cusolverDnIRSParamsSetMaxIters(params, 20));
  for (int is_least = 0; is_least < 2; is_least++) {
    void *work = NULL;
    begin_memory();
    DT *device = NAME(put)(a, n, n, n), *sides = NAME(put)(b, n, 1, n), *to = NAME(put)(b, n, 1, n);
    int *info = new_info();
    if (is_least)
      FINE(cusolverDnIRSXgels_bufferSize(handle, params, n, n, 1, &room));
    else
      FINE(cusolverDnIRSXgesv_bufferSize(handle, params, n, 1, &room));
    cudaMalloc(&work, room + 1);
    if (is_least)
      FINE(cusolverDnIRSXgels(handle, params, infos, n, n, 1, device, n, sides, n, to, n, work, room, &iterations,
                              info));
    else
      FINE(cusolverDnIRSXgesv(handle, params, infos, n, 1, device, n, sides, n, to, n, work, room, &iterations, info));
    EXPECT("IRS's info", value_of(info) == 0);
    T *x = NAME(get)("IRS", to, b, n, 1, n), *ax = NAME(product)(n, 1, n, a, n, CUBLAS_OP_N, x, n, CUBLAS_OP_N);
    EXPECT("A X is B", NAME(distance)(n, 1, ax, n, b, n) <= TOLERANCE * (n + 1) * 8);
    FINE(cusolverDnIRSInfosGetNiters(infos, &told));
    EXPECT("IRS's iterations", iterations != -77 && told == iterations);
    cudaFree(work);
    free(x), free(ax);
  }
  FINE(cusolverDnIRSInfosDestroy(infos));
  FINE(cusolverDnIRSParamsDestroy(params));
  free(a), free(b);
}

#ifndef ON_NVIDIA
/* A column of zeros: the info tells it, and X is as it was. */
static void NAME(check_no_solution)(cusolverDnHandle_t handle, int n, int k) {
  int iterations = -77;
  T *a = NAME(random_matrix)(n, n, n), *b = NAME(random_matrix)(n, 1, n);
  for (int i = 0; i < n; i++)
    a[i + k * n] = 0;
  begin_memory();
  DT *device = NAME(put)(a, n, n, n), *sides = NAME(put)(b, n, 1, n), *to = NAME(put)(b, n, 1, n);
  int *info = new_info();
  FINE(SOLUTION(gesv)(handle, n, 1, device, n, NULL, sides, n, to, n, NULL, sizeof(T), &iterations, info));
  EXPECT("the first pivot that is 0", value_of(info) == k + 1);
  FINE(SOLUTION(gels)(handle, n, n, 1, device, n, sides, n, to, n, NULL, sizeof(T), &iterations, info));
  EXPECT("not of full rank", value_of(info) > 0);
  T *x = NAME(get)("gesv", to, b, n, 1, n);
  EXPECT("X is as it was", NAME(distance)(n, 1, x, n, b, n) == 0);
  free(a), free(b), free(x);
}
#endif

static void NAME(check_solutions)(cusolverDnHandle_t handle) {
  for (int round = 0; round < 6; round++) {
    int n = random_int(1, 30);
    NAME(check_system)(handle, n, random_int(1, 3), round % 2);
    NAME(check_squares)(handle, n + random_int(0, 9), n, random_int(1, 3), round % 2);
    NAME(check_refinement)(handle, n);
  }
#ifndef ON_NVIDIA
  NAME(check_system)(handle, 0, 2, false);
  NAME(check_system)(handle, 3, 0, false);
  NAME(check_squares)(handle, 3, 0, 2, false);
  NAME(check_squares)(handle, 3, 2, 0, false);
  NAME(check_no_solution)(handle, 6, 3);
#endif
}
