/* SPDX-License-Identifier: MIT */
/*
 * lt_matmul - cublasLtMatmul().
 *
 * What is asked for is a product of product.h's (lt_task.h), and memory is looked at here. Where D is not C, what beta
 * keeps is copied there first. What follows the product is a kernel (lt_epilogue.h): in place where D is as wide as
 * what is added up; else the product is made in float aside, so that D is rounded once.
 *
 * No state, no locks. Called by programs. Nothing waits but for compilers.
 */
#include "base/error.h"
#include "cublas/lt_algorithm.h"
#include "cublas/lt_epilogue.h"
#include "cublas/lt_task.h"
#include "cuda/error.h"

#include <string.h>

#include <vptr/cuda/cuda_runtime_api.h>

enum { MOST_Z = 65535 };

static bool is_rounded(vptr__blas_family family) {
  return family == VPTR__BLAS_OF_H || family == VPTR__BLAS_OF_HALF || family == VPTR__BLAS_OF_BFLOAT16;
}

/* ---- sending ---------------------------------------------------------------------------------------------------- */

/* On the host, and all its bits: nothing of C is kept. */
static bool is_nothing(const vptr__blas_scalar *factor) {
  static const char zeros[sizeof factor->value];
  return factor->at == NULL && memcmp(&factor->value, zeros, sizeof zeros) == 0;
}

static void check_matrix(vptr__blas_call *call, const char *what, const void *at, const vptr__lt_layout *layout,
                         size_t size) {
  if (layout->batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY) {
    vptr__blas_pointers(call, what, at, layout->batch_count);
    return;
  }
  vptr__blas_strided(call, what, at, size, vptr__lt_stored_rows(layout), vptr__lt_stored_columns(layout), layout->ld,
                     layout->batch_stride, layout->batch_count);
}

static void check_memory(vptr__blas_call *call, const vptr__lt_task *it, const void *a, const void *b,
                         const void *c) {
  size_t input = vptr__blas_input_size(it->family), output = vptr__blas_output_size(it->family);
  check_matrix(call, "A", a, &it->a, input);
  check_matrix(call, "B", b, &it->b, input);
  if (!is_nothing(&it->batch.each.beta))
    check_matrix(call, "C", c, &it->c, output);
  check_matrix(call, "D", it->batch.each.c, &it->d, output);
  vptr__lt_check_epilogue_memory(call, it);
}

/* D is C, where the product is added to. */
static void copy_results(vptr__blas_call *call, const vptr__lt_task *it, const void *cs) {
  int64_t m = it->batch.each.m, n = it->batch.each.n, c_column = it->c.ld, d_column = it->d.ld;
  int64_t count = it->batch.count;
  void *ds = it->batch.each.c;
  vptr__blas_shape shape = vptr__blas_plane(m, n);
  shape.grid[2] = (uint32_t)(count < MOST_Z ? count : MOST_Z);
  vptr__blas_launch_of(call, it->family, VPTR__BLAS_COPY_BATCHED, shape,
                       VPTR__BLAS_ARGUMENTS(&m, &n, &cs, &c_column, &ds, &d_column, &count));
}

static void copy_result(vptr__blas_call *call, const vptr__lt_task *it, const void *c) {
  if (it->batch.by_pointers) {
    copy_results(call, it, c);
    return;
  }
  size_t size = vptr__blas_output_size(it->family);
  const vptr__blas_product *each = &it->batch.each;
  for (int64_t i = 0; i < it->batch.count && call->status == CUBLAS_STATUS_SUCCESS; i++) {
    cudaError_t error =
        cudaMemcpy2DAsync((char *)each->c + (int64_t)size * it->d.batch_stride * i, (size_t)it->d.ld * size,
                          (const char *)c + (int64_t)size * it->c.batch_stride * i, (size_t)it->c.ld * size,
                          (size_t)each->m * size, (size_t)each->n, cudaMemcpyDefault, (cudaStream_t)call->stream);
    if (error == cudaSuccess)
      continue;
    vptr__cuda_unrecord();
    vptr__blas_fail(call,
                    error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_EXECUTION_FAILED);
  }
}

