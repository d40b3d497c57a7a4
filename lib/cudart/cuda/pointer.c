/* SPDX-License-Identifier: MIT */
/*
 * pointer - what an address stands for, in CUDA's terms.
 *
 * Libraries that take any memory (MPI, UCX) ask this for every buffer that they are handed, host memory most of all. So
 * it is a look-up that says nothing of what is wrong, and it opens no device: an address is recognised by the
 * reservation it lies in, and where no mapper was made yet, there is no such address. Pinned memory is recognised by
 * its region. They are looked for in the order of what that costs: live memory of the first device, without a call;
 * pinned memory; the rest. For these two no lock is taken, but for the device address of pinned memory, to find or make
 * it and the way back to the host's, that of `aliases`, of rank MAPPING (pinned/alias.h); what is neither may be
 * managed memory by page faults or a __managed__ variable, whose tables have locks of rank LEAF. While units wait for
 * memory (unit.h), they are tried before variables are looked up, under the lock of rank UNIT. On devices that take
 * plain memory, what is that is asked of the system (pinned/system.h): kernels may use it by its own address, and CUDA
 * calls that its device address.
 *
 * The file has no data. Called by programs; by advice_call.c, copy.c and set.c, which ask about managed variables; and
 * by driver/pointer.c and cusolver/call.c.
 */
#include "cuda/pointer.h"

#include "base/hot.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/managed.h"
#include "cuda/thread.h"
#include "cuda/unit.h"
#include "managed/managed.h"
#include "mapper/lookup.h"
#include "mapper/mapper.h"
#include "mapper/registry.h"
#include "module/variable.h"
#include "pinned/pinned.h"
#include "pinned/system.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* One past the end is a kernel's, but no byte of it. */
static bool find_variable(const void *ptr, vptr__cuda_managed *found_out) {
  vptr__variable variable;
  if (vptr__registry_is_forked()) /* whoever holds the lock of variables may not be here */
    return false;
  if (vptr__cuda_unit_waits())
    vptr__cuda_unit_try_all();
  if (!vptr__variable_managed_at(ptr, &variable) || (uintptr_t)ptr - (uintptr_t)variable.key >= variable.size)
    return false;
  *found_out = (vptr__cuda_managed){ variable.key, variable.size, NULL };
  return true;
}

bool vptr__cuda_is_variable(const void *ptr, size_t size) {
  vptr__cuda_managed found;
  return find_variable(ptr, &found) && size <= found.size - (size_t)((uintptr_t)ptr - (uintptr_t)found.base);
}

bool vptr__cuda_managed_at(const void *ptr, vptr__cuda_managed *found_out) {
  vptr__managed_place place;
  if (!vptr__managed_find(ptr, &place))
    return find_variable(ptr, found_out);
  *found_out = (vptr__cuda_managed){ place.base, place.size, place.mapper };
  return true;
}

/* Whether kernels of the current device take plain memory as it is. One that was not opened yet takes nothing. */
static bool is_taken(const void *ptr) {
  vptr_mapper *here = vptr__cuda_at_hand();
  if (here == NULL && !vptr__registry_is_forked())
    here = vptr__mapper_made(vptr__cuda_current_device());
  return here != NULL && vptr__system_takes(here, ptr, 1);
}

static void describe_host(struct cudaPointerAttributes *attributes, const void *ptr) {
  attributes->type = cudaMemoryTypeUnregistered;
  attributes->device = cudaInvalidDeviceId;
  attributes->devicePointer = is_taken(ptr) ? (void *)(uintptr_t)ptr : NULL;
  attributes->hostPointer = (void *)(uintptr_t)ptr;
}

/* A device that vptr_config named and that is none of the chosen ones has no ordinal. Kernels of another device than
 * the memory's do not reach it, which CUDA says by no device address. */
static void describe_device(struct cudaPointerAttributes *attributes, const void *ptr, int ordinal) {
  bool is_elsewhere = ordinal >= 0 && ordinal != vptr__cuda_current_device();
  attributes->type = cudaMemoryTypeDevice;
  attributes->device = ordinal >= 0 ? ordinal : cudaInvalidDeviceId;
  attributes->devicePointer = is_elsewhere ? NULL : (void *)(uintptr_t)ptr;
  attributes->hostPointer = NULL;
}

