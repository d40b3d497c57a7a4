/* SPDX-License-Identifier: MIT */
/*
 * texel launch - launches of kernels that read textures: they are given the table as it is at the launch, and keep it;
 * a device without addresses refuses them, and so does an array that is an image; and a launch that fails did nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "module/module.h"
#include "stream/stream.h"
#include "support/support.h"
#include "unit/launched.h"

static const char text[] = "//vptr-module 1\n"
                           "//vptr kernel name=look lowered=look entry=m_look\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=8 align=8 kind=value\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr hidden kind=texels\n"
                           "m_look\n";

/* The arguments: where the answer goes, a handle, how long to wait before, the table. The answer is the entry's
   width. */
static void run_look(const vptr__fake_launch *launch) {
  uint32_t *out = (uint32_t *)(uintptr_t) * (uint64_t *)launch->arguments[0];
  uint64_t handle = *(uint64_t *)launch->arguments[1];
  const vptr__texel_entry *entries = launch->arguments[3];
  usleep((useconds_t) * (int *)launch->arguments[2]);
  const vptr__texel_entry *entry = (uint32_t)handle < entries[0].width / 2 ? &entries[2 * (uint32_t)handle] : entries;
  *out = entry->generation == (uint32_t)(handle >> 32) ? entry->width : 0;
}

static vptr_status launch(void *out, uint64_t handle, int delay) {
  void *arguments[] = { &out, &handle, &delay };
  vptr__launch how = { .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  return vptr__function_launch(vptr__module_function(launched_module, "look"), launched_stream, &how);
}

static void set_up(void) {
  vptr__fake_define("m_look", run_look);
  launched_begin(text);
}

static void put(uint64_t handle, uint32_t width) {
  const vptr__texel_entry entry = { .width = width };
  support_succeed(vptr__texel_table_put(launched_mapper, handle, false, &entry));
}

static uint32_t *make_room(uint32_t count) {
  void *made;
  support_succeed(vptr_malloc(launched_mapper, count * sizeof(uint32_t), &made));
  return made;
}

static uint32_t value_of(const uint32_t *out) {
  uint32_t value;
  support_succeed(vptr__stream_synchronize(launched_stream));
  support_succeed(vptr_memcpy(launched_mapper, &value, out, sizeof value));
  return value;
}

static uint64_t handle_of(uint32_t place, uint32_t generation) {
  return (uint64_t)generation << 32 | place;
}

START_TEST(a_kernel_finds_what_there_is_at_the_launch) {
  uint32_t *out = make_room(1);
  support_succeed(launch(out, handle_of(1, 1), 0));
  ck_assert_uint_eq(value_of(out), 0);
  for (uint32_t i = 1; i < 60; i++) {
    put(handle_of(i, i), 100 + i);
    support_succeed(launch(out, handle_of(i, i), 0));
    ck_assert_uint_eq(value_of(out), 100 + i);
  }
  support_succeed(launch(out, handle_of(7, 8), 0));
  ck_assert_uint_eq(value_of(out), 0);
}
END_TEST

/* It is still waiting when its object ends, and others take the place. */
START_TEST(a_kernel_keeps_the_table_that_it_was_given) {
  uint32_t *out = make_room(6);
  put(handle_of(3, 1), 77);
  support_succeed(launch(out, handle_of(3, 1), 50000));
  for (uint32_t i = 0; i < 5; i++) {
    vptr__texel_table_drop(launched_mapper, handle_of(3, i + 1), false);
    put(handle_of(3, i + 2), 80 + i);
    support_succeed(launch(out + 1 + i, handle_of(3, i + 2), 0));
  }
  ck_assert_uint_eq(value_of(out), 77);
  for (uint32_t i = 0; i < 5; i++)
    ck_assert_uint_eq(value_of(out + 1 + i), 80 + i);
}
END_TEST

START_TEST(launches_make_no_buffers_while_nothing_changes) {
  vptr__fake_counts before, after;
  uint32_t *out = make_room(1);
  put(handle_of(2, 1), 5);
  support_succeed(launch(out, handle_of(2, 1), 0));
  ck_assert_uint_eq(value_of(out), 5);
  vptr__fake_get_counts(&before);
  for (int i = 0; i < 20; i++)
    support_succeed(launch(out, handle_of(2, 1), 0));
  ck_assert_uint_eq(value_of(out), 5);
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(before.buffers, after.buffers);
}
END_TEST

START_TEST(an_array_that_is_an_image_stops_them) {
  uint32_t *out = make_room(1);
  put(handle_of(2, 1), 5);
  vptr__texel_table_away(launched_mapper, 1);
  support_expect(VPTR_ERROR_UNSUPPORTED, launch(out, handle_of(2, 1), 0));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "kernel look reads textures or surfaces"));
  vptr__texel_table_away(launched_mapper, -1);
  support_succeed(launch(out, handle_of(2, 1), 0));
  ck_assert_uint_eq(value_of(out), 5);
}
END_TEST

