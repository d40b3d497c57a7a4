/* SPDX-License-Identifier: MIT */
/*
 * conform_printf - when the buffer of printf() in kernels may be set: until a kernel that prints was launched, and
 * again once the device has been reset.
 *
 *     cc -I$prefix/include/vptr/cuda conform_printf.c -lvptr-cuda -lvptr-nvrtc -lvptr-cudart      as vptr
 *     cc -I/usr/local/cuda/include conform_printf.c -L/usr/local/cuda/lib64 -lcuda -lnvrtc -lcudart      as CUDA
 */
#include "conform_kernel.h"

#define MIB ((size_t)1 << 20)

static const char silent[] = "extern \"C\" __global__ void silent(int *a) { if (a != 0) *a = 1; }\n";
static const char prints[] =
    "__device__ void tell(int n) { printf(\"observed: a kernel printed %d\\n\", n); }\n"
    "extern \"C\" __global__ void prints(int n) { if (blockIdx.x + threadIdx.x == 0) tell(n); }\n"
    "extern \"C\" __global__ void may_print(int n) { if (n < 0) printf(\"%d\\n\", n); }\n";

static void expect_set(cudaError_t expected, size_t bytes) {
  size_t value = 77, before = 0;
  conform_succeed(cudaDeviceGetLimit(&before, cudaLimitPrintfFifoSize));
  conform_expect(expected, cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes));
  conform_succeed(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
  conform_true(value == (expected == cudaSuccess ? bytes : before));
}

static void kernels_that_print_nothing_change_nothing(CUmodule module) {
  int *nowhere = NULL;
  conform_true(conform_launch(conform_function(module, "silent"), NULL, (void *[]){ &nowhere }));
  expect_set(cudaSuccess, 3 * MIB);
  conform_succeed(cudaDeviceSynchronize());
  expect_set(cudaSuccess, 2 * MIB);
}

static void a_kernel_that_prints_ends_it(CUmodule module) {
  int n = 42;
  conform_true(conform_launch(conform_function(module, "prints"), NULL, (void *[]){ &n }));
  expect_set(cudaErrorInvalidValue, 4 * MIB);
  conform_succeed(cudaDeviceSynchronize());
  expect_set(cudaErrorInvalidValue, 4 * MIB);
  conform_true(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 4 * MIB) == CUDA_ERROR_INVALID_VALUE);
  conform_succeed(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
}

static void a_reset_begins_anew(void) {
  conform_succeed(cudaDeviceReset());
  conform_succeed(cudaFree(NULL));
  expect_set(cudaSuccess, 3 * MIB);
}

/* Whether it did print makes no difference. */
static void a_kernel_that_might_have_printed_ends_it(void) {
  int n = 1;
  CUmodule module = conform_load(prints);
  printf("observed: behind a load, before a launch: %s\n",
         cudaGetErrorName(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 * MIB)));
  cudaGetLastError();
  conform_true(conform_launch(conform_function(module, "may_print"), NULL, (void *[]){ &n }));
  conform_succeed(cudaDeviceSynchronize());
  expect_set(cudaErrorInvalidValue, 4 * MIB);
}

int main(void) {
  CUmodule module = conform_load(silent);
  expect_set(cudaSuccess, 2 * MIB);
  kernels_that_print_nothing_change_nothing(module);
  a_kernel_that_prints_ends_it(conform_load(prints));
  a_reset_begins_anew();
  a_kernel_that_might_have_printed_ends_it();
  return conform_done("conform_printf");
}
