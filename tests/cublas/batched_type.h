/* SPDX-License-Identifier: MIT */
/* batched_type - batches for one type: included by blas_types.h. */

enum { NAMED(MOST) = 12 };

/* `count` matrices on the device, and an array there that points to them, in the other direction. */
typedef struct {
  T *host, *device, **pointers;
  int stride, count;
} NAMED(many);

static NAMED(many) NAMED(many_of)(int elements, int count) {
  NAMED(many) it = { NULL, NULL, NULL, elements + 3, count };
  T *places[NAMED(MOST)];
  it.host = malloc((size_t)it.stride * (size_t)count * sizeof(T));
  FILL(it.host, (size_t)it.stride * (size_t)count * PARTS);
  it.device = on_device(it.host, (size_t)it.stride * (size_t)count * sizeof(T));
  for (int i = 0; i < count; i++)
    places[i] = it.device + i * it.stride;
  it.pointers = on_device(places, (size_t)count * sizeof *places);
  return it;
}

static void NAMED(check_many)(const char *what, NAMED(many) it, double tolerance) {
  COMPARE(what, it.device, it.host, (size_t)it.stride * (size_t)it.count * PARTS, tolerance);
}

static void NAMED(products)(cublasHandle_t handle, int largest) {
  int ta = random_int(0, 2), tb = random_int(0, 2), m = random_int(1, largest), n = random_int(1, largest),
      k = random_int(1, largest), count = random_int(1, NAMED(MOST));
  int lda = (ta ? k : m) + random_int(0, 3), ldb = (tb ? n : k) + random_int(0, 3), ldc = m + random_int(0, 3);
  T alpha = MAKE(0.5, 0.25), beta = random_int(0, 2) == 0 ? MAKE(0, 0) : MAKE(-1, 0.5);
  begin_memory();
  NAMED(many) a = NAMED(many_of)(lda * (ta ? m : k), count), b = NAMED(many_of)(ldb * (tb ? k : n), count);
  NAMED(many) c = NAMED(many_of)(ldc * n, count), x = NAMED(many_of)(2 * (ta ? k : m) + 5, count);
  const T *by = FACTOR(&alpha), *kept = FACTOR(&beta);
  EXPECT(LETTER "gemmBatched",
         CU(gemmBatched)(handle, operations[ta], operations[tb], m, n, k, by, (const T *const *)a.pointers, lda,
                         (const T *const *)b.pointers, ldb, kept, c.pointers, ldc, count) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < count; i++)
    REF(gemm)
  (CblasColMajor, transposes[ta], transposes[tb], m, n, k, SCALAR(alpha), a.host + i * a.stride, lda,
   b.host + i * b.stride, ldb, SCALAR(beta), c.host + i * c.stride, ldc);
  NAMED(check_many)(LETTER "gemmBatched", c, TOLERANCE);
  EXPECT(LETTER "gemmStridedBatched",
         CU(gemmStridedBatched)(handle, operations[ta], operations[tb], m, n, k, by, a.device, lda, a.stride,
                                b.device, ldb, b.stride, kept, c.device, ldc, c.stride,
                                count) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < count; i++)
    REF(gemm)
  (CblasColMajor, transposes[ta], transposes[tb], m, n, k, SCALAR(alpha), a.host + i * a.stride, lda,
   b.host + i * b.stride, ldb, SCALAR(beta), c.host + i * c.stride, ldc);
  NAMED(check_many)(LETTER "gemmStridedBatched", c, TOLERANCE);
  /* Vectors: op(A) of the same batch, x and y a column each, with increments of either sign. */
  int rows = ta ? k : m, columns = ta ? m : k, tv = random_int(0, 2), inner = tv ? rows : columns,
      outer = tv ? columns : rows, incx = random_int(0, 1) ? 1 : -1, incy = random_int(0, 1) ? 2 : -2;
  NAMED(many) u = NAMED(many_of)(inner, count), v = NAMED(many_of)(2 * outer, count);
  EXPECT(LETTER "gemvBatched",
         CU(gemvBatched)(handle, operations[tv], rows, columns, by, (const T *const *)a.pointers, lda,
                         (const T *const *)u.pointers, incx, kept, v.pointers, incy, count) == CUBLAS_STATUS_SUCCESS);
  EXPECT(LETTER "gemvStridedBatched",
         CU(gemvStridedBatched)(handle, operations[tv], rows, columns, by, a.device, lda, a.stride, u.device, incx,
                                u.stride, kept, v.device, incy, v.stride, count) == CUBLAS_STATUS_SUCCESS);
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i < count; i++)
      REF(gemv)
  (CblasColMajor, transposes[tv], rows, columns, SCALAR(alpha), a.host + i * a.stride, lda, u.host + i * u.stride,
   incx, SCALAR(beta), v.host + i * v.stride, incy);
  NAMED(check_many)(LETTER "gemvBatched", v, 2 * TOLERANCE);
  free(a.host);
  free(b.host);
  free(c.host);
  free(x.host);
  free(u.host);
  free(v.host);
}

