/* SPDX-License-Identifier: MIT */
/*
 * heap - see heap.h: life and allocation. Frees are in place.c, questions about what is there in query.c.
 *
 * A vptr__heap (state.h) is its mapper's; it is made and freed here. Its `lock`, of rank HEAP, guards all that changes
 * in it but what state.h names; this file takes it, and vptr__heap_lock() and vptr__heap_unlock() are here for the
 * other files of the folder. What state.h declares behind those is called with it held. Buffers that have left are
 * doomed, and released by whoever gives the lock next, when it is given. That waits for the device, if the device
 * address of one was given out; a host function, which may not wait, leaves them to the next. The lock is not held
 * while a buffer is made, which may block: on a full device what is idle is released, and work waited for.
 *
 * Called by mapper/mapper.c, which makes and ends a heap; by mapper/memory.c and pool/reuse.c, which allocate; by
 * mapper/memory.c and reclaim.c, which trim; and by compact.c, exchange.c, lease.c, magazine.c, place.c, placed.c,
 * query.c, residence.c, residence_move.c, residence_store.c, snapshot.c, span.c and survey.c, which take the lock, and
 * make places free.
 */
#include "heap/heap.h"

#include "base/waiting.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "heap/residence.h"
#include "heap/slab.h"
#include "heap/span.h"

enum { SMALL_SPARE = 1 << 20 /* bytes that trim_small() leaves in any case */ };
enum { PAGE = 4096 /* buffers of their own are whole pages: the least that memory comes in anywhere */ };

void vptr__heap_lock(vptr__heap *heap) {
  vptr__lock_take(&heap->lock);
}

void vptr__heap_unlock(vptr__heap *heap) {
  if (heap->doomed == NULL || vptr__waiting_is_barred())
    vptr__lock_give(&heap->lock);
  else
    vptr__range_release_doomed(heap);
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static vptr_status trees_init(vptr__heap *heap) {
  vptr__tree *trees[] = { &heap->ranges, &heap->derived, &heap->pins, &heap->sites };
  for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
    vptr_status status = vptr__tree_init(trees[i]);
    if (status != VPTR_SUCCESS) {
      while (i-- > 0)
        vptr__tree_fini(trees[i]);
      return status;
    }
  }
  return VPTR_SUCCESS;
}

static void trees_fini(vptr__heap *heap) {
  vptr__tree_fini(&heap->sites);
  vptr__tree_fini(&heap->pins);
  vptr__tree_fini(&heap->derived);
  vptr__tree_fini(&heap->ranges);
}

static vptr_status begin_space(vptr__heap *heap, const vptr__heap_config *config) {
  if (config->arena_bytes == 0)
    return vptr__space_init(&heap->space, config->base_address, config->reserve_size, config->reuse_at_once);
  vptr_status status = vptr__heap_arena_make(heap->device, config->arena_bytes, &heap->arena);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__space_init_foreign(&heap->space, &heap->arena.place, config->reuse_at_once);
  if (status != VPTR_SUCCESS)
    vptr__heap_arena_free(heap->device, &heap->arena);
  return status;
}

static void end_space(vptr__heap *heap) {
  vptr__space_fini(&heap->space);
  vptr__heap_arena_free(heap->device, &heap->arena);
}

static vptr_status check_alignment(const vptr__heap *heap, size_t alignment) {
  size_t window = (size_t)1 << heap->space.window_shift;
  if (alignment <= window)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "an alignment of %zu bytes is larger than a window of addresses (%zu): ask for less", alignment,
                     window);
}

