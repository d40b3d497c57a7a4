/* SPDX-License-Identifier: MIT */
/*
 * pinned - host memory for the device: what is handed out, what is registered, and what is known of any address.
 *
 * Small blocks and large regions take different ways, so most tests run for sizes on both sides of the limit.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device/fake.h"
#include "pinned/blocks.h"
#include "pinned/pinned.h"
#include "support/support.h"

static const size_t sizes[] = { 1, 255, 256, 257, 1000, 5000, 100000, 1000000, 1048575, 1048576, 5000000 };
enum { SIZES = sizeof sizes / sizeof *sizes };

static vptr_mapper *own_mapper(void) {
  vptr_mapper *mapper = NULL;
  support_succeed(vptr__mapper_for_device(0, &mapper));
  return mapper;
}

static char *allocate(size_t size, unsigned flags) {
  void *host = NULL;
  support_succeed(vptr__pinned_allocate(own_mapper(), size, flags, &host));
  return host;
}

/* Memory that nobody else has a part of. */
static char *map_pages(size_t size) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(pages, MAP_FAILED);
  return pages;
}

static bool is_none(const void *host) {
  return vptr__pinned_find(host).kind == VPTR__PINNED_NONE;
}

static bool lies_in(const void *host, const void *base, size_t size) {
  vptr__pinned_place place = vptr__pinned_find(host);
  return place.kind != VPTR__PINNED_NONE && place.base == base && place.size == size;
}

/* ---- allocation ----------------------------------------------------------------------------------------- */

START_TEST(each_byte_of_an_allocation_is_known_and_none_beside_it) {
  for (int i = 0; i < SIZES; i++) {
    char *host = allocate(sizes[i], 5);
    ck_assert_uint_eq((uintptr_t)host % 256, 0);
    memset(host, 0x11, sizes[i]);
    vptr__pinned_place place = vptr__pinned_find(host);
    ck_assert_int_eq(place.kind, VPTR__PINNED_OURS);
    ck_assert_uint_eq(place.flags, 5);
    ck_assert_ptr_eq(place.mapper, own_mapper());
    ck_assert(!place.has_device_address);
    ck_assert(lies_in(host, host, sizes[i]));
    ck_assert(lies_in(host + sizes[i] / 2, host, sizes[i]));
    ck_assert(lies_in(host + sizes[i] - 1, host, sizes[i]));
    ck_assert(!lies_in(host + sizes[i], host, sizes[i]));
    ck_assert(!lies_in(host - 1, host, sizes[i]));
    support_succeed(vptr__pinned_free(host));
    ck_assert(is_none(host));
  }
}
END_TEST

START_TEST(other_memory_is_not_pinned) {
  char on_stack[16] = { 0 }, *on_heap = malloc(100);
  ck_assert(is_none(on_stack));
  ck_assert(is_none(on_heap));
  ck_assert(is_none(NULL));
  ck_assert(is_none((void *)UINTPTR_MAX));
  ck_assert(!vptr__pinned_acquire(NULL, on_stack, sizeof on_stack));
  free(on_heap);
}
END_TEST

START_TEST(only_the_start_of_live_memory_is_freed_and_once) {
  for (int i = 0; i < SIZES; i++) {
    char *host = allocate(sizes[i], 0);
    if (sizes[i] > 1) {
      support_expect(VPTR_ERROR_INTERIOR, vptr__pinned_free(host + 1));
      support_expect(VPTR_ERROR_INTERIOR, vptr__pinned_free(host + sizes[i] - 1));
    }
    if (sizes[i] > 256)
      support_expect(VPTR_ERROR_INTERIOR, vptr__pinned_free(host + 256));
    ck_assert(lies_in(host, host, sizes[i])); /* still there */
    support_succeed(vptr__pinned_free(host));
    support_expect(VPTR_ERROR_FREED, vptr__pinned_free(host));
    support_expect(VPTR_ERROR_FREED, vptr__pinned_free(host));
  }
}
END_TEST

