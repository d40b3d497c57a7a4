/* SPDX-License-Identifier: MIT */
/*
 * test_refusals - what this library promises beyond cuSPARSE: wrong handles, sizes and types are told, memory that is
 * freed or too short is told and nothing is sent, a stream that was destroyed is told, and handles of several threads
 * do not disturb each other.
 */
#include "sparse_check.h"

#include <pthread.h>

#define WRONG(call) GIVES(call, CUSPARSE_STATUS_INVALID_VALUE)
#define DEAD(call) GIVES(call, CUSPARSE_STATUS_NOT_INITIALIZED)
#define FAILED(call) GIVES(call, CUSPARSE_STATUS_EXECUTION_FAILED)

static void check_handles(void) {
  cusparseHandle_t handle, gone;
  cusparsePointerMode_t mode;
  cudaStream_t stream;
  int number;
  WRONG(cusparseCreate(NULL));
  FINE(cusparseCreate(&gone));
  FINE(cusparseCreate(&handle));
  EXPECT(handle != gone);
  FINE(cusparseDestroy(gone));
  DEAD(cusparseDestroy(gone));
  DEAD(cusparseSetStream(NULL, NULL));
  DEAD(cusparseGetStream(NULL, &stream));
  DEAD(cusparseGetVersion(NULL, &number));
  DEAD(cusparseSetPointerMode(gone, CUSPARSE_POINTER_MODE_HOST));
  DEAD(cusparseGetPointerMode(gone, &mode));
  WRONG(cusparseGetVersion(handle, NULL));
  WRONG(cusparseGetStream(handle, NULL));
  WRONG(cusparseSetPointerMode(handle, (cusparsePointerMode_t)5));
  WRONG(cusparseDestroySpMat(NULL));
  WRONG(cusparseDestroySpVec(NULL));
  WRONG(cusparseDestroyDnVec(NULL));
  WRONG(cusparseDestroyDnMat(NULL));
  WRONG(cusparseCreateDnVec(NULL, 0, NULL, CUDA_R_32F));
  FINE(cusparseDestroy(handle));
}

/* y = A x of one type, with everything that can be wrong about it. */
static void check_operands(void) {
  kind of = kinds[1];
  matrix a = random_matrix(of, 30, 20, EVEN);
  stored it =
      store_matrix(of, a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO);
  number zeros[30] = { 0 };
  copy x = copy_numbers(of, zeros, 20), y = copy_numbers(of, zeros, 30);
  double one = 1, sevens[30], got[30];
  cusparseHandle_t handle;
  cusparseDnVecDescr_t vx, vy, other, narrow, shorter;
  const cusparseOperation_t n = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpMVAlg_t any = CUSPARSE_SPMV_ALG_DEFAULT;
  void *gone;
  for (int i = 0; i < 30; i++)
    sevens[i] = 7;
  cudaMemcpy(y.at, sevens, sizeof sevens, cudaMemcpyHostToDevice);
  cudaMalloc(&gone, 4096);
  FINE(cusparseCreate(&handle));
  FINE(cusparseCreateDnVec(&vx, 20, x.at, of.type));
  FINE(cusparseCreateDnVec(&vy, 30, y.at, of.type));
  FINE(cusparseCreateDnVec(&other, 20, gone, of.type));
  FINE(cusparseCreateDnVec(&narrow, 20, x.at, CUDA_R_32F));
  FINE(cusparseCreateDnVec(&shorter, 20, (char *)x.at + 80, of.type));
  cudaFree(gone);
  DEAD(cusparseSpMV(NULL, n, &one, it.descr, vx, &one, vy, of.type, any, NULL));
  WRONG(cusparseSpMV(handle, (cusparseOperation_t)9, &one, it.descr, vx, &one, vy, of.type, any, NULL));
  WRONG(cusparseSpMV(handle, n, NULL, it.descr, vx, &one, vy, of.type, any, NULL));
  WRONG(cusparseSpMV(handle, n, &one, NULL, vx, &one, vy, of.type, any, NULL));
  WRONG(cusparseSpMV(handle, n, &one, it.descr, NULL, &one, vy, of.type, any, NULL));
  WRONG(cusparseSpMV(handle, n, &one, it.descr, vx, NULL, vy, of.type, any, NULL));
  WRONG(cusparseSpMV(handle, n, &one, it.descr, vx, &one, NULL, of.type, any, NULL));
  WRONG(cusparseSpMV(handle, n, &one, it.descr, vy, &one, vy, of.type, any, NULL));
  WRONG(cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &one, it.descr, vx, &one, vy, of.type, any, NULL));
  WRONG(cusparseSpMV(handle, n, &one, it.descr, vx, &one, vy, of.type, CUSPARSE_SPMV_COO_ALG1, NULL));
  WRONG(cusparseSpMV_bufferSize(handle, n, &one, it.descr, vx, &one, vy, of.type, any, NULL));
  GIVES(cusparseSpMV(handle, n, &one, it.descr, vx, &one, vy, CUDA_R_16F, any, NULL), CUSPARSE_STATUS_NOT_SUPPORTED);
  GIVES(cusparseSpMV(handle, n, &one, it.descr, vx, &one, vy, CUDA_R_32F, any, NULL), CUSPARSE_STATUS_NOT_SUPPORTED);
  GIVES(cusparseSpMV(handle, n, &one, it.descr, narrow, &one, vy, of.type, any, NULL), CUSPARSE_STATUS_NOT_SUPPORTED);
  FAILED(cusparseSpMV(handle, n, &one, it.descr, other, &one, vy, of.type, any, NULL));
  FAILED(cusparseSpMV(handle, n, &one, it.descr, shorter, &one, vy, of.type, any, NULL));
  cudaMemcpy(got, y.at, sizeof got, cudaMemcpyDeviceToHost);
  EXPECT(memcmp(got, sevens, sizeof got) == 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  FINE(cusparseSetStream(handle, stream));
  FINE(cusparseSpMV(handle, n, &one, it.descr, vx, &one, vy, of.type, any, NULL));
  cudaStreamDestroy(stream);
  FAILED(cusparseSpMV(handle, n, &one, it.descr, vx, &one, vy, of.type, any, NULL));
  FINE(cusparseDestroyDnVec(vx));
  FINE(cusparseDestroyDnVec(vy));
  FINE(cusparseDestroyDnVec(other));
  FINE(cusparseDestroyDnVec(narrow));
  FINE(cusparseDestroyDnVec(shorter));
  FINE(cusparseDestroy(handle));
  free_stored(it);
  free_matrix(a);
  cudaFree(x.base);
  cudaFree(y.base);
}

