/* SPDX-License-Identifier: MIT */
/*
 * edge_data - what a program says of an edge beside its ends, where that is not all zeros (graph.h).
 *
 * Few edges have any, so it is not kept with the edges, but in a list of the graph's. Nothing here makes a node begin
 * early: what is said is kept, and told. No data of its own; vptr__graph_lock(), of rank GRAPH (graph.c), guards the
 * graphs, and is held by the callers. Called by graph.c and by replay/graph_call.c. Nothing blocks.
 */
#include "graph/graph.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static const cudaGraphEdgeData plain = { .from_port = 0 };

bool vptr__edge_data_is_same(const cudaGraphEdgeData *one, const cudaGraphEdgeData *other) {
  return memcmp(one != NULL ? one : &plain, other != NULL ? other : &plain, sizeof plain) == 0;
}

static vptr__graph_edge *find_edge(const vptr__graph_node *from, const vptr__graph_node *to) {
  const vptr__graph *graph = from->graph;
  for (uint32_t i = 0; i < graph->edge_count; i++)
    if (graph->edges[i].from == from && graph->edges[i].to == to)
      return &graph->edges[i];
  return NULL;
}

const cudaGraphEdgeData *vptr__edge_data_of(const vptr__graph_node *from, const vptr__graph_node *to) {
  const vptr__graph_edge *edge = find_edge(from, to);
  return edge != NULL ? &edge->data : &plain;
}

static vptr_status have_room(vptr__graph *graph) {
  enum { LEAST = 4 };
  if (graph->edge_count < graph->edge_room)
    return VPTR_SUCCESS;
  const uint32_t room = graph->edge_room < LEAST ? LEAST : graph->edge_room * 2;
  vptr__graph_edge *edges = vptr__memory_calloc(room, sizeof *edges);
  if (edges == NULL)
    return vptr__error_host_memory(room * sizeof *edges);
  if (graph->edge_count > 0)
    memcpy(edges, graph->edges, graph->edge_count * sizeof *edges);
  vptr__memory_free(graph->edges);
  graph->edges = edges;
  graph->edge_room = room;
  return VPTR_SUCCESS;
}

vptr_status vptr__edge_data_keep(const vptr__graph_node *from, const vptr__graph_node *to,
                                 const cudaGraphEdgeData *data) {
  vptr__graph *graph = from->graph;
  if (vptr__edge_data_is_same(data, NULL))
    return VPTR_SUCCESS;
  vptr_status status = have_room(graph);
  if (status == VPTR_SUCCESS)
    graph->edges[graph->edge_count++] = (vptr__graph_edge){ from, to, *data };
  return status;
}

void vptr__edge_data_forget(const vptr__graph_node *from, const vptr__graph_node *to) {
  vptr__graph *graph = from->graph;
  vptr__graph_edge *edge = find_edge(from, to);
  if (edge != NULL)
    *edge = graph->edges[--graph->edge_count];
}
