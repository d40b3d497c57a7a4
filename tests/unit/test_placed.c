/* SPDX-License-Identifier: MIT */
/* Tests of allocations at an address that the caller names, and of windows that are taken at a place. */
#include <stdlib.h>

#include "heap/heap.h"
#include "mapper/mapper.h"
#include "mapper/registry.h"
#include "space/space.h"
#include "support/support.h"

static vptr_mapper *mapper;
static vptr_stats stats;

static void setup(void) {
  setenv("VPTR_PLATFORM", "fake", 1);
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 30;
  ck_assert_int_eq(vptr_mapper_create(&config, &mapper), VPTR_SUCCESS);
  stats.struct_size = sizeof stats;
  ck_assert_int_eq(vptr_get_stats(mapper, &stats), VPTR_SUCCESS);
}

static void teardown(void) {
  ck_assert_int_eq(vptr_check(mapper), VPTR_SUCCESS);
  ck_assert_int_eq(vptr_mapper_destroy(mapper), VPTR_SUCCESS);
}

static uintptr_t window(size_t i) {
  return stats.reserve_base + i * stats.window_bytes;
}

static vptr_status place(uintptr_t address, size_t size) {
  return vptr__heap_allocate_at(mapper->heap, address, size, NULL);
}

START_TEST(an_allocation_lies_where_it_was_asked_for) {
  vptr_location found;
  unsigned char written[100], read[100];
  for (int i = 0; i < 100; i++)
    written[i] = (unsigned char)i;
  ck_assert_int_eq(place(window(5), 3 * stats.window_bytes), VPTR_SUCCESS);
  void *inside = (void *)(window(7) + 11);
  ck_assert_int_eq(vptr_resolve(mapper, inside, 100, &found), VPTR_SUCCESS);
  ck_assert_uint_eq((uintptr_t)found.base, window(5));
  ck_assert_uint_eq(found.size, 3 * stats.window_bytes);
  ck_assert_int_eq(vptr_memcpy(mapper, inside, written, 100), VPTR_SUCCESS);
  ck_assert_int_eq(vptr_memcpy(mapper, read, inside, 100), VPTR_SUCCESS);
  ck_assert_mem_eq(read, written, 100);
  ck_assert_int_eq(vptr_free(mapper, (void *)window(5)), VPTR_SUCCESS);
  ck_assert_uint_eq(vptr_count(mapper), 0);
}
END_TEST

START_TEST(a_small_one_has_a_window_of_its_own) {
  ck_assert_int_eq(place(window(2), 1), VPTR_SUCCESS);
  ck_assert_int_eq(place(window(1), 1), VPTR_SUCCESS);
  ck_assert_int_eq(place(window(3), 1), VPTR_SUCCESS);
  ck_assert_uint_eq(vptr_count(mapper), 3);
}
END_TEST

/* Others go around it. */
START_TEST(what_is_placed_is_issued_to_nobody) {
  void *ptr;
  ck_assert_int_eq(place(window(1), 1000), VPTR_SUCCESS);
  for (int i = 0; i < 20; i++) {
    ck_assert_int_eq(vptr_malloc(mapper, stats.window_bytes, &ptr), VPTR_SUCCESS);
    ck_assert(((uintptr_t)ptr - stats.reserve_base) / stats.window_bytes != 1);
  }
}
END_TEST

START_TEST(a_place_that_is_taken_is_refused) {
  vptr_stats before = { .struct_size = sizeof before }, after = before;
  ck_assert_int_eq(place(window(4), stats.window_bytes), VPTR_SUCCESS);
  ck_assert_int_eq(vptr_get_stats(mapper, &before), VPTR_SUCCESS);
  ck_assert_int_eq(place(window(4), 1), VPTR_ERROR_OUT_OF_ADDRESSES);
  ck_assert_int_eq(place(window(5), 1), VPTR_ERROR_OUT_OF_ADDRESSES); /* one past the end is its own, too */
  ck_assert_int_eq(place(window(3), stats.window_bytes), VPTR_ERROR_OUT_OF_ADDRESSES);
  ck_assert_ptr_nonnull(vptr_last_error());
  ck_assert_int_eq(vptr_get_stats(mapper, &after), VPTR_SUCCESS);
  ck_assert_mem_eq(&before, &after, sizeof before);
  ck_assert_int_eq(place(window(3), stats.window_bytes - 4096), VPTR_SUCCESS);
}
END_TEST

