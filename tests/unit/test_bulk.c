/* SPDX-License-Identifier: MIT */
/*
 * bulk - large copies in pieces, by several threads: the right bytes, in the right order.
 *
 * What fails is in test_bulk_faults.c.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "stream/gate.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"
#include "transfer/worker_pool.h"
#include "transfer/nontemporal.h"
#include "bulk.h"

enum { EDGE = 64 };

static vptr_mapper *mapper;

static void set_up(void) {
  vptr__worker_pool_set_size(BULK_THREADS);
  mapper = bulk_mapper();
}

static void tear_down(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static bool is_all(const unsigned char *at, size_t size, int value) {
  for (size_t i = 0; i < size; i++)
    if (at[i] != value)
      return false;
  return true;
}

/* ---- contents ------------------------------------------------------------------------------------------- */

typedef enum way { BY_MEMCPY, ON_LEGACY, ON_STREAM, WAYS } way;

static vptr_status copy_on(vptr__stream *stream, void *to, const void *from, size_t size) {
  vptr__operand target = { .what = "to", .ptr = to }, source = { .what = "from", .ptr = (void *)(uintptr_t)from };
  return vptr__transfer_copy(stream, &target, &source, (size_t[]){ size, 1, 1 }, VPTR__TRANSFER_WAIT);
}

static vptr_status copy(way way, vptr__stream *stream, void *to, const void *from, size_t size) {
  vptr__stream *legacy;
  if (way == BY_MEMCPY)
    return vptr_memcpy(mapper, to, from, size);
  if (way == ON_STREAM)
    return copy_on(stream, to, from, size);
  support_succeed(vptr__stream_legacy(mapper, &legacy));
  return copy_on(legacy, to, from, size);
}

/* There and back, at odd places on both sides, between bytes that must stay. */
static void check_size(way way, vptr__stream *stream, size_t size, size_t at) {
  size_t room = at + size + EDGE;
  unsigned char *device = bulk_allocate(mapper, room), *host = malloc(room), *back = malloc(room);
  ck_assert(host != NULL && back != NULL);
  bulk_write(host + 1, size, 7);
  support_succeed(vptr_memset(mapper, device, 0xee, room));
  memset(back, 0xdd, room);
  support_succeed(copy(way, stream, device + at, host + 1, size));
  support_succeed(copy(way, stream, back + at, device + at, size));
  support_must(bulk_has(back + at, size, 7));
  support_must(is_all(back, at, 0xdd) && is_all(back + at + size, EDGE, 0xdd));
  vptr__worker_pool_set_size(1); /* the driver's own way sees the same */
  support_succeed(vptr_memcpy(mapper, back, device, room));
  vptr__worker_pool_set_size(BULK_THREADS);
  support_must(bulk_has(back + at, size, 7));
  support_must(is_all(back, at, 0xee) && is_all(back + at + size, EDGE, 0xee));
  free(back);
  free(host);
  support_succeed(vptr_free(mapper, device));
}

static void check_sizes(void) {
  static const size_t sizes[] = { 256 * KIB, 512 * KIB, 512 * KIB + 1, 5 * MIB - 3, 9 * MIB + 12345 };
  vptr__stream *stream;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (way way = 0; way < WAYS; way++)
      check_size(way, stream, sizes[i], i % 2 == 0 ? 13 : 4096);
  support_succeed(vptr__stream_destroy(stream));
  ck_assert(bulk_is_used(mapper));
  ck_assert_uint_gt(vptr__worker_pool_helpers(), 0);
}

START_TEST(every_byte_arrives_and_no_other_changes) {
  check_sizes();
}
END_TEST

START_TEST(the_device_may_take_the_pieces_as_it_likes) {
  if (support_has_opencl())
    return;
  vptr__fake_disorder(42, 300);
  check_sizes();
  vptr__fake_disorder(0, 0);
}
END_TEST

