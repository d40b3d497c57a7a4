/* SPDX-License-Identifier: MIT */
/* exact: with VPTR_EXACT=1 each allocation is a buffer of its own, of the very size, and no buffer is used again. Each
 * test's body is a process of its own. */
#include "support/child.h"
#include "support/support.h"

#include "mapper/mapper.h"
#include "pool/pool.h"

#include <string.h>

static child result;

static void run(void (*body)(void)) {
  child_run(body, &result);
  ck_assert_msg(result.exited && result.exit_code == 0, "exit code %d, signal %d: %s", result.exit_code,
                result.signal, result.text);
}

static vptr_mapper *begin(void) {
  vptr_mapper *mapper;
  child_set("VPTR_EXACT", "1");
  child_require(vptr_mapper_create(NULL, &mapper) == VPTR_SUCCESS, vptr_last_error());
  return mapper;
}

static cl_mem buffer_of(vptr_mapper *mapper, const void *ptr, size_t *bytes_out) {
  vptr_location location;
  child_require(vptr__mapper_locate(mapper, ptr, 1, &location) == VPTR_SUCCESS, "it is live");
  child_require(location.buffer_offset == 0, "it begins its buffer");
  child_require(mapper->device->ops->memory.size(mapper->device, location.buffer, bytes_out) == VPTR_SUCCESS,
                vptr_last_error());
  return location.buffer;
}

static void sizes(void) {
  static const size_t wanted[] = { 1, 4, 100, 4095, 4097, 300001 };
  vptr_mapper *mapper = begin();
  void *ptrs[6];
  cl_mem buffers[6];
  for (int i = 0; i < 6; i++) {
    size_t bytes = 0;
    child_require(vptr_malloc(mapper, wanted[i], &ptrs[i]) == VPTR_SUCCESS, vptr_last_error());
    buffers[i] = buffer_of(mapper, ptrs[i], &bytes);
    child_require(bytes == wanted[i], "the buffer is as large as was asked for");
    for (int other = 0; other < i; other++)
      child_require(buffers[i] != buffers[other], "it has the buffer for itself");
  }
  char out[100] = "what is written comes back", in[100];
  child_require(vptr_memcpy(mapper, ptrs[2], out, 100) == VPTR_SUCCESS, vptr_last_error());
  child_require(vptr_memcpy(mapper, in, ptrs[2], 100) == VPTR_SUCCESS, vptr_last_error());
  child_require(memcmp(in, out, 100) == 0, "what was written comes back");
  child_require(vptr_check(mapper) == VPTR_SUCCESS, vptr_last_error());
  for (int i = 0; i < 6; i++)
    child_require(vptr_free(mapper, ptrs[i]) == VPTR_SUCCESS, vptr_last_error());
  vptr_stats stats = { .struct_size = sizeof stats };
  vptr__heap_stats(mapper->heap, &stats);
  child_require(stats.buffer_bytes == 0 && stats.idle_bytes == 0, "no buffer is kept");
}

START_TEST(each_allocation_is_a_buffer_of_its_size) {
  run(sizes);
}
END_TEST

static void pools(void) {
  vptr_mapper *mapper = begin();
  vptr__stream *stream;
  void *first, *second;
  child_require(vptr__stream_create(mapper, 0, 0, &stream) == VPTR_SUCCESS, vptr_last_error());
  child_require(vptr__pool_allocate(NULL, 5000, stream, NULL, &first) == VPTR_SUCCESS, vptr_last_error());
  child_require(vptr__pool_free(mapper, first, stream, "test") == VPTR_SUCCESS, vptr_last_error());
  child_require(vptr__pool_allocate(NULL, 4900, stream, NULL, &second) == VPTR_SUCCESS, vptr_last_error());
  size_t bytes = 0;
  buffer_of(mapper, second, &bytes);
  child_require(second != first && bytes == 4900, "what was freed in a stream is not used again");
}

START_TEST(memory_freed_in_a_stream_is_not_used_again) {
  run(pools);
}
END_TEST

static Suite *exact_suite(void) {
  Suite *suite = suite_create("exact");
  TCase *tests = tcase_create("exact");
  tcase_add_test(tests, each_allocation_is_a_buffer_of_its_size);
  tcase_add_test(tests, memory_freed_in_a_stream_is_not_used_again);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(exact_suite());
}
