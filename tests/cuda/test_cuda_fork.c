/* SPDX-License-Identifier: MIT */
/*
 * fork - what the child of a process that uses CUDA may call, and what it may harm: nothing. CUDA says
 * cudaErrorInitializationError there; every call that would reach the device does so here, with words.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "support/support.h"

enum { LEFT_OUT = 77 /* to the test driver */ };
enum {
  BYTES = 256,
  PAIRS = 64,
  CHILDREN = 200,
  ALARM_SECONDS = 20 /* a child that waits for a lock of its parent's would wait for ever */
};

static char *device;
static void *pinned;
static cudaStream_t stream;
static cudaEvent_t event, other;

static void host_function(void *context) {
  (void)context;
}

static void CUDART_CB listen(void *data, cudaLogLevel level, char *message, size_t length) {
  (void)data, (void)level, (void)message, (void)length;
}

static void need(cudaError_t error) {
  ck_assert_msg(error == cudaSuccess, "%s: %s", cudaGetErrorName(error), vptr_last_error());
}

/* Those that answer otherwise, by their place in the list; 0: none, and the words are there. */
static int first_wrong_answer(void) {
  char host[BYTES] = "";
  void *out = NULL;
  float ms;
  size_t available, total, size = sizeof host;
  cudaLogIterator iterator;
  const cudaError_t answers[] = {
    cudaMalloc(&out, BYTES),
    cudaMallocHost(&out, BYTES),
    cudaMallocAsync(&out, BYTES, stream),
    cudaMallocManaged(&out, BYTES, cudaMemAttachGlobal),
    cudaFree(device),
    cudaFreeHost(pinned),
    cudaFreeAsync(device, stream),
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice),
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost),
    cudaMemcpy(device, device + 16, 16, cudaMemcpyDeviceToDevice),
    cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, stream),
    cudaMemcpy2D(device, 16, host, 16, 16, 16, cudaMemcpyHostToDevice),
    cudaMemset(device, 1, BYTES),
    cudaMemsetAsync(device, 1, BYTES, stream),
    cudaMemGetInfo(&available, &total),
    cudaStreamCreate((cudaStream_t *)&out),
    cudaStreamSynchronize(stream),
    cudaStreamSynchronize(NULL),
    cudaStreamQuery(stream),
    cudaStreamWaitEvent(stream, event, 0),
    cudaStreamDestroy(stream),
    cudaLaunchHostFunc(stream, host_function, NULL),
    cudaEventCreate((cudaEvent_t *)&out),
    cudaEventRecord(event, stream),
    cudaEventSynchronize(event),
    cudaEventQuery(event),
    cudaEventElapsedTime(&ms, event, other),
    cudaEventDestroy(event),
    cudaDeviceSynchronize(),
    cudaDeviceReset(),
    cudaLogsCurrent(&iterator, 0),
    cudaLogsDumpToMemory(NULL, host, &size, 0),
    cudaLogsDumpToFile(NULL, "/dev/null", 0),
    cudaLogsRegisterCallback(listen, NULL, (cudaLogsCallbackHandle *)&out),
    cudaLogsUnregisterCallback(NULL),
  };
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
    if (answers[i] != cudaErrorInitializationError)
      return (int)i + 1;
  return out == NULL && strstr(vptr_last_error(), "forked") != NULL ? 0 : 99;
}

START_TEST(every_call_of_a_child_is_refused_and_the_parent_goes_on) {
  char host[BYTES] = "";
  for (int i = 0; i < PAIRS; i++) { /* so that the thread has slots at hand */
    need(cudaMalloc((void **)&device, BYTES));
    need(cudaFree(device));
  }
  need(cudaMalloc((void **)&device, BYTES));
  need(cudaMallocHost(&pinned, BYTES));
  need(cudaStreamCreate(&stream));
  need(cudaEventCreate(&event));
  need(cudaEventCreate(&other));
  need(cudaEventRecord(event, stream));
  need(cudaEventRecord(other, stream));
  need(cudaMemset(device, 7, BYTES));
  need(cudaDeviceSynchronize());
  pid_t child = fork();
  if (child == 0) {
    alarm(ALARM_SECONDS);
    _exit(first_wrong_answer());
  }
  int state;
  ck_assert_int_eq(waitpid(child, &state, 0), child);
  ck_assert(WIFEXITED(state));
  ck_assert_int_eq(WEXITSTATUS(state), 0);
  need(cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(host[BYTES - 1], 7);
  need(cudaEventDestroy(event));
  need(cudaEventDestroy(other));
  need(cudaStreamDestroy(stream));
  need(cudaFreeHost(pinned));
  need(cudaFree(device));
}
END_TEST

static atomic_bool is_over;

/* Failures are written down, and by whom and when takes locks of the library's and of the C library's. */
static void *fail_on(void *context) {
  while (!atomic_load(&is_over))
    cudaMemcpy(NULL, NULL, 1, cudaMemcpyDefault);
  return context;
}

START_TEST(a_child_waits_for_nothing_that_a_thread_of_its_parent_s_had) {
  pthread_t threads[2];
  int state = 0;
  need(cudaMalloc((void **)&device, BYTES));
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, fail_on, NULL), 0);
  for (int i = 0; i < CHILDREN && state == 0; i++) {
    void *out;
    pid_t child = fork();
    if (child == 0) {
      alarm(ALARM_SECONDS);
      _exit(cudaMalloc(&out, BYTES) != cudaErrorInitializationError);
    }
    ck_assert_int_eq(waitpid(child, &state, 0), child);
  }
  atomic_store(&is_over, true);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  ck_assert_int_eq(state, 0);
  need(cudaFree(device));
}
END_TEST

static Suite *fork_suite(void) {
  Suite *suite = suite_create("cuda fork");
  TCase *tests = tcase_create("cuda fork");
  tcase_add_test(tests, every_call_of_a_child_is_refused_and_the_parent_goes_on);
  tcase_add_test(tests, a_child_waits_for_nothing_that_a_thread_of_its_parent_s_had);
  suite_add_tcase(suite, tests);
  return suite;
}

/* A thread sanitizer counts up to 64 locks that are held at once, and fork() with jemalloc takes more. */
int main(void) {
  if (SUPPORT_WATCHES_THREADS) {
    puts("left out: the thread sanitizer does not survive fork() with jemalloc");
    return LEFT_OUT;
  }
  return support_run(fork_suite());
}
