/* SPDX-License-Identifier: MIT */
/* large_svd_type - the tests of conform_large_svd for one type; see solver_types.h. */

enum { NAME(MOST) = 460 };

/* U and V^H, or V, and what is before them in their memory; they begin three elements behind an allocation's start. */
typedef struct NAME(vectors) {
  int m, n, ldu, ldv, columns, rows;
  T *u0, *v0;
  DT *u, *v;
} NAME(vectors);

static NAME(vectors) NAME(new_vectors)(int m, int n, int columns, int rows) {
  NAME(vectors) it = { m, n, random_leading(m), random_leading(rows), columns, rows, NULL, NULL, NULL, NULL };
  const size_t u_count = extent_of(m, columns, it.ldu) + 3, v_count = extent_of(rows, n, it.ldv) + 3;
  it.u0 = NAME(random_matrix)((int)u_count, 1, (int)u_count),
  it.v0 = NAME(random_matrix)((int)v_count, 1, (int)v_count);
  it.u = (DT *)on_device(it.u0, u_count * sizeof(T)) + 3, it.v = (DT *)on_device(it.v0, v_count * sizeof(T)) + 3;
  return it;
}

static void NAME(end_vectors)(NAME(vectors) * it) {
  free(it->u0), free(it->v0);
}

/* Values that were found beside those of LAPACK's, in double, of the same matrix: of an absolute error that is a part
 * of the largest one. */
static void NAME(check_values)(const char *what, int m, int n, const T *a, int lda, const R *s, int count,
                               double scale) {
#ifdef ON_NVIDIA
  (void)what, (void)m, (void)n, (void)a, (void)lda, (void)s, (void)count, (void)scale;
#else
  const int k = m < n ? m : n;
  double right[NAME(MOST)], most = 0;
  double complex *wide = malloc((size_t)m * (size_t)n * sizeof *wide);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      wide[i + (size_t)j * (size_t)m] = (double complex)a[i + (size_t)j * (size_t)lda] / scale;
  lapack_values(m, n, wide, right);
  for (int i = 0; i < count; i++)
    most = fmax(most, fabs((double)s[i] / scale - right[i]));
  last_distance = most;
  EXPECT(what, most <= TOLERANCE * right[0] * 4 && k >= count);
  free(wide);
#endif
}

/* gesvd, of which everything is looked at. Vectors may be on A. */
static void NAME(check_large_svd)(cusolverDnHandle_t handle, int m, int n, char jobu, char jobvt, double scale) {
  sizes("type %d, gesvd of %d by %d, jobs %c and %c, times %g", (int)DATA_TYPE, m, n, jobu, jobvt, scale);
  const int lda = random_leading(m), columns = jobu == 'A' ? m : n;
  int room = 0;
  R s[NAME(MOST)] = { 0 };
  T *a = NAME(random_matrix)(m, n, lda);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      a[i + (size_t)j * (size_t)lda] *= (R)scale;
  begin_memory();
  NAME(vectors) to = NAME(new_vectors)(m, n, m, n);
  DT *device = NAME(put)(a, m, n, lda);
  R *values = on_device(s, (size_t)n * sizeof(R));
  int *info = new_info();
  FINE(FN(gesvd_bufferSize)(handle, m, n, &room));
  DT *work = new_buffer((size_t)room * sizeof(T));
  R *rwork = new_buffer((size_t)n * sizeof(R));
  FINE(FN(gesvd)(handle, (signed char)jobu, (signed char)jobvt, m, n, device, lda, values, to.u, to.ldu, to.v, to.ldv,
                 work, room, rwork, info));
  EXPECT("gesvd's info", value_of(info) == 0);
  from_device(s, values, (size_t)n * sizeof(R));
  for (int i = 1; i < n; i++)
    EXPECT("values descend", s[i - 1] >= s[i] && s[i] >= 0);
  NAME(check_values)("values", m, n, a, lda, s, n, scale);
  T *on_a = NAME(get)("gesvd's A", device, a, m, n, lda), *u = NAME(get)("gesvd's U", to.u, to.u0 + 3, m, m, to.ldu);
  T *vt = NAME(get)("gesvd's VT", to.v, to.v0 + 3, n, n, to.ldv);
  const T *left = jobu == 'O' ? on_a : u, *right = jobvt == 'O' ? on_a : vt;
  const int ldl = jobu == 'O' ? lda : to.ldu, ldr = jobvt == 'O' ? lda : to.ldv;
  for (int i = 0; i < n; i++) /* so that what is multiplied out is of usual size */
    s[i] = (R)((double)s[i] / scale);
  T *plain = NAME(copy_of)(a, m, n, lda);
  for (size_t i = 0; i < extent_of(m, n, lda); i++)
    plain[i] /= (R)scale;
  if (jobu != 'N')
    EXPECT("U^H U is one", NAME(is_orthonormal)(m, columns, left, ldl));
  if (jobvt != 'N') {
    T *square = NAME(product)(n, n, n, right, ldr, CUBLAS_OP_N, right, ldr, CUBLAS_OP_C),
      *one = calloc((size_t)n * (size_t)n, sizeof(T));
    for (int i = 0; i < n; i++)
      one[i + (size_t)i * (size_t)n] = 1;
    EXPECT("VT VT^H is one", NAME(distance)(n, n, square, n, one, n) <= TOLERANCE * n);
    free(square), free(one);
  }
  if (jobu != 'N' && jobvt != 'N')
    NAME(check_svd_of)("U S VT is A", m, n, plain, lda, s, left, ldl, right, ldr, CUBLAS_OP_N);
#ifndef ON_NVIDIA
  const size_t u_size = extent_of(m, m, to.ldu) * sizeof(T), v_size = extent_of(n, n, to.ldv) * sizeof(T);
  if (jobu != 'O' && jobvt != 'O')
    EXPECT("A stays", memcmp(on_a, a, extent_of(m, n, lda) * sizeof(T)) == 0);
  if (jobu == 'N' || jobu == 'O')
    EXPECT("U stays", memcmp(u, to.u0 + 3, u_size) == 0);
  const size_t behind = (size_t)n * (size_t)to.ldu;
  if (jobu == 'S' && m > n)
    EXPECT("columns behind U", memcmp(u + behind, to.u0 + 3 + behind, u_size - behind * sizeof(T)) == 0);
  if (jobvt == 'N' || jobvt == 'O')
    EXPECT("VT stays", memcmp(vt, to.v0 + 3, v_size) == 0);
#endif
  NAME(end_vectors)(&to);
  cudaFree(work);
  free(a), free(plain), free(on_a), free(u), free(vt);
}

