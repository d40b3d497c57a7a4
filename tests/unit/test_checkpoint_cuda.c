/* SPDX-License-Identifier: MIT */
/* Tests of checkpoints of what CUDA's runtime has: linear memory and pools. Arrays, textures and surfaces are in
 * test_checkpoint_arrays.c, variables of modules in test_checkpoint_variables.c, managed memory in
 * test_checkpoint_managed.c, and in test_checkpoint_pinned.c where the device works on it in place, as on pinned
 * memory. */
#include <vptr/cuda/cuda_runtime.h>
#include <vptr/vptr.h>

#include "checkpoints.h"
#include "support/support.h"

#define must(call) ck_assert_int_eq(call, cudaSuccess)

/* Work of streams is waited for; what was freed in a stream's order is not there again. */
START_TEST(linear_memory_and_pools_are_there_again) {
  unsigned char *plain, *pooled, *freed, seen;
  cudaStream_t stream;
  must(cudaStreamCreate(&stream));
  must(cudaMalloc((void **)&plain, 1 << 20));
  must(cudaMallocAsync((void **)&pooled, 3000, stream));
  must(cudaMallocAsync((void **)&freed, 400000, stream));
  must(cudaMemsetAsync(plain, 3, 1 << 20, stream));
  must(cudaMemsetAsync(pooled, 4, 3000, stream));
  must(cudaFreeAsync(freed, stream));
  support_succeed(vptr_checkpoint(NULL, checkpoints_path, 0));
  must(cudaFree(plain));
  must(cudaFreeAsync(pooled, stream));
  must(cudaStreamSynchronize(stream));
  support_succeed(vptr_clear(NULL));
  support_succeed(vptr_restore(NULL, checkpoints_path));
  ck_assert_uint_eq(vptr_count(NULL), 2);
  must(cudaMemcpy(&seen, plain + (1 << 20) - 1, 1, cudaMemcpyDeviceToHost));
  ck_assert_uint_eq(seen, 3);
  must(cudaMemcpy(&seen, pooled + 2999, 1, cudaMemcpyDeviceToHost));
  ck_assert_uint_eq(seen, 4);
  must(cudaFree(plain));
  must(cudaFreeAsync(pooled, stream));
  must(cudaStreamSynchronize(stream));
  must(cudaStreamDestroy(stream));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("checkpoint_cuda");
  TCase *cuda = tcase_create("cuda");
  tcase_add_checked_fixture(cuda, checkpoints_set_up, checkpoints_tear_down);
  tcase_add_test(cuda, linear_memory_and_pools_are_there_again);
  suite_add_tcase(suite, cuda);
  return support_run(suite);
}
