/* SPDX-License-Identifier: MIT */
/*
 * graph_word - cuGraphAddBatchMemOpNode() and its kin: nodes of words that are waited for and written.
 *
 * The runtime has no such nodes: replay/word_node.h makes them. No state, no locks. Called by programs, directly or by
 * the table in entry.c; by graph_node.c and graph_exec.c, for calls about nodes of any kind. Nothing here waits.
 */
#include "driver/graph_work.h"

#include "driver/context.h"
#include "driver/result.h"
#include "driver/word.h"
#include "replay/word_node.h"

static CUresult read_params(const char *call, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params, vptr__driver_words *made) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), call, params, "nodeParams");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_context(call, params->ctx);
  if (result == CUDA_SUCCESS && params->count == 0)
    result = vptr__driver_invalid(call, "there are no operations");
  return result == CUDA_SUCCESS ? vptr__driver_words_read(call, 2, params, made) : result;
}

CUresult vptr__driver_word_node_add(const vptr__new_node *it, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
  vptr__driver_words made;
  CUresult result = read_params(it->call, params, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result_of(vptr__word_node_add(it, &made.words)) : result;
}

CUresult vptr__driver_word_node_set(const char *call, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
  vptr__driver_words made;
  CUresult result = read_params(call, params, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result_of(vptr__word_node_set(call, node, &made.words)) : result;
}

CUresult vptr__driver_word_node_set_exec(const char *call, CUgraphExec exec, CUgraphNode node,
                                         const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
  vptr__driver_words made;
  CUresult result = read_params(call, params, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result_of(vptr__word_node_set_exec(call, exec, node, &made.words))
                                : result;
}

const CUDA_BATCH_MEM_OP_NODE_PARAMS *vptr__driver_word_params(const CUgraphNodeParams *any,
                                                              CUDA_BATCH_MEM_OP_NODE_PARAMS *room) {
  if (any == NULL || any->type != CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return NULL;
  *room =
      (CUDA_BATCH_MEM_OP_NODE_PARAMS){ any->memOp.ctx, any->memOp.count, any->memOp.paramArray, any->memOp.flags };
  return room;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                  size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  const vptr__new_node it = { "cuGraphAddBatchMemOpNode", phGraphNode, hGraph, dependencies, NULL, numDependencies };
  return vptr__driver_word_node_add(&it, nodeParams);
}

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out) {
  static const char call[] = "cuGraphBatchMemOpNodeGetParams";
  const void *told = NULL;
  size_t bytes;
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, nodeParams_out, "nodeParams_out");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result_of(vptr__word_node_get(call, hNode, &told, &bytes));
  if (result != CUDA_SUCCESS)
    return result;
  const vptr__driver_operations *said = told;
  *nodeParams_out = said->params;
  nodeParams_out->paramArray = (CUstreamBatchMemOpParams *)(uintptr_t)said->operations; /* not to be changed */
  return CUDA_SUCCESS;
}

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return vptr__driver_word_node_set("cuGraphBatchMemOpNodeSetParams", hNode, nodeParams);
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return vptr__driver_word_node_set_exec("cuGraphExecBatchMemOpNodeSetParams", hGraphExec, hNode, nodeParams);
}
