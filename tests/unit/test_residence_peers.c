/* SPDX-License-Identifier: MIT */
/*
 * residence_peers - two mappers on one device, whose memory is not enough for either: they evict each other's, and take
 * what the other has idle. One of them ends while the other takes of it.
 */
#include "residences.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "device/fake.h"
#include "layer/faults.h"
#include "support/support.h"

enum { SIDES = 2 };

typedef struct side {
  vptr_mapper *mapper;
  unsigned char *many[MANY];
} side;

static side sides[SIDES];

/* The helpers of residences.h are about one mapper. */
static void look_at(int which) {
  residences_mapper = sides[which].mapper;
}

static int value_of(int which, int i) {
  return which * MANY + i;
}

static void fill_side(int which) {
  look_at(which);
  for (int i = 0; i < MANY; i++)
    residences_write(sides[which].many[i] = residences_allocate(), value_of(which, i));
}

static void expect_side(int which) {
  look_at(which);
  for (int i = 0; i < MANY; i++)
    residences_expect(sides[which].many[i], value_of(which, i));
  support_succeed(vptr_check(residences_mapper));
}

static void set_up(void) {
  setenv("VPTR_IDLE_BYTES", "4194304", 1);
  residences_begin(true);
  sides[0].mapper = residences_mapper;
  support_succeed(vptr_mapper_create(NULL, &sides[1].mapper));
}

static void free_side(int which) {
  look_at(which);
  for (int i = 0; i < MANY; i++)
    support_succeed(vptr_free(residences_mapper, sides[which].many[i]));
}

static void tear_down(void) {
  support_succeed(vptr_mapper_destroy(sides[1].mapper));
  look_at(0);
  unsetenv("VPTR_IDLE_BYTES");
  residences_end();
}

static size_t bytes_here(int which) {
  const vptr__heap_places places = vptr__heap_places_of(sides[which].mapper->heap);
  return places.movable + places.staying;
}

START_TEST(each_takes_the_others_memory) {
  for (int which = 0; which < SIDES; which++)
    fill_side(which);
  for (int round = 0; round < 3; round++)
    for (int which = 0; which < SIDES; which++)
      expect_side(which);
  ck_assert_uint_le(bytes_here(0) + bytes_here(1), (size_t)FIT * SIZE);
  for (int which = 0; which < SIDES; which++)
    free_side(which);
}
END_TEST

START_TEST(what_one_has_idle_serves_the_other) {
  fill_side(0);
  free_side(0);
  ck_assert_uint_eq(bytes_here(0), (size_t)FIT * SIZE);
  look_at(1);
  for (int i = 0; i < FIT; i++)
    residences_write(sides[1].many[i] = residences_allocate(), i);
  ck_assert_uint_eq(residences_away(), 0);
  for (int i = 0; i < FIT; i++)
    support_succeed(vptr_free(residences_mapper, sides[1].many[i]));
}
END_TEST

/* What the other has leased, or has told the program of, stays. */
START_TEST(what_the_other_holds_is_refused_with_the_bytes) {
  vptr_location location;
  void *one_more;
  fill_side(0);
  for (int i = 0; i < FIT; i++)
    support_succeed(vptr_resolve(sides[0].mapper, sides[0].many[i], 1, &location));
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_malloc(sides[1].mapper, SIZE, &one_more));
  look_at(0);
  for (int i = 0; i < FIT; i++)
    residences_expect(sides[0].many[i], i);
  free_side(0);
}
END_TEST

static residences_fail *const faults[] = { residences_fail_device, residences_fail_call, vptr__memory_fail_nth };
enum { FAULTS = sizeof faults / sizeof *faults, MOST = 300 };

