/* SPDX-License-Identifier: MIT */
/* wrap - see wrap.h. */
#include "wrap.h"

#include <llvm/Config/llvm-config.h>

#include "type.h"

void kc_wrap_begin(kc_writer *writer, LLVMValueRef function) {
  writer->has_freeze = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
      writer->has_freeze |= LLVMGetInstructionOpcode(each) == LLVMFreeze;
}

#if LLVM_VERSION_MAJOR >= 18
static bool is_sum(LLVMValueRef value) {
  LLVMOpcode opcode = LLVMIsAInstruction(value) != NULL ? LLVMGetInstructionOpcode(value) : LLVMRet;
  return opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul;
}

bool kc_wrap_is_signed(const kc_writer *writer, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return !writer->has_freeze && kc_is_integer(type) && (kc_width(type) == 32 || kc_width(type) == 64) &&
         is_sum(value) && LLVMGetNSW(value);
}

bool kc_wrap_is_positive(LLVMValueRef value) {
  LLVMTypeRef from = LLVMIsAZExtInst(value) != NULL ? LLVMTypeOf(LLVMGetOperand(value, 0)) : NULL;
  return from != NULL && kc_is_integer(from) && kc_width(from) == 32 && LLVMGetNNeg(value);
}
#else
bool kc_wrap_is_signed(const kc_writer *writer, LLVMValueRef value) {
  (void)writer, (void)value;
  return false;
}

bool kc_wrap_is_positive(LLVMValueRef value) {
  (void)value;
  return false;
}
#endif
