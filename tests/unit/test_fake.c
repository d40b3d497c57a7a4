/* SPDX-License-Identifier: MIT */
/*
 * The fake device keeps what device.h promises of every device, counts exactly, fails when told to, and stops
 * whoever misuses it. The other tests stand on that.
 */
#include "base/error.h"
#include "base/memory.h"
#include "base/option.h"
#include "device/fake.h"
#include "support/support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static vptr__device *device;
static vptr__fake_counts before;

static void open_fake(void) {
  support_succeed(vptr__device_open_fake(&device));
  vptr__fake_get_counts(&before);
}

static void close_fake(void) {
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__fake_counts after;
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.buffers, before.buffers);
  ck_assert_uint_eq(after.bytes, before.bytes);
  ck_assert_uint_eq(after.sub_buffers, before.sub_buffers);
  vptr__device_close(device);
}

static cl_mem make(size_t bytes) {
  cl_mem buffer = NULL;
  support_succeed(device->ops->memory.create(device, bytes, &buffer));
  ck_assert_ptr_nonnull(buffer);
  return buffer;
}

static void release(cl_mem buffer) {
  device->ops->memory.release(device, buffer);
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

START_TEST(bytes_written_are_read_back) {
  cl_mem buffer = make(1000);
  unsigned char out[1000], in[1000];
  for (size_t i = 0; i < sizeof out; i++)
    out[i] = (unsigned char)(i * 7);
  support_succeed(device->ops->transfer.write(device, buffer, 0, out, sizeof out));
  support_succeed(device->ops->transfer.read(device, buffer, 0, in, sizeof in));
  ck_assert_mem_eq(in, out, sizeof in);
  support_succeed(device->ops->transfer.write(device, buffer, 999, "x", 1));
  support_succeed(device->ops->transfer.read(device, buffer, 998, in, 2));
  ck_assert_int_eq(in[0], (unsigned char)(998 * 7));
  ck_assert_int_eq(in[1], 'x');
  release(buffer);
}
END_TEST

START_TEST(no_bytes_are_nothing_to_do) {
  cl_mem buffer = make(16);
  support_succeed(device->ops->transfer.write(device, buffer, 16, NULL, 0));
  support_succeed(device->ops->transfer.read(device, buffer, 16, NULL, 0));
  support_succeed(device->ops->transfer.copy(device, buffer, 0, buffer, 0, 0));
  support_succeed(device->ops->transfer.fill(device, buffer, 0, 0, "", 1));
  release(buffer);
}
END_TEST

START_TEST(copies_within_and_between_buffers) {
  cl_mem one = make(64), two = make(64);
  char in[64];
  support_succeed(device->ops->transfer.fill(device, one, 0, 64, "a", 1));
  support_succeed(device->ops->transfer.fill(device, two, 0, 64, "b", 1));
  support_succeed(device->ops->transfer.copy(device, one, 3, two, 5, 10));
  support_succeed(device->ops->transfer.copy(device, two, 0, two, 32, 32));
  support_succeed(device->ops->transfer.read(device, two, 0, in, 64));
  ck_assert_mem_eq(in, "bbbbbaaaaaaaaaab", 16);
  ck_assert_mem_eq(in + 32, in, 32);
  release(one);
  release(two);
}
END_TEST

START_TEST(fills_with_every_pattern_size) {
  cl_mem buffer = make(512);
  unsigned char pattern[128], in[512];
  for (size_t i = 0; i < sizeof pattern; i++)
    pattern[i] = (unsigned char)(i + 1);
  for (size_t size = 1; size <= 128; size *= 2) {
    support_succeed(device->ops->transfer.fill(device, buffer, 0, 512, "", 1));
    support_succeed(device->ops->transfer.fill(device, buffer, 128, 256, pattern, size));
    support_succeed(device->ops->transfer.read(device, buffer, 0, in, 512));
    for (size_t i = 0; i < 512; i++)
      ck_assert_int_eq(in[i], i < 128 || i >= 384 ? 0 : pattern[i % size]);
  }
  release(buffer);
}
END_TEST

/* Row by row, the pattern from the 16 bytes on that the row begins in: in a buffer, and in a part of one. */
START_TEST(rects_are_set_as_on_other_devices) {
  enum { SIZE = 16384 };
  static unsigned char in[SIZE], expected[SIZE];
  const size_t region[3] = { 37, 41, 3 };
  const vptr__rect to = { .buffer = make(SIZE), .offset = 19, .row = 50, .slice = 50 * 100 };
  unsigned char pattern[VPTR__SET_BYTES];
  for (size_t i = 0; i < sizeof pattern; i++)
    pattern[i] = (unsigned char)(i + 1);
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      for (size_t x = 0, first = to.offset + z * to.slice + y * to.row; x < region[0]; x++)
        expected[first + x] = pattern[(first % 16 + x) % sizeof pattern];
  support_succeed(device->ops->transfer.fill(device, to.buffer, 0, SIZE, "", 1));
  ck_assert(device->ops->transfer.enqueue_set(device, device->cl_queue, &to, region, pattern, NULL));
  support_succeed(device->ops->queue.finish_all(device));
  support_succeed(device->ops->transfer.read(device, to.buffer, 0, in, SIZE));
  ck_assert_mem_eq(in, expected, SIZE);
  const size_t little[3] = { 37, 41, 1 };
  ck_assert(!device->ops->transfer.enqueue_set(device, device->cl_queue, &to, little, pattern, NULL));
  release(to.buffer);
}
END_TEST

START_TEST(a_sub_buffer_is_a_part_of_its_root) {
  cl_mem root = make(4096), part = NULL;
  support_succeed(device->ops->memory.create_sub(device, root, 1024, 100, &part));
  support_succeed(device->ops->transfer.fill(device, root, 0, 4096, "r", 1));
  support_succeed(device->ops->transfer.write(device, part, 99, "p", 1));
  char in[2];
  support_succeed(device->ops->transfer.read(device, root, 1024 + 99, in, 2));
  ck_assert_mem_eq(in, "pr", 2);
  size_t bytes;
  support_succeed(device->ops->memory.size(device, part, &bytes));
  ck_assert_uint_eq(bytes, 100);
  release(root); /* the part keeps the memory */
  support_succeed(device->ops->transfer.read(device, part, 99, in, 1));
  ck_assert_int_eq(in[0], 'p');
  release(part);
}
END_TEST

START_TEST(a_part_of_a_part_is_one_of_the_whole) {
  cl_mem root = make(8192), part = NULL, nested = NULL;
  char in = 0;
  support_succeed(device->ops->memory.create_sub(device, root, 1024, 4096, &part));
  support_succeed(device->ops->memory.create_sub_set(device, part, 512, 2000, 's', &nested));
  release(part);
  support_succeed(device->ops->transfer.read(device, root, 1024 + 512 + 1999, &in, 1));
  ck_assert_int_eq(in, 's');
  support_succeed(device->ops->transfer.read(device, root, 1024 + 512 + 2000, &in, 1));
  ck_assert_int_eq(in, 0);
  release(nested);
  ck_assert_uint_eq(vptr__fake_buffer_references(root), 1);
  release(root);
}
END_TEST

START_TEST(hidden_memory_is_at_addresses_of_its_own) {
  uint64_t whole, inside;
  cl_mem part = NULL;
  vptr__fake_report_addresses(true);
  vptr__fake_hide_memory(true);
  cl_mem root = make(8192);
  vptr__fake_hide_memory(false);
  support_succeed(device->ops->memory.create_sub(device, root, 1024, 100, &part));
  support_succeed(device->ops->memory.address(device, root, &whole));
  support_succeed(device->ops->memory.address(device, part, &inside));
  ck_assert_uint_eq(inside, whole + 1024);
  strcpy(vptr__fake_at(inside), "hidden");
  char in[7];
  support_succeed(device->ops->transfer.read(device, root, 1024, in, 7));
  ck_assert_str_eq(in, "hidden");
  ck_assert_ptr_null(vptr__fake_at(whole + 8192));
  release(part);
  release(root);
  ck_assert_ptr_null(vptr__fake_at(whole));
  vptr__fake_report_addresses(false);
}
END_TEST

START_TEST(whoever_else_holds_a_buffer_is_seen) {
  cl_mem buffer = make(100);
  ck_assert(!device->ops->memory.is_shared(device, buffer));
  device->ops->memory.retain(device, buffer);
  ck_assert(device->ops->memory.is_shared(device, buffer));
  release(buffer);
  ck_assert(!device->ops->memory.is_shared(device, buffer));
  release(buffer);
}
END_TEST

/* ---- accounting ----------------------------------------------------------------------------------------- */

START_TEST(counts_are_exact) {
  cl_mem root = make(12345), part = NULL;
  support_succeed(device->ops->memory.create_sub(device, root, 0, 10, &part));
  char bytes[40] = { 0 };
  support_succeed(device->ops->transfer.write(device, root, 0, bytes, 40));
  support_succeed(device->ops->transfer.read(device, root, 0, bytes, 30));
  support_succeed(device->ops->transfer.copy(device, root, 0, root, 20, 20));
  support_succeed(device->ops->transfer.fill(device, root, 0, 10, bytes, 2));
  vptr__fake_counts now;
  vptr__fake_get_counts(&now);
  ck_assert_uint_eq(now.buffers - before.buffers, 1);
  ck_assert_uint_eq(now.bytes - before.bytes, 12345);
  ck_assert_uint_eq(now.sub_buffers - before.sub_buffers, 1);
  ck_assert_uint_eq(now.operations - before.operations, 6);
  ck_assert_uint_eq(now.written - before.written, 40);
  ck_assert_uint_eq(now.read - before.read, 30);
  ck_assert_uint_eq(now.copied - before.copied, 20);
  ck_assert_uint_eq(now.filled - before.filled, 10);
  release(part);
  release(root);
}
END_TEST

START_TEST(references_are_counted) {
  cl_mem buffer = vptr__fake_buffer_make(device, 100);
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), 1);
  device->ops->memory.retain(device, buffer);
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), 2);
  release(buffer);
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), 1);
  vptr__fake_buffer_release(buffer);
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), 0);
}
END_TEST

