/* SPDX-License-Identifier: MIT */
/*
 * generic_svd - singular values by functions whose types are arguments: gesvdp, and gesvdr, which keeps the largest.
 *
 * Both are what gesvd is here: neither by the polar decomposition nor at random, and exact to the precision of the
 * type. A stays as it is.
 *
 * No state, no locks. Called by programs. It waits for the stream.
 */
#include "cusolver/decomposition.h"
#include "cusolver/svd.h"
#include "cusolver/svd_panels.h"
#include "cusolver/typed.h"

#include <string.h>

/* ---- all values ----------------------------------------------------------------------------------------------- */

static void require_types(vptr__solver_call *call, cudaDataType a, cudaDataType s, cudaDataType u, cudaDataType v) {
  vptr__solver_require_real(call, s);
  vptr__solver_require(call, u == a && v == a, "the types %d of A, %d of U and %d of V differ", (int)a, (int)u,
                       (int)v);
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                                              cudaDataType dataTypeA, const void *A, int64_t lda,
                                              cudaDataType dataTypeS, const void *S, cudaDataType dataTypeU,
                                              const void *U, int64_t ldu, cudaDataType dataTypeV, const void *V,
                                              int64_t ldv, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                              size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXgesvdp_bufferSize", handle, dataTypeA, computeType);
  (void)params;
  require_types(&call, dataTypeA, dataTypeS, dataTypeU, dataTypeV);
  vptr__solver_gesvdj_require(
      &call, &(vptr__solver_gesvdj){ jobz, econ, m, n, lda, ldu, ldv, A, S, U, V, .area = { NULL, 0 } });
  return vptr__solver_tell_elements(&call, vptr__solver_svd_room(&call, m, n), workspaceInBytesOnDevice,
                                    workspaceInBytesOnHost);
}

/* What the polar decomposition would have to add to a singular matrix, here 0. */
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                   int econ, int64_t m, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                   cudaDataType dataTypeS, void *S, cudaDataType dataTypeU, void *U, int64_t ldu,
                                   cudaDataType dataTypeV, void *V, int64_t ldv, cudaDataType computeType,
                                   void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                   size_t workspaceInBytesOnHost, int *d_info, double *h_err_sigma) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgesvdp", handle, dataTypeA, computeType);
  (void)params, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  require_types(&call, dataTypeA, dataTypeS, dataTypeU, dataTypeV);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  vptr__solver_require(&call, h_err_sigma != NULL, "there is no place for the error of the smallest value");
  cusolverStatus_t status = vptr__solver_gesvdj_solve(
      &call,
      &(vptr__solver_gesvdj){ jobz, econ, m, n, lda, ldu, ldv, A, S, U, V,
                              vptr__solver_area_of(&call, bufferOnDevice, workspaceInBytesOnDevice) },
      d_info, NULL);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *h_err_sigma = 0;
  return status;
}

/* ---- the largest values --------------------------------------------------------------------------------------- */

typedef struct largest {
  signed char jobu, jobv;
  int64_t m, n, k, p, rounds, lda, ldu, ldv;
  const void *a, *s, *u, *v;
  vptr__solver_area area;
} largest;

static void require_largest(vptr__solver_call *call, const largest *it) {
  const int64_t least = it->m < it->n ? it->m : it->n;
  vptr__solver_require(call, (it->jobu == 'S' || it->jobu == 'N') && (it->jobv == 'S' || it->jobv == 'N'),
                       "jobu and jobv are %d and %d, and must be S or N", it->jobu, it->jobv);
  vptr__solver_require_oblong(call, it->m, it->n, it->lda);
  vptr__solver_require(call, it->k >= 0 && it->k <= least, "k is %lld, and must be at most m and n",
                       (long long)it->k);
  vptr__solver_require(call, it->p >= 0 && it->p <= least - it->k, "p is %lld, and k + p must be at most m and n",
                       (long long)it->p);
  vptr__solver_require(call, it->rounds >= 0, "niters is %lld, below 0", (long long)it->rounds);
  vptr__solver_require_leading(call, "ldUrand", it->ldu, it->jobu == 'S' ? it->m : 0);
  vptr__solver_require_leading(call, "ldVrand", it->ldv, it->jobv == 'S' ? it->n : 0);
}

/* All vectors are computed, if any are wanted, and the first ones are kept. */
static void decompose(vptr__solver_call *call, const largest *it, vptr__solver_array *a, vptr__solver_array *s,
                      vptr__solver_array *u, vptr__solver_array *v) {
  const int m = (int)it->m, n = (int)it->n, k = (int)it->k, least = m < n ? m : n;
  const char job = it->jobu == 'S' || it->jobv == 'S' ? 'S' : 'N';
  const size_t size = vptr__solver_size(call->type);
  vptr__solver_decomposition all = { job,     job,  m,    n,   a->ld, m > 1 ? m : 1, least > 1 ? least : 1,
                                     a->host, NULL, NULL, NULL };
  all.s = vptr__solver_work(call, (size_t)least, vptr__solver_real_size(call->type));
  all.u = vptr__solver_work(call, (size_t)m * (size_t)least, size);
  all.vt = vptr__solver_work(call, (size_t)least * (size_t)n, size);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  vptr__solver_decomposition_areas in = vptr__solver_decomposition_take(call, &all);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  vptr__solver_decomposition_compute(call, &all, &in);
  memcpy(s->host, all.s, (size_t)k * s->size);
  if (it->jobu == 'S')
    memcpy(u->host, all.u, (size_t)m * (size_t)k * size);
  if (it->jobv == 'S')
    vptr__solver_decomposition_turn(call, k, n, all.vt, all.ldvt, v->host, v->ld);
}

