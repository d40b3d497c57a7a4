/* SPDX-License-Identifier: MIT */
/*
 * random_numbers - curand_kernel.h: the integers are cuRAND's (hashes of its own, 10.4), Philox's are those that
 * Random123 publishes, and each distribution is what it says, by moments and by Kolmogorov and Smirnov's test: seeds are fixed, so
 * that a test that passes once always does.
 */
#include <curand_kernel.h>

#include <math.h>
#include <stdlib.h>

#include "kernels.h"

enum { CASES = 6, WORDS = 64, LANES = 256, EACH = 64, COUNT = LANES * EACH };

static unsigned long long *hashes_at, hashes[16];
static double *numbers_at, numbers[COUNT];

/* ---- integers ---------------------------------------------------------------------------------------------- */

__constant__ unsigned long long begins[CASES][3] = {
  { 0, 0, 0 },
  { 1234, 0, 0 },
  { 1234, 5, 777 },
  { 0x123456789abcdefull, 0x1234567ull, 0xfedcba9876ull },
  { 7, 0xffffffffffull, 3 },
  { 0xffffffffffffffffull, 123456789012ull, 255 },
};

#define WORDS_OF(name, state_type)                                                                                     \
  __device__ unsigned long long hash_of(state_type *state) {                                                           \
    unsigned long long hash = 14695981039346656037ull;                                                                 \
    for (int i = 0; i < WORDS; i++)                                                                                    \
      hash = (hash ^ curand(state)) * 1099511628211ull;                                                                \
    return hash;                                                                                                       \
  }                                                                                                                    \
  __global__ void words_of_##name(unsigned long long *to) {                                                            \
    state_type state;                                                                                                  \
    unsigned i = threadIdx.x;                                                                                          \
    curand_init(begins[i][0], begins[i][1], begins[i][2], &state);                                                     \
    to[i] = hash_of(&state);                                                                                           \
  }

WORDS_OF(xorwow, curandStateXORWOW_t)
WORDS_OF(philox, curandStatePhilox4_32_10_t)
WORDS_OF(mrg, curandStateMRG32k3a_t)

static void fetch_hashes(void) {
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(hashes, hashes_at, sizeof hashes, cudaMemcpyDeviceToHost));
}

static void expect_hashes(const unsigned long long *wanted) {
  fetch_hashes();
  for (int i = 0; i < CASES; i++)
    EXPECT(hashes[i] == wanted[i], 1);
}

static void words_tested(void) {
  static const unsigned long long wanted[3][CASES] = {
    { 0xea37a8b7bb6f55adull, 0xc9780eaf9e1edd72ull, 0xb7d7ae2cdbae12eeull, 0x089a1b9836ff8475ull, 0xf3c7fc9343833c6bull,
      0xb7ef8939b2b102a0ull },
    { 0xa3bb3cf540854122ull, 0xbc6c81a07f5693a6ull, 0xb13ecc05b97042abull, 0x023c79a7d0214ba2ull, 0x630106961be4f69aull,
      0x7c4a8dc68303ef1eull },
    { 0x2dc46b5f864e5d2cull, 0xa4144305e4f3ebc3ull, 0x2af21c87be882efeull, 0x5aee28382819c589ull, 0x1eb3356aa265212bull,
      0xd068b6ee39ff4679ull },
  };
  words_of_xorwow<<<1, CASES>>>(hashes_at);
  expect_hashes(wanted[0]);
  words_of_philox<<<1, CASES>>>(hashes_at);
  expect_hashes(wanted[1]);
  words_of_mrg<<<1, CASES>>>(hashes_at);
  expect_hashes(wanted[2]);
}

/* Jumps, and four words at once from any place in a group. */
__global__ void jump(unsigned long long *to) {
  curandStateXORWOW_t xorwow;
  curandStatePhilox4_32_10_t philox, other;
  curandStateMRG32k3a_t mrg;
  curand_init(1, 0, 0, &xorwow);
  skipahead(1000, &xorwow);
  skipahead_sequence(3, &xorwow);
  to[0] = hash_of(&xorwow);
  curand_init(1, 0, 0, &philox);
  skipahead(1001, &philox);
  skipahead_sequence(3, &philox);
  to[1] = hash_of(&philox);
  curand_init(1, 0, 0, &mrg);
  skipahead(1000, &mrg);
  skipahead_subsequence(3, &mrg);
  skipahead_sequence(2, &mrg);
  to[2] = hash_of(&mrg);
  to[3] = 0;
  for (int offset = 0; offset < 4; offset++) {
    curand_init(9, 1, offset, &philox);
    curand_init(9, 1, offset, &other);
    uint4 four = curand4(&philox);
    to[3] += (four.x != curand(&other)) + (four.y != curand(&other)) + (four.z != curand(&other)) +
             (four.w != curand(&other)) + (curand(&philox) != curand(&other));
  }
}

