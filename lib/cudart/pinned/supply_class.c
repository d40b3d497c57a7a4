/* SPDX-License-Identifier: MIT */
/*
 * supply_class - small blocks of pinned memory, kept by size class: the supply that needs no jemalloc (supply.h).
 *
 * Freed blocks are kept by class, last in, first out, and never merged or split: what was cut small stays small. That
 * suits pinned memory, of which programs hold a few buffers of few sizes. Classes are four to a doubling, so a block
 * is at most a quarter larger than asked for.
 *
 *     thread's cache, blocks up to 32 KiB     no lock; as many blocks of a class as are 64 KiB, at most 16
 *     one of each larger class                waits for the next of its like, in one atomic exchange
 *     the supply's stacks                     behind the lock; caches take and leave half of what they hold at once
 *     the depot                               cuts a new block
 *
 * A free block is noted in arrays outside, not in the block, which the program may still scribble on. A stack that
 * cannot grow leaks the block, into a chunk that stays anyway.
 *
 * A thread that ends puts what its caches hold into the stacks; whoever comes later in it (destructors of thread
 * storage run in any order) uses the stacks. So does a thread that finds no memory for a cache.
 *
 * Data: a class_supply belongs to its depot and is never freed. Its member `lock`, of rank LEAF, guards its stacks,
 * `free`; `last` is atomic. A cache is its thread's, found by the thread-local `mine`; `leave_key`, by which the C
 * library tells that a thread ends, is made once, by pthread_once(). New blocks are cut by depot.c under its `carving`,
 * taken once the lock is given back. By the functions of vptr__supply.kind depot.c takes each small block and gives it
 * back, with no lock held but, when a chunk is made, the depot's `growing`. One is made with `all.lock` of depot.c, of
 * rank MAPPING, held; a thread ends with no lock. Called by supply.c, which makes one for a depot; and by the C
 * library, when a thread ends.
 */
#include "pinned/supply.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"

enum { STEPS = 4, CLASSES = 44, FIRST_STACK = 64 };
enum { CACHED_BYTES = 32 << 10, CACHED_CLASSES = 24, CACHE_ROOM = 16, CACHE_BYTES = 64 << 10 };

typedef struct stack {
  void **blocks;
  size_t count, room;
} stack;

/* Of one thread, for one supply. */
typedef struct block_cache {
  struct class_supply *supply;
  unsigned char counts[CACHED_CLASSES];
  void *blocks[CACHED_CLASSES][CACHE_ROOM];
} block_cache;

typedef struct class_supply {
  vptr__supply base; /* first: the two are converted into each other */
  vptr__depot *depot;
  int ordinal;
  _Atomic(void *) last[CLASSES]; /* of classes that no cache holds: a free block, or NULL */
  vptr__lock lock;
  stack free[CLASSES];
} class_supply;

/* ---- classes -------------------------------------------------------------------------------------------- */

/* Multiples of 256 up to 2 KiB; above, steps of a quarter of the power of two below. All are multiples of 256. */
static inline unsigned class_of(size_t size, size_t *block_size_out) {
  unsigned last = (unsigned)((size - 1) / VPTR__BLOCK_STEP); /* the last of the 256 bytes, counted from 0 */
  unsigned order = 31u - (unsigned)__builtin_clz(last | (2 * STEPS - 1));
  unsigned shift = order - 2;
  unsigned steps = (last >> shift) + 1;
  *block_size_out = (size_t)(steps << shift) * VPTR__BLOCK_STEP;
  return shift * STEPS + steps - 1;
}

_Static_assert(VPTR__BLOCK_STEP *(2 * STEPS << (CACHED_CLASSES / STEPS - 2)) == CACHED_BYTES,
               "the last cached class");
_Static_assert(VPTR__BLOCK_STEP *(2 * STEPS << (CLASSES / STEPS - 2)) == VPTR__BLOCK_LIMIT, "the last class");

static inline unsigned cache_limit(size_t block_size) {
  size_t limit = CACHE_BYTES / block_size;
  return limit < CACHE_ROOM ? (unsigned)limit : CACHE_ROOM;
}

/* ---- the stacks ----------------------------------------------------------------------------------------- */

/* Makes room for one more. Under the lock. */
static bool have_room(stack *free) {
  if (free->count < free->room)
    return true;
  size_t room = free->room == 0 ? FIRST_STACK : 2 * free->room;
  void **grown = vptr__memory_calloc(room, sizeof *grown);
  if (grown == NULL)
    return false;
  if (free->count > 0)
    memcpy(grown, free->blocks, free->count * sizeof *grown);
  vptr__memory_free(free->blocks);
  free->blocks = grown;
  free->room = room;
  return true;
}

static void push_blocks(class_supply *supply, unsigned which, void **blocks, unsigned count) {
  stack *free = &supply->free[which];
  vptr__lock_take(&supply->lock);
  for (unsigned i = 0; i < count && have_room(free); i++)
    free->blocks[free->count++] = blocks[i];
  vptr__lock_give(&supply->lock);
}

