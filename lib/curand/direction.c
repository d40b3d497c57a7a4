/* SPDX-License-Identifier: MIT */
/*
 * direction - direction vectors, made when they are wanted; see direction.h.
 *
 * A dimension after the first has a primitive polynomial over the field of two elements: all of them, by degree and
 * then by their coefficients read as a number. Its first vectors are the set's numbers, and each further one is a sum
 * of those before, as the polynomial says (Bratley and Fox, 1988).
 *
 * Scrambled vectors are Matousek's (1998): the digits of a number are multiplied with a triangular matrix of random
 * bits, whose diagonal is ones, and a random constant is added. cuRAND's matrices and constants are in no document.
 * These are Philox's numbers of the dimension, which is the subsequence, with the seed 0.
 *
 * Lock: `lock`, of rank LEAF, guards all that is known. Called by quasi.c and table.c. The most takes tenths of a
 * second.
 */
#include "curand/direction.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"

#include <vptr/cuda/curand_philox4x32_x.h>

enum { BITS = 64 };

/* Where the search for polynomials is, and which character of the table is next. */
typedef struct place {
  unsigned int degree, middle; /* the polynomial without its first and last coefficients, which are ones */
  size_t at;
} place;

static struct {
  vptr__lock lock;
  place next;
  unsigned int known, scrambled;                           /* dimensions */
  curandDirectionVectors64_t *vectors, *scrambled_vectors; /* NULL, or for all dimensions */
  unsigned long long *zeros, *constants;
} directions = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF), .next = { .degree = 1 } };

/* ---- polynomials ------------------------------------------------------------------------------------------ */

typedef struct polynomial {
  unsigned int degree, bits;
} polynomial;

static unsigned int multiply(polynomial by, unsigned int a, unsigned int b) {
  unsigned int product = 0;
  for (; b != 0; b >>= 1) {
    product ^= (b & 1) != 0 ? a : 0;
    a <<= 1;
    a ^= (a >> by.degree & 1) != 0 ? by.bits : 0;
  }
  return product;
}

static unsigned int power_of_x(polynomial by, unsigned int exponent) {
  unsigned int power = 1;
  for (int bit = (int)by.degree - 1; bit >= 0; bit--) {
    power = multiply(by, power, power);
    power = (exponent >> bit & 1) != 0 ? multiply(by, power, 2) : power;
  }
  return power;
}

/* Whether x has the order 2^degree - 1: to that power it is 1, and to no part of it by a prime. */
static bool is_primitive(polynomial it) {
  unsigned int order = (1u << it.degree) - 1, rest = order;
  if (it.degree == 1)
    return true;
  if (__builtin_parity(it.bits) == 0 || power_of_x(it, order) != 1)
    return false;
  for (unsigned int prime = 2; rest > 1; prime++) {
    if (prime * prime > rest)
      prime = rest;
    if (rest % prime != 0)
      continue;
    if (power_of_x(it, order / prime) == 1)
      return false;
    while (rest % prime == 0)
      rest /= prime;
  }
  return true;
}

static polynomial next_polynomial(place *at) {
  polynomial it;
  do {
    it.degree = at->degree;
    it.bits = 1u << at->degree | at->middle << 1 | 1u;
    if (at->degree == 1)
      it.bits = 3;
    if (at->degree == 1 || ++at->middle == 1u << (at->degree - 1)) {
      at->degree++;
      at->middle = 0;
    }
  } while (!is_primitive(it));
  return it;
}

/* ---- vectors ---------------------------------------------------------------------------------------------- */

/* The six bits of a character of base64's. */
static unsigned int six_bits(char c) {
  if (c >= 'A' && c <= 'Z')
    return (unsigned int)(c - 'A');
  if (c >= 'a' && c <= 'z')
    return (unsigned int)(c - 'a') + 26;
  if (c >= '0' && c <= '9')
    return (unsigned int)(c - '0') + 52;
  return c == '+' ? 62 : 63;
}

