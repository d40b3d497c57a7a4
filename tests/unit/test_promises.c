/* SPDX-License-Identifier: MIT */
/*
 * promises - what vptr.h promises about verdicts, frees, memory and addresses, one test a promise, through the
 * public calls alone, on whatever device the tests run on.
 *
 * These are the bugs that pointer mappers have: an address one past the end that is the neighbour's, a double
 * free that frees somebody else, sizes that lose their upper half, buffers that are never given back. Random
 * programs are in test_model.c, threads in test_threads.c, failing drivers in test_faults.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

static vptr_mapper *mapper;

static void set_up(void) {
  support_succeed(vptr_mapper_create(NULL, &mapper));
}

static void tear_down(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static char *allocate(size_t size) {
  void *ptr = NULL;
  support_succeed(vptr_malloc(mapper, size, &ptr));
  return ptr;
}

static void release(void *ptr) {
  support_succeed(vptr_free(mapper, ptr));
}

static vptr_stats stats(void) {
  vptr_stats now = { .struct_size = sizeof now };
  support_succeed(vptr_get_stats(mapper, &now));
  return now;
}

static vptr_status verdict(const void *ptr, size_t need) {
  vptr_location location;
  return vptr_resolve(mapper, ptr, need, &location);
}

/* Nothing that a caller can see has changed since `before`. */
static void unchanged_since(const vptr_stats *before) {
  vptr_stats now = stats();
  ck_assert_mem_eq(&now, before, sizeof now);
}

/* ---- promise 1: verdicts are exact ---------------------------------------------------------------------- */

START_TEST(every_byte_of_an_allocation_resolves_and_no_other) {
  static const size_t sizes[] = {
    1, 2, 255, 256, 257, 4096, 65536, 100000, 256 * KIB - 1, 256 * KIB, MIB, 3 * MIB + 7
  };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t size = sizes[i];
    char *base = allocate(size);
    vptr_location location;
    support_succeed(vptr_resolve(mapper, base + size - 1, 1, &location));
    ck_assert_ptr_eq(location.base, base);
    ck_assert_uint_eq(location.offset, size - 1);
    ck_assert_uint_eq(location.size, size);
    ck_assert_int_eq(location.kind, VPTR_KIND_DEVICE);
    support_succeed(vptr_resolve(mapper, base, size, &location));
    support_expect(VPTR_ERROR_PAST_END, verdict(base + size, 1));
    support_expect(VPTR_ERROR_PAST_END, verdict(base + size, 0));
    support_expect(VPTR_ERROR_OUT_OF_BOUNDS, verdict(base, size + 1));
    support_expect(VPTR_ERROR_OUT_OF_BOUNDS, verdict(base + size - 1, SIZE_MAX));
    ck_assert_int_eq(vptr_get_offset(mapper, base + size / 2), (ptrdiff_t)(size / 2));
    ck_assert_int_eq(vptr_get_offset(mapper, base + size), -1);
    release(base);
    support_expect(VPTR_ERROR_FREED, verdict(base, 1));
    support_expect(VPTR_ERROR_FREED, verdict(base + size - 1, 1));
  }
}
END_TEST

START_TEST(one_past_the_end_is_never_the_neighbour) {
  static const size_t sizes[] = { 256, 512, 4096, 32768, 256 * KIB, MIB };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char *block[64];
    for (int j = 0; j < 64; j++)
      block[j] = allocate(sizes[i]);
    for (int j = 0; j < 64; j++)
      support_expect(VPTR_ERROR_PAST_END, verdict(block[j] + sizes[i], 1));
    for (int j = 0; j < 64; j++)
      release(block[j]);
  }
}
END_TEST

