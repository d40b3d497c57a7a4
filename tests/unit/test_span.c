/* SPDX-License-Identifier: MIT */
/*
 * test_span - allocations that are larger than a buffer may be, and consist of several: their bounds, look-ups, copies,
 * fills and host accessors, beside memory of the test's own; and that whatever fails leaves all as it was.
 *
 * VPTR_BUFFER_BYTES makes buffers small; the mapper's windows are 1 MiB. On the fake device buffers tell addresses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>
#include <vptr/vptr_fast.h>

#include "base/memory.h"
#include "base/option.h"
#include "device/fake.h"
#include "layer/faults.h"
#include "mapper/mapper.h"
#include "stream/stream.h"
#include "support/support.h"
#include "transfer/async.h"

#define MIB ((size_t)1 << 20)

enum { PARTS = 3, ODD = 1234, ROUNDS = 400, COPIES = 300 };

static const size_t part_size = 2 * MIB, size = (PARTS - 1) * 2 * MIB + ODD;

static vptr_mapper *mapper;
static unsigned char *model, *seen, *host;

static void begin(void) {
  setenv("VPTR_BUFFER_BYTES", "3000000", 1); /* which is not whole windows */
  vptr__option_reload();
  vptr__fake_report_addresses(true);
  const vptr_config config = { .struct_size = sizeof config, .reserve_size = 256 * MIB };
  support_succeed(vptr_mapper_create(&config, &mapper));
  model = calloc(1, size);
  seen = malloc(size);
  host = malloc(size);
  for (size_t i = 0; i < size; i++)
    host[i] = (unsigned char)(i * 7 + i / 251 + i / 65537);
}

static void begin_apart(void) {
  setenv("VPTR_BUFFER_ROWS", "0", 1);
  begin();
}

/* The device has not room for all parts at once, and is smaller than the allocation. */
static void begin_small(void) {
  setenv("VPTR_DEVICE_BYTES", "3M", 1);
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  begin();
}

static void begin_small_apart(void) {
  setenv("VPTR_BUFFER_ROWS", "0", 1);
  begin_small();
}

static void end(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
  unsetenv("VPTR_BUFFER_BYTES");
  unsetenv("VPTR_BUFFER_ROWS");
  unsetenv("VPTR_DEVICE_BYTES");
  unsetenv("VPTR_OVERSUBSCRIBE");
  vptr__option_reload();
  free(model);
  free(seen);
  free(host);
}

/* Windows are as large as the reservation allows, and parts whole windows. */
static size_t window(void) {
  vptr_stats stats = { .struct_size = sizeof stats };
  support_succeed(vptr_get_stats(mapper, &stats));
  return stats.window_bytes;
}

static unsigned char *allocate(void) {
  void *p = NULL;
  support_succeed(vptr_malloc(mapper, size, &p));
  return p;
}

static void expect_model(const unsigned char *p) {
  memset(seen, 0x55, size);
  support_succeed(vptr_memcpy(mapper, seen, p, size));
  support_must(memcmp(seen, model, size) == 0);
}

/* ---- what it is ----------------------------------------------------------------------------------------- */

START_TEST(its_parts_are_whole_windows_and_follow_each_other) {
  unsigned char *p = allocate();
  vptr_part parts[PARTS + 1];
  size_t count = 0;
  ck_assert_uint_eq(window(), MIB);
  support_succeed(vptr_get_parts(mapper, p, size, parts, PARTS + 1, &count));
  ck_assert_uint_eq(count, PARTS);
  for (size_t i = 0; i < count; i++) {
    ck_assert_ptr_eq(parts[i].ptr, p + i * part_size);
    ck_assert_uint_eq(parts[i].size, i + 1 < PARTS ? part_size : (size_t)ODD);
    ck_assert_uint_eq(parts[i].buffer_offset, 0);
    ck_assert(i == 0 || parts[i].buffer != parts[i - 1].buffer);
  }
  support_succeed(vptr_get_parts(mapper, p + part_size - 3, 5, parts, 1, &count));
  ck_assert_uint_eq(count, 2);
  ck_assert_uint_eq(parts[0].size, 3);
  ck_assert_uint_eq(parts[0].buffer_offset, part_size - 3);
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_get_parts(mapper, p, size + 1, parts, 1, &count));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_get_parts(mapper, p, 0, parts, 1, &count));
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_get_parts(mapper, p, 1, NULL, 1, &count));
  ck_assert_uint_eq(count, 2);
  support_succeed(vptr_free(mapper, p));
}
END_TEST

