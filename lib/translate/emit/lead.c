/* SPDX-License-Identifier: MIT */
/*
 * lead - a loop over threads that begins with a loop of the program in which 32 neighbours do the same: see outline.h.
 *
 *     for (int k = 0; k < threadIdx.x / 32; k++)     each 32 threads of a row { the loop, once;
 *       before += part[k];                             each thread of them { out[i] = value + before; } }
 *     out[i] = value + before;
 *
 * So the second stage of scans by shuffles is written. The loop over threads would go round it for each of them, by no
 * vector: more than half of a scan's time. It may depend on nothing of the thread but where 32 of a row are together
 * (threadIdx.x divided by a multiple of 32, or compared with one), y and z; what it writes are variables of the loop
 * over threads, to which nothing behind it writes; and it is the first, so nothing that a thread does comes before it
 * that came behind. What it loads is the same for all of them, since nobody may write there meanwhile.
 */
#include "translate/emit/outline.h"

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/lower/effect.h"

enum { NEIGHBOURS = VPTR__LOOPS_WARP, DEPTH_MOST = 64 };

typedef struct lead_walk {
  vptr__outline *outline;
  vptr__map *led; /* the variables that it writes to */
  bool has_loop;
} lead_walk;

static bool is_value_alike(lead_walk *walk, const vptr__expression *value, int depth);

static const vptr__expression *bare(const vptr__expression *value) {
  while ((value->kind == VPTR__EXPRESSION_CAST && value->cast != VPTR__CAST_DECAY) ||
         value->kind == VPTR__EXPRESSION_LOAD)
    value = value->operands[0];
  return value;
}

/* ---- values ------------------------------------------------------------------------------------------------ */

/* The place in a row, and a number with which 32 neighbours fall on one side. */
static bool is_cut_between(const lead_walk *walk, const vptr__expression *value) {
  const vptr__expression *number = bare(value->operands[1]);
  if (number->kind != VPTR__EXPRESSION_INTEGER || !vptr__outline_is_place_in_row(walk->outline, value->operands[0]))
    return false;
  switch ((int)value->op) {
  case '<':
  case VPTR__TOKEN_GREATER_EQUAL:
    return number->integer % NEIGHBOURS == 0;
  case '>':
  case VPTR__TOKEN_LESS_EQUAL:
    return (number->integer + 1) % NEIGHBOURS == 0;
  case '/':
    return number->integer != 0 && number->integer % NEIGHBOURS == 0;
  case VPTR__TOKEN_SHIFT_RIGHT:
    return number->integer >= 5 && number->integer < 32;
  default:
    return false;
  }
}

static bool is_name_alike(lead_walk *walk, const vptr__expression *name, int depth) {
  const vptr__declaration *variable = name->declaration;
  if (variable == NULL || (variable->flags & VPTR__BUILT_IN) != 0 || variable->type->kind == VPTR__TYPE_REFERENCE ||
      (vptr__effect_is_own(name) && (variable->flags & VPTR__ADDRESSED) != 0))
    return false;
  const vptr__place_of *place = vptr__loops_place(walk->outline->loops, variable);
  if (place == NULL || place->storage == VPTR__STORAGE_PLAIN)
    return true;
  return place->storage == VPTR__STORAGE_AGAIN ? place->value != NULL && is_value_alike(walk, place->value, depth)
                                               : vptr__map_find(walk->led, (uintptr_t)variable) != NULL;
}

static bool is_member_alike(lead_walk *walk, const vptr__expression *member, int depth) {
  const vptr__expression *object = bare(member->operands[0]);
  if (object->kind != VPTR__EXPRESSION_NAME || object->declaration == NULL ||
      (object->declaration->flags & VPTR__BUILT_IN) == 0)
    return is_value_alike(walk, member->operands[0], depth);
  return object->declaration->built_in != VPTR__THREAD_IDX || (member->name != NULL && member->name->text[0] != 'x');
}

/* A variable of this loop over threads, or one that the statement declares. */
static bool is_target_alike(lead_walk *walk, const vptr__expression *expression) {
  const vptr__declaration *target = vptr__effect_target(expression);
  if (target == NULL || (target->flags & VPTR__ADDRESSED) != 0 || target->kind != VPTR__DECLARATION_VARIABLE)
    return false;
  const vptr__place_of *place = vptr__loops_place(walk->outline->loops, target);
  return place == NULL || vptr__map_find(walk->led, (uintptr_t)target) != NULL;
}

