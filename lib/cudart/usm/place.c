/* SPDX-License-Identifier: MIT */
/*
 * place - what an address is among the kinds of unified shared memory (place.h).
 *
 * There is no data but the constant `subsystem`, and no lock here. The answers hold for the moment: device memory and
 * pinned regions are found without a lock; mirrors under the lock of the address index, of rank LEAF; and what was
 * freed under that of tombstones, of rank LEAF too. Called by usm.c and transfer.c, for each pointer of a call; through
 * base/subsystem.h by mapper/lookup.c, for vptr_resolve() and vptr_resolve_batch(); and by the loader, which has it
 * enter its subsystem. Nothing blocks, but for the start of the drivers where no mapper was named and there is none
 * yet, and for the device's first answer whether its kernels take plain memory (pinned/system.h).
 */
#include "usm/place.h"

#include "base/subsystem.h"
#include "base/error.h"
#include "mirror/address_index.h"
#include "managed/managed.h"
#include "mapper/lookup.h"
#include "mapper/registry.h"
#include "pinned/pinned.h"
#include "pinned/region.h"
#include "pinned/system.h"

vptr_status vptr__usm_mapper_of(vptr_mapper **mapper) {
  return *mapper == NULL ? vptr__mapper_for_device(0, mapper) : vptr__registry_check_process();
}

/* Memory of ours that nobody has now. */
static bool was_ours(const void *ptr) {
  return vptr__region_of(ptr) != NULL || vptr__address_index_was(ptr);
}

/* ---- finding -------------------------------------------------------------------------------------------- */

static vptr__usm_place find_device(vptr_mapper *owner, const void *ptr) {
  vptr_location location;
  if (vptr__mapper_locate(owner, ptr, 1, &location) != VPTR_SUCCESS || location.kind == VPTR_KIND_ATTACHED)
    return (vptr__usm_place){ .kind = VPTR_USM_UNKNOWN };
  return (vptr__usm_place){ VPTR_USM_DEVICE, owner, location.base, location.size };
}

static vptr__usm_place find_host(const void *ptr) {
  vptr__managed_place managed;
  if (vptr__managed_find(ptr, &managed))
    return (vptr__usm_place){ VPTR_USM_SHARED, managed.mapper, managed.base, managed.size };
  vptr__pinned_place pinned = vptr__pinned_find(ptr);
  if (pinned.kind != VPTR__PINNED_OURS)
    return (vptr__usm_place){ .kind = VPTR_USM_UNKNOWN };
  return (vptr__usm_place){ VPTR_USM_HOST, pinned.mapper, pinned.base, pinned.size };
}

vptr__usm_place vptr__usm_find(const void *ptr) {
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  return owner != NULL ? find_device(owner, ptr) : find_host(ptr);
}

/* ---- for vptr_resolve() ---------------------------------------------------------------------------------- */

static vptr_location location_of(vptr_kind kind, const void *ptr, void *base, size_t size, const vptr_mapper *owner) {
  return (vptr_location){ .base = base,
                          .offset = (uintptr_t)ptr - (uintptr_t)base,
                          .size = size,
                          .kind = kind,
                          .device = owner->device->ordinal };
}

static vptr_status locate_host_memory(const void *ptr, vptr_location *location_out, vptr_mapper **owner_out) {
  vptr__managed_place managed;
  vptr__pinned_place pinned = vptr__pinned_find(ptr);
  bool is_managed = vptr__managed_find(ptr, &managed);
  if (!is_managed && pinned.kind == VPTR__PINNED_NONE)
    return was_ours(ptr) ? VPTR_ERROR_FREED : VPTR_ERROR_UNKNOWN_ADDRESS;
  *owner_out = is_managed ? managed.mapper : pinned.mapper;
  *location_out = is_managed ? location_of(VPTR_KIND_MANAGED, ptr, managed.base, managed.size, managed.mapper)
                             : location_of(pinned.kind == VPTR__PINNED_OURS ? VPTR_KIND_HOST : VPTR_KIND_REGISTERED,
                                           ptr, pinned.base, pinned.size, pinned.mapper);
  return VPTR_SUCCESS;
}

__attribute__((constructor)) static void enter_subsystem(void) {
  static const vptr__subsystem subsystem = { .locate_host = locate_host_memory,
                                             .find_host = vptr__usm_find_for_kernel };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_USM, &subsystem);
}

/* ---- verdicts ------------------------------------------------------------------------------------------- */

static vptr_status refuse_host(const char *what, const void *ptr) {
  if (vptr__pinned_find(ptr).kind == VPTR__PINNED_REGISTERED)
    return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                       "%s: %p is memory that was registered, not allocated; vptr_usm_alloc() makes what has a kind",
                       what, ptr);
  if (was_ours(ptr))
    return vptr__error(VPTR_ERROR_FREED, "%s: %p is host memory of vptr's that was freed, or never allocated", what,
                       ptr);
  return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                     "%s: %p is no memory of vptr's; allocate it with vptr_usm_alloc(), or vptr_usm_memcpy() it",
                     what, ptr);
}

static vptr_status refuse_address(vptr_mapper *mapper, const char *what, const void *ptr, size_t size) {
  vptr_location location;
  if (ptr != NULL && vptr__mapper_owning(ptr) == NULL)
    return refuse_host(what, ptr);
  vptr_status status = vptr__mapper_locate_all(mapper, ptr, size, &location);
  if (status != VPTR_SUCCESS)
    return vptr__mapper_explain(mapper, status, what, ptr, size);
  return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                     "%s: %p lies in a buffer of the program's, attached at %p; vptr_free() detaches it", what, ptr,
                     location.base);
}

static vptr_status check_place(const vptr_mapper *mapper, const char *what, const void *ptr, size_t size,
                               const vptr__usm_place *place) {
  size_t offset = (uintptr_t)ptr - (uintptr_t)place->base;
  if (place->mapper != mapper)
    return vptr__error(VPTR_ERROR_OTHER_MAPPER,
                       "%s: %p lies in %zu bytes at %p that were allocated for another mapper, of device %d", what,
                       ptr, place->size, place->base, place->mapper->device->ordinal);
  if (size > place->size - offset)
    return vptr__error(VPTR_ERROR_OUT_OF_BOUNDS,
                       "%s: %zu bytes from %p on are needed, which begins %zu bytes before the end of the %zu at %p",
                       what, size, ptr, place->size - offset, place->size, place->base);
  return VPTR_SUCCESS;
}

vptr_status vptr__usm_check(vptr_mapper *mapper, const char *what, const void *ptr, size_t size,
                            vptr__usm_place *place_out) {
  vptr__usm_place place = vptr__usm_find(ptr);
  if (place.kind == VPTR_USM_UNKNOWN && vptr__system_takes(mapper, ptr, size))
    place = (vptr__usm_place){ VPTR_USM_SYSTEM, mapper, (void *)(uintptr_t)ptr, size };
  if (place.kind == VPTR_USM_UNKNOWN)
    return refuse_address(mapper, what, ptr, size);
  vptr_status status = check_place(mapper, what, ptr, size, &place);
  if (status == VPTR_SUCCESS)
    *place_out = place;
  return status;
}
