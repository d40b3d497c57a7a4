/* SPDX-License-Identifier: MIT */
/*
 * pinned_threads - pinned memory from many threads: each allocates, looks up, acquires and frees, its own memory and
 * what others hand over; threads come and go, and some free from a destructor that runs when their caches may be gone.
 *
 * Under ThreadSanitizer this also shows that look-ups, which take no lock, race with nothing.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "pinned/pinned.h"
#include "pinned/region.h"
#include "support/support.h"

enum { THREADS = 8, PLACES = 64, ROUNDS = 1500 };

static vptr_mapper *mapper;
static _Atomic(char *) board[PLACES]; /* what is live; whoever takes it off frees it */
static atomic_int failures;

/* Check's assertions are for its own thread only. */
static void must(int condition) {
  if (!condition)
    atomic_fetch_add(&failures, 1);
}

static size_t some_size(uint64_t *random) {
  static const size_t largest[] = { 200, 3000, 60000, 2000000 };
  uint64_t dice = support_random(random);
  return 1 + support_random(random) % largest[dice % 64 == 0 ? 3 : dice % 3];
}

static char *make(uint64_t *random) {
  size_t size = some_size(random);
  void *host = NULL;
  must(vptr__pinned_allocate(mapper, size, 3, &host) == VPTR_SUCCESS);
  vptr__pinned_place place = vptr__pinned_find((char *)host + size - 1);
  must(place.kind == VPTR__PINNED_OURS && place.base == host && place.size == size && place.flags == 3);
  ((char *)host)[0] = ((char *)host)[size - 1] = 1;
  if (size % 8 == 0)
    must(vptr__pinned_acquire(NULL, host, size));
  return host;
}

static void look_at(const char *host) {
  vptr__pinned_place place = vptr__pinned_find(host);
  must(place.kind == VPTR__PINNED_NONE || place.size > 0);
}

static void *work(void *context) {
  uint64_t random = (uintptr_t)context;
  for (int round = 0; round < ROUNDS; round++) {
    int place = (int)(support_random(&random) % PLACES);
    char *old = atomic_exchange(&board[place], NULL);
    if (old != NULL)
      must(vptr__pinned_free(old) == VPTR_SUCCESS);
    else if ((old = atomic_exchange(&board[place], make(&random))) != NULL)
      must(vptr__pinned_free(old) == VPTR_SUCCESS);
    look_at(atomic_load(&board[support_random(&random) % PLACES]));
    if (round % 256 == 0)
      vptr__pinned_trim(mapper, 0);
  }
  return NULL;
}

static void run(void *(*function)(void *), int count) {
  pthread_t threads[THREADS];
  for (int i = 0; i < count; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, function, (void *)(uintptr_t)(i + 1)), 0);
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(atomic_load(&failures), 0);
}

static void empty_the_board(void) {
  for (int i = 0; i < PLACES; i++) {
    char *left = atomic_exchange(&board[i], NULL);
    if (left != NULL)
      support_succeed(vptr__pinned_free(left));
  }
}

START_TEST(threads_allocate_and_free_each_others_memory) {
  run(work, THREADS);
  empty_the_board();
}
END_TEST

static void *allocate_one(void *context) {
  uint64_t random = (uintptr_t)context;
  char *old = atomic_exchange(&board[0], make(&random));
  if (old != NULL)
    must(vptr__pinned_free(old) == VPTR_SUCCESS);
  return NULL;
}

START_TEST(threads_come_and_go) {
  for (int round = 0; round < 100; round++)
    run(allocate_one, 2);
  empty_the_board();
}
END_TEST

/* Destructors of thread storage run in rounds, so one that sets its value again runs after those of the library too. */
static pthread_key_t late_key;
static atomic_int late_calls;

static void late(void *held) {
  void *again = NULL;
  must(vptr__pinned_free(held) == VPTR_SUCCESS);
  must(vptr__pinned_allocate(mapper, 500, 0, &again) == VPTR_SUCCESS);
  must(vptr__pinned_find(again).base == again);
  memset(again, 1, 500);
  if (atomic_fetch_add(&late_calls, 1) % 3 < 2)
    pthread_setspecific(late_key, again);
  else
    must(vptr__pinned_free(again) == VPTR_SUCCESS);
}

