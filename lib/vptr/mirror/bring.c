/* SPDX-License-Identifier: MIT */
/*
 * bring - how a mirror's bytes come to the host: for a fault, for callers that ask for them, and ahead of a reader.
 *
 * In this order: wait until nobody is about to use the mirror, and until the work that does is over; copy the bytes
 * from the device into the pages, by the library's own mapping of them, which is always open; open the program's
 * mapping. The mirror is held all the time, but for the waits, so that the pages' states are right when the bytes
 * move.
 *
 * The file has no data: it changes a vptr__mirror (state.h) under vptr__mirror.lock, of rank MIRROR, which is given
 * back while work is waited for (visit.c), and held while bytes move. A fetch, and a fault of the program's threads,
 * block until nobody is between acquire() and release(), the work is over, and the bytes are there. A fault of a host
 * function waits for no work, but for the bytes (visit.c). vptr__mirror_fetch_idle() and vptr__mirror_read_ahead()
 * never wait for work in flight themselves, but for the mirror's lock, whose holder may wait for it, and for the bytes.
 * vptr__mirror_bring_all() is called with that lock held.
 *
 * Called by service.c, for faults and to read ahead; by transfer/fill.c, which fetches a pattern; by
 * cudart/managed/prefetch_task.c, which prefetches to the host in a stream's turn; and by move.c, which brings all
 * before a mirror leaves a device. Declared in mirror.h; vptr__mirror_bring_all() in state.h.
 */
#include "mirror/mirror.h"

#include "base/error.h"
#include "mirror/state.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { AROUND = 16 /* pages, as the system maps of a file around one that is touched */ };

/* ---- bytes ---------------------------------------------------------------------------------------------- */

static void fetch_run(vptr__mirror *mirror, vptr__copy_batch *batch, vptr__run within) {
  vptr__run run;
  for (; vptr__pages_find(&mirror->pages, within, VPTR__PAGE_DEVICE, &run); within.first = run.end) {
    size_t at = vptr__mirror_at(mirror, run.first), size = vptr__mirror_bytes(mirror, run);
    vptr__copy_batch_fetch(batch, at, mirror->view.alias + at, size);
    mirror->counts.fetches++;
    mirror->counts.fetched += size;
  }
}

/* What only the device has of a run, but for the pages that nobody will read. */
static vptr_status fetch_bytes(vptr__mirror *mirror, vptr__run run, vptr__run unwanted) {
  vptr__run left = { run.first, unwanted.first }, right = { unwanted.end, run.end };
  if (vptr__pages_tally(&mirror->pages, run, VPTR__PAGE_DEVICE) == 0)
    return VPTR_SUCCESS;
  vptr__mirror_await_uses(mirror);
  vptr__copy_batch batch = vptr__copy_batch_begin(mirror->backing->copy_queue, mirror->backing->buffer);
  fetch_run(mirror, &batch, left);
  fetch_run(mirror, &batch, right);
  return vptr__copy_batch_end(&batch);
}

/* ---- opening -------------------------------------------------------------------------------------------- */

static vptr_status open_to_write(vptr__mirror *mirror, vptr__run run) {
  vptr_status status = vptr__mirror_grant(mirror, run, PROT_READ | PROT_WRITE);
  if (status == VPTR_SUCCESS)
    vptr__pages_set(&mirror->pages, run, VPTR__PAGE_HOST);
  return status;
}

/* Pages that the host may write stay so; what lies between them is opened with one call each, open or not. */
static vptr_status open_to_read(vptr__mirror *mirror, vptr__run run) {
  vptr__run part;
  for (; vptr__pages_find_other(&mirror->pages, run, VPTR__PAGE_HOST, &part); run.first = part.end) {
    if (vptr__pages_tally(&mirror->pages, part, VPTR__PAGE_DEVICE) == 0)
      continue;
    vptr_status status = vptr__mirror_grant(mirror, part, PROT_READ);
    if (status != VPTR_SUCCESS)
      return status;
    vptr__pages_set(&mirror->pages, part, VPTR__PAGE_BOTH);
  }
  return VPTR_SUCCESS;
}

