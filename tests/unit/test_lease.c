/* SPDX-License-Identifier: MIT */
/*
 * lease - a leased buffer survives its free, and is released exactly once, when the last lease ends.
 *
 * The fake device counts live buffers and aborts on the use of a dead one; on a real one the bytes must still be there.
 * Under ThreadSanitizer the last test shows that leases and frees, of which only the latter take a lock, race with
 * nothing.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "heap/lease.h"
#include "heap/state.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define MIB ((size_t)1 << 20)

static vptr_mapper *mapper;
static vptr__heap *heap;
static size_t others; /* buffers that were there before the test */

static size_t live_buffers(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.buffers;
}

/* How many buffers the test has, where somebody counts. */
static void expect_buffers(size_t count) {
  if (!support_has_opencl())
    ck_assert_uint_eq(live_buffers() - others, count);
}

/* Nothing is cached: what is freed leaves. */
static void set_up(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
  heap = mapper->heap;
  heap->cache.limit = 0;
  others = support_has_opencl() ? 0 : live_buffers();
}

static void tear_down(void) {
  expect_buffers(0);
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static char *allocate(size_t size) {
  void *ptr;
  support_succeed(vptr_malloc(mapper, size, &ptr));
  return ptr;
}

static vptr__lease lease_of(const void *ptr, vptr_location *location_out) {
  vptr__lease lease;
  support_succeed(vptr__lease_take(heap, ptr, 1, location_out, &lease));
  return lease;
}

static void expect_freed(const void *ptr) {
  vptr_location location;
  vptr__lease lease;
  support_expect(VPTR_ERROR_FREED, vptr__lease_take(heap, ptr, 1, &location, &lease));
}

static void expect_byte(const vptr_location *location, unsigned char expected) {
  unsigned char byte = 0;
  vptr__device *device = mapper->device;
  support_succeed(device->ops->transfer.read(device, location->buffer, location->buffer_offset, &byte, 1));
  ck_assert_uint_eq(byte, expected);
}

START_TEST(a_leased_buffer_survives_its_free_and_goes_with_the_lease) {
  char *ptr = allocate(MIB);
  support_succeed(vptr_memset(mapper, ptr, 7, MIB));
  vptr_location location;
  vptr__lease lease = lease_of(ptr + 1000, &location);
  ck_assert_ptr_eq(location.base, ptr);
  ck_assert_uint_eq(location.offset, 1000);
  support_succeed(vptr_free(mapper, ptr));
  expect_freed(ptr);
  expect_buffers(1);
  expect_byte(&location, 7);
  vptr__lease_give(&lease);
  expect_buffers(0);
}
END_TEST

START_TEST(it_goes_with_the_last_of_several_leases) {
  char *ptr = allocate(MIB);
  vptr__lease leases[5];
  vptr_location location;
  for (int i = 0; i < 4; i++)
    leases[i] = lease_of(ptr + i, &location);
  vptr__lease_give(&leases[0]);
  support_succeed(vptr_free(mapper, ptr));
  for (int i = 1; i < 4; i++) {
    expect_buffers(1);
    expect_freed(ptr + i); /* who only tries ends nothing */
    vptr__lease_give(&leases[i]);
  }
  expect_buffers(0);
}
END_TEST

START_TEST(a_lease_that_ended_delays_nothing) {
  char *ptr = allocate(MIB);
  vptr_location location;
  vptr__lease lease = lease_of(ptr, &location), none = { NULL, 0, false };
  vptr__lease_give(&lease);
  vptr__lease_give(&none);
  expect_buffers(1);
  support_succeed(vptr_free(mapper, ptr));
  expect_buffers(0);
}
END_TEST

START_TEST(a_slab_waits_for_the_leases_of_its_slots) {
  char *one = allocate(1000), *two = allocate(1000);
  support_succeed(vptr_memset(mapper, two, 5, 1000));
  vptr_location location;
  vptr__lease lease = lease_of(two, &location);
  support_succeed(vptr_free(mapper, one));
  support_succeed(vptr_free(mapper, two));
  support_succeed(vptr_trim(mapper, 0));
  expect_freed(two);
  expect_buffers(1);
  expect_byte(&location, 5);
  vptr__lease_give(&lease);
  expect_buffers(0);
}
END_TEST

START_TEST(an_attached_buffer_is_let_go_of_with_the_lease) {
  vptr__device *device = mapper->device;
  cl_mem buffer;
  support_succeed(device->ops->memory.create(device, 40000, &buffer));
  void *ptr;
  support_succeed(vptr__heap_attach(heap, buffer, NULL, &ptr));
  support_succeed(vptr_memset(mapper, ptr, 3, 40000));
  vptr_location location;
  vptr__lease lease = lease_of(ptr, &location);
  support_succeed(vptr_free(mapper, ptr));
  device->ops->memory.release(device, buffer);
  expect_buffers(1);
  expect_byte(&location, 3);
  vptr__lease_give(&lease);
  expect_buffers(0);
}
END_TEST

START_TEST(a_cached_buffer_is_used_again_and_leaves_behind_the_lease) {
  heap->cache.limit = 64 * MIB;
  char *ptr = allocate(MIB);
  vptr_location location;
  vptr__lease lease = lease_of(ptr, &location);
  support_succeed(vptr_free(mapper, ptr));
  ck_assert_ptr_eq(allocate(MIB), ptr);
  vptr__lease again = lease_of(ptr, &location);
  support_succeed(vptr_free(mapper, ptr));
  support_succeed(vptr_trim(mapper, 0));
  vptr__lease_give(&lease);
  expect_buffers(1);
  vptr__lease_give(&again);
  expect_buffers(0);
}
END_TEST

START_TEST(its_addresses_stay_taken) {
  char *ptr = allocate(MIB);
  vptr_location location;
  vptr__lease lease = lease_of(ptr, &location);
  support_succeed(vptr_free(mapper, ptr));
  for (int i = 0; i < 100; i++) {
    char *other = allocate(MIB);
    ck_assert_ptr_ne(other, ptr);
    support_succeed(vptr_free(mapper, other));
  }
  support_succeed(vptr_check(mapper));
  vptr__lease_give(&lease);
}
END_TEST

START_TEST(what_is_not_live_cannot_be_leased) {
  vptr_location location = { .size = 1 };
  vptr__lease lease = { NULL, 77, false };
  int on_the_stack = 0;
  char *ptr = allocate(MIB);
  support_expect(VPTR_ERROR_NULL_POINTER, vptr__lease_take(heap, NULL, 1, &location, &lease));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__lease_take(heap, &on_the_stack, 1, &location, &lease));
  support_expect(VPTR_ERROR_PAST_END, vptr__lease_take(heap, ptr + MIB, 1, &location, &lease));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__lease_take(heap, ptr, MIB + 1, &location, &lease));
  ck_assert_uint_eq(location.size, 1);
  ck_assert_uint_eq(lease.window, 77);
  support_succeed(vptr_free(mapper, ptr));
}
END_TEST

