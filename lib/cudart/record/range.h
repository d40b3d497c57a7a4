/* SPDX-License-Identifier: MIT */
/*
 * range - which launches are recorded: VPTR_RECORD_RANGE, read and asked.
 *
 * A text is a kernel's name, numbers, or both with a colon between: "saxpy", "7", "3-5", "3-", "saxpy:3-5". What is
 * behind the last colon is numbers if it has only digits and '-' in it, so that a::b is a name. Numbers count from 0:
 * launches of that kernel if there is a name, else all. A name is the kernel's as the program has it, or mangled.
 *
 * No locks; the range and the count of launches are the caller's. Used by recorder.c.
 */
#ifndef VPTR_RECORD_RANGE_H
#define VPTR_RECORD_RANGE_H

#include <stdbool.h>
#include <stdint.h>

enum { VPTR__RECORD_NAME_ROOM = 256 };

typedef struct vptr__record_range {
  char name[VPTR__RECORD_NAME_ROOM]; /* empty: any */
  uint64_t first, last;
} vptr__record_range;

/* Of a text, or NULL: all. False: the text is wrong. */
bool vptr__record_range_read(const char *text, vptr__record_range *range_out);

/* Whether a kernel has the range's name. */
bool vptr__record_range_names(const vptr__record_range *range, const char *name, const char *lowered);

#endif
