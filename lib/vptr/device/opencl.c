/* SPDX-License-Identifier: MIT */
/*
 * opencl - opening and closing an OpenCL device.
 *
 * What to open comes from two sides: from the list of devices, or from the objects that the user put into vptr_config.
 * Either way it becomes a target (device, context, queue) first, checked for fitting together, and only then are
 * objects retained or made. An OpenCL 1.2 driver is enough: later calls are made only where the device has them.
 *
 * A vptr__opencl (opencl.h) is made here, and freed when its device is closed; what others change in it meanwhile its
 * `lock`, of rank DEVICE, guards, or is atomic. Opening and closing is one thread's business, and needs no lock for the
 * device; but a context of several devices is looked up by vptr__device_list(), which takes platform.c's `lock`, and
 * closing waits for queues, which takes the device's: both are of rank DEVICE. `opencl_ops` is constant. Opening blocks
 * while the driver makes a context, and may set a variable of the environment (pocl.h); closing waits for all work.
 * Called by platform.c, which opens a device, and closes it through the device's table.
 */
#include "device/opencl.h"

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/option.h"
#include "device/budget.h"
#include "device/pocl.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* What shall be opened; borrowed. NULL: to be made. */
typedef struct open_target {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
} open_target;

/* ---- finding the target --------------------------------------------------------------------------------- */

/* Fills in the context and the device of a queue, where they are not given. */
static vptr_status follow_queue(open_target *target) {
  cl_context context;
  cl_device_id device;
  cl_command_queue_properties properties;
  cl_int code = clGetCommandQueueInfo(target->queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (code == CL_SUCCESS)
    code = clGetCommandQueueInfo(target->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (code == CL_SUCCESS)
    code = clGetCommandQueueInfo(target->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  if (code == CL_INVALID_COMMAND_QUEUE)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_config.queue is not a command queue");
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "asking vptr_config.queue what it is");
  if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_config.queue is out-of-order; give an in-order queue, and "
                                                    "name the other one to vptr_use_queue()");
  if (target->context != NULL && target->context != context)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_config.queue is of another context than "
                                                    "vptr_config.context");
  if (target->device != NULL && target->device != device)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_config.queue is of another device than "
                                                    "vptr_config.device");
  target->context = context;
  target->device = device;
  return VPTR_SUCCESS;
}

/* The devices of a context, in memory of the caller's to free. */
static vptr_status context_devices(cl_context context, cl_device_id **devices_out, size_t *count_out) {
  size_t bytes;
  cl_int code = clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes);
  if (code == CL_INVALID_CONTEXT)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_config.context is not a context");
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "asking vptr_config.context for its devices");
  cl_device_id *devices = vptr__memory_calloc(1, bytes);
  if (devices == NULL)
    return vptr__error_host_memory(bytes);
  code = clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices, NULL);
  if (code != CL_SUCCESS) {
    vptr__memory_free(devices);
    return vptr__error_cl(code, "asking vptr_config.context for its devices");
  }
  *devices_out = devices;
  *count_out = bytes / sizeof *devices;
  return VPTR_SUCCESS;
}

static bool contains_device(const cl_device_id *devices, size_t count, cl_device_id device) {
  for (size_t i = 0; i < count; i++)
    if (devices[i] == device)
      return true;
  return false;
}

/* The first chosen device among those of a context, or NULL. */
static cl_device_id first_chosen(const cl_device_id *devices, size_t count) {
  const vptr__device_entry *entries;
  int listed;
  vptr__device_list(&entries, &listed); /* an empty choice is answered by the caller, who knows the context */
  for (int i = 0; i < listed; i++)
    if (entries[i].chosen && contains_device(devices, count, entries[i].cl_device))
      return entries[i].cl_device;
  return NULL;
}

/* Checks the device against the context, or takes the context's own. */
static vptr_status follow_context(open_target *target) {
  cl_device_id *devices = NULL;
  size_t count = 0;
  vptr_status status = context_devices(target->context, &devices, &count);
  if (status != VPTR_SUCCESS)
    return status;
  if (target->device != NULL && !contains_device(devices, count, target->device))
    status = vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                         "vptr_config.device is none of the %zu devices of "
                         "vptr_config.context",
                         count);
  if (target->device == NULL)
    target->device = count == 1 ? devices[0] : first_chosen(devices, count);
  if (target->device == NULL)
    status = vptr__error(VPTR_ERROR_NO_DEVICE,
                         "none of the %zu devices of vptr_config.context is one that "
                         "VPTR_PLATFORM and VPTR_DEVICE choose; set vptr_config.device",
                         count);
  vptr__memory_free(devices);
  return status;
}

