/* SPDX-License-Identifier: MIT */
/*
 * cusolverDn - the dense part of cuSOLVER, as libvptr-cusolver has it.
 *
 * Functions have cuSOLVER's names, arguments and values. Matrices are stored by columns, and lie in memory of the
 * device. Which functions there are is in doc/cusolver-coverage.md; what is computed where, and what it costs, in
 * doc/cusolver.md. Errors are said in words by vptr_last_error(), and on stderr with VPTR_VERBOSE=1.
 *
 * A call checks its arguments, takes its turn in the handle's stream, and returns when its results are in the memory of
 * the device. Different threads may use different handles at once; one handle is used by one thread at a time.
 *
 * S, D, C and Z in a name are the types of BLAS: float, double, and pairs of them.
 */
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include <stdio.h>

#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cusolverDnContext;
typedef struct cusolverDnContext *cusolverDnHandle_t;
struct syevjInfo;
typedef struct syevjInfo *syevjInfo_t;
struct gesvdjInfo;
typedef struct gesvdjInfo *gesvdjInfo_t;
struct cusolverDnIRSParams;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
struct cusolverDnIRSInfos;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;
struct cusolverDnParams;
typedef struct cusolverDnParams *cusolverDnParams_t;

typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1, CUSOLVERDN_SYEVBATCHED = 2 } cusolverDnFunction_t;

#define VPTR_CUSOLVER_CALL(name) VPTR_CUDA_API cusolverStatus_t CUSOLVERAPI name

/* ---- handles, and settings ------------------------------------------------------------------------------------ */

VPTR_CUSOLVER_CALL(cusolverDnCreate)(cusolverDnHandle_t *handle);
VPTR_CUSOLVER_CALL(cusolverDnDestroy)(cusolverDnHandle_t handle);
VPTR_CUSOLVER_CALL(cusolverDnSetStream)(cusolverDnHandle_t handle, cudaStream_t streamId);
VPTR_CUSOLVER_CALL(cusolverDnGetStream)(cusolverDnHandle_t handle, cudaStream_t *streamId);
VPTR_CUSOLVER_CALL(cusolverDnSetDeterministicMode)(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode);
VPTR_CUSOLVER_CALL(cusolverDnGetDeterministicMode)(cusolverDnHandle_t handle, cusolverDeterministicMode_t *mode);

typedef void (*cusolverDnLoggerCallback_t)(int logLevel, const char *functionName, const char *message);

/* Lines: level 1 has errors, and level 5 each call with a handle. */
VPTR_CUSOLVER_CALL(cusolverDnLoggerSetCallback)(cusolverDnLoggerCallback_t callback);
VPTR_CUSOLVER_CALL(cusolverDnLoggerSetFile)(FILE *file);
VPTR_CUSOLVER_CALL(cusolverDnLoggerOpenFile)(const char *logFile);
VPTR_CUSOLVER_CALL(cusolverDnLoggerSetLevel)(int level);
VPTR_CUSOLVER_CALL(cusolverDnLoggerSetMask)(int mask);
VPTR_CUSOLVER_CALL(cusolverDnLoggerForceDisable)(void);

VPTR_CUSOLVER_CALL(cusolverDnCreateParams)(cusolverDnParams_t *params);
VPTR_CUSOLVER_CALL(cusolverDnDestroyParams)(cusolverDnParams_t params);
VPTR_CUSOLVER_CALL(cusolverDnSetAdvOptions)(cusolverDnParams_t params, cusolverDnFunction_t function,
                                            cusolverAlgMode_t algo);

VPTR_CUSOLVER_CALL(cusolverDnCreateSyevjInfo)(syevjInfo_t *info);
VPTR_CUSOLVER_CALL(cusolverDnDestroySyevjInfo)(syevjInfo_t info);
VPTR_CUSOLVER_CALL(cusolverDnXsyevjSetTolerance)(syevjInfo_t info, double tolerance);
VPTR_CUSOLVER_CALL(cusolverDnXsyevjSetMaxSweeps)(syevjInfo_t info, int max_sweeps);
VPTR_CUSOLVER_CALL(cusolverDnXsyevjSetSortEig)(syevjInfo_t info, int sort_eig);
VPTR_CUSOLVER_CALL(cusolverDnXsyevjGetResidual)(cusolverDnHandle_t handle, syevjInfo_t info, double *residual);

