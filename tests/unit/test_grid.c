/* SPDX-License-Identifier: MIT */
/*
 * grid - launches of kernels whose blocks meet: each finds the grid's shape where it is told, and a launch of a
 * shape that was launched before sends the kernel and nothing else. The fake device's kernels tell what they find;
 * meeting itself is tried by tests/kernels/cxx/groups_grid*.cu.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "module/module.h"
#include "stream/stream.h"
#include "support/support.h"
#include "unit/launched.h"

static const char text[] = "//vptr-module 1\n"
                           "//vptr kernel name=meet lowered=meet entry=m_meet\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr hidden kind=block\n"
                           "//vptr hidden kind=grid\n"
                           "//vptr kernel name=plain lowered=plain entry=m_plain\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "m_meet m_plain\n";

enum { WORDS = 5, THREADS = 4, ROUNDS = 60, LAUNCHES = 30 };

static atomic_int inside, overlaps; /* kernels that run, and how often two did */

/* The arguments: where the answer goes, the block, the grid's room. The answer is the beginning of that. */
static void run_meet(const vptr__fake_launch *launch) {
  void *out = (void *)(uintptr_t) * (uint64_t *)launch->arguments[0];
  atomic_fetch_add(&overlaps, atomic_fetch_add(&inside, 1) != 0);
  usleep(50);
  atomic_fetch_sub(&inside, 1);
  memcpy(out, (const void *)(uintptr_t) * (uint64_t *)launch->arguments[2], WORDS * sizeof(uint32_t));
}

static void run_plain(const vptr__fake_launch *launch) {
  *(uint32_t *)(uintptr_t) * (uint64_t *)launch->arguments[0] = 1;
}

