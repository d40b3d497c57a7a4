/* SPDX-License-Identifier: MIT */
/*
 * text - a type as C++ writes it, for messages.
 *
 * Declarators grow around what stands in their middle: the text of a pointer is the text of its pointee with " *" put
 * where a name would be, so one recursion with the middle as an argument writes every type.
 */
#include "translate/types/check.h"

#include <string.h>

static const char *const basic_names[VPTR__TYPE_COUNT] = {
  [VPTR__TYPE_VOID] = "void",
  [VPTR__TYPE_BOOL] = "bool",
  [VPTR__TYPE_CHAR] = "char",
  [VPTR__TYPE_SIGNED_CHAR] = "signed char",
  [VPTR__TYPE_UNSIGNED_CHAR] = "unsigned char",
  [VPTR__TYPE_SHORT] = "short",
  [VPTR__TYPE_UNSIGNED_SHORT] = "unsigned short",
  [VPTR__TYPE_INT] = "int",
  [VPTR__TYPE_UNSIGNED] = "unsigned int",
  [VPTR__TYPE_LONG] = "long",
  [VPTR__TYPE_UNSIGNED_LONG] = "unsigned long",
  [VPTR__TYPE_LONG_LONG] = "long long",
  [VPTR__TYPE_UNSIGNED_LONG_LONG] = "unsigned long long",
  [VPTR__TYPE_FLOAT] = "float",
  [VPTR__TYPE_DOUBLE] = "double",
  [VPTR__TYPE_NULLPTR] = "std::nullptr_t",
  [VPTR__TYPE_AUTO] = "auto",
  [VPTR__TYPE_DECLTYPE] = "decltype(...)",
};

static const char *qualifier_text(unsigned qualifiers) {
  static const char *const texts[4] = { "", "const ", "volatile ", "const volatile " };
  return texts[qualifiers & VPTR__CHECK_CV];
}

static const char *tag_text(vptr__arena *arena, const vptr__type *type) {
  const vptr__declaration *tag = type->declaration;
  if (tag->name == NULL)
    return type->alias != NULL && type->alias->name != NULL ? type->alias->name->text
           : type->kind == VPTR__TYPE_ENUM                  ? "(unnamed enum)"
                                                            : "(unnamed struct)";
  if (tag->scope != NULL && tag->scope[0] != '\0')
    return vptr__arena_format(arena, "%s::%s", tag->scope, tag->name->text);
  return tag->name->text;
}

static const char *write_type_around(vptr__arena *arena, const vptr__type *type, const char *middle);

static const char *parameters_text(vptr__arena *arena, const vptr__type *type) {
  const char *text = "";
  for (const vptr__declaration *parameter = type->parameters; parameter != NULL; parameter = parameter->next)
    text = vptr__arena_format(arena, "%s%s%s", text, *text != '\0' ? ", " : "",
                              write_type_around(arena, parameter->type, ""));
  return type->is_variadic ? vptr__arena_format(arena, "%s%s...", text, *text != '\0' ? ", " : "") : text;
}

/* A pointer to an array or function needs parentheses: they bind before it. */
static const char *write_pointer(vptr__arena *arena, const vptr__type *type, const char *middle) {
  const char *sign = type->kind == VPTR__TYPE_REFERENCE ? "&" : "*";
  const char *inner = vptr__arena_format(arena, "%s%s%s", sign, qualifier_text(type->qualifiers), middle);
  size_t length = strlen(inner);
  if (length > 0 && inner[length - 1] == ' ')
    inner = vptr__arena_copy(arena, inner, length - 1);
  if (type->base->kind == VPTR__TYPE_ARRAY || type->base->kind == VPTR__TYPE_FUNCTION)
    inner = vptr__arena_format(arena, "(%s)", inner);
  return write_type_around(arena, type->base, inner);
}

static const char *write_type_around(vptr__arena *arena, const vptr__type *type, const char *middle) {
  switch (type->kind) {
  case VPTR__TYPE_POINTER:
  case VPTR__TYPE_REFERENCE:
    return write_pointer(arena, type, middle);
  case VPTR__TYPE_ARRAY:
    return write_type_around(arena, type->base,
                             type->count == 0
                                 ? vptr__arena_format(arena, "%s[]", middle)
                                 : vptr__arena_format(arena, "%s[%llu]", middle, (unsigned long long)type->count));
  case VPTR__TYPE_FUNCTION:
    return write_type_around(arena, type->base,
                             vptr__arena_format(arena, "%s(%s)", middle, parameters_text(arena, type)));
  default: {
    bool is_tag = type->kind == VPTR__TYPE_RECORD || type->kind == VPTR__TYPE_ENUM;
    const char *name = is_tag ? tag_text(arena, type) : basic_names[type->kind];
    return vptr__arena_format(arena, "%s%s%s%s", qualifier_text(type->qualifiers), name, *middle != '\0' ? " " : "",
                              middle);
  }
  }
}

const char *vptr__type_text(vptr__arena *arena, const vptr__type *type) {
  return write_type_around(arena, type, "");
}
