/* SPDX-License-Identifier: MIT */
/*
 * test_fill - vptr_memset() and vptr_fill() against a host model.
 *
 * Every fill is checked with the bytes around it, since head and tail of a fill are where one goes wrong. The
 * random patterns have sizes 1 to 200, at any alignment, and some repeat within themselves: those take other paths
 * than their size says. All of it is run four times: also as on a device that likes wide patterns, on
 * one that fills by kernels, and on one whose fills do not reach far (device/opencl_fill.c).
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"
#include "transfer/width.h"

enum { BYTES = 400000, GUARD = 0xa5 };

static vptr_mapper *mapper;
static unsigned char *device, *model, *seen;

static void setup(void) {
  void *ptr = NULL;
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr_malloc(mapper, BYTES, &ptr));
  device = ptr;
  model = malloc(BYTES);
  seen = malloc(BYTES);
  memset(model, GUARD, BYTES);
  support_succeed(vptr_memcpy(mapper, device, model, BYTES));
}

static void setup_wide(void) {
  setup();
  mapper->device->tuning.fill_wide = true;
}

/* What kernels can do they do, where there are any (device/opencl_blit.c). */
static void setup_kernels(void) {
  setup_wide();
  mapper->device->tuning.blit_bytes = 16;
  mapper->device->test.blit_untried = true;
}

/* As if all of it were far from the beginning of its buffer. */
static void setup_far(void) {
  setup();
  mapper->device->quirk.fill_reach = 1000;
}

