/* SPDX-License-Identifier: MIT */
/* inside - see inside.h. */
#include "translate/lower/inside.h"

#include <string.h>

#include "translate/infer/visit.h"
#include "translate/lower/effect.h"
#include "translate/types/builtin.h"

typedef struct inside_walk {
  const vptr__instance *instance;
  vptr__inside *inside;
} inside_walk;

/* Types of the table are nobody's: it is asked of what there was before conversions. */
static bool has_own_pointer(const vptr__instance *instance, const vptr__expression *call) {
  const vptr__expression *pointer = call->arguments;
  while (pointer != NULL && pointer->kind == VPTR__EXPRESSION_CAST && pointer->cast == VPTR__CAST_IMPLICIT)
    pointer = pointer->operands[0];
  if (pointer == NULL || pointer->type == NULL)
    return false;
  if (pointer->kind == VPTR__EXPRESSION_CAST && pointer->cast == VPTR__CAST_DECAY)
    return vptr__infer_lvalue(instance, pointer->operands[0]) == VPTR__SPACE_PRIVATE;
  return pointer->type->kind == VPTR__TYPE_POINTER &&
         vptr__infer_space(instance, pointer->type) == VPTR__SPACE_PRIVATE;
}

bool vptr__inside_is_native_choice(const vptr__statement *statement) {
  const vptr__expression *condition = statement->kind == VPTR__STATEMENT_IF ? statement->expression : NULL;
  while (condition != NULL && condition->kind == VPTR__EXPRESSION_CAST)
    condition = condition->operands[0];
  return condition != NULL && condition->kind == VPTR__EXPRESSION_BUILT_IN_CALL && condition->builtin != NULL &&
         strcmp(condition->builtin->lowered, "native") == 0;
}

/* It comes last, and what stands before it declares the block's shared variables. */
const vptr__statement *vptr__inside_arm(const vptr__instance *kernel) {
  const vptr__statement *choice = kernel->function->body->first;
  while (choice != NULL && choice->kind == VPTR__STATEMENT_DECLARATION)
    choice = choice->next;
  if (choice == NULL || !vptr__inside_is_native_choice(choice))
    return NULL;
  for (const vptr__statement *behind = choice->next; behind != NULL; behind = behind->next)
    if (behind->kind != VPTR__STATEMENT_EMPTY)
      return NULL;
  return choice->body != NULL && choice->body->kind == VPTR__STATEMENT_BLOCK ? choice->body : NULL;
}

/* Numbered barriers, which some threads only come by, are not for all together; and who sleeps waits for another. */
static bool is_of_thread(const vptr__instance *instance, const vptr__expression *call) {
  if (call->kind != VPTR__EXPRESSION_BUILT_IN_CALL || call->builtin == NULL)
    return false;
  const char *word = call->builtin->lowered;
  return strcmp(word, "native") == 0 || strcmp(word, "block") == 0 || strcmp(word, "grid") == 0 ||
         strcmp(word, "vptr_warp_barrier_some") == 0 || strcmp(word, "vptr_warp_barrier_arrive") == 0 ||
         strcmp(word, "vptr_warp_pause") == 0 || (call->builtin->flags & VPTR__BUILTIN_OWN) != 0 ||
         (strcmp(word, "number") == 0 && has_own_pointer(instance, call));
}

/* All but the exchanges of warps. */
static bool meets_block(const vptr__expression *call) {
  return call->builtin == NULL || (call->builtin->flags & VPTR__BUILTIN_WARP) == 0 ||
         strncmp(call->builtin->lowered, "vptr_warp_barrier", strlen("vptr_warp_barrier")) == 0;
}

static void look_at(void *context, vptr__expression *expression) {
  inside_walk *walk = context;
  bool gathers = vptr__effect_is_gathering(walk->instance, expression);
  walk->inside->gathers |= gathers;
  walk->inside->meets |= gathers && meets_block(expression);
  walk->inside->is_of_thread |= is_of_thread(walk->instance, expression);
}

static void add_expression(const vptr__insides *insides, vptr__inside *inside, const vptr__expression *expression) {
  inside_walk walk = { insides->instance, inside };
  vptr__visitor visitor = { .expression = look_at, .context = &walk };
  vptr__visit_expression(&visitor, (vptr__expression *)expression);
}

static void add_list(vptr__insides *insides, vptr__inside *all, const vptr__statement *list) {
  for (; list != NULL; list = list->next) {
    const vptr__inside *one = vptr__inside_of(insides, list);
    all->gathers |= one->gathers;
    all->meets |= one->meets;
    all->has_loop |= one->has_loop;
    all->has_label |= one->has_label;
    all->has_case |= one->has_case;
    all->is_of_thread |= one->is_of_thread;
    all->returns |= one->returns;
    all->breaks |= one->breaks;
    all->continues |= one->continues;
  }
}

/* Jumps that end in the statement. */
static void take_jumps(vptr__inside *inside, const vptr__statement *statement) {
  switch (statement->kind) {
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_DO:
  case VPTR__STATEMENT_FOR:
    inside->has_loop = true;
    inside->breaks = inside->continues = false;
    break;
  case VPTR__STATEMENT_SWITCH:
    inside->breaks = inside->has_case = false;
    break;
  default:
    break;
  }
}

static void add_own(const vptr__insides *insides, vptr__inside *inside, const vptr__statement *statement) {
  inside->has_label |= statement->kind == VPTR__STATEMENT_GOTO || statement->kind == VPTR__STATEMENT_LABEL;
  inside->has_case |= statement->kind == VPTR__STATEMENT_CASE || statement->kind == VPTR__STATEMENT_DEFAULT;
  inside->returns |= statement->kind == VPTR__STATEMENT_RETURN;
  inside->breaks |= statement->kind == VPTR__STATEMENT_BREAK;
  inside->continues |= statement->kind == VPTR__STATEMENT_CONTINUE;
  for (const vptr__declaration *each = statement->declarations; each != NULL; each = each->next)
    add_expression(insides, inside, each->initializer);
  if (statement->kind != VPTR__STATEMENT_CASE)
    add_expression(insides, inside, statement->expression);
  add_expression(insides, inside, statement->step);
}

const vptr__inside *vptr__inside_of(vptr__insides *insides, const vptr__statement *statement) {
  void **slot = vptr__map_put(insides->arena, &insides->found, (uintptr_t)statement);
  if (*slot != NULL)
    return *slot;
  vptr__inside *inside = VPTR__ARENA_NEW(insides->arena, vptr__inside);
  *slot = inside;
  add_list(insides, inside, statement->first);
  add_list(insides, inside, statement->body);
  add_list(insides, inside, statement->otherwise);
  take_jumps(inside, statement);
  add_own(insides, inside, statement);
  return inside;
}
