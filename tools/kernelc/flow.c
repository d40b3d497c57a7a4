/* SPDX-License-Identifier: MIT */
/* flow - see flow.h. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "name.h"
#include "statement.h"
#include "type.h"
#include "value.h"

enum { END = -1, NOWHERE = -2 };

/* Where the text that is written leads to. */
typedef struct scope {
  int next;    /* the block that follows: nothing has to be written to get there; END: the kernel's end; NOWHERE */
  int breaks;  /* where `break` leads to */
  int goes_on; /* where `continue` leads to */
} scope;

static void write_tree(kc_writer *writer, int block, scope scope);

static kc_block *block_at(kc_writer *writer, int block) {
  return &writer->graph->blocks[block];
}

/* ---- phis ------------------------------------------------------------------------------------------------ */

static LLVMValueRef incoming_of(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == from)
      return LLVMGetIncomingValue(phi, i);
  return NULL;
}

static bool has_value(LLVMValueRef value) {
  return value != NULL && !LLVMIsUndef(value) && !LLVMIsPoison(value);
}

/* Whether they are one variable (congruence.h). */
static bool is_same(LLVMValueRef phi, LLVMValueRef value) {
  return value == phi || (LLVMIsAInstruction(value) != NULL && strcmp(kc_name_of(value), kc_name_of(phi)) == 0);
}

static bool is_copied(LLVMValueRef phi, LLVMBasicBlockRef from) {
  LLVMValueRef value = incoming_of(phi, from);
  return has_value(value) && !is_same(phi, value);
}

/* Whether one phi's new value is in the variable that another gets, which must be read before it is written. */
static bool have_order(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef first = LLVMGetFirstInstruction(to);
  for (LLVMValueRef phi = first; LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi))
    for (LLVMValueRef other = first; is_copied(phi, from) && LLVMIsAPHINode(other) != NULL;
         other = LLVMGetNextInstruction(other))
      if (other != phi && is_copied(other, from) && is_same(other, incoming_of(phi, from)))
        return true;
  return false;
}

static void copy_phi(kc_writer *writer, LLVMValueRef phi, LLVMValueRef value, bool into_copy) {
  unsigned count = kc_leaf_count(writer, LLVMTypeOf(phi));
  for (unsigned i = 0; i < count; i++) {
    if (into_copy)
      kc_print(writer, "%s n%s_%u = ", kc_type_name(writer, kc_leaf_type(writer, LLVMTypeOf(phi), i)),
               kc_name_of(phi), i);
    else
      kc_print(writer, count == 1 ? "%s = " : "%s_%u = ", kc_name_of(phi), i);
    if (value != NULL)
      kc_value(writer, value, i);
    else
      kc_print(writer, "n%s_%u", kc_name_of(phi), i);
    kc_print(writer, "; ");
  }
}

static void write_phis(kc_writer *writer, int from, int to) {
  LLVMBasicBlockRef source = block_at(writer, from)->ir, target = block_at(writer, to)->ir;
  bool is_ordered = have_order(source, target);
  kc_print(writer, is_ordered ? "{ " : "");
  for (int step = is_ordered ? 0 : 1; step < 2; step++)
    for (LLVMValueRef phi = LLVMGetFirstInstruction(target); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
      if (is_copied(phi, source))
        copy_phi(writer, phi, is_ordered && step == 1 ? NULL : incoming_of(phi, source), step == 0);
    }
  kc_print(writer, is_ordered ? "} " : "");
}

/* ---- jumps ----------------------------------------------------------------------------------------------- */

/* Whether the block stands where the jump to it is written. */
static bool stands_in_arm(kc_writer *writer, int from, int to) {
  const kc_block *target = block_at(writer, to), *source = block_at(writer, from);
  bool leaves_loop = source->loop != KC_NO_BLOCK && !kc_graph_is_in(writer->graph, to, source->loop);
  return target->dominator == from && target->entries == 1 && !leaves_loop;
}

/* Labels are the function's, which may have two forms of the kernel in it. */
static char label_letter(const kc_writer *writer) {
  return writer->is_native ? 'n' : 'b';
}

static void write_jump(kc_writer *writer, int from, int to, scope scope) {
  write_phis(writer, from, to);
  if (stands_in_arm(writer, from, to)) {
    write_tree(writer, to, scope);
  } else if (to == scope.next) {
    return;
  } else if (to == scope.goes_on) {
    kc_print(writer, "continue;\n");
  } else if (to == scope.breaks) {
    kc_print(writer, "break;\n");
  } else {
    block_at(writer, to)->is_labelled = true;
    kc_print(writer, "goto %c%d;\n", label_letter(writer), to);
  }
}

static char *arm_text(kc_writer *writer, int from, int to, scope scope) {
  kc_text text;
  kc_begin(writer, &text);
  write_jump(writer, from, to, scope);
  kc_end(writer, &text);
  return text.text;
}

