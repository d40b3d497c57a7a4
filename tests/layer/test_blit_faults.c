/* SPDX-License-Identifier: MIT */
/*
 * Fills and copies by kernels (device/opencl_blit.c), when OpenCL fails: each call that they and their trials make
 * fails once, in order; the bytes are right all the same, nobody hears of it, and no object is left. And which way is
 * taken once the times are there, as the layer counts calls.
 *
 * Needs an OpenCL platform, and the layer (VPTR_TEST_LAYER=path of the module); else it is left out.
 */
#include "base/error.h"
#include "base/memory.h"
#include "device/opencl.h"
#include "layer/layer.h"
#include "mapper/mapper.h"
#include "support/support.h"
#include "transfer/async.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT_OUT = 77, ENOUGH = 1000, BYTES = 8192, WORK = 2048 };

static const layer_control *layer;
static vptr__device *device;
static cl_mem buffers[2];

static void open_device(void) {
  support_succeed(vptr__device_open(NULL, 0, &device));
  for (int i = 0; i < 2; i++)
    support_succeed(device->ops->memory.create(device, BYTES, &buffers[i]));
  device->tuning.blit_bytes = 1024;
}

static void close_device(void) {
  for (int i = 0; i < 2; i++)
    device->ops->memory.release(device, buffers[i]);
  vptr__device_close(device);
}

/* ---- for every n ---------------------------------------------------------------------------------------- */

static const size_t region[3] = { 16, 20, 1 };

static void copy_rect(void) {
  const vptr__rect from = { buffers[0], 0, 32, 640 }, to = { buffers[1], 16, 48, 960 };
  support_succeed(device->ops->transfer.enqueue_copy_rect(device, device->cl_queue, &from, &to, region, NULL));
}

static void work_once(void) {
  support_succeed(device->ops->transfer.fill(device, buffers[0], 0, WORK, "abcd", 4));
  support_succeed(device->ops->transfer.copy(device, buffers[0], 0, buffers[1], 0, WORK));
  copy_rect();
  support_succeed(device->ops->queue.finish_all(device));
}

static void expect_bytes(void) {
  unsigned char seen[WORK];
  support_succeed(device->ops->transfer.read(device, buffers[1], 0, seen, WORK));
  for (size_t i = 0; i < WORK; i++)
    support_must(seen[i] == "abcd"[i % 4]);
}

/* What kernels and trials call beside the commands themselves, which have no second way. */
static const layer_call calls[] = {
  LAYER_CREATE_PROGRAM_WITH_SOURCE,
  LAYER_BUILD_PROGRAM,
  LAYER_CREATE_KERNEL,
  LAYER_SET_KERNEL_ARG,
  LAYER_ENQUEUE_ND_RANGE_KERNEL,
  LAYER_CREATE_BUFFER,
  LAYER_CREATE_COMMAND_QUEUE,
  LAYER_CREATE_COMMAND_QUEUE_WITH_PROPERTIES,
  LAYER_GET_EVENT_INFO,
  LAYER_GET_EVENT_PROFILING_INFO,
  LAYER_FLUSH,
};
enum { CALLS = sizeof calls / sizeof *calls };

/* Whether there was an nth call, and it failed. */
static bool work_with_fault(layer_call call, long n, bool untried) {
  layer_objects before = layer->objects();
  long live = vptr__memory_live();
  open_device();
  device->test.blit_untried = untried;
  layer->inject(call, n, CL_OUT_OF_RESOURCES);
  for (int i = 0; i < 3; i++)
    work_once();
  bool fired = layer->fired();
  layer->inject(LAYER_ANY, 0, CL_SUCCESS);
  expect_bytes();
  close_device();
  layer_objects after = layer->objects();
  ck_assert_msg(memcmp(&after, &before, sizeof after) == 0, "objects are left after %s failed", layer->name(call));
  ck_assert_int_eq(vptr__memory_live(), live);
  return fired;
}

