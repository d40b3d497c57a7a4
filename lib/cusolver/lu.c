/* SPDX-License-Identifier: MIT */
/*
 * lu - getrf, getrs and laswp.
 *
 * A small matrix is factored by LAPACK as a whole. A large one goes in panels of columns: LAPACK factors a panel on the
 * host, which is written without its exchanges of rows; cuBLAS exchanges whole rows on the device then, solves for the
 * rows beside the panel's triangle, and updates what is left. Solutions by a large matrix are cuBLAS's as well. Without
 * pivots, which LAPACK has not, a loop of this file factors the whole on the host. The info is the first column whose
 * pivot is 0; the factors are complete all the same.
 *
 * No state, no locks. Called by programs; and by generic.c, generic_svd.c, qr.c, reduction.c, solve.c, svd.c and
 * svd_batch.c, most of which share its checks. It waits for the stream.
 */
#include "cusolver/blas.h"
#include "cusolver/factor.h"
#include "cusolver/lapack.h"
#include "cusolver/lu.h"
#include "cusolver/types.h"

#include <complex.h>

static vptr__lapack_getrf *const getrf[] = VPTR__LAPACK_ALL(getrf);
static vptr__lapack_getrs *const getrs[] = VPTR__LAPACK_ALL(getrs);
static vptr__lapack_laswp *const laswp[] = VPTR__LAPACK_ALL(laswp);

void vptr__solver_require_oblong(vptr__solver_call *call, int64_t m, int64_t n, int64_t lda) {
  vptr__solver_require_size(call, "m", m);
  vptr__solver_require_size(call, "n", n);
  vptr__solver_require_leading(call, "lda", lda, m);
}

static int64_t least_of(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* ---- pivots: int on the host, of either size on the device --------------------------------------------------- */

void vptr__solver_lu_store(vptr__solver_array *to, const int *pivots) {
  for (int64_t i = 0; i < to->rows; i++)
    if (to->size == sizeof(int64_t))
      ((int64_t *)(void *)to->host)[i] = pivots[i];
    else
      ((int *)(void *)to->host)[i] = pivots[i];
}

/* The rows of the matrix: LAPACK goes where pivots say. */
static void load_pivots(vptr__solver_call *call, const vptr__solver_array *from, int64_t rows, int *pivots) {
  for (int64_t i = 0; i < from->rows && call->status == CUSOLVER_STATUS_SUCCESS; i++) {
    int64_t row = from->size == sizeof(int64_t) ? ((int64_t *)(void *)from->host)[i] : ((int *)(void *)from->host)[i];
    vptr__solver_require(call, row >= 1 && row <= rows, "pivot %lld is %lld, and there are %lld rows",
                         (long long)i + 1, (long long)row, (long long)rows);
    pivots[i] = (int)row;
  }
}

/* ---- without pivots ------------------------------------------------------------------------------------------- */

#define PLAIN(letter, T)                                                                                             \
  static int factor_plainly_##letter(int64_t m, int64_t n, T *a, int64_t ld) {                                       \
    int info = 0;                                                                                                    \
    for (int64_t k = 0; k < least_of(m, n); k++) {                                                                   \
      T pivot = a[k + k * ld];                                                                                       \
      if (pivot == 0) {                                                                                              \
        info = info > 0 ? info : (int)k + 1;                                                                         \
        continue;                                                                                                    \
      }                                                                                                              \
      for (int64_t i = k + 1; i < m; i++)                                                                            \
        a[i + k * ld] /= pivot;                                                                                      \
      for (int64_t j = k + 1; j < n; j++)                                                                            \
        for (int64_t i = k + 1; i < m; i++)                                                                          \
          a[i + j * ld] -= a[i + k * ld] * a[k + j * ld];                                                            \
    }                                                                                                                \
    return info;                                                                                                     \
  }
PLAIN(s, float)
PLAIN(d, double)
PLAIN(c, float complex)
PLAIN(z, double complex)

static int factor_plainly(vptr__solver_type type, int64_t m, int64_t n, void *a, int64_t ld) {
  switch (type) {
  case VPTR__SOLVER_S:
    return factor_plainly_s(m, n, a, ld);
  case VPTR__SOLVER_D:
    return factor_plainly_d(m, n, a, ld);
  case VPTR__SOLVER_C:
    return factor_plainly_c(m, n, a, ld);
  default:
    return factor_plainly_z(m, n, a, ld);
  }
}

