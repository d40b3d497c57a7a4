/* SPDX-License-Identifier: MIT */
/*
 * heap - what cannot be seen from outside: size classes, the directory's arithmetic, serial numbers that run
 * out, what the cache keeps, where sub-buffers and device addresses go.
 */
#include <string.h>

#include "device/fake.h"
#include "heap/slab.h"
#include "heap/state.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define MIB ((size_t)1 << 20)

static vptr_mapper *mapper;
static vptr__heap *heap;

static void set_up(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = (size_t)1 << 38;
  support_succeed(vptr_mapper_create(&config, &mapper));
  heap = mapper->heap;
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

START_TEST(classes_rise_leave_room_for_one_byte_and_waste_an_eighth_at_most) {
  for (unsigned shift = 8; shift <= 14; shift++) {
    size_t granule = (size_t)1 << shift;
    unsigned last = 0;
    for (size_t size = 1; vptr__class_fits(size, granule); size += size < 70000 ? 1 : 97) {
      unsigned class = vptr__class_of(size, shift);
      size_t slot = vptr__class_slot_size(class, shift);
      support_must(class < VPTR__CLASS_COUNT && class >= last);
      support_must(slot > size && slot % granule == 0);
      support_must(slot - size <= size / 8 + granule);
      support_must(slot - size + 1 < INT16_MAX); /* fits a state */
      last = class;
    }
    ck_assert_uint_le(vptr__class_slot_size(last, shift), VPTR__CLASS_MAX_SLOT);
  }
}
END_TEST

START_TEST(the_reciprocal_divides_exactly) {
  for (unsigned class = 0; class < VPTR__CLASS_COUNT; class ++) {
    uint32_t slot_size = vptr__class_slot_size(class, 8), reciprocal = vptr__directory_reciprocal(slot_size);
    for (size_t first = 0; first < 64 * MIB; first += slot_size) {
      uint32_t slot = (uint32_t)(first / slot_size);
      support_must(vptr__directory_slot(first, reciprocal) == slot);
      support_must(vptr__directory_slot(first + slot_size - 1, reciprocal) == slot);
    }
  }
}
END_TEST

START_TEST(a_slab_whose_serial_steps_run_out_issues_no_more_until_it_is_empty) {
  char *first = allocate(1000);
  heap->serial += UINT32_MAX - 10;
  uint64_t serial = heap->serial;
  vptr_location location;
  for (int i = 0; i < 30; i++) {
    char *next = allocate(1000);
    support_succeed(vptr_resolve(mapper, next, 1, &location));
    ck_assert_uint_eq(location.serial, ++serial);
  }
  support_succeed(vptr_resolve(mapper, first, 1, &location));
  ck_assert_uint_eq(location.serial, 1);
}
END_TEST

START_TEST(idle_buffers_come_back_and_age) {
  char *first = allocate(2 * MIB);
  support_succeed(vptr_free(mapper, first));
  ck_assert_uint_eq(heap->cache.bytes, 2 * MIB);
  ck_assert_ptr_eq(allocate(2 * MIB - 5000), first); /* a little smaller fits */
  support_succeed(vptr_free(mapper, first));
  char *smaller = allocate(MIB); /* much smaller does not */
  ck_assert_ptr_ne(smaller, first);
  ck_assert_uint_eq(heap->cache.bytes, 2 * MIB);
  heap->cache.oldest->idle_since -= VPTR__CACHE_MAX_AGE_NS;
  support_succeed(vptr_free(mapper, smaller));
  ck_assert_uint_eq(heap->cache.bytes, MIB);
}
END_TEST

START_TEST(what_is_more_than_an_eighth_too_large_stays_idle) {
  char *first = allocate(9 * MIB);
  support_succeed(vptr_free(mapper, first));
  ck_assert_ptr_ne(allocate(8 * MIB - 65536), first);
  ck_assert_uint_eq(heap->cache.bytes, 9 * MIB);
  ck_assert_ptr_eq(allocate(8 * MIB), first);
  ck_assert_uint_eq(heap->cache.bytes, 0);
}
END_TEST

START_TEST(an_idle_buffer_of_which_slots_leave_more_than_an_eighth_is_no_slab) {
  enum { SLAB = 256 << 10, LEAVES_TWO_FIFTHS = 192 << 10, LEAVES_NOTHING = 160 << 10 };
  char *idle = allocate(320 << 10);
  support_succeed(vptr_free(mapper, idle));
  size_t bytes = heap->cache.bytes;
  ck_assert_uint_ge(bytes, 320 << 10);
  ck_assert_uint_lt(bytes, 330 << 10);
  ck_assert_ptr_null(vptr__cache_take_slab(&heap->cache, SLAB, LEAVES_TWO_FIFTHS));
  vptr__range *range = vptr__cache_take_slab(&heap->cache, SLAB, LEAVES_NOTHING);
  ck_assert_ptr_nonnull(range);
  ck_assert(vptr__cache_put(&heap->cache, range, 0));
}
END_TEST

START_TEST(a_slab_is_slots_and_nothing_else) {
  for (int i = 0; i < 3; i++)
    for (unsigned class = 0; class < VPTR__CLASS_COUNT; class ++) {
      heap->classes[class].bytes += (size_t)i * 1000003;
      ck_assert_uint_eq(vptr__slab_bytes(heap, class) % vptr__class_slot_size(class, heap->granule_shift), 0);
      heap->classes[class].bytes -= (size_t)i * 1000003;
    }
}
END_TEST

START_TEST(the_cache_keeps_no_more_than_its_limit) {
  heap->cache.limit = 10 * MIB;
  char *block[8];
  for (int i = 0; i < 8; i++)
    block[i] = allocate(3 * MIB);
  for (int i = 0; i < 8; i++)
    support_succeed(vptr_free(mapper, block[i]));
  ck_assert_uint_eq(heap->cache.bytes, 9 * MIB);
  support_succeed(vptr_trim(mapper, 5 * MIB));
  ck_assert_uint_eq(heap->cache.bytes, 3 * MIB);
}
END_TEST

START_TEST(a_slab_grows_by_a_quarter_of_its_class) {
  size_t last = 0;
  for (int i = 0; i < 20000; i++) {
    allocate(1000);
    size_t bytes = heap->buffer_bytes;
    if (bytes != last) {
      ck_assert_uint_le(bytes - last, last / 4 + 64 * 1024);
      last = bytes;
    }
  }
  ck_assert_uint_lt(heap->buffer_count, 30);
}
END_TEST

/* Until they are issued again, which the next buffer in their window need not do. */
START_TEST(addresses_stay_freed_behind_the_next_buffer) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *reusing;
  vptr_location location;
  void *before, *after;
  config.flags = VPTR_CONFIG_REUSE_ADDRESSES;
  support_succeed(vptr_mapper_create(&config, &reusing));
  support_succeed(vptr_malloc(reusing, MIB, &before));
  support_succeed(vptr_free(reusing, before));
  support_succeed(vptr_trim(reusing, 0));
  support_succeed(vptr_malloc(reusing, 100, &after));
  ck_assert_ptr_eq(after, before);
  support_expect(VPTR_ERROR_FREED, vptr_resolve(reusing, (char *)before + MIB / 2, 1, &location));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_resolve(reusing, (char *)before + 2 * MIB, 1, &location));
  support_succeed(vptr_mapper_destroy(reusing));
}
END_TEST

