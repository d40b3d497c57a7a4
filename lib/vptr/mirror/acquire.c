/* SPDX-License-Identifier: MIT */
/*
 * acquire - how a mirror's bytes come to a device, before work that uses a range of them (mirror.h).
 *
 * In this order: make the mapper's device the one of the backing buffer (move.c); close the view as far as the work's
 * access excludes the host; wait for earlier work that uses what will be replaced; send what the host has written.
 * Pages outside of the range keep their states.
 *
 * The file has no data of its own: it changes a vptr__mirror (state.h) and its view, and the atomic `used` and
 * `acquired` of its backing buffer (resident_set.h), under vptr__mirror.lock, of rank MIRROR. Both functions take that
 * lock, and callers hold no mirror's. It is given back while a backing buffer is made or another device's work has the
 * mirror acquired (move.c), and while work is waited for (visit.c: vptr__mirror_await_uses()), and held while bytes are
 * sent. vptr__mirror_acquire() blocks until the bytes are there, and fails without device or host memory. Both
 * functions are declared in mirror.h.
 *
 * Called by working_set.c, for all mirrors that a launch, a copy or a fill uses; by cudart/managed/managed.c, which
 * prefetches to a device: it acquires, and releases at once; and by transfer/endpoint.c, which only releases.
 */
#include "mirror/mirror.h"

#include "base/error.h"
#include "mirror/state.h"
#include "mirror/visit.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { LEAST_PINNED = 1 << 20 /* bytes: below, a transfer's beginning is most of its time */ };
enum { GAP = 1024 /* pages: to walk so many closed ones takes as long as one call more */ };

/* ---- what the host may do ------------------------------------------------------------------------------- */

static bool is_dirty(const vptr__mirror *mirror, vptr__run run) {
  vptr__run dirty;
  return mirror->pages.in[VPTR__PAGE_HOST] > 0 && vptr__pages_find(&mirror->pages, run, VPTR__PAGE_HOST, &dirty);
}

/* Closes all of the view by one call, where the process has no mappings left: that joins what was protected in pieces.
 * To close more than need be does no harm: faults open it again. */
static vptr_status close_all(vptr__mirror *mirror) {
  vptr_status status = vptr__mirror_revoke(mirror, vptr__pages_all(&mirror->pages), PROT_NONE);
  if (status != VPTR_SUCCESS)
    return vptr__error(status, "the host's access to managed memory at %p could not be taken back: %s",
                       (void *)mirror->view.user, strerror(errno));
  return status;
}

/* The first piece that the host has something of, to the last page of it, over gaps that are not worth a call. */
static bool next_open(const vptr__mirror *mirror, vptr__run rest, vptr__run *piece_out) {
  vptr__run more;
  if (!vptr__pages_find_other(&mirror->pages, rest, VPTR__PAGE_DEVICE, piece_out))
    return false;
  for (rest.first = piece_out->end;
       vptr__pages_find_other(&mirror->pages, rest, VPTR__PAGE_DEVICE, &more) && more.first - piece_out->end <= GAP;
       rest.first = more.end)
    piece_out->end = more.end;
  return true;
}

/* Only what is open: to walk all of the page table of large memory takes longer than a kernel's launch. */
static vptr_status close_to_all(vptr__mirror *mirror, vptr__run rest) {
  vptr__run piece;
  for (; next_open(mirror, rest, &piece); rest.first = piece.end)
    if (vptr__mirror_revoke(mirror, piece, PROT_NONE) != VPTR_SUCCESS)
      return close_all(mirror);
  return VPTR_SUCCESS;
}

/* The host may read what it wrote, and no more. */
static vptr_status close_to_writes(vptr__mirror *mirror, vptr__run rest) {
  vptr__run run;
  for (; vptr__pages_find(&mirror->pages, rest, VPTR__PAGE_HOST, &run); rest.first = run.end)
    if (vptr__mirror_revoke(mirror, run, PROT_READ) != VPTR_SUCCESS)
      return close_all(mirror);
  return VPTR_SUCCESS;
}

