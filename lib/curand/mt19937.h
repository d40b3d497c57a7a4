/* SPDX-License-Identifier: MIT */
/*
 * mt19937 - MT19937 of Matsumoto and Nishimura (1998), and how its output is drawn: for the kernels and for the host.
 *
 * There are 8192 lanes, 2^2048 numbers apart. A lane goes on by blocks of 624 numbers, of which eight at a time are
 * handed out: eight of the first lane, eight of the second, and so on, in 78 rounds. Which eight is cuRAND's order: the
 * first round takes eight single numbers, and each seven that follow take 56 neighbours, seven for each of the eight.
 *
 * The states are the block's words, a row for each of 624, and a column for each lane. What a request's members mean
 * here:
 *
 *     at, count        the first number of the block of all lanes, and how many
 *     lanes            numbers of a round
 *
 * It is C, and CUDA C behind curand_kernel.h.
 */
#ifndef VPTR_CURAND_MT19937_H
#define VPTR_CURAND_MT19937_H

#include "single.h"

enum {
  VPTR_RAND_MT_WORDS = 624,
  VPTR_RAND_MT_MIDDLE = 397,
  VPTR_RAND_MT_LANES = 8192,
  VPTR_RAND_MT_ROUND = 8 * VPTR_RAND_MT_LANES,
  VPTR_RAND_MT_ROUNDS = VPTR_RAND_MT_WORDS / 8
};

typedef unsigned int vptr_rand_mt19937;

/* The word 624 behind the first of three: itself, its neighbour, and the one 397 on. */
VPTR_CURAND_FUNCTION unsigned int vptr_rand_mt19937_next(unsigned int x, unsigned int neighbour, unsigned int middle) {
  unsigned int y = (x & 0x80000000u) | (neighbour & 0x7fffffffu);
  return middle ^ y >> 1 ^ ((y & 1) != 0 ? 0x9908b0dfu : 0);
}

VPTR_CURAND_FUNCTION unsigned int vptr_rand_mt19937_temper(unsigned int y) {
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return y ^ y >> 18;
}

/* The next block of a lane; `stride` is from a word to the next. */
VPTR_CURAND_FUNCTION void vptr_rand_mt19937_advance(unsigned int *lane, unsigned int stride) {
  for (int i = 0; i < VPTR_RAND_MT_WORDS; i++)
    lane[i * stride] = vptr_rand_mt19937_next(
        lane[i * stride], lane[(i + 1) % VPTR_RAND_MT_WORDS * stride],
        lane[(i + VPTR_RAND_MT_MIDDLE) % VPTR_RAND_MT_WORDS * stride]);
}

/* Which of the block's numbers is number `which` of a round. 624 elevenths are what seven rounds take, but for a number
 * of the first round behind eight of the eleven. */
VPTR_CURAND_FUNCTION unsigned int vptr_rand_mt19937_place(unsigned int round, unsigned int which) {
  if (round == 0)
    return (11 * which + 7) / 8 * VPTR_RAND_MT_WORDS / 11;
  return (round - 1) / 7 * VPTR_RAND_MT_WORDS / 11 + 1 + 7 * which + (round - 1) % 7;
}

VPTR_CURAND_FUNCTION unsigned int vptr_rand_mt19937_at(const unsigned int *states, unsigned long long at) {
  unsigned int place = vptr_rand_mt19937_place((unsigned int)(at / VPTR_RAND_MT_ROUND), (unsigned int)(at % 8));
  return vptr_rand_mt19937_temper(states[place * VPTR_RAND_MT_LANES + at % VPTR_RAND_MT_ROUND / 8]);
}

/* Uniform numbers are the middle of each of 2^32 parts, in double, and rounded to float; not as other generators'. */
VPTR_CURAND_FUNCTION double vptr_rand_mt19937_middle(unsigned int word) {
  return word * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2;
}
VPTR_CURAND_FUNCTION float vptr_rand_mt19937_narrow_middle(unsigned int word) {
  return (float)vptr_rand_mt19937_middle(word);
}

VPTR_RAND_SINGLES(mt19937, unsigned int, VPTR_RAND_ALL_OF, vptr_rand_mt19937_narrow_middle, vptr_rand_mt19937_middle,
                  vptr_curand_inverse_of_word)

/* What number `i` of the request is, and each that is a round behind it. */
#define VPTR_RAND_FILL_MT19937(plural, number, number_of)                                                              \
  VPTR_CURAND_FUNCTION void vptr_rand_fill_mt19937_##plural(const unsigned int *states, vptr_rand_request request,     \
                                                            unsigned long long i, number *to) {                        \
    for (; i < request.count; i += request.lanes)                                                                      \
      to[i] = vptr_rand_mt19937_##number_of(request, vptr_rand_mt19937_at(states, request.at + i));                    \
  }

VPTR_RAND_FILL_MT19937(words, unsigned int, word)
VPTR_RAND_FILL_MT19937(floats, float, float)
VPTR_RAND_FILL_MT19937(doubles, double, double)

#endif
