/* SPDX-License-Identifier: MIT */
/*
 * difference - where two forms of an area's bytes differ, and how it is told.
 *
 * Bytes are compared as they are, or as numbers with a tolerance: those differ whose distance is more than the
 * tolerance times the larger of the two; and one that is no number from one that is. No state.
 */
#ifndef VPTR_REPLAY_DIFFERENCE_H
#define VPTR_REPLAY_DIFFERENCE_H

#include "recording.h"

typedef enum rp_type { RP_BYTES, RP_FLOAT, RP_DOUBLE } rp_type;

typedef struct rp_rule {
  rp_type type;
  double tolerance;
} rp_rule;

/* The first of size bytes that differs, which begin at an offset of the area that is a multiple of 8; size: none does.
 * Of numbers it is the first byte of one. */
size_t rp_difference_find(const rp_rule *rule, const unsigned char *a, const unsigned char *b, size_t size);

/* Tells of a difference at an offset of an area: the launch, its kernel, the allocation, both values. */
void rp_difference_tell(const rp_recording *recording, const rp_launch *launch, uint32_t area, size_t offset,
                        const rp_rule *rule, const unsigned char *a, const unsigned char *b, const char *of_a,
                        const char *of_b);

#endif
