/* SPDX-License-Identifier: MIT */
/*
 * test_kernel_argument - virtual pointers as kernel arguments.
 *
 * Which means is chosen is tried on every backend, with a table of operations that writes down what is set instead
 * of setting it, and whose device has addresses or not as the test likes. That the means work is tried with real
 * kernels, where there is OpenCL.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"

static vptr_mapper *mapper;

static void setup(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
}

static void teardown(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static char *allocate(size_t size) {
  void *ptr = NULL;
  support_succeed(vptr_malloc(mapper, size, &ptr));
  return ptr;
}

/* ---- a device that writes down -------------------------------------------------------------------------- */

enum { ADDRESS = 0x700000 };

/* What the arguments 0 and 1 of the one kernel are. */
struct argument {
  enum { UNSET, BUFFER, VALUE, PLACE } means;
  cl_mem buffer;
  uint64_t number; /* of a value or a place */
};

static struct argument arguments[2];
static bool has_addresses;
static vptr_status refusal; /* of the next argument, if not VPTR_SUCCESS */
static const vptr__device_ops *true_ops;
static vptr__device_ops ops;
static char kernel_body;
static const cl_kernel kernel = (cl_kernel)(void *)&kernel_body;

static vptr_status set(cl_kernel which, cl_uint index, struct argument argument) {
  ck_assert_ptr_eq(which, kernel);
  ck_assert_uint_lt(index, 2);
  if (refusal != VPTR_SUCCESS)
    return vptr__error(refusal, "refused as the test likes");
  arguments[index] = argument;
  return VPTR_SUCCESS;
}

static vptr_status write_down_buffer(vptr__device *device, cl_kernel which, cl_uint index, cl_mem buffer) {
  (void)device;
  return set(which, index, (struct argument){ BUFFER, buffer, 0 });
}

static vptr_status write_down_value(vptr__device *device, cl_kernel which, cl_uint index, const void *value,
                                    size_t size) {
  (void)device;
  cl_ulong number;
  ck_assert_uint_eq(size, sizeof number);
  memcpy(&number, value, size);
  return set(which, index, (struct argument){ VALUE, NULL, number });
}

static vptr_status write_down_place(vptr__device *device, cl_kernel which, cl_uint index, uint64_t address) {
  (void)device;
  return set(which, index, (struct argument){ PLACE, NULL, address });
}

static vptr_status report_address(vptr__device *device, cl_mem buffer, uint64_t *address_out) {
  (void)device, (void)buffer;
  if (!has_addresses)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "no addresses, as the test likes");
  *address_out = ADDRESS;
  return VPTR_SUCCESS;
}

static void setup_writing_down(void) {
  setup();
  true_ops = mapper->device->ops;
  ops = *true_ops;
  ops.kernel.arg_buffer = write_down_buffer;
  ops.kernel.arg_value = write_down_value;
  ops.kernel.arg_address = write_down_place;
  ops.memory.address = report_address;
  mapper->device->ops = &ops;
  has_addresses = true;
  refusal = VPTR_SUCCESS;
  memset(arguments, 0, sizeof arguments);
}

static void teardown_writing_down(void) {
  mapper->device->ops = true_ops;
  teardown();
}

static cl_mem root_of(const void *ptr, size_t *offset_out) {
  vptr_location location;
  support_succeed(vptr_resolve(mapper, ptr, 1, &location));
  *offset_out = location.buffer_offset;
  return location.buffer;
}

/* Small enough to be pooled, and not the first of its pool. */
static char *pooled(void) {
  size_t offset = 0;
  char *ptr = NULL;
  for (int i = 0; i < 10 && offset == 0; ++i) {
    ptr = allocate(1000);
    root_of(ptr, &offset);
  }
  ck_assert_uint_ne(offset, 0);
  return ptr;
}

START_TEST(null_gives_the_kernel_null) {
  support_succeed(vptr_set_kernel_arg(mapper, kernel, 1, NULL));
  ck_assert_int_eq(arguments[1].means, BUFFER);
  ck_assert_ptr_null(arguments[1].buffer);
  support_succeed(vptr_set_kernel_arg_pair(mapper, kernel, 0, NULL));
  ck_assert_int_eq(arguments[0].means, BUFFER);
  ck_assert_ptr_null(arguments[0].buffer);
  ck_assert_int_eq(arguments[1].means, VALUE);
  ck_assert_uint_eq(arguments[1].number, 0);
}
END_TEST