VPTR_CUSOLVER_CALL(cusolverDnCreateGesvdjInfo)(gesvdjInfo_t *info);
VPTR_CUSOLVER_CALL(cusolverDnDestroyGesvdjInfo)(gesvdjInfo_t info);
VPTR_CUSOLVER_CALL(cusolverDnXgesvdjSetTolerance)(gesvdjInfo_t info, double tolerance);
VPTR_CUSOLVER_CALL(cusolverDnXgesvdjSetMaxSweeps)(gesvdjInfo_t info, int max_sweeps);
VPTR_CUSOLVER_CALL(cusolverDnXgesvdjSetSortEig)(gesvdjInfo_t info, int sort_svd);
VPTR_CUSOLVER_CALL(cusolverDnXgesvdjGetResidual)(cusolverDnHandle_t handle, gesvdjInfo_t info, double *residual);

/* ---- functions whose names begin alike for all types: T is the type, R of its parts ----------------------------- */

#define VPTR_CUSOLVER_FACTORS(name, T) \
  VPTR_CUSOLVER_CALL(name##potrf_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                             int *Lwork); \
  VPTR_CUSOLVER_CALL(name##potrf)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                  T *Workspace, int Lwork, int *devInfo); \
  VPTR_CUSOLVER_CALL(name##potrs)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const T *A, \
                                  int lda, T *B, int ldb, int *devInfo); \
  VPTR_CUSOLVER_CALL(name##potri_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                             int *lwork); \
  VPTR_CUSOLVER_CALL(name##potri)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, T *work, \
                                  int lwork, int *devInfo); \
  VPTR_CUSOLVER_CALL(name##potrfBatched)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *Aarray[], \
                                         int lda, int *infoArray, int batchSize); \
  VPTR_CUSOLVER_CALL(name##potrsBatched)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, T *A[], \
                                         int lda, T *B[], int ldb, int *d_info, int batchSize); \
  VPTR_CUSOLVER_CALL(name##getrf_bufferSize)(cusolverDnHandle_t handle, int m, int n, T *A, int lda, int *Lwork); \
  VPTR_CUSOLVER_CALL(name##getrf)(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *Workspace, \
                                  int *devIpiv, int *devInfo); \
  VPTR_CUSOLVER_CALL(name##getrs)(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T *A, \
                                  int lda, const int *devIpiv, T *B, int ldb, int *devInfo); \
  VPTR_CUSOLVER_CALL(name##laswp)(cusolverDnHandle_t handle, int n, T *A, int lda, int k1, int k2, \
                                  const int *devIpiv, int incx); \
  VPTR_CUSOLVER_CALL(name##geqrf_bufferSize)(cusolverDnHandle_t handle, int m, int n, T *A, int lda, int *lwork); \
  VPTR_CUSOLVER_CALL(name##geqrf)(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *TAU, T *Workspace, \
                                  int Lwork, int *devInfo); \
  VPTR_CUSOLVER_CALL(name##lauum_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                             int *lwork); \
  VPTR_CUSOLVER_CALL(name##lauum)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, T *work, \
                                  int lwork, int *devInfo); \
  VPTR_CUSOLVER_CALL(name##sytrf_bufferSize)(cusolverDnHandle_t handle, int n, T *A, int lda, int *lwork); \
  VPTR_CUSOLVER_CALL(name##sytrf)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, int *ipiv, \
                                  T *work, int lwork, int *info); \
  VPTR_CUSOLVER_CALL(name##sytri_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                             const int *ipiv, int *lwork); \
  VPTR_CUSOLVER_CALL(name##sytri)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                  const int *ipiv, T *work, int lwork, int *info);
VPTR_CUSOLVER_FACTORS(cusolverDnS, float)
VPTR_CUSOLVER_FACTORS(cusolverDnD, double)
VPTR_CUSOLVER_FACTORS(cusolverDnC, cuComplex)
VPTR_CUSOLVER_FACTORS(cusolverDnZ, cuDoubleComplex)

#define VPTR_CUSOLVER_SINGULAR(name, T, R) \
  VPTR_CUSOLVER_CALL(name##gesvd_bufferSize)(cusolverDnHandle_t handle, int m, int n, int *lwork); \
  VPTR_CUSOLVER_CALL(name##gesvd)(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T *A, \
                                  int lda, R *S, T *U, int ldu, T *VT, int ldvt, T *work, int lwork, R *rwork, \
                                  int *info); \
  VPTR_CUSOLVER_CALL(name##gesvdj_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, \
                                              int n, const T *A, int lda, const R *S, const T *U, int ldu, \
                                              const T *V, int ldv, int *lwork, gesvdjInfo_t params); \
  VPTR_CUSOLVER_CALL(name##gesvdj)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, T *A, \
                                   int lda, R *S, T *U, int ldu, T *V, int ldv, T *work, int lwork, int *info, \
                                   gesvdjInfo_t params); \
  VPTR_CUSOLVER_CALL(name##gesvdjBatched_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, \
                                                     const T *A, int lda, const R *S, const T *U, int ldu, \
                                                     const T *V, int ldv, int *lwork, gesvdjInfo_t params, \
                                                     int batchSize); \
  VPTR_CUSOLVER_CALL(name##gesvdjBatched)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T *A, \
                                          int lda, R *S, T *U, int ldu, T *V, int ldv, T *work, int lwork, \
                                          int *info, gesvdjInfo_t params, int batchSize); \
  VPTR_CUSOLVER_CALL(name##gesvdaStridedBatched_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, \
      int rank, int m, int n, const T *d_A, int lda, vptr_long_long strideA, const R *d_S, vptr_long_long strideS, \
      const T *d_U, int ldu, vptr_long_long strideU, const T *d_V, int ldv, vptr_long_long strideV, int *lwork, \
      int batchSize); \
  VPTR_CUSOLVER_CALL(name##gesvdaStridedBatched)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, \
      int n, const T *d_A, int lda, vptr_long_long strideA, R *d_S, vptr_long_long strideS, T *d_U, int ldu, \
      vptr_long_long strideU, T *d_V, int ldv, vptr_long_long strideV, T *d_work, int lwork, int *d_info, \
      double *h_R_nrmF, int batchSize);
VPTR_CUSOLVER_SINGULAR(cusolverDnS, float, float)
VPTR_CUSOLVER_SINGULAR(cusolverDnD, double, double)
VPTR_CUSOLVER_SINGULAR(cusolverDnC, cuComplex, float)
VPTR_CUSOLVER_SINGULAR(cusolverDnZ, cuDoubleComplex, double)

/* ---- functions whose names differ: the columns of Q, and products with it ---------------------------------------- */

#define VPTR_CUSOLVER_ORTHOGONAL(columns, product, T) \
  VPTR_CUSOLVER_CALL(columns##_bufferSize)(cusolverDnHandle_t handle, int m, int n, int k, const T *A, int lda, \
                                           const T *tau, int *lwork); \
  VPTR_CUSOLVER_CALL(columns)(cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda, const T *tau, T *work, \
                              int lwork, int *info); \
  VPTR_CUSOLVER_CALL(product##_bufferSize)(cusolverDnHandle_t handle, cublasSideMode_t side, \
                                           cublasOperation_t trans, int m, int n, int k, const T *A, int lda, \
                                           const T *tau, const T *C, int ldc, int *lwork); \
  VPTR_CUSOLVER_CALL(product)(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, \
                              int n, int k, const T *A, int lda, const T *tau, T *C, int ldc, T *work, int lwork, \
                              int *devInfo);
VPTR_CUSOLVER_ORTHOGONAL(cusolverDnSorgqr, cusolverDnSormqr, float)
VPTR_CUSOLVER_ORTHOGONAL(cusolverDnDorgqr, cusolverDnDormqr, double)
VPTR_CUSOLVER_ORTHOGONAL(cusolverDnCungqr, cusolverDnCunmqr, cuComplex)
VPTR_CUSOLVER_ORTHOGONAL(cusolverDnZungqr, cusolverDnZunmqr, cuDoubleComplex)

/* And eigenvalues of symmetric and hermitian matrices. */
#define VPTR_CUSOLVER_EIGEN(name, T, R) \
  VPTR_CUSOLVER_CALL(name##evd_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, \
                                           int n, const T *A, int lda, const R *W, int *lwork); \
  VPTR_CUSOLVER_CALL(name##evd)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, \
                                T *A, int lda, R *W, T *work, int lwork, int *info); \
  VPTR_CUSOLVER_CALL(name##evj_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, \
                                           int n, const T *A, int lda, const R *W, int *lwork, syevjInfo_t params); \
  VPTR_CUSOLVER_CALL(name##evj)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, \
                                T *A, int lda, R *W, T *work, int lwork, int *info, syevjInfo_t params); \
  VPTR_CUSOLVER_CALL(name##evjBatched_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, \
                                                  cublasFillMode_t uplo, int n, const T *A, int lda, const R *W, \
                                                  int *lwork, syevjInfo_t params, int batchSize); \
  VPTR_CUSOLVER_CALL(name##evjBatched)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, \
                                       int n, T *A, int lda, R *W, T *work, int lwork, int *info, \
                                       syevjInfo_t params, int batchSize); \
  VPTR_CUSOLVER_CALL(name##evdx_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, \
                                            cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T *A, \
                                            int lda, R vl, R vu, int il, int iu, int *meig, const R *W, int *lwork); \
  VPTR_CUSOLVER_CALL(name##evdx)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range, \
                                 cublasFillMode_t uplo, int n, T *A, int lda, R vl, R vu, int il, int iu, int *meig, \
                                 R *W, T *work, int lwork, int *info);
VPTR_CUSOLVER_EIGEN(cusolverDnSsy, float, float)
VPTR_CUSOLVER_EIGEN(cusolverDnDsy, double, double)
VPTR_CUSOLVER_EIGEN(cusolverDnChe, cuComplex, float)
VPTR_CUSOLVER_EIGEN(cusolverDnZhe, cuDoubleComplex, double)

/* The same of pairs: A x = w B x, A B x = w x, B A x = w x. */
#define VPTR_CUSOLVER_EIGEN_PAIR(name, T, R) \
  VPTR_CUSOLVER_CALL(name##gvd_bufferSize)(cusolverDnHandle_t handle, cusolverEigType_t itype, \
                                           cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T *A, int lda, \
                                           const T *B, int ldb, const R *W, int *lwork); \
  VPTR_CUSOLVER_CALL(name##gvd)(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, \
                                cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R *W, T *work, int lwork, \
                                int *info); \
  VPTR_CUSOLVER_CALL(name##gvj_bufferSize)(cusolverDnHandle_t handle, cusolverEigType_t itype, \
                                           cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T *A, int lda, \
                                           const T *B, int ldb, const R *W, int *lwork, syevjInfo_t params); \
  VPTR_CUSOLVER_CALL(name##gvj)(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, \
                                cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R *W, T *work, int lwork, \
                                int *info, syevjInfo_t params); \
  VPTR_CUSOLVER_CALL(name##gvdx_bufferSize)(cusolverDnHandle_t handle, cusolverEigType_t itype, \
                                            cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, \
                                            int n, const T *A, int lda, const T *B, int ldb, R vl, R vu, int il, \
                                            int iu, int *meig, const R *W, int *lwork); \
  VPTR_CUSOLVER_CALL(name##gvdx)(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, \
                                 cusolverEigRange_t range, cublasFillMode_t uplo, int n, T *A, int lda, T *B, \
                                 int ldb, R vl, R vu, int il, int iu, int *meig, R *W, T *work, int lwork, int *info);
VPTR_CUSOLVER_EIGEN_PAIR(cusolverDnSsy, float, float)
VPTR_CUSOLVER_EIGEN_PAIR(cusolverDnDsy, double, double)
VPTR_CUSOLVER_EIGEN_PAIR(cusolverDnChe, cuComplex, float)
VPTR_CUSOLVER_EIGEN_PAIR(cusolverDnZhe, cuDoubleComplex, double)

/* Reductions to tridiagonal and to bidiagonal form, and what reduces. */
#define VPTR_CUSOLVER_REDUCTIONS(letter, reduce, make, multiply, make_both, T, R) \
  VPTR_CUSOLVER_CALL(cusolverDn##letter##reduce##_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, \
      int n, const T *A, int lda, const R *d, const R *e, const T *tau, int *lwork); \
  VPTR_CUSOLVER_CALL(cusolverDn##letter##reduce)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, \
      int lda, R *d, R *e, T *tau, T *work, int lwork, int *info); \
  VPTR_CUSOLVER_CALL(cusolverDn##letter##make##_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
      const T *A, int lda, const T *tau, int *lwork); \
  VPTR_CUSOLVER_CALL(cusolverDn##letter##make)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, \
      int lda, const T *tau, T *work, int lwork, int *info); \
  VPTR_CUSOLVER_CALL(cusolverDn##letter##multiply##_bufferSize)(cusolverDnHandle_t handle, cublasSideMode_t side, \
      cublasFillMode_t uplo, cublasOperation_t trans, int m, int n, const T *A, int lda, const T *tau, const T *C, \
      int ldc, int *lwork); \
  VPTR_CUSOLVER_CALL(cusolverDn##letter##multiply)(cusolverDnHandle_t handle, cublasSideMode_t side, \
      cublasFillMode_t uplo, cublasOperation_t trans, int m, int n, T *A, int lda, T *tau, T *C, int ldc, T *work, \
      int lwork, int *info); \
  VPTR_CUSOLVER_CALL(cusolverDn##letter##gebrd_bufferSize)(cusolverDnHandle_t handle, int m, int n, int *Lwork); \
  VPTR_CUSOLVER_CALL(cusolverDn##letter##gebrd)(cusolverDnHandle_t handle, int m, int n, T *A, int lda, R *D, R *E, \
      T *TAUQ, T *TAUP, T *Work, int Lwork, int *devInfo); \
  VPTR_CUSOLVER_CALL(cusolverDn##letter##make_both##_bufferSize)(cusolverDnHandle_t handle, cublasSideMode_t side, \
      int m, int n, int k, const T *A, int lda, const T *tau, int *lwork); \
  VPTR_CUSOLVER_CALL(cusolverDn##letter##make_both)(cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, \
      int k, T *A, int lda, const T *tau, T *work, int lwork, int *info);
VPTR_CUSOLVER_REDUCTIONS(S, sytrd, orgtr, ormtr, orgbr, float, float)
VPTR_CUSOLVER_REDUCTIONS(D, sytrd, orgtr, ormtr, orgbr, double, double)
VPTR_CUSOLVER_REDUCTIONS(C, hetrd, ungtr, unmtr, ungbr, cuComplex, float)
VPTR_CUSOLVER_REDUCTIONS(Z, hetrd, ungtr, unmtr, ungbr, cuDoubleComplex, double)

/* ---- solutions in one call: the first letter is the type of A, B and X, and of all that is computed ------------- */

#define VPTR_CUSOLVER_SOLUTIONS(name, T) \
  VPTR_CUSOLVER_CALL(name##gesv_bufferSize)(cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T *dA, \
                                            cusolver_int_t ldda, cusolver_int_t *dipiv, T *dB, cusolver_int_t lddb, \
                                            T *dX, cusolver_int_t lddx, void *dWorkspace, size_t *lwork_bytes); \
  VPTR_CUSOLVER_CALL(name##gesv)(cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T *dA, \
                                 cusolver_int_t ldda, cusolver_int_t *dipiv, T *dB, cusolver_int_t lddb, T *dX, \
                                 cusolver_int_t lddx, void *dWorkspace, size_t lwork_bytes, cusolver_int_t *iter, \
                                 cusolver_int_t *d_info); \
  VPTR_CUSOLVER_CALL(name##gels_bufferSize)(cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, \
                                            cusolver_int_t nrhs, T *dA, cusolver_int_t ldda, T *dB, \
                                            cusolver_int_t lddb, T *dX, cusolver_int_t lddx, void *dWorkspace, \
                                            size_t *lwork_bytes); \
  VPTR_CUSOLVER_CALL(name##gels)(cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, \
                                 T *dA, cusolver_int_t ldda, T *dB, cusolver_int_t lddb, T *dX, cusolver_int_t lddx, \
                                 void *dWorkspace, size_t lwork_bytes, cusolver_int_t *iter, cusolver_int_t *d_info);
VPTR_CUSOLVER_SOLUTIONS(cusolverDnSS, float)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnSH, float)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnSB, float)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnSX, float)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnDD, double)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnDS, double)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnDH, double)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnDB, double)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnDX, double)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnCC, cuComplex)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnCK, cuComplex)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnCE, cuComplex)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnCY, cuComplex)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnZZ, cuDoubleComplex)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnZC, cuDoubleComplex)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnZK, cuDoubleComplex)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnZE, cuDoubleComplex)
VPTR_CUSOLVER_SOLUTIONS(cusolverDnZY, cuDoubleComplex)

