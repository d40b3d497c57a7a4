/* SPDX-License-Identifier: MIT */
/*
 * part - kernels that are cut out of their module: what of the text each gets, which are built alone, what that costs
 * at worst, threads that want the same or another one, and faults on the way.
 *
 * On the fake device, which "builds" a text by looking for names in it; test_first_launch.c has real ones.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/fake.h"
#include "module/state.h"
#include "support/support.h"

enum { KERNELS = 40, THREADS = 4, ROOM = 600000, LARGE = 2000, SMALL = 200, STAYS = 10 };

static vptr_mapper *mapper;
static char entries[KERNELS][16];
static atomic_int launched;

static void count_launch(const vptr__fake_launch *launch) {
  (void)launch;
  atomic_fetch_add(&launched, 1);
}

/* ---- modules -------------------------------------------------------------------------------------------- */

/* A kernel's own section, of so many bytes. */
static void append_section(char *text, int kernel, size_t bytes, const char *content) {
  size_t at = strlen(text);
  at += (size_t)sprintf(text + at, "//vptr-for %d\n%s %s ", kernel, entries[kernel], content);
  memset(text + at, 'x', bytes);
  strcpy(text + at + bytes, "\n");
}

/* Kernels k00, k01 and so on. */
static vptr__module *load_kernels(int count, size_t bytes, const char *sections) {
  char *text = calloc(1, ROOM);
  vptr__module *module = NULL;
  ck_assert_ptr_nonnull(text);
  strcpy(text, "//vptr-module 1\n");
  for (int i = 0; i < count; i++)
    sprintf(text + strlen(text), "//vptr kernel name=k%02d lowered=k%02d entry=%s\n", i, i, entries[i]);
  strcat(text, "in front\n");
  strcat(text, sections);
  for (int i = 0; i < count; i++)
    append_section(text, i, bytes, "");
  support_succeed(vptr__module_load(text, strlen(text), &module));
  free(text);
  return module;
}

static vptr_status launch_on(vptr__stream *stream, vptr__module *module, int kernel) {
  vptr__launch launch = {
    .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = (void *[]){ NULL }
  };
  return vptr__function_launch(&module->functions[kernel], stream, &launch);
}

static vptr_status launch(vptr__module *module, int kernel) {
  vptr__stream *stream;
  support_succeed(vptr__stream_legacy(mapper, &stream));
  return launch_on(stream, module, kernel);
}

/* How many programs there are, and whether one has all kernels. */
static int count_programs(const vptr__module *module, bool *has_whole_out) {
  int count = 0;
  *has_whole_out = false;
  for (const vptr__program *each = atomic_load(&module->programs); each != NULL; each = each->next, count++)
    *has_whole_out |= each->function == NULL;
  return count;
}

static void expect_programs(const vptr__module *module, int alone, bool whole) {
  bool has_whole;
  ck_assert_int_eq(count_programs(module, &has_whole), alone + whole);
  ck_assert(has_whole == whole);
}

static void end(vptr__module *module) {
  support_succeed(vptr__stream_synchronize_all(mapper));
  vptr__module_unload(module);
}

/* ---- what a kernel gets --------------------------------------------------------------------------------- */

static void expect_parts(vptr__module *module, int first, int last, const char *expected) {
  const vptr__function *functions[] = { &module->functions[first], &module->functions[last] };
  char *text;
  size_t length;
  support_succeed(vptr__part_cut(functions, first == last ? 1 : 2, &text, &length));
  ck_assert_uint_eq(strlen(text), length);
  ck_assert_str_eq(text, expected);
  vptr__memory_free(text);
}

static void expect_part(vptr__module *module, int kernel, const char *expected) {
  expect_parts(module, kernel, kernel, expected);
}

START_TEST(a_kernel_gets_what_its_marks_name) {
  static const char sections[] = "//vptr-for 0,2\nzero and two\n//vptr-for *\nall\n//vptr-for 1-2\none and two\n";
  vptr__module *module = load_kernels(3, 1, sections);
  expect_part(module, 0, "in front\nzero and two\nall\nk_00  x\n");
  expect_part(module, 1, "in front\nall\none and two\nk_01  x\n");
  expect_part(module, 2, "in front\nzero and two\nall\none and two\nk_02  x\n");
  vptr__module_unload(module);
}
END_TEST

