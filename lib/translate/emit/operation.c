/* SPDX-License-Identifier: MIT */
/*
 * operation - operators, assignments and conversions. Types has made every conversion a node, so operators mean the
 * same in both languages, but for bool: a bool in memory is a uchar here, and only 0 or 1 may come into it.
 */
#include "translate/emit/emitter.h"

#include "translate/lexer/token.h"

static const struct {
  int op;
  const char *text;
  vptr__level level;
  int assigned; /* the operator that does it and assigns */
} operators[] = {
  { ',', ",", VPTR__LEVEL_COMMA, 0 },
  { VPTR__TOKEN_OR_OR, "||", VPTR__LEVEL_OR_OR, 0 },
  { VPTR__TOKEN_AND_AND, "&&", VPTR__LEVEL_AND_AND, 0 },
  { '|', "|", VPTR__LEVEL_OR, VPTR__TOKEN_OR_ASSIGN },
  { '^', "^", VPTR__LEVEL_XOR, VPTR__TOKEN_XOR_ASSIGN },
  { '&', "&", VPTR__LEVEL_AND, VPTR__TOKEN_AND_ASSIGN },
  { VPTR__TOKEN_EQUAL, "==", VPTR__LEVEL_EQUALITY, 0 },
  { VPTR__TOKEN_NOT_EQUAL, "!=", VPTR__LEVEL_EQUALITY, 0 },
  { '<', "<", VPTR__LEVEL_RELATION, 0 },
  { '>', ">", VPTR__LEVEL_RELATION, 0 },
  { VPTR__TOKEN_LESS_EQUAL, "<=", VPTR__LEVEL_RELATION, 0 },
  { VPTR__TOKEN_GREATER_EQUAL, ">=", VPTR__LEVEL_RELATION, 0 },
  { VPTR__TOKEN_SHIFT_LEFT, "<<", VPTR__LEVEL_SHIFT, VPTR__TOKEN_SHIFT_LEFT_ASSIGN },
  { VPTR__TOKEN_SHIFT_RIGHT, ">>", VPTR__LEVEL_SHIFT, VPTR__TOKEN_SHIFT_RIGHT_ASSIGN },
  { '+', "+", VPTR__LEVEL_SUM, VPTR__TOKEN_ADD_ASSIGN },
  { '-', "-", VPTR__LEVEL_SUM, VPTR__TOKEN_SUB_ASSIGN },
  { '*', "*", VPTR__LEVEL_PRODUCT, VPTR__TOKEN_MUL_ASSIGN },
  { '/', "/", VPTR__LEVEL_PRODUCT, VPTR__TOKEN_DIV_ASSIGN },
  { '%', "%", VPTR__LEVEL_PRODUCT, VPTR__TOKEN_MOD_ASSIGN },
};

/* The row of an operator, or of one that also assigns. */
static int row_of(int op) {
  int rows = (int)(sizeof operators / sizeof *operators), row = 0;
  while (row < rows - 1 && operators[row].op != op && operators[row].assigned != op)
    row++;
  return row;
}

static void write_step(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least) {
  if (vptr__emit_is_stored(emitter, expression->operands[0])) {
    vptr__emit_stored_step(emitter, expression);
    return;
  }
  const char *text = expression->op == VPTR__TOKEN_INCREMENT ? "++" : "--";
  vptr__level level = expression->is_postfix ? VPTR__LEVEL_POSTFIX : VPTR__LEVEL_UNARY;
  bool opened = vptr__emit_open(emitter, level, least);
  if (!expression->is_postfix)
    vptr__writer_text(emitter->out, text);
  vptr__emit_access(emitter, expression->operands[0], level);
  if (expression->is_postfix)
    vptr__writer_text(emitter->out, text);
  vptr__emit_close(emitter, opened);
}

void vptr__emit_unary(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least) {
  const vptr__expression *operand = expression->operands[0];
  if (expression->op == VPTR__TOKEN_INCREMENT || expression->op == VPTR__TOKEN_DECREMENT) {
    write_step(emitter, expression, least);
    return;
  }
  if (expression->op == '&') {
    vptr__emit_address(emitter, operand, least);
    return;
  }
  bool opened = vptr__emit_open(emitter, VPTR__LEVEL_UNARY, least);
  vptr__writer_format(emitter->out, "%c", expression->op);
  /* not `--x` for -(-x) */
  bool is_sign = expression->op == '+' || expression->op == '-';
  vptr__emit_expression(emitter, operand, is_sign ? VPTR__LEVEL_POSTFIX : VPTR__LEVEL_UNARY);
  vptr__emit_close(emitter, opened);
}

