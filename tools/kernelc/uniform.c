/* SPDX-License-Identifier: MIT */
/* uniform - see uniform.h. Marks only ever appear, so that rounds end. */
#include "uniform.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "rejoin.h"
#include "stop.h"
#include "value.h"

typedef struct uniform {
  const kc_graph *graph;
  const int *rejoin;
  bool *differs;  /* by a value's number: the value does */
  bool *holds;    /* of an alloca: what lies in it does */
  size_t count;   /* of values */
  bool *is_under; /* a block that some threads may not come to, or not now */
  bool *joins;    /* a block where threads come from different ways */
  bool has_changed;
} uniform;

/* ---- values ---------------------------------------------------------------------------------------------- */

static bool is_void(LLVMValueRef instruction) {
  return LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVoidTypeKind;
}

/* A number is a name, as in origin.c: none may be left of those before. */
static void number_values(uniform *uniform, LLVMValueRef function) {
  char name[24] = "";
  for (int is_named = 0; is_named < 2; is_named++)
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each)) {
        if (is_void(each))
          continue;
        int length = is_named ? snprintf(name, sizeof name, "u.%zu", uniform->count++) : 0;
        LLVMSetValueName2(each, name, (size_t)length);
      }
}

static size_t number_of(LLVMValueRef instruction) {
  size_t length = 0;
  return strtoul(LLVMGetValueName2(instruction, &length) + strlen("u."), NULL, 10);
}

static bool differs(const uniform *uniform, LLVMValueRef value) {
  return LLVMIsAInstruction(value) != NULL && uniform->differs[number_of(value)];
}

static void mark(uniform *uniform, bool *place) {
  uniform->has_changed |= !*place;
  *place = true;
}

/* Where it is noted what lies in the variable that a pointer leads into; NULL: not the thread's own. */
static bool *content_of(const uniform *uniform, LLVMValueRef pointer) {
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
    return NULL;
  LLVMValueRef base = kc_base_of(pointer);
  return LLVMIsAAllocaInst(base) != NULL ? &uniform->holds[number_of(base)] : NULL;
}

static bool has_operand_that_differs(const uniform *uniform, LLVMValueRef instruction) {
  int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (LLVMValueIsBasicBlock(operand))
      continue;
    const bool *content = LLVMIsACallInst(instruction) != NULL ? content_of(uniform, operand) : NULL;
    if (differs(uniform, operand) || (content != NULL && *content))
      return true;
  }
  return false;
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

static bool has_word(const char *text, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strstr(text, words[i]) != NULL)
      return true;
  return false;
}

/* What a thread gets that others may not, whatever is given. */
static bool is_own(LLVMValueRef call) {
  static const char *const words[] = { "sreg.tid", "lane", "warpid", "clock",           "timer",
                                       "%tid",     "atom", "malloc", "vptr_child_take", "LastError" };
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length = 0;
  const char *text = LLVMIsAInlineAsm(callee) != NULL ? LLVMGetInlineAsmAsmString(callee, &length)
                                                      : LLVMGetValueName2(callee, &length);
  return has_word(text, words, sizeof words / sizeof *words);
}

static bool call_differs(const uniform *uniform, LLVMValueRef call) {
  kc_stop stop = kc_stop_of(call);
  if (stop.operation != NULL)
    return !stop.is_of_block;
  return is_own(call) || has_operand_that_differs(uniform, call);
}

/* It may write what its pointers lead to. */
static void note_written(uniform *uniform, LLVMValueRef call, bool is_under) {
  size_t length = 0;
  if (strstr(LLVMGetValueName2(LLVMGetCalledValue(call), &length), "llvm.lifetime") != NULL ||
      !(is_under || has_operand_that_differs(uniform, call)))
    return;
  int count = LLVMGetNumOperands(call);
  for (int i = 0; i < count; i++) {
    bool *content = content_of(uniform, LLVMGetOperand(call, (unsigned)i));
    if (content != NULL)
      mark(uniform, content);
  }
}

/* ---- instructions ---------------------------------------------------------------------------------------- */

