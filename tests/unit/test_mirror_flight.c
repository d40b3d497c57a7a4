/* SPDX-License-Identifier: MIT */
/* mirror_flight - managed memory and work in flight: who waits for whom, and what becomes of failures. */
#include "mirrors.h"

#include <pthread.h>
#include <unistd.h>

#include "base/memory.h"
#include "device/fake.h"
#include "support/support.h"

/* ---- work in flight ------------------------------------------------------------------------------------- */

START_TEST(the_host_waits_for_all_streams_that_use_it) {
  enum { STREAMS = 6 };
  vptr__stream *streams[STREAMS];
  support_gate shut = { false, false };
  pthread_t opener;
  for (int i = 0; i < STREAMS; i++) {
    support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &streams[i]));
    mirrors_send(streams[i], i == 0 ? &shut : NULL, i * page, 11);
  }
  pthread_create(&opener, NULL, mirrors_open_later, &shut);
  for (int i = STREAMS; i-- > 0;)
    ck_assert_uint_eq(host[i * page], 11);
  ck_assert(atomic_load(&shut.opened));
  pthread_join(opener, NULL);
  for (int i = 0; i < STREAMS; i++)
    support_succeed(vptr__stream_destroy(streams[i]));
}
END_TEST

static void look(vptr_status status, void *context) {
  (void)status;
  *(atomic_int *)context = host[3];
}

START_TEST(a_function_of_a_stream_may_touch_what_earlier_work_used) {
  vptr__stream *stream;
  support_gate open = { false, true };
  support_succeed(vptr__stream_legacy(mapper, &stream));
  mirrors_send(stream, &open, 0, 12);
  atomic_int seen = 0;
  support_succeed(vptr__stream_host(stream, look, &seen));
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_int_eq(atomic_load(&seen), 12);
}
END_TEST

static void *read_first_byte(void *context) {
  const volatile unsigned char *at = context;
  return (void *)(uintptr_t)*at;
}

START_TEST(a_fault_that_waits_does_not_hold_up_those_of_another_mirror) {
  vptr__stream *stream;
  vptr__mirror *other;
  support_gate shut = { false, false };
  pthread_t waiter;
  void *seen;
  support_succeed(vptr__mirror_create(mapper, page, &other));
  volatile unsigned char *theirs = vptr__mirror_host(other);
  support_succeed(mirrors_acquire_all(other, VPTR_ACCESS_READ_WRITE));
  vptr__mirror_release(other, 0, NULL);
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  mirrors_send(stream, &shut, 0, 13);
  pthread_create(&waiter, NULL, read_first_byte, (void *)(uintptr_t)host);
  usleep(10000);
  theirs[0] = 1;
  ck_assert(!atomic_load(&shut.opened));
  atomic_store(&shut.opened, true);
  pthread_join(waiter, &seen);
  ck_assert_uint_eq((uintptr_t)seen, 13);
  support_succeed(vptr__stream_destroy(stream));
  vptr__mirror_destroy(other);
}
END_TEST

START_TEST(between_acquire_and_acquired_a_fault_waits) {
  pthread_t waiter;
  void *seen;
  mirrors_acquire(VPTR_ACCESS_READ_WRITE);
  pthread_create(&waiter, NULL, read_first_byte, (void *)(uintptr_t)host);
  usleep(10000);
  mirrors_fill(0, page, 14);
  mirrors_release();
  pthread_join(waiter, &seen);
  ck_assert_uint_eq((uintptr_t)seen, 14);
}
END_TEST

START_TEST(a_kernel_that_reads_is_not_overtaken_by_what_the_host_writes_next) {
  vptr__device *device = mapper->device;
  vptr__stream *stream;
  support_gate shut = { false, false };
  cl_command_queue queue;
  cl_event event;
  unsigned char copy = 0;
  pthread_t opener;
  host[0] = 1;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__stream_host(stream, support_wait_at_gate, &shut));
  mirrors_acquire(VPTR_ACCESS_READ);
  support_succeed(vptr__stream_begin(stream, &queue));
  support_succeed(
      device->ops->transfer.enqueue_read(device, queue, vptr__mirror_buffer(mirror), 0, &copy, 1, &event));
  vptr__mirror_release(mirror, vptr__stream_id(stream), event);
  vptr__stream_end(stream);
  device->ops->event.release(device, event);
  host[0] = 2; /* does not wait: the device has its own copy */
  ck_assert(!atomic_load(&shut.opened));
  pthread_create(&opener, NULL, mirrors_open_later, &shut);
  mirrors_acquire(VPTR_ACCESS_READ_WRITE);
  mirrors_release();
  ck_assert_uint_eq(copy, 1);
  ck_assert_uint_eq(mirrors_byte(0), 2);
  pthread_join(opener, NULL);
  support_succeed(vptr__stream_destroy(stream));
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

