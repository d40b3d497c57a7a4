/* SPDX-License-Identifier: MIT */
/* typed_type - the tests of conform_typed for one type; see solver_types.h. */

/* Columns of `left` are w times those of `right`. */
static void NAME(expect_scaled)(const char *what, int n, int found, const T *left, const T *right, int ld,
                                const R *w) {
  double most = 0;
  for (int j = 0; j < found; j++)
    for (int i = 0; i < n; i++)
      most = fmax(most, SIZE_OF(left[i + j * n] - w[j] * right[i + j * ld]));
  EXPECT(what, most <= TOLERANCE * (n + 1) * 8);
}

static void NAME(check_syevdx)(cusolverDnHandle_t handle, cusolverDnParams_t params, int n,
                               cusolverEigRange_t range) {
  sizes("type %d, Xsyevdx of %d, range %d", (int)DATA_TYPE, n, (int)range);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  int lda = random_leading(n), il = random_int(1, n), iu = random_int(il, n);
  T *a = NAME(hermitian)(n, lda, 0);
  R w[64] = { 0 }, vl = -1, vu = 1;
  int64_t found = -1;
  rooms work;
  begin_memory();
  DT *device = NAME(put)(a, n, n, lda);
  R *values = on_device(w, sizeof w);
  int *info = new_info();
  FINE(cusolverDnXsyevdx_bufferSize(handle, params, with, range, lower, n, DATA_TYPE, device, lda, &vl, &vu, il, iu,
                                    &found, REAL_TYPE, values, DATA_TYPE, &work.on_device, &work.on_host));
  take_rooms(&work);
  FINE(cusolverDnXsyevdx(handle, params, with, range, lower, n, DATA_TYPE, device, lda, &vl, &vu, il, iu, &found,
                         REAL_TYPE, values, DATA_TYPE, work.device, work.on_device, work.host, work.on_host, info));
  EXPECT("syevdx's info", value_of(info) == 0);
  EXPECT("how many values", range == CUSOLVER_EIG_RANGE_I     ? found == iu - il + 1
                            : range == CUSOLVER_EIG_RANGE_ALL ? found == n
                                                              : found >= 0 && found <= n);
  T *v = NAME(get)("syevdx", device, a, n, n, lda);
  from_device(w, values, sizeof w);
  for (int i = 0; i < (int)found; i++)
    EXPECT("within bounds", range != CUSOLVER_EIG_RANGE_V || (w[i] > vl && w[i] <= vu));
  T *av = NAME(product)(n, (int)found, n, a, lda, CUBLAS_OP_N, v, lda, CUBLAS_OP_N);
  NAME(expect_scaled)("syevdx", n, (int)found, av, v, lda, w);
  give_rooms(&work);
  free(a), free(v), free(av);
}

static void NAME(check_batch)(cusolverDnHandle_t handle, cusolverDnParams_t params, int n, int count) {
  sizes("type %d, XsyevBatched of %d, %d of them", (int)DATA_TYPE, n, count);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  const cublasFillMode_t upper = CUBLAS_FILL_MODE_UPPER;
  T *a = NAME(random_matrix)(n, n * count, n);
  R w[64] = { 0 };
  int infos[8];
  rooms work;
  for (int k = 0; k < count; k++) {
    T *one = NAME(hermitian)(n, n, 0);
    memcpy(a + k * n * n, one, (size_t)(n * n) * sizeof(T));
    free(one);
  }
  memset(infos, 77, sizeof infos);
  begin_memory();
  DT *device = NAME(put)(a, n, n * count, n);
  R *values = on_device(w, sizeof w);
  int *info = on_device(infos, sizeof infos);
  FINE(cusolverDnXsyevBatched_bufferSize(handle, params, with, upper, n, DATA_TYPE, device, n, REAL_TYPE, values,
                                         DATA_TYPE, &work.on_device, &work.on_host, count));
  take_rooms(&work);
  FINE(cusolverDnXsyevBatched(handle, params, with, upper, n, DATA_TYPE, device, n, REAL_TYPE, values, DATA_TYPE,
                              work.device, work.on_device, work.host, work.on_host, info, count));
  T *v = NAME(get)("syevBatched", device, a, n, n * count, n);
  from_device(w, values, sizeof w);
  from_device(infos, info, sizeof infos);
  for (int k = 0; k < count; k++) {
    T *av = NAME(product)(n, n, n, a + k * n * n, n, CUBLAS_OP_N, v + k * n * n, n, CUBLAS_OP_N);
    EXPECT("an info of a batch", infos[k] == 0);
    NAME(expect_scaled)("syevBatched", n, n, av, v + k * n * n, n, w + k * n);
    free(av);
  }
  give_rooms(&work);
  free(a), free(v);
}

