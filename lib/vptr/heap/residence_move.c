/* SPDX-License-Identifier: MIT */
/*
 * residence_move - moves the bytes of movable allocations off the device, and back (residence.h).
 *
 * Bytes move often where a program streams through more than the device has, and then memory that was never touched
 * costs more than they do. So who evicts to have a buffer come takes over the one that leaves, if that is as large; and
 * the host's part of it is residence_store.c's. What has a copy on the host that still holds leaves without one. Large
 * ones go as the mapper moves them (vptr__heap_move), since drivers are slow at pageable memory.
 *
 * The file's own is the thread-local `arriving`: the buffer that the thread is making now, or NULL. Of the heap
 * (state.h) it changes residence, buffer and store of ranges, `moving`, `coming`, `away_count` and `away_bytes`, under
 * vptr__heap.lock, of rank HEAP. It takes the lock for moments, and works on the device without it: a range that is
 * LEAVING or COMING is the working thread's, and a lease keeps it. vptr__heap_evict() is called without the lock;
 * vptr__residence_bring() with it, and gives it back meanwhile.
 *
 * Called by mapper/reclaim.c, which asks for room, and by residence.c, which brings what is needed. Both wait for the
 * device; what has to be evicted waits for all of its queues, and where there is a folder for it, for a disk.
 */
#include "heap/residence.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/waiting.h"

enum { PIECE_BYTES = 4 << 20 /* to and from a file */ };
enum { NEARLY_EMPTY = 4 /* slabs, of which no more than one part in so many is live */ };
enum { MOMENT_NS = 100000000 /* how long who allocates waits for others */ };
static const uint64_t MOST_WAIT_NS = UINT64_C(10000000000); /* how long who needs what is away */
enum { MOST_NAPS = 400 /* until a driver lets go of a buffer whose commands are over */ };

/* ---- bytes ---------------------------------------------------------------------------------------------- */

typedef vptr_status move_piece(const vptr__heap *heap, cl_mem buffer, const vptr__store *store, size_t at,
                               unsigned char *room, size_t size);

static vptr_status piece_to_store(const vptr__heap *heap, cl_mem buffer, const vptr__store *store, size_t at,
                                  unsigned char *room, size_t size) {
  vptr_status status = heap->device->ops->transfer.read(heap->device, buffer, at, room, size);
  return status == VPTR_SUCCESS ? vptr__store_write(store, at, room, size) : status;
}

static vptr_status piece_from_store(const vptr__heap *heap, cl_mem buffer, const vptr__store *store, size_t at,
                                    unsigned char *room, size_t size) {
  vptr_status status = vptr__store_read(store, at, room, size);
  return status == VPTR_SUCCESS ? heap->device->ops->transfer.write(heap->device, buffer, at, room, size) : status;
}

static vptr_status move_pieces(const vptr__heap *heap, cl_mem buffer, const vptr__store *store, move_piece *move) {
  size_t most = vptr__smaller(store->bytes, PIECE_BYTES);
  unsigned char *room = vptr__memory_calloc(most, 1);
  if (room == NULL)
    return vptr__error_host_memory(most);
  vptr_status status = VPTR_SUCCESS;
  for (size_t at = 0; at < store->bytes && status == VPTR_SUCCESS; at += most)
    status = move(heap, buffer, store, at, room, vptr__smaller(store->bytes - at, most));
  vptr__memory_free(room);
  return status;
}

static vptr_status save_bytes(const vptr__heap *heap, cl_mem buffer, const vptr__store *store) {
  unsigned char *memory = vptr__store_at(store, 0);
  vptr_status status;
  if (memory == NULL)
    return move_pieces(heap, buffer, store, piece_to_store);
  if (heap->move != NULL && heap->move(heap->insist_context, buffer, false, memory, store->bytes, &status))
    return status;
  return heap->device->ops->transfer.read(heap->device, buffer, 0, memory, store->bytes);
}

