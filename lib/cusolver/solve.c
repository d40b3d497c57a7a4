/* SPDX-License-Identifier: MIT */
/*
 * solve - gesv and gels, which leave A and B as they are; see solve.h.
 *
 * All is computed in the type of A, so there is nothing to refine: no iterations. A small system is LAPACK's, on the
 * host. Of a large one A is copied into the program's work area, and factored there in panels; X is solved for in its
 * place, or least squares' in a copy of B. Where a pivot or the diagonal of R has a 0, the info tells which, and X
 * stays as it was.
 *
 * No state, no locks. Called by refinement.c and solve_names.c. It waits for the stream.
 */
#include "cusolver/solve.h"

#include "cusolver/blas.h"
#include "cusolver/factor.h"
#include "cusolver/lapack.h"
#include "cusolver/lu.h"
#include "cusolver/qr_panels.h"
#include "cusolver/reflectors.h"
#include "cusolver/transfer.h"

#include <string.h>

static vptr__lapack_getrf *const getrf[] = VPTR__LAPACK_ALL(getrf);
static vptr__lapack_getrs *const getrs[] = VPTR__LAPACK_ALL(getrs);
static vptr__lapack_gels *const gels[] = VPTR__LAPACK_ALL(gels);

static bool is_large(const vptr__solver_system *it) {
  return it->n > VPTR__SOLVER_WHOLE;
}

/* Whether 64 bits hold the bytes of a work area, which has less than these rows and columns. */
static bool is_countable(const vptr__solver_system *it) {
  enum { BESIDE = 4 * VPTR__SOLVER_PANEL, MOST_SIZE = 16 };
  int64_t bytes;
  return !__builtin_mul_overflow(it->m + BESIDE, MOST_SIZE * (it->n + it->nrhs + BESIDE), &bytes);
}

static void require_system(vptr__solver_call *call, const vptr__solver_system *it) {
  vptr__solver_require_oblong(call, it->m, it->n, it->lda);
  vptr__solver_require(call, it->m >= it->n, "m is %lld, below n, which is %lld", (long long)it->m, (long long)it->n);
  vptr__solver_require_size(call, "nrhs", it->nrhs);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    vptr__solver_require(call, is_countable(it), "%lld by %lld elements with %lld sides are more than any memory has",
                         (long long)it->m, (long long)it->n, (long long)it->nrhs);
  vptr__solver_require_leading(call, "ldb", it->ldb, it->m);
  vptr__solver_require_leading(call, "ldx", it->ldx, it->n);
}

/* ---- work areas ----------------------------------------------------------------------------------------------- */

static int64_t gesv_elements(const vptr__solver_system *it) {
  return is_large(it) ? it->n * it->n : 1;
}

static int64_t gels_elements(const vptr__solver_system *it) {
  const int64_t wider = it->n > it->nrhs ? it->n : it->nrhs;
  return is_large(it) && is_countable(it) ? it->m * (it->n + it->nrhs) + vptr__solver_reflectors_room(wider) : 1;
}

static cusolverStatus_t tell_room(vptr__solver_call *call, int64_t elements, size_t *bytes) {
  vptr__solver_require(call, bytes != NULL, "there is no place for the size of the work area");
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    *bytes = (size_t)elements * vptr__solver_size(call->type);
  return vptr__solver_finish(call);
}

cusolverStatus_t vptr__solver_gesv_room(vptr__solver_call *call, const vptr__solver_system *it, size_t *bytes) {
  require_system(call, it);
  return tell_room(call, gesv_elements(it), bytes);
}

cusolverStatus_t vptr__solver_gels_room(vptr__solver_call *call, const vptr__solver_system *it, size_t *bytes) {
  require_system(call, it);
  return tell_room(call, gels_elements(it), bytes);
}

