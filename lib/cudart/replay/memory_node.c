/* SPDX-License-Identifier: MIT */
/*
 * memory_node - nodes that allocate and free memory, and what graphs have of a device's.
 *
 * Memory is set aside when the node is made (graph/memory.h), so a device that is full says so then. Pools can be named
 * by their properties alone, and all there are of a device are alike. No data; vptr__graph_lock(), of rank GRAPH
 * (graph/graph.c), guards the nodes and their memory, and is taken here. Called by programs, and by plain_node.c,
 * work_of.c and driver/graph_memory.c. Making a node may wait where the device is full, and so may trimming.
 */
#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "device/device.h"
#include "graph/memory.h"
#include "mapper/mapper.h"
#include "replay/call.h"

#include <string.h>

/* ---- allocations ---------------------------------------------------------------------------------------- */

/* Kernels reach memory of their own device alone. */
static cudaError_t check_access(const char *call, const struct cudaMemAllocNodeParamsV2 *params) {
  if (params->accessDescCount > 0 && params->accessDescs == NULL)
    return vptr__graph_refuse(call, "accessDescs is NULL, and accessDescCount is not 0");
  for (size_t i = 0; i < params->accessDescCount; i++) {
    const struct cudaMemLocation *location = &params->accessDescs[i].location;
    if (location->type == cudaMemLocationTypeDevice && location->id == params->poolProps.location.id)
      continue;
    vptr__error(VPTR_ERROR_UNSUPPORTED,
                "%s: accessDescs[%zu] is not the memory's own device, and no other reaches it", call, i);
    return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

static cudaError_t check_params(const char *call, const struct cudaMemAllocNodeParamsV2 *params) {
  const struct cudaMemPoolProps *pool = &params->poolProps;
  if (pool->allocType != cudaMemAllocationTypePinned)
    return vptr__graph_refuse(call, "poolProps.allocType is cudaMemAllocationTypePinned, the only type there is");
  if (pool->location.type != cudaMemLocationTypeDevice)
    return vptr__graph_refuse(call, "poolProps.location is a device: graphs allocate no memory of the host");
  if (pool->handleTypes != cudaMemHandleTypeNone)
    return vptr__graph_refuse(call, "poolProps.handleTypes is 0: memory of graphs is not shared");
  if (params->bytesize == 0)
    return vptr__graph_refuse(call, "bytesize is 0");
  return check_access(call, params);
}

static void find_again(const vptr__new_node *it, vptr_mapper *mapper, vptr__graph_alloc *alloc) {
  vptr__graph *graph = NULL;
  vptr__graph_lock();
  vptr__error_try();
  if (vptr__graph_find(it->call, it->graph, &graph) == cudaSuccess &&
      vptr__graph_nodes_find(it->call, graph, it->from, it->count) == cudaSuccess)
    vptr__graph_memory_find(graph, (vptr__graph_node *const *)it->from, it->count, mapper, alloc->params.bytesize,
                            alloc);
  vptr__error_tried(VPTR_SUCCESS);
  vptr__graph_unlock();
}

static cudaError_t work_of_alloc(const vptr__new_node *it, const struct cudaMemAllocNodeParamsV2 *params,
                                 const void *site, vptr__graph_work *work) {
  vptr_mapper *mapper = NULL;
  vptr__graph_alloc *alloc = &work->alloc;
  cudaError_t error = check_params(it->call, params);
  if (error == cudaSuccess)
    error = vptr__cuda_check_ordinal(it->call, params->poolProps.location.id);
  if (error != cudaSuccess)
    return error == cudaErrorInvalidDevice ? cudaErrorInvalidValue : error;
  vptr_status status = vptr__mapper_for_device(params->poolProps.location.id, &mapper);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  memset(work, 0, sizeof *work);
  alloc->site = site;
  alloc->params = *params;
  alloc->params.accessDescs = NULL; /* they are all alike */
  if (params->accessDescCount > 0)
    alloc->access = params->accessDescs[0];
  alloc->params.accessDescCount = params->accessDescCount > 0;
  find_again(it, mapper, alloc);
  if (alloc->place == NULL)
    status = vptr__graph_memory_make(mapper, params->bytesize, site, alloc);
  if (status != VPTR_SUCCESS)
    return status == VPTR_ERROR_INVALID_SIZE ? cudaErrorMemoryAllocation : vptr__cuda_from_status(status);
  alloc->params.dptr = alloc->place->ptr;
  return cudaSuccess;
}

cudaError_t vptr__graph_node_add_alloc(const vptr__new_node *it, struct cudaMemAllocNodeParamsV2 *params,
                                       const void *site) {
  vptr__graph_work work;
  cudaError_t error = vptr__cuda_may_call();
  if (error != cudaSuccess)
    return error;
  error = work_of_alloc(it, params, site, &work);
  if (error != cudaSuccess)
    return error;
  void *ptr = work.alloc.params.dptr;
  error = vptr__graph_node_add(it, cudaGraphNodeTypeMemAlloc, &work);
  if (error == cudaSuccess)
    params->dptr = ptr;
  return error;
}

_Static_assert(sizeof(struct cudaMemAllocNodeParams) == sizeof(struct cudaMemAllocNodeParamsV2), "laid out alike");

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                     struct cudaMemAllocNodeParams *nodeParams) {
  const vptr__new_node it = { "cudaGraphAddMemAllocNode", pGraphNode, graph, pDependencies, NULL, numDependencies };
  if (nodeParams == NULL)
    return vptr__cuda_record(vptr__cuda_null_output(it.call, "nodeParams"));
  return vptr__cuda_record(vptr__graph_node_add_alloc(&it, (struct cudaMemAllocNodeParamsV2 *)(void *)nodeParams,
                                                      __builtin_return_address(0)));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params_out) {
  static const char call[] = "cudaGraphMemAllocNodeGetParams";
  vptr__graph_node *found;
  if (params_out == NULL)
    return vptr__cuda_record(vptr__cuda_null_output(call, "params_out"));
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find_kind(call, node, cudaGraphNodeTypeMemAlloc, &found);
  if (error == cudaSuccess) {
    memcpy(params_out, &found->work.alloc.params, sizeof *params_out);
    if (params_out->accessDescCount > 0)
      params_out->accessDescs = &found->work.alloc.access;
  }
  vptr__graph_unlock();
  return vptr__cuda_record(error);
}

/* ---- frees ---------------------------------------------------------------------------------------------- */

cudaError_t vptr__work_of_free(const char *call, void *ptr, vptr__graph_work *work) {
  if (ptr == NULL)
    return vptr__graph_refuse(call, "dptr is NULL");
  memset(work, 0, sizeof *work);
  work->free = ptr;
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                    const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dptr) {
  const vptr__new_node it = { "cudaGraphAddMemFreeNode", pGraphNode, graph, pDependencies, NULL, numDependencies };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_free(it.call, dptr, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeMemFree, &work) : error);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out) {
  static const char call[] = "cudaGraphMemFreeNodeGetParams";
  vptr__graph_node *found;
  if (dptr_out == NULL)
    return vptr__cuda_record(vptr__cuda_null_output(call, "dptr_out"));
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find_kind(call, node, cudaGraphNodeTypeMemFree, &found);
  if (error == cudaSuccess)
    memcpy(dptr_out, &found->work.free, sizeof found->work.free);
  vptr__graph_unlock();
  return vptr__cuda_record(error);
}

