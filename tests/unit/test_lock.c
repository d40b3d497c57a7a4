/* SPDX-License-Identifier: MIT */
/* lock, and clock. The rank checks exist in debug builds only (--enable-debug); others say that they were left out. */
#include "support/support.h"

#include "base/clock.h"
#include "base/lock.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 10000 };

static vptr__lock counter_lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static long counter; /* counter_lock */

static void *count_up(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    vptr__lock_take(&counter_lock);
    counter++;
    vptr__lock_give(&counter_lock);
  }
  return NULL;
}

START_TEST(a_lock_admits_one_thread_at_a_time) {
  pthread_t threads[THREADS];
  counter = 0;
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, count_up, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(counter, THREADS * ROUNDS);
}
END_TEST

START_TEST(rising_ranks_are_taken_and_given_in_any_order) {
  vptr__lock locks[VPTR__RANK_LEAF + 1];
  for (int i = 0; i <= VPTR__RANK_LEAF; i++)
    vptr__lock_init(&locks[i], (vptr__rank)i);
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i <= VPTR__RANK_LEAF; i++)
      vptr__lock_take(&locks[i]);
    for (int i = 1; i <= VPTR__RANK_LEAF; i += 2)
      vptr__lock_give(&locks[i]);
    for (int i = 0; i <= VPTR__RANK_LEAF; i += 2)
      vptr__lock_give(&locks[i]);
  }
  for (int i = 0; i <= VPTR__RANK_LEAF; i++)
    vptr__lock_fini(&locks[i]);
}
END_TEST

static void *take_and_give(void *lock) {
  vptr__lock_take(lock);
  vptr__lock_give(lock);
  return NULL;
}

START_TEST(what_one_thread_holds_binds_no_other) {
  static vptr__lock inner = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
  static vptr__lock outer = VPTR__LOCK_INIT(VPTR__RANK_REGISTRY);
  pthread_t thread;
  vptr__lock_take(&inner);
  ck_assert_int_eq(pthread_create(&thread, NULL, take_and_give, &outer), 0);
  pthread_join(thread, NULL);
  vptr__lock_give(&inner);
}
END_TEST

#ifdef VPTR_DEBUG

static vptr__lock heap = VPTR__LOCK_INIT(VPTR__RANK_HEAP);
static vptr__lock other_heap = VPTR__LOCK_INIT(VPTR__RANK_HEAP);
static vptr__lock device = VPTR__LOCK_INIT(VPTR__RANK_DEVICE);

static void take_falling(void) {
  vptr__lock_take(&device);
  vptr__lock_take(&heap);
}

static void take_equal(void) {
  vptr__lock_take(&heap);
  vptr__lock_take(&other_heap);
}

static void take_again(void) {
  vptr__lock_take(&heap);
  vptr__lock_take(&heap);
}

static void give_unheld(void) {
  vptr__lock_take(&heap);
  vptr__lock_give(&device);
}

/* In a child, whose stderr is read: it must abort. */
static void read_abort(void (*mistake)(void), char *text, size_t size) {
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);
    mistake();
    _exit(0);
  }
  close(ends[1]);
  ssize_t got = read(ends[0], text, size - 1);
  text[got > 0 ? got : 0] = '\0';
  close(ends[0]);
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* And it must say why. */
static void expect_abort(void (*mistake)(void), const char *words) {
  char text[400];
  read_abort(mistake, text, sizeof text);
  ck_assert_msg(strstr(text, words) != NULL, "it said: %s", text);
}

static vptr__lock any;

static void take_any_twice(void) {
  vptr__lock_take(&any);
  vptr__lock_take(&any);
}

/* A rank without a name is told as (null), or the report ends the process before it is written. */
START_TEST(every_rank_has_a_name) {
  for (int rank = 0; rank <= VPTR__RANK_LEAF; rank++) {
    char words[400], head[100];
    vptr__lock_init(&any, (vptr__rank)rank);
    read_abort(take_any_twice, words, sizeof words);
    snprintf(head, sizeof head, "holds a lock of rank %d (", rank);
    const char *name = strstr(words, head);
    ck_assert_msg(name != NULL, "it said: %s", words);
    name += strlen(head);
    ck_assert_msg(*name >= 'a' && *name <= 'z', "it said: %s", words);
    vptr__lock_fini(&any);
  }
}
END_TEST

START_TEST(any_order_but_rising_aborts_with_words) {
  char falling[100], equal[100], unheld[100];
  snprintf(falling, sizeof falling, "holds a lock of rank %d (device) takes one of rank %d (heap)",
           (int)VPTR__RANK_DEVICE, (int)VPTR__RANK_HEAP);
  snprintf(equal, sizeof equal, "holds a lock of rank %d (heap) takes one of rank %d (heap)", (int)VPTR__RANK_HEAP,
           (int)VPTR__RANK_HEAP);
  snprintf(unheld, sizeof unheld, "gives a lock of rank %d (device) that it does not hold", (int)VPTR__RANK_DEVICE);
  expect_abort(take_falling, falling);
  expect_abort(take_equal, equal);
  expect_abort(take_again, "the same lock again");
  expect_abort(give_unheld, unheld);
}
END_TEST

#else

START_TEST(every_rank_has_a_name) {
  puts("left out: the names of ranks, which need --enable-debug");
}
END_TEST

START_TEST(any_order_but_rising_aborts_with_words) {
  puts("left out: rank checks, which need --enable-debug");
}
END_TEST

#endif

START_TEST(the_clock_moves_forward_in_nanoseconds) {
  uint64_t before = vptr__clock_ns();
  usleep(2000);
  uint64_t after = vptr__clock_ns();
  ck_assert_uint_ge(after - before, 2000000);
  ck_assert_uint_lt(after - before, UINT64_C(60000000000));
  for (int i = 0; i < 1000; i++, before = after) {
    after = vptr__clock_ns();
    ck_assert(i == 0 || after >= before);
  }
}
END_TEST

static Suite *lock_suite(void) {
  Suite *suite = suite_create("lock");
  TCase *tcase = tcase_create("lock");
  tcase_add_test(tcase, a_lock_admits_one_thread_at_a_time);
  tcase_add_test(tcase, rising_ranks_are_taken_and_given_in_any_order);
  tcase_add_test(tcase, what_one_thread_holds_binds_no_other);
  tcase_add_test(tcase, every_rank_has_a_name);
  tcase_add_test(tcase, any_order_but_rising_aborts_with_words);
  suite_add_tcase(suite, tcase);
  TCase *clock = tcase_create("clock");
  tcase_add_test(clock, the_clock_moves_forward_in_nanoseconds);
  suite_add_tcase(suite, clock);
  return suite;
}

int main(void) {
  return support_run(lock_suite());
}
