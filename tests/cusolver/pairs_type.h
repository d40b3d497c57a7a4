/* SPDX-License-Identifier: MIT */
/* pairs_type - the tests of conform_pairs for one type; see solver_types.h. */

/* Columns of `left` are w times those of `right`, as many as there are values. */
static void NAME(expect_scaled)(const char *what, int n, int found, const T *left, const T *right, int ld, const R *w) {
  T *scaled = NAME(random_matrix)(n, found, n);
  double most = 1;
  for (int j = 0; j < found; j++) {
    EXPECT(what, j == 0 || w[j - 1] <= w[j]);
    for (int i = 0; i < n; i++) {
      scaled[i + j * n] = w[j] * right[i + j * ld];
      most = fmax(most, SIZE_OF(scaled[i + j * n]));
    }
  }
  EXPECT(what, NAME(distance)(n, found, left, n > 0 ? n : 1, scaled, n > 0 ? n : 1) <= TOLERANCE * (n + 1) * 8 * most);
  free(scaled);
}

/* What the values belong to: A v is w B v, A B v is w v, B A v is w v. */
static void NAME(check_pair_of)(const char *what, cusolverEigType_t itype, int n, int found, const T *a, int lda,
                                const T *b, int ldb, const T *v, int ldv, const R *w) {
  const int one = n > 0 ? n : 1;
  const T *first = itype == CUSOLVER_EIG_TYPE_3 ? a : b, *second = itype == CUSOLVER_EIG_TYPE_3 ? b : a;
  const int first_ld = itype == CUSOLVER_EIG_TYPE_3 ? lda : ldb, second_ld = itype == CUSOLVER_EIG_TYPE_3 ? ldb : lda;
  T *half = NAME(product)(n, found, n, first, first_ld, CUBLAS_OP_N, v, ldv, CUBLAS_OP_N);
  if (itype == CUSOLVER_EIG_TYPE_1) {
    T *av = NAME(product)(n, found, n, a, lda, CUBLAS_OP_N, v, ldv, CUBLAS_OP_N);
    NAME(expect_scaled)(what, n, found, av, half, one, w);
    free(av);
  } else {
    T *whole = NAME(product)(n, found, n, second, second_ld, CUBLAS_OP_N, half, one, CUBLAS_OP_N);
    NAME(expect_scaled)(what, n, found, whole, v, ldv, w);
    free(whole);
  }
  free(half);
}

/* The factor of B in a triangle, multiplied out; what is in the other triangle is not looked at. */
static void NAME(check_factor_of)(int n, T *factor, const T *b, int ldb, cublasFillMode_t uplo) {
  bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (is_lower ? i < j : i > j)
        factor[i + j * ldb] = 0;
  T *square = NAME(product)(n, n, n, factor, ldb, is_lower ? CUBLAS_OP_N : CUBLAS_OP_C, factor, ldb,
                            is_lower ? CUBLAS_OP_C : CUBLAS_OP_N);
  EXPECT("B's factor", NAME(distance)(n, n, square, n > 0 ? n : 1, b, ldb) <= TOLERANCE * (n + 1) * (n + 1));
  free(square);
}

static void NAME(check_pair)(cusolverDnHandle_t handle, int n, cusolverEigType_t itype, cublasFillMode_t uplo) {
  sizes("type %d, sygvd of %d, itype %d, uplo %d", (int)DATA_TYPE, n, (int)itype, (int)uplo);
  int lda = random_leading(n), ldb = random_leading(n), room = 0;
  T *a = NAME(hermitian)(n, lda, 0), *b = NAME(hermitian)(n, ldb, 2 * n + 1);
  R w[64] = { 0 }, again[64] = { 0 };
  syevjInfo_t params;
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  begin_memory();
  DT *da = NAME(put)(a, n, n, lda), *db = NAME(put)(b, n, n, ldb), *work;
  R *values = on_device(w, sizeof w);
  int *info = new_info();
  FINE(PAIR(d_bufferSize)(handle, itype, with, uplo, n, da, lda, db, ldb, values, &room));
  cudaMalloc((void **)&work, (size_t)(room + 4096) * sizeof(T));
  FINE(PAIR(d)(handle, itype, with, uplo, n, da, lda, db, ldb, values, work, room, info));
  EXPECT("sygvd's info", value_of(info) == 0);
  T *v = NAME(get)("sygvd's A", da, a, n, n, lda), *factor = NAME(get)("sygvd's B", db, b, n, n, ldb);
  from_device(w, values, sizeof w);
  NAME(check_pair_of)("sygvd", itype, n, n, a, lda, b, ldb, v, lda, w);
  NAME(check_factor_of)(n, factor, b, ldb, uplo);
  cudaFree(work);
  free(v), free(factor);

  FINE(cusolverDnCreateSyevjInfo(&params));
  FINE(cusolverDnXsyevjSetTolerance(params, TOLERANCE / 20));
  da = NAME(put)(a, n, n, lda), db = NAME(put)(b, n, n, ldb);
  FINE(PAIR(j_bufferSize)(handle, itype, with, uplo, n, da, lda, db, ldb, values, &room, params));
  cudaMalloc((void **)&work, (size_t)(room + 4096) * sizeof(T));
  FINE(PAIR(j)(handle, itype, with, uplo, n, da, lda, db, ldb, values, work, room, info, params));
  EXPECT("sygvj's info", value_of(info) == 0);
  v = NAME(get)("sygvj's A", da, a, n, n, lda);
  from_device(again, values, sizeof again);
  NAME(check_pair_of)("sygvj", itype, n, n, a, lda, b, ldb, v, lda, again);
  FINE(cusolverDnDestroySyevjInfo(params));
  cudaFree(work);
  free(a), free(b), free(v);
}

