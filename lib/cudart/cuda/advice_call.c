/* SPDX-License-Identifier: MIT */
/*
 * advice_call - cudaMemPrefetchAsync(), cudaMemAdvise(), cudaMemRangeGetAttribute() and cudaStreamAttachMemAsync().
 *
 * What is checked, and with which error, is as CUDA 13 does it, observed: a prefetch to a device that there is not is
 * cudaErrorInvalidDevice, advice about one cudaErrorInvalidValue. What is kept is in advice.c.
 *
 * On devices that take plain memory of the process (pageableMemoryAccess), such memory is prefetched, advised about and
 * attached, too. It stays where it is, so there is nothing to move and nothing to remember: questions are about managed
 * memory alone. There is no data but the constant table `pieces`, and no lock here: advice.c has its own, of rank LEAF;
 * to find managed memory takes the address index's or the variables', of rank LEAF, and to bring a mirror to a device
 * the mirror's, of rank MIRROR. A prefetch to a device blocks until the bytes are there; one to the host is work of the
 * stream; nothing else waits for work. Called by programs; by batch_managed.c, for several ranges at once; by
 * replay/send.c, for captured ones; and by driver/advice.c, for the calls of the driver's interface; advice_12.h
 * declares those of CUDA 12.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cuda/advice.h"
#include "cuda/advice_12.h"
#include "cuda/capture_work.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/pool.h"
#include "cuda/stream.h"
#include "graph/capture.h"
#include "mapper/registry.h"
#include "pinned/system.h"
#include "managed/managed.h"

static const char prefetch_call[] = "cudaMemPrefetchAsync", advise_call[] = "cudaMemAdvise",
                  query_call[] = "cudaMemRangeGetAttribute", attach_call[] = "cudaStreamAttachMemAsync";

/* ---- ranges --------------------------------------------------------------------------------------------- */

static cudaError_t check_bytes(const char *call, const void *ptr, size_t count) {
  if (ptr == NULL)
    return vptr__cuda_invalid(call, "devPtr is NULL");
  return count > 0 ? cudaSuccess : vptr__cuda_invalid(call, "count is 0");
}

static cudaError_t find_range(const char *call, const void *ptr, size_t count, vptr__cuda_range *range_out) {
  vptr__cuda_managed memory;
  if (!vptr__cuda_managed_at(ptr, &memory)) {
    vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS, "%s: %p is not managed memory; cudaMallocManaged() makes such", call,
                ptr);
    return cudaErrorInvalidValue;
  }
  size_t left = memory.size - (size_t)((uintptr_t)ptr - (uintptr_t)memory.base);
  if (count > left) {
    vptr__error(VPTR_ERROR_OUT_OF_BOUNDS, "%s: %zu bytes from %p on, and its managed memory has %zu more there", call,
                count, ptr, left);
    return cudaErrorInvalidValue;
  }
  *range_out = (vptr__cuda_range){ memory, ptr, count };
  return cudaSuccess;
}

/* Whether it is memory that is managed by nobody and used by kernels of the mapper's device as it is. */
static bool is_plain(vptr_mapper *mapper, const void *ptr, size_t count) {
  vptr__cuda_managed memory;
  return vptr__system_takes(mapper, ptr, count) && !vptr__cuda_managed_at(ptr, &memory);
}

/* ---- locations ------------------------------------------------------------------------------------------ */

/* Node 0 is there even where the system counts none. */
static bool has_node(int id) {
  char path[64];
  if (id <= 0)
    return id == 0;
  snprintf(path, sizeof path, "/sys/devices/system/node/node%d", id);
  return access(path, F_OK) == 0;
}

/* Whether the type is one; what its id means is the next one's to check. */
static cudaError_t check_type(const char *call, const struct cudaMemLocation *where) {
  if (where->type >= cudaMemLocationTypeDevice && where->type <= cudaMemLocationTypeHostNumaCurrent)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: location.type is %d, and can be %d to %d", call, (int)where->type,
              (int)cudaMemLocationTypeDevice, (int)cudaMemLocationTypeHostNumaCurrent);
  return cudaErrorInvalidValue;
}

