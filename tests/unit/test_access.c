/* SPDX-License-Identifier: MIT */
/*
 * test_access - host accessors against a host model.
 *
 * Two things can go wrong with an accessor: bytes (copied in or back too much, too little, too late) and
 * bookkeeping (pins and references left behind, or gone too early). The first is tried with random accessors and
 * with the fake device's account of what moved, the second by vptr_free(), reference counts and faults at every
 * step. Devices that share the host's memory and those that do not take different paths: the fake is one that does
 * not, PoCL one that does.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "base/option.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"

enum { BYTES = 300000 };

static vptr_mapper *mapper;
static unsigned char *device, *model;

static const vptr_access modes[] = { VPTR_ACCESS_READ, VPTR_ACCESS_WRITE, VPTR_ACCESS_READ_WRITE,
                                     VPTR_ACCESS_DISCARD_WRITE, VPTR_ACCESS_DISCARD_READ_WRITE };
enum { MODES = 5 };

static void setup(void) {
  void *ptr = NULL;
  uint64_t state = 1;
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr_malloc(mapper, BYTES, &ptr));
  device = ptr;
  model = malloc(BYTES);
  for (size_t i = 0; i < BYTES; ++i)
    model[i] = (unsigned char)(support_random(&state) >> 16);
  support_succeed(vptr_memcpy(mapper, device, model, BYTES));
}

static void teardown(void) {
  free(model);
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_free(mapper, device)); /* nothing is left mapped */
  support_succeed(vptr_mapper_destroy(mapper));
}

static unsigned char *map(size_t at, size_t size, vptr_access access) {
  void *host = NULL;
  support_succeed(vptr_map(mapper, device + at, size, access, &host));
  ck_assert_ptr_nonnull(host);
  return host;
}

static void unmap(void *host) {
  support_succeed(vptr_unmap(mapper, host));
}

static void expect_model(void) {
  unsigned char *seen = malloc(BYTES);
  support_succeed(vptr_memcpy(mapper, seen, device, BYTES));
  for (size_t i = 0; i < BYTES; ++i)
    if (seen[i] != model[i])
      ck_abort_msg("byte %zu is %u, not %u", i, seen[i], model[i]);
  free(seen);
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

START_TEST(reading_shows_the_device_bytes) {
  static const size_t places[][2] = { { 0, BYTES }, { 0, 1 }, { BYTES - 1, 1 }, { 12345, 67890 }, { 7, 64 } };
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    unsigned char *host = map(places[i][0], places[i][1], VPTR_ACCESS_READ);
    ck_assert_int_eq(memcmp(host, model + places[i][0], places[i][1]), 0);
    unmap(host);
  }
  expect_model();
}
END_TEST

START_TEST(writing_keeps_the_bytes_that_are_not_written) {
  for (vptr_access access = VPTR_ACCESS_WRITE; access <= VPTR_ACCESS_READ_WRITE; ++access) {
    unsigned char *host = map(1001, 5000, access);
    memset(host + 17, 0x11 * (int)access, 300);
    memset(model + 1001 + 17, 0x11 * (int)access, 300);
    unmap(host);
    expect_model();
  }
}
END_TEST

START_TEST(read_write_shows_what_it_changes) {
  unsigned char *host = map(99, 7001, VPTR_ACCESS_READ_WRITE);
  for (int i = 0; i < 7001; ++i) {
    ck_assert_uint_eq(host[i], model[99 + i]);
    model[99 + i] = host[i] = (unsigned char)(host[i] ^ i);
  }
  unmap(host);
  expect_model();
}
END_TEST

START_TEST(discarding_brings_what_was_written) {
  for (vptr_access access = VPTR_ACCESS_DISCARD_WRITE; access <= VPTR_ACCESS_DISCARD_READ_WRITE; ++access) {
    unsigned char *host = map(333, 77777, access);
    memset(host, (int)access, 77777);
    memset(model + 333, (int)access, 77777);
    unmap(host);
    expect_model();
  }
}
END_TEST

