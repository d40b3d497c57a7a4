/* SPDX-License-Identifier: MIT */
/*
 * svd - singular values and vectors: gesvd, and gesvdj, which gives V where gesvd gives its conjugate transpose.
 *
 * LAPACK's gesvd does both on the host: values in descending order. gesvd takes no matrix that has more columns than
 * rows, as cuSOLVER's; gesvdj takes any. A is changed only where a job puts vectors there. gesvdj also tells the
 * residual of its vectors.
 *
 * No state, no locks. Called by programs; and by generic.c. It waits for the stream.
 */
#include "cusolver/factor.h"
#include "cusolver/lapack.h"
#include "cusolver/parameters.h"
#include "cusolver/residual.h"
#include "cusolver/types.h"

#include <string.h>

static vptr__lapack_gesvd *const gesvd[] = { sgesvd_, dgesvd_ };
static vptr__lapack_gesvd_complex *const gesvd_complex[] = { cgesvd_, zgesvd_ };

/* A decomposition of what is on the host. */
typedef struct decomposition {
  char jobu, jobvt;
  int m, n, lda, ldu, ldvt;
  void *a, *s, *u, *vt;
} decomposition;

static void run_lapack(vptr__solver_call *call, const decomposition *it, void *work, int room, void *rwork) {
  if (vptr__solver_is_complex(call->type))
    gesvd_complex[call->type - VPTR__SOLVER_C](&it->jobu, &it->jobvt, &it->m, &it->n, it->a, &it->lda, it->s, it->u,
                                               &it->ldu, it->vt, &it->ldvt, work, &room, rwork, &call->info, 1, 1);
  else
    gesvd[call->type](&it->jobu, &it->jobvt, &it->m, &it->n, it->a, &it->lda, it->s, it->u, &it->ldu, it->vt,
                      &it->ldvt, work, &room, &call->info, 1, 1);
}

/* cgesvd and zgesvd want five reals for each value. */
static void decompose(vptr__solver_call *call, const decomposition *it) {
  double answer[2] = { 0, 0 };
  size_t values = (size_t)(it->m < it->n ? it->m : it->n);
  void *rwork = vptr__solver_work(call, 5 * values, vptr__solver_real_size(call->type));
  if (rwork == NULL)
    return;
  run_lapack(call, it, answer, -1, rwork);
  int room = vptr__solver_asked(call, answer);
  void *work = vptr__solver_work(call, (size_t)room, vptr__solver_size(call->type));
  if (work != NULL)
    run_lapack(call, it, work, room, rwork);
}

static bool is_job(signed char job) {
  return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

/* How many of the vectors there are, of `all` and of `some`. */
static int64_t vectors_of(signed char job, int64_t all, int64_t some) {
  return job == 'A' ? all : job == 'S' ? some : 0;
}

void vptr__solver_require_svd(vptr__solver_call *call, const vptr__solver_svd *svd) {
  vptr__solver_require(call, is_job(svd->jobu) && is_job(svd->jobvt),
                       "jobu and jobvt are %d and %d, and must be A, S, O or N", svd->jobu, svd->jobvt);
  vptr__solver_require(call, svd->jobu != 'O' || svd->jobvt != 'O', "jobu and jobvt are both O: there is one A");
  vptr__solver_require_oblong(call, svd->m, svd->n, svd->lda);
  vptr__solver_require(call, svd->m >= svd->n, "m is %lld, below n, which is %lld", (long long)svd->m,
                       (long long)svd->n);
  vptr__solver_require_leading(call, "ldu", svd->ldu, vectors_of(svd->jobu, svd->m, svd->m));
  vptr__solver_require_leading(call, "ldvt", svd->ldvt, vectors_of(svd->jobvt, svd->n, svd->n));
}

cusolverStatus_t vptr__solver_gesvd(vptr__solver_call *call, const vptr__solver_svd *svd, int *info) {
  bool changes = svd->jobu == 'O' || svd->jobvt == 'O';
  int64_t columns = vectors_of(svd->jobu, svd->m, svd->n), rows = vectors_of(svd->jobvt, svd->n, svd->n);
  vptr__solver_require_svd(call, svd);
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
    decompose(call, &(decomposition){ (char)svd->jobu, (char)svd->jobvt, (int)svd->m, (int)svd->n, a->ld, u->ld,
                                      vt->ld, a->host, s->host, u->host, vt->host });
  return vptr__solver_finish(call);
}

/* ---- gesvdj -------------------------------------------------------------------------------------------------- */

typedef struct jacobi {
  cusolverEigMode_t jobz;
  int econ, m, n, lda, ldu, ldv;
  const void *a, *s, *u, *v;
} jacobi;

static void require_jacobi(vptr__solver_call *call, const jacobi *it, gesvdjInfo_t params) {
  bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  vptr__solver_require(call, params != NULL, "params is NULL");
  vptr__solver_require_vectors(call, it->jobz);
  vptr__solver_require_oblong(call, it->m, it->n, it->lda);
  vptr__solver_require_leading(call, "ldu", it->ldu, has_vectors ? it->m : 0);
  vptr__solver_require_leading(call, "ldv", it->ldv, has_vectors ? it->n : 0);
}

/* The conjugate transpose of rows by n elements. */
static void turn(const vptr__solver_call *call, int rows, int n, const char *vt, int ldvt, char *v, int ldv) {
  size_t size = vptr__solver_size(call->type);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) {
      char *to = v + (size_t)(j + (int64_t)i * ldv) * size;
      memcpy(to, vt + (size_t)(i + (int64_t)j * ldvt) * size, size);
      if (call->type == VPTR__SOLVER_C)
        ((float *)(void *)to)[1] *= -1;
      else if (call->type == VPTR__SOLVER_Z)
        ((double *)(void *)to)[1] *= -1;
    }
}