START_TEST(the_start_of_a_buffer_is_the_buffer) {
  size_t offset;
  char *ptr = allocate(3 << 20);
  for (int addresses = 0; addresses < 2; ++addresses) {
    has_addresses = addresses != 0;
    memset(arguments, 0, sizeof arguments);
    support_succeed(vptr_set_kernel_arg(mapper, kernel, 0, ptr));
    ck_assert_int_eq(arguments[0].means, BUFFER);
    ck_assert_ptr_eq(arguments[0].buffer, root_of(ptr, &offset));
  }
}
END_TEST

START_TEST(any_other_place_is_an_address) {
  char *pool = pooled(), *whole = allocate(3 << 20);
  const char *places[] = { pool, pool + 1, pool + 999, whole + 1, whole + 256, whole + (3 << 20) - 1 };
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    size_t offset;
    root_of(places[i], &offset);
    support_succeed(vptr_set_kernel_arg(mapper, kernel, 1, places[i]));
    ck_assert_int_eq(arguments[1].means, PLACE);
    ck_assert_uint_eq(arguments[1].number, ADDRESS + offset);
  }
}
END_TEST

/* Nothing tells where in its pool an allocation lies, once the pool's address is known. Where buffers may leave, none
 * is known without asking for the buffer. */
START_TEST(the_first_of_a_pool_is_an_address_as_its_neighbours_are) {
  size_t offset;
  char *first = allocate(1000), *next = allocate(1000);
  root_of(first, &offset);
  ck_assert_uint_eq(offset, 0);
  support_succeed(vptr_set_kernel_arg(mapper, kernel, 0, first));
  ck_assert_int_eq(arguments[0].means, BUFFER);
  support_succeed(vptr_set_kernel_arg(mapper, kernel, 1, next));
  ck_assert_int_eq(arguments[1].means, PLACE);
  support_succeed(vptr_set_kernel_arg(mapper, kernel, 0, first));
  ck_assert_int_eq(arguments[0].means, vptr__heap_moves(mapper->heap) ? BUFFER : PLACE);
  if (arguments[0].means == PLACE)
    ck_assert_uint_eq(arguments[0].number, ADDRESS);
}
END_TEST

START_TEST(where_addresses_spoil_arguments_all_that_follow_are_addresses) {
  char *whole = allocate(3 << 20);
  mapper->device->quirk.spoils_buffers = true;
  support_succeed(vptr_set_kernel_arg(mapper, kernel, 0, whole));
  ck_assert_int_eq(arguments[0].means, BUFFER);
  support_succeed(vptr_set_kernel_arg(mapper, kernel, 0, whole + 5));
  ck_assert_int_eq(arguments[0].means, PLACE);
  ck_assert_uint_eq(arguments[0].number, ADDRESS + 5);
  support_succeed(vptr_set_kernel_arg(mapper, kernel, 0, whole));
  ck_assert_int_eq(arguments[0].means, PLACE);
  ck_assert_uint_eq(arguments[0].number, ADDRESS);
}
END_TEST

START_TEST(several_are_set_as_each_would_be) {
  size_t offset;
  char *whole = allocate(1 << 20), *small = pooled();
  const void *ptrs[2] = { whole, small + 7 };
  mapper->device->quirk.spoils_buffers = false;
  for (int round = 0; round < 2; round++) { /* the address is asked for, and then known */
    support_succeed(vptr_set_kernel_args(mapper, kernel, 0, ptrs, 2));
    ck_assert_int_eq(arguments[0].means, BUFFER);
    ck_assert_ptr_eq(arguments[0].buffer, root_of(whole, &offset));
    root_of(small + 7, &offset);
    ck_assert_int_eq(arguments[1].means, PLACE);
    ck_assert_uint_eq(arguments[1].number, ADDRESS + offset);
  }
  const void *const none[1] = { NULL };
  support_succeed(vptr_set_kernel_args(mapper, kernel, 1, none, 1));
  ck_assert_int_eq(arguments[1].means, BUFFER);
  ck_assert_ptr_null(arguments[1].buffer);
}
END_TEST