static vptr_status restore_bytes(const vptr__heap *heap, cl_mem buffer, const vptr__store *store) {
  unsigned char *memory = vptr__store_at(store, 0);
  vptr_status status;
  if (memory == NULL)
    return move_pieces(heap, buffer, store, piece_from_store);
  if (heap->move != NULL && heap->move(heap->insist_context, buffer, true, memory, store->bytes, &status))
    return status;
  return heap->device->ops->transfer.write(heap->device, buffer, 0, memory, store->bytes);
}

/* ---- leaving -------------------------------------------------------------------------------------------- */

/* Commands that are over may hold their buffers for a moment still. */
static bool is_held_by_others(const vptr__heap *heap, cl_mem buffer) {
  for (int i = 0; i < MOST_NAPS; i++) {
    if (!heap->device->ops->memory.is_shared(heap->device, buffer))
      return false;
    vptr__residence_nap();
  }
  return true;
}

static vptr_status let_work_end(const vptr__heap *heap, cl_mem buffer) {
  vptr_status status = heap->device->ops->queue.finish_all(heap->device);
  if (status == VPTR_SUCCESS && buffer != NULL && is_held_by_others(heap, buffer))
    status = VPTR_ERROR_NOT_READY;
  return status;
}

/* Of a range that is the thread's, by its buffer or packing. */
static vptr_status copy_away(vptr__heap *heap, const vptr__range *range, size_t bytes, vptr__store *store_out) {
  vptr__store store;
  vptr_status status = vptr__residence_open_store(heap, bytes, &store);
  if (status != VPTR_SUCCESS)
    return status;
  status = range->buffer != NULL ? save_bytes(heap, range->buffer, &store)
                                 : vptr__packing_save(heap, &range->packing, &store);
  if (status == VPTR_SUCCESS)
    *store_out = store;
  else
    vptr__store_close(&store);
  return status;
}

static const char *place_of(const vptr__store *store) {
  return store->memory != NULL ? "host memory" : store->file >= 0 ? "a file" : "a pack";
}

/* A part of a span that nobody has used. */
static bool is_unwritten(const vptr__range *range) {
  return range->span != NULL && range->store.bytes == 0 && range->buffer == NULL;
}

static void report_coming(const vptr__heap *heap, const vptr__range *range) {
  if (is_unwritten(range)) {
    vptr__log(VPTR__LOG_DECISION, "the %zu bytes at %p are used for the first time, and get a buffer on %s",
              range->bytes, (void *)range->base, heap->device->name);
    return;
  }
  vptr__log(VPTR__LOG_DECISION, "the %zu bytes at %p are used, and come back to %s from %s", range->bytes,
            (void *)range->base, heap->device->name, place_of(&range->store));
}

static void report_leaving(const vptr__heap *heap, const vptr__range *range, bool had_copy, vptr_status status) {
  if (status != VPTR_SUCCESS)
    vptr__log(VPTR__LOG_DECISION, "the %zu bytes at %p stay on %s: %s", range->bytes, (void *)range->base,
              heap->device->name,
              status == VPTR_ERROR_NOT_READY ? "somebody else holds the buffer" : vptr_last_error());
  else
    vptr__log(VPTR__LOG_DECISION,
              "%s is full: the %zu bytes at %p leave it for %s%s; %zu bytes in %zu allocations are away",
              heap->device->name, range->bytes, (void *)range->base, place_of(&range->store),
              had_copy ? ", which has them" : "", heap->away_bytes, heap->away_count);
}

/* With the lock, of a range that is LEAVING still. */
static void note_departure(vptr__heap *heap, vptr__range *range, vptr_status status, const vptr__store *store) {
  const bool had_copy = range->store.bytes > 0;
  if (status == VPTR_SUCCESS) {
    range->buffer = NULL;
    if (!had_copy)
      range->store = *store;
    vptr__residence_unpack(heap, range);
    range->address_known = false;
    range->residence = VPTR__RESIDENCE_AWAY;
    heap->buffer_serial++;
    heap->away_count += range->has_left ? 0 : 1;
    heap->away_bytes += range->has_left ? 0 : range->bytes;
  } else {
    range->residence = vptr__residence_before(range);
    if (vptr__residence_is_used(range))
      vptr__residence_link(heap, range);
  }
  pthread_cond_broadcast(&heap->moved);
  report_leaving(heap, range, had_copy, status);
}

