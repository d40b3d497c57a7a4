/* SPDX-License-Identifier: MIT */
/*
 * digest - computes the digest of memory (digest.h).
 *
 * No data, no locks: the bytes are the caller's. Called by checkpoint/taker.c, for memory, and by checkpoint/reader.c
 * and writer.c, for what is in a file; and by cudart/module/module.c, for a module's text. Nothing blocks.
 */
#include "base/digest.h"

#include <string.h>

enum { LANES = 8, STRIDE = LANES * 8 };

#define FACTOR UINT64_C(0xff51afd7ed558ccd)
#define FACTOR_TOO UINT64_C(0xc4ceb9fe1a85ec53)
#define BEGINNING UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t mix(uint64_t sum, uint64_t word, uint64_t factor) {
  sum = (sum ^ word) * factor;
  return sum ^ (sum >> 29);
}

static inline void take_stride(uint64_t lanes[LANES], const unsigned char *at) {
  uint64_t words[LANES];
  memcpy(words, at, sizeof words);
  for (int i = 0; i < LANES; i++)
    lanes[i] = mix(lanes[i], words[i], FACTOR);
}

bool vptr__digest_is_blank(const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (; size >= STRIDE; at += STRIDE, size -= STRIDE) {
    uint64_t words[LANES], any = 0;
    memcpy(words, at, sizeof words);
    for (int i = 0; i < LANES; i++)
      any |= words[i];
    if (any != 0)
      return false;
  }
  for (; size > 0; at++, size--)
    if (*at != 0)
      return false;
  return true;
}

vptr__digest vptr__digest_of(const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  uint64_t lanes[LANES];
  if (vptr__digest_is_blank(bytes, size))
    return (vptr__digest){ 0, 0 };
  for (int i = 0; i < LANES; i++)
    lanes[i] = BEGINNING * (uint64_t)(i + 1);
  size_t left = size;
  for (; left >= STRIDE; at += STRIDE, left -= STRIDE)
    take_stride(lanes, at);
  if (left > 0) {
    unsigned char last[STRIDE] = { 0 };
    memcpy(last, at, left);
    take_stride(lanes, last);
  }
  vptr__digest digest = { BEGINNING ^ size, FACTOR ^ size };
  for (int i = 0; i < LANES; i++) {
    digest.low = mix(digest.low, lanes[i], FACTOR);
    digest.high = mix(digest.high, lanes[LANES - 1 - i] + BEGINNING, FACTOR_TOO);
  }
  return digest;
}
