/* SPDX-License-Identifier: MIT */
/*
 * handle - what a program holds of a library: cuBLAS's, cuSPARSE's and cuSOLVER's handles, and cuRAND's generators.
 *
 * A handle is the address of a place in a block that is never freed. So any value that a program hands in is told apart
 * from a live handle without looking at memory behind it, and without a lock. A place is used again: a handle that was
 * destroyed may become a later one.
 *
 * Thread-safe. `lock` of a table, of rank LEAF, guards the search for a free place; `blocks`, and whether a place is in
 * use, are atomic. The tables are static variables of handle.c in lib/cublas, lib/cusparse and lib/cusolver, and of
 * curand/generator.c, which call this. What else a place has is its library's.
 */
#ifndef VPTR_LIBRARY_HANDLE_H
#define VPTR_LIBRARY_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

#include "base/lock.h"

enum { VPTR__LIBRARY_BLOCKS = 64, VPTR__LIBRARY_PLACES = 64 };

/* First in what has a handle. */
typedef struct vptr__library_place {
  atomic_bool is_live;
} vptr__library_place;

typedef struct vptr__library_handles {
  const char *noun;                             /* in words about one: "handle" */
  size_t size;                                  /* of a place */
  vptr__lock lock;
  _Atomic(char *) blocks[VPTR__LIBRARY_BLOCKS]; /* of so many places each; only grows */
} vptr__library_handles;

#define VPTR__LIBRARY_HANDLES(noun, T) { (noun), sizeof(T), VPTR__LOCK_INIT(VPTR__RANK_LEAF), { NULL } }

VPTR_API bool vptr__library_handle_is_live(const vptr__library_handles *table, const void *handle);

/* The same, and says in the words of `call` what is wrong with one that is not. */
VPTR_API bool vptr__library_handle_check(const vptr__library_handles *table, const char *call, const void *handle);

/* A live handle to a copy of `fresh`, which has the table's size. NULL, which has been said: there is no host memory,
 * or all places are taken. */
VPTR_API void *vptr__library_handle_create(vptr__library_handles *table, const char *call, const void *fresh);

/* Of threads that end one handle at once, one succeeds; what is wrong has been said to the others. */
VPTR_API bool vptr__library_handle_end(const vptr__library_handles *table, const char *call, void *handle);

#endif
