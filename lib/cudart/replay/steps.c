/* SPDX-License-Identifier: MIT */
/*
 * steps - making a list of steps of a graph, freeing it, and making a graph of it again (exec.h).
 *
 * A child graph becomes its own steps between two that do nothing: those of its nodes that depend on none wait for the
 * first, and the second waits for those that none depends on. While steps are made a node's `mark` is the step that
 * stands for it to those behind it. No static data: a vptr__steps belongs to its exec, and vptr__exec.lock, of rank
 * EXEC, guards it from then on. vptr__graph_lock(), of rank GRAPH (graph/graph.c), guards the graphs, and what steps
 * hold of them: the callers of vptr__steps_make() hold it, and vptr__steps_free() and vptr__steps_as_graph() take it.
 * Called by exec.c and update.c. Nothing blocks, but freeing steps where memory of a graph's goes with them
 * (vptr__graph_unlock()).
 */
#include "replay/runs.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static vptr_status have_room(vptr__steps *steps) {
  enum { LEAST = 16 };
  if (steps->count < steps->room)
    return VPTR_SUCCESS;
  const uint32_t room = steps->room == 0 ? LEAST : steps->room * 2;
  vptr__step *items = vptr__memory_calloc(room, sizeof *items);
  if (items == NULL)
    return vptr__error_host_memory(room * sizeof *items);
  if (steps->count > 0)
    memcpy(items, steps->items, steps->count * sizeof *items);
  vptr__memory_free(steps->items);
  steps->items = items;
  steps->room = room;
  return VPTR_SUCCESS;
}

/* ---- words ---------------------------------------------------------------------------------------------- */

/* Of its own memory, NULL where there is none. */
static char *join_words(const char *first, const char *second) {
  const size_t size = strlen(first) + strlen(second) + 1;
  char *words = vptr__memory_calloc(1, size);
  if (words != NULL)
    snprintf(words, size, "%s%s", first, second);
  return words;
}

static vptr_status name_step(vptr__step *step) {
  enum { MOST = 160 };
  char words[MOST];
  const char *type = vptr__graph_type_name(step->type);
  if (step->type == cudaGraphNodeTypeKernel)
    snprintf(words, sizeof words, "cudaGraphLaunch: node %u (%s %s)", step->number, type,
             vptr__function_image(step->work.kernel.function)->name);
  else if (step->type == cudaGraphNodeTypeEmpty && step->work.call.send != NULL)
    snprintf(words, sizeof words, "cudaGraphLaunch: node %u (%s)", step->number, step->work.call.name);
  else
    snprintf(words, sizeof words, "cudaGraphLaunch: node %u (%s)", step->number, type);
  step->what = join_words(words, "");
  if (step->type == cudaGraphNodeTypeMemcpy) {
    step->destination = join_words(words, " destination");
    step->source = join_words(words, " source");
  }
  bool fits = step->what != NULL &&
              (step->type != cudaGraphNodeTypeMemcpy || (step->destination != NULL && step->source != NULL));
  return fits ? VPTR_SUCCESS : vptr__error_host_memory(sizeof words);
}

/* ---- making --------------------------------------------------------------------------------------------- */

/* A step without work and what it depends on, at the end. */
static vptr_status add_step(vptr__steps *steps, enum cudaGraphNodeType type, uint32_t from_count,
                            vptr__step **step_out) {
  vptr_status status = have_room(steps);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__step *step = &steps->items[steps->count];
  memset(step, 0, sizeof *step);
  step->from = vptr__memory_calloc(from_count + (size_t)1, sizeof *step->from);
  if (step->from == NULL)
    return vptr__error_host_memory((from_count + (size_t)1) * sizeof *step->from);
  step->type = type;
  step->is_enabled = true;
  steps->count++;
  *step_out = step;
  return VPTR_SUCCESS;
}

