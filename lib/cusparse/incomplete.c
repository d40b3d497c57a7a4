/* SPDX-License-Identifier: MIT */
/*
 * incomplete - factors that have entries only where the matrix has: cusparseXcsrilu02_*() and cusparseXcsric02_*().
 *
 * The analysis finds levels of rows (triangle.h) and keeps them in the program's info; a factorization writes over the
 * values that it is given. A row without a diagonal entry, or, behind a factorization, one whose pivot is 0 (of
 * csric02: not above 0) is told by zeroPivot: the first of them.
 *
 * No locks: an info is used by one thread at a time. Called by programs. An analysis and zeroPivot wait for the stream.
 * No buffer is needed: its size is told as 0.
 */
#include "base/error.h"
#include "base/memory.h"
#include "cusparse/triangle.h"

#include <limits.h>

/* Pivots at most as large as the tolerance become another number. */
typedef struct boost {
  bool is_on;
  vptr__sparse_type type;
  double tolerance;
  const void *tolerance_at; /* NULL: here */
  vptr__sparse_scalar value;
} boost;

struct csrilu02Info {
  vptr__sparse_triangle *triangle;
  int64_t entries;
  int base;
  boost boosts;
};

struct csric02Info {
  struct csrilu02Info of_triangle;
};

/* ---- operands ------------------------------------------------------------------------------------------------ */

/* The matrix that a call with a name of a type is given. */
static vptr__sparse_lines check_matrix(vptr__sparse_call *call, vptr__sparse_type type, int m, int nnz,
                                       const cusparseMatDescr_t descr, const void *values, const int *offsets,
                                       const int *columns, const void *info) {
  call->type = type;
  vptr__sparse_require(call, info != NULL, "info is NULL");
  return vptr__sparse_general_lines(call, "A", descr, m, m, nnz, values, vptr__sparse_size(type), offsets, columns);
}

static void require_policy(vptr__sparse_call *call, cusparseSolvePolicy_t policy) {
  vptr__sparse_require(call, policy == CUSPARSE_SOLVE_POLICY_NO_LEVEL || policy == CUSPARSE_SOLVE_POLICY_USE_LEVEL,
                       "there is no policy %d", (int)policy);
}

static cusparseStatus_t analyse(const char *name, cusparseHandle_t handle, vptr__sparse_type type, int m, int nnz,
                                const cusparseMatDescr_t descr, const void *values, const int *offsets,
                                const int *columns, struct csrilu02Info *info, cusparseSolvePolicy_t policy) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  vptr__sparse_lines a = check_matrix(&call, type, m, nnz, descr, values, offsets, columns, info);
  require_policy(&call, policy);
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  vptr__sparse_triangle *made = vptr__sparse_triangle_make(&call, &a, false, CUSPARSE_FILL_MODE_LOWER);
  if (made != NULL) {
    vptr__sparse_triangle_free(info->triangle);
    info->triangle = made;
    info->entries = nnz;
    info->base = (int)a.base;
  }
  return vptr__sparse_finish(&call);
}

/* ---- factors --------------------------------------------------------------------------------------------------- */

/* A block has a row. Levels of few rows, one after the other, are one launch of one block. */
static void send_levels(vptr__sparse_call *call, const vptr__sparse_triangle *it, vptr__sparse_kernel kernel,
                        const void **arguments) {
  enum { TEAM = 32, FEW = 4, FEW_OF_PROCESSOR = 256 };
  int first = 0, last = 0;
  const int *starts = it->level_starts;
  int few = vptr__sparse_one_block(call).block[0] == 1 ? FEW_OF_PROCESSOR : FEW;
  vptr__sparse_triangle_fill(it, &first, &last, arguments);
  for (; first < it->level_count && vptr__sparse_is_well(call); first = last) {
    last = first + 1;
    bool is_wide = starts[last] - starts[first] > few;
    while (!is_wide && last < it->level_count && starts[last + 1] - starts[last] <= few)
      last++;
    vptr__sparse_launch(call, kernel, vptr__sparse_teams(call, is_wide ? starts[last] - starts[first] : 1, TEAM),
                        arguments);
  }
}