/* As in CUDA, the device address is told at once: where kernels do not reach the memory at its own address, the first
 * question makes one, as cudaHostGetDevicePointer() does, and later ones find it. */
static void describe_pinned(struct cudaPointerAttributes *attributes, const void *ptr,
                            const vptr__pinned_place *place) {
  attributes->type = cudaMemoryTypeHost;
  attributes->device = place->mapper->device->ordinal;
  attributes->devicePointer = vptr__pinned_known_address(place, ptr);
  attributes->hostPointer = (void *)(uintptr_t)ptr;
}

/* Of a __managed__ variable, which is of all devices, CUDA names the one whose module it came with. */
static void describe_managed(struct cudaPointerAttributes *attributes, const void *ptr, const vptr_mapper *mapper) {
  attributes->type = cudaMemoryTypeManaged;
  attributes->device = mapper != NULL ? mapper->device->ordinal : vptr__cuda_current_device();
  attributes->devicePointer = (void *)(uintptr_t)ptr;
  attributes->hostPointer = (void *)(uintptr_t)ptr;
}

/* Attached memory may be the host's own. */
static void describe_attached(struct cudaPointerAttributes *attributes, const void *ptr, int ordinal) {
  void *host = vptr__pinned_host_address(ptr);
  describe_device(attributes, ptr, ordinal);
  if (host == NULL)
    return;
  attributes->type = cudaMemoryTypeHost;
  attributes->hostPointer = host;
}

static void describe_owned(struct cudaPointerAttributes *attributes, const void *ptr, vptr_mapper *owner) {
  vptr_location location;
  if (vptr__lookup_is_ours_at_once(owner, ptr))
    describe_device(attributes, ptr, owner->device->ordinal);
  else if (vptr__mapper_locate(owner, ptr, 1, &location) != VPTR_SUCCESS)
    describe_host(attributes, ptr);
  else if (location.kind == VPTR_KIND_ATTACHED)
    describe_attached(attributes, ptr, location.device);
  else
    describe_device(attributes, ptr, location.device);
}

/* What is neither the usual mapper's nor pinned. */
VPTR__APART static void describe_rare(struct cudaPointerAttributes *attributes, const void *ptr,
                                      const vptr__pinned_place *none) {
  vptr__cuda_managed variable;
  vptr__managed_place managed;
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  if (owner != NULL)
    describe_owned(attributes, ptr, owner);
  else if (vptr__managed_find_at(ptr, none, &managed))
    describe_managed(attributes, ptr, managed.mapper);
  else if (find_variable(ptr, &variable))
    describe_managed(attributes, ptr, NULL);
  else
    describe_host(attributes, ptr);
}

/* No pinned memory is a mapper's, so it can be asked for first. */
static void describe_other(struct cudaPointerAttributes *attributes, const void *ptr) {
  vptr__managed_place managed;
  vptr__pinned_place place = vptr__pinned_find(ptr);
  if (place.kind == VPTR__PINNED_NONE)
    describe_rare(attributes, ptr, &place);
  else if (vptr__managed_find_at(ptr, &place, &managed))
    describe_managed(attributes, ptr, managed.mapper);
  else
    describe_pinned(attributes, ptr, &place);
}

/* Where nothing was asked of the first device yet, or nothing can be answered. */
VPTR__APART static cudaError_t check_question(const struct cudaPointerAttributes *attributes) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && attributes == NULL)
    error = vptr__cuda_null_output("cudaPointerGetAttributes", "attributes");
  return error;
}

/* Most memory that is asked for is the usual mapper's. Where there is that, there is a device, and nothing has to be
 * known of the thread. */
static cudaError_t get_attributes(struct cudaPointerAttributes *attributes, const void *ptr) {
  const vptr_mapper *usual = atomic_load_explicit(&vptr__mapper_usual, memory_order_acquire);
  cudaError_t error = usual != NULL && attributes != NULL ? cudaSuccess : check_question(attributes);
  if (error != cudaSuccess)
    return error;
  if (usual != NULL && vptr__lookup_is_ours_at_once(usual, ptr))
    describe_device(attributes, ptr, usual->device->ordinal);
  else
    describe_other(attributes, ptr);
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr) {
  return vptr__cuda_record(get_attributes(attributes, ptr));
}
