/* SPDX-License-Identifier: MIT */
/*
 * supply - small blocks of pinned memory, cut from what a depot carves.
 *
 * There are two kinds. supply_class.c has blocks by size class, with a cache for each thread, and needs nobody.
 * supply_jemalloc.c has an arena of jemalloc's, which joins what was freed and cuts it anew; it is taken where the
 * process has jemalloc, or can get it.
 *
 * The library does not link jemalloc, but looks for it at run time: Debian's has 2.6 KB of static thread storage, and
 * what needs that cannot be loaded into a process that runs already. So a program has it that links or preloads
 * jemalloc itself, or whose loader was given room (GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096).
 *
 * Both kinds serve any size below VPTR__BLOCK_LIMIT in blocks aligned to VPTR__BLOCK_STEP, keep all they know outside
 * the blocks, so that a program that writes where it must not breaks its own data only, and never give memory back to
 * the depot.
 *
 * Locks: that of size classes has one, vptr__lock `lock` of each supply, of rank LEAF; that of jemalloc's has
 * jemalloc's own. Both take the depot's `carving`, of rank LEAF, when they need pages (depot.h). Used by depot.c.
 */
#ifndef VPTR_PINNED_SUPPLY_H
#define VPTR_PINNED_SUPPLY_H

#include <stddef.h>

#include "pinned/depot.h"

typedef struct vptr__supply vptr__supply;

/* The functions below, of one kind. */
typedef struct vptr__supply_kind {
  const char *name;
  void *(*take)(vptr__supply *supply, size_t size);
  void (*refuse)(vptr__supply *supply, void *block, size_t size);
  void (*give)(vptr__supply *supply, void *block, size_t size);
} vptr__supply_kind;

/* What all supplies begin with. */
struct vptr__supply {
  const vptr__supply_kind *kind;
};

/* Looks for jemalloc, once. Not under a lock: it may load a library, and the constructors of one that another thread
 * loads may come here. */
void vptr__supply_prepare(void);

/* The ordinal-th supply, for a depot; ordinals are not used twice. It lasts as long as the process. Errors:
 * OUT_OF_HOST_MEMORY. */
vptr_status vptr__supply_create(vptr__depot *depot, int ordinal, vptr__supply **supply_out);

/* A block, or NULL if the depot had nothing to carve. The block may be other memory than the depot's (jemalloc falls
 * back to ordinary memory in threads that are ending): look before use, and refuse it. */
static inline void *vptr__supply_take(vptr__supply *supply, size_t size) {
  return supply->kind->take(supply, size);
}

/* Takes back what was just taken, and is not the depot's. */
static inline void vptr__supply_refuse(vptr__supply *supply, void *block, size_t size) {
  supply->kind->refuse(supply, block, size);
}

/* size: as when it was taken. From any thread. */
static inline void vptr__supply_give(vptr__supply *supply, void *block, size_t size) {
  supply->kind->give(supply, block, size);
}

/* The two kinds. NULL: there is no memory for it; of jemalloc's also that there is no jemalloc, or no arena of its. */
vptr__supply *vptr__supply_by_class(vptr__depot *depot, int ordinal);
vptr__supply *vptr__supply_by_jemalloc(vptr__depot *depot, int ordinal);

#endif
