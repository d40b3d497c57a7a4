/* SPDX-License-Identifier: MIT */
/* level2_type - level 2 for one type: included by blas_types.h. */

typedef struct {
  T *host, *device;
  int size, inc;
} NAMED(vector);

static NAMED(vector) NAMED(vector_of)(int n, int inc) {
  NAMED(vector) it = { NULL, NULL, size_of_vector(n, inc), inc };
  it.host = malloc((size_t)it.size * sizeof(T) + 1);
  FILL(it.host, (size_t)it.size * PARTS);
  it.device = on_device(it.host, (size_t)it.size * sizeof(T));
  return it;
}

/* ... of `count` numbers, whose diagonal, every `step`th from `first` on, is larger than the rest. */
static NAMED(vector) NAMED(solid_of)(int count, int n, int first, int step) {
  NAMED(vector) it = { malloc((size_t)count * sizeof(T) + 1), NULL, count, 1 };
  FILL(it.host, (size_t)count * PARTS);
  for (int i = 0; i < count * PARTS; i++)
    ((R *)it.host)[i] /= (R)(n + 1);
  for (int i = 0; step > 0 && i < n; i++)
    ((R *)&it.host[first + i * step])[0] += (R)2;
  it.device = on_device(it.host, (size_t)count * sizeof(T));
  return it;
}

static void NAMED(check)(const char *what, NAMED(vector) it) {
  COMPARE(what, it.device, it.host, (size_t)it.size * PARTS, 4 * TOLERANCE);
}

static void NAMED(drop)(NAMED(vector) a, NAMED(vector) x, NAMED(vector) y) {
  free(a.host);
  free(x.host);
  free(y.host);
}

static void NAMED(whole)(cublasHandle_t handle) {
  int ta = random_int(0, 2), m = random_int(1, 150), n = random_int(1, 150), lda = m + random_int(0, 3);
  int kl = random_int(0, 5), ku = random_int(0, 5), ldb = kl + ku + 1 + random_int(0, 2);
  T alpha = MAKE(0.5, 0.25), beta = random_int(0, 2) == 0 ? MAKE(0, 0) : MAKE(-0.75, 0.5);
  begin_memory();
  NAMED(vector) a = NAMED(vector_of)(lda * n, 1), b = NAMED(vector_of)(ldb * n, 1);
  NAMED(vector)
  x = NAMED(vector_of)(ta ? m : n, random_increment()), y = NAMED(vector_of)(ta ? n : m, random_increment());
  const T *by = FACTOR(&alpha), *kept = FACTOR(&beta);
  EXPECT(LETTER "gemv", CU(gemv)(handle, operations[ta], m, n, by, a.device, lda, x.device, x.inc, kept, y.device,
                                 y.inc) == CUBLAS_STATUS_SUCCESS);
  REF(gemv)
  (CblasColMajor, transposes[ta], m, n, SCALAR(alpha), a.host, lda, x.host, x.inc, SCALAR(beta), y.host, y.inc);
  NAMED(check)(LETTER "gemv", y);
  EXPECT(LETTER "gbmv", CU(gbmv)(handle, operations[ta], m, n, kl, ku, by, b.device, ldb, x.device, x.inc, kept,
                                 y.device, y.inc) == CUBLAS_STATUS_SUCCESS);
  REF(gbmv)
  (CblasColMajor, transposes[ta], m, n, kl, ku, SCALAR(alpha), b.host, ldb, x.host, x.inc, SCALAR(beta), y.host,
   y.inc);
  NAMED(check)(LETTER "gbmv", y);
  NAMED(vector) u = NAMED(vector_of)(m, random_increment()), v = NAMED(vector_of)(n, random_increment());
#ifdef COMPLEX_TYPE
  EXPECT(LETTER "geru",
         CU(geru)(handle, m, n, by, u.device, u.inc, v.device, v.inc, a.device, lda) == CUBLAS_STATUS_SUCCESS);
  REF(geru)(CblasColMajor, m, n, SCALAR(alpha), u.host, u.inc, v.host, v.inc, a.host, lda);
  EXPECT(LETTER "gerc",
         CU(gerc)(handle, m, n, by, u.device, u.inc, v.device, v.inc, a.device, lda) == CUBLAS_STATUS_SUCCESS);
  REF(gerc)(CblasColMajor, m, n, SCALAR(alpha), u.host, u.inc, v.host, v.inc, a.host, lda);
#else
  EXPECT(LETTER "ger",
         CU(ger)(handle, m, n, by, u.device, u.inc, v.device, v.inc, a.device, lda) == CUBLAS_STATUS_SUCCESS);
  REF(ger)(CblasColMajor, m, n, SCALAR(alpha), u.host, u.inc, v.host, v.inc, a.host, lda);
#endif
  NAMED(check)(LETTER "ger", a);
  NAMED(drop)(a, x, y);
  NAMED(drop)(b, u, v);
}

