/* SPDX-License-Identifier: MIT */
/*
 * test_pack - rows between host and device (transfer/pack.h), both ways of copying them, against a host model.
 *
 * No device here asks for it, so the tests say it does. Of each class of rects the second and fourth copy are packed
 * ones, and up to the eighth every other may be.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"
#include "transfer/async.h"

enum { DEVICE_BYTES = 12 << 20, HOST_BYTES = 10 << 20, LEARNING = 8, ROUNDS = 30 };

static vptr_mapper *mapper;
static vptr__stream *stream;
static bool host_is_pinned;
static unsigned char *device, *host, *model, *seen;
static uint64_t seed = 5;

static void open_mapper(void) {
  void *ptr;
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  support_succeed(vptr_malloc(mapper, DEVICE_BYTES, &ptr));
  mapper->device->tuning.packs_rows = true;
  device = ptr;
}

static void close_mapper(void) {
  support_succeed(vptr_free(mapper, device));
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static void setup(void) {
  open_mapper();
  host_is_pinned = false;
  host = malloc(HOST_BYTES);
  model = malloc(DEVICE_BYTES);
  seen = malloc(DEVICE_BYTES);
  for (size_t i = 0; i < DEVICE_BYTES; i++)
    model[i] = (unsigned char)(i * 2654435761u >> 11);
  for (size_t i = 0; i < HOST_BYTES; i++)
    host[i] = (unsigned char)(i * 2246822519u >> 9);
  support_succeed(vptr_memcpy(mapper, device, model, DEVICE_BYTES));
}

static void teardown(void) {
  close_mapper();
  free(seen);
  free(model);
  free(host);
}

/* ---- copies and their model ------------------------------------------------------------------------------ */

typedef struct rows {
  size_t region[3];
  size_t at, row, slice; /* in device memory */
  size_t host_at, host_row, host_slice;
} rows;

static rows random_rows(void) {
  rows made = { .region = { 1 + support_below(&seed, support_below(&seed, 2) ? 40 : 3000),
                            64 + support_below(&seed, support_below(&seed, 2) ? 600 : 20000),
                            1 + support_below(&seed, 3) } };
  size_t least = (1 << 20) / (made.region[1] * made.region[2]) + 1;
  if (made.region[0] < least)
    made.region[0] = least;
  made.row = made.region[0] + support_below(&seed, 2) * support_below(&seed, 60);
  made.slice = made.row * (made.region[1] + support_below(&seed, 3));
  made.host_row = made.region[0] + support_below(&seed, 2) * support_below(&seed, 60);
  made.host_slice = made.host_row * (made.region[1] + support_below(&seed, 3));
  made.at = support_below(&seed, 1000);
  made.host_at = support_below(&seed, 1000);
  return made;
}

static vptr_status copy(const rows *rect, bool to_device) {
  const vptr__operand on_device = {
    .what = "test", .ptr = device + rect->at, .row = rect->row, .slice = rect->slice
  };
  const vptr__operand on_host = { .what = "test",
                                  .ptr = host + rect->host_at,
                                  .row = rect->host_row,
                                  .slice = rect->host_slice,
                                  .pinned = host_is_pinned };
  return vptr__transfer_copy(stream, to_device ? &on_device : &on_host, to_device ? &on_host : &on_device,
                             rect->region, VPTR__TRANSFER_WAIT);
}

static void copy_model(const rows *rect, unsigned char *to, bool to_device) {
  for (size_t z = 0; z < rect->region[2]; z++)
    for (size_t y = 0; y < rect->region[1]; y++) {
      size_t there = rect->at + z * rect->slice + y * rect->row;
      size_t here = rect->host_at + z * rect->host_slice + y * rect->host_row;
      memcpy(to + (to_device ? there : here), to_device ? host + here : model + there, rect->region[0]);
    }
}

static bool fits(const rows *rect) {
  return rect->at + rect->slice * rect->region[2] <= DEVICE_BYTES &&
         rect->host_at + rect->host_slice * rect->region[2] <= HOST_BYTES;
}

