/* SPDX-License-Identifier: MIT */
/*
 * launch - a launch's arguments on their way to the kernel: what each pointer becomes, and what is set how often.
 *
 * On the fake device, with a kernel that writes down what it was given; once where the device tells addresses, and once
 * where pointers are buffers and offsets. What CUDA's calls promise is in tests/cuda/test_cuda_launch.c.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/fake.h"
#include "module/module.h"
#include "support/support.h"

static const char text[] = "//vptr-module 1\n"
                           "//vptr kernel name=note lowered=note entry=m_note\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr param size=24 align=8 kind=value\n"
                           "m_note\n";

enum { POINTERS = 2, LARGE = 1 << 20, SMALL = 1000 };

typedef struct triple {
  uint64_t of[3];
} triple;

/* What the kernel was given last, as addresses of the process: the fake device's memory is there. */
static uint64_t given[POINTERS];
static int given_value;
static triple given_triple;

static vptr_mapper *mapper;
static vptr__stream *stream;
static vptr__module *module;
static const vptr__device_ops *true_ops;
static vptr__device_ops ops;
static int sets;           /* since the last launch */
static bool refuses_value; /* the next one of four bytes */

static void note_addresses(const vptr__fake_launch *launch) {
  for (int i = 0; i < POINTERS; i++)
    given[i] = *(const uint64_t *)launch->arguments[i];
  given_value = *(const int *)launch->arguments[POINTERS];
  given_triple = *(const triple *)launch->arguments[POINTERS + 1];
}

static void note_pairs(const vptr__fake_launch *launch) {
  for (int i = 0; i < POINTERS; i++)
    given[i] = (uintptr_t)launch->arguments[2 * i] + *(const uint64_t *)launch->arguments[2 * i + 1];
  given_value = *(const int *)launch->arguments[2 * POINTERS];
  given_triple = *(const triple *)launch->arguments[2 * POINTERS + 1];
}

static vptr_status count_value(vptr__device *device, cl_kernel kernel, cl_uint index, const void *value,
                               size_t size) {
  sets++;
  if (refuses_value && size == sizeof(int)) {
    refuses_value = false;
    return vptr__error(VPTR_ERROR_OPENCL, "refused as the test likes");
  }
  return true_ops->arg_value(device, kernel, index, value, size);
}

/* ---- what every test does ------------------------------------------------------------------------------- */

static void set_up(bool addresses) {
  vptr__fake_tell_addresses(addresses);
  vptr__fake_define("m_note", addresses ? note_addresses : note_pairs);
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  support_succeed(vptr__module_load(text, sizeof text - 1, &module));
  true_ops = mapper->device->ops;
  ops = *true_ops;
  ops.arg_value = count_value;
  mapper->device->ops = &ops;
  refuses_value = false;
}

static void set_up_addresses(void) {
  set_up(true);
}

static void set_up_pairs(void) {
  set_up(false);
}

static void tear_down(void) {
  vptr__module_unload(module);
  mapper->device->ops = true_ops;
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
  vptr__fake_tell_addresses(false);
}

static char *allocate(size_t size) {
  void *ptr;
  support_succeed(vptr_malloc(mapper, size, &ptr));
  return ptr;
}

