/* SPDX-License-Identifier: MIT */
/*
 * bidiagonal - the reduction in panels of columns and rows, as LAPACK's labrd has it; see bidiagonal.h.
 *
 * A panel's columns are read, and its rows, which the device turns into columns first. Of each column the host makes
 * the reflector v, and the device A^H v; of that the host makes y. Of the row it makes the reflector u, the device A u,
 * and the host x of it. So the matrix behind the panel becomes A - V Y^H - X U^H, one product of the device's. Products
 * with v and u are half of all the work, and all that reads the matrix. The last columns, where the way to the device
 * and back would take longer than the work there, are LAPACK's as a whole.
 *
 * Constant; no locks. Called by svd_panels.c. It waits for the stream, four times a column.
 */
#include "cusolver/bidiagonal.h"

#include "cusolver/blas.h"
#include "cusolver/columns.h"
#include "cusolver/decomposition.h"
#include "cusolver/factor.h"
#include "cusolver/lapack.h"

#include <complex.h>
#include <string.h>

enum { WIDTH = 32, TAIL = 256 };

static vptr__lapack_larfg *const larfg[] = VPTR__LAPACK_ALL(larfg);
static vptr__lapack_gebrd *const gebrd[] = VPTR__LAPACK_ALL(gebrd);

/* V, X, U and Y, of the host's, whose columns are ld apart; a row of one, conjugated; and on the device V beside X, and
 * Y beside U. */
typedef struct panel {
  int rows, ld;
  void *v, *x, *u, *y, *row;
  void *lefts, *rights;
} panel;

int64_t vptr__solver_bidiagonal_room(int64_t n) {
  return 4 * WIDTH * n;
}

/* ---- on the host ---------------------------------------------------------------------------------------------- */

#define SCALE(letter, T)                                                                                             \
  static void scale_##letter(int count, const void *factor, void *vector) {                                          \
    for (int i = 0; i < count; i++)                                                                                  \
      ((T *)vector)[i] *= *(const T *)factor;                                                                        \
  }
SCALE(s, float)
SCALE(d, double)
SCALE(c, float complex)
SCALE(z, double complex)

static void (*const scale[])(int count, const void *factor, void *vector) = { scale_s, scale_d, scale_c, scale_z };

static void *at(const vptr__solver_call *call, const panel *in, void *block, int row, int column) {
  return vptr__solver_element(call, block, in->ld, row, column);
}

/* vector = vector - block row^H, of the first `count` columns of the block, and of one row of `others`. All begin in
 * row `top`. */
static void take_row(const vptr__solver_call *call, const panel *in, int top, int count, void *block, void *others,
                     int row, void *vector) {
  vptr__solver_columns_row(call, count, at(call, in, others, row, 0), in->ld, in->row);
  vptr__solver_columns_subtract(call, in->rows - top, count, at(call, in, block, top, 0), in->ld, in->row, vector);
}

/* product = product - outer (inner^H vector), likewise; the vector and `inner` begin in row `top`, the others below
 * row i. */
static void take_product(const vptr__solver_call *call, const panel *in, int i, int top, int count, void *inner,
                         void *outer, void *vector, void *product) {
  vptr__solver_columns_multiply(call, in->rows - top, count, at(call, in, inner, top, 0), in->ld, vector, in->row);
  vptr__solver_columns_subtract(call, in->rows - i - 1, count, at(call, in, outer, i + 1, 0), in->ld, in->row,
                                product);
}

/* The reflector of a vector, with its 1, and the real number that is left of the vector. */
static void reflect(const vptr__solver_call *call, int count, void *vector, void *tau, void *real) {
  const int step = 1;
  larfg[call->type](&count, vector, vptr__solver_element(call, vector, 1, 1, 0), &step, tau);
  memcpy(real, vector, vptr__solver_real_size(call->type));
  memcpy(vector, vptr__solver_number(call, 1), vptr__solver_size(call->type));
}

/* ---- on both -------------------------------------------------------------------------------------------------- */

/* What the device makes of a vector: op(A) times it, of the matrix as it was before the panel. */
static void multiply_vector(vptr__solver_call *call, cublasOperation_t trans, int m, int n, const void *a, int lda,
                            const void *vector, const panel *in, void *product) {
  const int from = trans == CUBLAS_OP_N ? n : m, to = trans == CUBLAS_OP_N ? m : n;
  vptr__solver_put(call, vector, from, in->lefts, from, from, 1);
  vptr__solver_multiply_vector(call, trans, m, n, a, lda, in->lefts, in->rights);
  vptr__solver_get(call, product, to, in->rights, to, to, 1);
}

/* Column i of the panel that begins in column `from` of A: it becomes v, and y is made. */
static void reduce_column(vptr__solver_call *call, const vptr__solver_bidiagonal *it, const panel *in, int from,
                          int i) {
  const int left = in->rows - i;
  void *v = at(call, in, in->v, i, i), *y = at(call, in, in->y, i + 1, i);
  void *tau = vptr__solver_element(call, it->tauq, 1, from + i, 0);
  take_row(call, in, i, i, in->v, in->y, i, v);
  take_row(call, in, i, i, in->x, in->u, i, v);
  reflect(call, left, v, tau, vptr__solver_real_at(call, it->d, from + i));
  multiply_vector(call, CUBLAS_OP_C, left, left - 1, vptr__solver_element(call, it->a, it->n, from + i, from + i + 1),
                  it->n, v, in, y);
  take_product(call, in, i, i, i, in->v, in->y, v, y);
  take_product(call, in, i, i, i, in->x, in->u, v, y);
  scale[call->type](left - 1, tau, y);
}