/* What it does, if it is not laid flat. */
static vptr_status fill_step(vptr__step *step, const vptr__graph_node *node) {
  step->node = (cudaGraphNode_t)(uintptr_t)node;
  step->id = node->id;
  step->number = node->index;
  vptr_status status = VPTR_SUCCESS;
  if (node->type != cudaGraphNodeTypeGraph) {
    step->type = cudaGraphNodeTypeEmpty; /* until there is work to free */
    status = vptr__graph_work_copy(node->type, &node->work, &step->work);
    if (status == VPTR_SUCCESS)
      step->type = node->type;
    else /* what is in it is the node's */
      memset(&step->work, 0, sizeof step->work);
  }
  return status == VPTR_SUCCESS ? name_step(step) : status;
}

/* Those without dependencies wait for the step before them, if they are a child graph's. */
static vptr_status add_node(vptr__steps *steps, vptr__graph_node *node, const uint32_t *entry) {
  vptr__step *step = NULL;
  vptr_status status = add_step(steps, node->type, node->from.count + 1, &step);
  if (status != VPTR_SUCCESS)
    return status;
  for (uint32_t i = 0; i < node->from.count; i++)
    step->from[step->from_count++] = node->from.items[i]->mark;
  if (node->from.count == 0 && entry != NULL)
    step->from[step->from_count++] = *entry;
  return fill_step(step, node);
}

static vptr_status add_graph(vptr__steps *steps, const vptr__graph *graph, const uint32_t *entry,
                             vptr__graph_node **culprit_out);

/* What may depend on a condition: no functions of the host, no events, no memory. */
static bool may_be_in_body(enum cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset ||
         type == cudaGraphNodeTypeGraph || type == cudaGraphNodeTypeEmpty || type == cudaGraphNodeTypeConditional;
}

static vptr_status check_body(const vptr__graph *body, vptr__graph_node **culprit_out) {
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0; i < body->nodes.count && status == VPTR_SUCCESS; i++) {
    vptr__graph_node *node = body->nodes.items[i];
    if (node->type == cudaGraphNodeTypeGraph)
      status = check_body(node->work.child, culprit_out);
    else if (!may_be_in_body(node->type)) {
      *culprit_out = node;
      status = vptr__error(VPTR_ERROR_UNSUPPORTED,
                           "node %u (%s) cannot depend on a condition: bodies have kernels, "
                           "copies, sets, child graphs, empty and conditional nodes",
                           node->index, vptr__graph_type_name(node->type));
    }
  }
  return status;
}

static vptr_status add_bodies(vptr__step *step, const vptr__graph_branch *branch, vptr__graph_node **culprit_out) {
  vptr_status status = VPTR_SUCCESS;
  step->bodies = vptr__memory_calloc(branch->size, sizeof *step->bodies);
  if (step->bodies == NULL)
    return vptr__error_host_memory(branch->size * sizeof *step->bodies);
  step->body_count = branch->size;
  for (uint32_t i = 0; i < branch->size && status == VPTR_SUCCESS; i++) {
    status = check_body(branch->bodies[i], culprit_out);
    if (status == VPTR_SUCCESS)
      status = add_graph(&step->bodies[i], branch->bodies[i], NULL, culprit_out);
  }
  return status;
}

/* Behind its first step: the others, and the last. */
static vptr_status add_child(vptr__steps *steps, vptr__graph_node *node, vptr__graph_node **culprit_out) {
  const vptr__graph *child = node->work.child;
  const uint32_t entry = steps->count - 1;
  vptr__step *end = NULL;
  vptr_status status = add_graph(steps, child, &entry, culprit_out);
  if (status == VPTR_SUCCESS)
    status = add_step(steps, cudaGraphNodeTypeEmpty, child->nodes.count + 1, &end);
  if (status != VPTR_SUCCESS)
    return status;
  for (uint32_t i = 0; i < child->nodes.count; i++)
    if (child->nodes.items[i]->to.count == 0)
      end->from[end->from_count++] = child->nodes.items[i]->mark;
  if (end->from_count == 0)
    end->from[end->from_count++] = entry;
  end->number = node->index;
  steps->items[entry].span = steps->count - entry;
  return name_step(end);
}

