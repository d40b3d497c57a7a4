/* SPDX-License-Identifier: MIT */
/*
 * legacy_calls - the functions of cublas.h that have a type in their names, for legacy.c alone. Called by programs.
 */
#ifndef VPTR_CUBLAS_LEGACY_CALLS_H
#define VPTR_CUBLAS_LEGACY_CALLS_H

#define CALL(letter, verb, ...) keep_error(vptr__blas_##verb("cublas" #letter #verb, process_handle(), __VA_ARGS__))
#define NAMED_CALL(name, verb, ...) keep_error(vptr__blas_##verb(name, process_handle(), __VA_ARGS__))

/* ---- all types --------------------------------------------------------------------------------------------------- */

#define TRIANGLES(S, T, type, verb, solves)                                                                           \
  void cublas##S##tr##verb(char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx) {            \
    NAMED_CALL("cublas" #S "tr" #verb, trmv, type, VPTR__BLAS_COLUMNS, solves, fill_of(uplo), operation_of(trans),    \
               diagonal_of(diag), n, 0, A, lda, x, incx);                                                             \
  }                                                                                                                   \
  void cublas##S##tb##verb(char uplo, char trans, char diag, int n, int k, const T *A, int lda, T *x, int incx) {     \
    NAMED_CALL("cublas" #S "tb" #verb, trmv, type, VPTR__BLAS_BAND, solves, fill_of(uplo), operation_of(trans),       \
               diagonal_of(diag), n, k, A, lda, x, incx);                                                             \
  }                                                                                                                   \
  void cublas##S##tp##verb(char uplo, char trans, char diag, int n, const T *AP, T *x, int incx) {                    \
    NAMED_CALL("cublas" #S "tp" #verb, trmv, type, VPTR__BLAS_PACKED, solves, fill_of(uplo), operation_of(trans),     \
               diagonal_of(diag), n, 0, AP, 1, x, incx);                                                              \
  }

#define ALL(S, T, type)                                                                                               \
  void cublas##S##axpy(int n, T alpha, const T *x, int incx, T *y, int incy) {                                        \
    CALL(S, axpy, type, n, &alpha, x, incx, y, incy);                                                                 \
  }                                                                                                                   \
  void cublas##S##copy(int n, const T *x, int incx, T *y, int incy) { CALL(S, copy, type, n, x, incx, y, incy); }     \
  void cublas##S##swap(int n, T *x, int incx, T *y, int incy) { CALL(S, swap, type, n, x, incx, y, incy); }           \
  void cublas##S##scal(int n, T alpha, T *x, int incx) { CALL(S, scal, type, false, n, &alpha, x, incx); }            \
  void cublas##S##gemv(char trans, int m, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,    \
                       int incy) {                                                                                    \
    CALL(S, gemv, type, operation_of(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy);                          \
  }                                                                                                                   \
  void cublas##S##gbmv(char trans, int m, int n, int kl, int ku, T alpha, const T *A, int lda, const T *x, int incx,  \
                       T beta, T *y, int incy) {                                                                      \
    CALL(S, gbmv, type, operation_of(trans), m, n, kl, ku, &alpha, A, lda, x, incx, &beta, y, incy);                  \
  }                                                                                                                   \
  TRIANGLES(S, T, type, mv, false)                                                                                    \
  TRIANGLES(S, T, type, sv, true)                                                                                     \
  void cublas##S##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *A, int lda, const T *B,       \
                       int ldb, T beta, T *C, int ldc) {                                                              \
    CALL(S, gemm, type, operation_of(transa), operation_of(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc);  \
  }                                                                                                                   \
  void cublas##S##symm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, int ldb, T beta, \
                       T *C, int ldc) {                                                                               \
    CALL(S, symm, type, VPTR__BLAS_SAME, side_of(side), fill_of(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc);  \
  }                                                                                                                   \
  void cublas##S##syrk(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, T beta, T *C, int ldc) {    \
    CALL(S, syrk, type, VPTR__BLAS_RANK_K, false, fill_of(uplo), operation_of(trans), n, k, &alpha, A, lda, NULL, 0,  \
         &beta, C, ldc);                                                                                              \
  }                                                                                                                   \
  void cublas##S##syr2k(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, const T *B, int ldb,       \
                        T beta, T *C, int ldc) {                                                                      \
    NAMED_CALL("cublas" #S "syr2k", syrk, type, VPTR__BLAS_RANK_2K, false, fill_of(uplo), operation_of(trans), n, k,  \
               &alpha, A, lda, B, ldb, &beta, C, ldc);                                                                \
  }                                                                                                                   \
  void cublas##S##trmm(char side, char uplo, char transa, char diag, int m, int n, T alpha, const T *A, int lda,      \
                       T *B, int ldb) {                                                                               \
    CALL(S, trmm, type, side_of(side), fill_of(uplo), operation_of(transa), diagonal_of(diag), m, n, &alpha, A, lda,  \
         B, ldb, B, ldb);                                                                                             \
  }                                                                                                                   \
  void cublas##S##trsm(char side, char uplo, char transa, char diag, int m, int n, T alpha, const T *A, int lda,      \
                       T *B, int ldb) {                                                                               \
    CALL(S, trsm, type, side_of(side), fill_of(uplo), operation_of(transa), diagonal_of(diag), m, n, &alpha, A, lda,  \
         B, ldb);                                                                                                     \
  }
