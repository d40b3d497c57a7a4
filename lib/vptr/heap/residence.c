/* SPDX-License-Identifier: MIT */
/*
 * residence - see residence.h: the states of movable allocations, and who waits for them.
 *
 * The states are in the ranges of the heap (range.h), the list of what may be evicted in the heap (state.h, `oldest`
 * to `newest`), both under vptr__heap.lock, of rank HEAP; `changes` and `ending` of a heap are atomic. The file's own
 * are `own`, how many leases of movable allocations the thread has, `own_on`, how many of them on each device, and
 * `own_changes`, how many changes of heaps the thread noted, all thread-local; and the static lock `one_at_a_time`, of
 * rank LEASE, which a thread holds while it tries anew: its thread-local `is_alone` is true then, and the static
 * `anew_on`, which is atomic, says on which device, whose other heaps let it pass too.
 *
 * Called by heap.c, place.c, range.c, slab.c and span.c, with the heap's lock but for vptr__residence_note_change(),
 * as allocations and buffers come and go; by heap/lease.c, to lease one; by residence_move.c and compact.c, which move
 * bytes; by residence_peers.c, which waits; by query.c, to fix an allocation; and through heap.h by mapper/fast.c,
 * lookup.c, memory.c, report.c and kernel_argument.c, transfer/access.c, held_copy.c and peer.c, and
 * cudart/module/group.c, cudart/module/lease.c, prepare.c and launch.c. What heap.h declares takes the heap's lock for
 * moments, and so does vptr__residence_come(): callers hold none. vptr__residence_come() and vptr__heap_fix() wait for
 * the device where a buffer has to come, and for other threads' leases, or for a moment only.
 */
#include "heap/residence.h"

#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/limit.h"
#include "base/waiting.h"
#include "heap/slab.h"

enum { NAP_NS = 50000 };
static const uint64_t MOST_ANEW_NS = UINT64_C(60000000000);

static vptr__lock one_at_a_time = VPTR__LOCK_INIT(VPTR__RANK_LEASE);
static _Atomic uintptr_t anew_on;
static _Thread_local bool is_alone;
static _Thread_local size_t own;
static _Thread_local size_t own_on[1 + VPTR__MOST_DEVICES]; /* by 1 + ordinal: a program's own device has -1 */
static _Thread_local uint64_t own_changes;                  /* of the heap's `changes` */

void vptr__residence_nap(void) {
  nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
}

/* ---- the list ------------------------------------------------------------------------------------------- */

void vptr__residence_link(vptr__heap *heap, vptr__range *range) {
  range->newer = NULL;
  range->older = heap->newest;
  if (heap->newest != NULL)
    heap->newest->newer = range;
  else
    heap->oldest = range;
  heap->newest = range;
}

void vptr__residence_unlink(vptr__heap *heap, vptr__range *range) {
  *(range->older != NULL ? &range->older->newer : &heap->oldest) = range->newer;
  *(range->newer != NULL ? &range->newer->older : &heap->newest) = range->older;
}

static void use(vptr__heap *heap, vptr__range *range) {
  if (heap->newest == range)
    return;
  vptr__residence_unlink(heap, range);
  vptr__residence_link(heap, range);
}

/* ---- beginning and end ---------------------------------------------------------------------------------- */

/* Of what may leave, look-ups know no address, which the range may have had while it was fixed. Its entries are
 * tombstones yet. What a pool issues again may be away: it has no bytes that anybody asks for, but comes back all the
 * same when it is used. */
void vptr__residence_begin(vptr__heap *heap, vptr__range *range, bool of_program) {
  if (heap->insist == NULL || !vptr__residence_is_used(range))
    return;
  if (vptr__residence_is_here(range))
    range->residence = of_program ? VPTR__RESIDENCE_HERE : VPTR__RESIDENCE_FIXED;
  if (range->residence != VPTR__RESIDENCE_HERE)
    return;
  vptr__residence_drop_copy(heap, range);
  atomic_store_explicit(&heap->directory.addresses[range->window], 0, memory_order_release);
  vptr__residence_link(heap, range);
}

void vptr__residence_end(vptr__heap *heap, vptr__range *range) {
  if (!vptr__residence_is_used(range) || !vptr__residence_is_listed(range))
    return;
  vptr__residence_unlink(heap, range);
  vptr__residence_drop_copy(heap, range);
}

bool vptr__residence_settle(vptr__heap *heap, vptr__range *range) {
  if (!vptr__residence_is_here(range))
    return false;
  vptr__residence_drop_copy(heap, range);
  range->residence = VPTR__RESIDENCE_FIXED;
  return true;
}

