/* SPDX-License-Identifier: MIT */
/*
 * kernel_argument - sets virtual pointers as arguments of OpenCL kernels.
 *
 * A __global pointer argument takes a buffer, from its first byte. A virtual pointer is a root buffer and an offset, so
 * it takes one of these, the first that does:
 *
 *     offset 0                     the root buffer: every device, nothing made, nothing to outlive (but see
 *                                  may_be_spoiled())
 *     the device has addresses     its address of the very byte: any offset, nothing made either
 *     start of an allocation       a sub-buffer, which the heap keeps until the allocation is freed
 *
 * Sub-buffers come last: they cost an object for each allocation, and drivers are at their weakest where one kernel
 * gets several of one parent. They are not made for places inside an allocation: a kernel does not retain its
 * arguments, so each would have to be kept until the free. vptr_set_kernel_arg_pair() hands out the root buffer and the
 * offset themselves, which works everywhere, but the kernel must be written for it.
 *
 * Host memory that the device works on in place has an address among the mapper's too, and means that; or it is reached
 * where it lies: pinned memory (device->reaches_pinned), any memory (device->ops->memory.takes_system). Managed memory
 * that page faults keep is refused with UNSUPPORTED, since only launches bring it to the device. The first allocation
 * of a slab has offset 0, but is passed by its address where that is known, as its neighbours are.
 *
 * An address that is known already is found without a call (device_address.h). Where a buffer is handed out, it is
 * leased during the call, so a racing free gives a status and never a released object. The file has no data: what is
 * known is the heap's, and device->gave_address is atomic. It takes no lock of its own; a pointer whose address is not
 * known yet, and the end of a lease, take vptr__heap.lock, of rank HEAP (heap/query.c, lease.c). OpenCL makes the
 * caller serialise calls on one kernel. Called by programs, and by cudart/module/program.c, which wants a view of a
 * mapper's addresses.
 */
#include "base/error.h"
#include "base/hot.h"
#include "base/subsystem.h"
#include "device/shown.h"
#include "mapper/device_address.h"
#include "mapper/mapper.h"

vptr__address_view vptr__address_view_of(const vptr_mapper *mapper) {
  return (vptr__address_view){ .fast = mapper->view, .known = vptr__heap_directory(mapper->heap)->addresses };
}

/* Says a verdict about ptr in words; any other status has been said where it was found. */
static vptr_status refuse_pointer(vptr_mapper *mapper, vptr_status status, const char *what, const void *ptr) {
  return status > VPTR_ERROR_INTERIOR ? status : vptr__mapper_explain(mapper, status, what, ptr, 1);
}

/* Finds what an address that is none of the mapper's means to its device. */
static vptr_status find_on_host(vptr_mapper *mapper, const char *what, const void *ptr, void **device_out) {
  const vptr__subsystem *usm = vptr__subsystem_at(VPTR__SUBSYSTEM_USM);
  if (vptr__directory_covers(vptr__heap_directory(mapper->heap), ptr) || usm == NULL || usm->find_host == NULL ||
      vptr__mapper_owning(ptr) != NULL)
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  return usm->find_host(mapper, what, ptr, device_out);
}

/* Holds the root buffer of *ptr, which becomes an address of the mapper's; or says why not. */
static vptr_status hold_buffer(vptr_mapper *mapper, const char *what, const void **ptr, vptr_location *location_out,
                               vptr__lease *lease_out) {
  vptr_status status = vptr__heap_fix(mapper->heap, *ptr);
  if (status == VPTR_SUCCESS)
    status = vptr__lease_take(mapper->heap, *ptr, 1, location_out, lease_out);
  if (status == VPTR_ERROR_UNKNOWN_ADDRESS) {
    void *device;
    vptr_status found = find_on_host(mapper, what, *ptr, &device);
    if (found != VPTR_SUCCESS && found != VPTR_ERROR_UNKNOWN_ADDRESS)
      return found;
    if (found == VPTR_SUCCESS && device == *ptr)
      return vptr__error(VPTR_ERROR_UNSUPPORTED,
                         "%s: %p is host memory, which %s reaches by its address alone; use vptr_set_kernel_arg()",
                         what, *ptr, mapper->device->name);
    if (found == VPTR_SUCCESS) {
      *ptr = device;
      status = vptr__lease_take(mapper->heap, device, 1, location_out, lease_out);
    }
  }
  return status == VPTR_SUCCESS ? status : refuse_pointer(mapper, status, what, *ptr);
}