START_TEST(the_first_that_is_refused_ends_several) {
  char *freed = pooled(), *other = pooled();
  support_succeed(vptr_set_kernel_arg(mapper, kernel, 0, freed)); /* its address is known */
  support_succeed(vptr_free(mapper, freed));
  memset(arguments, 0, sizeof arguments);
  ck_assert_int_eq(vptr_set_kernel_args(mapper, kernel, 0, (const void *[]){ freed, other }, 2), VPTR_ERROR_FREED);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "vptr_set_kernel_args"));
  ck_assert_int_eq(arguments[1].means, UNSET);
  ck_assert_int_eq(vptr_set_kernel_args(mapper, kernel, 0, (const void *[]){ other, freed }, 2), VPTR_ERROR_FREED);
  ck_assert_int_eq(arguments[0].means, PLACE);
  refusal = VPTR_ERROR_OPENCL;
  ck_assert_int_eq(vptr_set_kernel_args(mapper, kernel, 0, (const void *[]){ other }, 1), VPTR_ERROR_OPENCL);
}
END_TEST

START_TEST(several_need_pointers_and_room) {
  const void *ptrs[1] = { allocate(64) };
  support_succeed(vptr_set_kernel_args(mapper, kernel, 0, NULL, 0));
  ck_assert_int_eq(vptr_set_kernel_args(mapper, kernel, 0, NULL, 1), VPTR_ERROR_NULL_POINTER);
  ck_assert_int_eq(vptr_set_kernel_args(mapper, NULL, 0, ptrs, 1), VPTR_ERROR_INVALID_ARGUMENT);
  ck_assert_int_eq(vptr_set_kernel_args(mapper, kernel, UINT32_MAX, ptrs, 1), VPTR_ERROR_INVALID_ARGUMENT);
  ck_assert_int_eq(arguments[0].means, UNSET);
}
END_TEST

/* The sub-buffer is the heap's: made once, and gone with the allocation. */
START_TEST(without_addresses_a_pooled_start_is_a_buffer_of_its_own) {
  size_t offset;
  char *ptr = pooled();
  has_addresses = false;
  support_succeed(vptr_set_kernel_arg(mapper, kernel, 0, ptr));
  ck_assert_int_eq(arguments[0].means, BUFFER);
  ck_assert_ptr_eq(arguments[0].buffer, vptr_get_buffer(mapper, ptr));
  ck_assert_ptr_ne(arguments[0].buffer, root_of(ptr, &offset));
  support_succeed(vptr_set_kernel_arg(mapper, kernel, 1, ptr));
  ck_assert_ptr_eq(arguments[1].buffer, arguments[0].buffer);
  support_succeed(vptr_free(mapper, ptr));
  support_succeed(vptr_trim(mapper, 0));
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.sub_buffers, 0);
}
END_TEST

START_TEST(without_addresses_an_interior_pointer_is_unsupported) {
  has_addresses = false;
  char *ptr = pooled();
  for (size_t at = 1; at < 1000; at += at < 10 ? 1 : 123) {
    support_expect(VPTR_ERROR_UNSUPPORTED, vptr_set_kernel_arg(mapper, kernel, 0, ptr + at));
    ck_assert_ptr_nonnull(strstr(vptr_last_error(), "vptr_set_kernel_arg_pair"));
    ck_assert_int_eq(arguments[0].means, UNSET);
  }
}
END_TEST

START_TEST(a_pair_is_the_root_buffer_and_the_offset) {
  has_addresses = false;
  char *pool = pooled(), *whole = allocate(3 << 20);
  const char *places[] = { pool, pool + 1, pool + 999, whole, whole + 1, whole + (3 << 20) - 1 };
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    size_t offset;
    cl_mem root = root_of(places[i], &offset);
    support_succeed(vptr_set_kernel_arg_pair(mapper, kernel, 0, places[i]));
    ck_assert_int_eq(arguments[0].means, BUFFER);
    ck_assert_ptr_eq(arguments[0].buffer, root);
    ck_assert_int_eq(arguments[1].means, VALUE);
    ck_assert_uint_eq(arguments[1].number, offset);
  }
}
END_TEST

/* ---- verdicts ------------------------------------------------------------------------------------------- */

static void expect_refusal(vptr_status expected, const void *bad) {
  support_expect(expected, vptr_set_kernel_arg(mapper, kernel, 0, bad));
  ck_assert_str_ne(vptr_last_error(), "");
  support_expect(expected, vptr_set_kernel_arg_pair(mapper, kernel, 0, bad));
  ck_assert_str_ne(vptr_last_error(), "");
  ck_assert_int_eq(arguments[0].means, UNSET);
  ck_assert_int_eq(arguments[1].means, UNSET);
}

