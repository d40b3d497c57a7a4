/* SPDX-License-Identifier: MIT */
/* indefinite_type - the tests of conform_indefinite for one type; see solver_types.h. */

/* A given, with other numbers in the triangle that is not to be looked at. */
static T *NAME(spoilt)(const T *a, int n, int ld, cublasFillMode_t uplo) {
  T *made = NAME(copy_of)(a, n, n, ld);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
        made[i + j * ld] = 77;
  return made;
}

/* Not conjugated: complex matrices are symmetric as well. */
static void NAME(mirror)(T *a, int n, int ld, cublasFillMode_t uplo) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
        a[i + j * ld] = a[j + i * ld];
}

#ifndef ON_NVIDIA
/* What sytri makes of the factors on the device. */
static void NAME(check_inverse)(cusolverDnHandle_t handle, int n, cublasFillMode_t uplo, const T *a, const T *given,
                                int lda, DT *device, int *ipiv) {
  int room = 0, *info = new_info();
  T *unit = NAME(random_matrix)(n, n, n);
  DT *work;
  FINE(FN(sytri_bufferSize)(handle, uplo, n, device, lda, ipiv, &room));
  cudaMalloc((void **)&work, (size_t)(room + 1) * sizeof(T));
  FINE(FN(sytri)(handle, uplo, n, device, lda, ipiv, work, room, info));
  EXPECT("sytri's info", value_of(info) == 0);
  T *inverse = NAME(get)("sytri", device, given, n, n, lda);
  NAME(mirror)(inverse, n, lda, uplo);
  double most = 1;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      unit[i + j * n] = i == j;
      most = fmax(most, SIZE_OF(inverse[i + j * lda]));
    }
  T *one = NAME(product)(n, n, n, a, lda, CUBLAS_OP_N, inverse, lda, CUBLAS_OP_N);
  EXPECT("A times its inverse",
         NAME(distance)(n, n, one, n, unit, n) <= TOLERANCE * (n + 1) * (n + 1) * most * 4);
  cudaFree(work);
  free(unit), free(inverse), free(one);
}
#endif

/* With pairs: elements of the diagonal that are 0 make pivots of two rows. */
static void NAME(check_symmetric)(cusolverDnHandle_t handle, int n, cublasFillMode_t uplo, bool has_pairs) {
  sizes("type %d, sytrf of %d, uplo %d, with pairs %d", (int)DATA_TYPE, n, (int)uplo, has_pairs);
  int lda = random_leading(n), ldb = random_leading(n), nrhs = random_int(1, 3), room = 0, pivots[64] = { 0 };
  size_t on_device_room = 0, on_host_room = 0;
  int64_t wide[64] = { 0 };
  T *a = NAME(random_matrix)(n, n, lda), *b = NAME(random_matrix)(n, nrhs, ldb);
  for (int i = 0; i < n; i++)
    a[i + i * lda] = !has_pairs   ? (T)(i % 2 ? 2 * n : -2 * n)
                     : i % 3 == 0 ? (T)0
                                  : a[i + i * lda] * (T)(i % 2 ? n : -n);
  NAME(mirror)(a, n, lda, uplo);
  T *given = NAME(spoilt)(a, n, lda, uplo);
  begin_memory();
  DT *device = NAME(put)(given, n, n, lda), *sides = NAME(put)(b, n, nrhs, ldb), *work;
  int *info = new_info(), *ipiv = on_device(pivots, sizeof pivots);
  char *host;
  FINE(FN(sytrf_bufferSize)(handle, n, device, lda, &room));
  cudaMalloc((void **)&work, (size_t)(room + 1) * sizeof(T));
  FINE(FN(sytrf)(handle, uplo, n, device, lda, ipiv, work, room, info));
  EXPECT("sytrf's info", value_of(info) == 0);
  free(NAME(get)("sytrf", device, given, n, n, lda));
  cudaFree(work);
  from_device(pivots, ipiv, sizeof pivots);
  for (int i = 0; i < n; i++)
    wide[i] = pivots[i];
  int64_t *pivots64 = on_device(wide, sizeof wide);
  FINE(cusolverDnXsytrs_bufferSize(handle, uplo, n, nrhs, DATA_TYPE, device, lda, pivots64, DATA_TYPE, sides, ldb,
                                   &on_device_room, &on_host_room));
  cudaMalloc((void **)&work, on_device_room + 1);
  host = malloc(on_host_room + 1);
  FINE(cusolverDnXsytrs(handle, uplo, n, nrhs, DATA_TYPE, device, lda, pivots64, DATA_TYPE, sides, ldb, work,
                        on_device_room, host, on_host_room, info));
  EXPECT("sytrs's info", value_of(info) == 0);
  T *x = NAME(get)("sytrs", sides, b, n, nrhs, ldb);
  double most = 1;
  for (int j = 0; j < nrhs; j++)
    for (int i = 0; i < n; i++)
      most = fmax(most, SIZE_OF(x[i + j * ldb]));
  T *ax = NAME(product)(n, nrhs, n, a, lda, CUBLAS_OP_N, x, ldb, CUBLAS_OP_N);
  EXPECT("A X is B", NAME(distance)(n, nrhs, ax, n > 0 ? n : 1, b, ldb) <= TOLERANCE * (n + 1) * (n + 1) * most * 4);
  cudaFree(work);
  free(host);
#ifndef ON_NVIDIA /* whose document does not describe sytri, and which gives no inverse */
  NAME(check_inverse)(handle, n, uplo, a, given, lda, device, ipiv);
#endif
  free(a), free(b), free(given), free(x), free(ax);
}

