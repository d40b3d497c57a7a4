/* SPDX-License-Identifier: MIT */
/*
 * layout - sizes, alignments and offsets: CUDA's, which are those of the x86-64 ABI.
 *
 * Types are resolved where something first needs them: lengths of arrays become counts, decltype becomes a type, and
 * the records and enumerations they mention are laid out. Nesting of types is nesting of input, so it is counted by
 * the arena.
 */
#include "translate/types/check.h"

#include "base/number.h"

static const uint64_t LARGEST_OBJECT = (uint64_t)1 << 40;

static const unsigned char basic_sizes[VPTR__TYPE_COUNT] = {
  [VPTR__TYPE_BOOL] = 1,          [VPTR__TYPE_CHAR] = 1,      [VPTR__TYPE_SIGNED_CHAR] = 1,
  [VPTR__TYPE_UNSIGNED_CHAR] = 1, [VPTR__TYPE_SHORT] = 2,     [VPTR__TYPE_UNSIGNED_SHORT] = 2,
  [VPTR__TYPE_INT] = 4,           [VPTR__TYPE_UNSIGNED] = 4,  [VPTR__TYPE_LONG] = 8,
  [VPTR__TYPE_UNSIGNED_LONG] = 8, [VPTR__TYPE_LONG_LONG] = 8, [VPTR__TYPE_UNSIGNED_LONG_LONG] = 8,
  [VPTR__TYPE_FLOAT] = 4,         [VPTR__TYPE_DOUBLE] = 8,    [VPTR__TYPE_NULLPTR] = 8,
  [VPTR__TYPE_POINTER] = 8,
};

uint64_t vptr__type_size(const vptr__type *type) {
  uint64_t elements = 1;
  for (; type->kind == VPTR__TYPE_ARRAY; type = type->base)
    elements *= type->count;
  if (type->kind == VPTR__TYPE_RECORD)
    return elements * type->declaration->size;
  if (type->kind == VPTR__TYPE_REFERENCE)
    return elements * vptr__type_size(type->base);
  return elements * basic_sizes[vptr__kind_underlying(type)->kind];
}

uint64_t vptr__type_alignment(const vptr__type *type) {
  while (type->kind == VPTR__TYPE_ARRAY || type->kind == VPTR__TYPE_REFERENCE)
    type = type->base;
  if (type->kind == VPTR__TYPE_RECORD)
    return type->declaration->alignment;
  return basic_sizes[vptr__kind_underlying(type)->kind];
}

bool vptr__layout_align(vptr__checker *checker, vptr__declaration *declaration, uint64_t natural,
                        uint64_t *alignment_out) {
  *alignment_out = natural;
  if (declaration->align == NULL)
    return true;
  int64_t asked = 0;
  if (!vptr__constant_integer(checker, declaration->align, NULL, "an alignment", &asked))
    return false;
  if (asked <= 0 || (asked & (asked - 1)) != 0 || asked > 4096) {
    VPTR__CHECK_ERROR(checker, declaration->align->position,
                      "an alignment of %lld bytes is not possible: give a power of two up to 4096", (long long)asked);
    return false;
  }
  if ((uint64_t)asked > natural)
    *alignment_out = (uint64_t)asked;
  return true;
}

/* ---- records ------------------------------------------------------------------------------------------------ */

static bool refuse_field(vptr__checker *checker, const vptr__declaration *field, const char *what,
                         const char *instead) {
  VPTR__CHECK_ERROR(checker, field->position, "'%s' is %s: %s",
                    field->name != NULL ? field->name->text : "the member", what, instead);
  return false;
}

static bool field_is_possible(vptr__checker *checker, vptr__declaration *field) {
  if (field->is_bit_field)
    return refuse_field(checker, field, "a bit-field, which device code cannot have",
                        "make it a whole integer, and shift and mask");
  if (field->type->kind == VPTR__TYPE_REFERENCE)
    return refuse_field(checker, field, "a member that is a reference", "make it a pointer");
  if (field->type->kind == VPTR__TYPE_ARRAY && field->type->count == 0 && field->type->length == NULL)
    return refuse_field(checker, field, "an array without a length", "give it one");
  return vptr__layout_complete(checker, field->type, field->position);
}

static bool lay_field(vptr__checker *checker, vptr__declaration *record, vptr__declaration *field) {
  if (!field_is_possible(checker, field))
    return false;
  if (!vptr__layout_align(checker, field, vptr__type_alignment(field->type), &field->alignment))
    return false;
  field->size = vptr__type_size(field->type);
  uint64_t end = (record->flags & VPTR__UNION) != 0 ? 0 : record->size;
  field->offset = vptr__align_up(end, field->alignment);
  if (field->offset + field->size > record->size)
    record->size = field->offset + field->size;
  if (field->alignment > record->alignment)
    record->alignment = field->alignment;
  if (record->size <= LARGEST_OBJECT)
    return true;
  return refuse_field(checker, field, "where its struct passes 1 TiB", "make it smaller");
}

static bool lay_record(vptr__checker *checker, vptr__declaration *record) {
  record->checked = VPTR__CHECK_UNDER_WAY;
  record->flags |= VPTR__USED;
  record->size = 0;
  record->alignment = 1;
  bool is_good = true;
  for (vptr__declaration *field = record->fields; field != NULL; field = field->next)
    if (field->kind == VPTR__DECLARATION_FIELD)
      is_good = lay_field(checker, record, field) && is_good;
  is_good = vptr__layout_align(checker, record, record->alignment, &record->alignment) && is_good;
  if (record->size == 0)
    record->size = 1; /* as C++: every object has an address of its own */
  record->size = vptr__align_up(record->size, record->alignment);
  record->checked = VPTR__CHECK_DONE;
  return is_good;
}

