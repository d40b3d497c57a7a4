/* SPDX-License-Identifier: MIT */
/*
 * cast - see cast.h.
 *
 * A pointer's bits are the program's: the address that the host knows, wherever they lie. __vptr_bits() and
 * __vptr_pointer() are where one becomes the other; all else moves bits as numbers. A pointer that only is subtracted
 * from another, compared, or asked for its low bits needs no translation, since an allocation is one piece for both
 * and begins at the same boundary. Those of pointers to shared memory and to a thread's own have a mark (mixed.h).
 */
#include "cast.h"

#include "indirect.h"
#include "mixed.h"
#include "name.h"
#include "type.h"
#include "value.h"
#include "wrap.h"

/* ---- numbers --------------------------------------------------------------------------------------------- */

/* Bits above the width are never set. */
static void print_mask(kc_writer *writer, LLVMTypeRef type) {
  unsigned width = kc_width(type);
  if (width != kc_storage_bits(type))
    kc_print(writer, " & 0x%llx%s", (1ull << width) - 1, width > 32 ? "ull" : "u");
}

static void print_cut(kc_writer *writer, LLVMValueRef value, LLVMTypeRef type, unsigned leaf) {
  kc_print(writer, "((%s)", kc_type_name(writer, type));
  kc_value(writer, LLVMGetOperand(value, 0), leaf);
  print_mask(writer, type);
  kc_print(writer, ")");
}

static void print_from_signed(kc_writer *writer, LLVMValueRef value, LLVMTypeRef type, unsigned leaf) {
  bool is_integer = kc_is_integer(type);
  kc_print(writer, is_integer ? "((%s)(%s)" : "((%s)", kc_type_name(writer, type),
           is_integer ? kc_signed_name(writer, type) : "");
  kc_signed_value(writer, LLVMGetOperand(value, 0), leaf);
  if (is_integer)
    print_mask(writer, type);
  kc_print(writer, ")");
}

/* Through 32 bits, so that what is out of range for a short is not undefined in C. */
static void print_from_floating(kc_writer *writer, LLVMValueRef value, LLVMTypeRef type, bool is_signed,
                                unsigned leaf) {
  bool is_wide = kc_width(type) > 32;
  kc_print(writer, "((%s)(%s)", kc_type_name(writer, type),
           is_signed ? (is_wide ? "long long" : "int") : (is_wide ? "u64" : "u32"));
  kc_value(writer, LLVMGetOperand(value, 0), leaf);
  print_mask(writer, type);
  kc_print(writer, ")");
}

static void print_plain(kc_writer *writer, LLVMValueRef value, LLVMTypeRef type, unsigned leaf) {
  kc_print(writer, "((%s)", kc_type_name(writer, type));
  kc_value(writer, LLVMGetOperand(value, 0), leaf);
  kc_print(writer, ")");
}

/* ---- bits ------------------------------------------------------------------------------------------------ */

void kc_cast_bits_begin(kc_writer *writer, LLVMTypeRef from, LLVMTypeRef to) {
  LLVMTypeKind has = LLVMGetTypeKind(from), wanted = LLVMGetTypeKind(to);
  if (has == wanted)
    kc_print(writer, "(");
  else if (wanted == LLVMFloatTypeKind)
    kc_print(writer, "__uint_as_float(");
  else if (wanted == LLVMDoubleTypeKind)
    kc_print(writer, "__longlong_as_double((long long)");
  else if (has == LLVMFloatTypeKind)
    kc_print(writer, "__float_as_uint(");
  else if (has == LLVMDoubleTypeKind)
    kc_print(writer, "((u64)__double_as_longlong(");
  else
    kc_refuse(writer, "the bits of a value are seen as another type that kernels cannot have");
}

void kc_cast_bits_end(kc_writer *writer, LLVMTypeRef from, LLVMTypeRef to) {
  bool is_wide = LLVMGetTypeKind(from) == LLVMDoubleTypeKind && LLVMGetTypeKind(to) == LLVMIntegerTypeKind;
  kc_print(writer, is_wide ? "))" : ")");
}

