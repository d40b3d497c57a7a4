/* SPDX-License-Identifier: MIT */
/*
 * fake_kernel - programs and kernels of the fake device: functions of the test program by name.
 *
 * There is no compiler here. A test defines a function for a kernel's name, and "building" any text gives a program
 * that has the functions whose names are known. So everything around kernels, arguments, order, lifetimes, kept
 * binaries, can be tested under sanitizers; what kernels compute is for devices that compute. A text with `#error` in
 * it does not build, and a binary that is none of ours is refused, as drivers do.
 *
 * A command holds its own copy of the arguments, and references to its buffers. The device has no addresses of its
 * own, so buffers are passed as buffers; an address is one of the process's (vptr__fake_take_system()).
 *
 * The fake device's mutex (fake_driver.h) guards the static table `functions`; operations take it for a moment, and it
 * is not held while a function runs. A program or a kernel is its maker's until it is released, and no lock guards its
 * arguments: they are one thread's at a time. Called through the device's table (fake.c) by the files of lib/cudart,
 * mapper/kernel_argument.c, program_kept.c, proxy_kernel.c and proxy_stock.c; by tests, which define functions
 * (fake.h); and by fake_command.c, which retains, runs and frees calls; and by joint_kernel.c, joint_launch.c and
 * cublas/tensor.c.
 */
#include "device/fake_driver.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 64, MOST_ARGUMENTS = 64, PROGRAM_MARK = 0x70726f67, KERNEL_MARK = 0x6b65726e };

static const char binary_head[] = "fake binary of\n";

typedef struct fake_program {
  uint32_t mark;
  size_t length;
  char *text;
} fake_program;

typedef struct fake_argument {
  cl_mem buffer; /* or NULL */
  void *plain;   /* memory of the process; NULL if it is none of that */
  size_t size;
  bool is_local;
  unsigned char *value; /* size bytes; NULL of a buffer and of local memory */
} fake_argument;

typedef struct fake_kernel {
  uint32_t mark;
  vptr__fake_function *run;
  fake_argument arguments[MOST_ARGUMENTS];
} fake_kernel;

/* A kernel that is queued: its arguments as they were then. */
struct vptr__fake_call {
  vptr__fake_function *run;
  size_t offset[3], global[3], local[3];
  fake_argument arguments[MOST_ARGUMENTS];
};

static struct {
  const char *name;
  vptr__fake_function *run;
} functions[MOST_FUNCTIONS]; /* under the mutex */

void vptr__fake_define(const char *name, vptr__fake_function *run) {
  vptr__fake_lock();
  int at = 0;
  while (at < MOST_FUNCTIONS && functions[at].name != NULL && strcmp(functions[at].name, name) != 0)
    at++;
  if (at >= MOST_FUNCTIONS) {
    vptr__fake_misused("more than %d kernels", (int)MOST_FUNCTIONS);
  } else {
    functions[at].name = name;
    functions[at].run = run;
  }
  vptr__fake_unlock();
}

/* ---- programs ------------------------------------------------------------------------------------------- */

static fake_program *program_of(cl_program handle) {
  fake_program *program = (fake_program *)handle;
  if (program == NULL || program->mark != PROGRAM_MARK)
    vptr__fake_misused("%p is no program", (void *)handle);
  return program;
}

static cl_int make_program(const char *text, size_t length, cl_program *program_out) {
  fake_program *program = calloc(1, sizeof *program);
  char *copy = malloc(length + 1);
  if (program == NULL || copy == NULL) {
    free(program);
    free(copy);
    return CL_OUT_OF_HOST_MEMORY;
  }
  memcpy(copy, text, length);
  copy[length] = 0;
  *program = (fake_program){ .mark = PROGRAM_MARK, .length = length, .text = copy };
  *program_out = (cl_program)program;
  return CL_SUCCESS;
}

vptr_status vptr__fake_program_build(vptr__device *device, const vptr__program_source *source,
                                     cl_program *program_out) {
  const size_t head = sizeof binary_head - 1;
  const char *text = source->text;
  size_t length = source->length;
  cl_int code = vptr__fake_begin();
  if (code == CL_SUCCESS && source->is_ptx && device->ptx == 0)
    code = CL_INVALID_BINARY;
  if (code == CL_SUCCESS && source->binary != NULL) {
    bool ours = source->binary_size >= head && memcmp(source->binary, binary_head, head) == 0;
    code = ours ? CL_SUCCESS : CL_INVALID_BINARY;
    text = (const char *)source->binary + head;
    length = source->binary_size - head;
  }
  if (code == CL_SUCCESS && memmem(text, length, "#error", 6) != NULL)
    code = CL_BUILD_PROGRAM_FAILURE;
  if (code == CL_SUCCESS)
    code = make_program(text, length, program_out);
  vptr__fake_unlock();
  return vptr__fake_answer(code, "building a program");
}