static vptr_status launch_with(const void *a, const void *b, int value, triple three) {
  void *arguments[] = { &a, &b, &value, &three };
  vptr__launch launch = { .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  sets = 0;
  vptr_status status = vptr__function_launch(vptr__module_function(module, "note"), stream, &launch);
  support_succeed(vptr__stream_synchronize(stream));
  return status;
}

static vptr_status launch(const void *a, const void *b) {
  return launch_with(a, b, 5, (triple){ { 1, 2, 3 } });
}

/* Where the fake device has the byte at ptr. */
static uint64_t place_of(const void *ptr) {
  vptr_location location;
  uint64_t address;
  support_succeed(vptr_resolve(mapper, ptr, 1, &location));
  vptr__fake_tell_addresses(true);
  support_succeed(mapper->device->ops->buffer_address(mapper->device, location.buffer, &address));
  return address + location.buffer_offset;
}

static void expect_given(const void *a, const void *b) {
  ck_assert_uint_eq(given[0], place_of(a));
  ck_assert_uint_eq(given[1], place_of(b));
}

/* ---- what pointers become ------------------------------------------------------------------------------- */

START_TEST(pointers_become_the_bytes_they_point_to) {
  char *large = allocate(LARGE), *small = allocate(SMALL), *other = allocate(SMALL);
  for (int round = 0; round < 2; round++) { /* addresses are asked for, and then known */
    support_succeed(launch(large, large + LARGE - 1));
    expect_given(large, large + LARGE - 1);
    support_succeed(launch(small + 77, other + SMALL - 1));
    expect_given(small + 77, other + SMALL - 1);
  }
  ck_assert_int_eq(given_value, 5);
  ck_assert_uint_eq(given_triple.of[2], 3);
}
END_TEST

START_TEST(null_stays_null_and_one_past_the_end_is_behind_the_last_byte) {
  char *small = allocate(SMALL), *large = allocate(LARGE);
  support_succeed(launch(small, large));
  support_succeed(launch(small + SMALL, large + LARGE));
  ck_assert_uint_eq(given[0], place_of(small + SMALL - 1) + 1);
  ck_assert_uint_eq(given[1], place_of(large + LARGE - 1) + 1);
  support_succeed(launch(NULL, small));
  ck_assert_uint_eq(given[0], 0);
  ck_assert_uint_eq(given[1], place_of(small));
}
END_TEST

START_TEST(what_was_freed_is_refused_and_nothing_is_sent) {
  char *small = allocate(SMALL), *freed = allocate(SMALL), *large = allocate(LARGE);
  support_succeed(launch(small, freed));
  support_succeed(launch(small, large));
  support_succeed(vptr_free(mapper, freed));
  support_succeed(vptr_free(mapper, large));
  memset(given, 0, sizeof given);
  support_expect(VPTR_ERROR_FREED, launch(small, freed));
  support_expect(VPTR_ERROR_FREED, launch(large, small));
  support_expect(VPTR_ERROR_NOT_OURS, launch(small, &given));
  ck_assert_uint_eq(given[0], 0);
  ck_assert_int_eq(sets, 0);
}
END_TEST

/* Addresses that are issued again belong to a buffer that lies elsewhere. */
START_TEST(a_buffer_that_comes_later_has_its_own_place) {
  char *kept = allocate(SMALL);
  for (int i = 0; i < 20; i++) {
    char *large = allocate(LARGE + (size_t)i * 4096);
    support_succeed(launch(large, kept));
    expect_given(large, kept);
    support_succeed(vptr_free(mapper, large));
    vptr_trim(mapper, 0);
  }
}
END_TEST

START_TEST(packed_arguments_mean_the_same) {
  char *small = allocate(SMALL), *large = allocate(LARGE);
  struct {
    const void *pointers[POINTERS];
    int value;
    triple three;
  } packed = { { small + 1, large + 2 }, 9, { { 4, 5, 6 } } };
  vptr__launch launch = {
    .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .packed = &packed, .packed_size = sizeof packed
  };
  support_succeed(vptr__function_launch(vptr__module_function(module, "note"), stream, &launch));
  support_succeed(vptr__stream_synchronize(stream));
  expect_given(small + 1, large + 2);
  ck_assert_int_eq(given_value, 9);
  ck_assert_uint_eq(given_triple.of[0], 4);
}
END_TEST

/* ---- what is set ---------------------------------------------------------------------------------------- */

/* The three numbers are longer than what is compared, so they are set each time. */
START_TEST(only_what_has_changed_is_set_again) {
  char *a = allocate(SMALL), *b = allocate(SMALL);
  const triple three = { { 1, 2, 3 } };
  support_succeed(launch_with(a, b, 5, three));
  ck_assert_int_eq(sets, POINTERS + 2);
  support_succeed(launch_with(a, b, 5, three));
  ck_assert_int_eq(sets, 1);
  support_succeed(launch_with(a, b + 4, 5, three));
  ck_assert_int_eq(sets, 2);
  expect_given(a, b + 4);
  support_succeed(launch_with(a, b + 4, 6, three));
  ck_assert_int_eq(sets, 2);
  ck_assert_int_eq(given_value, 6);
  support_succeed(launch_with(b, a, 0, three));
  expect_given(b, a);
  ck_assert_int_eq(given_value, 0);
}
END_TEST

START_TEST(what_could_not_be_set_is_set_by_the_next_launch) {
  char *a = allocate(SMALL);
  const triple three = { { 1, 2, 3 } };
  support_succeed(launch_with(a, a, 5, three));
  refuses_value = true;
  support_expect(VPTR_ERROR_OPENCL, launch_with(a, a, 6, three));
  support_succeed(launch_with(a, a, 5, three));
  ck_assert_int_eq(sets, 2);
  ck_assert_int_eq(given_value, 5);
  refuses_value = true;
  support_expect(VPTR_ERROR_OPENCL, launch_with(a, a, 6, three));
  support_succeed(launch_with(a, a, 6, three));
  ck_assert_int_eq(given_value, 6);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------ */

static void add_case(Suite *suite, const char *name, void (*begin)(void)) {
  TCase *tests = tcase_create(name);
  tcase_add_checked_fixture(tests, begin, tear_down);
  tcase_add_test(tests, pointers_become_the_bytes_they_point_to);
  tcase_add_test(tests, null_stays_null_and_one_past_the_end_is_behind_the_last_byte);
  tcase_add_test(tests, what_was_freed_is_refused_and_nothing_is_sent);
  tcase_add_test(tests, a_buffer_that_comes_later_has_its_own_place);
  tcase_add_test(tests, packed_arguments_mean_the_same);
  tcase_add_test(tests, only_what_has_changed_is_set_again);
  tcase_add_test(tests, what_could_not_be_set_is_set_by_the_next_launch);
  suite_add_tcase(suite, tests);
}

static Suite *launch_suite(void) {
  Suite *suite = suite_create("launch");
  if (support_has_opencl())
    return suite; /* its kernel is the fake device's */
  add_case(suite, "addresses", set_up_addresses);
  add_case(suite, "pairs", set_up_pairs);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  return support_run(launch_suite());
}
