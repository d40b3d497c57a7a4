/* SPDX-License-Identifier: MIT */
/* statement - see statement.h. */
#include "statement.h"

#include "atomic.h"
#include "call.h"
#include "expression.h"
#include "line.h"
#include "memory.h"
#include "name.h"
#include "type.h"
#include "value.h"

static void assign_leaves(kc_writer *writer, LLVMValueRef instruction) {
  unsigned count = kc_leaf_count(writer, LLVMTypeOf(instruction));
  for (unsigned i = 0; i < count; i++) {
    kc_print(writer, count == 1 ? "%s = " : "%s_%u = ", kc_name_of(instruction), i);
    kc_expression(writer, instruction, i);
    kc_print(writer, "; ");
  }
}

static void write_instruction(kc_writer *writer, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMPHI:
  case LLVMAlloca:
    return;
  case LLVMLoad:
    kc_load(writer, instruction);
    return;
  case LLVMStore:
    kc_store(writer, instruction);
    return;
  case LLVMCall:
    kc_call(writer, instruction);
    return;
  case LLVMAtomicRMW:
    kc_atomic_operation(writer, instruction);
    return;
  case LLVMAtomicCmpXchg:
    kc_atomic_exchange(writer, instruction);
    return;
  case LLVMFence:
    kc_atomic_fence(writer, instruction);
    return;
  default:
    if (LLVMIsATerminatorInst(instruction) == NULL && kc_name_kind(instruction) != KC_INLINE)
      assign_leaves(writer, instruction);
  }
}

void kc_statements(kc_writer *writer, LLVMBasicBlockRef block) {
  kc_place last = { .file = NULL };
  for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each)) {
    writer->instruction = each;
    if (LLVMIsATerminatorInst(each) == NULL && LLVMIsAPHINode(each) == NULL && kc_name_kind(each) != KC_INLINE)
      kc_line_of(writer, each, &last);
    write_instruction(writer, each);
  }
  kc_print(writer, "\n");
}