/* Between the two looks of a range that leaves: the counter of its window serves another range later. */
START_TEST(a_lease_that_goes_while_the_buffer_leaves_leaves_no_mark) {
  vptr__lease_count count = 0;
  ck_assert(!vptr__lease_mark(&count));
  ck_assert_uint_eq(atomic_load(&count), 0);
  atomic_store(&count, 2);
  ck_assert(vptr__lease_mark(&count));
  ck_assert_uint_gt(atomic_load(&count), 2);
}
END_TEST

/* What the first look counted may not be what the second finds: the entry was rewritten between them. */
START_TEST(a_lease_counts_for_buffers_that_begin_in_its_window) {
  const vptr__directory *directory = &heap->directory;
  const size_t window = (size_t)1 << directory->shift;
  const char *base = (const char *)directory->base + 5 * window;
  const vptr__lease lease = { heap, 5, false };
  ck_assert(vptr__lease_counts(&lease, base));
  ck_assert(vptr__lease_counts(&lease, base + window - 1));
  ck_assert(!vptr__lease_counts(&lease, base - 1));
  ck_assert(!vptr__lease_counts(&lease, base + window));
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { LESSEES = 4, PLACES = 8, ROUNDS = 3000 };

typedef struct shared {
  _Atomic(char *) places[PLACES];
  atomic_bool over;
  atomic_int failures, leases;
} shared;

static void *lease_and_read(void *context) {
  shared *all = context;
  for (unsigned i = 0; !atomic_load(&all->over); i++) {
    char *ptr = atomic_load(&all->places[i % PLACES]);
    vptr_location location;
    vptr__lease lease;
    if (ptr == NULL || vptr__lease_take(heap, ptr, 1, &location, &lease) != VPTR_SUCCESS)
      continue;
    char byte;
    if (mapper->device->ops->transfer.read(mapper->device, location.buffer, location.buffer_offset, &byte, 1) !=
        VPTR_SUCCESS)
      atomic_fetch_add(&all->failures, 1);
    vptr__lease_give(&lease);
    atomic_fetch_add(&all->leases, 1);
  }
  return NULL;
}

START_TEST(leases_and_frees_race) {
  static shared all;
  pthread_t threads[LESSEES];
  for (int i = 0; i < LESSEES; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, lease_and_read, &all), 0);
  int rounds = support_has_opencl() ? ROUNDS / 10 : ROUNDS;
  for (int i = 0; i < rounds || (atomic_load(&all.leases) < 100 && i < 100 * ROUNDS); i++) {
    char *old = atomic_load(&all.places[i % PLACES]);
    if (old != NULL)
      support_succeed(vptr_free(mapper, old));
    atomic_store(&all.places[i % PLACES], allocate(i % 3 == 0 ? 1000 : 300000));
  }
  atomic_store(&all.over, true);
  for (int i = 0; i < LESSEES; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < PLACES; i++)
    support_succeed(vptr_free(mapper, atomic_load(&all.places[i])));
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_int_eq(atomic_load(&all.failures), 0);
  ck_assert_int_ge(atomic_load(&all.leases), 100);
  ck_assert_ptr_null(heap->leased);
}
END_TEST

