/* SPDX-License-Identifier: MIT */
/*
 * order - putting the nodes of a graph in an order in which each comes behind those that it depends on (graph.h).
 *
 * Of those that could come next the one that was made first does: what a program captured is sent in the order in which
 * the program sent it. A node's `mark` counts what it still waits for. There is no data here, and the list that is
 * returned is the caller's; the callers hold vptr__graph_lock(), of rank GRAPH (graph.c), which guards the nodes and
 * their marks. Called by replay/steps.c. Nothing blocks.
 */
#include "graph/graph.h"

#include "base/error.h"
#include "base/memory.h"

/* A heap by index: the smallest on top. */
static void sift_up(vptr__graph_node **heap, uint32_t at) {
  while (at > 0 && heap[(at - 1) / 2]->index > heap[at]->index) {
    vptr__graph_node *parent = heap[(at - 1) / 2];
    heap[(at - 1) / 2] = heap[at];
    heap[at] = parent;
    at = (at - 1) / 2;
  }
}

static void sift_down(vptr__graph_node **heap, uint32_t count) {
  for (uint32_t at = 0, child = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && heap[child + 1]->index < heap[child]->index)
      child++;
    if (heap[at]->index <= heap[child]->index)
      return;
    vptr__graph_node *above = heap[at];
    heap[at] = heap[child];
    heap[child] = above;
    at = child;
  }
}

static uint32_t enter_roots(const vptr__graph *graph, vptr__graph_node **heap) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->nodes.count; i++) {
    vptr__graph_node *node = graph->nodes.items[i];
    node->mark = node->from.count;
    if (node->mark == 0)
      heap[count++] = node; /* by index, and so a heap */
  }
  return count;
}

static uint32_t walk(vptr__graph_node **heap, uint32_t waiting, vptr__graph_node **order) {
  uint32_t done = 0;
  while (waiting > 0) {
    vptr__graph_node *node = heap[0];
    order[done++] = node;
    heap[0] = heap[--waiting];
    sift_down(heap, waiting);
    for (uint32_t i = 0; i < node->to.count; i++)
      if (--node->to.items[i]->mark == 0) {
        heap[waiting] = node->to.items[i];
        sift_up(heap, waiting++);
      }
  }
  return done;
}

/* One that waits for ever. */
static vptr__graph_node *find_culprit(const vptr__graph *graph) {
  for (uint32_t i = 0; i < graph->nodes.count; i++)
    if (graph->nodes.items[i]->mark > 0)
      return graph->nodes.items[i];
  return NULL;
}

vptr_status vptr__graph_order(const vptr__graph *graph, vptr__graph_list *order_out, vptr__graph_node **culprit_out) {
  const uint32_t count = graph->nodes.count;
  vptr__graph_node **items = vptr__memory_calloc(2 * (size_t)count + 1, sizeof(vptr__graph_node *));
  if (items == NULL)
    return vptr__error_host_memory((2 * (size_t)count + 1) * sizeof(vptr__graph_node *));
  const uint32_t done = walk(items + count, enter_roots(graph, items + count), items);
  if (done < count) {
    *culprit_out = find_culprit(graph);
    vptr__memory_free(items);
    return VPTR_ERROR_NOT_READY;
  }
  *order_out = (vptr__graph_list){ items, count, count };
  return VPTR_SUCCESS;
}
