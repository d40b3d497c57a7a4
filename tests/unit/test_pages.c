/* SPDX-License-Identifier: MIT */
/* pages, pattern - where valid bytes are, and how many pages a fault brings; no device, no memory of the host's. */
#include "mirror/pages.h"
#include "mirror/pattern.h"

#include "base/memory.h"
#include "support/support.h"

enum { COUNT = 3000, PAGE = 4096, MOST = VPTR__PATTERN_MOST_BYTES / PAGE };

static vptr__pages pages;
static vptr__pattern pattern;

static void setup(void) {
  support_succeed(vptr__pages_init(&pages, COUNT));
  vptr__pattern_init(&pattern, PAGE);
}

static void teardown(void) {
  vptr__pages_fini(&pages);
}

static vptr__run run_of(size_t first, size_t end) {
  return (vptr__run){ first, end };
}

static void expect_run(vptr__run got, size_t first, size_t end) {
  ck_assert_msg(got.first == first && got.end == end, "[%zu, %zu), expected [%zu, %zu)", got.first, got.end, first,
                end);
}

/* ---- pages ---------------------------------------------------------------------------------------------- */

START_TEST(all_begin_as_both) {
  ck_assert_uint_eq(pages.in[VPTR__PAGE_BOTH], COUNT);
  ck_assert_uint_eq(vptr__pages_tally(&pages, vptr__pages_all(&pages), VPTR__PAGE_BOTH), COUNT);
}
END_TEST

START_TEST(without_memory_there_is_no_table) {
  vptr__pages none = { .count = 7 };
  vptr__memory_fail_nth(1);
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, vptr__pages_init(&none, COUNT));
  ck_assert_uint_eq(none.count, 7);
}
END_TEST

START_TEST(runs_are_found_in_parts_and_at_the_edges) {
  vptr__run run;
  vptr__pages_set(&pages, run_of(0, 3), VPTR__PAGE_DEVICE);
  vptr__pages_set(&pages, run_of(10, 20), VPTR__PAGE_DEVICE);
  ck_assert(vptr__pages_find(&pages, run_of(0, COUNT), VPTR__PAGE_DEVICE, &run));
  expect_run(run, 0, 3);
  ck_assert(vptr__pages_find(&pages, run_of(run.end, COUNT), VPTR__PAGE_DEVICE, &run));
  expect_run(run, 10, 20);
  ck_assert(vptr__pages_find(&pages, run_of(12, 15), VPTR__PAGE_DEVICE, &run));
  expect_run(run, 12, 15);
  ck_assert(!vptr__pages_find(&pages, run_of(20, COUNT), VPTR__PAGE_DEVICE, &run));
  ck_assert(!vptr__pages_find(&pages, run_of(12, 12), VPTR__PAGE_DEVICE, &run));
  ck_assert(vptr__pages_find_other(&pages, run_of(0, COUNT), VPTR__PAGE_DEVICE, &run));
  expect_run(run, 3, 10);
  ck_assert(!vptr__pages_find_other(&pages, run_of(12, 15), VPTR__PAGE_DEVICE, &run));
}
END_TEST

START_TEST(what_is_in_each_state_is_counted_whatever_happens) {
  uint64_t random = 1;
  unsigned char model[COUNT] = { 0 };
  for (int i = 0; i < 2000; i++) {
    size_t first = support_random(&random) % COUNT, end = first + support_random(&random) % (COUNT - first + 1);
    vptr__page state = (vptr__page)(support_random(&random) % VPTR__PAGE_STATES);
    vptr__pages_set(&pages, run_of(first, end), state);
    for (size_t page = first; page < end; page++)
      model[page] = (unsigned char)state;
    size_t in[VPTR__PAGE_STATES] = { 0 };
    for (size_t page = 0; page < COUNT; page++)
      in[model[page]]++;
    for (int each = 0; each < VPTR__PAGE_STATES; each++)
      support_must(pages.in[each] == in[each]);
  }
}
END_TEST

/* ---- pattern -------------------------------------------------------------------------------------------- */

