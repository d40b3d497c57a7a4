/* SPDX-License-Identifier: MIT */
/*
 * room - device memory that launches by kernels take and give back, in threads where no memory can be freed.
 *
 * To free memory of a device may mean to wait for all of its work, under the pools' lock or without. The thread that
 * launches what kernels launch is waited for by that work, so it frees nothing: what it is done with is kept, for the
 * next that wants as much, and what is kept beyond some is freed by threads of the program's, when they launch. room.c
 * has the list and its lock, of rank LEAF, which no caller needs. Used by child.c and spill.c.
 */
#ifndef VPTR_MODULE_ROOM_H
#define VPTR_MODULE_ROOM_H

#include "stream/stream.h"

/* Memory that no work uses, of so many bytes at least. Errors: those of allocation. */
vptr_status vptr__room_take(vptr_mapper *mapper, size_t bytes, void **memory_out);

/* No work uses it any more; also memory that was taken elsewhere. */
void vptr__room_give(vptr_mapper *mapper, void *memory);

/* Frees what is more than a few: in a thread that may wait, behind the work of a stream. */
void vptr__room_free_surplus(vptr_mapper *mapper, vptr__stream *stream);

#endif
