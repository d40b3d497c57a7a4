/* SPDX-License-Identifier: MIT */
/*
 * svd_batch - singular values and vectors of many small matrices at once: gesvdjBatched, and gesvdaStridedBatched,
 * which keeps the largest values.
 *
 * LAPACK goes through the matrices on the host. gesvdjBatched's lie one behind the other: all are read at once, and all
 * results are written at once; gesvdaStridedBatched's lie anywhere, and travel one by one. Each matrix has an info.
 *
 * No state, no locks. Called by programs. It waits for the stream.
 */
#include "cusolver/decomposition.h"
#include "cusolver/factor.h"
#include "cusolver/residual.h"
#include "cusolver/types.h"

#include <string.h>

static int64_t least_of(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int leading(int64_t rows) {
  return rows > 1 ? (int)rows : 1;
}

/* ---- one behind the other ------------------------------------------------------------------------------------- */

typedef struct batch {
  cusolverEigMode_t jobz;
  int64_t m, n, lda, ldu, ldv, count;
  const void *a, *s, *u, *v;
} batch;

static void require_batch(vptr__solver_call *call, const batch *it, const void *params) {
  bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  vptr__solver_require(call, params != NULL, "params is NULL");
  vptr__solver_require_vectors(call, it->jobz);
  vptr__solver_require_oblong(call, it->m, it->n, it->lda);
  vptr__solver_require_leading(call, "ldu", it->ldu, has_vectors ? it->m : 0);
  vptr__solver_require_leading(call, "ldv", it->ldv, has_vectors ? it->n : 0);
  vptr__solver_require_size(call, "batchSize", it->count);
}

static cusolverStatus_t decompose_batch(vptr__solver_call *call, const batch *it, int *infos) {
  const bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  const char job = has_vectors ? 'A' : 'N';
  const int64_t least = least_of(it->m, it->n);
  const size_t real = vptr__solver_real_size(call->type);
  vptr__solver_array *a =
      vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, it->m, it->n * it->count, it->a, it->lda);
  vptr__solver_array *s = vptr__solver_numbers(call, "S", VPTR__SOLVER_WRITES, least * it->count, real, it->s);
  vptr__solver_array *u =
      vptr__solver_matrix(call, "U", VPTR__SOLVER_WRITES, has_vectors ? it->m : 0, it->m * it->count, it->u, it->ldu);
  vptr__solver_array *v =
      vptr__solver_matrix(call, "V", VPTR__SOLVER_WRITES, has_vectors ? it->n : 0, it->n * it->count, it->v, it->ldv);
  vptr__solver_array *info = vptr__solver_numbers(call, "info", VPTR__SOLVER_WRITES, it->count, sizeof(int), infos);
  void *vt = vptr__solver_work(call, (size_t)(it->n * it->n), vptr__solver_size(call->type));
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  vptr__solver_decomposition one = { job,     job,     (int)it->m, (int)it->n, a->ld, u->ld, leading(it->n),
                                     a->host, s->host, u->host,    vt };
  vptr__solver_decomposition_areas in = vptr__solver_decomposition_take(call, &one);
  for (int64_t i = 0; i < it->count && call->status == CUSOLVER_STATUS_SUCCESS; i++) {
    one.a = vptr__solver_element(call, a->host, a->ld, 0, i * it->n);
    one.s = s->host + (size_t)(i * least) * real;
    one.u = vptr__solver_element(call, u->host, u->ld, 0, has_vectors ? i * it->m : 0);
    vptr__solver_decomposition_compute(call, &one, &in);
    ((int *)(void *)info->host)[i] = call->info;
    if (has_vectors)
      vptr__solver_decomposition_turn(call, one.n, one.n, vt, one.ldvt,
                                      vptr__solver_element(call, v->host, v->ld, 0, i * it->n), v->ld);
  }
  return vptr__solver_finish(call);
}

/* ---- anywhere, and the largest values -------------------------------------------------------------------------- */

typedef struct strided {
  cusolverEigMode_t jobz;
  int64_t rank, m, n, lda, stride_a, stride_s, ldu, stride_u, ldv, stride_v, count;
  const void *a, *s, *u, *v;
} strided;

static void require_stride(vptr__solver_call *call, const char *what, int64_t stride, int64_t least) {
  vptr__solver_require(call, stride >= least, "%s is %lld, and must be at least %lld", what, (long long)stride,
                       (long long)least);
}

