/* SPDX-License-Identifier: MIT */
/* level3_type - level 3 for one type: included by blas_types.h. */

static T *NAMED(matrix)(int ld, int columns) {
  T *a = malloc((size_t)ld * (size_t)columns * sizeof(T) + 1);
  FILL(a, (size_t)ld * (size_t)columns * PARTS);
  return a;
}

static void NAMED(gemm)(cublasHandle_t handle, int largest) {
  int ta = random_int(0, 2), tb = random_int(0, 2), m = random_int(1, largest), n = random_int(1, largest),
      k = random_int(0, largest);
  int lda = (ta == 0 ? m : k) + random_int(1, 4), ldb = (tb == 0 ? k : n) + random_int(1, 4),
      ldc = m + random_int(0, 4);
  T *a = NAMED(matrix)(lda, ta == 0 ? k : m), *b = NAMED(matrix)(ldb, tb == 0 ? n : k), *c = NAMED(matrix)(ldc, n);
  T alpha = MAKE(0.75, 0.5), beta = random_int(0, 2) == 0 ? MAKE(0, 0) : MAKE(-0.5, 0.25);
  begin_memory();
  T *da = on_device(a, (size_t)lda * (size_t)(ta == 0 ? k : m) * sizeof(T));
  T *db = on_device(b, (size_t)ldb * (size_t)(tb == 0 ? n : k) * sizeof(T));
  T *dc = on_device(c, (size_t)ldc * (size_t)n * sizeof(T));
  REF(gemm)
  (CblasColMajor, transposes[ta], transposes[tb], m, n, k, SCALAR(alpha), a, lda, b, ldb, SCALAR(beta), c, ldc);
  EXPECT(LETTER "gemm", CU(gemm)(handle, operations[ta], operations[tb], m, n, k, FACTOR(&alpha), da, lda, db, ldb,
                                 FACTOR(&beta), dc, ldc) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "gemm", dc, c, (size_t)ldc * (size_t)n * PARTS, TOLERANCE);
  free(a);
  free(b);
  free(c);
}

/* Where beta is 0, C is not read, and where alpha is 0, neither A nor B. */
static void NAMED(gemm_nan)(cublasHandle_t handle, int m, int n, int k) {
  T *a = NAMED(matrix)(m, k), *b = NAMED(matrix)(k, n), *c = NAMED(matrix)(m, n);
  T alpha = MAKE(2, 0), zero = MAKE(0, 0), half = MAKE(0.5, 0);
  T *nans = malloc((size_t)m * (size_t)n * sizeof(T));
  for (int i = 0; i < m * n; i++)
    nans[i] = MAKE(NAN, NAN);
  begin_memory();
  T *da = on_device(a, (size_t)m * (size_t)k * sizeof(T)), *db = on_device(b, (size_t)k * (size_t)n * sizeof(T));
  T *dc = on_device(nans, (size_t)m * (size_t)n * sizeof(T));
  REF(gemm)(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, SCALAR(alpha), a, m, b, k, SCALAR(zero), c, m);
  EXPECT(LETTER "gemm", CU(gemm)(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, FACTOR(&alpha), da, m, db, k,
                                 FACTOR(&zero), dc, m) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "gemm, C is NaN and beta 0", dc, c, (size_t)m * (size_t)n * PARTS, TOLERANCE);
#ifndef ON_NVIDIA /* which reads A then; BLAS does not */
  T *dn = on_device(nans, (size_t)m * (size_t)n * sizeof(T));
  REF(gemm)(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, 0, SCALAR(zero), a, m, b, k, SCALAR(half), c, m);
  EXPECT(LETTER "gemm", CU(gemm)(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, n, FACTOR(&zero), dn, m, dn, m < n ? n : m,
                                 FACTOR(&half), dc, m) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "gemm, A is NaN and alpha 0", dc, c, (size_t)m * (size_t)n * PARTS, TOLERANCE);
#endif
  free(a);
  free(b);
  free(c);
  free(nans);
}

