/* SPDX-License-Identifier: MIT */
/*
 * test_async_failure - who hears of a command that failed while it ran.
 *
 * Each command of a scenario fails once, by number. Exactly one synchronising call tells it, of the stream that it was
 * sent to; the next one is quiet, the work after it has run, and no event is left over.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "stream/event.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"

enum { SIZE = 4096, ROW = 16, ROWS = 20, MANY = 300, CODE = CL_OUT_OF_RESOURCES };

static vptr_mapper *mapper;
static vptr__stream *streams[2], *blocking, *legacy;
static unsigned char *device[2], host[SIZE];
static size_t events_before;

static size_t events_now(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.events;
}

static void setup(void) {
  events_before = events_now();
  support_succeed(vptr_mapper_create(NULL, &mapper));
  for (int i = 0; i < 2; i++) {
    void *memory;
    support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &streams[i]));
    support_succeed(vptr_malloc(mapper, SIZE, &memory));
    device[i] = memory;
  }
  support_succeed(vptr__stream_create(mapper, 0, 0, &blocking));
  support_succeed(vptr__stream_legacy(mapper, &legacy));
}

static void teardown(void) {
  vptr__fake_fail_command(0, CL_SUCCESS);
  support_succeed(vptr__stream_synchronize_all(mapper));
  for (int i = 0; i < 2; i++)
    support_succeed(vptr__stream_destroy(streams[i]));
  support_succeed(vptr__stream_destroy(blocking));
  support_succeed(vptr_mapper_destroy(mapper));
  ck_assert_uint_eq(events_now(), events_before);
}

/* ---- work ----------------------------------------------------------------------------------------------- */

static vptr__operand at(void *ptr, size_t row) {
  return (vptr__operand){ .what = "test", .ptr = ptr, .row = row, .slice = row * ROWS, .pinned = true };
}

static vptr_status copy(vptr__stream *stream, void *to, void *from, unsigned flags) {
  vptr__operand target = at(to, 0), source = at(from, 0);
  return vptr__transfer_copy(stream, &target, &source, (size_t[]){ 256, 1, 1 }, flags);
}

static vptr_status shift(vptr__stream *stream, void *to, void *from) {
  vptr__operand target = at(to, 0), source = at(from, 0);
  return vptr__transfer_copy(stream, &target, &source, (size_t[]){ 256, 1, 1 }, 0);
}

static vptr_status set(vptr__stream *stream, void *to, int value, unsigned flags) {
  vptr__operand target = at(to, 2 * ROW);
  return vptr__transfer_set(stream, &target, (unsigned char)value, (size_t[]){ ROW, ROWS, 1 }, flags);
}

static vptr_status copy_pageable(vptr__stream *stream, void *to, void *from) {
  vptr__operand target = at(to, 0), source = at(from, 0);
  source.pinned = false;
  return vptr__transfer_copy(stream, &target, &source, (size_t[]){ 256, 1, 1 }, 0);
}

/* All kinds of commands, none of which waits. */
static void send_scenario(vptr__stream *stream, unsigned char *memory) {
  support_succeed(set(stream, memory, 1, 0));
  support_succeed(copy(stream, memory, host, 0));
  support_succeed(copy_pageable(stream, memory, host));
  support_succeed(copy(stream, memory + 1024, memory, 0));
  support_succeed(shift(stream, memory + 3, memory)); /* overlaps: in pieces */
  support_succeed(shift(stream, memory, memory + 200));
  support_succeed(copy(stream, host + (memory == device[0] ? 2048 : 3072), memory, 0));
}

/* The number of commands that did not block so far is not told, so scenarios end when the fault was not met. */
static bool is_met(int heard) {
  vptr__fake_fail_command(0, CL_SUCCESS);
  return heard > 0;
}

static int failed(vptr_status status) {
  if (status == VPTR_SUCCESS)
    return 0;
  ck_assert_int_eq(status, VPTR_ERROR_OPENCL);
  ck_assert_int_eq(vptr_last_cl_error(), CODE);
  return 1;
}

static void check_later_work(vptr__stream *stream, unsigned char *memory) {
  unsigned char seen[ROW];
  support_succeed(set(stream, memory, 77, 0));
  support_succeed(vptr__stream_synchronize(stream));
  support_succeed(vptr_memcpy(mapper, seen, memory, ROW));
  for (int i = 0; i < ROW; i++)
    ck_assert_int_eq(seen[i], 77);
}

/* ---- streams, events, all -------------------------------------------------------------------------------- */

static vptr_status await(vptr__stream *stream) {
  return vptr__stream_synchronize(stream);
}