/* In whatever order: a thread has those that it freed at hand. */
START_TEST(freed_slots_are_issued_before_others) {
  static const int freed[] = { 70, 3, 41 };
  char *block[100];
  for (int i = 0; i < 100; i++)
    block[i] = allocate(500);
  for (int i = 0; i < 3; i++)
    support_succeed(vptr_free(mapper, block[freed[i]]));
  for (int i = 0; i < 3; i++) {
    char *again = allocate(500);
    ck_assert(again == block[70] || again == block[3] || again == block[41]);
  }
}
END_TEST

/* Threads that have been to the heap a few times only have nothing at hand. */
START_TEST(the_lowest_free_slot_is_issued_first) {
  char *block[8];
  for (int i = 0; i < 8; i++)
    block[i] = allocate(500);
  support_succeed(vptr_free(mapper, block[6]));
  support_succeed(vptr_free(mapper, block[1]));
  ck_assert_ptr_eq(allocate(500), block[1]);
  ck_assert_ptr_eq(allocate(500), block[6]);
}
END_TEST

START_TEST(a_sub_buffer_goes_with_its_allocation) {
  if (support_has_opencl())
    return; /* counted by the fake device alone */
  vptr__fake_counts counts;
  char *a = allocate(1000), *b = allocate(1000);
  ck_assert_ptr_nonnull(vptr_get_buffer(mapper, a));
  ck_assert_ptr_nonnull(vptr_get_buffer(mapper, b));
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.sub_buffers, 2);
  support_succeed(vptr_free(mapper, a));
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.sub_buffers, 1);
  ck_assert_ptr_ne(vptr_get_buffer(mapper, allocate(1000)), NULL); /* the same slot, a new sub-buffer */
  support_succeed(vptr_clear(mapper));
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.sub_buffers, 0);
}
END_TEST

