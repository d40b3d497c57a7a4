/* SPDX-License-Identifier: MIT */
/*
 * joint_kernel - programs and kernels of a joint device (joint.h): one on each member.
 *
 * A kernel's arguments are kept here, and set on the member that runs it when it does (joint_launch.c): which one that
 * is depends on what commands before it do. So a launch has a copy of them. A program's binary is those of all members,
 * one behind the other.
 *
 * Arguments are one thread's at a time, which is the caller's to see to. vptr__joint_kernel.lock, of rank MAPPING,
 * guards the members' kernels, which threads of several queues set and send. Programs and kernels are made here, and
 * freed with their last reference. Called by joint.c, which has its table filled; by joint_launch.c; by
 * cudart/module/launch.c and reach.c, which say what a launch reaches; and through the device's table. Who calls
 * through the table are files of lib/cudart/module and program_kept.c. A build takes as long as those of all members.
 */
#include "device/joint.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

/* ---- programs --------------------------------------------------------------------------------------------- */

typedef struct joint_program {
  cl_program inner[VPTR__JOINT_MOST];
} joint_program;

static void free_program(vptr__joint *joint, joint_program *program) {
  for (unsigned i = 0; i < joint->count; i++)
    if (program->inner[i] != NULL)
      joint->members[i]->ops->kernel.program_release(joint->members[i], program->inner[i]);
  vptr__memory_free(program);
}

static void program_release(vptr__device *device, cl_program program) {
  free_program(device->joint, (joint_program *)program);
}

/* The i-th binary of those that are one behind the other, each after its length; NULL: there is none. */
static const unsigned char *find_binary(const vptr__program_source *source, unsigned i, size_t *size_out) {
  const unsigned char *at = source->binary;
  size_t left = source->binary_size;
  uint64_t size = 0;
  for (unsigned seen = 0; seen <= i; seen++) {
    at += size;
    left -= size;
    if (left < sizeof size)
      return NULL;
    memcpy(&size, at, sizeof size);
    at += sizeof size;
    left -= sizeof size;
    if (size > left)
      return NULL;
  }
  *size_out = size;
  return at;
}

static vptr_status build_member(vptr__joint *joint, unsigned i, const vptr__program_source *source,
                                cl_program *program_out) {
  vptr__device *device = joint->members[i];
  vptr__program_source mine = *source;
  if (source->binary != NULL && (mine.binary = find_binary(source, i, &mine.binary_size)) == NULL)
    return vptr__error_cl(CL_INVALID_BINARY, "a binary that is not one of %u members of %s", joint->count,
                          joint->face.name);
  return device->ops->kernel.program_build(device, &mine, program_out);
}

static vptr_status program_build(vptr__device *device, const vptr__program_source *source, cl_program *program_out) {
  vptr__joint *joint = device->joint;
  joint_program *program = vptr__memory_calloc(1, sizeof *program);
  if (program == NULL)
    return vptr__error_host_memory(sizeof *program);
  vptr_status status = VPTR_SUCCESS;
  for (unsigned i = 0; i < joint->count && status == VPTR_SUCCESS; i++)
    status = build_member(joint, i, source, &program->inner[i]);
  if (status == VPTR_SUCCESS)
    *program_out = (cl_program)program;
  else
    free_program(joint, program);
  return status;
}

static vptr_status append_binary(unsigned char **all, size_t *all_size, const unsigned char *binary, size_t size) {
  const uint64_t length = size;
  unsigned char *longer = vptr__memory_calloc(*all_size + sizeof length + size, 1);
  if (longer == NULL)
    return vptr__error_host_memory(*all_size + sizeof length + size);
  if (*all != NULL)
    memcpy(longer, *all, *all_size);
  memcpy(longer + *all_size, &length, sizeof length);
  memcpy(longer + *all_size + sizeof length, binary, size);
  vptr__memory_free(*all);
  *all = longer;
  *all_size += sizeof length + size;
  return VPTR_SUCCESS;
}

