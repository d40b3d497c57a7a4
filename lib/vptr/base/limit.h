/* SPDX-License-Identifier: MIT */
/* limit - how many devices there may be: the length of arrays that have something for each. A macro: no data, no locks.
 * Used by folders of lib/vptr, lib/cudart and lib/driver, and by cublas/tuning.c and ml/device.c. */
#ifndef VPTR_BASE_LIMIT_H
#define VPTR_BASE_LIMIT_H

/* Devices that are ever listed: what is kept for each is an array of so many, by ordinal, and VPTR_PARTITION makes no
 * more of one. A macro, since messages have it as text. */
#define VPTR__MOST_DEVICES 64

#endif