static int failures_of(void (*fail_nth)(long n)) {
  uint32_t *out = make_room(1);
  const uint32_t before = 9;
  int failures = 0;
  for (long n = 1, unharmed = 0; unharmed < 10; n++) {
    put(handle_of(2, (uint32_t)n), 50);
    support_succeed(vptr_memcpy(launched_mapper, out, &before, sizeof before));
    fail_nth(n);
    vptr_status status = launch(out, handle_of(2, (uint32_t)n), 0);
    fail_nth(0);
    vptr__stream_synchronize_all(launched_mapper);
    ck_assert_uint_eq(value_of(out), status == VPTR_SUCCESS ? 50 : 9);
    failures += status != VPTR_SUCCESS;
    unharmed = status != VPTR_SUCCESS ? 0 : unharmed + 1;
    support_succeed(launch(out, handle_of(2, (uint32_t)n), 0));
    ck_assert_uint_eq(value_of(out), 50);
  }
  return failures;
}

static void no_resources(long n) {
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
}

START_TEST(a_launch_that_fails_has_done_nothing) {
  ck_assert_int_ge(failures_of(vptr__memory_fail_nth), 1);
  ck_assert_int_ge(failures_of(no_resources), 2);
}
END_TEST

START_TEST(a_device_without_addresses_refuses) {
  vptr__fake_report_addresses(false);
  vptr__module_unload(launched_module);
  support_succeed(vptr__module_load(text, sizeof text - 1, &launched_module));
  vptr_mapper *other;
  support_succeed(vptr_mapper_create(NULL, &other));
  vptr__stream *on_other, *kept = launched_stream;
  void *out;
  support_succeed(vptr__stream_create(other, VPTR__STREAM_NON_BLOCKING, 0, &on_other));
  support_succeed(vptr_malloc(other, 4, &out));
  launched_stream = on_other;
  support_expect(VPTR_ERROR_UNSUPPORTED, launch(out, handle_of(1, 1), 0));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "kernel look reads textures or surfaces"));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "tells no addresses"));
  launched_stream = kept;
  support_succeed(vptr__stream_destroy(on_other));
  vptr__module_unload(launched_module);
  support_succeed(vptr_mapper_destroy(other));
  vptr__fake_report_addresses(true);
  support_succeed(vptr__module_load(text, sizeof text - 1, &launched_module));
}
END_TEST

static Suite *texel_launch_suite(void) {
  Suite *suite = suite_create("texel_launch");
  TCase *launches = tcase_create("launches");
  if (support_has_opencl())
    return suite; /* its kernel is the fake device's; tests/kernels/cxx/textures_*.cu have those of real ones */
  tcase_add_checked_fixture(launches, set_up, launched_end);
  tcase_add_test(launches, a_kernel_finds_what_there_is_at_the_launch);
  tcase_add_test(launches, a_kernel_keeps_the_table_that_it_was_given);
  tcase_add_test(launches, launches_make_no_buffers_while_nothing_changes);
  tcase_add_test(launches, an_array_that_is_an_image_stops_them);
  tcase_add_test(launches, a_launch_that_fails_has_done_nothing);
  tcase_add_test(launches, a_device_without_addresses_refuses);
  suite_add_tcase(suite, launches);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  return support_run(texel_launch_suite());
}
