/* SPDX-License-Identifier: MIT */
/*
 * Tests of checkpoints of memory that is not one buffer of its own: allocations of several buffers, slabs that are
 * packed into one or away from the device, and mappers that go to another device in between.
 *
 * VPTR_BUFFER_BYTES makes buffers small; the mapper's windows are 1 MiB.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/option.h"
#include "checkpoints.h"
#include "device/fake.h"
#include "heap/residence.h"
#include "heap/span.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define MIB ((size_t)1 << 20)

enum { ODD = 1234, SMALL = 3000, SMALLS = 400, KEPT_ONE_IN = 16, LARGES = 6 };

static const size_t size = 4 * MIB + ODD; /* three parts of two windows, the last of which is nearly empty */

static unsigned char *expected, *seen;

static void set(const char *name, const char *value) {
  if (value != NULL)
    setenv(name, value, 1);
  else
    unsetenv(name);
  vptr__option_reload();
}

static void begin(void) {
  vptr__fake_report_addresses(true);
  checkpoints_set_up();
  expected = malloc(size);
  seen = malloc(size);
}

static void end(void) {
  checkpoints_tear_down();
  set("VPTR_BUFFER_BYTES", NULL);
  set("VPTR_DEVICE_BYTES", NULL);
  set("VPTR_OVERSUBSCRIBE", NULL);
  set("VPTR_MIGRATE", NULL);
  free(expected);
  free(seen);
}

/* The mapper anew, with the options of now. */
static void anew(const char *name, const char *value) {
  set(name, value);
  checkpoints_again();
}

static void save(void) {
  support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, 0));
}

static void restore(void) {
  support_succeed(vptr_restore(checkpoints_mapper, checkpoints_path));
}

static void fill_expected(unsigned seed, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    expected[i] = (unsigned char)(i * 7 + i / 251 + i / 65537 + seed);
}

static unsigned char *make(unsigned seed, size_t bytes) {
  void *ptr;
  support_succeed(vptr_malloc(checkpoints_mapper, bytes, &ptr));
  fill_expected(seed, bytes);
  support_succeed(vptr_memcpy(checkpoints_mapper, ptr, expected, bytes));
  return ptr;
}

static void expect_bytes(const unsigned char *ptr, size_t bytes) {
  memset(seen, 0x55, bytes);
  support_succeed(vptr_memcpy(checkpoints_mapper, seen, ptr, bytes));
  support_must(memcmp(seen, expected, bytes) == 0);
}

static void expect(const unsigned char *ptr, unsigned seed, size_t bytes) {
  fill_expected(seed, bytes);
  expect_bytes(ptr, bytes);
}

static uint64_t serial_of(const void *ptr) {
  vptr_location location;
  support_succeed(vptr__mapper_locate(checkpoints_mapper, ptr, 1, &location));
  return location.serial;
}

static size_t parts_of(const unsigned char *ptr) {
  vptr_part part;
  size_t count = 0;
  support_succeed(vptr_get_parts(checkpoints_mapper, ptr, size, &part, 1, &count));
  return count;
}

/* ---- allocations of several buffers ---------------------------------------------------------------------- */

static bool has_spans(void) {
  void *ptr;
  if (vptr_malloc(checkpoints_mapper, size, &ptr) != VPTR_SUCCESS)
    return false;
  const bool has = parts_of(ptr) > 1;
  support_succeed(vptr_free(checkpoints_mapper, ptr));
  return has;
}

START_TEST(an_allocation_of_several_buffers_is_there_again) {
  anew("VPTR_BUFFER_BYTES", "3000000"); /* which is not whole windows */
  if (!has_spans())
    return;
  unsigned char *before = make(1, 100000), *ptr = make(2, size), *behind = make(3, 1000);
  const uint64_t serial = serial_of(ptr);
  save();
  support_succeed(vptr_memset(checkpoints_mapper, ptr + 3 * MIB, 9, MIB)); /* over a chunk, and a seam */
  save();
  for (int round = 0; round < 2; round++) {
    checkpoints_again();
    restore();
    ck_assert_uint_eq(vptr_count(checkpoints_mapper), 3);
    ck_assert_uint_eq(serial_of(ptr), serial);
    ck_assert_uint_eq(parts_of(ptr), 3);
    fill_expected(2, size);
    memset(expected + 3 * MIB, 9, MIB);
    expect_bytes(ptr, size);
    expect(before, 1, 100000);
    expect(behind, 3, 1000);
    save();
  }
  support_succeed(vptr_free(checkpoints_mapper, ptr));
  ck_assert_uint_eq(vptr_count(checkpoints_mapper), 2);
  make(4, size);
  save();
}
END_TEST