/* By the device's own account: bytes, and commands too, since one of no bytes would still be waited for. */
START_TEST(only_what_the_mode_needs_is_copied) {
  if (support_has_opencl())
    return;
  for (int i = 0; i < MODES; ++i) {
    vptr__fake_counts before, open, after;
    vptr__fake_get_counts(&before);
    unsigned char *host = map(0, 1000, modes[i]);
    vptr__fake_get_counts(&open);
    memcpy(host, model, modes[i] == VPTR_ACCESS_READ ? 0 : 1000);
    unmap(host);
    vptr__fake_get_counts(&after);
    bool in = modes[i] <= VPTR_ACCESS_READ_WRITE, back = modes[i] != VPTR_ACCESS_READ;
    ck_assert_uint_eq(open.read - before.read, in ? 1000u : 0u);
    ck_assert_uint_eq(open.operations - before.operations, in ? 1u : 0u);
    ck_assert_uint_eq(after.written - open.written, back ? 1000u : 0u);
    ck_assert_uint_eq(after.operations - open.operations, back ? 1u : 0u);
    ck_assert(after.read == open.read && open.written == before.written);
    ck_assert(after.copied == before.copied && after.filled == before.filled);
  }
  expect_model();
}
END_TEST

/* What lands on stderr while an accessor opens and closes. */
static void capture_accessor(const char *level, vptr_access access, char *text, size_t size) {
  int ends[2];
  setenv("VPTR_VERBOSE", level, 1);
  vptr__option_reload();
  ck_assert_int_eq(pipe(ends), 0);
  int stderr_before = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  close(ends[1]);
  unsigned char *host = map(7, 1000, access);
  memcpy(host, model + 7, access == VPTR_ACCESS_READ ? 0 : 1000);
  unmap(host);
  dup2(stderr_before, STDERR_FILENO);
  close(stderr_before);
  ssize_t got = read(ends[0], text, size - 1);
  text[got > 0 ? got : 0] = '\0';
  close(ends[0]);
  unsetenv("VPTR_VERBOSE");
  vptr__option_reload();
}

START_TEST(the_trace_tells_what_moved) {
  static const char *const names[] = { "READ", "WRITE", "READ_WRITE", "DISCARD_WRITE", "DISCARD_READ_WRITE" };
  char text[2000], expected[2000];
  for (int i = 0; i < MODES; ++i) {
    bool copies = !mapper->device->host_unified;
    bool in = copies && modes[i] <= VPTR_ACCESS_READ_WRITE, out = copies && modes[i] != VPTR_ACCESS_READ;
    const char *how = copies ? "by copies" : "in place", *name = mapper->device->name;
    snprintf(expected, sizeof expected,
             "vptr: vptr_map: 1000 bytes at %p for %s on %s, %s: %d bytes in, 0 bytes out\n"
             "vptr: vptr_unmap: 1000 bytes at %p for %s on %s, %s: 0 bytes in, %d bytes out\n",
             (void *)(device + 7), names[i], name, how, in ? 1000 : 0, (void *)(device + 7), names[i], name, how,
             out ? 1000 : 0);
    capture_accessor("2", modes[i], text, sizeof text);
    ck_assert_str_eq(text, expected);
    capture_accessor("1", modes[i], text, sizeof text);
    ck_assert_str_eq(text, "");
  }
  expect_model();
}
END_TEST

START_TEST(staged_accessors_are_aligned_to_a_cache_line) {
  if (mapper->device->host_unified)
    return;
  for (size_t size = 1; size < 5000; size += 611) {
    unsigned char *host = map(size, size, VPTR_ACCESS_READ);
    ck_assert_uint_eq((uintptr_t)host % 64, 0);
    unmap(host);
  }
}
END_TEST

/* Several open at once, of all modes; nothing is compared but through the device. */
START_TEST(random_accessors_agree_with_the_model) {
  enum { OPEN = 8, SHARE = BYTES / OPEN };
  uint64_t state = 2;
  for (int round = 0; round < 40; ++round) {
    unsigned char *host[OPEN];
    for (size_t i = 0; i < OPEN; ++i) {
      size_t at = support_random(&state) % SHARE, size = 1 + support_random(&state) % (SHARE - at);
      vptr_access access = modes[support_random(&state) % MODES];
      unsigned char *expected = model + i * SHARE + at;
      host[i] = map(i * SHARE + at, size, access);
      if (access <= VPTR_ACCESS_READ_WRITE && access != VPTR_ACCESS_WRITE)
        ck_assert_int_eq(memcmp(host[i], expected, size), 0);
      if (access == VPTR_ACCESS_READ)
        continue;
      size_t written = access <= VPTR_ACCESS_READ_WRITE ? support_random(&state) % (size + 1) : size;
      memset(expected, round, written);
      memset(host[i], round, written);
    }
    for (size_t i = 0; i < OPEN; ++i)
      unmap(host[(i * 5) % OPEN]);
    expect_model();
  }
}
END_TEST