START_TEST(look_ups_tell_the_part_and_say_so) {
  unsigned char *p = allocate(), *at = p + part_size + 100;
  vptr_location location, batch;
  vptr_status verdict;
  vptr_fast fast = VPTR_FAST_INIT;
  vptr_fast_extent extent;
  support_succeed(vptr_resolve(mapper, at, 1, &location));
  ck_assert_int_eq(location.kind, VPTR_KIND_PART);
  ck_assert_ptr_eq(location.base, p + part_size);
  ck_assert_uint_eq(location.offset, 100);
  ck_assert_uint_eq(location.buffer_offset, 100);
  ck_assert_uint_eq(location.size, part_size);
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_resolve(mapper, at, part_size, &batch));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "vptr_get_parts()"));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_resolve(mapper, at, size, &batch));
  support_expect(VPTR_ERROR_PAST_END, vptr_resolve(mapper, p + size, 1, &batch));
  support_succeed(vptr_resolve_batch(mapper, (const void *const *)&at, 1, 1, &batch, &verdict));
  ck_assert_int_eq(verdict, VPTR_SUCCESS);
  ck_assert_ptr_eq(batch.base, location.base);
  ck_assert_uint_eq(batch.size, location.size);
  support_succeed(vptr_fast_open(mapper, &fast));
  ck_assert_int_eq(vptr_fast_locate(&fast, at, 1, &extent), 0);
  ck_assert_int_eq(vptr_get_offset(mapper, at), (ptrdiff_t)part_size + 100);
  ck_assert_ptr_null(vptr_get_buffer(mapper, p));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "vptr_get_parts()"));
  support_succeed(vptr_free(mapper, p));
}
END_TEST

static int see(const vptr_location *location, void *context) {
  vptr_location *kept = context;
  kept[1] = kept[0];
  kept[0] = *location;
  return 0;
}

START_TEST(it_is_one_allocation_to_all_who_count) {
  vptr_stats before = { .struct_size = sizeof before }, stats = { .struct_size = sizeof stats };
  vptr_location walked[2] = { { .size = 0 } };
  support_succeed(vptr_get_stats(mapper, &before));
  unsigned char *p = allocate();
  support_succeed(vptr_get_stats(mapper, &stats));
  ck_assert_uint_eq(stats.live_count, before.live_count + 1);
  ck_assert_uint_eq(stats.live_bytes, before.live_bytes + size);
  ck_assert_uint_eq(stats.buffer_count, before.buffer_count + PARTS);
  support_succeed(vptr_walk(mapper, see, walked));
  ck_assert_ptr_eq(walked[0].base, p);
  ck_assert_uint_eq(walked[0].size, size);
  ck_assert_uint_eq(walked[1].size, 0);
  support_succeed(vptr_check(mapper));
  support_expect(VPTR_ERROR_INTERIOR, vptr_free(mapper, p + part_size));
  support_succeed(vptr_free(mapper, p));
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, p));
  support_expect(VPTR_ERROR_FREED, vptr_memset(mapper, p + part_size + 5, 0, 1));
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_get_stats(mapper, &stats));
  ck_assert_uint_eq(stats.live_count, before.live_count);
  ck_assert_uint_eq(stats.buffer_bytes, before.buffer_bytes);
  p = allocate();
  support_succeed(vptr_free_no_reuse(mapper, p));
  unsigned char *other = allocate();
  ck_assert_ptr_ne(p, other);
  support_succeed(vptr_free(mapper, other));
}
END_TEST

