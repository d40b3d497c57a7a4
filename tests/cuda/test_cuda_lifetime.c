/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_lifetime - what ends, when: pools at a reset, pinned memory that another device uses, memory that is freed
 * behind a failure, a device that is lost, and what threads keep.
 *
 * Cases with two devices are processes of their own, since the list of devices is made once.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/fake.h"
#include "expect.h"
#include "mapper/mapper.h"
#include "support/child.h"

/* ---- reset ---------------------------------------------------------------------------------------------- */

static cudaMemPool_t new_pool(void) {
  cudaMemPool_t pool;
  struct cudaMemPoolProps props;
  memset(&props, 0, sizeof props);
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  succeed(cudaMemPoolCreate(&pool, &props));
  return pool;
}

static uint64_t attribute(cudaMemPool_t pool, enum cudaMemPoolAttr which) {
  uint64_t value = 77;
  succeed(cudaMemPoolGetAttribute(pool, which, &value));
  return value;
}

static int reuse(cudaMemPool_t pool) {
  int value = 77;
  succeed(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &value));
  return value;
}

/* Work, waiting streams, memory that is held and memory that is on its way back, in a pool. */
static void *use(cudaMemPool_t pool, cudaStream_t stream) {
  void *kept, *freed;
  cudaEvent_t event;
  succeed(cudaMallocFromPoolAsync(&kept, SIZE, pool, stream));
  succeed(cudaMallocFromPoolAsync(&freed, 1 << 20, pool, stream));
  succeed(cudaMemsetAsync(freed, 1, 1 << 20, stream));
  succeed(cudaFreeAsync(freed, stream));
  succeed(cudaEventCreate(&event));
  succeed(cudaEventRecord(event, stream));
  succeed(cudaStreamWaitEvent(NULL, event, 0));
  return kept;
}

START_TEST(a_reset_ends_the_pools_that_were_made) {
  cudaMemPool_t pool = new_pool(), empty = new_pool(), other;
  cudaStream_t stream;
  struct cudaMemPoolProps props;
  uint64_t value = 0;
  succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  void *kept = use(pool, stream);
  succeed(cudaDeviceSetMemPool(0, pool));
  succeed(cudaDeviceReset());
  expect(cudaErrorInvalidValue, cudaMemPoolTrimTo(pool, 0));
  expect(cudaErrorInvalidValue, cudaMemPoolTrimTo(empty, 0));
  expect(cudaErrorInvalidValue, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  expect(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));
  expect(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, pool));
  expect(cudaErrorInvalidValue, cudaFreeAsync(kept, NULL));
  expect(cudaErrorInvalidValue, cudaFree(kept));
  void *p = NULL;
  expect(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&p, SIZE, pool, NULL));
  memset(&props, 0, sizeof props);
  succeed(cudaDeviceGetMemPool(&other, 0));
  succeed(cudaMallocAsync(&p, SIZE, NULL));
  succeed(cudaFreeAsync(p, NULL));
  succeed(cudaDeviceReset());
}
END_TEST

START_TEST(a_reset_makes_the_default_pool_new) {
  cudaMemPool_t standard, current;
  cudaStream_t stream;
  uint64_t much = UINT64_MAX;
  int no = 0;
  succeed(cudaDeviceGetDefaultMemPool(&standard, 0));
  succeed(cudaStreamCreate(&stream));
  succeed(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &much));
  succeed(cudaMemPoolSetAttribute(standard, cudaMemPoolReuseFollowEventDependencies, &no));
  use(standard, stream);
  succeed(cudaStreamSynchronize(stream));
  ck_assert_uint_gt(attribute(standard, cudaMemPoolAttrReservedMemCurrent), 1 << 20);
  succeed(cudaDeviceSetMemPool(0, new_pool()));
  succeed(cudaDeviceReset());
  succeed(cudaDeviceGetDefaultMemPool(&standard, 0));
  succeed(cudaDeviceGetMemPool(&current, 0));
  ck_assert_ptr_eq(current, standard);
  ck_assert_uint_eq(attribute(standard, cudaMemPoolAttrReleaseThreshold), 0);
  ck_assert_uint_eq(attribute(standard, cudaMemPoolAttrReservedMemCurrent), 0);
  ck_assert_uint_eq(attribute(standard, cudaMemPoolAttrReservedMemHigh), 0);
  ck_assert_uint_eq(attribute(standard, cudaMemPoolAttrUsedMemCurrent), 0);
  ck_assert_uint_eq(attribute(standard, cudaMemPoolAttrUsedMemHigh), 0);
  ck_assert_int_eq(reuse(standard), 1);
}
END_TEST