/* Row i, which is column i of U, likewise: it becomes u, and x is made. */
static void reduce_row(vptr__solver_call *call, const vptr__solver_bidiagonal *it, const panel *in, int from, int i) {
  const int left = in->rows - i - 1;
  void *u = at(call, in, in->u, i + 1, i), *x = at(call, in, in->x, i + 1, i);
  void *tau = vptr__solver_element(call, it->taup, 1, from + i, 0);
  take_row(call, in, i + 1, i + 1, in->y, in->v, i, u);
  take_row(call, in, i + 1, i, in->u, in->x, i, u);
  reflect(call, left, u, tau, vptr__solver_real_at(call, it->e, from + i));
  multiply_vector(call, CUBLAS_OP_N, left, left, vptr__solver_element(call, it->a, it->n, from + i + 1, from + i + 1),
                  it->n, u, in, x);
  take_product(call, in, i, i + 1, i + 1, in->y, in->v, u, x);
  take_product(call, in, i, i + 1, i, in->u, in->x, u, x);
  scale[call->type](left, tau, x);
}

/* One block of vectors to the device, from row WIDTH on. */
static void put_block(vptr__solver_call *call, const panel *in, void *block, void *to, int beside) {
  const int left = in->rows - WIDTH;
  vptr__solver_put(call, at(call, in, block, WIDTH, 0), in->ld,
                   vptr__solver_element(call, to, left, 0, (int64_t)beside * WIDTH), left, left, WIDTH);
}

/* What is right of a panel and below it. */
static void update_rest(vptr__solver_call *call, const vptr__solver_bidiagonal *it, const panel *in, int from) {
  const int left = in->rows - WIDTH, next = from + WIDTH;
  put_block(call, in, in->v, in->lefts, 0);
  put_block(call, in, in->x, in->lefts, 1);
  put_block(call, in, in->y, in->rights, 0);
  put_block(call, in, in->u, in->rights, 1);
  vptr__solver_subtract_product(call, CUBLAS_OP_N, CUBLAS_OP_C, left, left, 2 * (int64_t)WIDTH, in->lefts, left,
                                in->rights, left, vptr__solver_element(call, it->a, it->n, next, next), it->n);
}

static void reduce_panel(vptr__solver_call *call, const vptr__solver_bidiagonal *it, panel *in, int from) {
  void *corner = vptr__solver_element(call, it->a, it->n, from, from);
  in->rows = it->n - from;
  vptr__solver_get(call, in->v, in->ld, corner, it->n, in->rows, WIDTH);
  vptr__solver_turn(call, WIDTH, in->rows, corner, it->n, in->lefts);
  vptr__solver_get(call, in->u, in->ld, in->lefts, in->rows, in->rows, WIDTH);
  for (int i = 0; i < WIDTH && call->status == CUSOLVER_STATUS_SUCCESS; i++) {
    reduce_column(call, it, in, from, i);
    if (call->status == CUSOLVER_STATUS_SUCCESS)
      reduce_row(call, it, in, from, i);
  }
  vptr__solver_put(call, in->v, in->ld, corner, it->n, in->rows, WIDTH);
  vptr__solver_put(call, in->u, in->ld, vptr__solver_element(call, it->right, it->n, from, from), it->n, in->rows,
                   WIDTH);
  update_rest(call, it, in, from);
}

/* LAPACK's reflectors of P lie in rows. */
static void reduce_tail(vptr__solver_call *call, const vptr__solver_bidiagonal *it, int from) {
  const int left = it->n - from, ask = -1;
  const size_t size = vptr__solver_size(call->type), elements = (size_t)left * (size_t)left;
  void *corner = vptr__solver_element(call, it->a, it->n, from, from);
  void *d = vptr__solver_real_at(call, it->d, from), *e = vptr__solver_real_at(call, it->e, from);
  void *tauq = vptr__solver_element(call, it->tauq, 1, from, 0),
       *taup = vptr__solver_element(call, it->taup, 1, from, 0);
  double answer[2] = { 0, 0 };
  int info = 0;
  void *tail = vptr__solver_work(call, elements, size), *turned = vptr__solver_work(call, elements, size);
  gebrd[call->type](&left, &left, tail, &left, d, e, tauq, taup, answer, &ask, &info);
  const int room = vptr__solver_asked(call, answer);
  void *work = vptr__solver_work(call, (size_t)room, size);
  vptr__solver_get(call, tail, left, corner, it->n, left, left);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  gebrd[call->type](&left, &left, tail, &left, d, e, tauq, taup, work, &room, &info);
  vptr__solver_decomposition_turn(call, left, left, tail, left, turned, left);
  vptr__solver_put(call, tail, left, corner, it->n, left, left);
  vptr__solver_put(call, turned, left, vptr__solver_element(call, it->right, it->n, from, from), it->n, left, left);
}

void vptr__solver_bidiagonal_reduce(vptr__solver_call *call, const vptr__solver_bidiagonal *it, void *work) {
  const size_t size = vptr__solver_size(call->type), elements = (size_t)it->n * WIDTH;
  panel in = { .ld = it->n, .lefts = work, .rights = vptr__solver_element(call, work, it->n, 0, 2 * (int64_t)WIDTH) };
  in.v = vptr__solver_work(call, elements, size), in.x = vptr__solver_work(call, elements, size);
  in.u = vptr__solver_work(call, elements, size), in.y = vptr__solver_work(call, elements, size);
  in.row = vptr__solver_work(call, WIDTH, size);
  int from = 0;
  for (; it->n - from > TAIL + WIDTH && call->status == CUSOLVER_STATUS_SUCCESS; from += WIDTH)
    reduce_panel(call, it, &in, from);
  reduce_tail(call, it, from);
}
