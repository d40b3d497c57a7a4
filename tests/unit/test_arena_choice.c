/* SPDX-License-Identifier: MIT */
/*
 * arena choice - VPTR_ADDRESSES=device: which mappers have the device's addresses, of how much memory, which keep their
 * own; and what becomes of it when any operation or any allocation fails.
 */
#include <stdio.h>
#include <stdlib.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "base/option.h"
#include "device/fake.h"
#include "heap/state.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define MIB ((size_t)1 << 20)

static void choose(const char *value) {
  if (value != NULL)
    setenv("VPTR_ADDRESSES", value, 1);
  else
    unsetenv("VPTR_ADDRESSES");
  vptr__option_reload();
}

/* An OpenCL device's answers are not a test's to choose. */
static void set_up(void) {
  setenv("VPTR_PLATFORM", "fake", 1);
  vptr__fake_report_addresses(true);
  vptr__fake_hide_memory(true);
  choose("device:64M");
}

static void tear_down(void) {
  vptr__fake_hide_memory(false);
  vptr__fake_report_addresses(false);
  choose(NULL);
}

static bool has_arena(const vptr_mapper *of) {
  return vptr__heap_has_arena(of->heap);
}

static vptr_mapper *open_other(const char *wish) {
  vptr_mapper *other;
  choose(wish);
  support_succeed(vptr_mapper_create(NULL, &other));
  return other;
}

static void expect_own(vptr_mapper *other) {
  void *ptr;
  ck_assert(!has_arena(other));
  support_succeed(vptr_malloc(other, MIB, &ptr));
  support_succeed(vptr_mapper_destroy(other));
}

START_TEST(a_device_that_tells_no_addresses_keeps_its_own) {
  vptr__fake_report_addresses(false);
  expect_own(open_other("device"));
}
END_TEST

START_TEST(addresses_that_the_host_can_read_are_refused) {
  vptr__fake_hide_memory(false);
  expect_own(open_other("device"));
}
END_TEST

START_TEST(without_a_size_it_is_three_quarters) {
  vptr_mapper *other = open_other("device");
  ck_assert(has_arena(other));
  ck_assert_uint_eq(other->heap->arena.bytes, other->device->memory_bytes / 4 * 3);
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

START_TEST(more_than_there_is_becomes_less) {
  vptr_mapper *first = open_other("device"), *second = open_other("device");
  ck_assert(has_arena(first) && has_arena(second));
  ck_assert_uint_eq(second->heap->arena.bytes, first->heap->arena.bytes / 4); /* three quarters of it are not left */
  support_succeed(vptr_mapper_destroy(first));
  support_succeed(vptr_mapper_destroy(second));
}
END_TEST

START_TEST(a_base_address_of_the_programs_has_precedence) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *other;
  config.base_address = (uintptr_t)1 << 45;
  config.reserve_size = 64 * MIB;
  support_succeed(vptr_mapper_create(&config, &other));
  expect_own(other);
}
END_TEST

static void live(bool *failed) {
  vptr_mapper *other;
  void *small = NULL, *large = NULL;
  char byte = 1;
  vptr_status status = vptr_mapper_create(NULL, &other);
  *failed = status != VPTR_SUCCESS;
  if (*failed)
    return;
  vptr_status first = vptr_malloc(other, 100, &small), second = vptr_malloc(other, 2 * MIB, &large);
  if (first == VPTR_SUCCESS && second == VPTR_SUCCESS)
    *failed |= vptr_memcpy(other, large, small, 100) != VPTR_SUCCESS ||
               vptr_memcpy(other, &byte, large, 1) != VPTR_SUCCESS || vptr_get_buffer(other, small) == NULL;
  else
    *failed = true;
  support_succeed(vptr_check(other));
  if (first == VPTR_SUCCESS)
    support_succeed(vptr_free(other, small));
  if (second == VPTR_SUCCESS)
    support_succeed(vptr_free_no_reuse(other, large));
  vptr_mapper_destroy(other);
}

static void expect_as_before(const vptr__fake_counts *before) {
  vptr__fake_counts after;
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.buffers, before->buffers);
  ck_assert_uint_eq(after.sub_buffers, before->sub_buffers);
  ck_assert_uint_eq(after.bytes, before->bytes);
}

static uint64_t operations(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.operations;
}

/* One that has no memory is had by a smaller arena, or none; any other is told. */
START_TEST(any_operation_of_the_device_may_fail) {
  static const cl_int codes[] = { CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE };
  vptr__fake_counts before;
  vptr__fake_get_counts(&before);
  for (int i = 0; i < 2; i++) {
    uint64_t met;
    bool failed;
    long n = 0;
    do {
      uint64_t from = operations();
      vptr__fake_fail_nth(++n, codes[i]);
      live(&failed);
      met = operations() - from;
      vptr__fake_fail_nth(0, CL_SUCCESS);
      expect_as_before(&before);
    } while ((uint64_t)n <= met);
    ck_assert(!failed);
    ck_assert_int_gt(n, 8);
  }
}
END_TEST

START_TEST(any_allocation_on_the_host_may_fail) {
  vptr__fake_counts before;
  bool failed = true;
  vptr__fake_get_counts(&before);
  long n = 0;
  while (failed) {
    vptr__memory_fail_nth(++n);
    live(&failed);
    vptr__memory_fail_nth(0);
    expect_as_before(&before);
  }
  ck_assert_int_gt(n, 5);
}
END_TEST

static Suite *arena_choice_suite(void) {
  Suite *suite = suite_create("arena choice");
  TCase *tests = tcase_create("arena choice");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, a_device_that_tells_no_addresses_keeps_its_own);
  tcase_add_test(tests, addresses_that_the_host_can_read_are_refused);
  tcase_add_test(tests, without_a_size_it_is_three_quarters);
  tcase_add_test(tests, more_than_there_is_becomes_less);
  tcase_add_test(tests, a_base_address_of_the_programs_has_precedence);
  tcase_add_test(tests, any_operation_of_the_device_may_fail);
  tcase_add_test(tests, any_allocation_on_the_host_may_fail);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(arena_choice_suite());
}
