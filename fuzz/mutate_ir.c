/* SPDX-License-Identifier: MIT */
/*
 * mutate_ir - changes LLVM bitcode at random, so that it is still valid: what vptr-kernelc is fuzzed with.
 *
 *     mutate_ir SEED COUNT INPUT.bc OUTPUT.bc
 *
 * COUNT changes are tried, each on its own; one that the verifier refuses is taken back. Operands become other values
 * of their type, operations others, numbers pass through widths that C does not have and through LLVM's own functions,
 * instructions and metadata go, blocks come twice, calls go to other functions of their type, pointers take a way
 * through other address spaces. Of odd seeds the variables are registers first, as after LLVM's passes, so that joins
 * (phi) are changed as well. The same seed and input give the same output with the same LLVM.
 */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static unsigned below(unsigned count) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(state >> 33) % count;
}

/* ---- places ----------------------------------------------------------------------------------------------- */

static LLVMValueRef some_instruction(LLVMModuleRef module) {
  unsigned count = 0, skipped = 0;
  for (int round = 0; round < 2; round++) {
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function))
      for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
           block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
          if (round == 0)
            count++;
          else if (skipped-- == 0)
            return each;
    if (count == 0)
      return NULL;
    skipped = below(count);
  }
  return NULL;
}

static bool is_integer(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
}

/* Of the operands, or NULL. */
static LLVMValueRef integer_operand(LLVMValueRef instruction, unsigned *which_out) {
  int count = LLVMGetNumOperands(instruction);
  if (count == 0)
    return NULL;
  *which_out = below((unsigned)count);
  LLVMValueRef operand = LLVMGetOperand(instruction, *which_out);
  return is_integer(operand) ? operand : NULL;
}

static LLVMBuilderRef builder_before(LLVMModuleRef module, LLVMValueRef instruction) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(builder, instruction);
  return builder;
}

/* ---- changes: false where there is nothing to change --------------------------------------------------------- */

static bool change_constant(LLVMModuleRef module, LLVMValueRef instruction) {
  static const uint64_t numbers[] = {
    0, 1, 2, 7, 31, 32, 63, 64, 65, 255, 1u << 16, 1u << 31, UINT64_MAX, 1ull << 63
  };
  unsigned which = 0;
  LLVMValueRef operand = integer_operand(instruction, &which);
  (void)module;
  if (operand == NULL || LLVMIsAConstantInt(operand) == NULL)
    return false;
  uint64_t number = numbers[below(sizeof numbers / sizeof *numbers)];
  LLVMSetOperand(instruction, which, LLVMConstInt(LLVMTypeOf(operand), number, 0));
  return true;
}

static bool swap_operands(LLVMModuleRef module, LLVMValueRef instruction) {
  int count = LLVMGetNumOperands(instruction);
  (void)module;
  if (count < 2)
    return false;
  unsigned one = below((unsigned)count), two = below((unsigned)count);
  LLVMValueRef first = LLVMGetOperand(instruction, one), second = LLVMGetOperand(instruction, two);
  if (first == second || LLVMTypeOf(first) != LLVMTypeOf(second))
    return false;
  LLVMSetOperand(instruction, one, second);
  LLVMSetOperand(instruction, two, first);
  return true;
}

/* Any value of the type from elsewhere in the function. */
static bool replace_operand(LLVMModuleRef module, LLVMValueRef instruction) {
  int count = LLVMGetNumOperands(instruction);
  (void)module;
  if (count == 0)
    return false;
  unsigned which = below((unsigned)count), skipped = below(12);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, which));
  for (LLVMValueRef each = LLVMGetPreviousInstruction(instruction); each != NULL;
       each = LLVMGetPreviousInstruction(each))
    if (LLVMTypeOf(each) == type && skipped-- == 0) {
      LLVMSetOperand(instruction, which, each);
      return true;
    }
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMLabelTypeKind || kind == LLVMMetadataTypeKind || kind == LLVMTokenTypeKind)
    return false;
  LLVMSetOperand(instruction, which,
                 below(3) == 0   ? LLVMGetUndef(type)
                 : below(2) == 0 ? LLVMGetPoison(type)
                                 : LLVMConstNull(type));
  return true;
}

