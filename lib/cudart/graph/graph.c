/* SPDX-License-Identifier: MIT */
/*
 * graph - making, changing, copying and freeing graphs, their nodes and edges; and the lock of all graphs (graph.h).
 *
 * An edge is in two lists, one at each end. The static `lock`, of rank GRAPH, guards all graphs and nodes, and what
 * graph.h names; vptr__graph_lock() takes it, vptr__graph_unlock() gives it back, and all other functions but
 * vptr__graph_next_id() are called with it held. `last_id`, atomic, counts graphs, nodes, captures and executable
 * graphs with memory or conditions together. Called by capture.c, captured_work.c, condition.c, memory.c, user_object.c
 * and work.c, and by the files of lib/cudart/replay. Nothing here waits for work, but giving the lock back, where
 * memory of nodes goes.
 */
#include "graph/graph.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "graph/user_object.h"

#include <string.h>

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_GRAPH);
static atomic_uint_fast64_t last_id;

void vptr__graph_lock(void) {
  vptr__lock_take(&lock);
}

void vptr__graph_unlock(void) {
  vptr__graph_place *leaving = vptr__graph_memory_leaving();
  vptr__lock_give(&lock);
  vptr__graph_memory_release(leaving);
}

uint64_t vptr__graph_next_id(void) {
  return atomic_fetch_add(&last_id, 1) + 1;
}

/* ---- lists ---------------------------------------------------------------------------------------------- */

static vptr_status have_room(vptr__graph_list *list, uint32_t more) {
  enum { LEAST = 4 };
  if (list->room - list->count >= more)
    return VPTR_SUCCESS;
  uint32_t room = list->room < LEAST ? LEAST : list->room * 2;
  while (room - list->count < more)
    room *= 2;
  vptr__graph_node **items = vptr__memory_calloc(room, sizeof(vptr__graph_node *));
  if (items == NULL)
    return vptr__error_host_memory(room * sizeof(vptr__graph_node *));
  if (list->count > 0)
    memcpy(items, list->items, list->count * sizeof(vptr__graph_node *));
  vptr__memory_free(list->items);
  list->items = items;
  list->room = room;
  return VPTR_SUCCESS;
}

vptr_status vptr__graph_list_push(vptr__graph_list *list, vptr__graph_node *node) {
  vptr_status status = have_room(list, 1);
  if (status == VPTR_SUCCESS)
    list->items[list->count++] = node;
  return status;
}

static bool list_remove(vptr__graph_list *list, const vptr__graph_node *node) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i] == node) {
      memmove(&list->items[i], &list->items[i + 1], (list->count - i - 1) * sizeof(vptr__graph_node *));
      list->count--;
      return true;
    }
  return false;
}

static bool list_has(const vptr__graph_list *list, const vptr__graph_node *node) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i] == node)
      return true;
  return false;
}

/* ---- edges ---------------------------------------------------------------------------------------------- */

bool vptr__graph_is_connected(const vptr__graph_node *from, const vptr__graph_node *to) {
  return from->to.count < to->from.count ? list_has(&from->to, to) : list_has(&to->from, from);
}

vptr_status vptr__graph_connect(vptr__graph_node *from, vptr__graph_node *to, const cudaGraphEdgeData *data) {
  vptr_status status = have_room(&from->to, 1);
  if (status == VPTR_SUCCESS)
    status = have_room(&to->from, 1);
  if (status == VPTR_SUCCESS)
    status = vptr__edge_data_keep(from, to, data);
  if (status != VPTR_SUCCESS)
    return status;
  from->to.items[from->to.count++] = to;
  to->from.items[to->from.count++] = from;
  return VPTR_SUCCESS;
}

bool vptr__graph_disconnect(vptr__graph_node *from, vptr__graph_node *to) {
  vptr__edge_data_forget(from, to);
  return list_remove(&from->to, to) && list_remove(&to->from, from);
}

static void cut_off(vptr__graph_node *node) {
  for (uint32_t i = 0; i < node->from.count; i++) {
    vptr__edge_data_forget(node->from.items[i], node);
    list_remove(&node->from.items[i]->to, node);
  }
  for (uint32_t i = 0; i < node->to.count; i++) {
    vptr__edge_data_forget(node, node->to.items[i]);
    list_remove(&node->to.items[i]->from, node);
  }
  vptr__memory_free(node->from.items);
  vptr__memory_free(node->to.items);
}

/* ---- nodes ---------------------------------------------------------------------------------------------- */

static vptr_status make_node(vptr__graph *graph, vptr__graph_node **node_out) {
  vptr_status status = have_room(&graph->nodes, 1);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__graph_node *node = vptr__memory_calloc(1, sizeof *node);
  if (node == NULL)
    return vptr__error_host_memory(sizeof *node);
  status = vptr__live_add(node, VPTR__LIVE_NODE);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(node);
    return status;
  }
  node->graph = graph;
  node->id = vptr__graph_next_id();
  *node_out = node;
  return VPTR_SUCCESS;
}

/* Without its work. */
static void free_node(vptr__graph_node *node) {
  cut_off(node);
  vptr__live_remove(node);
  vptr__memory_free(node);
}

static bool has_memory(enum cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree;
}

static void take_bodies(vptr__graph_node *node) {
  node->graph->has_condition = true;
  for (unsigned i = 0; i < node->work.branch.size; i++)
    node->work.branch.bodies[i]->parent = node;
}

