/* SPDX-License-Identifier: MIT */
/*
 * bins - blocks of freed memory that wait to be used again, found by size and by age.
 *
 *     bins    [64 classes of slots | 8 bins to each doubling of whole buffers]     the latest first: its memory is warm
 *     age     oldest <-> ... <-> newest                                            the order in which blocks are done
 *
 * A slot serves requests of its own class alone; a whole buffer those that leave at most an eighth of it idle, the rule
 * of the heap's cache. So memory of one size is not cut up for another: it goes back to the heap at the next
 * synchronisation. Not thread-safe: guarded by vptr__pool_allocator.lock (pool_allocator.h), of rank POOL.
 */
#ifndef VPTR_POOL_BINS_H
#define VPTR_POOL_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap/heap.h"

enum { VPTR__BIN_COUNT = VPTR__HEAP_BIN_WHOLE + 37 * 8  /* buffers of 2^12 to 2^48 bytes */ };

struct vptr__pool;
struct vptr__free_list;

/* A place in the heap that a pool holds: live, or in bins. */
typedef struct vptr__block {
  uintptr_t base;
  size_t room;               /* bytes set aside */
  size_t size;               /* as requested, of the live or the latest allocation */
  struct vptr__pool *pool;
  struct vptr__bins *bins;   /* where it waits; NULL: live */
  struct vptr__free_list *free_list; /* whose bins those are; NULL: the pool's */
  uint64_t timestamp;        /* when it was freed: see pool_allocator.h */
  unsigned bin;
  struct vptr__block *next, *prev;   /* in its bin */
  struct vptr__block *newer, *older; /* in its bins */
} vptr__block;

typedef struct vptr__bins {
  vptr__block *oldest, *newest;
  size_t count;
  vptr__block *heads[VPTR__BIN_COUNT];
} vptr__bins;

/* Where a block of a heap's bin and so many bytes belongs. */
unsigned vptr__bin_index(unsigned heap_bin, size_t room);

/* Adds a block, as the newest. */
void vptr__bins_put(vptr__bins *bins, vptr__block *block);
void vptr__bins_remove(vptr__block *block);

/* A block that fits a request of size bytes of a heap's bin and was freed at `until` or before, or NULL. It stays. */
vptr__block *vptr__bins_find(const vptr__bins *bins, unsigned heap_bin, size_t size, uint64_t until);

/* Counts, links and order. */
bool vptr__bins_is_valid(const vptr__bins *bins);

#endif
