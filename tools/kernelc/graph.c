/* SPDX-License-Identifier: MIT */
/* graph - see graph.h. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* A block's place in the order is its name: LLVM keeps names, and looks them up for nobody else here. */
static void set_index(LLVMBasicBlockRef block, int index) {
  char name[16];
  int length = snprintf(name, sizeof name, "b%d", index);
  LLVMSetValueName2(LLVMBasicBlockAsValue(block), name, (size_t)length);
}

int kc_graph_index(const kc_graph *graph, LLVMBasicBlockRef block) {
  const char *name = LLVMGetBasicBlockName(block);
  int index = *name == 'b' ? atoi(name + 1) : KC_NO_BLOCK;
  return index >= 0 && index < graph->count && graph->blocks[index].ir == block ? index : KC_NO_BLOCK;
}

unsigned kc_graph_successor_count(const kc_graph *graph, int block) {
  return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(graph->blocks[block].ir));
}

int kc_graph_successor(const kc_graph *graph, int block, unsigned which) {
  return kc_graph_index(graph, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(graph->blocks[block].ir), which));
}

/* ---- order ----------------------------------------------------------------------------------------------- */

typedef struct visit {
  LLVMBasicBlockRef block;
  unsigned next; /* the successor to look at */
} visit;

/* A depth-first walk without recursion: kernels have tens of thousands of blocks. A visited block is named "s". */
static int postorder(LLVMValueRef function, LLVMBasicBlockRef *order) {
  visit *stack = kc_allocate(LLVMCountBasicBlocks(function) + 1, sizeof *stack);
  int depth = 0, count = 0;
  for (LLVMBasicBlockRef each = LLVMGetFirstBasicBlock(function); each != NULL; each = LLVMGetNextBasicBlock(each))
    LLVMSetValueName2(LLVMBasicBlockAsValue(each), "", 0);
  stack[depth++] = (visit){ LLVMGetEntryBasicBlock(function), 0 };
  LLVMSetValueName2(LLVMBasicBlockAsValue(stack[0].block), "s", 1);
  while (depth > 0) {
    visit *top = &stack[depth - 1];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
    if (top->next == LLVMGetNumSuccessors(end)) {
      order[count++] = top->block;
      depth--;
      continue;
    }
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, LLVMGetNumSuccessors(end) - 1 - top->next++);
    if (*LLVMGetBasicBlockName(next) != 0)
      continue;
    LLVMSetValueName2(LLVMBasicBlockAsValue(next), "s", 1);
    stack[depth++] = (visit){ next, 0 };
  }
  free(stack);
  return count;
}

static void order_blocks(kc_graph *graph, LLVMValueRef function) {
  LLVMBasicBlockRef *order = kc_allocate(LLVMCountBasicBlocks(function), sizeof *order);
  graph->count = postorder(function, order);
  graph->blocks = kc_allocate((size_t)graph->count, sizeof *graph->blocks);
  for (int i = 0; i < graph->count; i++) {
    LLVMBasicBlockRef block = order[graph->count - 1 - i];
    graph->blocks[i] = (kc_block){ .ir = block, .dominator = KC_NO_BLOCK, .loop = KC_NO_BLOCK, .outer = KC_NO_BLOCK };
    set_index(block, i);
  }
  free(order);
}

/* ---- edges, the other way round -------------------------------------------------------------------------- */

typedef struct edges {
  int *from;  /* of all blocks, one after the other */
  int *first; /* where a block's begin; one more behind the last */
} edges;

static edges predecessors_of(const kc_graph *graph) {
  edges edges = { .first = kc_allocate((size_t)graph->count + 2, sizeof(int)) };
  for (int i = 0; i < graph->count; i++)
    for (unsigned k = 0; k < kc_graph_successor_count(graph, i); k++)
      edges.first[kc_graph_successor(graph, i, k) + 2]++;
  for (int i = 0; i <= graph->count; i++)
    edges.first[i + 1] += edges.first[i];
  edges.from = kc_allocate((size_t)edges.first[graph->count + 1], sizeof(int));
  for (int i = 0; i < graph->count; i++)
    for (unsigned k = 0; k < kc_graph_successor_count(graph, i); k++)
      edges.from[edges.first[kc_graph_successor(graph, i, k) + 1]++] = i;
  return edges;
}

