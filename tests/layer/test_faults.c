/* SPDX-License-Identifier: MIT */
/*
 * Every OpenCL call that the device module makes fails once, in order: each failure must come back as a status,
 * leave no object behind, and leave the library able to do the same work at the next try.
 *
 * Needs an OpenCL platform, and the layer (VPTR_TEST_LAYER=path of the module); else it is left out.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include "base/error.h"
#include "base/memory.h"
#include "device/device.h"
#include "layer/layer.h"
#include "support/child.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT_OUT = 77, ENOUGH = 1000 };

static const layer_control *layer;

static void expect_no_objects(const char *when, long n) {
  layer_objects left = layer->objects();
  ck_assert_msg(left.contexts == 0 && left.queues == 0 && left.buffers == 0 && left.programs == 0 &&
                    left.kernels == 0 && left.events == 0,
                "%s, call %ld (%s): left %ld contexts, %ld queues, %ld buffers, %ld programs, %ld kernels, "
                "%ld events",
                when, n, layer->name(layer->fired_in()), left.contexts, left.queues, left.buffers, left.programs,
                left.kernels, left.events);
}

/* ---- pieces of work: each cleans up after itself, and returns the first status that is not success -------- */

static vptr_status move_bytes(vptr__device *device, cl_mem one, cl_mem two) {
  char out[64] = "bytes", in[64] = "";
  vptr_status status = device->ops->transfer.write(device, one, 0, out, sizeof out);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.copy(device, one, 0, two, 0, sizeof out);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.fill(device, two, 32, 32, "fill", 4);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.read(device, two, 0, in, sizeof in);
  if (status == VPTR_SUCCESS)
    ck_assert(memcmp(in, out, 32) == 0 && memcmp(in + 60, "fill", 4) == 0);
  return status;
}

/* Faults that may pass in silence, since the work got done: unmapping waits a second time, another way; a buffer that
 * cannot say who else has it, or when it is gone, is released all the same; and closing has nobody to tell what went
 * wrong with the last work. */
static bool may_be_unheard;

static void release_buffer(vptr__device *device, cl_mem buffer) {
  bool fired_before = layer->fired();
  device->ops->memory.release(device, buffer);
  if (!fired_before && layer->fired())
    may_be_unheard = true;
}

static vptr_status map_bytes(vptr__device *device, cl_mem buffer) {
  void *host = NULL;
  if (!device->host_unified)
    return VPTR_SUCCESS;
  vptr_status status = device->ops->memory.map(device, buffer, 0, 16, VPTR_ACCESS_WRITE, &host);
  if (status != VPTR_SUCCESS)
    return status;
  memset(host, 1, 16);
  bool fired_before = layer->fired();
  status = device->ops->memory.unmap(device, buffer, host);
  if (!fired_before && layer->fired_in() == LAYER_WAIT_FOR_EVENTS)
    may_be_unheard = true;
  if (status != VPTR_SUCCESS)
    device->ops->memory.unmap(device, buffer, host); /* it failed, so it changed nothing */
  return status;
}

static vptr_status use_parts(vptr__device *device, cl_mem root) {
  cl_mem part;
  size_t bytes;
  vptr_status status = device->ops->memory.create_sub(device, root, device->alignment, 64, &part);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->memory.size(device, part, &bytes);
  release_buffer(device, part);
  return status;
}

static vptr_status use_queue(vptr__device *device) {
  cl_int code;
  cl_command_queue queue = clCreateCommandQueue(device->cl_context, device->cl_device, 0, &code);
  if (code != CL_SUCCESS)
    return VPTR_ERROR_OPENCL;
  vptr_status status = device->ops->queue.use(device, queue);
  if (status == VPTR_SUCCESS)
    status = device->ops->queue.finish_all(device);
  if (status == VPTR_SUCCESS)
    status = device->ops->queue.drop(device, queue);
  clReleaseCommandQueue(queue); /* closing lets go of it, where dropping did not come about */
  return status;
}

/* Adds a failure to what was met so far. */
static void meet(vptr_status *met, vptr_status status) {
  if (*met == VPTR_SUCCESS)
    *met = status;
}

