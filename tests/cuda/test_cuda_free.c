/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_free - frees that wait for work in flight, as CUDA's do: what they leave to others meanwhile, whose work it
 * is, and the switch. conform_free.c has what CUDA promises too.
 *
 * A gate is a function on the host that a stream waits for: what does not return before it is opened hangs.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "expect.h"
#include "support/child.h"

static atomic_bool is_open;

static void wait_at_gate(void *unused) {
  (void)unused;
  while (!atomic_load(&is_open))
    usleep(50);
}

static void need(cudaError_t error) {
  child_require(error == cudaSuccess, vptr_last_error());
}

static void close_gate(cudaStream_t stream) {
  atomic_store(&is_open, false);
  need(cudaLaunchHostFunc(stream, wait_at_gate, NULL));
}

static void open_gate(void) {
  atomic_store(&is_open, true);
  need(cudaDeviceSynchronize());
}

static child done;

static void run(void (*body)(void)) {
  child_run(body, &done);
  ck_assert_msg(done.exited && done.exit_code == 0, "exit %d, signal %d: %s", done.exit_code, done.signal, done.text);
}

/* ---- who waits ------------------------------------------------------------------------------------------ */

static atomic_bool has_begun, has_returned;

static void *free_elsewhere(void *ptr) {
  atomic_store(&has_begun, true);
  cudaError_t error = cudaFree(ptr);
  atomic_store(&has_returned, true);
  return error == cudaSuccess ? NULL : ptr;
}

static void work_meanwhile(cudaStream_t stream) {
  char bytes[SIZE] = "";
  void *device, *pooled, *host;
  need(cudaMalloc(&device, SIZE));
  need(cudaMallocAsync(&pooled, SIZE, stream));
  need(cudaMallocHost(&host, SIZE));
  need(cudaMemcpyAsync(device, bytes, SIZE, cudaMemcpyHostToDevice, stream));
  need(cudaFreeAsync(pooled, stream));
  need(cudaFreeAsync(device, stream));
  need(cudaStreamSynchronize(stream));
}

static void wait_beside_others(void) {
  pthread_t thread;
  cudaStream_t shut, other;
  void *ptr, *failed;
  need(cudaMalloc(&ptr, SIZE));
  need(cudaStreamCreateWithFlags(&shut, cudaStreamNonBlocking));
  need(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  close_gate(shut);
  child_require(pthread_create(&thread, NULL, free_elsewhere, ptr) == 0, "no thread");
  while (!atomic_load(&has_begun))
    usleep(50);
  usleep(20000);
  for (int i = 0; i < 100; i++)
    work_meanwhile(other);
  child_require(!atomic_load(&has_returned), "the free did not wait");
  open_gate();
  pthread_join(thread, &failed);
  child_require(failed == NULL, "the free failed");
}

START_TEST(others_go_on_while_a_free_waits) {
  run(wait_beside_others);
}
END_TEST

/* ---- who does not --------------------------------------------------------------------------------------- */

static void free_of_every_kind(void) {
  struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  void *small, *large, *host;
  cudaArray_t array;
  need(cudaMalloc(&small, SIZE));
  need(cudaMalloc(&large, 1 << 20));
  need(cudaMallocHost(&host, SIZE));
  need(cudaMallocArray(&array, &desc, 8, 8, 0));
  close_gate(NULL);
  need(cudaFree(small));
  need(cudaFree(large));
  need(cudaFreeHost(host));
  need(cudaFreeArray(array));
  child_require(cudaStreamQuery(NULL) == cudaErrorNotReady, "nothing was in flight");
  open_gate();
}

static void free_at_once(void) {
  child_set("VPTR_FREE_WAITS", "0");
  free_of_every_kind();
}

START_TEST(a_switch_has_frees_return_at_once) {
  run(free_at_once);
}
END_TEST

static void free_beside_another_device(void) {
  void *ptr;
  child_set("VPTR_PARTITION", "2");
  need(cudaMalloc(&ptr, SIZE));
  need(cudaSetDevice(1));
  close_gate(NULL);
  need(cudaFree(ptr));
  child_require(cudaStreamQuery(NULL) == cudaErrorNotReady, "nothing was in flight");
  open_gate();
}

START_TEST(another_devices_work_is_not_waited_for) {
  run(free_beside_another_device);
}
END_TEST

static void free_by_vptr(void) {
  void *ptr;
  child_require(vptr_malloc(NULL, SIZE, &ptr) == VPTR_SUCCESS, vptr_last_error());
  close_gate(NULL);
  child_require(vptr_free(NULL, ptr) == VPTR_SUCCESS, vptr_last_error());
  child_require(cudaStreamQuery(NULL) == cudaErrorNotReady, "nothing was in flight");
  open_gate();
}

START_TEST(vptr_free_does_not_wait_for_the_mappers_own_queue) {
  run(free_by_vptr);
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

static void refuse_what_is_no_memory(void) {
  void *ptr;
  int on_stack = 0;
  cudaArray_t none = (cudaArray_t)(uintptr_t)77;
  need(cudaMalloc(&ptr, SIZE));
  close_gate(NULL);
  child_require(cudaFree(&on_stack) == cudaErrorInvalidValue, "no memory was freed");
  child_require(cudaFree((char *)ptr + 1) == cudaErrorInvalidValue, "a part was freed");
  child_require(cudaFreeHost(&on_stack) == cudaErrorInvalidValue, "no pinned memory was freed");
  child_require(cudaFreeArray(none) == cudaErrorInvalidResourceHandle, "no array was freed");
  child_require(cudaFree(NULL) == cudaSuccess && cudaFreeHost(NULL) == cudaSuccess, "NULL is something to free");
  child_require(cudaStreamQuery(NULL) == cudaErrorNotReady, "nothing was in flight");
  open_gate();
}

START_TEST(what_is_no_memory_is_refused_without_waiting) {
  run(refuse_what_is_no_memory);
}
END_TEST

static Suite *free_suite(void) {
  Suite *suite = suite_create("cuda free");
  TCase *tests = tcase_create("cuda free");
  tcase_add_test(tests, others_go_on_while_a_free_waits);
  tcase_add_test(tests, a_switch_has_frees_return_at_once);
  tcase_add_test(tests, another_devices_work_is_not_waited_for);
  tcase_add_test(tests, vptr_free_does_not_wait_for_the_mappers_own_queue);
  tcase_add_test(tests, what_is_no_memory_is_refused_without_waiting);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(free_suite());
}
