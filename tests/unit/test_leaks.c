/* SPDX-License-Identifier: MIT */
/* leaks: what the table at exit says, and when it is made. Each test's body is a process of its own. */
#include "support/child.h"
#include "support/support.h"

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static child result;

static void run(void (*body)(void)) {
  child_run(body, &result);
  ck_assert_msg(result.exited && result.exit_code == 0, "exit code %d, signal %d: %s", result.exit_code,
                result.signal, result.text);
}

static void *allocate(vptr_mapper *mapper, size_t size) {
  void *ptr;
  child_require(vptr_malloc(mapper, size, &ptr) == VPTR_SUCCESS, vptr_last_error());
  return ptr;
}

static void expect_text(const char *part) {
  ck_assert_msg(strstr(result.text, part) != NULL, "'%s' is missing in:\n%s", part, result.text);
}

/* A row begins with its bytes, count, size and serial. Returns where it is. */
static const char *expect_row(size_t bytes, size_t count, size_t size, unsigned serial) {
  char row[128];
  snprintf(row, sizeof row, "%16zu %9zu %16zu %9u", bytes, count, size, serial);
  const char *at = strstr(result.text, row);
  ck_assert_msg(at != NULL, "the row '%s' is missing in:\n%s", row, result.text);
  return at;
}

static size_t count_text(const char *part) {
  size_t count = 0;
  for (const char *at = strstr(result.text, part); at != NULL; at = strstr(at + 1, part))
    count++;
  return count;
}

/* ---- what it says ---------------------------------------------------------------------------------------- */

static void leak_four_of_five(void) {
  child_set("VPTR_LEAKS", "1");
  allocate(NULL, 100);
  allocate(NULL, 5000);
  void *freed = allocate(NULL, 77);
  allocate(NULL, 300);
  allocate(NULL, 300);
  vptr_free(NULL, freed);
}

START_TEST(leaks_are_listed_by_size_then_serial_with_totals) {
  run(leak_four_of_five);
  expect_text("4 allocations, 5700 bytes");
  const char *first = expect_row(5000, 1, 5000, 2);
  const char *second = expect_row(300, 1, 300, 4);
  const char *third = expect_row(300, 1, 300, 5);
  const char *last = expect_row(100, 1, 100, 1);
  ck_assert(first < second && second < third && third < last);
  ck_assert_uint_eq(count_text("device  "), 4);
}
END_TEST

static void leak_and_be_silent(void) {
  child_set("VPTR_LEAKS", NULL);
  allocate(NULL, 100);
}

START_TEST(nothing_is_said_unless_asked) {
  run(leak_and_be_silent);
  ck_assert_str_eq(result.text, "");
}
END_TEST

static void make_no_mapper(void) {
  child_set("VPTR_LEAKS", "1");
}

START_TEST(a_process_that_never_made_a_mapper_is_silent) {
  run(make_no_mapper);
  ck_assert_str_eq(result.text, "");
}
END_TEST

static void free_all(void) {
  child_set("VPTR_LEAKS", "1");
  vptr_free(NULL, allocate(NULL, 100));
}

START_TEST(a_clean_process_is_told_so) {
  run(free_all);
  ck_assert_str_eq(result.text, "vptr: every allocation was freed\n");
}
END_TEST

static int line_of_leak;

static void leak_traced(void) {
  child_set("VPTR_LEAKS", "1");
  child_set("VPTR_TRACE_ALLOC", "1");
  void *ptr;
  child_require(vptr_malloc(NULL, 100, &ptr) == VPTR_SUCCESS, vptr_last_error());
}

START_TEST(a_trace_names_the_line) {
  char place[64];
  line_of_leak = __LINE__ - 5; /* of the vptr_malloc() above */
  snprintf(place, sizeof place, "test_leaks.c:%d", line_of_leak);
  run(leak_traced);
  if (child_has_addr2line())
    expect_text(place);
  else
    expect_text("test_leaks");
}
END_TEST

/* 40 sizes, each twice: more than a table has rows. */
static void leak_many(void) {
  child_set("VPTR_LEAKS", "1");
  for (size_t i = 0; i < 80; i++)
    allocate(NULL, 1000 + i / 2);
}

START_TEST(equal_leaks_are_folded_and_the_rest_is_counted) {
  run(leak_many);
  expect_text("80 allocations, 81560 bytes");
  expect_row(2 * 1039, 2, 1039, 79);
  expect_row(2 * 1008, 2, 1008, 17);
  ck_assert_ptr_null(strstr(result.text, " 1007 "));
  expect_text("           16056        16  in 8 more rows");
}
END_TEST

