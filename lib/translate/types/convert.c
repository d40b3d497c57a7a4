/* SPDX-License-Identifier: MIT */
/*
 * convert - conversions that are not written: values of lvalues, arrays as pointers, arithmetic, pointers, references.
 *
 * One function ranks (C++'s ranks, without those of classes) and one converts; the second asks the first, so what
 * overload resolution thinks possible is what happens. Each conversion that changes the type is a CAST in the tree.
 */
#include "translate/types/check.h"

#include <string.h>

bool vptr__convert_is_null(const vptr__expression *expression) {
  return expression->kind == VPTR__EXPRESSION_NULLPTR ||
         (expression->type != NULL && expression->type->kind == VPTR__TYPE_NULLPTR) ||
         (expression->kind == VPTR__EXPRESSION_INTEGER && expression->integer == 0 && expression->type != NULL &&
          expression->type->kind != VPTR__TYPE_ENUM && expression->type->kind != VPTR__TYPE_BOOL);
}

void vptr__convert_mark(vptr__expression *lvalue, unsigned flag) {
  for (;;) {
    switch (lvalue->kind) {
    case VPTR__EXPRESSION_NAME:
      if (lvalue->declaration != NULL)
        lvalue->declaration->flags |= flag;
      return;
    case VPTR__EXPRESSION_MEMBER:
      if (lvalue->is_arrow)
        return;
      lvalue = lvalue->operands[0];
      break;
    case VPTR__EXPRESSION_INDEX:
    case VPTR__EXPRESSION_UNARY:
      if (lvalue->op == VPTR__TOKEN_INCREMENT || lvalue->op == VPTR__TOKEN_DECREMENT) {
        lvalue = lvalue->operands[0];
        break;
      }
      lvalue = lvalue->operands[0];
      if (lvalue->kind != VPTR__EXPRESSION_CAST || lvalue->cast != VPTR__CAST_DECAY)
        return;
      lvalue = lvalue->operands[0];
      break;
    case VPTR__EXPRESSION_CONDITIONAL:
      vptr__convert_mark(lvalue->operands[1], flag);
      lvalue = lvalue->operands[2];
      break;
    case VPTR__EXPRESSION_ASSIGN:
      lvalue = lvalue->operands[0];
      break;
    case VPTR__EXPRESSION_BINARY:
      lvalue = lvalue->operands[1];
      break;
    default:
      return;
    }
  }
}

/* ---- ranks -------------------------------------------------------------------------------------------------- */

static vptr__rank rank_of(vptr__rank_level level) {
  return (vptr__rank){ .level = level };
}

static unsigned count_qualifiers(const vptr__type *type) {
  unsigned count = 0;
  for (;; type = type->base) {
    unsigned has = vptr__kind_qualifiers(type);
    count += ((has & VPTR__CONST) != 0) + ((has & VPTR__VOLATILE) != 0);
    if (type->kind != VPTR__TYPE_POINTER)
      return count;
  }
}

static vptr__rank rank_pointer(const vptr__expression *expression, const vptr__type *from, const vptr__type *to) {
  if (vptr__convert_is_null(expression))
    return rank_of(VPTR__RANK_CONVERSION);
  if (from->kind != VPTR__TYPE_POINTER && from->kind != VPTR__TYPE_ARRAY)
    return rank_of(VPTR__RANK_NONE);
  if (vptr__compare_qualifies(from->base, to->base)) {
    vptr__rank rank = rank_of(VPTR__RANK_EXACT);
    rank.added = count_qualifiers(to->base) - count_qualifiers(from->base);
    return rank;
  }
  bool to_void = to->base->kind == VPTR__TYPE_VOID && from->base->kind != VPTR__TYPE_FUNCTION &&
                 (vptr__kind_qualifiers(from->base) & ~vptr__kind_qualifiers(to->base)) == 0;
  return rank_of(to_void ? VPTR__RANK_CONVERSION : VPTR__RANK_NONE);
}

static vptr__rank rank_arithmetic(vptr__checker *checker, vptr__type *from, const vptr__type *to) {
  if (from->kind == to->kind)
    return rank_of(VPTR__RANK_EXACT);
  if (!vptr__kind_is_operand(from))
    return rank_of(VPTR__RANK_NONE);
  bool is_promotion = (from->kind == VPTR__TYPE_FLOAT && to->kind == VPTR__TYPE_DOUBLE) ||
                      (vptr__type_is_integer(from) && vptr__kind_promoted(checker, from)->kind == to->kind);
  return rank_of(is_promotion ? VPTR__RANK_PROMOTION : VPTR__RANK_CONVERSION);
}