/* ---- factors --------------------------------------------------------------------------------------------------- */

static cusolverStatus_t factor_whole(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda, void *ipiv,
                                     size_t pivot_size) {
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, m, n, a, lda);
  vptr__solver_array *pivots = NULL;
  const int height = (int)m, width = (int)n;
  if (ipiv != NULL)
    pivots = vptr__solver_numbers(call, "ipiv", VPTR__SOLVER_WRITES, least_of(m, n), pivot_size, ipiv);
  int *rows = vptr__solver_work(call, (size_t)least_of(m, n), sizeof *rows);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  if (pivots == NULL) {
    call->info = factor_plainly(call->type, m, n, it->host, it->ld);
  } else {
    getrf[call->type](&height, &width, it->host, &it->ld, rows, &call->info);
    vptr__solver_lu_store(pivots, rows);
  }
  return vptr__solver_finish(call);
}

/* A large matrix on its way. */
typedef struct panels {
  int64_t m, n, lda;
  void *a, *panel;
  int *rows; /* pivots, as LAPACK counts */
} panels;

/* The panel is written as it was before its rows changed places: they do so on the device, all columns at once. */
static void factor_panel(vptr__solver_call *call, const panels *it, int64_t from, int width) {
  int height = (int)(it->m - from), one = 1, back = -1, info = 0;
  int *rows = it->rows + from;
  void *at = vptr__solver_element(call, it->a, it->lda, from, from);
  vptr__solver_get(call, it->panel, height, at, it->lda, height, width);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  getrf[call->type](&height, &width, it->panel, &height, rows, &info);
  if (info > 0 && call->info == 0)
    call->info = (int)from + info;
  int pivots = (int)least_of(height, width);
  laswp[call->type](&width, it->panel, &height, &one, &pivots, rows, &back);
  vptr__solver_put(call, it->panel, height, at, it->lda, height, width);
  for (int i = 0; i < pivots; i++) {
    rows[i] += (int)from;
    if (rows[i] != (int)from + i + 1)
      vptr__solver_swap(call, it->n, vptr__solver_element(call, it->a, it->lda, from + i, 0), it->lda,
                        vptr__solver_element(call, it->a, it->lda, rows[i] - 1, 0), it->lda);
  }
}

static void update_rest(vptr__solver_call *call, const panels *it, int64_t from, int64_t width) {
  int64_t next = from + width;
  void *beside = vptr__solver_element(call, it->a, it->lda, from, next);
  if (next >= it->n)
    return;
  vptr__solver_solve(call, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, width,
                     it->n - next, vptr__solver_element(call, it->a, it->lda, from, from), it->lda, beside, it->lda);
  if (next < it->m)
    vptr__solver_subtract_product(call, CUBLAS_OP_N, CUBLAS_OP_N, it->m - next, it->n - next, width,
                                  vptr__solver_element(call, it->a, it->lda, next, from), it->lda, beside, it->lda,
                                  vptr__solver_element(call, it->a, it->lda, next, next), it->lda);
}

void vptr__solver_lu_factor(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda, int *rows) {
  const int64_t pivots = least_of(m, n);
  panels it = { .m = m, .n = n, .lda = lda, .a = a, .rows = rows };
  it.panel = vptr__solver_work(call, (size_t)m * VPTR__SOLVER_PANEL, vptr__solver_size(call->type));
  for (int64_t from = 0; from < pivots && call->status == CUSOLVER_STATUS_SUCCESS; from += VPTR__SOLVER_PANEL) {
    int64_t width = least_of(VPTR__SOLVER_PANEL, pivots - from);
    factor_panel(call, &it, from, (int)width);
    update_rest(call, &it, from, width);
  }
}

static cusolverStatus_t factor_in_panels(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda,
                                         void *ipiv, size_t pivot_size) {
  vptr__solver_memory(call, "A", m, n, a, lda);
  vptr__solver_array *to = vptr__solver_numbers(call, "ipiv", VPTR__SOLVER_WRITES, least_of(m, n), pivot_size, ipiv);
  int *rows = vptr__solver_work(call, (size_t)least_of(m, n), sizeof *rows);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  vptr__solver_lu_factor(call, m, n, a, lda, rows);
  vptr__solver_lu_store(to, rows);
  return vptr__solver_finish(call);
}

