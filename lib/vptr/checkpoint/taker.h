/* SPDX-License-Identifier: MIT */
/*
 * taker - the bytes of a mapper's live memory, on their way into a file.
 *
 * They go chunk by chunk. Of each chunk the digest is kept, so that a later checkpoint in the same file writes only
 * those that differ: nobody knows who wrote memory, for kernels have pointers from anywhere, but all of it is read in
 * the time that a copy takes. A vptr__taken is its caller's. Callers hold the lock of kept.c, of rank CHECKPOINT.
 */
#ifndef VPTR_CHECKPOINT_TAKER_H
#define VPTR_CHECKPOINT_TAKER_H

#include "checkpoint/writer.h"
#include "mapper/mapper.h"

/* What a checkpoint has of a buffer. */
typedef struct vptr__taken_buffer {
  vptr__snapshot_buffer is; /* of what modules saved base and bytes */
  uint64_t serial;       /* of the allocation that is alone there; 0: a slab */
  uint64_t born;         /* number of the first checkpoint of the file that has it */
  vptr__digest *digests; /* of its chunks; NULL: it was freed before it was read, and is not in it */
} vptr__taken_buffer;

/* And of all of them, by address: the heap's, then what modules saved with bytes of its own. */
typedef struct vptr__taken {
  vptr__taken_buffer *buffers;
  size_t count, heap_count;
  uint64_t stored;       /* bytes in the file that hold */
} vptr__taken;

/* Writes what is live: chunks, what is kept, and the table, with what modules saved, in the
 * order of vptr__saved_sort(). former: what the file has already; count 0: nothing. Work
 * must be over, and vptr__kept_begin() called. Errors: FILE, OUT_OF_HOST_MEMORY, OPENCL and those of bringing memory to
 * the device. */
vptr_status vptr__taken_write(vptr_mapper *mapper, vptr__snapshot *snapshot, vptr__saved_list *saved,
                              const vptr__taken *former, vptr__writer *writer, vptr__taken *taken_out);

void vptr__taken_free(vptr__taken *taken);

#endif
