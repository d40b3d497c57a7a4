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

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 16 };

/* Each has one byte in every allocation of both. Every fourth has a mapper of its own now and then. */
static int do_round(const residences_worker *it, uint64_t *random, unsigned char (*model)[MANY]) {
  const size_t which = support_below(random, SIDES), a = support_below(random, MANY), b = support_below(random, MANY);
  const side *of = &sides[which];
  unsigned char got = 0;
  int failures = 0;
  failures += vptr_memcpy(of->mapper, of->many[a] + it->number, of->many[b] + it->number, 1) != VPTR_SUCCESS;
  model[which][a] = model[which][b];
  failures += vptr_memset(of->mapper, of->many[b] + it->number, (int)a, 1) != VPTR_SUCCESS;
  model[which][b] = (unsigned char)a;
  failures += vptr_memcpy(of->mapper, &got, of->many[a] + it->number, 1) != VPTR_SUCCESS;
  return failures + (got != model[which][a]);
}

static int use_a_third(void) {
  vptr_mapper *third;
  void *ptr;
  int failures = vptr_mapper_create(NULL, &third) != VPTR_SUCCESS;
  if (failures > 0)
    return failures;
  failures += vptr_malloc(third, SIZE, &ptr) != VPTR_SUCCESS;
  return failures + (vptr_mapper_destroy(third) != VPTR_SUCCESS);
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
      it->failures += use_a_third();
  }
  if (it->failures > 0)
    fprintf(stderr, "thread %d: %d failures, at last: %s\n", it->number, it->failures, vptr_last_error());
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
  tcase_add_test(peers, threads_of_both_go_on);
  suite_add_tcase(suite, peers);
  return support_run(suite);
}