/* ---- a device's ----------------------------------------------------------------------------------------- */

static cudaError_t mapper_of(const char *call, int device, vptr_mapper **mapper_out) {
  cudaError_t error = vptr__cuda_may_call();
  if (error == cudaSuccess)
    error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = vptr__cuda_check_ordinal(call, device);
  return error != cudaSuccess ? error : vptr__cuda_from_status(vptr__mapper_for_device(device, mapper_out));
}

/* What graphs gave back is the heap's, which keeps it for whoever comes next. */
static cudaError_t trim(int device) {
  vptr_mapper *mapper;
  cudaError_t error = mapper_of("cudaDeviceGraphMemTrim", device, &mapper);
  return error == cudaSuccess ? vptr__cuda_from_status(vptr_trim(mapper, 0)) : error;
}

static cudaError_t get_attribute(int device, enum cudaGraphMemAttributeType attr, void *value) {
  static const char call[] = "cudaDeviceGetGraphMemAttribute";
  vptr_mapper *mapper;
  vptr__graph_memory_stats stats;
  if (value == NULL)
    return vptr__cuda_null_output(call, "value");
  cudaError_t error = mapper_of(call, device, &mapper);
  if (error != cudaSuccess)
    return error;
  vptr__graph_memory_get_stats(mapper, &stats);
  const uint64_t values[] = { [cudaGraphMemAttrUsedMemCurrent] = stats.used,
                              [cudaGraphMemAttrUsedMemHigh] = stats.used_high,
                              [cudaGraphMemAttrReservedMemCurrent] = stats.reserved,
                              [cudaGraphMemAttrReservedMemHigh] = stats.reserved_high };
  if ((unsigned)attr >= sizeof values / sizeof *values)
    return vptr__graph_refuse(call, "the attribute is unknown");
  memcpy(value, &values[attr], sizeof *values);
  return cudaSuccess;
}

static cudaError_t set_attribute(int device, enum cudaGraphMemAttributeType attr, const void *value) {
  static const char call[] = "cudaDeviceSetGraphMemAttribute";
  vptr_mapper *mapper;
  uint64_t number;
  if (value == NULL)
    return vptr__graph_refuse(call, "value is NULL");
  cudaError_t error = mapper_of(call, device, &mapper);
  if (error != cudaSuccess)
    return error;
  if (attr != cudaGraphMemAttrUsedMemHigh && attr != cudaGraphMemAttrReservedMemHigh)
    return vptr__graph_refuse(call, "the attribute is unknown, or can only be read");
  memcpy(&number, value, sizeof number);
  if (number != 0)
    return vptr__graph_refuse(call, "a high mark can only be set to 0, which makes it begin anew");
  if (attr == cudaGraphMemAttrUsedMemHigh)
    vptr__graph_memory_reset_used_high(mapper);
  else
    vptr__graph_memory_reset_reserved_high(mapper);
  return cudaSuccess;
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return vptr__cuda_record(trim(device));
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value) {
  return vptr__cuda_record(get_attribute(device, attr, value));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value) {
  return vptr__cuda_record(set_attribute(device, attr, value));
}
