/* SPDX-License-Identifier: MIT */
/*
 * registry - see registry.h: the mappers of the process, the default ones, and whose address is whose.
 *
 * The static `registry` has the tree, the entries and the default mappers, which stay until the process ends. Its
 * `lock`, of rank REGISTRY, guards changes, and is held while vptr__mapper_each() calls; searches take none. Its
 * `birth`, of rank BIRTH, is held while a default mapper is made, which may block while a driver starts, and guards
 * where the first of them shall be. vptr__mapper_usual, vptr__epoch and `is_forked` are atomic; `watch_once` has the
 * watch for fork() begun once.
 *
 * Called by mapper.c, which enters mappers; by explain.c, fast.c, kernel_argument.c, leaks.c, lookup.c, memory.c,
 * migrate.c, report.c, standby.c and trap.c, the files of lib/vptr/transfer, mirror/mirror.c, checkpoint/checkpoint.c
 * and restore.c, stream/handle.c and timing.c, cublas/logger.c, curand/call.c and discrete.c, cusolver/call.c,
 * ml/memory.c and process.c, and the files of lib/cudart and lib/driver, which ask for a device's mapper, whose an
 * address is, which epoch it is, and whether this is a forked process; and by the C library, in a child after fork().
 * Declared in registry.h and mapper.h.
 */
#include "mapper/registry.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"
#include "tree/tree.h"

typedef struct holding {
  _Atomic(vptr_mapper *) mapper; /* NULL: not in use */
  _Atomic(uintptr_t) base;
  _Atomic(size_t) size;
  struct holding *next; /* all entries ever made, in the order of making */
} holding;

static struct {
  vptr__lock birth; /* held while a default mapper is made */
  vptr__lock lock;  /* guards the tree's changes and the entries */
  _Atomic(bool) has_tree;
  _Atomic(size_t) count; /* of live entries */
  vptr__tree by_base;    /* base -> entry; searches take no lock */
  holding *first;
  _Atomic(vptr_mapper *) defaults[VPTR__MOST_DEVICES];
  uintptr_t place_base; /* of the first of them, by `birth`; place_size 0: anywhere */
  size_t place_size;
} registry = { .birth = VPTR__LOCK_INIT(VPTR__RANK_BIRTH), .lock = VPTR__LOCK_INIT(VPTR__RANK_REGISTRY) };

/* ---- forked processes ----------------------------------------------------------------------------------- */

_Atomic(vptr_mapper *) vptr__mapper_usual;
atomic_uint vptr__epoch;
static _Atomic(bool) is_forked;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static void note_fork(void) {
  atomic_store(&is_forked, true);
  atomic_store(&vptr__mapper_usual, NULL);
  vptr__epoch_end();
}

/* When this fails there is no memory for a few words: the first mapper will hardly be made, and fork() hardly work. */
static void watch_forks(void) {
  pthread_atfork(NULL, NULL, note_fork);
}

VPTR__HOT bool vptr__registry_is_forked(void) {
  return atomic_load_explicit(&is_forked, memory_order_relaxed);
}

vptr_status vptr__registry_check_process(void) {
  if (!vptr__registry_is_forked())
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_FORKED,
                     "this process was forked from one that uses OpenCL, whose drivers do not survive "
                     "that: fork first and use vptr after, or call exec()");
}

/* ---- entries -------------------------------------------------------------------------------------------- */

static holding *free_entry(void) {
  holding **link = &registry.first;
  for (; *link != NULL; link = &(*link)->next)
    if (atomic_load(&(*link)->mapper) == NULL)
      return *link;
  return *link = vptr__memory_calloc(1, sizeof **link);
}

/* Addresses from the system are nobody else's. Those of devices are what their drivers say, and two contexts might have
 * the same ones. */
static vptr_status check_apart(const vptr__directory *directory) {
  uintptr_t value;
  if (!vptr__tree_find_le(&registry.by_base, directory->base + (directory->size - 1), NULL, &value))
    return VPTR_SUCCESS;
  const holding *entry = (const holding *)value;
  uintptr_t base = atomic_load(&entry->base), end = base + atomic_load(&entry->size);
  if (end <= directory->base)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                     "the device's addresses, %zu MiB from %#zx on, overlap those of another mapper, %#zx to %#zx: "
                     "unset VPTR_ADDRESSES, or destroy that one",
                     directory->size >> 20, (size_t)directory->base, (size_t)base, (size_t)end);
}

static vptr_status add_locked(vptr_mapper *mapper) {
  if (!atomic_load(&registry.has_tree)) {
    vptr_status status = vptr__tree_init(&registry.by_base);
    if (status != VPTR_SUCCESS)
      return status;
    atomic_store(&registry.has_tree, true);
  }
  vptr_status status = vptr__tree_reserve(&registry.by_base);
  if (status != VPTR_SUCCESS)
    return status;
  const vptr__directory *directory = vptr__heap_directory(mapper->heap);
  status = check_apart(directory);
  if (status != VPTR_SUCCESS)
    return status;
  holding *entry = free_entry();
  if (entry == NULL)
    return vptr__error_host_memory(sizeof *entry);
  atomic_store(&entry->base, directory->base);
  atomic_store(&entry->size, directory->size);
  atomic_store(&entry->mapper, mapper);
  vptr__tree_insert(&registry.by_base, directory->base, (uintptr_t)entry);
  atomic_fetch_add(&registry.count, 1);
  return VPTR_SUCCESS;
}

