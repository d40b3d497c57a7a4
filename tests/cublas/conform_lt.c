/* SPDX-License-Identifier: MIT */
/*
 * conform_lt - products and sums by cuBLASLt's descriptors beside loops on the host: types, orders, operations,
 * batches, factors on host and device, what follows a product; and what is refused.
 *
 * Compiles against NVIDIA's library as well (ON_NVIDIA), which has no algorithm for every product: those are counted
 * and left out. What its documentation does not promise (NULL for a descriptor, a preference or a factor) is asked of
 * ours alone. Numbers are small multiples of 1/8, so that sums are exact where nothing is rounded but the result;
 * arrays are compared whole, with what lies between the columns.
 */
#include "lt_product.h"

/* ---- products ---------------------------------------------------------------------------------------------------- */

static double activation_of(double x, uint32_t epilogue) {
  if (epilogue & CUBLASLT_EPILOGUE_RELU)
    return x > 0 ? x : 0;
  if (epilogue & CUBLASLT_EPILOGUE_GELU)
    return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
  return x;
}

/* What D, and the auxiliary matrix, should be. */
static void multiply_on_host(const product *it, void *d, void *aux) {
  int depth = it->op_a == CUBLAS_OP_N ? it->a.columns : it->a.rows;
  for (int batch = 0; batch < it->d.batch; batch++)
    for (int i = 0; i < it->d.rows; i++)
      for (int j = 0; j < it->d.columns; j++) {
        double complex sum = 0;
        for (int k = 0; k < depth; k++)
          sum += element_of(&it->a, batch, i, k, it->op_a) * element_of(&it->b, batch, k, j, it->op_b);
        sum = it->alpha * sum + it->beta * element_of(&it->c, batch, i, j, CUBLAS_OP_N);
        if (it->epilogue & CUBLASLT_EPILOGUE_BIAS)
          sum += element_of(&it->bias, batch, i, 0, CUBLAS_OP_N);
        if (it->epilogue & 128)
          put(it->aux.type, aux, place_of(&it->aux, batch, i, j), sum);
        if (it->epilogue != CUBLASLT_EPILOGUE_DEFAULT)
          sum = activation_of(creal(sum), it->epilogue);
        put(it->d.type, d, place_of(&it->d, batch, i, j), sum);
      }
}

static void check_product(cublasLtHandle_t handle, product *it, bool by_device) {
  cublasLtMatmulDesc_t desc;
  void *d = malloc((size_t)it->d.elements * 16 + 1), *aux = malloc((size_t)it->aux.elements * 16 + 1);
  memcpy(d, it->d.host, (size_t)it->d.elements * size_of_type(it->d.type));
  if (it->aux.host != NULL)
    memcpy(aux, it->aux.host, (size_t)it->aux.elements * size_of_type(it->aux.type));
  multiply_on_host(it, d, aux);
  FINE(cublasLtMatmulDescCreate(&desc, it->of->compute, it->of->scale));
  set_operation(desc, it);
  cublasStatus_t status = send_product(handle, desc, it, by_device);
  if (!is_left_out(status)) {
    double tolerance = it->of->tolerance;
#ifdef ON_NVIDIA /* whose GELU of doubles has the digits of a float */
    if (it->epilogue & CUBLASLT_EPILOGUE_GELU && tolerance < 1e-5)
      tolerance = 1e-5;
#endif
    EXPECT(it->of->name, status == CUBLAS_STATUS_SUCCESS);
    EXPECT("the end", cudaDeviceSynchronize() == cudaSuccess);
    compare_matrix(it->of->name, &it->d, d,
                   tolerance > 0 && it->epilogue != CUBLASLT_EPILOGUE_DEFAULT ? 2 * tolerance : tolerance);
    if (it->epilogue & 128)
      compare_matrix("the auxiliary matrix", &it->aux, aux, tolerance);
  }
  FINE(cublasLtMatmulDescDestroy(desc));
  free(d);
  free(aux);
}

static void check_products(cublasLtHandle_t handle) {
  for (int i = 0; i < KINDS; i++)
    for (int round = 0; round < ROUNDS; round++) {
      product it = random_product(&kinds[i], CUBLASLT_EPILOGUE_DEFAULT, round % 2 ? 1 : random_int(2, 4));
      check_product(handle, &it, round == 2 || round == 3);
      end_product(&it);
    }
}