/* The same by parameters: the main precision is the type of A, B and X. */
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsCreate)(cusolverDnIRSParams_t *params_ptr);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsDestroy)(cusolverDnIRSParams_t params);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsSetRefinementSolver)(cusolverDnIRSParams_t params,
                                                           cusolverIRSRefinement_t refinement_solver);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsSetSolverMainPrecision)(cusolverDnIRSParams_t params,
                                                              cusolverPrecType_t solver_main_precision);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsSetSolverLowestPrecision)(cusolverDnIRSParams_t params,
                                                                cusolverPrecType_t solver_lowest_precision);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsSetSolverPrecisions)(cusolverDnIRSParams_t params,
                                                           cusolverPrecType_t solver_main_precision,
                                                           cusolverPrecType_t solver_lowest_precision);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsSetTol)(cusolverDnIRSParams_t params, double val);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsSetTolInner)(cusolverDnIRSParams_t params, double val);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsSetMaxIters)(cusolverDnIRSParams_t params, cusolver_int_t maxiters);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsSetMaxItersInner)(cusolverDnIRSParams_t params,
                                                        cusolver_int_t maxiters_inner);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsGetMaxIters)(cusolverDnIRSParams_t params, cusolver_int_t *maxiters);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsEnableFallback)(cusolverDnIRSParams_t params);
