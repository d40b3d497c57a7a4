/* SPDX-License-Identifier: MIT */
/*
 * condition_node - conditions of graphs, and the nodes that depend on them: if, while and switch.
 *
 * A node has a graph for each way that it can go, its bodies, which the program fills. No data; vptr__graph_lock(), of
 * rank GRAPH (graph/graph.c), guards conditions and nodes, and is taken here. Called by programs, and by plain_node.c
 * and driver/graph_memory.c. Creating a condition may wait where the device is full.
 */
#include "base/error.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "graph/condition.h"
#include "replay/call.h"

#include <string.h>

/* ---- conditions ----------------------------------------------------------------------------------------- */

/* Under the lock. */
static cudaError_t give_to_graph(const char *call, cudaGraph_t handle, vptr__condition *condition) {
  vptr__graph *graph = NULL;
  cudaError_t error = vptr__graph_find(call, handle, &graph);
  if (error == cudaSuccess)
    condition->graph = graph->id;
  else
    vptr__condition_let_go(condition);
  return error;
}

static cudaError_t create(cudaGraphConditionalHandle *handle_out, cudaGraph_t graph, unsigned initial,
                          unsigned flags) {
  static const char call[] = "cudaGraphConditionalHandleCreate";
  vptr_mapper *mapper;
  vptr__condition *condition = NULL;
  if (handle_out == NULL)
    return vptr__cuda_null_output(call, "pHandle_out");
  if (flags != 0 && flags != cudaGraphCondAssignDefault)
    return vptr__graph_refuse(call, "flags can be 0 or cudaGraphCondAssignDefault");
  cudaError_t error = vptr__cuda_may_call();
  if (error == cudaSuccess)
    error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__condition_make(mapper, flags != 0 ? initial : 0, &condition));
  if (error != cudaSuccess)
    return error;
  const cudaGraphConditionalHandle made = (cudaGraphConditionalHandle)(uintptr_t)condition->word->ptr;
  vptr__graph_lock();
  error = give_to_graph(call, graph, condition);
  vptr__graph_unlock();
  if (error == cudaSuccess)
    *handle_out = made;
  return error;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *pHandle_out, cudaGraph_t graph,
                                             unsigned int defaultLaunchValue, unsigned int flags) {
  return vptr__cuda_record(create(pHandle_out, graph, defaultLaunchValue, flags));
}

/* ---- nodes ---------------------------------------------------------------------------------------------- */

static cudaError_t check_params(const char *call, const struct cudaConditionalNodeParams *params) {
  const unsigned most = params->type == cudaGraphCondTypeIf      ? 2
                        : params->type == cudaGraphCondTypeWhile ? 1
                                                                 : 1 << 16;
  if ((unsigned)params->type > cudaGraphCondTypeSwitch)
    return vptr__graph_refuse(call, "conditional.type is none of if, while and switch");
  if (params->size > 0 && params->size <= most)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: conditional.size is %u, and can be 1 to %u", call, params->size,
              most);
  return cudaErrorInvalidValue;
}

/* Under the lock. */
static vptr_status make_bodies(vptr__graph_branch *branch) {
  branch->bodies = vptr__memory_calloc(branch->size, sizeof(vptr__graph *));
  if (branch->bodies == NULL)
    return vptr__error_host_memory(branch->size * sizeof(vptr__graph *));
  vptr_status status = VPTR_SUCCESS;
  for (unsigned i = 0; i < branch->size && status == VPTR_SUCCESS; i++)
    status = vptr__graph_create(&branch->bodies[i]);
  return status;
}

/* Under the lock. A body is of a graph or of another body, and of no child graph. */
static cudaError_t find_condition(const vptr__new_node *it, cudaGraphConditionalHandle handle,
                                  vptr__condition **condition_out) {
  vptr__graph *graph = NULL;
  cudaError_t error = vptr__graph_find(it->call, it->graph, &graph);
  for (const vptr__graph *of = graph; error == cudaSuccess && of->parent != NULL; of = of->parent->graph)
    if (of->parent->type == cudaGraphNodeTypeGraph) {
      vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: child graphs have no conditional nodes", it->call);
      error = cudaErrorNotSupported;
      break;
    }
  if (error != cudaSuccess)
    return error;
  *condition_out = vptr__condition_find(graph, handle);
  return *condition_out != NULL
             ? cudaSuccess
             : vptr__graph_refuse(it->call,
                                  "conditional.handle is none of the graph's, or another node depends on it");
}

/* Under the lock. */
static cudaError_t make_work(const vptr__new_node *it, const struct cudaConditionalNodeParams *params,
                             vptr__graph_work *work) {
  vptr__condition *condition = NULL;
  cudaError_t error = find_condition(it, params->handle, &condition);
  if (error != cudaSuccess)
    return error;
  memset(work, 0, sizeof *work);
  work->branch = (vptr__graph_branch){ condition, params->type, params->size, NULL };
  vptr__condition_hold(condition);
  condition->is_used = true;
  vptr_status status = make_bodies(&work->branch);
  if (status != VPTR_SUCCESS)
    vptr__graph_work_free(cudaGraphNodeTypeConditional, work, NULL);
  return vptr__cuda_from_status(status);
}

cudaError_t vptr__graph_node_add_branch(const vptr__new_node *it, struct cudaConditionalNodeParams *params) {
  vptr__graph_work work;
  cudaError_t error = vptr__cuda_may_call();
  if (error == cudaSuccess)
    error = check_params(it->call, params);
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  error = make_work(it, params, &work);
  vptr__graph_unlock();
  if (error != cudaSuccess)
    return error;
  vptr__graph **bodies = work.branch.bodies;
  error = vptr__graph_node_add(it, cudaGraphNodeTypeConditional, &work);
  if (error == cudaSuccess)
    params->phGraph_out = (cudaGraph_t *)(void *)bodies;
  return error;
}