START_TEST(an_allocation_of_its_own_and_a_pooled_one_map_alike) {
  static const size_t sizes[] = { 1, 100, 4096, 3 << 20 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    void *ptr = NULL, *host = NULL;
    unsigned char last = 0;
    support_succeed(vptr_malloc(mapper, sizes[i], &ptr));
    support_succeed(vptr_map(mapper, ptr, sizes[i], VPTR_ACCESS_DISCARD_WRITE, &host));
    memset(host, 0x5c, sizes[i]);
    unmap(host);
    support_succeed(vptr_memcpy(mapper, &last, (char *)ptr + sizes[i] - 1, 1));
    ck_assert_uint_eq(last, 0x5c);
    support_succeed(vptr_free(mapper, ptr));
  }
}
END_TEST

/* ---- bookkeeping ---------------------------------------------------------------------------------------- */

START_TEST(mapped_memory_cannot_be_freed_or_cleared) {
  for (int i = 0; i < MODES; ++i) {
    unsigned char *host = map(5000, 10, modes[i]);
    support_expect(VPTR_ERROR_MAPPED, vptr_free(mapper, device));
    support_expect(VPTR_ERROR_MAPPED, vptr_clear(mapper));
    ck_assert_uint_eq(vptr_count(mapper), 1);
    memcpy(host, model + 5000, modes[i] == VPTR_ACCESS_READ ? 0 : 10);
    unmap(host);
    expect_model();
  }
}
END_TEST

START_TEST(overlaps_are_refused_unless_both_only_read) {
  for (int i = 0; i < MODES; ++i)
    for (int k = 0; k < MODES; ++k) {
      bool reading = modes[i] == VPTR_ACCESS_READ && modes[k] == VPTR_ACCESS_READ;
      void *second = NULL;
      unsigned char *first = map(1000, 500, modes[i]);
      vptr_status status = vptr_map(mapper, device + 1499, 100, modes[k], &second);
      ck_assert_int_eq(status, reading ? VPTR_SUCCESS : VPTR_ERROR_MAPPED);
      ck_assert(reading == (second != NULL));
      if (reading)
        unmap(second);
      second = NULL;
      status = vptr_map(mapper, device + 901, 100, modes[k], &second);
      ck_assert_int_eq(status, reading ? VPTR_SUCCESS : VPTR_ERROR_MAPPED);
      if (reading)
        unmap(second);
      unsigned char *behind = map(1500, 1, modes[k]), *before = map(999, 1, modes[k]);
      *behind = model[1500];
      *before = model[999];
      memcpy(first, model + 1000, 500);
      unmap(first);
      unmap(behind);
      unmap(before);
    }
  expect_model();
}
END_TEST

START_TEST(a_range_can_be_read_through_many_accessors) {
  enum { MANY = 20 };
  unsigned char *host[MANY];
  for (int i = 0; i < MANY; ++i)
    host[i] = map(4096, 1000 + (size_t)i, VPTR_ACCESS_READ);
  for (int i = 0; i < MANY; ++i) {
    void *refused = NULL;
    support_expect(VPTR_ERROR_MAPPED, vptr_free(mapper, device));
    support_expect(VPTR_ERROR_MAPPED, vptr_map(mapper, device + 4096, 1, VPTR_ACCESS_WRITE, &refused));
    ck_assert_int_eq(memcmp(host[i], model + 4096, 1000 + (size_t)i), 0);
    unmap(host[i]);
  }
  unsigned char *writer = map(4096, 1000, VPTR_ACCESS_READ_WRITE);
  unmap(writer);
}
END_TEST

