/* SPDX-License-Identifier: MIT */
/*
 * test_clblast - what becomes of a product that CLBlast fails at: this program has a CLBlastSgemm() of its own, which
 * is found before the library's, and fails as it is told.
 *
 * The status says what failed. What was sent before that belongs to the stream: it is not idle until that is done.
 */
#include <stdio.h>

#include <CL/cl.h>
#include <clblast_c.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "support/count.h"

#define EXPECT(condition) check_that(condition, "", #condition, __LINE__)

static CLBlastStatusCode answer;
static cl_event gate; /* what is sent before the failure waits for this, unless it is NULL */
static int asked;

__attribute__((visibility("default"))) CLBlastStatusCode
CLBlastSgemm(const CLBlastLayout layout, const CLBlastTranspose a_transpose, const CLBlastTranspose b_transpose,
             const size_t m, const size_t n, const size_t k, const float alpha, const cl_mem a_buffer,
             const size_t a_offset, const size_t a_ld, const cl_mem b_buffer, const size_t b_offset,
             const size_t b_ld, const float beta, cl_mem c_buffer, const size_t c_offset, const size_t c_ld,
             cl_command_queue *queue, cl_event *event) {
  (void)layout, (void)a_transpose, (void)b_transpose, (void)m, (void)n, (void)k, (void)alpha, (void)a_buffer;
  (void)a_offset, (void)a_ld, (void)b_buffer, (void)b_offset, (void)b_ld, (void)beta, (void)c_buffer;
  (void)c_offset, (void)c_ld, (void)event;
  asked++;
  if (gate == NULL)
    return answer;
  cl_context context = NULL;
  clGetCommandQueueInfo(*queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL);
  gate = clCreateUserEvent(context, NULL);
  clEnqueueMarkerWithWaitList(*queue, 1, &gate, NULL);
  return answer;
}

static cublasStatus_t multiply(cublasHandle_t handle, const float *a, float *c) {
  const float one = 1, zero = 0;
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, a, 4, &zero, c, 4);
}

static void check_status(cublasHandle_t handle, const float *a, float *c) {
  static const struct {
    CLBlastStatusCode answer;
    cublasStatus_t expected;
  } rows[] = {
    { CLBlastTempBufferAllocFailure, CUBLAS_STATUS_ALLOC_FAILED },
    { CLBlastOpenCLOutOfHostMemory, CUBLAS_STATUS_ALLOC_FAILED },
    { CLBlastNoDoublePrecision, CUBLAS_STATUS_ARCH_MISMATCH },
    { CLBlastOpenCLBuildProgramFailure, CUBLAS_STATUS_EXECUTION_FAILED },
    { CLBlastUnexpectedError, CUBLAS_STATUS_EXECUTION_FAILED },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    answer = rows[i].answer;
    EXPECT(multiply(handle, a, c) == rows[i].expected);
  }
  EXPECT(asked == (int)(sizeof rows / sizeof *rows));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
}

static void check_sent(cublasHandle_t handle, const float *a, float *c) {
  cudaStream_t stream;
  EXPECT(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  EXPECT(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  answer = CLBlastOpenCLOutOfResources;
  gate = (cl_event)&gate;
  EXPECT(multiply(handle, a, c) == CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT(cudaStreamQuery(stream) == cudaErrorNotReady);
  clSetUserEventStatus(gate, CL_COMPLETE);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  EXPECT(cudaStreamQuery(stream) == cudaSuccess);
  clReleaseEvent(gate);
  cudaStreamDestroy(stream);
}

int main(void) {
  cublasHandle_t handle;
  float *memory;
  EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cudaMalloc((void **)&memory, 32 * sizeof(float)) == cudaSuccess);
  EXPECT(cudaMemset(memory, 0, 32 * sizeof(float)) == cudaSuccess);
  check_status(handle, memory, memory + 16);
  check_sent(handle, memory, memory + 16);
  EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  cudaFree(memory);
  return verdict("test_clblast");
}
