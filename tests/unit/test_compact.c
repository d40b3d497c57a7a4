/* SPDX-License-Identifier: MIT */
/*
 * compact - slabs that are nearly empty are packed: their memory comes back, no byte is lost, no address changes, and
 * whatever fails leaves all as it was.
 */
#include "residences.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/option.h"
#include "device/fake.h"
#include "layer/faults.h"
#include "support/support.h"

enum { BUDGET = 16 << 20, COUNT = 2000, KEPT_ONE_IN = 10, LARGEST = 4000 };

typedef struct piece {
  unsigned char *ptr; /* NULL: freed */
  size_t size;
  int value;
} piece;

static piece pieces[COUNT];
static bool is_small; /* the device does not hold them all */

static void begin_with(size_t budget) {
  char text[32];
  snprintf(text, sizeof text, "%zu", budget);
  setenv("VPTR_DEVICE_BYTES", text, 1);
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  vptr__option_reload();
  support_succeed(vptr_mapper_create(NULL, &residences_mapper));
}

static void make_piece(piece *it, size_t size, int value) {
  void *ptr;
  support_succeed(vptr_malloc(residences_mapper, size, &ptr));
  support_succeed(vptr_memset(residences_mapper, ptr, value, size));
  *it = (piece){ ptr, size, value };
}

static void free_piece(piece *it) {
  support_succeed(vptr_free(residences_mapper, it->ptr));
  it->ptr = NULL;
}

static void expect_piece(const piece *it) {
  unsigned char got[LARGEST];
  support_succeed(vptr_memcpy(residences_mapper, got, it->ptr, it->size));
  for (size_t i = 0; i < it->size; i++)
    support_must(got[i] == (unsigned char)it->value);
}

static void expect_all(void) {
  for (int i = 0; i < COUNT; i++)
    if (pieces[i].ptr != NULL)
      expect_piece(&pieces[i]);
  support_succeed(vptr_check(residences_mapper));
}

/* One in ten is left, in random places. */
static void fragment(void) {
  uint64_t random = 5;
  for (int i = 0; i < COUNT; i++)
    make_piece(&pieces[i], support_below(&random, LARGEST) + 1, i);
  for (int i = 0; i < COUNT; i++)
    if (support_below(&random, KEPT_ONE_IN) != 0)
      free_piece(&pieces[i]);
  support_succeed(vptr_trim(residences_mapper, 0));
}

static void set_up(void) {
  is_small = false;
  begin_with(BUDGET);
  fragment();
}

static void tear_down(void) {
  for (int i = 0; i < COUNT; i++)
    if (pieces[i].ptr != NULL)
      free_piece(&pieces[i]);
  support_succeed(vptr_trim(residences_mapper, 0));
  const vptr__heap_places places = vptr__heap_places_of(residences_mapper->heap);
  ck_assert_uint_eq(places.packs, 0);
  ck_assert_uint_eq(places.packed, 0);
  residences_end();
}

static vptr_stats stats_now(void) {
  vptr_stats stats = { .struct_size = sizeof stats };
  support_succeed(vptr_get_stats(residences_mapper, &stats));
  return stats;
}

static size_t compact(void) {
  size_t released = SIZE_MAX;
  support_succeed(vptr_compact(residences_mapper, &released));
  return released;
}

/* A device that is full has no room to pack in. */
static bool compacts(void) {
  vptr_status status = vptr_compact(residences_mapper, NULL);
  return status == VPTR_SUCCESS || (is_small && status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY);
}

START_TEST(a_fragmented_heap_gives_its_memory_back) {
  const vptr_stats before = stats_now();
  ck_assert_uint_gt(before.slab_free_bytes, before.slab_bytes / 2);
  const size_t released = compact();
  const vptr_stats after = stats_now();
  ck_assert_uint_eq(after.buffer_bytes, before.buffer_bytes - released);
  ck_assert_uint_eq(after.live_bytes, before.live_bytes);
  ck_assert_uint_gt(after.packed_bytes, 0);
  ck_assert_uint_lt(after.buffer_bytes, before.buffer_bytes / 3);
  expect_all();
  ck_assert_uint_eq(stats_now().buffer_bytes, after.buffer_bytes);
  ck_assert_uint_eq(compact(), 0);
}
END_TEST

/* Neither to read nor to write: only what is allocated in a packed slab brings it back. */
START_TEST(what_is_packed_is_used_where_it_is) {
  compact();
  const size_t bytes = stats_now().buffer_bytes;
  for (int i = 0; i < COUNT; i++)
    if (pieces[i].ptr != NULL) {
      support_succeed(vptr_memset(residences_mapper, pieces[i].ptr, i + 7, pieces[i].size));
      pieces[i].value = i + 7;
    }
  expect_all();
  ck_assert_uint_eq(stats_now().buffer_bytes, bytes);
  for (int i = 0; i < COUNT; i++)
    if (pieces[i].ptr == NULL)
      make_piece(&pieces[i], (size_t)i + 1, i);
  expect_all();
  ck_assert_uint_gt(stats_now().buffer_bytes, bytes);
}
END_TEST