START_TEST(a_pinned_allocation_is_freed_after_its_last_pin) {
  char *a = allocate(1000);
  vptr_location location;
  for (int i = 0; i < 3; i++)
    support_succeed(vptr__heap_pin(heap, a + i, 1, &location));
  for (int i = 0; i < 3; i++) {
    support_expect(VPTR_ERROR_MAPPED, vptr_free(mapper, a));
    support_succeed(vptr_check(mapper));
    vptr__heap_unpin(heap, a);
    heap->device->ops->memory.release(heap->device, location.buffer);
  }
  support_succeed(vptr_free(mapper, a));
}
END_TEST

START_TEST(the_tombs_of_released_buffers_say_freed) {
  char *small = allocate(100), *large = allocate(3 * MIB);
  vptr_location location;
  support_succeed(vptr_free(mapper, small));
  support_succeed(vptr_free(mapper, large));
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_uint_eq(heap->buffer_count, 0);
  support_expect(VPTR_ERROR_FREED, vptr_resolve(mapper, small, 1, &location));
  support_expect(VPTR_ERROR_FREED, vptr_resolve(mapper, large + 3 * MIB - 1, 1, &location));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_resolve(mapper, large + 3 * MIB, 1, &location));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_resolve(mapper, small + 60000, 1, &location));
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, small));
}
END_TEST

START_TEST(a_buffer_freed_for_good_goes_at_once_and_a_slab_with_its_last_slot) {
  char *large = allocate(3 * MIB), *small[3];
  vptr_location location;
  vptr_stats stats = { .struct_size = sizeof stats };
  for (int i = 0; i < 3; i++)
    small[i] = allocate(60000);
  size_t buffers = heap->buffer_count;
  support_succeed(vptr_free_no_reuse(mapper, large));
  ck_assert_uint_eq(heap->buffer_count, buffers - 1);
  for (int i = 0; i < 3; i++)
    support_succeed(i == 1 ? vptr_free(mapper, small[i]) : vptr_free_no_reuse(mapper, small[i]));
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_uint_eq(heap->buffer_count, 0);
  support_succeed(vptr_get_stats(mapper, &stats));
  ck_assert_uint_eq(stats.live_count + stats.live_bytes + stats.buffer_bytes, 0);
  for (int i = 0; i < 3; i++)
    ck_assert_ptr_ne(allocate(60000), small[i]);
  support_expect(VPTR_ERROR_FREED, vptr_resolve(mapper, large + 3 * MIB - 1, 1, &location));
  support_expect(VPTR_ERROR_FREED, vptr_free_no_reuse(mapper, small[0]));
  support_succeed(vptr_clear(mapper));
  support_succeed(vptr_check(mapper));
}
END_TEST

START_TEST(the_windows_of_what_is_freed_for_good_are_not_taken_again) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *reusing;
  void *before, *after;
  config.flags = VPTR_CONFIG_REUSE_ADDRESSES;
  support_succeed(vptr_mapper_create(&config, &reusing));
  support_succeed(vptr_malloc(reusing, MIB, &before));
  support_succeed(vptr_free_no_reuse(reusing, before));
  support_succeed(vptr_malloc(reusing, MIB, &after));
  ck_assert_ptr_ne(after, before);
  support_succeed(vptr_mapper_destroy(reusing));
}
END_TEST

