/* SPDX-License-Identifier: MIT */
/*
 * What only an OpenCL device has: contexts and queues of the caller's, limits of memory, mapping. Left out on
 * the fake device. Kernel arguments and device addresses: test_address.c.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include "base/error.h"
#include "base/memory.h"
#include "device/device.h"
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LEFT_OUT = 77 };

static vptr__device *device;
static long live_before;

static void open_device(void) {
  live_before = vptr__memory_live();
  support_succeed(vptr__device_open(NULL, 0, &device));
}

static void close_device(void) {
  vptr__device_close(device);
  ck_assert_int_eq(vptr__memory_live(), live_before);
}

static cl_mem make(size_t bytes) {
  cl_mem buffer = NULL;
  support_succeed(device->ops->memory.create(device, bytes, &buffer));
  ck_assert_ptr_nonnull(buffer);
  return buffer;
}

static void release(cl_mem buffer) {
  device->ops->memory.release(device, buffer);
}

/* ---- the caller's own objects ------------------------------------------------------------------- */

static cl_context new_context(void) {
  cl_int code;
  cl_context context = clCreateContext(NULL, 1, &device->cl_device, NULL, NULL, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  return context;
}

static cl_command_queue new_queue(cl_context context, cl_command_queue_properties properties) {
  cl_int code;
  cl_command_queue queue = clCreateCommandQueue(context, device->cl_device, properties, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  return queue;
}

static cl_uint context_references(cl_context context) {
  cl_uint references = 0;
  clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, NULL);
  return references;
}

static cl_uint queue_references(cl_command_queue queue) {
  cl_uint references = 0;
  clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, NULL);
  return references;
}

START_TEST(the_callers_context_and_queue_are_used_and_given_back) {
  cl_context context = new_context();
  cl_command_queue queue = new_queue(context, 0);
  cl_uint context_before = context_references(context), queue_before = queue_references(queue);
  vptr_config config = VPTR_CONFIG_INIT;
  config.context = context;
  config.device = device->cl_device;
  config.queue = queue;
  vptr__device *own;
  support_succeed(vptr__device_open(&config, 0, &own));
  ck_assert_ptr_eq(own->cl_context, context);
  ck_assert_ptr_eq(own->cl_device, device->cl_device);
  ck_assert_ptr_eq(own->cl_queue, queue);
  ck_assert_int_eq(own->ordinal, 0);
  vptr__device_close(own);
  ck_assert_uint_eq(context_references(context), context_before);
  ck_assert_uint_eq(queue_references(queue), queue_before);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
END_TEST

START_TEST(a_queue_brings_its_context_and_device) {
  cl_context context = new_context();
  cl_command_queue queue = new_queue(context, 0);
  vptr_config config = VPTR_CONFIG_INIT;
  config.queue = queue;
  vptr__device *own;
  support_succeed(vptr__device_open(&config, 0, &own));
  ck_assert_ptr_eq(own->cl_context, context);
  ck_assert_ptr_eq(own->cl_device, device->cl_device);
  vptr__device_close(own);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
END_TEST

START_TEST(a_context_brings_its_device) {
  cl_context context = new_context();
  vptr_config config = VPTR_CONFIG_INIT;
  config.context = context;
  vptr__device *own;
  support_succeed(vptr__device_open(&config, 0, &own));
  ck_assert_ptr_eq(own->cl_device, device->cl_device);
  vptr__device_close(own);
  clReleaseContext(context);
}
END_TEST

START_TEST(a_device_alone_gets_a_context) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.device = device->cl_device;
  vptr__device *own;
  support_succeed(vptr__device_open(&config, 0, &own));
  ck_assert_ptr_eq(own->cl_device, device->cl_device);
  ck_assert_ptr_ne(own->cl_context, device->cl_context);
  vptr__device_close(own);
}
END_TEST

START_TEST(objects_that_do_not_fit_together_are_refused) {
  cl_context context = new_context();
  cl_command_queue loose = new_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_uint context_before = context_references(context), queue_before = queue_references(loose);
  vptr__device *own = NULL;
  vptr_config config = VPTR_CONFIG_INIT;
  config.context = context;
  config.queue = loose;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__device_open(&config, 0, &own));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "out-of-order"));
  config.queue = device->cl_queue; /* of another context */
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__device_open(&config, 0, &own));
  ck_assert_ptr_null(own);
  ck_assert_uint_eq(context_references(context), context_before);
  ck_assert_uint_eq(queue_references(loose), queue_before);
  clReleaseCommandQueue(loose);
  clReleaseContext(context);
}
END_TEST

