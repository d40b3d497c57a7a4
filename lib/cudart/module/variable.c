/* SPDX-License-Identifier: MIT */
/*
 * variable - the table of device variables, and their memory on each device (variable.h).
 *
 * Data: the static table `known`, sorted by key, with `count_known` and `capacity_known`, has a vptr__variable for
 * each, and each has its vptr__variable_places, one place (place.h) for each device. They are freed when the variable
 * is forgotten; the places of one that leaves are leaving.c's. `count_ever` numbers variables. The static `lock`, of
 * rank LEAF, guards all these, and is held while the function of vptr__variable_tell() is called; memory is allocated
 * and initial content copied without it (group.c). `count_managed` is atomic and read without the lock, so that most
 * launches need not search for managed variables.
 *
 * Called by module.c, which registers and forgets a module's variables; by prepare.c, argument.c, managed.c, child.c,
 * assert.c, kernel_heap.c and lock_words.c, for the address on a device, the last three of which have variables of
 * their own; by cudart/cuda/registration.c, which asks whether a shadow is taken; by cudart/cuda/symbol.c for
 * cudaMemcpyToSymbol() and its kin; by restored.c, which tells a checkpoint of them; by group.c; and by
 * cudart/cuda/binary.c and pointer.c and usm/usm.c, which ask whether an address is a managed variable's. The first
 * address on a device blocks while the initial content is sent; it fails without device memory. To forget a variable
 * waits as vptr_free() does.
 */
#include "module/variable.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "module/leaving.h"
#include "module/place.h"
#include "module/restored.h"
#include "stream/stream.h"

#include <stdatomic.h>
#include <string.h>

typedef struct vptr__variable_places {
  vptr__leaving leaving;
  int count;
  vptr__variable_place of[]; /* by the device's ordinal */
} variable_places;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static vptr__variable *known;
static size_t count_known, capacity_known;
static uint64_t count_ever;
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
    known[at].number = ++count_ever;
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

/* ---- which it is ----------------------------------------------------------------------------------------- */

static bool are_alike(const vptr__variable *variable, vptr__digest module, const char *name) {
  return vptr__digest_equals(variable->module, module) && strcmp(variable->name, name) == 0;
}

/* How many others of its name and module became known before it. What is of no module is the only one. Under the
 * lock. */
static uint32_t position_among_alike(const vptr__variable *variable) {
  const bool has_module = variable->module.low != 0 || variable->module.high != 0;
  uint32_t position = 0;
  for (size_t i = 0; has_module && i < count_known; i++)
    position += known[i].number < variable->number && are_alike(&known[i], variable->module, variable->name);
  return position;
}

uint32_t vptr__variable_position(const void *key) {
  vptr__lock_take(&lock);
  const vptr__variable *found = look_up(key);
  const uint32_t position = found != NULL ? position_among_alike(found) : 0;
  vptr__lock_give(&lock);
  return position;
}

bool vptr__variable_find_alike(vptr__digest module, const char *name, uint32_t position,
                               vptr__variable *variable_out) {
  bool is_found = false;
  vptr__lock_take(&lock);
  for (size_t i = 0; i < count_known && !is_found; i++) {
    is_found = are_alike(&known[i], module, name) && position_among_alike(&known[i]) == position;
    if (is_found)
      *variable_out = known[i];
  }
  vptr__lock_give(&lock);
  return is_found;
}

/* ---- places --------------------------------------------------------------------------------------------- */

bool vptr__variable_place_is_live(vptr_mapper *mapper, const vptr__variable_place *place) {
  vptr_location location;
  return place->memory != NULL && vptr__mapper_locate(mapper, place->memory, 1, &location) == VPTR_SUCCESS &&
         location.serial == place->serial;
}

vptr__variable_place vptr__variable_get_place(const void *key, int device) {
  vptr__variable_place place = { .memory = NULL };
  vptr__lock_take(&lock);
  const vptr__variable *found = look_up(key);
  if (found != NULL && found->places != NULL)
    place = found->places->of[device];
  vptr__lock_give(&lock);
  return place;
}