/* Commands that do not wait. A rect within one buffer goes through another where there is memory for it; where there is
 * none, row by row. */
static vptr_status move_rects(vptr__device *device, cl_command_queue queue, cl_mem one, cl_mem two) {
  static char host[4096];
  const vptr__rect in_one = { one, 3, 32, 1024 }, in_two = { two, 5, 48, 1536 }, elsewhere = { one, 2048, 16, 512 };
  const size_t region[3] = { 16, 20, 1 };
  vptr_status met = device->ops->transfer.enqueue_write_rect(device, queue, &in_one, host, 24, 480, region, NULL);
  meet(&met, device->ops->transfer.enqueue_copy_rect(device, queue, &in_one, &in_two, region, NULL));
  meet(&met, device->ops->transfer.enqueue_read_rect(device, queue, &in_two, host, 16, 320, region, NULL));
  bool fired_before = layer->fired();
  meet(&met, device->ops->transfer.enqueue_copy_rect(device, queue, &in_one, &elsewhere, region, NULL));
  if (!fired_before && layer->fired())
    may_be_unheard = true;
  return met;
}

static vptr_status queue_commands(vptr__device *device, cl_command_queue queue, cl_mem one, cl_mem two) {
  static char host[64];
  cl_event event;
  vptr_status met = device->ops->transfer.enqueue_write(device, queue, one, 0, host, 64, NULL);
  meet(&met, device->ops->transfer.enqueue_copy(device, queue, one, 0, two, 0, 64, NULL));
  meet(&met, device->ops->transfer.enqueue_fill(device, queue, two, 0, 64, "ab", 2, NULL));
  meet(&met, device->ops->transfer.enqueue_read(device, queue, two, 0, host, 64, NULL));
  vptr_status status = device->ops->transfer.enqueue_fill(device, queue, two, 0, 0, "a", 1, &event);
  meet(&met, status);
  if (status != VPTR_SUCCESS)
    return met;
  meet(&met, device->ops->queue.enqueue_barrier(device, queue, 1, &event, NULL));
  meet(&met, device->ops->queue.flush(device, queue));
  device->ops->event.retain(device, event);
  device->ops->event.release(device, event);
  status = device->ops->event.wait(device, event);
  meet(&met, status);
  uint64_t begin, end;
  if (status == VPTR_SUCCESS)
    meet(&met, device->ops->event.times(device, event, &begin, &end));
  cl_int state;
  meet(&met, device->ops->event.state(device, event, &state));
  device->ops->event.release(device, event);
  return met;
}

static void CL_CALLBACK ignore(cl_event event, cl_int state, void *context) {
  (void)event, (void)state, (void)context;
}

static vptr_status gate_queue(vptr__device *device, cl_command_queue queue) {
  cl_event gate;
  vptr_status met = device->ops->event.create_user(device, &gate), status;
  if (met != VPTR_SUCCESS)
    return met;
  meet(&met, device->ops->event.notify(device, gate, ignore, NULL));
  meet(&met, device->ops->queue.enqueue_barrier(device, queue, 1, &gate, NULL));
  do /* it can be tried again, and must be set */
    meet(&met, status = device->ops->event.set_user(device, gate, CL_COMPLETE));
  while (status != VPTR_SUCCESS);
  device->ops->event.release(device, gate);
  return met;
}

static vptr_status make_queues(vptr__device *device, cl_command_queue *queue_out) {
  bool fired_before = layer->fired();
  vptr_status met = device->ops->queue.time(device);
  meet(&met, device->ops->queue.create(device, -1, true, queue_out));
  if (!fired_before && layer->fired())
    may_be_unheard = true; /* a queue without its priority, or its times, is a queue */
  return met;
}

static vptr_status queue_all(vptr__device *device, cl_mem one, cl_mem two) {
  cl_command_queue queue = NULL;
  vptr_status met = make_queues(device, &queue);
  if (queue == NULL)
    return met;
  meet(&met, queue_commands(device, queue, one, two));
  meet(&met, move_rects(device, queue, one, two));
  meet(&met, gate_queue(device, queue));
  vptr_status status;
  do /* nothing may be under way when the buffers go, or the counts of what is left come too early */
    meet(&met, status = device->ops->queue.finish(device, queue));
  while (status != VPTR_SUCCESS);
  device->ops->queue.release(device, queue);
  return met;
}

