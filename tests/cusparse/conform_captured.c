/* SPDX-License-Identifier: MIT */
/*
 * conform_captured - products of sparse matrices with vectors and dense ones on a stream that is captured: a graph that
 * does what the calls do, launched twice.
 */
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdio.h>
#include <string.h>

#include "support/count.h"

#define EXPECT(condition) check_that((condition), "", #condition, __LINE__)
#define FINE(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)
#define DONE(call) EXPECT((call) == cudaSuccess)

enum { N = 300, EACH = 3, ENTRIES = N * EACH, COLUMNS = 4, LAUNCHES = 2 };

static cusparseHandle_t handle;
static cudaStream_t stream;
static cusparseSpMatDescr_t matrix;
static cusparseDnVecDescr_t x_vector, y_vector;
static cusparseDnMatDescr_t b_matrix, c_matrix;
static float *values, *b, *c;
static int *offsets, *columns;
static void *buffer;
static float sent[N * COLUMNS], launched[N * COLUMNS];

static void fill_matrix(void) {
  static int first[N + 1], column[ENTRIES];
  static float value[ENTRIES];
  for (int i = 0; i <= N; i++)
    first[i] = EACH * i;
  for (int i = 0; i < ENTRIES; i++) {
    column[i] = (i / EACH + i % EACH * 7) % N;
    value[i] = (float)(i % 13 - 6) / 8;
  }
  DONE(cudaMemcpy(offsets, first, sizeof first, cudaMemcpyHostToDevice));
  DONE(cudaMemcpy(columns, column, sizeof column, cudaMemcpyHostToDevice));
  DONE(cudaMemcpy(values, value, sizeof value, cudaMemcpyHostToDevice));
}

static void fill(void) {
  static float value[N * COLUMNS];
  for (int i = 0; i < N * COLUMNS; i++)
    value[i] = (float)(i % 17 - 8) / 4;
  DONE(cudaMemcpy(b, value, sizeof value, cudaMemcpyHostToDevice));
  DONE(cudaMemcpy(c, value, sizeof value, cudaMemcpyHostToDevice));
}

static void read(float *to) {
  DONE(cudaStreamSynchronize(stream));
  DONE(cudaMemcpy(to, c, sizeof sent, cudaMemcpyDeviceToHost));
}

static void send(void) {
  const float alpha = 0.5f, beta = 0.25f;
  FINE(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, x_vector, &beta, y_vector, CUDA_R_32F,
                    CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  FINE(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix,
                    b_matrix, &beta, c_matrix, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer));
}

static void make_operands(void) {
  DONE(cudaMalloc((void **)&offsets, (N + 1) * sizeof *offsets));
  DONE(cudaMalloc((void **)&columns, ENTRIES * sizeof *columns));
  DONE(cudaMalloc((void **)&values, ENTRIES * sizeof *values));
  DONE(cudaMalloc((void **)&b, sizeof sent));
  DONE(cudaMalloc((void **)&c, sizeof sent));
  DONE(cudaMalloc(&buffer, 1 << 20));
  FINE(cusparseCreateCsr(&matrix, N, N, ENTRIES, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  FINE(cusparseCreateDnVec(&x_vector, N, b, CUDA_R_32F));
  FINE(cusparseCreateDnVec(&y_vector, N, c, CUDA_R_32F));
  FINE(cusparseCreateDnMat(&b_matrix, N, COLUMNS, N, b, CUDA_R_32F, CUSPARSE_ORDER_COL));
  FINE(cusparseCreateDnMat(&c_matrix, N, COLUMNS, N, c, CUDA_R_32F, CUSPARSE_ORDER_COL));
}

static void end_operands(void) {
  FINE(cusparseDestroySpMat(matrix));
  FINE(cusparseDestroyDnVec(x_vector));
  FINE(cusparseDestroyDnVec(y_vector));
  FINE(cusparseDestroyDnMat(b_matrix));
  FINE(cusparseDestroyDnMat(c_matrix));
  DONE(cudaFree(offsets));
  DONE(cudaFree(columns));
  DONE(cudaFree(values));
  DONE(cudaFree(b));
  DONE(cudaFree(c));
  DONE(cudaFree(buffer));
}

int main(void) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  DONE(cudaStreamCreate(&stream));
  FINE(cusparseCreate(&handle));
  FINE(cusparseSetStream(handle, stream));
  make_operands();
  fill_matrix();
  fill();
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  send();
  DONE(cudaStreamEndCapture(stream, &graph));
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < LAUNCHES; i++)
    send();
  read(sent);
  fill();
  for (int i = 0; i < LAUNCHES; i++)
    DONE(cudaGraphLaunch(exec, stream));
  read(launched);
  EXPECT(memcmp(sent, launched, sizeof sent) == 0);
  DONE(cudaGraphExecDestroy(exec));
  DONE(cudaGraphDestroy(graph));
  end_operands();
  FINE(cusparseDestroy(handle));
  DONE(cudaStreamDestroy(stream));
  printf("conform_captured: %d checks, %d failed\n", checks, failures);
  return failures != 0;
}