START_TEST(strangers_are_told_apart) {
  int on_the_stack = 0;
  static int in_the_data;
  void *on_the_heap = malloc(100);
  vptr_mapper *other;
  void *of_the_other;
  support_succeed(vptr_mapper_create(NULL, &other));
  support_succeed(vptr_malloc(other, 100, &of_the_other));
  char *ours = allocate(100);
  support_expect(VPTR_ERROR_NULL_POINTER, verdict(NULL, 1));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, verdict(&on_the_stack, 1));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, verdict(&in_the_data, 1));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, verdict(on_the_heap, 1));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, verdict((void *)1, 1));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, verdict((void *)UINTPTR_MAX, 1));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, verdict((void *)(stats().reserve_base + stats().reserve_bytes - 1), 1));
  support_expect(VPTR_ERROR_OTHER_MAPPER, verdict(of_the_other, 1));
  support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_free(mapper, of_the_other));
  support_succeed(verdict(ours, 100));
  release(ours);
  support_succeed(vptr_mapper_destroy(other));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, verdict(of_the_other, 1));
  free(on_the_heap);
}
END_TEST

START_TEST(a_failed_look_up_changes_nothing_and_writes_nothing) {
  char *live = allocate(1000), *dead = allocate(1000);
  release(dead);
  vptr_stats before = stats();
  vptr_location location, untouched;
  memset(&location, 0x5a, sizeof location);
  untouched = location;
  const void *bad[] = { NULL, dead, live + 1000, live - 1, &location, (void *)-1 };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ck_assert_int_ne(vptr_resolve(mapper, bad[i], 1, &location), VPTR_SUCCESS);
    ck_assert_ptr_null(vptr_get_buffer(mapper, bad[i]));
    cl_mem buffer = (cl_mem)&before;
    size_t offset = 77;
    ck_assert_int_ne(vptr_retain_buffer(mapper, bad[i], &buffer, &offset), VPTR_SUCCESS);
    ck_assert(buffer == (cl_mem)&before && offset == 77);
    ck_assert_mem_eq(&location, &untouched, sizeof location);
    unchanged_since(&before);
  }
  release(live);
}
END_TEST

START_TEST(words_name_the_allocation) {
  char *base = allocate(1000), expected[64];
  unsigned long long serial = stats().serial;
  snprintf(expected, sizeof expected, "#%llu of 1000 bytes", serial);
  verdict(base + 1000, 1);
  ck_assert_msg(strstr(vptr_last_error(), expected) != NULL, "%s", vptr_last_error());
  ck_assert_msg(strstr(vptr_last_error(), "0 bytes past the end") != NULL, "%s", vptr_last_error());
  verdict(base + 10, 991);
  ck_assert_msg(strstr(vptr_last_error(), "991 bytes are needed") != NULL, "%s", vptr_last_error());
  vptr_free(mapper, base + 4);
  ck_assert_msg(strstr(vptr_last_error(), "points 4 bytes into") != NULL, "%s", vptr_last_error());
  release(base);
  vptr_free(mapper, base);
  ck_assert_msg(strstr(vptr_last_error(), "was freed") != NULL, "%s", vptr_last_error());
  ck_assert_msg(strstr(vptr_last_error(), expected) != NULL, "%s", vptr_last_error());
  vptr_free(mapper, &base);
  ck_assert_msg(strstr(vptr_last_error(), "host address") != NULL, "%s", vptr_last_error());
}
END_TEST

/* ---- promise 2: free is safe ---------------------------------------------------------------------------- */

START_TEST(a_double_free_is_refused_at_head_middle_tail_and_sole_block) {
  static const size_t sizes[] = { 64, 5000, 2 * MIB };
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    char *block[5];
    for (int i = 0; i < 5; i++)
      block[i] = allocate(sizes[s]);
    static const int order[] = { 0, 2, 4, 1, 3 }; /* head, middle, tail; the last one frees the sole block */
    for (int i = 0; i < 5; i++) {
      release(block[order[i]]);
      vptr_stats before = stats();
      support_expect(VPTR_ERROR_FREED, vptr_free(mapper, block[order[i]]));
      unchanged_since(&before);
    }
    ck_assert_uint_eq(vptr_count(mapper), 0);
  }
}
END_TEST

