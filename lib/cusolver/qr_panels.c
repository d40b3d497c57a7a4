/* SPDX-License-Identifier: MIT */
/*
 * qr_panels - QR of large matrices in panels of columns; see qr_panels.h.
 *
 * geqrf reads a panel, which LAPACK factors on the host, and writes it; what is right of it becomes Q^H times it on the
 * device. ormqr goes through the blocks of reflectors where they lie: of each, two squares of a panel's width travel.
 * orgqr puts the unit matrix in the place of each panel, from the last one to the first, and applies the panel's block,
 * of which it keeps a copy in the work area, to that and to what is right of it.
 *
 * No state, no locks. Called by eigen_panels.c, qr.c, solve.c and svd_panels.c. It waits for the stream.
 */
#include "cusolver/qr_panels.h"

#include "cusolver/lapack.h"
#include "cusolver/reflectors.h"
#include "cusolver/transfer.h"

static vptr__lapack_geqrf *const geqrf[] = VPTR__LAPACK_ALL(geqrf);

static int width_at(int64_t from, int64_t end) {
  return end - from < VPTR__SOLVER_PANEL ? (int)(end - from) : VPTR__SOLVER_PANEL;
}

/* Where the last panel of so many columns begins. */
static int64_t last_panel(int64_t columns) {
  return (columns - 1) / VPTR__SOLVER_PANEL * VPTR__SOLVER_PANEL;
}

/* ---- factors -------------------------------------------------------------------------------------------------- */

int64_t vptr__solver_geqrf_panels_room(int64_t n) {
  return vptr__solver_reflectors_room(n);
}

/* The host's: a panel, and LAPACK's work area. */
typedef struct host_panel {
  void *at, *work;
  int room;
} host_panel;

static host_panel take_panel(vptr__solver_call *call, int64_t m) {
  const int rows = (int)m, width = VPTR__SOLVER_PANEL, ask = -1;
  double answer[2] = { 0, 0 }, none[2] = { 0, 0 };
  int info = 0;
  geqrf[call->type](&rows, &width, none, &rows, none, answer, &ask, &info);
  host_panel taken = { .room = vptr__solver_asked(call, answer) };
  taken.at = vptr__solver_work(call, (size_t)m * VPTR__SOLVER_PANEL, vptr__solver_size(call->type));
  taken.work = vptr__solver_work(call, (size_t)taken.room, vptr__solver_size(call->type));
  return taken;
}

static void factor_panel(vptr__solver_call *call, const host_panel *panel, void *at, int64_t lda, int rows, int width,
                         void *tau) {
  int info = 0;
  vptr__solver_get(call, panel->at, rows, at, lda, rows, width);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  geqrf[call->type](&rows, &width, panel->at, &rows, tau, panel->work, &panel->room, &info);
  vptr__solver_put(call, panel->at, rows, at, lda, rows, width);
}

void vptr__solver_qr_factor(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda, void *tau,
                            void *work) {
  const int64_t reflectors = m < n ? m : n;
  host_panel panel = take_panel(call, m);
  vptr__solver_reflectors block = vptr__solver_reflectors_in(call, work, n);
  for (int64_t from = 0; from < reflectors && call->status == CUSOLVER_STATUS_SUCCESS; from += VPTR__SOLVER_PANEL) {
    const int64_t next = from + width_at(from, reflectors);
    void *at = vptr__solver_element(call, a, lda, from, from);
    void *own = vptr__solver_element(call, tau, 1, from, 0);
    block.v = at, block.ldv = lda, block.rows = m - from, block.width = (int)(next - from);
    factor_panel(call, &panel, at, lda, (int)block.rows, block.width, own);
    if (next >= n)
      break;
    vptr__solver_reflectors_prepare(call, &block, own);
    vptr__solver_reflectors_apply(call, &block, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, n - next,
                                  vptr__solver_element(call, a, lda, from, next), lda);
  }
}

cusolverStatus_t vptr__solver_geqrf_panels(vptr__solver_call *call, int64_t m, int64_t n, void *a, int64_t lda,
                                           void *tau, void *work) {
  vptr__solver_memory(call, "A", m, n, a, lda);
  vptr__solver_array *factors =
      vptr__solver_numbers(call, "tau", VPTR__SOLVER_WRITES, m < n ? m : n, vptr__solver_size(call->type), tau);
  if (vptr__solver_begin(call))
    vptr__solver_qr_factor(call, m, n, a, lda, factors->host, work);
  return vptr__solver_finish(call);
}

