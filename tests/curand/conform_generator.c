/* SPDX-License-Identifier: MIT */
/*
 * conform_generator - generators and their settings, and each wrong argument: what cuRAND says. It needs no kernels.
 */
#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>
#include <curand.h>

#include "support/count.h"

#define EXPECT(condition) check_that(condition, "", #condition, __LINE__)
#define GIVES(call, status) EXPECT((int)(call) == (int)(status))
#define FINE(call) GIVES(call, CURAND_STATUS_SUCCESS)

static void check_library(void) {
  int number = 0;
  FINE(curandGetVersion(&number));
  EXPECT(number == CURAND_VERSION);
  FINE(curandGetProperty(MAJOR_VERSION, &number));
  EXPECT(number == 10);
  GIVES(curandGetProperty((libraryPropertyType)7, &number), CURAND_STATUS_OUT_OF_RANGE);
}

static void check_life(void) {
  curandGenerator_t generator, other;
  GIVES(curandCreateGeneratorHost(&generator, (curandRngType_t)77), CURAND_STATUS_TYPE_ERROR);
  FINE(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  FINE(curandCreateGenerator(&other, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  EXPECT(generator != other);
  FINE(curandDestroyGenerator(generator));
  FINE(curandDestroyGenerator(other));
}

/* Numbers in double are counted one by one, too. */
static void check_draws(curandGenerator_t generator, const unsigned int *sequence) {
  static double doubles[10];
  unsigned int words[4];
  FINE(curandSetGeneratorOffset(generator, 0));
  FINE(curandGenerateUniformDouble(generator, doubles, 10));
  FINE(curandSetPseudoRandomGeneratorSeed(generator, 6));
  FINE(curandGenerate(generator, words, 4));
  EXPECT(memcmp(words, sequence + 10, sizeof words) == 0);
}

/* An offset begins the sequence anew; a seed goes on where it was, in the sequence of that seed. */
static void check_settings(curandRngType_t type) {
  unsigned int first[8], again[24], other[24];
  curandGenerator_t generator;
  FINE(curandCreateGeneratorHost(&generator, type));
  FINE(curandSetPseudoRandomGeneratorSeed(generator, 5));
  FINE(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_LEGACY));
  FINE(curandGenerateSeeds(generator));
  FINE(curandGenerate(generator, first, 8));
  FINE(curandSetPseudoRandomGeneratorSeed(generator, 6));
  FINE(curandSetGeneratorOffset(generator, 0));
  FINE(curandGenerate(generator, other, 24));
  FINE(curandSetPseudoRandomGeneratorSeed(generator, 5));
  FINE(curandSetGeneratorOffset(generator, 0));
  FINE(curandGenerate(generator, again, 24));
  EXPECT(memcmp(first, again, sizeof first) == 0 && memcmp(again, other, sizeof other) != 0);
  FINE(curandSetGeneratorOffset(generator, 4));
  FINE(curandGenerate(generator, first, 8));
  FINE(curandSetPseudoRandomGeneratorSeed(generator, 6));
  FINE(curandGenerate(generator, first, 8));
#ifndef ON_NVIDIA /* whose Philox goes on at 4 + 8 / 4 */
  EXPECT(memcmp(first, other + 12, sizeof first) == 0);
#endif
  FINE(curandSetGeneratorOffset(generator, 3));
  FINE(curandGenerate(generator, first, 8));
  EXPECT(memcmp(first, other + 3, sizeof first) == 0);
  check_draws(generator, other);
  FINE(curandGenerate(generator, first, 0));
  FINE(curandDestroyGenerator(generator));
}

/* A twister goes on with its own seed, and begins anew with another. */
static void check_twister(void) {
  unsigned int first[24], again[24];
  curandGenerator_t generator;
  FINE(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MT19937));
  GIVES(curandSetGeneratorOffset(generator, 0), CURAND_STATUS_TYPE_ERROR);
  GIVES(curandSetQuasiRandomGeneratorDimensions(generator, 1), CURAND_STATUS_TYPE_ERROR);
  GIVES(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_BEST), CURAND_STATUS_OUT_OF_RANGE);
  FINE(curandSetPseudoRandomGeneratorSeed(generator, 5));
  FINE(curandGenerate(generator, first, 24));
  FINE(curandSetPseudoRandomGeneratorSeed(generator, 6));
  FINE(curandGenerate(generator, again, 8));
  EXPECT(memcmp(first, again, 8 * sizeof *first) != 0);
  FINE(curandSetPseudoRandomGeneratorSeed(generator, 5));
  FINE(curandGenerate(generator, again, 5));
  FINE(curandSetPseudoRandomGeneratorSeed(generator, 5));
  FINE(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DEFAULT));
  FINE(curandGenerate(generator, again + 5, 19));
  EXPECT(memcmp(first, again, sizeof first) == 0);
  FINE(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_LEGACY));
  FINE(curandGenerate(generator, again, 24));
  EXPECT(memcmp(first, again, sizeof first) == 0);
  FINE(curandGenerateNormal(generator, (float *)first, 3, 0, 1));
  FINE(curandDestroyGenerator(generator));
}

