/* SPDX-License-Identifier: MIT */
/*
 * proxy_kernel - programs and kernels of a proxy (proxy.h).
 *
 * A program is text for one device, and what text that is depends on the device. So programs and kernels do not go
 * along when the device is exchanged: those above build theirs anew for a face of another generation (device.h), at
 * the next launch. A handle of before is then nothing but something to be released, and a command with it is refused.
 *
 * vptr__proxy.lock, of rank LEAF, guards the lists of handles (`programs`, `kernels`, `events`), and the gate that each
 * call passes. A kernel's arguments are one thread's at a time, which is the caller's to see to. Called by proxy.c,
 * which has its table filled, and through the device's table. Who calls through the table are files of
 * lib/cudart/module and lib/cudart/cuda, mapper/kernel_argument.c and program_kept.c. Calls wait while a device is
 * exchanged.
 */
#include "device/proxy.h"

#include "base/error.h"
#include "base/memory.h"

static vptr__proxy_kernel *kernel_of(cl_kernel handle) {
  return (vptr__proxy_kernel *)handle;
}

static vptr_status refuse_old(const vptr__device *inner) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "a kernel or program was built before its mapper went to %s: build it for that device",
                     inner->name);
}

/* ---- programs ------------------------------------------------------------------------------------------- */

static vptr_status program_build(vptr__device *face, const vptr__program_source *source, cl_program *program_out) {
  vptr__proxy_program *program = vptr__memory_calloc(1, sizeof *program);
  if (program == NULL)
    return vptr__error_host_memory(sizeof *program);
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->kernel.program_build(inner, source, &program->inner);
  if (status == VPTR_SUCCESS) {
    vptr__proxy_enter_list(face->proxy, &face->proxy->programs, &program->link);
    *program_out = (cl_program)program;
  }
  vptr__proxy_leave(face);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(program);
  return status;
}

static vptr_status program_binary(vptr__device *face, cl_program handle, unsigned char **binary_out,
                                  size_t *size_out) {
  const vptr__proxy_program *program = (const vptr__proxy_program *)handle;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = program->inner != NULL
                           ? inner->ops->kernel.program_binary(inner, program->inner, binary_out, size_out)
                           : refuse_old(inner);
  vptr__proxy_leave(face);
  return status;
}

static void program_release(vptr__device *face, cl_program handle) {
  vptr__proxy_program *program = (vptr__proxy_program *)handle;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__proxy_leave_list(face->proxy, &face->proxy->programs, &program->link);
  if (program->inner != NULL)
    inner->ops->kernel.program_release(inner, program->inner);
  vptr__proxy_leave(face);
  vptr__memory_free(program);
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

static vptr_status create(vptr__device *face, cl_program handle, const char *name, cl_kernel *kernel_out) {
  const vptr__proxy_program *program = (const vptr__proxy_program *)handle;
  vptr__proxy_kernel *kernel = vptr__memory_calloc(1, sizeof *kernel);
  if (kernel == NULL)
    return vptr__error_host_memory(sizeof *kernel);
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = program->inner != NULL ? inner->ops->kernel.create(inner, program->inner, name, &kernel->inner)
                                              : refuse_old(inner);
  if (status == VPTR_SUCCESS) {
    vptr__proxy_enter_list(face->proxy, &face->proxy->kernels, &kernel->link);
    *kernel_out = (cl_kernel)kernel;
  }
  vptr__proxy_leave(face);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(kernel);
  return status;
}

static void release(vptr__device *face, cl_kernel handle) {
  vptr__proxy_kernel *kernel = kernel_of(handle);
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__proxy_leave_list(face->proxy, &face->proxy->kernels, &kernel->link);
  if (kernel->inner != NULL)
    inner->ops->kernel.release(inner, kernel->inner);
  vptr__proxy_leave(face);
  vptr__memory_free(kernel);
}

static vptr_status limits(vptr__device *face, cl_kernel kernel, vptr__kernel_limits *limits_out) {
  vptr__device *inner = vptr__proxy_enter(face);
  cl_kernel object = kernel_of(kernel)->inner;
  vptr_status status = object != NULL ? inner->ops->kernel.limits(inner, object, limits_out) : refuse_old(inner);
  vptr__proxy_leave(face);
  return status;
}

/* ---- arguments ------------------------------------------------------------------------------------------ */

static vptr_status arg_buffer(vptr__device *face, cl_kernel kernel, cl_uint index, cl_mem buffer) {
  vptr__device *inner = vptr__proxy_enter(face);
  cl_kernel object = kernel_of(kernel)->inner;
  vptr_status status = object != NULL ? inner->ops->kernel.arg_buffer(inner, object, index, vptr__proxy_mem(buffer))
                                      : refuse_old(inner);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status arg_value(vptr__device *face, cl_kernel kernel, cl_uint index, const void *value, size_t size) {
  vptr__device *inner = vptr__proxy_enter(face);
  cl_kernel object = kernel_of(kernel)->inner;
  vptr_status status =
      object != NULL ? inner->ops->kernel.arg_value(inner, object, index, value, size) : refuse_old(inner);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status arg_address(vptr__device *face, cl_kernel kernel, cl_uint index, uint64_t address) {
  vptr__device *inner = vptr__proxy_enter(face);
  cl_kernel object = kernel_of(kernel)->inner;
  vptr_status status =
      object != NULL ? inner->ops->kernel.arg_address(inner, object, index, address) : refuse_old(inner);
  if (inner->gave_address)
    face->gave_address = true;
  vptr__proxy_leave(face);
  return status;
}

static vptr_status arg_local(vptr__device *face, cl_kernel kernel, cl_uint index, size_t size) {
  vptr__device *inner = vptr__proxy_enter(face);
  cl_kernel object = kernel_of(kernel)->inner;
  vptr_status status = object != NULL ? inner->ops->kernel.arg_local(inner, object, index, size) : refuse_old(inner);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status enqueue(vptr__device *face, cl_command_queue queue, cl_kernel kernel, const size_t offset[3],
                           const size_t global[3], const size_t local[3], cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  cl_kernel object = kernel_of(kernel)->inner;
  vptr_status status = object != NULL
                           ? inner->ops->kernel.enqueue(inner, vptr__proxy_queue_of(inner, queue), object, offset,
                                                        global, local, vptr__proxy_event_room(event))
                           : refuse_old(inner);
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

void vptr__proxy_kernel_ops(vptr__device_ops *ops) {
  ops->kernel.program_build = program_build;
  ops->kernel.program_binary = program_binary;
  ops->kernel.program_release = program_release;
  ops->kernel.create = create;
  ops->kernel.release = release;
  ops->kernel.limits = limits;
  ops->kernel.arg_buffer = arg_buffer;
  ops->kernel.arg_value = arg_value;
  ops->kernel.arg_address = arg_address;
  ops->kernel.arg_local = arg_local;
  ops->kernel.enqueue = enqueue;
}
