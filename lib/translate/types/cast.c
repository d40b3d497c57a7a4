/* SPDX-License-Identifier: MIT */
/*
 * cast - conversions that are written: (T)x, T(x), static_cast, reinterpret_cast, const_cast.
 *
 * What each may do is C++'s. Two things are ours: a number never becomes a pointer (an address space cannot be told
 * from a number), and a pointer becomes a number of 64 bits only, for tests of alignment.
 */
#include "translate/types/check.h"

static vptr__expression *refuse_cast(vptr__checker *checker, vptr__expression *cast, const vptr__type *from,
                                     const vptr__type *to, const char *advice) {
  VPTR__CHECK_ERROR(checker, cast->position, "cannot cast from '%s' to '%s': %s", VPTR__CHECK_TEXT(checker, from),
                    VPTR__CHECK_TEXT(checker, to), advice);
  return vptr__expression_wrong(checker, cast);
}

/* Whether the pointees are the same but for qualifiers, at every level. */
static bool is_similar(const vptr__type *from, const vptr__type *to) {
  while (from->kind == VPTR__TYPE_POINTER && to->kind == VPTR__TYPE_POINTER) {
    from = from->base;
    to = to->base;
  }
  return vptr__type_same(from, to, false);
}

/* NULL: allowed. */
static const char *classify_pointers(vptr__cast cast, const vptr__type *from, const vptr__type *to) {
  bool drops = (vptr__kind_qualifiers(from->base) & ~vptr__kind_qualifiers(to->base)) != 0;
  if (from->base->kind == VPTR__TYPE_FUNCTION || to->base->kind == VPTR__TYPE_FUNCTION)
    return "function pointers are not supported: call the function by its name";
  if (cast == VPTR__CAST_C || cast == VPTR__CAST_FUNCTIONAL)
    return NULL;
  if (cast == VPTR__CAST_CONST)
    return is_similar(from, to) ? NULL : "const_cast changes qualifiers only: use reinterpret_cast";
  if (drops)
    return "that would drop a qualifier: use const_cast";
  if (cast == VPTR__CAST_REINTERPRET)
    return NULL;
  if (from->base->kind == VPTR__TYPE_VOID || to->base->kind == VPTR__TYPE_VOID ||
      vptr__compare_qualifies(from->base, to->base))
    return NULL;
  return "static_cast does not change what a pointer points to: use reinterpret_cast";
}

static const char *classify_numbers(vptr__cast cast, const vptr__type *from, const vptr__type *to) {
  if (cast == VPTR__CAST_CONST)
    return "const_cast is for pointers and references: use static_cast";
  if (cast == VPTR__CAST_REINTERPRET && !vptr__type_same(from, to, false))
    return "reinterpret_cast is for pointers: use static_cast, or __float_as_int and its like for the bits";
  return NULL;
}

static const char *check_conversion(vptr__cast cast, const vptr__expression *operand, const vptr__type *to) {
  const vptr__type *from = operand->type;
  bool is_number = vptr__type_is_arithmetic(from) || from->kind == VPTR__TYPE_ENUM;
  bool to_number = vptr__type_is_arithmetic(to) || to->kind == VPTR__TYPE_ENUM;
  if (is_number && to_number)
    return classify_numbers(cast, from, to);
  if (from->kind == VPTR__TYPE_POINTER && to->kind == VPTR__TYPE_POINTER)
    return classify_pointers(cast, from, to);
  if (to->kind == VPTR__TYPE_POINTER && vptr__convert_is_null(operand))
    return cast == VPTR__CAST_CONST ? "const_cast changes qualifiers only" : NULL;
  if (to->kind == VPTR__TYPE_POINTER && is_number)
    return "a number cannot become a pointer in device code: pass the pointer itself";
  if (from->kind == VPTR__TYPE_POINTER && to->kind == VPTR__TYPE_BOOL)
    return cast == VPTR__CAST_REINTERPRET || cast == VPTR__CAST_CONST ? "use static_cast" : NULL;
  if (from->kind == VPTR__TYPE_POINTER && vptr__type_is_integer(to)) {
    if (cast != VPTR__CAST_C && cast != VPTR__CAST_FUNCTIONAL && cast != VPTR__CAST_REINTERPRET)
      return "use reinterpret_cast";
    return vptr__type_size(to) == 8 ? NULL : "the number has fewer bits than the pointer: use uintptr_t";
  }
  if (from->kind == VPTR__TYPE_RECORD && vptr__type_same(from, to, false))
    return cast == VPTR__CAST_REINTERPRET || cast == VPTR__CAST_CONST ? "use no cast" : NULL;
  return from->kind == VPTR__TYPE_RECORD || to->kind == VPTR__TYPE_RECORD ? "convert member by member"
                                                                          : "there is no such conversion";
}