/* Buffers lie in a row where the device's memory is the host's, and on the fake one. */
static bool has_rows(void) {
  return !support_has_opencl() || mapper->device->host_unified;
}

START_TEST(kernels_have_the_parts_one_behind_the_other) {
  if (!has_rows())
    return;
  unsigned char *p = allocate();
  uint64_t first, address;
  support_succeed(vptr__heap_device_address(mapper->heap, p, &first));
  for (size_t at = 0; at < size; at += size / 50) {
    support_succeed(vptr__heap_device_address(mapper->heap, p + at, &address));
    ck_assert_uint_eq(address, first + at);
  }
  support_succeed(vptr_free(mapper, p));
}
END_TEST

START_TEST(kernels_are_told_no_address_of_parts_that_lie_apart) {
  unsigned char *p = allocate();
  uint64_t address = 17;
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr__heap_device_address(mapper->heap, p + 3, &address));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "vptr_get_parts()"));
  ck_assert_uint_eq(address, 17);
  support_succeed(vptr_free(mapper, p));
}
END_TEST

/* ---- random operations beside a model ------------------------------------------------------------------- */

/* Near a seam, most of the time. */
static size_t place(uint64_t *random) {
  if (support_below(random, 4) == 0)
    return support_below(random, size);
  size_t seam = (1 + support_below(random, PARTS - 1)) * part_size, off = support_below(random, 9000);
  return seam - 8000 + off < size ? seam - 8000 + off : size - 1;
}

static size_t length(uint64_t *random, size_t at) {
  size_t most = support_below(random, 8) == 0 ? size : 12000;
  size_t n = 1 + support_below(random, most);
  return n < size - at ? n : size - at;
}

static void copy_line(unsigned char *p, uint64_t *random) {
  size_t at = place(random), from = place(random), n = length(random, at);
  n = n < size - from ? n : size - from;
  switch (support_below(random, 3)) {
  case 0:
    support_succeed(vptr_memcpy(mapper, p + at, host + from, n));
    memcpy(model + at, host + from, n);
    break;
  case 1:
    support_succeed(vptr_memcpy(mapper, p + at, p + from, n));
    memmove(model + at, model + from, n);
    break;
  default:
    support_succeed(vptr_memcpy(mapper, seen, p + at, n));
    support_must(memcmp(seen, model + at, n) == 0);
  }
}

static void fill_some(unsigned char *p, uint64_t *random) {
  size_t at = place(random), n = length(random, at), unit = 1 + support_below(random, 40);
  if (support_below(random, 2) == 0) {
    support_succeed(vptr_memset(mapper, p + at, (int)n, n));
    memset(model + at, (int)n, n);
    return;
  }
  size_t count = n / unit;
  support_succeed(vptr_fill(mapper, p + at, host + at, unit, count));
  for (size_t i = 0; i < count * unit; i++)
    model[at + i] = host[at + i % unit];
}

static void map_some(unsigned char *p, uint64_t *random) {
  size_t at = place(random), n = length(random, at);
  void *shown = NULL, *other = NULL;
  support_succeed(vptr_map(mapper, p + at, n, VPTR_ACCESS_READ_WRITE, &shown));
  support_must(memcmp(shown, model + at, n) == 0);
  support_expect(VPTR_ERROR_MAPPED, vptr_map(mapper, p + at + n - 1, 1, VPTR_ACCESS_READ, &other));
  support_expect(VPTR_ERROR_MAPPED, vptr_free(mapper, p));
  memset(shown, (int)at, n);
  memset(model + at, (int)at, n);
  support_succeed(vptr_unmap(mapper, shown));
}

static vptr__operand at_of(const void *ptr, size_t row, size_t slice) {
  return (vptr__operand){ .what = "test", .ptr = (void *)(uintptr_t)ptr, .row = row, .slice = slice };
}

typedef struct rect {
  size_t at, from; /* in the allocation, and in host */
  size_t row, slice, region[3];
} rect;

