/* SPDX-License-Identifier: MIT */
/*
 * conform_batched - many products, products with vectors, and systems at once, of all types; their pointers lie on the
 * device. And products whose types are arguments: half, bfloat16 and bytes.
 */
#include "blas_choices.h"

#define BLAS_TESTS "batched_type.h"
#include "blas_types.h"

/* ---- types as arguments: small whole numbers, of which every sum is exact in each type ------------------- */

#ifdef ON_NVIDIA /* which wants rows of bytes to be multiples of four */
enum { M = 36, N = 28, K = 44 };
#else
enum { M = 37, N = 29, K = 45 };
#endif

/* Of whole numbers up to 2048. */
static unsigned short half_of(int value) {
  unsigned short sign = value < 0 ? 0x8000 : 0;
  unsigned size = (unsigned)abs(value), exponent = 25;
  if (size == 0)
    return 0;
  while (size < 1024) {
    size <<= 1;
    exponent--;
  }
  return (unsigned short)(sign | exponent << 10 | (size & 1023));
}

/* Of whole numbers up to 256. */
static unsigned short bfloat16_of(int value) {
  float number = (float)value;
  unsigned bits;
  memcpy(&bits, &number, sizeof bits);
  return (unsigned short)(bits >> 16);
}

static void put_number(void *at, cudaDataType type, int value) {
  unsigned short bits = type == CUDA_R_16F ? half_of(value) : bfloat16_of(value);
  float number = (float)value;
  double wide = value;
  signed char byte = (signed char)value;
  if (type == CUDA_R_16F || type == CUDA_R_16BF)
    memcpy(at, &bits, 2);
  else if (type == CUDA_R_8I)
    memcpy(at, &byte, 1);
  else if (type == CUDA_R_64F)
    memcpy(at, &wide, 8);
  else if (type == CUDA_R_32I)
    memcpy(at, &value, 4);
  else
    memcpy(at, &number, 4);
}

static size_t size_of_type(cudaDataType type) {
  return type == CUDA_R_8I ? 1 : type == CUDA_R_16F || type == CUDA_R_16BF ? 2 : type == CUDA_R_64F ? 8 : 4;
}

/* A product as its transposed A is stored, or as it is. */
static void check_type_of(cublasHandle_t handle, const char *what, cublasOperation_t op, cudaDataType input,
                          cudaDataType output, cudaDataType factor, cublasComputeType_t compute) {
  static int a[M * K], b[K * N], c[M * N];
  static char ha[M * K * 8], hb[K * N * 8], hc[M * N * 8], expected[M * N * 8];
  char alpha[8], beta[8];
  size_t in = size_of_type(input), out = size_of_type(output);
  for (int i = 0; i < M * K; i++)
    put_number(ha + (size_t)i * in, input, a[i] = random_int(0, 3) == 0 ? random_int(-2, 2) : 0);
  for (int i = 0; i < K * N; i++)
    put_number(hb + (size_t)i * in, input, b[i] = random_int(-1, 1));
  for (int i = 0; i < M * N; i++)
    put_number(hc + (size_t)i * out, output, c[i] = random_int(-5, 5));
  put_number(alpha, factor, 2);
  put_number(beta, factor, -3);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int l = 0; l < K; l++)
        sum += a[op == CUBLAS_OP_N ? i + l * M : l + i * K] * b[l + j * K];
      put_number(expected + (size_t)(i + j * M) * out, output, 2 * sum - 3 * c[i + j * M]);
    }
  begin_memory();
  void *da = on_device(ha, M * K * in), *db = on_device(hb, K * N * in), *dc = on_device(hc, M * N * out);
  cublasStatus_t status = cublasGemmEx(handle, op, CUBLAS_OP_N, M, N, K, alpha, da, input, op == CUBLAS_OP_N ? M : K,
                                       db, input, K, beta, dc, output, M, compute, CUBLAS_GEMM_DEFAULT);
#ifdef ON_NVIDIA /* devices differ in what they have for bytes */
  if (input == CUDA_R_8I && (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH)) {
    printf("%s: not supported there\n", what);
    return;
  }
#endif
  EXPECT(what, status == CUBLAS_STATUS_SUCCESS);
  from_device(hc, dc, M * N * out);
  EXPECT(what, memcmp(hc, expected, M * N * out) == 0);
}

static void check_type(cublasHandle_t handle, const char *what, cudaDataType input, cudaDataType output,
                       cudaDataType factor, cublasComputeType_t compute) {
  check_type_of(handle, what, CUBLAS_OP_T, input, output, factor, compute);
#ifdef ON_NVIDIA /* whose products of bytes are for a transposed A */
  if (input == CUDA_R_8I)
    return;
#endif
  check_type_of(handle, what, CUBLAS_OP_N, input, output, factor, compute);
}

static void check_refusals(cublasHandle_t handle) {
  float one = 1, *memory;
  cudaMalloc((void **)&memory, 64);
  EXPECT("types", cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, memory, CUDA_R_32F, 1, memory,
                               CUDA_R_64F, 1, &one, memory, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                               CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT("types", cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, memory, CUDA_R_32F, 1, memory,
                               CUDA_R_32F, 1, &one, memory, CUDA_R_32F, 1, CUBLAS_COMPUTE_64F,
                               CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT("matinvBatched",
         cublasSmatinvBatched(handle, 33, NULL, 33, NULL, 33, NULL, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT("getrfBatched", cublasSgetrfBatched(handle, 3, NULL, 2, NULL, NULL, 1) == CUBLAS_STATUS_INVALID_VALUE);
  int info = 0;
  EXPECT("getrsBatched", cublasSgetrsBatched(handle, CUBLAS_OP_N, 2, -1, NULL, 2, NULL, NULL, 2, &info, 1) ==
                             CUBLAS_STATUS_INVALID_VALUE);
  EXPECT("getrsBatched", info == -3);
  cudaFree(memory);
}

int main(void) {
  cublasHandle_t handle;
  EXPECT("cublasCreate", cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  batched_s(handle);
  batched_d(handle);
  batched_c(handle);
  batched_z(handle);
  check_type(handle, "half", CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  check_type(handle, "half in float", CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  check_type(handle, "half to float", CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  check_type(handle, "bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  check_type(handle, "bfloat16 to float", CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  check_type(handle, "bytes to int", CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  check_type(handle, "bytes to float", CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  check_type(handle, "float", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  check_type(handle, "double", CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  check_refusals(handle);
  EXPECT("cublasDestroy", cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return verdict("conform_batched");
}
