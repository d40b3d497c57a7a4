/* SPDX-License-Identifier: MIT */
/* access - see access.h. */
#include "access.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "mixed.h"
#include "origin.h"
#include "type.h"

enum { MOST_OPERANDS = 64 };

/* The function at work, and for each operand of the access what stands for it there. */
typedef struct access {
  kc_writer *writer;
  LLVMBuilderRef builder;
  LLVMValueRef instruction, function;
  LLVMValueRef operands[MOST_OPERANDS];
  const LLVMValueRef *numbers;
  const unsigned *sets;
  unsigned count;
} access;

static bool is_atomic(LLVMValueRef instruction) {
  return LLVMIsAAtomicRMWInst(instruction) != NULL || LLVMIsAAtomicCmpXchgInst(instruction) != NULL;
}

bool kc_access_is(LLVMValueRef instruction) {
  return LLVMIsALoadInst(instruction) != NULL || LLVMIsAStoreInst(instruction) != NULL || is_atomic(instruction) ||
         LLVMIsACallInst(instruction) != NULL;
}

/* Constants stay: some operands of LLVM's functions have to be. */
static bool is_parameter(const access *access, unsigned operand) {
  return access->numbers[operand] != NULL || LLVMIsAConstant(LLVMGetOperand(access->instruction, operand)) == NULL;
}

/* The declaration, and the arguments of its call. */
static void add_function(access *access, LLVMValueRef *arguments, LLVMTypeRef *type_out, unsigned *count_out) {
  LLVMTypeRef types[MOST_OPERANDS];
  unsigned count = 0, inlined = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  for (unsigned i = 0; i < access->count; i++)
    if (is_parameter(access, i)) {
      arguments[count] = access->numbers[i] != NULL ? access->numbers[i] : LLVMGetOperand(access->instruction, i);
      types[count] = LLVMTypeOf(arguments[count]);
      count++;
    }
  *type_out = LLVMFunctionType(LLVMTypeOf(access->instruction), types, count, 0);
  *count_out = count;
  access->function = LLVMAddFunction(access->writer->module, "vptr_access", *type_out);
  LLVMSetLinkage(access->function, LLVMInternalLinkage);
  LLVMAddAttributeAtIndex(access->function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(access->writer->context, inlined, 0));
  for (unsigned i = 0, parameter = 0; i < access->count; i++)
    access->operands[i] = is_parameter(access, i) ? LLVMGetParam(access->function, parameter++)
                                                  : LLVMGetOperand(access->instruction, i);
}

static void write_access(access *access) {
  LLVMValueRef same = LLVMInstructionClone(access->instruction);
  for (unsigned i = 0; i < access->count; i++)
    LLVMSetOperand(same, i, access->operands[i]);
  LLVMInsertIntoBuilder(access->builder, same);
  LLVMInstructionSetDebugLoc(same, NULL);
  if (LLVMGetTypeKind(LLVMTypeOf(same)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(access->builder);
  else
    LLVMBuildRet(access->builder, same);
}

/* As a pointer of LLVM's that has no address space, but comes from one. */
static LLVMValueRef pointer_in(access *access, LLVMValueRef number, unsigned memory) {
  static const unsigned spaces[] = {
    [KC_IN_GLOBAL] = KC_GLOBAL, [KC_IN_SHARED] = KC_SHARED, [KC_IN_PRIVATE] = KC_PRIVATE
  };
  LLVMContextRef context = access->writer->context;
  LLVMValueRef there =
      LLVMBuildIntToPtr(access->builder, number, LLVMPointerTypeInContext(context, spaces[memory]), "");
  return LLVMBuildAddrSpaceCast(access->builder, there, LLVMPointerTypeInContext(context, KC_GENERIC), "");
}

static LLVMValueRef is_in(access *access, LLVMValueRef number, unsigned memory) {
  LLVMTypeRef type = LLVMTypeOf(number);
  unsigned long long mark = memory == KC_IN_SHARED ? KC_MARK_SHARED : KC_MARK_PRIVATE;
  return LLVMBuildICmp(access->builder, LLVMIntEQ,
                       LLVMBuildAnd(access->builder, number, LLVMConstInt(type, KC_MARKS, 0), ""),
                       LLVMConstInt(type, mark, 0), "");
}

static LLVMBasicBlockRef add_block(const access *access) {
  return LLVMAppendBasicBlockInContext(access->writer->context, access->function, "");
}

/* The operands from that one on: a way for each memory, the last without a question. */
static void write_ways(access *access, unsigned operand) {
  while (operand < access->count && access->numbers[operand] == NULL)
    operand++;
  if (operand == access->count) {
    write_access(access);
    return;
  }
  LLVMValueRef number = access->operands[operand];
  unsigned set = access->sets[operand];
  if (is_atomic(
          access->instruction)) /* a thread's own memory has none: the writer refuses it where it is all there is */
    set &= ~(unsigned)KC_IN_PRIVATE;
  for (unsigned memory = KC_IN_PRIVATE; memory > 0; memory /= 2) {
    if ((set & memory) == 0)
      continue;
    set &= ~memory;
    LLVMBasicBlockRef way = NULL, others = NULL;
    if (set != 0) {
      way = add_block(access);
      others = add_block(access);
      LLVMBuildCondBr(access->builder, is_in(access, number, memory), way, others);
      LLVMPositionBuilderAtEnd(access->builder, way);
    }
    access->operands[operand] = pointer_in(access, number, memory);
    write_ways(access, operand + 1);
    access->operands[operand] = number;
    if (others != NULL)
      LLVMPositionBuilderAtEnd(access->builder, others);
  }
}

LLVMValueRef kc_access_replace(kc_writer *writer, LLVMValueRef instruction, const LLVMValueRef *numbers,
                               const unsigned *sets) {
  bool is_call = LLVMIsACallInst(instruction) != NULL;
  access access = { .writer = writer,
                    .instruction = instruction,
                    .numbers = numbers,
                    .sets = sets,
                    .count =
                        is_call ? LLVMGetNumArgOperands(instruction) : (unsigned)LLVMGetNumOperands(instruction) };
  LLVMValueRef arguments[MOST_OPERANDS];
  LLVMTypeRef type = NULL;
  unsigned count = 0;
  access.builder = LLVMCreateBuilderInContext(writer->context);
  add_function(&access, arguments, &type, &count);
  LLVMPositionBuilderAtEnd(access.builder, add_block(&access));
  write_ways(&access, 0);
  LLVMPositionBuilderBefore(access.builder, instruction);
  LLVMValueRef call = LLVMBuildCall2(access.builder, type, access.function, arguments, count, "");
  LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(instruction));
  LLVMReplaceAllUsesWith(instruction, call);
  LLVMInstructionEraseFromParent(instruction);
  LLVMDisposeBuilder(access.builder);
  return call;
}