static vptr_status find_target(const vptr__device_entry *entry, const vptr_config *config, open_target *target_out) {
  open_target target = { entry != NULL ? entry->cl_device : NULL, NULL, NULL };
  if (config != NULL) {
    target.queue = config->queue;
    target.context = config->context;
    if (config->device != NULL)
      target.device = config->device;
  }
  vptr_status status = target.queue != NULL ? follow_queue(&target) : VPTR_SUCCESS;
  if (status == VPTR_SUCCESS && target.context != NULL)
    status = follow_context(&target);
  if (status == VPTR_SUCCESS)
    *target_out = target;
  return status;
}

/* ---- what the device says of itself --------------------------------------------------------------------- */

static cl_int ask_text(cl_device_id device, cl_device_info what, char *text, size_t size) {
  char whole[1024]; /* OpenCL refuses a buffer that is too small instead of cutting */
  cl_int code = clGetDeviceInfo(device, what, sizeof whole, whole, NULL);
  if (code == CL_SUCCESS)
    snprintf(text, size, "%.*s", (int)size - 1, whole);
  return code;
}

static cl_int ask_platform(cl_platform_id platform, char *text, size_t size) {
  char whole[1024];
  cl_int code = clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof whole, whole, NULL);
  if (code == CL_SUCCESS)
    snprintf(text, size, "%.*s", (int)size - 1, whole);
  return code;
}

static cl_int describe_texts(vptr__device *device) {
  cl_device_id id = device->cl_device;
  cl_int code = clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof device->cl_platform, &device->cl_platform, NULL);
  if (code == CL_SUCCESS)
    code = ask_platform(device->cl_platform, device->platform, sizeof device->platform);
  if (code == CL_SUCCESS)
    code = ask_text(id, CL_DEVICE_NAME, device->name, sizeof device->name);
  if (code == CL_SUCCESS)
    code = ask_text(id, CL_DEVICE_VENDOR, device->vendor, sizeof device->vendor);
  if (code == CL_SUCCESS)
    code = ask_text(id, CL_DEVICE_VERSION, device->version, sizeof device->version);
  if (code == CL_SUCCESS)
    code = ask_text(id, CL_DRIVER_VERSION, device->driver, sizeof device->driver);
  return code;
}

/* What is smaller takes as long as sending it: nothing to gain for a kernel. */
static const size_t BLIT_BYTES = (size_t)1 << 20;

static cl_int describe_numbers(vptr__device *device) {
  cl_device_id id = device->cl_device;
  cl_ulong memory = 0, largest = 0;
  cl_uint alignment_bits = 0;
  cl_bool unified = CL_FALSE;
  cl_int code = clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof device->type, &device->type, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof alignment_bits, &alignment_bits, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL);
  device->memory_bytes = memory;
  device->max_buffer_bytes = largest;
  device->alignment = alignment_bits >= 8 ? alignment_bits / 8 : 1;
  device->host_unified = unified != CL_FALSE;
  vptr__budget_apply(device);
  vptr__opencl_count_buffers(vptr__opencl_of(device));
  device->tuning.fill_wide = (device->type & CL_DEVICE_TYPE_GPU) != 0;
  device->tuning.packs_rows = device->tuning.fill_wide && !device->host_unified;
  device->tuning.blit_bytes = (device->type & CL_DEVICE_TYPE_CPU) != 0 ? SIZE_MAX : BLIT_BYTES;
  return code;
}

/* From where on transfer/bulk.h, which needs a moment to get going, beats NVIDIA's own copies of pageable memory. */
static const size_t BULK_BYTES = (size_t)8 << 20;

/* NVIDIA's driver takes some 70 ns longer to launch a kernel for each argument that was set, and 8 to 12 to set it. */
static bool packs_arguments(bool is_nvidia) {
  uint64_t asked = vptr__option_number(VPTR__OPTION_ARGUMENTS, VPTR__ARGUMENTS_AUTO);
  return asked == VPTR__ARGUMENTS_AUTO ? is_nvidia : asked == VPTR__ARGUMENTS_ONE;
}