/* Which call that is, is not known here: the wait is one of the first. */
START_TEST(a_wait_that_fails_does_not_show_the_host_too_early) {
  vptr__stream *stream;
  support_gate shut = { false, false };
  pthread_t opener;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  mirrors_send(stream, &shut, 0, 15);
  pthread_create(&opener, NULL, mirrors_open_later, &shut);
  vptr__fake_fail_nth(_i, CL_OUT_OF_RESOURCES);
  ck_assert_uint_eq(host[0], 15);
  vptr__fake_fail_nth(0, CL_SUCCESS);
  ck_assert(atomic_load(&shut.opened));
  pthread_join(opener, NULL);
  support_succeed(vptr__stream_destroy(stream));
}
END_TEST

START_TEST(an_acquire_that_fails_keeps_the_hosts_bytes) {
  const vptr_access access = _i % 2 == 0 ? VPTR_ACCESS_READ : VPTR_ACCESS_READ_WRITE;
  host[0] = 1;
  host[9 * page] = 2;
  if (_i < 2)
    vptr__fake_fail_command(_i + 1, CL_OUT_OF_RESOURCES);
  else
    vptr__fake_fail_nth(1, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, mirrors_acquire_all(mirror, access));
  uint64_t faults = mirrors_counts().faults;
  ck_assert_uint_eq(host[0], 1);
  ck_assert_uint_eq(mirrors_counts().faults, faults);
  host[1] = 3;
  host[9 * page] += 1;
  mirrors_acquire(access);
  ck_assert_uint_eq(mirrors_byte(0), 1);
  ck_assert_uint_eq(mirrors_byte(1), 3);
  ck_assert_uint_eq(mirrors_byte(9 * page), 3);
  mirrors_release();
}
END_TEST

START_TEST(an_acquire_without_memory_for_its_use_changes_nothing) {
  host[0] = 1;
  vptr__memory_fail_nth(1);
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, mirrors_acquire_all(mirror, VPTR_ACCESS_READ_WRITE));
  uint64_t faults = mirrors_counts().faults;
  host[1] = 2;
  ck_assert_uint_eq(mirrors_counts().faults, faults);
}
END_TEST

START_TEST(a_fetch_that_fails_can_be_tried_again) {
  mirrors_run(0, PAGES * page, 3);
  vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, vptr__mirror_fetch(mirror, 0, page, VPTR_ACCESS_READ));
  ck_assert_uint_eq(host[0], 3);
}
END_TEST

START_TEST(bytes_behind_work_that_failed_are_fetched_as_they_are) {
  vptr__stream *stream;
  support_gate open = { false, true };
  mirrors_run(0, PAGES * page, 0);
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__stream_synchronize(stream));
  vptr__fake_fail_command(2, CL_OUT_OF_RESOURCES); /* behind the barrier of the function's */
  mirrors_send(stream, &open, 0, 15);
  unsigned char got = host[0];
  vptr__fake_fail_command(0, CL_SUCCESS);
  ck_assert(got == 0 || got == 15);
  vptr__stream_synchronize(stream);
  support_succeed(vptr__stream_destroy(stream));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror_flight");
  TCase *tests = tcase_create("with a mirror");
  tcase_add_checked_fixture(tests, mirrors_setup, mirrors_teardown);
  tcase_add_test(tests, the_host_waits_for_all_streams_that_use_it);
  tcase_add_test(tests, a_function_of_a_stream_may_touch_what_earlier_work_used);
  tcase_add_test(tests, a_fault_that_waits_does_not_hold_up_those_of_another_mirror);
  tcase_add_test(tests, between_acquire_and_acquired_a_fault_waits);
  tcase_add_test(tests, a_kernel_that_reads_is_not_overtaken_by_what_the_host_writes_next);
  tcase_add_test(tests, an_acquire_without_memory_for_its_use_changes_nothing);
  tcase_add_test(tests, bytes_behind_work_that_failed_are_fetched_as_they_are);
  if (!support_has_opencl()) {
    tcase_add_loop_test(tests, a_wait_that_fails_does_not_show_the_host_too_early, 1, 5);
    tcase_add_loop_test(tests, an_acquire_that_fails_keeps_the_hosts_bytes, 0, 4);
    tcase_add_test(tests, a_fetch_that_fails_can_be_tried_again);
  }
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
