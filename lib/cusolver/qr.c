/* SPDX-License-Identifier: MIT */
/*
 * qr - geqrf, and Q of it: orgqr and ungqr for its columns, ormqr and unmqr for products with it.
 *
 * LAPACK does what is small on the host; of what is large, qr_panels.c lets it have the panels alone, in the program's
 * work area.
 *
 * No state, no locks. Called by programs; by generic.c; and by bidiagonal.c, decomposition.c, geev.c, indefinite.c,
 * qr_panels.c, reduction.c, solve.c, spectrum.c and tridiagonal.c, which ask how large a work area is. It waits for the
 * stream.
 */
#include "cusolver/factor.h"
#include "cusolver/lapack.h"
#include "cusolver/qr_panels.h"

static vptr__lapack_geqrf *const geqrf[] = VPTR__LAPACK_ALL(geqrf);
static vptr__lapack_orgqr *const orgqr[] = { sorgqr_, dorgqr_, cungqr_, zungqr_ };
static vptr__lapack_ormqr *const ormqr[] = { sormqr_, dormqr_, cunmqr_, zunmqr_ };

/* A float does not hold each number of elements: a little more is right as well. */
int vptr__solver_asked(const vptr__solver_call *call, const void *answer) {
  double room = vptr__solver_real_size(call->type) == sizeof(float) ? (double)*(const float *)answer * 1.001
                                                                    : *(const double *)answer;
  return room < 1 ? 1 : (int)room + 1;
}

/* ---- factors -------------------------------------------------------------------------------------------------- */

static int64_t least_of(int64_t a, int64_t b) {
  return a < b ? a : b;
}

int64_t vptr__solver_geqrf_room(int64_t m, int64_t n) {
  return least_of(m, n) > VPTR__SOLVER_WHOLE ? vptr__solver_geqrf_panels_room(n) : 1;
}

cusolverStatus_t vptr__solver_geqrf(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda, void *tau,
                                    vptr__solver_area work_area, int *info) {
  const int rows = (int)m, columns = (int)n, ask = -1;
  double answer[2] = { 0, 0 };
  vptr__solver_require_oblong(call, m, n, lda);
  vptr__solver_require_area(call, work_area, vptr__solver_geqrf_room(m, n));
  vptr__solver_info(call, info);
  if (least_of(m, n) > VPTR__SOLVER_WHOLE)
    return vptr__solver_geqrf_panels(call, m, n, a, lda, tau, work_area.at);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, m, n, a, lda);
  vptr__solver_array *factors =
      vptr__solver_numbers(call, "tau", VPTR__SOLVER_WRITES, least_of(m, n), vptr__solver_size(call->type), tau);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  geqrf[call->type](&rows, &columns, it->host, &it->ld, factors->host, answer, &ask, &call->info);
  const int room = vptr__solver_asked(call, answer);
  void *work = vptr__solver_work(call, (size_t)room, vptr__solver_size(call->type));
  if (work != NULL)
    geqrf[call->type](&rows, &columns, it->host, &it->ld, factors->host, work, &room, &call->info);
  return vptr__solver_finish(call);
}

static void require_columns(vptr__solver_call *call, int m, int n, int k, int lda) {
  vptr__solver_require_oblong(call, m, n, lda);
  vptr__solver_require(call, n <= m, "n is %d, above m, which is %d", n, m);
  vptr__solver_require(call, k >= 0 && k <= n, "k is %d, below 0 or above n, which is %d", k, n);
}

static int64_t columns_room(int m, int n, int k) {
  return k > VPTR__SOLVER_WHOLE ? vptr__solver_orgqr_panels_room(m, n) : 1;
}

static cusolverStatus_t make_columns(vptr__solver_call *call, int m, int n, int k, void *a, int lda, const void *tau,
                                     vptr__solver_area work_area, int *info) {
  const int ask = -1;
  double answer[2] = { 0, 0 };
  require_columns(call, m, n, k, lda);
  vptr__solver_require_area(call, work_area, columns_room(m, n, k));
  vptr__solver_info(call, info);
  if (k > VPTR__SOLVER_WHOLE)
    return vptr__solver_orgqr_panels(call, m, n, k, a, lda, tau, work_area.at);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, m, n, a, lda);
  vptr__solver_array *factors =
      vptr__solver_numbers(call, "tau", VPTR__SOLVER_READS, k, vptr__solver_size(call->type), tau);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  orgqr[call->type](&m, &n, &k, it->host, &it->ld, factors->host, answer, &ask, &call->info);
  const int room = vptr__solver_asked(call, answer);
  void *work = vptr__solver_work(call, (size_t)room, vptr__solver_size(call->type));
  if (work != NULL)
    orgqr[call->type](&m, &n, &k, it->host, &it->ld, factors->host, work, &room, &call->info);
  return vptr__solver_finish(call);
}