START_TEST(a_foreign_buffer_tells_its_size_if_it_is_of_the_context) {
  cl_int code;
  cl_mem ours = clCreateBuffer(device->cl_context, CL_MEM_READ_ONLY, 1234, NULL, &code);
  cl_context other = new_context();
  cl_mem theirs = clCreateBuffer(other, CL_MEM_READ_WRITE, 1234, NULL, &code);
  size_t bytes = 0;
  support_succeed(device->ops->memory.size(device, ours, &bytes));
  ck_assert_uint_eq(bytes, 1234);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, device->ops->memory.size(device, theirs, &bytes));
  clReleaseMemObject(theirs);
  clReleaseContext(other);
  clReleaseMemObject(ours);
}
END_TEST

/* ---- queues that are named ---------------------------------------------------------------------- */

START_TEST(naming_a_queue_twice_is_naming_it_once) {
  cl_command_queue queue = new_queue(device->cl_context, 0);
  cl_uint references = queue_references(queue);
  ck_assert(!device->has_queues);
  support_succeed(device->ops->queue.use(device, queue));
  support_succeed(device->ops->queue.use(device, queue));
  ck_assert_uint_eq(queue_references(queue), references + 1);
  ck_assert(device->has_queues);
  support_succeed(device->ops->queue.drop(device, queue));
  ck_assert_uint_eq(queue_references(queue), references);
  ck_assert(!device->has_queues);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, device->ops->queue.drop(device, queue));
  clReleaseCommandQueue(queue);
}
END_TEST

/* Sends some milliseconds of work to queue. */
static cl_event send_work(cl_command_queue queue, cl_mem buffer, size_t bytes) {
  const char zero = 0;
  cl_event event;
  ck_assert_int_eq(clEnqueueFillBuffer(queue, buffer, &zero, 1, 0, bytes, 0, NULL, &event), CL_SUCCESS);
  return event;
}

static void expect_done(cl_event event) {
  cl_int ended = -1;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof ended, &ended, NULL);
  ck_assert_int_eq(ended, CL_COMPLETE);
  clReleaseEvent(event);
}

START_TEST(a_named_queue_is_waited_for) {
  const size_t bytes = (size_t)32 << 20;
  cl_command_queue queue = new_queue(device->cl_context, 0);
  cl_mem buffer = make(bytes);
  support_succeed(device->ops->queue.use(device, queue));
  cl_event event = send_work(queue, buffer, bytes);
  support_succeed(device->ops->queue.finish_all(device));
  expect_done(event);
  event = send_work(queue, buffer, bytes);
  support_succeed(device->ops->queue.drop(device, queue));
  expect_done(event);
  release(buffer);
  clReleaseCommandQueue(queue);
}
END_TEST

START_TEST(dropping_a_queue_leaves_the_others) {
  enum { BYTES = 32 << 20 };
  cl_command_queue queues[3];
  for (int i = 0; i < 3; i++) {
    queues[i] = new_queue(device->cl_context, 0);
    support_succeed(device->ops->queue.use(device, queues[i]));
  }
  support_succeed(device->ops->queue.drop(device, queues[1]));
  ck_assert(device->has_queues);
  cl_mem buffer = make(BYTES);
  cl_event first = send_work(queues[0], buffer, BYTES), last = send_work(queues[2], buffer, BYTES);
  support_succeed(device->ops->queue.finish_all(device));
  expect_done(first);
  expect_done(last);
  release(buffer);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, device->ops->queue.drop(device, queues[1]));
  support_succeed(device->ops->queue.drop(device, queues[0]));
  for (int i = 0; i < 3; i++)
    clReleaseCommandQueue(queues[i]); /* closing lets go of the last one */
}
END_TEST

START_TEST(a_queue_of_another_context_is_refused) {
  cl_context other = new_context();
  cl_command_queue queue = new_queue(other, 0);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, device->ops->queue.use(device, queue));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, device->ops->queue.use(device, NULL));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, device->ops->queue.drop(device, queue));
  ck_assert(!device->has_queues);
  clReleaseCommandQueue(queue);
  clReleaseContext(other);
}
END_TEST