static void NAMED(symm)(cublasHandle_t handle, int largest) {
  int side = random_int(0, 1), upper = random_int(0, 1), m = random_int(1, largest), n = random_int(1, largest);
  int order = side == 0 ? m : n, lda = order + random_int(0, 3), ldb = m + random_int(0, 3),
      ldc = m + random_int(0, 3);
  T *a = NAMED(matrix)(lda, order), *b = NAMED(matrix)(ldb, n), *c = NAMED(matrix)(ldc, n);
  T alpha = MAKE(-1.5, 0.5), beta = MAKE(0.25, 1);
  begin_memory();
  T *da = on_device(a, (size_t)lda * (size_t)order * sizeof(T)),
    *db = on_device(b, (size_t)ldb * (size_t)n * sizeof(T));
  T *dc = on_device(c, (size_t)ldc * (size_t)n * sizeof(T)), *dd = on_device(c, (size_t)ldc * (size_t)n * sizeof(T));
  T *d = malloc((size_t)ldc * (size_t)n * sizeof(T));
  memcpy(d, c, (size_t)ldc * (size_t)n * sizeof(T));
  REF(symm)(CblasColMajor, sides[side], triangles[upper], m, n, SCALAR(alpha), a, lda, b, ldb, SCALAR(beta), c, ldc);
  EXPECT(LETTER "symm", CU(symm)(handle, (cublasSideMode_t)side, fills[upper], m, n, FACTOR(&alpha), da, lda, db, ldb,
                                 FACTOR(&beta), dc, ldc) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "symm", dc, c, (size_t)ldc * (size_t)n * PARTS, TOLERANCE);
#ifdef COMPLEX_TYPE
  REF(hemm)(CblasColMajor, sides[side], triangles[upper], m, n, SCALAR(alpha), a, lda, b, ldb, SCALAR(beta), d, ldc);
  EXPECT(LETTER "hemm", CU(hemm)(handle, (cublasSideMode_t)side, fills[upper], m, n, FACTOR(&alpha), da, lda, db, ldb,
                                 FACTOR(&beta), dd, ldc) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "hemm", dd, d, (size_t)ldc * (size_t)n * PARTS, TOLERANCE);
#else
  (void)dd;
#endif
  free(a);
  free(b);
  free(c);
  free(d);
}

static void NAMED(syrk)(cublasHandle_t handle, int largest) {
  int upper = random_int(0, 1), turns = random_int(0, 1), n = random_int(1, largest), k = random_int(0, largest);
  int rows = turns ? k : n, columns = turns ? n : k, lda = rows + random_int(1, 3), ldb = rows + random_int(1, 3),
      ldc = n + random_int(0, 3);
  T *a = NAMED(matrix)(lda, columns), *b = NAMED(matrix)(ldb, columns), *c = NAMED(matrix)(ldc, n);
  size_t bytes = (size_t)ldc * (size_t)n * sizeof(T), count = (size_t)ldc * (size_t)n * PARTS;
  T *d = malloc(bytes), *e = malloc(bytes);
  T alpha = MAKE(0.5, -0.75), beta = MAKE(-0.25, 0.5);
  memcpy(d, c, bytes);
  memcpy(e, c, bytes);
  begin_memory();
  T *da = on_device(a, (size_t)lda * (size_t)columns * sizeof(T));
  T *db = on_device(b, (size_t)ldb * (size_t)columns * sizeof(T)), *dc = on_device(c, bytes),
    *dd = on_device(c, bytes);
  REF(syrk)(CblasColMajor, triangles[upper], transposes[turns], n, k, SCALAR(alpha), a, lda, SCALAR(beta), c, ldc);
  EXPECT(LETTER "syrk", CU(syrk)(handle, fills[upper], operations[turns], n, k, FACTOR(&alpha), da, lda,
                                 FACTOR(&beta), dc, ldc) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "syrk", dc, c, count, TOLERANCE);
  REF(syr2k)
  (CblasColMajor, triangles[upper], transposes[turns], n, k, SCALAR(alpha), a, lda, b, ldb, SCALAR(beta), d, ldc);
  EXPECT(LETTER "syr2k", CU(syr2k)(handle, fills[upper], operations[turns], n, k, FACTOR(&alpha), da, lda, db, ldb,
                                   FACTOR(&beta), dd, ldc) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "syr2k", dd, d, count, TOLERANCE);
  /* With B for A it is syrk. */
  T *de = on_device(e, bytes);
  REF(syrk)(CblasColMajor, triangles[upper], transposes[turns], n, k, SCALAR(alpha), a, lda, SCALAR(beta), e, ldc);
  EXPECT(LETTER "syrkx", CU(syrkx)(handle, fills[upper], operations[turns], n, k, FACTOR(&alpha), da, lda, da, lda,
                                   FACTOR(&beta), de, ldc) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "syrkx", de, e, count, TOLERANCE);
  free(a);
  free(b);
  free(c);
  free(d);
  free(e);
}

