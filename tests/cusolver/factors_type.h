/* SPDX-License-Identifier: MIT */
/* factors_type - the tests of conform_factors for one type; see solver_types.h. */

static void NAME(check_cholesky)(cusolverDnHandle_t handle, int n, cublasFillMode_t uplo) {
  sizes("type %d, potrf of %d, uplo %d", (int)DATA_TYPE, n, (int)uplo);
  int lda = random_leading(n), nrhs = random_int(LEAST, 3), ldb = random_leading(n), room = 0;
  bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
  T *a = NAME(hermitian)(n, lda, 2 * n + 1), *given = NAME(copy_of)(a, n, n, lda);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (is_lower ? i < j : i > j)
        given[i + j * lda] = 77;
  begin_memory();
  DT *device = NAME(put)(given, n, n, lda), *work;
  int *info = new_info();
  cudaMalloc((void **)&work, WORK_BYTES);
  FINE(FN(potrf_bufferSize)(handle, uplo, n, device, lda, &room));
  FINE(FN(potrf)(handle, uplo, n, device, lda, work, room, info));
  EXPECT("potrf's info", value_of(info) == 0);
  T *factor = NAME(get)("potrf", device, given, n, n, lda);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (is_lower ? i < j : i > j) {
        EXPECT("the other triangle", factor[i + j * lda] == (T)77);
        factor[i + j * lda] = 0;
      }
  T *square = NAME(product)(n, n, n, factor, lda, is_lower ? CUBLAS_OP_N : CUBLAS_OP_C, factor, lda,
                            is_lower ? CUBLAS_OP_C : CUBLAS_OP_N);
  EXPECT("L L^H is A", NAME(distance)(n, n, square, n, a, lda) <= TOLERANCE * (n + 1) * (n + 1));

  T *b = NAME(random_matrix)(n, nrhs, ldb);
  DT *sides = NAME(put)(b, n, nrhs, ldb);
  sizes("type %d, potrs of %d with %d sides", (int)DATA_TYPE, n, nrhs);
  FINE(FN(potrs)(handle, uplo, n, nrhs, device, lda, sides, ldb, info));
  T *x = NAME(get)("potrs", sides, b, n, nrhs, ldb);
  T *ax = NAME(product)(n, nrhs, n, a, lda, CUBLAS_OP_N, x, ldb, CUBLAS_OP_N);
  EXPECT("A X is B", NAME(distance)(n, nrhs, ax, n > 0 ? n : 1, b, ldb) <= TOLERANCE * (n + 1));

  FINE(FN(potri_bufferSize)(handle, uplo, n, device, lda, &room));
  FINE(FN(potri)(handle, uplo, n, device, lda, work, room, info));
  T *inverse = NAME(get)("potri", device, given, n, n, lda), *unit = NAME(random_matrix)(n, n, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      unit[i + j * n] = i == j;
      if (is_lower ? i < j : i > j)
        inverse[i + j * lda] = CONJ(inverse[j + i * lda]);
    }
  T *one = NAME(product)(n, n, n, a, lda, CUBLAS_OP_N, inverse, lda, CUBLAS_OP_N);
  EXPECT("A times its inverse", NAME(distance)(n, n, one, n, unit, n) <= TOLERANCE * (n + 1));
  cudaFree(work);
  free(a), free(given), free(factor), free(square), free(b), free(x), free(ax), free(inverse), free(unit), free(one);
}

/* The minor of order k + 1 is not positive. */
static void NAME(check_indefinite)(cusolverDnHandle_t handle, int n, int k, cublasFillMode_t uplo) {
  sizes("type %d, potrf of %d, indefinite at %d", (int)DATA_TYPE, n, k);
  T *a = NAME(hermitian)(n, n, 2 * n + 1);
  a[k + k * n] = -1;
  begin_memory();
  DT *device = NAME(put)(a, n, n, n), *work;
  int *info = new_info(), room = 0;
  cudaMalloc((void **)&work, WORK_BYTES);
  FINE(FN(potrf_bufferSize)(handle, uplo, n, device, n, &room));
  FINE(FN(potrf)(handle, uplo, n, device, n, work, room, info));
  EXPECT("not positive definite", value_of(info) == k + 1);
  cudaFree(work);
  free(a);
}

