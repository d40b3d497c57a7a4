/* SPDX-License-Identifier: MIT */
/*
 * event - how much of the driver an event asks for: a command where it has none yet, and nothing else.
 *
 * The device's operations are exchanged for such that count and pass on.
 */
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "mapper/mapper.h"
#include "stream/event.h"
#include "stream/stream.h"
#include "support/support.h"

enum { WAIT_MS = 20 };

static vptr_mapper *mapper;
static vptr__stream *stream, *other;
static vptr__event *timed, *untimed;

/* ---- counting ------------------------------------------------------------------------------------------- */

static const vptr__device_ops *real;
static vptr__device_ops counting;
static atomic_int markers, flushes, retains, releases; /* a runner of host functions releases, too */

static vptr_status count_marker(vptr__device *device, cl_command_queue queue, cl_uint count, const cl_event *events,
                                cl_event *event_out) {
  markers++;
  return real->queue.enqueue_barrier(device, queue, count, events, event_out);
}

static vptr_status count_flush(vptr__device *device, cl_command_queue queue) {
  flushes++;
  return real->queue.flush(device, queue);
}

static void count_retain(vptr__device *device, cl_event event) {
  retains++;
  real->event.retain(device, event);
}

static void count_release(vptr__device *device, cl_event event) {
  releases++;
  real->event.release(device, event);
}

static void begin_count(void) {
  markers = flushes = retains = releases = 0;
}

static void expect_count(int expected_markers, int expected_flushes, int most_others) {
  ck_assert_int_eq(markers, expected_markers);
  ck_assert_int_eq(flushes, expected_flushes);
  ck_assert_int_le(retains, most_others);
  ck_assert_int_le(releases, most_others * 2);
}

static void set_up(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &other));
  support_succeed(vptr__event_create(mapper, 0, &timed));
  support_succeed(vptr__event_create(mapper, VPTR__EVENT_NO_TIMING, &untimed));
  real = mapper->device->ops;
  counting = *real;
  counting.queue.enqueue_barrier = count_marker;
  counting.queue.flush = count_flush;
  counting.event.retain = count_retain;
  counting.event.release = count_release;
  mapper->device->ops = &counting;
  mapper->device->quirk.begins_unflushed = true;
  support_succeed(vptr__event_record(timed, stream)); /* the stream has the queue now that keeps times */
  support_succeed(vptr__stream_synchronize(stream));
}

/* The device goes with what counts for it: the runner of host functions may be about to call. */
static void tear_down(void) {
  support_succeed(vptr_mapper_destroy(mapper));
}

/* ---- what a record costs -------------------------------------------------------------------------------- */

START_TEST(an_event_with_timing_is_one_command) {
  vptr__event *second;
  support_succeed(vptr__event_create(mapper, 0, &second));
  begin_count();
  support_succeed(vptr__event_record(second, stream));
  expect_count(1, 0, 1);
  begin_count();
  support_succeed(vptr__event_record(timed, stream));
  expect_count(1, 0, 1);
  mapper->device->quirk.begins_unflushed = false;
  begin_count();
  support_succeed(vptr__event_record(second, stream));
  expect_count(1, 1, 1);
}
END_TEST

START_TEST(an_event_without_timing_takes_what_is_there) {
  begin_count();
  support_succeed(vptr__event_record(untimed, stream));
  expect_count(1, 0, 1);
  begin_count();
  support_succeed(vptr__event_record(untimed, stream));
  expect_count(0, 0, 0);
  support_succeed(vptr__event_record(timed, stream));
  begin_count();
  support_succeed(vptr__event_record(untimed, stream));
  expect_count(0, 0, 1);
  support_succeed(vptr__event_synchronize(untimed));
}
END_TEST