/* ---- dominators ------------------------------------------------------------------------------------------ */

static int meet(const kc_graph *graph, int one, int other) {
  while (one != other) {
    while (one > other)
      one = graph->blocks[one].dominator;
    while (other > one)
      other = graph->blocks[other].dominator;
  }
  return one;
}

static bool improve_dominator(kc_graph *graph, const edges *edges, int block) {
  int dominator = KC_NO_BLOCK;
  for (int i = edges->first[block]; i < edges->first[block + 1]; i++) {
    int from = edges->from[i];
    if (graph->blocks[from].dominator != KC_NO_BLOCK)
      dominator = dominator == KC_NO_BLOCK ? from : meet(graph, from, dominator);
  }
  bool is_better = graph->blocks[block].dominator != dominator;
  graph->blocks[block].dominator = dominator;
  return is_better;
}

static void find_dominators(kc_graph *graph, const edges *edges) {
  graph->blocks[0].dominator = 0;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (int i = 1; i < graph->count; i++)
      has_changed |= improve_dominator(graph, edges, i);
  }
}

static bool dominates(const kc_graph *graph, int above, int below) {
  while (below > above)
    below = graph->blocks[below].dominator;
  return below == above;
}

/* ---- loops ----------------------------------------------------------------------------------------------- */

static int outermost_below(const kc_graph *graph, int block, int header) {
  int loop = graph->blocks[block].loop;
  while (loop != KC_NO_BLOCK && loop != header && graph->blocks[loop].outer != KC_NO_BLOCK &&
         graph->blocks[loop].outer != header)
    loop = graph->blocks[loop].outer;
  return loop;
}

/* Everything that reaches `from` without the header is in the loop. Inner loops are known already and are entered by
 * their headers. */
static void fill_loop(kc_graph *graph, const edges *edges, int header, int from, int *stack) {
  int depth = 0;
  stack[depth++] = from;
  while (depth > 0) {
    int block = stack[--depth], inner = outermost_below(graph, block, header);
    if (block == header || inner == header || (inner != KC_NO_BLOCK && graph->blocks[inner].outer == header))
      continue;
    if (inner == KC_NO_BLOCK)
      graph->blocks[block].loop = header;
    else
      graph->blocks[inner].outer = header;
    int top = inner == KC_NO_BLOCK ? block : inner;
    for (int i = edges->first[top]; i < edges->first[top + 1]; i++)
      if (!(inner != KC_NO_BLOCK && kc_graph_is_in(graph, edges->from[i], inner)))
        stack[depth++] = edges->from[i];
  }
}

bool kc_graph_is_in(const kc_graph *graph, int block, int header) {
  for (int loop = graph->blocks[block].loop; loop != KC_NO_BLOCK; loop = graph->blocks[loop].outer)
    if (loop == header)
      return true;
  return false;
}

/* Inner loops have later headers, so that they are found first. */
static void find_loops(kc_writer *writer, kc_graph *graph, const edges *edges) {
  int *stack = kc_allocate((size_t)edges->first[graph->count] + 1, sizeof *stack);
  for (int header = graph->count - 1; header >= 0; header--)
    for (int i = edges->first[header]; i < edges->first[header + 1]; i++) {
      int from = edges->from[i];
      if (from < header) {
        graph->blocks[header].entries++;
        continue;
      }
      if (!dominates(graph, header, from))
        kc_refuse(writer, "a loop is entered in its middle, by goto or switch: enter it at its beginning");
      graph->blocks[header].is_header = true;
      graph->blocks[header].loop = header;
      fill_loop(graph, edges, header, from, stack);
    }
  free(stack);
}

kc_graph *kc_graph_of(kc_writer *writer, LLVMValueRef function) {
  kc_graph *graph = kc_allocate(1, sizeof *graph);
  order_blocks(graph, function);
  edges edges = predecessors_of(graph);
  find_dominators(graph, &edges);
  find_loops(writer, graph, &edges);
  free(edges.from);
  free(edges.first);
  return graph;
}