/* Whether it has left, or what it failed for. A function that a stream calls may have called it off meanwhile
 * (residence.c), and what was saved is not its bytes any more. */
static vptr_status end_departure(vptr__heap *heap, vptr__range *range, vptr_status status, vptr__store *store) {
  vptr__heap_lock(heap);
  const bool is_off = range->residence != VPTR__RESIDENCE_LEAVING;
  if (!is_off)
    note_departure(heap, range, status, store);
  vptr__heap_unlock(heap);
  if (is_off && status == VPTR_SUCCESS)
    vptr__store_close(store);
  return is_off ? VPTR_ERROR_NOT_READY : status;
}

/* What a move took or gave is there for all now: those who found no room before may try again. */
static void end_move(vptr__heap *heap) {
  vptr__heap_lock(heap);
  heap->moving--;
  vptr__residence_note_change(heap);
  vptr__heap_unlock(heap);
}

/* The one that was used longest ago, if nobody has a lease of it; it is the caller's then, who has one. With the
 * lock. */
static vptr__range *take_oldest(vptr__heap *heap) {
  vptr__range *range = heap->oldest;
  while (range != NULL && atomic_load(&heap->directory.leases[range->window]) != 0)
    range = range->newer;
  if (range == NULL)
    return NULL;
  vptr__residence_unlink(heap, range);
  range->residence = VPTR__RESIDENCE_LEAVING;
  heap->moving++;
  atomic_fetch_add_explicit(&heap->directory.leases[range->window], 1, memory_order_acq_rel);
  return range;
}

/* A buffer that is asked for. */
typedef struct arrival {
  vptr__heap *heap;
  const vptr__range *range;
  size_t bytes; /* that one which leaves may have to be taken over; 0: none is */
  cl_mem buffer;
  cl_mem spare; /* NULL; or one of so many bytes that left */
} arrival;

static _Thread_local arrival *arriving;

/* What lies in a row is nowhere else. */
static bool is_placed(const vptr__range *range) {
  return range->span != NULL && !vptr__span_is_apart(range);
}

/* Bytes of 0: nobody can take it over. */
static void let_go(vptr__heap *heap, cl_mem buffer, size_t bytes) {
  if (bytes > 0 && arriving != NULL && arriving->heap == heap && arriving->spare == NULL && arriving->bytes == bytes)
    arriving->spare = buffer;
  else
    heap->device->ops->memory.release(heap->device, buffer);
}

/* False: there is none. *status_out is what became of it. */
static bool evict_dutifully(vptr__heap *heap, vptr_status *status_out) {
  vptr__store store = { .file = -1 };
  vptr__heap_lock(heap);
  vptr__range *range = take_oldest(heap);
  cl_mem buffer = range != NULL ? range->buffer : NULL;
  size_t bytes = range != NULL ? vptr__residence_bytes(range) : 0,
         all_bytes = range != NULL && !is_placed(range) ? range->bytes : 0;
  const bool has_copy = range != NULL && range->store.bytes > 0;
  vptr__heap_unlock(heap);
  if (range == NULL)
    return false;
  vptr__lease lease = { heap, range->window, false };
  vptr_status status = let_work_end(heap, buffer);
  if (status == VPTR_SUCCESS && !has_copy)
    status = copy_away(heap, range, bytes, &store);
  status = end_departure(heap, range, status, &store);
  if (status == VPTR_SUCCESS && buffer != NULL)
    let_go(heap, buffer, all_bytes);
  vptr__lease_give(&lease);
  end_move(heap);
  *status_out = status;
  return true;
}

/* Who wants it, or room, waits for it to be away. */
static bool evict_oldest(vptr__heap *heap, vptr_status *status_out) {
  vptr__lock_begin_duty();
  const bool is_one = evict_dutifully(heap, status_out);
  vptr__lock_end_duty();
  return is_one;
}

static size_t count_movable(vptr__heap *heap) {
  size_t count = 0;
  vptr__heap_lock(heap);
  for (const vptr__range *range = heap->oldest; range != NULL; range = range->newer)
    count++;
  vptr__heap_unlock(heap);
  return count;
}

