/* SPDX-License-Identifier: MIT */
/*
 * digest - a checksum of 128 bits, by which damage in a file is found, and memory whose bytes are as they were.
 *
 * The sum of base/record.h waits for a multiplication at each word. Here eight of them go side by side, each over every
 * eighth word, so that the memory's own speed is what limits it; every step of each can be undone, so that no change of
 * one word is lost. They meet in two different ways, which makes 128 bits: two contents that are not made to be alike
 * have one digest with a chance of 2^-128 at best. It keeps nobody out who wants to deceive. Memory of zeros alone is
 * told first, and has the digest of two zeros. Called by the files of lib/vptr/checkpoint, and
 * by cudart/module/module.c. No state, no locks.
 */
#ifndef VPTR_BASE_DIGEST_H
#define VPTR_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

typedef struct vptr__digest {
  uint64_t low, high;
} vptr__digest;

VPTR_API vptr__digest vptr__digest_of(const void *bytes, size_t size);

/* Whether all of it is zero, which most memory tells by its first word. */
bool vptr__digest_is_blank(const void *bytes, size_t size);

static inline bool vptr__digest_equals(vptr__digest a, vptr__digest b) {
  return a.low == b.low && a.high == b.high;
}

#endif
