/* SPDX-License-Identifier: MIT */
/*
 * reservation - see reservation.h: reserves addresses by mmap(), as many as can be had, and gives them back.
 *
 * PROT_NONE makes every access trap. Together with MAP_NORESERVE it also keeps the mapping out of all accounting but
 * RLIMIT_AS, and out of the page tables. MADV_DONTDUMP keeps it out of core files, for those who write them by
 * themselves and would write terabytes of zeros. The one datum is `standing_count`, of reservations, which is atomic;
 * there is no lock. Called by space.c, which reserves and gives back; by foreign.c, which reserves what a device left
 * free; and by mapper/mapper.c, which asks how much there is for each device.
 */
#include "space/reservation.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/log.h"
#include "base/number.h"
#include "base/page.h"

_Static_assert(sizeof(size_t) == 8, "virtual pointers need 64-bit addresses");

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE                                                                                          \
  0x100000 /* Linux 4.17; where it is unknown, the address is but a hint, see vptr__reservation_map() */
#endif

static const size_t SHARE_MOST = (size_t)16 << 40;

/* So many reservations at a time take large shares. */
enum { GENEROUS_COUNT = 8 };

static atomic_size_t standing_count;

enum { PLAIN = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

static unsigned window_shift_for(size_t size) {
  unsigned shift = VPTR__WINDOW_SHIFT_MOST;
  while (shift > VPTR__WINDOW_SHIFT_LEAST && size >> shift < VPTR__WINDOWS_WANTED)
    shift--;
  return shift;
}

static size_t round_size(size_t size) {
  size_t rounded = VPTR__RESERVATION_LEAST;
  while (rounded < size && rounded < VPTR__RESERVATION_MOST)
    rounded *= 2;
  return rounded;
}

bool vptr__reservation_map(uintptr_t base, size_t size) {
  void *got = mmap((void *)base, size, PROT_NONE, PLAIN | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED)
    return false;
  if ((uintptr_t)got == base)
    return true;
  munmap(got, size);
  errno = EEXIST;
  return false;
}

static size_t guard_bytes(void) {
  return vptr__larger(vptr__page_bytes(), VPTR__RESERVATION_GUARD);
}

/* Anywhere, aligned to a window and behind a guard: maps more and gives back what sticks out at both ends. */
static bool map_anywhere(vptr__reservation *reservation) {
  size_t size = reservation->size, window = (size_t)1 << reservation->window_shift, guard = guard_bytes();
  void *got = mmap(NULL, size + window + guard, PROT_NONE, PLAIN, -1, 0);
  if (got == MAP_FAILED)
    return false;
  uintptr_t start = (uintptr_t)got, base = vptr__align_up(start + guard, window);
  size_t before = base - guard - start, behind = window - before;
  if (before > 0)
    munmap(got, before);
  if (behind > 0)
    munmap((void *)(base + size), behind);
  reservation->base = base;
  reservation->guard = guard;
  return true;
}

/* There, with a guard if there is room for one. */
static bool map_there(vptr__reservation *reservation) {
  size_t guard = guard_bytes();
  if (!vptr__reservation_map(reservation->base, reservation->size))
    return false;
  reservation->guard =
      reservation->base > guard && vptr__reservation_map(reservation->base - guard, guard) ? guard : 0;
  return true;
}

static vptr_status refuse_reservation(uintptr_t base_address) {
  int code = errno;
  if (base_address != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "base_address %#zx: not even %zu MiB of addresses are free there (errno %d); choose a free "
                       "range (/proc/self/maps shows what is taken), or 0 for any",
                       (size_t)base_address, VPTR__RESERVATION_LEAST >> 20, code);
  return vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                     "the system refuses to reserve even %zu MiB of addresses (errno %d); raise the limit on them "
                     "(ulimit -v), or find out what takes them (/proc/self/maps)",
                     VPTR__RESERVATION_LEAST >> 20, code);
}

static bool map_once(uintptr_t base_address, size_t size, vptr__reservation *reservation) {
  reservation->size = size;
  reservation->window_shift = window_shift_for(size);
  reservation->base = base_address;
  return base_address != 0 ? map_there(reservation) : map_anywhere(reservation);
}

