/* SPDX-License-Identifier: MIT */
/*
 * cuda_occupancy - the occupancy calculator: how many blocks of a function an NVIDIA multiprocessor holds at once.
 *
 * It computes, and asks no device: what the device and the function are is given. The limits by compute capability are
 * those of the CUDA programming guide's table of technical specifications. What the runtime itself says of vptr's
 * devices is cudaOccupancyMaxActiveBlocksPerMultiprocessor(). Functions without state.
 */
#ifndef VPTR_CUDA_CUDA_OCCUPANCY_H
#define VPTR_CUDA_CUDA_OCCUPANCY_H
#define __cuda_occupancy_h__

#include <limits.h>
#include <stddef.h>

#include "host_defines.h"

#ifdef __cplusplus
#define VPTR_OCC_CAST(type, value) static_cast<type>(value)
#else
#define VPTR_OCC_CAST(type, value) ((type)(value))
#endif

typedef enum cudaOccError_enum {
  CUDA_OCC_SUCCESS = 0,
  CUDA_OCC_ERROR_INVALID_INPUT = 1,
  CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2 /* a compute capability that is not known here */
} cudaOccError;

/* Whether global loads are cached in parts of the multiprocessor: of compute capability 5.2 alone, and not looked
 * at. */
typedef enum cudaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF,
  PARTITIONED_GC_ON,
  PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;

typedef enum cudaOccPartitionedGCSupport_enum {
  PARTITIONED_GC_NOT_SUPPORTED,
  PARTITIONED_GC_SUPPORTED
} cudaOccPartitionedGCSupport;

/* Whether the function was allowed more dynamic shared memory: maxDynamicSharedSizeBytes holds then. */
typedef enum cudaOccFuncShmemConfig_enum {
  FUNC_SHMEM_LIMIT_DEFAULT,
  FUNC_SHMEM_LIMIT_OPTIN
} cudaOccFuncShmemConfig;

/* How shared memory and cache share their room: before compute capability 7.0. */
typedef enum cudaOccCacheConfig_enum {
  CACHE_PREFER_NONE = 0,
  CACHE_PREFER_SHARED = 1,
  CACHE_PREFER_L1 = 2,
  CACHE_PREFER_EQUAL = 3
} cudaOccCacheConfig;

/* From 7.0 on: percent of the room for shared memory; default: as much as helps. */
typedef enum cudaOccCarveoutConfig_enum {
  SHAREDMEM_CARVEOUT_DEFAULT = -1,
  SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
  SHAREDMEM_CARVEOUT_MAX_L1 = 0,
  SHAREDMEM_CARVEOUT_HALF = 50
} cudaOccCarveoutConfig;

typedef enum cudaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 0x01,
  OCC_LIMIT_REGISTERS = 0x02,
  OCC_LIMIT_SHARED_MEMORY = 0x04,
  OCC_LIMIT_BLOCKS = 0x08,
  OCC_LIMIT_BARRIERS = 0x10,
  OCC_LIMIT_VIRTUAL_RESOURCES = 0x20
} cudaOccLimitingFactor;

