/* SPDX-License-Identifier: MIT */
/*
 * usm_threads - unified shared memory from many threads: each allocates, fills, copies, asks and frees, its own memory
 * and what others left on a board. Under ThreadSanitizer this also shows that the questions, which take no lock, race
 * with nothing.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include <vptr/vptr_usm.h>

#include "support/support.h"

enum { THREADS = 4, PLACES = 16, ROUNDS = 200, HUNTS = 10000 };

static _Atomic(char *) board[PLACES]; /* what is live; whoever takes it off frees it */
static atomic_int failures;

/* Check's assertions are for its own thread only. */
static void must(int condition) {
  if (!condition)
    atomic_fetch_add(&failures, 1);
}

static size_t some_size(uint64_t *random) {
  static const size_t largest[] = { 200, 3000, 60000, 1500000 };
  uint64_t dice = support_random(random);
  return 1 + support_random(random) % largest[dice % 64 == 0 ? 3 : dice % 3];
}

/* One byte, at either end, goes there and back. */
static void use(char *ptr, size_t size, int value) {
  char seen[2] = { 0 };
  must(vptr_usm_memset(NULL, ptr, value, size) == VPTR_SUCCESS);
  must(vptr_usm_memcpy(NULL, &seen[0], ptr, 1) == VPTR_SUCCESS);
  must(vptr_usm_memcpy(NULL, &seen[1], ptr + size - 1, 1) == VPTR_SUCCESS);
  must(seen[0] == (char)value && seen[1] == (char)value);
}

static char *make(uint64_t *random) {
  vptr_usm_type kind = (vptr_usm_type)(VPTR_USM_DEVICE + support_random(random) % 3);
  size_t size = some_size(random);
  void *ptr = NULL;
  int device = -1;
  must(vptr_usm_alloc(NULL, kind, size, 0, &ptr) == VPTR_SUCCESS);
  must(vptr_usm_kind(NULL, (char *)ptr + size - 1) == kind);
  must(vptr_usm_device(NULL, ptr, &device) == VPTR_SUCCESS && device == 0);
  use(ptr, size, (int)(size % 251));
  return ptr;
}

static void *work(void *context) {
  uint64_t random = (uintptr_t)context;
  for (int round = 0; round < ROUNDS; round++) {
    int place = (int)(support_random(&random) % PLACES);
    char *old = atomic_exchange(&board[place], NULL);
    if (old == NULL)
      old = atomic_exchange(&board[place], make(&random));
    must(vptr_usm_free(NULL, old) == VPTR_SUCCESS);
    must(vptr_usm_kind(NULL, atomic_load(&board[support_random(&random) % PLACES])) <= VPTR_USM_SHARED);
  }
  return NULL;
}

/* Each piece is freed by exactly one of the threads, which all try at once. */
static atomic_int turn;        /* rounds that have begun; threads run after it, since one that sleeps comes late */
static pthread_barrier_t gate; /* a round is over */
static _Atomic(char *) prey;
static atomic_int freed;

static void *hunt(void *context) {
  (void)context;
  for (int round = 0; round < HUNTS; round++) {
    while (atomic_load(&turn) <= round)
      sched_yield();
    vptr_status status = vptr_usm_free(NULL, atomic_load(&prey));
    atomic_fetch_add(&freed, status == VPTR_SUCCESS);
    must(status == VPTR_SUCCESS || status == VPTR_ERROR_FREED);
    pthread_barrier_wait(&gate);
  }
  return NULL;
}

static void start(pthread_t threads[THREADS], void *(*function)(void *)) {
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, function, (void *)(uintptr_t)(i + 1)), 0);
}

static void end(const pthread_t threads[THREADS]) {
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(atomic_load(&failures), 0);
}

START_TEST(many_threads_share_a_board) {
  pthread_t threads[THREADS];
  start(threads, work);
  end(threads);
  for (int i = 0; i < PLACES; i++)
    support_succeed(vptr_usm_free(NULL, atomic_load(&board[i])));
  ck_assert_uint_eq(vptr_count(NULL), 0);
  support_succeed(vptr_check(NULL));
}
END_TEST

START_TEST(one_of_many_frees) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&gate, NULL, THREADS + 1);
  start(threads, hunt);
  for (int round = 0; round < HUNTS; round++) {
    void *ptr = NULL;
    must(vptr_usm_alloc(NULL, (vptr_usm_type)(VPTR_USM_DEVICE + round % 3), 5000, 0, &ptr) == VPTR_SUCCESS);
    atomic_store(&prey, ptr);
    atomic_store(&freed, 0);
    atomic_fetch_add(&turn, 1);
    pthread_barrier_wait(&gate);
    must(atomic_load(&freed) == (ptr != NULL ? 1 : THREADS));
  }
  end(threads);
  pthread_barrier_destroy(&gate);
}
END_TEST

static Suite *threads_suite(void) {
  Suite *suite = suite_create("usm_threads");
  TCase *threads = tcase_create("threads");
  tcase_add_test(threads, many_threads_share_a_board);
  tcase_add_test(threads, one_of_many_frees);
  suite_add_tcase(suite, threads);
  return suite;
}

int main(void) {
  return support_run(threads_suite());
}
