/* SPDX-License-Identifier: MIT */
/*
 * graph_memory - cuGraphAddMemAllocNode() and its kin: memory of graphs, and conditions, which are words of it.
 *
 * The runtime's; what describes an allocation is laid out alike in both. No state, no locks. Called by programs,
 * directly or by the table in entry.c. Calls wait for what the runtime's wait for: making a node or a condition may,
 * where the device is full.
 */
#include <stddef.h>

#include "driver/context.h"
#include "driver/graph_work.h"
#include "driver/result.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(struct cudaMemAllocNodeParams) &&
                   offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, bytesize) ==
                       offsetof(struct cudaMemAllocNodeParams, bytesize) &&
                   offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, dptr) == offsetof(struct cudaMemAllocNodeParams, dptr) &&
                   sizeof(CUmemAccessDesc) == sizeof(struct cudaMemAccessDesc) &&
                   (int)CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH == (int)cudaGraphMemAttrReservedMemHigh &&
                   CU_GRAPH_COND_ASSIGN_DEFAULT == (int)cudaGraphCondAssignDefault,
               "the runtime's, by other names");

/* ---- nodes ---------------------------------------------------------------------------------------------- */

CUresult cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphAddMemAllocNode(phGraphNode, hGraph, dependencies,
                                                                               numDependencies, (void *)nodeParams))
                                : result;
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphMemAllocNodeGetParams(hNode, (void *)params_out))
                                : result;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                               size_t numDependencies, CUdeviceptr dptr) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphAddMemFreeNode(
                                      phGraphNode, hGraph, dependencies, numDependencies, (void *)(uintptr_t)dptr))
                                : result;
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphMemFreeNodeGetParams(hNode, dptr_out)) : result;
}

/* ---- a device's ----------------------------------------------------------------------------------------- */

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  CUresult result = vptr__driver_check_device("cuDeviceGraphMemTrim", device);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceGraphMemTrim(device)) : result;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value) {
  CUresult result = vptr__driver_check_device("cuDeviceGetGraphMemAttribute", device);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceGetGraphMemAttribute(
                                      device, (enum cudaGraphMemAttributeType)attr, value))
                                : result;
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value) {
  CUresult result = vptr__driver_check_device("cuDeviceSetGraphMemAttribute", device);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceSetGraphMemAttribute(
                                      device, (enum cudaGraphMemAttributeType)attr, value))
                                : result;
}

/* ---- conditions ----------------------------------------------------------------------------------------- */

/* The runtime's is of the current device, which is the current context's. */
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph, CUcontext ctx,
                                        unsigned int defaultLaunchValue, unsigned int flags) {
  cudaGraphConditionalHandle made = 0;
  CUcontext popped;
  CUresult result = vptr__driver_check_pointer(vptr__driver_node_context("cuGraphConditionalHandleCreate", ctx),
                                               "cuGraphConditionalHandleCreate", pHandle_out, "pHandle_out");
  if (result == CUDA_SUCCESS && ctx != NULL)
    result = vptr__driver_push(ctx);
  if (result != CUDA_SUCCESS)
    return result;
  result = vptr__driver_result(cudaGraphConditionalHandleCreate(&made, hGraph, defaultLaunchValue, flags));
  if (ctx != NULL)
    vptr__driver_pop(&popped);
  if (result == CUDA_SUCCESS)
    *pHandle_out = made;
  return result;
}
