/* SPDX-License-Identifier: MIT */
/*
 * residence - allocations beyond what the device has: who leaves, who comes back, that no byte is lost, and that
 * whatever fails leaves all as it was.
 *
 * VPTR_DEVICE_BYTES makes the device one that holds FIT allocations of the test's at once; there are MANY. Each has its
 * own bytes, which the test knows.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>
#include <vptr/vptr_fast.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/option.h"
#include "device/fake.h"
#include "layer/faults.h"
#include "residences.h"
#include "stream/stream.h"
#include "support/support.h"

enum { LATE_US = 20000 };

static unsigned char bytes[SIZE];
static char folder[] = "/tmp/vptr-residence-XXXXXX";

/* ---- a budget ------------------------------------------------------------------------------------------- */

START_TEST(a_budget_is_the_devices_memory_and_ends) {
  vptr_stats stats = { .struct_size = sizeof stats };
  void *one_more = NULL;
  residences_begin(false);
  support_succeed(vptr_get_stats(residences_mapper, &stats));
  ck_assert_uint_eq(stats.device_bytes, FIT * SIZE + LEFT);
  for (int i = 0; i < FIT; i++)
    many[i] = residences_allocate();
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_malloc(residences_mapper, SIZE, &one_more));
  ck_assert_ptr_null(one_more);
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr_malloc(residences_mapper, FIT * SIZE + LEFT + 1, &one_more));
  support_succeed(vptr_free(residences_mapper, many[0]));
  many[0] = residences_allocate();
  for (int i = 0; i < FIT; i++)
    support_succeed(vptr_free(residences_mapper, many[i]));
  residences_end();
}
END_TEST

/* Also when it is full of what the one before had. */
START_TEST(a_mapper_waits_for_the_room_that_the_one_before_had) {
  vptr__fake_destroy_late(LATE_US);
  for (int round = 0; round < 3; round++) {
    residences_begin(_i != 0);
    for (int i = 0; i < FIT; i++)
      residences_write(many[i] = residences_allocate(), i);
    support_succeed(vptr_free(residences_mapper, many[0]));
    many[0] = residences_allocate();
    for (int i = 1; i < FIT; i++)
      residences_expect(many[i], i);
    for (int i = 0; i < FIT; i++)
      support_succeed(vptr_free(residences_mapper, many[i]));
    residences_end();
  }
  vptr__fake_destroy_late(0);
}
END_TEST

/* What does not come is refused all the same, and soon. */
START_TEST(who_finds_no_room_waits_a_moment_only) {
  void *one_more = NULL;
  residences_begin(false);
  for (int i = 0; i < FIT; i++)
    many[i] = residences_allocate();
  vptr__fake_destroy_late(60 * 1000 * 1000);
  support_succeed(vptr_free(residences_mapper, many[0]));
  support_succeed(vptr_trim(residences_mapper, 0));
  const uint64_t begun = vptr__clock_ns();
  if (!support_has_opencl())
    support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_malloc(residences_mapper, SIZE, &one_more));
  ck_assert_uint_lt(vptr__clock_ns() - begun, UINT64_C(10000000000));
  for (int i = 1; i < FIT; i++)
    support_succeed(vptr_free(residences_mapper, many[i]));
  vptr__fake_destroy_late(0);
  residences_end();
}
END_TEST

/* ---- who leaves, and comes back ------------------------------------------------------------------------- */

START_TEST(what_is_beyond_the_device_keeps_its_bytes_and_addresses) {
  vptr_stats stats = { .struct_size = sizeof stats };
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < MANY; i++)
      residences_expect(many[i], i);
  ck_assert_uint_eq(residences_away(), MANY - FIT);
  support_succeed(vptr_get_stats(residences_mapper, &stats));
  ck_assert_uint_eq(stats.live_bytes, (size_t)MANY * SIZE);
  ck_assert_uint_eq(stats.buffer_bytes, (size_t)FIT * SIZE);
}
END_TEST

START_TEST(what_was_used_longest_ago_leaves) {
  for (int i = 0; i < FIT; i++)
    residences_expect(many[i], i);
  residences_expect(many[0], 0);
  residences_expect(many[FIT], FIT);
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_HERE);
  ck_assert_int_eq(residences_state(many[1]), VPTR__RESIDENCE_AWAY);
  residences_expect(many[FIT + 1], FIT + 1);
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_HERE);
  ck_assert_int_eq(residences_state(many[2]), VPTR__RESIDENCE_AWAY);
}
END_TEST