static void expect_device(void) {
  support_succeed(vptr_memcpy(mapper, seen, device, DEVICE_BYTES));
  support_must(memcmp(seen, model, DEVICE_BYTES) == 0);
}

static void to_device(const rows *rect) {
  copy_model(rect, model, true);
  support_succeed(copy(rect, true));
  expect_device();
}

static void to_host(const rows *rect) {
  memcpy(seen, host, HOST_BYTES);
  copy_model(rect, seen, false);
  support_succeed(copy(rect, false));
  support_must(memcmp(seen, host, HOST_BYTES) == 0);
}

START_TEST(rects_arrive_whole_and_gaps_stay) {
  for (long i = support_rounds(ROUNDS); i > 0; i--) {
    rows rect = random_rows();
    for (int n = 0; n <= LEARNING && fits(&rect); n++) {
      host[support_below(&seed, HOST_BYTES)]++;
      to_device(&rect);
      host[support_below(&seed, HOST_BYTES)]++;
      to_host(&rect);
    }
  }
  ck_assert_ptr_nonnull(vptr__mapper_state(mapper, VPTR__SUBSYSTEM_PACK));
}
END_TEST

/* More than the stage holds. */
START_TEST(large_rects_go_in_pieces) {
  const rows rect = { { 48, 150000, 1 }, 7, 64, 0, 3, 48, 0 };
  for (int n = 0; n <= LEARNING; n++) {
    host[support_below(&seed, HOST_BYTES)]++;
    to_device(&rect);
    to_host(&rect);
  }
}
END_TEST

START_TEST(few_rows_and_devices_that_did_not_ask_go_by_the_command) {
  const rows few = { { 40000, 32, 1 }, 0, 50000, 0, 0, 40000, 0 }, many = { { 64, 16384, 1 }, 0, 80, 0, 0, 64, 0 };
  for (int n = 0; n < LEARNING; n++)
    to_device(&few);
  mapper->device->tuning.packs_rows = false;
  for (int n = 0; n < LEARNING; n++)
    to_device(&many);
  ck_assert_ptr_null(vptr__mapper_state(mapper, VPTR__SUBSYSTEM_PACK));
}
END_TEST

/* The host's memory here is not, but whoever says so gets no packed copy. */
START_TEST(pinned_rows_go_by_the_command) {
  const rows many = { { 64, 16384, 1 }, 0, 80, 0, 0, 64, 0 };
  host_is_pinned = true;
  for (int n = 0; n < LEARNING; n++) {
    to_device(&many);
    to_host(&many);
  }
  ck_assert_ptr_null(vptr__mapper_state(mapper, VPTR__SUBSYSTEM_PACK));
}
END_TEST

START_TEST(long_rows_are_packed_from_the_device_alone) {
  const rows many = { { 1024, 1024, 1 }, 0, 1100, 0, 0, 1024, 0 };
  for (int n = 0; n < LEARNING; n++)
    to_device(&many);
  ck_assert_ptr_null(vptr__mapper_state(mapper, VPTR__SUBSYSTEM_PACK));
  to_host(&many);
  ck_assert_ptr_nonnull(vptr__mapper_state(mapper, VPTR__SUBSYSTEM_PACK));
}
END_TEST

START_TEST(trimming_gives_stage_and_scratch_back) {
  const rows rect = { { 64, 16384, 1 }, 0, 80, 0, 0, 64, 0 };
  vptr__fake_counts before, between, after;
  if (support_has_opencl())
    return;
  support_succeed(vptr_trim(mapper, 0));
  vptr__fake_get_counts(&before);
  to_device(&rect);
  to_device(&rect);
  support_succeed(vptr_trim(mapper, SIZE_MAX));
  vptr__fake_get_counts(&between);
  ck_assert_uint_eq(between.buffers, before.buffers);
  to_device(&rect);
  to_device(&rect);
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.buffers, before.buffers + 1);
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 3, COPIES = 12, PART = 2 << 20 };