void vptr__emit_binary(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least) {
  int row = row_of(expression->op);
  vptr__level level = operators[row].level;
  bool opened = vptr__emit_open(emitter, level, least);
  vptr__emit_expression(emitter, expression->operands[0], level);
  vptr__writer_format(emitter->out, expression->op == ',' ? "%s " : " %s ", operators[row].text);
  vptr__emit_expression(emitter, expression->operands[1], (vptr__level)(level + 1));
  vptr__emit_close(emitter, opened);
}

/* b |= x, b a bool: b = (b | x) != 0, through a pointer if naming b does something. */
static void assign_to_bool(vptr__emitter *emitter, const vptr__expression *expression) {
  const vptr__expression *target = expression->operands[0];
  int row = row_of(expression->op);
  if (!vptr__emit_is_stable(target)) {
    vptr__source_report(
        emitter->source, VPTR__ERROR, expression->position,
        "a bool that is found by an expression with side effects is changed here: write two statements");
    return;
  }
  vptr__emit_access(emitter, target, VPTR__LEVEL_UNARY);
  vptr__writer_text(emitter->out, " = (");
  vptr__emit_access(emitter, target, VPTR__LEVEL_UNARY);
  vptr__writer_format(emitter->out, " %s ", operators[row].text);
  vptr__emit_expression(emitter, expression->operands[1], VPTR__LEVEL_POSTFIX);
  vptr__writer_text(emitter->out, ") != 0");
}

void vptr__emit_assign(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least) {
  const vptr__expression *target = expression->operands[0];
  bool opened = vptr__emit_open(emitter, VPTR__LEVEL_ASSIGN, least);
  if (expression->op != '=' && target->type->kind == VPTR__TYPE_BOOL) {
    assign_to_bool(emitter, expression);
  } else if (vptr__emit_is_stored(emitter, target)) {
    vptr__emit_stored_assign(emitter, expression,
                             expression->op == '=' ? "" : operators[row_of(expression->op)].text);
  } else if (!vptr__emit_found_record(emitter, expression)) {
    vptr__emit_access(emitter, target, VPTR__LEVEL_UNARY);
    vptr__writer_format(emitter->out, " %s= ", expression->op == '=' ? "" : operators[row_of(expression->op)].text);
    vptr__emit_expression(emitter, expression->operands[1], VPTR__LEVEL_ASSIGN);
  }
  vptr__emit_close(emitter, opened);
}

/* ---- conversions ------------------------------------------------------------------------------------------ */

/* A literal is written as what it is converted to, if that says the same. */
static bool convert_literal(vptr__emitter *emitter, const vptr__expression *operand, const vptr__type *to,
                            vptr__level least) {
  bool to_integer = vptr__type_is_integer(to) && to->kind != VPTR__TYPE_BOOL;
  bool is_integer = operand->kind == VPTR__EXPRESSION_INTEGER || operand->kind == VPTR__EXPRESSION_BOOL;
  int64_t value = (int64_t)operand->integer;
  bool is_huge = value < 0 && !vptr__type_is_signed(operand->type); /* beyond what int64_t holds */
  if (is_integer && to_integer)
    vptr__emit_integer(emitter, operand->integer, to, least);
  else if (is_integer && !is_huge && vptr__type_is_floating(to) && value >= -(1 << 24) && value <= 1 << 24)
    vptr__emit_floating(emitter, (double)value, to->kind == VPTR__TYPE_FLOAT, least);
  else if (operand->kind == VPTR__EXPRESSION_FLOATING && vptr__type_is_floating(to))
    vptr__emit_floating(
        emitter, operand->type->kind == VPTR__TYPE_FLOAT ? (double)(float)operand->floating : operand->floating,
        to->kind == VPTR__TYPE_FLOAT, least);
  else
    return false;
  return true;
}

static void convert_to_bool(vptr__emitter *emitter, const vptr__expression *operand, vptr__level least) {
  const vptr__type *from = operand->type;
  if (from->kind == VPTR__TYPE_BOOL) {
    vptr__emit_expression(emitter, operand, least);
    return;
  }
  if (from->kind == VPTR__TYPE_NULLPTR) {
    vptr__writer_text(emitter->out, "0");
    return;
  }
  bool opened = vptr__emit_open(emitter, VPTR__LEVEL_EQUALITY, least);
  vptr__emit_expression(emitter, operand, VPTR__LEVEL_RELATION);
  vptr__writer_text(emitter->out, from->kind == VPTR__TYPE_FLOAT    ? " != 0.0f"
                                  : from->kind == VPTR__TYPE_DOUBLE ? " != 0.0"
                                                                    : " != 0");
  vptr__emit_close(emitter, opened);
}

/* Nothing to write: the same type, a bool where C makes an int of it by itself, an array that C turns into a
 * pointer. */