START_TEST(fills_and_copies_between_two_bring_both) {
  residences_expect(many[5], 5);
  support_succeed(vptr_memcpy(residences_mapper, many[0], many[MANY - 1], SIZE));
  support_succeed(vptr_memset(residences_mapper, many[1] + 1, 7, SIZE - 1));
  for (int i = 2; i < MANY; i++)
    residences_expect(many[i], i);
  residences_expect(many[0], MANY - 1);
  support_succeed(vptr_memcpy(residences_mapper, seen, many[1], SIZE));
  ck_assert(seen[0] == 1 && seen[1] == 7 && memcmp(seen + 1, seen + 2, SIZE - 2) == 0);
}
END_TEST

/* The device has half of the room that such a copy would like to go through. */
START_TEST(a_copy_that_overlaps_itself_goes_through_what_room_there_is) {
  enum { APART = 5 };
  for (int i = 0; i < 2; i++) {
    for (int k = 1; k < MANY; k++)
      residences_expect(many[k], k);
    support_succeed(vptr_memcpy(residences_mapper, many[0] + APART, many[0], SIZE - APART));
    support_succeed(vptr_memcpy(residences_mapper, seen, many[0] + APART, SIZE - APART));
    memset(seen + SIZE - APART, 0, APART);
    for (int k = 0; k < SIZE - APART; k++)
      support_must(seen[k] == (unsigned char)(k / 5));
    support_succeed(vptr_memcpy(residences_mapper, many[0], many[0] + APART, SIZE - APART));
  }
  residences_write(many[0], 0);
}
END_TEST

START_TEST(look_ups_answer_without_a_buffer) {
  vptr_location location;
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_AWAY);
  support_succeed(vptr__mapper_locate(residences_mapper, many[0] + 5, SIZE - 5, &location));
  ck_assert(location.base == many[0] && location.size == SIZE && location.offset == 5 && location.buffer == NULL);
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr__mapper_locate(residences_mapper, many[0] + 5, SIZE - 4, &location));
  ck_assert_int_eq(vptr_get_offset(residences_mapper, many[0] + 9), 9);
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_AWAY);
}
END_TEST

START_TEST(whose_buffer_the_program_has_stays) {
  vptr_location location;
  vptr_fast fast = VPTR_FAST_INIT;
  support_succeed(vptr_fast_open(residences_mapper, &fast));
  ck_assert_uint_eq(fast.size, 0);
  support_succeed(vptr_resolve(residences_mapper, many[0], SIZE, &location));
  cl_mem other = vptr_get_buffer(residences_mapper, many[1]);
  ck_assert(location.buffer != NULL && other != NULL && other != location.buffer);
  for (int i = MANY - 1; i > 1; i--)
    residences_expect(many[i], i);
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_FIXED);
  ck_assert_ptr_eq(vptr__range_at(residences_mapper->heap, many[0])->buffer, location.buffer);
  ck_assert_ptr_eq(vptr_get_buffer(residences_mapper, many[1]), other);
  residences_expect(many[0], 0);
}
END_TEST

/* The range is issued again, and has another buffer when it comes back. */
START_TEST(an_address_is_of_the_buffer_that_is_there) {
  uint64_t before, now, own;
  vptr_status status = vptr__heap_device_address(residences_mapper->heap, many[0], &before);
  if (status == VPTR_ERROR_UNSUPPORTED)
    return;
  support_succeed(status);
  unsigned char *was = many[0];
  support_succeed(vptr_free(residences_mapper, was));
  residences_write(many[0] = residences_allocate(), 0);
  if (many[0] != was && support_has_opencl())
    return; /* the pool there may have given it up */
  ck_assert_ptr_eq(many[0], was);
  ck_assert_int_eq(residences_state(was), VPTR__RESIDENCE_HERE);
  for (int i = 1; i < MANY; i++)
    residences_expect(many[i], i);
  ck_assert_int_eq(residences_state(was), VPTR__RESIDENCE_AWAY);
  support_succeed(vptr__heap_device_address(residences_mapper->heap, was, &now));
  ck_assert_int_eq(residences_state(was), VPTR__RESIDENCE_FIXED);
  support_succeed(residences_mapper->device->ops->memory.address(
      residences_mapper->device, vptr__range_at(residences_mapper->heap, was)->buffer, &own));
  ck_assert_uint_eq(now, own);
  residences_expect(was, 0);
}
END_TEST

