/* SPDX-License-Identifier: MIT */
/*
 * gate - a stream that the host holds shut: what others see of it, and what it asks of the driver.
 *
 * The device's table of operations is replaced by one that counts the calls of interest, or refuses them.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "stream/gate.h"
#include "transfer/async.h"
#include "transfer/worker_pool.h"
#include "bulk.h"

enum { LATE_US = 30000, BYTES = 4096 };

static vptr_mapper *mapper;
static const vptr__device_ops *real;
static vptr__device_ops counting;
static unsigned user_events;
static bool refuses_user_events;
static atomic_int callers, most_callers;

static vptr_status make_user_event(vptr__device *device, cl_event *event_out) {
  user_events++;
  return refuses_user_events ? VPTR_ERROR_OUT_OF_HOST_MEMORY : real->event.create_user(device, event_out);
}

static void set_up(void) {
  vptr__worker_pool_set_size(BULK_THREADS);
  mapper = bulk_mapper();
  real = mapper->device->ops;
  counting = *real;
  counting.event.create_user = make_user_event;
  mapper->device->ops = &counting;
  user_events = 0;
  refuses_user_events = false;
}

static void tear_down(void) {
  mapper->device->ops = real;
  support_succeed(vptr_mapper_destroy(mapper));
}

static vptr_status send_set(vptr__stream *stream, void *device, int value) {
  vptr__operand operand = { .what = "to", .ptr = device };
  return vptr__transfer_set(stream, &operand, value, (size_t[]){ BYTES, 1, 1 }, 0);
}

static void check_byte(const unsigned char *device, int value) {
  unsigned char byte = 0;
  support_succeed(vptr_memcpy(mapper, &byte, device + BYTES / 2, 1));
  ck_assert_int_eq(byte, value);
}

START_TEST(a_gate_that_no_other_sender_meets_makes_no_user_event) {
  vptr__stream *stream;
  vptr__gate gate;
  unsigned char *device = bulk_allocate(mapper, BYTES);
  support_succeed(vptr__stream_create(mapper, 0, 0, &stream));
  support_succeed(send_set(stream, device, 3));
  support_succeed(vptr__gate_close(stream, &gate));
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(stream));
  vptr__gate_open(&gate);
  support_succeed(vptr__stream_query(stream));
  check_byte(device, 3);
  ck_assert_uint_eq(user_events, 0);
  support_succeed(vptr__stream_destroy(stream));
  support_succeed(vptr_free(mapper, device));
}
END_TEST

START_TEST(a_large_copy_makes_no_user_event) {
  unsigned char *device = bulk_allocate(mapper, 2 * MIB), *host = calloc(1, 2 * MIB);
  support_succeed(vptr_memcpy(mapper, device, host, 2 * MIB));
  support_succeed(vptr_memcpy(mapper, host, device, 2 * MIB));
  ck_assert(bulk_is_used(mapper));
  ck_assert_uint_eq(user_events, 0);
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

/* One of the two streams has the gate, and work is sent to the other. */
static void check_order(vptr__stream *gated, vptr__stream *other) {
  vptr__gate gate;
  unsigned char *device = bulk_allocate(mapper, BYTES);
  support_succeed(send_set(gated, device, 3));
  support_succeed(vptr__gate_close(gated, &gate));
  support_succeed(send_set(other, device, 5));
  ck_assert_uint_eq(user_events, 1);
  usleep(LATE_US);
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(other));
  vptr__gate_open(&gate);
  support_succeed(vptr__stream_synchronize(other));
  check_byte(device, 5);
  support_succeed(vptr_free(mapper, device));
}

START_TEST(later_work_of_the_stream_waits_behind_one_barrier) {
  vptr__stream *stream;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  check_order(stream, stream);
  support_succeed(vptr__stream_destroy(stream));
}
END_TEST

START_TEST(the_legacy_stream_waits_for_a_blocking_streams_gate_and_the_other_way_round) {
  vptr__stream *stream, *legacy;
  support_succeed(vptr__stream_create(mapper, 0, 0, &stream));
  support_succeed(vptr__stream_legacy(mapper, &legacy));
  check_order(stream, legacy);
  user_events = 0;
  check_order(legacy, stream);
  support_succeed(vptr__stream_destroy(stream));
}
END_TEST

START_TEST(two_non_blocking_streams_do_not_meet) {
  vptr__stream *one, *other;
  vptr__gate gate;
  unsigned char *device = bulk_allocate(mapper, BYTES);
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &one));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &other));
  support_succeed(vptr__gate_close(one, &gate));
  support_succeed(send_set(other, device, 5));
  support_succeed(vptr__stream_synchronize(other));
  check_byte(device, 5);
  ck_assert_uint_eq(user_events, 0);
  vptr__gate_open(&gate);
  support_succeed(vptr__stream_destroy(one));
  support_succeed(vptr__stream_destroy(other));
  support_succeed(vptr_free(mapper, device));
}
END_TEST

