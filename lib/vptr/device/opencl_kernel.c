/* SPDX-License-Identifier: MIT */
/*
 * opencl_kernel - sets the arguments of kernels.
 *
 * Three ways to say the same to a kernel: a buffer from its first byte, a plain value, or a device address by the call
 * that OpenCL 2.0 made for shared virtual memory, which takes any address of the device where opencl_address.c found
 * that it does.
 *
 * No data and no locks: a kernel is one thread's at a time, as OpenCL has it. The kernels of modules have a lock each
 * for that, of rank MAPPING (cudart/module/program.c), which callers hold; a program sees to its own. Called through
 * the device's table (opencl.c) by cudart/module/launch.c and address_word.c, cudart/cuda/texture_object.c and
 * surface.c, mapper/kernel_argument.c and proxy_kernel.c, joint_launch.c and cublas/tensor.c.
 */
#include "device/opencl.h"

#include "base/error.h"
#include "base/hot.h"

static vptr_status argument_status(cl_int code, const char *what, cl_uint index) {
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "setting kernel argument %u to %s", index, what);
}

vptr_status vptr__opencl_arg_buffer(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer) {
  (void)device;
  return argument_status(clSetKernelArg(kernel, index, sizeof buffer, &buffer), "a buffer", index);
}

VPTR__HOT vptr_status vptr__opencl_arg_value(vptr__device *device, cl_kernel kernel, cl_uint index, const void *value,
                                             size_t size) {
  (void)device;
  return argument_status(clSetKernelArg(kernel, index, size, value), "a value", index);
}

vptr_status vptr__opencl_arg_address(vptr__device *device, cl_kernel kernel, cl_uint index, uint64_t address) {
  (void)device;
  return argument_status(clSetKernelArgSVMPointer(kernel, index, (const void *)(uintptr_t)address),
                         "a device address", index);
}

vptr_status vptr__opencl_arg_local(vptr__device *device, cl_kernel kernel, cl_uint index, size_t size) {
  (void)device;
  return argument_status(clSetKernelArg(kernel, index, size, NULL), "local memory", index);
}
