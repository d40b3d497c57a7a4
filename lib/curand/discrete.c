/* SPDX-License-Identifier: MIT */
/*
 * discrete - curandCreatePoissonDistribution(): sums of Poisson's probabilities in the device's memory, where kernels
 * look a number up (curand_discrete.h).
 *
 * The values are those around the mean whose probability is not below 1e-20 of the most probable one's: some 14
 * deviations to each side. Terms go out from the mean, since the first may be too small for a double, and are summed
 * upwards, smallest first; the sum of all is what is divided by, and the last is 1, so that every number finds its
 * place.
 *
 * No state, no locks. Called by programs. Both calls wait for the device.
 */
#include "curand/status.h"

#include "base/error.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "mapper/registry.h"

#include <math.h>
#include <stddef.h>

#include <vptr/cuda/curand.h>
#include <vptr/cuda/curand_discrete.h>

static const double SMALLEST = 1e-20;

/* How many values below the mean's whole part count, or, upwards, beyond it. */
static unsigned int reach_of(double lambda, bool is_upwards) {
  double mode = floor(lambda), term = 1;
  unsigned int reach = 0;
  while (is_upwards || reach < mode) {
    term *= is_upwards ? lambda / (mode + reach + 1) : (mode - reach) / lambda;
    if (term < SMALLEST)
      break;
    reach++;
  }
  return reach;
}

static size_t bytes_of(unsigned int count) {
  return offsetof(struct curandDiscreteDistribution_st, sums) + count * sizeof(double);
}

static void fill_sums(struct curandDiscreteDistribution_st *it, double lambda) {
  unsigned int mode = (unsigned int)lambda - it->first;
  double sum = 0;
  it->sums[mode] = 1;
  for (unsigned int i = mode; i > 0; i--)
    it->sums[i - 1] = it->sums[i] * (it->first + i) / lambda;
  for (unsigned int i = mode; i + 1 < it->count; i++)
    it->sums[i + 1] = it->sums[i] * lambda / (it->first + i + 1);
  for (unsigned int i = 0; i < it->count; i++)
    it->sums[i] = sum += it->sums[i];
  for (unsigned int i = 0; i < it->count; i++)
    it->sums[i] /= sum;
  it->sums[it->count - 1] = 1;
}

static struct curandDiscreteDistribution_st *make_poisson(double lambda) {
  unsigned int below = reach_of(lambda, false), count = below + 1 + reach_of(lambda, true);
  struct curandDiscreteDistribution_st *it = vptr__memory_calloc(1, bytes_of(count));
  if (it == NULL) {
    vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "curandCreatePoissonDistribution: no host memory for %u values",
                count);
    return NULL;
  }
  it->first = (unsigned int)lambda - below;
  it->count = count;
  fill_sums(it, lambda);
  return it;
}

static vptr_status upload(vptr_mapper *mapper, const struct curandDiscreteDistribution_st *it, void **to_out) {
  void *to = NULL;
  size_t bytes = bytes_of(it->count);
  vptr_status status = vptr_malloc(mapper, bytes, &to);
  if (status == VPTR_SUCCESS)
    status = vptr_memcpy(mapper, to, it, bytes);
  if (status == VPTR_SUCCESS)
    *to_out = to;
  else if (to != NULL)
    vptr_free(mapper, to);
  return status;
}

curandStatus_t curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t *discrete_distribution) {
  const char *call = "curandCreatePoissonDistribution";
  vptr_mapper *mapper;
  void *to = NULL;
  if (discrete_distribution == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: there is no place for the distribution", call);
    return CURAND_STATUS_NOT_INITIALIZED;
  }
  if (!(lambda > 0 && lambda <= 400000)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: lambda is %g, and has to be above 0 and at most 400000", call,
                lambda);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  if (vptr__cuda_current_mapper(&mapper) != cudaSuccess)
    return CURAND_STATUS_INITIALIZATION_FAILED;
  struct curandDiscreteDistribution_st *made = make_poisson(lambda);
  if (made == NULL)
    return CURAND_STATUS_ALLOCATION_FAILED;
  vptr_status status = upload(mapper, made, &to);
  vptr__memory_free(made);
  if (status == VPTR_SUCCESS)
    *discrete_distribution = to;
  return vptr__rand_status_of(status);
}

curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t discrete_distribution) {
  vptr_mapper *mapper = discrete_distribution != NULL ? vptr__mapper_owning(discrete_distribution) : NULL;
  if (mapper != NULL)
    return vptr__rand_status_of(vptr_free(mapper, discrete_distribution));
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "curandDestroyDistribution: %p is no distribution: it was destroyed, or never "
              "created",
              (void *)discrete_distribution);
  return CURAND_STATUS_NOT_INITIALIZED;
}
