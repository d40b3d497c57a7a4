/* SPDX-License-Identifier: MIT */
/*
 * expression - see expression.h.
 *
 * Arithmetic is unsigned, as LLVM's wraps, and what is narrower than C computes in is cut to its width again.
 */
#include "expression.h"

#include <limits.h>

#include "cast.h"
#include "indirect.h"
#include "name.h"
#include "type.h"
#include "value.h"
#include "wide.h"
#include "wrap.h"

/* ---- results that are cut -------------------------------------------------------------------------------- */

static void begin_cut(kc_writer *writer, LLVMTypeRef type) {
  unsigned width = kc_width(type), bits = kc_storage_bits(type);
  kc_print(writer, width == bits && width >= 32 ? "(" : width == bits ? "((%s)(" : "((", kc_type_name(writer, type));
}

static void end_cut(kc_writer *writer, LLVMTypeRef type) {
  unsigned width = kc_width(type), bits = kc_storage_bits(type);
  if (width == bits)
    kc_print(writer, width >= 32 ? ")" : "))");
  else
    kc_print(writer, ") & 0x%llx%s)", (1ull << width) - 1, width > 32 ? "ull" : "u");
}

/* ---- arithmetic ------------------------------------------------------------------------------------------ */

static void print_unsigned(kc_writer *writer, LLVMValueRef value, const char *operator, unsigned leaf) {
  LLVMTypeRef type = kc_leaf_type(writer, LLVMTypeOf(value), leaf);
  begin_cut(writer, type);
  if (kc_storage_bits(type) < 32)
    kc_print(writer, "(u32)"); /* a product of two shorts is an int, which may overflow */
  kc_value(writer, LLVMGetOperand(value, 0), leaf);
  kc_print(writer, " %s ", operator);
  kc_value(writer, LLVMGetOperand(value, 1), leaf);
  end_cut(writer, type);
}

static void print_signed(kc_writer *writer, LLVMValueRef value, const char *operator, unsigned leaf) {
  LLVMTypeRef type = kc_leaf_type(writer, LLVMTypeOf(value), leaf);
  bool is_shift = *operator== '>';
  begin_cut(writer, type);
  kc_print(writer, "(%s)(", kc_type_name(writer, type));
  kc_signed_value(writer, LLVMGetOperand(value, 0), leaf);
  kc_print(writer, " %s ", operator);
  if (is_shift)
    kc_value(writer, LLVMGetOperand(value, 1), leaf);
  else
    kc_signed_value(writer, LLVMGetOperand(value, 1), leaf);
  kc_print(writer, ")");
  end_cut(writer, type);
}

static void print_floating(kc_writer *writer, LLVMValueRef value, const char *operator, unsigned leaf) {
  kc_type_name(writer, kc_leaf_type(writer, LLVMTypeOf(value), leaf));
  kc_print(writer, "(");
  kc_value(writer, LLVMGetOperand(value, 0), leaf);
  kc_print(writer, " %s ", operator);
  kc_value(writer, LLVMGetOperand(value, 1), leaf);
  kc_print(writer, ")");
}

static void print_remainder(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMTypeRef type = kc_leaf_type(writer, LLVMTypeOf(value), leaf);
  kc_print(writer, LLVMGetTypeKind(type) == LLVMFloatTypeKind ? "fmodf(" : "fmod(");
  kc_value(writer, LLVMGetOperand(value, 0), leaf);
  kc_print(writer, ", ");
  kc_value(writer, LLVMGetOperand(value, 1), leaf);
  kc_print(writer, ")");
}

/* ---- comparisons ----------------------------------------------------------------------------------------- */

static void print_compared(kc_writer *writer, LLVMValueRef value, const char *operator, unsigned leaf) {
  static const LLVMIntPredicate first_signed = LLVMIntSGT;
  LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
  bool is_signed =
      LLVMGetICmpPredicate(value) >= first_signed && kc_is_integer(kc_leaf_type(writer, LLVMTypeOf(left), leaf));
  unsigned long long number = 0;
  kc_print(writer, "(u32)(");
  (is_signed ? kc_signed_value : kc_value)(writer, left, leaf);
  kc_print(writer, " %s ", operator);
  if (kc_indirect_is_number(left) && kc_indirect_constant(right, &number)) {
    kc_print(writer, "%lluull)", number);
    return;
  }
  (is_signed ? kc_signed_value : kc_value)(writer, right, leaf);
  kc_print(writer, ")");
}

static void print_integer_comparison(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  static const char *const operators[] = { "==", "!=", ">", ">=", "<", "<=", ">", ">=", "<", "<=" };
  kc_print(writer, "(");
  print_compared(writer, value, operators[LLVMGetICmpPredicate(value) - LLVMIntEQ], leaf);
  kc_print(writer, ")");
}