vptr_status vptr__variable_have_places(const void *key) {
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

/* The table's place of one that was made, if it is still as it was seen. Under the lock. */
static vptr__variable_place *unchanged_place(const vptr__variable_member *member, int device) {
  vptr__variable *found = look_up(member->of.key);
  vptr__variable_place *place = found != NULL && found->places != NULL ? &found->places->of[device] : NULL;
  bool is_same = place != NULL && place->memory == member->seen.memory && place->serial == member->seen.serial;
  return is_same ? place : NULL;
}

bool vptr__variable_enter_places(const vptr__variable_member *members, size_t count, int device) {
  bool is_same = true;
  vptr__lock_take(&lock);
  for (size_t i = 0; i < count && is_same; i++)
    is_same = !members[i].is_new || unchanged_place(&members[i], device) != NULL;
  for (size_t i = 0; i < count && is_same; i++)
    if (members[i].is_new)
      *unchanged_place(&members[i], device) = members[i].current;
  vptr__lock_give(&lock);
  return is_same;
}

vptr_status vptr__variable_address(const void *key, vptr_mapper *mapper, void **address_out) {
  vptr__variable_place place = vptr__variable_get_place(key, mapper->device->ordinal);
  if (!vptr__variable_place_is_live(mapper, &place))
    vptr__leaving_look();
  while (!vptr__variable_place_is_live(mapper, &place)) {
    bool is_entered;
    vptr_status status = vptr__variable_make_group(mapper, key, &is_entered);
    if (status != VPTR_SUCCESS)
      return status;
    place = vptr__variable_get_place(key, mapper->device->ordinal);
  }
  *address_out = place.memory;
  return VPTR_SUCCESS;
}

/* The mapper whose memory a place is; NULL: it has none, or none any more. */
static vptr_mapper *mapper_of(const vptr__variable_place *place) {
  vptr_mapper *mapper = place->memory != NULL ? vptr__mapper_owning(place->memory) : NULL;
  return mapper != NULL && vptr__variable_place_is_live(mapper, place) ? mapper : NULL;
}

/* The place on a mapper's device; NULL: it has none there. Under the lock. */
static const vptr__variable_place *place_on(const vptr__variable *variable, const vptr_mapper *mapper) {
  const variable_places *places = variable->places;
  for (int device = 0; places != NULL && device < places->count; device++)
    if (mapper_of(&places->of[device]) == mapper)
      return &places->of[device];
  return NULL;
}

vptr_status vptr__variable_tell(const vptr_mapper *mapper, vptr__variable_teller *tell, void *context) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&lock);
  for (size_t i = 0; i < count_known && status == VPTR_SUCCESS; i++) {
    const vptr__variable_place *place = place_on(&known[i], mapper);
    if (!known[i].is_scratch && (place != NULL || known[i].is_managed))
      status = tell(&known[i], place, position_among_alike(&known[i]), context);
  }
  vptr__lock_give(&lock);
  return status;
}

static void free_places(variable_places *places) {
  for (int device = 0; places != NULL && device < places->count; device++) {
    const vptr__variable_place *place = &places->of[device];
    vptr_mapper *mapper = mapper_of(place);
    if (mapper == NULL)
      continue;
    unsigned char *base = place->memory - VPTR__VARIABLE_LEAD;
    if (vptr_free(mapper, base) != VPTR_SUCCESS)
      vptr_free(mapper, base); /* a wait that failed has told so, and the next one goes through */
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
    vptr__variable_place *place = &places->of[device];
    vptr_mapper *mapper = mapper_of(place);
    if (mapper == NULL || mapper->device->has_program_queues)
      continue;
    vptr__heap_free(mapper->heap, place->memory - VPTR__VARIABLE_LEAD);
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
    vptr__restored_meet(variable->key);
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
