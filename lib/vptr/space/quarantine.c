/* SPDX-License-Identifier: MIT */
/*
 * quarantine - see quarantine.h. A ring that doubles: one entry is 16 bytes, and pushing allocates only when there were
 * never so many entries before. A vptr__quarantine is a part of its heap, and vptr__heap.lock (heap/state.h), of rank
 * HEAP, guards it, but for `limit`, which never changes. Nothing blocks.
 *
 * Called by heap/heap.c, which makes and ends it, and empties it on a full device and when all is trimmed; and by
 * heap/place.c, which puts freed addresses in and takes out what is too much.
 */
#include "space/quarantine.h"

#include <string.h>

#include "base/memory.h"

enum { FIRST_CAPACITY = 64 };

typedef struct vptr__quarantine_entry {
  uintptr_t address;
  size_t bytes;
} vptr__quarantine_entry;

void vptr__quarantine_init(vptr__quarantine *quarantine, size_t limit) {
  memset(quarantine, 0, sizeof *quarantine);
  quarantine->limit = limit;
}

void vptr__quarantine_fini(vptr__quarantine *quarantine) {
  vptr__memory_free(quarantine->ring);
  memset(quarantine, 0, sizeof *quarantine);
}

static vptr__quarantine_entry *entry_at(const vptr__quarantine *quarantine, size_t i) {
  return &quarantine->ring[(quarantine->first + i) & (quarantine->capacity - 1)];
}

/* Doubles the ring; its oldest entry comes to lie at the front. */
static bool grow_quarantine(vptr__quarantine *quarantine) {
  size_t capacity = quarantine->capacity > 0 ? 2 * quarantine->capacity : FIRST_CAPACITY;
  vptr__quarantine_entry *ring = vptr__memory_calloc(capacity, sizeof *ring);
  if (ring == NULL)
    return false;
  for (size_t i = 0; i < quarantine->count; i++)
    ring[i] = *entry_at(quarantine, i);
  vptr__memory_free(quarantine->ring);
  quarantine->ring = ring;
  quarantine->capacity = capacity;
  quarantine->first = 0;
  return true;
}

bool vptr__quarantine_push(vptr__quarantine *quarantine, uintptr_t address, size_t bytes) {
  if (quarantine->limit == 0 || bytes > quarantine->limit || bytes > SIZE_MAX - quarantine->bytes)
    return false;
  if (quarantine->count == quarantine->capacity && !grow_quarantine(quarantine))
    return false;
  *entry_at(quarantine, quarantine->count) = (vptr__quarantine_entry){ address, bytes };
  quarantine->count++;
  quarantine->bytes += bytes;
  return true;
}

bool vptr__quarantine_pop_excess(vptr__quarantine *quarantine, uintptr_t *address_out) {
  return quarantine->bytes > quarantine->limit && vptr__quarantine_pop(quarantine, address_out);
}

bool vptr__quarantine_pop(vptr__quarantine *quarantine, uintptr_t *address_out) {
  if (quarantine->count == 0)
    return false;
  const vptr__quarantine_entry *oldest = entry_at(quarantine, 0);
  *address_out = oldest->address;
  quarantine->bytes -= oldest->bytes;
  quarantine->first = (quarantine->first + 1) & (quarantine->capacity - 1);
  quarantine->count--;
  return true;
}
