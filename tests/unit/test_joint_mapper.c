/* SPDX-License-Identifier: MIT */
/*
 * A mapper over several devices that the program names: copies and fills beside a model, what is refused, and calls
 * that fail while it is made. The devices are three fake ones, or two of PoCL's.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/joint.h"
#include "layer/faults.h"
#include "mapper/mapper.h"
#include "support/support.h"

enum { STRIPE_FROM = 65536, BYTES = 300001, STEPS = 60 };

static unsigned parts(void) {
  return support_has_opencl() ? 2 : 3;
}

/* By their number: the fake devices have no other name. */
static vptr_config config_of_all(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.device_count = parts();
  config.stripe_bytes = STRIPE_FROM;
  config.reserve_size = (size_t)1 << 32;
  return config;
}

/* ---- work ------------------------------------------------------------------------------------------------- */

static void step(vptr_mapper *mapper, unsigned char *ptr, unsigned char *model, uint64_t *seed) {
  const size_t at = support_below(seed, BYTES), size = 1 + support_below(seed, BYTES - at);
  const size_t to = support_below(seed, BYTES - size + 1);
  switch (support_below(seed, 4)) {
  case 0:
    for (size_t i = 0; i < size; i++)
      model[at + i] = (unsigned char)(i * 7 + size);
    support_succeed(vptr_memcpy(mapper, ptr + at, model + at, size));
    break;
  case 1:
    memset(model + at, (int)(size & 255), size);
    support_succeed(vptr_memset(mapper, ptr + at, (int)(size & 255), size));
    break;
  case 2:
    memmove(model + to, model + at, size);
    support_succeed(vptr_memcpy(mapper, ptr + to, ptr + at, size));
    break;
  default: {
    unsigned char *back = malloc(size);
    support_succeed(vptr_memcpy(mapper, back, ptr + at, size));
    support_must(memcmp(back, model + at, size) == 0);
    free(back);
    break;
  }
  }
}

static void work(vptr_mapper *mapper) {
  unsigned char *model = calloc(BYTES, 1), *back = malloc(BYTES);
  uint64_t seed = 5;
  void *ptr;
  support_succeed(vptr_malloc(mapper, BYTES, &ptr));
  support_succeed(vptr_memset(mapper, ptr, 0, BYTES));
  for (long i = support_rounds(STEPS); i > 0; i--)
    step(mapper, ptr, model, &seed);
  support_succeed(vptr_memcpy(mapper, back, ptr, BYTES));
  support_must(memcmp(back, model, BYTES) == 0);
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_free(mapper, ptr));
  free(model);
  free(back);
}

START_TEST(its_memory_is_that_of_all) {
  const vptr_config config = config_of_all();
  vptr_mapper *mapper;
  vptr_stats stats = { .struct_size = sizeof stats };
  uint64_t sum = 0;
  support_succeed(vptr_mapper_create(&config, &mapper));
  ck_assert_ptr_nonnull(mapper->device->joint);
  ck_assert_uint_eq(mapper->device->joint->count, parts());
  ck_assert_int_eq(mapper->device->ordinal, -1);
  ck_assert_ptr_null(vptr_get_context(mapper));
  ck_assert_ptr_null(vptr_get_device(mapper));
  ck_assert_ptr_null(vptr_get_queue(mapper));
  for (unsigned i = 0; i < parts(); i++)
    sum += mapper->device->joint->members[i]->memory_bytes;
  support_succeed(vptr_get_stats(mapper, &stats));
  ck_assert_uint_eq(stats.device_bytes, sum);
  work(mapper);
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

/* Beside others, on the same devices: addresses are disjoint, and each has its memory. */
START_TEST(mappers_of_one_and_of_several_go_together) {
  vptr_config config = config_of_all();
  vptr_mapper *several, *one;
  unsigned char bytes[3] = { 1, 2, 3 }, back[3];
  void *a, *b;
  support_succeed(vptr_mapper_create(&config, &several));
  config.device_count = 1;
  support_succeed(vptr_mapper_create(&config, &one));
  ck_assert_ptr_null(one->device->joint);
  support_succeed(vptr_malloc(several, BYTES, &a));
  support_succeed(vptr_malloc(one, BYTES, &b));
  support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_memset(one, a, 0, 1));
  support_succeed(vptr_memcpy(several, (char *)a + BYTES - 3, bytes, 3));
  support_succeed(vptr_memset(one, b, 9, BYTES));
  support_succeed(vptr_memcpy(several, back, (char *)a + BYTES - 3, 3));
  ck_assert_int_eq(memcmp(bytes, back, 3), 0);
  support_succeed(vptr_mapper_destroy(one));
  support_succeed(vptr_mapper_destroy(several));
}
END_TEST

/* ---- names ------------------------------------------------------------------------------------------------ */

static void list_devices(cl_device_id *devices, unsigned count) {
  const vptr__device_entry *entries;
  int listed;
  unsigned found = 0;
  support_succeed(vptr__device_list(&entries, &listed));
  for (int i = 0; i < listed && found < count; i++)
    if (entries[i].chosen)
      devices[found++] = entries[i].cl_device;
  ck_assert_uint_eq(found, count);
}

