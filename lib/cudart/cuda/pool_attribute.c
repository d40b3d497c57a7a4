/* SPDX-License-Identifier: MIT */
/*
 * pool_attribute - what can be asked of a memory pool and set: reuse, threshold, bytes, access; see cuda/pool.c.
 *
 * Three attributes are ints, the rest 64-bit numbers, as in CUDA. No data and no lock here: the values are the pool's
 * (lib/vptr/pool/pool.c). Called by programs; and by driver/pool.c, for the attributes alone. To find a pool by its
 * handle, each call takes `live_lock` of pool/pool.c, of rank LEAF, for a moment. The attribute calls also take the
 * `lock` of the mapper's pool allocator, of rank POOL, which others hold over some waits (pool/reuse.c, pool/pool.c).
 * No call waits for a device's work itself. The first call of a process looks for devices.
 */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/pool.h"
#include "device/device.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* The pool's flag for one of the attributes that are an int, else 0. */
static unsigned flag_of(enum cudaMemPoolAttr attr) {
  switch ((int)attr) {
  case cudaMemPoolReuseFollowEventDependencies:
    return VPTR__POOL_FOLLOW;
  case cudaMemPoolReuseAllowOpportunistic:
    return VPTR__POOL_OPPORTUNISTIC;
  case cudaMemPoolReuseAllowInternalDependencies:
    return VPTR__POOL_DEPEND;
  default:
    return 0;
  }
}

static void set_flag(vptr__pool *pool, unsigned flag, const void *value) {
  int is_on;
  memcpy(&is_on, value, sizeof is_on);
  vptr__pool_change_flags(pool, flag, is_on != 0 ? flag : 0);
}

/* The high marks can be set to 0 alone, which brings them down to what is now. */
static cudaError_t set_number(vptr__pool *pool, enum cudaMemPoolAttr attr, uint64_t number) {
  static const char call[] = "cudaMemPoolSetAttribute";
  if (attr == cudaMemPoolAttrReleaseThreshold) {
    vptr__pool_set_threshold(pool, number);
    return cudaSuccess;
  }
  if (attr != cudaMemPoolAttrReservedMemHigh && attr != cudaMemPoolAttrUsedMemHigh)
    return vptr__cuda_invalid(call, "the attribute is unknown, or can only be read");
  if (number != 0)
    return vptr__cuda_invalid(call, "a high mark can only be set to 0, which makes it begin anew");
  if (attr == cudaMemPoolAttrReservedMemHigh)
    vptr__pool_reset_reserved_high(pool);
  else
    vptr__pool_reset_used_high(pool);
  return cudaSuccess;
}

static cudaError_t set_attribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, const void *value) {
  vptr__pool *pool;
  cudaError_t error = vptr__cuda_pool("cudaMemPoolSetAttribute", memPool, &pool);
  if (error != cudaSuccess)
    return error;
  if (value == NULL)
    return vptr__cuda_invalid("cudaMemPoolSetAttribute", "value is NULL");
  if (flag_of(attr) != 0) {
    set_flag(pool, flag_of(attr), value);
    return cudaSuccess;
  }
  uint64_t number;
  memcpy(&number, value, sizeof number);
  return set_number(pool, attr, number);
}

static bool get_number(vptr__pool *pool, enum cudaMemPoolAttr attr, uint64_t *number_out) {
  vptr__pool_stats stats;
  vptr__pool_get_stats(pool, &stats);
  switch ((int)attr) {
  case cudaMemPoolAttrReleaseThreshold:
    *number_out = vptr__pool_threshold(pool);
    return true;
  case cudaMemPoolAttrReservedMemCurrent:
    *number_out = stats.reserved;
    return true;
  case cudaMemPoolAttrReservedMemHigh:
    *number_out = stats.reserved_high;
    return true;
  case cudaMemPoolAttrUsedMemCurrent:
    *number_out = stats.used;
    return true;
  case cudaMemPoolAttrUsedMemHigh:
    *number_out = stats.used_high;
    return true;
  default:
    return false;
  }
}

