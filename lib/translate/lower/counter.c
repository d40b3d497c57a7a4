/* SPDX-License-Identifier: MIT */
/* counter - see counter.h. The function is walked twice: to see which variables can be split, and to do it. */
#include "translate/lower/counter.h"

#include "translate/infer/visit.h"
#include "translate/lower/planning.h"
#include "translate/lower/track.h"

typedef struct counter {
  unsigned uses, uses_in_spans, spans;
  bool is_in_span;
  vptr__declaration *made; /* of the span that is walked, where it is split */
} counter;

typedef struct counting {
  vptr__arena *arena;
  vptr__insides insides;
  vptr__track track;
  vptr__map counters; /* declaration -> counter */
  bool splits;        /* the second walk */
} counting;

/* A loop with the assignment that it begins with. */
typedef struct span {
  vptr__statement *assignment, *loop;
  counter *counter; /* NULL: there is none */
} span;

static counter *counter_of(counting *counting, const vptr__declaration *variable) {
  if (variable == NULL || variable->kind != VPTR__DECLARATION_VARIABLE ||
      vptr__track_number(&counting->track, variable) < 0)
    return NULL;
  void **slot = vptr__map_put(counting->arena, &counting->counters, (uintptr_t)variable);
  if (*slot == NULL)
    *slot = VPTR__ARENA_NEW(counting->arena, counter);
  return *slot;
}

/* ---- spans --------------------------------------------------------------------------------------------------- */

typedef struct use_walk {
  const vptr__declaration *variable;
  bool is_used;
} use_walk;

static void look_for_use(void *context, vptr__expression *expression) {
  use_walk *walk = context;
  walk->is_used |= expression->kind == VPTR__EXPRESSION_NAME && expression->declaration == walk->variable;
}

static bool is_used_in(const vptr__declaration *variable, vptr__expression *expression) {
  use_walk walk = { variable, false };
  vptr__visitor visitor = { .expression = look_for_use, .context = &walk };
  vptr__visit_expression(&visitor, expression);
  return walk.is_used;
}

/* NULL: it is no `i = e;` with an e that does without i. */
static const vptr__declaration *assigned_by(const vptr__statement *statement) {
  if (statement == NULL || statement->kind != VPTR__STATEMENT_EXPRESSION)
    return NULL;
  const vptr__expression *expression = statement->expression;
  if (expression->kind != VPTR__EXPRESSION_ASSIGN || expression->op != '=')
    return NULL;
  const vptr__declaration *variable = vptr__effect_target(expression);
  return variable != NULL && !is_used_in(variable, expression->operands[1]) ? variable : NULL;
}

/* Of a loop's head, or of a statement and the loop behind it. One that a case leads into has no beginning. */
static span span_at(counting *counting, vptr__statement *statement) {
  span span = { statement, statement->next, NULL };
  if (vptr__outer_is_loop(statement))
    span.assignment = statement->first, span.loop = statement;
  const vptr__declaration *variable = assigned_by(span.assignment);
  if (variable != NULL && span.loop != NULL && vptr__outer_is_loop(span.loop) &&
      !vptr__inside_of(&counting->insides, span.loop)->has_case)
    span.counter = counter_of(counting, variable);
  return span;
}

/* ---- what is made of them ------------------------------------------------------------------------------------ */

static bool can_be_split(const counter *counter) {
  return counter->spans > 1 && counter->uses == counter->uses_in_spans;
}

static vptr__declaration *make_variable(vptr__arena *arena, const vptr__expression *assignment) {
  vptr__declaration *made = VPTR__ARENA_NEW(arena, vptr__declaration);
  *made = *assignment->operands[0]->declaration;
  made->next = NULL;
  made->definition = made;
  made->initializer = assignment->operands[1];
  return made;
}

static void declare(vptr__statement *statement, vptr__declaration *variable) {
  statement->kind = VPTR__STATEMENT_DECLARATION;
  statement->expression = NULL;
  statement->declarations = variable;
}

/* Behind `i = e;` comes the loop: both become a block, which stands where the assignment did. */
static void enclose(vptr__arena *arena, const span *span, vptr__declaration *variable) {
  vptr__statement *outer = span->assignment, *inner = VPTR__ARENA_NEW(arena, vptr__statement);
  *inner = *outer;
  declare(inner, variable);
  *outer = (vptr__statement){ .kind = VPTR__STATEMENT_BLOCK, .position = inner->position, .first = inner };
  outer->next = span->loop->next;
  span->loop->next = NULL;
}

/* ---- the walk ------------------------------------------------------------------------------------------------ */

static void look_at_name(void *context, vptr__expression *expression) {
  counter *counter = expression->kind == VPTR__EXPRESSION_NAME ? counter_of(context, expression->declaration) : NULL;
  if (counter == NULL)
    return;
  counter->uses++;
  counter->uses_in_spans += counter->is_in_span;
  if (counter->made != NULL)
    expression->declaration = counter->made;
}

static void walk_expression(counting *counting, vptr__expression *expression) {
  vptr__visitor visitor = { .expression = look_at_name, .context = counting };
  vptr__visit_expression(&visitor, expression);
}

static void walk_list(counting *counting, vptr__statement *list);

static void walk_statement(counting *counting, vptr__statement *statement) {
  walk_list(counting, statement->first);
  for (vptr__declaration *each = statement->declarations; each != NULL; each = each->next)
    if (each->kind == VPTR__DECLARATION_VARIABLE)
      walk_expression(counting, each->initializer);
  if (statement->kind != VPTR__STATEMENT_CASE)
    walk_expression(counting, statement->expression);
  walk_list(counting, statement->body);
  walk_expression(counting, statement->step);
  walk_list(counting, statement->otherwise);
}

static void walk_span(counting *counting, const span *span, bool is_head) {
  counter *counter = span->counter;
  bool is_split = counting->splits && can_be_split(counter);
  vptr__declaration *made = is_split ? make_variable(counting->arena, span->assignment->expression) : NULL;
  counter->spans += !counting->splits;
  counter->is_in_span = true;
  counter->made = made;
  if (!is_head)
    walk_statement(counting, span->assignment);
  walk_statement(counting, span->loop);
  counter->is_in_span = false;
  counter->made = NULL;
  if (is_split && is_head)
    declare(span->assignment, made);
  else if (is_split)
    enclose(counting->arena, span, made);
}

static void walk_list(counting *counting, vptr__statement *list) {
  while (list != NULL) {
    span span = span_at(counting, list);
    bool is_head = span.loop == list;
    vptr__statement *rest = span.counter != NULL ? span.loop->next : list->next;
    if (span.counter == NULL || span.counter->is_in_span) {
      walk_statement(counting, list);
      rest = list->next;
    } else {
      walk_span(counting, &span, is_head);
    }
    list = rest;
  }
}

static void split_in(vptr__arena *arena, vptr__instance *instance) {
  counting counting = { .arena = arena, .insides = { .arena = arena, .instance = instance } };
  vptr__track_make(&counting.track, arena, instance);
  walk_list(&counting, instance->function->body);
  counting.splits = true;
  walk_list(&counting, instance->function->body);
}

/* Of a function with several instances the first leaves nothing to do. */
void vptr__counters_split(vptr__arena *arena, const vptr__inference *inference) {
  for (vptr__instance *instance = inference->instances; instance != NULL; instance = instance->next)
    split_in(arena, instance);
}
