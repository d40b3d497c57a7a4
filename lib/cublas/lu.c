/* SPDX-License-Identifier: MIT */
/*
 * lu - many small systems at once: getrf, getrs, getri and matinv, each Batched.
 *
 * Kernels of the library's own: a block factors a matrix, with partial pivoting unless there is no array of pivots, and
 * a thread solves for a right-hand side. The arrays of pointers lie on the device and are followed there. Nothing is
 * blocked, so matrices of more than a few hundred rows are better factored otherwise.
 *
 * No state, no locks. Called by programs. Nothing waits.
 */
#include "cublas/kernel.h"

enum { LU_THREADS = 64, MOST_BATCH = 65535, MOST_INVERTED = 32 };

static vptr__blas_shape block_each(int64_t count) {
  return (vptr__blas_shape){ { (uint32_t)(count < MOST_BATCH ? count : MOST_BATCH), 1, 1 }, { LU_THREADS, 1, 1 } };
}

static vptr__blas_shape thread_each(int64_t columns, int64_t count) {
  return (vptr__blas_shape){ { (uint32_t)((columns - 1) / LU_THREADS + 1),
                               (uint32_t)(count < MOST_BATCH ? count : MOST_BATCH), 1 },
                             { LU_THREADS, 1, 1 } };
}

/* Whether there is something to do. */
static bool begin_many(vptr__blas_call *call, int64_t n, int64_t lda, int64_t count) {
  vptr__blas_require_size(call, "n", n);
  vptr__blas_require_leading(call, "lda", lda, n);
  vptr__blas_require_size(call, "batchSize", count);
  return call->status == CUBLAS_STATUS_SUCCESS && n > 0 && count > 0;
}

/* NULL is allowed: no rows were exchanged. */
static void check_pivots(vptr__blas_call *call, const int *pivots, int64_t n, int64_t count) {
  if (pivots != NULL)
    vptr__blas_memory(call, "the array of pivots", pivots, (size_t)n * (size_t)count * sizeof *pivots);
}

static cublasStatus_t factor_many(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n,
                                  const void *as, int64_t lda, int *pivots, int *infos, int64_t count) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  if (!begin_many(&call, n, lda, count))
    return vptr__blas_finish(&call);
  vptr__blas_pointers(&call, "A", as, count);
  check_pivots(&call, pivots, n, count);
  vptr__blas_memory(&call, "info", infos, (size_t)count * sizeof *infos);
  vptr__blas_launch(&call, VPTR__BLAS_GETRF, block_each(count),
                    VPTR__BLAS_ARGUMENTS(&n, &as, &lda, &pivots, &infos, &count));
  return vptr__blas_finish(&call);
}

static cublasStatus_t invert_many(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n,
                                  const void *as, int64_t lda, const int *pivots, const void *cs, int64_t ldc,
                                  int *infos, int64_t count) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  vptr__blas_require_leading(&call, "ldc", ldc, n);
  if (!begin_many(&call, n, lda, count))
    return vptr__blas_finish(&call);
  vptr__blas_pointers(&call, "A", as, count);
  vptr__blas_pointers(&call, "C", cs, count);
  check_pivots(&call, pivots, n, count);
  vptr__blas_memory(&call, "info", infos, (size_t)count * sizeof *infos);
  vptr__blas_launch(&call, VPTR__BLAS_GETRI, thread_each(n, count),
                    VPTR__BLAS_ARGUMENTS(&n, &as, &lda, &pivots, &cs, &ldc, &infos, &count));
  return vptr__blas_finish(&call);
}

/* Its factors are the call's own, and so are its pivots. */
static cublasStatus_t invert_at_once(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n,
                                     const void *as, int64_t lda, const void *cs, int64_t ldc, int *infos,
                                     int64_t count) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  vptr__blas_require(&call, n <= MOST_INVERTED,
                     "n is %lld, and must be at most %d; use getrfBatched and getriBatched", (long long)n,
                     MOST_INVERTED);
  vptr__blas_require_leading(&call, "lda_inv", ldc, n);
  if (!begin_many(&call, n, lda, count))
    return vptr__blas_finish(&call);
  vptr__blas_pointers(&call, "A", as, count);
  vptr__blas_pointers(&call, "Ainv", cs, count);
  vptr__blas_memory(&call, "info", infos, (size_t)count * sizeof *infos);
  void *work = vptr__blas_work(&call, (size_t)n * (size_t)n * (size_t)count * vptr__blas_size(type));
  void *pivots = vptr__blas_work(&call, (size_t)n * (size_t)count * sizeof(int));
  vptr__blas_launch(&call, VPTR__BLAS_MATINV, block_each(count),
                    VPTR__BLAS_ARGUMENTS(&n, &as, &lda, &cs, &ldc, &infos, &work, &pivots, &count));
  return vptr__blas_finish(&call);
}

