/* SPDX-License-Identifier: MIT */
/*
 * faults - promise 6: any device operation and any host allocation may fail, at any point.
 *
 * A scenario runs again and again while the n-th operation (or allocation) fails, for n = 1, 2, 3 ... until it
 * runs through unharmed. After each run: the failure was reported, everything that the scenario did not get is
 * not there, all invariants hold, and once the mapper is gone no buffer and no byte is left. The same with the
 * real driver is in test_driver_faults.c.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "support/support.h"

enum { BLOCKS = 24 };

typedef struct scenario {
  vptr_mapper *mapper;
  void *block[BLOCKS];
  int failures;
} scenario;

static void note(scenario *scenario, vptr_status status) {
  if (status == VPTR_SUCCESS)
    return;
  scenario->failures++;
  ck_assert_str_ne(vptr_last_error(), "");
}

static void allocate_some(scenario *scenario) {
  static const size_t sizes[] = { 100, 70000, 300000, 2 << 20 };
  for (int i = 0; i < BLOCKS; i++) {
    void *ptr = scenario;
    vptr_status status = vptr_malloc(scenario->mapper, sizes[i % 4] + (size_t)i, &ptr);
    note(scenario, status);
    ck_assert(status == VPTR_SUCCESS || ptr == scenario);
    scenario->block[i] = status == VPTR_SUCCESS ? ptr : NULL;
  }
}

static void use_them(scenario *scenario) {
  for (int i = 0; i < BLOCKS; i++) {
    char *ptr = scenario->block[i];
    if (ptr == NULL)
      continue;
    vptr_location location;
    ck_assert_int_eq(vptr_resolve(scenario->mapper, ptr, 100, &location), VPTR_SUCCESS);
    char byte;
    note(scenario, vptr_memset(scenario->mapper, ptr, i, 100));
    note(scenario, vptr_memcpy(scenario->mapper, &byte, ptr + 50, 1));
    if (vptr_get_buffer(scenario->mapper, ptr) == NULL)
      scenario->failures++;
    void *host;
    vptr_status status = vptr_map(scenario->mapper, ptr, 100, VPTR_ACCESS_READ_WRITE, &host);
    note(scenario, status);
    if (status == VPTR_SUCCESS)
      note(scenario, vptr_unmap(scenario->mapper, host));
  }
}

static void free_them(scenario *scenario) {
  for (int i = 0; i < BLOCKS; i++)
    if (scenario->block[i] != NULL) {
      void *block = scenario->block[i];
      vptr_status status =
          i % 3 == 0 ? vptr_free_no_reuse(scenario->mapper, block) : vptr_free(scenario->mapper, block);
      note(scenario, status);
      ck_assert(status == VPTR_SUCCESS || status == VPTR_ERROR_MAPPED);
    }
}

/* Runs the scenario with one fault under way; returns how many calls failed. */
static int run(void) {
  scenario scenario = { 0 };
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 36;
  vptr_status status = vptr_mapper_create(&config, &scenario.mapper);
  note(&scenario, status);
  if (status != VPTR_SUCCESS) {
    ck_assert_ptr_null(scenario.mapper);
    return scenario.failures;
  }
  allocate_some(&scenario);
  ck_assert_int_eq(vptr_check(scenario.mapper), VPTR_SUCCESS);
  use_them(&scenario);
  free_them(&scenario);
  ck_assert_int_eq(vptr_check(scenario.mapper), VPTR_SUCCESS);
  note(&scenario, vptr_mapper_destroy(scenario.mapper));
  return scenario.failures;
}

static void expect_nothing_left(long memory_before) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.buffers, 0);
  ck_assert_uint_eq(counts.bytes, 0);
  ck_assert_uint_eq(counts.sub_buffers, 0);
  ck_assert_int_eq(vptr__memory_live(), memory_before);
}

static long warm_up(void) {
  ck_assert_int_eq(run(), 0);
  return vptr__memory_live();
}

START_TEST(every_device_operation_may_fail) {
  static const cl_int codes[] = { CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_INVALID_COMMAND_QUEUE };
  long memory = warm_up();
  for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
    vptr__fake_counts before, after;
    vptr__fake_get_counts(&before);
    run();
    vptr__fake_get_counts(&after);
    long operations = (long)(after.operations - before.operations);
    ck_assert_int_gt(operations, 100);
    int survived = 0;
    for (long n = 1; n <= operations; n++) {
      vptr__fake_fail_nth(n, codes[c]);
      survived += run() == 0;
      vptr__fake_fail_nth(0, 0);
      expect_nothing_left(memory);
    }
    /* A shortage may be cured by trying again; any other failure must be heard of. */
    if (codes[c] == CL_INVALID_COMMAND_QUEUE)
      ck_assert_int_eq(survived, 0);
  }
}
END_TEST

START_TEST(every_host_allocation_may_fail) {
  long memory = warm_up();
  int unharmed = 0, failed = 0;
  for (long n = 1; unharmed < 20; n++) { /* some allocations are optional: go on until none is left to fail */
    vptr__memory_fail_nth(n);
    int failures = run();
    vptr__memory_fail_nth(0);
    expect_nothing_left(memory);
    failed += failures != 0;
    unharmed = failures == 0 ? unharmed + 1 : 0;
    ck_assert_int_lt(n, 10000);
  }
  ck_assert_int_gt(failed, 20);
}
END_TEST

START_TEST(a_driver_that_never_recovers_is_survived) {
  vptr_mapper *mapper;
  void *ptr;
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr_malloc(mapper, 1000, &ptr));
  for (int i = 0; i < 100; i++) {
    vptr__fake_fail_nth(1, CL_DEVICE_NOT_AVAILABLE);
    ck_assert_int_eq(vptr_memset(mapper, ptr, 1, 1000), VPTR_ERROR_OPENCL);
    ck_assert_int_eq(vptr_last_cl_error(), CL_DEVICE_NOT_AVAILABLE);
  }
  vptr__fake_fail_nth(0, 0);
  support_succeed(vptr_memset(mapper, ptr, 1, 1000));
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

static Suite *faults_suite(void) {
  Suite *suite = suite_create("faults");
  TCase *faults = tcase_create("faults");
  if (support_has_opencl())
    return suite; /* these count what only the fake device counts */
  tcase_add_test(faults, every_device_operation_may_fail);
  tcase_add_test(faults, every_host_allocation_may_fail);
  tcase_add_test(faults, a_driver_that_never_recovers_is_survived);
  suite_add_tcase(suite, faults);
  return suite;
}

int main(void) {
  return support_run(faults_suite());
}
