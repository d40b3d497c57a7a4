/* SPDX-License-Identifier: MIT */
/*
 * expression - every kind of expression to the file that knows it; names, members, elements and sizes are here.
 */
#include "translate/types/check.h"

vptr__expression *vptr__expression_wrong(vptr__checker *checker, vptr__expression *expression) {
  expression->type = checker->wrong;
  expression->is_lvalue = false;
  return expression;
}

bool vptr__expression_is_wrong(const vptr__checker *checker, const vptr__expression *expression) {
  return expression->type == checker->wrong;
}

void vptr__expression_integer(vptr__checker *checker, vptr__expression *expression, uint64_t value,
                              vptr__type *type) {
  (void)checker;
  expression->kind = VPTR__EXPRESSION_INTEGER;
  expression->integer = value;
  expression->type = type;
  expression->is_lvalue = false;
  expression->operands[0] = expression->operands[1] = expression->operands[2] = NULL;
  expression->arguments = NULL;
}

/* ---- names ------------------------------------------------------------------------------------------------ */

static vptr__expression *refuse_host(vptr__checker *checker, vptr__expression *expression,
                                     const vptr__declaration *declaration, const char *advice) {
  vptr__place place = vptr__source_place(checker->source, declaration->position);
  VPTR__CHECK_ERROR(checker, expression->position, "'%s' is declared at %s:%u for the host: %s",
                    expression->name->text, place.file, place.line, advice);
  return vptr__expression_wrong(checker, expression);
}

static vptr__expression *refuse_unknown(vptr__checker *checker, vptr__expression *expression) {
  const char *why = vptr__builtin_missing(expression->name->text);
  int count = 0;
  if (why == NULL && vptr__builtin_find(expression->name->text, &count) != NULL)
    why = "a function can only be called: function pointers are not supported";
  if (why != NULL)
    VPTR__CHECK_ERROR(checker, expression->position, "'%s': %s", expression->name->text, why);
  else
    VPTR__CHECK_ERROR(checker, expression->position, "'%s' is not declared: declare it before this",
                      expression->name->text);
  return vptr__expression_wrong(checker, expression);
}

static vptr__expression *check_enumerator(vptr__checker *checker, vptr__expression *expression) {
  vptr__declaration *enumerator = expression->declaration;
  vptr__type *type = enumerator->type;
  if (type->kind == VPTR__TYPE_ENUM && !vptr__enumeration_check(checker, type->declaration))
    return vptr__expression_wrong(checker, expression);
  if (!enumerator->has_value) {
    VPTR__CHECK_ERROR(checker, expression->position, "'%s' has no value yet: use it behind its own",
                      enumerator->name->text);
    return vptr__expression_wrong(checker, expression);
  }
  if (type->kind == VPTR__TYPE_ENUM && type->declaration->type->base == NULL) /* among its own enumerators */
    type = vptr__kind_basic(
        checker, enumerator->value >= INT32_MIN && enumerator->value <= INT32_MAX ? VPTR__TYPE_INT : VPTR__TYPE_LONG);
  vptr__expression_integer(checker, expression, (uint64_t)enumerator->value, vptr__kind_unqualified(checker, type));
  return expression;
}

static vptr__expression *check_variable(vptr__checker *checker, vptr__expression *expression) {
  vptr__declaration *variable = expression->declaration;
  if (variable->kind == VPTR__DECLARATION_VARIABLE && (variable->flags & VPTR__BUILT_IN) == 0) {
    if (variable->definition != NULL)
      variable = expression->declaration = variable->definition;
    if (variable->checked == VPTR__CHECK_NEW)
      variable->flags |= VPTR__AT_NAMESPACE; /* local ones are checked where they are declared */
    if (variable->checked == VPTR__CHECK_NEW && !vptr__declaration_variable(checker, variable))
      return vptr__expression_wrong(checker, expression);
  } else if (!vptr__layout_resolve(checker, variable->type, variable->position)) {
    return vptr__expression_wrong(checker, expression);
  }
  variable->flags |= VPTR__USED;
  vptr__type *type = variable->type;
  if (type == checker->wrong)
    return vptr__expression_wrong(checker, expression);
  if (type->kind == VPTR__TYPE_AUTO) {
    VPTR__CHECK_ERROR(checker, expression->position, "'%s' is used in what its type is deduced from: write its type",
                      variable->name->text);
    return vptr__expression_wrong(checker, expression);
  }
  if (vptr__declaration_is_host(variable) && !vptr__declaration_is_known(variable))
    return refuse_host(checker, expression, variable,
                       "mark it __device__ or __constant__, or pass its value to the kernel");
  expression->type = type->kind == VPTR__TYPE_REFERENCE ? type->base : type;
  expression->is_lvalue = true;
  return expression;
}