/* A solvable matrix, by rows in another order than the pivots will have. */
static void NAMED(solidify)(NAMED(many) * it, int n, int ld) {
  for (int i = 0; i < it->count; i++)
    for (int j = 0; j < n; j++)
      ((R *)&it->host[i * it->stride + (n - 1 - j) + j * ld])[0] += (R)n;
  cudaMemcpy(it->device, it->host, (size_t)it->stride * (size_t)it->count * sizeof(T), cudaMemcpyHostToDevice);
}

/* Checks that op(A) X is B. */
static void NAMED(check_solution)(const char *what, CBLAS_TRANSPOSE trans, int n, int nrhs, NAMED(many) a, int lda,
                                  NAMED(many) x, int ldx, const T *b) {
  T one = MAKE(1, 0), zero = MAKE(0, 0), *back = malloc((size_t)ldx * (size_t)nrhs * sizeof(T));
  T *found = malloc((size_t)x.stride * (size_t)x.count * sizeof(T));
  from_device(found, x.device, (size_t)x.stride * (size_t)x.count * sizeof(T));
  for (int i = 0; i < x.count; i++) {
    REF(gemm)
    (CblasColMajor, trans, CblasNoTrans, n, nrhs, n, SCALAR(one), a.host + i * a.stride, lda, found + i * x.stride,
     ldx, SCALAR(zero), back, ldx);
    bool is_right = true;
    for (int j = 0; j < nrhs; j++)
      for (int at = 0; at < n * PARTS; at++)
        is_right = is_right && is_near((double)((R *)(back + j * ldx))[at],
                                       (double)((const R *)(b + i * x.stride + j * ldx))[at], 20 * n * TOLERANCE);
    EXPECT(what, is_right);
  }
  free(back);
  free(found);
}

