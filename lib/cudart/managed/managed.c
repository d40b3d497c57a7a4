/* SPDX-License-Identifier: MIT */
/*
 * managed - managed memory by either mode: allocating, freeing, finding, and bringing it to a device or the host
 * (managed.h).
 *
 * The file has no data but the hook `forget_above`, which is atomic: a function of lib/cudart/cuda's, set by a
 * constructor of cuda/managed.c. It is called before a mirror is freed, but not where that is refused; before memory in
 * place is freed, also where vptr__pinned_free() refuses that then; and not for what vptr__pinned_clear() frees. Memory
 * in place is pinned memory (pinned.h), memory by page faults is a mirror, found and kept by the address index
 * (mirror/address_index.h). The file has no lock: to find a mirror takes the address index's, of rank LEAF; to bring
 * one takes vptr__mirror.lock, of rank MIRROR; and pinned memory has those of pinned.h. Where the device refuses memory
 * in place, a mirror is made.
 *
 * Called by cudart/cuda/managed.c and usm/usm.c, which allocate and free, and by the former alone to clear all of a
 * mapper's at a reset; by cudart/cuda/advice_call.c and usm/transfer.c, which prefetch; and by cudart/cuda/pointer.c,
 * host.c, memory.c and word.c and usm/place.c, which ask what an address is. To free waits for the work that uses the
 * memory, and to bring it to a device until the bytes are there.
 */
#include "managed/managed.h"

#include <stdatomic.h>

#include "base/error.h"
#include "mirror/address_index.h"
#include "mirror/mirror.h"
#include "managed/prefetch_task.h"

/* ---- finding -------------------------------------------------------------------------------------------- */

static bool find_mirror(const void *host, vptr__managed_place *place_out) {
  size_t offset;
  vptr__mirror *mirror = vptr__address_index_has(host) ? vptr__address_index_enter(host, &offset) : NULL;
  if (mirror == NULL)
    return false;
  bool is_inside = offset < vptr__mirror_size(mirror);
  if (is_inside)
    *place_out = (vptr__managed_place){ vptr__mirror_mapper(mirror), vptr__mirror_host(mirror),
                                        vptr__mirror_size(mirror), VPTR__MANAGED_FAULTS };
  vptr__address_index_leave(mirror);
  return is_inside;
}

bool vptr__managed_find_at(const void *host, const vptr__pinned_place *pinned, vptr__managed_place *place_out) {
  if (pinned->kind == VPTR__PINNED_NONE)
    return find_mirror(host, place_out);
  bool is_managed = pinned->kind == VPTR__PINNED_OURS && (pinned->flags & VPTR__PINNED_IS_MANAGED) != 0;
  if (is_managed)
    *place_out = (vptr__managed_place){ pinned->mapper, pinned->base, pinned->size, VPTR__MANAGED_PLACE };
  return is_managed;
}

bool vptr__managed_find(const void *host, vptr__managed_place *place_out) {
  vptr__pinned_place pinned = vptr__pinned_find(host);
  return vptr__managed_find_at(host, &pinned, place_out);
}

/* ---- allocating ----------------------------------------------------------------------------------------- */

/* The device's answer for the very memory tells whether it works on it. */
static vptr_status allocate_in_place(vptr_mapper *mapper, size_t size, void **host_out) {
  void *host, *device;
  vptr_status status = vptr__pinned_allocate(mapper, size, VPTR__PINNED_IS_MANAGED, &host);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__pinned_device_address(host, &device);
  if (status == VPTR_SUCCESS)
    *host_out = host;
  else
    vptr__pinned_free(host);
  return status;
}

static vptr_status allocate_mirror(vptr_mapper *mapper, size_t size, void **host_out) {
  vptr__mirror *mirror;
  vptr_status status = vptr__mirror_create(mapper, size, &mirror);
  if (status == VPTR_SUCCESS)
    *host_out = vptr__mirror_host(mirror);
  return status;
}

vptr_status vptr__managed_allocate(vptr_mapper *mapper, size_t size, void **host_out) {
  if (vptr__managed_mode_of(mapper) == VPTR__MANAGED_FAULTS)
    return allocate_mirror(mapper, size, host_out);
  vptr__error_try();
  vptr_status status = allocate_in_place(mapper, size, host_out);
  bool is_elsewhere = status == VPTR_ERROR_UNSUPPORTED;
  vptr__error_tried(is_elsewhere ? VPTR_SUCCESS : status);
  return is_elsewhere ? allocate_mirror(mapper, size, host_out) : status;
}

/* ---- bringing ------------------------------------------------------------------------------------------- */

static vptr_status migrate_mirror(vptr__mirror *mirror, size_t offset, size_t size, vptr_mapper *to) {
  vptr_status status = vptr__mirror_acquire(mirror, to, offset, size, VPTR_ACCESS_READ, NULL);
  if (status == VPTR_SUCCESS)
    vptr__mirror_release(mirror, 0, NULL);
  return status;
}

vptr_status vptr__managed_bring(void *host, size_t size, vptr_mapper *to, vptr__stream *stream) {
  size_t offset;
  vptr__mirror *mirror = vptr__address_index_has(host) ? vptr__address_index_enter(host, &offset) : NULL;
  if (mirror == NULL)
    return VPTR_SUCCESS;
  if (to == NULL)
    return vptr__prefetch_task_send(stream, mirror, offset, size);
  vptr_status status = migrate_mirror(mirror, offset, size, to);
  vptr__address_index_leave(mirror);
  return status;
}

/* ---- freeing -------------------------------------------------------------------------------------------- */

typedef void forget_function(const void *host);

static _Atomic(forget_function *) forget_above; /* set once */

void vptr__managed_watch_frees(void (*forget)(const void *host)) {
  atomic_store(&forget_above, forget);
}

static void call_forget_hook(const void *host) {
  forget_function *forget = atomic_load(&forget_above);
  if (forget != NULL)
    forget(host);
}

static vptr_status refuse_free(const void *host) {
  vptr__managed_place place;
  if (find_mirror(host, &place) && place.base != host)
    return vptr__error(VPTR_ERROR_INTERIOR,
                       "freeing managed memory: %p lies %zu bytes inside the %zu that begin at %p", host,
                       (size_t)((uintptr_t)host - (uintptr_t)place.base), place.size, place.base);
  return vptr__error(VPTR_ERROR_FREED, "freeing managed memory: %p is being freed by another thread", host);
}

static vptr_status free_mirror(const void *host) {
  vptr__mirror *mirror = vptr__address_index_take(host);
  if (mirror == NULL)
    return refuse_free(host);
  call_forget_hook(host);
  vptr__mirror_destroy(mirror);
  return VPTR_SUCCESS;
}

vptr_status vptr__managed_free(void *host) {
  if (vptr__address_index_has(host))
    return free_mirror(host);
  if (vptr__address_index_was(host))
    return vptr__error(VPTR_ERROR_FREED, "freeing managed memory: %p was freed already", host);
  call_forget_hook(host);
  return vptr__pinned_free(host);
}

void vptr__managed_clear(const vptr_mapper *mapper) {
  vptr__mirror *mirror;
  while ((mirror = vptr__address_index_take_any(mapper)) != NULL) {
    call_forget_hook(vptr__mirror_host(mirror));
    vptr__mirror_destroy(mirror);
  }
}