START_TEST(foreign_addresses_are_refused_in_words) {
  char on_stack[16] = { 0 }, *on_heap = malloc(100);
  void *device;
  support_succeed(vptr_malloc(NULL, 100, &device));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__pinned_free(on_stack));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "no pinned memory"));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__pinned_free(on_heap));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__pinned_free((void *)16));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__pinned_free((void *)UINTPTR_MAX));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__pinned_free(device));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "device address"));
  support_succeed(vptr_free(NULL, device));
  free(on_heap);
}
END_TEST

START_TEST(sizes_that_no_machine_has_are_refused) {
  void *host = &host;
  const size_t impossible[] = { SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2, (size_t)1 << 46 };
  for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
    support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, vptr__pinned_allocate(own_mapper(), impossible[i], 0, &host));
    ck_assert_ptr_eq(host, &host);
  }
}
END_TEST

static size_t acquired(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.host_buffers;
}

START_TEST(freed_memory_is_used_again) {
  for (int i = 0; i < SIZES; i++) {
    support_succeed(vptr__pinned_free(allocate(sizes[i], 0)));
    size_t before = acquired();
    for (unsigned round = 0; round < 300; round++) {
      char *host = allocate(sizes[i], round % 8);
      support_must(vptr__pinned_find(host).flags == round % 8);
      support_must(vptr__pinned_free(host) == VPTR_SUCCESS);
    }
    ck_assert_uint_eq(acquired(), before);
  }
}
END_TEST

/* What a program writes after a free hurts nobody but itself. */
START_TEST(blocks_hold_no_books) {
  enum { COUNT = 100 };
  char *blocks[COUNT];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < COUNT; i++)
      blocks[i] = allocate(300, 0);
    for (int i = 0; i < COUNT; i++) {
      support_succeed(vptr__pinned_free(blocks[i]));
      memset(blocks[i], 0xff, 512);
    }
  }
}
END_TEST

START_TEST(live_allocations_are_apart) {
  enum { COUNT = 600 };
  static char *blocks[COUNT];
  static size_t block_sizes[COUNT];
  uint64_t random = 1;
  for (int i = 0; i < 20 * COUNT; i++) {
    int k = (int)(support_random(&random) % COUNT);
    if (blocks[k] != NULL) {
      for (size_t byte = 0; byte < block_sizes[k]; byte += 97)
        support_must(blocks[k][byte] == (char)k);
      support_must(vptr__pinned_free(blocks[k]) == VPTR_SUCCESS);
      blocks[k] = NULL;
      continue;
    }
    block_sizes[k] = 1 + support_random(&random) % (i % 50 == 0 ? 600000 : 6000);
    blocks[k] = allocate(block_sizes[k], 0);
    for (size_t byte = 0; byte < block_sizes[k]; byte += 97)
      blocks[k][byte] = (char)k;
    support_must(lies_in(blocks[k] + support_random(&random) % block_sizes[k], blocks[k], block_sizes[k]));
  }
  for (int k = 0; k < COUNT; k++)
    if (blocks[k] != NULL)
      support_succeed(vptr__pinned_free(blocks[k]));
}
END_TEST

START_TEST(idle_regions_are_kept_and_given_back) {
  if (support_has_opencl())
    return; /* the fake device counts */
  vptr__pinned_trim(own_mapper(), 0);
  size_t before = acquired();
  char *a = allocate(5000000, 0), *b = allocate(9000000, 0);
  ck_assert_uint_eq(acquired(), before + 2);
  support_succeed(vptr__pinned_free(a));
  support_succeed(vptr__pinned_free(b));
  ck_assert_uint_eq(acquired(), before + 2);
  vptr__pinned_trim(own_mapper(), 10000000);
  ck_assert_uint_eq(acquired(), before + 1);
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__pinned_free(a)); /* the older one went */
  support_expect(VPTR_ERROR_FREED, vptr__pinned_free(b));
  vptr__pinned_trim(own_mapper(), 0);
  ck_assert_uint_eq(acquired(), before);
}
END_TEST