static vptr__rank rank_value(vptr__checker *checker, vptr__expression *expression, const vptr__type *to) {
  vptr__type *from = expression->type;
  if (to->kind == VPTR__TYPE_POINTER)
    return rank_pointer(expression, from, to);
  if (to->kind == VPTR__TYPE_BOOL && (from->kind == VPTR__TYPE_POINTER || from->kind == VPTR__TYPE_ARRAY))
    return rank_of(VPTR__RANK_POINTER_TO_BOOL);
  if (vptr__type_is_arithmetic(to))
    return rank_arithmetic(checker, from, to);
  if (vptr__dim3_converts(from, to))
    return rank_of(VPTR__RANK_CLASS);
  return rank_of(vptr__type_same(from, to, false) && to->kind != VPTR__TYPE_ARRAY ? VPTR__RANK_EXACT
                                                                                  : VPTR__RANK_NONE);
}

static vptr__rank rank_reference(vptr__checker *checker, vptr__expression *expression, const vptr__type *to) {
  unsigned had = vptr__kind_qualifiers(expression->type), gets = vptr__kind_qualifiers(to);
  vptr__rank rank = rank_of(VPTR__RANK_NONE);
  if (expression->is_lvalue && vptr__type_same(expression->type, to, false)) {
    rank.level = (had & ~gets) == 0 ? VPTR__RANK_EXACT : VPTR__RANK_NONE;
    rank.added = count_qualifiers(to) - count_qualifiers(expression->type);
  } else if ((gets & VPTR__CONST) != 0 && (gets & VPTR__VOLATILE) == 0) {
    rank = rank_value(checker, expression, to);
    rank.added = 0;
  }
  rank.is_reference = true;
  return rank;
}

/* A braced list: an aggregate's, or of one scalar. That it fits is seen when it is converted. */
static vptr__rank rank_list(const vptr__expression *list, const vptr__type *to) {
  if (to->kind == VPTR__TYPE_REFERENCE)
    to = (to->base->qualifiers & VPTR__CONST) != 0 ? to->base : to;
  bool fits = to->kind == VPTR__TYPE_RECORD ||
              (vptr__kind_is_scalar(to) && (list->arguments == NULL || list->arguments->next == NULL));
  return rank_of(fits ? VPTR__RANK_CONVERSION : VPTR__RANK_NONE);
}

vptr__rank vptr__convert_rank(vptr__checker *checker, vptr__expression *expression, const vptr__type *to) {
  if (expression->kind == VPTR__EXPRESSION_INIT_LIST)
    return rank_list(expression, to);
  if (expression->type == checker->wrong)
    return rank_of(VPTR__RANK_EXACT);
  if (to->kind == VPTR__TYPE_REFERENCE)
    return rank_reference(checker, expression, to->base);
  return rank_value(checker, expression, to);
}

/* ---- conversions -------------------------------------------------------------------------------------------- */

static vptr__expression *wrap_expression(vptr__checker *checker, vptr__expression_kind kind, vptr__expression *inner,
                                         vptr__type *type) {
  vptr__expression *outer = vptr__expression_new(checker->unit, kind, inner->position);
  outer->operands[0] = inner;
  outer->type = type;
  outer->next = inner->next;
  inner->next = NULL;
  return outer;
}

vptr__expression *vptr__convert_decay(vptr__checker *checker, vptr__expression *array) {
  if (!array->is_lvalue) {
    VPTR__CHECK_ERROR(checker, array->position, "an array inside a temporary: keep the struct in a variable first");
    return vptr__expression_wrong(checker, array);
  }
  vptr__type *pointer = vptr__type_pointer(checker->unit, array->type->base);
  vptr__expression *made = wrap_expression(checker, VPTR__EXPRESSION_CAST, array, pointer);
  made->cast = VPTR__CAST_DECAY;
  return made;
}

