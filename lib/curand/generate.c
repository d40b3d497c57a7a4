/* SPDX-License-Identifier: MIT */
/*
 * generate - curandGenerate() and its kin: checks, then kernels in the order of the generator's stream, or loops of the
 * host.
 *
 * How far the sequence has gone is written when the work has been sent: a call that fails has taken nothing.
 *
 * No state, no locks: a generator is used by one thread at a time. Called by programs. A device's numbers are not
 * waited for; the first call of a kernel waits for the driver's compiler.
 */
#include "base/error.h"
#include "base/memory.h"
#include "curand/generator.h"
#include "curand/host.h"
#include "curand/kernel.h"
#include "curand/lane.h"
#include "curand/status.h"
#include "mapper/host.h"
#include "mapper/registry.h"
#include "pool/pool.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* A call on its way: the first thing that goes wrong stays. */
typedef struct call {
  const char *name;
  curandGenerator_t generator;
  vptr__stream *stream; /* NULL: the host's */
  curandStatus_t status;
} call;

static void fail(call *it, vptr_status status) {
  if (it->status == CURAND_STATUS_SUCCESS)
    it->status = vptr__rand_status_of(status);
}

static call enter(const char *name, curandGenerator_t generator) {
  call it = { .name = name, .generator = generator, .status = vptr__rand_check(name, generator) };
  if (it.status == CURAND_STATUS_SUCCESS && !generator->is_host)
    fail(&it, vptr__rand_stream(name, generator, &it.stream));
  return it;
}

/* ---- lanes ------------------------------------------------------------------------------------------------ */

static vptr_rand_request request_of(const struct curandGenerator_st *generator) {
  return (vptr_rand_request){
    .seed = generator->seed, .lanes = vptr__rand_lanes(generator), .at = generator->at, .taken = generator->taken
  };
}

/* Memory for as many lanes as the ordering has. */
static void ensure_states(call *it) {
  curandGenerator_t generator = it->generator;
  size_t bytes = vptr__rand_lanes(generator) * generator->type->lane_bytes;
  void *states = NULL;
  if (it->status != CURAND_STATUS_SUCCESS || generator->state_bytes >= bytes)
    return;
  vptr_status status = VPTR_SUCCESS;
  if (!generator->is_host)
    status = vptr__pool_allocate(NULL, bytes, it->stream, __builtin_return_address(0), &states);
  else if ((states = vptr__memory_calloc(1, bytes)) == NULL)
    status = vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for the generator's %zu bytes", it->name,
                         bytes);
  if (status == VPTR_SUCCESS && generator->is_host)
    vptr__memory_free(generator->states);
  else if (status == VPTR_SUCCESS && generator->states != NULL)
    status = vptr__pool_free(generator->mapper, generator->states, it->stream, it->name);
  fail(it, status);
  if (states == NULL)
    return;
  generator->states = states;
  generator->state_bytes = bytes;
}

/* Brings all lanes to where the offset says. */
static void begin(call *it) {
  curandGenerator_t generator = it->generator;
  if (it->status != CURAND_STATUS_SUCCESS || generator->has_begun)
    return;
  ensure_states(it);
  vptr_rand_request request = request_of(generator);
  unsigned long long units = generator->offset / generator->type->each;
  char kernel[32];
  snprintf(kernel, sizeof kernel, "%s_begin", generator->type->name);
  if (it->status == CURAND_STATUS_SUCCESS && generator->is_host)
    vptr__rand_host_begin(generator->type->type, &request, units, generator->states);
  else if (it->status == CURAND_STATUS_SUCCESS)
    fail(it, vptr__rand_launch(it->name, it->stream, kernel, request.lanes,
                               (void *[]){ &generator->states, &request, &units }));
  if (it->status != CURAND_STATUS_SUCCESS)
    return;
  generator->at = units % request.lanes;
  generator->taken = generator->offset % generator->type->each;
  generator->has_begun = true;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  call it = enter("curandGenerateSeeds", generator);
  begin(&it);
  return it.status;
}

/* ---- output ----------------------------------------------------------------------------------------------- */

static void refuse_output(call *it, curandStatus_t status, const char *what) {
  if (it->status != CURAND_STATUS_SUCCESS)
    return;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", it->name, what);
  it->status = status;
}