static vptr_mapper *mapper_for_kernel(vptr_mapper *mapper, cl_kernel kernel, const char *what,
                                      vptr_status *status_out) {
  if (kernel == NULL) {
    *status_out =
        vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the kernel is NULL; make it with clCreateKernel()", what);
    return NULL;
  }
  vptr_mapper *meant = vptr__mapper_of(mapper, status_out);
  if (meant != NULL && (*status_out = vptr__device_check_shown(meant->device, what)) != VPTR_SUCCESS)
    return NULL;
  if (meant == NULL || meant->device->proxy == NULL)
    return meant;
  *status_out =
      vptr__error(VPTR_ERROR_UNSUPPORTED,
                  "%s: what the mapper has on %s can go to another device, and kernels of the program's own "
                  "cannot: make the mapper without VPTR_CONFIG_MIGRATE, or give the kernel the buffer that "
                  "vptr_resolve() tells, which keeps the mapper where it is",
                  what, meant->device->name);
  return NULL;
}

static vptr_status set_base_buffer(vptr_mapper *mapper, cl_kernel kernel, cl_uint index, const void *ptr) {
  cl_mem buffer;
  vptr_status status = vptr__heap_buffer_at_base(mapper->heap, ptr, &buffer);
  if (status != VPTR_SUCCESS)
    return status;
  return mapper->device->ops->kernel.arg_buffer(mapper->device, kernel, index, buffer);
}

/* NVIDIA's driver (580) refuses to launch a kernel (CL_INVALID_KERNEL_ARGS) with a buffer as an argument that was set
 * to an address before. Nobody can ask a kernel for its arguments, so from the first address on all are addresses; but
 * NULL is not, since that driver takes it for an address and leaves the one before in its place: such a launch is
 * refused. */
static bool may_be_spoiled(vptr__device *device) {
  return device->quirk.spoils_buffers && atomic_load_explicit(&device->gave_address, memory_order_relaxed);
}

static vptr_status set_address(vptr__device *device, cl_kernel kernel, cl_uint index, uint64_t address) {
  if (device->quirk.spoils_buffers)
    atomic_store_explicit(&device->gave_address, true, memory_order_relaxed);
  return device->ops->kernel.arg_address(device, kernel, index, address);
}

static vptr_status set_place(vptr_mapper *mapper, const char *what, cl_kernel kernel, cl_uint index, const void *ptr,
                             const vptr_location *location) {
  vptr__device *device = mapper->device;
  if (location->buffer_offset == 0 && !may_be_spoiled(device))
    return device->ops->kernel.arg_buffer(device, kernel, index, location->buffer);
  uint64_t address;
  vptr__error_try(); /* that a device has no addresses is no error yet: there is one means more */
  vptr_status status = vptr__heap_device_address(mapper->heap, ptr, &address);
  vptr__error_tried(status == VPTR_ERROR_UNSUPPORTED ? VPTR_SUCCESS : status);
  if (status == VPTR_SUCCESS)
    return set_address(device, kernel, index, address);
  if (status != VPTR_ERROR_UNSUPPORTED)
    return status;
  if (location->offset == 0)
    return set_base_buffer(mapper, kernel, index, ptr);
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "%s: %s takes no addresses, and %p lies %zu bytes inside its allocation; pass the allocation's "
                     "start, %p, or use vptr_set_kernel_arg_pair()",
                     what, device->name, ptr, location->offset, location->base);
}

/* Whether ptr is passed as an address that is known: no object is handed out then, and nothing is to be held. */
VPTR__HOT static inline bool is_address(const vptr__address_view *view, vptr__device *device, const void *ptr,
                                        uint64_t *address_out) {
  if (vptr__address_is_whole(view, ptr) && !may_be_spoiled(device))
    return false;
  return vptr__address_find(view, ptr, address_out);
}