/* Until one has left. What cannot leave is the newest then, and is not tried twice. */
static bool evict_one(vptr__heap *heap) {
  vptr_status status = VPTR_ERROR_NOT_READY;
  size_t most = count_movable(heap);
  for (size_t i = 0; i < most && status != VPTR_SUCCESS; i++)
    if (!evict_oldest(heap, &status))
      return false;
  return status == VPTR_SUCCESS;
}

/* Whether there may be room now, or soon, while the moment lasts. A driver may destroy what left some time after it was
 * released. */
static bool wait_a_moment(vptr__heap *heap, vptr__heap_patience *patience) {
  const bool is_busy = vptr__heap_is_busy(heap);
  uint64_t now = vptr__clock_ns(), changes = vptr__residence_changes(heap); /* behind that: what ends is a change */
  bool has_changed = changes != patience->seen;
  patience->seen = changes;
  if (patience->until == 0)
    patience->until = now + MOMENT_NS;
  if (now >= patience->until || (!has_changed && !is_busy && !patience->has_evicted))
    return false;
  if (!has_changed)
    vptr__residence_nap();
  return true;
}

/* Of another heap on the device: what is idle there, or else what was used longest ago. */
static bool take_of_peer(const vptr__heap *heap) {
  bool has_taken = false;
  vptr__heap *peer = NULL;
  while (!has_taken && (peer = vptr__residence_next_peer(heap, peer)) != NULL)
    has_taken = vptr__heap_give_idle(peer) || evict_one(peer);
  if (peer != NULL)
    vptr__residence_end_visit(peer);
  return has_taken;
}

/* What is nearly empty goes first: that takes nobody's bytes away. */
static bool compact_once(vptr__heap *heap, vptr__heap_patience *patience) {
  size_t released = 0;
  if (patience->has_compacted)
    return false;
  patience->has_compacted = true;
  vptr__error_try();
  vptr__heap_compact(heap, NEARLY_EMPTY, &released);
  vptr__error_tried(VPTR_SUCCESS);
  return released > 0;
}

bool vptr__heap_evict(vptr__heap *heap, vptr__heap_patience *patience) {
  if (heap->insist == NULL || vptr__waiting_is_barred())
    return false;
  if (compact_once(heap, patience) || evict_one(heap) || take_of_peer(heap)) {
    patience->has_evicted = true;
    return true;
  }
  return vptr__residence_may_wait() && wait_a_moment(heap, patience);
}

/* ---- coming --------------------------------------------------------------------------------------------- */

static void count_moving(vptr__heap *heap, size_t by) {
  vptr__heap_lock(heap);
  heap->moving += by;
  vptr__heap_unlock(heap);
}

/* A success counts as a move until it is noted: others wait for its outcome. */
static vptr_status try_arrival(void *context) {
  arrival *it = context;
  vptr__device *device = it->heap->device;
  count_moving(it->heap, 1);
  if (it->spare != NULL) {
    it->buffer = it->spare;
    it->spare = NULL;
    return VPTR_SUCCESS;
  }
  vptr_status status = it->range->span != NULL ? vptr__span_fill_part(it->heap, it->range, &it->buffer)
                                               : device->ops->memory.create(device, it->bytes, &it->buffer);
  if (status != VPTR_SUCCESS)
    count_moving(it->heap, (size_t)-1);
  return status;
}

static size_t leased_bytes(vptr__heap *heap) {
  size_t bytes = 0;
  vptr__heap_lock(heap);
  for (const vptr__range *range = heap->oldest; range != NULL; range = range->newer)
    if (atomic_load(&heap->directory.leases[range->window]) != 0)
      bytes += range->bytes;
  vptr__heap_unlock(heap);
  return bytes;
}

static vptr_status refuse_arrival(vptr__heap *heap, const vptr__range *range) {
  return vptr__error(
      VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
      "%s has no room for the %zu bytes at %p to come back from the host: work that is about to be sent "
      "uses %zu bytes beside them, %zu cannot leave, and all memory is %llu; use less at once, free something, or "
      "raise VPTR_DEVICE_BYTES if that is set",
      heap->device->name, range->bytes, (void *)range->base, leased_bytes(heap), vptr__heap_places_of(heap).staying,
      (unsigned long long)heap->device->memory_bytes);
}

