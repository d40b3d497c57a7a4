/* SPDX-License-Identifier: MIT */
/*
 * visit - managed memory for the one host function that runs; and taking a mirror's lock and waiting with it (visit.h).
 *
 * The static list `visited` has the mirrors that the function has touched, linked by vptr__mirror.visit.next (state.h);
 * the static `lock`, of rank LEAF, guards it. The file also writes the rest of vptr__mirror.visit, is_parked and
 * sole_stream, which vptr__mirror.lock, of rank MIRROR, guards. In visit.pages a page is DEVICE if the visit has not
 * opened it, BOTH if it is open to be read, HOST if it is open to be written. `visitor`, `visitors_stream` and
 * `expected` are atomic.
 *
 * Called by stream/host.c before and after each host function, and when one is queued; by bring.c, with the mirror
 * held, for the function's faults (vptr__mirror_visit()); by acquire.c, bring.c, mirror.c and move.c, which take a
 * mirror's lock by vptr__mirror_hold() and wait by vptr__mirror_await_uses() for the work that uses it, or by
 * vptr__mirror_await_settled() until a condition of the mirror may hold; by acquire.c, which asks whether functions are
 * expected; and by mailbox.c, in the signal handler, and userfault.c, for vptr__visit_is_by(), which takes no lock.
 * vptr__mirror_visit(), and how a mirror is held, are declared in state.h. vptr__mirror_hold() blocks while a thread
 * that holds the mirror is parked, vptr__mirror_await_uses() until that work and the visit are over.
 */
#include "mirror/visit.h"

#include "base/error.h"
#include "base/log.h"
#include "mirror/address_index.h"
#include "mirror/state.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST_PIECE = 16, LARGEST_PIECE = 512 /* pages that one fault opens */ };
enum { WORD = 4 /* bytes */, ATTEMPTS = 3 };

static _Atomic(int) expected;
static _Atomic(pid_t) visitor; /* 0: no function runs */
static _Atomic(uint64_t) visitors_stream;
static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static vptr__mirror *visited;

void vptr__visit_expect(int more) {
  atomic_fetch_add(&expected, more);
}

bool vptr__visits_are_expected(void) {
  return atomic_load(&expected) > 0;
}

bool vptr__visit_is_by(pid_t thread) {
  return atomic_load(&visitor) == thread;
}

/* ---- who holds a mirror --------------------------------------------------------------------------------- */

void vptr__mirror_await_settled(vptr__mirror *mirror) {
  do
    pthread_cond_wait(&mirror->settled, &mirror->lock.mutex);
  while (mirror->is_parked);
}

void vptr__mirror_hold(vptr__mirror *mirror) {
  vptr__lock_take(&mirror->lock);
  if (mirror->is_parked)
    vptr__mirror_await_settled(mirror);
}

/* Only who holds the mirror changes its uses, so they are waited for without the lock. */
void vptr__mirror_await_uses(vptr__mirror *mirror) {
  if (mirror->uses.count == 0 && !mirror->visit.is_open)
    return;
  mirror->sole_stream = vptr__uses_sole_stream(&mirror->uses);
  mirror->is_parked = true;
  vptr__lock_begin_duty();
  vptr__lock_give(&mirror->lock);
  vptr__uses_wait(&mirror->uses);
  vptr__lock_take(&mirror->lock);
  vptr__lock_end_duty();
  while (mirror->visit.is_open)
    pthread_cond_wait(&mirror->settled, &mirror->lock.mutex);
  mirror->is_parked = false;
  pthread_cond_broadcast(&mirror->settled);
}

/* ---- opening -------------------------------------------------------------------------------------------- */

/* Whether all work that uses the mirror is the function's own stream's. Work that has acquired it, and is not sent
 * yet, is not known here: was_alone() looks for that. */
static bool is_alone(vptr__mirror *mirror) {
  if (mirror->is_parked)
    return mirror->sole_stream == mirror->visit.stream;
  return vptr__uses_are_over(&mirror->uses) || vptr__uses_sole_stream(&mirror->uses) == mirror->visit.stream;
}

