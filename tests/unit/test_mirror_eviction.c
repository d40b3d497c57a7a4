/* SPDX-License-Identifier: MIT */
/*
 * mirror_room - managed memory on a device that is full: who has to leave, who does not, and that no byte is lost.
 *
 * The fake device has memory for FIT mirrors and a little more. Its memory is all fake devices', as that of one device
 * is all its mappers'.
 */
#include "mirrors.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mirror/working_set.h"
#include "support/support.h"

enum { FIT = 4, MANY = 3 * FIT, SIZE = 64 << 12 };

static vptr__mirror *many[MANY];

static void begin(void) {
  char bytes[32];
  snprintf(bytes, sizeof bytes, "%d", FIT * SIZE + SIZE / 2);
  setenv("VPTR_FAKE_BYTES", bytes, 1);
  setenv("VPTR_IDLE_BYTES", bytes, 1);
  mirrors_begin();
  unsetenv("VPTR_IDLE_BYTES");
  unsetenv("VPTR_FAKE_BYTES");
}

static void setup(void) {
  begin();
  for (int i = 0; i < MANY; i++)
    support_succeed(vptr__mirror_create(mapper, SIZE, &many[i]));
}

static void teardown(void) {
  vptr__memory_fail_nth(0);
  for (int i = 0; i < MANY; i++)
    vptr__mirror_destroy(many[i]);
  mirrors_end();
}

static unsigned char *bytes_of(int which) {
  return vptr__mirror_host(many[which]);
}

static bool has_buffer(int which) {
  return vptr__mirror_buffer(many[which]) != NULL;
}

static vptr_status acquire(int which, vptr_access access) {
  return mirrors_acquire_all(many[which], access);
}

static void acquired(int which) {
  vptr__mirror_release(many[which], 0, NULL);
}

/* A kernel that sets a mirror's bytes. */
static void fill(int which, unsigned char byte) {
  vptr__device *device = mapper->device;
  support_succeed(acquire(which, VPTR_ACCESS_READ_WRITE));
  support_succeed(device->ops->transfer.fill(device, vptr__mirror_buffer(many[which]), 0, SIZE, &byte, 1));
  acquired(which);
}

static unsigned char byte_on_device(int which, size_t at) {
  unsigned char byte = 0;
  vptr__device *device = mapper->device;
  support_succeed(acquire(which, VPTR_ACCESS_READ));
  support_succeed(device->ops->transfer.read(device, vptr__mirror_buffer(many[which]), at, &byte, 1));
  acquired(which);
  return byte;
}

static uint64_t evictions(void) {
  uint64_t all = 0;
  for (int i = 0; i < MANY; i++) {
    vptr__mirror_counts counts;
    vptr__mirror_get_counts(many[i], &counts);
    all += counts.evictions;
  }
  return all;
}

static size_t bytes_used(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.bytes;
}

/* ---- who leaves ----------------------------------------------------------------------------------------- */

START_TEST(more_can_be_made_than_the_device_holds) {
  for (int i = 0; i < MANY; i++) {
    ck_assert(has_buffer(i) == (i < FIT));
    ck_assert(!vptr__mirror_is_one_address(many[i]));
    bytes_of(i)[7] = (unsigned char)i;
  }
  for (int i = 0; i < MANY; i++)
    ck_assert_uint_eq(byte_on_device(i, 7), i);
  ck_assert_uint_eq(evictions(), MANY - FIT);
}
END_TEST

START_TEST(kernels_in_turns_lose_nothing) {
  for (unsigned char round = 1; round <= 3; round++)
    for (int i = 0; i < MANY; i++)
      fill(i, (unsigned char)(round * MANY + i));
  for (int i = 0; i < MANY; i++)
    for (int at = 0; at < SIZE; at += 1000)
      support_must(bytes_of(i)[at] == 3 * MANY + i);
  for (int i = 0; i < MANY; i++)
    ck_assert_uint_eq(byte_on_device(i, SIZE - 1), 3 * MANY + i);
}
END_TEST

START_TEST(who_was_acquired_longest_ago_leaves_first) {
  for (int i = 0; i < FIT; i++)
    fill(i, 1);
  fill(0, 2);
  fill(FIT, 1);
  ck_assert(has_buffer(0) && !has_buffer(1) && has_buffer(2));
  fill(FIT + 1, 1);
  ck_assert(has_buffer(0) && !has_buffer(2) && has_buffer(3));
}
END_TEST