START_TEST(a_handle_is_not_used_again_for_the_next_buffer) {
  cl_mem old = make(100);
  release(old);
  cl_mem next = make(100);
  ck_assert_ptr_ne(old, next);
  size_t bytes = 7;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, device->ops->memory.size(device, old, &bytes));
  ck_assert_uint_eq(bytes, 7);
  release(next);
}
END_TEST

START_TEST(programs_hold_and_release_buffers_by_opencl) {
  cl_mem buffer = make(100);
  size_t bytes = 0;
  cl_uint references = 0;
  ck_assert_int_eq(clRetainMemObject(buffer), CL_SUCCESS);
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), 2);
  ck_assert_int_eq(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL), CL_SUCCESS);
  ck_assert_uint_eq(bytes, 100);
  ck_assert_int_eq(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL),
                   CL_SUCCESS);
  ck_assert_uint_eq(references, 2);
  ck_assert_int_eq(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, 1, &references, NULL), CL_INVALID_VALUE);
  ck_assert_int_eq(clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof bytes, &bytes, NULL), CL_INVALID_VALUE);
  ck_assert_int_eq(clReleaseMemObject(buffer), CL_SUCCESS);
  ck_assert_int_eq(clReleaseMemObject(buffer), CL_SUCCESS);
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), 0);
}
END_TEST

