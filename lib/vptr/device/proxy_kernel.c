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
#include "device/proxy_apart.h"

#include <string.h>

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
  vptr__memory_free(kernel->shared);
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

static vptr_status grow(vptr__proxy_kernel *kernel, size_t index) {
  const size_t room = 2 * kernel->room > index ? 2 * kernel->room : index + 8;
  cl_mem *shared = vptr__memory_calloc(room, sizeof *shared);
  if (shared == NULL)
    return vptr__error_host_memory(room * sizeof *shared);
  if (kernel->room > 0)
    memcpy(shared, kernel->shared, kernel->room * sizeof *shared);
  vptr__memory_free(kernel->shared);
  kernel->shared = shared;
  kernel->room = room;
  return VPTR_SUCCESS;
}

/* Which arguments are host memory: launches send that to a device which keeps it apart. */
static vptr_status note_argument(vptr__proxy_kernel *kernel, cl_uint index, cl_mem buffer) {
  const bool is_shared = buffer != NULL && ((const vptr__proxy_buffer *)buffer)->kind == VPTR__PROXY_SHARED;
  if (is_shared && index >= kernel->room) {
    vptr_status status = grow(kernel, index);
    if (status != VPTR_SUCCESS)
      return status;
  }
  if (index < kernel->room)
    kernel->shared[index] = is_shared ? buffer : NULL;
  return VPTR_SUCCESS;
}

static vptr_status arg_buffer(vptr__device *face, cl_kernel kernel, cl_uint index, cl_mem buffer) {
  vptr_status noted = note_argument(kernel_of(kernel), index, buffer);
  if (noted != VPTR_SUCCESS)
    return noted;
  vptr__device *inner = vptr__proxy_enter(face);
  cl_kernel object = kernel_of(kernel)->inner;
  vptr_status status = object != NULL ? inner->ops->kernel.arg_buffer(inner, object, index, vptr__proxy_mem(buffer))
                                      : refuse_old(inner);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status arg_read(vptr__device *face, cl_kernel kernel, cl_uint index, cl_mem buffer) {
  vptr_status noted = note_argument(kernel_of(kernel), index, buffer);
  if (noted != VPTR_SUCCESS)
    return noted;
  vptr__device *inner = vptr__proxy_enter(face);
  cl_kernel object = kernel_of(kernel)->inner;
  vptr_status status =
      object != NULL ? inner->ops->kernel.arg_read(inner, object, index, vptr__proxy_mem(buffer)) : refuse_old(inner);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status arg_value(vptr__device *face, cl_kernel kernel, cl_uint index, const void *value, size_t size) {
  note_argument(kernel_of(kernel), index, NULL);
  vptr__device *inner = vptr__proxy_enter(face);
  cl_kernel object = kernel_of(kernel)->inner;
  vptr_status status =
      object != NULL ? inner->ops->kernel.arg_value(inner, object, index, value, size) : refuse_old(inner);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status arg_address(vptr__device *face, cl_kernel kernel, cl_uint index, uint64_t address) {
  note_argument(kernel_of(kernel), index, NULL);
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
  note_argument(kernel_of(kernel), index, NULL);
  vptr__device *inner = vptr__proxy_enter(face);
  cl_kernel object = kernel_of(kernel)->inner;
  vptr_status status = object != NULL ? inner->ops->kernel.arg_local(inner, object, index, size) : refuse_old(inner);
  vptr__proxy_leave(face);
  return status;
}

/* Inside. */
static vptr_status launch(vptr__proxy *proxy, vptr__device *inner, cl_command_queue queue,
                          const vptr__proxy_kernel *kernel, const size_t *const size[3], cl_event *room) {
  vptr__proxy_merge *merge;
  cl_event done = NULL;
  if (kernel->inner == NULL)
    return refuse_old(inner);
  vptr_status status = vptr__proxy_merge_begin(proxy, inner, queue, kernel, &merge);
  if (status != VPTR_SUCCESS)
    return status;
  status = inner->ops->kernel.enqueue(inner, queue, kernel->inner, size[0], size[1], size[2],
                                      merge != NULL ? &done : room);
  return merge != NULL ? vptr__proxy_merge_end(merge, status, done, room) : status;
}

static vptr_status enqueue(vptr__device *face, cl_command_queue queue, cl_kernel kernel, const size_t offset[3],
                           const size_t global[3], const size_t local[3], cl_event *event_out) {
  vptr__proxy_event *event;
  const size_t *const size[3] = { offset, global, local };
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = launch(face->proxy, inner, vptr__proxy_queue_of(inner, queue), kernel_of(kernel), size,
                              vptr__proxy_event_room(event));
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
  ops->kernel.arg_read = arg_read;
  ops->kernel.arg_value = arg_value;
  ops->kernel.arg_address = arg_address;
  ops->kernel.arg_local = arg_local;
  ops->kernel.enqueue = enqueue;
}
