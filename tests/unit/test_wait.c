/* SPDX-License-Identifier: MIT */
/*
 * test_wait - who waits for a stream that is busy, and who does not.
 *
 * A stream stands still until another thread lets it go on, after a while. A call that has returned before that did not
 * wait for it; one that returns after it did.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "pool/pool.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"

enum { SIZE = 4096, PAUSE_US = 150000 };

static vptr_mapper *mapper;
static vptr__stream *apart, *blocking;
static void *memory;

static void setup(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &apart));
  support_succeed(vptr__stream_create(mapper, 0, 0, &blocking));
  support_succeed(vptr_malloc(mapper, SIZE, &memory));
}

static void teardown(void) {
  support_succeed(vptr_mapper_destroy(mapper));
}

/* ---- a stream that stands still ------------------------------------------------------------------------- */

static atomic_bool goes_on;
static pthread_t opener;

static void stand(vptr_status status, void *context) {
  (void)status;
  (void)context;
  while (!atomic_load(&goes_on))
    usleep(1000);
}

static void *let_go(void *context) {
  (void)context;
  usleep(PAUSE_US);
  atomic_store(&goes_on, true);
  return NULL;
}

static void stop(vptr__stream *stream) {
  atomic_store(&goes_on, false);
  support_succeed(vptr__stream_host(stream, stand, NULL));
  ck_assert_int_eq(pthread_create(&opener, NULL, let_go, NULL), 0);
}

static bool is_standing(void) {
  return !atomic_load(&goes_on);
}

static void go_on(void) {
  pthread_join(opener, NULL);
  support_succeed(vptr__stream_synchronize_all(mapper));
}

/* ---- freeing -------------------------------------------------------------------------------------------- */

START_TEST(a_free_that_is_refused_does_not_wait) {
  void *freed, *host;
  support_succeed(vptr_malloc(mapper, SIZE, &freed));
  support_succeed(vptr_free(mapper, freed));
  support_succeed(vptr_map(mapper, memory, SIZE, VPTR_ACCESS_READ, &host));
  stop(apart);
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, freed));
  support_expect(VPTR_ERROR_INTERIOR, vptr_free(mapper, (char *)memory + 1));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_free(mapper, &freed));
  support_expect(VPTR_ERROR_MAPPED, vptr_free(mapper, memory));
  ck_assert(is_standing());
  go_on();
  support_succeed(vptr_unmap(mapper, host));
}
END_TEST

START_TEST(a_free_of_memory_that_a_pool_gave_is_judged_first_too) {
  vptr__pool *pool;
  void *freed;
  support_succeed(vptr__pool_default(mapper, &pool));
  support_succeed(vptr__pool_allocate(pool, SIZE, apart, NULL, &freed));
  support_succeed(vptr__pool_free(mapper, freed, apart, "test"));
  stop(apart);
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, freed));
  ck_assert(is_standing());
  go_on();
}
END_TEST

START_TEST(a_free_waits_for_every_stream) {
  vptr__stream *streams[] = { apart, blocking };
  for (int i = 0; i < 2; i++) {
    void *used;
    support_succeed(vptr_malloc(mapper, SIZE, &used));
    stop(streams[i]);
    support_succeed(vptr_free(mapper, used));
    ck_assert(!is_standing());
    go_on();
  }
}
END_TEST

/* The driver does not know who uses it by its address. */
START_TEST(a_buffer_whose_address_was_told_waits_anew_where_that_fails) {
  enum { LARGE = 8 << 20 /* which has a buffer to itself */ };
  void *used;
  uint64_t address;
  vptr__fake_report_addresses(true);
  support_succeed(vptr_malloc(mapper, LARGE, &used));
  support_succeed(vptr__heap_device_address(mapper->heap, used, &address));
  support_succeed(vptr__heap_free(mapper->heap, used));
  stop(apart);
  vptr__fake_fail_nth(1, CL_OUT_OF_RESOURCES);
  vptr__heap_trim(mapper->heap, 0);
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__fake_report_addresses(false);
  ck_assert(!is_standing());
  go_on();
}
END_TEST

