/* SPDX-License-Identifier: MIT */
/* prefetch_task - bytes that come to the host when a stream is there. */
#include "managed/prefetch_task.h"

#include <pthread.h>
#include <sched.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mirror/address_index.h"
#include "mirrors.h"
#include "support/support.h"

static vptr__stream *stream;

static void setup(void) {
  mirrors_setup();
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
}

static void teardown(void) {
  support_succeed(vptr__stream_destroy(stream));
  mirrors_teardown();
}

static void send_task(size_t offset, size_t size) {
  size_t at;
  ck_assert_ptr_eq(vptr__address_index_enter((const void *)host, &at), mirror);
  support_succeed(vptr__prefetch_task_send(stream, mirror, offset, size));
}

START_TEST(bytes_come_without_a_fault) {
  mirrors_run(0, PAGES * page, 5);
  send_task(page, 3 * page);
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_uint_eq(mirrors_counts().fetched, 3 * page);
  for (size_t i = 1; i < 4; i++)
    ck_assert_uint_eq(host[i * page], 5);
  ck_assert_uint_eq(mirrors_counts().fetched, 3 * page);
}
END_TEST

START_TEST(it_comes_behind_the_streams_work_and_waits_for_others) {
  vptr__stream *other;
  support_gate shut = { false, false };
  pthread_t opener;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &other));
  mirrors_send(stream, NULL, 0, 6);
  mirrors_send(other, &shut, page, 7);
  while (!atomic_load(&shut.reached)) /* or the prefetch task could be the first, and wait for what waits for it */
    sched_yield();
  send_task(0, PAGES * page);
  ck_assert_uint_eq(mirrors_counts().fetched, 0);
  pthread_create(&opener, NULL, mirrors_open_later, &shut);
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert(atomic_load(&shut.opened));
  ck_assert_uint_eq(mirrors_counts().fetched, PAGES * page);
  ck_assert_uint_eq(host[0], 6);
  ck_assert_uint_eq(host[page], 7);
  pthread_join(opener, NULL);
  support_succeed(vptr__stream_destroy(other));
}
END_TEST

/* The kernel behind it would wait for the prefetch task, and the prefetch task for the kernel. */
START_TEST(work_behind_it_that_uses_the_memory_ends_it) {
  support_gate shut = { false, false };
  pthread_t opener;
  support_succeed(vptr__stream_host(stream, support_wait_at_gate, &shut));
  mirrors_run(0, PAGES * page, 1);
  send_task(0, PAGES * page);
  mirrors_send(stream, NULL, 0, 9);
  pthread_create(&opener, NULL, mirrors_open_later, &shut);
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert_uint_eq(mirrors_counts().fetched, 0);
  ck_assert_uint_eq(host[0], 9);
  pthread_join(opener, NULL);
}
END_TEST

/* What goes wrong is left to the fault that will ask for the bytes. */
START_TEST(a_task_that_fails_is_forgotten) {
  mirrors_run(0, PAGES * page, 8);
  vptr__fake_fail_command(2, CL_OUT_OF_RESOURCES); /* the first is what tells that the stream is there */
  send_task(0, page);
  support_succeed(vptr__stream_synchronize(stream));
  vptr__fake_fail_command(0, CL_SUCCESS);
  uint64_t faults = mirrors_counts().faults;
  ck_assert_uint_eq(host[0], 8);
  ck_assert_uint_gt(mirrors_counts().faults, faults);
}
END_TEST

START_TEST(a_task_that_cannot_be_sent_holds_nothing) {
  size_t at;
  mirrors_run(0, PAGES * page, 8);
  vptr__memory_fail_nth(1);
  vptr__address_index_enter((const void *)host, &at);
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, vptr__prefetch_task_send(stream, mirror, 0, page));
  vptr__memory_fail_nth(0);
  ck_assert_uint_eq(host[0], 8);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prefetch task");
  TCase *tests = tcase_create("with a mirror");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, bytes_come_without_a_fault);
  tcase_add_test(tests, it_comes_behind_the_streams_work_and_waits_for_others);
  tcase_add_test(tests, work_behind_it_that_uses_the_memory_ends_it);
  tcase_add_test(tests, a_task_that_cannot_be_sent_holds_nothing);
  if (!support_has_opencl())
    tcase_add_test(tests, a_task_that_fails_is_forgotten);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
