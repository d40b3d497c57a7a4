/* SPDX-License-Identifier: MIT */
/* busy - see busy.h. */
#include "translate/lower/busy.h"

#include "translate/lexer/token.h"
#include "translate/lower/effect.h"
#include "translate/types/types.h"

/* Of conditions in all, with what stands for their variables: more would cost a block as much as it saves. */
enum { DEEPEST = 24, MOST_NODES = 48 };

typedef struct busy_walk {
  vptr__arena *arena;
  const vptr__loops *loops;
  const vptr__writes *writes;
  const vptr__statement *loop; /* whose first round is asked for; NULL: none's */
  int nodes, depth;
  bool is_asked; /* it is made of more than constants */
} busy_walk;

/* When a list of statements goes round a loop. */
typedef struct busy_when {
  bool is_always;
  vptr__expression *condition; /* NULL, and not always: never */
} busy_when;

static const busy_when never = { false, NULL }, always = { true, NULL };

/* ---- what is known at the beginning -------------------------------------------------------------------------- */

static vptr__expression *known(busy_walk *walk, const vptr__expression *value);

static vptr__expression *copy_of(busy_walk *walk, const vptr__expression *expression) {
  vptr__expression *copy = VPTR__ARENA_NEW(walk->arena, vptr__expression);
  *copy = *expression;
  copy->next = NULL;
  walk->nodes++;
  return copy;
}

static vptr__expression *asked(busy_walk *walk, const vptr__expression *name) {
  walk->is_asked = true;
  return copy_of(walk, name);
}

/* What the loop's head gives it, in front of the first round; NULL: nothing. */
static const vptr__expression *value_in_head(const vptr__statement *loop, const vptr__declaration *variable) {
  const vptr__statement *first = loop != NULL ? loop->first : NULL;
  if (first == NULL)
    return NULL;
  for (const vptr__declaration *each = first->declarations; each != NULL; each = each->next)
    if (each == variable)
      return each->initializer;
  bool is_assigned = first->kind == VPTR__STATEMENT_EXPRESSION &&
                     first->expression->kind == VPTR__EXPRESSION_ASSIGN && first->expression->op == '=' &&
                     vptr__effect_target(first->expression) == variable;
  return is_assigned ? first->expression->operands[1] : NULL;
}

static const vptr__expression *value_of(const busy_walk *walk, const vptr__declaration *variable) {
  const vptr__expression *value = value_in_head(walk->loop, variable);
  if (value != NULL)
    return value;
  const vptr__write *write = vptr__write_to(walk->writes, variable);
  return write->count == 1 ? write->value : NULL;
}

/* A parameter is itself, a variable what it is given, in its type. */
static vptr__expression *known_variable(busy_walk *walk, const vptr__expression *name) {
  vptr__declaration *variable = name->declaration;
  if (!vptr__effect_is_own(name) || (variable->flags & VPTR__ADDRESSED) != 0 ||
      (variable->type->qualifiers & VPTR__VOLATILE) != 0)
    return NULL;
  if (variable->kind == VPTR__DECLARATION_PARAMETER)
    return vptr__write_to(walk->writes, variable)->count == 0 ? asked(walk, name) : NULL;
  const vptr__expression *value = value_of(walk, variable);
  vptr__expression *found = value != NULL ? known(walk, value) : NULL;
  if (found == NULL)
    return NULL;
  vptr__expression *cast = copy_of(walk, name);
  *cast = (vptr__expression){ .kind = VPTR__EXPRESSION_CAST, .cast = VPTR__CAST_C, .position = name->position };
  cast->type = cast->written_type = variable->type;
  cast->operands[0] = found;
  return cast;
}

static vptr__expression *known_name(busy_walk *walk, const vptr__expression *name) {
  if (name->declaration == NULL)
    return NULL;
  bool is_number = name->declaration->kind == VPTR__DECLARATION_ENUMERATOR || name->declaration->has_value;
  return is_number ? copy_of(walk, name) : known_variable(walk, name);
}

/* blockIdx.x and its kin; which thread asks is not known. */
static vptr__expression *known_member(busy_walk *walk, const vptr__expression *member) {
  const vptr__expression *object = member->operands[0];
  while (object->kind == VPTR__EXPRESSION_LOAD)
    object = object->operands[0];
  if (object->kind != VPTR__EXPRESSION_NAME || object->declaration == NULL ||
      (object->declaration->flags & VPTR__BUILT_IN) == 0 || object->declaration->built_in == VPTR__THREAD_IDX)
    return NULL;
  return asked(walk, member);
}

static bool divides_by_anything(const vptr__expression *binary) {
  const vptr__expression *divisor = binary->operands[1];
  while (divisor->kind == VPTR__EXPRESSION_CAST && divisor->cast != VPTR__CAST_DECAY)
    divisor = divisor->operands[0];
  return (binary->op == '/' || binary->op == '%') &&
         (divisor->kind != VPTR__EXPRESSION_INTEGER || divisor->integer == 0 || (int32_t)divisor->integer == -1);
}

static vptr__expression *known_operation(busy_walk *walk, const vptr__expression *operation) {
  vptr__expression *copy = copy_of(walk, operation);
  for (int i = 0; i < 3 && copy != NULL && operation->operands[i] != NULL; i++) {
    copy->operands[i] = known(walk, operation->operands[i]);
    copy = copy->operands[i] != NULL ? copy : NULL;
  }
  return copy;
}

static bool is_plain_unary(const vptr__expression *unary) {
  return unary->op == '+' || unary->op == '-' || unary->op == '!' || unary->op == '~';
}