static vptr_status poll(vptr__stream *stream) {
  vptr_status status;
  do
    status = vptr__stream_query(stream);
  while (status == VPTR_ERROR_NOT_READY);
  return status;
}

static void check_each_command(vptr_status (*ask)(vptr__stream *stream)) {
  long n = 1;
  for (;; n++) {
    vptr__fake_fail_command(n, CODE);
    send_scenario(streams[0], device[0]);
    support_succeed(vptr__stream_synchronize(streams[1]));
    int first = failed(ask(streams[0]));
    if (first == 0) { /* the scenario of the first stream had no such command, or it was the query's own */
      support_succeed(ask(streams[0]));
      is_met(0);
      break;
    }
    ck_assert(is_met(first));
    support_succeed(vptr__stream_synchronize(streams[1]));
    support_succeed(ask(streams[0]));
    support_succeed(vptr__stream_synchronize_all(mapper));
    check_later_work(streams[0], device[0]);
  }
  ck_assert_int_gt(n, 15);
}

START_TEST(each_failure_is_heard_once_by_a_wait) {
  check_each_command(await);
}
END_TEST

START_TEST(each_failure_is_heard_once_by_a_query) {
  check_each_command(poll);
}
END_TEST

START_TEST(two_streams_each_hear_their_own) {
  for (int which = 0; which < 2; which++) {
    send_scenario(streams[1 - which], device[1 - which]);
    support_succeed(vptr__stream_synchronize(streams[1 - which]));
    vptr__fake_fail_command(1, CODE);
    support_succeed(copy(streams[which], device[which], host, 0));
    support_succeed(vptr__stream_synchronize(streams[1 - which]));
    ck_assert_int_eq(failed(vptr__stream_synchronize(streams[which])), 1);
  }
}
END_TEST

START_TEST(the_device_hears_of_every_stream_once) {
  for (long n = 1;; n++) {
    vptr__fake_fail_command(n, CODE);
    send_scenario(streams[0], device[0]);
    send_scenario(streams[1], device[1]);
    if (!is_met(failed(vptr__stream_synchronize_all(mapper))))
      break;
    support_succeed(vptr__stream_synchronize_all(mapper));
    for (int i = 0; i < 2; i++)
      support_succeed(vptr__stream_synchronize(streams[i]));
  }
}
END_TEST

START_TEST(an_event_behind_it_hears) {
  for (unsigned flags = 0; flags <= VPTR__EVENT_NO_TIMING; flags += VPTR__EVENT_NO_TIMING) {
    vptr__event *event;
    support_succeed(vptr__event_create(mapper, flags, &event));
    vptr__fake_fail_command(1, CODE);
    support_succeed(copy(streams[0], device[0], host, 0));
    support_succeed(vptr__event_record(event, streams[0]));
    ck_assert_int_eq(failed(vptr__event_synchronize(event)), 1);
    support_succeed(vptr__event_synchronize(event));
    support_succeed(vptr__event_query(event));
    support_succeed(vptr__stream_synchronize(streams[0]));
    support_succeed(vptr__event_destroy(event));
  }
}
END_TEST

/* Barriers and the streams' own events may fail here too, and what waits for those fails with them. */
START_TEST(no_failure_among_ordered_streams_is_lost) {
  vptr__event *event;
  support_succeed(vptr__event_create(mapper, VPTR__EVENT_NO_TIMING, &event));
  long n = 1;
  for (int heard = 1; heard > 0; n++) {
    vptr__fake_fail_command(n, CODE);
    support_succeed(copy(legacy, device[0], host, 0));
    support_succeed(copy(blocking, device[0], host, 0));
    support_succeed(vptr__event_record(event, blocking));
    support_succeed(vptr__stream_wait(streams[0], event));
    support_succeed(copy(streams[0], device[1], host, 0));
    support_succeed(copy(legacy, device[0], host, 0));
    heard = vptr__stream_synchronize_all(mapper) != VPTR_SUCCESS;
    is_met(heard);
    support_succeed(vptr__stream_synchronize_all(mapper));
    check_later_work(legacy, device[0]);
  }
  ck_assert_int_gt(n, 6);
  support_succeed(vptr__event_destroy(event));
}
END_TEST

/* ---- those who wait by themselves ----------------------------------------------------------------------- */

START_TEST(synchronous_calls_hear) {
  unsigned char target[256];
  vptr__stream *senders[] = { legacy, blocking };
  for (int i = 0; i < 2; i++) {
    vptr__fake_fail_command(1, CODE);
    support_succeed(copy(senders[i], device[0], host, 0));
    ck_assert_int_eq(failed(copy(legacy, target, device[0], VPTR__TRANSFER_WAIT)), 1);
    support_succeed(copy(legacy, target, device[0], VPTR__TRANSFER_WAIT));

    vptr__fake_fail_command(1, CODE);
    support_succeed(copy(senders[i], device[0], host, 0));
    ck_assert_int_eq(failed(set(legacy, device[0], 9, VPTR__TRANSFER_WAIT)), 1);
    support_succeed(set(legacy, device[0], 9, VPTR__TRANSFER_WAIT));
    support_succeed(vptr__stream_synchronize_all(mapper));
  }
}
END_TEST

