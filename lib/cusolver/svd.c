/* SPDX-License-Identifier: MIT */
/*
 * svd - singular values and vectors: gesvd, and gesvdj, which gives V where gesvd gives its conjugate transpose;
 * see svd.h.
 *
 * LAPACK's gesvd does both on the host (decomposition.c): values in descending order. A large matrix it has by way of a
 * bidiagonal one, which the device makes (svd_panels.c). gesvd takes no matrix that has more columns than rows, as
 * cuSOLVER's; gesvdj takes any. A is changed only where a job puts vectors there. gesvdj also tells the residual of its
 * vectors.
 *
 * No state, no locks. Called by programs; and by generic.c and generic_svd.c. It waits for the stream.
 */
#include "cusolver/svd.h"

#include "cusolver/crossover.h"
#include "cusolver/decomposition.h"
#include "cusolver/factor.h"
#include "cusolver/parameters.h"
#include "cusolver/residual.h"
#include "cusolver/svd_panels.h"
#include "cusolver/types.h"

#include <limits.h>
#include <string.h>

static void decompose(vptr__solver_call *call, const vptr__solver_decomposition *it) {
  vptr__solver_decomposition_areas in = vptr__solver_decomposition_take(call, it);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    vptr__solver_decomposition_compute(call, it, &in);
}

/* What would be too much for LAPACK's counting, or for a work area's size, is LAPACK's as a whole. */
int64_t vptr__solver_svd_room(const vptr__solver_call *call, int64_t m, int64_t n) {
  const int64_t least = m < n ? m : n;
  if (least > VPTR__SOLVER_SVD_MOST || !vptr__solver_reduces_on_device(call, least))
    return 1;
  const int64_t elements = vptr__solver_svd_panels_room(m, n);
  return elements <= INT_MAX ? elements : 1;
}

static bool is_large(const vptr__solver_call *call, int64_t m, int64_t n) {
  return vptr__solver_svd_room(call, m, n) > 1;
}

