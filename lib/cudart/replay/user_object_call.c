/* SPDX-License-Identifier: MIT */
/*
 * user_object_call - cudaUserObject*(): making user objects, and taking and releasing references for the program and
 * for graphs.
 *
 * No data; vptr__graph_lock(), of rank GRAPH (graph/graph.c), guards the objects and the graphs' lists, and is taken
 * here. An object that loses its last reference has its function called here, without the lock. Called by programs, and
 * by driver/graph.c.
 */
#include "base/error.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "graph/user_object.h"
#include "replay/call.h"

static cudaError_t check_count(const char *call, unsigned count) {
  return count > 0 && count <= INT32_MAX ? cudaSuccess : vptr__graph_refuse(call, "count is 1 to INT_MAX");
}

/* Under the lock. */
static cudaError_t find_object(const char *call, cudaUserObject_t handle, vptr__user_object **object_out) {
  if (!vptr__live_is(handle, VPTR__LIVE_USER_OBJECT)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no user object: its last reference is gone, or it never was",
                call, (void *)handle);
    return cudaErrorInvalidValue;
  }
  *object_out = (vptr__user_object *)handle;
  return cudaSuccess;
}

static cudaError_t create_object(cudaUserObject_t *object_out, void *ptr, cudaHostFn_t destroy, unsigned count,
                                 unsigned flags) {
  static const char call[] = "cudaUserObjectCreate";
  vptr__user_object *object;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = check_count(call, count);
  if (error != cudaSuccess)
    return error;
  if (object_out == NULL || destroy == NULL)
    return vptr__cuda_null_output(call, object_out == NULL ? "object_out" : "destroy");
  if (flags != cudaUserObjectNoDestructorSync)
    return vptr__graph_refuse(call, "flags are cudaUserObjectNoDestructorSync, which has to be given");
  vptr__graph_lock();
  error = vptr__cuda_from_status(vptr__user_object_create(destroy, ptr, count, &object));
  vptr__graph_unlock();
  if (error == cudaSuccess)
    *object_out = (cudaUserObject_t)object;
  return error;
}

static cudaError_t retain_object(cudaUserObject_t handle, unsigned count) {
  static const char call[] = "cudaUserObjectRetain";
  vptr__user_object *object;
  cudaError_t error = check_count(call, count);
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  error = find_object(call, handle, &object);
  if (error == cudaSuccess)
    object->references += count;
  vptr__graph_unlock();
  return error;
}

/* By a list of one holding, as a graph would let go of it. */
static cudaError_t release_object(cudaUserObject_t handle, unsigned count) {
  static const char call[] = "cudaUserObjectRelease";
  vptr__user_object *object;
  vptr__user_holding *holding = NULL;
  cudaError_t error = check_count(call, count);
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  error = find_object(call, handle, &object);
  if (error == cudaSuccess && object->references < count)
    error = vptr__graph_refuse(call, "the object has fewer references");
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__user_holdings_take(&holding, object, count));
  vptr__graph_unlock();
  vptr__user_holdings_release(holding);
  return error;
}

static cudaError_t retain_for_graph(cudaGraph_t graph_handle, cudaUserObject_t handle, unsigned count,
                                    unsigned flags) {
  static const char call[] = "cudaGraphRetainUserObject";
  vptr__graph *graph = NULL;
  vptr__user_object *object;
  cudaError_t error = check_count(call, count);
  if (error == cudaSuccess && (flags & ~(unsigned)cudaGraphUserObjectMove) != 0)
    error = vptr__graph_refuse(call, "flags can be 0 or cudaGraphUserObjectMove");
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  error = vptr__graph_find(call, graph_handle, &graph);
  if (error == cudaSuccess)
    error = find_object(call, handle, &object);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__user_holdings_take(&graph->holdings, object, count));
  if (error == cudaSuccess && flags != cudaGraphUserObjectMove)
    object->references += count;
  vptr__graph_unlock();
  return error;
}

static cudaError_t release_for_graph(cudaGraph_t graph_handle, cudaUserObject_t handle, unsigned count) {
  static const char call[] = "cudaGraphReleaseUserObject";
  vptr__graph *graph = NULL;
  vptr__user_object *object;
  vptr__user_holding *holdings = NULL;
  cudaError_t error = check_count(call, count);
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  error = vptr__graph_find(call, graph_handle, &graph);
  if (error == cudaSuccess)
    error = find_object(call, handle, &object);
  if (error == cudaSuccess && !vptr__user_holdings_give(&graph->holdings, object, count, &holdings))
    error = vptr__graph_refuse(call, "the graph has fewer references to the object");
  vptr__graph_unlock();
  vptr__user_holdings_release(holdings);
  return error;
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr, cudaHostFn_t destroy,
                                 unsigned int initialRefcount, unsigned int flags) {
  return vptr__cuda_record(create_object(object_out, ptr, destroy, initialRefcount, flags));
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return vptr__cuda_record(retain_object(object, count));
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return vptr__cuda_record(release_object(object, count));
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags) {
  return vptr__cuda_record(retain_for_graph(graph, object, count, flags));
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
  return vptr__cuda_record(release_for_graph(graph, object, count));
}