START_TEST(bad_pointers_have_their_verdict) {
  int local;
  char *ptr = allocate(1000), *freed = allocate(1000);
  support_succeed(vptr_free(mapper, freed));
  expect_refusal(VPTR_ERROR_PAST_END, ptr + 1000);
  expect_refusal(VPTR_ERROR_FREED, freed);
  expect_refusal(VPTR_ERROR_UNKNOWN_ADDRESS, &local);
  vptr_mapper *other = NULL;
  void *theirs = NULL;
  support_succeed(vptr_mapper_create(NULL, &other));
  support_succeed(vptr_malloc(other, 100, &theirs));
  expect_refusal(VPTR_ERROR_OTHER_MAPPER, theirs);
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

START_TEST(a_kernel_and_room_for_the_offset_are_needed) {
  char *ptr = allocate(10);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_set_kernel_arg(mapper, NULL, 0, ptr));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_set_kernel_arg_pair(mapper, NULL, 0, ptr));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_set_kernel_arg_pair(mapper, kernel, UINT32_MAX, ptr));
}
END_TEST

START_TEST(a_refused_argument_is_told) {
  const void *places[] = { allocate(3 << 20), pooled(), pooled() + 7, NULL };
  refusal = VPTR_ERROR_OPENCL;
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    expect_refusal(VPTR_ERROR_OPENCL, places[i]);
    ck_assert_str_eq(vptr_last_error(), "refused as the test likes");
  }
}
END_TEST

START_TEST(references_are_given_back) {
  if (support_has_opencl())
    return;
  cl_mem buffer = vptr__fake_buffer_make(mapper->device, 1000);
  void *ptr = NULL;
  support_succeed(vptr_attach(mapper, buffer, &ptr));
  unsigned references = vptr__fake_buffer_references(buffer);
  for (int failing = 0; failing < 2; ++failing) {
    refusal = failing ? VPTR_ERROR_OPENCL : VPTR_SUCCESS;
    for (int at = 0; at < 2; ++at) {
      vptr_set_kernel_arg(mapper, kernel, 0, (char *)ptr + at);
      vptr_set_kernel_arg_pair(mapper, kernel, 0, (char *)ptr + at);
    }
    ck_assert_uint_eq(vptr__fake_buffer_references(buffer), references);
  }
  support_succeed(vptr_free(mapper, ptr));
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), 1);
  vptr__fake_buffer_release(buffer);
}
END_TEST

/* The fake's own faults and those of host memory, at each step of the longest way: making a sub-buffer. */
START_TEST(faults_leave_nothing_behind) {
  if (support_has_opencl())
    return;
  has_addresses = false;
  char *ptr = pooled();
  for (int memory = 0; memory < 2; ++memory) {
    long n = 0;
    vptr_status status;
    do {
      ck_assert_int_lt(++n, 100);
      if (memory)
        vptr__memory_fail_nth(n);
      else
        vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
      status = vptr_set_kernel_arg(mapper, kernel, 0, ptr);
      vptr__memory_fail_nth(0);
      vptr__fake_fail_nth(0, CL_SUCCESS);
      support_succeed(vptr_check(mapper));
      vptr__fake_counts counts;
      vptr__fake_get_counts(&counts);
      ck_assert_uint_eq(counts.sub_buffers, status == VPTR_SUCCESS ? 1 : 0);
    } while (status != VPTR_SUCCESS);
    support_succeed(vptr_free(mapper, ptr));
    ptr = pooled();
  }
}
END_TEST

/* ---- real kernels --------------------------------------------------------------------------------------- */

static const char source[] = "kernel void put(global uchar *at, uchar value) { *at = value; }\n"
                             "kernel void put_pair(global uchar *base, ulong offset, uchar value)\n"
                             "{ base[offset] = value; }\n"
                             "kernel void copy(global const uchar *from, global uchar *to, int size)\n"
                             "{ for (int i = 0; i < size; ++i) to[i] = from[i]; }\n"
                             "kernel void is_null(global uchar *at, global int *answer) { *answer = at == 0; }\n";

static cl_program program;

