/* SPDX-License-Identifier: MIT */
/* mirror_visit - functions that a stream calls on the host use managed memory that work behind them uses, too. */
#include "mirror/pages.h" /* first: it has a `page` of its own */
#include "mirrors.h"

#include <pthread.h>
#include <unistd.h>

#include "device/fake.h"
#include "support/support.h"

enum { ROUNDS = 50 };

static vptr__stream *stream, *other;

static void setup(void) {
  mirrors_setup();
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &other));
}

static void teardown(void) {
  support_succeed(vptr__stream_destroy(other));
  support_succeed(vptr__stream_destroy(stream));
  mirrors_teardown();
}

static unsigned char byte_in_the_end(size_t at) {
  mirrors_acquire(VPTR_ACCESS_READ);
  unsigned char byte = mirrors_byte(at);
  mirrors_release();
  return byte;
}

static vptr__device *device_of(void) {
  return mapper->device;
}

/* Work that uses some pages, and copies a word of the mirror's on the device. */
static void copy_pages_in(vptr__stream *where, vptr__run used, size_t from, size_t to, vptr_access access) {
  vptr__device *device = device_of();
  vptr__acquired acquisition;
  cl_command_queue queue;
  cl_event event;
  support_succeed(
      vptr__mirror_acquire(mirror, mapper, used.first * page, (used.end - used.first) * page, access, &acquisition));
  support_succeed(vptr__stream_begin(where, &queue));
  support_succeed(
      device->ops->transfer.enqueue_copy(device, queue, acquisition.buffer, from, acquisition.buffer, to, 4, &event));
  vptr__mirror_release(mirror, vptr__stream_id(where), event);
  vptr__stream_end(where);
  device->ops->event.release(device, event);
}

static void copy_in(vptr__stream *where, size_t from, size_t to) {
  copy_pages_in(where, (vptr__run){ 0, PAGES }, from, to, VPTR_ACCESS_READ_WRITE);
}

/* Work that uses all of it and sets some bytes. */
static void fill_in(vptr__stream *where, size_t at, size_t size, unsigned char byte, vptr_access access) {
  vptr__device *device = device_of();
  cl_command_queue queue;
  cl_event event;
  mirrors_acquire(access);
  support_succeed(vptr__stream_begin(where, &queue));
  support_succeed(
      device->ops->transfer.enqueue_fill(device, queue, vptr__mirror_buffer(mirror), at, size, &byte, 1, &event));
  vptr__mirror_release(mirror, vptr__stream_id(where), event);
  vptr__stream_end(where);
  device->ops->event.release(device, event);
}

static void call(vptr__stream *where, void (*function)(vptr_status status, void *context), void *context) {
  support_succeed(vptr__stream_host(where, function, context));
}

/* ---- one stream ------------------------------------------------------------------------------------------- */

/* Of the two bytes that work copies back and forth; context: how many calls found what they must. */
static void count_on(vptr_status status, void *context) {
  atomic_int *calls = context;
  if (status == VPTR_SUCCESS && host[page] == atomic_load(calls))
    atomic_fetch_add(calls, 1);
  host[0] = (unsigned char)(host[page] + 1);
}

START_TEST(work_and_functions_take_turns_on_a_byte) {
  atomic_int calls = 0;
  support_gate shut = { false, false };
  host[0] = 0;
  if (_i == 1)
    call(stream, support_wait_at_gate, &shut);
  for (int i = 0; i < ROUNDS; i++) {
    copy_in(stream, 0, page);
    call(stream, count_on, &calls);
  }
  copy_in(stream, 0, 2 * page);
  atomic_store(&shut.opened, true);
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_int_eq(atomic_load(&calls), ROUNDS);
  ck_assert_uint_eq(host[page], ROUNDS - 1);
  ck_assert_uint_eq(host[2 * page], ROUNDS);
}
END_TEST

static void read_page(vptr_status status, void *context) {
  (void)status;
  atomic_store((atomic_int *)context, host[page]);
}

START_TEST(a_function_that_reads_sends_nothing) {
  atomic_int seen = 0;
  host[0] = 7;
  copy_in(stream, 0, page);
  uint64_t sent = mirrors_counts().sent;
  call(stream, read_page, &seen);
  copy_in(stream, page, 2 * page);
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_int_eq(atomic_load(&seen), 7);
  ck_assert_uint_eq(host[2 * page], 7);
  ck_assert_uint_eq(mirrors_counts().sent, sent);
}
END_TEST

