/* SPDX-License-Identifier: MIT */
/*
 * exec_node - changing what one node of an executable graph does from the next launch on, and whether it does it.
 *
 * The node is one of the graph that the exec was made of, of that or of a child graph of it, and is known by its id, so
 * it has to be there still. vptr__graph_lock(), of rank GRAPH (graph/graph.c), and the exec's lock, vptr__exec.lock of
 * rank EXEC, which guards the steps, are taken, one after the other. No data. Called by programs, and by
 * driver/graph_exec.c; for nodes of words by word_node.c. Nothing blocks but for these locks; before they are taken, to
 * find a kernel or a symbol (work_of.c); and behind them, where the exec was destroyed meanwhile, to end it (exec.c).
 */
#include "base/error.h"
#include "cuda/error.h"
#include "replay/exec.h"

/* The step that was made of a node. The exec's lock is held. */
static vptr__step *find_step(const vptr__steps *steps, uint64_t id) {
  vptr__step *found = NULL;
  for (uint32_t i = 0; i < steps->count && found == NULL; i++) {
    if (steps->items[i].id == id)
      return &steps->items[i];
    for (uint32_t k = 0; k < steps->items[i].body_count && found == NULL; k++)
      found = find_step(&steps->items[i].bodies[k], id);
  }
  return found;
}

static cudaError_t find_id(const char *call, cudaGraphNode_t handle, uint64_t *id_out) {
  vptr__graph_node *node = NULL;
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find(call, handle, &node);
  if (error == cudaSuccess)
    *id_out = node->id;
  vptr__graph_unlock();
  return error;
}

/* The exec of a handle, in use and locked, and the step of a node. */
static cudaError_t enter_step(const char *call, cudaGraphExec_t handle, cudaGraphNode_t node, vptr__exec **exec_out,
                              vptr__step **step_out) {
  uint64_t id;
  cudaError_t error = find_id(call, node, &id);
  if (error == cudaSuccess)
    error = vptr__exec_enter(call, handle, exec_out);
  if (error != cudaSuccess)
    return error;
  *step_out = find_step(&(*exec_out)->steps, id);
  if (*step_out != NULL)
    return cudaSuccess;
  vptr__exec_leave(*exec_out);
  return vptr__graph_refuse(call, "the executable graph was not made of the node's graph");
}

/* The work is taken over or freed; a kernel's attributes stay. */
cudaError_t vptr__exec_set_work(const char *call, cudaGraphExec_t handle, cudaGraphNode_t node,
                                enum cudaGraphNodeType type, vptr__graph_work *work) {
  vptr__exec *exec = NULL;
  vptr__step *step = NULL;
  cudaError_t error = enter_step(call, handle, node, &exec, &step);
  if (error == cudaSuccess) {
    error = step->type == type ? vptr__step_check_change(call, step, work)
                               : vptr__graph_refuse(call, "the node is of another kind");
    if (error == cudaSuccess) {
      const vptr__graph_work old = step->work;
      step->work = *work;
      *work = old;
      if (type == cudaGraphNodeTypeKernel)
        vptr__graph_kernel_keep_attributes(&step->work.kernel, &work->kernel);
    }
    vptr__exec_leave(exec);
  }
  vptr__work_drop(type, work);
  return error;
}