/* The view as the states say, after a step that failed. */
static void reopen_pages(vptr__mirror *mirror, vptr__page state, int protection) {
  vptr__run run, rest = vptr__pages_all(&mirror->pages);
  for (; vptr__pages_find(&mirror->pages, rest, state, &run); rest.first = run.end)
    vptr__mirror_grant(mirror, run, protection);
}

static vptr_status undo_lending(vptr__mirror *mirror, vptr_status status) {
  reopen_pages(mirror, VPTR__PAGE_BOTH, PROT_READ);
  reopen_pages(mirror, VPTR__PAGE_HOST, PROT_READ | PROT_WRITE);
  return status;
}

/* ---- sending -------------------------------------------------------------------------------------------- */

/* Whether the bytes that have travelled, and those that are about to, pay for pinning. Nobody may write while a
 * driver pins, so no page outside of the run may be open to that. */
static bool pays_to_pin(const vptr__mirror *mirror, vptr__run run) {
  size_t dirty = mirror->pages.in[VPTR__PAGE_HOST];
  uint64_t travelled = mirror->counts.fetched + mirror->counts.sent + (uint64_t)dirty * mirror->page_bytes;
  return !mirror->backing->pin_was_tried && mirror->view.size >= LEAST_PINNED && travelled >= mirror->view.size &&
         vptr__pages_tally(&mirror->pages, run, VPTR__PAGE_HOST) == dirty;
}

static void send_run(vptr__mirror *mirror, vptr__copy_batch *batch, vptr__run within) {
  vptr__run run;
  for (; vptr__pages_find(&mirror->pages, within, VPTR__PAGE_HOST, &run); within.first = run.end) {
    size_t at = vptr__mirror_at(mirror, run.first), size = vptr__mirror_bytes(mirror, run);
    vptr__copy_batch_send(batch, at, mirror->view.alias + at, size);
    mirror->counts.sends++;
    mirror->counts.sent += size;
  }
}

/* The dirty pages of a run, but for those that nobody will read. Earlier work may be reading what these bytes
 * replace, so it has to end first. */
static vptr_status send_dirty(vptr__mirror *mirror, vptr__run run, vptr__run unwanted) {
  vptr__run left = { run.first, unwanted.first }, right = { unwanted.end, run.end };
  if (!is_dirty(mirror, left) && !is_dirty(mirror, right))
    return VPTR_SUCCESS;
  vptr__mirror_await_uses(mirror);
  if (pays_to_pin(mirror, run))
    vptr__backing_pin(mirror->backing, mirror->view.alias, mirror->view.size);
  vptr__copy_batch batch = vptr__copy_batch_begin(mirror->backing->copy_queue, mirror->backing->buffer);
  send_run(mirror, &batch, left);
  send_run(mirror, &batch, right);
  return vptr__copy_batch_end(&batch);
}

/* A host function that was queued before the work that discards these bytes may read them still. Nothing is waited for:
 * work in flight that uses them began before the host wrote them, which the program must not do. */
static vptr_status send_for_visits(vptr__mirror *mirror, vptr__run unwanted) {
  if (!vptr__visits_are_expected() || !is_dirty(mirror, unwanted))
    return VPTR_SUCCESS;
  vptr__copy_batch batch = vptr__copy_batch_begin(mirror->backing->copy_queue, mirror->backing->buffer);
  send_run(mirror, &batch, unwanted);
  return vptr__copy_batch_end(&batch);
}

/* ---- acquiring -------------------------------------------------------------------------------------------- */

static void mark_sent(vptr__mirror *mirror, vptr__run rest) {
  vptr__run run;
  for (; vptr__pages_find(&mirror->pages, rest, VPTR__PAGE_HOST, &run); rest.first = run.end)
    vptr__pages_set(&mirror->pages, run, VPTR__PAGE_BOTH);
}