static vptr__expression *check_name(vptr__checker *checker, vptr__expression *expression) {
  const vptr__declaration *declaration = expression->declaration;
  if (declaration == NULL)
    return refuse_unknown(checker, expression);
  if (declaration->kind == VPTR__DECLARATION_FUNCTION) {
    VPTR__CHECK_ERROR(checker, expression->position,
                      "'%s' is a function, and can only be called: function pointers are not supported",
                      expression->name->text);
    return vptr__expression_wrong(checker, expression);
  }
  if (declaration->type == NULL || (declaration->flags & VPTR__HOST_ONLY) != 0)
    return refuse_host(checker, expression, declaration,
                       declaration->message != NULL
                           ? declaration->message
                           : "mark it __device__ or __constant__, or pass its value to the kernel");
  switch (declaration->kind) {
  case VPTR__DECLARATION_VARIABLE:
  case VPTR__DECLARATION_PARAMETER:
    return check_variable(checker, expression);
  case VPTR__DECLARATION_ENUMERATOR:
    return check_enumerator(checker, expression);
  default:
    VPTR__CHECK_ERROR(checker, expression->position, "'%s' is a type, not a value", expression->name->text);
    return vptr__expression_wrong(checker, expression);
  }
}

/* ---- members and elements --------------------------------------------------------------------------------- */

static vptr__expression *give_member(vptr__checker *checker, vptr__expression *member, vptr__declaration *field) {
  const vptr__expression *object = member->operands[0];
  unsigned qualifiers = vptr__kind_qualifiers(member->is_arrow ? object->type->base : object->type);
  member->declaration = field;
  member->is_lvalue = member->is_arrow || object->is_lvalue;
  member->type = vptr__kind_requalified(checker, field->type,
                                        qualifiers | vptr__kind_qualifiers(field->type) |
                                            (field->type->qualifiers & VPTR__RESTRICT));
  return member;
}

/* Finds a name among fields, and in those of anonymous members: each of these on the way becomes a MEMBER. */
static bool find_member(vptr__checker *checker, vptr__expression *member, const vptr__declaration *record) {
  for (vptr__declaration *field = record->fields; field != NULL; field = field->next)
    if (field->name != NULL && field->name == member->name) {
      give_member(checker, member, field);
      return true;
    }
  for (vptr__declaration *field = record->fields; field != NULL; field = field->next) {
    if (field->name != NULL || field->type == NULL || field->type->kind != VPTR__TYPE_RECORD)
      continue;
    vptr__expression *before = member->operands[0];
    bool was_arrow = member->is_arrow;
    vptr__expression *between = vptr__expression_new(checker->unit, VPTR__EXPRESSION_MEMBER, member->position);
    between->operands[0] = before;
    between->is_arrow = was_arrow;
    member->operands[0] = give_member(checker, between, field);
    member->is_arrow = false;
    if (find_member(checker, member, field->type->declaration))
      return true;
    member->operands[0] = before;
    member->is_arrow = was_arrow;
  }
  return false;
}

static vptr__expression *check_member(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *object = vptr__expression_check(checker, expression->operands[0]);
  if (expression->is_arrow)
    object = vptr__convert_value(checker, object);
  expression->operands[0] = object;
  if (vptr__expression_is_wrong(checker, object))
    return vptr__expression_wrong(checker, expression);
  vptr__type *type = object->type;
  bool is_pointer = type->kind == VPTR__TYPE_POINTER;
  if (expression->is_arrow != is_pointer) {
    VPTR__CHECK_ERROR(checker, expression->position, "'%s' is%s a pointer: use '%s'", VPTR__CHECK_TEXT(checker, type),
                      is_pointer ? "" : " not", is_pointer ? "->" : ".");
    return vptr__expression_wrong(checker, expression);
  }
  vptr__type *record = is_pointer ? type->base : type;
  if (record->kind != VPTR__TYPE_RECORD) {
    VPTR__CHECK_ERROR(checker, expression->position, "'%s' has no members", VPTR__CHECK_TEXT(checker, record));
    return vptr__expression_wrong(checker, expression);
  }
  if (!vptr__layout_complete(checker, record, expression->position))
    return vptr__expression_wrong(checker, expression);
  if (find_member(checker, expression, record->declaration))
    return expression;
  VPTR__CHECK_ERROR(checker, expression->position, "'%s' has no member '%s'", VPTR__CHECK_TEXT(checker, record),
                    expression->name != NULL ? expression->name->text : "");
  return vptr__expression_wrong(checker, expression);
}

