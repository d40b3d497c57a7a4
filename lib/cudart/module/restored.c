/* SPDX-License-Identifier: MIT */
/*
 * restored - telling a checkpoint of variables, and keeping what one said of them (restored.h).
 *
 * The static list `kept` has what the last vptr_restore() of each mapper brought, `coming` what one that is under way
 * has read; an entry is allocated by restore_variables(), and freed when the same mapper is restored again or ends. The
 * static `lock`, of rank LEAF, guards both, though that there is nothing is read without it; variable.c's table is
 * asked without it. Callers of the subsystem's functions hold the lock of checkpoint/kept.c, of rank CHECKPOINT.
 *
 * Called by group.c, variable.c and module.c; through base/subsystem.h by checkpoint/checkpoint.c and restore.c and
 * mapper/mapper.c; and by the loader, which runs the constructor that enters the subsystem, and at the end the
 * destructor that tells what was not asked for. Nothing blocks; to restore fails without host memory.
 */
#include "module/restored.h"

#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/saved.h"
#include "base/subsystem.h"

/* Behind the name, in the file. A managed variable's bytes follow. */
typedef struct detail {
  vptr__digest module;
  uint32_t position, is_managed;
} detail;

typedef struct entry {
  struct entry *next;
  vptr_mapper *mapper;
  detail is;
  size_t size;
  vptr__variable_place place; /* memory NULL: none, it is managed */
  const void *met;            /* the variable's key; NULL: it is not known, and was not */
  bool is_told;               /* that another module has one of its name */
  unsigned char *bytes;       /* of a managed one, behind the name */
  char name[];
} entry;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static entry *coming;
static _Atomic(entry *) kept; /* changed under the lock */

/* ---- saving ---------------------------------------------------------------------------------------------- */

typedef struct saving {
  vptr__saved_list *list;
  size_t first; /* of the list's items that are variables */
} saving;

static vptr_status save_one(vptr__saved_list *list, const vptr__saved *item, const char *name, const detail *is,
                            const void *bytes) {
  const size_t more = is->is_managed ? item->size : 0;
  unsigned char *whole = vptr__memory_calloc(1, sizeof *is + more);
  if (whole == NULL)
    return vptr__error_host_memory(sizeof *is + more);
  memcpy(whole, is, sizeof *is);
  if (more > 0)
    memcpy(whole + sizeof *is, bytes, more);
  vptr_status status = vptr__saved_add(list, item, name, whole, sizeof *is + more);
  vptr__memory_free(whole);
  return status;
}

static vptr_status save_known(const vptr__variable *of, const vptr__variable_place *place, uint32_t position,
                              void *context) {
  const saving *it = context;
  const detail is = { of->module, position, of->is_managed };
  const bool has_memory = place != NULL && !of->is_managed;
  const vptr__saved item = { .kind = VPTR__SAVED_VARIABLE,
                             .address = has_memory ? (uintptr_t)place->memory : 0,
                             .size = of->size,
                             .serial = has_memory ? place->serial : 0 };
  return save_one(it->list, &item, of->name, &is, of->key);
}

static bool is_listed(const saving *it, const entry *of) {
  bool is_there = false;
  for (size_t i = it->first; i < it->list->count && !is_there; i++)
    is_there = it->list->items[i].address == (uintptr_t)of->place.memory;
  return is_there;
}

/* What nobody has asked for yet, and is still there. */
static vptr_status save_kept(const saving *it, vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&lock);
  for (const entry *of = kept; of != NULL && status == VPTR_SUCCESS; of = of->next) {
    const vptr__saved item = { .kind = VPTR__SAVED_VARIABLE,
                               .address = (uintptr_t)of->place.memory,
                               .size = of->size,
                               .serial = of->place.serial };
    const bool is_wanted =
        of->is.is_managed ? of->met == NULL : vptr__variable_place_is_live(mapper, &of->place) && !is_listed(it, of);
    if (of->mapper == mapper && is_wanted)
      status = save_one(it->list, &item, of->name, &of->is, of->bytes);
  }
  vptr__lock_give(&lock);
  return status;
}

