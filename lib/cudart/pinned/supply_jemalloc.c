/* SPDX-License-Identifier: MIT */
/*
 * supply_jemalloc - small blocks of pinned memory from a jemalloc arena of the depot's own, with a cache for each
 * thread.
 *
 * The arena gets its pages by the hooks below, from the depot; its books come from jemalloc's ordinary memory, because
 * they are set up by arenas.create before the hooks are put in. jemalloc keeps no marks inside of blocks, free or live.
 *
 *   - Every call names the arena and the thread's cache. A bare dallocx() would put our block into the thread's
 *     ordinary cache, from where malloc() would hand it out.
 *   - A thread whose local storage is being taken down, and a call from inside of jemalloc, get ordinary memory however
 *     the arena is named; the depot looks at what comes back.
 *   - The dalloc hook refuses, so jemalloc keeps the pages and uses them again: a chunk is never unpinned piecemeal.
 *   - Decay is switched off, because there is nobody to give pages back to.
 *
 * The threads' caches hold no block above 32 KiB, and a pair in the arena itself takes up to a microsecond. So the
 * block of each size class that was freed last waits for the next one of its like: for whichever thread, in one atomic
 * exchange.
 *
 * jemalloc is found while the program runs (supply.h). Where the process has it already, that one is taken; the other
 * way, by dlopen(), keeps its names to itself, so that nobody's malloc() or `new` becomes another.
 *
 * Data: the names of jemalloc's functions are in the static `je`, stored once under `storing`, a plain mutex without a
 * rank; `found` says so, and is atomic. A jemalloc_supply belongs to its depot and is never freed; its `last` is
 * atomic. The caches of a thread are the thread-local `mine`; `leave_key`, by which the C library tells that a thread
 * ends, is made once, by pthread_once(). A block is taken or given under jemalloc's own locks, and without another, but
 * the depot's `growing` when a chunk was made; the hook that gets pages takes the depot's `carving`. Called by
 * supply.c, which makes one for a depot; by depot.c, which has jemalloc looked for while no lock is held; and by the C
 * library, when a thread ends. By the functions of vptr__supply.kind depot.c takes each small block and gives it back;
 * jemalloc calls the hooks.
 */
#include <dlfcn.h>
#include <jemalloc/jemalloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "pinned/supply.h"

#include "base/memory.h"

enum { CACHED_BYTES = 32 << 10, STEPS = 4 /* size classes to a doubling */, CLASSES = 32 };

typedef struct jemalloc_supply {
  vptr__supply base;    /* first: the two are converted into each other */
  extent_hooks_t hooks; /* jemalloc hands it to the hooks */
  vptr__depot *depot;
  int ordinal;
  int arena_flag;
  bool keeps_last;               /* jemalloc's classes are those of class_of() */
  _Atomic(void *) last[CLASSES]; /* by class_of(): a free block, or NULL */
} jemalloc_supply;

#define BLOCK_FLAGS MALLOCX_ALIGN(VPTR__BLOCK_STEP)

/* ---- finding it ----------------------------------------------------------------------------------------- */

typedef struct jemalloc_names {
  __typeof__(mallocx) *mallocx;
  __typeof__(sdallocx) *sdallocx;
  __typeof__(nallocx) *nallocx;
  __typeof__(mallctl) *mallctl;
} jemalloc_names;

static jemalloc_names je; /* by whoever comes first; all who come at once find the same */
static atomic_int found;  /* 0: nobody has looked; -1: there is none */

static bool find_in(void *library, jemalloc_names *names) {
  *(void **)&names->mallocx = dlsym(library, "mallocx");
  *(void **)&names->sdallocx = dlsym(library, "sdallocx");
  *(void **)&names->nallocx = dlsym(library, "nallocx");
  *(void **)&names->mallctl = dlsym(library, "mallctl");
  return names->mallocx != NULL && names->sdallocx != NULL && names->nallocx != NULL && names->mallctl != NULL;
}

static bool load_library(jemalloc_names *names) {
  void *library = dlopen("libjemalloc.so.2", RTLD_NOW | RTLD_LOCAL);
  return library != NULL && find_in(library, names);
}