static vptr__expression *check_base(vptr__checker *checker, vptr__expression *base) {
  base = vptr__expression_check(checker, base);
  if (vptr__expression_is_wrong(checker, base) || base->type->kind != VPTR__TYPE_ARRAY)
    return vptr__convert_value(checker, base);
  return vptr__convert_decay(checker, base);
}

static vptr__expression *check_index(vptr__checker *checker, vptr__expression *expression) {
  vptr__expression *base = check_base(checker, expression->operands[0]);
  vptr__expression *index = check_base(checker, expression->operands[1]);
  if (vptr__expression_is_wrong(checker, base) || vptr__expression_is_wrong(checker, index))
    return vptr__expression_wrong(checker, expression);
  if (base->type->kind != VPTR__TYPE_POINTER && index->type->kind == VPTR__TYPE_POINTER) {
    vptr__expression *swapped = base;
    base = index;
    index = swapped;
  }
  if (base->type->kind != VPTR__TYPE_POINTER || !vptr__kind_is_operand(index->type) ||
      !vptr__type_is_integer(index->type)) {
    VPTR__CHECK_ERROR(checker, expression->position,
                      "'%s' cannot be indexed by '%s': an index is an integer into an array or behind a pointer",
                      VPTR__CHECK_TEXT(checker, base->type), VPTR__CHECK_TEXT(checker, index->type));
    return vptr__expression_wrong(checker, expression);
  }
  if (!vptr__layout_complete(checker, base->type->base, expression->position))
    return vptr__expression_wrong(checker, expression);
  expression->operands[0] = base;
  expression->operands[1] = vptr__convert_cast(checker, index, vptr__kind_promoted(checker, index->type));
  expression->type = base->type->base;
  expression->is_lvalue = true;
  return expression;
}

/* ---- sizes ------------------------------------------------------------------------------------------------ */

static vptr__expression *check_size(vptr__checker *checker, vptr__expression *expression) {
  vptr__type *type = expression->written_type;
  uint64_t alignment = 0;
  if (type == NULL) {
    vptr__expression *operand = vptr__expression_check(checker, expression->operands[0]);
    if (vptr__expression_is_wrong(checker, operand))
      return vptr__expression_wrong(checker, expression);
    type = operand->type;
    if (operand->kind == VPTR__EXPRESSION_NAME && operand->declaration->kind == VPTR__DECLARATION_VARIABLE)
      alignment = operand->declaration->alignment;
  }
  if (type->kind == VPTR__TYPE_REFERENCE)
    type = type->base;
  if (!vptr__layout_complete(checker, type, expression->position))
    return vptr__expression_wrong(checker, expression);
  if (alignment == 0)
    alignment = vptr__type_alignment(type);
  bool is_size = expression->kind == VPTR__EXPRESSION_SIZEOF;
  if (is_size && vptr__type_size(type) == 0) {
    VPTR__CHECK_ERROR(checker, expression->position, "'%s' has no size here", VPTR__CHECK_TEXT(checker, type));
    return vptr__expression_wrong(checker, expression);
  }
  vptr__expression_integer(checker, expression, is_size ? vptr__type_size(type) : alignment,
                           vptr__kind_basic(checker, VPTR__TYPE_UNSIGNED_LONG));
  return expression;
}

/* The path of an offsetof: a place in an object that does not exist. */
static bool give_place(vptr__checker *checker, vptr__expression *place, vptr__type *object) {
  if (place->kind == VPTR__EXPRESSION_NAME && place->declaration == NULL && place->name == NULL) {
    place->type = object;
    place->is_lvalue = true;
    return true;
  }
  return place->operands[0] != NULL && give_place(checker, place->operands[0], object);
}

