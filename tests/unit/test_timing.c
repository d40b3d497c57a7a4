/* SPDX-License-Identifier: MIT */
/*
 * timing - streams whose queue is exchanged for one that keeps times, when somebody first wants to know one.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "stream/event.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"

enum { BYTES = 1000, GATE_MS = 20 };

static vptr_mapper *mapper;

static void make_mapper(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
}

static void destroy_mapper(void) {
  support_succeed(vptr_mapper_destroy(mapper));
}

static void set(vptr__stream *stream, void *memory, unsigned char value) {
  const vptr__operand operand = { .what = "test", .ptr = memory };
  support_succeed(vptr__transfer_set(stream, &operand, value, (size_t[3]){ BYTES, 1, 1 }, 0));
}

static void check(const void *memory, char value) {
  char seen[BYTES], expected[BYTES];
  memset(expected, value, sizeof expected);
  support_succeed(vptr_memcpy(mapper, seen, memory, sizeof seen));
  ck_assert_mem_eq(seen, expected, sizeof seen);
}

/* The work before the first event is pending while the queue is exchanged. */
static void exchange_while_pending(vptr__stream *stream) {
  support_gate gate = { false, false };
  vptr__event *first, *second;
  void *memory;
  float ms = -1;
  support_succeed(vptr_malloc(mapper, BYTES, &memory));
  support_succeed(vptr__event_create(mapper, 0, &first));
  support_succeed(vptr__event_create(mapper, 0, &second));
  set(stream, memory, 1);
  support_succeed(vptr__stream_host(stream, support_wait_at_gate, &gate));
  set(stream, memory, 2);
  support_succeed(vptr__event_record(first, stream));
  set(stream, memory, 3);
  support_succeed(vptr__event_record(second, stream));
  support_expect(VPTR_ERROR_NOT_READY, vptr__event_query(first));
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(stream));
  atomic_store(&gate.opened, true);
  support_succeed(vptr__stream_synchronize(stream));
  check(memory, 3);
  support_succeed(vptr__event_elapsed(first, second, &ms));
  ck_assert(ms >= 0);
  support_succeed(vptr__event_destroy(first));
  support_succeed(vptr__event_destroy(second));
  support_succeed(vptr_free(mapper, memory));
}

START_TEST(work_keeps_its_order_when_the_queue_is_exchanged) {
  vptr__stream *legacy, *stream;
  support_succeed(vptr__stream_legacy(mapper, &legacy));
  support_succeed(vptr__stream_create(mapper, 0, -1, &stream));
  exchange_while_pending(stream);
  exchange_while_pending(legacy);
  exchange_while_pending(stream);
  support_succeed(vptr__stream_destroy(stream));
}
END_TEST

START_TEST(elapsed_time_includes_what_the_stream_waited_for) {
  support_gate gate = { false, false };
  vptr__stream *stream;
  vptr__event *first, *second;
  float ms = -1;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__event_create(mapper, 0, &first));
  support_succeed(vptr__event_create(mapper, 0, &second));
  support_succeed(vptr__event_record(first, stream));
  support_succeed(vptr__event_synchronize(first));
  support_succeed(vptr__stream_host(stream, support_wait_at_gate, &gate));
  support_succeed(vptr__event_record(second, stream));
  usleep(GATE_MS * 1000);
  atomic_store(&gate.opened, true);
  support_succeed(vptr__event_synchronize(second));
  support_succeed(vptr__event_elapsed(first, second, &ms));
  ck_assert_msg(ms >= GATE_MS * 0.9, "%g ms", (double)ms);
  support_succeed(vptr__stream_destroy(stream));
}
END_TEST

