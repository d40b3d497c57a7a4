/* SPDX-License-Identifier: MIT */
/* live - see live.h. */
#include "live.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "name.h"

typedef unsigned long long word;

static size_t number_of(LLVMValueRef value) {
  return (size_t)atol(kc_name_of(value) + 1);
}

static bool has_variable(LLVMValueRef value) {
  char kind = kc_name_kind(value);
  return kind == KC_VARIABLE || kind == KC_PHI;
}

static void add_number(word *set, size_t number) {
  set[number / 64] |= 1ull << number % 64;
}

static void remove_number(word *set, size_t number) {
  set[number / 64] &= ~(1ull << number % 64);
}

/* ---- one instruction, backwards --------------------------------------------------------------------------- */

static void use_value(word *set, LLVMValueRef value) {
  if (value == NULL || LLVMIsAInstruction(value) == NULL)
    return;
  if (has_variable(value))
    add_number(set, number_of(value));
  else if (kc_name_kind(value) == KC_INLINE)
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
      use_value(set, LLVMGetOperand(value, (unsigned)i));
}

bool kc_live_number(LLVMValueRef instruction, size_t *number_out) {
  if (LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVoidTypeKind || !has_variable(instruction))
    return false;
  *number_out = number_of(instruction);
  return true;
}

void kc_live_pass(word *set, LLVMValueRef instruction) {
  size_t number = 0;
  if (kc_live_number(instruction, &number))
    remove_number(set, number);
  if (LLVMIsAPHINode(instruction) != NULL ||
      (LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind && kc_name_kind(instruction) == KC_INLINE))
    return;
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (!LLVMValueIsBasicBlock(operand))
      use_value(set, operand);
  }
}

/* ---- blocks ----------------------------------------------------------------------------------------------- */

void kc_live_edge(word *set, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(to); LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi))
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
      if (LLVMGetIncomingBlock(phi, i) == from)
        use_value(set, LLVMGetIncomingValue(phi, i));
}

static void pass_block(word *set, LLVMBasicBlockRef block) {
  for (LLVMValueRef each = LLVMGetLastInstruction(block); each != NULL; each = LLVMGetPreviousInstruction(each))
    kc_live_pass(set, each);
}

/* before[] are the sets in front of the blocks. */
static bool improve_block(const kc_graph *graph, kc_live *live, word *before, int block) {
  word *behind = live->behind + (size_t)block * live->words, *front = before + (size_t)block * live->words;
  word *set = kc_allocate(live->words, sizeof *set);
  memset(behind, 0, live->words * sizeof *behind);
  for (unsigned k = 0; k < kc_graph_successor_count(graph, block); k++) {
    int next = kc_graph_successor(graph, block, k);
    for (size_t i = 0; i < live->words; i++)
      behind[i] |= before[(size_t)next * live->words + i];
    kc_live_edge(behind, graph->blocks[block].ir, graph->blocks[next].ir);
  }
  memcpy(set, behind, live->words * sizeof *set);
  pass_block(set, graph->blocks[block].ir);
  bool has_changed = memcmp(set, front, live->words * sizeof *set) != 0;
  memcpy(front, set, live->words * sizeof *set);
  free(set);
  return has_changed;
}

static void list_values(const kc_graph *graph, kc_live *live) {
  for (int i = 0; i < graph->count; i++)
    for (LLVMValueRef each = LLVMGetFirstInstruction(graph->blocks[i].ir); each != NULL;
         each = LLVMGetNextInstruction(each))
      if (LLVMGetTypeKind(LLVMTypeOf(each)) != LLVMVoidTypeKind && number_of(each) >= live->count)
        live->count = number_of(each) + 1;
  live->values = kc_allocate(live->count, sizeof *live->values);
  for (int i = 0; i < graph->count; i++)
    for (LLVMValueRef each = LLVMGetFirstInstruction(graph->blocks[i].ir); each != NULL;
         each = LLVMGetNextInstruction(each))
      if (LLVMGetTypeKind(LLVMTypeOf(each)) != LLVMVoidTypeKind && has_variable(each))
        live->values[number_of(each)] = each;
}

kc_live *kc_live_of(kc_writer *writer, LLVMValueRef function) {
  const kc_graph *graph = writer->graph;
  kc_live *live = kc_allocate(1, sizeof *live);
  (void)function;
  list_values(graph, live);
  live->words = live->count / 64 + 1;
  live->behind = kc_allocate((size_t)graph->count * live->words, sizeof *live->behind);
  word *before = kc_allocate((size_t)graph->count * live->words, sizeof *before);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (int i = graph->count - 1; i >= 0; i--)
      has_changed |= improve_block(graph, live, before, i);
  }
  free(before);
  return live;
}

/* ---- a point ---------------------------------------------------------------------------------------------- */

word *kc_live_behind(kc_writer *writer, const kc_live *live, LLVMValueRef instruction) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  size_t own = 0;
  word *set = kc_allocate(live->words, sizeof *set);
  memcpy(set, live->behind + (size_t)kc_graph_index(writer->graph, block) * live->words, live->words * sizeof *set);
  for (LLVMValueRef at = LLVMGetLastInstruction(block); at != instruction; at = LLVMGetPreviousInstruction(at))
    kc_live_pass(set, at);
  if (kc_live_number(instruction, &own))
    remove_number(set, own);
  return set;
}