START_TEST(devices_are_those_that_are_named_in_their_order) {
  vptr_config config = config_of_all();
  cl_device_id devices[2], turned[2];
  vptr_mapper *mapper;
  if (!support_has_opencl())
    return;
  list_devices(devices, 2);
  turned[0] = devices[1], turned[1] = devices[0];
  config.devices = turned;
  support_succeed(vptr_mapper_create(&config, &mapper));
  turned[0] = NULL;
  ck_assert_ptr_eq(mapper->device->joint->members[0]->cl_device, devices[1]);
  ck_assert_ptr_eq(mapper->device->joint->members[1]->cl_device, devices[0]);
  work(mapper);
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

static void expect_refusal(const vptr_config *config, vptr_status expected, const char *word) {
  vptr_mapper *mapper = NULL;
  support_expect(expected, vptr_mapper_create(config, &mapper));
  ck_assert_ptr_null(mapper);
  ck_assert_msg(strstr(vptr_last_error(), word) != NULL, "%s", vptr_last_error());
}

START_TEST(what_cannot_be_one_is_refused_with_words) {
  vptr_config config = config_of_all();
  cl_device_id devices[2] = { (cl_device_id)&config, (cl_device_id)&config };
  config.device = devices[0];
  expect_refusal(&config, VPTR_ERROR_INVALID_ARGUMENT, "leave those NULL");
  config.device = NULL;
  config.device_count = 17;
  expect_refusal(&config, VPTR_ERROR_INVALID_ARGUMENT, "1 to 16");
  config.devices = devices;
  config.device_count = 0;
  expect_refusal(&config, VPTR_ERROR_INVALID_ARGUMENT, "device_count is 0");
  config.device_count = 2;
  expect_refusal(&config, VPTR_ERROR_INVALID_ARGUMENT, "the same device");
  devices[1] = NULL;
  expect_refusal(&config, VPTR_ERROR_INVALID_ARGUMENT, "devices[1] of 2 is NULL");
  config.devices = NULL;
  config.device_count = 16;
  expect_refusal(&config, VPTR_ERROR_NO_DEVICE, "there is no device");
}
END_TEST

/* A caller that was compiled before there were such members has a shorter structure, and others behind it. */
START_TEST(a_shorter_structure_names_none) {
  vptr_config config = config_of_all();
  vptr_mapper *mapper;
  config.struct_size = offsetof(vptr_config, devices);
  support_succeed(vptr_mapper_create(&config, &mapper));
  ck_assert_ptr_null(mapper->device->joint);
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

START_TEST(what_one_device_can_and_several_cannot_is_ignored_or_refused) {
  vptr_config config = config_of_all();
  vptr_mapper *mapper;
  void *ptr;
  config.flags = VPTR_CONFIG_MIGRATE | VPTR_CONFIG_OVERSUBSCRIBE;
  support_succeed(vptr_mapper_create(&config, &mapper));
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_migrate(mapper, NULL));
  support_succeed(vptr_malloc(mapper, BYTES, &ptr));
  ck_assert_ptr_null(vptr_get_buffer(mapper, ptr));
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_set_kernel_arg(mapper, (cl_kernel)&config, 0, ptr));
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

/* ---- what fails ------------------------------------------------------------------------------------------- */

/* Made and destroyed; what failed has left nothing. */
static vptr_status make_once(void) {
  const vptr_config config = config_of_all();
  vptr_mapper *mapper;
  vptr_status status = vptr_mapper_create(&config, &mapper);
  if (status == VPTR_SUCCESS)
    support_succeed(vptr_mapper_destroy(mapper));
  return status;
}

/* Some calls are only questions, without whose answer a device is opened all the same. */
START_TEST(each_call_of_a_device_fails_once_and_leaves_nothing) {
  if (!faults_can())
    return;
  support_succeed(make_once()); /* what stays for good */
  const long live = vptr__memory_live();
  const size_t objects = faults_objects();
  bool has_fired = true;
  long n = 1;
  for (; has_fired; n++) {
    faults_plant(n, CL_OUT_OF_RESOURCES);
    make_once();
    has_fired = faults_pull();
    ck_assert_int_eq(vptr__memory_live(), live);
    ck_assert_uint_eq(faults_objects(), objects);
  }
  support_succeed(make_once());
  ck_assert_int_gt(n, (long)parts());
}
END_TEST

START_TEST(each_allocation_of_the_host_fails_once_and_leaves_nothing) {
  support_succeed(make_once());
  const long live = vptr__memory_live();
  vptr_status status = VPTR_ERROR_OUT_OF_HOST_MEMORY;
  for (long n = 1; status != VPTR_SUCCESS; n++) {
    vptr__memory_fail_nth(n);
    status = make_once();
    vptr__memory_fail_nth(0);
    ck_assert_int_eq(vptr__memory_live(), live);
    ck_assert_int_lt(n, 500);
  }
}
END_TEST

int main(void) {
  if (!support_has_opencl())
    setenv("VPTR_PARTITION", "3", 1);
  setenv("POCL_DEVICES", "pthread pthread", 0);
  faults_begin();
  Suite *suite = suite_create("joint_mapper");
  TCase *tcase = tcase_create("joint_mapper");
  tcase_add_test(tcase, its_memory_is_that_of_all);
  tcase_add_test(tcase, mappers_of_one_and_of_several_go_together);
  tcase_add_test(tcase, devices_are_those_that_are_named_in_their_order);
  tcase_add_test(tcase, what_cannot_be_one_is_refused_with_words);
  tcase_add_test(tcase, a_shorter_structure_names_none);
  tcase_add_test(tcase, what_one_device_can_and_several_cannot_is_ignored_or_refused);
  tcase_add_test(tcase, each_call_of_a_device_fails_once_and_leaves_nothing);
  tcase_add_test(tcase, each_allocation_of_the_host_fails_once_and_leaves_nothing);
  suite_add_tcase(suite, tcase);
  return support_run(suite);
}
