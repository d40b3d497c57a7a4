/* SPDX-License-Identifier: MIT */
/*
 * reduction - see reduction.h.
 *
 * LLVM makes them of operations on neighbours, though kernels are compiled without vectors, and its scalarizer leaves
 * them. Those of reals have a number to begin with, and go from the first to the last.
 */
#include "reduction.h"

#include "name.h"
#include "type.h"
#include "value.h"

/* Behind "name = ": %n is what there is, %v the next member, %N and %V the same as signed, %T the type, %U what it is
   computed in. */
static const struct {
  const char *name, *step;
} reductions[] = {
  { "add.", "(%T)(%n + %v)" },
  { "mul.", "(%T)((%U)%n * %v)" },
  { "and.", "%n & %v" },
  { "or.", "%n | %v" },
  { "xor.", "%n ^ %v" },
  { "smax.", "%N > %V ? %n : %v" },
  { "smin.", "%N < %V ? %n : %v" },
  { "umax.", "%n > %v ? %n : %v" },
  { "umin.", "%n < %v ? %n : %v" },
  { "fadd.", "%n + %v" },
  { "fmul.", "%n * %v" },
  { "fmaximum.", "%n != %n || %v != %v ? %n + %v : max(%n, %v)" },
  { "fminimum.", "%n != %n || %v != %v ? %n + %v : min(%n, %v)" },
  { "fmax.", "fmax(%n, %v)" },
  { "fmin.", "fmin(%n, %v)" },
};

static void print_step(kc_writer *writer, const char *step, LLVMValueRef call, LLVMValueRef vector, unsigned leaf) {
  LLVMTypeRef type = LLVMTypeOf(call);
  for (; *step != 0; step++) {
    if (*step != '%') {
      kc_print(writer, "%c", *step);
      continue;
    }
    switch (*++step) {
    case 'T':
      kc_print(writer, "%s", kc_type_name(writer, type));
      break;
    case 'U':
      kc_print(writer, kc_storage_bits(type) > 32 ? "u64" : "u32");
      break;
    case 'n':
      kc_print(writer, "%s", kc_name_of(call));
      break;
    case 'N':
      kc_signed_value(writer, call, 0);
      break;
    case 'V':
      kc_signed_value(writer, vector, leaf);
      break;
    default:
      kc_value(writer, vector, leaf);
    }
  }
}

static void write_steps(kc_writer *writer, LLVMValueRef call, const char *step) {
  LLVMTypeRef type = LLVMTypeOf(call);
  bool has_start = LLVMGetNumArgOperands(call) == 2;
  bool is_cut = kc_is_integer(type) && kc_width(type) != kc_storage_bits(type);
  LLVMValueRef vector = LLVMGetOperand(call, has_start ? 1 : 0);
  kc_print(writer, "%s = ", kc_name_of(call));
  kc_value(writer, has_start ? LLVMGetOperand(call, 0) : vector, 0);
  kc_print(writer, "; ");
  for (unsigned i = has_start ? 0 : 1; i < LLVMGetVectorSize(LLVMTypeOf(vector)); i++) {
    kc_print(writer, "%s = (", kc_name_of(call));
    print_step(writer, step, call, vector, i);
    kc_print(writer, ")");
    if (is_cut)
      kc_print(writer, " & 0x%llx%s", (1ull << kc_width(type)) - 1, kc_width(type) > 32 ? "ull" : "u");
    kc_print(writer, "; ");
  }
}

bool kc_reduction(kc_writer *writer, LLVMValueRef call, const char *name) {
  static const char all[] = "llvm.vector.reduce.";
  if (!kc_starts(name, all))
    return false;
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
    if (kc_starts(name + sizeof all - 1, reductions[i].name)) {
      write_steps(writer, call, reductions[i].step);
      return true;
    }
  return false;
}