/* gesvdj of any shape, which tells its residual. */
static void NAME(check_large_jacobi)(cusolverDnHandle_t handle, int m, int n, int econ) {
  sizes("type %d, gesvdj of %d by %d, econ %d", (int)DATA_TYPE, m, n, econ);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR, without = CUSOLVER_EIG_MODE_NOVECTOR;
  const int k = m < n ? m : n, lda = random_leading(m);
  int room = 0;
  double residual = -7;
  R s[NAME(MOST)] = { 0 }, alone[NAME(MOST)] = { 0 };
  gesvdjInfo_t params;
  T *a = NAME(random_matrix)(m, n, lda);
  begin_memory();
  NAME(vectors) to = NAME(new_vectors)(m, econ ? k : n, econ ? k : m, n);
  DT *device = NAME(put)(a, m, n, lda);
  R *values = on_device(s, (size_t)k * sizeof(R));
  int *info = new_info();
  FINE(cusolverDnCreateGesvdjInfo(&params));
  FINE(FN(gesvdj_bufferSize)(handle, with, econ, m, n, device, lda, values, to.u, to.ldu, to.v, to.ldv, &room,
                             params));
  DT *work = new_buffer((size_t)room * sizeof(T));
  FINE(FN(gesvdj)(handle, with, econ, m, n, device, lda, values, to.u, to.ldu, to.v, to.ldv, work, room, info,
                  params));
  EXPECT("gesvdj's info", value_of(info) == 0);
  FINE(cusolverDnXgesvdjGetResidual(handle, params, &residual));
  EXPECT("gesvdj's residual", residual > 0 && residual <= TOLERANCE * 4 * (m + n));
  from_device(s, values, (size_t)k * sizeof(R));
  NAME(check_values)("gesvdj's values", m, n, a, lda, s, k, 1);
  T *u = NAME(get)("gesvdj's U", to.u, to.u0 + 3, m, to.columns, to.ldu);
  T *v = NAME(get)("gesvdj's V", to.v, to.v0 + 3, n, to.n, to.ldv);
  NAME(check_svd_of)("gesvdj", m, n, a, lda, s, u, to.ldu, v, to.ldv, CUBLAS_OP_C);
  EXPECT("U^H U is one", NAME(is_orthonormal)(m, to.columns, u, to.ldu));
  EXPECT("V^H V is one", NAME(is_orthonormal)(n, to.n, v, to.ldv));
  cudaFree(work);
  FINE(FN(gesvdj_bufferSize)(handle, without, econ, m, n, device, lda, values, to.u, to.ldu, to.v, to.ldv, &room,
                             params));
  work = new_buffer((size_t)room * sizeof(T)), device = NAME(put)(a, m, n, lda);
#ifdef ON_NVIDIA /* which uses the memory of vectors that are not asked for */
  void *no_u = to.u, *no_v = to.v;
#else
  void *no_u = NULL, *no_v = NULL;
#endif
  FINE(FN(gesvdj)(handle, without, econ, m, n, device, lda, values, no_u, to.ldu, no_v, to.ldv, work, room, info,
                  params));
  from_device(alone, values, (size_t)k * sizeof(R));
  for (int i = 0; i < k; i++)
    EXPECT("values without vectors", fabs((double)(alone[i] - s[i])) <= TOLERANCE * (double)s[0]);
  FINE(cusolverDnDestroyGesvdjInfo(params));
  NAME(end_vectors)(&to);
  cudaFree(work);
  free(a), free(u), free(v);
}

