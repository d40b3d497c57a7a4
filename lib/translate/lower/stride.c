/* SPDX-License-Identifier: MIT */
/* stride - see stride.h. */
#include "translate/lower/stride.h"

#include <stdlib.h>

#include "translate/infer/visit.h"
#include "translate/lexer/token.h"
#include "translate/types/builtin.h"
#include "translate/types/types.h"

enum { DEEPEST = 24, SHORT_BYTES = 16 };

/* By how much a value grows from a thread to the next along the axis; of pointers and places: bytes. */
typedef struct stride {
  bool is_known;
  int64_t step;
} stride;

static const stride unknown = { false, 0 }, same = { true, 0 };

static stride of_value(const vptr__strides *strides, const vptr__expression *value, int depth);
static stride of_place(const vptr__strides *strides, const vptr__expression *place, int depth);

static stride sum_of(stride left, stride right, int sign) {
  return left.is_known && right.is_known ? (stride){ true, left.step + sign * right.step } : unknown;
}

static stride product_of(stride value, int64_t factor) {
  const int64_t most = INT32_MAX;
  if (value.step == 0)
    return value;
  return value.is_known && llabs(factor) < most && llabs(value.step) < most ? (stride){ true, value.step * factor }
                                                                            : unknown;
}

static bool is_pointer(const vptr__expression *value) {
  return value->type != NULL && value->type->kind == VPTR__TYPE_POINTER;
}

static int64_t size_of(const vptr__type *type) {
  uint64_t size = type->kind == VPTR__TYPE_VOID || type->kind == VPTR__TYPE_FUNCTION ? 1 : vptr__type_size(type);
  return size < INT32_MAX ? (int64_t)size : INT32_MAX;
}

/* ---- values ------------------------------------------------------------------------------------------------ */

static stride of_variable(const vptr__strides *strides, const vptr__declaration *variable, int depth) {
  if (variable->has_value || variable->kind == VPTR__DECLARATION_ENUMERATOR ||
      strides->is_plain(strides->context, variable))
    return same;
  const vptr__write *write = vptr__write_to(strides->writes, variable);
  if (variable->kind == VPTR__DECLARATION_PARAMETER)
    return write->count == 0 && strides->instance->is_kernel ? same : unknown;
  bool is_one = write->count == 1 && write->value != NULL && (variable->flags & VPTR__ADDRESSED) == 0;
  return is_one ? of_value(strides, write->value, depth) : unknown;
}

static const vptr__expression *bare(const vptr__expression *value) {
  while (value->kind == VPTR__EXPRESSION_CAST && value->cast != VPTR__CAST_DECAY)
    value = value->operands[0];
  return value;
}

static bool is_number(const vptr__expression *value, int64_t *number_out) {
  value = bare(value);
  *number_out = (int64_t)value->integer;
  return value->kind == VPTR__EXPRESSION_INTEGER;
}

static stride of_product(const vptr__strides *strides, const vptr__expression *product, int depth) {
  stride left = of_value(strides, product->operands[0], depth),
         right = of_value(strides, product->operands[1], depth);
  int64_t number;
  if (left.is_known && right.is_known && left.step == 0 && right.step == 0)
    return same;
  if (product->op == '*' && is_number(product->operands[1], &number))
    return product_of(left, number);
  if (product->op == '*' && is_number(product->operands[0], &number))
    return product_of(right, number);
  if (product->op == VPTR__TOKEN_SHIFT_LEFT && is_number(product->operands[1], &number) && number >= 0 && number < 24)
    return product_of(left, (int64_t)1 << number);
  return unknown;
}

static stride of_binary(const vptr__strides *strides, const vptr__expression *binary, int depth) {
  if (binary->op != '+' && binary->op != '-')
    return of_product(strides, binary, depth);
  stride left = of_value(strides, binary->operands[0], depth), right = of_value(strides, binary->operands[1], depth);
  if (is_pointer(binary) && is_pointer(binary->operands[0]))
    right = product_of(right, size_of(binary->type->base));
  else if (is_pointer(binary))
    left = product_of(left, size_of(binary->type->base));
  return sum_of(left, right, binary->op == '+' ? 1 : -1);
}

/* The axis alone grows: where it is threadIdx.x, y and z are those of the loops around. */
static stride of_built_in(const vptr__strides *strides, const vptr__expression *member) {
  const vptr__expression *object = member->operands[0];
  while (object->kind == VPTR__EXPRESSION_LOAD)
    object = object->operands[0];
  if (object->kind != VPTR__EXPRESSION_NAME || object->declaration == NULL ||
      (object->declaration->flags & VPTR__BUILT_IN) == 0)
    return unknown;
  bool is_axis = object->declaration->built_in == strides->built_in && member->name != NULL &&
                 member->name->text[0] == strides->axis;
  return (stride){ true, is_axis };
}

