/* SPDX-License-Identifier: MIT */
/*
 * recursion - see recursion.h.
 *
 * OpenCL C has no recursion. A function that calls itself becomes a loop: its parameters and all values that live
 * longer than a block lie in arrays with an element for each level, a call is a jump to the beginning one level higher,
 * and a return one level lower, to behind the call. Whoever calls deeper than MOST_LEVELS ends the grid. LLVM's reg2mem
 * has put away the phis before. Addresses are computed anew behind a call, for a pointer to a thread's own memory could
 * not lie there. Of two functions that call each other LLVM inlines one into the other. A struct that is given by value
 * is a variable, with an element for each level as all have.
 */
#include "recursion.h"

#include <stdlib.h>
#include <string.h>

#include "type.h"

enum { MOST_LEVELS = 64, MOST_CALLS = 16 };

typedef struct loop {
  kc_writer *writer;
  LLVMValueRef function;
  LLVMBuilderRef builder;
  LLVMBasicBlockRef begin, dispatch;  /* behind the new entry; where a return goes on */
  LLVMValueRef level, result, origin; /* variables: the level; what is returned; by level, which call it was */
  LLVMBasicBlockRef behind[MOST_CALLS];
  unsigned count;
} loop;

static LLVMTypeRef word(loop *loop) {
  return LLVMInt32TypeInContext(loop->writer->context);
}

static LLVMValueRef number(loop *loop, unsigned value) {
  return LLVMConstInt(word(loop), value, 0);
}

/* ---- which -------------------------------------------------------------------------------------------------- */

static bool is_call_of(LLVMValueRef instruction, LLVMValueRef function) {
  return LLVMIsACallInst(instruction) != NULL && LLVMGetCalledValue(instruction) == function;
}

/* 0: it does not call itself, or cannot become a loop. */
static unsigned count_calls(LLVMValueRef function) {
  unsigned count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
      count += is_call_of(each, function);
  return count <= MOST_CALLS ? count : 0;
}

/* The same at each level, as references mostly are. */
static bool is_constant_parameter(LLVMValueRef function, unsigned parameter) {
  if (kc_passed_type(function, parameter) != NULL)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) != NULL && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function &&
        LLVMGetOperand(user, parameter) != LLVMGetParam(function, parameter))
      return false;
  }
  return true;
}

/* ---- addresses of members, which are found anew where they are used -------------------------------------------- */

static bool is_member(LLVMValueRef value) {
  return LLVMIsAGetElementPtrInst(value) != NULL;
}

static void find_anew(LLVMBuilderRef builder, LLVMValueRef member) {
  LLVMUseRef use = LLVMGetFirstUse(member);
  while (use != NULL) {
    LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    while (use != NULL && LLVMGetUser(use) == user)
      use = LLVMGetNextUse(use);
    if (LLVMIsAPHINode(user) != NULL || LLVMGetInstructionParent(user) == LLVMGetInstructionParent(member))
      continue;
    LLVMValueRef again = LLVMInstructionClone(member);
    LLVMPositionBuilderBefore(builder, user);
    LLVMInsertIntoBuilder(builder, again);
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, (unsigned)i) == member)
        LLVMSetOperand(user, (unsigned)i, again);
  }
}

/* A member of a member is found by the second round. */
static void find_members_anew(kc_writer *writer, LLVMValueRef function) {
  enum { ROUNDS = 3 };
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writer->context);
  for (int round = 0; round < ROUNDS; round++)
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
        if (is_member(each))
          find_anew(builder, each);
  LLVMDisposeBuilder(builder);
}

/* ---- places by level ---------------------------------------------------------------------------------------- */

static LLVMValueRef add_place(loop *loop, LLVMTypeRef type) {
  LLVMPositionBuilderBefore(loop->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(loop->function)));
  return LLVMBuildAlloca(loop->builder, type, "");
}

static LLVMValueRef place_at(loop *loop, LLVMValueRef places, LLVMValueRef level) {
  LLVMValueRef indices[] = { number(loop, 0), level };
  return LLVMBuildInBoundsGEP2(loop->builder, LLVMGetAllocatedType(places), places, indices, 2, "");
}

static LLVMValueRef place_now(loop *loop, LLVMValueRef places) {
  return place_at(loop, places, LLVMBuildLoad2(loop->builder, word(loop), loop->level, ""));
}

