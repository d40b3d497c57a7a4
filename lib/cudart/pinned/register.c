/* SPDX-License-Identifier: MIT */
/*
 * register - the program's own memory, pinned: vptr__pinned_register() and vptr__pinned_unregister() (pinned.h).
 *
 * There is no data and no lock here: a registration is a region, which the registry has (region.h), and changes under
 * the registry's lock, of rank HEAP; to drop its device address takes that of alias.c, of rank MAPPING, and to look for
 * managed memory that of mirror/address_index.c, of rank LEAF. Called by cudart/cuda/host.c for cudaHostRegister() and
 * cudaHostUnregister(), and by restored.c for those of a checkpoint; pinned.c ends registrations at a reset.
 * Unregistering waits for the work that uses the memory. Pinning and unpinning are the driver's, are done without a
 * lock, and can take long.
 *
 * Exactly the range that was named is pinned and known, not the pages that it lies in: its neighbours may be
 * anybody's. Memory that is unmapped while registered stays registered, as with CUDA.
 */
#include "base/error.h"
#include "mirror/address_index.h"
#include "pinned/alias.h"
#include "pinned/pinned.h"
#include "pinned/region.h"
#include "pinned/system.h"

static vptr_status check_range(const void *host, size_t size) {
  uintptr_t base = (uintptr_t)host;
  if (host == NULL || size == 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "registering host memory: %zu bytes at %p", size, host);
  if (size > UINTPTR_MAX - base)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "registering host memory: %zu bytes at %p end behind all addresses", size, host);
  if (vptr__mapper_owning(host) != NULL || vptr__mapper_owning((const char *)host + (size - 1)) != NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "registering host memory: %p is a device address", host);
  if (!vptr__system_is_mapped(host, size))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "registering host memory: not all of the %zu bytes at %p are the process's memory", size,
                       host);
  return VPTR_SUCCESS;
}

/* Its pages open and close, and a driver that pins them would have to wait for those who open them. */
static bool has_managed(const void *host, size_t size) {
  if (vptr__address_index_has(host))
    return true;
  vptr__mirror *next = vptr__address_index_enter_next(host);
  if (next == NULL)
    return false;
  bool overlaps = (uintptr_t)vptr__mirror_host(next) - (uintptr_t)host < size;
  vptr__address_index_leave(next);
  return overlaps;
}

/* Looked at again when the region is entered; here it saves the pinning. */
static vptr_status check_free(const void *host, size_t size) {
  if (has_managed(host, size))
    return vptr__error(VPTR_ERROR_MAPPED,
                       "registering host memory: some of the %zu bytes at %p are managed memory, which devices reach "
                       "without",
                       size, host);
  if (!vptr__region_overlaps(host, size))
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_MAPPED, "registering host memory: some of the %zu bytes at %p are pinned already",
                     size, host);
}

vptr_status vptr__pinned_register(vptr_mapper *mapper, void *host, size_t size, unsigned flags) {
  vptr__region_plan plan = { .kind = VPTR__REGION_REGISTERED,
                             .mapper = mapper,
                             .base = host,
                             .bytes = size,
                             .size = size,
                             .flags = flags & VPTR__PINNED_FLAGS };
  vptr__device *device = mapper->device;
  vptr__region *region;
  vptr_status status = check_range(host, size);
  if (status == VPTR_SUCCESS)
    status = check_free(host, size);
  if (status == VPTR_SUCCESS)
    status = device->ops->memory.pin_host(device, host, size, &plan.pin);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__region_enter(&plan, &region);
  if (status != VPTR_SUCCESS && plan.pin != NULL)
    device->ops->memory.unpin_host(device, plan.pin, host);
  return status;
}

static vptr_status refuse_unregister(const void *host) {
  vptr__pinned_place place = vptr__pinned_find(host);
  const char *why = place.kind == VPTR__PINNED_OURS         ? "was allocated pinned, not registered"
                    : place.kind == VPTR__PINNED_REGISTERED ? "lies inside of a registration, and is not its start"
                                                            : "is not registered";
  return vptr__error(VPTR_ERROR_NOT_MAPPED, "unregistering host memory: %p %s", host, why);
}

vptr_status vptr__pinned_unregister(void *host) {
  vptr__region *region = vptr__region_of(host);
  if (region == NULL || atomic_load(&region->kind) != VPTR__REGION_REGISTERED ||
      atomic_load(&region->base) != (uintptr_t)host)
    return refuse_unregister(host);
  bool is_shared = atomic_load(&region->is_shared);
  vptr_status status = vptr__alias_wait(region, is_shared);
  if (status != VPTR_SUCCESS)
    return status;
  if (!vptr__region_leave(region, VPTR__REGION_REGISTERED, (uintptr_t)host))
    return refuse_unregister(host);
  if (is_shared)
    vptr__alias_drop(host);
  return VPTR_SUCCESS;
}