static bool is_silent(const vptr__emitter *emitter, const vptr__expression *cast) {
  const vptr__expression *operand = cast->operands[0];
  if (cast->cast == VPTR__CAST_DECAY)
    return true;
  if (cast->type->kind == VPTR__TYPE_RECORD)
    return true;
  if (cast->type->kind == VPTR__TYPE_INT && operand->type->kind == VPTR__TYPE_BOOL)
    return true;
  if (cast->type->kind == VPTR__TYPE_POINTER && operand->type->kind == VPTR__TYPE_POINTER)
    return vptr__type_same(cast->type->base, operand->type->base, true) &&
           vptr__infer_space(emitter->instance, cast->type) == vptr__infer_space(emitter->instance, operand->type);
  return cast->type->kind != VPTR__TYPE_POINTER && cast->type->kind != VPTR__TYPE_VOID &&
         vptr__type_same(cast->type, operand->type, false);
}

/* Kernel C sees bytes as numbers: by a type that may alias any other, or the driver's compiler may take a store through
 * one for none that a load through another sees. */
static bool is_view_of_bytes(const vptr__emitter *emitter, const vptr__expression *cast) {
  const vptr__type *from = cast->operands[0]->type, *to = cast->type;
  return emitter->options->is_kernel_c && from->kind == VPTR__TYPE_POINTER && to->kind == VPTR__TYPE_POINTER &&
         from->base->kind == VPTR__TYPE_CHAR && to->base->kind > VPTR__TYPE_UNSIGNED_CHAR &&
         to->base->kind <= VPTR__TYPE_DOUBLE;
}

/* The one kind of number that an object of the type is made of, with no difference between signed and unsigned; VOID:
 * it is bytes, or nothing is known of it; RECORD: there are several. */
static vptr__type_kind numbers_of(const vptr__type *type) {
  while (type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  if (type->kind == VPTR__TYPE_RECORD) {
    const vptr__declaration *field = type->declaration->fields;
    vptr__type_kind kind = field != NULL ? numbers_of(field->type) : VPTR__TYPE_VOID;
    for (; field != NULL; field = field->next)
      if (numbers_of(field->type) != kind)
        return VPTR__TYPE_RECORD;
    return kind;
  }
  if (type->kind <= VPTR__TYPE_UNSIGNED_CHAR)
    return VPTR__TYPE_VOID;
  if (type->kind <= VPTR__TYPE_UNSIGNED_LONG_LONG) /* LONG and LONG_LONG have 64 bits both */
    return vptr__type_size(type) == 8                ? VPTR__TYPE_LONG
           : type->kind <= VPTR__TYPE_UNSIGNED_SHORT ? VPTR__TYPE_SHORT
                                                     : VPTR__TYPE_INT;
  return type->kind == VPTR__TYPE_ENUM ? VPTR__TYPE_INT : type->kind;
}

/* Numbers are seen as other numbers, which C allows to none but bytes, and CUDA to all. */
static bool is_retyped(const vptr__expression *cast) {
  const vptr__type *from = cast->operands[0]->type, *to = cast->type;
  if (from->kind != VPTR__TYPE_POINTER || to->kind != VPTR__TYPE_POINTER)
    return false;
  vptr__type_kind had = numbers_of(from->base), has = numbers_of(to->base);
  return had != VPTR__TYPE_VOID && has != VPTR__TYPE_VOID && had != has;
}

static void write_view(vptr__emitter *emitter, const vptr__type *type) {
  static const char *const qualifiers[] = { "", "const ", "volatile ", "const volatile " };
  vptr__emit_need(emitter, type->base->kind == VPTR__TYPE_DOUBLE ? "any_double" : "any", NULL);
  vptr__writer_format(emitter->out, "(%s%svptr_any_%s *)",
                      vptr__emit_space_word(vptr__infer_space(emitter->instance, type)),
                      qualifiers[type->base->qualifiers & 3], vptr__emit_scalar(emitter, type->base));
}

void vptr__emit_cast(vptr__emitter *emitter, const vptr__expression *expression, vptr__level least) {
  const vptr__expression *operand = expression->operands[0];
  if (expression->is_lvalue) {
    vptr__emit_place(emitter, operand, least);
    return;
  }
  if (expression->cast == VPTR__CAST_DECAY)
    vptr__emit_classify_address(emitter, operand);
  if (is_silent(emitter, expression)) {
    vptr__emit_expression(emitter, operand, least);
    return;
  }
  if (expression->type->kind == VPTR__TYPE_BOOL) {
    convert_to_bool(emitter, operand, least);
    return;
  }
  if (convert_literal(emitter, operand, expression->type, least))
    return;
  emitter->is_retyped = emitter->is_retyped || is_retyped(expression);
  bool opened = vptr__emit_open(emitter, VPTR__LEVEL_UNARY, least);
  if (is_view_of_bytes(emitter, expression))
    write_view(emitter, expression->type);
  else
    vptr__writer_format(emitter->out, "(%s)", vptr__emit_type_name(emitter, expression->type));
  vptr__emit_expression(emitter, operand, VPTR__LEVEL_UNARY);
  vptr__emit_close(emitter, opened);
}