/* Also the way on when the process has no mappings left, as many small pieces are protected each in its own way: one
 * piece needs the fewest there can be. */
vptr_status vptr__mirror_bring_all(vptr__mirror *mirror) {
  vptr__run all = vptr__pages_all(&mirror->pages), none = { all.end, all.end };
  vptr_status status = fetch_bytes(mirror, all, none);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__mirror_grant(mirror, all, PROT_READ | PROT_WRITE);
  if (status != VPTR_SUCCESS)
    return vptr__error(
        status, "managed memory at %p could not be opened to the host (%s); raise vm.max_map_count, or free memory",
        (void *)mirror->view.user, strerror(errno));
  vptr__pages_set(&mirror->pages, all, VPTR__PAGE_HOST);
  return VPTR_SUCCESS;
}

static vptr_status bring_run(vptr__mirror *mirror, vptr__run run, vptr__run unwanted, bool writes) {
  vptr_status status = fetch_bytes(mirror, run, unwanted);
  if (status != VPTR_SUCCESS)
    return status;
  status = writes ? open_to_write(mirror, run) : open_to_read(mirror, run);
  return status == VPTR_SUCCESS ? status : vptr__mirror_bring_all(mirror);
}

/* ---- waiting for launches ------------------------------------------------------------------------------- */

/* Whether the states allow that access to all of a run. */
static bool is_granted(const vptr__mirror *mirror, vptr__run run, bool writes) {
  vptr__run missing;
  return writes ? !vptr__pages_find_other(&mirror->pages, run, VPTR__PAGE_HOST, &missing)
                : !vptr__pages_find(&mirror->pages, run, VPTR__PAGE_DEVICE, &missing);
}

/* Until nobody is between acquire() and release(), if anything has to be opened. So nothing becomes dirty meanwhile
 * either. */
static void await_launches(vptr__mirror *mirror, vptr__run run, bool writes) {
  while (mirror->acquired > 0 && !is_granted(mirror, run, writes))
    vptr__mirror_await_settled(mirror);
}

/* ---- for those who ask ---------------------------------------------------------------------------------- */

vptr_status vptr__mirror_fetch(vptr__mirror *mirror, size_t offset, size_t size, vptr_access access) {
  vptr_status status = vptr__mirror_check_range(mirror, offset, size);
  if (status != VPTR_SUCCESS || size == 0)
    return status;
  vptr__run run = vptr__mirror_touched(mirror, offset, size);
  vptr__run unwanted = vptr__mirror_unwanted(mirror, offset, size, vptr__access_discards(access));
  bool writes = vptr__access_writes(access);
  vptr__mirror_hold(mirror);
  await_launches(mirror, run, writes);
  status = bring_run(mirror, run, unwanted, writes);
  vptr__lock_give(&mirror->lock);
  return status;
}

uint64_t vptr__mirror_acquisitions(vptr__mirror *mirror) {
  vptr__lock_take(&mirror->lock);
  uint64_t acquisitions = mirror->acquisitions;
  vptr__lock_give(&mirror->lock);
  return acquisitions;
}

vptr_status vptr__mirror_fetch_idle(vptr__mirror *mirror, size_t offset, size_t size, uint64_t acquisitions) {
  vptr_status status = vptr__mirror_check_range(mirror, offset, size);
  if (status != VPTR_SUCCESS || size == 0)
    return status;
  vptr__run run = vptr__mirror_touched(mirror, offset, size);
  vptr__lock_take(&mirror->lock);
  if (mirror->acquisitions == acquisitions)
    status =
        !mirror->is_parked && !mirror->visit.is_open && mirror->acquired == 0 && vptr__uses_are_over(&mirror->uses)
            ? bring_run(mirror, run, (vptr__run){ run.end, run.end }, false)
            : VPTR_ERROR_NOT_READY;
  vptr__lock_give(&mirror->lock);
  return status;
}