/* How many buffers it has is the device's affair. */
START_TEST(another_device_may_have_it_in_other_parts) {
  static const char *const limits[] = { "3000000", NULL, "1100000" };
  anew("VPTR_BUFFER_BYTES", limits[0]);
  if (!has_spans())
    return;
  unsigned char *ptr = make(7, size);
  const uint64_t serial = serial_of(ptr);
  for (int i = 0; i < 6; i++) {
    save();
    anew("VPTR_BUFFER_BYTES", limits[(i + 1) % 3]);
    restore();
    ck_assert_uint_eq(parts_of(ptr), i % 3 == 0 ? 1 : i % 3 == 1 ? 5 : 3);
    ck_assert_uint_eq(serial_of(ptr), serial);
    expect(ptr, 7, size);
    support_succeed(vptr_check(checkpoints_mapper));
  }
}
END_TEST

/* A pool issues a place again for less than it was made for. */
START_TEST(parts_without_a_byte_are_left_out) {
  anew("VPTR_BUFFER_BYTES", "3000000");
  if (!has_spans())
    return;
  unsigned char *ptr = make(1, size);
  support_succeed(vptr__heap_retire(checkpoints_mapper->heap, ptr));
  support_succeed(vptr__heap_reissue(checkpoints_mapper->heap, ptr, 3 * MIB, NULL));
  fill_expected(5, 3 * MIB);
  support_succeed(vptr_memcpy(checkpoints_mapper, ptr, expected, 3 * MIB));
  save();
  checkpoints_again();
  restore();
  ck_assert_uint_eq(vptr_count(checkpoints_mapper), 1);
  expect(ptr, 5, 3 * MIB);
  support_expect(VPTR_ERROR_PAST_END, vptr_memset(checkpoints_mapper, ptr + 3 * MIB, 0, 1));
}
END_TEST

static vptr_status refuse_row(vptr__device *device, size_t bytes, size_t part_bytes, vptr__row **row_out) {
  (void)device, (void)bytes, (void)part_bytes, (void)row_out;
  return VPTR_ERROR_UNSUPPORTED;
}

START_TEST(where_the_device_has_no_buffers_in_a_row_they_lie_apart) {
  unsigned char *ptr = make(6, size);
  save();
  anew("VPTR_BUFFER_BYTES", "3000000");
  vptr__device_ops ops = *checkpoints_mapper->device->ops;
  const vptr__device_ops *real = checkpoints_mapper->device->ops;
  ops.memory.row_create = refuse_row;
  checkpoints_mapper->device->ops = &ops;
  restore();
  checkpoints_mapper->device->ops = real;
  ck_assert_uint_eq(vptr_count(checkpoints_mapper), 1);
  expect(ptr, 6, size);
  support_succeed(vptr_free(checkpoints_mapper, ptr));
  anew("VPTR_BUFFER_BYTES", NULL);
  restore();
  expect(ptr, 6, size);
}
END_TEST

/* Memory's calls, and the device's. */
START_TEST(a_restore_that_fails_has_changed_nothing) {
  void (*const fail_nth)(long n, cl_int code) = _i == 0 ? NULL : vptr__fake_fail_nth;
  anew("VPTR_BUFFER_BYTES", "3000000");
  if (!has_spans() || support_has_opencl())
    return;
  unsigned char *ptr = make(8, size), *other = make(9, SMALL);
  save();
  checkpoints_again();
  vptr_status status = VPTR_ERROR_OPENCL;
  long n = 0;
  while (status != VPTR_SUCCESS && n < 1000) {
    n++;
    if (fail_nth != NULL)
      fail_nth(n, CL_OUT_OF_RESOURCES);
    else
      vptr__memory_fail_nth(n);
    status = vptr_restore(checkpoints_mapper, checkpoints_path);
    vptr__memory_fail_nth(0);
    vptr__fake_fail_nth(0, CL_SUCCESS);
    ck_assert(status == VPTR_SUCCESS || vptr_count(checkpoints_mapper) == 0);
    support_succeed(vptr_check(checkpoints_mapper));
  }
  ck_assert_int_eq(status, VPTR_SUCCESS);
  ck_assert_int_gt(n, 5);
  expect(ptr, 8, size);
  expect(other, 9, SMALL);
}
END_TEST

/* ---- beside other threads ------------------------------------------------------------------------------- */

enum { THREADS = 4 };

