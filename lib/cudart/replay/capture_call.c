/* SPDX-License-Identifier: MIT */
/*
 * capture_call - CUDA's calls that begin and end a capture, ask about it and change it.
 *
 * What captures are is graph/capture.h's. No data. vptr__graph_lock(), of rank GRAPH (graph/graph.c), is taken while
 * the graph and the nodes that a capture begins with are looked up, and by graph/capture.c. Called by programs, by
 * graph_12.c, and by driver/capture.c and driver/stream.c. What names a default stream opens the device, if it is not
 * open yet; nothing else waits, but giving that lock back where memory goes with a graph that is dropped
 * (vptr__graph_unlock()).
 */
#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "graph/capture.h"
#include "graph/user_object.h"
#include "replay/call.h"

/* ---- begin and end -------------------------------------------------------------------------------------- */

static cudaError_t check_mode(const char *call, enum cudaStreamCaptureMode mode) {
  if ((unsigned)mode <= cudaStreamCaptureModeRelaxed)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %d is no mode, they are 0 to %d", call, (int)mode,
              (int)cudaStreamCaptureModeRelaxed);
  return cudaErrorInvalidValue;
}

static cudaError_t check_start(const vptr__capture_start *start) {
  vptr__graph *graph = NULL;
  vptr__graph_lock();
  cudaError_t error = vptr__graph_find(start->call, start->graph, &graph);
  if (error == cudaSuccess)
    error = vptr__graph_nodes_find(start->call, graph, start->from, start->count);
  vptr__graph_unlock();
  return error;
}

static cudaError_t begin_capture(const vptr__capture_start *start, cudaStream_t handle,
                                 const cudaGraphEdgeData *edges) {
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess)
    error = check_mode(start->call, start->mode);
  if (error == cudaSuccess)
    error = vptr__graph_edges_check(start->call, edges, start->count);
  return error == cudaSuccess ? vptr__capture_begin(start, stream) : error;
}

static cudaError_t begin_into(const vptr__capture_start *start, cudaStream_t handle, const cudaGraphEdgeData *edges) {
  cudaError_t error = check_start(start);
  return error == cudaSuccess ? begin_capture(start, handle, edges) : error;
}

static cudaError_t end_capture(cudaStream_t handle, cudaGraph_t *graph_out) {
  static const char call[] = "cudaStreamEndCapture";
  vptr__stream *stream;
  vptr__graph *graph = NULL;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error != cudaSuccess)
    return error;
  error = vptr__capture_end(call, stream, graph_out != NULL ? &graph : NULL);
  if (graph_out != NULL)
    *graph_out = (cudaGraph_t)graph;
  return error;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  const vptr__capture_start start = { .call = "cudaStreamBeginCapture", .mode = mode };
  return vptr__cuda_record(begin_capture(&start, stream, NULL));
}

cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  return cudaStreamBeginCapture(vptr__cuda_own_default(stream), mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                          enum cudaStreamCaptureMode mode) {
  const vptr__capture_start start = { "cudaStreamBeginCaptureToGraph", mode, graph, dependencies, numDependencies };
  return vptr__cuda_record(begin_into(&start, stream, dependencyData));
}

cudaError_t cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t stream, cudaGraph_t graph,
                                               const cudaGraphNode_t *dependencies,
                                               const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                               enum cudaStreamCaptureMode mode) {
  return cudaStreamBeginCaptureToGraph(vptr__cuda_own_default(stream), graph, dependencies, dependencyData,
                                       numDependencies, mode);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph) {
  return vptr__cuda_record(end_capture(stream, pGraph));
}

cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t *pGraph) {
  return cudaStreamEndCapture(vptr__cuda_own_default(stream), pGraph);
}

/* ---- asking and changing -------------------------------------------------------------------------------- */

static cudaError_t find_info(const char *call, cudaStream_t handle, const void *output,
                             vptr__capture_info *info_out) {
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess && output == NULL)
    error = vptr__cuda_null_output(call, "the status");
  return error == cudaSuccess ? vptr__capture_tell(call, stream, info_out) : error;
}