/* Each use of the value, but those in a block of its own, becomes one of its element, or of that's address. */
static void replace_uses(loop *loop, LLVMValueRef value, LLVMValueRef places, bool is_place, LLVMBasicBlockRef own) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  while (use != NULL) {
    LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsAInstruction(user) == NULL || LLVMGetInstructionParent(user) == own)
      continue;
    while (use != NULL && LLVMGetUser(use) == user)
      use = LLVMGetNextUse(use);
    LLVMPositionBuilderBefore(loop->builder, user);
    LLVMValueRef now = place_now(loop, places);
    if (!is_place)
      now = LLVMBuildLoad2(loop->builder, LLVMTypeOf(value), now, "");
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, (unsigned)i) == value)
        LLVMSetOperand(user, (unsigned)i, now);
  }
}

/* ---- blocks ------------------------------------------------------------------------------------------------- */

/* The variables of the old entry stay in a new one before it. */
static LLVMValueRef *split_entry(loop *loop, unsigned *count_out) {
  LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(loop->function);
  LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(loop->writer->context, old, "");
  unsigned count = 0;
  for (LLVMValueRef each = LLVMGetFirstInstruction(old); each != NULL; each = LLVMGetNextInstruction(each))
    count += LLVMIsAAllocaInst(each) != NULL;
  LLVMValueRef *variables = kc_allocate(count + 1, sizeof *variables);
  count = 0;
  for (LLVMValueRef each = LLVMGetFirstInstruction(old); each != NULL; each = LLVMGetNextInstruction(each))
    if (LLVMIsAAllocaInst(each) != NULL)
      variables[count++] = each;
  loop->begin = old;
  LLVMPositionBuilderAtEnd(loop->builder, entry);
  LLVMBuildBr(loop->builder, old);
  *count_out = count;
  return variables;
}

/* What follows the call goes into a block of its own. */
static void split_behind(loop *loop, LLVMValueRef call) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
  LLVMBasicBlockRef behind = LLVMAppendBasicBlockInContext(loop->writer->context, loop->function, "");
  LLVMPositionBuilderAtEnd(loop->builder, behind);
  for (LLVMValueRef each = LLVMGetNextInstruction(call); each != NULL;) {
    LLVMValueRef next = LLVMGetNextInstruction(each);
    LLVMInstructionRemoveFromParent(each);
    LLVMInsertIntoBuilder(loop->builder, each);
    each = next;
  }
  LLVMPositionBuilderAtEnd(loop->builder, block);
  LLVMBuildBr(loop->builder, behind);
  loop->behind[loop->count++] = behind;
}

static void split_calls(loop *loop) {
  for (LLVMBasicBlockRef block = loop->begin; block != NULL; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
      if (is_call_of(each, loop->function)) {
        split_behind(loop, each);
        break;
      }
}

/* ---- values ------------------------------------------------------------------------------------------------- */

static bool is_used_elsewhere(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use))
    if (LLVMGetInstructionParent(LLVMGetUser(use)) != LLVMGetInstructionParent(value))
      return true;
  return false;
}

static void keep_value(loop *loop, LLVMValueRef value) {
  LLVMBasicBlockRef own = LLVMGetInstructionParent(value);
  LLVMValueRef places = add_place(loop, LLVMArrayType2(LLVMTypeOf(value), MOST_LEVELS));
  replace_uses(loop, value, places, false, own);
  LLVMPositionBuilderBefore(loop->builder, LLVMGetNextInstruction(value));
  LLVMBuildStore(loop->builder, value, place_now(loop, places));
}

static void keep_values(loop *loop) {
  for (LLVMBasicBlockRef block = loop->begin; block != NULL; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;) {
      LLVMValueRef next = LLVMGetNextInstruction(each);
      if (is_used_elsewhere(each))
        keep_value(loop, each);
      each = next;
    }
}

/* An element has no life of its own. */
static void forget_lives(LLVMValueRef variable) {
  LLVMUseRef use = LLVMGetFirstUse(variable);
  while (use != NULL) {
    LLVMValueRef user = LLVMGetUser(use);
    size_t length = 0;
    use = LLVMGetNextUse(use);
    if (LLVMIsACallInst(user) != NULL && LLVMIsAFunction(LLVMGetCalledValue(user)) != NULL &&
        kc_starts(LLVMGetValueName2(LLVMGetCalledValue(user), &length), "llvm.lifetime."))
      LLVMInstructionEraseFromParent(user);
  }
}