START_TEST(two_kernels_get_each_section_once) {
  static const char sections[] = "//vptr-for 0,2\nzero and two\n//vptr-for 1\none\n//vptr-for 2,3\ntwo and three\n";
  vptr__module *module = load_kernels(4, 1, sections);
  expect_parts(module, 0, 2, "in front\nzero and two\ntwo and three\nk_00  x\nk_02  x\n");
  expect_parts(module, 3, 1, "in front\none\ntwo and three\nk_01  x\nk_03  x\n");
  ck_assert_uint_eq(vptr__part_own_bytes(&module->functions[3]), strlen("two and three\nk_03  x\n"));
  vptr__module_unload(module);
}
END_TEST

START_TEST(a_mark_that_is_not_clear_is_for_all) {
  static const char *const lists[] = {
    "", "x", "1-", ",1", "2-1", "1 2", "1;", "-1", "1,99999999999", "18446744073709551617"
  };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    char sections[100];
    snprintf(sections, sizeof sections, "//vptr-for %s\nunclear\n", lists[i]);
    vptr__module *module = load_kernels(2, 1, sections);
    expect_part(module, 0, "in front\nunclear\nk_00  x\n");
    vptr__module_unload(module);
  }
}
END_TEST

START_TEST(marks_stand_at_the_beginning_of_a_line) {
  vptr__module *module = load_kernels(2, 1, " //vptr-for 1\nfor all\n//vptr-for1\n");
  expect_part(module, 0, "in front\n //vptr-for 1\nfor all\n//vptr-for1\nk_00  x\n");
  vptr__module_unload(module);
}
END_TEST

/* ---- which are built alone ------------------------------------------------------------------------------- */

START_TEST(a_small_module_is_built_whole) {
  vptr__module *module = load_kernels(4, SMALL, "");
  support_succeed(launch(module, 1));
  expect_programs(module, 0, true);
  support_succeed(launch(module, 2));
  expect_programs(module, 0, true);
  end(module);
}
END_TEST

START_TEST(a_text_without_marks_is_built_whole) {
  vptr__module *module = NULL;
  char *text = calloc(1, ROOM);
  strcpy(text,
         "//vptr-module 1\n//vptr kernel name=a lowered=a entry=k_00\n//vptr kernel name=b lowered=b entry=k_01\n"
         "k_00 k_01 ");
  memset(text + strlen(text), 'x', 20 * LARGE);
  support_succeed(vptr__module_load(text, strlen(text), &module));
  free(text);
  support_succeed(launch(module, 0));
  support_succeed(launch(module, 1));
  expect_programs(module, 0, true);
  end(module);
}
END_TEST

START_TEST(of_many_kernels_those_that_are_reached_are_built) {
  vptr__module *module = load_kernels(KERNELS, LARGE, "");
  for (int i = 0; i < 3; i++) {
    support_succeed(launch(module, 7 * i));
    support_succeed(launch(module, 7 * i));
    expect_programs(module, i + 1, false);
  }
  end(module);
}
END_TEST

/* Of small ones, what was built alone is at most as much as all together; of large ones there is little to save. */
START_TEST(who_launches_all_pays_twice_at_most) {
  vptr__module *small = load_kernels(KERNELS, 500, ""), *large = load_kernels(12, 30000, "");
  for (int i = 0; i < KERNELS; i++)
    support_succeed(launch(small, i));
  bool has_whole;
  int count = count_programs(small, &has_whole);
  ck_assert(has_whole);
  ck_assert_int_le(count, 8);
  for (int i = 0; i < 12; i++)
    support_succeed(launch(large, i));
  expect_programs(large, 12, false);
  end(small);
  end(large);
}
END_TEST

START_TEST(a_kernel_that_cannot_be_built_is_the_only_one) {
  char *text = calloc(1, ROOM);
  vptr__module *module = NULL;
  strcpy(text, "//vptr-module 1\n");
  for (int i = 0; i < 20; i++)
    sprintf(text + strlen(text), "//vptr kernel name=k%02d lowered=k%02d entry=%s\n", i, i, entries[i]);
  for (int i = 0; i < 20; i++)
    append_section(text, i, LARGE, i == 3 ? "#error" : "");
  support_succeed(vptr__module_load(text, strlen(text), &module));
  free(text);
  support_expect(VPTR_ERROR_OPENCL, launch(module, 3));
  support_succeed(launch(module, 4));
  support_expect(VPTR_ERROR_OPENCL, launch(module, 3));
  expect_programs(module, 1, false);
  end(module);
}
END_TEST

