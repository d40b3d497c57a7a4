/* SPDX-License-Identifier: MIT */
/*
 * pointer - cuPointerGetAttribute() and its plural, and cuPointerSetAttribute().
 *
 * The runtime's answer, one attribute at a time. Asked for one, an address that CUDA does not know is an error; asked
 * for several, it is a success with nothing in it but a host pointer: libraries rely on the difference.
 *
 * What can be set is kept, and told: the static `set` has a list of the allocations of which it was, by their serials,
 * which are never given twice. An entry goes when it is unset, or when another is added and its allocation is gone. Its
 * lock, of rank LEAF, guards the list, and nothing is called under it; the look-ups take theirs, of rank LEAF, for a
 * moment. Called by programs, directly or by the table in entry.c; and by memory.c, which asks for an allocation's
 * range.
 */
#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "driver/pointer.h"

#include "cuda/pointer.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"
#include "virtual/physical.h"
#include "virtual/virtual_range.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* What is known of an address, before anybody asks for one thing. */
typedef struct known {
  struct cudaPointerAttributes attributes;
  vptr__driver_range range; /* empty of ordinary host memory */
  bool is_known;
} known;

typedef union answer {
  CUcontext context;
  unsigned word;
  CUdeviceptr device;
  void *host;
  unsigned long long id;
  int ordinal;
  size_t size;
  bool flag;
} answer;

static vptr__driver_range pinned_range_of(const void *address) {
  vptr__pinned_place place = vptr__pinned_find(address);
  if (place.kind == VPTR__PINNED_NONE)
    return (vptr__driver_range){ 0 };
  return (vptr__driver_range){ (CUdeviceptr)(uintptr_t)place.base, place.size, 0 };
}

vptr__driver_range vptr__driver_range_of(CUdeviceptr ptr) {
  const void *address = (const void *)(uintptr_t)ptr;
  vptr_mapper *owner = vptr__mapper_owning(address);
  vptr_location location;
  if (owner != NULL && vptr__mapper_locate(owner, address, 1, &location) == VPTR_SUCCESS)
    return (vptr__driver_range){ (CUdeviceptr)(uintptr_t)location.base, location.size, location.serial };
  vptr__cuda_managed managed;
  if (!vptr__cuda_managed_at(address, &managed))
    return pinned_range_of(address);
  return (vptr__driver_range){ (CUdeviceptr)(uintptr_t)managed.base, managed.size, 0 };
}

static CUresult look_at(CUdeviceptr ptr, known *known_out) {
  const void *address = (const void *)(uintptr_t)ptr;
  CUresult result = vptr__driver_result(cudaPointerGetAttributes(&known_out->attributes, address));
  if (result != CUDA_SUCCESS)
    return result;
  known_out->is_known = known_out->attributes.type != cudaMemoryTypeUnregistered;
  known_out->range = vptr__driver_range_of(ptr);
  return CUDA_SUCCESS;
}

/* ---- what was set --------------------------------------------------------------------------------------- */

/* Of an allocation whose copies are to be over when the call returns (CU_POINTER_ATTRIBUTE_SYNC_MEMOPS). */
typedef struct setting {
  struct setting *next;
  vptr__driver_range range;
} setting;

static struct {
  vptr__lock lock;
  setting *first;
} set = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

static bool is_set(const vptr__driver_range *range) {
  vptr__lock_take(&set.lock);
  const setting *it = set.first;
  while (it != NULL && it->range.serial != range->serial)
    it = it->next;
  vptr__lock_give(&set.lock);
  return it != NULL && range->serial != 0;
}

static setting *take_setting(unsigned long long serial) {
  vptr__lock_take(&set.lock);
  setting **at = &set.first;
  while (*at != NULL && (*at)->range.serial != serial)
    at = &(*at)->next;
  setting *it = *at;
  if (it != NULL)
    *at = it->next;
  vptr__lock_give(&set.lock);
  return it;
}

/* The serial of the first whose allocation is gone, or 0. A look-up may not be made under the lock. */
static unsigned long long find_stale(void) {
  for (unsigned n = 0;; n++) {
    vptr__lock_take(&set.lock);
    const setting *it = set.first;
    for (unsigned i = 0; it != NULL && i < n; i++)
      it = it->next;
    const vptr__driver_range range = it != NULL ? it->range : (vptr__driver_range){ 0 };
    vptr__lock_give(&set.lock);
    if (range.serial == 0 || vptr__driver_range_of(range.begin).serial != range.serial)
      return range.serial;
  }
}

static void forget_stale(void) {
  for (unsigned long long serial; (serial = find_stale()) != 0;)
    vptr__memory_free(take_setting(serial));
}

static CUresult keep_setting(const vptr__driver_range *range) {
  setting *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL)
    return vptr__driver_status(vptr__error_host_memory(sizeof *it));
  forget_stale();
  it->range = *range;
  vptr__lock_take(&set.lock);
  it->next = set.first;
  set.first = it;
  vptr__lock_give(&set.lock);
  return CUDA_SUCCESS;
}

/* ---- answers -------------------------------------------------------------------------------------------- */

/* What cuMemMap() has mapped there may be handed on by a descriptor, if it was made so. */
static unsigned handle_types_of(CUdeviceptr ptr) {
  uint64_t handle = 0;
  int device = 0;
  bool is_shareable = false;
  if (vptr__virtual_range_retain_at((uintptr_t)ptr, &handle) != VPTR_SUCCESS)
    return CU_MEM_HANDLE_TYPE_NONE;
  (void)vptr__physical_describe(handle, &device, &is_shareable);
  vptr__physical_release(handle);
  return is_shareable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE;
}

