/* SPDX-License-Identifier: MIT */
/*
 * variable - the table of device variables, and their memory on each device (variable.h).
 *
 * The static table `known`, sorted by key, has a vptr__variable for each, with a place for each device. The static
 * `lock`, of rank LEAF, guards it; memory is allocated and initial content copied without the lock. `count_managed` is
 * atomic, so that most launches need not search for managed variables.
 *
 * Called by module.c, which registers and forgets a module's variables; by prepare.c, argument.c, managed.c and
 * assert.c, for the address on a device, the last of which has variables of its own; by cudart/cuda/registration.c,
 * which asks whether a shadow is taken; by cudart/cuda/symbol.c for cudaMemcpyToSymbol() and its kin; and by
 * cudart/cuda/pointer.c and usm/usm.c, which ask whether an address is a managed variable's. The first address on a
 * device blocks while the initial content is sent; it fails without device memory. To forget a variable waits as
 * vptr_free() does.
 */
#include "module/variable.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "mapper/ledger.h"
#include "module/leaving.h"
#include "stream/stream.h"

#include <stdatomic.h>
#include <string.h>

enum { LEAD = 256 };

/* Its memory on one device. */
typedef struct vptr__variable_place {
  unsigned char *memory; /* NULL: none yet */
  uint64_t serial;       /* of its allocation */
  uint64_t until;        /* of what leaves: the last work that may use it */
} variable_place;

typedef struct vptr__variable_places {
  vptr__leaving leaving;
  int count;
  variable_place of[]; /* by the device's ordinal */
} variable_places;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static vptr__variable *known;
static size_t count_known, capacity_known;
static atomic_size_t count_managed; /* written under the lock, read without it by those who look for one of few */

/* ---- the table ------------------------------------------------------------------------------------------ */

