/* SPDX-License-Identifier: MIT */
/*
 * svd - singular values and vectors: gesvd, and gesvdj, which gives V where gesvd gives its conjugate transpose;
 * see svd.h.
 *
 * LAPACK's gesvd does both on the host (decomposition.c): values in descending order. gesvd takes no matrix that has
 * more columns than rows, as cuSOLVER's; gesvdj takes any. A is changed only where a job puts vectors there. gesvdj
 * also tells the residual of its vectors.
 *
 * No state, no locks. Called by programs; and by generic.c and generic_svd.c. It waits for the stream.
 */
#include "cusolver/svd.h"

#include "cusolver/decomposition.h"
#include "cusolver/factor.h"
#include "cusolver/parameters.h"
#include "cusolver/residual.h"
#include "cusolver/types.h"

#include <string.h>

static void decompose(vptr__solver_call *call, const vptr__solver_decomposition *it) {
  vptr__solver_decomposition_areas in = vptr__solver_decomposition_take(call, it);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    vptr__solver_decomposition_compute(call, it, &in);
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

cusolverStatus_t vptr__solver_svd_solve(vptr__solver_call *call, const vptr__solver_svd *svd, int *info) {
  bool changes = svd->jobu == 'O' || svd->jobvt == 'O';
  int64_t columns = vectors_of(svd->jobu, svd->m, svd->n), rows = vectors_of(svd->jobvt, svd->n, svd->n);
  vptr__solver_svd_require(call, svd);
  vptr__solver_info(call, info);
  vptr__solver_array *a = vptr__solver_matrix(call, "A", changes ? VPTR__SOLVER_CHANGES : VPTR__SOLVER_READS, svd->m,
                                              svd->n, svd->a, svd->lda);
  vptr__solver_array *s =
      vptr__solver_numbers(call, "S", VPTR__SOLVER_WRITES, svd->n, vptr__solver_real_size(call->type), svd->s);
  vptr__solver_array *u =
      vptr__solver_matrix(call, "U", VPTR__SOLVER_WRITES, columns > 0 ? svd->m : 0, columns, svd->u, svd->ldu);
  vptr__solver_array *vt =
      vptr__solver_matrix(call, "VT", VPTR__SOLVER_WRITES, rows, rows > 0 ? svd->n : 0, svd->vt, svd->ldvt);
  if (vptr__solver_begin(call))
    decompose(call, &(vptr__solver_decomposition){ (char)svd->jobu, (char)svd->jobvt, (int)svd->m, (int)svd->n, a->ld,
                                                   u->ld, vt->ld, a->host, s->host, u->host, vt->host });
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

cusolverStatus_t vptr__solver_gesvdj_solve(vptr__solver_call *call, const vptr__solver_gesvdj *it, int *info,
                                           double *residual) {
  bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  int64_t least = it->m < it->n ? it->m : it->n;
  vptr__solver_gesvdj_require(call, it);
  vptr__solver_info(call, info);
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

/* ---- cuSOLVER's names -------------------------------------------------------------------------------------- */

#define SVD(letter, T, R, type)                                                                                      \
  cusolverStatus_t cusolverDn##letter##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork) {       \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gesvd_bufferSize", handle, type);              \
    vptr__solver_require_oblong(&call, m, n, m > 1 ? m : 1);                                                         \
    vptr__solver_require(&call, m >= n, "m is %d, below n, which is %d", m, n);                                      \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,  \
                                             int n, T *A, int lda, R *S, T *U, int ldu, T *VT, int ldvt, T *work,    \
                                             int lwork, R *rwork, int *info) {                                       \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gesvd", handle, type);                         \
    (void)work, (void)rwork;                                                                                         \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return vptr__solver_svd_solve(&call, &(vptr__solver_svd){ jobu, jobvt, m, n, lda, ldu, ldvt, A, S, U, VT },      \
                                  info);                                                                             \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvdj_bufferSize(                                                            \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const T *A, int lda, const R *S,    \
      const T *U, int ldu, const T *V, int ldv, int *lwork, gesvdjInfo_t params) {                                   \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gesvdj_bufferSize", handle, type);             \
    vptr__solver_require(&call, params != NULL, "params is NULL");                                                   \
    vptr__solver_gesvdj_require(&call, &(vptr__solver_gesvdj){ jobz, econ, m, n, lda, ldu, ldv, A, S, U, V });       \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,    \
                                              int n, T *A, int lda, R *S, T *U, int ldu, T *V, int ldv, T *work,     \
                                              int lwork, int *info, gesvdjInfo_t params) {                           \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gesvdj", handle, type);                        \
    (void)work;                                                                                                      \
    vptr__solver_require(&call, params != NULL, "params is NULL");                                                   \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return vptr__solver_gesvdj_solve(&call, &(vptr__solver_gesvdj){ jobz, econ, m, n, lda, ldu, ldv, A, S, U, V },   \
                                     info, params != NULL ? &params->it.residual : NULL);                            \
  }
VPTR__SOLVER_FOR_ALL(SVD)
