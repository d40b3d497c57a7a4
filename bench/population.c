/* SPDX-License-Identifier: MIT */
/* population - see population.h. */
#include "population.h"

#include "random.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIZE_BITS = 12 };
_Static_assert(1 << SIZE_BITS == POPULATION_MAX_SIZE, "sizes go up to the maximum");

static size_t picks_for(size_t members) {
  size_t chunks = (members + POPULATION_CHUNK - 1) / POPULATION_CHUNK;
  return (chunks > 0 ? chunks : 1) * POPULATION_CHUNK;
}

/* Programs have many small blocks and few large ones: every power of two is as likely as any other. */
static uint32_t random_size(uint64_t *state) {
  uint64_t bits = random_below(state, SIZE_BITS + 1);
  return (uint32_t)(1 + random_below(state, UINT64_C(1) << bits));
}

bool population_init(population *all, size_t capacity) {
  size_t picks = picks_for(capacity);
  *all = (population){ .capacity = capacity, .random = 42 };
  rbtree_init(&all->tree);
  all->in_vptr = calloc(capacity, sizeof *all->in_vptr);
  all->in_tree = calloc(capacity, sizeof *all->in_tree);
  all->sizes = calloc(capacity, sizeof *all->sizes);
  all->vptr_picks = calloc(picks, sizeof *all->vptr_picks);
  all->tree_picks = calloc(picks, sizeof *all->tree_picks);
  if (all->in_vptr != NULL && all->in_tree != NULL && all->sizes != NULL && all->vptr_picks != NULL &&
      all->tree_picks != NULL)
    return true;
  population_fini(all);
  fputs("vptr-bench: the host has no memory for that many allocations; try a smaller --live\n", stderr);
  return false;
}

void population_fini(population *all) {
  for (size_t i = 0; i < all->count; i++)
    vptr_free(NULL, all->in_vptr[i]);
  rbtree_fini(&all->tree);
  free(all->in_vptr);
  free(all->in_tree);
  free(all->sizes);
  free(all->vptr_picks);
  free(all->tree_picks);
}

bool population_grow(population *all, size_t count) {
  for (; all->count < count; all->count++) {
    uint32_t size = random_size(&all->random);
    if (vptr_malloc(NULL, size, &all->in_vptr[all->count]) != VPTR_SUCCESS) {
      fprintf(stderr, "vptr-bench: allocation %zu failed: %s\n", all->count + 1, vptr_last_error());
      return false;
    }
    all->in_tree[all->count] = rbtree_allocate(&all->tree, size);
    all->sizes[all->count] = size;
    if (all->in_tree[all->count] == NULL) {
      vptr_free(NULL, all->in_vptr[all->count]);
      fputs("vptr-bench: the host has no memory for the tree\n", stderr);
      return false;
    }
  }
  return true;
}

/* A benchmark of wrong answers would be worthless. */
static bool answers_agree(population *all) {
  for (size_t i = 0; i < POPULATION_CHUNK; i++) {
    vptr_location ours = { 0 }, theirs = { 0 };
    bool found = vptr_resolve(NULL, all->vptr_picks[i], 1, &ours) == VPTR_SUCCESS &&
                 rbtree_resolve(&all->tree, all->tree_picks[i], &theirs);
    if (!found || ours.offset != theirs.offset || ours.size != theirs.size) {
      fprintf(stderr, "vptr-bench: vptr and the tree disagree about %p: this is a bug, please report it\n",
              all->vptr_picks[i]);
      return false;
    }
  }
  return true;
}

bool population_pick(population *all) {
  all->picks = picks_for(all->count);
  for (size_t i = 0; i < all->picks; i++) {
    size_t member = random_below(&all->random, all->count);
    size_t offset = random_below(&all->random, all->sizes[member]);
    all->vptr_picks[i] = (const char *)all->in_vptr[member] + offset;
    all->tree_picks[i] = (const char *)all->in_tree[member] + offset;
  }
  return answers_agree(all);
}

static void exchange(population *all, size_t a, size_t b) {
  void *in_vptr = all->in_vptr[a], *in_tree = all->in_tree[a];
  uint32_t size = all->sizes[a];
  all->in_vptr[a] = all->in_vptr[b];
  all->in_tree[a] = all->in_tree[b];
  all->sizes[a] = all->sizes[b];
  all->in_vptr[b] = in_vptr;
  all->in_tree[b] = in_tree;
  all->sizes[b] = size;
}

void population_choose_last(population *all, size_t count) {
  for (size_t chosen = 0; chosen < count; chosen++) {
    size_t left = all->count - chosen;
    exchange(all, random_below(&all->random, left), left - 1);
  }
}
