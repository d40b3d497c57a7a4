/* SPDX-License-Identifier: MIT */
/*
 * conform_lt_gradient - the epilogues that training needs, beside loops on the host: ReLU with its bits, the
 * derivatives of ReLU and GELU, and gradients of a bias, of D and of the factors.
 *
 * Compiles against NVIDIA's library as well, which is not asked where a bit lies: there the bits that it wrote are
 * given back to it.
 */
#include "lt_product.h"

typedef struct aside {
  void *at;
  int64_t ld, stride, bytes;
} aside;

static void set_aside(cublasLtMatmulDesc_t desc, uint32_t epilogue, const aside *aux, const matrix *bias) {
  int64_t stride = bias->stride;
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias->device, sizeof(void *)));
  FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, &stride, sizeof stride));
  if (aux != NULL) {
    FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux->at, sizeof(void *)));
    FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &aux->ld, sizeof aux->ld));
    FINE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, &aux->stride,
                                        sizeof aux->stride));
  }
}

/* NVIDIA's calls some of the epilogues, orders and types that do not go together a wrong argument. */
static bool has_no_algorithm(cublasStatus_t status) {
#ifdef ON_NVIDIA
  if (status == CUBLAS_STATUS_INVALID_VALUE)
    status = CUBLAS_STATUS_NOT_SUPPORTED;
#endif
  return is_left_out(status);
}

/* Of operation and factors; the epilogue is sent afterwards. */
static cublasLtMatmulDesc_t new_operation(product *it) {
  cublasLtMatmulDesc_t desc;
  it->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  FINE(cublasLtMatmulDescCreate(&desc, it->of->compute, it->of->scale));
  set_operation(desc, it);
  return desc;
}

static double sum_of(const product *it, int batch, int i, int j) {
  double complex sum = 0;
  int depth = it->op_a == CUBLAS_OP_N ? it->a.columns : it->a.rows;
  for (int k = 0; k < depth; k++)
    sum += element_of(&it->a, batch, i, k, it->op_a) * element_of(&it->b, batch, k, j, it->op_b);
  return creal(it->alpha * sum + it->beta * element_of(&it->c, batch, i, j, CUBLAS_OP_N));
}

