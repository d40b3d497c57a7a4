/* SPDX-License-Identifier: MIT */
/*
 * address - which variable of the device a constant expression is the address of, and how far inside.
 *
 * The address itself is known when the program runs: a module says where it is to be written (emit/metadata.c), and the
 * runtime writes it. Expressions are checked ones; the tree is the caller's, and does not change here.
 *
 * Called by bytes.c for what variables begin with.
 */
#include "translate/types/check.h"

static bool object_address(const vptr__expression *lvalue, vptr__address *address_out);

/* A pointer's value, moved by so many of what it points to. */
static bool sum_address(const vptr__expression *pointer, const vptr__expression *count, int sign,
                        vptr__address *address_out) {
  vptr__constant number;
  if (pointer->type->kind != VPTR__TYPE_POINTER || !vptr__constant_evaluate(count, NULL, &number) ||
      !vptr__address_of(pointer, address_out))
    return false;
  uint64_t bytes = (uint64_t)number.integer * vptr__type_size(pointer->type->base);
  address_out->plus += sign < 0 ? 0 - bytes : bytes;
  return true;
}

static bool is_of_device(const vptr__declaration *variable) {
  return variable != NULL && variable->kind == VPTR__DECLARATION_VARIABLE &&
         (variable->flags & (VPTR__DEVICE | VPTR__CONSTANT)) != 0 &&
         (variable->flags & (VPTR__SHARED | VPTR__MANAGED | VPTR__BUILT_IN)) == 0;
}

static bool object_address(const vptr__expression *lvalue, vptr__address *address_out) {
  switch (lvalue->kind) {
  case VPTR__EXPRESSION_NAME:
    *address_out = (vptr__address){ .of = lvalue->declaration };
    return is_of_device(lvalue->declaration);
  case VPTR__EXPRESSION_MEMBER:
    if (!(lvalue->is_arrow ? vptr__address_of : object_address)(lvalue->operands[0], address_out))
      return false;
    address_out->plus += lvalue->declaration->offset;
    return true;
  case VPTR__EXPRESSION_INDEX:
    return sum_address(lvalue->operands[0], lvalue->operands[1], 1, address_out);
  case VPTR__EXPRESSION_UNARY:
    return lvalue->op == '*' && vptr__address_of(lvalue->operands[0], address_out);
  default:
    return false;
  }
}

static bool binary_address(const vptr__expression *binary, vptr__address *address_out) {
  const vptr__expression *left = binary->operands[0], *right = binary->operands[1];
  if (binary->op == '-')
    return sum_address(left, right, -1, address_out);
  if (binary->op != '+')
    return false;
  return sum_address(left, right, 1, address_out) || sum_address(right, left, 1, address_out);
}

bool vptr__address_of(const vptr__expression *pointer, vptr__address *address_out) {
  if (pointer->type == NULL || pointer->type->kind != VPTR__TYPE_POINTER)
    return false;
  switch (pointer->kind) {
  case VPTR__EXPRESSION_CAST:
    return (pointer->cast == VPTR__CAST_DECAY ? object_address : vptr__address_of)(pointer->operands[0], address_out);
  case VPTR__EXPRESSION_UNARY:
    return pointer->op == '&' && object_address(pointer->operands[0], address_out);
  case VPTR__EXPRESSION_BINARY:
    return binary_address(pointer, address_out);
  default:
    return false;
  }
}
