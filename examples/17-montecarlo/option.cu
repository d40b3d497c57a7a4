/* SPDX-License-Identifier: MIT */
/*
 * option - a European call by Monte Carlo: what it pays at the end is averaged over random ends of the share's price, and
 * discounted. Once of numbers that cuRAND wrote to the device's memory, and once of those that threads draw themselves.
 * Black and Scholes have the price in closed form.
 */
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check((int)(call), #call)

enum { BLOCK = 128, BLOCKS = 64, THREADS = BLOCK * BLOCKS, EACH = 128, PATHS = THREADS * EACH };

static const double share = 100, strike = 105, rate = 0.03, volatility = 0.2, years = 1;

static void check(int status, const char *call) {
  if (status == 0)
    return;
  fprintf(stderr, "%s: status %d\n", call, status);
  exit(1);
}

struct market {
  double share, strike, drift, deviation, discount;
};

__device__ double payment_of(market it, double normal) {
  double end = it.share * exp(it.drift + it.deviation * normal);
  return end > it.strike ? it.discount * (end - it.strike) : 0;
}

/* A thread's sum of payments, and of their squares. */
__global__ void price_array(market it, const double *normals, double *sums) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0, squares = 0;
  for (int i = thread; i < PATHS; i += THREADS) {
    double payment = payment_of(it, normals[i]);
    sum += payment;
    squares += payment * payment;
  }
  sums[thread] = sum;
  sums[THREADS + thread] = squares;
}

__global__ void price_drawn(market it, unsigned long long seed, double *sums) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0, squares = 0;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, thread, 0, &state);
  for (int i = 0; i < EACH; i++) {
    double payment = payment_of(it, curand_normal_double(&state));
    sum += payment;
    squares += payment * payment;
  }
  sums[thread] = sum;
  sums[THREADS + thread] = squares;
}

static double closed_form(void) {
  double deviation = volatility * sqrt(years);
  double d1 = (log(share / strike) + (rate + volatility * volatility / 2) * years) / deviation, d2 = d1 - deviation;
  return share * 0.5 * erfc(-d1 / sqrt(2.0)) - strike * exp(-rate * years) * 0.5 * erfc(-d2 / sqrt(2.0));
}

static int compare(const char *how, const double *sums_at, double wanted) {
  static double sums[2 * THREADS];
  double sum = 0, squares = 0;
  CHECK(cudaMemcpy(sums, sums_at, sizeof sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < THREADS; i++) {
    sum += sums[i];
    squares += sums[THREADS + i];
  }
  double mean = sum / PATHS, error = sqrt((squares / PATHS - mean * mean) / PATHS);
  printf("%-28s %.4f, standard error %.4f\n", how, mean, error);
  return !(fabs(mean - wanted) <= 4 * error);
}

int main(void) {
  market it = { share, strike, (rate - volatility * volatility / 2) * years, volatility * sqrt(years),
                exp(-rate * years) };
  double wanted = closed_form(), *normals, *sums;
  curandGenerator_t generator;
  int wrong = 0;
  CHECK(cudaMalloc((void **)&normals, PATHS * sizeof *normals));
  CHECK(cudaMalloc((void **)&sums, 2 * THREADS * sizeof *sums));
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW));
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 2026));
  CHECK(curandGenerateNormalDouble(generator, normals, PATHS, 0, 1));
  price_array<<<BLOCKS, BLOCK>>>(it, normals, sums);
  CHECK(cudaGetLastError());
  printf("%-28s %.4f\n", "Black and Scholes", wanted);
  wrong |= compare("an array of cuRAND's", sums, wanted);
  price_drawn<<<BLOCKS, BLOCK>>>(it, 2026, sums);
  CHECK(cudaGetLastError());
  wrong |= compare("drawn by the threads", sums, wanted);
  CHECK(curandDestroyGenerator(generator));
  CHECK(cudaFree(sums));
  CHECK(cudaFree(normals));
  return wrong;
}