static double slope_of_gelu(double x) {
  double by = 0.7978845608028654, t = tanh(by * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * by * (1 + 3 * 0.044715 * x * x);
}

/* D of the host: what is to be there of each element, and what lies between the columns as it was. */
static void *new_result(const product *it) {
  size_t bytes = (size_t)it->d.elements * size_of_type(it->d.type);
  return memcpy(calloc((size_t)it->d.elements + 1, 16), it->d.host, bytes);
}

/* What the device has of D, or the bias, added up: over columns into a number for each row. */
static void compare_gradient(const char *what, const product *it, bool is_of_d, const double *sums, int length) {
  size_t bytes = (size_t)it->bias.elements * size_of_type(it->bias.type);
  void *expected = memcpy(calloc((size_t)it->bias.elements + 1, 16), it->bias.host, bytes);
  for (int batch = 0; batch < it->bias.batch; batch++)
    for (int i = 0; i < length; i++)
      put(it->bias.type, expected, place_of(&it->bias, batch, i, 0), sums[batch * length + i]);
  compare_matrix(what, &it->bias, expected,
                 it->of->tolerance < 1e-9 ? 1e-10 : it->of->tolerance + (is_of_d ? 1e-4 : 0));
  free(expected);
}

static void check_gradient_of_d(const char *what, const product *it) {
  double *sums = calloc((size_t)(it->d.rows * it->d.batch), sizeof *sums);
  void *d = calloc((size_t)it->d.elements + 1, 16);
  from_device(d, it->d.device, (size_t)it->d.elements * size_of_type(it->d.type));
  for (int batch = 0; batch < it->d.batch; batch++)
    for (int i = 0; i < it->d.rows; i++)
      for (int j = 0; j < it->d.columns; j++)
        sums[batch * it->d.rows + i] += creal(get(it->d.type, d, place_of(&it->d, batch, i, j)));
  compare_gradient(what, it, true, sums, it->d.rows);
  free(sums);
  free(d);
}

/* ---- ReLU: forward with its bits, then the derivative by them ---------------------------------------------------- */

static bool bit_of(const product *it, const aside *mask, const unsigned char *bits, int batch, int i, int j) {
  int64_t at = batch * mask->stride + (it->d.by_rows ? j + i * mask->ld : i + j * mask->ld);
  return bits[at / 8] >> at % 8 & 1;
}

static void compare_bits(const product *it, const aside *mask, const unsigned char *bits) {
  bool is_right = true;
#ifndef ON_NVIDIA
  unsigned char *got = malloc((size_t)mask->bytes);
  from_device(got, mask->at, (size_t)mask->bytes);
  for (int batch = 0; batch < it->d.batch; batch++)
    for (int i = 0; i < it->d.rows; i++)
      for (int j = 0; j < it->d.columns; j++)
        is_right &= bit_of(it, mask, got, batch, i, j) == bit_of(it, mask, bits, batch, i, j);
  free(got);
#else
  (void)it, (void)mask, (void)bits;
#endif
  EXPECT("the bits of ReLU", is_right);
}

static void check_relu(cublasLtHandle_t handle, product *it, bool has_bias, bool has_gradient) {
  int rows = it->d.by_rows ? it->d.columns : it->d.rows, lines = it->d.by_rows ? it->d.rows : it->d.columns;
  aside mask = { .ld = (rows + 127) / 128 * 128 };
  mask.stride = mask.ld * lines;
  mask.bytes = mask.stride * it->d.batch / 8;
  unsigned char *bits = calloc((size_t)mask.bytes, 1);
  mask.at = on_device(bits, (size_t)mask.bytes);
  void *forward = new_result(it), *backward = new_result(it);
  for (int batch = 0; batch < it->d.batch; batch++)
    for (int i = 0; i < it->d.rows; i++)
      for (int j = 0; j < it->d.columns; j++) {
        int64_t at = batch * mask.stride + (it->d.by_rows ? j + i * mask.ld : i + j * mask.ld);
        double sum = sum_of(it, batch, i, j);
        double biased = sum + (has_bias ? creal(element_of(&it->bias, batch, i, 0, CUBLAS_OP_N)) : 0);
        bits[at / 8] |= (unsigned char)((biased > 0) << at % 8);
        put(it->d.type, forward, place_of(&it->d, batch, i, j), biased > 0 ? biased : 0);
        put(it->d.type, backward, place_of(&it->d, batch, i, j), biased > 0 ? sum : 0);
      }
  cublasLtMatmulDesc_t desc = new_operation(it);
  set_aside(desc, has_bias ? CUBLASLT_EPILOGUE_RELU_AUX_BIAS : CUBLASLT_EPILOGUE_RELU_AUX, &mask, &it->bias);
  cublasStatus_t status = send_product(handle, desc, it, false);
  if (!has_no_algorithm(status)) {
    EXPECT("ReLU", status == CUBLAS_STATUS_SUCCESS && cudaDeviceSynchronize() == cudaSuccess);
    compare_matrix("ReLU", &it->d, forward, it->of->tolerance);
    compare_bits(it, &mask, bits);
    set_aside(desc, has_gradient ? CUBLASLT_EPILOGUE_DRELU_BGRAD : CUBLASLT_EPILOGUE_DRELU, &mask, &it->bias);
    status = send_product(handle, desc, it, false);
    if (!has_no_algorithm(status)) {
      EXPECT("its derivative", status == CUBLAS_STATUS_SUCCESS && cudaDeviceSynchronize() == cudaSuccess);
      compare_matrix("its derivative", &it->d, backward, it->of->tolerance);
      if (has_gradient)
        check_gradient_of_d("a gradient behind ReLU", it);
    }
  }
  FINE(cublasLtMatmulDescDestroy(desc));
  free(bits), free(forward), free(backward);
}

static void check_gelu(cublasLtHandle_t handle, product *it, bool has_gradient) {
  aside aux = { it->aux.device, it->aux.ld, it->aux.stride, 0 };
  void *expected = new_result(it);
  for (int batch = 0; batch < it->d.batch; batch++)
    for (int i = 0; i < it->d.rows; i++)
      for (int j = 0; j < it->d.columns; j++)
        put(it->d.type, expected, place_of(&it->d, batch, i, j),
            sum_of(it, batch, i, j) * slope_of_gelu(creal(element_of(&it->aux, batch, i, j, CUBLAS_OP_N))));
  cublasLtMatmulDesc_t desc = new_operation(it);
  set_aside(desc, has_gradient ? CUBLASLT_EPILOGUE_DGELU_BGRAD : CUBLASLT_EPILOGUE_DGELU, &aux, &it->bias);
  cublasStatus_t status = send_product(handle, desc, it, false);
  if (!has_no_algorithm(status)) {
    EXPECT("GELU's derivative", status == CUBLAS_STATUS_SUCCESS && cudaDeviceSynchronize() == cudaSuccess);
    compare_matrix("GELU's derivative", &it->d, expected, 2 * it->of->tolerance);
    if (has_gradient)
      check_gradient_of_d("a gradient behind GELU", it);
  }
  FINE(cublasLtMatmulDescDestroy(desc));
  free(expected);
}

/* ---- sums of the factors ----------------------------------------------------------------------------------------- */

static void check_inputs(cublasLtHandle_t handle, product *it, bool of_a) {
  int depth = it->op_a == CUBLAS_OP_N ? it->a.columns : it->a.rows, length = of_a ? it->d.rows : it->d.columns;
  double *sums = calloc((size_t)(length * it->d.batch), sizeof *sums);
  void *expected = new_result(it);
  for (int batch = 0; batch < it->d.batch; batch++) {
    for (int i = 0; i < it->d.rows; i++)
      for (int j = 0; j < it->d.columns; j++)
        put(it->d.type, expected, place_of(&it->d, batch, i, j), sum_of(it, batch, i, j));
    for (int i = 0; i < length; i++)
      for (int k = 0; k < depth; k++)
        sums[batch * length + i] +=
            creal(of_a ? element_of(&it->a, batch, i, k, it->op_a) : element_of(&it->b, batch, k, i, it->op_b));
  }
  if (!of_a) { /* a number for each column of D */
    end_matrix(&it->bias);
    it->bias = new_matrix(it->of->output, length, 1, false, it->d.batch);
  }
  cublasLtMatmulDesc_t desc = new_operation(it);
  set_aside(desc, of_a ? CUBLASLT_EPILOGUE_BGRADA : CUBLASLT_EPILOGUE_BGRADB, NULL, &it->bias);
  cublasStatus_t status = send_product(handle, desc, it, false);
  if (!has_no_algorithm(status)) {
    EXPECT("sums of a factor", status == CUBLAS_STATUS_SUCCESS && cudaDeviceSynchronize() == cudaSuccess);
    compare_matrix("the product beside them", &it->d, expected, it->of->tolerance);
    compare_gradient(of_a ? "sums of A" : "sums of B", it, false, sums, length);
  }
  FINE(cublasLtMatmulDescDestroy(desc));
  free(sums), free(expected);
}

int main(void) {
  static const int types[] = { 0, 1, 4, 5, 6 };
  cublasLtHandle_t handle = NULL;
  setvbuf(stdout, NULL, _IOLBF, 0);
  FINE(cublasLtCreate(&handle));
  for (int turn = 0; turn < 40; turn++) {
    const kind *of = &kinds[types[turn % 5]];
    product it = random_product(of, CUBLASLT_EPILOGUE_DEFAULT, random_int(1, 3));
    switch (turn / 5 % 4) {
    case 0:
      check_relu(handle, &it, turn >= 20, turn >= 20);
      break;
    case 1:
      check_gelu(handle, &it, turn >= 20);
      break;
    default:
      check_inputs(handle, &it, turn / 5 % 4 == 2);
    }
    end_product(&it);
  }
  FINE(cublasLtDestroy(handle));
  EXPECT("a tenth of the products is there", 10 * left_out <= 9 * asked);
  if (left_out > 0)
    printf("%d of %d products are not supported\n", left_out, asked);
  return verdict("conform_lt_gradient");
}
