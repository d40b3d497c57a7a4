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

/* Where bytes go, and who is told of addresses. */
typedef struct target {
  unsigned char *bytes; /* NULL: it is only asked whether they are constant */
  bool takes_addresses;
  vptr__address_visitor *visit; /* may be NULL */
  void *context;
} target;

static bool fill_object(const target *to, const vptr__type *type, const vptr__expression *initializer, uint64_t at);

static bool fill_array(const target *to, const vptr__type *type, const vptr__expression *initializer, uint64_t at) {
  if (initializer->kind == VPTR__EXPRESSION_STRING) {
    uint64_t length = initializer->length < type->count ? initializer->length : type->count;
    if (to->bytes != NULL)
      memcpy(to->bytes + at, initializer->text, length);
    return true;
  }
  if (!is_list(initializer))
    return false;
  uint64_t size = vptr__type_size(type->base);
  for (const vptr__expression *item = initializer->arguments; item != NULL; item = item->next, at += size)
    if (!fill_object(to, type->base, item, at))
      return false;
  return true;
}

static bool fill_record(const target *to, const vptr__type *type, const vptr__expression *initializer, uint64_t at) {
  if (!is_list(initializer))
    return false;
  const vptr__declaration *field = type->declaration->fields;
  if (initializer->declaration != NULL) /* of a union */
    field = initializer->declaration;
  for (const vptr__expression *item = initializer->arguments; item != NULL && field != NULL;
       item = item->next, field = field->next)
    if (!fill_object(to, field->type, item, at + field->offset))
      return false;
  return true;
}

static bool fill_address(const target *to, const vptr__expression *initializer, uint64_t at) {
  vptr__address address;
  if (!to->takes_addresses || !vptr__address_of(initializer, &address))
    return false;
  if (address.of->definition != NULL)
    address.of = address.of->definition;
  address.at = at;
  uint64_t size = vptr__type_size(address.of->type);
  if (size != 0 && address.plus > size)
    return false;
  if (to->visit != NULL)
    to->visit(to->context, &address);
  return true;
}

static bool fill_object(const target *to, const vptr__type *type, const vptr__expression *initializer, uint64_t at) {
  if (type->kind == VPTR__TYPE_ARRAY)
    return fill_array(to, type, initializer, at);
  if (type->kind == VPTR__TYPE_RECORD) {
    bool copies = initializer->kind == VPTR__EXPRESSION_LOAD &&
                  initializer->operands[0]->kind == VPTR__EXPRESSION_NAME &&
                  vptr__declaration_is_known(initializer->operands[0]->declaration);
    return fill_record(to, type, copies ? initializer->operands[0]->declaration->initializer : initializer, at);
  }
  if (is_list(initializer))
    return initializer->arguments == NULL;
  vptr__constant value;
  if (!vptr__constant_evaluate(initializer, NULL, &value))
    return fill_address(to, initializer, at);
  if (to->bytes != NULL)
    vptr__bytes_store(type, value, to->bytes + at);
  return true;
}

bool vptr__bytes_of(const vptr__type *type, const vptr__expression *initializer, unsigned char *bytes) {
  target to = { .bytes = bytes };
  return fill_object(&to, type, initializer, 0);
}

bool vptr__types_initial_bytes(const vptr__declaration *variable, unsigned char *bytes, vptr__address_visitor *visit,
                               void *context) {
  target to = { bytes, (variable->flags & VPTR__MANAGED) == 0, visit, context };
  return variable->initializer == NULL || fill_object(&to, variable->type, variable->initializer, 0);
}
