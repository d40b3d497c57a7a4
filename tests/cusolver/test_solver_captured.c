/* SPDX-License-Identifier: MIT */
/*
 * test_solver_captured - calls on a stream that is captured: sizes are told, and the capture goes on; what computes is
 * refused before anything is written, and the capture is invalid. Calls on other streams are made.
 */
#include "solver_check.h"

#include <vptr/vptr.h>

enum { N = 6 };

typedef struct operands {
  cusolverDnHandle_t handle;
  cudaStream_t stream;
  float *a, *b, *tau, *work, **matrices;
  int *ipiv, *info;
} operands;

typedef cusolverStatus_t (*kind)(const operands *it);

static cusolverStatus_t call_potrf(const operands *it) {
  return cusolverDnSpotrf(it->handle, CUBLAS_FILL_MODE_LOWER, N, it->a, N, it->work, 1, it->info);
}

static cusolverStatus_t call_potrs(const operands *it) {
  return cusolverDnSpotrs(it->handle, CUBLAS_FILL_MODE_LOWER, N, 1, it->a, N, it->b, N, it->info);
}

static cusolverStatus_t call_getrf(const operands *it) {
  return cusolverDnSgetrf(it->handle, N, N, it->a, N, it->work, it->ipiv, it->info);
}

static cusolverStatus_t call_getrs(const operands *it) {
  return cusolverDnSgetrs(it->handle, CUBLAS_OP_N, N, 1, it->a, N, NULL, it->b, N, it->info);
}

static cusolverStatus_t call_geqrf(const operands *it) {
  return cusolverDnSgeqrf(it->handle, N, N, it->a, N, it->tau, it->work, 1, it->info);
}

static cusolverStatus_t call_syevd(const operands *it) {
  return cusolverDnSsyevd(it->handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, N, it->a, N, it->tau,
                          it->work, 1, it->info);
}

static cusolverStatus_t call_gesvd(const operands *it) {
  return cusolverDnSgesvd(it->handle, 'O', 'N', N, N, it->a, N, it->tau, NULL, 1, NULL, 1, it->work, 1, NULL,
                          it->info);
}

static cusolverStatus_t call_batch(const operands *it) {
  return cusolverDnSpotrfBatched(it->handle, CUBLAS_FILL_MODE_LOWER, N, it->matrices, N, it->info, 1);
}

static cusolverStatus_t call_typed(const operands *it) {
  return cusolverDnXpotrf(it->handle, NULL, CUBLAS_FILL_MODE_LOWER, N, CUDA_R_32F, it->a, N, CUDA_R_32F, it->work,
                          sizeof(float), NULL, 0, it->info);
}

