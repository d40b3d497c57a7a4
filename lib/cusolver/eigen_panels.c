/* SPDX-License-Identifier: MIT */
/*
 * eigen_panels - a large hermitian matrix by way of a tridiagonal one; see eigen_panels.h.
 *
 * The host completes the matrix from its triangle, and scales it as LAPACK's syevd does where squares of its elements
 * would overflow or vanish. The device reduces it, with the host's panels (tridiagonal.c). The tridiagonal matrix,
 * which is 2 n numbers, is LAPACK's: divide and conquer, or sterf for values alone. Its vectors go to the device, where
 * blocks of reflectors make the matrix's own of them.
 *
 * Constant; no locks. Called by eigen.c. It waits for the stream.
 */
#include "cusolver/eigen_panels.h"

#include "cusolver/elements.h"
#include "cusolver/factor.h"
#include "cusolver/lapack.h"
#include "cusolver/qr_panels.h"
#include "cusolver/reflectors.h"
#include "cusolver/tridiagonal.h"

#include <complex.h>

enum { BLOCK = 64 };

static vptr__lapack_stedc *const stedc[] = { sstedc_, dstedc_ };
static vptr__lapack_sterf *const sterf[] = { ssterf_, dsterf_ };

static int64_t larger_of(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* The matrix; and behind it first what the reduction wants, then what products with reflectors do. */
int64_t vptr__solver_eigen_panels_room(int64_t n) {
  return n * n + larger_of(vptr__solver_tridiagonal_room(n), vptr__solver_reflectors_room(n));
}

/* Whether the parts of numbers are floats: an index, too. */
static int is_wide(const vptr__solver_call *call) {
  return vptr__solver_real_size(call->type) == sizeof(double);
}

/* ---- on the host ---------------------------------------------------------------------------------------------- */

/* The other triangle of a square of columns, in blocks that the cache holds; what is not real on the diagonal is not
 * looked at. */
#define MATRIX(letter, T, CONJ, REAL)                                                                                \
  static void complete_block_##letter(int n, bool is_lower, T *a, int from, int at) {                                \
    for (int j = from; j < n && j < from + BLOCK; j++)                                                               \
      for (int i = at > j ? at : j + 1; i < n && i < at + BLOCK; i++) {                                              \
        T *below = &a[i + (size_t)j * (size_t)n], *above = &a[j + (size_t)i * (size_t)n];                            \
        if (is_lower)                                                                                                \
          *above = CONJ(*below);                                                                                     \
        else                                                                                                         \
          *below = CONJ(*above);                                                                                     \
      }                                                                                                              \
  }                                                                                                                  \
  static void complete_##letter(int n, bool is_lower, void *matrix) {                                                \
    T *a = matrix;                                                                                                   \
    for (int j = 0; j < n; j += BLOCK)                                                                               \
      for (int i = j; i < n; i += BLOCK)                                                                             \
        complete_block_##letter(n, is_lower, a, j, i);                                                               \
    for (int j = 0; j < n; j++)                                                                                      \
      a[j + (size_t)j * (size_t)n] = REAL(a[j + (size_t)j * (size_t)n]);                                             \
  }
MATRIX(s, float, , )
MATRIX(d, double, , )
MATRIX(c, float complex, conjf, crealf)
MATRIX(z, double complex, conj, creal)

static void (*const complete[])(int n, bool is_lower, void *a) = { complete_s, complete_d, complete_c, complete_z };

/* Values and vectors of the tridiagonal matrix, whose diagonal becomes the values. */
static void solve_tridiagonal(vptr__solver_call *call, const vptr__solver_eigen_panels *it, void *e) {
  const int room = it->has_vectors ? 1 + 4 * it->n + it->n * it->n : 1,
            int_room = it->has_vectors ? 3 + 5 * it->n : 1;
  void *work = vptr__solver_work(call, (size_t)room, vptr__solver_real_size(call->type));
  int *int_work = vptr__solver_work(call, (size_t)int_room, sizeof(int));
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  if (it->has_vectors)
    stedc[is_wide(call)]("I", &it->n, it->w, e, it->a, &it->n, work, &room, int_work, &int_room, &call->info, 1);
  else
    sterf[is_wide(call)](&it->n, it->w, e, &call->info);
}

/* ---- on both -------------------------------------------------------------------------------------------------- */

void vptr__solver_eigen_panels_reduce(vptr__solver_call *call, const vptr__solver_eigen_panels *it, void *tau,
                                      void *work) {
  const size_t count = (size_t)it->n * (size_t)it->n;
  complete[call->type](it->n, it->is_lower, it->a);
  const double by = vptr__solver_elements_factor(call, vptr__solver_elements_most(call, count, it->a));
  void *e = vptr__solver_work(call, (size_t)it->n, vptr__solver_real_size(call->type));
  if (by != 1)
    vptr__solver_elements_scale(call, count, by, it->a);
  vptr__solver_put(call, it->a, it->n, work, it->n, it->n, it->n);
  vptr__solver_tridiagonal_reduce(call, &(vptr__solver_tridiagonal){ it->n, work, it->w, e, tau },
                                  vptr__solver_element(call, work, it->n, 0, it->n));
  solve_tridiagonal(call, it, e);
  if (by != 1)
    vptr__solver_reals_scale(call, (size_t)it->n, 1 / by, it->w);
}

/* Q of one row and column less: the first reflector begins in the second row. */
void vptr__solver_eigen_panels_vectors(vptr__solver_call *call, const vptr__solver_eigen_panels *it, const void *tau,
                                       void *work, int64_t first, int64_t end, void *to, int64_t ld) {
  const char *vectors = (char *)it->a + (size_t)first * (size_t)it->n * vptr__solver_real_size(call->type);
  vptr__solver_reals_put(call, vectors, it->n, end - first, to, ld);
  if (first >= end)
    return;
  vptr__solver_qr_multiply(call,
                           &(vptr__solver_qr_product){ .side = CUBLAS_SIDE_LEFT,
                                                       .trans = CUBLAS_OP_N,
                                                       .m = it->n - 1,
                                                       .n = (int)(end - first),
                                                       .k = it->n - 1,
                                                       .lda = it->n,
                                                       .ldc = (int)ld },
                           vptr__solver_element(call, work, it->n, 1, 0), tau,
                           vptr__solver_element(call, to, ld, 1, 0),
                           vptr__solver_element(call, work, it->n, 0, it->n));
}
