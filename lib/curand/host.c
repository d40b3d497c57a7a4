/* SPDX-License-Identifier: MIT */
/*
 * host - the loops of the host's generators; see host.h.
 *
 * No state, no locks. Called by generate.c. Nothing blocks; it takes as long as the numbers take.
 */
#include "curand/host.h"

#define BEGIN(name)                                                                                                  \
  static void begin_##name(const vptr_rand_request *request, unsigned long long units, vptr_rand_##name *states) {   \
    for (unsigned long long lane = 0; lane < request->lanes; lane++)                                                 \
      vptr_rand_##name##_begin(*request, units, lane, &states[lane]);                                                \
  }

#define FILL(name)                                                                                                   \
  static void fill_##name(vptr__rand_number number, vptr_rand_##name *states, const vptr_rand_request *request,      \
                          unsigned long long threads, void *to) {                                                    \
    for (unsigned long long unit = 0; unit < threads; unit++)                                                        \
      switch (number) {                                                                                              \
      case VPTR__RAND_WORDS:                                                                                         \
        vptr_rand_fill_##name##_words(states, *request, unit, to);                                                   \
        break;                                                                                                       \
      case VPTR__RAND_FLOATS:                                                                                        \
        vptr_rand_fill_##name##_floats(states, *request, unit, to);                                                  \
        break;                                                                                                       \
      case VPTR__RAND_DOUBLES:                                                                                       \
        vptr_rand_fill_##name##_doubles(states, *request, unit, to);                                                 \
        break;                                                                                                       \
      }                                                                                                              \
  }

BEGIN(xorwow)
FILL(xorwow)
BEGIN(mrg)
FILL(mrg)
BEGIN(philox)
FILL(philox)

void vptr__rand_host_begin(curandRngType_t type, const vptr_rand_request *request, unsigned long long units,
                           void *states) {
  if (type == CURAND_RNG_PSEUDO_XORWOW)
    begin_xorwow(request, units, states);
  else if (type == CURAND_RNG_PSEUDO_MRG32K3A)
    begin_mrg(request, units, states);
  else
    begin_philox(request, units, states);
}

void vptr__rand_host_fill(curandRngType_t type, vptr__rand_number number, void *states,
                          const vptr_rand_request *request, unsigned long long threads, void *to) {
  if (type == CURAND_RNG_PSEUDO_XORWOW)
    fill_xorwow(number, states, request, threads, to);
  else if (type == CURAND_RNG_PSEUDO_MRG32K3A)
    fill_mrg(number, states, request, threads, to);
  else
    fill_philox(number, states, request, threads, to);
}
