/* SPDX-License-Identifier: MIT */
/* wide - see wide.h. */
#include "wide.h"

#include <string.h>

#include "cast.h"
#include "name.h"
#include "type.h"
#include "value.h"

enum { HALF = 64 };

bool kc_is_wide(LLVMTypeRef type) {
  return kc_is_integer(type) && kc_width(type) == 2 * HALF;
}

/* The builder folds what it is asked for of constants, and needs no place then. */
LLVMValueRef kc_wide_half(kc_writer *writer, LLVMValueRef constant, unsigned leaf) {
  LLVMTypeRef half = LLVMInt64TypeInContext(writer->context);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writer->context);
  if (leaf > 0)
    constant = LLVMBuildLShr(builder, constant, LLVMConstInt(LLVMTypeOf(constant), HALF, 0), "");
  constant = LLVMBuildTrunc(builder, constant, half, "");
  LLVMDisposeBuilder(builder);
  return constant;
}

/* ---- texts ----------------------------------------------------------------------------------------------- */

void kc_wide_text(kc_writer *writer, const char *text, LLVMValueRef value) {
  for (; *text != 0; text++) {
    if (*text != '%') {
      kc_print(writer, "%c", *text);
    } else if (*++text == 'T') {
      kc_print(writer, "%s", kc_type_name(writer, LLVMTypeOf(value)));
    } else if (*text == 's') {
      text++;
      kc_signed_value(writer, LLVMGetOperand(value, (unsigned)(*text - '0') / 2), (unsigned)(*text - '0') % 2);
    } else {
      kc_value(writer, LLVMGetOperand(value, (unsigned)(*text - '0') / 2), (unsigned)(*text - '0') % 2);
    }
  }
}

/* ---- arithmetic and conversions -------------------------------------------------------------------------- */

/* By leaf of the result. */
static const struct {
  LLVMOpcode opcode;
  const char *texts[2];
} operations[] = {
  { LLVMAdd, { "(%0 + %2)", "(%1 + %3 + (u64)(%0 + %2 < %0))" } },
  { LLVMSub, { "(%0 - %2)", "(%1 - %3 - (u64)(%0 < %2))" } },
  { LLVMMul, { "(%0 * %2)", "(__umul64hi(%0, %2) + %0 * %3 + %1 * %2)" } },
  { LLVMAnd, { "(%0 & %2)", "(%1 & %3)" } },
  { LLVMOr, { "(%0 | %2)", "(%1 | %3)" } },
  { LLVMXor, { "(%0 ^ %2)", "(%1 ^ %3)" } },
  { LLVMShl, { "vptr_wide_left_low(%0, %2)", "vptr_wide_left_high(%0, %1, %2)" } },
  { LLVMLShr, { "vptr_wide_right_low(%0, %1, 0ull, %2)", "vptr_wide_right_high(%1, 0ull, %2)" } },
  { LLVMAShr,
    { "vptr_wide_right_low(%0, %1, vptr_wide_sign(%1), %2)", "vptr_wide_right_high(%1, vptr_wide_sign(%1), %2)" } },
  { LLVMUDiv, { "vptr_wide_divide(%0, %1, %2, %3).quotient_low", "vptr_wide_divide(%0, %1, %2, %3).quotient_high" } },
  { LLVMURem, { "vptr_wide_divide(%0, %1, %2, %3).rest_low", "vptr_wide_divide(%0, %1, %2, %3).rest_high" } },
  { LLVMSDiv,
    { "vptr_wide_divide_signed(%0, %1, %2, %3).quotient_low",
      "vptr_wide_divide_signed(%0, %1, %2, %3).quotient_high" } },
  { LLVMSRem,
    { "vptr_wide_divide_signed(%0, %1, %2, %3).rest_low", "vptr_wide_divide_signed(%0, %1, %2, %3).rest_high" } },
  { LLVMZExt, { "((u64)%0)", "0ull" } },
  { LLVMSExt, { "((u64)(long long)%s0)", "((u64)((long long)%s0 >> 63))" } },
  { LLVMFPToUI, { "vptr_wide_low_of((double)%0)", "vptr_wide_high_of((double)%0)" } },
  { LLVMFPToSI, { "vptr_wide_signed_low_of((double)%0)", "vptr_wide_signed_high_of((double)%0)" } },
  { LLVMUIToFP, { "((%T)vptr_wide_to_%T(%0, %1))", NULL } },
  { LLVMSIToFP, { "((%T)vptr_wide_signed_to_%T(%0, %1))", NULL } },
};

