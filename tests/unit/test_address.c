/* SPDX-License-Identifier: MIT */
/*
 * Kernel arguments, and the device's own addresses among them. Left out on the fake device, which runs no kernels.
 */
#include "base/error.h"
#include "base/memory.h"
#include "device/device.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { LEFT_OUT = 77 };

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

static const char add_source[] = "__kernel void add(__global int *to, __global const int *from, int by)\n"
                                 "{ if (to) *to = by + (from ? *from : 0); }\n";

static cl_kernel new_kernel(cl_program *program_out) {
  const char *text = add_source;
  cl_int code;
  *program_out = clCreateProgramWithSource(device->cl_context, 1, &text, NULL, &code);
  ck_assert_int_eq(clBuildProgram(*program_out, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(*program_out, "add", &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  return kernel;
}

static void run_kernel(cl_kernel kernel) {
  const size_t one = 1;
  ck_assert_int_eq(clEnqueueNDRangeKernel(device->cl_queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL), CL_SUCCESS);
}

START_TEST(arguments_are_buffers_values_and_null) {
  cl_program program;
  cl_kernel kernel = new_kernel(&program);
  cl_mem to = make(4), from = make(4);
  int five = 5, seven = 7, in = 0;
  support_succeed(device->ops->transfer.write(device, from, 0, &seven, 4));
  support_succeed(device->ops->kernel.arg_buffer(device, kernel, 0, to));
  support_succeed(device->ops->kernel.arg_buffer(device, kernel, 1, from));
  support_succeed(device->ops->kernel.arg_value(device, kernel, 2, &five, sizeof five));
  run_kernel(kernel);
  support_succeed(device->ops->transfer.read(device, to, 0, &in, 4));
  ck_assert_int_eq(in, 12);
  support_succeed(device->ops->kernel.arg_buffer(device, kernel, 1, NULL));
  run_kernel(kernel);
  support_succeed(device->ops->transfer.read(device, to, 0, &in, 4));
  ck_assert_int_eq(in, 5);
  support_expect(VPTR_ERROR_OPENCL, device->ops->kernel.arg_value(device, kernel, 9, &five, sizeof five));
  ck_assert_int_eq(vptr_last_cl_error(), CL_INVALID_ARG_INDEX);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  release(from);
  release(to);
}
END_TEST

/* PoCL and NVIDIA's driver take addresses (measured); on another driver this says that it was left out. */
START_TEST(a_device_address_reaches_its_byte) {
  cl_mem buffer = make(4096), part = NULL;
  uint64_t address = 0, again = 1, inside = 0;
  vptr_status status = device->ops->memory.address(device, buffer, &address);
  if (status == VPTR_ERROR_UNSUPPORTED) {
    printf("left out: %s takes no addresses\n", device->name);
    release(buffer);
    return;
  }
  support_succeed(status);
  support_succeed(device->ops->memory.address(device, buffer, &again));
  ck_assert_uint_eq(again, address);
  support_succeed(device->ops->memory.create_sub(device, buffer, device->alignment, 8, &part));
  support_succeed(device->ops->memory.address(device, part, &inside));
  ck_assert_uint_eq(inside, address + device->alignment);

  cl_program program;
  cl_kernel kernel = new_kernel(&program);
  int five = 5, seven = 7, in[2] = { 0, 0 };
  support_succeed(device->ops->transfer.write(device, buffer, 1028, &seven, 4));
  support_succeed(device->ops->kernel.arg_address(device, kernel, 0, address + 1024));
  support_succeed(device->ops->kernel.arg_address(device, kernel, 1, address + 1028));
  support_succeed(device->ops->kernel.arg_value(device, kernel, 2, &five, sizeof five));
  run_kernel(kernel);
  support_succeed(device->ops->transfer.read(device, buffer, 1024, in, 8));
  ck_assert_int_eq(in[0], 12);
  ck_assert_int_eq(in[1], 7);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  release(part);
  release(buffer);
}
END_TEST

static Suite *address_suite(void) {
  Suite *suite = suite_create("address");
  TCase *tests = tcase_create("address");
  tcase_add_checked_fixture(tests, open_device, close_device);
  tcase_add_test(tests, arguments_are_buffers_values_and_null);
  tcase_add_test(tests, a_device_address_reaches_its_byte);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  if (!support_has_opencl()) {
    fputs("left out: needs an OpenCL platform; set VPTR_TEST_BACKEND\n", stderr);
    return LEFT_OUT;
  }
  return support_run(address_suite());
}
