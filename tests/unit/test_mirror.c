/* SPDX-License-Identifier: MIT */
/* mirror - managed memory kept one by page faults: its life, which bytes each side sees, and which of them move. */
#include "mirrors.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mirror/address_index.h"
#include "mirror/userfault.h"
#include "support/support.h"

/* ---- life ----------------------------------------------------------------------------------------------- */

START_TEST(a_size_is_as_asked_for) {
  vptr__mirror *odd;
  support_succeed(vptr__mirror_create(mapper, page + 1, &odd));
  ck_assert_uint_eq(vptr__mirror_size(odd), page + 1);
  ck_assert_ptr_eq(vptr__mirror_mapper(odd), mapper);
  vptr__mirror_destroy(odd);
}
END_TEST

START_TEST(no_bytes_and_too_many_are_refused) {
  vptr__mirror *none = NULL;
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr__mirror_create(mapper, 0, &none));
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr__mirror_create(mapper, SIZE_MAX, &none));
  ck_assert_ptr_null(none);
}
END_TEST

/* One past the end is passed to kernels, too. The system fills holes from their ends, so by chance some would touch. At
 * the device's own addresses it is the driver who decides; there the address means the same whoever it is taken for. */
START_TEST(no_mirror_begins_where_another_ends) {
  enum { SLOTS = 24, ROUNDS = 600, MOST_PAGES = 6 };
  vptr__mirror *made[SLOTS] = { NULL };
  uint64_t random = 1;
  for (int round = 0; round < ROUNDS; round++) {
    vptr__mirror **slot = &made[support_random(&random) % SLOTS];
    if (*slot != NULL)
      vptr__mirror_destroy(*slot);
    size_t size = (1 + support_random(&random) % MOST_PAGES) * page;
    support_succeed(vptr__mirror_create(mapper, size, slot));
    ck_assert(vptr__mirror_is_one_address(*slot) ||
              !vptr__address_index_has((char *)vptr__mirror_host(*slot) + size));
    ck_assert(vptr__mirror_is_one_address(*slot) || !vptr__address_index_has((char *)vptr__mirror_host(*slot) - 1));
  }
  for (int i = 0; i < SLOTS; i++)
    if (made[i] != NULL)
      vptr__mirror_destroy(made[i]);
}
END_TEST

START_TEST(an_address_is_known_while_its_mirror_lives) {
  size_t offset = 0;
  vptr__mirror *other;
  support_succeed(vptr__mirror_create(mapper, page, &other));
  char *at = vptr__mirror_host(other);
  ck_assert(vptr__address_index_has(at) && vptr__address_index_has(at + page - 1));
  ck_assert(!vptr__address_index_has(&offset) && !vptr__address_index_has(NULL));
  vptr__mirror *found = vptr__address_index_enter(at + 5, &offset);
  ck_assert_ptr_eq(found, other);
  ck_assert_uint_eq(offset, 5);
  vptr__address_index_leave(found);
  vptr__mirror_destroy(other);
  ck_assert(!vptr__address_index_has(at));
  ck_assert_ptr_null(vptr__address_index_enter(at, &offset));
}
END_TEST

START_TEST(a_creation_that_fails_leaves_nothing_behind) {
  vptr__fake_counts before, after;
  vptr__mirror *first = NULL; /* with which the process begins its services */
  support_succeed(vptr__mirror_create(mapper, page, &first));
  vptr__mirror_destroy(first);
  long live = vptr__memory_live();
  vptr__fake_get_counts(&before);
  int failures = 0;
  for (long n = 1;; n++, failures++) {
    vptr__mirror *made = NULL;
    if (_i == 0)
      vptr__memory_fail_nth(n);
    else
      vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
    vptr_status status = vptr__mirror_create(mapper, page, &made);
    vptr__memory_fail_nth(0);
    vptr__fake_fail_nth(0, CL_SUCCESS);
    if (status == VPTR_SUCCESS) {
      vptr__mirror_destroy(made);
      break;
    }
    ck_assert_ptr_null(made);
  }
  ck_assert_int_ge(failures, 1);
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.buffers, before.buffers);
  ck_assert_uint_eq(after.queues, before.queues);
  ck_assert_int_eq(vptr__memory_live(), live);
}
END_TEST

