/* SPDX-License-Identifier: MIT */
/*
 * operator - what operators take, the type they are computed in, and what they give.
 */
#include "translate/types/check.h"

static const struct {
  int op;
  const char *text;
  int plain; /* of a compound assignment: its operation */
} operators[] = {
  { '+', "+", 0 },
  { '-', "-", 0 },
  { '*', "*", 0 },
  { '/', "/", 0 },
  { '%', "%", 0 },
  { '&', "&", 0 },
  { '|', "|", 0 },
  { '^', "^", 0 },
  { '!', "!", 0 },
  { '~', "~", 0 },
  { '<', "<", 0 },
  { '>', ">", 0 },
  { '=', "=", 0 },
  { ',', ",", 0 },
  { VPTR__TOKEN_INCREMENT, "++", 0 },
  { VPTR__TOKEN_DECREMENT, "--", 0 },
  { VPTR__TOKEN_SHIFT_LEFT, "<<", 0 },
  { VPTR__TOKEN_SHIFT_RIGHT, ">>", 0 },
  { VPTR__TOKEN_LESS_EQUAL, "<=", 0 },
  { VPTR__TOKEN_GREATER_EQUAL, ">=", 0 },
  { VPTR__TOKEN_EQUAL, "==", 0 },
  { VPTR__TOKEN_NOT_EQUAL, "!=", 0 },
  { VPTR__TOKEN_AND_AND, "&&", 0 },
  { VPTR__TOKEN_OR_OR, "||", 0 },
  { VPTR__TOKEN_ADD_ASSIGN, "+=", '+' },
  { VPTR__TOKEN_SUB_ASSIGN, "-=", '-' },
  { VPTR__TOKEN_MUL_ASSIGN, "*=", '*' },
  { VPTR__TOKEN_DIV_ASSIGN, "/=", '/' },
  { VPTR__TOKEN_MOD_ASSIGN, "%=", '%' },
  { VPTR__TOKEN_AND_ASSIGN, "&=", '&' },
  { VPTR__TOKEN_OR_ASSIGN, "|=", '|' },
  { VPTR__TOKEN_XOR_ASSIGN, "^=", '^' },
  { VPTR__TOKEN_SHIFT_LEFT_ASSIGN, "<<=", VPTR__TOKEN_SHIFT_LEFT },
  { VPTR__TOKEN_SHIFT_RIGHT_ASSIGN, ">>=", VPTR__TOKEN_SHIFT_RIGHT },
};

const char *vptr__operator_text(int op) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i].op == op)
      return operators[i].text;
  return "?";
}

static int plain_of(int op) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i].op == op)
      return operators[i].plain;
  return 0;
}

static vptr__expression *refuse_operands(vptr__checker *checker, vptr__expression *expression, const char *advice) {
  const vptr__expression *left = expression->operands[0], *right = expression->operands[1];
  const char *text = vptr__operator_text(expression->op);
  if (right == NULL)
    VPTR__CHECK_ERROR(checker, expression->position, "'%s' cannot be applied to '%s': %s", text,
                      VPTR__CHECK_TEXT(checker, left->type), advice);
  else
    VPTR__CHECK_ERROR(checker, expression->position, "'%s' cannot be applied to '%s' and '%s': %s", text,
                      VPTR__CHECK_TEXT(checker, left->type), VPTR__CHECK_TEXT(checker, right->type), advice);
  return vptr__expression_wrong(checker, expression);
}

static const char *general_advice(const vptr__expression *expression) {
  const vptr__type *left = expression->operands[0]->type;
  const vptr__type *right = expression->operands[1] != NULL ? expression->operands[1]->type : left;
  if (left->kind == VPTR__TYPE_RECORD || right->kind == VPTR__TYPE_RECORD)
    return "no operator function fits; write one, or work on the members";
  if (vptr__kind_is_scoped(left) || vptr__kind_is_scoped(right))
    return "an enum class does not convert by itself; use static_cast";
  if (left->kind == VPTR__TYPE_POINTER || right->kind == VPTR__TYPE_POINTER)
    return "did you forget '*' or an index?";
  return "there is no such operation";
}

