/* SPDX-License-Identifier: MIT */
/*
 * test_random_threads - what several threads may do at once: generators that come and go, of the host and of the
 * device, each with a stream; a stream that ends under a generator; and one generator that all of them end. It needs no
 * kernels, so that it runs under ThreadSanitizer on the fake device.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include <cuda_runtime_api.h>
#include <curand.h>

#include "support/count.h"

#define EXPECT(condition) check_that(condition, "", #condition, __LINE__)

#if defined __SANITIZE_THREAD__
enum { ROUNDS = 8 }; /* each type twice for each thread: 40 take a minute there */
#else
enum { ROUNDS = 40 };
#endif
enum { THREADS = 4, COUNT = 200 };

static const curandRngType_t types[] = { CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                                         CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_QUASI_SOBOL32 };
enum { TYPES = sizeof types / sizeof *types };

static struct {
  float alone[TYPES][COUNT]; /* what one thread had of each type before the others began */
  curandGenerator_t ended;   /* by all */
  pthread_barrier_t barrier;
  atomic_int ends;
} it;

/* How many things went wrong. */
static int draw(curandRngType_t type, float *numbers) {
  curandGenerator_t generator;
  int wrong = curandCreateGeneratorHost(&generator, type) != CURAND_STATUS_SUCCESS;
  if (wrong != 0)
    return wrong;
  if (type < CURAND_RNG_QUASI_DEFAULT)
    wrong += curandSetPseudoRandomGeneratorSeed(generator, 42) != CURAND_STATUS_SUCCESS;
  wrong += curandGenerateUniform(generator, numbers, COUNT) != CURAND_STATUS_SUCCESS;
  return wrong + (curandDestroyGenerator(generator) != CURAND_STATUS_SUCCESS);
}

/* A generator of the device has its own stream, and says that it has ended before anything is sent. */
static int use_stream(void) {
  curandGenerator_t generator;
  cudaStream_t stream;
  void *memory = NULL;
  if (curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10) != CURAND_STATUS_SUCCESS ||
      cudaStreamCreate(&stream) != cudaSuccess || cudaMalloc(&memory, COUNT * sizeof(float)) != cudaSuccess)
    return 1;
  int wrong = curandSetStream(generator, stream) != CURAND_STATUS_SUCCESS;
  wrong += curandSetGeneratorOffset(generator, 5) != CURAND_STATUS_SUCCESS;
  wrong += cudaStreamDestroy(stream) != cudaSuccess;
  wrong += curandGenerateUniform(generator, memory, COUNT) == CURAND_STATUS_SUCCESS;
  wrong += curandSetStream(generator, NULL) != CURAND_STATUS_SUCCESS;
  wrong += curandDestroyGenerator(generator) != CURAND_STATUS_SUCCESS;
  return wrong + (cudaFree(memory) != cudaSuccess);
}

static void *work(void *context) {
  intptr_t wrong = 0;
  float numbers[COUNT];
  for (int round = 0; round < ROUNDS; round++) {
    const size_t type = ((size_t)round + (size_t)(uintptr_t)context) % TYPES;
    wrong += draw(types[type], numbers);
    wrong += memcmp(numbers, it.alone[type], sizeof numbers) != 0;
    wrong += use_stream();
  }
  pthread_barrier_wait(&it.barrier);
  if (curandDestroyGenerator(it.ended) == CURAND_STATUS_SUCCESS)
    atomic_fetch_add(&it.ends, 1);
  wrong += curandDestroyGenerator(it.ended) != CURAND_STATUS_NOT_INITIALIZED;
  return (void *)wrong;
}

int main(void) {
  pthread_t threads[THREADS];
  for (size_t i = 0; i < TYPES; i++)
    EXPECT(draw(types[i], it.alone[i]) == 0);
  EXPECT(curandCreateGeneratorHost(&it.ended, CURAND_RNG_PSEUDO_XORWOW) == CURAND_STATUS_SUCCESS);
  EXPECT(pthread_barrier_init(&it.barrier, NULL, THREADS) == 0);
  for (int i = 0; i < THREADS; i++)
    EXPECT(pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i) == 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    EXPECT(pthread_join(threads[i], &wrong) == 0 && wrong == NULL);
  }
  EXPECT(atomic_load(&it.ends) == 1);
  pthread_barrier_destroy(&it.barrier);
  printf("test_random_threads: %d checks, %d failed\n", checks, failures);
  return failures != 0;
}
