/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_graph_word - nodes that wait for words and write them: cuGraphAddBatchMemOpNode() and its kin, by
 * themselves, as nodes of any kind, changed in a graph and in an executable one, copied, and captured.
 */
#include "conform_driver.h"

#include <stdint.h>
#include <string.h>

static CUcontext context;
static CUstream stream;
static CUdeviceptr device, mapped; /* 8 words each */
static cuuint32_t *pinned;

enum { WORDS = 8, LOOKS = 4, LOOK_US = 500 };

static CUstreamBatchMemOpParams operation(CUstreamBatchMemOpType type, CUdeviceptr address, cuuint32_t value,
                                          unsigned flags) {
  CUstreamBatchMemOpParams made;
  memset(&made, 0, sizeof made);
  made.operation = type;
  made.waitValue.address = address;
  made.waitValue.value = value;
  made.waitValue.flags = flags;
  return made;
}

static CUstreamBatchMemOpParams write_word(CUdeviceptr base, int word, cuuint32_t value) {
  return operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, base + 4 * (unsigned)word, value, CU_STREAM_WRITE_VALUE_DEFAULT);
}

static CUstreamBatchMemOpParams wait_word(int word, cuuint32_t value) {
  return operation(CU_STREAM_MEM_OP_WAIT_VALUE_32, mapped + 4 * (unsigned)word, value, CU_STREAM_WAIT_VALUE_EQ);
}

static void set_host(int word, cuuint32_t value) {
  __atomic_store_n(&pinned[word], value, __ATOMIC_SEQ_CST);
}

static cuuint32_t device_word(int word) {
  cuuint32_t value = 0;
  driver_succeed(cuMemcpyDtoH(&value, device + 4 * (unsigned)word, sizeof value));
  return value;
}

static void clear(void) {
  memset(pinned, 0, WORDS * sizeof *pinned);
  driver_succeed(cuMemsetD32(device, 0, WORDS));
  driver_succeed(cuCtxSynchronize());
}

