/* SPDX-License-Identifier: MIT */
/*
 * usm - unified shared memory: vptr_usm_alloc(), vptr_usm_free(), and what can be asked about mappers and pointers.
 *
 * There is nothing new underneath: the device kind is the mapper's heap, the host kind pinned memory, the shared kind
 * managed memory. So what the CUDA runtime allocates has a kind too, and the one frees the memory of the other. Where
 * SYCL 2020 leaves a choice (section 4.8.3): no bytes give NULL; an alignment that there is not is refused; freeing
 * waits for the work that it knows of; and where kernels do not reach host memory it is allocated all the same, for
 * copies.
 *
 * libvptr sets the pointers that are arguments of the program's own OpenCL kernels, and knows nothing of host memory:
 * it asks vptr__usm_find_for_kernel() here.
 *
 * It has no locks and no data of its own; the heap, pinned memory, mirrors and, while leaks are to be told, the ledger
 * have theirs, and callers hold none of these. vptr__usm_find_for_kernel() may give pinned memory a device address, for
 * which the static `aliases.lock` of pinned/alias.c, of rank MAPPING, is held while the driver makes a buffer; for
 * plain memory it sets the atomic device->acquires_system. Called by programs: vptr_usm.h declares its functions; and
 * through base/subsystem.h by mapper/kernel_argument.c, for which place.c enters vptr__usm_find_for_kernel(). To
 * allocate may wait for the driver to pin, and to free waits for work that uses the memory; a first call starts the
 * drivers.
 */
#include <vptr/vptr_usm.h>

#include "base/error.h"
#include "mirror/address_index.h"
#include "mapper/ledger.h"
#include "module/variable.h"
#include "pinned/pinned.h"
#include "pinned/system.h"
#include "managed/managed.h"
#include "usm/place.h"

enum { PINNED_ALIGNMENT = 256 }; /* of everything that lib/cudart/pinned hands out */

static const char *name_of(vptr_usm_type kind) {
  return kind == VPTR_USM_HOST ? "host" : "shared";
}

/* ---- mappers -------------------------------------------------------------------------------------------- */

vptr_status vptr_usm_mapper(int device, vptr_mapper **mapper_out) {
  if (mapper_out == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_usm_mapper: mapper_out is NULL");
  int count = vptr__device_count();
  if (count > 0 && (device < 0 || device >= count))
    return vptr__error(VPTR_ERROR_NO_DEVICE,
                       "vptr_usm_mapper: device %d is not among the %d that were chosen, from 0", device, count);
  return vptr__mapper_for_device(device, mapper_out);
}

/* Whether it is one of the process's own: those alone have pinned memory. */
static bool is_own(const vptr_mapper *mapper) {
  vptr_mapper *own = NULL;
  int ordinal = mapper->device->ordinal;
  return ordinal >= 0 && vptr__mapper_for_device(ordinal, &own) == VPTR_SUCCESS && own == mapper;
}

/* Whether the device works on a piece of pinned memory. It is tried without an address for it: to take one back means
 * to wait for the device. */
static bool reaches_host(vptr_mapper *mapper) {
  vptr__device *device = mapper->device;
  void *host;
  cl_mem buffer;
  if (device->reaches_pinned)
    return true;
  if (vptr__pinned_allocate(mapper, 1, 0, &host) != VPTR_SUCCESS)
    return false;
  bool reaches = device->ops->memory.share_host(device, host, 1, &buffer) == VPTR_SUCCESS;
  if (reaches)
    device->ops->memory.release(device, buffer);
  vptr__pinned_free(host);
  return reaches;
}

int vptr_usm_supports(vptr_mapper *mapper, vptr_usm_type kind) {
  if (vptr__usm_mapper_of(&mapper) != VPTR_SUCCESS)
    return 0;
  vptr__error_try();
  bool supports = kind == VPTR_USM_DEVICE || (kind == VPTR_USM_SHARED && is_own(mapper)) ||
                  (kind == VPTR_USM_HOST && is_own(mapper) && reaches_host(mapper)) ||
                  (kind == VPTR_USM_SYSTEM && mapper->device->ops->memory.takes_system(mapper->device));
  vptr__error_tried(VPTR_SUCCESS);
  return supports;
}

/* ---- allocating ----------------------------------------------------------------------------------------- */

static vptr_status check_alignment(const vptr_mapper *mapper, vptr_usm_type kind, size_t alignment) {
  size_t most = kind == VPTR_USM_DEVICE ? mapper->heap_config.alignment : (size_t)PINNED_ALIGNMENT;
  if ((alignment & (alignment - 1)) != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_usm_alloc: an alignment of %zu bytes is no power of two",
                       alignment);
  if (alignment <= most)
    return VPTR_SUCCESS;
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED, "vptr_usm_alloc: an alignment of %zu bytes is more than the %zu that there are; %s",
      alignment, most,
      kind == VPTR_USM_DEVICE ? "vptr_config.alignment of a mapper can be more" : "allocate more, and begin inside");
}