START_TEST(many_allocations_can_be_mapped_twice_each) {
  enum { MANY = 400 };
  void *ptr[MANY], *first[MANY], *second[MANY];
  for (int i = 0; i < MANY; ++i) {
    support_succeed(vptr_malloc(mapper, 200, &ptr[i]));
    support_succeed(vptr_map(mapper, ptr[i], 200, VPTR_ACCESS_READ, &first[i]));
  }
  for (int i = 0; i < MANY; ++i)
    support_succeed(vptr_map(mapper, ptr[i], 100, VPTR_ACCESS_READ, &second[i]));
  for (int i = 0; i < MANY; ++i)
    unmap(first[i]);
  support_succeed(vptr_check(mapper));
  for (int i = 0; i < MANY; ++i) {
    support_expect(VPTR_ERROR_MAPPED, vptr_free(mapper, ptr[i]));
    unmap(second[i]);
    support_succeed(vptr_free(mapper, ptr[i]));
  }
}
END_TEST

/* ---- verdicts ------------------------------------------------------------------------------------------- */

static void expect_map_refused(vptr_status expected, void *ptr, size_t size, vptr_access access) {
  void *host = &host;
  support_expect(expected, vptr_map(mapper, ptr, size, access, &host));
  ck_assert_ptr_eq(host, &host);
  ck_assert_str_ne(vptr_last_error(), "");
}

START_TEST(every_edge_has_its_verdict) {
  int local;
  expect_map_refused(VPTR_ERROR_NULL_POINTER, NULL, 1, VPTR_ACCESS_READ);
  expect_map_refused(VPTR_ERROR_UNKNOWN_ADDRESS, &local, 1, VPTR_ACCESS_READ);
  expect_map_refused(VPTR_ERROR_OUT_OF_BOUNDS, device, BYTES + 1, VPTR_ACCESS_READ);
  expect_map_refused(VPTR_ERROR_OUT_OF_BOUNDS, device + 1, SIZE_MAX, VPTR_ACCESS_WRITE);
  expect_map_refused(VPTR_ERROR_OUT_OF_BOUNDS, device + BYTES - 1, 2, VPTR_ACCESS_DISCARD_WRITE);
  expect_map_refused(VPTR_ERROR_PAST_END, device + BYTES, 1, VPTR_ACCESS_READ);
  expect_map_refused(VPTR_ERROR_INVALID_ARGUMENT, device, 1, (vptr_access)0);
  expect_map_refused(VPTR_ERROR_INVALID_ARGUMENT, device, 1, (vptr_access)6);
  support_expect(VPTR_ERROR_NULL_POINTER, vptr_map(mapper, device, 1, VPTR_ACCESS_READ, NULL));
  void *freed = NULL;
  support_succeed(vptr_malloc(mapper, 1000, &freed));
  support_succeed(vptr_free(mapper, freed));
  expect_map_refused(VPTR_ERROR_FREED, freed, 1, VPTR_ACCESS_READ);
}
END_TEST

START_TEST(an_accessor_belongs_to_its_mapper) {
  vptr_mapper *other = NULL;
  void *theirs = NULL, *host = NULL;
  support_succeed(vptr_mapper_create(NULL, &other));
  support_succeed(vptr_malloc(other, 100, &theirs));
  expect_map_refused(VPTR_ERROR_OTHER_MAPPER, theirs, 1, VPTR_ACCESS_READ);
  support_succeed(vptr_map(other, theirs, 100, VPTR_ACCESS_READ, &host));
  support_expect(VPTR_ERROR_NOT_MAPPED, vptr_unmap(mapper, host));
  support_succeed(vptr_unmap(other, host));
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

START_TEST(size_zero_maps_to_null) {
  void *host = &host;
  support_succeed(vptr_map(mapper, NULL, 0, VPTR_ACCESS_READ, &host));
  ck_assert_ptr_null(host);
  support_succeed(vptr_unmap(mapper, host));
}
END_TEST

START_TEST(unmap_takes_what_map_returned_and_once) {
  int local;
  support_expect(VPTR_ERROR_NOT_MAPPED, vptr_unmap(mapper, &local));
  support_expect(VPTR_ERROR_NOT_MAPPED, vptr_unmap(mapper, device));
  unsigned char *host = map(0, 100, VPTR_ACCESS_READ);
  support_expect(VPTR_ERROR_NOT_MAPPED, vptr_unmap(mapper, host + 99));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "99 bytes inside"));
  support_expect(VPTR_ERROR_NOT_MAPPED, vptr_unmap(mapper, host + 100));
  unmap(host);
  support_expect(VPTR_ERROR_NOT_MAPPED, vptr_unmap(mapper, host));
}
END_TEST

