/* SPDX-License-Identifier: MIT */
/* large_type - the tests of conform_large for one type; see solver_types.h. Most products are with vectors. */

/* y = op(A) x, of the part of a matrix where a unit diagonal or a triangle is meant: 'L': unit, lower; 'U': upper; 'G':
 * lower with its diagonal; 'A': all. */
static T *NAME(times)(int m, int n, const T *a, int lda, char part, bool turns, const T *x) {
  int rows = turns ? n : m;
  T *y = calloc((size_t)rows + 1, sizeof(T));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      bool is_in = part == 'A' || (part == 'L' ? i > j : part == 'U' ? i <= j : i >= j);
      T value = part == 'L' && i == j ? 1 : is_in ? a[i + (size_t)j * (size_t)lda] : 0;
      if (turns)
        y[j] += CONJ(value) * x[i];
      else
        y[i] += value * x[j];
    }
  return y;
}

static void NAME(expect_same)(const char *what, int n, const T *a, const T *b, double scale) {
  EXPECT(what, NAME(distance)(n, 1, a, n, b, n) <= TOLERANCE * scale);
}

static void NAME(check_large_cholesky)(cusolverDnHandle_t handle, int n, cublasFillMode_t uplo, int indefinite) {
  int lda = n + 3, room = 0, *info;
  bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
  T *a = NAME(hermitian)(n, lda, 2 * n), *x = NAME(random_matrix)(n, 1, n);
  if (indefinite > 0)
    a[(size_t)(indefinite - 1) * (size_t)(lda + 1)] = -1;
  begin_memory();
  DT *device = NAME(put)(a, n, n, lda), *sides, *work;
  info = new_info();
  FINE(FN(potrf_bufferSize)(handle, uplo, n, device, lda, &room));
  cudaMalloc((void **)&work, (size_t)room * sizeof(T));
  FINE(FN(potrf)(handle, uplo, n, device, lda, work, room, info));
  EXPECT("potrf's info", value_of(info) == indefinite);
  T *got = NAME(get)("potrf", device, a, n, n, lda);
  if (indefinite == 0) {
    bool is_kept = true;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        if (is_lower ? i < j : i > j)
          is_kept = is_kept && got[i + (size_t)j * (size_t)lda] == a[i + (size_t)j * (size_t)lda];
    EXPECT("the other triangle", is_kept);
    T *ax = NAME(times)(n, n, a, lda, 'A', false, x);
    T *half = NAME(times)(n, n, got, lda, is_lower ? 'G' : 'U', is_lower, x);
    T *whole = NAME(times)(n, n, got, lda, is_lower ? 'G' : 'U', !is_lower, half);
    NAME(expect_same)("L L^H x is A x", n, whole, ax, 40.0 * n);
    sides = NAME(put)(ax, n, 1, n);
    FINE(FN(potrs)(handle, uplo, n, 1, device, lda, sides, n, info));
    EXPECT("potrs's info", value_of(info) == 0);
    T *solved = NAME(get)("potrs", sides, ax, n, 1, n);
    NAME(expect_same)("potrs", n, solved, x, n);
    free(ax), free(half), free(whole), free(solved);
  }
  cudaFree(work);
  free(a), free(x), free(got);
}

static void NAME(check_large_lu)(cusolverDnHandle_t handle, int m, int n, int singular) {
  int lda = m + 5, k = m < n ? m : n, room = 0;
  T *a = NAME(random_matrix)(m, n, lda), *x = NAME(random_matrix)(n, 1, n);
  for (int i = 0; i < m && singular > 0; i++)
    a[i + (size_t)(singular - 1) * (size_t)lda] = 0;
  int *pivots = calloc((size_t)k, sizeof *pivots);
  begin_memory();
  DT *device = NAME(put)(a, m, n, lda), *work;
  int *info = new_info(), *ipiv = on_device(pivots, (size_t)k * sizeof *pivots);
  FINE(FN(getrf_bufferSize)(handle, m, n, device, lda, &room));
  cudaMalloc((void **)&work, (size_t)room * sizeof(T));
  FINE(FN(getrf)(handle, m, n, device, lda, work, ipiv, info));
  EXPECT("getrf's info", value_of(info) == singular);
  T *got = NAME(get)("getrf", device, a, m, n, lda);
  from_device(pivots, ipiv, (size_t)k * sizeof *pivots);
  T *ax = NAME(times)(m, n, a, lda, 'A', false, x);
  for (int i = 0; i < k; i++) {
    const bool is_row = pivots[i] > i && pivots[i] <= m;
    T kept = ax[i];
    EXPECT("a pivot", is_row);
    if (is_row)
      ax[i] = ax[pivots[i] - 1], ax[pivots[i] - 1] = kept;
  }
  T *ux = NAME(times)(k, n, got, lda, 'U', false, x), *lux = NAME(times)(m, k, got, lda, 'L', false, ux);
  NAME(expect_same)("L U x is P A x", m, lux, ax, 40.0 * k);
  bool is_chosen = true;
  for (int j = 0; j < k; j++)
    for (int i = j + 1; i < m; i++)
      is_chosen = is_chosen && SIZE_OF(got[i + (size_t)j * (size_t)lda]) <= 1.5;
  EXPECT("the largest is the pivot", is_chosen);
  cudaFree(work);
  free(a), free(x), free(pivots), free(got), free(ax), free(ux), free(lux);
}