static bool is_job(signed char job) {
  return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

/* How many of the vectors there are, of `all` and of `some`. */
static int64_t vectors_of(signed char job, int64_t all, int64_t some) {
  return job == 'A' ? all : job == 'S' ? some : 0;
}

void vptr__solver_svd_require(vptr__solver_call *call, const vptr__solver_svd *svd) {
  vptr__solver_require(call, is_job(svd->jobu) && is_job(svd->jobvt),
                       "jobu and jobvt are %d and %d, and must be A, S, O or N", svd->jobu, svd->jobvt);
  vptr__solver_require(call, svd->jobu != 'O' || svd->jobvt != 'O', "jobu and jobvt are both O: there is one A");
  vptr__solver_require_oblong(call, svd->m, svd->n, svd->lda);
  vptr__solver_require(call, svd->m >= svd->n, "m is %lld, below n, which is %lld", (long long)svd->m,
                       (long long)svd->n);
  vptr__solver_require_leading(call, "ldu", svd->ldu, vectors_of(svd->jobu, svd->m, svd->m));
  vptr__solver_require_leading(call, "ldvt", svd->ldvt, vectors_of(svd->jobvt, svd->n, svd->n));
}

/* Vectors that a job puts on A, or anywhere. */
static int64_t wanted(signed char job, int64_t all, int64_t some) {
  return job == 'O' ? some : vectors_of(job, all, some);
}

/* U and VT on the device have vectors before the call finishes, which writes S alone. */
static void solve_large(vptr__solver_call *call, const vptr__solver_svd *svd, const vptr__solver_array *a,
                        const vptr__solver_array *s) {
  const bool u_on_a = svd->jobu == 'O', vt_on_a = svd->jobvt == 'O';
  vptr__solver_svd_panels_solve(call, &(vptr__solver_svd_panels){ .m = (int)svd->m,
                                                                  .n = (int)svd->n,
                                                                  .a = a->host,
                                                                  .s = s->host,
                                                                  .work = svd->area.at,
                                                                  .left = (int)wanted(svd->jobu, svd->m, svd->n),
                                                                  .right = (int)wanted(svd->jobvt, svd->n, svd->n),
                                                                  .u = u_on_a ? svd->a : svd->u,
                                                                  .v = vt_on_a ? svd->a : svd->vt,
                                                                  .ldu = u_on_a ? svd->lda : svd->ldu,
                                                                  .ldv = vt_on_a ? svd->lda : svd->ldvt,
                                                                  .is_turned = true });
}

static void solve_whole(vptr__solver_call *call, const vptr__solver_svd *svd, const vptr__solver_array *a,
                        const vptr__solver_array *s, const vptr__solver_array *u, const vptr__solver_array *vt) {
  decompose(call, &(vptr__solver_decomposition){ (char)svd->jobu, (char)svd->jobvt, (int)svd->m, (int)svd->n, a->ld,
                                                 u->ld, vt->ld, a->host, s->host, u->host, vt->host });
}

cusolverStatus_t vptr__solver_svd_solve(vptr__solver_call *call, const vptr__solver_svd *svd, int *info) {
  const int64_t columns = vectors_of(svd->jobu, svd->m, svd->n), rows = vectors_of(svd->jobvt, svd->n, svd->n);
  vptr__solver_array *u = NULL, *vt = NULL;
  vptr__solver_svd_require(call, svd);
  vptr__solver_require_area(call, svd->area, vptr__solver_svd_room(call, svd->m, svd->n));
  vptr__solver_info(call, info);
  const bool goes_there = is_large(call, svd->m, svd->n);
  const bool changes = !goes_there && (svd->jobu == 'O' || svd->jobvt == 'O');
  vptr__solver_array *a = vptr__solver_matrix(call, "A", changes ? VPTR__SOLVER_CHANGES : VPTR__SOLVER_READS, svd->m,
                                              svd->n, svd->a, svd->lda);
  vptr__solver_array *s =
      vptr__solver_numbers(call, "S", VPTR__SOLVER_WRITES, svd->n, vptr__solver_real_size(call->type), svd->s);
  if (goes_there) {
    vptr__solver_memory(call, "U", columns > 0 ? svd->m : 0, columns, svd->u, svd->ldu);
    vptr__solver_memory(call, "VT", rows, rows > 0 ? svd->n : 0, svd->vt, svd->ldvt);
  } else {
    u = vptr__solver_matrix(call, "U", VPTR__SOLVER_WRITES, columns > 0 ? svd->m : 0, columns, svd->u, svd->ldu);
    vt = vptr__solver_matrix(call, "VT", VPTR__SOLVER_WRITES, rows, rows > 0 ? svd->n : 0, svd->vt, svd->ldvt);
  }
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  if (goes_there)
    solve_large(call, svd, a, s);
  else
    solve_whole(call, svd, a, s, u, vt);
  return vptr__solver_finish(call);
}

/* ---- gesvdj -------------------------------------------------------------------------------------------------- */

void vptr__solver_gesvdj_require(vptr__solver_call *call, const vptr__solver_gesvdj *it) {
  bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  vptr__solver_require_vectors(call, it->jobz);
  vptr__solver_require_oblong(call, it->m, it->n, it->lda);
  vptr__solver_require_leading(call, "ldu", it->ldu, has_vectors ? it->m : 0);
  vptr__solver_require_leading(call, "ldv", it->ldv, has_vectors ? it->n : 0);
}

static void decompose_with_vectors(vptr__solver_call *call, const vptr__solver_gesvdj *it, vptr__solver_array *a,
                                   void *s, vptr__solver_array *u, vptr__solver_array *v, double *residual) {
  const char job = it->econ ? 'S' : 'A';
  const int m = (int)it->m, n = (int)it->n, least = m < n ? m : n;
  const size_t size = vptr__solver_size(call->type), elements = (size_t)m * (size_t)n;
  int ldvt = v->columns > 1 ? (int)v->columns : 1;
  void *before = vptr__solver_work(call, elements, size);
  void *scaled = vptr__solver_work(call, (size_t)m * (size_t)least, size);
  void *vt = vptr__solver_work(call, (size_t)ldvt * (size_t)n, size);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  memcpy(before, a->host, elements * size);
  decompose(call, &(vptr__solver_decomposition){ job, job, m, n, a->ld, u->ld, ldvt, a->host, s, u->host, vt });
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  vptr__solver_decomposition_turn(call, (int)v->columns, n, vt, ldvt, v->host, v->ld);
  if (residual != NULL)
    *residual = vptr__solver_svd_residual(
        call, &(vptr__solver_factors){ m, n, least, a->ld, u->ld, ldvt, before, u->host, s, vt, scaled });
}

/* Vectors of which the device has no copy on the host: they are read back if the residual is asked for. */
static void find_residual(vptr__solver_call *call, const vptr__solver_gesvdj *it, const void *before, const void *s,
                          double *residual) {
  const int m = (int)it->m, n = (int)it->n, least = m < n ? m : n;
  const size_t size = vptr__solver_size(call->type);
  void *u = vptr__solver_work(call, (size_t)m * (size_t)least, size);
  void *v = vptr__solver_work(call, (size_t)n * (size_t)least, size);
  void *vt = vptr__solver_work(call, (size_t)n * (size_t)least, size);
  void *scaled = vptr__solver_work(call, (size_t)m * (size_t)least, size);
  vptr__solver_get(call, u, m, it->u, it->ldu, m, least);
  vptr__solver_get(call, v, n, it->v, it->ldv, n, least);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  vptr__solver_decomposition_turn(call, n, least, v, n, vt, least);
  *residual = vptr__solver_svd_residual(
      call, &(vptr__solver_factors){ m, n, least, m, m, least, (void *)(uintptr_t)before, u, s, vt, scaled });
}

static cusolverStatus_t solve_large_jacobi(vptr__solver_call *call, const vptr__solver_gesvdj *it, double *residual) {
  const bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  const int64_t least = it->m < it->n ? it->m : it->n;
  const int64_t left = has_vectors ? (it->econ ? least : it->m) : 0;
  const int64_t right = has_vectors ? (it->econ ? least : it->n) : 0;
  const size_t bytes = (size_t)(it->m * it->n) * vptr__solver_size(call->type);
  void *before = NULL;
  vptr__solver_array *a = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, it->m, it->n, it->a, it->lda);
  vptr__solver_array *s =
      vptr__solver_numbers(call, "S", VPTR__SOLVER_WRITES, least, vptr__solver_real_size(call->type), it->s);
  vptr__solver_memory(call, "U", it->m, left, it->u, it->ldu);
  vptr__solver_memory(call, "V", it->n, right, it->v, it->ldv);
  if (has_vectors && residual != NULL)
    before = vptr__solver_work(call, bytes, 1);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  if (before != NULL)
    memcpy(before, a->host, bytes);
  vptr__solver_svd_panels_solve(call,
                                &(vptr__solver_svd_panels){ (int)it->m, (int)it->n, a->host, s->host, it->area.at,
                                                            (int)left, (int)right, (void *)(uintptr_t)it->u,
                                                            (void *)(uintptr_t)it->v, it->ldu, it->ldv, false });
  if (before != NULL)
    find_residual(call, it, before, s->host, residual);
  return vptr__solver_finish(call);
}

