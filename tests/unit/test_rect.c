/* SPDX-License-Identifier: MIT */
/*
 * test_rect - the arithmetic of rects, against marking every byte in an array.
 *
 * Small random rects in a small array reach each case of each formula many times; an array cannot be wrong.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "support/support.h"
#include "transfer/rect.h"

enum { ROUNDS = 20000, LENGTH = 4096 };

static uint64_t seed = 7;

/* A rect that begins at offset, with gaps at random. */
static vptr__pitched_endpoint random_pitched(const size_t region[3], size_t offset) {
  vptr__pitched_endpoint pitched = { .memory = { .offset = offset } };
  pitched.row = region[0] + support_below(&seed, 2) * support_below(&seed, 5);
  pitched.slice = pitched.row * (region[1] + support_below(&seed, 2) * support_below(&seed, 3));
  return pitched;
}

static void random_region(size_t region[3]) {
  region[0] = 1 + support_below(&seed, 7);
  region[1] = 1 + support_below(&seed, 5);
  region[2] = 1 + support_below(&seed, 4);
}

/* Counts one more in each byte of the rect. */
static void mark(unsigned char *bytes, const vptr__pitched_endpoint *pitched, const size_t region[3]) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      for (size_t x = 0; x < region[0]; x++)
        bytes[pitched->memory.offset + z * pitched->slice + y * pitched->row + x]++;
}

START_TEST(flattening_describes_the_same_bytes_in_the_same_order) {
  for (int i = 0; i < ROUNDS; i++) {
    size_t region[3], flat[3];
    random_region(region);
    vptr__pitched_endpoint a = random_pitched(region, support_below(&seed, 50)),
                           b = random_pitched(region, support_below(&seed, 50)), flat_a = a, flat_b = b;
    memcpy(flat, region, sizeof flat);
    vptr__rect_flatten(&flat_a, &flat_b, flat);
    support_must(vptr__rect_bytes(flat) == vptr__rect_bytes(region));
    support_must(flat_a.row >= flat[0] && flat_a.slice >= flat_a.row * flat[1]);
    for (size_t n = 0; n < vptr__rect_bytes(region); n++) {
      size_t x = n % region[0], y = n / region[0] % region[1], z = n / region[0] / region[1];
      size_t fx = n % flat[0], fy = n / flat[0] % flat[1], fz = n / flat[0] / flat[1];
      support_must(z * a.slice + y * a.row + x == fz * flat_a.slice + fy * flat_a.row + fx);
      support_must(z * b.slice + y * b.row + x == fz * flat_b.slice + fy * flat_b.row + fx);
    }
  }
}
END_TEST

START_TEST(flattening_removes_what_has_no_gaps) {
  size_t region[3] = { 8, 4, 3 };
  vptr__pitched_endpoint pitched = { .row = 8, .slice = 32 };
  vptr__rect_flatten(&pitched, NULL, region);
  ck_assert(vptr__rect_is_line(region) && region[0] == 96);
  size_t rows[3] = { 8, 1, 3 };
  vptr__pitched_endpoint sparse = { .row = 10, .slice = 40 };
  vptr__rect_flatten(&sparse, NULL, rows);
  ck_assert(rows[0] == 8 && rows[1] == 3 && rows[2] == 1 && sparse.row == 40);
}
END_TEST

START_TEST(overlap_is_a_byte_in_common) {
  int overlaps = 0;
  for (int i = 0; i < ROUNDS; i++) {
    unsigned char bytes[LENGTH] = { 0 };
    size_t region[3];
    random_region(region);
    vptr__pitched_endpoint a = random_pitched(region, support_below(&seed, 200)), b = a;
    b.memory.offset = support_below(&seed, 200);
    mark(bytes, &a, region);
    mark(bytes, &b, region);
    bool common = memchr(bytes, 2, sizeof bytes) != NULL;
    overlaps += common;
    support_must(vptr__rect_overlap(&a, &b, region) == common);
  }
  ck_assert_int_gt(overlaps, ROUNDS / 20);
  ck_assert_int_lt(overlaps, ROUNDS - ROUNDS / 20);
}
END_TEST

