/* SPDX-License-Identifier: MIT */
/*
 * magazine - allocations and frees that take no lock are as exact as those that do.
 *
 * A thread has a magazine after some visits of the heap, so each test begins with more pairs than that. Under
 * ThreadSanitizer the tests with several threads show that what is stopped has stopped.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/barrier.h"
#include "base/memory.h"
#include "device/fake.h"
#include "heap/state.h"
#include "mapper/mapper.h"
#include "support/support.h"

enum { VISITS = 64, SMALL = 200, BIG_SLAB = 100000 /* allocations that need slabs which are not kept */ };

static vptr_mapper *mapper;
static vptr__heap *heap;

static void *allocate(size_t size) {
  void *ptr;
  support_succeed(vptr_malloc(mapper, size, &ptr));
  return ptr;
}

static void visit(void) {
  for (int i = 0; i < VISITS; i++)
    support_succeed(vptr_free(mapper, allocate(SMALL)));
}

static void set_up(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
  heap = mapper->heap;
  visit();
  ck_assert_uint_eq(heap->magazines.count, 1);
}

static void tear_down(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static vptr_stats stats(void) {
  vptr_stats stats = { .struct_size = sizeof stats };
  support_succeed(vptr_get_stats(mapper, &stats));
  return stats;
}

static uint64_t serial_of(const void *ptr) {
  vptr_location location;
  support_succeed(vptr_resolve(mapper, ptr, 1, &location));
  return location.serial;
}

/* ---- one thread ------------------------------------------------------------------------------------------ */

START_TEST(what_is_live_is_counted) {
  void *kept[100];
  for (int i = 0; i < 100; i++)
    kept[i] = allocate((size_t)i + 1);
  ck_assert_uint_eq(vptr_count(mapper), 100);
  ck_assert_uint_eq(stats().live_bytes, 5050);
  for (int i = 0; i < 100; i += 2)
    support_succeed(vptr_free(mapper, kept[i]));
  ck_assert_uint_eq(vptr_count(mapper), 50);
  ck_assert_uint_eq(stats().live_bytes, 2550);
  support_succeed(vptr_check(mapper));
}
END_TEST

START_TEST(numbers_have_no_gap) {
  uint64_t last = stats().serial;
  for (int i = 0; i < 2000; i++) {
    void *ptr = allocate(i % 7 == 0 ? (size_t)1 << 20 : (size_t)(i % 5) * 900 + 1);
    ck_assert_uint_eq(serial_of(ptr), ++last);
    if (i % 13 == 0)
      ck_assert_uint_eq(stats().serial, last);
    if (i % 3 != 0)
      support_succeed(vptr_free(mapper, ptr));
  }
}
END_TEST

START_TEST(what_was_never_issued_is_not_ours) {
  enum { OTHER = 3000 };
  vptr_location location;
  char *first = allocate(OTHER); /* and some at hand behind it */
  char *next = first + vptr__class_slot_size(vptr__class_of(OTHER, heap->granule_shift), heap->granule_shift);
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_resolve(mapper, next, 1, &location));
  support_succeed(vptr_free(mapper, first));
  support_succeed(vptr_trim(mapper, 0));
  support_expect(VPTR_ERROR_FREED, vptr_resolve(mapper, first, 1, &location));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_resolve(mapper, next, 1, &location));
}
END_TEST

START_TEST(wrong_frees_are_refused) {
  char *ptr = allocate(SMALL);
  support_expect(VPTR_ERROR_INTERIOR, vptr_free(mapper, ptr + 1));
  support_expect(VPTR_ERROR_INTERIOR, vptr_free(mapper, ptr + SMALL - 1));
  support_succeed(vptr_free(mapper, ptr));
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, ptr));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_free(mapper, &ptr));
  ck_assert_uint_eq(vptr_count(mapper), 0);
}
END_TEST

START_TEST(what_is_mapped_is_not_freed) {
  void *ptr = allocate(SMALL), *host;
  support_succeed(vptr_map(mapper, ptr, SMALL, VPTR_ACCESS_READ_WRITE, &host));
  support_expect(VPTR_ERROR_MAPPED, vptr_free(mapper, ptr));
  ck_assert_uint_eq(vptr_count(mapper), 1);
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_unmap(mapper, host));
  support_succeed(vptr_free(mapper, ptr));
}
END_TEST

