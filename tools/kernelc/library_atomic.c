/* SPDX-License-Identifier: MIT */
/*
 * library_atomic - see library_atomic.h.
 *
 * clang 16 takes no device to have 16 bytes at once, and calls a library that is on no device; clang 19 writes LLVM's
 * instruction. Here the former becomes the latter, which locked.h writes. The functions are GCC's libatomic's: all
 * values are passed by their places, and the size comes first. A call of another size, which clang makes of memory
 * that is not aligned, stays, and is refused by its name.
 */
#include "library_atomic.h"

#include "wide.h"

enum { BYTES = 16 };

/* An instruction that only reads cannot release, one that only writes cannot acquire. */
typedef enum { READS, WRITES, READS_AND_WRITES } access_kind;

static LLVMAtomicOrdering ordering_of(LLVMValueRef order, access_kind access) {
  static const LLVMAtomicOrdering orderings[][3] = {
    { LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic },
    { LLVMAtomicOrderingAcquire, LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingAcquire },
    { LLVMAtomicOrderingAcquire, LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingAcquire },
    { LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingRelease, LLVMAtomicOrderingRelease },
    { LLVMAtomicOrderingAcquire, LLVMAtomicOrderingRelease, LLVMAtomicOrderingAcquireRelease },
  };
  unsigned long long number = LLVMIsAConstantInt(order) != NULL ? LLVMConstIntGetZExtValue(order) : ~0ull;
  return number < sizeof orderings / sizeof *orderings ? orderings[number][access]
                                                       : LLVMAtomicOrderingSequentiallyConsistent;
}

/* Of a value's place nothing is known but its size. */
static LLVMValueRef load(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef place) {
  LLVMValueRef value = LLVMBuildLoad2(builder, type, place, "");
  LLVMSetAlignment(value, 1);
  return value;
}

static void store(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef place) {
  LLVMSetAlignment(LLVMBuildStore(builder, value, place), 1);
}

/* __atomic_load(size, memory, result, order) */
static void replace_load(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef call) {
  LLVMValueRef value = LLVMBuildLoad2(builder, type, LLVMGetOperand(call, 1), "");
  LLVMSetAlignment(value, BYTES);
  LLVMSetOrdering(value, ordering_of(LLVMGetOperand(call, 3), READS));
  store(builder, value, LLVMGetOperand(call, 2));
}

/* __atomic_store(size, memory, value, order) */
static void replace_store(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef call) {
  LLVMValueRef made = LLVMBuildStore(builder, load(builder, type, LLVMGetOperand(call, 2)), LLVMGetOperand(call, 1));
  LLVMSetAlignment(made, BYTES);
  LLVMSetOrdering(made, ordering_of(LLVMGetOperand(call, 3), WRITES));
}

/* __atomic_exchange(size, memory, value, result, order) */
static void replace_exchange(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef call) {
  LLVMValueRef value = load(builder, type, LLVMGetOperand(call, 2));
  LLVMAtomicOrdering ordering = ordering_of(LLVMGetOperand(call, 4), READS_AND_WRITES);
  store(builder, LLVMBuildAtomicRMW(builder, LLVMAtomicRMWBinOpXchg, LLVMGetOperand(call, 1), value, ordering, false),
        LLVMGetOperand(call, 3));
}

/* __atomic_compare_exchange(size, memory, expected, desired, success, failure). The value that was there goes to
 * `expected`, which it is equal to where the exchange was made. */
static void replace_comparison(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef call) {
  LLVMValueRef expected = load(builder, type, LLVMGetOperand(call, 2));
  LLVMValueRef desired = load(builder, type, LLVMGetOperand(call, 3));
  LLVMValueRef seen = LLVMBuildAtomicCmpXchg(builder, LLVMGetOperand(call, 1), expected, desired,
                                             ordering_of(LLVMGetOperand(call, 4), READS_AND_WRITES),
                                             ordering_of(LLVMGetOperand(call, 5), READS), false);
  store(builder, LLVMBuildExtractValue(builder, seen, 0, ""), LLVMGetOperand(call, 2));
  LLVMReplaceAllUsesWith(
      call, LLVMBuildZExtOrBitCast(builder, LLVMBuildExtractValue(builder, seen, 1, ""), LLVMTypeOf(call), ""));
}