/* Ordered ones as C has them; the others by the opposite, since a comparison with NaN is false. */
static void print_floating_comparison(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  static const char *const forms[] = {
    [LLVMRealPredicateFalse] = "0u",
    [LLVMRealPredicateTrue] = "1u",
    [LLVMRealOEQ] = "l == r",
    [LLVMRealOGT] = "l > r",
    [LLVMRealOGE] = "l >= r",
    [LLVMRealOLT] = "l < r",
    [LLVMRealOLE] = "l <= r",
    [LLVMRealONE] = "l < r || l > r",
    [LLVMRealORD] = "l == l && r == r",
    [LLVMRealUNO] = "l != l || r != r",
    [LLVMRealUEQ] = "!(l < r || l > r)",
    [LLVMRealUGT] = "!(l <= r)",
    [LLVMRealUGE] = "!(l < r)",
    [LLVMRealULT] = "!(l >= r)",
    [LLVMRealULE] = "!(l > r)",
    [LLVMRealUNE] = "l != r",
  };
  kc_print(writer, "((u32)(");
  for (const char *form = forms[LLVMGetFCmpPredicate(value)]; *form != 0; form++)
    if (*form == 'l' || *form == 'r')
      kc_value(writer, LLVMGetOperand(value, *form == 'r'), leaf);
    else
      kc_print(writer, "%c", *form);
  kc_print(writer, "))");
}

static void print_choice(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMValueRef condition = LLVMGetOperand(value, 0);
  bool is_by_leaf = LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind;
  kc_print(writer, "(");
  kc_value(writer, condition, is_by_leaf ? leaf : 0);
  kc_print(writer, " ? ");
  kc_value(writer, LLVMGetOperand(value, 1), leaf);
  kc_print(writer, " : ");
  kc_value(writer, LLVMGetOperand(value, 2), leaf);
  kc_print(writer, ")");
}

/* ---- addresses ------------------------------------------------------------------------------------------- */

static void print_index(kc_writer *writer, LLVMValueRef index, unsigned long long size) {
  bool is_wide = kc_width(LLVMTypeOf(index)) == 64;
  kc_print(writer, " + (long long)");
  (is_wide ? kc_value : kc_signed_value)(writer, index, 0);
  if (size != 1)
    kc_print(writer, " * %lldll", (long long)size);
}

/* Bytes modulo 2^64: those of the greatest negative offset are no signed number where they stand behind a minus. */
static void print_offset(kc_writer *writer, unsigned long long bytes) {
  bool is_negative = bytes > LLONG_MAX;
  unsigned long long magnitude = is_negative ? 0 - bytes : bytes;
  if (bytes != 0)
    kc_print(writer, " %c %llu%s", is_negative ? '-' : '+', magnitude, magnitude > LLONG_MAX ? "ull" : "ll");
}

void kc_address(kc_writer *writer, LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
  unsigned long long bytes = 0; /* modulo 2^64, as addresses are */
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMVectorTypeKind)
    kc_refuse(writer, "a vector of pointers: kernels cannot have it");
  kc_print(writer, "(");
  kc_value(writer, LLVMGetOperand(pointer, 0), 0);
  for (int i = 1; i < LLVMGetNumOperands(pointer); i++) {
    LLVMValueRef index = LLVMGetOperand(pointer, (unsigned)i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      bytes += LLVMOffsetOfElement(writer->data, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    if (LLVMIsAConstantInt(index) != NULL)
      bytes += (unsigned long long)LLVMConstIntGetSExtValue(index) * kc_size(writer, type);
    else
      print_index(writer, index, kc_size(writer, type));
  }
  print_offset(writer, bytes);
  kc_print(writer, ")");
}

/* ---- members of structs and vectors ---------------------------------------------------------------------- */

/* The first leaf of the member that an extractvalue or insertvalue names. */
static unsigned first_leaf(kc_writer *writer, LLVMValueRef value, LLVMTypeRef type) {
  unsigned leaf = 0;
  for (unsigned i = 0; i < LLVMGetNumIndices(value); i++) {
    unsigned member = LLVMGetIndices(value)[i];
    bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    for (unsigned k = 0; k < member; k++)
      leaf += kc_leaf_count(writer, is_struct ? LLVMStructGetTypeAtIndex(type, k) : LLVMGetElementType(type));
    type = is_struct ? LLVMStructGetTypeAtIndex(type, member) : LLVMGetElementType(type);
  }
  return leaf;
}

static void print_extracted(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMValueRef whole = LLVMGetOperand(value, 0);
  kc_value(writer, whole, first_leaf(writer, value, LLVMTypeOf(whole)) + leaf);
}

static void print_inserted(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMValueRef whole = LLVMGetOperand(value, 0), part = LLVMGetOperand(value, 1);
  unsigned first = first_leaf(writer, value, LLVMTypeOf(whole));
  if (leaf >= first && leaf < first + kc_leaf_count(writer, LLVMTypeOf(part)))
    kc_value(writer, part, leaf - first);
  else
    kc_value(writer, whole, leaf);
}

/* An element whose number is not constant is chosen among all. */
static void print_element(kc_writer *writer, LLVMValueRef value) {
  LLVMValueRef vector = LLVMGetOperand(value, 0), index = LLVMGetOperand(value, 1);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(vector));
  if (LLVMIsAConstantInt(index) != NULL) {
    unsigned long long at = LLVMConstIntGetZExtValue(index);
    kc_value(writer, vector, at < count ? (unsigned)at : 0);
    return;
  }
  kc_print(writer, "(");
  for (unsigned i = 0; i + 1 < count; i++) {
    kc_value(writer, index, 0);
    kc_print(writer, " == %uu ? ", i);
    kc_value(writer, vector, i);
    kc_print(writer, " : ");
  }
  kc_value(writer, vector, count - 1);
  kc_print(writer, ")");
}

