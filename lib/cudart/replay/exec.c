/* SPDX-License-Identifier: MIT */
/*
 * exec - instantiating, launching and ending executable graphs, and entering and leaving one (exec.h).
 *
 * Lock: vptr__exec.lock, of rank EXEC, one in each exec, guards all of it that changes, but for `users`;
 * vptr__exec_enter() takes it, and vptr__exec_leave() gives it back, so that one thread at a time sends or changes an
 * exec. `users` is the count of those that use it, guarded by vptr__graph_lock(), of rank GRAPH (graph/graph.c), so
 * that it may be destroyed while another thread launches it; a graph's `instance` is guarded so, too. What is set when
 * an exec is made, such as its flags, is read without a lock. Ending one whose graph had user objects waits for its
 * latest launch before they may go; else nothing waits, since what was sent needs nothing of it, unless memory of its
 * graph's goes with it (vptr__graph_unlock()). No static data: a vptr__exec is made here, and freed here by the last
 * that uses it. Called by programs, by driver/graph_exec.c, and by update.c and exec_node.c, which enter and leave an
 * exec.
 */
#include "replay/runs.h"

#include "base/error.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "graph/capture.h"

/* ---- in use --------------------------------------------------------------------------------------------- */

cudaError_t vptr__exec_enter(const char *call, cudaGraphExec_t handle, vptr__exec **exec_out) {
  vptr__exec *exec = (vptr__exec *)handle;
  cudaError_t error = vptr__cuda_may_call();
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  bool is_live = vptr__live_is(handle, VPTR__LIVE_EXEC);
  if (is_live)
    exec->users++;
  vptr__graph_unlock();
  if (!is_live) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no executable graph: it was destroyed, or never made", call,
                (void *)handle);
    return cudaErrorInvalidValue;
  }
  vptr__lock_take(&exec->lock);
  *exec_out = exec;
  return cudaSuccess;
}

void vptr__exec_await(const vptr__exec *exec) {
  if (exec->holdings != NULL && vptr__lanes_are_live(exec) && exec->end != NULL)
    vptr__event_synchronize(exec->end);
}

static void free_exec(vptr__exec *exec) {
  vptr__exec_await(exec);
  vptr__lanes_close(exec);
  vptr__steps_free(&exec->steps);
  vptr__user_holdings_release(exec->holdings);
  vptr__lock_fini(&exec->lock);
  vptr__memory_free(exec);
}

/* Not locked any more. */
static void let_go(vptr__exec *exec) {
  vptr__graph_lock();
  bool is_last = --exec->users == 0;
  vptr__graph_unlock();
  if (is_last)
    free_exec(exec);
}

void vptr__exec_leave(vptr__exec *exec) {
  vptr__lock_give(&exec->lock);
  let_go(exec);
}

/* Under the lock. The graph may have another one from now on, if it is there still. */
static void end_instance(const vptr__exec *exec) {
  vptr__graph *graph = (vptr__graph *)(uintptr_t)exec->origin;
  if (graph != NULL && vptr__live_is(graph, VPTR__LIVE_GRAPH) && graph->id == exec->graph &&
      graph->instance == exec->instance)
    graph->instance = 0;
}

static cudaError_t destroy_exec(cudaGraphExec_t handle) {
  static const char call[] = "cudaGraphExecDestroy";
  cudaError_t error = vptr__cuda_may_call();
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_unsafe(call);
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  bool is_live = vptr__live_is(handle, VPTR__LIVE_EXEC);
  if (is_live) {
    vptr__live_remove(handle);
    end_instance((const vptr__exec *)handle);
  }
  vptr__graph_unlock();
  if (!is_live)
    return vptr__graph_refuse(call, "the handle is no executable graph");
  let_go((vptr__exec *)handle);
  return cudaSuccess;
}

/* ---- making --------------------------------------------------------------------------------------------- */

/* Of a graph that has no other. */
static void note_instance(vptr__exec *exec, vptr__graph *graph) {
  exec->has_memory = graph->has_memory;
  exec->has_condition = graph->has_condition;
  exec->graph = graph->id;
  exec->origin = graph;
  exec->instance = graph->instance = vptr__graph_next_id();
}