static void leak_without_host_memory(void) {
  child_set("VPTR_LEAKS", "1");
  allocate(NULL, 100);
  allocate(NULL, 200);
  vptr__memory_fail_nth(1);
}

START_TEST(without_host_memory_the_totals_remain) {
  run(leak_without_host_memory);
  expect_text("2 allocations, 300 bytes");
  expect_text("             300         2  in 0 more rows and some for which the host had no memory");
}
END_TEST

static void leak_attached(void) {
  child_set("VPTR_LEAKS", "1");
  vptr_mapper *mapper;
  void *ptr;
  child_require(vptr__mapper_for_device(0, &mapper) == VPTR_SUCCESS, vptr_last_error());
  cl_mem buffer = support_has_opencl() ? clCreateBuffer(vptr_get_context(NULL), CL_MEM_READ_WRITE, 4096, NULL, NULL)
                                       : vptr__fake_buffer_make(mapper->device, 4096);
  child_require(vptr_attach(NULL, buffer, &ptr) == VPTR_SUCCESS, vptr_last_error());
}

START_TEST(attached_buffers_count_too) {
  run(leak_attached);
  expect_row(4096, 1, 4096, 1);
  expect_text("attached");
}
END_TEST

static void leak_on_two_mappers(void) {
  child_set("VPTR_LEAKS", "1");
  vptr_mapper *first = NULL, *second = NULL, *destroyed = NULL;
  child_require(vptr_mapper_create(NULL, &first) == VPTR_SUCCESS &&
                    vptr_mapper_create(NULL, &second) == VPTR_SUCCESS &&
                    vptr_mapper_create(NULL, &destroyed) == VPTR_SUCCESS,
                vptr_last_error());
  allocate(first, 1000);
  allocate(second, 2000);
  allocate(destroyed, 3000);
  vptr_mapper_destroy(destroyed);
}

START_TEST(each_mapper_has_its_table_and_a_destroyed_one_none) {
  run(leak_on_two_mappers);
  ck_assert_uint_eq(count_text("never freed on device 0"), 2);
  expect_text("1 allocations, 1000 bytes");
  expect_text("1 allocations, 2000 bytes");
  ck_assert_ptr_null(strstr(result.text, "3000"));
}
END_TEST

/* ---- when it is made ------------------------------------------------------------------------------------- */

static void *kept;

static void free_kept(void) {
  vptr_free(NULL, kept);
}

/* As the destructor of a C++ program's static object, which was registered before main(). */
static void free_in_an_early_exit_handler(void) {
  child_set("VPTR_LEAKS", "1");
  atexit(free_kept);
  kept = allocate(NULL, 100);
}

START_TEST(frees_in_exit_handlers_are_no_leaks) {
  run(free_in_an_early_exit_handler);
  ck_assert_str_eq(result.text, "vptr: every allocation was freed\n");
}
END_TEST

static void fork_with_live_memory(void) {
  child_set("VPTR_LEAKS", "1");
  void *ptr = allocate(NULL, 100);
  pid_t pid = fork();
  if (pid == 0)
    exit(0);
  child_require(waitpid(pid, NULL, 0) == pid, "waitpid");
  vptr_free(NULL, ptr);
}

START_TEST(a_fork_does_not_report_its_parents_memory) {
  run(fork_with_live_memory);
  ck_assert_str_eq(result.text, "vptr: every allocation was freed\n");
}
END_TEST

static Suite *leaks_suite(void) {
  Suite *suite = suite_create("leaks");
  TCase *tests = tcase_create("leaks");
  tcase_add_test(tests, leaks_are_listed_by_size_then_serial_with_totals);
  tcase_add_test(tests, nothing_is_said_unless_asked);
  tcase_add_test(tests, a_process_that_never_made_a_mapper_is_silent);
  tcase_add_test(tests, a_clean_process_is_told_so);
  tcase_add_test(tests, a_trace_names_the_line);
  tcase_add_test(tests, equal_leaks_are_folded_and_the_rest_is_counted);
  tcase_add_test(tests, without_host_memory_the_totals_remain);
  tcase_add_test(tests, attached_buffers_count_too);
  tcase_add_test(tests, each_mapper_has_its_table_and_a_destroyed_one_none);
  tcase_add_test(tests, frees_in_exit_handlers_are_no_leaks);
  tcase_add_test(tests, a_fork_does_not_report_its_parents_memory);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(leaks_suite());
}
