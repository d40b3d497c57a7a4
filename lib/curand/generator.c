/* SPDX-License-Identifier: MIT */
/*
 * generator - curandCreateGenerator(), curandDestroyGenerator(), and the settings of a generator; see generator.h.
 *
 * The table of generators has its own lock (library/handle.h). Called by programs; and by call.c and
 * generate.c, for whether a generator lives and where its stream is. Creating one for a device opens that; setting a
 * stream, and using a generator on another one, waits for the work that an earlier one still has of the generator's.
 */
#include "curand/generator.h"

#include "base/error.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/stream.h"
#include "curand/direction.h"
#include "curand/lane.h"
#include "curand/status.h"
#include "library/call.h"
#include "pool/pool.h"

static const vptr__rand_type types[] = {
  { CURAND_RNG_PSEUDO_XORWOW, VPTR__RAND_LANES, "xorwow", false, false, 4096, 4096, 1, sizeof(vptr_rand_xorwow) },
  { CURAND_RNG_PSEUDO_MRG32K3A, VPTR__RAND_LANES, "mrg", false, false, 81920, 4096, 1, sizeof(vptr_rand_mrg) },
  { CURAND_RNG_PSEUDO_PHILOX4_32_10, VPTR__RAND_LANES, "philox", false, false, 65536, 65536, 4,
    sizeof(vptr_rand_philox) },
  { .type = CURAND_RNG_PSEUDO_MT19937, .family = VPTR__RAND_TWISTER, .name = "mt19937" },
  { .type = CURAND_RNG_QUASI_SOBOL32, .family = VPTR__RAND_QUASI, .name = "sobol32" },
  { .type = CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, .family = VPTR__RAND_QUASI, .name = "sobol32", .is_scrambled = true },
  { .type = CURAND_RNG_QUASI_SOBOL64, .family = VPTR__RAND_QUASI, .name = "sobol64", .is_wide = true },
  { .type = CURAND_RNG_QUASI_SCRAMBLED_SOBOL64,
    .family = VPTR__RAND_QUASI,
    .name = "sobol64",
    .is_wide = true,
    .is_scrambled = true },
};

static vptr__library_handles generators = VPTR__LIBRARY_HANDLES("generator", struct curandGenerator_st);

curandStatus_t vptr__rand_check(const char *call, const struct curandGenerator_st *generator) {
  return vptr__library_handle_check(&generators, call, generator) ? CURAND_STATUS_SUCCESS
                                                                  : CURAND_STATUS_NOT_INITIALIZED;
}

bool vptr__rand_is(const struct curandGenerator_st *generator, unsigned long long number) {
  return vptr__library_handle_is_live(&generators, generator) && generator->number == number;
}

vptr_status vptr__rand_use(struct curandGenerator_st *generator, vptr__stream *stream) {
  vptr__stream *last = generator->used;
  vptr_status status = VPTR_SUCCESS;
  if (last != NULL && last != stream && vptr__stream_is_live(last))
    status = vptr__stream_synchronize(last);
  if (status == VPTR_SUCCESS)
    generator->used = stream;
  return status;
}

/* ---- life ------------------------------------------------------------------------------------------------- */

static const vptr__rand_type *find_type(curandRngType_t type) {
  if (type == CURAND_RNG_PSEUDO_DEFAULT)
    type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT)
    type = CURAND_RNG_QUASI_SOBOL32;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == type)
      return &types[i];
  return NULL;
}

static curandStatus_t create(const char *call, curandGenerator_t *generator_out, curandRngType_t rng_type,
                             vptr_mapper *mapper) {
  static atomic_ullong numbers;
  const vptr__rand_type *type = find_type(rng_type);
  if (type == NULL) {
    vptr__error(VPTR_ERROR_UNSUPPORTED,
                "%s: there is no generator of type %d here: doc/curand.md has those there are", call, (int)rng_type);
    return CURAND_STATUS_TYPE_ERROR;
  }
  const struct curandGenerator_st fresh = { .type = type,
                                            .is_host = mapper == NULL,
                                            .mapper = mapper,
                                            .dimensions = 1,
                                            .number = atomic_fetch_add(&numbers, 1) + 1,
                                            .ordering = type->family == VPTR__RAND_QUASI
                                                            ? CURAND_ORDERING_QUASI_DEFAULT
                                                            : CURAND_ORDERING_PSEUDO_DEFAULT };
  struct curandGenerator_st *created = vptr__library_handle_create(&generators, call, &fresh);
  if (created == NULL)
    return CURAND_STATUS_ALLOCATION_FAILED;
  *generator_out = created;
  return CURAND_STATUS_SUCCESS;
}

static curandStatus_t check_place(const char *call, const curandGenerator_t *generator) {
  if (generator != NULL)
    return CURAND_STATUS_SUCCESS;
  vptr__error(VPTR_ERROR_NULL_POINTER, "%s: there is no place for the generator", call);
  return CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t rng_type) {
  vptr_mapper *mapper;
  curandStatus_t status = check_place("curandCreateGenerator", generator);
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  if (vptr__cuda_current_mapper(&mapper) != cudaSuccess)
    return CURAND_STATUS_INITIALIZATION_FAILED;
  return create("curandCreateGenerator", generator, rng_type, mapper);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t rng_type) {
  curandStatus_t status = check_place("curandCreateGeneratorHost", generator);
  return status == CURAND_STATUS_SUCCESS ? create("curandCreateGeneratorHost", generator, rng_type, NULL) : status;
}

