/* SPDX-License-Identifier: MIT */
/*
 * translation table - what kernels look up, by the very functions that are put before them: there and back for every
 * place that is live, whatever comes and goes meanwhile; and when it cannot be made, a status and nothing else.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/option.h"
#include "device/fake.h"
#include "heap/survey.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define __global
typedef cl_ulong in_kernels;
#define ulong in_kernels
#include "../../lib/translate/emit/prelude/translation.cl"
#define VPTR_APART
#include "../../lib/translate/emit/prelude/reach.cl"
#undef vptr_in
#undef ulong
#undef __global

#define MIB ((size_t)1 << 20)

enum { MOST_HOSTS = 40 };

static vptr_mapper *mapper;

static vptr__host_range hosts[MOST_HOSTS];
static size_t host_count;
static uint64_t host_serial_now;

static size_t provide(const vptr_mapper *of, vptr__host_range *ranges, size_t room) {
  (void)of;
  for (size_t i = 0; i < host_count && i < room; i++)
    ranges[i] = hosts[i];
  return host_count;
}

static uint64_t serial(void) {
  return host_serial_now;
}

static const vptr__subsystem provider = { .list_hosts = provide, .host_serial = serial };

static void set_up(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 38;
  host_count = 0;
  host_serial_now = 1;
  vptr__fake_report_addresses(true);
  vptr__subsystem_enter(VPTR__SUBSYSTEM_PINNED, &provider);
  support_succeed(vptr_mapper_create(&config, &mapper));
}

static void tear_down(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static char *allocate(size_t size) {
  void *ptr;
  support_succeed(vptr_malloc(mapper, size, &ptr));
  return ptr;
}

/* ---- what a kernel would have ---------------------------------------------------------------------------- */

typedef struct view {
  in_kernels *table;
  struct vptr_translation translation;
} view;

static view look(void) {
  cl_mem buffer;
  size_t bytes;
  view it;
  support_succeed(vptr__translation_table_take(mapper, &buffer));
  support_succeed(mapper->device->ops->memory.size(mapper->device, buffer, &bytes));
  it.table = malloc(bytes);
  support_succeed(mapper->device->ops->transfer.read(mapper->device, buffer, 0, it.table, bytes));
  mapper->device->ops->memory.release(mapper->device, buffer);
  it.translation = vptr_translation_of(it.table);
  size_t entries = it.table[3] + it.table[4] + it.table[5];
  support_must(bytes == (6 + it.table[2] + 3 * entries + (it.table[2] + 63) / 64) * sizeof *it.table);
  return it;
}

static void close_view(view *it) {
  free(it->table);
}

static void must_lead_there_and_back(const view *it, const char *ptr) {
  uint64_t address;
  support_succeed(vptr__heap_device_address(mapper->heap, ptr, &address));
  support_must(vptr_in(&it->translation, (uintptr_t)ptr) == address);
  support_must(vptr_out(&it->translation, address) == (uintptr_t)ptr);
}

static void must_mean_itself(const view *it, uint64_t value) {
  support_must(vptr_in(&it->translation, value) == value);
  support_must(vptr_out(&it->translation, value) == value);
}

/* ---- places ---------------------------------------------------------------------------------------------- */

START_TEST(every_live_place_leads_there_and_back) {
  static const size_t sizes[] = { 1, 100, 4096, 200000, 300000, 64 * MIB, 130 * MIB, 5 };
  char *ptrs[sizeof sizes / sizeof *sizes];
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    ptrs[i] = allocate(sizes[i]);
  view it = look();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t at = 0; at < sizes[i]; at += sizes[i] / 7 + 1)
      must_lead_there_and_back(&it, ptrs[i] + at);
  close_view(&it);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    support_succeed(vptr_free(mapper, ptrs[i]));
}
END_TEST

START_TEST(one_past_the_end_stays_with_its_buffer) {
  char *ptr = allocate(64 * MIB);
  view it = look();
  uint64_t address = vptr_in(&it.translation, (uintptr_t)ptr);
  ck_assert_uint_eq(vptr_in(&it.translation, (uintptr_t)ptr + 64 * MIB), address + 64 * MIB);
  ck_assert_uint_eq(vptr_out(&it.translation, address + 64 * MIB), (uintptr_t)ptr + 64 * MIB);
  close_view(&it);
  support_succeed(vptr_free(mapper, ptr));
}
END_TEST

