/* SPDX-License-Identifier: MIT */
/*
 * ledger - what the heap cannot tell the table of leaks: host memory that the program was given, and device memory that
 * the library has for itself.
 *
 * Pinned and managed memory lie in no heap, and the library takes of both for itself; so the calls that hand it to the
 * program enter it here, with the program's place in the code, and what frees it strikes it out. Of device memory it is
 * the other way round: a heap has all of it, and what is the library's own (variables of modules, buffers around host
 * memory, parameters on their way) is entered as such, by its serial number, which no later allocation has.
 *
 * Kept only while leaks are to be told (VPTR_LEAKS=1): without that, each call is one look at a flag. What there is no
 * memory to enter is left out of the table.
 *
 * One lock, `ledger.lock` in ledger.c, of rank LEAF, guards the entries; callers need none. Thread-safe.
 */
#ifndef VPTR_MAPPER_LEDGER_H
#define VPTR_MAPPER_LEDGER_H

#include <stdatomic.h>

#include "mapper/mapper.h"

typedef enum vptr__ledger_kind {
  VPTR__LEDGER_NONE,
  VPTR__LEDGER_PINNED,
  VPTR__LEDGER_MANAGED,
  VPTR__LEDGER_OWN /* device memory of the library's */
} vptr__ledger_kind;

typedef struct vptr__ledger_entry {
  vptr__ledger_kind kind;
  const vptr_mapper *mapper;
  const void *base;
  size_t size;
  uint64_t serial;
  const void *site; /* where the program asked for it */
} vptr__ledger_entry;

VPTR_API extern atomic_bool vptr__ledger_is_kept;

static inline bool vptr__ledger_wanted(void) {
  return atomic_load_explicit(&vptr__ledger_is_kept, memory_order_relaxed);
}

/* Enters memory of the program's, when it is given to it; replaces an entry of the same base. */
VPTR_API void vptr__ledger_enter(vptr__ledger_kind kind, const vptr_mapper *mapper, const void *base, size_t size,
                                 const void *site);

/* Enters a live allocation of a mapper's as the library's own. */
VPTR_API void vptr__ledger_own(vptr_mapper *mapper, const void *ptr);

/* Strikes out what begins at base, before it is freed: afterwards another thread may have the address. If the free
 * fails, vptr__ledger_restore() undoes it. */
VPTR_API vptr__ledger_entry vptr__ledger_strike(const void *base);
VPTR_API void vptr__ledger_restore(const vptr__ledger_entry *entry);

/* Whether an allocation is the library's own. */
bool vptr__ledger_is_own(const vptr_location *location);

/* The first entry of a mapper's host memory at or behind an address; false behind the last. */
bool vptr__ledger_next(const vptr_mapper *mapper, uintptr_t from, vptr__ledger_entry *entry_out);

size_t vptr__ledger_count(void);

#endif