vptr_status vptr__heap_create(vptr__device *device, const vptr__heap_config *config, vptr__heap **heap_out) {
  vptr__heap *heap = vptr__memory_calloc(1, sizeof *heap);
  if (heap == NULL)
    return vptr__error_host_memory(sizeof *heap);
  heap->device = device;
  heap->granule_shift = (unsigned)__builtin_ctzll(config->alignment);
  heap->trace = config->trace;
  heap->is_exact = config->exact;
  heap->insist = config->insist;
  heap->insist_context = config->insist_context;
  heap->move = config->move;
  heap->spare_store.file = -1;
  vptr_status status = begin_space(heap, config);
  if (status != VPTR_SUCCESS)
    goto free_heap;
  status = check_alignment(heap, config->alignment);
  if (status != VPTR_SUCCESS)
    goto fini_space;
  status = vptr__directory_init(&heap->directory, &heap->space, config->alignment, device->ordinal);
  if (status != VPTR_SUCCESS)
    goto fini_space;
  status = trees_init(heap);
  if (status != VPTR_SUCCESS)
    goto fini_directory;
  status = vptr__cache_init(&heap->cache, config->exact ? 0 : config->idle_bytes);
  if (status != VPTR_SUCCESS)
    goto fini_trees;
  vptr__quarantine_init(&heap->quarantine, config->quarantine_bytes);
  vptr__lock_init(&heap->lock, VPTR__RANK_HEAP);
  pthread_cond_init(&heap->moved, NULL);
  vptr__magazines_init(heap);
  vptr__residence_join(heap);
  *heap_out = heap;
  return VPTR_SUCCESS;

fini_trees:
  trees_fini(heap);
fini_directory:
  vptr__directory_fini(&heap->directory);
fini_space:
  end_space(heap);
free_heap:
  vptr__memory_free(heap);
  return status;
}

static void release_derived(vptr__heap *heap) {
  uint64_t key;
  uintptr_t buffer;
  while (vptr__tree_find_ge(&heap->derived, 0, &key, &buffer)) {
    vptr__tree_remove(&heap->derived, key, NULL);
    heap->device->ops->memory.release(heap->device, (cl_mem)buffer);
  }
}

/* Whoever holds a part of the arena holds the arena. */
static void release_lingering(vptr__heap *heap) {
  while (heap->lingering != NULL) {
    vptr__range *range = heap->lingering;
    heap->lingering = range->next;
    heap->device->ops->memory.release(heap->device, range->buffer);
    vptr__memory_free(range);
  }
}

void vptr__heap_destroy(vptr__heap *heap) {
  if (heap == NULL)
    return;
  vptr__residence_close(heap);
  vptr__magazines_fini(heap);
  release_derived(heap);
  uint64_t key;
  uintptr_t value;
  while (vptr__tree_find_ge(&heap->ranges, 0, &key, &value))
    vptr__range_leave(heap, (vptr__range *)value);
  vptr__range_release_all(heap, heap->doomed);
  vptr__range_release_all(heap, heap->leased);
  release_lingering(heap);
  vptr__residence_part(heap);
  vptr__residence_forget_spare(heap);
  pthread_cond_destroy(&heap->moved);
  vptr__lock_fini(&heap->lock);
  vptr__quarantine_fini(&heap->quarantine);
  vptr__cache_fini(&heap->cache);
  trees_fini(heap);
  vptr__directory_fini(&heap->directory);
  end_space(heap);
  vptr__memory_free(heap);
}

/* ---- giving up what nobody uses ------------------------------------------------------------------------- */

static void trim_cache(vptr__heap *heap, size_t keep, uint64_t now) {
  vptr__range *range;
  while ((range = vptr__cache_evict(&heap->cache, keep, now)) != NULL)
    vptr__range_leave(heap, range);
}

/* The most bytes that were live at once in the last one or two ages of the cache, as seen whenever buffers change
 * hands. Of a buffer that ends, `ending` bytes were live until now, at most. */
static size_t recent_peak(vptr__heap *heap, size_t ending, uint64_t now) {
  if (now - heap->peak_since > VPTR__CACHE_MAX_AGE_NS) {
    heap->peak_before = heap->peak;
    heap->peak = 0;
    heap->peak_since = now;
  }
  size_t live = heap->live_bytes + vptr__magazines_live_bytes(heap) - heap->attached_bytes + ending;
  if (live > heap->peak)
    heap->peak = live;
  return heap->peak > heap->peak_before ? heap->peak : heap->peak_before;
}

/* Slabs of classes that come and go leave buffers behind, and in a random mix more and more. All small buffers and
 * what is live are kept within 1.5 of what was live lately: a program that frees everything and begins anew finds its
 * buffers again. */