static void teardown(void) {
  free(model);
  free(seen);
  support_succeed(vptr_free(mapper, device));
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static void expect_model(void) {
  support_succeed(vptr_memcpy(mapper, seen, device, BYTES));
  for (size_t i = 0; i < BYTES; ++i)
    if (seen[i] != model[i])
      ck_abort_msg("byte %zu is %u, not %u", i, seen[i], model[i]);
}

/* Only the bytes near the fill are read back: thousands of small fills shall not take minutes. */
static void expect_model_near(size_t at, size_t size) {
  size_t from = at < 200 ? 0 : at - 200, to = at + size + 200 < BYTES ? at + size + 200 : BYTES;
  support_succeed(vptr_memcpy(mapper, seen, device + from, to - from));
  for (size_t i = from; i < to; ++i)
    if (seen[i - from] != model[i])
      ck_abort_msg("after a fill of %zu bytes at %zu, byte %zu is %u, not %u", size, at, i, seen[i - from], model[i]);
}

static void memset_both(size_t at, int value, size_t size) {
  memset(model + at, value, size);
  support_succeed(vptr_memset(mapper, device + at, value, size));
  expect_model_near(at, size);
}

static void fill_both(size_t at, const unsigned char *pattern, size_t pattern_size, size_t count) {
  for (size_t i = 0; i < count; ++i)
    memcpy(model + at + i * pattern_size, pattern, pattern_size);
  support_succeed(vptr_fill(mapper, device + at, pattern, pattern_size, count));
  expect_model_near(at, pattern_size * count);
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

/* On both sides of what is written rather than filled, at all residues of the widest pattern. */
START_TEST(memset_sets_its_bytes_and_no_others) {
  static const size_t sizes[] = { 1, 2, 15, 16, 17, 4095, 4096, 4097, 4112, 5000, 100003 };
  int value = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (size_t at = 0; at < 34; at += i < 5 ? 1 : 3)
      memset_both(at, ++value, sizes[i]);
  expect_model();
}
END_TEST

START_TEST(memset_takes_the_low_byte_of_its_value) {
  memset_both(0, 0x1ff, 9000);
  memset_both(3, -2, 9000);
  memset_both(7, 0x12345600, 9000);
}
END_TEST

START_TEST(memset_fills_to_the_last_byte) {
  memset_both(0, 1, BYTES);
  memset_both(BYTES - 1, 2, 1);
  memset_both(1, 3, BYTES - 1);
  expect_model();
}
END_TEST

/* Patterns that repeat within themselves come up as often as those that do not. */
static size_t random_pattern(unsigned char *pattern, uint64_t *state) {
  size_t size = 1 + support_random(state) % 200;
  size_t period = support_random(state) % 2 == 0 ? size : 1 + support_random(state) % size;
  for (size_t i = 0; i < size; ++i)
    pattern[i] = i < period ? (unsigned char)support_random(state) : pattern[i - period];
  return size;
}

/* All but the last byte are alike: no period but its own. */
START_TEST(the_last_byte_of_a_pattern_counts) {
  for (size_t size = 2; size <= 64; size++) {
    unsigned char pattern[64] = { 0 };
    pattern[size - 1] = 9;
    fill_both(3, pattern, size, 5000 / size);
  }
  expect_model();
}
END_TEST

START_TEST(random_fills_agree_with_the_model) {
  uint64_t state = 1;
  for (long i = 0; i < support_rounds(1500); ++i) {
    unsigned char pattern[200];
    size_t size = random_pattern(pattern, &state);
    size_t at = support_random(&state) % (BYTES - size);
    size_t limit = i % 2 == 0 ? 10000 : BYTES;
    size_t count = 1 + support_random(&state) % (limit / size);
    if (count > (BYTES - at) / size)
      count = (BYTES - at) / size;
    fill_both(at, pattern, size, count);
  }
  expect_model();
}
END_TEST

START_TEST(powers_of_two_fill_at_every_alignment) {
  unsigned char pattern[256];
  for (int i = 0; i < 256; ++i)
    pattern[i] = (unsigned char)(i * 7 + 1);
  for (size_t size = 1; size <= 256; size *= 2)
    for (size_t at = 0; at <= size; at += 1 + size / 16)
      fill_both(at, pattern, size, 6000 / size + 3);
}
END_TEST

/* Where there are kernels, they are one (device/opencl_blit_set.c). */
START_TEST(parts_of_48_bytes_fill_at_every_alignment) {
  static const size_t sizes[] = { 3, 6, 12, 24, 48 };
  unsigned char pattern[48];
  for (int i = 0; i < 48; ++i)
    pattern[i] = (unsigned char)(i * 11 + 1);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (size_t at = 0; at <= 50; at += 1 + at / 20)
      fill_both(at, pattern, sizes[i], (4100 + 7 * at) / sizes[i]);
  fill_both(1, pattern, 12, BYTES / 12 - 1);
  expect_model();
}
END_TEST

START_TEST(large_patterns_repeat) {
  static const size_t sizes[] = { 2047, 2048, 2049, 4096, 4097, 8192, 70000 };
  uint64_t state = 2;
  unsigned char *pattern = malloc(70000);
  for (int i = 0; i < 70000; ++i)
    pattern[i] = (unsigned char)(support_random(&state) >> 8);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    fill_both(5, pattern, sizes[i], 1);
    fill_both(5, pattern, sizes[i], (BYTES - 5) / sizes[i]);
  }
  free(pattern);
  expect_model();
}
END_TEST

START_TEST(fills_below_4_KiB_are_one_command) {
  if (support_has_opencl())
    return;
  vptr__fake_counts before, after;
  vptr__fake_get_counts(&before);
  support_succeed(vptr_memset(mapper, device + 3, 1, 4000));
  support_succeed(vptr_fill(mapper, device + 3, "abc", 3, 1000));
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.operations - before.operations, 2);
}
END_TEST

START_TEST(hardly_a_byte_of_a_large_fill_comes_from_the_host) {
  static const unsigned char zeros[24];
  if (support_has_opencl())
    return;
  vptr__fake_counts before, after;
  vptr__fake_get_counts(&before);
  support_succeed(vptr_memset(mapper, device + 3, 1, 300000));
  support_succeed(vptr_fill(mapper, device + 3, zeros, 24, 10000));
  vptr__fake_get_counts(&after);
  ck_assert_uint_lt(after.written - before.written, 100);
  ck_assert_uint_gt(after.filled - before.filled, 539000);
  support_succeed(vptr_fill(mapper, device, "0123456789", 10, 30000));
  vptr__fake_get_counts(&after);
  ck_assert_uint_lt(after.written - before.written, 4200);
}
END_TEST

/* ---- verdicts ------------------------------------------------------------------------------------------- */

START_TEST(nothing_to_fill_is_success) {
  support_succeed(vptr_memset(mapper, NULL, 1, 0));
  support_succeed(vptr_memset(mapper, (void *)8, 1, 0));
  support_succeed(vptr_fill(mapper, NULL, NULL, 4, 0));
  expect_model();
}
END_TEST

