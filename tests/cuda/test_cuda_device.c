/* SPDX-License-Identifier: MIT */
/*
 * What CUDA's device calls promise beyond CUDA: a reset among several devices and beside vptr's own calls, and the
 * table of properties as a whole.
 */
#include "cuda/expect.h"
#include "cuda/property.h"
#include "support/child.h"

#include <string.h>

static child done;

static void run(void (*body)(void)) {
  child_run(body, &done);
  ck_assert_msg(done.exited && done.exit_code == 0, "exit %d, signal %d: %s", done.exit_code, done.signal, done.text);
}

static void reset_one_of_two(void) {
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_PARTITION", "2");
  void *of_0 = NULL, *of_1 = NULL;
  char byte = 7;
  child_require(cudaSetDevice(0) == cudaSuccess && cudaMalloc(&of_0, 100) == cudaSuccess, "no memory on 0");
  child_require(cudaSetDevice(1) == cudaSuccess && cudaMalloc(&of_1, 100) == cudaSuccess, "no memory on 1");
  child_require(cudaDeviceReset() == cudaSuccess, "no reset");
  child_require(cudaMemcpy(of_0, &byte, 1, cudaMemcpyDefault) == cudaSuccess, "the reset reached another device");
  vptr_location location;
  child_require(vptr_resolve(NULL, of_1, 1, &location) != VPTR_SUCCESS, "memory survived its device's reset");
  child_require(cudaFree(of_1) == cudaErrorInvalidValue, "memory survived its device's reset");
  child_require(cudaMalloc(&of_1, 100) == cudaSuccess, "the device is of no use any more");
}

START_TEST(a_reset_is_of_the_current_device_alone) {
  run(reset_one_of_two);
}
END_TEST

START_TEST(addresses_from_before_a_reset_are_freed) {
  char *p = device_memory(SIZE);
  vptr_location location;
  succeed(cudaDeviceReset());
  ck_assert_int_eq(vptr_resolve(NULL, p + 5, 1, &location), VPTR_ERROR_FREED);
  ck_assert_uint_eq(vptr_count(NULL), 0);
}
END_TEST

START_TEST(memory_that_is_open_to_the_host_stops_a_reset) {
  char *p = device_memory(SIZE);
  void *host;
  ck_assert_int_eq(vptr_map(NULL, p, SIZE, VPTR_ACCESS_READ_WRITE, &host), VPTR_SUCCESS);
  succeed(cudaDeviceSetLimit(cudaLimitStackSize, 4321));
  expect(cudaErrorAlreadyMapped, cudaDeviceReset());
  size_t stack = 0;
  succeed(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  ck_assert_uint_eq(stack, 4336); /* rounded up to 16, as by NVIDIA */
  ck_assert_int_eq(vptr_unmap(NULL, host), VPTR_SUCCESS);
  succeed(cudaDeviceReset());
  succeed(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  ck_assert_uint_eq(stack, 1024);
}
END_TEST

/* Each word of the structure has one row, and each attribute. */
START_TEST(the_table_names_each_place_once) {
  for (size_t i = 0; i < vptr__cuda_property_count; i++)
    for (size_t j = 0; j < i; j++) {
      const vptr__cuda_property *a = &vptr__cuda_properties[i], *b = &vptr__cuda_properties[j];
      if (a->field != NULL && b->field != NULL)
        ck_assert_msg(a->offset != b->offset, "%s and %s are one place", a->field, b->field);
      if (a->field != NULL && b->field != NULL && a->offset_12 != VPTR__CUDA_NOT_THERE)
        ck_assert_msg(a->offset_12 != b->offset_12, "%s and %s are one place in 12", a->field, b->field);
      if (a->attribute_name != NULL && b->attribute_name != NULL)
        ck_assert_msg(a->attribute != b->attribute, "%s comes twice", a->attribute_name);
    }
}
END_TEST

static void report_size(void) {
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_FAKE_BYTES", "5G");
  struct cudaDeviceProp prop;
  child_require(cudaGetDeviceProperties(&prop, 0) == cudaSuccess, "no properties");
  child_require(prop.totalGlobalMem == (size_t)5 << 30, "not the size that was set");
  child_require(strcmp(prop.name, "fake device") == 0, "not the name");
}

START_TEST(the_fake_device_tells_the_size_it_was_given) {
  run(report_size);
}
END_TEST

static void compare_identities(void) {
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_PARTITION", "2");
  struct cudaDeviceProp a, b, again;
  child_require(cudaGetDeviceProperties(&a, 0) == cudaSuccess, "no properties");
  child_require(cudaGetDeviceProperties(&b, 1) == cudaSuccess, "no properties");
  child_require(cudaGetDeviceProperties(&again, 0) == cudaSuccess, "no properties");
  child_require(memcmp(&a.uuid, &b.uuid, sizeof a.uuid) != 0, "two devices have one UUID");
  child_require(memcmp(&a.uuid, &again.uuid, sizeof a.uuid) == 0, "a UUID changed");
  child_require(a.pciDeviceID != b.pciDeviceID, "two devices are in one place");
}

START_TEST(devices_are_told_apart) {
  run(compare_identities);
}
END_TEST

static Suite *cuda_device_suite(void) {
  Suite *suite = suite_create("cuda_device");
  TCase *tests = tcase_create("cuda_device");
  /* first those that choose other devices, in children: a list of devices that was made stays */
  tcase_add_test(tests, a_reset_is_of_the_current_device_alone);
  tcase_add_test(tests, the_fake_device_tells_the_size_it_was_given);
  tcase_add_test(tests, devices_are_told_apart);
  tcase_add_test(tests, the_table_names_each_place_once);
  tcase_add_test(tests, addresses_from_before_a_reset_are_freed);
  tcase_add_test(tests, memory_that_is_open_to_the_host_stops_a_reset);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(cuda_device_suite());
}