static vptr_status acquire_to_read(vptr__mirror *mirror, vptr__run run) {
  if (!is_dirty(mirror, run))
    return VPTR_SUCCESS;
  vptr_status status = close_to_writes(mirror, run);
  if (status == VPTR_SUCCESS)
    status = send_dirty(mirror, run, (vptr__run){ run.end, run.end });
  if (status != VPTR_SUCCESS)
    return undo_lending(mirror, status);
  mark_sent(mirror, run);
  return VPTR_SUCCESS;
}

static vptr_status acquire_to_write(vptr__mirror *mirror, vptr__run run, vptr__run unwanted) {
  vptr__run other;
  if (mirror->pages.in[VPTR__PAGE_DEVICE] == mirror->pages.count ||
      !vptr__pages_find_other(&mirror->pages, run, VPTR__PAGE_DEVICE, &other))
    return VPTR_SUCCESS;
  vptr_status status = close_to_all(mirror, run);
  if (status == VPTR_SUCCESS)
    status = send_for_visits(mirror, unwanted);
  if (status == VPTR_SUCCESS)
    status = send_dirty(mirror, run, unwanted);
  if (status != VPTR_SUCCESS)
    return undo_lending(mirror, status);
  vptr__pages_set(&mirror->pages, run, VPTR__PAGE_DEVICE);
  return VPTR_SUCCESS;
}

static vptr_status acquire_pages(vptr__mirror *mirror, size_t offset, size_t size, vptr_access access) {
  vptr__run run = vptr__mirror_touched(mirror, offset, size);
  if (!vptr__access_writes(access))
    return acquire_to_read(mirror, run);
  return acquire_to_write(mirror, run, vptr__mirror_unwanted(mirror, offset, size, vptr__access_discards(access)));
}

/* Room for the uses of all that are between acquire() and release(), so that the latter cannot fail. While there are
 * such, nothing that they use becomes dirty (bring.c), so nobody waits here for a use that is not noted yet. */
static vptr_status acquire_mirror(vptr__mirror *mirror, vptr_mapper *mapper, size_t offset, size_t size,
                                  vptr_access access) {
  vptr_status status = vptr__mirror_come_to(mirror, mapper);
  if (status == VPTR_SUCCESS)
    status = vptr__uses_reserve(&mirror->uses, mirror->acquired + 1);
  if (status == VPTR_SUCCESS)
    status = acquire_pages(mirror, offset, size, access);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__pattern_break(&mirror->pattern);
  mirror->acquired++;
  mirror->acquisitions++;
  vptr__resident_set_acquire(&mirror->backing->residency);
  return VPTR_SUCCESS;
}

vptr_status vptr__mirror_acquire(vptr__mirror *mirror, vptr_mapper *mapper, size_t offset, size_t size,
                                 vptr_access access, vptr__acquired *acquired_out) {
  vptr_status status = vptr__mirror_check_range(mirror, offset, size);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__mirror_hold(mirror);
  status = acquire_mirror(mirror, mapper, offset, size, access);
  if (status == VPTR_SUCCESS && acquired_out != NULL)
    *acquired_out = (vptr__acquired){ mirror->backing->buffer, vptr__backing_address(mirror->backing) };
  vptr__lock_give(&mirror->lock);
  return status;
}

void vptr__mirror_release(vptr__mirror *mirror, uint64_t stream, cl_event event) {
  vptr__mirror_hold(mirror);
  mirror->visit.is_alone = mirror->visit.is_alone && stream == mirror->visit.stream;
  if (event != NULL)
    vptr__uses_note(&mirror->uses, stream, event);
  if (--mirror->acquired == 0)
    pthread_cond_broadcast(&mirror->settled);
  vptr__resident_set_release(&mirror->backing->residency);
  vptr__lock_give(&mirror->lock);
}
