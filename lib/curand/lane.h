/* SPDX-License-Identifier: MIT */
/*
 * lane - how a pseudorandom generator's output is drawn from many subsequences at once: for the kernels and for host.c.
 *
 * A generator has so many lanes, each a subsequence of its own; a unit of output is drawn from one lane, and the next
 * unit from the next lane, round and round, from call to call. Lane l begins as subsequence l, some draws on: that is
 * the generator's offset; in the order SEEDED lane l is subsequence 0 of a seed of its own. This is cuRAND's order:
 *
 *     XORWOW    4096 lanes     a unit is a number, or a pair of normal ones
 *     MRG32k3a  81920 or 4096  the same
 *     Philox    65536          four numbers; the next call goes on inside a unit that was not finished
 *
 * It is C, and CUDA C behind curand_kernel.h.
 */
#ifndef VPTR_CURAND_LANE_H
#define VPTR_CURAND_LANE_H

#ifndef __CUDACC__
#include <vptr/cuda/curand_mrg32k3a.h>
#include <vptr/cuda/curand_philox4x32_x.h>
#include <vptr/cuda/vptr_curand_numbers.h>
#include <vptr/cuda/vptr_curand_poisson.h>
#include <vptr/cuda/vptr_curand_xorwow.h>
#endif

enum { VPTR_RAND_UNIFORM, VPTR_RAND_NORMAL, VPTR_RAND_LOG_NORMAL, VPTR_RAND_POISSON };

/* What one call wants. The first unit's lane is `at`, and `taken` of its numbers have been handed out before. */
typedef struct vptr_rand_request {
  unsigned long long seed, count, lanes, at, taken;
  double mean, deviation;
  int kind, is_seeded; /* is_seeded: each lane of XORWOW has a seed of its own */
} vptr_rand_request;

typedef struct curandStateXORWOW vptr_rand_xorwow;
typedef struct curandStateMRG32k3a vptr_rand_mrg;
/* A lane of Philox is how many groups of four words are behind it. */
typedef unsigned long long vptr_rand_philox;

/* ---- one number of a lane, or two ---------------------------------------------------------------------------- */

VPTR_CURAND_FUNCTION float vptr_curand_xorwow_float(vptr_rand_xorwow *state) {
  return vptr_curand_float(vptr_curand_xorwow_next(state));
}
VPTR_CURAND_FUNCTION double vptr_curand_xorwow_double(vptr_rand_xorwow *state) {
  unsigned int x = vptr_curand_xorwow_next(state);
  return vptr_curand_double(x, vptr_curand_xorwow_next(state));
}
VPTR_CURAND_FUNCTION float2 vptr_curand_xorwow_normals(vptr_rand_xorwow *state) {
  unsigned int x = vptr_curand_xorwow_next(state);
  return vptr_curand_normals(x, vptr_curand_xorwow_next(state));
}
VPTR_CURAND_FUNCTION double2 vptr_curand_xorwow_normals_double(vptr_rand_xorwow *state) {
  unsigned int x0 = vptr_curand_xorwow_next(state), x1 = vptr_curand_xorwow_next(state);
  unsigned int y0 = vptr_curand_xorwow_next(state), y1 = vptr_curand_xorwow_next(state);
  return vptr_curand_normals_double(x0, x1, y0, y1);
}

VPTR_CURAND_FUNCTION float vptr_curand_philox_float(curandStatePhilox4_32_10_t *state) {
  return vptr_curand_float(vptr_curand_philox_next(state));
}
VPTR_CURAND_FUNCTION double vptr_curand_philox_double(curandStatePhilox4_32_10_t *state) {
  unsigned int x = vptr_curand_philox_next(state);
  return vptr_curand_double(x, vptr_curand_philox_next(state));
}
VPTR_CURAND_FUNCTION float2 vptr_curand_philox_normals(curandStatePhilox4_32_10_t *state) {
  unsigned int x = vptr_curand_philox_next(state);
  return vptr_curand_normals(x, vptr_curand_philox_next(state));
}
VPTR_CURAND_FUNCTION double2 vptr_curand_philox_normals_double(curandStatePhilox4_32_10_t *state) {
  uint4 x = vptr_curand_philox_next4(state);
  return vptr_curand_normals_double(x.x, x.y, x.z, x.w);
}

