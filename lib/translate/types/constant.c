/* SPDX-License-Identifier: MIT */
/*
 * constant - the values of constant expressions, as C++ defines them.
 *
 * Works on checked trees alone: every conversion is a node, so there is one rule for each kind. What C++ leaves
 * undefined (overflow of signed integers, division by zero, shifts too far, a floating value outside of the integer
 * type) is no constant. Pointers are constants only where they are null, or null plus offsets: what offsetof()
 * written by hand needs.
 */
#include "translate/types/check.h"

#include <math.h>
#include <string.h>

static int64_t wrap_to_type(const vptr__type *type, uint64_t value) {
  unsigned bits = vptr__kind_is_scalar(type) && vptr__type_is_integer(type) ? vptr__kind_bits(type) : 64;
  if (bits == 1)
    return value != 0;
  if (bits >= 64)
    return (int64_t)value;
  value &= ((uint64_t)1 << bits) - 1;
  if (vptr__type_is_signed(type) && (value >> (bits - 1)) != 0)
    value |= UINT64_MAX << bits;
  return (int64_t)value;
}

/* ---- operations --------------------------------------------------------------------------------------------- */

static bool operate_floating(int op, const vptr__type *type, double left, double right, vptr__constant *value_out) {
  double result = 0;
  switch (op) {
  case '+':
    result = left + right;
    break;
  case '-':
    result = left - right;
    break;
  case '*':
    result = left * right;
    break;
  case '/':
    if (right == 0)
      return false;
    result = left / right;
    break;
  default:
    return false;
  }
  value_out->floating = type->kind == VPTR__TYPE_FLOAT ? (double)(float)result : result;
  return true;
}

/* Signed: false where the result does not fit. */
static bool operate_signed(int op, int64_t left, int64_t right, int64_t *result) {
  switch (op) {
  case '+':
    return !__builtin_add_overflow(left, right, result);
  case '-':
    return !__builtin_sub_overflow(left, right, result);
  case '*':
    return !__builtin_mul_overflow(left, right, result);
  case '/':
  case '%':
    if (right == 0 || (left == INT64_MIN && right == -1))
      return false;
    *result = op == '/' ? left / right : left % right;
    return true;
  default:
    return false;
  }
}

static bool operate_unsigned(int op, uint64_t left, uint64_t right, uint64_t *result) {
  switch (op) {
  case '+':
    *result = left + right;
    return true;
  case '-':
    *result = left - right;
    return true;
  case '*':
    *result = left * right;
    return true;
  case '/':
  case '%':
    if (right == 0)
      return false;
    *result = op == '/' ? left / right : left % right;
    return true;
  default:
    return false;
  }
}

static bool operate_bits(int op, int64_t left, int64_t right, int64_t *result) {
  switch (op) {
  case '&':
    *result = left & right;
    return true;
  case '|':
    *result = left | right;
    return true;
  case '^':
    *result = left ^ right;
    return true;
  default:
    return false;
  }
}

static bool shift_integer(int op, const vptr__type *type, int64_t left, int64_t right, int64_t *result) {
  if (right < 0 || right >= (int64_t)vptr__kind_bits(type))
    return false;
  if (op == VPTR__TOKEN_SHIFT_LEFT)
    *result = wrap_to_type(type, (uint64_t)left << right);
  else
    *result = vptr__type_is_signed(type) ? left >> right : (int64_t)((uint64_t)left >> right);
  return true;
}

static bool operate_integer(int op, const vptr__type *type, int64_t left, int64_t right, int64_t *result) {
  if (op == VPTR__TOKEN_SHIFT_LEFT || op == VPTR__TOKEN_SHIFT_RIGHT)
    return shift_integer(op, type, left, right, result);
  if (operate_bits(op, left, right, result))
    return true;
  if (vptr__type_is_signed(type))
    return operate_signed(op, left, right, result) && wrap_to_type(type, (uint64_t)*result) == *result;
  uint64_t bits = 0;
  if (!operate_unsigned(op, (uint64_t)left, (uint64_t)right, &bits))
    return false;
  *result = wrap_to_type(type, bits);
  return true;
}

