/* SPDX-License-Identifier: MIT */
/*
 * test_blit - fills and copies by kernels (device/opencl_blit.c), against a host model, and the trials that choose
 * them.
 *
 * Left out on the fake device, which runs no kernels. Elsewhere the device is told to take kernels for all that they
 * can do, since a CPU takes none by itself.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "device/opencl.h"
#include "support/support.h"

enum { LEFT_OUT = 77, BYTES = 300000, ROUNDS = 150, WAIT_MS = 20000 };

static vptr__device *device;
static cl_mem buffers[2];
static unsigned char models[2][BYTES], seen[BYTES];
static uint64_t seed = 11;
static long live_before;

static void open_device(void) {
  live_before = vptr__memory_live();
  support_succeed(vptr__device_open(NULL, 0, &device));
  device->tuning.blit_bytes = 16;
  device->test.blit_untried = true;
  for (int i = 0; i < 2; i++) {
    for (size_t at = 0; at < BYTES; at++)
      models[i][at] = (unsigned char)support_random(&seed);
    support_succeed(device->ops->memory.create(device, BYTES, &buffers[i]));
    support_succeed(device->ops->transfer.write(device, buffers[i], 0, models[i], BYTES));
  }
}

static void close_device(void) {
  for (int i = 0; i < 2; i++)
    device->ops->memory.release(device, buffers[i]);
  vptr__device_close(device);
  ck_assert_int_eq(vptr__memory_live(), live_before);
}

static void expect_models(void) {
  for (int i = 0; i < 2; i++) {
    support_succeed(device->ops->transfer.read(device, buffers[i], 0, seen, BYTES));
    for (size_t at = 0; at < BYTES; at++)
      if (seen[at] != models[i][at])
        ck_abort_msg("byte %zu of buffer %d is %u, not %u", at, i, seen[at], models[i][at]);
  }
}

/* ---- fills and lines ------------------------------------------------------------------------------------ */

static void fill_both(int which, size_t offset, size_t size, const unsigned char *pattern, size_t width) {
  for (size_t at = 0; at < size; at++)
    models[which][offset + at] = pattern[at % width];
  if (support_below(&seed, 2) == 0)
    support_succeed(device->ops->transfer.fill(device, buffers[which], offset, size, pattern, width));
  else
    support_succeed(device->ops->transfer.enqueue_fill(device, device->cl_queue, buffers[which], offset, size,
                                                       pattern, width, NULL));
}

/* Those of 16 bytes at multiples of 16 are kernels, the others are not; both have to be right, and side by side. */
START_TEST(fills_write_their_bytes_and_no_others) {
  for (int i = 0; i < ROUNDS; i++) {
    unsigned char pattern[32];
    size_t width = (size_t)1 << support_below(&seed, 6), grain = support_below(&seed, 4) > 0 ? 32 : width;
    for (size_t at = 0; at < width; at++)
      pattern[at] = (unsigned char)support_random(&seed);
    size_t size = (1 + support_below(&seed, support_below(&seed, 3) == 0 ? BYTES / grain - 1 : 40)) * grain;
    fill_both((int)support_below(&seed, 2), support_below(&seed, (BYTES - size) / grain + 1) * grain, size, pattern,
              width);
    if (i % 10 == 0)
      expect_models();
  }
  expect_models();
}
END_TEST

START_TEST(copies_move_their_bytes_and_no_others) {
  for (int i = 0; i < ROUNDS; i++) {
    size_t grain = support_below(&seed, 4) > 0 ? 16 : 1,
           size = (1 + support_below(&seed, support_below(&seed, 3) == 0 ? BYTES / grain / 2 : 40)) * grain;
    size_t from = support_below(&seed, (BYTES - size) / grain + 1) * grain,
           to = support_below(&seed, (BYTES - size) / grain + 1) * grain;
    int source = (int)support_below(&seed, 2);
    memcpy(models[1 - source] + to, models[source] + from, size);
    support_succeed(device->ops->transfer.enqueue_copy(device, device->cl_queue, buffers[source], from,
                                                       buffers[1 - source], to, size, NULL));
    if (i % 10 == 0)
      expect_models();
  }
  expect_models();
}
END_TEST

/* ---- rects ---------------------------------------------------------------------------------------------- */