/* Of a good type. Only an ordinal that is none is InvalidDevice. */
static cudaError_t check_location(const char *call, const struct cudaMemLocation *where) {
  if (where->type == cudaMemLocationTypeDevice)
    return vptr__cuda_check_ordinal(call, where->id);
  if (where->type != cudaMemLocationTypeHostNuma || has_node(where->id))
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: location.id is %d, and the host has no such NUMA node", call,
              where->id);
  return cudaErrorInvalidValue;
}

/* As it is kept: with an id where that means something. */
static struct cudaMemLocation normalize_location(const struct cudaMemLocation *where) {
  struct cudaMemLocation location = *where;
  if (location.type != cudaMemLocationTypeDevice && location.type != cudaMemLocationTypeHostNuma)
    location.id = cudaCpuDeviceId;
  return location;
}

/* CUDA 12's way to say it. */
static struct cudaMemLocation location_12(int device) {
  bool is_host = device == cudaCpuDeviceId;
  return (struct cudaMemLocation){ is_host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device };
}

/* ---- prefetches ----------------------------------------------------------------------------------------- */

static void set_prefetched(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  advice->prefetched = normalize_location(where);
}

/*
 * Brings a range to where it will be used, and remembers that it was asked for, which CUDA tells at once, too.
 *
 * The stream's order is for speed alone: the bytes are kept in step whatever happens, so a prefetch can come too early
 * for no work, only for its own good. To the device it is done here and now; to the host it is work of the stream
 * (managed/prefetch_task.h).
 */
static cudaError_t migrate_range(vptr__stream *stream, const vptr__cuda_range *range,
                                 const struct cudaMemLocation *where) {
  vptr_mapper *to = NULL;
  cudaError_t error = cudaSuccess;
  if (where->type == cudaMemLocationTypeDevice)
    error = vptr__cuda_from_status(vptr__mapper_for_device(where->id, &to));
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__managed_bring((void *)(uintptr_t)range->begin, range->size, to, stream));
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__cuda_advice_change(range, set_prefetched, where));
  return error;
}

/* A range without bytes is memory that stays where it is. */
static cudaError_t find_managed(const char *call, const void *ptr, size_t count, vptr__stream *stream,
                                vptr__cuda_range *range_out) {
  *range_out = (vptr__cuda_range){ .size = 0 };
  cudaError_t error = check_bytes(call, ptr, count);
  if (error != cudaSuccess || is_plain(vptr__stream_mapper(stream), ptr, count))
    return error;
  return find_range(call, ptr, count, range_out);
}

cudaError_t vptr__cuda_managed_check(const char *call, const void *ptr, size_t count, vptr__stream *stream) {
  vptr__cuda_range range;
  return find_managed(call, ptr, count, stream, &range);
}

cudaError_t vptr__cuda_location_check(const char *call, const struct cudaMemLocation *where) {
  cudaError_t error = check_type(call, where);
  return error == cudaSuccess ? check_location(call, where) : error;
}

cudaError_t vptr__cuda_prefetch(const char *call, const void *ptr, size_t count, const struct cudaMemLocation *where,
                                vptr__stream *stream) {
  vptr__cuda_range range;
  const vptr__graph_prefetch prefetch = { ptr, count, *where };
  cudaError_t error = find_managed(call, ptr, count, stream, &range);
  if (error == cudaSuccess && vptr__captures_any() && vptr__cuda_captures_prefetch(call, &prefetch, stream, &error))
    return error;
  return error == cudaSuccess && range.size > 0 ? migrate_range(stream, &range, where) : error;
}

static cudaError_t prefetch_memory(const void *ptr, size_t count, struct cudaMemLocation where, unsigned flags,
                                   cudaStream_t handle) {
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess)
    error = check_bytes(prefetch_call, ptr, count);
  if (error == cudaSuccess && flags != 0)
    error = vptr__cuda_invalid(prefetch_call, "flags can only be 0");
  if (error == cudaSuccess)
    error = vptr__cuda_location_check(prefetch_call, &where);
  return error == cudaSuccess ? vptr__cuda_prefetch(prefetch_call, ptr, count, &where, stream) : error;
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
  return vptr__cuda_record(prefetch_memory(devPtr, count, location, flags, stream));
}

