/* SPDX-License-Identifier: MIT */
/* indirect - see indirect.h. */
#include "indirect.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

/* Numbers are multiples of it, as addresses would be. */
enum { STEP = 16, SLOT = 8, MOST_PARAMETERS = 64 };

/* The function whose number is (i + 1) * STEP. */
static LLVMValueRef *numbered;
static size_t numbered_count;

/* ---- numbers --------------------------------------------------------------------------------------------- */

static bool is_call_of(LLVMValueRef user, LLVMValueRef function) {
  return LLVMIsACallInst(user) != NULL && LLVMGetCalledValue(user) == function;
}

static size_t collect_calls(LLVMValueRef function, LLVMValueRef *list, bool *is_address_used_out) {
  size_t count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!is_call_of(user, function)) {
      *is_address_used_out = true;
      continue;
    }
    if (list != NULL)
      list[count] = user;
    count++;
  }
  return count;
}

/* Calls by name stay what they are. */
static void replace_address(kc_writer *writer, LLVMValueRef function) {
  bool is_address_used = false;
  size_t count = collect_calls(function, NULL, &is_address_used);
  LLVMTypeRef number = LLVMInt64TypeInContext(writer->context);
  LLVMValueRef *calls = kc_allocate(count, sizeof *calls);
  if (!is_address_used)
    return;
  (void)collect_calls(function, calls, &is_address_used);
  numbered[numbered_count++] = function;
  LLVMReplaceAllUsesWith(function,
                         LLVMConstIntToPtr(LLVMConstInt(number, numbered_count * STEP, 0), LLVMTypeOf(function)));
  for (size_t i = 0; i < count; i++)
    LLVMSetOperand(calls[i], (unsigned)LLVMGetNumOperands(calls[i]) - 1, function);
  if (!LLVMIsDeclaration(function))
    LLVMSetLinkage(function, LLVMExternalLinkage); /* calls of it may be found later */
}

static bool is_kernel(const kc_writer *writer, LLVMValueRef function) {
  for (size_t i = 0; i < writer->kernel_count; i++)
    if (writer->kernels[i].function == function)
      return true;
  return false;
}

void kc_indirect_number(kc_writer *writer) {
  size_t count = 0;
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each))
    count++;
  numbered = kc_allocate(count, sizeof *numbered);
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each))
    if (!is_kernel(writer, each) && LLVMGetIntrinsicID(each) == 0)
      replace_address(writer, each);
}

void kc_indirect_end(kc_writer *writer) {
  (void)writer;
  for (size_t i = 0; i < numbered_count; i++)
    if (!LLVMIsDeclaration(numbered[i]))
      LLVMSetLinkage(numbered[i], LLVMInternalLinkage);
}

/* ---- which functions a call can reach -------------------------------------------------------------------- */

typedef struct reach {
  bool *is_reached; /* of the numbered ones */
  LLVMTypeRef type;
  unsigned long long slot; /* bytes from the address that objects keep of their table */
} reach;

static void reach_number(reach *reach, LLVMValueRef address) {
  LLVMValueRef number = address != NULL && LLVMIsAConstantExpr(address) != NULL ? LLVMGetOperand(address, 0) : NULL;
  if (number == NULL || LLVMIsAConstantInt(number) == NULL)
    return;
  unsigned long long which = LLVMConstIntGetZExtValue(number) / STEP;
  if (which > 0 && which <= numbered_count && LLVMGlobalGetValueType(numbered[which - 1]) == reach->type &&
      !LLVMIsDeclaration(numbered[which - 1]))
    reach->is_reached[which - 1] = true;
}

/* A table is a struct of arrays of pointers. */
static LLVMValueRef slot_at(kc_writer *writer, LLVMValueRef table, unsigned long long at) {
  LLVMValueRef content = LLVMGetInitializer(table), part;
  for (unsigned i = 0; (part = LLVMGetAggregateElement(content, i)) != NULL; i++) {
    unsigned long long first = LLVMOffsetOfElement(writer->data, LLVMTypeOf(content), i);
    unsigned long long size = LLVMABISizeOfType(writer->data, LLVMTypeOf(part));
    if (at >= first && at < first + size)
      return LLVMGetAggregateElement(part, (unsigned)((at - first) / SLOT));
  }
  return NULL;
}

/* By each address of the table that the program uses. */
static void reach_table(kc_writer *writer, reach *reach, LLVMValueRef table, LLVMValueRef address) {
  LLVMValueRef base = NULL;
  unsigned long long offset = 0;
  if (!kc_constant_offset(writer, address, &base, &offset) || base != table)
    return;
  reach_number(reach, slot_at(writer, table, offset + reach->slot));
  for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use))
    if (LLVMIsAConstantExpr(LLVMGetUser(use)) != NULL)
      reach_table(writer, reach, table, LLVMGetUser(use));
}

