/* SPDX-License-Identifier: MIT */
/* storage - see storage.h. */
#include "translate/lower/storage.h"

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/lower/effect.h"
#include "translate/types/types.h"

enum { NO = 1, YES = 2, AGAIN_SIZE = 48 };

static bool is_plain(const vptr__storing *storing, const vptr__declaration *variable) {
  return vptr__map_find(storing->plain, (uintptr_t)variable) != NULL;
}

/* A kernel's parameter that nobody writes to may stay what it is. */
static bool is_untouched(const vptr__storing *storing, const vptr__declaration *variable) {
  return variable->kind == VPTR__DECLARATION_PARAMETER && storing->instance->is_kernel &&
         (variable->flags & (VPTR__ADDRESSED | VPTR__ASSIGNED)) == 0;
}

/* ---- again ------------------------------------------------------------------------------------------------- */

typedef struct again_walk {
  vptr__storing *storing;
  const vptr__write *write; /* of the variable that is asked about */
  int size;
  bool is_cheap;
} again_walk;

static bool is_again(vptr__storing *storing, vptr__declaration *variable);

/* Whether it still has, wherever the other variable can be used, the value that it had when the other one was
   written. */
static bool stays(const vptr__storing *storing, const vptr__declaration *leaf, const vptr__write *other) {
  const vptr__write *write = vptr__write_to(storing->writes, leaf);
  if (leaf->kind == VPTR__DECLARATION_PARAMETER)
    return write->count == 0;
  if (other->is_initializer && write->counter != NULL)
    return vptr__write_is_within(storing->writes, other->loop, write->counter);
  if (write->count != 1 || write->value == NULL)
    return false;
  return (write->is_initializer && other->is_initializer) || write->loop == NULL;
}

static bool is_leaf(again_walk *walk, vptr__declaration *variable) {
  vptr__storing *storing = walk->storing;
  if (variable->flags & VPTR__BUILT_IN)
    return true;
  if (variable->kind == VPTR__DECLARATION_ENUMERATOR)
    return true;
  if (variable->flags & (VPTR__SHARED | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED))
    return true; /* its address: what is loaded has been looked for */
  if (variable->flags & VPTR__AT_NAMESPACE)
    return variable->has_value;
  if (is_untouched(storing, variable))
    return true;
  return stays(storing, variable, walk->write) && (is_plain(storing, variable) || is_again(storing, variable));
}

static void look_at(void *context, vptr__expression *expression) {
  again_walk *walk = context;
  walk->size++;
  switch (expression->kind) {
  case VPTR__EXPRESSION_NAME:
    walk->is_cheap &= expression->declaration != NULL && is_leaf(walk, expression->declaration);
    break;
  case VPTR__EXPRESSION_CALL:
  case VPTR__EXPRESSION_BUILT_IN_CALL:
  case VPTR__EXPRESSION_CONSTRUCT:
  case VPTR__EXPRESSION_INIT_LIST:
  case VPTR__EXPRESSION_STRING:
    walk->is_cheap = false;
    break;
  default:
    break;
  }
}

static bool is_cheap(vptr__storing *storing, const vptr__write *write) {
  vptr__effects effects = { .arena = storing->arena };
  vptr__effect effect = vptr__effect_of(&effects, storing->instance, write->value);
  if (effect.writes || effect.steps || effect.loads || effect.gathers)
    return false;
  again_walk walk = { .storing = storing, .write = write, .is_cheap = true };
  vptr__visitor visitor = { .expression = look_at, .context = &walk };
  vptr__visit_expression(&visitor, (vptr__expression *)write->value);
  return walk.is_cheap && walk.size <= AGAIN_SIZE;
}

static bool is_scalar(const vptr__type *type) {
  return type->kind != VPTR__TYPE_RECORD && type->kind != VPTR__TYPE_ARRAY && type->kind != VPTR__TYPE_REFERENCE;
}

static bool may_be_again(const vptr__storing *storing, const vptr__declaration *variable, const vptr__write *write) {
  const unsigned elsewhere = VPTR__ADDRESSED | VPTR__SHARED | VPTR__STATIC;
  return variable->kind == VPTR__DECLARATION_VARIABLE && is_scalar(variable->type) &&
         (variable->flags & elsewhere) == 0 && (variable->type->qualifiers & VPTR__VOLATILE) == 0 &&
         write->count == 1 && write->value != NULL && is_cheap((vptr__storing *)storing, write);
}

static bool is_again(vptr__storing *storing, vptr__declaration *variable) {
  void **slot = vptr__map_put(storing->arena, &storing->again, (uintptr_t)variable);
  if (*slot != NULL)
    return (uintptr_t)*slot == YES;
  *slot = (void *)(uintptr_t)NO; /* until it is known */
  vptr__arena_enter(storing->arena);
  bool is =
      !is_plain(storing, variable) && may_be_again(storing, variable, vptr__write_to(storing->writes, variable));
  vptr__arena_leave(storing->arena);
  *vptr__map_put(storing->arena, &storing->again, (uintptr_t)variable) = (void *)(uintptr_t)(is ? YES : NO);
  return is;
}