/* A triangle, without the other one, and with ones on its diagonal if it is unit. */
static T *NAME(triangle_of)(const T *a, int n, int ld, cublasFillMode_t uplo, cublasDiagType_t diag) {
  T *made = NAME(copy_of)(a, n, n, ld);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
        made[i + j * ld] = 0;
      else if (i == j && diag == CUBLAS_DIAG_UNIT)
        made[i + j * ld] = 1;
  return made;
}

static void NAME(check_triangle)(cusolverDnHandle_t handle, int n, cublasFillMode_t uplo, cublasDiagType_t diag) {
  sizes("type %d, trtri of %d, uplo %d, diag %d", (int)DATA_TYPE, n, (int)uplo, (int)diag);
  int lda = random_leading(n), room = 0;
  size_t on_device_room = 0, on_host_room = 0;
  T *a = NAME(random_matrix)(n, n, lda), *unit = NAME(random_matrix)(n, n, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      unit[i + j * n] = i == j;
      a[i + j * lda] = i == j ? (T)(3 + i % 2) : a[i + j * lda] / n;
    }
  T *given = NAME(spoilt)(a, n, lda, uplo);
  begin_memory();
  DT *device = NAME(put)(given, n, n, lda), *work;
  int *info = new_info();
  FINE(cusolverDnXtrtri_bufferSize(handle, uplo, diag, n, DATA_TYPE, device, lda, &on_device_room, &on_host_room));
  cudaMalloc((void **)&work, on_device_room + 1);
  char *host = malloc(on_host_room + 1);
  FINE(cusolverDnXtrtri(handle, uplo, diag, n, DATA_TYPE, device, lda, work, on_device_room, host, on_host_room, info));
  EXPECT("trtri's info", value_of(info) == 0);
  T *got = NAME(get)("trtri", device, given, n, n, lda), *before = NAME(triangle_of)(a, n, lda, uplo, diag);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      EXPECT("the other triangle", (uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j) || got[i + j * lda] == (T)77);
  T *inverse = NAME(triangle_of)(got, n, lda, uplo, diag);
  T *one = NAME(product)(n, n, n, before, lda, CUBLAS_OP_N, inverse, lda, CUBLAS_OP_N);
  EXPECT("A times its inverse", NAME(distance)(n, n, one, n, unit, n) <= TOLERANCE * (n + 1));
  cudaFree(work);
  free(host), free(got), free(inverse), free(one);

  device = NAME(put)(given, n, n, lda);
  FINE(FN(lauum_bufferSize)(handle, uplo, n, device, lda, &room));
  cudaMalloc((void **)&work, (size_t)(room + 1) * sizeof(T));
  FINE(FN(lauum)(handle, uplo, n, device, lda, work, room, info));
  EXPECT("lauum's info", value_of(info) == 0);
  T *square = NAME(get)("lauum", device, given, n, n, lda);
  free(before);
  before = NAME(triangle_of)(a, n, lda, uplo, CUBLAS_DIAG_NON_UNIT);
  bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
  T *both = NAME(product)(n, n, n, before, lda, is_lower ? CUBLAS_OP_C : CUBLAS_OP_N, before, lda,
                          is_lower ? CUBLAS_OP_N : CUBLAS_OP_C);
  double most = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (is_lower ? i >= j : i <= j)
        most = fmax(most, SIZE_OF(square[i + j * lda] - both[i + j * n]));
  EXPECT("U U^H, or L^H L", most <= TOLERANCE * (n + 1));
  cudaFree(work);
  free(a), free(unit), free(given), free(before), free(square), free(both);
}

static void NAME(check_indefinite)(cusolverDnHandle_t handle) {
  for (int round = 0; round < 6; round++) {
    cublasFillMode_t uplo = round % 2 ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    NAME(check_symmetric)(handle, random_int(2, 30), uplo, true);
    NAME(check_symmetric)(handle, random_int(2, 30), uplo, false);
    NAME(check_triangle)(handle, random_int(1, 30), uplo, round % 3 ? CUBLAS_DIAG_NON_UNIT : CUBLAS_DIAG_UNIT);
  }
#ifndef ON_NVIDIA
  NAME(check_symmetric)(handle, 0, CUBLAS_FILL_MODE_LOWER, true);
  NAME(check_triangle)(handle, 0, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT);
#endif
}