static void write_first(vptr_status status, void *context) {
  (void)status;
  (void)context;
  host[0] = 21;
}

START_TEST(work_that_only_reads_sees_what_the_function_before_it_wrote) {
  support_gate shut = { false, false };
  cl_command_queue queue;
  cl_event event;
  unsigned char got = 0;
  host[0] = 1;
  call(stream, support_wait_at_gate, &shut);
  call(stream, write_first, NULL);
  mirrors_acquire(VPTR_ACCESS_READ);
  support_succeed(vptr__stream_begin(stream, &queue));
  support_succeed(
      device_of()->ops->transfer.enqueue_read(device_of(), queue, vptr__mirror_buffer(mirror), 0, &got, 1, &event));
  vptr__mirror_release(mirror, vptr__stream_id(stream), event);
  vptr__stream_end(stream);
  device_of()->ops->event.release(device_of(), event);
  atomic_store(&shut.opened, true);
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_uint_eq(got, 21);
  ck_assert_uint_eq(host[0], 21);
}
END_TEST

static void read_first(vptr_status status, void *context) {
  (void)status;
  atomic_store((atomic_int *)context, host[0]);
}

START_TEST(a_function_sees_what_work_behind_it_discards) {
  support_gate shut = { false, false };
  atomic_int seen = 0;
  host[0] = 9;
  call(stream, support_wait_at_gate, &shut);
  call(stream, read_first, &seen);
  fill_in(stream, 0, PAGES * page, 0, VPTR_ACCESS_DISCARD_WRITE);
  atomic_store(&shut.opened, true);
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_int_eq(atomic_load(&seen), 9);
  ck_assert_uint_eq(host[0], 0);
}
END_TEST

static void walk(vptr_status status, void *context) {
  (void)status;
  (void)context;
  for (size_t at = 0; at < PAGES * page; at++)
    host[at]++;
}

START_TEST(a_function_goes_through_all_of_it) {
  host[0] = 1;
  mirrors_run(0, PAGES * page, 5);
  mirrors_send(stream, NULL, 0, 6);
  call(stream, walk, NULL);
  mirrors_send(stream, NULL, page, 9);
  support_succeed(vptr__stream_synchronize(stream));
  for (size_t at = 0; at < PAGES * page; at++)
    support_must(host[at] == (at < page ? 7 : at < 2 * page ? 9 : 6));
}
END_TEST

/* ---- others ----------------------------------------------------------------------------------------------- */

enum { FAR = 40 /* pages: behind what a function's touch of the first ones opens */ };

/* It waits for the kernel, which waits for the function. */
static void *read_what_is_to_come(void *context) {
  (void)context;
  return (void *)(uintptr_t)host[FAR * page];
}

/* A kernel of another stream's, of a page that the host has written: what the kernel before it may use has to end
 * first. */
static void *write_and_acquire(void *context) {
  (void)context;
  host[(FAR + 1) * page] = 1;
  copy_in(other, (FAR + 1) * page, (FAR + 2) * page);
  return (void *)1;
}

static void expect_no_hang(void *(*run)(void *context)) {
  support_gate shut = { false, false };
  atomic_int calls = 0;
  pthread_t thread;
  void *got;
  const vptr__run used = { 0, FAR + 1 };
  host[0] = 4;
  host[page] = 0; /* which nothing else has written: memory is not zero when it is used again */
  call(stream, support_wait_at_gate, &shut);
  call(stream, count_on, &calls);
  copy_pages_in(stream, used, 0, FAR * page, VPTR_ACCESS_READ_WRITE);
  pthread_create(&thread, NULL, run, NULL);
  usleep(20000);
  atomic_store(&shut.opened, true);
  pthread_join(thread, &got);
  ck_assert_uint_eq((uintptr_t)got, 1);
  support_succeed(vptr__stream_synchronize(stream));
  support_succeed(vptr__stream_synchronize(other));
  ck_assert_int_eq(atomic_load(&calls), 1);
  ck_assert_uint_eq(host[0], 1);
  ck_assert_uint_eq(host[FAR * page], 1);
}