static bool choose_rect(rect *it, uint64_t *random) {
  it->row = 1 + support_below(random, 70000);
  it->region[0] = 1 + support_below(random, it->row);
  it->region[1] = 1 + support_below(random, 5);
  it->region[2] = 1 + support_below(random, 3);
  it->slice = it->row * it->region[1];
  it->at = place(random);
  it->from = support_below(random, size - it->slice * it->region[2]);
  return it->at + it->slice * it->region[2] <= size;
}

/* What the model has in each row: NULL: the value. */
static void model_rect(const rect *it, const unsigned char *from, unsigned char value) {
  for (size_t z = 0; z < it->region[2]; z++)
    for (size_t y = 0; y < it->region[1]; y++) {
      const size_t off = z * it->slice + y * it->row;
      if (from == NULL)
        memset(model + it->at + off, value, it->region[0]);
      else
        memcpy(model + it->at + off, from + it->from + off, it->region[0]);
    }
}

static void expect_rect(const rect *it) {
  for (size_t z = 0; z < it->region[2]; z++)
    for (size_t y = 0; y < it->region[1]; y++) {
      const size_t at = it->at + z * it->slice + y * it->row;
      support_must(memcmp(seen + at, model + at, it->region[0]) == 0);
    }
}

/* Rects, on a stream, with and without waiting. */
static void move_rect(vptr__stream *stream, unsigned char *p, uint64_t *random) {
  rect it;
  if (!choose_rect(&it, random))
    return;
  const unsigned flags = support_below(random, 2) == 0 ? VPTR__TRANSFER_WAIT : 0;
  vptr__operand device = at_of(p + it.at, it.row, it.slice), from = at_of(host + it.from, it.row, it.slice),
                back = at_of(seen + it.at, it.row, it.slice);
  const size_t kind = support_below(random, 3);
  if (kind == 0)
    support_succeed(vptr__transfer_set(stream, &device, (unsigned char)it.at, it.region, flags));
  else if (kind == 1)
    support_succeed(vptr__transfer_copy(stream, &device, &from, it.region, flags));
  else
    support_succeed(vptr__transfer_copy(stream, &back, &device, it.region, flags));
  support_succeed(vptr__stream_synchronize(stream));
  if (kind < 2)
    model_rect(&it, kind == 0 ? NULL : host, (unsigned char)it.at);
  else
    expect_rect(&it);
  if (kind < 2)
    expect_model(p);
}

START_TEST(random_operations_are_as_in_plain_memory) {
  uint64_t random = 17 + (uint64_t)_i;
  unsigned char *p = allocate();
  vptr__stream *stream;
  support_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  expect_model(p); /* zeros */
  for (long i = support_rounds(ROUNDS); i > 0; i--)
    switch (support_below(&random, 5)) {
    case 0:
      fill_some(p, &random);
      break;
    case 1:
      map_some(p, &random);
      break;
    case 2:
      move_rect(stream, p, &random);
      break;
    default:
      copy_line(p, &random);
    }
  expect_model(p);
  support_succeed(vptr__stream_destroy(stream));
  support_succeed(vptr_free(mapper, p));
}
END_TEST

START_TEST(moves_within_it_are_as_memmoves) {
  uint64_t random = 5;
  unsigned char *p = allocate();
  support_succeed(vptr_memcpy(mapper, p, host, size));
  memcpy(model, host, size);
  for (long i = support_rounds(COPIES); i > 0; i--) {
    size_t at = place(&random), from = at > 3000 ? at - 3000 + support_below(&random, 6000) : at;
    size_t far = at > from ? at : from, n = far < size ? length(&random, far) : 0;
    support_succeed(vptr_memcpy(mapper, p + at, p + from, n));
    memmove(model + at, model + from, n);
  }
  expect_model(p);
  support_succeed(vptr_free(mapper, p));
}
END_TEST

/* ---- what is refused, and what fails -------------------------------------------------------------------- */