static void write_if(kc_writer *writer, int block, LLVMValueRef branch, scope scope) {
  char *then = arm_text(writer, block, kc_graph_successor(writer->graph, block, 0), scope);
  char *otherwise = arm_text(writer, block, kc_graph_successor(writer->graph, block, 1), scope);
  writer->instruction = branch;
  if (*then == 0 && *otherwise == 0) {
    free(then);
    free(otherwise);
    return;
  }
  kc_print(writer, *then == 0 ? "if (!" : "if (");
  kc_value(writer, LLVMGetCondition(branch), 0);
  kc_print(writer, ") {\n%s}", *then == 0 ? otherwise : then);
  if (*then != 0 && *otherwise != 0)
    kc_print(writer, " else {\n%s}", otherwise);
  kc_print(writer, "\n");
  free(then);
  free(otherwise);
}

/* In an arm `break` leaves the switch. */
static void write_switch(kc_writer *writer, int block, LLVMValueRef branch, scope outer) {
  scope arm = { .next = NOWHERE, .breaks = outer.next, .goes_on = outer.goes_on };
  unsigned count = kc_graph_successor_count(writer->graph, block);
  if (kc_leaf_count(writer, LLVMTypeOf(LLVMGetOperand(branch, 0))) > 1)
    kc_refuse(writer, "a switch over a number of 128 bits: convert it to 64, or compare");
  kc_print(writer, "switch (");
  kc_value(writer, LLVMGetOperand(branch, 0), 0);
  kc_print(writer, ") {\n");
  for (unsigned i = 1; i < count; i++) {
    int target = kc_graph_successor(writer->graph, block, i);
    kc_print(writer, "case ");
    kc_value(writer, LLVMGetOperand(branch, 2 * i), 0);
    kc_print(writer, ":\n");
    bool is_shared = i + 1 < count && kc_graph_successor(writer->graph, block, i + 1) == target;
    if (!is_shared)
      write_jump(writer, block, target, arm);
  }
  kc_print(writer, "default:\n");
  write_jump(writer, block, kc_graph_successor(writer->graph, block, 0), arm);
  kc_print(writer, "}\n");
}

static void write_end(kc_writer *writer, int block, scope scope) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block_at(writer, block)->ir);
  writer->instruction = end;
  switch (LLVMGetInstructionOpcode(end)) {
  case LLVMRet:
  case LLVMUnreachable:
    kc_print(writer, scope.next == END ? "" : "VPTR_RETURN;\n");
    return;
  case LLVMBr:
    if (LLVMIsConditional(end))
      write_if(writer, block, end, scope);
    else
      write_jump(writer, block, kc_graph_successor(writer->graph, block, 0), scope);
    return;
  case LLVMSwitch:
    write_switch(writer, block, end, scope);
    return;
  default:
    kc_refuse(writer, "a jump of a kind that kernels cannot have: exceptions and computed gotos are the host's");
  }
}

/* ---- blocks that stand behind ---------------------------------------------------------------------------- */

/* Those that the block dominates at once and that stand in no arm: they follow it in their order. Of a loop's header
 * those outside the loop follow the loop. */
static int *followers_of(kc_writer *writer, int block, bool is_behind_loop, int *count_out) {
  kc_graph *graph = writer->graph;
  int count = 0, *list = kc_allocate((size_t)graph->count, sizeof *list);
  for (int i = block + 1; i < graph->count; i++) {
    bool is_outside = block_at(writer, block)->is_header && !kc_graph_is_in(graph, i, block);
    bool is_in_arm = false;
    if (graph->blocks[i].dominator != block || is_outside != is_behind_loop)
      continue;
    for (unsigned k = 0; k < kc_graph_successor_count(graph, block); k++)
      is_in_arm |= kc_graph_successor(graph, block, k) == i && stands_in_arm(writer, block, i);
    if (!is_in_arm)
      list[count++] = i;
  }
  *count_out = count;
  return list;
}

static void write_followers(kc_writer *writer, const int *list, int count, scope scope) {
  int last = scope.next;
  for (int i = 0; i < count; i++) {
    scope.next = i + 1 < count ? list[i + 1] : last;
    write_tree(writer, list[i], scope);
  }
}

/* The block, and behind it where its ways meet. */
static void write_within(kc_writer *writer, int block, scope scope) {
  int count = 0, *list = followers_of(writer, block, false, &count);
  struct scope own = scope;
  if (count > 0)
    own.next = list[0];
  kc_statements(writer, block_at(writer, block)->ir);
  write_end(writer, block, own);
  write_followers(writer, list, count, scope);
  free(list);
}

static void write_tree(kc_writer *writer, int block, scope scope) {
  if (block_at(writer, block)->is_labelled)
    kc_print(writer, "%c%d:;\n", label_letter(writer), block);
  if (!block_at(writer, block)->is_header) {
    write_within(writer, block, scope);
    return;
  }
  int count = 0, *list = followers_of(writer, block, true, &count);
  struct scope body = { .next = block, .breaks = count > 0 ? list[0] : scope.next, .goes_on = block };
  kc_print(writer, "while (1) {\n");
  write_within(writer, block, body);
  kc_print(writer, "}\n");
  write_followers(writer, list, count, scope);
  free(list);
}

/* Twice: labels are known when all jumps are. */
void kc_flow(kc_writer *writer) {
  scope whole = { .next = END, .breaks = NOWHERE, .goes_on = NOWHERE };
  kc_text text;
  kc_begin(writer, &text);
  write_tree(writer, 0, whole);
  kc_end(writer, &text);
  free(text.text);
  write_tree(writer, 0, whole);
}
