/* SPDX-License-Identifier: MIT */
/*
 * file - the file of VPTR_RECORD, as it is written.
 *
 * It is opened by the first launch that is recorded, and grows by whole records (record/format.h). When a write fails,
 * what was begun is cut off again as far as that works, a line on stderr says so once, and nothing is written any more:
 * the program goes on. There is one in a process; a second process that records into the same file is refused.
 *
 * Lock: `file.lock` of file.c, of rank LEAF, guards the file, and is held while a record is written. Used by
 * recorder.c.
 */
#ifndef VPTR_RECORD_FILE_H
#define VPTR_RECORD_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapper/mapper.h"
#include "record/format.h"

/* Whether records can be written; opens it for memory of a mapper, the first time. False for good after an error. */
bool vptr__record_file_open(vptr_mapper *mapper);

/* The number of a module's text, whose record stands in the file before this returns, once: so launches that other
 * threads record refer to what is there. False: it is not in the file; *is_full_out: since there are too many. */
bool vptr__record_file_put_module(const void *text, size_t length, uint64_t *number_out, bool *is_full_out);

/* A record of two pieces, the first a multiple of 8 bytes or the second empty. False: it is not in the file. */
bool vptr__record_file_put(vptr__record_type type, uint64_t number, const void *first, size_t first_size,
                           const void *second, size_t second_size);

#endif
