/* SPDX-License-Identifier: MIT */
/*
 * gemm_ex - products whose types are arguments: the Ex functions, and what they are refused for; products with
 * vectors in batches.
 *
 * A combination of types is a family of kernels. Those of float, double and their complex kinds are the plain
 * products; half, bfloat16 and bytes are read, multiplied and added up in float or int by the library's own kernel.
 * What is allowed to be computed with less (the FAST types, algorithms) is not.
 *
 * No state, no locks. Called by programs (gemm_ex_calls.h, for both types of sizes); and by lt_task.c, which asks for
 * a combination. Nothing waits.
 */
#include "base/error.h"
#include "cublas/gemm.h"

typedef struct combination {
  cudaDataType input, output;
  int compute; /* 16, 32, 64: floating-point numbers of so many bits; -32: int */
  vptr__blas_family family;
} combination;

static const combination combinations[] = {
  { CUDA_R_32F, CUDA_R_32F, 32, VPTR__BLAS_OF_S },
  { CUDA_R_64F, CUDA_R_64F, 64, VPTR__BLAS_OF_D },
  { CUDA_C_32F, CUDA_C_32F, 32, VPTR__BLAS_OF_C },
  { CUDA_C_64F, CUDA_C_64F, 64, VPTR__BLAS_OF_Z },
  { CUDA_R_16F, CUDA_R_16F, 16, VPTR__BLAS_OF_H },
  { CUDA_R_16F, CUDA_R_16F, 32, VPTR__BLAS_OF_HALF },
  { CUDA_R_16F, CUDA_R_32F, 32, VPTR__BLAS_OF_HALF_FLOAT },
  { CUDA_R_16BF, CUDA_R_16BF, 32, VPTR__BLAS_OF_BFLOAT16 },
  { CUDA_R_16BF, CUDA_R_32F, 32, VPTR__BLAS_OF_BFLOAT16_FLOAT },
  { CUDA_R_8I, CUDA_R_32F, 32, VPTR__BLAS_OF_BYTE_FLOAT },
  { CUDA_R_8I, CUDA_R_32I, -32, VPTR__BLAS_OF_BYTE_INT },
};

static int kind_of(cublasComputeType_t compute) {
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return 16;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
  case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    return 64;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return -32;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
    return 32;
  default:
    return 0;
  }
}

static cublasStatus_t refuse_types(const char *name, cudaDataType a, cudaDataType b, cudaDataType c,
                                   cublasComputeType_t compute) {
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "%s: the types %d, %d and %d of A, B and C with compute type %d are no combination that there is", name,
              (int)a, (int)b, (int)c, (int)compute);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t vptr__blas_family_of(const char *name, cudaDataType a, cudaDataType b, cudaDataType c,
                                    cublasComputeType_t compute, vptr__blas_family *family_out) {
  for (size_t i = 0; i < sizeof combinations / sizeof *combinations; i++) {
    const combination *it = &combinations[i];
    if (it->input == a && it->input == b && it->output == c && it->compute == kind_of(compute)) {
      *family_out = it->family;
      return CUBLAS_STATUS_SUCCESS;
    }
  }
  return refuse_types(name, a, b, c, compute);
}

static cublasStatus_t find_family(const char *name, cublasHandle_t handle, cudaDataType a, cudaDataType b,
                                  cudaDataType c, cublasComputeType_t compute, vptr__blas_family *family_out) {
  cublasStatus_t status = vptr__blas_handle_check(name, handle);
  return status == CUBLAS_STATUS_SUCCESS ? vptr__blas_family_of(name, a, b, c, compute, family_out) : status;
}

/* ---- products with vectors, in batches --------------------------------------------------------------------------- */

/* y = alpha op(A) x + beta y, many times. Where x and y are pointers in memory, or narrower than float, a row times a
 * matrix is multiplied: the rows' elements are increments apart. */
typedef struct vector_batch {
  cublasOperation_t trans;
  int64_t m, n;
  const void *a, *x;
  void *y;
  int64_t lda, incx, incy, a_stride, x_stride, y_stride, count;
  bool by_pointers;
} vector_batch;

