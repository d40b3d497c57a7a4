/* SPDX-License-Identifier: MIT */
/*
 * solve_names - gesv and gels by cuSOLVER's names, whose first letter is the type of A, B and X, and whose second one
 * the type of factors that it would refine: here all is computed in the first.
 *
 * No state, no locks. Called by programs. It waits for the stream.
 */
#include "cusolver/solve.h"

#define SOLVE(letters, T, type)                                                                                      \
  cusolverStatus_t cusolverDn##letters##gesv_bufferSize(                                                             \
      cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T *dA, cusolver_int_t ldda,                  \
      cusolver_int_t *dipiv, T *dB, cusolver_int_t lddb, T *dX, cusolver_int_t lddx, void *dWorkspace,               \
      size_t *lwork_bytes) {                                                                                         \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letters "gesv_bufferSize", handle, type);                \
    const vptr__solver_system it = { n, n, nrhs, ldda, lddb, lddx, dA, dB, dX, dipiv, dWorkspace, 0 };               \
    return vptr__solver_gesv_room(&call, &it, lwork_bytes);                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letters##gesv(cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs,       \
                                             T *dA, cusolver_int_t ldda, cusolver_int_t *dipiv, T *dB,               \
                                             cusolver_int_t lddb, T *dX, cusolver_int_t lddx, void *dWorkspace,      \
                                             size_t lwork_bytes, cusolver_int_t *iter, cusolver_int_t *d_info) {     \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letters "gesv", handle, type);                         \
    const vptr__solver_system it = { n, n, nrhs, ldda, lddb, lddx, dA, dB, dX, dipiv, dWorkspace, lwork_bytes };     \
    return vptr__solver_gesv(&call, &it, iter, d_info);                                                              \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letters##gels_bufferSize(                                                             \
      cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, T *dA,                     \
      cusolver_int_t ldda, T *dB, cusolver_int_t lddb, T *dX, cusolver_int_t lddx, void *dWorkspace,                 \
      size_t *lwork_bytes) {                                                                                         \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letters "gels_bufferSize", handle, type);                \
    const vptr__solver_system it = { m, n, nrhs, ldda, lddb, lddx, dA, dB, dX, NULL, dWorkspace, 0 };                \
    return vptr__solver_gels_room(&call, &it, lwork_bytes);                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letters##gels(cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n,          \
                                             cusolver_int_t nrhs, T *dA, cusolver_int_t ldda, T *dB,                 \
                                             cusolver_int_t lddb, T *dX, cusolver_int_t lddx, void *dWorkspace,      \
                                             size_t lwork_bytes, cusolver_int_t *iter, cusolver_int_t *d_info) {     \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letters "gels", handle, type);                         \
    const vptr__solver_system it = { m, n, nrhs, ldda, lddb, lddx, dA, dB, dX, NULL, dWorkspace, lwork_bytes };      \
    return vptr__solver_gels(&call, &it, iter, d_info);                                                              \
  }
SOLVE(SS, float, VPTR__SOLVER_S)
SOLVE(SH, float, VPTR__SOLVER_S)
SOLVE(SB, float, VPTR__SOLVER_S)
SOLVE(SX, float, VPTR__SOLVER_S)
SOLVE(DD, double, VPTR__SOLVER_D)
SOLVE(DS, double, VPTR__SOLVER_D)
SOLVE(DH, double, VPTR__SOLVER_D)
SOLVE(DB, double, VPTR__SOLVER_D)
SOLVE(DX, double, VPTR__SOLVER_D)
SOLVE(CC, cuComplex, VPTR__SOLVER_C)
SOLVE(CK, cuComplex, VPTR__SOLVER_C)
SOLVE(CE, cuComplex, VPTR__SOLVER_C)
SOLVE(CY, cuComplex, VPTR__SOLVER_C)
SOLVE(ZZ, cuDoubleComplex, VPTR__SOLVER_Z)
SOLVE(ZC, cuDoubleComplex, VPTR__SOLVER_Z)
SOLVE(ZK, cuDoubleComplex, VPTR__SOLVER_Z)
SOLVE(ZE, cuDoubleComplex, VPTR__SOLVER_Z)
SOLVE(ZY, cuDoubleComplex, VPTR__SOLVER_Z)
