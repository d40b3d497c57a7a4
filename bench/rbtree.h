/* SPDX-License-Identifier: MIT */
/*
 * rbtree - the mapper to compare with: allocations in a red-black tree behind a mutex.
 *
 * What programs do today, with std::map or a tree of their own: the key is an allocation's address, look-up takes the
 * lock, finds the greatest key that is not above the pointer, and checks the bounds. To be fair to it, this one does
 * less than a real mapper has to: it takes addresses from a counter instead of searching for a hole, and makes no
 * OpenCL buffer. Only the book-keeping is measured.
 *
 * Thread-safe: the mutex guards everything.
 */
#ifndef BENCH_RBTREE_H
#define BENCH_RBTREE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

typedef struct rbnode {
  struct rbnode *parent, *left, *right;
  bool red;
  uintptr_t base;
  size_t size;
  cl_mem buffer;
  uint64_t serial;
} rbnode;

typedef struct rbtree {
  pthread_mutex_t mutex;
  rbnode nil; /* every missing child, and the root's parent; black */
  rbnode *root;
  uintptr_t next_address;
  uint64_t serial;
  size_t count;
} rbtree;

void rbtree_init(rbtree *tree);
void rbtree_fini(rbtree *tree);

/* Adds an allocation and returns its address, or NULL if the host has no memory. */
void *rbtree_allocate(rbtree *tree, size_t size);

/* Takes out the allocation that begins at ptr; false if there is none. */
bool rbtree_free(rbtree *tree, void *ptr);

/* As vptr_resolve() with need 1; false where that is an error. */
bool rbtree_resolve(rbtree *tree, const void *ptr, vptr_location *location_out);

/* As vptr_get_offset(). */
ptrdiff_t rbtree_get_offset(rbtree *tree, const void *ptr);

/* Order, colours, equal black heights, parents, count. */
bool rbtree_is_valid(const rbtree *tree);

#endif
