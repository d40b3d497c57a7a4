/* SPDX-License-Identifier: MIT */
/*
 * Devices cut into parts by VPTR_PARTITION, and hidden by CUDA_VISIBLE_DEVICES. Each case is a process of its own,
 * since the list of devices is made once.
 */
#include "device/device.h"
#include "mapper/mapper.h"
#include "support/child.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static child done;

/* How many devices there are; each opens as the one it is. */
static int opened(void) {
  int count = vptr__device_count();
  for (int ordinal = 0; ordinal < count; ordinal++) {
    vptr_mapper *mapper = NULL;
    child_require(vptr__mapper_for_device(ordinal, &mapper) == VPTR_SUCCESS, "a device does not open");
    child_require(mapper->device->ordinal == ordinal, "a device has another ordinal than it was opened by");
  }
  return count;
}

static void run(void (*body)(void)) {
  child_run(body, &done);
  ck_assert_msg(done.exited && done.exit_code == 0, "exit %d, signal %d: %s", done.exit_code, done.signal, done.text);
}

static void three_fakes(void) {
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_PARTITION", "3");
  child_require(opened() == 3, "not three");
}

START_TEST(the_fake_device_comes_as_often_as_asked) {
  run(three_fakes);
}
END_TEST

static void memory_of_parts(void) {
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_PARTITION", "2");
  vptr_mapper *first, *second;
  void *p, *q;
  child_require(vptr__mapper_for_device(0, &first) == VPTR_SUCCESS, "no first");
  child_require(vptr__mapper_for_device(1, &second) == VPTR_SUCCESS, "no second");
  child_require(vptr_malloc(first, 100, &p) == VPTR_SUCCESS && vptr_malloc(second, 100, &q) == VPTR_SUCCESS, "full");
  child_require(vptr__mapper_owning(p) == first && vptr__mapper_owning(q) == second, "an address is of another part");
}

START_TEST(each_part_has_addresses_of_its_own) {
  run(memory_of_parts);
}
END_TEST

static void two_visible(void) {
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_PARTITION", "3");
  setenv("CUDA_VISIBLE_DEVICES", "2,0,7,1", 1);
  child_require(opened() == 2, "not two");
}

static void none_visible(void) {
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_VERBOSE", "1");
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  vptr_mapper *mapper;
  child_require(vptr__device_count() == 0, "not none");
  child_require(vptr__mapper_for_device(0, &mapper) == VPTR_ERROR_NO_DEVICE, "a hidden device opens");
}

START_TEST(hidden_devices_are_not_counted_and_do_not_open) {
  run(two_visible);
  run(none_visible);
  ck_assert_ptr_nonnull(strstr(done.text, "CUDA_VISIBLE_DEVICES=''"));
}
END_TEST

static void nonsense(void) {
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_PARTITION", "0");
  child_require(opened() == 1, "not one");
}

START_TEST(a_number_of_parts_that_is_none_is_reported_and_ignored) {
  run(nonsense);
  ck_assert_ptr_nonnull(strstr(done.text, "VPTR_PARTITION=0"));
  ck_assert_ptr_nonnull(strstr(done.text, "1 to 64"));
}
END_TEST

/* On an OpenCL platform: a device of one unit, and a driver that cannot cut, leave it whole. */
static void cut_in_two(void) {
  vptr_mapper *first = NULL;
  cl_uint pieces = 0;
  child_set("VPTR_PARTITION", "2");
  int count = opened();
  child_require(count >= 1 && vptr__mapper_for_device(0, &first) == VPTR_SUCCESS, "none");
  cl_device_id device = first->device->cl_device;
  if (count == 1 && support_has_opencl())
    clGetDeviceInfo(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof pieces, &pieces, NULL);
  child_require(pieces < 2, "a device that can be cut is whole");
}

START_TEST(a_real_device_is_cut_unless_it_cannot_be) {
  run(cut_in_two);
}
END_TEST

static Suite *partition_suite(void) {
  Suite *suite = suite_create("partition");
  TCase *tests = tcase_create("partition");
  tcase_add_test(tests, the_fake_device_comes_as_often_as_asked);
  tcase_add_test(tests, each_part_has_addresses_of_its_own);
  tcase_add_test(tests, hidden_devices_are_not_counted_and_do_not_open);
  tcase_add_test(tests, a_number_of_parts_that_is_none_is_reported_and_ignored);
  tcase_add_test(tests, a_real_device_is_cut_unless_it_cannot_be);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(partition_suite());
}