/* Where key is, or would be. Under the lock. */
static size_t position_of(const void *key) {
  size_t low = 0, high = count_known;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((uintptr_t)known[middle].key < (uintptr_t)key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static vptr__variable *look_up(const void *key) {
  size_t at = position_of(key);
  return at < count_known && known[at].key == key ? &known[at] : NULL;
}

static bool grow_known(void) {
  if (count_known < capacity_known)
    return true;
  size_t capacity = capacity_known == 0 ? 16 : capacity_known * 2;
  vptr__variable *grown = vptr__memory_calloc(capacity, sizeof *grown);
  if (grown == NULL)
    return false;
  if (count_known > 0)
    memcpy(grown, known, count_known * sizeof *grown);
  vptr__memory_free(known);
  known = grown;
  capacity_known = capacity;
  return true;
}

typedef enum insertion { INSERTED, PRESENT, NO_MEMORY } insertion;

static insertion insert_variable(const vptr__variable *made) {
  insertion result = INSERTED;
  vptr__lock_take(&lock);
  if (look_up(made->key) != NULL) {
    result = PRESENT;
  } else if (!grow_known()) {
    result = NO_MEMORY;
  } else {
    size_t at = position_of(made->key);
    memmove(known + at + 1, known + at, (count_known - at) * sizeof *known);
    known[at] = *made;
    count_known++;
    count_managed += made->is_managed;
  }
  vptr__lock_give(&lock);
  return result;
}

/* Takes one out; its places are the caller's then. */
static bool take_out(const void *key, vptr__variable *taken_out) {
  vptr__lock_take(&lock);
  vptr__variable *found = look_up(key);
  if (found != NULL) {
    size_t at = (size_t)(found - known);
    *taken_out = *found;
    memmove(known + at, known + at + 1, (count_known - at - 1) * sizeof *known);
    count_known--;
    count_managed -= taken_out->is_managed;
  }
  if (count_known == 0) {
    vptr__memory_free(known);
    known = NULL;
    capacity_known = 0;
  }
  vptr__lock_give(&lock);
  return found != NULL;
}

bool vptr__variable_find(const void *key, vptr__variable *variable_out) {
  vptr__lock_take(&lock);
  const vptr__variable *found = look_up(key);
  if (found != NULL)
    *variable_out = *found;
  vptr__lock_give(&lock);
  return found != NULL;
}

/* No other key lies inside a managed variable's bytes, so the last one up to ptr is the one. */
bool vptr__variable_managed_at(const void *ptr, vptr__variable *variable_out) {
  if (atomic_load_explicit(&count_managed, memory_order_acquire) == 0)
    return false;
  vptr__lock_take(&lock);
  size_t at = position_of((const void *)((uintptr_t)ptr + 1));
  const vptr__variable *found = at > 0 ? &known[at - 1] : NULL;
  bool is_inside = found != NULL && found->is_managed && (uintptr_t)ptr - (uintptr_t)found->key <= found->size;
  if (is_inside)
    *variable_out = *found;
  vptr__lock_give(&lock);
  return is_inside;
}

const void *vptr__variable_find_if(bool (*passes)(const vptr__variable *variable, void *context), void *context) {
  const void *key = NULL;
  vptr__lock_take(&lock);
  for (size_t i = 0; i < count_known && key == NULL; i++)
    if (passes(&known[i], context))
      key = known[i].key;
  vptr__lock_give(&lock);
  return key;
}

/* ---- places --------------------------------------------------------------------------------------------- */

static bool is_live(vptr_mapper *mapper, const variable_place *place) {
  vptr_location location;
  return place->memory != NULL && vptr__mapper_locate(mapper, place->memory, 1, &location) == VPTR_SUCCESS &&
         location.serial == place->serial;
}

static variable_place get_place(const void *key, int device) {
  variable_place place = { .memory = NULL };
  vptr__lock_take(&lock);
  const vptr__variable *found = look_up(key);
  if (found != NULL && found->places != NULL)
    place = found->places->of[device];
  vptr__lock_give(&lock);
  return place;
}

/* A managed variable's bytes come with each launch, in its stream's order (module/managed.c); to read them here would be
 * to read beside what the launch of another thread brings back. */
static vptr_status fill_variable(vptr_mapper *mapper, const vptr__variable *of, unsigned char *memory) {
  if (of->initial == NULL || of->is_managed)
    return vptr_memset(mapper, memory, 0, of->size);
  return vptr_memcpy(mapper, memory, of->initial, of->size);
}

static vptr_status make_place(vptr_mapper *mapper, const vptr__variable *of, variable_place *place_out) {
  void *base;
  vptr_status status = vptr__heap_allocate(mapper->heap, LEAD + of->size, of->site, &base);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__ledger_own(mapper, base);
  variable_place place = { .memory = (unsigned char *)base + LEAD };
  status = fill_variable(mapper, of, place.memory);
  if (status != VPTR_SUCCESS) {
    vptr__heap_free(mapper->heap, base);
    return status;
  }
  vptr_location location;
  status = vptr__mapper_locate(mapper, base, 1, &location);
  if (status != VPTR_SUCCESS) /* another thread has cleared the mapper meanwhile */
    return vptr__mapper_explain(mapper, status, "a variable's memory", base, 1);
  place.serial = location.serial;
  *place_out = place;
  return VPTR_SUCCESS;
}

/* Enters a place unless the one that was `seen` has been replaced meanwhile by another thread: then that one is written
 * to *place, and the caller frees its own. */
static bool publish_place(const void *key, int device, const variable_place *seen, variable_place *place) {
  bool entered = false;
  vptr__lock_take(&lock);
  vptr__variable *found = look_up(key);
  variable_place *current = found != NULL && found->places != NULL ? &found->places->of[device] : NULL;
  if (current != NULL && current->memory == seen->memory && current->serial == seen->serial) {
    *current = *place;
    entered = true;
  } else if (current != NULL) {
    *place = *current;
  }
  vptr__lock_give(&lock);
  return entered;
}

/* Makes room for the places of all devices. */
static vptr_status have_places(const void *key) {
  size_t count = (size_t)vptr__device_count();
  variable_places *places = vptr__memory_calloc(1, sizeof *places + count * sizeof places->of[0]);
  if (places == NULL)
    return vptr__error_host_memory(sizeof *places + count * sizeof places->of[0]);
  places->count = (int)count;
  vptr__lock_take(&lock);
  vptr__variable *found = look_up(key);
  if (found != NULL && found->places == NULL) {
    found->places = places;
    places = NULL;
  }
  vptr__lock_give(&lock);
  vptr__memory_free(places);
  return VPTR_SUCCESS;
}

static vptr_status address_on(vptr_mapper *mapper, const vptr__variable *of, void **address_out) {
  int device = mapper->device->ordinal;
  variable_place seen = get_place(of->key, device);
  variable_place current = seen;
  if (!is_live(mapper, &seen)) {
    vptr__leaving_look();
    vptr_status status = of->places == NULL ? have_places(of->key) : VPTR_SUCCESS;
    if (status == VPTR_SUCCESS)
      status = make_place(mapper, of, &current);
    if (status != VPTR_SUCCESS)
      return status;
    unsigned char *made = current.memory;
    if (!publish_place(of->key, device, &seen, &current))
      vptr__heap_free(mapper->heap, made - LEAD);
  }
  *address_out = current.memory;
  return VPTR_SUCCESS;
}

vptr_status vptr__variable_address(const void *key, vptr_mapper *mapper, void **address_out) {
  vptr__variable found;
  if (!vptr__variable_find(key, &found))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no variable of the device", key);
  return address_on(mapper, &found, address_out);
}

/* The mapper whose memory a place is; NULL: it has none, or none any more. */
static vptr_mapper *mapper_of(const variable_place *place) {
  vptr_mapper *mapper = place->memory != NULL ? vptr__mapper_owning(place->memory) : NULL;
  return mapper != NULL && is_live(mapper, place) ? mapper : NULL;
}

static void free_places(variable_places *places) {
  for (int device = 0; places != NULL && device < places->count; device++) {
    const variable_place *place = &places->of[device];
    vptr_mapper *mapper = mapper_of(place);
    if (mapper != NULL && vptr_free(mapper, place->memory - LEAD) != VPTR_SUCCESS)
      vptr_free(mapper, place->memory - LEAD); /* a wait that failed has told so, and the next one goes through */
  }
  vptr__memory_free(places);
}

/* ---- leaving -------------------------------------------------------------------------------------------- */

static bool are_unused(const vptr__leaving *it, bool may_ask) {
  const variable_places *places = (const variable_places *)it;
  bool are_over = true;
  for (int device = 0; device < places->count && are_over; device++) {
    vptr_mapper *mapper = mapper_of(&places->of[device]);
    are_over = mapper == NULL || vptr__streams_are_over(mapper, places->of[device].until, may_ask);
  }
  return are_over;
}

/* Where nothing has to be waited for, vptr_free() would wait for what came later, and for nothing. */
static void free_unused(vptr__leaving *it) {
  variable_places *places = (variable_places *)it;
  for (int device = 0; device < places->count; device++) {
    variable_place *place = &places->of[device];
    vptr_mapper *mapper = mapper_of(place);
    if (mapper == NULL || mapper->device->has_program_queues)
      continue;
    vptr__heap_free(mapper->heap, place->memory - LEAD);
    place->memory = NULL;
  }
  free_places(places);
}

static void leave_places(variable_places *places, vptr__leaving_when when) {
  for (int device = 0; device < places->count; device++) {
    vptr_mapper *mapper = mapper_of(&places->of[device]);
    if (mapper != NULL)
      places->of[device].until = atomic_load(&mapper->work_last);
  }
  places->leaving.is_over = are_unused;
  places->leaving.release = free_unused;
  vptr__leaving_add(&places->leaving, when);
}

/* ---- knowing and forgetting ----------------------------------------------------------------------------- */

vptr_status vptr__variable_register(const vptr__variable *variable) {
  switch (insert_variable(variable)) {
  case INSERTED:
    return VPTR_SUCCESS;
  case PRESENT:
    return VPTR_ERROR_NOT_READY;
  case NO_MEMORY:
    break;
  }
  return vptr__error_host_memory(sizeof *variable);
}

bool vptr__variable_forget(const void *key) {
  vptr__variable taken;
  if (!take_out(key, &taken))
    return false;
  free_places(taken.places);
  return true;
}

bool vptr__variable_leave(const void *key, vptr__leaving_when when) {
  vptr__variable taken;
  if (!take_out(key, &taken))
    return false;
  if (taken.places != NULL)
    leave_places(taken.places, when);
  return true;
}
