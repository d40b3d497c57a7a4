/* SPDX-License-Identifier: MIT */
/* reductions_type - the tests of conform_reductions for one type; see solver_types.h. */

/* A Q is Q T; and products with Q are as Q says. */
static void NAME(check_tridiagonal)(cusolverDnHandle_t handle, int n, cublasFillMode_t uplo) {
  sizes("type %d, sytrd of %d, uplo %d", (int)DATA_TYPE, n, (int)uplo);
  int lda = random_leading(n), p = random_int(1, 5), room = 0;
  T *a = NAME(hermitian)(n, lda, 0), *t = calloc((size_t)(n * n) + 1, sizeof(T)), *c = NAME(random_matrix)(n, p, n);
  R d[64] = { 0 }, e[64] = { 0 };
  begin_memory();
  DT *device = NAME(put)(a, n, n, lda), *tau = NAME(put)(a, n, 1, n), *work, *to = NAME(put)(c, n, p, n);
  R *diagonal = on_device(d, sizeof d), *beside = on_device(e, sizeof e);
  int *info = new_info();
  FINE(TRD(_bufferSize)(handle, uplo, n, device, lda, diagonal, beside, tau, &room));
  cudaMalloc((void **)&work, WORK_BYTES);
  EXPECT("room", (size_t)room * sizeof(T) <= WORK_BYTES);
  FINE(TRD()(handle, uplo, n, device, lda, diagonal, beside, tau, work, room, info));
  EXPECT("sytrd's info", value_of(info) == 0);
  from_device(d, diagonal, sizeof d);
  from_device(e, beside, sizeof e);
  for (int i = 0; i < n; i++) {
    t[i + i * n] = d[i];
    if (i + 1 < n)
      t[i + 1 + i * n] = t[i + (i + 1) * n] = e[i];
  }
  FINE(MTR(_bufferSize)(handle, CUBLAS_SIDE_LEFT, uplo, ADJOINT, n, p, device, lda, tau, to, n, &room));
  FINE(MTR()(handle, CUBLAS_SIDE_LEFT, uplo, ADJOINT, n, p, device, lda, tau, to, n, work, room, info));
  EXPECT("ormtr's info", value_of(info) == 0);
  FINE(GTR(_bufferSize)(handle, uplo, n, device, lda, tau, &room));
  FINE(GTR()(handle, uplo, n, device, lda, tau, work, room, info));
  EXPECT("orgtr's info", value_of(info) == 0);
  T *q = NAME(get)("orgtr", device, a, n, n, lda), *got = NAME(get)("ormtr", to, c, n, p, n);
  EXPECT("Q^H Q is one", NAME(is_orthonormal)(n, n, q, lda));
  T *aq = NAME(product)(n, n, n, a, lda, CUBLAS_OP_N, q, lda, CUBLAS_OP_N);
  T *qt = NAME(product)(n, n, n, q, lda, CUBLAS_OP_N, t, n, CUBLAS_OP_N);
  T *qc = NAME(product)(n, p, n, q, lda, CUBLAS_OP_C, c, n, CUBLAS_OP_N);
  EXPECT("A Q is Q T", NAME(distance)(n, n, aq, n, qt, n) <= TOLERANCE * (n + 1) * 4);
  EXPECT("Q^H C", NAME(distance)(n, p, qc, n, got, n) <= TOLERANCE * (n + 1) * 4);
  cudaFree(work);
  free(a), free(t), free(c), free(q), free(got), free(aq), free(qt), free(qc);
}

/* A is Q B P^H. */
static void NAME(check_bidiagonal)(cusolverDnHandle_t handle, int m, int n) {
  sizes("type %d, gebrd of %d by %d", (int)DATA_TYPE, m, n);
  int lda = random_leading(m), room = 0;
  T *a = NAME(random_matrix)(m, n, lda), *b = calloc((size_t)(n * n) + 1, sizeof(T));
  T *square = NAME(random_matrix)(n, n, n);
  R d[64] = { 0 }, e[64] = { 0 };
  begin_memory();
  DT *device = NAME(put)(a, m, n, lda), *tauq = NAME(put)(a, n, 1, n), *taup = NAME(put)(a, n, 1, n), *work;
  R *diagonal = on_device(d, sizeof d), *beside = on_device(e, sizeof e);
  int *info = new_info();
  FINE(FN(gebrd_bufferSize)(handle, m, n, &room));
  cudaMalloc((void **)&work, WORK_BYTES);
  EXPECT("room", (size_t)room * sizeof(T) <= WORK_BYTES);
  FINE(FN(gebrd)(handle, m, n, device, lda, diagonal, beside, tauq, taup, work, room, info));
  EXPECT("gebrd's info", value_of(info) == 0);
  from_device(d, diagonal, sizeof d);
  from_device(e, beside, sizeof e);
  for (int i = 0; i < n; i++) {
    b[i + i * n] = d[i];
    if (i + 1 < n)
      b[i + (i + 1) * n] = e[i];
  }
  T *factors = NAME(get)("gebrd", device, a, m, n, lda);
  for (int j = 0; j < n; j++)
    memcpy(square + j * n, factors + j * lda, (size_t)n * sizeof(T));
  DT *other = NAME(put)(square, n, n, n);
  FINE(GBR(_bufferSize)(handle, CUBLAS_SIDE_LEFT, m, n, n, device, lda, tauq, &room));
  FINE(GBR()(handle, CUBLAS_SIDE_LEFT, m, n, n, device, lda, tauq, work, room, info));
  EXPECT("orgbr's info", value_of(info) == 0);
  FINE(GBR(_bufferSize)(handle, CUBLAS_SIDE_RIGHT, n, n, m, other, n, taup, &room));
  FINE(GBR()(handle, CUBLAS_SIDE_RIGHT, n, n, m, other, n, taup, work, room, info));
  EXPECT("orgbr's info", value_of(info) == 0);
  T *q = NAME(get)("orgbr's Q", device, a, m, n, lda), *ph = NAME(get)("orgbr's P^H", other, square, n, n, n);
  EXPECT("Q^H Q is one", NAME(is_orthonormal)(m, n, q, lda));
  EXPECT("P^H P is one", NAME(is_orthonormal)(n, n, ph, n));
  T *qb = NAME(product)(m, n, n, q, lda, CUBLAS_OP_N, b, n, CUBLAS_OP_N);
  T *all = NAME(product)(m, n, n, qb, m, CUBLAS_OP_N, ph, n, CUBLAS_OP_N);
  EXPECT("Q B P^H is A", NAME(distance)(m, n, all, m, a, lda) <= TOLERANCE * (m + 1) * 4);
  cudaFree(work);
  free(a), free(b), free(square), free(factors), free(q), free(ph), free(qb), free(all);
}

static void NAME(check_reductions)(cusolverDnHandle_t handle) {
  for (int round = 0; round < 6; round++) {
    int n = random_int(2, 24);
    NAME(check_tridiagonal)(handle, n, round % 2 ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER);
    NAME(check_bidiagonal)(handle, n + random_int(0, 9), n);
  }
#ifndef ON_NVIDIA
  NAME(check_tridiagonal)(handle, 1, CUBLAS_FILL_MODE_LOWER);
  NAME(check_bidiagonal)(handle, 1, 1);
#endif
}