START_TEST(many_buffers_at_once) {
  enum { MANY = 1000 };
  static cl_mem buffers[MANY];
  for (size_t i = 0; i < MANY; i++)
    support_succeed(device->ops->transfer.write(device, buffers[i] = make(i + sizeof i), i, &i, sizeof i));
  for (size_t i = 0; i < MANY; i++) {
    size_t read;
    support_succeed(device->ops->transfer.read(device, buffers[i], i, &read, sizeof read));
    ck_assert_uint_eq(read, i);
    release(buffers[i]);
  }
}
END_TEST

/* ---- limits and faults ---------------------------------------------------------------------------------- */

/* Opens another fake device, of so many bytes. */
static vptr__device *open_sized(const char *bytes) {
  vptr__device *sized;
  setenv("VPTR_FAKE_BYTES", bytes, 1);
  vptr__option_reload();
  support_succeed(vptr__device_open_fake(&sized));
  unsetenv("VPTR_FAKE_BYTES");
  vptr__option_reload();
  return sized;
}

START_TEST(a_full_device_says_so) {
  vptr__device *small = open_sized("1M");
  cl_mem most = NULL, rest = NULL;
  support_succeed(small->ops->memory.create(small, 1048576 - 1000, &most));
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, small->ops->memory.create(small, 1001, &rest));
  ck_assert_ptr_null(rest);
  ck_assert_int_eq(vptr_last_cl_error(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "1001 bytes (1047576 of 1048576 are in use)"));
  support_succeed(small->ops->memory.create(small, 1000, &rest));
  release(rest);
  release(most);
  vptr__device_close(small);
}
END_TEST

