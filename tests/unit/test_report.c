/* SPDX-License-Identifier: MIT */
/* report: vptr_report() tells the truth, in the order it promises, also when there is no device. */
#include "support/child.h"
#include "support/support.h"

#include "base/option.h"
#include "mapper/mapper.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MAX_LINES = 256, TEXT_SIZE = 256 };

typedef struct line {
  char section[TEXT_SIZE], name[TEXT_SIZE], value[TEXT_SIZE], why[TEXT_SIZE];
} line;

static line lines[MAX_LINES];
static int line_count;

static void keep(const char *section, const char *name, const char *value, const char *why, void *context) {
  ck_assert_ptr_eq(context, lines);
  ck_assert_int_lt(line_count, MAX_LINES);
  line *to = &lines[line_count++];
  snprintf(to->section, TEXT_SIZE, "%s", section);
  snprintf(to->name, TEXT_SIZE, "%s", name);
  snprintf(to->value, TEXT_SIZE, "%s", value);
  snprintf(to->why, TEXT_SIZE, "%s", why);
}

static vptr_status collect(vptr_mapper *mapper) {
  line_count = 0;
  return vptr_report(mapper, keep, lines);
}

static const line *find(const char *section, const char *name) {
  for (int i = 0; i < line_count; i++)
    if (strcmp(lines[i].section, section) == 0 && strcmp(lines[i].name, name) == 0)
      return &lines[i];
  return NULL;
}

static const line *expect(const char *section, const char *name) {
  const line *found = find(section, name);
  ck_assert_msg(found != NULL, "no line '%s' in section '%s'", name, section);
  return found;
}

static void expect_value(const char *section, const char *name, const char *value) {
  ck_assert_str_eq(expect(section, name)->value, value);
}

static void expect_number(const char *section, const char *name, uint64_t number) {
  char value[32];
  snprintf(value, sizeof value, "%" PRIu64, number);
  expect_value(section, name, value);
}

/* ---- with a device --------------------------------------------------------------------------------------- */

START_TEST(it_agrees_with_the_device_and_the_statistics) {
  vptr_mapper *mapper;
  vptr_stats stats = { .struct_size = sizeof stats };
  support_succeed(vptr__mapper_for_device(0, &mapper));
  support_succeed(collect(NULL));
  support_succeed(vptr_get_stats(NULL, &stats));
  expect_value("version", "library", VPTR_VERSION_STRING);
  expect_value("device", "name", mapper->device->name);
  expect_value("device", "driver", mapper->device->driver);
  expect_number("device", "memory", mapper->device->memory_bytes);
  expect_number("device", "max buffer", mapper->device->max_buffer_bytes);
  expect_number("device", "alignment", mapper->device->alignment);
  expect_value("device", "unified memory", mapper->device->host_unified ? "yes" : "no");
  expect_value("device", "wide fills", mapper->device->tuning.fill_wide ? "yes" : "no");
  expect_number("addresses", "reserved", stats.reserve_bytes);
  expect_number("addresses", "window", stats.window_bytes);
  char base[32];
  snprintf(base, sizeof base, "0x%" PRIxPTR, stats.reserve_base);
  expect_value("addresses", "base", base);
}
END_TEST

START_TEST(every_candidate_is_told_with_a_reason) {
  const vptr__device_entry *entries;
  int count;
  support_succeed(vptr__device_list(&entries, &count));
  support_succeed(collect(NULL));
  expect_number("devices", "found", (uint64_t)count);
  for (int i = 0; i < count; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    const line *told = expect("devices", name);
    ck_assert_ptr_nonnull(strstr(told->value, entries[i].name));
    ck_assert_ptr_nonnull(strstr(told->value, entries[i].platform));
    ck_assert_ptr_nonnull(strstr(told->why, entries[i].why));
    ck_assert_int_eq(strncmp(told->why, "chosen", 6) == 0, entries[i].chosen);
  }
}
END_TEST