static cusparseStatus_t factor(const char *name, cusparseHandle_t handle, vptr__sparse_type type, int m, int nnz,
                               const cusparseMatDescr_t descr, void *values, const int *offsets, const int *columns,
                               struct csrilu02Info *info, cusparseSolvePolicy_t policy, bool is_lu) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  vptr__sparse_lines a = check_matrix(&call, type, m, nnz, descr, values, offsets, columns, info);
  require_policy(&call, policy);
  if (vptr__sparse_is_well(&call))
    vptr__sparse_require(&call,
                         info->triangle != NULL && info->triangle->rows == m && info->entries == nnz &&
                             info->base == (int)a.base,
                         "info was not made by an analysis of this matrix");
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  const boost *boosts = &info->boosts;
  vptr__sparse_require(&call, !boosts->is_on || boosts->type == type, "the boost of info is of another type");
  int is_on = boosts->is_on;
  const vptr__sparse_triangle *it = info->triangle;
  const void *of_lu[] = { NULL,
                          NULL,
                          NULL,
                          NULL,
                          NULL,
                          NULL,
                          NULL,
                          NULL,
                          &offsets,
                          &columns,
                          &info->base,
                          &values,
                          &is_on,
                          &boosts->tolerance,
                          &boosts->tolerance_at,
                          &boosts->value.value,
                          &boosts->value.at,
                          &it->pivot };
  const void *of_llh[] = { NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &values, &it->pivot };
  vptr__sparse_launch(&call, VPTR__SPARSE_PUT_ONE, vptr__sparse_one_block(&call),
                      VPTR__SPARSE_ARGUMENTS(&it->missing, &it->pivot));
  send_levels(&call, it, is_lu ? VPTR__SPARSE_FACTOR_LU : VPTR__SPARSE_FACTOR_LLH, is_lu ? of_lu : of_llh);
  return vptr__sparse_finish(&call);
}

static cusparseStatus_t tell_pivot(const char *name, cusparseHandle_t handle, struct csrilu02Info *info,
                                   int *position) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  int pivot = INT_MAX, told = -1;
  vptr__sparse_require(&call, info != NULL && position != NULL, "info or position is NULL");
  if (vptr__sparse_is_well(&call))
    vptr__sparse_require(&call, info->triangle != NULL, "info was not made by an analysis");
  if (call.scalars_on_device)
    vptr__sparse_memory(&call, "position", position, 1, sizeof *position);
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  vptr__sparse_read(&call, &pivot, info->triangle->pivot, sizeof pivot);
  if (pivot != INT_MAX)
    told = pivot + info->base;
  if (call.scalars_on_device)
    vptr__sparse_launch(&call, VPTR__SPARSE_PUT_ONE, vptr__sparse_one_block(&call),
                        VPTR__SPARSE_ARGUMENTS(&told, &position));
  else if (vptr__sparse_is_well(&call))
    *position = told;
  if (vptr__sparse_is_well(&call) && pivot != INT_MAX) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the diagonal of row %d is not there, or 0", name, told);
    vptr__sparse_fail(&call, CUSPARSE_STATUS_ZERO_PIVOT);
  }
  return vptr__sparse_finish(&call);
}

/* The numbers are taken now if they are on the host, and when a factorization is sent if the device has them. */
static cusparseStatus_t set_boost(const char *name, cusparseHandle_t handle, vptr__sparse_type type,
                                  struct csrilu02Info *info, int is_on, const double *tolerance, const void *value) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  boost it = { .is_on = is_on != 0, .type = type };
  call.type = type;
  vptr__sparse_require(&call, info != NULL, "info is NULL");
  if (it.is_on) {
    vptr__sparse_require(&call, tolerance != NULL, "tol is NULL");
    it.value = vptr__sparse_scalar_at(&call, "boost_val", value);
    if (call.scalars_on_device)
      vptr__sparse_memory(&call, "tol", tolerance, 1, sizeof *tolerance);
  }
  if (!vptr__sparse_is_well(&call))
    return vptr__sparse_finish(&call);
  it.tolerance = it.is_on && !call.scalars_on_device ? *tolerance : 0;
  it.tolerance_at = it.is_on && call.scalars_on_device ? tolerance : NULL;
  info->boosts = it;
  return vptr__sparse_finish(&call);
}

static cusparseStatus_t tell_no_buffer(const char *name, cusparseHandle_t handle, vptr__sparse_type type, int m,
                                       int nnz, const cusparseMatDescr_t descr, const void *values,
                                       const int *offsets, const int *columns, const void *info, int *size,
                                       size_t *wide_size) {
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  check_matrix(&call, type, m, nnz, descr, values, offsets, columns, info);
  vptr__sparse_require(&call, size != NULL || wide_size != NULL, "the size of the buffer has no place");
  if (vptr__sparse_is_well(&call) && size != NULL)
    *size = 0;
  if (vptr__sparse_is_well(&call) && wide_size != NULL)
    *wide_size = 0;
  return vptr__sparse_finish(&call);
}