static void NAME(check_gesvdp)(cusolverDnHandle_t handle, cusolverDnParams_t params, int m, int n, int econ) {
  sizes("type %d, Xgesvdp of %d by %d, econ %d", (int)DATA_TYPE, m, n, econ);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  int lda = random_leading(m), ldu = random_leading(m), ldv = random_leading(n), k = m < n ? m : n;
  T *a = NAME(random_matrix)(m, n, lda), *u0 = NAME(random_matrix)(m, m, ldu), *v0 = NAME(random_matrix)(n, n, ldv);
  R s[64] = { 0 };
  double error = -1;
  rooms work;
  begin_memory();
  DT *device = NAME(put)(a, m, n, lda), *du = NAME(put)(u0, m, m, ldu), *dv = NAME(put)(v0, n, n, ldv);
  R *values = on_device(s, sizeof s);
  int *info = new_info();
  FINE(cusolverDnXgesvdp_bufferSize(handle, params, with, econ, m, n, DATA_TYPE, device, lda, REAL_TYPE, values,
                                    DATA_TYPE, du, ldu, DATA_TYPE, dv, ldv, DATA_TYPE, &work.on_device,
                                    &work.on_host));
  take_rooms(&work);
  FINE(cusolverDnXgesvdp(handle, params, with, econ, m, n, DATA_TYPE, device, lda, REAL_TYPE, values, DATA_TYPE, du,
                         ldu, DATA_TYPE, dv, ldv, DATA_TYPE, work.device, work.on_device, work.host, work.on_host,
                         info, &error));
  EXPECT("gesvdp's info", value_of(info) == 0);
  EXPECT("gesvdp's error", error >= 0 && error < 1e-3);
  from_device(s, values, sizeof s);
  T *u = NAME(get)("gesvdp's U", du, u0, m, m, ldu), *v = NAME(get)("gesvdp's V", dv, v0, n, n, ldv);
  EXPECT("U S V^H is A", NAME(svd_distance)("values descend", m, n, k, a, lda, s, u, ldu, v, ldv, CUBLAS_OP_C) <=
                             TOLERANCE * (m + n) * 4);
  EXPECT("U^H U is one", NAME(is_orthonormal)(m, econ ? k : m, u, ldu));
  EXPECT("V^H V is one", NAME(is_orthonormal)(n, econ ? k : n, v, ldv));
  give_rooms(&work);
  free(a), free(u0), free(v0), free(u), free(v);
}

/* A matrix of rank k, so that its k largest values are all. */
static void NAME(check_gesvdr)(cusolverDnHandle_t handle, cusolverDnParams_t params, int m, int n, int k) {
  sizes("type %d, Xgesvdr of %d by %d, rank %d", (int)DATA_TYPE, m, n, k);
  T *b = NAME(random_matrix)(m, k, m), *c = NAME(random_matrix)(k, n, k);
  T *a = NAME(product)(m, n, k, b, m, CUBLAS_OP_N, c, k, CUBLAS_OP_N);
  int ldu = random_leading(m), ldv = random_leading(n), p = m > n ? n - k : m - k;
  T *u0 = NAME(random_matrix)(m, k, ldu), *v0 = NAME(random_matrix)(n, k, ldv);
  R s[64] = { 0 };
  rooms work;
  begin_memory();
  DT *device = NAME(put)(a, m, n, m), *du = NAME(put)(u0, m, k, ldu), *dv = NAME(put)(v0, n, k, ldv);
  R *values = on_device(s, sizeof s);
  int *info = new_info();
  FINE(cusolverDnXgesvdr_bufferSize(handle, params, 'S', 'S', m, n, k, p, 2, DATA_TYPE, device, m, REAL_TYPE, values,
                                    DATA_TYPE, du, ldu, DATA_TYPE, dv, ldv, DATA_TYPE, &work.on_device,
                                    &work.on_host));
  take_rooms(&work);
  FINE(cusolverDnXgesvdr(handle, params, 'S', 'S', m, n, k, p, 2, DATA_TYPE, device, m, REAL_TYPE, values, DATA_TYPE,
                         du, ldu, DATA_TYPE, dv, ldv, DATA_TYPE, work.device, work.on_device, work.host, work.on_host,
                         info));
  EXPECT("gesvdr's info", value_of(info) == 0);
  from_device(s, values, sizeof s);
  T *u = NAME(get)("gesvdr's U", du, u0, m, k, ldu), *v = NAME(get)("gesvdr's V", dv, v0, n, k, ldv);
  double left = NAME(svd_distance)("values descend", m, n, k, a, m, s, u, ldu, v, ldv, CUBLAS_OP_C);
#ifdef ON_NVIDIA /* which multiplies by A five times, and loses small values of floats by that */
  EXPECT("U S V^H is nearly A", left <= sqrt(TOLERANCE) * (m + n));
#else
  EXPECT("U S V^H is A", left <= TOLERANCE * (m + n) * 16);
#endif
  give_rooms(&work);
  free(a), free(b), free(c), free(u0), free(v0), free(u), free(v);
}

