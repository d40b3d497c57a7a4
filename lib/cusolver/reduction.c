/* SPDX-License-Identifier: MIT */
/*
 * reduction - matrices to tridiagonal and bidiagonal form, and the matrices that do it: sytrd and hetrd, orgtr and
 * ungtr, ormtr and unmtr; gebrd, orgbr and ungbr.
 *
 * LAPACK's, on the host; each asks how large its work area is.
 *
 * No state, no locks. Called by programs. It waits for the stream.
 */
#include "cusolver/factor.h"
#include "cusolver/lapack.h"
#include "cusolver/types.h"

static vptr__lapack_sytrd *const sytrd[] = { ssytrd_, dsytrd_, chetrd_, zhetrd_ };
static vptr__lapack_orgtr *const orgtr[] = { sorgtr_, dorgtr_, cungtr_, zungtr_ };
static vptr__lapack_ormtr *const ormtr[] = { sormtr_, dormtr_, cunmtr_, zunmtr_ };
static vptr__lapack_gebrd *const gebrd[] = VPTR__LAPACK_ALL(gebrd);
static vptr__lapack_orgbr *const orgbr[] = { sorgbr_, dorgbr_, cungbr_, zungbr_ };

static int least_of(int a, int b) {
  return a < b ? a : b;
}

static int one_less(int n) {
  return n > 1 ? n - 1 : 0;
}

/* A work area as large as LAPACK said; NULL if there is none. */
static void *take_work(vptr__solver_call *call, const void *answer, int *room) {
  *room = vptr__solver_asked(call, answer);
  return vptr__solver_work(call, (size_t)*room, vptr__solver_size(call->type));
}

/* ---- tridiagonal ---------------------------------------------------------------------------------------------- */

typedef struct tridiagonal {
  void *d, *e, *tau;
} tridiagonal;

static cusolverStatus_t reduce_square(vptr__solver_call *call, cublasFillMode_t uplo, int n, void *a, int lda,
                                      const tridiagonal *to, int *info) {
  const char *triangle = vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER);
  const size_t real = vptr__solver_real_size(call->type), size = vptr__solver_size(call->type);
  int room = -1;
  double answer[2] = { 0, 0 };
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_info(call, info);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, n, n, a, lda);
  vptr__solver_array *d = vptr__solver_numbers(call, "d", VPTR__SOLVER_WRITES, n, real, to->d);
  vptr__solver_array *e = vptr__solver_numbers(call, "e", VPTR__SOLVER_WRITES, one_less(n), real, to->e);
  vptr__solver_array *tau = vptr__solver_numbers(call, "tau", VPTR__SOLVER_WRITES, one_less(n), size, to->tau);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  sytrd[call->type](triangle, &n, it->host, &it->ld, d->host, e->host, tau->host, answer, &room, &call->info, 1);
  void *work = take_work(call, answer, &room);
  if (work != NULL)
    sytrd[call->type](triangle, &n, it->host, &it->ld, d->host, e->host, tau->host, work, &room, &call->info, 1);
  return vptr__solver_finish(call);
}

static cusolverStatus_t make_square(vptr__solver_call *call, cublasFillMode_t uplo, int n, void *a, int lda,
                                    const void *tau, int *info) {
  const char *triangle = vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER);
  int room = -1;
  double answer[2] = { 0, 0 };
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_info(call, info);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, n, n, a, lda);
  vptr__solver_array *by =
      vptr__solver_numbers(call, "tau", VPTR__SOLVER_READS, one_less(n), vptr__solver_size(call->type), tau);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  orgtr[call->type](triangle, &n, it->host, &it->ld, by->host, answer, &room, &call->info, 1);
  void *work = take_work(call, answer, &room);
  if (work != NULL)
    orgtr[call->type](triangle, &n, it->host, &it->ld, by->host, work, &room, &call->info, 1);
  return vptr__solver_finish(call);
}

typedef struct product {
  cublasSideMode_t side;
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  int m, n, lda, ldc;
} product;

static void require_product(vptr__solver_call *call, const product *it) {
  vptr__solver_require(call, it->side == CUBLAS_SIDE_LEFT || it->side == CUBLAS_SIDE_RIGHT,
                       "side is %d, neither left nor right", (int)it->side);
  vptr__solver_require_triangle(call, it->uplo);
  vptr__solver_require_operation(call, it->trans);
  vptr__solver_require(call, !vptr__solver_is_complex(call->type) || it->trans != CUBLAS_OP_T,
                       "trans is CUBLAS_OP_T; of complex matrices there is CUBLAS_OP_C");
  vptr__solver_require_size(call, "m", it->m);
  vptr__solver_require_size(call, "n", it->n);
  vptr__solver_require_leading(call, "lda", it->lda, it->side == CUBLAS_SIDE_LEFT ? it->m : it->n);
  vptr__solver_require_leading(call, "ldc", it->ldc, it->m);
}