static cl_kernel make_kernel(const char *name) {
  cl_int code = CL_SUCCESS;
  cl_kernel made = clCreateKernel(program, name, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  return made;
}

static void run(cl_kernel which) {
  size_t one = 1;
  ck_assert_int_eq(clEnqueueNDRangeKernel(vptr_get_queue(mapper), which, 1, NULL, &one, NULL, 0, NULL, NULL),
                   CL_SUCCESS);
  support_succeed(vptr_finish(mapper));
}

static void setup_program(void) {
  setup();
  const char *text = source;
  cl_int code = CL_SUCCESS;
  cl_device_id device = vptr_get_device(mapper);
  program = clCreateProgramWithSource(vptr_get_context(mapper), 1, &text, NULL, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  ck_assert_int_eq(clBuildProgram(program, 1, &device, "", NULL, NULL), CL_SUCCESS);
}

static void teardown_program(void) {
  clReleaseProgram(program);
  teardown();
}

/* Sets each place in turn and looks at all bytes: the argument means the very byte. */
static void expect_puts(char *ptr, size_t size, bool as_pair) {
  unsigned char *model = calloc(1, size), *seen = malloc(size);
  support_succeed(vptr_memset(mapper, ptr, 0, size));
  cl_kernel put = make_kernel(as_pair ? "put_pair" : "put");
  for (size_t at = 0; at < size; at += 1 + size / 37) {
    cl_uchar value = (cl_uchar)(at + 1);
    if (as_pair)
      support_succeed(vptr_set_kernel_arg_pair(mapper, put, 0, ptr + at));
    else
      support_succeed(vptr_set_kernel_arg(mapper, put, 0, ptr + at));
    ck_assert_int_eq(clSetKernelArg(put, as_pair ? 2 : 1, sizeof value, &value), CL_SUCCESS);
    run(put);
    model[at] = value;
  }
  support_succeed(vptr_memcpy(mapper, seen, ptr, size));
  ck_assert_int_eq(memcmp(seen, model, size), 0);
  clReleaseKernel(put);
  free(model);
  free(seen);
}

static bool device_has_addresses(void) {
  uint64_t address;
  char *ptr = allocate(3 << 20);
  vptr_status status = vptr__heap_device_address(mapper->heap, ptr, &address);
  support_succeed(vptr_free(mapper, ptr));
  return status == VPTR_SUCCESS;
}

START_TEST(kernels_write_where_the_pointer_points) {
  char *first = allocate(1000), *second = allocate(1000), *whole = allocate(3 << 20);
  if (device_has_addresses()) {
    expect_puts(first, 1000, false);
    expect_puts(second, 1000, false);
    expect_puts(whole, 3 << 20, false);
  } else {
    printf("left out: the device takes no addresses\n");
  }
  expect_puts(first, 1000, true);
  expect_puts(second, 1000, true);
  expect_puts(whole, 3 << 20, true);
}
END_TEST

static vptr_status has_none(vptr__device *device, cl_mem buffer, uint64_t *address_out) {
  (void)device, (void)buffer, (void)address_out;
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "no addresses, as the test likes");
}

static void expect_kernel_copies(const char *from, char *to) {
  char bytes[800], seen[800];
  memset(bytes, 0x3c, sizeof bytes);
  support_succeed(vptr_memcpy(mapper, (void *)(uintptr_t)from, bytes, sizeof bytes));
  cl_kernel copy = make_kernel("copy");
  cl_int size = sizeof bytes;
  support_succeed(vptr_set_kernel_arg(mapper, copy, 0, from));
  support_succeed(vptr_set_kernel_arg(mapper, copy, 1, to));
  ck_assert_int_eq(clSetKernelArg(copy, 2, sizeof size, &size), CL_SUCCESS);
  run(copy);
  support_succeed(vptr_memcpy(mapper, seen, to, sizeof seen));
  ck_assert_int_eq(memcmp(seen, bytes, sizeof seen), 0);
  clReleaseKernel(copy);
}

START_TEST(two_pooled_pointers_in_one_kernel) {
  char *from = pooled(), *to = pooled();
  expect_kernel_copies(from, to);
  if (device_has_addresses())
    expect_kernel_copies(from + 3, to + 101);
  true_ops = mapper->device->ops;
  ops = *true_ops;
  ops.memory.address = has_none;
  mapper->device->ops = &ops;
  from = allocate(5000);
  to = allocate(5000);
  expect_kernel_copies(from, to);
  mapper->device->ops = true_ops;
}
END_TEST

START_TEST(null_is_null_in_the_kernel) {
  cl_kernel is_null = make_kernel("is_null");
  char *answer = allocate(sizeof(cl_int));
  cl_int seen = -1;
  support_succeed(vptr_set_kernel_arg(mapper, is_null, 0, NULL));
  support_succeed(vptr_set_kernel_arg(mapper, is_null, 1, answer));
  run(is_null);
  support_succeed(vptr_memcpy(mapper, &seen, answer, sizeof seen));
  ck_assert_int_eq(seen, 1);
  support_succeed(vptr_set_kernel_arg(mapper, is_null, 0, answer));
  run(is_null);
  support_succeed(vptr_memcpy(mapper, &seen, answer, sizeof seen));
  ck_assert_int_eq(seen, 0);
  clReleaseKernel(is_null);
}
END_TEST

/* NVIDIA's driver takes no buffer where an address was. */
START_TEST(addresses_and_buffers_follow_each_other) {
  cl_kernel is_null = make_kernel("is_null");
  char *answer = allocate(sizeof(cl_int)), *other = pooled();
  const char *given[] = { answer, other + 3, answer, other, answer + 1, answer };
  if (!device_has_addresses())
    return;
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
    cl_int seen = -1;
    support_succeed(vptr_set_kernel_arg(mapper, is_null, 0, given[i]));
    support_succeed(vptr_set_kernel_arg(mapper, is_null, 1, answer));
    run(is_null);
    support_succeed(vptr_memcpy(mapper, &seen, answer, sizeof seen));
    ck_assert_int_eq(seen, 0);
  }
  clReleaseKernel(is_null);
}
END_TEST