cudaError_t cudaMemPrefetchAsync_ptsz(const void *devPtr, size_t count, struct cudaMemLocation location,
                                      unsigned int flags, cudaStream_t stream) {
  return cudaMemPrefetchAsync(devPtr, count, location, flags, vptr__cuda_own_default(stream));
}

cudaError_t cudaMemPrefetchAsync_v2(const void *devPtr, size_t count, struct cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream) {
  return cudaMemPrefetchAsync(devPtr, count, location, flags, stream);
}

cudaError_t cudaMemPrefetchAsync_v2_ptsz(const void *devPtr, size_t count, struct cudaMemLocation location,
                                         unsigned int flags, cudaStream_t stream) {
  return cudaMemPrefetchAsync(devPtr, count, location, flags, vptr__cuda_own_default(stream));
}

cudaError_t vptr__cuda_mem_prefetch_async_12(const void *devPtr, size_t count, int dstDevice, cudaStream_t stream) {
  return cudaMemPrefetchAsync(devPtr, count, location_12(dstDevice), 0, stream);
}

cudaError_t vptr__cuda_mem_prefetch_async_12_ptsz(const void *devPtr, size_t count, int dstDevice,
                                                  cudaStream_t stream) {
  return cudaMemPrefetchAsync(devPtr, count, location_12(dstDevice), 0, vptr__cuda_own_default(stream));
}

/* ---- advice --------------------------------------------------------------------------------------------- */

static void set_read_mostly(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  (void)where;
  advice->is_read_mostly = true;
}

static void unset_read_mostly(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  (void)where;
  advice->is_read_mostly = false;
}

static void set_preferred(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  advice->preferred = normalize_location(where);
}

static void unset_preferred(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  (void)where;
  advice->preferred = VPTR__CUDA_NOWHERE;
}

static void set_accessed(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  if (where->type == cudaMemLocationTypeHost)
    advice->host = true;
  else
    advice->devices |= UINT64_C(1) << where->id;
}

static void unset_accessed(vptr__cuda_advice *advice, const struct cudaMemLocation *where) {
  if (where->type == cudaMemLocationTypeHost)
    advice->host = false;
  else
    advice->devices &= ~(UINT64_C(1) << where->id);
}

typedef struct piece_of_advice {
  vptr__cuda_advise advise;
  bool has_location, has_node; /* its location counts; it can be a NUMA node of the host's */
} piece_of_advice;

static const piece_of_advice pieces[] = {
  [cudaMemAdviseSetReadMostly] = { set_read_mostly, false, false },
  [cudaMemAdviseUnsetReadMostly] = { unset_read_mostly, false, false },
  [cudaMemAdviseSetPreferredLocation] = { set_preferred, true, true },
  [cudaMemAdviseUnsetPreferredLocation] = { unset_preferred, false, false },
  [cudaMemAdviseSetAccessedBy] = { set_accessed, true, false },
  [cudaMemAdviseUnsetAccessedBy] = { unset_accessed, true, false },
};

static cudaError_t find_piece(enum cudaMemoryAdvise advice, const piece_of_advice **piece_out) {
  if (advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy) {
    *piece_out = &pieces[advice];
    return cudaSuccess;
  }
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: advice is %d, and can be %d to %d", advise_call, (int)advice,
              (int)cudaMemAdviseSetReadMostly, (int)cudaMemAdviseUnsetAccessedBy);
  return cudaErrorInvalidValue;
}

static cudaError_t check_piece(const piece_of_advice *piece, const struct cudaMemLocation *where) {
  cudaError_t error = check_type(advise_call, where);
  if (error != cudaSuccess || !piece->has_location)
    return error;
  if (!piece->has_node && where->type > cudaMemLocationTypeHost)
    return vptr__cuda_invalid(advise_call, "memory is accessed by a device or by the host, not by a NUMA node");
  return check_location(advise_call, where);
}