/* Up to most blocks; how many there were. */
static unsigned pop_blocks(class_supply *supply, unsigned which, void **blocks, unsigned most) {
  stack *free = &supply->free[which];
  vptr__lock_take(&supply->lock);
  unsigned count = free->count < most ? (unsigned)free->count : most;
  for (unsigned i = 0; i < count; i++)
    blocks[i] = free->blocks[--free->count];
  vptr__lock_give(&supply->lock);
  return count;
}

/* ---- the threads' caches -------------------------------------------------------------------------------- */

typedef struct thread_caches {
  bool is_watched; /* flush_thread_caches() will be called */
  bool is_over;    /* flush_thread_caches() was called: other destructors may still come here */
  block_cache *caches[VPTR__MOST_DEVICES];
} thread_caches;

static _Thread_local thread_caches mine;
static pthread_key_t leave_key;
static pthread_once_t leave_once = PTHREAD_ONCE_INIT;
static bool has_leave_key;

static void flush_thread_caches(void *context) {
  thread_caches *caches = context;
  caches->is_over = true;
  for (int i = 0; i < VPTR__MOST_DEVICES; i++) {
    block_cache *cache = caches->caches[i];
    caches->caches[i] = NULL;
    for (unsigned which = 0; cache != NULL && which < CACHED_CLASSES; which++)
      if (cache->counts[which] > 0)
        push_blocks(cache->supply, which, cache->blocks[which], cache->counts[which]);
    vptr__memory_free(cache);
  }
}

static void make_leave_key(void) {
  has_leave_key = pthread_key_create(&leave_key, flush_thread_caches) == 0;
}

/* What a cache holds that nobody would empty is lost, so there is none then. */
static bool watch_class_thread(void) {
  pthread_once(&leave_once, make_leave_key);
  mine.is_watched = has_leave_key && pthread_setspecific(leave_key, &mine) == 0;
  return mine.is_watched;
}

static __attribute__((noinline)) block_cache *make_cache(class_supply *supply) {
  block_cache *cache =
      !mine.is_over && (mine.is_watched || watch_class_thread()) ? vptr__memory_calloc(1, sizeof *cache) : NULL;
  if (cache != NULL)
    cache->supply = supply;
  mine.caches[supply->ordinal] = cache;
  return cache;
}

static inline block_cache *cache_of(class_supply *supply) {
  block_cache *cache = mine.caches[supply->ordinal];
  return __builtin_expect(cache != NULL, 1) ? cache : make_cache(supply);
}

/* ---- blocks --------------------------------------------------------------------------------------------- */

/* From the stacks, or new. */
static __attribute__((noinline)) void *take_slowly(class_supply *supply, unsigned which, size_t block_size,
                                                   block_cache *cache) {
  void *block = NULL;
  unsigned most = cache != NULL ? (cache_limit(block_size) + 1) / 2 : 1;
  unsigned count = pop_blocks(supply, which, cache != NULL ? cache->blocks[which] : &block, most);
  if (cache != NULL && count > 0)
    block = cache->blocks[which][cache->counts[which] = (unsigned char)(count - 1)];
  return count > 0 ? block : vptr__depot_carve(supply->depot, block_size, VPTR__BLOCK_STEP);
}

static void *acquire_class_block(vptr__supply *base, size_t size) {
  class_supply *supply = (class_supply *)base;
  size_t block_size;
  unsigned which = class_of(size, &block_size);
  block_cache *cache = NULL;
  if (which < CACHED_CLASSES) {
    cache = cache_of(supply);
    if (cache != NULL && cache->counts[which] > 0)
      return cache->blocks[which][--cache->counts[which]];
  } else {
    void *last = atomic_exchange(&supply->last[which], NULL);
    if (last != NULL)
      return last;
  }
  return take_slowly(supply, which, block_size, cache);
}

/* The cache is full: the half that lay longest leaves it. */
static __attribute__((noinline)) void make_room(class_supply *supply, unsigned which, block_cache *cache) {
  unsigned count = cache->counts[which], left = count / 2;
  push_blocks(supply, which, cache->blocks[which], count - left);
  memmove(cache->blocks[which], cache->blocks[which] + (count - left), left * sizeof *cache->blocks[which]);
  cache->counts[which] = (unsigned char)left;
}

static void release_class_block(vptr__supply *base, void *block, size_t size) {
  class_supply *supply = (class_supply *)base;
  size_t block_size;
  unsigned which = class_of(size, &block_size);
  if (which < CACHED_CLASSES) {
    block_cache *cache = cache_of(supply);
    if (cache != NULL) {
      if (cache->counts[which] >= cache_limit(block_size))
        make_room(supply, which, cache);
      cache->blocks[which][cache->counts[which]++] = block;
      return;
    }
  } else {
    block = atomic_exchange(&supply->last[which], block);
  }
  if (block != NULL)
    push_blocks(supply, which, &block, 1);
}

static const vptr__supply_kind kind = { "size class", acquire_class_block, release_class_block,
                                        release_class_block }; /* all blocks are the depot's */

vptr__supply *vptr__supply_by_class(vptr__depot *depot, int ordinal) {
  class_supply *supply = vptr__memory_calloc(1, sizeof *supply);
  if (supply == NULL)
    return NULL;
  supply->base.kind = &kind;
  supply->depot = depot;
  supply->ordinal = ordinal;
  vptr__lock_init(&supply->lock, VPTR__RANK_LEAF);
  return &supply->base;
}