/* The program may have a wrong pattern beside a wrong address, and is told of the address. */
START_TEST(a_pattern_is_not_read_for_a_wrong_address) {
  unsigned char host[8];
  void *nowhere = support_nowhere();
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_fill(mapper, host, nowhere, 4, 2));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_fill(mapper, device, nowhere, 4, BYTES));
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_fill(mapper, NULL, nowhere, 4, 2));
}
END_TEST

START_TEST(patterns_are_checked) {
  char pattern[4] = "abc";
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_fill(mapper, device, pattern, 0, 1));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_fill(mapper, device, pattern, 0, 0));
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_fill(mapper, device, NULL, 4, 1));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_fill(mapper, device, device + 100, 4, 1));
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr_fill(mapper, device, pattern, 4, SIZE_MAX / 4 + 1));
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr_fill(mapper, device, pattern, 2, SIZE_MAX));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_fill(mapper, device, pattern, 4, SIZE_MAX / 4));
  expect_model();
}
END_TEST

static void expect_refusal(vptr_status expected, void *bad, size_t size) {
  support_expect(expected, vptr_memset(mapper, bad, 1, size));
  ck_assert_str_ne(vptr_last_error(), "");
  support_expect(expected, vptr_fill(mapper, bad, "x", 1, size));
  ck_assert_str_ne(vptr_last_error(), "");
}

START_TEST(every_edge_has_its_verdict) {
  int local = 0;
  expect_refusal(VPTR_ERROR_NULL_POINTER, NULL, 1);
  expect_refusal(VPTR_ERROR_UNKNOWN_ADDRESS, &local, 1);
  expect_refusal(VPTR_ERROR_OUT_OF_BOUNDS, device, BYTES + 1);
  expect_refusal(VPTR_ERROR_OUT_OF_BOUNDS, device, SIZE_MAX);
  expect_refusal(VPTR_ERROR_OUT_OF_BOUNDS, device + BYTES - 1, 2);
  expect_refusal(VPTR_ERROR_PAST_END, device + BYTES, 1);
  ck_assert_int_eq(local, 0);
  void *freed = NULL;
  support_succeed(vptr_malloc(mapper, 1000, &freed));
  support_succeed(vptr_free(mapper, freed));
  expect_refusal(VPTR_ERROR_FREED, freed, 1);
  vptr_mapper *other = NULL;
  void *theirs = NULL;
  support_succeed(vptr_mapper_create(NULL, &other));
  support_succeed(vptr_malloc(other, 100, &theirs));
  expect_refusal(VPTR_ERROR_OTHER_MAPPER, theirs, 1);
  support_succeed(vptr_mapper_destroy(other));
  expect_model();
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

struct request {
  size_t at, pattern_size, count;
};

static const struct request requests[] = {
  { 0, 1, 100 }, { 3, 1, 50000 }, { 3, 8, 5000 }, { 1, 48, 5000 }, { 0, 5000, 20 }
};

static vptr_status perform(const struct request *request) {
  static unsigned char pattern[5000];
  for (size_t i = 0; i < sizeof pattern; ++i)
    pattern[i] = (unsigned char)(i * i + i / 256);
  return vptr_fill(mapper, device + request->at, pattern, request->pattern_size, request->count);
}

static bool fails_cleanly(const struct request *request, long n) {
  vptr__fake_counts before, after;
  vptr__fake_get_counts(&before);
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
  vptr_status status = perform(request);
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.buffers, before.buffers);
  support_succeed(vptr_check(mapper));
  if (after.operations - before.operations < (uint64_t)n) {
    support_succeed(status);
    return false;
  }
  ck_assert_int_ne(status, VPTR_SUCCESS);
  return true;
}

START_TEST(faults_at_every_operation_are_told_and_harm_nothing) {
  if (support_has_opencl())
    return;
  for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i) {
    long n = 1;
    while (fails_cleanly(&requests[i], n))
      n++;
    ck_assert_int_gt(n, 1);
    memset_both(0, (int)i, BYTES);
  }
}
END_TEST

/* Doubling sends its copies without waiting for each: whichever fails, alone, is told. So is the one command of 48
   bytes. */
