/* SPDX-License-Identifier: MIT */
/* qr - see qr.h. */
#include "qr.h"

#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <vptr/vptr.h>

#include "duel.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LAPACK's, as Fortran has them. */
void sgeqrf_(const int *m, const int *n, void *a, const int *lda, void *tau, void *work, const int *lwork, int *info);
void dgeqrf_(const int *m, const int *n, void *a, const int *lda, void *tau, void *work, const int *lwork, int *info);

enum { QUICK_MOST = 64 };

static const int shapes[][2] = { { 64, 64 }, { 256, 256 }, { 1024, 1024 }, { 4096, 128 } };
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* One matrix of one type, m by n, in columns without gaps. */
typedef struct job {
  duel *duel;
  cusolverDnHandle_t handle;
  bool is_wide;
  int m, n, room, device_room;
  size_t bytes;
  void *original, *a, *tau, *work; /* on the host */
  void *original_at, *a_at, *tau_at, *work_at;
  int *info_at;
} job;

/* ---- the measured calls ---------------------------------------------------------------------------------- */

static void factor(const job *it, void *a, void *work, int room, int *info) {
  (it->is_wide ? dgeqrf_ : sgeqrf_)(&it->m, &it->n, a, &it->m, it->tau, work, &room, info);
}

static bool qr_lapack(void *context) {
  const job *it = context;
  int info = 0;
  memcpy(it->a, it->original, it->bytes);
  factor(it, it->a, it->work, it->room, &info);
  return info == 0;
}

static bool qr_vptr(void *context) {
  const job *it = context;
  cusolverStatus_t status;
  if (cudaMemcpyAsync(it->a_at, it->original_at, it->bytes, cudaMemcpyDeviceToDevice, NULL) != cudaSuccess)
    return false;
  if (it->is_wide)
    status = cusolverDnDgeqrf(it->handle, it->m, it->n, it->a_at, it->m, it->tau_at, it->work_at, it->device_room,
                              it->info_at);
  else
    status = cusolverDnSgeqrf(it->handle, it->m, it->n, it->a_at, it->m, it->tau_at, it->work_at, it->device_room,
                              it->info_at);
  return status == CUSOLVER_STATUS_SUCCESS && cudaStreamSynchronize(NULL) == cudaSuccess;
}

/* ---- operands -------------------------------------------------------------------------------------------- */

static double element(const job *it, const void *of, int row, int column) {
  size_t at = (size_t)row + (size_t)column * (size_t)it->m;
  return it->is_wide ? ((const double *)of)[at] : (double)((const float *)of)[at];
}

/* What LAPACK wants of memory, and cuSOLVER. */
static bool ask_rooms(job *it) {
  double wide = 0;
  float narrow = 0;
  int info = 0;
  factor(it, it->a, it->is_wide ? (void *)&wide : (void *)&narrow, -1, &info);
  it->room = it->is_wide ? (int)wide : (int)narrow;
  cusolverStatus_t status =
      it->is_wide ? cusolverDnDgeqrf_bufferSize(it->handle, it->m, it->n, it->a_at, it->m, &it->device_room)
                  : cusolverDnSgeqrf_bufferSize(it->handle, it->m, it->n, it->a_at, it->m, &it->device_room);
  return info == 0 && status == CUSOLVER_STATUS_SUCCESS;
}

static bool make_operands(job *it) {
  size_t size = it->is_wide ? sizeof(double) : sizeof(float), least = (size_t)(it->m < it->n ? it->m : it->n);
  it->bytes = (size_t)it->m * (size_t)it->n * size;
  it->original = malloc(it->bytes);
  it->a = malloc(it->bytes);
  it->tau = malloc(least * size);
  if (it->original == NULL || it->a == NULL || it->tau == NULL)
    return false;
  random_fill(it->original, it->is_wide, (size_t)it->m * (size_t)it->n);
  if (cudaMalloc(&it->original_at, it->bytes) != cudaSuccess || cudaMalloc(&it->a_at, it->bytes) != cudaSuccess ||
      cudaMalloc(&it->tau_at, least * size) != cudaSuccess ||
      cudaMalloc((void **)&it->info_at, sizeof(int)) != cudaSuccess ||
      cudaMemcpy(it->original_at, it->original, it->bytes, cudaMemcpyHostToDevice) != cudaSuccess || !ask_rooms(it))
    return false;
  it->work = malloc((size_t)it->room * size);
  return it->work != NULL && cudaMalloc(&it->work_at, (size_t)it->device_room * size + 1) == cudaSuccess;
}

static void end_job(const job *it) {
  void *const here[] = { it->original, it->a, it->tau, it->work };
  void *const there[] = { it->original_at, it->a_at, it->tau_at, it->work_at, it->info_at };
  for (size_t i = 0; i < sizeof here / sizeof *here; i++)
    free(here[i]);
  for (size_t i = 0; i < sizeof there / sizeof *there; i++)
    cudaFree(there[i]);
}

/* Signs of a triangle's rows may differ. */
static bool is_right(const job *it) {
  double allowed = (it->is_wide ? 1e-10 : 1e-3) * sqrt((double)it->m);
  void *got = malloc(it->bytes);
  bool good = got != NULL && cudaMemcpy(got, it->a_at, it->bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int column = 0; column < it->n; column++)
    for (int row = 0; row <= column && row < it->m && good; row++)
      good = fabs(fabs(element(it, got, row, column)) - fabs(element(it, it->a, row, column))) <= allowed;
  free(got);
  return good;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static bool run_shape(duel *with, cusolverDnHandle_t handle, const int shape[2], bool is_wide) {
  job it = { .duel = with, .handle = handle, .is_wide = is_wide, .m = shape[0], .n = shape[1] };
  char name[64];
  snprintf(name, sizeof name, "cusolverDn%cgeqrf of %d by %d", is_wide ? 'D' : 'S', it.m, it.n);
  bool good = make_operands(&it) && qr_lapack(&it) && qr_vptr(&it);
  if (!good)
    fprintf(stderr, "vptr-bench: %s: %s\n", name, vptr_last_error());
  else if (!is_right(&it))
    fprintf(stderr, "vptr-bench: %s: the triangle is not LAPACK's\n", name), good = false;
  good =
      good &&
      duel_row(with,
               &(duel_work){ .what = name, .bytes = it.bytes, .bare = qr_lapack, .vptr = qr_vptr, .context = &it });
  end_job(&it);
  return good;
}

bool qr_run(const options *wanted) {
  duel with = { 0 };
  cusolverDnHandle_t handle = NULL;
  bool good = duel_begin(&with, wanted, "qr") && cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS;
  if (good)
    duel_report(&with, "call", 2 * SHAPES, "LAPACK's routine on the host; bytes: of the matrix");
  for (int is_wide = 0; is_wide < 2 && good; is_wide++) {
    report_gap(&with.report);
    for (int i = 0; i < SHAPES && good; i++)
      if (!wanted->quick || shapes[i][0] <= QUICK_MOST)
        good = run_shape(&with, handle, shapes[i], is_wide);
  }
  if (good)
    report_end(&with.report);
  if (handle != NULL)
    cusolverDnDestroy(handle);
  duel_end(&with);
  return good;
}