/* Leaves that are integers, joined: the first is the lowest. */
static void print_joined(kc_writer *writer, LLVMValueRef value, LLVMTypeRef type) {
  LLVMTypeRef from = LLVMTypeOf(value);
  unsigned count = kc_leaf_count(writer, from);
  unsigned at = 0;
  kc_print(writer, "(");
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef leaf = kc_leaf_type(writer, from, i);
    if (!kc_is_integer(leaf) && !kc_is_floating(leaf))
      kc_refuse(writer, "the bits of a vector are seen as another type that kernels cannot have");
    LLVMTypeRef bits =
        kc_is_integer(leaf) ? leaf : LLVMIntTypeInContext(writer->context, (unsigned)kc_size(writer, leaf) * 8);
    kc_print(writer, i > 0 ? " | (%s)" : "(%s)", kc_type_name(writer, type));
    kc_cast_bits_begin(writer, leaf, bits);
    kc_value(writer, value, i);
    kc_cast_bits_end(writer, leaf, bits);
    if (at > 0)
      kc_print(writer, " << %u", at);
    at += kc_width(bits);
  }
  kc_print(writer, ")");
}

/* One leaf of a vector that is made of one integer. */
static void print_part(kc_writer *writer, LLVMValueRef value, LLVMTypeRef part, unsigned leaf) {
  unsigned width = (unsigned)kc_size(writer, part) * 8;
  LLVMTypeRef bits = LLVMIntTypeInContext(writer->context, kc_is_integer(part) ? kc_width(part) : width);
  kc_cast_bits_begin(writer, bits, part);
  kc_print(writer, "(%s)(", kc_type_name(writer, bits));
  kc_value(writer, value, 0);
  kc_print(writer, " >> %u)", leaf * kc_width(bits));
  if (kc_width(bits) < kc_storage_bits(bits))
    kc_print(writer, " & 0x%llxu", (1ull << kc_width(bits)) - 1);
  kc_cast_bits_end(writer, bits, part);
}

static void print_bits(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMValueRef operand = LLVMGetOperand(value, 0);
  LLVMTypeRef from = LLVMTypeOf(operand), to = LLVMTypeOf(value);
  unsigned has = kc_leaf_count(writer, from), wanted = kc_leaf_count(writer, to);
  if (has == wanted) {
    LLVMTypeRef from_leaf = kc_leaf_type(writer, from, leaf), to_leaf = kc_leaf_type(writer, to, leaf);
    kc_cast_bits_begin(writer, from_leaf, to_leaf);
    kc_value(writer, operand, leaf);
    kc_cast_bits_end(writer, from_leaf, to_leaf);
  } else if (wanted == 1 && kc_is_integer(to)) {
    print_joined(writer, operand, to);
  } else if (has == 1 && kc_is_integer(from)) {
    print_part(writer, operand, kc_leaf_type(writer, to, leaf), leaf);
  } else {
    kc_refuse(writer, "the bits of a vector are seen as those of another: take its members one by one");
  }
}

/* ---- pointers -------------------------------------------------------------------------------------------- */

static bool is_of_pointer(LLVMValueRef value) {
  return LLVMIsAPtrToIntInst(value) != NULL ||
         (LLVMIsAConstantExpr(value) != NULL && LLVMGetConstOpcode(value) == LLVMPtrToInt);
}

static bool is_low_mask(LLVMValueRef value) {
  return LLVMIsAConstantInt(value) != NULL && LLVMConstIntGetZExtValue(value) < 4096;
}

/* p - q, p == q, p & 15: true of the device's address as of the host's. */
static bool needs_no_translation(LLVMValueRef number) {
  for (LLVMUseRef use = LLVMGetFirstUse(number); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) == NULL)
      return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
    LLVMValueRef left = LLVMGetOperand(user, 0),
                 right = LLVMGetNumOperands(user) > 1 ? LLVMGetOperand(user, 1) : left;
    bool is_of_two = opcode == LLVMSub && is_of_pointer(left) && is_of_pointer(right);
    bool is_of_low_bits = opcode == LLVMAnd && (is_low_mask(left) || is_low_mask(right));
    bool is_cut = opcode == LLVMTrunc && kc_width(LLVMTypeOf(user)) <= 12;
    if (!is_of_two && !is_of_low_bits && !is_cut)
      return false;
  }
  return true;
}