START_TEST(a_mapping_brings_what_it_maps) {
  void *host;
  support_succeed(vptr_map(residences_mapper, many[2], SIZE, VPTR_ACCESS_READ_WRITE, &host));
  ck_assert_int_eq(((unsigned char *)host)[10], 2 + 10 / 5);
  memset(host, 3, SIZE);
  for (int i = 3; i < MANY; i++)
    residences_expect(many[i], i);
  support_succeed(vptr_unmap(residences_mapper, host));
  support_succeed(vptr_memcpy(residences_mapper, seen, many[2], SIZE));
  ck_assert(seen[0] == 3 && seen[SIZE - 1] == 3);
}
END_TEST

START_TEST(what_does_not_fit_together_is_told_with_its_bytes) {
  vptr_location location;
  for (int i = 0; i < FIT - 1; i++)
    support_succeed(vptr_resolve(residences_mapper, many[i], 1, &location));
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_memcpy(residences_mapper, many[FIT], many[FIT + 1], SIZE));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "262144 bytes at"));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "786432 cannot leave, and all memory is 1179648"));
  residences_expect(many[FIT], FIT);
  residences_expect(many[FIT + 1], FIT + 1);
}
END_TEST

START_TEST(what_is_away_is_freed_as_all_else) {
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_AWAY);
  support_succeed(vptr_free(residences_mapper, many[0]));
  vptr_location location;
  support_expect(VPTR_ERROR_FREED, vptr_resolve(residences_mapper, many[0], 1, &location));
  ck_assert_uint_eq(residences_away(), MANY - FIT - 1);
  residences_write(many[0] = residences_allocate(), 0);
  residences_expect(many[0], 0);
}
END_TEST

START_TEST(files_take_what_memory_does_not) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  setenv("VPTR_SPILL_DIR", folder, 1);
  vptr__option_reload();
  vptr__store_avoid_memory(true);
  for (int i = 0; i < MANY; i++) {
    support_succeed(vptr_trim(residences_mapper, 0)); /* what is kept for the next departure is memory */
    residences_expect(many[i], i);
  }
  ck_assert_ptr_null(vptr__range_at(residences_mapper->heap, many[0])->store.memory);
  ck_assert_int_ge(vptr__range_at(residences_mapper->heap, many[0])->store.file, 0);
  for (int i = 0; i < FIT; i++)
    residences_expect(many[i], i);
  ck_assert_int_eq(rmdir(folder), 0); /* the files have no names */
}
END_TEST

/* What comes is as large as what leaves. */
START_TEST(a_return_takes_over_the_buffer_that_leaves) {
  for (int i = 0; i < MANY; i++)
    residences_expect(many[i], i);
  cl_mem oldest = vptr__range_at(residences_mapper->heap, many[MANY - FIT])->buffer;
  residences_expect(many[0], 0);
  ck_assert_int_eq(residences_state(many[MANY - FIT]), VPTR__RESIDENCE_AWAY);
  ck_assert_ptr_eq(vptr__range_at(residences_mapper->heap, many[0])->buffer, oldest);
}
END_TEST

/* ---- copies that the host keeps -------------------------------------------------------------------------- */

static bool has_copy(const void *ptr) {
  vptr__heap_lock(residences_mapper->heap);
  const bool has = vptr__range_at(residences_mapper->heap, ptr)->store.bytes > 0;
  vptr__heap_unlock(residences_mapper->heap);
  return has && residences_state(ptr) == VPTR__RESIDENCE_HERE;
}

static vptr_status refuse_read(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size) {
  (void)device, (void)buffer, (void)offset, (void)to, (void)size;
  return vptr__error(VPTR_ERROR_OPENCL, "what has a copy was copied again");
}

/* No byte is read of the device meanwhile. */
static void evict_unread(int first, int end) {
  vptr__device *device = residences_mapper->device;
  const vptr__device_ops *true_ops = device->ops;
  vptr__device_ops ops = *true_ops;
  ops.transfer.read = refuse_read;
  device->ops = &ops;
  for (int i = first; i < end; i++) {
    vptr_location location;
    vptr__lease lease;
    support_succeed(vptr__lease_take_to_read(residences_mapper->heap, many[i], 1, &location, &lease));
    vptr__lease_give(&lease);
  }
  device->ops = true_ops;
}

