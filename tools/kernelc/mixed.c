/* SPDX-License-Identifier: MIT */
/* mixed - see mixed.h. */
#include "mixed.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "access.h"
#include "origin.h"
#include "type.h"

typedef struct mixed {
  kc_writer *writer;
  kc_origins *origins;
  LLVMBuilderRef builder;
  LLVMTypeRef number;
  LLVMValueRef *twins; /* by the pointer's number: the number in its place */
  bool is_any;
} mixed;

static bool is_generic(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return kc_is_pointer(type) && LLVMGetPointerAddressSpace(type) == KC_GENERIC;
}

static bool is_mixed(const kc_origins *origins, LLVMValueRef value) {
  unsigned set =
      is_generic(value) && kc_origins_number(origins, value) >= 0 ? kc_origins_of_value(origins, value) : 0;
  return (set & (set - 1)) != 0;
}

static LLVMTypeRef pointer_type(const mixed *mixed, unsigned space) {
  return LLVMPointerTypeInContext(mixed->writer->context, space);
}

static void begin(mixed *mixed, kc_writer *writer, LLVMValueRef function) {
  mixed->writer = writer;
  mixed->origins = kc_origins_of(writer, function);
  mixed->builder = LLVMCreateBuilderInContext(writer->context);
  mixed->number = LLVMInt64TypeInContext(writer->context);
  mixed->twins = kc_allocate(kc_origins_count(mixed->origins), sizeof *mixed->twins);
  mixed->is_any = false;
}

static void end(mixed *mixed) {
  LLVMDisposeBuilder(mixed->builder);
  kc_origins_free(mixed->origins);
  free(mixed->twins);
}

static void each_instruction(mixed *mixed, LLVMValueRef function,
                             void (*each)(struct mixed *mixed, LLVMValueRef at)) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      each(mixed, at);
    }
}

static void replace_value(LLVMValueRef value, LLVMValueRef other) {
  LLVMReplaceAllUsesWith(value, other);
  LLVMInstructionEraseFromParent(value);
}

/* The number that lies where a pointer is loaded from. */
static LLVMValueRef load_number(mixed *mixed, LLVMValueRef load) {
  LLVMValueRef number = LLVMBuildLoad2(mixed->builder, mixed->number, LLVMGetOperand(load, 0), "");
  LLVMSetAlignment(number, LLVMGetAlignment(load));
  LLVMSetVolatile(number, LLVMGetVolatile(load));
  LLVMSetOrdering(number, LLVMGetOrdering(load));
  LLVMInstructionSetDebugLoc(number, LLVMInstructionGetDebugLoc(load));
  return number;
}

/* ---- one memory ------------------------------------------------------------------------------------------ */

static LLVMValueRef cast_before(mixed *mixed, LLVMValueRef pointer, LLVMTypeRef type, LLVMValueRef place) {
  if (LLVMIsNull(pointer))
    return LLVMConstNull(type);
  LLVMPositionBuilderBefore(mixed->builder, place);
  return LLVMBuildAddrSpaceCast(mixed->builder, pointer, type, "");
}

/* LLVM lets NULL keep a choice, or what comes from several blocks, from having a space. */
static LLVMValueRef place_choice(mixed *mixed, LLVMValueRef pointer, LLVMTypeRef type) {
  if (LLVMIsASelectInst(pointer) != NULL) {
    LLVMValueRef one = cast_before(mixed, LLVMGetOperand(pointer, 1), type, pointer);
    LLVMValueRef other = cast_before(mixed, LLVMGetOperand(pointer, 2), type, pointer);
    LLVMPositionBuilderBefore(mixed->builder, pointer);
    return LLVMBuildSelect(mixed->builder, LLVMGetOperand(pointer, 0), one, other, "");
  }
  LLVMPositionBuilderBefore(mixed->builder, pointer);
  LLVMValueRef phi = LLVMBuildPhi(mixed->builder, type, ""), behind = pointer;
  for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(pointer, i);
    LLVMValueRef value =
        cast_before(mixed, LLVMGetIncomingValue(pointer, i), type, LLVMGetBasicBlockTerminator(from));
    LLVMAddIncoming(phi, &value, &from, 1);
  }
  while (LLVMIsAPHINode(behind) != NULL)
    behind = LLVMGetNextInstruction(behind);
  LLVMPositionBuilderBefore(mixed->builder, behind);
  return phi;
}