static void check_epilogues(cublasLtHandle_t handle) {
  static const uint32_t epilogues[] = { CUBLASLT_EPILOGUE_BIAS,         CUBLASLT_EPILOGUE_RELU,
                                        CUBLASLT_EPILOGUE_RELU_BIAS,    CUBLASLT_EPILOGUE_GELU,
                                        CUBLASLT_EPILOGUE_GELU_BIAS,    CUBLASLT_EPILOGUE_GELU_AUX,
                                        CUBLASLT_EPILOGUE_GELU_AUX_BIAS };
  static const int types[] = { 0, 1, 4, 5, 6 };
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 7; j++) {
      product it = random_product(&kinds[types[i]], epilogues[j], random_int(1, 3));
      check_product(handle, &it, j == 4);
      end_product(&it);
    }
}

/* C is D; and nothing to add up. */
static void check_in_place(cublasLtHandle_t handle) {
  product it = random_product(&kinds[0], CUBLASLT_EPILOGUE_DEFAULT, 1);
  matrix d = it.d;
  it.d = it.c;
  it.beta = 3;
  check_product(handle, &it, false);
  it.d = d;
  end_product(&it);
}

/* The same by arrays of pointers, of which C's and D's may be two. */
static void use_pointers(matrix *it) {
  uint32_t mode = CUBLASLT_BATCH_MODE_POINTER_ARRAY;
  char *pointers[8];
  for (int i = 0; i < it->batch; i++)
    pointers[i] = (char *)it->device + (size_t)(i * it->stride) * size_of_type(it->type);
  it->pointers = on_device(pointers, (size_t)it->batch * sizeof *pointers);
  FINE(cublasLtMatrixLayoutSetAttribute(it->layout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &mode, sizeof mode));
}

