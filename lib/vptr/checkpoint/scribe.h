/* SPDX-License-Identifier: MIT */
/*
 * scribe - a thread that writes one batch into a file while the next is made ready, and lets go of former files.
 *
 * There is one in a process, started with the first batch, and who takes checkpoints uses it alone (kept.h). Where it
 * cannot be started, or still closes a file, a batch is written by who hands it over. `batch.lock` (scribe.c), of rank
 * LEAF, guards what is handed over.
 */
#ifndef VPTR_CHECKPOINT_SCRIBE_H
#define VPTR_CHECKPOINT_SCRIBE_H

#include <stdbool.h>
#include <sys/uio.h>

/* Has the pieces written where the file's position is, when nothing is under way. They stay until
 * vptr__scribe_wait(). */
void vptr__scribe_hand(int descriptor, struct iovec *pieces, int count);

/* Has a descriptor closed, which is not the caller's any more. A file without a name ends with it, which takes the
 * system a while: with that in the call vptr-bench checkpoint has 1.6 to 2.0 GB/s, and 2.2 to 2.7 without. Where no
 * thread was started it is closed here. */
void vptr__scribe_close(int descriptor);

/* Waits for what was handed over last, if it was not waited for. False, and the reason in errno: it is not written. */
bool vptr__scribe_wait(void);

#endif