/* All but what is_address() knows. Not rare: a buffer that one allocation has for itself comes here. */
VPTR__APART static vptr_status set_pointer(vptr_mapper *mapper, const char *what, cl_kernel kernel, cl_uint index,
                                           const void *ptr) {
  vptr__device *device = mapper->device;
  if (ptr == NULL)
    return device->ops->kernel.arg_buffer(device, kernel, index, NULL);
  void *meant = NULL;
  vptr_status status = find_on_host(mapper, what, ptr, &meant);
  if (status == VPTR_SUCCESS && meant == ptr)
    return set_address(device, kernel, index, (uintptr_t)meant);
  if (status == VPTR_SUCCESS)
    ptr = meant;
  else if (status != VPTR_ERROR_UNKNOWN_ADDRESS)
    return status;
  vptr_location location;
  vptr__lease lease;
  status = hold_buffer(mapper, what, &ptr, &location, &lease);
  if (status != VPTR_SUCCESS)
    return status;
  status = set_place(mapper, what, kernel, index, ptr, &location);
  if (status != VPTR_SUCCESS)
    status = refuse_pointer(mapper, status, what, ptr); /* freed meanwhile */
  vptr__lease_give(&lease);
  return status;
}

/* In one loop that has the view in registers. */
VPTR__HOT static inline vptr_status set_each(vptr_mapper *mapper, const char *what, cl_kernel kernel, cl_uint first,
                                             const void *const *ptrs, cl_uint count) {
  const vptr__address_view view = vptr__address_view_of(mapper);
  vptr_status status = VPTR_SUCCESS;
  uint64_t address;
  for (cl_uint i = 0; i < count && status == VPTR_SUCCESS; i++)
    status = is_address(&view, mapper->device, ptrs[i], &address)
                 ? set_address(mapper->device, kernel, first + i, address)
                 : set_pointer(mapper, what, kernel, first + i, ptrs[i]);
  return status;
}

VPTR__HOT vptr_status vptr_set_kernel_arg(vptr_mapper *mapper, cl_kernel kernel, cl_uint index, const void *ptr) {
  static const char what[] = "vptr_set_kernel_arg";
  vptr_status status = VPTR_SUCCESS;
  mapper = mapper_for_kernel(mapper, kernel, what, &status);
  return mapper != NULL ? set_each(mapper, what, kernel, index, &ptr, 1) : status;
}

vptr_status vptr_set_kernel_args(vptr_mapper *mapper, cl_kernel kernel, cl_uint first, const void *const *ptrs,
                                 cl_uint count) {
  static const char what[] = "vptr_set_kernel_args";
  vptr_status status = VPTR_SUCCESS;
  mapper = mapper_for_kernel(mapper, kernel, what, &status);
  if (mapper == NULL)
    return status;
  if (ptrs == NULL && count > 0)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "%s: ptrs is NULL, and count is %u", what, (unsigned)count);
  if (count > UINT32_MAX - first)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: there are no %u arguments from index %u on", what,
                       (unsigned)count, (unsigned)first);
  return set_each(mapper, what, kernel, first, ptrs, count);
}

static vptr_status set_pair(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer, cl_ulong offset) {
  vptr_status status = device->ops->kernel.arg_value(device, kernel, index + 1, &offset, sizeof offset);
  if (status != VPTR_SUCCESS)
    return status;
  return device->ops->kernel.arg_buffer(device, kernel, index, buffer);
}

vptr_status vptr_set_kernel_arg_pair(vptr_mapper *mapper, cl_kernel kernel, cl_uint index, const void *ptr) {
  static const char what[] = "vptr_set_kernel_arg_pair";
  vptr_status status = VPTR_SUCCESS;
  mapper = mapper_for_kernel(mapper, kernel, what, &status);
  if (mapper == NULL)
    return status;
  if (index == UINT32_MAX)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: there is no argument behind index %u for the offset", what,
                       (unsigned)index);
  vptr__device *device = mapper->device;
  if (ptr == NULL)
    return set_pair(device, kernel, index, NULL, 0);
  vptr_location location;
  vptr__lease lease;
  status = hold_buffer(mapper, what, &ptr, &location, &lease);
  if (status != VPTR_SUCCESS)
    return status;
  status = location.kind == VPTR_KIND_PART
               ? vptr__error(VPTR_ERROR_UNSUPPORTED,
                             "%s: %p lies in an allocation of several buffers, of which a kernel gets one so; use "
                             "vptr_set_kernel_arg(), or a launch for each part (vptr_get_parts())",
                             what, ptr)
               : set_pair(device, kernel, index, location.buffer, location.buffer_offset);
  vptr__lease_give(&lease);
  return status;
}
