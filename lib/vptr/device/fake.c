/* SPDX-License-Identifier: MIT */
/*
 * fake - the fake device's table of operations; opening and closing one; commands that block; faults and counts for
 * tests.
 *
 * The fake device's mutex (fake_driver.h) guards the planned faults (`operation_fault`, `command_fault`), what makes
 * every operation fail (`lost_by`) and vptr__fake_counted. What else tests set is atomic: `takes_system`,
 * `tells_addresses`, `takes_ptx`, `registered_by`; but `watched_host`, which they set beside no other thread.
 * `fake_ops` is constant. A device is its opener's until it is closed; all share buffers, queues and threads. Called by
 * platform.c, which opens devices; through the device's table by the files of lib/vptr and lib/cudart; by tests
 * (fake.h), which plan faults; and by the other files of the fake device, fake_*.c, for faults and counts.
 *
 * What blocks goes through the device's own queue like everything else, but is run by the thread that asks (see
 * fake_queue.c).
 */
#include "device/fake_driver.h"
#include "device/row.h"
#include "device/fake_image.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/option.h"
#include "device/budget.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BYTES ((uint64_t)64 << 30)

enum { ALIGNMENT = 512 };

vptr__fake_counts vptr__fake_counted;

/* An n-th that shall fail, counted down, and how many do from that one on; 0: none will. */
typedef struct planned_fault {
  long after, count;
  cl_int code;
} planned_fault;

static planned_fault operation_fault, command_fault;
static atomic_bool takes_system;
static cl_int lost_by; /* with what every operation fails; CL_SUCCESS: none does for this */

static cl_int count_down(planned_fault *fault) {
  if (fault->after <= 0 || --fault->after > 0)
    return CL_SUCCESS;
  fault->after = --fault->count > 0;
  return fault->code;
}

_Noreturn void vptr__fake_misused(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("vptr: fake device misused: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

cl_int vptr__fake_begin(void) {
  vptr__fake_lock();
  vptr__fake_counted.operations++;
  return lost_by != CL_SUCCESS ? lost_by : count_down(&operation_fault);
}

vptr_status vptr__fake_answer(cl_int code, const char *operation) {
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "fake device: %s", operation);
}

cl_int vptr__fake_command_fault(void) {
  return count_down(&command_fault);
}

/* ---- buffers -------------------------------------------------------------------------------------------- */

static vptr_status fake_buffer_create(vptr__device *device, size_t bytes, cl_mem *buffer_out) {
  vptr_status status = vptr__device_check_size(device, bytes);
  if (status != VPTR_SUCCESS)
    return status;
  cl_int code = vptr__fake_begin();
  if (code == CL_SUCCESS)
    code = vptr__fake_buffer_await(bytes, device->memory_bytes, buffer_out);
  uint64_t used = vptr__fake_counted.bytes;
  vptr__fake_unlock();
  if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE)
    return vptr__device_refuse_full(device, bytes, used);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__device_refuse(device, code, bytes);
}

/* The system gives it zeros. */
static vptr_status fake_buffer_create_set(vptr__device *device, size_t bytes, unsigned char byte,
                                          cl_mem *buffer_out) {
  vptr_status status = fake_buffer_create(device, bytes, buffer_out);
  if (status != VPTR_SUCCESS || byte == 0)
    return status;
  vptr__fake_lock();
  memset(vptr__fake_buffer_reach(*buffer_out, 0, bytes, "filling"), byte, bytes);
  vptr__fake_unlock();
  return status;
}

static vptr_status fake_buffer_of(vptr__device *device, const void *bytes, size_t size, cl_mem *buffer_out) {
  cl_mem buffer = NULL;
  vptr_status status = fake_buffer_create(device, size, &buffer);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__fake_lock();
  memcpy(vptr__fake_buffer_reach(buffer, 0, size, "filling"), bytes, size);
  vptr__fake_unlock();
  *buffer_out = buffer;
  return VPTR_SUCCESS;
}

