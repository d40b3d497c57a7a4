/* SPDX-License-Identifier: MIT */
/*
 * enumeration - the values of enumerators, and the integer type that an enumeration is held in.
 *
 * Without a type that is written, C++ leaves the choice to the compiler within limits; ours is int where all values
 * fit, else unsigned int, long, unsigned long: what the values promote to by C++'s rule, so that the choice never
 * shows.
 */
#include "translate/types/check.h"

/* The value of an enumerator; `previous` is the one before it, NULL for the first. */
static bool evaluate_enumerator(vptr__checker *checker, vptr__declaration *enumerator,
                                const vptr__declaration *previous, bool *is_negative_out) {
  enumerator->value = previous == NULL ? 0 : (int64_t)((uint64_t)previous->value + 1);
  bool is_unsigned = previous != NULL && previous->value == INT64_MAX;
  if (enumerator->initializer != NULL) {
    if (!vptr__constant_integer(checker, enumerator->initializer, NULL, "the value of an enumerator",
                                &enumerator->value))
      return false;
    is_unsigned = false;
    if (enumerator->initializer->type != NULL)
      is_unsigned = !vptr__type_is_signed(enumerator->initializer->type);
  }
  *is_negative_out = !is_unsigned && enumerator->value < 0;
  enumerator->has_value = true;
  return true;
}

static vptr__type_kind narrowest_kind(bool has_negative, int64_t least, uint64_t greatest) {
  if (has_negative)
    return least >= INT32_MIN && greatest <= INT32_MAX ? VPTR__TYPE_INT : VPTR__TYPE_LONG;
  return greatest <= INT32_MAX    ? VPTR__TYPE_INT
         : greatest <= UINT32_MAX ? VPTR__TYPE_UNSIGNED
         : greatest <= INT64_MAX  ? VPTR__TYPE_LONG
                                  : VPTR__TYPE_UNSIGNED_LONG;
}

static bool fits_type(const vptr__type *type, int64_t value, bool is_negative) {
  unsigned bits = vptr__kind_bits(type);
  if (is_negative)
    return vptr__type_is_signed(type) && (bits == 64 || value >= -((int64_t)1 << (bits - 1)));
  uint64_t limit = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  return (uint64_t)value <= (vptr__type_is_signed(type) ? limit >> 1 : limit);
}

bool vptr__enumeration_check(vptr__checker *checker, vptr__declaration *enumeration) {
  if (enumeration->checked != VPTR__CHECK_NEW)
    return true;
  enumeration->checked = VPTR__CHECK_DONE;
  enumeration->flags |= VPTR__USED;
  vptr__type *written = enumeration->type->base;
  if (written != NULL && !vptr__layout_resolve(checker, written, enumeration->position))
    return false;
  if (written == NULL && (enumeration->flags & VPTR__ENUM_CLASS) != 0)
    written = vptr__kind_basic(checker, VPTR__TYPE_INT);
  bool has_negative = false;
  int64_t least = 0;
  uint64_t greatest = 0;
  const vptr__declaration *previous = NULL;
  for (vptr__declaration *enumerator = enumeration->enumerators; enumerator != NULL; enumerator = enumerator->next) {
    bool is_negative = false;
    if (!evaluate_enumerator(checker, enumerator, previous, &is_negative))
      return false;
    if (written != NULL && !fits_type(written, enumerator->value, is_negative)) {
      VPTR__CHECK_ERROR(checker, enumerator->position,
                        "the value of '%s' does not fit into '%s': give the enumeration a wider type",
                        enumerator->name->text, VPTR__CHECK_TEXT(checker, written));
      return false;
    }
    has_negative = has_negative || is_negative;
    if (is_negative && enumerator->value < least)
      least = enumerator->value;
    if (!is_negative && (uint64_t)enumerator->value > greatest)
      greatest = (uint64_t)enumerator->value;
    previous = enumerator;
  }
  enumeration->type->base =
      written != NULL ? written : vptr__kind_basic(checker, narrowest_kind(has_negative, least, greatest));
  return true;
}