START_TEST(what_was_only_read_leaves_without_a_copy) {
  for (int i = 0; i < MANY; i++) /* the first time all have been written */
    residences_expect(many[i], i);
  for (int i = 0; i < FIT; i++)
    residences_expect(many[i], i);
  for (int i = 0; i < FIT; i++)
    ck_assert(has_copy(many[i]));
  ck_assert_uint_eq(vptr__heap_places_of(residences_mapper->heap).copies, (size_t)FIT * SIZE);
  evict_unread(FIT, MANY);
  evict_unread(0, FIT);
  for (int i = 0; i < MANY; i++)
    residences_expect(many[i], i);
}
END_TEST

static void write_pair(void *ptr) {
  support_succeed(vptr_memset(residences_mapper, (char *)ptr + 1, 9, 2));
}

static void write_by_copy(void *ptr) {
  support_succeed(vptr_memcpy(residences_mapper, (char *)ptr + 1, "\t\t", 2));
}

static void write_by_pattern(void *ptr) {
  support_succeed(vptr_fill(residences_mapper, (char *)ptr + 1, "\t", 1, 2));
}

static void write_by_map(void *ptr) {
  void *host;
  support_succeed(vptr_map(residences_mapper, (char *)ptr + 1, 2, VPTR_ACCESS_READ_WRITE, &host));
  memset(host, 9, 2);
  support_succeed(vptr_unmap(residences_mapper, host));
}

static void write_to_its_buffer(void *ptr) {
  vptr_location location;
  support_succeed(vptr_resolve(residences_mapper, (char *)ptr + 1, 2, &location));
  support_succeed(residences_mapper->device->ops->transfer.write(residences_mapper->device, location.buffer,
                                                                 location.buffer_offset, "\t\t", 2));
}

static void write_from_within(void *ptr) {
  support_succeed(vptr_memset(residences_mapper, (char *)ptr + SIZE / 2, 9, 2));
  support_succeed(vptr_memcpy(residences_mapper, (char *)ptr + 1, (char *)ptr + SIZE / 2, 2));
  support_succeed(vptr_memcpy(residences_mapper, (char *)ptr + SIZE / 2, (char *)ptr + SIZE / 2 + 10, 2));
}

static void write_from_another(void *ptr) {
  write_pair(many[1]);
  support_succeed(vptr_memcpy(residences_mapper, (char *)ptr + 1, many[1] + 1, 2));
  residences_write(many[1], 1);
}

static void (*const writes[])(void *ptr) = { write_pair,          write_by_copy,     write_by_pattern,  write_by_map,
                                             write_to_its_buffer, write_from_within, write_from_another };
enum { WRITES = sizeof writes / sizeof *writes };

/* Whatever writes: the copy does not come back in its place. */
START_TEST(what_was_written_is_not_what_the_host_had) {
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < MANY; i++)
      residences_expect(many[i], i);
  residences_expect(many[0], 0);
  ck_assert(has_copy(many[0]));
  writes[_i](many[0]);
  ck_assert(!has_copy(many[0]));
  for (int i = MANY - 1; i > 0; i--)
    residences_expect(many[i], i);
  support_succeed(vptr_memcpy(residences_mapper, seen, many[0], 4));
  ck_assert(seen[0] == 0 && seen[1] == 9 && seen[2] == 9 && seen[3] == 0);
  residences_write(many[0], 0);
}
END_TEST

