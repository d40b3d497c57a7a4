/* SPDX-License-Identifier: MIT */
/*
 * svd_panels - a large matrix by way of a bidiagonal one; see svd_panels.h.
 *
 * A matrix that has more columns than rows is turned on the host, and its vectors change sides. It is scaled as
 * LAPACK's gesvd does where squares of its elements would overflow or vanish. The device makes R of it, unless it is
 * square, and reduces that, with the host's panels (qr_panels.c, bidiagonal.c). The bidiagonal matrix, which is 2 n
 * numbers, is LAPACK's: divide and conquer, or dqds for values alone. Its vectors, of those that are wanted, go to the
 * device, where blocks of reflectors make the matrix's own of them.
 *
 * LAPACK may go on for ever where there is a NaN, so it does not get one: all values are NaN then, and all vectors.
 *
 * Constant; no locks. Called by generic_svd.c and svd.c. It waits for the stream.
 */
#include "cusolver/svd_panels.h"

#include "cusolver/bidiagonal.h"
#include "cusolver/decomposition.h"
#include "cusolver/elements.h"
#include "cusolver/factor.h"
#include "cusolver/lapack.h"
#include "cusolver/qr_panels.h"
#include "cusolver/reflectors.h"
#include "cusolver/transfer.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 };

static vptr__lapack_bdsdc *const bdsdc[] = { sbdsdc_, dbdsdc_ };

/* Of a matrix that is not wide. On the device: the factors of A, which are nothing if it is square; the square that is
 * reduced, and becomes the reflectors from the left; those from the right; and an area. On the host: the square's U and
 * V^H, real ones, and factors of reflectors. */
typedef struct reduction {
  void *factors, *square, *rights, *area;
  void *u, *vt, *e, *tau, *tauq, *taup;
} reduction;

static int64_t larger_of(int64_t a, int64_t b) {
  return a > b ? a : b;
}

int64_t vptr__solver_svd_panels_room(int64_t m, int64_t n) {
  const int64_t longer = larger_of(m, n), least = m < n ? m : n;
  return (longer > least ? longer * least : 0) + 2 * least * least +
         larger_of(vptr__solver_bidiagonal_room(least), vptr__solver_reflectors_room(longer));
}

static bool has_vectors(const vptr__solver_svd_panels *it) {
  return it->left > 0 || it->right > 0;
}

static reduction take_work(vptr__solver_call *call, const vptr__solver_svd_panels *it) {
  const int64_t n = it->n, before = it->m > it->n ? (int64_t)it->m * n : 0;
  const size_t size = vptr__solver_size(call->type), real = vptr__solver_real_size(call->type);
  const size_t order = (size_t)n, square = has_vectors(it) ? order * order : 0;
  return (reduction){
    .factors = it->work,
    .square = vptr__solver_element(call, it->work, 1, before, 0),
    .rights = vptr__solver_element(call, it->work, 1, before + n * n, 0),
    .area = vptr__solver_element(call, it->work, 1, before + 2 * n * n, 0),
    .u = vptr__solver_work(call, square, real),
    .vt = vptr__solver_work(call, square, real),
    .e = vptr__solver_work(call, order, real),
    .tau = vptr__solver_work(call, order, size),
    .tauq = vptr__solver_work(call, order, size),
    .taup = vptr__solver_work(call, order, size),
  };
}

/* ---- on the host ---------------------------------------------------------------------------------------------- */

/* All of a row are numbers. Every one becomes a NaN. And a square becomes its transpose, in blocks that the cache
 * holds. */
#define REALS(letter, R)                                                                                             \
  static bool are_numbers_##letter(size_t count, const void *reals) {                                                \
    bool are = true;                                                                                                 \
    for (size_t i = 0; i < count && are; i++)                                                                        \
      are = isfinite(((const R *)reals)[i]);                                                                         \
    return are;                                                                                                      \
  }                                                                                                                  \
  static void spoil_##letter(size_t count, void *reals) {                                                            \
    for (size_t i = 0; i < count; i++)                                                                               \
      ((R *)reals)[i] = (R)NAN;                                                                                      \
  }                                                                                                                  \
  static void turn_block_##letter(int n, R *a, int from, int at) {                                                   \
    for (int j = from; j < n && j < from + BLOCK; j++)                                                               \
      for (int i = at > j ? at : j + 1; i < n && i < at + BLOCK; i++) {                                              \
        R *below = &a[i + (size_t)j * (size_t)n], *above = &a[j + (size_t)i * (size_t)n], kept = *below;             \
        *below = *above, *above = kept;                                                                              \
      }                                                                                                              \
  }                                                                                                                  \
  static void turn_##letter(int n, void *square) {                                                                   \
    for (int j = 0; j < n; j += BLOCK)                                                                               \
      for (int i = j; i < n; i += BLOCK)                                                                             \
        turn_block_##letter(n, square, j, i);                                                                        \
  }
REALS(s, float)
REALS(d, double)

static bool (*const are_numbers[])(size_t count, const void *reals) = { are_numbers_s, are_numbers_d };
static void (*const spoil[])(size_t count, void *reals) = { spoil_s, spoil_d };
static void (*const turn[])(int n, void *square) = { turn_s, turn_d };

/* Whether the parts of numbers are doubles: an index, too. */
static int is_wide(const vptr__solver_call *call) {
  return vptr__solver_real_size(call->type) == sizeof(double);
}