START_TEST(every_call_may_fail_once) {
  int failed = 0;
  long n = 1;
  if (faults[_i] != vptr__memory_fail_nth && !faults_can())
    return;
  for (int which = 0; which < SIDES; which++)
    fill_side(which);
  for (int quiet = 0; n <= MOST && quiet < 25; n++) {
    expect_side(0);
    void *fresh = NULL;
    look_at(1);
    faults[_i](n);
    vptr_status status = vptr_malloc(residences_mapper, SIZE, &fresh);
    vptr_status copied = vptr_memcpy(residences_mapper, seen, sides[1].many[0], SIZE);
    faults[_i](0);
    if (status == VPTR_SUCCESS)
      support_succeed(vptr_free(residences_mapper, fresh));
    const bool has_failed = status != VPTR_SUCCESS || copied != VPTR_SUCCESS;
    quiet = has_failed || residences_has_fired(faults[_i]) ? 0 : quiet + 1;
    failed += has_failed;
    expect_side(1);
  }
  ck_assert_int_lt(n, MOST);
  ck_assert(failed > 0 || faults[_i] == vptr__memory_fail_nth);
  for (int which = 0; which < SIDES; which++)
    free_side(which);
}
END_TEST

/* ---- waiting for others --------------------------------------------------------------------------------- */

enum { A_WHILE_US = 300000 /* longer than an attempt to find room waits for others */ };

/* A third mapper, of which the program knows all buffers, so that none can be taken from it. */
typedef struct owner {
  vptr_mapper *mapper;
  void *fixed[FIT];
  vptr_status status;
} owner;

static owner take_all(void) {
  owner it = { 0 };
  vptr_location location;
  support_succeed(vptr_mapper_create(NULL, &it.mapper));
  for (int i = 0; i < FIT; i++) {
    support_succeed(vptr_malloc(it.mapper, SIZE, &it.fixed[i]));
    support_succeed(vptr_resolve(it.mapper, it.fixed[i], 1, &location));
  }
  return it;
}

static void *end_mapper(void *context) {
  owner *it = context;
  it->status = vptr_mapper_destroy(it->mapper);
  return NULL;
}

static void *free_all(void *context) {
  owner *it = context;
  for (int i = 0; i < FIT && it->status == VPTR_SUCCESS; i++)
    it->status = vptr_free(it->mapper, it->fixed[i]);
  if (it->status == VPTR_SUCCESS)
    it->status = vptr_trim(it->mapper, 0);
  return NULL;
}

static void *let_go_later(void *unused) {
  usleep(A_WHILE_US);
  residences_let_go();
  return unused;
}

static void *(*const givers[])(void *) = { end_mapper, free_all };
enum { GIVERS = sizeof givers / sizeof *givers };

/* Buffers that a thread is about to release are no allocation's any more, and take their room still. */
START_TEST(who_needs_room_waits_for_what_is_being_released) {
  pthread_t giving, later;
  fill_side(0);
  owner third = take_all();
  look_at(0);
  ck_assert_uint_eq(residences_away(), MANY);
  residences_mapper = third.mapper;
  residences_hold_up(STEP_RELEASE, false);
  ck_assert_int_eq(pthread_create(&giving, NULL, givers[_i], &third), 0);
  residences_await();
  ck_assert_int_eq(pthread_create(&later, NULL, let_go_later, NULL), 0);
  look_at(0);
  residences_expect(sides[0].many[0], value_of(0, 0));
  pthread_join(later, NULL);
  pthread_join(giving, NULL);
  support_succeed(third.status);
  if (givers[_i] == free_all) {
    residences_mapper = third.mapper;
    residences_undo();
    support_succeed(vptr_mapper_destroy(third.mapper));
  }
  expect_side(0);
  free_side(0);
}
END_TEST

static atomic_bool is_used;

static void *use_for_a_while(void *ptr) {
  vptr_location location;
  vptr__lease lease;
  support_succeed(vptr__lease_take(sides[0].mapper->heap, ptr, 1, &location, &lease));
  atomic_store(&is_used, true);
  usleep(A_WHILE_US);
  vptr__lease_give(&lease);
  return NULL;
}