START_TEST(a_sub_buffer_goes_with_its_allocation) {
  void *ptr = allocate(SMALL);
  ck_assert_ptr_nonnull(vptr_get_buffer(mapper, ptr));
  ck_assert(vptr__tree_find_ge(&heap->derived, 0, &(uint64_t){ 0 }, NULL));
  support_succeed(vptr_free(mapper, ptr));
  ck_assert(!vptr__tree_find_ge(&heap->derived, 0, &(uint64_t){ 0 }, NULL));
}
END_TEST

/* Slots at hand must not keep large slabs, nor small ones once somebody asks. */
START_TEST(memory_follows) {
  void **all = vptr__memory_calloc(BIG_SLAB, sizeof *all);
  for (int i = 0; i < BIG_SLAB; i++)
    all[i] = allocate(SMALL);
  size_t most = stats().buffer_bytes - stats().idle_bytes;
  for (int i = 0; i < BIG_SLAB; i++)
    support_succeed(vptr_free(mapper, all[i]));
  ck_assert_uint_lt((stats().buffer_bytes - stats().idle_bytes) * 20, most);
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_uint_eq(stats().buffer_bytes, 0);
  vptr__memory_free(all);
}
END_TEST

START_TEST(a_magazine_that_cannot_be_had_is_done_without) {
  vptr_mapper *other;
  support_succeed(vptr_mapper_create(NULL, &other));
  for (int i = 0; i < VISITS; i++) {
    void *ptr;
    support_succeed(vptr_malloc(other, SMALL, &ptr));
    vptr__memory_fail_nth(1);
    support_succeed(vptr_free(other, ptr)); /* needs no memory but that */
    vptr__memory_fail_nth(0);
  }
  support_succeed(vptr_check(other));
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

/* More than a thread has room for; and some end while it has their magazine. */
START_TEST(a_thread_goes_from_heap_to_heap) {
  enum { MAPPERS = 7 };
  vptr_mapper *mappers[MAPPERS];
  const vptr_config config = { .struct_size = sizeof config, .reserve_size = (size_t)1 << 36 };
  for (int i = 0; i < MAPPERS; i++)
    support_succeed(vptr_mapper_create(&config, &mappers[i]));
  for (int i = 0; i < MAPPERS * VISITS; i++) {
    void *ptr;
    support_succeed(vptr_malloc(mappers[i / 40 % MAPPERS], SMALL, &ptr));
    support_succeed(vptr_free(mappers[i / 40 % MAPPERS], ptr));
  }
  for (int i = 0; i < MAPPERS; i++) {
    ck_assert_uint_eq(vptr_count(mappers[i]), 0);
    support_succeed(vptr_check(mappers[i]));
    support_succeed(vptr_mapper_destroy(mappers[i]));
    visit();
  }
}
END_TEST

/* ---- several threads ------------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 3000 };

/* Where something did not hold in one of the threads, which cannot end a test: the main one asks when they are gone. */
static atomic_int broken_line;

#define MUST(condition) ((condition) ? (void)0 : atomic_store(&broken_line, __LINE__))

static void *allocate_there(size_t size) {
  void *ptr = NULL;
  MUST(vptr_malloc(mapper, size, &ptr) == VPTR_SUCCESS);
  return ptr;
}

static void visit_there(void) {
  for (int i = 0; i < VISITS; i++)
    MUST(vptr_free(mapper, allocate_there(SMALL)) == VPTR_SUCCESS);
}

static void run_threads(void *(*run)(void *)) {
  pthread_t threads[THREADS];
  atomic_store(&broken_line, 0);
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, run, (void *)i), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(atomic_load(&broken_line), 0);
}

static void *_Atomic shared;
static atomic_int arrived, freed;

/* So that all come at once. */
static void meet(int round) {
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < (round + 1) * THREADS)
    sched_yield();
}

