/* SPDX-License-Identifier: MIT */
/*
 * solver_types - includes the file SOLVER_TESTS for each type of numbers: T on the host, DT on the device, R of the
 * parts; NAME() makes names of the program's, FN() of cuSOLVER's. HERMITIAN is the letter that some functions have.
 * And what the tests of all types need: matrices at random, products, comparisons.
 */
#define COMMON "solver_type.h"

#define T float
#define DT float
#define R float
#define NAME(name) name##_s
#define FN(name) cusolverDnS##name
#define TRD(suffix) cusolverDnSsytrd##suffix
#define GTR(suffix) cusolverDnSorgtr##suffix
#define MTR(suffix) cusolverDnSormtr##suffix
#define GBR(suffix) cusolverDnSorgbr##suffix
#define SOLUTION(suffix) cusolverDnSS##suffix
#define MIXED(suffix) cusolverDnSH##suffix
#define ORGQR(suffix) cusolverDnSorgqr##suffix
#define ORMQR(suffix) cusolverDnSormqr##suffix
#define EIGEN(suffix) cusolverDnSsyev##suffix
#define PAIR(suffix) cusolverDnSsygv##suffix
#define DATA_TYPE CUDA_R_32F
#define REAL_TYPE CUDA_R_32F
#define CONJ(value) (value)
#define ADJOINT CUBLAS_OP_T
#define SIZE_OF(value) fabs((double)(value))
#define RANDOM ((float)random_real())
#define TOLERANCE 2e-5
#include COMMON
#include SOLVER_TESTS
#include "solver_undef.h"

#define T double
#define DT double
#define R double
#define NAME(name) name##_d
#define FN(name) cusolverDnD##name
#define TRD(suffix) cusolverDnDsytrd##suffix
#define GTR(suffix) cusolverDnDorgtr##suffix
#define MTR(suffix) cusolverDnDormtr##suffix
#define GBR(suffix) cusolverDnDorgbr##suffix
#define SOLUTION(suffix) cusolverDnDD##suffix
#define MIXED(suffix) cusolverDnDS##suffix
#define ORGQR(suffix) cusolverDnDorgqr##suffix
#define ORMQR(suffix) cusolverDnDormqr##suffix
#define EIGEN(suffix) cusolverDnDsyev##suffix
#define PAIR(suffix) cusolverDnDsygv##suffix
#define DATA_TYPE CUDA_R_64F
#define REAL_TYPE CUDA_R_64F
#define CONJ(value) (value)
#define ADJOINT CUBLAS_OP_T
#define SIZE_OF(value) fabs(value)
#define RANDOM random_real()
#define TOLERANCE 1e-12
#include COMMON
#include SOLVER_TESTS
#include "solver_undef.h"

#define T float complex
#define DT cuComplex
#define R float
#define NAME(name) name##_c
#define FN(name) cusolverDnC##name
#define TRD(suffix) cusolverDnChetrd##suffix
#define GTR(suffix) cusolverDnCungtr##suffix
#define MTR(suffix) cusolverDnCunmtr##suffix
#define GBR(suffix) cusolverDnCungbr##suffix
#define SOLUTION(suffix) cusolverDnCC##suffix
#define MIXED(suffix) cusolverDnCK##suffix
#define ORGQR(suffix) cusolverDnCungqr##suffix
#define ORMQR(suffix) cusolverDnCunmqr##suffix
#define EIGEN(suffix) cusolverDnCheev##suffix
#define PAIR(suffix) cusolverDnChegv##suffix
#define DATA_TYPE CUDA_C_32F
#define REAL_TYPE CUDA_R_32F
#define CONJ(value) conjf(value)
#define ADJOINT CUBLAS_OP_C
#define SIZE_OF(value) (double)cabsf(value)
#define RANDOM ((float)random_real() + (float)random_real() * (float complex)I)
#define TOLERANCE 2e-5
#include COMMON
#include SOLVER_TESTS
#include "solver_undef.h"

#define T double complex
#define DT cuDoubleComplex
#define R double
#define NAME(name) name##_z
#define FN(name) cusolverDnZ##name
#define TRD(suffix) cusolverDnZhetrd##suffix
#define GTR(suffix) cusolverDnZungtr##suffix
#define MTR(suffix) cusolverDnZunmtr##suffix
#define GBR(suffix) cusolverDnZungbr##suffix
#define SOLUTION(suffix) cusolverDnZZ##suffix
#define MIXED(suffix) cusolverDnZC##suffix
#define ORGQR(suffix) cusolverDnZungqr##suffix
#define ORMQR(suffix) cusolverDnZunmqr##suffix
#define EIGEN(suffix) cusolverDnZheev##suffix
#define PAIR(suffix) cusolverDnZhegv##suffix
#define DATA_TYPE CUDA_C_64F
#define REAL_TYPE CUDA_R_64F
#define CONJ(value) conj(value)
#define ADJOINT CUBLAS_OP_C
#define SIZE_OF(value) cabs(value)
#define RANDOM (random_real() + random_real() * (double complex)I)
#define TOLERANCE 1e-12
#include COMMON
#include SOLVER_TESTS
#include "solver_undef.h"