/* ---- inside ------------------------------------------------------------------------------------------------ */

typedef struct name_walk {
  const vptr__declaration *variable;
  bool is_named;
} name_walk;

static void look_for_name(void *context, vptr__expression *expression) {
  name_walk *walk = context;
  walk->is_named |= expression->kind == VPTR__EXPRESSION_NAME && expression->declaration == walk->variable;
}

static bool names(const vptr__expression *expression, const vptr__declaration *variable) {
  name_walk walk = { .variable = variable };
  vptr__visitor visitor = { .expression = look_for_name, .context = &walk };
  vptr__visit_expression(&visitor, (vptr__expression *)expression);
  return walk.is_named;
}

static bool statement_names(const vptr__statement *statement, const vptr__declaration *variable) {
  name_walk walk = { .variable = variable };
  vptr__visitor visitor = { .expression = look_for_name, .context = &walk };
  vptr__statement alone = *statement;
  alone.next = NULL;
  vptr__visit_statement(&visitor, &alone);
  return walk.is_named;
}

static bool sets_first(const vptr__statement *statement, const vptr__declaration *variable, bool is_named_later);

static bool list_names(const vptr__statement *list, const vptr__declaration *variable) {
  for (; list != NULL; list = list->next)
    if (statement_names(list, variable))
      return true;
  return false;
}

/* The first of them that names it gives it a value, wherever control goes from there to a place that names it. */
static bool list_sets_first(const vptr__statement *list, const vptr__declaration *variable, bool is_named_later) {
  for (; list != NULL; list = list->next)
    if (statement_names(list, variable))
      return sets_first(list, variable, is_named_later || list_names(list->next, variable));
  return false;
}

static bool if_sets_first(const vptr__statement *choice, const vptr__declaration *variable, bool is_named_later) {
  if (names(choice->expression, variable) || choice->declarations != NULL || choice->first != NULL)
    return false;
  bool first = list_names(choice->body, variable), second = list_names(choice->otherwise, variable);
  return (first || !is_named_later) && (second || !is_named_later) &&
         (!first || list_sets_first(choice->body, variable, is_named_later)) &&
         (!second || list_sets_first(choice->otherwise, variable, is_named_later));
}

/* In each round anew. */
static bool loop_sets_first(const vptr__statement *loop, const vptr__declaration *variable, bool is_named_later) {
  return !is_named_later && !names(loop->expression, variable) && !names(loop->step, variable) &&
         loop->declarations == NULL && !list_names(loop->first, variable) &&
         list_sets_first(loop->body, variable, false);
}

static bool sets_first(const vptr__statement *statement, const vptr__declaration *variable, bool is_named_later) {
  const vptr__expression *expression = statement->expression;
  switch (statement->kind) {
  case VPTR__STATEMENT_EXPRESSION:
    return expression->kind == VPTR__EXPRESSION_ASSIGN && expression->op == '=' &&
           vptr__effect_target(expression) == variable && !names(expression->operands[1], variable);
  case VPTR__STATEMENT_BLOCK:
    return list_sets_first(statement->first, variable, is_named_later);
  case VPTR__STATEMENT_IF:
    return if_sets_first(statement, variable, is_named_later);
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_DO:
  case VPTR__STATEMENT_FOR:
    return loop_sets_first(statement, variable, is_named_later);
  default:
    return false;
  }
}

/* Whether any behind it names the variable. */
static bool items_name(const vptr__region_item *item, const vptr__declaration *variable) {
  for (; item != NULL; item = item->next)
    if (item->statement != NULL ? statement_names(item->statement, variable)
                                : names(item->variable->initializer, variable))
      return true;
  return false;
}

static bool region_sets_first(const vptr__region *region, const vptr__declaration *variable) {
  for (const vptr__region_item *item = region->items; item != NULL; item = item->next) {
    if (item->variable != NULL && names(item->variable->initializer, variable))
      return false;
    if (item->statement != NULL && statement_names(item->statement, variable))
      return sets_first(item->statement, variable, items_name(item->next, variable));
  }
  return false;
}

typedef struct spread_walk {
  const vptr__declaration *variable;
  unsigned names, elements;
} spread_walk;

static const vptr__expression *array_of(const vptr__expression *index) {
  while (index->kind == VPTR__EXPRESSION_INDEX && index->operands[0]->kind == VPTR__EXPRESSION_CAST &&
         index->operands[0]->cast == VPTR__CAST_DECAY)
    index = index->operands[0]->operands[0];
  return index;
}

