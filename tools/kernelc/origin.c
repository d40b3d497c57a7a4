/* SPDX-License-Identifier: MIT */
/* origin - see origin.h. */
#include "origin.h"

#include <stdlib.h>
#include <string.h>

#include "type.h"

struct kc_origins {
  kc_writer *writer;
  LLVMValueRef *values;    /* by number: parameters, then instructions */
  unsigned char *origins;  /* of what the value is */
  unsigned char *contents; /* of what lies in the variable that the value is the address of */
  unsigned *seen;          /* the walk that came by last */
  size_t count;
  LLVMValueRef *globals; /* the block's variables, and their contents */
  unsigned char *global_contents;
  size_t global_count;
  unsigned char untraced; /* what was stored to some variable, nobody knows which */
  unsigned walk;
  bool has_changed;
};

/* ---- numbers --------------------------------------------------------------------------------------------- */

static void number_value(kc_origins *origins, LLVMValueRef value) {
  char name[24];
  int length = snprintf(name, sizeof name, "o%zu", origins->count);
  LLVMSetValueName2(value, name, (size_t)length);
  origins->values[origins->count++] = value;
}

static bool is_void(LLVMValueRef instruction) {
  return LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVoidTypeKind;
}

static void each_instruction(kc_origins *origins, LLVMValueRef function,
                             void (*each)(kc_origins *origins, LLVMValueRef instruction)) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = LLVMGetNextInstruction(at))
      each(origins, at);
}

static void count_instruction(kc_origins *origins, LLVMValueRef instruction) {
  origins->count++;
  if (!is_void(instruction))
    LLVMSetValueName2(instruction, "", 0);
}

static void number_instruction(kc_origins *origins, LLVMValueRef instruction) {
  if (!is_void(instruction))
    number_value(origins, instruction);
}

static void number_all(kc_origins *origins, LLVMValueRef function) {
  unsigned parameters = LLVMCountParams(function);
  for (unsigned i = 0; i < parameters; i++)
    LLVMSetValueName2(LLVMGetParam(function, i), "", 0);
  each_instruction(origins, function, count_instruction);
  size_t most = origins->count + parameters;
  origins->count = 0;
  origins->values = kc_allocate(most, sizeof *origins->values);
  origins->origins = kc_allocate(most, 1);
  origins->contents = kc_allocate(most, 1);
  origins->seen = kc_allocate(most, sizeof *origins->seen);
  for (unsigned i = 0; i < parameters; i++)
    number_value(origins, LLVMGetParam(function, i));
  each_instruction(origins, function, number_instruction);
}

long kc_origins_number(const kc_origins *origins, LLVMValueRef value) {
  size_t length = 0;
  if (LLVMIsAInstruction(value) == NULL && LLVMIsAArgument(value) == NULL)
    return -1;
  const char *name = LLVMGetValueName2(value, &length);
  size_t number = length > 1 && *name == 'o' ? (size_t)atol(name + 1) : origins->count;
  return number < origins->count && origins->values[number] == value ? (long)number : -1;
}

size_t kc_origins_count(const kc_origins *origins) {
  return origins->count;
}

static void add_to(kc_origins *origins, unsigned char *set, unsigned more) {
  if ((*set | more) != *set)
    origins->has_changed = true;
  *set = (unsigned char)(*set | more);
}

/* ---- variables ------------------------------------------------------------------------------------------- */

static unsigned char *contents_of_global(kc_origins *origins, LLVMValueRef global) {
  for (size_t i = 0; i < origins->global_count; i++)
    if (origins->globals[i] == global)
      return &origins->global_contents[i];
  return NULL;
}

static void list_globals(kc_origins *origins) {
  size_t count = 0;
  LLVMModuleRef module = origins->writer->module;
  for (LLVMValueRef each = LLVMGetFirstGlobal(module); each != NULL; each = LLVMGetNextGlobal(each))
    count++;
  origins->globals = kc_allocate(count, sizeof *origins->globals);
  origins->global_contents = kc_allocate(count, 1);
  for (LLVMValueRef each = LLVMGetFirstGlobal(module); each != NULL; each = LLVMGetNextGlobal(each))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(each)) == KC_SHARED)
      origins->globals[origins->global_count++] = each;
}

/* What a walk finds: variables, by the places of their contents, and whether there may be others. */
typedef struct found {
  unsigned char **contents;
  size_t count, room;
  bool is_untraced;
} found;

static void find_one(found *found, unsigned char *contents) {
  if (found->count == found->room) {
    found->room = found->room * 2 + 8;
    found->contents = realloc(found->contents, found->room * sizeof *found->contents);
    if (found->contents == NULL)
      abort();
  }
  found->contents[found->count++] = contents;
}