START_TEST(interior_wild_stack_and_end_pointers_cannot_be_freed) {
  static const size_t sizes[] = { 64, 5000, 2 * MIB };
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    char *base = allocate(sizes[s]);
    int local = 0;
    vptr_stats before = stats();
    support_expect(VPTR_ERROR_INTERIOR, vptr_free(mapper, base + 1));
    support_expect(VPTR_ERROR_INTERIOR, vptr_free(mapper, base + sizes[s] - 1));
    support_expect(VPTR_ERROR_PAST_END, vptr_free(mapper, base + sizes[s]));
    support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_free(mapper, &local));
    support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_free(mapper, (void *)0xdeadbeef));
    support_expect(VPTR_ERROR_UNKNOWN_ADDRESS,
                   vptr_free(mapper, (void *)(stats().reserve_base + stats().reserve_bytes - 1)));
    unchanged_since(&before);
    support_succeed(verdict(base, sizes[s]));
    release(base);
  }
}
END_TEST

START_TEST(freeing_null_and_allocating_nothing_do_nothing) {
  vptr_stats before = stats();
  support_succeed(vptr_free(mapper, NULL));
  void *ptr = &before;
  support_succeed(vptr_malloc(mapper, 0, &ptr));
  ck_assert_ptr_null(ptr);
  unchanged_since(&before);
}
END_TEST

START_TEST(what_other_allocations_hold_survives_a_refused_free) {
  char *a = allocate(4096), *b = allocate(4096), byte[4096];
  support_succeed(vptr_memset(mapper, a, 0x11, 4096));
  support_succeed(vptr_memset(mapper, b, 0x22, 4096));
  support_expect(VPTR_ERROR_INTERIOR, vptr_free(mapper, a + 8));
  support_succeed(vptr_memcpy(mapper, byte, b, 4096));
  ck_assert_int_eq(byte[0], 0x22);
  ck_assert_int_eq(byte[4095], 0x22);
  support_succeed(vptr_memcpy(mapper, byte, a, 4096));
  ck_assert_int_eq(byte[0], 0x11);
  release(a);
  release(b);
}
END_TEST

/* ---- promise 3: memory is what you asked for ------------------------------------------------------------ */

START_TEST(absurd_sizes_are_refused_and_leave_the_output_alone) {
  static const size_t sizes[] = { SIZE_MAX,     SIZE_MAX - 1,    SIZE_MAX - 255,
                                  SIZE_MAX / 2, (size_t)1 << 63, (size_t)1 << 48 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    vptr_stats before = stats();
    void *ptr = &before;
    support_expect(VPTR_ERROR_INVALID_SIZE, vptr_malloc(mapper, sizes[i], &ptr));
    ck_assert_ptr_eq(ptr, &before);
    unchanged_since(&before);
  }
}
END_TEST

START_TEST(sizes_above_4_gib_keep_their_upper_half) {
  if (support_has_opencl())
    return; /* a CPU device may have less: the fake one does it for sizes' sake */
  static const size_t sizes[] = { 3 * GIB, 4 * GIB, 4 * GIB + 1, 9 * GIB + 12345 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char *base = allocate(sizes[i]), last = 0;
    ck_assert_uint_ge(stats().buffer_bytes, sizes[i]);
    support_succeed(vptr_memset(mapper, base + sizes[i] - 1, 0x77, 1));
    support_succeed(vptr_memcpy(mapper, &last, base + sizes[i] - 1, 1));
    ck_assert_int_eq(last, 0x77);
    support_expect(VPTR_ERROR_PAST_END, verdict(base + sizes[i], 1));
    support_expect(VPTR_ERROR_OUT_OF_BOUNDS, verdict(base + 1, sizes[i]));
    release(base);
  }
}
END_TEST

static int word_at(const char *base, size_t offset) {
  int word = 0;
  support_succeed(vptr_memcpy(mapper, &word, base + offset, sizeof word));
  return word;
}