static vptr__expression *set_type(vptr__expression *expression, vptr__type *type, bool is_lvalue) {
  expression->type = type;
  expression->is_lvalue = is_lvalue;
  return expression;
}

/* ---- writing ------------------------------------------------------------------------------------------------ */

vptr__declaration *vptr__operator_root(const vptr__expression *lvalue) {
  for (;;) {
    if (lvalue->kind == VPTR__EXPRESSION_NAME)
      return lvalue->declaration;
    if (lvalue->kind != VPTR__EXPRESSION_MEMBER && lvalue->kind != VPTR__EXPRESSION_INDEX)
      return NULL;
    if (lvalue->is_arrow)
      return NULL;
    bool is_index = lvalue->kind == VPTR__EXPRESSION_INDEX;
    lvalue = lvalue->operands[0];
    if (!is_index)
      continue;
    if (lvalue->kind != VPTR__EXPRESSION_CAST || lvalue->cast != VPTR__CAST_DECAY)
      return NULL;
    lvalue = lvalue->operands[0];
  }
}

bool vptr__operator_may_write(vptr__checker *checker, vptr__expression *lvalue, vptr__position position) {
  if (!lvalue->is_lvalue) {
    VPTR__CHECK_ERROR(checker, position, "this is a value of type '%s', not a variable: it cannot be written to",
                      VPTR__CHECK_TEXT(checker, lvalue->type));
    return false;
  }
  const vptr__declaration *root = vptr__operator_root(lvalue);
  if (root != NULL && (root->flags & (VPTR__CONSTANT | VPTR__BUILT_IN)) != 0) {
    VPTR__CHECK_ERROR(
        checker, position,
        (root->flags & VPTR__CONSTANT) != 0
            ? "'%s' is __constant__: kernels cannot write to it; write it from the host, or make it __device__"
            : "'%s' cannot be written to: copy it into a variable",
        root->name->text);
    return false;
  }
  if ((vptr__kind_qualifiers(lvalue->type) & VPTR__CONST) != 0) {
    VPTR__CHECK_ERROR(checker, position, "this is '%s', which is const: it cannot be written to",
                      VPTR__CHECK_TEXT(checker, lvalue->type));
    return false;
  }
  vptr__convert_mark(lvalue, VPTR__ASSIGNED);
  return true;
}

/* ---- unary -------------------------------------------------------------------------------------------------- */

static vptr__expression *check_address(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *operand = expression->operands[0];
  if (!operand->is_lvalue)
    return refuse_operands(checker, expression, "a temporary has no address; keep it in a variable");
  vptr__declaration *root = vptr__operator_root(operand);
  if (root != NULL && (root->flags & VPTR__BUILT_IN) != 0)
    return refuse_operands(checker, expression, "it is no variable in memory; copy it into one");
  if (root != NULL && vptr__declaration_is_host(root) && !vptr__declaration_promote(root))
    return refuse_operands(
        checker, expression,
        "a constant of the host has no address in device code; mark it __device__ or __constant__");
  vptr__convert_mark(operand, VPTR__ADDRESSED);
  return set_type(expression, vptr__type_pointer(checker->unit, operand->type), false);
}

static vptr__expression *check_object(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *operand = expression->operands[0] = vptr__convert_value(checker, expression->operands[0]);
  if (vptr__expression_is_wrong(checker, operand))
    return vptr__expression_wrong(checker, expression);
  if (operand->type->kind != VPTR__TYPE_POINTER)
    return refuse_operands(checker, expression, "only pointers have an object");
  if (operand->type->base->kind == VPTR__TYPE_VOID)
    return refuse_operands(checker, expression, "cast it to a pointer to a type first");
  if (!vptr__layout_complete(checker, operand->type->base, expression->position))
    return vptr__expression_wrong(checker, expression);
  return set_type(expression, operand->type->base, true);
}