static bool sum_offsets(const vptr__expression *place, uint64_t *offset_out) {
  vptr__constant index;
  if (place->kind == VPTR__EXPRESSION_NAME)
    return true;
  if (place->kind == VPTR__EXPRESSION_MEMBER && !place->is_arrow) {
    *offset_out += place->declaration->offset;
    return sum_offsets(place->operands[0], offset_out);
  }
  if (place->kind != VPTR__EXPRESSION_INDEX || place->operands[0]->kind != VPTR__EXPRESSION_CAST ||
      !vptr__constant_evaluate(place->operands[1], NULL, &index))
    return false;
  *offset_out += (uint64_t)index.integer * vptr__type_size(place->type);
  return sum_offsets(place->operands[0]->operands[0], offset_out);
}

static vptr__expression *check_offset(vptr__checker *checker, vptr__expression *expression) {
  vptr__type *object = expression->written_type;
  uint64_t offset = 0;
  if (!vptr__layout_complete(checker, object, expression->position) ||
      !give_place(checker, expression->operands[0], object))
    return vptr__expression_wrong(checker, expression);
  vptr__expression *place = vptr__expression_check(checker, expression->operands[0]);
  if (vptr__expression_is_wrong(checker, place))
    return vptr__expression_wrong(checker, expression);
  if (!sum_offsets(place, &offset)) {
    VPTR__CHECK_ERROR(checker, expression->position, "offsetof takes members and constant indices only");
    return vptr__expression_wrong(checker, expression);
  }
  vptr__expression_integer(checker, expression, offset, vptr__kind_basic(checker, VPTR__TYPE_UNSIGNED_LONG));
  return expression;
}

/* ---- all -------------------------------------------------------------------------------------------------- */

static vptr__expression *check_literal(vptr__checker *checker, vptr__expression *expression) {
  static const vptr__type_kind kinds[] = {
    [VPTR__EXPRESSION_INTEGER] = VPTR__TYPE_INT,
    [VPTR__EXPRESSION_FLOATING] = VPTR__TYPE_DOUBLE,
    [VPTR__EXPRESSION_BOOL] = VPTR__TYPE_BOOL,
    [VPTR__EXPRESSION_NULLPTR] = VPTR__TYPE_NULLPTR,
  };
  if (expression->kind == VPTR__EXPRESSION_STRING)
    expression->is_lvalue = true;
  else if (expression->type == NULL)
    expression->type = vptr__kind_basic(checker, kinds[expression->kind]);
  return expression;
}

static vptr__expression *check_kind(vptr__checker *checker, vptr__expression *expression) {
  switch (expression->kind) {
  case VPTR__EXPRESSION_NAME:
    return check_name(checker, expression);
  case VPTR__EXPRESSION_CALL:
    return vptr__call_check(checker, expression);
  case VPTR__EXPRESSION_MEMBER:
    return check_member(checker, expression);
  case VPTR__EXPRESSION_INDEX:
    return check_index(checker, expression);
  case VPTR__EXPRESSION_UNARY:
    return vptr__operator_unary(checker, expression);
  case VPTR__EXPRESSION_BINARY:
    return vptr__operator_binary(checker, expression);
  case VPTR__EXPRESSION_ASSIGN:
    return vptr__operator_assign(checker, expression);
  case VPTR__EXPRESSION_CONDITIONAL:
    return vptr__operator_conditional(checker, expression);
  case VPTR__EXPRESSION_CAST:
    return vptr__cast_check(checker, expression);
  case VPTR__EXPRESSION_CONSTRUCT:
    return vptr__initializer_construct(checker, expression);
  case VPTR__EXPRESSION_SIZEOF:
  case VPTR__EXPRESSION_ALIGNOF:
    return check_size(checker, expression);
  case VPTR__EXPRESSION_OFFSETOF:
    return check_offset(checker, expression);
  case VPTR__EXPRESSION_INIT_LIST:
    VPTR__CHECK_ERROR(checker, expression->position, "braces need a type in front of them here");
    return vptr__expression_wrong(checker, expression);
  default:
    return check_literal(checker, expression);
  }
}

static bool is_literal(const vptr__expression *expression) {
  return expression->kind == VPTR__EXPRESSION_STRING;
}

vptr__expression *vptr__expression_check(vptr__checker *checker, vptr__expression *expression) {
  if (expression->type != NULL && !is_literal(expression))
    return expression;
  vptr__expression *next = expression->next;
  vptr__arena_enter(checker->arena);
  expression->next = NULL;
  expression = check_kind(checker, expression);
  expression->next = next;
  vptr__arena_leave(checker->arena);
  return expression;
}

vptr__expression *vptr__expression_value(vptr__checker *checker, vptr__expression *expression) {
  return vptr__convert_value(checker, vptr__expression_check(checker, expression));
}