/* ---- coherence ------------------------------------------------------------------------------------------ */

/* By userfaultfd the file's pages are made by the first touch, 16 at a time. */
START_TEST(a_new_mirror_is_read_without_a_transfer) {
  for (size_t i = 0; i < PAGES * page; i += page)
    ck_assert_uint_eq(host[i], 0);
  ck_assert_uint_le(mirrors_counts().faults, vptr__userfault_is_on() ? PAGES / 16 : 0);
  ck_assert_uint_eq(mirrors_counts().fetches, 0);
}
END_TEST

START_TEST(the_device_sees_what_the_host_wrote) {
  host[0] = 1;
  host[5 * page + 7] = 2;
  mirrors_acquire(VPTR_ACCESS_READ);
  ck_assert_uint_eq(mirrors_byte(0), 1);
  ck_assert_uint_eq(mirrors_byte(5 * page + 7), 2);
  mirrors_release();
}
END_TEST

START_TEST(the_host_sees_what_the_device_wrote) {
  mirrors_run(0, PAGES * page, 9);
  for (size_t i = 0; i < PAGES * page; i++)
    support_must(host[i] == 9);
  host[3] = 4;
  ck_assert_uint_eq(host[3], 4);
  ck_assert_uint_eq(host[2], 9);
  ck_assert_uint_gt(mirrors_counts().faults, 0);
  ck_assert_uint_eq(mirrors_counts().fetched, PAGES * page);
}
END_TEST

START_TEST(both_write_into_one_page_and_nothing_is_lost) {
  for (unsigned i = 0; i < 200; i++) {
    host[i] = (unsigned char)i;
    mirrors_run(1000 + i, 1, (unsigned char)(i + 1));
  }
  for (unsigned i = 0; i < 200; i++) {
    support_must(host[i] == (unsigned char)i);
    support_must(host[1000 + i] == (unsigned char)(i + 1));
  }
}
END_TEST

/* ---- what moves ----------------------------------------------------------------------------------------- */

START_TEST(with_nothing_dirty_nothing_is_sent) {
  const vptr_access ways[] = { VPTR_ACCESS_READ, VPTR_ACCESS_WRITE, VPTR_ACCESS_READ_WRITE,
                               VPTR_ACCESS_DISCARD_WRITE };
  for (size_t i = 0; i < 4; i++) {
    mirrors_acquire(ways[i]);
    mirrors_release();
    (void)host[page];
  }
  ck_assert_uint_eq(mirrors_counts().sends, 0);
  ck_assert_uint_eq(mirrors_counts().sent, 0);
}
END_TEST

START_TEST(only_dirty_pages_are_sent_and_neighbours_in_one_piece) {
  mirrors_run(0, PAGES * page, 0);
  host[10 * page] = 1;
  host[31 * page] = 1;
  host[30 * page] = 1;
  mirrors_acquire(VPTR_ACCESS_READ_WRITE);
  mirrors_release();
  ck_assert_uint_eq(mirrors_counts().sends, 2);
  ck_assert_uint_eq(mirrors_counts().sent, 3 * page);
  mirrors_acquire(VPTR_ACCESS_READ_WRITE);
  mirrors_release();
  ck_assert_uint_eq(mirrors_counts().sends, 2);
}
END_TEST