/* ---- the end of a mapper -------------------------------------------------------------------------------- */

static void destroy_a_mapper_with_open_accessors(void) {
  vptr_mapper *brief = NULL;
  support_succeed(vptr_mapper_create(NULL, &brief));
  for (int i = 0; i < MODES; ++i) {
    void *ptr = NULL, *host = NULL;
    support_succeed(vptr_malloc(brief, i % 2 == 0 ? 100 : 3 << 20, &ptr));
    support_succeed(vptr_map(brief, ptr, 64, modes[i], &host));
  }
  support_succeed(vptr_mapper_destroy(brief));
}

START_TEST(destroy_closes_open_accessors_without_a_leak) {
  vptr__fake_counts before, after;
  destroy_a_mapper_with_open_accessors(); /* after which the process keeps what the first of all needed */
  long live = vptr__memory_live();
  vptr__fake_get_counts(&before);
  destroy_a_mapper_with_open_accessors();
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.buffers, before.buffers);
  ck_assert_int_eq(vptr__memory_live(), live);
}
END_TEST

START_TEST(destroy_brings_back_what_was_written_to_an_attached_buffer) {
  if (support_has_opencl())
    return;
  vptr__device *stranger = NULL;
  vptr_mapper *brief = NULL;
  void *ptr = NULL, *host = NULL;
  char seen[6] = "";
  support_succeed(vptr__device_open(NULL, 0, &stranger));
  support_succeed(vptr_mapper_create(NULL, &brief));
  cl_mem buffer = vptr__fake_buffer_make(stranger, 1000);
  support_succeed(vptr_attach(brief, buffer, &ptr));
  support_succeed(vptr_map(brief, ptr, 1000, VPTR_ACCESS_DISCARD_WRITE, &host));
  strcpy(host, "hello");
  support_succeed(vptr_mapper_destroy(brief));
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), 1);
  support_succeed(stranger->ops->transfer.read(stranger, buffer, 0, seen, 6));
  ck_assert_str_eq(seen, "hello");
  vptr__fake_buffer_release(buffer);
  vptr__device_close(stranger);
}
END_TEST

/* Two addresses of one buffer are one memory. */
START_TEST(overlaps_through_a_second_address_are_refused) {
  if (support_has_opencl())
    return;
  void *first = NULL, *second = NULL, *host = NULL, *refused = NULL;
  cl_mem buffer = vptr__fake_buffer_make(mapper->device, 1000);
  support_succeed(vptr_attach(mapper, buffer, &first));
  support_succeed(vptr_attach(mapper, buffer, &second));
  support_succeed(vptr_map(mapper, first, 100, VPTR_ACCESS_WRITE, &host));
  support_expect(VPTR_ERROR_MAPPED, vptr_map(mapper, (char *)second + 50, 100, VPTR_ACCESS_READ, &refused));
  unmap(host);
  support_succeed(vptr_free(mapper, first));
  support_succeed(vptr_free(mapper, second));
  ck_assert_uint_eq(vptr__fake_buffer_references(buffer), 1);
  vptr__fake_buffer_release(buffer);
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 60, PART = 20000 };

static void *map_own_part(void *context) {
  size_t part = (size_t)(uintptr_t)context;
  long wrong = 0;
  for (int i = 1; i <= ROUNDS; ++i) {
    void *host = NULL, *shared = NULL;
    if (vptr_map(mapper, device + part * PART, PART, VPTR_ACCESS_READ_WRITE, &host) != VPTR_SUCCESS)
      return (void *)1;
    wrong += i > 1 && ((unsigned char *)host)[PART - 1] != (unsigned char)(i - 1);
    memset(host, i, PART);
    wrong += vptr_map(mapper, device + THREADS * PART, PART, VPTR_ACCESS_READ, &shared) != VPTR_SUCCESS;
    wrong += memcmp(shared, model + THREADS * PART, PART) != 0;
    wrong += vptr_unmap(mapper, shared) != VPTR_SUCCESS;
    wrong += vptr_unmap(mapper, host) != VPTR_SUCCESS;
  }
  return (void *)wrong;
}

START_TEST(threads_map_side_by_side) {
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; ++i)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, map_own_part, (void *)i), 0);
  for (size_t i = 0; i < THREADS; ++i) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    ck_assert_ptr_null(wrong);
  }
  memset(model, ROUNDS, (size_t)THREADS * PART);
  expect_model();
}
END_TEST