/* (const T &)x of another type is a static_cast before it is a reinterpret_cast: a temporary of the value. */
static bool makes_temporary(vptr__checker *checker, const vptr__expression *cast, vptr__expression *operand) {
  const vptr__type *to = cast->written_type->base;
  bool may = cast->cast != VPTR__CAST_REINTERPRET && cast->cast != VPTR__CAST_CONST;
  return may && vptr__kind_qualifiers(to) == VPTR__CONST && !vptr__type_same(operand->type, to, false) &&
         vptr__convert_rank(checker, operand, to).level != VPTR__RANK_NONE;
}

/* (T &)x is *(T *)&x: so no other pass needs to know of casts that are lvalues. */
static vptr__expression *cast_reference(vptr__checker *checker, vptr__expression *cast, vptr__expression *operand) {
  vptr__type *to = cast->written_type->base;
  if (!operand->is_lvalue) {
    if ((to->qualifiers & VPTR__CONST) == 0 || cast->cast == VPTR__CAST_REINTERPRET || cast->cast == VPTR__CAST_CONST)
      return refuse_cast(checker, cast, operand->type, cast->written_type, "a temporary has no place to refer to");
    return vptr__convert_to(checker, operand, to, "initialise");
  }
  if (makes_temporary(checker, cast, operand))
    return vptr__convert_to(checker, operand, to, "initialise");
  vptr__convert_mark(operand, VPTR__ADDRESSED | VPTR__ASSIGNED);
  vptr__type *from_pointer = vptr__type_pointer(checker->unit, operand->type);
  vptr__type *to_pointer = vptr__type_pointer(checker->unit, to);
  const char *advice = classify_pointers(cast->cast, from_pointer, to_pointer);
  if (advice != NULL)
    return refuse_cast(checker, cast, operand->type, cast->written_type, advice);
  vptr__expression *address = vptr__expression_new(checker->unit, VPTR__EXPRESSION_UNARY, cast->position);
  address->op = '&';
  address->operands[0] = operand;
  address->type = from_pointer;
  cast->operands[0] = address;
  cast->written_type = cast->type = to_pointer;
  vptr__expression *object = vptr__expression_new(checker->unit, VPTR__EXPRESSION_UNARY, cast->position);
  object->op = '*';
  object->next = cast->next;
  cast->next = NULL;
  object->operands[0] = cast;
  object->type = to;
  object->is_lvalue = true;
  return object;
}

static vptr__expression *cast_void(vptr__checker *checker, vptr__expression *cast, vptr__expression *operand) {
  cast->operands[0] = operand;
  cast->type = vptr__kind_basic(checker, VPTR__TYPE_VOID);
  return cast;
}

vptr__expression *vptr__cast_check(vptr__checker *checker, vptr__expression *cast) {
  vptr__type *to = cast->written_type;
  if (!vptr__layout_resolve(checker, to, cast->position))
    return vptr__expression_wrong(checker, cast);
  if (cast->operands[0]->kind == VPTR__EXPRESSION_INIT_LIST)
    return vptr__initializer_check(checker, vptr__kind_unqualified(checker, to), cast->operands[0], "initialise");
  vptr__expression *operand = vptr__expression_check(checker, cast->operands[0]);
  if (vptr__expression_is_wrong(checker, operand))
    return vptr__expression_wrong(checker, cast);
  if (to->kind == VPTR__TYPE_VOID)
    return cast_void(checker, cast, operand);
  if (to->kind == VPTR__TYPE_REFERENCE)
    return cast_reference(checker, cast, operand);
  if (to->kind == VPTR__TYPE_AUTO || to->kind == VPTR__TYPE_ARRAY || to->kind == VPTR__TYPE_FUNCTION)
    return refuse_cast(checker, cast, operand->type, to, "there is no such cast");
  operand = vptr__convert_value(checker, operand);
  if (vptr__expression_is_wrong(checker, operand))
    return vptr__expression_wrong(checker, cast);
  const char *advice = check_conversion(cast->cast, operand, to);
  if (advice != NULL)
    return refuse_cast(checker, cast, operand->type, to, advice);
  cast->operands[0] = operand;
  cast->type = vptr__kind_unqualified(checker, to);
  vptr__constant value;
  if (operand->type->kind == VPTR__TYPE_POINTER && vptr__type_is_integer(to) &&
      vptr__constant_evaluate(cast, NULL, &value))
    vptr__expression_integer(checker, cast, (uint64_t)value.integer, cast->type);
  return cast;
}