#ifdef COMPLEX_TYPE
static void NAMED(herk)(cublasHandle_t handle, int largest) {
  int upper = random_int(0, 1), turns = 2 * random_int(0, 1), n = random_int(1, largest), k = random_int(1, largest);
  int rows = turns ? k : n, columns = turns ? n : k, lda = rows + random_int(0, 3), ldb = rows + random_int(0, 3),
      ldc = n + random_int(0, 3);
  T *a = NAMED(matrix)(lda, columns), *b = NAMED(matrix)(ldb, columns), *c = NAMED(matrix)(ldc, n);
  size_t bytes = (size_t)ldc * (size_t)n * sizeof(T), count = (size_t)ldc * (size_t)n * PARTS;
  T *d = malloc(bytes), alpha = MAKE(0.5, -0.75);
  R real = (R)0.75, beta = (R)-0.25;
  memcpy(d, c, bytes);
  begin_memory();
  T *da = on_device(a, (size_t)lda * (size_t)columns * sizeof(T));
  T *db = on_device(b, (size_t)ldb * (size_t)columns * sizeof(T)), *dc = on_device(c, bytes),
    *dd = on_device(c, bytes);
  const R *by = FACTOR(&real);
  const R *kept = FACTOR(&beta);
  REF(herk)(CblasColMajor, triangles[upper], transposes[turns], n, k, real, a, lda, beta, c, ldc);
  EXPECT(LETTER "herk", CU(herk)(handle, fills[upper], operations[turns], n, k, by, da, lda, kept, dc, ldc) ==
                            CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "herk", dc, c, count, TOLERANCE);
  REF(her2k)(CblasColMajor, triangles[upper], transposes[turns], n, k, SCALAR(alpha), a, lda, b, ldb, beta, d, ldc);
  EXPECT(LETTER "her2k", CU(her2k)(handle, fills[upper], operations[turns], n, k, FACTOR(&alpha), da, lda, db, ldb,
                                   kept, dd, ldc) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "her2k", dd, d, count, TOLERANCE);
  free(a);
  free(b);
  free(c);
  free(d);
}
#endif

/* A triangle whose systems are well to solve. */
static T *NAMED(triangle)(int n, int ld) {
  T *a = NAMED(matrix)(ld, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      R by = (R)(i == j ? 1 : 1.0 / n);
      for (int part = 0; part < PARTS; part++)
        ((R *)&a[i + j * ld])[part] *= by;
      if (i == j)
        ((R *)&a[i + j * ld])[0] += (R)2;
    }
  return a;
}

static void NAMED(trmm)(cublasHandle_t handle, int largest) {
  int side = random_int(0, 1), upper = random_int(0, 1), ta = random_int(0, 2), unit = random_int(0, 1),
      m = random_int(1, largest), n = random_int(1, largest);
  int order = side == 0 ? m : n, lda = order + random_int(0, 3), ldb = m + random_int(0, 3),
      ldc = m + random_int(0, 3);
  T *a = NAMED(triangle)(order, lda), *b = NAMED(matrix)(ldb, n), *c = NAMED(matrix)(ldc, n),
    *x = NAMED(matrix)(ldb, n);
  T alpha = MAKE(1.25, -0.5);
  size_t bytes = (size_t)ldb * (size_t)n * sizeof(T);
  memcpy(x, b, bytes);
  begin_memory();
  T *da = on_device(a, (size_t)lda * (size_t)order * sizeof(T)), *db = on_device(b, bytes), *dx = on_device(x, bytes);
  T *dc = on_device(c, (size_t)ldc * (size_t)n * sizeof(T));
  EXPECT(LETTER "trmm", CU(trmm)(handle, (cublasSideMode_t)side, fills[upper], operations[ta], diagonals[unit], m, n,
                                 FACTOR(&alpha), da, lda, db, ldb, dc, ldc) == CUBLAS_STATUS_SUCCESS);
  EXPECT(LETTER "trmm", CU(trmm)(handle, (cublasSideMode_t)side, fills[upper], operations[ta], diagonals[unit], m, n,
                                 FACTOR(&alpha), da, lda, db, ldb, db, ldb) == CUBLAS_STATUS_SUCCESS);
  EXPECT(LETTER "trsm", CU(trsm)(handle, (cublasSideMode_t)side, fills[upper], operations[ta], diagonals[unit], m, n,
                                 FACTOR(&alpha), da, lda, dx, ldb) == CUBLAS_STATUS_SUCCESS);
  REF(trmm)
  (CblasColMajor, sides[side], triangles[upper], transposes[ta], units[unit], m, n, SCALAR(alpha), a, lda, b, ldb);
  REF(trsm)
  (CblasColMajor, sides[side], triangles[upper], transposes[ta], units[unit], m, n, SCALAR(alpha), a, lda, x, ldb);
  for (int j = 0; j < n; j++)
    memcpy(c + j * ldc, b + j * ldb, (size_t)m * sizeof(T));
  COMPARE(LETTER "trmm", dc, c, (size_t)ldc * (size_t)n * PARTS, TOLERANCE);
  COMPARE(LETTER "trmm in place", db, b, (size_t)ldb * (size_t)n * PARTS, TOLERANCE);
  COMPARE(LETTER "trsm", dx, x, (size_t)ldb * (size_t)n * PARTS, 4 * TOLERANCE);
  free(a);
  free(b);
  free(c);
  free(x);
}

