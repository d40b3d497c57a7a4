/* SPDX-License-Identifier: MIT */
/*
 * ahead - a thread that reads and checks chunks of a checkpoint while those before them go to the device.
 *
 * There is one in a process, started with the first chunks, and who restores uses it alone (kept.h). Where it cannot be
 * started, who waits for them reads them. `work.lock` (ahead.c), of rank LEAF, guards what is handed over.
 */
#ifndef VPTR_CHECKPOINT_AHEAD_H
#define VPTR_CHECKPOINT_AHEAD_H

#include "checkpoint/reader.h"

/* Chunks of a buffer that follow each other, none of which is zero. */
typedef struct vptr__ahead_run {
  size_t buffer;
  uint64_t chunk, count;
} vptr__ahead_run;

/* Reads the chunks of a run, in the calling thread. Errors: FILE. */
vptr_status vptr__ahead_read(const vptr__reader *reader, const vptr__ahead_run *run, unsigned char *bytes);

/* Has a run read by the thread; nothing may be under way. Reader and room stay until vptr__ahead_wait(). */
void vptr__ahead_hand(const vptr__reader *reader, const vptr__ahead_run *run, unsigned char *bytes);

/* Waits for the run, once for each vptr__ahead_hand(). False: the bytes are not there; who reads them again, by
 * vptr__ahead_read(), is told why. */
bool vptr__ahead_wait(void);

#endif