static vptr_status check_request(const vptr_mapper *mapper, vptr_usm_type kind, size_t alignment) {
  if (kind != VPTR_USM_DEVICE && kind != VPTR_USM_HOST && kind != VPTR_USM_SHARED)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_usm_alloc: kind %d cannot be allocated; VPTR_USM_DEVICE, _HOST and _SHARED can",
                       (int)kind);
  vptr_status status = check_alignment(mapper, kind, alignment);
  if (status != VPTR_SUCCESS || kind == VPTR_USM_DEVICE || is_own(mapper))
    return status;
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "vptr_usm_alloc: %s memory is for NULL and the mappers of vptr_usm_mapper(), and this one was "
                     "made with vptr_mapper_create(); it has device memory",
                     name_of(kind));
}

static vptr_status allocate_usm(vptr_mapper *mapper, vptr_usm_type kind, size_t size, const void *site,
                                void **ptr_out) {
  switch (kind) {
  case VPTR_USM_HOST:
    return vptr__pinned_allocate(mapper, size, 0, ptr_out);
  case VPTR_USM_SHARED:
    return vptr__managed_allocate(mapper, size, ptr_out);
  default:
    return vptr__mapper_allocate_for_program(mapper, size, site, ptr_out);
  }
}

vptr_status vptr_usm_alloc(vptr_mapper *mapper, vptr_usm_type kind, size_t size, size_t alignment, void **ptr_out) {
  if (ptr_out == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_usm_alloc: ptr_out is NULL");
  vptr_status status = vptr__usm_mapper_of(&mapper);
  if (status == VPTR_SUCCESS)
    status = check_request(mapper, kind, alignment);
  void *made = NULL;
  if (status == VPTR_SUCCESS && size > 0)
    status = allocate_usm(mapper, kind, size, __builtin_return_address(0), &made);
  if (made != NULL && kind != VPTR_USM_DEVICE)
    vptr__ledger_enter(kind == VPTR_USM_HOST ? VPTR__LEDGER_PINNED : VPTR__LEDGER_MANAGED, mapper, made, size,
                       __builtin_return_address(0));
  if (status == VPTR_SUCCESS)
    *ptr_out = made;
  return status;
}

/* ---- freeing -------------------------------------------------------------------------------------------- */

/* vptr_free() would detach a buffer of the program's, and drop what host memory is to the device. */
static vptr_status free_device(vptr_mapper *mapper, void *ptr) {
  vptr_location location;
  if (vptr__mapper_locate(mapper, ptr, 1, &location) == VPTR_SUCCESS && location.kind == VPTR_KIND_ATTACHED)
    return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                       "vptr_usm_free: %p is no allocation but a buffer, attached at %p; vptr_free() detaches it",
                       ptr, location.base);
  return vptr_free(mapper, ptr);
}

