/* SPDX-License-Identifier: MIT */
/*
 * dim3 - the conversions that CUDA's dim3 has as a class: from a number, or an enumerator (the others are 1), from
 * uint3, and to it.
 *
 * They are the only ones of records that are not written, since records have no functions here.
 */
#include <string.h>

#include "translate/types/check.h"

static bool is_record(const vptr__type *type, const char *name) {
  return type->kind == VPTR__TYPE_RECORD && type->declaration->scope == NULL && type->declaration->name != NULL &&
         strcmp(type->declaration->name->text, name) == 0;
}

bool vptr__dim3_is(const vptr__type *type) {
  return is_record(type, "dim3");
}

static bool is_number(const vptr__type *type) {
  return vptr__type_is_arithmetic(type) ||
         (type->kind == VPTR__TYPE_ENUM && (type->declaration->flags & VPTR__ENUM_CLASS) == 0);
}

bool vptr__dim3_converts(const vptr__type *from, const vptr__type *to) {
  return (vptr__dim3_is(to) && (is_record(from, "uint3") || is_number(from))) ||
         (is_record(to, "uint3") && vptr__dim3_is(from));
}

/* Reading it three times is reading it once. */
static bool is_stable(const vptr__expression *lvalue) {
  while (lvalue->kind == VPTR__EXPRESSION_MEMBER)
    lvalue = lvalue->operands[0];
  return lvalue->kind == VPTR__EXPRESSION_NAME;
}

static vptr__expression *member_of(vptr__checker *checker, const vptr__expression *load,
                                   const vptr__declaration *field) {
  vptr__expression *member = vptr__expression_new(checker->unit, VPTR__EXPRESSION_MEMBER, load->position);
  member->operands[0] = vptr__clone_expression(checker, load->operands[0]);
  member->declaration = (vptr__declaration *)field;
  member->name = field->name;
  member->type = field->type;
  member->is_lvalue = true;
  return vptr__convert_value(checker, member);
}

static vptr__expression *make_literal_one(vptr__checker *checker, vptr__position position, vptr__type *type) {
  vptr__expression *one = vptr__expression_new(checker->unit, VPTR__EXPRESSION_INTEGER, position);
  one->integer = 1;
  one->type = type;
  return one;
}

vptr__expression *vptr__dim3_convert(vptr__checker *checker, vptr__expression *value, vptr__type *to) {
  vptr__type *unsigned_int = vptr__kind_basic(checker, VPTR__TYPE_UNSIGNED);
  vptr__expression *made = vptr__expression_new(checker->unit, VPTR__EXPRESSION_CONSTRUCT, value->position);
  vptr__expression **last = &made->arguments;
  bool is_one = value->type->kind != VPTR__TYPE_RECORD;
  if (!is_one && (value->kind != VPTR__EXPRESSION_LOAD || !is_stable(value->operands[0]))) {
    VPTR__CHECK_ERROR(checker, value->position,
                      "cannot make a '%s' of a '%s' that is no variable: keep it in one first",
                      VPTR__CHECK_TEXT(checker, to), VPTR__CHECK_TEXT(checker, value->type));
    return vptr__expression_wrong(checker, value);
  }
  made->op = '(';
  made->next = value->next;
  made->type = vptr__kind_unqualified(checker, to);
  made->written_type = made->type;
  value->next = NULL;
  const vptr__declaration *from = is_one ? NULL : value->type->declaration->fields;
  for (int i = 0; i < 3; i++, from = is_one ? NULL : from->next, last = &(*last)->next)
    *last = !is_one  ? member_of(checker, value, from)
            : i == 0 ? vptr__convert_cast(checker, value, unsigned_int)
                     : make_literal_one(checker, value->position, unsigned_int);
  return made;
}