static void *leave_late(void *context) {
  void *held = NULL;
  (void)context;
  must(vptr__pinned_allocate(mapper, 500, 0, &held) == VPTR_SUCCESS);
  pthread_setspecific(late_key, held);
  return NULL;
}

START_TEST(memory_is_freed_and_allocated_while_a_thread_ends) {
  ck_assert_int_eq(pthread_key_create(&late_key, late), 0);
  for (int round = 0; round < 50; round++)
    run(leave_late, 1);
  ck_assert_int_eq(atomic_load(&late_calls), 150);
  pthread_key_delete(late_key);
}
END_TEST

static atomic_int successes;

static void *free_the_same(void *context) {
  (void)context;
  if (vptr__pinned_free(atomic_load(&board[0])) == VPTR_SUCCESS)
    atomic_fetch_add(&successes, 1);
  return NULL;
}

enum { MEDIUM = 100000, BEHIND_ALL = 4 /* rounds of destructors: jemalloc's own is over by then */ };

static int late_rounds;

/* jemalloc has ordinary memory for such a thread, which is refused. */
static void take_behind_all(void *context) {
  void *host = NULL;
  if (++late_rounds < BEHIND_ALL) {
    pthread_setspecific(late_key, context);
    return;
  }
  must(vptr__pinned_allocate(mapper, MEDIUM, 0, &host) == VPTR_SUCCESS);
  must(vptr__pinned_free(host) == VPTR_SUCCESS);
}

static void *leave_behind_all(void *context) {
  void *host = NULL;
  must(vptr__pinned_allocate(mapper, 5000, 0, &host) == VPTR_SUCCESS);
  must(vptr__pinned_free(host) == VPTR_SUCCESS);
  pthread_setspecific(late_key, &late_rounds);
  return context;
}

/* A thread sanitizer has ended with the thread by then. */
START_TEST(what_an_ending_thread_was_refused_is_not_kept_for_others) {
  void *kept, *next;
  if (SUPPORT_WATCHES_THREADS)
    return;
  ck_assert_int_eq(pthread_key_create(&late_key, take_behind_all), 0);
  support_succeed(vptr__pinned_allocate(mapper, MEDIUM, 0, &kept)); /* so that nothing is at hand for the thread */
  run(leave_behind_all, 1);
  ck_assert_int_eq(late_rounds, BEHIND_ALL);
  support_succeed(vptr__pinned_allocate(mapper, MEDIUM, 0, &next));
  ck_assert_int_eq(vptr__region_of(next)->kind, VPTR__REGION_BLOCKS);
  support_succeed(vptr__pinned_free(next));
  support_succeed(vptr__pinned_free(kept));
  pthread_key_delete(late_key);
}
END_TEST

START_TEST(of_threads_that_free_the_same_memory_one_succeeds) {
  for (int round = 0; round < 200; round++) {
    void *host;
    support_succeed(vptr__pinned_allocate(mapper, round % 2 ? 100 : 2000000, 0, &host));
    atomic_store(&board[0], host);
    atomic_store(&successes, 0);
    run(free_the_same, 3);
    ck_assert_int_eq(atomic_load(&successes), 1);
  }
  atomic_store(&board[0], NULL);
}
END_TEST

static void *register_own(void *context) {
  uint64_t random = (uintptr_t)context;
  char *pages = mmap(NULL, 16 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int round = 0; round < 300; round++) {
    char *from = pages + support_random(&random) % 4096;
    size_t size = 1 + support_random(&random) % (12 * 4096);
    must(vptr__pinned_register(mapper, from, size, 0) == VPTR_SUCCESS);
    must(vptr__pinned_find(from + size - 1).base == from);
    must(vptr__pinned_unregister(from) == VPTR_SUCCESS);
    must(vptr__pinned_find(from).kind == VPTR__PINNED_NONE);
  }
  munmap(pages, 16 * 4096);
  return NULL;
}

START_TEST(threads_register_beside_each_other) {
  run(register_own, 4);
}
END_TEST

/* Two pieces with one record and one guess by turns, between two that stay: nobody may take the one for the other, and
 * what lies between is never anybody's. */
