/* SPDX-License-Identifier: MIT */
/*
 * argument - what a virtual pointer means to a kernel.
 *
 * Where kernels take addresses, the device's own address of that very byte, leased where the allocation may leave the
 * device. Elsewhere the root buffer, leased, and the byte's offset in it, which the kernel adds up. What the kernel
 * only reads is leased to be read. Pinned memory of the host that the device can reach is passed at its own address
 * (device->reaches_pinned), or has a virtual one too, and means that; it is acquired for the device's work first, so
 * that freeing it waits. An address inside a managed variable means the device's copy; managed memory that
 * is kept in step by page faults has no meaning yet, as it must be acquired first (managed_pointer.c). Plain memory of
 * the process is passed as it is where kernels take it (pinned/system.h).
 *
 * One past the end of an allocation is passed on: loops end there, and nobody may read it. All else that is no live
 * memory of this device is refused in words, since a kernel could only crash with it, or worse. It has no data and no
 * lock of its own: the heap, the table of variables, the address index of mirrors and the aliases of pinned memory take
 * theirs when they are asked, and have given them back when it returns. The lease, or the entry of a mirror, that it
 * returns is its caller's to give back. Called by prepare.c for each pointer of a launch whose address on the device is
 * not known at once, and by spill.c and grid.c, for their buffers. It blocks where a managed variable or pinned memory
 * gets its address on the device.
 */
#include "module/state.h"

#include "base/error.h"
#include "mapper/host.h"
#include "pinned/pinned.h"
#include "pinned/system.h"

static vptr_status meaning_of(const vptr__program *program, vptr_access access, const void *ptr,
                              vptr__pointer_meaning *meaning_out) {
  vptr__heap *heap = program->mapper->heap;
  *meaning_out = (vptr__pointer_meaning){ .buffer = NULL };
  if (vptr__heap_is_apart(heap, ptr))
    return vptr__heap_refuse_apart(heap, ptr);
  if (program->has_addresses)
    return vptr__lease_address(heap, ptr, access, &meaning_out->address, &meaning_out->lease);
  vptr_location location;
  vptr__lease lease;
  vptr_status status = access == VPTR_ACCESS_READ ? vptr__lease_take_to_read(heap, ptr, 1, &location, &lease)
                                                  : vptr__lease_take(heap, ptr, 1, &location, &lease);
  if (status == VPTR_SUCCESS)
    *meaning_out = (vptr__pointer_meaning){ .buffer = location.buffer,
                                            .offset = location.buffer_offset,
                                            .is_read = access == VPTR_ACCESS_READ,
                                            .lease = lease };
  return status;
}

/* So many bytes behind ptr. */
static vptr_status meaning_behind(const vptr__program *program, vptr_access access, const void *ptr, size_t offset,
                                  vptr__pointer_meaning *meaning_out) {
  vptr_status status = meaning_of(program, access, ptr, meaning_out);
  if (meaning_out->buffer != NULL)
    meaning_out->offset += offset;
  else
    meaning_out->address += offset;
  return status;
}

static vptr_status host_memory(const vptr__program *program, vptr_access access, const vptr__pinned_place *place,
                               const void *ptr, vptr__pointer_meaning *meaning_out) {
  void *device;
  vptr__pinned_acquire(program->mapper, ptr, 1);
  vptr_status status =
      vptr__pinned_device_address(ptr, &device); /* marks it: its end waits for the device from now on */
  if (status == VPTR_SUCCESS && device == ptr && place->mapper == program->mapper && program->has_addresses) {
    meaning_out->address = (uintptr_t)ptr;
    return VPTR_SUCCESS;
  }
  return status == VPTR_SUCCESS ? meaning_of(program, access, device, meaning_out) : status;
}

/* Pinned memory, or one past its end. */
static vptr_status pinned_memory(const vptr__program *program, vptr_access access, const void *ptr,
                                 vptr__pointer_meaning *meaning_out) {
  vptr__pinned_place place = vptr__pinned_find(ptr);
  if (place.kind != VPTR__PINNED_NONE)
    return host_memory(program, access, &place, ptr, meaning_out);
  const char *last = (const char *)((uintptr_t)ptr - 1);
  place = vptr__pinned_find(last);
  if (place.kind == VPTR__PINNED_NONE)
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  vptr_status status = host_memory(program, access, &place, last, meaning_out);
  if (meaning_out->buffer != NULL)
    meaning_out->offset++;
  else
    meaning_out->address++;
  return status;
}