static void NAMED(systems)(cublasHandle_t handle) {
  int n = random_int(1, 40), nrhs = random_int(1, 5), ta = random_int(0, 2), count = random_int(1, NAMED(MOST)),
      lda = n + random_int(0, 2), pivots = random_int(0, 1), info = 7;
  begin_memory();
  NAMED(many)
  a = NAMED(many_of)(lda * n, count), b = NAMED(many_of)(lda * nrhs, count), c = NAMED(many_of)(lda * n, count);
  if (pivots)
    NAMED(solidify)(&a, n, lda);
  else
    for (int i = 0; i < count; i++)
      for (int j = 0; j < n; j++)
        ((R *)&a.host[i * a.stride + j + j * lda])[0] += (R)n;
  cudaMemcpy(a.device, a.host, (size_t)a.stride * (size_t)count * sizeof(T), cudaMemcpyHostToDevice);
  int zeros[NAMED(MOST) * 40] = { 0 }, infos[NAMED(MOST)];
  int *p = pivots ? on_device(zeros, sizeof zeros) : NULL, *status = on_device(zeros, sizeof infos);
  /* Inverses in one call leave the matrices as they are. */
  if (n <= 32) {
    EXPECT(LETTER "matinvBatched", CU(matinvBatched)(handle, n, (const T *const *)a.pointers, lda, c.pointers, lda,
                                                     status, count) == CUBLAS_STATUS_SUCCESS);
    NAMED(check_many)(LETTER "matinvBatched leaves A", a, 0);
    T *unit = calloc((size_t)c.stride * (size_t)count, sizeof(T));
    for (int i = 0; i < count; i++)
      for (int j = 0; j < n; j++)
        unit[i * c.stride + j + j * lda] = MAKE(1, 0);
    NAMED(check_solution)(LETTER "matinvBatched", CblasNoTrans, n, n, a, lda, c, lda, unit);
    free(unit);
  }
  EXPECT(LETTER "getrfBatched",
         CU(getrfBatched)(handle, n, a.pointers, lda, p, status, count) == CUBLAS_STATUS_SUCCESS);
  from_device(infos, status, (size_t)count * sizeof *infos);
  for (int i = 0; i < count; i++)
    EXPECT(LETTER "getrfBatched", infos[i] == 0);
  EXPECT(LETTER "getrsBatched", CU(getrsBatched)(handle, operations[ta], n, nrhs, (const T *const *)a.pointers, lda,
                                                 p, b.pointers, lda, &info, count) == CUBLAS_STATUS_SUCCESS);
  EXPECT(LETTER "getrsBatched", info == 0);
  NAMED(check_solution)(LETTER "getrsBatched", transposes[ta], n, nrhs, a, lda, b, lda, b.host);
  EXPECT(LETTER "getriBatched", CU(getriBatched)(handle, n, (const T *const *)a.pointers, lda, p, c.pointers, lda,
                                                 status, count) == CUBLAS_STATUS_SUCCESS);
  T *unit = calloc((size_t)c.stride * (size_t)count, sizeof(T));
  for (int i = 0; i < count; i++)
    for (int j = 0; j < n; j++)
      unit[i * c.stride + j + j * lda] = MAKE(1, 0);
  NAMED(check_solution)(LETTER "getriBatched", CblasNoTrans, n, n, a, lda, c, lda, unit);
  free(unit);
  /* A column of zeros is told, by its number. */
  T *zero = calloc((size_t)a.stride, sizeof(T));
  for (int j = 0; j < n - 1; j++)
    zero[j + j * lda] = MAKE(1, 0);
  cudaMemcpy(a.device, zero, (size_t)a.stride * sizeof(T), cudaMemcpyHostToDevice);
  EXPECT(LETTER "getrfBatched", CU(getrfBatched)(handle, n, a.pointers, lda, p, status, 1) == CUBLAS_STATUS_SUCCESS);
  from_device(infos, status, sizeof *infos);
  EXPECT(LETTER "getrfBatched of a singular matrix", infos[0] == n);
  free(zero);
  free(a.host);
  free(b.host);
  free(c.host);
}

static void NAMED(triangles_of)(cublasHandle_t handle) {
  int side = random_int(0, 1), upper = random_int(0, 1), ta = random_int(0, 2), unit = random_int(0, 1),
      m = random_int(1, 40), n = random_int(1, 40), count = random_int(1, NAMED(MOST)), order = side ? n : m,
      lda = order + random_int(0, 2), ldb = m + random_int(0, 2);
  T alpha = MAKE(0.75, -0.5);
  begin_memory();
  NAMED(many) a = NAMED(many_of)(lda * order, count), b = NAMED(many_of)(ldb * n, count);
  for (int i = 0; i < a.stride * count * PARTS; i++)
    ((R *)a.host)[i] /= (R)order;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < order; j++)
      ((R *)&a.host[i * a.stride + j + j * lda])[0] += (R)2;
  cudaMemcpy(a.device, a.host, (size_t)a.stride * (size_t)count * sizeof(T), cudaMemcpyHostToDevice);
  EXPECT(LETTER "trsmBatched", CU(trsmBatched)(handle, (cublasSideMode_t)side, fills[upper], operations[ta],
                                               diagonals[unit], m, n, FACTOR(&alpha), (const T *const *)a.pointers,
                                               lda, b.pointers, ldb, count) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < count; i++)
    REF(trsm)
  (CblasColMajor, sides[side], triangles[upper], transposes[ta], units[unit], m, n, SCALAR(alpha),
   a.host + i * a.stride, lda, b.host + i * b.stride, ldb);
  NAMED(check_many)(LETTER "trsmBatched", b, 4 * TOLERANCE);
  free(a.host);
  free(b.host);
}

static void NAMED(batched)(cublasHandle_t handle) {
  for (int i = 0; i < 8; i++) {
    choose_place_of_factors(handle, i % 4 == 3);
    NAMED(products)(handle, i == 4 ? 150 : 40);
    NAMED(systems)(handle);
    NAMED(triangles_of)(handle);
  }
  choose_place_of_factors(handle, false);
}