START_TEST(a_region_much_larger_is_not_wasted_on_a_small_request) {
  char *large = allocate(64 << 20, 0);
  support_succeed(vptr__pinned_free(large));
  char *small = allocate(2 << 20, 0);
  ck_assert(small < large || small >= large + (64 << 20));
  support_succeed(vptr__pinned_free(small));
}
END_TEST

/* ---- registration --------------------------------------------------------------------------------------- */

START_TEST(registered_memory_is_known_exactly) {
  char *pages = map_pages(3 * 4096);
  support_succeed(vptr__pinned_register(own_mapper(), pages + 100, 5000, 2));
  vptr__pinned_place place = vptr__pinned_find(pages + 100);
  ck_assert_int_eq(place.kind, VPTR__PINNED_REGISTERED);
  ck_assert_uint_eq(place.flags, 2);
  ck_assert(lies_in(pages + 5099, pages + 100, 5000));
  ck_assert(is_none(pages + 99));
  ck_assert(is_none(pages + 5100));
  support_expect(VPTR_ERROR_NOT_MAPPED, vptr__pinned_unregister(pages + 101));
  support_succeed(vptr__pinned_unregister(pages + 100));
  support_expect(VPTR_ERROR_NOT_MAPPED, vptr__pinned_unregister(pages + 100));
  ck_assert(is_none(pages + 100));
  munmap(pages, 3 * 4096);
}
END_TEST

START_TEST(registering_keeps_the_contents) {
  char *pages = map_pages(8192);
  for (int i = 0; i < 8192; i++)
    pages[i] = (char)(i * 7);
  support_succeed(vptr__pinned_register(own_mapper(), pages, 8192, 0));
  support_succeed(vptr__pinned_unregister(pages));
  for (int i = 0; i < 8192; i++)
    support_must(pages[i] == (char)(i * 7));
  munmap(pages, 8192);
}
END_TEST

START_TEST(pinned_memory_is_not_registered_again) {
  char *pages = map_pages(4 * 4096), *ours = allocate(1000, 0), *large = allocate(2000000, 0);
  support_succeed(vptr__pinned_register(own_mapper(), pages + 4096, 4096, 0));
  support_expect(VPTR_ERROR_MAPPED, vptr__pinned_register(own_mapper(), pages + 4096, 4096, 0));
  support_expect(VPTR_ERROR_MAPPED, vptr__pinned_register(own_mapper(), pages, 4 * 4096, 0));
  support_expect(VPTR_ERROR_MAPPED, vptr__pinned_register(own_mapper(), pages, 4097, 0));
  support_expect(VPTR_ERROR_MAPPED, vptr__pinned_register(own_mapper(), pages + 8191, 1, 0));
  support_expect(VPTR_ERROR_MAPPED, vptr__pinned_register(own_mapper(), ours, 10, 0));
  support_expect(VPTR_ERROR_MAPPED, vptr__pinned_register(own_mapper(), large + 10, 10, 0));
  support_succeed(vptr__pinned_register(own_mapper(), pages, 4096, 0));
  support_succeed(vptr__pinned_register(own_mapper(), pages + 8192, 1, 0));
  ck_assert(vptr__pinned_acquire(NULL, pages, 8193)); /* three neighbours */
  ck_assert(!vptr__pinned_acquire(NULL, pages, 8194));
  support_succeed(vptr__pinned_unregister(pages + 4096));
  ck_assert(!vptr__pinned_acquire(NULL, pages, 8193));
  support_succeed(vptr__pinned_unregister(pages));
  support_succeed(vptr__pinned_unregister(pages + 8192));
  support_succeed(vptr__pinned_free(ours));
  support_succeed(vptr__pinned_free(large));
  munmap(pages, 4 * 4096);
}
END_TEST

