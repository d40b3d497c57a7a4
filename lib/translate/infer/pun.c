/* SPDX-License-Identifier: MIT */
/*
 * pun - the bytes of pointers, which may not be looked at.
 *
 * In CUDA a pointer in memory is an address of 64 bits, the host's too. Here it is what the driver makes of it: read
 * as a number it would be another one, and a number would be no pointer. So memory that holds pointers is never seen
 * as memory that does not, nor the other way round. Functions of CUDA's that only pass over bytes may have it as
 * void *: memcpy() from pointers to pointers of the same type, memset(), printf()'s %p.
 *
 * In device memory they are the host's addresses (memory.c), and so are their bytes: there a pool of bytes may become
 * nodes, and nodes bytes. A number is refused there too, since a pointer that becomes one is the device's.
 */
#include <string.h>

#include "translate/infer/solver.h"
#include "translate/types/builtin.h"
#include "translate/types/types.h"

typedef enum content { CONTENT_RAW, CONTENT_NUMBERS, CONTENT_POINTERS } content;

static content content_of(const vptr__type *type) {
  if (type->kind == VPTR__TYPE_VOID)
    return CONTENT_RAW;
  return vptr__infer_has_pointers(type) ? CONTENT_POINTERS : CONTENT_NUMBERS;
}

static bool is_record(const vptr__type *type) {
  return type->kind == VPTR__TYPE_RECORD;
}

/* Records with pointers must be the same; pointers to pointers are related level by level. */
static bool may_be_seen_as(const vptr__type *from, const vptr__type *to) {
  from = vptr__type_without_arrays(from);
  to = vptr__type_without_arrays(to);
  content has = content_of(from), sees = content_of(to);
  if (has != CONTENT_POINTERS && sees != CONTENT_POINTERS)
    return true;
  if (has != sees)
    return false;
  if (is_record(from) || is_record(to))
    return vptr__type_same(from, to, false);
  return from->kind == to->kind && may_be_seen_as(from->base, to->base);
}

static void refuse_pun(vptr__solver *solver, vptr__position position) {
  if (vptr__space_log_may_report(&solver->log, position))
    vptr__source_report(
        solver->unit->source, VPTR__ERROR, position,
        "memory that holds pointers is seen as something else here, and their bytes are not those that CUDA "
        "has: use the pointers themselves, or store indexes");
}

static bool is_bytes(const vptr__type *type) {
  type = vptr__type_without_arrays(type);
  return type->kind == VPTR__TYPE_VOID || type->kind == VPTR__TYPE_CHAR || type->kind == VPTR__TYPE_SIGNED_CHAR ||
         type->kind == VPTR__TYPE_UNSIGNED_CHAR;
}

static void add_located(vptr__spaces *spaces, vptr__located **list, const vptr__type *pointer,
                        const vptr__type *other, vptr__position position) {
  if (spaces->is_trial)
    return;
  vptr__located *item = VPTR__ARENA_NEW(spaces->solver->arena, vptr__located);
  *item = (vptr__located){ .variable = vptr__spaces_variable(spaces, pointer), .position = position, .next = *list };
  if (other != NULL)
    item->other = vptr__spaces_variable(spaces, other);
  *list = item;
}

/* Refuses it, where it may be right once it is known which memory that is. */
static void refuse_unless_in_memory(vptr__spaces *spaces, const vptr__expression *cast) {
  if (is_bytes(cast->operands[0]->type->base) || is_bytes(cast->type->base))
    add_located(spaces, &spaces->solver->seen, cast->type, NULL, cast->position);
  else
    refuse_pun(spaces->solver, cast->position);
}

void vptr__pun_cast(vptr__spaces *spaces, const vptr__expression *cast) {
  const vptr__type *from = cast->operands[0]->type, *to = cast->type;
  if (cast->cast == VPTR__CAST_DECAY || from == NULL || from->kind != VPTR__TYPE_POINTER ||
      to->kind != VPTR__TYPE_POINTER || may_be_seen_as(from->base, to->base))
    return;
  if (to->base->kind != VPTR__TYPE_VOID) {
    refuse_unless_in_memory(spaces, cast);
    return;
  }
  vptr__punned *punned = VPTR__ARENA_NEW(spaces->solver->arena, vptr__punned);
  *punned = (vptr__punned){ .cast = cast, .next = spaces->punned };
  spaces->punned = punned;
}

static void remove_punned_cast(vptr__spaces *spaces, const vptr__expression *cast) {
  for (vptr__punned **link = &spaces->punned; *link != NULL; link = &(*link)->next)
    if ((*link)->cast == cast) {
      *link = (*link)->next;
      return;
    }
}

/* What it was before it was cast to void *, by itself or as written; NULL: no pointer. */
static const vptr__type *original_pointer_type(const vptr__expression *argument) {
  while (argument->kind == VPTR__EXPRESSION_CAST && argument->cast != VPTR__CAST_DECAY &&
         argument->type->kind == VPTR__TYPE_POINTER && argument->type->base->kind == VPTR__TYPE_VOID &&
         argument->operands[0]->type->kind == VPTR__TYPE_POINTER)
    argument = argument->operands[0];
  return argument->type->kind == VPTR__TYPE_POINTER ? argument->type : NULL;
}

/* Copied pointers point where they did. Those in device memory have other bytes than elsewhere, but in records. */
static void classify_copy(vptr__spaces *spaces, const vptr__type *to, const vptr__type *from,
                          vptr__position position) {
  if (!may_be_seen_as(from->base, to->base))
    refuse_pun(spaces->solver, position);
  vptr__spaces_relate(spaces, to->base, from->base, position);
  if (vptr__type_without_arrays(from->base)->kind == VPTR__TYPE_POINTER)
    add_located(spaces, &spaces->solver->moved, to, from, position);
}

void vptr__pun_call(vptr__spaces *spaces, const vptr__expression *call) {
  for (const vptr__expression *argument = call->arguments; argument != NULL; argument = argument->next)
    remove_punned_cast(spaces, argument);
  const vptr__expression *to = call->arguments, *from = to != NULL ? to->next : NULL;
  bool is_copy = strcmp(call->builtin->name, "memcpy") == 0 || strcmp(call->builtin->name, "memmove") == 0;
  if (is_copy && from != NULL && original_pointer_type(to) != NULL && original_pointer_type(from) != NULL)
    classify_copy(spaces, original_pointer_type(to), original_pointer_type(from), call->position);
}

void vptr__pun_classify(vptr__spaces *spaces) {
  for (const vptr__punned *punned = spaces->punned; punned != NULL; punned = punned->next)
    refuse_unless_in_memory(spaces, punned->cast);
}

static bool is_in_memory(vptr__space_variable *variable) {
  return vptr__space_variable_value(variable) == VPTR__SPACE_GLOBAL;
}

void vptr__pun_classify_all(vptr__solver *solver) {
  for (const vptr__located *item = solver->seen; item != NULL; item = item->next)
    if (!is_in_memory(item->variable))
      refuse_pun(solver, item->position);
  for (const vptr__located *item = solver->moved; item != NULL; item = item->next)
    if (is_in_memory(item->variable) != is_in_memory(item->other) &&
        vptr__space_log_may_report(&solver->log, item->position))
      vptr__source_report(solver->unit->source, VPTR__ERROR, item->position,
                          "pointers are copied as bytes here, from or to device memory, where they are the host's "
                          "addresses: assign them one by one, or in a struct");
}