static vptr_status open_visit(vptr__mirror *mirror) {
  vptr__visit made = { .is_open = true, .is_alone = true, .stream = atomic_load(&visitors_stream) };
  vptr_status status = vptr__pages_init(&made.pages, mirror->pages.count);
  if (status != VPTR_SUCCESS)
    return status;
  made.before =
      mmap(NULL, mirror->view.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made.before == MAP_FAILED) {
    vptr__pages_fini(&made.pages);
    return vptr__error_host_memory(mirror->view.size);
  }
  vptr__pages_set(&made.pages, vptr__pages_all(&made.pages), VPTR__PAGE_DEVICE);
  vptr__address_index_enter_again(mirror);
  vptr__lock_take(&lock);
  made.next = visited;
  mirror->visit = made;
  visited = mirror;
  vptr__lock_give(&lock);
  return VPTR_SUCCESS;
}

/* Pages from `page` on that are in the same state as it is, in the mirror and in the visit. An access that goes on
 * where the last piece ended gets twice as many. */
static vptr__run piece_at(const vptr__mirror *mirror, size_t page) {
  const vptr__visit *visit = &mirror->visit;
  const vptr__page state = vptr__pages_at(&mirror->pages, page), mode = vptr__pages_at(&visit->pages, page);
  size_t most = page == visit->last.end ? 2 * (visit->last.end - visit->last.first) : FIRST_PIECE;
  most = most < FIRST_PIECE ? FIRST_PIECE : most > LARGEST_PIECE ? LARGEST_PIECE : most;
  vptr__run run = { page, page + 1 };
  while (run.end - run.first < most && run.end < mirror->pages.count &&
         vptr__pages_at(&mirror->pages, run.end) == state && vptr__pages_at(&visit->pages, run.end) == mode)
    run.end++;
  return run;
}

static vptr_status fetch_run(vptr__mirror *mirror, vptr__run run) {
  size_t at = vptr__mirror_at(mirror, run.first), size = vptr__mirror_bytes(mirror, run);
  vptr__copy_batch batch = vptr__copy_batch_begin(mirror->backing->copy_queue, mirror->backing->buffer);
  vptr__copy_batch_fetch(&batch, at, mirror->view.alias + at, size);
  mirror->counts.fetches++;
  mirror->counts.fetched += size;
  return vptr__copy_batch_end(&batch);
}

static void keep_before(vptr__mirror *mirror, vptr__run run) {
  size_t at = vptr__mirror_at(mirror, run.first);
  memcpy(mirror->visit.before + at, mirror->view.alias + at, vptr__mirror_bytes(mirror, run));
}

/* vptr__mirror_grant() does nothing where the view's record says that pages are open. That may be wrong of the page
 * that faulted: another thread may be closing it, or the system has taken it out of the page table. So that one page
 * is opened whatever the record says. */
static vptr_status open_piece(vptr__mirror *mirror, vptr__run run, bool writes) {
  const int protection = writes ? PROT_READ | PROT_WRITE : PROT_READ;
  vptr_status status = vptr__mirror_grant(mirror, run, protection);
  if (status == VPTR_SUCCESS)
    status = vptr__view_mend(&mirror->view, run.first, (vptr__run){ run.first, run.first + 1 }, protection);
  if (status != VPTR_SUCCESS)
    return vptr__error(status,
                       "managed memory at %p could not be opened to a host function (%s); raise vm.max_map_count, or "
                       "free memory",
                       (void *)mirror->view.user, strerror(errno));
  return status;
}

/* Opens pages whose bytes the device has. Pages that both have become the device's when they are opened to be
 * written: what the function writes is newer than the device's bytes, and is sent when the visit ends, as from other
 * such pages. */
static vptr_status take_piece(vptr__mirror *mirror, vptr__run run, bool writes) {
  const vptr__page state = vptr__pages_at(&mirror->pages, run.first);
  vptr_status status = VPTR_SUCCESS;
  mirror->visit.is_alone = mirror->visit.is_alone && is_alone(mirror);
  if (state == VPTR__PAGE_DEVICE && vptr__pages_at(&mirror->visit.pages, run.first) == VPTR__PAGE_DEVICE)
    status = fetch_run(mirror, run);
  if (status != VPTR_SUCCESS)
    return status;
  if (writes)
    keep_before(mirror, run);
  status = open_piece(mirror, run, writes);
  if (status != VPTR_SUCCESS)
    return status;
  if (writes && state == VPTR__PAGE_BOTH)
    vptr__pages_set(&mirror->pages, run, VPTR__PAGE_DEVICE);
  vptr__pages_set(&mirror->visit.pages, run, writes ? VPTR__PAGE_HOST : VPTR__PAGE_BOTH);
  mirror->visit.last = run;
  return VPTR_SUCCESS;
}