static void keep_variables(loop *loop, LLVMValueRef *variables, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef places = add_place(loop, LLVMArrayType2(LLVMGetAllocatedType(variables[i]), MOST_LEVELS));
    LLVMSetAlignment(places, LLVMGetAlignment(variables[i]));
    forget_lives(variables[i]);
    replace_uses(loop, variables[i], places, true, NULL);
    LLVMInstructionEraseFromParent(variables[i]);
  }
  free(variables);
}

/* ---- calls and returns -------------------------------------------------------------------------------------- */

/* What is given to a level: a value, or a struct that lies at `value`. */
static void give_parameter(loop *loop, unsigned parameter, LLVMValueRef value, LLVMValueRef place) {
  LLVMTypeRef passed = kc_passed_type(loop->function, parameter);
  if (passed == NULL) {
    LLVMBuildStore(loop->builder, value, place);
    return;
  }
  unsigned alignment = LLVMABIAlignmentOfType(loop->writer->data, passed);
  LLVMValueRef size = LLVMConstInt(LLVMInt64TypeInContext(loop->writer->context), kc_size(loop->writer, passed), 0);
  LLVMBuildMemCpy(loop->builder, place, alignment, value, alignment, size);
}

static void replace_call(loop *loop, LLVMValueRef call, LLVMValueRef *parameters, unsigned which) {
  LLVMContextRef context = loop->writer->context;
  LLVMBasicBlockRef deeper = LLVMAppendBasicBlockInContext(context, loop->function, "");
  LLVMBasicBlockRef too_deep = LLVMAppendBasicBlockInContext(context, loop->function, "");
  unsigned trap = LLVMLookupIntrinsicID("llvm.trap", strlen("llvm.trap"));
  LLVMPositionBuilderBefore(loop->builder, call);
  LLVMValueRef now = LLVMBuildLoad2(loop->builder, word(loop), loop->level, "");
  LLVMValueRef next = LLVMBuildAdd(loop->builder, now, number(loop, 1), "");
  LLVMValueRef fits = LLVMBuildICmp(loop->builder, LLVMIntULT, next, number(loop, MOST_LEVELS), "");
  LLVMBuildCondBr(loop->builder, fits, deeper, too_deep);
  LLVMInstructionEraseFromParent(LLVMGetNextInstruction(call));
  LLVMPositionBuilderAtEnd(loop->builder, deeper);
  for (unsigned i = 0; i < LLVMCountParams(loop->function); i++)
    if (parameters[i] != NULL)
      give_parameter(loop, i, LLVMGetOperand(call, i), place_at(loop, parameters[i], next));
  LLVMBuildStore(loop->builder, number(loop, which), place_at(loop, loop->origin, next));
  LLVMBuildStore(loop->builder, next, loop->level);
  LLVMBuildBr(loop->builder, loop->begin);
  LLVMPositionBuilderAtEnd(loop->builder, too_deep);
  LLVMBuildCall2(loop->builder, LLVMIntrinsicGetType(context, trap, NULL, 0),
                 LLVMGetIntrinsicDeclaration(loop->writer->module, trap, NULL, 0), NULL, 0, "");
  LLVMBuildUnreachable(loop->builder);
  if (loop->result != NULL) {
    LLVMPositionBuilderBefore(loop->builder, LLVMGetFirstInstruction(loop->behind[which]));
    LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(loop->builder, LLVMTypeOf(call), loop->result, ""));
  }
  LLVMInstructionEraseFromParent(call);
}

static void replace_returns(loop *loop) {
  for (LLVMBasicBlockRef block = loop->begin; block != NULL; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsAReturnInst(end) == NULL)
      continue;
    LLVMPositionBuilderBefore(loop->builder, end);
    if (loop->result != NULL)
      LLVMBuildStore(loop->builder, LLVMGetOperand(end, 0), loop->result);
    LLVMBuildBr(loop->builder, loop->dispatch);
    LLVMInstructionEraseFromParent(end);
  }
}

