/* SPDX-License-Identifier: MIT */
/*
 * types - a function of cuSOLVER's for each of the four types: M(letter, T, R, type), R the type of the parts.
 */
#ifndef VPTR_CUSOLVER_TYPES_H
#define VPTR_CUSOLVER_TYPES_H

#define VPTR__SOLVER_FOR_ALL(M) \
  M(S, float, float, VPTR__SOLVER_S) \
  M(D, double, double, VPTR__SOLVER_D) \
  M(C, cuComplex, float, VPTR__SOLVER_C) \
  M(Z, cuDoubleComplex, double, VPTR__SOLVER_Z)

#endif
