/* SPDX-License-Identifier: MIT */
/*
 * group - gives variables that lead to each other their memory on a device, all of them or none (place.h).
 *
 * Memory is allocated and filled first, and entered in the table of variable.c then, under one hold of its lock, of
 * rank LEAF. What a checkpoint had of a variable is taken as it is there (restored.h). A group is a variable of the
 * call. Called by variable.c. It blocks while the initial content is sent; it fails without device memory.
 */
#include "module/place.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mapper/ledger.h"
#include "module/restored.h"

/* ---- memory ---------------------------------------------------------------------------------------------- */

/* A managed variable's bytes come with each launch, in its stream's order (module/managed.c); to read them here would
 * be to read beside what the launch of another thread brings back. */
static vptr_status fill_variable(vptr_mapper *mapper, const vptr__variable *of, unsigned char *memory) {
  if (of->initial == NULL || of->is_managed)
    return vptr_memset(mapper, memory, 0, of->size);
  return vptr_memcpy(mapper, memory, of->initial, of->size);
}

/* Launches send its bytes where nothing may be waited for. */
static vptr_status fix_place(vptr_mapper *mapper, void *base) {
  vptr__ledger_own(mapper, base);
  return vptr__heap_fix(mapper->heap, base);
}

static vptr_status allocate_place(vptr_mapper *mapper, const vptr__variable *of, vptr__variable_place *place_out) {
  void *base;
  vptr_status status = vptr__mapper_allocate(mapper, VPTR__VARIABLE_LEAD + of->size, of->site, &base);
  if (status != VPTR_SUCCESS)
    return status;
  status = fix_place(mapper, base);
  if (status != VPTR_SUCCESS) {
    vptr_free(mapper, base);
    return status;
  }
  *place_out = (vptr__variable_place){ .memory = (unsigned char *)base + VPTR__VARIABLE_LEAD };
  return VPTR_SUCCESS;
}

/* ---- variables that lead to each other ------------------------------------------------------------------- */

typedef struct group {
  vptr__variable_member *members;
  size_t count, room;
} group;

static vptr__variable_member *find_member(const group *group, const void *key) {
  for (size_t i = 0; i < group->count; i++)
    if (group->members[i].of.key == key)
      return &group->members[i];
  return NULL;
}

static vptr_status add_member(group *group, const vptr__variable *of) {
  if (group->count == group->room) {
    size_t room = group->room * 2 + 1;
    vptr__variable_member *members = vptr__memory_calloc(room, sizeof *members);
    if (members == NULL)
      return vptr__error_host_memory(room * sizeof *members);
    if (group->count > 0)
      memcpy(members, group->members, group->count * sizeof *members);
    vptr__memory_free(group->members);
    group->members = members;
    group->room = room;
  }
  group->members[group->count++] = (vptr__variable_member){ .of = *of };
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

/* What a checkpoint had is there already, with its bytes. */
static vptr_status have_memory(vptr_mapper *mapper, vptr__variable_member *member) {
  vptr_status status = vptr__restored_find(mapper, &member->of, &member->current);
  if (status != VPTR_SUCCESS)
    return status;
  if (member->current.memory != NULL)
    status = fix_place(mapper, member->current.memory - VPTR__VARIABLE_LEAD);
  else
    status = allocate_place(mapper, &member->of, &member->current);
  member->is_new = status == VPTR_SUCCESS;
  member->is_made = member->is_new && member->current.serial == 0;
  return status;
}

static vptr_status allocate_group(group *group, vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < group->count && status == VPTR_SUCCESS; i++) {
    vptr__variable_member *member = &group->members[i];
    member->seen = member->current = vptr__variable_get_place(member->of.key, mapper->device->ordinal);
    if (vptr__variable_place_is_live(mapper, &member->seen))
      continue;
    if (member->of.places == NULL)
      status = vptr__variable_have_places(member->of.key);
    if (status == VPTR_SUCCESS)
      status = have_memory(mapper, member);
  }
  return status;
}

static vptr_status fill_with_addresses(const group *group, vptr_mapper *mapper, const vptr__variable_member *member) {
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
    const vptr__variable_member *member = &group->members[i];
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
    vptr__variable_member *member = &group->members[i];
    vptr_location location;
    unsigned char *base = member->current.memory - VPTR__VARIABLE_LEAD;
    if (!member->is_made)
      continue;
    vptr_status found = vptr__mapper_locate(mapper, base, 1, &location);
    if (found == VPTR_SUCCESS)
      member->current.serial = location.serial;
    else
      status = vptr__mapper_explain(mapper, found, "a variable's memory", base, 1);
    member->is_made = member->is_new = found == VPTR_SUCCESS; /* else there is nothing to free any more */
  }
  return status;
}

static void drop_group(group *group, vptr_mapper *mapper, bool is_entered) {
  for (size_t i = 0; i < group->count && !is_entered; i++)
    if (group->members[i].is_made)
      vptr__heap_free(mapper->heap, group->members[i].current.memory - VPTR__VARIABLE_LEAD);
  vptr__memory_free(group->members);
}

vptr_status vptr__variable_make_group(vptr_mapper *mapper, const void *key, bool *is_entered_out) {
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
    *is_entered_out = vptr__variable_enter_places(group.members, group.count, mapper->device->ordinal);
  drop_group(&group, mapper, *is_entered_out);
  return status;
}
