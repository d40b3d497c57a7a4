/* SPDX-License-Identifier: MIT */
/* value - see value.h. */
#include "value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"
#include "name.h"
#include "type.h"
#include "wide.h"

/* ---- pointers -------------------------------------------------------------------------------------------- */

static LLVMOpcode opcode_of(LLVMValueRef value) {
  if (LLVMIsAInstruction(value) != NULL)
    return LLVMGetInstructionOpcode(value);
  return LLVMIsAConstantExpr(value) != NULL ? LLVMGetConstOpcode(value) : 0;
}

LLVMValueRef kc_base_of(LLVMValueRef pointer) {
  for (;;) {
    LLVMOpcode opcode = opcode_of(pointer);
    if (opcode != LLVMGetElementPtr && opcode != LLVMAddrSpaceCast && opcode != LLVMBitCast)
      return pointer;
    pointer = LLVMGetOperand(pointer, 0);
  }
}

unsigned kc_space_of(LLVMValueRef pointer) {
  for (;;) {
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    LLVMOpcode opcode = opcode_of(pointer);
    if (space != KC_GENERIC || (opcode != LLVMGetElementPtr && opcode != LLVMAddrSpaceCast && opcode != LLVMBitCast))
      return opcode == LLVMAlloca ? KC_PRIVATE : space;
    pointer = LLVMGetOperand(pointer, 0);
  }
}

static bool add_offsets(kc_writer *writer, LLVMValueRef pointer, unsigned long long *bytes) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
  for (int i = 1; i < LLVMGetNumOperands(pointer); i++) {
    LLVMValueRef index = LLVMGetOperand(pointer, (unsigned)i);
    if (LLVMIsAConstantInt(index) == NULL)
      return false;
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      *bytes += LLVMOffsetOfElement(writer->data, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    *bytes += (unsigned long long)LLVMConstIntGetSExtValue(index) * kc_size(writer, type);
  }
  return true;
}

bool kc_constant_offset(kc_writer *writer, LLVMValueRef pointer, LLVMValueRef *base_out,
                        unsigned long long *bytes_out) {
  *bytes_out = 0;
  for (;; pointer = LLVMGetOperand(pointer, 0)) {
    LLVMOpcode opcode = opcode_of(pointer);
    if (opcode == LLVMGetElementPtr) {
      if (!add_offsets(writer, pointer, bytes_out))
        return false;
    } else if (opcode != LLVMAddrSpaceCast && opcode != LLVMBitCast) {
      *base_out = pointer;
      return true;
    }
  }
}

/* ---- variables of the module ----------------------------------------------------------------------------- */

const char *kc_global_name(LLVMValueRef global) {
  size_t length = 0;
  return LLVMGetValueName2(global, &length);
}

void kc_use_global(kc_writer *writer, LLVMValueRef global) {
  for (size_t i = 0; i < writer->global_count; i++)
    if (writer->globals[i] == global)
      return;
  writer->globals[writer->global_count++] = global;
}

static void print_global(kc_writer *writer, LLVMValueRef global) {
  if (LLVMIsAFunction(global) != NULL)
    kc_refuse(writer, "the address of function %s is used: kernels can call functions, but cannot keep them",
              kc_global_name(global));
  if (LLVMIsAGlobalVariable(global) == NULL)
    kc_refuse(writer, "an alias of %s is used: use the variable itself", kc_global_name(global));
  kc_use_global(writer, global);
  kc_print(writer, "((char *)%s)", kc_global_name(global));
}

/* ---- strings --------------------------------------------------------------------------------------------- */

bool kc_is_word(LLVMValueRef node, const char *word) {
  unsigned length = 0;
  const char *text = LLVMGetMDString(node, &length);
  return text != NULL && length == strlen(word) && memcmp(text, word, length) == 0;
}

char *kc_string_of(kc_writer *writer, LLVMValueRef pointer, size_t *length_out) {
  LLVMValueRef base = NULL;
  unsigned long long offset = 0;
  if (!kc_constant_offset(writer, pointer, &base, &offset) || LLVMIsAGlobalVariable(base) == NULL ||
      LLVMGetInitializer(base) == NULL || !LLVMIsGlobalConstant(base))
    return NULL;
  LLVMValueRef content = LLVMGetInitializer(base);
  LLVMTypeRef type = LLVMTypeOf(content);
  if (LLVMGetTypeKind(type) != LLVMArrayTypeKind || !kc_is_integer(LLVMGetElementType(type)) ||
      kc_width(LLVMGetElementType(type)) != 8)
    return NULL;
  unsigned long long count = LLVMGetArrayLength2(type);
  char *text = kc_allocate((size_t)count + 1, 1);
  size_t length = 0;
  for (unsigned long long i = offset; i < count; i++, length++) {
    LLVMValueRef element = LLVMGetAggregateElement(content, (unsigned)i);
    text[length] =
        element != NULL && LLVMIsAConstantInt(element) != NULL ? (char)LLVMConstIntGetZExtValue(element) : 0;
    if (text[length] == 0)
      break;
  }
  *length_out = length;
  return text;
}