/* ---- two devices ---------------------------------------------------------------------------------------- */

static child done;

static void run(void (*body)(void)) {
  child_run(body, &done);
  ck_assert_msg(done.exited && done.exit_code == 0, "exit %d, signal %d: %s", done.exit_code, done.signal, done.text);
}

static void require(cudaError_t expected, cudaError_t got, const char *call) {
  if (got != expected)
    fprintf(stderr, "%s: %s, not %s: %s\n", call, cudaGetErrorName(got), cudaGetErrorName(expected),
            vptr_last_error());
  child_require(got == expected, call);
}

#define need(call) require(cudaSuccess, (call), #call)
#define need_error(expected, call) require((expected), (call), #call)

static void two_devices(void) {
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_PARTITION", "2");
  int count = 0;
  need(cudaGetDeviceCount(&count));
  child_require(count == 2, "not two devices");
}

static atomic_bool stood;

static void pause_a_while(void *context) {
  (void)context;
  usleep(150000);
  atomic_store(&stood, true);
}

/* Pinned for the first device, used by a stream of the second, which is busy meanwhile. */
static void use_elsewhere(cudaError_t (*start)(void *host, void *device, cudaStream_t stream),
                          cudaError_t (*end)(void *host), void *host) {
  cudaStream_t stream;
  void *device;
  need(cudaSetDevice(1));
  need(cudaMalloc(&device, SIZE));
  need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  need(cudaLaunchHostFunc(stream, pause_a_while, NULL));
  need(start(host, device, stream));
  need(cudaSetDevice(0));
  child_require(!atomic_load(&stood), "starting work waited for it");
  need(end(host));
  child_require(atomic_load(&stood), "memory was given back while another device used it");
}

static cudaError_t write_there(void *host, void *device, cudaStream_t stream) {
  return cudaMemcpyAsync(device, host, SIZE, cudaMemcpyHostToDevice, stream);
}

static cudaError_t read_there(void *host, void *device, cudaStream_t stream) {
  return cudaMemcpy2DAsync(host, 100, device, 100, 100, SIZE / 100, cudaMemcpyDefault, stream);
}

static void freed_elsewhere(void) {
  void *host;
  two_devices();
  need(cudaMallocHost(&host, SIZE));
  use_elsewhere(write_there, cudaFreeHost, host);
}

static void unregistered_elsewhere(void) {
  static char host[SIZE];
  two_devices();
  need(cudaHostRegister(host, SIZE, cudaHostRegisterPortable));
  use_elsewhere(read_there, cudaHostUnregister, host);
}

START_TEST(pinned_memory_waits_for_the_device_that_uses_it) {
  run(freed_elsewhere);
  run(unregistered_elsewhere);
}
END_TEST

/* In the order of another device's stream, whose work has failed: told, and freed. */
static void free_behind_a_failure(void) {
  static char host[SIZE];
  void *here, *there;
  cudaStream_t stream;
  struct cudaPointerAttributes what;
  two_devices();
  need(cudaMalloc(&here, SIZE));
  need(cudaHostRegister(host, SIZE, cudaHostRegisterPortable));
  need(cudaSetDevice(1));
  need(cudaMalloc(&there, SIZE));
  need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
  need(cudaMemcpyAsync(there, host, SIZE, cudaMemcpyHostToDevice, stream));
  need_error(cudaErrorLaunchFailure, cudaFreeAsync(here, stream));
  need_error(cudaErrorInvalidValue, cudaFreeAsync(here, stream));
  need(cudaStreamSynchronize(stream));
  need(cudaPointerGetAttributes(&what, there));
  need(cudaFreeAsync(there, stream));
}

START_TEST(a_free_behind_a_failure_frees_and_tells) {
  run(free_behind_a_failure);
}
END_TEST

/* ---- failures that stay, and that do not ---------------------------------------------------------------- */