static vptr_status program_binary(vptr__device *device, cl_program handle, unsigned char **binary_out,
                                  size_t *size_out) {
  const joint_program *program = (joint_program *)handle;
  vptr__joint *joint = device->joint;
  unsigned char *all = NULL;
  size_t all_size = 0;
  vptr_status status = VPTR_SUCCESS;
  for (unsigned i = 0; i < joint->count && status == VPTR_SUCCESS; i++) {
    unsigned char *binary;
    size_t size;
    status = joint->members[i]->ops->kernel.program_binary(joint->members[i], program->inner[i], &binary, &size);
    if (status != VPTR_SUCCESS)
      break;
    status = append_binary(&all, &all_size, binary, size);
    vptr__memory_free(binary);
  }
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(all);
    return status;
  }
  *binary_out = all;
  *size_out = all_size;
  return status;
}

/* ---- kernels ---------------------------------------------------------------------------------------------- */

static vptr__joint_kernel *kernel_of(cl_kernel handle) {
  return (vptr__joint_kernel *)handle;
}

void vptr__joint_argument_drop(vptr__joint *joint, vptr__joint_argument *argument) {
  if (argument->buffer != NULL)
    vptr__joint_buffer_drop(joint, argument->buffer);
  vptr__memory_free(argument->more);
  *argument = (vptr__joint_argument){ .kind = VPTR__JOINT_UNSET };
}

static void free_arguments(vptr__joint *joint, vptr__joint_argument *arguments, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    vptr__joint_argument_drop(joint, &arguments[i]);
  vptr__memory_free(arguments);
}

void vptr__joint_kernel_drop(vptr__joint *joint, vptr__joint_kernel *kernel) {
  if (atomic_fetch_sub_explicit(&kernel->references, 1, memory_order_acq_rel) > 1)
    return;
  for (unsigned i = 0; i < joint->count; i++)
    if (kernel->inner[i] != NULL)
      joint->members[i]->ops->kernel.release(joint->members[i], kernel->inner[i]);
  free_arguments(joint, kernel->arguments, kernel->argument_count);
  vptr__lock_fini(&kernel->lock);
  vptr__memory_free(kernel);
}

static vptr_status create(vptr__device *device, cl_program handle, const char *name, cl_kernel *kernel_out) {
  const joint_program *program = (joint_program *)handle;
  vptr__joint *joint = device->joint;
  vptr__joint_kernel *kernel = vptr__memory_calloc(1, sizeof *kernel);
  if (kernel == NULL)
    return vptr__error_host_memory(sizeof *kernel);
  atomic_init(&kernel->references, 1);
  vptr__lock_init(&kernel->lock, VPTR__RANK_MAPPING);
  snprintf(kernel->name, sizeof kernel->name, "%s", name);
  vptr_status status = VPTR_SUCCESS;
  for (unsigned i = 0; i < joint->count && status == VPTR_SUCCESS; i++)
    status = joint->members[i]->ops->kernel.create(joint->members[i], program->inner[i], name, &kernel->inner[i]);
  if (status == VPTR_SUCCESS)
    *kernel_out = (cl_kernel)kernel;
  else
    vptr__joint_kernel_drop(joint, kernel);
  return status;
}

static void release(vptr__device *device, cl_kernel kernel) {
  vptr__joint_kernel_drop(device->joint, kernel_of(kernel));
}

static void narrow_limits(vptr__kernel_limits *all, const vptr__kernel_limits *one) {
  all->group = vptr__smaller(all->group, one->group);
  all->multiple = vptr__larger(all->multiple, one->multiple);
  all->local_bytes = vptr__larger(all->local_bytes, one->local_bytes);
  all->private_bytes = vptr__larger(all->private_bytes, one->private_bytes);
}

static vptr_status limits(vptr__device *device, cl_kernel handle, vptr__kernel_limits *limits_out) {
  const vptr__joint_kernel *kernel = kernel_of(handle);
  vptr__joint *joint = device->joint;
  vptr__kernel_limits all = { .group = SIZE_MAX }, one;
  vptr_status status = VPTR_SUCCESS;
  for (unsigned i = 0; i < joint->count && status == VPTR_SUCCESS; i++) {
    status = joint->members[i]->ops->kernel.limits(joint->members[i], kernel->inner[i], &one);
    if (status == VPTR_SUCCESS)
      narrow_limits(&all, &one);
  }
  if (status == VPTR_SUCCESS)
    *limits_out = all;
  return status;
}

