/* SPDX-License-Identifier: MIT */
/*
 * usm_transfer - copies and sets between the kinds of unified shared memory and plain memory, and hints: at any offset
 * and length, to the byte; and what is refused has changed nothing.
 *
 * What is there is compared with plain arrays, read back by vptr_usm_memcpy(), which is compared itself where the host
 * can look.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr_usm.h>

#include "device/fake.h"
#include "stream/stream.h"
#include "usm/place.h"
#include "support/support.h"

/* Four places: one of each kind, and plain memory. */
enum { PLAIN = 0, HOST = 2, ROOM = 70000, PLACES = 4 };

static unsigned char *places[PLACES], *expected, *seen;

static void set_up(void) {
  static const vptr_usm_type kinds[] = { VPTR_USM_UNKNOWN, VPTR_USM_DEVICE, VPTR_USM_HOST, VPTR_USM_SHARED };
  places[PLAIN] = malloc(ROOM);
  for (int i = 1; i < PLACES; i++)
    support_succeed(vptr_usm_alloc(NULL, kinds[i], ROOM, 0, (void **)&places[i]));
  expected = malloc(ROOM);
  seen = malloc(ROOM);
  uint64_t random = 1;
  for (size_t i = 0; i < ROOM; i++)
    expected[i] = (unsigned char)support_random(&random);
  for (int i = 0; i < PLACES; i++)
    support_succeed(vptr_usm_memcpy(NULL, places[i], expected, ROOM));
}

static void tear_down(void) {
  free(places[PLAIN]);
  for (int i = 1; i < PLACES; i++)
    support_succeed(vptr_usm_free(NULL, places[i]));
  free(expected);
  free(seen);
  ck_assert_uint_eq(vptr_count(NULL), 0);
  support_succeed(vptr_check(NULL));
}

static bool host_reads(int place) {
  return vptr_usm_kind(NULL, places[place]) != VPTR_USM_DEVICE;
}

/* A place is as expected, also to the host's eye. */
static void expect(int place) {
  memset(seen, 0, ROOM);
  support_succeed(vptr_usm_memcpy(NULL, seen, places[place], ROOM));
  ck_assert(memcmp(seen, expected, ROOM) == 0);
  if (host_reads(place))
    ck_assert(memcmp(places[place], expected, ROOM) == 0);
}

static void restore(int place) {
  support_succeed(vptr_usm_memcpy(NULL, places[place], expected, ROOM));
}

/* ---- copies --------------------------------------------------------------------------------------------- */

static void copy_between(int to, int from, size_t to_at, size_t from_at, size_t size) {
  unsigned char *before = malloc(size);
  memcpy(before, expected + to_at, size);
  support_succeed(vptr_usm_memcpy(NULL, places[to] + to_at, places[from] + from_at, size));
  memmove(expected + to_at, expected + from_at, size);
  expect(to);
  memcpy(expected + to_at, before, size);
  restore(to);
  free(before);
}

START_TEST(any_two_places_are_copied_between) {
  static const size_t spans[][3] = { { 0, 0, 1 },     { 1, 0, 1 },       { 3, 7, 13 },        { 4095, 1, 4097 },
                                     { 0, 1, 65536 }, { 777, 0, 69001 }, { ROOM - 1, 5, 1 },  { 0, 0, ROOM },
                                     { 2, 2, 255 },   { 256, 255, 257 }, { 1, ROOM - 17, 17 } };
  for (int to = 0; to < PLACES; to++)
    for (int from = 0; from < PLACES; from++)
      for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        copy_between(to, from, spans[i][0], spans[i][1], spans[i][2]);
}
END_TEST

START_TEST(ranges_may_overlap) {
  for (int place = 0; place < PLACES; place++)
    for (size_t distance = 1; distance < 30000; distance = distance * 7 + 2) {
      copy_between(place, place, 11 + distance, 11, 30001);
      copy_between(place, place, 11, 11 + distance, 30001);
    }
}
END_TEST

START_TEST(no_bytes_are_copied_from_anywhere) {
  support_succeed(vptr_usm_memcpy(NULL, NULL, NULL, 0));
  support_succeed(vptr_usm_memset(NULL, NULL, 1, 0));
  support_succeed(vptr_usm_fill(NULL, NULL, "ab", 2, 0));
  support_succeed(vptr_usm_prefetch(NULL, NULL, 0));
  support_succeed(vptr_usm_advise(NULL, NULL, 0, VPTR_USM_ADVICE_NONE));
}
END_TEST

