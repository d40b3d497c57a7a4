/* SPDX-License-Identifier: MIT */
/* mirror_place - where the host's view of managed memory lies: at the device's own address where that can be had. */
#include "mirrors.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "support/support.h"

/* ---- where it lies -------------------------------------------------------------------------------------- */

static uint64_t told_address;

static vptr_status report_address(vptr__device *device, cl_mem buffer, uint64_t *address_out) {
  (void)device, (void)buffer;
  *address_out = told_address;
  return VPTR_SUCCESS;
}

/* The device tells an address, and has a vendor's name. */
static vptr__mirror *create_at(uint64_t address, const char *vendor, size_t size) {
  static vptr__device_ops ops;
  vptr__device *device = mapper->device;
  const vptr__device_ops *before = device->ops;
  vptr__mirror *made;
  ops = *before;
  ops.memory.address = report_address;
  told_address = address;
  device->ops = &ops;
  snprintf(device->vendor, sizeof device->vendor, "%s", vendor);
  support_succeed(vptr__mirror_create(mapper, size, &made));
  device->ops = before;
  ck_assert_uint_eq(vptr__mirror_device_address(made), address);
  return made;
}

/* Of addresses where nothing is, all is given out from the ends on; the fake device's buffers take half a GiB. */
#define HOLE ((size_t)4 << 30)

static char *set_aside(size_t size, int protection) {
  char *memory = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ck_assert(memory != MAP_FAILED);
  return memory;
}

static bool is_mapped(void *at) {
  unsigned char resident;
  return mincore(at, page, &resident) == 0 || errno != ENOMEM;
}

START_TEST(a_free_address_of_the_devices_is_taken_and_given_back) {
  char *hole = set_aside(HOLE, PROT_NONE), *at = hole + HOLE / 2;
  munmap(hole, HOLE);
  vptr__mirror *there = create_at((uintptr_t)at, "somebody", 4 * page);
  ck_assert_ptr_eq(vptr__mirror_host(there), at);
  ck_assert(vptr__mirror_is_one_address(there));
  at[page] = 1;
  vptr__mirror_destroy(there);
  ck_assert(!is_mapped(at));
}
END_TEST

START_TEST(addresses_set_aside_by_the_driver_are_used_and_given_back) {
  char *at = set_aside(8 * page, PROT_NONE);
  mprotect(at + 2 * page, page, PROT_READ); /* several mappings */
  mprotect(at + 2 * page, page, PROT_NONE);
  vptr__mirror *there = create_at((uintptr_t)at + page, "NVIDIA Corporation", 4 * page);
  ck_assert_ptr_eq(vptr__mirror_host(there), at + page);
  ck_assert(vptr__mirror_is_one_address(there));
  at[page] = 1;
  vptr__mirror_destroy(there);
  ck_assert(is_mapped(at + page));
  munmap(at, 8 * page);
}
END_TEST

START_TEST(addresses_of_somebody_elses_are_left_alone) {
  char *closed = set_aside(4 * page, PROT_NONE), *used = set_aside(4 * page, PROT_READ | PROT_WRITE);
  vptr__mirror *first = create_at((uintptr_t)closed, "somebody", 4 * page);
  ck_assert(!vptr__mirror_is_one_address(first));
  vptr__mirror_destroy(first);
  used[3 * page] = 5;
  vptr__mirror *second = create_at((uintptr_t)used, "NVIDIA Corporation", 4 * page);
  ck_assert(!vptr__mirror_is_one_address(second));
  ck_assert_int_eq(used[3 * page], 5);
  vptr__mirror_destroy(second);
  munmap(closed, 4 * page);
  munmap(used, 4 * page);
}
END_TEST

START_TEST(an_address_of_our_own_and_an_odd_one_are_not_taken) {
  void *ours;
  support_succeed(vptr_malloc(mapper, 1 << 20, &ours));
  vptr__mirror *first = create_at((uintptr_t)ours & ~(uintptr_t)(page - 1), "NVIDIA Corporation", 4 * page);
  ck_assert(!vptr__mirror_is_one_address(first));
  vptr__mirror_destroy(first);
  support_succeed(vptr_free(mapper, ours));
  vptr__mirror *second = create_at(0x7000000000f8, "NVIDIA Corporation", 4 * page);
  ck_assert(!vptr__mirror_is_one_address(second));
  vptr__mirror_destroy(second);
}
END_TEST

/* ---- how much of it ------------------------------------------------------------------------------------- */

static uint64_t hole; /* addresses where nothing is mapped */

/* Each buffer lies somewhere else, as a device would have it. */
static vptr_status report_next(vptr__device *device, cl_mem buffer, uint64_t *address_out) {
  (void)device, (void)buffer;
  *address_out = hole;
  hole += (uint64_t)1 << 24;
  return VPTR_SUCCESS;
}

/* A device of so many pages that tells addresses. */
static void report_address_support(size_t pages) {
  static vptr__device_ops ops;
  char *memory = set_aside(HOLE, PROT_NONE);
  munmap(memory, HOLE);
  hole = (uintptr_t)memory + HOLE / 2;
  ops = *mapper->device->ops;
  ops.memory.address = report_next;
  mapper->device->ops = &ops;
  mapper->device->memory_bytes = pages * page;
}

START_TEST(one_address_is_for_a_quarter_of_the_device) {
  vptr__mirror *stay, *next, *large;
  void *rest;
  report_address_support(400);
  support_succeed(vptr__mirror_create(mapper, 99 * page, &stay));
  ck_assert(vptr__mirror_is_one_address(stay));
  support_succeed(vptr__mirror_create(mapper, 2 * page, &next));
  ck_assert(!vptr__mirror_is_one_address(next));
  vptr__mirror_destroy(stay);
  support_succeed(vptr__mirror_create(mapper, 101 * page, &large));
  ck_assert(!vptr__mirror_is_one_address(large));
  support_succeed(vptr__mirror_create(mapper, page, &stay));
  ck_assert(vptr__mirror_is_one_address(stay));
  cl_mem backing = vptr__mirror_buffer(stay);
  vptr__host_range found[4];
  ck_assert_uint_eq(vptr__mirrors_look(mapper, found, 4), 3); /* for kernels that look pointers up */
  support_succeed(vptr_malloc(mapper, 390 * page, &rest));    /* so all others leave */
  ck_assert_ptr_eq(vptr__mirror_buffer(stay), backing);
  ck_assert_ptr_null(vptr__mirror_buffer(large));
  support_succeed(vptr_free(mapper, rest));
  vptr__mirror_destroy(large);
  vptr__mirror_destroy(next);
  vptr__mirror_destroy(stay);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror_place");
  TCase *life = tcase_create("without a mirror");
  tcase_add_checked_fixture(life, mirrors_begin, mirrors_end);
  tcase_add_test(life, a_free_address_of_the_devices_is_taken_and_given_back);
  tcase_add_test(life, addresses_set_aside_by_the_driver_are_used_and_given_back);
  tcase_add_test(life, addresses_of_somebody_elses_are_left_alone);
  tcase_add_test(life, an_address_of_our_own_and_an_odd_one_are_not_taken);
  if (!support_has_opencl())
    tcase_add_test(life, one_address_is_for_a_quarter_of_the_device);
  suite_add_tcase(suite, life);
  return support_run(suite);
}
