/* SPDX-License-Identifier: MIT */
/*
 * follow - launches of kernels that follow pointers in memory: they are given the translation table as it is at the
 * launch, and keep it; a device without addresses refuses them; and what they may reach is not freed under them.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mirror/mirror.h"
#include "module/module.h"
#include "pinned/pinned.h"
#include "stream/stream.h"
#include "support/support.h"
#include "unit/launched.h"

/* As kernels look up, in short: by window alone. */
static uint64_t meaning(const uint64_t *table, uint64_t p) {
  uint64_t window = (p - table[0]) >> table[1];
  const uint64_t *host = table + 6 + table[2];
  if (window < table[2])
    return p + table[6 + window];
  for (uint64_t i = 0; i < table[3]; i++, host += 3)
    if (p - host[0] < host[1])
      return p + host[2];
  return p;
}

static const char text[] = "//vptr-module 1\n"
                           "//vptr kernel name=sum lowered=sum entry=m_sum\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr hidden kind=translation\n"
                           "//vptr kernel name=plain lowered=plain entry=m_plain\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr kernel name=found lowered=found entry=m_found\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr hidden kind=windows\n"
                           "m_sum m_plain m_found\n";

typedef struct node {
  uint64_t next; /* the host's address */
  int value;
} node;

/* The arguments: the list, how long to wait before, the translation table. The sum goes to the first node. */
static void run_sum(const vptr__fake_launch *launch) {
  const uint64_t *table = launch->arguments[2];
  node *first = (node *)(uintptr_t) * (uint64_t *)launch->arguments[0];
  int sum = 0;
  usleep((useconds_t) * (int *)launch->arguments[1]);
  for (const node *at = first; at != NULL; at = (const node *)(uintptr_t)meaning(table, at->next))
    sum += at->value;
  first->value = sum;
}

static void run_plain(const vptr__fake_launch *launch) {
  *(int *)(uintptr_t) * (uint64_t *)launch->arguments[0] = 1;
}

/* Where nothing lies apart it has no chart. */
static void run_found(const vptr__fake_launch *launch) {
  node *first = (node *)(uintptr_t) * (uint64_t *)launch->arguments[0];
  first->value = launch->arguments[1] == NULL ? 1 : 2;
}

