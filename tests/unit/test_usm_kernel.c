/* SPDX-License-Identifier: MIT */
/*
 * usm_kernel - unified shared memory as kernels see it: by launches, and by vptr_set_kernel_arg() and its model for the
 * program's own kernels; and the order of copies and frees behind kernels that still run.
 *
 * The program's own kernels are OpenCL C on a device that compiles, and a function of this file on the fake device.
 * Launches run on the fake device, which has memory of its own; those on others are in tests/kernels.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr_usm.h>

#include "device/fake.h"
#include "managed/managed.h"
#include "mapper/mapper.h"
#include "module/variable.h"
#include "support/support.h"
#include "unit/modules.h"

enum { COUNT = 1000, KERNELS = 20 };

static const char text[] = "__kernel void touch(__global int *p, int n) { p[0] += n; }\n"
                           "__kernel void touch_pair(__global uchar *base, ulong offset, int n)\n"
                           "{ *(__global int *)(base + offset) += n; }\n";

static vptr_mapper *mapper;
static vptr__device *device;
static cl_program program;
static cl_kernel touch, touch_pair;
static bool reaches_pinned;

static void run_touch(const vptr__fake_launch *launch) {
  *(int *)launch->arguments[0] += *(int *)launch->arguments[1];
}

static void run_touch_pair(const vptr__fake_launch *launch) {
  *(int *)((char *)launch->arguments[0] + *(cl_ulong *)launch->arguments[1]) += *(int *)launch->arguments[2];
}

static void set_up(void) {
  const vptr__program_source source = { .text = text, .length = sizeof text - 1, .options = "" };
  modules_define();
  vptr__fake_define("touch", run_touch);
  vptr__fake_define("touch_pair", run_touch_pair);
  support_succeed(vptr_usm_mapper(0, &mapper));
  device = mapper->device;
  reaches_pinned = device->reaches_pinned;
  support_succeed(device->ops->kernel.program_build(device, &source, &program));
  support_succeed(device->ops->kernel.create(device, program, "touch", &touch));
  support_succeed(device->ops->kernel.create(device, program, "touch_pair", &touch_pair));
}

/* As on NVIDIA's devices; PoCL's kernels reach all memory of the host's. */
static void set_up_reaching(void) {
  set_up();
  device->reaches_pinned = device->reaches_pinned || support_has_opencl();
}

static void tear_down(void) {
  device->reaches_pinned = reaches_pinned;
  vptr__fake_disorder(0, 0);
  device->ops->kernel.release(device, touch);
  device->ops->kernel.release(device, touch_pair);
  device->ops->kernel.program_release(device, program);
}

static int *numbers(vptr_usm_type kind) {
  void *made;
  support_succeed(vptr_usm_alloc(NULL, kind, COUNT * sizeof(int), 0, &made));
  support_succeed(vptr_usm_memset(NULL, made, 0, COUNT * sizeof(int)));
  return made;
}

static int number_at(const int *at) {
  int value = -1;
  support_succeed(vptr_usm_memcpy(NULL, &value, at, sizeof value));
  return value;
}

static void send(cl_kernel kernel) {
  const size_t zero[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 };
  support_succeed(device->ops->kernel.enqueue(device, device->cl_queue, kernel, zero, one, one, NULL));
}

/* Sends a kernel that adds n; the pointer has been given to it. */
static void add(cl_kernel kernel, int n) {
  support_succeed(device->ops->kernel.arg_value(device, kernel, kernel == touch ? 1 : 2, &n, sizeof n));
  send(kernel);
}

/* Gives a kernel the pointer, as a pair unless there is no buffer for one. */
static cl_kernel give(vptr_usm_type kind, int *memory) {
  if (kind == VPTR_USM_DEVICE || !device->reaches_pinned) {
    support_succeed(vptr_set_kernel_arg_pair(NULL, touch_pair, 0, memory));
    return touch_pair;
  }
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_set_kernel_arg_pair(NULL, touch_pair, 0, memory));
  support_succeed(vptr_set_kernel_arg(NULL, touch, 0, memory));
  return touch;
}

static bool is_copied(const int *memory) {
  vptr__managed_place place;
  return vptr__managed_find(memory, &place) && place.way == VPTR__MANAGED_FAULTS;
}

/* ---- the program's own kernels -------------------------------------------------------------------------- */

START_TEST(own_kernels_take_what_the_device_reaches) {
  for (vptr_usm_type kind = VPTR_USM_DEVICE; kind <= VPTR_USM_SHARED; kind++) {
    int *memory = numbers(kind);
    if (is_copied(memory)) {
      support_expect(VPTR_ERROR_UNSUPPORTED, vptr_set_kernel_arg(NULL, touch, 0, memory));
      ck_assert_ptr_nonnull(strstr(vptr_last_error(), "vptr_kernel.h"));
      support_expect(VPTR_ERROR_UNSUPPORTED, vptr_set_kernel_arg_pair(NULL, touch_pair, 0, memory));
    } else {
      support_succeed(vptr_set_kernel_arg(NULL, touch, 0, memory));
      add(touch, 7);
      add(give(kind, memory + 123), 9);
      ck_assert_int_eq(number_at(memory), 7);
      ck_assert_int_eq(number_at(memory + 123), 9);
      ck_assert_int_eq(number_at(memory + 124), 0);
    }
    support_succeed(vptr_usm_free(NULL, memory));
  }
}
END_TEST

