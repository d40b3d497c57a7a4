/* SPDX-License-Identifier: MIT */
/*
 * lookup - the public calls that ask what an address means.
 *
 * The file owns nothing. Most look-ups take no lock. vptr_get_buffer(), vptr_retain_buffer() and vptr_check() take
 * vptr__heap.lock, of rank HEAP (heap/query.c); vptr_resolve(), vptr_resolve_batch() and vptr_get_parts() take it where
 * allocations may leave the device, to have the buffer stay (heap/residence.c), or where the mapper may migrate. What
 * has to be explained (explain.c) takes locks of rank LEAF for a moment, and libvptr-cudart, which is asked for host
 * memory (lookup.h), its own.
 *
 * Called by programs; by ledger.c, memory.c, trap.c, pool/reuse.c, driver/pointer.c, checkpoint/checkpoint.c and the
 * files of lib/cudart, for vptr__mapper_locate(), which takes no lock; by transfer/access.c, fill.c and seam.c, for
 * vptr__mapper_locate_all(), which takes none either. vptr_resolve() and its like wait where a buffer has to come to
 * the device.
 */
#include "mapper/lookup.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/number.h"
#include "base/subsystem.h"
#include "device/shown.h"
#include "mapper/mapper.h"

#ifdef VPTR_DEBUG
#include <stdlib.h>

/* Debug builds hold every answer against the authority. If that does not know the allocation, another thread may have
 * freed it since; but if it is still there, it always was, for no two allocations have one serial number. */
static void compare_with_tree(vptr_mapper *mapper, const vptr_location *location) {
  vptr_location next, now;
  if (vptr__heap_next(mapper->heap, (uintptr_t)location->base, &next) && next.base == location->base)
    return;
  if (vptr__directory_locate(vptr__heap_directory(mapper->heap), location->base, 1, &now) == VPTR_SUCCESS &&
      now.serial == location->serial)
    abort();
}
#else
static inline void compare_with_tree(vptr_mapper *mapper, const vptr_location *location) {
  (void)mapper;
  (void)location;
}
#endif

/* The mapper's verdict, after its directory's. */
static inline vptr_status settle_verdict(vptr_mapper *mapper, vptr_status status, const void *ptr,
                                         const vptr_location *location) {
  if (status == VPTR_SUCCESS)
    compare_with_tree(mapper, location);
  else if (status == VPTR_ERROR_UNKNOWN_ADDRESS && !vptr__directory_covers(vptr__heap_directory(mapper->heap), ptr) &&
           vptr__mapper_owning(ptr) != NULL)
    return VPTR_ERROR_OTHER_MAPPER;
  return status;
}

vptr_status vptr__mapper_locate(vptr_mapper *mapper, const void *ptr, size_t need, vptr_location *location_out) {
  vptr_status status = vptr__directory_locate(vptr__heap_directory(mapper->heap), ptr, need, location_out);
  return settle_verdict(mapper, status, ptr, location_out);
}

vptr_status vptr__mapper_locate_all(vptr_mapper *mapper, const void *ptr, size_t need, vptr_location *location_out) {
  vptr_location found;
  vptr_status status = vptr__mapper_locate(mapper, ptr, need, &found);
  if (status == VPTR_ERROR_UNSUPPORTED)
    status = vptr__mapper_locate(mapper, ptr, 1, &found);
  if (status == VPTR_SUCCESS && need > found.size - found.offset) /* another allocation's since */
    return VPTR_ERROR_OUT_OF_BOUNDS;
  if (status == VPTR_SUCCESS)
    *location_out = found;
  return status;
}

/* The object behind a handle, which the program has from now on: the mapper cannot leave the device any more. */
static vptr_status show_object(vptr_mapper *mapper, const void *ptr, size_t need, vptr_location *location) {
  vptr__lease lease;
  vptr_status status = vptr__lease_take(mapper->heap, ptr, need, location, &lease);
  if (status != VPTR_SUCCESS)
    return status;
  location->buffer = vptr__device_show_buffer(mapper->device, location->buffer);
  vptr__lease_give(&lease);
  return VPTR_SUCCESS;
}