/* NVIDIA's driver counts the patterns of a fill in 32 bits and says nothing when there are more. */
START_TEST(fills_and_copies_above_4_gib_reach_their_end) {
  if (!support_has_opencl() || stats().device_bytes < 64 * GIB)
    return; /* moves 27 GiB: for devices that do that in no time */
  size_t size = 9 * GIB + 4096;
  char *a = allocate(size), *b = allocate(size);
  int pattern = 0x01020304;
  support_succeed(vptr_memset(mapper, b, 0, size));
  support_succeed(vptr_fill(mapper, a, &pattern, sizeof pattern, size / sizeof pattern));
  support_succeed(vptr_memcpy(mapper, b, a, size));
  ck_assert_int_eq(word_at(b, 5 * GIB), pattern);
  ck_assert_int_eq(word_at(b, size - sizeof pattern), pattern);
  support_succeed(vptr_fill(mapper, a, "U", 1, size));
  ck_assert_int_eq(word_at(a, 5 * GIB), 0x55555555);
  ck_assert_int_eq(word_at(a, size - sizeof pattern), 0x55555555);
  release(a);
  release(b);
}
END_TEST

static int by_index_down(const void *a, const void *b) {
  return *(const int *)b - *(const int *)a;
}

enum { MANY = 10000 };

/* Allocates MANY blocks of size_of(i), frees them in `order`, and expects the buffers to go with them. */
static void fill_and_drain(size_t (*size_of)(int), const int *order) {
  static void *block[MANY];
  support_succeed(vptr_trim(mapper, 0));
  vptr_stats before = stats();
  size_t live = 0;
  for (int i = 0; i < MANY; i++) {
    block[i] = allocate(size_of(i));
    live += size_of(i);
  }
  vptr_stats full = stats();
  ck_assert_uint_eq(full.live_bytes, before.live_bytes + live);
  size_t granules = (size_t)MANY * 512; /* the least a slot takes, and its guard */
  ck_assert_uint_le(full.buffer_bytes - before.buffer_bytes, live + live / 2 + granules + live / 8 + 64 * 64 * KIB);
  for (int i = 0; i < MANY; i++)
    release(block[order[i]]);
  ck_assert_uint_eq(stats().live_bytes, before.live_bytes);
  support_succeed(vptr_trim(mapper, 0));
  vptr_stats after = stats();
  ck_assert_uint_eq(after.buffer_bytes, before.buffer_bytes);
  ck_assert_uint_eq(after.buffer_count, before.buffer_count);
  ck_assert_uint_eq(after.idle_bytes, 0);
  support_succeed(vptr_check(mapper));
}

static size_t equal(int i) {
  (void)i;
  return 3000;
}

static size_t growing(int i) {
  return 1 + (size_t)i * 2;
}

static size_t shrinking(int i) {
  return 1 + (size_t)(MANY - 1 - i) * 2;
}

START_TEST(ten_thousand_allocations_give_their_buffers_back_in_any_order) {
  static int forward[MANY], backward[MANY], shuffled[MANY];
  uint64_t random = 1;
  for (int i = 0; i < MANY; i++)
    forward[i] = backward[i] = shuffled[i] = i;
  qsort(backward, MANY, sizeof *backward, by_index_down);
  for (int i = MANY - 1; i > 0; i--) {
    int j = (int)(support_random(&random) % (unsigned)(i + 1)), kept = shuffled[i];
    shuffled[i] = shuffled[j];
    shuffled[j] = kept;
  }
  const int *orders[] = { forward, backward, shuffled };
  for (int i = 0; i < 3; i++) {
    fill_and_drain(equal, orders[i]);
    fill_and_drain(growing, orders[i]);
    fill_and_drain(shrinking, orders[i]);
  }
}
END_TEST

START_TEST(buffers_follow_on_the_way_down_without_being_asked) {
  enum { BLOCKS = 64 };
  void *block[BLOCKS];
  for (int i = 0; i < BLOCKS; i++)
    block[i] = allocate(4 * MIB);
  for (int i = 0; i < BLOCKS; i++)
    release(block[i]);
  vptr_stats now = stats();
  ck_assert_uint_le(now.buffer_bytes, now.device_bytes / 16);
  ck_assert_uint_eq(now.idle_bytes, now.buffer_bytes);
}
END_TEST