START_TEST(interior_pointers_are_taken_where_there_are_addresses) {
  for (vptr_usm_type kind = VPTR_USM_DEVICE; kind <= VPTR_USM_HOST; kind++) {
    int *memory = numbers(kind);
    vptr_status status = vptr_set_kernel_arg(NULL, touch, 0, memory + 5);
    ck_assert(status == VPTR_SUCCESS || status == VPTR_ERROR_UNSUPPORTED);
    if (status == VPTR_SUCCESS) {
      add(touch, 3);
      ck_assert_int_eq(number_at(memory + 5), 3);
    }
    support_succeed(vptr_usm_free(NULL, memory));
  }
}
END_TEST

START_TEST(memory_that_no_kernel_reaches_is_refused) {
  int *gone = numbers(VPTR_USM_HOST), *ours = numbers(VPTR_USM_HOST);
  vptr_mapper *other;
  support_succeed(vptr_usm_free(NULL, gone));
  support_succeed(vptr_mapper_create(NULL, &other));
  support_expect(VPTR_ERROR_FREED, vptr_set_kernel_arg(NULL, touch, 0, gone));
  support_expect(VPTR_ERROR_OTHER_MAPPER, vptr_set_kernel_arg(other, touch, 0, ours));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "is host memory"));
  support_succeed(vptr_set_kernel_arg(NULL, touch, 0, NULL));
  support_succeed(vptr_mapper_destroy(other));
  support_succeed(vptr_usm_free(NULL, ours));
}
END_TEST

static void expect_refusal(void *ptr) {
  ck_assert_int_ne(vptr_usm_free(NULL, ptr),
                   VPTR_SUCCESS); /* other words before; some of it may have been managed once */
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_set_kernel_arg(NULL, touch, 0, ptr));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "vptr_set_kernel_arg:"));
  support_expect(VPTR_ERROR_UNKNOWN_ADDRESS, vptr_set_kernel_arg_pair(NULL, touch_pair, 0, ptr));
}

static void touch_plain(int *plain) {
  plain[2] = 30;
  support_succeed(vptr_set_kernel_arg(NULL, touch, 0, plain + 2));
  add(touch, 4);
  ck_assert_int_eq(number_at(plain + 2), 34); /* the copy waits */
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr_set_kernel_arg_pair(NULL, touch_pair, 0, plain));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "use vptr_set_kernel_arg()"));
}

/* To all of these: it may be a stack's, a global, and begin anywhere. */
START_TEST(plain_memory_is_taken_where_the_device_takes_it) {
  static int fixed[10];
  int on_stack[10], *on_heap = malloc(40);
  vptr_mapper *other;
  support_succeed(vptr_mapper_create(NULL, &other));
  if (vptr_usm_supports(NULL, VPTR_USM_SYSTEM) == 0)
    expect_refusal(on_heap);
  vptr__fake_take_system(true);
  if (vptr_usm_supports(NULL, VPTR_USM_SYSTEM) != 0) {
    touch_plain(fixed);
    touch_plain(on_stack);
    touch_plain(on_heap);
    support_succeed(vptr_set_kernel_arg(other, touch, 0, on_heap));
    expect_refusal((void *)0x1234);
    expect_refusal(support_nowhere());
    expect_refusal((void *)UINTPTR_MAX);
    support_succeed(vptr_set_kernel_arg(NULL, touch, 0, NULL));
  }
  vptr__fake_take_system(false);
  support_succeed(vptr_mapper_destroy(other));
  free(on_heap);
}
END_TEST

/* A launch would bring its copies up to date, a kernel of the program's own does not. */
START_TEST(a_managed_variable_is_no_plain_memory) {
  static struct { int managed[2], beside[2]; } globals;
  const vptr__variable variable = { .key = globals.managed, .size = sizeof globals.managed, .is_managed = true };
  vptr__fake_take_system(true);
  support_succeed(vptr__variable_register(&variable));
  if (vptr_usm_supports(NULL, VPTR_USM_SYSTEM) != 0) {
    support_expect(VPTR_ERROR_UNSUPPORTED, vptr_set_kernel_arg(NULL, touch, 0, globals.managed));
    support_expect(VPTR_ERROR_UNSUPPORTED, vptr_set_kernel_arg(NULL, touch, 0, globals.managed + 1));
    ck_assert_ptr_nonnull(strstr(vptr_last_error(), "which only launches do"));
    support_succeed(vptr_set_kernel_arg(NULL, touch, 0, globals.beside));
    support_succeed(vptr_set_kernel_arg(NULL, touch, 0, NULL));
  }
  ck_assert(vptr__variable_forget(globals.managed));
  vptr__fake_take_system(false);
}
END_TEST

/* ---- order ---------------------------------------------------------------------------------------------- */