static vptr_status ask_address(vptr__device *device, cl_mem buffer) {
  uint64_t address = 0;
  vptr_status status = device->ops->memory.address(device, buffer, &address);
  return status == VPTR_ERROR_UNSUPPORTED ? VPTR_SUCCESS : status;
}

/* What runs on an open device with two buffers. */
typedef vptr_status piece_function(vptr__device *device, cl_mem one, cl_mem two);

static vptr_status all_but_address(vptr__device *device, cl_mem one, cl_mem two) {
  vptr_status status = move_bytes(device, one, two);
  if (status == VPTR_SUCCESS)
    status = map_bytes(device, one);
  if (status == VPTR_SUCCESS)
    status = use_parts(device, one);
  return status == VPTR_SUCCESS ? use_queue(device) : status;
}

static vptr_status commands_alone(vptr__device *device, cl_mem one, cl_mem two) {
  return queue_all(device, one, two);
}

static vptr_status address_alone(vptr__device *device, cl_mem one, cl_mem two) {
  (void)two;
  return ask_address(device, one);
}

/* A trial that failed is heard as a no. */
static vptr_status system_alone(vptr__device *opened, cl_mem one, cl_mem two) {
  (void)one, (void)two;
  bool fired_before = layer->fired();
  bool takes = opened->ops->memory.takes_system(opened);
  if (layer->fired() && !fired_before && !takes)
    return VPTR_ERROR_OPENCL;
  return VPTR_SUCCESS;
}

static vptr_status with_buffers(vptr__device *device, piece_function *piece) {
  const size_t bytes = 4 * device->alignment + 4096;
  cl_mem one, two;
  vptr_status status = device->ops->memory.create(device, bytes, &one);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->memory.create(device, bytes, &two);
  if (status == VPTR_SUCCESS) {
    status = piece(device, one, two);
    release_buffer(device, two);
  }
  release_buffer(device, one);
  return status;
}

static vptr_status with_device(const vptr_config *config, piece_function *piece) {
  vptr__device *device;
  may_be_unheard = false;
  vptr_status status = vptr__device_open(config, 0, &device);
  if (status != VPTR_SUCCESS)
    return status;
  status = with_buffers(device, piece);
  bool fired_before = layer->fired();
  vptr__device_close(device);
  if (layer->fired() && !fired_before)
    may_be_unheard = true;
  return status;
}

/* ---- for every n ---------------------------------------------------------------------------------------- */

/* Codes of three kinds: the device is full, the host is, something else is wrong. */
static const cl_int codes[] = { CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_INVALID_OPERATION };

/* An answer of "cannot" to the trial of addresses is a verdict, and committing has a second way: both succeed. */
static bool may_succeed(cl_int code) {
  return code == CL_INVALID_OPERATION;
}

static void try_all_faults(const vptr_config *config, piece_function *piece, cl_int code) {
  layer_objects before = layer->objects();
  long live = vptr__memory_live();
  long n = 1;
  for (; n < ENOUGH; n++) {
    layer->inject(LAYER_ANY, n, code);
    vptr_status status = with_device(config, piece);
    bool fired = layer->fired();
    const char *where = layer->name(layer->fired_in());
    layer_objects after = layer->objects();
    layer->inject(LAYER_ANY, 0, CL_SUCCESS);
    ck_assert_msg(memcmp(&after, &before, sizeof after) == 0, "objects are left after %s failed (call %ld)", where,
                  n);
    ck_assert_int_eq(vptr__memory_live(), live);
    if (!fired) {
      ck_assert_msg(status == VPTR_SUCCESS, "nothing failed, but: %s", vptr_last_error());
      break;
    }
    ck_assert_msg(status != VPTR_SUCCESS || may_be_unheard || may_succeed(code), "%s failed (call %ld), unheard",
                  where, n);
    ck_assert_msg(with_device(config, piece) == VPTR_SUCCESS, "after %s failed (call %ld): %s", where, n,
                  vptr_last_error());
  }
  ck_assert_int_gt(n, 10);
  ck_assert_int_lt(n, ENOUGH);
}