START_TEST(who_left_is_the_hosts_without_a_fault) {
  vptr__mirror_counts counts;
  for (int i = 0; i <= FIT; i++)
    fill(i, (unsigned char)(i + 1));
  ck_assert(!has_buffer(0));
  for (size_t at = 0; at < SIZE; at += page)
    ck_assert_uint_eq(bytes_of(0)[at]++, 1);
  vptr__mirror_get_counts(many[0], &counts);
  ck_assert_uint_eq(counts.faults, 0);
  ck_assert_uint_eq(counts.fetched, SIZE);
  ck_assert_uint_eq(counts.evictions, 1);
}
END_TEST

START_TEST(who_leaves_waits_for_its_work) {
  vptr__device *device = mapper->device;
  const unsigned char byte = 9;
  vptr__stream *stream;
  support_gate shut = { false, false };
  pthread_t opener;
  cl_command_queue queue;
  cl_event event;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__stream_host(stream, support_wait_at_gate, &shut));
  support_succeed(acquire(0, VPTR_ACCESS_READ_WRITE));
  support_succeed(vptr__stream_begin(stream, &queue));
  support_succeed(
      device->ops->transfer.enqueue_fill(device, queue, vptr__mirror_buffer(many[0]), 0, SIZE, &byte, 1, &event));
  vptr__mirror_release(many[0], vptr__stream_id(stream), event);
  vptr__stream_end(stream);
  device->ops->event.release(device, event);
  pthread_create(&opener, NULL, mirrors_open_later, &shut);
  for (int i = 1; i <= FIT; i++)
    fill(i, 1);
  ck_assert(!has_buffer(0));
  ck_assert(atomic_load(&shut.opened));
  ck_assert_uint_eq(bytes_of(0)[SIZE - 1], 9);
  pthread_join(opener, NULL);
  support_succeed(vptr__stream_destroy(stream));
}
END_TEST

START_TEST(who_is_on_acquisition_stays) {
  for (int i = 0; i < FIT; i++)
    support_succeed(acquire(i, VPTR_ACCESS_READ));
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, acquire(FIT, VPTR_ACCESS_READ));
  char held[32];
  snprintf(held, sizeof held, "%d", FIT * SIZE);
  ck_assert_msg(strstr(vptr_last_error(), held) != NULL, "%s", vptr_last_error());
  acquired(2);
  support_succeed(acquire(FIT, VPTR_ACCESS_READ));
  ck_assert(!has_buffer(2));
  acquired(FIT);
  for (int i = 0; i < FIT; i++)
    if (i != 2)
      acquired(i);
}
END_TEST

START_TEST(idle_memory_of_the_heap_goes_first) {
  void *memory;
  support_succeed(vptr_malloc(mapper, SIZE, &memory));
  support_succeed(vptr_free(mapper, memory));
  ck_assert_uint_eq(bytes_used(), FIT * SIZE);
  uint64_t before = evictions();
  fill(0, 1);
  ck_assert_uint_eq(evictions(), before);
  support_succeed(vptr_malloc(mapper, SIZE, &memory));
  support_succeed(vptr_free(mapper, memory));
  vptr__mirror_destroy(many[MANY - 1]);
  support_succeed(vptr__mirror_create(mapper, SIZE, &many[MANY - 1]));
  ck_assert(has_buffer(MANY - 1));
}
END_TEST

START_TEST(an_allocation_makes_managed_memory_leave) {
  void *memory[FIT], *more;
  for (int i = 0; i < FIT; i++)
    fill(i, (unsigned char)(i + 1));
  for (int i = 0; i < FIT; i++)
    support_succeed(vptr_malloc(mapper, SIZE, &memory[i]));
  ck_assert_uint_eq(evictions(), FIT);
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_malloc(mapper, SIZE, &more));
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, acquire(0, VPTR_ACCESS_READ));
  for (int i = 0; i < FIT; i++)
    ck_assert_uint_eq(bytes_of(i)[i], i + 1);
  support_succeed(vptr_free(mapper, memory[0]));
  ck_assert_uint_eq(byte_on_device(0, 0), 1);
  for (int i = 1; i < FIT; i++)
    support_succeed(vptr_free(mapper, memory[i]));
  support_succeed(vptr_check(mapper));
}
END_TEST

START_TEST(a_small_allocation_is_given_room_too) {
  void *memory, *rest;
  for (int i = 0; i < FIT; i++)
    fill(i, 1);
  support_succeed(vptr_malloc(mapper, SIZE / 2, &rest)); /* the little more */
  support_succeed(vptr_malloc(mapper, 100, &memory));
  ck_assert_uint_eq(evictions(), 1);
  support_succeed(vptr_free(mapper, memory));
  support_succeed(vptr_free(mapper, rest));
}
END_TEST

