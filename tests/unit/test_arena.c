/* SPDX-License-Identifier: MIT */
/*
 * arena - VPTR_ADDRESSES=device: virtual addresses that are the device's, all parts of one buffer. What a kernel finds
 * in memory, full arenas and what comes back then, and memory that somebody still holds. Who gets such addresses is in
 * test_arena_choice.c.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/option.h"
#include "device/fake.h"
#include "heap/state.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define MIB ((size_t)1 << 20)

static vptr_mapper *mapper;

static void choose(const char *value) {
  if (value != NULL)
    setenv("VPTR_ADDRESSES", value, 1);
  else
    unsetenv("VPTR_ADDRESSES");
  vptr__option_reload();
}

static bool has_arena(const vptr_mapper *of) {
  return vptr__heap_has_arena(of->heap);
}

static void set_up(void) {
  vptr__fake_report_addresses(true);
  vptr__fake_hide_memory(true);
  choose("device:64M");
  support_succeed(vptr_mapper_create(NULL, &mapper));
  ck_assert(has_arena(mapper));
}

static void end(void) {
  vptr__fake_counts counts;
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.buffers, 0);
  ck_assert_uint_eq(counts.sub_buffers, 0);
}

static void tear_down(void) {
  end();
  vptr__fake_hide_memory(false);
  vptr__fake_report_addresses(false);
  choose(NULL);
}

static char *allocate(size_t size) {
  void *ptr;
  support_succeed(vptr_malloc(mapper, size, &ptr));
  return ptr;
}

static void give(void *ptr) {
  support_succeed(vptr_free(mapper, ptr));
}

static cl_mem buffer_of(const void *ptr, size_t *offset_out) {
  vptr_location location;
  support_succeed(vptr_resolve(mapper, ptr, 1, &location));
  *offset_out = location.buffer_offset;
  return location.buffer;
}

/* Where the device itself says that ptr is. */
static uint64_t told(const void *ptr) {
  uint64_t address;
  size_t offset;
  cl_mem buffer = buffer_of(ptr, &offset);
  support_succeed(mapper->device->ops->memory.address(mapper->device, buffer, &address));
  return address + offset;
}

/* ---- addresses ------------------------------------------------------------------------------------------- */

START_TEST(pointers_are_the_devices_addresses) {
  static const size_t sizes[] = { 1, 300, 70000, 300000, 5 * MIB };
  uint64_t known;
  for (int i = 0; i < 5; i++) {
    char *ptr = allocate(sizes[i]);
    ck_assert_uint_eq(told(ptr), (uintptr_t)ptr);
    support_succeed(vptr__heap_device_address(mapper->heap, ptr + sizes[i] - 1, &known));
    ck_assert_uint_eq(known, (uintptr_t)ptr + sizes[i] - 1);
  }
}
END_TEST

START_TEST(they_begin_behind_a_guard_within_the_arena) {
  const vptr__heap_arena *arena = &mapper->heap->arena;
  ck_assert_uint_ge(arena->origin, arena->place.guard);
  ck_assert_uint_gt(arena->place.guard, 0);
  ck_assert_uint_le(arena->origin + arena->place.size, arena->bytes);
  ck_assert_uint_eq(arena->place.base % ((size_t)1 << arena->place.window_shift), 0);
}
END_TEST

/* A list whose nodes lie in slabs and in buffers of their own; the kernel knows device addresses alone. */
typedef struct node {
  uint64_t next;
  int value;
} node;

static void sum_list(const vptr__fake_launch *launch) {
  int sum = 0;
  const uint64_t *first = launch->arguments[0];
  node *at, *begin = vptr__fake_at(*first);
  for (at = begin; at != NULL; at = vptr__fake_at(at->next))
    sum += at->value;
  begin->value = sum;
}

static void launch(const char *name, const void *ptr) {
  vptr__device *device = mapper->device;
  const vptr__program_source source = { .text = name, .length = strlen(name), .options = "" };
  const size_t none[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 };
  uint64_t address = (uintptr_t)ptr;
  cl_program program;
  cl_kernel kernel;
  support_succeed(device->ops->kernel.program_build(device, &source, &program));
  support_succeed(device->ops->kernel.create(device, program, name, &kernel));
  support_succeed(device->ops->kernel.arg_value(device, kernel, 0, &address, sizeof address));
  support_succeed(device->ops->kernel.enqueue(device, device->cl_queue, kernel, none, one, one, NULL));
  support_succeed(device->ops->queue.finish(device, device->cl_queue));
  device->ops->kernel.release(device, kernel);
  device->ops->kernel.program_release(device, program);
}