/* Whoever has seen the mapper's queue goes on using it. */
START_TEST(a_queue_that_was_shown_is_never_exchanged) {
  vptr__stream *legacy;
  vptr__event *event;
  cl_command_queue shown = vptr_get_queue(mapper);
  cl_command_queue_properties properties = 0;
  support_succeed(vptr__stream_legacy(mapper, &legacy));
  support_succeed(vptr__event_create(mapper, 0, &event));
  support_succeed(vptr__event_record(event, legacy));
  ck_assert_ptr_eq(vptr_get_queue(mapper), shown);
  if (!support_has_opencl())
    return;
  clGetCommandQueueInfo(shown, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  ck_assert((properties & CL_QUEUE_PROFILING_ENABLE) != 0);
}
END_TEST

/* A queue of the program's own, which may keep none: then that is what is said, and all else works. */
START_TEST(a_queue_of_the_programs_stays_what_it_is) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *other;
  vptr__stream *legacy;
  vptr__event *event;
  float ms;
  if (!support_has_opencl())
    return;
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(vptr_get_context(mapper), vptr_get_device(mapper), NULL, NULL);
  config.queue = queue;
  support_succeed(vptr_mapper_create(&config, &other));
  support_succeed(vptr__stream_legacy(other, &legacy));
  support_succeed(vptr__event_create(other, 0, &event));
  support_succeed(vptr__event_record(event, legacy));
  support_succeed(vptr__event_synchronize(event));
  support_expect(VPTR_ERROR_OPENCL, vptr__event_elapsed(event, event, &ms));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "CL_QUEUE_PROFILING_ENABLE"));
  ck_assert_ptr_eq(vptr_get_queue(other), queue);
  support_succeed(vptr_mapper_destroy(other));
  clReleaseCommandQueue(queue);
}
END_TEST

/* Records in both kinds of stream while the n-th operation of the device fails; how many records failed. */
static int record_with_fault(long n) {
  vptr__stream *streams[2];
  vptr__event *events[2];
  int failures = 0;
  make_mapper();
  support_succeed(vptr__stream_legacy(mapper, &streams[0]));
  support_succeed(vptr__stream_create(mapper, 0, 0, &streams[1]));
  for (int i = 0; i < 2; i++)
    support_succeed(vptr__event_create(mapper, 0, &events[i]));
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
  for (int i = 0; i < 2; i++)
    failures += vptr__event_record(events[i], streams[i]) != VPTR_SUCCESS;
  vptr__fake_fail_nth(0, CL_SUCCESS);
  for (int i = 0; i < 2; i++) { /* and nothing stands in the way of the next try */
    float ms;
    vptr__stream_synchronize(streams[i]);
    support_succeed(vptr__event_record(events[i], streams[i]));
    support_succeed(vptr__stream_synchronize(streams[i]));
    support_succeed(vptr__event_elapsed(events[i], events[i], &ms));
  }
  destroy_mapper();
  return failures;
}

START_TEST(any_operation_may_fail_while_a_queue_is_exchanged) {
  vptr__fake_counts before, after;
  if (support_has_opencl())
    return;
  destroy_mapper();
  vptr__fake_get_counts(&before);
  long n = 1;
  for (int good = 0; good < 3; n++)
    good += record_with_fault(n) == 0;
  ck_assert_int_gt(n, 8);
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.events, before.events);
  ck_assert_uint_eq(after.queues, before.queues);
  make_mapper();
}
END_TEST

static Suite *timing_suite(void) {
  Suite *suite = suite_create("timing");
  TCase *all = tcase_create("all");
  tcase_add_checked_fixture(all, make_mapper, destroy_mapper);
  tcase_add_test(all, work_keeps_its_order_when_the_queue_is_exchanged);
  tcase_add_test(all, elapsed_time_includes_what_the_stream_waited_for);
  tcase_add_test(all, a_queue_that_was_shown_is_never_exchanged);
  tcase_add_test(all, a_queue_of_the_programs_stays_what_it_is);
  tcase_add_test(all, any_operation_may_fail_while_a_queue_is_exchanged);
  suite_add_tcase(suite, all);
  return suite;
}

int main(void) {
  return support_run(timing_suite());
}