static void check_pointers(cublasLtHandle_t handle) {
  for (int i = 0; i < KINDS; i++)
    for (int round = 0; round < 3; round++) {
      product it = random_product(&kinds[i], CUBLASLT_EPILOGUE_DEFAULT, random_int(1, 5));
      it.beta = round == 0 ? 0 : 2;
      use_pointers(&it.a);
      use_pointers(&it.b);
      use_pointers(&it.c);
      use_pointers(&it.d);
      check_product(handle, &it, round == 2);
      end_product(&it);
    }
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

static void check_sum(cublasLtHandle_t handle, const kind *of, bool has_b) {
  static const cublasOperation_t operations[] = { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
  int m = random_int(1, 40), n = random_int(1, 40), batch = random_int(1, 3);
  cublasOperation_t op_a = operations[random_int(0, 2)], op_b = operations[random_int(0, 2)];
  double complex alpha = some_number(of->scale), beta = some_number(of->scale);
  _Alignas(16) char factors[32];
  cublasLtMatrixTransformDesc_t desc;
  begin_memory();
  matrix a = op_a == CUBLAS_OP_N ? new_matrix(of->input, m, n, random_int(0, 1), batch)
                                 : new_matrix(of->input, n, m, random_int(0, 1), batch);
  matrix b = op_b == CUBLAS_OP_N ? new_matrix(of->input, m, n, random_int(0, 1), batch)
                                 : new_matrix(of->input, n, m, random_int(0, 1), batch);
  matrix c = new_matrix(of->input, m, n, random_int(0, 1), batch);
  for (int it = 0; it < batch; it++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        put(c.type, c.host, place_of(&c, it, i, j),
            alpha * element_of(&a, it, i, j, op_a) + (has_b ? beta * element_of(&b, it, i, j, op_b) : 0));
  put(of->scale, factors, 0, alpha);
  put(of->scale, factors + 16, 0, has_b ? beta : 0);
  FINE(cublasLtMatrixTransformDescCreate(&desc, of->scale));
  FINE(cublasLtMatrixTransformDescSetAttribute(desc, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &op_a, sizeof op_a));
  FINE(cublasLtMatrixTransformDescSetAttribute(desc, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, &op_b, sizeof op_b));
  cublasStatus_t status =
      cublasLtMatrixTransform(handle, desc, factors, a.device, a.layout, factors + 16, has_b ? b.device : NULL,
                              has_b ? b.layout : NULL, c.device, c.layout, NULL);
  if (!is_left_out(status)) {
    EXPECT("a sum", status == CUBLAS_STATUS_SUCCESS);
    EXPECT("its end", cudaDeviceSynchronize() == cudaSuccess);
    compare_matrix("a sum", &c, c.host, of->tolerance);
  }
  FINE(cublasLtMatrixTransformDescDestroy(desc));
  end_matrix(&a);
  end_matrix(&b);
  end_matrix(&c);
}

/* ---- descriptors, and what is refused ---------------------------------------------------------------------------- */

static void check_descriptors(void) {
  cublasLtMatmulDescOpaque_t opaque;
  cublasLtMatrixLayout_t layout;
  uint64_t rows = 0, wrong = 77;
  uint32_t epilogue = 0;
  int32_t order = -1, mode = 1;
  size_t written = 0;
  FINE(cublasLtMatmulDescInit(&opaque, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  FINE(cublasLtMatmulDescGetAttribute(&opaque, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue, &written));
  EXPECT("the default", epilogue == CUBLASLT_EPILOGUE_DEFAULT && written == sizeof epilogue);
  FINE(cublasLtMatmulDescSetAttribute(&opaque, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode, sizeof mode));
  FINE(cublasLtMatmulDescGetAttribute(&opaque, CUBLASLT_MATMUL_DESC_BIAS_POINTER, NULL, 0, &written));
  EXPECT("a size", written == sizeof(void *));
  GIVES(CUBLAS_STATUS_INVALID_VALUE,
        cublasLtMatmulDescSetAttribute(&opaque, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode, 1));
  GIVES(CUBLAS_STATUS_INVALID_VALUE,
        cublasLtMatmulDescSetAttribute(&opaque, CUBLASLT_MATMUL_DESC_POINTER_MODE, NULL, sizeof mode));
#ifndef ON_NVIDIA /* which does not say what becomes of numbers that are no attribute's */
  GIVES(CUBLAS_STATUS_INVALID_VALUE,
        cublasLtMatmulDescSetAttribute(&opaque, (cublasLtMatmulDescAttributes_t)999, &mode, sizeof mode));
#endif
  FINE(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 12, 5, 13));
  FINE(cublasLtMatrixLayoutGetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof rows, NULL));
  FINE(cublasLtMatrixLayoutGetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order, &written));
  EXPECT("a layout", rows == 12 && order == CUBLASLT_ORDER_COL && written == sizeof order);
  GIVES(CUBLAS_STATUS_INVALID_VALUE,
        cublasLtMatrixLayoutGetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ROWS, &wrong, 3, &written));
  FINE(cublasLtMatrixLayoutDestroy(layout));
  EXPECT("versions", cublasLtGetVersion() >= 120000 && cublasLtGetCudartVersion() >= 12000);
  EXPECT("a name", strcmp(cublasLtGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED") == 0);
}

static void check_refusals(cublasLtHandle_t handle) {
  product it = random_product(&kinds[0], CUBLASLT_EPILOGUE_DEFAULT, 1);
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t other;
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t result;
  float one = 1;
  int count;
  FINE(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  set_operation(desc, &it);
  FINE(cublasLtMatrixLayoutCreate(&other, CUDA_R_32F, 77, 78, 77));
#define MULTIPLY(lt, of, alpha, a_as, b_as, c_as, d_as)                                                              \
  cublasLtMatmul(lt, of, alpha, it.a.device, a_as, it.b.device, b_as, &one, it.c.device, c_as, it.d.device, d_as,    \
                 NULL, NULL, 0, NULL)
  FINE(MULTIPLY(handle, desc, &one, it.a.layout, it.b.layout, it.c.layout, it.d.layout));
  GIVES(CUBLAS_STATUS_NOT_INITIALIZED,
        MULTIPLY(NULL, desc, &one, it.a.layout, it.b.layout, it.c.layout, it.d.layout));
#ifndef ON_NVIDIA /* which does not promise to look for NULL */
  GIVES(CUBLAS_STATUS_INVALID_VALUE,
        MULTIPLY(handle, NULL, &one, it.a.layout, it.b.layout, it.c.layout, it.d.layout));
  GIVES(CUBLAS_STATUS_INVALID_VALUE,
        MULTIPLY(handle, desc, NULL, it.a.layout, it.b.layout, it.c.layout, it.d.layout));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, MULTIPLY(handle, desc, &one, NULL, it.b.layout, it.c.layout, it.d.layout));
#endif
  GIVES(CUBLAS_STATUS_INVALID_VALUE, MULTIPLY(handle, desc, &one, it.a.layout, other, it.c.layout, it.d.layout));
  GIVES(CUBLAS_STATUS_INVALID_VALUE, MULTIPLY(handle, desc, &one, it.a.layout, it.b.layout, it.c.layout, other));
  FINE(cublasLtMatmulPreferenceCreate(&preference));
  GIVES(CUBLAS_STATUS_INVALID_VALUE,
        cublasLtMatmulAlgoGetHeuristic(handle, desc, it.a.layout, it.b.layout, it.c.layout, it.d.layout, preference,
                                       0, &result, &count));
  FINE(cublasLtMatmulPreferenceDestroy(preference));
  FINE(cublasLtMatrixLayoutDestroy(other));
  FINE(cublasLtMatrixLayoutCreate(&other, CUDA_R_64F, (uint64_t)it.b.rows, (uint64_t)it.b.columns, it.b.rows + 4));
  EXPECT("types that do not go together",
         MULTIPLY(handle, desc, &one, it.a.layout, other, it.c.layout, it.d.layout) != CUBLAS_STATUS_SUCCESS);
#ifndef ON_NVIDIA
  GIVES(CUBLAS_STATUS_NOT_SUPPORTED, MULTIPLY(handle, desc, &one, it.a.layout, other, it.c.layout, it.d.layout));
#endif
  FINE(cublasLtMatrixLayoutDestroy(other));
  FINE(cublasLtMatmulDescDestroy(desc));
  end_product(&it);
}

/* LEAST_TILES: NVIDIA's has algorithms without any. */
#ifdef ON_NVIDIA
enum { LEAST_TILES = 0 };
#else
enum { LEAST_TILES = 1 };
#endif

/* A program that goes through algorithms and what they can do, and runs the first that is checked. */
static void check_algorithms(cublasLtHandle_t handle) {
  enum { MOST_IDS = 64 };
  int ids[MOST_IDS], count = 0, splits = 1, support = -1, ran = 0;
  uint32_t tiles[8192] = { CUBLASLT_MATMUL_TILE_UNDEFINED }, custom = 0;
  size_t written = 0;
  cublasLtMatmulAlgo_t algo;
  cublasLtMatmulHeuristicResult_t result;
  cublasLtMatmulDesc_t desc;
  product it = random_product(&kinds[0], CUBLASLT_EPILOGUE_DEFAULT, 1);
  float one = 1;
  FINE(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  set_operation(desc, &it);
  GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F,
                                                              CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 0, ids, &count));
  FINE(cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                                CUDA_R_32F, MOST_IDS, ids, &count));
  EXPECT("there are algorithms", count > 0 && count <= MOST_IDS);
#ifndef ON_NVIDIA /* which takes any number */
  GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F,
                                                            CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, -3, &algo));
