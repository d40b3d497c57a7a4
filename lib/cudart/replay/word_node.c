/* SPDX-License-Identifier: MIT */
/*
 * word_node - see word_node.h.
 *
 * vptr__graph_lock(), of rank GRAPH, guards nodes, and is taken here and by what is called here. Called by
 * driver/graph_word.c. Nothing blocks but for locks.
 */
#include "replay/word_node.h"

#include "cuda/device.h"
#include "replay/exec.h"

static cudaError_t make_work(const char *call, const vptr__words *words, vptr__graph_work *work) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess)
    error = vptr__cuda_words_check(call, mapper, words);
  return error == cudaSuccess ? vptr__cuda_words_work(call, words, work) : error;
}

cudaError_t vptr__word_node_add(const vptr__new_node *it, const vptr__words *words) {
  vptr__graph_work work;
  cudaError_t error = make_work(it->call, words, &work);
  return error == cudaSuccess ? vptr__graph_node_add(it, cudaGraphNodeTypeEmpty, &work) : error;
}

cudaError_t vptr__word_node_get(const char *call, cudaGraphNode_t handle, const void **told_out, size_t *bytes_out) {
  vptr__graph_node *node = NULL;
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find_kind(call, handle, cudaGraphNodeTypeEmpty, &node);
  if (error == cudaSuccess) {
    *told_out = vptr__cuda_words_told(&node->work, bytes_out);
    if (*told_out == NULL)
      error = vptr__graph_refuse(call, "the node waits for no words and writes none");
  }
  vptr__graph_unlock();
  return error;
}

cudaError_t vptr__word_node_set(const char *call, cudaGraphNode_t node, const vptr__words *words) {
  const void *told;
  size_t bytes;
  vptr__graph_work work;
  cudaError_t error = vptr__word_node_get(call, node, &told, &bytes);
  if (error == cudaSuccess)
    error = make_work(call, words, &work);
  return error == cudaSuccess ? vptr__graph_node_set(call, node, cudaGraphNodeTypeEmpty, &work) : error;
}

cudaError_t vptr__word_node_set_exec(const char *call, cudaGraphExec_t exec, cudaGraphNode_t node,
                                     const vptr__words *words) {
  const void *told;
  size_t bytes;
  vptr__graph_work work;
  cudaError_t error = vptr__word_node_get(call, node, &told, &bytes);
  if (error == cudaSuccess)
    error = make_work(call, words, &work);
  return error == cudaSuccess ? vptr__exec_set_work(call, exec, node, cudaGraphNodeTypeEmpty, &work) : error;
}
