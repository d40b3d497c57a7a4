/* SPDX-License-Identifier: MIT */
/* shelf - see shelf.h. */
#include "stream/shelf.h"

enum { PAGE_SHIFT = 12 };

unsigned vptr__shelf_bin(unsigned heap_bin, size_t room) {
  if (heap_bin < VPTR__HEAP_BIN_WHOLE)
    return heap_bin;
  uint64_t eighths = (uint64_t)room >> (PAGE_SHIFT - 3); /* the three bits below the leading one tell the bin */
  if (eighths < 8)
    eighths = 8;
  unsigned shift = 60 - (unsigned)__builtin_clzll(eighths);
  unsigned bin = VPTR__HEAP_BIN_WHOLE + shift * 8 + (unsigned)(eighths >> shift) - 8;
  return bin < VPTR__SHELF_BINS ? bin : VPTR__SHELF_BINS - 1;
}

static void bin_add(vptr__shelf *shelf, vptr__block *block) {
  vptr__block **first = &shelf->bins[block->bin];
  block->prev = NULL;
  block->next = *first;
  if (*first != NULL)
    (*first)->prev = block;
  *first = block;
}

static void bin_remove(vptr__shelf *shelf, vptr__block *block) {
  if (block->prev != NULL)
    block->prev->next = block->next;
  else
    shelf->bins[block->bin] = block->next;
  if (block->next != NULL)
    block->next->prev = block->prev;
}

void vptr__shelf_put(vptr__shelf *shelf, vptr__block *block) {
  bin_add(shelf, block);
  block->newer = NULL;
  block->older = shelf->newest;
  if (shelf->newest != NULL)
    shelf->newest->newer = block;
  else
    shelf->oldest = block;
  shelf->newest = block;
  shelf->count++;
  block->shelf = shelf;
}

void vptr__shelf_remove(vptr__block *block) {
  vptr__shelf *shelf = block->shelf;
  bin_remove(shelf, block);
  if (block->older != NULL)
    block->older->newer = block->newer;
  else
    shelf->oldest = block->newer;
  if (block->newer != NULL)
    block->newer->older = block->older;
  else
    shelf->newest = block->older;
  shelf->count--;
  block->shelf = NULL;
}

static vptr__block *find_slot(vptr__block *block, uint64_t until) {
  while (block != NULL && block->moment > until)
    block = block->next;
  return block;
}

static vptr__block *find_whole(vptr__block *block, size_t size, uint64_t until) {
  while (block != NULL && (block->moment > until || block->room < size || block->room - size > block->room / 8))
    block = block->next;
  return block;
}

vptr__block *vptr__shelf_find(const vptr__shelf *shelf, unsigned heap_bin, size_t size, uint64_t until) {
  if (heap_bin < VPTR__HEAP_BIN_WHOLE)
    return find_slot(shelf->bins[heap_bin], until);
  size_t pages = (size + ((size_t)1 << PAGE_SHIFT) - 1) >> PAGE_SHIFT;
  unsigned bin = vptr__shelf_bin(heap_bin, pages << PAGE_SHIFT);
  vptr__block *block = find_whole(shelf->bins[bin], size, until);
  for (unsigned i = 1; i <= 2 && block == NULL && bin + i < VPTR__SHELF_BINS; i++) /* an eighth more: two bins up */
    block = find_whole(shelf->bins[bin + i], size, until);
  return block;
}

static bool is_in_place(const vptr__shelf *shelf, const vptr__block *block, const vptr__block *older) {
  bool is_first = shelf->bins[block->bin] == block;
  return block->shelf == shelf && block->older == older && block->bin < VPTR__SHELF_BINS &&
         is_first == (block->prev == NULL) && (block->prev == NULL || block->prev->next == block) &&
         (block->next == NULL || block->next->bin == block->bin);
}

bool vptr__shelf_is_valid(const vptr__shelf *shelf) {
  const vptr__block *older = NULL;
  size_t count = 0, binned = 0;
  for (const vptr__block *block = shelf->oldest; block != NULL; older = block, block = block->newer, count++)
    if (!is_in_place(shelf, block, older))
      return false;
  for (unsigned bin = 0; bin < VPTR__SHELF_BINS; bin++)
    for (const vptr__block *block = shelf->bins[bin]; block != NULL; block = block->next)
      binned++;
  return count == shelf->count && binned == count && shelf->newest == older;
}
