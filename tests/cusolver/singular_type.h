/* SPDX-License-Identifier: MIT */
/* singular_type - the tests of conform_singular for one type; see solver_types.h. */

/* How far A is from U diag(s) V^H by way of k, in Frobenius's norm; and values descend. */
static double NAME(left_of)(const char *what, int m, int n, int k, const T *a, int lda, const R *s, const T *u, int ldu,
                            const T *v, int ldv) {
  T *scaled = NAME(random_matrix)(m, k, m);
  double sum = 0;
  for (int j = 0; j < k; j++) {
    EXPECT(what, s[j] >= 0 && (j == 0 || s[j - 1] >= s[j]));
    for (int i = 0; i < m; i++)
      scaled[i + j * m] = u[i + j * ldu] * s[j];
  }
  T *both = NAME(product)(m, n, k, scaled, m, CUBLAS_OP_N, v, ldv, CUBLAS_OP_C);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      sum += pow(SIZE_OF(a[i + j * lda] - both[i + j * m]), 2);
  free(scaled), free(both);
  return sqrt(sum);
}

static void NAME(check_jacobi_batch)(cusolverDnHandle_t handle, int m, int n, int count, cusolverEigMode_t jobz) {
  sizes("type %d, gesvdjBatched of %d by %d, %d of them, jobz %d", (int)DATA_TYPE, m, n, count, (int)jobz);
  int lda = random_leading(m), ldu = random_leading(m), ldv = random_leading(n), k = m < n ? m : n, room = 0;
  T *a = NAME(random_matrix)(m, n * count, lda), *u0 = NAME(random_matrix)(m, m * count, ldu);
  T *v0 = NAME(random_matrix)(n, n * count, ldv);
  R s[256] = { 0 };
  int infos[8];
  gesvdjInfo_t params;
  memset(infos, 77, sizeof infos);
  begin_memory();
  DT *device = NAME(put)(a, m, n * count, lda), *du = NAME(put)(u0, m, m * count, ldu);
  DT *dv = NAME(put)(v0, n, n * count, ldv), *work;
  R *values = on_device(s, sizeof s);
  int *info = on_device(infos, sizeof infos);
  FINE(cusolverDnCreateGesvdjInfo(&params));
  FINE(cusolverDnXgesvdjSetTolerance(params, TOLERANCE / 20));
  FINE(FN(gesvdjBatched_bufferSize)(handle, jobz, m, n, device, lda, values, du, ldu, dv, ldv, &room, params, count));
  cudaMalloc((void **)&work, (size_t)(room + 1) * sizeof(T));
  FINE(FN(gesvdjBatched)(handle, jobz, m, n, device, lda, values, du, ldu, dv, ldv, work, room, info, params, count));
  from_device(infos, info, sizeof infos);
  from_device(s, values, sizeof s);
  T *u = NAME(get)("gesvdjBatched's U", du, u0, m, m * count, ldu);
  T *v = NAME(get)("gesvdjBatched's V", dv, v0, n, n * count, ldv);
  for (int i = 0; i < count; i++) {
    const T *one = a + i * n * lda, *its_u = u + i * m * ldu, *its_v = v + i * n * ldv;
    double squares = 0, sum = 0;
    EXPECT("an info of a batch", infos[i] == 0);
    if (jobz == CUSOLVER_EIG_MODE_VECTOR) {
      double left = NAME(left_of)("gesvdjBatched", m, n, k, one, lda, s + i * k, its_u, ldu, its_v, ldv);
      EXPECT("U S V^H is A", left <= TOLERANCE * (m + n) * 8);
      EXPECT("U^H U is one", NAME(is_orthonormal)(m, m, its_u, ldu));
      EXPECT("V^H V is one", NAME(is_orthonormal)(n, n, its_v, ldv));
    }
    for (int j = 0; j < k; j++)
      sum += pow((double)s[i * k + j], 2);
    for (int j = 0; j < n; j++)
      for (int l = 0; l < m; l++)
        squares += pow(SIZE_OF(one[l + j * lda]), 2);
    EXPECT("the squares of values", fabs(sum - squares) <= TOLERANCE * (m + 1) * (n + 1) * 4);
  }
  FINE(cusolverDnDestroyGesvdjInfo(params));
  cudaFree(work);
  free(a), free(u0), free(v0), free(u), free(v);
}