START_TEST(mappers_of_one_device_give_each_other_room) {
  vptr_mapper *second;
  vptr__mirror *theirs;
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 34;
  for (int i = 0; i < FIT; i++)
    fill(i, 3);
  support_succeed(vptr_mapper_create(&config, &second));
  support_succeed(vptr__mirror_create(second, SIZE, &theirs));
  support_succeed(vptr__mirror_acquire(theirs, second, 0, SIZE, VPTR_ACCESS_READ, NULL));
  vptr__mirror_release(theirs, 0, NULL);
  ck_assert_uint_eq(evictions(), 1);
  support_succeed(vptr__mirror_acquire(many[1], second, 0, SIZE, VPTR_ACCESS_READ, NULL)); /* which it left */
  acquired(1);
  fill(2, 4);
  fill(3, 4);
  support_succeed(vptr__mirrors_depart(second));
  ck_assert_uint_eq(byte_on_device(1, 0), 3);
  vptr__mirror_destroy(theirs);
  support_succeed(vptr_mapper_destroy(second));
}
END_TEST

/* ---- who waits ------------------------------------------------------------------------------------------ */

static void *fill_last(void *context) {
  (void)context;
  fill(FIT, 6);
  return NULL;
}

START_TEST(a_thread_without_acquired_waits_until_another_has_sent_its_work) {
  pthread_t waiter;
  for (int i = 0; i < FIT; i++)
    support_succeed(acquire(i, VPTR_ACCESS_READ));
  pthread_create(&waiter, NULL, fill_last, NULL);
  usleep(20000);
  ck_assert(!has_buffer(FIT));
  acquired(1);
  pthread_join(waiter, NULL);
  ck_assert_uint_eq(bytes_of(FIT)[0], 6);
  for (int i = 0; i < FIT; i++)
    if (i != 1)
      acquired(i);
}
END_TEST

static void *allocate(void *context) {
  void *memory;
  vptr_status *status = context;
  *status = vptr_malloc(mapper, SIZE, &memory);
  if (*status == VPTR_SUCCESS)
    support_succeed(vptr_free(mapper, memory));
  return NULL;
}

START_TEST(an_allocation_waits_a_moment_for_acquired) {
  pthread_t waiter;
  vptr_status status;
  for (int i = 0; i < FIT; i++)
    support_succeed(acquire(i, VPTR_ACCESS_READ));
  pthread_create(&waiter, NULL, allocate, &status);
  if (_i == 0) {
    usleep(10000);
    acquired(1);
  }
  pthread_join(waiter, NULL);
  ck_assert_int_eq(status, _i == 0 ? VPTR_SUCCESS : VPTR_ERROR_OUT_OF_DEVICE_MEMORY);
  for (int i = 0; i < FIT; i++)
    if (_i != 0 || i != 1)
      acquired(i);
}
END_TEST

static void *acquire_two(void *context) {
  vptr_status *status = context;
  support_succeed(acquire(FIT - 1, VPTR_ACCESS_READ));
  *status = acquire(FIT, VPTR_ACCESS_READ);
  if (*status == VPTR_SUCCESS)
    acquired(FIT);
  acquired(FIT - 1);
  return NULL;
}

START_TEST(a_thread_with_acquired_is_told_to_give_them_back) {
  pthread_t greedy;
  vptr_status status;
  for (int i = 0; i < FIT - 1; i++)
    support_succeed(acquire(i, VPTR_ACCESS_READ));
  pthread_create(&greedy, NULL, acquire_two, &status);
  pthread_join(greedy, NULL);
  ck_assert_int_eq(status, VPTR_ERROR_NOT_READY);
  for (int i = 0; i < FIT - 1; i++)
    acquired(i);
  pthread_create(&greedy, NULL, acquire_two, &status);
  pthread_join(greedy, NULL);
  ck_assert_int_eq(status, VPTR_SUCCESS);
}
END_TEST

/* Two mirrors, named in falling order. */
static void *take_two(void *context) {
  vptr__working_set_item items[] = {
    { .mirror = many[FIT], .size = SIZE, .access = VPTR_ACCESS_READ, .tag = 7 },
    { .mirror = many[FIT - 1], .size = SIZE, .access = VPTR_ACCESS_READ, .tag = 8 }
  };
  atomic_int *answer = context;
  if (vptr__mirror_host(items[0].mirror) < vptr__mirror_host(items[1].mirror)) {
    vptr__working_set_item first = items[0];
    items[0] = items[1];
    items[1] = first;
  }
  size_t last = items[0].tag;
  vptr_status status = vptr__working_set_acquire(mapper, items, 2);
  if (status == VPTR_SUCCESS) {
    bool is_right = items[1].tag == last && items[1].acquisition.buffer == vptr__mirror_buffer(items[1].mirror);
    vptr__working_set_release(items, 2, 0, NULL);
    status = is_right ? VPTR_SUCCESS : VPTR_ERROR_CORRUPT;
  }
  atomic_store(answer, (int)status);
  return NULL;
}