static void NAMED(geam)(cublasHandle_t handle, int largest) {
  int ta = random_int(0, 2), tb = random_int(0, 2), m = random_int(1, largest), n = random_int(1, largest);
  int lda = (ta ? n : m) + random_int(0, 3), ldb = (tb ? n : m) + random_int(0, 3), ldc = m + random_int(0, 3);
  T *a = NAMED(matrix)(lda, ta ? m : n), *b = NAMED(matrix)(ldb, tb ? m : n), *c = NAMED(matrix)(ldc, n);
  T alpha = MAKE(0.5, 0.25), beta = MAKE(-2, 0.5), one = MAKE(1, 0), zero = MAKE(0, 0), *whole = NAMED(matrix)(n, n);
  begin_memory();
  T *da = on_device(a, (size_t)lda * (size_t)(ta ? m : n) * sizeof(T));
  T *db = on_device(b, (size_t)ldb * (size_t)(tb ? m : n) * sizeof(T)),
    *dc = on_device(c, (size_t)ldc * (size_t)n * sizeof(T));
  for (int i = 0; i < n * n; i++)
    whole[i] = i % (n + 1) == 0 ? one : zero;
  T *unit = malloc((size_t)m * (size_t)m * sizeof(T));
  for (int i = 0; i < m * m; i++)
    unit[i] = i % (m + 1) == 0 ? one : zero;
  /* C = alpha op(A) I + 0 C, then C += beta I op(B). */
  REF(gemm)
  (CblasColMajor, transposes[ta], CblasNoTrans, m, n, n, SCALAR(alpha), a, lda, whole, n, SCALAR(zero), c, ldc);
  REF(gemm)(CblasColMajor, CblasNoTrans, transposes[tb], m, n, m, SCALAR(beta), unit, m, b, ldb, SCALAR(one), c, ldc);
  EXPECT(LETTER "geam", CU(geam)(handle, operations[ta], operations[tb], m, n, FACTOR(&alpha), da, lda, FACTOR(&beta),
                                 db, ldb, dc, ldc) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "geam", dc, c, (size_t)ldc * (size_t)n * PARTS, TOLERANCE);
  /* dgmm: the diagonal is the first row of the result, a column apart. */
  T *x = NAMED(matrix)(2, n), *e = malloc((size_t)m * (size_t)n * sizeof(T));
  memset(whole, 0, (size_t)n * (size_t)n * sizeof(T));
  for (int i = 0; i < n; i++)
    whole[i + i * n] = x[2 * i];
  T *dx = on_device(x, 2 * (size_t)n * sizeof(T)), *de = on_device(e, (size_t)m * (size_t)n * sizeof(T));
  REF(gemm)(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, n, SCALAR(one), c, ldc, whole, n, SCALAR(zero), e, m);
  EXPECT(LETTER "dgmm", CU(dgmm)(handle, CUBLAS_SIDE_RIGHT, m, n, dc, ldc, dx, 2, de, m) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "dgmm", de, e, (size_t)m * (size_t)n * PARTS, TOLERANCE);
  free(a);
  free(b);
  free(c);
  free(whole);
  free(unit);
  free(x);
  free(e);
}

static void NAMED(level3)(cublasHandle_t handle) {
  for (int i = 0; i < 16; i++) {
    choose_place_of_factors(handle, i % 4 == 3);
    NAMED(gemm)(handle, i < 14 ? 70 : 200);
    NAMED(symm)(handle, 60);
    NAMED(syrk)(handle, i % 4 < 2 ? 50 : 150);
#ifdef COMPLEX_TYPE
    NAMED(herk)(handle, i % 4 < 2 ? 50 : 150);
#endif
    NAMED(trmm)(handle, 80);
    NAMED(geam)(handle, 40);
  }
  for (int i = 0; i < 4; i++) {
    choose_place_of_factors(handle, i % 2);
    NAMED(gemm_nan)(handle, i < 2 ? 20 : 160, i < 2 ? 30 : 160, i < 2 ? 10 : 160);
  }
  choose_place_of_factors(handle, false);
}
