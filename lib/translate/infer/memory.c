/* SPDX-License-Identifier: MIT */
/*
 * memory - pointers and records that lie in device memory.
 *
 * What the host wrote there, and what it will read, are its own addresses: the kernel translates when it loads such a
 * pointer and when it stores one (emit/stored.c). That works for one kind of pointer, into global memory, the only
 * one that means something to others. So a pointer that lies in global memory points into global memory, all the way
 * down, and whoever is related to it does too.
 *
 * A record is one type in the module and is copied as bytes. So if one record of a type lies in global memory, all of
 * that type have the host's addresses in them, those that are a thread's own as well (VPTR__IN_MEMORY).
 */
#include "translate/infer/solver.h"

void vptr__memory_imply(vptr__solver *solver, vptr__space_variable *variable, const vptr__type *pointee,
                        vptr__space_variable *inner) {
  bool is_record = pointee != NULL && pointee->kind == VPTR__TYPE_RECORD && pointee->declaration != NULL;
  if (inner == NULL && !is_record)
    return;
  vptr__space_implied *implied = VPTR__ARENA_NEW(solver->arena, vptr__space_implied);
  *implied = (vptr__space_implied){ .variable = inner, .record = inner == NULL ? pointee->declaration : NULL };
  vptr__space_variable_imply(&solver->log, variable, implied);
}

static void enter_type(vptr__space_log *log, const vptr__type *type, vptr__position position) {
  type = vptr__type_without_arrays(type);
  if (type->kind == VPTR__TYPE_POINTER && type->space != NULL)
    vptr__space_variable_store(log, type->space, position);
  else if (type->kind == VPTR__TYPE_RECORD && type->declaration != NULL)
    vptr__memory_enter(log, type->declaration, position);
}

void vptr__memory_enter(vptr__space_log *log, vptr__declaration *record, vptr__position position) {
  if ((record->flags & VPTR__IN_MEMORY) || !vptr__infer_has_pointers(record->type))
    return;
  vptr__source *source = log->source;
  vptr__shared_learn_record(log->solver, record);
  record->flags |= VPTR__IN_MEMORY;
  vptr__arena_enter(vptr__source_arena(source));
  for (const vptr__declaration *field = record->fields; field != NULL; field = field->next)
    enter_type(log, field->type, position);
  vptr__arena_leave(vptr__source_arena(source));
}

void vptr__memory_variable(vptr__solver *solver, const vptr__declaration *variable) {
  if (variable->flags & (VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED))
    enter_type(&solver->log, variable->type, variable->position);
}