/* Small blocks share a buffer, which stays when the last of them goes. */
START_TEST(a_buffer_of_small_blocks_is_idle_when_none_is_live) {
  void *small = allocate(1000), *other = allocate(1000);
  ck_assert_uint_lt(stats().idle_bytes, stats().buffer_bytes);
  release(small);
  ck_assert_uint_lt(stats().idle_bytes, stats().buffer_bytes);
  release(other);
  ck_assert_uint_eq(stats().idle_bytes, stats().buffer_bytes);
}
END_TEST

START_TEST(a_full_device_says_so_at_allocation_and_empties_its_caches_first) {
  if (support_has_opencl())
    return; /* a CPU device shares the host's memory: filling it would fill the machine */
  size_t device = stats().device_bytes, block = device / 20; /* below the cache's limit, so that it is cached */
  void *first = allocate(block);
  release(first);
  ck_assert_uint_gt(stats().idle_bytes, 0);
  void *whole = allocate(device - 16 * MIB); /* fits only if the cached block goes */
  void *more = &device;
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_malloc(mapper, block, &more));
  ck_assert_ptr_eq(more, &device);
  ck_assert_uint_eq(vptr_count(mapper), 1);
  void *small = allocate(1000); /* there is still room for what is small */
  release(small);
  release(whole);
  release(allocate(block));
}
END_TEST

/* ---- promise 4: addresses ------------------------------------------------------------------------------- */

START_TEST(addresses_are_aligned_as_promised) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *aligned;
  config.alignment = 64 * KIB;
  support_succeed(vptr_mapper_create(&config, &aligned));
  for (size_t size = 1; size < 10 * MIB; size = size * 3 + 1) {
    void *ptr;
    ck_assert_uint_eq((uintptr_t)allocate(size) % 256, 0);
    support_succeed(vptr_malloc(aligned, size, &ptr));
    ck_assert_uint_eq((uintptr_t)ptr % config.alignment, 0);
  }
  support_succeed(vptr_check(aligned));
  support_succeed(vptr_mapper_destroy(aligned));
}
END_TEST

START_TEST(equal_holes_are_filled_again) {
  static const size_t sizes[] = { 700, 40000, 3 * MIB };
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    void *block[9];
    for (int i = 0; i < 9; i++)
      block[i] = allocate(sizes[s]);
    void *hole = block[4];
    release(hole);
    block[4] = allocate(sizes[s]);
    ck_assert_ptr_eq(block[4], hole);
    for (int i = 0; i < 9; i++)
      release(block[i]);
  }
}
END_TEST

START_TEST(a_quarantine_delays_the_reuse_of_addresses) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.quarantine_bytes = 64 * KIB;
  vptr_mapper *careful;
  void *first, *other;
  support_succeed(vptr_mapper_create(&config, &careful));
  support_succeed(vptr_malloc(careful, 4000, &first));
  support_succeed(vptr_free(careful, first));
  vptr_location location;
  int issued = 0;
  do {
    support_expect(VPTR_ERROR_FREED, vptr_resolve(careful, first, 1, &location));
    support_succeed(vptr_malloc(careful, 4000, &other));
    support_succeed(vptr_free(careful, other));
    issued++;
  } while (other != first && issued < 1000);
  ck_assert_int_ge(issued, 64 * (int)KIB / 5000);
  ck_assert_int_lt(issued, 1000);
  support_succeed(vptr_check(careful));
  support_succeed(vptr_mapper_destroy(careful));
}
END_TEST