/* ---- a unit: as many numbers as the lane's unit has, at most four ---------------------------------------------- */

/* With a kind for each type of numbers, these draw from a lane; `each` is 1 or 4, the numbers of a unit that does not
 * come in pairs. */
#define VPTR_RAND_UNITS(name, state_type)                                                                              \
  VPTR_CURAND_FUNCTION unsigned int vptr_rand_##name##_poisson(state_type *state, double lambda) {                     \
    VPTR_CURAND_POISSON_BODY(lambda, vptr_curand_##name##_float(state), vptr_curand_##name##_double(state),            \
                             vptr_curand_##name##_normals_double(state).x)                                             \
  }                                                                                                                    \
  VPTR_CURAND_FUNCTION void vptr_rand_##name##_words(state_type *state, vptr_rand_request request, unsigned int *to,   \
                                                     int each) {                                                       \
    for (int i = 0; i < each; i++)                                                                                     \
      to[i] = request.kind == VPTR_RAND_POISSON ? vptr_rand_##name##_poisson(state, request.mean)                      \
                                                : vptr_curand_##name##_next(state);                                    \
  }                                                                                                                    \
  VPTR_RAND_UNIT_OF(name, state_type, floats, float, float2, vptr_curand_##name##_normals, expf)                       \
  VPTR_RAND_UNIT_OF(name, state_type, doubles, double, double2, vptr_curand_##name##_normals_double, exp)

#define VPTR_RAND_UNIT_OF(name, state_type, plural, real, real2, pair_of, exponential)                                 \
  VPTR_CURAND_FUNCTION void vptr_rand_##name##_##plural(state_type *state, vptr_rand_request request, real *to,        \
                                                        int each) {                                                    \
    real mean = (real)request.mean, deviation = (real)request.deviation;                                               \
    if (request.kind == VPTR_RAND_UNIFORM) {                                                                           \
      for (int i = 0; i < each; i++)                                                                                   \
        to[i] = vptr_curand_##name##_##real(state);                                                                    \
      return;                                                                                                          \
    }                                                                                                                  \
    for (int i = 0; i < each; i += 2) {                                                                                \
      real2 pair = pair_of(state);                                                                                     \
      to[i] = mean + deviation * pair.x;                                                                               \
      to[i + 1] = mean + deviation * pair.y;                                                                           \
      if (request.kind == VPTR_RAND_LOG_NORMAL) {                                                                      \
        to[i] = exponential(to[i]);                                                                                    \
        to[i + 1] = exponential(to[i + 1]);                                                                            \
      }                                                                                                                \
    }                                                                                                                  \
  }

VPTR_RAND_UNITS(xorwow, vptr_rand_xorwow)
VPTR_RAND_UNITS(mrg, vptr_rand_mrg)
VPTR_RAND_UNITS(philox, curandStatePhilox4_32_10_t)

/* ---- lanes ---------------------------------------------------------------------------------------------------- */

/* Lane `lane` of a generator that so many units are behind of. */
VPTR_CURAND_FUNCTION unsigned long long vptr_rand_rounds(vptr_rand_request request, unsigned long long units,
                                                         unsigned long long lane) {
  return units / request.lanes + (lane < units % request.lanes ? 1 : 0);
}

/* Where each lane has a seed of its own. */
VPTR_CURAND_FUNCTION unsigned long long vptr_rand_seed_of_lane(unsigned long long seed, unsigned long long lane) {
  return seed + lane * 3133713u;
}

VPTR_CURAND_FUNCTION void vptr_rand_xorwow_begin(vptr_rand_request request, unsigned long long units,
                                                 unsigned long long lane, vptr_rand_xorwow *state) {
  unsigned long long seed = request.is_seeded ? vptr_rand_seed_of_lane(request.seed, lane) : request.seed;
  vptr_curand_xorwow_begin(seed, request.is_seeded ? 0 : lane, vptr_rand_rounds(request, units, lane), state);
}
VPTR_CURAND_FUNCTION void vptr_rand_mrg_begin(vptr_rand_request request, unsigned long long units,
                                              unsigned long long lane, vptr_rand_mrg *state) {
  vptr_curand_mrg_begin(request.seed, lane, vptr_rand_rounds(request, units, lane), state);
}
VPTR_CURAND_FUNCTION void vptr_rand_philox_begin(vptr_rand_request request, unsigned long long units,
                                                 unsigned long long lane, vptr_rand_philox *state) {
  *state = vptr_rand_rounds(request, units, lane);
}

/* How many numbers a unit of a request has. */
VPTR_CURAND_FUNCTION int vptr_rand_each(int kind) {
  return kind == VPTR_RAND_NORMAL || kind == VPTR_RAND_LOG_NORMAL ? 2 : 1;
}

/* What the lane of unit `unit` draws, of this unit and each that is a round of lanes behind it. */
#define VPTR_RAND_FILL(name, plural, number)                                                                           \
  VPTR_CURAND_FUNCTION void vptr_rand_fill_##name##_##plural(vptr_rand_##name *states, vptr_rand_request request,      \
                                                             unsigned long long unit, number *to) {                    \
    vptr_rand_##name state = states[(request.at + unit) % request.lanes];                                              \
    int each = vptr_rand_each(request.kind);                                                                           \
    for (; unit * each < request.count; unit += request.lanes) {                                                       \
      number drawn[2];                                                                                                 \
      vptr_rand_##name##_##plural(&state, request, drawn, each);                                                       \
      to[unit * each] = drawn[0];                                                                                      \
      if (each == 2)                                                                                                   \
        to[unit * each + 1] = drawn[1];                                                                                \
    }                                                                                                                  \
    states[(request.at + unit) % request.lanes] = state;                                                               \
  }

