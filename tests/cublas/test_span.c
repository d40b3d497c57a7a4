/* SPDX-License-Identifier: MIT */
/*
 * test_span - cuBLAS over an allocation of several buffers that lie apart, each operand across a seam, beside BLAS on
 * the host: vectors, sums, products, triangles; and captured calls, which are one launch where nothing lies apart.
 *
 * Products that CLBlast would make elsewhere are the library's own kernels here, since that takes one buffer.
 */
#include "blas_check.h"

#include <cublas_v2.h>

#define FINE(call) EXPECT(#call, (call) == CUBLAS_STATUS_SUCCESS)

enum { PART = 1 << 20, COUNT = 700, SIDE = 20, LAUNCHES = 6 };

static char *span;

/* Of so many bytes, about the n-th seam. */
static void *across(int n, const void *host, size_t bytes) {
  char *at = span + (size_t)n * PART - bytes / 2 / 16 * 16;
  EXPECT("cudaMemcpy", cudaMemcpy(at, host, bytes, cudaMemcpyHostToDevice) == cudaSuccess);
  return at;
}

static void check_vectors(cublasHandle_t handle) {
  float x[COUNT], y[COUNT], by = 0.75f, sum = 0, norm = 0;
  int most = 0;
  fill_float(x, COUNT);
  fill_float(y, COUNT);
  float *dx = across(1, x, sizeof x), *dy = across(2, y, sizeof y);
  FINE(cublasSaxpy(handle, COUNT, &by, dx, 1, dy, 1));
  cblas_saxpy(COUNT, by, x, 1, y, 1);
  compare_float("axpy", dy, y, COUNT, 1e-6);
  FINE(cublasSswap(handle, COUNT / 2, dx, -2, dy, 2));
  cblas_sswap(COUNT / 2, x, -2, y, 2);
  compare_float("swap", dx, x, COUNT, 1e-6);
  FINE(cublasSscal(handle, COUNT, &by, dx, 1));
  cblas_sscal(COUNT, by, x, 1);
  compare_float("scal", dx, x, COUNT, 1e-6);
  FINE(cublasSdot(handle, COUNT, dx, 1, dy, 1, &sum));
  EXPECT("dot", is_near(sum, cblas_sdot(COUNT, x, 1, y, 1), 1e-4));
  FINE(cublasSnrm2(handle, COUNT, dx, 1, &norm));
  EXPECT("nrm2", is_near(norm, cblas_snrm2(COUNT, x, 1), 1e-4));
  FINE(cublasIsamax(handle, COUNT, dy, 1, &most));
  EXPECT("amax", most == 1 + (int)cblas_isamax(COUNT, y, 1));
  FINE(cublasScopy(handle, COUNT, dy, 1, dx, 1));
  compare_float("copy", dx, y, COUNT, 1e-6); /* of what axpy made, which may be rounded once or twice */
}

static void check_matrices(cublasHandle_t handle) {
  float a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE], alpha = 0.5f, beta = -1;
  fill_float(a, SIDE * SIDE);
  fill_float(b, SIDE * SIDE);
  fill_float(c, SIDE * SIDE);
  for (int i = 0; i < SIDE; i++)
    a[i * SIDE + i] = SIDE;
  float *da = across(1, a, sizeof a), *db = across(2, b, sizeof b), *dc = across(3, c, sizeof c);
  FINE(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, SIDE, SIDE, SIDE, &alpha, da, SIDE, db, SIDE, &beta, dc, SIDE));
  cblas_sgemm(CblasColMajor, CblasTrans, CblasNoTrans, SIDE, SIDE, SIDE, alpha, a, SIDE, b, SIDE, beta, c, SIDE);
  compare_float("gemm", dc, c, SIDE * SIDE, 1e-4);
  FINE(cublasSgemv(handle, CUBLAS_OP_N, SIDE, SIDE, &alpha, da, SIDE, db, 1, &beta, dc, SIDE));
  cblas_sgemv(CblasColMajor, CblasNoTrans, SIDE, SIDE, alpha, a, SIDE, b, 1, beta, c, SIDE);
  compare_float("gemv", dc, c, SIDE * SIDE, 1e-4);
  FINE(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, SIDE, SIDE,
                   &alpha, da, SIDE, db, SIDE));
  cblas_strsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, SIDE, SIDE, alpha, a, SIDE, b, SIDE);
  compare_float("trsm", db, b, SIDE * SIDE, 1e-4);
}

/* x and y of either kind: small calls one behind the other, launched often enough for a launch of all. */
static void check_captured(cublasHandle_t handle, float *dx, float *dy, const char *what) {
  float x[COUNT], y[COUNT], by = 0.5f;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  from_device(x, dx, sizeof x);
  from_device(y, dy, sizeof y);
  EXPECT(what, cudaStreamCreate(&stream) == cudaSuccess && cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  EXPECT(what, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  FINE(cublasSaxpy(handle, 100, &by, dx + COUNT / 2 - 50, 1, dy + COUNT / 2 - 50, 1));
  for (int i = 0; i < 3; i++)
    FINE(cublasSscal(handle, 100, &by, dy + COUNT / 2 - 50, 1));
  EXPECT(what, cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(what, cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess && cudaGraphUpload(exec, stream) == cudaSuccess);
  for (int i = 0; i < LAUNCHES; i++) {
    EXPECT(what, cudaGraphLaunch(exec, stream) == cudaSuccess);
    cblas_saxpy(100, by, x + COUNT / 2 - 50, 1, y + COUNT / 2 - 50, 1);
    cblas_sscal(100, by * by * by, y + COUNT / 2 - 50, 1);
  }
  EXPECT(what, cudaStreamSynchronize(stream) == cudaSuccess);
  compare_float(what, dy, y, COUNT, 1e-5);
  EXPECT(what, cudaGraphExecDestroy(exec) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess);
  EXPECT(what, cublasSetStream(handle, NULL) == CUBLAS_STATUS_SUCCESS && cudaStreamDestroy(stream) == cudaSuccess);
}

int main(void) {
  cublasHandle_t handle;
  float x[COUNT], *plain;
  setenv("VPTR_BUFFER_BYTES", "1M", 1);
  setenv("VPTR_BUFFER_ROWS", "0", 1);
  setenv("VPTR_RESERVE", "256M", 1); /* parts are windows of addresses, 1 MiB then */
  if (cudaMalloc((void **)&plain, 2 * sizeof x) != cudaSuccess)
    return 1;
  fill_float(x, COUNT);
  cudaMemcpy(plain, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(plain + COUNT, x, sizeof x, cudaMemcpyHostToDevice);
  FINE(cublasCreate(&handle));
  check_captured(handle, plain, plain + COUNT, "captured, in one buffer");
  if (cudaMalloc((void **)&span, 4 * (size_t)PART) != cudaSuccess)
    return 1;
  check_vectors(handle);
  check_matrices(handle);
  check_captured(handle, across(1, x, sizeof x), across(2, x, sizeof x), "captured, across seams");
  FINE(cublasDestroy(handle));
  EXPECT("cudaFree", cudaFree(span) == cudaSuccess && cudaFree(plain) == cudaSuccess);
  return verdict("test_span");
}