/* A location for the program has a buffer, and one that stays. */
static vptr_status show_buffer(vptr_mapper *mapper, const void *ptr, size_t need, vptr_location *location) {
  vptr_location shown = *location;
  vptr_status status = vptr__device_check_shown(mapper->device, "a buffer at an address");
  while (status == VPTR_SUCCESS && shown.buffer == NULL) {
    status = vptr__heap_fix(mapper->heap, ptr);
    if (status == VPTR_SUCCESS)
      status = vptr__mapper_locate(mapper, ptr, need, &shown);
  }
  if (status == VPTR_SUCCESS && mapper->device->proxy != NULL)
    status = show_object(mapper, ptr, need, &shown);
  if (status == VPTR_SUCCESS)
    *location = shown;
  return status;
}

/* ---- memory of the host's ------------------------------------------------------------------------------- */

/* What was found, and the verdict on it, in silence; UNKNOWN_ADDRESS: it is none that anybody knows. */
static vptr_status locate_host(const vptr_mapper *mapper, const void *ptr, size_t need, vptr_location *found_out) {
  const vptr__subsystem *usm = vptr__subsystem_at(VPTR__SUBSYSTEM_USM);
  vptr_mapper *owner = NULL;
  if (usm == NULL || usm->locate_host == NULL)
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  vptr_status status = usm->locate_host(ptr, found_out, &owner);
  if (status != VPTR_SUCCESS)
    return status;
  if (owner != mapper)
    return VPTR_ERROR_OTHER_MAPPER;
  return need <= found_out->size - found_out->offset ? VPTR_SUCCESS : VPTR_ERROR_OUT_OF_BOUNDS;
}

static vptr_status explain_host(vptr_status status, const void *ptr, size_t need, const vptr_location *found) {
  if (status == VPTR_ERROR_FREED)
    return vptr__error(status, "vptr_resolve: %p is host memory of vptr's that was freed", ptr);
  if (status == VPTR_ERROR_OTHER_MAPPER)
    return vptr__error(status, "vptr_resolve: the %zu bytes at %p are the host's and another mapper's, of device %d",
                       found->size, found->base, found->device);
  return vptr__error(status,
                     "vptr_resolve: %zu bytes are needed, %zu bytes inside the %zu of the host's memory at %p", need,
                     found->offset, found->size, found->base);
}

/* ---- the calls ------------------------------------------------------------------------------------------ */

/* What the program is told of an allocation of several buffers is the part at the address. */
VPTR__APART static void narrow_to_part(vptr_mapper *mapper, const void *ptr, vptr_location *location) {
  const size_t reach = vptr__directory_reach(vptr__heap_directory(mapper->heap), ptr);
  location->base = (char *)location->base + location->offset - location->buffer_offset;
  location->offset = location->buffer_offset;
  location->size = location->offset + (reach < SIZE_MAX ? reach : 1); /* freed meanwhile */
}

/* Where allocations may leave: an inline view covers no address there (fast.c). */
VPTR__APART static vptr_status resolve_moving(vptr_mapper *mapper, const void *ptr, size_t need,
                                              vptr_location *location_out) {
  vptr_location found;
  vptr_status status = vptr__mapper_locate(mapper, ptr, need, &found);
  if (status == VPTR_SUCCESS)
    status = show_buffer(mapper, ptr, need, &found);
  if (status == VPTR_SUCCESS)
    *location_out = found;
  return status;
}

/* What no live allocation of the mapper has whole: bytes across a seam, memory of the host's, or an error. */
VPTR__APART static vptr_status resolve_elsewhere(vptr_mapper *meant, vptr_status status, const void *ptr, size_t need,
                                                 vptr_location *location_out) {
  if (status == VPTR_ERROR_UNSUPPORTED && vptr__heap_has_seam(meant->heap, ptr, need))
    return vptr__heap_refuse_seam(meant->heap, ptr, need);
  if (status > VPTR_ERROR_INTERIOR)
    return status;
  vptr_location found;
  vptr_status host = status == VPTR_ERROR_UNKNOWN_ADDRESS ? locate_host(meant, ptr, need, &found) : status;
  if (host == status)
    return vptr__mapper_explain(meant, status, "vptr_resolve", ptr, need);
  if (host != VPTR_SUCCESS)
    return explain_host(host, ptr, need, &found);
  *location_out = found;
  return VPTR_SUCCESS;
}

