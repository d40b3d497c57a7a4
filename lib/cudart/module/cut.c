/* SPDX-License-Identifier: MIT */
/*
 * cut - grids with more work-items along an axis than a device counts; and blocks that a work-item runs by itself,
 * spread over as few items as keep all cores busy.
 *
 * Such a grid is sent in pieces, one behind the other. Work-groups count from 0 in each piece and know nothing of the
 * whole, so pieces have a program of their own, built for this very grid (VPTR_GRID_X and so on in module/image.h), and
 * learn where they are from the global offset. That cannot be a number of work-items: OpenCL refuses an offset and a
 * size that are together more than a device counts (clEnqueueNDRangeKernel, CL_INVALID_GLOBAL_OFFSET), as they are in
 * most pieces behind the first. So it is the piece's number along each axis, and a piece has half of what the device
 * counts at most, which leaves the other half for numbers. Any block fits into such a piece: half is 2^31 on the
 * smallest device that OpenCL knows, one with 32-bit addresses. One with 64 counts further than any grid reaches.
 *
 * A launch that is divided among the members of a joint device (reach.c) has such a program, too: there the global
 * offset is the number of the part's first block along the axis that is divided, which is the last of several blocks.
 * It has no data and no locks of its own; a kernel for pieces is built under the lock `building` of its function or
 * module, of rank ARRAY (program.c). Called by launch.c, which asks for each launch which kernel to send and, if its
 * grid is too large, for piece after piece; by reach.c, which asks for the axis; and by program.c, which builds for
 * pieces. It blocks while a kernel for pieces is built.
 */
#include "module/state.h"

#include "base/number.h"

static uint64_t axis_length(const vptr__launch *launch, int axis) {
  return (uint64_t)launch->grid[axis] * launch->block[axis];
}

/* A grid's axis is a product of two numbers of 32 bits: there are devices that none is too large for. */
static bool is_too_large(const vptr__device *device, const vptr__launch *launch) {
  if (device->max_global == UINT64_MAX)
    return false;
  return axis_length(launch, 0) > device->max_global || axis_length(launch, 1) > device->max_global ||
         axis_length(launch, 2) > device->max_global;
}

vptr_status vptr__cut_kernel(vptr__function *function, const vptr__launch *launch, vptr__kernel *whole,
                             vptr__kernel **kernel_out) {
  if (launch->axis > 0 || is_too_large(whole->mapper->device, launch))
    return vptr__kernel_get(function, whole->mapper, launch->grid, (vptr__forms)whole->program->forms, 0, kernel_out);
  *kernel_out = whole;
  return VPTR_SUCCESS;
}

unsigned vptr__cut_axis(const uint32_t grid[3]) {
  return grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
}

uint64_t vptr__cut_most(const vptr__device *device) {
  return device->max_global / 2;
}

/* Whole blocks, as many as a piece has room for along an axis. */
static uint64_t axis_step(const vptr__device *device, const vptr__launch *launch, int axis) {
  return vptr__cut_most(device) / launch->block[axis] * launch->block[axis];
}

/* To the next piece; false: there is none. */
static bool advance_piece(const vptr__device *device, const vptr__launch *launch, vptr__piece *piece) {
  for (int i = 0; i < 3; i++) {
    piece->offset[i]++;
    if (piece->offset[i] * axis_step(device, launch, i) < axis_length(launch, i))
      return true;
    piece->offset[i] = 0;
  }
  return false;
}

bool vptr__cut_next(const vptr__device *device, const vptr__launch *launch, vptr__piece *piece) {
  if (piece->global[0] != 0 && !advance_piece(device, launch, piece))
    return false;
  for (int i = 0; i < 3; i++) {
    uint64_t most = axis_step(device, launch, i), left = axis_length(launch, i) - piece->offset[i] * most;
    piece->global[i] = vptr__smaller(left, most);
  }
  return true;
}

/* ---- items ---------------------------------------------------------------------------------------------- */

/* PoCL takes 10 ns for a work-group, which is much beside a small block. Each core has several work-items, since some
 * take longer than others. */
static uint32_t blocks_together(const vptr__function *function, const vptr__device *device, uint64_t blocks) {
  enum { MOST = 16, LEFT_EACH = 16 };
  if (!function->image->runs_blocks || !device->tuning.loops_over_threads || device->units == 0)
    return 1;
  return (uint32_t)vptr__larger(vptr__smaller(blocks / (LEFT_EACH * (uint64_t)device->units), MOST), 1);
}

/* Where there are more work-items than a grid's x can count, each runs a block. */
static void let_items_run_blocks(const vptr__function *function, const vptr__device *device, vptr__launch *launch) {
  const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  const uint32_t together = blocks_together(function, device, blocks);
  const uint64_t items = (blocks + together - 1) / together;
  if (together == 1 || items > INT32_MAX || launch->axis > 0)
    return;
  launch->together = together;
  launch->grid[0] = (uint32_t)items;
  launch->grid[1] = launch->grid[2] = 1;
}

/* From here on a block is one work-item, or the whole grid is. */
static void let_kernel_run_threads(const vptr__function *function, vptr__launch *launch) {
  for (int i = 0; i < 3; i++) {
    launch->threads[i] = launch->block[i];
    launch->block[i] = 1;
    if (function->image->meets_blocks)
      launch->grid[i] = 1;
  }
}

void vptr__cut_among_items(const vptr__function *function, const vptr__device *device, vptr__launch *launch) {
  let_kernel_run_threads(function, launch);
  let_items_run_blocks(function, device, launch);
}
