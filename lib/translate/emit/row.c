/* SPDX-License-Identifier: MIT */
/*
 * row - loops over threads in which only the first of each row do something, or one of it: see outline.h.
 * `if (threadIdx.x < half) ...` and nothing else goes round for those alone, which is most of what a reduction or a
 * scan by a tree saves; and without the condition the driver's compiler sees that they touch different halves. Of
 * `if (threadIdx.x == 0) ...` it would make vectors that scatter one element each: four fifths of a tree's time; of
 * `if (threadIdx.x % 32 == 0) ...`, one thread of each warp, a tenth of a scan's.
 */
#include "translate/emit/outline.h"

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/lower/effect.h"

static const vptr__expression *bare(const vptr__expression *value) {
  while ((value->kind == VPTR__EXPRESSION_CAST && value->cast != VPTR__CAST_DECAY) ||
         value->kind == VPTR__EXPRESSION_LOAD)
    value = value->operands[0];
  return value;
}

/* Only integers of at least 32 bits are on the way: nothing is cut off. */
static bool is_wide(const vptr__expression *value) {
  for (; value->kind == VPTR__EXPRESSION_CAST || value->kind == VPTR__EXPRESSION_LOAD; value = value->operands[0])
    if (!vptr__type_is_integer(value->type) || vptr__type_size(value->type) < sizeof(int32_t))
      return false;
  return true;
}

/* threadIdx.x, or a variable that is nothing else. */
bool vptr__outline_is_place_in_row(const vptr__outline *outline, const vptr__expression *value) {
  if (!is_wide(value))
    return false;
  value = bare(value);
  if (value->kind == VPTR__EXPRESSION_NAME && value->declaration != NULL) {
    const vptr__place_of *place = vptr__loops_place(outline->loops, value->declaration);
    return place != NULL && place->storage == VPTR__STORAGE_AGAIN && place->value != NULL &&
           vptr__type_size(value->declaration->type) >= sizeof(int32_t) &&
           vptr__outline_is_place_in_row(outline, place->value);
  }
  if (value->kind != VPTR__EXPRESSION_MEMBER || value->name == NULL || value->name->text[0] != 'x')
    return false;
  const vptr__expression *object = bare(value->operands[0]);
  return object->kind == VPTR__EXPRESSION_NAME && object->declaration != NULL &&
         (object->declaration->flags & VPTR__BUILT_IN) != 0 && object->declaration->built_in == VPTR__THREAD_IDX;
}

enum { STEP_LEAST = 8 }; /* below, a vector with gaps is as good */

/* threadIdx.x % number, or & a mask of the lowest bits, or a variable that is that: how many threads it counts. 0: it
 * is something else. */
static uint64_t step_of_place(const vptr__outline *outline, const vptr__expression *value) {
  if (!is_wide(value))
    return 0;
  value = bare(value);
  if (value->kind == VPTR__EXPRESSION_NAME && value->declaration != NULL) {
    const vptr__place_of *place = vptr__loops_place(outline->loops, value->declaration);
    bool is_again = place != NULL && place->storage == VPTR__STORAGE_AGAIN && place->value != NULL &&
                    vptr__type_size(value->declaration->type) >= sizeof(int32_t);
    return is_again ? step_of_place(outline, place->value) : 0;
  }
  if (value->kind != VPTR__EXPRESSION_BINARY || !vptr__outline_is_place_in_row(outline, value->operands[0]))
    return 0;
  const vptr__expression *number = bare(value->operands[1]);
  if (number->kind != VPTR__EXPRESSION_INTEGER || number->integer >= VPTR__LOOPS_THREADS)
    return 0;
  if (value->op == '%')
    return number->integer;
  return value->op == '&' && (number->integer & (number->integer + 1)) == 0 ? number->integer + 1 : 0;
}

typedef struct plain_walk {
  const vptr__outline *outline;
  bool is_plain;
} plain_walk;

