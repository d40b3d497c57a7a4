/* SPDX-License-Identifier: MIT */
/*
 * legacy_calls - the functions of cublas.h that have a type in their names, for legacy.c alone. Called by programs.
 */
#ifndef VPTR_CUBLAS_LEGACY_CALLS_H
#define VPTR_CUBLAS_LEGACY_CALLS_H

/* The function of today, whose scalars are on the host. */
#define CALL(name, ...) keep_error(cublas##name##_v2(process_handle(), __VA_ARGS__))

/* ---- all types --------------------------------------------------------------------------------------------------- */

#define TRIANGLES(S, T, verb)                                                                                         \
  void cublas##S##tr##verb(char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx) {            \
    CALL(S##tr##verb, fill_of(uplo), operation_of(trans), diagonal_of(diag), n, A, lda, x, incx);                     \
  }                                                                                                                   \
  void cublas##S##tb##verb(char uplo, char trans, char diag, int n, int k, const T *A, int lda, T *x, int incx) {     \
    CALL(S##tb##verb, fill_of(uplo), operation_of(trans), diagonal_of(diag), n, k, A, lda, x, incx);                  \
  }                                                                                                                   \
  void cublas##S##tp##verb(char uplo, char trans, char diag, int n, const T *AP, T *x, int incx) {                    \
    CALL(S##tp##verb, fill_of(uplo), operation_of(trans), diagonal_of(diag), n, AP, x, incx);                         \
  }

#define ALL(S, T, type)                                                                                               \
  void cublas##S##axpy(int n, T alpha, const T *x, int incx, T *y, int incy) {                                        \
    CALL(S##axpy, n, &alpha, x, incx, y, incy);                                                                       \
  }                                                                                                                   \
  void cublas##S##copy(int n, const T *x, int incx, T *y, int incy) {                                                 \
    CALL(S##copy, n, x, incx, y, incy);                                                                               \
  }                                                                                                                   \
  void cublas##S##swap(int n, T *x, int incx, T *y, int incy) {                                                       \
    CALL(S##swap, n, x, incx, y, incy);                                                                               \
  }                                                                                                                   \
  void cublas##S##scal(int n, T alpha, T *x, int incx) {                                                              \
    CALL(S##scal, n, &alpha, x, incx);                                                                                \
  }                                                                                                                   \
  void cublas##S##gemv(char trans, int m, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,    \
                       int incy) {                                                                                    \
    CALL(S##gemv, operation_of(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy);                                \
  }                                                                                                                   \
  void cublas##S##gbmv(char trans, int m, int n, int kl, int ku, T alpha, const T *A, int lda, const T *x, int incx,  \
                       T beta, T *y, int incy) {                                                                      \
    CALL(S##gbmv, operation_of(trans), m, n, kl, ku, &alpha, A, lda, x, incx, &beta, y, incy);                        \
  }                                                                                                                   \
  TRIANGLES(S, T, mv)                                                                                                 \
  TRIANGLES(S, T, sv)                                                                                                 \
  void cublas##S##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *A, int lda, const T *B,       \
                       int ldb, T beta, T *C, int ldc) {                                                              \
    CALL(S##gemm, operation_of(transa), operation_of(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc);        \
  }                                                                                                                   \
  void cublas##S##symm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, int ldb,         \
                       T beta, T *C, int ldc) {                                                                       \
    CALL(S##symm, side_of(side), fill_of(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc);                         \
  }                                                                                                                   \
  void cublas##S##syrk(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, T beta, T *C, int ldc) {    \
    CALL(S##syrk, fill_of(uplo), operation_of(trans), n, k, &alpha, A, lda, &beta, C, ldc);                           \
  }                                                                                                                   \
  void cublas##S##syr2k(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, const T *B, int ldb,       \
                        T beta, T *C, int ldc) {                                                                      \
    CALL(S##syr2k, fill_of(uplo), operation_of(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc);                  \
  }                                                                                                                   \
  void cublas##S##trmm(char side, char uplo, char transa, char diag, int m, int n, T alpha, const T *A, int lda,      \
                       T *B, int ldb) {                                                                               \
    CALL(S##trmm, side_of(side), fill_of(uplo), operation_of(transa), diagonal_of(diag), m, n, &alpha, A, lda, B,     \
         ldb, B, ldb);                                                                                                \
  }                                                                                                                   \
  void cublas##S##trsm(char side, char uplo, char transa, char diag, int m, int n, T alpha, const T *A, int lda,      \
                       T *B, int ldb) {                                                                               \
    CALL(S##trsm, side_of(side), fill_of(uplo), operation_of(transa), diagonal_of(diag), m, n, &alpha, A, lda, B,     \
         ldb);                                                                                                        \
  }
VPTR__BLAS_FOR_ALL(ALL)

/* ---- results ----------------------------------------------------------------------------------------------------- */

#define RESULT(name, T, R)                                                                                            \
  R cublas##name(int n, const T *x, int incx) {                                                                       \
    R result = 0;                                                                                                     \
    CALL(name, n, x, incx, &result);                                                                                  \
    return result;                                                                                                    \
  }
#define SIZES(letters, T, R, type) RESULT(letters##asum, T, R) RESULT(letters##nrm2, T, R)
VPTR__BLAS_FOR_SIZES(SIZES)

#define PLACES(letter, T) RESULT(I##letter##amax, T, int) RESULT(I##letter##amin, T, int)
PLACES(s, float)
PLACES(d, double)
PLACES(c, cuComplex)
PLACES(z, cuDoubleComplex)