static long fail_all(layer_call call, bool untried) {
  long n = 1;
  while (n < ENOUGH && work_with_fault(call, n, untried))
    n++;
  return n - 1;
}

START_TEST(whatever_fails_of_kernels_the_command_does_it) {
  long failed = 0;
  for (int i = 0; i < CALLS; i++)
    failed += fail_all(calls[i], true);
  ck_assert_int_gt(failed, 10);
}
END_TEST

START_TEST(whatever_fails_of_a_trial_the_command_does_it) {
  long failed = 0;
  for (int i = 0; i < CALLS; i++)
    failed += fail_all(calls[i], false);
  ck_assert_int_gt(failed, 10);
}
END_TEST

/* Commands of a trial are the first of their kind: what is asked for comes behind the trial. */
START_TEST(commands_of_a_trial_may_fail) {
  ck_assert(work_with_fault(LAYER_ENQUEUE_FILL_BUFFER, 1, false));
  ck_assert(work_with_fault(LAYER_ENQUEUE_COPY_BUFFER, 1, false));
  ck_assert(work_with_fault(LAYER_ENQUEUE_COPY_BUFFER_RECT, 1, false));
}
END_TEST

/* ---- what there are no commands for --------------------------------------------------------------------- */

enum { ROW = 100, ROWS = 60, LINE = 6000 };

/* A rect and a pattern of 12 bytes, as programs ask for them. */
static void set_and_fill(vptr_mapper *mapper, vptr__stream *stream, unsigned char *rect, unsigned char *line) {
  const vptr__operand operand = { .what = "test", .ptr = rect + 1, .row = ROW };
  support_succeed(vptr__transfer_set(stream, &operand, 7, (size_t[3]){ ROW - 3, ROWS, 1 }, VPTR__TRANSFER_WAIT));
  support_succeed(vptr_fill(mapper, line, "0123456789ab", 12, LINE / 12));
}

static void expect_set_and_filled(vptr_mapper *mapper, unsigned char *rect, unsigned char *line) {
  unsigned char seen[LINE];
  support_succeed(vptr_memcpy(mapper, seen, rect, LINE));
  for (size_t i = 0; i < LINE; i++)
    support_must(seen[i] == (i % ROW >= 1 && i % ROW < ROW - 2 ? 7 : 0));
  support_succeed(vptr_memcpy(mapper, seen, line, LINE));
  for (size_t i = 0; i < LINE; i++)
    support_must(seen[i] == "0123456789ab"[i % 12]);
}

static long fills_of_set; /* commands that set_with_fault() saw: making buffers takes some, too */

/* Whether there was an nth call, and it failed. */
static bool set_with_fault(layer_call call, long n, long *kernels_out) {
  layer_objects before = layer->objects();
  vptr_mapper *mapper;
  vptr__stream *stream;
  void *rect, *line;
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  support_succeed(vptr_malloc(mapper, LINE, &rect));
  support_succeed(vptr_malloc(mapper, LINE, &line));
  support_succeed(vptr_memcpy(mapper, rect, (unsigned char[LINE]){ 0 }, LINE));
  mapper->device->tuning.blit_bytes = 1 << 20;
  layer->inject(call, n, CL_OUT_OF_RESOURCES);
  long kernels = layer->calls(LAYER_ENQUEUE_ND_RANGE_KERNEL), fills = layer->calls(LAYER_ENQUEUE_FILL_BUFFER);
  set_and_fill(mapper, stream, rect, line);
  fills_of_set = layer->calls(LAYER_ENQUEUE_FILL_BUFFER) - fills;
  *kernels_out = layer->calls(LAYER_ENQUEUE_ND_RANGE_KERNEL) - kernels;
  bool fired = layer->fired();
  layer->inject(LAYER_ANY, 0, CL_SUCCESS);
  expect_set_and_filled(mapper, rect, line);
  support_succeed(vptr_free(mapper, rect));
  support_succeed(vptr_free(mapper, line));
  support_succeed(vptr_mapper_destroy(mapper));
  layer_objects after = layer->objects();
  ck_assert_msg(memcmp(&after, &before, sizeof after) == 0, "objects are left after %s failed", layer->name(call));
  return fired;
}

