/* SPDX-License-Identifier: MIT */
/*
 * bins - lists of freed blocks, by size and by age (bins.h).
 *
 * The file has no data of its own: it changes the links of blocks and the heads of bins, which are part of a pool
 * (`common`) or of a free list. It takes no lock. Whoever calls it has vptr__pool_allocator.lock, of rank POOL
 * (pool_allocator.h), which guards them.
 *
 * Called by free_list.c and pool.c, which put blocks in and take them out; by reuse.c, which searches for a block that
 * fits; and by pool_allocator.c, which checks them (vptr__pool_check()). Nothing here blocks or fails.
 */
#include "pool/bins.h"

enum { PAGE_SHIFT = 12 };

unsigned vptr__bin_index(unsigned heap_bin, size_t room) {
  if (heap_bin < VPTR__HEAP_BIN_WHOLE)
    return heap_bin;
  uint64_t eighths = (uint64_t)room >> (PAGE_SHIFT - 3); /* the three bits below the leading one tell the bin */
  if (eighths < 8)
    eighths = 8;
  unsigned shift = 60 - (unsigned)__builtin_clzll(eighths);
  unsigned bin = VPTR__HEAP_BIN_WHOLE + shift * 8 + (unsigned)(eighths >> shift) - 8;
  return bin < VPTR__BIN_COUNT ? bin : VPTR__BIN_COUNT - 1;
}

static void bin_add(vptr__bins *bins, vptr__block *block) {
  vptr__block **first = &bins->heads[block->bin];
  block->prev = NULL;
  block->next = *first;
  if (*first != NULL)
    (*first)->prev = block;
  *first = block;
}

static void bin_remove(vptr__bins *bins, vptr__block *block) {
  if (block->prev != NULL)
    block->prev->next = block->next;
  else
    bins->heads[block->bin] = block->next;
  if (block->next != NULL)
    block->next->prev = block->prev;
}

void vptr__bins_put(vptr__bins *bins, vptr__block *block) {
  bin_add(bins, block);
  block->newer = NULL;
  block->older = bins->newest;
  if (bins->newest != NULL)
    bins->newest->newer = block;
  else
    bins->oldest = block;
  bins->newest = block;
  bins->count++;
  block->bins = bins;
}

void vptr__bins_remove(vptr__block *block) {
  vptr__bins *bins = block->bins;
  bin_remove(bins, block);
  if (block->older != NULL)
    block->older->newer = block->newer;
  else
    bins->oldest = block->newer;
  if (block->newer != NULL)
    block->newer->older = block->older;
  else
    bins->newest = block->older;
  bins->count--;
  block->bins = NULL;
}

static vptr__block *find_slot(vptr__block *block, uint64_t until) {
  while (block != NULL && block->timestamp > until)
    block = block->next;
  return block;
}

static vptr__block *find_whole(vptr__block *block, size_t size, uint64_t until) {
  while (block != NULL && (block->timestamp > until || block->room < size || block->room - size > block->room / 8))
    block = block->next;
  return block;
}

vptr__block *vptr__bins_find(const vptr__bins *bins, unsigned heap_bin, size_t size, uint64_t until) {
  if (heap_bin < VPTR__HEAP_BIN_WHOLE)
    return find_slot(bins->heads[heap_bin], until);
  size_t pages = (size + ((size_t)1 << PAGE_SHIFT) - 1) >> PAGE_SHIFT;
  unsigned bin = vptr__bin_index(heap_bin, pages << PAGE_SHIFT);
  vptr__block *block = find_whole(bins->heads[bin], size, until);
  for (unsigned i = 1; i <= 2 && block == NULL && bin + i < VPTR__BIN_COUNT; i++) /* an eighth more: two bins up */
    block = find_whole(bins->heads[bin + i], size, until);
  return block;
}

static bool is_in_place(const vptr__bins *bins, const vptr__block *block, const vptr__block *older) {
  bool is_first = bins->heads[block->bin] == block;
  return block->bins == bins && block->older == older && block->bin < VPTR__BIN_COUNT &&
         is_first == (block->prev == NULL) && (block->prev == NULL || block->prev->next == block) &&
         (block->next == NULL || block->next->bin == block->bin);
}

bool vptr__bins_is_valid(const vptr__bins *bins) {
  const vptr__block *older = NULL;
  size_t count = 0, binned = 0;
  for (const vptr__block *block = bins->oldest; block != NULL; older = block, block = block->newer, count++)
    if (!is_in_place(bins, block, older))
      return false;
  for (unsigned bin = 0; bin < VPTR__BIN_COUNT; bin++)
    for (const vptr__block *block = bins->heads[bin]; block != NULL; block = block->next)
      binned++;
  return count == bins->count && binned == count && bins->newest == older;
}
