/* SPDX-License-Identifier: MIT */
/*
 * group - counts into offsets, and entries into the order of a number of theirs.
 */
#ifndef VPTR_CUSPARSE_GROUP_H
#define VPTR_CUSPARSE_GROUP_H

#include "cusparse/lines.h"

/* to[i] = base + the sum of the counts before i, for i from 0 to n; counts are ints on the device. `total`, if it is
 * wanted, gets the sum of all without the base, which waits for the stream. */
void vptr__sparse_sum_before(vptr__sparse_call *call, int64_t n, const void *counts, int64_t base,
                             vptr__sparse_indices to, int64_t *total);

/* Entries by the numbers that they have, of `lines` ones: where each number's begin (`offsets`, lines + 1 ints, from
 * the base on), and which entry stands where (`source`, from 0 on): those of one number in the order in which they
 * were. */
void vptr__sparse_group(vptr__sparse_call *call, int64_t lines, int64_t entries, const int *numbers, int64_t base,
                        const void *offsets, const void *source);

#endif