void kc_print_string(kc_writer *writer, const char *text, size_t length) {
  kc_print(writer, "\"");
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\' || c == '?')
      kc_print(writer, "\\%c", c);
    else if (isprint(c))
      kc_print(writer, "%c", c);
    else
      kc_print(writer, "\\%03o", c);
  }
  kc_print(writer, "\"");
}

/* ---- constants ------------------------------------------------------------------------------------------- */

static void print_integer(kc_writer *writer, LLVMValueRef value) {
  kc_type_name(writer, LLVMTypeOf(value));
  kc_print(writer, kc_width(LLVMTypeOf(value)) > 32 ? "%lluull" : "%lluu", LLVMConstIntGetZExtValue(value));
}

/* By their bits, but for those that people know. */
static void print_floating(kc_writer *writer, LLVMValueRef value) {
  LLVMBool loses = 0;
  double number = LLVMConstRealGetDouble(value, &loses);
  bool is_float = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMFloatTypeKind;
  kc_type_name(writer, LLVMTypeOf(value));
  float narrow = (float)number;
  unsigned bits = 0;
  unsigned long long wide_bits = 0;
  memcpy(&bits, &narrow, sizeof bits);
  memcpy(&wide_bits, &number, sizeof wide_bits);
  if (number > -1e6 && number < 1e6 && number == (int)number && wide_bits != 1ull << 63)
    kc_print(writer, is_float ? "%.1ff" : "%.1f", number);
  else if (is_float)
    kc_print(writer, "__uint_as_float(0x%xu)", bits);
  else
    kc_print(writer, "__longlong_as_double(0x%llxll)", wide_bits);
}

static void print_zero(kc_writer *writer, LLVMTypeRef type) {
  kc_print(writer, kc_is_pointer(type) ? "((char *)0)" : kc_is_integer(type) ? "0u" : "0.0f");
}

static void print_constant(kc_writer *writer, LLVMValueRef value) {
  if (LLVMIsAConstantInt(value) != NULL)
    print_integer(writer, value);
  else if (LLVMIsAConstantFP(value) != NULL)
    print_floating(writer, value);
  else if (LLVMIsAConstantPointerNull(value) != NULL || LLVMIsUndef(value) || LLVMIsPoison(value))
    print_zero(writer, LLVMTypeOf(value));
  else if (LLVMIsAGlobalValue(value) != NULL)
    print_global(writer, value);
  else if (LLVMIsAConstantExpr(value) != NULL)
    kc_expression(writer, value, 0);
  else
    kc_refuse(writer, "a constant of a kind that kernels cannot have");
}

/* The scalar that a leaf of a constant struct, array or vector is. */
static LLVMValueRef constant_leaf(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kc_is_wide(type) && LLVMIsAConstantInt(value) != NULL)
    return kc_wide_half(writer, value, leaf);
  if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind && !kc_is_wide(type))
    return value;
  if (LLVMIsUndef(value) || LLVMIsPoison(value) || LLVMIsNull(value))
    return LLVMConstNull(kc_leaf_type(writer, type, leaf));
  for (unsigned i = 0;; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(value, i);
    if (element == NULL)
      kc_refuse(writer, "a constant of a kind that kernels cannot have");
    unsigned count = kc_leaf_count(writer, LLVMTypeOf(element));
    if (leaf < count)
      return constant_leaf(writer, element, leaf);
    leaf -= count;
  }
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

/* A struct by value is asked for as memory only where it was copied. */
static bool is_passed(kc_writer *writer, LLVMValueRef value) {
  LLVMValueRef function = writer->kernel->function;
  for (unsigned i = 0; LLVMIsAArgument(value) != NULL && i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == value)
      return kc_passed_type(function, i) != NULL;
  return false;
}

static void print_named(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  if (kc_name_kind(value) == KC_INLINE)
    kc_expression(writer, value, leaf);
  else if (is_passed(writer, value))
    kc_print(writer, "c_%s", kc_name_of(value));
  else if (kc_leaf_count(writer, LLVMTypeOf(value)) == 1)
    kc_print(writer, "%s", kc_name_of(value));
  else
    kc_print(writer, "%s_%u", kc_name_of(value), leaf);
}

void kc_value(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  if (kc_name_kind(value) != 0)
    print_named(writer, value, leaf);
  else
    print_constant(writer, constant_leaf(writer, value, leaf));
}

void kc_signed_value(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMTypeRef type = kc_leaf_type(writer, LLVMTypeOf(value), leaf);
  unsigned width = kc_width(type), bits = kc_storage_bits(type);
  const char *name = kc_signed_name(writer, type);
  if (width == 1)
    kc_print(writer, "(-(int)");
  else if (width == bits)
    kc_print(writer, "((%s)", name);
  else
    kc_print(writer, "((%s)((%s)(", name, name);
  kc_value(writer, value, leaf);
  if (width != 1 && width != bits)
    kc_print(writer, " << %u) >> %u)", bits - width, bits - width);
  kc_print(writer, ")");
}