/* ---- by kind -------------------------------------------------------------------------------------------- */

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *pNodeParams) {
  static const char call[] = "cudaGraphExecKernelNodeSetParams";
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_kernel(call, pNodeParams, &work);
  return vptr__cuda_record(
      error == cudaSuccess ? vptr__exec_set_work(call, hGraphExec, node, cudaGraphNodeTypeKernel, &work) : error);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *pNodeParams) {
  static const char call[] = "cudaGraphExecMemcpyNodeSetParams";
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_copy(call, pNodeParams, &work);
  return vptr__cuda_record(
      error == cudaSuccess ? vptr__exec_set_work(call, hGraphExec, node, cudaGraphNodeTypeMemcpy, &work) : error);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                               const void *src, size_t count, enum cudaMemcpyKind kind) {
  static const char call[] = "cudaGraphExecMemcpyNodeSetParams1D";
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_line(call, dst, src, count, kind, &work);
  return vptr__cuda_record(
      error == cudaSuccess ? vptr__exec_set_work(call, hGraphExec, node, cudaGraphNodeTypeMemcpy, &work) : error);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                     const void *symbol, const void *src, size_t count, size_t offset,
                                                     enum cudaMemcpyKind kind) {
  static const char call[] = "cudaGraphExecMemcpyNodeSetParamsToSymbol";
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_line_to_symbol(call, symbol, src, count, offset, kind, &work);
  return vptr__cuda_record(
      error == cudaSuccess ? vptr__exec_set_work(call, hGraphExec, node, cudaGraphNodeTypeMemcpy, &work) : error);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                                       const void *symbol, size_t count, size_t offset,
                                                       enum cudaMemcpyKind kind) {
  static const char call[] = "cudaGraphExecMemcpyNodeSetParamsFromSymbol";
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_line_from_symbol(call, dst, symbol, count, offset, kind, &work);
  return vptr__cuda_record(
      error == cudaSuccess ? vptr__exec_set_work(call, hGraphExec, node, cudaGraphNodeTypeMemcpy, &work) : error);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *pNodeParams) {
  static const char call[] = "cudaGraphExecMemsetNodeSetParams";
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_set(call, pNodeParams, &work);
  return vptr__cuda_record(
      error == cudaSuccess ? vptr__exec_set_work(call, hGraphExec, node, cudaGraphNodeTypeMemset, &work) : error);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *pNodeParams) {
  static const char call[] = "cudaGraphExecHostNodeSetParams";
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_host(call, pNodeParams, &work);
  return vptr__cuda_record(
      error == cudaSuccess ? vptr__exec_set_work(call, hGraphExec, node, cudaGraphNodeTypeHost, &work) : error);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                 cudaEvent_t event) {
  static const char call[] = "cudaGraphExecEventRecordNodeSetEvent";
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_event(call, event, &work);
  return vptr__cuda_record(error == cudaSuccess
                               ? vptr__exec_set_work(call, hGraphExec, hNode, cudaGraphNodeTypeEventRecord, &work)
                               : error);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event) {
  static const char call[] = "cudaGraphExecEventWaitNodeSetEvent";
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_event(call, event, &work);
  return vptr__cuda_record(
      error == cudaSuccess ? vptr__exec_set_work(call, hGraphExec, hNode, cudaGraphNodeTypeWaitEvent, &work) : error);
}

static cudaError_t set_any(cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaGraphNodeParams *params) {
  static const char call[] = "cudaGraphExecNodeSetParams";
  vptr__graph_work work;
  if (params != NULL && params->type == cudaGraphNodeTypeGraph)
    return vptr__exec_set_child(exec, node, params->graph.graph);
  if (params != NULL && params->type == cudaGraphNodeTypeEmpty)
    return vptr__graph_refuse(call, "empty nodes have nothing to change");
  cudaError_t error = vptr__work_of_params(call, params, &work);
  return error == cudaSuccess ? vptr__exec_set_work(call, exec, node, params->type, &work) : error;
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *nodeParams) {
  return vptr__cuda_record(set_any(graphExec, node, nodeParams));
}

/* ---- on and off ----------------------------------------------------------------------------------------- */

static cudaError_t check_switch(const char *call, const vptr__step *step) {
  if (step->type == cudaGraphNodeTypeKernel || step->type == cudaGraphNodeTypeMemcpy ||
      step->type == cudaGraphNodeTypeMemset)
    return cudaSuccess;
  return vptr__graph_refuse(call, "kernels, copies and sets can be switched off, and no other nodes");
}

static cudaError_t set_enabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned is_enabled) {
  static const char call[] = "cudaGraphNodeSetEnabled";
  vptr__exec *exec = NULL;
  vptr__step *step = NULL;
  cudaError_t error = enter_step(call, handle, node, &exec, &step);
  if (error != cudaSuccess)
    return error;
  error = check_switch(call, step);
  if (error == cudaSuccess)
    step->is_enabled = is_enabled != 0;
  vptr__exec_leave(exec);
  return error;
}

static cudaError_t get_enabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned *is_enabled) {
  static const char call[] = "cudaGraphNodeGetEnabled";
  vptr__exec *exec = NULL;
  vptr__step *step = NULL;
  if (is_enabled == NULL)
    return vptr__cuda_null_output(call, "isEnabled");
  cudaError_t error = enter_step(call, handle, node, &exec, &step);
  if (error != cudaSuccess)
    return error;
  error = check_switch(call, step);
  if (error == cudaSuccess)
    *is_enabled = step->is_enabled;
  vptr__exec_leave(exec);
  return error;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int isEnabled) {
  return vptr__cuda_record(set_enabled(hGraphExec, hNode, isEnabled));
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int *isEnabled) {
  return vptr__cuda_record(get_enabled(hGraphExec, hNode, isEnabled));
}