START_TEST(naming_a_queue_without_host_memory_fails_and_keeps_nothing) {
  cl_command_queue queue = new_queue(device->cl_context, 0);
  cl_uint references = queue_references(queue);
  vptr__memory_fail_nth(1);
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, device->ops->queue.use(device, queue));
  ck_assert_uint_eq(queue_references(queue), references);
  ck_assert(!device->has_queues);
  clReleaseCommandQueue(queue);
}
END_TEST

START_TEST(an_allocation_does_not_wait_for_the_callers_queue) {
  cl_int code;
  cl_event gate = clCreateUserEvent(device->cl_context, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  cl_mem first = make(64);
  const char zero = 0;
  clEnqueueFillBuffer(device->cl_queue, first, &zero, 1, 0, 64, 1, &gate, NULL);
  alarm(60); /* an end, and not a happy one, for an allocation that waits */
  cl_mem second = make(64);
  alarm(0);
  clSetUserEventStatus(gate, CL_COMPLETE);
  clReleaseEvent(gate);
  support_succeed(device->ops->queue.finish_all(device));
  release(first);
  release(second);
}
END_TEST

/* ---- memory ------------------------------------------------------------------------------------- */

/* Takes the device's memory by its largest buffers; how many it had room for. Nothing is written to them. */
static int take_all(cl_mem *buffers, int most) {
  int taken = 0;
  vptr_status status = VPTR_SUCCESS;
  while (taken < most && status == VPTR_SUCCESS) {
    status = device->ops->memory.create(device, device->max_buffer_bytes, &buffers[taken]);
    taken += status == VPTR_SUCCESS;
  }
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, status);
  return taken;
}

static void release_all(cl_mem *buffers, int taken) {
  for (int i = 0; i < taken; i++)
    release(buffers[i]);
}

START_TEST(a_full_device_refuses_and_has_room_again_when_the_last_reference_goes) {
  enum { MOST = 64 };
  static cl_mem buffers[MOST];
  int taken = take_all(buffers, MOST);
  ck_assert_int_gt(taken, 0);
  ck_assert_uint_le((uint64_t)taken * device->max_buffer_bytes, device->memory_bytes);
  cl_mem kept = buffers[0];
  clRetainMemObject(kept);
  release_all(buffers, taken);
  ck_assert_int_eq(take_all(buffers, MOST), taken - 1);
  release_all(buffers, taken - 1);
  clReleaseMemObject(kept);
  ck_assert_int_eq(take_all(buffers, MOST), taken);
  release_all(buffers, taken);
}
END_TEST

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* whose allocators end the process */

static rlim_t address_space_in_use(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fscanf(file, "%lu", &pages), 1);
  fclose(file);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* PoCL ends the process where it finds out too late. */
START_TEST(a_host_without_memory_refuses_too) {
  cl_mem buffer = NULL;
  struct rlimit before, tight;
  if (!device->host_unified || device->max_buffer_bytes < (size_t)512 << 20)
    return;
  getrlimit(RLIMIT_AS, &before);
  tight = before;
  tight.rlim_cur = address_space_in_use() + ((rlim_t)128 << 20);
  setrlimit(RLIMIT_AS, &tight);
  void *none = malloc((size_t)512 << 20); /* valgrind serves it all the same */
  if (none != NULL) {
    setrlimit(RLIMIT_AS, &before);
    free(none);
    return;
  }
  vptr_status status = device->ops->memory.create(device, (size_t)512 << 20, &buffer);
  setrlimit(RLIMIT_AS, &before);
  support_expect(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, status);
  ck_assert_ptr_null(buffer);
}
END_TEST

#endif

/* ---- mapping ------------------------------------------------------------------------------------ */

START_TEST(mapping_shows_the_devices_memory_in_every_mode) {
  cl_mem buffer = make(256);
  unsigned char *host = NULL, in[4];
  if (!device->host_unified) {
    support_expect(VPTR_ERROR_UNSUPPORTED,
                   device->ops->memory.map(device, buffer, 0, 4, VPTR_ACCESS_READ, (void **)&host));
    release(buffer);
    return;
  }
  for (int access = VPTR_ACCESS_READ; access <= (int)VPTR_ACCESS_DISCARD_READ_WRITE; access++) {
    support_succeed(device->ops->transfer.fill(device, buffer, 0, 256, "f", 1));
    support_succeed(device->ops->memory.map(device, buffer, 101, 4, (vptr_access)access, (void **)&host));
    if (access < (int)VPTR_ACCESS_DISCARD_WRITE)
      ck_assert_mem_eq(host, "ffff", 4);
    if (access != (int)VPTR_ACCESS_READ)
      memcpy(host, "host", 4);
    support_succeed(device->ops->memory.unmap(device, buffer, host));
    support_succeed(device->ops->transfer.read(device, buffer, 101, in, 4));
    ck_assert_mem_eq(in, access == (int)VPTR_ACCESS_READ ? "ffff" : "host", 4);
  }
  release(buffer);
}
END_TEST