/* As a mirror does it. */
static vptr__run fault(size_t page, bool writes) {
  vptr__run piece = vptr__pattern_piece(&pattern, &pages, page, writes);
  support_must(piece.first <= page && page < piece.end && piece.end <= COUNT && piece.end - piece.first <= MOST);
  vptr__pages_set(&pages, piece, writes ? VPTR__PAGE_HOST : VPTR__PAGE_BOTH);
  return piece;
}

static void give_to_device(void) {
  vptr__pages_set(&pages, vptr__pages_all(&pages), VPTR__PAGE_DEVICE);
}

START_TEST(a_page_here_and_there_is_one_page) {
  give_to_device();
  for (size_t page = 5; page < COUNT; page += 700)
    expect_run(fault(page, false), page, page + 1);
}
END_TEST

START_TEST(a_walk_doubles_up_to_the_most) {
  give_to_device();
  size_t page = 0, length = 1;
  for (int i = 0; i < 12; i++) {
    vptr__run piece = fault(page, _i != 0);
    expect_run(piece, page, page + length < COUNT ? page + length : COUNT);
    page = piece.end;
    length = 2 * length < MOST ? 2 * length : MOST;
  }
}
END_TEST

START_TEST(walks_side_by_side_are_told_apart) {
  give_to_device();
  size_t next[VPTR__PATTERN_WALKS] = { 0, 700, 1400, 2100 };
  for (size_t length = 1; length <= 64; length *= 2)
    for (int i = 0; i < VPTR__PATTERN_WALKS; i++) {
      expect_run(fault(next[i], false), next[i], next[i] + length);
      next[i] += length;
    }
}
END_TEST

START_TEST(a_walk_backwards_is_brought_by_density) {
  give_to_device();
  int faults = 0;
  for (size_t page = MOST; page-- > 0;)
    if (vptr__pages_at(&pages, page) == VPTR__PAGE_DEVICE) {
      fault(page, false);
      faults++;
    }
  ck_assert_int_le(faults, 12);
}
END_TEST

START_TEST(what_may_be_read_is_not_dense_for_writing) {
  expect_run(fault(100, true), 100, 101);
  expect_run(fault(200, true), 200, 201);
}
END_TEST

START_TEST(only_a_steady_reader_is_read_ahead_for_and_not_too_far) {
  vptr__run ahead;
  give_to_device();
  size_t page = 0;
  while (page < MOST) {
    ck_assert(!vptr__pattern_ahead(&pattern, &pages, &ahead));
    page = fault(page, false).end;
  }
  page = fault(page, false).end;
  for (int i = 0; i < VPTR__PATTERN_AHEAD && page < COUNT; i++) {
    ck_assert(vptr__pattern_ahead(&pattern, &pages, &ahead));
    ck_assert_uint_eq(ahead.first, page);
    page = ahead.end;
  }
  ck_assert(!vptr__pattern_ahead(&pattern, &pages, &ahead));
}
END_TEST

START_TEST(a_lent_mirror_and_a_writer_are_not_read_ahead_for) {
  vptr__run ahead;
  give_to_device();
  for (size_t page = 0; page < 2 * MOST;)
    page = fault(page, false).end;
  vptr__pattern_break(&pattern);
  ck_assert(!vptr__pattern_ahead(&pattern, &pages, &ahead));
  for (size_t page = 0; page < 2 * MOST;)
    page = fault(page, true).end;
  ck_assert(!vptr__pattern_ahead(&pattern, &pages, &ahead));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("pages");
  TCase *tests = tcase_create("pages");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, all_begin_as_both);
  tcase_add_test(tests, without_memory_there_is_no_table);
  tcase_add_test(tests, runs_are_found_in_parts_and_at_the_edges);
  tcase_add_test(tests, what_is_in_each_state_is_counted_whatever_happens);
  tcase_add_test(tests, a_page_here_and_there_is_one_page);
  tcase_add_loop_test(tests, a_walk_doubles_up_to_the_most, 0, 2);
  tcase_add_test(tests, walks_side_by_side_are_told_apart);
  tcase_add_test(tests, a_walk_backwards_is_brought_by_density);
  tcase_add_test(tests, what_may_be_read_is_not_dense_for_writing);
  tcase_add_test(tests, only_a_steady_reader_is_read_ahead_for_and_not_too_far);
  tcase_add_test(tests, a_lent_mirror_and_a_writer_are_not_read_ahead_for);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