static bool resolve_record(vptr__checker *checker, vptr__type *type) {
  vptr__declaration *record = type->declaration;
  if (!record->is_complete && record->definition != NULL && record->definition->is_complete)
    type->declaration = record = record->definition;
  if (!record->is_complete || record->checked != VPTR__CHECK_NEW)
    return true;
  return lay_record(checker, record);
}

/* ---- other types -------------------------------------------------------------------------------------------- */

static bool resolve_array(vptr__checker *checker, vptr__type *type, vptr__position position) {
  if (!vptr__layout_complete(checker, type->base, position))
    return false;
  if (type->length == NULL) {
    type->is_incomplete = type->count == 0;
    return true;
  }
  if (type->count != 0)
    return true;
  int64_t count = 0;
  if (!vptr__constant_integer(checker, type->length, NULL, "the length of an array", &count))
    return false;
  if (count <= 0) {
    VPTR__CHECK_ERROR(checker, type->length->position, "an array of %lld elements: give it at least one",
                      (long long)count);
    return false;
  }
  if (vptr__type_size(type->base) == 0) {
    VPTR__CHECK_ERROR(checker, position, "only the first length of an array may be left out: give the others");
    return false;
  }
  if ((uint64_t)count > LARGEST_OBJECT / vptr__type_size(type->base)) {
    VPTR__CHECK_ERROR(checker, type->length->position, "an array of %lld elements of %llu bytes is more than 1 TiB",
                      (long long)count, (unsigned long long)vptr__type_size(type->base));
    return false;
  }
  type->count = (uint64_t)count;
  return true;
}

static bool resolve_function(vptr__checker *checker, vptr__type *type, vptr__position position) {
  bool is_good = vptr__layout_resolve(checker, type->base, position);
  for (vptr__declaration *parameter = type->parameters; parameter != NULL; parameter = parameter->next)
    is_good = vptr__layout_resolve(checker, parameter->type, parameter->position) && is_good;
  return is_good;
}

/* decltype(name) is the type the name was declared with; of other lvalues, a reference to theirs. */
static bool resolve_decltype(vptr__checker *checker, vptr__type *type, vptr__position position) {
  vptr__expression *asked = type->length;
  bool is_name =
      (asked->kind == VPTR__EXPRESSION_NAME || asked->kind == VPTR__EXPRESSION_MEMBER) && !asked->is_parenthesized;
  asked = vptr__expression_check(checker, asked);
  if (vptr__expression_is_wrong(checker, asked))
    return false;
  vptr__type *meant = asked->type;
  if (is_name && asked->declaration != NULL && asked->declaration->kind != VPTR__DECLARATION_FUNCTION)
    meant = asked->declaration->type;
  meant = vptr__type_again(checker->unit, meant);
  if (!is_name && asked->is_lvalue) {
    vptr__type *reference = vptr__type_new(checker->unit, VPTR__TYPE_REFERENCE);
    reference->base = meant;
    meant = reference;
  }
  unsigned qualifiers = meant->kind == VPTR__TYPE_REFERENCE ? 0 : type->qualifiers | meant->qualifiers;
  *type = *meant;
  type->qualifiers = qualifiers;
  return vptr__layout_resolve(checker, type, position);
}

static bool resolve_type(vptr__checker *checker, vptr__type *type, vptr__position position) {
  switch (type->kind) {
  case VPTR__TYPE_POINTER:
  case VPTR__TYPE_REFERENCE:
    return vptr__layout_resolve(checker, type->base, position);
  case VPTR__TYPE_ARRAY:
    return resolve_array(checker, type, position);
  case VPTR__TYPE_FUNCTION:
    return resolve_function(checker, type, position);
  case VPTR__TYPE_RECORD:
    return resolve_record(checker, type);
  case VPTR__TYPE_ENUM:
    return vptr__enumeration_check(checker, type->declaration);
  case VPTR__TYPE_DECLTYPE:
    return resolve_decltype(checker, type, position);
  default:
    return true;
  }
}

bool vptr__layout_resolve(vptr__checker *checker, vptr__type *type, vptr__position position) {
  vptr__arena_enter(checker->arena);
  bool is_good = resolve_type(checker, type, position);
  vptr__arena_leave(checker->arena);
  return is_good;
}

bool vptr__layout_complete(vptr__checker *checker, vptr__type *type, vptr__position position) {
  if (!vptr__layout_resolve(checker, type, position))
    return false;
  const vptr__type *element = type;
  while (element->kind == VPTR__TYPE_ARRAY)
    element = element->base;
  bool is_open = element->kind == VPTR__TYPE_RECORD && element->declaration->checked != VPTR__CHECK_DONE;
  if (!is_open && element->kind != VPTR__TYPE_VOID && element->kind != VPTR__TYPE_FUNCTION)
    return true;
  const char *text = VPTR__CHECK_TEXT(checker, element);
  if (element->kind == VPTR__TYPE_VOID)
    VPTR__CHECK_ERROR(checker, position, "nothing can be of type 'void': give it a type, or make it a pointer");
  else if (element->kind == VPTR__TYPE_FUNCTION)
    VPTR__CHECK_ERROR(checker, position, "function pointers are not supported: call the function by its name");
  else if (element->declaration->checked == VPTR__CHECK_UNDER_WAY)
    VPTR__CHECK_ERROR(checker, position, "'%s' would contain itself: use a pointer to it", text);
  else
    VPTR__CHECK_ERROR(checker, position, "'%s' is declared but not defined: define it before it is used", text);
  return false;
}