START_TEST(two_mappers_never_share_an_address) {
  vptr_mapper *other;
  support_succeed(vptr_mapper_create(NULL, &other));
  vptr_stats there = { .struct_size = sizeof there }, here = stats();
  support_succeed(vptr_get_stats(other, &there));
  ck_assert(here.reserve_base + here.reserve_bytes <= there.reserve_base ||
            there.reserve_base + there.reserve_bytes <= here.reserve_base);
  for (int i = 0; i < 200; i++) {
    void *theirs;
    support_succeed(vptr_malloc(other, 5000, &theirs));
    ck_assert_uint_ge((uintptr_t)theirs - there.reserve_base, 0);
    ck_assert_uint_lt((uintptr_t)theirs - there.reserve_base, there.reserve_bytes);
    ck_assert_uint_lt((uintptr_t)allocate(5000) - here.reserve_base, here.reserve_bytes);
  }
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

START_TEST(more_addresses_than_memory_pass_through) {
  if (support_has_opencl())
    return; /* GiB blocks: the fake device does not touch what it maps */
  for (int i = 0; i < 129; i++)
    release(allocate(GIB));
  void *block[18];
  for (int i = 0; i < 18; i++)
    block[i] = allocate(GIB);
  for (int i = 0; i < 18; i++)
    release(block[i]);
}
END_TEST

/* ---- attach, walk, clear -------------------------------------------------------------------------------- */

START_TEST(attach_gives_the_reference_count_back) {
  if (support_has_opencl())
    return; /* the same on OpenCL, with clGetMemObjectInfo, is in test_attach.c */
  vptr_mapper *other;
  support_succeed(vptr_mapper_create(NULL, &other));
  cl_mem foreign = vptr__fake_buffer_make(mapper->device, 10000);
  void *first, *second;
  support_succeed(vptr_attach(mapper, foreign, &first));
  support_succeed(vptr_attach(mapper, foreign, &second));
  ck_assert_uint_eq(vptr__fake_buffer_references(foreign), 3);
  ck_assert_ptr_ne(first, second);
  vptr_location location;
  support_succeed(vptr_resolve(mapper, (char *)first + 9999, 1, &location));
  ck_assert(location.buffer == foreign && location.kind == VPTR_KIND_ATTACHED && location.size == 10000);
  ck_assert(vptr_get_buffer(mapper, first) == foreign);
  ck_assert_uint_eq(stats().attached_bytes, 20000);
  ck_assert_uint_eq(stats().buffer_bytes, 0);
  support_succeed(vptr_memset(mapper, first, 0x42, 10000));
  char byte = 0;
  support_succeed(vptr_memcpy(mapper, &byte, (char *)second + 77, 1));
  ck_assert_int_eq(byte, 0x42);
  release(first);
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, first));
  support_succeed(vptr_clear(mapper));
  ck_assert_uint_eq(vptr__fake_buffer_references(foreign), 1);
  vptr__fake_buffer_release(foreign);
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

typedef struct walk_record {
  const void *last;
  int count, stop_after;
} walk_record;

static int note_visit(const vptr_location *location, void *context) {
  walk_record *record = context;
  ck_assert(location->base > record->last);
  record->last = location->base;
  return ++record->count == record->stop_after;
}

START_TEST(walks_go_in_the_order_of_addresses) {
  uint64_t random = 3;
  void *block[500];
  for (int i = 0; i < 500; i++)
    block[i] = allocate(1 + (size_t)(support_random(&random) % (i % 50 == 0 ? 2 * MIB : 9000)));
  for (int i = 0; i < 500; i += 3)
    release(block[i]);
  walk_record all = { NULL, 0, -1 }, ten = { NULL, 0, 10 };
  support_succeed(vptr_walk(mapper, note_visit, &all));
  ck_assert_uint_eq((size_t)all.count, vptr_count(mapper));
  support_succeed(vptr_walk(mapper, note_visit, &ten));
  ck_assert_int_eq(ten.count, 10);
}
END_TEST

START_TEST(clear_frees_everything) {
  for (int i = 0; i < 1000; i++)
    allocate((size_t)(1 + i * 37));
  char *big = allocate(5 * MIB);
  support_succeed(vptr_clear(mapper));
  ck_assert_uint_eq(vptr_count(mapper), 0);
  ck_assert_uint_eq(stats().live_bytes, 0);
  support_expect(VPTR_ERROR_FREED, verdict(big, 1));
  release(allocate(100));
}
END_TEST

START_TEST(a_sub_buffer_begins_at_the_base_and_is_kept) {
  char *first = allocate(1000), *second = allocate(1000), *big = allocate(2 * MIB);
  cl_mem one = vptr_get_buffer(mapper, first + 5), two = vptr_get_buffer(mapper, second);
  ck_assert(one != NULL && two != NULL && one != two);
  ck_assert(vptr_get_buffer(mapper, first + 999) == one);
  vptr_location location;
  support_succeed(vptr_resolve(mapper, big, 1, &location));
  ck_assert(vptr_get_buffer(mapper, big + 4) == location.buffer);
  release(first);
  ck_assert_ptr_null(vptr_get_buffer(mapper, first));
  release(second);
  release(big);
}
END_TEST

