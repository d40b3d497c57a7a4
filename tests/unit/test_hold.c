/* SPDX-License-Identifier: MIT */
/*
 * Tests of held addresses: what is held nobody else maps, what is mapped is left alone, and a release lets go of the
 * pages that it names and of no others.
 */
#include "support/support.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hold.h"
#include "base/memory.h"
#include "base/page.h"

enum { PAGES = 8 };
static size_t page;
static unsigned char *place; /* PAGES free pages of addresses, and one that is mapped on each side */

static unsigned char *at(size_t of) {
  return place + of * page;
}

/* Tried: a hint is followed where nothing is mapped. */
static bool is_free(size_t of) {
  unsigned char *got = mmap(at(of), page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(got, MAP_FAILED);
  ck_assert_int_eq(munmap(got, page), 0);
  return got == at(of);
}

static void expect_held(size_t from, size_t to) {
  for (size_t i = 0; i < PAGES; i++)
    ck_assert_msg(is_free(i) == (i < from || i >= to), "page %zu is %s", i, is_free(i) ? "free" : "taken");
}

static void set_up(void) {
  page = vptr__page_bytes();
  unsigned char *whole = mmap(NULL, (PAGES + 2) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(whole, MAP_FAILED);
  place = whole + page;
  ck_assert_int_eq(munmap(place, PAGES * page), 0);
}

static void tear_down(void) {
  vptr__hold_end();
  expect_held(0, 0);
  munmap(place - page, page);
  munmap(at(PAGES), page);
}

START_TEST(what_is_held_nobody_else_maps) {
  vptr__hold((uintptr_t)at(2) + 5, page); /* it begins in one page, and ends in the next */
  expect_held(2, 5);                      /* and one behind them */
  vptr__hold_release(at(2) + 5, 1);
  expect_held(0, 0);
}
END_TEST

START_TEST(what_is_mapped_is_left_alone) {
  place[-1] = 77;
  vptr__hold((uintptr_t)place - page, 2 * page); /* its first page is mapped: none of it is held */
  expect_held(0, 0);
  vptr__hold_release(place - page, page);
  ck_assert_uint_eq(place[-1], 77);
  at(PAGES)[0] = 78;
  vptr__hold((uintptr_t)at(6), 2 * page); /* the page behind is mapped: the others are held */
  expect_held(6, 8);
  vptr__hold_end();
  ck_assert_uint_eq(at(PAGES)[0], 78);
}
END_TEST

START_TEST(others_stay_held) {
  vptr__hold((uintptr_t)at(0), page); /* 0 and 1 */
  vptr__hold((uintptr_t)at(3), page); /* 3 and 4 */
  vptr__hold((uintptr_t)at(6), page); /* 6 and 7 */
  vptr__hold_release(at(2), page);
  ck_assert(is_free(2) && is_free(5));
  ck_assert(!is_free(0) && !is_free(3) && !is_free(6));
  vptr__hold_release(at(4), 1);
  ck_assert(is_free(3) && is_free(4));
  ck_assert(!is_free(0) && !is_free(1) && !is_free(6) && !is_free(7));
  vptr__hold_release(place, PAGES * page);
  expect_held(0, 0);
}
END_TEST

START_TEST(what_cannot_be_held_is_not) {
  vptr__hold((uintptr_t)at(1), 0);
  vptr__hold(0, page);
  vptr__hold(UINTPTR_MAX - page, page);
  vptr__hold((uintptr_t)at(1), SIZE_MAX);
  vptr__memory_fail_nth(1);
  vptr__hold((uintptr_t)at(1), page);
  vptr__memory_fail_nth(0);
  expect_held(0, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("hold");
  TCase *addresses = tcase_create("addresses");
  tcase_add_checked_fixture(addresses, set_up, tear_down);
  tcase_add_test(addresses, what_is_held_nobody_else_maps);
  tcase_add_test(addresses, what_is_mapped_is_left_alone);
  tcase_add_test(addresses, others_stay_held);
  tcase_add_test(addresses, what_cannot_be_held_is_not);
  suite_add_tcase(suite, addresses);
  return support_run(suite);
}
