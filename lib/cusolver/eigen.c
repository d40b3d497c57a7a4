/* SPDX-License-Identifier: MIT */
/*
 * eigen - eigenvalues and eigenvectors of symmetric and hermitian matrices, and of pairs of them: syevd and heevd,
 * syevj and heevj, sygvd and hegvd, sygvj and hegvj; see eigen.h.
 *
 * LAPACK's divide and conquer does it on the host (spectrum.c); a large matrix it has by way of a tridiagonal one,
 * which the device makes (eigen_panels.c). Values come in ascending order, and vectors in the place of A. Without
 * vectors A stays as it is. B becomes its factor. syevj also tells the residual of its vectors. Of a part of a spectrum
 * all is computed, and what is asked for is chosen; of a large matrix the device makes no other vectors.
 *
 * No state, no locks. Called by programs; and by eigen_batch.c, eigen_part.c, generic.c and generic_eigen.c. It waits
 * for the stream.
 */
#include "cusolver/eigen.h"

#include "cusolver/crossover.h"
#include "cusolver/eigen_panels.h"
#include "cusolver/parameters.h"
#include "cusolver/residual.h"
#include "cusolver/spectrum.h"

#include <string.h>

/* LAPACK counts the elements of a work area for vectors by an int; and more than any memory has. */
enum { MOST = 46339, MOST_VALUES = 1 << 28 };

static bool is_large(const vptr__solver_call *call, const vptr__solver_eigen *it) {
  return it->itype == 0 && vptr__solver_reduces_on_device(call, it->n);
}

/* ---- arguments ------------------------------------------------------------------------------------------------ */

static void require_range(vptr__solver_call *call, const vptr__solver_eigen *it) {
  vptr__solver_require(call,
                       it->range == 0 || (it->range >= CUSOLVER_EIG_RANGE_ALL && it->range <= CUSOLVER_EIG_RANGE_V),
                       "range is %d, and must be all, by numbers or by values", (int)it->range);
  vptr__solver_require(call, it->range != CUSOLVER_EIG_RANGE_V || it->vl < it->vu,
                       "vl is %g, and vu, which is %g, is not above it", it->vl, it->vu);
  vptr__solver_require(call,
                       it->range != CUSOLVER_EIG_RANGE_I || (it->il >= 1 && it->iu <= it->n && it->il <= it->iu) ||
                           (it->n == 0 && it->il == 1 && it->iu == 0),
                       "il and iu are %lld and %lld, of %lld values", (long long)it->il, (long long)it->iu,
                       (long long)it->n);
}

void vptr__solver_eigen_require(vptr__solver_call *call, const vptr__solver_eigen *it) {
  vptr__solver_require(call, it->itype >= 0 && it->itype <= CUSOLVER_EIG_TYPE_3, "itype is %d, none of 1 to 3",
                       (int)it->itype);
  vptr__solver_require_vectors(call, it->jobz);
  vptr__solver_require_square(call, it->uplo, it->n, it->lda);
  if (it->itype != 0)
    vptr__solver_require_leading(call, "ldb", it->ldb, it->n);
  else
    vptr__solver_require(call, it->n <= (it->jobz == CUSOLVER_EIG_MODE_VECTOR ? MOST : MOST_VALUES),
                         "n is %lld, above %d, which is what can be had with vectors, and %d without",
                         (long long)it->n, MOST, MOST_VALUES);
  require_range(call, it);
}

int64_t vptr__solver_eigen_room(const vptr__solver_call *call, const vptr__solver_eigen *it) {
  return is_large(call, it) ? vptr__solver_eigen_panels_room(it->n) : 1;
}

cusolverStatus_t vptr__solver_eigen_tell(vptr__solver_call *call, const vptr__solver_eigen *it, int *room) {
  vptr__solver_eigen_require(call, it);
  return vptr__solver_tell_room(call, vptr__solver_eigen_room(call, it), room);
}

/* ---- a part of what was computed ------------------------------------------------------------------------------ */

static double value_at(const vptr__solver_call *call, const vptr__solver_array *values, int64_t i) {
  return vptr__solver_real_size(call->type) == sizeof(float) ? (double)((const float *)(void *)values->host)[i]
                                                             : ((const double *)(void *)values->host)[i];
}

/* Values above vl, and up to vu. */
static void find_values(const vptr__solver_call *call, const vptr__solver_array *values, vptr__solver_eigen *it,
                        int64_t *first) {
  *first = 0;
  while (*first < it->n && value_at(call, values, *first) <= it->vl)
    ++*first;
  int64_t end = *first;
  while (end < it->n && value_at(call, values, end) <= it->vu)
    end++;
  it->found = end - *first;
}