/* Every piece of advice that is refused is an invalid value, but for an ordinal in CUDA 12's calls. */
static cudaError_t advise_range(const void *ptr, size_t count, enum cudaMemoryAdvise advice,
                                struct cudaMemLocation where, cudaError_t no_device) {
  const piece_of_advice *piece = NULL;
  vptr__cuda_range range;
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_unsafe(advise_call);
  if (error == cudaSuccess)
    error = check_bytes(advise_call, ptr, count);
  if (error == cudaSuccess)
    error = find_piece(advice, &piece);
  if (error == cudaSuccess)
    error = check_piece(piece, &where);
  if (error == cudaErrorInvalidDevice)
    error = no_device;
  if (error == cudaSuccess && is_plain(mapper, ptr, count))
    return cudaSuccess;
  if (error == cudaSuccess)
    error = find_range(advise_call, ptr, count, &range);
  return error == cudaSuccess ? vptr__cuda_from_status(vptr__cuda_advice_change(&range, piece->advise, &where))
                              : error;
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
  return vptr__cuda_record(advise_range(devPtr, count, advice, location, cudaErrorInvalidValue));
}

cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location) {
  return cudaMemAdvise(devPtr, count, advice, location);
}

cudaError_t vptr__cuda_mem_advise_12(const void *devPtr, size_t count, enum cudaMemoryAdvise advice, int device) {
  return vptr__cuda_record(advise_range(devPtr, count, advice, location_12(device), cudaErrorInvalidDevice));
}

/* ---- questions ------------------------------------------------------------------------------------------ */

static cudaError_t check_attribute(enum cudaMemRangeAttribute attribute, const void *data, size_t size) {
  if (data == NULL)
    return vptr__cuda_null_output(query_call, "data");
  if (attribute < cudaMemRangeAttributeReadMostly || attribute > cudaMemRangeAttributeLastPrefetchLocationId) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: attribute is %d, and can be %d to %d", query_call, (int)attribute,
                (int)cudaMemRangeAttributeReadMostly, (int)cudaMemRangeAttributeLastPrefetchLocationId);
    return cudaErrorInvalidValue;
  }
  bool takes_several = attribute == cudaMemRangeAttributeAccessedBy;
  if (takes_several ? size > 0 && size % sizeof(int) == 0 : size == sizeof(int))
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: dataSize is %zu, and attribute %d takes %zu bytes%s", query_call,
              size, (int)attribute, sizeof(int), takes_several ? ", or a multiple of that" : "");
  return cudaErrorInvalidValue;
}

/* A location as CUDA 8 told it. */
static int number_of(struct cudaMemLocation where) {
  if (where.type == cudaMemLocationTypeNone || where.type == cudaMemLocationTypeDevice)
    return where.id;
  return cudaCpuDeviceId;
}

static int answer_one(const vptr__cuda_advice *advice, enum cudaMemRangeAttribute attribute) {
  switch (attribute) {
  case cudaMemRangeAttributeReadMostly:
    return advice->is_read_mostly;
  case cudaMemRangeAttributePreferredLocation:
    return number_of(advice->preferred);
  case cudaMemRangeAttributePreferredLocationType:
    return (int)advice->preferred.type;
  case cudaMemRangeAttributePreferredLocationId:
    return advice->preferred.id;
  case cudaMemRangeAttributeLastPrefetchLocation:
    return number_of(advice->prefetched);
  case cudaMemRangeAttributeLastPrefetchLocationType:
    return (int)advice->prefetched.type;
  default:
    return advice->prefetched.id;
  }
}

/* The n-th accessor: devices in order, then the host. */
static int nth_accessor(const vptr__cuda_advice *advice, size_t n) {
  for (int id = 0; id < VPTR__MOST_DEVICES; id++)
    if ((advice->devices >> id & 1) != 0 && n-- == 0)
      return id;
  return advice->host && n == 0 ? cudaCpuDeviceId : cudaInvalidDeviceId;
}