/* ---- threads ------------------------------------------------------------------------------------ */

static const char *use_everything(uint64_t *state) {
  const vptr__device_ops *ops = device->ops;
  uint64_t out = support_random(state), in = 0, address = 0;
  cl_int code;
  cl_mem buffer;
  cl_command_queue queue = clCreateCommandQueue(device->cl_context, device->cl_device, 0, &code);
  if (code != CL_SUCCESS || ops->memory.create(device, 4096, &buffer) != VPTR_SUCCESS)
    return "making";
  bool used = ops->queue.use(device, queue) == VPTR_SUCCESS;
  bool moved = ops->transfer.write(device, buffer, 0, &out, 8) == VPTR_SUCCESS &&
               ops->transfer.copy(device, buffer, 0, buffer, 64, 8) == VPTR_SUCCESS &&
               ops->transfer.read(device, buffer, 64, &in, 8) == VPTR_SUCCESS && in == out;
  vptr_status told = ops->memory.address(device, buffer, &address);
  bool finished = ops->queue.finish_all(device) == VPTR_SUCCESS;
  bool dropped = ops->queue.drop(device, queue) == VPTR_SUCCESS;
  ops->memory.release(device, buffer);
  clReleaseCommandQueue(queue);
  if (!moved)
    return "moving";
  if (told != VPTR_SUCCESS && told != VPTR_ERROR_UNSUPPORTED)
    return "address";
  return used && finished && dropped ? NULL : "queue";
}

static void *hammer(void *seed) {
  uint64_t state = (uint64_t)(uintptr_t)seed;
  const char *wrong = NULL;
  for (int i = 0; i < 20 && wrong == NULL; i++)
    wrong = use_everything(&state);
  return (void *)(uintptr_t)wrong;
}

START_TEST(threads_do_not_disturb_each_other) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, hammer, (void *)(i + 1)), 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    ck_assert_msg(wrong == NULL, "thread %d: %s", i, (const char *)wrong);
  }
  ck_assert(!device->has_queues);
}
END_TEST

static Suite *opencl_suite(void) {
  Suite *suite = suite_create("opencl");
  TCase *tests = tcase_create("opencl");
  tcase_add_checked_fixture(tests, open_device, close_device);
  tcase_add_test(tests, the_callers_context_and_queue_are_used_and_given_back);
  tcase_add_test(tests, a_queue_brings_its_context_and_device);
  tcase_add_test(tests, a_context_brings_its_device);
  tcase_add_test(tests, a_device_alone_gets_a_context);
  tcase_add_test(tests, objects_that_do_not_fit_together_are_refused);
  tcase_add_test(tests, a_foreign_buffer_tells_its_size_if_it_is_of_the_context);
  tcase_add_test(tests, naming_a_queue_twice_is_naming_it_once);
  tcase_add_test(tests, a_named_queue_is_waited_for);
  tcase_add_test(tests, dropping_a_queue_leaves_the_others);
  tcase_add_test(tests, a_queue_of_another_context_is_refused);
  tcase_add_test(tests, naming_a_queue_without_host_memory_fails_and_keeps_nothing);
  tcase_add_test(tests, an_allocation_does_not_wait_for_the_callers_queue);
  tcase_add_test(tests, a_full_device_refuses_and_has_room_again_when_the_last_reference_goes);
  tcase_add_test(tests, mapping_shows_the_devices_memory_in_every_mode);
  tcase_add_test(tests, threads_do_not_disturb_each_other);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  tcase_add_test(tests, a_host_without_memory_refuses_too);
#endif
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  if (!support_has_opencl()) {
    fputs("left out: needs an OpenCL platform; set VPTR_TEST_BACKEND\n", stderr);
    return LEFT_OUT;
  }
  return support_run(opencl_suite());
}
