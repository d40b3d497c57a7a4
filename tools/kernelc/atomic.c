/* SPDX-License-Identifier: MIT */
/*
 * atomic - see atomic.h.
 *
 * CUDA's functions are relaxed. What orders other accesses gets fences around it. 8 and 16 bits, and operations that
 * CUDA has no function for, are loops over atomicCAS() in the prelude.
 */
#include "atomic.h"

#include <string.h>

#include "cast.h"
#include "locked.h"
#include "memory.h"
#include "name.h"
#include "type.h"
#include "value.h"

static void refuse_private(kc_writer *writer, LLVMValueRef pointer) {
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == KC_PRIVATE)
    kc_refuse(writer, "an atomic operation on a variable of the thread: no other thread sees it, use a plain one");
}

static void fence_if(kc_writer *writer, LLVMAtomicOrdering ordering) {
  if (ordering > LLVMAtomicOrderingMonotonic)
    kc_print(writer, "__threadfence(); ");
}

/* ---- which function -------------------------------------------------------------------------------------- */

enum { SIGNED = 1, FLOATING = 2, WORD = 4 /* CUDA's function takes 32 bits alone */ };

/* Those that the interface for C has no name for before LLVM 19, as all number them. */
enum { INCREMENT_AND_WRAP = 15, DECREMENT_AND_WRAP = 16 };

/* NULL: the prelude's. */
static const struct {
  int operation;
  const char *cuda, *prelude;
  int flags;
} functions[] = {
  { LLVMAtomicRMWBinOpXchg, "atomicExch", "exchange", 0 },
  { LLVMAtomicRMWBinOpAdd, "atomicAdd", "add", 0 },
  { LLVMAtomicRMWBinOpSub, NULL, "sub", 0 },
  { LLVMAtomicRMWBinOpAnd, "atomicAnd", "and", 0 },
  { LLVMAtomicRMWBinOpNand, NULL, "nand", 0 },
  { LLVMAtomicRMWBinOpOr, "atomicOr", "or", 0 },
  { LLVMAtomicRMWBinOpXor, "atomicXor", "xor", 0 },
  { LLVMAtomicRMWBinOpMax, "atomicMax", "max", SIGNED },
  { LLVMAtomicRMWBinOpMin, "atomicMin", "min", SIGNED },
  { LLVMAtomicRMWBinOpUMax, "atomicMax", "umax", 0 },
  { LLVMAtomicRMWBinOpUMin, "atomicMin", "umin", 0 },
  { LLVMAtomicRMWBinOpFAdd, "atomicAdd", "fadd", FLOATING },
  { LLVMAtomicRMWBinOpFSub, NULL, "fsub", FLOATING },
  { LLVMAtomicRMWBinOpFMax, NULL, "fmax", FLOATING },
  { LLVMAtomicRMWBinOpFMin, NULL, "fmin", FLOATING },
  { INCREMENT_AND_WRAP, "atomicInc", "inc", WORD },
  { DECREMENT_AND_WRAP, "atomicDec", "dec", WORD },
};

static void print_call(kc_writer *writer, const char *function, const char *type, LLVMValueRef pointer,
                       LLVMValueRef value, bool is_signed) {
  kc_print(writer, "%s((%s *)", function, type);
  kc_byte_at(writer, pointer, 0);
  kc_print(writer, ", ");
  (is_signed ? kc_signed_value : kc_value)(writer, value, 0);
  kc_print(writer, ")");
}

static void operate_on_integer(kc_writer *writer, LLVMValueRef operation, size_t which) {
  LLVMValueRef pointer = LLVMGetOperand(operation, 0), value = LLVMGetOperand(operation, 1);
  LLVMTypeRef type = LLVMTypeOf(operation);
  unsigned width = kc_width(type);
  bool is_signed = (functions[which].flags & SIGNED) != 0;
  if (width != 8 && width != 16 && width != 32 && width != 64)
    kc_refuse(writer, "an atomic operation on %u bits: kernels can 8, 16, 32, 64 and 128", width);
  bool is_cuda = functions[which].cuda != NULL && (width == 32 || (width == 64 && !(functions[which].flags & WORD)));
  if (is_cuda) {
    kc_print(writer, "(%s)", kc_type_name(writer, type));
    print_call(writer, functions[which].cuda, is_signed ? kc_signed_name(writer, type) : kc_type_name(writer, type),
               pointer, value, is_signed);
    return;
  }
  char function[40];
  snprintf(function, sizeof function, "vptr_atomic_%s%u", functions[which].prelude, width);
  print_call(writer, function, "char", pointer, value, false);
}

static void operate_on_floating(kc_writer *writer, LLVMValueRef operation, size_t which) {
  LLVMValueRef pointer = LLVMGetOperand(operation, 0), value = LLVMGetOperand(operation, 1);
  const char *type = kc_type_name(writer, LLVMTypeOf(operation));
  bool is_float = LLVMGetTypeKind(LLVMTypeOf(operation)) == LLVMFloatTypeKind;
  bool is_exchange = functions[which].operation == LLVMAtomicRMWBinOpXchg;
  if (functions[which].operation == LLVMAtomicRMWBinOpFAdd || (is_exchange && is_float)) {
    print_call(writer, functions[which].cuda, type, pointer, value, false);
    return;
  }
  char function[40];
  snprintf(function, sizeof function, "vptr_atomic_%s_%s", functions[which].prelude, type);
  print_call(writer, function, "char", pointer, value, false);
}

/* A pointer is exchanged by its bits. */
static void exchange_pointer(kc_writer *writer, LLVMValueRef operation) {
  kc_print(writer, "__vptr_pointer(atomicExch((u64 *)");
  kc_byte_at(writer, LLVMGetOperand(operation, 0), 0);
  kc_print(writer, ", ");
  kc_cast_pointer_bits(writer, LLVMGetOperand(operation, 1), 0);
  kc_print(writer, "))");
}

