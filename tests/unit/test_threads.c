/* SPDX-License-Identifier: MIT */
/*
 * threads - every call from any thread: eight of them allocate, free, copy and look up at once.
 *
 * Run under ThreadSanitizer this also shows that look-ups, which take no lock, race with nothing. Each thread
 * checks its own memory; addresses of other threads' memory are looked up while it comes and goes, and any
 * verdict is right then as long as it is one of the possible ones.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <vptr/vptr.h>

#include "support/support.h"

enum { THREADS = 8, BLOCKS = 64 };

typedef struct shared {
  vptr_mapper *mapper;
  _Atomic(char *) board[THREADS][BLOCKS]; /* what each thread has live, for the others to look at */
  atomic_int failures;
  int rounds;
} shared;

typedef struct worker {
  shared *shared;
  int number;
  uint64_t random;
} worker;

/* Check's assertions are for its own thread only. */
static void must(worker *worker, int condition) {
  if (!condition)
    atomic_fetch_add(&worker->shared->failures, 1);
}

static size_t some_size(worker *worker) {
  static const size_t largest[] = { 300, 5000, 200000, 600000 };
  return 1 + support_random(&worker->random) % largest[support_random(&worker->random) % 4];
}

static void replace_block(worker *worker, int i) {
  shared *shared = worker->shared;
  char *old = atomic_exchange(&shared->board[worker->number][i], NULL);
  if (old != NULL) {
    must(worker, vptr_free(shared->mapper, old) == VPTR_SUCCESS);
    return;
  }
  size_t size = some_size(worker);
  void *made = NULL;
  vptr_location location;
  must(worker, vptr_malloc(shared->mapper, size, &made) == VPTR_SUCCESS);
  must(worker, vptr_resolve(shared->mapper, (char *)made + size - 1, 1, &location) == VPTR_SUCCESS &&
                   location.base == made && location.size == size);
  unsigned char mark = (unsigned char)(worker->number + 1), seen = 0;
  must(worker, vptr_memset(shared->mapper, made, mark, size) == VPTR_SUCCESS);
  must(worker, vptr_memcpy(shared->mapper, &seen, (char *)made + size / 2, 1) == VPTR_SUCCESS && seen == mark);
  atomic_store(&shared->board[worker->number][i], made);
}

static void look_at_the_others(worker *worker) {
  shared *shared = worker->shared;
  uint64_t dice = support_random(&worker->random);
  char *theirs = atomic_load(&shared->board[dice % THREADS][dice / THREADS % BLOCKS]);
  if (theirs == NULL)
    return;
  vptr_location location;
  vptr_status status = vptr_resolve(shared->mapper, theirs, 1, &location);
  must(worker, status == VPTR_SUCCESS || status == VPTR_ERROR_FREED || status == VPTR_ERROR_PAST_END);
  if (status == VPTR_SUCCESS)
    must(worker, (char *)location.base <= theirs && theirs < (char *)location.base + location.size &&
                     location.buffer != NULL);
}

static void *work(void *context) {
  worker *worker = context;
  for (int round = 0; round < worker->shared->rounds; round++) {
    replace_block(worker, (int)(support_random(&worker->random) % BLOCKS));
    for (int i = 0; i < 16; i++)
      look_at_the_others(worker);
    if (round % 64 == 0)
      must(worker, vptr_check(worker->shared->mapper) == VPTR_SUCCESS);
    if (round % 128 == 0)
      must(worker, vptr_trim(worker->shared->mapper, 0) == VPTR_SUCCESS);
  }
  return NULL;
}

START_TEST(eight_threads_share_a_mapper) {
  static shared shared;
  worker workers[THREADS];
  pthread_t threads[THREADS];
  memset(&shared, 0, sizeof shared);
  shared.rounds = support_has_opencl() ? 200 : 1500;
  support_succeed(vptr_mapper_create(NULL, &shared.mapper));
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){ &shared, i, (uint64_t)i };
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(atomic_load(&shared.failures), 0);
  support_succeed(vptr_check(shared.mapper));
  support_succeed(vptr_mapper_destroy(shared.mapper));
}
END_TEST

static void *make_the_default_mapper(void *context) {
  shared *shared = context;
  void *ptr;
  if (vptr_malloc(NULL, 100, &ptr) != VPTR_SUCCESS || vptr_free(NULL, ptr) != VPTR_SUCCESS)
    atomic_fetch_add(&shared->failures, 1);
  return NULL;
}

START_TEST(threads_that_all_come_first_get_one_default_mapper) {
  static shared shared;
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, make_the_default_mapper, &shared), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(atomic_load(&shared.failures), 0);
  ck_assert_uint_eq(vptr_count(NULL), 0);
  vptr_stats stats = { .struct_size = sizeof stats };
  support_succeed(vptr_get_stats(NULL, &stats));
  ck_assert_uint_eq(stats.serial, THREADS);
}
END_TEST

static void *free_one(void *context) {
  shared *shared = context;
  char *mine = atomic_load(&shared->board[0][0]);
  if (vptr_free(shared->mapper, mine) == VPTR_SUCCESS)
    atomic_fetch_add(&shared->failures, 1); /* counts the successes here */
  return NULL;
}

START_TEST(of_two_threads_that_free_the_same_pointer_one_succeeds) {
  static shared shared;
  support_succeed(vptr_mapper_create(NULL, &shared.mapper));
  for (int round = 0; round < 300; round++) {
    void *ptr;
    pthread_t threads[2];
    support_succeed(vptr_malloc(shared.mapper, round % 2 ? 100 : 1 << 20, &ptr));
    atomic_store(&shared.board[0][0], ptr);
    atomic_store(&shared.failures, 0);
    for (int i = 0; i < 2; i++)
      ck_assert_int_eq(pthread_create(&threads[i], NULL, free_one, &shared), 0);
    for (int i = 0; i < 2; i++)
      pthread_join(threads[i], NULL);
    ck_assert_int_eq(atomic_load(&shared.failures), 1);
  }
  support_succeed(vptr_mapper_destroy(shared.mapper));
}
END_TEST

static Suite *threads_suite(void) {
  Suite *suite = suite_create("threads");
  TCase *threads = tcase_create("threads");
  tcase_add_test(threads, threads_that_all_come_first_get_one_default_mapper);
  tcase_add_test(threads, eight_threads_share_a_mapper);
  tcase_add_test(threads, of_two_threads_that_free_the_same_pointer_one_succeeds);
  suite_add_tcase(suite, threads);
  return suite;
}

int main(void) {
  return support_run(threads_suite());
}