#define DOT(letter, verb, T, type, conjugates)                                                                        \
  T cublas##letter##verb(int n, const T *x, int incx, const T *y, int incy) {                                         \
    T result;                                                                                                         \
    memset(&result, 0, sizeof result);                                                                                \
    CALL(letter##verb, n, x, incx, y, incy, &result);                                                                 \
    return result;                                                                                                    \
  }
VPTR__BLAS_FOR_PAIRS(DOT, dot)

/* ---- rotations --------------------------------------------------------------------------------------------------- */

#define ROT(letters, T, R, S_T, type)                                                                                 \
  void cublas##letters##rot(int n, T *x, int incx, T *y, int incy, R c, S_T s) {                                      \
    CALL(letters##rot, n, x, incx, y, incy, &c, &s);                                                                  \
  }
VPTR__BLAS_FOR_FACTORS(ROT)

#define ROTM(S, T, type)                                                                                              \
  void cublas##S##rotg(T *a, T *b, T *c, T *s) {                                                                      \
    CALL(S##rotg, a, b, c, s);                                                                                        \
  }                                                                                                                   \
  void cublas##S##rotm(int n, T *x, int incx, T *y, int incy, const T *param) {                                       \
    CALL(S##rotm, n, x, incx, y, incy, param);                                                                        \
  }                                                                                                                   \
  void cublas##S##rotmg(T *d1, T *d2, T *x1, const T *y1, T *param) {                                                 \
    CALL(S##rotmg, d1, d2, x1, y1, param);                                                                            \
  }
VPTR__BLAS_FOR_REAL(ROTM)

void cublasCrotg(cuComplex *a, cuComplex b, float *c, cuComplex *s) {
  CALL(Crotg, a, &b, c, s);
}
void cublasZrotg(cuDoubleComplex *a, cuDoubleComplex b, double *c, cuDoubleComplex *s) {
  CALL(Zrotg, a, &b, c, s);
}
void cublasCsscal(int n, float alpha, cuComplex *x, int incx) {
  CALL(Csscal, n, &alpha, x, incx);
}
void cublasZdscal(int n, double alpha, cuDoubleComplex *x, int incx) {
  CALL(Zdscal, n, &alpha, x, incx);
}

/* ---- symmetric and hermitian matrices: letters of the verbs, and whether the one or the other -------------------- */

#define SYMMETRIC(S, T, R, sy, sb, sp)                                                                                \
  void cublas##S##sy##mv(char uplo, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,          \
                         int incy) {                                                                                  \
    CALL(S##sy##mv, fill_of(uplo), n, &alpha, A, lda, x, incx, &beta, y, incy);                                       \
  }                                                                                                                   \
  void cublas##S##sb##mv(char uplo, int n, int k, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,   \
                         int incy) {                                                                                  \
    CALL(S##sb##mv, fill_of(uplo), n, k, &alpha, A, lda, x, incx, &beta, y, incy);                                    \
  }                                                                                                                   \
  void cublas##S##sp##mv(char uplo, int n, T alpha, const T *AP, const T *x, int incx, T beta, T *y, int incy) {      \
    CALL(S##sp##mv, fill_of(uplo), n, &alpha, AP, x, incx, &beta, y, incy);                                           \
  }                                                                                                                   \
  void cublas##S##sy##r(char uplo, int n, R alpha, const T *x, int incx, T *A, int lda) {                             \
    CALL(S##sy##r, fill_of(uplo), n, &alpha, x, incx, A, lda);                                                        \
  }                                                                                                                   \
  void cublas##S##sp##r(char uplo, int n, R alpha, const T *x, int incx, T *AP) {                                     \
    CALL(S##sp##r, fill_of(uplo), n, &alpha, x, incx, AP);                                                            \
  }                                                                                                                   \
  void cublas##S##sy##r2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda) {      \
    CALL(S##sy##r2, fill_of(uplo), n, &alpha, x, incx, y, incy, A, lda);                                              \
  }                                                                                                                   \
  void cublas##S##sp##r2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *AP) {              \
    CALL(S##sp##r2, fill_of(uplo), n, &alpha, x, incx, y, incy, AP);                                                  \
  }
SYMMETRIC(S, float, float, sy, sb, sp)
SYMMETRIC(D, double, double, sy, sb, sp)
SYMMETRIC(C, cuComplex, float, he, hb, hp)
SYMMETRIC(Z, cuDoubleComplex, double, he, hb, hp)

#define GER(letter, verb, T, type, conjugates)                                                                        \
  void cublas##letter##verb(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda) {       \
    CALL(letter##verb, m, n, &alpha, x, incx, y, incy, A, lda);                                                       \
  }
VPTR__BLAS_FOR_PAIRS(GER, ger)

#define HERMITIAN(S, T, R)                                                                                            \
  void cublas##S##hemm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, int ldb,         \
                       T beta, T *C, int ldc) {                                                                       \
    CALL(S##hemm, side_of(side), fill_of(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc);                         \
  }                                                                                                                   \
  void cublas##S##herk(char uplo, char trans, int n, int k, R alpha, const T *A, int lda, R beta, T *C, int ldc) {    \
    CALL(S##herk, fill_of(uplo), operation_of(trans), n, k, &alpha, A, lda, &beta, C, ldc);                           \
  }                                                                                                                   \
  void cublas##S##her2k(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, const T *B, int ldb,       \
                        R beta, T *C, int ldc) {                                                                      \
    CALL(S##her2k, fill_of(uplo), operation_of(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc);                  \
  }
HERMITIAN(C, cuComplex, float)
HERMITIAN(Z, cuDoubleComplex, double)

#endif