static bool is_value_alike(lead_walk *walk, const vptr__expression *value, int depth) {
  if (value == NULL)
    return true;
  if (depth++ > DEPTH_MOST || (value->type != NULL && (value->type->qualifiers & VPTR__VOLATILE) != 0))
    return false;
  switch (value->kind) {
  case VPTR__EXPRESSION_INTEGER:
  case VPTR__EXPRESSION_FLOATING:
  case VPTR__EXPRESSION_BOOL:
    return true;
  case VPTR__EXPRESSION_NAME:
    return is_name_alike(walk, value, depth);
  case VPTR__EXPRESSION_MEMBER:
    return is_member_alike(walk, value, depth);
  case VPTR__EXPRESSION_UNARY:
    if (value->op == VPTR__TOKEN_INCREMENT || value->op == VPTR__TOKEN_DECREMENT)
      return is_target_alike(walk, value);
    break;
  case VPTR__EXPRESSION_ASSIGN:
    return is_target_alike(walk, value) && is_value_alike(walk, value->operands[1], depth);
  case VPTR__EXPRESSION_BINARY:
    if (is_cut_between(walk, value))
      return true;
    break;
  case VPTR__EXPRESSION_LOAD:
  case VPTR__EXPRESSION_CAST:
  case VPTR__EXPRESSION_INDEX:
  case VPTR__EXPRESSION_CONDITIONAL:
    break;
  default:
    return false;
  }
  for (int i = 0; i < 3; i++)
    if (!is_value_alike(walk, value->operands[i], depth))
      return false;
  return true;
}

/* ---- statements -------------------------------------------------------------------------------------------- */

static bool is_list_alike(lead_walk *walk, const vptr__statement *list, int depth);

static bool are_variables_alike(lead_walk *walk, const vptr__declaration *variable) {
  for (; variable != NULL; variable = variable->next)
    if (variable->kind != VPTR__DECLARATION_VARIABLE || variable->type->kind == VPTR__TYPE_ARRAY ||
        variable->type->kind == VPTR__TYPE_RECORD || !is_value_alike(walk, variable->initializer, 0))
      return false;
  return true;
}

/* What it consists of, whatever jumps where in it. */
static bool is_statement_alike(lead_walk *walk, const vptr__statement *statement, int depth) {
  switch (statement->kind) {
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_DO:
  case VPTR__STATEMENT_FOR:
    walk->has_loop = true;
    break;
  case VPTR__STATEMENT_EMPTY:
  case VPTR__STATEMENT_EXPRESSION:
  case VPTR__STATEMENT_DECLARATION:
  case VPTR__STATEMENT_BLOCK:
  case VPTR__STATEMENT_IF:
  case VPTR__STATEMENT_BREAK:
  case VPTR__STATEMENT_CONTINUE:
    break;
  default:
    return false;
  }
  return is_list_alike(walk, statement->first, depth) && are_variables_alike(walk, statement->declarations) &&
         is_value_alike(walk, statement->expression, 0) && is_value_alike(walk, statement->step, 0) &&
         is_list_alike(walk, statement->body, depth) && is_list_alike(walk, statement->otherwise, depth);
}

static bool is_list_alike(lead_walk *walk, const vptr__statement *list, int depth) {
  for (; list != NULL; list = list->next)
    if (depth > DEPTH_MOST || !is_statement_alike(walk, list, depth + 1))
      return false;
  return true;
}

/* ---- what is written --------------------------------------------------------------------------------------- */

typedef struct target_walk {
  vptr__outline *outline;
  vptr__map *led;
  bool takes,
      is_written; /* takes: those of the loop over threads become the led ones; else: one of them is written */
} target_walk;

static void look_at_target(void *context, vptr__expression *expression) {
  target_walk *walk = context;
  const vptr__declaration *target = vptr__effect_target(expression);
  if (target == NULL)
    return;
  const vptr__place_of *place = vptr__loops_place(walk->outline->loops, target);
  if (!walk->takes)
    walk->is_written |= vptr__map_find(walk->led, (uintptr_t)target) != NULL;
  else if (place != NULL && place->storage == VPTR__STORAGE_INSIDE && target->initializer == NULL)
    *vptr__map_put(walk->outline->emitter->arena, walk->led, (uintptr_t)target) = walk;
}

static void look_for_targets(target_walk *walk, const vptr__region_item *item) {
  vptr__visitor visitor = { .expression = look_at_target, .context = walk };
  if (item->variable != NULL)
    vptr__visit_expression(&visitor, item->variable->initializer);
  if (item->statement == NULL)
    return;
  vptr__statement alone = *item->statement;
  alone.next = NULL;
  vptr__visit_statement(&visitor, &alone);
}

bool vptr__outline_leads(vptr__outline *outline, const vptr__statement *statement) {
  const vptr__region *region = outline->region;
  const vptr__region_item *first = region->items;
  while (first != NULL && first->statement != statement)
    first = first->next;
  outline->led = (vptr__map){ 0 };
  if (first == NULL || first->next == NULL || region->mask != NULL || region->has_result || region->is_left ||
      outline->loops->narrows)
    return false;
  target_walk targets = { outline, &outline->led, true, false };
  look_for_targets(&targets, first);
  targets.takes = false;
  for (const vptr__region_item *item = first->next; item != NULL; item = item->next)
    look_for_targets(&targets, item);
  vptr__statement alone = *statement;
  alone.next = NULL;
  lead_walk walk = { outline, &outline->led, false };
  return !targets.is_written && is_list_alike(&walk, &alone, 0) && walk.has_loop;
}
