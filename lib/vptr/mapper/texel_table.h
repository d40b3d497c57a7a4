/* SPDX-License-Identifier: MIT */
/*
 * texel_table - where the elements of textures and surfaces lie on a device, and how they are read: a table that
 * kernels look handles up in.
 *
 * A handle of CUDA's comes to a kernel from anywhere, so a launch does not know which ones it uses. The table has all
 * of the mapper's. It is an array of vptr__texel_entry; the slot of a handle is twice its lower half, and one more for
 * a surface. An entry says which handle it is for, by the upper half: a kernel that is given a handle of an object
 * that was destroyed, or of another device, finds that it is not, and reads zeros. Slot 0 is the table's own: `width`
 * is how many entries there are. (lib/translate/emit/prelude/texture.cl reads all that.)
 *
 * A table on the device is never written again. It is made anew for the first launch behind a change, and kernels in
 * flight keep the one that they were given, since a command holds its arguments. So an object may be destroyed while a
 * kernel reads it. What is destroyed makes no new table: nobody asks for it; but kernels go on to ask for what was
 * bound to a texture reference.
 *
 * An array that the program's own OpenCL kernels use is an image for that time, and not where its entries say. Then no
 * table is given out (vptr__texel_table_away).
 *
 * A mapper has one. Its `lock`, of rank MAPPING, guards it, and is not held while a table is made. Who puts an entry in
 * or takes a table holds the device (vptr__device_hold()).
 */
#ifndef VPTR_MAPPER_TEXEL_TABLE_H
#define VPTR_MAPPER_TEXEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "base/lock.h"
#include "device/device.h"

/* vptr__texel_entry.how: what an element is, and how a texture reads it. */
enum {
  VPTR__TEXEL_BYTES = 0,       /* 2 bits: log2 of a channel's bytes */
  VPTR__TEXEL_CHANNELS = 2,    /* 2 bits: channels less one: 0, 1, 3 */
  VPTR__TEXEL_SIGNED = 1 << 4, /* integers have a sign */
  VPTR__TEXEL_FLOAT = 1 << 5,  /* channels are floats, of 16 or 32 bits */
  VPTR__TEXEL_AS_FLOAT = 1 << 6, /* integers are read as floats from 0 or -1 to 1 */
  VPTR__TEXEL_SRGB = 1 << 7,   /* of the first three channels, of 8 bits, read as floats */
  VPTR__TEXEL_LINEAR = 1 << 8, /* filtered, not the nearest */
  VPTR__TEXEL_NORMALIZED = 1 << 9, /* coordinates go from 0 to 1 */
  VPTR__TEXEL_MODES = 10,      /* 2 bits for each axis: cudaTextureAddressMode */
  VPTR__TEXEL_LAYERED = 1 << 16, /* each level has all slices: they are layers */
  VPTR__TEXEL_BETWEEN_LEVELS = 1 << 17 /* two levels are filtered, where they are read as floats */
};

/* As kernels know it: 80 bytes. */
typedef struct vptr__texel_entry {
  uint64_t address;            /* of the first element, the device's own */
  uint64_t slice;              /* bytes from one slice, or layer, to the next */
  uint32_t generation;         /* upper half of the handle; 0: of none */
  uint32_t row;                /* bytes from one row to the next */
  uint32_t width, height, depth; /* elements, rows, slices; layers are slices, and a cube has six */
  uint32_t how;
  uint32_t element;            /* bytes of one */
  uint32_t levels;             /* one behind the other, each half of the one before; 0 and 1: one */
  float border[4];
  float bias, least, most;     /* of a level that is asked for: what is added, and its ends */
  uint32_t unused;
} vptr__texel_entry;

typedef struct vptr__texel_table {
  vptr__lock lock;
  vptr__texel_entry *entries;
  uint32_t count;              /* entries, slot 0 among them */
  uint32_t away;               /* arrays that are images at the moment */
  uint64_t serial;             /* counts changes that a launch has to know */
  cl_mem table;                /* NULL: none was asked for yet */
  uint64_t table_serial;       /* what it was made of */
} vptr__texel_table;

void vptr__texel_table_init(vptr__texel_table *texels);
void vptr__texel_table_fini(vptr_mapper *mapper);

/* The entry of a handle from now on; entry->generation is set here. Errors: OUT_OF_HOST_MEMORY, and nothing has
 * changed. */
VPTR_API vptr_status vptr__texel_table_put(vptr_mapper *mapper, uint64_t handle, bool is_surface,
                                           const vptr__texel_entry *entry);

/* Forgets a handle's entry, if it still is that handle's. */
VPTR_API void vptr__texel_table_drop(vptr_mapper *mapper, uint64_t handle, bool is_surface);

/* The same of a handle that kernels go on to ask for: launches from now on see that it is gone. */
VPTR_API void vptr__texel_table_revoke(vptr_mapper *mapper, uint64_t handle, bool is_surface);

/* One array more, or less (-1), that is an image. */
VPTR_API void vptr__texel_table_away(vptr_mapper *mapper, int more);

/* The table as of now, retained. Errors: UNSUPPORTED, said of `what` (the kernel), while an array is an image;
 * OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, OPENCL. */
VPTR_API vptr_status vptr__texel_table_take(vptr_mapper *mapper, const char *what, cl_mem *table_out);

/* Under the table's lock, while a device is exchanged (mapper/migrate.c): addresses are those of the new one. */
void vptr__texel_table_relocate(vptr_mapper *mapper, const vptr__device *face);

#endif