VPTR_CUSOLVER_CALL(cusolverDnIRSParamsDisableFallback)(cusolverDnIRSParams_t params);
VPTR_CUSOLVER_CALL(cusolverDnIRSInfosCreate)(cusolverDnIRSInfos_t *infos_ptr);
VPTR_CUSOLVER_CALL(cusolverDnIRSInfosDestroy)(cusolverDnIRSInfos_t infos);
VPTR_CUSOLVER_CALL(cusolverDnIRSInfosGetNiters)(cusolverDnIRSInfos_t infos, cusolver_int_t *niters);
VPTR_CUSOLVER_CALL(cusolverDnIRSInfosGetOuterNiters)(cusolverDnIRSInfos_t infos, cusolver_int_t *outer_niters);
VPTR_CUSOLVER_CALL(cusolverDnIRSInfosGetMaxIters)(cusolverDnIRSInfos_t infos, cusolver_int_t *maxiters);
VPTR_CUSOLVER_CALL(cusolverDnIRSXgesv_bufferSize)(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                                  cusolver_int_t n, cusolver_int_t nrhs, size_t *lwork_bytes);
VPTR_CUSOLVER_CALL(cusolverDnIRSXgesv)(cusolverDnHandle_t handle, cusolverDnIRSParams_t gesv_irs_params,
    cusolverDnIRSInfos_t gesv_irs_infos, cusolver_int_t n, cusolver_int_t nrhs, void *dA, cusolver_int_t ldda,
    void *dB, cusolver_int_t lddb, void *dX, cusolver_int_t lddx, void *dWorkspace, size_t lwork_bytes,
    cusolver_int_t *niters, cusolver_int_t *d_info);
