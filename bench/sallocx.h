/* SPDX-License-Identifier: MIT */
/*
 * sallocx - jemalloc's own look-up, where the process has jemalloc: which size has the allocation at this address?
 *
 * A question of the same kind that an allocator answers on its host's heap, so it says what a good look-up costs. It
 * is an easier one: the address must be an allocation's first, it is not checked, and there is no offset and no
 * buffer to find.
 *
 * The names are looked for while the program runs. The program links jemalloc where it was built with it, and is
 * built without it too.
 */
#ifndef BENCH_SALLOCX_H
#define BENCH_SALLOCX_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sallocx_names {
  void *(*allocate)(size_t size, int flags);
  void (*release)(void *ptr, int flags);
  size_t (*size)(const void *ptr, int flags);
} sallocx_names;

/* False if the process has no jemalloc; then they are all NULL. */
bool sallocx_find(sallocx_names *names_out);

#endif