START_TEST(what_is_very_large_goes_in_whole_chunks) {
  vptr__worker_pool_set_size(2);
  size_t size = 80 * MIB + 5;
  unsigned char *device = bulk_allocate(mapper, size), *host = malloc(size), *back = calloc(1, size);
  bulk_write(host, size, 1);
  support_succeed(vptr_memcpy(mapper, device, host, size));
  support_succeed(vptr_memcpy(mapper, back, device, size));
  ck_assert(memcmp(host, back, size) == 0);
  vptr__worker_pool_set_size(BULK_THREADS);
  free(back);
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

START_TEST(small_copies_and_small_machines_go_the_drivers_way) {
  unsigned char *device = bulk_allocate(mapper, MIB), *host = calloc(1, MIB);
  support_succeed(vptr_memcpy(mapper, device, host, BULK_LEAST - 1));
  vptr__worker_pool_set_size(1);
  support_succeed(vptr_memcpy(mapper, device, host, MIB));
  vptr__worker_pool_set_size(BULK_THREADS);
  mapper->device->tuning.bulk_bytes = 0;
  support_succeed(vptr_memcpy(mapper, device, host, MIB));
  ck_assert(!bulk_is_used(mapper));
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

START_TEST(who_copies_little_has_nothing_pinned) {
  if (support_has_opencl())
    return;
  size_t before = bulk_counts().host_buffers;
  unsigned char *device = bulk_allocate(mapper, MIB), *host = calloc(1, MIB);
  for (int i = 0; i < 7; i++) {
    support_succeed(vptr_memcpy(mapper, device, host, BULK_LEAST));
    ck_assert_uint_eq(bulk_counts().host_buffers, before);
  }
  support_succeed(vptr_memcpy(mapper, device, host, BULK_LEAST)); /* in one piece: nobody helps */
  ck_assert_uint_eq(bulk_counts().host_buffers, before + 1);
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

START_TEST(pinned_memory_goes_the_drivers_way) {
  vptr__stream *legacy;
  unsigned char *device = bulk_allocate(mapper, MIB), *host = calloc(1, MIB);
  vptr__operand to = { .what = "to", .ptr = device }, from = { .what = "from", .ptr = host, .pinned = true };
  support_succeed(vptr__stream_legacy(mapper, &legacy));
  support_succeed(vptr__transfer_copy(legacy, &to, &from, (size_t[]){ MIB, 1, 1 }, VPTR__TRANSFER_WAIT));
  ck_assert(!bulk_is_used(mapper));
  from.pinned = false;
  support_succeed(vptr__transfer_copy(legacy, &to, &from, (size_t[]){ MIB, 1, 1 }, 0));
  ck_assert(bulk_is_used(mapper));
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

START_TEST(pinned_memory_is_given_back_on_request) {
  if (support_has_opencl())
    return;
  size_t before = bulk_counts().host_buffers;
  unsigned char *device = bulk_allocate(mapper, 4 * MIB), *host = calloc(1, 4 * MIB);
  support_succeed(vptr_memcpy(mapper, device, host, 4 * MIB));
  ck_assert_uint_gt(bulk_counts().host_buffers, before);
  ck_assert_uint_le(bulk_counts().host_buffers, before + BULK_THREADS);
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_uint_eq(bulk_counts().host_buffers, before);
  support_succeed(vptr_memcpy(mapper, device, host, 4 * MIB));
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

typedef struct worker {
  vptr_mapper *mapper;
  unsigned salt;
  int failures;
} worker;

static void *copy_often(void *context) {
  worker *worker = context;
  size_t size = 3 * MIB + worker->salt * 111;
  void *device;
  unsigned char *host = malloc(size), *back = malloc(size);
  worker->failures += vptr_malloc(worker->mapper, size, &device) != VPTR_SUCCESS;
  for (unsigned round = 0; round < 4; round++) {
    bulk_write(host, size, worker->salt + round);
    worker->failures += vptr_memcpy(worker->mapper, device, host, size) != VPTR_SUCCESS;
    worker->failures += vptr_memcpy(worker->mapper, back, device, size) != VPTR_SUCCESS;
    worker->failures += !bulk_has(back, size, worker->salt + round);
    worker->failures += vptr_trim(worker->mapper, 0) != VPTR_SUCCESS;
  }
  worker->failures += vptr_free(worker->mapper, device) != VPTR_SUCCESS;
  free(back);
  free(host);
  return NULL;
}

START_TEST(several_threads_copy_at_once_on_two_mappers) {
  vptr_mapper *second = bulk_mapper();
  worker workers[6];
  pthread_t threads[6];
  for (unsigned i = 0; i < 6; i++) {
    workers[i] = (worker){ i % 2 == 0 ? mapper : second, 10 * i, 0 };
    ck_assert_int_eq(pthread_create(&threads[i], NULL, copy_often, &workers[i]), 0);
  }
  for (int i = 0; i < 6; i++) {
    pthread_join(threads[i], NULL);
    ck_assert_int_eq(workers[i].failures, 0);
  }
  ck_assert(bulk_is_used(mapper) && bulk_is_used(second));
  support_succeed(vptr_mapper_destroy(second));
}
END_TEST

/* ---- order ---------------------------------------------------------------------------------------------- */

enum { LATE_US = 30000 };

static void write_late(vptr_status status, void *context) {
  (void)status;
  usleep(LATE_US);
  bulk_write(context, MIB, 3);
}

START_TEST(the_source_is_read_after_earlier_work_of_the_stream) {
  vptr__stream *stream;
  unsigned char *device = bulk_allocate(mapper, MIB), *host = calloc(1, MIB), *back = calloc(1, MIB);
  for (unsigned flags = 0; flags <= VPTR__STREAM_NON_BLOCKING; flags++) {
    memset(host, 0, MIB);
    support_succeed(vptr__stream_create(mapper, flags, 0, &stream));
    support_succeed(vptr__stream_host(stream, write_late, host));
    support_succeed(flags == 0 ? vptr_memcpy(mapper, device, host, MIB) : copy_on(stream, device, host, MIB));
    support_succeed(vptr_memcpy(mapper, back, device, MIB));
    support_must(bulk_has(back, MIB, 3));
    support_succeed(vptr__stream_destroy(stream));
  }
  free(back);
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

static void sleep_a_while(vptr_status status, void *context) {
  (void)status, (void)context;
  usleep(LATE_US);
}

START_TEST(what_earlier_work_writes_is_what_is_read) {
  vptr__stream *stream;
  unsigned char *device = bulk_allocate(mapper, MIB), *back = calloc(1, MIB);
  vptr__operand operand = { .what = "to", .ptr = device };
  support_succeed(vptr_memset(mapper, device, 1, MIB));
  support_succeed(vptr__stream_create(mapper, 0, 0, &stream));
  support_succeed(vptr__stream_host(stream, sleep_a_while, NULL));
  support_succeed(vptr__transfer_set(stream, &operand, 9, (size_t[]){ MIB, 1, 1 }, 0));
  support_succeed(vptr_memcpy(mapper, back, device, MIB));
  support_must(is_all(back, MIB, 9));
  support_succeed(vptr__stream_destroy(stream));
  free(back);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

START_TEST(later_work_waits_for_a_gate_and_who_sends_it_does_not) {
  vptr__stream *stream;
  vptr__gate gate;
  unsigned char *device = bulk_allocate(mapper, MIB), byte = 0;
  vptr__operand operand = { .what = "to", .ptr = device };
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__gate_close(stream, &gate));
  support_succeed(vptr__transfer_set(stream, &operand, 5, (size_t[]){ MIB, 1, 1 }, 0));
  usleep(LATE_US);
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(stream));
  vptr__gate_open(&gate);
  support_succeed(vptr__stream_synchronize(stream));
  support_succeed(vptr_memcpy(mapper, &byte, device + MIB / 2, 1));
  ck_assert_int_eq(byte, 5);
  support_succeed(vptr__stream_destroy(stream));
  support_succeed(vptr_free(mapper, device));
}
END_TEST

typedef struct shared_copy {
  vptr__stream *stream;
  void *device, *host;
  vptr_status status;
} shared_copy;

static void *copy_shared(void *context) {
  shared_copy *shared = context;
  shared->status = copy_on(shared->stream, shared->device, shared->host, 2 * MIB);
  return NULL;
}

static void wait_for(vptr_status status, void *context) {
  (void)status;
  while (!atomic_load((atomic_bool *)context))
    usleep(100);
}

static void await_commands(size_t count) {
  for (int i = 0; i < 100000 && bulk_counts().commands != count; i++)
    usleep(100);
  ck_assert_uint_eq(bulk_counts().commands, count);
}

/* The copy waits for the function; what is sent meanwhile comes behind all of the copy. */
START_TEST(another_threads_later_work_comes_behind_the_whole_copy) {
  if (support_has_opencl())
    return;
  atomic_bool go = false;
  pthread_t thread;
  unsigned char *device = bulk_allocate(mapper, 2 * MIB), *host = calloc(1, 2 * MIB);
  shared_copy shared = { .device = device, .host = host };
  vptr__operand operand = { .what = "to", .ptr = device };
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &shared.stream));
  support_succeed(vptr__stream_host(shared.stream, wait_for, &go));
  await_commands(1); /* of the function's two the first is over */
  ck_assert_int_eq(pthread_create(&thread, NULL, copy_shared, &shared), 0);
  await_commands(2); /* the event that the gate waits for */
  support_succeed(vptr__transfer_set(shared.stream, &operand, 9, (size_t[]){ 2 * MIB, 1, 1 }, 0));
  atomic_store(&go, true);
  pthread_join(thread, NULL);
  support_succeed(shared.status);
  support_succeed(vptr__stream_synchronize(shared.stream));
  support_succeed(vptr_memcpy(mapper, host, device, 2 * MIB));
  support_must(is_all(host, 2 * MIB, 9));
  support_succeed(vptr__stream_destroy(shared.stream));
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

/* All places of heads and tails. */
START_TEST(what_is_poured_is_copied_and_nothing_else) {
  enum { ROOM = 512 };
  unsigned char from[ROOM], to[ROOM];
  for (int i = 0; i < ROOM; i++)
    from[i] = (unsigned char)(i * 7 + 1);
  for (size_t at = 0; at < 70; at++)
    for (size_t size = 0; size + at < 300; size += size < 140 ? 1 : 13) {
      memset(to, 0, ROOM);
      vptr__nontemporal_copy(to + at, from + at / 2, size);
      support_must(memcmp(to + at, from + at / 2, size) == 0);
      for (size_t i = 0; i < ROOM; i++)
        support_must((i >= at && i < at + size) || to[i] == 0);
    }
}
END_TEST

static Suite *bulk_suite(void) {
  Suite *suite = suite_create("bulk");
  TCase *cases = tcase_create("copies");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_add_test(cases, what_is_poured_is_copied_and_nothing_else);
  tcase_add_test(cases, every_byte_arrives_and_no_other_changes);
  tcase_add_test(cases, the_device_may_take_the_pieces_as_it_likes);
  tcase_add_test(cases, what_is_very_large_goes_in_whole_chunks);
  tcase_add_test(cases, small_copies_and_small_machines_go_the_drivers_way);
  tcase_add_test(cases, who_copies_little_has_nothing_pinned);
  tcase_add_test(cases, pinned_memory_goes_the_drivers_way);
  tcase_add_test(cases, pinned_memory_is_given_back_on_request);
  tcase_add_test(cases, several_threads_copy_at_once_on_two_mappers);
  tcase_add_test(cases, the_source_is_read_after_earlier_work_of_the_stream);
  tcase_add_test(cases, what_earlier_work_writes_is_what_is_read);
  tcase_add_test(cases, later_work_waits_for_a_gate_and_who_sends_it_does_not);
  tcase_add_test(cases, another_threads_later_work_comes_behind_the_whole_copy);
  suite_add_tcase(suite, cases);
  return suite;
}

int main(void) {
  return support_run(bulk_suite());
}