static void jumps_tested(void) {
  jump<<<1, 1>>>(hashes_at);
  fetch_hashes();
  EXPECT(hashes[0] == 0xb6ea359853c73004ull, 1);
  EXPECT(hashes[1] == 0xc62f4580dda81166ull, 1);
  EXPECT(hashes[2] == 0xa29e70c37c1f46e0ull, 1);
  EXPECT(hashes[3] == 0, 1);
}

/* Random123's vectors for philox4x32-10; and where L'Ecuyer's generator begins, with 12345 everywhere. */
__global__ void publish(unsigned long long *to) {
  uint4 zero = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
  uint4 ones = curand_Philox4x32_10(make_uint4(~0u, ~0u, ~0u, ~0u), make_uint2(~0u, ~0u));
  uint4 pi = curand_Philox4x32_10(make_uint4(0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u),
                                  make_uint2(0xa4093822u, 0x299f31d0u));
  curandStateMRG32k3a_t mrg;
  curand_init(0, 0, 0, &mrg);
  to[0] = zero.x | (unsigned long long)zero.w << 32;
  to[1] = ones.x | (unsigned long long)ones.w << 32;
  to[2] = pi.x | (unsigned long long)pi.w << 32;
  to[3] = (unsigned long long)(curand_uniform_double(&mrg) * 1e9);
}

static void published_tested(void) {
  publish<<<1, 1>>>(hashes_at);
  fetch_hashes();
  EXPECT(hashes[0] == 0x9b00dbd86627e8d5ull, 1);
  EXPECT(hashes[1] == 0x6d5451fd408f276dull, 1);
  EXPECT(hashes[2] == 0x24126ea1d16cfe09ull, 1);
  EXPECT(hashes[3] == 127011122, 1);
}

/* ---- distributions ----------------------------------------------------------------------------------------- */

enum { UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE, LOG_NORMAL, LOG_NORMAL_DOUBLE, POISSON, KINDS };

#define NUMBERS_OF(name, state_type)                                                                                   \
  __global__ void numbers_of_##name(double *to, int kind, double lambda) {                                             \
    state_type state;                                                                                                  \
    curand_init(2026, threadIdx.x, 0, &state);                                                                         \
    for (int i = 0; i < EACH; i++)                                                                                     \
      to[i * LANES + threadIdx.x] = kind == UNIFORM             ? curand_uniform(&state)                               \
                                    : kind == UNIFORM_DOUBLE    ? curand_uniform_double(&state)                        \
                                    : kind == NORMAL            ? curand_normal(&state)                                \
                                    : kind == NORMAL_DOUBLE     ? curand_normal_double(&state)                         \
                                    : kind == LOG_NORMAL        ? logf(curand_log_normal(&state, 0, 1))                \
                                    : kind == LOG_NORMAL_DOUBLE ? log(curand_log_normal_double(&state, 0, 1))          \
                                                                : (double)curand_poisson(&state, lambda);              \
  }

NUMBERS_OF(xorwow, curandStateXORWOW_t)
NUMBERS_OF(philox, curandStatePhilox4_32_10_t)
NUMBERS_OF(mrg, curandStateMRG32k3a_t)

__global__ void fours_of_philox(double *to) {
  curandStatePhilox4_32_10_t state;
  curand_init(2026, threadIdx.x, 0, &state);
  for (int i = 0; i < EACH; i += 4) {
    float4 narrow = curand_normal4(&state);
    double2 wide = curand_normal2_double(&state);
    to[i * LANES + threadIdx.x] = narrow.y;
    to[(i + 1) * LANES + threadIdx.x] = narrow.z;
    to[(i + 2) * LANES + threadIdx.x] = wide.x;
    to[(i + 3) * LANES + threadIdx.x] = wide.y;
  }
}