static vptr__expression *refuse_host(vptr__checker *checker, vptr__expression *lvalue,
                                     const vptr__declaration *root) {
  vptr__place place = vptr__source_place(checker->source, root->position);
  VPTR__CHECK_ERROR(checker, lvalue->position,
                    "'%s' is declared at %s:%u for the host: mark it __device__ or __constant__", root->name->text,
                    place.file, place.line);
  return vptr__expression_wrong(checker, lvalue);
}

/* A constant of the host whose value is known here needs no place in the device's memory. */
static vptr__expression *load_host(vptr__checker *checker, vptr__expression *lvalue, vptr__declaration *root) {
  vptr__constant value;
  vptr__type *type = vptr__kind_unqualified(checker, lvalue->type);
  vptr__expression *load = wrap_expression(checker, VPTR__EXPRESSION_LOAD, lvalue, type);
  if (!vptr__kind_is_scalar(type) || type->kind == VPTR__TYPE_POINTER || !vptr__constant_evaluate(load, NULL, &value))
    return vptr__declaration_promote(root) ? load : refuse_host(checker, load, root);
  if (vptr__type_is_floating(type)) {
    load->kind = VPTR__EXPRESSION_FLOATING;
    load->floating = value.floating;
    load->operands[0] = NULL;
  } else {
    vptr__expression_integer(checker, load, (uint64_t)value.integer, type);
  }
  return load;
}

/* The value of one of two objects is one of their values: so the two may lie in different spaces. */
static vptr__expression *load_either(vptr__checker *checker, vptr__expression *conditional) {
  conditional->is_lvalue = false;
  conditional->type = vptr__kind_unqualified(checker, conditional->type);
  for (int i = 1; i < 3; i++) {
    conditional->operands[i] = vptr__convert_value(checker, conditional->operands[i]);
    if (conditional->operands[i]->type == checker->wrong)
      return vptr__expression_wrong(checker, conditional);
  }
  return conditional;
}

vptr__expression *vptr__convert_value(vptr__checker *checker, vptr__expression *expression) {
  if (expression->type == NULL || expression->type == checker->wrong)
    return expression;
  vptr__declaration *root = expression->is_lvalue ? vptr__operator_root(expression) : NULL;
  bool is_host = root != NULL && vptr__declaration_is_host(root);
  if (expression->type->kind == VPTR__TYPE_ARRAY) {
    if (is_host && !vptr__declaration_promote(root))
      return refuse_host(checker, expression, root);
    if (expression->is_lvalue)
      vptr__convert_mark(expression, VPTR__ADDRESSED);
    return vptr__convert_decay(checker, expression);
  }
  if (!expression->is_lvalue)
    return expression;
  if (!vptr__layout_complete(checker, expression->type, expression->position))
    return vptr__expression_wrong(checker, expression);
  if (is_host)
    return load_host(checker, expression, root);
  if (expression->kind == VPTR__EXPRESSION_CONDITIONAL)
    return load_either(checker, expression);
  return wrap_expression(checker, VPTR__EXPRESSION_LOAD, expression,
                         vptr__kind_unqualified(checker, expression->type));
}

vptr__expression *vptr__convert_cast(vptr__checker *checker, vptr__expression *value, vptr__type *to) {
  if (value->type == checker->wrong || vptr__type_same(value->type, to, false))
    return value;
  if (vptr__dim3_converts(value->type, to))
    return vptr__dim3_convert(checker, value, to);
  vptr__expression *made = wrap_expression(checker, VPTR__EXPRESSION_CAST, value, vptr__kind_again(checker, to));
  made->cast = VPTR__CAST_IMPLICIT;
  return made;
}

/* What to do about a conversion that does not exist. */
static const char *conversion_advice(const vptr__type *from, const vptr__type *to) {
  if (from->kind == VPTR__TYPE_VOID)
    return "the call gives no value";
  if (from->kind == VPTR__TYPE_RECORD || to->kind == VPTR__TYPE_RECORD)
    return "convert member by member";
  if (vptr__kind_is_scoped(from) || to->kind == VPTR__TYPE_ENUM)
    return "use static_cast if that is meant";
  bool is_from_pointer = from->kind == VPTR__TYPE_POINTER || from->kind == VPTR__TYPE_ARRAY;
  if (to->kind == VPTR__TYPE_POINTER && !is_from_pointer)
    return "only nullptr and 0 become pointers";
  if (to->kind == VPTR__TYPE_POINTER && vptr__type_same(from->base, to->base, false))
    return "that would drop a qualifier; make the target point to const";
  if (to->kind == VPTR__TYPE_POINTER)
    return "cast it if that is meant";
  if (is_from_pointer)
    return "did you forget '*' or an index?";
  return "write a cast if that is meant";
}