/* A device. In C++ it is made of a cudaDeviceProp. */
typedef struct cudaOccDeviceProp {
  int computeMajor, computeMinor;
  int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
  int regsPerBlock, regsPerMultiprocessor;
  int warpSize;
  size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
  int numSms;
  size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;
#ifdef __cplusplus
  template <typename DeviceProp>
  cudaOccDeviceProp(const DeviceProp &of)
      : computeMajor(of.major), computeMinor(of.minor), maxThreadsPerBlock(of.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(of.maxThreadsPerMultiProcessor), regsPerBlock(of.regsPerBlock),
        regsPerMultiprocessor(of.regsPerMultiprocessor), warpSize(of.warpSize),
        sharedMemPerBlock(of.sharedMemPerBlock), sharedMemPerMultiprocessor(of.sharedMemPerMultiprocessor),
        numSms(of.multiProcessorCount), sharedMemPerBlockOptin(of.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(of.reservedSharedMemPerBlock) {}
  cudaOccDeviceProp()
      : computeMajor(0), computeMinor(0), maxThreadsPerBlock(0), maxThreadsPerMultiprocessor(0), regsPerBlock(0),
        regsPerMultiprocessor(0), warpSize(0), sharedMemPerBlock(0), sharedMemPerMultiprocessor(0), numSms(0),
        sharedMemPerBlockOptin(0), reservedSharedMemPerBlock(0) {}
#endif
} cudaOccDeviceProp;

/* A function. In C++ it is made of a cudaFuncAttributes. */
typedef struct cudaOccFuncAttributes {
  int maxThreadsPerBlock; /* INT_MAX: as many as the device has */
  int numRegs;            /* of a thread */
  size_t sharedSizeBytes; /* static shared memory */
  cudaOccPartitionedGCConfig partitionedGCConfig;
  cudaOccFuncShmemConfig shmemLimitConfig;
  size_t maxDynamicSharedSizeBytes;
  int numBlockBarriers;
  int virtualResourceCount;
#ifdef __cplusplus
  template <typename FuncAttributes>
  cudaOccFuncAttributes(const FuncAttributes &of)
      : maxThreadsPerBlock(of.maxThreadsPerBlock), numRegs(of.numRegs), sharedSizeBytes(of.sharedSizeBytes),
        partitionedGCConfig(PARTITIONED_GC_OFF), shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes(static_cast<size_t>(of.maxDynamicSharedSizeBytes)), numBlockBarriers(1),
        virtualResourceCount(0) {}
  cudaOccFuncAttributes()
      : maxThreadsPerBlock(0), numRegs(0), sharedSizeBytes(0), partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_DEFAULT), maxDynamicSharedSizeBytes(0), numBlockBarriers(0),
        virtualResourceCount(0) {}
#endif
} cudaOccFuncAttributes;

typedef struct cudaOccDeviceState {
  cudaOccCacheConfig cacheConfig;
  int carveoutConfig;
#ifdef __cplusplus
  cudaOccDeviceState() : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
#endif
} cudaOccDeviceState;

typedef struct cudaOccResult {
  int activeBlocksPerMultiprocessor; /* 0: such a block cannot run */
  unsigned int limitingFactors;      /* cudaOccLimitingFactor */
  int blockLimitRegs, blockLimitSharedMem; /* INT_MAX: none is used */
  int blockLimitWarps, blockLimitBlocks, blockLimitBarriers, blockLimitVirtual;
  int allocatedRegistersPerBlock;
  size_t allocatedSharedMemPerBlock;
  cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

/* ---- what devices are, by compute capability ------------------------------------------------------------ */

#define __CUDA_OCC_MAJOR__ 12
#define __CUDA_OCC_MINOR__ 1

static __inline__ cudaOccError vptr_occ_check_device(const cudaOccDeviceProp *properties) {
  int major = properties->computeMajor;
  return major == 3 || (major >= 5 && major <= 12) ? CUDA_OCC_SUCCESS : CUDA_OCC_ERROR_UNKNOWN_DEVICE;
}

/* In bytes. */
static __inline__ cudaOccError cudaOccSMemAllocationGranularity(int *limit, const cudaOccDeviceProp *properties) {
  *limit = properties->computeMajor < 8 ? 256 : 128;
  return vptr_occ_check_device(properties);
}

/* Registers that a warp gets are a multiple of this. */
static __inline__ cudaOccError cudaOccRegAllocationGranularity(int *limit, const cudaOccDeviceProp *properties) {
  *limit = 256;
  return vptr_occ_check_device(properties);
}

static __inline__ cudaOccError cudaOccRegAllocationMaxPerThread(int *limit, const cudaOccDeviceProp *properties) {
  *limit = properties->computeMajor == 3 && properties->computeMinor == 0 ? 63 : 255;
  return vptr_occ_check_device(properties);
}

static __inline__ cudaOccError cudaOccSubPartitionsPerMultiprocessor(int *limit, const cudaOccDeviceProp *properties) {
  *limit = properties->computeMajor == 6 && properties->computeMinor == 0 ? 2 : 4;
  return vptr_occ_check_device(properties);
}

static __inline__ cudaOccError cudaOccMaxBlocksPerMultiprocessor(int *limit, const cudaOccDeviceProp *properties) {
  int version = 10 * properties->computeMajor + properties->computeMinor;
  if (version < 50 || version == 75 || version == 86 || version == 87)
    *limit = 16;
  else
    *limit = version == 89 || version >= 110 ? 24 : 32;
  return vptr_occ_check_device(properties);
}

/* ---- shared memory -------------------------------------------------------------------------------------- */

static __inline__ size_t vptr_occ_round_up(size_t value, size_t to) {
  return (value + to - 1) / to * to;
}

static __inline__ int vptr_occ_multiple(int value, int of) {
  return (value + of - 1) / of * of;
}

static __inline__ int vptr_occ_smaller(int a, int b) {
  return a < b ? a : b;
}

/* What a multiprocessor has when so much is preferred: the next of its sizes, or all of it. */
static __inline__ size_t vptr_occ_shared_size(const cudaOccDeviceProp *properties, size_t wanted) {
  static const unsigned char kib[] = { 8, 16, 32, 64, 96, 100, 132, 164, 196 };
  int is_turing = properties->computeMajor == 7 && properties->computeMinor == 5;
  size_t i, all = properties->sharedMemPerMultiprocessor;
  for (i = 0; i < sizeof kib; i++) {
    /* 96 KiB are 7.0's, 100 KiB those of later ones; 7.5 has no less than 32 */
    int is_there = properties->computeMajor == 7 ? kib[i] != 100 : kib[i] != 96;
    size_t size = VPTR_OCC_CAST(size_t, kib[i]) << 10;
    if (is_there && wanted <= size && (!is_turing || size >= VPTR_OCC_CAST(size_t, 32) << 10))
      return size < all ? size : all;
  }
  return all;
}

static __inline__ size_t vptr_occ_shared_of_processor(const cudaOccDeviceProp *properties,
                                                      const cudaOccDeviceState *state, size_t block) {
  size_t all = properties->sharedMemPerMultiprocessor, preferred = all;
  int percent = state->carveoutConfig;
  if (percent == SHAREDMEM_CARVEOUT_DEFAULT && state->cacheConfig == CACHE_PREFER_L1)
    percent = SHAREDMEM_CARVEOUT_MAX_L1;
  else if (percent == SHAREDMEM_CARVEOUT_DEFAULT && state->cacheConfig == CACHE_PREFER_EQUAL)
    percent = SHAREDMEM_CARVEOUT_HALF;
  if (properties->computeMajor >= 7 && percent != SHAREDMEM_CARVEOUT_DEFAULT)
    preferred = vptr_occ_shared_size(properties, all * VPTR_OCC_CAST(size_t, percent) / 100);
  else if (properties->computeMajor == 3 && state->cacheConfig == CACHE_PREFER_L1)
    preferred = all - (VPTR_OCC_CAST(size_t, 32) << 10);
  else if (properties->computeMajor == 3 && state->cacheConfig == CACHE_PREFER_EQUAL)
    preferred = all - (VPTR_OCC_CAST(size_t, 16) << 10);
  /* a preference gives way to a block that is to run */
  if (preferred < block && properties->computeMajor >= 7)
    preferred = vptr_occ_shared_size(properties, block);
  return preferred < block || preferred > all ? all : preferred;
}

/* The most that a block may have, static and dynamic. */
static __inline__ size_t vptr_occ_shared_of_block(const cudaOccDeviceProp *properties,
                                                  const cudaOccFuncAttributes *attributes) {
  int may_have_more = properties->computeMajor >= 7 && attributes->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN;
  return may_have_more ? properties->sharedMemPerBlockOptin : properties->sharedMemPerBlock;
}

/* ---- one limit after the other -------------------------------------------------------------------------- */

static __inline__ cudaOccError vptr_occ_check(const cudaOccDeviceProp *properties,
                                              const cudaOccFuncAttributes *attributes,
                                              const cudaOccDeviceState *state) {
  if (!properties || !attributes || !state || properties->maxThreadsPerBlock <= 0 || properties->warpSize <= 0 ||
      properties->maxThreadsPerMultiprocessor <= 0 || properties->regsPerBlock <= 0 ||
      properties->regsPerMultiprocessor <= 0 || properties->numSms <= 0)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  if (attributes->maxThreadsPerBlock <= 0 || attributes->numRegs < 0 || state->carveoutConfig < -1 ||
      state->carveoutConfig > 100)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  return vptr_occ_check_device(properties);
}

static __inline__ int vptr_occ_warps(const cudaOccDeviceProp *properties, int blockSize) {
  return vptr_occ_multiple(blockSize, properties->warpSize) / properties->warpSize;
}

static __inline__ int vptr_occ_limit_of_warps(const cudaOccDeviceProp *properties,
                                              const cudaOccFuncAttributes *attributes, int blockSize) {
  int most = vptr_occ_smaller(properties->maxThreadsPerBlock, attributes->maxThreadsPerBlock);
  int warps = properties->maxThreadsPerMultiprocessor / properties->warpSize;
  return blockSize > most ? 0 : warps / vptr_occ_warps(properties, blockSize);
}

/* Each part of a multiprocessor has its share of registers, and a warp lives in one part. */
static __inline__ int vptr_occ_limit_of_registers(const cudaOccDeviceProp *properties,
                                                  const cudaOccFuncAttributes *attributes, int blockSize,
                                                  int *allocated) {
  int unit, parts, most, each, warps = vptr_occ_warps(properties, blockSize), spread;
  cudaOccRegAllocationGranularity(&unit, properties);
  cudaOccSubPartitionsPerMultiprocessor(&parts, properties);
  cudaOccRegAllocationMaxPerThread(&most, properties);
  *allocated = 0;
  if (attributes->numRegs == 0)
    return INT_MAX;
  if (attributes->numRegs > most)
    return 0;
  each = vptr_occ_multiple(attributes->numRegs * properties->warpSize, unit);
  spread = vptr_occ_multiple(warps, 4);
  *allocated = each * warps;
  if (each * spread > properties->regsPerBlock)
    return 0;
  return properties->regsPerMultiprocessor / parts / each * parts / warps;
}

static __inline__ int vptr_occ_limit_of_shared(const cudaOccDeviceProp *properties,
                                               const cudaOccFuncAttributes *attributes,
                                               const cudaOccDeviceState *state, size_t dynamic, size_t *allocated) {
  size_t own = attributes->sharedSizeBytes + dynamic, blocks;
  int unit;
  cudaOccSMemAllocationGranularity(&unit, properties);
  *allocated = vptr_occ_round_up(own + properties->reservedSharedMemPerBlock, VPTR_OCC_CAST(size_t, unit));
  if (own > vptr_occ_shared_of_block(properties, attributes) ||
      (attributes->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN && dynamic > attributes->maxDynamicSharedSizeBytes))
    return 0;
  if (*allocated == 0)
    return INT_MAX;
  blocks = vptr_occ_shared_of_processor(properties, state, *allocated) / *allocated;
  return blocks < INT_MAX ? VPTR_OCC_CAST(int, blocks) : INT_MAX;
}

/* Before compute capability 9.0 there are enough for all blocks. */
static __inline__ int vptr_occ_limit_of_barriers(const cudaOccDeviceProp *properties,
                                                 const cudaOccFuncAttributes *attributes) {
  int barriers = properties->computeMajor < 11 ? 64 : 24;
  if (properties->computeMajor < 9 || attributes->numBlockBarriers <= 0)
    return INT_MAX;
  return barriers / attributes->numBlockBarriers;
}

static __inline__ unsigned int vptr_occ_factor(int limit, int blocks, cudaOccLimitingFactor factor) {
  return limit == blocks ? VPTR_OCC_CAST(unsigned int, factor) : 0;
}

/* ---- the calculator ------------------------------------------------------------------------------------- */

/* How many blocks of blockSize threads and so much dynamic shared memory a multiprocessor holds at once. */
static __inline__ cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(cudaOccResult *result,
                                                                       const cudaOccDeviceProp *properties,
                                                                       const cudaOccFuncAttributes *attributes,
                                                                       const cudaOccDeviceState *state,
                                                                       int blockSize, size_t dynamicSmemSize) {
  cudaOccError error = vptr_occ_check(properties, attributes, state);
  int blocks;
  if (error == CUDA_OCC_SUCCESS && (!result || blockSize <= 0))
    error = CUDA_OCC_ERROR_INVALID_INPUT;
  if (error != CUDA_OCC_SUCCESS)
    return error;
  cudaOccMaxBlocksPerMultiprocessor(&result->blockLimitBlocks, properties);
  result->blockLimitWarps = vptr_occ_limit_of_warps(properties, attributes, blockSize);
  result->blockLimitRegs =
      vptr_occ_limit_of_registers(properties, attributes, blockSize, &result->allocatedRegistersPerBlock);
  result->blockLimitSharedMem = vptr_occ_limit_of_shared(properties, attributes, state, dynamicSmemSize,
                                                         &result->allocatedSharedMemPerBlock);
  result->blockLimitBarriers = vptr_occ_limit_of_barriers(properties, attributes);
  result->blockLimitVirtual = INT_MAX;
  result->partitionedGCConfig = PARTITIONED_GC_OFF;
  blocks = vptr_occ_smaller(vptr_occ_smaller(result->blockLimitBlocks, result->blockLimitWarps),
                            vptr_occ_smaller(result->blockLimitRegs, result->blockLimitSharedMem));
  blocks = vptr_occ_smaller(blocks, result->blockLimitBarriers);
  result->activeBlocksPerMultiprocessor = blocks;
  result->limitingFactors = vptr_occ_factor(result->blockLimitWarps, blocks, OCC_LIMIT_WARPS) |
                            vptr_occ_factor(result->blockLimitRegs, blocks, OCC_LIMIT_REGISTERS) |
                            vptr_occ_factor(result->blockLimitSharedMem, blocks, OCC_LIMIT_SHARED_MEMORY) |
                            vptr_occ_factor(result->blockLimitBlocks, blocks, OCC_LIMIT_BLOCKS) |
                            vptr_occ_factor(result->blockLimitBarriers, blocks, OCC_LIMIT_BARRIERS);
  return CUDA_OCC_SUCCESS;
}

/* Takes a block's size into account if it keeps a multiprocessor busier than those before. */
static __inline__ cudaOccError vptr_occ_try(int *minGridSize, int *blockSize, int *threads,
                                            const cudaOccDeviceProp *properties,
                                            const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
                                            int size, size_t dynamic) {
  cudaOccResult result;
  cudaOccError error =
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, size, dynamic);
  if (error == CUDA_OCC_SUCCESS && result.activeBlocksPerMultiprocessor * size > *threads) {
    *threads = result.activeBlocksPerMultiprocessor * size;
    *minGridSize = result.activeBlocksPerMultiprocessor * properties->numSms;
    *blockSize = size;
  }
  return error;
}

/* The block size with which the most threads are at work, and the fewest blocks that keep the device so; 0 and 0:
 * none can run. The dynamic shared memory is a function of the block's size, or the same for all. */
static __inline__ cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties, const cudaOccFuncAttributes *attributes,
    const cudaOccDeviceState *state, size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize) {
  cudaOccError error = vptr_occ_check(properties, attributes, state);
  int size, threads = 0;
  if (error == CUDA_OCC_SUCCESS && (!minGridSize || !blockSize))
    error = CUDA_OCC_ERROR_INVALID_INPUT;
  if (error != CUDA_OCC_SUCCESS)
    return error;
  *minGridSize = *blockSize = 0;
  size = vptr_occ_smaller(properties->maxThreadsPerBlock, attributes->maxThreadsPerBlock);
  for (; size > 0 && error == CUDA_OCC_SUCCESS; size = (size - 1) / properties->warpSize * properties->warpSize)
    error = vptr_occ_try(minGridSize, blockSize, &threads, properties, attributes, state, size,
                         blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize);
  return error;
}

