/* SPDX-License-Identifier: MIT */
/* mirror_range - parts of managed memory acquired for a device: what is sent, what is closed, and what stays as it
 * was. */
#include "mirrors.h"

#include <string.h>

#include "device/fake.h"
#include "support/support.h"

static void acquire(size_t offset, size_t size, vptr_access access) {
  support_succeed(vptr__mirror_acquire(mirror, mapper, offset, size, access, NULL));
}

static uint64_t sent(void) {
  return mirrors_counts().sent;
}

/* All pages are the host's, written with their number. */
static void write_all(void) {
  support_succeed(vptr__mirror_fetch(mirror, 0, PAGES * page, VPTR_ACCESS_WRITE));
  for (size_t i = 0; i < PAGES; i++)
    memset((unsigned char *)(uintptr_t)host + i * page, (int)i, page);
}

START_TEST(a_range_alone_is_sent) {
  write_all();
  acquire(2 * page, 3 * page, VPTR_ACCESS_READ);
  ck_assert_uint_eq(sent(), 3 * page);
  ck_assert_uint_eq(mirrors_byte(2 * page), 2);
  ck_assert_uint_eq(mirrors_byte(5 * page - 1), 4);
  mirrors_release();
  acquire(0, PAGES * page, VPTR_ACCESS_READ);
  mirrors_release();
  ck_assert_uint_eq(sent(), PAGES * page);
}
END_TEST

START_TEST(pages_that_are_partly_in_a_range_are_sent_whole) {
  write_all();
  acquire(2 * page - 1, 2, VPTR_ACCESS_READ);
  ck_assert_uint_eq(sent(), 2 * page);
  ck_assert_uint_eq(mirrors_byte(page), 1);
  ck_assert_uint_eq(mirrors_byte(3 * page - 1), 2);
  mirrors_release();
}
END_TEST

START_TEST(pages_outside_of_a_range_stay_open_and_dirty) {
  write_all();
  acquire(4 * page, page, VPTR_ACCESS_READ_WRITE);
  mirrors_fill(4 * page, page, 77);
  host[3 * page] = 100; /* while it is acquired */
  host[5 * page] = 101;
  mirrors_release();
  ck_assert_uint_eq(mirrors_counts().faults, 0);
  ck_assert_uint_eq(host[4 * page], 77);
  ck_assert_uint_eq(mirrors_counts().faults, 1);
  ck_assert_uint_eq(mirrors_counts().fetched, page);
  mirrors_acquire(VPTR_ACCESS_READ);
  ck_assert_uint_eq(mirrors_byte(3 * page), 100);
  ck_assert_uint_eq(mirrors_byte(5 * page), 101);
  mirrors_release();
}
END_TEST

START_TEST(with_nothing_dirty_in_a_range_nothing_is_sent) {
  write_all();
  mirrors_acquire(VPTR_ACCESS_READ);
  mirrors_release();
  uint64_t before = sent();
  host[9 * page] = 1;
  const vptr_access ways[] = { VPTR_ACCESS_READ, VPTR_ACCESS_WRITE, VPTR_ACCESS_READ_WRITE };
  for (size_t i = 0; i < 3; i++) {
    acquire(0, 9 * page, ways[i]);
    mirrors_release();
    acquire(10 * page, page, ways[i]);
    mirrors_release();
  }
  ck_assert_uint_eq(sent(), before);
  acquire(9 * page, 1, VPTR_ACCESS_READ);
  mirrors_release();
  ck_assert_uint_eq(sent(), before + page);
}
END_TEST

START_TEST(only_pages_that_are_covered_whole_are_discarded) {
  write_all();
  acquire(page + 10, 3 * page, VPTR_ACCESS_DISCARD_WRITE);
  ck_assert_uint_eq(sent(), 2 * page);
  mirrors_fill(page + 10, 3 * page, 88);
  mirrors_release();
  ck_assert_uint_eq(host[page + 9], 1);
  ck_assert_uint_eq(host[page + 10], 88);
  ck_assert_uint_eq(host[4 * page + 9], 88);
  ck_assert_uint_eq(host[4 * page + 10], 4);
}
END_TEST