START_TEST(the_default_mapper_cannot_be_destroyed) {
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_mapper_destroy(NULL));
  void *ptr;
  support_succeed(vptr_malloc(NULL, 10, &ptr));
  support_succeed(vptr_free(NULL, ptr));
  support_succeed(vptr_check(NULL));
}
END_TEST

START_TEST(a_bad_configuration_is_refused_in_words) {
  vptr_mapper *none = NULL;
  vptr_config config = VPTR_CONFIG_INIT;
  config.alignment = 3;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_mapper_create(&config, &none));
  config = (vptr_config)VPTR_CONFIG_INIT;
  config.flags = 0x80;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_mapper_create(&config, &none));
  config = (vptr_config)VPTR_CONFIG_INIT;
  config.struct_size = 8;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_mapper_create(&config, &none));
  config = (vptr_config)VPTR_CONFIG_INIT;
  config.alignment = (size_t)1 << 40;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_mapper_create(&config, &none));
  ck_assert_ptr_null(none);
  ck_assert_uint_gt(strlen(vptr_last_error()), 20);
}
END_TEST

static Suite *promises_suite(void) {
  Suite *suite = suite_create("promises");
  TCase *promises = tcase_create("promises");
  tcase_add_checked_fixture(promises, set_up, tear_down);
  tcase_add_test(promises, every_byte_of_an_allocation_resolves_and_no_other);
  tcase_add_test(promises, one_past_the_end_is_never_the_neighbour);
  tcase_add_test(promises, strangers_are_told_apart);
  tcase_add_test(promises, a_failed_look_up_changes_nothing_and_writes_nothing);
  tcase_add_test(promises, words_name_the_allocation);
  tcase_add_test(promises, a_double_free_is_refused_at_head_middle_tail_and_sole_block);
  tcase_add_test(promises, interior_wild_stack_and_end_pointers_cannot_be_freed);
  tcase_add_test(promises, freeing_null_and_allocating_nothing_do_nothing);
  tcase_add_test(promises, what_other_allocations_hold_survives_a_refused_free);
  tcase_add_test(promises, absurd_sizes_are_refused_and_leave_the_output_alone);
  tcase_add_test(promises, sizes_above_4_gib_keep_their_upper_half);
  tcase_add_test(promises, fills_and_copies_above_4_gib_reach_their_end);
  tcase_add_test(promises, ten_thousand_allocations_give_their_buffers_back_in_any_order);
  tcase_add_test(promises, buffers_follow_on_the_way_down_without_being_asked);
  tcase_add_test(promises, a_buffer_of_small_blocks_is_idle_when_none_is_live);
  tcase_add_test(promises, a_full_device_says_so_at_allocation_and_empties_its_caches_first);
  tcase_add_test(promises, addresses_are_aligned_as_promised);
  tcase_add_test(promises, equal_holes_are_filled_again);
  tcase_add_test(promises, a_quarantine_delays_the_reuse_of_addresses);
  tcase_add_test(promises, two_mappers_never_share_an_address);
  tcase_add_test(promises, more_addresses_than_memory_pass_through);
  tcase_add_test(promises, attach_gives_the_reference_count_back);
  tcase_add_test(promises, walks_go_in_the_order_of_addresses);
  tcase_add_test(promises, clear_frees_everything);
  tcase_add_test(promises, a_sub_buffer_begins_at_the_base_and_is_kept);
  tcase_add_test(promises, the_default_mapper_cannot_be_destroyed);
  tcase_add_test(promises, a_bad_configuration_is_refused_in_words);
  suite_add_tcase(suite, promises);
  return suite;
}

/* 20 GiB of device fit into the addresses that valgrind leaves. */
int main(void) {
  setenv("VPTR_FAKE_BYTES", "20G", 1);
  return support_run(promises_suite());
}