/* Q, made of V and T, times R is A. */
static void NAME(check_larft)(cusolverDnHandle_t handle, cusolverDnParams_t params, int n, int k) {
  sizes("type %d, Xlarft of %d by %d", (int)DATA_TYPE, n, k);
  int room = 0;
  T *a = NAME(random_matrix)(n, k, n), *zeros = calloc((size_t)(k * k) + 1, sizeof(T));
  rooms work;
  begin_memory();
  DT *device = NAME(put)(a, n, k, n), *tau = NAME(put)(zeros, k, 1, k), *t = NAME(put)(zeros, k, k, k), *area;
  int *info = new_info();
  FINE(FN(geqrf_bufferSize)(handle, n, k, device, n, &room));
  cudaMalloc((void **)&area, (size_t)room * sizeof(T));
  FINE(FN(geqrf)(handle, n, k, device, n, tau, area, room, info));
  FINE(cusolverDnXlarft_bufferSize(handle, params, CUBLAS_DIRECT_FORWARD, CUBLAS_STOREV_COLUMNWISE, n, k, DATA_TYPE,
                                   device, n, DATA_TYPE, tau, DATA_TYPE, t, k, DATA_TYPE, &work.on_device,
                                   &work.on_host));
  take_rooms(&work);
  FINE(cusolverDnXlarft(handle, params, CUBLAS_DIRECT_FORWARD, CUBLAS_STOREV_COLUMNWISE, n, k, DATA_TYPE, device, n,
                        DATA_TYPE, tau, DATA_TYPE, t, k, DATA_TYPE, work.device, work.on_device, work.host,
                        work.on_host));
  T *factors = NAME(get)("larft's V", device, a, n, k, n), *square = NAME(get)("larft", t, zeros, k, k, k);
  T *v = NAME(copy_of)(factors, n, k, n), *qr = NAME(copy_of)(factors, n, k, n);
  for (int j = 0; j < k; j++)
    for (int i = 0; i < n; i++) {
      v[i + j * n] = i == j ? (T)1 : i < j ? (T)0 : v[i + j * n];
      qr[i + j * n] = i <= j ? qr[i + j * n] : 0;
      if (i < k && i > j)
        square[i + j * k] = 0;
    }
  T *vr = NAME(product)(k, k, n, v, n, CUBLAS_OP_C, qr, n, CUBLAS_OP_N);
  T *tvr = NAME(product)(k, k, k, square, k, CUBLAS_OP_N, vr, k, CUBLAS_OP_N);
  T *all = NAME(product)(n, k, k, v, n, CUBLAS_OP_N, tvr, k, CUBLAS_OP_N);
  for (int i = 0; i < n * k; i++)
    qr[i] -= all[i];
  EXPECT("(1 - V T V^H) R is A", NAME(distance)(n, k, qr, n, a, n) <= TOLERANCE * (n + 1) * 4);
  cudaFree(area);
  give_rooms(&work);
  free(a), free(zeros), free(factors), free(square), free(v), free(qr), free(vr), free(tvr), free(all);
}

/* ---- matrices that are not hermitian --------------------------------------------------------------------------- */

/* Column j of vectors, which a real matrix has as two columns for a pair. */
static void NAME(vector_of)(int n, const T *v, int ldv, int j, double complex w, double complex *to) {
#define IS_PAIR (sizeof(T) == sizeof(R) && cimag(w) != 0)
  for (int i = 0; i < n; i++)
    to[i] = !IS_PAIR       ? (double complex)v[i + j * ldv]
            : cimag(w) > 0 ? (double complex)v[i + j * ldv] + (double complex)v[i + (j + 1) * ldv] * I
                           : (double complex)v[i + (j - 1) * ldv] - (double complex)v[i + j * ldv] * I;
#undef IS_PAIR
}