static void *free_the_same(void *thread) {
  visit_there();
  for (int i = 0; i < ROUNDS / 10; i++) {
    if ((uintptr_t)thread == 0)
      atomic_store(&shared, allocate_there(SMALL));
    meet(2 * i);
    vptr_status status = vptr_free(mapper, atomic_load(&shared));
    MUST(status == VPTR_SUCCESS || status == VPTR_ERROR_FREED);
    atomic_fetch_add(&freed, status == VPTR_SUCCESS);
    meet(2 * i + 1);
  }
  return NULL;
}

START_TEST(of_frees_at_once_one_succeeds) {
  atomic_store(&arrived, 0);
  atomic_store(&freed, 0);
  run_threads(free_the_same);
  ck_assert_int_eq(freed, ROUNDS / 10);
  ck_assert_uint_eq(vptr_count(mapper), 0);
}
END_TEST

/* Each answer is one or the other's: mapped memory is not freed, and freed memory not mapped. */
static void *map_or_free(void *thread) {
  visit_there();
  for (int i = 0; i < ROUNDS / 10; i++) {
    void *host = NULL;
    if ((uintptr_t)thread == 0)
      atomic_store(&shared, allocate_there(SMALL));
    meet(2 * i);
    void *ptr = atomic_load(&shared);
    if ((uintptr_t)thread % 2 == 0) {
      atomic_fetch_add(&freed, vptr_free(mapper, ptr) == VPTR_SUCCESS);
    } else if (vptr_map(mapper, ptr, SMALL, VPTR_ACCESS_READ, &host) == VPTR_SUCCESS) {
      MUST(vptr_free(mapper, ptr) == VPTR_ERROR_MAPPED);
      MUST(vptr_unmap(mapper, host) == VPTR_SUCCESS);
    }
    meet(2 * i + 1);
    if ((uintptr_t)thread == 0 && vptr_free(mapper, ptr) == VPTR_SUCCESS)
      atomic_fetch_add(&freed, 1);
  }
  return NULL;
}

START_TEST(what_is_mapped_is_not_freed_by_others) {
  atomic_store(&arrived, 0);
  atomic_store(&freed, 0);
  run_threads(map_or_free);
  ck_assert_int_eq(freed, ROUNDS / 10);
  ck_assert_uint_eq(vptr_count(mapper), 0);
}
END_TEST

/* One mapping stays while others come and go: there is no moment to free the memory in. */
static void *map_over_and_over_or_free(void *thread) {
  visit_there();
  meet(0);
  for (int i = 0; i < ROUNDS; i++) {
    void *ptr = atomic_load(&shared), *host = NULL;
    if ((uintptr_t)thread % 2 == 0) {
      MUST(vptr_free(mapper, ptr) == VPTR_ERROR_MAPPED);
    } else {
      MUST(vptr_map(mapper, ptr, SMALL, VPTR_ACCESS_READ, &host) == VPTR_SUCCESS);
      MUST(vptr_unmap(mapper, host) == VPTR_SUCCESS);
    }
  }
  return NULL;
}

START_TEST(mapped_memory_is_never_free_in_between) {
  void *host;
  atomic_store(&arrived, 0);
  atomic_store(&shared, allocate(SMALL));
  support_succeed(vptr_map(mapper, shared, SMALL, VPTR_ACCESS_READ, &host));
  run_threads(map_over_and_over_or_free);
  support_succeed(vptr_unmap(mapper, host));
  support_succeed(vptr_free(mapper, shared));
}
END_TEST

/* Of all threads, in all classes, with what others allocated, while others count, trim and check. */
static void *_Atomic places[64];

static void *exchange(void *thread) {
  uint64_t state = (uintptr_t)thread + 1;
  for (int i = 0; i < ROUNDS; i++) {
    void *mine = allocate_there(1 + support_random(&state) % 9000);
    void *theirs = atomic_exchange(&places[support_random(&state) % 64], mine);
    MUST(vptr_free(mapper, theirs) == VPTR_SUCCESS);
    if (i % 500 == (int)(uintptr_t)thread)
      MUST(vptr_check(mapper) == VPTR_SUCCESS);
    if (i % 700 == (int)(uintptr_t)thread)
      MUST(vptr_trim(mapper, 0) == VPTR_SUCCESS);
  }
  return NULL;
}