bool vptr__constant_operate(int op, const vptr__type *type, const vptr__constant *left, const vptr__constant *right,
                            const vptr__type *right_type, vptr__constant *value_out) {
  if (vptr__type_is_floating(type))
    return operate_floating(op, type, left->floating, right->floating, value_out);
  if (!vptr__type_is_integer(type) || !vptr__type_is_integer(right_type))
    return false;
  return operate_integer(op, type, left->integer, right->integer, &value_out->integer);
}

/* -1, 0, 1; 2: not ordered. */
static int compare_constants(const vptr__type *type, const vptr__constant *left, const vptr__constant *right) {
  if (vptr__type_is_floating(type))
    return left->floating < right->floating    ? -1
           : left->floating > right->floating  ? 1
           : left->floating == right->floating ? 0
                                               : 2;
  if (left->integer == right->integer)
    return 0;
  bool is_less = vptr__type_is_signed(type) ? left->integer < right->integer
                                            : (uint64_t)left->integer < (uint64_t)right->integer;
  return is_less ? -1 : 1;
}

static bool evaluate_comparison(int op, int order, vptr__constant *value_out) {
  switch (op) {
  case '<':
    value_out->integer = order == -1;
    return true;
  case '>':
    value_out->integer = order == 1;
    return true;
  case VPTR__TOKEN_LESS_EQUAL:
    value_out->integer = order == -1 || order == 0;
    return true;
  case VPTR__TOKEN_GREATER_EQUAL:
    value_out->integer = order == 1 || order == 0;
    return true;
  case VPTR__TOKEN_EQUAL:
    value_out->integer = order == 0;
    return true;
  case VPTR__TOKEN_NOT_EQUAL:
    value_out->integer = order != 0;
    return true;
  default:
    return false;
  }
}

/* ---- conversions -------------------------------------------------------------------------------------------- */

static bool from_floating(const vptr__type *to, double value, vptr__constant *value_out) {
  value = trunc(value);
  bool is_signed = vptr__type_is_signed(to);
  unsigned bits = vptr__kind_bits(to);
  double limit = ldexp(1, (int)(is_signed ? bits - 1 : bits));
  if (!(value < limit && value >= (is_signed ? -limit : 0)))
    return false;
  value_out->integer = is_signed ? (int64_t)value : (int64_t)(uint64_t)value;
  return true;
}

bool vptr__constant_convert(const vptr__type *from, const vptr__type *to, vptr__constant value,
                            vptr__constant *value_out) {
  bool was_floating = vptr__type_is_floating(from);
  if (vptr__type_is_floating(to)) {
    double exact = was_floating                 ? value.floating
                   : vptr__type_is_signed(from) ? (double)value.integer
                                                : (double)(uint64_t)value.integer;
    if (to->kind == VPTR__TYPE_FLOAT && !was_floating)
      exact = vptr__type_is_signed(from) ? (double)(float)value.integer : (double)(float)(uint64_t)value.integer;
    value_out->floating = to->kind == VPTR__TYPE_FLOAT ? (double)(float)exact : exact;
    return true;
  }
  if (to->kind == VPTR__TYPE_BOOL) {
    value_out->integer = was_floating ? value.floating != 0 : value.integer != 0;
    return true;
  }
  if (was_floating)
    return vptr__type_is_integer(to) && from_floating(vptr__kind_underlying(to), value.floating, value_out);
  if (!vptr__kind_is_scalar(to) || !vptr__kind_is_scalar(from))
    return false;
  value_out->integer = wrap_to_type(to, (uint64_t)value.integer);
  return true;
}

/* ---- constant objects --------------------------------------------------------------------------------------- */

typedef struct part {
  const vptr__expression *initializer; /* NULL: zero */
  int character;                       /* of a string; -1: none */
} part;