/* A matrix whose indices lead out of it has no levels. */
static void check_analysis(void) {
  kind of = kinds[0];
  int rows[2] = { 0, 1 }, offsets[3] = { 0, 1, 2 }, cols[2] = { 0, 2 };
  number values[2] = { 1, 1 };
  matrix a = { 2, 2, 2, rows, cols, offsets, values };
  stored it =
      store_matrix(of, a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO);
  copy x = copy_numbers(of, values, 2);
  float one = 1;
  cusparseHandle_t handle;
  cusparseDnVecDescr_t vector;
  cusparseSpSVDescr_t descr;
  const cusparseOperation_t n = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpSVAlg_t any = CUSPARSE_SPSV_ALG_DEFAULT;
  FINE(cusparseCreate(&handle));
  FINE(cusparseCreateDnVec(&vector, 2, x.at, of.type));
  FINE(cusparseSpSV_createDescr(&descr));
  WRONG(cusparseSpSV_solve(handle, n, &one, it.descr, vector, vector, of.type, any, descr));
  WRONG(cusparseSpSV_analysis(handle, n, &one, it.descr, vector, vector, of.type, any, descr, NULL));
  WRONG(cusparseSpSV_solve(handle, n, &one, it.descr, vector, vector, of.type, any, descr));
  FINE(cusparseSpSV_destroyDescr(descr));
  FINE(cusparseDestroyDnVec(vector));
  FINE(cusparseDestroy(handle));
  free_stored(it);
  cudaFree(x.base);
}

/* ---- threads ------------------------------------------------------------------------------------------------ */

enum { THREADS = 4, ROUNDS = 20, N = 3000 };

/* A diagonal of i + 1, times ones: each thread with a factor, a handle and a stream of its own. */
static void *multiply_often(void *number_of_thread) {
  double alpha = (double)(1 + (intptr_t)number_of_thread), zero = 0, *values = malloc(N * sizeof(double));
  int *offsets = malloc((N + 1) * sizeof(int));
  intptr_t wrong = 0;
  cudaStream_t stream;
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t x, y;
  for (int i = 0; i <= N; i++)
    offsets[i] = i;
  for (int i = 0; i < N; i++)
    values[i] = i + 1;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  copy at = copy_bytes(offsets, (N + 1) * sizeof(int), 0), diagonal = copy_bytes(values, N * sizeof(double), 0);
  copy result = copy_bytes(values, N * sizeof(double), 0);
  wrong += cusparseCreate(&handle) != 0 || cusparseSetStream(handle, stream) != 0;
  wrong += cusparseCreateCsr(&a, N, N, N, at.at, at.at, diagonal.at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F) != 0;
  wrong += cusparseCreateDnVec(&x, N, diagonal.at, CUDA_R_64F) != 0;
  wrong += cusparseCreateDnVec(&y, N, result.at, CUDA_R_64F) != 0;
  for (int round = 0; round < ROUNDS; round++)
    wrong += cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, x, &zero, y, CUDA_R_64F,
                          CUSPARSE_SPMV_ALG_DEFAULT, NULL) != 0;
  cudaStreamSynchronize(stream);
  cudaMemcpy(values, result.at, N * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++)
    wrong += values[i] != alpha * (i + 1) * (i + 1);
  wrong += cusparseDestroySpMat(a) != 0 || cusparseDestroyDnVec(x) != 0 || cusparseDestroyDnVec(y) != 0;
  wrong += cusparseDestroy(handle) != 0;
  cudaStreamDestroy(stream);
  cudaFree(at.base);
  cudaFree(diagonal.base);
  cudaFree(result.base);
  free(values);
  free(offsets);
  return (void *)wrong;
}

static void check_threads(void) {
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, multiply_often, (void *)i);
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    EXPECT(wrong == NULL);
  }
}

int main(void) {
  check_handles();
  check_operands();
  check_analysis();
  check_threads();
  return verdict("test_refusals");
}
