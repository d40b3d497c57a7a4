/* SPDX-License-Identifier: MIT */
/*
 * cholesky - potrf, potrs and potri, and many small ones at once.
 *
 * A small matrix is factored by LAPACK as a whole. Of a large one LAPACK factors the blocks on the diagonal, each read
 * and written; what is beside a block is solved for, and what is left is updated, by cuBLAS on the device. The other
 * triangle is neither looked at nor changed. A matrix that is not positive definite is factored up to the minor whose
 * order info tells.
 *
 * No state, no locks. Called by programs; and by eigen.c, generic.c, indefinite.c, reduction.c and triangle.c, which
 * share its checks. It waits for the stream.
 */
#include "cusolver/blas.h"
#include "cusolver/factor.h"
#include "cusolver/lapack.h"
#include "cusolver/types.h"

static vptr__lapack_potrf *const potrf[] = VPTR__LAPACK_ALL(potrf), *const potri[] = VPTR__LAPACK_ALL(potri);
static vptr__lapack_potrs *const potrs[] = VPTR__LAPACK_ALL(potrs);

void vptr__solver_require_square(vptr__solver_call *call, cublasFillMode_t uplo, int64_t n, int64_t lda) {
  vptr__solver_require_triangle(call, uplo);
  vptr__solver_require_size(call, "n", n);
  vptr__solver_require_leading(call, "lda", lda, n);
}

/* ---- one matrix -------------------------------------------------------------------------------------------- */

/* The block of `width` columns at `from`, by way of `block` on the host. */
static void factor_block(vptr__solver_call *call, bool is_lower, void *block, int64_t from, int width, void *a,
                         int64_t lda) {
  void *at = vptr__solver_element(call, a, lda, from, from);
  int info = 0;
  vptr__solver_get(call, block, width, at, lda, width, width);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  potrf[call->type](vptr__lapack_uplo(is_lower), &width, block, &width, &info, 1);
  vptr__solver_put(call, block, width, at, lda, width, width);
  call->info = info > 0 ? (int)from + info : 0;
}

/* What is right of the block, or below, and the square behind both. */
static void update_rest(vptr__solver_call *call, bool is_lower, int64_t from, int64_t width, int64_t n, void *a,
                        int64_t lda) {
  int64_t next = from + width, left = n - next;
  cublasFillMode_t uplo = is_lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  void *block = vptr__solver_element(call, a, lda, from, from);
  void *beside = vptr__solver_element(call, a, lda, is_lower ? next : from, is_lower ? from : next);
  if (left <= 0)
    return;
  vptr__solver_solve(call, is_lower ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT, uplo, CUBLAS_OP_C, CUBLAS_DIAG_NON_UNIT,
                     is_lower ? left : width, is_lower ? width : left, block, lda, beside, lda);
  vptr__solver_subtract_square(call, uplo, is_lower ? CUBLAS_OP_N : CUBLAS_OP_C, left, width, beside, lda,
                               vptr__solver_element(call, a, lda, next, next), lda);
}

static cusolverStatus_t factor_in_blocks(vptr__solver_call *call, bool is_lower, int64_t n, void *a, int64_t lda) {
  vptr__solver_memory(call, "A", n, n, a, lda);
  void *block = vptr__solver_work(call, VPTR__SOLVER_PANEL * VPTR__SOLVER_PANEL, vptr__solver_size(call->type));
  for (int64_t from = 0; from < n && call->info == 0 && call->status == CUSOLVER_STATUS_SUCCESS;
       from += VPTR__SOLVER_PANEL) {
    int width = n - from < VPTR__SOLVER_PANEL ? (int)(n - from) : VPTR__SOLVER_PANEL;
    factor_block(call, is_lower, block, from, width, a, lda);
    if (call->info == 0)
      update_rest(call, is_lower, from, width, n, a, lda);
  }
  return vptr__solver_finish(call);
}

