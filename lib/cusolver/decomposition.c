/* SPDX-License-Identifier: MIT */
/*
 * decomposition - LAPACK's gesvd; see decomposition.h.
 *
 * No state, no locks. Called by bidiagonal.c, generic_svd.c, svd.c, svd_batch.c and svd_panels.c. Nothing waits.
 */
#include "cusolver/decomposition.h"

#include "cusolver/factor.h"
#include "cusolver/lapack.h"

#include <string.h>

static vptr__lapack_gesvd *const gesvd[] = { sgesvd_, dgesvd_ };
static vptr__lapack_gesvd_complex *const gesvd_complex[] = { cgesvd_, zgesvd_ };

/* The unit matrix, of zeros and ones of the call's type. */
static void set_unit(const vptr__solver_call *call, int n, void *a, int ld) {
  const float one = 1;
  const double exact = 1;
  for (int j = 0; j < n; j++) {
    memset(vptr__solver_element(call, a, ld, 0, j), 0, (size_t)n * vptr__solver_size(call->type));
    if (vptr__solver_real_size(call->type) == sizeof one)
      memcpy(vptr__solver_element(call, a, ld, j, j), &one, sizeof one);
    else
      memcpy(vptr__solver_element(call, a, ld, j, j), &exact, sizeof exact);
  }
}

/* Of a matrix without elements LAPACK leaves the vectors as they were: any that are orthonormal will do. */
static void decompose_nothing(const vptr__solver_call *call, const vptr__solver_decomposition *it) {
  if (it->jobu == 'A')
    set_unit(call, it->m, it->u, it->ldu);
  if (it->jobvt == 'A')
    set_unit(call, it->n, it->vt, it->ldvt);
}

void vptr__solver_decomposition_compute(vptr__solver_call *call, const vptr__solver_decomposition *it,
                                        const vptr__solver_decomposition_areas *in) {
  if (in->room >= 0 && (it->m == 0 || it->n == 0))
    decompose_nothing(call, it);
  if (vptr__solver_is_complex(call->type))
    gesvd_complex[call->type - VPTR__SOLVER_C](&it->jobu, &it->jobvt, &it->m, &it->n, it->a, &it->lda, it->s, it->u,
                                               &it->ldu, it->vt, &it->ldvt, in->work, &in->room, in->rwork,
                                               &call->info, 1, 1);
  else
    gesvd[call->type](&it->jobu, &it->jobvt, &it->m, &it->n, it->a, &it->lda, it->s, it->u, &it->ldu, it->vt,
                      &it->ldvt, in->work, &in->room, &call->info, 1, 1);
}

/* cgesvd and zgesvd want five reals for each value. */
vptr__solver_decomposition_areas vptr__solver_decomposition_take(vptr__solver_call *call,
                                                                 const vptr__solver_decomposition *it) {
  double answer[2] = { 0, 0 };
  size_t values = (size_t)(it->m < it->n ? it->m : it->n);
  vptr__solver_decomposition_areas asked = { .work = answer, .room = -1 };
  asked.rwork = vptr__solver_work(call, 5 * values, vptr__solver_real_size(call->type));
  if (asked.rwork == NULL)
    return asked;
  vptr__solver_decomposition_compute(call, it, &asked);
  asked.room = vptr__solver_asked(call, answer);
  asked.work = vptr__solver_work(call, (size_t)asked.room, vptr__solver_size(call->type));
  return asked;
}

void vptr__solver_decomposition_turn(const vptr__solver_call *call, int rows, int n, const void *vt, int ldvt,
                                     void *v, int ldv) {
  size_t size = vptr__solver_size(call->type);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) {
      void *to = vptr__solver_element(call, v, ldv, j, i);
      memcpy(to, vptr__solver_element(call, vt, ldvt, i, j), size);
      if (call->type == VPTR__SOLVER_C)
        ((float *)to)[1] *= -1;
      else if (call->type == VPTR__SOLVER_Z)
        ((double *)to)[1] *= -1;
    }
}