/* Devices put buffers and host memory side by side. */
START_TEST(the_beginning_of_one_goes_before_the_end_of_another) {
  char *ptr = allocate(MIB);
  view it = look();
  uint64_t address = vptr_in(&it.translation, (uintptr_t)ptr), behind = address + MIB;
  close_view(&it);
  hosts[0] = (vptr__host_range){ .host = behind, .size = 4096, .address = behind };
  hosts[1] = (vptr__host_range){ .host = 4096, .size = 4096, .address = address - 4096 };
  host_count = 2;
  host_serial_now++;
  it = look();
  ck_assert_uint_eq(vptr_out(&it.translation, address - 1), 4096 + 4095);
  ck_assert_uint_eq(vptr_out(&it.translation, address), (uintptr_t)ptr);
  ck_assert_uint_eq(vptr_out(&it.translation, behind - 1), (uintptr_t)ptr + MIB - 1);
  ck_assert_uint_eq(vptr_out(&it.translation, behind), behind);
  close_view(&it);
  support_succeed(vptr_free(mapper, ptr));
}
END_TEST

START_TEST(what_is_not_in_it_means_itself) {
  view none = look();
  int local;
  must_mean_itself(&none, 0);
  must_mean_itself(&none, (uintptr_t)&local);
  must_mean_itself(&none, UINT64_MAX);
  close_view(&none);
  char *ptr = allocate(10);
  view it = look();
  must_mean_itself(&it, 0);
  must_mean_itself(&it, (uintptr_t)&local);
  must_mean_itself(&it, UINT64_MAX);
  must_mean_itself(&it, 1);
  close_view(&it);
  support_succeed(vptr_free(mapper, ptr));
}
END_TEST

/* ---- a new one when it must be --------------------------------------------------------------------------- */

START_TEST(it_is_made_anew_only_when_something_has_changed) {
  cl_mem first, again, other;
  char *ptr = allocate(100);
  support_succeed(vptr__translation_table_take(mapper, &first));
  char *small = allocate(100); /* in the same buffer */
  support_succeed(vptr__translation_table_take(mapper, &again));
  ck_assert_ptr_eq(first, again);
  char *large = allocate(2 * MIB);
  support_succeed(vptr__translation_table_take(mapper, &other));
  ck_assert_ptr_ne(first, other);
  mapper->device->ops->memory.release(mapper->device, other);
  host_serial_now++;
  support_succeed(vptr__translation_table_take(mapper, &other));
  ck_assert_ptr_ne(first, other);
  mapper->device->ops->memory.release(mapper->device, other);
  mapper->device->ops->memory.release(mapper->device, again);
  mapper->device->ops->memory.release(mapper->device, first);
  support_succeed(vptr_free(mapper, ptr));
  support_succeed(vptr_free(mapper, small));
  support_succeed(vptr_free(mapper, large));
}
END_TEST

START_TEST(it_follows_what_comes_and_goes) {
  char *ptrs[24] = { NULL };
  uint64_t state = 5;
  for (int round = 0; round < 200; round++) {
    int which = (int)(support_random(&state) % 24);
    if (ptrs[which] != NULL)
      support_succeed(vptr_free(mapper, ptrs[which]));
    ptrs[which] = allocate(support_random(&state) % (round % 5 == 0 ? 3 * MIB : 1000) + 1);
    if (round % 17 == 0)
      support_succeed(vptr_trim(mapper, 0));
    view it = look();
    for (int i = 0; i < 24; i++)
      if (ptrs[i] != NULL)
        must_lead_there_and_back(&it, ptrs[i]);
    close_view(&it);
  }
  support_succeed(vptr_clear(mapper));
}
END_TEST

/* ---- host memory ----------------------------------------------------------------------------------------- */

