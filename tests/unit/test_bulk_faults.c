/* SPDX-License-Identifier: MIT */
/*
 * bulk faults - large copies in pieces, when something fails: what can be done without is, and the rest is told.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "transfer/worker_pool.h"
#include "bulk.h"

enum { ALARM_SECONDS = 20 };

static vptr_mapper *mapper;

static void tear_down(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

/* ---- faults --------------------------------------------------------------------------------------------- */

enum { FAULT_BYTES = 2 * 1024 * 1024 + 77, MOST_FAULTS = 400 };

typedef void arm_fault(long n);

static void fail_operation(long n) {
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
}

static void fail_command(long n) {
  vptr__fake_fail_command(n, CL_OUT_OF_RESOURCES);
}

static int note(vptr_status status) {
  if (status == VPTR_SUCCESS)
    return 0;
  ck_assert_int_ne(vptr_last_error()[0], 0);
  ck_assert(status == VPTR_ERROR_OPENCL || status == VPTR_ERROR_OUT_OF_HOST_MEMORY);
  return 1;
}

/* There and back, with a fault somewhere; then without. Returns how many of the first two failed. */
static int copy_with_fault(arm_fault *arm, long n, unsigned char *host, unsigned char *back) {
  mapper = bulk_mapper();
  unsigned char *device = bulk_allocate(mapper, FAULT_BYTES);
  memset(back, 0, FAULT_BYTES);
  arm(n);
  vptr_status sent = vptr_memcpy(mapper, device, host, FAULT_BYTES);
  int failures = note(sent);
  vptr_status fetched = vptr_memcpy(mapper, back, device, FAULT_BYTES);
  failures += note(fetched);
  arm(0);
  if (failures == 0)
    support_must(bulk_has(back, FAULT_BYTES, 5));
  support_succeed(vptr_memcpy(mapper, device, host, FAULT_BYTES));
  support_succeed(vptr_memcpy(mapper, back, device, FAULT_BYTES));
  support_must(bulk_has(back, FAULT_BYTES, 5));
  support_succeed(vptr_free(mapper, device));
  tear_down();
  return failures;
}

/* Returns how many of the faults were told. What a process makes once is made before. */
static int copy_with_all_faults(arm_fault *arm, long last) {
  unsigned char *host = malloc(FAULT_BYTES), *back = malloc(FAULT_BYTES);
  int told = 0;
  bulk_write(host, FAULT_BYTES, 5);
  vptr__worker_pool_set_size(BULK_THREADS);
  copy_with_fault(arm, MOST_FAULTS, host, back);
  for (long n = 1; n <= last; n++) {
    vptr__fake_counts before = bulk_counts();
    long live = vptr__memory_live();
    told += copy_with_fault(arm, n, host, back) > 0;
    vptr__fake_counts after = bulk_counts();
    ck_assert_uint_eq(after.buffers, before.buffers);
    ck_assert_uint_eq(after.host_buffers, before.host_buffers);
    ck_assert_uint_eq(after.queues, before.queues);
    ck_assert_uint_eq(after.events, before.events);
    ck_assert_int_eq(vptr__memory_live(), live);
  }
  free(back);
  free(host);
  return told;
}

static long operations_of_copies(void) {
  unsigned char *host = malloc(FAULT_BYTES), *back = malloc(FAULT_BYTES);
  bulk_write(host, FAULT_BYTES, 5);
  vptr__worker_pool_set_size(BULK_THREADS);
  uint64_t before = bulk_counts().operations;
  copy_with_fault(vptr__worker_pool_fail_nth, 0, host, back);
  long operations = (long)(bulk_counts().operations - before);
  free(back);
  free(host);
  return operations;
}

START_TEST(any_operation_may_fail) {
  if (support_has_opencl())
    return;
  long operations = operations_of_copies();
  ck_assert_int_lt(operations, MOST_FAULTS);
  ck_assert_int_gt(copy_with_all_faults(fail_operation, operations), 10);
}
END_TEST

/* 5 pieces each way, and the gates' barriers. */
START_TEST(any_command_may_fail) {
  if (!support_has_opencl())
    ck_assert_int_ge(copy_with_all_faults(fail_command, 20), 10);
}
END_TEST

/* The first copy goes in pieces all the same, by the thread that asked. */
START_TEST(threads_that_the_system_does_not_give_are_done_without) {
  vptr__worker_pool_set_size(BULK_THREADS);
  mapper = bulk_mapper();
  unsigned char *device = bulk_allocate(mapper, FAULT_BYTES), *host = malloc(FAULT_BYTES);
  for (unsigned helpers = 0; helpers < BULK_THREADS; helpers++) {
    bulk_write(host, FAULT_BYTES, helpers);
    vptr__worker_pool_fail_nth(helpers == 0 ? 1 : 2);
    support_succeed(vptr_memcpy(mapper, device, host, FAULT_BYTES));
    memset(host, 0, FAULT_BYTES);
    ck_assert_uint_eq(vptr__worker_pool_helpers(), helpers);
    vptr__worker_pool_fail_nth(1);
    support_succeed(vptr_memcpy(mapper, host, device, FAULT_BYTES));
    vptr__worker_pool_fail_nth(0);
    support_must(bulk_has(host, FAULT_BYTES, helpers));
  }
  ck_assert(bulk_is_used(mapper));
  free(host);
  support_succeed(vptr_free(mapper, device));
  tear_down();
}
END_TEST

START_TEST(allocations_that_fail_are_told_or_done_without) {
  copy_with_all_faults(vptr__memory_fail_nth, 12);
}
END_TEST

/* ---- fork ----------------------------------------------------------------------------------------------- */

static void expect_end(pid_t child) {
  int state;
  ck_assert_int_eq(waitpid(child, &state, 0), child);
  ck_assert_msg(WIFEXITED(state) && WEXITSTATUS(state) == 0, "the child ended with 0x%x", state);
}

START_TEST(a_child_is_told_so_and_the_parent_goes_on) {
  mapper = bulk_mapper();
  unsigned char *device = bulk_allocate(mapper, 2 * MIB), *host = calloc(1, 2 * MIB);
  support_succeed(vptr_memcpy(mapper, device, host, 2 * MIB));
  pid_t child = fork();
  if (child == 0) {
    alarm(ALARM_SECONDS);
    _exit(vptr_memcpy(mapper, device, host, 2 * MIB) != VPTR_ERROR_FORKED ||
          vptr_trim(mapper, 0) != VPTR_ERROR_FORKED);
  }
  expect_end(child);
  bulk_write(host, 2 * MIB, 8);
  support_succeed(vptr_memcpy(mapper, device, host, 2 * MIB));
  memset(host, 0, 2 * MIB);
  support_succeed(vptr_memcpy(mapper, host, device, 2 * MIB));
  support_must(bulk_has(host, 2 * MIB, 8));
  free(host);
  support_succeed(vptr_free(mapper, device));
  tear_down();
}
END_TEST

static Suite *bulk_faults_suite(void) {
  Suite *suite = suite_create("bulk faults");
  TCase *cases = tcase_create("faults");
  tcase_add_test(cases, threads_that_the_system_does_not_give_are_done_without); /* first: they are begun once */
  tcase_add_test(cases, allocations_that_fail_are_told_or_done_without);
  tcase_add_test(cases, any_operation_may_fail);
  tcase_add_test(cases, any_command_may_fail);
  tcase_add_test(cases, a_child_is_told_so_and_the_parent_goes_on);
  suite_add_tcase(suite, cases);
  return suite;
}

int main(void) {
  return support_run(bulk_faults_suite());
}
