/* SPDX-License-Identifier: MIT */
/*
 * variable - the table of device variables, and their memory on each device (variable.h).
 *
 * Data: the static table `known`, sorted by key, with `count_known` and `capacity_known`, has a vptr__variable for
 * each, and each has its vptr__variable_places, one place for each device. They are freed when the variable is
 * forgotten; the places of one that leaves are leaving.c's. The static `lock`, of rank LEAF, guards table and places,
 * and is held while the test of vptr__variable_find_if() is asked; memory is allocated and initial content copied
 * without it. `count_managed` is atomic and read without the lock, so that most launches need not search for managed
 * variables.
 *
 * Called by module.c, which registers and forgets a module's variables; by prepare.c, argument.c, managed.c, child.c,
 * assert.c, kernel_heap.c and lock_words.c, for the address on a device, the last three of which have variables of
 * their own; by cudart/cuda/registration.c, which asks whether a shadow is taken; by cudart/cuda/symbol.c for
 * cudaMemcpyToSymbol() and its kin; by unsaved.c, which asks whether a device has one; and by cudart/cuda/binary.c and
 * pointer.c and usm/usm.c, which ask whether an address is a managed variable's. The first address on a device blocks
 * while the initial content is sent; it fails without device memory. To forget a variable waits as vptr_free() does.
 */
#include "module/variable.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "mapper/ledger.h"
#include "module/leaving.h"
#include "module/unsaved.h"
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

/* A managed variable's bytes come with each launch, in its stream's order (module/managed.c); to read them here would
 * be to read beside what the launch of another thread brings back. */
static vptr_status fill_variable(vptr_mapper *mapper, const vptr__variable *of, unsigned char *memory) {
  if (of->initial == NULL || of->is_managed)
    return vptr_memset(mapper, memory, 0, of->size);
  return vptr_memcpy(mapper, memory, of->initial, of->size);
}

static vptr_status allocate_place(vptr_mapper *mapper, const vptr__variable *of, variable_place *place_out) {
  void *base;
  vptr_status status = vptr__mapper_allocate(mapper, LEAD + of->size, of->site, &base);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__ledger_own(mapper, base);
  status = vptr__heap_fix(mapper->heap, base); /* launches send its bytes where nothing may be waited for */
  if (status != VPTR_SUCCESS) {
    vptr_free(mapper, base);
    return status;
  }
  *place_out = (variable_place){ .memory = (unsigned char *)base + LEAD };
  return VPTR_SUCCESS;
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

/* ---- variables that lead to each other ------------------------------------------------------------------- */

typedef struct group_member {
  vptr__variable of;
  variable_place seen, current;
  bool is_made; /* current is not seen, and not entered yet */
} group_member;

typedef struct group {
  group_member *members;
  size_t count, room;
} group;

static group_member *find_member(const group *group, const void *key) {
  for (size_t i = 0; i < group->count; i++)
    if (group->members[i].of.key == key)
      return &group->members[i];
  return NULL;
}

static vptr_status add_member(group *group, const vptr__variable *of) {
  if (group->count == group->room) {
    size_t room = group->room * 2 + 1;
    group_member *members = vptr__memory_calloc(room, sizeof *members);
    if (members == NULL)
      return vptr__error_host_memory(room * sizeof *members);
    if (group->count > 0)
      memcpy(members, group->members, group->count * sizeof *members);
    vptr__memory_free(group->members);
    group->members = members;
    group->room = room;
  }
  group->members[group->count++] = (group_member){ .of = *of };
  return VPTR_SUCCESS;
}

static vptr_status join_group(group *group, const void *key) {
  vptr__variable found;
  if (find_member(group, key) != NULL)
    return VPTR_SUCCESS;
  if (!vptr__variable_find(key, &found))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no variable of the device", key);
  return add_member(group, &found);
}

static vptr_status collect_group(group *group, const void *key) {
  vptr_status status = join_group(group, key);
  for (size_t i = 0; i < group->count && status == VPTR_SUCCESS; i++)
    for (size_t k = 0; k < group->members[i].of.address_count && status == VPTR_SUCCESS; k++) {
      const vptr__variable *of = &group->members[i].of;
      const void *other = *of->addresses[k].key;
      status = other != NULL ? join_group(group, other)
                             : vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                                           "variable %.200s begins with the address of one that is extern, and "
                                           "nothing that was loaded defines it",
                                           of->name);
    }
  return status;
}

static vptr_status allocate_group(group *group, vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < group->count && status == VPTR_SUCCESS; i++) {
    group_member *member = &group->members[i];
    member->seen = member->current = get_place(member->of.key, mapper->device->ordinal);
    if (is_live(mapper, &member->seen))
      continue;
    if (member->of.places == NULL)
      status = have_places(member->of.key);
    if (status == VPTR_SUCCESS)
      status = allocate_place(mapper, &member->of, &member->current);
    member->is_made = status == VPTR_SUCCESS;
  }
  return status;
}