static void fetch_numbers(void) {
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(numbers, numbers_at, sizeof numbers, cudaMemcpyDeviceToHost));
}

static int in_order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The largest distance between the distribution function and the numbers', times the root of their count: above 1.95
 * once in a thousand times. */
static void expect_distribution(bool is_normal) {
  double most = 0;
  qsort(numbers, COUNT, sizeof *numbers, in_order);
  for (int i = 0; i < COUNT; i++) {
    double at = is_normal ? 0.5 * erfc(-numbers[i] / sqrt(2.0)) : numbers[i];
    most = fmax(most, fmax(at - (double)i / COUNT, (double)(i + 1) / COUNT - at));
  }
  EXPECT(most * sqrt((double)COUNT) < 1.95, 1);
  EXPECT(is_normal || (numbers[0] > 0 && numbers[COUNT - 1] <= 1), 1);
}

/* Mean and variance are both lambda, within five of their own deviations. */
static void expect_poisson(double lambda) {
  double mean = 0, variance = 0;
  for (int i = 0; i < COUNT; i++)
    mean += numbers[i] / COUNT;
  for (int i = 0; i < COUNT; i++)
    variance += (numbers[i] - mean) * (numbers[i] - mean) / (COUNT - 1);
  EXPECT(fabs(mean - lambda) < 5 * sqrt(lambda / COUNT), 1);
  EXPECT(fabs(variance - lambda) < 5 * sqrt((lambda + 2 * lambda * lambda) / COUNT), 1);
}

static void send_numbers(int generator, int kind, double lambda) {
  if (generator == 0)
    numbers_of_xorwow<<<1, LANES>>>(numbers_at, kind, lambda);
  else if (generator == 1)
    numbers_of_philox<<<1, LANES>>>(numbers_at, kind, lambda);
  else
    numbers_of_mrg<<<1, LANES>>>(numbers_at, kind, lambda);
  fetch_numbers();
}

static void distributions_tested(void) {
  static const double lambdas[] = { 0.5, 20, 100, 3000, 20000 };
  for (int generator = 0; generator < 3; generator++) {
    for (int kind = UNIFORM; kind < POISSON; kind++) {
      send_numbers(generator, kind, 0);
      expect_distribution(kind >= NORMAL);
    }
    for (int i = 0; i < 5; i++) {
      send_numbers(generator, POISSON, lambdas[i]);
      expect_poisson(lambdas[i]);
    }
  }
  fours_of_philox<<<1, LANES>>>(numbers_at);
  fetch_numbers();
  expect_distribution(true);
}

/* ---- Sobol's ----------------------------------------------------------------------------------------------- */

/* The first dimension, van der Corput's: each of 2^14 equal parts has one of the first 2^14 numbers. */
__global__ void sobol(double *to, int kind) {
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
    to[threadIdx.x * EACH + i] = kind == 0   ? curand_uniform(&state)
                                 : kind == 1 ? curand_uniform_double(&wide)
                                 : kind == 2 ? curand_normal(&state)
                                 : kind == 3 ? curand_normal_double(&wide)
                                             : (double)curand_poisson(&state, 7.5);
}

static void sobol_tested(void) {
  for (int kind = 0; kind < 2; kind++) {
    int misplaced = 0;
    sobol<<<1, LANES>>>(numbers_at, kind);
    fetch_numbers();
    qsort(numbers, COUNT, sizeof *numbers, in_order);
    for (int i = 0; i < COUNT; i++)
      misplaced += (int)(numbers[i] * COUNT) != i;
    EXPECT(misplaced, 0);
  }
  for (int kind = 2; kind < 4; kind++) {
    sobol<<<1, LANES>>>(numbers_at, kind);
    fetch_numbers();
    expect_distribution(true);
  }
  sobol<<<1, LANES>>>(numbers_at, 4);
  fetch_numbers();
  expect_poisson(7.5);
}

int main(void) {
  CHECK(cudaMalloc((void **)&hashes_at, sizeof hashes));
  CHECK(cudaMalloc((void **)&numbers_at, sizeof numbers));
  words_tested();
  jumps_tested();
  published_tested();
  distributions_tested();
  sobol_tested();
  CHECK(cudaFree(hashes_at));
  CHECK(cudaFree(numbers_at));
  return verdict("random_numbers");
}
