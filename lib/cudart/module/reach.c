/* SPDX-License-Identifier: MIT */
/*
 * reach - what a launch says of the bytes that its arguments reach, and whether several devices may share it.
 *
 * It is for joint devices (device/reach.h), and checked on all, so that a program is wrong everywhere or nowhere. A
 * kernel whose blocks wait for each other, or that launches kernels, is not divided, nor is one on a device that cuts
 * grids anyway. What is divided has a program that is built for its grid, in which a part knows where it is (cut.c).
 *
 * No data and no locks: a launch is its thread's. Called by launch.c for each launch, with the kernel's lock, of rank
 * MAPPING, while an argument is set; and by prepare.c where something is said. It does not wait.
 */
#include "module/state.h"

#include "base/error.h"
#include "device/reach.h"
#include "mapper/host.h"

#include <string.h>

/* ---- whether it is so ------------------------------------------------------------------------------------- */

static const void *pointer_of(const vptr__preparation *it, uint32_t index) {
  const vptr__launch *launch = it->launch;
  const void *from = launch->arguments != NULL
                         ? launch->arguments[index]
                         : (const unsigned char *)launch->packed + it->function->image->params[index].offset;
  void *ptr;
  memcpy(&ptr, from, sizeof ptr);
  return ptr;
}

/* Of the host's: managed memory that is kept by page faults, which has its own rules, and all other. */
static vptr_status check_host_range(const char *what, const void *ptr, size_t bytes) {
  size_t offset;
  vptr__mirror *mirror = vptr__address_index_enter(ptr, &offset);
  if (mirror == NULL)
    return vptr__host_check(what, ptr, bytes);
  const size_t left = vptr__mirror_size(mirror) - offset;
  vptr__address_index_leave(mirror);
  return bytes <= left ? VPTR_SUCCESS
                       : vptr__error(VPTR_ERROR_OUT_OF_BOUNDS,
                                     "%s: a range of %zu bytes begins at %p in managed memory, which ends behind %zu",
                                     what, bytes, ptr, left);
}

/* Allocations of several buffers are one here. What an address is that is nobody's, or no kernel's, is told when it is
 * resolved. */
static vptr_status check_range(const vptr__preparation *it, const void *ptr, size_t bytes) {
  vptr_mapper *mapper = it->kernel->mapper;
  vptr_location location;
  size_t parts;
  vptr__error_try();
  vptr_status status = vptr_resolve(mapper, ptr, bytes, &location);
  if (status == VPTR_ERROR_UNSUPPORTED)
    status = vptr_get_parts(mapper, ptr, bytes, NULL, 0, &parts);
  if (status != VPTR_ERROR_UNKNOWN_ADDRESS)
    return vptr__error_tried(status);
  vptr__error_tried(VPTR_SUCCESS);
  return check_host_range(it->launch->what, ptr, bytes);
}

vptr_status vptr__reach_check(const vptr__preparation *it) {
  const vptr__launch *launch = it->launch;
  const vptr__image_kernel *image = it->function->image;
  for (uint32_t i = 0; i < launch->access_count; i++) {
    if (launch->reaches[i].bytes == 0)
      continue;
    if (image->params[i].kind != VPTR__PARAM_POINTER)
      return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                         "%s: kernel %s reaches %zu bytes behind argument %u, which is no pointer: 0 for it",
                         launch->what, image->name, launch->reaches[i].bytes, i);
    vptr_status status = check_range(it, pointer_of(it, i), launch->reaches[i].bytes);
    if (status != VPTR_SUCCESS)
      return status;
  }
  return VPTR_SUCCESS;
}

/* ---- for devices that are several ------------------------------------------------------------------------- */

static bool has_layers(const vptr__launch *launch) {
  for (size_t i = 0; i < launch->access_count; i++)
    if (launch->reaches[i].layer > 0)
      return true;
  return false;
}

unsigned vptr__reach_axis(const vptr__function *function, const vptr__device *device, const vptr__launch *launch) {
  const vptr__image_kernel *image = function->image;
  if (device->joint == NULL || device->max_global != UINT64_MAX)
    return 0;
  if (image->meets_blocks || image->launches || launch->is_cooperative || !has_layers(launch))
    return 0;
  return vptr__cut_axis(launch->grid);
}

void vptr__reach_set(const vptr__preparation *it, uint32_t param, cl_uint index,
                     const vptr__pointer_meaning *meaning) {
  const vptr__launch *launch = it->launch;
  vptr__device *device = it->kernel->mapper->device;
  if (device->joint == NULL || meaning->buffer == NULL || param >= launch->access_count ||
      launch->reaches[param].bytes == 0)
    return;
  const vptr__launch_reach *said = &launch->reaches[param];
  const vptr__reach reach = { .begin = meaning->offset,
                              .end = meaning->offset + said->bytes,
                              .layer = said->layer,
                              .discards = launch->accesses[param] >= VPTR_ACCESS_DISCARD_WRITE };
  vptr__joint_arg_reach(device, it->kernel->kernel, index, &reach);
}