VPTR_CUSOLVER_CALL(cusolverDnIRSXgels_bufferSize)(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                                  cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs,
                                                  size_t *lwork_bytes);
VPTR_CUSOLVER_CALL(cusolverDnIRSXgels)(cusolverDnHandle_t handle, cusolverDnIRSParams_t gels_irs_params,
    cusolverDnIRSInfos_t gels_irs_infos, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, void *dA,
    cusolver_int_t ldda, void *dB, cusolver_int_t lddb, void *dX, cusolver_int_t lddx, void *dWorkspace,
    size_t lwork_bytes, cusolver_int_t *niters, cusolver_int_t *d_info);

/* ---- types as arguments, and sizes of 64 bits -------------------------------------------------------------------- */

VPTR_CUSOLVER_CALL(cusolverDnXpotrf_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType computeType,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXpotrf)(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
    int64_t n, cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType computeType, void *bufferOnDevice,
    size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost, int *info);
VPTR_CUSOLVER_CALL(cusolverDnXpotrs)(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
    int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeB, void *B,
    int64_t ldb, int *info);
VPTR_CUSOLVER_CALL(cusolverDnXgetrf_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
    int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType computeType,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXgetrf)(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
    cudaDataType dataTypeA, void *A, int64_t lda, int64_t *ipiv, cudaDataType computeType, void *bufferOnDevice,
    size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost, int *info);
