/* SPDX-License-Identifier: MIT */
/*
 * generate - curandGenerate() and its kin: checks, then what the generator's family does, in the order of the
 * generator's stream, or on the host.
 *
 * How far the sequence has gone is written when the work has been sent: a call that fails has taken nothing. On a
 * stream that is captured a call becomes a node, which takes nothing either: the graph does, each time it is launched.
 *
 * No state, no locks: a generator is used by one thread at a time. Called by programs. A device's numbers are not
 * waited for; the first call of a kernel waits for the driver's compiler.
 */
#include "base/error.h"
#include "curand/call.h"
#include "curand/lanes.h"
#include "curand/quasi.h"
#include "curand/twister.h"
#include "library/captured.h"

#include <string.h>

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  vptr__rand_call it = vptr__rand_call_enter("curandGenerateSeeds", generator);
  if (vptr__rand_call_is_fine(&it) && it.captures)
    vptr__rand_call_fail(&it, vptr__library_capture_refuse(it.name, it.stream));
  if (!vptr__rand_call_is_fine(&it))
    return it.status;
  switch (generator->type->family) {
  case VPTR__RAND_LANES:
    vptr__rand_lanes_begin(&it);
    break;
  case VPTR__RAND_QUASI:
    vptr__rand_quasi_begin(&it);
    break;
  case VPTR__RAND_TWISTER:
    generator->has_begun = false;
    vptr__rand_twister_begin(&it, ~0ull);
    break;
  }
  return it.status;
}

/* Words of 32 bits are not those of a generator of 64, nor the other way about; but Poisson's numbers are. */
static void check_type(vptr__rand_call *it, vptr__rand_number number, int kind) {
  if (!vptr__rand_call_is_fine(it))
    return;
  bool is_wide = it->generator->type->is_wide;
  if (number == VPTR__RAND_LONGS && !is_wide)
    vptr__rand_call_refuse(it, CURAND_STATUS_TYPE_ERROR, "the generator has no integers of 64 bits");
  if (number == VPTR__RAND_WORDS && kind == VPTR_RAND_UNIFORM && is_wide)
    vptr__rand_call_refuse(it, CURAND_STATUS_TYPE_ERROR,
                           "the generator's integers have 64 bits: curandGenerateLongLong() has them");
}

/* What is wanted of a generator; a graph keeps it until it is launched. */
typedef struct output {
  curandGenerator_t generator;
  unsigned long long generator_number;
  vptr__rand_number number;
  vptr_rand_request wanted;
  void *to;
} output;

static void check_output(vptr__rand_call *it, const output *to) {
  static const size_t sizes[] = { sizeof(unsigned int), sizeof(float), sizeof(double), sizeof(unsigned long long) };
  vptr__rand_call_check_output(it, to->to, to->wanted.count, sizes[to->number]);
}

static void fill(vptr__rand_call *it, const output *to) {
  vptr_rand_request wanted = to->wanted;
  if (!vptr__rand_call_is_fine(it))
    return;
  switch (to->generator->type->family) {
  case VPTR__RAND_LANES:
    vptr__rand_lanes_fill(it, to->number, &wanted, to->to);
    break;
  case VPTR__RAND_QUASI:
    vptr__rand_quasi_fill(it, to->number, &wanted, to->to);
    break;
  case VPTR__RAND_TWISTER:
    vptr__rand_twister_fill(it, to->number, &wanted, to->to);
    break;
  }
}

/* Each launch of a graph has the generator's next numbers. */
static vptr_status send_captured(const void *context, const char *what, vptr__stream *stream) {
  const output *to = context;
  if (!vptr__rand_is(to->generator, to->generator_number))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the generator that was captured has been destroyed", what);
  vptr__rand_call it = vptr__rand_call_resume(what, to->generator, stream);
  check_output(&it, to);
  fill(&it, to);
  if (vptr__rand_call_is_fine(&it))
    return VPTR_SUCCESS;
  return it.status == CURAND_STATUS_ALLOCATION_FAILED ? VPTR_ERROR_OUT_OF_DEVICE_MEMORY : VPTR_ERROR_INVALID_ARGUMENT;
}

static curandStatus_t generate(const char *name, curandGenerator_t generator, vptr__rand_number number, int kind,
                               void *at, size_t count, double mean, double deviation) {
  output to;
  vptr__rand_call it = vptr__rand_call_enter(name, generator);
  check_type(&it, number, kind);
  if (!vptr__rand_call_is_fine(&it))
    return it.status;
  memset(&to, 0, sizeof to);
  to.generator = generator, to.generator_number = generator->number, to.number = number, to.to = at;
  to.wanted.count = count, to.wanted.kind = kind, to.wanted.mean = mean, to.wanted.deviation = deviation;
  check_output(&it, &to);
  if (!it.captures)
    fill(&it, &to);
  else if (vptr__rand_call_is_fine(&it))
    vptr__rand_call_fail(
        &it, vptr__library_capture_call(&(vptr__graph_call){ name, send_captured, &to, sizeof to }, it.stream));
  return it.status;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *outputPtr, size_t num) {
  return generate("curandGenerate", generator, VPTR__RAND_WORDS, VPTR_RAND_UNIFORM, outputPtr, num, 0, 0);
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *outputPtr, size_t num) {
  return generate("curandGenerateLongLong", generator, VPTR__RAND_LONGS, VPTR_RAND_UNIFORM, outputPtr, num, 0, 0);
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
  vptr__rand_call it = vptr__rand_call_enter("curandGeneratePoisson", generator);
  if (!(lambda > 0 && lambda <= 400000))
    vptr__rand_call_refuse(&it, CURAND_STATUS_OUT_OF_RANGE, "lambda is not above 0 and at most 400000");
  if (it.status != CURAND_STATUS_SUCCESS)
    return it.status;
  return generate("curandGeneratePoisson", generator, VPTR__RAND_WORDS, VPTR_RAND_POISSON, outputPtr, n, lambda, 0);
}
