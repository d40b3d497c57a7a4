/* SPDX-License-Identifier: MIT */
/*
 * reflectors - a block of reflectors in the work area, T, and products with I - V T V^H; see reflectors.h.
 *
 * No state, no locks. Called by eigen_panels.c, qr_panels.c, solve.c and svd_panels.c. It waits where T travels to
 * the host and back.
 */
#include "cusolver/reflectors.h"

#include "cusolver/blas.h"

#include <complex.h>

enum { SIDE = VPTR__SOLVER_PANEL };

int64_t vptr__solver_reflectors_room(int64_t other_side) {
  return 2 * SIDE * (SIDE + other_side);
}

vptr__solver_reflectors vptr__solver_reflectors_in(vptr__solver_call *call, void *work, int64_t other_side) {
  return (vptr__solver_reflectors){
    .head = work,
    .factor = vptr__solver_element(call, work, SIDE, 0, SIDE),
    .product = vptr__solver_element(call, work, SIDE, 0, 2 * SIDE),
    .other = vptr__solver_element(call, work, SIDE, 0, 2 * SIDE + other_side),
    .host = vptr__solver_work(call, SIDE * SIDE, vptr__solver_size(call->type)),
  };
}

/* ---- on the host, in a square of SIDE rows -------------------------------------------------------------------- */

/* V's first rows: ones on the diagonal, and zeros above. T of the inner products that lie above its diagonal. */
#define SQUARES(letter, T)                                                                                           \
  static void clean_head_##letter(int width, T *head) {                                                              \
    for (int j = 0; j < width; j++)                                                                                  \
      for (int i = 0; i <= j; i++)                                                                                   \
        head[i + j * SIDE] = i == j;                                                                                 \
  }                                                                                                                  \
  static void make_factor_##letter(int width, T *t, const T *tau) {                                                  \
    for (int i = 0; i < width; i++) {                                                                                \
      T *column = t + i * SIDE;                                                                                      \
      for (int j = 0; j < i; j++)                                                                                    \
        column[j] *= -tau[i];                                                                                        \
      for (int j = 0; j < i; j++) {                                                                                  \
        T sum = 0;                                                                                                   \
        for (int l = j; l < i; l++)                                                                                  \
          sum += t[j + l * SIDE] * column[l];                                                                        \
        column[j] = sum;                                                                                             \
      }                                                                                                              \
      column[i] = tau[i];                                                                                            \
      for (int j = i + 1; j < width; j++)                                                                            \
        column[j] = 0;                                                                                               \
    }                                                                                                                \
  }
SQUARES(s, float)
SQUARES(d, double)
SQUARES(c, float complex)
SQUARES(z, double complex)

static void clean_head(vptr__solver_type type, int width, void *head) {
  switch (type) {
  case VPTR__SOLVER_S:
    clean_head_s(width, head);
    break;
  case VPTR__SOLVER_D:
    clean_head_d(width, head);
    break;
  case VPTR__SOLVER_C:
    clean_head_c(width, head);
    break;
  default:
    clean_head_z(width, head);
    break;
  }
}

static void make_factor(vptr__solver_type type, int width, void *t, const void *tau) {
  switch (type) {
  case VPTR__SOLVER_S:
    make_factor_s(width, t, tau);
    break;
  case VPTR__SOLVER_D:
    make_factor_d(width, t, tau);
    break;
  case VPTR__SOLVER_C:
    make_factor_c(width, t, tau);
    break;
  default:
    make_factor_z(width, t, tau);
    break;
  }
}

/* ---- on the device -------------------------------------------------------------------------------------------- */

static const void *tail_of(const vptr__solver_call *call, const vptr__solver_reflectors *block) {
  return vptr__solver_element(call, block->v, block->ldv, block->width, 0);
}

