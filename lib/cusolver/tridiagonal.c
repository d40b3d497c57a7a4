/* SPDX-License-Identifier: MIT */
/*
 * tridiagonal - the reduction in panels of columns, as LAPACK's latrd has it; see tridiagonal.h.
 *
 * A panel is read. For each of its columns the host makes the reflector v, and the device A v, which is half of all the
 * work and all that reads the matrix: v goes there, and the product comes back. Of that the host makes w, so that the
 * matrix behind the panel becomes A - V W^H - W V^H, one product of the device's for a panel. The last columns, where
 * the way to the device and back would take longer than the work there, are LAPACK's as a whole.
 *
 * Constant; no locks. Called by eigen_panels.c. It waits for the stream, twice a column.
 */
#include "cusolver/tridiagonal.h"

#include "cusolver/blas.h"
#include "cusolver/columns.h"
#include "cusolver/factor.h"
#include "cusolver/lapack.h"
#include "cusolver/transfer.h"

#include <complex.h>
#include <string.h>

enum { WIDTH = 32, TAIL = 256 };

static vptr__lapack_larfg *const larfg[] = VPTR__LAPACK_ALL(larfg);
static vptr__lapack_sytrd *const sytrd[] = { ssytrd_, dsytrd_, chetrd_, zhetrd_ };

/* V and W, of the host's; a row of either, conjugated; and on the device V beside W, and W beside V. */
typedef struct panel {
  int rows, ld;
  void *v, *w, *row;
  void *both, *turned;
} panel;

int64_t vptr__solver_tridiagonal_room(int64_t n) {
  return 4 * WIDTH * n;
}

/* ---- on the host ---------------------------------------------------------------------------------------------- */

/* w = tau w, less what makes it orthogonal enough: tau v (w^H v) / 2. */
#define COLUMN(letter, T, CONJ)                                                                                      \
  static void center_##letter(int count, const void *vector, const void *factor, void *to) {                         \
    const T *v = vector, tau = *(const T *)factor;                                                                   \
    T *w = to, inner = 0;                                                                                            \
    for (int i = 0; i < count; i++) {                                                                                \
      w[i] *= tau;                                                                                                   \
      inner += CONJ(w[i]) * v[i];                                                                                    \
    }                                                                                                                \
    inner *= -tau / 2;                                                                                               \
    for (int i = 0; i < count; i++)                                                                                  \
      w[i] += inner * v[i];                                                                                          \
  }
COLUMN(s, float, )
COLUMN(d, double, )
COLUMN(c, float complex, conjf)
COLUMN(z, double complex, conj)

static void (*const center[])(int count, const void *vector, const void *factor, void *to) = { center_s, center_d,
                                                                                               center_c, center_z };

/* Column i as it is behind the reflectors before it. */
static void update_column(const vptr__solver_call *call, const panel *in, int i) {
  const int left = in->rows - i;
  void *v = vptr__solver_element(call, in->v, in->ld, i, 0), *w = vptr__solver_element(call, in->w, in->ld, i, 0);
  void *column = vptr__solver_element(call, in->v, in->ld, i, i);
  vptr__solver_columns_row(call, i, w, in->ld, in->row);
  vptr__solver_columns_subtract(call, left, i, v, in->ld, in->row, column);
  vptr__solver_columns_row(call, i, v, in->ld, in->row);
  vptr__solver_columns_subtract(call, left, i, w, in->ld, in->row, column);
}

/* w, of the product of the matrix as it was before the panel with v, which lies in w's place. */
static void finish_column(const vptr__solver_call *call, const panel *in, int i, const void *tau) {
  const int left = in->rows - i - 1;
  void *before = vptr__solver_element(call, in->v, in->ld, i + 1, 0);
  void *products = vptr__solver_element(call, in->w, in->ld, i + 1, 0);
  void *v = vptr__solver_element(call, in->v, in->ld, i + 1, i);
  void *w = vptr__solver_element(call, in->w, in->ld, i + 1, i);
  vptr__solver_columns_multiply(call, left, i, products, in->ld, v, in->row);
  vptr__solver_columns_subtract(call, left, i, before, in->ld, in->row, w);
  vptr__solver_columns_multiply(call, left, i, before, in->ld, v, in->row);
  vptr__solver_columns_subtract(call, left, i, products, in->ld, in->row, w);
  center[call->type](left, v, tau, w);
}

/* ---- on both -------------------------------------------------------------------------------------------------- */