/* CLBlast knows no conjugate that is not transposed; the library's own kernel does. */
static void multiply(vptr__blas_call *call, vptr__blas_family family, const vptr__blas_batch *batch) {
  bool is_plain = batch->each.a.operation != CUBLAS_OP_CONJG && batch->each.b.operation != CUBLAS_OP_CONJG;
  if (is_plain && batch->count == 1 && !batch->by_pointers && family <= VPTR__BLAS_OF_Z)
    vptr__blas_multiply(call, &batch->each);
  else if (is_plain)
    vptr__blas_multiply_batch(call, family, batch);
  else
    vptr__blas_launch_batch(call, family, batch);
}

static void multiply_rounded(vptr__blas_call *call, const vptr__lt_task *it, const void *c) {
  vptr__blas_batch aside = it->batch;
  size_t elements;
  if (__builtin_mul_overflow((size_t)aside.each.m, (size_t)aside.each.n * sizeof(float), &elements) ||
      __builtin_mul_overflow(elements, (size_t)aside.count, &elements))
    elements = SIZE_MAX;
  void *work = vptr__blas_work(call, elements);
  aside.each.c = work;
  aside.each.ldc = aside.each.m;
  aside.each.beta = vptr__blas_constant(VPTR__BLAS_S, 0);
  aside.c_stride = aside.each.m * aside.each.n;
  if (call->status != CUBLAS_STATUS_SUCCESS)
    return;
  multiply(call, it->family == VPTR__BLAS_OF_BFLOAT16 ? VPTR__BLAS_OF_BFLOAT16_FLOAT : VPTR__BLAS_OF_HALF_FLOAT,
           &aside);
  vptr__lt_finish(call, it, work, aside.each.ldc, aside.c_stride, it->batch.each.beta, c);
}

static void send_product(vptr__blas_call *call, const vptr__lt_task *it, const void *c) {
  if (vptr__lt_has_function(it) && is_rounded(it->family)) {
    multiply_rounded(call, it, c);
    return;
  }
  if (c != it->batch.each.c && !is_nothing(&it->batch.each.beta))
    copy_result(call, it, c);
  multiply(call, it->family, &it->batch);
  if (vptr__lt_has_function(it))
    vptr__lt_finish(call, it, it->batch.each.c, it->d.ld, it->d.batch_stride, vptr__blas_constant(call->type, 0),
                    it->batch.each.c);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc, const void *alpha,
                              const void *A, cublasLtMatrixLayout_t Adesc, const void *B,
                              cublasLtMatrixLayout_t Bdesc, const void *beta, const void *C,
                              cublasLtMatrixLayout_t Cdesc, void *D, cublasLtMatrixLayout_t Ddesc,
                              const cublasLtMatmulAlgo_t *algo, void *workspace, size_t workspaceSizeInBytes,
                              cudaStream_t stream) {
  static const char name[] = "cublasLtMatmul";
  vptr__lt_task it;
  cublasStatus_t status = vptr__lt_describe(name, lightHandle, computeDesc, Adesc, Bdesc, Cdesc, Ddesc, &it);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = algo == NULL ? status : vptr__lt_check_algorithm(name, algo);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_check_epilogue_pointers(&it);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  vptr__blas_call call =
      vptr__blas_enter_stream(name, (cublasHandle_t)(void *)lightHandle,
                              it.family <= VPTR__BLAS_OF_Z ? (vptr__blas_type)it.family : VPTR__BLAS_S, stream,
                              it.desc.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE);
  vptr__blas_require(&call, workspace != NULL || workspaceSizeInBytes == 0,
                     "the workspace is NULL, and its size is not 0");
  vptr__blas_require(&call, C != D || (it.c.ld == it.d.ld && it.c.batch_stride == it.d.batch_stride),
                     "C is D, and has another leading dimension or stride");
  if (call.status != CUBLAS_STATUS_SUCCESS || it.d.rows == 0 || it.d.columns == 0 || it.batch.count == 0)
    return vptr__blas_finish(&call);
  vptr__blas_product *each = &it.batch.each;
  each->alpha = vptr__blas_factor_of(&call, it.family, "alpha", alpha);
  each->beta = vptr__blas_factor_of(&call, it.family, "beta", beta);
  each->a.at = it.is_by_rows ? B : A;
  each->b.at = it.is_by_rows ? A : B;
  each->c = D;
  check_memory(&call, &it, A, B, C);
  if (call.status == CUBLAS_STATUS_SUCCESS) {
    send_product(&call, &it, C);
    vptr__lt_send_gradient(&call, &it, A, B);
  }
  return vptr__blas_finish(&call);
}
