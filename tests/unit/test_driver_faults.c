/* SPDX-License-Identifier: MIT */
/*
 * driver faults - promise 6 with a real driver: every OpenCL call that a program's life makes fails once.
 *
 * A layer under the ICD loader (tests/layer) fails the n-th call, for n = 1, 2, 3 ... until a whole life of a
 * mapper passes without meeting it. A failed call must be reported, leave the mapper sound and usable, and leak
 * no OpenCL object. test_faults.c does the same, faster and for more, on the fake device.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "layer/layer.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define MIB ((size_t)1 << 20)

static const layer_control *layer;

typedef struct life {
  vptr_mapper *mapper;
  char *small, *large;
  int failures;
} life;

static void note(life *life, vptr_status status) {
  if (status == VPTR_SUCCESS)
    return;
  life->failures++;
  ck_assert_str_ne(vptr_last_error(), "");
}

static char *allocate(life *life, size_t size) {
  void *ptr = NULL;
  note(life, vptr_malloc(life->mapper, size, &ptr));
  return ptr;
}

static void move_data(life *life) {
  char host[1000] = { 0 };
  note(life, vptr_memset(life->mapper, life->small, 7, 1000));
  note(life, vptr_memcpy(life->mapper, life->large + 3, life->small, 1000));
  note(life, vptr_memcpy(life->mapper, life->large + 5, life->large + 3, 1000));
  note(life, vptr_memcpy(life->mapper, host, life->large + 5, 1000));
  note(life, vptr_fill(life->mapper, life->large, "abc", 3, 300));
  void *mapped;
  vptr_status status = vptr_map(life->mapper, life->small, 1000, VPTR_ACCESS_READ_WRITE, &mapped);
  note(life, status);
  if (status != VPTR_SUCCESS)
    return;
  status = vptr_unmap(life->mapper, mapped);
  note(life, status);
  if (status != VPTR_SUCCESS) /* nothing was changed, so it can be tried again */
    ck_assert_int_eq(vptr_unmap(life->mapper, mapped), VPTR_SUCCESS);
}

static void show_buffers(life *life) {
  if (vptr_get_buffer(life->mapper, life->small) == NULL)
    life->failures++;
  uint64_t address;
  note(life, vptr__heap_device_address(life->mapper->heap, life->large, &address));
  cl_mem buffer;
  size_t offset;
  vptr_status status = vptr_retain_buffer(life->mapper, life->large, &buffer, &offset);
  note(life, status);
  if (status != VPTR_SUCCESS)
    return;
  void *attached = NULL;
  status = vptr_attach(life->mapper, buffer, &attached);
  note(life, status);
  clReleaseMemObject(buffer);
  if (status == VPTR_SUCCESS)
    note(life, vptr_free(life->mapper, attached));
}

/* A whole life; returns how many calls failed. */
static int live(void) {
  life life = { 0 };
  vptr_status status = vptr_mapper_create(NULL, &life.mapper);
  note(&life, status);
  if (status != VPTR_SUCCESS)
    return life.failures;
  life.small = allocate(&life, 1000);
  life.large = allocate(&life, MIB);
  ck_assert_int_eq(vptr_check(life.mapper), VPTR_SUCCESS);
  if (life.small != NULL && life.large != NULL) {
    move_data(&life);
    show_buffers(&life);
  }
  ck_assert_int_eq(vptr_check(life.mapper), VPTR_SUCCESS);
  ck_assert_int_eq(vptr_free(life.mapper, life.small), VPTR_SUCCESS);
  ck_assert_int_eq(vptr_free(life.mapper, life.large), VPTR_SUCCESS);
  note(&life, vptr_finish(life.mapper));
  note(&life, vptr_mapper_destroy(life.mapper));
  return life.failures;
}

static void expect_no_objects(const char *after) {
  layer_objects objects = layer->objects();
  ck_assert_msg(
      objects.contexts == 0 && objects.queues == 0 && objects.buffers == 0 && objects.programs == 0 &&
          objects.kernels == 0 && objects.events == 0,
      "after a failed %s: %ld contexts, %ld queues, %ld buffers, %ld programs, %ld kernels, %ld events left", after,
      objects.contexts, objects.queues, objects.buffers, objects.programs, objects.kernels, objects.events);
}

static void fail_every_call(cl_int code) {
  int silent = 0;
  for (long n = 1;; n++) {
    layer->inject(LAYER_ANY, n, code);
    int failures = live();
    bool fired = layer->fired();
    layer_call where = layer->fired_in();
    layer->inject(LAYER_ANY, 0, CL_SUCCESS);
    if (!fired)
      break;
    expect_no_objects(layer->name(where));
    silent += failures == 0;
    ck_assert_int_lt(n, 2000);
  }
  /* What may be missing without harm: a property of the device that has a default, a second way to commit. */
  ck_assert_int_le(silent, 40);
  ck_assert_int_eq(live(), 0);
}

START_TEST(any_opencl_call_may_fail_once) {
  ck_assert_int_eq(live(), 0);
  expect_no_objects("nothing");
  fail_every_call(CL_OUT_OF_RESOURCES);
  fail_every_call(CL_OUT_OF_HOST_MEMORY);
}
END_TEST

START_TEST(a_device_without_room_for_one_buffer_more_says_so) {
  vptr_mapper *mapper;
  void *ptr = &mapper;
  support_succeed(vptr_mapper_create(NULL, &mapper));
  layer->inject(LAYER_CREATE_BUFFER, 1, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_malloc(mapper, 3 * MIB, &ptr));
  ck_assert_ptr_eq(ptr, &mapper);
  ck_assert_int_eq(vptr_last_cl_error(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  layer->inject(LAYER_ENQUEUE_FILL_BUFFER, 1, CL_MEM_OBJECT_ALLOCATION_FAILURE); /* by which it is committed */
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, vptr_malloc(mapper, MIB / 2, &ptr));
  support_succeed(vptr_malloc(mapper, 3 * MIB, &ptr));
  support_succeed(vptr_free(mapper, ptr)); /* now cached: */
  layer->inject(LAYER_CREATE_BUFFER, 1, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  support_succeed(vptr_malloc(mapper, 9 * MIB, &ptr)); /* the cache makes room, and the driver is asked again */
  support_succeed(vptr_mapper_destroy(mapper));
  expect_no_objects("buffer");
}
END_TEST

static Suite *driver_faults_suite(void) {
  Suite *suite = suite_create("driver faults");
  TCase *faults = tcase_create("faults");
  layer = support_has_opencl() ? layer_install() : NULL;
  if (layer != NULL) {
    tcase_add_test(faults, any_opencl_call_may_fail_once);
    tcase_add_test(faults, a_device_without_room_for_one_buffer_more_says_so);
  }
  suite_add_tcase(suite, faults);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1); /* or the second life compiles nothing */
  return support_run(driver_faults_suite());
}