/* The lanes of a device go in the order of the stream that uses them, or of the default one if that is no more. */
static vptr_status free_states(curandGenerator_t generator) {
  void *states = generator->states;
  vptr__stream *stream;
  generator->states = NULL;
  vptr__memory_free(generator->table);
  generator->table = NULL;
  if (generator->is_host || states == NULL) {
    vptr__memory_free(states);
    return VPTR_SUCCESS;
  }
  if (!vptr__stream_is_live(generator->stream))
    generator->stream = NULL;
  vptr_status status = vptr__rand_stream("curandDestroyGenerator", generator, &stream);
  if (status == VPTR_SUCCESS)
    status = vptr__rand_use(generator, stream);
  return status == VPTR_SUCCESS ? vptr__pool_free(generator->mapper, states, stream, "curandDestroyGenerator")
                                : status;
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  curandStatus_t status = vptr__rand_check("curandDestroyGenerator", generator);
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  vptr_status freed = free_states(generator);
  return vptr__library_handle_end(&generators, "curandDestroyGenerator", generator) ? vptr__rand_status_of(freed)
                                                                                    : CURAND_STATUS_NOT_INITIALIZED;
}

/* ---- the stream ------------------------------------------------------------------------------------------- */

vptr_status vptr__rand_stream(const char *call, const struct curandGenerator_st *generator,
                              vptr__stream **stream_out) {
  return vptr__library_stream(call, "the generator's stream", "generator", generator->mapper, generator->stream,
                              stream_out);
}

/* Lanes are changed by the old stream's work, and next by the new one's. */
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  curandStatus_t status = vptr__rand_check("curandSetStream", generator);
  vptr__stream *old;
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  if (!vptr__cuda_is_default(stream) && !vptr__stream_is_live(stream)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "curandSetStream: the stream %p was destroyed, or never created",
                (void *)stream);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  bool had_work = generator->states != NULL && !generator->is_host && generator->stream != stream;
  if (had_work && (vptr__cuda_is_default(generator->stream) || vptr__stream_is_live(generator->stream))) {
    vptr_status waited = vptr__rand_stream("curandSetStream", generator, &old);
    if (waited == VPTR_SUCCESS)
      waited = vptr__stream_synchronize(old);
    if (waited != VPTR_SUCCESS)
      return vptr__rand_status_of(waited);
    if (generator->used == old)
      generator->used = NULL;
  }
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

/* ---- the sequence ----------------------------------------------------------------------------------------- */

/* That the generator's family is no other one. */
static curandStatus_t check_family(const char *call, const struct curandGenerator_st *generator, bool has_it,
                                   const char *what) {
  curandStatus_t status = vptr__rand_check(call, generator);
  if (status != CURAND_STATUS_SUCCESS || has_it)
    return status;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: a generator of type %d has no %s", call, (int)generator->type->type,
              what);
  return CURAND_STATUS_TYPE_ERROR;
}

static bool is_of(const struct curandGenerator_st *generator, vptr__rand_family family) {
  return vptr__library_handle_is_live(&generators, generator) && generator->type->family == family;
}

/* A twister has no place in another seed's sequence, and stays where it is in its own. */
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  curandStatus_t status =
      check_family("curandSetPseudoRandomGeneratorSeed", generator, !is_of(generator, VPTR__RAND_QUASI), "seed");
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  if (generator->type->family != VPTR__RAND_TWISTER || generator->seed != seed)
    generator->has_begun = false;
  generator->seed = seed;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  curandStatus_t status =
      check_family("curandSetGeneratorOffset", generator, !is_of(generator, VPTR__RAND_TWISTER), "offset");
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  generator->offset = offset;
  if (generator->type->family == VPTR__RAND_LANES)
    generator->has_begun = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int num_dimensions) {
  curandStatus_t status = check_family("curandSetQuasiRandomGeneratorDimensions", generator,
                                       is_of(generator, VPTR__RAND_QUASI), "dimensions");
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  if (num_dimensions == 0 || num_dimensions > VPTR__RAND_DIMENSIONS) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "curandSetQuasiRandomGeneratorDimensions: %u dimensions, and 1 to %d are "
                "allowed",
                num_dimensions, VPTR__RAND_DIMENSIONS);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  generator->dimensions = num_dimensions;
  generator->has_begun = false;
  return CURAND_STATUS_SUCCESS;
}

/* The order DYNAMIC is whichever a device likes best, and is BEST here; numbers of the host have none, as in cuRAND. */
static bool has_order(const struct curandGenerator_st *generator, curandOrdering_t order) {
  bool has_lanes = generator->type->family == VPTR__RAND_LANES;
  switch (order) {
  case CURAND_ORDERING_QUASI_DEFAULT:
    return generator->type->family == VPTR__RAND_QUASI;
  case CURAND_ORDERING_PSEUDO_DEFAULT:
  case CURAND_ORDERING_PSEUDO_LEGACY:
    return generator->type->family != VPTR__RAND_QUASI;
  case CURAND_ORDERING_PSEUDO_BEST:
    return has_lanes;
  case CURAND_ORDERING_PSEUDO_DYNAMIC:
    return has_lanes && !generator->is_host;
  case CURAND_ORDERING_PSEUDO_SEEDED:
    return generator->type->type == CURAND_RNG_PSEUDO_XORWOW;
  default:
    return false;
  }
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  curandStatus_t status = vptr__rand_check("curandSetGeneratorOrdering", generator);
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  if (!has_order(generator, order)) {
    vptr__error(VPTR_ERROR_UNSUPPORTED,
                "curandSetGeneratorOrdering: the order is %d, and a generator of type %d has none such here: "
                "doc/curand.md tells which",
                (int)order, (int)generator->type->type);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  if (generator->type->family != VPTR__RAND_TWISTER || generator->ordering != order)
    generator->has_begun = false;
  generator->ordering = order;
  return CURAND_STATUS_SUCCESS;
}
