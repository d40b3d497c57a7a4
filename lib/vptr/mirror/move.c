/* SPDX-License-Identifier: MIT */
/*
 * move - which device a mirror is on: how it comes to one, leaves it for another, and is made to leave.
 *
 * A mirror that leaves a device has all its bytes on the host, and no device has any: the view is open for writing,
 * since no device has bytes that a write could make stale. The next device is sent what its work uses.
 *
 * The file changes a vptr__mirror's backing buffers and which of them is in use (state.h) under vptr__mirror.lock, of
 * rank MIRROR, and with them its counts, `uses.device` and the pattern, and its pages where bytes are lost. It gives
 * the lock back while it makes a buffer or waits for work. vptr__mirror_come_to() is for callers that hold it;
 * vptr__mirror_moved() and vptr__mirrors_serial() need none, and all other functions of the file that others call take
 * it. The file's one static, `serial`, is atomic: it counts the changes that a translation table has to follow.
 *
 * Called by acquire.c, when work is sent to a device; by resident_set.c, to evict; by mirror.c, which counts the coming
 * and going of a mirror as changes, and transfer/endpoint.c, which asks on which device a mirror is; and through
 * base/subsystem.h by mapper/mapper.c, before a mapper goes, and by mapper/translation_table.c, which asks where all
 * mirrors are. Coming, leaving and eviction wait for work in flight that uses the mirror; vptr__mirrors_look() takes
 * each mirror's lock for a moment. Declared in mirror.h and, for this folder, in state.h.
 */
#include "mirror/mirror.h"

#include "base/error.h"
#include "base/waiting.h"
#include "mirror/address_index.h"
#include "mirror/state.h"

/* ---- backing buffers --------------------------------------------------------------------------------------------- */

static vptr__backing *backing_at(const vptr__mirror *mirror, const vptr_mapper *mapper) {
  vptr__backing *backing = mirror->backings;
  while (backing != NULL && backing->mapper != mapper)
    backing = backing->next;
  return backing;
}

static void add_backing(vptr__mirror *mirror, vptr__backing *backing) {
  backing->next = mirror->backings;
  mirror->backings = backing;
  vptr__resident_set_show(&backing->residency, mirror->view.user, false);
}

/* Releases a backing buffer that is not in use. */
static void give_up(vptr__mirror *mirror, vptr__backing *backing) {
  vptr__backing **at = &mirror->backings;
  while (*at != backing)
    at = &(*at)->next;
  *at = backing->next;
  vptr__resident_set_hide(&backing->residency);
  vptr__backing_unpin(backing, mirror->view.alias);
  vptr__backing_close(backing);
}

vptr_mapper *vptr__mirror_current_mapper(vptr__mirror *mirror) {
  vptr__lock_take(&mirror->lock);
  vptr_mapper *mapper = mirror->backing != NULL ? mirror->backing->mapper : mirror->mapper;
  vptr__lock_give(&mirror->lock);
  return mapper;
}

/* ---- leaving -------------------------------------------------------------------------------------------- */

/* Nothing was written yet, by the host or by a device: the contents are undefined on both sides, so nothing needs to
 * be brought. */
static bool is_blank(const vptr__mirror *mirror) {
  return mirror->pages.in[VPTR__PAGE_BOTH] == mirror->pages.count && mirror->counts.sent == 0 &&
         mirror->counts.fetched == 0;
}

static vptr_status leave_backing(vptr__mirror *mirror) {
  vptr__mirror_await_uses(mirror);
  vptr_status status = is_blank(mirror) ? VPTR_SUCCESS : vptr__mirror_bring_all(mirror);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__pattern_break(&mirror->pattern);
  mirror->backing = NULL;
  vptr__mirror_moved();
  return VPTR_SUCCESS;
}

/* ---- coming --------------------------------------------------------------------------------------------- */

static vptr_status move_in(vptr__mirror *mirror, vptr__backing *backing) {
  if (mirror->backing != NULL) {
    vptr_status status = leave_backing(mirror);
    if (status != VPTR_SUCCESS)
      return status;
    mirror->counts.moves++;
  }
  mirror->backing = backing;
  vptr__mirror_moved();
  mirror->uses.device = backing->mapper->device;
  return VPTR_SUCCESS;
}

/* Without the lock, since others may have to give room; so somebody else may have made one meanwhile. */
static vptr_status make_backing(vptr__mirror *mirror, vptr_mapper *mapper) {
  vptr__backing *made;
  vptr__lock_give(&mirror->lock);
  vptr_status status = vptr__backing_open(mapper, mirror->view.size, true, &made);
  vptr__mirror_hold(mirror);
  if (status != VPTR_SUCCESS)
    return status;
  if (backing_at(mirror, mapper) == NULL)
    add_backing(mirror, made);
  else
    vptr__backing_close(made);
  return VPTR_SUCCESS;
}