VPTR_CUSOLVER_CALL(cusolverDnXgetrs)(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans,
    int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda, const int64_t *ipiv,
    cudaDataType dataTypeB, void *B, int64_t ldb, int *info);
VPTR_CUSOLVER_CALL(cusolverDnXgeqrf_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
    int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeTau, const void *tau,
    cudaDataType computeType, size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXgeqrf)(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
    cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeTau, void *tau, cudaDataType computeType,
    void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
    int *info);
VPTR_CUSOLVER_CALL(cusolverDnXsyevd_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda,
    cudaDataType dataTypeW, const void *W, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXsyevd)(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeW, void *W,
    cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
    size_t workspaceInBytesOnHost, int *info);
VPTR_CUSOLVER_CALL(cusolverDnXgesvd_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    signed char jobu, signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda,
    cudaDataType dataTypeS, const void *S, cudaDataType dataTypeU, const void *U, int64_t ldu,
    cudaDataType dataTypeVT, const void *VT, int64_t ldvt, cudaDataType computeType,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXgesvd)(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
    signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeS,
    void *S, cudaDataType dataTypeU, void *U, int64_t ldu, cudaDataType dataTypeVT, void *VT, int64_t ldvt,
    cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
    size_t workspaceInBytesOnHost, int *info);

