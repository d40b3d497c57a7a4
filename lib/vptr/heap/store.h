/* SPDX-License-Identifier: MIT */
/*
 * store - where the bytes of an evicted buffer lie: memory of the host's, or a file.
 *
 * Where VPTR_SPILL_DIR names a folder, host memory as long as the machine has as much that is free, and else a file
 * there, which has no name from the start, and all its blocks before the first byte is written. Without a folder, host
 * memory until that is refused. Files are written and read by calls, and not mapped: a mapping would have the process
 * killed where a disk fails.
 *
 *     vptr__store_open() ---> written ... ---> read ... ---> vptr__store_close()
 *
 * A vptr__store belongs to a range (range.h), to its heap as the spare one (state.h), both under vptr__heap.lock, of
 * rank HEAP, or to the thread that moves the buffer. No locks are taken here.
 */
#ifndef VPTR_HEAP_STORE_H
#define VPTR_HEAP_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

typedef struct vptr__store {
  unsigned char *memory; /* NULL: a file */
  int file;              /* -1: none */
  size_t bytes;          /* 0: nothing is stored */
} vptr__store;

/* Room for so many bytes, at least 1. Errors: OUT_OF_HOST_MEMORY; then there is none. */
vptr_status vptr__store_open(size_t bytes, vptr__store *store_out);

/* Whether the host has so much memory free. */
bool vptr__store_has_memory(size_t bytes);

/* Gives the room back. A store of 0 bytes is allowed, and nothing happens. */
void vptr__store_close(vptr__store *store);

/* The memory at an offset, to be written and read directly; NULL: it is a file. */
unsigned char *vptr__store_at(const vptr__store *store, size_t offset);

/* To and from a file. Errors: OUT_OF_HOST_MEMORY, which names what the system said. */
vptr_status vptr__store_write(const vptr__store *store, size_t offset, const void *from, size_t size);
vptr_status vptr__store_read(const vptr__store *store, size_t offset, void *to, size_t size);

/* For tests: the n-th call of the system's for a file fails from now on (1: the next), once; 0 switches this off. */
void vptr__store_fail_nth(long n);

/* For tests: whether memory of the host's counts as full, so that files are used. */
void vptr__store_avoid_memory(bool avoids);

#endif