START_TEST(a_command_that_fails_is_told_wherever_it_is) {
  static const struct request doubled = { 0, 80, 3000 }, at_once = { 0, 48, 5000 };
  if (support_has_opencl())
    return;
  for (long n = 1; n <= 6; n++) {
    vptr__fake_fail_command(n, CL_OUT_OF_RESOURCES);
    support_expect(VPTR_ERROR_OPENCL, perform(&doubled));
    vptr__fake_fail_command(0, CL_SUCCESS);
    memset_both(0, (int)n, BYTES);
  }
  vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, perform(&at_once));
  vptr__fake_fail_command(0, CL_SUCCESS);
  memset_both(0, 0, BYTES);
}
END_TEST

/* ---- width ---------------------------------------------------------------------------------------------- */

START_TEST(width_is_the_most_that_fits) {
  vptr__device gpu = { .tuning.fill_wide = true }, cpu = { .tuning.fill_wide = false };
  const size_t large = (size_t)4 << 20;
  ck_assert_uint_eq(vptr__width_of_fill(&gpu, 1, 0, 65536), 16);
  ck_assert_uint_eq(vptr__width_of_fill(&gpu, 1, 8, 65536), 8);
  ck_assert_uint_eq(vptr__width_of_fill(&gpu, 1, 0, 65537), 1);
  ck_assert_uint_eq(vptr__width_of_fill(&gpu, 1, 1, large), 16);
  ck_assert_uint_eq(vptr__width_of_fill(&gpu, 32, 0, 65536), 32);
  ck_assert_uint_eq(vptr__width_of_fill(&cpu, 1, 0, large), 1);
  ck_assert_uint_eq(vptr__width_of_fill(&cpu, 2, 0, 65536), 64);
  ck_assert_uint_eq(vptr__width_of_fill(&cpu, 4, 4, 65536), 4);
  ck_assert_uint_eq(vptr__width_of_fill(&cpu, 128, 0, 65536), 128);
}
END_TEST

START_TEST(fills_need_no_host_memory) {
  if (support_has_opencl())
    return;
  for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i) {
    vptr__memory_fail_nth(1);
    vptr_status status = perform(&requests[i]);
    vptr__memory_fail_nth(0);
    support_succeed(status);
  }
}
END_TEST

static void add_bytes(Suite *suite, const char *name, void (*before)(void)) {
  TCase *bytes = tcase_create(name);
  tcase_add_checked_fixture(bytes, before, teardown);
  tcase_add_test(bytes, memset_sets_its_bytes_and_no_others);
  tcase_add_test(bytes, memset_takes_the_low_byte_of_its_value);
  tcase_add_test(bytes, memset_fills_to_the_last_byte);
  tcase_add_test(bytes, the_last_byte_of_a_pattern_counts);
  tcase_add_test(bytes, random_fills_agree_with_the_model);
  tcase_add_test(bytes, powers_of_two_fill_at_every_alignment);
  tcase_add_test(bytes, parts_of_48_bytes_fill_at_every_alignment);
  tcase_add_test(bytes, large_patterns_repeat);
  tcase_add_test(bytes, fills_below_4_KiB_are_one_command);
  tcase_add_test(bytes, hardly_a_byte_of_a_large_fill_comes_from_the_host);
  tcase_add_test(bytes, faults_at_every_operation_are_told_and_harm_nothing);
  suite_add_tcase(suite, bytes);
}

static Suite *fill_suite(void) {
  Suite *suite = suite_create("fill");
  add_bytes(suite, "bytes", setup);
  add_bytes(suite, "bytes, wide", setup_wide);
  add_bytes(suite, "bytes, kernels", setup_kernels);
  add_bytes(suite, "bytes, far", setup_far);

  TCase *verdicts = tcase_create("verdicts");
  tcase_add_checked_fixture(verdicts, setup, teardown);
  tcase_add_test(verdicts, nothing_to_fill_is_success);
  tcase_add_test(verdicts, patterns_are_checked);
  tcase_add_test(verdicts, a_pattern_is_not_read_for_a_wrong_address);
  tcase_add_test(verdicts, every_edge_has_its_verdict);
  tcase_add_test(verdicts, fills_need_no_host_memory);
  tcase_add_test(verdicts, a_command_that_fails_is_told_wherever_it_is);
  tcase_add_test(verdicts, width_is_the_most_that_fits);
  suite_add_tcase(suite, verdicts);
  return suite;
}

int main(void) {
  return support_run(fill_suite());
}