VPTR_CUSOLVER_CALL(cusolverDnXsytrs_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n,
    int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda, const int64_t *ipiv, cudaDataType dataTypeB,
    void *B, int64_t ldb, size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXsytrs)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
    cudaDataType dataTypeA, const void *A, int64_t lda, const int64_t *ipiv, cudaDataType dataTypeB, void *B,
    int64_t ldb, void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
    size_t workspaceInBytesOnHost, int *info);
VPTR_CUSOLVER_CALL(cusolverDnXtrtri_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo,
    cublasDiagType_t diag, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXtrtri)(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag,
    int64_t n, cudaDataType dataTypeA, void *A, int64_t lda, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
    void *bufferOnHost, size_t workspaceInBytesOnHost, int *devInfo);
VPTR_CUSOLVER_CALL(cusolverDnXgesvdp_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, int econ, int64_t m, int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda,
    cudaDataType dataTypeS, const void *S, cudaDataType dataTypeU, const void *U, int64_t ldu,
    cudaDataType dataTypeV, const void *V, int64_t ldv, cudaDataType computeType,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXgesvdp)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, int econ, int64_t m, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
    cudaDataType dataTypeS, void *S, cudaDataType dataTypeU, void *U, int64_t ldu, cudaDataType dataTypeV,
    void *V, int64_t ldv, cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
    void *bufferOnHost, size_t workspaceInBytesOnHost, int *d_info, double *h_err_sigma);
