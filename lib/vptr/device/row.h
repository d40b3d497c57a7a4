/* SPDX-License-Identifier: MIT */
/*
 * row - pages of the host that several buffers are over, one behind the other, each made when it is wanted.
 *
 *     pages    [ part 0 | part 1 | part 2 | ... ]       reserved as long as the row lives
 *     buffers  [ buffer |        | buffer |     ]       there, or gone
 *
 * What is larger than a buffer of the device may be has such a row (heap/span.h). A part whose buffer the driver has
 * destroyed has no memory: its pages go back to the system, and are zero when a buffer is over them again. So a buffer
 * that leaves and comes back is at the same pages, and kernels that go from one to the next find it there.
 *
 * A vptr__row lives as long as somebody counts: its maker once, and each buffer, until the driver destroys it. The
 * count and what is taken are atomic; all else is set once. No locks.
 */
#ifndef VPTR_DEVICE_ROW_H
#define VPTR_DEVICE_ROW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

typedef struct vptr__row {
  unsigned char *pages;
  unsigned char *shown;       /* NULL; or addresses without access, as many, which are what kernels are told */
  size_t bytes, part_bytes;   /* whole pages; of each part but the last */
  uint64_t first;             /* where kernels have the pages */
  _Atomic(size_t) references;
  _Atomic(bool) is_taken[];   /* by a buffer that the driver has not destroyed yet */
} vptr__row;

/* Pages without memory, counted once. is_hidden: with addresses to show. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__row_make(size_t bytes, size_t part_bytes, bool is_hidden, vptr__row **row_out);
void vptr__row_drop(vptr__row *row);

size_t vptr__row_part_bytes(const vptr__row *row, size_t index);

/* A part is wanted for a new buffer, which counts; every byte of it has a value. False: the one before has not been
 * destroyed within a moment. */
bool vptr__row_take(vptr__row *row, size_t index, unsigned char byte);

/* The part's buffer was destroyed, or never made. */
void vptr__row_give(vptr__row *row, size_t index);

#endif
