/* SPDX-License-Identifier: MIT */
#include "joined.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/fake.h"
#include "support/support.h"

static const char mix_text[] =
    "__kernel void stir(__global uint *to, ulong to_at, __global const uint *from, ulong from_at)\n"
    "{ size_t i = get_global_id(0); to[to_at / 4 + i] = to[to_at / 4 + i] * 31u + from[from_at / 4 + i]; }\n";

static void stir(const vptr__fake_launch *launch) {
  uint32_t *to = launch->arguments[0], *from = launch->arguments[2];
  const size_t to_at = *(cl_ulong *)launch->arguments[1] / 4, from_at = *(cl_ulong *)launch->arguments[3] / 4;
  for (size_t i = 0; i < launch->global[0]; i++)
    to[to_at + i] = to[to_at + i] * 31 + from[from_at + i];
}

void joined_stir(unsigned char *to, const unsigned char *from, size_t words) {
  for (size_t i = 0; i < words; i++) {
    uint32_t a, b;
    memcpy(&a, to + 4 * i, 4);
    memcpy(&b, from + 4 * i, 4);
    a = a * 31 + b;
    memcpy(to + 4 * i, &a, 4);
  }
}

void joined_begin(void) {
  setenv("VPTR_STRIPE", "all:65536", 1);
  setenv("POCL_DEVICES", "pthread pthread", 0);
  vptr__fake_define("stir", stir);
}

/* Three fake devices; of a platform as many as there are. */
vptr__device *joined_open(void) {
  vptr__device *device;
  if (!support_has_opencl())
    setenv("VPTR_PARTITION", "3", 1);
  support_succeed(vptr__device_open(NULL, 0, &device));
  ck_assert_ptr_nonnull(device->joint);
  return device;
}

void joined_close(vptr__device *device, cl_program program, cl_kernel kernel, long live_before) {
  vptr__fake_counts counts;
  device->ops->kernel.release(device, kernel);
  device->ops->kernel.program_release(device, program);
  vptr__device_close(device);
  ck_assert_int_eq(vptr__memory_live(), live_before);
  vptr__fake_get_counts(&counts);
  ck_assert_uint_eq(counts.buffers, 0);
  ck_assert_uint_eq(counts.events, 0);
  ck_assert_uint_eq(counts.queues, 0);
}

cl_mem joined_make(vptr__device *device, size_t bytes, unsigned char byte) {
  cl_mem buffer = NULL;
  support_succeed(device->ops->memory.create_set(device, bytes, byte, &buffer));
  return buffer;
}

cl_kernel joined_kernel(vptr__device *device, cl_program *program_out) {
  const vptr__program_source source = { .text = mix_text, .length = sizeof mix_text - 1, .options = "" };
  cl_kernel kernel;
  support_succeed(device->ops->kernel.program_build(device, &source, program_out));
  support_succeed(device->ops->kernel.create(device, *program_out, "stir", &kernel));
  return kernel;
}

vptr_status joined_launch(vptr__device *device, cl_command_queue queue, cl_kernel kernel, const joined_words *to,
                          const joined_words *from, size_t words, cl_event *event_out) {
  const size_t none[3] = { 0, 0, 0 }, global[3] = { words, 1, 1 }, local[3] = { 1, 1, 1 };
  const cl_ulong to_at = to->offset, from_at = from->offset;
  vptr_status status = device->ops->kernel.arg_buffer(device, kernel, 0, to->buffer);
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.arg_value(device, kernel, 1, &to_at, sizeof to_at);
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.arg_read(device, kernel, 2, from->buffer);
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.arg_value(device, kernel, 3, &from_at, sizeof from_at);
  return status == VPTR_SUCCESS ? device->ops->kernel.enqueue(device, queue, kernel, none, global, local, event_out)
                                : status;
}