/* The largest power of two that `ulimit -v` allows us; VPTR__RESERVATION_MOST where there is no limit. */
static vptr_status allowed_size(size_t *allowed_out) {
  struct rlimit limit;
  size_t allowed = VPTR__RESERVATION_MOST;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    while (allowed > limit.rlim_cur / 4)
      allowed /= 2;
  if (allowed < VPTR__RESERVATION_LEAST)
    return vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                       "the process may use %zu KiB of addresses, and vptr takes at most a quarter of that and at "
                       "least %zu KiB; raise the limit to %zu KiB or more (ulimit -v)",
                       (size_t)limit.rlim_cur >> 10, VPTR__RESERVATION_LEAST >> 10, VPTR__RESERVATION_LEAST >> 8);
  *allowed_out = allowed;
  return VPTR_SUCCESS;
}

/* ---- the size where nobody says one --------------------------------------------------------------------- */

/* The largest power of two that can be mapped now. It is tried: what is free in a list of mappings is not what one gets
 * under valgrind or a sanitizer, which keep most addresses for themselves. */
static size_t largest_piece(void) {
  size_t piece = VPTR__RESERVATION_MOST;
  void *got = MAP_FAILED;
  while ((got = mmap(NULL, piece, PROT_NONE, PLAIN, -1, 0)) == MAP_FAILED && piece > VPTR__RESERVATION_LEAST)
    piece /= 2;
  if (got != MAP_FAILED)
    munmap(got, piece);
  return piece;
}

size_t vptr__reservation_share_of(size_t piece, size_t standing) {
  size_t share = standing < GENEROUS_COUNT ? piece / 4 : piece / 1024;
  if (share < VPTR__RESERVATION_LEAST)
    return VPTR__RESERVATION_LEAST;
  return vptr__smaller(share, SHARE_MOST);
}

/* Under a limit on addresses nothing is tried: for a moment another thread would get none. A quarter of the limit is
 * what vptr__reservation_make() allows. */
size_t vptr__reservation_share(void) {
  struct rlimit limit;
  bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return vptr__reservation_share_of(limited ? limit.rlim_cur : largest_piece(), atomic_load(&standing_count));
}

/* ---- making ---------------------------------------------------------------------------------------------- */

/* Checked against the window of the size first asked for. Later ones are smaller and divide it, so what is aligned
 * here stays aligned, and whether an address is accepted does not depend on how full the process is. */
static vptr_status check_base(uintptr_t base_address, size_t size) {
  size_t window = (size_t)1 << window_shift_for(size);
  if (base_address % window == 0)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "base_address %#zx is not a multiple of %#zx, the window of a reservation of %zu MiB; round it "
                     "up to %#zx",
                     (size_t)base_address, window, size >> 20, ((size_t)base_address | (window - 1)) + 1);
}

vptr_status vptr__reservation_make(uintptr_t base_address, size_t size, vptr__reservation *reservation_out) {
  size_t wanted = round_size(size), allowed = 0;
  vptr_status status = check_base(base_address, wanted);
  if (status == VPTR_SUCCESS)
    status = allowed_size(&allowed);
  if (status != VPTR_SUCCESS)
    return status;

  vptr__reservation reservation;
  size_t attempt = vptr__smaller(wanted, allowed);
  while (!map_once(base_address, attempt, &reservation)) {
    if (attempt == VPTR__RESERVATION_LEAST)
      return refuse_reservation(base_address);
    attempt /= 2;
  }
  (void)madvise((void *)reservation.base, reservation.size, MADV_DONTDUMP); /* a wish */
  vptr__log(VPTR__LOG_DECISION, "reserved %zu MiB of addresses at %#zx, in windows of %u MiB (wanted %zu MiB%s)",
            reservation.size >> 20, (size_t)reservation.base, 1u << (reservation.window_shift - 20), wanted >> 20,
            allowed < wanted ? ", but ulimit -v is set" : "");
  atomic_fetch_add(&standing_count, 1);
  *reservation_out = reservation;
  return VPTR_SUCCESS;
}

void vptr__reservation_free(const vptr__reservation *reservation) {
  atomic_fetch_sub(&standing_count, 1);
  munmap((void *)(reservation->base - reservation->guard), reservation->guard + reservation->size);
}