/* Values that are chosen move to the front, and are all that is written. The first one's number is told. */
static int64_t choose(vptr__solver_call *call, vptr__solver_eigen *it, vptr__solver_array *values) {
  int64_t first = 0;
  it->found = it->n;
  if (it->range == CUSOLVER_EIG_RANGE_V)
    find_values(call, values, it, &first);
  else if (it->range == CUSOLVER_EIG_RANGE_I)
    first = it->il - 1, it->found = it->iu - it->il + 1;
  memmove(values->host, values->host + (size_t)first * values->size, (size_t)it->found * values->size);
  values->rows = it->found;
  return first;
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

/* b: NULL: one matrix. before: A, if the residual is asked for. */
static void compute_whole(vptr__solver_call *call, vptr__solver_eigen *it, vptr__solver_array *a,
                          const vptr__solver_array *b, vptr__solver_array *w, const void *before, double *residual) {
  vptr__solver_spectrum all = {
    it->jobz, it->uplo, (int)it->itype, (int)it->n, a->ld, b != NULL ? b->ld : 1, a->host, b != NULL ? b->host : NULL,
    w->host
  };
  vptr__solver_spectrum_areas in = vptr__solver_spectrum_take(call, &all);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    vptr__solver_spectrum_compute(call, &all, &in);
  if (before != NULL && call->status == CUSOLVER_STATUS_SUCCESS)
    *residual = vptr__solver_eigen_residual(call, it->uplo, (int)it->n, before, a->ld, a->host, w->host);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  const int64_t first = choose(call, it, w);
  const size_t column = (size_t)a->ld * a->size;
  memmove(a->host, a->host + (size_t)first * column, (size_t)it->found * column);
  a->columns = it->found;
}

/* A on the device has vectors before the call finishes, which writes W alone. */
static void compute_large(vptr__solver_call *call, vptr__solver_eigen *it, vptr__solver_array *a,
                          vptr__solver_array *w, const void *before, double *residual) {
  const vptr__solver_eigen_panels panels = { it->uplo == CUBLAS_FILL_MODE_LOWER, it->jobz == CUSOLVER_EIG_MODE_VECTOR,
                                             (int)it->n, a->host, w->host };
  void *tau = vptr__solver_work(call, (size_t)it->n, vptr__solver_size(call->type));
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    vptr__solver_eigen_panels_reduce(call, &panels, tau, it->area.at);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  const int64_t first = choose(call, it, w);
  if (panels.has_vectors)
    vptr__solver_eigen_panels_vectors(call, &panels, tau, it->area.at, first, first + it->found, it->a, it->lda);
  if (before == NULL)
    return;
  vptr__solver_get(call, a->host, a->ld, it->a, it->lda, it->n, it->n);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    *residual = vptr__solver_eigen_residual(call, it->uplo, (int)it->n, before, a->ld, a->host, w->host);
}

cusolverStatus_t vptr__solver_eigen_solve(vptr__solver_call *call, vptr__solver_eigen *it, int *info,
                                          double *residual) {
  const bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  const size_t bytes = (size_t)it->n * (size_t)it->n * vptr__solver_size(call->type);
  void *before = NULL;
  vptr__solver_array *b = NULL;
  vptr__solver_eigen_require(call, it);
  vptr__solver_require_area(call, it->area, vptr__solver_eigen_room(call, it));
  vptr__solver_info(call, info);
  const bool goes_there = is_large(call, it);
  vptr__solver_array *a =
      vptr__solver_matrix(call, "A", has_vectors && !goes_there ? VPTR__SOLVER_CHANGES : VPTR__SOLVER_READS, it->n,
                          it->n, it->a, it->lda);
  if (it->itype != 0)
    b = vptr__solver_matrix(call, "B", VPTR__SOLVER_CHANGES, it->n, it->n, it->b, it->ldb);
  vptr__solver_array *w =
      vptr__solver_numbers(call, "W", VPTR__SOLVER_WRITES, it->n, vptr__solver_real_size(call->type), it->w);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  if (residual != NULL && has_vectors)
    before = vptr__solver_work(call, bytes, 1);
  if (before != NULL)
    memcpy(before, a->host, bytes);
  if (goes_there)
    compute_large(call, it, a, w, before, residual);
  else
    compute_whole(call, it, a, b, w, before, residual);
  return vptr__solver_finish(call);
}

/* ---- cuSOLVER's names -------------------------------------------------------------------------------------- */

static cusolverStatus_t tell_room(vptr__solver_call call, const vptr__solver_eigen *it, int *room) {
  return vptr__solver_eigen_tell(&call, it, room);
}

static vptr__solver_call of_jacobi(vptr__solver_call call, syevjInfo_t params) {
  vptr__solver_require(&call, params != NULL, "params is NULL");
  return call;
}

/* Of a pair there is a type, which 0 is none of. */
static vptr__solver_call of_pair(vptr__solver_call call, cusolverEigType_t itype) {
  vptr__solver_require(&call, (int)itype != 0, "itype is 0, none of 1 to 3");
  return call;
}

static cusolverStatus_t solve(vptr__solver_call call, vptr__solver_eigen it, vptr__solver_area work, int *info,
                              double *residual) {
  it.area = work;
  return vptr__solver_eigen_solve(&call, &it, info, residual);
}

#define ONE(jobz, uplo, n, A, lda, W)                                                                                \
  { (jobz), (uplo), (n), (lda), (void *)(uintptr_t)(A), (void *)(uintptr_t)(W), .itype = 0 }
#define PAIR(itype, jobz, uplo, n, A, lda, B, ldb, W)                                                                \
  {                                                                                                                  \
    (jobz), (uplo), (n), (lda), (void *)(uintptr_t)(A), (void *)(uintptr_t)(W), (itype), (ldb),                      \
        (void *)(uintptr_t)(B), .range = (cusolverEigRange_t)0                                                       \
  }

#define EIGEN(name, T, R, type)                                                                                      \
  cusolverStatus_t cusolverDn##name##evd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,               \
                                                    cublasFillMode_t uplo, int n, const T *A, int lda, const R *W,   \
                                                    int *lwork) {                                                    \
    return tell_room(vptr__solver_ask("cusolverDn" #name "evd_bufferSize", handle, type),                            \
                     &(vptr__solver_eigen)ONE(jobz, uplo, n, A, lda, W), lwork);                                     \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,   \
                                         int n, T *A, int lda, R *W, T *work, int lwork, int *info) {                \
    return solve(vptr__solver_enter("cusolverDn" #name "evd", handle, type),                                         \
                 (vptr__solver_eigen)ONE(jobz, uplo, n, A, lda, W), ((vptr__solver_area){ work, lwork }), info,      \
                 NULL);                                                                                              \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##evj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,               \
                                                    cublasFillMode_t uplo, int n, const T *A, int lda, const R *W,   \
                                                    int *lwork, syevjInfo_t params) {                                \
    return tell_room(of_jacobi(vptr__solver_ask("cusolverDn" #name "evj_bufferSize", handle, type), params),         \
                     &(vptr__solver_eigen)ONE(jobz, uplo, n, A, lda, W), lwork);                                     \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##evj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,   \
                                         int n, T *A, int lda, R *W, T *work, int lwork, int *info,                  \
                                         syevjInfo_t params) {                                                       \
    return solve(of_jacobi(vptr__solver_enter("cusolverDn" #name "evj", handle, type), params),                      \
                 (vptr__solver_eigen)ONE(jobz, uplo, n, A, lda, W), ((vptr__solver_area){ work, lwork }), info,      \
                 params != NULL ? &params->it.residual : NULL);                                                      \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##gvd_bufferSize(                                                                 \
      cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
      const T *A, int lda, const T *B, int ldb, const R *W, int *lwork) {                                            \
    return tell_room(of_pair(vptr__solver_ask("cusolverDn" #name "gvd_bufferSize", handle, type), itype),            \
                     &(vptr__solver_eigen)PAIR(itype, jobz, uplo, n, A, lda, B, ldb, W), lwork);                     \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##gvd(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, \
                                         cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R *W, T *work,  \
                                         int lwork, int *info) {                                                     \
    return solve(of_pair(vptr__solver_enter("cusolverDn" #name "gvd", handle, type), itype),                         \
                 (vptr__solver_eigen)PAIR(itype, jobz, uplo, n, A, lda, B, ldb, W),                                  \
                 ((vptr__solver_area){ work, lwork }), info, NULL);                                                  \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##gvj_bufferSize(                                                                 \
      cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
      const T *A, int lda, const T *B, int ldb, const R *W, int *lwork, syevjInfo_t params) {                        \
    return tell_room(                                                                                                \
        of_pair(of_jacobi(vptr__solver_ask("cusolverDn" #name "gvj_bufferSize", handle, type), params), itype),      \
        &(vptr__solver_eigen)PAIR(itype, jobz, uplo, n, A, lda, B, ldb, W), lwork);                                  \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##gvj(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, \
                                         cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R *W, T *work,  \
                                         int lwork, int *info, syevjInfo_t params) {                                 \
    return solve(of_pair(of_jacobi(vptr__solver_enter("cusolverDn" #name "gvj", handle, type), params), itype),      \
                 (vptr__solver_eigen)PAIR(itype, jobz, uplo, n, A, lda, B, ldb, W),                                  \
                 ((vptr__solver_area){ work, lwork }), info, NULL);                                                  \
  }
EIGEN(Ssy, float, float, VPTR__SOLVER_S)
EIGEN(Dsy, double, double, VPTR__SOLVER_D)
EIGEN(Che, cuComplex, float, VPTR__SOLVER_C)
EIGEN(Zhe, cuDoubleComplex, double, VPTR__SOLVER_Z)