static vptr_status save_variables(vptr_mapper *mapper, vptr__saved_list *list) {
  saving it = { list, list->count };
  vptr_status status = vptr__variable_tell(mapper, save_known, &it);
  return status == VPTR_SUCCESS ? save_kept(&it, mapper) : status;
}

/* ---- restoring ------------------------------------------------------------------------------------------- */

static vptr_status refuse_size(const entry *of, size_t size) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "the variable %.200s has %zu bytes here, and %zu in the checkpoint that was restored: it is of "
                     "another program, or a limit was set otherwise",
                     of->name, size, of->size);
}

static vptr_status refuse_item(const char *name) {
  return vptr__error(VPTR_ERROR_FILE,
                     "vptr_restore: what the checkpoint says of the variable %.200s has a wrong size", name);
}

static vptr_status read_item(vptr_mapper *mapper, const vptr__saved_list *list, const vptr__saved *item) {
  const char *name = vptr__saved_name(list, item);
  const unsigned char *more = vptr__saved_detail(list, item);
  detail is;
  if (item->detail_bytes < sizeof is)
    return refuse_item(name);
  memcpy(&is, more, sizeof is);
  const size_t bytes = is.is_managed ? item->size : 0;
  if (item->detail_bytes - sizeof is != bytes)
    return refuse_item(name);
  entry *made = vptr__memory_calloc(1, sizeof *made + item->name_bytes + 1 + bytes);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made + item->name_bytes + 1 + bytes);
  made->mapper = mapper;
  made->is = is;
  made->size = item->size;
  made->place = (vptr__variable_place){ .memory = (unsigned char *)(uintptr_t)item->address, .serial = item->serial };
  memcpy(made->name, name, item->name_bytes);
  made->bytes = (unsigned char *)made->name + item->name_bytes + 1;
  memcpy(made->bytes, more + sizeof is, bytes);
  made->next = coming;
  coming = made;
  return VPTR_SUCCESS;
}

/* One that is known already must have its size. */
static vptr_status check_known(const entry *of) {
  vptr__variable known;
  if (!vptr__variable_find_alike(of->is.module, of->name, of->is.position, &known) || known.size == of->size)
    return VPTR_SUCCESS;
  return refuse_size(of, known.size);
}

static vptr_status restore_variables(vptr_mapper *mapper, const vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < list->count && status == VPTR_SUCCESS; i++)
    if (list->items[i].kind == VPTR__SAVED_VARIABLE) {
      status = read_item(mapper, list, &list->items[i]);
      if (status == VPTR_SUCCESS)
        status = check_known(coming);
    }
  return status;
}

static void free_entries(entry *first) {
  for (entry *next; first != NULL; first = next) {
    next = first->next;
    vptr__memory_free(first);
  }
}

static void undo_restore(vptr_mapper *mapper) {
  (void)mapper;
  free_entries(coming);
  coming = NULL;
}

/* Takes a mapper's entries out, and puts others in. Returns those that went. */
static entry *exchange_entries(const vptr_mapper *mapper, entry *by) {
  entry *gone = NULL, *all = by;
  vptr__lock_take(&lock);
  for (entry *each = kept, *next; each != NULL; each = next) {
    next = each->next;
    entry **list = each->mapper == mapper ? &gone : &all;
    each->next = *list;
    *list = each;
  }
  kept = all;
  vptr__lock_give(&lock);
  return gone;
}

/* Under the lock. */
static void meet_entry(entry *of, const vptr__variable *by) {
  of->met = by->key;
  if (of->is.is_managed && by->is_managed && by->size == of->size)
    memcpy((void *)(uintptr_t)by->key, of->bytes, of->size);
}