/* A v is w v; or, from the left, A^H v is the conjugate of w times v. */
static void NAME(check_vectors_of)(int n, const T *a, const T *v, int ldv, const double complex *w, bool is_left) {
  double complex vector[64];
  for (int j = 0; j < n; j++) {
    double most = 0, size = 0;
    NAME(vector_of)(n, v, ldv, j, w[j], vector);
    for (int i = 0; i < n; i++) {
      double complex sum = 0, factor = is_left ? conj(w[j]) : w[j];
      for (int k = 0; k < n; k++)
        sum += (is_left ? conj((double complex)a[k + i * n]) : (double complex)a[i + k * n]) * vector[k];
      most = fmax(most, cabs(sum - factor * vector[i]));
      size += cabs(vector[i]) * cabs(vector[i]);
    }
    EXPECT("geev", most <= TOLERANCE * (n + 1) * 40 && fabs(size - 1) <= 1e-4);
  }
}

static void NAME(check_geev)(cusolverDnHandle_t handle, cusolverDnParams_t params, int n, bool has_left,
                             cudaDataType type_of_w) {
  sizes("type %d, Xgeev of %d, left %d, type of w %d", (int)DATA_TYPE, n, has_left, (int)type_of_w);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR, without = CUSOLVER_EIG_MODE_NOVECTOR;
  const bool is_split = type_of_w == REAL_TYPE;
  const cusolverEigMode_t left = has_left ? with : without;
  int ldv = random_leading(n);
  T *a = NAME(random_matrix)(n, n, n), *v0 = NAME(random_matrix)(n, n, ldv);
  R w[128] = { 0 };
  double complex all[64];
  rooms work;
  begin_memory();
  DT *device = NAME(put)(a, n, n, n), *vl = NAME(put)(v0, n, n, ldv), *vr = NAME(put)(v0, n, n, ldv);
  R *values = on_device(w, sizeof w);
  int *info = new_info();
  FINE(cusolverDnXgeev_bufferSize(handle, params, left, with, n, DATA_TYPE, device, n, type_of_w, values, DATA_TYPE,
                                  vl, ldv, DATA_TYPE, vr, ldv, DATA_TYPE, &work.on_device, &work.on_host));
  take_rooms(&work);
  FINE(cusolverDnXgeev(handle, params, left, with, n, DATA_TYPE, device, n, type_of_w, values, DATA_TYPE, vl, ldv,
                       DATA_TYPE, vr, ldv, DATA_TYPE, work.device, work.on_device, work.host, work.on_host, info));
  EXPECT("geev's info", value_of(info) == 0);
  from_device(w, values, sizeof w);
  for (int i = 0; i < n; i++)
    all[i] = is_split ? (double)w[i] + (double)w[n + i] * I : (double)w[2 * i] + (double)w[2 * i + 1] * I;
  T *right = NAME(get)("geev's VR", vr, v0, n, n, ldv), *other = NAME(get)("geev's VL", vl, v0, n, n, ldv);
  NAME(check_vectors_of)(n, a, right, ldv, all, false);
  if (has_left)
    NAME(check_vectors_of)(n, a, other, ldv, all, true);
  give_rooms(&work);
  free(a), free(v0), free(right), free(other);
}

static void NAME(check_all_typed)(cusolverDnHandle_t handle, cusolverDnParams_t params) {
  const cudaDataType complex_type = REAL_TYPE == CUDA_R_32F ? CUDA_C_32F : CUDA_C_64F;
  for (int round = 0; round < 6; round++) {
    int n = random_int(2, 20), m = n + random_int(0, 9);
    NAME(check_syevdx)(handle, params, n, (cusolverEigRange_t)(CUSOLVER_EIG_RANGE_ALL + round % 3));
    NAME(check_batch)(handle, params, random_int(1, 12), random_int(1, 5));
    NAME(check_gesvdp)(handle, params, m, n, round % 2);
    NAME(check_gesvdr)(handle, params, m, n, random_int(1, n));
    NAME(check_larft)(handle, params, m, n);
    NAME(check_geev)(handle, params, n, false, DATA_TYPE);
    NAME(check_geev)(handle, params, n, false, complex_type);
#ifndef ON_NVIDIA
    NAME(check_geev)(handle, params, n, true, DATA_TYPE);
    NAME(check_gesvdp)(handle, params, n, m, round % 2);
#endif
  }
}
