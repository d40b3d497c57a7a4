/* SPDX-License-Identifier: MIT */
/*
 * test_strategy - every row of the table that says how a copy moves.
 *
 * What carries the load: each pair of ends, in each mode and shape, moves the bytes of its rect and no other, beside a
 * host array that tells what each byte must be. That a row which must not wait does not is proved with a stream that
 * stands at a closed gate: a call that waited there would never return.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"

enum { SIDE = 8192, WIDTH = 60, ROW = 96, ROWS = 20, HOST_ROW = 128 };

enum end { PAGEABLE, PINNED, ON_DEVICE, ENDS };
enum mode { QUEUED, WAITED, LEGACY, MODES };
enum { CASES = ENDS * ENDS * MODES * 2 };

/* One of the table's places, by the number of a loop test. */
struct row {
  enum end from, to;
  enum mode mode;
  bool is_rect;
};

static struct row row_of(int number) {
  return (struct row){ .is_rect = number % 2 != 0,
                       .mode = (enum mode)(number / 2 % MODES),
                       .from = (enum end)(number / 2 / MODES % ENDS),
                       .to = (enum end)(number / 2 / MODES / ENDS) };
}

static vptr_mapper *mapper;
static vptr__stream *stream, *legacy;
static unsigned char *device_side;        /* two sides of it */
static unsigned char host_side[2 * SIDE]; /* source and destination, where they are the host's */
static unsigned char source_model[SIDE], target_model[SIDE];
static support_gate gate;

static void setup(void) {
  void *memory = NULL;
  atomic_store(&gate.opened, false); /* without a fork it is what the last test left */
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  support_succeed(vptr__stream_legacy(mapper, &legacy));
  support_succeed(vptr_malloc(mapper, (size_t)2 * SIDE, &memory));
  device_side = memory;
  uint64_t seed = 3;
  for (size_t i = 0; i < SIDE; i++) {
    source_model[i] = (unsigned char)support_random(&seed);
    target_model[i] = (unsigned char)support_random(&seed);
  }
  memcpy(host_side, source_model, SIDE);
  memcpy(host_side + SIDE, target_model, SIDE);
  support_succeed(vptr_memcpy(mapper, device_side, host_side, sizeof host_side));
}