#endif
  for (int i = 0; i < count && ran == 0; i++) {
    int id = -1;
    FINE(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                                CUDA_R_32F, ids[i], &algo));
    FINE(cublasLtMatmulAlgoConfigGetAttribute(&algo, CUBLASLT_ALGO_CONFIG_ID, &id, sizeof id, &written));
    EXPECT("the number", id == ids[i] && written == sizeof id);
    FINE(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_TILE_IDS, NULL, 0, &written));
    EXPECT("tiles", written >= LEAST_TILES * sizeof *tiles && written <= sizeof tiles);
    FINE(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_TILE_IDS, tiles, sizeof tiles, &written));
    FINE(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, &support, sizeof support,
                                           &written));
    EXPECT("splits", support >= 0);
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, &support, 2, &written));
    FINE(cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_TILE_ID, tiles, sizeof *tiles));
    FINE(cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &splits, sizeof splits));
    FINE(cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, &custom, sizeof custom));
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &splits, 1));
    if (cublasLtMatmulAlgoCheck(handle, desc, it.a.layout, it.b.layout, it.c.layout, it.d.layout, &algo, &result) !=
            CUBLAS_STATUS_SUCCESS ||
        result.workspaceSize > 0)
      continue;
    ran = cublasLtMatmul(handle, desc, &one, it.a.device, it.a.layout, it.b.device, it.b.layout, &one, it.c.device,
                         it.c.layout, it.d.device, it.d.layout, &algo, NULL, 0, NULL) == CUBLAS_STATUS_SUCCESS;
    EXPECT("the end", cudaDeviceSynchronize() == cudaSuccess);
  }
#ifndef ON_NVIDIA /* whose algorithms may all want stages, or a workspace */
  EXPECT("one ran", ran == 1);
#endif
  FINE(cublasLtMatmulDescDestroy(desc));
  end_product(&it);
}

int main(void) {
  cublasLtHandle_t handle = NULL;
  setvbuf(stdout, NULL, _IOLBF, 0); /* what was said before a crash is worth having */
  FINE(cublasLtCreate(&handle));
  check_descriptors();
  check_products(handle);
  check_epilogues(handle);
  check_in_place(handle);
  check_pointers(handle);
  for (int i = 0; i < 8; i++)
    check_sum(handle, &kinds[i % 4], i < 6);
  check_refusals(handle);
  check_algorithms(handle);
  FINE(cublasLtDestroy(handle));
  EXPECT("most products are there", 2 * left_out < asked);
  if (left_out > 0)
    printf("%d of %d products and sums are not supported\n", left_out, asked);
  return verdict("conform_lt");
}