/* The graph waits for word 0 to be `wanted`, and then writes `written` to the device's word 1. */
static void runs(CUgraphExec exec, cuuint32_t wanted, cuuint32_t written) {
  clear();
  driver_succeed(cuGraphLaunch(exec, stream));
  for (int i = 0; i < LOOKS; i++) {
    driver_expect(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
    usleep(LOOK_US);
  }
  set_host(0, wanted);
  driver_succeed(cuStreamSynchronize(stream));
  driver_true(device_word(1) == written);
}

static CUDA_BATCH_MEM_OP_NODE_PARAMS params_of(CUstreamBatchMemOpParams *batch, unsigned count) {
  CUDA_BATCH_MEM_OP_NODE_PARAMS params;
  memset(&params, 0, sizeof params);
  params.ctx = context;
  params.paramArray = batch;
  params.count = count;
  return params;
}

static void tells(CUgraphNode node, cuuint32_t wanted, cuuint32_t written) {
  CUDA_BATCH_MEM_OP_NODE_PARAMS told;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  driver_succeed(cuGraphNodeGetType(node, &type));
  driver_true(type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  memset(&told, 0, sizeof told);
  driver_succeed(cuGraphBatchMemOpNodeGetParams(node, &told));
  driver_true(told.ctx == context && told.count == 2 && told.flags == 0 && told.paramArray != NULL);
  if (told.paramArray == NULL)
    return;
  driver_true(told.paramArray[0].operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 &&
              told.paramArray[0].waitValue.value == wanted && told.paramArray[0].waitValue.address == mapped);
  driver_true(told.paramArray[1].operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 &&
              told.paramArray[1].writeValue.value == written);
}

static void nodes_wait_and_write(int by_any) {
  CUstreamBatchMemOpParams batch[] = { wait_word(0, 5), write_word(device, 1, 6) };
  CUDA_BATCH_MEM_OP_NODE_PARAMS params = params_of(batch, 2);
  CUgraph graph = NULL, clone = NULL;
  CUgraphExec exec = NULL, second = NULL;
  CUgraphNode node = NULL, set = NULL, copied = NULL;
  CUgraphNodeParams any;
  CUDA_MEMSET_NODE_PARAMS early = { device + 4, 0, 1, 4, 1, 1 }; /* what the node writes is behind that */
  memset(&any, 0, sizeof any);
  any.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  any.memOp.ctx = context;
  any.memOp.count = 2;
  any.memOp.paramArray = batch;
  driver_succeed(cuGraphCreate(&graph, 0));
  driver_succeed(cuGraphAddMemsetNode(&set, graph, NULL, 0, &early, context));
  driver_succeed(by_any ? cuGraphAddNode(&node, graph, &set, NULL, 1, &any)
                        : cuGraphAddBatchMemOpNode(&node, graph, &set, 1, &params));
  memset(batch, 0, sizeof batch); /* the node has what it needs */
  tells(node, 5, 6);
  driver_succeed(cuGraphInstantiate(&exec, graph, 0));
  runs(exec, 5, 6);

  batch[0] = wait_word(0, 7);
  batch[1] = write_word(device, 1, 8);
  driver_succeed(by_any ? cuGraphNodeSetParams(node, &any) : cuGraphBatchMemOpNodeSetParams(node, &params));
  tells(node, 7, 8);
  runs(exec, 5, 6); /* it is as it was made */
  driver_succeed(cuGraphClone(&clone, graph));
  driver_succeed(cuGraphNodeFindInClone(&copied, node, clone));
  tells(copied, 7, 8);
  driver_succeed(cuGraphInstantiate(&second, clone, 0));
  driver_succeed(cuGraphDestroy(clone));
  runs(second, 7, 8);

  batch[0] = wait_word(0, 9);
  batch[1] = write_word(device, 1, 10);
  driver_succeed(by_any ? cuGraphExecNodeSetParams(exec, node, &any)
                        : cuGraphExecBatchMemOpNodeSetParams(exec, node, &params));
  memset(batch, 0, sizeof batch);
  runs(exec, 9, 10);
  tells(node, 7, 8);
  driver_succeed(cuGraphExecDestroy(exec));
  driver_succeed(cuGraphExecDestroy(second));
  driver_succeed(cuGraphDestroy(graph));
}

static void what_is_captured_is_one(void) {
  CUstreamBatchMemOpParams batch[] = { wait_word(0, 3), write_word(device, 1, 4) };
  CUgraph graph = NULL;
  CUgraphNode node = NULL;
  CUgraphExec exec = NULL;
  size_t count = 1;
  driver_succeed(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  driver_succeed(cuStreamBatchMemOp(stream, 2, batch, 0));
  driver_succeed(cuStreamEndCapture(stream, &graph));
  driver_succeed(cuGraphGetNodes(graph, &node, &count));
  driver_true(count == 1);
  tells(node, 3, 4);
  driver_succeed(cuGraphInstantiate(&exec, graph, 0));
  runs(exec, 3, 4);
  driver_succeed(cuGraphExecDestroy(exec));
  driver_succeed(cuGraphDestroy(graph));
}

static void wrong_arguments_are_refused(void) {
  CUstreamBatchMemOpParams batch[] = { wait_word(0, 5), write_word(device, 1, 6) };
  CUDA_BATCH_MEM_OP_NODE_PARAMS params = params_of(batch, 2), wrong;
  CUgraph graph = NULL;
  CUgraphNode node = NULL, empty = NULL;
  CUgraphExec exec = NULL;
  driver_succeed(cuGraphCreate(&graph, 0));
  driver_succeed(cuGraphAddEmptyNode(&empty, graph, NULL, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, NULL));
  wrong = params_of(batch, 256);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &wrong));
  wrong = params_of(NULL, 2);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &wrong));
  wrong = params_of(batch, 2);
  wrong.flags = 1;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &wrong));
#ifndef ON_NVIDIA /* which looks at addresses when the graph is launched, if at all */
  CUstreamBatchMemOpParams nowhere = write_word(device + 1, 0, 1);
  wrong = params_of(&nowhere, 1);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &wrong));
  wrong = params_of(batch, 2);
  wrong.ctx = NULL;
  driver_expect(CUDA_ERROR_INVALID_CONTEXT, cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &wrong));
#endif
  driver_true(node == NULL);
  driver_succeed(cuGraphAddBatchMemOpNode(&node, graph, &empty, 1, &params));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeGetParams(node, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeGetParams(empty, &wrong));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeSetParams(empty, &params));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeSetParams(node, NULL));
  driver_succeed(cuGraphInstantiate(&exec, graph, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphExecBatchMemOpNodeSetParams(exec, node, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphExecBatchMemOpNodeSetParams(exec, empty, &params));
  tells(node, 5, 6);
  runs(exec, 5, 6);
  driver_succeed(cuGraphExecDestroy(exec));
  driver_succeed(cuGraphDestroy(graph));
}

int main(void) {
  void *host = NULL;
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, 0));
  driver_succeed(cuCtxSetCurrent(context));
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuMemHostAlloc(&host, WORDS * sizeof *pinned, CU_MEMHOSTALLOC_DEVICEMAP));
  driver_succeed(cuMemAlloc(&device, WORDS * sizeof *pinned));
  driver_succeed(cuMemHostGetDevicePointer(&mapped, host, 0));
  pinned = host;
  nodes_wait_and_write(0);
  nodes_wait_and_write(1);
  what_is_captured_is_one();
  wrong_arguments_are_refused();
  driver_succeed(cuStreamDestroy(stream));
  driver_succeed(cuMemFree(device));
  driver_succeed(cuMemFreeHost(pinned));
  return driver_done("conform_driver_graph_word");
}