/* ---- QR --------------------------------------------------------------------------------------------------------- */

/* op(Q) C or C op(Q), of reflectors on the device; C has so many rows and columns. */
static T *NAME(times_q)(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int rows, int columns,
                        int k, const DT *factors, int lda, const DT *tau, const T *c) {
  int ldc = rows + 2, room = 0;
  T *padded = NAME(random_matrix)(rows, columns, ldc);
  T *plain = malloc(((size_t)rows * (size_t)columns + 1) * sizeof(T));
  for (int j = 0; j < columns; j++)
    memcpy(padded + (size_t)j * (size_t)ldc, c + (size_t)j * (size_t)rows, (size_t)rows * sizeof(T));
  DT *device = NAME(put)(padded, rows, columns, ldc), *work;
  int *info = new_info();
  FINE(ORMQR(_bufferSize)(handle, side, op, rows, columns, k, factors, lda, tau, device, ldc, &room));
  cudaMalloc((void **)&work, (size_t)room * sizeof(T));
  FINE(ORMQR()(handle, side, op, rows, columns, k, factors, lda, tau, device, ldc, work, room, info));
  EXPECT("ormqr's info", value_of(info) == 0);
  T *got = NAME(get)("ormqr", device, padded, rows, columns, ldc);
  for (int j = 0; j < columns; j++)
    memcpy(plain + (size_t)j * (size_t)rows, got + (size_t)j * (size_t)ldc, (size_t)rows * sizeof(T));
  cudaFree(work);
  free(padded), free(got);
  return plain;
}

/* C Q times a vector is C times Q times the vector; and Q^H turns it back. */
static void NAME(check_right_products)(cusolverDnHandle_t handle, int m, int k, const DT *factors, int lda,
                                       const DT *tau) {
  T *c = NAME(random_matrix)(3, m, 3), *x = NAME(random_matrix)(m, 1, m);
  T *cq = NAME(times_q)(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_N, 3, m, k, factors, lda, tau, c);
  T *qx = NAME(times_q)(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, 1, k, factors, lda, tau, x);
  T *back = NAME(times_q)(handle, CUBLAS_SIDE_RIGHT, ADJOINT, 3, m, k, factors, lda, tau, cq);
  T *first = NAME(times)(3, m, cq, 3, 'A', false, x), *second = NAME(times)(3, m, c, 3, 'A', false, qx);
  NAME(expect_same)("(C Q) x is C (Q x)", 3, first, second, m);
  NAME(expect_same)("C Q Q^H is C", 3 * m, back, c, m);
  free(c), free(x), free(cq), free(qx), free(back), free(first), free(second);
}

/* The first n columns of Q, made of k reflectors: Q^H Q y is y, and Q z, of k numbers and zeros, is as ormqr has it. */
static void NAME(check_large_columns)(cusolverDnHandle_t handle, int m, int n, int k, const DT *factors, int lda,
                                      const DT *tau) {
  int room = 0, *info = new_info();
  T *given = NAME(random_matrix)(m, n, lda), *y = NAME(random_matrix)(n, 1, n), *z = calloc((size_t)m, sizeof(T));
  from_device(given, factors, extent_of(m, k, lda) * sizeof(T));
  memcpy(z, y, (size_t)n * sizeof(T));
  DT *device = NAME(put)(given, m, n, lda), *work;
  FINE(ORGQR(_bufferSize)(handle, m, n, k, device, lda, tau, &room));
  cudaMalloc((void **)&work, (size_t)room * sizeof(T));
  FINE(ORGQR()(handle, m, n, k, device, lda, tau, work, room, info));
  EXPECT("orgqr's info", value_of(info) == 0);
  T *q = NAME(get)("orgqr", device, given, m, n, lda);
  T *qy = NAME(times)(m, n, q, lda, 'A', false, y), *back = NAME(times)(m, n, q, lda, 'A', true, qy);
  T *qz = NAME(times_q)(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, 1, k, factors, lda, tau, z);
  NAME(expect_same)("Q^H Q y is y", n, back, y, n);
  NAME(expect_same)("orgqr and ormqr", m, qy, qz, n);
  cudaFree(work);
  free(given), free(y), free(z), free(q), free(qy), free(back), free(qz);
}

