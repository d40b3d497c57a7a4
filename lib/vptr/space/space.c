/* SPDX-License-Identifier: MIT */
/*
 * space - see space.h: the life of a space, its reservation, and the arrays that describe its windows.
 *
 * The arrays are one mapping of their own, sized for the worst case. Only the entries of windows that were once the
 * first or last of a run are ever touched, so a space of 2^18 windows with ten buffers costs a few pages.
 *
 * A vptr__space is the field `space` of its heap (heap/state.h); what it holds is made and given back here. Nothing
 * here takes a lock: a space begins and ends while nobody else knows the heap, and what vptr__space_windows_for() reads
 * never changes. Called by heap/heap.c when a heap begins and ends; by heap/range.c, placed.c, span.c and query.c,
 * which ask how many windows a size takes.
 */
#include "space/space.h"

#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "space/reservation.h"
#include "space/run.h"

/* The arrays, one behind the other, those with the strictest alignment first:
 *
 *     words of the bitset | runs | head
 */
static vptr_status map_arrays(vptr__space *space) {
  uint32_t lengths = space->window_count + 1; /* 0 .. window_count */
  size_t words_size = vptr__bitset_words(lengths) * sizeof(uint64_t);
  size_t runs_size = space->window_count * sizeof *space->runs;
  size_t size = words_size + runs_size + lengths * sizeof *space->head;
  void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return vptr__error_host_memory(size);
  space->map = map;
  space->map_size = size;
  space->runs = (vptr__space_run *)((char *)map + words_size);
  space->head = (uint32_t *)((char *)map + words_size + runs_size);
  vptr__bitset_init(&space->lengths, map, lengths);
  return VPTR_SUCCESS;
}

/* The arrays of a space whose addresses are held. */
static vptr_status begin_space(vptr__space *made, bool reuse_at_once) {
  made->window_count = (uint32_t)(made->size >> made->window_shift);
  made->wait_limit = reuse_at_once ? 0 : made->window_count / 4;
  vptr_status status = map_arrays(made);
  if (status == VPTR_SUCCESS)
    vptr__run_init_all(made);
  return status;
}

vptr_status vptr__space_init_foreign(vptr__space *space, const vptr__space_place *place, bool reuse_at_once) {
  vptr__space made = { .base = place->base,
                       .guard = place->guard,
                       .size = place->size,
                       .window_shift = place->window_shift,
                       .is_foreign = true };
  vptr_status status = vptr__foreign_hold(made.base - made.guard, made.guard + made.size, &made.foreign);
  if (status != VPTR_SUCCESS)
    return status;
  status = begin_space(&made, reuse_at_once);
  if (status == VPTR_SUCCESS)
    *space = made;
  else
    vptr__foreign_release(&made.foreign);
  return status;
}

vptr_status vptr__space_init(vptr__space *space, uintptr_t base_address, size_t size, bool reuse_at_once) {
  vptr__reservation reservation;
  vptr_status status = vptr__reservation_make(base_address, size, &reservation);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__space made = { .base = reservation.base,
                       .guard = reservation.guard,
                       .size = reservation.size,
                       .window_shift = reservation.window_shift };
  status = begin_space(&made, reuse_at_once);
  if (status == VPTR_SUCCESS)
    *space = made;
  else
    vptr__reservation_free(&reservation);
  return status;
}

void vptr__space_fini(vptr__space *space) {
  munmap(space->map, space->map_size);
  if (space->is_foreign)
    vptr__foreign_release(&space->foreign);
  else
    vptr__reservation_free(&(vptr__reservation){ space->base, space->size, space->window_shift, space->guard });
  memset(space, 0, sizeof *space);
}

uint32_t vptr__space_windows_for(const vptr__space *space, size_t bytes) {
  size_t windows = (bytes >> space->window_shift) + 1; /* = bytes + 1, rounded up, and cannot overflow */
  return windows <= space->window_count ? (uint32_t)windows : 0;
}