vptr_status vptr__fake_program_binary(vptr__device *device, cl_program handle, unsigned char **binary_out,
                                      size_t *size_out) {
  (void)device;
  const size_t head = sizeof binary_head - 1;
  const fake_program *program = program_of(handle);
  cl_int code = vptr__fake_begin();
  vptr__fake_unlock();
  unsigned char *binary = code == CL_SUCCESS ? vptr__memory_calloc(head + program->length, 1) : NULL;
  if (code == CL_SUCCESS && binary == NULL)
    return vptr__error_host_memory(head + program->length);
  if (code != CL_SUCCESS)
    return vptr__fake_answer(code, "asking for a program's binary");
  memcpy(binary, binary_head, head);
  memcpy(binary + head, program->text, program->length);
  *binary_out = binary;
  *size_out = head + program->length;
  return VPTR_SUCCESS;
}

void vptr__fake_program_release(vptr__device *device, cl_program handle) {
  (void)device;
  fake_program *program = program_of(handle);
  program->mark = 0;
  free(program->text);
  free(program);
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

static fake_kernel *kernel_of(cl_kernel handle) {
  fake_kernel *kernel = (fake_kernel *)handle;
  if (kernel == NULL || kernel->mark != KERNEL_MARK)
    vptr__fake_misused("%p is no kernel", (void *)handle);
  return kernel;
}

static vptr__fake_function *function_named(const char *name) {
  for (int i = 0; i < MOST_FUNCTIONS && functions[i].name != NULL; i++)
    if (strcmp(functions[i].name, name) == 0)
      return functions[i].run;
  return NULL;
}

vptr_status vptr__fake_kernel_create(vptr__device *device, cl_program handle, const char *name,
                                     cl_kernel *kernel_out) {
  (void)device;
  const fake_program *program = program_of(handle);
  cl_int code = vptr__fake_begin();
  vptr__fake_function *run = function_named(name);
  if (code == CL_SUCCESS && (run == NULL || memmem(program->text, program->length, name, strlen(name)) == NULL))
    code = CL_INVALID_KERNEL_NAME;
  fake_kernel *kernel = code == CL_SUCCESS ? calloc(1, sizeof *kernel) : NULL;
  vptr__fake_unlock();
  if (code == CL_SUCCESS && kernel == NULL)
    code = CL_OUT_OF_HOST_MEMORY;
  if (code == CL_SUCCESS) {
    kernel->mark = KERNEL_MARK;
    kernel->run = run;
    *kernel_out = (cl_kernel)kernel;
  }
  return vptr__fake_answer(code, "making a kernel");
}

static void clear_argument(fake_argument *argument) {
  free(argument->value);
  *argument = (fake_argument){ .buffer = NULL };
}

void vptr__fake_kernel_release(vptr__device *device, cl_kernel handle) {
  (void)device;
  fake_kernel *kernel = kernel_of(handle);
  for (int i = 0; i < MOST_ARGUMENTS; i++)
    clear_argument(&kernel->arguments[i]);
  kernel->mark = 0;
  free(kernel);
}

vptr_status vptr__fake_kernel_limits(vptr__device *device, cl_kernel handle, vptr__kernel_limits *limits_out) {
  kernel_of(handle);
  cl_int code = vptr__fake_begin();
  vptr__fake_unlock();
  if (code == CL_SUCCESS)
    *limits_out = (vptr__kernel_limits){ .group = device->max_group, .multiple = 32 };
  return vptr__fake_answer(code, "asking for a kernel's limits");
}

/* ---- arguments ------------------------------------------------------------------------------------------ */

/* Takes over argument.value. */
static vptr_status set_argument(cl_kernel handle, cl_uint index, fake_argument argument) {
  fake_kernel *kernel = kernel_of(handle);
  cl_int code = vptr__fake_begin();
  vptr__fake_unlock();
  if (code == CL_SUCCESS && index >= MOST_ARGUMENTS)
    code = CL_INVALID_ARG_INDEX;
  if (code != CL_SUCCESS) {
    free(argument.value);
    return vptr__fake_answer(code, "setting a kernel argument");
  }
  clear_argument(&kernel->arguments[index]);
  kernel->arguments[index] = argument;
  return VPTR_SUCCESS;
}

vptr_status vptr__fake_arg_buffer(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer) {
  (void)device;
  return set_argument(kernel, index, (fake_argument){ .buffer = buffer });
}

vptr_status vptr__fake_arg_value(vptr__device *device, cl_kernel kernel, cl_uint index, const void *value,
                                 size_t size) {
  (void)device;
  fake_argument argument = { .size = size, .value = malloc(size > 0 ? size : 1) };
  if (argument.value == NULL)
    return vptr__fake_answer(CL_OUT_OF_HOST_MEMORY, "setting a kernel argument");
  memcpy(argument.value, value, size);
  return set_argument(kernel, index, argument);
}

vptr_status vptr__fake_arg_plain(vptr__device *device, cl_kernel kernel, cl_uint index, uint64_t address) {
  (void)device;
  return set_argument(kernel, index, (fake_argument){ .plain = (void *)(uintptr_t)address });
}

vptr_status vptr__fake_arg_local(vptr__device *device, cl_kernel kernel, cl_uint index, size_t size) {
  (void)device;
  if (size == 0)
    vptr__fake_misused("local memory of no bytes");
  return set_argument(kernel, index, (fake_argument){ .size = size, .is_local = true });
}

/* ---- sending -------------------------------------------------------------------------------------------- */

static bool copy_value(fake_argument *argument) {
  const unsigned char *value = argument->value;
  if (value == NULL && !argument->is_local)
    return true;
  argument->value = calloc(argument->size > 0 ? argument->size : 1, 1);
  if (argument->value != NULL && value != NULL)
    memcpy(argument->value, value, argument->size);
  return argument->value != NULL;
}

void vptr__fake_call_free(vptr__fake_call *call) {
  if (call == NULL)
    return;
  for (int i = 0; i < MOST_ARGUMENTS; i++)
    free(call->arguments[i].value);
  free(call);
}

static vptr__fake_call *make_call(const fake_kernel *kernel) {
  vptr__fake_call *call = calloc(1, sizeof *call);
  if (call == NULL)
    return NULL;
  call->run = kernel->run;
  memcpy(call->arguments, kernel->arguments, sizeof call->arguments);
  bool whole = true;
  for (int i = 0; i < MOST_ARGUMENTS; i++)
    whole = copy_value(&call->arguments[i]) && whole;
  if (!whole) {
    vptr__fake_call_free(call);
    return NULL;
  }
  return call;
}

void vptr__fake_call_keep(const vptr__fake_call *call) {
  for (int i = 0; i < MOST_ARGUMENTS; i++)
    if (call->arguments[i].buffer != NULL)
      vptr__fake_buffer_keep(call->arguments[i].buffer);
}

void vptr__fake_call_let_go(const vptr__fake_call *call) {
  for (int i = 0; i < MOST_ARGUMENTS; i++)
    if (call->arguments[i].buffer != NULL)
      vptr__fake_buffer_drop(call->arguments[i].buffer);
}

void vptr__fake_call_do(const vptr__fake_call *call) {
  void *arguments[MOST_ARGUMENTS];
  vptr__fake_lock();
  for (int i = 0; i < MOST_ARGUMENTS; i++) {
    const fake_argument *argument = &call->arguments[i];
    arguments[i] = argument->buffer != NULL  ? vptr__fake_buffer_reach(argument->buffer, 0, 0, "kernel")
                   : argument->plain != NULL ? argument->plain
                                             : (void *)argument->value;
  }
  vptr__fake_unlock();
  const vptr__fake_launch launch = { call->offset, call->global, call->local, arguments };
  call->run(&launch);
}

static void check_launch(const vptr__device *device, const size_t offset[3], const size_t global[3],
                         const size_t local[3]) {
  size_t group = local[0] * local[1] * local[2];
  for (int i = 0; i < 3; i++)
    if (local[i] == 0 || global[i] == 0 || global[i] % local[i] != 0 || local[i] > device->max_items[i] ||
        global[i] > device->max_global || offset[i] > device->max_global - global[i])
      vptr__fake_misused("a kernel of %zu work-items from %zu in groups of %zu", global[i], offset[i], local[i]);
  if (group > device->max_group)
    vptr__fake_misused("groups of %zu work-items", group);
}

vptr_status vptr__fake_enqueue_kernel(vptr__device *device, cl_command_queue queue, cl_kernel handle,
                                      const size_t offset[3], const size_t global[3], const size_t local[3],
                                      cl_event *event_out) {
  check_launch(device, offset, global, local);
  vptr__fake_call *call = make_call(kernel_of(handle));
  if (call != NULL) {
    memcpy(call->offset, offset, sizeof call->offset);
    memcpy(call->global, global, sizeof call->global);
    memcpy(call->local, local, sizeof call->local);
  }
  return vptr__fake_enqueue_call(queue, call, event_out);
}
