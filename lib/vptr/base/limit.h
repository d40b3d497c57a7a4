/* SPDX-License-Identifier: MIT */
/* limit - what several folders count with. */
#ifndef VPTR_BASE_LIMIT_H
#define VPTR_BASE_LIMIT_H

/* Devices that are ever listed: what is kept for each is an array of so many, by ordinal, and VPTR_PARTITION makes no
 * more of one. A macro, since messages have it as text. */
#define VPTR__MOST_DEVICES 64

#endif