static const char *const comparisons[] = {
  [LLVMIntEQ - LLVMIntEQ] = "(u32)(%0 == %2 && %1 == %3)",
  [LLVMIntNE - LLVMIntEQ] = "(u32)(%0 != %2 || %1 != %3)",
  [LLVMIntUGT - LLVMIntEQ] = "vptr_wide_less(%2, %3, %0, %1)",
  [LLVMIntUGE - LLVMIntEQ] = "(u32)(vptr_wide_less(%0, %1, %2, %3) == 0u)",
  [LLVMIntULT - LLVMIntEQ] = "vptr_wide_less(%0, %1, %2, %3)",
  [LLVMIntULE - LLVMIntEQ] = "(u32)(vptr_wide_less(%2, %3, %0, %1) == 0u)",
  [LLVMIntSGT - LLVMIntEQ] = "vptr_wide_less_signed(%2, %3, %0, %1)",
  [LLVMIntSGE - LLVMIntEQ] = "(u32)(vptr_wide_less_signed(%0, %1, %2, %3) == 0u)",
  [LLVMIntSLT - LLVMIntEQ] = "vptr_wide_less_signed(%0, %1, %2, %3)",
  [LLVMIntSLE - LLVMIntEQ] = "(u32)(vptr_wide_less_signed(%2, %3, %0, %1) == 0u)",
};

/* ---- bits ------------------------------------------------------------------------------------------------ */

static LLVMTypeRef bits_of(kc_writer *writer, LLVMTypeRef leaf) {
  unsigned width = (unsigned)kc_size(writer, leaf) * 8;
  if (kc_is_pointer(leaf) || (kc_is_integer(leaf) && kc_width(leaf) != width) || width > HALF)
    kc_refuse(writer, "128 bits are seen as a vector of a type that kernels cannot have: take them as two of 64");
  return LLVMIntTypeInContext(writer->context, width);
}

static void print_part(kc_writer *writer, LLVMValueRef wide, LLVMTypeRef part, unsigned leaf) {
  LLVMTypeRef bits = bits_of(writer, part);
  unsigned at = leaf * kc_width(bits);
  kc_cast_bits_begin(writer, bits, part);
  kc_print(writer, "(%s)(", kc_type_name(writer, bits));
  kc_value(writer, wide, at / HALF);
  kc_print(writer, " >> %u)", at % HALF);
  kc_cast_bits_end(writer, bits, part);
}

static void print_joined(kc_writer *writer, LLVMValueRef vector, unsigned half) {
  LLVMTypeRef type = LLVMTypeOf(vector), part = kc_leaf_type(writer, type, 0), bits = bits_of(writer, part);
  unsigned count = HALF / kc_width(bits);
  kc_print(writer, "(");
  for (unsigned i = 0; i < count; i++) {
    kc_print(writer, i > 0 ? " | (u64)" : "(u64)");
    kc_cast_bits_begin(writer, part, bits);
    kc_value(writer, vector, half * count + i);
    kc_cast_bits_end(writer, part, bits);
    kc_print(writer, " << %u", i * kc_width(bits));
  }
  kc_print(writer, ")");
}

static void print_bits(kc_writer *writer, LLVMValueRef value, unsigned leaf) {
  LLVMValueRef operand = LLVMGetOperand(value, 0);
  if (kc_is_wide(LLVMTypeOf(value)))
    print_joined(writer, operand, leaf);
  else
    print_part(writer, operand, kc_leaf_type(writer, LLVMTypeOf(value), leaf), leaf);
}

/* ---- instructions ---------------------------------------------------------------------------------------- */