START_TEST(an_argument_that_is_not_there_is_an_opencl_error) {
  cl_kernel put = make_kernel("put");
  char *ptr = allocate(3 << 20);
  support_expect(VPTR_ERROR_OPENCL, vptr_set_kernel_arg(mapper, put, 7, ptr));
  ck_assert_int_eq(vptr_last_cl_error(), CL_INVALID_ARG_INDEX);
  clReleaseKernel(put);
}
END_TEST

static Suite *kernel_argument_suite(void) {
  Suite *suite = suite_create("kernel_argument");
  TCase *means = tcase_create("means");
  tcase_add_checked_fixture(means, setup_writing_down, teardown_writing_down);
  tcase_add_test(means, null_gives_the_kernel_null);
  tcase_add_test(means, the_start_of_a_buffer_is_the_buffer);
  tcase_add_test(means, any_other_place_is_an_address);
  tcase_add_test(means, the_first_of_a_pool_is_an_address_as_its_neighbours_are);
  tcase_add_test(means, where_addresses_spoil_arguments_all_that_follow_are_addresses);
  tcase_add_test(means, several_are_set_as_each_would_be);
  tcase_add_test(means, the_first_that_is_refused_ends_several);
  tcase_add_test(means, several_need_pointers_and_room);
  tcase_add_test(means, without_addresses_a_pooled_start_is_a_buffer_of_its_own);
  tcase_add_test(means, without_addresses_an_interior_pointer_is_unsupported);
  tcase_add_test(means, a_pair_is_the_root_buffer_and_the_offset);
  tcase_add_test(means, bad_pointers_have_their_verdict);
  tcase_add_test(means, a_kernel_and_room_for_the_offset_are_needed);
  tcase_add_test(means, a_refused_argument_is_told);
  tcase_add_test(means, references_are_given_back);
  tcase_add_test(means, faults_leave_nothing_behind);
  suite_add_tcase(suite, means);
  if (!support_has_opencl()) {
    printf("left out: real kernels, which the fake device cannot run\n");
    return suite;
  }

  TCase *kernels = tcase_create("kernels");
  tcase_add_checked_fixture(kernels, setup_program, teardown_program);
  tcase_add_test(kernels, kernels_write_where_the_pointer_points);
  tcase_add_test(kernels, two_pooled_pointers_in_one_kernel);
  tcase_add_test(kernels, null_is_null_in_the_kernel);
  tcase_add_test(kernels, addresses_and_buffers_follow_each_other);
  tcase_add_test(kernels, an_argument_that_is_not_there_is_an_opencl_error);
  suite_add_tcase(suite, kernels);
  return suite;
}

int main(void) {
  return support_run(kernel_argument_suite());
}