cusolverStatus_t vptr__solver_getrf(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda, void *ipiv,
                                    size_t pivot_size, int *info) {
  vptr__solver_require_oblong(call, m, n, lda);
  vptr__solver_info(call, info);
  if (ipiv != NULL && least_of(m, n) > VPTR__SOLVER_WHOLE)
    return factor_in_panels(call, m, n, a, lda, ipiv, pivot_size);
  return factor_whole(call, m, n, a, lda, ipiv, pivot_size);
}

/* ---- solutions ------------------------------------------------------------------------------------------------ */

/* The rows of B change places on the host, which has all of them: B is narrow where this is worth it. */
static void exchange_sides(vptr__solver_call *call, const vptr__solver_sides *to, const int *rows, bool forward) {
  const int order = (int)to->n, sides = (int)to->nrhs, one = 1, direction = forward ? 1 : -1;
  vptr__solver_get(call, to->host, order, to->b, to->ldb, order, sides);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  laswp[call->type](&sides, to->host, &order, &one, &order, rows, &direction);
  vptr__solver_put(call, to->host, order, to->b, to->ldb, order, sides);
}

void vptr__solver_lu_solve(vptr__solver_call *call, cublasOperation_t trans, const void *a, int64_t lda,
                           const int *rows, const vptr__solver_sides *to) {
  const bool is_plain = trans == CUBLAS_OP_N;
  if (is_plain)
    exchange_sides(call, to, rows, true);
  vptr__solver_solve(call, CUBLAS_SIDE_LEFT, is_plain ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, trans,
                     is_plain ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, to->n, to->nrhs, a, lda, to->b, to->ldb);
  vptr__solver_solve(call, CUBLAS_SIDE_LEFT, is_plain ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, trans,
                     is_plain ? CUBLAS_DIAG_NON_UNIT : CUBLAS_DIAG_UNIT, to->n, to->nrhs, a, lda, to->b, to->ldb);
  if (!is_plain)
    exchange_sides(call, to, rows, false);
}

/* What ipiv says, or that no row changes its place. */
static void find_rows(vptr__solver_call *call, const vptr__solver_array *pivots, int64_t n, int *rows) {
  for (int64_t i = 0; i < n; i++)
    rows[i] = (int)i + 1;
  if (pivots != NULL)
    load_pivots(call, pivots, n, rows);
}

static cusolverStatus_t solve_on_device(vptr__solver_call *call, cublasOperation_t trans, int64_t n, int64_t nrhs,
                                        const void *a, int64_t lda, const void *ipiv, size_t pivot_size, void *b,
                                        int64_t ldb) {
  vptr__solver_sides to = { n, nrhs, ldb, b, NULL };
  vptr__solver_array *pivots = NULL;
  vptr__solver_memory(call, "A", n, n, a, lda);
  vptr__solver_memory(call, "B", n, nrhs, b, ldb);
  if (ipiv != NULL)
    pivots = vptr__solver_numbers(call, "ipiv", VPTR__SOLVER_READS, n, pivot_size, ipiv);
  int *rows = vptr__solver_work(call, (size_t)n, sizeof *rows);
  to.host = vptr__solver_work(call, (size_t)n * (size_t)nrhs, vptr__solver_size(call->type));
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  find_rows(call, pivots, n, rows);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    vptr__solver_lu_solve(call, trans, a, lda, rows, &to);
  return vptr__solver_finish(call);
}

