/* SPDX-License-Identifier: MIT */
/*
 * update - making an executable graph do what another graph does: cudaGraphExecUpdate(), and the same for a child
 * graph.
 *
 * The other graph becomes steps of its own, which have to be the same ones: as many, of the same kinds, with the same
 * edges, in the order in which they were made. Then work is exchanged, step by step, and what was there before goes
 * with the new steps. vptr__graph_lock(), of rank GRAPH (graph/graph.c), is held while steps are made, and the exec's
 * lock, vptr__exec.lock of rank EXEC, while they are compared and exchanged. User objects of the graph before are let
 * go of when the latest launch is over, which is waited for. No data. Called by programs, by exec_node.c and by
 * driver/graph_exec.c. Nothing else blocks but for these locks, and giving the first back where memory goes with the
 * steps (vptr__graph_unlock()).
 */
#include "replay/exec.h"

#include "base/error.h"
#include "cuda/error.h"

#include <string.h>

/* What of an exec is compared: from a step on, so many. */
typedef struct window {
  vptr__step *steps;
  uint32_t first, count;
} window;

static void fill_result(cudaGraphExecUpdateResultInfo *info, enum cudaGraphExecUpdateResult result,
                        const vptr__step *step, const vptr__step *from) {
  info->result = result;
  info->errorNode = step != NULL ? step->node : NULL;
  info->errorFromNode = from != NULL ? from->node : NULL;
}

/* Dependencies of the first step of a child graph lead out of it, and are not compared. */
static bool has_same_edges(const window *old, const vptr__steps *new, uint32_t i, uint32_t shift,
                           cudaGraphExecUpdateResultInfo *info) {
  const vptr__step *was = &old->steps[i], *is = &new->items[i];
  const uint32_t common = was->from_count < is->from_count ? was->from_count : is->from_count;
  uint32_t k = 0;
  while (k < common && was->from[k] == is->from[k] + shift)
    k++;
  if (k == was->from_count && k == is->from_count)
    return true;
  fill_result(info, cudaGraphExecUpdateErrorTopologyChanged, is,
              k < is->from_count ? &new->items[is->from[k]] : NULL);
  return false;
}

static bool has_same_bodies(const vptr__step *was, const vptr__step *is, cudaGraphExecUpdateResultInfo *info);

static bool is_same(const window *old, const vptr__steps *new, uint32_t shift, cudaGraphExecUpdateResultInfo *info) {
  if (old->count != new->count) {
    fill_result(info, cudaGraphExecUpdateErrorTopologyChanged, NULL, NULL);
    return false;
  }
  for (uint32_t i = 0; i < new->count; i++) {
    const vptr__step *was = &old->steps[i], *is = &new->items[i];
    if (was->type != is->type || was->span != is->span) {
      fill_result(info, cudaGraphExecUpdateErrorNodeTypeChanged, is, NULL);
      return false;
    }
    if (!has_same_edges(old, new, i, shift, info))
      return false;
    if (!vptr__step_has_same_memory(was, is)) {
      fill_result(info, cudaGraphExecUpdateErrorNotSupported, is, NULL);
      return false;
    }
    if (!vptr__step_fits(was, &is->work)) {
      fill_result(info, cudaGraphExecUpdateErrorParametersChanged, is, NULL);
      return false;
    }
    if (!has_same_bodies(was, is, info))
      return false;
  }
  return true;
}

/* Of a condition that is the same one. */
static bool has_same_bodies(const vptr__step *was, const vptr__step *is, cudaGraphExecUpdateResultInfo *info) {
  if (was->type != cudaGraphNodeTypeConditional)
    return true;
  bool same = was->work.branch.condition == is->work.branch.condition && was->body_count == is->body_count;
  if (!same)
    fill_result(info, cudaGraphExecUpdateErrorParametersChanged, is, NULL);
  for (uint32_t i = 0; i < is->body_count && same; i++) {
    const window body = { was->bodies[i].items, 0, was->bodies[i].count };
    same = is_same(&body, &is->bodies[i], 0, info);
  }
  return same;
}

static void swap_words(char **one, char **other) {
  char *words = *one;
  *one = *other;
  *other = words;
}

/* The node by which a program names a step stays. */
static void exchange(window *old, vptr__steps *new) {
  for (uint32_t i = 0; i < new->count; i++) {
    vptr__step *was = &old->steps[i], *is = &new->items[i];
    const vptr__graph_work work = was->work;
    was->work = is->work;
    is->work = work;
    swap_words(&was->what, &is->what);
    swap_words(&was->destination, &is->destination);
    swap_words(&was->source, &is->source);
    for (uint32_t k = 0; k < is->body_count; k++) {
      window body = { was->bodies[k].items, 0, was->bodies[k].count };
      exchange(&body, &is->bodies[k]);
    }
  }
}

