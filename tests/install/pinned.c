/* SPDX-License-Identifier: MIT */
/* pinned - blocks of pinned memory of many sizes, allocated, filled, freed and allocated anew; on threads too. */
#include <cuda_runtime_api.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 200, ROUNDS = 5, THREADS = 4 };

static void *churn(void *context) {
  static _Thread_local unsigned char *blocks[BLOCKS];
  int failures = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < BLOCKS; i++) {
      size_t size = (size_t)(i * 997 % 40000 + 1) * (size_t)(i % 17 == 0 ? 20 : 1);
      failures += cudaMallocHost((void **)&blocks[i], size) != cudaSuccess;
      if (blocks[i] != NULL)
        memset(blocks[i], i, size);
    }
    for (int i = 0; i < BLOCKS; i++) {
      failures += blocks[i] == NULL || blocks[i][0] != (unsigned char)i;
      failures += cudaFreeHost(blocks[i]) != cudaSuccess;
    }
  }
  if (failures > 0)
    fprintf(stderr, "%d failures\n", failures);
  return failures > 0 ? context : NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  void *failed, *any = NULL;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, churn, threads) != 0)
      return 2;
  for (int i = 0; i < THREADS; i++)
    if (pthread_join(threads[i], &failed) == 0 && failed != NULL)
      any = failed;
  return any != NULL;
}
