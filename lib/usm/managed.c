/* SPDX-License-Identifier: MIT */
/* managed - see managed.h. */
#include "usm/managed.h"

#include <stdatomic.h>

#include "base/error.h"
#include "module/variable.h"

enum { IS_MANAGED = 8 /* among the flags of pinned memory; lib/cuda uses those below */ };

bool vptr__managed_is(const vptr__pinned_place *place) {
  return place->kind == VPTR__PINNED_OURS && (place->flags & IS_MANAGED) != 0;
}

bool vptr__managed_find(const void *host, vptr__managed_place *place_out) {
  vptr__pinned_place place = vptr__pinned_find(host);
  bool is_managed = vptr__managed_is(&place);
  if (is_managed)
    *place_out = (vptr__managed_place){ place.mapper, place.base, place.size };
  return is_managed;
}

bool vptr__managed_is_copied(const void *host) {
  vptr__variable variable;
  return vptr__variable_managed_at(host, &variable);
}

/* ---- allocating ----------------------------------------------------------------------------------------- */

/* Whether kernels can work on host memory, which the device's answer for the very memory then tells for sure. Memory in
 * place is its own device's; where there are several, each gets copies of what it uses. */
static bool may_work_in_place(const vptr_mapper *mapper) {
  return vptr__device_count() == 1 && (mapper->device->host_unified || mapper->device->reaches_pinned);
}

/* Makes memory reachable to kernels: in place if the device can, else by copies. */
static vptr_status introduce(vptr_mapper *mapper, void *host, size_t size, const void *site) {
  void *device;
  const vptr__variable variable = {
    .key = host, .name = "managed memory", .size = size, .site = site, .is_managed = true
  };
  vptr__error_try();
  bool in_place = may_work_in_place(mapper) && vptr__pinned_device_address(host, &device) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  return in_place ? VPTR_SUCCESS : vptr__variable_register(&variable);
}

vptr_status vptr__managed_allocate(vptr_mapper *mapper, size_t size, const void *site, void **host_out) {
  void *host;
  vptr_status status = vptr__pinned_allocate(mapper, size, IS_MANAGED, &host);
  if (status != VPTR_SUCCESS)
    return status;
  status = introduce(mapper, host, size, site);
  if (status != VPTR_SUCCESS) {
    vptr__pinned_free(host);
    return status;
  }
  *host_out = host;
  return VPTR_SUCCESS;
}

/* ---- freeing -------------------------------------------------------------------------------------------- */

typedef void forget_function(const void *host);

static _Atomic(forget_function *) forget_above; /* set once */

void vptr__managed_watch_frees(void (*forget)(const void *host)) {
  atomic_store(&forget_above, forget);
}

/* Forgotten first, so that whoever gets the address next can be known by it; and known again if it could not be freed.
 * Whoever makes it forgotten is the one who frees: of two threads the other one is late, and must not bring it back. */
static vptr_status free_copied(void *host) {
  vptr__variable variable;
  if (!vptr__variable_find(host, &variable) || !vptr__variable_forget(host))
    return vptr__error(VPTR_ERROR_FREED, "freeing managed memory: %p is being freed by another thread", host);
  variable.places = NULL;
  variable.place_count = 0;
  vptr_status status = vptr__pinned_free(host);
  vptr__managed_place place;
  if (status != VPTR_SUCCESS && vptr__managed_find(host, &place) && place.base == host)
    vptr__variable_register(&variable);
  return status;
}

vptr_status vptr__managed_free(void *host) {
  vptr__variable variable;
  forget_function *forget = atomic_load(&forget_above);
  if (forget != NULL)
    forget(host);
  return vptr__variable_find(host, &variable) ? free_copied(host) : vptr__pinned_free(host);
}

static bool is_of(const vptr__variable *variable, void *context) {
  vptr__pinned_place place = vptr__pinned_find(variable->key);
  return vptr__managed_is(&place) && place.mapper == context;
}

void vptr__managed_forget_all(const vptr_mapper *mapper) {
  const void *key;
  while ((key = vptr__variable_find_if(is_of, (void *)(uintptr_t)mapper)) != NULL)
    vptr__variable_forget(key);
}