static bool result_differs(const uniform *uniform, LLVMValueRef instruction, int block) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca:
    return false;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  case LLVMPHI:
    return uniform->is_under[block] || uniform->joins[block] || has_operand_that_differs(uniform, instruction);
  case LLVMLoad: {
    const bool *content = content_of(uniform, LLVMGetOperand(instruction, 0));
    return (content != NULL && *content) || has_operand_that_differs(uniform, instruction);
  }
  case LLVMCall:
    return call_differs(uniform, instruction);
  default:
    return has_operand_that_differs(uniform, instruction);
  }
}

static void look_at(uniform *uniform, LLVMValueRef instruction, int block) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  bool *content = opcode == LLVMStore ? content_of(uniform, LLVMGetOperand(instruction, 1)) : NULL;
  if (content != NULL && (uniform->is_under[block] || has_operand_that_differs(uniform, instruction)))
    mark(uniform, content);
  if (opcode == LLVMCall)
    note_written(uniform, instruction, uniform->is_under[block]);
  if (!is_void(instruction) && result_differs(uniform, instruction, block))
    mark(uniform, &uniform->differs[number_of(instruction)]);
}

/* ---- branches -------------------------------------------------------------------------------------------- */

/* All blocks from here to where the ways meet: a loop that some threads leave early is among them, with its
   beginning. */
static void part(uniform *uniform, int from) {
  int *stack = kc_allocate((size_t)uniform->graph->count + 1, sizeof *stack), depth = 0, end = uniform->rejoin[from];
  bool *is_seen = kc_allocate((size_t)uniform->graph->count, sizeof *is_seen);
  stack[depth++] = from;
  while (depth > 0) {
    int block = stack[--depth];
    for (unsigned k = 0; k < kc_graph_successor_count(uniform->graph, block); k++) {
      int next = kc_graph_successor(uniform->graph, block, k);
      if (next == end || is_seen[next])
        continue;
      is_seen[next] = true;
      mark(uniform, &uniform->is_under[next]);
      stack[depth++] = next;
    }
  }
  if (end != KC_NO_BLOCK)
    mark(uniform, &uniform->joins[end]);
  free(stack);
  free(is_seen);
}

static void go_round(uniform *uniform, bool *has_parted) {
  uniform->has_changed = false;
  for (int i = 0; i < uniform->graph->count; i++) {
    LLVMBasicBlockRef block = uniform->graph->blocks[i].ir;
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
      look_at(uniform, each, i);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!has_parted[i] && LLVMGetNumSuccessors(end) > 1 && differs(uniform, LLVMGetOperand(end, 0))) {
      has_parted[i] = true;
      part(uniform, i);
    }
  }
}

static bool has_barrier_under(const uniform *uniform) {
  for (int i = 0; i < uniform->graph->count; i++)
    for (LLVMValueRef each = LLVMGetFirstInstruction(uniform->graph->blocks[i].ir);
         uniform->is_under[i] && each != NULL; each = LLVMGetNextInstruction(each))
      if (kc_stop_of(each).is_of_block)
        return true;
  return false;
}

static uniform uniform_of(kc_writer *writer, LLVMValueRef function) {
  kc_graph *graph = kc_graph_of(writer, function);
  uniform uniform = { .graph = graph, .rejoin = kc_rejoin_of(graph) };
  size_t blocks = (size_t)graph->count;
  number_values(&uniform, function);
  uniform.differs = kc_allocate(uniform.count + 1, sizeof(bool));
  uniform.holds = kc_allocate(uniform.count + 1, sizeof(bool));
  uniform.is_under = kc_allocate(blocks, sizeof(bool));
  uniform.joins = kc_allocate(blocks, sizeof(bool));
  bool *has_parted = kc_allocate(blocks, sizeof *has_parted);
  do
    go_round(&uniform, has_parted);
  while (uniform.has_changed);
  return uniform;
}

bool kc_uniform_barriers(kc_writer *writer, LLVMValueRef function) {
  uniform uniform = uniform_of(writer, function);
  return !has_barrier_under(&uniform);
}

const bool *kc_uniform_values(kc_writer *writer, LLVMValueRef function) {
  return uniform_of(writer, function).differs;
}