/* A driver for CPUs keeps what each thread of a block has at each barrier, and makes hardly a vector of such threads.
 * The stack has to have room for what loops keep in its place. */
static bool loops_over_threads(const vptr__device *device) {
  const size_t least = (size_t)2 << 20;
  uint64_t asked = vptr__option_number(VPTR__OPTION_THREADS, VPTR__THREADS_AUTO);
  bool is_cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0;
  bool has_room = device->quirk.stack_bytes == 0 || device->quirk.stack_bytes >= least;
  return asked == VPTR__THREADS_AUTO ? is_cpu && has_room : asked == VPTR__THREADS_LOOPS;
}

/* PoCL's threads have the size that the process gives to any: RLIMIT_STACK's when it began, as a rule. Its device
 * "basic" takes the caller's thread, whose stack is hardly smaller. 0: unknown. */
static size_t stack_of_threads(void) {
  pthread_attr_t attributes;
  size_t size = 0;
  if (pthread_attr_init(&attributes) != 0)
    return 0;
  if (pthread_attr_getstacksize(&attributes, &size) != 0)
    size = 0;
  pthread_attr_destroy(&attributes);
  return size;
}

/* 100 times NVIDIA's number, 900 for 9.0 (cl_nv_device_attribute_query); 1 where the driver does not tell. */
static unsigned compute_capability(cl_device_id id) {
  enum { MAJOR = 0x4000, MINOR = 0x4001 }; /* CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, _MINOR_NV */
  cl_uint major = 0, minor = 0;
  bool is_told = clGetDeviceInfo(id, MAJOR, sizeof major, &major, NULL) == CL_SUCCESS &&
                 clGetDeviceInfo(id, MINOR, sizeof minor, &minor, NULL) == CL_SUCCESS;
  return is_told ? 100 * major + 10 * minor : 1;
}

static unsigned count_registers(cl_device_id id) {
  enum { REGISTERS = 0x4002 }; /* CL_DEVICE_REGISTERS_PER_BLOCK_NV */
  cl_uint count = 0;
  return clGetDeviceInfo(id, REGISTERS, sizeof count, &count, NULL) == CL_SUCCESS ? count : 0;
}

/* What kernels may count on. */
static cl_int describe_kernels(vptr__device *device) {
  cl_device_id id = device->cl_device;
  cl_ulong local = 0;
  cl_device_fp_config single = 0, twice = 0;
  size_t items[16] = { 0 };
  cl_uint dimensions = 0, bits = 0, units = 0;
  cl_int code = clGetDeviceInfo(id, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof device->parameter_bytes,
                                &device->parameter_bytes, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof device->max_group, &device->max_group, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, sizeof dimensions, &dimensions, NULL);
  if (code == CL_SUCCESS && dimensions <= 16)
    code = clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, dimensions * sizeof *items, items, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof twice, &twice, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  device->local_bytes = local;
  device->units = units;
  device->max_global = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
  device->max_group = vptr__smaller(device->max_group, VPTR__MOST_THREADS);
  for (int i = 0; i < 3; i++)
    device->max_items[i] = vptr__smaller(items[i], i < 2 ? VPTR__MOST_THREADS : VPTR__MOST_DEEP);
  device->rounds_division = (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  device->has_double = twice != 0;
  /* Asking for PTX by building makes other drivers complain aloud. The others were measured (580.159, H100), and matter
   * there alone: an event costs 8 us on a queue that keeps times, and a flush 1 us, beside 4 us for a kernel. */
  bool is_nvidia = strstr(device->vendor, "NVIDIA") != NULL;
  device->ptx = is_nvidia ? compute_capability(id) : 0;
  device->registers = is_nvidia ? count_registers(id) : 0;
  unsigned pocl = vptr__pocl_version(device->platform, device->driver);
  device->quirk.loses_threads = pocl > 0 && vptr__pocl_choose_method(pocl);
  device->quirk.stack_bytes = pocl > 0 && (device->type & CL_DEVICE_TYPE_CPU) != 0 ? stack_of_threads() : 0;
  device->tuning.loops_over_threads = loops_over_threads(device);
  device->tuning.packs_arguments = packs_arguments(is_nvidia);
  device->quirk.fails_whole = is_nvidia;
  device->quirk.tells_no_group = is_nvidia;
  device->quirk.begins_unflushed = is_nvidia;
  device->quirk.takes_early = is_nvidia;
  device->quirk.spoils_buffers = is_nvidia;
  device->quirk.fill_reach = is_nvidia ? (size_t)1 << 31 : SIZE_MAX; /* opencl_fill.c */
  device->tuning.bulk_bytes = is_nvidia ? BULK_BYTES : 0;
  device->reaches_pinned = is_nvidia && strncmp(device->version, "OpenCL 3", 8) == 0; /* which has addresses */
  return code;
}

/* Drivers tell a largest buffer and often make larger ones (NVIDIA), so they are asked, and their refusal costs
 * a microsecond: trusts_max_buffer stays false here. */
static vptr_status describe_cl_device(vptr__device *device) {
  cl_int code = describe_texts(device);
  if (code == CL_SUCCESS)
    code = describe_numbers(device);
  if (code == CL_SUCCESS)
    code = describe_kernels(device);
  if (code == CL_INVALID_DEVICE)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_config.device is not an OpenCL device");
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "asking a device what it is");
  unsigned major = 0, minor = 0;
  sscanf(device->version, "OpenCL %u.%u", &major, &minor);
  if (major < 1 || (major == 1 && minor < 2))
    return vptr__error(VPTR_ERROR_NO_DEVICE, "%s has %s; vptr needs OpenCL 1.2", device->name, device->version);
  return VPTR_SUCCESS;
}

