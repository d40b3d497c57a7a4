/* SPDX-License-Identifier: MIT */
/*
 * width - how wide the pattern of a fill had better be, for the same bytes.
 *
 * Drivers fill pattern by pattern, so a pattern that is repeated within a wider one goes quicker: on an H200 a byte at
 * 424 GB/s and 16 of them at 8 times that; on PoCL 2 bytes at 6 GB/s, 16 at 40 and 64 at 52, but a single byte is
 * memset() there, at 70. A fill begins and ends at multiples of its width: what is not so by itself needs a command
 * more at either end, which only a long one is worth.
 *
 * A pure function of its arguments: no data, no locks. Included by fill.c and set.c.
 */
#ifndef VPTR_TRANSFER_WIDTH_H
#define VPTR_TRANSFER_WIDTH_H

#include <stddef.h>

#include "device/device.h"

enum { VPTR__WIDTH_MOST = 64 };

/* For a fill with a period of 1, 2, 4 ... bytes: the period or more. Where offset or size are no multiples of it, the
 * ends are to be filled otherwise. */
static inline size_t vptr__width_of_fill(const vptr__device *device, size_t period, size_t offset, size_t size) {
  static const size_t least_for_ends = (size_t)2 << 20; /* where two more commands cost less than they save */
  size_t width = device->tuning.fill_wide ? 16 : period == 1 ? 1 : VPTR__WIDTH_MOST;
  if (width <= period)
    return period;
  if (size < least_for_ends)
    while (width > period && (offset | size) % width != 0)
      width /= 2;
  return width;
}

#endif