static vptr_status fill_with_addresses(const group *group, vptr_mapper *mapper, const group_member *member) {
  const vptr__variable *of = &member->of;
  unsigned char *bytes = vptr__memory_calloc(of->size, 1);
  if (bytes == NULL)
    return vptr__error_host_memory(of->size);
  if (of->initial != NULL)
    memcpy(bytes, of->initial, of->size);
  for (size_t i = 0; i < of->address_count; i++) {
    const vptr__variable_link *address = &of->addresses[i];
    const unsigned char *there = find_member(group, *address->key)->current.memory + address->plus;
    memcpy(bytes + address->at, &there, sizeof there);
  }
  vptr_status status = vptr_memcpy(mapper, member->current.memory, bytes, of->size);
  vptr__memory_free(bytes);
  return status;
}

static vptr_status fill_group(const group *group, vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < group->count && status == VPTR_SUCCESS; i++) {
    const group_member *member = &group->members[i];
    if (!member->is_made)
      continue;
    status = member->of.address_count > 0 ? fill_with_addresses(group, mapper, member)
                                          : fill_variable(mapper, &member->of, member->current.memory);
  }
  return status;
}

/* Which allocations they are; when all are filled, for another thread may have cleared the mapper meanwhile. */
static vptr_status number_group(group *group, vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < group->count; i++) {
    group_member *member = &group->members[i];
    vptr_location location;
    unsigned char *base = member->current.memory - LEAD;
    if (!member->is_made)
      continue;
    vptr_status found = vptr__mapper_locate(mapper, base, 1, &location);
    if (found == VPTR_SUCCESS)
      member->current.serial = location.serial;
    else
      status = vptr__mapper_explain(mapper, found, "a variable's memory", base, 1);
    member->is_made = found == VPTR_SUCCESS; /* else there is nothing to free any more */
  }
  return status;
}

/* The table's place of one that was made, if it is still as it was seen. Under the lock. */
static variable_place *unchanged_place(const group_member *member, int device) {
  vptr__variable *found = look_up(member->of.key);
  variable_place *place = found != NULL && found->places != NULL ? &found->places->of[device] : NULL;
  bool is_same = place != NULL && place->memory == member->seen.memory && place->serial == member->seen.serial;
  return is_same ? place : NULL;
}

/* Enters all that were made, or none: another thread has replaced some meanwhile. */
static bool publish_group(const group *group, int device) {
  bool is_same = true;
  vptr__lock_take(&lock);
  for (size_t i = 0; i < group->count && is_same; i++)
    is_same = !group->members[i].is_made || unchanged_place(&group->members[i], device) != NULL;
  for (size_t i = 0; i < group->count && is_same; i++)
    if (group->members[i].is_made)
      *unchanged_place(&group->members[i], device) = group->members[i].current;
  vptr__lock_give(&lock);
  return is_same;
}

static void drop_group(group *group, vptr_mapper *mapper, bool is_entered) {
  for (size_t i = 0; i < group->count && !is_entered; i++)
    if (group->members[i].is_made)
      vptr__heap_free(mapper->heap, group->members[i].current.memory - LEAD);
  vptr__memory_free(group->members);
}

/* *is_entered_out false, with success: another thread was faster, and it is to be looked at again. */
static vptr_status make_group(vptr_mapper *mapper, const void *key, bool *is_entered_out) {
  group group = { .count = 0 };
  *is_entered_out = false;
  vptr_status status = collect_group(&group, key);
  if (status == VPTR_SUCCESS)
    status = allocate_group(&group, mapper);
  if (status == VPTR_SUCCESS)
    status = fill_group(&group, mapper);
  if (status == VPTR_SUCCESS)
    status = number_group(&group, mapper);
  if (status == VPTR_SUCCESS)
    *is_entered_out = publish_group(&group, mapper->device->ordinal);
  drop_group(&group, mapper, *is_entered_out);
  return status;
}

vptr_status vptr__variable_address(const void *key, vptr_mapper *mapper, void **address_out) {
  variable_place place = get_place(key, mapper->device->ordinal);
  if (!is_live(mapper, &place))
    vptr__leaving_look();
  while (!is_live(mapper, &place)) {
    bool is_entered;
    vptr_status status = make_group(mapper, key, &is_entered);
    if (status != VPTR_SUCCESS)
      return status;
    place = get_place(key, mapper->device->ordinal);
  }
  *address_out = place.memory;
  return VPTR_SUCCESS;
}

/* The mapper whose memory a place is; NULL: it has none, or none any more. */
static vptr_mapper *mapper_of(const variable_place *place) {
  vptr_mapper *mapper = place->memory != NULL ? vptr__mapper_owning(place->memory) : NULL;
  return mapper != NULL && is_live(mapper, place) ? mapper : NULL;
}

static bool lies_on(const vptr__variable *variable, void *mapper) {
  const variable_places *places = variable->places;
  bool does = false;
  for (int device = 0; places != NULL && device < places->count && !variable->is_scratch; device++)
    does |= mapper_of(&places->of[device]) == mapper;
  return does;
}

const void *vptr__variable_on(vptr_mapper *mapper) {
  return vptr__variable_find_if(lies_on, mapper);
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
    vptr__unsaved_watch();
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
