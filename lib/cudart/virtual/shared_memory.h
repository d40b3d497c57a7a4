/* SPDX-License-Identifier: MIT */
/*
 * shared_memory - device memory that other processes of the machine may open: cudaIpcGetMemHandle() and its kin.
 *
 * With VPTR_IPC=1, and where device memory is the host's, each allocation of cudaMalloc()'s is a virtual range over a
 * file in memory of its own (virtual_range.h, physical.h). The other process opens that file by its number among the
 * descriptors of this one (/proc/PID/fd), which the system lets processes of one user do, and maps it under a range of
 * its own. So the first process has to live, and to keep the allocation, until the second has opened it, as in CUDA;
 * what is open stays.
 *
 * Without the variable an allocation is a slot or a buffer of the heap's, whose memory is the driver's own, and there
 * is no way to hand that on: so it is asked for beforehand. Each allocation takes windows and a descriptor, which is
 * dear for many small ones.
 *
 * Locks: one in the static `shared` of shared_memory.c, of rank LEAF, guards the list of all such memory, and no other
 * call is made under it; the static `opening` there, of rank UNIT, is held while memory is opened. Called by
 * cuda/memory.c, cuda/sharing.c, cuda/external.c and cuda/reset.c.
 */
#ifndef VPTR_VIRTUAL_SHARED_MEMORY_H
#define VPTR_VIRTUAL_SHARED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

/* What another process opens the memory by; a program has it as an array of bytes. */
typedef struct vptr__shared_memory_name {
  char mark[8];
  int64_t process;
  int64_t file;   /* its descriptor there */
  uint64_t inode; /* of the file, so that no other one is taken for it */
  uint64_t bytes;
} vptr__shared_memory_name;

/* Whether cudaMalloc() is to make such memory on a device: the variable is set, and it can be. */
bool vptr__shared_memory_is_wanted(vptr_mapper *mapper);

/* Errors: OUT_OF_DEVICE_MEMORY, OUT_OF_ADDRESSES, OUT_OF_HOST_MEMORY, and of making a buffer. */
vptr_status vptr__shared_memory_allocate(vptr_mapper *mapper, size_t bytes, void **ptr_out);

/* Whether the program has ptr as the start of such memory, which may be within a range. */
bool vptr__shared_memory_begins_at(const void *ptr);

/* False: ptr is no allocation of this kind. *status_out: what came of the free, which waits for the device's work. */
bool vptr__shared_memory_free(void *ptr, vptr_status *status_out);

/* Errors: INVALID_ARGUMENT (no device memory begins there), UNSUPPORTED (of another kind). */
vptr_status vptr__shared_memory_tell(const char *call, const void *ptr, vptr__shared_memory_name *name_out);

/* Another process's, once for each call: the same address every time. Errors: INVALID_ARGUMENT (no such memory, any
 * more), and as allocate. Closing waits for the device's work when the last goes. */
vptr_status vptr__shared_memory_open(vptr_mapper *mapper, const vptr__shared_memory_name *name, void **ptr_out);
vptr_status vptr__shared_memory_close(void *ptr);

/* Part of what a handle is of, as such memory of this process, which others cannot open; the handle stays the caller's.
 * Errors: as allocate. */
vptr_status vptr__shared_memory_map(vptr_mapper *mapper, uint64_t handle, uint64_t offset, uint64_t bytes,
                                    void **ptr_out);

/* After a device was reset: the buffers have gone, and the rest goes here. */
void vptr__shared_memory_forget(const vptr_mapper *mapper);

#endif