struct prize {
  void *host;
  _Atomic int winners;
};

static void *unmap_prize(void *context) {
  struct prize *prize = context;
  vptr_status status = vptr_unmap(mapper, prize->host);
  if (status == VPTR_SUCCESS)
    prize->winners++;
  return status == VPTR_SUCCESS || status == VPTR_ERROR_NOT_MAPPED ? NULL : context;
}

START_TEST(of_many_threads_one_unmaps) {
  for (int round = 0; round < 50; ++round) {
    pthread_t threads[THREADS];
    struct prize prize = { map(0, 5000, VPTR_ACCESS_READ_WRITE), 0 };
    for (int i = 0; i < THREADS; ++i)
      ck_assert_int_eq(pthread_create(&threads[i], NULL, unmap_prize, &prize), 0);
    for (int i = 0; i < THREADS; ++i) {
      void *strange;
      pthread_join(threads[i], &strange);
      ck_assert_ptr_null(strange);
    }
    ck_assert_int_eq(prize.winners, 1);
  }
  expect_model();
}
END_TEST

/* A device whose read, in the middle of opening an accessor, finds someone else wanting the same bytes. */
static const vptr__device_ops *true_ops;

static vptr_status read_in_a_crowd(vptr__device *crowded, cl_mem buffer, size_t offset, void *to, size_t size) {
  void *host = NULL;
  crowded->ops = true_ops;
  support_expect(VPTR_ERROR_MAPPED, vptr_map(mapper, device + 50, 100, VPTR_ACCESS_READ, &host));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "another thread"));
  support_expect(VPTR_ERROR_NOT_MAPPED, vptr_unmap(mapper, to));
  return true_ops->transfer.read(crowded, buffer, offset, to, size);
}

START_TEST(an_accessor_counts_while_it_opens) {
  if (mapper->device->host_unified)
    return;
  true_ops = mapper->device->ops;
  vptr__device_ops ops = *true_ops;
  ops.transfer.read = read_in_a_crowd;
  mapper->device->ops = &ops;
  unsigned char *host = map(0, 100, VPTR_ACCESS_READ_WRITE);
  ck_assert_ptr_eq(mapper->device->ops, true_ops);
  unmap(host);
  expect_model();
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

/* A map that failed has left nothing: no pin, no entry, no reference, no memory. */
static void expect_not_mapped(long live, const vptr__fake_counts *before) {
  vptr__fake_counts after;
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.buffers, before->buffers);
  ck_assert_int_eq(vptr__memory_live(), live);
  ck_assert_ptr_null(vptr__mapper_state(mapper, VPTR__SUBSYSTEM_ACCESS));
  support_succeed(vptr_check(mapper));
}

static bool map_fails_cleanly(vptr_access access, long n, bool memory) {
  void *host = NULL;
  long live = vptr__memory_live();
  vptr__fake_counts before;
  vptr__fake_get_counts(&before);
  if (memory)
    vptr__memory_fail_nth(n);
  else
    vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
  vptr_status status = vptr_map(mapper, device + 10, 1000, access, &host);
  vptr__memory_fail_nth(0);
  vptr__fake_fail_nth(0, CL_SUCCESS);
  if (status == VPTR_SUCCESS) {
    memcpy(host, model + 10, access == VPTR_ACCESS_READ ? 0 : 1000);
    unmap(host);
    return false;
  }
  if (memory)
    ck_assert_int_eq(status, VPTR_ERROR_OUT_OF_HOST_MEMORY);
  ck_assert_ptr_null(host);
  expect_not_mapped(live, &before);
  return true;
}

START_TEST(faults_at_every_step_of_map_leave_nothing_behind) {
  if (support_has_opencl())
    return;
  unmap(map(0, 1, VPTR_ACCESS_READ)); /* what the heap keeps for pins is there */
  for (int i = 0; i < MODES; ++i) {
    long device_faults = 0, memory_faults = 0;
    while (map_fails_cleanly(modes[i], device_faults + 1, false))
      device_faults++;
    while (map_fails_cleanly(modes[i], memory_faults + 1, true))
      memory_faults++;
    ck_assert_int_eq(device_faults, modes[i] <= VPTR_ACCESS_READ_WRITE ? 1 : 0);
    ck_assert_int_eq(memory_faults, 2);
    expect_model();
  }
}
END_TEST