START_TEST(a_kernel_follows_pointers_in_memory) {
  void *list = NULL;
  vptr__fake_define("sum_list", sum_list);
  for (int i = 1; i <= 6; i++) {
    const node content = { (uintptr_t)list, i };
    list = allocate(i % 2 ? sizeof content : (size_t)i * MIB);
    support_succeed(vptr_memcpy(mapper, list, &content, sizeof content));
  }
  node first;
  launch("sum_list", list);
  support_succeed(vptr_memcpy(mapper, &first, list, sizeof first));
  ck_assert_int_eq(first.value, 21);
}
END_TEST

START_TEST(two_mappers_have_addresses_of_their_own) {
  vptr_mapper *other;
  void *theirs;
  char *ours = allocate(3 * MIB), out[5] = "here", in[5] = "";
  support_succeed(vptr_mapper_create(NULL, &other));
  ck_assert(has_arena(other));
  support_succeed(vptr_malloc(other, 3 * MIB, &theirs));
  ck_assert_ptr_eq(vptr__mapper_owning(ours), mapper);
  ck_assert_ptr_eq(vptr__mapper_owning(theirs), other);
  support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_free(mapper, theirs));
  support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_memcpy(other, theirs, ours, 5));
  support_succeed(vptr_memcpy(other, theirs, out, 5));
  support_succeed(vptr_memcpy(other, in, theirs, 5));
  ck_assert_str_eq(in, "here");
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

START_TEST(copies_fills_and_parts_of_parts_go_on_working) {
  char *a = allocate(2 * MIB), *b = allocate(1000), seen[1000], wanted[1000];
  memset(wanted, 7, sizeof wanted);
  support_succeed(vptr_memset(mapper, b, 7, 1000));
  support_succeed(vptr_memcpy(mapper, a + MIB, b, 1000));
  support_succeed(vptr_memcpy(mapper, seen, a + MIB, 1000));
  ck_assert_mem_eq(seen, wanted, 1000);
  cl_mem part = vptr_get_buffer(mapper, b); /* of a slab, which is a part itself */
  ck_assert_ptr_nonnull(part);
  uint64_t address;
  support_succeed(mapper->device->ops->memory.address(mapper->device, part, &address));
  ck_assert_uint_eq(address, (uintptr_t)b);
}
END_TEST

START_TEST(memory_is_zero_whoever_had_it_before) {
  char *first = allocate(40 * MIB), seen[3] = "xy";
  support_succeed(vptr_memset(mapper, first, 9, 40 * MIB));
  give(first);
  char *second = allocate(20 * MIB); /* far too small for the idle one, which has to go */
  support_succeed(vptr_memcpy(mapper, seen, second, 1));
  support_succeed(vptr_memcpy(mapper, seen + 1, second + 20 * MIB - 1, 1));
  ck_assert(seen[0] == 0 && seen[1] == 0);
}
END_TEST

START_TEST(attached_buffers_are_elsewhere) {
  cl_mem buffer = vptr__fake_buffer_make(mapper->device, 100000);
  void *attached;
  uint64_t address;
  support_succeed(vptr_attach(mapper, buffer, &attached));
  support_succeed(vptr__heap_device_address(mapper->heap, attached, &address));
  ck_assert_uint_eq(address, told(attached));
  ck_assert_uint_ne(address, (uintptr_t)attached);
  give(attached);
  vptr__fake_buffer_release(buffer);
}
END_TEST

/* The head of the table for kernels that follow pointers, and its first window. */
static void read_translation(uint64_t *numbers, size_t count) {
  cl_mem table;
  size_t bytes;
  support_succeed(vptr__translation_table_take(mapper, &table));
  support_succeed(mapper->device->ops->memory.size(mapper->device, table, &bytes));
  bytes = bytes < count * sizeof *numbers ? bytes : count * sizeof *numbers;
  support_succeed(mapper->device->ops->transfer.read(mapper->device, table, 0, numbers, bytes));
  mapper->device->ops->memory.release(mapper->device, table);
}