/* A call goes on in each dimension, and so it does with other dimensions. */
static void check_quasi_settings(curandRngType_t type) {
  unsigned int all[24], some[12];
  curandGenerator_t generator;
  FINE(curandCreateGeneratorHost(&generator, type));
  GIVES(curandSetPseudoRandomGeneratorSeed(generator, 1), CURAND_STATUS_TYPE_ERROR);
  GIVES(curandSetQuasiRandomGeneratorDimensions(generator, 0), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandSetQuasiRandomGeneratorDimensions(generator, 20001), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DEFAULT), CURAND_STATUS_OUT_OF_RANGE);
  FINE(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT));
  FINE(curandSetQuasiRandomGeneratorDimensions(generator, 3));
  FINE(curandGenerateSeeds(generator));
  GIVES(curandGenerate(generator, all, 7), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  GIVES(curandGenerateNormal(generator, (float *)all, 7, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  GIVES(curandGenerateLongLong(generator, (unsigned long long *)all, 3), CURAND_STATUS_TYPE_ERROR);
  FINE(curandGenerate(generator, all, 24));
  FINE(curandSetGeneratorOffset(generator, 2));
  FINE(curandGenerate(generator, some, 6));
  EXPECT(memcmp(some, all + 2, 8) == 0 && memcmp(some + 2, all + 10, 8) == 0 && memcmp(some + 4, all + 18, 8) == 0);
  FINE(curandSetQuasiRandomGeneratorDimensions(generator, 2));
  FINE(curandGenerate(generator, some, 8));
  EXPECT(memcmp(some, all + 4, 16) == 0 && memcmp(some + 4, all + 12, 16) == 0);
  FINE(curandGenerateNormal(generator, (float *)some, 6, 0, 1));
  FINE(curandGeneratePoisson(generator, some, 6, 10));
  FINE(curandDestroyGenerator(generator));
}

static void check_wide(curandRngType_t type) {
  unsigned long long longs[6];
  unsigned int words[6];
  curandGenerator_t generator;
  FINE(curandCreateGeneratorHost(&generator, type));
  GIVES(curandGenerate(generator, words, 6), CURAND_STATUS_TYPE_ERROR);
  FINE(curandGenerateLongLong(generator, longs, 6));
  FINE(curandGeneratePoisson(generator, words, 6, 10));
  EXPECT(longs[0] != longs[1]);
  FINE(curandDestroyGenerator(generator));
}

static void check_arguments(void) {
  curandGenerator_t generator, philox;
  unsigned int words[4];
  float numbers[4];
  double wide[4];
  FINE(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW));
  FINE(curandCreateGeneratorHost(&philox, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  GIVES(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandGenerateNormal(generator, numbers, 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  GIVES(curandGenerateNormalDouble(generator, wide, 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  GIVES(curandGenerateLogNormal(generator, numbers, 1, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  FINE(curandGenerateNormal(philox, numbers, 3, 0, 1));
  GIVES(curandGeneratePoisson(generator, words, 4, 0), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandGeneratePoisson(generator, words, 4, -1), CURAND_STATUS_OUT_OF_RANGE);
  FINE(curandGeneratePoisson(generator, words, 4, 2));
  FINE(curandDestroyGenerator(philox));
  FINE(curandDestroyGenerator(generator));
}

/* What cuRAND would crash on is an error here. */
static void check_refusals(void) {
#ifdef VPTR_CURAND_FUNCTION
  curandGenerator_t generator;
  unsigned int word;
  void *memory;
  GIVES(curandGetVersion(NULL), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandGetProperty(MAJOR_VERSION, NULL), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandCreateGeneratorHost(NULL, CURAND_RNG_PSEUDO_XORWOW), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandCreateGenerator(NULL, CURAND_RNG_PSEUDO_XORWOW), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MTGP32), CURAND_STATUS_TYPE_ERROR);
  GIVES(curandSetQuasiRandomGeneratorDimensions(NULL, 1), CURAND_STATUS_NOT_INITIALIZED);
  FINE(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW));
  GIVES(curandGenerate(generator, NULL, 1), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandGenerate(generator, &word, ~(size_t)0), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DYNAMIC), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandSetGeneratorOrdering(generator, (curandOrdering_t)77), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandSetStream(generator, (cudaStream_t)&word), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(cudaMalloc(&memory, 64) == cudaSuccess);
  GIVES(curandGenerate(generator, (unsigned int *)memory, 1), CURAND_STATUS_OUT_OF_RANGE);
  FINE(curandDestroyGenerator(generator));
  GIVES(curandDestroyGenerator(generator), CURAND_STATUS_NOT_INITIALIZED);
  GIVES(curandGenerate(generator, &word, 1), CURAND_STATUS_NOT_INITIALIZED);
  GIVES(curandSetPseudoRandomGeneratorSeed(NULL, 1), CURAND_STATUS_NOT_INITIALIZED);
  GIVES(curandSetGeneratorOffset(NULL, 1), CURAND_STATUS_NOT_INITIALIZED);
  GIVES(curandSetGeneratorOrdering(NULL, CURAND_ORDERING_PSEUDO_BEST), CURAND_STATUS_NOT_INITIALIZED);
  GIVES(curandSetStream(NULL, NULL), CURAND_STATUS_NOT_INITIALIZED);
  GIVES(curandGenerateSeeds(NULL), CURAND_STATUS_NOT_INITIALIZED);
  FINE(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW));
  GIVES(curandGenerate(generator, (unsigned int *)memory, 17), CURAND_STATUS_LAUNCH_FAILURE);
  EXPECT(cudaFree(memory) == cudaSuccess);
  GIVES(curandGenerate(generator, (unsigned int *)memory, 1), CURAND_STATUS_LAUNCH_FAILURE);
  FINE(curandDestroyGenerator(generator));
#endif
}

int main(void) {
  static const curandRngType_t types[] = { CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                           CURAND_RNG_PSEUDO_PHILOX4_32_10 };
  check_library();
  check_life();
  for (int i = 0; i < 3; i++)
    check_settings(types[i]);
  check_twister();
  check_quasi_settings(CURAND_RNG_QUASI_SOBOL32);
  check_quasi_settings(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
  check_wide(CURAND_RNG_QUASI_SOBOL64);
  check_wide(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
  check_arguments();
  check_refusals();
  return verdict("conform_generator");
}
