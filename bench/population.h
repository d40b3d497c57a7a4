/* SPDX-License-Identifier: MIT */
/*
 * population - the same allocations on all sides that are compared, and pointers into them.
 *
 * The sides are vptr, the tree, and jemalloc where the process has it. All get the same sizes in the same order and
 * lose the same members, so a member's index means the same everywhere. The pointers to look up ("picks") are chosen
 * beforehand: making them up in the measured loop would cost more than some look-ups. There are at least as many
 * picks as members, so that a large population is really visited and does not shrink to what the caches hold.
 */
#ifndef BENCH_POPULATION_H
#define BENCH_POPULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr_fast.h>

#include "rbtree.h"
#include "sallocx.h"

enum { POPULATION_MAX_SIZE = 4096, POPULATION_CHUNK = 4096, POPULATION_HOT = 8 };

typedef enum population_side { SIDE_VPTR, SIDE_TREE, SIDE_JEMALLOC, SIDES } population_side;

/* In which order members are picked. */
typedef enum population_order {
  ORDER_RANDOM, /* each as likely as any other: what every cache is worst at */
  ORDER_HOT,    /* POPULATION_HOT neighbours in turns, over and over: a loop over the arguments of a kernel */
  ORDER_ZIPF,   /* the k-th in favour with a likelihood like 1 / k: what programs are said to be like */
  ORDERS
} population_order;

typedef struct population {
  rbtree tree;
  vptr_fast fast;              /* a view of the mapper, for look-ups without a call */
  sallocx_names jemalloc;
  size_t sides;                /* SIDES, or less where there is no jemalloc */
  void **members[SIDES];       /* [member]: the allocation's address */
  uint32_t *sizes;             /* [member] */
  size_t count, capacity;
  size_t least;                /* bytes of a member, a power of two: 1 if nobody sets it before the first grow */
  const void **picks[SIDES];   /* any byte of a member; jemalloc's are the first bytes, which is all it knows */
  size_t pick_count;           /* a multiple of POPULATION_CHUNK */
  uint64_t random;
} population;

/* Room for capacity members. False if the host has no memory. */
bool population_init(population *population, size_t capacity);

/* Frees all members, too. */
void population_fini(population *population);

/* Adds members until there are count. False if an allocation fails. */
bool population_grow(population *population, size_t count);

/* Chooses new picks, and checks that the sides agree on a chunk of them. False if they do not. */
bool population_pick(population *population, population_order order);

/* Moves `count` random members to the end. */
void population_choose_last(population *population, size_t count);

#endif
