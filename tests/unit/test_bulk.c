/* SPDX-License-Identifier: MIT */
/*
 * bulk - large copies in pieces, by several threads: the right bytes, in the right order, whatever fails.
 *
 * No device here asks for it, so the tests say it does, and that the machine has cores for it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "stream/gate.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"
#include "transfer/crew.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

enum { THREADS = 4, EDGE = 64, ALARM_SECONDS = 20 };
static const size_t LEAST = 32 * KIB;

static vptr_mapper *mapper;

static vptr_mapper *make_mapper(void) {
  vptr_mapper *made;
  support_succeed(vptr_mapper_create(NULL, &made));
  made->device->bulk_bytes = LEAST;
  return made;
}

static void set_up(void) {
  vptr__crew_set_size(THREADS);
  mapper = make_mapper();
}

static void tear_down(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static bool is_used(const vptr_mapper *of) {
  return atomic_load(&of->bulk) != NULL;
}

static vptr__fake_counts counts(void) {
  vptr__fake_counts now;
  vptr__fake_get_counts(&now);
  return now;
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

static unsigned char byte_at(size_t i, unsigned salt) {
  return (unsigned char)((i * 2654435761u >> 13) + i + salt);
}

static void write_pattern(unsigned char *to, size_t size, unsigned salt) {
  for (size_t i = 0; i < size; i++)
    to[i] = byte_at(i, salt);
}

static bool has_pattern(const unsigned char *at, size_t size, unsigned salt) {
  for (size_t i = 0; i < size; i++)
    if (at[i] != byte_at(i, salt))
      return false;
  return true;
}

static bool is_all(const unsigned char *at, size_t size, int value) {
  for (size_t i = 0; i < size; i++)
    if (at[i] != value)
      return false;
  return true;
}

static unsigned char *allocate(vptr_mapper *of, size_t size) {
  void *ptr;
  support_succeed(vptr_malloc(of, size, &ptr));
  return ptr;
}

/* ---- contents ------------------------------------------------------------------------------------------- */

typedef enum way { BY_MEMCPY, ON_LEGACY, ON_STREAM, WAYS } way;