/* The functions whose types are arguments: Xgesvd, Xgesvdp, and of Xgesvdr the largest values. */
static void NAME(check_large_typed)(cusolverDnHandle_t handle, cusolverDnParams_t params, int m, int n) {
  sizes("type %d, Xgesvd and Xgesvdp of %d by %d", (int)DATA_TYPE, m, n);
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  size_t there = 0, here = 0;
  double error = -1;
  R s[NAME(MOST)] = { 0 };
  T *a = NAME(random_matrix)(m, n, m);
  begin_memory();
  NAME(vectors) to = NAME(new_vectors)(m, n, n, n);
  DT *device = NAME(put)(a, m, n, m);
  R *values = on_device(s, (size_t)n * sizeof(R));
  int *info = new_info();
  FINE(cusolverDnXgesvd_bufferSize(handle, params, 'S', 'A', m, n, DATA_TYPE, device, m, REAL_TYPE, values, DATA_TYPE,
                                   to.u, to.ldu, DATA_TYPE, to.v, to.ldv, DATA_TYPE, &there, &here));
  void *work = new_buffer(there), *host = malloc(here + 1);
  FINE(cusolverDnXgesvd(handle, params, 'S', 'A', m, n, DATA_TYPE, device, m, REAL_TYPE, values, DATA_TYPE, to.u,
                        to.ldu, DATA_TYPE, to.v, to.ldv, DATA_TYPE, work, there, host, here, info));
  from_device(s, values, (size_t)n * sizeof(R));
  T *u = NAME(get)("Xgesvd's U", to.u, to.u0 + 3, m, n, to.ldu),
    *v = NAME(get)("Xgesvd's VT", to.v, to.v0 + 3, n, n, to.ldv);
  NAME(check_svd_of)("Xgesvd", m, n, a, m, s, u, to.ldu, v, to.ldv, CUBLAS_OP_N);
  cudaFree(work);
  free(host), free(u), free(v);

  device = NAME(put)(a, m, n, m);
  FINE(cusolverDnXgesvdp_bufferSize(handle, params, with, 1, m, n, DATA_TYPE, device, m, REAL_TYPE, values, DATA_TYPE,
                                    to.u, to.ldu, DATA_TYPE, to.v, to.ldv, DATA_TYPE, &there, &here));
  work = new_buffer(there), host = malloc(here + 1);
  FINE(cusolverDnXgesvdp(handle, params, with, 1, m, n, DATA_TYPE, device, m, REAL_TYPE, values, DATA_TYPE, to.u,
                         to.ldu, DATA_TYPE, to.v, to.ldv, DATA_TYPE, work, there, host, here, info, &error));
  from_device(s, values, (size_t)n * sizeof(R));
  u = NAME(get)("Xgesvdp's U", to.u, to.u0 + 3, m, n, to.ldu),
  v = NAME(get)("Xgesvdp's V", to.v, to.v0 + 3, n, n, to.ldv);
  NAME(check_svd_of)("Xgesvdp", m, n, a, m, s, u, to.ldu, v, to.ldv, CUBLAS_OP_C);
  EXPECT("the infos", value_of(info) == 0);
  cudaFree(work);
  free(host), free(u), free(v), free(a);
  NAME(end_vectors)(&to);
}

