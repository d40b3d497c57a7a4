/* SPDX-License-Identifier: MIT */
/*
 * table - curandGetDirectionVectors32() and its kin: what curand_init() of Sobol's sequences takes, for all dimensions.
 *
 * Those of 64 bits are direction.c's own; those of 32 bits are made of them when they are first wanted, and stay.
 *
 * Lock: `lock`, of rank LEAF, guards which tables there are. Called by programs. The first call takes tenths of a
 * second.
 */
#include "curand/direction.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "curand/status.h"

#include <vptr/cuda/curand.h>

static struct {
  vptr__lock lock;
  curandDirectionVectors32_t *vectors[2]; /* scrambled ones second; NULL: not made yet */
  unsigned int *constants;
} tables = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

/* All dimensions, for a call that has a place to write to, and, if `set` is not 0, one of two sets. */
static curandStatus_t check_call(const char *call, const void *place, int set, int plain, int scrambled,
                                 vptr__rand_directions *directions_out) {
  if (place == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: there is no place for the table", call);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  if (set != plain && set != scrambled) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the set is %d, and there are %d and %d", call, set, plain,
                scrambled);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  return vptr__rand_status_of(
      vptr__rand_directions_of(call, set == scrambled, VPTR__RAND_DIMENSIONS, directions_out));
}

static curandStatus_t no_memory(const char *call) {
  return vptr__rand_status_of(vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for the table", call));
}

static curandDirectionVectors32_t *narrow_vectors(const vptr__rand_directions *from) {
  curandDirectionVectors32_t *table = vptr__memory_calloc(VPTR__RAND_DIMENSIONS, sizeof *table);
  for (int i = 0; table != NULL && i < VPTR__RAND_DIMENSIONS; i++)
    for (int k = 0; k < 32; k++)
      table[i][k] = (unsigned int)(from->vectors[i][k] >> 32);
  return table;
}

static unsigned int *narrow_constants(const vptr__rand_directions *from) {
  unsigned int *table = vptr__memory_calloc(VPTR__RAND_DIMENSIONS, sizeof *table);
  for (int i = 0; table != NULL && i < VPTR__RAND_DIMENSIONS; i++)
    table[i] = (unsigned int)(from->constants[i] >> 32);
  return table;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[], curandDirectionVectorSet_t set) {
  const char *call = "curandGetDirectionVectors32";
  vptr__rand_directions directions = { 0 };
  curandStatus_t status = check_call(call, vectors, (int)set, CURAND_DIRECTION_VECTORS_32_JOEKUO6,
                                     CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6, &directions);
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  vptr__lock_take(&tables.lock);
  curandDirectionVectors32_t **table = &tables.vectors[set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6];
  if (*table == NULL)
    *table = narrow_vectors(&directions);
  curandDirectionVectors32_t *found = *table;
  vptr__lock_give(&tables.lock);
  if (found == NULL)
    return no_memory(call);
  *vectors = found;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[], curandDirectionVectorSet_t set) {
  vptr__rand_directions directions = { 0 };
  curandStatus_t status =
      check_call("curandGetDirectionVectors64", vectors, (int)set, CURAND_DIRECTION_VECTORS_64_JOEKUO6,
                 CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6, &directions);
  if (status == CURAND_STATUS_SUCCESS)
    *vectors = directions.vectors;
  return status;
}

curandStatus_t curandGetScrambleConstants32(unsigned int **constants) {
  const char *call = "curandGetScrambleConstants32";
  vptr__rand_directions directions = { 0 };
  curandStatus_t status = check_call(call, constants, 0, 0, 0, &directions);
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  vptr__lock_take(&tables.lock);
  if (tables.constants == NULL)
    tables.constants = narrow_constants(&directions);
  unsigned int *found = tables.constants;
  vptr__lock_give(&tables.lock);
  if (found == NULL)
    return no_memory(call);
  *constants = found;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  vptr__rand_directions directions = { 0 };
  curandStatus_t status = check_call("curandGetScrambleConstants64", constants, 0, 0, 0, &directions);
  if (status == CURAND_STATUS_SUCCESS)
    *constants = directions.constants;
  return status;
}