START_TEST(what_leaves_its_bounds_moves_nothing) {
  unsigned char *p = allocate();
  void *shown = NULL;
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_memcpy(mapper, p + 1, host, size));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_memset(mapper, p + 1, 1, size));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_fill(mapper, p + 3, host, 3, size / 3));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_map(mapper, p + 1, size, VPTR_ACCESS_READ, &shown));
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_memcpy(mapper, p, NULL, size));
  ck_assert_ptr_null(shown);
  expect_model(p);
  support_succeed(vptr_free(mapper, p));
}
END_TEST

/* On so many bytes: all, or, where each part that is used has another one leave, some on both sides of a seam. */
typedef vptr_status operation(unsigned char *p, size_t bytes);

static vptr_status copy_in(unsigned char *p, size_t bytes) {
  return vptr_memcpy(mapper, p, host, bytes);
}
static vptr_status copy_out(unsigned char *p, size_t bytes) {
  return vptr_memcpy(mapper, seen, p, bytes);
}
static vptr_status copy_within(unsigned char *p, size_t bytes) {
  return vptr_memcpy(mapper, p + 10, p, bytes - 10);
}
static vptr_status set_all(unsigned char *p, size_t bytes) {
  return vptr_memset(mapper, p, 3, bytes);
}
static vptr_status fill_all(unsigned char *p, size_t bytes) {
  return vptr_fill(mapper, p, host, 7, bytes / 7);
}
static vptr_status map_all(unsigned char *p, size_t bytes) {
  void *shown = NULL;
  vptr_status status = vptr_map(mapper, p, bytes, VPTR_ACCESS_READ_WRITE, &shown);
  if (status == VPTR_SUCCESS && (status = vptr_unmap(mapper, shown)) != VPTR_SUCCESS)
    support_succeed(vptr_unmap(mapper, shown));
  return status;
}
static vptr_status make_another(unsigned char *p, size_t bytes) {
  void *made = NULL;
  vptr_status status = vptr_malloc(mapper, size, &made);
  (void)p, (void)bytes;
  if (status == VPTR_SUCCESS)
    return vptr_free(mapper, made);
  ck_assert_ptr_null(made);
  return status;
}

static operation *const operations[] = { copy_in, copy_out, copy_within, set_all, fill_all, map_all, make_another };

enum { OPERATIONS = sizeof operations / sizeof *operations, NEAR = 20000 /* bytes to a seam */ };

/* Each call of the device's, in two ways, and then each of malloc()'s. */
static const cl_int codes[] = { CL_OUT_OF_RESOURCES, CL_INVALID_OPERATION, CL_SUCCESS };
enum { CODES = sizeof codes / sizeof *codes };

/* Whether there was an n-th call, as far as that is known. */
static bool run_with_fault(operation *run, unsigned char *p, long n, cl_int code) {
  if (code == CL_SUCCESS)
    vptr__memory_fail_nth(n);
  else
    faults_plant(n, code);
  vptr_status status = vptr__heap_moves(mapper->heap) ? run(p + part_size - NEAR, 2 * NEAR) : run(p, size);
  vptr__memory_fail_nth(0);
  const bool has_fired = code != CL_SUCCESS && faults_pull();
  if (!has_fired && code != CL_SUCCESS)
    support_succeed(status);
  return has_fired || status != VPTR_SUCCESS;
}

START_TEST(every_call_may_fail_once) {
  operation *run = operations[_i % OPERATIONS];
  const cl_int code = codes[_i / OPERATIONS];
  if (code != CL_SUCCESS && !faults_can())
    return;
  unsigned char *p = allocate();
  vptr_stats before = { .struct_size = sizeof before }, stats = { .struct_size = sizeof stats };
  support_succeed(vptr_get_stats(mapper, &before));
  bool may_fail = true;
  for (long n = 1; may_fail; n++) {
    may_fail = run_with_fault(run, p, n, code);
    support_succeed(vptr_check(mapper));
    support_succeed(vptr_get_stats(mapper, &stats));
    ck_assert_uint_eq(stats.live_count, before.live_count);
    if (!vptr__heap_moves(mapper->heap))
      ck_assert_uint_eq(stats.buffer_count, before.buffer_count);
    ck_assert_int_lt(n, 5000);
  }
  support_succeed(vptr_memcpy(mapper, p, host, size));
  memcpy(model, host, size);
  expect_model(p);
  support_succeed(vptr_free(mapper, p));
}
END_TEST