#ifdef __cplusplus
static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSize(int *minGridSize, int *blockSize,
                                                                 const cudaOccDeviceProp *properties,
                                                                 const cudaOccFuncAttributes *attributes,
                                                                 const cudaOccDeviceState *state,
                                                                 size_t dynamicSMemSize = 0) {
  return cudaOccMaxPotentialOccupancyBlockSize(minGridSize, blockSize, properties, attributes, state, 0,
                                               dynamicSMemSize);
}

template <typename UnaryFunction>
static inline cudaOccError
cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(int *minGridSize, int *blockSize,
                                                  const cudaOccDeviceProp *properties,
                                                  const cudaOccFuncAttributes *attributes,
                                                  const cudaOccDeviceState *state, UnaryFunction bytes) {
  cudaOccError error = vptr_occ_check(properties, attributes, state);
  if (error == CUDA_OCC_SUCCESS && (!minGridSize || !blockSize))
    error = CUDA_OCC_ERROR_INVALID_INPUT;
  if (error != CUDA_OCC_SUCCESS)
    return error;
  int threads = 0, size = vptr_occ_smaller(properties->maxThreadsPerBlock, attributes->maxThreadsPerBlock);
  *minGridSize = *blockSize = 0;
  for (; size > 0 && error == CUDA_OCC_SUCCESS; size = (size - 1) / properties->warpSize * properties->warpSize)
    error = vptr_occ_try(minGridSize, blockSize, &threads, properties, attributes, state, size, bytes(size));
  return error;
}
#endif