#ifdef COMPLEX_TYPE
#define SY(verb) he##verb
#define SB(verb) hb##verb
#define SP(verb) hp##verb
#else
#define SY(verb) sy##verb
#define SB(verb) sb##verb
#define SP(verb) sp##verb
#endif
#define APPLY(MACRO, name) MACRO(name)

static void NAMED(symmetric)(cublasHandle_t handle) {
  int upper = random_int(0, 1), n = random_int(1, 120), k = random_int(0, 6), lda = n + random_int(0, 3),
      ldb = k + 1 + random_int(0, 2);
  T alpha = MAKE(0.5, 0.25), beta = MAKE(-0.75, 0.5);
  R real = (R)0.625;
  begin_memory();
  NAMED(vector)
  a = NAMED(vector_of)(lda * n, 1), b = NAMED(vector_of)(ldb * n, 1), p = NAMED(vector_of)(n * (n + 1) / 2, 1);
  NAMED(vector) x = NAMED(vector_of)(n, random_increment()), y = NAMED(vector_of)(n, random_increment());
  const T *by = FACTOR(&alpha), *kept = FACTOR(&beta);
  const R *real_by = FACTOR(&real);
  cublasFillMode_t fill = fills[upper];
  EXPECT(LETTER "symv", APPLY(CU, SY(mv))(handle, fill, n, by, a.device, lda, x.device, x.inc, kept, y.device,
                                          y.inc) == CUBLAS_STATUS_SUCCESS);
  APPLY(REF, SY(mv))
  (CblasColMajor, triangles[upper], n, SCALAR(alpha), a.host, lda, x.host, x.inc, SCALAR(beta), y.host, y.inc);
  NAMED(check)(LETTER "symv", y);
  EXPECT(LETTER "sbmv", APPLY(CU, SB(mv))(handle, fill, n, k, by, b.device, ldb, x.device, x.inc, kept, y.device,
                                          y.inc) == CUBLAS_STATUS_SUCCESS);
  APPLY(REF, SB(mv))
  (CblasColMajor, triangles[upper], n, k, SCALAR(alpha), b.host, ldb, x.host, x.inc, SCALAR(beta), y.host, y.inc);
  NAMED(check)(LETTER "sbmv", y);
  EXPECT(LETTER "spmv", APPLY(CU, SP(mv))(handle, fill, n, by, p.device, x.device, x.inc, kept, y.device, y.inc) ==
                            CUBLAS_STATUS_SUCCESS);
  APPLY(REF, SP(mv))
  (CblasColMajor, triangles[upper], n, SCALAR(alpha), p.host, x.host, x.inc, SCALAR(beta), y.host, y.inc);
  NAMED(check)(LETTER "spmv", y);
  EXPECT(LETTER "syr",
         APPLY(CU, SY(r))(handle, fill, n, real_by, x.device, x.inc, a.device, lda) == CUBLAS_STATUS_SUCCESS);
  APPLY(REF, SY(r))(CblasColMajor, triangles[upper], n, real, x.host, x.inc, a.host, lda);
  EXPECT(LETTER "syr2", APPLY(CU, SY(r2))(handle, fill, n, by, x.device, x.inc, y.device, y.inc, a.device, lda) ==
                            CUBLAS_STATUS_SUCCESS);
  APPLY(REF, SY(r2))(CblasColMajor, triangles[upper], n, SCALAR(alpha), x.host, x.inc, y.host, y.inc, a.host, lda);
  NAMED(check)(LETTER "syr, syr2", a);
  EXPECT(LETTER "spr",
         APPLY(CU, SP(r))(handle, fill, n, real_by, x.device, x.inc, p.device) == CUBLAS_STATUS_SUCCESS);
  APPLY(REF, SP(r))(CblasColMajor, triangles[upper], n, real, x.host, x.inc, p.host);
  EXPECT(LETTER "spr2",
         APPLY(CU, SP(r2))(handle, fill, n, by, x.device, x.inc, y.device, y.inc, p.device) == CUBLAS_STATUS_SUCCESS);
  APPLY(REF, SP(r2))(CblasColMajor, triangles[upper], n, SCALAR(alpha), x.host, x.inc, y.host, y.inc, p.host);
  NAMED(check)(LETTER "spr, spr2", p);
  NAMED(drop)(a, x, y);
  NAMED(drop)(b, p, (NAMED(vector)){ NULL, NULL, 0, 0 });
}
#undef SY
#undef SB
#undef SP
#undef APPLY