/* To insist waits for a moment. */
static vptr_status make_buffer(vptr__heap *heap, const vptr__range *range, arrival *it) {
  const uint64_t until = vptr__clock_ns() + MOST_WAIT_NS;
  arrival *const outer = arriving;
  uint64_t seen;
  vptr_status status;
  arriving = it;
  do {
    seen = vptr__residence_changes(heap);
    status = heap->insist(heap->insist_context, try_arrival, it);
  } while (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__residence_may_wait() && vptr__clock_ns() < until &&
           (vptr__heap_is_busy(heap) || seen != vptr__residence_changes(heap)));
  arriving = outer;
  if (it->spare != NULL)
    heap->device->ops->memory.release(heap->device, it->spare);
  return status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY ? refuse_arrival(heap, range) : status;
}

/* Commands outlive the leases of those who sent them. */
static vptr_status restore_packed(vptr__heap *heap, const vptr__range *range, cl_mem buffer) {
  vptr_status status = heap->device->ops->queue.finish_all(heap->device);
  return status == VPTR_SUCCESS ? vptr__packing_restore(heap, &range->packing, buffer, range->bytes) : status;
}

static vptr_status fetch(vptr__heap *heap, const vptr__range *range, cl_mem *buffer_out) {
  const bool is_new = is_unwritten(range);
  arrival it = { .heap = heap, .range = range, .bytes = is_new || is_placed(range) ? 0 : range->bytes };
  vptr_status status = vptr__waiting_check();
  if (status == VPTR_SUCCESS)
    status = make_buffer(heap, range, &it);
  if (status != VPTR_SUCCESS)
    return status;
  if (range->packing.pack != NULL)
    status = restore_packed(heap, range, it.buffer);
  else if (!is_new)
    status = restore_bytes(heap, it.buffer, &range->store);
  if (status == VPTR_SUCCESS) {
    *buffer_out = it.buffer;
    return status;
  }
  heap->device->ops->memory.release(heap->device, it.buffer);
  end_move(heap);
  return status;
}

/* With the lock. */
static void note_arrival(vptr__heap *heap, vptr__range *range, cl_mem buffer) {
  const bool was_packed = range->packing.pack != NULL;
  heap->moving--;
  report_coming(heap, range);
  vptr__residence_unpack(heap, range);
  range->buffer = buffer;
  range->residence = VPTR__RESIDENCE_HERE;
  heap->buffer_serial++;
  if (!range->has_left && !was_packed) {
    heap->away_count--;
    heap->away_bytes -= range->bytes;
  }
  if (vptr__residence_is_used(range))
    vptr__residence_link(heap, range);
}

vptr_status vptr__residence_bring(vptr__heap *heap, vptr__range *range) {
  cl_mem buffer = NULL;
  if (range->residence == VPTR__RESIDENCE_PACKED)
    vptr__residence_unlink(heap, range);
  range->residence = VPTR__RESIDENCE_COMING;
  heap->coming++;
  vptr__lock_begin_duty(); /* who wants it waits for it to be here */
  vptr__heap_unlock(heap);
  vptr_status status = fetch(heap, range, &buffer);
  vptr__heap_lock(heap);
  vptr__lock_end_duty();
  heap->coming--;
  vptr__residence_note_change(heap);
  if (status == VPTR_SUCCESS) {
    note_arrival(heap, range, buffer);
  } else if (range->packing.pack != NULL) {
    range->residence = VPTR__RESIDENCE_PACKED;
    if (vptr__residence_is_used(range))
      vptr__residence_link(heap, range);
  } else {
    range->residence = VPTR__RESIDENCE_AWAY;
  }
  pthread_cond_broadcast(&heap->moved);
  if (status == VPTR_SUCCESS && !vptr__residence_may_keep(heap, range))
    vptr__residence_give_copy(heap, range);
  return status;
}