/* Those that may leave a full device do so for one whose parts stay. */
START_TEST(others_leave_for_it) {
  enum { SINGLES = 12, EACH = 512 << 10 };
  void *single[SINGLES], *large = NULL;
  setenv("VPTR_DEVICE_BYTES", "9M", 1);
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  begin();
  for (int i = 0; i < SINGLES; i++) {
    support_succeed(vptr_malloc(mapper, EACH, &single[i]));
    support_succeed(vptr_memset(mapper, single[i], i + 1, EACH));
  }
  unsigned char *p = allocate();
  support_succeed(vptr_memcpy(mapper, p, host, size));
  memcpy(model, host, size);
  support_succeed(vptr_malloc(mapper, 40 * MIB, &large));
  support_succeed(vptr_memset(mapper, large, 77, 40 * MIB));
  support_succeed(vptr_memcpy(mapper, seen, (char *)large + 33 * MIB, MIB));
  for (size_t i = 0; i < MIB; i++)
    support_must(seen[i] == 77);
  support_succeed(vptr_free(mapper, large));
  for (int i = 0; i < SINGLES; i++) {
    support_succeed(vptr_memcpy(mapper, seen, single[i], EACH));
    for (int k = 0; k < EACH; k++)
      support_must(seen[k] == i + 1);
  }
  expect_model(p);
  for (int i = 0; i < SINGLES; i++)
    support_succeed(vptr_free(mapper, single[i]));
  support_succeed(vptr_free(mapper, p));
  end();
}
END_TEST

static uint64_t leased_address(const void *ptr) {
  vptr__lease lease;
  uint64_t address = 0;
  support_succeed(vptr__lease_address(mapper->heap, ptr, VPTR_ACCESS_READ_WRITE, &address, &lease));
  vptr__lease_give(&lease);
  return address;
}

/* Two of it leave for each other, part by part. */
static void expect_refusal_of_exact(void) {
  vptr_mapper *exact;
  void *ptr;
  setenv("VPTR_EXACT", "1", 1);
  vptr__option_reload();
  support_succeed(vptr_mapper_create(NULL, &exact));
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr_malloc(exact, size, &ptr));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "VPTR_EXACT=1"));
  support_succeed(vptr_mapper_destroy(exact));
  unsetenv("VPTR_EXACT");
  vptr__option_reload();
}

/* Its windows, of 2 MiB, are larger than the device; the error says how many addresses make them small enough. */
START_TEST(what_is_larger_than_the_device_says_what_would_help) {
  vptr_mapper *other;
  void *ptr;
  vptr_config config = { .struct_size = sizeof config, .reserve_size = (size_t)1 << 35 /* valgrind has no more */ };
  setenv("VPTR_DEVICE_BYTES", "1800K", 1);
  vptr__option_reload();
  support_succeed(vptr_mapper_create(&config, &other));
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr_malloc(other, size, &ptr));
  const char *told = strstr(vptr_last_error(), "VPTR_RESERVE=");
  ck_assert_ptr_nonnull(told);
  config.reserve_size = strtoull(told + strlen("VPTR_RESERVE="), NULL, 10);
  support_succeed(vptr_mapper_destroy(other));
  support_succeed(vptr_mapper_create(&config, &other));
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr_malloc(other, config.reserve_size + 1, &ptr));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "for more addresses (VPTR_RESERVE)"));
  expect_refusal_of_exact();
  support_succeed(vptr_malloc(other, size, &ptr));
  support_succeed(vptr_memcpy(other, ptr, host, size));
  support_succeed(vptr_memcpy(other, seen, ptr, size));
  ck_assert_int_eq(memcmp(seen, host, size), 0);
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