/* Behind its last byte is nobody's. */
START_TEST(the_last_page_is_covered_whole_by_what_there_is_of_it) {
  vptr__mirror *odd;
  vptr__mirror_counts counts;
  support_succeed(vptr__mirror_create(mapper, 2 * page + 10, &odd));
  unsigned char *bytes = vptr__mirror_host(odd);
  memset(bytes, 7, 2 * page + 10);
  support_succeed(vptr__mirror_acquire(odd, mapper, page, page + 9, VPTR_ACCESS_DISCARD_WRITE, NULL));
  vptr__mirror_release(odd, 0, NULL);
  vptr__mirror_get_counts(odd, &counts);
  ck_assert_uint_eq(counts.sent, page); /* one byte of the last page is kept */
  ck_assert_uint_eq(bytes[2 * page + 9], 7);
  memset(bytes, 7, 2 * page + 10);
  support_succeed(vptr__mirror_acquire(odd, mapper, page, page + 10, VPTR_ACCESS_DISCARD_WRITE, NULL));
  vptr__mirror_release(odd, 0, NULL);
  vptr__mirror_get_counts(odd, &counts);
  ck_assert_uint_eq(counts.sent, page);
  vptr__mirror_destroy(odd);
}
END_TEST

START_TEST(less_than_a_page_is_not_discarded) {
  write_all();
  acquire(page + 10, 20, VPTR_ACCESS_DISCARD_WRITE);
  ck_assert_uint_eq(sent(), page);
  mirrors_fill(page + 10, 20, 88);
  mirrors_release();
  ck_assert_uint_eq(host[page + 9], 1);
  ck_assert_uint_eq(host[page + 30], 1);
}
END_TEST

START_TEST(no_bytes_are_acquired_without_a_change) {
  write_all();
  acquire(page + 10, 0, VPTR_ACCESS_READ_WRITE);
  host[page + 10] = 3;
  mirrors_release();
  acquire(PAGES * page, 0, VPTR_ACCESS_READ);
  mirrors_release();
  ck_assert_uint_eq(sent(), 0);
  ck_assert_uint_eq(mirrors_counts().faults, 0);
}
END_TEST

START_TEST(a_range_beyond_the_mirror_is_not_acquired) {
  vptr__acquired acquisition = { 0 };
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS,
                 vptr__mirror_acquire(mirror, mapper, 1, PAGES * page, VPTR_ACCESS_READ, &acquisition));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS,
                 vptr__mirror_acquire(mirror, mapper, SIZE_MAX, 2, VPTR_ACCESS_READ, &acquisition));
  ck_assert_ptr_null(acquisition.buffer);
  support_succeed(vptr__mirror_acquire(mirror, mapper, page, page, VPTR_ACCESS_READ, &acquisition));
  ck_assert_ptr_eq(acquisition.buffer, vptr__mirror_buffer(mirror));
  mirrors_release();
}
END_TEST

START_TEST(a_range_that_cannot_be_sent_stays_the_hosts) {
  write_all();
  vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, vptr__mirror_acquire(mirror, mapper, page, page, VPTR_ACCESS_READ_WRITE, NULL));
  host[page]++;
  host[3 * page]++;
  ck_assert_uint_eq(mirrors_counts().faults, 0);
  mirrors_acquire(VPTR_ACCESS_READ);
  ck_assert_uint_eq(mirrors_byte(page), 2);
  ck_assert_uint_eq(mirrors_byte(3 * page), 4);
  mirrors_release();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror_range");
  TCase *tests = tcase_create("with a mirror");
  tcase_add_checked_fixture(tests, mirrors_setup, mirrors_teardown);
  tcase_add_test(tests, a_range_alone_is_sent);
  tcase_add_test(tests, pages_that_are_partly_in_a_range_are_sent_whole);
  tcase_add_test(tests, pages_outside_of_a_range_stay_open_and_dirty);
  tcase_add_test(tests, with_nothing_dirty_in_a_range_nothing_is_sent);
  tcase_add_test(tests, only_pages_that_are_covered_whole_are_discarded);
  tcase_add_test(tests, the_last_page_is_covered_whole_by_what_there_is_of_it);
  tcase_add_test(tests, less_than_a_page_is_not_discarded);
  tcase_add_test(tests, no_bytes_are_acquired_without_a_change);
  tcase_add_test(tests, a_range_beyond_the_mirror_is_not_acquired);
  if (!support_has_opencl())
    tcase_add_test(tests, a_range_that_cannot_be_sent_stays_the_hosts);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