static void settle_restore(vptr_mapper *mapper) {
  vptr__variable known;
  for (entry *each = coming; each != NULL; each = each->next)
    if (vptr__variable_find_alike(each->is.module, each->name, each->is.position, &known))
      meet_entry(each, &known);
    else
      vptr__log(VPTR__LOG_DECISION, "vptr_restore: the variable %s of %zu bytes waits for its module to be loaded",
                each->name, each->size);
  entry *all = coming;
  coming = NULL;
  free_entries(exchange_entries(mapper, all));
}

/* ---- looking up ------------------------------------------------------------------------------------------ */

static bool is_of(const entry *it, const vptr__variable *of, uint32_t position) {
  return it->is.position == position && vptr__digest_equals(it->is.module, of->module) &&
         strcmp(it->name, of->name) == 0;
}

static void tell_other_text(entry *it) {
  vptr__log_always("vptr_restore: the variable %s of %zu bytes is one of a module with another text here, and begins "
                   "with its initial content, not as the checkpoint had it",
                   it->name, it->size);
  it->is_told = true;
}

vptr_status vptr__restored_find(vptr_mapper *mapper, const vptr__variable *of, vptr__variable_place *place_out) {
  vptr_status status = VPTR_SUCCESS;
  *place_out = (vptr__variable_place){ .memory = NULL };
  if (atomic_load(&kept) == NULL || of->is_scratch || of->is_managed)
    return status;
  const uint32_t position = vptr__variable_position(of->key);
  bool is_found = false;
  entry *other = NULL;
  vptr__lock_take(&lock);
  for (entry *it = kept; it != NULL && !is_found; it = it->next) {
    is_found = it->mapper == mapper && is_of(it, of, position) && vptr__variable_place_is_live(mapper, &it->place);
    if (is_found && it->size != of->size)
      status = refuse_size(it, of->size);
    else if (is_found)
      *place_out = it->place;
    else if (it->mapper == mapper && it->met == NULL && !it->is_told && strcmp(it->name, of->name) == 0)
      other = it;
  }
  if (!is_found && other != NULL)
    tell_other_text(other);
  vptr__lock_give(&lock);
  return status;
}

void vptr__restored_meet(const void *key) {
  vptr__variable of;
  if (atomic_load(&kept) == NULL || !vptr__variable_find(key, &of))
    return;
  const uint32_t position = vptr__variable_position(key);
  vptr__lock_take(&lock);
  for (entry *it = kept; it != NULL; it = it->next)
    if (it->met == NULL && is_of(it, &of, position))
      meet_entry(it, &of);
  vptr__lock_give(&lock);
}

void vptr__restored_replace(const void *key, const void *by) {
  vptr__variable of;
  if (atomic_load(&kept) == NULL || key == NULL || !vptr__variable_find(by, &of))
    return;
  vptr__lock_take(&lock);
  for (entry *it = kept; it != NULL; it = it->next)
    if (it->met == key)
      meet_entry(it, &of);
  vptr__lock_give(&lock);
}

/* ---- beginning and end ----------------------------------------------------------------------------------- */

static void forget_mapper(vptr_mapper *mapper) {
  free_entries(exchange_entries(mapper, NULL));
}

__attribute__((constructor)) static void enter_subsystem(void) {
  static const vptr__subsystem subsystem = { .close = forget_mapper,
                                             .saved_kinds = 1u << VPTR__SAVED_VARIABLE,
                                             .save = save_variables,
                                             .restore = restore_variables,
                                             .undo_restore = undo_restore,
                                             .settle_restore = settle_restore };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_MODULE, &subsystem);
}

__attribute__((destructor)) static void tell_unmet(void) {
  for (const entry *it = atomic_load(&kept); it != NULL; it = it->next)
    if (it->met == NULL && !it->is_told)
      vptr__log_always("vptr_restore: the variable %s of %zu bytes was in the checkpoint, and no module with it was "
                       "loaded",
                       it->name, it->size);
}
