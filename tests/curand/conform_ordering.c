/* SPDX-License-Identifier: MIT */
/*
 * conform_ordering - the orders SEEDED and DYNAMIC, beside conform_sequence: a seed has the same numbers each time, an
 * offset and a next call go on in them, the device has those of the host, where it has any, and they are as evenly
 * spread, alone and by pairs, as numbers at random are. Plain cuRAND: it builds with NVIDIA's, too.
 *
 * Spread is Pearson's sum over 256 classes: 255 on average, with a deviation of 23; beyond 390 is one in ten million.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>
#include <curand.h>

enum { COUNT = 1 << 18, CLASSES = 256, LANES = 4096 };

static int checks, failures;

#define EXPECT(condition)                                                                                            \
  do {                                                                                                               \
    checks++;                                                                                                        \
    if (!(condition)) {                                                                                              \
      failures++;                                                                                                    \
      printf("line %d: %s\n", __LINE__, #condition);                                                                 \
    }                                                                                                                \
  } while (0)
#define GIVES(call, status)                                                                                          \
  do {                                                                                                               \
    curandStatus_t given = (call);                                                                                   \
    checks++;                                                                                                        \
    if (given != (status)) {                                                                                         \
      failures++;                                                                                                    \
      printf("line %d: %s gives %d\n", __LINE__, #call, (int)given);                                                 \
    }                                                                                                                \
  } while (0)
#define FINE(call) GIVES(call, CURAND_STATUS_SUCCESS)

static unsigned int *draw(curandRngType_t type, curandOrdering_t order, unsigned long long seed,
                          unsigned long long offset, int on_device) {
  unsigned int *to = calloc(COUNT, sizeof *to), *place = to;
  curandGenerator_t generator;
  curandStatus_t made =
      on_device ? curandCreateGenerator(&generator, type) : curandCreateGeneratorHost(&generator, type);
  if (made != CURAND_STATUS_SUCCESS) {
    printf("no generator of type %d: status %d\n", (int)type, (int)made);
    exit(1);
  }
  FINE(curandSetPseudoRandomGeneratorSeed(generator, seed));
  FINE(curandSetGeneratorOrdering(generator, order));
  FINE(curandSetGeneratorOffset(generator, offset));
  if (on_device)
    EXPECT(cudaMalloc((void **)&place, COUNT * sizeof *to) == cudaSuccess);
  FINE(curandGenerate(generator, place, 5000)); /* and the next call goes on */
  FINE(curandGenerate(generator, place + 5000, COUNT - 5000));
  if (on_device) {
    EXPECT(cudaMemcpy(to, place, COUNT * sizeof *to, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(cudaFree(place) == cudaSuccess);
  }
  FINE(curandDestroyGenerator(generator));
  return to;
}

/* Numbers `lag` apart, by the upper four bits of each; lag 0: by eight bits from `shift` on. */
static double spread_of(const unsigned int *numbers, int lag, int shift) {
  static double counts[CLASSES];
  double sum = 0, expected = (double)(COUNT - lag) / CLASSES;
  memset(counts, 0, sizeof counts);
  for (int i = 0; i + lag < COUNT; i++)
    counts[lag == 0 ? numbers[i] >> shift & 255u : (numbers[i] >> 28) << 4 | numbers[i + lag] >> 28]++;
  for (int i = 0; i < CLASSES; i++)
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  return sum;
}

static void check_spread(const unsigned int *numbers) {
  static const int lags[] = { 1, 2, LANES - 1, LANES, LANES + 1, 2 * LANES };
  for (int shift = 0; shift < 32; shift += 8)
    EXPECT(spread_of(numbers, 0, shift) < 390);
  for (size_t i = 0; i < sizeof lags / sizeof *lags; i++)
    EXPECT(spread_of(numbers, lags[i], 0) < 390);
}

static void check_seeded(void) {
  const curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  unsigned int *host = draw(type, CURAND_ORDERING_PSEUDO_SEEDED, 7, 0, 0);
  unsigned int *device = draw(type, CURAND_ORDERING_PSEUDO_SEEDED, 7, 0, 1);
  unsigned int *later = draw(type, CURAND_ORDERING_PSEUDO_SEEDED, 7, 4100, 0);
  unsigned int *other = draw(type, CURAND_ORDERING_PSEUDO_SEEDED, 8, 0, 0);
  unsigned int *usual = draw(type, CURAND_ORDERING_PSEUDO_DEFAULT, 7, 0, 0);
  EXPECT(memcmp(host, device, COUNT * sizeof *host) == 0);
  EXPECT(memcmp(host + 4100, later, (COUNT - 4100) * sizeof *host) == 0);
  EXPECT(memcmp(host, other, LANES * sizeof *host) != 0 && memcmp(host, usual, LANES * sizeof *host) != 0);
  check_spread(host);
  check_spread(other);
  free(host), free(device), free(later), free(other), free(usual);
}

static void check_dynamic(curandRngType_t type) {
  unsigned int *first = draw(type, CURAND_ORDERING_PSEUDO_DYNAMIC, 7, 0, 1);
  unsigned int *again = draw(type, CURAND_ORDERING_PSEUDO_DYNAMIC, 7, 0, 1);
  EXPECT(memcmp(first, again, COUNT * sizeof *first) == 0);
  check_spread(first);
  free(first), free(again);
}

/* Philox and MRG32k3a have subsequences, and no seeds for each of them. */
static void check_refusals(void) {
#ifndef ON_NVIDIA
  curandGenerator_t generator;
  FINE(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  GIVES(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_SEEDED), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DYNAMIC), CURAND_STATUS_OUT_OF_RANGE);
  FINE(curandDestroyGenerator(generator));
  FINE(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MT19937));
  GIVES(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DYNAMIC), CURAND_STATUS_OUT_OF_RANGE);
  FINE(curandDestroyGenerator(generator));
#endif
}

int main(void) {
  check_seeded();
  check_dynamic(CURAND_RNG_PSEUDO_XORWOW);
  check_dynamic(CURAND_RNG_PSEUDO_MRG32K3A);
  check_dynamic(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  check_refusals();
  printf("%d checks, %d failed\n", checks, failures);
  return failures != 0;
}
