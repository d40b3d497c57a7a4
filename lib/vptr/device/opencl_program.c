/* SPDX-License-Identifier: MIT */
/*
 * opencl_program - programs and kernels: building, keeping what was built, and sending.
 *
 * A program is built for one device, from text or from the driver's own binary; PTX is a binary to NVIDIA's driver. A
 * binary that the driver does not take any more (it was updated, the file is another device's) is an error like any
 * other: whoever keeps binaries has the text too.
 *
 * No data and no locks: programs and kernels are their makers', and OpenCL's own calls may be made from any thread,
 * but for those on one kernel, which are the caller's to keep apart. Called through the device's table (opencl.c) by
 * program_kept.c, cudart/module/program.c, launch.c and address_word.c, proxy_kernel.c and proxy_stock.c; and by
 * opencl_helper.c; and by joint_kernel.c, joint_launch.c and cublas/tensor.c. A build blocks while the driver
 * compiles.
 */
#include "device/opencl.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"

#include <string.h>

/* ---- building ------------------------------------------------------------------------------------------- */

cl_program vptr__opencl_program_make(const vptr__device *device, const vptr__program_source *source,
                                     cl_int *code_out) {
  const bool is_text = source->binary == NULL;
  if (is_text && !source->is_ptx)
    return clCreateProgramWithSource(device->cl_context, 1, (const char *[]){ source->text },
                                     (const size_t[]){ source->length }, code_out);
  cl_int state = CL_SUCCESS;
  const unsigned char *binary = is_text ? (const unsigned char *)source->text : source->binary;
  cl_program program = clCreateProgramWithBinary(device->cl_context, 1, &device->cl_device,
                                                 is_text ? &source->length : &source->binary_size,
                                                 (const unsigned char *[]){ binary }, &state, code_out);
  if (*code_out == CL_SUCCESS && state != CL_SUCCESS) {
    clReleaseProgram(program);
    *code_out = state;
  }
  return program;
}

/* The first error in the log, or its beginning: a sentence has room for a few lines. */
static const char *essence_of(const char *log) {
  const char *error = strstr(log, "error");
  if (error == NULL)
    return log;
  while (error > log && error[-1] != '\n')
    error--;
  return error;
}

static vptr_status refuse_build(const vptr__device *device, cl_program program, const char *kernel, cl_int code) {
  size_t size = 0;
  char *log = NULL;
  if (clGetProgramBuildInfo(program, device->cl_device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS)
    log = vptr__memory_calloc(size + 1, 1);
  if (log != NULL)
    clGetProgramBuildInfo(program, device->cl_device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  vptr_status status = vptr__error_cl(code, "building kernel%s%.100s on %s: %.380s", kernel != NULL ? " " : "s",
                                      kernel != NULL ? kernel : "", device->name,
                                      log != NULL && log[0] != 0 ? essence_of(log) : "the driver gives no reason");
  vptr__memory_free(log);
  return status;
}

vptr_status vptr__opencl_program_build(vptr__device *device, const vptr__program_source *source,
                                       cl_program *program_out) {
  cl_int code;
  cl_program program = vptr__opencl_program_make(device, source, &code);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "making a program of %zu bytes for %s",
                          source->binary == NULL ? source->length : source->binary_size, device->name);
  code = clBuildProgram(program, 1, &device->cl_device, source->options, NULL, NULL);
  if (code != CL_SUCCESS) {
    vptr_status status = code == CL_COMPILER_NOT_AVAILABLE
                             ? vptr__error(VPTR_ERROR_UNSUPPORTED,
                                           "%s has no compiler of its own, so it runs no kernels", device->name)
                             : refuse_build(device, program, source->kernel, code);
    clReleaseProgram(program);
    return status;
  }
  *program_out = program;
  return VPTR_SUCCESS;
}

/* One device, one binary; but a program of a context with more devices has a place for each. */
vptr_status vptr__opencl_program_binary(vptr__device *device, cl_program program, unsigned char **binary_out,
                                        size_t *size_out) {
  cl_uint count = 0;
  size_t size = 0;
  cl_int code = clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL);
  if (code == CL_SUCCESS && count != 1)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "a program of %u devices is not kept", (unsigned)count);
  if (code == CL_SUCCESS)
    code = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "asking %s for a program's binary", device->name);
  unsigned char *binary = vptr__memory_calloc(size + 1, 1);
  if (binary == NULL)
    return vptr__error_host_memory(size);
  code = clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
  if (code != CL_SUCCESS || size == 0) {
    vptr__memory_free(binary);
    return vptr__error_cl(code != CL_SUCCESS ? code : CL_INVALID_BINARY, "asking %s for a program's binary",
                          device->name);
  }
  *binary_out = binary;
  *size_out = size;
  return VPTR_SUCCESS;
}

void vptr__opencl_program_release(vptr__device *device, cl_program program) {
  (void)device;
  clReleaseProgram(program);
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

vptr_status vptr__opencl_kernel_create(vptr__device *device, cl_program program, const char *name,
                                       cl_kernel *kernel_out) {
  cl_int code;
  cl_kernel kernel = clCreateKernel(program, name, &code);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "making kernel %s for %s", name, device->name);
  *kernel_out = kernel;
  return VPTR_SUCCESS;
}

void vptr__opencl_kernel_release(vptr__device *device, cl_kernel kernel) {
  (void)device;
  clReleaseKernel(kernel);
}

/* NVIDIA's driver (580.159) says 256 of a kernel with 10 registers and of one with 255. Of the first it takes groups of
 * 1024; of the second it refuses those when they are sent (CL_OUT_OF_RESOURCES). */
static size_t largest_group(const vptr__device *device, size_t told) {
  enum { ALWAYS = 256 };
  return device->quirk.tells_no_group && told == ALWAYS ? device->max_group : told;
}

vptr_status vptr__opencl_kernel_limits(vptr__device *device, cl_kernel kernel, vptr__kernel_limits *limits_out) {
  const cl_device_id id = device->cl_device;
  cl_ulong local = 0, own = 0;
  size_t group = 0, multiple = 0;
  cl_int code = clGetKernelWorkGroupInfo(kernel, id, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL);
  if (code == CL_SUCCESS)
    code = clGetKernelWorkGroupInfo(kernel, id, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple,
                                    &multiple, NULL);
  if (code == CL_SUCCESS)
    code = clGetKernelWorkGroupInfo(kernel, id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
  if (code == CL_SUCCESS)
    code = clGetKernelWorkGroupInfo(kernel, id, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof own, &own, NULL);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "asking %s for a kernel's limits", device->name);
  *limits_out = (vptr__kernel_limits){ largest_group(device, group), multiple, local, own };
  return VPTR_SUCCESS;
}

VPTR__HOT vptr_status vptr__opencl_enqueue_kernel(vptr__device *device, cl_command_queue queue, cl_kernel kernel,
                                                  const size_t offset[3], const size_t global[3],
                                                  const size_t local[3], cl_event *event_out) {
  cl_int code = clEnqueueNDRangeKernel(queue, kernel, 3, offset, global, local, 0, NULL, event_out);
  return code == CL_SUCCESS
             ? VPTR_SUCCESS
             : vptr__error_cl(code, "queueing a kernel of %zux%zux%zu work-items in groups of %zux%zux%zu on %s",
                              global[0], global[1], global[2], local[0], local[1], local[2], device->name);
}