START_TEST(every_call_may_fail) {
  try_all_faults(NULL, all_but_address, codes[_i]);
  expect_no_objects("in the end", 0);
}
END_TEST

START_TEST(every_call_of_commands_may_fail) {
  try_all_faults(NULL, commands_alone, codes[_i]);
  expect_no_objects("in the end", 0);
}
END_TEST

/* A program is compiled at each try: one code only, for the time it takes. */
START_TEST(every_call_of_the_address_trial_may_fail) {
  try_all_faults(NULL, address_alone, CL_OUT_OF_RESOURCES);
  expect_no_objects("in the end", 0);
}
END_TEST

START_TEST(every_call_of_the_trial_of_plain_memory_may_fail) {
  try_all_faults(NULL, system_alone, CL_OUT_OF_RESOURCES);
  expect_no_objects("in the end", 0);
}
END_TEST

START_TEST(every_call_may_fail_on_objects_of_the_callers) {
  const vptr__device_entry *entries;
  int listed, i = 0;
  support_succeed(vptr__device_list(&entries, &listed));
  while (!entries[i].chosen)
    i++;
  cl_device_id device = entries[i].cl_device;
  cl_int code;
  vptr_config config = VPTR_CONFIG_INIT;
  config.context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  config.queue = clCreateCommandQueue(config.context, device, 0, &code);
  config.device = device;
  try_all_faults(&config, all_but_address, codes[_i]);
  clReleaseCommandQueue(config.queue);
  clReleaseContext(config.context);
  expect_no_objects("in the end", 0);
}
END_TEST

/* ---- single faults with a meaning of their own ---------------------------------------------------------- */

static vptr__device *device;

static void open_device(void) {
  support_succeed(vptr__device_open(NULL, 0, &device));
}

static void close_device(void) {
  layer->inject(LAYER_ANY, 0, CL_SUCCESS);
  vptr__device_close(device);
  expect_no_objects("after closing", 0);
}

START_TEST(a_buffer_that_cannot_be_committed_is_released) {
  static const cl_int full[] = { CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY };
  static const layer_call places[] = { LAYER_CREATE_BUFFER, LAYER_ENQUEUE_WRITE_BUFFER };
  cl_mem buffer = NULL;
  for (size_t place = 0; place < sizeof places / sizeof *places; place++)
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
      layer->inject(places[place], 1, full[i]);
      support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, device->ops->memory.create(device, 4711, &buffer));
      ck_assert(layer->fired());
      ck_assert_int_eq(vptr_last_cl_error(), full[i]);
      ck_assert_ptr_nonnull(strstr(vptr_last_error(), "4711"));
      ck_assert_int_eq(layer->objects().buffers, 0);
      ck_assert_int_eq(layer->objects().events, 0);
    }
  ck_assert_ptr_null(buffer);
}
END_TEST

START_TEST(a_buffer_too_large_for_the_driver_is_a_matter_of_size) {
  cl_mem buffer = NULL;
  layer->inject(LAYER_CREATE_BUFFER, 1, CL_INVALID_BUFFER_SIZE);
  support_expect(VPTR_ERROR_INVALID_SIZE, device->ops->memory.create(device, 100, &buffer));
  ck_assert_ptr_null(buffer);
}
END_TEST

START_TEST(every_queue_is_waited_for_though_the_first_fails) {
  cl_int code;
  cl_command_queue queue = clCreateCommandQueue(device->cl_context, device->cl_device, 0, &code);
  support_succeed(device->ops->queue.use(device, queue));
  long waited = layer->calls(LAYER_FINISH);
  layer->inject(LAYER_FINISH, 1, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, device->ops->queue.finish_all(device));
  ck_assert_int_eq(vptr_last_cl_error(), CL_OUT_OF_RESOURCES);
  ck_assert_int_eq(layer->calls(LAYER_FINISH), waited + 2);
  clReleaseCommandQueue(queue);
}
END_TEST

