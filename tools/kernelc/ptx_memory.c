/* SPDX-License-Identifier: MIT */
/*
 * ptx_memory - see ptx_memory.h.
 *
 * An address is given as a pointer, or as a number that was one: the pointer is looked for behind sums and conversions,
 * so that LLVM knows which memory it is of. How words are cached is the device's business; "volatile" is what is left
 * of that, for all but the loads of what nobody writes (.nc).
 *
 * What is done under a guard is a function of its own, which is inlined: a load that the guard forbids is not done.
 */
#include "ptx_memory.h"

#include <stdlib.h>
#include <string.h>

#include "type.h"
#include "value.h"

/* ---- addresses ------------------------------------------------------------------------------------------- */

/* The pointer that a number was, moved by what was added to it; NULL: none is found. */
static LLVMValueRef pointer_of(kc_ptx_work *work, LLVMValueRef number, unsigned depth) {
  enum { MOST = 16 };
  LLVMBuilderRef builder = work->builder;
  if (kc_is_pointer(LLVMTypeOf(number)))
    return number;
  if (depth == MOST || (LLVMIsAInstruction(number) == NULL && LLVMIsAConstantExpr(number) == NULL))
    return NULL;
  LLVMOpcode opcode =
      LLVMIsAInstruction(number) != NULL ? LLVMGetInstructionOpcode(number) : LLVMGetConstOpcode(number);
  if (opcode == LLVMPtrToInt)
    return LLVMGetOperand(number, 0);
  if (opcode == LLVMTrunc || opcode == LLVMZExt || opcode == LLVMSExt)
    return pointer_of(work, LLVMGetOperand(number, 0), depth + 1);
  if (opcode != LLVMAdd && opcode != LLVMSub && opcode != LLVMOr)
    return NULL;
  LLVMValueRef offset = LLVMGetOperand(number, 1);
  LLVMValueRef base = pointer_of(work, LLVMGetOperand(number, 0), depth + 1);
  if (base == NULL && opcode != LLVMSub) {
    offset = LLVMGetOperand(number, 0);
    base = pointer_of(work, LLVMGetOperand(number, 1), depth + 1);
  }
  if (base == NULL)
    return NULL;
  LLVMContextRef context = work->writer->context;
  if (kc_width(LLVMTypeOf(offset)) < 64)
    offset = LLVMBuildSExt(builder, offset, LLVMInt64TypeInContext(context), "");
  if (opcode == LLVMSub)
    offset = LLVMBuildNeg(builder, offset, "");
  return LLVMBuildGEP2(builder, LLVMInt8TypeInContext(context), base, &offset, 1, "");
}

/* The address space of the instruction's word for one; KC_GENERIC: it has none. */
static unsigned space_of(const kc_ptx_work *work) {
  static const struct {
    const char *part;
    unsigned space;
  } spaces[] = { { "global", KC_GLOBAL },
                 { "shared", KC_SHARED },
                 { "shared::cta", KC_SHARED },
                 { "const", KC_CONSTANT },
                 { "local", KC_PRIVATE } };
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (kc_ptx_has(work->instruction, spaces[i].part))
      return spaces[i].space;
  if (kc_ptx_has(work->instruction, "param") || kc_ptx_has(work->instruction, "shared::cluster"))
    kc_ptx_refuse(work, "kernels have no such memory");
  return KC_GENERIC;
}

static LLVMValueRef in_space(kc_ptx_work *work, LLVMValueRef pointer, unsigned space) {
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == space)
    return pointer;
  LLVMTypeRef generic = LLVMPointerTypeInContext(work->writer->context, KC_GENERIC);
  if (space != KC_GENERIC && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != KC_GENERIC)
    pointer = LLVMBuildAddrSpaceCast(work->builder, pointer, generic, "");
  return LLVMBuildAddrSpaceCast(work->builder, pointer, LLVMPointerTypeInContext(work->writer->context, space), "");
}