START_TEST(a_command_that_fails_is_told_once) {
  static char host[SIZE];
  cudaStream_t stream;
  char *p = device_memory(SIZE);
  succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  succeed(cudaHostRegister(host, SIZE, 0));
  vptr__fake_fail_command(1, CL_OUT_OF_RESOURCES);
  succeed(cudaMemcpyAsync(p, host, SIZE, cudaMemcpyHostToDevice, stream));
  expect(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  succeed(cudaMemcpyAsync(p, host, SIZE, cudaMemcpyHostToDevice, stream));
  succeed(cudaStreamSynchronize(stream));
  expect(cudaErrorLaunchFailure, cudaPeekAtLastError());
  expect(cudaErrorLaunchFailure, cudaGetLastError());
  expect(cudaSuccess, cudaGetLastError());
  succeed(cudaHostUnregister(host));
  succeed(cudaStreamDestroy(stream));
  succeed(cudaFree(p));
}
END_TEST

static void check_that_all_fail(char *p, cudaStream_t stream) {
  void *q;
  size_t left, total;
  cudaStream_t other;
  cudaEvent_t event;
  char host[SIZE] = "";
  expect(cudaErrorLaunchFailure, cudaMalloc(&q, SIZE));
  expect(cudaErrorLaunchFailure, cudaMallocHost(&q, SIZE));
  expect(cudaErrorLaunchFailure, cudaMallocAsync(&q, SIZE, stream));
  expect(cudaErrorLaunchFailure, cudaFree(p));
  expect(cudaErrorLaunchFailure, cudaFree(NULL));
  expect(cudaErrorLaunchFailure, cudaFreeAsync(p, stream));
  expect(cudaErrorLaunchFailure, cudaMemcpy(p, host, SIZE, cudaMemcpyHostToDevice));
  expect(cudaErrorLaunchFailure, cudaMemcpyAsync(p, host, SIZE, cudaMemcpyHostToDevice, stream));
  expect(cudaErrorLaunchFailure, cudaMemset(p, 0, SIZE));
  expect(cudaErrorLaunchFailure, cudaMemGetInfo(&left, &total));
  expect(cudaErrorLaunchFailure, cudaStreamCreate(&other));
  expect(cudaErrorLaunchFailure, cudaStreamQuery(stream));
  expect(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  expect(cudaErrorLaunchFailure, cudaEventCreate(&event));
  expect(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  expect(cudaErrorLaunchFailure, cudaPeekAtLastError());
  for (int i = 0; i < 3; i++)
    expect(cudaErrorLaunchFailure, cudaGetLastError());
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "cudaDeviceReset"));
}

START_TEST(a_device_that_is_lost_fails_every_later_call_until_it_is_reset) {
  struct cudaDeviceProp prop;
  cudaStream_t stream;
  int count;
  char *p = device_memory(SIZE);
  succeed(cudaStreamCreate(&stream));
  succeed(cudaMemsetAsync(p, 1, SIZE, stream));
  succeed(cudaDeviceSynchronize());
  vptr__fake_lose(-9999); /* what NVIDIA's driver says of a kernel that went astray */
  expect(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  check_that_all_fail(p, stream);
  expect(cudaErrorLaunchFailure, cudaDeviceReset());
  check_that_all_fail(p, stream);
  vptr__fake_lose(CL_SUCCESS);
  check_that_all_fail(p, stream);
  succeed(cudaGetDeviceCount(&count));
  succeed(cudaGetDeviceProperties(&prop, 0));
  succeed(cudaDeviceReset());
  expect(cudaSuccess, cudaGetLastError());
  p = device_memory(SIZE);
  succeed(cudaMemset(p, 1, SIZE));
  succeed(cudaDeviceSynchronize());
  succeed(cudaFree(p));
}
END_TEST

/* Each device by itself. */
static void lose_one_of_two(void) {
  void *p;
  two_devices();
  need(cudaMalloc(&p, SIZE));
  vptr__fake_lose(CL_OUT_OF_RESOURCES);
  need_error(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  vptr__fake_lose(CL_SUCCESS);
  need_error(cudaErrorLaunchFailure, cudaGetLastError());
  need_error(cudaErrorLaunchFailure, cudaMemset(p, 0, SIZE));
  need(cudaSetDevice(1));
  need_error(cudaErrorLaunchFailure, cudaGetLastError());
  need(cudaGetLastError());
  need(cudaMalloc(&p, SIZE));
  need(cudaSetDevice(0));
  need_error(cudaErrorLaunchFailure, cudaMalloc(&p, SIZE));
  need(cudaDeviceReset());
  need(cudaMalloc(&p, SIZE));
}

START_TEST(another_device_goes_on) {
  run(lose_one_of_two);
}
END_TEST

/* ---- what another thread was told ----------------------------------------------------------------------- */

static pthread_barrier_t turn;

/* The other thread's turn, and the end of it. */
static void take_turns(void) {
  pthread_barrier_wait(&turn);
  pthread_barrier_wait(&turn);
}

static void *use_through_changes(void *context) {
  cudaStream_t stream = context;
  void *p, *q;
  succeed(cudaMalloc(&p, SIZE));
  for (int i = 0; i < 2; i++) { /* the second time by what was kept of the first */
    succeed(cudaMallocAsync(&q, SIZE, stream));
    succeed(cudaFreeAsync(q, stream));
    succeed(cudaMallocAsync(&q, SIZE, NULL));
    succeed(cudaFreeAsync(q, NULL));
    succeed(cudaMallocAsync(&q, SIZE, stream));
    succeed(cudaFreeAsync(q, stream));
  }
  take_turns(); /* the stream is destroyed */
  expect(cudaErrorInvalidResourceHandle, cudaMallocAsync(&q, SIZE, stream));
  expect(cudaErrorInvalidResourceHandle, cudaFreeAsync(p, stream));
  succeed(cudaMallocAsync(&q, SIZE, NULL));
  take_turns(); /* the device is lost */
  expect(cudaErrorLaunchFailure, cudaMallocAsync(&q, SIZE, NULL));
  expect(cudaErrorLaunchFailure, cudaMalloc(&q, SIZE));
  expect(cudaErrorLaunchFailure, cudaFree(p));
  take_turns(); /* and works again */
  succeed(cudaMalloc(&p, SIZE));
  succeed(cudaFree(p));
  return NULL;
}

START_TEST(what_a_thread_was_told_ends_when_another_changes_it) {
  pthread_t thread;
  cudaStream_t stream;
  succeed(cudaStreamCreate(&stream));
  pthread_barrier_init(&turn, NULL, 2);
  ck_assert_int_eq(pthread_create(&thread, NULL, use_through_changes, stream), 0);
  pthread_barrier_wait(&turn);
  succeed(cudaStreamDestroy(stream));
  take_turns();
  vptr__fake_lose(-9999);
  expect(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  vptr__fake_lose(CL_SUCCESS);
  take_turns();
  succeed(cudaDeviceReset());
  pthread_barrier_wait(&turn);
  pthread_join(thread, NULL);
  pthread_barrier_destroy(&turn);
  cudaGetLastError();
}
END_TEST

static int device_of_new_memory(void) {
  struct cudaPointerAttributes attributes;
  void *p;
  need(cudaMalloc(&p, SIZE));
  need(cudaPointerGetAttributes(&attributes, p));
  need(cudaFree(p));
  return attributes.device;
}

static void *allocate_twice(void *first_is_right) {
  *(bool *)first_is_right = device_of_new_memory() == 0 && device_of_new_memory() == 0;
  take_turns(); /* threads begin with the second device now */
  return device_of_new_memory() == 1 ? first_is_right : NULL;
}

static void change_the_first_device(void) {
  pthread_t thread;
  bool first_is_right = false;
  void *second_is_right = NULL;
  int second = 1;
  two_devices();
  pthread_barrier_init(&turn, NULL, 2);
  pthread_create(&thread, NULL, allocate_twice, &first_is_right);
  pthread_barrier_wait(&turn);
  need(cudaSetValidDevices(&second, 1));
  pthread_barrier_wait(&turn);
  pthread_join(thread, &second_is_right);
  child_require(first_is_right, "a thread begins with the first device");
  child_require(second_is_right != NULL, "and goes on with the one that is the first now");
}

START_TEST(a_thread_follows_the_device_that_threads_begin_with) {
  run(change_the_first_device);
}
END_TEST

static Suite *lifetime_suite(void) {
  Suite *suite = suite_create("cuda lifetime");
  TCase *tests = tcase_create("cuda lifetime");
  /* first those that fork: nothing of vptr may have been used before */
  tcase_add_test(tests, pinned_memory_waits_for_the_device_that_uses_it);
  tcase_add_test(tests, a_free_behind_a_failure_frees_and_tells);
  tcase_add_test(tests, another_device_goes_on);
  tcase_add_test(tests, a_thread_follows_the_device_that_threads_begin_with);
  tcase_add_test(tests, a_reset_ends_the_pools_that_were_made);
  tcase_add_test(tests, a_reset_makes_the_default_pool_new);
  tcase_add_test(tests, a_command_that_fails_is_told_once);
  tcase_add_test(tests, a_device_that_is_lost_fails_every_later_call_until_it_is_reset);
  tcase_add_test(tests, what_a_thread_was_told_ends_when_another_changes_it);
  suite_add_tcase(suite, tests);
  return suite;
}

/* Faults are the fake device's. */
int main(void) {
  setenv("VPTR_TEST_BACKEND", "fake", 1);
  return support_run(lifetime_suite());
}