/* ---- opening and closing -------------------------------------------------------------------------------- */

static vptr_status get_context(vptr__device *device, const open_target *target) {
  cl_int code;
  if (target->context == NULL) {
    const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)device->cl_platform, 0 };
    cl_context context = clCreateContext(properties, 1, &device->cl_device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
      return vptr__error_cl(code, "making a context on %s", device->name);
    device->cl_context = context;
    return VPTR_SUCCESS;
  }
  code = clRetainContext(target->context);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "retaining vptr_config.context");
  device->cl_context = target->context;
  return VPTR_SUCCESS;
}

static vptr_status get_queue(vptr__device *device, const open_target *target) {
  cl_command_queue queue = target->queue;
  if (queue == NULL) {
    vptr_status status = vptr__opencl_queue_create(device, 0, false, &queue);
    if (status != VPTR_SUCCESS)
      return status;
  } else {
    cl_int code = clRetainCommandQueue(queue);
    if (code != CL_SUCCESS)
      return vptr__error_cl(code, "retaining vptr_config.queue");
  }
  device->cl_queue = queue;
  return VPTR_SUCCESS;
}

/* The errors of the last work are nobody's any more. */
static void close_opencl(vptr__device *device) {
  vptr__opencl *opencl = vptr__opencl_of(device);
  vptr__opencl_finish(device);
  vptr__opencl_queue_forget_all(opencl);
  vptr__opencl_address_fini(&opencl->address);
  vptr__opencl_blit_fini(&opencl->blit);
  clReleaseCommandQueue(opencl->service);
  if (opencl->untimed != NULL)
    clReleaseCommandQueue(opencl->untimed);
  clReleaseCommandQueue(device->cl_queue);
  clReleaseContext(device->cl_context);
  vptr__lock_fini(&opencl->lock);
  vptr__memory_free(opencl);
}