/* Values and vectors of the bidiagonal matrix, whose diagonal becomes the values. */
static void solve_bidiagonal(vptr__solver_call *call, const vptr__solver_svd_panels *it, const reduction *in) {
  const size_t n = (size_t)it->n, square = has_vectors(it) ? n * n : 0;
  void *work = vptr__solver_work(call, 3 * square + 8 * n, vptr__solver_real_size(call->type));
  int *int_work = vptr__solver_work(call, 8 * n, sizeof(int));
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  if (are_numbers[is_wide(call)](n, it->s) && are_numbers[is_wide(call)](n - 1, in->e)) {
    bdsdc[is_wide(call)]("U", square > 0 ? "I" : "N", &it->n, it->s, in->e, in->u, &it->n, in->vt, &it->n, NULL, NULL,
                         work, int_work, &call->info, 1, 1);
    return;
  }
  spoil[is_wide(call)](n, it->s);
  spoil[is_wide(call)](square, in->u);
  spoil[is_wide(call)](square, in->vt);
}

/* ---- on both -------------------------------------------------------------------------------------------------- */

/* R, without the reflectors below it, which stay where they are. */
static void factor(vptr__solver_call *call, const vptr__solver_svd_panels *it, const reduction *in) {
  const size_t size = vptr__solver_size(call->type);
  vptr__solver_put(call, it->a, it->m, in->factors, it->m, it->m, it->n);
  vptr__solver_qr_factor(call, it->m, it->n, in->factors, it->m, in->tau, in->area);
  vptr__solver_get(call, it->a, it->n, in->factors, it->m, it->n, it->n);
  for (int j = 0; j < it->n; j++)
    memset(vptr__solver_element(call, it->a, it->n, j + 1, j), 0, (size_t)(it->n - j - 1) * size);
}

static void reduce(vptr__solver_call *call, const vptr__solver_svd_panels *it, const reduction *in) {
  const size_t count = (size_t)it->m * (size_t)it->n;
  const double by = vptr__solver_elements_factor(call, vptr__solver_elements_most(call, count, it->a));
  if (by != 1)
    vptr__solver_elements_scale(call, count, by, it->a);
  if (it->m > it->n)
    factor(call, it, in);
  vptr__solver_put(call, it->a, it->n, in->square, it->n, it->n, it->n);
  vptr__solver_bidiagonal_reduce(
      call, &(vptr__solver_bidiagonal){ it->n, in->square, in->rights, it->s, in->e, in->tauq, in->taup }, in->area);
  solve_bidiagonal(call, it, in);
  if (by != 1)
    vptr__solver_reals_scale(call, (size_t)it->n, 1 / by, it->s);
}

/* U is what the bidiagonal matrix has, in the corner of the unit matrix, times Q, and times that of the first
 * factors. */
static void make_left(vptr__solver_call *call, const vptr__solver_svd_panels *it, const reduction *in) {
  const int n = it->n, own = it->left < n ? it->left : n;
  if (it->m > n) {
    void *ones = vptr__solver_ones(call, it->m);
    vptr__solver_unit(call, ones, it->u, it->ldu, it->m, 0, it->left);
  }
  vptr__solver_reals_put(call, in->u, n, own, it->u, it->ldu);
  vptr__solver_qr_product by = { CUBLAS_SIDE_LEFT, CUBLAS_OP_N, n, own, n, n, it->ldu };
  vptr__solver_qr_multiply(call, &by, in->square, in->tauq, it->u, in->area);
  by.m = it->m, by.n = it->left, by.lda = it->m;
  if (it->m > n)
    vptr__solver_qr_multiply(call, &by, in->factors, in->tau, it->u, in->area);
}

/* P of one row and column less: its first reflector begins in the second row. V is P times the bidiagonal matrix's, and
 * V^H what that has times P^H. */
static void make_right(vptr__solver_call *call, const vptr__solver_svd_panels *it, const reduction *in) {
  const int n = it->n;
  const void *reflectors = vptr__solver_element(call, in->rights, n, 1, 0);
  if (!it->is_turned)
    turn[is_wide(call)](n, in->vt);
  vptr__solver_reals_put(call, in->vt, n, it->right, it->v, it->ldv);
  if (it->is_turned)
    vptr__solver_qr_multiply(
        call, &(vptr__solver_qr_product){ CUBLAS_SIDE_RIGHT, CUBLAS_OP_C, n, n - 1, n - 1, n, it->ldv }, reflectors,
        in->taup, vptr__solver_element(call, it->v, it->ldv, 0, 1), in->area);
  else
    vptr__solver_qr_multiply(
        call, &(vptr__solver_qr_product){ CUBLAS_SIDE_LEFT, CUBLAS_OP_N, n - 1, it->right, n - 1, n, it->ldv },
        reflectors, in->taup, vptr__solver_element(call, it->v, it->ldv, 1, 0), in->area);
}

static void solve_tall(vptr__solver_call *call, const vptr__solver_svd_panels *it) {
  const reduction in = take_work(call, it);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    reduce(call, it, &in);
  if (call->status == CUSOLVER_STATUS_SUCCESS && it->left > 0)
    make_left(call, it, &in);
  if (call->status == CUSOLVER_STATUS_SUCCESS && it->right > 0)
    make_right(call, it, &in);
}

void vptr__solver_svd_panels_solve(vptr__solver_call *call, const vptr__solver_svd_panels *it) {
  if (it->m >= it->n) {
    solve_tall(call, it);
    return;
  }
  vptr__solver_svd_panels turned = *it;
  turned.m = it->n, turned.left = it->right, turned.u = it->v, turned.ldu = it->ldv;
  turned.n = it->m, turned.right = it->left, turned.v = it->u, turned.ldv = it->ldu;
  turned.a = vptr__solver_work(call, (size_t)it->m * (size_t)it->n, vptr__solver_size(call->type));
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  vptr__solver_decomposition_turn(call, it->m, it->n, it->a, it->m, turned.a, it->n);
  solve_tall(call, &turned);
}