void vptr__supply_prepare(void) {
  static pthread_mutex_t storing = PTHREAD_MUTEX_INITIALIZER; /* for the copy alone */
  if (atomic_load_explicit(&found, memory_order_acquire) != 0)
    return;
  jemalloc_names names;
  bool is_there = find_in(RTLD_DEFAULT, &names) || load_library(&names);
  pthread_mutex_lock(&storing);
  if (atomic_load(&found) == 0) {
    if (is_there)
      je = names;
    atomic_store_explicit(&found, is_there ? 1 : -1, memory_order_release);
  }
  pthread_mutex_unlock(&storing);
}

/* ---- pages for the arena -------------------------------------------------------------------------------- */

static void *alloc_hook(extent_hooks_t *hooks, void *wanted, size_t size, size_t alignment, bool *zero, bool *commit,
                        unsigned arena) {
  (void)arena;
  if (wanted != NULL)
    return NULL;
  const jemalloc_supply *supply = (const jemalloc_supply *)((char *)hooks - offsetof(jemalloc_supply, hooks));
  void *pages = vptr__depot_carve(supply->depot, size, alignment);
  if (pages != NULL)
    *zero = *commit = true; /* fresh from mmap(), and never given back */
  return pages;
}

static bool dalloc_hook(extent_hooks_t *hooks, void *pages, size_t size, bool committed, unsigned arena) {
  (void)hooks, (void)pages, (void)size, (void)committed, (void)arena;
  return true; /* refused */
}

static bool split_hook(extent_hooks_t *hooks, void *pages, size_t size, size_t left, size_t right, bool committed,
                       unsigned arena) {
  (void)hooks, (void)pages, (void)size, (void)left, (void)right, (void)committed, (void)arena;
  return false; /* done */
}

/* Chunks may happen to be neighbours, and are pinned apart: a block must not straddle them. */
static bool merge_hook(extent_hooks_t *hooks, void *left, size_t left_size, void *right, size_t right_size,
                       bool committed, unsigned arena) {
  (void)hooks, (void)left_size, (void)right_size, (void)committed, (void)arena;
  return vptr__region_of(left) != vptr__region_of(right);
}

static const extent_hooks_t our_hooks = {
  .alloc = alloc_hook, .dalloc = dalloc_hook, .split = split_hook, .merge = merge_hook
};

/* ---- blocks that wait for their like --------------------------------------------------------------------- */

/* Of a block that no cache holds: jemalloc's classes are quarters of a doubling, from CACHED_BYTES to
   VPTR__BLOCK_LIMIT. */
static unsigned class_of(size_t size) {
  unsigned order = (unsigned)(8 * sizeof size - 1) - (unsigned)__builtin_clzl(size - 1); /* 2^order < size, or is */
  return (order * STEPS + (unsigned)((size - 1) >> (order - 2) & (STEPS - 1))) % CLASSES;
}

_Static_assert(CLASSES >= STEPS * 5, "so that all blocks in one place are of one class");

/* Whether all blocks of a class are of one size: jemalloc's habit, and no promise. */
static bool classes_agree(void) {
  for (size_t low = CACHED_BYTES; low < VPTR__BLOCK_LIMIT;) {
    size_t size = je.nallocx(low + 1, BLOCK_FLAGS);
    if (size <= low || class_of(low + 1) != class_of(size) ||
        (size < VPTR__BLOCK_LIMIT && class_of(size) == class_of(size + 1)))
      return false;
    low = size;
  }
  return true;
}

/* ---- the arena ------------------------------------------------------------------------------------------ */

static int set_arena(unsigned arena, const char *what, void *value, size_t size) {
  char name[64];
  snprintf(name, sizeof name, "arena.%u.%s", arena, what);
  return je.mallctl(name, NULL, NULL, value, size);
}

/* What is not there in some build of jemalloc is a matter of speed alone. */
static void tune_arena(unsigned arena) {
  ssize_t never = -1;
  size_t growth = VPTR__BLOCK_LIMIT * (size_t)2;
  set_arena(arena, "dirty_decay_ms", &never, sizeof never);
  set_arena(arena, "muzzy_decay_ms", &never, sizeof never);
  set_arena(arena, "retain_grow_limit", &growth, sizeof growth);
}

static const vptr__supply_kind kind;