/* Under the lock. */
static cudaError_t check_graph(const char *call, const vptr__graph *graph, cudaGraphInstantiateParams *report) {
  if (graph->parent != NULL && graph->parent->type == cudaGraphNodeTypeConditional)
    return vptr__graph_refuse(call, "it is the body of a conditional node, and part of that node's graph");
  if (vptr__condition_any_unused(graph)) {
    report->result_out = cudaGraphInstantiateConditionalHandleUnused;
    return vptr__graph_refuse(call, "no node depends on one of the conditions that were created for the graph");
  }
  if (graph->instance == 0)
    return cudaSuccess;
  vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s: nodes of the graph allocate or free memory, or depend on conditions: it has one executable graph at "
      "a time, and has one",
      call);
  return cudaErrorNotSupported;
}

/* Under the lock. */
static cudaError_t fill_exec(const char *call, vptr__exec *exec, cudaGraph_t handle,
                             cudaGraphInstantiateParams *report) {
  vptr__graph *graph = NULL;
  vptr__graph_node *culprit = NULL;
  cudaError_t error = vptr__graph_find(call, handle, &graph);
  if (error != cudaSuccess)
    return error;
  error = vptr__graph_check_moved(call, graph);
  if (error == cudaSuccess)
    error = check_graph(call, graph, report);
  if (error != cudaSuccess)
    return error;
  vptr_status status = vptr__steps_make(graph, &exec->steps, &culprit);
  if (status == VPTR_SUCCESS)
    status = vptr__user_holdings_gather(graph, &exec->holdings);
  if (status == VPTR_SUCCESS)
    status = vptr__live_add(exec, VPTR__LIVE_EXEC);
  if (status == VPTR_SUCCESS && (graph->has_memory || graph->has_condition))
    note_instance(exec, graph);
  if (culprit == NULL)
    return vptr__cuda_from_status(status);
  report->errNode_out = (cudaGraphNode_t)culprit;
  if (status == VPTR_ERROR_UNSUPPORTED) {
    report->result_out = cudaGraphInstantiateNodeOperationNotSupported;
    return cudaErrorNotSupported;
  }
  report->result_out = cudaGraphInstantiateInvalidStructure;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: node %u (%s) depends on itself: the edges make a circle", call,
              culprit->index, vptr__graph_type_name(culprit->type));
  return cudaErrorInvalidValue;
}

static cudaError_t make_exec(const char *call, cudaGraph_t handle, cudaGraphInstantiateParams *report,
                             vptr__exec **exec_out) {
  vptr__exec *exec = vptr__memory_calloc(1, sizeof *exec);
  if (exec == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *exec));
  vptr__lock_init(&exec->lock, VPTR__RANK_EXEC);
  exec->users = 1;
  exec->flags = report->flags;
  vptr__graph_lock();
  cudaError_t error = fill_exec(call, exec, handle, report);
  vptr__graph_unlock();
  if (error == cudaSuccess)
    *exec_out = exec;
  else
    free_exec(exec);
  return error;
}

static cudaError_t check_flags(const char *call, vptr_unsigned_long_long flags, unsigned known) {
  if ((flags & ~(vptr_unsigned_long_long)known) == 0)
    return cudaSuccess;
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: kernels cannot launch graphs", call);
    return cudaErrorNotSupported;
  }
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: flags are 0x%llx, and those that there are make 0x%x", call,
              (unsigned long long)flags, known);
  return cudaErrorInvalidValue;
}

static cudaError_t instantiate(const char *call, cudaGraphExec_t *exec_out, cudaGraph_t graph,
                               cudaGraphInstantiateParams *report, unsigned known) {
  vptr__exec *exec = NULL;
  cudaError_t error = vptr__cuda_may_call();
  if (error == cudaSuccess)
    error = vptr__cuda_device_exists();
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_unsafe(call);
  if (error == cudaSuccess && exec_out == NULL)
    error = vptr__cuda_null_output(call, "pGraphExec");
  if (error == cudaSuccess)
    error = check_flags(call, report->flags, known);
  if (error == cudaSuccess)
    error = make_exec(call, graph, report, &exec);
  if (error == cudaSuccess)
    *exec_out = (cudaGraphExec_t)exec;
  return error;
}

/* ---- sending -------------------------------------------------------------------------------------------- */

/* The launch is a child graph of what is captured. */
static cudaError_t capture_launch(const vptr__exec *exec, vptr__stream *stream) {
  vptr__graph_work work = { .child = NULL };
  if (exec->has_memory || exec->has_condition) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "cudaGraphLaunch: a graph cannot be captured whose nodes %s",
                exec->has_memory ? "allocate or free memory" : "depend on conditions");
    return cudaErrorStreamCaptureUnsupported;
  }
  cudaError_t error = vptr__cuda_from_status(vptr__steps_as_graph(&exec->steps, exec->holdings, &work.child));
  return error == cudaSuccess ? vptr__capture_add("cudaGraphLaunch", stream, cudaGraphNodeTypeGraph, &work) : error;
}