VPTR_CUSOLVER_CALL(cusolverDnXgesvdr_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    signed char jobu, signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p, int64_t niters,
    cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeSrand, const void *Srand,
    cudaDataType dataTypeUrand, const void *Urand, int64_t ldUrand, cudaDataType dataTypeVrand,
    const void *Vrand, int64_t ldVrand, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXgesvdr)(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
    signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p, int64_t niters, cudaDataType dataTypeA,
    void *A, int64_t lda, cudaDataType dataTypeSrand, void *Srand, cudaDataType dataTypeUrand, void *Urand,
    int64_t ldUrand, cudaDataType dataTypeVrand, void *Vrand, int64_t ldVrand, cudaDataType computeType,
    void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
    int *d_info);
VPTR_CUSOLVER_CALL(cusolverDnXsyevdx_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
    const void *A, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu, int64_t *h_meig,
    cudaDataType dataTypeW, const void *W, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXsyevdx)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
    void *A, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu, int64_t *meig64, cudaDataType dataTypeW,
    void *W, cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
    size_t workspaceInBytesOnHost, int *info);
VPTR_CUSOLVER_CALL(cusolverDnXsyevBatched_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda,
    cudaDataType dataTypeW, const void *W, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost, int64_t batchSize);
VPTR_CUSOLVER_CALL(cusolverDnXsyevBatched)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
    cudaDataType dataTypeW, void *W, cudaDataType computeType, void *bufferOnDevice,
    size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost, int *info,
    int64_t batchSize);
VPTR_CUSOLVER_CALL(cusolverDnXgeev_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n, cudaDataType dataTypeA, const void *A,
    int64_t lda, cudaDataType dataTypeW, const void *W, cudaDataType dataTypeVL, const void *VL, int64_t ldvl,
    cudaDataType dataTypeVR, const void *VR, int64_t ldvr, cudaDataType computeType,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXgeev)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
    cudaDataType dataTypeW, void *W, cudaDataType dataTypeVL, void *VL, int64_t ldvl, cudaDataType dataTypeVR,
    void *VR, int64_t ldvr, cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
    void *bufferOnHost, size_t workspaceInBytesOnHost, int *info);
VPTR_CUSOLVER_CALL(cusolverDnXlarft_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverDirectMode_t direct, cusolverStorevMode_t storev, int64_t n, int64_t k, cudaDataType dataTypeV,
    const void *V, int64_t ldv, cudaDataType dataTypeTau, const void *tau, cudaDataType dataTypeT, void *T,
    int64_t ldt, cudaDataType computeType, size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
VPTR_CUSOLVER_CALL(cusolverDnXlarft)(cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverDirectMode_t direct, cusolverStorevMode_t storev, int64_t n, int64_t k, cudaDataType dataTypeV,
    const void *V, int64_t ldv, cudaDataType dataTypeTau, const void *tau, cudaDataType dataTypeT, void *T,
    int64_t ldt, cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
    void *bufferOnHost, size_t workspaceInBytesOnHost);

#undef VPTR_CUSOLVER_FACTORS
#undef VPTR_CUSOLVER_SINGULAR
#undef VPTR_CUSOLVER_ORTHOGONAL
#undef VPTR_CUSOLVER_EIGEN
#undef VPTR_CUSOLVER_EIGEN_PAIR
#undef VPTR_CUSOLVER_REDUCTIONS
#undef VPTR_CUSOLVER_SOLUTIONS
#undef VPTR_CUSOLVER_CALL

#ifdef __cplusplus
}
#endif

#endif
