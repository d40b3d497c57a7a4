/* SPDX-License-Identifier: MIT */
/*
 * test_lost_libraries - a device that is lost takes no work of cuBLAS, cuFFT, cuRAND, cuSPARSE and cuSOLVER either,
 * until cudaDeviceReset(): each call fails with its library's own status, and in the runtime's words. Nothing is sent
 * meanwhile, though the driver may take commands again.
 *
 * The fake device is lost whenever a test likes; its kernels do nothing.
 */
#include <string.h>

#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include "device/fake.h"
#include "expect.h"

enum { BYTES = 4096, SIDE = 4 };

static struct held {
  cublasHandle_t blas;
  cufftHandle fft;
  curandGenerator_t random;
  cusparseHandle_t sparse;
  cusparseDnVecDescr_t dense;
  cusparseSpVecDescr_t entries;
  cusolverDnHandle_t solver;
  void *memory;
} it;

static const float one = 1;

/* ---- a call of each library ------------------------------------------------------------------------------- */

static int call_blas(void) {
  return cublasSaxpy(it.blas, SIDE, &one, it.memory, 1, it.memory, 1);
}
static int call_fft(void) {
  return cufftExecC2C(it.fft, it.memory, it.memory, CUFFT_FORWARD);
}
static int call_random(void) {
  return curandGenerateUniform(it.random, it.memory, SIDE);
}
static int call_sparse(void) {
  return cusparseAxpby(it.sparse, &one, it.entries, &one, it.dense);
}
static int call_solver(void) {
  return cusolverDnSpotrf(it.solver, CUBLAS_FILL_MODE_LOWER, SIDE, it.memory, SIDE, it.memory, BYTES / sizeof(float),
                          it.memory);
}

static const struct {
  const char *name;
  int (*call)(void);
  int lost;
} calls[] = {
  { "cublasSaxpy", call_blas, CUBLAS_STATUS_EXECUTION_FAILED },
  { "cufftExecC2C", call_fft, CUFFT_EXEC_FAILED },
  { "curandGenerateUniform", call_random, CURAND_STATUS_LAUNCH_FAILURE },
  { "cusparseAxpby", call_sparse, CUSPARSE_STATUS_EXECUTION_FAILED },
  { "cusolverDnSpotrf", call_solver, CUSOLVER_STATUS_EXECUTION_FAILED },
};
enum { CALLS = sizeof calls / sizeof *calls };

/* ---- what they work on ------------------------------------------------------------------------------------- */

static void make_all(void) {
  succeed(cudaMalloc(&it.memory, BYTES));
  succeed(cudaMemset(it.memory, 0, BYTES));
  ck_assert_int_eq(cublasCreate(&it.blas), CUBLAS_STATUS_SUCCESS);
  ck_assert_int_eq(cufftPlan1d(&it.fft, SIDE, CUFFT_C2C, 1), CUFFT_SUCCESS);
  ck_assert_int_eq(curandCreateGenerator(&it.random, CURAND_RNG_PSEUDO_DEFAULT), CURAND_STATUS_SUCCESS);
  ck_assert_int_eq(cusparseCreate(&it.sparse), CUSPARSE_STATUS_SUCCESS);
  ck_assert_int_eq(cusparseCreateDnVec(&it.dense, SIDE, it.memory, CUDA_R_32F), CUSPARSE_STATUS_SUCCESS);
  ck_assert_int_eq(cusparseCreateSpVec(&it.entries, SIDE, 2, it.memory, it.memory, CUSPARSE_INDEX_32I,
                                       CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
                   CUSPARSE_STATUS_SUCCESS);
  ck_assert_int_eq(cusolverDnCreate(&it.solver), CUSOLVER_STATUS_SUCCESS);
}

/* A generator goes though the memory of its lanes cannot be given back: that goes when the device is reset. */
static void destroy_all(curandStatus_t of_generator) {
  ck_assert_int_eq(cusolverDnDestroy(it.solver), CUSOLVER_STATUS_SUCCESS);
  ck_assert_int_eq(cusparseDestroySpVec(it.entries), CUSPARSE_STATUS_SUCCESS);
  ck_assert_int_eq(cusparseDestroyDnVec(it.dense), CUSPARSE_STATUS_SUCCESS);
  ck_assert_int_eq(cusparseDestroy(it.sparse), CUSPARSE_STATUS_SUCCESS);
  ck_assert_int_eq(curandDestroyGenerator(it.random), of_generator);
  ck_assert_int_eq(cufftDestroy(it.fft), CUFFT_SUCCESS);
  ck_assert_int_eq(cublasDestroy(it.blas), CUBLAS_STATUS_SUCCESS);
}

static void check_that_none_is_told_of_a_loss(void) {
  for (int i = 0; i < CALLS; i++) {
    calls[i].call();
    ck_assert_msg(strstr(vptr_last_error(), "cudaDeviceReset") == NULL, "%s: %s", calls[i].name, vptr_last_error());
  }
}

START_TEST(the_libraries_refuse_a_device_that_is_lost) {
  vptr__fake_counts before, after;
  make_all();
  check_that_none_is_told_of_a_loss();
  vptr__fake_lose(-9999); /* what NVIDIA's driver says of a kernel that went astray */
  expect(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  vptr__fake_lose(CL_SUCCESS);
  vptr__fake_get_counts(&before);
  for (int i = 0; i < CALLS; i++) {
    const int status = calls[i].call();
    ck_assert_msg(status == calls[i].lost, "%s: %d", calls[i].name, status);
    ck_assert_msg(strstr(vptr_last_error(), "cudaDeviceReset()") != NULL, "%s: %s", calls[i].name, vptr_last_error());
  }
  vptr__fake_get_counts(&after);
  ck_assert_mem_eq(&before, &after, sizeof before);
  destroy_all(CURAND_STATUS_LAUNCH_FAILURE);
  ck_assert_int_eq(curandDestroyGenerator(it.random), CURAND_STATUS_NOT_INITIALIZED);
  succeed(cudaDeviceReset());
  make_all();
  check_that_none_is_told_of_a_loss();
  destroy_all(CURAND_STATUS_SUCCESS);
  succeed(cudaFree(it.memory));
}
END_TEST

static Suite *lost_libraries_suite(void) {
  Suite *suite = suite_create("lost libraries");
  TCase *tests = tcase_create("lost libraries");
  tcase_add_test(tests, the_libraries_refuse_a_device_that_is_lost);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  setenv("VPTR_TEST_BACKEND", "fake", 1);
  return support_run(lost_libraries_suite());
}