static atomic_bool is_over;

static void *churn(void *number) {
  uint64_t state = 1000 + (uint64_t)(uintptr_t)number;
  while (!atomic_load(&is_over)) {
    void *ptr;
    const size_t bytes = 1 + support_below(&state, support_below(&state, 2) == 0 ? size : 3000);
    support_succeed(vptr_malloc(checkpoints_mapper, bytes, &ptr));
    support_succeed(vptr_free(checkpoints_mapper, ptr));
  }
  return NULL;
}

static int take_first(const vptr_location *location, void *first) {
  *(vptr_location *)first = *location;
  return 1;
}

START_TEST(threads_allocate_and_free_several_buffers_meanwhile) {
  pthread_t threads[THREADS];
  vptr_location location;
  anew("VPTR_BUFFER_BYTES", "3000000");
  if (!has_spans())
    return;
  unsigned char *ptr = make(11, size);
  atomic_store(&is_over, false);
  for (size_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, churn, (void *)i), 0);
  for (long i = 0; i < support_rounds(20); i++)
    support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, i % 5 == 0 ? VPTR_CHECKPOINT_WHOLE : 0));
  atomic_store(&is_over, true);
  for (size_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  checkpoints_again();
  restore();
  expect(ptr, 11, size);
  support_succeed(vptr_check(checkpoints_mapper));
  for (size_t left = THREADS + 1; vptr_count(checkpoints_mapper) > 0 && left > 0; left--) {
    location.base = NULL;
    support_succeed(vptr_walk(checkpoints_mapper, take_first, &location));
    support_succeed(vptr_free(checkpoints_mapper, location.base));
  }
  ck_assert_uint_eq(vptr_count(checkpoints_mapper), 0);
}
END_TEST

/* ---- slabs that are packed, or away --------------------------------------------------------------------- */

static unsigned char *small[SMALLS];

static void make_small(void) {
  for (int i = 0; i < SMALLS; i++)
    small[i] = make((unsigned)i, SMALL);
}

static void thin_out(void) {
  for (int i = 0; i < SMALLS; i++)
    if (i % KEPT_ONE_IN != 0) {
      support_succeed(vptr_free(checkpoints_mapper, small[i]));
      small[i] = NULL;
    }
  support_succeed(vptr_trim(checkpoints_mapper, 0));
}

static size_t expect_small_from(int first) {
  size_t count = 0;
  for (int i = first; i < SMALLS; i++)
    if (small[i] != NULL) {
      expect(small[i], (unsigned)i, SMALL);
      count++;
    }
  return count;
}

static size_t expect_small(void) {
  return expect_small_from(0);
}

static size_t expect_kept(void) {
  return expect_small_from(1);
}

static size_t packed(void) {
  return vptr__heap_places_of(checkpoints_mapper->heap).packed;
}

START_TEST(slabs_that_are_packed_are_slabs_again) {
  size_t released = 0;
  anew("VPTR_OVERSUBSCRIBE", "1");
  make_small();
  thin_out();
  const uint64_t serial = serial_of(small[KEPT_ONE_IN]);
  for (int round = 0; round < 3; round++) {
    support_succeed(vptr_compact(checkpoints_mapper, &released));
    ck_assert_uint_gt(packed(), 0);
    save();
    anew("VPTR_OVERSUBSCRIBE", round == 1 ? NULL : "1"); /* where nothing is ever packed, too */
    restore();
    ck_assert_uint_eq(expect_small(), vptr_count(checkpoints_mapper));
    ck_assert_uint_eq(serial_of(small[KEPT_ONE_IN]), serial);
    ck_assert_int_eq(vptr__range_at(checkpoints_mapper->heap, small[0])->role, VPTR__ROLE_SLAB);
    if (round == 1) {
      save();
      anew("VPTR_OVERSUBSCRIBE", "1");
      restore();
    }
  }
  void *more;
  support_succeed(vptr_malloc(checkpoints_mapper, SMALL, &more));
  support_succeed(vptr_free(checkpoints_mapper, small[0]));
}
END_TEST

START_TEST(what_is_packed_between_two_checkpoints_is_as_it_was) {
  size_t released = 0;
  anew("VPTR_OVERSUBSCRIBE", "1");
  make_small();
  thin_out();
  save();
  support_succeed(vptr_compact(checkpoints_mapper, &released));
  ck_assert_uint_gt(packed(), 0);
  support_succeed(vptr_memset(checkpoints_mapper, small[0], 1, 1));
  save();
  ck_assert_uint_eq(expect_kept(), SMALLS / KEPT_ONE_IN - 1);
  checkpoints_again();
  restore();
  ck_assert_uint_eq(expect_kept(), SMALLS / KEPT_ONE_IN - 1);
  fill_expected(0, SMALL);
  expected[0] = 1;
  expect_bytes(small[0], SMALL);
}
END_TEST

