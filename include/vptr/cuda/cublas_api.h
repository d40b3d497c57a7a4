/* SPDX-License-Identifier: MIT */
/*
 * cublas_api - cuBLAS, as libvptr-cublas has it: types, and all functions but those of cublas.h.
 *
 * Functions have cuBLAS's names, arguments and values; programs include cublas_v2.h or cublas.h. Matrices are stored by
 * columns. Which of cuBLAS's functions there are is in doc/cublas-coverage.md; how they compute, and what they cost, in
 * doc/cublas.md. Errors are said in words by vptr_last_error(), and on stderr with VPTR_VERBOSE=1.
 *
 * A call checks its arguments, sends its work to the handle's stream and returns; it waits where a result goes to the
 * host (pointer mode host, of functions with a result), and while a kernel is built, the first time on a device.
 * Thread-safe, every call; settings of one handle are not to be changed while another thread uses it.
 */
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#include <stddef.h>
#include <stdint.h>

#include "host_defines.h"

#include "cuComplex.h"
#include "cuda_fp16.h"
#include "driver_types.h"
#include "library_types.h"

#ifndef CUBLASWINAPI
#define CUBLASWINAPI
#endif

/* Numbers of 16 bits: C and C++ of 1998 have them as bits alone. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define VPTR_CUBLAS_HALF __half
#else
#define VPTR_CUBLAS_HALF __half_raw
#endif
struct __nv_bfloat16;
#define VPTR_CUBLAS_BFLOAT16 struct __nv_bfloat16

#ifdef __cplusplus
extern "C" {
#endif

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,  /* the handle is none that lives */
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,    /* the device cannot do it */
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13, /* memory that is none of the device's, or shorter than its shape; the device */
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3 /* refused, as by cuBLAS */
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;

/* Taken and not looked at: there is one way here. */
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5,
  CUBLAS_GEMM_ALGO6 = 6,
  CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO8 = 8,
  CUBLAS_GEMM_ALGO9 = 9,
  CUBLAS_GEMM_ALGO10 = 10,
  CUBLAS_GEMM_ALGO11 = 11,
  CUBLAS_GEMM_ALGO12 = 12,
  CUBLAS_GEMM_ALGO13 = 13,
  CUBLAS_GEMM_ALGO14 = 14,
  CUBLAS_GEMM_ALGO15 = 15,
  CUBLAS_GEMM_ALGO16 = 16,
  CUBLAS_GEMM_ALGO17 = 17,
  CUBLAS_GEMM_ALGO18 = 18,
  CUBLAS_GEMM_ALGO19 = 19,
  CUBLAS_GEMM_ALGO20 = 20,
  CUBLAS_GEMM_ALGO21 = 21,
  CUBLAS_GEMM_ALGO22 = 22,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
  CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
  CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
  CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
  CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
  CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
  CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
  CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
  CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
  CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
  CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;

/* What cuBLAS may compute with less than was asked for. Kept and told; here nothing is. */
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
  CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef cudaDataType cublasDataType_t;

/* In what products are added up. Half precision is added up in float here. */
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;

struct cublasContext;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *msg);

/* ---- handles --------------------------------------------------------------------------------------------------- */

/* Of the current device, with its default stream and scalars on the host. Destroying one waits for nothing. */
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasCreate_v2(cublasHandle_t *handle);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasDestroy_v2(cublasHandle_t handle);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasGetVersion_v2(cublasHandle_t handle, int *version);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasGetProperty(libraryPropertyType type, int *value);
VPTR_CUDA_API size_t CUBLASWINAPI cublasGetCudartVersion(void);
/* Checked, and not used: what a call needs comes from the device's memory pool. */
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                                                size_t workspaceSizeInBytes);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *streamId);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasGetSmCountTarget(cublasHandle_t handle, int *smCountTarget);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasSetSmCountTarget(cublasHandle_t handle, int smCountTarget);

VPTR_CUDA_API const char *CUBLASWINAPI cublasGetStatusName(cublasStatus_t status);
VPTR_CUDA_API const char *CUBLASWINAPI cublasGetStatusString(cublasStatus_t status);
VPTR_CUDA_API void CUBLASWINAPI cublasXerbla(const char *srName, int info);

/* A line for each call, with its name. */
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasLoggerConfigure(int logIsOn, int logToStdOut, int logToStdErr,
                                                                const char *logFileName);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasSetLoggerCallback(cublasLogCallback userCallback);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasGetLoggerCallback(cublasLogCallback *userCallback);

/* ---- functions without sizes, and with int alone --------------------------------------------------------------- */

#define VPTR_CUBLAS_ROTG(letter, T, R) \
  VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublas##letter##rotg_v2(cublasHandle_t handle, T *a, T *b, R *c, T *s);
VPTR_CUBLAS_ROTG(S, float, float)
VPTR_CUBLAS_ROTG(D, double, double)
VPTR_CUBLAS_ROTG(C, cuComplex, float)
VPTR_CUBLAS_ROTG(Z, cuDoubleComplex, double)
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasSrotmg_v2(cublasHandle_t handle, float *d1, float *d2, float *x1,
                                                          const float *y1, float *param);
VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublasDrotmg_v2(cublasHandle_t handle, double *d1, double *d2, double *x1,
                                                          const double *y1, double *param);

#define VPTR_CUBLAS_LU(letter, T) \
  VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublas##letter##getrfBatched(cublasHandle_t handle, int n, T *const A[], \
                                                                         int lda, int *P, int *info, int batchSize); \
  VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublas##letter##getriBatched( \
      cublasHandle_t handle, int n, const T *const A[], int lda, const int *P, T *const C[], int ldc, int *info, \
      int batchSize); \
  VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublas##letter##getrsBatched( \
      cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T *const Aarray[], int lda, \
      const int *devIpiv, T *const Barray[], int ldb, int *info, int batchSize); \
  VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublas##letter##matinvBatched( \
      cublasHandle_t handle, int n, const T *const A[], int lda, T *const Ainv[], int lda_inv, int *info, \
      int batchSize); \
  VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublas##letter##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, \
                                                                  const T *AP, T *A, int lda); \
  VPTR_CUDA_API cublasStatus_t CUBLASWINAPI cublas##letter##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, \
                                                                  const T *A, int lda, T *AP);
VPTR_CUBLAS_LU(S, float)
VPTR_CUBLAS_LU(D, double)
VPTR_CUBLAS_LU(C, cuComplex)
VPTR_CUBLAS_LU(Z, cuDoubleComplex)

/* ---- functions with sizes --------------------------------------------------------------------------------------- */

#define VPTR_CUBLAS_INT int
#define VPTR_CUBLAS_NAME(name) name
#define VPTR_CUBLAS_V2(name) name##_v2
#include "vptr_cublas_calls.h"
#undef VPTR_CUBLAS_INT
#undef VPTR_CUBLAS_NAME
#undef VPTR_CUBLAS_V2

#define VPTR_CUBLAS_INT int64_t
#define VPTR_CUBLAS_NAME(name) name##_64
#define VPTR_CUBLAS_V2(name) name##_v2_64
#include "vptr_cublas_calls.h"
#undef VPTR_CUBLAS_INT
#undef VPTR_CUBLAS_NAME
#undef VPTR_CUBLAS_V2

#ifdef __cplusplus
}

/* Compute types were data types before CUDA 11; C++ takes these, too. NOT_SUPPORTED: the type was never one. */
static inline cublasStatus_t cublasMigrateComputeType(cublasHandle_t handle, cudaDataType_t dataType,
                                                      cublasComputeType_t *computeType) {
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;
  cublasStatus_t status = cublasGetMathMode(handle, &mode);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  const bool is_pedantic = (mode & 0xf) == CUBLAS_PEDANTIC_MATH;
  switch (dataType) {
  case CUDA_R_32F:
  case CUDA_C_32F:
    *computeType = is_pedantic ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
    return CUBLAS_STATUS_SUCCESS;
  case CUDA_R_64F:
  case CUDA_C_64F:
    *computeType = is_pedantic ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
    return CUBLAS_STATUS_SUCCESS;
  case CUDA_R_16F:
    *computeType = is_pedantic ? CUBLAS_COMPUTE_16F_PEDANTIC : CUBLAS_COMPUTE_16F;
    return CUBLAS_STATUS_SUCCESS;
  case CUDA_R_32I:
    *computeType = is_pedantic ? CUBLAS_COMPUTE_32I_PEDANTIC : CUBLAS_COMPUTE_32I;
    return CUBLAS_STATUS_SUCCESS;
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void *alpha, const void *A, cudaDataType Atype,
                                          int lda, const void *B, cudaDataType Btype, int ldb, const void *beta,
                                          void *C, cudaDataType Ctype, int ldc, cudaDataType computeType,
                                          cublasGemmAlgo_t algo) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(handle, computeType, &compute);
  return status != CUBLAS_STATUS_SUCCESS ? status
                                         : cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype,
                                                        ldb, beta, C, Ctype, ldc, compute, algo);
}

static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                 cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                                 const void *const Aarray[], cudaDataType Atype, int lda,
                                                 const void *const Barray[], cudaDataType Btype, int ldb,
                                                 const void *beta, void *const Carray[], cudaDataType Ctype, int ldc,
                                                 int batchCount, cudaDataType computeType, cublasGemmAlgo_t algo) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(handle, computeType, &compute);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, Aarray, Atype, lda, Barray, Btype, ldb,
                                   beta, Carray, Ctype, ldc, batchCount, compute, algo);
}

static inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                        cublasOperation_t transb, int m, int n, int k,
                                                        const void *alpha, const void *A, cudaDataType Atype, int lda,
                                                        vptr_long_long strideA, const void *B, cudaDataType Btype,
                                                        int ldb, vptr_long_long strideB, const void *beta, void *C,
                                                        cudaDataType Ctype, int ldc, vptr_long_long strideC,
                                                        int batchCount, cudaDataType computeType,
                                                        cublasGemmAlgo_t algo) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(handle, computeType, &compute);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype, ldb,
                                          strideB, beta, C, Ctype, ldc, strideC, batchCount, compute, algo);
}
#endif

#endif