static void NAMED(triangular)(cublasHandle_t handle) {
  int upper = random_int(0, 1), ta = random_int(0, 2), unit = random_int(0, 1), n = random_int(1, 120),
      k = random_int(0, 6), lda = n + random_int(0, 3), ldb = k + 1 + random_int(0, 2);
  cublasFillMode_t fill = fills[upper];
  cublasOperation_t operation = operations[ta];
  cublasDiagType_t diagonal = diagonals[unit];
  begin_memory();
  NAMED(vector) a = NAMED(solid_of)(lda * n, n, 0, lda + 1), b = NAMED(solid_of)(ldb * n, n, upper ? k : 0, ldb);
  NAMED(vector) p = NAMED(solid_of)(n * (n + 1) / 2, n, 0, 0), x = NAMED(vector_of)(n, random_increment());
  for (int i = 0, at = 0; i < n; i++) { /* the packed diagonal is not evenly spaced */
    ((R *)&p.host[upper ? at + i : at])[0] += (R)2;
    at += upper ? i + 1 : n - i;
  }
  p.device = on_device(p.host, (size_t)p.size * sizeof(T));
#define BOTH(verb)                                                                                                   \
  EXPECT(LETTER "tr" #verb, CU(tr##verb)(handle, fill, operation, diagonal, n, a.device, lda, x.device, x.inc) ==    \
                                CUBLAS_STATUS_SUCCESS);                                                              \
  REF(tr##verb)(CblasColMajor, triangles[upper], transposes[ta], units[unit], n, a.host, lda, x.host, x.inc);        \
  NAMED(check)(LETTER "tr" #verb, x);                                                                                \
  EXPECT(LETTER "tb" #verb, CU(tb##verb)(handle, fill, operation, diagonal, n, k, b.device, ldb, x.device, x.inc) == \
                                CUBLAS_STATUS_SUCCESS);                                                              \
  REF(tb##verb)(CblasColMajor, triangles[upper], transposes[ta], units[unit], n, k, b.host, ldb, x.host, x.inc);     \
  NAMED(check)(LETTER "tb" #verb, x);                                                                                \
  EXPECT(LETTER "tp" #verb,                                                                                          \
         CU(tp##verb)(handle, fill, operation, diagonal, n, p.device, x.device, x.inc) == CUBLAS_STATUS_SUCCESS);    \
  REF(tp##verb)(CblasColMajor, triangles[upper], transposes[ta], units[unit], n, p.host, x.host, x.inc);             \
  NAMED(check)(LETTER "tp" #verb, x);
  BOTH(mv)
  BOTH(sv)
#undef BOTH
  /* Packed and unpacked: the other triangle stays. */
  NAMED(vector) whole = NAMED(vector_of)(lda * n, 1), packed = NAMED(vector_of)(n * (n + 1) / 2, 1);
  EXPECT(LETTER "tpttr", CU(tpttr)(handle, fill, n, p.device, whole.device, lda) == CUBLAS_STATUS_SUCCESS);
  for (int j = 0, at = 0; j < n; j++)
    for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); i++)
      whole.host[i + j * lda] = p.host[at++];
  NAMED(check)(LETTER "tpttr", whole);
  EXPECT(LETTER "trttp", CU(trttp)(handle, fill, n, whole.device, lda, packed.device) == CUBLAS_STATUS_SUCCESS);
  memcpy(packed.host, p.host, (size_t)p.size * sizeof(T));
  NAMED(check)(LETTER "trttp", packed);
  NAMED(drop)(a, b, p);
  NAMED(drop)(x, whole, packed);
}

static void NAMED(level2)(cublasHandle_t handle) {
  for (int i = 0; i < 12; i++) {
    choose_place_of_factors(handle, i % 3 == 2);
    NAMED(whole)(handle);
    NAMED(symmetric)(handle);
    NAMED(triangular)(handle);
  }
}
