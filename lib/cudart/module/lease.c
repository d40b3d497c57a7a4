/* SPDX-License-Identifier: MIT */
/*
 * lease - the allocations that may leave the device and that a launch holds, until its kernel is in the queue; and the
 * kernel for those whose buffers lie apart.
 *
 * What a launch holds is its vptr__preparation's (state.h), a variable of the thread's; there is no data here, and no
 * lock. heap/lease.h says which locks a lease takes, and that it may wait for the allocation to come; program.c says so
 * of building a kernel. Called by prepare.c and launch.c.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"
#include "mapper/lookup.h"
#include "module/chain.h"

#include <string.h>

VPTR__APART void vptr__leases_give(vptr__preparation *it) {
  for (uint32_t i = 0; i < it->lease_count; i++)
    vptr__lease_give(&it->leases[i]);
  if (it->leases != it->some_leases)
    vptr__memory_free(it->leases);
}

static bool grow_leases(vptr__preparation *it) {
  uint32_t room = 2 * it->lease_room;
  vptr__lease *grown = vptr__memory_calloc(room, sizeof *grown);
  if (grown == NULL)
    return false;
  memcpy(grown, it->leases, it->lease_count * sizeof *grown);
  if (it->leases != it->some_leases)
    vptr__memory_free(it->leases);
  it->leases = grown;
  it->lease_room = room;
  return true;
}

/* Until the kernel is in its queue. Takes over the lease, however it goes. */
VPTR__APART vptr_status vptr__leases_keep(vptr__preparation *it, const vptr__lease *lease) {
  if (it->lease_count == it->lease_room && !grow_leases(it)) {
    vptr__lease_give(lease);
    return vptr__error_host_memory(2 * it->lease_room * sizeof *lease);
  }
  it->leases[it->lease_count++] = *lease;
  return VPTR_SUCCESS;
}

static vptr_status refuse_length(const vptr__preparation *it, uint32_t index, const vptr_location *location) {
  return vptr__error(
      VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
      "%s: argument %u of kernel %s lies in an allocation of %zu bytes, all of which the kernel may "
      "reach, and %s has %llu: allocate it in pieces, and launch for each, or raise VPTR_DEVICE_BYTES if "
      "that is set",
      it->launch->what, index, it->function->image->name, location->size, it->kernel->mapper->device->name,
      (unsigned long long)it->kernel->mapper->device->memory_bytes);
}

/* Of several buffers that an allocation consists of a kernel may reach each. */
VPTR__APART vptr_status vptr__leases_take_parts(vptr__preparation *it, uint32_t index, vptr_access access,
                                                const void *ptr) {
  vptr__heap *heap = it->kernel->mapper->heap;
  vptr_location whole, location;
  vptr__lease lease;
  vptr_part part;
  vptr_status status = VPTR_SUCCESS;
  if (!vptr__heap_moves(heap) || !vptr__heap_has_parts(heap))
    return status;
  if (vptr__mapper_locate(it->kernel->mapper, ptr, 1, &whole) != VPTR_SUCCESS || whole.kind != VPTR_KIND_PART)
    return VPTR_SUCCESS;
  if (whole.size > it->kernel->mapper->device->memory_bytes)
    return refuse_length(it, index, &whole);
  for (size_t at = 0; at < whole.size && status == VPTR_SUCCESS; at += part.size) {
    const void *next = (const char *)whole.base + at;
    status = access == VPTR_ACCESS_READ ? vptr__lease_take_to_read(heap, next, 1, &location, &lease)
                                        : vptr__lease_take(heap, next, 1, &location, &lease);
    if (status == VPTR_SUCCESS)
      status = vptr__leases_keep(it, &lease);
    if (status == VPTR_SUCCESS)
      status = vptr__heap_part_at(heap, next, &part);
  }
  return status;
}

/* Of a kernel that may reach any. What is freed meanwhile needs none, but others may live beside it in its buffer. */
vptr_status vptr__leases_take_all(vptr__preparation *it) {
  vptr__heap *heap = it->kernel->mapper->heap;
  vptr_status status = VPTR_SUCCESS;
  uintptr_t base = 0, live;
  while (status == VPTR_SUCCESS && vptr__heap_next_movable(heap, base, &base, &live)) {
    vptr_location location;
    vptr__lease lease;
    status = vptr__lease_take_whole(heap, (const void *)live, 1, &location, &lease);
    if (status == VPTR_SUCCESS) {
      status = vptr__leases_keep(it, &lease);
      base++;
    } else if (status <= VPTR_ERROR_INTERIOR) {
      status = VPTR_SUCCESS;
    }
  }
  return status;
}

/* ---- buffers that lie apart ----------------------------------------------------------------------------- */

VPTR__APART bool vptr__apart_has_form(const vptr__function *function) {
  return strcmp(function->image->entry, VPTR__CHAIN_ENTRY) != 0 &&
         strstr(function->module->image->text, "VPTR_APART") != NULL;
}

VPTR__APART vptr_status vptr__apart_kernel(vptr__function *function, const vptr__kernel *usual,
                                           vptr__kernel **kernel_out) {
  const vptr__program *program = usual->program;
  if (!vptr__apart_has_form(function))
    return VPTR_ERROR_UNSUPPORTED;
  vptr__error_try();
  return vptr__error_tried(vptr__kernel_get(function, usual->mapper, program->grid,
                                            (vptr__forms)(program->forms | VPTR__FORMS_APART), program->shared,
                                            kernel_out));
}
