/* SPDX-License-Identifier: MIT */
/* locked - see locked.h. */
#include "locked.h"

#include "name.h"
#include "type.h"
#include "wide.h"

/* What takes a lock does so for the place, and there is no form that finds it first. */
static void refuse_to_find(kc_writer *writer) {
  if (writer->finds_buffers)
    kc_refuse(writer,
              "an atomic operation on 128 bits has no form for --finds-buffers: use 64 bits, or leave it out");
}

static bool is_atomic(LLVMValueRef access, LLVMValueRef pointer, LLVMTypeRef type) {
  return kc_is_wide(type) && LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic &&
         LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != KC_PRIVATE;
}

static void print_seen(kc_writer *writer, LLVMValueRef value) {
  const char *name = kc_name_of(value);
  kc_print(writer, "%s_0 = vptr_seen.x; %s_1 = vptr_seen.y; ", name, name);
}

bool kc_locked_load(kc_writer *writer, LLVMValueRef load) {
  if (!is_atomic(load, LLVMGetOperand(load, 0), LLVMTypeOf(load)))
    return false;
  refuse_to_find(writer);
  kc_wide_text(writer,
               "{ ulonglong2 vptr_none = make_ulonglong2(0ull, 0ull), "
               "vptr_seen = atomicCAS((ulonglong2 *)%0, vptr_none, vptr_none); ",
               load);
  print_seen(writer, load);
  kc_print(writer, "} ");
  return true;
}

bool kc_locked_store(kc_writer *writer, LLVMValueRef store) {
  if (!is_atomic(store, LLVMGetOperand(store, 1), LLVMTypeOf(LLVMGetOperand(store, 0))))
    return false;
  refuse_to_find(writer);
  kc_wide_text(writer, "atomicExch((ulonglong2 *)%2, make_ulonglong2(%0, %1)); ", store);
  return true;
}

/* Of vptr_old and the value, by halves. */
static const struct {
  LLVMAtomicRMWBinOp operation;
  const char *text;
} operations[] = {
  { LLVMAtomicRMWBinOpAdd, "vptr_old.x + %2, vptr_old.y + %3 + (u64)(vptr_old.x + %2 < %2)" },
  { LLVMAtomicRMWBinOpSub, "vptr_old.x - %2, vptr_old.y - %3 - (u64)(vptr_old.x < %2)" },
  { LLVMAtomicRMWBinOpAnd, "vptr_old.x & %2, vptr_old.y & %3" },
  { LLVMAtomicRMWBinOpNand, "~(vptr_old.x & %2), ~(vptr_old.y & %3)" },
  { LLVMAtomicRMWBinOpOr, "vptr_old.x | %2, vptr_old.y | %3" },
  { LLVMAtomicRMWBinOpXor, "vptr_old.x ^ %2, vptr_old.y ^ %3" },
  { LLVMAtomicRMWBinOpUMin,
    "vptr_wide_less(%2, %3, vptr_old.x, vptr_old.y) ? %2 : vptr_old.x, %3 < vptr_old.y ? %3 : vptr_old.y" },
  { LLVMAtomicRMWBinOpUMax,
    "vptr_wide_less(vptr_old.x, vptr_old.y, %2, %3) ? %2 : vptr_old.x, vptr_old.y < %3 ? %3 : vptr_old.y" },
  { LLVMAtomicRMWBinOpMin, "vptr_wide_less_signed(%2, %3, vptr_old.x, vptr_old.y) ? %2 : vptr_old.x, "
                           "(long long)%3 < (long long)vptr_old.y ? %3 : vptr_old.y" },
  { LLVMAtomicRMWBinOpMax, "vptr_wide_less_signed(vptr_old.x, vptr_old.y, %2, %3) ? %2 : vptr_old.x, "
                           "(long long)vptr_old.y < (long long)%3 ? %3 : vptr_old.y" },
};

static void print_loop(kc_writer *writer, LLVMValueRef operation, const char *text) {
  kc_wide_text(writer,
               "ulonglong2 vptr_old = make_ulonglong2(0ull, 0ull), "
               "vptr_seen = atomicCAS((ulonglong2 *)%0, vptr_old, vptr_old); "
               "do { vptr_old = vptr_seen; vptr_seen = atomicCAS((ulonglong2 *)%0, vptr_old, make_ulonglong2(",
               operation);
  kc_wide_text(writer, text, operation);
  kc_print(writer, ")); } while (vptr_seen.x != vptr_old.x || vptr_seen.y != vptr_old.y); ");
}

bool kc_locked_operation(kc_writer *writer, LLVMValueRef operation) {
  LLVMAtomicRMWBinOp which = LLVMGetAtomicRMWBinOp(operation);
  size_t count = sizeof operations / sizeof *operations, row = 0;
  if (!kc_is_wide(LLVMTypeOf(operation)))
    return false;
  refuse_to_find(writer);
  while (row < count && operations[row].operation != which)
    row++;
  if (row == count && which != LLVMAtomicRMWBinOpXchg)
    kc_refuse(writer, "an atomic operation (%d of LLVM's) that kernels do not have on 128 bits", (int)which);
  kc_print(writer, "{ ");
  if (row < count)
    print_loop(writer, operation, operations[row].text);
  else
    kc_wide_text(writer, "ulonglong2 vptr_seen = atomicExch((ulonglong2 *)%0, make_ulonglong2(%2, %3)); ", operation);
  print_seen(writer, operation);
  kc_print(writer, "} ");
  return true;
}

bool kc_locked_exchange(kc_writer *writer, LLVMValueRef exchange) {
  if (!kc_is_wide(LLVMTypeOf(LLVMGetOperand(exchange, 1))))
    return false;
  refuse_to_find(writer);
  kc_wide_text(
      writer,
      "{ ulonglong2 vptr_seen = atomicCAS((ulonglong2 *)%0, make_ulonglong2(%2, %3), make_ulonglong2(%4, %5)); ",
      exchange);
  kc_print(writer, "%s_2 = ", kc_name_of(exchange));
  kc_wide_text(writer, "(u32)(vptr_seen.x == %2 && vptr_seen.y == %3); ", exchange);
  print_seen(writer, exchange);
  kc_print(writer, "} ");
  return true;
}