static void trim_small(vptr__heap *heap, size_t ending, uint64_t now) {
  size_t peak = recent_peak(heap, ending, now), most = peak + peak / 2 + SMALL_SPARE;
  vptr__range *range;
  while (heap->buffer_bytes - (heap->cache.bytes - heap->cache.small_bytes) > most &&
         (range = vptr__cache_evict_small(&heap->cache)) != NULL)
    vptr__range_leave(heap, range);
}

/* A range with nothing live in it, its entries tombstones: cache it, or let it go. */
static void give_up(vptr__heap *heap, vptr__range *range) {
  uint64_t now = vptr__clock_ns();
  size_t ending = range->bytes;
  range->role = VPTR__ROLE_NONE;
  if (!vptr__residence_settle(heap, range) || range->is_withheld || !vptr__cache_put(&heap->cache, range, now))
    vptr__range_leave(heap, range);
  trim_cache(heap, heap->cache.limit, now);
  trim_small(heap, ending, now);
}

void vptr__heap_make_free(vptr__heap *heap, uintptr_t address) {
  vptr__range *range = vptr__range_at(heap, (void *)address);
  if (range->role != VPTR__ROLE_SLAB) {
    if (!vptr__span_leave(heap, range, false))
      give_up(heap, range);
    return;
  }
  if (vptr__slab_recycle(heap, range, vptr__slab_slot(range, address))) {
    vptr__slab_end(heap, range);
    give_up(heap, range);
  }
}

void vptr__heap_make_withheld(vptr__heap *heap, uintptr_t address) {
  vptr__range *range = vptr__range_at(heap, (void *)address);
  range->is_withheld = true;
  if (range->role == VPTR__ROLE_SLAB) {
    if (!vptr__slab_withhold(range))
      return;
    vptr__slab_end(heap, range);
  }
  if (range->role == VPTR__ROLE_ATTACHED)
    heap->attached_bytes -= range->bytes;
  if (!vptr__span_leave(heap, range, true))
    vptr__range_leave(heap, range);
}

static void end_empty_slabs(vptr__heap *heap) {
  for (unsigned class = 0; class < VPTR__CLASS_COUNT; class ++) {
    vptr__range *next;
    for (vptr__range *range = heap->classes[class].first; range != NULL; range = next) {
      next = range->next;
      if (vptr__slab_used(&range->slab) == 0) {
        vptr__slab_end(heap, range);
        give_up(heap, range);
      }
    }
  }
}

static void release_idle(vptr__heap *heap, size_t keep) {
  uintptr_t address;
  while (keep == 0 && vptr__quarantine_pop(&heap->quarantine, &address))
    vptr__heap_make_free(heap, address);
  vptr__magazines_empty(heap);
  end_empty_slabs(heap);
  trim_cache(heap, keep, vptr__clock_ns());
}

vptr_status vptr__heap_trim(vptr__heap *heap, size_t keep_bytes) {
  vptr__heap_lock(heap);
  release_idle(heap, keep_bytes);
  if (keep_bytes == 0)
    vptr__residence_forget_spare(heap);
  vptr__heap_unlock(heap);
  return VPTR_SUCCESS;
}

/* The driver may hold on to released memory while commands use it, hence the wait. Should that fail, whoever tries
 * again is told of it. */
bool vptr__heap_give_idle(vptr__heap *heap) {
  vptr__heap_lock(heap);
  release_idle(heap, 0);
  bool gave = heap->doomed != NULL;
  vptr__heap_unlock(heap);
  if (gave)
    heap->device->ops->queue.finish_all(heap->device);
  return gave;
}

/* ---- getting buffers ------------------------------------------------------------------------------------ */

/* A new range, entered. Called and returns with the lock held, but gives it back for the time the driver works. */
static vptr_status try_new_range(vptr__heap *heap, size_t bytes, vptr__range **range_out) {
  vptr__range *range;
  vptr_status status = vptr__range_begin(heap, bytes, &range);
  if (status != VPTR_SUCCESS)
    return status;
  heap->moving++;
  vptr__heap_unlock(heap);
  status = vptr__range_fill(heap, range);
  vptr__heap_lock(heap);
  heap->moving--;
  vptr__residence_note_change(heap);
  if (status != VPTR_SUCCESS) {
    vptr__range_cancel(heap, range);
    return status;
  }
  status = vptr__range_enter(heap, range);
  if (status != VPTR_SUCCESS) {
    range->next = heap->doomed;
    heap->doomed = range;
    return status;
  }
  *range_out = range;
  return VPTR_SUCCESS;
}