static cudaError_t get_info(cudaStream_t handle, enum cudaStreamCaptureStatus *status, vptr_unsigned_long_long *id,
                            cudaGraph_t *graph, const cudaGraphNode_t **tips, const cudaGraphEdgeData **edges,
                            size_t *count) {
  static const char call[] = "cudaStreamGetCaptureInfo";
  vptr__capture_info info;
  cudaError_t error = find_info(call, handle, status, &info);
  if (error == cudaSuccess && edges != NULL && tips == NULL)
    error = vptr__graph_refuse(call, "edges are asked for, and not the nodes that they come from");
  if (error != cudaSuccess)
    return error;
  *status = info.status;
  if (id != NULL && info.status != cudaStreamCaptureStatusNone)
    *id = info.id;
  if (info.status != cudaStreamCaptureStatusActive)
    return cudaSuccess;
  if (graph != NULL)
    *graph = (cudaGraph_t)info.graph;
  if (tips != NULL)
    *tips = (const cudaGraphNode_t *)info.tips;
  if (edges != NULL)
    *edges = info.edges;
  if (count != NULL)
    *count = info.count;
  return cudaSuccess;
}

static cudaError_t is_capturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status) {
  vptr__capture_info info;
  cudaError_t error = find_info("cudaStreamIsCapturing", handle, status, &info);
  if (error == cudaSuccess)
    *status = info.status;
  return error;
}

static cudaError_t update_tips(cudaStream_t handle, const cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges,
                               size_t count, unsigned flags) {
  static const char call[] = "cudaStreamUpdateCaptureDependencies";
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess && flags > cudaStreamSetCaptureDependencies)
    error =
        vptr__graph_refuse(call, "flags are cudaStreamAddCaptureDependencies or cudaStreamSetCaptureDependencies");
  if (error == cudaSuccess && nodes == NULL && count > 0)
    error = vptr__cuda_null_output(call, "dependencies");
  if (error == cudaSuccess)
    error = vptr__graph_edges_check(call, edges, count);
  if (error != cudaSuccess)
    return error;
  return vptr__capture_update(call, stream, nodes, count, flags == cudaStreamSetCaptureDependencies);
}

static cudaError_t exchange_mode(enum cudaStreamCaptureMode *mode) {
  static const char call[] = "cudaThreadExchangeStreamCaptureMode";
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && mode == NULL)
    error = vptr__cuda_null_output(call, "mode");
  if (error == cudaSuccess)
    error = check_mode(call, *mode);
  if (error == cudaSuccess)
    *mode = vptr__capture_exchange_mode(*mode);
  return error;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus) {
  return vptr__cuda_record(is_capturing(stream, pCaptureStatus));
}

cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus) {
  return cudaStreamIsCapturing(vptr__cuda_own_default(stream), pCaptureStatus);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                     vptr_unsigned_long_long *id_out, cudaGraph_t *graph_out,
                                     const cudaGraphNode_t **dependencies_out, const cudaGraphEdgeData **edgeData_out,
                                     size_t *numDependencies_out) {
  return vptr__cuda_record(
      get_info(stream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out));
}

cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                          vptr_unsigned_long_long *id_out, cudaGraph_t *graph_out,
                                          const cudaGraphNode_t **dependencies_out,
                                          const cudaGraphEdgeData **edgeData_out, size_t *numDependencies_out) {
  return cudaStreamGetCaptureInfo(vptr__cuda_own_default(stream), captureStatus_out, id_out, graph_out,
                                  dependencies_out, edgeData_out, numDependencies_out);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                                unsigned int flags) {
  return vptr__cuda_record(update_tips(stream, dependencies, dependencyData, numDependencies, flags));
}

cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                     const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                                     unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(vptr__cuda_own_default(stream), dependencies, dependencyData,
                                             numDependencies, flags);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  return vptr__cuda_record(exchange_mode(mode));
}