START_TEST(what_cannot_be_registered_is_refused) {
  char *pages = map_pages(3 * 4096);
  void *device;
  munmap(pages + 4096, 4096);
  support_succeed(vptr_malloc(NULL, 100, &device));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__pinned_register(own_mapper(), NULL, 100, 0));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__pinned_register(own_mapper(), pages, 0, 0));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__pinned_register(own_mapper(), pages, SIZE_MAX, 0));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__pinned_register(own_mapper(), pages, SIZE_MAX / 2, 0));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__pinned_register(own_mapper(), pages, 4097, 0));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__pinned_register(own_mapper(), device, 10, 0));
  support_succeed(vptr__pinned_register(own_mapper(), pages, 4096, 0));
  support_succeed(vptr__pinned_unregister(pages));
  support_succeed(vptr_free(NULL, device));
  munmap(pages, 3 * 4096);
}
END_TEST

START_TEST(allocating_and_registering_are_undone_each_by_its_own) {
  char *pages = map_pages(4096), *ours = allocate(100, 0);
  support_succeed(vptr__pinned_register(own_mapper(), pages, 4096, 0));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__pinned_free(pages));
  support_expect(VPTR_ERROR_NOT_MAPPED, vptr__pinned_unregister(ours));
  support_succeed(vptr__pinned_unregister(pages));
  support_succeed(vptr__pinned_free(ours));
  munmap(pages, 4096);
}
END_TEST

/* Look-ups guess first, by where in the addresses a region lies: here all that share a guess, side by side and 256 MiB
   apart. */
START_TEST(registrations_that_share_a_guess_are_told_apart) {
  enum { PIECE = 4096, STEP = 3 * PIECE, PIECES = 32, APART = 256 << 20 };
  char *pages = map_pages((size_t)APART + PIECES * STEP);
  for (int i = 0; i < PIECES; i++) {
    support_succeed(vptr__pinned_register(own_mapper(), pages + i * STEP, PIECE, 0));
    support_succeed(vptr__pinned_register(own_mapper(), pages + APART + i * STEP, PIECE, 0));
  }
  for (int i = 0; i < PIECES; i++)
    for (char *base = pages + i * STEP; base <= pages + APART + i * STEP; base += APART) {
      ck_assert(lies_in(base, base, PIECE) && lies_in(base + PIECE - 1, base, PIECE));
      ck_assert(is_none(base + PIECE) && is_none(base - 1));
    }
  for (int i = PIECES - 1; i >= 0; i--) { /* the latest of all first */
    support_succeed(vptr__pinned_unregister(pages + APART + i * STEP));
    ck_assert(is_none(pages + APART + i * STEP));
    ck_assert(lies_in(pages + i * STEP, pages + i * STEP, PIECE));
  }
  for (int i = 0; i < PIECES; i++) {
    support_succeed(vptr__pinned_unregister(pages + i * STEP));
    ck_assert(is_none(pages + i * STEP));
  }
  munmap(pages, (size_t)APART + PIECES * STEP);
}
END_TEST

/* More than the table of guesses stands for. */
START_TEST(a_very_large_registration_is_known_to_its_end) {
  enum { BYTES = 300 << 20 };
  char *pages = map_pages(BYTES), *beside = allocate(100, 0);
  support_succeed(vptr__pinned_register(own_mapper(), pages, BYTES, 0));
  for (size_t at = 0; at < BYTES; at += 1 << 20)
    ck_assert(lies_in(pages + at, pages, BYTES));
  ck_assert(lies_in(pages + BYTES - 1, pages, BYTES) && is_none(pages + BYTES) && lies_in(beside, beside, 100));
  support_succeed(vptr__pinned_unregister(pages));
  ck_assert(is_none(pages) && is_none(pages + BYTES - 1) && lies_in(beside, beside, 100));
  support_succeed(vptr__pinned_free(beside));
  munmap(pages, BYTES);
}
END_TEST

/* Memory that was unmapped while registered is nobody's; if the system gives its place to a region of ours, that
   counts. */