START_TEST(a_size_beyond_the_device_is_refused) {
  cl_mem buffer = NULL;
  support_expect(VPTR_ERROR_INVALID_SIZE, device->ops->memory.create(device, device->memory_bytes + 1, &buffer));
  support_expect(VPTR_ERROR_INVALID_SIZE, device->ops->memory.create(device, SIZE_MAX, &buffer));
  support_expect(VPTR_ERROR_INVALID_SIZE, device->ops->memory.create(device, 0, &buffer));
  ck_assert_ptr_null(buffer);
}
END_TEST

START_TEST(the_environment_sizes_it) {
  vptr__device *small = open_sized("3M");
  ck_assert_uint_eq(small->memory_bytes, (uint64_t)3 << 20);
  cl_mem buffer = NULL;
  support_expect(VPTR_ERROR_INVALID_SIZE, small->ops->memory.create(small, ((size_t)3 << 20) + 1, &buffer));
  support_succeed(small->ops->memory.create(small, (size_t)3 << 20, &buffer));
  release(buffer);
  vptr__device_close(small);
}
END_TEST

START_TEST(sizes_above_four_gib_are_whole) {
  cl_mem buffer = make((size_t)5 << 30);
  char in = 0;
  support_succeed(device->ops->transfer.write(device, buffer, ((size_t)5 << 30) - 1, "z", 1));
  support_succeed(device->ops->transfer.read(device, buffer, ((size_t)5 << 30) - 1, &in, 1));
  ck_assert_int_eq(in, 'z');
  release(buffer);
}
END_TEST

/* A little of everything that can fail; the status of the first failure. */
static vptr_status work(void) {
  cl_mem root = NULL, part = NULL;
  char bytes[8] = { 0 };
  size_t size;
  vptr_status status = device->ops->memory.create(device, 2048, &root);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->memory.create_sub(device, root, 512, 8, &part);
  if (status == VPTR_SUCCESS)
    status = device->ops->memory.size(device, root, &size);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.write(device, root, 0, bytes, 8);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.read(device, root, 0, bytes, 8);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.copy(device, root, 0, root, 8, 8);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.fill(device, root, 0, 8, bytes, 8);
  if (status == VPTR_SUCCESS)
    status = device->ops->queue.finish_all(device);
  if (part != NULL)
    release(part);
  release(root);
  return status;
}

START_TEST(the_nth_operation_fails_once) {
  enum { OPERATIONS = 8 };
  for (long n = 1; n <= OPERATIONS; n++) {
    vptr__fake_fail_nth(n, CL_INVALID_OPERATION);
    support_expect(VPTR_ERROR_OPENCL, work());
    ck_assert_int_eq(vptr_last_cl_error(), CL_INVALID_OPERATION);
    support_succeed(work());
  }
  vptr__fake_fail_nth(OPERATIONS + 1, CL_INVALID_OPERATION);
  support_succeed(work());
  vptr__fake_fail_nth(0, CL_SUCCESS);
  support_succeed(work());
}
END_TEST

START_TEST(codes_of_a_full_device_mean_that_it_is_full) {
  static const cl_int codes[] = { CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY };
  cl_mem buffer = NULL;
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
    vptr__fake_fail_nth(1, codes[i]);
    support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, device->ops->memory.create(device, 8, &buffer));
    ck_assert_int_eq(vptr_last_cl_error(), codes[i]);
  }
  vptr__fake_fail_nth(1, CL_INVALID_BUFFER_SIZE);
  support_expect(VPTR_ERROR_INVALID_SIZE, device->ops->memory.create(device, 8, &buffer));
  vptr__fake_fail_nth(1, CL_INVALID_CONTEXT);
  support_expect(VPTR_ERROR_OPENCL, device->ops->memory.create(device, 8, &buffer));
  ck_assert_ptr_null(buffer);
}
END_TEST