static cusolverStatus_t multiply(vptr__solver_call *call, const product *by, const void *a, const void *tau, void *c,
                                 int *info) {
  const char *side = by->side == CUBLAS_SIDE_LEFT ? "L" : "R";
  const char *triangle = vptr__lapack_uplo(by->uplo == CUBLAS_FILL_MODE_LOWER);
  const char *trans = by->trans == CUBLAS_OP_N ? "N" : vptr__solver_is_complex(call->type) ? "C" : "T";
  const int order = by->side == CUBLAS_SIDE_LEFT ? by->m : by->n;
  int room = -1;
  double answer[2] = { 0, 0 };
  require_product(call, by);
  vptr__solver_info(call, info);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, order, order, a, by->lda);
  vptr__solver_array *factors =
      vptr__solver_numbers(call, "tau", VPTR__SOLVER_READS, one_less(order), vptr__solver_size(call->type), tau);
  vptr__solver_array *to = vptr__solver_matrix(call, "C", VPTR__SOLVER_CHANGES, by->m, by->n, c, by->ldc);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  ormtr[call->type](side, triangle, trans, &by->m, &by->n, it->host, &it->ld, factors->host, to->host, &to->ld,
                    answer, &room, &call->info, 1, 1, 1);
  void *work = take_work(call, answer, &room);
  if (work != NULL)
    ormtr[call->type](side, triangle, trans, &by->m, &by->n, it->host, &it->ld, factors->host, to->host, &to->ld,
                      work, &room, &call->info, 1, 1, 1);
  return vptr__solver_finish(call);
}

#define TRIDIAGONAL(letter, reduce, make, multiply_by, T, R, type)                                                   \
  cusolverStatus_t cusolverDn##letter##reduce##_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,  \
                                                           const T *A, int lda, const R *d, const R *e,              \
                                                           const T *tau, int *lwork) {                               \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter #reduce "_bufferSize", handle, type);             \
    (void)A, (void)d, (void)e, (void)tau;                                                                            \
    vptr__solver_require_square(&call, uplo, n, lda);                                                                \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##reduce(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A,         \
                                              int lda, R *d, R *e, T *tau, T *work, int lwork, int *info) {          \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter #reduce, handle, type);                         \
    (void)work;                                                                                                      \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return reduce_square(&call, uplo, n, A, lda, &(tridiagonal){ d, e, tau }, info);                                 \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##make##_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,    \
                                                         const T *A, int lda, const T *tau, int *lwork) {            \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter #make "_bufferSize", handle, type);               \
    (void)A, (void)tau;                                                                                              \
    vptr__solver_require_square(&call, uplo, n, lda);                                                                \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##make(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda,  \
                                            const T *tau, T *work, int lwork, int *info) {                           \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter #make, handle, type);                           \
    (void)work;                                                                                                      \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return make_square(&call, uplo, n, A, lda, tau, info);                                                           \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##multiply_by##_bufferSize(                                                     \
      cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, int m,       \
      int n, const T *A, int lda, const T *tau, const T *C, int ldc, int *lwork) {                                   \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter #multiply_by "_bufferSize", handle, type);        \
    (void)A, (void)tau, (void)C;                                                                                     \
    require_product(&call, &(product){ side, uplo, trans, m, n, lda, ldc });                                         \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##multiply_by(                                                                  \
      cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, int m,       \
      int n, T *A, int lda, T *tau, T *C, int ldc, T *work, int lwork, int *info) {                                  \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter #multiply_by, handle, type);                    \
    (void)work;                                                                                                      \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return multiply(&call, &(product){ side, uplo, trans, m, n, lda, ldc }, A, tau, C, info);                        \
  }
TRIDIAGONAL(S, sytrd, orgtr, ormtr, float, float, VPTR__SOLVER_S)
TRIDIAGONAL(D, sytrd, orgtr, ormtr, double, double, VPTR__SOLVER_D)
TRIDIAGONAL(C, hetrd, ungtr, unmtr, cuComplex, float, VPTR__SOLVER_C)
TRIDIAGONAL(Z, hetrd, ungtr, unmtr, cuDoubleComplex, double, VPTR__SOLVER_Z)

/* ---- bidiagonal ----------------------------------------------------------------------------------------------- */

typedef struct bidiagonal {
  void *d, *e, *tauq, *taup;
} bidiagonal;