START_TEST(left_over_registrations_give_way) {
  enum { BYTES = 64 << 20 };
  vptr__pinned_trim(own_mapper(), 0);
  char *pages = map_pages(BYTES);
  for (int i = 0; i < 16; i++)
    support_succeed(vptr__pinned_register(own_mapper(), pages + i * (4 << 20), 4 << 20, 0));
  munmap(pages, BYTES);
  char *ours = allocate(BYTES - (4 << 20), 0);
  ck_assert(lies_in(ours, ours, BYTES - (4 << 20)));
  ck_assert(lies_in(ours + (BYTES - (4 << 20)) - 1, ours, BYTES - (4 << 20)));
  support_succeed(vptr__pinned_clear(own_mapper()));
  ck_assert(is_none(pages));
}
END_TEST

/* ---- acquiring -------------------------------------------------------------------------------------------- */

static uint64_t operations(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.operations;
}

START_TEST(freeing_waits_once_for_what_was_acquired) {
  if (support_has_opencl())
    return; /* the fake device counts */
  for (int i = 0; i < SIZES; i++) {
    char *host = allocate(sizes[i], 0), *other = allocate(sizes[i], 0);
    ck_assert(vptr__pinned_acquire(NULL, host, sizes[i]));
    uint64_t before = operations();
    support_succeed(vptr__pinned_free(host));
    ck_assert_uint_gt(operations(), before);
    before = operations();
    support_succeed(vptr__pinned_free(other));
    ck_assert_uint_eq(operations(), before);
  }
}
END_TEST

START_TEST(a_wait_that_fails_frees_nothing) {
  if (support_has_opencl())
    return;
  for (int i = 0; i < SIZES; i++) {
    char *host = allocate(sizes[i], 0);
    ck_assert(vptr__pinned_acquire(NULL, host, sizes[i]));
    vptr__fake_fail_nth(1, CL_OUT_OF_RESOURCES);
    support_expect(VPTR_ERROR_OPENCL, vptr__pinned_free(host));
    vptr__fake_fail_nth(0, 0);
    ck_assert(lies_in(host, host, sizes[i]));
    support_succeed(vptr__pinned_free(host));
  }
}
END_TEST

/* ---- device addresses ----------------------------------------------------------------------------------- */

/* False on a device that has none of its own for host memory. */
static bool device_address(const void *host, char **device_out) {
  void *device;
  if (own_mapper()->device->reaches_pinned)
    return false; /* it is the host's own: tests/cuda/test_cuda_launch.c */
  vptr_status status = vptr__pinned_device_address(host, &device);
  ck_assert(status == VPTR_SUCCESS || (support_has_opencl() && status == VPTR_ERROR_UNSUPPORTED));
  *device_out = device;
  return status == VPTR_SUCCESS;
}

START_TEST(a_device_address_is_the_memory_itself) {
  for (int i = 0; i < SIZES; i++) {
    size_t size = sizes[i];
    char *host = allocate(size, 2), *device, *middle, seen = 0;
    if (!device_address(host, &device))
      return;
    ck_assert(device_address(host + size / 2, &middle));
    ck_assert_ptr_eq(middle, device + size / 2);
    ck_assert_ptr_eq(vptr__pinned_host_address(middle), host + size / 2);
    ck_assert_ptr_null(vptr__pinned_host_address(device + size));
    ck_assert(vptr__pinned_find(host).has_device_address);
    vptr_location location;
    support_succeed(vptr_resolve(NULL, middle, 1, &location));
    ck_assert_ptr_eq(location.base, device);
    ck_assert_uint_eq(location.size, size);
    support_succeed(vptr_memset(NULL, device, 0x3c, size));
    ck_assert_int_eq(host[size - 1], 0x3c);
    host[size / 2] = 0x4d;
    support_succeed(vptr_memcpy(NULL, &seen, middle, 1));
    ck_assert_int_eq(seen, 0x4d);
    support_succeed(vptr__pinned_free(host));
    support_expect(VPTR_ERROR_FREED, vptr_resolve(NULL, device, 1, &location));
    ck_assert_ptr_null(vptr__pinned_host_address(device));
  }
}
END_TEST