/* Closed in several pieces, which begin and end at any page: nothing that the host had stays open. */
START_TEST(pages_far_apart_are_all_taken_from_the_host) {
  const size_t count = 5000, at[] = { 0, 1, 7, 1500, 1502, 2900, 4999 }, touched = sizeof at / sizeof *at;
  vptr__mirror *large;
  support_succeed(vptr__mirror_create(mapper, count * page, &large));
  volatile unsigned char *bytes = vptr__mirror_host(large);
  for (int round = 0; round < 3; round++) {
    support_succeed(mirrors_acquire_all(large, VPTR_ACCESS_READ_WRITE));
    vptr__mirror_release(large, 0, NULL);
    for (size_t i = 0; i < touched; i++)
      bytes[at[i] * page] = (unsigned char)(i + 1);
    support_succeed(mirrors_acquire_all(large, VPTR_ACCESS_READ_WRITE));
    for (size_t i = 0; i < touched; i++) {
      unsigned char sent, byte = 77;
      vptr__device *device = mapper->device;
      support_succeed(device->ops->transfer.read(device, vptr__mirror_buffer(large), at[i] * page, &sent, 1));
      ck_assert_uint_eq(sent, i + 1);
      support_succeed(device->ops->transfer.write(device, vptr__mirror_buffer(large), at[i] * page, &byte, 1));
    }
    vptr__mirror_release(large, 0, NULL);
    for (size_t i = 0; i < touched; i++)
      ck_assert_uint_eq(bytes[at[i] * page], 77);
  }
  vptr__mirror_destroy(large);
}
END_TEST

START_TEST(what_a_kernel_only_read_stays_readable) {
  host[0] = 5;
  mirrors_acquire(VPTR_ACCESS_READ);
  mirrors_release();
  mirrors_acquire(VPTR_ACCESS_READ);
  mirrors_release();
  ck_assert_uint_eq(mirrors_counts().sends, 1);
  uint64_t faults = mirrors_counts().faults;
  ck_assert_uint_eq(host[0], 5);
  ck_assert_uint_eq(mirrors_counts().faults, faults);
  host[1] = 6;
  ck_assert_uint_eq(mirrors_counts().faults, faults + 1);
  ck_assert_uint_eq(mirrors_counts().fetched, 0);
  mirrors_acquire(VPTR_ACCESS_READ);
  ck_assert_uint_eq(mirrors_byte(0), 5);
  ck_assert_uint_eq(mirrors_byte(1), 6);
  mirrors_release();
}
END_TEST

START_TEST(a_kernel_that_discards_is_sent_nothing) {
  host[0] = 5;
  mirrors_acquire(VPTR_ACCESS_DISCARD_WRITE);
  mirrors_fill(0, PAGES * page, 8);
  mirrors_release();
  ck_assert_uint_eq(host[0], 8);
  ck_assert_uint_eq(mirrors_counts().sends, 0);
}
END_TEST

START_TEST(what_is_fetched_needs_no_faults) {
  mirrors_run(0, PAGES * page, 3);
  support_succeed(vptr__mirror_fetch(mirror, 2 * page + 1, page, VPTR_ACCESS_READ));
  ck_assert_uint_eq(mirrors_counts().fetched, 2 * page);
  ck_assert_uint_eq(host[2 * page], 3);
  ck_assert_uint_eq(mirrors_counts().faults, 0);
  support_succeed(vptr__mirror_fetch(mirror, 0, PAGES * page, VPTR_ACCESS_READ_WRITE));
  for (size_t i = 0; i < PAGES; i++)
    host[i * page] = 4;
  ck_assert_uint_eq(mirrors_counts().faults, 0);
  ck_assert_uint_eq(mirrors_counts().fetched, PAGES * page);
}
END_TEST

START_TEST(whole_pages_that_will_be_overwritten_are_not_fetched) {
  mirrors_run(0, PAGES * page, 3);
  size_t at = page + 100, size = 4 * page;
  support_succeed(vptr__mirror_fetch(mirror, at, size, VPTR_ACCESS_DISCARD_WRITE));
  ck_assert_uint_eq(mirrors_counts().fetched, 2 * page);
  memset((unsigned char *)vptr__mirror_alias(mirror) + at, 7, size);
  ck_assert_uint_eq(host[at - 1], 3);
  ck_assert_uint_eq(host[at], 7);
  ck_assert_uint_eq(host[at + size - 1], 7);
  ck_assert_uint_eq(host[at + size], 3);
  mirrors_acquire(VPTR_ACCESS_READ);
  ck_assert_uint_eq(mirrors_byte(at), 7);
  ck_assert_uint_eq(mirrors_byte(at + size - 1), 7);
  mirrors_release();
}
END_TEST