START_TEST(sections_are_contiguous_and_names_unique) {
  support_succeed(collect(NULL));
  for (int i = 0; i < line_count; i++)
    for (int j = i + 1; j < line_count; j++) {
      bool same = strcmp(lines[i].section, lines[j].section) == 0;
      ck_assert_msg(!same || strcmp(lines[i].name, lines[j].name) != 0, "'%s' twice", lines[i].name);
      ck_assert_msg(!same || strcmp(lines[j - 1].section, lines[j].section) == 0, "'%s' is torn", lines[j].section);
    }
}
END_TEST

START_TEST(device_addresses_are_tried_and_leave_nothing_behind) {
  vptr_stats before = { .struct_size = sizeof before }, after = { .struct_size = sizeof after };
  support_succeed(vptr_get_stats(NULL, &before));
  support_succeed(collect(NULL));
  support_succeed(vptr_get_stats(NULL, &after));
  const line *told = expect("device", "device addresses");
  ck_assert(strcmp(told->value, "yes") == 0 || strcmp(told->value, "no") == 0);
  ck_assert_str_ne(told->why, "");
  ck_assert_mem_eq(&before, &after, sizeof before);
}
END_TEST

START_TEST(a_success_keeps_the_last_error) {
  ck_assert_int_eq(vptr_free(NULL, lines), VPTR_ERROR_UNKNOWN_ADDRESS);
  char said[512];
  snprintf(said, sizeof said, "%s", vptr_last_error());
  support_succeed(collect(NULL));
  ck_assert_str_eq(vptr_last_error(), said);
}
END_TEST

START_TEST(what_was_asked_for_is_held_against_what_there_is) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *mapper;
  config.reserve_size = (size_t)1 << 34; /* valgrind has no more than 32 GiB */
  config.quarantine_bytes = 12345;
  config.flags = VPTR_CONFIG_REUSE_ADDRESSES;
  support_succeed(vptr_mapper_create(&config, &mapper));
  support_succeed(collect(mapper));
  expect_number("addresses", "reserved", config.reserve_size);
  ck_assert_ptr_nonnull(strstr(expect("addresses", "reserved")->why, "all that was asked for"));
  expect_number("heap", "quarantine", config.quarantine_bytes);
  expect_value("heap", "reuse addresses", "yes");
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

START_TEST(a_budget_is_told_and_what_is_where) {
  enum { SIZE = 256 << 10, MANY = 4 };
  vptr_mapper *small;
  void *ptrs[MANY];
  setenv("VPTR_OVERSUBSCRIBE", "0", 1);
  vptr__option_reload();
  support_succeed(vptr_mapper_create(NULL, &small));
  support_succeed(collect(small));
  expect_value("residence", "allocations leave", "no");
  support_succeed(vptr_mapper_destroy(small));
  setenv("VPTR_DEVICE_BYTES", "700K", 1);
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  vptr__option_reload();
  support_succeed(vptr_mapper_create(NULL, &small));
  for (int i = 0; i < MANY; i++)
    support_succeed(vptr_malloc(small, SIZE, &ptrs[i]));
  support_succeed(collect(small));
  expect_number("device", "memory", 700 << 10);
  ck_assert_ptr_nonnull(strstr(expect("device", "memory")->why, "VPTR_DEVICE_BYTES"));
  expect_value("residence", "allocations leave", "yes");
  expect_number("residence", "movable", 2 * SIZE);
  expect_number("residence", "in host memory", (MANY - 2) * SIZE);
  expect_number("residence", "in files", 0);
  expect_number("residence", "away", MANY - 2);
  for (int i = 0; i < MANY; i++)
    support_succeed(vptr_free(small, ptrs[i]));
  support_succeed(vptr_mapper_destroy(small));
  unsetenv("VPTR_DEVICE_BYTES");
  unsetenv("VPTR_OVERSUBSCRIBE");
  vptr__option_reload();
}
END_TEST

START_TEST(options_that_are_set_are_listed) {
  support_succeed(collect(NULL));
  expect_value("options", "VPTR_PLATFORM", getenv("VPTR_PLATFORM"));
  ck_assert_ptr_null(find("options", "VPTR_TRAP"));
}
END_TEST

static void call_back(const char *section, const char *name, const char *value, const char *why, void *context) {
  ck_assert(section != NULL && name != NULL && value != NULL && why != NULL);
  void *ptr;
  support_succeed(vptr_malloc(NULL, 10, &ptr));
  support_succeed(vptr_free(NULL, ptr));
  ++*(int *)context;
}