START_TEST(more_than_the_device_has_is_there_again) {
  unsigned char *large[LARGES];
  set("VPTR_DEVICE_BYTES", "9000000");
  anew("VPTR_OVERSUBSCRIBE", "1");
  make_small();
  for (int i = 0; i < LARGES; i++)
    large[i] = make(100u + (unsigned)i, 3 * MIB);
  thin_out();
  for (int round = 0; round < 2; round++) {
    ck_assert_uint_gt(vptr__heap_places_of(checkpoints_mapper->heap).away_count, 0);
    save();
    checkpoints_again();
    restore();
    for (int i = 0; i < LARGES; i++)
      expect(large[i], 100u + (unsigned)i, 3 * MIB);
    ck_assert_uint_eq(expect_small() + LARGES, vptr_count(checkpoints_mapper));
    support_succeed(vptr_check(checkpoints_mapper));
  }
}
END_TEST

/* ---- mappers that go to another device ------------------------------------------------------------------ */

START_TEST(a_mapper_that_moves_is_saved_and_restored) {
  anew("VPTR_MIGRATE", "1");
  unsigned char *ptr = make(20, size);
  make_small();
  save();
  support_succeed(vptr_migrate(checkpoints_mapper, NULL));
  thin_out();
  support_succeed(vptr_memset(checkpoints_mapper, ptr + MIB, 3, 5));
  save(); /* behind the one of the other device */
  checkpoints_again();
  restore();
  support_succeed(vptr_migrate(checkpoints_mapper, NULL));
  for (int round = 0; round < 2; round++) {
    ck_assert_uint_eq(expect_small() + 1, vptr_count(checkpoints_mapper));
    fill_expected(20, size);
    memset(expected + MIB, 3, 5);
    expect_bytes(ptr, size);
    save();
    anew("VPTR_MIGRATE", NULL);
    restore();
  }
}
END_TEST

static void *migrate(void *unused) {
  (void)unused;
  while (!atomic_load(&is_over)) {
    support_succeed(vptr_migrate(checkpoints_mapper, NULL));
    usleep(500);
  }
  return NULL;
}

START_TEST(a_mapper_moves_while_it_is_saved) {
  pthread_t thread;
  anew("VPTR_MIGRATE", "1");
  unsigned char *ptr = make(21, size);
  atomic_store(&is_over, false);
  ck_assert_int_eq(pthread_create(&thread, NULL, migrate, NULL), 0);
  for (long i = 0; i < support_rounds(20); i++)
    support_succeed(vptr_checkpoint(checkpoints_mapper, checkpoints_path, i % 2 == 0 ? VPTR_CHECKPOINT_WHOLE : 0));
  atomic_store(&is_over, true);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  checkpoints_again();
  restore();
  expect(ptr, 21, size);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("checkpoint_places");
  TCase *spans = tcase_create("spans"), *slabs = tcase_create("slabs"), *moves = tcase_create("moves");
  tcase_add_checked_fixture(spans, begin, end);
  tcase_add_checked_fixture(slabs, begin, end);
  tcase_add_checked_fixture(moves, begin, end);
  tcase_add_test(spans, an_allocation_of_several_buffers_is_there_again);
  tcase_add_test(spans, another_device_may_have_it_in_other_parts);
  tcase_add_test(spans, parts_without_a_byte_are_left_out);
  tcase_add_test(spans, where_the_device_has_no_buffers_in_a_row_they_lie_apart);
  tcase_add_loop_test(spans, a_restore_that_fails_has_changed_nothing, 0, 2);
  tcase_add_test(spans, threads_allocate_and_free_several_buffers_meanwhile);
  tcase_add_test(slabs, slabs_that_are_packed_are_slabs_again);
  tcase_add_test(slabs, what_is_packed_between_two_checkpoints_is_as_it_was);
  tcase_add_test(slabs, more_than_the_device_has_is_there_again);
  tcase_add_test(moves, a_mapper_that_moves_is_saved_and_restored);
  tcase_add_test(moves, a_mapper_moves_while_it_is_saved);
  suite_add_tcase(suite, spans);
  suite_add_tcase(suite, slabs);
  suite_add_tcase(suite, moves);
  return support_run(suite);
}
