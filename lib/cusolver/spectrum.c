/* SPDX-License-Identifier: MIT */
/*
 * spectrum - LAPACK's syevd and heevd, sygvd and hegvd; see spectrum.h.
 *
 * No state, no locks. Called by eigen.c and eigen_batch.c. Nothing waits.
 */
#include "cusolver/spectrum.h"

#include "cusolver/factor.h"
#include "cusolver/lapack.h"

static vptr__lapack_syevd *const syevd[] = { ssyevd_, dsyevd_ };
static vptr__lapack_heevd *const heevd[] = { cheevd_, zheevd_ };
static vptr__lapack_sygvd *const sygvd[] = { ssygvd_, dsygvd_ };
static vptr__lapack_hegvd *const hegvd[] = { chegvd_, zhegvd_ };

void vptr__solver_spectrum_compute(vptr__solver_call *call, const vptr__solver_spectrum *it,
                                   const vptr__solver_spectrum_areas *in) {
  const char *job = it->jobz == CUSOLVER_EIG_MODE_VECTOR ? "V" : "N";
  const char *triangle = vptr__lapack_uplo(it->uplo == CUBLAS_FILL_MODE_LOWER);
  const bool is_complex = vptr__solver_is_complex(call->type);
  const int index = (int)call->type - (is_complex ? VPTR__SOLVER_C : 0);
  if (is_complex && it->b != NULL)
    hegvd[index](&it->itype, job, triangle, &it->n, it->a, &it->lda, it->b, &it->ldb, it->w, in->work, &in->room,
                 in->rwork, &in->real_room, in->iwork, &in->int_room, &call->info, 1, 1);
  else if (is_complex)
    heevd[index](job, triangle, &it->n, it->a, &it->lda, it->w, in->work, &in->room, in->rwork, &in->real_room,
                 in->iwork, &in->int_room, &call->info, 1, 1);
  else if (it->b != NULL)
    sygvd[index](&it->itype, job, triangle, &it->n, it->a, &it->lda, it->b, &it->ldb, it->w, in->work, &in->room,
                 in->iwork, &in->int_room, &call->info, 1, 1);
  else
    syevd[index](job, triangle, &it->n, it->a, &it->lda, it->w, in->work, &in->room, in->iwork, &in->int_room,
                 &call->info, 1, 1);
}

vptr__solver_spectrum_areas vptr__solver_spectrum_take(vptr__solver_call *call, const vptr__solver_spectrum *it) {
  double answer[2] = { 0, 0 }, real_answer = 0;
  int int_answer = 0;
  vptr__solver_spectrum_areas asked = { answer, &real_answer, &int_answer, -1, -1, -1 };
  vptr__solver_spectrum_compute(call, it, &asked);
  vptr__solver_spectrum_areas taken = { .room = vptr__solver_asked(call, answer),
                                        .real_room = vptr__solver_asked(call, &real_answer),
                                        .int_room = int_answer > 0 ? int_answer : 1 };
  taken.work = vptr__solver_work(call, (size_t)taken.room, vptr__solver_size(call->type));
  taken.rwork = vptr__solver_work(call, (size_t)taken.real_room, vptr__solver_real_size(call->type));
  taken.iwork = vptr__solver_work(call, (size_t)taken.int_room, sizeof(int));
  return taken;
}