static void look_at_element(void *context, vptr__expression *expression) {
  spread_walk *walk = context;
  if (expression->kind == VPTR__EXPRESSION_NAME)
    walk->names += expression->declaration == walk->variable;
  if (expression->kind != VPTR__EXPRESSION_INDEX || expression->type->kind == VPTR__TYPE_ARRAY)
    return;
  const vptr__expression *array = array_of(expression);
  walk->elements += array->kind == VPTR__EXPRESSION_NAME && array->declaration == walk->variable;
}

/* Nothing is named but its elements. */
static bool is_spread(const vptr__storing *storing, const vptr__declaration *variable) {
  if (variable->type->kind != VPTR__TYPE_ARRAY)
    return false;
  spread_walk walk = { .variable = variable };
  vptr__visitor visitor = { .expression = look_at_element, .context = &walk };
  vptr__visit_statement(&visitor, storing->instance->function->body);
  return walk.names == walk.elements;
}

/* Behind a pointer it may be used where it is not named, in another loop too. */
static bool is_pointed_to(const vptr__storing *storing, const vptr__declaration *variable) {
  return (variable->flags & VPTR__ADDRESSED) != 0 && !is_spread(storing, variable);
}

static bool is_inside(const vptr__storing *storing, const vptr__usage *usage) {
  if (is_pointed_to(storing, usage->variable))
    return false;
  if (usage->is_many || usage->is_outside || usage->variable->kind == VPTR__DECLARATION_PARAMETER)
    return false;
  if (usage->region == NULL || usage->declared != NULL)
    return true;
  return usage->loop == usage->region->loop || region_sets_first(usage->region, usage->variable);
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

static const vptr__type *element_of(const vptr__type *type) {
  while (type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  return type;
}

/* A table that is the same for all threads. */
static bool is_table(const vptr__declaration *variable) {
  return variable->type->kind == VPTR__TYPE_ARRAY && variable->initializer != NULL &&
         (element_of(variable->type)->qualifiers & VPTR__CONST) != 0 &&
         vptr__types_initial_bytes(variable, NULL, NULL, NULL);
}

static vptr__storage storage_of(vptr__storing *storing, const vptr__usage *usage) {
  if (is_plain(storing, usage->variable) || is_table(usage->variable) || is_untouched(storing, usage->variable))
    return VPTR__STORAGE_PLAIN;
  if (!usage->is_outside && is_again(storing, usage->variable))
    return VPTR__STORAGE_AGAIN;
  return is_inside(storing, usage) ? VPTR__STORAGE_INSIDE : VPTR__STORAGE_KEPT;
}

/* What is assigned to as a whole, element by element. */
static bool can_be_kept(const vptr__declaration *variable) {
  const vptr__type *element = element_of(variable->type);
  if (element->kind != VPTR__TYPE_RECORD)
    return true;
  for (const vptr__declaration *field = element->declaration->fields; field != NULL; field = field->next)
    if (field->type == NULL || (element_of(field->type)->qualifiers & VPTR__CONST) != 0 ||
        field->type->kind == VPTR__TYPE_REFERENCE)
      return false;
  return true;
}

static bool keep_variable(vptr__storing *storing, const vptr__usage *usage) {
  enum { ADDRESS = 8 };
  const vptr__declaration *variable = usage->variable;
  bool is_passed = variable->kind == VPTR__DECLARATION_PARAMETER && !storing->instance->is_kernel;
  uint64_t size = variable->type->kind == VPTR__TYPE_REFERENCE ? ADDRESS : vptr__type_size(variable->type);
  if (!is_passed && size < VPTR__LOOPS_BYTES)
    storing->loops->bytes += size * storing->loops->threads;
  return size < VPTR__LOOPS_BYTES && storing->loops->bytes <= VPTR__LOOPS_BYTES && can_be_kept(variable);
}

bool vptr__storage_choose(vptr__storing *storing) {
  vptr__place_of **end = &storing->loops->all;
  for (const vptr__usage *usage = storing->usages->first; usage != NULL; usage = usage->next) {
    if (!usage->is_listed)
      continue;
    vptr__place_of *place = VPTR__ARENA_NEW(storing->arena, vptr__place_of);
    *place = (vptr__place_of){ .variable = usage->variable, .storage = storage_of(storing, usage) };
    if (place->storage == VPTR__STORAGE_AGAIN)
      place->value = vptr__write_to(storing->writes, usage->variable)->value;
    if (place->storage == VPTR__STORAGE_KEPT && !keep_variable(storing, usage))
      return false;
    place->is_spread = place->storage == VPTR__STORAGE_KEPT && is_spread(storing, usage->variable);
    *vptr__map_put(storing->arena, &storing->loops->places, (uintptr_t)usage->variable) = place;
    *end = place;
    end = &place->next;
  }
  return true;
}