/* ---- faults --------------------------------------------------------------------------------------------- */

static vptr__page mode_of(const vptr__mirror *mirror, size_t page) {
  return mirror->visit.is_open ? vptr__pages_at(&mirror->visit.pages, page) : VPTR__PAGE_DEVICE;
}

static bool is_write(const vptr__mirror *mirror, size_t page, vptr__touch touch) {
  bool may_be_read =
      mode_of(mirror, page) != VPTR__PAGE_DEVICE || vptr__pages_at(&mirror->pages, page) != VPTR__PAGE_DEVICE;
  return touch == VPTR__TOUCH_WRITE || (touch == VPTR__TOUCH_UNKNOWN && may_be_read);
}

/* A page that the host has already, and nobody is about to take. */
static bool is_the_hosts(const vptr__mirror *mirror, size_t page, bool writes) {
  const vptr__page state = vptr__pages_at(&mirror->pages, page);
  return !mirror->is_parked && mode_of(mirror, page) == VPTR__PAGE_DEVICE &&
         (state == VPTR__PAGE_HOST || (state == VPTR__PAGE_BOTH && !writes));
}

vptr_status vptr__mirror_visit(vptr__mirror *mirror, size_t page, vptr__touch touch) {
  bool writes = is_write(mirror, page, touch);
  if (is_the_hosts(mirror, page, writes))
    return open_piece(mirror, (vptr__run){ page, page + 1 }, vptr__pages_at(&mirror->pages, page) == VPTR__PAGE_HOST);
  vptr_status status = mirror->visit.is_open ? VPTR_SUCCESS : open_visit(mirror);
  if (status != VPTR_SUCCESS)
    return status;
  const vptr__page mode = mode_of(mirror, page);
  if (mode == VPTR__PAGE_HOST || (mode == VPTR__PAGE_BOTH && !writes))
    return open_piece(mirror, (vptr__run){ page, page + 1 }, mode == VPTR__PAGE_HOST);
  return take_piece(mirror, piece_at(mirror, page), writes);
}

/* ---- what goes back ------------------------------------------------------------------------------------- */

static bool is_same(const vptr__mirror *mirror, size_t at) {
  return memcmp(mirror->visit.before + at, mirror->view.alias + at, WORD) == 0;
}

/* The bytes of [begin, end) to send next: with is_whole, from the first word that the function changed to the last;
 * else the first words that it changed in a row. False if it changed none. */
static bool find_written(const vptr__mirror *mirror, size_t begin, size_t end, bool is_whole, size_t *from_out,
                         size_t *to_out) {
  while (begin < end && is_same(mirror, begin))
    begin += WORD;
  while (is_whole && begin < end && is_same(mirror, end - WORD))
    end -= WORD;
  *from_out = *to_out = begin;
  while (!is_whole && *to_out < end && !is_same(mirror, *to_out))
    *to_out += WORD;
  if (is_whole)
    *to_out = end;
  return begin < end;
}

static void send_written(vptr__mirror *mirror, vptr__copy_batch *batch, vptr__run run, bool is_whole) {
  size_t from, to, at = vptr__mirror_at(mirror, run.first), end = at + vptr__mirror_bytes(mirror, run);
  for (; find_written(mirror, at, end, is_whole, &from, &to); at = to) {
    vptr__copy_batch_send(batch, from, mirror->view.alias + from, to - from);
    mirror->counts.sends++;
    mirror->counts.sent += to - from;
  }
}

/* Work that is between acquire() and release() may be anybody's. */
static bool was_alone(vptr__mirror *mirror) {
  return mirror->visit.is_alone && mirror->acquired == 0 && is_alone(mirror);
}

/* Of pages that the mirror counts as the device's. Those that were the host's before are sent by the next work that
 * acquires them. */
static vptr_status try_to_send(vptr__mirror *mirror) {
  const bool is_whole = was_alone(mirror);
  vptr__run run, part, rest = vptr__pages_all(&mirror->pages);
  vptr__copy_batch batch = vptr__copy_batch_begin(mirror->backing->copy_queue, mirror->backing->buffer);
  for (; vptr__pages_find(&mirror->visit.pages, rest, VPTR__PAGE_HOST, &run); rest.first = run.end)
    for (; vptr__pages_find(&mirror->pages, run, VPTR__PAGE_DEVICE, &part); run.first = part.end)
      send_written(mirror, &batch, part, is_whole);
  return vptr__copy_batch_end(&batch);
}

