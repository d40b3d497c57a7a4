/* SPDX-License-Identifier: MIT */
/*
 * graph_work - what a node does, from the driver's words to the runtime's and back.
 *
 * Both describe a host function, a child graph, an event, a set alike. A kernel is named by its function or its kernel
 * there, by either or by a stub of the program's here. A copy's ends are said to be the host's, a device's, an array or
 * "unified" there; here the copy's kind keeps that (copy_rect.c). No state, no locks.
 */
#ifndef VPTR_DRIVER_GRAPH_WORK_H
#define VPTR_DRIVER_GRAPH_WORK_H

#include <stdbool.h>

#include <vptr/cuda/cuda.h>
#include <vptr/cuda/vptr_graph_types.h>

#include "replay/call.h"

/* CUDA_SUCCESS if the context is one that lives, or NULL and there is a current one. */
CUresult vptr__driver_node_context(const char *call, CUcontext context);

/* Errors: INVALID_VALUE (it is NULL, or names no kernel), INVALID_CONTEXT. */
CUresult vptr__driver_node_kernel(const char *call, const CUDA_KERNEL_NODE_PARAMS *from,
                                  struct cudaKernelNodeParams *made_out);

/* Back, without a context. Errors: INVALID_VALUE (its module was unloaded). */
CUresult vptr__driver_node_kernel_told(const struct cudaKernelNodeParams *from, CUDA_KERNEL_NODE_PARAMS_v1 *told_out);

CUresult vptr__driver_node_set(const char *call, const CUDA_MEMSET_NODE_PARAMS *from,
                               struct cudaMemsetParams *made_out);

/* Of any kind, by from->type. And back what a node that was added tells: memory's address, a condition's bodies. */
CUresult vptr__driver_node_any(const char *call, const CUgraphNodeParams *from, struct cudaGraphNodeParams *made_out);
void vptr__driver_node_any_told(const struct cudaGraphNodeParams *made, CUgraphNodeParams *told);

/* ---- words: graph_word.c ---------------------------------------------------------------------------------- */

/* Errors: INVALID_CONTEXT, INVALID_VALUE, NOT_SUPPORTED, as cuStreamBatchMemOp(). */
CUresult vptr__driver_word_node_add(const vptr__new_node *it, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult vptr__driver_word_node_set(const char *call, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult vptr__driver_word_node_set_exec(const char *call, CUgraphExec exec, CUgraphNode node,
                                         const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);

/* Those of a node of any kind, or NULL: it is of another. */
const CUDA_BATCH_MEM_OP_NODE_PARAMS *vptr__driver_word_params(const CUgraphNodeParams *any,
                                                              CUDA_BATCH_MEM_OP_NODE_PARAMS *room);

/* ---- copies: copy_rect.c --------------------------------------------------------------------------------- */

/* Errors: those of cuMemcpy3D(). */
CUresult vptr__driver_node_copy(const char *call, const CUDA_MEMCPY3D *from, struct cudaMemcpy3DParms *made_out);

/* Back. Errors: INVALID_VALUE (an array was freed). */
CUresult vptr__driver_node_copy_told(const struct cudaMemcpy3DParms *from, CUDA_MEMCPY3D *told_out);

#endif