static cudaError_t launch_exec(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  vptr__stream *stream;
  vptr__exec *exec = NULL;
  bool captures = false;
  cudaError_t error = vptr__cuda_stream(stream_handle, &stream);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_look("cudaGraphLaunch", stream, &captures);
  if (error == cudaSuccess)
    error = vptr__exec_enter("cudaGraphLaunch", handle, &exec);
  if (error != cudaSuccess)
    return error;
  error = captures ? capture_launch(exec, stream) : vptr__exec_send(exec, stream);
  vptr__exec_leave(exec);
  return error;
}

/* All that is needed before the first step: streams, events, and chains of kernels. */
static cudaError_t upload_exec(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  vptr__stream *stream;
  vptr__exec *exec = NULL;
  cudaError_t error = vptr__cuda_stream(stream_handle, &stream);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_refuse("cudaGraphUpload", stream);
  if (error == cudaSuccess)
    error = vptr__exec_enter("cudaGraphUpload", handle, &exec);
  if (error != cudaSuccess)
    return error;
  error = vptr__cuda_from_status(vptr__lanes_ready(exec, vptr__stream_mapper(stream)));
  if (error == cudaSuccess)
    vptr__runs_prepare(&exec->steps, vptr__stream_mapper(stream));
  vptr__exec_leave(exec);
  return error;
}

static cudaError_t get_flags(cudaGraphExec_t handle, vptr_unsigned_long_long *flags) {
  vptr__exec *exec = NULL;
  if (flags == NULL)
    return vptr__cuda_null_output("cudaGraphExecGetFlags", "flags");
  cudaError_t error = vptr__exec_enter("cudaGraphExecGetFlags", handle, &exec);
  if (error != cudaSuccess)
    return error;
  *flags = exec->flags;
  vptr__exec_leave(exec);
  return cudaSuccess;
}

/* The report is written whatever comes of it. */
static cudaError_t instantiate_with(cudaGraphExec_t *exec_out, cudaGraph_t graph, cudaGraphInstantiateParams *params,
                                    bool is_own) {
  static const char call[] = "cudaGraphInstantiateWithParams";
  const unsigned known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                         cudaGraphInstantiateFlagUseNodePriority;
  if (params == NULL)
    return vptr__cuda_null_output(call, "instantiateParams");
  params->errNode_out = NULL;
  params->result_out = cudaGraphInstantiateError;
  cudaGraphExec_t made;
  cudaError_t error = instantiate(call, exec_out != NULL ? &made : NULL, graph, params, known);
  if (error == cudaSuccess && (params->flags & cudaGraphInstantiateFlagUpload) != 0) {
    error = upload_exec(made, is_own ? vptr__cuda_own_default(params->uploadStream) : params->uploadStream);
    if (error != cudaSuccess)
      destroy_exec(made);
  }
  if (error != cudaSuccess)
    return error;
  params->result_out = cudaGraphInstantiateSuccess;
  *exec_out = made;
  return cudaSuccess;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

enum { PLAIN_FLAGS = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority };

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, vptr_unsigned_long_long flags) {
  cudaGraphInstantiateParams report = { .flags = flags };
  return vptr__cuda_record(instantiate("cudaGraphInstantiate", pGraphExec, graph, &report, PLAIN_FLAGS));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                          vptr_unsigned_long_long flags) {
  cudaGraphInstantiateParams report = { .flags = flags };
  return vptr__cuda_record(instantiate("cudaGraphInstantiateWithFlags", pGraphExec, graph, &report, PLAIN_FLAGS));
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *instantiateParams) {
  return vptr__cuda_record(instantiate_with(pGraphExec, graph, instantiateParams, false));
}

cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                                cudaGraphInstantiateParams *instantiateParams) {
  return vptr__cuda_record(instantiate_with(pGraphExec, graph, instantiateParams, true));
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, vptr_unsigned_long_long *flags) {
  return vptr__cuda_record(get_flags(graphExec, flags));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return vptr__cuda_record(launch_exec(graphExec, stream));
}

cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return cudaGraphLaunch(graphExec, vptr__cuda_own_default(stream));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return vptr__cuda_record(upload_exec(graphExec, stream));
}

cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return cudaGraphUpload(graphExec, vptr__cuda_own_default(stream));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
  return vptr__cuda_record(destroy_exec(graphExec));
}