/* In the end: what cannot be sent is the host's, and so not lost. */
static vptr_status send_visited(vptr__mirror *mirror) {
  vptr_status status = try_to_send(mirror);
  for (int attempt = 1; status != VPTR_SUCCESS && attempt < ATTEMPTS; attempt++)
    status = try_to_send(mirror);
  vptr__run run, rest = vptr__pages_all(&mirror->pages);
  if (status == VPTR_SUCCESS)
    return status;
  vptr__log_always("managed memory at %p: what a host function wrote does not come to the device: %s",
                   (void *)mirror->view.user, vptr_last_error());
  for (; vptr__pages_find(&mirror->visit.pages, rest, VPTR__PAGE_HOST, &run); rest.first = run.end)
    vptr__pages_set(&mirror->pages, run, VPTR__PAGE_HOST);
  return status;
}

/* Closes what the visit opened. To close a part takes one mapping more of the process's, to close all of the view takes
 * none: so that is done where the process has no mappings left. */
static vptr_status close_view(vptr__mirror *mirror) {
  vptr_status status = VPTR_SUCCESS;
  vptr__run run, rest = vptr__pages_all(&mirror->pages);
  for (; status == VPTR_SUCCESS && vptr__pages_find_other(&mirror->visit.pages, rest, VPTR__PAGE_DEVICE, &run);
       rest.first = run.end)
    status = vptr__mirror_revoke(mirror, run, PROT_NONE);
  return status == VPTR_SUCCESS ? status : vptr__mirror_revoke(mirror, vptr__pages_all(&mirror->pages), PROT_NONE);
}

/* The pages are the host's. */
static void hand_over(vptr__mirror *mirror) {
  vptr__run run, rest = vptr__pages_all(&mirror->pages);
  for (; vptr__pages_find(&mirror->visit.pages, rest, VPTR__PAGE_HOST, &run); rest.first = run.end)
    vptr__pages_set(&mirror->pages, run, VPTR__PAGE_HOST);
  rest = vptr__pages_all(&mirror->pages);
  for (vptr__run part; vptr__pages_find(&mirror->visit.pages, rest, VPTR__PAGE_BOTH, &run); rest.first = run.end)
    for (; vptr__pages_find(&mirror->pages, run, VPTR__PAGE_DEVICE, &part); run.first = part.end)
      vptr__pages_set(&mirror->pages, part, VPTR__PAGE_BOTH);
}

/* If no work in flight has use for the pages, the host keeps them; also if the system cannot close them. */
static vptr_status give_back(vptr__mirror *mirror) {
  vptr_status status = VPTR_SUCCESS;
  if (was_alone(mirror) && !mirror->is_parked && vptr__uses_are_over(&mirror->uses)) {
    hand_over(mirror);
    return status;
  }
  vptr_status closed = close_view(mirror);
  status = send_visited(mirror);
  if (closed != VPTR_SUCCESS)
    hand_over(mirror);
  return closed != VPTR_SUCCESS ? closed : status;
}

static vptr_status close_visit(vptr__mirror *mirror) {
  vptr__lock_take(&mirror->lock);
  vptr_status status = give_back(mirror);
  munmap(mirror->visit.before, mirror->view.size);
  vptr__pages_fini(&mirror->visit.pages);
  mirror->visit = (vptr__visit){ 0 };
  pthread_cond_broadcast(&mirror->settled);
  vptr__lock_give(&mirror->lock);
  vptr__address_index_leave(mirror);
  return status;
}

/* ---- functions ------------------------------------------------------------------------------------------ */

void vptr__visit_begin(uint64_t stream) {
  atomic_store(&visitors_stream, stream);
  atomic_store(&visitor, (pid_t)syscall(SYS_gettid));
}

static vptr__mirror *next_visited(void) {
  vptr__lock_take(&lock);
  vptr__mirror *mirror = visited;
  if (mirror != NULL)
    visited = mirror->visit.next;
  vptr__lock_give(&lock);
  return mirror;
}

vptr_status vptr__visit_end(void) {
  vptr_status status = VPTR_SUCCESS;
  for (vptr__mirror *mirror; (mirror = next_visited()) != NULL;) {
    vptr_status one = close_visit(mirror);
    if (status == VPTR_SUCCESS)
      status = one;
  }
  atomic_store(&visitor, 0);
  return status;
}