/* ---- products ------------------------------------------------------------------------------------------------- */

static int64_t other_side(const vptr__solver_qr_product *by) {
  return by->side == CUBLAS_SIDE_LEFT ? by->n : by->m;
}

int64_t vptr__solver_ormqr_panels_room(const vptr__solver_qr_product *by) {
  return vptr__solver_reflectors_room(other_side(by));
}

/* Q is H(1) H(2) ..., so Q C begins with the last block, and C Q with the first. */
void vptr__solver_qr_multiply(vptr__solver_call *call, const vptr__solver_qr_product *by, const void *a,
                              const void *tau, void *c, void *work) {
  const bool is_left = by->side == CUBLAS_SIDE_LEFT, is_forward = is_left != (by->trans == CUBLAS_OP_N);
  const int64_t order = is_left ? by->m : by->n, last = last_panel(by->k);
  vptr__solver_reflectors block = vptr__solver_reflectors_in(call, work, other_side(by));
  for (int64_t done = 0; done <= last && call->status == CUSOLVER_STATUS_SUCCESS; done += VPTR__SOLVER_PANEL) {
    const int64_t from = is_forward ? done : last - done;
    block.v = vptr__solver_element(call, a, by->lda, from, from), block.ldv = by->lda;
    block.rows = order - from, block.width = width_at(from, by->k);
    vptr__solver_reflectors_prepare(call, &block, vptr__solver_element(call, tau, 1, from, 0));
    vptr__solver_reflectors_apply(
        call, &block, by->side, by->trans == CUBLAS_OP_N ? CUBLAS_OP_N : CUBLAS_OP_C, other_side(by),
        vptr__solver_element(call, c, by->ldc, is_left ? from : 0, is_left ? 0 : from), by->ldc);
  }
}

cusolverStatus_t vptr__solver_ormqr_panels(vptr__solver_call *call, const vptr__solver_qr_product *by, const void *a,
                                           const void *tau, void *c, void *work) {
  vptr__solver_memory(call, "A", by->side == CUBLAS_SIDE_LEFT ? by->m : by->n, by->k, a, by->lda);
  vptr__solver_memory(call, "C", by->m, by->n, c, by->ldc);
  vptr__solver_array *factors =
      vptr__solver_numbers(call, "tau", VPTR__SOLVER_READS, by->k, vptr__solver_size(call->type), tau);
  if (vptr__solver_begin(call) && other_side(by) > 0)
    vptr__solver_qr_multiply(call, by, a, factors->host, c, work);
  return vptr__solver_finish(call);
}

/* ---- the columns of Q ----------------------------------------------------------------------------------------- */

int64_t vptr__solver_orgqr_panels_room(int64_t m, int64_t n) {
  return vptr__solver_reflectors_room(n) + m * VPTR__SOLVER_PANEL;
}

cusolverStatus_t vptr__solver_orgqr_panels(vptr__solver_call *call, int64_t m, int64_t n, int64_t k, void *a,
                                           int64_t lda, const void *tau, void *work) {
  void *copy = vptr__solver_element(call, work, 1, vptr__solver_reflectors_room(n), 0);
  vptr__solver_memory(call, "A", m, n, a, lda);
  vptr__solver_array *factors =
      vptr__solver_numbers(call, "tau", VPTR__SOLVER_READS, k, vptr__solver_size(call->type), tau);
  vptr__solver_reflectors block = vptr__solver_reflectors_in(call, work, n);
  void *ones = vptr__solver_ones(call, n);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  vptr__solver_unit(call, ones, a, lda, m, k, n);
  for (int64_t from = last_panel(k); from >= 0 && call->status == CUSOLVER_STATUS_SUCCESS;
       from -= VPTR__SOLVER_PANEL) {
    const int width = width_at(from, k);
    void *at = vptr__solver_element(call, a, lda, from, from);
    block.v = copy, block.ldv = m, block.rows = m - from, block.width = width;
    vptr__solver_copy(call, at, lda, copy, m, m - from, width);
    vptr__solver_reflectors_prepare(call, &block, vptr__solver_element(call, factors->host, 1, from, 0));
    vptr__solver_unit(call, ones, a, lda, m, from, from + width);
    vptr__solver_reflectors_apply(call, &block, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, n - from, at, lda);
  }
  return vptr__solver_finish(call);
}