ALL(S, float, VPTR__BLAS_S)
ALL(D, double, VPTR__BLAS_D)
ALL(C, cuComplex, VPTR__BLAS_C)
ALL(Z, cuDoubleComplex, VPTR__BLAS_Z)

/* ---- results ----------------------------------------------------------------------------------------------------- */

#define RESULT(name, T, R, type, verb)                                                                                \
  R name(int n, const T *x, int incx) {                                                                               \
    R result = 0;                                                                                                     \
    NAMED_CALL(#name, verb, type, n, x, incx, &result);                                                               \
    return result;                                                                                                    \
  }
RESULT(cublasSnrm2, float, float, VPTR__BLAS_S, nrm2)
RESULT(cublasDnrm2, double, double, VPTR__BLAS_D, nrm2)
RESULT(cublasScnrm2, cuComplex, float, VPTR__BLAS_C, nrm2)
RESULT(cublasDznrm2, cuDoubleComplex, double, VPTR__BLAS_Z, nrm2)
RESULT(cublasSasum, float, float, VPTR__BLAS_S, asum)
RESULT(cublasDasum, double, double, VPTR__BLAS_D, asum)
RESULT(cublasScasum, cuComplex, float, VPTR__BLAS_C, asum)
RESULT(cublasDzasum, cuDoubleComplex, double, VPTR__BLAS_Z, asum)

#define EXTREME(name, T, type, turns)                                                                                 \
  int name(int n, const T *x, int incx) {                                                                             \
    int result = 0;                                                                                                   \
    NAMED_CALL(#name, extreme, type, turns, n, x, incx, &result, false);                                              \
    return result;                                                                                                    \
  }
EXTREME(cublasIsamax, float, VPTR__BLAS_S, 1)
EXTREME(cublasIdamax, double, VPTR__BLAS_D, 1)
EXTREME(cublasIcamax, cuComplex, VPTR__BLAS_C, 1)
EXTREME(cublasIzamax, cuDoubleComplex, VPTR__BLAS_Z, 1)
EXTREME(cublasIsamin, float, VPTR__BLAS_S, -1)
EXTREME(cublasIdamin, double, VPTR__BLAS_D, -1)
EXTREME(cublasIcamin, cuComplex, VPTR__BLAS_C, -1)
EXTREME(cublasIzamin, cuDoubleComplex, VPTR__BLAS_Z, -1)

#define DOT(name, T, type, conjugates)                                                                                \
  T name(int n, const T *x, int incx, const T *y, int incy) {                                                         \
    T result;                                                                                                         \
    memset(&result, 0, sizeof result);                                                                                \
    NAMED_CALL(#name, dot, type, conjugates, n, x, incx, y, incy, &result);                                           \
    return result;                                                                                                    \
  }
DOT(cublasSdot, float, VPTR__BLAS_S, false)
DOT(cublasDdot, double, VPTR__BLAS_D, false)
DOT(cublasCdotu, cuComplex, VPTR__BLAS_C, false)
DOT(cublasZdotu, cuDoubleComplex, VPTR__BLAS_Z, false)
DOT(cublasCdotc, cuComplex, VPTR__BLAS_C, true)
DOT(cublasZdotc, cuDoubleComplex, VPTR__BLAS_Z, true)

/* ---- rotations --------------------------------------------------------------------------------------------------- */

#define ROT(name, T, R, S_T, type)                                                                                    \
  void name(int n, T *x, int incx, T *y, int incy, R c, S_T s) {                                                      \
    NAMED_CALL(#name, rot, type, sizeof(S_T) != sizeof(T), n, x, incx, y, incy, &c, &s);                              \
  }
ROT(cublasSrot, float, float, float, VPTR__BLAS_S)
ROT(cublasDrot, double, double, double, VPTR__BLAS_D)
ROT(cublasCrot, cuComplex, float, cuComplex, VPTR__BLAS_C)
ROT(cublasZrot, cuDoubleComplex, double, cuDoubleComplex, VPTR__BLAS_Z)
ROT(cublasCsrot, cuComplex, float, float, VPTR__BLAS_C)
ROT(cublasZdrot, cuDoubleComplex, double, double, VPTR__BLAS_Z)

#define ROTM(S, T)                                                                                                    \
  void cublas##S##rotg(T *a, T *b, T *c, T *s) { keep_error(cublas##S##rotg_v2(process_handle(), a, b, c, s)); }      \
  void cublas##S##rotm(int n, T *x, int incx, T *y, int incy, const T *param) {                                       \
    keep_error(cublas##S##rotm_v2(process_handle(), n, x, incx, y, incy, param));                                     \
  }                                                                                                                   \
  void cublas##S##rotmg(T *d1, T *d2, T *x1, const T *y1, T *param) {                                                 \
    keep_error(cublas##S##rotmg_v2(process_handle(), d1, d2, x1, y1, param));                                         \
  }
ROTM(S, float)
ROTM(D, double)

void cublasCrotg(cuComplex *a, cuComplex b, float *c, cuComplex *s) {
  keep_error(cublasCrotg_v2(process_handle(), a, &b, c, s));
}
void cublasZrotg(cuDoubleComplex *a, cuDoubleComplex b, double *c, cuDoubleComplex *s) {
  keep_error(cublasZrotg_v2(process_handle(), a, &b, c, s));
}
void cublasCsscal(int n, float alpha, cuComplex *x, int incx) {
  NAMED_CALL("cublasCsscal", scal, VPTR__BLAS_C, true, n, &alpha, x, incx);
}
void cublasZdscal(int n, double alpha, cuDoubleComplex *x, int incx) {
  NAMED_CALL("cublasZdscal", scal, VPTR__BLAS_Z, true, n, &alpha, x, incx);
}

/* ---- symmetric and hermitian matrices: letters of the verbs, and whether the one or the other -------------------- */

#define SYMMETRIC(S, T, R, type, sy, sb, sp, mirror, hermitian)                                                       \
  void cublas##S##sy##mv(char uplo, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,          \
                         int incy) {                                                                                  \
    NAMED_CALL("cublas" #S #sy "mv", symv, type, VPTR__BLAS_COLUMNS, mirror, fill_of(uplo), n, 0, &alpha, A, lda, x,  \
               incx, &beta, y, incy);                                                                                 \
  }                                                                                                                   \
  void cublas##S##sb##mv(char uplo, int n, int k, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,   \
                         int incy) {                                                                                  \
    NAMED_CALL("cublas" #S #sb "mv", symv, type, VPTR__BLAS_BAND, mirror, fill_of(uplo), n, k, &alpha, A, lda, x,     \
               incx, &beta, y, incy);                                                                                 \
  }                                                                                                                   \
  void cublas##S##sp##mv(char uplo, int n, T alpha, const T *AP, const T *x, int incx, T beta, T *y, int incy) {      \
    NAMED_CALL("cublas" #S #sp "mv", symv, type, VPTR__BLAS_PACKED, mirror, fill_of(uplo), n, 0, &alpha, AP, 1, x,    \
               incx, &beta, y, incy);                                                                                 \
  }                                                                                                                   \
  void cublas##S##sy##r(char uplo, int n, R alpha, const T *x, int incx, T *A, int lda) {                             \
    NAMED_CALL("cublas" #S #sy "r", syr, type, VPTR__BLAS_COLUMNS, hermitian, false, fill_of(uplo), n, &alpha, x,     \
               incx, NULL, 0, A, lda);                                                                                \
  }                                                                                                                   \
  void cublas##S##sp##r(char uplo, int n, R alpha, const T *x, int incx, T *AP) {                                     \
    NAMED_CALL("cublas" #S #sp "r", syr, type, VPTR__BLAS_PACKED, hermitian, false, fill_of(uplo), n, &alpha, x,      \
               incx, NULL, 0, AP, 1);                                                                                 \
  }                                                                                                                   \
  void cublas##S##sy##r2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda) {      \
    NAMED_CALL("cublas" #S #sy "r2", syr, type, VPTR__BLAS_COLUMNS, hermitian, true, fill_of(uplo), n, &alpha, x,     \
               incx, y, incy, A, lda);                                                                                \
  }                                                                                                                   \
  void cublas##S##sp##r2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *AP) {              \
    NAMED_CALL("cublas" #S #sp "r2", syr, type, VPTR__BLAS_PACKED, hermitian, true, fill_of(uplo), n, &alpha, x,      \
               incx, y, incy, AP, 1);                                                                                 \
  }