/* Where a host's generator writes is no memory of a device, and the other way about. */
static void check_output(call *it, const void *to, size_t count, size_t size) {
  size_t bytes;
  if (it->status != CURAND_STATUS_SUCCESS || count == 0)
    return;
  if (to == NULL)
    refuse_output(it, CURAND_STATUS_OUT_OF_RANGE, "the output is NULL");
  if (__builtin_mul_overflow(count, size, &bytes))
    refuse_output(it, CURAND_STATUS_OUT_OF_RANGE, "there is no memory for so many numbers");
  if (it->status != CURAND_STATUS_SUCCESS)
    return;
  char words[96];
  snprintf(words, sizeof words, "%s: the output", it->name);
  bool is_devices = vptr__mapper_owning(to) != NULL;
  if (it->generator->is_host && is_devices)
    refuse_output(it, CURAND_STATUS_OUT_OF_RANGE, "the output is a device's memory, and the generator is the host's");
  else if (is_devices) {
    vptr_location location;
    vptr_status status = vptr__mapper_locate(it->generator->mapper, to, bytes, &location);
    if (status != VPTR_SUCCESS)
      vptr__mapper_explain(it->generator->mapper, status, words, to, bytes);
    fail(it, status);
  } else
    fail(it, vptr__host_check(words, to, bytes));
}

static void send_units(call *it, vptr__rand_number number, vptr_rand_request *request, unsigned long long units,
                       void *to) {
  static const char *const plurals[] = { "words", "floats", "doubles" };
  curandGenerator_t generator = it->generator;
  unsigned long long threads = units < request->lanes ? units : request->lanes;
  char kernel[32];
  snprintf(kernel, sizeof kernel, "%s_%s", generator->type->name, plurals[number]);
  if (generator->is_host)
    vptr__rand_host_fill(generator->type->type, number, generator->states, request, threads, to);
  else
    fail(it, vptr__rand_launch(it->name, it->stream, kernel, threads,
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

static curandStatus_t generate(const char *name, curandGenerator_t generator, vptr__rand_number number, int kind,
                               void *to, size_t count, double mean, double deviation) {
  static const size_t sizes[] = { sizeof(unsigned int), sizeof(float), sizeof(double) };
  call it = enter(name, generator);
  if (it.status != CURAND_STATUS_SUCCESS)
    return it.status;
  unsigned int each = generator->type->each > 1 ? generator->type->each : (unsigned int)vptr_rand_each(kind);
  if (count % each != 0 && each == 2)
    refuse_output(&it, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                  "normal numbers come in pairs, and the number of them is odd");
  check_output(&it, to, count, sizes[number]);
  begin(&it);
  if (it.status != CURAND_STATUS_SUCCESS || count == 0)
    return it.status;
  vptr_rand_request request = request_of(generator);
  request.count = count;
  request.kind = kind;
  request.mean = mean;
  request.deviation = deviation;
  unsigned long long end = request.taken + count, units = (end - 1) / each + 1;
  send_units(&it, number, &request, units, to);
  if (it.status != CURAND_STATUS_SUCCESS)
    return it.status;
  advance(generator, number, kind, end / each, end % each);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *outputPtr, size_t num) {
  return generate("curandGenerate", generator, VPTR__RAND_WORDS, VPTR_RAND_UNIFORM, outputPtr, num, 0, 0);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *outputPtr, size_t num) {
  return generate("curandGenerateUniform", generator, VPTR__RAND_FLOATS, VPTR_RAND_UNIFORM, outputPtr, num, 0, 0);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *outputPtr, size_t num) {
  return generate("curandGenerateUniformDouble", generator, VPTR__RAND_DOUBLES, VPTR_RAND_UNIFORM, outputPtr, num, 0,
                  0);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *outputPtr, size_t n, float mean,
                                    float stddev) {
  return generate("curandGenerateNormal", generator, VPTR__RAND_FLOATS, VPTR_RAND_NORMAL, outputPtr, n, mean, stddev);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *outputPtr, size_t n, double mean,
                                          double stddev) {
  return generate("curandGenerateNormalDouble", generator, VPTR__RAND_DOUBLES, VPTR_RAND_NORMAL, outputPtr, n, mean,
                  stddev);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *outputPtr, size_t n, float mean,
                                       float stddev) {
  return generate("curandGenerateLogNormal", generator, VPTR__RAND_FLOATS, VPTR_RAND_LOG_NORMAL, outputPtr, n, mean,
                  stddev);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *outputPtr, size_t n, double mean,
                                             double stddev) {
  return generate("curandGenerateLogNormalDouble", generator, VPTR__RAND_DOUBLES, VPTR_RAND_LOG_NORMAL, outputPtr, n,
                  mean, stddev);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *outputPtr, size_t n, double lambda) {
  call it = enter("curandGeneratePoisson", generator);
  if (!(lambda > 0 && lambda <= 400000))
    refuse_output(&it, CURAND_STATUS_OUT_OF_RANGE, "lambda is not above 0 and at most 400000");
  if (it.status != CURAND_STATUS_SUCCESS)
    return it.status;
  return generate("curandGeneratePoisson", generator, VPTR__RAND_WORDS, VPTR_RAND_POISSON, outputPtr, n, lambda, 0);
}
