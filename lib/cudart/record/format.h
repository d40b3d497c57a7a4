/* SPDX-License-Identifier: MIT */
/*
 * format - the file that launches are recorded in: what lib/cudart/record writes and vptr-replay reads.
 *
 * It is a file of records (base/record.h), in each of which `sum` is over the head and its bytes:
 *
 *     MODULE   number: of the module          its text
 *     LAUNCH   number: of the launch          a vptr__record_launch, and behind it what it counts
 *     DATA     number: of the launch          a vptr__record_data, and bytes of one area before or after the launch
 *     READY    number: of the launch          nothing: all that it began with is there
 *     DONE     number: of the launch          nothing: and all that it left
 *     DROP     number: of the launch          nothing: it was not sent after all, and is as if it were not there
 *
 * What DATA does not cover was zero before, and is after the launch what it was before. Records of launches of several
 * threads may lie between each other. A module comes before the first launch that names it.
 *
 * A file that was cut has whole records and one that is not, and a flipped bit is found. A
 * process that is killed leaves a file that can be read as far as it goes: a launch without DONE has no memory after,
 * and one without READY is left out.
 *
 * A version is another layout; readers refuse those that they do not know. Definitions alone: no data, no locks.
 */
#ifndef VPTR_RECORD_FORMAT_H
#define VPTR_RECORD_FORMAT_H

#include <stdint.h>

#include "base/record.h"

#define VPTR__RECORD_MAGIC "VPTRREC\n"
enum { VPTR__RECORD_VERSION = 1 };

/* DATA has at most so many bytes, and leaves out zeros, and bytes that did not change, by pages of so many. */
enum { VPTR__RECORD_MOST = 1 << 20, VPTR__RECORD_PAGE = 4096 };

typedef enum vptr__record_type {
  VPTR__RECORD_MODULE = 1, VPTR__RECORD_LAUNCH, VPTR__RECORD_DATA, VPTR__RECORD_READY, VPTR__RECORD_DONE,
  VPTR__RECORD_DROP
} vptr__record_type;

/* All but the last are those of vptr_kind. */
typedef enum vptr__area_kind {
  VPTR__AREA_DEVICE = 1, VPTR__AREA_ATTACHED, VPTR__AREA_HOST, VPTR__AREA_REGISTERED, VPTR__AREA_MANAGED,
  VPTR__AREA_VARIABLE
} vptr__area_kind;

/* Behind it, each padded to a multiple of 8: the kernel's name, its lowered name, its parameters as CUDA lays them out,
 * and the areas, each a vptr__record_area and its text. */
typedef struct vptr__record_launch {
  uint64_t module;
  uint32_t grid[3], block[3];
  uint64_t shared;
  uint32_t is_cooperative, area_count;
  uint32_t name_length, lowered_length, parameter_bytes, spare;
} vptr__record_launch;

/* Memory that a launch reaches: an allocation, or a variable by name. */
typedef struct vptr__record_area {
  uint64_t address, size;
  uint64_t buffer;             /* device memory: the address that its buffer begins at */
  uint32_t kind, text_length;  /* of a variable its name, else where it was allocated, if that is known */
} vptr__record_area;

typedef struct vptr__record_data {
  uint32_t area, is_after;
  uint64_t offset;
} vptr__record_data;

_Static_assert(sizeof(vptr__record_launch) == 64 && sizeof(vptr__record_area) == 32, "as the file has them");

#endif