static vptr__expression *refuse_conversion(vptr__checker *checker, vptr__expression *expression, const vptr__type *to,
                                           const char *purpose) {
  VPTR__CHECK_ERROR(checker, expression->position, "cannot %s '%s' with a value of type '%s': %s", purpose,
                    VPTR__CHECK_TEXT(checker, to), VPTR__CHECK_TEXT(checker, expression->type),
                    conversion_advice(expression->type, to));
  return vptr__expression_wrong(checker, expression);
}

vptr__expression *vptr__convert_to(vptr__checker *checker, vptr__expression *expression, vptr__type *to,
                                   const char *purpose) {
  if (expression->kind == VPTR__EXPRESSION_INIT_LIST)
    return vptr__initializer_check(checker, to, expression, purpose);
  expression = vptr__expression_check(checker, expression);
  if (expression->type == checker->wrong || to == checker->wrong)
    return expression;
  if (to->kind == VPTR__TYPE_REFERENCE)
    return vptr__convert_bind(checker, expression, to, purpose);
  if (vptr__convert_rank(checker, expression, to).level == VPTR__RANK_NONE)
    return refuse_conversion(checker, expression, to, purpose);
  return vptr__convert_cast(checker, vptr__convert_value(checker, expression), to);
}

vptr__expression *vptr__convert_bind(vptr__checker *checker, vptr__expression *expression, vptr__type *reference,
                                     const char *purpose) {
  vptr__type *to = reference->base;
  if (expression->kind == VPTR__EXPRESSION_INIT_LIST && (to->qualifiers & VPTR__CONST) != 0)
    return vptr__initializer_check(checker, vptr__kind_unqualified(checker, to), expression, purpose);
  expression = vptr__expression_check(checker, expression);
  if (expression->type == checker->wrong)
    return expression;
  if (vptr__convert_rank(checker, expression, reference).level == VPTR__RANK_NONE) {
    bool is_same = vptr__type_same(expression->type, to, false);
    if (!is_same && (to->qualifiers & VPTR__CONST) != 0)
      return refuse_conversion(checker, expression, reference, purpose);
    VPTR__CHECK_ERROR(checker, expression->position, "cannot %s '%s' with %s of type '%s': %s", purpose,
                      VPTR__CHECK_TEXT(checker, reference), expression->is_lvalue ? "a variable" : "a temporary",
                      VPTR__CHECK_TEXT(checker, expression->type),
                      is_same && expression->is_lvalue ? "that would drop a qualifier; make it a reference to const"
                      : expression->is_lvalue          ? "the types must be the same"
                                              : "make it a reference to const, or keep the value in a variable");
    return vptr__expression_wrong(checker, expression);
  }
  vptr__declaration *root = expression->is_lvalue ? vptr__operator_root(expression) : NULL;
  if (root != NULL && vptr__declaration_is_host(root) && !vptr__kind_is_scalar(expression->type))
    (void)vptr__declaration_promote(root);
  bool has_place = root == NULL || (!vptr__declaration_is_host(root) && (root->flags & VPTR__BUILT_IN) == 0);
  bool is_const = (vptr__kind_qualifiers(to) & VPTR__CONST) != 0;
  if (!is_const && root != NULL && (root->flags & (VPTR__CONSTANT | VPTR__BUILT_IN)) != 0) {
    vptr__operator_may_write(checker, expression, expression->position);
    return vptr__expression_wrong(checker, expression);
  }
  if (expression->is_lvalue && vptr__type_same(expression->type, to, false) && has_place) {
    vptr__convert_mark(expression, VPTR__ADDRESSED | (is_const ? 0u : VPTR__ASSIGNED));
    return expression;
  }
  return vptr__convert_cast(checker, vptr__convert_value(checker, expression), to);
}

vptr__expression *vptr__convert_condition(vptr__checker *checker, vptr__expression *expression) {
  return vptr__convert_to(checker, expression, vptr__kind_basic(checker, VPTR__TYPE_BOOL), "decide on");
}