static bool is_table(LLVMValueRef global) {
  size_t length = 0;
  LLVMValueRef content = LLVMGetInitializer(global);
  return kc_starts(LLVMGetValueName2(global, &length), "_ZTV") && content != NULL &&
         LLVMGetTypeKind(LLVMTypeOf(content)) == LLVMStructTypeKind;
}

static void reach_slots(kc_writer *writer, reach *reach) {
  for (LLVMValueRef each = LLVMGetFirstGlobal(writer->module); each != NULL; each = LLVMGetNextGlobal(each))
    if (is_table(each))
      reach_table(writer, reach, each, each);
}

/* Destructors, which all look alike, are called through tables alone. */
static void reach_type(reach *reach) {
  for (size_t i = 0; i < numbered_count; i++) {
    size_t length = 0;
    const char *name = LLVMGetValueName2(numbered[i], &length);
    bool is_destructor = length > 4 && name[length - 4] == 'D' && strcmp(name + length - 2, "Ev") == 0;
    if (LLVMGlobalGetValueType(numbered[i]) == reach->type && !LLVMIsDeclaration(numbered[i]) && !is_destructor)
      reach->is_reached[i] = true;
  }
}

/* p->f(): the function's address is loaded from a constant place behind another that is loaded. */
static bool is_virtual(kc_writer *writer, LLVMValueRef callee, unsigned long long *slot_out) {
  LLVMValueRef base = NULL;
  return LLVMIsALoadInst(callee) != NULL && kc_constant_offset(writer, LLVMGetOperand(callee, 0), &base, slot_out) &&
         LLVMIsALoadInst(base) != NULL;
}

static size_t reach_all(kc_writer *writer, reach *reach, LLVMValueRef callee) {
  size_t count = 0;
  if (is_virtual(writer, callee, &reach->slot))
    reach_slots(writer, reach);
  for (size_t i = 0; i < numbered_count; i++)
    count += reach->is_reached[i];
  if (count > 0)
    return count;
  reach_type(reach);
  for (size_t i = 0; i < numbered_count; i++)
    count += reach->is_reached[i];
  return count;
}

/* ---- the switch ------------------------------------------------------------------------------------------ */

static void write_arm(kc_writer *writer, LLVMValueRef chooser, LLVMBasicBlockRef arm, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writer->context);
  LLVMValueRef arguments[MOST_PARAMETERS];
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned count = LLVMCountParams(chooser) - 1;
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetParam(chooser, i + 1);
  LLVMPositionBuilderAtEnd(builder, arm);
  LLVMValueRef value = LLVMBuildCall2(builder, type, function, arguments, count, "");
  LLVMSetInstructionCallConv(value, LLVMGetFunctionCallConv(function));
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(builder);
  else
    LLVMBuildRet(builder, value);
  LLVMDisposeBuilder(builder);
}

static void write_switch(kc_writer *writer, LLVMValueRef chooser, const reach *reach, size_t count) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writer->context);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(writer->context, chooser, "");
  LLVMBasicBlockRef none = LLVMAppendBasicBlockInContext(writer->context, chooser, "");
  LLVMPositionBuilderAtEnd(builder, none);
  LLVMBuildUnreachable(builder);
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMTypeRef type = LLVMInt64TypeInContext(writer->context);
  LLVMValueRef choice = LLVMBuildSwitch(builder, LLVMGetParam(chooser, 0), none, (unsigned)count);
  for (size_t i = 0; i < numbered_count; i++) {
    if (!reach->is_reached[i])
      continue;
    LLVMBasicBlockRef arm = LLVMAppendBasicBlockInContext(writer->context, chooser, "");
    LLVMAddCase(choice, LLVMConstInt(type, (i + 1) * STEP, 0), arm);
    write_arm(writer, chooser, arm, numbered[i]);
  }
  LLVMDisposeBuilder(builder);
}

/* A function with the number before the call's arguments. */
static LLVMValueRef add_chooser(kc_writer *writer, LLVMTypeRef called, LLVMTypeRef *type_out) {
  LLVMTypeRef types[MOST_PARAMETERS + 1] = { LLVMInt64TypeInContext(writer->context) };
  unsigned count = LLVMCountParamTypes(called), inlined = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  LLVMGetParamTypes(called, types + 1);
  *type_out = LLVMFunctionType(LLVMGetReturnType(called), types, count + 1, 0);
  LLVMValueRef chooser = LLVMAddFunction(writer->module, "vptr_chooser", *type_out);
  LLVMSetLinkage(chooser, LLVMInternalLinkage);
  LLVMAddAttributeAtIndex(chooser, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(writer->context, inlined, 0));
  return chooser;
}