/* Whether a call asks anything of the device: its next operation would fail. */
static bool asks_device(vptr_status (*call)(void)) {
  vptr__fake_fail_nth(1, CL_OUT_OF_RESOURCES);
  vptr_status status = call();
  vptr__fake_fail_nth(0, 0);
  return status != VPTR_SUCCESS;
}

static vptr_status free_some(void) {
  static void *used;
  vptr_status status = used != NULL ? vptr_free(mapper, used) : vptr_malloc(mapper, SIZE, &used);
  if (status == VPTR_SUCCESS && vptr_resolve(mapper, used, 1, &(vptr_location){ 0 }) != VPTR_SUCCESS)
    used = NULL;
  return status;
}

static vptr_status wait_for_apart(void) {
  return vptr__stream_synchronize(apart);
}

static vptr_status wait_for_legacy(void) {
  vptr__stream *legacy;
  vptr_status status = vptr__stream_legacy(mapper, &legacy);
  return status == VPTR_SUCCESS ? vptr__stream_synchronize(legacy) : status;
}

static void work_on(vptr__stream *stream) {
  vptr__operand operand = { .what = "test", .ptr = memory };
  support_succeed(vptr__transfer_set(stream, &operand, 1, (size_t[]){ SIZE, 1, 1 }, 0));
}

START_TEST(a_free_for_good_waits_too_and_frees_nothing_where_that_fails) {
  void *used;
  vptr_location location;
  support_succeed(vptr_malloc(mapper, SIZE, &used));
  work_on(apart);
  vptr__fake_fail_nth(1, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, vptr_free_no_reuse(mapper, used));
  vptr__fake_fail_nth(0, 0);
  support_succeed(vptr_resolve(mapper, used, SIZE, &location));
  support_succeed(vptr_check(mapper));
  stop(apart);
  support_succeed(vptr_free_no_reuse(mapper, used));
  ck_assert(!is_standing());
  go_on();
  support_expect(VPTR_ERROR_FREED, vptr_resolve(mapper, used, 1, &location));
}
END_TEST

START_TEST(what_is_known_to_be_done_is_not_waited_for) {
  support_succeed(free_some()); /* allocates: each second call frees */
  work_on(apart);
  ck_assert(asks_device(wait_for_apart));
  support_succeed(wait_for_apart());
  ck_assert(!asks_device(wait_for_apart));
  ck_assert(!asks_device(wait_for_legacy));
  ck_assert(!asks_device(free_some));
  support_succeed(free_some());
  work_on(blocking);
  ck_assert(asks_device(free_some));
  support_succeed(free_some()); /* has waited for all, which is remembered */
  ck_assert(!asks_device(wait_for_apart));
  support_succeed(free_some());
  ck_assert(!asks_device(free_some));
}
END_TEST

START_TEST(what_the_program_sends_is_waited_for_each_time) {
  cl_command_queue queue;
  support_succeed(free_some());
  support_succeed(mapper->device->ops->queue.create(mapper->device, 0, false, &queue));
  support_succeed(vptr_use_queue(mapper, queue));
  ck_assert(asks_device(free_some));
  ck_assert(asks_device(free_some));
  support_succeed(vptr_drop_queue(mapper, queue));
  mapper->device->ops->queue.release(mapper->device, queue);
  ck_assert(!asks_device(wait_for_legacy));
  support_succeed(free_some());
  ck_assert_ptr_nonnull(vptr_get_queue(mapper));
  ck_assert(asks_device(wait_for_legacy));
  ck_assert(asks_device(wait_for_legacy));
}
END_TEST

static void fail_on(vptr__stream *stream) {
  static unsigned char host[SIZE];
  vptr__operand to = { .what = "test", .ptr = memory }, from = { .what = "test", .ptr = host, .pinned = true };
  vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
  support_succeed(vptr__transfer_copy(stream, &to, &from, (size_t[]){ SIZE, 1, 1 }, 0));
}