static void require_call(vptr__solver_call *call, const vptr__solver_system *it, int64_t elements,
                         const int *iterations) {
  size_t least = (size_t)elements * vptr__solver_size(call->type);
  require_system(call, it);
  vptr__solver_require(call, iterations != NULL, "there is no place for the number of iterations");
  if (call->status == CUSOLVER_STATUS_SUCCESS && it->bytes < least) {
    vptr__solver_require(call, false, "the work area has %zu bytes, and bufferSize said %zu", it->bytes, least);
    call->status = CUSOLVER_STATUS_INVALID_WORKSPACE;
  }
  if (is_large(it))
    vptr__solver_memory(call, "the work area", elements, 1, it->work, elements);
}

static cusolverStatus_t finish(vptr__solver_call *call, int *iterations) {
  cusolverStatus_t status = vptr__solver_finish(call);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *iterations = 0;
  return status;
}

/* ---- square systems ------------------------------------------------------------------------------------------- */

static void solve_small(vptr__solver_call *call, const vptr__solver_array *a, const vptr__solver_array *b,
                        vptr__solver_array *x, int *rows) {
  const int order = (int)a->rows, sides = (int)b->columns;
  getrf[call->type](&order, &order, a->host, &a->ld, rows, &call->info);
  memcpy(x->host, b->host, (size_t)order * (size_t)sides * b->size);
  if (call->info > 0)
    x->use = VPTR__SOLVER_READS;
  else
    getrs[call->type]("N", &order, &sides, a->host, &a->ld, rows, x->host, &x->ld, &call->info, 1);
}

static void solve_large(vptr__solver_call *call, const vptr__solver_system *it, int *rows) {
  vptr__solver_sides to = { it->n, it->nrhs, it->ldx, it->x, NULL };
  to.host = vptr__solver_work(call, (size_t)it->n * (size_t)it->nrhs, vptr__solver_size(call->type));
  vptr__solver_copy(call, it->a, it->lda, it->work, it->n, it->n, it->n);
  vptr__solver_lu_factor(call, it->n, it->n, it->work, it->n, rows);
  if (call->info > 0 || it->nrhs == 0)
    return;
  if (it->x != it->b)
    vptr__solver_copy(call, it->b, it->ldb, it->x, it->ldx, it->n, it->nrhs);
  vptr__solver_lu_solve(call, CUBLAS_OP_N, it->work, it->n, rows, &to);
}

cusolverStatus_t vptr__solver_gesv(vptr__solver_call *call, const vptr__solver_system *it, int *iterations,
                                   int *info) {
  vptr__solver_array *a = NULL, *b = NULL, *x = NULL, *pivots = NULL;
  require_call(call, it, gesv_elements(it), iterations);
  vptr__solver_info(call, info);
  if (is_large(it)) {
    vptr__solver_memory(call, "A", it->n, it->n, it->a, it->lda);
    vptr__solver_memory(call, "B", it->n, it->nrhs, it->b, it->ldb);
    vptr__solver_memory(call, "X", it->n, it->nrhs, it->x, it->ldx);
  } else {
    a = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, it->n, it->n, it->a, it->lda);
    b = vptr__solver_matrix(call, "B", VPTR__SOLVER_READS, it->n, it->nrhs, it->b, it->ldb);
    x = vptr__solver_matrix(call, "X", VPTR__SOLVER_WRITES, it->n, it->nrhs, it->x, it->ldx);
  }
  if (it->ipiv != NULL)
    pivots = vptr__solver_numbers(call, "ipiv", VPTR__SOLVER_WRITES, it->n, sizeof *it->ipiv, it->ipiv);
  int *rows = vptr__solver_work(call, (size_t)it->n, sizeof *rows);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  if (is_large(it))
    solve_large(call, it, rows);
  else
    solve_small(call, a, b, x, rows);
  if (pivots != NULL)
    vptr__solver_lu_store(pivots, rows);
  return finish(call, iterations);
}

/* ---- least squares -------------------------------------------------------------------------------------------- */