/* Results may not overlap; what is read may. */
static void require_strided(vptr__solver_call *call, const strided *it) {
  const bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR, has_results = it->count > 1 && it->rank > 0;
  vptr__solver_require_vectors(call, it->jobz);
  vptr__solver_require_oblong(call, it->m, it->n, it->lda);
  vptr__solver_require(call, it->rank >= 0 && it->rank <= least_of(it->m, it->n),
                       "rank is %lld, and must be at most m and n", (long long)it->rank);
  vptr__solver_require_leading(call, "ldu", it->ldu, has_vectors ? it->m : 0);
  vptr__solver_require_leading(call, "ldv", it->ldv, has_vectors ? it->n : 0);
  vptr__solver_require_size(call, "batchSize", it->count);
  require_stride(call, "strideA", it->stride_a, 0);
  require_stride(call, "strideS", it->stride_s, has_results ? it->rank : 0);
  require_stride(call, "strideU", it->stride_u, has_vectors && has_results ? it->ldu * (it->rank - 1) + it->m : 0);
  require_stride(call, "strideV", it->stride_v, has_vectors && has_results ? it->ldv * (it->rank - 1) + it->n : 0);
}

/* Element 0 of matrix i, whose elements have so many bytes. */
static void *at(const void *first, int64_t stride, int64_t i, size_t size) {
  return (char *)(uintptr_t)first + i * stride * (int64_t)size;
}

/* Of one matrix on the host: its results, and a copy of it. */
typedef struct workplace {
  vptr__solver_decomposition it;
  vptr__solver_decomposition_areas in;
  void *before, *v, *scaled;
} workplace;

static workplace take_workplace(vptr__solver_call *call, const strided *it) {
  const char job = it->jobz == CUSOLVER_EIG_MODE_VECTOR ? 'S' : 'N';
  const size_t size = vptr__solver_size(call->type);
  const int64_t least = least_of(it->m, it->n);
  workplace taken = { .it = { job, job, (int)it->m, (int)it->n, leading(it->m), leading(it->m), leading(least),
                              vptr__solver_work(call, (size_t)(it->m * it->n), size),
                              vptr__solver_work(call, (size_t)least, vptr__solver_real_size(call->type)),
                              vptr__solver_work(call, (size_t)(it->m * least), size),
                              vptr__solver_work(call, (size_t)(it->n * least), size) } };
  taken.before = vptr__solver_work(call, (size_t)(it->m * it->n), size);
  taken.v = vptr__solver_work(call, (size_t)(it->n * least), size);
  taken.scaled = vptr__solver_work(call, (size_t)(it->m * least), size);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    taken.in = vptr__solver_decomposition_take(call, &taken.it);
  return taken;
}

/* Of all matrices at once: a column of the largest values for each, strideS apart. */
static vptr__solver_array *all_values(vptr__solver_call *call, const strided *it) {
  const int64_t extent = it->rank > 0 && it->count > 0 ? it->stride_s * (it->count - 1) + it->rank : 0;
  vptr__solver_array *s =
      vptr__solver_numbers(call, "d_S", VPTR__SOLVER_WRITES, extent, vptr__solver_real_size(call->type), it->s);
  s->rows = it->rank, s->columns = it->count, s->ld = leading(it->rank);
  s->device_ld = it->stride_s > it->rank ? it->stride_s : it->rank;
  return s;
}

static void decompose_one(vptr__solver_call *call, const strided *it, int64_t i, const workplace *in,
                          const vptr__solver_array *s, double *norm) {
  const size_t size = vptr__solver_size(call->type), values = (size_t)it->rank * s->size;
  const vptr__solver_decomposition *one = &in->it;
  const int rank = (int)it->rank;
  vptr__solver_get(call, one->a, one->lda, at(it->a, it->stride_a, i, size), it->lda, it->m, it->n);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  memcpy(in->before, one->a, (size_t)(it->m * it->n) * size);
  vptr__solver_decomposition_compute(call, one, &in->in);
  memcpy(s->host + (size_t)i * (size_t)s->ld * s->size, one->s, values);
  if (it->jobz != CUSOLVER_EIG_MODE_VECTOR)
    return;
  vptr__solver_decomposition_turn(call, rank, one->n, one->vt, one->ldvt, in->v, leading(it->n));
  vptr__solver_put(call, one->u, one->ldu, at(it->u, it->stride_u, i, size), it->ldu, it->m, rank);
  vptr__solver_put(call, in->v, leading(it->n), at(it->v, it->stride_v, i, size), it->ldv, it->n, rank);
  if (norm != NULL)
    *norm =
        vptr__solver_svd_residual(call, &(vptr__solver_factors){ one->m, one->n, rank, one->lda, one->ldu, one->ldvt,
                                                                 in->before, one->u, one->s, one->vt, in->scaled });
}