static vptr_status free_host(const vptr_mapper *mapper, void *ptr) {
  vptr__usm_place place = vptr__usm_find(ptr);
  if (place.kind != VPTR_USM_UNKNOWN && place.mapper != mapper)
    return vptr__error(VPTR_ERROR_OTHER_MAPPER,
                       "vptr_usm_free: %p was allocated for another mapper, of device %d; free it there", ptr,
                       place.mapper->device->ordinal);
  return place.kind == VPTR_USM_HOST ? vptr__pinned_free(ptr) : vptr__managed_free(ptr);
}

vptr_status vptr_usm_free(vptr_mapper *mapper, void *ptr) {
  if (ptr == NULL)
    return VPTR_SUCCESS;
  vptr_status status = vptr__usm_mapper_of(&mapper);
  if (status != VPTR_SUCCESS)
    return status;
  return vptr__mapper_owning(ptr) != NULL ? free_device(mapper, ptr) : free_host(mapper, ptr);
}

/* ---- questions ------------------------------------------------------------------------------------------ */

vptr_usm_type vptr_usm_kind(vptr_mapper *mapper, const void *ptr) {
  if (vptr__usm_mapper_of(&mapper) != VPTR_SUCCESS)
    return VPTR_USM_UNKNOWN;
  vptr__usm_place place = vptr__usm_find(ptr);
  if (place.kind != VPTR_USM_UNKNOWN)
    return place.mapper == mapper ? place.kind : VPTR_USM_UNKNOWN;
  return vptr__system_takes(mapper, ptr, 1) ? VPTR_USM_SYSTEM : VPTR_USM_UNKNOWN;
}

vptr_status vptr_usm_device(vptr_mapper *mapper, const void *ptr, int *device_out) {
  vptr__usm_place place;
  if (device_out == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_usm_device: device_out is NULL");
  vptr_status status = vptr__usm_mapper_of(&mapper);
  if (status == VPTR_SUCCESS)
    status = vptr__usm_check(mapper, "vptr_usm_device", ptr, 1, &place);
  if (status == VPTR_SUCCESS && place.kind == VPTR_USM_SYSTEM)
    return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                       "vptr_usm_device: %p is plain memory of the process, which is no device's; vptr_usm_kind() "
                       "tells it apart",
                       ptr);
  if (status == VPTR_SUCCESS)
    *device_out = mapper->device->ordinal;
  return status;
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

static vptr_status refuse_copied(const vptr_mapper *mapper, const char *what, const void *host) {
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s: managed memory such as %p must be brought to %s for each kernel, which only launches do; use "
      "device memory, or launch the kernel by <vptr/cuda/vptr_kernel.h>",
      what, host, mapper->device->name);
}

/* Whether it is a byte of a __managed__ variable, whose copies only launches keep alike. */
static bool is_variable(const void *host) {
  vptr__variable variable;
  return vptr__variable_managed_at(host, &variable) && (uintptr_t)host - (uintptr_t)variable.key < variable.size;
}

/* Plain memory as a kernel's argument means itself, or nothing. */
static vptr_status find_plain(vptr_mapper *mapper, const char *what, const void *host, void **device_out) {
  if (!vptr__system_acquire(mapper, host))
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  if (is_variable(host))
    return refuse_copied(mapper, what, host);
  *device_out = (void *)(uintptr_t)host;
  return VPTR_SUCCESS;
}

/* Registered memory is found as well: what counts is that the device works on it. */
vptr_status vptr__usm_find_for_kernel(vptr_mapper *mapper, const char *what, const void *host, void **device_out) {
  vptr__pinned_place place = vptr__pinned_find(host);
  if (vptr__address_index_has(host))
    return refuse_copied(mapper, what, host);
  if (place.kind == VPTR__PINNED_NONE)
    return find_plain(mapper, what, host, device_out);
  if (place.mapper != mapper)
    return vptr__error(VPTR_ERROR_OTHER_MAPPER,
                       "%s: %p is host memory for device %d, and the kernel is for device %d", what, host,
                       place.mapper->device->ordinal, mapper->device->ordinal);
  return vptr__pinned_device_address(host, device_out);
}