START_TEST(a_queue_that_could_not_be_waited_for_stays_named) {
  cl_int code;
  cl_command_queue queue = clCreateCommandQueue(device->cl_context, device->cl_device, 0, &code);
  support_succeed(device->ops->queue.use(device, queue));
  layer->inject(LAYER_FINISH, 1, CL_OUT_OF_RESOURCES);
  support_expect(VPTR_ERROR_OPENCL, device->ops->queue.drop(device, queue));
  ck_assert(device->has_queues);
  support_succeed(device->ops->queue.drop(device, queue));
  ck_assert(!device->has_queues);
  clReleaseCommandQueue(queue);
}
END_TEST

/* A device that does not take addresses stays so; an accident does not make it one. */
START_TEST(the_verdict_on_addresses_is_remembered_and_an_accident_is_none) {
  cl_mem buffer;
  uint64_t address;
  support_succeed(device->ops->memory.create(device, 100, &buffer));
  if (device->ops->memory.address(device, buffer, &address) == VPTR_SUCCESS) {
    vptr__device *other;
    support_succeed(vptr__device_open(NULL, 0, &other));
    cl_mem theirs;
    support_succeed(other->ops->memory.create(other, 100, &theirs));
    layer->inject(LAYER_BUILD_PROGRAM, 1, CL_OUT_OF_HOST_MEMORY);
    support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, other->ops->memory.address(other, theirs, &address));
    layer->inject(LAYER_SET_KERNEL_ARG_SVM_POINTER, 1, CL_INVALID_ARG_VALUE);
    support_expect(VPTR_ERROR_UNSUPPORTED, other->ops->memory.address(other, theirs, &address));
    long built = layer->calls(LAYER_BUILD_PROGRAM);
    support_expect(VPTR_ERROR_UNSUPPORTED, other->ops->memory.address(other, theirs, &address));
    support_succeed(device->ops->memory.address(device, buffer, &address));
    ck_assert_int_eq(layer->calls(LAYER_BUILD_PROGRAM), built);
    other->ops->memory.release(other, theirs);
    vptr__device_close(other);
  }
  device->ops->memory.release(device, buffer);
}
END_TEST

START_TEST(the_verdict_on_plain_memory_is_remembered_and_an_accident_is_none) {
  vptr__device *other;
  support_succeed(vptr__device_open(NULL, 0, &other));
  if (device->ops->memory.takes_system(device)) {
    layer->inject(LAYER_BUILD_PROGRAM, 1, CL_OUT_OF_HOST_MEMORY);
    ck_assert(!other->ops->memory.takes_system(other));
    layer->inject(LAYER_SET_KERNEL_ARG_SVM_POINTER, 1, CL_INVALID_ARG_VALUE);
    ck_assert(!other->ops->memory.takes_system(other));
    long built = layer->calls(LAYER_BUILD_PROGRAM);
    ck_assert(!other->ops->memory.takes_system(other));
    ck_assert(device->ops->memory.takes_system(device));
    ck_assert_int_eq(layer->calls(LAYER_BUILD_PROGRAM), built);
  }
  vptr__device_close(other);
}
END_TEST

/* Where an address may be wild to the device, as on a GPU, it is not even tried. */
START_TEST(nothing_but_a_cpu_is_tried_for_plain_memory) {
  vptr__device *other;
  support_succeed(vptr__device_open(NULL, 0, &other));
  long built = layer->calls(LAYER_BUILD_PROGRAM);
  other->type = CL_DEVICE_TYPE_GPU;
  other->ops->memory.takes_system(other); /* its driver may say that it takes it */
  ck_assert_int_eq(layer->calls(LAYER_BUILD_PROGRAM), built);
  vptr__device_close(other);
}
END_TEST

/* Must come first: it meets the list before anything has been found. */
static cl_uint platforms_here(void) {
  cl_uint count = 0;
  clGetPlatformIDs(0, NULL, &count);
  return count;
}