static void write_dispatch(loop *loop) {
  LLVMContextRef context = loop->writer->context;
  LLVMBasicBlockRef leave = LLVMAppendBasicBlockInContext(context, loop->function, "");
  LLVMBasicBlockRef lower = LLVMAppendBasicBlockInContext(context, loop->function, "");
  LLVMPositionBuilderAtEnd(loop->builder, loop->dispatch);
  LLVMValueRef now = LLVMBuildLoad2(loop->builder, word(loop), loop->level, "");
  LLVMBuildCondBr(loop->builder, LLVMBuildICmp(loop->builder, LLVMIntEQ, now, number(loop, 0), ""), leave, lower);
  LLVMPositionBuilderAtEnd(loop->builder, lower);
  LLVMValueRef which = LLVMBuildLoad2(loop->builder, word(loop), place_at(loop, loop->origin, now), "");
  LLVMBuildStore(loop->builder, LLVMBuildSub(loop->builder, now, number(loop, 1), ""), loop->level);
  LLVMValueRef choice = LLVMBuildSwitch(loop->builder, which, loop->behind[0], loop->count);
  for (unsigned i = 1; i < loop->count; i++)
    LLVMAddCase(choice, number(loop, i), loop->behind[i]);
  LLVMPositionBuilderAtEnd(loop->builder, leave);
  if (loop->result != NULL)
    LLVMBuildRet(loop->builder, LLVMBuildLoad2(loop->builder, LLVMGetAllocatedType(loop->result), loop->result, ""));
  else
    LLVMBuildRetVoid(loop->builder);
}

/* ---- one function ------------------------------------------------------------------------------------------- */

static LLVMValueRef *keep_parameters(loop *loop) {
  unsigned count = LLVMCountParams(loop->function);
  LLVMValueRef *places = kc_allocate(count + 1, sizeof *places);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef parameter = LLVMGetParam(loop->function, i);
    if (is_constant_parameter(loop->function, i))
      continue;
    LLVMTypeRef passed = kc_passed_type(loop->function, i);
    places[i] = add_place(loop, LLVMArrayType2(passed != NULL ? passed : LLVMTypeOf(parameter), MOST_LEVELS));
    replace_uses(loop, parameter, places[i], passed != NULL, NULL);
    LLVMPositionBuilderBefore(loop->builder, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(loop->function)));
    give_parameter(loop, i, parameter, place_at(loop, places[i], number(loop, 0)));
  }
  return places;
}

static void make_loop(kc_writer *writer, LLVMValueRef function) {
  loop loop = { .writer = writer, .function = function, .builder = LLVMCreateBuilderInContext(writer->context) };
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  unsigned count = 0;
  LLVMValueRef calls[MOST_CALLS];
  LLVMValueRef *variables = split_entry(&loop, &count);
  split_calls(&loop);
  find_members_anew(writer, function);
  loop.level = add_place(&loop, word(&loop));
  loop.origin = add_place(&loop, LLVMArrayType2(word(&loop), MOST_LEVELS));
  if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
    loop.result = add_place(&loop, type);
  LLVMPositionBuilderBefore(loop.builder, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(function)));
  LLVMBuildStore(loop.builder, number(&loop, 0), loop.level);
  unsigned found = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use); /* a table of functions is no instruction */
    if (LLVMIsAInstruction(user) != NULL && is_call_of(user, function) && found < MOST_CALLS &&
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
      calls[found++] = user;
  }
  for (unsigned i = 0; i < found; i++) /* its block ends with a jump to what is behind it */
    loop.behind[i] = LLVMGetSuccessor(LLVMGetNextInstruction(calls[i]), 0);
  keep_variables(&loop, variables, count);
  LLVMValueRef *parameters = keep_parameters(&loop);
  loop.dispatch = LLVMAppendBasicBlockInContext(writer->context, function, "");
  for (unsigned i = 0; i < found; i++)
    replace_call(&loop, calls[i], parameters, i);
  replace_returns(&loop);
  keep_values(&loop);
  write_dispatch(&loop);
  LLVMDisposeBuilder(loop.builder);
  free(parameters);
}

bool kc_recursion_found(kc_writer *writer) {
  bool is_any = false;
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each))
    if (!LLVMIsDeclaration(each) && count_calls(each) > 0) {
      find_members_anew(writer, each);
      is_any = true;
    }
  return is_any;
}

void kc_recursion_replace(kc_writer *writer) {
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each))
    if (!LLVMIsDeclaration(each) && count_calls(each) > 0)
      make_loop(writer, each);
}