/* More of it than is asked for at first; each has its place in the middle of an allocation. */
START_TEST(host_memory_is_what_it_means_on_the_device) {
  static char memory[MOST_HOSTS][64];
  char *device = allocate(MOST_HOSTS * 100);
  for (int i = 0; i < MOST_HOSTS; i++) {
    int at = i * 7 % MOST_HOSTS;
    hosts[i] = (vptr__host_range){ .host = (uintptr_t)memory[at],
                                   .size = 50,
                                   .device = (uintptr_t)device + 100 * (unsigned)i + 3 };
  }
  host_count = MOST_HOSTS;
  host_serial_now++;
  view it = look();
  ck_assert_uint_eq(it.table[3], MOST_HOSTS);
  for (int i = 0; i < MOST_HOSTS; i++)
    for (unsigned offset = 0; offset <= 50; offset += 10) {
      uint64_t address;
      support_succeed(vptr__heap_device_address(mapper->heap, device + 100 * i + 3 + offset, &address));
      support_must(vptr_in(&it.translation, hosts[i].host + offset) == address);
      support_must(vptr_out(&it.translation, address) == hosts[i].host + offset);
      support_must(vptr_in(&it.translation, (uintptr_t)device + 100 * (unsigned)i + 3 + offset) == address);
    }
  must_lead_there_and_back(&it, device);
  must_lead_there_and_back(&it, device + 100 * MOST_HOSTS - 1);
  close_view(&it);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

/* It has a virtual address as well, which the host would not write down. */
START_TEST(host_memory_in_place_stays_itself) {
  char *device = allocate(100);
  uint64_t address;
  support_succeed(vptr__heap_device_address(mapper->heap, device, &address));
  hosts[0] = (vptr__host_range){ .host = address, .size = 100, .device = (uintptr_t)device };
  hosts[1] = (vptr__host_range){ .host = 12345, .size = 1, .device = 4096 }; /* its buffer has gone meanwhile */
  host_count = 2;
  host_serial_now++;
  view it = look();
  ck_assert_uint_eq(it.table[3], 0);
  ck_assert_uint_eq(it.table[4], 1);
  must_mean_itself(&it, address + 60);
  must_mean_itself(&it, 12345);
  close_view(&it);
  support_succeed(vptr_free(mapper, device));
}
END_TEST

/* ---- threads --------------------------------------------------------------------------------------------- */

/* Each finds its own, whatever the others do. */
static void *come_and_go(void *seed) {
  uint64_t state = (uintptr_t)seed;
  for (int round = 0; round < 60; round++) {
    char *small = allocate(support_random(&state) % 3000 + 1), *large = allocate(2 * MIB);
    view it = look();
    must_lead_there_and_back(&it, small);
    must_lead_there_and_back(&it, large + MIB);
    close_view(&it);
    support_succeed(vptr_free(mapper, small));
    support_succeed(vptr_free(mapper, large));
    if (round % 7 == 0)
      support_succeed(vptr_trim(mapper, 0));
  }
  return NULL;
}

START_TEST(threads_find_their_own) {
  pthread_t threads[4];
  for (uintptr_t i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, come_and_go, (void *)(i + 1)), 0);
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}
END_TEST

/* ---- failures -------------------------------------------------------------------------------------------- */

/* Each in turn until none is met; the output is untouched, and the next call goes through. */
static void fail_each(void (*fail_nth)(long n)) {
  char *ptr = allocate(100), *large = allocate(MIB);
  int failures = 0;
  for (long n = 1;; n++) {
    cl_mem table = NULL;
    support_succeed(vptr_free(mapper, large));
    support_succeed(vptr_trim(mapper, 0));
    large = allocate(MIB);
    long memory = vptr__memory_live();
    fail_nth(n);
    vptr_status status = vptr__translation_table_take(mapper, &table);
    fail_nth(0);
    ck_assert_int_eq(vptr__memory_live(), memory);
    ck_assert((status == VPTR_SUCCESS) == (table != NULL));
    if (status == VPTR_SUCCESS) {
      mapper->device->ops->memory.release(mapper->device, table);
      break;
    }
    failures++;
    ck_assert_str_ne(vptr_last_error(), "");
    view it = look();
    must_lead_there_and_back(&it, ptr);
    must_lead_there_and_back(&it, large);
    close_view(&it);
  }
  ck_assert_int_ge(failures, 2);
  support_succeed(vptr_free(mapper, ptr));
  support_succeed(vptr_free(mapper, large));
}

/* What a block asks that looks up once: the number for all bytes from first to last, no more than a window; or all
 * ones. */
static void expect_stream(const view *it, const char *first, const char *last) {
  const uint64_t least = (uintptr_t)first, greatest = (uintptr_t)last;
  const uint64_t from = vptr_found(&it->translation, least) - least,
                 to = vptr_found(&it->translation, greatest) - greatest;
  ck_assert_uint_eq(vptr_stream(&it->translation, least, greatest, 1), from == to ? from : ~(uint64_t)0);
  ck_assert_uint_eq(vptr_stream(&it->translation, least, greatest, 0), ~(uint64_t)0);
}

/* To kernels that find buffers: what a pointer in memory means, and what an access by it reaches. A pointer into one
 * buffer means what an argument means that leads there, which is the device's address. */