START_TEST(the_function_may_call_vptr) {
  int calls = 0;
  support_succeed(vptr_report(NULL, call_back, &calls));
  ck_assert_int_gt(calls, 20);
}
END_TEST

START_TEST(without_a_function_it_is_refused) {
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_report(NULL, NULL, NULL));
}
END_TEST

/* ---- without, and with less ------------------------------------------------------------------------------ */

static child result;

static void print(const char *section, const char *name, const char *value, const char *why, void *context) {
  fprintf(context, "%s/%s=%s (%s)\n", section, name, value, why);
}

static char told_reason[512];

static void print_and_keep_reason(const char *section, const char *name, const char *value, const char *why,
                                  void *context) {
  print(section, name, value, why, context);
  if (strcmp(section, "device") == 0)
    snprintf(told_reason, sizeof told_reason, "%s", why);
}

/* The drivers stay out of it where the fake device is under test: valgrind has its own opinion on them. */
static void report_no_device(void) {
  if (!support_has_opencl())
    setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
  child_set("VPTR_PLATFORM", "no such platform");
  child_require(vptr_report(NULL, print_and_keep_reason, stderr) == VPTR_ERROR_NO_DEVICE, "the status");
  child_require(told_reason[0] != '\0' && strcmp(told_reason, vptr_last_error()) == 0, "the reason");
}

/* Runs before anything has made a mapper. */
START_TEST(without_a_device_the_rest_is_told_with_the_reason) {
  child_run(report_no_device, &result);
  ck_assert_msg(result.exited && result.exit_code == 0, "%s", result.text);
  ck_assert_ptr_nonnull(strstr(result.text, "version/library="));
  ck_assert_ptr_nonnull(strstr(result.text, "devices/found="));
  ck_assert_ptr_nonnull(strstr(result.text, "device/name=none ("));
  ck_assert_ptr_nonnull(strstr(result.text, "options/VPTR_PLATFORM=no such platform"));
  ck_assert_ptr_null(strstr(result.text, "heap/"));
}
END_TEST

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
static void report_with_few_addresses(void) {
  const struct rlimit few = { (rlim_t)8 << 30, (rlim_t)8 << 30 };
  child_require(setrlimit(RLIMIT_AS, &few) == 0, "setrlimit");
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_FAKE_BYTES", "1G");
  child_set("VPTR_RESERVE", "16T");
  child_require(vptr_report(NULL, print, stderr) == VPTR_SUCCESS, vptr_last_error());
}

START_TEST(a_smaller_reservation_says_what_was_asked_for) {
  child_run(report_with_few_addresses, &result);
  ck_assert_msg(result.exited && result.exit_code == 0, "%s", result.text);
  ck_assert_msg(strstr(result.text, "16 TiB were asked for; the system gave no more") != NULL, "%s", result.text);
}
END_TEST
#endif

static Suite *report_suite(void) {
  Suite *suite = suite_create("report");
  TCase *first = tcase_create("in processes of their own");
  tcase_add_test(first, without_a_device_the_rest_is_told_with_the_reason);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  tcase_add_test(first, a_smaller_reservation_says_what_was_asked_for);
#endif
  suite_add_tcase(suite, first);
  TCase *facts = tcase_create("facts");
  tcase_add_test(facts, it_agrees_with_the_device_and_the_statistics);
  tcase_add_test(facts, every_candidate_is_told_with_a_reason);
  tcase_add_test(facts, sections_are_contiguous_and_names_unique);
  tcase_add_test(facts, device_addresses_are_tried_and_leave_nothing_behind);
  tcase_add_test(facts, a_success_keeps_the_last_error);
  tcase_add_test(facts, what_was_asked_for_is_held_against_what_there_is);
  tcase_add_test(facts, a_budget_is_told_and_what_is_where);
  tcase_add_test(facts, options_that_are_set_are_listed);
  tcase_add_test(facts, the_function_may_call_vptr);
  tcase_add_test(facts, without_a_function_it_is_refused);
  suite_add_tcase(suite, facts);
  return suite;
}

int main(void) {
  return support_run(report_suite());
}
