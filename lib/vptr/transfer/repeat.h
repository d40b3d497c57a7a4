/* SPDX-License-Identifier: MIT */
/*
 * repeat - filling memory with a pattern whose first bytes are there: by copying what is there already, twice as much
 * each time, so that a period of one byte costs no more calls than one of a thousand. No data, no locks. Included by
 * fill.c, set.c and cudart/usm/transfer.c.
 */
#ifndef VPTR_TRANSFER_REPEAT_H
#define VPTR_TRANSFER_REPEAT_H

#include <stddef.h>
#include <string.h>

/* The first `done` of size bytes are there: whole periods, or all. */
static inline void vptr__repeat_on(unsigned char *bytes, size_t done, size_t size) {
  while (done < size) {
    size_t more = done < size - done ? done : size - done;
    memcpy(bytes + done, bytes, more);
    done += more;
  }
}

#endif