static void NAME(check_large_qr)(cusolverDnHandle_t handle, int m, int n) {
  int lda = m + 5, k = m < n ? m : n, room = 0;
  T *a = NAME(random_matrix)(m, n, lda), *x = NAME(random_matrix)(n, 1, n);
  begin_memory();
  DT *device = NAME(put)(a, m, n, lda), *tau = NAME(put)(a, k, 1, k), *work;
  int *info = new_info();
  FINE(FN(geqrf_bufferSize)(handle, m, n, device, lda, &room));
  cudaMalloc((void **)&work, (size_t)room * sizeof(T));
  FINE(FN(geqrf)(handle, m, n, device, lda, tau, work, room, info));
  EXPECT("geqrf's info", value_of(info) == 0);
  T *got = NAME(get)("geqrf", device, a, m, n, lda), *rx = calloc((size_t)m, sizeof(T));
  T *some = NAME(times)(k, n, got, lda, 'U', false, x), *ax = NAME(times)(m, n, a, lda, 'A', false, x);
  memcpy(rx, some, (size_t)k * sizeof(T));
  T *qrx = NAME(times_q)(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, 1, k, device, lda, tau, rx);
  NAME(expect_same)("Q R x is A x", m, qrx, ax, 40.0 * n);
  T *back = NAME(times_q)(handle, CUBLAS_SIDE_LEFT, ADJOINT, m, 1, k, device, lda, tau, ax);
  NAME(expect_same)("Q^H A x is R x", m, back, rx, 40.0 * n);
  NAME(check_right_products)(handle, m, k, device, lda, tau);
  NAME(check_large_columns)(handle, m, m > k ? (m + k) / 2 : k, k, device, lda, tau);
  cudaFree(work);
  free(a), free(x), free(got), free(rx), free(some), free(ax), free(qrx), free(back);
}

/* ---- solutions -------------------------------------------------------------------------------------------------- */

/* op(A) x that was, by getrf and getrs with two right sides; and by gesv. */
static void NAME(check_large_solutions)(cusolverDnHandle_t handle, int n) {
  int lda = n + 1, ldb = n + 2, room = 0, iterations = -7;
  size_t bytes = 0;
  T *a = NAME(random_matrix)(n, n, lda), *x = NAME(random_matrix)(n, 2, ldb);
  int *pivots = calloc((size_t)n, sizeof *pivots);
  for (int i = 0; i < n; i++)
    a[(n - 1 - i) + (size_t)i * (size_t)lda] += n;
  begin_memory();
  DT *device = NAME(put)(a, n, n, lda), *work;
  int *info = new_info(), *ipiv = on_device(pivots, (size_t)n * sizeof *pivots);
  FINE(FN(getrf_bufferSize)(handle, n, n, device, lda, &room));
  cudaMalloc((void **)&work, (size_t)room * sizeof(T));
  FINE(FN(getrf)(handle, n, n, device, lda, work, ipiv, info));
  cudaFree(work);
  for (int op = CUBLAS_OP_N; op <= CUBLAS_OP_C; op++) {
    T *b = NAME(product)(n, 2, n, a, lda, (cublasOperation_t)op, x, ldb, CUBLAS_OP_N);
    DT *sides = NAME(put)(b, n, 2, n);
    FINE(FN(getrs)(handle, (cublasOperation_t)op, n, 2, device, lda, ipiv, sides, n, info));
    EXPECT("getrs's info", value_of(info) == 0);
    T *got = NAME(get)("getrs", sides, b, n, 2, n);
    EXPECT("getrs", NAME(distance)(n, 2, got, n, x, ldb) <= TOLERANCE * n);
    free(b), free(got);
  }
  T *b = NAME(product)(n, 2, n, a, lda, CUBLAS_OP_N, x, ldb, CUBLAS_OP_N), *zeros = calloc((size_t)ldb * 2, sizeof(T));
  DT *sides = NAME(put)(b, n, 2, n), *to = NAME(put)(zeros, n, 2, ldb);
  device = NAME(put)(a, n, n, lda);
  FINE(SOLUTION(gesv_bufferSize)(handle, n, 2, device, lda, ipiv, sides, n, to, ldb, NULL, &bytes));
  cudaMalloc((void **)&work, bytes);
  FINE(SOLUTION(gesv)(handle, n, 2, device, lda, ipiv, sides, n, to, ldb, work, bytes, &iterations, info));
  EXPECT("gesv's info", value_of(info) == 0);
  T *got = NAME(get)("gesv", to, zeros, n, 2, ldb);
  EXPECT("gesv", NAME(distance)(n, 2, got, ldb, x, ldb) <= TOLERANCE * n);
  cudaFree(work);
  free(a), free(x), free(pivots), free(b), free(zeros), free(got);
}