static bool find_part(const vptr__expression *lvalue, vptr__constant_frame *frame, part *part_out);

static bool nth_part(const part *whole, uint64_t index, part *part_out) {
  *part_out = (part){ NULL, -1 };
  if (whole->initializer == NULL)
    return true;
  if (whole->initializer->kind == VPTR__EXPRESSION_STRING) {
    part_out->character = index < whole->initializer->length ? (unsigned char)whole->initializer->text[index] : 0;
    return true;
  }
  if (whole->initializer->kind != VPTR__EXPRESSION_INIT_LIST &&
      whole->initializer->kind != VPTR__EXPRESSION_CONSTRUCT)
    return false;
  const vptr__expression *item = whole->initializer->arguments;
  while (item != NULL && index-- > 0)
    item = item->next;
  part_out->initializer = item;
  return true;
}

static bool member_part(const vptr__expression *member, vptr__constant_frame *frame, part *part_out) {
  part whole;
  const vptr__expression *object = member->operands[0];
  if (member->is_arrow || object->type->kind != VPTR__TYPE_RECORD || member->declaration == NULL)
    return false;
  if ((object->type->declaration->flags & VPTR__UNION) != 0 || !find_part(object, frame, &whole))
    return false;
  uint64_t index = 0;
  for (const vptr__declaration *field = object->type->declaration->fields; field != member->declaration; index++)
    if ((field = field->next) == NULL)
      return false;
  return nth_part(&whole, index, part_out);
}

static bool find_part(const vptr__expression *lvalue, vptr__constant_frame *frame, part *part_out) {
  if (lvalue->kind == VPTR__EXPRESSION_NAME) {
    if (lvalue->declaration == NULL || !vptr__declaration_is_known(lvalue->declaration))
      return false;
    *part_out = (part){ lvalue->declaration->initializer, -1 };
    return true;
  }
  if (lvalue->kind == VPTR__EXPRESSION_MEMBER)
    return member_part(lvalue, frame, part_out);
  if (lvalue->kind != VPTR__EXPRESSION_INDEX)
    return false;
  const vptr__expression *array = lvalue->operands[0];
  vptr__constant index = { 0 };
  part whole;
  if (array->kind != VPTR__EXPRESSION_CAST || array->cast != VPTR__CAST_DECAY)
    return false;
  if (!vptr__constant_evaluate(lvalue->operands[1], frame, &index) || index.integer < 0 ||
      (uint64_t)index.integer >= array->operands[0]->type->count)
    return false;
  return find_part(array->operands[0], frame, &whole) && nth_part(&whole, (uint64_t)index.integer, part_out);
}

static bool evaluate_load(const vptr__expression *lvalue, vptr__constant_frame *frame, vptr__constant *value_out) {
  if (lvalue->kind == VPTR__EXPRESSION_NAME && frame != NULL) {
    const vptr__constant *local = vptr__constant_local(frame, lvalue->declaration);
    if (local != NULL) {
      *value_out = *local;
      return true;
    }
  }
  if (lvalue->kind == VPTR__EXPRESSION_ASSIGN || lvalue->kind == VPTR__EXPRESSION_UNARY)
    return vptr__constant_assign(lvalue, frame, value_out);
  part found;
  if (!vptr__kind_is_scalar(lvalue->type) || !find_part(lvalue, frame, &found))
    return false;
  *value_out = (vptr__constant){ 0 };
  if (found.character >= 0)
    value_out->integer = wrap_to_type(lvalue->type, (uint64_t)found.character);
  if (found.initializer == NULL)
    return true;
  if (found.initializer->kind == VPTR__EXPRESSION_INIT_LIST)
    return found.initializer->arguments == NULL;
  return vptr__constant_evaluate(found.initializer, NULL, value_out);
}

/* ---- expressions -------------------------------------------------------------------------------------------- */

