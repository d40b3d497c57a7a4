/* SPDX-License-Identifier: MIT */
/*
 * kernel_node - nodes that are kernels: added, asked, changed, and their attributes.
 *
 * Of the attributes two mean something here: whether blocks wait for each other, and the priority, which is kept and
 * told. The others are those of a launch (cuda/launch_attribute.h): taken where they change nothing. A node keeps its
 * attributes when its parameters change. No data; vptr__graph_lock(), of rank GRAPH (graph/graph.c), guards the nodes,
 * and is taken here. Called by programs, and by driver/graph_node.c. Nothing blocks, but a call with a kernel whose
 * unit is not registered yet: it is registered first, without the lock (work_of.c).
 */
#include "base/error.h"
#include "base/memory.h"
#include "cuda/error.h"
#include "cuda/launch_attribute.h"
#include "replay/call.h"

#include <string.h>

static cudaError_t add_kernel(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *from, size_t count,
                              const struct cudaKernelNodeParams *params) {
  const vptr__new_node it = { "cudaGraphAddKernelNode", node, graph, from, NULL, count };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_kernel(it.call, params, &work);
  return error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeKernel, &work) : error;
}

/* The arguments are the node's, for as long as it does this. */
static void tell_params(const vptr__graph_kernel *kernel, struct cudaKernelNodeParams *params) {
  memset(params, 0, sizeof *params);
  params->func = (void *)(uintptr_t)kernel->stub;
  memcpy(&params->gridDim, kernel->grid, sizeof kernel->grid);
  memcpy(&params->blockDim, kernel->block, sizeof kernel->block);
  params->sharedMemBytes = (unsigned)kernel->shared;
  params->kernelParams = kernel->places;
}

static cudaError_t get_params(cudaGraphNode_t handle, struct cudaKernelNodeParams *params) {
  static const char call[] = "cudaGraphKernelNodeGetParams";
  vptr__graph_node *node = NULL;
  if (params == NULL)
    return vptr__cuda_null_output(call, "pNodeParams");
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find_kind(call, handle, cudaGraphNodeTypeKernel, &node);
  if (error == cudaSuccess)
    tell_params(&node->work.kernel, params);
  vptr__graph_unlock();
  return error;
}

static cudaError_t set_params(cudaGraphNode_t handle, const struct cudaKernelNodeParams *params) {
  static const char call[] = "cudaGraphKernelNodeSetParams";
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_kernel(call, params, &work);
  return error == cudaSuccess ? vptr__graph_node_set(call, handle, cudaGraphNodeTypeKernel, &work) : error;
}

/* ---- attributes ----------------------------------------------------------------------------------------- */

static cudaError_t copy_attributes(cudaGraphNode_t to_handle, cudaGraphNode_t from_handle) {
  static const char call[] = "cudaGraphKernelNodeCopyAttributes";
  vptr__graph_node *to, *from;
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find_kind(call, to_handle, cudaGraphNodeTypeKernel, &to);
  if (error == cudaSuccess)
    error = vptr__graph_node_find_kind(call, from_handle, cudaGraphNodeTypeKernel, &from);
  if (error == cudaSuccess && to != from)
    error = vptr__cuda_from_status(vptr__graph_kernel_copy_attributes(&to->work.kernel, &from->work.kernel));
  vptr__graph_unlock();
  return error;
}

static bool is_set(const vptr__graph_kernel *kernel, cudaLaunchAttributeID id) {
  return kernel->wishes != NULL && (kernel->wishes->are_set >> id & 1) != 0;
}

/* What nobody has set is all zeros, but the second domain of fences, which is 1 in CUDA. */
static cudaLaunchAttributeValue tell_attribute(const vptr__graph_kernel *kernel, cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue told;
  memset(&told, 0, sizeof told);
  if (is_set(kernel, id))
    return kernel->wishes->values[id];
  if (id == cudaLaunchAttributeCooperative)
    told.cooperative = kernel->is_cooperative;
  if (id == cudaLaunchAttributePriority)
    told.priority = kernel->priority;
  if (id == cudaLaunchAttributeMemSyncDomainMap)
    told.memSyncDomainMap.remote = 1;
  return told;
}

static cudaError_t get_attribute(cudaGraphNode_t handle, cudaLaunchAttributeID attribute,
                                 cudaLaunchAttributeValue *value) {
  static const char call[] = "cudaGraphKernelNodeGetAttribute";
  vptr__graph_node *node = NULL;
  if (value == NULL)
    return vptr__cuda_null_output(call, "value_out");
  if ((unsigned)attribute > cudaLaunchAttributeNvlinkUtilCentricScheduling)
    return vptr__graph_refuse(call, "the attribute is none of cudaLaunchAttribute*");
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find_kind(call, handle, cudaGraphNodeTypeKernel, &node);
  if (error == cudaSuccess)
    *value = tell_attribute(&node->work.kernel, attribute);
  vptr__graph_unlock();
  return error;
}

/* Two have a meaning, and fields of their own; the others are kept. */
static vptr_status keep_attribute(vptr__graph_kernel *kernel, cudaLaunchAttributeID id,
                                  const cudaLaunchAttributeValue *value) {
  if (id == cudaLaunchAttributeCooperative)
    kernel->is_cooperative = value->cooperative != 0;
  if (id == cudaLaunchAttributePriority)
    kernel->priority = value->priority;
  if (id == cudaLaunchAttributeIgnore || id == cudaLaunchAttributeCooperative || id == cudaLaunchAttributePriority)
    return VPTR_SUCCESS;
  if (kernel->wishes == NULL)
    kernel->wishes = vptr__memory_calloc(1, sizeof *kernel->wishes);
  if (kernel->wishes == NULL)
    return vptr__error_host_memory(sizeof *kernel->wishes);
  kernel->wishes->values[id] = *value;
  kernel->wishes->are_set |= 1u << id;
  return VPTR_SUCCESS;
}

static cudaError_t set_attribute(cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                 const cudaLaunchAttributeValue *value) {
  static const char call[] = "cudaGraphKernelNodeSetAttribute";
  vptr__graph_node *node = NULL;
  bool is_cooperative;
  if (value == NULL)
    return vptr__cuda_null_output(call, "value");
  const cudaLaunchAttribute attribute = { .id = id, .val = *value };
  cudaError_t error = vptr__cuda_launch_attributes(call, &attribute, 1, &is_cooperative);
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  error = vptr__graph_node_find_kind(call, handle, cudaGraphNodeTypeKernel, &node);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(keep_attribute(&node->work.kernel, id, value));
  vptr__graph_unlock();
  return error;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaKernelNodeParams *pNodeParams) {
  return vptr__cuda_record(add_kernel(pGraphNode, graph, pDependencies, numDependencies, pNodeParams));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *pNodeParams) {
  return vptr__cuda_record(get_params(node, pNodeParams));
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *pNodeParams) {
  return vptr__cuda_record(set_params(node, pNodeParams));
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc) {
  return vptr__cuda_record(copy_attributes(hDst, hSrc));
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value_out) {
  return vptr__cuda_record(get_attribute(hNode, attr, value_out));
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value) {
  return vptr__cuda_record(set_attribute(hNode, attr, value));
}
