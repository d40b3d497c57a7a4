/* SPDX-License-Identifier: MIT */
/*
 * test_lt - cuBLASLt's promises that are this library's own: memory that is wrong is told before anything is sent, what
 * there is not is NOT_SUPPORTED and says why, threads share a handle, lines tell calls.
 */
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <vptr/vptr.h>

#include "support/count.h"

#define EXPECT(condition)                                                                                            \
  do {                                                                                                               \
    bool is_right = (condition);                                                                                     \
    check_that(is_right, vptr_last_error(), #condition, __LINE__);                                                   \
  } while (0)
#define GIVES(status, call) EXPECT((call) == (status))
#define FINE(call) GIVES(CUBLAS_STATUS_SUCCESS, call)

enum { N = 8, COUNT = N * N, THREADS = 4, ROUNDS = 10 };

static cublasLtMatmulDesc_t desc;
static cublasLtMatrixLayout_t square;
static float one = 1, zero;

static float *ones(float value) {
  float host[COUNT], *device = NULL;
  for (int i = 0; i < COUNT; i++)
    host[i] = value;
  EXPECT(cudaMalloc((void **)&device, sizeof host) == cudaSuccess);
  EXPECT(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
  return device;
}

static int holds(const float *device, float value) {
  float host[COUNT];
  if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 0;
  for (int i = 0; i < COUNT; i++)
    if (host[i] != value)
      return 0;
  return 1;
}

static cublasStatus_t multiply(cublasLtHandle_t handle, const float *a, const float *b, const float *beta,
                               const float *c, float *d, cudaStream_t stream) {
  return cublasLtMatmul(handle, desc, &one, a, square, b, square, beta, c, square, d, square, NULL, NULL, 0, stream);
}

static void check_memory(cublasLtHandle_t handle) {
  float *a = ones(1), *d = ones(5), *freed = ones(1);
  EXPECT(cudaFree(freed) == cudaSuccess);
  GIVES(CUBLAS_STATUS_EXECUTION_FAILED, multiply(handle, freed, a, &zero, d, d, NULL));
  GIVES(CUBLAS_STATUS_EXECUTION_FAILED, multiply(handle, a, a + 1, &zero, d, d, NULL));
  EXPECT(strstr(vptr_last_error(), "cublasLtMatmul: B") != NULL);
  GIVES(CUBLAS_STATUS_EXECUTION_FAILED, multiply(handle, a, a, &one, freed, d, NULL));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, multiply(handle, a, a, &zero, d, NULL, NULL));
  EXPECT(holds(d, 5) && cudaGetLastError() == cudaSuccess);
  FINE(multiply(handle, a, a, &zero, NULL, d, NULL)); /* nothing is kept of C, so it is not looked at */
  EXPECT(holds(d, N));
  EXPECT(cudaFree(a) == cudaSuccess && cudaFree(d) == cudaSuccess);
}

static void set_epilogue(uint32_t epilogue, const void *bias) {
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias));
}