bool kc_wide_expression(kc_writer *writer, LLVMValueRef value, LLVMOpcode opcode, unsigned leaf) {
  LLVMValueRef operand = LLVMGetNumOperands(value) > 0 ? LLVMGetOperand(value, 0) : NULL;
  if (operand == NULL || (!kc_is_wide(LLVMTypeOf(value)) && !kc_is_wide(LLVMTypeOf(operand))))
    return false;
  if (opcode == LLVMICmp || opcode == LLVMBitCast) {
    if (opcode == LLVMICmp)
      kc_wide_text(writer, comparisons[LLVMGetICmpPredicate(value) - LLVMIntEQ], value);
    else
      print_bits(writer, value, leaf);
    return true;
  }
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (operations[i].opcode == opcode) {
      kc_wide_text(writer, operations[i].texts[leaf], value);
      return true;
    }
  return false;
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

/* By leaf of the result; the third is whether it overflowed. */
static const struct {
  const char *name, *texts[3];
} calls[] = {
  { "llvm.umin.", { "(vptr_wide_less(%0, %1, %2, %3) ? %0 : %2)", "(%1 < %3 ? %1 : %3)" } },
  { "llvm.umax.", { "(vptr_wide_less(%0, %1, %2, %3) ? %2 : %0)", "(%1 < %3 ? %3 : %1)" } },
  { "llvm.smin.",
    { "(vptr_wide_less_signed(%0, %1, %2, %3) ? %0 : %2)", "((long long)%1 < (long long)%3 ? %1 : %3)" } },
  { "llvm.smax.",
    { "(vptr_wide_less_signed(%0, %1, %2, %3) ? %2 : %0)", "((long long)%1 < (long long)%3 ? %3 : %1)" } },
  { "llvm.abs.", { "(%1 >> 63 ? 0ull - %0 : %0)", "(%1 >> 63 ? ~%1 + (u64)(%0 == 0ull) : %1)" } },
  { "llvm.ctpop.", { "((u64)__popcll(%0) + (u64)__popcll(%1))", "0ull" } },
  { "llvm.ctlz.", { "((u64)__clzll((long long)(%1 ? %1 : %0)) + (%1 ? 0ull : 64ull))", "0ull" } },
  { "llvm.cttz.", { "(%0 ? vptr_ctz64(%0) : 64ull + vptr_ctz64(%1))", "0ull" } },
  { "llvm.bswap.", { "vptr_bswap64(%1)", "vptr_bswap64(%0)" } },
  { "llvm.bitreverse.", { "__brevll(%1)", "__brevll(%0)" } },
  { "llvm.fshl.",
    { "(%4 & 127u ? vptr_wide_left_low(%0, %4) | vptr_wide_right_low(%2, %3, 0ull, 0u - %4) : %0)",
      "(%4 & 127u ? vptr_wide_left_high(%0, %1, %4) | vptr_wide_right_high(%3, 0ull, 0u - %4) : %1)" } },
  { "llvm.fshr.",
    { "(%4 & 127u ? vptr_wide_left_low(%0, 0u - %4) | vptr_wide_right_low(%2, %3, 0ull, %4) : %2)",
      "(%4 & 127u ? vptr_wide_left_high(%0, %1, 0u - %4) | vptr_wide_right_high(%3, 0ull, %4) : %3)" } },
  { "llvm.usub.sat.",
    { "(vptr_wide_less(%0, %1, %2, %3) ? 0ull : %0 - %2)",
      "(vptr_wide_less(%0, %1, %2, %3) ? 0ull : %1 - %3 - (u64)(%0 < %2))" } },
  { "llvm.uadd.sat.",
    { "(vptr_wide_add_overflows(%0, %1, %2, %3) ? ~0ull : %0 + %2)",
      "(vptr_wide_add_overflows(%0, %1, %2, %3) ? ~0ull : %1 + %3 + (u64)(%0 + %2 < %0))" } },
  { "llvm.uadd.with.overflow.",
    { "(%0 + %2)", "(%1 + %3 + (u64)(%0 + %2 < %0))", "vptr_wide_add_overflows(%0, %1, %2, %3)" } },
  { "llvm.usub.with.overflow.", { "(%0 - %2)", "(%1 - %3 - (u64)(%0 < %2))", "vptr_wide_less(%0, %1, %2, %3)" } },
  { "llvm.sadd.with.overflow.",
    { "(%0 + %2)", "(%1 + %3 + (u64)(%0 + %2 < %0))",
      "(u32)((~(%1 ^ %3) & (%1 ^ (%1 + %3 + (u64)(%0 + %2 < %0)))) >> 63)" } },
  { "llvm.ssub.with.overflow.",
    { "(%0 - %2)", "(%1 - %3 - (u64)(%0 < %2))", "(u32)(((%1 ^ %3) & (%1 ^ (%1 - %3 - (u64)(%0 < %2)))) >> 63)" } },
  { "llvm.umul.with.overflow.",
    { "(%0 * %2)", "(__umul64hi(%0, %2) + %0 * %3 + %1 * %2)", "vptr_wide_mul_overflows(%0, %1, %2, %3)" } },
  { "llvm.smul.with.overflow.",
    { "(%0 * %2)", "(__umul64hi(%0, %2) + %0 * %3 + %1 * %2)", "vptr_wide_mul_overflows_signed(%0, %1, %2, %3)" } },
  { "llvm.ucmp.", { "(%T)((int)vptr_wide_less(%2, %3, %0, %1) - (int)vptr_wide_less(%0, %1, %2, %3))" } },
  { "llvm.scmp.",
    { "(%T)((int)vptr_wide_less_signed(%2, %3, %0, %1) - (int)vptr_wide_less_signed(%0, %1, %2, %3))" } },
  { "llvm.expect.", { "%0", "%1" } },
};

static bool has_wide(kc_writer *writer, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  bool has = kc_is_wide(type);
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      has |= kc_is_wide(LLVMStructGetTypeAtIndex(type, i));
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    has |= kc_is_wide(LLVMTypeOf(LLVMGetOperand(call, i)));
  (void)writer;
  return has;
}

bool kc_wide_call(kc_writer *writer, LLVMValueRef call) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  if (!has_wide(writer, call))
    return false;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (!kc_starts(name, calls[i].name))
      continue;
    unsigned count = kc_leaf_count(writer, LLVMTypeOf(call));
    for (unsigned leaf = 0; leaf < count; leaf++) {
      kc_print(writer, count == 1 ? "%s = " : "%s_%u = ", kc_name_of(call), leaf);
      kc_wide_text(writer, calls[i].texts[leaf], call);
      kc_print(writer, "; ");
    }
    return true;
  }
  kc_refuse(writer, "%s takes integers of 128 bits, which kernels can only compute with: give it two of 64",
            *name != 0 ? name : "inline assembler");
}