cusolverStatus_t vptr__solver_potrf(vptr__solver_call *call, cublasFillMode_t uplo, int64_t n, void *a, int64_t lda,
                                    int *info) {
  const int order = (int)n;
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_info(call, info);
  if (n > VPTR__SOLVER_WHOLE)
    return factor_in_blocks(call, uplo == CUBLAS_FILL_MODE_LOWER, n, a, lda);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, n, n, a, lda);
  if (vptr__solver_begin(call))
    potrf[call->type](vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER), &order, it->host, &it->ld, &call->info, 1);
  return vptr__solver_finish(call);
}

cusolverStatus_t vptr__solver_potrs(vptr__solver_call *call, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                    const void *a, int64_t lda, void *b, int64_t ldb, int *info) {
  const int order = (int)n, sides = (int)nrhs;
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_require_size(call, "nrhs", nrhs);
  vptr__solver_require_leading(call, "ldb", ldb, n);
  vptr__solver_info(call, info);
  if (n > VPTR__SOLVER_WHOLE && nrhs > 0) {
    bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
    vptr__solver_memory(call, "A", n, n, a, lda);
    vptr__solver_memory(call, "B", n, nrhs, b, ldb);
    vptr__solver_solve(call, CUBLAS_SIDE_LEFT, uplo, is_lower ? CUBLAS_OP_N : CUBLAS_OP_C, CUBLAS_DIAG_NON_UNIT, n,
                       nrhs, a, lda, b, ldb);
    vptr__solver_solve(call, CUBLAS_SIDE_LEFT, uplo, is_lower ? CUBLAS_OP_C : CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n,
                       nrhs, a, lda, b, ldb);
    return vptr__solver_finish(call);
  }
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, n, n, a, lda);
  vptr__solver_array *to = vptr__solver_matrix(call, "B", VPTR__SOLVER_CHANGES, n, nrhs, b, ldb);
  if (vptr__solver_begin(call))
    potrs[call->type](vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER), &order, &sides, it->host, &it->ld, to->host,
                      &to->ld, &call->info, 1);
  return vptr__solver_finish(call);
}

static cusolverStatus_t invert(vptr__solver_call *call, cublasFillMode_t uplo, int64_t n, void *a, int64_t lda,
                               int *info) {
  const int order = (int)n;
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_info(call, info);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, n, n, a, lda);
  if (vptr__solver_begin(call))
    potri[call->type](vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER), &order, it->host, &it->ld, &call->info, 1);
  return vptr__solver_finish(call);
}

/* ---- many -------------------------------------------------------------------------------------------------- */

/* All matrices that an array on the device points to are there. */
static void check_each(vptr__solver_call *call, const char *what, const vptr__solver_array *array, int64_t rows,
                       int64_t columns, int64_t ld) {
  for (int64_t i = 0; i < array->rows; i++)
    vptr__solver_memory(call, what, rows, columns, ((void **)(void *)array->host)[i], ld);
}

static cusolverStatus_t factor_many(vptr__solver_call *call, cublasFillMode_t uplo, int n, void *as, int lda,
                                    int *infos, int count) {
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_require_size(call, "batchSize", count);
  vptr__solver_array *a = vptr__solver_numbers(call, "Aarray", VPTR__SOLVER_READS, count, sizeof(void *), as);
  vptr__solver_array *info = vptr__solver_numbers(call, "infoArray", VPTR__SOLVER_WRITES, count, sizeof(int), infos);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  check_each(call, "a matrix of Aarray", a, n, n, lda);
  void *block = vptr__solver_work(call, (size_t)n * (size_t)n, vptr__solver_size(call->type));
  for (int i = 0; i < count && n > 0; i++) {
    void *at = ((void **)(void *)a->host)[i];
    vptr__solver_get(call, block, n, at, lda, n, n);
    if (call->status != CUSOLVER_STATUS_SUCCESS)
      break;
    potrf[call->type](vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER), &n, block, &n, (int *)(void *)info->host + i,
                      1);
    vptr__solver_put(call, block, n, at, lda, n, n);
  }
  return vptr__solver_finish(call);
}