static vptr_status launch_on(vptr__stream *on, const char *name, uint32_t *out, uint32_t x, uint32_t y) {
  void *arguments[] = { &out };
  vptr__launch how = { .what = "test", .grid = { x, y, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  how.is_cooperative = true;
  how.shared = 0;
  return vptr__function_launch(vptr__module_function(launched_module, name), on, &how);
}

static vptr_status launch(uint32_t *out, uint32_t x, uint32_t y) {
  return launch_on(launched_stream, "meet", out, x, y);
}

static void set_up(void) {
  vptr__fake_define("m_meet", run_meet);
  vptr__fake_define("m_plain", run_plain);
  launched_begin(text);
}

static uint32_t *make_room(uint32_t count) {
  void *made;
  support_succeed(vptr_malloc(launched_mapper, count * WORDS * sizeof(uint32_t), &made));
  return made;
}

static bool has_told(const uint32_t *out, uint32_t x, uint32_t y) {
  const uint32_t wanted[WORDS] = { x, y, 1, 1, 0 };
  uint32_t told[WORDS];
  support_succeed(vptr_memcpy(launched_mapper, told, out, sizeof told));
  return memcmp(told, wanted, sizeof told) == 0;
}

static void clear(uint32_t *out) {
  const uint32_t zeros[WORDS] = { 0 };
  support_succeed(vptr_memcpy(launched_mapper, out, zeros, sizeof zeros));
}

/* More shapes than are kept. */
START_TEST(each_launch_finds_its_shape) {
  uint32_t *out = make_room(20);
  for (int round = 0; round < 4; round++) {
    for (uint32_t i = 0; i < 20; i++)
      support_succeed(launch(out + WORDS * i, 1 + i % (round == 1 ? 3 : 20), 2 + round));
    support_succeed(vptr__stream_synchronize(launched_stream));
    for (uint32_t i = 0; i < 20; i++)
      ck_assert(has_told(out + WORDS * i, 1 + i % (round == 1 ? 3 : 20), 2 + round));
  }
}
END_TEST

static vptr__fake_counts of_launches(const char *name, uint32_t *out) {
  vptr__fake_counts before, after;
  support_succeed(launch_on(launched_stream, name, out, 3, 5));
  support_succeed(vptr__stream_synchronize(launched_stream));
  support_succeed(launch_on(launched_stream, name, out, 3, 5)); /* what the first has written is seen to be */
  support_succeed(vptr__stream_synchronize(launched_stream));
  vptr__fake_get_counts(&before);
  for (int i = 0; i < LAUNCHES; i++)
    support_succeed(launch_on(launched_stream, name, out, 3, 5));
  vptr__fake_get_counts(&after);
  support_succeed(vptr__stream_synchronize(launched_stream));
  after.operations -= before.operations;
  after.filled -= before.filled;
  after.buffers -= before.buffers;
  return after;
}

START_TEST(a_launch_of_a_known_shape_costs_what_any_does) {
  uint32_t *out = make_room(1);
  const vptr__fake_counts plain = of_launches("plain", out), meet = of_launches("meet", out);
  ck_assert_uint_gt(plain.operations, 0);
  ck_assert_uint_lt(meet.operations,
                    plain.operations + LAUNCHES / 2); /* how far events are is asked as often as not */
  ck_assert_uint_eq(meet.filled, 0);
  ck_assert_uint_eq(meet.buffers, 0);
  ck_assert(has_told(out, 3, 5));
}
END_TEST

START_TEST(what_is_kept_does_not_grow) {
  vptr__fake_counts before, after;
  uint32_t *out = make_room(1);
  for (uint32_t i = 1; i < 40; i++)
    support_succeed(launch(out, i, 1));
  support_succeed(vptr__stream_synchronize(launched_stream));
  vptr__fake_get_counts(&before);
  const size_t few = vptr_count(launched_mapper);
  for (uint32_t i = 1; i < 400; i++)
    support_succeed(launch(out, i, 2));
  support_succeed(vptr__stream_synchronize(launched_stream));
  vptr__fake_get_counts(&after);
  ck_assert_uint_le(vptr_count(launched_mapper), few + 1);
  ck_assert_uint_le(after.events, before.events + 2);
}
END_TEST

/* As after a reset. */
START_TEST(memory_that_is_gone_is_not_used) {
  uint32_t *out = make_room(1);
  for (int i = 0; i < 3; i++) {
    support_succeed(launch(out, 6, 6));
    support_succeed(vptr__stream_synchronize(launched_stream));
    ck_assert(has_told(out, 6, 6));
    support_succeed(vptr_clear(launched_mapper));
    support_succeed(vptr_trim(launched_mapper, 0));
    out = make_room(1);
  }
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

static void no_resources(long n) {
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
}

static int failures_of(void (*fail_nth)(long n), uint32_t y) {
  uint32_t *out = make_room(1);
  int failures = 0;
  for (long n = 1, unharmed = 0; unharmed < 6; n++) {
    clear(out);
    fail_nth(n);
    vptr_status status = launch(out, (uint32_t)n, y);
    fail_nth(0);
    vptr__stream_synchronize_all(launched_mapper);
    if (status == VPTR_SUCCESS)
      ck_assert(has_told(out, (uint32_t)n, y));
    failures += status != VPTR_SUCCESS;
    unharmed = status != VPTR_SUCCESS ? 0 : unharmed + 1;
    support_succeed(launch(out, (uint32_t)n, y));
    support_succeed(vptr__stream_synchronize(launched_stream));
    ck_assert(has_told(out, (uint32_t)n, y));
  }
  return failures;
}

START_TEST(a_launch_that_fails_leaves_the_next_one_right) {
  ck_assert_int_ge(failures_of(vptr__memory_fail_nth, 7), 1);
  ck_assert_int_ge(failures_of(no_resources, 8), 2);
}
END_TEST

/* What should have written the shape fails where it runs. */
START_TEST(a_shape_that_was_not_written_is_written_again) {
  uint32_t *out = make_room(1);
  for (uint32_t x = 1; x < 6; x++) {
    vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
    support_succeed(launch(out, x, 9));
    vptr__stream_synchronize_all(launched_mapper);
    vptr__fake_fail_command(0, CL_SUCCESS);
    support_succeed(launch(out, x, 9));
    support_succeed(vptr__stream_synchronize(launched_stream));
    ck_assert(has_told(out, x, 9));
  }
}
END_TEST

/* And what should write it again cannot be sent: nobody knows what is in that room, which stays until it makes way. */
START_TEST(a_room_that_is_not_written_again_is_not_used) {
  uint32_t *out = make_room(1);
  int failures = 0;
  for (long n = 1, unharmed = 0; unharmed < 6; n++) {
    vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
    support_succeed(launch(out, (uint32_t)n, 11));
    vptr__stream_synchronize_all(launched_mapper);
    vptr__fake_fail_command(0, CL_SUCCESS);
    no_resources(n);
    vptr_status status = launch(out, (uint32_t)n, 11);
    no_resources(0);
    vptr__stream_synchronize_all(launched_mapper);
    failures += status != VPTR_SUCCESS;
    unharmed = status != VPTR_SUCCESS ? 0 : unharmed + 1;
    clear(out);
    support_succeed(launch(out, (uint32_t)n, 11));
    support_succeed(vptr__stream_synchronize(launched_stream));
    ck_assert(has_told(out, (uint32_t)n, 11));
  }
  ck_assert_int_ge(failures, 2);
  for (uint32_t x = 1; x < 20; x++) {
    clear(out);
    support_succeed(launch(out, x, 11));
    support_succeed(vptr__stream_synchronize(launched_stream));
    ck_assert(has_told(out, x, 11));
  }
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

static void *launch_rounds(void *context) {
  const uint32_t number = *(const uint32_t *)context;
  uint32_t *out = make_room(2);
  vptr__stream *own;
  support_succeed(vptr__stream_create(launched_mapper, VPTR__STREAM_NON_BLOCKING, 0, &own));
  for (uint32_t i = 0; i < ROUNDS; i++) {
    const uint32_t x = 1 + (i + number) % 5, y = 10 + i % 3;
    support_succeed(launch_on(own, "meet", out, x, y));
    support_succeed(launch_on(own, "meet", out + WORDS, x, y));
    support_succeed(vptr__stream_synchronize(own));
    ck_assert(has_told(out, x, y) && has_told(out + WORDS, x, y));
  }
  support_succeed(vptr__stream_destroy(own));
  return NULL;
}

/* Each launch has the device alone. */
START_TEST(threads_launch_what_they_share) {
  pthread_t threads[THREADS];
  uint32_t numbers[THREADS];
  for (uint32_t i = 0; i < THREADS; i++) {
    numbers[i] = i;
    ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_rounds, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(atomic_load(&overlaps), 0);
}
END_TEST

/* What a thread needs is made before any call may fail. */
typedef struct failing {
  uint32_t number, *out;
  vptr__stream *own;
} failing;

static void *launch_with_failures(void *context) {
  const failing *it = context;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    if (i % 2 == 0)
      vptr__fake_fail_command(1 + i % 5, CL_OUT_OF_RESOURCES);
    else
      no_resources(1 + (i + it->number) % 9);
    launch_on(it->own, "meet", it->out, 1 + (i + it->number) % 3, 12);
    vptr__stream_synchronize(it->own);
  }
  return NULL;
}

/* A room is found by several launches at once, of which some spoil it for the others. */
START_TEST(threads_that_fail_leave_each_other_right) {
  pthread_t threads[THREADS];
  failing each[THREADS];
  uint32_t *out = make_room(1);
  for (uint32_t i = 0; i < THREADS; i++) {
    each[i] = (failing){ .number = i, .out = make_room(1) };
    support_succeed(vptr__stream_create(launched_mapper, VPTR__STREAM_NON_BLOCKING, 0, &each[i].own));
  }
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_with_failures, &each[i]), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  vptr__fake_fail_command(0, CL_SUCCESS);
  no_resources(0);
  vptr__stream_synchronize_all(launched_mapper);
  for (uint32_t x = 1; x < 20; x++) {
    clear(out);
    support_succeed(launch(out, 1 + x % 3, 12));
    support_succeed(vptr__stream_synchronize(launched_stream));
    ck_assert(has_told(out, 1 + x % 3, 12));
  }
  for (int i = 0; i < THREADS; i++)
    support_succeed(vptr__stream_destroy(each[i].own));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("grid");
  TCase *launches = tcase_create("launches");
  setenv("VPTR_CACHE", "off", 1);
  tcase_add_checked_fixture(launches, set_up, launched_end);
  tcase_add_test(launches, each_launch_finds_its_shape);
  tcase_add_test(launches, a_launch_of_a_known_shape_costs_what_any_does);
  tcase_add_test(launches, what_is_kept_does_not_grow);
  tcase_add_test(launches, memory_that_is_gone_is_not_used);
  tcase_add_test(launches, a_launch_that_fails_leaves_the_next_one_right);
  tcase_add_test(launches, a_shape_that_was_not_written_is_written_again);
  tcase_add_test(launches, a_room_that_is_not_written_again_is_not_used);
  tcase_add_test(launches, threads_launch_what_they_share);
  tcase_add_test(launches, threads_that_fail_leave_each_other_right);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, launches);
  return support_run(suite);
}