START_TEST(less_than_a_page_is_not_discarded) {
  mirrors_run(0, PAGES * page, 3);
  support_succeed(vptr__mirror_fetch(mirror, 10, 20, VPTR_ACCESS_DISCARD_WRITE));
  ck_assert_uint_eq(host[9], 3);
  ck_assert_uint_eq(host[10], 3);
}
END_TEST

START_TEST(a_range_beyond_the_mirror_is_refused) {
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__mirror_fetch(mirror, 1, PAGES * page, VPTR_ACCESS_READ));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__mirror_fetch(mirror, SIZE_MAX, 2, VPTR_ACCESS_READ));
  support_succeed(vptr__mirror_fetch(mirror, PAGES * page, 0, VPTR_ACCESS_READ));
}
END_TEST

START_TEST(what_travels_whole_is_pinned_and_small_mirrors_are_not) {
  enum { LARGE = 2 << 20 };
  vptr__mirror *large;
  vptr__fake_counts before, after;
  support_succeed(vptr__mirror_create(mapper, LARGE, &large));
  vptr__fake_get_counts(&before);
  memset((void *)(uintptr_t)host, 1, PAGES * page);
  mirrors_run(0, page, 2);
  for (int i = 0; i < 2; i++) { /* half of it, twice */
    support_succeed(vptr__mirror_fetch(large, i * (LARGE / 2), LARGE / 2, VPTR_ACCESS_WRITE));
    vptr__fake_get_counts(&after);
    ck_assert_uint_eq(after.host_buffers, before.host_buffers);
    support_succeed(mirrors_acquire_all(large, VPTR_ACCESS_READ));
    vptr__mirror_release(large, 0, NULL);
  }
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.host_buffers, before.host_buffers + 1);
  vptr__mirror_destroy(large);
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.host_buffers, before.host_buffers);
}
END_TEST

START_TEST(pages_that_cannot_be_pinned_travel_all_the_same) {
  enum { LARGE = 2 << 20 };
  vptr__mirror *large;
  support_succeed(vptr__mirror_create(mapper, LARGE, &large));
  memset(vptr__mirror_host(large), 1, LARGE);
  vptr__fake_fail_nth(1, CL_OUT_OF_RESOURCES);
  support_succeed(mirrors_acquire_all(large, VPTR_ACCESS_READ));
  vptr__mirror_release(large, 0, NULL);
  vptr__mirror_destroy(large);
}
END_TEST

/* ---- speed ---------------------------------------------------------------------------------------------- */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t sum_lines(const unsigned char *memory, size_t size) {
  uint64_t sum = 0;
  for (size_t i = 0; i < size; i += 64)
    sum += *(const volatile unsigned char *)(memory + i);
  return sum;
}