START_TEST(a_synchronous_copy_tells_its_own_failure_once) {
  vptr__fake_fail_command(1, CODE);
  ck_assert_int_eq(failed(copy(streams[0], device[0], host, VPTR__TRANSFER_WAIT)), 1);
  support_succeed(vptr__stream_synchronize(streams[0]));
}
END_TEST

static void keep_status(vptr_status status, void *context) {
  *(vptr_status *)context = status;
}

START_TEST(a_host_function_is_told_and_so_is_the_next_wait) {
  vptr_status told = VPTR_SUCCESS;
  vptr__fake_fail_command(1, CODE);
  support_succeed(copy(streams[0], device[0], host, 0));
  support_succeed(vptr__stream_host(streams[0], keep_status, &told));
  ck_assert_int_eq(failed(vptr__stream_synchronize(streams[0])), 1);
  ck_assert_int_eq(told, VPTR_ERROR_OPENCL);
  support_succeed(vptr__stream_host(streams[0], keep_status, &told));
  support_succeed(vptr__stream_synchronize(streams[0]));
  ck_assert_int_eq(told, VPTR_SUCCESS);
}
END_TEST

/* ---- streams that end, and long ones -------------------------------------------------------------------- */

START_TEST(of_a_stream_that_is_gone_the_device_hears) {
  vptr__stream *brief;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &brief));
  vptr__fake_fail_command(1, CODE);
  support_succeed(copy(brief, device[0], host, 0));
  support_succeed(vptr__stream_destroy(brief));
  ck_assert_int_eq(failed(vptr__stream_synchronize_all(mapper)), 1);
  support_succeed(vptr__stream_synchronize_all(mapper));
}
END_TEST

static void hold(vptr_status status, void *context) {
  (void)status;
  while (!atomic_load((atomic_bool *)context))
    usleep(1000);
}

/* More than any first room, all pending at once. */
START_TEST(many_pending_commands_are_all_watched) {
  atomic_bool go = false;
  vptr__fake_fail_command(MANY, CODE);
  support_succeed(vptr__stream_host(streams[0], hold, &go));
  for (int i = 0; i < MANY; i++)
    support_succeed(copy(streams[0], device[0], host, 0));
  atomic_store(&go, true);
  ck_assert_int_eq(failed(vptr__stream_synchronize(streams[0])), 1);
  support_succeed(vptr__stream_synchronize(streams[0]));
}
END_TEST

START_TEST(a_stream_that_nobody_waits_for_keeps_few_events) {
  for (int i = 0; i < 20 * MANY; i++) {
    support_succeed(copy(streams[0], device[0], host, 0));
    if (i % 8 == 7)
      support_succeed(vptr_finish(mapper)); /* not a call of the stream's */
  }
  support_succeed(copy(streams[0], device[0], host, 0));
  ck_assert_uint_le(events_now() - events_before, 64);
}
END_TEST

static Suite *async_failure_suite(void) {
  Suite *suite = suite_create("async failure");
  TCase *tcase = tcase_create("async failure");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, each_failure_is_heard_once_by_a_wait);
  tcase_add_test(tcase, each_failure_is_heard_once_by_a_query);
  tcase_add_test(tcase, two_streams_each_hear_their_own);
  tcase_add_test(tcase, the_device_hears_of_every_stream_once);
  tcase_add_test(tcase, an_event_behind_it_hears);
  tcase_add_test(tcase, no_failure_among_ordered_streams_is_lost);
  tcase_add_test(tcase, synchronous_calls_hear);
  tcase_add_test(tcase, a_synchronous_copy_tells_its_own_failure_once);
  tcase_add_test(tcase, a_host_function_is_told_and_so_is_the_next_wait);
  tcase_add_test(tcase, of_a_stream_that_is_gone_the_device_hears);
  tcase_add_test(tcase, many_pending_commands_are_all_watched);
  tcase_add_test(tcase, a_stream_that_nobody_waits_for_keeps_few_events);
  suite_add_tcase(suite, tcase);
  return suite;
}

/* Only the fake device fails a command when it runs, so it is the one that is used, whatever the backend under test. */
int main(void) {
  setenv("VPTR_TEST_BACKEND", "fake", 1);
  return support_run(async_failure_suite());
}