static void *copy_in_part(void *context) {
  size_t part = *(const size_t *)context;
  const rows rect = { { 64, 16384, 1 }, part * PART, 96, 0, part * PART, 64, 0 };
  for (int i = 0; i < COPIES; i++) {
    vptr_status status = copy(&rect, true);
    if (status == VPTR_SUCCESS)
      status = copy(&rect, false);
    if (status != VPTR_SUCCESS)
      return (void *)"failed";
  }
  copy_model(&rect, model, true);
  return NULL;
}

START_TEST(threads_may_copy_rows_at_once) {
  pthread_t threads[THREADS];
  size_t parts[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    parts[i] = i;
    ck_assert_int_eq(pthread_create(&threads[i], NULL, copy_in_part, &parts[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    void *complaint;
    pthread_join(threads[i], &complaint);
    ck_assert_ptr_null(complaint);
  }
  expect_device();
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

enum { MOST_FAULTS = 200 };

typedef void arm_fault(long n);

static void fail_operation(long n) {
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
}

static void fail_command(long n) {
  vptr__fake_fail_command(n, CL_OUT_OF_RESOURCES);
}

static void fail_memory(long n) {
  vptr__memory_fail_nth(n);
}

/* A packed copy each way, with a fault in one of them: it is told, or the copy is done all the same. */
static int copy_with_fault(arm_fault *arm, long n) {
  const rows rect = { { 64, 16384, 1 }, 5, 80, 0, 9, 70, 0 };
  int told = 0;
  support_succeed(vptr_memcpy(mapper, device, model, DEVICE_BYTES));
  support_succeed(copy(&rect, true));
  support_succeed(copy(&rect, false));
  support_succeed(vptr_trim(mapper, SIZE_MAX));
  arm(n);
  for (int way = 0; way < 2; way++) {
    vptr_status status = copy(&rect, way == 0);
    told += status != VPTR_SUCCESS;
    if (status != VPTR_SUCCESS)
      ck_assert(status == VPTR_ERROR_OPENCL || status == VPTR_ERROR_OUT_OF_HOST_MEMORY);
  }
  arm(0);
  copy_model(&rect, model, true);
  support_succeed(copy(&rect, true));
  expect_device();
  return told;
}

static int with_all_faults(arm_fault *arm, long last) {
  int told = 0;
  vptr__fake_counts before, after;
  for (long n = 1; n <= last; n++) {
    close_mapper();
    vptr__fake_get_counts(&before);
    long live = vptr__memory_live();
    open_mapper();
    told += copy_with_fault(arm, n) > 0;
    close_mapper();
    vptr__fake_get_counts(&after);
    ck_assert_uint_eq(after.buffers, before.buffers);
    ck_assert_uint_eq(after.queues, before.queues);
    ck_assert_uint_eq(after.events, before.events);
    ck_assert_int_eq(vptr__memory_live(), live);
    open_mapper();
  }
  return told;
}

START_TEST(any_operation_may_fail) {
  if (!support_has_opencl())
    ck_assert_int_ge(with_all_faults(fail_operation, 40), 8);
}
END_TEST

/* The gates' barriers are commands, too. */
START_TEST(any_command_may_fail) {
  if (!support_has_opencl())
    ck_assert_int_ge(with_all_faults(fail_command, 10), 4);
}
END_TEST

START_TEST(host_memory_may_be_short) {
  if (!support_has_opencl())
    with_all_faults(fail_memory, 6);
}
END_TEST

static Suite *pack_suite(void) {
  Suite *suite = suite_create("pack");
  TCase *tests = tcase_create("rows");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, rects_arrive_whole_and_gaps_stay);
  tcase_add_test(tests, large_rects_go_in_pieces);
  tcase_add_test(tests, few_rows_and_devices_that_did_not_ask_go_by_the_command);
  tcase_add_test(tests, pinned_rows_go_by_the_command);
  tcase_add_test(tests, long_rows_are_packed_from_the_device_alone);
  tcase_add_test(tests, trimming_gives_stage_and_scratch_back);
  tcase_add_test(tests, threads_may_copy_rows_at_once);
  tcase_add_test(tests, any_operation_may_fail);
  tcase_add_test(tests, any_command_may_fail);
  tcase_add_test(tests, host_memory_may_be_short);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(pack_suite());
}
