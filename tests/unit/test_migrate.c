/* SPDX-License-Identifier: MIT */
/*
 * migrate - a mapper goes to another device, and nothing that the program has changes: addresses, serial numbers,
 * bytes, events, streams; what cannot go is refused before anything moves; and whatever fails leaves it where it was.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/fake.h"
#include "device/proxy.h"
#include "heap/heap.h"
#include "layer/faults.h"
#include "mapper/mapper.h"
#include "stream/event.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"

enum { BLOCKS = 6, LARGE = 20 << 20, ODD = 100001 };
static const size_t sizes[BLOCKS] = { 1, 777, 4096, ODD, 300000, LARGE };

static vptr_mapper *mapper;
static unsigned char *block[BLOCKS];
static uint64_t serial[BLOCKS];
static unsigned char *host;
static vptr__stream *stream;
static vptr__event *first, *second;

static unsigned char byte_of(int i, size_t at) {
  return (unsigned char)(at * 31 + (size_t)i * 7 + at / 4096 + 1);
}

static void fill_host(int i) {
  for (size_t at = 0; at < sizes[i]; at++)
    host[at] = byte_of(i, at);
}

static uint64_t serial_of(const void *ptr) {
  vptr_location location;
  support_succeed(vptr__mapper_locate(mapper, ptr, 1, &location));
  return location.serial;
}

static void make_mapper(unsigned flags) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 36;
  config.flags = flags;
  support_succeed(vptr_mapper_create(&config, &mapper));
}

/* Blocks with bytes, a stream, and two events that were reached with work between. */
static void fill_mapper(void) {
  for (int i = 0; i < BLOCKS; i++) {
    void *ptr;
    support_succeed(vptr_malloc(mapper, sizes[i], &ptr));
    block[i] = ptr;
    serial[i] = serial_of(ptr);
    fill_host(i);
    support_succeed(vptr_memcpy(mapper, ptr, host, sizes[i]));
  }
  support_succeed(vptr__stream_create(mapper, 0, 0, &stream));
  support_succeed(vptr__event_create(mapper, 0, &first));
  support_succeed(vptr__event_create(mapper, 0, &second));
  support_succeed(vptr__event_record(first, stream));
  support_succeed(vptr__event_record(second, stream));
  support_succeed(vptr__event_synchronize(second));
}

static void set_up(void) {
  host = vptr__memory_calloc(LARGE, 1);
  make_mapper(VPTR_CONFIG_MIGRATE);
  fill_mapper();
}

static void tear_down(void) {
  faults_pull();
  vptr__memory_fail_nth(0);
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
  vptr__memory_free(host);
}

/* All that the program can see is as it was, and works. */
static void expect_all(void) {
  float ms = -1;
  for (int i = 0; i < BLOCKS; i++) {
    ck_assert_uint_eq(serial_of(block[i]), serial[i]);
    memset(host, 0, sizes[i]);
    support_succeed(vptr_memcpy(mapper, host, block[i], sizes[i]));
    for (size_t at = 0; at < sizes[i]; at++)
      support_must(host[at] == byte_of(i, at));
  }
  support_succeed(vptr__event_query(first));
  support_succeed(vptr__event_elapsed(first, second, &ms));
  ck_assert(ms >= 0 && ms < 10000);
  support_succeed(vptr__stream_synchronize(stream));
  support_succeed(vptr_check(mapper));
}

/* ---- going ---------------------------------------------------------------------------------------------- */

START_TEST(nothing_that_the_program_has_changes) {
  vptr__device *before = mapper->device;
  for (int round = 0; round < 3; round++) {
    support_succeed(vptr_migrate(mapper, NULL));
    ck_assert_ptr_ne(before, mapper->device);
    expect_all();
  }
}
END_TEST