START_TEST(what_is_at_its_own_address_needs_no_translation) {
  uint64_t numbers[7];
  uint64_t address;
  allocate(5 * MIB);
  read_translation(numbers, 7);
  ck_assert_uint_eq(numbers[2], 0);
  ck_assert_uint_eq(numbers[5], 1);
  cl_mem buffer = vptr__fake_buffer_make(mapper->device, 100000);
  void *attached;
  support_succeed(vptr_attach(mapper, buffer, &attached));
  allocate(6 * MIB);
  read_translation(numbers, 7);
  support_succeed(vptr__heap_device_address(mapper->heap, attached, &address));
  ck_assert_uint_eq(numbers[0], (uintptr_t)attached);
  ck_assert_uint_eq(numbers[2], 1);
  ck_assert_uint_eq(numbers[6], address - (uintptr_t)attached);
  give(attached);
  vptr__fake_buffer_release(buffer);
}
END_TEST

static void look_for_taken(const char *section, const char *name, const char *value, const char *why, void *context) {
  (void)value;
  if (strcmp(section, "addresses") == 0 && strcmp(name, "taken") == 0 && strstr(why, "64 MiB") != NULL)
    *(bool *)context = true;
}

START_TEST(the_report_tells_what_was_taken) {
  bool found = false;
  support_succeed(vptr_report(mapper, look_for_taken, &found));
  ck_assert(found);
}
END_TEST

/* ---- a full arena ---------------------------------------------------------------------------------------- */

/* As many as there are. */
static int fill_up(void **ptrs, int most, size_t size) {
  int count = 0;
  while (count < most && vptr_malloc(mapper, size, &ptrs[count]) == VPTR_SUCCESS)
    count++;
  return count;
}

enum { MOST = 100 };

START_TEST(a_full_arena_is_a_full_device) {
  void *ptrs[MOST], *more = &more;
  int count = fill_up(ptrs, MOST, 4 * MIB);
  ck_assert_int_ge(count, 14);
  ck_assert_int_lt(count, 16);
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_malloc(mapper, 4 * MIB, &more));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "VPTR_ADDRESSES=device"));
  ck_assert_ptr_eq(more, &more);
  give(ptrs[5]);
  support_succeed(vptr_malloc(mapper, 4 * MIB, &more));
  support_expect(VPTR_ERROR_INVALID_SIZE, vptr_malloc(mapper, 64 * MIB, &more));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "VPTR_ADDRESSES=device"));
}
END_TEST

START_TEST(what_was_freed_comes_back_in_other_sizes) {
  void *ptrs[MOST];
  for (int round = 0; round < 5; round++) {
    int count = fill_up(ptrs, MOST, (size_t)(round + 1) * 3 * MIB / 2);
    ck_assert_int_gt(count, 5);
    for (int i = 0; i < count; i++)
      give(ptrs[i]);
  }
  give(allocate(60 * MIB));
}
END_TEST

START_TEST(withheld_addresses_come_back_when_nothing_else_is_left) {
  char *first = allocate(40 * MIB);
  support_succeed(vptr_free_no_reuse(mapper, first));
  char *small = allocate(10 * MIB);
  ck_assert(small >= first + 40 * MIB || small + 10 * MIB <= first);
  support_expect(VPTR_ERROR_FREED, vptr_free(mapper, first));
  ck_assert_ptr_eq(allocate(40 * MIB), first);
}
END_TEST

START_TEST(withheld_addresses_come_back_behind_all_others) {
  char *withheld = allocate(20 * MIB), *freed = allocate(20 * MIB);
  allocate(20 * MIB);
  support_succeed(vptr_free_no_reuse(mapper, withheld));
  give(freed);
  support_succeed(vptr_trim(mapper, 0));
  ck_assert_ptr_eq(allocate(20 * MIB), freed);
  ck_assert_ptr_eq(allocate(20 * MIB), withheld);
}
END_TEST

START_TEST(quarantined_addresses_come_back_too) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.quarantine_bytes = 1024 * MIB;
  end();
  support_succeed(vptr_mapper_create(&config, &mapper));
  for (int i = 0; i < 20; i++)
    give(allocate(7 * MIB));
}
END_TEST

START_TEST(memory_that_somebody_holds_is_not_issued_again) {
  char *held = allocate(40 * MIB), letter = 'h', seen = 0;
  cl_mem buffer;
  size_t offset;
  void *ptr;
  support_succeed(vptr_memcpy(mapper, held, &letter, 1));
  support_succeed(vptr_retain_buffer(mapper, held, &buffer, &offset));
  give(held);
  support_succeed(vptr_trim(mapper, 0));
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_malloc(mapper, 40 * MIB, &ptr));
  support_succeed(mapper->device->ops->transfer.read(mapper->device, buffer, offset, &seen, 1));
  ck_assert_int_eq(seen, 'h');
  vptr__fake_buffer_release(buffer);
  ck_assert_ptr_eq(allocate(40 * MIB), held);
}
END_TEST