/* Loaded as a number, it need not become a pointer and back. */
static LLVMValueRef number_of(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef callee, LLVMValueRef call) {
  LLVMTypeRef type = LLVMInt64TypeInContext(writer->context);
  bool is_loaded = LLVMIsALoadInst(callee) != NULL;
  LLVMPositionBuilderBefore(builder, is_loaded ? callee : call);
  if (!is_loaded)
    return LLVMBuildPtrToInt(builder, callee, type, "");
  LLVMValueRef number = LLVMBuildLoad2(builder, type, LLVMGetOperand(callee, 0), "");
  LLVMSetAlignment(number, LLVMGetAlignment(callee));
  return number;
}

static void replace_call(kc_writer *writer, LLVMValueRef call, LLVMValueRef chooser, LLVMTypeRef type) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writer->context);
  LLVMValueRef arguments[MOST_PARAMETERS + 1] = { number_of(writer, builder, LLVMGetCalledValue(call), call) };
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++)
    arguments[i + 1] = LLVMGetOperand(call, i);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef direct = LLVMBuildCall2(builder, type, chooser, arguments, count + 1, "");
  LLVMInstructionSetDebugLoc(direct, LLVMInstructionGetDebugLoc(call));
  LLVMReplaceAllUsesWith(call, direct);
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

static bool resolve_call(kc_writer *writer, LLVMValueRef call) {
  LLVMTypeRef called = LLVMGetCalledFunctionType(call), type = NULL;
  reach reach = { .is_reached = kc_allocate(numbered_count, sizeof(bool)), .type = called };
  if (LLVMCountParamTypes(called) > MOST_PARAMETERS || LLVMIsFunctionVarArg(called))
    return false;
  size_t count = reach_all(writer, &reach, LLVMGetCalledValue(call));
  if (count == 0)
    return false;
  LLVMValueRef chooser = add_chooser(writer, called, &type);
  write_switch(writer, chooser, &reach, count);
  replace_call(writer, call, chooser, type);
  free(reach.is_reached);
  return true;
}

/* ---- all calls ------------------------------------------------------------------------------------------- */

static bool is_indirect(LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction) == NULL)
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  return LLVMIsAFunction(callee) == NULL && LLVMIsAInlineAsm(callee) == NULL;
}

static bool resolve_in_block(kc_writer *writer, LLVMBasicBlockRef block) {
  bool has_changed = false;
  for (LLVMValueRef each = LLVMGetFirstInstruction(block), next; each != NULL; each = next) {
    next = LLVMGetNextInstruction(each);
    if (is_indirect(each))
      has_changed |= resolve_call(writer, each);
  }
  return has_changed;
}

bool kc_indirect_resolve(kc_writer *writer) {
  bool has_changed = false;
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(each); block != NULL; block = LLVMGetNextBasicBlock(block))
      has_changed |= resolve_in_block(writer, block);
  return has_changed;
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

bool kc_indirect_constant(LLVMValueRef value, unsigned long long *number_out) {
  bool is_made = LLVMIsAConstantExpr(value) != NULL && LLVMGetConstOpcode(value) == LLVMIntToPtr;
  LLVMValueRef number = is_made ? LLVMGetOperand(value, 0) : value;
  *number_out = LLVMIsAConstantInt(number) != NULL ? LLVMConstIntGetZExtValue(number) : 0;
  return LLVMIsAConstantInt(number) != NULL || LLVMIsAConstantPointerNull(value) != NULL;
}

static bool has_only_comparisons(LLVMValueRef value, bool is_number) {
  unsigned long long number = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_compared = LLVMIsAICmpInst(user) != NULL && LLVMGetOperand(user, 0) == value &&
                       LLVMGetICmpPredicate(user) <= LLVMIntNE &&
                       kc_indirect_constant(LLVMGetOperand(user, 1), &number);
    bool is_switched = is_number && LLVMIsASwitchInst(user) != NULL;
    bool is_cast = !is_number && LLVMIsAPtrToIntInst(user) != NULL && has_only_comparisons(user, true);
    if (!is_compared && !is_switched && !is_cast)
      return false;
  }
  return LLVMGetFirstUse(value) != NULL;
}

bool kc_indirect_is_number(LLVMValueRef value) {
  return LLVMIsAArgument(value) != NULL && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
         has_only_comparisons(value, false);
}
