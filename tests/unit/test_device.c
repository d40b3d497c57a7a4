/* SPDX-License-Identifier: MIT */
/*
 * The list of devices, and what every device promises, on the one under test.
 */
#include "base/error.h"
#include "base/memory.h"
#include "device/device.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* ---- the list ------------------------------------------------------------------------------------------- */

static const vptr__device_entry *list;
static int listed;

START_TEST(the_list_stays_and_counts_what_is_chosen) {
  support_succeed(vptr__device_list(&list, &listed));
  int chosen = 0;
  for (int i = 0; i < listed; i++)
    chosen += list[i].chosen;
  ck_assert_int_gt(chosen, 0);
  ck_assert_int_eq(vptr__device_count(), chosen);
  const vptr__device_entry *again;
  int listed_again;
  support_succeed(vptr__device_list(&again, &listed_again));
  ck_assert_ptr_eq(again, list);
  ck_assert_int_eq(listed_again, listed);
}
END_TEST

START_TEST(each_chosen_device_opens_and_no_other) {
  vptr__device *device;
  for (int ordinal = 0; ordinal < vptr__device_count(); ordinal++) {
    support_succeed(vptr__device_open(NULL, ordinal, &device));
    ck_assert_int_eq(device->ordinal, ordinal);
    vptr__device_close(device);
  }
  device = NULL;
  support_expect(VPTR_ERROR_NO_DEVICE, vptr__device_open(NULL, vptr__device_count(), &device));
  support_expect(VPTR_ERROR_NO_DEVICE, vptr__device_open(NULL, -1, &device));
  ck_assert_ptr_null(device);
  vptr__device_close(NULL);
}
END_TEST

/* ---- any device ----------------------------------------------------------------------------------------- */

static vptr__device *device;
static long live_before;

static void open_device(void) {
  live_before = vptr__memory_live();
  support_succeed(vptr__device_open(NULL, 0, &device));
}

static void close_device(void) {
  vptr__device_close(device);
  ck_assert_int_eq(vptr__memory_live(), live_before);
}

static cl_mem make(size_t bytes) {
  cl_mem buffer = NULL;
  support_succeed(device->ops->memory.create(device, bytes, &buffer));
  ck_assert_ptr_nonnull(buffer);
  return buffer;
}

static void release(cl_mem buffer) {
  device->ops->memory.release(device, buffer);
}

START_TEST(it_says_what_it_is) {
  ck_assert_uint_gt(strlen(device->name), 0);
  ck_assert_uint_gt(strlen(device->platform), 0);
  ck_assert_uint_gt(strlen(device->version), 0);
  ck_assert_uint_gt(device->memory_bytes, 0);
  ck_assert_uint_gt(device->max_buffer_bytes, 0);
  ck_assert_uint_gt(device->alignment, 0);
  ck_assert_uint_eq(device->alignment & (device->alignment - 1), 0);
  ck_assert_int_eq(device->cl_context != NULL, support_has_opencl());
  ck_assert_ptr_nonnull(device->cl_queue);
}
END_TEST

START_TEST(bytes_survive_every_way_around) {
  enum { SIZE = 5000 };
  cl_mem one = make(SIZE), two = make(SIZE);
  unsigned char out[SIZE], in[SIZE];
  uint64_t state = 1;
  for (int i = 0; i < SIZE; i++)
    out[i] = (unsigned char)support_random(&state);
  support_succeed(device->ops->transfer.write(device, one, 0, out, SIZE));
  support_succeed(device->ops->transfer.copy(device, one, 1, two, 3, SIZE - 3));
  support_succeed(device->ops->transfer.fill(device, two, 64, 64, "12345678", 8));
  support_succeed(device->ops->transfer.read(device, two, 0, in, SIZE));
  ck_assert_mem_eq(in + 3, out + 1, 61);
  ck_assert_mem_eq(in + 64, "1234567812345678", 16);
  ck_assert_mem_eq(in + 128, out + 126, SIZE - 128);
  release(one);
  release(two);
}
END_TEST

START_TEST(nothing_to_move_is_success) {
  cl_mem buffer = make(64);
  support_succeed(device->ops->transfer.write(device, buffer, 0, NULL, 0));
  support_succeed(device->ops->transfer.read(device, buffer, 0, NULL, 0));
  support_succeed(device->ops->transfer.copy(device, buffer, 0, buffer, 32, 0));
  support_succeed(device->ops->transfer.fill(device, buffer, 0, 0, "", 1));
  release(buffer);
}
END_TEST

START_TEST(a_sub_buffer_begins_at_its_origin) {
  cl_mem root = make(3 * device->alignment), part = NULL;
  support_succeed(device->ops->memory.create_sub(device, root, device->alignment, 17, &part));
  size_t bytes = 0;
  support_succeed(device->ops->memory.size(device, part, &bytes));
  ck_assert_uint_eq(bytes, 17);
  char in[3];
  support_succeed(device->ops->transfer.fill(device, root, 0, 3 * device->alignment, ".", 1));
  support_succeed(device->ops->transfer.write(device, part, 16, "!", 1));
  support_succeed(device->ops->transfer.read(device, root, device->alignment + 15, in, 3));
  ck_assert_mem_eq(in, ".!.", 3);
  release(part);
  release(root);
}
END_TEST

START_TEST(a_size_that_it_never_has_is_refused_with_both_numbers) {
  cl_mem buffer = NULL;
  char size[32];
  snprintf(size, sizeof size, "%llu", (unsigned long long)device->memory_bytes);
  support_expect(VPTR_ERROR_INVALID_SIZE, device->ops->memory.create(device, SIZE_MAX, &buffer));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "18446744073709551615"));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), size));
  support_expect(VPTR_ERROR_INVALID_SIZE, device->ops->memory.create(device, device->memory_bytes + 1, &buffer));
  ck_assert_ptr_null(buffer);
}
END_TEST

START_TEST(a_null_buffer_has_no_size) {
  size_t bytes = 7;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, device->ops->memory.size(device, NULL, &bytes));
  ck_assert_uint_eq(bytes, 7);
}
END_TEST

START_TEST(opening_without_host_memory_fails_and_leaves_nothing) {
  vptr__device *none = NULL;
  long live = vptr__memory_live();
  vptr__memory_fail_nth(1);
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, vptr__device_open(NULL, 0, &none));
  vptr__memory_fail_nth(0);
  ck_assert_ptr_null(none);
  ck_assert_int_eq(vptr__memory_live(), live);
}
END_TEST

static Suite *device_suite(void) {
  Suite *suite = suite_create("device");
  TCase *opening = tcase_create("opening");
  tcase_add_test(opening, the_list_stays_and_counts_what_is_chosen);
  tcase_add_test(opening, each_chosen_device_opens_and_no_other);
  tcase_add_test(opening, opening_without_host_memory_fails_and_leaves_nothing);
  suite_add_tcase(suite, opening);
  TCase *tests = tcase_create("device");
  tcase_add_checked_fixture(tests, open_device, close_device);
  tcase_add_test(tests, it_says_what_it_is);
  tcase_add_test(tests, bytes_survive_every_way_around);
  tcase_add_test(tests, nothing_to_move_is_success);
  tcase_add_test(tests, a_sub_buffer_begins_at_its_origin);
  tcase_add_test(tests, a_size_that_it_never_has_is_refused_with_both_numbers);
  tcase_add_test(tests, a_null_buffer_has_no_size);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(device_suite());
}