LLVMValueRef kc_ptx_pointer(kc_ptx_work *work, const kc_ptx_operand *operand, unsigned space) {
  bool is_address = operand->kind == KC_PTX_ADDRESS;
  LLVMValueRef number = kc_ptx_get(work, is_address ? operand->parts : operand, NULL);
  LLVMValueRef pointer = pointer_of(work, number, 0);
  if (pointer == NULL && (space == KC_SHARED || space == KC_PRIVATE || kc_width(LLVMTypeOf(number)) != 64))
    kc_ptx_refuse(work,
                  "which variable its address is of is not seen: compute it from a pointer in the same function");
  if (pointer == NULL)
    pointer =
        LLVMBuildIntToPtr(work->builder, number, LLVMPointerTypeInContext(work->writer->context, KC_GENERIC), "");
  LLVMValueRef offset =
      LLVMConstInt(LLVMInt64TypeInContext(work->writer->context), (unsigned long long)operand->offset, 1);
  if (is_address && operand->offset != 0)
    pointer = LLVMBuildGEP2(work->builder, LLVMInt8TypeInContext(work->writer->context), pointer, &offset, 1, "");
  return space == KC_GENERIC ? pointer : in_space(work, pointer, space);
}

static LLVMValueRef address_of(kc_ptx_work *work, const kc_ptx_operand *operand) {
  return kc_ptx_pointer(work, operand, space_of(work));
}

/* ---- under a guard --------------------------------------------------------------------------------------- */

LLVMValueRef kc_ptx_under_guard(kc_ptx_work *work, LLVMValueRef guard, LLVMTypeRef result, LLVMValueRef *values,
                                unsigned count, kc_ptx_doing *what) {
  LLVMContextRef context = work->writer->context;
  LLVMTypeRef types[KC_PTX_OPERANDS + 1] = { LLVMTypeOf(guard) };
  LLVMValueRef all[KC_PTX_OPERANDS + 1] = { guard }, parameters[KC_PTX_OPERANDS];
  bool has_result = LLVMGetTypeKind(result) != LLVMVoidTypeKind;
  for (unsigned i = 0; i < count; i++) {
    types[i + 1] = LLVMTypeOf(values[i]);
    all[i + 1] = values[i];
  }
  LLVMTypeRef type = LLVMFunctionType(result, types, count + 1, 0);
  LLVMValueRef function = LLVMAddFunction(work->writer->module, "vptr.guarded", type);
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind, 0));
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, function, "");
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(context, function, "");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(context, function, "");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context), outer = work->builder;
  for (unsigned i = 0; i < count; i++)
    parameters[i] = LLVMGetParam(function, i + 1);
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMBuildCondBr(builder, LLVMGetParam(function, 0), then, end);
  LLVMPositionBuilderAtEnd(builder, then);
  work->builder = builder;
  LLVMValueRef value = what(work, parameters, count);
  work->builder = outer;
  LLVMBuildBr(builder, end);
  LLVMPositionBuilderAtEnd(builder, end);
  if (has_result) {
    LLVMValueRef phi = LLVMBuildPhi(builder, result, ""), none = LLVMConstNull(result);
    LLVMAddIncoming(phi, &value, &then, 1);
    LLVMAddIncoming(phi, &none, &entry, 1);
    LLVMBuildRet(builder, phi);
  } else {
    LLVMBuildRetVoid(builder);
  }
  LLVMDisposeBuilder(builder);
  return LLVMBuildCall2(work->builder, type, function, all, count + 1, "");
}

static LLVMValueRef done(kc_ptx_work *work, LLVMTypeRef result, LLVMValueRef *values, unsigned count,
                         kc_ptx_doing *what) {
  LLVMValueRef guard = kc_ptx_guard(work);
  return guard == NULL ? what(work, values, count) : kc_ptx_under_guard(work, guard, result, values, count, what);
}

/* ---- loads and stores ------------------------------------------------------------------------------------ */

static void fence(kc_ptx_work *work) {
  LLVMBuildFence(work->builder, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
}

static LLVMTypeRef memory_type(kc_ptx_work *work) {
  const kc_ptx_instruction *instruction = work->instruction;
  LLVMTypeRef type = kc_ptx_type(work, instruction->parts[instruction->part_count - 1]);
  if (type == NULL || strcmp(instruction->parts[instruction->part_count - 1], "pred") == 0)
    kc_ptx_refuse(work, "its type is none that kernels have");
  return type;
}

static LLVMValueRef do_load(kc_ptx_work *work, LLVMValueRef *values, unsigned count) {
  (void)count;
  LLVMValueRef load = LLVMBuildLoad2(work->builder, memory_type(work), values[0], "");
  LLVMSetVolatile(load, !kc_ptx_has(work->instruction, "nc"));
  LLVMSetAlignment(load, (unsigned)kc_size(work->writer, memory_type(work)));
  return load;
}

static LLVMValueRef do_store(kc_ptx_work *work, LLVMValueRef *values, unsigned count) {
  (void)count;
  LLVMValueRef store = LLVMBuildStore(work->builder, values[1], values[0]);
  LLVMSetVolatile(store, true);
  LLVMSetAlignment(store, (unsigned)kc_size(work->writer, LLVMTypeOf(values[1])));
  return NULL;
}

static unsigned words_of(const kc_ptx_work *work, const kc_ptx_operand *operand) {
  const kc_ptx_instruction *instruction = work->instruction;
  unsigned count = kc_ptx_has(instruction, "v2") ? 2 : kc_ptx_has(instruction, "v4") ? 4 : 1;
  if (count > 1 ? operand->kind != KC_PTX_LIST || operand->part_count != count : operand->kind == KC_PTX_LIST)
    kc_ptx_refuse(work, "it has another number of words than its type");
  return count;
}

static LLVMValueRef word_address(kc_ptx_work *work, LLVMValueRef pointer, LLVMTypeRef type, unsigned word) {
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(work->writer->context), word, 0);
  return word == 0 ? pointer : LLVMBuildGEP2(work->builder, type, pointer, &index, 1, "");
}

