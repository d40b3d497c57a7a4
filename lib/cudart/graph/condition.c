/* SPDX-License-Identifier: MIT */
/*
 * condition - conditions of graphs: made, found by their handles, counted by their holders and freed (condition.h).
 *
 * The static list `conditions`, and the records in it, which are made and freed here, are guarded by
 * vptr__graph_lock(), of rank GRAPH (graph.c): vptr__condition_make() takes it, all others are called with it held. A
 * condition's word is a place (memory.h) that is live for as long as the condition is held. A condition's `graph` is
 * set by replay/condition_node.c, whose graph takes the first hold over, and cleared here; `is_used` is set by
 * condition_node.c and cleared by work.c. Called by graph.c and work.c, and by replay/condition_node.c and exec.c.
 * Making one asks the device for memory, and waits where that is full. To let go of the last hold does not wait, but
 * vptr__graph_unlock() behind it may, since the word's memory goes.
 */
#include "graph/condition.h"

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"

static vptr__condition *conditions;

static vptr_status make_word(vptr_mapper *mapper, vptr__condition *condition) {
  vptr__graph_alloc alloc = { .params.bytesize = sizeof(unsigned) };
  vptr_status status = vptr__graph_memory_make(mapper, sizeof(unsigned), NULL, &alloc);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__graph_lock();
  status = vptr__graph_memory_open(&alloc, "cudaGraphConditionalHandleCreate");
  if (status == VPTR_SUCCESS)
    condition->word = alloc.place;
  else
    vptr__graph_memory_let_go(alloc.place);
  vptr__graph_unlock();
  return status;
}

vptr_status vptr__condition_make(vptr_mapper *mapper, unsigned initial, vptr__condition **condition_out) {
  vptr__condition *condition = vptr__memory_calloc(1, sizeof *condition);
  if (condition == NULL)
    return vptr__error_host_memory(sizeof *condition);
  condition->initial = initial;
  condition->holders = 1;
  vptr_status status = make_word(mapper, condition);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(condition);
    return status;
  }
  vptr__graph_lock();
  condition->next = conditions;
  conditions = condition;
  vptr__graph_unlock();
  *condition_out = condition;
  return VPTR_SUCCESS;
}

static bool is_of(const vptr__graph *graph, uint64_t id) {
  while (graph->id != id && graph->parent != NULL)
    graph = graph->parent->graph;
  return graph->id == id;
}

vptr__condition *vptr__condition_find(const vptr__graph *graph, cudaGraphConditionalHandle handle) {
  vptr__condition *it = conditions;
  while (it != NULL && (cudaGraphConditionalHandle)(uintptr_t)it->word->ptr != handle)
    it = it->next;
  return it != NULL && !it->is_used && is_of(graph, it->graph) ? it : NULL;
}

void vptr__condition_hold(vptr__condition *condition) {
  condition->holders++;
}

void vptr__condition_let_go(vptr__condition *condition) {
  if (--condition->holders > 0)
    return;
  vptr__condition **link = &conditions;
  while (*link != condition)
    link = &(*link)->next;
  *link = condition->next;
  if (condition->word->mapper != NULL)
    vptr__graph_memory_close(condition->word);
  vptr__graph_memory_let_go(condition->word);
  vptr__memory_free(condition);
}

void vptr__condition_let_go_all(const vptr__graph *graph) {
  for (vptr__condition *it = conditions, *next; it != NULL; it = next) {
    next = it->next;
    if (it->graph != graph->id)
      continue;
    it->graph = 0;
    vptr__condition_let_go(it);
  }
}

bool vptr__condition_any_unused(const vptr__graph *graph) {
  for (const vptr__condition *it = conditions; it != NULL; it = it->next)
    if (it->graph == graph->id && !it->is_used)
      return true;
  return false;
}