START_TEST(whatever_fails_of_a_set_fills_and_copies_do_it) {
  static const layer_call steps[] = { LAYER_CREATE_PROGRAM_WITH_SOURCE, LAYER_BUILD_PROGRAM, LAYER_CREATE_KERNEL,
                                      LAYER_SET_KERNEL_ARG, LAYER_ENQUEUE_ND_RANGE_KERNEL };
  long kernels, failed = 0;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    for (long n = 1; n < ENOUGH && set_with_fault(steps[i], n, &kernels); n++)
      failed++;
  ck_assert_int_ge(failed, 1 + 1 + VPTR__OPENCL_BLIT_KERNELS + 22 + 2);
}
END_TEST

START_TEST(a_set_and_a_fill_are_a_kernel_each) {
  long kernels, copies = layer->calls(LAYER_ENQUEUE_COPY_BUFFER_RECT);
  set_with_fault(LAYER_ANY, 0, &kernels);
  ck_assert_int_eq(kernels, 2);
  ck_assert_int_eq(fills_of_set, 0);
  ck_assert_int_eq(layer->calls(LAYER_ENQUEUE_COPY_BUFFER_RECT) - copies, 0);
}
END_TEST

/* ---- which way ------------------------------------------------------------------------------------------ */

static void set_times(vptr__opencl_trial *trial, unsigned ways, unsigned quickest) {
  *trial = (vptr__opencl_trial){ .state = VPTR__OPENCL_TRIAL_OVER, .ways = ways };
  for (unsigned i = 0; i < ways; i++)
    trial->ns[i] = i == quickest ? 10 : 20;
}

/* How many kernels the same work takes. */
static long kernels_of_work(void) {
  long before = layer->calls(LAYER_ENQUEUE_ND_RANGE_KERNEL);
  work_once();
  expect_bytes();
  return layer->calls(LAYER_ENQUEUE_ND_RANGE_KERNEL) - before;
}

START_TEST(the_quicker_way_is_taken) {
  open_device();
  vptr__opencl_blit *blit = &vptr__opencl_of(device)->blit;
  set_times(&blit->fill, 4, 0);
  set_times(&blit->copy, 4, 0);
  set_times(&blit->rect, 8, 0);
  ck_assert_int_eq(kernels_of_work(), 0);
  for (unsigned way = 1; way < 4; way++) {
    set_times(&blit->fill, 4, way);
    ck_assert_int_eq(kernels_of_work(), 1);
  }
  set_times(&blit->copy, 4, 2);
  ck_assert_int_eq(kernels_of_work(), 2);
  set_times(&blit->rect, 8, 1); /* rows of 16 bytes */
  ck_assert_int_eq(kernels_of_work(), 3);
  set_times(&blit->rect, 8, 3); /* longer ones alone */
  ck_assert_int_eq(kernels_of_work(), 2);
  close_device();
}
END_TEST

static Suite *blit_faults_suite(void) {
  Suite *suite = suite_create("blit faults");
  TCase *tests = tcase_create("layer");
  tcase_add_test(tests, whatever_fails_of_kernels_the_command_does_it);
  tcase_add_test(tests, whatever_fails_of_a_trial_the_command_does_it);
  tcase_add_test(tests, commands_of_a_trial_may_fail);
  tcase_add_test(tests, whatever_fails_of_a_set_fills_and_copies_do_it);
  tcase_add_test(tests, a_set_and_a_fill_are_a_kernel_each);
  tcase_add_test(tests, the_quicker_way_is_taken);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  if (!support_has_opencl()) {
    fputs("left out: faults come from an OpenCL platform; set VPTR_TEST_BACKEND\n", stderr);
    return LEFT_OUT;
  }
  setenv("VPTR_CACHE", "off", 1); /* what fails is compiling */
  layer = layer_install();
  return layer != NULL ? support_run(blit_faults_suite()) : LEFT_OUT;
}
