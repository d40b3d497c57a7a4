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

/* Reads them, here. Errors: FILE. */
vptr_status vptr__ahead_read(const vptr__reader *reader, const vptr__ahead_run *run, unsigned char *bytes);

/* Has them read, when nothing is under way. Reader and room stay until vptr__ahead_wait(). */
void vptr__ahead_hand(const vptr__reader *reader, const vptr__ahead_run *run, unsigned char *bytes);

/* Once for each vptr__ahead_hand(). False: they are not there; why, is said by who reads them again. */
bool vptr__ahead_wait(void);

#endif