START_TEST(a_thread_that_waits_for_the_work_behind_does_not_keep_it_up) {
  expect_no_hang(read_what_is_to_come);
}
END_TEST

START_TEST(nor_does_one_that_acquisitions) {
  expect_no_hang(write_and_acquire);
  ck_assert_uint_eq(host[(FAR + 2) * page], 1);
}
END_TEST

static void write_and_wait(vptr_status status, void *context) {
  support_gate *it = context;
  (void)status;
  host[0] = 31;
  support_wait_at_gate(status, it);
}

START_TEST(what_another_stream_writes_beside_it_is_not_lost) {
  support_gate shut = { false, false };
  mirrors_run(0, PAGES * page, 1);
  call(stream, write_and_wait, &shut);
  copy_in(stream, 0, 2 * page);
  while (!atomic_load(&shut.reached))
    usleep(50);
  fill_in(other, 64, 64, 32, VPTR_ACCESS_READ_WRITE);
  support_succeed(vptr__stream_synchronize(other));
  atomic_store(&shut.opened, true);
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_uint_eq(byte_in_the_end(0), 31);
  ck_assert_uint_eq(byte_in_the_end(2 * page), 31);
  ck_assert_uint_eq(byte_in_the_end(64), 32);
  ck_assert_uint_eq(byte_in_the_end(127), 32);
  ck_assert_uint_eq(byte_in_the_end(128), 1);
}
END_TEST

/* Functions share a thread: the other stream's kernel waits for its function, which waits for the end of this one, or
 * of the gate. In the latter case the kernel may run beside count_on(), so it writes a page that no touch of the
 * function's fetches: one among them would be the program's race (doc/managed.md, "Host functions"). */
START_TEST(work_behind_another_streams_function_is_not_waited_for) {
  support_gate shut = { false, false };
  atomic_int calls = 0, seen = 0;
  mirrors_run(0, PAGES * page, 0);
  call(stream, support_wait_at_gate, &shut);
  call(stream, count_on, &calls);
  call(other, read_page, &seen);
  mirrors_send(other, NULL, FAR * page, 8);
  copy_in(stream, 0, 2 * page);
  atomic_store(&shut.opened, true);
  support_succeed(vptr__stream_synchronize(stream));
  support_succeed(vptr__stream_synchronize(other));
  ck_assert_int_eq(atomic_load(&calls), 1);
  ck_assert_uint_eq(byte_in_the_end(2 * page), 1);
  ck_assert_uint_eq(byte_in_the_end(FAR * page), 8);
}
END_TEST

/* The next command that runs is the first send: the work that makes it necessary waits in the function's stream. */
static void write_and_fail_sends(vptr_status status, void *context) {
  host[0] = 41;
  support_wait_at_gate(status, context);
  vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
}

START_TEST(a_send_that_fails_once_is_tried_again) {
  support_gate shut = { false, false };
  mirrors_run(0, PAGES * page, 1);
  mirrors_send(stream, NULL, 3 * page, 2);
  call(stream, write_and_fail_sends, &shut);
  copy_in(stream, 0, 2 * page);
  atomic_store(&shut.opened, true);
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_uint_eq(host[2 * page], 41);
  ck_assert_uint_eq(host[0], 41);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror_visit");
  TCase *tests = tcase_create("with a mirror");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_loop_test(tests, work_and_functions_take_turns_on_a_byte, 0, 2);
  tcase_add_test(tests, a_function_that_reads_sends_nothing);
  tcase_add_test(tests, work_that_only_reads_sees_what_the_function_before_it_wrote);
  tcase_add_test(tests, a_function_sees_what_work_behind_it_discards);
  tcase_add_test(tests, a_function_goes_through_all_of_it);
  tcase_add_test(tests, a_thread_that_waits_for_the_work_behind_does_not_keep_it_up);
  tcase_add_test(tests, nor_does_one_that_acquisitions);
  tcase_add_test(tests, what_another_stream_writes_beside_it_is_not_lost);
  tcase_add_test(tests, work_behind_another_streams_function_is_not_waited_for);
  if (!support_has_opencl())
    tcase_add_test(tests, a_send_that_fails_once_is_tried_again);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