static LLVMValueRef place_number(mixed *mixed, LLVMValueRef at, LLVMTypeRef type) {
  LLVMPositionBuilderBefore(mixed->builder, at);
  LLVMValueRef number = LLVMIsALoadInst(at) != NULL ? load_number(mixed, at) : LLVMGetOperand(at, 0);
  return LLVMBuildIntToPtr(mixed->builder, number, type, "");
}

static void place_pointer(mixed *mixed, LLVMValueRef at) {
  unsigned set = is_generic(at) ? kc_origins_of_value(mixed->origins, at) : 0;
  LLVMTypeRef type = pointer_type(mixed, set == KC_IN_SHARED ? KC_SHARED : KC_PRIVATE);
  bool is_number = LLVMIsALoadInst(at) != NULL || LLVMIsAIntToPtrInst(at) != NULL;
  bool is_choice = LLVMIsASelectInst(at) != NULL || LLVMIsAPHINode(at) != NULL;
  if ((set != KC_IN_SHARED && set != KC_IN_PRIVATE) || (!is_number && !is_choice))
    return;
  LLVMValueRef there = is_choice ? place_choice(mixed, at, type) : place_number(mixed, at, type);
  replace_value(at, LLVMBuildAddrSpaceCast(mixed->builder, there, pointer_type(mixed, KC_GENERIC), ""));
  mixed->is_any = true;
}

bool kc_mixed_place(kc_writer *writer, LLVMValueRef function) {
  mixed mixed;
  begin(&mixed, writer, function);
  each_instruction(&mixed, function, place_pointer);
  end(&mixed);
  return mixed.is_any;
}

/* ---- numbers in the place of pointers -------------------------------------------------------------------- */

static LLVMValueRef twin_of(mixed *mixed, LLVMValueRef pointer);

/* The pointer as a number, in front of an instruction. */
static LLVMValueRef number_before(mixed *mixed, LLVMValueRef pointer, LLVMValueRef place) {
  if (is_mixed(mixed->origins, pointer))
    return twin_of(mixed, pointer);
  if (LLVMIsNull(pointer) || LLVMIsUndef(pointer) || LLVMIsPoison(pointer))
    return LLVMConstNull(mixed->number);
  unsigned set = kc_origins_of_value(mixed->origins, pointer);
  LLVMPositionBuilderBefore(mixed->builder, place);
  if (set == KC_IN_SHARED || set == KC_IN_PRIVATE)
    pointer = LLVMBuildAddrSpaceCast(mixed->builder, pointer,
                                     pointer_type(mixed, set == KC_IN_SHARED ? KC_SHARED : KC_PRIVATE), "");
  return LLVMBuildPtrToInt(mixed->builder, pointer, mixed->number, "");
}

static LLVMValueRef twin_of_sum(mixed *mixed, LLVMValueRef address) {
  enum { MOST_INDEXES = 16 };
  LLVMValueRef indexes[MOST_INDEXES], base = number_before(mixed, LLVMGetOperand(address, 0), address);
  int count = LLVMGetNumOperands(address) - 1;
  if (count > MOST_INDEXES)
    kc_refuse(mixed->writer, "an array of more than %d dimensions in memory that is not known: use fewer",
              MOST_INDEXES);
  for (int i = 0; i < count; i++)
    indexes[i] = LLVMGetOperand(address, (unsigned)i + 1);
  LLVMPositionBuilderBefore(mixed->builder, address);
  LLVMValueRef from_null =
      LLVMBuildGEP2(mixed->builder, LLVMGetGEPSourceElementType(address),
                    LLVMConstNull(pointer_type(mixed, KC_GENERIC)), indexes, (unsigned)count, "");
  return LLVMBuildAdd(mixed->builder, base, LLVMBuildPtrToInt(mixed->builder, from_null, mixed->number, ""), "");
}

