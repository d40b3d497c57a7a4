/* SPDX-License-Identifier: MIT */
/* conform_memory - cudaMalloc(), cudaFree(), cudaMemGetInfo(): results, outputs and what a refusal leaves behind. */
#include "conform.h"

#include <stdint.h>
#include <string.h>

static void zero_bytes_are_null(void) {
  void *p = (void *)16;
  conform_succeed(cudaMalloc(&p, 0));
  conform_true(p == NULL);
  conform_succeed(cudaFree(p));
}

static void missing_output_is_invalid(void) {
  conform_expect(cudaErrorInvalidValue, cudaMalloc(NULL, 16));
  conform_expect(cudaErrorInvalidValue, cudaMalloc(NULL, 0));
}

static void too_much_is_out_of_memory_and_null(void) {
  size_t total = 0;
  conform_succeed(cudaMemGetInfo(NULL, &total));
  const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 100, SIZE_MAX / 2, (size_t)1 << 50, total + (1u << 20) };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    void *p = (void *)16;
    conform_expect(cudaErrorMemoryAllocation, cudaMalloc(&p, sizes[i]));
    conform_true(p == NULL);
  }
  void *p = NULL;
  conform_succeed(cudaMalloc(&p, 1000));
  conform_succeed(cudaFree(p));
}

static void blocks_are_aligned_and_apart(void) {
  enum { COUNT = 64 };
  char *blocks[COUNT];
  for (int i = 0; i < COUNT; i++) {
    conform_succeed(cudaMalloc((void **)&blocks[i], (size_t)(i * 37 + 1)));
    conform_true((uintptr_t)blocks[i] % 256 == 0);
    for (int k = 0; k < i; k++)
      conform_true(blocks[i] + (i * 37 + 1) <= blocks[k] || blocks[k] + (k * 37 + 1) <= blocks[i]);
  }
  for (int i = 0; i < COUNT; i++)
    conform_succeed(cudaFree(blocks[(i * 29) % COUNT]));
}

static void null_is_freed_in_peace(void) {
  conform_succeed(cudaFree(NULL));
}

static void only_the_start_of_live_memory_is_freed(void) {
  char *p = NULL;
  int on_stack = 0;
  char *on_heap = malloc(64);
  conform_succeed(cudaMalloc((void **)&p, 1000));
  conform_expect(cudaErrorInvalidValue, cudaFree(p + 1));
  conform_expect(cudaErrorInvalidValue, cudaFree(p + 256));
  conform_expect(cudaErrorInvalidValue, cudaFree(p + 999));
  conform_expect(cudaErrorInvalidValue, cudaFree(p + 1000));
  conform_expect(cudaErrorInvalidValue, cudaFree(&on_stack));
  conform_expect(cudaErrorInvalidValue, cudaFree(on_heap));
  conform_expect(cudaErrorInvalidValue, cudaFree((void *)0x1234567890));
  conform_expect(cudaErrorInvalidValue, cudaFree((void *)UINTPTR_MAX));
  conform_succeed(cudaMemset(p, 1, 1000)); /* still there */
  conform_succeed(cudaFree(p));
  conform_expect(cudaErrorInvalidValue, cudaFree(p));
  free(on_heap);
}

static void large_blocks_are_freed_once_too(void) {
  char *p = NULL;
  conform_succeed(cudaMalloc((void **)&p, (size_t)64 << 20));
  conform_expect(cudaErrorInvalidValue, cudaFree(p + 4096));
  conform_succeed(cudaFree(p));
  conform_expect(cudaErrorInvalidValue, cudaFree(p));
}

static void info_follows_a_large_allocation(void) {
  const size_t size = (size_t)256 << 20;
  size_t before = 0, during = 0, after = 0, total = 0, same_total = 0;
  void *p = NULL;
  conform_succeed(cudaMemGetInfo(&before, &total));
  conform_true(before <= total && total > 0);
  conform_succeed(cudaMalloc(&p, size));
  conform_succeed(cudaMemGetInfo(&during, &same_total));
  conform_true(same_total == total);
  conform_true(during <= before - size);
  conform_succeed(cudaFree(p));
  conform_succeed(cudaMemGetInfo(&after, NULL));
  conform_true(after >= during + size);
  printf("observed: 256 MiB took %zu bytes, %zu came back\n", before - during, after - during);
}

static void info_follows_an_array(void) {
  const struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  const size_t width = 4096, height = 8192, size = width * height * sizeof(float);
  size_t before = 0, during = 0, after = 0;
  cudaArray_t array = NULL;
  conform_succeed(cudaMemGetInfo(&before, NULL));
  conform_succeed(cudaMallocArray(&array, &desc, width, height, 0));
  conform_succeed(cudaMemGetInfo(&during, NULL));
  conform_true(during <= before - size);
  conform_succeed(cudaFreeArray(array));
  conform_succeed(cudaMemGetInfo(&after, NULL));
  conform_true(after >= during + size);
  conform_expect(cudaErrorInvalidValue, cudaMallocArray(&array, &desc, SIZE_MAX / 4, height, 0));
  conform_succeed(cudaMemGetInfo(&during, NULL));
  conform_true(during == after);
}

/* Of a process that had no memory yet. */
static void info_is_as_before_after_the_first_free(void) {
  size_t before = 0, after = 0, total = 0;
  void *p = NULL;
  conform_succeed(cudaMemGetInfo(&before, &total));
  conform_succeed(cudaMalloc(&p, 1000));
  conform_succeed(cudaFree(p));
  conform_succeed(cudaMemGetInfo(&after, &total));
  conform_true(after == before);
}

static void info_takes_null(void) {
  size_t value = 0;
  conform_succeed(cudaMemGetInfo(&value, NULL));
  conform_true(value > 0);
  conform_succeed(cudaMemGetInfo(NULL, NULL));
}

int main(void) {
  info_is_as_before_after_the_first_free();
  zero_bytes_are_null();
  missing_output_is_invalid();
  too_much_is_out_of_memory_and_null();
  blocks_are_aligned_and_apart();
  null_is_freed_in_peace();
  only_the_start_of_live_memory_is_freed();
  large_blocks_are_freed_once_too();
  info_follows_a_large_allocation();
  info_follows_an_array();
  info_takes_null();
  return conform_done("conform_memory");
}
