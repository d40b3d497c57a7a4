/* SPDX-License-Identifier: MIT */
/* population - see population.h. */
#include "population.h"

#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE_BITS = 12 };
_Static_assert(1 << SIZE_BITS == POPULATION_MAX_SIZE, "sizes go up to the maximum");

static size_t picks_for(size_t members) {
  size_t chunks = (members + POPULATION_CHUNK - 1) / POPULATION_CHUNK;
  return (chunks > 0 ? chunks : 1) * POPULATION_CHUNK;
}

/* Programs have many small blocks and few large ones: every power of two is as likely as any other. */
static uint32_t random_size(population *all) {
  unsigned least_bits = (unsigned)__builtin_ctzll(all->least);
  uint64_t bits = least_bits + random_below(&all->random, SIZE_BITS + 1 - least_bits);
  return (uint32_t)(all->least + random_below(&all->random, (UINT64_C(1) << bits) - all->least + 1));
}

static bool reserve(population *all, size_t capacity, size_t picks) {
  bool good = (all->sizes = calloc(capacity, sizeof *all->sizes)) != NULL;
  for (size_t side = 0; side < all->sides; side++) {
    all->members[side] = calloc(capacity, sizeof *all->members[side]);
    all->picks[side] = calloc(picks, sizeof *all->picks[side]);
    good &= all->members[side] != NULL && all->picks[side] != NULL;
  }
  return good;
}

bool population_init(population *all, size_t capacity) {
  *all = (population){ .fast = VPTR_FAST_INIT, .capacity = capacity, .least = 1, .random = 42 };
  if (vptr_fast_open(NULL, &all->fast) != VPTR_SUCCESS) {
    fprintf(stderr, "vptr-bench: %s\n", vptr_last_error());
    return false;
  }
  all->sides = sallocx_find(&all->jemalloc) ? SIDES : SIDE_JEMALLOC;
  rbtree_init(&all->tree);
  if (reserve(all, capacity, picks_for(capacity)))
    return true;
  population_fini(all);
  fputs("vptr-bench: the host has no memory for that many allocations; try a smaller --live\n", stderr);
  return false;
}

static void release_member(population *all, size_t member) {
  if (all->members[SIDE_VPTR][member] != NULL)
    vptr_free(NULL, all->members[SIDE_VPTR][member]);
  if (all->sides > SIDE_JEMALLOC && all->members[SIDE_JEMALLOC][member] != NULL)
    all->jemalloc.release(all->members[SIDE_JEMALLOC][member], 0);
}

void population_fini(population *all) {
  for (size_t i = 0; i < all->count; i++)
    release_member(all, i);
  rbtree_fini(&all->tree);
  for (size_t side = 0; side < all->sides; side++) {
    free(all->members[side]);
    free(all->picks[side]);
  }
  free(all->sizes);
}

/* On every side; what one has got when another fails, population_fini() releases, since the member counts. */
static bool add_member(population *all) {
  size_t member = all->count++;
  uint32_t size = all->sizes[member] = random_size(all);
  if (vptr_malloc(NULL, size, &all->members[SIDE_VPTR][member]) != VPTR_SUCCESS) {
    fprintf(stderr, "vptr-bench: allocation %zu failed: %s\n", member + 1, vptr_last_error());
    return false;
  }
  all->members[SIDE_TREE][member] = rbtree_allocate(&all->tree, size);
  if (all->sides > SIDE_JEMALLOC)
    all->members[SIDE_JEMALLOC][member] = all->jemalloc.allocate(size, 0);
  for (size_t side = 0; side < all->sides; side++)
    if (all->members[side][member] == NULL) {
      fprintf(stderr, "vptr-bench: the host has no memory for allocation %zu beside vptr's\n", member + 1);
      return false;
    }
  return true;
}

bool population_grow(population *all, size_t count) {
  while (all->count < count)
    if (!add_member(all))
      return false;
  return true;
}

/* A benchmark of wrong answers would be worthless. */
static bool answers_agree(population *all) {
  for (size_t i = 0; i < POPULATION_CHUNK; i++) {
    vptr_location ours = { 0 }, theirs = { 0 };
    bool found = vptr_resolve(NULL, all->picks[SIDE_VPTR][i], 1, &ours) == VPTR_SUCCESS &&
                 rbtree_resolve(&all->tree, all->picks[SIDE_TREE][i], &theirs);
    bool jemalloc_agrees =
        all->sides <= SIDE_JEMALLOC || all->jemalloc.size(all->picks[SIDE_JEMALLOC][i], 0) >= ours.size;
    if (!found || ours.offset != theirs.offset || ours.size != theirs.size || !jemalloc_agrees) {
      fprintf(stderr, "vptr-bench: vptr and the others disagree about %p: this is a bug, please report it\n",
              all->picks[SIDE_VPTR][i]);
      return false;
    }
  }
  return true;
}

/* What is x of 1 .. count + 1, when its logarithm is as likely anywhere: k <= x < k + 1 has the likelihood
 * log(1 + 1/k) / log(count + 1), which is Zipf's 1 / k but for the first few. The multiplier is a prime, and no
 * factor of any count here; it takes the favourites away from each other, which were allocated one after the other. */
static size_t zipf_member(population *all) {
  double share = (double)(random_next(&all->random) >> 11) / 9007199254740992.0;
  size_t rank = (size_t)exp(share * log((double)all->count + 1)) - 1;
  return (size_t)((uint64_t)(rank < all->count ? rank : all->count - 1) * 7368787 % all->count);
}

static size_t choose_member(population *all, population_order order, size_t pick, size_t hot) {
  if (order == ORDER_RANDOM)
    return random_below(&all->random, all->count);
  return order == ORDER_ZIPF ? zipf_member(all) : (hot + pick % POPULATION_HOT) % all->count;
}

bool population_pick(population *all, population_order order) {
  size_t hot = random_below(&all->random, all->count);
  all->pick_count = picks_for(all->count);
  for (size_t i = 0; i < all->pick_count; i++) {
    size_t member = choose_member(all, order, i, hot);
    size_t offset = random_below(&all->random, all->sizes[member]);
    all->picks[SIDE_VPTR][i] = (const char *)all->members[SIDE_VPTR][member] + offset;
    all->picks[SIDE_TREE][i] = (const char *)all->members[SIDE_TREE][member] + offset;
    if (all->sides > SIDE_JEMALLOC)
      all->picks[SIDE_JEMALLOC][i] = all->members[SIDE_JEMALLOC][member];
  }
  return answers_agree(all);
}

static void exchange(population *all, size_t a, size_t b) {
  uint32_t size = all->sizes[a];
  all->sizes[a] = all->sizes[b];
  all->sizes[b] = size;
  for (size_t side = 0; side < all->sides; side++) {
    void *member = all->members[side][a];
    all->members[side][a] = all->members[side][b];
    all->members[side][b] = member;
  }
}

void population_choose_last(population *all, size_t count) {
  for (size_t chosen = 0; chosen < count; chosen++) {
    size_t left = all->count - chosen;
    exchange(all, random_below(&all->random, left), left - 1);
  }
}