START_TEST(registered_memory_has_one_too_where_it_is_aligned) {
  char *pages = map_pages(8192), *device;
  support_succeed(vptr__pinned_register(own_mapper(), pages, 8192, 2));
  if (device_address(pages + 100, &device)) {
    support_succeed(vptr_memset(NULL, device, 0x21, 10));
    ck_assert_int_eq(pages[109], 0x21);
    ck_assert_ptr_eq(vptr__pinned_host_address(device), pages + 100);
  }
  support_succeed(vptr__pinned_unregister(pages));
  support_succeed(vptr__pinned_register(own_mapper(), pages + 1, 100, 2));
  vptr__device *owner = own_mapper()->device;
  void *none = &none;
  if (owner->ops->memory.takes_system(owner)) {
    support_succeed(vptr__pinned_device_address(pages + 1, &none)); /* as before it was registered */
    ck_assert_ptr_eq(none, pages + 1);
  } else if (!owner->reaches_pinned) {
    support_expect(VPTR_ERROR_UNSUPPORTED, vptr__pinned_device_address(pages + 1, &none));
    ck_assert_ptr_eq(none, &none);
  }
  support_succeed(vptr__pinned_unregister(pages + 1));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr__pinned_device_address(pages, &none));
  munmap(pages, 8192);
}
END_TEST

/* The attachment is gone, and its address may be somebody else's by the time the memory is freed. */
START_TEST(a_clear_of_the_mapper_does_not_confuse_the_two) {
  char *host = allocate(1000, 2), *device, *again;
  void *theirs[64];
  if (!device_address(host, &device))
    return;
  support_succeed(vptr_clear(NULL));
  for (int i = 0; i < 64; i++)
    support_succeed(vptr_malloc(NULL, 300000, &theirs[i]));
  ck_assert_ptr_null(vptr__pinned_host_address(device));
  ck_assert(device_address(host, &again));
  support_succeed(vptr_memset(NULL, again, 0x3c, 1000));
  ck_assert_int_eq(host[999], 0x3c);
  support_succeed(vptr_clear(NULL));
  for (int i = 0; i < 64; i++)
    support_succeed(vptr_malloc(NULL, 300000, &theirs[i]));
  support_succeed(vptr__pinned_free(host));
  for (int i = 0; i < 64; i++)
    support_succeed(vptr_free(NULL, theirs[i]));
}
END_TEST

/* ---- all at once ---------------------------------------------------------------------------------------- */

START_TEST(clearing_frees_everything) {
  char *hosts[SIZES], *pages = map_pages(4096), *device;
  for (int i = 0; i < SIZES; i++) {
    hosts[i] = allocate(sizes[i], 0);
    device_address(hosts[i], &device);
  }
  support_succeed(vptr__pinned_register(own_mapper(), pages, 4096, 0));
  support_succeed(vptr__pinned_clear(own_mapper()));
  for (int i = 0; i < SIZES; i++) {
    ck_assert(is_none(hosts[i]));
    ck_assert(vptr__pinned_free(hosts[i]) != VPTR_SUCCESS);
  }
  ck_assert(is_none(pages));
  ck_assert_uint_eq(vptr_count(NULL), 0);
  munmap(pages, 4096);
}
END_TEST

START_TEST(mappers_of_the_caller_have_no_pinned_memory) {
  vptr_mapper *other;
  void *host;
  own_mapper();
  support_succeed(vptr_mapper_create(NULL, &other));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__pinned_allocate(other, 100, 0, &host));
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

/* ---- the tables of a chunk ------------------------------------------------------------------------------ */