void kc_ptx_load(kc_ptx_work *work) {
  const kc_ptx_instruction *instruction = work->instruction;
  if (instruction->operand_count != 2)
    kc_ptx_refuse(work, "a load has a result and an address");
  const kc_ptx_operand *to = &instruction->operands[0];
  unsigned count = words_of(work, to);
  LLVMTypeRef type = memory_type(work);
  LLVMValueRef pointer = address_of(work, &instruction->operands[1]), values[4];
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef address = word_address(work, pointer, type, i);
    values[i] = done(work, type, &address, 1, do_load);
  }
  for (unsigned i = 0; i < count; i++)
    kc_ptx_put(work, to->kind == KC_PTX_LIST ? &to->parts[i] : to, values[i],
               kc_ptx_is_signed(instruction->parts[instruction->part_count - 1]));
  if (kc_ptx_has(instruction, "acquire"))
    fence(work);
}

void kc_ptx_store(kc_ptx_work *work) {
  const kc_ptx_instruction *instruction = work->instruction;
  if (instruction->operand_count != 2)
    kc_ptx_refuse(work, "a store has an address and a value");
  const kc_ptx_operand *from = &instruction->operands[1];
  unsigned count = words_of(work, from);
  LLVMTypeRef type = memory_type(work);
  LLVMValueRef pointer = address_of(work, &instruction->operands[0]);
  if (kc_ptx_has(instruction, "release"))
    fence(work);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef values[] = { word_address(work, pointer, type, i),
                              kc_ptx_get(work, from->kind == KC_PTX_LIST ? &from->parts[i] : from, type) };
    done(work, LLVMVoidTypeInContext(work->writer->context), values, 2, do_store);
  }
}

/* ---- atomic operations ----------------------------------------------------------------------------------- */

enum { NONE = -1, COMPARE = -2, INCREMENT = -3, DECREMENT = -4 };