static vptr_status report_unsupported(const char *what) {
  cl_int code = vptr__fake_begin();
  vptr__fake_unlock();
  if (code != CL_SUCCESS)
    return vptr__fake_answer(code, what);
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "the fake device cannot do it: %s; choose a real one by VPTR_PLATFORM",
                     what);
}

static vptr_status fake_row_create(vptr__device *device, size_t bytes, size_t part_bytes, vptr__row **row_out) {
  if (vptr__option_number(VPTR__OPTION_BUFFER_ROWS, 1) == 0)
    return report_unsupported("buffers one behind the other");
  cl_int code = vptr__fake_begin();
  vptr_status status = code == CL_SUCCESS ? vptr__fake_row_make(bytes, part_bytes, row_out) : VPTR_SUCCESS;
  vptr__fake_unlock();
  return code == CL_SUCCESS ? status : vptr__device_refuse(device, code, bytes);
}

static void fake_row_release(vptr__device *device, vptr__row *row) {
  (void)device;
  vptr__row_drop(row);
}

static vptr_status fake_row_part(vptr__device *device, vptr__row *row, size_t index, unsigned char byte,
                                 cl_mem *buffer_out) {
  const size_t bytes = vptr__row_part_bytes(row, index);
  cl_int code = vptr__fake_begin();
  if (code == CL_SUCCESS)
    code = vptr__fake_buffer_in_row(row, index, device->memory_bytes, byte, buffer_out);
  uint64_t used = vptr__fake_counted.bytes;
  vptr__fake_unlock();
  if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE)
    return vptr__device_refuse_full(device, bytes, used);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__device_refuse(device, code, bytes);
}

static void fake_buffer_retain(vptr__device *device, cl_mem buffer) {
  (void)device;
  vptr__fake_lock();
  vptr__fake_buffer_keep(buffer);
  vptr__fake_unlock();
}

static void fake_buffer_release(vptr__device *device, cl_mem buffer) {
  (void)device;
  vptr__fake_buffer_release(buffer);
}

static bool fake_buffer_is_shared(vptr__device *device, cl_mem buffer) {
  (void)device;
  return vptr__fake_buffer_references(buffer) > 1;
}

static vptr_status fake_sub_buffer(vptr__device *device, cl_mem root, size_t origin, size_t size,
                                   cl_mem *buffer_out) {
  cl_int code = vptr__fake_begin();
  if (code == CL_SUCCESS) {
    size_t offset;
    cl_mem whole = vptr__fake_buffer_whole(root, &offset);
    vptr__fake_buffer_reach(root, origin, size, "sub-buffer");
    code = vptr__fake_buffer_part(whole, offset + origin, size, device->alignment, buffer_out);
  }
  vptr__fake_unlock();
  return vptr__fake_answer(code, "making a sub-buffer");
}

static vptr_status fake_sub_buffer_set(vptr__device *device, cl_mem root, size_t origin, size_t size,
                                       unsigned char byte, cl_mem *buffer_out) {
  vptr_status status = fake_sub_buffer(device, root, origin, size, buffer_out);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__fake_lock();
  vptr__fake_buffer_set(*buffer_out, byte);
  vptr__fake_unlock();
  return status;
}

