/* SPDX-License-Identifier: MIT */
/*
 * curand - cuRAND's host interface, as libvptr-curand has it.
 *
 * Functions have cuRAND's names, arguments and values. A generator fills memory of the device, in the order of its
 * stream, or of the host, if curandCreateGeneratorHost() made it: at once. Both have the same numbers. Which functions
 * there are is in doc/curand-coverage.md; which sequences are cuRAND's own, and what they cost, in doc/curand.md.
 * Errors are said in words by vptr_last_error(), and on stderr with VPTR_VERBOSE=1.
 *
 * Functions of different generators may be called by different threads at once; one generator is used by one at a time.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#ifndef CURAND_H_
#define CURAND_H_

#include <stddef.h>

#include "host_defines.h"

#include "driver_types.h"
#include "library_types.h"
#include "vptr_curand_types.h"

#ifndef CURANDAPI
#define CURANDAPI
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VER_BUILD 0
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,     /* the generator is none that lives */
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,          /* there is no such generator, or it has no such function */
  CURAND_STATUS_OUT_OF_RANGE = 104,        /* an argument has a value that is not allowed */
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105, /* of the dimensions; of 2 for normal numbers that come in pairs */
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,      /* memory that is none of the device's, or too short; the device */
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,       /* the device cannot do it */
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100, /* XORWOW */
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,  /* Sobol's of 32 bits */
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;

typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

typedef enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} curandDirectionVectorSet_t;

typedef struct curandGenerator_st *curandGenerator_t;

typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

#ifndef __CUDACC_RTC__

/* ---- generators ---------------------------------------------------------------------------------------------- */

/* Of the current device; its stream is the default one. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandCreateGenerator(curandGenerator_t *generator, curandRngType_t rng_type);
/* Needs no device, and fills memory of the host. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandCreateGeneratorHost(curandGenerator_t *generator,
                                                                 curandRngType_t rng_type);
/* What was sent goes on. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandDestroyGenerator(curandGenerator_t generator);
VPTR_CUDA_API curandStatus_t CURANDAPI curandSetStream(curandGenerator_t generator, cudaStream_t stream);

/* The offset begins the sequence anew, so many numbers on; another seed, or order, goes on where the sequence was. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                                          unsigned long long seed);
VPTR_CUDA_API curandStatus_t CURANDAPI curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
VPTR_CUDA_API curandStatus_t CURANDAPI curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
/* Of Sobol's sequences: 1 to 20,000; 1 if none is set. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                                               unsigned int num_dimensions);
/* Computes what the first numbers would else wait for. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandGenerateSeeds(curandGenerator_t generator);

VPTR_CUDA_API curandStatus_t CURANDAPI curandGetVersion(int *version);
VPTR_CUDA_API curandStatus_t CURANDAPI curandGetProperty(libraryPropertyType type, int *value);

/* ---- numbers ------------------------------------------------------------------------------------------------- */

/* All 32 bits are random. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandGenerate(curandGenerator_t generator, unsigned int *outputPtr, size_t num);
/* Of Sobol's sequences of 64 bits alone. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandGenerateLongLong(curandGenerator_t generator,
                                                              unsigned long long *outputPtr, size_t num);
/* Above 0 and up to 1. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandGenerateUniform(curandGenerator_t generator, float *outputPtr, size_t num);
VPTR_CUDA_API curandStatus_t CURANDAPI curandGenerateUniformDouble(curandGenerator_t generator, double *outputPtr,
                                                                   size_t num);
/* An even number of them, but for Philox. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandGenerateNormal(curandGenerator_t generator, float *outputPtr, size_t n,
                                                            float mean, float stddev);
VPTR_CUDA_API curandStatus_t CURANDAPI curandGenerateNormalDouble(curandGenerator_t generator, double *outputPtr,
                                                                  size_t n, double mean, double stddev);
/* Mean and deviation are the logarithm's. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandGenerateLogNormal(curandGenerator_t generator, float *outputPtr,
                                                               size_t n, float mean, float stddev);
VPTR_CUDA_API curandStatus_t CURANDAPI curandGenerateLogNormalDouble(curandGenerator_t generator, double *outputPtr,
                                                                     size_t n, double mean, double stddev);
VPTR_CUDA_API curandStatus_t CURANDAPI curandGeneratePoisson(curandGenerator_t generator, unsigned int *outputPtr,
                                                             size_t n, double lambda);

/* ---- tables -------------------------------------------------------------------------------------------------- */

/* Of 20,000 dimensions, for curand_init(); they stay where they are. */
VPTR_CUDA_API curandStatus_t CURANDAPI curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                                                   curandDirectionVectorSet_t set);
VPTR_CUDA_API curandStatus_t CURANDAPI curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                                                   curandDirectionVectorSet_t set);
VPTR_CUDA_API curandStatus_t CURANDAPI curandGetScrambleConstants32(unsigned int **constants);
VPTR_CUDA_API curandStatus_t CURANDAPI curandGetScrambleConstants64(unsigned long long **constants);

/* Of the current device, for curand_discrete() of kernels. */
VPTR_CUDA_API curandStatus_t CURANDAPI
curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t *discrete_distribution);
VPTR_CUDA_API curandStatus_t CURANDAPI curandDestroyDistribution(curandDiscreteDistribution_t discrete_distribution);

#endif

#ifdef __cplusplus
}
#endif

#endif