VPTR_RAND_FILL(xorwow, words, unsigned int)
VPTR_RAND_FILL(xorwow, floats, float)
VPTR_RAND_FILL(xorwow, doubles, double)
VPTR_RAND_FILL(mrg, words, unsigned int)
VPTR_RAND_FILL(mrg, floats, float)
VPTR_RAND_FILL(mrg, doubles, double)

/* The same for units of four, of which the first may have been handed out in part, and the last is kept in the lane if
 * the request ends inside of it. */
#define VPTR_RAND_FILL_PHILOX(plural, number)                                                                          \
  VPTR_CURAND_FUNCTION void vptr_rand_fill_philox_##plural(vptr_rand_philox *states, vptr_rand_request request,        \
                                                           unsigned long long unit, number *to) {                      \
    unsigned long long lane = (request.at + unit) % request.lanes, end = request.taken + request.count;                \
    curandStatePhilox4_32_10_t state;                                                                                  \
    vptr_curand_philox_begin(request.seed, lane, 0, &state);                                                           \
    state.ctr = vptr_curand_philox_counter(state.ctr, states[lane]);                                                   \
    vptr_curand_philox_skip(&state, 0);                                                                                \
    for (; unit * 4 < end; unit += request.lanes) {                                                                    \
      number drawn[4];                                                                                                 \
      vptr_rand_philox_##plural(&state, request, drawn, 4);                                                            \
      if (state.STATE != 0)                                                                                            \
        vptr_curand_philox_skip(&state, 4 - state.STATE);                                                              \
      for (unsigned long long i = unit * 4 < request.taken ? request.taken : unit * 4; i < unit * 4 + 4 && i < end;    \
           i++)                                                                                                        \
        to[i - request.taken] = drawn[i & 3];                                                                          \
      if (unit * 4 + 4 <= end)                                                                                         \
        states[lane] = state.ctr.x | (unsigned long long)state.ctr.y << 32;                                            \
    }                                                                                                                  \
  }

VPTR_RAND_FILL_PHILOX(words, unsigned int)
VPTR_RAND_FILL_PHILOX(floats, float)
VPTR_RAND_FILL_PHILOX(doubles, double)

#endif
