/* SPDX-License-Identifier: MIT */
/*
 * usm - unified shared memory in C: one kernel with a pointer of each kind.
 *
 *     cc -O2 usm.c $(pkg-config --cflags --libs vptr-cudart) -o usm && ./usm
 *
 * The kernel reads a series that the host has just written (shared memory) and a table in the host's memory (host
 * memory, or device memory where kernels do not reach it), and writes to device memory, which the host copies. A second
 * round shows that what the kernel left in shared memory is simply there. All of it is computed on the host again and
 * compared.
 */
#include <stdio.h>
#include <stdlib.h>

#include <vptr/cuda/vptr_kernel.h>
#include <vptr/vptr_usm.h>

enum { COUNT = 100000, TABLE = 16, BLOCK = 128 };

static const char text[] =
    "extern \"C\" __global__ void step(float *series, const float *table, float *sum, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) {\n"
    "    sum[i] = series[i] + table[i % 16];\n"
    "    series[i] = 2 * series[i];\n"
    "  }\n"
    "}\n";
static const char step;

static void must(vptr_status status) {
  if (status == VPTR_SUCCESS)
    return;
  fprintf(stderr, "usm: %s\n", vptr_last_error());
  exit(EXIT_FAILURE);
}

static void must_cuda(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "usm: %s: %s\n", cudaGetErrorName(error), vptr_last_error());
  exit(EXIT_FAILURE);
}

static float *allocate(vptr_usm_type kind, size_t count) {
  void *made;
  must(vptr_usm_alloc(NULL, kind, count * sizeof(float), 0, &made));
  return made;
}

/* The table, where kernels reach it. */
static float *make_table(void) {
  float values[TABLE];
  vptr_usm_type kind = vptr_usm_supports(NULL, VPTR_USM_HOST) ? VPTR_USM_HOST : VPTR_USM_DEVICE;
  for (int i = 0; i < TABLE; i++)
    values[i] = 0.5f * (float)i;
  float *table = allocate(kind, TABLE);
  must(vptr_usm_memcpy(NULL, table, values, sizeof values));
  printf("the table is in %s memory\n", vptr_usm_kind(NULL, table + 3) == VPTR_USM_HOST ? "host" : "device");
  return table;
}

static void launch(float *series, float *table, float *sum) {
  const dim3 grid = { (COUNT + BLOCK - 1) / BLOCK, 1, 1 }, block = { BLOCK, 1, 1 };
  int n = COUNT;
  must_cuda(VPTR_CUDA_LAUNCH(&step, grid, block, 0, NULL, &series, &table, &sum, &n));
  must(vptr_finish(NULL));
}

/* How many numbers are not what the host computes, when every element of the series was `first` times its index. */
static int compare(const float *series, const float *sum, float first) {
  int wrong = 0;
  float *seen = malloc(COUNT * sizeof *seen);
  if (seen == NULL)
    return 1;
  must(vptr_usm_memcpy(NULL, seen, sum, COUNT * sizeof *seen));
  for (int i = 0; i < COUNT; i++)
    wrong += seen[i] != first * (float)i + 0.5f * (float)(i % TABLE) || series[i] != 2 * first * (float)i;
  free(seen);
  return wrong;
}

int main(void) {
  const vptr_cuda_kernel kernels[] = { { &step, "step" } };
  const vptr_cuda_module module = { sizeof module, text, sizeof text - 1, kernels, 1, NULL, 0 };
  void *handle;
  must_cuda(vptr_cuda_register_module(&module, &handle));
  float *series = allocate(VPTR_USM_SHARED, COUNT), *sum = allocate(VPTR_USM_DEVICE, COUNT), *table = make_table();
  for (int i = 0; i < COUNT; i++)
    series[i] = (float)i; /* the host writes, by the kernel's pointer */
  int wrong = 0;
  for (float first = 1; first <= 2; first *= 2) {
    launch(series, table, sum);
    wrong += compare(series, sum, first);
  }
  must(vptr_usm_free(NULL, series));
  must(vptr_usm_free(NULL, sum));
  must(vptr_usm_free(NULL, table));
  must_cuda(vptr_cuda_unregister_module(handle));
  printf("usm: %s\n", wrong == 0 ? "the device agrees with the host" : "the device is WRONG");
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