/* __atomic_fetch_add_16(memory, value, order) */
static void replace_fetch(LLVMBuilderRef builder, LLVMAtomicRMWBinOp operation, LLVMValueRef call) {
  LLVMAtomicOrdering ordering = ordering_of(LLVMGetOperand(call, 2), READS_AND_WRITES);
  LLVMReplaceAllUsesWith(call, LLVMBuildAtomicRMW(builder, operation, LLVMGetOperand(call, 0),
                                                  LLVMGetOperand(call, 1), ordering, false));
}

/* The operands that a call has, its function among them; and what it becomes. */
static const struct {
  const char *name;
  unsigned operands;
  void (*replace)(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef call);
  LLVMAtomicRMWBinOp operation; /* without a function */
} functions[] = {
  { "__atomic_load", 5, replace_load, 0 },
  { "__atomic_store", 5, replace_store, 0 },
  { "__atomic_exchange", 6, replace_exchange, 0 },
  { "__atomic_compare_exchange", 7, replace_comparison, 0 },
  { "__atomic_fetch_add_16", 4, NULL, LLVMAtomicRMWBinOpAdd },
  { "__atomic_fetch_sub_16", 4, NULL, LLVMAtomicRMWBinOpSub },
  { "__atomic_fetch_and_16", 4, NULL, LLVMAtomicRMWBinOpAnd },
  { "__atomic_fetch_nand_16", 4, NULL, LLVMAtomicRMWBinOpNand },
  { "__atomic_fetch_or_16", 4, NULL, LLVMAtomicRMWBinOpOr },
  { "__atomic_fetch_xor_16", 4, NULL, LLVMAtomicRMWBinOpXor },
  { "__atomic_fetch_min_16", 4, NULL, LLVMAtomicRMWBinOpMin },
  { "__atomic_fetch_max_16", 4, NULL, LLVMAtomicRMWBinOpMax },
  { "__atomic_fetch_umin_16", 4, NULL, LLVMAtomicRMWBinOpUMin },
  { "__atomic_fetch_umax_16", 4, NULL, LLVMAtomicRMWBinOpUMax },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool is_call(LLVMValueRef user, LLVMValueRef function, size_t which) {
  if (LLVMIsACallInst(user) == NULL || LLVMGetCalledValue(user) != function ||
      (unsigned)LLVMGetNumOperands(user) != functions[which].operands)
    return false;
  if (functions[which].replace == NULL)
    return kc_is_wide(LLVMTypeOf(user)) && kc_is_wide(LLVMTypeOf(LLVMGetOperand(user, 1)));
  LLVMValueRef size = LLVMIsAConstantInt(LLVMGetOperand(user, 0));
  return size != NULL && LLVMConstIntGetZExtValue(size) == BYTES;
}

static void replace_calls(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef function, size_t which) {
  LLVMUseRef use = LLVMGetFirstUse(function);
  while (use != NULL) {
    LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (!is_call(user, function, which))
      continue;
    LLVMPositionBuilderBefore(builder, user);
    if (functions[which].replace == NULL)
      replace_fetch(builder, functions[which].operation, user);
    else
      functions[which].replace(builder, LLVMIntTypeInContext(writer->context, 8 * BYTES), user);
    LLVMInstructionEraseFromParent(user);
  }
}

void kc_library_atomic_replace(kc_writer *writer) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writer->context);
  for (size_t i = 0; i < FUNCTIONS; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(writer->module, functions[i].name);
    if (function != NULL)
      replace_calls(writer, builder, function, i);
  }
  LLVMDisposeBuilder(builder);
}