static void sizes_are_told(const operands *it) {
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  cudaGraph_t graph = NULL;
  syevjInfo_t jacobi;
  int room = 0;
  size_t there = 0, here = 0;
  FINE(cusolverDnCreateSyevjInfo(&jacobi));
  EXPECT("begin", cudaStreamBeginCapture(it->stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  FINE(cusolverDnSpotrf_bufferSize(it->handle, lower, N, it->a, N, &room));
  FINE(cusolverDnSgetrf_bufferSize(it->handle, N, N, it->a, N, &room));
  FINE(cusolverDnSgeqrf_bufferSize(it->handle, N, N, it->a, N, &room));
  FINE(cusolverDnSgesvd_bufferSize(it->handle, N, N, &room));
  FINE(cusolverDnSsyevj_bufferSize(it->handle, with, lower, N, it->a, N, it->tau, &room, jacobi));
  FINE(cusolverDnSSgesv_bufferSize(it->handle, N, 1, it->a, N, it->ipiv, it->b, N, it->b, N, NULL, &there));
  FINE(cusolverDnXgesvd_bufferSize(it->handle, NULL, 'N', 'N', N, N, CUDA_R_32F, it->a, N, CUDA_R_32F, it->tau,
                                   CUDA_R_32F, NULL, N, CUDA_R_32F, NULL, N, CUDA_R_32F, &there, &here));
  EXPECT("end", cudaStreamEndCapture(it->stream, &graph) == cudaSuccess && graph != NULL && room >= 1 && there >= 1);
  cudaGraphDestroy(graph);
  FINE(cusolverDnDestroySyevjInfo(jacobi));
}

/* Twice the unit matrix, which all of the functions take. */
static void begin_operands(const operands *it) {
  float a[N * N] = { 0 };
  const int mark = -77;
  for (int i = 0; i < N; i++)
    a[i * (N + 1)] = 2;
  cudaMemcpy(it->a, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(it->info, &mark, sizeof mark, cudaMemcpyHostToDevice);
}

static bool is_untouched(const operands *it) {
  float a[N * N];
  bool is = value_of(it->info) == -77;
  from_device(a, it->a, sizeof a);
  for (int i = 0; i < N * N; i++)
    is = is && a[i] == (i % (N + 1) == 0 ? 2.0f : 0.0f);
  return is;
}

static void is_refused(const operands *it, const char *what, kind call) {
  cudaGraph_t graph = NULL;
  sizes("%s", what);
  begin_operands(it);
  EXPECT("begin", cudaStreamBeginCapture(it->stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  EXPECT("is refused", call(it) == CUSOLVER_STATUS_ARCH_MISMATCH);
  EXPECT("the error names it", strstr(vptr_last_error(), "capture") != NULL);
  EXPECT("the runtime's last error is as it was", cudaPeekAtLastError() == cudaSuccess);
  EXPECT("end", cudaStreamEndCapture(it->stream, &graph) == cudaErrorStreamCaptureInvalidated && graph == NULL);
  EXPECT("end's error", cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
  EXPECT("nothing was written", is_untouched(it));
  FINE(call(it));
  EXPECT("the info", value_of(it->info) == 0);
}

/* Another stream is captured, by itself, and that goes on. */
static void others_go_on(const operands *it) {
  cudaStream_t other;
  cudaGraph_t graph = NULL;
  sizes("another stream");
  EXPECT("a stream", cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
  begin_operands(it);
  EXPECT("begin", cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  FINE(call_potrf(it));
  EXPECT("end", cudaStreamEndCapture(other, &graph) == cudaSuccess && graph != NULL);
  EXPECT("the info", value_of(it->info) == 0);
  cudaGraphDestroy(graph);
  EXPECT("it ends", cudaStreamDestroy(other) == cudaSuccess);
}

int main(void) {
  static const struct {
    const char *what;
    kind call;
  } calls[] = { { "potrf", call_potrf }, { "potrs", call_potrs },        { "getrf", call_getrf },
                { "getrs", call_getrs }, { "geqrf", call_geqrf },        { "syevd", call_syevd },
                { "gesvd", call_gesvd }, { "potrfBatched", call_batch }, { "Xpotrf", call_typed } };
  operands it = { 0 };
  begin_memory();
  FINE(cusolverDnCreate(&it.handle));
  EXPECT("a stream", cudaStreamCreateWithFlags(&it.stream, cudaStreamNonBlocking) == cudaSuccess);
  FINE(cusolverDnSetStream(it.handle, it.stream));
  it.a = new_buffer(N * N * sizeof(float)), it.b = new_buffer(N * sizeof(float));
  it.tau = new_buffer(N * sizeof(float)), it.work = new_buffer(N * sizeof(float));
  it.ipiv = new_buffer(N * sizeof(int)), it.info = new_info();
  it.matrices = on_device(&it.a, sizeof it.a);
  sizes_are_told(&it);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    is_refused(&it, calls[i].what, calls[i].call);
  others_go_on(&it);
  FINE(cusolverDnDestroy(it.handle));
  EXPECT("it ends", cudaStreamDestroy(it.stream) == cudaSuccess);
  cudaFree(it.a), cudaFree(it.b), cudaFree(it.tau), cudaFree(it.work), cudaFree(it.ipiv);
  return verdict("test_solver_captured");
}