/* LLVM's operation, by PTX's word and the type. */
static int operation_of(const kc_ptx_work *work) {
  static const struct {
    const char *part;
    int unsigned_operation, signed_operation, real_operation;
  } operations[] = {
    { "add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpFAdd },
    { "min", LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin, NONE },
    { "max", LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax, NONE },
    { "and", LLVMAtomicRMWBinOpAnd, NONE, NONE },
    { "or", LLVMAtomicRMWBinOpOr, NONE, NONE },
    { "xor", LLVMAtomicRMWBinOpXor, NONE, NONE },
    { "exch", LLVMAtomicRMWBinOpXchg, NONE, NONE },
    { "cas", COMPARE, NONE, NONE },
    { "inc", INCREMENT, NONE, NONE },
    { "dec", DECREMENT, NONE, NONE },
  };
  const kc_ptx_instruction *instruction = work->instruction;
  const char *type = instruction->parts[instruction->part_count - 1];
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (kc_ptx_has(instruction, operations[i].part))
      return *type == 'f'   ? operations[i].real_operation
             : *type == 's' ? operations[i].signed_operation
                            : operations[i].unsigned_operation;
  return NONE;
}

static LLVMValueRef do_atomic(kc_ptx_work *work, LLVMValueRef *values, unsigned count) {
  int operation = operation_of(work);
  LLVMAtomicOrdering relaxed = LLVMAtomicOrderingMonotonic;
  if (operation == COMPARE && count == 3) {
    LLVMValueRef both = LLVMBuildAtomicCmpXchg(work->builder, values[0], values[1], values[2], relaxed, relaxed, 0);
    return LLVMBuildExtractValue(work->builder, both, 0, "");
  }
  if (operation == INCREMENT || operation == DECREMENT)
    return kc_ptx_intrinsic(
        work, operation == INCREMENT ? "llvm.nvvm.atomic.load.inc.32.p0" : "llvm.nvvm.atomic.load.dec.32.p0",
        LLVMTypeOf(values[1]), values, 2);
  return LLVMBuildAtomicRMW(work->builder, (LLVMAtomicRMWBinOp)operation, values[0], values[1], relaxed, 0);
}

void kc_ptx_atomic(kc_ptx_work *work) {
  const kc_ptx_instruction *instruction = work->instruction;
  unsigned first = strcmp(instruction->parts[0], "atom") == 0 ? 1 : 0;
  unsigned count = instruction->operand_count - first;
  int operation = operation_of(work);
  LLVMTypeRef type = memory_type(work);
  if (operation == NONE || kc_ptx_has(instruction, "v2") || kc_ptx_has(instruction, "v4") ||
      (kc_is_integer(type) && strchr(instruction->parts[instruction->part_count - 1], 'f') != NULL))
    kc_ptx_refuse(work, "kernels have no such atomic operation");
  if (instruction->operand_count < first || count != (operation == COMPARE ? 3u : 2u))
    kc_ptx_refuse(work, "it has another number of operands");
  LLVMValueRef values[3] = { address_of(work, &instruction->operands[first]) };
  if (operation == INCREMENT || operation == DECREMENT)
    values[0] = in_space(work, values[0], KC_GENERIC);
  for (unsigned i = 1; i < count; i++)
    values[i] = kc_ptx_get(work, &instruction->operands[first + i], type);
  bool is_ordered =
      kc_ptx_has(instruction, "acquire") || kc_ptx_has(instruction, "release") || kc_ptx_has(instruction, "acq_rel");
  if (is_ordered)
    fence(work);
  LLVMValueRef before = done(work, type, values, count, do_atomic);
  if (is_ordered)
    fence(work);
  if (first == 1)
    kc_ptx_put(work, &instruction->operands[0], before, false);
}

/* ---- addresses as numbers -------------------------------------------------------------------------------- */

void kc_ptx_is_space(kc_ptx_work *work) {
  static const char *const words[] = {
    [KC_GLOBAL] = "global", [KC_SHARED] = "shared", [KC_CONSTANT] = "const", [KC_PRIVATE] = "local"
  };
  const kc_ptx_instruction *instruction = work->instruction;
  unsigned asked = space_of(work);
  if (instruction->operand_count != 2 || asked == KC_GENERIC)
    kc_ptx_refuse(work, "kernels have no such memory");
  LLVMValueRef pointer = pointer_of(work, kc_ptx_get(work, &instruction->operands[1], NULL), 0);
  if (pointer == NULL)
    kc_ptx_refuse(work, "which variable its address is of is not seen");
  unsigned known = kc_space_of(pointer);
  LLVMTypeRef type = LLVMInt1TypeInContext(work->writer->context);
  LLVMValueRef answer = LLVMConstInt(type, known == asked, 0);
  if (known == KC_GENERIC) {
    char name[40];
    snprintf(name, sizeof name, "llvm.nvvm.isspacep.%s", words[asked]);
    pointer = in_space(work, pointer, KC_GENERIC);
    answer = kc_ptx_intrinsic(work, name, type, &pointer, 1);
  }
  kc_ptx_put(work, &instruction->operands[0], answer, false);
}

/* cvta.to.shared.u64 d, a: the address in the memory, and without "to" the generic one; both lead to the same. */
void kc_ptx_address(kc_ptx_work *work) {
  const kc_ptx_instruction *instruction = work->instruction;
  if (instruction->operand_count != 2)
    kc_ptx_refuse(work, "it has another number of operands");
  LLVMValueRef pointer = pointer_of(work, kc_ptx_get(work, &instruction->operands[1], NULL), 0);
  if (pointer == NULL)
    kc_ptx_refuse(work, "which variable its address is of is not seen");
  bool is_to = kc_ptx_has(instruction, "to");
  if (!is_to)
    pointer = in_space(work, pointer, space_of(work));
  kc_ptx_put(work, &instruction->operands[0],
             LLVMBuildPtrToInt(work->builder, in_space(work, pointer, is_to ? space_of(work) : KC_GENERIC),
                               LLVMInt64TypeInContext(work->writer->context), ""),
             false);
}