/* Column i of the panel that begins in column `from` of A. */
static void reduce_column(vptr__solver_call *call, const vptr__solver_tridiagonal *it, const panel *in, int from,
                          int i) {
  const int left = in->rows - i - 1, step = 1;
  const size_t real = vptr__solver_real_size(call->type);
  void *column = vptr__solver_element(call, in->v, in->ld, i, i);
  void *v = vptr__solver_element(call, column, 1, 1, 0);
  void *tau = vptr__solver_element(call, it->tau, 1, from + i, 0);
  void *w = vptr__solver_element(call, in->w, in->ld, i + 1, i);
  update_column(call, in, i);
  memcpy(vptr__solver_real_at(call, it->d, from + i), column, real);
  larfg[call->type](&left, v, vptr__solver_element(call, v, 1, 1, 0), &step, tau);
  memcpy(vptr__solver_real_at(call, it->e, from + i), v, real);
  memcpy(v, vptr__solver_number(call, 1), vptr__solver_size(call->type));
  vptr__solver_put(call, v, left, in->both, left, left, 1);
  vptr__solver_multiply_vector(call, CUBLAS_OP_C, left, left,
                               vptr__solver_element(call, it->a, it->n, from + i + 1, from + i + 1), it->n, in->both,
                               in->turned);
  vptr__solver_get(call, w, left, in->turned, left, left, 1);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    finish_column(call, in, i, tau);
}

/* What is right of a panel and below it. */
static void update_rest(vptr__solver_call *call, const vptr__solver_tridiagonal *it, const panel *in, int from) {
  const int left = in->rows - WIDTH, next = from + WIDTH;
  void *both_w = vptr__solver_element(call, in->both, left, 0, WIDTH);
  void *turned_v = vptr__solver_element(call, in->turned, left, 0, WIDTH);
  vptr__solver_put(call, vptr__solver_element(call, in->v, in->ld, WIDTH, 0), in->ld, in->both, left, left, WIDTH);
  vptr__solver_put(call, vptr__solver_element(call, in->w, in->ld, WIDTH, 0), in->ld, both_w, left, left, WIDTH);
  vptr__solver_copy(call, in->both, left, turned_v, left, left, WIDTH);
  vptr__solver_copy(call, both_w, left, in->turned, left, left, WIDTH);
  vptr__solver_subtract_product(call, CUBLAS_OP_N, CUBLAS_OP_C, left, left, 2 * (int64_t)WIDTH, in->both, left,
                                in->turned, left, vptr__solver_element(call, it->a, it->n, next, next), it->n);
}

static void reduce_panel(vptr__solver_call *call, const vptr__solver_tridiagonal *it, panel *in, int from) {
  void *at = vptr__solver_element(call, it->a, it->n, from, from);
  in->rows = it->n - from;
  vptr__solver_get(call, in->v, in->ld, at, it->n, in->rows, WIDTH);
  for (int i = 0; i < WIDTH && call->status == CUSOLVER_STATUS_SUCCESS; i++)
    reduce_column(call, it, in, from, i);
  vptr__solver_put(call, in->v, in->ld, at, it->n, in->rows, WIDTH);
  update_rest(call, it, in, from);
}

static void reduce_tail(vptr__solver_call *call, const vptr__solver_tridiagonal *it, int from) {
  const int left = it->n - from, ask = -1;
  void *at = vptr__solver_element(call, it->a, it->n, from, from);
  void *d = vptr__solver_real_at(call, it->d, from), *e = vptr__solver_real_at(call, it->e, from);
  void *tau = vptr__solver_element(call, it->tau, 1, from, 0);
  double answer[2] = { 0, 0 };
  int info = 0;
  void *tail = vptr__solver_work(call, (size_t)left * (size_t)left, vptr__solver_size(call->type));
  sytrd[call->type]("L", &left, tail, &left, d, e, tau, answer, &ask, &info, 1);
  const int room = vptr__solver_asked(call, answer);
  void *work = vptr__solver_work(call, (size_t)room, vptr__solver_size(call->type));
  vptr__solver_get(call, tail, left, at, it->n, left, left);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    sytrd[call->type]("L", &left, tail, &left, d, e, tau, work, &room, &info, 1);
  vptr__solver_put(call, tail, left, at, it->n, left, left);
}

void vptr__solver_tridiagonal_reduce(vptr__solver_call *call, const vptr__solver_tridiagonal *it, void *work) {
  const size_t size = vptr__solver_size(call->type), elements = (size_t)it->n * WIDTH;
  panel in = { .ld = it->n, .both = work, .turned = vptr__solver_element(call, work, it->n, 0, 2 * (int64_t)WIDTH) };
  in.v = vptr__solver_work(call, elements, size);
  in.w = vptr__solver_work(call, elements, size);
  in.row = vptr__solver_work(call, WIDTH, size);
  int from = 0;
  for (; it->n - from > TAIL + WIDTH && call->status == CUSOLVER_STATUS_SUCCESS; from += WIDTH)
    reduce_panel(call, it, &in, from);
  reduce_tail(call, it, from);
}