START_TEST(whose_buffer_is_told_comes_back_and_stays) {
  vptr_location location;
  compact();
  for (int i = 0; i < COUNT; i++)
    if (pieces[i].ptr != NULL) {
      support_succeed(vptr_resolve(residences_mapper, pieces[i].ptr, pieces[i].size, &location));
      ck_assert_int_eq(residences_state(pieces[i].ptr), VPTR__RESIDENCE_FIXED);
      ck_assert_uint_eq(location.buffer_offset,
                        (uintptr_t)pieces[i].ptr - vptr__range_at(residences_mapper->heap, pieces[i].ptr)->base);
    }
  ck_assert_uint_eq(compact(), 0);
  ck_assert_uint_eq(stats_now().packed_bytes, 0);
  expect_all();
}
END_TEST

START_TEST(what_is_leased_does_not_move) {
  vptr_location location;
  vptr__lease lease;
  int which = 0;
  while (pieces[which].ptr == NULL)
    which++;
  support_succeed(vptr__lease_take(residences_mapper->heap, pieces[which].ptr, 1, &location, &lease));
  ck_assert_uint_gt(compact(), 0);
  ck_assert_int_eq(residences_state(pieces[which].ptr), VPTR__RESIDENCE_HERE);
  ck_assert_ptr_eq(vptr__range_at(residences_mapper->heap, pieces[which].ptr)->buffer, location.buffer);
  vptr__lease_give(&lease);
  expect_all();
}
END_TEST

START_TEST(a_mapper_that_does_not_move_says_so) {
  size_t released = 3;
  vptr_mapper *still;
  setenv("VPTR_OVERSUBSCRIBE", "0", 1);
  vptr__option_reload();
  support_succeed(vptr_mapper_create(NULL, &still));
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_compact(still, &released));
  ck_assert_uint_eq(released, 3);
  support_succeed(vptr_mapper_destroy(still));
}
END_TEST

/* An allocation that has no room has it by that, and nothing leaves for the host. */
START_TEST(a_full_device_is_compacted_first) {
  void *large[64];
  size_t count = 0;
  while (count < 64 && stats_now().packed_bytes == 0)
    support_succeed(vptr_malloc(residences_mapper, SIZE, &large[count++]));
  ck_assert_uint_gt(stats_now().packed_bytes, 0);
  ck_assert_uint_eq(vptr__heap_places_of(residences_mapper->heap).away_count, 0);
  expect_all();
  for (size_t i = 0; i < count; i++)
    support_succeed(vptr_free(residences_mapper, large[i]));
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

static residences_fail *const faults[] = { residences_fail_device, residences_fail_call, vptr__memory_fail_nth };
enum { FAULTS = sizeof faults / sizeof *faults, MOST = 2000 };

START_TEST(every_call_may_fail_once) {
  int failed = 0;
  long n = 1;
  if (faults[_i] != vptr__memory_fail_nth && !faults_can())
    return;
  for (int quiet = 0; n <= MOST && quiet < 5; n++) {
    void *fresh[40] = { NULL };
    faults[_i](n);
    vptr_status status = vptr_compact(residences_mapper, NULL), used = VPTR_SUCCESS;
    for (int i = 0; i < 40 && used == VPTR_SUCCESS; i++) {
      used = vptr_malloc(residences_mapper, 100 * (size_t)i + 1, &fresh[i]);
      if (used == VPTR_SUCCESS)
        used = vptr_memset(residences_mapper, fresh[i], 1, 1);
    }
    faults[_i](0);
    const bool has_failed = status != VPTR_SUCCESS || used != VPTR_SUCCESS;
    quiet = has_failed || residences_has_fired(faults[_i]) ? 0 : quiet + 1;
    failed += has_failed;
    for (int i = 0; i < 40; i++)
      if (fresh[i] != NULL)
        support_succeed(vptr_free(residences_mapper, fresh[i]));
    if (n % 8 == 0)
      expect_all();
    support_succeed(vptr_check(residences_mapper));
  }
  ck_assert_int_lt(n, MOST);
  ck_assert_int_gt(failed, 0);
  expect_all();
}
END_TEST

/* ---- beside a model ------------------------------------------------------------------------------------- */

static void expect_and_copy(piece *to, const piece *from) {
  const size_t size = to->size < from->size ? to->size : from->size;
  if (to == from)
    return;
  support_succeed(vptr_memcpy(residences_mapper, to->ptr, from->ptr, size));
  expect_piece(&(piece){ to->ptr, size, from->value });
  support_succeed(vptr_memset(residences_mapper, to->ptr, to->value, to->size));
}

/* On a device that holds a part of it, so that what is packed leaves, too. */
START_TEST(a_random_program_sees_no_difference) {
  uint64_t random = 11;
  for (long round = 0; round < support_rounds(4000); round++) {
    piece *a = &pieces[support_below(&random, COUNT)], *b = &pieces[support_below(&random, COUNT)];
    if (a->ptr == NULL && support_below(&random, 8) == 0)
      make_piece(a, support_below(&random, LARGEST) + 1, (int)round);
    else if (a->ptr != NULL && support_below(&random, 4) == 0)
      free_piece(a);
    else if (a->ptr != NULL)
      expect_piece(a);
    if (a->ptr != NULL && b->ptr != NULL)
      expect_and_copy(a, b);
    if (round % 97 == 0)
      support_must(compacts());
    if (round % 501 == 0)
      expect_all();
  }
  expect_all();
}
END_TEST

static void set_up_small(void) {
  is_small = true;
  begin_with(600 << 10);
  fragment();
}

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 16, OWN = 60 };