static LLVMValueRef twin_of_choice(mixed *mixed, LLVMValueRef choice) {
  LLVMValueRef one = number_before(mixed, LLVMGetOperand(choice, 1), choice);
  LLVMValueRef other = number_before(mixed, LLVMGetOperand(choice, 2), choice);
  LLVMPositionBuilderBefore(mixed->builder, choice);
  return LLVMBuildSelect(mixed->builder, LLVMGetOperand(choice, 0), one, other, "");
}

static LLVMValueRef make_twin(mixed *mixed, LLVMValueRef pointer) {
  LLVMPositionBuilderBefore(mixed->builder, pointer);
  mixed->writer->instruction = pointer;
  switch (LLVMGetInstructionOpcode(pointer)) {
  case LLVMPHI: /* what comes in is added when all are there */
    return LLVMBuildPhi(mixed->builder, mixed->number, "");
  case LLVMSelect:
    return twin_of_choice(mixed, pointer);
  case LLVMGetElementPtr:
    return twin_of_sum(mixed, pointer);
  case LLVMLoad:
    return load_number(mixed, pointer);
  case LLVMIntToPtr:
    return LLVMGetOperand(pointer, 0);
  case LLVMFreeze:
    return number_before(mixed, LLVMGetOperand(pointer, 0), pointer);
  case LLVMCall: /* llvm.ptrmask */
    return LLVMBuildAnd(mixed->builder, number_before(mixed, LLVMGetOperand(pointer, 0), pointer),
                        LLVMGetOperand(pointer, 1), "");
  default:
    kc_refuse(mixed->writer,
              "a pointer that may lead into shared memory, or to a variable of the thread, or into global "
              "memory comes out of a struct that is a value: load it by itself");
  }
}

static LLVMValueRef twin_of(mixed *mixed, LLVMValueRef pointer) {
  long number = kc_origins_number(mixed->origins, pointer);
  if (mixed->twins[number] == NULL)
    mixed->twins[number] = make_twin(mixed, pointer);
  return mixed->twins[number];
}

static void make_twins(mixed *mixed, LLVMValueRef at) {
  if (is_mixed(mixed->origins, at))
    (void)twin_of(mixed, at);
}

static void fill_phi(mixed *mixed, LLVMValueRef at) {
  if (LLVMIsAPHINode(at) == NULL || !is_mixed(mixed->origins, at))
    return;
  for (unsigned i = 0; i < LLVMCountIncoming(at); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(at, i);
    LLVMValueRef value = number_before(mixed, LLVMGetIncomingValue(at, i), LLVMGetBasicBlockTerminator(from));
    LLVMAddIncoming(twin_of(mixed, at), &value, &from, 1);
  }
}

/* ---- who uses them --------------------------------------------------------------------------------------- */

static void compare_numbers(mixed *mixed, LLVMValueRef at) {
  LLVMValueRef left = number_before(mixed, LLVMGetOperand(at, 0), at);
  LLVMValueRef right = number_before(mixed, LLVMGetOperand(at, 1), at);
  LLVMPositionBuilderBefore(mixed->builder, at);
  replace_value(at, LLVMBuildICmp(mixed->builder, LLVMGetICmpPredicate(at), left, right, ""));
}

static void store_number(mixed *mixed, LLVMValueRef at) {
  LLVMValueRef number = twin_of(mixed, LLVMGetOperand(at, 0));
  LLVMPositionBuilderBefore(mixed->builder, at);
  LLVMValueRef store = LLVMBuildStore(mixed->builder, number, LLVMGetOperand(at, 1));
  LLVMSetAlignment(store, LLVMGetAlignment(at));
  LLVMSetVolatile(store, LLVMGetVolatile(at));
  LLVMSetOrdering(store, LLVMGetOrdering(at));
  LLVMInstructionSetDebugLoc(store, LLVMInstructionGetDebugLoc(at));
  LLVMInstructionEraseFromParent(at);
}

static bool has_mixed_operand(const mixed *mixed, LLVMValueRef at, int first, int count) {
  for (int i = first; i < count; i++)
    if (is_mixed(mixed->origins, LLVMGetOperand(at, (unsigned)i)))
      return true;
  return false;
}