START_TEST(copies_that_leave_their_memory_are_refused) {
  for (int place = 1; place < PLACES; place++)
    for (int other = 0; other < PLACES; other++) {
      unsigned char *end = places[place] + ROOM - 10;
      support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_usm_memcpy(NULL, end, places[other], 11));
      support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_usm_memcpy(NULL, places[other], end, 11));
      support_expect(VPTR_ERROR_NULL_POINTER, vptr_usm_memcpy(NULL, NULL, places[place], 11));
      support_expect(VPTR_ERROR_NULL_POINTER, vptr_usm_memcpy(NULL, places[place], NULL, 11));
      support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_usm_memset(NULL, end, 1, 11));
      support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_usm_memset(NULL, end, 1, SIZE_MAX));
      support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_usm_fill(NULL, end, "abc", 3, 4));
      expect(place);
      expect(other);
    }
}
END_TEST

START_TEST(freed_device_memory_is_refused) {
  void *gone;
  support_succeed(vptr_usm_alloc(NULL, VPTR_USM_DEVICE, 1000, 0, &gone));
  support_succeed(vptr_usm_free(NULL, gone));
  support_expect(VPTR_ERROR_FREED, vptr_usm_memcpy(NULL, places[2], gone, 10));
  support_expect(VPTR_ERROR_FREED, vptr_usm_memcpy(NULL, gone, places[2], 10));
  support_expect(VPTR_ERROR_FREED, vptr_usm_memset(NULL, gone, 0, 10));
  expect(2);
}
END_TEST

/* ---- sets ----------------------------------------------------------------------------------------------- */

static void fill_and_expect(int place, size_t at, const unsigned char *pattern, size_t pattern_size, size_t count) {
  size_t size = pattern_size * count;
  unsigned char *before = malloc(size);
  memcpy(before, expected + at, size);
  support_succeed(vptr_usm_fill(NULL, places[place] + at, pattern, pattern_size, count));
  for (size_t i = 0; i < size; i++)
    expected[at + i] = pattern[i % pattern_size];
  expect(place);
  memcpy(expected + at, before, size);
  restore(place);
  free(before);
}

START_TEST(patterns_of_any_size_fill_any_kind) {
  unsigned char pattern[5000];
  for (size_t i = 0; i < sizeof pattern; i++)
    pattern[i] = (unsigned char)(i * 31 + i / 256 + 1);
  for (int place = 1; place < PLACES; place++) {
    for (size_t size = 1; size <= 17; size++)
      for (size_t at = 0; at < 8; at += 7) {
        fill_and_expect(place, at, pattern, size, 1);
        fill_and_expect(place, at, pattern, size, 37);
        fill_and_expect(place, at, pattern, size, (ROOM - at) / size);
      }
    fill_and_expect(place, 3, pattern, 24, 2000);
    fill_and_expect(place, 3, pattern, sizeof pattern, 13);
  }
}
END_TEST

START_TEST(sets_are_of_bytes) {
  for (int place = 1; place < PLACES; place++) {
    support_succeed(vptr_usm_memset(NULL, places[place] + 5, 0x1ab, 60001));
    support_succeed(vptr_usm_memcpy(NULL, seen, places[place], ROOM));
    for (size_t i = 0; i < ROOM; i++)
      support_must(seen[i] == (i >= 5 && i < 60006 ? 0xab : expected[i]));
  }
}
END_TEST

START_TEST(a_pattern_may_lie_where_it_is_written) {
  for (int place = 2; place < PLACES; place++)
    for (size_t from = 0; from < 200; from += 97) {
      unsigned char pattern[100];
      memcpy(pattern, expected + from, sizeof pattern);
      support_succeed(vptr_usm_fill(NULL, places[place] + 97, places[place] + from, sizeof pattern, 7));
      for (size_t i = 0; i < 700; i++)
        support_must(places[place][97 + i] == pattern[i % sizeof pattern]);
      restore(place);
    }
}
END_TEST

static void write_late(vptr_status status, void *pattern) {
  (void)status;
  usleep(50000);
  memcpy(pattern, "new", 3);
}

/* Work of a stream that was queued before may still write to it. */
START_TEST(a_pattern_that_work_in_flight_writes_is_waited_for) {
  vptr__stream *stream;
  vptr_mapper *mapper = NULL;
  support_succeed(vptr__usm_mapper_of(&mapper));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  for (int place = 1; place < PLACES; place++) {
    unsigned char *pattern = places[HOST] + ROOM - 3;
    memcpy(pattern, "old", 3);
    support_succeed(vptr__stream_host(stream, write_late, pattern));
    support_succeed(vptr_usm_fill(NULL, places[place] + 5, pattern, 3, 2));
    support_succeed(vptr_usm_memcpy(NULL, seen, places[place] + 5, 6));
    ck_assert_msg(memcmp(seen, "newnew", 6) == 0, "place %d: %.6s", place, (const char *)seen);
    restore(place);
  }
  restore(HOST);
}
END_TEST