static int do_round(const residences_worker *it, uint64_t *random, piece *own) {
  piece *a = &own[support_below(random, OWN)], *b = &own[support_below(random, OWN)];
  unsigned char got = 0;
  vptr_location location;
  int failures = 0;
  if (a->ptr == NULL) {
    void *ptr;
    a->size = support_below(random, LARGEST) + 1;
    a->value = (int)support_below(random, 256);
    if (vptr_malloc(residences_mapper, a->size, &ptr) != VPTR_SUCCESS)
      return 1;
    a->ptr = ptr;
    failures += vptr_memset(residences_mapper, a->ptr, a->value, a->size) != VPTR_SUCCESS;
  } else if (support_below(random, 2) == 0) {
    failures += vptr_free(residences_mapper, a->ptr) != VPTR_SUCCESS;
    a->ptr = NULL;
  }
  if (b->ptr == NULL)
    return failures;
  failures += vptr__mapper_locate(residences_mapper, b->ptr, b->size, &location) != VPTR_SUCCESS;
  failures += vptr_memcpy(residences_mapper, &got, b->ptr + b->size - 1, 1) != VPTR_SUCCESS;
  failures += got != (unsigned char)b->value;
  if (a->ptr != NULL && a != b) {
    failures += vptr_memcpy(residences_mapper, a->ptr, b->ptr, 1) != VPTR_SUCCESS;
    failures += vptr_memset(residences_mapper, a->ptr, a->value, 1) != VPTR_SUCCESS;
  }
  if (it->number % 4 == 0 && support_below(random, 20) == 0)
    failures += !compacts();
  return failures;
}

static void *work(void *context) {
  residences_worker *it = context;
  uint64_t random = (uint64_t)it->number + 1;
  piece own[OWN] = { { NULL, 0, 0 } };
  for (long round = 0; round < support_rounds(400); round++)
    it->failures += do_round(it, &random, own);
  if (it->failures > 0)
    fprintf(stderr, "thread %d: %d failures, at last: %s\n", it->number, it->failures, vptr_last_error());
  for (int i = 0; i < OWN; i++)
    it->failures += own[i].ptr != NULL && vptr_free(residences_mapper, own[i].ptr) != VPTR_SUCCESS;
  return NULL;
}

START_TEST(threads_compact_beside_all_else) {
  residences_run_threads(THREADS, work);
  expect_all();
}
END_TEST

int main(void) {
  faults_begin();
  Suite *suite = suite_create("compact");
  TCase *slabs = tcase_create("slabs"), *small = tcase_create("small");
  tcase_set_timeout(slabs, 120);
  tcase_add_checked_fixture(slabs, set_up, tear_down);
  tcase_add_test(slabs, a_fragmented_heap_gives_its_memory_back);
  tcase_add_test(slabs, what_is_packed_is_used_where_it_is);
  tcase_add_test(slabs, whose_buffer_is_told_comes_back_and_stays);
  tcase_add_test(slabs, what_is_leased_does_not_move);
  tcase_add_test(slabs, a_mapper_that_does_not_move_says_so);
  tcase_add_test(slabs, a_full_device_is_compacted_first);
  tcase_add_loop_test(slabs, every_call_may_fail_once, 0, FAULTS);
  tcase_add_test(slabs, a_random_program_sees_no_difference);
  tcase_add_test(slabs, threads_compact_beside_all_else);
  suite_add_tcase(suite, slabs);
  tcase_set_timeout(small, 120);
  tcase_add_checked_fixture(small, set_up_small, tear_down);
  tcase_add_test(small, a_random_program_sees_no_difference);
  tcase_add_test(small, threads_compact_beside_all_else);
  suite_add_tcase(suite, small);
  return support_run(suite);
}