void vptr__residence_forget(vptr__heap *heap, vptr__range *range) {
  range->has_left = true;
  if (range->packing.pack != NULL) {
    heap->packed_count--;
    heap->packed_bytes -= range->bytes;
    return;
  }
  if (range->residence != VPTR__RESIDENCE_AWAY && range->residence != VPTR__RESIDENCE_COMING)
    return;
  heap->away_count--;
  heap->away_bytes -= range->bytes;
}

void vptr__residence_unpack(vptr__heap *heap, vptr__range *range) {
  if (range->packing.pack != NULL && !range->has_left) {
    heap->packed_count--;
    heap->packed_bytes -= range->bytes;
  }
  vptr__packing_end(heap, &range->packing);
}

/* ---- who has what --------------------------------------------------------------------------------------- */

void vptr__residence_note_change(vptr__heap *heap) {
  atomic_fetch_add(&heap->changes, 1);
  own_changes++;
}

uint64_t vptr__residence_changes(const vptr__heap *heap) {
  return atomic_load(&heap->changes) + vptr__residence_peers_changes(heap) - own_changes;
}

void vptr__residence_leave(vptr__heap *heap) {
  own--;
  own_on[1 + heap->device->ordinal]--;
  vptr__residence_note_change(heap);
  atomic_fetch_sub(&heap->ending, 1);
}

bool vptr__residence_may_wait(void) {
  return own == 0 || is_alone;
}

/* Never 0, which is nobody's; the fake device's handle is. */
static uintptr_t device_of(const vptr__heap *heap) {
  return (uintptr_t)heap->device->cl_device + 1;
}

bool vptr__residence_lets_pass(const vptr__heap *heap) {
  return own == 0 && !is_alone && atomic_load(&anew_on) == device_of(heap) && !vptr__waiting_is_barred();
}

void vptr__residence_let_pass(const vptr__heap *heap) {
  const uint64_t until = vptr__clock_ns() + MOST_ANEW_NS;
  while (vptr__residence_lets_pass(heap) && vptr__clock_ns() < until)
    vptr__residence_nap();
}

bool vptr__residence_others(const vptr__heap *heap) {
  size_t leases = 0;
  if (heap->moving > 0 || atomic_load(&heap->ending) > 0)
    return true;
  for (const vptr__range *range = heap->oldest; range != NULL; range = range->newer)
    leases += atomic_load(&heap->directory.leases[range->window]);
  return leases > own_on[1 + heap->device->ordinal];
}

static bool is_busy_here(vptr__heap *heap) {
  vptr__heap_lock(heap);
  bool is_busy = vptr__residence_others(heap);
  vptr__heap_unlock(heap);
  return is_busy;
}

bool vptr__heap_is_busy(vptr__heap *heap) {
  if (heap->insist == NULL)
    return false;
  bool is_busy = is_busy_here(heap) || vptr__residence_peer_ends(heap);
  vptr__heap *peer = NULL;
  while (!is_busy && (peer = vptr__residence_next_peer(heap, peer)) != NULL)
    is_busy = is_busy_here(peer);
  if (peer != NULL)
    vptr__residence_end_visit(peer);
  return is_busy;
}

vptr__heap_anew vptr__heap_anew_begin(vptr__heap *heap) {
  vptr__lock_take(&one_at_a_time);
  is_alone = true;
  atomic_store(&anew_on, device_of(heap));
  return (vptr__heap_anew){ heap, vptr__clock_ns() + MOST_ANEW_NS, vptr__residence_changes(heap) - 1 };
}

/* Whoever was in the way when the last attempt began is there still, or has gone since, which is a change. */
bool vptr__heap_anew_again(vptr__heap_anew *anew) {
  vptr__heap_lock(anew->heap);
  bool is_busy = anew->heap->coming > 0;
  vptr__heap_unlock(anew->heap);
  is_busy = is_busy || vptr__heap_is_busy(anew->heap);
  uint64_t now = vptr__residence_changes(anew->heap); /* behind that: a lease ends without the lock */
  bool may_be_better = is_busy || now != anew->seen;
  anew->seen = now;
  if (!may_be_better || vptr__clock_ns() >= anew->until)
    return false;
  vptr__residence_nap();
  return true;
}

void vptr__heap_anew_end(void) {
  atomic_store(&anew_on, 0);
  is_alone = false;
  vptr__lock_give(&one_at_a_time);
}

bool vptr__heap_moves(const vptr__heap *heap) {
  return heap->insist != NULL;
}

bool vptr__heap_may_try_anew(const vptr__heap *heap) {
  return heap->insist != NULL && !vptr__waiting_is_barred();
}

