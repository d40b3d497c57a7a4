/* SPDX-License-Identifier: MIT */
/*
 * pool_birth - whoever finds a mapper's pools finds the default one to be a pool, while another thread makes them.
 *
 * To be a pool is to be in a list, which a lock guards. The list is long here, and a third thread looks through it all
 * the time, so that whoever enters a pool waits for the lock.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "mapper/mapper.h"
#include "pool/pool_allocator.h"
#include "support/support.h"

enum { ROUNDS = 2000, LISTED = 2000 };

static vptr_mapper *with_many, *fresh;
static atomic_bool is_over;
static atomic_int failures;

static vptr_mapper *open_mapper(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *mapper;
  config.reserve_size = (size_t)1 << 30;
  support_succeed(vptr_mapper_create(&config, &mapper));
  return mapper;
}

static void setup(void) {
  with_many = open_mapper();
  for (int i = 0; i < LISTED; i++) {
    vptr__pool *pool;
    support_succeed(vptr__pool_create(with_many, 0, &pool));
  }
}

static void teardown(void) {
  support_succeed(vptr_mapper_destroy(with_many));
}

/* Threads that spin let others run: under valgrind one thread runs at a time. */
static void *look_through(void *unused) {
  for (; !atomic_load(&is_over); sched_yield())
    if (vptr__pool_is_live(&failures))
      atomic_fetch_add(&failures, 1);
  return unused;
}

static void *find_default(void *unused) {
  vptr__pool_allocator *allocator;
  while ((allocator = vptr__pool_allocator_if_any(fresh)) == NULL)
    sched_yield();
  if (!vptr__pool_is_live(allocator->standard))
    atomic_fetch_add(&failures, 1);
  return unused;
}

static void make_default(void) {
  pthread_t finder;
  vptr__pool *pool;
  fresh = open_mapper();
  ck_assert_int_eq(pthread_create(&finder, NULL, find_default, NULL), 0);
  support_succeed(vptr__pool_default(fresh, &pool));
  support_must(vptr__pool_is_live(pool));
  pthread_join(finder, NULL);
  support_succeed(vptr_mapper_destroy(fresh));
  support_must(!vptr__pool_is_live(pool));
}

START_TEST(the_default_pool_is_one_from_the_first_moment) {
  pthread_t looker;
  ck_assert_int_eq(pthread_create(&looker, NULL, look_through, NULL), 0);
  for (long round = support_rounds(ROUNDS); round > 0; round--)
    make_default();
  atomic_store(&is_over, true);
  pthread_join(looker, NULL);
  ck_assert_int_eq(atomic_load(&failures), 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("pool_birth");
  TCase *tests = tcase_create("two threads");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, the_default_pool_is_one_from_the_first_moment);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
