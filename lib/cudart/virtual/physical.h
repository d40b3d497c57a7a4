/* SPDX-License-Identifier: MIT */
/*
 * physical - memory that has no address yet: what cuMemCreate() makes, and cuMemMap() gives a place.
 *
 * Where device memory is the host's, it is a file of the system's in memory (memfd_create()): whoever maps it sees its
 * bytes, at several places at once too, and another process that gets its descriptor as well. Its pages are taken when
 * it is made, so that what there is not is refused then. A file cannot be made shorter (F_SEAL_SHRINK), by nobody:
 * pages that went away would be a SIGBUS.
 *
 * It lives as long as a handle or a mapping needs it.
 *
 * Lock: vptr__physical_lock() takes the lock of physical.c's static `memories`, of rank LEAF. It guards all of them,
 * and all reservations (virtual_range.h). Called by virtual_range.c and shared_memory.c, and by driver/virtual.c.
 */
#ifndef VPTR_VIRTUAL_PHYSICAL_H
#define VPTR_VIRTUAL_PHYSICAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

/* What sizes and addresses are multiples of: as on NVIDIA's devices, for programs that count on it. */
enum { VPTR__PHYSICAL_GRANULE = 2 << 20 };

typedef struct vptr__physical {
  struct vptr__physical *next;
  uint64_t handle;     /* never 0, never given twice */
  int device;          /* ordinal */
  int file;
  size_t bytes;
  unsigned references; /* to the handle */
  unsigned mappings;
  bool is_shareable;   /* its descriptor may be asked for */
} vptr__physical;

void vptr__physical_lock(void);
void vptr__physical_unlock(void);

/* bytes: a multiple of the granule. All that there is on the device stays within `most`. Errors: OUT_OF_DEVICE_MEMORY,
 * OUT_OF_HOST_MEMORY. Takes the lock. */
VPTR_API vptr_status vptr__physical_create(int device, size_t bytes, uint64_t most, bool is_shareable,
                                           uint64_t *handle_out);

/* What a descriptor is of, which stays the caller's. Errors: INVALID_ARGUMENT (it is none of such memory),
 * OUT_OF_HOST_MEMORY. Takes the lock. */
VPTR_API vptr_status vptr__physical_import(int device, int file, uint64_t *handle_out);

/* One reference less, or another descriptor of its file; what a handle is of. Errors: INVALID_ARGUMENT (no such
 * handle; it is not shareable), OUT_OF_HOST_MEMORY (of descriptors). Take the lock. */
VPTR_API vptr_status vptr__physical_release(uint64_t handle);
VPTR_API vptr_status vptr__physical_export(uint64_t handle, int *file_out);
VPTR_API vptr_status vptr__physical_describe(uint64_t handle, int *device_out, bool *is_shareable_out);

/* The descriptor of its file in this process, and the file's own number. Errors: INVALID_ARGUMENT. Takes the lock. */
vptr_status vptr__physical_identify(uint64_t handle, int64_t *file_out, uint64_t *inode_out);

/* Under the lock: NULL, and it is said, if there is none. */
vptr__physical *vptr__physical_find(uint64_t handle);

/* Under the lock: ends it, if nobody has it any more. */
void vptr__physical_settle(vptr__physical *physical);

#endif
