/* SPDX-License-Identifier: MIT */
/*
 * variable - see variable.h.
 */
#include "translate/infer/variable.h"

bool vptr__space_log_may_say(vptr__space_log *log, vptr__position position) {
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

/* Conflicts are refused, not resolved by a copy or a guess: a pointer's space is part of every instruction that
 * uses it. */
static void refuse(vptr__space_log *log, vptr__space_variable *class, vptr__space space, vptr__position here,
                   vptr__position there, vptr__space other) {
  if (class->is_refused || log->is_muted)
    return;
  class->is_refused = true;
  if (!vptr__space_log_may_say(log, here))
    return;
  vptr__source_say(
      log->source, VPTR__ERROR, here,
      "this pointer would point into %s here and into %s elsewhere: use two pointers, or pass the pointer to a "
      "function (functions are made anew for each kind of memory)",
      memory_of(space), memory_of(other));
  vptr__source_say(log->source, VPTR__NOTE, there, "it points into %s because of this", memory_of(other));
}

void vptr__space_variable_fix(vptr__space_log *log, vptr__space_variable *variable, vptr__space space,
                              vptr__position position) {
  vptr__space_variable *class = vptr__space_variable_class(variable);
  if (class->is_known && class->space != space) {
    refuse(log, class, space, position, class->known_at, class->space);
  } else if (!class->is_known) {
    class->is_known = true;
    class->space = space;
    class->known_at = position;
  }
}

/* The class that stays learns what the other one knew. */
static void absorb(vptr__space_variable *into, const vptr__space_variable *from) {
  if (!into->is_known && from->is_known) {
    into->is_known = true;
    into->space = from->space;
    into->known_at = from->known_at;
  }
  into->is_refused |= from->is_refused;
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
    refuse(log, left, right->space, position, left->known_at, left->space);
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
  absorb(left, right);
}