/* ---- threads --------------------------------------------------------------------------------------------- */

static void must(bool holds) {
  if (!holds)
    abort();
}

typedef struct task {
  vptr__module *module;
  int first, step;
} task;

static void *launch_some(void *context) {
  const task *it = context;
  vptr__stream *stream = NULL;
  must(vptr__stream_per_thread(mapper, &stream) == VPTR_SUCCESS);
  for (int i = 0; i < 3; i++)
    must(launch_on(stream, it->module, it->first + i * it->step) == VPTR_SUCCESS);
  must(vptr__stream_synchronize(stream) == VPTR_SUCCESS);
  return NULL;
}

static void run_threads(vptr__module *module, bool are_apart) {
  pthread_t threads[THREADS];
  task tasks[THREADS];
  for (int i = 0; i < THREADS; i++) {
    tasks[i] = (task){ module, are_apart ? i : 0, THREADS };
    ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_some, &tasks[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

START_TEST(threads_that_want_the_same_kernel_build_it_once) {
  for (int round = 0; round < 20; round++) {
    vptr__module *module = load_kernels(KERNELS, LARGE, "");
    run_threads(module, false);
    expect_programs(module, 3, false);
    end(module);
  }
}
END_TEST

START_TEST(threads_that_want_others_build_each_once) {
  for (int round = 0; round < 20; round++) {
    vptr__module *module = load_kernels(KERNELS, 5 * LARGE, "");
    atomic_store(&launched, 0);
    run_threads(module, true);
    expect_programs(module, 3 * THREADS, false);
    end(module);
    ck_assert_int_eq(atomic_load(&launched), 3 * THREADS);
  }
}
END_TEST

/* ---- faults ---------------------------------------------------------------------------------------------- */

static void no_resources(long n) {
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
}

/* A build that failed has left nothing, and the next goes well. */
static void fail_each(void (*fail_nth)(long n), int least) {
  int heard = 0;
  end(load_kernels(KERNELS, LARGE, ""));
  for (long n = 1; n < 40; n++) {
    vptr__module *module = load_kernels(KERNELS, LARGE, "");
    support_succeed(launch(module, 0));
    long memory = vptr__memory_live();
    bool has_whole;
    fail_nth(n);
    bool failed = launch(module, 1) != VPTR_SUCCESS;
    fail_nth(0);
    vptr__stream_synchronize_all(mapper);
    heard += failed;
    if (failed && count_programs(module, &has_whole) == 1)
      ck_assert_int_le(vptr__memory_live(), memory + STAYS);
    support_succeed(launch(module, 1));
    expect_programs(module, 2, false);
    end(module);
  }
  ck_assert_int_ge(heard, least);
}

START_TEST(every_step_of_a_build_may_fail) {
  fail_each(vptr__memory_fail_nth, 4);
  fail_each(no_resources, 3);
}
END_TEST

static void set_up(void) {
  support_succeed(vptr__mapper_for_device(0, &mapper));
}

static Suite *part_suite(void) {
  Suite *suite = suite_create("part");
  TCase *parts = tcase_create("parts");
  if (support_has_opencl())
    return suite; /* its kernels are the fake device's */
  tcase_add_checked_fixture(parts, set_up, NULL);
  tcase_add_test(parts, a_kernel_gets_what_its_marks_name);
  tcase_add_test(parts, two_kernels_get_each_section_once);
  tcase_add_test(parts, a_mark_that_is_not_clear_is_for_all);
  tcase_add_test(parts, marks_stand_at_the_beginning_of_a_line);
  tcase_add_test(parts, a_small_module_is_built_whole);
  tcase_add_test(parts, a_text_without_marks_is_built_whole);
  tcase_add_test(parts, of_many_kernels_those_that_are_reached_are_built);
  tcase_add_test(parts, who_launches_all_pays_twice_at_most);
  tcase_add_test(parts, a_kernel_that_cannot_be_built_is_the_only_one);
  tcase_add_test(parts, threads_that_want_the_same_kernel_build_it_once);
  tcase_add_test(parts, threads_that_want_others_build_each_once);
  tcase_add_test(parts, every_step_of_a_build_may_fail);
  suite_add_tcase(suite, parts);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  for (int i = 0; i < KERNELS; i++) {
    snprintf(entries[i], sizeof entries[i], "k_%02d", i);
    vptr__fake_define(entries[i], count_launch);
  }
  return support_run(part_suite());
}
