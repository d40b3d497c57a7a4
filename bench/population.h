/* SPDX-License-Identifier: MIT */
/*
 * population - the same allocations in vptr and in the tree, and pointers into them.
 *
 * Both get the same sizes in the same order and lose the same members, so a member's index means the same in both. The
 * pointers to look up ("picks") are random bytes of random members, chosen beforehand: making them up in the measured
 * loop would cost more than some look-ups. There are at least as many picks as members, so that a large population is
 * really visited and does not shrink to what the caches hold.
 */
#ifndef BENCH_POPULATION_H
#define BENCH_POPULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rbtree.h"

enum { POPULATION_MAX_SIZE = 4096, POPULATION_CHUNK = 4096 };

typedef struct population {
  rbtree tree;
  void **in_vptr, **in_tree;          /* [member]: the allocation's address */
  uint32_t *sizes;                    /* [member] */
  size_t count, capacity;
  const void **vptr_picks, **tree_picks;
  size_t picks;                       /* a multiple of POPULATION_CHUNK */
  uint64_t random;
} population;

/* Room for capacity members. False if the host has no memory. */
bool population_init(population *population, size_t capacity);

/* Frees all members, too. */
void population_fini(population *population);

/* Adds members until there are count. False if an allocation fails. */
bool population_grow(population *population, size_t count);

/* Chooses new picks, and checks that both sides agree on a chunk of them. False if they do not. */
bool population_pick(population *population);

/* Moves `count` random members to the end. */
void population_choose_last(population *population, size_t count);

#endif