static vptr__rect random_rect(int which, const size_t region[3], size_t grain) {
  vptr__rect rect = { .buffer = buffers[which] };
  rect.row = region[0] + support_below(&seed, 3) * grain;
  rect.slice = rect.row * (region[1] + support_below(&seed, 3));
  size_t reach = rect.slice * region[2];
  rect.offset = support_below(&seed, (BYTES - reach) / grain + 1) * grain;
  return rect;
}

static void copy_rect_both(int source, const vptr__rect *from, const vptr__rect *to, const size_t region[3]) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      memcpy(models[1 - source] + to->offset + z * to->slice + y * to->row,
             models[source] + from->offset + z * from->slice + y * from->row, region[0]);
  support_succeed(device->ops->transfer.enqueue_copy_rect(device, device->cl_queue, from, to, region, NULL));
}

START_TEST(rects_move_their_bytes_and_no_others) {
  static const size_t grains[] = { 1, 4, 16 };
  for (int i = 0; i < 2 * ROUNDS; i++) {
    size_t grain = grains[support_below(&seed, 3)];
    const size_t region[3] = { (1 + support_below(&seed, 6)) * grain, 1 + support_below(&seed, 60),
                               1 + support_below(&seed, 4) };
    int source = (int)support_below(&seed, 2);
    vptr__rect from = random_rect(source, region, grain), to = random_rect(1 - source, region, grain);
    copy_rect_both(source, &from, &to, region);
    if (i % 10 == 0)
      expect_models();
  }
  expect_models();
}
END_TEST

/* The command refuses other distances within one buffer, so there it was a buffer more, and two commands. */
START_TEST(rects_of_one_buffer_may_have_other_distances) {
  const size_t region[3] = { 16, 100, 1 };
  const vptr__rect from = { buffers[0], 0, 32, 3200 }, to = { buffers[0], 8192, 48, 4800 };
  for (size_t y = 0; y < region[1]; y++)
    memcpy(models[0] + to.offset + y * to.row, models[0] + from.offset + y * from.row, region[0]);
  support_succeed(device->ops->transfer.enqueue_copy_rect(device, device->cl_queue, &from, &to, region, NULL));
  expect_models();
}
END_TEST

/* ---- what there are no commands for --------------------------------------------------------------------- */

static void set_both(int which, const vptr__rect *to, const size_t region[3], const unsigned char *pattern) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++) {
      size_t first = to->offset + z * to->slice + y * to->row;
      for (size_t x = 0; x < region[0]; x++)
        models[which][first + x] = pattern[(first % 16 + x) % VPTR__SET_BYTES];
    }
  support_must(device->ops->transfer.enqueue_set(device, device->cl_queue, to, region, pattern, NULL));
}

static void random_bytes(unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)support_random(&seed);
}

/* Every width that ends within a row's first units, at any place in the first. */
START_TEST(rows_are_set_to_the_byte) {
  unsigned char pattern[VPTR__SET_BYTES];
  for (size_t width = 1; width <= 130; width++) {
    const size_t region[3] = { width, 1 + support_below(&seed, 40), 1 + support_below(&seed, 3) };
    vptr__rect to = random_rect((int)support_below(&seed, 2), region, support_below(&seed, 3) == 0 ? 16 : 1);
    random_bytes(pattern, sizeof pattern);
    set_both(to.buffer == buffers[1], &to, region, pattern);
    if (width % 10 == 0)
      expect_models();
  }
  expect_models();
}
END_TEST

START_TEST(rows_that_begin_where_units_do_have_no_unit_more) {
  unsigned char pattern[VPTR__SET_BYTES];
  for (size_t width = 15; width <= 49; width++) {
    const size_t region[3] = { width, 40, 2 };
    const vptr__rect to = { buffers[0], 64, 80, 4096 };
    random_bytes(pattern, sizeof pattern);
    set_both(0, &to, region, pattern);
  }
  expect_models();
}
END_TEST

START_TEST(lines_are_set_to_the_byte) {
  unsigned char pattern[VPTR__SET_BYTES];
  for (int i = 0; i < ROUNDS; i++) {
    const size_t region[3] = { 1 + support_below(&seed, i % 2 == 0 ? 200 : BYTES), 1, 1 };
    const vptr__rect to = { buffers[0], support_below(&seed, BYTES - region[0] + 1), region[0], region[0] };
    random_bytes(pattern, sizeof pattern);
    set_both(0, &to, region, pattern);
    if (i % 10 == 0)
      expect_models();
  }
  expect_models();
}
END_TEST