/* The minor of B of order k + 1 is not positive. */
static void NAME(check_indefinite)(cusolverDnHandle_t handle, int n, int k) {
  sizes("type %d, sygvd of %d, indefinite at %d", (int)DATA_TYPE, n, k);
  T *a = NAME(hermitian)(n, n, 0), *b = NAME(hermitian)(n, n, 2 * n + 1);
  b[k + k * n] = -1;
  begin_memory();
  DT *da = NAME(put)(a, n, n, n), *db = NAME(put)(b, n, n, n), *work;
  R *values = on_device(a, (size_t)n * sizeof(R));
  int *info = new_info(), room = 0;
  FINE(PAIR(d_bufferSize)(handle, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, n, da, n,
                          db, n, values, &room));
  cudaMalloc((void **)&work, (size_t)(room + 4096) * sizeof(T));
  FINE(PAIR(d)(handle, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, n, da, n, db, n,
               values, work, room, info));
  EXPECT("B is not positive definite", value_of(info) == n + k + 1);
  cudaFree(work);
  free(a), free(b);
}

/* Of all values those that `range` chooses: numbers il to iu, or what is between bounds halfway to their neighbours. */
static void NAME(check_part)(cusolverDnHandle_t handle, int n, cusolverEigRange_t range, cublasFillMode_t uplo,
                             bool is_pair) {
  sizes("type %d, syevdx of %d, range %d, uplo %d, pair %d", (int)DATA_TYPE, n, (int)range, (int)uplo, is_pair);
  int lda = random_leading(n), ldb = random_leading(n), room = 0, found = -1;
  int il = random_int(1, n), iu = random_int(il, n);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  const cusolverEigType_t itype = CUSOLVER_EIG_TYPE_1;
  T *a = NAME(hermitian)(n, lda, 0), *b = NAME(hermitian)(n, ldb, 2 * n + 1);
  R all[64] = { 0 }, w[64] = { 0 };
  begin_memory();
  DT *da = NAME(put)(a, n, n, lda), *db = NAME(put)(b, n, n, ldb), *work;
  R *values = on_device(w, sizeof w);
  int *info = new_info();
  cudaMalloc((void **)&work, WORK_BYTES);
  if (is_pair)
    FINE(PAIR(d)(handle, itype, with, uplo, n, da, lda, db, ldb, values, work, WORK_BYTES / sizeof(T), info));
  else
    FINE(EIGEN(d)(handle, with, uplo, n, da, lda, values, work, WORK_BYTES / sizeof(T), info));
  from_device(all, values, sizeof all);
  R vl = il > 1 ? (all[il - 2] + all[il - 1]) / 2 : all[0] - 1;
  R vu = iu < n ? (all[iu - 1] + all[iu]) / 2 : all[n - 1] + 1;
  if (range == CUSOLVER_EIG_RANGE_ALL)
    il = 1, iu = n;
  da = NAME(put)(a, n, n, lda), db = NAME(put)(b, n, n, ldb);
  if (is_pair) {
    FINE(PAIR(dx_bufferSize)(handle, itype, with, range, uplo, n, da, lda, db, ldb, vl, vu, il, iu, &found, values,
                             &room));
    FINE(PAIR(dx)(handle, itype, with, range, uplo, n, da, lda, db, ldb, vl, vu, il, iu, &found, values, work,
                  WORK_BYTES / sizeof(T), info));
  } else {
    FINE(EIGEN(dx_bufferSize)(handle, with, range, uplo, n, da, lda, vl, vu, il, iu, &found, values, &room));
    FINE(EIGEN(dx)(handle, with, range, uplo, n, da, lda, vl, vu, il, iu, &found, values, work,
                   WORK_BYTES / sizeof(T), info));
  }
  EXPECT("syevdx's info", value_of(info) == 0);
  EXPECT("room", (size_t)room * sizeof(T) <= WORK_BYTES);
  EXPECT("how many values", found == iu - il + 1);
  T *v = NAME(get)("syevdx", da, a, n, n, lda);
  from_device(w, values, sizeof w);
  for (int i = 0; i < found && found <= n; i++)
    EXPECT("a value", fabs((double)(w[i] - all[il - 1 + i])) <= TOLERANCE * (n + 1) * 4);
  T *av = NAME(product)(n, found, n, a, lda, CUBLAS_OP_N, v, lda, CUBLAS_OP_N);
  T *bv = is_pair ? NAME(product)(n, found, n, b, ldb, CUBLAS_OP_N, v, lda, CUBLAS_OP_N)
                  : NAME(copy_of)(v, n, found, lda);
  NAME(expect_scaled)("syevdx", n, found, av, bv, is_pair ? n : lda, w);
  cudaFree(work);
  free(a), free(b), free(v), free(av), free(bv);
}

