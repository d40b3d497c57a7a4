/* SPDX-License-Identifier: MIT */
/*
 * kept - what a thread puts into its frame where it stops, and what it takes from there where it goes on.
 *
 * All that is used behind a stop has to be in the frame by then. But what has been there since an earlier stop is
 * not put there again, and what is not used before the next stop is not taken from there: a row of shuffles of sixty
 * sums moves one sum at each, not all.
 *
 * - Fresh is a value where a way leads from its definition without a stop. At a stop the fresh ones are put into the
 *   frame, of those that are used behind it: the first stop behind a definition has it among those.
 * - Needed is a value from where a way leads without a stop to its use, or to a stop that puts it into the frame.
 *   Behind a stop the needed ones are taken.
 */
#ifndef KERNELC_KEPT_H
#define KERNELC_KEPT_H

#include "live.h"

typedef struct kc_kept {
  const kc_live *live;
  unsigned count;                     /* of stops */
  LLVMValueRef *stops;                /* in the order of the blocks */
  unsigned long long *saved, *loaded; /* a set for each stop */
} kc_kept;

typedef void kc_kept_each(kc_writer *writer, LLVMValueRef value, void *context);

/* Of writer->graph. */
kc_kept *kc_kept_of(kc_writer *writer, LLVMValueRef function);

/* Calls for each value that is put into the frame at a stop, or taken behind it. */
void kc_kept_saved(kc_writer *writer, const kc_kept *kept, unsigned stop, kc_kept_each *each, void *context);
void kc_kept_loaded(kc_writer *writer, const kc_kept *kept, unsigned stop, kc_kept_each *each, void *context);

/* Which stop a call is. */
unsigned kc_kept_stop(const kc_kept *kept, LLVMValueRef call);

#endif
