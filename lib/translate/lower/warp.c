/* SPDX-License-Identifier: MIT */
/* warp - see warp.h. */
#include "translate/lower/warp.h"

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/lower/effect.h"
#include "translate/types/types.h"

enum { LANES = 32, DEPTH_MOST = 16 };

/* ---- what is the same for a warp --------------------------------------------------------------------------- */

static const vptr__expression *bare(const vptr__expression *value) {
  while ((value->kind == VPTR__EXPRESSION_CAST && value->cast != VPTR__CAST_DECAY) ||
         value->kind == VPTR__EXPRESSION_LOAD)
    value = value->operands[0];
  return value;
}

/* Only integers of at least 32 bits are on the way: nothing is cut off. */
static bool is_wide(const vptr__expression *value) {
  for (; value->kind == VPTR__EXPRESSION_CAST || value->kind == VPTR__EXPRESSION_LOAD; value = value->operands[0])
    if (value->type == NULL || !vptr__type_is_integer(value->type) || vptr__type_size(value->type) < sizeof(int32_t))
      return false;
  return true;
}

static bool is_integer(const vptr__expression *value, uint64_t *number) {
  value = bare(value);
  if (value->kind != VPTR__EXPRESSION_INTEGER)
    return false;
  *number = value->integer;
  return true;
}

/* The value of a variable that is written to once. */
static const vptr__expression *value_of(const vptr__writes *writes, const vptr__declaration *variable) {
  const unsigned elsewhere = VPTR__ADDRESSED | VPTR__SHARED | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED |
                             VPTR__STATIC | VPTR__EXTERN | VPTR__AT_NAMESPACE;
  if (variable == NULL || variable->kind != VPTR__DECLARATION_VARIABLE || (variable->flags & elsewhere) != 0)
    return NULL;
  const vptr__write *write = vptr__write_to(writes, variable);
  return write->count == 1 ? write->value : NULL;
}

static bool is_built_in(const vptr__expression *value, vptr__built_in *which) {
  if (value->kind != VPTR__EXPRESSION_MEMBER || value->name == NULL)
    return false;
  const vptr__expression *object = bare(value->operands[0]);
  if (object->kind != VPTR__EXPRESSION_NAME || object->declaration == NULL ||
      (object->declaration->flags & VPTR__BUILT_IN) == 0)
    return false;
  *which = object->declaration->built_in;
  return true;
}

/* threadIdx.x, or a variable that is nothing else. */
static bool is_place_in_row(const vptr__writes *writes, const vptr__expression *value, int depth) {
  vptr__built_in which;
  if (!is_wide(value) || depth == 0)
    return false;
  value = bare(value);
  if (value->kind == VPTR__EXPRESSION_NAME) {
    const vptr__expression *named = value_of(writes, value->declaration);
    return named != NULL && vptr__type_size(value->declaration->type) >= sizeof(int32_t) &&
           is_place_in_row(writes, named, depth - 1);
  }
  return is_built_in(value, &which) && which == VPTR__THREAD_IDX && value->name->text[0] == 'x';
}

static bool is_of_warp(const vptr__writes *writes, const vptr__expression *value, int depth);

/* The place in a row, and a number with which a warp's lanes fall on one side. */
static bool is_cut_between(const vptr__writes *writes, const vptr__expression *value, int depth) {
  const vptr__expression *left = value->operands[0], *right = value->operands[1];
  uint64_t number;
  if (!is_integer(right, &number) || !is_place_in_row(writes, left, depth))
    return false;
  switch ((int)value->op) {
  case '<':
  case VPTR__TOKEN_GREATER_EQUAL:
    return number % LANES == 0;
  case '>':
  case VPTR__TOKEN_LESS_EQUAL:
    return (number + 1) % LANES == 0;
  case '/':
    return number != 0 && number % LANES == 0;
  case VPTR__TOKEN_SHIFT_RIGHT:
    return number >= 5 && number < 32;
  case '&':
    return number % LANES == 0;
  default:
    return false;
  }
}

static bool is_name_of_warp(const vptr__writes *writes, const vptr__expression *name, int depth) {
  const vptr__declaration *variable = name->declaration;
  if (variable == NULL)
    return false;
  if (variable->kind == VPTR__DECLARATION_PARAMETER)
    return (variable->flags & (VPTR__ADDRESSED | VPTR__ASSIGNED)) == 0;
  const vptr__expression *value = value_of(writes, variable);
  return value != NULL && is_of_warp(writes, value, depth - 1);
}