static cusolverStatus_t reduce_oblong(vptr__solver_call *call, int m, int n, void *a, int lda, const bidiagonal *to,
                                      int *info) {
  const int least = least_of(m, n);
  const size_t real = vptr__solver_real_size(call->type), size = vptr__solver_size(call->type);
  int room = -1;
  double answer[2] = { 0, 0 };
  vptr__solver_require_oblong(call, m, n, lda);
  vptr__solver_info(call, info);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, m, n, a, lda);
  vptr__solver_array *d = vptr__solver_numbers(call, "D", VPTR__SOLVER_WRITES, least, real, to->d);
  vptr__solver_array *e = vptr__solver_numbers(call, "E", VPTR__SOLVER_WRITES, one_less(least), real, to->e);
  vptr__solver_array *tauq = vptr__solver_numbers(call, "TAUQ", VPTR__SOLVER_WRITES, least, size, to->tauq);
  vptr__solver_array *taup = vptr__solver_numbers(call, "TAUP", VPTR__SOLVER_WRITES, least, size, to->taup);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  gebrd[call->type](&m, &n, it->host, &it->ld, d->host, e->host, tauq->host, taup->host, answer, &room, &call->info);
  void *work = take_work(call, answer, &room);
  if (work != NULL)
    gebrd[call->type](&m, &n, it->host, &it->ld, d->host, e->host, tauq->host, taup->host, work, &room, &call->info);
  return vptr__solver_finish(call);
}

/* Q of m rows, made of k reflectors or of m - 1 if there are not as many; P^H of n columns likewise. */
static void require_factor(vptr__solver_call *call, cublasSideMode_t side, int m, int n, int k, int lda) {
  const bool is_left = side == CUBLAS_SIDE_LEFT;
  const int longer = is_left ? m : n, shorter = is_left ? n : m;
  vptr__solver_require(call, is_left || side == CUBLAS_SIDE_RIGHT, "side is %d, neither left nor right", (int)side);
  vptr__solver_require_oblong(call, m, n, lda);
  vptr__solver_require(call, k >= 0, "k is %d, below 0", k);
  vptr__solver_require(call, shorter <= longer && shorter >= least_of(longer, k),
                       "m, n and k are %d, %d and %d, and must be in the order of cuSOLVER's document", m, n, k);
}

static cusolverStatus_t make_factor(vptr__solver_call *call, cublasSideMode_t side, int m, int n, int k, void *a,
                                    int lda, const void *tau, int *info) {
  const char *vector = side == CUBLAS_SIDE_LEFT ? "Q" : "P";
  const int reflectors = least_of(side == CUBLAS_SIDE_LEFT ? m : n, k);
  int room = -1;
  double answer[2] = { 0, 0 };
  require_factor(call, side, m, n, k, lda);
  vptr__solver_info(call, info);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, m, n, a, lda);
  vptr__solver_array *by =
      vptr__solver_numbers(call, "tau", VPTR__SOLVER_READS, reflectors, vptr__solver_size(call->type), tau);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  orgbr[call->type](vector, &m, &n, &k, it->host, &it->ld, by->host, answer, &room, &call->info, 1);
  void *work = take_work(call, answer, &room);
  if (work != NULL)
    orgbr[call->type](vector, &m, &n, &k, it->host, &it->ld, by->host, work, &room, &call->info, 1);
  return vptr__solver_finish(call);
}

#define BIDIAGONAL(letter, make, T, R, type)                                                                         \
  cusolverStatus_t cusolverDn##letter##gebrd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *Lwork) {       \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter "gebrd_bufferSize", handle, type);                \
    vptr__solver_require_oblong(&call, m, n, m > 1 ? m : 1);                                                         \
    return vptr__solver_room(&call, Lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gebrd(cusolverDnHandle_t handle, int m, int n, T *A, int lda, R *D, R *E,     \
                                             T *TAUQ, T *TAUP, T *Work, int Lwork, int *devInfo) {                   \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gebrd", handle, type);                         \
    (void)Work;                                                                                                      \
    vptr__solver_require_room(&call, Lwork);                                                                         \
    return reduce_oblong(&call, m, n, A, lda, &(bidiagonal){ D, E, TAUQ, TAUP }, devInfo);                           \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##make##_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side, int m,    \
                                                         int n, int k, const T *A, int lda, const T *tau,            \
                                                         int *lwork) {                                               \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter #make "_bufferSize", handle, type);               \
    (void)A, (void)tau;                                                                                              \
    require_factor(&call, side, m, n, k, lda);                                                                       \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##make(cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k,   \
                                            T *A, int lda, const T *tau, T *work, int lwork, int *info) {            \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter #make, handle, type);                           \
    (void)work;                                                                                                      \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return make_factor(&call, side, m, n, k, A, lda, tau, info);                                                     \
  }
BIDIAGONAL(S, orgbr, float, float, VPTR__SOLVER_S)
BIDIAGONAL(D, orgbr, double, double, VPTR__SOLVER_D)
BIDIAGONAL(C, ungbr, cuComplex, float, VPTR__SOLVER_C)
BIDIAGONAL(Z, ungbr, cuDoubleComplex, double, VPTR__SOLVER_Z)