START_TEST(copies_are_given_up_where_the_host_has_no_room) {
  for (int i = 0; i < MANY; i++)
    residences_expect(many[i], i);
  for (int i = 0; i < FIT; i++)
    residences_expect(many[i], i);
  residences_write(many[0], 0); /* its store is spare now */
  for (int i = 1; i < FIT; i++)
    residences_expect(many[i], i);
  ck_assert(has_copy(many[1]));
  support_succeed(vptr_trim(residences_mapper, 0));
  vptr__memory_fail_nth(2); /* the first is for a compaction, of which there is nothing */
  residences_expect(many[FIT], FIT);
  vptr__memory_fail_nth(0);
  ck_assert_int_eq(residences_state(many[0]), VPTR__RESIDENCE_AWAY);
  ck_assert(!has_copy(many[1]) && has_copy(many[2]));
  for (int i = 0; i < MANY; i++)
    residences_expect(many[i], i);
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

/* What may go wrong, one call at a time. */
static residences_fail *const faults[] = { residences_fail_device, residences_fail_for_room, residences_fail_call,
                                           vptr__memory_fail_nth, vptr__store_fail_nth };
enum { OF_DEVICE = 3 };

/* Whether the round failed for what was planted; then all is as it was. */
static bool walk_round(residences_fail *plant, long n, int which) {
  vptr_status status[3];
  void *fresh = NULL;
  residences_write(many[which], which);
  for (int i = 0; i < MANY; i++)
    if (i != which && i != 1)
      residences_expect(many[i], i);
  plant(n);
  status[0] = vptr_memcpy(residences_mapper, seen, many[which], SIZE);
  status[1] = vptr_memcpy(residences_mapper, many[1], many[which], SIZE);
  status[2] = vptr_malloc(residences_mapper, SIZE, &fresh);
  plant(0);
  if (status[2] == VPTR_SUCCESS)
    support_succeed(vptr_free(residences_mapper, fresh));
  support_succeed(vptr_check(residences_mapper));
  for (int i = 0; i < MANY; i++)
    if (i != 1)
      residences_expect(many[i], i);
  return status[0] != VPTR_SUCCESS || status[1] != VPTR_SUCCESS || status[2] != VPTR_SUCCESS;
}

START_TEST(every_call_may_fail_once) {
  enum { MOST = 600 };
  char place[] = "/tmp/vptr-residence-XXXXXX";
  const bool has_files = _i % 2 == 1;
  residences_fail *plant = faults[_i / 2];
  if (_i / 2 < OF_DEVICE && !faults_can())
    return;
  if (has_files) {
    ck_assert_ptr_nonnull(mkdtemp(place));
    setenv("VPTR_SPILL_DIR", place, 1);
    vptr__option_reload();
    vptr__store_avoid_memory(true);
    support_succeed(vptr_trim(residences_mapper, 0));
  }
  int failed = 0;
  long n = 1;
  for (int quiet = 0; n <= MOST && quiet < 5; n++) {
    bool has_failed = walk_round(plant, n, 0);
    failed += has_failed;
    quiet = has_failed || residences_has_fired(plant) ? 0 : quiet + 1;
  }
  ck_assert_int_lt(n, MOST);
  if (_i / 2 < OF_DEVICE)
    ck_assert_int_gt(failed, 0);
  residences_write(many[1], 1);
  if (has_files)
    ck_assert_int_eq(rmdir(place), 0);
}
END_TEST

/* ---- beside a model ------------------------------------------------------------------------------------- */

START_TEST(a_random_program_sees_no_difference) {
  static unsigned char model[MANY][SIZE];
  uint64_t random = 7;
  for (int i = 0; i < MANY; i++)
    support_succeed(vptr_memcpy(residences_mapper, model[i], many[i], SIZE));
  for (long round = 0; round < support_rounds(600); round++) {
    size_t a = support_below(&random, MANY), b = support_below(&random, MANY);
    size_t at = support_below(&random, SIZE), size = support_below(&random, SIZE - at) + 1;
    int value = (int)support_below(&random, 256);
    switch (support_below(&random, 6)) {
    case 0:
      memset(model[a] + at, value, size);
      support_succeed(vptr_memset(residences_mapper, many[a] + at, value, size));
      break;
    case 1:
      memmove(model[a] + at, model[b] + at, size);
      support_succeed(vptr_memcpy(residences_mapper, many[a] + at, many[b] + at, size));
      break;
    case 2:
      support_succeed(vptr_free(residences_mapper, many[a]));
      many[a] = residences_allocate();
      memset(model[a], value, SIZE);
      support_succeed(vptr_memset(residences_mapper, many[a], value, SIZE));
      break;
    case 3:
      memcpy(bytes, model[b], size);
      memcpy(model[a] + at, bytes, size);
      support_succeed(vptr_memcpy(residences_mapper, many[a] + at, bytes, size));
      break;
    default:
      support_succeed(vptr_memcpy(residences_mapper, seen, many[a] + at, size));
      support_must(memcmp(seen, model[a] + at, size) == 0);
    }
  }
  support_succeed(vptr_check(residences_mapper));
  for (int i = 0; i < MANY; i++) {
    support_succeed(vptr_memcpy(residences_mapper, seen, many[i], SIZE));
    support_must(memcmp(seen, model[i], SIZE) == 0);
    residences_write(many[i], i);
  }
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 16, PART = 4096 };

typedef struct worker {
  int number;
  atomic_int *failures;
} worker;

/* Each has some bytes of every allocation for itself, and one that comes and goes. */
static void *work(void *context) {
  const worker *it = context;
  uint64_t random = (uint64_t)it->number + 1;
  unsigned char mine[MANY], part[PART];
  void *own = NULL;
  int failures = 0;
  memset(mine, 0, sizeof mine);
  const size_t at = (size_t)it->number * PART;
  for (int i = 0; i < MANY; i++)
    failures += vptr_memset(residences_mapper, many[i] + at, 0, PART) != VPTR_SUCCESS;
  for (long round = 0; round < support_rounds(60); round++) {
    size_t a = support_below(&random, MANY), b = support_below(&random, MANY);
    vptr_location location;
    failures += vptr_memset(residences_mapper, many[a] + at, it->number + (int)round, PART) != VPTR_SUCCESS;
    mine[a] = (unsigned char)(it->number + (int)round);
    if (a != b)
      failures += vptr_memcpy(residences_mapper, many[b] + at, many[a] + at, PART) != VPTR_SUCCESS;
    mine[b] = mine[a];
    size_t c = support_below(&random, MANY);
    failures += vptr_memcpy(residences_mapper, part, many[c] + at, PART) != VPTR_SUCCESS;
    failures += part[0] != mine[c] || part[PART - 1] != mine[c];
    failures += vptr__mapper_locate(residences_mapper, many[b] + at, PART, &location) != VPTR_SUCCESS;
    if (it->number % 4 == 0 && vptr_malloc(residences_mapper, SIZE, &own) == VPTR_SUCCESS)
      failures += vptr_memset(residences_mapper, own, 1, SIZE) != VPTR_SUCCESS ||
                  vptr_free(residences_mapper, own) != VPTR_SUCCESS;
  }
  if (failures > 0)
    fprintf(stderr, "thread %d: %d failures, at last: %s\n", it->number, failures, vptr_last_error());
  atomic_fetch_add(it->failures, failures);
  return NULL;
}

START_TEST(threads_evict_each_others_memory) {
  pthread_t threads[THREADS];
  worker workers[THREADS];
  atomic_int failures = 0;
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){ i, &failures };
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(atomic_load(&failures), 0);
}
END_TEST