START_TEST(the_nearest_start_is_found_across_words) {
  enum { BYTES = 4 << 20 };
  vptr__blocks blocks;
  size_t start;
  uint32_t word;
  ck_assert(vptr__blocks_init(&blocks, BYTES));
  ck_assert(!vptr__blocks_find(&blocks, 0, &start, &word));
  ck_assert(!vptr__blocks_find(&blocks, BYTES / VPTR__BLOCK_STEP - 1, &start, &word));
  vptr__blocks_issue(&blocks, 63, VPTR__BLOCK_LIMIT - 1, 15);
  for (size_t slot = 63; slot < 63 + VPTR__BLOCK_LIMIT / VPTR__BLOCK_STEP; slot++) {
    support_must(vptr__blocks_find(&blocks, slot, &start, &word) && start == 63);
    support_must(vptr__block_size(word) == VPTR__BLOCK_LIMIT - 1 && vptr__block_flags(word) == 15);
  }
  ck_assert(!vptr__blocks_find(&blocks, 62, &start, &word));
  vptr__blocks_issue(&blocks, 64, 1, 0);
  vptr__blocks_mark_shared(&blocks, 64);
  ck_assert(vptr__blocks_find(&blocks, 64, &start, &word) && start == 64);
  ck_assert(vptr__block_flags(word) == 0 && vptr__block_size(word) == 1 && (word & VPTR__BLOCK_SHARED) != 0);
  ck_assert(vptr__blocks_find(&blocks, 63, &start, &word) && start == 63);
  ck_assert(vptr__blocks_end(&blocks, 64));
  ck_assert(!vptr__blocks_end(&blocks, 64));
  ck_assert(!vptr__blocks_get(&blocks, 64, &word));
  ck_assert(vptr__blocks_get(&blocks, 63, &word));
  vptr__blocks_fini(&blocks, BYTES);
}
END_TEST

static Suite *pinned_suite(void) {
  Suite *suite = suite_create("pinned");
  TCase *pinned = tcase_create("pinned");
  tcase_add_test(pinned, each_byte_of_an_allocation_is_known_and_none_beside_it);
  tcase_add_test(pinned, other_memory_is_not_pinned);
  tcase_add_test(pinned, only_the_start_of_live_memory_is_freed_and_once);
  tcase_add_test(pinned, foreign_addresses_are_refused_in_words);
  tcase_add_test(pinned, sizes_that_no_machine_has_are_refused);
  tcase_add_test(pinned, freed_memory_is_used_again);
  tcase_add_test(pinned, blocks_hold_no_books);
  tcase_add_test(pinned, live_allocations_are_apart);
  tcase_add_test(pinned, idle_regions_are_kept_and_given_back);
  tcase_add_test(pinned, a_region_much_larger_is_not_wasted_on_a_small_request);
  tcase_add_test(pinned, registered_memory_is_known_exactly);
  tcase_add_test(pinned, registering_keeps_the_contents);
  tcase_add_test(pinned, pinned_memory_is_not_registered_again);
  tcase_add_test(pinned, what_cannot_be_registered_is_refused);
  tcase_add_test(pinned, allocating_and_registering_are_undone_each_by_its_own);
  tcase_add_test(pinned, registrations_that_share_a_guess_are_told_apart);
  tcase_add_test(pinned, a_very_large_registration_is_known_to_its_end);
  tcase_add_test(pinned, left_over_registrations_give_way);
  tcase_add_test(pinned, freeing_waits_once_for_what_was_acquired);
  tcase_add_test(pinned, a_wait_that_fails_frees_nothing);
  tcase_add_test(pinned, a_device_address_is_the_memory_itself);
  tcase_add_test(pinned, registered_memory_has_one_too_where_it_is_aligned);
  tcase_add_test(pinned, a_clear_of_the_mapper_does_not_confuse_the_two);
  tcase_add_test(pinned, clearing_frees_everything);
  tcase_add_test(pinned, mappers_of_the_caller_have_no_pinned_memory);
  tcase_add_test(pinned, the_nearest_start_is_found_across_words);
  suite_add_tcase(suite, pinned);
  return suite;
}

int main(void) {
  return support_run(pinned_suite());
}
