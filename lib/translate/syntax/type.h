/* SPDX-License-Identifier: MIT */
/*
 * type - types of CUDA C, one object for each time one is written.
 *
 * Types are not shared between declarations, and a typedef's is copied where it is used: each pointer or reference that
 * is written may point into a space of its own (global, shared, private, constant), and `id` is the variable that the
 * inference of spaces gives it. Expressions share the type objects of what they name, so that relations carry over.
 * Types are compared by structure (types/compare.h), never by address.
 */
#ifndef VPTR_TRANSLATE_SYNTAX_TYPE_H
#define VPTR_TRANSLATE_SYNTAX_TYPE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct vptr__type vptr__type;
typedef struct vptr__declaration vptr__declaration;
typedef struct vptr__expression vptr__expression;

typedef enum vptr__type_kind {
  VPTR__TYPE_VOID, VPTR__TYPE_BOOL,
  VPTR__TYPE_CHAR, VPTR__TYPE_SIGNED_CHAR, VPTR__TYPE_UNSIGNED_CHAR,
  VPTR__TYPE_SHORT, VPTR__TYPE_UNSIGNED_SHORT, VPTR__TYPE_INT, VPTR__TYPE_UNSIGNED,
  VPTR__TYPE_LONG, VPTR__TYPE_UNSIGNED_LONG, VPTR__TYPE_LONG_LONG, VPTR__TYPE_UNSIGNED_LONG_LONG,
  VPTR__TYPE_FLOAT, VPTR__TYPE_DOUBLE,
  VPTR__TYPE_NULLPTR,
  VPTR__TYPE_AUTO,      /* until types/ has deduced it, when the object is overwritten */
  VPTR__TYPE_POINTER, VPTR__TYPE_REFERENCE, VPTR__TYPE_ARRAY, VPTR__TYPE_FUNCTION,
  VPTR__TYPE_RECORD,    /* struct or union */
  VPTR__TYPE_ENUM,
  VPTR__TYPE_DECLTYPE,  /* of `length`'s expression; overwritten like AUTO */
  VPTR__TYPE_COUNT
} vptr__type_kind;

enum { VPTR__CONST = 1, VPTR__VOLATILE = 2, VPTR__RESTRICT = 4 };

struct vptr__type {
  vptr__type_kind kind;
  unsigned qualifiers;
  uint32_t id;               /* of POINTER and REFERENCE: unique in the translation, from 1 */
  vptr__type *base;          /* pointee, referent, element, returned */
  vptr__expression *length;  /* of ARRAY: as written, NULL for [] */
  uint64_t count;            /* of ARRAY: elements, once types/ has evaluated length; from the initialiser for [] */
  bool is_incomplete;        /* ARRAY [] without an initialiser: extern __shared__, parameters become pointers */
  vptr__declaration *declaration; /* of RECORD and ENUM: what defines it (the definition, once there is one) */
  vptr__declaration *parameters;  /* of FUNCTION: PARAMETERs, linked by next */
  bool is_variadic;
  struct vptr__space_variable *space; /* [infer] of pointers in fields and at namespace level */
  const vptr__declaration *alias; /* the typedef it was written by, for messages; may be NULL */
};

#endif