START_TEST(pieces_cover_a_rect_once_and_ascend) {
  for (int i = 0; i < ROUNDS; i++) {
    unsigned char bytes[LENGTH] = { 0 }, whole[LENGTH] = { 0 };
    size_t region[3], next = 0, limit = 1 + support_below(&seed, 40);
    random_region(region);
    vptr__pitched_endpoint pitched = random_pitched(region, support_below(&seed, 50));
    vptr__cut cut = vptr__cut_make(region, limit);
    for (size_t k = 0; k < cut.count; k++) {
      size_t at[3], piece[3];
      vptr__cut_piece(&cut, k, at, piece);
      vptr__pitched_endpoint part = pitched;
      part.memory.offset += at[0] + at[1] * pitched.row + at[2] * pitched.slice;
      support_must(part.memory.offset >= next && vptr__rect_bytes(piece) <= limit);
      support_must(vptr__rect_bytes(piece) <= vptr__cut_bytes(&cut));
      next = part.memory.offset + 1;
      mark(bytes, &part, piece);
    }
    mark(whole, &pitched, region);
    support_must(memcmp(bytes, whole, sizeof bytes) == 0);
  }
}
END_TEST

START_TEST(reach_is_behind_the_last_byte) {
  for (int i = 0; i < ROUNDS; i++) {
    size_t region[3], reach = 0;
    random_region(region);
    vptr__pitched_endpoint pitched = random_pitched(region, 0);
    vptr__operand operand = { .what = "side", .row = pitched.row, .slice = pitched.slice };
    support_must(vptr__rect_check(&operand, region, &reach) == VPTR_SUCCESS);
    support_must(reach == (region[2] - 1) * pitched.slice + (region[1] - 1) * pitched.row + region[0]);
  }
}
END_TEST

static vptr_status check(size_t row, size_t slice, size_t width, size_t rows, size_t slices) {
  vptr__operand operand = { .what = "side", .row = row, .slice = slice };
  size_t reach = 99;
  vptr_status status = vptr__rect_check(&operand, (size_t[3]){ width, rows, slices }, &reach);
  ck_assert(status == VPTR_SUCCESS || reach == 99);
  return status;
}

START_TEST(impossible_rects_are_refused) {
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, check(9, 0, 10, 2, 1));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, check(10, 19, 10, 2, 2));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, check(0, 9, 10, 1, 2));
  support_succeed(check(0, 0, 10, 1, 1));
  support_succeed(check(10, 0, 10, 2, 1));
  support_expect(VPTR_ERROR_INVALID_SIZE, check(SIZE_MAX / 2, 0, 10, 4, 1));
  support_expect(VPTR_ERROR_INVALID_SIZE, check(SIZE_MAX, 0, 10, 2, 1));
  support_expect(VPTR_ERROR_INVALID_SIZE, check((size_t)1 << 40, SIZE_MAX, 10, (size_t)1 << 40, 2));
  support_expect(VPTR_ERROR_INVALID_SIZE, check(16, SIZE_MAX / 2, 10, 2, 4));
}
END_TEST

static Suite *rect_suite(void) {
  Suite *suite = suite_create("rect");
  TCase *tests = tcase_create("arithmetic");
  tcase_add_test(tests, flattening_describes_the_same_bytes_in_the_same_order);
  tcase_add_test(tests, flattening_removes_what_has_no_gaps);
  tcase_add_test(tests, overlap_is_a_byte_in_common);
  tcase_add_test(tests, pieces_cover_a_rect_once_and_ascend);
  tcase_add_test(tests, reach_is_behind_the_last_byte);
  tcase_add_test(tests, impossible_rects_are_refused);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(rect_suite());
}
