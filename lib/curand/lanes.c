/* SPDX-License-Identifier: MIT */
/*
 * lanes - generators that draw from many subsequences at once (lane.h); see lanes.h.
 *
 * No state, no locks: a generator is used by one thread at a time. Called by generate.c. A device's numbers are not
 * waited for; the first call of a kernel waits for the driver's compiler.
 */
#include "curand/lanes.h"

#include "curand/host.h"
#include "curand/kernel.h"

#include <stdio.h>

static vptr_rand_request request_of(const struct curandGenerator_st *generator) {
  return (vptr_rand_request){ .seed = generator->seed,
                              .lanes = vptr__rand_lanes(generator),
                              .at = generator->at,
                              .taken = generator->taken,
                              .is_seeded = generator->ordering == CURAND_ORDERING_PSEUDO_SEEDED };
}

/* Brings all lanes to where the offset says. */
void vptr__rand_lanes_begin(vptr__rand_call *it) {
  curandGenerator_t generator = it->generator;
  if (it->status != CURAND_STATUS_SUCCESS || generator->has_begun)
    return;
  vptr__rand_call_reserve(it, vptr__rand_lanes(generator) * generator->type->lane_bytes);
  vptr_rand_request request = request_of(generator);
  unsigned long long units = generator->offset / generator->type->each;
  char kernel[32];
  snprintf(kernel, sizeof kernel, "%s_begin", generator->type->name);
  if (it->status == CURAND_STATUS_SUCCESS && generator->is_host)
    vptr__rand_host_begin(generator->type, &request, units, generator->states);
  else if (it->status == CURAND_STATUS_SUCCESS)
    vptr__rand_call_fail(it, vptr__rand_launch(it->name, it->stream, kernel, request.lanes,
                                               (void *[]){ &generator->states, &request, &units }));
  if (it->status != CURAND_STATUS_SUCCESS)
    return;
  generator->at = units % request.lanes;
  generator->taken = generator->offset % generator->type->each;
  generator->has_begun = true;
}

static void send_units(vptr__rand_call *it, vptr__rand_number number, vptr_rand_request *request,
                       unsigned long long units, void *to) {
  curandGenerator_t generator = it->generator;
  unsigned long long threads = units < request->lanes ? units : request->lanes;
  if (generator->is_host)
    vptr__rand_host_fill(generator->type, number, generator->states, request, threads, to);
  else
    vptr__rand_call_fail(it, vptr__rand_launch_fill(it->name, it->stream, generator->type->name, number, threads,
                                                    (void *[]){ &generator->states, request, &threads, &to }));
}

/* How many draws a lane's unit takes, for each that one of words takes; Poisson's counts as one. */
static unsigned int draws_of(const struct curandGenerator_st *generator, vptr__rand_number number, int kind) {
  unsigned int normals = (unsigned int)vptr_rand_each(kind);
  if (generator->type->type == CURAND_RNG_PSEUDO_MRG32K3A)
    return normals;
  unsigned int wide = number == VPTR__RAND_DOUBLES ? 2 : 1;
  return generator->type->type == CURAND_RNG_PSEUDO_XORWOW ? normals * wide : wide;
}

/* Puts so many units behind the generator, and so many numbers of one more. The offset is where a new seed, or another
   order, has the sequence go on: as cuRAND counts it, by the draws of whole rounds and the lanes of the last one. */
static void advance(curandGenerator_t generator, vptr__rand_number number, int kind, unsigned long long units,
                    unsigned long long taken) {
  unsigned long long lanes = vptr__rand_lanes(generator), each = generator->type->each;
  unsigned long long rounds = (generator->at + units) / lanes, before = generator->at * each + generator->taken;
  generator->at = (generator->at + units) % lanes;
  generator->taken = taken;
  generator->offset +=
      rounds * lanes * each * draws_of(generator, number, kind) + generator->at * each + taken - before;
}

void vptr__rand_lanes_fill(vptr__rand_call *it, vptr__rand_number number, const vptr_rand_request *wanted, void *to) {
  curandGenerator_t generator = it->generator;
  unsigned int each = generator->type->each > 1 ? generator->type->each : (unsigned int)vptr_rand_each(wanted->kind);
  if (wanted->count % each != 0 && each == 2)
    vptr__rand_call_refuse(it, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                           "normal numbers come in pairs, and the number of them is odd");
  vptr__rand_lanes_begin(it);
  if (!vptr__rand_call_is_fine(it) || wanted->count == 0)
    return;
  vptr_rand_request request = request_of(generator);
  request.count = wanted->count;
  request.kind = wanted->kind;
  request.mean = wanted->mean;
  request.deviation = wanted->deviation;
  unsigned long long end = request.taken + request.count, units = (end - 1) / each + 1;
  send_units(it, number, &request, units, to);
  if (vptr__rand_call_is_fine(it))
    advance(generator, number, request.kind, end / each, end % each);
}
