/* SPDX-License-Identifier: MIT */
/*
 * test_sparse_threads - what several threads may do at once: handles that come and go, a handle and descriptors that
 * all only ask, streams that end under a handle, and one handle that all of them end. It needs no kernels, so that it
 * runs under ThreadSanitizer on the fake device.
 */
#include "sparse_check.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 60, SIDE = 16 };

#define N CUSPARSE_OPERATION_NON_TRANSPOSE

/* What all threads ask of: y = A x, with A as CSR and in blocks. */
static struct shared {
  cusparseHandle_t handle, ended; /* the second is ended by all */
  cusparseConstSpMatDescr_t csr, bsr;
  cusparseDnVecDescr_t x, y;
  void *memory; /* of all descriptors */
  pthread_barrier_t barrier;
  atomic_int ends;
} it;

static cusparseStatus_t ask(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix) {
  const double one = 1;
  size_t bytes = 99;
  cusparseStatus_t status = cusparseSpMV_bufferSize(handle, N, &one, matrix, it.x, &one, it.y, CUDA_R_64F,
                                                    CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  return status == CUSPARSE_STATUS_SUCCESS && bytes != 0 ? CUSPARSE_STATUS_INTERNAL_ERROR : status;
}

/* How many things went wrong. */
static int use_own_handle(void) {
  int wrong = 0;
  cusparseHandle_t handle;
  cudaStream_t stream, told = NULL;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS || cudaStreamCreate(&stream) != cudaSuccess)
    return 1;
  wrong += cusparseSetStream(handle, stream) != 0 || cusparseGetStream(handle, &told) != 0 || told != stream;
  wrong += cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE) != 0;
  wrong += cusparseGetPointerMode(handle, &mode) != 0 || mode != CUSPARSE_POINTER_MODE_DEVICE;
  wrong += cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST) != 0;
  wrong += ask(handle, it.csr) != CUSPARSE_STATUS_SUCCESS;
  wrong += cudaStreamDestroy(stream) != cudaSuccess;
  wrong += ask(handle, it.csr) != CUSPARSE_STATUS_EXECUTION_FAILED;
  wrong += cusparseSetStream(handle, NULL) != 0 || ask(handle, it.bsr) != CUSPARSE_STATUS_SUCCESS;
  wrong += cusparseDestroy(handle) != 0;
  return wrong;
}

static int use_own_descriptors(void) {
  int wrong = 0;
  int64_t rows, cols, nnz;
  cusparseSpMatDescr_t made;
  wrong += cusparseCreateBlockedEll(&made, SIDE, SIDE, 4, 8, it.memory, it.memory, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_16F) != 0;
  wrong += cusparseSpMatGetSize(made, &rows, &cols, &nnz) != 0 || rows != SIDE || nnz != SIDE * 8;
  wrong += cusparseDestroySpMat(made) != 0;
  return wrong;
}

static void *work(void *context) {
  intptr_t wrong = 0;
  (void)context;
  for (int round = 0; round < ROUNDS; round++) {
    wrong += use_own_handle() + use_own_descriptors();
    wrong += ask(it.handle, it.csr) != CUSPARSE_STATUS_SUCCESS || ask(it.handle, it.bsr) != CUSPARSE_STATUS_SUCCESS;
  }
  pthread_barrier_wait(&it.barrier);
  if (cusparseDestroy(it.ended) == CUSPARSE_STATUS_SUCCESS)
    atomic_fetch_add(&it.ends, 1);
  wrong += cusparseDestroy(it.ended) != CUSPARSE_STATUS_NOT_INITIALIZED;
  return (void *)wrong;
}

int main(void) {
  void *memory;
  pthread_t threads[THREADS];
  const cusparseIndexType_t narrow = CUSPARSE_INDEX_32I;
  const cusparseIndexBase_t zero = CUSPARSE_INDEX_BASE_ZERO;
  cudaMalloc(&memory, SIDE * SIDE * sizeof(double));
  it.memory = memory;
  FINE(cusparseCreate(&it.handle));
  FINE(cusparseCreate(&it.ended));
  FINE(cusparseCreateConstCsr(&it.csr, SIDE, SIDE, SIDE, memory, memory, memory, narrow, narrow, zero, CUDA_R_64F));
  FINE(cusparseCreateConstBsr(&it.bsr, SIDE / 2, SIDE / 2, SIDE / 2, 2, 2, memory, memory, memory, narrow, narrow,
                              zero, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  FINE(cusparseCreateDnVec(&it.x, SIDE, memory, CUDA_R_64F));
  FINE(cusparseCreateDnVec(&it.y, SIDE, memory, CUDA_R_64F));
  EXPECT(pthread_barrier_init(&it.barrier, NULL, THREADS) == 0);
  for (int i = 0; i < THREADS; i++)
    EXPECT(pthread_create(&threads[i], NULL, work, NULL) == 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    EXPECT(pthread_join(threads[i], &wrong) == 0 && wrong == NULL);
  }
  EXPECT(atomic_load(&it.ends) == 1);
  pthread_barrier_destroy(&it.barrier);
  FINE(cusparseDestroySpMat(it.csr));
  FINE(cusparseDestroySpMat(it.bsr));
  FINE(cusparseDestroyDnVec(it.x));
  FINE(cusparseDestroyDnVec(it.y));
  FINE(cusparseDestroy(it.handle));
  GIVES(cusparseSetStream(it.handle, NULL), CUSPARSE_STATUS_NOT_INITIALIZED);
  cudaFree(memory);
  return verdict("test_sparse_threads");
}
