/* SPDX-License-Identifier: MIT */
/*
 * bounds - checking a range of host memory against pinned and managed memory, and saying what is wrong (bounds.h).
 *
 * There is no data here. It asks the registry of regions (region.h) without a lock; only for an address that may have
 * been managed memory, or pinned memory that was unmapped, does it take the lock of mirror/tombstones.c, of rank LEAF.
 * Called through base/subsystem.h (mapper/host.h), by copies and fills, for each end in host memory: pinned.c enters
 * vptr__bounds_classify() there. Nothing blocks.
 */
#include "pinned/bounds.h"

#include "base/error.h"
#include "base/hot.h"
#include "mirror/address_index.h"
#include "pinned/pinned.h"
#include "pinned/region.h"

static vptr_status refuse_freed(const char *what, const void *ptr) {
  if (what == NULL)
    return VPTR_ERROR_FREED;
  return vptr__error(VPTR_ERROR_FREED,
                     "%s: %p is pinned or managed memory that was freed, or lies behind the end of some", what, ptr);
}

static vptr_status refuse_length(const char *what, const void *ptr, size_t size, const vptr__pinned_place *place) {
  if (what == NULL)
    return VPTR_ERROR_OUT_OF_BOUNDS;
  size_t offset = (uintptr_t)ptr - (uintptr_t)place->base;
  return vptr__error(
      VPTR_ERROR_OUT_OF_BOUNDS,
      "%s: %zu bytes from %p on are needed, which begins %zu bytes before the end of the %zu of pinned or "
      "managed memory at %p",
      what, size, ptr, place->size - offset, place->size, place->base);
}

static vptr_status refuse_run(const char *what, const void *ptr, size_t size) {
  if (what == NULL)
    return VPTR_ERROR_INVALID_ARGUMENT;
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "%s: the host range of %zu bytes from %p runs into pinned or managed memory; check its size",
                     what, size, ptr);
}

/* Whose last byte is vptr's, and not the first one's. */
static bool runs_into_ours(const void *ptr, size_t size, const vptr__region *first) {
  const void *last = (const char *)ptr + (size - 1);
  const vptr__region *region = vptr__region_of(last);
  return (region != NULL && region != first && atomic_load(&region->kind) != VPTR__REGION_REGISTERED) ||
         vptr__address_index_has(last);
}

/* What is not simply within its allocation. */
VPTR__APART static vptr_status classify_rest(const char *what, const void *ptr, size_t size) {
  const vptr__region *region = vptr__region_of(ptr);
  vptr__pinned_place place = vptr__pinned_find(ptr);
  if (place.kind == VPTR__PINNED_OURS)
    return size <= place.size - ((uintptr_t)ptr - (uintptr_t)place.base) ? VPTR_SUCCESS
                                                                         : refuse_length(what, ptr, size, &place);
  if (place.kind == VPTR__PINNED_NONE && vptr__address_index_has(ptr))
    return VPTR_SUCCESS;
  if (place.kind == VPTR__PINNED_NONE && (region != NULL || vptr__address_index_was(ptr)))
    return refuse_freed(what, ptr);
  return runs_into_ours(ptr, size, region) ? refuse_run(what, ptr, size) : VPTR_SUCCESS;
}

VPTR__HOT vptr_status vptr__bounds_classify(const char *what, const void *ptr, size_t size) {
  return vptr__region_has_near(ptr, size) || vptr__pinned_is_piece(ptr, size) ? VPTR_SUCCESS
                                                                              : classify_rest(what, ptr, size);
}