static cudaError_t get_attribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value) {
  vptr__pool *pool;
  cudaError_t error = vptr__cuda_pool("cudaMemPoolGetAttribute", memPool, &pool);
  if (error != cudaSuccess)
    return error;
  if (value == NULL)
    return vptr__cuda_null_output("cudaMemPoolGetAttribute", "value");
  if (flag_of(attr) != 0) {
    int is_on = (vptr__pool_flags(pool) & flag_of(attr)) != 0;
    memcpy(value, &is_on, sizeof is_on);
    return cudaSuccess;
  }
  uint64_t number;
  if (!get_number(pool, attr, &number))
    return vptr__cuda_invalid("cudaMemPoolGetAttribute", "the attribute is unknown");
  memcpy(value, &number, sizeof number);
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value) {
  return vptr__cuda_record(set_attribute(memPool, attr, value));
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value) {
  return vptr__cuda_record(get_attribute(memPool, attr, value));
}

/* ---- access --------------------------------------------------------------------------------------------- */

/* The pool's own device reads and writes, always; others cannot, ever. */
static cudaError_t check_access(const vptr__pool *pool, const struct cudaMemAccessDesc *wanted) {
  static const char call[] = "cudaMemPoolSetAccess";
  if (wanted->location.type != cudaMemLocationTypeDevice) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: a location is of type %d, and access is a device's", call,
                (int)wanted->location.type);
    return cudaErrorNotSupported;
  }
  if (wanted->flags != cudaMemAccessFlagsProtNone && wanted->flags != cudaMemAccessFlagsProtRead &&
      wanted->flags != cudaMemAccessFlagsProtReadWrite)
    return vptr__cuda_invalid(call, "flags are none of cudaMemAccessFlagsProt*");
  cudaError_t error = vptr__cuda_check_ordinal(call, wanted->location.id);
  if (error != cudaSuccess)
    return error;
  bool is_own = vptr__pool_mapper(pool)->device->ordinal == wanted->location.id;
  if (wanted->flags == (is_own ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone))
    return cudaSuccess;
  if (is_own) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: a device always reads and writes its own memory", call);
    return cudaErrorInvalidDevice;
  }
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: device %d cannot reach another device's memory", call,
              wanted->location.id);
  return cudaErrorPeerAccessUnsupported;
}

static cudaError_t set_access(cudaMemPool_t memPool, const struct cudaMemAccessDesc *list, size_t count) {
  vptr__pool *pool;
  cudaError_t error = vptr__cuda_pool("cudaMemPoolSetAccess", memPool, &pool);
  if (error == cudaSuccess && list == NULL && count > 0)
    error = vptr__cuda_invalid("cudaMemPoolSetAccess", "descList is NULL");
  for (size_t i = 0; i < count && error == cudaSuccess; i++)
    error = check_access(pool, &list[i]);
  return error;
}

static cudaError_t get_access(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                              const struct cudaMemLocation *location) {
  static const char call[] = "cudaMemPoolGetAccess";
  vptr__pool *pool;
  cudaError_t error = vptr__cuda_pool(call, memPool, &pool);
  if (error != cudaSuccess)
    return error;
  if (flags == NULL || location == NULL)
    return vptr__cuda_null_output(call, flags == NULL ? "flags" : "location");
  if (location->type == cudaMemLocationTypeHost || location->type == cudaMemLocationTypeHostNuma) {
    *flags = cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  }
  if (location->type != cudaMemLocationTypeDevice)
    return vptr__cuda_invalid(call, "the location is neither a device nor the host");
  error = vptr__cuda_check_ordinal(call, location->id);
  if (error != cudaSuccess)
    return error == cudaErrorInvalidDevice ? cudaErrorInvalidValue : error; /* as CUDA has it */
  bool is_own = vptr__pool_mapper(pool)->device->ordinal == location->id;
  *flags = is_own ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList, size_t count) {
  return vptr__cuda_record(set_access(memPool, descList, count));
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation *location) {
  return vptr__cuda_record(get_access(flags, memPool, location));
}