START_TEST(a_part_that_comes_back_is_where_it_was) {
  setenv("VPTR_DEVICE_BYTES", "6M", 1);
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  begin();
  if (!has_rows())
    return;
  unsigned char *p = allocate(), *other = allocate();
  const uint64_t first = leased_address(p), begun = leased_address(other);
  for (int round = 0; round < 3; round++) {
    support_succeed(vptr_memcpy(mapper, p, host, size));
    for (size_t at = 0; at < size; at += size / 50)
      ck_assert_uint_eq(leased_address(p + at), first + at);
    support_succeed(vptr_memset(mapper, other, round, size));
    for (size_t at = 0; at < size; at += size / 50)
      ck_assert_uint_eq(leased_address(other + at), begun + at);
  }
  memcpy(model, host, size);
  expect_model(p);
  support_succeed(vptr_free(mapper, p));
  support_succeed(vptr_free(mapper, other));
  end();
}
END_TEST

/* Buffers that the program was told of stay, and those that it was not told of do not. */
START_TEST(what_is_told_of_it_stays) {
  vptr_part parts[PARTS];
  size_t count = 0;
  setenv("VPTR_DEVICE_BYTES", "5M", 1);
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  begin();
  unsigned char *p = allocate(), *other = allocate();
  support_succeed(vptr_get_parts(mapper, p, size, parts, 1, &count));
  ck_assert_uint_eq(count, PARTS);
  support_succeed(vptr_memcpy(mapper, p, host, size));
  support_succeed(vptr_memset(mapper, other, 1, size));
  vptr_location location;
  support_succeed(vptr_resolve(mapper, p, 1, &location));
  ck_assert_ptr_eq(location.buffer, parts[0].buffer);
  support_succeed(vptr_get_parts(mapper, p, size, parts, 2, &count));
  ck_assert_ptr_eq(location.buffer, parts[0].buffer);
  ck_assert_ptr_nonnull(parts[1].buffer);
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_memset(mapper, other, 1, size));
  support_succeed(vptr_free(mapper, p));
  support_succeed(vptr_free(mapper, other));
  end();
}
END_TEST

static void add_case(Suite *suite, const char *name, void (*start)(void)) {
  TCase *all = tcase_create(name);
  tcase_set_timeout(all, 300);
  tcase_add_checked_fixture(all, start, end);
  tcase_add_loop_test(all, random_operations_are_as_in_plain_memory, 0, 4);
  tcase_add_test(all, moves_within_it_are_as_memmoves);
  tcase_add_test(all, what_leaves_its_bounds_moves_nothing);
  tcase_add_loop_test(all, every_call_may_fail_once, 0, CODES * OPERATIONS);
  if (start == begin || start == begin_apart) {
    tcase_add_test(all, its_parts_are_whole_windows_and_follow_each_other);
    tcase_add_test(all, look_ups_tell_the_part_and_say_so);
    tcase_add_test(all, it_is_one_allocation_to_all_who_count);
  }
  if (start == begin)
    tcase_add_test(all, kernels_have_the_parts_one_behind_the_other);
  if (start == begin_small)
    tcase_add_test(all, what_is_larger_than_the_device_says_what_would_help);
  if (start == begin_apart || start == begin_small_apart)
    tcase_add_test(all, kernels_are_told_no_address_of_parts_that_lie_apart);
  suite_add_tcase(suite, all);
}

int main(void) {
  faults_begin();
  Suite *suite = suite_create("span");
  add_case(suite, "row", begin);
  add_case(suite, "apart", begin_apart);
  add_case(suite, "small", begin_small);
  add_case(suite, "small_apart", begin_small_apart);
  TCase *full = tcase_create("full");
  tcase_set_timeout(full, 300);
  tcase_add_test(full, others_leave_for_it);
  tcase_add_test(full, a_part_that_comes_back_is_where_it_was);
  tcase_add_test(full, what_is_told_of_it_stays);
  suite_add_tcase(suite, full);
  return support_run(suite);
}