static vptr_status add_graph(vptr__steps *steps, const vptr__graph *graph, const uint32_t *entry,
                             vptr__graph_node **culprit_out) {
  vptr__graph_list order;
  vptr_status status = vptr__graph_order(graph, &order, culprit_out);
  if (status != VPTR_SUCCESS)
    return status;
  for (uint32_t i = 0; i < order.count && status == VPTR_SUCCESS; i++) {
    vptr__graph_node *node = order.items[i];
    status = add_node(steps, node, entry);
    if (status == VPTR_SUCCESS && node->type == cudaGraphNodeTypeGraph)
      status = add_child(steps, node, culprit_out);
    if (status == VPTR_SUCCESS && node->type == cudaGraphNodeTypeConditional)
      status = add_bodies(&steps->items[steps->count - 1], &node->work.branch, culprit_out);
    node->mark = steps->count - 1;
  }
  vptr__memory_free(order.items);
  return status;
}

/* The caller holds vptr__graph_lock(). Steps have no child graphs, and so nothing of user objects. */
static void free_all(vptr__steps *steps) {
  for (uint32_t i = 0; i < steps->count; i++) {
    vptr__step *step = &steps->items[i];
    if (step->type != cudaGraphNodeTypeGraph)
      vptr__graph_work_free(step->type, &step->work, NULL);
    for (uint32_t k = 0; k < step->body_count; k++)
      free_all(&step->bodies[k]);
    vptr__memory_free(step->bodies);
    vptr__memory_free(step->from);
    vptr__memory_free(step->waits);
    vptr__memory_free(step->what);
    vptr__memory_free(step->destination);
    vptr__memory_free(step->source);
  }
  vptr__memory_free(steps->items);
  memset(steps, 0, sizeof *steps);
}

void vptr__steps_free(vptr__steps *steps) {
  vptr__runs_free(steps);
  vptr__graph_lock();
  free_all(steps);
  vptr__graph_unlock();
}

vptr_status vptr__steps_make(const vptr__graph *graph, vptr__steps *steps_out, vptr__graph_node **culprit_out) {
  vptr__steps steps = { .count = 0 };
  *culprit_out = NULL;
  vptr_status status = add_graph(&steps, graph, NULL, culprit_out);
  if (status == VPTR_SUCCESS)
    status = vptr__lanes_plan(&steps);
  if (status == VPTR_SUCCESS)
    *steps_out = steps;
  else
    free_all(&steps);
  return status;
}

/* ---- and back ------------------------------------------------------------------------------------------- */

/* Under the lock. Behind the nodes that stand for what the step depends on. */
static vptr_status add_back(vptr__graph *graph, const vptr__step *step, vptr__graph_list *from) {
  vptr__graph_node *node = NULL;
  vptr__graph_work work;
  const enum cudaGraphNodeType type =
      step->type == cudaGraphNodeTypeGraph || !step->is_enabled ? cudaGraphNodeTypeEmpty : step->type;
  vptr_status status = VPTR_SUCCESS;
  from->count = 0;
  for (uint32_t i = 0; i < step->from_count && status == VPTR_SUCCESS; i++)
    status = vptr__graph_list_push(from, graph->nodes.items[step->from[i]]);
  memset(&work, 0, sizeof work); /* of what is switched off, and of the ends of child graphs */
  if (status == VPTR_SUCCESS && type == step->type)
    status = vptr__graph_work_copy(type, &step->work, &work);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__graph_add(graph, from->items, NULL, from->count, type, &work, &node);
  if (status != VPTR_SUCCESS)
    vptr__graph_work_free(type, &work, NULL);
  return status;
}

vptr_status vptr__steps_as_graph(const vptr__steps *steps, const vptr__user_holding *holdings,
                                 vptr__graph **graph_out) {
  vptr__graph *graph = NULL;
  vptr__graph_list from = { .count = 0 };
  vptr__graph_lock();
  vptr_status status = vptr__graph_create(&graph);
  if (status == VPTR_SUCCESS) {
    for (uint32_t i = 0; i < steps->count && status == VPTR_SUCCESS; i++)
      status = add_back(graph, &steps->items[i], &from);
    if (status == VPTR_SUCCESS)
      status = vptr__user_holdings_copy(holdings, &graph->holdings);
    if (status == VPTR_SUCCESS)
      *graph_out = graph;
    else
      vptr__graph_destroy(graph, NULL);
  }
  vptr__graph_unlock();
  vptr__memory_free(from.items);
  return status;
}