static void check_refusals(cublasLtHandle_t handle) {
  float *a = ones(1), *d = ones(5);
  int32_t order = CUBLASLT_ORDER_COL32, mode = CUBLASLT_POINTER_MODE_DEVICE_VECTOR, plain = 0;
  set_epilogue(CUBLASLT_EPILOGUE_BGRADA, NULL);
  GIVES(CUBLAS_STATUS_INVALID_VALUE, multiply(handle, a, a, &zero, d, d, NULL));
  set_epilogue(CUBLASLT_EPILOGUE_BGRADA, a + COUNT - 1);
  GIVES(CUBLAS_STATUS_EXECUTION_FAILED, multiply(handle, a, a, &zero, d, d, NULL));
  set_epilogue(1024, NULL);
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED, multiply(handle, a, a, &zero, d, d, NULL));
  EXPECT(strstr(vptr_last_error(), "none of cublasLtEpilogue_t") != NULL);
  set_epilogue(CUBLASLT_EPILOGUE_BIAS, NULL);
  GIVES(CUBLAS_STATUS_INVALID_VALUE, multiply(handle, a, a, &zero, d, d, NULL));
  set_epilogue(CUBLASLT_EPILOGUE_BIAS, a + COUNT - 1);
  GIVES(CUBLAS_STATUS_EXECUTION_FAILED, multiply(handle, a, a, &zero, d, d, NULL));
  set_epilogue(CUBLASLT_EPILOGUE_DEFAULT, NULL);
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode, sizeof mode));
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED, multiply(handle, a, a, &zero, d, d, NULL));
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, &plain, sizeof plain));
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED,
        cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &plain, sizeof plain));
  FINE(cublasLtMatrixLayoutSetAttribute(square, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED, multiply(handle, a, a, &zero, d, d, NULL));
  FINE(cublasLtMatrixLayoutSetAttribute(square, CUBLASLT_MATRIX_LAYOUT_ORDER, &plain, sizeof plain));
  int64_t planes = 4096, none = 0;
  FINE(cublasLtMatrixLayoutSetAttribute(square, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, &planes, sizeof planes));
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED, multiply(handle, a, a, &zero, d, d, NULL));
  FINE(cublasLtMatrixLayoutSetAttribute(square, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, &none, sizeof none));
  uint32_t by_pointers = CUBLASLT_BATCH_MODE_POINTER_ARRAY, strided = CUBLASLT_BATCH_MODE_STRIDED, wrong_mode = 2;
  FINE(cublasLtMatrixLayoutSetAttribute(square, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &wrong_mode, sizeof wrong_mode));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, multiply(handle, a, a, &zero, d, d, NULL));
  FINE(cublasLtMatrixLayoutSetAttribute(square, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &by_pointers, sizeof by_pointers));
  GIVES(CUBLAS_STATUS_EXECUTION_FAILED, multiply(handle, a + COUNT - 1, a, &zero, d, d, NULL));
  set_epilogue(CUBLASLT_EPILOGUE_RELU, NULL);
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED, multiply(handle, a, a, &zero, d, d, NULL));
  set_epilogue(CUBLASLT_EPILOGUE_DEFAULT, NULL);
  FINE(cublasLtMatrixLayoutSetAttribute(square, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &strided, sizeof strided));
  cublasLtMatmulDescOpaque_t never;
  memset(&never, 0x5a, sizeof never);
  GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulDescDestroy(&never));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulDescInit_internal(&never, 8, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulDescCreate(NULL, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  GIVES(CUBLAS_STATUS_EXECUTION_FAILED, multiply(handle, a, a, &zero, d, d, (cudaStream_t)&never));
  EXPECT(holds(d, 5));
  EXPECT(cudaFree(a) == cudaSuccess && cudaFree(d) == cudaSuccess);
}

/* A handle of cuBLAS's is one of cuBLASLt's, whose stream is the call's and not the handle's. */
static void check_cast(void) {
  cublasHandle_t handle = NULL;
  cudaStream_t stream;
  float *a = ones(1), *d = ones(5);
  FINE(cublasCreate_v2(&handle));
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  FINE(cublasSetPointerMode_v2(handle, CUBLAS_POINTER_MODE_DEVICE));
  FINE(multiply((cublasLtHandle_t)handle, a, a, &one, d, d, stream));
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && holds(d, N + 5));
  FINE(cublasDestroy_v2(handle));
  GIVES(CUBLAS_STATUS_NOT_INITIALIZED, multiply((cublasLtHandle_t)handle, a, a, &one, d, d, NULL));
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess && cudaFree(a) == cudaSuccess && cudaFree(d) == cudaSuccess);
}

/* Without B nothing is asked of its factor or its layout. */
static void check_sum_of_one(cublasLtHandle_t handle) {
  cublasLtMatrixTransformDesc_t sum;
  float *a = ones(3), *d = ones(5);
  FINE(cublasLtMatrixTransformDescCreate(&sum, CUDA_R_32F));
  FINE(cublasLtMatrixTransform(handle, sum, &one, a, square, NULL, NULL, NULL, d, square, NULL));
  EXPECT(holds(d, 3));
  FINE(cublasLtMatrixTransformDescDestroy(sum));
  EXPECT(cudaFree(a) == cudaSuccess && cudaFree(d) == cudaSuccess);
}