/* ---- for faults ----------------------------------------------------------------------------------------- */

/* Pages around one that are in its state, up to a block of 16: what is opened costs next to nothing then, and a fault
 * does. */
static vptr__run alike_pages(const vptr__mirror *mirror, size_t page) {
  const vptr__page state = vptr__pages_at(&mirror->pages, page);
  const size_t begin = page - page % AROUND;
  const size_t end = begin + AROUND < mirror->pages.count ? begin + AROUND : mirror->pages.count;
  vptr__run run = { page, page + 1 };
  while (run.first > begin && vptr__pages_at(&mirror->pages, run.first - 1) == state)
    run.first--;
  while (run.end < end && vptr__pages_at(&mirror->pages, run.end) == state)
    run.end++;
  return run;
}

/* Another thread's fault may have been answered meanwhile; or the page is less open than it should be. */
static vptr_status reopen_page(vptr__mirror *mirror, size_t page) {
  bool is_dirty = vptr__pages_at(&mirror->pages, page) == VPTR__PAGE_HOST;
  vptr_status status =
      vptr__view_mend(&mirror->view, page, alike_pages(mirror, page), is_dirty ? PROT_READ | PROT_WRITE : PROT_READ);
  return status == VPTR_SUCCESS ? status : vptr__mirror_bring_all(mirror);
}

static bool is_write(const vptr__mirror *mirror, vptr__run page, vptr__touch touch) {
  return touch == VPTR__TOUCH_WRITE || (touch == VPTR__TOUCH_UNKNOWN && is_granted(mirror, page, false));
}

static vptr_status answer_fault(vptr__mirror *mirror, vptr__run page, vptr__touch touch) {
  bool writes = is_write(mirror, page, touch);
  await_launches(mirror, page, writes);
  if (is_granted(mirror, page, writes))
    return reopen_page(mirror, page.first);
  vptr__run piece = vptr__pattern_piece(&mirror->pattern, &mirror->pages, page.first, writes);
  return bring_run(mirror, piece, (vptr__run){ piece.end, piece.end }, writes);
}

/* Without a backing buffer there is no work in flight, and the host has all bytes. */
static vptr_status answer_visit(vptr__mirror *mirror, size_t page, vptr__touch touch) {
  if (mirror->backing != NULL)
    return vptr__mirror_visit(mirror, page, touch);
  return answer_fault(mirror, (vptr__run){ page, page + 1 }, touch);
}

vptr_status vptr__mirror_fault(vptr__mirror *mirror, size_t offset, vptr__touch touch, bool is_visit) {
  size_t page = offset / mirror->page_bytes;
  if (is_visit)
    vptr__lock_take(&mirror->lock);
  else
    vptr__mirror_hold(mirror);
  mirror->counts.faults++;
  vptr_status status =
      is_visit ? answer_visit(mirror, page, touch) : answer_fault(mirror, (vptr__run){ page, page + 1 }, touch);
  vptr__lock_give(&mirror->lock);
  return status;
}

/* Nobody waits for these bytes, so what goes wrong is left to the fault that will ask for them. While there is a
 * steady walk no work is in flight: the walk's last fault has waited for it, and each acquisition ends the walk. */
bool vptr__mirror_read_ahead(vptr__mirror *mirror) {
  vptr__run run;
  vptr__mirror_hold(mirror);
  bool is_wanted =
      mirror->acquired == 0 && !mirror->visit.is_open && vptr__pattern_ahead(&mirror->pattern, &mirror->pages, &run);
  if (is_wanted) {
    vptr__error_try();
    is_wanted = bring_run(mirror, run, (vptr__run){ run.end, run.end }, false) == VPTR_SUCCESS;
    vptr__error_tried(VPTR_SUCCESS);
  }
  vptr__lock_give(&mirror->lock);
  return is_wanted;
}