/* What takes the pointer as a value; accesses by it come after. */
static void replace_use(mixed *mixed, LLVMValueRef at) {
  int count = LLVMGetNumOperands(at);
  if (is_mixed(mixed->origins, at) || count == 0 || !has_mixed_operand(mixed, at, 0, count))
    return;
  LLVMValueRef first = LLVMGetOperand(at, 0);
  mixed->writer->instruction = at;
  if (LLVMIsAICmpInst(at) != NULL) {
    compare_numbers(mixed, at);
  } else if (LLVMIsAPtrToIntInst(at) != NULL || LLVMIsAAddrSpaceCastInst(at) != NULL) {
    LLVMValueRef number = twin_of(mixed, first);
    LLVMPositionBuilderBefore(mixed->builder, at);
    replace_value(at, LLVMIsAPtrToIntInst(at) != NULL
                          ? LLVMBuildIntCast2(mixed->builder, number, LLVMTypeOf(at), 0, "")
                          : LLVMBuildIntToPtr(mixed->builder, number, LLVMTypeOf(at), ""));
  } else if (LLVMIsAStoreInst(at) != NULL && is_mixed(mixed->origins, first)) {
    store_number(mixed, at);
  }
}

static void replace_access(mixed *mixed, LLVMValueRef at) {
  enum { MOST_OPERANDS = 64 };
  LLVMValueRef numbers[MOST_OPERANDS] = { NULL };
  unsigned sets[MOST_OPERANDS] = { 0 };
  int count = LLVMIsACallInst(at) != NULL ? (int)LLVMGetNumArgOperands(at) : LLVMGetNumOperands(at);
  if (is_mixed(mixed->origins, at) || !has_mixed_operand(mixed, at, 0, count))
    return;
  mixed->writer->instruction = at;
  if (!kc_access_is(at) || count > MOST_OPERANDS)
    kc_refuse(mixed->writer,
              "a pointer that may lead into shared memory, or to a variable of the thread, or into global "
              "memory is put into a struct that is a value: use two pointers, or a branch for each");
  for (int i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(at, (unsigned)i);
    if (is_mixed(mixed->origins, operand)) {
      numbers[i] = twin_of(mixed, operand);
      sets[i] = kc_origins_of_value(mixed->origins, operand);
    }
  }
  LLVMValueRef call = kc_access_replace(mixed->writer, at, numbers, sets);
  for (size_t i = 0; i < kc_origins_count(mixed->origins); i++)
    if (mixed->twins[i] == at)
      mixed->twins[i] = call;
}

static void drop_uses(mixed *mixed, LLVMValueRef at) {
  if (is_mixed(mixed->origins, at))
    LLVMReplaceAllUsesWith(at, LLVMGetUndef(LLVMTypeOf(at)));
}

static void drop_pointer(mixed *mixed, LLVMValueRef at) {
  if (is_mixed(mixed->origins, at))
    LLVMInstructionEraseFromParent(at);
}

/* A struct that is loaded as a value has the pointers that the host knows. */
static void find_mixed(mixed *mixed, LLVMValueRef at) {
  bool is_own = is_generic(at) && (kc_origins_of_value(mixed->origins, at) & ~(unsigned)KC_IN_GLOBAL) != 0;
  mixed->writer->instruction = at;
  if (LLVMIsAExtractValueInst(at) != NULL && is_own)
    kc_refuse(mixed->writer,
              "a pointer to shared memory or to a variable of the thread comes out of a struct that is a "
              "value: load it by itself");
  mixed->is_any |= is_mixed(mixed->origins, at);
}

bool kc_mixed_split(kc_writer *writer, LLVMValueRef function) {
  mixed mixed;
  begin(&mixed, writer, function);
  each_instruction(&mixed, function, find_mixed);
  if (mixed.is_any) {
    each_instruction(&mixed, function, make_twins);
    each_instruction(&mixed, function, fill_phi);
    each_instruction(&mixed, function, replace_use);
    each_instruction(&mixed, function, replace_access);
    each_instruction(&mixed, function, drop_uses);
    each_instruction(&mixed, function, drop_pointer);
  }
  end(&mixed);
  writer->instruction = NULL;
  return mixed.is_any;
}