START_TEST(a_holder_may_outlive_the_mapper) {
  cl_mem buffer;
  size_t offset;
  char *held = allocate(MIB);
  support_succeed(vptr_retain_buffer(mapper, held, &buffer, &offset));
  give(held);
  support_succeed(vptr_trim(mapper, 0));
  support_succeed(vptr_mapper_destroy(mapper));
  vptr__fake_buffer_release(buffer);
  support_succeed(vptr_mapper_create(NULL, &mapper));
}
END_TEST

/* ---- OpenCL's devices ------------------------------------------------------------------------------------ */

static void set_up_opencl(void) {
  choose("device:64M");
  support_succeed(vptr_mapper_create(NULL, &mapper));
}

static void tear_down_opencl(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
  choose(NULL);
}

START_TEST(a_device_in_the_hosts_memory_keeps_its_own) {
  char *ptr = allocate(3 * MIB), byte = 0;
  support_succeed(vptr_memset(mapper, ptr + MIB, 5, 1));
  support_succeed(vptr_memcpy(mapper, &byte, ptr + MIB, 1));
  ck_assert_int_eq(byte, 5);
  ck_assert_int_eq(has_arena(mapper), !mapper->device->host_unified);
  if (has_arena(mapper))
    ck_assert_uint_eq(told(ptr), (uintptr_t)ptr);
}
END_TEST

START_TEST(parts_of_parts_are_of_the_whole) {
  vptr__device *device = mapper->device;
  cl_mem whole, part, nested;
  char bytes[3] = "xy";
  const size_t step = 4096;
  ck_assert_uint_eq(step % device->alignment, 0);
  support_succeed(device->ops->memory.create_set(device, 10 * step, 'w', &whole));
  support_succeed(device->ops->memory.create_sub(device, whole, 2 * step, 5 * step, &part));
  support_succeed(device->ops->memory.create_sub_set(device, part, step, 100, 'n', &nested));
  support_succeed(device->ops->transfer.read(device, whole, 3 * step - 1, bytes, 2));
  support_succeed(device->ops->transfer.read(device, whole, 3 * step + 100, bytes + 2, 1));
  ck_assert_mem_eq(bytes, "wnw", 3);
  ck_assert(!device->ops->memory.is_shared(device, nested));
  device->ops->memory.retain(device, nested);
  ck_assert(device->ops->memory.is_shared(device, nested));
  device->ops->memory.release(device, nested);
  device->ops->memory.release(device, nested);
  device->ops->memory.release(device, part);
  device->ops->memory.release(device, whole);
}
END_TEST

static void add_opencl_tests(Suite *suite) {
  TCase *tests = tcase_create("OpenCL");
  tcase_add_checked_fixture(tests, set_up_opencl, tear_down_opencl);
  tcase_add_test(tests, a_device_in_the_hosts_memory_keeps_its_own);
  tcase_add_test(tests, parts_of_parts_are_of_the_whole);
  suite_add_tcase(suite, tests);
}

static Suite *arena_suite(void) {
  Suite *suite = suite_create("arena");
  if (support_has_opencl()) {
    add_opencl_tests(suite);
    return suite;
  }
  TCase *tests = tcase_create("arena");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, pointers_are_the_devices_addresses);
  tcase_add_test(tests, they_begin_behind_a_guard_within_the_arena);
  tcase_add_test(tests, a_kernel_follows_pointers_in_memory);
  tcase_add_test(tests, two_mappers_have_addresses_of_their_own);
  tcase_add_test(tests, copies_fills_and_parts_of_parts_go_on_working);
  tcase_add_test(tests, memory_is_zero_whoever_had_it_before);
  tcase_add_test(tests, attached_buffers_are_elsewhere);
  tcase_add_test(tests, what_is_at_its_own_address_needs_no_translation);
  tcase_add_test(tests, the_report_tells_what_was_taken);
  tcase_add_test(tests, a_full_arena_is_a_full_device);
  tcase_add_test(tests, what_was_freed_comes_back_in_other_sizes);
  tcase_add_test(tests, withheld_addresses_come_back_when_nothing_else_is_left);
  tcase_add_test(tests, withheld_addresses_come_back_behind_all_others);
  tcase_add_test(tests, quarantined_addresses_come_back_too);
  tcase_add_test(tests, memory_that_somebody_holds_is_not_issued_again);
  tcase_add_test(tests, a_holder_may_outlive_the_mapper);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(arena_suite());
}
