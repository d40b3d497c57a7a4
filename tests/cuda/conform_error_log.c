/* SPDX-License-Identifier: MIT */
/*
 * conform_error_log - messages of calls that fail: functions that are told them, iterators, dumps to memory and files.
 *
 * What a message says is each library's own.
 */
#include "conform.h"

#include <cuda.h>
#include <pthread.h>
#include <string.h>

#ifdef ON_NVIDIA /* how many messages a call leaves, and of how many lines, CUDA does not promise */
#define conform_ours(condition) ((void)(condition))
#else
#define conform_ours(condition) conform_true(condition)
#endif

typedef struct heard {
  int count;
  size_t length;
  char last[512];
} heard;

static void CUDART_CB listen(void *data, cudaLogLevel level, char *message, size_t length) {
  heard *it = (heard *)data;
  it->count += level == cudaLogLevelError;
  it->length = length;
  snprintf(it->last, sizeof it->last, "%.*s", (int)length, message);
}

/* A call that fails for certain. */
static void fail(void) {
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(NULL, NULL, 1, cudaMemcpyDefault));
}

static void functions_are_told(void) {
  heard one = { 0 }, other = { 0 };
  cudaLogsCallbackHandle first = NULL, second = NULL;
  conform_succeed(cudaLogsRegisterCallback(listen, &one, &first));
  conform_succeed(cudaLogsRegisterCallback(listen, &other, &second));
  fail();
  conform_ours(one.count == 1 && other.count == 1);
  conform_true(one.length > 0 && strcmp(one.last, other.last) == 0);
  conform_succeed(cudaLogsUnregisterCallback(first));
  fail();
  conform_ours(one.count == 1 && other.count == 2);
  conform_succeed(cudaLogsUnregisterCallback(second));
  const int before = other.count;
  fail();
  conform_true(other.count == before);
}

static void answers_are_no_errors(void) {
  heard it = { 0 };
  cudaLogsCallbackHandle handle = NULL;
  conform_succeed(cudaLogsRegisterCallback(listen, &it, &handle));
  conform_succeed(cudaDeviceSynchronize());
  conform_true(it.count == 0);
  conform_succeed(cudaLogsUnregisterCallback(handle));
}

static void the_drivers_calls_leave_messages_too(void) {
  heard it = { 0 };
  cudaLogsCallbackHandle handle = NULL;
  conform_succeed(cudaLogsRegisterCallback(listen, &it, &handle));
  conform_true(cuMemAlloc(NULL, 16) == CUDA_ERROR_INVALID_VALUE);
  conform_ours(it.count == 1);
  conform_succeed(cudaLogsUnregisterCallback(handle));
}

static int lines_in(const char *text) {
  int lines = 0;
  for (; *text != 0; text++)
    lines += *text == '\n';
  return lines;
}

static void dumps_begin_at_an_iterator(void) {
  static char text[25600];
  size_t size = sizeof text;
  cudaLogIterator now = 0;
  fail();
  conform_succeed(cudaLogsCurrent(&now, 0));
  conform_succeed(cudaLogsDumpToMemory(&now, text, &size, 0));
  conform_true(size == 0);
  fail();
  fail();
  size = sizeof text;
  conform_succeed(cudaLogsDumpToMemory(&now, text, &size, 0));
  conform_ours(size == strlen(text) && lines_in(text) == 2);
  size = sizeof text;
  conform_succeed(cudaLogsDumpToMemory(&now, text, &size, 0));
  conform_true(size == 0);
  size = sizeof text;
  conform_succeed(cudaLogsDumpToMemory(NULL, text, &size, 0));
  conform_true(lines_in(text) >= 3);
}

/* While the ring is not full: what was never written there is no message. */
static void nothing_is_behind_the_last_message(void) {
  static char text[25600];
  size_t size = 0;
  cudaLogIterator end = 0;
  fail();
  conform_succeed(cudaLogsCurrent(&end, 0));
  conform_succeed(cudaLogsDumpToMemory(&end, text, &size, 0));
  conform_true(size == 0);
  end += 1000000;
  size = sizeof text;
  conform_expect(cudaErrorInvalidValue, cudaLogsDumpToMemory(&end, text, &size, 0));
#ifndef ON_NVIDIA
  conform_true(size == 0);
  conform_expect(cudaErrorInvalidValue, cudaLogsDumpToFile(&end, "/dev/null", 0));
#endif
}