static bool is_of_warp(const vptr__writes *writes, const vptr__expression *value, int depth) {
  vptr__built_in which;
  if (depth == 0)
    return false;
  value = bare(value);
  switch (value->kind) {
  case VPTR__EXPRESSION_INTEGER:
    return true;
  case VPTR__EXPRESSION_NAME:
    return is_name_of_warp(writes, value, depth);
  case VPTR__EXPRESSION_MEMBER:
    return is_built_in(value, &which) && which != VPTR__THREAD_IDX;
  case VPTR__EXPRESSION_UNARY:
    return (value->op == '!' || value->op == '-' || value->op == '~') &&
           is_of_warp(writes, value->operands[0], depth - 1);
  case VPTR__EXPRESSION_BINARY:
    return is_cut_between(writes, value, depth) ||
           (is_of_warp(writes, value->operands[0], depth - 1) && is_of_warp(writes, value->operands[1], depth - 1));
  default:
    return false;
  }
}

/* ---- what is written under a condition, and read elsewhere ------------------------------------------------------ */

typedef struct name_count {
  vptr__arena *arena;
  vptr__map names;   /* declaration -> how often it is named */
  vptr__map targets; /* declaration -> itself: it is written to */
  vptr__warp_name *written;
} name_count;

static void count_name(void *context, vptr__expression *expression) {
  name_count *count = context;
  if (expression->kind == VPTR__EXPRESSION_NAME && expression->declaration != NULL) {
    void **slot = vptr__map_put(count->arena, &count->names, (uintptr_t)expression->declaration);
    *slot = (void *)((uintptr_t)*slot + 1);
  }
  vptr__declaration *target = vptr__effect_target(expression);
  if (target == NULL)
    return;
  void **slot = vptr__map_put(count->arena, &count->targets, (uintptr_t)target);
  if (*slot != NULL)
    return;
  *slot = target;
  vptr__warp_name *name = VPTR__ARENA_NEW(count->arena, vptr__warp_name);
  *name = (vptr__warp_name){ target, count->written };
  count->written = name;
}

static uintptr_t times_named(const name_count *count, const vptr__declaration *variable) {
  void **slot = vptr__map_find(&count->names, (uintptr_t)variable);
  return slot != NULL ? (uintptr_t)*slot : 0;
}

/* In the statement itself, not in what follows it. */
static void count_names(name_count *count, const vptr__statement *statement) {
  vptr__visitor visitor = { .expression = count_name, .context = count };
  vptr__statement alone = *statement;
  alone.next = NULL;
  vptr__visit_statement(&visitor, &alone);
}

static vptr__warp_name *written_and_read(vptr__arena *arena, const name_count *all, const vptr__statement *choice) {
  name_count inside = { .arena = arena };
  vptr__warp_name *list = VPTR__ARENA_NEW(arena, vptr__warp_name);
  count_names(&inside, choice);
  for (const vptr__warp_name *each = inside.written; each != NULL; each = each->next) {
    if (times_named(&inside, each->variable) == times_named(all, each->variable))
      continue;
    vptr__warp_name *name = VPTR__ARENA_NEW(arena, vptr__warp_name);
    *name = (vptr__warp_name){ each->variable, list };
    list = name;
  }
  return list;
}

/* ---- the choices ------------------------------------------------------------------------------------------- */

typedef struct choice_walk {
  vptr__arena *arena;
  vptr__insides *insides;
  const vptr__writes *writes;
  const name_count *all;
  vptr__warps *warps;
} choice_walk;

static bool is_choice(const choice_walk *walk, const vptr__statement *statement) {
  if (statement->kind != VPTR__STATEMENT_IF || statement->first != NULL || statement->declarations != NULL)
    return false;
  const vptr__inside *inside = vptr__inside_of(walk->insides, statement);
  return inside->gathers && !inside->meets && !inside->returns && !inside->breaks && !inside->continues &&
         is_of_warp(walk->writes, statement->expression, DEPTH_MOST);
}

static void look_at_statement(void *context, vptr__statement *statement) {
  choice_walk *walk = context;
  if (is_choice(walk, statement))
    *vptr__map_put(walk->arena, &walk->warps->choices, (uintptr_t)statement) =
        written_and_read(walk->arena, walk->all, statement);
}

const vptr__warps *vptr__warps_find(vptr__arena *arena, vptr__insides *insides, const vptr__writes *writes,
                                    const vptr__statement *within) {
  vptr__warps *warps = VPTR__ARENA_NEW(arena, vptr__warps);
  name_count all = { .arena = arena };
  choice_walk walk = { arena, insides, writes, &all, warps };
  vptr__visitor visitor = { .statement = look_at_statement, .context = &walk };
  count_names(&all, within);
  vptr__statement alone = *within;
  alone.next = NULL;
  vptr__visit_statement(&visitor, &alone);
  return warps;
}

const vptr__warp_name *vptr__warps_written(const vptr__warps *warps, const vptr__statement *choice) {
  void **slot = warps != NULL ? vptr__map_find(&warps->choices, (uintptr_t)choice) : NULL;
  return slot != NULL ? *slot : NULL;
}