static vptr__expression *check_step(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *operand = expression->operands[0];
  const vptr__type *type = operand->type;
  if (type->kind == VPTR__TYPE_BOOL || !(vptr__type_is_arithmetic(type) || type->kind == VPTR__TYPE_POINTER))
    return refuse_operands(checker, expression,
                           type->kind == VPTR__TYPE_BOOL ? "assign true or false" : general_advice(expression));
  if (type->kind == VPTR__TYPE_POINTER && !vptr__layout_complete(checker, type->base, expression->position))
    return vptr__expression_wrong(checker, expression);
  if (!vptr__operator_may_write(checker, operand, expression->position))
    return vptr__expression_wrong(checker, expression);
  if (expression->is_postfix)
    return set_type(expression, vptr__kind_unqualified(checker, operand->type), false);
  return set_type(expression, operand->type, true);
}

static vptr__expression *check_sign(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *operand = expression->operands[0] = vptr__convert_value(checker, expression->operands[0]);
  if (vptr__expression_is_wrong(checker, operand))
    return vptr__expression_wrong(checker, expression);
  if (expression->op == '+' && operand->type->kind == VPTR__TYPE_POINTER)
    return set_type(expression, operand->type, false);
  if (!vptr__kind_is_operand(operand->type) || (expression->op == '~' && vptr__type_is_floating(operand->type)))
    return refuse_operands(checker, expression, general_advice(expression));
  vptr__type *type = vptr__kind_promoted(checker, operand->type);
  expression->operands[0] = vptr__convert_cast(checker, operand, type);
  return set_type(expression, type, false);
}

vptr__expression *vptr__operator_unary(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *operand = expression->operands[0] = vptr__expression_check(checker, expression->operands[0]);
  if (vptr__expression_is_wrong(checker, operand))
    return vptr__expression_wrong(checker, expression);
  vptr__expression *call = vptr__call_operator(checker, expression);
  if (call != NULL)
    return call;
  switch (expression->op) {
  case '&':
    return check_address(checker, expression);
  case '*':
    return check_object(checker, expression);
  case '!':
    expression->operands[0] = vptr__convert_condition(checker, operand);
    if (vptr__expression_is_wrong(checker, expression->operands[0]))
      return vptr__expression_wrong(checker, expression);
    return set_type(expression, vptr__kind_basic(checker, VPTR__TYPE_BOOL), false);
  case VPTR__TOKEN_INCREMENT:
  case VPTR__TOKEN_DECREMENT:
    return check_step(checker, expression);
  default:
    return check_sign(checker, expression);
  }
}

/* ---- binary ------------------------------------------------------------------------------------------------- */

static bool is_shift(int op) {
  return op == VPTR__TOKEN_SHIFT_LEFT || op == VPTR__TOKEN_SHIFT_RIGHT;
}

static bool is_comparison(int op) {
  return op == '<' || op == '>' || op == VPTR__TOKEN_LESS_EQUAL || op == VPTR__TOKEN_GREATER_EQUAL ||
         op == VPTR__TOKEN_EQUAL || op == VPTR__TOKEN_NOT_EQUAL;
}

static bool needs_integers(int op) {
  return op == '%' || op == '&' || op == '|' || op == '^' || is_shift(op);
}

/* The type an arithmetic operation is done in; NULL: there is none. */
static vptr__type *computed_in(vptr__checker *checker, int op, vptr__type *left, vptr__type *right) {
  if (!vptr__kind_is_operand(left) || !vptr__kind_is_operand(right))
    return NULL;
  if (needs_integers(op) && (vptr__type_is_floating(left) || vptr__type_is_floating(right)))
    return NULL;
  return is_shift(op) ? vptr__kind_promoted(checker, left) : vptr__kind_usual(checker, left, right);
}

static vptr__expression *check_logic(vptr__checker *checker, vptr__expression *expression) {
  for (int i = 0; i < 2; i++) {
    expression->operands[i] = vptr__convert_condition(checker, expression->operands[i]);
    if (vptr__expression_is_wrong(checker, expression->operands[i]))
      return vptr__expression_wrong(checker, expression);
  }
  return set_type(expression, vptr__kind_basic(checker, VPTR__TYPE_BOOL), false);
}