static void small_buffers_get_the_latest(void) {
  static char all[25600], few[25600];
  size_t size = sizeof all, part;
  cudaLogIterator now = 0, again;
  conform_succeed(cudaLogsCurrent(&now, 0));
  again = now;
  for (int i = 0; i < 4; i++)
    fail();
  conform_succeed(cudaLogsDumpToMemory(&now, all, &size, 0));
  part = size / 2 + 1;
  conform_succeed(cudaLogsDumpToMemory(&again, few, &part, 0));
  conform_ours(part == strlen(few) && part <= size / 2 + 1 && lines_in(few) >= 2);
  const char *end = all + strlen(all) - 1;
  while (end > all && end[-1] != '\n')
    end--;
  conform_true(strlen(few) > strlen(end) && strcmp(few + strlen(few) - strlen(end), end) == 0);
  fail();
  part = 2;
  conform_expect(cudaErrorInvalidValue, cudaLogsDumpToMemory(&again, few, &part, 0));
  conform_true(part == 0);
}

static void many_messages_push_out_old_ones(void) {
  static char text[40000];
  size_t size = sizeof text;
  cudaLogIterator now = 0;
  conform_succeed(cudaLogsCurrent(&now, 0));
  for (int i = 0; i < 300; i++)
    fail();
  conform_succeed(cudaLogsDumpToMemory(&now, text, &size, 0));
  conform_true(size > 0 && lines_in(text) < 300);
}

static void files_are_written(void) {
  static const char path[] = "conform_error_log.text";
  char line[600] = "";
  cudaLogIterator now = 0;
  remove(path);
  conform_succeed(cudaLogsCurrent(&now, 0));
  fail();
  conform_succeed(cudaLogsDumpToFile(&now, path, 0));
  FILE *file = fopen(path, "r");
  conform_true(file != NULL && fgets(line, sizeof line, file) != NULL && strchr(line, '\n') != NULL);
  conform_ours(file != NULL && fgets(line, sizeof line, file) == NULL);
  conform_true(file != NULL && fclose(file) == 0);
  remove(path);
}

static void wrong_arguments_are_refused(void) {
  char text[100];
  size_t size = sizeof text;
  cudaLogIterator now = 0;
  conform_expect(cudaErrorInvalidValue, cudaLogsRegisterCallback(NULL, NULL, NULL));
  conform_expect(cudaErrorInvalidValue, cudaLogsCurrent(NULL, 0));
#ifndef ON_NVIDIA /* which takes flags that there are none of */
  conform_expect(cudaErrorInvalidValue, cudaLogsCurrent(&now, 1));
#endif
  conform_expect(cudaErrorInvalidValue, cudaLogsDumpToMemory(NULL, NULL, &size, 0));
  conform_expect(cudaErrorInvalidValue, cudaLogsDumpToMemory(NULL, text, NULL, 0));
  conform_expect(cudaErrorInvalidValue, cudaLogsDumpToFile(NULL, NULL, 0));
}

/* ---- threads -------------------------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int told;

static void CUDART_CB count_told(void *data, cudaLogLevel level, char *message, size_t length) {
  (void)data, (void)level, (void)message, (void)length;
  pthread_mutex_lock(&mutex);
  told++;
  pthread_mutex_unlock(&mutex);
}

static void *fail_often(void *unused) {
  for (int i = 0; i < 200; i++)
    cudaMemcpy(NULL, NULL, 1, cudaMemcpyDefault);
  cudaGetLastError();
  return unused;
}

static void *come_and_go(void *unused) {
  for (int i = 0; i < 200; i++) {
    cudaLogsCallbackHandle handle = NULL;
    if (cudaLogsRegisterCallback(count_told, NULL, &handle) == cudaSuccess)
      cudaLogsUnregisterCallback(handle);
  }
  return unused;
}

static void threads_fail_and_listen_at_once(void) {
  pthread_t threads[4];
  cudaLogsCallbackHandle handle = NULL;
  conform_succeed(cudaLogsRegisterCallback(count_told, NULL, &handle));
  for (int i = 0; i < 4; i++)
    conform_true(pthread_create(&threads[i], NULL, i < 2 ? fail_often : come_and_go, NULL) == 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  conform_succeed(cudaLogsUnregisterCallback(handle));
  conform_true(told >= 400);
}

static cudaLogsCallbackHandle own;
static int calls;

static void CUDART_CB end_itself(void *data, cudaLogLevel level, char *message, size_t length) {
  (void)data, (void)level, (void)message, (void)length;
  calls += cudaLogsUnregisterCallback(own) == cudaSuccess;
}

static void a_function_may_end_itself(void) {
  conform_succeed(cudaLogsRegisterCallback(end_itself, NULL, &own));
  fail();
  fail();
  printf("observed: a function that unregistered itself was called %d times\n", calls);
}

int main(void) {
  conform_succeed(cudaFree(NULL));
  conform_true(cuInit(0) == CUDA_SUCCESS);
  functions_are_told();
  answers_are_no_errors();
  the_drivers_calls_leave_messages_too();
  dumps_begin_at_an_iterator();
  nothing_is_behind_the_last_message();
  small_buffers_get_the_latest();
  many_messages_push_out_old_ones();
  files_are_written();
  wrong_arguments_are_refused();
  threads_fail_and_listen_at_once();
  a_function_may_end_itself();
  return conform_done("conform_error_log");
}
