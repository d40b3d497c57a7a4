/* SPDX-License-Identifier: MIT */
/*
 * arena - one large buffer of the device's whose addresses are the heap's (VPTR_ADDRESSES=device).
 *
 *     the device    A             base                                              A + bytes
 *                   [ guard       | window | window | window | ...                 ]
 *     the heap                    the space's windows: the same addresses
 *
 * OpenCL tells where a buffer is only when it is there, and a driver issues an address again as soon as its buffer is
 * gone. So the buffer is made first, and the space of addresses is where it lies: the range at a window is the part of
 * the buffer that begins there, and its device address is the virtual one. A pointer that lies in memory is then the
 * device's own, and what is freed is issued again by the heap alone. Attached buffers have windows like all others,
 * and are elsewhere on the device: the part of the arena there is unused.
 *
 * The driver counts the arena's bytes as taken from the beginning. No locks: made once, and constant.
 */
#ifndef VPTR_HEAP_ARENA_H
#define VPTR_HEAP_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "device/device.h"
#include "space/space.h"

typedef struct vptr__heap_arena {
  cl_mem buffer;           /* NULL: the heap has none, and each range a buffer of its own */
  size_t bytes;
  size_t origin;           /* of place.base in the buffer */
  vptr__space_place place;
} vptr__heap_arena;

/* An arena of so many bytes, or half of that, and so on, down to VPTR__ADDRESSES_LEAST. Errors: UNSUPPORTED (the device
 * tells no addresses, or not of parts of buffers; its memory is the host's), OUT_OF_DEVICE_MEMORY, and what asking the
 * device brings about. */
vptr_status vptr__heap_arena_make(vptr__device *device, size_t bytes, vptr__heap_arena *arena_out);

/* Releases it, if there is one. No part is left. */
void vptr__heap_arena_free(vptr__device *device, const vptr__heap_arena *arena);

/* The part of an arena at an address, as a buffer, each byte of it set. Waits until it is. */
vptr_status vptr__heap_arena_part(vptr__device *device, const vptr__heap_arena *arena, uintptr_t base, size_t bytes,
                             unsigned char byte, cl_mem *buffer_out);

#endif