static bool evaluate_unary(const vptr__expression *unary, vptr__constant_frame *frame, vptr__constant *value_out);

/* Null plus offsets. */
static bool evaluate_address(const vptr__expression *lvalue, vptr__constant_frame *frame, vptr__constant *value_out) {
  vptr__constant index = { 0 };
  switch (lvalue->kind) {
  case VPTR__EXPRESSION_MEMBER:
    if (!(lvalue->is_arrow ? vptr__constant_evaluate : evaluate_address)(lvalue->operands[0], frame, value_out))
      return false;
    value_out->integer += (int64_t)lvalue->declaration->offset;
    return true;
  case VPTR__EXPRESSION_INDEX:
    if (!vptr__constant_evaluate(lvalue->operands[0], frame, value_out) ||
        !vptr__constant_evaluate(lvalue->operands[1], frame, &index))
      return false;
    value_out->integer += (int64_t)((uint64_t)index.integer * vptr__type_size(lvalue->type));
    return true;
  case VPTR__EXPRESSION_UNARY:
    return lvalue->op == '*' && vptr__constant_evaluate(lvalue->operands[0], frame, value_out);
  default:
    return false;
  }
}

static bool evaluate_unary(const vptr__expression *unary, vptr__constant_frame *frame, vptr__constant *value_out) {
  if (unary->op == VPTR__TOKEN_INCREMENT || unary->op == VPTR__TOKEN_DECREMENT)
    return vptr__constant_assign(unary, frame, value_out);
  if (unary->op == '&')
    return evaluate_address(unary->operands[0], frame, value_out);
  vptr__constant operand = { 0 }, zero = { 0 };
  if (!vptr__constant_evaluate(unary->operands[0], frame, &operand))
    return false;
  switch (unary->op) {
  case '+':
    *value_out = operand;
    return true;
  case '!':
    value_out->integer = !operand.integer;
    return true;
  case '~':
    value_out->integer = wrap_to_type(unary->type, ~(uint64_t)operand.integer);
    return true;
  case '-':
    if (vptr__type_is_floating(unary->type)) {
      value_out->floating = -operand.floating;
      return true;
    }
    return vptr__constant_operate('-', unary->type, &zero, &operand, unary->type, value_out);
  default:
    return false;
  }
}

static bool evaluate_binary(const vptr__expression *binary, vptr__constant_frame *frame, vptr__constant *value_out) {
  const vptr__expression *left = binary->operands[0], *right = binary->operands[1];
  vptr__constant l = { 0 }, r = { 0 };
  if (!vptr__constant_evaluate(left, frame, &l))
    return false;
  if (binary->op == VPTR__TOKEN_AND_AND || binary->op == VPTR__TOKEN_OR_OR) {
    *value_out = l;
    return (l.integer != 0) == (binary->op == VPTR__TOKEN_OR_OR) || vptr__constant_evaluate(right, frame, value_out);
  }
  if (!vptr__constant_evaluate(right, frame, &r))
    return false;
  if (binary->op == ',') {
    *value_out = r;
    return true;
  }
  if (binary->type->kind == VPTR__TYPE_BOOL && vptr__kind_is_scalar(left->type) &&
      evaluate_comparison(binary->op, compare_constants(left->type, &l, &r), value_out))
    return true;
  return vptr__constant_operate(binary->op, binary->type, &l, &r, right->type, value_out);
}

static bool evaluate_cast(const vptr__expression *cast, vptr__constant_frame *frame, vptr__constant *value_out) {
  vptr__constant operand = { 0 };
  const vptr__expression *inner = cast->operands[0];
  if (cast->cast == VPTR__CAST_DECAY)
    return evaluate_address(inner, frame, value_out);
  return vptr__constant_evaluate(inner, frame, &operand) &&
         vptr__constant_convert(inner->type, cast->type, operand, value_out);
}