vptr_status vptr__graph_add(vptr__graph *graph, vptr__graph_node *const *from, const cudaGraphEdgeData *edges,
                            size_t count, enum cudaGraphNodeType type, const vptr__graph_work *work,
                            vptr__graph_node **node_out) {
  vptr__graph_node *node = NULL;
  vptr_status status = has_memory(type) ? vptr__graph_memory_check(graph, type, work) : VPTR_SUCCESS;
  if (status == VPTR_SUCCESS)
    status = make_node(graph, &node);
  if (status != VPTR_SUCCESS)
    return status;
  for (size_t i = 0; i < count && status == VPTR_SUCCESS; i++)
    status = vptr__graph_connect(from[i], node, edges != NULL ? &edges[i] : NULL);
  if (status != VPTR_SUCCESS) {
    free_node(node);
    return status;
  }
  node->type = type;
  node->work = *work;
  if (type == cudaGraphNodeTypeGraph)
    node->work.child->parent = node;
  if (has_memory(type))
    vptr__graph_memory_added(node);
  if (type == cudaGraphNodeTypeConditional)
    take_bodies(node);
  node->index = graph->nodes.count;
  graph->nodes.items[graph->nodes.count++] = node;
  *node_out = node;
  return VPTR_SUCCESS;
}

void vptr__graph_remove(vptr__graph_node *node, struct vptr__user_holding **holdings) {
  vptr__graph_list *nodes = &node->graph->nodes;
  list_remove(nodes, node);
  for (uint32_t i = node->index; i < nodes->count; i++)
    nodes->items[i]->index = i;
  vptr__graph_work_free(node->type, &node->work, holdings);
  free_node(node);
}

/* ---- graphs --------------------------------------------------------------------------------------------- */

vptr_status vptr__graph_create(vptr__graph **graph_out) {
  vptr__graph *graph = vptr__memory_calloc(1, sizeof *graph);
  if (graph == NULL)
    return vptr__error_host_memory(sizeof *graph);
  vptr_status status = vptr__live_add(graph, VPTR__LIVE_GRAPH);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(graph);
    return status;
  }
  graph->id = vptr__graph_next_id();
  *graph_out = graph;
  return VPTR_SUCCESS;
}

void vptr__graph_destroy(vptr__graph *graph, struct vptr__user_holding **holdings) {
  for (uint32_t i = graph->nodes.count; i > 0; i--) {
    vptr__graph_node *node = graph->nodes.items[i - 1];
    vptr__graph_work_free(node->type, &node->work, holdings);
    node->from.count = node->to.count = 0; /* the other ends go too */
    free_node(node);
  }
  vptr__memory_free(graph->nodes.items);
  vptr__memory_free(graph->edges);
  vptr__user_holdings_move(&graph->holdings, holdings);
  vptr__condition_let_go_all(graph);
  vptr__live_remove(graph);
  vptr__memory_free(graph);
}

bool vptr__graph_node_is_captured_into(const vptr__graph_node *node) {
  bool is_captured = false;
  if (node->type == cudaGraphNodeTypeGraph)
    return vptr__graph_is_captured_into(node->work.child);
  if (node->type == cudaGraphNodeTypeConditional)
    for (unsigned i = 0; i < node->work.branch.size && !is_captured; i++)
      is_captured = vptr__graph_is_captured_into(node->work.branch.bodies[i]);
  return is_captured;
}

bool vptr__graph_is_captured_into(const vptr__graph *graph) {
  bool is_captured = graph->captures > 0;
  for (uint32_t i = 0; i < graph->nodes.count && !is_captured; i++)
    is_captured = vptr__graph_node_is_captured_into(graph->nodes.items[i]);
  return is_captured;
}

static vptr_status copy_nodes(const vptr__graph *graph, vptr__graph *clone) {
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0; i < graph->nodes.count && status == VPTR_SUCCESS; i++) {
    const vptr__graph_node *node = graph->nodes.items[i];
    vptr__graph_node *copy;
    vptr__graph_work work;
    status = vptr__graph_work_copy(node->type, &node->work, &work);
    if (status != VPTR_SUCCESS)
      return status;
    status = vptr__graph_add(clone, NULL, NULL, 0, node->type, &work, &copy);
    if (status == VPTR_SUCCESS)
      copy->origin = node->id;
    else
      vptr__graph_work_free(node->type, &work, NULL);
  }
  return status;
}

static vptr_status copy_edges(const vptr__graph *graph, vptr__graph *clone) {
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0; i < graph->nodes.count; i++) {
    const vptr__graph_node *node = graph->nodes.items[i];
    for (uint32_t k = 0; k < node->from.count && status == VPTR_SUCCESS; k++)
      status = vptr__graph_connect(clone->nodes.items[node->from.items[k]->index], clone->nodes.items[i],
                                   vptr__edge_data_of(node->from.items[k], node));
  }
  return status;
}

vptr_status vptr__graph_clone(const vptr__graph *graph, vptr__graph **clone_out) {
  vptr__graph *clone = NULL;
  if (graph->has_memory || graph->has_condition)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "a graph is not copied whose nodes %s",
                       graph->has_memory ? "allocate or free memory" : "depend on conditions");
  vptr_status status = vptr__graph_create(&clone);
  if (status != VPTR_SUCCESS)
    return status;
  status = copy_nodes(graph, clone);
  if (status == VPTR_SUCCESS)
    status = copy_edges(graph, clone);
  if (status == VPTR_SUCCESS)
    status = vptr__user_holdings_copy(graph->holdings, &clone->holdings);
  if (status == VPTR_SUCCESS)
    *clone_out = clone;
  else
    vptr__graph_destroy(clone, NULL);
  return status;
}
