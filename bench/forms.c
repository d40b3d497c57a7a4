/* SPDX-License-Identifier: MIT */
/*
 * forms - see forms.h.
 *
 * No offset is negative and no size has its highest bit, so that bit adds nothing to the index of a dependent loop;
 * but the processor must have the answer to know the next pick.
 */
#include "forms.h"

enum { HIGHEST_BIT = sizeof(size_t) * 8 - 1, BATCH = 256 };
_Static_assert(POPULATION_CHUNK % BATCH == 0, "a chunk is whole batches");

/* ---- get_offset ------------------------------------------------------------------------------------------ */

static size_t vptr_offsets(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_VPTR] + first;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    sum += (size_t)vptr_get_offset(NULL, picks[i]);
  return sum;
}

static size_t tree_offsets(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_TREE] + first;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    sum += (size_t)rbtree_get_offset(&all->tree, picks[i]);
  return sum;
}

static size_t jemalloc_sizes(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_JEMALLOC] + first;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    sum += all->jemalloc.size(picks[i], 0);
  return sum;
}

static size_t vptr_offsets_dependent(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_VPTR] + first;
  size_t offset = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    offset = (size_t)vptr_get_offset(NULL, picks[i + (offset >> HIGHEST_BIT)]);
  return offset;
}

static size_t tree_offsets_dependent(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_TREE] + first;
  size_t offset = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    offset = (size_t)rbtree_get_offset(&all->tree, picks[i + (offset >> HIGHEST_BIT)]);
  return offset;
}

static size_t jemalloc_sizes_dependent(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_JEMALLOC] + first;
  size_t size = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    size = all->jemalloc.size(picks[i + (size >> HIGHEST_BIT)], 0);
  return size;
}

/* ---- resolve --------------------------------------------------------------------------------------------- */

static size_t vptr_resolves(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_VPTR] + first;
  vptr_location location;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    if (vptr_resolve(NULL, picks[i], 1, &location) == VPTR_SUCCESS)
      sum += location.size;
  return sum;
}

static size_t tree_resolves(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_TREE] + first;
  vptr_location location;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    if (rbtree_resolve(&all->tree, picks[i], &location))
      sum += location.size;
  return sum;
}

static size_t vptr_resolves_dependent(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_VPTR] + first;
  vptr_location location = { 0 };
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    if (vptr_resolve(NULL, picks[i + (location.size >> HIGHEST_BIT)], 1, &location) != VPTR_SUCCESS)
      break;
  return location.size;
}

static size_t tree_resolves_dependent(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_TREE] + first;
  vptr_location location = { 0 };
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    if (!rbtree_resolve(&all->tree, picks[i + (location.size >> HIGHEST_BIT)], &location))
      break;
  return location.size;
}

static size_t vptr_resolves_in_batches(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_VPTR] + first;
  vptr_location locations[BATCH];
  vptr_status verdicts[BATCH];
  size_t sum = 0;
  for (size_t done = 0; done < POPULATION_CHUNK; done += BATCH) {
    vptr_resolve_batch(NULL, picks + done, BATCH, 1, locations, verdicts);
    for (size_t i = 0; i < BATCH; i++)
      if (verdicts[i] == VPTR_SUCCESS)
        sum += locations[i].size;
  }
  return sum;
}

/* ---- inline: a view of one's own is in registers, since nobody else has its address --------------------- */

static size_t vptr_resolves_inline(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_VPTR] + first;
  vptr_fast fast = all->fast;
  vptr_fast_extent extent;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    if (vptr_fast_resolve(&fast, picks[i], 1, &extent) == VPTR_SUCCESS)
      sum += extent.size;
  return sum;
}

static size_t vptr_resolves_inline_dependent(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_VPTR] + first;
  vptr_fast fast = all->fast;
  vptr_fast_extent extent = { 0 };
  for (size_t i = 0; i < POPULATION_CHUNK; i++)
    if (vptr_fast_resolve(&fast, picks[i + (extent.size >> HIGHEST_BIT)], 1, &extent) != VPTR_SUCCESS)
      break;
  return extent.size;
}

static size_t vptr_translates(population *all, size_t first) {
  const void *const *picks = all->picks[SIDE_VPTR] + first;
  vptr_fast fast = all->fast;
  size_t sum = 0;
  for (size_t i = 0; i < POPULATION_CHUNK; i++) {
    vptr_fast_place place = vptr_fast_translate(&fast, picks[i]);
    sum += place.offset ^ (uintptr_t)place.buffer;
  }
  return sum;
}

/* ---- all ------------------------------------------------------------------------------------------------- */

const form forms[FORMS] = {
  { "get_offset, independent", { vptr_offsets, tree_offsets, jemalloc_sizes } },
  { "get_offset, dependent", { vptr_offsets_dependent, tree_offsets_dependent, jemalloc_sizes_dependent } },
  { "resolve, independent", { vptr_resolves, tree_resolves, jemalloc_sizes } },
  { "resolve, dependent", { vptr_resolves_dependent, tree_resolves_dependent, jemalloc_sizes_dependent } },
  { "resolve, batch of 256", { vptr_resolves_in_batches, tree_resolves, jemalloc_sizes } },
  { "resolve inline, indep.", { vptr_resolves_inline, tree_resolves, jemalloc_sizes } },
  { "resolve inline, dep.", { vptr_resolves_inline_dependent, tree_resolves_dependent, jemalloc_sizes_dependent } },
  { "translate inline, indep.", { vptr_translates, tree_offsets, NULL } },
};
