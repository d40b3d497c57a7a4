/* SPDX-License-Identifier: MIT */
/* statement - see statement.h. */
#include "statement.h"

#include "atomic.h"
#include "call.h"
#include "expression.h"
#include "memory.h"
#include "name.h"
#include "place.h"
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

/* The user's line, for the translator's messages. */
static void print_line(kc_writer *writer, LLVMValueRef instruction, unsigned *line) {
  kc_place place;
  if (!kc_place_of(instruction, &place) || place.line == *line)
    return;
  kc_print(writer, "\n#line %u ", place.line);
  kc_print_string(writer, place.file, (size_t)place.length);
  kc_print(writer, "\n");
  *line = place.line;
}

void kc_statements(kc_writer *writer, LLVMBasicBlockRef block) {
  unsigned line = 0;
  for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each)) {
    writer->instruction = each;
    if (LLVMIsATerminatorInst(each) == NULL && LLVMIsAPHINode(each) == NULL && kc_name_kind(each) != KC_INLINE)
      print_line(writer, each, &line);
    write_instruction(writer, each);
  }
  kc_print(writer, "\n");
}