#ifndef ON_NVIDIA
/* U of the k largest values, of a matrix that has them all; Xgesvdr is not at random here. */
static void NAME(check_large_part)(cusolverDnHandle_t handle, cusolverDnParams_t params, int m, int n, int k,
                                   char jobu, char jobv) {
  sizes("type %d, Xgesvdr of %d by %d, %d values, jobs %c and %c", (int)DATA_TYPE, m, n, k, jobu, jobv);
  size_t there = 0, here = 0;
  R s[NAME(MOST)] = { 0 };
  T *b = NAME(random_matrix)(m, k, m), *c = NAME(random_matrix)(k, n, k);
  T *a = NAME(product)(m, n, k, b, m, CUBLAS_OP_N, c, k, CUBLAS_OP_N);
  begin_memory();
  NAME(vectors) to = NAME(new_vectors)(m, k, k, n);
  DT *device = NAME(put)(a, m, n, m);
  R *values = on_device(s, (size_t)k * sizeof(R));
  int *info = new_info();
  FINE(cusolverDnXgesvdr_bufferSize(handle, params, (signed char)jobu, (signed char)jobv, m, n, k, 0, 2, DATA_TYPE,
                                    device, m, REAL_TYPE, values, DATA_TYPE, to.u, to.ldu, DATA_TYPE, to.v, to.ldv,
                                    DATA_TYPE, &there, &here));
  void *work = new_buffer(there);
  FINE(cusolverDnXgesvdr(handle, params, (signed char)jobu, (signed char)jobv, m, n, k, 0, 2, DATA_TYPE, device, m,
                         REAL_TYPE, values, DATA_TYPE, to.u, to.ldu, DATA_TYPE, to.v, to.ldv, DATA_TYPE, work, there,
                         NULL, here, info));
  EXPECT("Xgesvdr's info", value_of(info) == 0);
  from_device(s, values, (size_t)k * sizeof(R));
  NAME(check_values)("values of a part", m, n, a, m, s, k, 1);
  T *u = NAME(get)("Xgesvdr's U", to.u, to.u0 + 3, m, k, to.ldu),
    *v = NAME(get)("Xgesvdr's V", to.v, to.v0 + 3, n, k, to.ldv);
  const T *u0 = to.u0 + 3, *v0 = to.v0 + 3;
  if (jobu == 'S')
    EXPECT("U^H U is one", NAME(is_orthonormal)(m, k, u, to.ldu));
  else
    EXPECT("U stays", memcmp(u, u0, extent_of(m, k, to.ldu) * sizeof(T)) == 0);
  if (jobv == 'S')
    EXPECT("V^H V is one", NAME(is_orthonormal)(n, k, v, to.ldv));
  else
    EXPECT("V stays", memcmp(v, v0, extent_of(n, k, to.ldv) * sizeof(T)) == 0);
  if (jobu == 'S' && jobv == 'S')
    EXPECT("U S V^H is A", NAME(svd_distance)("values descend", m, n, k, a, m, s, u, to.ldu, v, to.ldv,
                                              CUBLAS_OP_C) <= TOLERANCE * (m + n) * 16);
  NAME(end_vectors)(&to);
  cudaFree(work);
  free(a), free(b), free(c), free(u), free(v);
}

/* A work area that is too small is refused, and what is said there to be is looked at: nothing is written. */
static void NAME(check_large_refusals)(cusolverDnHandle_t handle, int m, int n) {
  sizes("type %d, refusals of gesvd of %d by %d", (int)DATA_TYPE, m, n);
  int room = 0;
  R s[NAME(MOST)] = { 0 };
  T *a = NAME(random_matrix)(m, n, m);
  begin_memory();
  NAME(vectors) to = NAME(new_vectors)(m, n, m, n);
  DT *device = NAME(put)(a, m, n, m);
  R *values = on_device(s, (size_t)n * sizeof(R));
  int *info = new_info();
  FINE(FN(gesvd_bufferSize)(handle, m, n, &room));
  DT *work = new_buffer((size_t)room * sizeof(T)), *less = new_buffer((size_t)(room - 1) * sizeof(T));
  WRONG(FN(gesvd)(handle, 'A', 'O', m, n, device, m, values, to.u, to.ldu, NULL, 1, work, room - 1, NULL, info));
  WRONG(FN(gesvd)(handle, 'A', 'O', m, n, device, m, values, to.u, to.ldu, NULL, 1, NULL, room, NULL, info));
  WRONG(FN(gesvd)(handle, 'A', 'O', m, n, device, m, values, NULL, to.ldu, NULL, 1, work, room, NULL, info));
  GIVES(FN(gesvd)(handle, 'A', 'O', m, n, device, m, values, to.u, to.ldu, NULL, 1, less, room, NULL, info),
        CUSOLVER_STATUS_EXECUTION_FAILED);
  DT *small = new_buffer(((size_t)n * (size_t)n - 1) * sizeof(T));
  GIVES(FN(gesvd)(handle, 'A', 'A', m, n, device, m, values, to.u, to.ldu, small, n, work, room, NULL, info),
        CUSOLVER_STATUS_EXECUTION_FAILED);
  T *kept = NAME(get)("A", device, a, m, n, m), *u = NAME(get)("U", to.u, to.u0 + 3, m, m, to.ldu);
  EXPECT("A is as it was", memcmp(kept, a, extent_of(m, n, m) * sizeof(T)) == 0);
  EXPECT("U is as it was", memcmp(u, to.u0 + 3, extent_of(m, m, to.ldu) * sizeof(T)) == 0);
  EXPECT("the info is as it was", value_of(info) == -77);
  NAME(end_vectors)(&to);
  cudaFree(work), cudaFree(less), cudaFree(small);
  free(a), free(kept), free(u);
}