static vptr_status fake_buffer_size(vptr__device *device, cl_mem buffer, size_t *bytes_out) {
  (void)device;
  cl_int code = vptr__fake_begin();
  size_t bytes = vptr__fake_buffer_bytes(buffer);
  vptr__fake_unlock();
  if (code != CL_SUCCESS)
    return vptr__fake_answer(code, "asking for a buffer's size");
  if (bytes == 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is not a buffer of the fake device", (void *)buffer);
  *bytes_out = bytes;
  return VPTR_SUCCESS;
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

/* The last step of what blocks: under the mutex that begin() took, and lets go. */
static vptr_status run_blocking(cl_int code, vptr__device *device, vptr__fake_command *command,
                                const char *operation) {
  if (code == CL_SUCCESS)
    vptr__fake_queue_run_here(vptr__fake_queue_find(device->cl_queue, operation), command);
  vptr__fake_unlock();
  return vptr__fake_answer(code, operation);
}

static vptr_status fake_write(vptr__device *device, cl_mem buffer, size_t offset, const void *from, size_t size) {
  vptr__fake_command command = { 0 };
  cl_int code = vptr__fake_begin();
  vptr__fake_move_write(&command.move, buffer, offset, from, size);
  return run_blocking(code, device, &command, "writing");
}

static vptr_status fake_read(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size) {
  vptr__fake_command command = { 0 };
  cl_int code = vptr__fake_begin();
  vptr__fake_move_read(&command.move, buffer, offset, to, size);
  return run_blocking(code, device, &command, "reading");
}

static vptr_status fake_copy(vptr__device *device, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                             size_t size) {
  vptr__fake_command command = { 0 };
  cl_int code = vptr__fake_begin();
  vptr__fake_move_copy(&command.move, from, from_offset, to, to_offset, size);
  return run_blocking(code, device, &command, "copying");
}

static vptr_status fake_fill(vptr__device *device, cl_mem buffer, size_t offset, size_t size, const void *pattern,
                             size_t pattern_size) {
  vptr__fake_command command = { 0 };
  cl_int code = vptr__fake_begin();
  vptr__fake_move_fill(&command.move, buffer, offset, size, pattern, pattern_size);
  return run_blocking(code, device, &command, "filling");
}

/* What a device without kernels and without memory in common with the host cannot do. */

static vptr_status fake_map(vptr__device *device, cl_mem buffer, size_t offset, size_t size, vptr_access access,
                            void **host_out) {
  (void)device, (void)buffer, (void)offset, (void)size, (void)access, (void)host_out;
  return report_unsupported("mapping its memory");
}

static vptr_status fake_unmap(vptr__device *device, cl_mem buffer, void *host) {
  (void)device, (void)buffer, (void)host;
  return report_unsupported("unmapping its memory");
}

static bool fake_takes_system(vptr__device *device) {
  (void)device;
  return atomic_load(&takes_system);
}

static vptr_status fake_arg_address(vptr__device *device, cl_kernel kernel, cl_uint index, uint64_t address) {
  if (!fake_takes_system(device))
    return report_unsupported("setting a kernel argument");
  return vptr__fake_arg_plain(device, kernel, index, address);
}

static atomic_bool tells_addresses;
static atomic_uint takes_ptx;

void vptr__fake_report_addresses(bool tells) {
  atomic_store(&tells_addresses, tells);
}

static vptr_status fake_takes_addresses(vptr__device *device, bool *takes_out) {
  (void)device;
  *takes_out = atomic_load(&tells_addresses);
  return VPTR_SUCCESS;
}

static vptr_status fake_buffer_address(vptr__device *device, cl_mem buffer, uint64_t *address_out) {
  (void)device;
  if (!atomic_load(&tells_addresses))
    return report_unsupported("telling a device address");
  cl_int code = vptr__fake_begin();
  if (code == CL_SUCCESS)
    *address_out = vptr__fake_buffer_address(buffer);
  vptr__fake_unlock();
  return vptr__fake_answer(code, "asking where a buffer lies");
}

/* Host memory as a buffer, which plays pinned memory and shared memory alike. */
static vptr_status fake_borrow(vptr__device *device, void *host, size_t size, cl_mem *buffer_out) {
  (void)device;
  cl_int code = vptr__fake_begin();
  if (host == NULL || size == 0)
    vptr__fake_misused("borrowing %zu bytes of host memory at %p", size, host);
  if (code == CL_SUCCESS)
    code = vptr__fake_buffer_borrow(host, size, buffer_out);
  vptr__fake_unlock();
  return vptr__fake_answer(code, "borrowing host memory");
}

static vptr_status fake_share_host(vptr__device *device, void *host, size_t size, cl_mem *buffer_out) {
  return device->test.keeps_apart ? report_unsupported("working on host memory in place")
                                  : fake_borrow(device, host, size, buffer_out);
}

static void *watched_host;            /* of vptr__fake_register_once(); tests set it beside no other thread */
static _Atomic(cl_mem) registered_by; /* the pin that registered it */

void vptr__fake_register_once(void *host) {
  watched_host = host;
  atomic_store(&registered_by, NULL);
}

bool vptr__fake_is_registered(void) {
  return atomic_load(&registered_by) != NULL;
}

static vptr_status fake_pin_host(vptr__device *device, void *host, size_t size, cl_mem *pin_out) {
  cl_mem none = NULL;
  vptr_status status = fake_borrow(device, host, size, pin_out);
  if (status == VPTR_SUCCESS && host == watched_host)
    atomic_compare_exchange_strong(&registered_by, &none, *pin_out);
  return status;
}

static void fake_unpin_host(vptr__device *device, cl_mem pin, void *host) {
  cl_mem holder = pin;
  (void)device, (void)host;
  atomic_compare_exchange_strong(&registered_by, &holder, NULL);
  vptr__fake_buffer_release(pin);
}

static void fake_close(vptr__device *device) {
  vptr__fake_queue_close_all(device);
  vptr__fake_pool_leave();
  vptr__memory_free(device);
}

static const vptr__device_ops fake_ops = {
  .close = fake_close,
  .event = {
    .retain = vptr__fake_event_retain,
    .release = vptr__fake_event_release,
    .wait = vptr__fake_event_wait,
    .state = vptr__fake_event_state,
    .times = vptr__fake_event_times,
    .notify = vptr__fake_event_notify,
    .create_user = vptr__fake_user_event,
    .set_user = vptr__fake_user_event_set,
  },
  .kernel = {
    .arg_buffer = vptr__fake_arg_buffer,
    .arg_read = vptr__fake_arg_buffer,
    .arg_value = vptr__fake_arg_value,
    .arg_address = fake_arg_address,
    .arg_local = vptr__fake_arg_local,
    .program_build = vptr__fake_program_build,
    .program_binary = vptr__fake_program_binary,
    .program_release = vptr__fake_program_release,
    .create = vptr__fake_kernel_create,
    .release = vptr__fake_kernel_release,
    .limits = vptr__fake_kernel_limits,
    .enqueue = vptr__fake_enqueue_kernel,
  },
  .image = {
    .create = vptr__fake_image_create,
    .sampler_create = vptr__fake_sampler_create,
    .sampler_release = vptr__fake_sampler_release,
    .enqueue_write = vptr__fake_enqueue_image_write,
    .enqueue_read = vptr__fake_enqueue_image_read,
    .enqueue_copy = vptr__fake_enqueue_image_copy,
    .enqueue_from_buffer = vptr__fake_enqueue_image_from_buffer,
    .enqueue_to_buffer = vptr__fake_enqueue_image_to_buffer,
  },
  .queue = {
    .finish_all = vptr__fake_finish,
    .use = vptr__fake_queue_use,
    .adopt = vptr__fake_queue_adopt,
    .settle = vptr__fake_settle,
    .drop = vptr__fake_queue_drop,
    .create = vptr__fake_queue_create,
    .time = vptr__fake_queue_time,
    .release = vptr__fake_queue_release,
    .flush = vptr__fake_queue_flush,
    .finish = vptr__fake_queue_finish,
    .enqueue_barrier = vptr__fake_enqueue_barrier,
  },
  .transfer = {
    .write = fake_write,
    .read = fake_read,
    .copy = fake_copy,
    .fill = fake_fill,
    .enqueue_write = vptr__fake_enqueue_write,
    .enqueue_read = vptr__fake_enqueue_read,
    .enqueue_copy = vptr__fake_enqueue_copy,
    .enqueue_fill = vptr__fake_enqueue_fill,
    .enqueue_write_rect = vptr__fake_enqueue_write_rect,
    .enqueue_read_rect = vptr__fake_enqueue_read_rect,
    .enqueue_copy_rect = vptr__fake_enqueue_copy_rect,
    .enqueue_set = vptr__fake_enqueue_set,
  },
  .memory = {
    .create = fake_buffer_create,
    .create_set = fake_buffer_create_set,
    .create_of = fake_buffer_of,
    .retain = fake_buffer_retain,
    .release = fake_buffer_release,
    .row_create = fake_row_create,
    .row_release = fake_row_release,
    .row_part = fake_row_part,
    .is_shared = fake_buffer_is_shared,
    .create_sub = fake_sub_buffer,
    .create_sub_set = fake_sub_buffer_set,
    .size = fake_buffer_size,
    .map = fake_map,
    .unmap = fake_unmap,
    .takes_addresses = fake_takes_addresses,
    .address = fake_buffer_address,
    .pin_host = fake_pin_host,
    .unpin_host = fake_unpin_host,
    .share_host = fake_share_host,
    .takes_system = fake_takes_system,
  },
};

vptr_status vptr__device_open_fake(vptr__device **device_out) {
  vptr__device *device = vptr__memory_calloc(1, sizeof *device);
  if (device == NULL)
    return vptr__error_host_memory(sizeof *device);
  device->ops = &fake_ops;
  strcpy(device->name, "fake device");
  strcpy(device->platform, "fake");
  strcpy(device->vendor, "vptr");
  strcpy(device->version, "none");
  strcpy(device->driver, VPTR_VERSION_STRING);
  device->type = CL_DEVICE_TYPE_GPU;
  device->memory_bytes = vptr__option_number(VPTR__OPTION_FAKE_BYTES, DEFAULT_BYTES);
  device->max_buffer_bytes = device->memory_bytes;
  device->reaches_pinned = watched_host != NULL;
  vptr__budget_apply(device);
  device->alignment = ALIGNMENT;
  device->parameter_bytes = 4096;
  device->local_bytes = 48 << 10;
  device->max_group = 1024;
  device->max_items[0] = device->max_items[1] = 1024;
  device->max_items[2] = 64;
  device->max_global = (1 << 20) - 1; /* few, so that grids are cut in tests */
  device->quirk.trusts_max_buffer = true;
  device->ptx = atomic_load(&takes_ptx);
  cl_int code = vptr__fake_queue_open_own(device);
  if (code != CL_SUCCESS) {
    vptr__memory_free(device);
    return vptr__error_cl(code, "fake device: making its queue");
  }
  vptr__fake_pool_enter();
  *device_out = device;
  return VPTR_SUCCESS;
}

/* ---- for tests ------------------------------------------------------------------------------------------ */

void vptr__fake_get_counts(vptr__fake_counts *counts_out) {
  vptr__fake_lock();
  *counts_out = vptr__fake_counted;
  vptr__fake_unlock();
}

void vptr__fake_fail_in_a_row(long n, long count, cl_int code) {
  vptr__fake_lock();
  operation_fault = (planned_fault){ n, count, code };
  vptr__fake_unlock();
}

void vptr__fake_take_system(bool takes) {
  atomic_store(&takes_system, takes);
}

void vptr__fake_take_ptx(unsigned ptx) {
  atomic_store(&takes_ptx, ptx);
}

void vptr__fake_lose(cl_int code) {
  vptr__fake_lock();
  lost_by = code;
  vptr__fake_unlock();
}

void vptr__fake_fail_command(long n, cl_int code) {
  vptr__fake_lock();
  command_fault = (planned_fault){ n, 1, code };
  vptr__fake_unlock();
}