START_TEST(threads_free_what_others_allocated) {
  memset((void *)places, 0, sizeof places);
  run_threads(exchange);
  size_t live = 0;
  for (int i = 0; i < 64; i++)
    live += places[i] != NULL;
  ck_assert_uint_eq(vptr_count(mapper), live);
  for (int i = 0; i < 64; i++)
    support_succeed(vptr_free(mapper, places[i]));
  ck_assert_uint_eq(vptr_count(mapper), 0);
  ck_assert_uint_eq(stats().live_bytes, 0);
  ck_assert_uint_eq(heap->magazines.count, 1); /* theirs went with them */
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_uint_eq(stats().buffer_bytes, 0);
}
END_TEST

/* A thread that has slots at hand and then does something else keeps nobody's memory. */
static atomic_bool may_end;

static void *have_slots_at_hand(void *thread) {
  (void)thread;
  visit_there();
  atomic_fetch_add(&arrived, 1);
  while (!atomic_load(&may_end))
    sched_yield();
  return NULL;
}

START_TEST(idle_threads_keep_nothing_from_a_trim) {
  pthread_t thread;
  atomic_store(&arrived, 0);
  atomic_store(&may_end, false);
  ck_assert_int_eq(pthread_create(&thread, NULL, have_slots_at_hand, NULL), 0);
  while (atomic_load(&arrived) == 0)
    sched_yield();
  ck_assert_uint_eq(heap->magazines.count, 2);
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_uint_eq(stats().buffer_bytes, 0);
  atomic_store(&may_end, true);
  pthread_join(thread, NULL);
}
END_TEST

/* Without the system's help the owners pay, and all of the above holds. */
static bool was_uneven;

static void set_up_even(void) {
  vptr__barrier_settle();
  was_uneven = vptr__barrier_is_uneven;
  vptr__barrier_is_uneven = false;
  set_up();
}

static void tear_down_even(void) {
  tear_down();
  vptr__barrier_is_uneven = was_uneven;
}

static bool was_uneven_in_main;

/* Behind the start of threads it would take the system 15 ms. */
START_TEST(the_barrier_is_settled_before_main) {
  vptr__barrier_settle();
  ck_assert_int_eq(was_uneven_in_main, vptr__barrier_is_uneven);
}
END_TEST

static TCase *case_of(const char *name, void (*begin)(void), void (*end)(void)) {
  TCase *magazine = tcase_create(name);
  tcase_add_checked_fixture(magazine, begin, end);
  tcase_add_test(magazine, what_is_live_is_counted);
  tcase_add_test(magazine, numbers_have_no_gap);
  tcase_add_test(magazine, what_was_never_issued_is_not_ours);
  tcase_add_test(magazine, wrong_frees_are_refused);
  tcase_add_test(magazine, what_is_mapped_is_not_freed);
  tcase_add_test(magazine, a_sub_buffer_goes_with_its_allocation);
  tcase_add_test(magazine, memory_follows);
  tcase_add_test(magazine, a_magazine_that_cannot_be_had_is_done_without);
  tcase_add_test(magazine, a_thread_goes_from_heap_to_heap);
  tcase_add_test(magazine, of_frees_at_once_one_succeeds);
  tcase_add_test(magazine, what_is_mapped_is_not_freed_by_others);
  tcase_add_test(magazine, mapped_memory_is_never_free_in_between);
  tcase_add_test(magazine, threads_free_what_others_allocated);
  tcase_add_test(magazine, idle_threads_keep_nothing_from_a_trim);
  return magazine;
}

int main(void) {
  was_uneven_in_main = vptr__barrier_is_uneven;
  Suite *suite = suite_create("magazine");
  TCase *barrier = tcase_create("barrier");
  tcase_add_test(barrier, the_barrier_is_settled_before_main);
  suite_add_tcase(suite, barrier);
  suite_add_tcase(suite, case_of("uneven", set_up, tear_down));
  suite_add_tcase(suite, case_of("even", set_up_even, tear_down_even));
  return support_run(suite);
}
