/* SPDX-License-Identifier: MIT */
/*
 * hold - the list of addresses that are held (hold.h).
 *
 * The static `holds` has them; who guards it says the header. No lock is taken here, and nothing blocks. Called by
 * checkpoint/restore.c, mirror/view.c and cudart/pinned/chunk.c.
 */
#include "base/hold.h"

#include <stdbool.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "base/page.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* of Linux 4.17 */
#endif

typedef struct hold {
  struct hold *next;
  uintptr_t begin;
  size_t bytes;
} hold;

static hold *holds;

static uintptr_t page_end(uintptr_t address) {
  return vptr__page_begin(address + vptr__page_bytes() - 1);
}

/* A kernel that does not know NOREPLACE takes the address for a hint. */
static bool map_nothing(uintptr_t begin, size_t bytes) {
  void *at = (void *)begin;
  void *got = mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != MAP_FAILED && got != at)
    munmap(got, bytes);
  return got == at;
}

void vptr__hold(uintptr_t address, size_t bytes) {
  const size_t page = vptr__page_bytes();
  const uintptr_t most = UINTPTR_MAX - 2 * page; /* where rounding up and one page more overflow nothing */
  if (bytes == 0 || address < page || address > most || bytes > most - address)
    return;
  hold *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL)
    return;
  *it = (hold){ holds, vptr__page_begin(address), page_end(address + bytes) - vptr__page_begin(address) };
  if (map_nothing(it->begin, it->bytes + page))
    it->bytes += page;
  else if (!map_nothing(it->begin, it->bytes)) {
    vptr__memory_free(it);
    return;
  }
  holds = it;
}

static void release(hold **at) {
  hold *it = *at;
  *at = it->next;
  munmap((void *)it->begin, it->bytes);
  vptr__memory_free(it);
}

void vptr__hold_release(const void *address, size_t bytes) {
  const uintptr_t begin = vptr__page_begin((uintptr_t)address), end = page_end((uintptr_t)address + bytes);
  hold **at = &holds;
  while (*at != NULL)
    if ((*at)->begin < end && begin < (*at)->begin + (*at)->bytes)
      release(at);
    else
      at = &(*at)->next;
}

void vptr__hold_end(void) {
  while (holds != NULL)
    release(&holds);
}