static void decompose_with_vectors(vptr__solver_call *call, const jacobi *it, vptr__solver_array *a, void *s,
                                   vptr__solver_array *u, vptr__solver_array *v, double *residual) {
  char job = it->econ ? 'S' : 'A';
  size_t bytes = (size_t)it->m * (size_t)it->n * vptr__solver_size(call->type);
  int ldvt = v->columns > 1 ? (int)v->columns : 1;
  void *before = vptr__solver_work(call, bytes, 1);
  void *vt = vptr__solver_work(call, (size_t)ldvt * (size_t)it->n, vptr__solver_size(call->type));
  if (before == NULL || vt == NULL)
    return;
  memcpy(before, a->host, bytes);
  decompose(call, &(decomposition){ job, job, it->m, it->n, a->ld, u->ld, ldvt, a->host, s, u->host, vt });
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  turn(call, (int)v->columns, it->n, vt, ldvt, v->host, v->ld);
  double found = vptr__solver_svd_residual(call, it->m, it->n, before, a->ld, u->host, u->ld, s, vt, ldvt);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    *residual = found;
}

static cusolverStatus_t decompose_by_jacobi(vptr__solver_call *call, const jacobi *it, int *info,
                                            gesvdjInfo_t params) {
  bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  int64_t least = it->m < it->n ? it->m : it->n;
  require_jacobi(call, it, params);
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
    decompose_with_vectors(call, it, a, s->host, u, v, &params->it.residual);
  else
    decompose(call, &(decomposition){ 'N', 'N', it->m, it->n, a->ld, 1, 1, a->host, s->host, u->host, v->host });
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
    return vptr__solver_gesvd(&call, &(vptr__solver_svd){ jobu, jobvt, m, n, lda, ldu, ldvt, A, S, U, VT }, info);   \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvdj_bufferSize(                                                            \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const T *A, int lda, const R *S,    \
      const T *U, int ldu, const T *V, int ldv, int *lwork, gesvdjInfo_t params) {                                   \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gesvdj_bufferSize", handle, type);             \
    require_jacobi(&call, &(jacobi){ jobz, econ, m, n, lda, ldu, ldv, A, S, U, V }, params);                         \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,    \
                                              int n, T *A, int lda, R *S, T *U, int ldu, T *V, int ldv, T *work,     \
                                              int lwork, int *info, gesvdjInfo_t params) {                           \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gesvdj", handle, type);                        \
    (void)work;                                                                                                      \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return decompose_by_jacobi(&call, &(jacobi){ jobz, econ, m, n, lda, ldu, ldv, A, S, U, V }, info, params);       \
  }
VPTR__SOLVER_FOR_ALL(SVD)