/* Waiting instead could be waiting for ever: the host may do something behind the call before it opens the gate. */
START_TEST(a_sender_that_cannot_have_its_barrier_gets_an_error_and_the_stream_goes_on) {
  vptr__stream *stream;
  vptr__gate gate;
  unsigned char *device = bulk_allocate(mapper, BYTES);
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__gate_close(stream, &gate));
  refuses_user_events = true;
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, send_set(stream, device, 5));
  refuses_user_events = false;
  vptr__gate_open(&gate);
  support_succeed(send_set(stream, device, 6));
  support_succeed(vptr__stream_synchronize(stream));
  check_byte(device, 6);
  support_succeed(vptr__stream_destroy(stream));
  support_succeed(vptr_free(mapper, device));
}
END_TEST

/* What the program sends to a queue that it was given asks nobody: there the barrier is put at once. */
START_TEST(a_queue_that_the_program_knows_has_its_barrier_at_once) {
  vptr__stream *legacy;
  vptr__gate gate;
  if (vptr_get_queue(mapper) == NULL) /* the fake device has none to give */
    return;
  support_succeed(vptr__stream_legacy(mapper, &legacy));
  support_succeed(vptr__gate_close(legacy, &gate));
  ck_assert_uint_eq(user_events, 1);
  vptr__gate_open(&gate);
  support_succeed(vptr__stream_synchronize(legacy));
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { SENDERS = 4, ROUNDS = 300 };

static void *send_many(void *stream) {
  void *device = bulk_allocate(mapper, BYTES);
  for (int i = 0; i < ROUNDS; i++)
    support_succeed(send_set(stream, device, i));
  support_succeed(vptr__stream_synchronize(stream));
  check_byte(device, (ROUNDS - 1) & 0xff);
  support_succeed(vptr_free(mapper, device));
  return NULL;
}

START_TEST(gates_open_and_close_among_senders) {
  vptr__stream *blocking, *legacy;
  pthread_t threads[SENDERS];
  support_succeed(vptr__stream_create(mapper, 0, 0, &blocking));
  support_succeed(vptr__stream_legacy(mapper, &legacy));
  for (int i = 0; i < SENDERS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, send_many, i % 2 == 0 ? blocking : legacy), 0);
  for (int i = 0; i < ROUNDS; i++) {
    vptr__gate gate;
    support_succeed(vptr__gate_close(i % 2 == 0 ? legacy : blocking, &gate));
    vptr__gate_open(&gate);
  }
  for (int i = 0; i < SENDERS; i++)
    pthread_join(threads[i], NULL);
  support_succeed(vptr__stream_destroy(blocking));
}
END_TEST

/* ---- large copies --------------------------------------------------------------------------------------- */

static void enter_driver(void) {
  int now = atomic_fetch_add(&callers, 1) + 1, most = atomic_load(&most_callers);
  while (now > most && !atomic_compare_exchange_weak(&most_callers, &most, now)) {
  }
  usleep(50); /* so that two that may meet do */
}

static vptr_status count_write(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                               const void *from, size_t size, cl_event *event_out) {
  enter_driver();
  vptr_status status = real->transfer.enqueue_write(device, queue, buffer, offset, from, size, event_out);
  atomic_fetch_sub(&callers, 1);
  return status;
}

static vptr_status count_read(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset, void *to,
                              size_t size, cl_event *event_out) {
  enter_driver();
  vptr_status status = real->transfer.enqueue_read(device, queue, buffer, offset, to, size, event_out);
  atomic_fetch_sub(&callers, 1);
  return status;
}

START_TEST(the_threads_of_a_large_copy_send_one_at_a_time) {
  unsigned char *device = bulk_allocate(mapper, 8 * MIB), *host = calloc(1, 8 * MIB);
  counting.transfer.enqueue_write = count_write;
  counting.transfer.enqueue_read = count_read;
  for (int i = 0; i < 4; i++) {
    support_succeed(vptr_memcpy(mapper, device, host, 8 * MIB));
    support_succeed(vptr_memcpy(mapper, host, device, 8 * MIB));
  }
  ck_assert_uint_gt(vptr__worker_pool_helpers(), 0);
  ck_assert_int_eq(atomic_load(&most_callers), 1);
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

static Suite *gate_suite(void) {
  Suite *suite = suite_create("gate");
  TCase *cases = tcase_create("gates");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_add_test(cases, a_gate_that_no_other_sender_meets_makes_no_user_event);
  tcase_add_test(cases, a_large_copy_makes_no_user_event);
  tcase_add_test(cases, later_work_of_the_stream_waits_behind_one_barrier);
  tcase_add_test(cases, the_legacy_stream_waits_for_a_blocking_streams_gate_and_the_other_way_round);
  tcase_add_test(cases, two_non_blocking_streams_do_not_meet);
  tcase_add_test(cases, a_sender_that_cannot_have_its_barrier_gets_an_error_and_the_stream_goes_on);
  tcase_add_test(cases, a_queue_that_the_program_knows_has_its_barrier_at_once);
  tcase_add_test(cases, gates_open_and_close_among_senders);
  tcase_add_test(cases, the_threads_of_a_large_copy_send_one_at_a_time);
  suite_add_tcase(suite, cases);
  return suite;
}

int main(void) {
  return support_run(gate_suite());
}