START_TEST(opening_without_host_memory_fails) {
  vptr__device *none = NULL;
  vptr__memory_fail_nth(1);
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, vptr__device_open_fake(&none));
  ck_assert_ptr_null(none);
}
END_TEST

/* Callers do not ask. */
START_TEST(no_operation_is_missing) {
  void *operations[sizeof *device->ops / sizeof(void *)];
  memcpy(operations, device->ops, sizeof *device->ops);
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    ck_assert_msg(operations[i] != NULL, "operation %zu of the table", i);
}
END_TEST

START_TEST(what_it_cannot_do_is_unsupported) {
  cl_mem buffer = make(8);
  void *host = NULL;
  uint64_t address = 0;
  const vptr__device_ops *ops = device->ops;
  ck_assert(!device->host_unified);
  support_expect(VPTR_ERROR_UNSUPPORTED, ops->memory.map(device, buffer, 0, 8, VPTR_ACCESS_READ, &host));
  support_expect(VPTR_ERROR_UNSUPPORTED, ops->memory.unmap(device, buffer, host));
  support_expect(VPTR_ERROR_UNSUPPORTED, ops->kernel.arg_address(device, NULL, 0, 0));
  support_expect(VPTR_ERROR_UNSUPPORTED, ops->memory.address(device, buffer, &address));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, ops->queue.use(device, (cl_command_queue)buffer));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, ops->queue.drop(device, (cl_command_queue)buffer));
  ck_assert(!device->has_queues);
  release(buffer);
}
END_TEST

/* ---- misuse --------------------------------------------------------------------------------------------- */

typedef void misuse_function(cl_mem buffer);

static void write_past_the_end(cl_mem buffer) {
  device->ops->transfer.write(device, buffer, 2047, "ab", 2);
}

static void read_at_a_huge_offset(cl_mem buffer) {
  char in;
  device->ops->transfer.read(device, buffer, SIZE_MAX, &in, 1);
}

static void copy_onto_itself(cl_mem buffer) {
  device->ops->transfer.copy(device, buffer, 0, buffer, 7, 8);
}

static void fill_unaligned(cl_mem buffer) {
  device->ops->transfer.fill(device, buffer, 2, 8, "abcd", 4);
}

static void fill_with_an_odd_pattern(cl_mem buffer) {
  device->ops->transfer.fill(device, buffer, 0, 9, "abc", 3);
}

static void make_an_unaligned_sub_buffer(cl_mem buffer) {
  cl_mem part;
  device->ops->memory.create_sub(device, buffer, 256, 8, &part);
}

static void make_a_sub_buffer_past_the_end(cl_mem buffer) {
  cl_mem part;
  device->ops->memory.create_sub(device, buffer, 1024, 1025, &part);
}

static void make_a_sub_buffer_past_its_part(cl_mem buffer) {
  cl_mem part, nested;
  device->ops->memory.create_sub(device, buffer, 0, 1024, &part);
  device->ops->memory.create_sub(device, part, 512, 513, &nested);
}

static void release_twice(cl_mem buffer) {
  release(buffer);
  release(buffer);
}

static void release_twice_by_opencl(cl_mem buffer) {
  clReleaseMemObject(buffer);
  clReleaseMemObject(buffer);
}

static void make_a_sub_buffer_by_opencl(cl_mem buffer) {
  const cl_buffer_region region = { 0, 16 };
  clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
}

static void retain_after_release(cl_mem buffer) {
  release(buffer);
  device->ops->memory.retain(device, buffer);
}

static void read_after_release(cl_mem buffer) {
  release(buffer);
  make(2048); /* takes the place, and must not be taken for the old one */
  char in;
  device->ops->transfer.read(device, buffer, 0, &in, 1);
}