/* Of a reserved range what was set, and of all else all. */
static unsigned rights_of(CUdeviceptr ptr, int device) {
  unsigned rights = 0;
  const bool is_range = vptr__virtual_range_rights((uintptr_t)ptr, device, &rights) == VPTR_SUCCESS;
  return is_range ? rights : CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

static bool is_ipc_capable(const known *known) {
  cudaIpcMemHandle_t handle;
  return known->attributes.type == cudaMemoryTypeDevice &&
         vptr__driver_result(cudaIpcGetMemHandle(&handle, (void *)(uintptr_t)known->range.begin)) == CUDA_SUCCESS;
}

/* How many bytes of the answer count; 0: there is no such attribute here. */
static size_t answer_one(const known *known, CUpointer_attribute attribute, CUdeviceptr ptr, answer *out) {
  const struct cudaPointerAttributes *of = &known->attributes;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    out->context = known->is_known && of->device >= 0 ? vptr__driver_primary(of->device) : NULL;
    return sizeof out->context;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    out->word = !known->is_known ? 0 : of->type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return sizeof out->word;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    out->device = (CUdeviceptr)(uintptr_t)of->devicePointer;
    return sizeof out->device;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    out->host = of->hostPointer;
    return sizeof out->host;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
  case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    out->id = known->range.serial;
    return sizeof out->id;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    out->flag = of->type == cudaMemoryTypeManaged;
    return sizeof out->flag;
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    out->word = is_set(&known->range);
    return sizeof out->word;
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    out->flag = is_ipc_capable(known);
    return sizeof out->flag;
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    out->flag = false;
    return sizeof out->flag;
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    out->word = handle_types_of(ptr);
    return sizeof out->word;
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    out->word = known->is_known ? rights_of(ptr, of->device) : 0;
    return sizeof out->word;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    out->ordinal = known->is_known ? of->device : CU_DEVICE_INVALID;
    return sizeof out->ordinal;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    out->device = known->range.begin;
    return sizeof out->device;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    out->size = known->range.size;
    return sizeof out->size;
  case CU_POINTER_ATTRIBUTE_MAPPED:
    out->flag = known->is_known;
    return sizeof out->flag;
  default:
    return 0;
  }
}

static CUresult refuse_pointer_attribute(CUpointer_attribute attribute) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cuPointerGetAttribute: attribute %d is none that vptr has an answer for",
              (int)attribute);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_VALUE);
}

/* Of what has no answer for this address. */
static bool is_missing(const known *known, CUpointer_attribute attribute) {
  if (!known->is_known)
    return true;
  if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_POINTER)
    return known->attributes.devicePointer == NULL;
  return attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER && known->attributes.hostPointer == NULL;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  known known = { .is_known = false };
  answer found = { 0 };
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), "cuPointerGetAttribute", data, "data");
  if (result == CUDA_SUCCESS)
    result = look_at(ptr, &known);
  if (result != CUDA_SUCCESS)
    return result;
  size_t size = answer_one(&known, attribute, ptr, &found);
  if (size == 0)
    return refuse_pointer_attribute(attribute);
  if (is_missing(&known, attribute)) {
    vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                "cuPointerGetAttribute: 0x%llx has no attribute %d: it is ordinary host memory, "
                "freed, or of the other side",
                (unsigned long long)ptr, (int)attribute);
    return vptr__driver_refuse(CUDA_ERROR_INVALID_VALUE);
  }
  memcpy(data, &found, size);
  return CUDA_SUCCESS;
}

/* All are looked up before the first is written. */
CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data,
                                CUdeviceptr ptr) {
  known known = { .is_known = false };
  answer found = { 0 };
  CUresult result = vptr__driver_begun();
  if (result == CUDA_SUCCESS && (numAttributes == 0 || attributes == NULL || data == NULL))
    result = vptr__driver_invalid("cuPointerGetAttributes", "there are no attributes, or no place for answers");
  if (result == CUDA_SUCCESS)
    result = look_at(ptr, &known);
  for (unsigned i = 0; i < numAttributes && result == CUDA_SUCCESS; i++)
    if (answer_one(&known, attributes[i], ptr, &found) == 0)
      result = refuse_pointer_attribute(attributes[i]);
  for (unsigned i = 0; i < numAttributes && result == CUDA_SUCCESS; i++) {
    size_t size = answer_one(&known, attributes[i], ptr, &found);
    memcpy(data[i], &found, size);
  }
  return result;
}

/* ---- setting -------------------------------------------------------------------------------------------- */

static CUresult find_settable(CUpointer_attribute attribute, CUdeviceptr ptr, vptr__driver_range *range_out) {
  if (attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS)
    return vptr__driver_invalid("cuPointerSetAttribute", "only CU_POINTER_ATTRIBUTE_SYNC_MEMOPS can be set");
  *range_out = vptr__driver_range_of(ptr);
  return range_out->serial != 0 ? CUDA_SUCCESS
                                : vptr__driver_invalid("cuPointerSetAttribute", "ptr is in no device memory");
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr) {
  vptr__driver_range range = { 0 };
  unsigned word = 0;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuPointerSetAttribute", value, "value");
  if (result == CUDA_SUCCESS)
    result = find_settable(attribute, ptr, &range);
  if (result != CUDA_SUCCESS)
    return result;
  memcpy(&word, value, sizeof word);
  if (word == 0)
    vptr__memory_free(take_setting(range.serial));
  return word == 0 || is_set(&range) ? CUDA_SUCCESS : keep_setting(&range);
}