enum { PIECE = 4096, STAY = 8 * PIECE };
static char *among;
static atomic_bool moved_enough;

static void *move_about(void *context) {
  for (int round = 0; round < 4000; round++) {
    char *from = among + (round % 2 != 0 ? 3 : 5) * PIECE;
    size_t size = round % 2 != 0 ? PIECE : 2 * PIECE;
    must(vptr__pinned_register(mapper, from, size, 0) == VPTR_SUCCESS);
    must(vptr__pinned_find(from + size - 1).base == from);
    must(vptr__pinned_unregister(from) == VPTR_SUCCESS);
  }
  atomic_store(&moved_enough, true);
  return context;
}

static void *watch_the_rest(void *context) {
  while (!atomic_load(&moved_enough)) {
    must(vptr__pinned_find(among + PIECE / 2).base == among);
    must(vptr__pinned_find(among + STAY).base == among + STAY);
    must(vptr__pinned_find(among + 4 * PIECE).kind == VPTR__PINNED_NONE);
    must(vptr__pinned_find(among + 7 * PIECE).kind == VPTR__PINNED_NONE);
  }
  return context;
}

static void *move_or_watch(void *context) {
  return context == (void *)1 ? move_about(context) : watch_the_rest(context);
}

START_TEST(what_stays_is_known_beside_what_moves) {
  among = mmap(NULL, STAY + PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  support_succeed(vptr__pinned_register(mapper, among, PIECE, 0));
  support_succeed(vptr__pinned_register(mapper, among + STAY, PIECE, 0));
  run(move_or_watch, 3);
  support_succeed(vptr__pinned_unregister(among));
  support_succeed(vptr__pinned_unregister(among + STAY));
  munmap(among, STAY + PIECE);
}
END_TEST

/* Halfway into another life, a record seems to have its neighbour's place. */
START_TEST(a_region_that_is_being_changed_is_no_answer) {
  enum { MIB = 1 << 20 };
  char *pages = mmap(NULL, 2 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *first = (char *)(((uintptr_t)pages + MIB - 1) & ~(uintptr_t)(MIB - 1)), *second = first + 2 * PIECE;
  support_succeed(vptr__pinned_register(mapper, first, PIECE, 0));
  vptr__region *neighbour = vptr__region_of(first);
  support_succeed(vptr__pinned_register(mapper, second, PIECE, 0));
  vptr__region *changed = vptr__region_of(second); /* the latest in this MiB: what is guessed */
  ck_assert_ptr_ne(changed, neighbour);
  atomic_fetch_add(&changed->life, 1);
  atomic_store(&changed->base, (uintptr_t)first);
  ck_assert_ptr_eq(vptr__region_of(first), neighbour);
  atomic_store(&changed->base, (uintptr_t)second);
  atomic_fetch_add(&changed->life, 1);
  ck_assert_ptr_eq(vptr__region_of(second), changed);
  support_succeed(vptr__pinned_unregister(first));
  support_succeed(vptr__pinned_unregister(second));
  munmap(pages, 2 * MIB);
}
END_TEST

static void open_mapper(void) {
  support_succeed(vptr__mapper_for_device(0, &mapper));
}

static Suite *threads_suite(void) {
  Suite *suite = suite_create("pinned_threads");
  TCase *threads = tcase_create("threads");
  tcase_add_checked_fixture(threads, open_mapper, NULL);
  tcase_add_test(threads, threads_allocate_and_free_each_others_memory);
  tcase_add_test(threads, threads_come_and_go);
  tcase_add_test(threads, memory_is_freed_and_allocated_while_a_thread_ends);
  tcase_add_test(threads, what_an_ending_thread_was_refused_is_not_kept_for_others);
  tcase_add_test(threads, of_threads_that_free_the_same_memory_one_succeeds);
  tcase_add_test(threads, threads_register_beside_each_other);
  tcase_add_test(threads, what_stays_is_known_beside_what_moves);
  tcase_add_test(threads, a_region_that_is_being_changed_is_no_answer);
  suite_add_tcase(suite, threads);
  return suite;
}

int main(void) {
  return support_run(threads_suite());
}