START_TEST(work_goes_on_there) {
  support_succeed(vptr_migrate(mapper, NULL));
  void *more;
  support_succeed(vptr_malloc(mapper, ODD, &more));
  support_succeed(vptr_memcpy(mapper, more, block[5], ODD));
  support_succeed(vptr_memset(mapper, block[5], 9, 3));
  support_succeed(vptr_memcpy(mapper, host, more, ODD));
  ck_assert_int_eq(host[ODD - 1], byte_of(5, ODD - 1));
  support_succeed(vptr_memcpy(mapper, host, block[5], 4));
  ck_assert_int_eq(host[0], 9);
  ck_assert_int_eq(host[3], byte_of(5, 3));
  support_succeed(vptr_free(mapper, more));
  support_succeed(vptr_free(mapper, block[5]));
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, block[5]));
}
END_TEST

START_TEST(events_before_and_after_have_one_clock) {
  vptr__event *third;
  float ms = -1;
  support_succeed(vptr__event_create(mapper, 0, &third));
  support_succeed(vptr_migrate(mapper, NULL));
  support_succeed(vptr__event_record(third, stream));
  support_succeed(vptr__event_synchronize(third));
  support_succeed(vptr__event_elapsed(first, third, &ms));
  ck_assert_msg(ms > -1 && ms < 60000, "%g ms", (double)ms);
  support_succeed(vptr__stream_wait(stream, first)); /* one that is settled */
  support_succeed(vptr__stream_synchronize(stream));
}
END_TEST

/* ---- what cannot go ------------------------------------------------------------------------------------- */

START_TEST(a_mapper_that_was_not_made_for_it_stays) {
  vptr_mapper *movable = mapper;
  make_mapper(0);
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_migrate(mapper, NULL));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "VPTR_CONFIG_MIGRATE"));
  support_succeed(vptr_mapper_destroy(mapper));
  mapper = movable;
}
END_TEST

START_TEST(memory_that_the_program_holds_keeps_it) {
  vptr_location location;
  vptr__device *before = mapper->device;
  support_succeed(vptr_resolve(mapper, block[4], 1, &location));
  ck_assert_ptr_nonnull(location.buffer);
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_migrate(mapper, NULL));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "cl_mem"));
  ck_assert_ptr_eq(before, mapper->device);
  expect_all();
  support_succeed(vptr_free(mapper, block[4]));
  support_succeed(vptr_trim(mapper, 0));
  support_succeed(vptr_migrate(mapper, NULL));
}
END_TEST

START_TEST(parts_that_the_program_was_told_keep_it) {
  vptr_location location;
  vptr_part part;
  size_t parts = 0;
  support_succeed(vptr_get_parts(mapper, block[4] + 7, 100, &part, 1, &parts));
  ck_assert_uint_eq(parts, 1);
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_migrate(mapper, NULL));
  support_succeed(vptr_resolve(mapper, block[4] + 7, 100, &location));
  ck_assert_ptr_eq(part.buffer, location.buffer);
  ck_assert_uint_eq(part.buffer_offset, location.buffer_offset);
  expect_all();
}
END_TEST

/* Also one of the mapper's own, which the program was told. */
START_TEST(addresses_of_one_buffer_are_one_memory) {
  vptr_location location;
  void *again[2], *host_view, *refused;
  support_succeed(vptr_resolve(mapper, block[4], 1, &location));
  for (int i = 0; i < 2; i++)
    support_succeed(vptr_attach(mapper, location.buffer, &again[i]));
  support_succeed(vptr_map(mapper, block[4], 100, VPTR_ACCESS_WRITE, &host_view));
  for (int i = 0; i < 2; i++)
    support_expect(VPTR_ERROR_MAPPED, vptr_map(mapper, (char *)again[i] + 50, 100, VPTR_ACCESS_READ, &refused));
  fill_host(4);
  memcpy(host_view, host, 100);
  support_succeed(vptr_unmap(mapper, host_view));
  for (int i = 0; i < 2; i++)
    support_succeed(vptr_free(mapper, again[i]));
  expect_all();
}
END_TEST

START_TEST(a_queue_that_the_program_knows_keeps_it) {
  vptr_get_queue(mapper);
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_migrate(mapper, NULL));
  expect_all();
}
END_TEST