/* ---- who only looks --------------------------------------------------------------------------------------- */

/* Counts up, finds nothing, and counts down again: also while the last lease of a buffer that has left comes down. */
static void *look_again(void *context) {
  shared *all = context;
  while (!atomic_load(&all->over)) {
    vptr_location location;
    vptr__lease lease;
    if (vptr__lease_take(heap, atomic_load(&all->places[0]), 1, &location, &lease) == VPTR_SUCCESS)
      vptr__lease_give(&lease);
  }
  return NULL;
}

/* Whoever ends it twice takes it off a list that it is no longer on. */
START_TEST(of_many_who_come_down_to_nothing_one_ends_it) {
  static shared all;
  pthread_t threads[LESSEES];
  char *ptr = allocate(MIB);
  atomic_store(&all.places[0], ptr);
  for (int i = 0; i < LESSEES; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, look_again, &all), 0);
  for (int i = 0; i < (support_has_opencl() ? ROUNDS / 10 : ROUNDS); i++) {
    vptr_location location;
    vptr__lease lease = {
      0
    }; /* every other time only the lookers count, and the last may go while the buffer leaves */
    if (i % 2 == 0)
      lease = lease_of(ptr, &location);
    support_succeed(vptr_free(mapper, ptr));
    vptr__lease_give(&lease);
    ptr = allocate(MIB);
    atomic_store(&all.places[0], ptr);
  }
  atomic_store(&all.over, true);
  for (int i = 0; i < LESSEES; i++)
    pthread_join(threads[i], NULL);
  support_succeed(vptr_free(mapper, ptr));
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_ptr_null(heap->leased);
}
END_TEST

enum { FIRST = 500, FLIPS = 20000 };

/* Two windows as one buffer, and as two, in turn: the second is counted with the first, or by itself. */
static void *rewrite_entries(void *context) {
  shared *all = context;
  vptr__directory *directory = &heap->directory;
  const uintptr_t window = (uintptr_t)1 << directory->shift, base = directory->base + FIRST * window;
  vptr__directory_content one = { .kind = VPTR__ENTRY_WHOLE, .base = base, .size = 2 * window, .serial = 1 };
  vptr__directory_content other = { .kind = VPTR__ENTRY_WHOLE, .base = base + window, .size = window, .serial = 2 };
  for (int i = 0; i < FLIPS || !atomic_load(&all->over); i++)
    vptr__directory_publish(directory, FIRST + 1, 1, i % 2 == 0 ? &one : &other);
  vptr__directory_publish(directory, FIRST + 1, 1, &(vptr__directory_content){ .kind = VPTR__ENTRY_EMPTY });
  return NULL;
}

START_TEST(a_lease_is_of_the_buffer_that_was_found) {
  static shared all;
  pthread_t thread;
  const vptr__directory *directory = &heap->directory;
  const char *ptr = (const char *)directory->base + ((uintptr_t)(FIRST + 1) << directory->shift) + 100;
  ck_assert_int_eq(pthread_create(&thread, NULL, rewrite_entries, &all), 0);
  int wrong = 0;
  for (int i = 0, taken = 0; i < 100 * FLIPS && taken < 10 * FLIPS; i++) {
    vptr_location location;
    vptr__lease lease;
    if (vptr__lease_take(heap, ptr, 1, &location, &lease) != VPTR_SUCCESS)
      continue;
    wrong += vptr__directory_window(directory, ptr - location.buffer_offset) != lease.window;
    vptr__lease_give(&lease);
    taken++;
  }
  atomic_store(&all.over, true);
  pthread_join(thread, NULL);
  ck_assert_int_eq(wrong, 0);
}
END_TEST

static Suite *lease_suite(void) {
  Suite *suite = suite_create("lease");
  TCase *leases = tcase_create("leases");
  tcase_add_checked_fixture(leases, set_up, tear_down);
  tcase_add_test(leases, a_leased_buffer_survives_its_free_and_goes_with_the_lease);
  tcase_add_test(leases, it_goes_with_the_last_of_several_leases);
  tcase_add_test(leases, a_lease_that_ended_delays_nothing);
  tcase_add_test(leases, a_slab_waits_for_the_leases_of_its_slots);
  tcase_add_test(leases, an_attached_buffer_is_let_go_of_with_the_lease);
  tcase_add_test(leases, a_cached_buffer_is_used_again_and_leaves_behind_the_lease);
  tcase_add_test(leases, its_addresses_stay_taken);
  tcase_add_test(leases, what_is_not_live_cannot_be_leased);
  tcase_add_test(leases, a_lease_that_goes_while_the_buffer_leaves_leaves_no_mark);
  tcase_add_test(leases, a_lease_counts_for_buffers_that_begin_in_its_window);
  tcase_add_test(leases, leases_and_frees_race);
  tcase_add_test(leases, of_many_who_come_down_to_nothing_one_ends_it);
  tcase_add_test(leases, a_lease_is_of_the_buffer_that_was_found);
  suite_add_tcase(suite, leases);
  return suite;
}

int main(void) {
  return support_run(lease_suite());
}