static bool points_to_object(vptr__checker *checker, const vptr__expression *pointer) {
  return pointer->type->base->kind != VPTR__TYPE_VOID &&
         vptr__layout_complete(checker, pointer->type->base, pointer->position);
}

static vptr__expression *promote_integer(vptr__checker *checker, vptr__expression *integer) {
  return vptr__convert_cast(checker, integer, vptr__kind_promoted(checker, integer->type));
}

static bool is_index(const vptr__type *type) {
  return vptr__kind_is_operand(type) && vptr__type_is_integer(type);
}

/* pointer + integer, integer + pointer, pointer - integer, pointer - pointer. */
static vptr__expression *check_offset(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression **left = &expression->operands[0], **right = &expression->operands[1];
  bool is_left = (*left)->type->kind == VPTR__TYPE_POINTER, is_right = (*right)->type->kind == VPTR__TYPE_POINTER;
  const char *advice = "an offset must be an integer";
  if (is_left && is_right) {
    if (expression->op != '-' || !vptr__type_same((*left)->type->base, (*right)->type->base, false))
      return refuse_operands(checker, expression,
                             expression->op == '-' ? "both must point to the same type" : "pointers cannot be added");
    if (!points_to_object(checker, *left))
      return refuse_operands(checker, expression, "what they point to has no size");
    return set_type(expression, vptr__kind_basic(checker, VPTR__TYPE_LONG), false);
  }
  if ((expression->op != '+' && expression->op != '-') || (is_right && expression->op == '-'))
    return refuse_operands(checker, expression, general_advice(expression));
  vptr__expression **pointer = is_left ? left : right, **offset = is_left ? right : left;
  if (!is_index((*offset)->type))
    return refuse_operands(checker, expression, advice);
  if (!points_to_object(checker, *pointer))
    return refuse_operands(checker, expression, "what it points to has no size; cast it to char *");
  *offset = promote_integer(checker, *offset);
  return set_type(expression, vptr__kind_unqualified(checker, (*pointer)->type), false);
}

static vptr__expression *compare_pointers(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression **left = &expression->operands[0], **right = &expression->operands[1];
  vptr__type *type = NULL;
  if (vptr__convert_is_null(*left))
    type = (*right)->type;
  else if (vptr__convert_is_null(*right))
    type = (*left)->type;
  else
    type = vptr__compare_composite(checker, (*left)->type, (*right)->type);
  if (type == NULL)
    return refuse_operands(checker, expression, "both must point to the same type; cast one if that is meant");
  *left = vptr__convert_cast(checker, *left, type);
  *right = vptr__convert_cast(checker, *right, type);
  return set_type(expression, vptr__kind_basic(checker, VPTR__TYPE_BOOL), false);
}

static bool is_pointer(const vptr__expression *expression) {
  return expression->type->kind == VPTR__TYPE_POINTER || expression->type->kind == VPTR__TYPE_NULLPTR;
}

static vptr__expression *check_comparison(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *left = expression->operands[0], *right = expression->operands[1];
  if (is_pointer(left) || is_pointer(right))
    return compare_pointers(checker, expression);
  bool is_enum = left->type->kind == VPTR__TYPE_ENUM && vptr__type_same(left->type, right->type, false);
  if (!is_enum || !vptr__kind_is_scoped(left->type)) {
    vptr__type *type = computed_in(checker, expression->op, left->type, right->type);
    if (type == NULL)
      return refuse_operands(checker, expression, general_advice(expression));
    expression->operands[0] = vptr__convert_cast(checker, left, type);
    expression->operands[1] = vptr__convert_cast(checker, right, type);
  }
  return set_type(expression, vptr__kind_basic(checker, VPTR__TYPE_BOOL), false);
}