static void approach_small(vptr__solver_call *call, const vptr__solver_array *a, const vptr__solver_array *b,
                           vptr__solver_array *x) {
  const int m = (int)a->rows, n = (int)a->columns, sides = (int)b->columns, ask = -1;
  double answer[2] = { 0, 0 };
  gels[call->type]("N", &m, &n, &sides, a->host, &a->ld, b->host, &b->ld, answer, &ask, &call->info, 1);
  const int room = vptr__solver_asked(call, answer);
  void *work = vptr__solver_work(call, (size_t)room, vptr__solver_size(call->type));
  if (work == NULL)
    return;
  gels[call->type]("N", &m, &n, &sides, a->host, &a->ld, b->host, &b->ld, work, &room, &call->info, 1);
  if (call->info > 0)
    x->use = VPTR__SOLVER_READS;
  for (int j = 0; j < sides; j++)
    memcpy(vptr__solver_element(call, x->host, x->ld, 0, j), vptr__solver_element(call, b->host, b->ld, 0, j),
           (size_t)n * x->size);
}

/* Of either sign, in all parts. */
static bool is_zero(const vptr__solver_call *call, const void *element) {
  const float *s = element;
  const double *d = element;
  switch (call->type) {
  case VPTR__SOLVER_S:
    return s[0] == 0;
  case VPTR__SOLVER_D:
    return d[0] == 0;
  case VPTR__SOLVER_C:
    return s[0] == 0 && s[1] == 0;
  default:
    return d[0] == 0 && d[1] == 0;
  }
}

/* The first element of R's diagonal that is 0, from 1 on; 0: there is none. */
static int find_zero(vptr__solver_call *call, const void *r, int64_t ld, int64_t n) {
  void *diagonal = vptr__solver_work(call, (size_t)n, vptr__solver_size(call->type));
  vptr__solver_get(call, diagonal, 1, r, ld + 1, 1, n);
  for (int64_t i = 0; i < n && call->status == CUSOLVER_STATUS_SUCCESS; i++)
    if (is_zero(call, vptr__solver_element(call, diagonal, 1, i, 0)))
      return (int)i + 1;
  return 0;
}

static void approach_large(vptr__solver_call *call, const vptr__solver_system *it) {
  const int m = (int)it->m, n = (int)it->n, sides = (int)it->nrhs;
  void *b = vptr__solver_element(call, it->work, m, 0, n), *work = vptr__solver_element(call, b, m, 0, sides);
  void *tau = vptr__solver_work(call, (size_t)n, vptr__solver_size(call->type));
  vptr__solver_copy(call, it->a, it->lda, it->work, m, m, n);
  vptr__solver_copy(call, it->b, it->ldb, b, m, m, sides);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  vptr__solver_qr_factor(call, m, n, it->work, m, tau, work);
  call->info = find_zero(call, it->work, m, n);
  if (call->info > 0 || sides == 0)
    return;
  vptr__solver_qr_multiply(call, &(vptr__solver_qr_product){ CUBLAS_SIDE_LEFT, CUBLAS_OP_C, m, sides, n, m, m },
                           it->work, tau, b, work);
  vptr__solver_solve(call, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, sides,
                     it->work, m, b, m);
  vptr__solver_copy(call, b, m, it->x, it->ldx, n, sides);
}

cusolverStatus_t vptr__solver_gels(vptr__solver_call *call, const vptr__solver_system *it, int *iterations,
                                   int *info) {
  vptr__solver_array *a = NULL, *b = NULL, *x = NULL;
  require_call(call, it, gels_elements(it), iterations);
  vptr__solver_info(call, info);
  if (is_large(it)) {
    vptr__solver_memory(call, "A", it->m, it->n, it->a, it->lda);
    vptr__solver_memory(call, "B", it->m, it->nrhs, it->b, it->ldb);
    vptr__solver_memory(call, "X", it->n, it->nrhs, it->x, it->ldx);
  } else {
    a = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, it->m, it->n, it->a, it->lda);
    b = vptr__solver_matrix(call, "B", VPTR__SOLVER_READS, it->m, it->nrhs, it->b, it->ldb);
    x = vptr__solver_matrix(call, "X", VPTR__SOLVER_WRITES, it->n, it->nrhs, it->x, it->ldx);
  }
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  if (is_large(it))
    approach_large(call, it);
  else
    approach_small(call, a, b, x);
  return finish(call, iterations);
}
