/* SPDX-License-Identifier: MIT */
/*
 * argument - what a virtual pointer means to a kernel.
 *
 * Where kernels take addresses, the device's own address of that very byte. Elsewhere the root buffer, retained, and
 * the byte's offset in it, which the kernel adds up. Pinned memory of the host that the device can reach has a virtual
 * address too, and means that; it is lent to the device's work first, so that freeing it waits.
 *
 * One past the end of an allocation is passed on: loops end there, and nobody may read it. All else that is no live
 * memory of this device is refused in words, since a kernel could only crash with it, or worse. No locks of its own.
 */
#include "module/state.h"

#include "base/error.h"
#include "pinned/pinned.h"

static vptr_status meaning_of(const vptr__program *program, const void *ptr, vptr__pointer_meaning *meaning_out) {
  vptr__heap *heap = program->mapper->heap;
  *meaning_out = (vptr__pointer_meaning){ .buffer = NULL };
  if (program->has_addresses)
    return vptr__heap_device_address(heap, ptr, &meaning_out->address);
  vptr_location location;
  vptr_status status = vptr__heap_retain(heap, ptr, 1, &location);
  if (status == VPTR_SUCCESS)
    *meaning_out = (vptr__pointer_meaning){ .buffer = location.buffer, .offset = location.buffer_offset };
  return status;
}

static vptr_status one_past(const vptr__program *program, const void *ptr, vptr__pointer_meaning *meaning_out) {
  vptr_status status = meaning_of(program, (const char *)ptr - 1, meaning_out);
  meaning_out->address += meaning_out->buffer == NULL;
  meaning_out->offset += meaning_out->buffer != NULL;
  return status;
}

static vptr_status host_memory(const vptr__program *program, const void *ptr, vptr__pointer_meaning *meaning_out) {
  void *device;
  vptr__pinned_lend(program->mapper, ptr, 1);
  vptr_status status = vptr__pinned_device_address(ptr, &device);
  return status == VPTR_SUCCESS ? meaning_of(program, device, meaning_out) : status;
}

static vptr_status refuse(const vptr__program *program, vptr_status status, const char *what, uint32_t index,
                          const void *ptr) {
  const vptr_mapper *other = vptr__mapper_owning(ptr);
  if (other != NULL && other != program->mapper)
    return vptr__error(VPTR_ERROR_OTHER_MAPPER,
                       "%s: argument %u, %p, is memory of device %d, and the kernel runs on device %d; copy it there",
                       what, index, ptr, other->device->ordinal, program->mapper->device->ordinal);
  if (status == VPTR_ERROR_NOT_OURS)
    return vptr__error(
        status,
        "%s: argument %u, %p, is no memory of the device; host memory must be copied, or be pinned and "
        "mapped where the device reaches it",
        what, index, ptr);
  return vptr__mapper_explain(program->mapper, status, what, ptr, 1);
}

vptr_status vptr__pointer_resolve(const vptr__program *program, const char *what, uint32_t index, const void *ptr,
                                  vptr__pointer_meaning *meaning_out) {
  if (ptr == NULL) {
    *meaning_out = (vptr__pointer_meaning){ .buffer = NULL };
    return VPTR_SUCCESS;
  }
  vptr_status status = meaning_of(program, ptr, meaning_out);
  if (status == VPTR_ERROR_PAST_END)
    status = one_past(program, ptr, meaning_out);
  else if (status == VPTR_ERROR_NOT_OURS && vptr__pinned_find(ptr).kind != VPTR__PINNED_NONE)
    return host_memory(program, ptr, meaning_out);
  if (status == VPTR_SUCCESS || status > VPTR_ERROR_INTERIOR)
    return status;
  return refuse(program, status, what, index, ptr);
}