/* ---- a driver that takes its time ----------------------------------------------------------------------- */

enum { MOST_LATE = 64 };

static const vptr__device_ops *true_ops;
static pthread_t late[MOST_LATE];
static size_t late_count;

static void *release_late(void *buffer) {
  usleep(LATE_US);
  true_ops->memory.release(residences_mapper->device, buffer);
  return NULL;
}

static void release_soon(vptr__device *device, cl_mem buffer) {
  if (late_count == MOST_LATE || pthread_create(&late[late_count], NULL, release_late, buffer) != 0)
    true_ops->memory.release(device, buffer);
  else
    late_count++;
}

/* All that may leave has left before the first is destroyed. */
START_TEST(a_driver_may_destroy_later_what_was_released) {
  vptr__device *device = residences_mapper->device;
  vptr__device_ops ops = *device->ops;
  true_ops = device->ops;
  ops.memory.release = release_soon;
  late_count = 0;
  device->ops = &ops;
  void *fresh = NULL;
  vptr_status status = vptr_malloc(residences_mapper, SIZE, &fresh);
  for (size_t i = 0; i < late_count; i++)
    pthread_join(late[i], NULL);
  device->ops = true_ops;
  support_succeed(status);
  ck_assert_uint_gt(late_count, 0);
  support_succeed(vptr_free(residences_mapper, fresh));
  for (int i = 0; i < MANY; i++)
    residences_expect(many[i], i);
}
END_TEST

/* ---- inside a function that a stream calls -------------------------------------------------------------- */

typedef struct late_user {
  void *ptr;
  bool saw_it_leave;
  vptr_status leased, copied;
} late_user;

