/* SPDX-License-Identifier: MIT */
/*
 * texel table - what launches get of textures and surfaces: entries by handle, tables that are made anew when they
 * must be and stay what they were, growth, objects in places that had others; and when a table cannot be made, a
 * status and nothing else.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"

static vptr_mapper *mapper;

static void set_up(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  support_succeed(vptr_mapper_create(&config, &mapper));
}

static void tear_down(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

static uint64_t handle_of(uint32_t place, uint32_t generation) {
  return (uint64_t)generation << 32 | (place + 1);
}

static void put(uint64_t handle, bool is_surface, uint64_t address) {
  const vptr__texel_entry entry = { .address = address, .width = 7 };
  support_succeed(vptr__texel_table_put(mapper, handle, is_surface, &entry));
}

static cl_mem take(void) {
  cl_mem table;
  support_succeed(vptr__texel_table_take(mapper, "k", &table));
  return table;
}

static void give(cl_mem table) {
  mapper->device->ops->memory.release(mapper->device, table);
}

/* As vptr_texel_find() in prelude/texture.cl: the address of the handle's entry; 0: there is none. */
static uint64_t find(cl_mem table, uint64_t handle, bool is_surface) {
  size_t bytes;
  support_succeed(mapper->device->ops->memory.size(mapper->device, table, &bytes));
  vptr__texel_entry *entries = malloc(bytes);
  support_succeed(mapper->device->ops->transfer.read(mapper->device, table, 0, entries, bytes));
  ck_assert_uint_eq(entries[0].width * sizeof *entries, bytes);
  uint32_t index = (uint32_t)handle, generation = (uint32_t)(handle >> 32);
  uint64_t address = 0;
  if (generation != 0 && index < entries[0].width / 2 && entries[2 * index + is_surface].generation == generation)
    address = entries[2 * index + is_surface].address;
  free(entries);
  return address;
}

START_TEST(entries_are_found_by_their_handles) {
  cl_mem none = take();
  ck_assert_uint_eq(find(none, handle_of(0, 1), false), 0);
  put(handle_of(0, 1), false, 100);
  put(handle_of(0, 2), true, 200);
  put(handle_of(5, 3), false, 300);
  cl_mem table = take();
  ck_assert_uint_eq(find(table, handle_of(0, 1), false), 100);
  ck_assert_uint_eq(find(table, handle_of(0, 2), true), 200);
  ck_assert_uint_eq(find(table, handle_of(5, 3), false), 300);
  ck_assert_uint_eq(find(table, handle_of(0, 1), true), 0);
  ck_assert_uint_eq(find(table, handle_of(0, 2), false), 0);
  ck_assert_uint_eq(find(table, handle_of(5, 4), false), 0);
  ck_assert_uint_eq(find(table, handle_of(70000, 3), false), 0);
  ck_assert_uint_eq(find(table, 0, true), 0);
  ck_assert_uint_eq(find(none, handle_of(0, 1), false), 0);
  give(none);
  give(table);
}
END_TEST

START_TEST(a_table_stays_until_there_is_more) {
  put(handle_of(0, 1), false, 100);
  cl_mem first = take(), again = take();
  ck_assert_ptr_eq(first, again);
  vptr__texel_table_drop(mapper, handle_of(0, 1), false);
  cl_mem later = take();
  ck_assert_ptr_eq(first, later); /* who still has the handle is a kernel in flight, or wrong */
  put(handle_of(0, 2), false, 200);
  cl_mem other = take();
  ck_assert_ptr_ne(first, other);
  ck_assert_uint_eq(find(first, handle_of(0, 1), false), 100); /* a launch in flight has it still */
  ck_assert_uint_eq(find(other, handle_of(0, 1), false), 0);
  ck_assert_uint_eq(find(other, handle_of(0, 2), false), 200);
  give(first);
  give(again);
  give(later);
  give(other);
}
END_TEST

/* What a texture reference had: kernels go on to ask for it. */
START_TEST(what_is_revoked_is_gone_for_the_next_launch) {
  put(handle_of(0, 1), false, 100);
  cl_mem first = take();
  vptr__texel_table_revoke(mapper, handle_of(0, 1), false);
  cl_mem later = take();
  ck_assert_uint_eq(find(first, handle_of(0, 1), false), 100);
  ck_assert_uint_eq(find(later, handle_of(0, 1), false), 0);
  vptr__texel_table_revoke(mapper, handle_of(0, 1), false);
  cl_mem again = take();
  ck_assert_ptr_eq(later, again); /* there was nothing to revoke */
  give(first);
  give(later);
  give(again);
}
END_TEST

