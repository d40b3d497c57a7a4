/* SPDX-License-Identifier: MIT */
/*
 * conform_quasi - the tables that curand_init() of Sobol's sequences takes, and what scrambled sequences are for: their
 * points are spread as evenly as those that are not scrambled. Plain cuRAND: it builds with NVIDIA's, too.
 *
 * Vectors of Joe and Kuo's set are cuRAND's to the last bit. Scrambled ones are random: what is checked is that they
 * are those of the generators, and the points' net property, which a triangular matrix keeps.
 */
#include <stdio.h>
#include <string.h>

#include <curand.h>

#include "support/count.h"

enum { DIMENSIONS = 20000, POINTS = 256, SOME = 500 };

#define EXPECT(condition) check_that(condition, "", #condition, __LINE__)
#define FINE(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

/* FNV-1a. */
static unsigned long long hash_of(const void *from, size_t count) {
  const unsigned char *bytes = (const unsigned char *)from;
  unsigned long long hash = 14695981039346656037ull;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ bytes[i]) * 1099511628211ull;
  return hash;
}

static void check_tables(void) {
  curandDirectionVectors32_t *vectors, *again;
  curandDirectionVectors64_t *wide;
  FINE(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  EXPECT(hash_of(vectors, DIMENSIONS * sizeof *vectors) == 0x977d0241e3974985ull);
  FINE(curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
  EXPECT(hash_of(wide, DIMENSIONS * sizeof *wide) == 0xd1d26f6f25e5d2f2ull);
  FINE(curandGetDirectionVectors32(&again, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  EXPECT(again == vectors);
  EXPECT(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_64_JOEKUO6) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_32_JOEKUO6) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(again == vectors);
}

/* Vectors of 32 bits are the upper halves, and so are constants; no two neighbours are the same. */
static void check_scrambled_tables(void) {
  curandDirectionVectors32_t *vectors;
  curandDirectionVectors64_t *wide;
  unsigned int *constants;
  unsigned long long *wide_constants;
  int halves = 0, differ = 0;
  FINE(curandGetDirectionVectors32(&vectors, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
  FINE(curandGetDirectionVectors64(&wide, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6));
  FINE(curandGetScrambleConstants32(&constants));
  FINE(curandGetScrambleConstants64(&wide_constants));
  for (int i = 0; i < DIMENSIONS; i++) {
    halves += constants[i] == wide_constants[i] >> 32;
    differ += i > 0 && wide_constants[i] != wide_constants[i - 1];
    for (int k = 0; k < 32; k++)
      halves += vectors[i][k] == wide[i][k] >> 32;
  }
  EXPECT(halves == DIMENSIONS * 33);
  EXPECT(differ == DIMENSIONS - 1);
}

/* Of 256 numbers of a dimension each has upper bits of its own. Of the first two dimensions there is one point in each
 * of 16 by 16 squares. */
static void check_net(curandRngType_t type) {
  static double numbers[SOME * POINTS];
  static unsigned char seen[SOME][POINTS], squares[16][16];
  /* What is added to words of 32 bits would carry some of them into the next part. */
  double carry = type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 ? 1 / 8589934592.0 : 0;
  int hits = 0, square_hits = 0;
  curandGenerator_t generator;
  FINE(curandCreateGeneratorHost(&generator, type));
  FINE(curandSetQuasiRandomGeneratorDimensions(generator, SOME));
  FINE(curandGenerateUniformDouble(generator, numbers, SOME * POINTS));
  FINE(curandDestroyGenerator(generator));
  memset(seen, 0, sizeof seen);
  memset(squares, 0, sizeof squares);
  for (int i = 0; i < SOME * POINTS; i++) {
    int part = (int)((numbers[i] - carry) * POINTS);
    hits += !seen[i / POINTS][part];
    seen[i / POINTS][part] = 1;
  }
  EXPECT(hits == SOME * POINTS);
  for (int i = 0; i < POINTS; i++) {
    unsigned char *square = &squares[(int)((numbers[i] - carry) * 16)][(int)((numbers[i + POINTS] - carry) * 16)];
    square_hits += !*square;
    *square = 1;
  }
  EXPECT(square_hits == POINTS);
}

/* A generator's integers are those that the tables make, by Gray's code. */
static void check_generator(void) {
  static unsigned int numbers[7 * 100];
  curandDirectionVectors32_t *vectors;
  unsigned int *constants;
  int same = 0;
  curandGenerator_t generator;
  FINE(curandGetDirectionVectors32(&vectors, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
  FINE(curandGetScrambleConstants32(&constants));
  FINE(curandCreateGeneratorHost(&generator, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32));
  FINE(curandSetQuasiRandomGeneratorDimensions(generator, 7));
  FINE(curandGenerate(generator, numbers, 7 * 100));
  FINE(curandDestroyGenerator(generator));
  for (int i = 0; i < 7; i++)
    for (unsigned int point = 0; point < 100; point++) {
      unsigned int sum = constants[i], gray = point ^ point >> 1;
      for (int k = 0; k < 7; k++)
        sum ^= (gray >> k & 1) != 0 ? vectors[i][k] : 0;
      same += sum == numbers[i * 100 + (int)point];
    }
  EXPECT(same == 7 * 100);
}

int main(void) {
  check_tables();
  check_scrambled_tables();
  check_net(CURAND_RNG_QUASI_SOBOL32);
  check_net(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
  check_net(CURAND_RNG_QUASI_SOBOL64);
  check_net(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
  check_generator();
  return verdict("conform_quasi");
}