static unsigned int take_bits(size_t *bit, unsigned int count) {
  unsigned int bits = 0;
  for (; count > 0; count--, ++*bit) {
    size_t at = *bit / 6;
    unsigned int six = six_bits(vptr__rand_joe_kuo[at / VPTR__RAND_JOE_KUO_LINE][at % VPTR__RAND_JOE_KUO_LINE]);
    bits = bits << 1 | (six >> (5 - *bit % 6) & 1);
  }
  return bits;
}

static void make_vectors(place *at, unsigned long long *vectors) {
  polynomial it = next_polynomial(at);
  size_t bit = at->at * 6;
  for (unsigned int k = 0; k < it.degree; k++)
    vectors[k] = (unsigned long long)(take_bits(&bit, k) << 1 | 1) << (BITS - 1 - k);
  at->at = (bit + 5) / 6;
  for (unsigned int k = it.degree; k < BITS; k++) {
    vectors[k] = vectors[k - it.degree] ^ vectors[k - it.degree] >> it.degree;
    for (unsigned int i = 1; i < it.degree; i++)
      vectors[k] ^= (it.bits >> (it.degree - i) & 1) != 0 ? vectors[k - i] : 0;
  }
}

static void make_until(unsigned int dimensions) {
  for (; directions.known < dimensions; directions.known++)
    if (directions.known > 0)
      make_vectors(&directions.next, directions.vectors[directions.known]);
    else
      for (unsigned int k = 0; k < BITS; k++)
        directions.vectors[0][k] = 1ull << (BITS - 1 - k);
}

/* ---- scrambled vectors ------------------------------------------------------------------------------------ */

static unsigned long long random_long(struct curandStatePhilox4_32_10 *state) {
  unsigned long long upper = vptr_curand_philox_next(state);
  return upper << 32 | vptr_curand_philox_next(state);
}

static void scramble(unsigned int dimension) {
  struct curandStatePhilox4_32_10 state;
  unsigned long long columns[BITS];
  vptr_curand_philox_begin(0, dimension, 0, &state);
  directions.constants[dimension] = random_long(&state);
  for (int bit = 0; bit < BITS; bit++)
    columns[bit] = 1ull << bit | (random_long(&state) & ((1ull << bit) - 1));
  for (int k = 0; k < BITS; k++) {
    unsigned long long sum = 0;
    for (unsigned long long left = directions.vectors[dimension][k]; left != 0; left &= left - 1)
      sum ^= columns[__builtin_ctzll(left)];
    directions.scrambled_vectors[dimension][k] = sum;
  }
}

/* ---- as many as are wanted -------------------------------------------------------------------------------- */

static bool has_memory(void *of_vectors, void *of_constants) {
  curandDirectionVectors64_t **vectors = of_vectors;
  unsigned long long **constants = of_constants;
  if (*vectors == NULL)
    *vectors = vptr__memory_calloc(VPTR__RAND_DIMENSIONS, sizeof **vectors);
  if (*constants == NULL)
    *constants = vptr__memory_calloc(VPTR__RAND_DIMENSIONS, sizeof **constants);
  return *vectors != NULL && *constants != NULL;
}

vptr_status vptr__rand_directions_of(const char *call, bool is_scrambled, unsigned int dimensions,
                                     vptr__rand_directions *directions_out) {
  vptr__lock_take(&directions.lock);
  bool is_there = has_memory(&directions.vectors, &directions.zeros) &&
                  (!is_scrambled || has_memory(&directions.scrambled_vectors, &directions.constants));
  if (is_there)
    make_until(dimensions);
  for (; is_there && is_scrambled && directions.scrambled < dimensions; directions.scrambled++)
    scramble(directions.scrambled);
  vptr__rand_directions found = { is_scrambled ? directions.scrambled_vectors : directions.vectors,
                                  is_scrambled ? directions.constants : directions.zeros };
  vptr__lock_give(&directions.lock);
  if (!is_there)
    return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for direction vectors", call);
  *directions_out = found;
  return VPTR_SUCCESS;
}