static void teardown(void) {
  atomic_store(&gate.opened, true); /* a test that failed left it closed */
  support_succeed(vptr__stream_synchronize_all(mapper));
  support_succeed(vptr__stream_destroy(stream));
  support_succeed(vptr_free(mapper, device_side));
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static vptr__operand operand_of(enum end end, size_t side) {
  return (vptr__operand){ .what = "test",
                          .ptr = (end == ON_DEVICE ? device_side : host_side) + side,
                          .row = end == ON_DEVICE ? ROW : HOST_ROW,
                          .pinned = end == PINNED };
}

static vptr_status copy_row(const struct row *row, vptr__stream *on) {
  vptr__operand to = operand_of(row->to, SIDE), from = operand_of(row->from, 0);
  const size_t region[3] = { WIDTH, row->is_rect ? ROWS : 1, 1 };
  return vptr__transfer_copy(on, &to, &from, region, row->mode == QUEUED ? 0 : VPTR__TRANSFER_WAIT);
}

static void expect_side(enum end end, size_t side, const unsigned char *model) {
  unsigned char seen[SIDE];
  support_succeed(vptr_memcpy(mapper, seen, (end == ON_DEVICE ? device_side : host_side) + side, SIDE));
  for (size_t i = 0; i < SIDE; i++)
    if (seen[i] != model[i])
      ck_abort_msg("byte %zu of side %zu is %u, not %u", i, side, seen[i], model[i]);
}

static void expect_copied(const struct row *row) {
  size_t to_row = row->to == ON_DEVICE ? ROW : HOST_ROW, from_row = row->from == ON_DEVICE ? ROW : HOST_ROW;
  unsigned char expected[SIDE];
  memcpy(expected, target_model, SIDE);
  for (size_t y = 0; y < (row->is_rect ? ROWS : 1); y++)
    memcpy(expected + y * to_row, source_model + y * from_row, WIDTH);
  expect_side(row->from, 0, source_model);
  expect_side(row->to, SIDE, expected);
}

START_TEST(every_row_moves_its_bytes_and_no_other) {
  const struct row row = row_of(_i);
  vptr__stream *on = row.mode == LEGACY ? legacy : stream;
  support_succeed(copy_row(&row, on));
  if (row.mode == QUEUED)
    support_succeed(vptr__stream_synchronize(on));
  expect_copied(&row);
}
END_TEST

/* ---- waiting -------------------------------------------------------------------------------------------- */

/* A few pageable bytes are staged on their way to the device; from it they are there when the call returns. */
static bool may_return_early(const struct row *row) {
  return row->mode == QUEUED && (row->from == ON_DEVICE || row->to == ON_DEVICE) && row->to != PAGEABLE;
}

START_TEST(rows_that_need_not_wait_do_not) {
  const struct row row = row_of(_i);
  if (!may_return_early(&row))
    return;
  support_succeed(vptr__stream_host(stream, support_wait_at_gate, &gate));
  support_succeed(copy_row(&row, stream));
  support_expect(VPTR_ERROR_NOT_READY, vptr__stream_query(stream));
  atomic_store(&gate.opened, true);
  support_succeed(vptr__stream_synchronize(stream));
  expect_copied(&row);
}
END_TEST

static void be_over_later(vptr_status status, void *unused) {
  (void)status, (void)unused;
  usleep(5000);
  atomic_store(&gate.opened, true);
}

/* All others return behind the earlier work of their stream. */
START_TEST(rows_that_must_wait_do) {
  const struct row row = row_of(_i);
  vptr__stream *on = row.mode == LEGACY ? legacy : stream;
  if (may_return_early(&row))
    return;
  support_succeed(vptr__stream_host(on, be_over_later, NULL));
  support_succeed(copy_row(&row, on));
  ck_assert(atomic_load(&gate.opened));
  support_succeed(vptr__stream_query(on));
  expect_copied(&row);
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

/* Whether the row has an n-th operation; if so it fails, and is told by the call or by who waits for the stream, or the
 * bytes are there all the same: what a copy can do without is no failure. */
static bool fails_and_tells(const struct row *row, vptr__stream *on, long n) {
  vptr__fake_counts before, after;
  unsigned char *target = row->to == ON_DEVICE ? device_side : host_side;
  support_succeed(vptr_memcpy(mapper, target + SIDE, target_model, SIDE));
  vptr__fake_get_counts(&before);
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
  vptr_status status = copy_row(row, on), waited = vptr__stream_synchronize(on);
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__fake_get_counts(&after);
  bool has_failed = after.operations - before.operations >= (uint64_t)n;
  bool is_told = status != VPTR_SUCCESS || waited != VPTR_SUCCESS;
  ck_assert(has_failed || !is_told);
  support_succeed(vptr__stream_synchronize_all(mapper));
  if (!is_told)
    expect_copied(row);
  return has_failed;
}

START_TEST(any_operation_of_any_row_may_fail) {
  const struct row row = row_of(_i);
  vptr__stream *on = row.mode == LEGACY ? legacy : stream;
  if (support_has_opencl())
    return;
  long n = 1;
  while (fails_and_tells(&row, on, n))
    n++;
  ck_assert_int_gt(n, 1);
  support_succeed(copy_row(&row, on));
  support_succeed(vptr__stream_synchronize(on));
  expect_copied(&row);
}
END_TEST

static Suite *strategy_suite(void) {
  Suite *suite = suite_create("strategy");
  TCase *rows = tcase_create("rows");
  tcase_add_checked_fixture(rows, setup, teardown);
  tcase_add_loop_test(rows, every_row_moves_its_bytes_and_no_other, 0, CASES);
  tcase_add_loop_test(rows, rows_that_need_not_wait_do_not, 0, CASES);
  tcase_add_loop_test(rows, rows_that_must_wait_do, 0, CASES);
  tcase_add_loop_test(rows, any_operation_of_any_row_may_fail, 0, CASES);
  suite_add_tcase(suite, rows);
  return suite;
}

int main(void) {
  return support_run(strategy_suite());
}