/* The times are told, and not checked: the machine may be busy. What makes them so is the number of faults. */
START_TEST(a_walk_through_64_mib_costs_little_more_than_a_copy) {
  enum { SIZE = 64 << 20, TRIES = 5 };
  vptr__mirror *large;
  vptr__mirror_counts seen;
  vptr__device *device = mapper->device;
  support_succeed(vptr__mirror_create(mapper, SIZE, &large));
  unsigned char *plain = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  double copy = 1e9, walk = 1e9;
  for (int i = 0; i < TRIES; i++) {
    support_succeed(mirrors_acquire_all(large, VPTR_ACCESS_READ_WRITE));
    const unsigned char byte = 1;
    support_succeed(device->ops->transfer.fill(device, vptr__mirror_buffer(large), 0, SIZE, &byte, 1));
    vptr__mirror_release(large, 0, NULL);
    double begin = now();
    support_succeed(device->ops->transfer.read(device, vptr__mirror_buffer(large), 0, plain, SIZE));
    support_must(sum_lines(plain, SIZE) == SIZE / 64);
    double middle = now();
    support_must(sum_lines(vptr__mirror_host(large), SIZE) == SIZE / 64);
    double end = now();
    copy = middle - begin < copy ? middle - begin : copy;
    walk = end - middle < walk ? end - middle : walk;
  }
  vptr__mirror_get_counts(large, &seen);
  printf("64 MiB: copied and read %.1f ms, by faults %.1f ms, %.1f faults a walk\n", 1e3 * copy, 1e3 * walk,
         (double)seen.faults / TRIES);
  ck_assert_uint_le(seen.faults, 60 * TRIES);
  munmap(plain, SIZE);
  vptr__mirror_destroy(large);
}
END_TEST

/* What a launch pays for memory that is where it should be; told, not checked. */
START_TEST(an_acquire_with_nothing_dirty_is_soon_over) {
  enum { ACQUISITIONS = 200000 };
  const vptr_access ways[] = { VPTR_ACCESS_READ, VPTR_ACCESS_READ_WRITE };
  for (size_t way = 0; way < 2; way++) {
    double begin = now();
    for (int i = 0; i < ACQUISITIONS; i++) {
      mirrors_acquire(ways[way]);
      mirrors_release();
    }
    printf("acquire and acquired for %s, nothing dirty: %.0f ns\n", way == 0 ? "read" : "write",
           1e9 * (now() - begin) / ACQUISITIONS);
  }
  ck_assert_uint_eq(mirrors_counts().sends, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror");
  TCase *life = tcase_create("without a mirror");
  tcase_add_checked_fixture(life, mirrors_begin, mirrors_end);
  tcase_add_test(life, a_size_is_as_asked_for);
  tcase_add_test(life, no_bytes_and_too_many_are_refused);
  tcase_add_test(life, no_mirror_begins_where_another_ends);
  tcase_add_test(life, an_address_is_known_while_its_mirror_lives);
  tcase_add_loop_test(life, a_creation_that_fails_leaves_nothing_behind, 0, support_has_opencl() ? 1 : 2);
  tcase_add_test(life, a_walk_through_64_mib_costs_little_more_than_a_copy);
  suite_add_tcase(suite, life);
  TCase *tests = tcase_create("with a mirror");
  tcase_add_checked_fixture(tests, mirrors_setup, mirrors_teardown);
  tcase_add_test(tests, a_new_mirror_is_read_without_a_transfer);
  tcase_add_test(tests, the_device_sees_what_the_host_wrote);
  tcase_add_test(tests, the_host_sees_what_the_device_wrote);
  tcase_add_test(tests, both_write_into_one_page_and_nothing_is_lost);
  tcase_add_test(tests, with_nothing_dirty_nothing_is_sent);
  tcase_add_test(tests, only_dirty_pages_are_sent_and_neighbours_in_one_piece);
  tcase_add_test(tests, pages_far_apart_are_all_taken_from_the_host);
  tcase_add_test(tests, what_a_kernel_only_read_stays_readable);
  tcase_add_test(tests, a_kernel_that_discards_is_sent_nothing);
  tcase_add_test(tests, what_is_fetched_needs_no_faults);
  tcase_add_test(tests, whole_pages_that_will_be_overwritten_are_not_fetched);
  tcase_add_test(tests, less_than_a_page_is_not_discarded);
  tcase_add_test(tests, a_range_beyond_the_mirror_is_refused);
  if (!support_has_opencl())
    tcase_add_test(tests, what_travels_whole_is_pinned_and_small_mirrors_are_not);
  tcase_add_test(tests, pages_that_cannot_be_pinned_travel_all_the_same);
  tcase_add_test(tests, an_acquire_with_nothing_dirty_is_soon_over);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