/* Whoever waits or makes a backing buffer looks anew: it may have been evicted, or be on another device again. */
vptr_status vptr__mirror_come_to(vptr__mirror *mirror, vptr_mapper *mapper) {
  while (mirror->backing == NULL || mirror->backing->mapper != mapper) {
    vptr__backing *backing = backing_at(mirror, mapper);
    vptr_status status = VPTR_SUCCESS;
    if (backing == NULL)
      status = make_backing(mirror, mapper);
    else if (mirror->acquired > 0)
      vptr__mirror_await_settled(mirror);
    else
      status = move_in(mirror, backing);
    if (status != VPTR_SUCCESS)
      return status;
  }
  return VPTR_SUCCESS;
}

/* ---- being made to leave -------------------------------------------------------------------------------- */

static vptr__backing *shown_backing_used_at(const vptr__mirror *mirror, uint64_t used) {
  vptr__backing *backing = mirror->backings;
  while (backing != NULL && (backing->residency.used != used || backing->residency.host == NULL))
    backing = backing->next;
  return backing;
}

/* What cannot be brought stays where it is; it is lost to nobody but who asked for the room. A host function cannot
 * wait for the work behind it. */
static bool try_to_leave(vptr__mirror *mirror) {
  if (mirror->acquired > 0 || vptr__waiting_is_barred())
    return false;
  vptr__error_try();
  bool did = leave_backing(mirror) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  return did;
}

bool vptr__mirror_evict(vptr__mirror *mirror, uint64_t used) {
  vptr__mirror_hold(mirror);
  vptr__backing *backing = shown_backing_used_at(mirror, used);
  bool goes = backing != NULL && (backing != mirror->backing || try_to_leave(mirror));
  if (goes) {
    give_up(mirror, backing);
    mirror->counts.evictions++;
  }
  vptr__lock_give(&mirror->lock);
  return goes;
}

/* ---- mappers that go away ------------------------------------------------------------------------------- */

/* What cannot be brought is lost with the device: the host goes on with what it had. */
static vptr_status leave_for_good(vptr__mirror *mirror) {
  vptr_status status = leave_backing(mirror);
  if (status == VPTR_SUCCESS)
    return status;
  vptr__pages_set(&mirror->pages, vptr__pages_all(&mirror->pages), VPTR__PAGE_HOST);
  mirror->backing = NULL;
  vptr__mirror_moved();
  return status;
}

static vptr_status leave_mapper(vptr__mirror *mirror, const vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  vptr__mirror_hold(mirror);
  vptr__backing *backing = backing_at(mirror, mapper);
  if (backing != NULL && backing == mirror->backing)
    status = leave_for_good(mirror);
  if (backing != NULL)
    give_up(mirror, backing);
  vptr__lock_give(&mirror->lock);
  return status;
}

vptr_status vptr__mirrors_depart(const vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  const void *from = NULL;
  for (vptr__mirror *mirror; (mirror = vptr__address_index_enter_next(from)) != NULL;) {
    from = (const char *)vptr__mirror_host(mirror) + 1;
    vptr_status one = vptr__mirror_mapper(mirror) == mapper ? VPTR_SUCCESS : leave_mapper(mirror, mapper);
    vptr__address_index_leave(mirror);
    if (status == VPTR_SUCCESS)
      status = one;
  }
  return status;
}

/* ---- whereabouts ---------------------------------------------------------------------------------------- */

static bool find_whereabouts(vptr__mirror *mirror, const vptr_mapper *mapper, vptr__host_range *found_out) {
  vptr__lock_take(&mirror->lock);
  const vptr__backing *backing = mirror->backing;
  bool counts = backing != NULL && backing->mapper == mapper && backing->address != 0;
  if (counts)
    *found_out = (vptr__host_range){ .host = (uintptr_t)mirror->view.user,
                                     .size = mirror->view.size,
                                     .address = vptr__backing_address(backing) };
  vptr__lock_give(&mirror->lock);
  return counts;
}

size_t vptr__mirrors_look(const vptr_mapper *mapper, vptr__host_range *list, size_t room) {
  const void *from = NULL;
  size_t count = 0;
  for (vptr__mirror *mirror; (mirror = vptr__address_index_enter_next(from)) != NULL;
       vptr__address_index_leave(mirror)) {
    vptr__host_range found;
    from = (const char *)vptr__mirror_host(mirror) + 1;
    if (!find_whereabouts(mirror, mapper, &found))
      continue;
    if (count < room)
      list[count] = found;
    count++;
  }
  return count;
}

static _Atomic(uint64_t) serial;

uint64_t vptr__mirrors_serial(void) {
  return atomic_load(&serial);
}

void vptr__mirror_moved(void) {
  atomic_fetch_add(&serial, 1);
}