static bool change_operation(LLVMModuleRef module, LLVMValueRef instruction) {
  static const LLVMOpcode whole[] = { LLVMAdd, LLVMSub,  LLVMMul,  LLVMUDiv, LLVMSDiv, LLVMURem, LLVMSRem,
                                      LLVMShl, LLVMLShr, LLVMAShr, LLVMAnd,  LLVMOr,   LLVMXor };
  static const LLVMOpcode real[] = { LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv, LLVMFRem };
  if (LLVMIsABinaryOperator(instruction) == NULL)
    return false;
  LLVMBuilderRef builder = builder_before(module, instruction);
  bool is_whole = is_integer(instruction);
  LLVMOpcode opcode = is_whole ? whole[below(sizeof whole / sizeof *whole)] : real[below(sizeof real / sizeof *real)];
  if (is_whole || LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMFloatTypeKind)
    LLVMReplaceAllUsesWith(instruction, LLVMBuildBinOp(builder, opcode, LLVMGetOperand(instruction, 0),
                                                       LLVMGetOperand(instruction, 1), ""));
  LLVMDisposeBuilder(builder);
  return true;
}

static bool change_comparison(LLVMModuleRef module, LLVMValueRef instruction) {
  LLVMBuilderRef builder = builder_before(module, instruction);
  bool is_one = true;
  if (LLVMIsAICmpInst(instruction) != NULL)
    LLVMReplaceAllUsesWith(instruction,
                           LLVMBuildICmp(builder, (LLVMIntPredicate)(LLVMIntEQ + below(10)),
                                         LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1), ""));
  else if (LLVMIsAFCmpInst(instruction) != NULL)
    LLVMReplaceAllUsesWith(instruction,
                           LLVMBuildFCmp(builder, (LLVMRealPredicate)below(16), LLVMGetOperand(instruction, 0),
                                         LLVMGetOperand(instruction, 1), ""));
  else
    is_one = false;
  LLVMDisposeBuilder(builder);
  return is_one;
}

/* Through a width that C has no type for. */
static bool change_width(LLVMModuleRef module, LLVMValueRef instruction) {
  static const unsigned widths[] = { 1, 3, 7, 11, 17, 24, 33, 37, 48, 61, 96, 128 };
  unsigned which = 0;
  LLVMValueRef operand = integer_operand(instruction, &which);
  if (operand == NULL || LLVMIsAPHINode(instruction) != NULL || LLVMIsASwitchInst(instruction) != NULL ||
      LLVMIsAConstant(operand) != NULL)
    return false;
  LLVMBuilderRef builder = builder_before(module, instruction);
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef odd = LLVMIntTypeInContext(context, widths[below(sizeof widths / sizeof *widths)]);
  LLVMValueRef number = LLVMConstInt(odd, below(1000), 0);
  LLVMValueRef cut = LLVMBuildIntCast2(builder, operand, odd, (LLVMBool)below(2), "");
  LLVMValueRef changed = LLVMBuildBinOp(builder, below(2) ? LLVMAdd : LLVMMul, cut, number, "");
  if (below(3) == 0) {
    LLVMValueRef place = LLVMBuildAlloca(builder, odd, "");
    LLVMBuildStore(builder, changed, place);
    changed = LLVMBuildLoad2(builder, odd, place, "");
  }
  LLVMSetOperand(instruction, which,
                 LLVMBuildIntCast2(builder, changed, LLVMTypeOf(operand), (LLVMBool)below(2), ""));
  LLVMDisposeBuilder(builder);
  return true;
}

/* Through a function of LLVM's. */
static bool call_intrinsic(LLVMModuleRef module, LLVMValueRef instruction) {
  static const struct {
    const char *name;
    unsigned numbers;
    bool has_flag;
  } known[] = {
    { "llvm.ctpop", 1, false },      { "llvm.ctlz", 1, true },      { "llvm.cttz", 1, true },
    { "llvm.bitreverse", 1, false }, { "llvm.abs", 1, true },       { "llvm.fshl", 3, false },
    { "llvm.fshr", 3, false },       { "llvm.umin", 2, false },     { "llvm.smax", 2, false },
    { "llvm.uadd.sat", 2, false },   { "llvm.ssub.sat", 2, false }, { "llvm.ushl.sat", 2, false },
    { "llvm.sshl.sat", 2, false },   { "llvm.bswap", 1, false },
  };
  unsigned which = 0, row = below(sizeof known / sizeof *known);
  LLVMValueRef operand = integer_operand(instruction, &which);
  if (operand == NULL || LLVMIsAPHINode(instruction) != NULL || LLVMIsASwitchInst(instruction) != NULL ||
      LLVMIsAConstant(operand) != NULL)
    return false;
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMTypeOf(operand);
  unsigned id = LLVMLookupIntrinsicID(known[row].name, strlen(known[row].name)), count = known[row].numbers;
  if (id == 0 || (strcmp(known[row].name, "llvm.bswap") == 0 && LLVMGetIntTypeWidth(type) % 16 != 0))
    return false;
  LLVMBuilderRef builder = builder_before(module, instruction);
  LLVMValueRef given[4] = { operand, operand, LLVMConstInt(type, below(70), 0), NULL };
  if (known[row].has_flag)
    given[count++] = LLVMConstInt(LLVMInt1TypeInContext(context), 0, 0);
  LLVMSetOperand(instruction, which,
                 LLVMBuildCall2(builder, LLVMIntrinsicGetType(context, id, &type, 1),
                                LLVMGetIntrinsicDeclaration(module, id, &type, 1), given, count, ""));
  LLVMDisposeBuilder(builder);
  return true;
}

