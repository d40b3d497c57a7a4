/* SPDX-License-Identifier: MIT */
/*
 * user_object - counting the references to user objects, which a program ties to graphs, and ending them
 * (user_object.h).
 *
 * There is no static data here. The objects, which are made and freed here, and the lists of holdings are guarded by
 * vptr__graph_lock(), of rank GRAPH (graph.c): vptr__user_holdings_release() takes it, all others are called with it
 * held. An object whose last reference goes is no handle any more before its function is called, which happens without
 * the lock and in the thread that lets go. Called by capture.c, captured_work.c, graph.c, and by the files of
 * lib/cudart/replay. What a program's function does here, it does in a call that lets go; else nothing blocks.
 */
#include "graph/user_object.h"

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"

vptr_status vptr__user_object_create(cudaHostFn_t destroy, void *value, unsigned references,
                                     vptr__user_object **object_out) {
  vptr__user_object *object = vptr__memory_calloc(1, sizeof *object);
  if (object == NULL)
    return vptr__error_host_memory(sizeof *object);
  vptr_status status = vptr__live_add(object, VPTR__LIVE_USER_OBJECT);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(object);
    return status;
  }
  *object = (vptr__user_object){ destroy, value, references };
  *object_out = object;
  return VPTR_SUCCESS;
}

static vptr__user_holding **find_holding(vptr__user_holding **list, const vptr__user_object *object) {
  while (*list != NULL && (*list)->object != object)
    list = &(*list)->next;
  return list;
}

vptr_status vptr__user_holdings_take(vptr__user_holding **list, vptr__user_object *object, uint64_t count) {
  vptr__user_holding **place = find_holding(list, object);
  if (*place == NULL) {
    *place = vptr__memory_calloc(1, sizeof **place);
    if (*place == NULL)
      return vptr__error_host_memory(sizeof **place);
    (*place)->object = object;
  }
  (*place)->count += count;
  return VPTR_SUCCESS;
}

bool vptr__user_holdings_give(vptr__user_holding **list, const vptr__user_object *object, uint64_t count,
                              vptr__user_holding **holdings) {
  vptr__user_holding **place = find_holding(list, object), *found = *place;
  if (found == NULL || found->count < count)
    return false;
  if (found->count > count) { /* the object stays */
    found->count -= count;
    found->object->references -= count;
    return true;
  }
  *place = found->next;
  found->next = *holdings;
  *holdings = found;
  return true;
}

static vptr_status add_copies(const vptr__user_holding *list, vptr__user_holding **copy) {
  vptr_status status = VPTR_SUCCESS;
  for (; list != NULL && status == VPTR_SUCCESS; list = list->next) {
    status = vptr__user_holdings_take(copy, list->object, list->count);
    if (status == VPTR_SUCCESS)
      list->object->references += list->count;
  }
  return status;
}

static vptr_status end_copy(vptr_status status, vptr__user_holding *copy, vptr__user_holding **copy_out) {
  if (status != VPTR_SUCCESS)
    vptr__user_holdings_move(&copy, NULL);
  else
    *copy_out = copy;
  return status;
}

vptr_status vptr__user_holdings_copy(const vptr__user_holding *list, vptr__user_holding **copy_out) {
  vptr__user_holding *copy = NULL;
  vptr_status status = add_copies(list, &copy);
  return end_copy(status, copy, copy_out);
}

static vptr_status add_graph(const vptr__graph *graph, vptr__user_holding **copy);

static vptr_status add_node(const vptr__graph_node *node, vptr__user_holding **copy) {
  vptr_status status = VPTR_SUCCESS;
  if (node->type == cudaGraphNodeTypeGraph)
    return add_graph(node->work.child, copy);
  if (node->type == cudaGraphNodeTypeConditional)
    for (unsigned i = 0; i < node->work.branch.size && status == VPTR_SUCCESS; i++)
      status = add_graph(node->work.branch.bodies[i], copy);
  return status;
}

static vptr_status add_graph(const vptr__graph *graph, vptr__user_holding **copy) {
  vptr_status status = add_copies(graph->holdings, copy);
  for (uint32_t i = 0; i < graph->nodes.count && status == VPTR_SUCCESS; i++)
    status = add_node(graph->nodes.items[i], copy);
  return status;
}

vptr_status vptr__user_holdings_gather(const vptr__graph *graph, vptr__user_holding **copy_out) {
  vptr__user_holding *copy = NULL;
  vptr_status status = add_graph(graph, &copy);
  return end_copy(status, copy, copy_out);
}

void vptr__user_holdings_move(vptr__user_holding **list, vptr__user_holding **holdings) {
  while (*list != NULL) {
    vptr__user_holding *holding = *list;
    *list = holding->next;
    if (holdings != NULL) {
      holding->next = *holdings;
      *holdings = holding;
    } else {
      holding->object->references -= holding->count;
      vptr__memory_free(holding);
    }
  }
}

/* Whether the object is the caller's to end. */
static bool let_go(const vptr__user_holding *holding) {
  vptr__graph_lock();
  holding->object->references -= holding->count;
  bool is_last = holding->object->references == 0;
  if (is_last)
    vptr__live_remove(holding->object);
  vptr__graph_unlock();
  return is_last;
}

void vptr__user_holdings_release(vptr__user_holding *list) {
  while (list != NULL) {
    vptr__user_holding *next = list->next;
    if (let_go(list)) {
      list->object->destroy(list->object->value);
      vptr__memory_free(list->object);
    }
    vptr__memory_free(list);
    list = next;
  }
}