START_TEST(mapped_memory_comes_along_or_keeps_it) {
  void *view;
  support_succeed(vptr_map(mapper, block[4], 100, VPTR_ACCESS_READ_WRITE, &view));
  vptr_status status = vptr_migrate(mapper, NULL);
  ck_assert(status == (mapper->device->host_unified ? VPTR_ERROR_MAPPED : VPTR_SUCCESS));
  ck_assert_int_eq(((unsigned char *)view)[99], byte_of(4, 99));
  support_succeed(vptr_unmap(mapper, view));
  expect_all();
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

/* It is where it was, or where it went. */
static bool try_with_fault(void) {
  vptr__device *before = mapper->device;
  vptr_status status = vptr_migrate(mapper, NULL);
  faults_pull();
  vptr__memory_fail_nth(0);
  ck_assert_int_eq(status == VPTR_SUCCESS, mapper->device != before);
  if (status != VPTR_SUCCESS)
    ck_assert_str_ne(vptr_last_error(), "");
  return status == VPTR_SUCCESS;
}

/* Released queues go when their work has. */
static void expect_objects(size_t expected, long n) {
  for (int i = 0; i < 2000 && faults_objects() != expected; i++)
    usleep(1000);
  ck_assert_msg(faults_objects() == expected, "call %ld, %s: %zu objects, not %zu", n, faults_where(),
                faults_objects(), expected);
}

static const cl_int codes[] = { CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_INVALID_OPERATION };
enum { CODES = sizeof codes / sizeof *codes, LEAST = 30, MOST = 3000, SEEN = SUPPORT_IS_SANITIZED ? 50 : 8 };

START_TEST(every_call_may_fail) {
  bool may_fail = true;
  long n = 0, tries = 0, went = 0;
  if (!faults_can())
    return;
  support_succeed(vptr_migrate(mapper, NULL));
  const size_t had = faults_objects();
  while (may_fail && n < MOST) {
    n = support_next(n);
    faults_plant(n, codes[_i]);
    went += try_with_fault();
    tries++;
    may_fail = faults_have_fired();
    expect_objects(had, n);
    if (n % SEEN == 0)
      expect_all();
  }
  ck_assert_int_gt(n, LEAST);
  ck_assert_int_lt(n, MOST);
  ck_assert_int_lt(went, tries / 2);
  expect_all();
}
END_TEST

/* On NVIDIA's OpenCL a second context gets nothing of what is registered with the first. */
START_TEST(pinned_memory_is_registered_with_the_new_device) {
  cl_mem pin;
  void *memory = aligned_alloc(4096, 4096);
  bool is_registered = true;
  vptr__fake_register_once(memory);
  support_succeed(mapper->device->ops->memory.pin_host(mapper->device, memory, 4096, &pin));
  support_succeed(vptr_migrate(mapper, NULL));
  ck_assert(vptr__fake_is_registered());
  const size_t had = faults_objects();
  /* The last step that can fail is pinning once more: then it went, without the pin, and a line says what kernels must
   * not use. How many calls come before it differs by one or two, so it may be missed, and is tried for again. */
  long tries = 0;
  for (long n = 1; is_registered; n = faults_have_fired() ? n + 1 : 1) {
    ck_assert_int_lt(++tries, 3000);
    faults_plant(n, CL_OUT_OF_RESOURCES);
    const bool went = try_with_fault();
    is_registered = vptr__fake_is_registered();
    ck_assert(went || is_registered);
    expect_objects(had - !is_registered, n);
  }
  support_succeed(vptr_migrate(mapper, NULL)); /* from where nobody has it */
  ck_assert(vptr__fake_is_registered());
  expect_objects(had, 0);
  mapper->device->ops->memory.unpin_host(mapper->device, pin, memory);
  ck_assert(!vptr__fake_is_registered());
  vptr__fake_register_once(NULL);
  free(memory);
}
END_TEST

START_TEST(every_allocation_may_fail) {
  long n = 0, failed = 0;
  bool is_over = false;
  for (n = 1; !is_over && n < 1000; n++) {
    vptr__memory_fail_nth(n);
    is_over = try_with_fault();
    failed += !is_over;
    expect_all();
  }
  ck_assert(is_over);
  ck_assert_int_gt(failed, 3);
}
END_TEST

/* ---- what is under way ---------------------------------------------------------------------------------- */

START_TEST(pending_work_is_done_first) {
  fill_host(5);
  for (size_t i = 0; i < LARGE; i++)
    host[i] = (unsigned char)~host[i];
  vptr__operand to = { .what = "to", .ptr = block[5] }, from = { .what = "from", .ptr = host, .pinned = true };
  support_succeed(vptr__transfer_copy(stream, &to, &from, (size_t[3]){ LARGE, 1, 1 }, 0));
  support_succeed(vptr_migrate(mapper, NULL));
  memset(host, 0, LARGE);
  support_succeed(vptr_memcpy(mapper, host, block[5], LARGE));
  for (size_t at = 0; at < LARGE; at++)
    support_must(host[at] == (unsigned char)~byte_of(5, at));
}
END_TEST

/* ---- a device that is lost ------------------------------------------------------------------------------ */

/* The device behind the mapper's takes nothing more from now on. */
static vptr__device_ops dead_ops;

static vptr_status say_lost(void) {
  return vptr__error_cl(CL_DEVICE_NOT_AVAILABLE, "the test's device");
}

static vptr_status dead_read(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size) {
  (void)device, (void)buffer, (void)offset, (void)to, (void)size;
  return say_lost();
}

static vptr_status dead_finish(vptr__device *device) {
  (void)device;
  return say_lost();
}

static vptr_status dead_barrier(vptr__device *device, cl_command_queue queue, cl_uint count, const cl_event *events,
                                cl_event *event_out) {
  (void)device, (void)queue, (void)count, (void)events, (void)event_out;
  return say_lost();
}

static vptr_status dead_state(vptr__device *device, cl_event event, cl_int *state_out) {
  (void)device, (void)event, (void)state_out;
  return say_lost();
}

static void lose_device(void) {
  vptr__device *inner = mapper->device->proxy->inner->device;
  dead_ops = *inner->ops;
  dead_ops.transfer.read = dead_read;
  dead_ops.queue.finish_all = dead_finish;
  dead_ops.queue.enqueue_barrier = dead_barrier;
  dead_ops.event.state = dead_state;
  inner->ops = &dead_ops;
}

static size_t told;
static void *told_of[2 * BLOCKS];

static void note_loss(const vptr_location *allocation, void *context) {
  ck_assert_ptr_eq(context, &told);
  ck_assert_ptr_eq(allocation->base, (char *)allocation->base + allocation->offset);
  told_of[told++] = allocation->base;
  ck_assert_uint_le(told, BLOCKS);
}

static void expect_zeros(int i) {
  support_succeed(vptr_memcpy(mapper, host, block[i], sizes[i]));
  for (size_t at = 0; at < sizes[i]; at++)
    support_must(host[at] == 0);
}

START_TEST(what_a_lost_device_had_is_told) {
  told = 0;
  lose_device();
  support_expect(VPTR_ERROR_OPENCL, vptr_migrate(mapper, NULL));
  support_succeed(vptr_migrate_lost(mapper, NULL, note_loss, &told));
  ck_assert_uint_eq(told, BLOCKS);
  for (int i = 0; i < BLOCKS; i++) {
    bool is_told = false;
    for (size_t k = 0; k < told; k++)
      is_told |= told_of[k] == block[i];
    ck_assert(is_told);
    ck_assert_uint_eq(serial_of(block[i]), serial[i]);
    expect_zeros(i);
    fill_host(i);
    support_succeed(vptr_memcpy(mapper, block[i], host, sizes[i]));
  }
  support_expect(VPTR_ERROR_OPENCL, vptr__event_query(first)); /* nobody knows whether it was reached */
  support_succeed(vptr__event_record(first, stream));
  support_succeed(vptr__event_record(second, stream));
  support_succeed(vptr__event_synchronize(second));
  expect_all();
  support_succeed(vptr_migrate(mapper, NULL));
  expect_all();
}
END_TEST

START_TEST(a_device_that_still_gives_bytes_loses_none) {
  told = 0;
  support_succeed(vptr_migrate_lost(mapper, NULL, note_loss, &told));
  ck_assert_uint_eq(told, 0);
  expect_all();
}
END_TEST

/* The first device is small, the others are not. */
static void set_up_oversubscribed(void) {
  host = vptr__memory_calloc(LARGE, 1);
  make_mapper(VPTR_CONFIG_MIGRATE | VPTR_CONFIG_OVERSUBSCRIBE);
  mapper->device->proxy->inner->device->memory_bytes = (size_t)44 << 20;
}

/* Three of which two fit: the first has left when the device is lost. */
START_TEST(what_had_left_the_device_is_kept) {
  void *ptr[3];
  told = 0;
  for (int i = 0; i < 3; i++) {
    support_succeed(vptr_malloc(mapper, LARGE, &ptr[i]));
    support_succeed(vptr_memset(mapper, ptr[i], i + 1, LARGE));
  }
  vptr__heap_places places = vptr__heap_places_of(mapper->heap);
  ck_assert_uint_eq(places.away_count, 1);
  lose_device();
  support_succeed(vptr_migrate_lost(mapper, NULL, note_loss, &told));
  ck_assert_uint_eq(told, 2);
  support_succeed(vptr_memcpy(mapper, host, ptr[0], LARGE));
  for (size_t at = 0; at < LARGE; at++)
    support_must(host[at] == 1);
}
END_TEST

START_TEST(what_had_left_the_device_goes_along) {
  void *ptr[3];
  for (int i = 0; i < 3; i++) {
    support_succeed(vptr_malloc(mapper, LARGE, &ptr[i]));
    support_succeed(vptr_memset(mapper, ptr[i], i + 1, LARGE));
  }
  support_succeed(vptr_migrate(mapper, NULL));
  for (int i = 0; i < 3; i++) {
    support_succeed(vptr_memcpy(mapper, host, ptr[i], LARGE));
    support_must(host[0] == i + 1 && host[LARGE - 1] == i + 1);
  }
}
END_TEST

int main(void) {
  faults_begin();
  Suite *suite = suite_create("migrate");
  TCase *going = tcase_create("going");
  tcase_add_checked_fixture(going, set_up, tear_down);
  tcase_add_test(going, nothing_that_the_program_has_changes);
  tcase_add_test(going, work_goes_on_there);
  tcase_add_test(going, events_before_and_after_have_one_clock);
  tcase_add_test(going, a_mapper_that_was_not_made_for_it_stays);
  tcase_add_test(going, memory_that_the_program_holds_keeps_it);
  tcase_add_test(going, parts_that_the_program_was_told_keep_it);
  tcase_add_test(going, addresses_of_one_buffer_are_one_memory);
  tcase_add_test(going, a_queue_that_the_program_knows_keeps_it);
  tcase_add_test(going, mapped_memory_comes_along_or_keeps_it);
  tcase_add_test(going, pending_work_is_done_first);
  tcase_add_loop_test(going, every_call_may_fail, 0, CODES);
  if (!support_has_opencl())
    tcase_add_test(going, pinned_memory_is_registered_with_the_new_device);
  tcase_add_test(going, every_allocation_may_fail);
  tcase_add_test(going, what_a_lost_device_had_is_told);
  tcase_add_test(going, a_device_that_still_gives_bytes_loses_none);
  suite_add_tcase(suite, going);
  TCase *away = tcase_create("away");
  tcase_add_checked_fixture(away, set_up_oversubscribed, tear_down);
  if (!support_has_opencl()) { /* what a small device is, the test says to the fake one alone */
    tcase_add_test(away, what_had_left_the_device_is_kept);
    tcase_add_test(away, what_had_left_the_device_goes_along);
  }
  suite_add_tcase(suite, away);
  return support_run(suite);
}