static bool drop_instruction(LLVMModuleRef module, LLVMValueRef instruction) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  (void)module;
  if (LLVMIsATerminatorInst(instruction) != NULL || LLVMGetTypeKind(type) == LLVMTokenTypeKind)
    return false;
  if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
    LLVMReplaceAllUsesWith(instruction, below(2) ? LLVMGetUndef(type) : LLVMConstNull(type));
  LLVMInstructionEraseFromParent(instruction);
  return true;
}

static bool drop_metadata(LLVMModuleRef module, LLVMValueRef instruction) {
  static const char *const kinds[] = { "dbg", "tbaa", "llvm.loop", "range", "nonnull", "srcloc" };
  const char *kind = kinds[below(sizeof kinds / sizeof *kinds)];
  LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), kind, (unsigned)strlen(kind)),
                  NULL);
  return true;
}

/* To another address space and back, or there as the bits of a number. */
static bool change_space(LLVMModuleRef module, LLVMValueRef instruction) {
  static const unsigned spaces[] = { 1, 3, 4, 5 };
  int count = LLVMGetNumOperands(instruction);
  unsigned which = count > 0 ? below((unsigned)count) : 0;
  LLVMValueRef operand = count > 0 ? LLVMGetOperand(instruction, which) : NULL;
  if (operand == NULL || LLVMGetTypeKind(LLVMTypeOf(operand)) != LLVMPointerTypeKind ||
      LLVMIsAFunction(operand) != NULL || LLVMIsAPHINode(instruction) != NULL)
    return false;
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = builder_before(module, instruction);
  LLVMTypeRef type = LLVMTypeOf(operand), word = LLVMInt64TypeInContext(context);
  LLVMTypeRef other = LLVMPointerTypeInContext(context, spaces[below(4)]);
  LLVMValueRef there = below(3) == 0 ? LLVMBuildPtrToInt(builder, operand, word, "")
                                     : LLVMBuildAddrSpaceCast(builder, operand, other, "");
  LLVMSetOperand(instruction, which,
                 LLVMTypeOf(there) == word ? LLVMBuildIntToPtr(builder, there, type, "")
                                           : LLVMBuildAddrSpaceCast(builder, there, type, ""));
  LLVMDisposeBuilder(builder);
  return true;
}

static bool change_alignment(LLVMModuleRef module, LLVMValueRef instruction) {
  (void)module;
  if (LLVMIsALoadInst(instruction) == NULL && LLVMIsAStoreInst(instruction) == NULL)
    return false;
  LLVMSetAlignment(instruction, 1u << below(5));
  if (below(3) == 0)
    LLVMSetVolatile(instruction, 1);
  return true;
}

/* A jump to another block of the function. */
static bool change_jump(LLVMModuleRef module, LLVMValueRef instruction) {
  (void)module;
  if (LLVMIsABranchInst(instruction) == NULL)
    return false;
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  unsigned skipped = below(LLVMCountBasicBlocks(function));
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  while (skipped-- > 0)
    block = LLVMGetNextBasicBlock(block);
  LLVMSetSuccessor(instruction, below(LLVMGetNumSuccessors(instruction)), block);
  return true;
}