START_TEST(an_unmap_that_failed_can_be_tried_again) {
  if (support_has_opencl())
    return;
  unsigned char *host = map(10, 1000, VPTR_ACCESS_READ_WRITE);
  memset(host, 0x77, 1000);
  vptr__fake_fail_nth(1, CL_OUT_OF_RESOURCES);
  ck_assert_int_ne(vptr_unmap(mapper, host), VPTR_SUCCESS);
  expect_model();
  support_expect(VPTR_ERROR_MAPPED, vptr_free(mapper, device));
  unmap(host);
  memset(model + 10, 0x77, 1000);
  expect_model();
}
END_TEST

/* The first pin ever may need memory in the heap. */
START_TEST(the_first_map_survives_a_lack_of_memory) {
  long n = 1;
  void *host = NULL;
  for (;; ++n) {
    vptr__memory_fail_nth(n);
    vptr_status status = vptr_map(mapper, device, 100, VPTR_ACCESS_READ, &host);
    vptr__memory_fail_nth(0);
    if (status == VPTR_SUCCESS)
      break;
    ck_assert_int_eq(status, VPTR_ERROR_OUT_OF_HOST_MEMORY);
    ck_assert_str_ne(vptr_last_error(), "");
    support_succeed(vptr_check(mapper));
    ck_assert_int_lt(n, 100);
  }
  unmap(host);
}
END_TEST

static Suite *access_suite(void) {
  Suite *suite = suite_create("access");
  TCase *bytes = tcase_create("bytes");
  tcase_add_checked_fixture(bytes, setup, teardown);
  tcase_add_test(bytes, reading_shows_the_device_bytes);
  tcase_add_test(bytes, writing_keeps_the_bytes_that_are_not_written);
  tcase_add_test(bytes, read_write_shows_what_it_changes);
  tcase_add_test(bytes, discarding_brings_what_was_written);
  tcase_add_test(bytes, only_what_the_mode_needs_is_copied);
  tcase_add_test(bytes, the_trace_tells_what_moved);
  tcase_add_test(bytes, staged_accessors_are_aligned_to_a_cache_line);
  tcase_add_test(bytes, random_accessors_agree_with_the_model);
  tcase_add_test(bytes, an_allocation_of_its_own_and_a_pooled_one_map_alike);
  suite_add_tcase(suite, bytes);

  TCase *bookkeeping = tcase_create("bookkeeping");
  tcase_add_checked_fixture(bookkeeping, setup, teardown);
  tcase_add_test(bookkeeping, mapped_memory_cannot_be_freed_or_cleared);
  tcase_add_test(bookkeeping, overlaps_are_refused_unless_both_only_read);
  tcase_add_test(bookkeeping, a_range_can_be_read_through_many_accessors);
  tcase_add_test(bookkeeping, many_allocations_can_be_mapped_twice_each);
  tcase_add_test(bookkeeping, every_edge_has_its_verdict);
  tcase_add_test(bookkeeping, an_accessor_belongs_to_its_mapper);
  tcase_add_test(bookkeeping, size_zero_maps_to_null);
  tcase_add_test(bookkeeping, unmap_takes_what_map_returned_and_once);
  tcase_add_test(bookkeeping, destroy_closes_open_accessors_without_a_leak);
  tcase_add_test(bookkeeping, destroy_brings_back_what_was_written_to_an_attached_buffer);
  tcase_add_test(bookkeeping, overlaps_through_a_second_address_are_refused);
  tcase_add_test(bookkeeping, threads_map_side_by_side);
  tcase_add_test(bookkeeping, of_many_threads_one_unmaps);
  tcase_add_test(bookkeeping, an_accessor_counts_while_it_opens);
  suite_add_tcase(suite, bookkeeping);

  TCase *faults = tcase_create("faults");
  tcase_add_checked_fixture(faults, setup, teardown);
  tcase_add_test(faults, faults_at_every_step_of_map_leave_nothing_behind);
  tcase_add_test(faults, an_unmap_that_failed_can_be_tried_again);
  tcase_add_test(faults, the_first_map_survives_a_lack_of_memory);
  suite_add_tcase(suite, faults);
  return suite;
}

int main(void) {
  return support_run(access_suite());
}