static vptr__expression *check_arithmetic(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *left = expression->operands[0], *right = expression->operands[1];
  if (left->type->kind == VPTR__TYPE_POINTER || right->type->kind == VPTR__TYPE_POINTER)
    return check_offset(checker, expression);
  vptr__type *type = computed_in(checker, expression->op, left->type, right->type);
  if (type == NULL)
    return refuse_operands(checker, expression, general_advice(expression));
  expression->operands[0] = vptr__convert_cast(checker, left, type);
  expression->operands[1] =
      is_shift(expression->op) ? promote_integer(checker, right) : vptr__convert_cast(checker, right, type);
  return set_type(expression, type, false);
}

/* Both operands, checked; false: one was refused. */
static bool check_operands(vptr__checker *checker, vptr__expression *expression, int first, int last) {
  bool is_good = true;
  for (int i = first; i <= last; i++) {
    expression->operands[i] = vptr__expression_check(checker, expression->operands[i]);
    is_good = is_good && !vptr__expression_is_wrong(checker, expression->operands[i]);
  }
  return is_good;
}

static bool take_values(vptr__checker *checker, vptr__expression *expression, int first, int last) {
  bool is_good = true;
  for (int i = first; i <= last; i++) {
    expression->operands[i] = vptr__convert_value(checker, expression->operands[i]);
    is_good = is_good && !vptr__expression_is_wrong(checker, expression->operands[i]);
  }
  return is_good;
}

vptr__expression *vptr__operator_binary(vptr__checker *checker, vptr__expression *expression) {
  if (!check_operands(checker, expression, 0, 1))
    return vptr__expression_wrong(checker, expression);
  vptr__expression *call = vptr__call_operator(checker, expression);
  if (call != NULL)
    return call;
  if (expression->op == ',')
    return set_type(expression, expression->operands[1]->type, expression->operands[1]->is_lvalue);
  if (expression->op == VPTR__TOKEN_AND_AND || expression->op == VPTR__TOKEN_OR_OR)
    return check_logic(checker, expression);
  if (!take_values(checker, expression, 0, 1))
    return vptr__expression_wrong(checker, expression);
  return is_comparison(expression->op) ? check_comparison(checker, expression)
                                       : check_arithmetic(checker, expression);
}

/* ---- assignment --------------------------------------------------------------------------------------------- */

static vptr__expression *check_compound(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *left = expression->operands[0];
  vptr__expression *right = expression->operands[1] = vptr__convert_value(checker, expression->operands[1]);
  int op = plain_of(expression->op);
  if (vptr__expression_is_wrong(checker, right))
    return vptr__expression_wrong(checker, expression);
  if (left->type->kind == VPTR__TYPE_POINTER) {
    if ((op != '+' && op != '-') || !is_index(right->type) || !points_to_object(checker, left))
      return refuse_operands(checker, expression,
                             "a pointer moves by integers, and must point to something with a size");
    expression->computation = vptr__kind_unqualified(checker, left->type);
    expression->operands[1] = promote_integer(checker, right);
    return set_type(expression, left->type, true);
  }
  vptr__type *type = computed_in(checker, op, left->type, right->type);
  if (type == NULL || !vptr__type_is_arithmetic(left->type))
    return refuse_operands(checker, expression, general_advice(expression));
  expression->computation = type;
  expression->operands[1] = is_shift(op) ? promote_integer(checker, right) : vptr__convert_cast(checker, right, type);
  return set_type(expression, left->type, true);
}