static void print_operation(kc_writer *writer, LLVMValueRef operation) {
  int which = (int)LLVMGetAtomicRMWBinOp(operation);
  LLVMTypeRef type = LLVMTypeOf(operation);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (functions[i].operation != which)
      continue;
    if (kc_is_pointer(type))
      exchange_pointer(writer, operation);
    else
      (kc_is_integer(type) ? operate_on_integer : operate_on_floating)(writer, operation, i);
    return;
  }
  kc_refuse(writer, "an atomic operation (%d of LLVM's) that kernels do not have", which);
}

void kc_atomic_operation(kc_writer *writer, LLVMValueRef operation) {
  LLVMAtomicOrdering ordering = LLVMGetOrdering(operation);
  refuse_private(writer, LLVMGetOperand(operation, 0));
  fence_if(writer, ordering);
  if (!kc_locked_operation(writer, operation)) {
    kc_print(writer, "%s = ", kc_name_of(operation));
    print_operation(writer, operation);
    kc_print(writer, "; ");
  }
  fence_if(writer, ordering);
}

/* ---- compare and exchange -------------------------------------------------------------------------------- */

static void print_comparand(kc_writer *writer, LLVMValueRef value) {
  if (kc_is_pointer(LLVMTypeOf(value)))
    kc_cast_pointer_bits(writer, value, 0);
  else
    kc_value(writer, value, 0);
}

/* The struct has the value before, and whether it was exchanged. */
static void print_exchange(kc_writer *writer, LLVMValueRef exchange) {
  LLVMValueRef expected = LLVMGetOperand(exchange, 1);
  LLVMTypeRef type = LLVMTypeOf(expected);
  bool is_pointer = kc_is_pointer(type);
  unsigned width = is_pointer ? 64 : kc_width(type);
  const char *name = kc_name_of(exchange);
  if (width != 8 && width != 16 && width != 32 && width != 64)
    kc_refuse(writer, "an atomic operation on %u bits: kernels can 8, 16, 32, 64 and 128", width);
  kc_print(writer, "{ u%u before = %s", width,
           width >= 32   ? "atomicCAS"
           : width == 16 ? "vptr_atomic_cas16"
                         : "vptr_atomic_cas8");
  if (width >= 32)
    kc_print(writer, "((u%u *)", width);
  else
    kc_print(writer, "(");
  kc_byte_at(writer, LLVMGetOperand(exchange, 0), 0);
  kc_print(writer, ", ");
  print_comparand(writer, expected);
  kc_print(writer, ", ");
  print_comparand(writer, LLVMGetOperand(exchange, 2));
  kc_print(writer, "); %s_1 = (u32)(before == ", name);
  print_comparand(writer, expected);
  kc_print(writer, is_pointer ? "); %s_0 = __vptr_pointer(before); } " : "); %s_0 = before; } ", name);
}

void kc_atomic_exchange(kc_writer *writer, LLVMValueRef exchange) {
  refuse_private(writer, LLVMGetOperand(exchange, 0));
  fence_if(writer, LLVMGetCmpXchgSuccessOrdering(exchange));
  if (!kc_locked_exchange(writer, exchange))
    print_exchange(writer, exchange);
  fence_if(writer, LLVMGetCmpXchgSuccessOrdering(exchange));
}

void kc_atomic_fence(kc_writer *writer, LLVMValueRef fence) {
  (void)fence;
  kc_print(writer, "__threadfence(); ");
}

/* ---- PTX's ----------------------------------------------------------------------------------------------- */

/* llvm.nvvm.atomic.add.gen.f.cta, llvm.nvvm.atomic.load.inc.32. */
bool kc_atomic_intrinsic(kc_writer *writer, LLVMValueRef call, const char *name) {
  static const char *const words[][2] = {
    { "add.gen.f", "atomicAdd" }, { "add.gen.i", "atomicAdd" },   { "exch.gen.i", "atomicExch" },
    { "max.gen.i", "atomicMax" }, { "min.gen.i", "atomicMin" },   { "and.gen.i", "atomicAnd" },
    { "or.gen.i", "atomicOr" },   { "xor.gen.i", "atomicXor" },   { "inc.gen.i", "atomicInc" },
    { "dec.gen.i", "atomicDec" }, { "load.inc.32", "atomicInc" }, { "load.dec.32", "atomicDec" },
  };
  if (!kc_starts(name, "llvm.nvvm.atomic."))
    return false;
  name += strlen("llvm.nvvm.atomic.");
  refuse_private(writer, LLVMGetOperand(call, 0));
  const char *type = kc_type_name(writer, LLVMTypeOf(call));
  if (kc_starts(name, "cas.gen.i")) {
    kc_print(writer, "atomicCAS((%s *)", type);
    kc_byte_at(writer, LLVMGetOperand(call, 0), 0);
    kc_print(writer, ", ");
    kc_value(writer, LLVMGetOperand(call, 1), 0);
    kc_print(writer, ", ");
    kc_value(writer, LLVMGetOperand(call, 2), 0);
    kc_print(writer, ")");
    return true;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (kc_starts(name, words[i][0])) {
      bool is_signed = strstr(words[i][1], "Max") != NULL || strstr(words[i][1], "Min") != NULL;
      if (is_signed)
        kc_print(writer, "(%s)", type);
      print_call(writer, words[i][1], is_signed ? kc_signed_name(writer, LLVMTypeOf(call)) : type,
                 LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), is_signed);
      return true;
    }
  return false;
}