/* The number of the first argument that is wrong, behind the handle; 0: none. */
static int find_wrong(cublasOperation_t trans, int64_t n, int64_t nrhs, const void *as, int64_t lda, const void *bs,
                      int64_t ldb, int64_t count) {
  int64_t least = n > 1 ? n : 1;
  const bool wrong[] = { false,       !vptr__blas_is_operation(trans),
                         n < 0,       nrhs < 0,
                         as == NULL,  lda < least,
                         false,       bs == NULL,
                         ldb < least, false,
                         count < 0 };
  for (int i = 1; i < (int)(sizeof wrong / sizeof *wrong); i++)
    if (wrong[i])
      return i;
  return 0;
}

static cublasStatus_t solve_many(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                 cublasOperation_t trans, int64_t n, int64_t nrhs, const void *as, int64_t lda,
                                 const int *pivots, const void *bs, int64_t ldb, int *info, int64_t count) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  int wrong = find_wrong(trans, n, nrhs, as, lda, bs, ldb, count);
  int turns = trans != CUBLAS_OP_N, conjugates = trans == CUBLAS_OP_C;
  vptr__blas_require(&call, info != NULL, "info is NULL");
  if (call.status == CUBLAS_STATUS_SUCCESS)
    *info = -wrong;
  vptr__blas_require(&call, wrong == 0, "argument %d behind the handle has a value that is not allowed", wrong);
  if (call.status != CUBLAS_STATUS_SUCCESS || n == 0 || nrhs == 0 || count == 0)
    return vptr__blas_finish(&call);
  vptr__blas_pointers(&call, "Aarray", as, count);
  vptr__blas_pointers(&call, "Barray", bs, count);
  check_pivots(&call, pivots, n, count);
  vptr__blas_launch(&call, VPTR__BLAS_GETRS, thread_each(nrhs, count),
                    VPTR__BLAS_ARGUMENTS(&turns, &conjugates, &n, &nrhs, &as, &lda, &pivots, &bs, &ldb, &count));
  return vptr__blas_finish(&call);
}

#define LU(letter, T, type)                                                                                          \
  cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t handle, int n, T *const A[], int lda, int *P,           \
                                              int *info, int batchSize) {                                            \
    return factor_many("cublas" #letter "getrfBatched", handle, type, n, A, lda, P, info, batchSize);                \
  }                                                                                                                  \
  cublasStatus_t cublas##letter##getriBatched(cublasHandle_t handle, int n, const T *const A[], int lda,             \
                                              const int *P, T *const C[], int ldc, int *info, int batchSize) {       \
    return invert_many("cublas" #letter "getriBatched", handle, type, n, A, lda, P, C, ldc, info, batchSize);        \
  }                                                                                                                  \
  cublasStatus_t cublas##letter##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,       \
                                              const T *const Aarray[], int lda, const int *devIpiv,                  \
                                              T *const Barray[], int ldb, int *info, int batchSize) {                \
    return solve_many("cublas" #letter "getrsBatched", handle, type, trans, n, nrhs, Aarray, lda, devIpiv, Barray,   \
                      ldb, info, batchSize);                                                                         \
  }                                                                                                                  \
  cublasStatus_t cublas##letter##matinvBatched(cublasHandle_t handle, int n, const T *const A[], int lda,            \
                                               T *const Ainv[], int lda_inv, int *info, int batchSize) {             \
    return invert_at_once("cublas" #letter "matinvBatched", handle, type, n, A, lda, Ainv, lda_inv, info,            \
                          batchSize);                                                                                \
  }
VPTR__BLAS_FOR_ALL(LU)
