/* SPDX-License-Identifier: MIT */
/*
 * host - the loops of the host's generators; see host.h.
 *
 * No state, no locks. Called by lanes.c, quasi.c and twister.c. Nothing blocks; it takes as long as the numbers take.
 */
#include "curand/host.h"

#include "curand/mt19937.h"
#include "curand/sobol.h"

#define BEGIN(name)                                                                                                  \
  static void begin_##name(const vptr_rand_request *request, unsigned long long units, vptr_rand_##name *states) {   \
    for (unsigned long long lane = 0; lane < request->lanes; lane++)                                                 \
      vptr_rand_##name##_begin(*request, units, lane, &states[lane]);                                                \
  }

/* A loop for each type of numbers, so that it is chosen once. */
#define FILL_WITH(name, plural)                                                                                      \
  for (unsigned long long thread = 0; thread < threads; thread++)                                                    \
    vptr_rand_fill_##name##_##plural(states, *request, thread, to);

#define FILL(name, longs)                                                                                            \
  static void fill_##name(vptr__rand_number number, vptr_rand_##name *states, const vptr_rand_request *request,      \
                          unsigned long long threads, void *to) {                                                    \
    switch (number) {                                                                                                \
    case VPTR__RAND_WORDS:                                                                                           \
      FILL_WITH(name, words)                                                                                         \
      break;                                                                                                         \
    case VPTR__RAND_FLOATS:                                                                                          \
      FILL_WITH(name, floats)                                                                                        \
      break;                                                                                                         \
    case VPTR__RAND_DOUBLES:                                                                                         \
      FILL_WITH(name, doubles)                                                                                       \
      break;                                                                                                         \
    case VPTR__RAND_LONGS:                                                                                           \
      longs break;                                                                                                   \
    }                                                                                                                \
  }

BEGIN(xorwow)
FILL(xorwow, )
BEGIN(mrg)
FILL(mrg, )
BEGIN(philox)
FILL(philox, )
FILL(sobol32, )
FILL(sobol64, FILL_WITH(sobol64, longs))
FILL(mt19937, )

void vptr__rand_host_begin(const vptr__rand_type *type, const vptr_rand_request *request, unsigned long long units,
                           void *states) {
  if (type->type == CURAND_RNG_PSEUDO_XORWOW)
    begin_xorwow(request, units, states);
  else if (type->type == CURAND_RNG_PSEUDO_MRG32K3A)
    begin_mrg(request, units, states);
  else
    begin_philox(request, units, states);
}

void vptr__rand_host_fill(const vptr__rand_type *type, vptr__rand_number number, void *states,
                          const vptr_rand_request *request, unsigned long long threads, void *to) {
  if (type->family == VPTR__RAND_TWISTER)
    fill_mt19937(number, states, request, threads, to);
  else if (type->is_wide)
    fill_sobol64(number, states, request, threads, to);
  else if (type->family == VPTR__RAND_QUASI)
    fill_sobol32(number, states, request, threads, to);
  else if (type->type == CURAND_RNG_PSEUDO_XORWOW)
    fill_xorwow(number, states, request, threads, to);
  else if (type->type == CURAND_RNG_PSEUDO_MRG32K3A)
    fill_mrg(number, states, request, threads, to);
  else
    fill_philox(number, states, request, threads, to);
}
