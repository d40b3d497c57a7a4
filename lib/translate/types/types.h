/* SPDX-License-Identifier: MIT */
/*
 * types - gives every expression of the device's code a type, and makes its conversions visible.
 *
 * Starts at __global__ functions and at the initialisers of device variables, and follows what they use: what nobody
 * reaches is not checked. Afterwards, for what is marked VPTR__USED:
 *   - every expression has a type; values of lvalues are LOADs; every conversion is a CAST (implicit or as written);
 *     operands of an operator have the type that C++ says it is computed in; conditions are bool;
 *   - references are lvalues; arguments that bind to reference parameters are lvalues (a temporary is a VARIABLE-less
 *     CONSTRUCT or value: bound to const references only);
 *   - names are the one declaration that is meant, calls have all their arguments, default ones too; operator functions
 *     are CALLs;
 *   - sizeof, alignof, enumerators, static_assert, case labels, array lengths and constexpr integers are numbers;
 *   - records have sizes, alignments and offsets: CUDA's;
 *   - initialisers have one shape (initializer.c): an INIT_LIST's items are elements or fields in order, without
 *     designators, lists in lists; what is missing at the end is zero; of a union there is one item at most,
 *     `declaration` its FIELD; a string that fills an array stays a STRING. INIT_LISTs stand at VARIABLEs and inside of
 *     lists only; elsewhere they are CONSTRUCTs;
 *   - constants of the host (const, constexpr at namespace level) are literals; a FLOATING made so has no text;
 *   - the value of a conditional lvalue is a CONDITIONAL of two LOADs; (T &)x is *(T *)&x.
 */
#ifndef VPTR_TRANSLATE_TYPES_TYPES_H
#define VPTR_TRANSLATE_TYPES_TYPES_H

#include "translate/syntax/tree.h"

/* False if there were errors (in the unit's source). */
bool vptr__types_check(vptr__unit *unit);

/* ---- for later passes ---- */
bool vptr__type_is_integer(const vptr__type *type);    /* bool, characters, enums too */
bool vptr__type_is_signed(const vptr__type *type);
bool vptr__type_is_floating(const vptr__type *type);
bool vptr__type_is_arithmetic(const vptr__type *type);
bool vptr__type_same(const vptr__type *left, const vptr__type *right, bool with_qualifiers);
uint64_t vptr__type_size(const vptr__type *type);      /* bytes; 0: incomplete */
uint64_t vptr__type_alignment(const vptr__type *type);
const char *vptr__type_text(vptr__arena *arena, const vptr__type *type); /* as C++ writes it, for messages */

/* The address of another variable of the device, or of what lies `plus` bytes inside, is to be written at byte `at`. */
typedef struct vptr__address {
  uint64_t at, plus;
  const vptr__declaration *of;
} vptr__address;
typedef void vptr__address_visitor(void *context, const vptr__address *address);

/* The bytes that a constant initialiser gives a variable, little-endian, and zeros where an address is to be written,
 * of each of which the visitor is told, if there is one; false if it is no constant. size bytes, zeroed by the caller;
 * NULL: it is only asked. */
bool vptr__types_initial_bytes(const vptr__declaration *variable, unsigned char *bytes, vptr__address_visitor *visit,
                               void *context);

#endif