static void print_with_element(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMValueRef index = LLVMGetOperand(value, 2);
  if (LLVMIsAConstantInt(index) != NULL) {
    bool is_it = LLVMConstIntGetZExtValue(index) == leaf;
    kc_value(writer, LLVMGetOperand(value, is_it ? 1 : 0), is_it ? 0 : leaf);
    return;
  }
  kc_print(writer, "(");
  kc_value(writer, index, 0);
  kc_print(writer, " == %uu ? ", leaf);
  kc_value(writer, LLVMGetOperand(value, 1), 0);
  kc_print(writer, " : ");
  kc_value(writer, LLVMGetOperand(value, 0), leaf);
  kc_print(writer, ")");
}

static void print_shuffled(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMValueRef left = LLVMGetOperand(value, 0);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(left));
  int at = LLVMGetMaskValue(value, leaf);
  if (at < 0)
    at = 0;
  kc_value(writer, LLVMGetOperand(value, (unsigned)at < count ? 0 : 1), (unsigned)at % count);
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

/* What an operation of two operands is in C: u unsigned, s signed, f floating. */
static const struct {
  LLVMOpcode opcode;
  char kind;
  const char *operator;
} operators[] = {
  { LLVMAdd, 'u', "+" },   { LLVMSub, 'u', "-" },   { LLVMMul, 'u', "*" },  { LLVMUDiv, 'u', "/" },
  { LLVMURem, 'u', "%" },  { LLVMAnd, 'u', "&" },   { LLVMOr, 'u', "|" },   { LLVMXor, 'u', "^" },
  { LLVMShl, 'u', "<<" },  { LLVMLShr, 'u', ">>" }, { LLVMSDiv, 's', "/" }, { LLVMSRem, 's', "%" },
  { LLVMAShr, 's', ">>" }, { LLVMFAdd, 'f', "+" },  { LLVMFSub, 'f', "-" }, { LLVMFMul, 'f', "*" },
  { LLVMFDiv, 'f', "/" },
};

static bool print_operation(kc_writer *writer, LLVMValueRef value, LLVMOpcode opcode, unsigned leaf) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    if (operators[i].opcode != opcode)
      continue;
    if (kc_wrap_is_signed(writer, value))
      print_signed(writer, value, operators[i].operator, leaf);
    else if (operators[i].kind == 'u')
      print_unsigned(writer, value, operators[i].operator, leaf);
    else if (operators[i].kind == 's')
      print_signed(writer, value, operators[i].operator, leaf);
    else
      print_floating(writer, value, operators[i].operator, leaf);
    return true;
  }
  return kc_cast(writer, value, opcode, leaf);
}

static void print_negated(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  kc_print(writer, "(-");
  kc_value(writer, LLVMGetOperand(value, 0), leaf);
  kc_print(writer, ")");
}

void kc_expression(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMOpcode opcode = LLVMIsAInstruction(value) != NULL ? LLVMGetInstructionOpcode(value) : LLVMGetConstOpcode(value);
  if (kc_wide_expression(writer, value, opcode, leaf))
    return;
  switch (opcode) {
  case LLVMGetElementPtr:
    kc_address(writer, value);
    return;
  case LLVMICmp:
    print_integer_comparison(writer, value, leaf);
    return;
  case LLVMFCmp:
    print_floating_comparison(writer, value, leaf);
    return;
  case LLVMSelect:
    print_choice(writer, value, leaf);
    return;
  case LLVMFRem:
    print_remainder(writer, value, leaf);
    return;
  case LLVMFNeg:
    print_negated(writer, value, leaf);
    return;
  case LLVMFreeze:
    kc_value(writer, LLVMGetOperand(value, 0), leaf);
    return;
  case LLVMExtractValue:
    print_extracted(writer, value, leaf);
    return;
  case LLVMInsertValue:
    print_inserted(writer, value, leaf);
    return;
  case LLVMExtractElement:
    print_element(writer, value);
    return;
  case LLVMInsertElement:
    print_with_element(writer, value, leaf);
    return;
  case LLVMShuffleVector:
    print_shuffled(writer, value, leaf);
    return;
  default:
    if (!print_operation(writer, value, opcode, leaf))
      kc_refuse(writer, "an operation (%d of LLVM's) that kernels cannot have", (int)opcode);
  }
}