/* A tail that is waited for behind the stream's back would let it seem idle while the event is not reached. */
START_TEST(a_stream_with_an_event_is_waited_for) {
  vptr__event *waiter;
  support_gate gate = { false, false };
  support_succeed(vptr__event_create(mapper, VPTR__EVENT_NO_TIMING, &waiter));
  support_succeed(vptr__stream_host(other, support_wait_at_gate, &gate));
  support_succeed(vptr__event_record(untimed, other));
  support_succeed(vptr__stream_wait(stream, untimed));
  support_succeed(vptr__event_record(waiter, stream));
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(stream));
  support_expect(VPTR_ERROR_NOT_READY, vptr__event_query(waiter));
  atomic_store(&gate.opened, true);
  support_succeed(vptr__stream_synchronize(stream));
  support_succeed(vptr__event_query(waiter));
}
END_TEST

/* ---- times ---------------------------------------------------------------------------------------------- */

/* The host's time between two events counts, though no stream got any work meanwhile. */
START_TEST(an_event_that_was_reached_is_put_anew) {
  vptr__event *first;
  float ms = -1;
  support_succeed(vptr__event_create(mapper, 0, &first));
  support_succeed(vptr__event_record(first, stream));
  support_succeed(vptr__event_record(timed, stream));
  support_succeed(vptr__event_synchronize(timed));
  usleep(WAIT_MS * 1000);
  begin_count();
  support_succeed(vptr__event_record(timed, stream));
  expect_count(1, 0, 1);
  support_succeed(vptr__event_synchronize(timed));
  support_succeed(vptr__event_elapsed(first, timed, &ms));
  ck_assert_msg(ms >= WAIT_MS * 0.9, "%g ms", (double)ms);
}
END_TEST

/* And what is pending is reached when a new one would be. */
START_TEST(an_event_that_is_pending_stays) {
  vptr__event *first;
  support_gate gate = { false, false };
  float ms = -1;
  support_succeed(vptr__event_create(mapper, 0, &first));
  support_succeed(vptr__event_record(first, stream));
  support_succeed(vptr__event_synchronize(first));
  support_succeed(vptr__stream_host(stream, support_wait_at_gate, &gate));
  support_succeed(vptr__event_record(timed, stream));
  usleep(WAIT_MS * 1000);
  begin_count();
  support_succeed(vptr__event_record(timed, stream));
  expect_count(0, 0, 0);
  atomic_store(&gate.opened, true);
  support_succeed(vptr__event_synchronize(timed));
  support_succeed(vptr__event_elapsed(first, timed, &ms));
  ck_assert_msg(ms >= WAIT_MS * 0.9, "%g ms", (double)ms);
}
END_TEST

/* ---- flushing ------------------------------------------------------------------------------------------- */

/* The fake device begins nothing unflushed, whatever was said of it: the wait would never end. */
START_TEST(an_event_is_flushed_once_for_who_waits) {
  support_succeed(vptr__event_record(untimed, stream));
  begin_count();
  support_succeed(vptr__stream_wait(other, untimed));
  ck_assert_int_ge(flushes, 1);
  int with_send = flushes;
  begin_count();
  support_succeed(vptr__stream_wait(other, untimed));
  ck_assert_int_eq(flushes, with_send - 1);
  support_succeed(vptr__stream_synchronize(other));
}
END_TEST

static Suite *event_suite(void) {
  Suite *suite = suite_create("event");
  TCase *all = tcase_create("all");
  tcase_add_checked_fixture(all, set_up, tear_down);
  tcase_add_test(all, an_event_with_timing_is_one_command);
  tcase_add_test(all, an_event_without_timing_takes_what_is_there);
  tcase_add_test(all, a_stream_with_an_event_is_waited_for);
  tcase_add_test(all, an_event_that_was_reached_is_put_anew);
  tcase_add_test(all, an_event_that_is_pending_stays);
  tcase_add_test(all, an_event_is_flushed_once_for_who_waits);
  suite_add_tcase(suite, all);
  return suite;
}

int main(void) {
  return support_run(event_suite());
}