START_TEST(a_place_belongs_to_the_last_object) {
  put(handle_of(3, 7), true, 100);
  put(handle_of(3, 8), true, 200);
  vptr__texel_table_drop(mapper, handle_of(3, 7), true); /* its end comes late */
  cl_mem table = take();
  ck_assert_uint_eq(find(table, handle_of(3, 7), true), 0);
  ck_assert_uint_eq(find(table, handle_of(3, 8), true), 200);
  give(table);
}
END_TEST

START_TEST(a_table_grows) {
  enum { MANY = 1000 };
  for (uint32_t i = 0; i < MANY; i++)
    put(handle_of(i, i + 1), i % 3 == 0, 1000 + i);
  put(handle_of(100000, 5), false, 1);
  cl_mem table = take();
  for (uint32_t i = 0; i < MANY; i += 13)
    ck_assert_uint_eq(find(table, handle_of(i, i + 1), i % 3 == 0), 1000 + i);
  ck_assert_uint_eq(find(table, handle_of(100000, 5), false), 1);
  vptr__texel_table_drop(mapper, handle_of(200000, 5), false); /* beyond the end */
  give(table);
}
END_TEST

START_TEST(an_array_that_is_an_image_stops_launches) {
  cl_mem table = NULL;
  put(handle_of(0, 1), false, 100);
  vptr__texel_table_away(mapper, 1);
  vptr__texel_table_away(mapper, 1);
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr__texel_table_take(mapper, "blur", &table));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "kernel blur"));
  vptr__texel_table_away(mapper, -1);
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr__texel_table_take(mapper, "blur", &table));
  ck_assert_ptr_null(table);
  vptr__texel_table_away(mapper, -1);
  give(take());
}
END_TEST

/* ---- failures -------------------------------------------------------------------------------------------- */

/* Each in turn until none is met; the output is untouched, and the next call goes through. */
static void fail_each(void (*fail_nth)(long n)) {
  int failures = 0;
  for (long n = 1;; n++) {
    cl_mem table = NULL;
    put(handle_of(0, (uint32_t)n), false, (uint64_t)n);
    long memory = vptr__memory_live();
    fail_nth(n);
    vptr_status status = vptr__texel_table_take(mapper, "k", &table);
    fail_nth(0);
    ck_assert_int_eq(vptr__memory_live(), memory);
    ck_assert((status == VPTR_SUCCESS) == (table != NULL));
    if (status == VPTR_SUCCESS) {
      give(table);
      break;
    }
    failures++;
    ck_assert_str_ne(vptr_last_error(), "");
    table = take();
    ck_assert_uint_eq(find(table, handle_of(0, (uint32_t)n), false), (uint64_t)n);
    give(table);
  }
  ck_assert_int_ge(failures, 1);
}

static void no_memory(long n) {
  vptr__fake_fail_nth(n, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

START_TEST(every_allocation_may_fail) {
  fail_each(vptr__memory_fail_nth);
}
END_TEST

START_TEST(every_device_call_may_fail) {
  if (support_has_opencl())
    return;
  fail_each(no_memory);
}
END_TEST

START_TEST(an_entry_that_has_no_room_changes_nothing) {
  const vptr__texel_entry entry = { .address = 9 };
  put(handle_of(0, 1), false, 100);
  vptr__memory_fail_nth(1);
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, vptr__texel_table_put(mapper, handle_of(5000, 2), false, &entry));
  vptr__memory_fail_nth(0);
  cl_mem table = take();
  ck_assert_uint_eq(find(table, handle_of(0, 1), false), 100);
  ck_assert_uint_eq(find(table, handle_of(5000, 2), false), 0);
  give(table);
  put(handle_of(5000, 2), false, 9);
}
END_TEST

static Suite *texel_table_suite(void) {
  Suite *suite = suite_create("texel_table");
  TCase *table = tcase_create("table");
  tcase_add_checked_fixture(table, set_up, tear_down);
  tcase_add_test(table, entries_are_found_by_their_handles);
  tcase_add_test(table, a_table_stays_until_there_is_more);
  tcase_add_test(table, what_is_revoked_is_gone_for_the_next_launch);
  tcase_add_test(table, a_place_belongs_to_the_last_object);
  tcase_add_test(table, a_table_grows);
  tcase_add_test(table, an_array_that_is_an_image_stops_launches);
  tcase_add_test(table, every_allocation_may_fail);
  tcase_add_test(table, every_device_call_may_fail);
  tcase_add_test(table, an_entry_that_has_no_room_changes_nothing);
  suite_add_tcase(suite, table);
  return suite;
}

int main(void) {
  return support_run(texel_table_suite());
}
