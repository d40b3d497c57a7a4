/* SPDX-License-Identifier: MIT */
/*
 * nontemporal - memcpy() past the caches.
 *
 * Where far more is written than caches hold, fetching each line of the target only to overwrite it costs a third of
 * the memory's bandwidth, and throws out what others have there. Streaming stores do neither: on an H200's host eight
 * threads that copy from pinned chunks reach 52.7 GB/s with them and 48.7 without (1 GiB from the device). Below some
 * 100 MiB, where the target is still in a cache, they lose (30.8 for 39.3). No data, no locks. Included by bulk.c.
 */
#ifndef VPTR_TRANSFER_NONTEMPORAL_H
#define VPTR_TRANSFER_NONTEMPORAL_H

#include <stddef.h>
#include <string.h>

#include "base/number.h"

#ifdef __SSE2__

#include <emmintrin.h>
#include <stdint.h>

enum { VPTR__NONTEMPORAL_STEP = 64 /* bytes: a cache line, written in one go */ };

static inline size_t vptr__nontemporal_head(const void *to, size_t size) {
  size_t head = -(uintptr_t)to % VPTR__NONTEMPORAL_STEP;
  return vptr__smaller(head, size);
}

static inline void vptr__nontemporal_line(unsigned char *to, const unsigned char *from) {
  const __m128i *line = (const __m128i *)(const void *)from;
  __m128i first = _mm_loadu_si128(line), second = _mm_loadu_si128(line + 1);
  __m128i third = _mm_loadu_si128(line + 2), fourth = _mm_loadu_si128(line + 3);
  __m128i *target = (__m128i *)(void *)to;
  _mm_stream_si128(target, first);
  _mm_stream_si128(target + 1, second);
  _mm_stream_si128(target + 2, third);
  _mm_stream_si128(target + 3, fourth);
}

/* The fence makes the stores visible to whoever is told that the copy is done. */
static inline void vptr__nontemporal_copy(void *to, const void *from, size_t size) {
  unsigned char *target = to;
  const unsigned char *source = from;
  size_t at = vptr__nontemporal_head(to, size);
  memcpy(target, source, at);
  for (; size - at >= VPTR__NONTEMPORAL_STEP; at += VPTR__NONTEMPORAL_STEP)
    vptr__nontemporal_line(target + at, source + at);
  _mm_sfence();
  memcpy(target + at, source + at, size - at);
}

#else

static inline void vptr__nontemporal_copy(void *to, const void *from, size_t size) {
  memcpy(to, from, size);
}

#endif

#endif