START_TEST(patterns_that_are_none_are_refused) {
  for (int place = 1; place < PLACES; place++) {
    support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_usm_fill(NULL, places[place], "abc", 0, 5));
    support_expect(VPTR_ERROR_NULL_POINTER, vptr_usm_fill(NULL, places[place], NULL, 3, 5));
    support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_usm_fill(NULL, places[place], places[1], 3, 5));
    support_expect(VPTR_ERROR_INVALID_SIZE, vptr_usm_fill(NULL, places[place], "abc", 3, SIZE_MAX / 2));
    expect(place);
  }
}
END_TEST

/* In order behind the kernels that may have it. */
START_TEST(plain_memory_is_set_where_kernels_take_it) {
  vptr__fake_take_system(true);
  if (vptr_usm_supports(NULL, VPTR_USM_SYSTEM) != 0) {
    support_succeed(vptr_usm_memset(NULL, places[PLAIN] + 3, 7, 10));
    support_must(places[PLAIN][3] == 7 && places[PLAIN][12] == 7);
    support_succeed(vptr_usm_fill(NULL, places[PLAIN] + 3, "abc", 3, 3));
    support_must(memcmp(places[PLAIN] + 3, "abcabcabc\7", 10) == 0);
    support_succeed(vptr_usm_prefetch(NULL, places[PLAIN] + 3, 10));
    support_succeed(vptr_usm_advise(NULL, places[PLAIN], 10, VPTR_USM_ADVICE_READ_MOSTLY));
    support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_usm_memset(NULL, support_nowhere(), 0, 10));
    support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_usm_memset(NULL, places[PLAIN], 0, SIZE_MAX / 2));
    support_expect(VPTR_ERROR_NULL_POINTER, vptr_usm_memset(NULL, NULL, 0, 10));
    restore(PLAIN);
    expect(PLAIN);
  }
  vptr__fake_take_system(false);
}
END_TEST

START_TEST(plain_memory_is_no_target_of_sets_elsewhere) {
  if (vptr_usm_supports(NULL, VPTR_USM_SYSTEM) != 0)
    return;
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_usm_memset(NULL, places[PLAIN], 0, 10));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_usm_fill(NULL, places[PLAIN], "ab", 2, 10));
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_usm_memset(NULL, NULL, 0, 10));
  expect(PLAIN);
}
END_TEST

/* ---- hints ---------------------------------------------------------------------------------------------- */

START_TEST(hints_change_nothing_and_are_checked) {
  for (int place = 1; place < PLACES; place++) {
    support_succeed(vptr_usm_prefetch(NULL, places[place] + 3, ROOM - 3));
    for (int advice = 0; advice <= VPTR_USM_ADVICE_ON_HOST; advice++)
      support_succeed(vptr_usm_advise(NULL, places[place] + 3, 10, (vptr_usm_advice)advice));
    support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_usm_prefetch(NULL, places[place] + 3, ROOM - 2));
    support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_usm_advise(NULL, places[place], ROOM + 1, VPTR_USM_ADVICE_NONE));
    support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_usm_advise(NULL, places[place], 10, (vptr_usm_advice)4));
    support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_usm_advise(NULL, places[place], 10, (vptr_usm_advice)-1));
    expect(place);
  }
  if (vptr_usm_supports(NULL, VPTR_USM_SYSTEM) == 0) {
    support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_usm_prefetch(NULL, places[PLAIN], 10));
    support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_usm_advise(NULL, places[PLAIN], 10, VPTR_USM_ADVICE_READ_MOSTLY));
  }
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_usm_prefetch(NULL, NULL, 10));
}
END_TEST

static Suite *transfer_suite(void) {
  Suite *suite = suite_create("usm_transfer");
  TCase *transfer = tcase_create("transfer");
  tcase_add_checked_fixture(transfer, set_up, tear_down);
  tcase_add_test(transfer, any_two_places_are_copied_between);
  tcase_add_test(transfer, ranges_may_overlap);
  tcase_add_test(transfer, no_bytes_are_copied_from_anywhere);
  tcase_add_test(transfer, copies_that_leave_their_memory_are_refused);
  tcase_add_test(transfer, freed_device_memory_is_refused);
  tcase_add_test(transfer, patterns_of_any_size_fill_any_kind);
  tcase_add_test(transfer, sets_are_of_bytes);
  tcase_add_test(transfer, a_pattern_may_lie_where_it_is_written);
  tcase_add_test(transfer, a_pattern_that_work_in_flight_writes_is_waited_for);
  tcase_add_test(transfer, patterns_that_are_none_are_refused);
  tcase_add_test(transfer, plain_memory_is_set_where_kernels_take_it);
  tcase_add_test(transfer, plain_memory_is_no_target_of_sets_elsewhere);
  tcase_add_test(transfer, hints_change_nothing_and_are_checked);
  suite_add_tcase(suite, transfer);
  return suite;
}

int main(void) {
  return support_run(transfer_suite());
}
