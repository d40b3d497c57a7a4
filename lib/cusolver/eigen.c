/* SPDX-License-Identifier: MIT */
/*
 * eigen - eigenvalues and eigenvectors of symmetric and hermitian matrices: syevd and heevd, syevj and heevj.
 *
 * LAPACK's divide and conquer does both on the host: values in ascending order, and vectors in the place of A. Without
 * vectors A stays as it is. syevj also tells the residual of its vectors.
 *
 * No state, no locks. Called by programs; and by generic.c. It waits for the stream.
 */
#include "cusolver/factor.h"
#include "cusolver/lapack.h"
#include "cusolver/parameters.h"
#include "cusolver/residual.h"

#include <string.h>

static vptr__lapack_syevd *const syevd[] = { ssyevd_, dsyevd_ };
static vptr__lapack_heevd *const heevd[] = { cheevd_, zheevd_ };

/* LAPACK's work areas: of elements, of reals, and of int. room: -1: how large they are is asked. */
typedef struct areas {
  void *work, *rwork;
  int *iwork;
  int room, real_room, int_room;
} areas;

static void compute(vptr__solver_call *call, const char *jobz, const char *uplo, int n, void *a, int lda, void *w,
                    const areas *in) {
  if (vptr__solver_is_complex(call->type))
    heevd[call->type - VPTR__SOLVER_C](jobz, uplo, &n, a, &lda, w, in->work, &in->room, in->rwork, &in->real_room,
                                       in->iwork, &in->int_room, &call->info, 1, 1);
  else
    syevd[call->type](jobz, uplo, &n, a, &lda, w, in->work, &in->room, in->iwork, &in->int_room, &call->info, 1, 1);
}

static areas take_areas(vptr__solver_call *call, const char *jobz, const char *uplo, int n, void *a, int lda,
                        void *w) {
  double answer[2] = { 0, 0 }, real_answer = 0;
  int int_answer = 0;
  areas asked = { answer, &real_answer, &int_answer, -1, -1, -1 };
  compute(call, jobz, uplo, n, a, lda, w, &asked);
  areas taken = { .room = vptr__solver_asked(call, answer),
                  .real_room = vptr__solver_asked(call, &real_answer),
                  .int_room = int_answer > 0 ? int_answer : 1 };
  taken.work = vptr__solver_work(call, (size_t)taken.room, vptr__solver_size(call->type));
  taken.rwork = vptr__solver_work(call, (size_t)taken.real_room, vptr__solver_real_size(call->type));
  taken.iwork = vptr__solver_work(call, (size_t)taken.int_room, sizeof(int));
  return taken;
}

cusolverStatus_t vptr__solver_eigen(vptr__solver_call *call, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                    void *a, int64_t lda, void *w, int *info, double *residual) {
  const char *job = jobz == CUSOLVER_EIG_MODE_VECTOR ? "V" : "N";
  const char *triangle = vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER);
  vptr__solver_require_vectors(call, jobz);
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_info(call, info);
  vptr__solver_array *it = vptr__solver_matrix(
      call, "A", jobz == CUSOLVER_EIG_MODE_VECTOR ? VPTR__SOLVER_CHANGES : VPTR__SOLVER_READS, n, n, a, lda);
  vptr__solver_array *values =
      vptr__solver_numbers(call, "W", VPTR__SOLVER_WRITES, n, vptr__solver_real_size(call->type), w);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  void *before = NULL;
  if (residual != NULL && jobz == CUSOLVER_EIG_MODE_VECTOR)
    before = vptr__solver_work(call, (size_t)n * (size_t)n, vptr__solver_size(call->type));
  if (before != NULL)
    memcpy(before, it->host, (size_t)n * (size_t)n * vptr__solver_size(call->type));
  areas in = take_areas(call, job, triangle, (int)n, it->host, it->ld, values->host);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    compute(call, job, triangle, (int)n, it->host, it->ld, values->host, &in);
  if (before != NULL && call->status == CUSOLVER_STATUS_SUCCESS)
    *residual = vptr__solver_eigen_residual(call, uplo, (int)n, before, it->ld, it->host, values->host);
  return vptr__solver_finish(call);
}

/* ---- cuSOLVER's names -------------------------------------------------------------------------------------- */

static cusolverStatus_t tell_room(vptr__solver_call call, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                                  int lda, int *room) {
  vptr__solver_require_vectors(&call, jobz);
  vptr__solver_require_square(&call, uplo, n, lda);
  return vptr__solver_room(&call, room);
}

#define EIGEN(name, jacobi, T, R, type)                                                                              \
  cusolverStatus_t cusolverDn##name##_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                  \
                                                 cublasFillMode_t uplo, int n, const T *A, int lda, const R *W,      \
                                                 int *lwork) {                                                       \
    (void)A, (void)W;                                                                                                \
    return tell_room(vptr__solver_enter("cusolverDn" #name "_bufferSize", handle, type), jobz, uplo, n, lda, lwork); \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, \
                                    T *A, int lda, R *W, T *work, int lwork, int *info) {                            \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #name, handle, type);                                   \
    (void)work;                                                                                                      \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return vptr__solver_eigen(&call, jobz, uplo, n, A, lda, W, info, NULL);                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##jacobi##_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                \
                                                   cublasFillMode_t uplo, int n, const T *A, int lda, const R *W,    \
                                                   int *lwork, syevjInfo_t params) {                                 \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #jacobi "_bufferSize", handle, type);                   \
    (void)A, (void)W;                                                                                                \
    vptr__solver_require(&call, params != NULL, "params is NULL");                                                   \
    return tell_room(call, jobz, uplo, n, lda, lwork);                                                               \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##jacobi(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,      \
                                      int n, T *A, int lda, R *W, T *work, int lwork, int *info,                     \
                                      syevjInfo_t params) {                                                          \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #jacobi, handle, type);                                 \
    (void)work;                                                                                                      \
    vptr__solver_require(&call, params != NULL, "params is NULL");                                                   \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return vptr__solver_eigen(&call, jobz, uplo, n, A, lda, W, info, params != NULL ? &params->it.residual : NULL);  \
  }
EIGEN(Ssyevd, Ssyevj, float, float, VPTR__SOLVER_S)
EIGEN(Dsyevd, Dsyevj, double, double, VPTR__SOLVER_D)
EIGEN(Cheevd, Cheevj, cuComplex, float, VPTR__SOLVER_C)
EIGEN(Zheevd, Zheevj, cuDoubleComplex, double, VPTR__SOLVER_Z)