static cusolverStatus_t solve_whole_jacobi(vptr__solver_call *call, const vptr__solver_gesvdj *it, double *residual) {
  const bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  int64_t least = it->m < it->n ? it->m : it->n;
  vptr__solver_array *a = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, it->m, it->n, it->a, it->lda);
  vptr__solver_array *s =
      vptr__solver_numbers(call, "S", VPTR__SOLVER_WRITES, least, vptr__solver_real_size(call->type), it->s);
  vptr__solver_array *u = vptr__solver_matrix(call, "U", VPTR__SOLVER_WRITES, has_vectors ? it->m : 0,
                                              it->econ ? least : it->m, it->u, it->ldu);
  vptr__solver_array *v = vptr__solver_matrix(call, "V", VPTR__SOLVER_WRITES, has_vectors ? it->n : 0,
                                              it->econ ? least : it->n, it->v, it->ldv);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  if (has_vectors)
    decompose_with_vectors(call, it, a, s->host, u, v, residual);
  else
    decompose(call, &(vptr__solver_decomposition){ 'N', 'N', (int)it->m, (int)it->n, a->ld, 1, 1, a->host, s->host,
                                                   u->host, v->host });
  return vptr__solver_finish(call);
}

cusolverStatus_t vptr__solver_gesvdj_solve(vptr__solver_call *call, const vptr__solver_gesvdj *it, int *info,
                                           double *residual) {
  vptr__solver_gesvdj_require(call, it);
  vptr__solver_require_area(call, it->area, vptr__solver_svd_room(call, it->m, it->n));
  vptr__solver_info(call, info);
  return is_large(call, it->m, it->n) ? solve_large_jacobi(call, it, residual)
                                      : solve_whole_jacobi(call, it, residual);
}