SYMMETRIC(S, float, float, VPTR__BLAS_S, sy, sb, sp, VPTR__BLAS_SAME, false)
SYMMETRIC(D, double, double, VPTR__BLAS_D, sy, sb, sp, VPTR__BLAS_SAME, false)
SYMMETRIC(C, cuComplex, float, VPTR__BLAS_C, he, hb, hp, VPTR__BLAS_CONJUGATE, true)
SYMMETRIC(Z, cuDoubleComplex, double, VPTR__BLAS_Z, he, hb, hp, VPTR__BLAS_CONJUGATE, true)

#define GER(name, T, type, conjugates)                                                                                \
  void name(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda) {                       \
    NAMED_CALL(#name, ger, type, conjugates, m, n, &alpha, x, incx, y, incy, A, lda);                                 \
  }
GER(cublasSger, float, VPTR__BLAS_S, false)
GER(cublasDger, double, VPTR__BLAS_D, false)
GER(cublasCgeru, cuComplex, VPTR__BLAS_C, false)
GER(cublasZgeru, cuDoubleComplex, VPTR__BLAS_Z, false)
GER(cublasCgerc, cuComplex, VPTR__BLAS_C, true)
GER(cublasZgerc, cuDoubleComplex, VPTR__BLAS_Z, true)

#define HERMITIAN(S, T, R, type)                                                                                      \
  void cublas##S##hemm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, int ldb, T beta, \
                       T *C, int ldc) {                                                                               \
    NAMED_CALL("cublas" #S "hemm", symm, type, VPTR__BLAS_CONJUGATE, side_of(side), fill_of(uplo), m, n, &alpha, A,   \
               lda, B, ldb, &beta, C, ldc);                                                                           \
  }                                                                                                                   \
  void cublas##S##herk(char uplo, char trans, int n, int k, R alpha, const T *A, int lda, R beta, T *C, int ldc) {    \
    NAMED_CALL("cublas" #S "herk", syrk, type, VPTR__BLAS_RANK_K, true, fill_of(uplo), operation_of(trans), n, k,     \
               &alpha, A, lda, NULL, 0, &beta, C, ldc);                                                               \
  }                                                                                                                   \
  void cublas##S##her2k(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, const T *B, int ldb,       \
                        R beta, T *C, int ldc) {                                                                      \
    NAMED_CALL("cublas" #S "her2k", syrk, type, VPTR__BLAS_RANK_2K, true, fill_of(uplo), operation_of(trans), n, k,   \
               &alpha, A, lda, B, ldb, &beta, C, ldc);                                                                \
  }
HERMITIAN(C, cuComplex, float, VPTR__BLAS_C)
HERMITIAN(Z, cuDoubleComplex, double, VPTR__BLAS_Z)

#endif
