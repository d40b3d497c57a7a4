/* SPDX-License-Identifier: MIT */
/*
 * reader - a file of checkpoints (checkpoint/format.h), opened: what the last complete one has, and where its bytes
 * are.
 *
 * To open it goes over the fronts of all records, and checks them, and reads the last table; bytes of memory are
 * checked when they are read, or all of them by vptr__reader_verify(). What is wrong is said with the place in the
 * file. A file that ends within a record, behind one that is no commit, or in zeros, has a checkpoint that was not
 * completed at its end, which does not count; all else that does not fit is damage, and the file is refused.
 *
 * A reader is one thread's at a time: the lock of kept.h, of rank CHECKPOINT, guards that of restore.c, the library's
 * only one. The thread of ahead.h reads it too while it reads chunks, and nobody changes it then.
 */
#ifndef VPTR_CHECKPOINT_READER_H
#define VPTR_CHECKPOINT_READER_H

#include <limits.h>
#include <stdbool.h>

#include "checkpoint/format.h"

/* One complete checkpoint of the file. */
typedef struct vptr__reader_commit {
  uint64_t end;            /* of it, in the file */
  uint64_t records, bytes; /* bytes in the file */
  uint64_t table;          /* where its table begins */
} vptr__reader_commit;

/* Host memory that the program named. */
typedef struct vptr__reader_kept {
  uint64_t at;             /* of the record */
  uint64_t name_length, size;
} vptr__reader_kept;

typedef struct vptr__reader {
  int descriptor;
  char name[PATH_MAX];
  vptr__record_header header;
  uint64_t size;                    /* of the file */
  vptr__reader_commit *commits;     /* the last is that of all that follows */
  size_t commit_count, commit_room;
  vptr__checkpoint_buffer *buffers; /* the snapshot's, and behind them what modules saved with bytes of its own */
  size_t buffer_count;
  uint64_t *first_chunks;           /* [buffer]: its first place in chunks */
  uint64_t *chunks;                 /* where the record of each chunk begins; 0: it is zero */
  uint64_t chunk_count;
  vptr__reader_kept *kept;
  size_t kept_count;
  vptr__snapshot snapshot;
  vptr__saved_list saved;
} vptr__reader;

/* Errors: FILE (it cannot be opened or read, is damaged, or of another version, or has no complete checkpoint),
 * INVALID_ARGUMENT (the name is too long), OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__reader_open(vptr__reader *reader, const char *name);

/* Reads all that counts, and checks it. Errors: FILE, OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__reader_verify(const vptr__reader *reader);

/* The bytes of a chunk, which has some; there is room for CHUNK of them. Errors: FILE. */
vptr_status vptr__reader_chunk(const vptr__reader *reader, size_t buffer, uint64_t chunk, void *bytes);

/* The name of what was kept, with a zero, padded to a multiple of 8, and the memory behind it; vptr__memory_free()'s.
 * Errors: FILE, OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__reader_kept_bytes(const vptr__reader *reader, size_t kept, char **bytes_out);

VPTR_API void vptr__reader_close(vptr__reader *reader);

#endif