static unsigned space_of(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

void kc_cast_pointer_bits(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  unsigned space = kc_is_pointer(LLVMTypeOf(value)) ? kc_space_of(value) : KC_GENERIC;
  bool is_own = space == KC_SHARED || space == KC_PRIVATE;
  kc_print(writer, is_own ? "vptr_marked(__vptr_number(" : "__vptr_bits(");
  kc_value(writer, value, leaf);
  if (is_own)
    kc_print(writer, "), %lluull", space == KC_SHARED ? KC_MARK_SHARED : KC_MARK_PRIVATE);
  kc_print(writer, ")");
}

static void print_number(kc_writer *writer, LLVMValueRef value) {
  LLVMValueRef pointer = LLVMGetOperand(value, 0);
  LLVMTypeRef type = LLVMTypeOf(value);
  kc_print(writer, "((%s)", kc_type_name(writer, type));
  if (kc_indirect_is_number(pointer)) {
    kc_value(writer, pointer, 0);
  } else if (LLVMIsAInstruction(value) != NULL && needs_no_translation(value)) {
    kc_print(writer, "__vptr_number(");
    kc_value(writer, pointer, 0);
    kc_print(writer, ")");
  } else {
    kc_cast_pointer_bits(writer, pointer, 0);
  }
  kc_print(writer, ")");
}

static void print_pointer(kc_writer *writer, LLVMValueRef value) {
  bool is_shared = space_of(value) == KC_SHARED, is_own = is_shared || space_of(value) == KC_PRIVATE;
  kc_print(writer, is_own ? "%s(~%lluull & (u64)" : "%s((u64)",
           is_shared ? "__vptr_shared"
           : is_own  ? "__vptr_private"
                     : "__vptr_pointer",
           KC_MARKS);
  kc_value(writer, LLVMGetOperand(value, 0), 0);
  kc_print(writer, ")");
}

static bool is_truth(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMTypeRef from = kc_leaf_type(writer, LLVMTypeOf(LLVMGetOperand(value, 0)), leaf);
  return kc_is_integer(from) && kc_width(from) == 1;
}

/* 0 or 1 as a floating number. In some kernels NVIDIA's OpenCL (driver 580) takes the bits of a converted truth for 1,
 * not those of 1.0f: of 9,900 random functions 18 were wrong, all of them right with -cl-opt-disable, 13 as here. */
static void print_truth(kc_writer *writer, LLVMValueRef value, LLVMTypeRef type, unsigned leaf) {
  kc_print(writer, "(%s)(", kc_type_name(writer, type));
  kc_value(writer, LLVMGetOperand(value, 0), leaf);
  kc_print(writer, LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? " != 0 ? 1.0 : 0.0)" : " != 0 ? 1.0f : 0.0f)");
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

bool kc_cast(kc_writer *writer, LLVMValueRef value, LLVMOpcode opcode, unsigned leaf) {
  LLVMTypeRef type = kc_leaf_type(writer, LLVMTypeOf(value), leaf);
  switch (opcode) {
  case LLVMTrunc:
    print_cut(writer, value, type, leaf);
    return true;
  case LLVMZExt:
    (kc_wrap_is_positive(value) ? print_from_signed : print_plain)(writer, value, type, leaf);
    return true;
  case LLVMFPTrunc:
  case LLVMFPExt:
    print_plain(writer, value, type, leaf);
    return true;
  case LLVMUIToFP:
    (is_truth(writer, value, leaf) ? print_truth : print_plain)(writer, value, type, leaf);
    return true;
  case LLVMSExt:
  case LLVMSIToFP:
    print_from_signed(writer, value, type, leaf);
    return true;
  case LLVMFPToUI:
  case LLVMFPToSI:
    print_from_floating(writer, value, type, opcode == LLVMFPToSI, leaf);
    return true;
  case LLVMBitCast:
    print_bits(writer, value, leaf);
    return true;
  case LLVMAddrSpaceCast:
    kc_value(writer, LLVMGetOperand(value, 0), leaf);
    return true;
  case LLVMPtrToInt:
    print_number(writer, value);
    return true;
  case LLVMIntToPtr:
    print_pointer(writer, value);
    return true;
  default:
    return false;
  }
}
