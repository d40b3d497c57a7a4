/* SPDX-License-Identifier: MIT */
/*
 * eigen_batch - eigenvalues of many small hermitian matrices at once: syevjBatched and heevjBatched.
 *
 * Matrices lie one behind the other, as columns of one matrix do: all are read at once, LAPACK goes through them on the
 * host, and all are written. Each has an info.
 *
 * No state, no locks. Called by programs; and by generic_eigen.c. It waits for the stream.
 */
#include "cusolver/eigen_batch.h"

#include "cusolver/factor.h"
#include "cusolver/spectrum.h"

void vptr__solver_eigen_batch_require(vptr__solver_call *call, const vptr__solver_eigen *it, int64_t count) {
  vptr__solver_eigen_require(call, it);
  vptr__solver_require_size(call, "batchSize", count);
}

cusolverStatus_t vptr__solver_eigen_batch_solve(vptr__solver_call *call, const vptr__solver_eigen *it, int *infos,
                                                int64_t count) {
  const bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  const size_t real = vptr__solver_real_size(call->type);
  vptr__solver_eigen_batch_require(call, it, count);
  vptr__solver_array *a = vptr__solver_matrix(call, "A", has_vectors ? VPTR__SOLVER_CHANGES : VPTR__SOLVER_READS,
                                              it->n, it->n * count, it->a, it->lda);
  vptr__solver_array *w = vptr__solver_numbers(call, "W", VPTR__SOLVER_WRITES, it->n * count, real, it->w);
  vptr__solver_array *info = vptr__solver_numbers(call, "info", VPTR__SOLVER_WRITES, count, sizeof(int), infos);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  vptr__solver_spectrum one = { it->jobz, it->uplo, 0, (int)it->n, a->ld, 1, a->host, NULL, w->host };
  vptr__solver_spectrum_areas in = vptr__solver_spectrum_take(call, &one);
  for (int64_t i = 0; i < count && call->status == CUSOLVER_STATUS_SUCCESS; i++) {
    one.a = vptr__solver_element(call, a->host, a->ld, 0, i * it->n);
    one.w = w->host + (size_t)(i * it->n) * real;
    vptr__solver_spectrum_compute(call, &one, &in);
    ((int *)(void *)info->host)[i] = call->info;
  }
  return vptr__solver_finish(call);
}

#define BATCH(name, T, R, type)                                                                                      \
  cusolverStatus_t cusolverDn##name##evjBatched_bufferSize(                                                          \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T *A, int lda,          \
      const R *W, int *lwork, syevjInfo_t params, int batchSize) {                                                   \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #name "evjBatched_bufferSize", handle, type);             \
    (void)A, (void)W;                                                                                                \
    vptr__solver_require(&call, params != NULL, "params is NULL");                                                   \
    vptr__solver_eigen_batch_require(&call, &(vptr__solver_eigen){ .jobz = jobz, .uplo = uplo, .n = n, .lda = lda }, \
                                     batchSize);                                                                     \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##evjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                   \
                                                cublasFillMode_t uplo, int n, T *A, int lda, R *W, T *work,          \
                                                int lwork, int *info, syevjInfo_t params, int batchSize) {           \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #name "evjBatched", handle, type);                      \
    (void)work;                                                                                                      \
    vptr__solver_require(&call, params != NULL, "params is NULL");                                                   \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return vptr__solver_eigen_batch_solve(                                                                           \
        &call, &(vptr__solver_eigen){ .jobz = jobz, .uplo = uplo, .n = n, .lda = lda, .a = A, .w = W }, info,        \
        batchSize);                                                                                                  \
  }
BATCH(Ssy, float, float, VPTR__SOLVER_S)
BATCH(Dsy, double, double, VPTR__SOLVER_D)
BATCH(Che, cuComplex, float, VPTR__SOLVER_C)
BATCH(Zhe, cuDoubleComplex, double, VPTR__SOLVER_Z)
