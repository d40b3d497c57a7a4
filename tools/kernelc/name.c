/* SPDX-License-Identifier: MIT */
/* name - see name.h. */
#include "name.h"

#include <string.h>

#include "passed.h"
#include "type.h"

char kc_name_kind(LLVMValueRef value) {
  return LLVMIsAInstruction(value) != NULL || LLVMIsAArgument(value) != NULL ? *kc_name_of(value) : 0;
}

const char *kc_name_of(LLVMValueRef value) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(value, &length);
  const char *dot = LLVMIsAInstruction(value) != NULL ? strchr(name, '.') : NULL;
  return dot != NULL ? dot + 1 : name;
}

bool kc_name_is_shared(LLVMValueRef value) {
  size_t length = 0;
  return strchr(LLVMGetValueName2(value, &length), '.') != NULL;
}

void kc_name_share(LLVMValueRef value, LLVMValueRef other) {
  char name[32];
  int length = snprintf(name, sizeof name, "%s.%s", kc_name_of(value), kc_name_of(other));
  LLVMSetValueName2(value, name, (size_t)length);
}

static void set_name(LLVMValueRef value, char kind, unsigned number) {
  char name[16];
  int length = snprintf(name, sizeof name, "%c%u", kind, number);
  LLVMSetValueName2(value, name, (size_t)length);
}

/* ---- what is written where it is used -------------------------------------------------------------------- */

/* Neither reads memory nor does anything. */
static bool is_pure(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad:
  case LLVMStore:
  case LLVMCall:
  case LLVMPHI:
  case LLVMAlloca:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMFence:
  case LLVMPtrToInt: /* a look-up, perhaps */
  case LLVMIntToPtr:
    return false;
  default:
    return LLVMIsATerminatorInst(instruction) == NULL;
  }
}

/* All uses lie in the same block behind it and not in a phi, whose copies are made while phis change. */
static bool is_used_near(LLVMValueRef instruction, unsigned most) {
  unsigned count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(instruction); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (++count > most || LLVMIsAInstruction(user) == NULL || LLVMIsAPHINode(user) != NULL ||
        LLVMGetInstructionParent(user) != LLVMGetInstructionParent(instruction))
      return false;
  }
  return count > 0;
}

static bool has_constant_offsets(LLVMValueRef pointer) {
  for (int i = 1; i < LLVMGetNumOperands(pointer); i++)
    if (LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)i)) == NULL)
      return false;
  return true;
}

/* A parameter in another address space may stand anywhere, since it never changes. */
static bool is_parameter(LLVMValueRef instruction) {
  return LLVMIsAAddrSpaceCastInst(instruction) != NULL && LLVMIsAArgument(LLVMGetOperand(instruction, 0)) != NULL;
}

/* p + 8 may stand in several places, since the driver's compiler has to see what it is anyway. */
static unsigned most_uses(LLVMValueRef instruction) {
  bool is_cheap = LLVMIsAGetElementPtrInst(instruction) != NULL && has_constant_offsets(instruction);
  return is_cheap || LLVMIsAAddrSpaceCastInst(instruction) != NULL ? 64 : 1;
}

/* How deep the expression nests that is written for the value: the translator's parser has a limit. A value is asked
 * after its operands, whose depth the map has. */
static unsigned depth_of(LLVMValueRef instruction, const unsigned *depths, unsigned first) {
  unsigned depth = 0;
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (kc_name_kind(operand) != KC_INLINE)
      continue;
    unsigned number = 0;
    sscanf(kc_name_of(operand) + 1, "%u", &number);
    if (number >= first && depths[number - first] + 1 > depth)
      depth = depths[number - first] + 1;
  }
  return depth;
}

/* ---- naming ---------------------------------------------------------------------------------------------- */

enum { MOST_DEPTH = 12 };

static char kind_of_instruction(kc_writer *writer, LLVMValueRef instruction, unsigned depth) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (LLVMIsAAllocaInst(instruction) != NULL)
    return KC_ARRAY;
  if (LLVMIsAPHINode(instruction) != NULL)
    return KC_PHI;
  if (kc_passed_is_path(writer, LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)), instruction) ||
      is_parameter(instruction))
    return KC_INLINE;
  bool is_one = LLVMGetTypeKind(type) != LLVMVoidTypeKind && kc_leaf_count(writer, type) == 1;
  if (is_one && is_pure(instruction) && depth < MOST_DEPTH && is_used_near(instruction, most_uses(instruction)))
    return KC_INLINE;
  return KC_VARIABLE;
}

static void clear_names(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMSetValueName2(LLVMBasicBlockAsValue(block), "", 0);
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
      if (LLVMGetTypeKind(LLVMTypeOf(each)) != LLVMVoidTypeKind)
        LLVMSetValueName2(each, "", 0);
  }
}

static unsigned count_instructions(LLVMBasicBlockRef block) {
  unsigned count = 0;
  for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
    count++;
  return count;
}

static unsigned name_block(kc_writer *writer, LLVMBasicBlockRef block, unsigned number) {
  unsigned first = number, *depths = kc_allocate(count_instructions(block), sizeof *depths);
  for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each)) {
    writer->instruction = each;
    if (LLVMGetTypeKind(LLVMTypeOf(each)) == LLVMVoidTypeKind)
      continue;
    unsigned depth = depth_of(each, depths, first);
    depths[number - first] = depth;
    set_name(each, kind_of_instruction(writer, each, depth), number++);
  }
  return number;
}

void kc_name_values(kc_writer *writer, LLVMValueRef function) {
  unsigned number = 0;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    LLVMSetValueName2(LLVMGetParam(function, i), "", 0);
  clear_names(function);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    set_name(LLVMGetParam(function, i), KC_ARGUMENT, number++);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    number = name_block(writer, block, number);
  writer->instruction = NULL;
}
