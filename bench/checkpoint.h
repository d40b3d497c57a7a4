/* SPDX-License-Identifier: MIT */
/*
 * checkpoint - how fast vptr_checkpoint() and vptr_restore() are beside write() and read() of the same bytes.
 *
 * The file lies in /dev/shm, or in the folder that TMPDIR names: in memory it is vptr that is measured, not a disk. All
 * bytes are other than zero. A first checkpoint has all of them; of one more, an eighth has changed, or nothing, and
 * what is told is how fast the memory was gone through. Plain files are written with fsync() and renamed, as
 * checkpoints are.
 */
#ifndef BENCH_CHECKPOINT_H
#define BENCH_CHECKPOINT_H

#include <stdbool.h>

#include "options.h"

/* False if something failed, which has been said on stderr. */
bool checkpoint_run(const options *wanted);

#endif
