/* SPDX-License-Identifier: MIT */
/* Tests of checkpoints of what CUDA's runtime has: linear memory and pools are in it; the rest is refused, by name. */
#include <string.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime.h>
#include <vptr/vptr.h>

#include "checkpoints.h"
#include "module/variable.h"
#include "support/support.h"

#define must(call) ck_assert_int_eq(call, cudaSuccess)

/* Of the runtime's own mapper, not of the one that the fixture makes. */
static void expect_refusal(const char *words) {
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_checkpoint(NULL, checkpoints_path, 0));
  ck_assert_msg(strstr(vptr_last_error(), words) != NULL, "no %s in: %s", words, vptr_last_error());
  ck_assert_int_ne(access(checkpoints_path, F_OK), 0);
}

static void expect_checkpoint(void) {
  support_succeed(vptr_checkpoint(NULL, checkpoints_path, 0));
  ck_assert_int_eq(unlink(checkpoints_path), 0);
}

START_TEST(an_array_is_refused) {
  const struct cudaChannelFormatDesc desc = { 32, 0, 0, 0, cudaChannelFormatKindFloat };
  cudaArray_t array;
  must(cudaMallocArray(&array, &desc, 16, 16, 0));
  expect_refusal("arrays of 1024 bytes");
  must(cudaFreeArray(array));
  expect_checkpoint();
}
END_TEST

START_TEST(managed_memory_is_refused) {
  void *managed;
  must(cudaMallocManaged(&managed, 5000, cudaMemAttachGlobal));
  expect_refusal(support_has_opencl() ? "managed" : "5000 bytes of managed memory");
  must(cudaFree(managed));
  expect_checkpoint();
}
END_TEST

START_TEST(a_variable_is_refused_once_it_has_memory) {
  static const char key, scratch_key;
  const vptr__variable variable = { .key = &key, .name = "counter", .size = 8 };
  const vptr__variable scratch = { .key = &scratch_key, .name = "scratch", .size = 8, .is_scratch = true };
  vptr_mapper *mapper;
  void *address;
  support_succeed(vptr__mapper_for_device(0, &mapper));
  support_succeed(vptr__variable_register(&variable));
  support_succeed(vptr__variable_register(&scratch));
  support_succeed(vptr__variable_address(&scratch_key, mapper, &address));
  expect_checkpoint();
  support_succeed(vptr__variable_address(&key, mapper, &address));
  expect_refusal("the variable counter");
  ck_assert(vptr__variable_forget(&key));
  expect_checkpoint();
  ck_assert(vptr__variable_forget(&scratch_key));
}
END_TEST

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
  tcase_add_test(cuda, an_array_is_refused);
  tcase_add_test(cuda, managed_memory_is_refused);
  tcase_add_test(cuda, a_variable_is_refused_once_it_has_memory);
  tcase_add_test(cuda, linear_memory_and_pools_are_there_again);
  suite_add_tcase(suite, cuda);
  return support_run(suite);
}