/* A real matrix has a transpose, a complex one a conjugate transpose. */
static void require_product(vptr__solver_call *call, const vptr__solver_qr_product *it) {
  int order = it->side == CUBLAS_SIDE_LEFT ? it->m : it->n;
  bool is_complex = vptr__solver_is_complex(call->type);
  vptr__solver_require(call, it->side == CUBLAS_SIDE_LEFT || it->side == CUBLAS_SIDE_RIGHT,
                       "side is %d, neither left nor right", (int)it->side);
  vptr__solver_require_operation(call, it->trans);
  vptr__solver_require(call, !is_complex || it->trans != CUBLAS_OP_T,
                       "trans is CUBLAS_OP_T; of complex matrices there is CUBLAS_OP_C");
  vptr__solver_require_size(call, "m", it->m);
  vptr__solver_require_size(call, "n", it->n);
  vptr__solver_require(call, it->k >= 0 && it->k <= order, "k is %d, below 0 or above %d", it->k, order);
  vptr__solver_require_leading(call, "lda", it->lda, order);
  vptr__solver_require_leading(call, "ldc", it->ldc, it->m);
}

static int64_t product_room(const vptr__solver_qr_product *by) {
  return by->k > VPTR__SOLVER_WHOLE ? vptr__solver_ormqr_panels_room(by) : 1;
}

static cusolverStatus_t multiply(vptr__solver_call *call, const vptr__solver_qr_product *by, const void *a,
                                 const void *tau, void *c, vptr__solver_area work_area, int *info) {
  const char *side = by->side == CUBLAS_SIDE_LEFT ? "L" : "R";
  const char *trans = by->trans == CUBLAS_OP_N ? "N" : vptr__solver_is_complex(call->type) ? "C" : "T";
  const int ask = -1;
  double answer[2] = { 0, 0 };
  require_product(call, by);
  vptr__solver_require_area(call, work_area, product_room(by));
  vptr__solver_info(call, info);
  if (by->k > VPTR__SOLVER_WHOLE)
    return vptr__solver_ormqr_panels(call, by, a, tau, c, work_area.at);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS,
                                               by->side == CUBLAS_SIDE_LEFT ? by->m : by->n, by->k, a, by->lda);
  vptr__solver_array *factors =
      vptr__solver_numbers(call, "tau", VPTR__SOLVER_READS, by->k, vptr__solver_size(call->type), tau);
  vptr__solver_array *to = vptr__solver_matrix(call, "C", VPTR__SOLVER_CHANGES, by->m, by->n, c, by->ldc);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  ormqr[call->type](side, trans, &by->m, &by->n, &by->k, it->host, &it->ld, factors->host, to->host, &to->ld, answer,
                    &ask, &call->info, 1, 1);
  const int room = vptr__solver_asked(call, answer);
  void *work = vptr__solver_work(call, (size_t)room, vptr__solver_size(call->type));
  if (work != NULL)
    ormqr[call->type](side, trans, &by->m, &by->n, &by->k, it->host, &it->ld, factors->host, to->host, &to->ld, work,
                      &room, &call->info, 1, 1);
  return vptr__solver_finish(call);
}

/* ---- cuSOLVER's names -------------------------------------------------------------------------------------- */

#define QR(letter, columns, product_name, T, type)                                                                   \
  cusolverStatus_t cusolverDn##letter##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *A, int lda,      \
                                                        int *lwork) {                                                \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter "geqrf_bufferSize", handle, type);                \
    (void)A;                                                                                                         \
    vptr__solver_require_oblong(&call, m, n, lda);                                                                   \
    return vptr__solver_tell_room(&call, vptr__solver_geqrf_room(m, n), lwork);                                      \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##geqrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *TAU,         \
                                             T *Workspace, int Lwork, int *devInfo) {                                \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "geqrf", handle, type);                         \
    return vptr__solver_geqrf(&call, m, n, A, lda, TAU, (vptr__solver_area){ Workspace, Lwork }, devInfo);           \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##columns##_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,          \
                                                            const T *A, int lda, const T *tau, int *lwork) {         \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter #columns "_bufferSize", handle, type);            \
    (void)A, (void)tau;                                                                                              \
    require_columns(&call, m, n, k, lda);                                                                            \
    return vptr__solver_tell_room(&call, columns_room(m, n, k), lwork);                                              \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##columns(cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda,        \
                                               const T *tau, T *work, int lwork, int *info) {                        \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter #columns, handle, type);                        \
    return make_columns(&call, m, n, k, A, lda, tau, (vptr__solver_area){ work, lwork }, info);                      \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##product_name##_bufferSize(                                                    \
      cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const T *A,    \
      int lda, const T *tau, const T *C, int ldc, int *lwork) {                                                      \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter #product_name "_bufferSize", handle, type);       \
    (void)A, (void)tau, (void)C;                                                                                     \
    vptr__solver_qr_product by = { side, trans, m, n, k, lda, ldc };                                                 \
    require_product(&call, &by);                                                                                     \
    return vptr__solver_tell_room(&call, product_room(&by), lwork);                                                  \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##product_name(                                                                 \
      cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const T *A,    \
      int lda, const T *tau, T *C, int ldc, T *work, int lwork, int *devInfo) {                                      \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter #product_name, handle, type);                   \
    return multiply(&call, &(vptr__solver_qr_product){ side, trans, m, n, k, lda, ldc }, A, tau, C,                  \
                    (vptr__solver_area){ work, lwork }, devInfo);                                                    \
  }
QR(S, orgqr, ormqr, float, VPTR__SOLVER_S)
QR(D, orgqr, ormqr, double, VPTR__SOLVER_D)
QR(C, ungqr, unmqr, cuComplex, VPTR__SOLVER_C)
QR(Z, ungqr, unmqr, cuDoubleComplex, VPTR__SOLVER_Z)
