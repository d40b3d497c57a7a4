/* SPDX-License-Identifier: MIT */
/*
 * solver_type - what the tests of a type need: matrices at random, products, comparisons; see solver_types.h.
 *
 * A matrix on the host is its elements and a leading dimension. What is not used by a program is inline.
 */

static inline T *NAME(random_matrix)(int rows, int columns, int ld) {
  size_t count = extent_of(rows, columns, ld);
  T *made = malloc(count * sizeof(T));
  for (size_t i = 0; i < count; i++)
    made[i] = RANDOM;
  return made;
}

static inline T *NAME(copy_of)(const T *a, int rows, int columns, int ld) {
  size_t bytes = extent_of(rows, columns, ld) * sizeof(T);
  return memcpy(malloc(bytes), a, bytes);
}

static inline DT *NAME(put)(const T *a, int rows, int columns, int ld) {
  return on_device(a, extent_of(rows, columns, ld) * sizeof(T));
}

/* What the device has now; and what lies between columns of ours must be as in `before`. */
static inline T *NAME(get)(const char *what, const DT *device, const T *before, int rows, int columns, int ld) {
  T *got = NAME(copy_of)(before, rows, columns, ld);
  from_device(got, device, extent_of(rows, columns, ld) * sizeof(T));
  bool is_same = true;
  for (int j = 0; j + 1 < columns; j++)
    for (int i = rows > 0 ? rows : 0; i < ld && rows > 0; i++)
      is_same =
          is_same && memcmp(&got[i + (size_t)j * (size_t)ld], &before[i + (size_t)j * (size_t)ld], sizeof(T)) == 0;
#ifdef ON_NVIDIA
  (void)what, (void)is_same;
#else
  EXPECT(what, is_same);
#endif
  return got;
}

static inline T NAME(element)(const T *a, int ld, int i, int j, cublasOperation_t op) {
  return op == CUBLAS_OP_N   ? a[i + (size_t)j * (size_t)ld]
         : op == CUBLAS_OP_T ? a[j + (size_t)i * (size_t)ld]
                             : CONJ(a[j + (size_t)i * (size_t)ld]);
}

/* op(A) op(B), with m rows side by side; column by column where A's are, which is quicker. */
static inline T *NAME(product)(int m, int n, int k, const T *a, int lda, cublasOperation_t opa, const T *b, int ldb,
                               cublasOperation_t opb) {
  T *c = calloc((size_t)m * (size_t)n + 1, sizeof(T));
  for (int j = 0; j < n && opa == CUBLAS_OP_N; j++)
    for (int l = 0; l < k; l++) {
      const T by = NAME(element)(b, ldb, l, j, opb), *column = a + (size_t)l * (size_t)lda;
      for (int i = 0; i < m; i++)
        c[(size_t)i + (size_t)j * (size_t)m] += column[i] * by;
    }
  for (int j = 0; j < n && opa != CUBLAS_OP_N; j++)
    for (int i = 0; i < m; i++) {
      T sum = 0;
      for (int l = 0; l < k; l++)
        sum += NAME(element)(a, lda, i, l, opa) * NAME(element)(b, ldb, l, j, opb);
      c[i + (size_t)j * (size_t)m] = sum;
    }
  return c;
}

static inline double NAME(distance)(int m, int n, const T *a, int lda, const T *b, int ldb) {
  double most = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      double size = SIZE_OF(a[i + (size_t)j * (size_t)lda] - b[i + (size_t)j * (size_t)ldb]);
      most = size > most || isnan(size) ? size : most;
    }
  last_distance = most;
  return most;
}

/* A^H A is the unit matrix of n rows. */
static inline bool NAME(is_orthonormal)(int m, int n, const T *a, int lda) {
  T *square = NAME(product)(n, n, m, a, lda, CUBLAS_OP_C, a, lda, CUBLAS_OP_N);
  double most = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double size = SIZE_OF(square[i + (size_t)j * (size_t)n] - (T)(i == j));
      most = size > most || isnan(size) ? size : most;
    }
  free(square);
  last_distance = most;
  return most <= TOLERANCE * (m + 1);
}

/* Hermitian; and, with something on the diagonal, positive definite. */
static inline T *NAME(hermitian)(int n, int ld, double diagonal) {
  T *made = NAME(random_matrix)(n, n, ld);
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++) {
      T value = i == j
                    ? (T)(made[i + (size_t)j * (size_t)ld] + CONJ(made[i + (size_t)j * (size_t)ld])) / 2 + (T)diagonal
                    : made[i + (size_t)j * (size_t)ld];
      made[i + (size_t)j * (size_t)ld] = value;
      made[j + (size_t)i * (size_t)ld] = CONJ(value);
    }
  return made;
}

/* How far U diag(s) op(W) is from A, op(W) of k rows; values descend. */
static inline double NAME(svd_distance)(const char *what, int m, int n, int k, const T *a, int lda, const R *s,
                                        const T *u, int ldu, const T *w, int ldw, cublasOperation_t op) {
  T *scaled = NAME(random_matrix)(m, k, m);
  for (int j = 0; j < k; j++) {
    EXPECT(what, s[j] >= 0 && (j == 0 || s[j - 1] >= s[j]));
    for (int i = 0; i < m; i++)
      scaled[i + (size_t)j * (size_t)m] = u[i + (size_t)j * (size_t)ldu] * s[j];
  }
  T *both = NAME(product)(m, n, k, scaled, m, CUBLAS_OP_N, w, ldw, op);
  double most = NAME(distance)(m, n, both, m > 0 ? m : 1, a, lda);
  free(scaled), free(both);
  return most;
}

static inline void NAME(check_svd_of)(const char *what, int m, int n, const T *a, int lda, const R *s, const T *u,
                                      int ldu, const T *w, int ldw, cublasOperation_t op) {
  double most = NAME(svd_distance)(what, m, n, m < n ? m : n, a, lda, s, u, ldu, w, ldw, op);
  EXPECT(what, most <= TOLERANCE * (m + n) * 4);
}
