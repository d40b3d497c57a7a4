/* SPDX-License-Identifier: MIT */
/*
 * lt_product - for programs that hold cuBLASLt against loops on the host: a product at random, and sending it by what
 * the heuristic says.
 */
#ifndef LT_PRODUCT_H
#define LT_PRODUCT_H

#include "lt_check.h"

typedef struct product {
  const kind *of;
  matrix a, b, c, d;
  cublasOperation_t op_a, op_b;
  double complex alpha, beta;
  uint32_t epilogue;
  matrix bias, aux;
  int failed_before;     /* checks, when it was made */
  cublasStatus_t status; /* of what was sent last */
} product;

/* Products that NVIDIA's library has no algorithm for, as it may. */
static int asked, left_out;

static inline bool is_left_out(cublasStatus_t status) {
#ifdef ON_NVIDIA
  bool is_missing = status == CUBLAS_STATUS_NOT_SUPPORTED;
#else
  bool is_missing = false;
  (void)status;
#endif
  asked++;
  left_out += is_missing;
  return is_missing;
}

static inline void set_operation(cublasLtMatmulDesc_t desc, product *it) {
  int64_t bias_stride = it->bias.stride, aux_ld = it->aux.ld, aux_stride = it->aux.stride;
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &it->op_a, sizeof it->op_a));
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSB, &it->op_b, sizeof it->op_b));
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &it->epilogue, sizeof it->epilogue));
  if (it->epilogue & CUBLASLT_EPILOGUE_BIAS) {
    FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &it->bias.device, sizeof(void *)));
    FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, &bias_stride, 8));
  }
  if (it->epilogue & 128) {
    FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &it->aux.device,
                                        sizeof(void *)));
    FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &aux_ld, 8));
    FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, &aux_stride, 8));
  }
}

static inline void *place_on_device(const matrix *it) { return it->pointers != NULL ? it->pointers : it->device; }

static inline cublasStatus_t send_product(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, product *it,
                                   bool on_device_too) {
  _Alignas(16) char factors[32];
  cublasLtMatmulHeuristicResult_t result;
  int count = 0;
  const void *alpha = factors, *beta = factors + 16;
  int32_t mode = on_device_too ? CUBLASLT_POINTER_MODE_DEVICE : CUBLASLT_POINTER_MODE_HOST;
  put(it->of->scale, factors, 0, it->alpha);
  put(it->of->scale, factors + 16, 0, it->beta);
  if (on_device_too) {
    char *place = on_device(factors, sizeof factors);
    alpha = place;
    beta = place + 16;
  }
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode, sizeof mode));
  cublasLtMatmulPreference_t preference;
  FINE(cublasLtMatmulPreferenceCreate(&preference));
  cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(handle, desc, it->a.layout, it->b.layout, it->c.layout,
                                                         it->d.layout, preference, 1, &result, &count);
  FINE(cublasLtMatmulPreferenceDestroy(preference));
  if (status != CUBLAS_STATUS_SUCCESS || count == 0)
    return it->status = status != CUBLAS_STATUS_SUCCESS ? status : CUBLAS_STATUS_NOT_SUPPORTED;
  EXPECT("the workspace is within what was allowed: none", result.workspaceSize == 0);
  it->status = cublasLtMatmul(handle, desc, alpha, place_on_device(&it->a), it->a.layout, place_on_device(&it->b),
                              it->b.layout, beta, place_on_device(&it->c), it->c.layout, place_on_device(&it->d),
                              it->d.layout, &result.algo, NULL, 0, NULL);
  return it->status;
}

static inline product random_product(const kind *of, uint32_t epilogue, int batch) {
  static const cublasOperation_t operations[] = { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
  int m = random_int(1, 40), n = random_int(1, 40), k = random_int(1, 40);
  bool in_rows = random_int(0, 1);
  product it = { .of = of, .epilogue = epilogue, .failed_before = failures };
  if (of == &kinds[BYTES]) { /* NVIDIA's are for shapes of 4, A transposed, by columns */
    m = (m + 3) / 4 * 4, n = (n + 3) / 4 * 4, k = (k + 3) / 4 * 4;
    in_rows = false;
  }
  it.op_a = operations[of == &kinds[BYTES] ? 1 : random_int(0, 2)];
  it.op_b = operations[of == &kinds[BYTES] ? 0 : random_int(0, 2)];
  begin_memory();
  it.a = it.op_a == CUBLAS_OP_N ? new_matrix(of->input, m, k, random_int(0, 1) && of != &kinds[BYTES], batch)
                                : new_matrix(of->input, k, m, random_int(0, 1) && of != &kinds[BYTES], batch);
  it.b = it.op_b == CUBLAS_OP_N ? new_matrix(of->input, k, n, random_int(0, 1) && of != &kinds[BYTES], batch)
                                : new_matrix(of->input, n, k, random_int(0, 1) && of != &kinds[BYTES], batch);
  it.c = new_matrix(of->output, m, n, in_rows, batch);
  it.d = new_matrix(of->output, m, n, in_rows, batch);
  it.bias = new_matrix(of->output, m, 1, false, batch);
  it.aux = new_matrix(of->output, m, n, in_rows, batch);
  it.alpha = some_number(of->scale);
  it.beta = random_int(0, 2) ? some_number(of->scale) : 0;
  return it;
}

/* Tells what the product was, if something of it was wrong. */
static inline void end_product(product *it) {
  if (failures > it->failed_before && it->failed_before < 20)
    printf("  of %s: %d by %d by %d, %d of them, operations %d and %d, by rows %d, %d, %d, beta %g, status %d\n",
           it->of->name, it->d.rows, it->d.columns, it->op_a == CUBLAS_OP_N ? it->a.columns : it->a.rows, it->d.batch,
           (int)it->op_a, (int)it->op_b, it->a.by_rows, it->b.by_rows, it->d.by_rows, creal(it->beta),
           (int)it->status);
  end_matrix(&it->a);
  end_matrix(&it->b);
  end_matrix(&it->c);
  end_matrix(&it->d);
  end_matrix(&it->bias);
  end_matrix(&it->aux);
}

#endif
