/* SPDX-License-Identifier: MIT */
/*
 * twister - the lanes of MT19937, and their numbers block by block; see twister.h.
 *
 * A lane's state is 2^2048 numbers behind the one of the lane before: the polynomial of that jump (mt19937_jump.h) is
 * applied to it, which takes a third of a millisecond. So lanes begin on the host, as many as a call needs, and at
 * least twice as many as before; a device is given all of them anew then. Once they all have begun, kernels make the
 * next blocks.
 *
 * No state, no locks. Called by generate.c. All lanes take seconds to begin; numbers of a device are not waited for.
 */
#include "curand/twister.h"

#include "base/error.h"
#include "base/memory.h"
#include "curand/host.h"
#include "curand/kernel.h"
#include "curand/mt19937.h"
#include "curand/mt19937_jump.h"

#include <string.h>

enum {
  WORDS = VPTR_RAND_MT_WORDS,
  LANES = VPTR_RAND_MT_LANES,
  ROUND = VPTR_RAND_MT_ROUND,
  DEGREE = 19937,
  FOURS = 12, /* that are summed at once: the processor's registers hold them */
  SLICE = 4 * FOURS
};

typedef unsigned int four __attribute__((vector_size(16)));

/* What a jump works on: the sequence from a lane's block on, and the exponents of the polynomial. */
typedef struct jump {
  unsigned int sequence[DEGREE + WORDS];
  unsigned short exponents[DEGREE];
  unsigned int count;
} jump;

/* ---- lanes ------------------------------------------------------------------------------------------------ */

/* The first block of lane 0. */
static void seed_lane(unsigned int *table, unsigned int seed) {
  for (unsigned int i = 0; i < WORDS; i++) {
    unsigned int before = i > 0 ? table[(size_t)(i - 1) * LANES] : 0;
    table[(size_t)i * LANES] = i > 0 ? 1812433253u * (before ^ before >> 30) + i : seed;
  }
  vptr_rand_mt19937_advance(table, LANES);
}

static void list_exponents(jump *it) {
  for (unsigned int i = 0; i < DEGREE; i++)
    if ((vptr__rand_mt19937_jump[i / 32] >> i % 32 & 1) != 0)
      it->exponents[it->count++] = (unsigned short)i;
}

/* The words of a slice, each the sum of those that the exponents tell behind it. */
static void sum_slice(const jump *it, const unsigned int *from, unsigned int *to) {
  four sum[FOURS] = { { 0 } };
  for (unsigned int i = 0; i < it->count; i++)
#pragma GCC unroll 12
    for (size_t k = 0; k < FOURS; k++) {
      four next;
      memcpy(&next, from + it->exponents[i] + 4 * k, sizeof next);
      sum[k] ^= next;
    }
  memcpy(to, sum, sizeof sum);
}

/* Column `lane` of the table, of the column before. */
static void jump_lane(jump *it, unsigned int *table, unsigned int lane) {
  unsigned int *x = it->sequence;
  for (size_t i = 0; i < WORDS; i++)
    x[i] = table[i * LANES + lane - 1];
  for (size_t i = 0; i < DEGREE; i++)
    x[i + WORDS] = vptr_rand_mt19937_next(x[i], x[i + 1], x[i + VPTR_RAND_MT_MIDDLE]);
  for (size_t first = 0; first < WORDS; first += SLICE) {
    unsigned int sum[SLICE];
    sum_slice(it, x + first, sum);
    for (size_t k = 0; k < SLICE; k++)
      table[(first + k) * LANES + lane] = sum[k];
  }
}