/* A NaN or an infinity makes NaNs of all values; of zeros there are vectors all the same. */
static void NAME(check_large_limits)(cusolverDnHandle_t handle, int m, int n) {
  sizes("type %d, limits of gesvd of %d by %d", (int)DATA_TYPE, m, n);
  int room = 0;
  R s[NAME(MOST)] = { 0 };
  T *a = calloc((size_t)m * (size_t)n, sizeof(T));
  begin_memory();
  NAME(vectors) to = NAME(new_vectors)(m, n, m, n);
  R *values = on_device(s, (size_t)n * sizeof(R));
  int *info = new_info();
  FINE(FN(gesvd_bufferSize)(handle, m, n, &room));
  DT *work = new_buffer((size_t)room * sizeof(T)), *device = NAME(put)(a, m, n, m);
  FINE(FN(gesvd)(handle, 'A', 'N', m, n, device, m, values, to.u, to.ldu, NULL, 1, work, room, NULL, info));
  from_device(s, values, (size_t)n * sizeof(R));
  T *u = NAME(get)("U of zeros", to.u, to.u0 + 3, m, m, to.ldu);
  EXPECT("a value of zeros", s[0] == 0 && s[n - 1] == 0 && value_of(info) == 0);
  EXPECT("U^H U is one", NAME(is_orthonormal)(m, m, u, to.ldu));
  for (int infinite = 0; infinite < 2; infinite++)
    for (int with = 0; with < 2; with++) {
      T *bad = NAME(random_matrix)(m, n, m);
      int numbers = 0;
      bad[n / 2 + 3] = infinite ? (T)INFINITY : (T)NAN;
      device = NAME(put)(bad, m, n, m);
      FINE(FN(gesvd)(handle, with ? 'S' : 'N', 'N', m, n, device, m, values, to.u, to.ldu, NULL, 1, work, room, NULL,
                     info));
      from_device(s, values, (size_t)n * sizeof(R));
      for (int i = 0; i < n; i++)
        numbers += !isnan((double)s[i]);
      EXPECT("a NaN or an infinity is told", numbers == 0 && value_of(info) == 0);
      free(bad);
    }
  NAME(end_vectors)(&to);
  cudaFree(work);
  free(a), free(u);
}
#endif

/* Jobs are shared out among the types. */
static void NAME(check_large_svds)(cusolverDnHandle_t handle, cusolverDnParams_t params) {
  static const char jobs[][2] = { { 'A', 'A' }, { 'S', 'S' }, { 'O', 'S' }, { 'S', 'O' },
                                  { 'N', 'N' }, { 'A', 'O' }, { 'N', 'A' }, { 'A', 'N' } };
  const double huge = sizeof(R) == sizeof(float) ? 1e30 : 1e250;
  for (int i = 0; i < 3; i++, jobs_done++) {
    const int n = random_int(385, 430), m = i == 0 ? n : n + random_int(1, 90);
    NAME(check_large_svd)(handle, m, n, jobs[jobs_done % 8][0], jobs[jobs_done % 8][1], 1);
  }
  NAME(check_large_svd)(handle, 416 + random_int(0, 1), 416, 'S', 'A', jobs_done % 2 ? huge : 1 / huge);
  NAME(check_large_jacobi)(handle, 389, 420, jobs_done % 2);
  NAME(check_large_jacobi)(handle, 440, 386, (jobs_done + 1) % 2);
  NAME(check_large_typed)(handle, params, 401, 389);
#ifndef ON_NVIDIA
  NAME(check_large_part)(handle, params, 420, 391, 40, 'S', jobs_done % 2 ? 'S' : 'N');
  NAME(check_large_part)(handle, params, 391, 420, 40, jobs_done % 2 ? 'N' : 'S', 'S');
  NAME(check_large_refusals)(handle, 396, 390);
  NAME(check_large_limits)(handle, 396, 390);
#endif
}
