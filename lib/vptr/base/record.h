/* SPDX-License-Identifier: MIT */
/*
 * record - files of records, with sums: what recordings of launches (cudart/record/format.h) and checkpoints
 * (checkpoint/format.h) have in common.
 *
 *     header                   64 bytes: vptr__record_header, whose magic and version say of which kind the file is
 *     record, record, ...      each a vptr__record_head, then `length` bytes and zeros up to a multiple of 8
 *
 * Numbers are the machine's own, and `order` in the header tells of which kind that is. What the sum of a record is
 * over, besides its head, the kind of file says. Pure arithmetic, no state, no locks. Used by the files of
 * lib/cudart/record and lib/vptr/checkpoint, through those two headers.
 */
#ifndef VPTR_BASE_RECORD_H
#define VPTR_BASE_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { VPTR__RECORD_ORDER = 0x01020304, VPTR__RECORD_MARK = 0x52545056 };

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
  uint64_t sum;
} vptr__record_head;

_Static_assert(sizeof(vptr__record_header) == 64 && sizeof(vptr__record_head) == 32, "as the file has them");

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
