/* SPDX-License-Identifier: MIT */
/* foreign: spaces at addresses that are a device's. What of them is free is reserved, what the host uses is refused;
 * and runs that are set apart come back in order. */
#include "support/support.h"

#include "space/reservation.h"
#include "space/space.h"

#include <string.h>
#include <sys/mman.h>

enum { WINDOW = 256 << 10, WINDOWS = 16, GUARD = 4096 };

static char *device; /* addresses as a driver would keep them, of 18 windows */

static char *map(void *at, size_t size, int protection) {
  int fixed = at != NULL ? MAP_FIXED : 0;
  void *got = mmap(at, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  ck_assert_ptr_ne(got, MAP_FAILED);
  return got;
}

static void set_up(void) {
  device = map(NULL, (WINDOWS + 2) * WINDOW, PROT_NONE);
}

static void tear_down(void) {
  munmap(device, (WINDOWS + 2) * WINDOW);
}

static vptr_status begin(vptr__space *space) {
  const vptr__space_place place = {
    .base = (uintptr_t)device + WINDOW, .guard = GUARD, .size = (size_t)WINDOWS * WINDOW, .window_shift = 18
  };
  return vptr__space_init_foreign(space, &place, true);
}

/* Whether nothing is mapped there; if so it is now. */
static bool was_free(char *at, size_t size) {
  return vptr__reservation_map((uintptr_t)at, size);
}

START_TEST(a_space_lies_where_the_device_is) {
  vptr__space space;
  uint32_t first;
  support_succeed(begin(&space));
  ck_assert_uint_eq(space.base, (uintptr_t)device + WINDOW);
  ck_assert_uint_eq(space.window_count, WINDOWS);
  support_succeed(vptr__space_take(&space, WINDOWS, &first));
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr__space_take(&space, 1, &first));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "VPTR_ADDRESSES=device"));
  vptr__space_fini(&space);
  ck_assert(!was_free(device + WINDOW, WINDOW)); /* it is the driver's still */
}
END_TEST

START_TEST(what_is_free_is_reserved_and_given_back) {
  vptr__space space;
  munmap(device + 3 * WINDOW, WINDOW);
  munmap(device + 9 * WINDOW, 2 * WINDOW);
  support_succeed(begin(&space));
  ck_assert(!was_free(device + 3 * WINDOW, WINDOW));
  ck_assert(!was_free(device + 10 * WINDOW, WINDOW));
  vptr__space_fini(&space);
  ck_assert(was_free(device + 3 * WINDOW, WINDOW));
  ck_assert(was_free(device + 9 * WINDOW, 2 * WINDOW));
}
END_TEST

START_TEST(what_the_host_can_use_is_refused) {
  static const int protections[] = { PROT_READ, PROT_READ | PROT_WRITE };
  vptr__space space;
  memset(&space, 0x5a, sizeof space);
  const vptr__space before = space;
  munmap(device + 3 * WINDOW, WINDOW);
  for (int i = 0; i < 2; i++) {
    map(device + 5 * WINDOW, 4096, protections[i]);
    support_expect(VPTR_ERROR_UNSUPPORTED, begin(&space));
    ck_assert_mem_eq(&space, &before, sizeof space);
  }
  ck_assert(was_free(device + 3 * WINDOW, WINDOW)); /* nothing is left behind */
  map(device + 5 * WINDOW, 4096, PROT_NONE);
  map(device + WINDOW - GUARD, GUARD, PROT_READ); /* the guard counts */
  support_expect(VPTR_ERROR_UNSUPPORTED, begin(&space));
  map(device + WINDOW - GUARD, GUARD, PROT_NONE);
  map(device, WINDOW - GUARD, PROT_READ);                  /* what is before it does not */
  map(device + (WINDOWS + 1) * WINDOW, WINDOW, PROT_READ); /* nor what is behind the space */
  support_succeed(begin(&space));
  vptr__space_fini(&space);
}
END_TEST

START_TEST(too_many_pieces_are_refused) {
  vptr__space space;
  for (int i = 0; i <= VPTR__FOREIGN_GAPS; i++)
    munmap(device + WINDOW + 2 * i * 8192, 8192);
  support_expect(VPTR_ERROR_UNSUPPORTED, begin(&space));
  ck_assert(was_free(device + WINDOW, 8192));
  ck_assert(was_free(device + WINDOW + 4 * 8192, 8192));
}
END_TEST

START_TEST(runs_that_are_set_apart_come_back_in_order) {
  vptr__space space;
  uint32_t first, second, third, rest;
  support_succeed(begin(&space));
  ck_assert(!vptr__space_recall(&space));
  support_succeed(vptr__space_take(&space, 3, &first));
  support_succeed(vptr__space_take(&space, 5, &second));
  support_succeed(vptr__space_take(&space, WINDOWS - 8, &third));
  vptr__space_keep(&space, second);
  vptr__space_keep(&space, first);
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr__space_take(&space, 1, &rest));
  ck_assert(vptr__space_is_valid(&space));
  ck_assert(vptr__space_recall(&space));
  support_succeed(vptr__space_take(&space, 5, &rest));
  ck_assert_uint_eq(rest, second);
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr__space_take(&space, 1, &rest));
  ck_assert(vptr__space_recall(&space));
  ck_assert(!vptr__space_recall(&space));
  support_succeed(vptr__space_take(&space, 3, &rest));
  ck_assert_uint_eq(rest, first);
  ck_assert(vptr__space_is_valid(&space));
  vptr__space_fini(&space);
}
END_TEST

static Suite *foreign_suite(void) {
  Suite *suite = suite_create("foreign");
  TCase *tests = tcase_create("foreign");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, a_space_lies_where_the_device_is);
  tcase_add_test(tests, what_is_free_is_reserved_and_given_back);
  tcase_add_test(tests, what_the_host_can_use_is_refused);
  tcase_add_test(tests, too_many_pieces_are_refused);
  tcase_add_test(tests, runs_that_are_set_apart_come_back_in_order);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(foreign_suite());
}