static void check_strided(vptr__solver_call *call, const strided *it) {
  const bool has_vectors = it->jobz == CUSOLVER_EIG_MODE_VECTOR;
  const size_t size = vptr__solver_size(call->type);
  for (int64_t i = 0; i < it->count && call->status == CUSOLVER_STATUS_SUCCESS; i++) {
    vptr__solver_memory(call, "a matrix of d_A", it->m, it->n, at(it->a, it->stride_a, i, size), it->lda);
    vptr__solver_memory(call, "a matrix of d_U", has_vectors ? it->m : 0, it->rank, at(it->u, it->stride_u, i, size),
                        it->ldu);
    vptr__solver_memory(call, "a matrix of d_V", has_vectors ? it->n : 0, it->rank, at(it->v, it->stride_v, i, size),
                        it->ldv);
  }
}

/* Norms are the program's on the host: they are written when all has succeeded. */
static cusolverStatus_t decompose_strided(vptr__solver_call *call, const strided *it, int *infos, double *norms) {
  require_strided(call, it);
  vptr__solver_array *s = all_values(call, it);
  vptr__solver_array *info = vptr__solver_numbers(call, "d_info", VPTR__SOLVER_WRITES, it->count, sizeof(int), infos);
  check_strided(call, it);
  double *found = vptr__solver_work(call, (size_t)it->count, sizeof *found);
  workplace in = take_workplace(call, it);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  for (int64_t i = 0; i < it->count && call->status == CUSOLVER_STATUS_SUCCESS; i++) {
    decompose_one(call, it, i, &in, s, norms != NULL ? &found[i] : NULL);
    ((int *)(void *)info->host)[i] = call->info;
  }
  if (call->status == CUSOLVER_STATUS_SUCCESS && norms != NULL && it->jobz == CUSOLVER_EIG_MODE_VECTOR)
    memcpy(norms, found, (size_t)it->count * sizeof *norms);
  return vptr__solver_finish(call);
}

/* ---- cuSOLVER's names -------------------------------------------------------------------------------------- */

#define BATCH(letter, T, R, type)                                                                                    \
  cusolverStatus_t cusolverDn##letter##gesvdjBatched_bufferSize(                                                     \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, const T *A, int lda, const R *S, const T *U,  \
      int ldu, const T *V, int ldv, int *lwork, gesvdjInfo_t params, int batchSize) {                                \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter "gesvdjBatched_bufferSize", handle, type);        \
    require_batch(&call, &(batch){ jobz, m, n, lda, ldu, ldv, batchSize, A, S, U, V }, params);                      \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvdjBatched(                                                                \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T *A, int lda, R *S, T *U, int ldu, T *V,     \
      int ldv, T *work, int lwork, int *info, gesvdjInfo_t params, int batchSize) {                                  \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gesvdjBatched", handle, type);                 \
    const batch it = { jobz, m, n, lda, ldu, ldv, batchSize, A, S, U, V };                                           \
    (void)work;                                                                                                      \
    require_batch(&call, &it, params);                                                                               \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return decompose_batch(&call, &it, info);                                                                        \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvdaStridedBatched_bufferSize(                                              \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T *d_A, int lda,              \
      long long int strideA, const R *d_S, long long int strideS, const T *d_U, int ldu, long long int strideU,      \
      const T *d_V, int ldv, long long int strideV, int *lwork, int batchSize) {                                     \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter "gesvdaStridedBatched_bufferSize", handle, type); \
    const strided it = { jobz,    rank, m,       n,         lda, strideA, strideS, ldu,                              \
                         strideU, ldv,  strideV, batchSize, d_A, d_S,     d_U,     d_V };                            \
    require_strided(&call, &it);                                                                                     \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##gesvdaStridedBatched(                                                         \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T *d_A, int lda,              \
      long long int strideA, R *d_S, long long int strideS, T *d_U, int ldu, long long int strideU, T *d_V, int ldv, \
      long long int strideV, T *d_work, int lwork, int *d_info, double *h_R_nrmF, int batchSize) {                   \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "gesvdaStridedBatched", handle, type);          \
    const strided it = { jobz,    rank, m,       n,         lda, strideA, strideS, ldu,                              \
                         strideU, ldv,  strideV, batchSize, d_A, d_S,     d_U,     d_V };                            \
    (void)d_work;                                                                                                    \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return decompose_strided(&call, &it, d_info, h_R_nrmF);                                                          \
  }
VPTR__SOLVER_FOR_ALL(BATCH)
