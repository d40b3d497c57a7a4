/* SPDX-License-Identifier: MIT */
/*
 * variable - see variable.h.
 */
#include "translate/infer/solver.h"

bool vptr__space_log_may_report(vptr__space_log *log, vptr__position position) {
  if (log->is_muted)
    return false;
  /* Nowhere is a place too: key 0 is not for maps. */
  void **slot = vptr__map_put(vptr__source_arena(log->source), &log->said, (uintptr_t)position + 1);
  if (*slot != NULL)
    return false;
  *slot = log;
  return true;
}

const char *vptr__space_text(vptr__space space) {
  static const char *const texts[] = { "private", "global", "shared", "constant" };
  return texts[space];
}

vptr__space_variable *vptr__space_variable_new(vptr__arena *arena) {
  return VPTR__ARENA_NEW(arena, vptr__space_variable);
}

vptr__space_variable *vptr__space_variable_class(vptr__space_variable *variable) {
  while (variable->parent != NULL) {
    if (variable->parent->parent != NULL)
      variable->parent = variable->parent->parent;
    variable = variable->parent;
  }
  return variable;
}

bool vptr__space_variable_known(vptr__space_variable *variable) {
  return vptr__space_variable_class(variable)->is_known;
}

vptr__space vptr__space_variable_value(vptr__space_variable *variable) {
  vptr__space_variable *class = vptr__space_variable_class(variable);
  return class->is_known ? class->space : VPTR__SPACE_PRIVATE;
}

static const char *memory_of(vptr__space space) {
  static const char *const texts[] = { "a thread's own memory", "global memory", "shared memory", "a string" };
  return texts[space];
}

/* Only what points into global memory means something to the host, and to other kernels. */
static void refuse_stored(vptr__space_log *log, vptr__space space, vptr__position here, vptr__position there) {
  if (!vptr__space_log_may_report(log, here))
    return;
  vptr__source_report(
      log->source, VPTR__ERROR, here,
      "this pointer would point into %s, and one that it is stored to, or loaded from, lies in device memory, where "
      "pointers are into global memory alone: use two pointers, or store an index",
      memory_of(space));
  vptr__source_report(log->source, VPTR__NOTE, there, "it lies in device memory because of this");
}

/* Conflicts are refused, not resolved by a copy or a guess: a pointer's space is part of every instruction that
 * uses it. */
static void refuse_conflict(vptr__space_log *log, vptr__space_variable *class, vptr__space space, vptr__position here,
                            vptr__position there, vptr__space other) {
  if (class->is_refused || log->is_muted)
    return;
  class->is_refused = true;
  if (class->is_stored && space == VPTR__SPACE_GLOBAL) {
    refuse_stored(log, other, there, here);
    return;
  }
  if (class->is_stored) {
    refuse_stored(log, space, here, there);
    return;
  }
  if (!vptr__space_log_may_report(log, here))
    return;
  vptr__source_report(
      log->source, VPTR__ERROR, here,
      "this pointer would point into %s here and into %s elsewhere: use two pointers, or pass the pointer to a "
      "function (functions are made anew for each kind of memory)",
      memory_of(space), memory_of(other));
  vptr__source_report(log->source, VPTR__NOTE, there, "it points into %s because of this", memory_of(other));
}

static void append_implied(vptr__space_variable *class, vptr__space_implied *first, vptr__space_implied *last) {
  if (first == NULL)
    return;
  if (class->implied != NULL)
    class->last_implied->next = first;
  else
    class->implied = first;
  class->last_implied = last;
}

/* What is implied is taken off before: a list leads back to itself (`node *next`). */
static void come_true(vptr__space_log *log, vptr__space_variable *class) {
  if (!class->is_known || class->space != VPTR__SPACE_GLOBAL)
    return;
  vptr__position position = class->known_at;
  vptr__space_implied *implied = class->implied;
  class->implied = class->last_implied = NULL;
  for (; implied != NULL; implied = implied->next)
    if (implied->variable != NULL)
      vptr__space_variable_store(log, implied->variable, position);
    else
      vptr__memory_enter(log, implied->record, position);
}

void vptr__space_variable_fix(vptr__space_log *log, vptr__space_variable *variable, vptr__space space,
                              vptr__position position) {
  vptr__space_variable *class = vptr__space_variable_class(variable);
  if (class->is_known && class->space != space) {
    refuse_conflict(log, class, space, position, class->known_at, class->space);
  } else if (!class->is_known) {
    class->is_known = true;
    class->space = space;
    class->known_at = position;
    come_true(log, class);
  }
}

void vptr__space_variable_store(vptr__space_log *log, vptr__space_variable *variable, vptr__position position) {
  vptr__space_variable_class(variable)->is_stored = true;
  vptr__space_variable_fix(log, variable, VPTR__SPACE_GLOBAL, position);
}

void vptr__space_variable_imply(vptr__space_log *log, vptr__space_variable *variable, vptr__space_implied *implied) {
  vptr__space_variable *class = vptr__space_variable_class(variable);
  append_implied(class, implied, implied);
  come_true(log, class);
}

/* The class that stays learns what the other one knew. */
static void merge_class(vptr__space_variable *into, const vptr__space_variable *from) {
  if (!into->is_known && from->is_known) {
    into->is_known = true;
    into->space = from->space;
    into->known_at = from->known_at;
  }
  into->is_refused |= from->is_refused;
  into->is_stored |= from->is_stored;
  append_implied(into, from->implied, from->last_implied);
}

void vptr__space_variable_unify(vptr__space_log *log, vptr__space_variable *left, vptr__space_variable *right,
                                vptr__position position) {
  left = vptr__space_variable_class(left);
  right = vptr__space_variable_class(right);
  if (left == right)
    return;
  bool conflict = left->is_known && right->is_known && left->space != right->space;
  if (conflict && !left->is_refused && !right->is_refused) {
    /* The place of the assignment tells a reader most; of the two origins, the one that says what the right side
     * brings. */
    bool is_right = right->is_stored && !left->is_stored;
    const vptr__space_variable *known = is_right ? right : left, *other = is_right ? left : right;
    refuse_conflict(log, is_right ? right : left, other->space, position, known->known_at, known->space);
  }
  if (conflict) /* apart, so that each side keeps what the text says of it */
    return;
  if (left->rank < right->rank) {
    vptr__space_variable *other = left;
    left = right;
    right = other;
  }
  right->parent = left;
  left->rank += left->rank == right->rank;
  merge_class(left, right);
  come_true(log, left);
}