cusolverStatus_t vptr__solver_getrs(vptr__solver_call *call, cublasOperation_t trans, int64_t n, int64_t nrhs,
                                    const void *a, int64_t lda, const void *ipiv, size_t pivot_size, void *b,
                                    int64_t ldb, int *info) {
  static const char *const letters[] = { [CUBLAS_OP_N] = "N", [CUBLAS_OP_T] = "T", [CUBLAS_OP_C] = "C" };
  const int order = (int)n, sides = (int)nrhs;
  vptr__solver_require_operation(call, trans);
  vptr__solver_require_size(call, "n", n);
  vptr__solver_require_size(call, "nrhs", nrhs);
  vptr__solver_require_leading(call, "lda", lda, n);
  vptr__solver_require_leading(call, "ldb", ldb, n);
  vptr__solver_info(call, info);
  if (n > VPTR__SOLVER_WHOLE && nrhs > 0)
    return solve_on_device(call, trans, n, nrhs, a, lda, ipiv, pivot_size, b, ldb);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, n, n, a, lda);
  vptr__solver_array *to = vptr__solver_matrix(call, "B", VPTR__SOLVER_CHANGES, n, nrhs, b, ldb);
  vptr__solver_array *pivots = NULL;
  if (ipiv != NULL)
    pivots = vptr__solver_numbers(call, "ipiv", VPTR__SOLVER_READS, n, pivot_size, ipiv);
  int *rows = vptr__solver_work(call, (size_t)(n > 0 ? n : 0), sizeof *rows);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  find_rows(call, pivots, n, rows);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    getrs[call->type](letters[trans], &order, &sides, it->host, &it->ld, rows, to->host, &to->ld, &call->info, 1);
  return vptr__solver_finish(call);
}

/* Rows k1 to k2 change places with those that pivots name; as many rows are moved as those reach. */
static cusolverStatus_t exchange(vptr__solver_call call, int n, void *a, int lda, int k1, int k2, const int *ipiv,
                                 int incx) {
  vptr__solver_require_size(&call, "n", n);
  vptr__solver_require(&call, k1 >= 1 && k2 >= k1 && k2 <= lda, "k1 and k2 are %d and %d, of %d rows", k1, k2, lda);
  vptr__solver_require(&call, incx == 1 || incx == -1, "incx is %d, neither 1 nor -1", incx);
  vptr__solver_array *it = vptr__solver_numbers(&call, "devIpiv", VPTR__SOLVER_READS, k2, sizeof(int), ipiv);
  vptr__solver_matrix(&call, "A", VPTR__SOLVER_READS, 0, n, a, lda);
  if (!vptr__solver_begin(&call))
    return vptr__solver_finish(&call);
  const int *rows = (const int *)(void *)it->host;
  int most = k2;
  for (int i = k1 - 1; i < k2; i++) {
    vptr__solver_require(&call, rows[i] >= 1 && rows[i] <= lda, "pivot %d is %d, of %d rows", i + 1, rows[i], lda);
    most = rows[i] > most ? rows[i] : most;
  }
  vptr__solver_memory(&call, "A", most, n, a, lda);
  void *whole = vptr__solver_work(&call, (size_t)most * (size_t)n, vptr__solver_size(call.type));
  vptr__solver_get(&call, whole, most, a, lda, most, n);
  if (call.status == CUSOLVER_STATUS_SUCCESS && n > 0)
    laswp[call.type](&n, whole, &most, &k1, &k2, rows, &incx);
  vptr__solver_put(&call, whole, most, a, lda, most, n);
  return vptr__solver_finish(&call);
}

/* ---- cuSOLVER's names ------------------------------------------------------------------------------------------ */

#define LU(letter, T, R, type)                                                                                       \
  cusolverStatus_t cusolverDn##letter##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *A, int lda,      \
                                                        int *Lwork) {                                                \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter "getrf_bufferSize", handle, type);                \
    (void)A;                                                                                                         \
    vptr__solver_require_oblong(&call, m, n, lda);                                                                   \
    return vptr__solver_room(&call, Lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##getrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *Workspace,   \
                                             int *devIpiv, int *devInfo) {                                           \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "getrf", handle, type);                         \
    (void)Workspace;                                                                                                 \
    return vptr__solver_getrf(&call, m, n, A, lda, devIpiv, sizeof *devIpiv, devInfo);                               \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,    \
                                             const T *A, int lda, const int *devIpiv, T *B, int ldb, int *devInfo) { \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "getrs", handle, type);                         \
    return vptr__solver_getrs(&call, trans, n, nrhs, A, lda, devIpiv, sizeof *devIpiv, B, ldb, devInfo);             \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##laswp(cusolverDnHandle_t handle, int n, T *A, int lda, int k1, int k2,        \
                                             const int *devIpiv, int incx) {                                         \
    return exchange(vptr__solver_enter("cusolverDn" #letter "laswp", handle, type), n, A, lda, k1, k2, devIpiv,      \
                    incx);                                                                                           \
  }
VPTR__SOLVER_FOR_ALL(LU)