/* What is left of B has no part in the columns of A. */
static void NAME(check_large_squares)(cusolverDnHandle_t handle, int m, int n) {
  int lda = m + 2, iterations = -7;
  size_t bytes = 0;
  T *a = NAME(random_matrix)(m, n, lda), *b = NAME(random_matrix)(m, 1, m), *zeros = calloc((size_t)n, sizeof(T));
  begin_memory();
  DT *device = NAME(put)(a, m, n, lda), *sides = NAME(put)(b, m, 1, m), *to = NAME(put)(zeros, n, 1, n), *work;
  int *info = new_info();
  FINE(SOLUTION(gels_bufferSize)(handle, m, n, 1, device, lda, sides, m, to, n, NULL, &bytes));
  cudaMalloc((void **)&work, bytes);
  FINE(SOLUTION(gels)(handle, m, n, 1, device, lda, sides, m, to, n, work, bytes, &iterations, info));
  EXPECT("gels's info", value_of(info) == 0);
  T *x = NAME(get)("gels", to, zeros, n, 1, n), *ax = NAME(times)(m, n, a, lda, 'A', false, x);
  for (int i = 0; i < m; i++)
    ax[i] -= b[i];
  T *part = NAME(times)(m, n, a, lda, 'A', true, ax);
  NAME(expect_same)("A^H (A x - b) is 0", n, part, zeros, 4.0 * m);
  cudaFree(work);
  free(a), free(b), free(zeros), free(x), free(ax), free(part);
}

#ifndef ON_NVIDIA
/* A column of zeros of either sign leaves such a zero in R's diagonal: the info tells it, and X is as it was. */
static void NAME(check_large_rank)(cusolverDnHandle_t handle, int m, int n, int k, T none) {
  int iterations = -7;
  size_t bytes = 0;
  T *a = NAME(random_matrix)(m, n, m), *b = NAME(random_matrix)(m, 1, m), *before = NAME(random_matrix)(n, 1, n);
  for (int i = 0; i < m; i++)
    a[i + (size_t)k * (size_t)m] = none;
  begin_memory();
  DT *device = NAME(put)(a, m, n, m), *sides = NAME(put)(b, m, 1, m), *to = NAME(put)(before, n, 1, n), *work;
  int *info = new_info();
  FINE(SOLUTION(gels_bufferSize)(handle, m, n, 1, device, m, sides, m, to, n, NULL, &bytes));
  cudaMalloc((void **)&work, bytes);
  FINE(SOLUTION(gels)(handle, m, n, 1, device, m, sides, m, to, n, work, bytes, &iterations, info));
  EXPECT("gels's info of a column of zeros", value_of(info) == k + 1);
  T *x = NAME(get)("gels", to, before, n, 1, n);
  EXPECT("X is as it was", NAME(distance)(n, 1, x, n, before, n) == 0);
  cudaFree(work);
  free(a), free(b), free(before), free(x);
}
#endif

static void NAME(check_large)(cusolverDnHandle_t handle) {
  NAME(check_large_cholesky)(handle, 450, CUBLAS_FILL_MODE_LOWER, 0);
  NAME(check_large_cholesky)(handle, 391, CUBLAS_FILL_MODE_UPPER, 0);
  NAME(check_large_cholesky)(handle, 450, CUBLAS_FILL_MODE_UPPER, 300);
  NAME(check_large_lu)(handle, 450, 450, 0);
  NAME(check_large_lu)(handle, 500, 391, 300);
  NAME(check_large_lu)(handle, 391, 470, 0);
  NAME(check_large_qr)(handle, 470, 391);
  NAME(check_large_qr)(handle, 391, 450);
  NAME(check_large_solutions)(handle, 391);
  NAME(check_large_squares)(handle, 450, 391);
#ifndef ON_NVIDIA
  NAME(check_large_rank)(handle, 391, 386, 0, 0);
  NAME(check_large_rank)(handle, 391, 386, 385, -(T)0);
#endif
}