/* The eviction waits for this function. */
static void use_what_leaves(vptr_status status, void *context) {
  late_user *it = context;
  vptr_location location;
  vptr__lease lease;
  (void)status;
  for (int i = 0; i < 100000 && !(it->saw_it_leave = residences_state(it->ptr) == VPTR__RESIDENCE_LEAVING); i++)
    usleep(100);
  it->leased = vptr__lease_take(residences_mapper->heap, it->ptr, SIZE, &location, &lease);
  if (it->leased == VPTR_SUCCESS)
    vptr__lease_give(&lease);
  it->copied = vptr_memcpy(residences_mapper, seen, it->ptr, SIZE);
}

static void *allocate_beside(void *memory_out) {
  void *memory;
  *(void **)memory_out = vptr_malloc(residences_mapper, SIZE, &memory) == VPTR_SUCCESS ? memory : NULL;
  return NULL;
}

START_TEST(a_stream_s_function_has_what_is_about_to_leave_stay) {
  late_user it = { .ptr = many[MANY - FIT] };
  vptr__stream *stream;
  pthread_t thread;
  void *memory = NULL;
  ck_assert_int_eq(residences_state(it.ptr), VPTR__RESIDENCE_HERE);
  support_succeed(vptr__stream_create(residences_mapper, 0, 0, &stream));
  support_succeed(vptr__stream_host(stream, use_what_leaves, &it));
  ck_assert_int_eq(pthread_create(&thread, NULL, allocate_beside, &memory), 0);
  pthread_join(thread, NULL);
  support_succeed(vptr__stream_synchronize(stream));
  support_succeed(vptr__stream_destroy(stream));
  ck_assert(it.saw_it_leave);
  support_expect(VPTR_SUCCESS, it.leased);
  support_expect(VPTR_ERROR_NOT_READY, it.copied); /* as ever there */
  ck_assert_ptr_nonnull(memory);
  support_succeed(vptr_free(residences_mapper, memory));
  support_succeed(vptr_check(residences_mapper));
  for (int i = 0; i < MANY; i++)
    residences_expect(many[i], i);
}
END_TEST

int main(void) {
  faults_begin();
  Suite *suite = suite_create("residence");
  TCase *budget = tcase_create("budget"), *moves = tcase_create("moves");
  tcase_add_test(budget, a_budget_is_the_devices_memory_and_ends);
  tcase_add_loop_test(budget, a_mapper_waits_for_the_room_that_the_one_before_had, 0, 2);
  tcase_add_test(budget, who_finds_no_room_waits_a_moment_only);
  suite_add_tcase(suite, budget);
  tcase_set_timeout(moves, 300);
  tcase_add_checked_fixture(moves, residences_set_up, residences_tear_down);
  tcase_add_test(moves, what_is_beyond_the_device_keeps_its_bytes_and_addresses);
  tcase_add_test(moves, what_was_used_longest_ago_leaves);
  tcase_add_test(moves, fills_and_copies_between_two_bring_both);
  tcase_add_test(moves, a_copy_that_overlaps_itself_goes_through_what_room_there_is);
  tcase_add_test(moves, look_ups_answer_without_a_buffer);
  tcase_add_test(moves, whose_buffer_the_program_has_stays);
  tcase_add_test(moves, an_address_is_of_the_buffer_that_is_there);
  tcase_add_test(moves, a_mapping_brings_what_it_maps);
  tcase_add_test(moves, what_does_not_fit_together_is_told_with_its_bytes);
  tcase_add_test(moves, what_is_away_is_freed_as_all_else);
  tcase_add_test(moves, files_take_what_memory_does_not);
  tcase_add_test(moves, a_return_takes_over_the_buffer_that_leaves);
  tcase_add_test(moves, what_was_only_read_leaves_without_a_copy);
  tcase_add_loop_test(moves, what_was_written_is_not_what_the_host_had, 0, WRITES);
  tcase_add_test(moves, copies_are_given_up_where_the_host_has_no_room);
  tcase_add_loop_test(moves, every_call_may_fail_once, 0, 2 * (int)(sizeof faults / sizeof faults[0]));
  tcase_add_test(moves, a_random_program_sees_no_difference);
  tcase_add_test(moves, threads_evict_each_others_memory);
  tcase_add_test(moves, a_driver_may_destroy_later_what_was_released);
  tcase_add_test(moves, a_stream_s_function_has_what_is_about_to_leave_stay);
  suite_add_tcase(suite, moves);
  return support_run(suite);
}
