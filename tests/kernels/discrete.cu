/* SPDX-License-Identifier: MIT */
/*
 * discrete - curand_discrete() of kernels: numbers of distributions that the host made have their probabilities, for each
 * generator, and for Sobol's sequence each value comes as often as it should, to one time. Seeds are fixed, so that a
 * test that passes once always does.
 */
#include <curand_kernel.h>

#include <math.h>

#include "kernels.h"

enum { LANES = 256, EACH = 64, COUNT = LANES * EACH, VALUES = 410000 };

static unsigned *numbers_at, numbers[COUNT], found[VALUES];

__global__ void draw(unsigned *to, int generator, curandDiscreteDistribution_t from) {
  curandStateXORWOW_t xorwow;
  curandStatePhilox4_32_10_t philox;
  curandStateMRG32k3a_t mrg;
  to += threadIdx.x * EACH;
  curand_init(7, threadIdx.x, 0, &xorwow);
  curand_init(7, threadIdx.x, 0, &philox);
  curand_init(7, threadIdx.x, 0, &mrg);
  for (int i = 0; i < EACH; i++)
    if (generator == 0)
      to[i] = curand_discrete(&xorwow, from);
    else if (generator == 1)
      to[i] = curand_discrete(&mrg, from);
    else if (generator == 2)
      to[i] = curand_discrete(&philox, from);
    else if (i % 4 == 0) {
      uint4 four = curand_discrete4(&philox, from);
      to[i] = four.x;
      to[i + 1] = four.y;
      to[i + 2] = four.z;
      to[i + 3] = four.w;
    }
}

__global__ void draw_sobol(unsigned *to, int is_wide, curandDiscreteDistribution_t from) {
  unsigned int vectors[32];
  unsigned long long wide_vectors[64];
  curandStateSobol32_t state;
  curandStateScrambledSobol64_t wide;
  for (int i = 0; i < 32; i++)
    vectors[i] = 1u << (31 - i);
  for (int i = 0; i < 64; i++)
    wide_vectors[i] = 1ull << (63 - i);
  curand_init(vectors, threadIdx.x * EACH, &state);
  curand_init(wide_vectors, 0x123456789abcdefull, threadIdx.x * EACH, &wide);
  for (int i = 0; i < EACH; i++)
    to[threadIdx.x * EACH + i] = is_wide ? curand_discrete(&wide, from) : curand_discrete(&state, from);
}

static double probability(double lambda, int k) {
  return exp(k * log(lambda) - lambda - lgamma(k + 1.0));
}

static void count_numbers(void) {
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(numbers, numbers_at, sizeof numbers, cudaMemcpyDeviceToHost));
  for (int i = 0; i < VALUES; i++)
    found[i] = 0;
  for (int i = 0; i < COUNT; i++)
    found[numbers[i] < VALUES ? numbers[i] : VALUES - 1]++;
}

/* Mean and variance are lambda, within five of their own deviations; and of Pearson's sum over values that are wanted
 * ten times or more, which has about as many degrees as values, five deviations too. */
static void expect_poisson(double lambda) {
  double mean = 0, variance = 0, sum = 0, values = 0;
  for (int i = 0; i < COUNT; i++)
    mean += (double)numbers[i] / COUNT;
  for (int i = 0; i < COUNT; i++)
    variance += (numbers[i] - mean) * (numbers[i] - mean) / (COUNT - 1);
  for (int k = 0; k < VALUES; k++) {
    double wanted = COUNT * probability(lambda, k);
    if (wanted < 10)
      continue;
    values++;
    sum += (found[k] - wanted) * (found[k] - wanted) / wanted;
  }
  EXPECT(fabs(mean - lambda) < 5 * sqrt(lambda / COUNT), 1);
  EXPECT(fabs(variance - lambda) < 5 * sqrt((lambda + 2 * lambda * lambda) / COUNT), 1);
  EXPECT(sum < values + 5 * sqrt(2 * values) + 5, 1);
}

/* Two ends of a value's part of the unit interval are each off by less than one number. */
static void expect_exact(double lambda) {
  int misplaced = 0;
  for (int k = 0; k < VALUES; k++)
    misplaced += fabs(found[k] - COUNT * probability(lambda, k)) > 1 + 1e-6 * COUNT;
  EXPECT(misplaced, 0);
}

static void distributions_tested(void) {
  static const double lambdas[] = { 0.01, 0.5, 20, 300, 3000.5, 400000 };
  for (int i = 0; i < 6; i++) {
    curandDiscreteDistribution_t distribution;
    CHECK((cudaError_t)curandCreatePoissonDistribution(lambdas[i], &distribution));
    for (int generator = 0; generator < 4; generator++) {
      draw<<<1, LANES>>>(numbers_at, generator, distribution);
      count_numbers();
      expect_poisson(lambdas[i]);
    }
    for (int is_wide = 0; is_wide < 2; is_wide++) {
      draw_sobol<<<1, LANES>>>(numbers_at, is_wide, distribution);
      count_numbers();
      expect_exact(lambdas[i]);
    }
    CHECK((cudaError_t)curandDestroyDistribution(distribution));
  }
}

static void arguments_tested(void) {
  curandDiscreteDistribution_t distribution = NULL;
  EXPECT(curandCreatePoissonDistribution(0, &distribution), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandCreatePoissonDistribution(-1, &distribution), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandCreatePoissonDistribution(400001, &distribution), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(distribution == NULL, 1);
  EXPECT(curandCreatePoissonDistribution(1, NULL), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandDestroyDistribution(NULL), CURAND_STATUS_NOT_INITIALIZED);
}

int main(void) {
  CHECK(cudaMalloc((void **)&numbers_at, sizeof numbers));
  distributions_tested();
  arguments_tested();
  CHECK(cudaFree(numbers_at));
  return verdict("discrete");
}