static void look_at_name(void *context, vptr__expression *expression) {
  plain_walk *walk = context;
  const vptr__declaration *variable = expression->declaration;
  if (expression->kind == VPTR__EXPRESSION_CALL || expression->kind == VPTR__EXPRESSION_BUILT_IN_CALL)
    walk->is_plain = false;
  if (expression->kind != VPTR__EXPRESSION_NAME || variable == NULL)
    return;
  const vptr__place_of *place = vptr__loops_place(walk->outline->loops, variable);
  bool is_of_block = (variable->flags & VPTR__BUILT_IN) != 0 && variable->built_in != VPTR__THREAD_IDX;
  walk->is_plain &= is_of_block || (place != NULL && place->storage == VPTR__STORAGE_PLAIN);
}

/* The same for all threads, whatever they have done so far. */
static bool is_plain(const vptr__outline *outline, const vptr__expression *value) {
  vptr__effects effects = { .arena = outline->emitter->arena };
  vptr__effect effect = vptr__effect_of(&effects, outline->emitter->instance, value);
  plain_walk walk = { outline, !effect.writes && !effect.steps && !effect.loads && !effect.gathers };
  vptr__visitor visitor = { .expression = look_at_name, .context = &walk };
  vptr__visit_expression(&visitor, (vptr__expression *)value);
  return walk.is_plain && vptr__type_is_integer(value->type);
}

/* ---- conditions -------------------------------------------------------------------------------------------- */

static bool is_pure(const vptr__outline *outline, const vptr__expression *value) {
  vptr__effects effects = { .arena = outline->emitter->arena };
  vptr__effect effect = vptr__effect_of(&effects, outline->emitter->instance, value);
  return !effect.writes && !effect.steps && !effect.gathers;
}

static bool compares(const vptr__outline *outline, const vptr__expression *place, const vptr__expression *with) {
  return vptr__outline_is_place_in_row(outline, place) && is_plain(outline, with);
}

/* What may be worked out although the program would not have come to it. */
static bool is_bare(const vptr__expression *bound) {
  bound = bare(bound);
  return bound->kind == VPTR__EXPRESSION_INTEGER || bound->kind == VPTR__EXPRESSION_NAME;
}

/* One thread of so many in a row. */
static bool find_each(const vptr__outline *outline, const vptr__expression *left, const vptr__expression *right,
                      vptr__row_part *part) {
  *part = (vptr__row_part){ .bound = right, .is_one = true, .step = step_of_place(outline, left) };
  return part->step >= STEP_LEAST && is_plain(outline, right);
}

static bool find_part(const vptr__outline *outline, const vptr__expression *condition, vptr__row_part *part) {
  condition = bare(condition);
  if (condition->kind != VPTR__EXPRESSION_BINARY)
    return false;
  const vptr__expression *left = condition->operands[0], *right = condition->operands[1];
  switch ((int)condition->op) {
  case '<':
    *part = (vptr__row_part){ .bound = right, .is_all = true };
    return compares(outline, left, right);
  case VPTR__TOKEN_EQUAL:
    *part = (vptr__row_part){ .bound = compares(outline, left, right) ? right : left, .is_one = true };
    return compares(outline, left, right) || compares(outline, right, left) ||
           find_each(outline, left, right, part) || find_each(outline, right, left, part);
  case VPTR__TOKEN_AND_AND: { /* what the others would have asked before is not missed */
    bool is_found = find_part(outline, left, part) ||
                    (is_pure(outline, left) && find_part(outline, right, part) && is_bare(part->bound));
    part->is_all = false;
    return is_found;
  }
  default:
    return false;
  }
}

bool vptr__outline_row_part(const vptr__outline *outline, const vptr__region *region, vptr__row_part *part) {
  const vptr__statement *choice = region->items != NULL ? region->items->statement : NULL;
  if (choice == NULL || region->mask != NULL || region->has_result || outline->loops->narrows ||
      region->items->next != NULL || choice->kind != VPTR__STATEMENT_IF || region->is_left ||
      choice->otherwise != NULL || choice->first != NULL || choice->declarations != NULL || choice->body == NULL)
    return false;
  return find_part(outline, choice->expression, part);
}

const vptr__expression *vptr__outline_row_end(const vptr__outline *outline, const vptr__expression *condition) {
  vptr__row_part part;
  return find_part(outline, condition, &part) && part.is_all ? part.bound : NULL;
}