START_TEST(only_what_lies_apart_is_kept_as_the_hosts) {
  uint64_t address;
  tear_down();
  setenv("VPTR_BUFFER_BYTES", "64M", 1);
  setenv("VPTR_BUFFER_ROWS", "0", 1);
  vptr__option_reload();
  set_up();
  char *small = allocate(1000), *large = allocate(200 * MIB), *other = allocate(60 * MIB);
  view it = look();
  const char *const places[] = { large, large + 64 * MIB - 1, large + 64 * MIB, large + 200 * MIB - 1 };
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    ck_assert_uint_eq(vptr_kept(&it.translation, (uintptr_t)places[i]), (uintptr_t)places[i]);
    ck_assert_uint_eq(vptr_found(&it.translation, (uintptr_t)places[i]),
                      vptr_in(&it.translation, (uintptr_t)places[i]));
  }
  const size_t window = (size_t)1 << it.translation.shift;
  expect_stream(&it, large, large + window - 1);
  expect_stream(&it, large + window / 2, large + window / 2 + window - 1);
  expect_stream(&it, large + 64 * MIB - 1, large + 64 * MIB);
  ck_assert_uint_eq(vptr_stream(&it.translation, (uintptr_t)large, (uintptr_t)large + 200 * MIB - 1, 1),
                    ~(uint64_t)0);
  const char *const plain[] = { small, small + 999, other, other + 60 * MIB - 1 };
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    support_succeed(vptr__heap_device_address(mapper->heap, plain[i], &address));
    ck_assert_uint_eq(vptr_kept(&it.translation, (uintptr_t)plain[i]), address);
    ck_assert_uint_eq(vptr_found(&it.translation, address), address);
    ck_assert_uint_eq(vptr_stream(&it.translation, address, address, 1), 0);
  }
  close_view(&it);
  support_succeed(vptr_free(mapper, small));
  support_succeed(vptr_free(mapper, large));
  support_succeed(vptr_free(mapper, other));
  unsetenv("VPTR_BUFFER_BYTES");
  unsetenv("VPTR_BUFFER_ROWS");
  vptr__option_reload();
}
END_TEST

START_TEST(every_allocation_may_fail) {
  fail_each(vptr__memory_fail_nth);
}
END_TEST

static void no_resources(long n) {
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
}

static void no_memory(long n) {
  vptr__fake_fail_nth(n, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

START_TEST(every_device_call_may_fail) {
  if (support_has_opencl())
    return;
  fail_each(no_resources);
  fail_each(no_memory);
}
END_TEST

START_TEST(nothing_is_lost) {
  vptr__fake_counts before, after;
  vptr_mapper *first = mapper;
  vptr__fake_get_counts(&before);
  set_up();
  for (int i = 0; i < 5; i++) {
    allocate(MIB);
    view it = look();
    close_view(&it);
  }
  tear_down();
  mapper = first;
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(before.buffers, after.buffers);
}
END_TEST

START_TEST(a_device_without_addresses_has_none) {
  if (support_has_opencl())
    return;
  cl_mem table = NULL;
  char *ptr = allocate(10);
  vptr__fake_report_addresses(false);
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr__translation_table_take(mapper, &table));
  ck_assert_ptr_null(table);
  support_succeed(vptr_free(mapper, ptr));
}
END_TEST

static Suite *translation_table_suite(void) {
  Suite *suite = suite_create("translation");
  TCase *translation = tcase_create("translation");
  tcase_add_checked_fixture(translation, set_up, tear_down);
  tcase_add_test(translation, every_live_place_leads_there_and_back);
  tcase_add_test(translation, one_past_the_end_stays_with_its_buffer);
  tcase_add_test(translation, the_beginning_of_one_goes_before_the_end_of_another);
  tcase_add_test(translation, what_is_not_in_it_means_itself);
  tcase_add_test(translation, it_is_made_anew_only_when_something_has_changed);
  tcase_add_test(translation, it_follows_what_comes_and_goes);
  tcase_add_test(translation, host_memory_is_what_it_means_on_the_device);
  tcase_add_test(translation, host_memory_in_place_stays_itself);
  tcase_add_test(translation, threads_find_their_own);
  tcase_add_test(translation, only_what_lies_apart_is_kept_as_the_hosts);
  tcase_add_test(translation, every_allocation_may_fail);
  tcase_add_test(translation, every_device_call_may_fail);
  tcase_add_test(translation, nothing_is_lost);
  tcase_add_test(translation, a_device_without_addresses_has_none);
  suite_add_tcase(suite, translation);
  return suite;
}

int main(void) {
  return support_run(translation_table_suite());
}