static cusolverStatus_t solve_many(vptr__solver_call *call, cublasFillMode_t uplo, int n, int nrhs, void *as, int lda,
                                   void *bs, int ldb, int *info, int count) {
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_require_size(call, "nrhs", nrhs);
  vptr__solver_require_leading(call, "ldb", ldb, n);
  vptr__solver_require_size(call, "batchSize", count);
  vptr__solver_info(call, info);
  vptr__solver_array *a = vptr__solver_numbers(call, "A", VPTR__SOLVER_READS, count, sizeof(void *), as);
  vptr__solver_array *b = vptr__solver_numbers(call, "B", VPTR__SOLVER_READS, count, sizeof(void *), bs);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  check_each(call, "a matrix of A", a, n, n, lda);
  check_each(call, "a matrix of B", b, n, nrhs, ldb);
  void *block = vptr__solver_work(call, (size_t)n * (size_t)n, vptr__solver_size(call->type));
  void *sides = vptr__solver_work(call, (size_t)n * (size_t)nrhs, vptr__solver_size(call->type));
  for (int i = 0; i < count && n > 0 && nrhs > 0; i++) {
    void *to = ((void **)(void *)b->host)[i];
    vptr__solver_get(call, block, n, ((void **)(void *)a->host)[i], lda, n, n);
    vptr__solver_get(call, sides, n, to, ldb, n, nrhs);
    if (call->status != CUSOLVER_STATUS_SUCCESS)
      break;
    potrs[call->type](vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER), &n, &nrhs, block, &n, sides, &n, &call->info,
                      1);
    vptr__solver_put(call, sides, n, to, ldb, n, nrhs);
  }
  return vptr__solver_finish(call);
}

/* ---- cuSOLVER's names -------------------------------------------------------------------------------------- */

static cusolverStatus_t tell_room(vptr__solver_call call, cublasFillMode_t uplo, int n, int lda, int *room) {
  vptr__solver_require_square(&call, uplo, n, lda);
  return vptr__solver_room(&call, room);
}

#define CHOLESKY(letter, T, R, type)                                                                                 \
  cusolverStatus_t cusolverDn##letter##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,     \
                                                        T *A, int lda, int *Lwork) {                                 \
    (void)A;                                                                                                         \
    return tell_room(vptr__solver_ask("cusolverDn" #letter "potrf_bufferSize", handle, type), uplo, n, lda, Lwork);  \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                             T *Workspace, int Lwork, int *devInfo) {                                \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "potrf", handle, type);                         \
    (void)Workspace;                                                                                                 \
    vptr__solver_require_room(&call, Lwork);                                                                         \
    return vptr__solver_potrf(&call, uplo, n, A, lda, devInfo);                                                      \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,      \
                                             const T *A, int lda, T *B, int ldb, int *devInfo) {                     \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "potrs", handle, type);                         \
    return vptr__solver_potrs(&call, uplo, n, nrhs, A, lda, B, ldb, devInfo);                                        \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##potri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,     \
                                                        T *A, int lda, int *lwork) {                                 \
    (void)A;                                                                                                         \
    return tell_room(vptr__solver_ask("cusolverDn" #letter "potri_bufferSize", handle, type), uplo, n, lda, lwork);  \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                             T *work, int lwork, int *devInfo) {                                     \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "potri", handle, type);                         \
    (void)work;                                                                                                      \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return invert(&call, uplo, n, A, lda, devInfo);                                                                  \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,         \
                                                    T *Aarray[], int lda, int *infoArray, int batchSize) {           \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "potrfBatched", handle, type);                  \
    return factor_many(&call, uplo, n, Aarray, lda, infoArray, batchSize);                                           \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,         \
                                                    int nrhs, T *A[], int lda, T *B[], int ldb, int *d_info,         \
                                                    int batchSize) {                                                 \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "potrsBatched", handle, type);                  \
    return solve_many(&call, uplo, n, nrhs, A, lda, B, ldb, d_info, batchSize);                                      \
  }
VPTR__SOLVER_FOR_ALL(CHOLESKY)