static void begin_lanes(vptr__rand_call *it, unsigned int *table, unsigned int lanes) {
  curandGenerator_t generator = it->generator;
  jump *work = vptr__memory_calloc(1, sizeof *work);
  if (work == NULL) {
    vptr__rand_call_fail(it,
                         vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory to begin MT19937", it->name));
    return;
  }
  list_exponents(work);
  for (; generator->begun < lanes; generator->begun++)
    if (generator->begun > 0)
      jump_lane(work, table, generator->begun);
    else
      seed_lane(table, (unsigned int)generator->seed);
  vptr__memory_free(work);
}

/* The host's copy of a device's states, which new lanes come of. */
static unsigned int *table_of(vptr__rand_call *it) {
  curandGenerator_t generator = it->generator;
  if (!vptr__rand_call_is_fine(it) || generator->is_host)
    return generator->states;
  if (generator->table == NULL)
    generator->table = vptr__memory_calloc((size_t)WORDS * LANES, sizeof *generator->table);
  if (generator->table == NULL)
    vptr__rand_call_fail(
        it, vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for MT19937's states", it->name));
  return generator->table;
}

void vptr__rand_twister_begin(vptr__rand_call *it, unsigned long long lanes) {
  curandGenerator_t generator = it->generator;
  const size_t bytes = (size_t)WORDS * LANES * sizeof(unsigned int);
  unsigned int wanted = 64;
  while (wanted < LANES && wanted < lanes)
    wanted *= 2;
  if (!vptr__rand_call_is_fine(it) || (generator->has_begun && generator->begun >= lanes))
    return;
  if (!generator->has_begun) {
    generator->begun = 0;
    generator->at = 0;
  }
  if (generator->has_begun && generator->begun == LANES)
    return;
  vptr__rand_call_reserve(it, bytes);
  unsigned int *table = table_of(it);
  if (vptr__rand_call_is_fine(it))
    begin_lanes(it, table, wanted);
  if (!generator->is_host)
    vptr__rand_call_upload(it, table, 0, bytes);
  generator->has_begun = vptr__rand_call_is_fine(it);
  if (generator->has_begun && generator->begun == LANES) {
    vptr__memory_free(generator->table);
    generator->table = NULL;
  }
}

/* ---- numbers ---------------------------------------------------------------------------------------------- */

/* How many lanes numbers of a block need: all, if they are of two rounds. */
static unsigned long long lanes_of(unsigned long long at, unsigned long long count) {
  return at / ROUND == (at + count - 1) / ROUND ? (at + count - 1) % ROUND / 8 + 1 : LANES;
}

static void send_numbers(vptr__rand_call *it, vptr__rand_number number, vptr_rand_request *request, void *to) {
  curandGenerator_t generator = it->generator;
  unsigned long long threads = request->count < ROUND ? request->count : ROUND;
  if (!vptr__rand_call_is_fine(it))
    return;
  if (generator->is_host)
    vptr__rand_host_fill(generator->type, number, generator->states, request, threads, to);
  else
    vptr__rand_call_fail(it, vptr__rand_launch_fill(it->name, it->stream, generator->type->name, number, threads,
                                                    (void *[]){ &generator->states, request, &threads, &to }));
  if (vptr__rand_call_is_fine(it))
    generator->at += request->count;
}

/* All lanes to their next blocks. */
static void advance(vptr__rand_call *it) {
  curandGenerator_t generator = it->generator;
  if (!vptr__rand_call_is_fine(it))
    return;
  if (generator->is_host)
    for (size_t lane = 0; lane < LANES; lane++)
      vptr_rand_mt19937_advance((unsigned int *)generator->states + lane, LANES);
  else
    vptr__rand_call_fail(
        it, vptr__rand_launch(it->name, it->stream, "mt19937_advance", LANES, (void *[]){ &generator->states }));
  if (vptr__rand_call_is_fine(it))
    generator->at = 0;
}

void vptr__rand_twister_fill(vptr__rand_call *it, vptr__rand_number number, const vptr_rand_request *wanted,
                             void *to) {
  const unsigned long long block = (unsigned long long)ROUND * VPTR_RAND_MT_ROUNDS;
  const size_t size = number == VPTR__RAND_DOUBLES ? sizeof(double) : sizeof(unsigned int);
  char *bytes = to;
  vptr__rand_twister_begin(it, 1);
  for (unsigned long long left = wanted->count; left > 0 && vptr__rand_call_is_fine(it);) {
    if (it->generator->at == block)
      advance(it);
    vptr_rand_request request = *wanted;
    request.at = it->generator->at;
    request.lanes = ROUND;
    request.count = left < block - request.at ? left : block - request.at;
    vptr__rand_twister_begin(it, lanes_of(request.at, request.count));
    send_numbers(it, number, &request, bytes);
    bytes += request.count * size;
    left -= request.count;
  }
}
