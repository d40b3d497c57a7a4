/* SPDX-License-Identifier: MIT */
/*
 * stream_attribute - cudaStreamSetAttribute() and its kin: attributes that are kept and told.
 *
 * Few programs set any, so they are not the stream's own but a list's, which has an entry for each stream that was told
 * something, by its number, which no later stream has. An entry is freed with its stream, those of default streams at a
 * reset of the device.
 *
 * Lock: one, the static `lock`, of rank LEAF, guards the static list `entries`. Called by programs, and by
 * driver/stream_attribute.c; by cuda/stream.c, when one is destroyed; by stream_query.c and reset.c. What names a
 * default stream or resets the cache opens the device, if it is not open yet; nothing else waits.
 */
#include "cuda/stream_attribute.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"

#include <string.h>

#include <vptr/cuda/cuda_runtime_api.h>

typedef struct wishes {
  struct cudaAccessPolicyWindow window;
  enum cudaSynchronizationPolicy policy;
  cudaLaunchMemSyncDomainMap map;
  cudaLaunchMemSyncDomain domain;
  int priority;
} wishes;

typedef struct entry {
  struct entry *next;
  const vptr_mapper *mapper;
  uint64_t stream; /* its number */
  wishes told;
} entry;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static entry *entries;

/* ---- the list ------------------------------------------------------------------------------------------- */

/* Under the lock. */
static entry **place_of(uint64_t id) {
  entry **place = &entries;
  while (*place != NULL && (*place)->stream != id)
    place = &(*place)->next;
  return place;
}

/* What a stream was told, or begins with. Under the lock. */
static wishes wishes_at(const entry *it, const vptr__stream *stream) {
  if (it != NULL)
    return it->told;
  return (wishes){ .policy = cudaSyncPolicyAuto, .map = { 0, 1 }, .priority = vptr__stream_priority(stream) };
}

static wishes wishes_of(const vptr__stream *stream) {
  vptr__lock_take(&lock);
  wishes found = wishes_at(*place_of(vptr__stream_id(stream)), stream);
  vptr__lock_give(&lock);
  return found;
}

static void put_value(cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value, wishes *told);

/* Tells a stream all of another one's wishes, or else one more. The entry is made first, so that it is told all or
 * nothing; what others tell it meanwhile stays. */
static cudaError_t keep_wishes(const vptr__stream *stream, const wishes *all, cudaLaunchAttributeID id,
                               const cudaLaunchAttributeValue *value) {
  entry *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *made));
  *made = (entry){ .mapper = vptr__stream_mapper(stream), .stream = vptr__stream_id(stream) };
  vptr__lock_take(&lock);
  entry **place = place_of(made->stream), *before = *place;
  made->told = all != NULL ? *all : wishes_at(before, stream);
  if (all == NULL)
    put_value(id, value, &made->told);
  made->next = before != NULL ? before->next : NULL;
  *place = made;
  vptr__lock_give(&lock);
  vptr__memory_free(before);
  return cudaSuccess;
}

int vptr__cuda_stream_priority(const vptr__stream *stream) {
  return wishes_of(stream).priority;
}

void vptr__cuda_stream_attributes_forget(uint64_t id) {
  vptr__lock_take(&lock);
  entry **place = place_of(id), *gone = *place;
  if (gone != NULL)
    *place = gone->next;
  vptr__lock_give(&lock);
  vptr__memory_free(gone);
}

void vptr__cuda_stream_attributes_forget_all(const vptr_mapper *mapper) {
  vptr__lock_take(&lock);
  for (entry **place = &entries; *place != NULL;) {
    entry *it = *place;
    if (it->mapper == mapper) {
      *place = it->next;
      vptr__memory_free(it);
    } else {
      place = &it->next;
    }
  }
  vptr__lock_give(&lock);
}

/* ---- values --------------------------------------------------------------------------------------------- */

static cudaError_t refuse(const char *call, cudaLaunchAttributeID attribute, const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: attribute %d: %s", call, (int)attribute, why);
  return cudaErrorInvalidValue;
}

static cudaError_t check_window(const char *call, const struct cudaAccessPolicyWindow *window) {
  const cudaLaunchAttributeID id = cudaLaunchAttributeAccessPolicyWindow;
  if (!(window->hitRatio >= 0 && window->hitRatio <= 1))
    return refuse(call, id, "hitRatio is from 0 to 1");
  if ((unsigned)window->hitProp > cudaAccessPropertyPersisting)
    return refuse(call, id, "hitProp is none of cudaAccessProperty*");
  if ((unsigned)window->missProp > cudaAccessPropertyStreaming)
    return refuse(call, id, "missProp is cudaAccessPropertyNormal or cudaAccessPropertyStreaming");
  return cudaSuccess;
}

static int clamp_priority(int priority) {
  if (priority > 0)
    return 0;
  return priority < VPTR__STREAM_PRIORITY_HIGH ? VPTR__STREAM_PRIORITY_HIGH : priority;
}