/* ---- infos ----------------------------------------------------------------------------------------------------- */

static void free_info(struct csrilu02Info *info) {
  if (info != NULL)
    vptr__sparse_triangle_free(info->triangle);
  vptr__memory_free(info);
}

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info) {
  const struct csrilu02Info as = { .triangle = NULL };
  return vptr__sparse_create("cusparseCreateCsrilu02Info", true, &as, sizeof as, info);
}

/* NULL is nothing to destroy, as in cuSPARSE. */
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  free_info(info);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info) {
  const struct csric02Info as = { { .triangle = NULL } };
  return vptr__sparse_create("cusparseCreateCsric02Info", true, &as, sizeof as, info);
}

cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) {
  free_info(info != NULL ? &info->of_triangle : NULL);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int *position) {
  return tell_pivot("cusparseXcsrilu02_zeroPivot", handle, info, position);
}

cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int *position) {
  return tell_pivot("cusparseXcsric02_zeroPivot", handle, info != NULL ? &info->of_triangle : NULL, position);
}

/* ---- the functions with names of types --------------------------------------------------------------------------- */

#define OF_INFO_LU(info) (info)
#define OF_INFO_LLH(info) ((info) != NULL ? &(info)->of_triangle : NULL)

#define FACTORS(letter, T, type, noun, info_type, OF_INFO, is_lu)                                                    \
  cusparseStatus_t cusparse##letter##noun##_bufferSize(                                                              \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrSortedValA,                    \
      const int *csrSortedRowPtrA, const int *csrSortedColIndA, info_type info, int *pBufferSizeInBytes) {           \
    return tell_no_buffer("cusparse" #letter #noun "_bufferSize", handle, type, m, nnz, descrA, csrSortedValA,       \
                          csrSortedRowPtrA, csrSortedColIndA, info, pBufferSizeInBytes, NULL);                       \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##noun##_bufferSizeExt(                                                           \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrSortedVal,                     \
      const int *csrSortedRowPtr, const int *csrSortedColInd, info_type info, size_t *pBufferSize) {                 \
    return tell_no_buffer("cusparse" #letter #noun "_bufferSizeExt", handle, type, m, nnz, descrA, csrSortedVal,     \
                          csrSortedRowPtr, csrSortedColInd, info, NULL, pBufferSize);                                \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##noun##_analysis(cusparseHandle_t handle, int m, int nnz,                        \
                                                     const cusparseMatDescr_t descrA, const T *csrSortedValA,        \
                                                     const int *csrSortedRowPtrA, const int *csrSortedColIndA,       \
                                                     info_type info, cusparseSolvePolicy_t policy, void *pBuffer) {  \
    (void)pBuffer;                                                                                                   \
    return analyse("cusparse" #letter #noun "_analysis", handle, type, m, nnz, descrA, csrSortedValA,                \
                   csrSortedRowPtrA, csrSortedColIndA, OF_INFO(info), policy);                                       \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##noun(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,  \
                                          T *csrSortedValA_valM, const int *csrSortedRowPtrA,                        \
                                          const int *csrSortedColIndA, info_type info, cusparseSolvePolicy_t policy, \
                                          void *pBuffer) {                                                           \
    (void)pBuffer;                                                                                                   \
    return factor("cusparse" #letter #noun, handle, type, m, nnz, descrA, csrSortedValA_valM, csrSortedRowPtrA,      \
                  csrSortedColIndA, OF_INFO(info), policy, is_lu);                                                   \
  }
#define BOOST(letter, T, type)                                                                                       \
  cusparseStatus_t cusparse##letter##csrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info,             \
                                                           int enable_boost, double *tol, T *boost_val) {            \
    return set_boost("cusparse" #letter "csrilu02_numericBoost", handle, type, info, enable_boost, tol, boost_val);  \
  }
#define ALL(letter, T, type)                                                                                         \
  FACTORS(letter, T, type, csrilu02, csrilu02Info_t, OF_INFO_LU, true)                                               \
  FACTORS(letter, T, type, csric02, csric02Info_t, OF_INFO_LLH, false)                                               \
  BOOST(letter, T, type)
ALL(S, float, VPTR__SPARSE_S)
ALL(D, double, VPTR__SPARSE_D)
ALL(C, cuComplex, VPTR__SPARSE_C)
ALL(Z, cuDoubleComplex, VPTR__SPARSE_Z)