/* An attached buffer is freed when its stream is done. What failed before is told, and the memory is freed. */
START_TEST(a_free_behind_a_failure_frees_and_tells) {
  void *attached;
  cl_mem buffer = vptr__fake_buffer_make(mapper->device, SIZE);
  support_succeed(vptr_attach(mapper, buffer, &attached));
  size_t before = vptr_count(mapper);
  fail_on(apart);
  support_expect(VPTR_ERROR_OPENCL, vptr__pool_free(mapper, attached, apart, "test"));
  ck_assert_int_eq(vptr_last_cl_error(), CL_OUT_OF_RESOURCES);
  ck_assert_uint_eq(vptr_count(mapper), before - 1);
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), 1);
  support_succeed(vptr__stream_synchronize(apart));
  support_expect(VPTR_ERROR_FREED, vptr__pool_free(mapper, attached, apart, "test"));
  vptr__fake_buffer_release(buffer);
}
END_TEST

/* ---- the calls that block ------------------------------------------------------------------------------- */

static void copy(void) {
  char host[SIZE];
  memset(host, 1, SIZE);
  support_succeed(vptr_memcpy(mapper, memory, host, SIZE));
}

static void set(void) {
  support_succeed(vptr_memset(mapper, memory, 1, SIZE));
}

static void show(void) {
  void *host;
  support_succeed(vptr_map(mapper, memory, SIZE, VPTR_ACCESS_READ, &host));
  support_succeed(vptr_unmap(mapper, host));
}

static void (*const calls[])(void) = { copy, set, show };
enum { CALLS = sizeof calls / sizeof *calls };

START_TEST(blocking_calls_leave_streams_alone_that_are_not_blocking) {
  stop(apart);
  for (int i = 0; i < CALLS; i++)
    calls[i]();
  ck_assert(is_standing());
  go_on();
}
END_TEST

START_TEST(blocking_calls_wait_for_blocking_streams) {
  for (int i = 0; i < CALLS; i++) {
    stop(blocking);
    calls[i]();
    ck_assert(!is_standing());
    go_on();
  }
}
END_TEST

/* A queue that the program named is waited for, and no stream beside it. */
START_TEST(blocking_calls_wait_for_queues_that_were_named) {
  vptr__device *device = mapper->device;
  const vptr__device_ops *ops = device->ops;
  cl_command_queue queue;
  support_succeed(ops->queue.create(device, 0, true, &queue));
  support_succeed(vptr_use_queue(mapper, queue));
  vptr__fake_disorder(7, 20000);
  for (int i = 0; i < CALLS; i++) {
    cl_event event;
    cl_int state;
    stop(apart);
    support_succeed(ops->queue.enqueue_barrier(device, queue, 0, NULL, &event));
    calls[i]();
    support_succeed(ops->event.state(device, event, &state));
    ck_assert_int_eq(state, CL_COMPLETE);
    ck_assert(is_standing());
    ops->event.release(device, event);
    go_on();
  }
  vptr__fake_disorder(0, 0);
  support_succeed(vptr_drop_queue(mapper, queue));
  ops->queue.release(device, queue);
}
END_TEST

static Suite *wait_suite(void) {
  Suite *suite = suite_create("wait");
  TCase *tests = tcase_create("wait");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, a_free_that_is_refused_does_not_wait);
  tcase_add_test(tests, a_free_of_memory_that_a_pool_gave_is_judged_first_too);
  tcase_add_test(tests, a_free_waits_for_every_stream);
  tcase_add_test(tests, a_buffer_whose_address_was_told_waits_anew_where_that_fails);
  tcase_add_test(tests, a_free_for_good_waits_too_and_frees_nothing_where_that_fails);
  tcase_add_test(tests, what_is_known_to_be_done_is_not_waited_for);
  tcase_add_test(tests, what_the_program_sends_is_waited_for_each_time);
  tcase_add_test(tests, a_free_behind_a_failure_frees_and_tells);
  tcase_add_test(tests, blocking_calls_leave_streams_alone_that_are_not_blocking);
  tcase_add_test(tests, blocking_calls_wait_for_blocking_streams);
  tcase_add_test(tests, blocking_calls_wait_for_queues_that_were_named);
  suite_add_tcase(suite, tests);
  return suite;
}

/* Faults are the fake device's. */
int main(void) {
  setenv("VPTR_TEST_BACKEND", "fake", 1);
  return support_run(wait_suite());
}