static void note_found(const char *section, const char *name, const char *value, const char *why, void *context) {
  (void)value;
  if (strcmp(section, "devices") == 0 && strcmp(name, "found") == 0)
    snprintf(context, 256, "%s", why);
}

/* A CPU's driver starts a thread for each core when it is asked for devices. */
static void list_the_second_of_each(void) {
  const vptr__device_entry *entries;
  int listed;
  char second[16];
  layer->platforms_twice(true);
  int platforms = (int)platforms_here();
  snprintf(second, sizeof second, "%d", platforms / 2);
  child_set("VPTR_PLATFORM", second);
  long before = layer->calls(LAYER_GET_DEVICE_IDS);
  child_require(vptr__device_list(&entries, &listed) == VPTR_SUCCESS, vptr_last_error());
  child_require(layer->calls(LAYER_GET_DEVICE_IDS) - before == 1, "one platform is asked");
  child_require(platforms >= 2 && vptr__device_platforms_unasked() == platforms - 1, "the others are not");
  for (int i = 0; i < listed; i++)
    child_require(entries[i].platform_ordinal == platforms / 2, "devices are of the platform that is named");
  char found[256] = "", expected[256];
  vptr_report(NULL, note_found, found);
  snprintf(expected, sizeof expected, "not asked: %d other platform", platforms - 1);
  child_require(strncmp(found, expected, strlen(expected)) == 0, found);
}

/* A part of a name may name several. */
static void list_by_a_name_of_two(void) {
  const vptr__device_entry *entries;
  int listed;
  layer->platforms_twice(true);
  int platforms = (int)platforms_here();
  child_set("VPTR_PLATFORM", getenv("VPTR_PLATFORM"));
  long before = layer->calls(LAYER_GET_DEVICE_IDS);
  child_require(vptr__device_list(&entries, &listed) == VPTR_SUCCESS, vptr_last_error());
  long asked = layer->calls(LAYER_GET_DEVICE_IDS) - before;
  child_require(asked >= 2 && asked + vptr__device_platforms_unasked() == platforms, "both are asked");
}

/* One that cannot even tell its name does not take the others along. */
static void list_beside_a_broken_platform(void) {
  const vptr__device_entry *entries;
  int listed;
  layer->platforms_twice(true);
  int platforms = (int)platforms_here();
  child_set("VPTR_PLATFORM", NULL);
  layer->inject(LAYER_GET_PLATFORM_INFO, 1, CL_OUT_OF_HOST_MEMORY);
  child_require(vptr__device_list(&entries, &listed) == VPTR_SUCCESS, vptr_last_error());
  child_require(layer->fired() && listed >= platforms - 1, "the others are listed");
  for (int i = 0; i < listed; i++)
    child_require(entries[i].platform_ordinal != 0, "the broken one is not");
}

/* And the words name what there is. */
static void list_where_the_first_has_nothing(void) {
  const vptr__device_entry *entries;
  int listed;
  layer->platforms_twice(true);
  int platforms = (int)platforms_here();
  child_set("VPTR_PLATFORM", "0");
  layer->inject(LAYER_GET_DEVICE_IDS, 1, CL_DEVICE_NOT_FOUND);
  child_require(vptr__device_list(&entries, &listed) == VPTR_ERROR_NO_DEVICE, "nothing is chosen");
  child_require(layer->fired(), "the first platform was asked");
  child_require(listed >= platforms - 1 && vptr__device_platforms_unasked() == 0, "all others are asked");
  child_require(strstr(vptr_last_error(), "VPTR_PLATFORM=0 names no OpenCL platform that has a device") != NULL,
                vptr_last_error());
  child_require(strstr(vptr_last_error(), "[1] ") != NULL, vptr_last_error());
}

static void expect_well(void (*body)(void)) {
  static child ended;
  child_run(body, &ended);
  ck_assert_msg(ended.exited && ended.exit_code == 0, "%s", ended.text);
}

START_TEST(only_the_platform_that_is_named_is_asked_for_devices) {
  expect_well(list_the_second_of_each);
  expect_well(list_where_the_first_has_nothing);
  expect_well(list_by_a_name_of_two);
  expect_well(list_beside_a_broken_platform);
}
END_TEST

