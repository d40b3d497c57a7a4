/* SPDX-License-Identifier: MIT */
/*
 * translation_table - which device address each of the host's has, as a table that kernels read: for those that
 * follow pointers in memory.
 *
 * In memory a pointer is what the host knows: a virtual device address, or the address of host memory that the device
 * reaches. A kernel looks up what it loads, and looks up backwards what it stores. The table is an array of 64-bit
 * numbers:
 *
 *     0  the address that the first window begins at         3  count of host ranges, inwards
 *     1  log2 of a window                                    4  count of host ranges, outwards
 *     2  count of windows                                    5  count of buffers, outwards
 *     6  for each window what to add, 0 where no buffer is, or one whose address is the device's; then the three
 *        lists, rising, of entries
 *        { first address, how many bytes behind it count, what to add };
 *        and a bit for each window: 1 where what lies there goes on in a buffer elsewhere (heap/span.h)
 *
 * Inwards a window answers for nearly all, by a subtraction, a shift and a load; outwards is a search, for few
 * pointers are stored. What nothing in it covers means itself: NULL, and host memory that the device has at the
 * host's own address. One past the end of a buffer counts as the buffer's, unless something else begins there: so
 * outwards all memory with a host's address is listed, and a beginning goes before an end. Of memory that has a host's
 * address and a virtual one, the device's becomes the host's, for the host may follow it.
 * (lib/translate/emit/prelude/translation.cl reads all that, and reach.cl the bits.)
 *
 * Managed memory that is a mirror (mirror/mirror.h) is among the host's, where it is on this device; a kernel that may
 * reach it has acquired it, so that it stays there.
 *
 * A mapper has one, made anew when buffers or such host memory have come or gone since. It is never written again:
 * kernels in flight keep the one that they were given, since a command holds its arguments.
 *
 * Its `lock`, of rank MAPPING, guards which one it is; it is not held while one is made.
 */
#ifndef VPTR_MAPPER_TRANSLATION_TABLE_H
#define VPTR_MAPPER_TRANSLATION_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "base/lock.h"

typedef struct vptr__translation_table {
  vptr__lock lock;
  cl_mem table;            /* NULL: none was asked for yet */
  uint64_t buffers, hosts; /* the serials that it was made of */
} vptr__translation_table;

/* Host memory that a device works on, and the address among its mapper's that means the same bytes there. It comes from
 * whoever lists such memory (base/subsystem.h: list_hosts). */
typedef struct vptr__host_range {
  uintptr_t host;
  size_t size;
  uintptr_t device;
  uint64_t address; /* or the device's own, if that is not 0 */
} vptr__host_range;

void vptr__translation_table_init(vptr__translation_table *translation);
void vptr__translation_table_fini(vptr_mapper *mapper);

/* The table as of now, retained. Errors: UNSUPPORTED where the device tells no addresses, OUT_OF_HOST_MEMORY,
 * OUT_OF_DEVICE_MEMORY, OPENCL. */
VPTR_API vptr_status vptr__translation_table_take(vptr_mapper *mapper, cl_mem *table_out);

#endif
