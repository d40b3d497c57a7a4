/* SPDX-License-Identifier: MIT */
/*
 * writer - a checkpoint on its way into a file.
 *
 *     begin_new     a file beside the one that is meant, NAME.new ---.
 *                                                                     put ... put ---> commit   (or abandon)
 *     begin_behind  the file itself, behind its last checkpoint  ----'
 *
 * At any instant the file has its former state, or the new one: a new file takes the name when all of it is on the
 * disk, and what is written behind a checkpoint counts once the record at its end does (checkpoint/format.h), before
 * which all else is on the disk. After a failure what was begun is cut off again, or removed, as far as that works.
 *
 * A writer is one thread's: checkpoint.c's, which holds the lock of kept.c, of rank CHECKPOINT. The scribe's thread
 * writes its batches (scribe.h), one at a time, and changes nothing of it but the pieces that it was handed.
 */
#ifndef VPTR_CHECKPOINT_WRITER_H
#define VPTR_CHECKPOINT_WRITER_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "checkpoint/format.h"

/* Chunks that are written at once. */
enum { VPTR__WRITER_BATCH = 16 };

/* Which file it was, and how far it went: whether it is still the one that was written. */
typedef struct vptr__writer_file {
  dev_t device;
  ino_t inode;
  uint64_t end;
} vptr__writer_file;

typedef struct vptr__writer {
  int descriptor;
  char name[PATH_MAX], aside[PATH_MAX]; /* aside is empty for a file that goes on */
  uint64_t number;                      /* of the checkpoint */
  uint64_t begin, at;                   /* where it begins, and how far it is, with what is in the batch */
  uint64_t records;
  unsigned batched;                     /* records of the batch that is made ready */
  unsigned which;                       /* of the two that batch is; the other one may be written now (scribe.h) */
  vptr__checkpoint_front fronts[2][VPTR__WRITER_BATCH];
  struct iovec pieces[2][3 * VPTR__WRITER_BATCH];
} vptr__writer;

/* Errors: FILE, INVALID_ARGUMENT (the name is too long). Nothing is open then. */
vptr_status vptr__writer_begin_new(vptr__writer *writer, const char *name, const vptr_stats *of);

/* False, in silence: it is not that file any more, or somebody else writes it, or it cannot be opened. */
bool vptr__writer_begin_behind(vptr__writer *writer, const char *name, const vptr__writer_file *file, uint64_t number);

/* A record of two pieces, the first of a multiple of 8 bytes, or the second empty. Both must stay until the next
 * flush or commit. Its digest is given for DATA, and found out for others. Errors: FILE; then it is to be abandoned. */
vptr_status vptr__writer_put_data(vptr__writer *writer, uint64_t address, const void *bytes, size_t size,
                                  vptr__digest digest);
vptr_status vptr__writer_put(vptr__writer *writer, vptr__checkpoint_type type, uint64_t address, uint64_t size,
                             const void *bytes, size_t length);

/* What was put is in the file. */
vptr_status vptr__writer_flush(vptr__writer *writer);

/* The checkpoint is complete, on the disk, under its name, and the file closed; it is to be abandoned if this fails. */
vptr_status vptr__writer_commit(vptr__writer *writer, vptr__writer_file *file_out);

void vptr__writer_abandon(vptr__writer *writer);

#endif