static void NAME(check_approximations)(cusolverDnHandle_t handle, int m, int n, int rank, int count) {
  sizes("type %d, gesvda of %d by %d, rank %d, %d of them", (int)DATA_TYPE, m, n, rank, count);
  int lda = random_leading(m), ldu = random_leading(m), ldv = random_leading(n), room = 0;
  long long stride_a = lda * n + random_int(0, 5), stride_s = rank + random_int(0, 2);
  long long stride_u = ldu * rank + random_int(0, 5), stride_v = ldv * rank + random_int(0, 5);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  T *a = NAME(random_matrix)((int)stride_a, count, (int)stride_a);
  T *u0 = NAME(random_matrix)((int)stride_u, count, (int)stride_u);
  T *v0 = NAME(random_matrix)((int)stride_v, count, (int)stride_v);
  T *u = NAME(copy_of)(u0, (int)stride_u, count, (int)stride_u);
  T *v = NAME(copy_of)(v0, (int)stride_v, count, (int)stride_v);
  R s[256] = { 0 };
  double norms[8];
  int infos[8];
  memset(infos, 77, sizeof infos);
  for (int i = 0; i < 256; i++)
    s[i] = -3;
  begin_memory();
  DT *device = NAME(put)(a, (int)stride_a, count, (int)stride_a), *work;
  DT *du = NAME(put)(u0, (int)stride_u, count, (int)stride_u), *dv = NAME(put)(v0, (int)stride_v, count, (int)stride_v);
  R *values = on_device(s, sizeof s);
  int *info = on_device(infos, sizeof infos);
  FINE(FN(gesvdaStridedBatched_bufferSize)(handle, with, rank, m, n, device, lda, stride_a, values, stride_s, du, ldu,
                                           stride_u, dv, ldv, stride_v, &room, count));
  cudaMalloc((void **)&work, (size_t)(room + 1) * sizeof(T));
  FINE(FN(gesvdaStridedBatched)(handle, with, rank, m, n, device, lda, stride_a, values, stride_s, du, ldu, stride_u,
                                dv, ldv, stride_v, work, room, info, norms, count));
  from_device(infos, info, sizeof infos);
  from_device(s, values, sizeof s);
  from_device(u, du, (size_t)(stride_u * count) * sizeof(T));
  from_device(v, dv, (size_t)(stride_v * count) * sizeof(T));
  for (int i = 0; i < count; i++) {
    double left = NAME(left_of)("gesvda", m, n, rank, a + i * stride_a, lda, s + i * stride_s, u + i * stride_u, ldu,
                                v + i * stride_v, ldv);
    EXPECT("an info of a batch", infos[i] == 0);
#ifdef ON_NVIDIA /* which leaves open what the norm is of, where values are left out */
    if (rank < n)
      printf("observed: %s: %g is left, and told is %g\n", sizes_now, left, norms[i]);
    else
#endif
      EXPECT("the norm of what is left", fabs(left - norms[i]) <= 2e-4 * (m + n));
    EXPECT("all of the rank", rank < n || left <= TOLERANCE * (m + n) * 8);
    for (long long j = rank; j < stride_s; j++)
      EXPECT("between values", s[i * stride_s + j] == -3);
    for (int j = 0; j < rank; j++)
      EXPECT("between columns", memcmp(&u[i * stride_u + j * ldu + m], &u0[i * stride_u + j * ldu + m],
                                       (size_t)(ldu - m) * sizeof(T)) == 0);
  }
  cudaFree(work);
  free(a), free(u0), free(u), free(v0), free(v);
}

static void NAME(check_singular)(cusolverDnHandle_t handle) {
  for (int round = 0; round < 6; round++) {
    int n = random_int(1, 12), m = n + random_int(0, 9);
    NAME(check_jacobi_batch)(handle, round % 2 ? m : n, round % 2 ? n : m, random_int(1, 5),
                             round < 4 ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR);
    NAME(check_approximations)(handle, m, n, round % 2 ? n : random_int(1, n), random_int(1, 5));
  }
#ifndef ON_NVIDIA
  NAME(check_jacobi_batch)(handle, 0, 3, 2, CUSOLVER_EIG_MODE_VECTOR);
  NAME(check_jacobi_batch)(handle, 3, 2, 0, CUSOLVER_EIG_MODE_VECTOR);
#endif
}