void vptr__solver_reflectors_prepare(vptr__solver_call *call, vptr__solver_reflectors *block, const void *tau) {
  const int width = block->width;
  const void *tail = tail_of(call, block);
  vptr__solver_get(call, block->host, SIDE, block->v, block->ldv, width, width);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  clean_head(call->type, width, block->host);
  vptr__solver_put(call, block->host, SIDE, block->head, SIDE, width, width);
  vptr__solver_multiply(call, CUBLAS_OP_C, CUBLAS_OP_N, width, width, width, 1, block->head, SIDE, block->head, SIDE,
                        0, block->factor, SIDE);
  vptr__solver_multiply(call, CUBLAS_OP_C, CUBLAS_OP_N, width, width, block->rows - width, 1, tail, block->ldv, tail,
                        block->ldv, 1, block->factor, SIDE);
  vptr__solver_get(call, block->host, SIDE, block->factor, SIDE, width, width);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  make_factor(call->type, width, block->host, tau);
  vptr__solver_put(call, block->host, SIDE, block->factor, SIDE, width, width);
}

/* W = V^H C, and C - V op(T) W. */
static void apply_from_left(vptr__solver_call *call, const vptr__solver_reflectors *block, cublasOperation_t trans,
                            int64_t n, void *c, int64_t ldc) {
  const int width = block->width;
  const int64_t left = block->rows - width;
  const void *tail = tail_of(call, block);
  void *below = vptr__solver_element(call, c, ldc, width, 0);
  vptr__solver_multiply(call, CUBLAS_OP_C, CUBLAS_OP_N, width, n, width, 1, block->head, SIDE, c, ldc, 0,
                        block->product, SIDE);
  vptr__solver_multiply(call, CUBLAS_OP_C, CUBLAS_OP_N, width, n, left, 1, tail, block->ldv, below, ldc, 1,
                        block->product, SIDE);
  vptr__solver_multiply(call, trans, CUBLAS_OP_N, width, n, width, 1, block->factor, SIDE, block->product, SIDE, 0,
                        block->other, SIDE);
  vptr__solver_multiply(call, CUBLAS_OP_N, CUBLAS_OP_N, width, n, width, -1, block->head, SIDE, block->other, SIDE, 1,
                        c, ldc);
  vptr__solver_multiply(call, CUBLAS_OP_N, CUBLAS_OP_N, left, n, width, -1, tail, block->ldv, block->other, SIDE, 1,
                        below, ldc);
}

/* W = C V, and C - W op(T) V^H. */
static void apply_from_right(vptr__solver_call *call, const vptr__solver_reflectors *block, cublasOperation_t trans,
                             int64_t m, void *c, int64_t ldc) {
  const int width = block->width;
  const int64_t left = block->rows - width;
  const void *tail = tail_of(call, block);
  void *beside = vptr__solver_element(call, c, ldc, 0, width);
  vptr__solver_multiply(call, CUBLAS_OP_N, CUBLAS_OP_N, m, width, width, 1, c, ldc, block->head, SIDE, 0,
                        block->product, m);
  vptr__solver_multiply(call, CUBLAS_OP_N, CUBLAS_OP_N, m, width, left, 1, beside, ldc, tail, block->ldv, 1,
                        block->product, m);
  vptr__solver_multiply(call, CUBLAS_OP_N, trans, m, width, width, 1, block->product, m, block->factor, SIDE, 0,
                        block->other, m);
  vptr__solver_multiply(call, CUBLAS_OP_N, CUBLAS_OP_C, m, width, width, -1, block->other, m, block->head, SIDE, 1, c,
                        ldc);
  vptr__solver_multiply(call, CUBLAS_OP_N, CUBLAS_OP_C, m, left, width, -1, block->other, m, tail, block->ldv, 1,
                        beside, ldc);
}

void vptr__solver_reflectors_apply(vptr__solver_call *call, const vptr__solver_reflectors *block,
                                   cublasSideMode_t side, cublasOperation_t trans, int64_t other_side, void *c,
                                   int64_t ldc) {
  if (side == CUBLAS_SIDE_LEFT)
    apply_from_left(call, block, trans, other_side, c, ldc);
  else
    apply_from_right(call, block, trans, other_side, c, ldc);
}