bool vptr__heap_may_allocate_anew(const vptr__heap *heap) {
  return own == 0 && !is_alone && vptr__heap_may_try_anew(heap);
}

static void add_place(vptr__heap_places *places, const vptr__range *range) {
  const bool has_buffer = range->buffer != NULL;
  if (range->packing.pack != NULL) {
    places->packed += range->bytes;
    return;
  }
  if (!has_buffer && range->store.bytes == 0) /* a part that nobody has used */
    return;
  size_t *bytes = &places->staying;
  if (has_buffer && range->residence != VPTR__RESIDENCE_FIXED)
    bytes = &places->movable;
  else if (!has_buffer)
    bytes = range->store.memory != NULL ? &places->in_memory : &places->in_files;
  *bytes += range->bytes;
  places->away_count += !has_buffer;
}

vptr__heap_places vptr__heap_places_of(vptr__heap *heap) {
  vptr__heap_places places = { 0 };
  uint64_t key = 0;
  uintptr_t value;
  vptr__heap_lock(heap);
  for (; vptr__tree_find_ge(&heap->ranges, key, &key, &value); key++)
    add_place(&places, (const vptr__range *)value);
  places.copies = vptr__residence_copies(heap);
  places.packs = atomic_load(&heap->pack_bytes);
  vptr__heap_unlock(heap);
  return places;
}

/* ---- coming --------------------------------------------------------------------------------------------- */

/* Somebody else brings it, and may wait for room that this thread's leases take. */
static vptr_status refuse_to_wait(const vptr__heap *heap, const vptr__range *range) {
  return vptr__error(
      VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
      "%s may have no room for the %zu bytes at %p, which another thread brings back from the host, "
      "beside what this work uses; use less at once, free something, or raise VPTR_DEVICE_BYTES if that "
      "is set",
      heap->device->name, range->bytes, (void *)range->base);
}

/* With the lock. The thread that moves it finds that it is not its any more. */
static void call_off(vptr__heap *heap, vptr__range *range) {
  range->residence = vptr__residence_before(range);
  if (vptr__residence_is_used(range))
    vptr__residence_link(heap, range);
  pthread_cond_broadcast(&heap->moved);
}

/* With the lock, which it gives back for a while. Who leases slots as they are, wherever they lie, is waited for. All
 * who wait count for the range themselves; one of them brings it for all. */
static vptr_status await_whole(vptr__heap *heap, vptr__range *range) {
  vptr_status status = VPTR_SUCCESS;
  range->waiters++;
  if (atomic_load(&heap->directory.leases[range->window]) <= range->waiters) {
    status = vptr__residence_bring(heap, range);
  } else if (own > 0 && !is_alone) {
    status = refuse_to_wait(heap, range);
  } else {
    vptr__heap_unlock(heap);
    vptr__residence_nap();
    vptr__heap_lock(heap);
  }
  range->waiters--;
  return status;
}

/* With the lock, which it gives back for a while. A function that a stream calls waits for no move, since the mover may
 * wait for that stream: it has the buffer stay, and is refused what has to come. */
static vptr_status await_move(vptr__heap *heap, vptr__range *range) {
  if (range->residence == VPTR__RESIDENCE_AWAY)
    return vptr__residence_bring(heap, range);
  if (range->residence == VPTR__RESIDENCE_PACKED)
    return vptr__waiting_is_barred() ? vptr__waiting_check() : await_whole(heap, range);
  if (vptr__waiting_is_barred()) {
    if (range->residence != VPTR__RESIDENCE_LEAVING)
      return vptr__waiting_check();
    call_off(heap, range);
    return VPTR_SUCCESS;
  }
  if (range->residence == VPTR__RESIDENCE_COMING && own > 0)
    return refuse_to_wait(heap, range);
  pthread_cond_wait(&heap->moved, &heap->lock.mutex);
  return VPTR_SUCCESS;
}

/* Where a packed slot lies. Who tries anew as the only one has whole slabs, for he may hold what is in his way. */
static bool find_packed(const vptr__range *range, const void *ptr, vptr__lease_use use, size_t *offset_out) {
  const uint32_t slot = vptr__slab_slot(range, (uintptr_t)ptr);
  return range->residence == VPTR__RESIDENCE_PACKED && use != VPTR__LEASE_WHOLE && !is_alone &&
         vptr__packing_find(&range->packing, slot, offset_out);
}

/* With the lock, which it gives back for a while: the range of the live address, HERE, or PACKED with it, if it is not
 * fixed, which `now` has a buffer of. */
