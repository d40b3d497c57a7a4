/* SPDX-License-Identifier: MIT */
/*
 * bytes - what a constant initialiser puts into memory: the device's, which is little-endian.
 */
#include "translate/types/check.h"

#include <string.h>

static void store_integer(uint64_t value, uint64_t size, unsigned char *bytes) {
  for (uint64_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(value >> (8 * i));
}

void vptr__bytes_store(const vptr__type *type, vptr__constant value, unsigned char *bytes) {
  uint64_t bits = (uint64_t)value.integer;
  if (type->kind == VPTR__TYPE_DOUBLE)
    memcpy(&bits, &value.floating, sizeof bits);
  if (type->kind == VPTR__TYPE_FLOAT) {
    float narrow = (float)value.floating;
    uint32_t narrow_bits;
    memcpy(&narrow_bits, &narrow, sizeof narrow);
    bits = narrow_bits;
  }
  store_integer(bits, vptr__type_size(type), bytes);
}

static bool is_list(const vptr__expression *initializer) {
  return initializer->kind == VPTR__EXPRESSION_INIT_LIST || initializer->kind == VPTR__EXPRESSION_CONSTRUCT;
}

static unsigned char *bytes_at(unsigned char *bytes, uint64_t offset) {
  return bytes != NULL ? bytes + offset : NULL;
}

static bool array_bytes(const vptr__type *type, const vptr__expression *initializer, unsigned char *bytes) {
  if (initializer->kind == VPTR__EXPRESSION_STRING) {
    uint64_t length = initializer->length < type->count ? initializer->length : type->count;
    if (bytes != NULL)
      memcpy(bytes, initializer->text, length);
    return true;
  }
  if (!is_list(initializer))
    return false;
  uint64_t offset = 0, size = vptr__type_size(type->base);
  for (const vptr__expression *item = initializer->arguments; item != NULL; item = item->next, offset += size)
    if (!vptr__bytes_of(type->base, item, bytes_at(bytes, offset)))
      return false;
  return true;
}

static bool record_bytes(const vptr__type *type, const vptr__expression *initializer, unsigned char *bytes) {
  if (!is_list(initializer))
    return false;
  const vptr__declaration *field = type->declaration->fields;
  if (initializer->declaration != NULL) /* of a union */
    field = initializer->declaration;
  for (const vptr__expression *item = initializer->arguments; item != NULL && field != NULL;
       item = item->next, field = field->next)
    if (!vptr__bytes_of(field->type, item, bytes_at(bytes, field->offset)))
      return false;
  return true;
}

bool vptr__bytes_of(const vptr__type *type, const vptr__expression *initializer, unsigned char *bytes) {
  if (type->kind == VPTR__TYPE_ARRAY)
    return array_bytes(type, initializer, bytes);
  if (type->kind == VPTR__TYPE_RECORD) {
    bool copies = initializer->kind == VPTR__EXPRESSION_LOAD &&
                  initializer->operands[0]->kind == VPTR__EXPRESSION_NAME &&
                  vptr__declaration_is_known(initializer->operands[0]->declaration);
    return record_bytes(type, copies ? initializer->operands[0]->declaration->initializer : initializer, bytes);
  }
  if (is_list(initializer))
    return initializer->arguments == NULL;
  vptr__constant value;
  if (!vptr__constant_evaluate(initializer, NULL, &value))
    return false;
  if (type->kind == VPTR__TYPE_POINTER && value.integer != 0)
    return false;
  if (bytes != NULL)
    vptr__bytes_store(type, value, bytes);
  return true;
}

bool vptr__types_initial_bytes(const vptr__declaration *variable, unsigned char *bytes) {
  return variable->initializer == NULL || vptr__bytes_of(variable->type, variable->initializer, bytes);
}
