/* SPDX-License-Identifier: MIT */
/*
 * types - the types of BLAS as lists, for macros that define a function for each of them.
 *
 * A macro gets the letters that stand in the function's name, the type of elements, others that the list is about, and
 * the type's number (call.h). Where names differ by type, the list makes them of a verb.
 */
#ifndef VPTR_CUBLAS_TYPES_H
#define VPTR_CUBLAS_TYPES_H

/* M(letter, T, type) */
#define VPTR__BLAS_FOR_REAL(M) M(S, float, VPTR__BLAS_S) M(D, double, VPTR__BLAS_D)
#define VPTR__BLAS_FOR_ALL(M) \
  VPTR__BLAS_FOR_REAL(M) M(C, cuComplex, VPTR__BLAS_C) M(Z, cuDoubleComplex, VPTR__BLAS_Z)

/* M(letters, T, R, type), R of the parts: names of results that are real, asum and nrm2. */
#define VPTR__BLAS_FOR_SIZES(M) \
  M(S, float, float, VPTR__BLAS_S) M(D, double, double, VPTR__BLAS_D) \
  M(Sc, cuComplex, float, VPTR__BLAS_C) M(Dz, cuDoubleComplex, double, VPTR__BLAS_Z)

/* M(letters, T, R, A, type), A of a factor: of a complex vector's a real one, too. */
#define VPTR__BLAS_FOR_FACTORS(M) \
  M(S, float, float, float, VPTR__BLAS_S) M(D, double, double, double, VPTR__BLAS_D) \
  M(C, cuComplex, float, cuComplex, VPTR__BLAS_C) M(Z, cuDoubleComplex, double, cuDoubleComplex, VPTR__BLAS_Z) \
  M(Cs, cuComplex, float, float, VPTR__BLAS_C) M(Zd, cuDoubleComplex, double, double, VPTR__BLAS_Z)

/* M(letter, verb, T, type, conjugates): products of two vectors; of complex ones verb##u, and verb##c conjugates. */
#define VPTR__BLAS_FOR_PAIRS(M, verb) \
  M(S, verb, float, VPTR__BLAS_S, false) M(D, verb, double, VPTR__BLAS_D, false) \
  M(C, verb##u, cuComplex, VPTR__BLAS_C, false) M(Z, verb##u, cuDoubleComplex, VPTR__BLAS_Z, false) \
  M(C, verb##c, cuComplex, VPTR__BLAS_C, true) M(Z, verb##c, cuDoubleComplex, VPTR__BLAS_Z, true)

/* M(letter, verb, T, R, type, is_hermitian), R of factors that are real where the matrix is hermitian: sy##verb of all
 * types and he##verb of complex ones; and, of matrices that are bands or packed, s##verb of real types and h##verb. */
#define VPTR__BLAS_FOR_HERMITIAN(M, verb) \
  M(C, verb, cuComplex, float, VPTR__BLAS_C, true) M(Z, verb, cuDoubleComplex, double, VPTR__BLAS_Z, true)
#define VPTR__BLAS_FOR_SYMMETRIC(M, verb) \
  M(S, sy##verb, float, float, VPTR__BLAS_S, false) M(D, sy##verb, double, double, VPTR__BLAS_D, false) \
  M(C, sy##verb, cuComplex, cuComplex, VPTR__BLAS_C, false) \
  M(Z, sy##verb, cuDoubleComplex, cuDoubleComplex, VPTR__BLAS_Z, false) VPTR__BLAS_FOR_HERMITIAN(M, he##verb)
#define VPTR__BLAS_FOR_STORED(M, verb) \
  M(S, s##verb, float, float, VPTR__BLAS_S, false) M(D, s##verb, double, double, VPTR__BLAS_D, false) \
  VPTR__BLAS_FOR_HERMITIAN(M, h##verb)

#endif
