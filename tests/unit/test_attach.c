/* SPDX-License-Identifier: MIT */
/*
 * attach - buffers of the caller's on a real OpenCL device, and mappers on the caller's own OpenCL objects.
 */
#include <string.h>

#include <vptr/vptr.h>

#include "support/support.h"

static cl_uint references(cl_mem buffer) {
  cl_uint count = 0;
  ck_assert_int_eq(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL), CL_SUCCESS);
  return count;
}

START_TEST(the_reference_count_is_what_it_was) {
  vptr_mapper *mapper;
  support_succeed(vptr_mapper_create(NULL, &mapper));
  cl_int code;
  cl_mem buffer = clCreateBuffer(vptr_get_context(mapper), CL_MEM_READ_WRITE, 40000, NULL, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  ck_assert_uint_eq(references(buffer), 1);
  void *ptr, *again;
  support_succeed(vptr_attach(mapper, buffer, &ptr));
  support_succeed(vptr_attach(mapper, buffer, &again));
  ck_assert_uint_eq(references(buffer), 3);
  support_succeed(vptr_memset(mapper, ptr, 9, 40000));
  unsigned char byte = 0;
  ck_assert_int_eq(clEnqueueReadBuffer(vptr_get_queue(mapper), buffer, CL_TRUE, 39999, 1, &byte, 0, NULL, NULL),
                   CL_SUCCESS);
  ck_assert_int_eq(byte, 9);
  support_succeed(vptr_free(mapper, ptr));
  ck_assert_uint_eq(references(buffer), 2);
  support_succeed(vptr_mapper_destroy(mapper));
  ck_assert_uint_eq(references(buffer), 1);
  clReleaseMemObject(buffer);
}
END_TEST

START_TEST(a_buffer_of_another_context_is_refused) {
  vptr_mapper *one, *two;
  support_succeed(vptr_mapper_create(NULL, &one));
  support_succeed(vptr_mapper_create(NULL, &two));
  cl_int code;
  cl_mem buffer = clCreateBuffer(vptr_get_context(two), CL_MEM_READ_WRITE, 100, NULL, &code);
  void *ptr = one;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_attach(one, buffer, &ptr));
  ck_assert_ptr_eq(ptr, one);
  ck_assert_uint_eq(references(buffer), 1);
  clReleaseMemObject(buffer);
  support_succeed(vptr_mapper_destroy(one));
  support_succeed(vptr_mapper_destroy(two));
}
END_TEST

START_TEST(a_mapper_stands_on_the_callers_context_and_queue) {
  vptr_mapper *donor, *mapper;
  support_succeed(vptr_mapper_create(NULL, &donor));
  vptr_config config = VPTR_CONFIG_INIT;
  config.context = vptr_get_context(donor);
  config.device = vptr_get_device(donor);
  config.queue = vptr_get_queue(donor);
  support_succeed(vptr_mapper_create(&config, &mapper));
  ck_assert(vptr_get_queue(mapper) == config.queue && vptr_get_context(mapper) == config.context);
  void *ptr;
  support_succeed(vptr_malloc(mapper, 1000, &ptr));
  support_succeed(vptr_memset(mapper, ptr, 1, 1000));
  support_succeed(vptr_mapper_destroy(mapper));
  support_succeed(vptr_finish(donor)); /* its objects are still its own */
  support_succeed(vptr_mapper_destroy(donor));
}
END_TEST

START_TEST(frees_wait_for_queues_that_were_named) {
  vptr_mapper *mapper;
  support_succeed(vptr_mapper_create(NULL, &mapper));
  cl_int code;
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(vptr_get_context(mapper), vptr_get_device(mapper), NULL, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  support_succeed(vptr_use_queue(mapper, queue));
  enum { SIZE = 32 << 20 };
  void *ptr;
  support_succeed(vptr_malloc(mapper, SIZE, &ptr));
  cl_mem buffer = vptr_get_buffer(mapper, ptr);
  cl_event filled;
  ck_assert_int_eq(clEnqueueFillBuffer(queue, buffer, "x", 1, 0, SIZE, 0, NULL, &filled), CL_SUCCESS);
  support_succeed(vptr_free(mapper, ptr));
  cl_int state;
  ck_assert_int_eq(clGetEventInfo(filled, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL), CL_SUCCESS);
  ck_assert_int_eq(state, CL_COMPLETE);
  clReleaseEvent(filled);
  support_succeed(vptr_drop_queue(mapper, queue));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_drop_queue(mapper, queue));
  clReleaseCommandQueue(queue);
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

static Suite *attach_suite(void) {
  Suite *suite = suite_create("attach");
  TCase *attach = tcase_create("attach");
  if (support_has_opencl()) {
    tcase_add_test(attach, the_reference_count_is_what_it_was);
    tcase_add_test(attach, a_buffer_of_another_context_is_refused);
    tcase_add_test(attach, a_mapper_stands_on_the_callers_context_and_queue);
    tcase_add_test(attach, frees_wait_for_queues_that_were_named);
  }
  suite_add_tcase(suite, attach);
  return suite;
}

int main(void) {
  return support_run(attach_suite());
}
