/* SPDX-License-Identifier: MIT */
/*
 * lapack - LAPACK's routines as Fortran has them, one type for those of all four types of numbers.
 *
 * Matrices are addresses of whatever the routine takes; lengths of texts, which Fortran passes behind the arguments,
 * are 1. VPTR__LAPACK_ALL() makes a table in the order of vptr__solver_type.
 */
#ifndef VPTR_CUSOLVER_LAPACK_H
#define VPTR_CUSOLVER_LAPACK_H

#include <stddef.h>

#define VPTR__LAPACK_ALL(routine) { s##routine##_, d##routine##_, c##routine##_, z##routine##_ }

typedef void vptr__lapack_potrf(const char *uplo, const int *n, void *a, const int *lda, int *info, size_t);
vptr__lapack_potrf spotrf_, dpotrf_, cpotrf_, zpotrf_, spotri_, dpotri_, cpotri_, zpotri_;
vptr__lapack_potrf slauum_, dlauum_, clauum_, zlauum_;

typedef void vptr__lapack_trtri(const char *uplo, const char *diag, const int *n, void *a, const int *lda, int *info,
                                size_t, size_t);
vptr__lapack_trtri strtri_, dtrtri_, ctrtri_, ztrtri_;

typedef void vptr__lapack_sytrf(const char *uplo, const int *n, void *a, const int *lda, int *ipiv, void *work,
                                const int *lwork, int *info, size_t);
vptr__lapack_sytrf ssytrf_, dsytrf_, csytrf_, zsytrf_;

typedef void vptr__lapack_sytri(const char *uplo, const int *n, void *a, const int *lda, const int *ipiv, void *work,
                                int *info, size_t);
vptr__lapack_sytri ssytri_, dsytri_, csytri_, zsytri_;

typedef void vptr__lapack_sytrs(const char *uplo, const int *n, const int *nrhs, const void *a, const int *lda,
                                const int *ipiv, void *b, const int *ldb, int *info, size_t);
vptr__lapack_sytrs ssytrs_, dsytrs_, csytrs_, zsytrs_;

typedef void vptr__lapack_potrs(const char *uplo, const int *n, const int *nrhs, const void *a, const int *lda, void *b,
                                const int *ldb, int *info, size_t);
vptr__lapack_potrs spotrs_, dpotrs_, cpotrs_, zpotrs_;

typedef void vptr__lapack_getrf(const int *m, const int *n, void *a, const int *lda, int *ipiv, int *info);
vptr__lapack_getrf sgetrf_, dgetrf_, cgetrf_, zgetrf_;

typedef void vptr__lapack_getrs(const char *trans, const int *n, const int *nrhs, const void *a, const int *lda,
                                const int *ipiv, void *b, const int *ldb, int *info, size_t);
vptr__lapack_getrs sgetrs_, dgetrs_, cgetrs_, zgetrs_;

typedef void vptr__lapack_gels(const char *trans, const int *m, const int *n, const int *nrhs, void *a, const int *lda,
                               void *b, const int *ldb, void *work, const int *lwork, int *info, size_t);
vptr__lapack_gels sgels_, dgels_, cgels_, zgels_;

typedef void vptr__lapack_laswp(const int *n, void *a, const int *lda, const int *k1, const int *k2, const int *ipiv,
                                const int *incx);
vptr__lapack_laswp slaswp_, dlaswp_, claswp_, zlaswp_;

typedef void vptr__lapack_geqrf(const int *m, const int *n, void *a, const int *lda, void *tau, void *work,
                                const int *lwork, int *info);
vptr__lapack_geqrf sgeqrf_, dgeqrf_, cgeqrf_, zgeqrf_;

typedef void vptr__lapack_orgqr(const int *m, const int *n, const int *k, void *a, const int *lda, const void *tau,
                                void *work, const int *lwork, int *info);
vptr__lapack_orgqr sorgqr_, dorgqr_, cungqr_, zungqr_;

typedef void vptr__lapack_ormqr(const char *side, const char *trans, const int *m, const int *n, const int *k,
                                const void *a, const int *lda, const void *tau, void *c, const int *ldc, void *work,
                                const int *lwork, int *info, size_t, size_t);
vptr__lapack_ormqr sormqr_, dormqr_, cunmqr_, zunmqr_;

typedef void vptr__lapack_syevd(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w,
                                void *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t,
                                size_t);
vptr__lapack_syevd ssyevd_, dsyevd_;

typedef void vptr__lapack_heevd(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w,
                                void *work, const int *lwork, void *rwork, const int *lrwork, int *iwork,
                                const int *liwork, int *info, size_t, size_t);
vptr__lapack_heevd cheevd_, zheevd_;

typedef void vptr__lapack_sygvd(const int *itype, const char *jobz, const char *uplo, const int *n, void *a,
                                const int *lda, void *b, const int *ldb, void *w, void *work, const int *lwork,
                                int *iwork, const int *liwork, int *info, size_t, size_t);
vptr__lapack_sygvd ssygvd_, dsygvd_;

typedef void vptr__lapack_hegvd(const int *itype, const char *jobz, const char *uplo, const int *n, void *a,
                                const int *lda, void *b, const int *ldb, void *w, void *work, const int *lwork,
                                void *rwork, const int *lrwork, int *iwork, const int *liwork, int *info, size_t,
                                size_t);
vptr__lapack_hegvd chegvd_, zhegvd_;