vptr_status vptr_resolve(vptr_mapper *mapper, const void *ptr, size_t need, vptr_location *location_out) {
  if (location_out == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_resolve: location_out is NULL");
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  status = meant->view.size > 0 ? vptr__mapper_locate(meant, ptr, need, location_out)
                                : resolve_moving(meant, ptr, need, location_out);
  if (status == VPTR_SUCCESS) {
    if (location_out->kind == VPTR_KIND_PART)
      narrow_to_part(meant, ptr, location_out);
    return status;
  }
  return resolve_elsewhere(meant, status, ptr, need, location_out);
}

/* A verdict of the directory's, made vptr_resolve()'s. */
static vptr_status settle_in_batch(vptr_mapper *mapper, vptr_status status, const void *ptr, size_t need,
                                   vptr_location *location) {
  status = settle_verdict(mapper, status, ptr, location);
  if (status == VPTR_SUCCESS && (location->buffer == NULL || vptr__device_has_handles(mapper->device)))
    status = show_buffer(mapper, ptr, need, location);
  if (status == VPTR_SUCCESS && location->kind == VPTR_KIND_PART)
    narrow_to_part(mapper, ptr, location);
  vptr_location found;
  if (status == VPTR_ERROR_UNKNOWN_ADDRESS && (status = locate_host(mapper, ptr, need, &found)) == VPTR_SUCCESS)
    *location = found;
  return status;
}

vptr_status vptr_resolve_batch(vptr_mapper *mapper, const void *const *ptrs, size_t count, size_t need,
                               vptr_location *locations_out, vptr_status *verdicts_out) {
  if (count != 0 && (ptrs == NULL || locations_out == NULL || verdicts_out == NULL))
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_resolve_batch: %s is NULL, and count is %zu",
                       ptrs == NULL            ? "ptrs"
                       : locations_out == NULL ? "locations_out"
                                               : "verdicts_out",
                       count);
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  vptr__directory_locate_each(vptr__heap_directory(meant->heap), ptrs, count, need, locations_out, verdicts_out);
  for (size_t i = 0; i < count; i++)
    verdicts_out[i] = settle_in_batch(meant, verdicts_out[i], ptrs[i], need, &locations_out[i]);
  return VPTR_SUCCESS;
}

/* For the program, as show_buffer(). What it is not told of may leave. */
static vptr_status find_part(vptr_mapper *mapper, const void *ptr, bool is_told, vptr_part *part_out) {
  vptr_status status = vptr__heap_part_at(mapper->heap, ptr, part_out);
  if (status != VPTR_SUCCESS || !is_told)
    return status;
  vptr_location shown = { .buffer = part_out->buffer };
  status = show_buffer(mapper, ptr, 1, &shown);
  part_out->buffer = shown.buffer;
  return status;
}

static vptr_status find_parts(vptr_mapper *mapper, const void *ptr, size_t size, vptr_part *parts_out, size_t room,
                              size_t *count_out) {
  size_t count = 0;
  for (size_t done = 0; done < size; count++) {
    vptr_part part;
    vptr_status status = find_part(mapper, (const char *)ptr + done, count < room, &part);
    if (status > VPTR_ERROR_INTERIOR)
      return status;            /* it could not come: said there */
    if (status != VPTR_SUCCESS) /* freed meanwhile */
      return vptr__mapper_explain(mapper, status, "vptr_get_parts", (const char *)ptr + done, 1);
    part.size = vptr__smaller(part.size, size - done);
    done += part.size;
    if (count < room)
      parts_out[count] = part;
  }
  *count_out = count;
  return VPTR_SUCCESS;
}