static void answer_attribute(const vptr__cuda_advice *advice, enum cudaMemRangeAttribute attribute,
                             unsigned char *data, size_t size) {
  for (size_t i = 0; i < size / sizeof(int); i++) {
    int value =
        attribute == cudaMemRangeAttributeAccessedBy ? nth_accessor(advice, i) : answer_one(advice, attribute);
    memcpy(data + i * sizeof value, &value, sizeof value);
  }
}

/* All is checked before the first answer is written. */
static cudaError_t query_attributes(void *const *data, const size_t *sizes,
                                    const enum cudaMemRangeAttribute *attributes, size_t attribute_count,
                                    const void *ptr, size_t count) {
  vptr__cuda_range range;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__registry_check_process());
  if (error == cudaSuccess && (data == NULL || sizes == NULL || attributes == NULL || attribute_count == 0))
    error = vptr__cuda_invalid(query_call, "there are no attributes, or no place for answers");
  if (error == cudaSuccess)
    error = check_bytes(query_call, ptr, count);
  for (size_t i = 0; i < attribute_count && error == cudaSuccess; i++)
    error = check_attribute(attributes[i], data[i], sizes[i]);
  if (error == cudaSuccess)
    error = find_range(query_call, ptr, count, &range);
  if (error != cudaSuccess)
    return error;
  vptr__cuda_advice advice = vptr__cuda_advice_of(&range);
  for (size_t i = 0; i < attribute_count; i++)
    answer_attribute(&advice, attributes[i], data[i], sizes[i]);
  return cudaSuccess;
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute,
                                     const void *devPtr, size_t count) {
  return vptr__cuda_record(query_attributes(&data, &dataSize, &attribute, 1, devPtr, count));
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes, enum cudaMemRangeAttribute *attributes,
                                      size_t numAttributes, const void *devPtr, size_t count) {
  return vptr__cuda_record(query_attributes(data, dataSizes, attributes, numAttributes, devPtr, count));
}

/* ---- attaching ------------------------------------------------------------------------------------------ */

static cudaError_t check_attachment(const vptr__cuda_managed *memory, const void *ptr, size_t length) {
  if (ptr == memory->base && (length == 0 || length == memory->size))
    return cudaSuccess;
  vptr__error(
      VPTR_ERROR_INTERIOR,
      "%s: %zu bytes from %p on are part of %zu from %p on; whole allocations are attached, with their size or "
      "0 as length",
      attach_call, length, ptr, memory->size, memory->base);
  return cudaErrorInvalidValue;
}

/* Nothing is to be done: what attaching permits to the host, and to kernels, is permitted anyway. */
static cudaError_t attach_memory(cudaStream_t handle, const void *ptr, size_t length, unsigned flags) {
  vptr__stream *stream;
  vptr__cuda_range range;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_refuse(attach_call, stream);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_unsafe(attach_call);
  if (error == cudaSuccess)
    error = check_bytes(attach_call, ptr, 1);
  if (error == cudaSuccess && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
      flags != cudaMemAttachSingle)
    error =
        vptr__cuda_invalid(attach_call, "flags can be cudaMemAttachGlobal, cudaMemAttachHost or cudaMemAttachSingle");
  if (error == cudaSuccess && flags == cudaMemAttachSingle && (handle == NULL || handle == cudaStreamLegacy))
    error = vptr__cuda_invalid(attach_call, "the default stream is no single one; name a stream of its own");
  if (error == cudaSuccess && length > 0 && is_plain(vptr__stream_mapper(stream), ptr, length))
    return cudaSuccess;
  if (error == cudaSuccess)
    error = find_range(attach_call, ptr, 1, &range);
  return error == cudaSuccess ? check_attachment(&range.memory, ptr, length) : error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags) {
  return vptr__cuda_record(attach_memory(stream, devPtr, length, flags));
}

cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags) {
  return cudaStreamAttachMemAsync(vptr__cuda_own_default(stream), devPtr, length, flags);
}
