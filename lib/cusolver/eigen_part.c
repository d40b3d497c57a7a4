/* SPDX-License-Identifier: MIT */
/*
 * eigen_part - a part of the eigenvalues of hermitian matrices, and of pairs of them: syevdx and heevdx, sygvdx and
 * hegvdx, by their numbers from 1 on or by bounds.
 *
 * Of W as many values are written as are found, and of A as many columns. How many there are is told on the host.
 *
 * No state, no locks. Called by programs. It waits for the stream.
 */
#include "cusolver/eigen.h"

static void require_part(vptr__solver_call *call, cusolverEigRange_t range, const void *found) {
  vptr__solver_require(call, (int)range != 0, "range is 0, and must be all, by numbers or by values");
  vptr__solver_require(call, found != NULL, "there is no place for the number of values");
}

static cusolverStatus_t tell_room(vptr__solver_call call, const vptr__solver_eigen *it, const int *meig, int *room) {
  require_part(&call, it->range, meig);
  return vptr__solver_eigen_tell(&call, it, room);
}

static cusolverStatus_t solve(vptr__solver_call call, vptr__solver_eigen it, int *meig, vptr__solver_area work,
                              int *info) {
  require_part(&call, it.range, meig);
  it.area = work;
  cusolverStatus_t status = vptr__solver_eigen_solve(&call, &it, info, NULL);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *meig = (int)it.found;
  return status;
}

static vptr__solver_call of_pair(vptr__solver_call call, cusolverEigType_t itype) {
  vptr__solver_require(&call, (int)itype != 0, "itype is 0, none of 1 to 3");
  return call;
}

#define PART(itype, jobz, range, uplo, n, A, lda, B, ldb, vl, vu, il, iu, W)                                         \
  {                                                                                                                  \
    (jobz), (uplo), (n), (lda), (void *)(uintptr_t)(A), (void *)(uintptr_t)(W), (itype), (ldb),                      \
        (void *)(uintptr_t)(B), (range), (vl), (vu), (il), (iu), .found = 0                                          \
  }

#define PARTS(name, T, R, type)                                                                                      \
  cusolverStatus_t cusolverDn##name##evdx_bufferSize(                                                                \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int n,     \
      const T *A, int lda, R vl, R vu, int il, int iu, int *meig, const R *W, int *lwork) {                          \
    vptr__solver_eigen it = PART((cusolverEigType_t)0, jobz, range, uplo, n, A, lda, NULL, 1, vl, vu, il, iu, W);    \
    return tell_room(vptr__solver_ask("cusolverDn" #name "evdx_bufferSize", handle, type), &it, meig, lwork);        \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##evdx(                                                                           \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int n,     \
      T *A, int lda, R vl, R vu, int il, int iu, int *meig, R *W, T *work, int lwork, int *info) {                   \
    vptr__solver_eigen it = PART((cusolverEigType_t)0, jobz, range, uplo, n, A, lda, NULL, 1, vl, vu, il, iu, W);    \
    return solve(vptr__solver_enter("cusolverDn" #name "evdx", handle, type), it, meig,                              \
                 ((vptr__solver_area){ work, lwork }), info);                                                        \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##gvdx_bufferSize(                                                                \
      cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cusolverEigRange_t range,          \
      cublasFillMode_t uplo, int n, const T *A, int lda, const T *B, int ldb, R vl, R vu, int il, int iu, int *meig, \
      const R *W, int *lwork) {                                                                                      \
    vptr__solver_eigen it = PART(itype, jobz, range, uplo, n, A, lda, B, ldb, vl, vu, il, iu, W);                    \
    return tell_room(of_pair(vptr__solver_ask("cusolverDn" #name "gvdx_bufferSize", handle, type), itype), &it,      \
                     meig, lwork);                                                                                   \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##name##gvdx(cusolverDnHandle_t handle, cusolverEigType_t itype,                        \
                                          cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,   \
                                          int n, T *A, int lda, T *B, int ldb, R vl, R vu, int il, int iu,           \
                                          int *meig, R *W, T *work, int lwork, int *info) {                          \
    vptr__solver_eigen it = PART(itype, jobz, range, uplo, n, A, lda, B, ldb, vl, vu, il, iu, W);                    \
    return solve(of_pair(vptr__solver_enter("cusolverDn" #name "gvdx", handle, type), itype), it, meig,              \
                 ((vptr__solver_area){ work, lwork }), info);                                                        \
  }
PARTS(Ssy, float, float, VPTR__SOLVER_S)
PARTS(Dsy, double, double, VPTR__SOLVER_D)
PARTS(Che, cuComplex, float, VPTR__SOLVER_C)
PARTS(Zhe, cuDoubleComplex, double, VPTR__SOLVER_Z)
