/* SPDX-License-Identifier: MIT */
/*
 * quasi - Sobol's generators; see quasi.h.
 *
 * A generator's states are the vectors of its dimensions, each with the constant behind them; what changes from call to
 * call is the offset alone, which is the next point's number. So another offset costs nothing.
 *
 * No state, no locks. Called by generate.c. A device's numbers are not waited for; the first call of a kernel waits for
 * the driver's compiler.
 */
#include "curand/quasi.h"

#include "base/error.h"
#include "base/memory.h"
#include "curand/direction.h"
#include "curand/host.h"
#include "curand/kernel.h"

/* A device has work for so many threads; a dimension has at most THREADS_EACH, the logarithm of which is told too. */
enum { THREADS = 65536, LOG_THREADS_EACH = 12 };

static size_t word_bytes(const vptr__rand_type *type) {
  return type->is_wide ? sizeof(unsigned long long) : sizeof(unsigned int);
}

/* The vectors and the constant of each dimension, in words of the generator's. */
static void pack_directions(const vptr__rand_type *type, vptr__rand_directions from, unsigned int dimensions,
                            void *to) {
  unsigned long long *wide = to;
  unsigned int *narrow = to;
  for (unsigned int dimension = 0; dimension < dimensions; dimension++)
    if (type->is_wide) {
      for (int k = 0; k < 64; k++)
        *wide++ = from.vectors[dimension][k];
      *wide++ = from.constants[dimension];
    } else {
      for (int k = 0; k < 32; k++)
        *narrow++ = (unsigned int)(from.vectors[dimension][k] >> 32);
      *narrow++ = (unsigned int)(from.constants[dimension] >> 32);
    }
}

void vptr__rand_quasi_begin(vptr__rand_call *it) {
  curandGenerator_t generator = it->generator;
  const vptr__rand_type *type = generator->type;
  if (!vptr__rand_call_is_fine(it) || generator->has_begun)
    return;
  size_t bytes = generator->dimensions * (8 * word_bytes(type) + 1) * word_bytes(type);
  vptr__rand_directions directions = { 0 };
  vptr__rand_call_fail(it,
                       vptr__rand_directions_of(it->name, type->is_scrambled, generator->dimensions, &directions));
  void *packed = vptr__rand_call_is_fine(it) ? vptr__memory_calloc(1, bytes) : NULL;
  if (packed == NULL) {
    vptr__rand_call_fail(
        it, vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for direction vectors", it->name));
    return;
  }
  pack_directions(type, directions, generator->dimensions, packed);
  vptr__rand_call_reserve(it, bytes);
  vptr__rand_call_upload(it, packed, 0, bytes);
  vptr__memory_free(packed);
  generator->has_begun = vptr__rand_call_is_fine(it);
}

/* Threads of a dimension, a power of two whose logarithm is `taken`: as many as there are points, or as there is work
 * for. */
static void share_points(vptr_rand_request *request, unsigned int dimensions) {
  request->taken = 0;
  while (request->taken < LOG_THREADS_EACH && 1ull << request->taken < request->count &&
         (unsigned long long)dimensions << request->taken < THREADS)
    request->taken++;
  request->lanes = 1ull << request->taken;
}

void vptr__rand_quasi_fill(vptr__rand_call *it, vptr__rand_number number, const vptr_rand_request *wanted, void *to) {
  curandGenerator_t generator = it->generator;
  vptr_rand_request request = *wanted;
  if (wanted->count % generator->dimensions != 0)
    vptr__rand_call_refuse(it, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                           "the number of them is no multiple of the generator's dimensions");
  vptr__rand_quasi_begin(it);
  if (!vptr__rand_call_is_fine(it) || wanted->count == 0)
    return;
  request.count = wanted->count / generator->dimensions;
  request.at = generator->offset;
  request.lanes = 1;
  if (!generator->is_host)
    share_points(&request, generator->dimensions);
  unsigned long long threads = request.lanes * generator->dimensions;
  if (generator->is_host)
    vptr__rand_host_fill(generator->type, number, generator->states, &request, threads, to);
  else
    vptr__rand_call_fail(it, vptr__rand_launch_fill(it->name, it->stream, generator->type->name, number, threads,
                                                    (void *[]){ &generator->states, &request, &threads, &to }));
  if (vptr__rand_call_is_fine(it))
    generator->offset += request.count;
}