/* What comes back to a full arena when nothing is idle: parts that others held, then the windows that were withheld
 * first. Lock as above. */
static bool regain_windows(vptr__heap *heap) {
  if (!vptr__heap_has_arena(heap))
    return false;
  if (!vptr__range_doom_lingering(heap))
    return vptr__space_recall(&heap->space);
  vptr__heap_unlock(heap);
  vptr__heap_lock(heap);
  return true;
}

/* The same, once more after everything idle was released, if that was anything. */
static vptr_status insist_on_range(vptr__heap *heap, size_t bytes, vptr__range **range_out) {
  vptr_status status = try_new_range(heap, bytes, range_out);
  if (!vptr__heap_lacks_room(status))
    return status;
  vptr__heap_unlock(heap);
  bool gave = vptr__heap_give_idle(heap);
  vptr__heap_lock(heap);
  if (gave)
    status = try_new_range(heap, bytes, range_out);
  while (vptr__heap_lacks_room(status) && regain_windows(heap))
    status = try_new_range(heap, bytes, range_out);
  return status;
}

/* A range of at least `bytes`, cached or new; for a slab with slots of so many bytes, a cached one may have less.
 * Lock as above. */
static vptr_status get_range(vptr__heap *heap, size_t bytes, size_t slot, vptr__range **range_out) {
  vptr__range *range =
      slot > 0 ? vptr__cache_take_slab(&heap->cache, bytes, slot) : vptr__cache_take(&heap->cache, bytes);
  if (range == NULL) {
    trim_small(heap, 0, vptr__clock_ns());
    return insist_on_range(heap, bytes, range_out);
  }
  trim_cache(heap, heap->cache.limit, vptr__clock_ns());
  *range_out = range;
  return VPTR_SUCCESS;
}

/* One slab more for a class. When there is no room for a slab of the size that growth suggests, one for a single
 * slot will do: growth must not fail an allocation that would fit. */
static vptr_status add_slab(vptr__heap *heap, unsigned class) {
  size_t least = vptr__class_slot_size(class, heap->granule_shift);
  size_t bytes = vptr__slab_bytes(heap, class);
  vptr__range *range;
  vptr_status status = get_range(heap, bytes, least, &range);
  if (vptr__heap_lacks_room(status) && bytes > least)
    status = get_range(heap, least, least, &range);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__slab_begin(heap, range, class);
  if (status != VPTR_SUCCESS)
    give_up(heap, range);
  return status;
}

/* ---- allocation ----------------------------------------------------------------------------------------- */

vptr_status vptr__heap_prepare(vptr__heap *heap) {
  return heap->trace ? vptr__tree_reserve(&heap->sites) : VPTR_SUCCESS;
}

void vptr__heap_account(vptr__heap *heap, uintptr_t base, size_t size, const void *site) {
  heap->live_count++;
  heap->live_bytes += size;
  if (heap->trace) {
    vptr__tree_remove(&heap->sites, base, NULL);
    vptr__tree_insert(&heap->sites, base, (uintptr_t)site);
  }
}

static vptr_status allocate_pooled(vptr__heap *heap, size_t size, const void *site, void **ptr_out) {
  unsigned class = vptr__class_of(size, heap->granule_shift);
  void *ptr = NULL;
  vptr__magazine_unfill(heap, class);
  vptr_status status = vptr__heap_prepare(heap);
  while (status == VPTR_SUCCESS && (ptr = vptr__slab_issue(heap, class, size)) == NULL) {
    vptr__error_try();
    status = vptr__error_tried(add_slab(heap, class));
    if (status == VPTR_SUCCESS)
      status = vptr__heap_prepare(heap); /* the lock was given back in between */
  }
  if (status != VPTR_SUCCESS)
    return status;
  vptr__heap_account(heap, (uintptr_t)ptr, size, site);
  vptr__magazine_fill(heap, class);
  *ptr_out = ptr;
  return VPTR_SUCCESS;
}