/* What is loaded from one place is the same; from several, who knows. */
static stride of_load(const vptr__strides *strides, const vptr__expression *place, int depth) {
  if (place->kind == VPTR__EXPRESSION_NAME && place->declaration != NULL && vptr__effect_is_own(place))
    return of_variable(strides, place->declaration, depth);
  if (place->kind == VPTR__EXPRESSION_MEMBER) {
    stride built_in = of_built_in(strides, place);
    if (built_in.is_known)
      return built_in;
  }
  stride where = of_place(strides, place, depth);
  return where.is_known && where.step == 0 ? same : unknown;
}

static stride of_choice(const vptr__strides *strides, const vptr__expression *value, int depth) {
  for (int i = 0; i < 3; i++) {
    stride one = value->operands[i] != NULL ? of_value(strides, value->operands[i], depth) : same;
    if (!one.is_known || one.step != 0)
      return unknown;
  }
  return same;
}

static stride of_value(const vptr__strides *strides, const vptr__expression *value, int depth) {
  if (depth++ > DEEPEST)
    return unknown;
  switch (value->kind) {
  case VPTR__EXPRESSION_INTEGER:
  case VPTR__EXPRESSION_BOOL:
  case VPTR__EXPRESSION_FLOATING:
  case VPTR__EXPRESSION_NULLPTR:
    return same;
  case VPTR__EXPRESSION_NAME:
    return value->declaration != NULL ? of_load(strides, value, depth) : unknown;
  case VPTR__EXPRESSION_LOAD:
    return of_load(strides, value->operands[0], depth);
  case VPTR__EXPRESSION_MEMBER:
    return of_built_in(strides, value);
  case VPTR__EXPRESSION_CAST:
    return value->cast == VPTR__CAST_DECAY ? of_place(strides, value->operands[0], depth)
                                           : of_value(strides, value->operands[0], depth);
  case VPTR__EXPRESSION_UNARY:
    if (value->op == '&')
      return of_place(strides, value->operands[0], depth);
    if (value->op == '-')
      return sum_of(same, of_value(strides, value->operands[0], depth), -1);
    return value->op == '+' ? of_value(strides, value->operands[0], depth) : of_choice(strides, value, depth);
  case VPTR__EXPRESSION_BINARY:
    return of_binary(strides, value, depth);
  case VPTR__EXPRESSION_CONDITIONAL:
    return of_choice(strides, value, depth);
  default:
    return unknown;
  }
}

/* ---- places ------------------------------------------------------------------------------------------------ */

static stride of_place(const vptr__strides *strides, const vptr__expression *place, int depth) {
  if (depth++ > DEEPEST)
    return unknown;
  switch (place->kind) {
  case VPTR__EXPRESSION_NAME:
    return place->declaration != NULL && place->declaration->type->kind != VPTR__TYPE_REFERENCE ? same : unknown;
  case VPTR__EXPRESSION_INDEX:
    return sum_of(of_value(strides, place->operands[0], depth),
                  product_of(of_value(strides, place->operands[1], depth), size_of(place->type)), 1);
  case VPTR__EXPRESSION_MEMBER:
    return place->is_arrow ? of_value(strides, place->operands[0], depth)
                           : of_place(strides, place->operands[0], depth);
  case VPTR__EXPRESSION_UNARY:
    return place->op == '*' ? of_value(strides, place->operands[0], depth) : unknown;
  default:
    return unknown;
  }
}

/* ---- conditions --------------------------------------------------------------------------------------------- */

/* By how much the sides of a comparison come apart from one thread, or block, to the next. */
static stride difference_along(const vptr__strides *strides, const vptr__expression *comparison,
                               vptr__built_in built_in, char axis, int depth) {
  vptr__strides along = *strides;
  along.built_in = built_in;
  along.axis = axis;
  return sum_of(of_value(&along, comparison->operands[0], depth), of_value(&along, comparison->operands[1], depth),
                -1);
}

/* Evenly along each axis. Where it is along two, as in a triangle, that is a box in most blocks, unless it is the same
 * in all of them. */
static bool is_even(const vptr__strides *strides, const vptr__expression *comparison, int depth) {
  int axes = 0, block_axes = 0;
  for (const char *axis = "xyz"; *axis != '\0'; axis++) {
    stride one = difference_along(strides, comparison, VPTR__THREAD_IDX, *axis, depth);
    stride of_blocks = difference_along(strides, comparison, VPTR__BLOCK_IDX, *axis, depth);
    if (!one.is_known)
      return false;
    axes += one.step != 0;
    block_axes += !of_blocks.is_known || of_blocks.step != 0;
  }
  return axes <= 1 || block_axes > 0;
}

static bool is_same(const vptr__strides *strides, const vptr__expression *value, int depth) {
  vptr__strides along = *strides;
  for (const char *axis = "xyz"; *axis != '\0'; axis++) {
    along.axis = *axis;
    stride one = of_value(&along, value, depth);
    if (!one.is_known || one.step != 0)
      return false;
  }
  return true;
}

/* A variable that is written once is what it gets. */
static const vptr__expression *value_of(const vptr__strides *strides, const vptr__expression *value) {
  const vptr__expression *name = bare(value);
  if (name->kind == VPTR__EXPRESSION_LOAD)
    name = name->operands[0];
  if (!vptr__effect_is_own(name) || (name->declaration->flags & VPTR__ADDRESSED) != 0)
    return bare(value);
  const vptr__write *write = vptr__write_to(strides->writes, name->declaration);
  return write->count == 1 && write->value != NULL ? bare(write->value) : bare(value);
}