/* ---- cuSOLVER's names -------------------------------------------------------------------------------------- */

#define SVD(letter, T, R, type)                                                                                      \
  cusolverStatus_t cusolverDn##letter##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork) {       \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter "gesvd_bufferSize", handle, type);                \
    vptr__solver_require_oblong(&call, m, n, m > 1 ? m : 1);                                                         \
    vptr__solver_require(&call, m >= n, "m is %d, below n, which is %d", m, n);                                      \
    return vptr__solver_tell_room(&call, vptr__solver_svd_room(&call, m, n), lwork);                                 \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,  \
                                             int n, T *A, int lda, R *S, T *U, int ldu, T *VT, int ldvt, T *work,    \
                                             int lwork, R *rwork, int *info) {                                       \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gesvd", handle, type);                         \
    (void)rwork;                                                                                                     \
    return vptr__solver_svd_solve(                                                                                   \
        &call, &(vptr__solver_svd){ jobu, jobvt, m, n, lda, ldu, ldvt, A, S, U, VT, { work, lwork } }, info);        \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvdj_bufferSize(                                                            \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const T *A, int lda, const R *S,    \
      const T *U, int ldu, const T *V, int ldv, int *lwork, gesvdjInfo_t params) {                                   \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter "gesvdj_bufferSize", handle, type);               \
    (void)A, (void)S, (void)U, (void)V;                                                                              \
    vptr__solver_require(&call, params != NULL, "params is NULL");                                                   \
    vptr__solver_gesvdj_require(                                                                                     \
        &call,                                                                                                       \
        &(vptr__solver_gesvdj){ .jobz = jobz, .econ = econ, .m = m, .n = n, .lda = lda, .ldu = ldu, .ldv = ldv });   \
    return vptr__solver_tell_room(&call, vptr__solver_svd_room(&call, m, n), lwork);                                 \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,    \
                                              int n, T *A, int lda, R *S, T *U, int ldu, T *V, int ldv, T *work,     \
                                              int lwork, int *info, gesvdjInfo_t params) {                           \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gesvdj", handle, type);                        \
    vptr__solver_require(&call, params != NULL, "params is NULL");                                                   \
    return vptr__solver_gesvdj_solve(                                                                                \
        &call, &(vptr__solver_gesvdj){ jobz, econ, m, n, lda, ldu, ldv, A, S, U, V, { work, lwork } }, info,         \
        params != NULL ? &params->it.residual : NULL);                                                               \
  }
VPTR__SOLVER_FOR_ALL(SVD)