/* INFINITY and its like are bits of numbers in CUDA's headers, so these functions are constants of constants. */
static bool evaluate_builtin(const vptr__expression *call, vptr__constant_frame *frame, vptr__constant *value_out) {
  bool is_float =
      strcmp(call->builtin->name, "__int_as_float") == 0 || strcmp(call->builtin->name, "__uint_as_float") == 0;
  vptr__constant bits;
  if ((!is_float && strcmp(call->builtin->name, "__longlong_as_double") != 0) || call->arguments == NULL ||
      !vptr__constant_evaluate(call->arguments, frame, &bits))
    return false;
  uint32_t narrow_bits = (uint32_t)bits.integer;
  float narrow;
  memcpy(&narrow, &narrow_bits, sizeof narrow);
  memcpy(&value_out->floating, &bits.integer, sizeof value_out->floating);
  if (is_float)
    value_out->floating = (double)narrow;
  return true;
}

static bool evaluate_expression(const vptr__expression *expression, vptr__constant_frame *frame,
                                vptr__constant *value_out) {
  vptr__constant condition = { 0 };
  switch (expression->kind) {
  case VPTR__EXPRESSION_INTEGER:
  case VPTR__EXPRESSION_BOOL:
    value_out->integer = wrap_to_type(expression->type, expression->integer);
    return true;
  case VPTR__EXPRESSION_FLOATING:
    value_out->floating =
        expression->type->kind == VPTR__TYPE_FLOAT ? (double)(float)expression->floating : expression->floating;
    return true;
  case VPTR__EXPRESSION_NULLPTR:
    return true;
  case VPTR__EXPRESSION_LOAD:
    return evaluate_load(expression->operands[0], frame, value_out);
  case VPTR__EXPRESSION_UNARY:
    return evaluate_unary(expression, frame, value_out);
  case VPTR__EXPRESSION_BINARY:
    return evaluate_binary(expression, frame, value_out);
  case VPTR__EXPRESSION_ASSIGN:
    return vptr__constant_assign(expression, frame, value_out);
  case VPTR__EXPRESSION_CAST:
    return evaluate_cast(expression, frame, value_out);
  case VPTR__EXPRESSION_BUILT_IN_CALL:
    return evaluate_builtin(expression, frame, value_out);
  case VPTR__EXPRESSION_CALL:
    return vptr__constant_call(expression, frame, value_out);
  case VPTR__EXPRESSION_CONDITIONAL:
    return vptr__constant_evaluate(expression->operands[0], frame, &condition) &&
           vptr__constant_evaluate(expression->operands[condition.integer != 0 ? 1 : 2], frame, value_out);
  default:
    return false;
  }
}

bool vptr__constant_evaluate(const vptr__expression *expression, vptr__constant_frame *frame,
                             vptr__constant *value_out) {
  *value_out = (vptr__constant){ 0 };
  return expression->type != NULL && evaluate_expression(expression, frame, value_out);
}

bool vptr__constant_integer(vptr__checker *checker, vptr__expression *expression, vptr__type *to, const char *what,
                            int64_t *value_out) {
  vptr__expression *value = vptr__expression_value(checker, expression);
  if (vptr__expression_is_wrong(checker, value))
    return false;
  if (to == NULL ? !vptr__type_is_integer(value->type) || vptr__kind_is_scoped(value->type) : false) {
    VPTR__CHECK_ERROR(checker, expression->position, "%s must be an integer, not '%s'", what,
                      VPTR__CHECK_TEXT(checker, value->type));
    return false;
  }
  if (to != NULL)
    value = vptr__convert_to(checker, value, to, "initialise");
  vptr__constant constant = { 0 };
  if (vptr__expression_is_wrong(checker, value))
    return false;
  if (!vptr__constant_evaluate(value, NULL, &constant)) {
    VPTR__CHECK_ERROR(checker, expression->position,
                      "%s must be a constant: use literals, enumerators, const or constexpr integers", what);
    return false;
  }
  *value_out = constant.integer;
  return true;
}
