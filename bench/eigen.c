/* SPDX-License-Identifier: MIT */
/* eigen - see eigen.h. */
#include "eigen.h"

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
typedef void lapack_syevd(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w,
                          void *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t);
lapack_syevd ssyevd_, dsyevd_;

typedef void lapack_gesvd(const char *jobu, const char *jobvt, const int *m, const int *n, void *a, const int *lda,
                          void *s, void *u, const int *ldu, void *vt, const int *ldvt, void *work, const int *lwork,
                          int *info, size_t, size_t);
lapack_gesvd sgesvd_, dgesvd_;

enum { QUICK_MOST = 64 };

static const int orders[] = { 64, 512, 1024 };
enum { ORDERS = sizeof orders / sizeof *orders, KINDS = 8 };

/* One matrix of one type, n by n, in columns without gaps; its eigenvalues, or its singular values, with vectors or
 * without. */
typedef struct job {
  cusolverDnHandle_t handle;
  bool is_wide, has_vectors, is_singular;
  int n, room, int_room, device_room;
  size_t bytes, size;
  void *original, *a, *w, *u, *vt, *work, *got; /* on the host */
  int *int_work;
  void *original_at, *a_at, *w_at, *u_at, *vt_at, *work_at;
  int *info_at;
} job;

/* ---- the measured calls ---------------------------------------------------------------------------------- */

static void solve(const job *it, void *work, int room, int *int_work, int int_room, int *info) {
  const char *vectors = it->has_vectors ? "A" : "N";
  if (it->is_singular) {
    (it->is_wide ? dgesvd_ : sgesvd_)(vectors, vectors, &it->n, &it->n, it->a, &it->n, it->w, it->u, &it->n, it->vt,
                                      &it->n, work, &room, info, 1, 1);
    return;
  }
  (it->is_wide ? dsyevd_ : ssyevd_)(it->has_vectors ? "V" : "N", "L", &it->n, it->a, &it->n, it->w, work, &room,
                                    int_work, &int_room, info, 1, 1);
}

static bool eigen_lapack(void *context) {
  const job *it = context;
  int info = 0;
  memcpy(it->a, it->original, it->bytes);
  solve(it, it->work, it->room, it->int_work, it->int_room, &info);
  return info == 0;
}

static cusolverEigMode_t mode_of(const job *it) {
  return it->has_vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
}

static cusolverStatus_t find_singular(const job *it) {
  const signed char vectors = it->has_vectors ? 'A' : 'N';
  if (it->is_wide)
    return cusolverDnDgesvd(it->handle, vectors, vectors, it->n, it->n, it->a_at, it->n, it->w_at, it->u_at, it->n,
                            it->vt_at, it->n, it->work_at, it->device_room, NULL, it->info_at);
  return cusolverDnSgesvd(it->handle, vectors, vectors, it->n, it->n, it->a_at, it->n, it->w_at, it->u_at, it->n,
                          it->vt_at, it->n, it->work_at, it->device_room, NULL, it->info_at);
}

static bool eigen_vptr(void *context) {
  const job *it = context;
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  cusolverStatus_t status;
  if (cudaMemcpyAsync(it->a_at, it->original_at, it->bytes, cudaMemcpyDeviceToDevice, NULL) != cudaSuccess)
    return false;
  if (it->is_singular)
    status = find_singular(it);
  else if (it->is_wide)
    status = cusolverDnDsyevd(it->handle, mode_of(it), lower, it->n, it->a_at, it->n, it->w_at, it->work_at,
                              it->device_room, it->info_at);
  else
    status = cusolverDnSsyevd(it->handle, mode_of(it), lower, it->n, it->a_at, it->n, it->w_at, it->work_at,
                              it->device_room, it->info_at);
  return status == CUSOLVER_STATUS_SUCCESS && cudaStreamSynchronize(NULL) == cudaSuccess;
}

/* ---- operands -------------------------------------------------------------------------------------------- */

static double number(const job *it, const void *of, size_t i) {
  return it->is_wide ? ((const double *)of)[i] : (double)((const float *)of)[i];
}

/* What LAPACK wants of memory, and cuSOLVER. A float does not hold each number of elements. */
static bool ask_rooms(job *it) {
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  double answer[2] = { 0, 0 };
  int info = 0;
  solve(it, answer, -1, &it->int_room, -1, &info);
  it->room = (int)(number(it, answer, 0) * 1.001) + 1;
  if (it->is_singular) {
    it->int_room = 1;
    return info == 0 && (it->is_wide ? cusolverDnDgesvd_bufferSize : cusolverDnSgesvd_bufferSize)(
                            it->handle, it->n, it->n, &it->device_room) == CUSOLVER_STATUS_SUCCESS;
  }
  cusolverStatus_t status = it->is_wide ? cusolverDnDsyevd_bufferSize(it->handle, mode_of(it), lower, it->n, it->a_at,
                                                                      it->n, it->w_at, &it->device_room)
                                        : cusolverDnSsyevd_bufferSize(it->handle, mode_of(it), lower, it->n, it->a_at,
                                                                      it->n, it->w_at, &it->device_room);
  return info == 0 && status == CUSOLVER_STATUS_SUCCESS;
}