static void NAME(check_many)(cusolverDnHandle_t handle, int n, int count, cublasFillMode_t uplo) {
  sizes("type %d, potrfBatched of %d, %d of them", (int)DATA_TYPE, n, count);
  int lda = random_leading(n), infos[8] = { 0 };
  T *a[8], *b[8];
  DT *das[8], *dbs[8];
  begin_memory();
  for (int i = 0; i < count; i++) {
    a[i] = NAME(hermitian)(n, lda, 2 * n + 1);
    if (i == 2)
      a[i][0] = -1;
    b[i] = NAME(random_matrix)(n, 1, n);
    das[i] = NAME(put)(a[i], n, n, lda);
    dbs[i] = NAME(put)(b[i], n, 1, n);
  }
  int *info = on_device(infos, sizeof infos);
  DT **as = on_device(das, (size_t)count * sizeof *das), **bs = on_device(dbs, (size_t)count * sizeof *dbs);
  FINE(FN(potrfBatched)(handle, uplo, n, as, lda, info, count));
  from_device(infos, info, sizeof infos);
  for (int i = 0; i < count; i++)
    EXPECT("info of a batch", infos[i] == (i == 2 && n > 0));
  int *solved = new_info();
  FINE(FN(potrsBatched)(handle, uplo, n, 1, as, lda, bs, n > 0 ? n : 1, solved, count));
  EXPECT("potrsBatched's info", value_of(solved) == 0);
  for (int i = 0; i < count; i++) {
    T *x = NAME(get)("potrsBatched", dbs[i], b[i], n, 1, n);
    T *ax = NAME(product)(n, 1, n, a[i], lda, CUBLAS_OP_N, x, n, CUBLAS_OP_N);
    EXPECT("A X is B of a batch", i == 2 || NAME(distance)(n, 1, ax, n, b[i], n) <= TOLERANCE * (n + 1));
    free(x), free(ax), free(a[i]), free(b[i]);
  }
}

/* P A is L U; a is as it was, got the factors. */
static bool NAME(is_lu)(int m, int n, const T *a, int lda, const T *got, const int *pivots) {
  int k = m < n ? m : n, ml = m > 0 ? m : 1;
  for (int i = 0; i < k && pivots != NULL; i++)
    if (pivots[i] <= i || pivots[i] > m) /* as where a call has failed, and written none */
      return false;
  T *exchanged = NAME(copy_of)(a, m, n, lda), *lower = NAME(random_matrix)(m, k, ml),
    *upper = NAME(random_matrix)(k, n, k);
  for (int i = 0; i < k && pivots != NULL; i++)
    for (int j = 0; j < n; j++) {
      T kept = exchanged[i + j * lda];
      exchanged[i + j * lda] = exchanged[pivots[i] - 1 + j * lda];
      exchanged[pivots[i] - 1 + j * lda] = kept;
    }
  for (int j = 0; j < k; j++)
    for (int i = 0; i < m; i++)
      lower[i + j * ml] = i == j ? 1 : i > j ? got[i + j * lda] : 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < k; i++)
      upper[i + j * k] = i <= j ? got[i + j * lda] : 0;
  T *both = NAME(product)(m, n, k, lower, ml, CUBLAS_OP_N, upper, k, CUBLAS_OP_N);
  bool is_right = NAME(distance)(m, n, both, ml, exchanged, lda) <= TOLERANCE * (k + 1) * 4;
  free(exchanged), free(lower), free(upper), free(both);
  return is_right;
}