static void use_a_stranger(cl_mem buffer) {
  device->ops->transfer.write(device, (cl_mem)&buffer, 0, "a", 1);
}

static misuse_function *const misuses[] = {
  write_past_the_end,
  read_at_a_huge_offset,
  copy_onto_itself,
  fill_unaligned,
  fill_with_an_odd_pattern,
  make_an_unaligned_sub_buffer,
  make_a_sub_buffer_past_its_part,
  make_a_sub_buffer_past_the_end,
  release_twice,
  release_twice_by_opencl,
  make_a_sub_buffer_by_opencl,
  retain_after_release,
  read_after_release,
  use_a_stranger,
};

/* In a child, whose words are read: it must stop by abort(), and say that it was misuse. */
START_TEST(misuse_aborts_with_words) {
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  cl_mem buffer = make(2048);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    misuses[_i](buffer);
    _exit(0);
  }
  close(ends[1]);
  char words[512] = "";
  ck_assert_int_gt(read(ends[0], words, sizeof words - 1), 0);
  close(ends[0]);
  int ended;
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  ck_assert(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGABRT);
  ck_assert_msg(strncmp(words, "vptr: fake device misused: ", 27) == 0, "said: %s", words);
  release(buffer);
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

static void *hammer(void *seed) {
  uint64_t state = (uint64_t)(uintptr_t)seed;
  for (int i = 0; i < 200; i++) {
    uint64_t out = support_random(&state), in = 0;
    cl_mem buffer = NULL;
    if (device->ops->memory.create(device, 8 + out % 5000, &buffer) != VPTR_SUCCESS)
      return (void *)(uintptr_t) "create";
    device->ops->transfer.write(device, buffer, 0, &out, sizeof out);
    device->ops->transfer.read(device, buffer, 0, &in, sizeof in);
    release(buffer);
    if (in != out)
      return (void *)(uintptr_t) "bytes";
  }
  return NULL;
}

START_TEST(threads_do_not_disturb_each_other) {
  enum { THREADS = 8 };
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, hammer, (void *)(i + 1)), 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    ck_assert_msg(wrong == NULL, "thread %d: %s", i, (const char *)wrong);
  }
}
END_TEST

static Suite *fake_suite(void) {
  Suite *suite = suite_create("fake");
  TCase *tests = tcase_create("fake");
  tcase_add_checked_fixture(tests, open_fake, close_fake);
  tcase_add_test(tests, bytes_written_are_read_back);
  tcase_add_test(tests, no_bytes_are_nothing_to_do);
  tcase_add_test(tests, copies_within_and_between_buffers);
  tcase_add_test(tests, fills_with_every_pattern_size);
  tcase_add_test(tests, rects_are_set_as_on_other_devices);
  tcase_add_test(tests, a_sub_buffer_is_a_part_of_its_root);
  tcase_add_test(tests, a_part_of_a_part_is_one_of_the_whole);
  tcase_add_test(tests, hidden_memory_is_at_addresses_of_its_own);
  tcase_add_test(tests, whoever_else_holds_a_buffer_is_seen);
  tcase_add_test(tests, counts_are_exact);
  tcase_add_test(tests, references_are_counted);
  tcase_add_test(tests, a_handle_is_not_used_again_for_the_next_buffer);
  tcase_add_test(tests, programs_hold_and_release_buffers_by_opencl);
  tcase_add_test(tests, many_buffers_at_once);
  tcase_add_test(tests, a_full_device_says_so);
  tcase_add_test(tests, a_size_beyond_the_device_is_refused);
  tcase_add_test(tests, the_environment_sizes_it);
  tcase_add_test(tests, sizes_above_four_gib_are_whole);
  tcase_add_test(tests, the_nth_operation_fails_once);
  tcase_add_test(tests, codes_of_a_full_device_mean_that_it_is_full);
  tcase_add_test(tests, opening_without_host_memory_fails);
  tcase_add_test(tests, no_operation_is_missing);
  tcase_add_test(tests, what_it_cannot_do_is_unsupported);
  tcase_add_loop_test(tests, misuse_aborts_with_words, 0, (int)(sizeof misuses / sizeof *misuses));
  tcase_add_test(tests, threads_do_not_disturb_each_other);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(fake_suite());
}