/* All else stays, so there is no room before that work is sent. */
START_TEST(who_allocates_waits_for_what_another_thread_uses) {
  vptr_location location;
  pthread_t using;
  atomic_store(&is_used, false);
  look_at(0);
  for (int i = 0; i < FIT; i++)
    residences_write(sides[0].many[i] = residences_allocate(), i);
  for (int i = 1; i < FIT; i++)
    support_succeed(vptr_resolve(residences_mapper, sides[0].many[i], 1, &location));
  ck_assert_int_eq(pthread_create(&using, NULL, use_for_a_while, sides[0].many[0]), 0);
  while (!atomic_load(&is_used))
    usleep(100);
  void *mine = NULL;
  support_succeed(vptr_malloc(sides[_i].mapper, SIZE, &mine));
  pthread_join(using, NULL);
  support_succeed(vptr_free(sides[_i].mapper, mine));
  for (int i = 0; i < FIT; i++) {
    residences_expect(sides[0].many[i], i);
    support_succeed(vptr_free(residences_mapper, sides[0].many[i]));
  }
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 16 };

/* 1 where it failed, which is said while the thread's last error is this one's. */
static int count(const residences_worker *it, const char *call, vptr_status status) {
  if (status == VPTR_SUCCESS)
    return 0;
  fprintf(stderr, "thread %d: %s: %s\n", it->number, call, vptr_last_error());
  return 1;
}

/* Each has one byte in every allocation of both. Every fourth has a mapper of its own now and then. */
static int do_round(const residences_worker *it, uint64_t *random, unsigned char (*model)[MANY]) {
  const size_t which = support_below(random, SIDES), a = support_below(random, MANY), b = support_below(random, MANY);
  const side *of = &sides[which];
  unsigned char got = 0;
  int failures = 0;
  failures += count(it, "copy", vptr_memcpy(of->mapper, of->many[a] + it->number, of->many[b] + it->number, 1));
  model[which][a] = model[which][b];
  failures += count(it, "set", vptr_memset(of->mapper, of->many[b] + it->number, (int)a, 1));
  model[which][b] = (unsigned char)a;
  failures += count(it, "read", vptr_memcpy(of->mapper, &got, of->many[a] + it->number, 1));
  return failures + (got != model[which][a]);
}

static int use_a_third(const residences_worker *it) {
  vptr_mapper *third;
  void *ptr;
  int failures = count(it, "create", vptr_mapper_create(NULL, &third));
  if (failures > 0)
    return failures;
  failures += count(it, "malloc", vptr_malloc(third, SIZE, &ptr));
  return failures + count(it, "destroy", vptr_mapper_destroy(third));
}

static void *work(void *context) {
  residences_worker *it = context;
  uint64_t random = (uint64_t)it->number + 1;
  unsigned char model[SIDES][MANY];
  for (int which = 0; which < SIDES; which++)
    for (int i = 0; i < MANY; i++)
      model[which][i] = (unsigned char)(value_of(which, i) + it->number / 5);
  for (long round = 0; round < support_rounds(60); round++) {
    it->failures += do_round(it, &random, model);
    if (it->number % 4 == 0 && round % 16 == 0)
      it->failures += use_a_third(it);
  }
  return NULL;
}

START_TEST(threads_of_both_go_on) {
  for (int which = 0; which < SIDES; which++)
    fill_side(which);
  residences_run_threads(THREADS, work);
  for (int which = 0; which < SIDES; which++)
    free_side(which);
}
END_TEST

int main(void) {
  faults_begin();
  Suite *suite = suite_create("residence_peers");
  TCase *peers = tcase_create("peers");
  tcase_set_timeout(peers, 300);
  tcase_add_checked_fixture(peers, set_up, tear_down);
  tcase_add_test(peers, each_takes_the_others_memory);
  tcase_add_test(peers, what_one_has_idle_serves_the_other);
  tcase_add_test(peers, what_the_other_holds_is_refused_with_the_bytes);
  tcase_add_loop_test(peers, every_call_may_fail_once, 0, FAULTS);
  tcase_add_loop_test(peers, who_needs_room_waits_for_what_is_being_released, 0, GIVERS);
  tcase_add_loop_test(peers, who_allocates_waits_for_what_another_thread_uses, 0, SIDES);
  tcase_add_test(peers, threads_of_both_go_on);
  suite_add_tcase(suite, peers);
  return support_run(suite);
}