/* The most dynamic shared memory with which numBlocks blocks of blockSize threads fit on a multiprocessor. */
static __inline__ cudaOccError cudaOccAvailableDynamicSMemPerBlock(size_t *bytesAvailable,
                                                                   const cudaOccDeviceProp *properties,
                                                                   const cudaOccFuncAttributes *attributes,
                                                                   const cudaOccDeviceState *state, int numBlocks,
                                                                   int blockSize) {
  cudaOccResult result;
  size_t each, most, used;
  int unit;
  cudaOccError error =
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, blockSize, 0);
  if (error == CUDA_OCC_SUCCESS &&
      (!bytesAvailable || numBlocks <= 0 || numBlocks > result.activeBlocksPerMultiprocessor))
    error = CUDA_OCC_ERROR_INVALID_INPUT;
  if (error != CUDA_OCC_SUCCESS)
    return error;
  cudaOccSMemAllocationGranularity(&unit, properties);
  /* for one block any preference gives way */
  each = numBlocks == 1 ? properties->sharedMemPerMultiprocessor
                        : vptr_occ_shared_of_processor(properties, state, 0) / VPTR_OCC_CAST(size_t, numBlocks);
  each -= each % VPTR_OCC_CAST(size_t, unit);
  /* what the driver keeps for itself is not taken off, as in NVIDIA's calculator */
  most = vptr_occ_shared_of_block(properties, attributes) + properties->reservedSharedMemPerBlock;
  used = attributes->sharedSizeBytes;
  each = each < most ? each : most;
  each = each > used ? each - used : 0;
  *bytesAvailable = each < attributes->maxDynamicSharedSizeBytes ? each : attributes->maxDynamicSharedSizeBytes;
  return CUDA_OCC_SUCCESS;
}

#undef VPTR_OCC_CAST

#endif