static LLVMOpcode opcode_of(LLVMValueRef value) {
  if (LLVMIsAInstruction(value) != NULL)
    return LLVMGetInstructionOpcode(value);
  return LLVMIsAConstantExpr(value) != NULL ? LLVMGetConstOpcode(value) : 0;
}

static bool was_seen(kc_origins *origins, LLVMValueRef value) {
  long number = kc_origins_number(origins, value);
  if (number < 0)
    return false;
  bool result = origins->seen[number] == origins->walk;
  origins->seen[number] = origins->walk;
  return result;
}

static void find_variables(kc_origins *origins, found *found, LLVMValueRef pointer) {
  long number = kc_origins_number(origins, pointer);
  LLVMOpcode opcode = opcode_of(pointer);
  if (was_seen(origins, pointer) || (kc_origins_of_value(origins, pointer) & ~(unsigned)KC_IN_GLOBAL) == 0)
    return;
  if (number >= 0 && (opcode == LLVMAlloca || LLVMIsAArgument(pointer) != NULL)) {
    find_one(found, &origins->contents[number]);
  } else if (LLVMIsAGlobalVariable(pointer) != NULL) {
    unsigned char *contents = contents_of_global(origins, pointer);
    if (contents != NULL)
      find_one(found, contents);
  } else if (opcode == LLVMGetElementPtr || opcode == LLVMAddrSpaceCast || opcode == LLVMBitCast) {
    find_variables(origins, found, LLVMGetOperand(pointer, 0));
  } else if (opcode == LLVMPHI) {
    for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++)
      find_variables(origins, found, LLVMGetIncomingValue(pointer, i));
  } else if (opcode == LLVMSelect) {
    find_variables(origins, found, LLVMGetOperand(pointer, 1));
    find_variables(origins, found, LLVMGetOperand(pointer, 2));
  } else {
    found->is_untraced = true;
  }
}

static found variables_of(kc_origins *origins, LLVMValueRef pointer) {
  found found = { .count = 0 };
  origins->walk++;
  find_variables(origins, &found, pointer);
  return found;
}

static unsigned all_contents(const kc_origins *origins) {
  unsigned all = origins->untraced;
  for (size_t i = 0; i < origins->count; i++)
    all |= origins->contents[i];
  for (size_t i = 0; i < origins->global_count; i++)
    all |= origins->global_contents[i];
  return all;
}

static unsigned loaded_from(kc_origins *origins, LLVMValueRef pointer) {
  found found = variables_of(origins, pointer);
  unsigned own = kc_origins_of_value(origins, pointer) & ~(unsigned)KC_IN_GLOBAL;
  unsigned set = (kc_origins_of_value(origins, pointer) & KC_IN_GLOBAL) | (own != 0 ? origins->untraced : 0);
  for (size_t i = 0; i < found.count; i++)
    set |= *found.contents[i];
  if (found.is_untraced)
    set |= all_contents(origins);
  free(found.contents);
  return set;
}

static void store_to(kc_origins *origins, LLVMValueRef pointer, unsigned set) {
  if (set == 0)
    return;
  found found = variables_of(origins, pointer);
  for (size_t i = 0; i < found.count; i++)
    add_to(origins, found.contents[i], set);
  if (found.is_untraced)
    add_to(origins, &origins->untraced, set);
  free(found.contents);
}

/* ---- values ---------------------------------------------------------------------------------------------- */

static unsigned origin_of_space(unsigned space) {
  return space == KC_SHARED ? KC_IN_SHARED : space == KC_PRIVATE ? KC_IN_PRIVATE : KC_IN_GLOBAL;
}

static bool is_typed(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return kc_is_pointer(type) && LLVMGetPointerAddressSpace(type) != KC_GENERIC;
}

static unsigned origins_of_constant(const kc_origins *origins, LLVMValueRef value) {
  unsigned set = 0;
  if (LLVMIsNull(value) || LLVMIsUndef(value) || LLVMIsPoison(value))
    return 0;
  if (LLVMIsAGlobalValue(value) != NULL || is_typed(value))
    return origin_of_space(LLVMGetPointerAddressSpace(LLVMTypeOf(value)));
  if (LLVMIsAConstantExpr(value) != NULL)
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
      set |= kc_origins_of_value(origins, LLVMGetOperand(value, (unsigned)i));
  return set == 0 && kc_is_pointer(LLVMTypeOf(value)) ? KC_IN_GLOBAL : set;
}