static bool begin_vectors(vptr__blas_call *call, const vector_batch *it) {
  vptr__blas_require_operation(call, "trans", it->trans);
  vptr__blas_require_size(call, "m", it->m);
  vptr__blas_require_size(call, "n", it->n);
  vptr__blas_require_leading(call, "lda", it->lda, it->m);
  vptr__blas_require_increment(call, "incx", it->incx);
  vptr__blas_require_increment(call, "incy", it->incy);
  vptr__blas_require_size(call, "batchCount", it->count);
  return call->status == CUBLAS_STATUS_SUCCESS && it->m > 0 && it->n > 0 && it->count > 0;
}

/* How far behind its first element in memory a vector begins. Where that is checked nowhere it may overflow. */
static int64_t first_of(int64_t n, int64_t inc) {
  return inc < 0 ? (int64_t)((uint64_t)(1 - n) * (uint64_t)inc) : 0;
}

static void check_vectors(vptr__blas_call *call, vptr__blas_family family, const vector_batch *it) {
  size_t input = vptr__blas_input_size(family), output = vptr__blas_output_size(family);
  int64_t x_size = it->trans == CUBLAS_OP_N ? it->n : it->m;
  int64_t y_size = it->trans == CUBLAS_OP_N ? it->m : it->n;
  if (it->by_pointers) {
    vptr__blas_pointers(call, "Aarray", it->a, it->count);
    vptr__blas_pointers(call, "xarray", it->x, it->count);
    vptr__blas_pointers(call, "yarray", it->y, it->count);
    return;
  }
  vptr__blas_strided(call, "A", it->a, input, it->m, it->n, it->lda, it->a_stride, it->count);
  vptr__blas_strided(call, "x", it->x, input, 1, x_size, it->incx, it->x_stride, it->count);
  vptr__blas_strided(call, "y", it->y, output, 1, y_size, it->incy, it->y_stride, it->count);
}

static cublasStatus_t multiply_vectors(const char *name, cublasHandle_t handle, vptr__blas_family family,
                                       vector_batch it, const void *alpha, const void *beta) {
  vptr__blas_call call =
      vptr__blas_enter(name, handle, family <= VPTR__BLAS_OF_Z ? (vptr__blas_type)family : VPTR__BLAS_S);
  if (!begin_vectors(&call, &it))
    return vptr__blas_finish(&call);
  bool turns = it.trans != CUBLAS_OP_N;
  int64_t inner = turns ? it.m : it.n, outer = turns ? it.n : it.m;
  int64_t x_first = first_of(inner, it.incx), y_first = first_of(outer, it.incy);
  vptr__blas_batch batch = { .each = { .m = 1,
                                       .n = outer,
                                       .k = inner,
                                       .a = { it.x, it.incx, CUBLAS_OP_N },
                                       .b = { it.a, it.lda, CUBLAS_OP_T },
                                       .c = it.y,
                                       .ldc = it.incy },
                             .a_stride = it.x_stride,
                             .b_stride = it.a_stride,
                             .c_stride = it.y_stride,
                             .count = it.count,
                             .by_pointers = it.by_pointers };
  if (turns)
    batch.each.b.operation = it.trans == CUBLAS_OP_C ? CUBLAS_OP_CONJG : CUBLAS_OP_N;
  batch.each.alpha = vptr__blas_factor_of(&call, family, "alpha", alpha);
  batch.each.beta = vptr__blas_factor_of(&call, family, "beta", beta);
  check_vectors(&call, family, &it);
  if (it.by_pointers) {
    batch.a_stride = x_first;
    batch.c_stride = y_first;
  } else if (call.status == CUBLAS_STATUS_SUCCESS) {
    batch.each.a.at = (const char *)it.x + x_first * (int64_t)vptr__blas_input_size(family);
    batch.each.c = (char *)it.y + y_first * (int64_t)vptr__blas_output_size(family);
  }
  vptr__blas_launch_batch(&call, family, &batch);
  return vptr__blas_finish(&call);
}

#define VPTR_CUBLAS_CALLS "cublas/gemm_ex_calls.h"
#include "cublas/both_sizes.h"
