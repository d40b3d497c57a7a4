/* SPDX-License-Identifier: MIT */
/*
 * format - the file of vptr_checkpoint(): what writer.h writes and reader.h reads.
 *
 * It is a file of records (base/record.h). Behind each head is a vptr__checkpoint_body, then bytes. The head's sum is
 * over head and body, which has the digest of the bytes (base/digest.h): so how long a record is can be trusted before
 * its bytes are read, and a flipped bit in it is not taken for a file that was cut.
 *
 *     DATA     one chunk of memory, or that it is zero: then there are no bytes
 *     KEPT     host memory that the program named: its name with a zero, padded, and what is in it
 *     TABLE    what is live: a vptr__checkpoint_table, buffers, their allocations, and what else was saved: items of
 *              base/saved.h, and their bytes
 *     COMMIT   a checkpoint is complete: how many records and bytes it has
 *
 * `number` in the heads is that of the checkpoint, from 1. A file has one or more, one behind the other. The first has
 * all of the memory, each later one the chunks that differ from what they were, and all the rest again. What lies
 * behind the last COMMIT belongs to one that was not completed, and means nothing.
 *
 * Chunks of a buffer begin at multiples of CHUNK bytes from its own beginning. What holds of a chunk is the last DATA
 * of it, but none from before the buffer was `born`; a chunk without DATA is zero. A version is another layout; readers
 * refuse those that they do not know. No data, no locks.
 */
#ifndef VPTR_CHECKPOINT_FORMAT_H
#define VPTR_CHECKPOINT_FORMAT_H

#include <stdint.h>

#include "base/digest.h"
#include "base/record.h"
#include "base/saved.h"
#include "heap/snapshot.h"

#define VPTR__CHECKPOINT_MAGIC "VPTRCKP\n"
enum { VPTR__CHECKPOINT_VERSION = 2, VPTR__CHECKPOINT_CHUNK = 256 << 10 };

typedef enum vptr__checkpoint_type {
  VPTR__CHECKPOINT_DATA = 1, VPTR__CHECKPOINT_KEPT, VPTR__CHECKPOINT_TABLE, VPTR__CHECKPOINT_COMMIT
} vptr__checkpoint_type;

/* DATA: where the chunk lies, and its bytes, also where it is zero. KEPT: bytes of the name without its zero, and of
 * the memory. TABLE: 0, 0. COMMIT: records before it, of the same checkpoint, and the bytes of those. */
typedef struct vptr__checkpoint_body {
  uint64_t address, size;
  vptr__digest digest; /* of what is behind it, without what fills it up to a multiple of 8 */
} vptr__checkpoint_body;

typedef struct vptr__checkpoint_table {
  uint64_t buffer_count, place_count;
  uint64_t serial;     /* of the latest allocation */
  uint64_t kept_count; /* KEPT records of this checkpoint */
  uint64_t saved_count, saved_bytes;
} vptr__checkpoint_table;

typedef struct vptr__checkpoint_buffer {
  vptr__snapshot_buffer is;
  uint64_t born;       /* number of the first checkpoint that has this buffer */
} vptr__checkpoint_buffer;

/* What stands in front of the bytes of a record. */
typedef struct vptr__checkpoint_front {
  vptr__record_head head;
  vptr__checkpoint_body body;
} vptr__checkpoint_front;

_Static_assert(sizeof(vptr__checkpoint_front) == 64 && sizeof(vptr__checkpoint_buffer) == 40, "as the file has them");
_Static_assert(sizeof(vptr__snapshot_place) == 24, "as the file has it");

/* The sum of a head that is filled in but for it. */
static inline uint64_t vptr__checkpoint_sum(const vptr__checkpoint_front *front) {
  return vptr__record_sum(vptr__record_head_sum(&front->head), &front->body, sizeof front->body);
}

/* Chunks of a buffer, and the bytes of one that begins at an offset. */
static inline uint64_t vptr__checkpoint_chunks(uint64_t bytes) {
  return (bytes + VPTR__CHECKPOINT_CHUNK - 1) / VPTR__CHECKPOINT_CHUNK;
}

static inline uint64_t vptr__checkpoint_chunk_size(uint64_t bytes, uint64_t offset) {
  return bytes - offset < VPTR__CHECKPOINT_CHUNK ? bytes - offset : VPTR__CHECKPOINT_CHUNK;
}

#endif
