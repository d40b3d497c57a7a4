/* SPDX-License-Identifier: MIT */
/* clock - monotonic time, for ages, deadlines and durations; it is no time of day. No data, no locks. Used by many
 * folders of lib, those of lib/vptr above all. */
#ifndef VPTR_BASE_CLOCK_H
#define VPTR_BASE_CLOCK_H

#include <stdint.h>

#include <vptr/vptr.h>

/* Nanoseconds since some point in the past. Never goes back. */
VPTR_API uint64_t vptr__clock_ns(void);

#endif
