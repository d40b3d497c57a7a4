/* SPDX-License-Identifier: MIT */
/*
 * conform_threads - many threads at once, from the very first call on: the device is opened by all of them together,
 * and memory, contents, current device and last error stay each thread's own.
 */
#include "conform.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 200, LARGEST = 5000 };

/* Counted by each thread for itself and checked after the join. */
static int use_memory(unsigned char own, size_t size) {
  unsigned char sent[LARGEST], seen[LARGEST] = { 0 };
  char *p = NULL;
  int wrong = 0;
  memset(sent, own, size);
  wrong += cudaMalloc((void **)&p, size) != cudaSuccess;
  wrong += cudaMemset(p, 0, size) != cudaSuccess;
  wrong += cudaMemcpy(p, sent, size, cudaMemcpyHostToDevice) != cudaSuccess;
  wrong += cudaMemcpy(seen, p, size, cudaMemcpyDeviceToHost) != cudaSuccess;
  wrong += memcmp(sent, seen, size) != 0;
  wrong += cudaFree(p + 1) != cudaErrorInvalidValue;
  wrong += cudaGetLastError() != cudaErrorInvalidValue;
  wrong += cudaFree(p) != cudaSuccess;
  wrong += cudaGetLastError() != cudaSuccess;
  return wrong;
}

static void *run_thread(void *argument) {
  uintptr_t number = (uintptr_t)argument;
  uintptr_t wrong = 0;
  int device = -7;
  for (unsigned round = 0; round < ROUNDS; round++)
    wrong += (uintptr_t)use_memory((unsigned char)number, 1 + (round * 7919 + number * 131) % LARGEST);
  wrong += cudaGetDevice(&device) != cudaSuccess || device != 0;
  return (void *)wrong;
}

int main(void) {
  pthread_t threads[THREADS];
  int refused = 0;
  for (uintptr_t i = 0; i < THREADS; i++)
    refused += pthread_create(&threads[i], NULL, run_thread, (void *)(i + 1)) != 0;
  if (refused != 0)
    return EXIT_FAILURE;
  for (int i = 0; i < THREADS; i++) {
    void *wrong = NULL;
    pthread_join(threads[i], &wrong);
    conform_true(wrong == NULL);
  }
  return conform_done("conform_threads");
}