static vptr_status copy_on(vptr__stream *stream, void *to, const void *from, size_t size) {
  vptr__side target = { .what = "to", .ptr = to }, source = { .what = "from", .ptr = (void *)(uintptr_t)from };
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
  unsigned char *device = allocate(mapper, room), *host = malloc(room), *back = malloc(room);
  ck_assert(host != NULL && back != NULL);
  write_pattern(host + 1, size, 7);
  support_succeed(vptr_memset(mapper, device, 0xee, room));
  memset(back, 0xdd, room);
  support_succeed(copy(way, stream, device + at, host + 1, size));
  support_succeed(copy(way, stream, back + at, device + at, size));
  support_must(has_pattern(back + at, size, 7));
  support_must(is_all(back, at, 0xdd) && is_all(back + at + size, EDGE, 0xdd));
  vptr__crew_set_size(1); /* the driver's own way sees the same */
  support_succeed(vptr_memcpy(mapper, back, device, room));
  vptr__crew_set_size(THREADS);
  support_must(has_pattern(back + at, size, 7));
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
  ck_assert(is_used(mapper));
  ck_assert_uint_gt(vptr__crew_helpers(), 0);
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
  vptr__crew_set_size(2);
  size_t size = 80 * MIB + 5;
  unsigned char *device = allocate(mapper, size), *host = malloc(size), *back = calloc(1, size);
  write_pattern(host, size, 1);
  support_succeed(vptr_memcpy(mapper, device, host, size));
  support_succeed(vptr_memcpy(mapper, back, device, size));
  ck_assert(memcmp(host, back, size) == 0);
  vptr__crew_set_size(THREADS);
  free(back);
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

START_TEST(small_copies_and_small_machines_go_the_drivers_way) {
  unsigned char *device = allocate(mapper, MIB), *host = calloc(1, MIB);
  support_succeed(vptr_memcpy(mapper, device, host, LEAST - 1));
  vptr__crew_set_size(1);
  support_succeed(vptr_memcpy(mapper, device, host, MIB));
  vptr__crew_set_size(THREADS);
  mapper->device->bulk_bytes = 0;
  support_succeed(vptr_memcpy(mapper, device, host, MIB));
  ck_assert(!is_used(mapper));
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

START_TEST(who_copies_little_has_nothing_pinned) {
  if (support_has_opencl())
    return;
  size_t before = counts().loans;
  unsigned char *device = allocate(mapper, MIB), *host = calloc(1, MIB);
  for (int i = 0; i < 7; i++) {
    support_succeed(vptr_memcpy(mapper, device, host, LEAST));
    ck_assert_uint_eq(counts().loans, before);
  }
  support_succeed(vptr_memcpy(mapper, device, host, LEAST)); /* in one piece: nobody helps */
  ck_assert_uint_eq(counts().loans, before + 1);
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

START_TEST(pinned_memory_goes_the_drivers_way) {
  vptr__stream *legacy;
  unsigned char *device = allocate(mapper, MIB), *host = calloc(1, MIB);
  vptr__side to = { .what = "to", .ptr = device }, from = { .what = "from", .ptr = host, .pinned = true };
  support_succeed(vptr__stream_legacy(mapper, &legacy));
  support_succeed(vptr__transfer_copy(legacy, &to, &from, (size_t[]){ MIB, 1, 1 }, VPTR__TRANSFER_WAIT));
  ck_assert(!is_used(mapper));
  from.pinned = false;
  support_succeed(vptr__transfer_copy(legacy, &to, &from, (size_t[]){ MIB, 1, 1 }, 0));
  ck_assert(is_used(mapper));
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

START_TEST(pinned_memory_is_given_back_on_request) {
  if (support_has_opencl())
    return;
  size_t before = counts().loans;
  unsigned char *device = allocate(mapper, 4 * MIB), *host = calloc(1, 4 * MIB);
  support_succeed(vptr_memcpy(mapper, device, host, 4 * MIB));
  ck_assert_uint_gt(counts().loans, before);
  ck_assert_uint_le(counts().loans, before + THREADS);
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_uint_eq(counts().loans, before);
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
    write_pattern(host, size, worker->salt + round);
    worker->failures += vptr_memcpy(worker->mapper, device, host, size) != VPTR_SUCCESS;
    worker->failures += vptr_memcpy(worker->mapper, back, device, size) != VPTR_SUCCESS;
    worker->failures += !has_pattern(back, size, worker->salt + round);
    worker->failures += vptr_trim(worker->mapper, 0) != VPTR_SUCCESS;
  }
  worker->failures += vptr_free(worker->mapper, device) != VPTR_SUCCESS;
  free(back);
  free(host);
  return NULL;
}

START_TEST(several_threads_copy_at_once_on_two_mappers) {
  vptr_mapper *second = make_mapper();
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
  ck_assert(is_used(mapper) && is_used(second));
  support_succeed(vptr_mapper_destroy(second));
}
END_TEST

/* ---- order ---------------------------------------------------------------------------------------------- */

enum { LATE_US = 30000 };

static void write_late(vptr_status status, void *context) {
  (void)status;
  usleep(LATE_US);
  write_pattern(context, MIB, 3);
}

START_TEST(the_source_is_read_after_earlier_work_of_the_stream) {
  vptr__stream *stream;
  unsigned char *device = allocate(mapper, MIB), *host = calloc(1, MIB), *back = calloc(1, MIB);
  for (unsigned flags = 0; flags <= VPTR__STREAM_NON_BLOCKING; flags++) {
    memset(host, 0, MIB);
    support_succeed(vptr__stream_create(mapper, flags, 0, &stream));
    support_succeed(vptr__stream_host(stream, write_late, host));
    support_succeed(flags == 0 ? vptr_memcpy(mapper, device, host, MIB) : copy_on(stream, device, host, MIB));
    support_succeed(vptr_memcpy(mapper, back, device, MIB));
    support_must(has_pattern(back, MIB, 3));
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
  unsigned char *device = allocate(mapper, MIB), *back = calloc(1, MIB);
  vptr__side side = { .what = "to", .ptr = device };
  support_succeed(vptr_memset(mapper, device, 1, MIB));
  support_succeed(vptr__stream_create(mapper, 0, 0, &stream));
  support_succeed(vptr__stream_host(stream, sleep_a_while, NULL));
  support_succeed(vptr__transfer_set(stream, &side, 9, (size_t[]){ MIB, 1, 1 }, 0));
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
  unsigned char *device = allocate(mapper, MIB), byte = 0;
  vptr__side side = { .what = "to", .ptr = device };
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__gate_close(stream, &gate));
  support_succeed(vptr__transfer_set(stream, &side, 5, (size_t[]){ MIB, 1, 1 }, 0));
  usleep(LATE_US);
  support_expect(VPTR_ERROR_BUSY, vptr__stream_query(stream));
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
  for (int i = 0; i < 100000 && counts().commands != count; i++)
    usleep(100);
  ck_assert_uint_eq(counts().commands, count);
}

/* The copy waits for the function; what is sent meanwhile comes behind all of the copy. */
START_TEST(another_threads_later_work_comes_behind_the_whole_copy) {
  if (support_has_opencl())
    return;
  atomic_bool go = false;
  pthread_t thread;
  unsigned char *device = allocate(mapper, 2 * MIB), *host = calloc(1, 2 * MIB);
  shared_copy shared = { .device = device, .host = host };
  vptr__side side = { .what = "to", .ptr = device };
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &shared.stream));
  support_succeed(vptr__stream_host(shared.stream, wait_for, &go));
  await_commands(1); /* of the function's two the first is over */
  ck_assert_int_eq(pthread_create(&thread, NULL, copy_shared, &shared), 0);
  await_commands(3); /* the gate's */
  support_succeed(vptr__transfer_set(shared.stream, &side, 9, (size_t[]){ 2 * MIB, 1, 1 }, 0));
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

/* ---- faults --------------------------------------------------------------------------------------------- */

enum { FAULT_BYTES = 2 * 1024 * 1024 + 77, MOST_FAULTS = 400 };

typedef void arm_fault(long n);

static void fail_operation(long n) {
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
}

static void fail_command(long n) {
  vptr__fake_fail_command(n, CL_OUT_OF_RESOURCES);
}

static int note(vptr_status status) {
  if (status == VPTR_SUCCESS)
    return 0;
  ck_assert_int_ne(vptr_last_error()[0], 0);
  ck_assert(status == VPTR_ERROR_OPENCL || status == VPTR_ERROR_OUT_OF_HOST_MEMORY);
  return 1;
}

/* There and back, with a fault somewhere; then without. Returns how many of the first two failed. */
static int copy_with_fault(arm_fault *arm, long n, unsigned char *host, unsigned char *back) {
  mapper = make_mapper();
  unsigned char *device = allocate(mapper, FAULT_BYTES);
  memset(back, 0, FAULT_BYTES);
  arm(n);
  vptr_status sent = vptr_memcpy(mapper, device, host, FAULT_BYTES);
  int failures = note(sent);
  vptr_status fetched = vptr_memcpy(mapper, back, device, FAULT_BYTES);
  failures += note(fetched);
  arm(0);
  if (failures == 0)
    support_must(has_pattern(back, FAULT_BYTES, 5));
  support_succeed(vptr_memcpy(mapper, device, host, FAULT_BYTES));
  support_succeed(vptr_memcpy(mapper, back, device, FAULT_BYTES));
  support_must(has_pattern(back, FAULT_BYTES, 5));
  support_succeed(vptr_free(mapper, device));
  tear_down();
  return failures;
}

/* Returns how many of the faults were told. What a process makes once is made before. */
static int copy_with_all_faults(arm_fault *arm, long last) {
  unsigned char *host = malloc(FAULT_BYTES), *back = malloc(FAULT_BYTES);
  int told = 0;
  write_pattern(host, FAULT_BYTES, 5);
  vptr__crew_set_size(THREADS);
  copy_with_fault(arm, MOST_FAULTS, host, back);
  for (long n = 1; n <= last; n++) {
    vptr__fake_counts before = counts();
    long live = vptr__memory_live();
    told += copy_with_fault(arm, n, host, back) > 0;
    vptr__fake_counts after = counts();
    ck_assert_uint_eq(after.buffers, before.buffers);
    ck_assert_uint_eq(after.loans, before.loans);
    ck_assert_uint_eq(after.queues, before.queues);
    ck_assert_uint_eq(after.events, before.events);
    ck_assert_int_eq(vptr__memory_live(), live);
  }
  free(back);
  free(host);
  return told;
}

static long operations_of_copies(void) {
  unsigned char *host = malloc(FAULT_BYTES), *back = malloc(FAULT_BYTES);
  write_pattern(host, FAULT_BYTES, 5);
  vptr__crew_set_size(THREADS);
  uint64_t before = counts().operations;
  copy_with_fault(vptr__crew_fail_nth, 0, host, back);
  long operations = (long)(counts().operations - before);
  free(back);
  free(host);
  return operations;
}

START_TEST(any_operation_may_fail) {
  if (support_has_opencl())
    return;
  long operations = operations_of_copies();
  ck_assert_int_lt(operations, MOST_FAULTS);
  ck_assert_int_gt(copy_with_all_faults(fail_operation, operations), 10);
}
END_TEST

/* 5 pieces each way, and the gates' barriers. */
START_TEST(any_command_may_fail) {
  if (!support_has_opencl())
    ck_assert_int_ge(copy_with_all_faults(fail_command, 20), 10);
}
END_TEST

/* The first copy goes in pieces all the same, by the thread that asked. */
START_TEST(threads_that_the_system_does_not_give_are_done_without) {
  set_up();
  unsigned char *device = allocate(mapper, FAULT_BYTES), *host = malloc(FAULT_BYTES);
  for (unsigned helpers = 0; helpers < THREADS; helpers++) {
    write_pattern(host, FAULT_BYTES, helpers);
    vptr__crew_fail_nth(helpers == 0 ? 1 : 2);
    support_succeed(vptr_memcpy(mapper, device, host, FAULT_BYTES));
    memset(host, 0, FAULT_BYTES);
    ck_assert_uint_eq(vptr__crew_helpers(), helpers);
    vptr__crew_fail_nth(1);
    support_succeed(vptr_memcpy(mapper, host, device, FAULT_BYTES));
    vptr__crew_fail_nth(0);
    support_must(has_pattern(host, FAULT_BYTES, helpers));
  }
  ck_assert(is_used(mapper));
  free(host);
  support_succeed(vptr_free(mapper, device));
  tear_down();
}
END_TEST

START_TEST(allocations_that_fail_are_told_or_done_without) {
  copy_with_all_faults(vptr__memory_fail_nth, 12);
}
END_TEST

/* ---- fork ----------------------------------------------------------------------------------------------- */

static void expect_end(pid_t child) {
  int state;
  ck_assert_int_eq(waitpid(child, &state, 0), child);
  ck_assert_msg(WIFEXITED(state) && WEXITSTATUS(state) == 0, "the child ended with 0x%x", state);
}

START_TEST(a_child_is_told_so_and_the_parent_goes_on) {
  unsigned char *device = allocate(mapper, 2 * MIB), *host = calloc(1, 2 * MIB);
  support_succeed(vptr_memcpy(mapper, device, host, 2 * MIB));
  pid_t child = fork();
  if (child == 0) {
    alarm(ALARM_SECONDS);
    _exit(vptr_memcpy(mapper, device, host, 2 * MIB) != VPTR_ERROR_FORKED ||
          vptr_trim(mapper, 0) != VPTR_ERROR_FORKED);
  }
  expect_end(child);
  write_pattern(host, 2 * MIB, 8);
  support_succeed(vptr_memcpy(mapper, device, host, 2 * MIB));
  memset(host, 0, 2 * MIB);
  support_succeed(vptr_memcpy(mapper, host, device, 2 * MIB));
  support_must(has_pattern(host, 2 * MIB, 8));
  free(host);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

static Suite *bulk_suite(void) {
  Suite *suite = suite_create("bulk");
  TCase *faults = tcase_create("faults"); /* first: threads are begun once in a process */
  tcase_add_test(faults, threads_that_the_system_does_not_give_are_done_without);
  tcase_add_test(faults, allocations_that_fail_are_told_or_done_without);
  tcase_add_test(faults, any_operation_may_fail);
  tcase_add_test(faults, any_command_may_fail);
  suite_add_tcase(suite, faults);
  TCase *cases = tcase_create("copies");
  tcase_add_checked_fixture(cases, set_up, tear_down);
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
  tcase_add_test(cases, a_child_is_told_so_and_the_parent_goes_on);
  suite_add_tcase(suite, cases);
  return suite;
}

int main(void) {
  return support_run(bulk_suite());
}