static void NAME(check_lu)(cusolverDnHandle_t handle, int m, int n, bool exchanges) {
  sizes("type %d, getrf of %d by %d, pivots %d", (int)DATA_TYPE, m, n, exchanges);
  int lda = random_leading(m), k = m < n ? m : n, room = 0, pivots[64] = { 0 };
  T *a = NAME(random_matrix)(m, n, lda);
  for (int i = 0; i < k && !exchanges; i++)
    a[i + i * lda] += 8;
  begin_memory();
  DT *device = NAME(put)(a, m, n, lda), *work;
  int *info = new_info(), *ipiv = exchanges ? on_device(pivots, sizeof pivots) : NULL;
  FINE(FN(getrf_bufferSize)(handle, m, n, device, lda, &room));
  cudaMalloc((void **)&work, (size_t)(room + 1) * sizeof(T));
  FINE(FN(getrf)(handle, m, n, device, lda, work, ipiv, info));
  EXPECT("getrf's info", value_of(info) == 0);
  T *got = NAME(get)("getrf", device, a, m, n, lda);
  if (exchanges)
    from_device(pivots, ipiv, sizeof pivots);
  EXPECT("P A is L U", NAME(is_lu)(m, n, a, lda, got, exchanges ? pivots : NULL));
  for (int op = CUBLAS_OP_N; m == n && op <= CUBLAS_OP_C; op++) {
    int nrhs = random_int(LEAST, 3), ldb = random_leading(n);
    T *b = NAME(random_matrix)(n, nrhs, ldb);
    DT *sides = NAME(put)(b, n, nrhs, ldb);
    sizes("type %d, getrs of %d with %d sides, operation %d, pivots %d", (int)DATA_TYPE, n, nrhs, op, exchanges);
    FINE(FN(getrs)(handle, (cublasOperation_t)op, n, nrhs, device, lda, ipiv, sides, ldb, info));
    EXPECT("getrs's info", value_of(info) == 0);
    T *x = NAME(get)("getrs", sides, b, n, nrhs, ldb);
    double most = 1;
    for (int j = 0; j < nrhs; j++)
      for (int i = 0; i < n; i++)
        most = fmax(most, SIZE_OF(x[i + j * ldb]));
    T *ax = NAME(product)(n, nrhs, n, a, lda, (cublasOperation_t)op, x, ldb, CUBLAS_OP_N);
    EXPECT("op(A) X is B", NAME(distance)(n, nrhs, ax, n > 0 ? n : 1, b, ldb) <= TOLERANCE * (n + 1) * most * 4);
    free(b), free(x), free(ax);
  }
  cudaFree(work);
  free(a), free(got);
}

/* A column of zeros: its pivot is 0, and the factors are complete. */
static void NAME(check_singular)(cusolverDnHandle_t handle, int n, int k) {
  sizes("type %d, getrf of %d, singular at %d", (int)DATA_TYPE, n, k);
  int pivots[64] = { 0 }, room = 0;
  T *a = NAME(random_matrix)(n, n, n);
  for (int i = 0; i < n; i++)
    a[i + k * n] = 0;
  begin_memory();
  DT *device = NAME(put)(a, n, n, n), *work = NULL;
  int *info = new_info(), *ipiv = on_device(pivots, sizeof pivots);
  FINE(FN(getrf_bufferSize)(handle, n, n, device, n, &room));
  cudaMalloc((void **)&work, (size_t)room * sizeof(T));
  FINE(FN(getrf)(handle, n, n, device, n, work, ipiv, info));
  EXPECT("the first pivot that is 0", value_of(info) == k + 1);
  T *got = NAME(get)("getrf", device, a, n, n, n);
  from_device(pivots, ipiv, sizeof pivots);
  EXPECT("P A is L U, and singular", NAME(is_lu)(n, n, a, n, got, pivots));
  cudaFree(work);
  free(a), free(got);
}

static void NAME(check_exchanges)(cusolverDnHandle_t handle, int n) {
  sizes("type %d, laswp of %d columns", (int)DATA_TYPE, n);
  const int pivots[3] = { 4, 2, 5 };
  int lda = 6;
  T *a = NAME(random_matrix)(5, n, lda);
  begin_memory();
  DT *device = NAME(put)(a, 5, n, lda);
  int *ipiv = on_device(pivots, sizeof pivots);
  FINE(FN(laswp)(handle, n, device, lda, 1, 3, ipiv, 1));
  T *got = NAME(get)("laswp", device, a, 5, n, lda);
  static const int order[5] = { 3, 1, 4, 0, 2 };
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 5; i++)
      EXPECT("laswp", got[i + j * lda] == a[order[i] + j * lda]);
  FINE(FN(laswp)(handle, n, device, lda, 1, 3, ipiv, -1));
  T *back = NAME(get)("laswp", device, a, 5, n, lda);
  EXPECT("laswp, and back", NAME(distance)(5, n, back, lda, a, lda) == 0);
  free(a), free(got), free(back);
}

/* ---- QR ------------------------------------------------------------------------------------------------------- */

/* Q as a whole, of m columns, from the reflectors in the first k columns of `factors`. */
static T *NAME(whole_q)(cusolverDnHandle_t handle, int m, int k, const T *factors, int lda, const DT *tau, DT *work) {
  T *wide = NAME(random_matrix)(m, m, m);
  for (int j = 0; j < k; j++)
    memcpy(wide + (size_t)j * (size_t)m, factors + (size_t)j * (size_t)lda, (size_t)m * sizeof(T));
  DT *device = NAME(put)(wide, m, m, m);
  int *info = new_info(), room = 0;
  FINE(ORGQR(_bufferSize)(handle, m, m, k, device, m, tau, &room));
  FINE(ORGQR()(handle, m, m, k, device, m, tau, work, room, info));
  EXPECT("orgqr's info", value_of(info) == 0);
  T *q = NAME(get)("orgqr", device, wide, m, m, m);
  free(wide);
  return q;
}