vptr__expression *vptr__operator_assign(vptr__checker *checker, vptr__expression *expression) {
  expression->operands[0] = vptr__expression_check(checker, expression->operands[0]);
  if (expression->operands[1]->kind != VPTR__EXPRESSION_INIT_LIST)
    expression->operands[1] = vptr__expression_check(checker, expression->operands[1]);
  vptr__expression *left = expression->operands[0];
  if (vptr__expression_is_wrong(checker, left) || vptr__expression_is_wrong(checker, expression->operands[1]))
    return vptr__expression_wrong(checker, expression);
  vptr__expression *call = expression->op != '=' ? vptr__call_operator(checker, expression) : NULL;
  if (call != NULL)
    return call;
  if (left->type->kind == VPTR__TYPE_ARRAY)
    return refuse_operands(checker, expression, "arrays are not assigned; copy their elements");
  if (!vptr__operator_may_write(checker, left, expression->position))
    return vptr__expression_wrong(checker, expression);
  if (expression->op != '=')
    return check_compound(checker, expression);
  bool is_list = expression->operands[1]->kind == VPTR__EXPRESSION_INIT_LIST;
  expression->operands[1] = vptr__convert_to(checker, expression->operands[1], left->type, "assign to");
  vptr__expression *right = expression->operands[1];
  if (vptr__expression_is_wrong(checker, right))
    return vptr__expression_wrong(checker, expression);
  if (is_list && right->kind == VPTR__EXPRESSION_INIT_LIST) { /* lists stand at declarations only, behind this room */
    right->kind = VPTR__EXPRESSION_CONSTRUCT;
    right->op = '{';
    right->written_type = right->type = vptr__kind_unqualified(checker, right->type);
  }
  return set_type(expression, left->type, true);
}

/* ---- condition ? one : other -------------------------------------------------------------------------------- */

/* The common type of two values; NULL: there is none. */
static vptr__type *common_type(vptr__checker *checker, const vptr__expression *left, const vptr__expression *right) {
  if (vptr__type_same(left->type, right->type, false))
    return left->type->kind == VPTR__TYPE_POINTER ? vptr__kind_again(checker, left->type) : left->type;
  if (vptr__kind_is_operand(left->type) && vptr__kind_is_operand(right->type))
    return vptr__kind_usual(checker, left->type, right->type);
  bool is_left = left->type->kind == VPTR__TYPE_POINTER, is_right = right->type->kind == VPTR__TYPE_POINTER;
  if (is_left && vptr__convert_is_null(right))
    return vptr__kind_again(checker, left->type);
  if (is_right && vptr__convert_is_null(left))
    return vptr__kind_again(checker, right->type);
  return is_left && is_right ? vptr__compare_composite(checker, left->type, right->type) : NULL;
}

/* Both name objects of one type: so does the whole. */
static bool gives_lvalue(const vptr__expression *left, const vptr__expression *right) {
  return left->is_lvalue && right->is_lvalue && vptr__type_same(left->type, right->type, false) &&
         (vptr__kind_is_scalar(left->type) || left->type->kind == VPTR__TYPE_RECORD) &&
         (left->type->kind != VPTR__TYPE_POINTER || vptr__type_same(left->type, right->type, true));
}

vptr__expression *vptr__operator_conditional(vptr__checker *checker, vptr__expression *expression) {
  expression->operands[0] = vptr__convert_condition(checker, expression->operands[0]);
  if (!check_operands(checker, expression, 1, 2) || vptr__expression_is_wrong(checker, expression->operands[0]))
    return vptr__expression_wrong(checker, expression);
  vptr__expression *left = expression->operands[1], *right = expression->operands[2];
  if (gives_lvalue(left, right)) {
    unsigned qualifiers = vptr__kind_qualifiers(left->type) | vptr__kind_qualifiers(right->type);
    return set_type(expression, vptr__kind_requalified(checker, left->type, qualifiers), true);
  }
  if (!take_values(checker, expression, 1, 2))
    return vptr__expression_wrong(checker, expression);
  left = expression->operands[1];
  right = expression->operands[2];
  vptr__type *type = common_type(checker, left, right);
  if (type == NULL) {
    VPTR__CHECK_ERROR(checker, expression->position, "'?:' between '%s' and '%s': cast one to the type of the other",
                      VPTR__CHECK_TEXT(checker, left->type), VPTR__CHECK_TEXT(checker, right->type));
    return vptr__expression_wrong(checker, expression);
  }
  expression->operands[1] = vptr__convert_cast(checker, left, type);
  expression->operands[2] = vptr__convert_cast(checker, right, type);
  return set_type(expression, type, false);
}