static vptr_status await_buffer(vptr__heap *heap, const void *ptr, size_t need, vptr__lease_use use,
                                vptr_location *now, vptr__range **range_out) {
  size_t offset;
  vptr_status status;
  while ((status = vptr__directory_locate(&heap->directory, ptr, need, now)) == VPTR_SUCCESS && now->buffer == NULL) {
    vptr__range *range = vptr__range_at(heap, ptr);
    *range_out = range;
    if (range->residence == VPTR__RESIDENCE_HERE || find_packed(range, ptr, use, &offset))
      break;
    status = await_move(heap, range);
    if (status != VPTR_SUCCESS)
      break;
  }
  return status;
}

/* With the lock, which may be given back for a while at the end, when the range is leased, and stays. */
static void lease_range(vptr__heap *heap, vptr__range *range, vptr__lease_use of) {
  use(heap, range);
  own++;
  own_on[1 + heap->device->ordinal]++;
  if (of != VPTR__LEASE_READ)
    vptr__residence_give_copy(heap, range);
}

vptr_status vptr__residence_come(vptr__heap *heap, const void *ptr, size_t need, vptr__lease_use of,
                                 vptr_location *location_out, bool *moves_out, uint64_t *address_out) {
  vptr_location now;
  vptr__range *range = NULL;
  size_t offset;
  vptr__heap_lock(heap);
  vptr_status status = await_buffer(heap, ptr, need, of, &now, &range);
  if (status == VPTR_SUCCESS && now.buffer == NULL) {
    now.buffer = range->buffer;
    if (find_packed(range, ptr, of, &offset)) {
      const uint32_t slot = vptr__slab_slot(range, (uintptr_t)ptr);
      now.buffer = range->packing.pack->buffer;
      now.buffer_offset = offset + (now.buffer_offset - (size_t)slot * range->slab.slot_size);
    }
    *address_out = vptr__range_address(range, now.buffer);
    lease_range(heap, range, of);
    *moves_out = true;
  }
  vptr__heap_unlock(heap);
  if (status == VPTR_SUCCESS)
    *location_out = now;
  return status;
}

/* ---- fixing --------------------------------------------------------------------------------------------- */

static void fix_range(vptr__heap *heap, vptr__range *range) {
  vptr__residence_unlink(heap, range);
  vptr__residence_drop_copy(heap, range);
  range->residence = VPTR__RESIDENCE_FIXED;
  if (range->address_known)
    vptr__range_locate(heap, range, range->device_address);
  vptr__directory_show_buffer(&heap->directory, range->window, range->windows, range->buffer);
}

vptr_status vptr__heap_fix(vptr__heap *heap, const void *ptr) {
  vptr_location location;
  vptr__lease lease;
  if (heap->insist == NULL || vptr__directory_locate(&heap->directory, ptr, 1, &location) != VPTR_SUCCESS ||
      location.buffer != NULL)
    return VPTR_SUCCESS;
  vptr_status status = vptr__lease_take_whole(heap, ptr, 1, &location, &lease);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__heap_lock(heap);
  vptr_location now;
  if (vptr__directory_locate(&heap->directory, ptr, 1, &now) == VPTR_SUCCESS && now.buffer == NULL &&
      vptr__range_at(heap, ptr)->residence == VPTR__RESIDENCE_HERE)
    fix_range(heap, vptr__range_at(heap, ptr));
  vptr__heap_unlock(heap);
  vptr__lease_give(&lease);
  return VPTR_SUCCESS;
}

/* What lives in a movable range, the first of it. */
static bool has_movable(const vptr__heap *heap, const vptr__range *range, uintptr_t *live_out) {
  vptr_location location;
  if (range->role == VPTR__ROLE_PART) {
    *live_out = range->base;
    return vptr__residence_is_used(range) && range->residence != VPTR__RESIDENCE_FIXED;
  }
  if (!vptr__residence_is_used(range) || range->residence == VPTR__RESIDENCE_FIXED ||
      !vptr__directory_next_in(&heap->directory, range->window, range->base, &location))
    return false;
  *live_out = (uintptr_t)location.base;
  return true;
}

bool vptr__heap_next_movable(vptr__heap *heap, uintptr_t from, uintptr_t *base_out, uintptr_t *live_out) {
  uint64_t key = from;
  uintptr_t value;
  bool found = false;
  vptr__heap_lock(heap);
  for (; !found && vptr__tree_find_ge(&heap->ranges, key, &key, &value); key++) {
    found = has_movable(heap, (const vptr__range *)value, live_out);
    *base_out = key;
  }
  vptr__heap_unlock(heap);
  return found;
}
