/* SPDX-License-Identifier: MIT */
/*
 * cached - see cached.h.
 *
 * clang's __ldg() is a call of llvm.nvvm.ldg.global, with the alignment beside the pointer. As a load LLVM sees
 * through it: what it is of, and that vectors are loaded member by member.
 */
#include "cached.h"

#include "type.h"

static bool is_cached(LLVMValueRef function) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  return kc_starts(name, "llvm.nvvm.ldg.global.") || kc_starts(name, "llvm.nvvm.ldu.global.");
}

static void replace_call(LLVMBuilderRef builder, LLVMValueRef call) {
  LLVMValueRef alignment = LLVMGetOperand(call, 1);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef load = LLVMBuildLoad2(builder, LLVMTypeOf(call), LLVMGetOperand(call, 0), "");
  LLVMSetAlignment(load, LLVMIsAConstantInt(alignment) != NULL ? (unsigned)LLVMConstIntGetZExtValue(alignment) : 1);
  LLVMReplaceAllUsesWith(call, load);
  LLVMInstructionEraseFromParent(call);
}

void kc_cached_replace(kc_writer *writer) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writer->context);
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each)) {
    LLVMUseRef use = is_cached(each) ? LLVMGetFirstUse(each) : NULL;
    while (use != NULL) {
      LLVMValueRef user = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      if (LLVMIsACallInst(user) != NULL && LLVMGetCalledValue(user) == each)
        replace_call(builder, user);
    }
  }
  LLVMDisposeBuilder(builder);
}