static bool is_in_order(const vptr__strides *strides, const vptr__expression *condition, int depth) {
  condition = value_of(strides, condition);
  if (depth++ > DEEPEST)
    return false;
  if (condition->kind == VPTR__EXPRESSION_UNARY && condition->op == '!')
    return is_in_order(strides, condition->operands[0], depth);
  if (condition->kind == VPTR__EXPRESSION_BINARY) {
    const vptr__expression *left = condition->operands[0], *right = condition->operands[1];
    switch ((int)condition->op) {
    case VPTR__TOKEN_AND_AND:
    case VPTR__TOKEN_OR_OR:
    case '&':
    case '|':
    case '^':
      return is_in_order(strides, left, depth) && is_in_order(strides, right, depth);
    case '<':
    case '>':
    case VPTR__TOKEN_LESS_EQUAL:
    case VPTR__TOKEN_GREATER_EQUAL:
    case VPTR__TOKEN_EQUAL:
    case VPTR__TOKEN_NOT_EQUAL:
      return is_even(strides, condition, depth);
    default:
      break;
    }
  }
  return is_same(strides, condition, depth);
}

bool vptr__strides_are_in_order(const vptr__strides *strides, const vptr__expression *condition) {
  return is_in_order(strides, condition, 0);
}

/* ---- loops ------------------------------------------------------------------------------------------------- */

typedef struct stride_walk {
  const vptr__strides *strides;
  bool is_short;
} stride_walk;

static bool is_private(const vptr__expression *place) {
  while (place->kind == VPTR__EXPRESSION_MEMBER && !place->is_arrow)
    place = place->operands[0];
  if (place->kind == VPTR__EXPRESSION_INDEX && place->operands[0]->kind == VPTR__EXPRESSION_CAST &&
      place->operands[0]->cast == VPTR__CAST_DECAY)
    return is_private(place->operands[0]->operands[0]);
  return vptr__effect_is_own(place);
}

/* An array of the thread's own has its elements beside those of its neighbours if they use the same index. */
static bool is_short_place(const vptr__strides *strides, const vptr__expression *place) {
  if (is_private(place)) {
    for (; place->kind == VPTR__EXPRESSION_INDEX; place = place->operands[0]->operands[0]) {
      stride index = of_value(strides, place->operands[1], 0);
      if (!index.is_known || index.step != 0)
        return false;
    }
    return true;
  }
  stride where = of_place(strides, place, 0);
  return where.is_known && llabs(where.step) <= SHORT_BYTES;
}

static bool is_slow_division(const vptr__strides *strides, const vptr__expression *expression) {
  int64_t number;
  if ((expression->op != '/' && expression->op != '%') || expression->type == NULL ||
      !vptr__type_is_integer(expression->type) || is_number(expression->operands[1], &number))
    return false;
  stride left = of_value(strides, expression->operands[0], 0), right = of_value(strides, expression->operands[1], 0);
  return !left.is_known || left.step != 0 || !right.is_known || right.step != 0;
}

static void look_at_call(stride_walk *walk, const vptr__expression *call) {
  vptr__effect effect = vptr__effect_of(walk->strides->effects, walk->strides->instance, call);
  if (effect.writes || effect.loads)
    walk->is_short = false;
}

static void look_at(void *context, vptr__expression *expression) {
  stride_walk *walk = context;
  switch (expression->kind) {
  case VPTR__EXPRESSION_INDEX:
    if (expression->type != NULL && expression->type->kind != VPTR__TYPE_ARRAY)
      walk->is_short &= is_short_place(walk->strides, expression);
    break;
  case VPTR__EXPRESSION_UNARY:
    if (expression->op == '*')
      walk->is_short &= is_short_place(walk->strides, expression);
    break;
  case VPTR__EXPRESSION_MEMBER:
    if (expression->is_arrow)
      walk->is_short &= is_short_place(walk->strides, expression);
    break;
  case VPTR__EXPRESSION_BINARY:
  case VPTR__EXPRESSION_ASSIGN:
    walk->is_short &= expression->kind != VPTR__EXPRESSION_BINARY || !is_slow_division(walk->strides, expression);
    break;
  case VPTR__EXPRESSION_NAME: /* a reference leads anywhere */
    walk->is_short &= expression->declaration == NULL || expression->declaration->type == NULL ||
                      expression->declaration->type->kind != VPTR__TYPE_REFERENCE;
    break;
  case VPTR__EXPRESSION_CALL:
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    look_at_call(walk, expression);
    break;
  default:
    break;
  }
}

bool vptr__strides_are_short(const vptr__strides *strides, const vptr__statement *loop) {
  stride_walk walk = { strides, true };
  vptr__visitor visitor = { .expression = look_at, .context = &walk };
  vptr__statement alone = *loop;
  alone.next = NULL;
  vptr__visit_statement(&visitor, &alone);
  return walk.is_short;
}