void vptr__heap_settle(vptr__heap *heap, vptr__range *range, vptr__role role, size_t size, const void *site) {
  range->role = role;
  range->size = size;
  range->serial = ++heap->serial;
  vptr__residence_begin(heap, range, site != NULL);
  vptr__range_publish(heap, range);
  vptr__heap_account(heap, range->base, size, site);
}

static vptr_status allocate_whole(vptr__heap *heap, size_t size, const void *site, void **ptr_out) {
  vptr__range *range;
  vptr__error_try();
  size_t bytes = heap->is_exact ? size : vptr__align_up(size, PAGE);
  vptr_status status = vptr__error_tried(
      vptr__span_may_exceed(heap, bytes, site) ? VPTR_ERROR_INVALID_SIZE : get_range(heap, bytes, 0, &range));
  if (status != VPTR_SUCCESS)
    return vptr__span_instead(heap, status, size, site, ptr_out);
  status = vptr__heap_prepare(heap);
  if (status != VPTR_SUCCESS) {
    give_up(heap, range);
    return status;
  }
  vptr__heap_settle(heap, range, VPTR__ROLE_WHOLE, size, site);
  *ptr_out = (void *)range->base;
  return VPTR_SUCCESS;
}

/* Sizes that no device can have are refused before any arithmetic on them could wrap. */
static vptr_status check_size(const vptr__heap *heap, size_t size, const void *site) {
  if (vptr__heap_has_arena(heap) && size >= heap->space.size)
    return vptr__error(VPTR_ERROR_INVALID_SIZE,
                       "%zu bytes asked for, but VPTR_ADDRESSES=device took %zu of %s: ask for less, or take more "
                       "(VPTR_ADDRESSES=device:SIZE)",
                       size, heap->space.size, heap->device->name);
  if (size <= heap->device->memory_bytes || vptr__span_may_exceed(heap, size, site))
    return VPTR_SUCCESS;
  return vptr__span_refuse_beyond(heap, size, site);
}

/* What the library has for itself stays, and would keep a slab that could leave. */
static bool is_pooled_here(const vptr__heap *heap, size_t size, const void *site) {
  return vptr__heap_pools(heap, size) && (heap->insist == NULL || site != NULL);
}

vptr_status vptr__heap_allocate(vptr__heap *heap, size_t size, const void *site, void **ptr_out) {
  bool is_pooled = is_pooled_here(heap, size, site);
  vptr_status status = check_size(heap, size, site);
  if (status != VPTR_SUCCESS)
    return status;
  if (is_pooled)
    vptr__magazine_visit(heap);
  vptr__heap_lock(heap);
  vptr__magazine_settle(heap);
  status = is_pooled ? allocate_pooled(heap, size, site, ptr_out) : allocate_whole(heap, size, site, ptr_out);
  vptr__heap_unlock(heap);
  return status;
}

vptr_status vptr__heap_attach(vptr__heap *heap, cl_mem buffer, const void *site, void **ptr_out) {
  size_t bytes;
  vptr_status status = heap->device->ops->memory.size(heap->device, buffer, &bytes);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__range *range = vptr__memory_calloc(1, sizeof *range);
  if (range == NULL)
    return vptr__error_host_memory(sizeof *range);
  *range = (vptr__range){ .buffer = buffer, .bytes = bytes, .role = VPTR__ROLE_ATTACHED };
  vptr__heap_lock(heap);
  vptr__magazine_settle(heap);
  status = vptr__heap_prepare(heap);
  if (status == VPTR_SUCCESS)
    status = vptr__range_enter(heap, range);
  if (status == VPTR_SUCCESS) {
    heap->device->ops->memory.retain(heap->device, buffer);
    vptr__heap_settle(heap, range, VPTR__ROLE_ATTACHED, bytes, site);
    heap->attached_bytes += bytes;
    *ptr_out = (void *)range->base;
  }
  vptr__heap_unlock(heap);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(range);
  return status;
}