START_TEST(what_is_no_place_is_refused) {
  ck_assert_int_eq(place(window(1) + 256, 1), VPTR_ERROR_INVALID_ARGUMENT);
  ck_assert_int_eq(place(window(0) - stats.window_bytes, 1), VPTR_ERROR_INVALID_ARGUMENT);
  ck_assert_int_eq(place(stats.reserve_base + stats.reserve_bytes, 1), VPTR_ERROR_INVALID_ARGUMENT);
  ck_assert_int_eq(place(window(0), SIZE_MAX), VPTR_ERROR_INVALID_SIZE);
  ck_assert_int_eq(place(window(1), stats.reserve_bytes), VPTR_ERROR_OUT_OF_ADDRESSES);
  ck_assert_uint_eq(vptr_count(mapper), 0);
}
END_TEST

/* The model is an array of who has each window. */
START_TEST(windows_are_taken_as_in_a_model) {
  enum { COUNT = 64, STEPS = 4000 };
  vptr__space space;
  uint32_t owner[COUNT] = { 0 }, length[COUNT] = { 0 };
  ck_assert_int_eq(vptr__space_init(&space, 0, (size_t)COUNT << 20, true), VPTR_SUCCESS);
  ck_assert_uint_eq(space.window_count, COUNT);
  srand(7);
  for (int step = 1; step <= STEPS; step++) {
    uint32_t first = (uint32_t)rand() % COUNT, count = 1 + (uint32_t)rand() % 8;
    bool is_free = first + count <= COUNT;
    for (uint32_t i = first; i < first + count && i < COUNT; i++)
      is_free &= owner[i] == 0;
    if (rand() % 3 == 0 && length[first] > 0) {
      vptr__space_give(&space, first);
      for (uint32_t i = first; i < first + length[first]; i++)
        owner[i] = 0;
      length[first] = 0;
      continue;
    }
    ck_assert_int_eq(vptr__space_take_at(&space, first, count) == VPTR_SUCCESS, is_free);
    ck_assert(vptr__space_is_valid(&space));
    if (!is_free)
      continue;
    length[first] = count;
    for (uint32_t i = first; i < first + count; i++)
      owner[i] = (uint32_t)step;
  }
  vptr__space_fini(&space);
}
END_TEST

/* The default mapper, which nobody configures, begins where it is told. */
START_TEST(the_default_mapper_has_its_place) {
  vptr_stats usual = { .struct_size = sizeof usual };
  ck_assert_int_eq(vptr_mapper_destroy(mapper), VPTR_SUCCESS);
  vptr__registry_place(stats.reserve_base, stats.reserve_bytes);
  ck_assert_int_eq(vptr_get_stats(NULL, &usual), VPTR_SUCCESS);
  ck_assert_uint_eq(usual.reserve_base, stats.reserve_base);
  ck_assert_uint_eq(usual.reserve_bytes, stats.reserve_bytes);
  mapper = NULL;
  setup();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("placed");
  TCase *placed = tcase_create("placed");
  tcase_add_checked_fixture(placed, setup, teardown);
  tcase_add_test(placed, an_allocation_lies_where_it_was_asked_for);
  tcase_add_test(placed, a_small_one_has_a_window_of_its_own);
  tcase_add_test(placed, what_is_placed_is_issued_to_nobody);
  tcase_add_test(placed, a_place_that_is_taken_is_refused);
  tcase_add_test(placed, what_is_no_place_is_refused);
  tcase_add_test(placed, windows_are_taken_as_in_a_model);
  tcase_add_test(placed, the_default_mapper_has_its_place);
  suite_add_tcase(suite, placed);
  return support_run(suite);
}