/* ---- arguments -------------------------------------------------------------------------------------------- */

static bool make_room(vptr__joint_kernel *kernel, unsigned need) {
  if (need <= kernel->argument_count)
    return true;
  const unsigned count = need < 8 ? 8 : 2 * need;
  vptr__joint_argument *arguments = vptr__memory_calloc(count, sizeof *arguments);
  if (arguments == NULL)
    return false;
  if (kernel->arguments != NULL)
    memcpy(arguments, kernel->arguments, kernel->argument_count * sizeof *arguments);
  vptr__memory_free(kernel->arguments);
  kernel->arguments = arguments;
  kernel->argument_count = count;
  return true;
}

/* Takes the argument over. */
static vptr_status set_argument(vptr__joint *joint, cl_kernel handle, cl_uint index, vptr__joint_argument argument) {
  vptr__joint_kernel *kernel = kernel_of(handle);
  if (!make_room(kernel, index + 1)) {
    vptr__joint_argument_drop(joint, &argument);
    return vptr__error_host_memory((index + 1) * sizeof argument);
  }
  vptr__joint_argument_drop(joint, &kernel->arguments[index]);
  kernel->arguments[index] = argument;
  return VPTR_SUCCESS;
}

static vptr_status set_buffer(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer, bool reads) {
  vptr__joint_argument argument = { .kind = VPTR__JOINT_BUFFER, .reads = reads };
  argument.buffer = vptr__joint_buffer_of(buffer);
  if (buffer != NULL)
    vptr__joint_buffer_keep(argument.buffer);
  return set_argument(device->joint, kernel, index, argument);
}

static vptr_status arg_buffer(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer) {
  return set_buffer(device, kernel, index, buffer, false);
}

static vptr_status arg_read(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer) {
  return set_buffer(device, kernel, index, buffer, true);
}

static vptr_status arg_value(vptr__device *device, cl_kernel kernel, cl_uint index, const void *value, size_t size) {
  vptr__joint_argument argument = { .kind = VPTR__JOINT_VALUE, .size = size };
  if (size > sizeof argument.few && (argument.more = vptr__memory_calloc(size, 1)) == NULL)
    return vptr__error_host_memory(size);
  memcpy(argument.more != NULL ? argument.more : argument.few, value, size);
  return set_argument(device->joint, kernel, index, argument);
}

static vptr_status arg_address(vptr__device *device, cl_kernel kernel, cl_uint index, uint64_t address) {
  (void)kernel;
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "argument %u is the address 0x%llx, and %s takes none", (unsigned)index,
                     (unsigned long long)address, device->name);
}

static vptr_status arg_local(vptr__device *device, cl_kernel kernel, cl_uint index, size_t size) {
  return set_argument(device->joint, kernel, index,
                      (vptr__joint_argument){ .kind = VPTR__JOINT_LOCAL, .size = size });
}

void vptr__joint_arg_reach(vptr__device *device, cl_kernel kernel, cl_uint index, const vptr__reach *reach) {
  (void)device;
  kernel_of(kernel)->arguments[index].reach = *reach;
}

void vptr__joint_divide_along(vptr__device *device, cl_kernel kernel, unsigned axis) {
  (void)device;
  kernel_of(kernel)->axis = axis;
}

bool vptr__joint_argument_copy(vptr__joint_argument *to, const vptr__joint_argument *from) {
  *to = *from;
  if (from->more != NULL && (to->more = vptr__memory_calloc(from->size, 1)) == NULL) {
    to->buffer = NULL;
    return false;
  }
  if (from->more != NULL)
    memcpy(to->more, from->more, from->size);
  if (to->buffer != NULL)
    vptr__joint_buffer_keep(to->buffer);
  return true;
}

static vptr_status enqueue(vptr__device *device, cl_command_queue queue, cl_kernel kernel, const size_t offset[3],
                           const size_t global[3], const size_t local[3], cl_event *event_out) {
  return vptr__joint_launch(device->joint, queue, kernel_of(kernel), offset, global, local, event_out);
}

void vptr__joint_kernel_ops(vptr__device_ops *ops) {
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