static cusolverStatus_t solve_whole(vptr__solver_call *call, const largest *it) {
  vptr__solver_array *a = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, it->m, it->n, it->a, it->lda);
  vptr__solver_array *s =
      vptr__solver_numbers(call, "Srand", VPTR__SOLVER_WRITES, it->k, vptr__solver_real_size(call->type), it->s);
  vptr__solver_array *u =
      vptr__solver_matrix(call, "Urand", VPTR__SOLVER_WRITES, it->jobu == 'S' ? it->m : 0, it->k, it->u, it->ldu);
  vptr__solver_array *v =
      vptr__solver_matrix(call, "Vrand", VPTR__SOLVER_WRITES, it->jobv == 'S' ? it->n : 0, it->k, it->v, it->ldv);
  if (vptr__solver_begin(call))
    decompose(call, it, a, s, u, v);
  return vptr__solver_finish(call);
}

/* The device makes no other vectors than those. */
static cusolverStatus_t solve_large(vptr__solver_call *call, const largest *it) {
  const int64_t least = it->m < it->n ? it->m : it->n;
  const int64_t left = it->jobu == 'S' ? it->k : 0, right = it->jobv == 'S' ? it->k : 0;
  vptr__solver_array *a = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, it->m, it->n, it->a, it->lda);
  vptr__solver_array *s =
      vptr__solver_numbers(call, "Srand", VPTR__SOLVER_WRITES, it->k, vptr__solver_real_size(call->type), it->s);
  vptr__solver_memory(call, "Urand", it->m, left, it->u, it->ldu);
  vptr__solver_memory(call, "Vrand", it->n, right, it->v, it->ldv);
  void *all = vptr__solver_work(call, (size_t)least, s->size);
  if (vptr__solver_begin(call))
    vptr__solver_svd_panels_solve(call,
                                  &(vptr__solver_svd_panels){ (int)it->m, (int)it->n, a->host, all, it->area.at,
                                                              (int)left, (int)right, (void *)(uintptr_t)it->u,
                                                              (void *)(uintptr_t)it->v, it->ldu, it->ldv, false });
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    memcpy(s->host, all, (size_t)it->k * s->size);
  return vptr__solver_finish(call);
}

static cusolverStatus_t solve(vptr__solver_call *call, const largest *it, int *info) {
  require_largest(call, it);
  const int64_t room = vptr__solver_svd_room(call, it->m, it->n);
  vptr__solver_require_area(call, it->area, room);
  vptr__solver_info(call, info);
  return room > 1 ? solve_large(call, it) : solve_whole(call, it);
}

cusolverStatus_t cusolverDnXgesvdr_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                              signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p,
                                              int64_t niters, cudaDataType dataTypeA, const void *A, int64_t lda,
                                              cudaDataType dataTypeSrand, const void *Srand,
                                              cudaDataType dataTypeUrand, const void *Urand, int64_t ldUrand,
                                              cudaDataType dataTypeVrand, const void *Vrand, int64_t ldVrand,
                                              cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                              size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXgesvdr_bufferSize", handle, dataTypeA, computeType);
  (void)params;
  require_types(&call, dataTypeA, dataTypeSrand, dataTypeUrand, dataTypeVrand);
  require_largest(&call, &(largest){ jobu, jobv, m, n, k, p, niters, lda, ldUrand, ldVrand, A, Srand, Urand, Vrand,
                                     .area = { NULL, 0 } });
  return vptr__solver_tell_elements(&call, vptr__solver_svd_room(&call, m, n), workspaceInBytesOnDevice,
                                    workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                   signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p, int64_t niters,
                                   cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeSrand,
                                   void *Srand, cudaDataType dataTypeUrand, void *Urand, int64_t ldUrand,
                                   cudaDataType dataTypeVrand, void *Vrand, int64_t ldVrand, cudaDataType computeType,
                                   void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                   size_t workspaceInBytesOnHost, int *d_info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgesvdr", handle, dataTypeA, computeType);
  (void)params, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  require_types(&call, dataTypeA, dataTypeSrand, dataTypeUrand, dataTypeVrand);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  return solve(&call,
               &(largest){ jobu, jobv, m, n, k, p, niters, lda, ldUrand, ldVrand, A, Srand, Urand, Vrand,
                           vptr__solver_area_of(&call, bufferOnDevice, workspaceInBytesOnDevice) },
               d_info);
}