static const vptr__device_ops opencl_ops = {
  .close = close_opencl,
  .event = {
    .retain = vptr__opencl_event_retain,
    .release = vptr__opencl_event_release,
    .wait = vptr__opencl_event_wait,
    .state = vptr__opencl_event_state,
    .times = vptr__opencl_event_times,
    .notify = vptr__opencl_event_notify,
    .create_user = vptr__opencl_user_event,
    .set_user = vptr__opencl_user_event_set,
  },
  .kernel = {
    .arg_buffer = vptr__opencl_arg_buffer,
    .arg_read = vptr__opencl_arg_buffer,
    .arg_value = vptr__opencl_arg_value,
    .arg_address = vptr__opencl_arg_address,
    .arg_local = vptr__opencl_arg_local,
    .program_build = vptr__opencl_program_build,
    .program_binary = vptr__opencl_program_binary,
    .program_release = vptr__opencl_program_release,
    .create = vptr__opencl_kernel_create,
    .release = vptr__opencl_kernel_release,
    .limits = vptr__opencl_kernel_limits,
    .enqueue = vptr__opencl_enqueue_kernel,
  },
  .image = {
    .create = vptr__opencl_image_create,
    .sampler_create = vptr__opencl_sampler_create,
    .sampler_release = vptr__opencl_sampler_release,
    .enqueue_write = vptr__opencl_enqueue_image_write,
    .enqueue_read = vptr__opencl_enqueue_image_read,
    .enqueue_copy = vptr__opencl_enqueue_image_copy,
    .enqueue_from_buffer = vptr__opencl_enqueue_image_from_buffer,
    .enqueue_to_buffer = vptr__opencl_enqueue_image_to_buffer,
  },
  .queue = {
    .finish_all = vptr__opencl_finish,
    .use = vptr__opencl_queue_use,
    .adopt = vptr__opencl_queue_adopt,
    .settle = vptr__opencl_settle,
    .drop = vptr__opencl_queue_drop,
    .create = vptr__opencl_queue_create,
    .time = vptr__opencl_queue_time,
    .release = vptr__opencl_queue_release,
    .flush = vptr__opencl_queue_flush,
    .finish = vptr__opencl_queue_finish,
    .enqueue_barrier = vptr__opencl_enqueue_barrier,
  },
  .transfer = {
    .write = vptr__opencl_write,
    .read = vptr__opencl_read,
    .copy = vptr__opencl_copy,
    .fill = vptr__opencl_fill,
    .enqueue_write = vptr__opencl_enqueue_write,
    .enqueue_read = vptr__opencl_enqueue_read,
    .enqueue_copy = vptr__opencl_enqueue_copy,
    .enqueue_fill = vptr__opencl_enqueue_fill,
    .enqueue_write_rect = vptr__opencl_enqueue_write_rect,
    .enqueue_read_rect = vptr__opencl_enqueue_read_rect,
    .enqueue_copy_rect = vptr__opencl_enqueue_copy_rect,
    .enqueue_set = vptr__opencl_enqueue_set,
  },
  .memory = {
    .create = vptr__opencl_buffer_create,
    .create_set = vptr__opencl_buffer_create_set,
    .create_of = vptr__opencl_buffer_of,
    .row_create = vptr__opencl_row_create,
    .row_release = vptr__opencl_row_release,
    .row_part = vptr__opencl_row_part,
    .retain = vptr__opencl_buffer_retain,
    .release = vptr__opencl_buffer_release,
    .is_shared = vptr__opencl_buffer_is_shared,
    .create_sub = vptr__opencl_sub_buffer,
    .create_sub_set = vptr__opencl_sub_buffer_set,
    .size = vptr__opencl_buffer_size,
    .map = vptr__opencl_map,
    .unmap = vptr__opencl_unmap,
    .takes_addresses = vptr__opencl_takes_addresses,
    .address = vptr__opencl_buffer_address,
    .pin_host = vptr__opencl_pin_host,
    .unpin_host = vptr__opencl_unpin_host,
    .share_host = vptr__opencl_share_host,
    .takes_system = vptr__opencl_takes_system,
  },
};

vptr_status vptr__device_open_opencl(const vptr__device_entry *entry, const vptr_config *config,
                                     vptr__device **device_out) {
  open_target target;
  vptr_status status = find_target(entry, config, &target);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__opencl *opencl = vptr__memory_calloc(1, sizeof *opencl);
  if (opencl == NULL)
    return vptr__error_host_memory(sizeof *opencl);
  vptr__device *device = &opencl->device;
  device->ops = &opencl_ops;
  device->cl_device = target.device;
  status = describe_cl_device(device);
  if (status != VPTR_SUCCESS)
    goto free_opencl;
  status = get_context(device, &target);
  if (status != VPTR_SUCCESS)
    goto free_opencl;
  status = get_queue(device, &target);
  if (status != VPTR_SUCCESS)
    goto release_context;
  status = vptr__opencl_queue_create(device, 0, false, &opencl->service);
  if (status != VPTR_SUCCESS)
    goto release_queue;
  vptr__lock_init(&opencl->lock, VPTR__RANK_DEVICE);
  *device_out = device;
  return VPTR_SUCCESS;

release_queue:
  clReleaseCommandQueue(device->cl_queue);
release_context:
  clReleaseContext(device->cl_context);
free_opencl:
  vptr__memory_free(opencl);
  return status;
}
