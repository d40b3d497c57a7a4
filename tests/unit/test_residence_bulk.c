/* SPDX-License-Identifier: MIT */
/*
 * residence_bulk - large allocations leave the device and come back in pieces (transfer/bulk.h): the right bytes, also
 * where a call fails, and pinned memory that a full device leaves alone.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "bulk.h"
#include "residences.h"
#include "transfer/worker_pool.h"

static void set_up(void) {
  vptr__worker_pool_set_size(BULK_THREADS);
  residences_set_up();
  residences_mapper->device->tuning.bulk_bytes = BULK_LEAST;
}

static void expect_all(void) {
  for (int i = 0; i < MANY; i++)
    residences_expect(many[i], i);
}

static const vptr__device_ops *true_ops;
static atomic_size_t pins;

static vptr_status count_pin(vptr__device *device, void *host, size_t size, cl_mem *pin_out) {
  atomic_fetch_add(&pins, 1);
  return true_ops->memory.pin_host(device, host, size, pin_out);
}

/* From now on, until the mapper ends. */
static void count_pins(void) {
  static vptr__device_ops ops;
  true_ops = residences_mapper->device->ops;
  ops = *true_ops;
  ops.memory.pin_host = count_pin;
  atomic_store(&pins, 0);
  residences_mapper->device->ops = &ops;
}

START_TEST(bytes_go_through_pinned_memory) {
  const size_t before = bulk_counts().host_buffers;
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < MANY; i++)
      support_succeed(vptr_memset(residences_mapper, many[i], i + round, SIZE));
  ck_assert(bulk_is_used(residences_mapper));
  ck_assert_uint_gt(bulk_counts().host_buffers, before);
  for (int i = 0; i < MANY; i++)
    residences_write(many[i], i);
  expect_all();
}
END_TEST

/* Who trims has it back, and a device that is full all the while leaves it alone: no thread pins its chunks twice. */
START_TEST(a_full_device_leaves_pinned_memory_alone) {
  for (int round = 0; round < 3; round++)
    expect_all();
  support_succeed(vptr_trim(residences_mapper, 0));
  count_pins();
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < MANY; i++)
      residences_write(many[i], i);
  ck_assert_uint_ge(atomic_load(&pins), 1);
  ck_assert_uint_le(atomic_load(&pins), BULK_THREADS);
}
END_TEST

START_TEST(with_one_processor_the_driver_copies) {
  vptr__worker_pool_set_size(1);
  for (int round = 0; round < 3; round++)
    expect_all();
  ck_assert(!bulk_is_used(residences_mapper));
  vptr__worker_pool_set_size(BULK_THREADS);
}
END_TEST

static void (*const faults[])(long n) = { residences_fail_device, vptr__memory_fail_nth };

/* Whether something failed for what was planted; then all is as it was. */
static bool walk_round(void (*plant)(long n), long n) {
  bool has_failed = false;
  plant(n);
  for (int i = 0; i < MANY; i++)
    has_failed |= vptr_memset(residences_mapper, many[i] + SIZE - 1, 7, 1) != VPTR_SUCCESS;
  plant(0);
  support_succeed(vptr_check(residences_mapper));
  for (int i = 0; i < MANY; i++) {
    memset(seen, 0, SIZE);
    support_succeed(vptr_memcpy(residences_mapper, seen, many[i], SIZE));
    seen[SIZE - 1] = (unsigned char)(i + (SIZE - 1) / 5);
    support_must(residences_match(seen, i));
    residences_write(many[i], i);
  }
  return has_failed;
}

START_TEST(every_call_may_fail_once) {
  enum { MOST = 400, QUIET = 8 };
  int failed = 0, quiet = 0;
  for (long n = 1; n <= MOST && quiet < QUIET; n++) {
    const bool has_failed = walk_round(faults[_i], n);
    failed += has_failed;
    quiet = has_failed ? 0 : quiet + 1;
  }
  if (faults[_i] == residences_fail_device)
    ck_assert_int_gt(failed, 20);
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 6 };

static void *fill_own_part(void *context) {
  residences_worker *it = context;
  enum { PART = SIZE / THREADS };
  unsigned char part[PART];
  const size_t at = (size_t)it->number * PART;
  uint64_t random = (uint64_t)it->number + 1;
  for (long round = 0; round < support_rounds(60); round++) {
    const size_t which = support_below(&random, MANY);
    const int value = (int)round + it->number;
    it->failures += vptr_memset(residences_mapper, many[which] + at, value, PART) != VPTR_SUCCESS;
    it->failures += vptr_memcpy(residences_mapper, part, many[which] + at, PART) != VPTR_SUCCESS;
    it->failures += part[0] != (unsigned char)value || part[PART - 1] != (unsigned char)value;
  }
  return NULL;
}

START_TEST(threads_share_the_pieces) {
  residences_run_threads(THREADS, fill_own_part);
  for (int i = 0; i < MANY; i++)
    residences_write(many[i], i);
  expect_all();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("residence_bulk");
  TCase *moves = tcase_create("moves");
  tcase_add_checked_fixture(moves, set_up, residences_tear_down);
  if (!support_has_opencl()) { /* which counts what it pins, and fails as the test likes */
    tcase_add_test(moves, bytes_go_through_pinned_memory);
    tcase_add_test(moves, a_full_device_leaves_pinned_memory_alone);
    tcase_add_loop_test(moves, every_call_may_fail_once, 0, 2);
  }
  tcase_add_test(moves, with_one_processor_the_driver_copies);
  tcase_add_test(moves, threads_share_the_pieces);
  suite_add_tcase(suite, moves);
  return support_run(suite);
}