vptr__supply *vptr__supply_by_jemalloc(vptr__depot *depot, int ordinal) {
  jemalloc_supply *supply = atomic_load(&found) > 0 ? vptr__memory_calloc(1, sizeof *supply) : NULL;
  if (supply == NULL)
    return NULL;
  supply->base.kind = &kind;
  supply->hooks = our_hooks;
  supply->depot = depot;
  supply->ordinal = ordinal;
  unsigned arena;
  size_t size = sizeof arena;
  extent_hooks_t *hooks = &supply->hooks;
  if (je.mallctl("arenas.create", &arena, &size, NULL, 0) != 0 ||
      set_arena(arena, "extent_hooks", &hooks, sizeof hooks) != 0) {
    vptr__memory_free(supply);
    return NULL;
  }
  tune_arena(arena);
  supply->arena_flag = MALLOCX_ARENA(arena);
  supply->keeps_last = classes_agree();
  return &supply->base;
}

/* ---- the threads' caches -------------------------------------------------------------------------------- */

/* A jemalloc cache must serve one arena alone, or it hands out one arena's blocks for the other's. */
typedef struct thread_caches {
  bool is_watched;               /* destroy_thread_caches() will be called */
  bool is_over;                  /* destroy_thread_caches() was called: other destructors may still come here */
  int flags[VPTR__MOST_DEVICES]; /* by depot: MALLOCX_TCACHE(...), or 0 */
  unsigned caches[VPTR__MOST_DEVICES];
} thread_caches;

static _Thread_local thread_caches mine;
static pthread_key_t leave_key;
static pthread_once_t leave_once = PTHREAD_ONCE_INIT;
static bool has_leave_key;

static void destroy_thread_caches(void *context) {
  thread_caches *caches = context;
  caches->is_over = true;
  for (int i = 0; i < VPTR__MOST_DEVICES; i++)
    if (caches->flags[i] != 0)
      je.mallctl("tcache.destroy", NULL, NULL, &caches->caches[i], sizeof caches->caches[i]);
}

static void make_leave_key(void) {
  has_leave_key = pthread_key_create(&leave_key, destroy_thread_caches) == 0;
}

/* A cache that nobody would destroy is none: jemalloc has some 4,000 of them for the process. */
static bool watch_je_thread(void) {
  pthread_once(&leave_once, make_leave_key);
  mine.is_watched = has_leave_key && pthread_setspecific(leave_key, &mine) == 0;
  return mine.is_watched;
}

static __attribute__((noinline)) int make_cache(int ordinal) {
  unsigned cache;
  size_t size = sizeof cache;
  if (mine.is_over || (!mine.is_watched && !watch_je_thread()) ||
      je.mallctl("tcache.create", &cache, &size, NULL, 0) != 0)
    return MALLOCX_TCACHE_NONE;
  mine.caches[ordinal] = cache;
  mine.flags[ordinal] = MALLOCX_TCACHE(cache);
  return mine.flags[ordinal];
}

static inline int cache_flag(int ordinal) {
  int flag = mine.flags[ordinal];
  return __builtin_expect(flag != 0 && !mine.is_over, 1) ? flag : make_cache(ordinal);
}

/* ---- blocks --------------------------------------------------------------------------------------------- */

static int flags_of(const jemalloc_supply *supply) {
  return BLOCK_FLAGS | supply->arena_flag | cache_flag(supply->ordinal);
}

static void *acquire_je_block(vptr__supply *base, size_t size) {
  jemalloc_supply *supply = (jemalloc_supply *)base;
  void *last =
      size > CACHED_BYTES && supply->keeps_last ? atomic_exchange(&supply->last[class_of(size)], NULL) : NULL;
  return last != NULL ? last : je.mallocx(size, flags_of(supply));
}

static void deallocate_block(vptr__supply *base, void *block, size_t size) {
  je.sdallocx(block, size, flags_of((jemalloc_supply *)base));
}

static void release_je_block(vptr__supply *base, void *block, size_t size) {
  jemalloc_supply *supply = (jemalloc_supply *)base;
  if (size > CACHED_BYTES && supply->keeps_last)
    block = atomic_exchange(&supply->last[class_of(size)], block);
  if (block != NULL)
    je.sdallocx(block, size, flags_of(supply));
}

static const vptr__supply_kind kind = { "jemalloc", acquire_je_block, deallocate_block, release_je_block };