vptr_status vptr_get_parts(vptr_mapper *mapper, const void *ptr, size_t size, vptr_part *parts_out, size_t room,
                           size_t *count_out) {
  if (count_out == NULL || (room > 0 && parts_out == NULL))
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_get_parts: %s is NULL",
                       count_out == NULL ? "count_out" : "parts_out");
  if (size == 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_get_parts: the size is 0; ask for one byte at least");
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  vptr_location location;
  status = vptr__mapper_locate_all(meant, ptr, size, &location);
  return status == VPTR_SUCCESS ? find_parts(meant, ptr, size, parts_out, room, count_out)
                                : vptr__mapper_explain(meant, status, "vptr_get_parts", ptr, size);
}

static ptrdiff_t offset_of(vptr_mapper *mapper, const void *ptr) {
  vptr_location location;
  vptr_status status = vptr__mapper_locate(mapper, ptr, 1, &location);
  if (status == VPTR_SUCCESS)
    return (ptrdiff_t)location.offset;
  vptr__mapper_explain(mapper, status, "vptr_get_offset", ptr, 1);
  return -1;
}

VPTR__HOT ptrdiff_t vptr_get_offset(vptr_mapper *mapper, const void *ptr) {
  vptr_fast_extent found;
  vptr_status status;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return -1;
  return vptr__lookup_at_once(meant, ptr, &found) ? (const char *)ptr - (const char *)found.base
                                                  : offset_of(meant, ptr);
}

/* The heap knows its own addresses only; whose the others are, the registry says. */
static vptr_status explain_refusal(vptr_mapper *mapper, vptr_status status, const char *what, const void *ptr) {
  return vptr__mapper_explain(mapper, status, what, ptr, 1);
}

cl_mem vptr_get_buffer(vptr_mapper *mapper, const void *ptr) {
  vptr_status status;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return NULL;
  vptr_location location;
  cl_mem buffer = NULL;
  status = vptr__mapper_locate(meant, ptr, 1, &location);
  if (status != VPTR_SUCCESS)
    explain_refusal(meant, status, "vptr_get_buffer", ptr);
  else if (vptr__device_check_shown(meant->device, "vptr_get_buffer") == VPTR_SUCCESS &&
           vptr__heap_buffer_at_base(meant->heap, ptr, &buffer) == VPTR_SUCCESS)
    buffer = vptr__device_show_buffer(meant->device, buffer);
  return buffer;
}

vptr_status vptr_retain_buffer(vptr_mapper *mapper, const void *ptr, cl_mem *buffer_out, size_t *offset_out) {
  if (buffer_out == NULL || offset_out == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_retain_buffer: an output is NULL");
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  vptr_location location;
  status = vptr__device_check_shown(meant->device, "vptr_retain_buffer");
  if (status == VPTR_SUCCESS)
    status = vptr__heap_retain(meant->heap, ptr, 1, &location);
  if (status > VPTR_ERROR_INTERIOR)
    return status; /* it could not come, or be shown: said there */
  if (status != VPTR_SUCCESS)
    return explain_refusal(meant, status, "vptr_retain_buffer", ptr);
  *buffer_out = vptr__device_give_buffer(meant->device, location.buffer);
  *offset_out = location.buffer_offset;
  return VPTR_SUCCESS;
}

vptr_status vptr_walk(vptr_mapper *mapper, int (*visit)(const vptr_location *location, void *context),
                      void *context) {
  if (visit == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_walk: visit is NULL");
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  vptr_location location;
  uintptr_t from = 0;
  while (vptr__heap_next(meant->heap, from, &location)) {
    from = (uintptr_t)location.base + 1;
    if (vptr__device_has_handles(meant->device))
      location.buffer = NULL; /* a handle of our own */
    if (visit(&location, context) != 0)
      break;
  }
  return VPTR_SUCCESS;
}

vptr_status vptr_check(vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  return meant != NULL ? vptr__heap_check(meant->heap) : status;
}
