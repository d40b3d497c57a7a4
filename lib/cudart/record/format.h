/* SPDX-License-Identifier: MIT */
/*
 * format - the file that launches are recorded in: what lib/cudart/record writes and vptr-replay reads.
 *
 *     header                   64 bytes: vptr__record_header
 *     record, record, ...      each a vptr__record_head, then `length` bytes and zeros up to a multiple of 8
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
 * Numbers are the machine's own, and `order` in the header tells of which kind that is. Each record has a sum over its
 * head and its bytes, so a file that was cut has whole records and one that is not, and a flipped bit is found. A
 * process that is killed leaves a file that can be read as far as it goes: a launch without DONE has no memory after,
 * and one without READY is left out.
 *
 * A version is another layout; readers refuse those that they do not know. No state, no locks.
 */
#ifndef VPTR_RECORD_FORMAT_H
#define VPTR_RECORD_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VPTR__RECORD_MAGIC "VPTRREC\n"
enum { VPTR__RECORD_VERSION = 1, VPTR__RECORD_ORDER = 0x01020304, VPTR__RECORD_MARK = 0x52545056 };

/* DATA has at most so many bytes, and leaves out zeros, and bytes that did not change, by pages of so many. */
enum { VPTR__RECORD_MOST = 1 << 20, VPTR__RECORD_PAGE = 4096 };

typedef enum vptr__record_type {
  VPTR__RECORD_MODULE = 1, VPTR__RECORD_LAUNCH, VPTR__RECORD_DATA, VPTR__RECORD_READY, VPTR__RECORD_DONE,
  VPTR__RECORD_DROP
} vptr__record_type;

typedef struct vptr__record_header {
  char magic[8];
  uint32_t version, order;
  uint64_t base, size, window; /* of the mapper's addresses */
  uint64_t process;
  uint64_t spare;              /* 0 */
  uint64_t sum;                /* of all in front of it */
} vptr__record_header;

typedef struct vptr__record_head {
  uint32_t mark, type;
  uint64_t number;
  uint64_t length;             /* of the bytes behind the head */
  uint64_t sum;                /* of the head in front of it, and of those bytes with the zeros behind them */
} vptr__record_head;

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

_Static_assert(sizeof(vptr__record_header) == 64 && sizeof(vptr__record_head) == 32, "as the file has them");
_Static_assert(sizeof(vptr__record_launch) == 64 && sizeof(vptr__record_area) == 32, "as the file has them");

static inline uint64_t vptr__record_padded(uint64_t length) {
  return (length + 7) & ~(uint64_t)7;
}

#define VPTR__RECORD_SUM_FIRST UINT64_C(0x9e3779b97f4a7c15)

/* Goes on with a sum over bytes, of which there are a multiple of 8 but for the last call: those that lack are zeros.
 * Each step can be undone, so that no change of one word is lost. */
static inline uint64_t vptr__record_sum(uint64_t sum, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (; size > 0; at += 8) {
    uint64_t word = 0;
    size_t part = size < 8 ? size : 8;
    memcpy(&word, at, part);
    sum = (sum ^ word) * UINT64_C(0xff51afd7ed558ccd);
    sum ^= sum >> 29;
    size -= part;
  }
  return sum;
}

static inline uint64_t vptr__record_header_sum(const vptr__record_header *header) {
  return vptr__record_sum(VPTR__RECORD_SUM_FIRST, header, offsetof(vptr__record_header, sum));
}

static inline uint64_t vptr__record_head_sum(const vptr__record_head *head) {
  return vptr__record_sum(VPTR__RECORD_SUM_FIRST, head, offsetof(vptr__record_head, sum));
}

#endif