static void send_some(vptr_usm_type kind, int *memory) {
  vptr__fake_disorder(42, 300);
  cl_kernel kernel = give(kind, memory);
  for (int i = 0; i < KERNELS; i++)
    add(kernel, 1);
}

START_TEST(copies_and_sets_come_after_kernels) {
  for (vptr_usm_type kind = VPTR_USM_DEVICE; kind <= VPTR_USM_HOST; kind++) {
    int *memory = numbers(kind);
    send_some(kind, memory);
    ck_assert_int_eq(number_at(memory), KERNELS);
    send_some(kind, memory);
    support_succeed(vptr_usm_memset(NULL, memory, 0, sizeof *memory));
    ck_assert_int_eq(number_at(memory), 0);
    send_some(kind, memory);
    support_succeed(vptr_usm_fill(NULL, memory, &(int){ 5 }, sizeof(int), 1));
    ck_assert_int_eq(number_at(memory), 5);
    support_succeed(vptr_usm_free(NULL, memory));
  }
}
END_TEST

/* Else the next one to get the memory would find the kernel's last words in it. */
START_TEST(host_memory_in_use_is_freed_when_the_kernel_is_done) {
  int *memory = numbers(VPTR_USM_HOST);
  send_some(VPTR_USM_HOST, memory);
  support_succeed(vptr_usm_free(NULL, memory));
  int *next = numbers(VPTR_USM_HOST);
  support_succeed(vptr_finish(NULL));
  for (int i = 0; i < COUNT; i++)
    ck_assert_int_eq(next[i], 0);
  support_succeed(vptr_usm_free(NULL, next));
}
END_TEST

/* ---- launches ------------------------------------------------------------------------------------------- */

START_TEST(launches_take_every_kind) {
  vptr__module *module;
  vptr__stream *stream;
  if (support_has_opencl())
    return;
  support_succeed(modules_load(&module));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  for (vptr_usm_type kind = VPTR_USM_DEVICE; kind <= VPTR_USM_SHARED; kind++) {
    int *memory = numbers(kind), *inside = memory + 17, n = 4;
    for (int i = 1; i <= 3; i++) {
      support_succeed(MODULES_LAUNCH(stream, module, "add", &inside, &n));
      ck_assert_int_eq(number_at(inside), 4 * i);
    }
    support_succeed(vptr_usm_memset(NULL, memory, 0, COUNT * sizeof(int)));
    support_succeed(MODULES_LAUNCH(stream, module, "add", &inside, &n));
    ck_assert_int_eq(number_at(inside), 4);
    support_succeed(MODULES_LAUNCH(stream, module, "add", &inside, &n));
    support_succeed(vptr_usm_free(NULL, memory)); /* a launch still uses it */
    support_expect(VPTR_ERROR_FREED, vptr_usm_free(NULL, memory));
  }
  vptr__module_unload(module);
}
END_TEST

/* What went wrong with work in flight is its stream's to tell: the memory goes all the same. */
START_TEST(shared_memory_is_freed_whatever_became_of_its_kernels) {
  vptr__module *module;
  vptr__stream *stream;
  int n = 4;
  if (support_has_opencl())
    return;
  support_succeed(modules_load(&module));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  for (long nth = 1; nth <= 10; nth++) {
    int *memory = numbers(VPTR_USM_SHARED);
    support_succeed(MODULES_LAUNCH(stream, module, "add", &memory, &n));
    vptr__fake_fail_nth(nth, CL_OUT_OF_RESOURCES);
    vptr_status status = vptr_usm_free(NULL, memory);
    vptr__fake_fail_nth(0, CL_SUCCESS);
    support_succeed(status);
    ck_assert_int_eq(vptr_usm_kind(NULL, memory), VPTR_USM_UNKNOWN);
  }
  vptr__module_unload(module);
}
END_TEST

static void add_case(Suite *suite, const char *name, void (*set_up_case)(void)) {
  TCase *kernel = tcase_create(name);
  tcase_add_checked_fixture(kernel, set_up_case, tear_down);
  tcase_add_test(kernel, own_kernels_take_what_the_device_reaches);
  tcase_add_test(kernel, interior_pointers_are_taken_where_there_are_addresses);
  tcase_add_test(kernel, memory_that_no_kernel_reaches_is_refused);
  tcase_add_test(kernel, plain_memory_is_taken_where_the_device_takes_it);
  tcase_add_test(kernel, a_managed_variable_is_no_plain_memory);
  tcase_add_test(kernel, copies_and_sets_come_after_kernels);
  tcase_add_test(kernel, host_memory_in_use_is_freed_when_the_kernel_is_done);
  tcase_add_test(kernel, launches_take_every_kind);
  tcase_add_test(kernel, shared_memory_is_freed_whatever_became_of_its_kernels);
  suite_add_tcase(suite, kernel);
}

static Suite *kernel_suite(void) {
  Suite *suite = suite_create("usm_kernel");
  add_case(suite, "kernel", set_up);
  add_case(suite, "kernel, host memory reached where it lies", set_up_reaching);
  return suite;
}

int main(void) {
  return support_run(kernel_suite());
}
