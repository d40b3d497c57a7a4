/* SPDX-License-Identifier: MIT */
/*
 * migrate races - a mapper goes to other devices while sixteen threads look up, allocate, free, copy, send and launch:
 * each sees its own bytes as if nothing happened, and kernels find what they are given on the device that they run on.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "module/module.h"
#include "stream/event.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"
#include "unit/launched.h"

enum { THREADS = 16, WORDS = 1000, LARGE = 300000, MIGRATIONS = 64 };

static const char text[] = "//vptr-module 1\n"
                           "//vptr kernel name=raise lowered=raise entry=m_raise\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "m_raise\n";

/* Adds a number to each of WORDS words. */
static void run_raise(const vptr__fake_launch *launch) {
  uint32_t *words = (uint32_t *)(uintptr_t) * (uint64_t *)launch->arguments[0];
  for (int i = 0; i < WORDS; i++)
    words[i] += *(uint32_t *)launch->arguments[1];
}

static atomic_bool is_over;

/* In a thread of its own a test cannot fail as Check has it, which jumps to another stack. */
static void must_hold(bool holds, int line, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "test_migrate_races.c:%d: does not hold: %s (%s)\n", line, what, vptr_last_error());
  abort();
}
#define must(condition) must_hold((condition), __LINE__, #condition)
#define succeed(call) must((call) == VPTR_SUCCESS)

static vptr_status raise_by(vptr__stream *stream, void *words, uint32_t by) {
  void *arguments[] = { &words, &by };
  vptr__launch how = { .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  return vptr__function_launch(vptr__module_function(launched_module, "raise"), stream, &how);
}

static void fill(uint32_t *words, uint32_t value) {
  for (uint32_t i = 0; i < WORDS; i++)
    words[i] = value + i;
}

static void expect(const uint32_t *words, uint32_t value) {
  for (uint32_t i = 0; i < WORDS; i++)
    must(words[i] == value + i);
}

/* ---- what threads do until it is over ------------------------------------------------------------------- */

static void *look_up(void *context) {
  char *ptr = context;
  uint64_t serial = 0;
  while (!is_over) {
    vptr_location location;
    must(vptr__mapper_locate(launched_mapper, ptr + 17, 1, &location) == VPTR_SUCCESS);
    must(location.base == ptr && location.offset == 17);
    must(serial == 0 || serial == location.serial);
    serial = location.serial;
    must(vptr_get_offset(launched_mapper, ptr + 5) == 5);
  }
  return NULL;
}

static void *allocate_and_copy(void *context) {
  uint64_t seed = (uintptr_t)context;
  uint32_t in[WORDS], back[WORDS];
  while (!is_over) {
    size_t size = support_below(&seed, 4) == 0 ? LARGE : sizeof in;
    uint32_t value = (uint32_t)support_random(&seed);
    void *ptr;
    succeed(vptr_malloc(launched_mapper, size, &ptr));
    fill(in, value);
    succeed(vptr_memcpy(launched_mapper, ptr, in, sizeof in));
    succeed(vptr_memcpy(launched_mapper, back, ptr, sizeof back));
    expect(back, value);
    succeed(vptr_free(launched_mapper, ptr));
  }
  return NULL;
}

/* In the order of a stream: bytes there, a kernel, bytes back, and an event behind them. */
static void *send_and_launch(void *context) {
  uint64_t seed = (uintptr_t)context;
  uint32_t *words = calloc(2 * WORDS, sizeof *words), *back = words + WORDS;
  vptr__stream *stream;
  vptr__event *event;
  void *ptr;
  succeed(vptr__stream_create(launched_mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  succeed(vptr__event_create(launched_mapper, 0, &event));
  succeed(vptr_malloc(launched_mapper, WORDS * sizeof *words, &ptr));
  vptr__operand device = { .what = "device", .ptr = ptr };
  vptr__operand there = { .what = "host", .ptr = words, .pinned = true }, here = there;
  here.ptr = back;
  while (!is_over) {
    const uint32_t value = (uint32_t)support_random(&seed), by = (uint32_t)support_below(&seed, 100);
    const size_t region[3] = { WORDS * sizeof *words, 1, 1 };
    fill(words, value);
    succeed(vptr__transfer_copy(stream, &device, &there, region, 0));
    succeed(raise_by(stream, ptr, by));
    succeed(raise_by(stream, ptr, 1));
    succeed(vptr__transfer_copy(stream, &here, &device, region, 0));
    succeed(vptr__event_record(event, stream));
    if (support_below(&seed, 2) == 0)
      succeed(vptr__event_synchronize(event));
    else
      succeed(vptr__stream_synchronize(stream));
    expect(back, value + by + 1);
  }
  succeed(vptr_free(launched_mapper, ptr));
  succeed(vptr__event_destroy(event));
  succeed(vptr__stream_destroy(stream));
  free(words);
  return NULL;
}

/* ---- all at once ---------------------------------------------------------------------------------------- */

static void set_up(void) {
  setenv("VPTR_MIGRATE", "1", 1);
  vptr__fake_define("m_raise", run_raise);
  launched_begin(text);
}

static void tear_down(void) {
  vptr__fake_disorder(0, 0);
  launched_end();
  unsetenv("VPTR_MIGRATE");
}

static void go_while_threads_work(void) {
  static void *(*const work[])(void *) = { look_up, allocate_and_copy, send_and_launch, send_and_launch };
  pthread_t threads[THREADS];
  void *seen;
  long gone = support_rounds(MIGRATIONS);
  is_over = false;
  support_succeed(vptr_malloc(launched_mapper, LARGE, &seen));
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work[i % 4], i % 4 == 0 ? seen : (void *)(i + 1)), 0);
  while (gone-- > 0)
    support_succeed(vptr_migrate(launched_mapper, NULL));
  is_over = true;
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  support_succeed(vptr_free(launched_mapper, seen));
  support_succeed(vptr_check(launched_mapper));
}

START_TEST(sixteen_threads_do_not_notice) {
  go_while_threads_work();
}
END_TEST

START_TEST(nor_do_they_where_devices_are_as_free_as_they_may_be) {
  vptr__fake_disorder(7, 200);
  go_while_threads_work();
}
END_TEST

static void *migrate_too(void *context) {
  (void)context;
  for (int i = 0; i < 5; i++)
    succeed(vptr_migrate(launched_mapper, NULL));
  return NULL;
}

START_TEST(two_migrations_are_one_after_the_other) {
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, migrate_too, NULL), 0);
  migrate_too(NULL);
  pthread_join(thread, NULL);
  support_succeed(vptr_check(launched_mapper));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("migrate races");
  TCase *races = tcase_create("races");
  tcase_add_checked_fixture(races, set_up, tear_down);
  if (!support_has_opencl()) {
    tcase_add_test(races, sixteen_threads_do_not_notice);
    tcase_add_test(races, nor_do_they_where_devices_are_as_free_as_they_may_be);
    tcase_add_test(races, two_migrations_are_one_after_the_other);
  }
  suite_add_tcase(suite, races);
  return support_run(suite);
}