static void NAME(check_batch)(cusolverDnHandle_t handle, int n, int count, cublasFillMode_t uplo) {
  sizes("type %d, syevjBatched of %d, %d of them, uplo %d", (int)DATA_TYPE, n, count, (int)uplo);
  int lda = random_leading(n), room = 0, infos[8];
  T *a = NAME(random_matrix)(n, n * count, lda);
  R w[64] = { 0 };
  syevjInfo_t params;
  for (int k = 0; k < count; k++) {
    T *one = NAME(hermitian)(n, n > 0 ? n : 1, 0);
    for (int j = 0; j < n; j++)
      memcpy(a + (k * n + j) * lda, one + j * n, (size_t)n * sizeof(T));
    free(one);
  }
  memset(infos, 77, sizeof infos);
  begin_memory();
  DT *device = NAME(put)(a, n, n * count, lda), *work;
  R *values = on_device(w, sizeof w);
  int *info = on_device(infos, sizeof infos);
  FINE(cusolverDnCreateSyevjInfo(&params));
  FINE(cusolverDnXsyevjSetTolerance(params, TOLERANCE / 20));
  FINE(EIGEN(jBatched_bufferSize)(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, device, lda, values, &room, params,
                                  count));
  cudaMalloc((void **)&work, (size_t)(room + 4096) * sizeof(T));
  FINE(EIGEN(jBatched)(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, device, lda, values, work, room, info, params,
                       count));
  from_device(infos, info, sizeof infos);
  from_device(w, values, sizeof w);
  T *v = NAME(get)("syevjBatched", device, a, n, n * count, lda);
  for (int k = 0; k < count; k++) {
    T *av = NAME(product)(n, n, n, a + k * n * lda, lda, CUBLAS_OP_N, v + k * n * lda, lda, CUBLAS_OP_N);
    EXPECT("an info of a batch", infos[k] == 0);
    NAME(expect_scaled)("syevjBatched", n, n, av, v + k * n * lda, lda, w + k * n);
    EXPECT("syevjBatched", NAME(is_orthonormal)(n, n, v + k * n * lda, lda));
    free(av);
  }
  FINE(cusolverDnDestroySyevjInfo(params));
  cudaFree(work);
  free(a), free(v);
}

static void NAME(check_pairs)(cusolverDnHandle_t handle) {
  for (int round = 0; round < 6; round++) {
    cublasFillMode_t uplo = round % 2 ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    NAME(check_pair)(handle, random_int(1, 24), (cusolverEigType_t)(1 + round % 3), uplo);
    NAME(check_part)(handle, random_int(1, 24), (cusolverEigRange_t)(CUSOLVER_EIG_RANGE_ALL + round % 3), uplo,
                     round >= 3);
    NAME(check_batch)(handle, random_int(1, 12), random_int(1, 5), uplo);
  }
  NAME(check_indefinite)(handle, 7, 4);
#ifndef ON_NVIDIA
  NAME(check_pair)(handle, 0, CUSOLVER_EIG_TYPE_1, CUBLAS_FILL_MODE_LOWER);
  NAME(check_batch)(handle, 0, 3, CUBLAS_FILL_MODE_LOWER);
  NAME(check_batch)(handle, 4, 0, CUBLAS_FILL_MODE_LOWER);
#endif
}
