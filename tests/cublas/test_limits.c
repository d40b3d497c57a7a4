/* SPDX-License-Identifier: MIT */
/*
 * test_limits - sizes, distances and numbers at the end of their types: this library's own promises, beyond cuBLAS's.
 *
 * A distance that no 64 bits hold in bytes is told as memory that is too short, and nothing is sent; so is a batch that
 * leaves its allocation in between. Infinity ends, NaN behind a factor of 0 is not read by any function, and what is
 * wrong with the last group of a batch is told before the first one is sent. A device that a failed assert() has taken
 * along takes no calls until cudaDeviceReset().
 */
#include "blas_check.h"

#include <cublas_v2.h>
#include <unistd.h>

#include <vptr/vptr.h>
#include <vptr/cuda/vptr_kernel.h>

#define FAILED(call) EXPECT(#call, (call) == CUBLAS_STATUS_EXECUTION_FAILED)
#define REFUSED(call) EXPECT(#call, (call) == CUBLAS_STATUS_INVALID_VALUE)
#define FINE(call) EXPECT(#call, (call) == CUBLAS_STATUS_SUCCESS)
#define N CUBLAS_OP_N

/* A loop without an end is a failure of its own. */
enum { SECONDS = 60 };

static float *floats(int count, float value) {
  float *host = malloc((size_t)count * sizeof *host), *device;
  cudaMalloc((void **)&device, (size_t)count * sizeof *device);
  for (int i = 0; i < count; i++)
    host[i] = value;
  cudaMemcpy(device, host, (size_t)count * sizeof *host, cudaMemcpyHostToDevice);
  free(host);
  return device;
}

static void check_all(const char *what, const float *device, int count, float value) {
  float host[64];
  from_device(host, device, (size_t)count * sizeof *host);
  for (int i = 0; i < count; i++)
    EXPECT(what, host[i] == value);
}

static void check_strides(cublasHandle_t handle) {
  const long long far = 1ll << 60; /* four of them are 2^64 bytes */
  float one = 1, *a = floats(64, 1), *b = floats(64, 1), *c = floats(64, 7);
  FAILED(cublasSgemmStridedBatched(handle, N, N, 2, 2, 2, &one, a, 2, far, a, 2, 0, &one, c, 2, 4, 5));
  FAILED(cublasSgemmStridedBatched(handle, N, N, 2, 2, 2, &one, a, 2, 0, a, 2, far, &one, c, 2, 4, 5));
  FAILED(cublasSgemmStridedBatched(handle, N, N, 2, 2, 2, &one, a, 2, 0, a, 2, 0, &one, c, 2, -far, 5));
  FAILED(cublasSgemmStridedBatched(handle, N, N, 2, 2, 2, &one, a, 2, 0, a, 2, 0, &one, c, 2, -4, 2));
  FAILED(cublasSgemvStridedBatched(handle, N, 2, 2, &one, a, 2, far, a, 1, 0, &one, c, 1, 2, 5));
  FAILED(cublasSgemvStridedBatched(handle, N, 2, 2, &one, a, 2, 0, a, 1, far, &one, c, 1, 2, 5));
  FAILED(cublasSgemvStridedBatched(handle, N, 2, 2, &one, a, 2, 0, a, 1, 0, &one, c, -1, far, 5));
  /* The first matrix is in one allocation, the last in another. */
  FAILED(cublasSgemmStridedBatched(handle, N, N, 2, 2, 2, &one, a, 2, b - a, a, 2, 0, &one, c, 2, 4, 2));
  check_all("nothing was sent", c, 64, 7);
  FINE(cublasSgemmStridedBatched(handle, N, N, 2, 2, 2, &one, a + 60, 2, -20, a, 2, 16, &one, c + 12, 2, -4, 4));
  check_all("backwards", c, 16, 9);
  check_all("backwards", c + 16, 48, 7);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}

static void check_bands(cublasHandle_t handle) {
  float one = 1, *a = floats(64, 1), *y = floats(64, 7);
  REFUSED(cublasSgbmv_64(handle, N, 4, 4, INT64_MAX, 1, &one, a, 1, a, 1, &one, y, 1));
  REFUSED(cublasSgbmv_64(handle, N, 4, 4, INT64_MAX, INT64_MAX, &one, a, 1, a, 1, &one, y, 1));
  REFUSED(cublasSsbmv_64(handle, CUBLAS_FILL_MODE_LOWER, 4, INT64_MAX, &one, a, 1, a, 1, &one, y, 1));
  REFUSED(cublasStbmv_64(handle, CUBLAS_FILL_MODE_LOWER, N, CUBLAS_DIAG_UNIT, 4, INT64_MAX, a, 1, y, 1));
  FAILED(cublasSspmv_64(handle, CUBLAS_FILL_MODE_LOWER, 1ll << 32, &one, a, a, 1, &one, y, 1));
  FAILED(cublasSspmv_64(handle, CUBLAS_FILL_MODE_LOWER, INT64_MAX, &one, a, a, 1, &one, y, 1));
  FAILED(cublasSaxpy_64(handle, 2, &one, a, INT64_MIN, y, 1));
  FAILED(cublasSaxpy_64(handle, 2, &one, a, 1, y, INT64_MIN));
  check_all("nothing was sent", y, 64, 7);
  cudaFree(a);
  cudaFree(y);
}

