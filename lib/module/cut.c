/* SPDX-License-Identifier: MIT */
/*
 * cut - grids with more work-items along an axis than a device counts.
 *
 * Such a grid is sent in pieces, one behind the other, each with a global offset. Work-groups count from 0 in each
 * piece and know nothing of the whole, so pieces have a program of their own, built for this very grid (VPTR_GRID_X
 * and so on in module/image.h). That is rare: a device with 64-bit addresses counts further than any grid reaches. No
 * state, no locks.
 */
#include "module/state.h"

static uint64_t length(const vptr__launch *launch, int axis) {
  return (uint64_t)launch->grid[axis] * launch->block[axis];
}

static bool is_too_large(const vptr__device *device, const vptr__launch *launch) {
  return length(launch, 0) > device->max_global || length(launch, 1) > device->max_global ||
         length(launch, 2) > device->max_global;
}

vptr_status vptr__cut_kernel(vptr__function *function, const vptr__launch *launch, vptr__kernel *whole,
                             vptr__kernel **kernel_out) {
  if (is_too_large(whole->mapper->device, launch))
    return vptr__kernel_get(function, whole->mapper, launch->grid, kernel_out);
  *kernel_out = whole;
  return VPTR_SUCCESS;
}

/* Whole blocks, as many as the device counts along an axis. */
static uint64_t step(const vptr__device *device, const vptr__launch *launch, int axis) {
  uint64_t blocks = device->max_global / launch->block[axis];
  return (blocks > 0 ? blocks : 1) * launch->block[axis];
}

/* To where the next piece begins; false: there is none. */
static bool advance(const vptr__device *device, const vptr__launch *launch, vptr__piece *piece) {
  for (int i = 0; i < 3; i++) {
    piece->offset[i] += (size_t)step(device, launch, i);
    if (piece->offset[i] < length(launch, i))
      return true;
    piece->offset[i] = 0;
  }
  return false;
}

bool vptr__cut_next(const vptr__device *device, const vptr__launch *launch, vptr__piece *piece) {
  if (piece->global[0] != 0 && !advance(device, launch, piece))
    return false;
  for (int i = 0; i < 3; i++) {
    uint64_t left = length(launch, i) - piece->offset[i], most = step(device, launch, i);
    piece->global[i] = (size_t)(left < most ? left : most);
  }
  return true;
}