/* One algorithm with one configuration: others are kept, and refused where they are used. */
static void check_algorithm(cublasLtHandle_t handle) {
  cublasLtMatmulAlgo_t algo, wide, never;
  cublasLtMatmulHeuristicResult_t result;
  int ids[3] = { 7, 7, 7 }, count = -1, splits = 2;
  uint32_t alignment = 0;
  uint64_t flags = 0;
  float *a = ones(1), *d = ones(5);
#define MULTIPLY_BY(how)                                                                                             \
  cublasLtMatmul(handle, desc, &one, a, square, a, square, &zero, d, square, d, square, how, NULL, 0, NULL)
#define CHECK_OF(how) cublasLtMatmulAlgoCheck(handle, desc, square, square, square, square, how, &result)
#define TYPES(of) CUBLAS_COMPUTE_32F, of, of, of, of, of
  FINE(cublasLtMatmulAlgoGetIds(handle, TYPES(CUDA_R_32F), 3, ids, &count));
  EXPECT(count == 1 && ids[0] == 0 && ids[1] == 7);
  FINE(cublasLtMatmulAlgoGetIds(handle, TYPES(CUDA_R_8I), 3, ids, &count));
  EXPECT(count == 0);
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED, cublasLtMatmulAlgoInit(handle, TYPES(CUDA_R_8I), 0, &algo));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulAlgoInit(handle, TYPES(CUDA_R_32F), 1, &algo));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulAlgoInit(handle, TYPES(CUDA_R_32F), 0, NULL));
  GIVES(CUBLAS_STATUS_NOT_INITIALIZED, cublasLtMatmulAlgoInit(NULL, TYPES(CUDA_R_32F), 0, &algo));
  FINE(cublasLtMatmulAlgoInit(handle, TYPES(CUDA_R_32F), 0, &algo));
  FINE(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES, &alignment, 4, NULL));
  EXPECT(alignment == 4);
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED,
        cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, &flags, 8, NULL));
  GIVES(CUBLAS_STATUS_INVALID_VALUE,
        cublasLtMatmulAlgoCapGetAttribute(&algo, (cublasLtMatmulAlgoCapAttributes_t)99, &flags, 4, NULL));
  GIVES(CUBLAS_STATUS_INVALID_VALUE,
        cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_ID, &splits, sizeof splits));
  FINE(CHECK_OF(&algo));
  FINE(MULTIPLY_BY(&algo));
  EXPECT(holds(d, N));
  FINE(cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &splits, sizeof splits));
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED, CHECK_OF(&algo));
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED, MULTIPLY_BY(&algo));
  memset(&never, 0x5a, sizeof never);
  GIVES(CUBLAS_STATUS_INVALID_VALUE, MULTIPLY_BY(&never));
  FINE(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F,
                              0, &wide));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, CHECK_OF(&wide));
  EXPECT(cudaFree(a) == cudaSuccess && cudaFree(d) == cudaSuccess);
}

static cublasLtHandle_t shared;
static atomic_int wrong;

static void *work(void *number) {
  float value = (float)(size_t)number, *a = ones(value), *d = ones(0);
  cudaStream_t stream;
  int fine = cudaStreamCreate(&stream) == cudaSuccess;
  for (int round = 0; round < ROUNDS; round++)
    fine &= multiply(shared, a, a, &zero, d, d, stream) == CUBLAS_STATUS_SUCCESS;
  fine &= cudaStreamSynchronize(stream) == cudaSuccess && holds(d, N * value * value);
  atomic_fetch_add(&wrong, !fine);
  cudaStreamDestroy(stream);
  cudaFree(a);
  cudaFree(d);
  return NULL;
}

static void check_threads(cublasLtHandle_t handle) {
  pthread_t threads[THREADS];
  shared = handle;
  for (size_t i = 0; i < THREADS; i++)
    EXPECT(pthread_create(&threads[i], NULL, work, (void *)(i + 1)) == 0);
  for (size_t i = 0; i < THREADS; i++)
    EXPECT(pthread_join(threads[i], NULL) == 0);
  EXPECT(atomic_load(&wrong) == 0);
}

static int told;

static void hear(int level, const char *name, const char *message) {
  told += level == 5 && strcmp(name, "cublasLtMatmulDescInit") == 0 && message != NULL;
}

static void check_lines(void) {
  cublasLtMatmulDescOpaque_t opaque;
  FINE(cublasLtLoggerSetCallback(hear));
  FINE(cublasLtMatmulDescInit(&opaque, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  FINE(cublasLtLoggerSetLevel(5));
  FINE(cublasLtMatmulDescInit(&opaque, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  FINE(cublasLtLoggerSetMask(16));
  FINE(cublasLtMatmulDescInit(&opaque, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasLtLoggerSetLevel(9));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasLtLoggerOpenFile("/nonexistent/file"));
  FINE(cublasLtLoggerForceDisable());
  FINE(cublasLtMatmulDescInit(&opaque, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  EXPECT(told == 2);
}

int main(void) {
  cublasLtHandle_t handle = NULL;
  FINE(cublasLtCreate(&handle));
  FINE(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  FINE(cublasLtMatrixLayoutCreate(&square, CUDA_R_32F, N, N, N));
  check_memory(handle);
  check_refusals(handle);
  check_cast();
  check_sum_of_one(handle);
  check_algorithm(handle);
  check_threads(handle);
  check_lines();
  FINE(cublasLtMatrixLayoutDestroy(square));
  FINE(cublasLtMatmulDescDestroy(desc));
  FINE(cublasLtDestroy(handle));
  return verdict("test_lt");
}
