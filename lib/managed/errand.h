/* SPDX-License-Identifier: MIT */
/*
 * errand - bytes that are brought to the host while the program goes on.
 *
 * A prefetch to the host has to wait for the kernels that use the bytes, and whoever asks for it does not want to. So a
 * thread waits: it looks now and then whether the work is over, without the mirror's lock, which those who send more work
 * need; then it fetches. An errand is for speed alone. One that cannot be run, since there is no thread or no memory for it,
 * or since work goes on for longer than PATIENCE, is given up in silence: a fault will bring the bytes.
 *
 * The mirror is held for as long, so freeing it ends the waiting first. One thread, from the first errand on; it ends with
 * the process, and is not there in a child after fork(). One lock, rank LEAF, guards the list.
 */
#ifndef VPTR_MANAGED_ERRAND_H
#define VPTR_MANAGED_ERRAND_H

#include "managed/mirror.h"

enum { VPTR__ERRAND_PATIENCE_MS = 10000 };

/* Brings what lies in a range of the mirror, to read, once the work that uses it is over. The mirror is entered (atlas.h),
 * and is left when that is done. Does not wait. */
VPTR_API void vptr__errand_run(vptr__mirror *mirror, size_t offset, size_t size);

#endif