START_TEST(what_cannot_be_freed_for_good_is_refused) {
  char *live = allocate(1000);
  void *host;
  support_succeed(vptr_free_no_reuse(mapper, NULL));
  support_expect(VPTR_ERROR_INTERIOR, vptr_free_no_reuse(mapper, live + 1));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_free_no_reuse(mapper, &live));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "vptr_free_no_reuse"));
  support_succeed(vptr_map(mapper, live, 10, VPTR_ACCESS_READ, &host));
  support_expect(VPTR_ERROR_MAPPED, vptr_free_no_reuse(mapper, live));
  support_succeed(vptr_unmap(mapper, host));
  support_succeed(vptr_free_no_reuse(mapper, live));
}
END_TEST

/* Sizes from 256 bytes to 256 KiB, each doubling as often as the next. */
static size_t random_small(uint64_t *state) {
  size_t low = (size_t)256 << support_random(state) % 10;
  return low + support_random(state) % low;
}

/* Slabs of classes that come and go leave buffers behind. */
START_TEST(a_random_mix_of_small_blocks_takes_at_most_twice_its_bytes) {
  enum { BLOCKS = 2000, TURNS = 60000 };
  static char *blocks[BLOCKS];
  static size_t sizes[BLOCKS];
  uint64_t state = 1;
  size_t live = 0;
  double most = 0;
  for (int turn = 0; turn < BLOCKS + TURNS; turn++) {
    size_t i = turn < BLOCKS ? (size_t)turn : support_random(&state) % BLOCKS;
    if (turn >= BLOCKS)
      support_succeed(vptr_free(mapper, blocks[i]));
    live -= turn < BLOCKS ? 0 : sizes[i];
    sizes[i] = random_small(&state);
    blocks[i] = allocate(sizes[i]);
    live += sizes[i];
    if (turn >= BLOCKS && turn % 500 == 0) {
      vptr_stats stats = { .struct_size = sizeof stats };
      support_succeed(vptr_get_stats(mapper, &stats));
      most = (double)stats.buffer_bytes / (double)live > most ? (double)stats.buffer_bytes / (double)live : most;
    }
  }
  ck_assert_double_le(most, 2);
  support_succeed(vptr_clear(mapper));
}
END_TEST

static Suite *heap_suite(void) {
  Suite *suite = suite_create("heap");
  TCase *arithmetic = tcase_create("arithmetic");
  tcase_add_test(arithmetic, classes_rise_leave_room_for_one_byte_and_waste_an_eighth_at_most);
  tcase_add_test(arithmetic, the_reciprocal_divides_exactly);
  suite_add_tcase(suite, arithmetic);
  TCase *rooms = tcase_create("rooms");
  tcase_add_checked_fixture(rooms, set_up, tear_down);
  tcase_add_test(rooms, a_slab_whose_serial_steps_run_out_issues_no_more_until_it_is_empty);
  tcase_add_test(rooms, idle_buffers_come_back_and_age);
  tcase_add_test(rooms, what_is_more_than_an_eighth_too_large_stays_idle);
  tcase_add_test(rooms, an_idle_buffer_of_which_slots_leave_more_than_an_eighth_is_no_slab);
  tcase_add_test(rooms, a_slab_is_slots_and_nothing_else);
  tcase_add_test(rooms, the_cache_keeps_no_more_than_its_limit);
  tcase_add_test(rooms, a_slab_grows_by_a_quarter_of_its_class);
  tcase_add_test(rooms, addresses_stay_freed_behind_the_next_buffer);
  tcase_add_test(rooms, freed_slots_are_issued_before_others);
  tcase_add_test(rooms, the_lowest_free_slot_is_issued_first);
  tcase_add_test(rooms, a_sub_buffer_goes_with_its_allocation);
  tcase_add_test(rooms, a_pinned_allocation_is_freed_after_its_last_pin);
  tcase_add_test(rooms, the_tombs_of_released_buffers_say_freed);
  tcase_add_test(rooms, a_buffer_freed_for_good_goes_at_once_and_a_slab_with_its_last_slot);
  tcase_add_test(rooms, the_windows_of_what_is_freed_for_good_are_not_taken_again);
  tcase_add_test(rooms, what_cannot_be_freed_for_good_is_refused);
  tcase_add_test(rooms, a_random_mix_of_small_blocks_takes_at_most_twice_its_bytes);
  suite_add_tcase(suite, rooms);
  return suite;
}

int main(void) {
  return support_run(heap_suite());
}