static cudaError_t check_value(const char *call, cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value) {
  switch ((int)id) {
  case cudaLaunchAttributeAccessPolicyWindow:
    return check_window(call, &value->accessPolicyWindow);
  case cudaLaunchAttributeSynchronizationPolicy:
    return value->syncPolicy >= cudaSyncPolicyAuto && value->syncPolicy <= cudaSyncPolicyBlockingSync
               ? cudaSuccess
               : refuse(call, id, "the policy is none of cudaSyncPolicy*");
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomain:
    return (unsigned)value->memSyncDomain <= cudaLaunchMemSyncDomainRemote
               ? cudaSuccess
               : refuse(call, id, "the domain is none of cudaLaunchMemSyncDomain*");
  default:
    return refuse(call, id, "it is none of a stream's");
  }
}

/* Of a value that was checked. */
static void put_value(cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value, wishes *told) {
  switch ((int)id) {
  case cudaLaunchAttributeAccessPolicyWindow:
    told->window = value->accessPolicyWindow;
    break;
  case cudaLaunchAttributeSynchronizationPolicy:
    told->policy = value->syncPolicy;
    break;
  case cudaLaunchAttributePriority:
    told->priority = clamp_priority(value->priority);
    break;
  case cudaLaunchAttributeMemSyncDomainMap:
    told->map = value->memSyncDomainMap;
    break;
  default:
    told->domain = value->memSyncDomain;
    break;
  }
}

static cudaError_t give_value(const char *call, cudaLaunchAttributeID id, const wishes *told,
                              cudaLaunchAttributeValue *value) {
  cudaLaunchAttributeValue given = { .pad = { 0 } };
  switch ((int)id) {
  case cudaLaunchAttributeAccessPolicyWindow:
    given.accessPolicyWindow = told->window;
    break;
  case cudaLaunchAttributeSynchronizationPolicy:
    given.syncPolicy = told->policy;
    break;
  case cudaLaunchAttributePriority:
    given.priority = told->priority;
    break;
  case cudaLaunchAttributeMemSyncDomainMap:
    given.memSyncDomainMap = told->map;
    break;
  case cudaLaunchAttributeMemSyncDomain:
    given.memSyncDomain = told->domain;
    break;
  default:
    return refuse(call, id, "it is none of a stream's");
  }
  memcpy(value, &given, sizeof given);
  return cudaSuccess;
}

/* ---- the calls ------------------------------------------------------------------------------------------ */

static cudaError_t set_attribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                 const cudaLaunchAttributeValue *value) {
  static const char call[] = "cudaStreamSetAttribute";
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error != cudaSuccess)
    return error;
  if (value == NULL)
    return refuse(call, id, "the value is NULL");
  error = check_value(call, id, value);
  return error == cudaSuccess ? keep_wishes(stream, NULL, id, value) : error;
}

static cudaError_t get_attribute(cudaStream_t handle, cudaLaunchAttributeID id, cudaLaunchAttributeValue *value) {
  static const char call[] = "cudaStreamGetAttribute";
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error != cudaSuccess)
    return error;
  if (value == NULL)
    return vptr__cuda_null_output(call, "value_out");
  wishes told = wishes_of(stream);
  return give_value(call, id, &told, value);
}

static cudaError_t copy_attributes(cudaStream_t to, cudaStream_t from) {
  vptr__stream *target, *source;
  cudaError_t error = vptr__cuda_stream(to, &target);
  if (error == cudaSuccess)
    error = vptr__cuda_stream(from, &source);
  if (error != cudaSuccess)
    return error;
  if (vptr__stream_mapper(target) != vptr__stream_mapper(source)) {
    vptr__error(VPTR_ERROR_OTHER_MAPPER, "cudaStreamCopyAttributes: the streams belong to two devices");
    return cudaErrorInvalidValue;
  }
  wishes told = wishes_of(source);
  return keep_wishes(target, &told, cudaLaunchAttributeIgnore, NULL);
}

static cudaError_t reset_cache(void) {
  vptr_mapper *mapper;
  return vptr__cuda_current_mapper(&mapper);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, cudaStreamAttrID attr, const cudaStreamAttrValue *value) {
  return vptr__cuda_record(set_attribute(hStream, attr, value));
}

cudaError_t cudaStreamSetAttribute_ptsz(cudaStream_t hStream, cudaStreamAttrID attr,
                                        const cudaStreamAttrValue *value) {
  return cudaStreamSetAttribute(vptr__cuda_own_default(hStream), attr, value);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, cudaStreamAttrID attr, cudaStreamAttrValue *value_out) {
  return vptr__cuda_record(get_attribute(hStream, attr, value_out));
}

cudaError_t cudaStreamGetAttribute_ptsz(cudaStream_t hStream, cudaStreamAttrID attr, cudaStreamAttrValue *value_out) {
  return cudaStreamGetAttribute(vptr__cuda_own_default(hStream), attr, value_out);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  return vptr__cuda_record(copy_attributes(dst, src));
}

cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t dst, cudaStream_t src) {
  return cudaStreamCopyAttributes(vptr__cuda_own_default(dst), vptr__cuda_own_default(src));
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return vptr__cuda_record(reset_cache());
}
