/* SPDX-License-Identifier: MIT */
/*
 * graph_work - kernels, sets, and nodes of any kind (graph_work.h).
 *
 * Called by driver/graph_exec.c, driver/graph_memory.c and driver/graph_node.c. Nothing blocks.
 */
#include "driver/graph_work.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "driver/context.h"
#include "driver/result.h"
#include "module/module.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUgraphNodeParams) == sizeof(struct cudaGraphNodeParams) &&
                   sizeof(CUDA_HOST_NODE_PARAMS_v2) == sizeof(struct cudaHostNodeParamsV2) &&
                   sizeof(CUDA_CHILD_GRAPH_NODE_PARAMS) == sizeof(struct cudaChildGraphNodeParams) &&
                   offsetof(CUgraphNodeParams, kernel) == offsetof(struct cudaGraphNodeParams, kernel) &&
                   sizeof(CUDA_MEM_ALLOC_NODE_PARAMS_v2) == sizeof(struct cudaMemAllocNodeParamsV2) &&
                   offsetof(CUDA_CONDITIONAL_NODE_PARAMS, ctx) == sizeof(struct cudaConditionalNodeParams) &&
                   offsetof(CUDA_KERNEL_NODE_PARAMS_v3, kern) == sizeof(struct cudaKernelNodeParamsV2) &&
                   offsetof(CUDA_MEMSET_NODE_PARAMS_v2, ctx) == sizeof(struct cudaMemsetParamsV2),
               "the runtime's, by other names");

CUresult vptr__driver_node_context(const char *call, CUcontext context) {
  return context == NULL ? vptr__driver_enter(NULL) : vptr__driver_check_context(call, context);
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

/* The same kernel's function and kernel have one address. */
static CUresult find_kernel(const char *call, const CUDA_KERNEL_NODE_PARAMS *from, void **named_out) {
  void *named = from->func != NULL ? (void *)from->func : (void *)from->kern;
  if (named == NULL)
    return vptr__driver_invalid(call, "func and kern are NULL: a node needs a kernel");
  if (vptr__function_of(named) == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no kernel of what is loaded", call, named);
    return vptr__driver_refuse(CUDA_ERROR_INVALID_VALUE);
  }
  *named_out = named;
  return from->func != NULL ? CUDA_SUCCESS : vptr__driver_node_context(call, from->ctx);
}

CUresult vptr__driver_node_kernel(const char *call, const CUDA_KERNEL_NODE_PARAMS *from,
                                  struct cudaKernelNodeParams *made_out) {
  void *named = NULL;
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, from, "nodeParams");
  if (result == CUDA_SUCCESS)
    result = find_kernel(call, from, &named);
  if (result != CUDA_SUCCESS)
    return result;
  *made_out = (struct cudaKernelNodeParams){ .func = named,
                                             .gridDim = { from->gridDimX, from->gridDimY, from->gridDimZ },
                                             .blockDim = { from->blockDimX, from->blockDimY, from->blockDimZ },
                                             .sharedMemBytes = from->sharedMemBytes,
                                             .kernelParams = from->kernelParams,
                                             .extra = from->extra };
  return CUDA_SUCCESS;
}

CUresult vptr__driver_node_kernel_told(const struct cudaKernelNodeParams *from,
                                       CUDA_KERNEL_NODE_PARAMS_v1 *told_out) {
  cudaFunction_t function = NULL;
  CUresult result = vptr__driver_result(cudaGetFuncBySymbol(&function, from->func));
  if (result != CUDA_SUCCESS)
    return vptr__driver_invalid("cuGraphKernelNodeGetParams", "the node's kernel was unloaded");
  const dim3 grid = from->gridDim, block = from->blockDim;
  *told_out = (CUDA_KERNEL_NODE_PARAMS_v1){
    (CUfunction)(void *)function, grid.x,     grid.y, grid.z, block.x, block.y, block.z, from->sharedMemBytes,
    from->kernelParams,           from->extra
  };
  return CUDA_SUCCESS;
}

/* ---- others --------------------------------------------------------------------------------------------- */

CUresult vptr__driver_node_set(const char *call, const CUDA_MEMSET_NODE_PARAMS *from,
                               struct cudaMemsetParams *made_out) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, from, "the parameters");
  if (result == CUDA_SUCCESS)
    *made_out = (struct cudaMemsetParams){
      (void *)(uintptr_t)from->dst, from->pitch, from->value, from->elementSize, from->width, from->height
    };
  return result;
}

static CUresult make_kernel(const char *call, const CUDA_KERNEL_NODE_PARAMS_v3 *from,
                            struct cudaKernelNodeParamsV2 *made) {
  void *named = NULL;
  CUDA_KERNEL_NODE_PARAMS params;
  _Static_assert(sizeof params == sizeof *from, "the second version and the third differ in their names");
  memcpy(&params, from, sizeof params);
  CUresult result = find_kernel(call, &params, &named);
  if (result == CUDA_SUCCESS)
    made->func = named;
  return result;
}

static CUresult make_copy(const char *call, const CUDA_MEMCPY_NODE_PARAMS *from, struct cudaMemcpyNodeParams *made) {
  if (from->flags != 0 || from->reserved != 0)
    return vptr__driver_invalid(call, "a copy's flags and reserved are 0");
  CUresult result = vptr__driver_node_context(call, from->copyCtx);
  memset(made, 0, sizeof *made);
  return result == CUDA_SUCCESS ? vptr__driver_node_copy(call, &from->copyParams, &made->copyParams) : result;
}

CUresult vptr__driver_node_any(const char *call, const CUgraphNodeParams *from,
                               struct cudaGraphNodeParams *made_out) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, from, "nodeParams");
  if (result != CUDA_SUCCESS)
    return result;
  memcpy(made_out, from, sizeof *made_out);
  switch (from->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return make_kernel(call, &from->kernel, &made_out->kernel);
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    return make_copy(call, &from->memcpy, &made_out->memcpy);
  case CU_GRAPH_NODE_TYPE_MEMSET:
    return vptr__driver_node_context(call, from->memset.ctx);
  case CU_GRAPH_NODE_TYPE_CONDITIONAL:
    return vptr__driver_node_context(call, from->conditional.ctx);
  default:
    return CUDA_SUCCESS;
  }
}

void vptr__driver_node_any_told(const struct cudaGraphNodeParams *made, CUgraphNodeParams *told) {
  if (told->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
    told->alloc.dptr = (CUdeviceptr)(uintptr_t)made->alloc.dptr;
  if (told->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
    told->conditional.phGraph_out = made->conditional.phGraph_out;
}