typedef void vptr__lapack_sytrd(const char *uplo, const int *n, void *a, const int *lda, void *d, void *e, void *tau,
                                void *work, const int *lwork, int *info, size_t);
vptr__lapack_sytrd ssytrd_, dsytrd_, chetrd_, zhetrd_;

/* Of the tridiagonal matrix, whose elements are real. */
typedef void vptr__lapack_stedc(const char *compz, const int *n, void *d, void *e, void *z, const int *ldz, void *work,
                                const int *lwork, int *iwork, const int *liwork, int *info, size_t);
vptr__lapack_stedc sstedc_, dstedc_;

typedef void vptr__lapack_sterf(const int *n, void *d, void *e, int *info);
vptr__lapack_sterf ssterf_, dsterf_;

/* Of the bidiagonal matrix, likewise. q and iq: of compact vectors, which nobody asks for. */
typedef void vptr__lapack_bdsdc(const char *uplo, const char *compq, const int *n, void *d, void *e, void *u,
                                const int *ldu, void *vt, const int *ldvt, void *q, int *iq, void *work, int *iwork,
                                int *info, size_t, size_t);
vptr__lapack_bdsdc sbdsdc_, dbdsdc_;

typedef void vptr__lapack_larfg(const int *n, void *alpha, void *x, const int *incx, void *tau);
vptr__lapack_larfg slarfg_, dlarfg_, clarfg_, zlarfg_;

typedef void vptr__lapack_orgtr(const char *uplo, const int *n, void *a, const int *lda, const void *tau, void *work,
                                const int *lwork, int *info, size_t);
vptr__lapack_orgtr sorgtr_, dorgtr_, cungtr_, zungtr_;

typedef void vptr__lapack_ormtr(const char *side, const char *uplo, const char *trans, const int *m, const int *n,
                                const void *a, const int *lda, const void *tau, void *c, const int *ldc, void *work,
                                const int *lwork, int *info, size_t, size_t, size_t);
vptr__lapack_ormtr sormtr_, dormtr_, cunmtr_, zunmtr_;

typedef void vptr__lapack_gebrd(const int *m, const int *n, void *a, const int *lda, void *d, void *e, void *tauq,
                                void *taup, void *work, const int *lwork, int *info);
vptr__lapack_gebrd sgebrd_, dgebrd_, cgebrd_, zgebrd_;

typedef void vptr__lapack_orgbr(const char *vector, const int *m, const int *n, const int *k, void *a, const int *lda,
                                const void *tau, void *work, const int *lwork, int *info, size_t);
vptr__lapack_orgbr sorgbr_, dorgbr_, cungbr_, zungbr_;

typedef void vptr__lapack_geev(const char *jobvl, const char *jobvr, const int *n, void *a, const int *lda, void *wr,
                               void *wi, void *vl, const int *ldvl, void *vr, const int *ldvr, void *work,
                               const int *lwork, int *info, size_t, size_t);
vptr__lapack_geev sgeev_, dgeev_;

typedef void vptr__lapack_geev_complex(const char *jobvl, const char *jobvr, const int *n, void *a, const int *lda,
                                       void *w, void *vl, const int *ldvl, void *vr, const int *ldvr, void *work,
                                       const int *lwork, void *rwork, int *info, size_t, size_t);
vptr__lapack_geev_complex cgeev_, zgeev_;

typedef void vptr__lapack_larft(const char *direct, const char *storev, const int *n, const int *k, const void *v,
                                const int *ldv, const void *tau, void *t, const int *ldt, size_t, size_t);
vptr__lapack_larft slarft_, dlarft_, clarft_, zlarft_;

typedef void vptr__lapack_gesvd(const char *jobu, const char *jobvt, const int *m, const int *n, void *a,
                                const int *lda, void *s, void *u, const int *ldu, void *vt, const int *ldvt,
                                void *work, const int *lwork, int *info, size_t, size_t);
vptr__lapack_gesvd sgesvd_, dgesvd_;

typedef void vptr__lapack_gesvd_complex(const char *jobu, const char *jobvt, const int *m, const int *n, void *a,
                                        const int *lda, void *s, void *u, const int *ldu, void *vt, const int *ldvt,
                                        void *work, const int *lwork, void *rwork, int *info, size_t, size_t);
vptr__lapack_gesvd_complex cgesvd_, zgesvd_;

typedef void vptr__lapack_gemm(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                               const void *alpha, const void *a, const int *lda, const void *b, const int *ldb,
                               const void *beta, void *c, const int *ldc, size_t, size_t);
vptr__lapack_gemm sgemm_, dgemm_, cgemm_, zgemm_;

typedef void vptr__lapack_gemv(const char *trans, const int *m, const int *n, const void *alpha, const void *a,
                               const int *lda, const void *x, const int *incx, const void *beta, void *y,
                               const int *incy, size_t);
vptr__lapack_gemv sgemv_, dgemv_, cgemv_, zgemv_;

typedef void vptr__lapack_hemm(const char *side, const char *uplo, const int *m, const int *n, const void *alpha,
                               const void *a, const int *lda, const void *b, const int *ldb, const void *beta,
                               void *c, const int *ldc, size_t, size_t);
vptr__lapack_hemm ssymm_, dsymm_, chemm_, zhemm_;

static inline const char *vptr__lapack_uplo(int is_lower) { return is_lower ? "L" : "U"; }

#endif
