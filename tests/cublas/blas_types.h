/* SPDX-License-Identifier: MIT */
/*
 * blas_types - includes a file of tests, BLAS_TESTS, once for each type of BLAS, under names that say which.
 *
 * T is the type, R that of its parts; CU(verb) is cuBLAS's function, C(verb) CBLAS's; SCALAR(x) is how CBLAS takes a
 * factor; PARTS is how many numbers an element has.
 */
#define T float
#define R float
#define CU(verb) cublasS##verb
#define REF(verb) cblas_s##verb
#define NAMED(name) name##_s
#define LETTER "S"
#define SCALAR(x) (x)
#define PARTS 1
#define FILL fill_float
#define COMPARE compare_float
#define TOLERANCE 2e-5
#define MAKE(re, im) ((float)(re))
#include BLAS_TESTS
#undef T
#undef R
#undef CU
#undef REF
#undef NAMED
#undef LETTER
#undef FILL
#undef COMPARE
#undef TOLERANCE
#undef MAKE

#define T double
#define R double
#define CU(verb) cublasD##verb
#define REF(verb) cblas_d##verb
#define NAMED(name) name##_d
#define LETTER "D"
#define FILL fill_double
#define COMPARE compare_double
#define TOLERANCE 1e-12
#define MAKE(re, im) (re)
#include BLAS_TESTS
#undef T
#undef R
#undef CU
#undef REF
#undef NAMED
#undef LETTER
#undef SCALAR
#undef PARTS
#undef FILL
#undef COMPARE
#undef TOLERANCE
#undef MAKE

#define COMPLEX_TYPE 1
#define T cuComplex
#define R float
#define CU(verb) cublasC##verb
#define REF(verb) cblas_c##verb
#define NAMED(name) name##_c
#define LETTER "C"
#define SCALAR(x) (&(x))
#define PARTS 2
#define FILL fill_float
#define COMPARE compare_float
#define TOLERANCE 3e-5
#define MAKE(re, im) make_cuComplex((float)(re), (float)(im))
#include BLAS_TESTS
#undef T
#undef R
#undef CU
#undef REF
#undef NAMED
#undef LETTER
#undef FILL
#undef COMPARE
#undef TOLERANCE
#undef MAKE

#define T cuDoubleComplex
#define R double
#define CU(verb) cublasZ##verb
#define REF(verb) cblas_z##verb
#define NAMED(name) name##_z
#define LETTER "Z"
#define FILL fill_double
#define COMPARE compare_double
#define TOLERANCE 2e-12
#define MAKE(re, im) make_cuDoubleComplex(re, im)
#include BLAS_TESTS
#undef T
#undef R
#undef CU
#undef REF
#undef NAMED
#undef LETTER
#undef SCALAR
#undef PARTS
#undef FILL
#undef COMPARE
#undef TOLERANCE
#undef MAKE
