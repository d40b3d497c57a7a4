/* SPDX-License-Identifier: MIT */
/* leave - see leave.h. */
#include "translate/lower/leave.h"

#include "translate/infer/visit.h"

typedef struct write_walk {
  vptr__effects *effects;
  const vptr__instance *instance;
  bool writes;
} write_walk;

static void look_at(void *context, vptr__expression *expression) {
  write_walk *walk = context;
  if (expression->kind != VPTR__EXPRESSION_ASSIGN && expression->kind != VPTR__EXPRESSION_UNARY &&
      expression->kind != VPTR__EXPRESSION_CALL && expression->kind != VPTR__EXPRESSION_BUILT_IN_CALL)
    return;
  vptr__effect effect = vptr__effect_of(walk->effects, walk->instance, expression);
  walk->writes |= effect.writes || effect.gathers;
}

/* Only the thread notices that it has been there. */
static bool is_silent(vptr__effects *effects, vptr__insides *insides, const vptr__statement *statement) {
  const vptr__inside *inside = vptr__inside_of(insides, statement);
  if (inside->has_loop || inside->has_label)
    return false;
  write_walk walk = { .effects = effects, .instance = insides->instance };
  vptr__visitor visitor = { .expression = look_at, .context = &walk };
  vptr__statement alone = *statement;
  alone.next = NULL;
  vptr__visit_statement(&visitor, &alone);
  return !walk.writes;
}

static bool is_last(const vptr__statement *statement) {
  for (statement = statement->next; statement != NULL; statement = statement->next)
    if (statement->kind != VPTR__STATEMENT_EMPTY)
      return false;
  return true;
}

/* All that is left is under its condition. */
static bool is_rest(vptr__effects *effects, vptr__insides *insides, const vptr__statement *statement) {
  write_walk walk = { .effects = effects, .instance = insides->instance };
  if (statement->kind != VPTR__STATEMENT_IF || !is_last(statement) || statement->otherwise != NULL ||
      statement->first != NULL || statement->declarations != NULL || !vptr__inside_of(insides, statement)->has_loop)
    return false;
  vptr__visitor visitor = { .expression = look_at, .context = &walk };
  vptr__visit_expression(&visitor, statement->expression);
  return !walk.writes;
}

static void mark(vptr__effects *effects, vptr__apart *apart, const vptr__statement *statement, vptr__leave leave) {
  *vptr__map_put(effects->arena, &apart->leaves, (uintptr_t)statement) = (void *)(uintptr_t)leave;
}

/* A list of statements behind which nothing is. */
static void find_in(vptr__effects *effects, vptr__insides *insides, vptr__apart *apart, const vptr__statement *list) {
  for (; list != NULL && is_silent(effects, insides, list); list = list->next) {
    if (!vptr__inside_of(insides, list)->returns)
      continue;
    if (list->kind != VPTR__STATEMENT_IF)
      return;
    mark(effects, apart, list, VPTR__LEAVE_RETURNS);
  }
  if (list == NULL || !is_rest(effects, insides, list))
    return;
  mark(effects, apart, list, VPTR__LEAVE_REST);
  find_in(effects, insides, apart, list->body->kind == VPTR__STATEMENT_BLOCK ? list->body->first : list->body);
}

void vptr__leaves_find(vptr__effects *effects, vptr__insides *insides, vptr__apart *apart) {
  find_in(effects, insides, apart, insides->instance->function->body->first);
}