static void check_transfers(void) {
  float host[4] = { 0 }, *device = floats(4, 7);
  const int64_t many = 1ll << 62, side = 1ll << 32;
  REFUSED(cublasSetVector_64(many, 4, host, 1, device, 1));
  REFUSED(cublasGetVector_64(many, 4, device, 1, host, 1));
  REFUSED(cublasSetVector_64(2, 4, host, many, device, 1));
  REFUSED(cublasSetMatrix_64(side, side, 1, host, side, device, side));
  REFUSED(cublasSetMatrix_64(1, 2, 4, host, many, device, many));
  check_all("nothing was copied", device, 4, 7);
  cudaFree(device);
}

static void check_infinity(cublasHandle_t handle) {
  float d[4] = { INFINITY, 1, 1, 1 }, param[5] = { 0 };
  FINE(cublasSrotmg(handle, d, d + 1, d + 2, d + 3, param));
  EXPECT("an infinite weight stays", isinf(d[0]));
  double e[4] = { 1, INFINITY, 1, 1 }, wide[5] = { 0 };
  FINE(cublasDrotmg(handle, e, e + 1, e + 2, e + 3, wide));
}

static void check_zero_on_device(cublasHandle_t handle) {
  enum { ORDER = 70, SIDES = 3 };
  float *nan = floats(ORDER * ORDER, NAN), *b = floats(ORDER * SIDES, 5), *zero = floats(1, 0);
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  FINE(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, N, CUBLAS_DIAG_NON_UNIT, ORDER, SIDES, zero, nan,
                   ORDER, b, ORDER));
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  for (int i = 0; i < ORDER * SIDES; i += 42)
    check_all("trsm by 0 on the device", b + i, 42, 0);
  cudaFree(nan);
  cudaFree(b);
  cudaFree(zero);
}

enum { SIDE = 3 };