unsigned kc_origins_of_value(const kc_origins *origins, LLVMValueRef value) {
  long number = kc_origins_number(origins, value);
  if (LLVMIsAConstant(value) != NULL)
    return origins_of_constant(origins, value);
  if (is_typed(value))
    return origin_of_space(LLVMGetPointerAddressSpace(LLVMTypeOf(value)));
  return number >= 0 ? origins->origins[number] : kc_is_pointer(LLVMTypeOf(value)) ? KC_IN_GLOBAL : 0;
}

/* Wide enough to have a pointer in it. */
static bool may_hold_pointer(kc_origins *origins, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (kc_is_floating(type) || LLVMGetTypeKind(type) == LLVMVoidTypeKind ||
      LLVMGetTypeKind(type) == LLVMLabelTypeKind || LLVMGetTypeKind(type) == LLVMMetadataTypeKind)
    return false;
  return kc_size(origins->writer, type) >= 8;
}

static unsigned of_operands(kc_origins *origins, LLVMValueRef instruction, int first) {
  unsigned set = 0;
  for (int i = first; i < LLVMGetNumOperands(instruction); i++)
    set |= kc_origins_of_value(origins, LLVMGetOperand(instruction, (unsigned)i));
  return set;
}

static bool is_masked(LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) != NULL && kc_starts(LLVMGetValueName2(callee, &length), "llvm.ptrmask");
}

static unsigned origins_of(kc_origins *origins, LLVMValueRef value) {
  bool is_pointer = kc_is_pointer(LLVMTypeOf(value));
  unsigned set = 0;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAlloca:
    return KC_IN_PRIVATE;
  case LLVMGetElementPtr:
  case LLVMExtractValue:
    return kc_origins_of_value(origins, LLVMGetOperand(value, 0));
  case LLVMLoad:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return loaded_from(origins, LLVMGetOperand(value, 0));
  case LLVMPHI:
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
      set |= kc_origins_of_value(origins, LLVMGetIncomingValue(value, i));
    return set;
  case LLVMSelect:
    return of_operands(origins, value, 1);
  case LLVMIntToPtr:
    set = kc_origins_of_value(origins, LLVMGetOperand(value, 0));
    return set != 0 ? set : KC_IN_GLOBAL;
  case LLVMCall:
    if (is_masked(value))
      return kc_origins_of_value(origins, LLVMGetOperand(value, 0));
    return is_pointer ? KC_IN_GLOBAL : 0;
  default:
    return of_operands(origins, value, 0);
  }
}

static void pass_call(kc_origins *origins, LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  const char *name = LLVMIsAFunction(callee) != NULL ? LLVMGetValueName2(callee, &length) : "";
  if (kc_starts(name, "llvm.memcpy.") || kc_starts(name, "llvm.memmove."))
    store_to(origins, LLVMGetOperand(call, 0), loaded_from(origins, LLVMGetOperand(call, 1)));
}

static void pass_instruction(kc_origins *origins, LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  long number = kc_origins_number(origins, instruction);
  if (opcode == LLVMStore && may_hold_pointer(origins, LLVMGetOperand(instruction, 0)))
    store_to(origins, LLVMGetOperand(instruction, 1), kc_origins_of_value(origins, LLVMGetOperand(instruction, 0)));
  else if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
    store_to(origins, LLVMGetOperand(instruction, 0), of_operands(origins, instruction, 1));
  else if (opcode == LLVMCall)
    pass_call(origins, instruction);
  if (number >= 0 && may_hold_pointer(origins, instruction))
    add_to(origins, &origins->origins[number], origins_of(origins, instruction));
}

/* A struct by value has what the host put there. */
static void begin_parameters(kc_origins *origins, LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    bool is_passed = kc_passed_type(function, i) != NULL;
    origins->origins[i] = is_passed                                              ? KC_IN_PRIVATE
                          : kc_is_pointer(LLVMTypeOf(LLVMGetParam(function, i))) ? KC_IN_GLOBAL
                                                                                 : 0;
    origins->contents[i] = is_passed ? KC_IN_GLOBAL : 0;
  }
}

kc_origins *kc_origins_of(kc_writer *writer, LLVMValueRef function) {
  kc_origins *origins = kc_allocate(1, sizeof *origins);
  origins->writer = writer;
  number_all(origins, function);
  list_globals(origins);
  begin_parameters(origins, function);
  do {
    origins->has_changed = false;
    each_instruction(origins, function, pass_instruction);
  } while (origins->has_changed);
  return origins;
}

void kc_origins_free(kc_origins *origins) {
  free(origins->values);
  free(origins->origins);
  free(origins->contents);
  free(origins->seen);
  free(origins->globals);
  free(origins->global_contents);
  free(origins);
}