START_TEST(who_takes_several_waits_without_any) {
  pthread_t taker;
  atomic_int status = VPTR_ERROR_NOT_READY;
  for (int i = 0; i < FIT - 1; i++)
    support_succeed(acquire(i, VPTR_ACCESS_READ));
  pthread_create(&taker, NULL, take_two, &status);
  usleep(20000);
  ck_assert_int_eq(atomic_load(&status), VPTR_ERROR_NOT_READY);
  for (int i = 0; i < FIT - 1; i++)
    acquired(i);
  pthread_join(taker, NULL);
  ck_assert_int_eq(atomic_load(&status), VPTR_SUCCESS);
}
END_TEST

START_TEST(several_that_never_fit_are_refused_and_given_back) {
  vptr__working_set_item items[FIT + 1];
  for (size_t i = 0; i <= FIT; i++)
    items[i] = (vptr__working_set_item){ .mirror = many[i], .size = SIZE, .access = VPTR_ACCESS_READ };
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr__working_set_acquire(mapper, items, FIT + 1));
  support_succeed(vptr__working_set_acquire(mapper, items, FIT));
  vptr__working_set_release(items, FIT, 0, NULL);
  for (int i = 0; i < MANY; i++)
    fill(i, 1);
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

/* More steps than there are: so every one has failed once. */
START_TEST(no_step_that_fails_loses_a_byte) {
  enum { STEPS = 30 };
  for (long n = 1; n <= STEPS; n++) {
    for (int i = 0; i < FIT; i++)
      fill(i, (unsigned char)(n + i));
    bytes_of(FIT)[0] = (unsigned char)n; /* dirty */
    mirrors_fail_nth(_i, n);
    vptr_status status = acquire(FIT, VPTR_ACCESS_READ_WRITE);
    mirrors_fail_nth(_i, 0);
    if (status == VPTR_SUCCESS)
      acquired(FIT);
    ck_assert(status == VPTR_SUCCESS || vptr_last_error()[0] != '\0');
    ck_assert_uint_le(bytes_used(), mapper->device->memory_bytes);
    for (int i = 0; i < FIT; i++)
      ck_assert_uint_eq(bytes_of(i)[SIZE - 1], (unsigned char)(n + i));
    ck_assert_uint_eq(byte_on_device(FIT, 0), (unsigned char)n);
  }
}
END_TEST

START_TEST(an_allocation_that_fails_while_others_leave_loses_no_byte) {
  enum { STEPS = 30 };
  for (long n = 1; n <= STEPS; n++) {
    void *memory = NULL;
    for (int i = 0; i < FIT; i++)
      fill(i, (unsigned char)(n + i));
    mirrors_fail_nth(_i, n);
    vptr_status status = vptr_malloc(mapper, 2 * SIZE, &memory);
    mirrors_fail_nth(_i, 0);
    if (status == VPTR_SUCCESS)
      support_succeed(vptr_free(mapper, memory));
    for (int i = 0; i < FIT; i++)
      ck_assert_uint_eq(bytes_of(i)[SIZE - 1], (unsigned char)(n + i));
    support_succeed(vptr_check(mapper));
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror_room");
  TCase *tests = tcase_create("a full device");
  tcase_add_checked_fixture(tests, setup, teardown);
  if (!support_has_opencl()) {
    tcase_add_test(tests, more_can_be_made_than_the_device_holds);
    tcase_add_test(tests, kernels_in_turns_lose_nothing);
    tcase_add_test(tests, who_was_acquired_longest_ago_leaves_first);
    tcase_add_test(tests, who_left_is_the_hosts_without_a_fault);
    tcase_add_test(tests, who_leaves_waits_for_its_work);
    tcase_add_test(tests, who_is_on_acquisition_stays);
    tcase_add_test(tests, idle_memory_of_the_heap_goes_first);
    tcase_add_test(tests, an_allocation_makes_managed_memory_leave);
    tcase_add_test(tests, a_small_allocation_is_given_room_too);
    tcase_add_test(tests, mappers_of_one_device_give_each_other_room);
    tcase_add_test(tests, a_thread_without_acquired_waits_until_another_has_sent_its_work);
    tcase_add_loop_test(tests, an_allocation_waits_a_moment_for_acquired, 0, 2);
    tcase_add_test(tests, a_thread_with_acquired_is_told_to_give_them_back);
    tcase_add_test(tests, who_takes_several_waits_without_any);
    tcase_add_test(tests, several_that_never_fit_are_refused_and_given_back);
    tcase_add_loop_test(tests, no_step_that_fails_loses_a_byte, 0, 3);
    tcase_add_loop_test(tests, an_allocation_that_fails_while_others_leave_loses_no_byte, 0, 3);
  }
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