static vptr_status managed_memory(const vptr__program *program, vptr_access access, const vptr__variable *variable,
                                  const void *ptr, vptr__pointer_meaning *meaning_out) {
  void *memory;
  vptr_status status = vptr__variable_address(variable->key, program->mapper, &memory);
  if (status != VPTR_SUCCESS)
    return status;
  return meaning_behind(program, access, memory, (uintptr_t)ptr - (uintptr_t)variable->key, meaning_out);
}

/* Or one past its end. */
static vptr_status mirrored_memory(const void *ptr, vptr__pointer_meaning *meaning_out) {
  size_t offset, past = 0;
  vptr__mirror *mirror = vptr__address_index_enter(ptr, &offset);
  if (mirror == NULL) {
    past = 1;
    mirror = vptr__address_index_enter((const void *)((uintptr_t)ptr - 1), &offset);
  }
  if (mirror == NULL)
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  *meaning_out = (vptr__pointer_meaning){ .mirror = mirror, .offset = offset + past };
  if (offset + past <= vptr__mirror_size(mirror))
    return VPTR_SUCCESS;
  vptr__address_index_leave(mirror);
  return VPTR_ERROR_UNKNOWN_ADDRESS;
}

static vptr_status refuse_argument(const vptr__program *program, vptr_status status, const char *what, uint32_t index,
                                   const void *ptr) {
  const vptr_mapper *other = vptr__mapper_owning(ptr);
  if (other != NULL && other != program->mapper)
    return vptr__error(VPTR_ERROR_OTHER_MAPPER,
                       "%s: argument %u, %p, is memory of device %d, and the kernel runs on device %d; copy it there",
                       what, index, ptr, other->device->ordinal, program->mapper->device->ordinal);
  if (status == VPTR_ERROR_UNKNOWN_ADDRESS && vptr__host_check(NULL, ptr, 1) == VPTR_ERROR_FREED)
    return vptr__error(VPTR_ERROR_FREED, "%s: argument %u, %p, is pinned or managed memory that was freed", what,
                       index, ptr);
  if (status == VPTR_ERROR_UNKNOWN_ADDRESS)
    return vptr__error(
        status,
        "%s: argument %u, %p, is no memory of the device; host memory must be copied, or be pinned and "
        "mapped where the device reaches it",
        what, index, ptr);
  return vptr__mapper_explain(program->mapper, status, what, ptr, 1);
}

/* An address outside of this device's. */
static vptr_status resolve_outside_address(const vptr__program *program, vptr_access access, const void *ptr,
                                           vptr__pointer_meaning *meaning_out, vptr__managed_use *use_out) {
  vptr__variable variable;
  if (vptr__variable_managed_at(ptr, &variable)) {
    *use_out = (vptr__managed_use){ variable.key, variable.size };
    vptr__pinned_acquire(program->mapper, variable.key, 1); /* if it is pinned: freeing it waits for this kernel */
    return managed_memory(program, access, &variable, ptr, meaning_out);
  }
  vptr_status status = mirrored_memory(ptr, meaning_out);
  if (status == VPTR_ERROR_UNKNOWN_ADDRESS)
    status = pinned_memory(program, access, ptr, meaning_out);
  if (status != VPTR_ERROR_UNKNOWN_ADDRESS || !program->has_addresses || !vptr__system_acquire(program->mapper, ptr))
    return status;
  meaning_out->address = (uintptr_t)ptr;
  return VPTR_SUCCESS;
}

/* Whether a status is about the address, and not about the device. */
static bool is_verdict(vptr_status status) {
  return status != VPTR_SUCCESS && status <= VPTR_ERROR_INTERIOR;
}

vptr_status vptr__pointer_resolve(const vptr__program *program, vptr_access access, const char *what, uint32_t index,
                                  const void *ptr, vptr__pointer_meaning *meaning_out, vptr__managed_use *use_out) {
  use_out->host = NULL;
  *meaning_out = (vptr__pointer_meaning){ .buffer = NULL };
  if (ptr == NULL)
    return VPTR_SUCCESS;
  vptr_status status = meaning_of(program, access, ptr, meaning_out);
  if (!is_verdict(status))
    return status;
  if (status == VPTR_ERROR_UNKNOWN_ADDRESS) {
    vptr_status outside = resolve_outside_address(program, access, ptr, meaning_out, use_out);
    if (outside != VPTR_ERROR_UNKNOWN_ADDRESS)
      return outside;
  }
  /* What lies behind an allocation may be anything, or nothing. */
  if (meaning_behind(program, access, (const char *)ptr - 1, 1, meaning_out) == VPTR_SUCCESS)
    return VPTR_SUCCESS;
  return refuse_argument(program, status, what, index, ptr);
}