static void NAME(check_products)(cusolverDnHandle_t handle, int m, int k, const DT *factors, int lda, const DT *tau,
                                 const T *q, DT *work) {
  int p = random_int(LEAST, 9);
  for (int choice = 0; choice < 4; choice++) {
    cublasSideMode_t side = choice & 1 ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
    cublasOperation_t op = choice < 2 ? CUBLAS_OP_N : ADJOINT;
    int rows = side == CUBLAS_SIDE_LEFT ? m : p, columns = side == CUBLAS_SIDE_LEFT ? p : m, room = 0;
    int ldc = random_leading(rows), *info = new_info();
    T *c = NAME(random_matrix)(rows, columns, ldc);
    DT *device = NAME(put)(c, rows, columns, ldc);
    FINE(ORMQR(_bufferSize)(handle, side, op, rows, columns, k, factors, lda, tau, device, ldc, &room));
    FINE(ORMQR()(handle, side, op, rows, columns, k, factors, lda, tau, device, ldc, work, room, info));
    T *got = NAME(get)("ormqr", device, c, rows, columns, ldc);
    T *right = side == CUBLAS_SIDE_LEFT ? NAME(product)(m, p, m, q, m, op, c, ldc, CUBLAS_OP_N)
                                        : NAME(product)(p, m, m, c, ldc, CUBLAS_OP_N, q, m, op);
    EXPECT("ormqr", NAME(distance)(rows, columns, got, ldc, right, rows) <= TOLERANCE * (m + 1));
    free(c), free(got), free(right);
  }
}

static void NAME(check_qr)(cusolverDnHandle_t handle, int m, int n) {
  sizes("type %d, geqrf of %d by %d", (int)DATA_TYPE, m, n);
  int lda = random_leading(m), k = m < n ? m : n, room = 0;
  T *a = NAME(random_matrix)(m, n, lda), *r = NAME(random_matrix)(m, n, m);
  begin_memory();
  DT *device = NAME(put)(a, m, n, lda), *tau = NAME(put)(a, k, 1, k), *work = NULL;
  int *info = new_info();
  FINE(FN(geqrf_bufferSize)(handle, m, n, device, lda, &room));
  cudaMalloc((void **)&work, WORK_BYTES);
  FINE(FN(geqrf)(handle, m, n, device, lda, tau, work, room, info));
  EXPECT("geqrf's info", value_of(info) == 0);
  T *factors = NAME(get)("geqrf", device, a, m, n, lda);
  T *q = NAME(whole_q)(handle, m, k, factors, lda, tau, work);
  EXPECT("Q^H Q is one", NAME(is_orthonormal)(m, m, q, m));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      r[i + j * m] = i <= j ? factors[i + j * lda] : 0;
  T *qr = NAME(product)(m, n, m, q, m, CUBLAS_OP_N, r, m, CUBLAS_OP_N);
  EXPECT("Q R is A", NAME(distance)(m, n, qr, m, a, lda) <= TOLERANCE * (m + 1));
  NAME(check_products)(handle, m, k, device, lda, tau, q, work);
  cudaFree(work);
  free(a), free(r), free(factors), free(q), free(qr);
}

/* ---- types as arguments ------------------------------------------------------------------------------------------ */