static bool make_operands(job *it) {
  const size_t values = (size_t)it->n * it->size;
  it->bytes = (size_t)it->n * values;
  it->original = malloc(it->bytes), it->a = malloc(it->bytes);
  it->w = malloc(values), it->got = malloc(values);
  it->u = malloc(it->bytes), it->vt = malloc(it->bytes);
  if (it->u == NULL || it->vt == NULL || it->original == NULL || it->a == NULL || it->w == NULL || it->got == NULL)
    return false;
  random_fill(it->original, it->is_wide, (size_t)it->n * (size_t)it->n); /* both read a triangle alone */
  if (cudaMalloc(&it->original_at, it->bytes) != cudaSuccess || cudaMalloc(&it->a_at, it->bytes) != cudaSuccess ||
      cudaMalloc(&it->w_at, values) != cudaSuccess || cudaMalloc(&it->u_at, it->bytes) != cudaSuccess ||
      cudaMalloc(&it->vt_at, it->bytes) != cudaSuccess ||
      cudaMalloc((void **)&it->info_at, sizeof(int)) != cudaSuccess ||
      cudaMemcpy(it->original_at, it->original, it->bytes, cudaMemcpyHostToDevice) != cudaSuccess || !ask_rooms(it))
    return false;
  it->work = malloc((size_t)it->room * it->size);
  it->int_work = malloc((size_t)it->int_room * sizeof(int));
  return it->work != NULL && it->int_work != NULL &&
         cudaMalloc(&it->work_at, (size_t)it->device_room * it->size) == cudaSuccess;
}

static void end_job(const job *it) {
  void *const here[] = { it->original, it->a, it->w, it->u, it->vt, it->got, it->work, it->int_work };
  void *const there[] = { it->original_at, it->a_at, it->w_at, it->u_at, it->vt_at, it->work_at, it->info_at };
  for (size_t i = 0; i < sizeof here / sizeof *here; i++)
    free(here[i]);
  for (size_t i = 0; i < sizeof there / sizeof *there; i++)
    cudaFree(there[i]);
}

static bool is_right(const job *it) {
  const double allowed = (it->is_wide ? 1e-11 : 1e-3) * sqrt((double)it->n);
  bool good = cudaMemcpy(it->got, it->w_at, (size_t)it->n * it->size, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (size_t i = 0; i < (size_t)it->n && good; i++)
    good = fabs(number(it, it->got, i) - number(it, it->w, i)) <= allowed;
  return good;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

/* Of the kind: bit 0 is vectors, bit 1 double, bit 2 singular values. */
static bool run_order(duel *with, cusolverDnHandle_t handle, int n, int kind) {
  job it = { .handle = handle, .is_wide = kind & 2, .has_vectors = kind & 1, .is_singular = kind & 4, .n = n };
  char name[64];
  it.size = it.is_wide ? sizeof(double) : sizeof(float);
  snprintf(name, sizeof name, "cusolverDn%c%s of %d, %s", it.is_wide ? 'D' : 'S', it.is_singular ? "gesvd" : "syevd",
           n, it.has_vectors ? "vectors" : "values alone");
  bool good = make_operands(&it) && eigen_lapack(&it) && eigen_vptr(&it);
  if (!good)
    fprintf(stderr, "vptr-bench: %s: %s\n", name, vptr_last_error());
  else if (!is_right(&it))
    fprintf(stderr, "vptr-bench: %s: the values are not LAPACK's\n", name), good = false;
  good =
      good &&
      duel_row(with, &(duel_work){
                         .what = name, .bytes = it.bytes, .bare = eigen_lapack, .vptr = eigen_vptr, .context = &it });
  end_job(&it);
  return good;
}

bool eigen_run(const options *wanted) {
  duel with = { 0 };
  cusolverDnHandle_t handle = NULL;
  bool good = duel_begin(&with, wanted, "eigen") && cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS;
  if (good)
    duel_report(&with, "call", KINDS * ORDERS, "LAPACK's routine on the host; bytes: of the matrix");
  for (int kind = 0; kind < KINDS && good; kind++) {
    report_gap(&with.report);
    for (int i = 0; i < ORDERS && good; i++)
      if (!wanted->quick || orders[i] <= QUICK_MOST)
        good = run_order(&with, handle, orders[i], kind);
  }
  if (good)
    report_end(&with.report);
  if (handle != NULL)
    cusolverDnDestroy(handle);
  duel_end(&with);
  return good;
}