START_TEST(what_is_small_or_on_a_device_without_kernels_is_not_set) {
  const size_t region[3] = { 16, 20, 1 };
  const vptr__rect to = { buffers[0], 0, 32, 640 };
  const unsigned char pattern[VPTR__SET_BYTES] = { 0 };
  device->test.blit_untried = false;
  ck_assert(!device->ops->transfer.enqueue_set(device, device->cl_queue, &to, region, pattern, NULL));
  device->test.blit_untried = true;
  device->tuning.blit_bytes = SIZE_MAX;
  ck_assert(!device->ops->transfer.enqueue_set(device, device->cl_queue, &to, region, pattern, NULL));
  ck_assert(vptr__opencl_of(device)->blit.verdict == VPTR__OPENCL_UNKNOWN);
  expect_models();
}
END_TEST

/* ---- trials --------------------------------------------------------------------------------------------- */

static void work_once(void) {
  const size_t region[3] = { 16, 20, 1 };
  const vptr__rect from = { buffers[0], 0, 32, 640 }, to = { buffers[1], 16, 64, 1280 };
  fill_both(0, 4096, 65536, (const unsigned char *)"0123456789abcdef", 16);
  memcpy(models[1] + 160000, models[0] + 4096, 65536);
  support_succeed(device->ops->transfer.copy(device, buffers[0], 4096, buffers[1], 160000, 65536));
  copy_rect_both(0, &from, &to, region);
}

static bool is_over(const vptr__opencl_blit *blit) {
  return blit->fill.state == VPTR__OPENCL_TRIAL_OVER && blit->copy.state == VPTR__OPENCL_TRIAL_OVER &&
         blit->rect.state == VPTR__OPENCL_TRIAL_OVER;
}

/* Nobody waits for them, so it is the work that finds them over. */
START_TEST(trials_are_decided_while_the_work_goes_on) {
  const vptr__opencl_blit *blit = &vptr__opencl_of(device)->blit;
  device->test.blit_untried = false;
  device->tuning.blit_bytes = 4096;
  for (int i = 0; i < WAIT_MS && !is_over(blit); i++) {
    work_once();
    nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
  }
  ck_assert(is_over(blit));
  ck_assert_uint_eq(blit->fill.ways, 4);
  ck_assert_uint_eq(blit->copy.ways, 4);
  ck_assert_uint_eq(blit->rect.ways, 8);
  for (unsigned i = 0; i < 4; i++)
    ck_assert(blit->fill.ns[i] < UINT64_MAX && blit->copy.ns[i] < UINT64_MAX);
  work_once();
  expect_models();
}
END_TEST

START_TEST(small_work_begins_no_trial) {
  const vptr__opencl_blit *blit = &vptr__opencl_of(device)->blit;
  device->test.blit_untried = false;
  device->tuning.blit_bytes = 1 << 20;
  fill_both(0, 4096, 65536, (const unsigned char *)"0123456789abcdef", 16);
  support_succeed(device->ops->transfer.copy(device, buffers[0], 0, buffers[1], 0, 4096));
  memcpy(models[1], models[0], 4096);
  ck_assert(blit->verdict == VPTR__OPENCL_UNKNOWN);
  expect_models();
}
END_TEST

START_TEST(a_device_may_close_while_trials_are_under_way) {
  device->test.blit_untried = false;
  device->tuning.blit_bytes = 4096;
  work_once();
}
END_TEST

static Suite *blit_suite(void) {
  Suite *suite = suite_create("blit");
  TCase *tests = tcase_create("kernels");
  tcase_add_checked_fixture(tests, open_device, close_device);
  tcase_add_test(tests, fills_write_their_bytes_and_no_others);
  tcase_add_test(tests, copies_move_their_bytes_and_no_others);
  tcase_add_test(tests, rects_move_their_bytes_and_no_others);
  tcase_add_test(tests, rects_of_one_buffer_may_have_other_distances);
  tcase_add_test(tests, rows_are_set_to_the_byte);
  tcase_add_test(tests, rows_that_begin_where_units_do_have_no_unit_more);
  tcase_add_test(tests, lines_are_set_to_the_byte);
  tcase_add_test(tests, what_is_small_or_on_a_device_without_kernels_is_not_set);
  tcase_add_test(tests, trials_are_decided_while_the_work_goes_on);
  tcase_add_test(tests, small_work_begins_no_trial);
  tcase_add_test(tests, a_device_may_close_while_trials_are_under_way);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  if (!support_has_opencl()) {
    puts("left out: the fake device runs no kernels");
    return LEFT_OUT;
  }
  return support_run(blit_suite());
}