/* Its steps, and references to its user objects. */
static cudaError_t make_steps(const char *call, cudaGraph_t handle, bool may_be_moved, vptr__steps *steps,
                              vptr__user_holding **holdings) {
  vptr__graph *graph = NULL;
  vptr__graph_node *culprit = NULL;
  vptr__graph_lock();
  cudaError_t error = vptr__graph_find(call, handle, &graph);
  if (error == cudaSuccess && !may_be_moved && graph->is_moved)
    error = vptr__graph_refuse(call, "the graph was moved into a node, and runs with that alone");
  if (error == cudaSuccess) {
    vptr_status status = vptr__user_holdings_gather(graph, holdings);
    if (status == VPTR_SUCCESS)
      status = vptr__steps_make(graph, steps, &culprit);
    error = culprit != NULL ? vptr__graph_refuse(call, "the edges make a circle") : vptr__cuda_from_status(status);
  }
  vptr__graph_unlock();
  return error;
}

/* ---- whole graphs --------------------------------------------------------------------------------------- */

/* What the old graph held is let go of when nothing that was launched can need it. The exec's lock is held. */
static void exchange_holdings(vptr__exec *exec, vptr__user_holding **holdings) {
  vptr__exec_await(exec);
  vptr__user_holding *old = exec->holdings;
  exec->holdings = *holdings;
  *holdings = old;
}

static cudaError_t update_exec(cudaGraphExec_t handle, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
  static const char call[] = "cudaGraphExecUpdate";
  vptr__exec *exec = NULL;
  vptr__steps steps = { .count = 0 };
  vptr__user_holding *holdings = NULL;
  cudaGraphExecUpdateResultInfo unasked;
  if (info == NULL) /* the error says that it failed */
    info = &unasked;
  fill_result(info, cudaGraphExecUpdateError, NULL, NULL);
  cudaError_t error = make_steps(call, graph, false, &steps, &holdings);
  if (error == cudaSuccess)
    error = vptr__exec_enter(call, handle, &exec);
  if (error == cudaSuccess) {
    window all = { exec->steps.items, 0, exec->steps.count };
    if (is_same(&all, &steps, 0, info)) {
      exchange(&all, &steps);
      exchange_holdings(exec, &holdings);
      fill_result(info, cudaGraphExecUpdateSuccess, NULL, NULL);
    } else {
      vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                  "%s: the graph is another one (result %d): its nodes, their kinds or edges differ, or what a copy "
                  "or a set is of",
                  call, (int)info->result);
      error = cudaErrorGraphExecUpdateFailure;
    }
    vptr__exec_leave(exec);
  }
  vptr__steps_free(&steps);
  vptr__user_holdings_release(holdings);
  return error;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo) {
  return vptr__cuda_record(update_exec(hGraphExec, hGraph, resultInfo));
}

/* ---- child graphs --------------------------------------------------------------------------------------- */

/* The steps between the two ends; those that come first in the child wait for the first of these. */
static bool is_same_child(const window *inner, const vptr__steps *new) {
  cudaGraphExecUpdateResultInfo info;
  if (inner->count != new->count)
    return false;
  for (uint32_t i = 0; i < new->count; i++) {
    const vptr__step *was = &inner->steps[i], *is = &new->items[i];
    const bool is_root = is->from_count == 0 && was->from_count == 1 && was->from[0] == inner->first - 1;
    if (was->type != is->type || was->span != is->span || !vptr__step_fits(was, &is->work) ||
        (!is_root && !has_same_edges(inner, new, i, inner->first, &info)))
      return false;
  }
  return true;
}

/* The exec's lock is held. */
static cudaError_t exchange_child(const char *call, vptr__exec *exec, uint64_t id, vptr__steps *new) {
  for (uint32_t i = 0; i < exec->steps.count; i++) {
    vptr__step *step = &exec->steps.items[i];
    if (step->id != id)
      continue;
    window inner = { step + 1, i + 1, step->span - 2 };
    if (!is_same_child(&inner, new)) {
      vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the graph is another one: its nodes, their kinds or edges differ",
                  call);
      return cudaErrorGraphExecUpdateFailure;
    }
    exchange(&inner, new);
    return cudaSuccess;
  }
  return vptr__graph_refuse(call, "the executable graph was not made of the node's graph");
}

cudaError_t vptr__exec_set_child(cudaGraphExec_t handle, cudaGraphNode_t node_handle, cudaGraph_t child) {
  static const char call[] = "cudaGraphExecChildGraphNodeSetParams";
  vptr__exec *exec = NULL;
  vptr__graph_node *node = NULL;
  vptr__steps steps = { .count = 0 };
  vptr__user_holding *holdings = NULL;
  uint64_t id = 0;
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find_kind(call, node_handle, cudaGraphNodeTypeGraph, &node);
  if (error == cudaSuccess)
    id = node->id;
  vptr__graph_unlock();
  if (error == cudaSuccess)
    error = make_steps(call, child, true, &steps, &holdings);
  if (error == cudaSuccess)
    error = vptr__exec_enter(call, handle, &exec);
  if (error == cudaSuccess) {
    error = exchange_child(call, exec, id, &steps);
    if (error == cudaSuccess) /* what the child before held stays with the exec */
      vptr__user_holdings_move(&holdings, &exec->holdings);
    vptr__exec_leave(exec);
  }
  vptr__steps_free(&steps);
  vptr__user_holdings_release(holdings);
  return error;
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                 cudaGraph_t childGraph) {
  return vptr__cuda_record(vptr__exec_set_child(hGraphExec, node, childGraph));
}