vptr_status vptr__registry_add(vptr_mapper *mapper) {
  pthread_once(&watch_once, watch_forks);
  vptr__lock_take(&registry.lock);
  vptr_status status = add_locked(mapper);
  vptr__lock_give(&registry.lock);
  return status;
}

void vptr__registry_remove(vptr_mapper *mapper) {
  uintptr_t value;
  vptr__lock_take(&registry.lock);
  if (vptr__tree_remove(&registry.by_base, vptr__heap_directory(mapper->heap)->base, &value)) {
    atomic_store(&((holding *)value)->mapper, NULL);
    atomic_fetch_sub(&registry.count, 1);
  }
  vptr__lock_give(&registry.lock);
}

VPTR__HOT static vptr_mapper *default_of(int ordinal) {
  return atomic_load_explicit(&registry.defaults[ordinal], memory_order_acquire);
}

/* Every transfer asks this several times, and most processes have one mapper: the first device's, which is never
 * destroyed. So it is looked at first; and if it is the only one, nobody else needs to be asked. */
VPTR__HOT vptr_mapper *vptr__mapper_owning(const void *ptr) {
  uintptr_t value;
  vptr_mapper *usual = default_of(0);
  if (usual != NULL) {
    const vptr__directory *directory = vptr__heap_directory(usual->heap);
    if ((uintptr_t)ptr - directory->base < directory->size)
      return usual;
    if (atomic_load_explicit(&registry.count, memory_order_acquire) == 1)
      return NULL;
  }
  if (!atomic_load_explicit(&registry.has_tree, memory_order_acquire) ||
      !vptr__tree_find_le(&registry.by_base, (uintptr_t)ptr, NULL, &value))
    return NULL;
  const holding *entry = (const holding *)value;
  return (uintptr_t)ptr - atomic_load(&entry->base) < atomic_load(&entry->size) ? atomic_load(&entry->mapper) : NULL;
}

void vptr__mapper_each(void (*visit)(vptr_mapper *mapper, void *context), void *context) {
  vptr__lock_take(&registry.lock);
  for (holding *entry = registry.first; entry != NULL; entry = entry->next) {
    vptr_mapper *mapper = atomic_load(&entry->mapper);
    if (mapper != NULL)
      visit(mapper, context);
  }
  vptr__lock_give(&registry.lock);
}

void vptr__mapper_each_unlocked(void (*visit)(vptr_mapper *mapper, void *context), void *context) {
  for (holding *entry = registry.first; entry != NULL; entry = entry->next) {
    vptr_mapper *mapper = atomic_load(&entry->mapper);
    if (mapper != NULL)
      visit(mapper, context);
  }
}

/* ---- the process's own mappers -------------------------------------------------------------------------- */

static void make_known(int ordinal, vptr_mapper *mapper) {
  atomic_store_explicit(&registry.defaults[ordinal], mapper, memory_order_release);
  if (ordinal == 0)
    atomic_store_explicit(&vptr__mapper_usual, mapper, memory_order_release);
}

static vptr_status open_default(int ordinal, vptr_mapper **mapper_out) {
  vptr_config config = VPTR_CONFIG_INIT;
  if (ordinal != 0 || registry.place_size == 0)
    return vptr__mapper_open(NULL, ordinal, mapper_out);
  config.base_address = registry.place_base;
  config.reserve_size = registry.place_size;
  return vptr__mapper_open(&config, ordinal, mapper_out);
}

void vptr__registry_place(uintptr_t base, size_t size) {
  vptr__lock_take(&registry.birth);
  registry.place_base = base;
  registry.place_size = size;
  vptr__lock_give(&registry.birth);
}

/* Threads that all come first wait for one of them: drivers are started once, and no second mapper has to be thrown
 * away. A mapper that cannot be made is tried again by the next call. */
static vptr_status make_default(int ordinal, vptr_mapper **mapper_out) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&registry.birth);
  vptr_mapper *mapper = default_of(ordinal);
  if (mapper == NULL) {
    status = open_default(ordinal, &mapper);
    if (status == VPTR_SUCCESS)
      make_known(ordinal, mapper);
  }
  vptr__lock_give(&registry.birth);
  if (status == VPTR_SUCCESS)
    *mapper_out = mapper;
  return status;
}

VPTR__HOT vptr_status vptr__mapper_for_device(int ordinal, vptr_mapper **mapper_out) {
  vptr_status status = vptr__registry_check_process();
  if (status != VPTR_SUCCESS)
    return status;
  if (ordinal < 0 || ordinal >= VPTR__MOST_DEVICES)
    return vptr__error(VPTR_ERROR_NO_DEVICE, "device %d is not in 0 .. %d", ordinal, VPTR__MOST_DEVICES - 1);
  vptr_mapper *mapper = default_of(ordinal);
  if (mapper == NULL)
    return make_default(ordinal, mapper_out);
  *mapper_out = mapper;
  return VPTR_SUCCESS;
}

vptr_mapper *vptr__mapper_made(int ordinal) {
  return ordinal >= 0 && ordinal < VPTR__MOST_DEVICES ? default_of(ordinal) : NULL;
}

vptr_mapper *vptr__mapper_find(vptr_mapper *mapper, vptr_status *status_out) {
  *status_out = mapper == NULL ? vptr__mapper_for_device(0, &mapper) : vptr__registry_check_process();
  return *status_out == VPTR_SUCCESS ? mapper : NULL;
}

bool vptr__registry_is_default(const vptr_mapper *mapper) {
  for (int ordinal = 0; ordinal < VPTR__MOST_DEVICES; ordinal++)
    if (default_of(ordinal) == mapper)
      return true;
  return false;
}