START_TEST(a_scan_that_found_nothing_is_made_again) {
  static const layer_call places[] = { LAYER_GET_PLATFORM_IDS, LAYER_GET_PLATFORM_INFO, LAYER_GET_DEVICE_IDS,
                                       LAYER_GET_DEVICE_INFO };
  const vptr__device_entry *entries;
  int listed = -1;
  cl_platform_id platforms[8];
  cl_uint count = 0;
  clGetPlatformIDs(8, platforms, &count);
  if (count != 1)
    return; /* the others would be found all the same */
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    layer->inject(places[i], 1, CL_OUT_OF_HOST_MEMORY);
    support_expect(VPTR_ERROR_NO_DEVICE, vptr__device_list(&entries, &listed));
    ck_assert(layer->fired());
    ck_assert_int_eq(listed, 0);
    ck_assert_ptr_nonnull(strstr(vptr_last_error(), "CL_OUT_OF_HOST_MEMORY"));
  }
  layer->inject(LAYER_GET_PLATFORM_IDS, 1, -1001); /* what the loader answers on a bare machine */
  ck_assert_int_eq(vptr__device_count(), 0);
  layer->inject(LAYER_GET_PLATFORM_IDS, 1, -1001);
  support_expect(VPTR_ERROR_NO_DEVICE, vptr__device_list(&entries, &listed));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "apt install pocl-opencl-icd"));
  layer->inject(LAYER_GET_DEVICE_IDS, 1, CL_DEVICE_NOT_FOUND);
  support_expect(VPTR_ERROR_NO_DEVICE, vptr__device_list(&entries, &listed));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "have no device"));
  layer->inject(LAYER_ANY, 0, CL_SUCCESS);
  support_succeed(vptr__device_list(&entries, &listed));
  ck_assert_int_gt(listed, 0);
}
END_TEST

static Suite *faults_suite(void) {
  Suite *suite = suite_create("faults");
  TCase *scan = tcase_create("scan");
  tcase_add_test(scan, only_the_platform_that_is_named_is_asked_for_devices);
  tcase_add_test(scan, a_scan_that_found_nothing_is_made_again);
  suite_add_tcase(suite, scan);
  TCase *single = tcase_create("single");
  tcase_add_checked_fixture(single, open_device, close_device);
  tcase_add_test(single, a_buffer_that_cannot_be_committed_is_released);
  tcase_add_test(single, a_buffer_too_large_for_the_driver_is_a_matter_of_size);
  tcase_add_test(single, every_queue_is_waited_for_though_the_first_fails);
  tcase_add_test(single, a_queue_that_could_not_be_waited_for_stays_named);
  tcase_add_test(single, the_verdict_on_addresses_is_remembered_and_an_accident_is_none);
  tcase_add_test(single, the_verdict_on_plain_memory_is_remembered_and_an_accident_is_none);
  tcase_add_test(single, nothing_but_a_cpu_is_tried_for_plain_memory);
  suite_add_tcase(suite, single);
  TCase *every = tcase_create("every");
  tcase_add_loop_test(every, every_call_may_fail, 0, (int)(sizeof codes / sizeof *codes));
  tcase_add_loop_test(every, every_call_may_fail_on_objects_of_the_callers, 0, (int)(sizeof codes / sizeof *codes));
  tcase_add_loop_test(every, every_call_of_commands_may_fail, 0, (int)(sizeof codes / sizeof *codes));
  tcase_add_test(every, every_call_of_the_address_trial_may_fail);
  tcase_add_test(every, every_call_of_the_trial_of_plain_memory_may_fail);
  suite_add_tcase(suite, every);
  return suite;
}

int main(void) {
  if (!support_has_opencl()) {
    fputs("left out: faults come from an OpenCL platform; set VPTR_TEST_BACKEND\n", stderr);
    return LEFT_OUT;
  }
  setenv("VPTR_CACHE", "off", 1); /* what fails is compiling */
  layer = layer_install();
  return layer != NULL ? support_run(faults_suite()) : LEFT_OUT;
}
