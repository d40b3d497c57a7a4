/* SPDX-License-Identifier: MIT */
/*
 * test_header - what C programs write, compiled with every warning an error: typed pointers without a cast.
 *
 * Its counterpart in C++ is test_header.cpp; what must not compile is in test_header.sh.
 */
#include <cuda_runtime.h>
#include <stdio.h>

/* The macro of the function's name leaves the function itself alone. */
static cudaError_t (*const by_name)(void **, size_t) = cudaMalloc;
static cudaError_t (*const by_address)(void **, size_t) = &cudaMalloc;

typedef struct allocator {
  cudaError_t (*cudaMalloc)(void **, size_t);
} allocator;

static int failures;

static void expect(int condition, const char *what) {
  if (!condition) {
    failures++;
    printf("FAILED: %s\n", what);
  }
}

static void typed_pointers_need_no_cast(void) {
  float *numbers = NULL;
  const double *constants = NULL;
  struct never_defined *opaque = NULL;
  int **pointers = NULL;
  char(*rows)[16] = NULL;
  void *anything = NULL;
  expect(cudaMalloc(&numbers, 10 * sizeof *numbers) == cudaSuccess && numbers != NULL, "float *");
  expect(cudaMalloc(&constants, sizeof(double[4])) == cudaSuccess && constants != NULL, "const double *");
  expect(cudaMalloc(&opaque, 8) == cudaSuccess && opaque != NULL, "incomplete type");
  expect(cudaMalloc(&pointers, 8) == cudaSuccess && pointers != NULL, "int **");
  expect(cudaMalloc(&rows, sizeof(char[4][16])) == cudaSuccess && rows != NULL, "pointer to array");
  expect(cudaMalloc(&anything, 8) == cudaSuccess && anything != NULL, "void *");
  cudaFree(numbers);
  cudaFree((void *)(size_t)constants);
  cudaFree(opaque);
  cudaFree(pointers);
  cudaFree(rows);
  cudaFree(anything);
}

static void casts_are_fine_too(void) {
  float *numbers = NULL;
  expect(cudaMalloc((void **)&numbers, 8) == cudaSuccess && cudaFree(numbers) == cudaSuccess, "void ** cast");
  expect(cudaMalloc((void *)&numbers, 8) == cudaSuccess && cudaFree(numbers) == cudaSuccess, "void * cast");
  expect(cudaMalloc(NULL, 8) == cudaErrorInvalidValue, "NULL");
  expect(cudaMalloc(&numbers, sizeof((int[]){ 1, 2 })) == cudaSuccess, "comma in an argument");
  cudaFree(numbers);
}

static void arguments_are_evaluated_once(void) {
  float *two[2] = { NULL, NULL };
  int at = 0;
  size_t size = 8;
  expect(cudaMalloc(&two[at++], size++) == cudaSuccess && at == 1 && size == 9, "side effects");
  expect(two[0] != NULL && two[1] == NULL, "the right element");
  cudaFree(two[0]);
}

static void the_function_is_still_there(void) {
  void *p = NULL;
  float *q = NULL;
  allocator through = { cudaMalloc };
  expect(by_name == by_address, "one address");
  expect((cudaMalloc)(&p, 8) == cudaSuccess && cudaFree(p) == cudaSuccess, "in parentheses");
  expect(by_name(&p, 8) == cudaSuccess && cudaFree(p) == cudaSuccess, "through a pointer");
  expect(through.cudaMalloc(&q, 8) == cudaSuccess && cudaFree(q) == cudaSuccess, "a member of that name");
}

__host__ __device__ static float plain_functions_may_be_marked(float x) {
  return x;
}

int main(void) {
  typed_pointers_need_no_cast();
  casts_are_fine_too();
  arguments_are_evaluated_once();
  the_function_is_still_there();
  dim3 grid = { 2, 3, 4 };
  expect(grid.z == 4 && plain_functions_may_be_marked(1) == 1, "dim3, qualifiers");
  return failures != 0;
}