/* Results that are NaN are written and not read, where beta is 0. */
static void check_results(cublasHandle_t handle, const float *one, const float *zero) {
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  const cublasSideMode_t left = CUBLAS_SIDE_LEFT;
  float *a = floats(SIDE * SIDE, 1), *y = floats(SIDE, NAN), *c = floats(SIDE * SIDE, NAN);
#define WRITES(call, result, count, value)                                                                           \
  cudaMemset(result, 0xff, (count) * sizeof(float));                                                                 \
  FINE(call);                                                                                                        \
  check_all(#call, result, count, value)
  WRITES(cublasSgemv(handle, N, SIDE, SIDE, one, a, SIDE, a, 1, zero, y, 1), y, SIDE, SIDE);
  WRITES(cublasSgemv(handle, CUBLAS_OP_T, SIDE, SIDE, one, a, SIDE, a, 1, zero, y, 1), y, SIDE, SIDE);
  WRITES(cublasSgbmv(handle, N, SIDE, SIDE, 0, 0, one, a, 1, a, 1, zero, y, 1), y, SIDE, 1);
  WRITES(cublasSsymv(handle, lower, SIDE, one, a, SIDE, a, 1, zero, y, 1), y, SIDE, SIDE);
  WRITES(cublasSspmv(handle, lower, SIDE, one, a, a, 1, zero, y, 1), y, SIDE, SIDE);
  WRITES(cublasSgemm(handle, N, N, SIDE, SIDE, SIDE, one, a, SIDE, a, SIDE, zero, c, SIDE), c, SIDE * SIDE, SIDE);
  WRITES(cublasSsymm(handle, left, lower, SIDE, SIDE, one, a, SIDE, a, SIDE, zero, c, SIDE), c, SIDE * SIDE, SIDE);
  WRITES(cublasSgeam(handle, N, N, SIDE, SIDE, one, a, SIDE, zero, a, SIDE, c, SIDE), c, SIDE * SIDE, 1);
  WRITES(cublasStrmm(handle, left, lower, N, CUBLAS_DIAG_UNIT, 1, SIDE, one, a, 1, a, 1, c, 1), c, SIDE, 1);
  /* The first column is the lower triangle's. */
  WRITES(cublasSsyrk(handle, lower, N, SIDE, SIDE, one, a, SIDE, zero, c, SIDE), c, SIDE, SIDE);
  WRITES(cublasSsyr2k(handle, lower, N, SIDE, SIDE, one, a, SIDE, a, SIDE, zero, c, SIDE), c, SIDE, 2 * SIDE);
  WRITES(cublasSsyrkx(handle, lower, N, SIDE, SIDE, one, a, SIDE, a, SIDE, zero, c, SIDE), c, SIDE, SIDE);
#undef WRITES
  cudaFree(a);
  cudaFree(y);
  cudaFree(c);
}

static void check_both_results(cublasHandle_t handle) {
  float one = 1, zero = 0, *one_at = floats(1, 1), *zero_at = floats(1, 0);
  check_results(handle, &one, &zero);
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  check_results(handle, one_at, zero_at);
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  cudaFree(one_at);
  cudaFree(zero_at);
}

static void check_groups(cublasHandle_t handle) {
  const cublasOperation_t operations[2] = { N, N };
  const int sizes[2] = { 2, 2 }, wrong[2] = { 2, -1 }, each[2] = { 1, 1 };
  const float ones[2] = { 1, 1 };
  float *a = floats(4, 1), *c = floats(4, 7), *places[2] = { a, a }, *results[2] = { c, c };
  begin_memory();
  const float *const *from = on_device(places, sizeof places);
  float *const *to = on_device(results, sizeof results);
  REFUSED(cublasSgemmGroupedBatched(handle, operations, operations, sizes, wrong, sizes, ones, from, sizes, from,
                                    sizes, ones, to, sizes, 2, each));
  REFUSED(cublasSgemmGroupedBatched(handle, operations, operations, sizes, sizes, sizes, ones, from, sizes, from,
                                    sizes, ones, to, sizes, 2, wrong));
  check_all("no group was sent", c, 4, 7);
  FINE(cublasSgemmGroupedBatched(handle, operations, operations, sizes, sizes, sizes, ones, from, sizes, from, sizes,
                                 ones, to, sizes, 2, each));
  check_all("both groups were sent", c, 4, 11);
  cudaFree(a);
  cudaFree(c);
}

/* Each call is a line of the log, and what is wrong is said in words that begin with its name. */
static int lines;
static void hear(const char *line) {
  lines += strstr(line, "cublasSetMathMode") != NULL;
}

static void check_words(cublasHandle_t handle) {
  float *a = floats(4, 1);
  cuComplex one = make_cuComplex(1, 0);
  cublasSetLoggerCallback(hear);
  REFUSED(cublasSetMathMode(handle, (cublasMath_t)100));
  cublasSetLoggerCallback(NULL);
  EXPECT("the log", lines == 1);
  EXPECT("the value is said", strstr(vptr_last_error(), "cublasSetMathMode: 100 ") != NULL);
  EXPECT("cublasCgemmEx", cublasCgemmEx(handle, N, N, 1, 1, 1, &one, a, CUDA_R_32F, 1, a, CUDA_R_32F, 1, &one, a,
                                        CUDA_R_32F, 1) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT("cublasCgemmEx", strstr(vptr_last_error(), "cublasCgemmEx: ") != NULL);
  cudaFree(a);
}

static const char failing_text[] =
    "//vptr-module 1\n"
    "//vptr kernel name=fail lowered=fail entry=k_fail\n"
    "//vptr hidden kind=status\n"
    "#if VPTR_ADDRESSES\n"
    "__kernel void k_fail(ulong status) { *(__global int *)status = 710; }\n"
    "#else\n"
    "__kernel void k_fail(__global uchar *status, ulong offset) { *(__global int *)(status + offset) = 710; }\n"
    "#endif\n";

static void fail_assert(void) {
  static char stub;
  static const vptr_cuda_kernel kernel = { &stub, "fail" };
  static const vptr_cuda_module module = {
    sizeof module, failing_text, sizeof failing_text - 1, &kernel, 1, NULL, 0
  };
  const dim3 one = { 1, 1, 1 };
  void *registered;
  EXPECT("registers", vptr_cuda_register_module(&module, &registered) == cudaSuccess);
  EXPECT("launches", cudaLaunchKernel(&stub, one, one, NULL, 0, NULL) == cudaSuccess);
  EXPECT("fails", cudaDeviceSynchronize() == cudaErrorAssert);
}

static void check_lost_device(cublasHandle_t handle) {
  float one = 1, *x = floats(4, 1);
  fail_assert();
  FAILED(cublasSaxpy(handle, 4, &one, x, 1, x, 1));
  EXPECT("the remedy is said", strstr(vptr_last_error(), "cudaDeviceReset()") != NULL);
  EXPECT("resets", cudaDeviceReset() == cudaSuccess);
  FINE(cublasCreate(&handle));
  x = floats(4, 1);
  FINE(cublasSaxpy(handle, 4, &one, x, 1, x, 1));
  check_all("it works again", x, 4, 2);
  cudaFree(x);
  FINE(cublasDestroy(handle));
}

int main(void) {
  cublasHandle_t handle;
  setvbuf(stdout, NULL, _IOLBF, 0);
  alarm(SECONDS);
  FINE(cublasCreate(&handle));
  check_words(handle);
  check_transfers();
  check_bands(handle);
  check_zero_on_device(handle);
  check_both_results(handle);
  check_groups(handle);
  check_infinity(handle);
  check_strides(handle);
  check_lost_device(handle);
  return verdict("test_limits");
}
