/* SPDX-License-Identifier: MIT */
/*
 * residence_slabs - small allocations beyond what the device has: their slabs leave as a whole, and come back when one
 * of them is used.
 */
#include "residences.h"

#include <pthread.h>
#include <string.h>

#include "support/support.h"

enum { SMALL = 8000, SMALLS = 40 };

static unsigned char *small[SMALLS];

static unsigned char byte_of(int which) {
  return (unsigned char)(3 * which + 1);
}

static unsigned char *allocate_small(int which) {
  void *ptr;
  support_succeed(vptr_malloc(residences_mapper, SMALL, &ptr));
  support_succeed(vptr_memset(residences_mapper, ptr, byte_of(which), SMALL));
  return ptr;
}

static void expect_small(int which) {
  unsigned char got[SMALL];
  support_succeed(vptr_memcpy(residences_mapper, got, small[which], SMALL));
  support_must(got[0] == byte_of(which) && memcmp(got, got + 1, SMALL - 1) == 0);
}

static void use_large(void) {
  for (int i = 0; i < MANY; i++)
    residences_expect(many[i], i);
}

static vptr__role role_of(const void *ptr) {
  return vptr__range_at(residences_mapper->heap, ptr)->role;
}

static void set_up(void) {
  residences_set_up();
  for (int i = 0; i < SMALLS; i++)
    small[i] = allocate_small(i);
}

static void tear_down(void) {
  for (int i = 0; i < SMALLS; i++)
    support_succeed(vptr_free(residences_mapper, small[i]));
  residences_tear_down();
}

START_TEST(slabs_leave_and_come_back_with_all_that_lies_in_them) {
  use_large();
  for (int i = 0; i < SMALLS; i++) {
    ck_assert_int_eq(role_of(small[i]), VPTR__ROLE_SLAB);
    ck_assert_int_eq(residences_state(small[i]), VPTR__RESIDENCE_AWAY);
  }
  const vptr__heap_places places = vptr__heap_places_of(residences_mapper->heap);
  ck_assert_uint_gt(places.away_count, MANY - FIT);
  ck_assert_uint_ge(places.in_memory, (size_t)(MANY - FIT) * SIZE + (size_t)SMALLS * SMALL);
  for (int i = 0; i < SMALLS; i++)
    expect_small(i);
  ck_assert_int_eq(residences_state(small[SMALLS - 1]), VPTR__RESIDENCE_HERE);
  use_large();
  support_succeed(vptr_check(residences_mapper));
}
END_TEST

/* Neither needs the bytes. */
START_TEST(slots_of_a_slab_that_is_away_are_freed_and_issued) {
  vptr_location location;
  use_large();
  support_succeed(vptr_free(residences_mapper, small[1]));
  support_expect(VPTR_ERROR_FREED, vptr__mapper_locate(residences_mapper, small[1], 1, &location));
  void *again;
  support_succeed(vptr_malloc(residences_mapper, SMALL, &again));
  small[1] = again;
  ck_assert_int_eq(residences_state(small[0]), VPTR__RESIDENCE_AWAY);
  support_succeed(vptr__mapper_locate(residences_mapper, small[1] + 5, SMALL - 5, &location));
  ck_assert(location.base == small[1] && location.size == SMALL && location.buffer == NULL);
  support_succeed(vptr_memset(residences_mapper, small[1], byte_of(1), SMALL));
  for (int i = 0; i < SMALLS; i++)
    expect_small(i);
}
END_TEST

START_TEST(a_slab_whose_buffer_the_program_has_stays) {
  vptr_location location;
  use_large();
  support_succeed(vptr_resolve(residences_mapper, small[0], SMALL, &location));
  ck_assert_ptr_nonnull(location.buffer);
  use_large();
  ck_assert_int_eq(residences_state(small[0]), VPTR__RESIDENCE_FIXED);
  ck_assert_ptr_eq(vptr__range_at(residences_mapper->heap, small[0])->buffer, location.buffer);
  for (int i = 0; i < SMALLS; i++)
    expect_small(i);
}
END_TEST

START_TEST(what_the_library_has_for_itself_lies_in_no_slab) {
  void *own;
  support_succeed(vptr__mapper_allocate(residences_mapper, 100, NULL, &own));
  ck_assert_int_eq(role_of(own), VPTR__ROLE_WHOLE);
  ck_assert_int_eq(residences_state(own), VPTR__RESIDENCE_FIXED);
  support_succeed(vptr_free(residences_mapper, own));
}
END_TEST

/* An empty slab that is away is given up there. */
START_TEST(slabs_end_while_they_are_away) {
  use_large();
  for (int i = 0; i < SMALLS; i++)
    support_succeed(vptr_free(residences_mapper, small[i]));
  support_succeed(vptr_trim(residences_mapper, 0));
  support_succeed(vptr_check(residences_mapper));
  ck_assert_uint_eq(residences_away(), MANY - FIT);
  for (int i = 0; i < SMALLS; i++)
    small[i] = allocate_small(i);
  use_large();
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 8, OWN = 6 };

/* Sizes of several classes, twice what fits together with the others'. */
static void *work(void *context) {
  residences_worker *it = context;
  uint64_t random = (uint64_t)it->number + 1;
  unsigned char *own[OWN] = { NULL }, got;
  size_t sizes[OWN] = { 0 };
  for (long round = 0; round < support_rounds(300); round++) {
    size_t i = support_below(&random, OWN);
    void *ptr;
    if (own[i] != NULL) {
      it->failures += vptr_memcpy(residences_mapper, &got, own[i] + sizes[i] - 1, 1) != VPTR_SUCCESS;
      it->failures += got != (unsigned char)(it->number + (int)i);
      it->failures += vptr_free(residences_mapper, own[i]) != VPTR_SUCCESS;
    }
    sizes[i] = support_below(&random, 100000) + 1;
    it->failures += vptr_malloc(residences_mapper, sizes[i], &ptr) != VPTR_SUCCESS;
    it->failures += vptr_memset(residences_mapper, ptr, it->number + (int)i, sizes[i]) != VPTR_SUCCESS;
    own[i] = ptr;
  }
  for (int i = 0; i < OWN; i++)
    it->failures += own[i] != NULL && vptr_free(residences_mapper, own[i]) != VPTR_SUCCESS;
  return NULL;
}

START_TEST(threads_use_slabs_that_come_and_go) {
  residences_run_threads(THREADS, work);
  for (int i = 0; i < SMALLS; i++)
    expect_small(i);
  use_large();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("residence_slabs");
  TCase *slabs = tcase_create("slabs");
  tcase_set_timeout(slabs, 120);
  tcase_add_checked_fixture(slabs, set_up, tear_down);
  tcase_add_test(slabs, slabs_leave_and_come_back_with_all_that_lies_in_them);
  tcase_add_test(slabs, slots_of_a_slab_that_is_away_are_freed_and_issued);
  tcase_add_test(slabs, a_slab_whose_buffer_the_program_has_stays);
  tcase_add_test(slabs, what_the_library_has_for_itself_lies_in_no_slab);
  tcase_add_test(slabs, slabs_end_while_they_are_away);
  tcase_add_test(slabs, threads_use_slabs_that_come_and_go);
  suite_add_tcase(suite, slabs);
  return support_run(suite);
}