/* To any other function of its type: an atomic operation to another, a mathematical function, an intrinsic. */
static bool change_callee(LLVMModuleRef module, LLVMValueRef instruction) {
  enum { LONGEST_WAY = 40 };
  if (LLVMIsACallInst(instruction) == NULL || LLVMIsAFunction(LLVMGetCalledValue(instruction)) == NULL)
    return false;
  LLVMTypeRef type = LLVMGetCalledFunctionType(instruction);
  unsigned skipped = below(LONGEST_WAY);
  bool is_found = false;
  LLVMValueRef other = NULL;
  for (LLVMValueRef each = LLVMGetFirstFunction(module); each != NULL; each = LLVMGetNextFunction(each)) {
    if (LLVMGlobalGetValueType(each) != type || each == LLVMGetCalledValue(instruction))
      continue;
    other = each;
    is_found = true;
    if (skipped-- == 0)
      break;
  }
  if (is_found)
    LLVMSetOperand(instruction, (unsigned)LLVMGetNumOperands(instruction) - 1, other);
  return is_found;
}

/* ---- a block that comes twice ------------------------------------------------------------------------------- */

/* The copy's operands are the copy's own where the block has them. */
static void map_operands(LLVMValueRef copy, const LLVMValueRef *from, const LLVMValueRef *to, unsigned count) {
  for (unsigned which = 0; which < (unsigned)LLVMGetNumOperands(copy); which++)
    for (unsigned i = 0; i < count; i++)
      if (LLVMGetOperand(copy, which) == from[i])
        LLVMSetOperand(copy, which, to[i]);
}

/* One jump that led to the block leads to its copy. Who needs values of the block behind it makes that invalid, so this
 * is for modules whose variables are in memory. */
static bool copy_block(LLVMModuleRef module, LLVMValueRef instruction) {
  enum { LONGEST = 200 };
  if (LLVMIsABranchInst(instruction) == NULL)
    return false;
  unsigned which = below(LLVMGetNumSuccessors(instruction)), count = 0;
  LLVMBasicBlockRef block = LLVMGetSuccessor(instruction, which);
  LLVMValueRef function = LLVMGetBasicBlockParent(block), from[LONGEST], to[LONGEST];
  LLVMBasicBlockRef twin = LLVMAppendBasicBlockInContext(LLVMGetModuleContext(module), function, "twin");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderAtEnd(builder, twin);
  for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL && count < LONGEST;
       each = LLVMGetNextInstruction(each), count++) {
    from[count] = each;
    to[count] = LLVMInstructionClone(each);
    LLVMInsertIntoBuilder(builder, to[count]);
  }
  LLVMDisposeBuilder(builder);
  for (unsigned i = 0; i < count; i++)
    map_operands(to[i], from, to, count);
  LLVMSetSuccessor(instruction, which, twin);
  return true;
}

/* ---- all of them -------------------------------------------------------------------------------------------- */

/* The module with one change more; the old one where the change is not valid. */
static LLVMModuleRef changed(LLVMModuleRef module) {
  static bool (*const changes[])(LLVMModuleRef, LLVMValueRef) = {
    change_constant,  swap_operands,  replace_operand,  change_operation, change_comparison,
    change_width,     call_intrinsic, drop_instruction, drop_metadata,    change_space,
    change_alignment, change_jump,    change_callee,    copy_block,
  };
  LLVMModuleRef copy = LLVMCloneModule(module);
  LLVMValueRef instruction = some_instruction(copy);
  bool is_good = instruction != NULL && changes[below(sizeof changes / sizeof *changes)](copy, instruction) &&
                 !LLVMVerifyModule(copy, LLVMReturnStatusAction, NULL);
  LLVMDisposeModule(is_good ? module : copy);
  return is_good ? copy : module;
}

static bool keep_variables_in_registers(LLVMModuleRef module) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, "function(sroa,early-cse,simplifycfg)", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (error != NULL)
    fprintf(stderr, "mutate_ir: error: %s\n", LLVMGetErrorMessage(error));
  return error == NULL;
}

int main(int argc, char **argv) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer = NULL;
  LLVMModuleRef module = NULL;
  if (argc != 5) {
    fputs("usage: mutate_ir SEED COUNT INPUT.bc OUTPUT.bc\nChanges LLVM bitcode at random.\n", stderr);
    return 2;
  }
  if (LLVMCreateMemoryBufferWithContentsOfFile(argv[3], &buffer, NULL) ||
      LLVMParseBitcodeInContext2(context, buffer, &module)) {
    fprintf(stderr, "mutate_ir: error: %s cannot be read\n", argv[3]);
    return 1;
  }
  unsigned long long seed = strtoull(argv[1], NULL, 10);
  state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  if (seed % 2 == 1 && !keep_variables_in_registers(module))
    return 1;
  for (unsigned long left = strtoul(argv[2], NULL, 10); left > 0; left--)
    module = changed(module);
  return LLVMWriteBitcodeToFile(module, argv[4]) != 0;
}