static void NAME(check_typed)(cusolverDnHandle_t handle, cusolverDnParams_t params, int n) {
  sizes("type %d, types as arguments, %d rows", (int)DATA_TYPE, n);
  int64_t lda = n + 2, wide[64] = { 0 };
  int pivots[64];
  size_t room = 0, host_room = 0;
  T *a = NAME(hermitian)(n, (int)lda, 2 * n + 1), *b = NAME(random_matrix)(n, 2, n);
  begin_memory();
  DT *device = NAME(put)(a, n, n, (int)lda), *sides = NAME(put)(b, n, 2, n);
  int *info = new_info();
  char *work, host[65536];
  cudaMalloc((void **)&work, WORK_BYTES);
  FINE(cusolverDnXpotrf_bufferSize(handle, params, CUBLAS_FILL_MODE_UPPER, n, DATA_TYPE, device, lda, DATA_TYPE,
                                   &room, &host_room));
  EXPECT("room", room <= WORK_BYTES && host_room <= sizeof host);
  FINE(cusolverDnXpotrf(handle, params, CUBLAS_FILL_MODE_UPPER, n, DATA_TYPE, device, lda, DATA_TYPE, work, room,
                        host, host_room, info));
  FINE(cusolverDnXpotrs(handle, params, CUBLAS_FILL_MODE_UPPER, n, 2, DATA_TYPE, device, lda, DATA_TYPE, sides, n,
                        info));
  T *x = NAME(get)("Xpotrs", sides, b, n, 2, n);
  T *ax = NAME(product)(n, 2, n, a, (int)lda, CUBLAS_OP_N, x, n, CUBLAS_OP_N);
  EXPECT("Xpotrs", NAME(distance)(n, 2, ax, n, b, n) <= TOLERANCE * (n + 1));
  free(x), free(ax);

  device = NAME(put)(a, n, n, (int)lda), sides = NAME(put)(b, n, 2, n);
  int64_t *ipiv = on_device(wide, sizeof wide);
  FINE(cusolverDnXgetrf_bufferSize(handle, params, n, n, DATA_TYPE, device, lda, DATA_TYPE, &room, &host_room));
  FINE(cusolverDnXgetrf(handle, params, n, n, DATA_TYPE, device, lda, ipiv, DATA_TYPE, work, room, host, host_room,
                        info));
  T *got = NAME(get)("Xgetrf", device, a, n, n, (int)lda);
  from_device(wide, ipiv, sizeof wide);
  for (int i = 0; i < n; i++)
    pivots[i] = (int)wide[i];
  EXPECT("Xgetrf", NAME(is_lu)(n, n, a, (int)lda, got, pivots));
  FINE(cusolverDnXgetrs(handle, params, CUBLAS_OP_N, n, 2, DATA_TYPE, device, lda, ipiv, DATA_TYPE, sides, n, info));
  EXPECT("Xgetrs's info", value_of(info) == 0);
  x = NAME(get)("Xgetrs", sides, b, n, 2, n);
  ax = NAME(product)(n, 2, n, a, (int)lda, CUBLAS_OP_N, x, n, CUBLAS_OP_N);
  EXPECT("Xgetrs", NAME(distance)(n, 2, ax, n, b, n) <= TOLERANCE * (n + 1));
  free(x), free(ax);

  DT *tau = NAME(put)(b, n, 1, n);
  device = NAME(put)(a, n, n, (int)lda);
  FINE(cusolverDnXgeqrf_bufferSize(handle, params, n, n, DATA_TYPE, device, lda, DATA_TYPE, tau, DATA_TYPE, &room,
                                   &host_room));
  FINE(cusolverDnXgeqrf(handle, params, n, n, DATA_TYPE, device, lda, DATA_TYPE, tau, DATA_TYPE, work, room, host,
                        host_room, info));
  T *factors = NAME(get)("Xgeqrf", device, a, n, n, (int)lda);
  T *q = NAME(whole_q)(handle, n, n, factors, (int)lda, tau, (DT *)work);
  T *r = NAME(product)(n, n, n, q, n, CUBLAS_OP_C, a, (int)lda, CUBLAS_OP_N);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      EXPECT("Xgeqrf", SIZE_OF(r[i + j * n] - (i <= j ? factors[i + j * lda] : 0)) <= TOLERANCE * 9 * (n + 1));
  cudaFree(work);
  free(a), free(b), free(got), free(factors), free(q), free(r);
}

static void NAME(check_factors)(cusolverDnHandle_t handle, cusolverDnParams_t params) {
  for (int round = 0; round < 6; round++) {
    int m = round == 0 ? LEAST : random_int(1, 40), n = round == 1 ? LEAST : random_int(1, 40);
    cublasFillMode_t uplo = round % 2 ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    NAME(check_cholesky)(handle, n, uplo);
    NAME(check_many)(handle, round == 0 ? LEAST : n % 12 + 1, round > 0 ? round : LEAST, uplo);
    NAME(check_lu)(handle, m, n, true);
    NAME(check_lu)(handle, n, n, round != 3);
    if (m > 0 && n > 0)
      NAME(check_qr)(handle, m, n);
  }
  NAME(check_indefinite)(handle, 19, 7, CUBLAS_FILL_MODE_LOWER);
  NAME(check_indefinite)(handle, 19, 18, CUBLAS_FILL_MODE_UPPER);
  NAME(check_singular)(handle, 13, 5);
  NAME(check_exchanges)(handle, 7);
  NAME(check_typed)(handle, params, 23);
}
