/* SPDX-License-Identifier: MIT */
/*
 * recording - a file of VPTR_RECORD (record/format.h), read and checked.
 *
 * The file is mapped, and every record is checked before anything is used: its place, its sum, and what it says. So a
 * file that was cut gives the launches in front of the cut, and one with a flipped bit none. A recording stays in
 * memory until the process ends. No locks: one thread.
 */
#ifndef VPTR_REPLAY_RECORDING_H
#define VPTR_REPLAY_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/format.h"

typedef struct rp_text {
  const char *at;              /* not terminated */
  size_t length;
} rp_text;

typedef struct rp_area {
  vptr__record_area is;
  rp_text text;                /* a variable's name, or where it was allocated */
} rp_area;

/* Bytes of an area. */
typedef struct rp_data {
  vptr__record_data is;
  const unsigned char *bytes;
  size_t size;
} rp_data;

typedef struct rp_launch {
  uint64_t number;
  vptr__record_launch is;
  rp_text name, lowered;
  const unsigned char *parameters;
  rp_area *areas;
  rp_data *data;
  size_t data_count, data_room;
  bool is_ready, is_done, is_dropped;
} rp_launch;

typedef struct rp_recording {
  const char *name;
  const unsigned char *bytes;
  size_t size;
  vptr__record_header header;
  rp_text *modules;            /* by number; at NULL: not there */
  size_t module_count;
  rp_launch *launches;
  size_t launch_count, launch_room;
  size_t whole;                /* bytes of whole records; less than size: it ends in an unfinished one */
} rp_recording;

/* False: a line on stderr says why. */
bool rp_recording_open(const char *name, rp_recording *recording_out);

/* Whether it can be run: all that it began with is there. */
static inline bool rp_launch_can_run(const rp_launch *launch) {
  return launch->is_ready && !launch->is_dropped;
}

/* An area's bytes before a launch, or after it, as a block of its size that the caller frees; it ends the process where
 * there is no memory. */
unsigned char *rp_area_bytes(const rp_launch *launch, uint32_t area, bool is_after);

/* The file and line that the kernel's text begins with, if the module has it; else text is empty. */
void rp_launch_line(const rp_recording *recording, const rp_launch *launch, char *text, size_t size);

/* As calloc(), and ends the process with a line where there is no memory. */
void *rp_calloc(size_t count, size_t size);

#endif
