/* SPDX-License-Identifier: MIT */
/*
 * quarantine - a queue of freed addresses that are not to be issued again yet.
 *
 * First in, first out, bounded by bytes: an address leaves when it and what was freed after it come to more than
 * `limit` bytes. Its memory is held for that time, which is why the bound counts it too: a tool to find use after free,
 * off by default (limit 0). Not thread-safe: guarded by vptr__heap.lock (heap/state.h), of rank HEAP.
 */
#ifndef VPTR_SPACE_QUARANTINE_H
#define VPTR_SPACE_QUARANTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vptr__quarantine {
  struct vptr__quarantine_entry *ring; /* capacity entries, a power of two */
  size_t capacity, first, count;
  size_t bytes, limit;
} vptr__quarantine;

void vptr__quarantine_init(vptr__quarantine *quarantine, size_t limit);
void vptr__quarantine_fini(vptr__quarantine *quarantine);

/* Adds an address of `bytes` bytes. False if it is not held: the limit is 0, bytes alone exceed it, or there is
 * no host memory for the entry; then the caller frees it for good at once. */
bool vptr__quarantine_push(vptr__quarantine *quarantine, uintptr_t address, size_t bytes);

/* Takes out the oldest address while more than limit bytes are held; false if there is none such. */
bool vptr__quarantine_pop_excess(vptr__quarantine *quarantine, uintptr_t *address_out);

/* Takes out the oldest address, whatever is held; false if the queue is empty. For memory pressure. */
bool vptr__quarantine_pop(vptr__quarantine *quarantine, uintptr_t *address_out);

#endif
