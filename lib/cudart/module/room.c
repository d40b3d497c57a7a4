/* SPDX-License-Identifier: MIT */
/*
 * room - the list of device memory that launches by kernels no longer use, kept for the next (room.h).
 *
 * The static list `idle` has a room for each piece of memory that nobody uses, the last one given first; `count`, which
 * is atomic, is its length. The static `lock`, of rank LEAF, guards both, though `count` is also read without it; it is
 * not held while memory is allocated or freed. A room belongs to the list until it is taken off. A reset, or the end of
 * a mapper, frees the memory under it: so a room is known by its allocation's serial number too, and one whose memory
 * has gone is dropped when it is met.
 *
 * Called by child.c for the rooms of launches, and by spill.c in the thread that launches what kernels launch. To take
 * one may wait on a full device, but not in a thread that runs a stream's functions; to give one waits for nothing; to
 * free what is too much may wait for work that uses it (spill.c).
 */
#include "module/room.h"

#include "base/memory.h"
#include "mapper/ledger.h"
#include "module/state.h"

enum { MOST_IDLE = 32 };

typedef struct room {
  struct room *next;
  vptr_mapper *mapper;
  void *memory;
  uint64_t serial;
  size_t bytes;
} room;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static room *idle;
static atomic_size_t count;

static bool is_live(const room *it) {
  vptr_location location;
  return vptr__mapper_locate(it->mapper, it->memory, 1, &location) == VPTR_SUCCESS && location.serial == it->serial;
}

/* The first that is large enough, and not much larger. */
static room *take_off(const vptr_mapper *mapper, size_t bytes) {
  vptr__lock_take(&lock);
  room **link = &idle;
  while (*link != NULL && !((*link)->mapper == mapper && (*link)->bytes >= bytes && (*link)->bytes / 4 <= bytes))
    link = &(*link)->next;
  room *found = *link;
  if (found != NULL) {
    *link = found->next;
    count--;
  }
  vptr__lock_give(&lock);
  return found;
}

static vptr_status allocate_room(vptr_mapper *mapper, size_t bytes, void **memory_out) {
  vptr_status status = vptr__mapper_allocate(mapper, bytes, NULL, memory_out);
  if (status == VPTR_SUCCESS)
    vptr__ledger_own(mapper, *memory_out);
  return status;
}

vptr_status vptr__room_take(vptr_mapper *mapper, size_t bytes, void **memory_out) {
  for (room *found = take_off(mapper, bytes); found != NULL; found = take_off(mapper, bytes)) {
    bool good = is_live(found);
    if (good)
      *memory_out = found->memory;
    vptr__memory_free(found);
    if (good)
      return VPTR_SUCCESS;
  }
  return allocate_room(mapper, bytes, memory_out);
}

/* Without host memory it is kept by nobody until the device is reset. */
void vptr__room_give(vptr_mapper *mapper, void *memory) {
  vptr_location location;
  room *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return;
  if (vptr__mapper_locate(mapper, memory, 1, &location) != VPTR_SUCCESS) {
    vptr__memory_free(made);
    return;
  }
  *made = (room){ NULL, mapper, memory, location.serial, location.size };
  vptr__lock_take(&lock);
  made->next = idle;
  idle = made;
  count++;
  vptr__lock_give(&lock);
}

/* Those of a mapper behind its first MOST_IDLE. */
static room *cut_list(const vptr_mapper *mapper) {
  room *surplus = NULL;
  int seen = 0;
  vptr__lock_take(&lock);
  for (room **link = &idle; *link != NULL;) {
    room *each = *link;
    if (each->mapper != mapper || seen++ < MOST_IDLE) {
      link = &each->next;
      continue;
    }
    *link = each->next;
    each->next = surplus;
    surplus = each;
    count--;
  }
  vptr__lock_give(&lock);
  return surplus;
}

void vptr__room_free_surplus(vptr_mapper *mapper, vptr__stream *stream) {
  if (atomic_load_explicit(&count, memory_order_relaxed) <= MOST_IDLE)
    return;
  for (room *each = cut_list(mapper), *next; each != NULL; each = next) {
    next = each->next;
    if (is_live(each))
      vptr__spill_end(mapper, each->memory, stream);
    vptr__memory_free(each);
  }
}