static vptr_status launch(const char *name, void *list, int delay) {
  void *arguments[] = { &list, &delay };
  vptr__launch how = { .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  return vptr__function_launch(vptr__module_function(launched_module, name), launched_stream, &how);
}

static void set_up(void) {
  vptr__fake_define("m_sum", run_sum);
  vptr__fake_define("m_plain", run_plain);
  vptr__fake_define("m_found", run_found);
  launched_begin(text);
}

static void *make_node(void *next, int value, size_t size) {
  void *made;
  const node content = { (uintptr_t)next, value };
  support_succeed(vptr_malloc(launched_mapper, size, &made));
  support_succeed(vptr_memcpy(launched_mapper, made, &content, sizeof content));
  return made;
}

static int value_of(const void *made) {
  node content;
  support_succeed(vptr__stream_synchronize(launched_stream));
  support_succeed(vptr_memcpy(launched_mapper, &content, made, sizeof content));
  return content.value;
}

START_TEST(a_kernel_finds_what_lies_there_at_the_launch) {
  void *list = NULL;
  for (int i = 1; i <= 6; i++) {
    list = make_node(list, i, i % 2 ? sizeof(node) : (size_t)i << 20);
    int before = value_of(list);
    support_succeed(launch("sum", list, 0));
    ck_assert_int_eq(value_of(list), i * (i + 1) / 2);
    support_succeed(vptr_memcpy(launched_mapper, (char *)list + offsetof(node, value), &before, sizeof before));
  }
}
END_TEST

/* It is still waiting when other buffers make another translation table. */
START_TEST(a_kernel_keeps_the_chart_that_it_was_given) {
  void *list = make_node(make_node(NULL, 20, 1 << 20), 3, sizeof(node));
  support_succeed(launch("sum", list, 50000));
  for (int i = 0; i < 4; i++) {
    void *other = make_node(NULL, i, (size_t)(i + 2) << 20);
    support_succeed(launch("sum", other, 0));
  }
  ck_assert_int_eq(value_of(list), 23);
}
END_TEST

START_TEST(others_need_no_chart) {
  const char *name = _i == 0 ? "plain" : "found";
  vptr__fake_counts before, after;
  void *x = make_node(NULL, 0, sizeof(node));
  support_succeed(launch(name, x, 0));
  support_succeed(vptr__stream_synchronize(launched_stream));
  ck_assert_int_eq(value_of(x), _i);
  void *y = make_node(NULL, 0, 1 << 20);
  vptr__fake_get_counts(&before);
  support_succeed(launch(name, y, 0));
  support_succeed(vptr__stream_synchronize(launched_stream));
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(before.buffers, after.buffers);
}
END_TEST

/* A node of pinned memory is no argument, so that nobody knows who reaches it. */
START_TEST(pinned_memory_is_freed_behind_those_who_may_follow_a_pointer_to_it) {
  void *host;
  support_succeed(vptr__pinned_allocate(launched_mapper, sizeof(node), 0, &host));
  *(node *)host = (node){ 0, 5 };
  void *list = make_node(host, 2, sizeof(node));
  support_succeed(launch("sum", list, 100000));
  support_succeed(vptr__pinned_free(host));
  node seen;
  support_succeed(vptr_memcpy(launched_mapper, &seen, list, sizeof seen)); /* on another queue: nothing waits here */
  ck_assert_int_eq(seen.value, 7);
}
END_TEST

START_TEST(a_buffer_is_released_behind_those_who_may_follow_a_pointer_to_it) {
  void *hidden = make_node(NULL, 30, 1 << 20), *list = make_node(hidden, 4, sizeof(node));
  support_succeed(launch("sum", list, 0));
  ck_assert_int_eq(value_of(list), 34);
  support_succeed(launch("sum", list, 100000));
  support_succeed(vptr_free(launched_mapper, hidden));
  support_succeed(vptr_trim(launched_mapper, 0)); /* the fake device unmaps what is released */
  ck_assert_int_eq(value_of(list), 64);
}
END_TEST

/* ---- managed memory -------------------------------------------------------------------------------------- */

static vptr__mirror *managed_node(int value) {
  vptr__mirror *mirror;
  support_succeed(vptr__mirror_create(launched_mapper, sizeof(node), &mirror));
  *(node *)vptr__mirror_host(mirror) = (node){ 0, value };
  return mirror;
}

/* It is acquired while the kernel is sent, and the translation table says where it is on the device. */
START_TEST(managed_memory_is_followed_wherever_it_is) {
  vptr__mirror *first = managed_node(30), *second = managed_node(400);
  void *list = make_node(vptr__mirror_host(first), 4, sizeof(node));
  ck_assert(!vptr__mirror_is_one_address(first));
  ((node *)vptr__mirror_host(first))->next = (uintptr_t)vptr__mirror_host(second);
  support_succeed(launch("sum", list, 0));
  ck_assert_int_eq(value_of(list), 434);
  ((node *)vptr__mirror_host(second))->value = 500; /* what the host writes then is sent again */
  support_succeed(launch("sum", list, 0));
  ck_assert_int_eq(value_of(list), 434 + 30 + 500);
  vptr__mirror_destroy(first);
  vptr__mirror_destroy(second);
}
END_TEST

/* ---- failures -------------------------------------------------------------------------------------------- */

/* The host gets at managed memory after a launch that failed as before it: no loan is left. */
static int failures_of(void (*fail_nth)(long n)) {
  vptr__mirror *mirror = managed_node(0);
  node *managed = vptr__mirror_host(mirror);
  int failures = 0;
  for (long n = 1, unharmed = 0; unharmed < 10; n++) {
    void *list = make_node(make_node(NULL, 20, 1 << 20), 3, sizeof(node));
    vptr__fake_counts before, after;
    managed->value = (int)n;
    fail_nth(n);
    vptr_status status = launch("sum", list, 0);
    fail_nth(0);
    vptr__stream_synchronize_all(launched_mapper);
    ck_assert_int_eq(value_of(list), status == VPTR_SUCCESS ? 23 : 3);
    ck_assert_int_eq(managed->value, (int)n);
    failures += status != VPTR_SUCCESS;
    unharmed = status != VPTR_SUCCESS ? 0 : unharmed + 1;
    support_succeed(launch("sum", list, 0));
    support_succeed(vptr__stream_synchronize(launched_stream));
    vptr__fake_get_counts(&before);
    support_succeed(launch("sum", list, 0));
    support_succeed(vptr__stream_synchronize(launched_stream));
    vptr__fake_get_counts(&after);
    ck_assert_uint_eq(before.buffers, after.buffers);
    support_succeed(vptr_clear(launched_mapper));
    support_succeed(vptr_trim(launched_mapper, 0)); /* so that the next one needs another translation table */
  }
  vptr__mirror_destroy(mirror);
  return failures;
}

static void no_resources(long n) {
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
}

START_TEST(a_launch_that_fails_has_done_nothing) {
  ck_assert_int_ge(failures_of(vptr__memory_fail_nth), 2);
  ck_assert_int_ge(failures_of(no_resources), 4);
}
END_TEST

START_TEST(a_device_without_addresses_refuses) {
  void *list = make_node(NULL, 1, sizeof(node));
  vptr__fake_report_addresses(false);
  support_succeed(vptr_trim(launched_mapper, 0));
  vptr__module_unload(launched_module);
  support_succeed(vptr__module_load(text, sizeof text - 1, &launched_module));
  vptr_mapper *other;
  support_succeed(vptr_mapper_create(NULL, &other));
  vptr__stream *on_other, *kept = launched_stream;
  support_succeed(vptr__stream_create(other, VPTR__STREAM_NON_BLOCKING, 0, &on_other));
  support_succeed(vptr_malloc(other, sizeof(node), &list));
  launched_stream = on_other;
  support_expect(VPTR_ERROR_UNSUPPORTED, launch("sum", list, 0));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "kernel sum follows pointers that lie in memory"));
  launched_stream = kept;
  support_succeed(vptr__stream_destroy(on_other));
  vptr__module_unload(launched_module);
  support_succeed(vptr_mapper_destroy(other));
  vptr__fake_report_addresses(true);
  support_succeed(vptr__module_load(text, sizeof text - 1, &launched_module));
}
END_TEST

static Suite *follow_suite(void) {
  Suite *suite = suite_create("follow");
  TCase *follow = tcase_create("follow");
  if (support_has_opencl())
    return suite; /* its kernels are the fake device's; tests/kernels/linked has those of real ones */
  tcase_add_checked_fixture(follow, set_up, launched_end);
  tcase_add_test(follow, a_kernel_finds_what_lies_there_at_the_launch);
  tcase_add_test(follow, a_kernel_keeps_the_chart_that_it_was_given);
  tcase_add_loop_test(follow, others_need_no_chart, 0, 2);
  tcase_add_test(follow, pinned_memory_is_freed_behind_those_who_may_follow_a_pointer_to_it);
  tcase_add_test(follow, a_buffer_is_released_behind_those_who_may_follow_a_pointer_to_it);
  tcase_add_test(follow, managed_memory_is_followed_wherever_it_is);
  tcase_add_test(follow, a_launch_that_fails_has_done_nothing);
  tcase_add_test(follow, a_device_without_addresses_refuses);
  suite_add_tcase(suite, follow);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  return support_run(follow_suite());
}