static vptr__expression *known_kind(busy_walk *walk, const vptr__expression *value) {
  switch (value->kind) {
  case VPTR__EXPRESSION_INTEGER:
  case VPTR__EXPRESSION_BOOL:
  case VPTR__EXPRESSION_FLOATING:
    return copy_of(walk, value);
  case VPTR__EXPRESSION_NAME:
    return known_name(walk, value);
  case VPTR__EXPRESSION_LOAD:
    return known(walk, value->operands[0]);
  case VPTR__EXPRESSION_MEMBER:
    return known_member(walk, value);
  case VPTR__EXPRESSION_CAST:
    return value->cast != VPTR__CAST_DECAY ? known_operation(walk, value) : NULL;
  case VPTR__EXPRESSION_UNARY:
    return is_plain_unary(value) ? known_operation(walk, value) : NULL;
  case VPTR__EXPRESSION_BINARY:
    return value->op != ',' && !divides_by_anything(value) ? known_operation(walk, value) : NULL;
  case VPTR__EXPRESSION_CONDITIONAL:
    return known_operation(walk, value);
  default:
    return NULL;
  }
}

/* NULL: it is not. */
static vptr__expression *known(busy_walk *walk, const vptr__expression *value) {
  if (value->type == NULL || !vptr__type_is_arithmetic(value->type) || walk->depth >= DEEPEST ||
      walk->nodes >= MOST_NODES)
    return NULL;
  walk->depth++;
  vptr__arena_enter(walk->arena);
  vptr__expression *found = known_kind(walk, value);
  vptr__arena_leave(walk->arena);
  walk->depth--;
  return found;
}

/* ---- when loops are gone round ------------------------------------------------------------------------------- */

static busy_when list_when(busy_walk *walk, const vptr__statement *list);

static vptr__expression *joined(busy_walk *walk, int op, vptr__expression *left, vptr__expression *right) {
  if (left == NULL || right == NULL)
    return left != NULL ? left : right;
  vptr__expression *both = copy_of(walk, left);
  *both = (vptr__expression){ .kind = VPTR__EXPRESSION_BINARY, .op = op, .position = left->position };
  both->type = left->type;
  both->operands[0] = left;
  both->operands[1] = right;
  return both;
}

static busy_when either(busy_walk *walk, busy_when left, busy_when right) {
  if (left.is_always || right.is_always)
    return always;
  return (busy_when){ false, joined(walk, VPTR__TOKEN_OR_OR, left.condition, right.condition) };
}

static vptr__expression *opposite(busy_walk *walk, vptr__expression *condition) {
  vptr__expression *made = copy_of(walk, condition);
  *made = (vptr__expression){ .kind = VPTR__EXPRESSION_UNARY, .op = '!', .position = condition->position };
  made->type = condition->type;
  made->operands[0] = condition;
  return made;
}

static busy_when body_when(busy_walk *walk, const vptr__statement *body) {
  if (body == NULL)
    return never;
  return list_when(walk, body->kind == VPTR__STATEMENT_BLOCK ? body->first : body);
}

/* An arm that is come to if the condition holds; NULL: nobody knows. */
static busy_when arm_when(busy_walk *walk, const vptr__statement *arm, vptr__expression *condition) {
  busy_when when = body_when(walk, arm);
  if (condition == NULL || (!when.is_always && when.condition == NULL))
    return when;
  return (busy_when){ false, joined(walk, VPTR__TOKEN_AND_AND, condition, when.condition) };
}

static busy_when choice_when(busy_walk *walk, const vptr__statement *choice) {
  vptr__expression *condition = choice->kind == VPTR__STATEMENT_IF ? known(walk, choice->expression) : NULL;
  busy_when body = arm_when(walk, choice->body, condition);
  if (choice->otherwise == NULL)
    return body;
  return either(walk, body, arm_when(walk, choice->otherwise, condition != NULL ? opposite(walk, condition) : NULL));
}

static busy_when loop_when(busy_walk *walk, const vptr__statement *loop) {
  if (loop->kind == VPTR__STATEMENT_DO || loop->expression == NULL)
    return always;
  walk->loop = loop;
  walk->is_asked = false;
  vptr__expression *condition = known(walk, loop->expression);
  walk->loop = NULL;
  return condition != NULL && walk->is_asked ? (busy_when){ false, condition } : always;
}

static busy_when statement_when(busy_walk *walk, const vptr__statement *statement) {
  switch (statement->kind) {
  case VPTR__STATEMENT_WHILE:
  case VPTR__STATEMENT_DO:
  case VPTR__STATEMENT_FOR:
    return loop_when(walk, statement);
  case VPTR__STATEMENT_IF:
  case VPTR__STATEMENT_SWITCH:
    return choice_when(walk, statement);
  case VPTR__STATEMENT_BLOCK:
    return list_when(walk, statement->first);
  default:
    return body_when(walk, statement->body);
  }
}

/* Of what is outside of loops over threads: what is not there has no loop. */
static busy_when list_when(busy_walk *walk, const vptr__statement *list) {
  busy_when when = never;
  vptr__arena_enter(walk->arena);
  for (; list != NULL && !when.is_always; list = list->next)
    if (vptr__loops_part(walk->loops, list) != NULL)
      when = either(walk, when, statement_when(walk, list));
  vptr__arena_leave(walk->arena);
  return when;
}

const vptr__expression *vptr__busy_find(vptr__arena *arena, const vptr__instance *kernel, const vptr__loops *loops,
                                        const vptr__writes *writes) {
  busy_walk walk = { .arena = arena, .loops = loops, .writes = writes };
  busy_when when = list_when(&walk, kernel->function->body->first);
  return when.is_always || walk.nodes >= MOST_NODES ? NULL : when.condition;
}
