/* SPDX-License-Identifier: MIT */
/* conform_driver_capture - the driver's interface: streams whose work becomes nodes of a graph. */
#include "conform_driver.h"

#include <stdint.h>
#include <string.h>

enum { BYTES = 4096, MOST = 16 };

static CUcontext context;
static CUstream stream;
static CUdeviceptr device;
static unsigned char back[BYTES];
static int calls;

static void CUDA_CB count_call(void *counter) {
  ++*(int *)counter;
}

static int is_all(const unsigned char *bytes, int value) {
  for (int i = 0; i < BYTES; i++)
    if (bytes[i] != value)
      return 0;
  return 1;
}

static void run(CUgraph graph) {
  CUgraphExec exec = NULL;
  driver_succeed(cuGraphInstantiate(&exec, graph, 0));
  driver_succeed(cuGraphLaunch(exec, stream));
  driver_succeed(cuStreamSynchronize(stream));
  driver_succeed(cuGraphExecDestroy(exec));
}

static CUstreamCaptureStatus status_of(CUstream which) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  driver_succeed(cuStreamIsCapturing(which, &status));
  return status;
}

static void what_is_sent_becomes_nodes(void) {
  CUgraph graph = NULL, told = NULL;
  CUgraphNode nodes[MOST];
  const CUgraphNode *tips = NULL;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUgraphNodeType types[3] = { CU_GRAPH_NODE_TYPE_EMPTY, CU_GRAPH_NODE_TYPE_EMPTY, CU_GRAPH_NODE_TYPE_EMPTY };
  cuuint64_t id = 0;
  size_t count = 0;
  calls = 0;
  memset(back, 0, sizeof back);
  driver_succeed(cuMemsetD8(device, 1, BYTES));
  driver_succeed(cuCtxSynchronize()); /* no wait of the set's, and the stream is non-blocking */
  driver_succeed(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  driver_true(status_of(stream) == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  driver_succeed(cuMemsetD8Async(device, 6, BYTES, stream));
  driver_succeed(cuMemcpyDtoHAsync(back, device, BYTES, stream));
  driver_succeed(cuLaunchHostFunc(stream, count_call, &calls));
#if CUDA_VERSION >= 13000
  driver_succeed(cuStreamGetCaptureInfo(stream, &status, &id, &told, &tips, NULL, &count));
#else
  driver_succeed(cuStreamGetCaptureInfo(stream, &status, &id, &told, &tips, &count));
#endif
  driver_true(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0 && told != NULL && count == 1);
  driver_succeed(cuGraphNodeGetType(tips[0], &types[0]));
  driver_true(types[0] == CU_GRAPH_NODE_TYPE_HOST);
  driver_succeed(cuStreamEndCapture(stream, &graph));
  driver_true(graph == told && status_of(stream) == CU_STREAM_CAPTURE_STATUS_NONE && calls == 0);
  count = MOST;
  driver_succeed(cuGraphGetNodes(graph, nodes, &count));
  driver_true(count == 3);
  for (size_t i = 0; i < 3 && count == 3; i++)
    driver_succeed(cuGraphNodeGetType(nodes[i], &types[i]));
  driver_true(types[0] == CU_GRAPH_NODE_TYPE_MEMSET && types[1] == CU_GRAPH_NODE_TYPE_MEMCPY);
  run(graph);
  driver_true(is_all(back, 6) && calls == 1);
  driver_succeed(cuGraphDestroy(graph));
}

static void a_graph_takes_what_is_captured(void) {
  CUgraph graph = NULL, same = NULL;
  CUgraphNode first = NULL;
  const CUgraphNode *tips = NULL;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  size_t count = 0;
  const CUDA_MEMSET_NODE_PARAMS set = { device, 0, 2, 1, BYTES, 1 };
  driver_succeed(cuGraphCreate(&graph, 0));
  driver_succeed(cuGraphAddMemsetNode(&first, graph, NULL, 0, &set, context));
  driver_succeed(cuStreamBeginCaptureToGraph(stream, graph, &first, NULL, 1, CU_STREAM_CAPTURE_MODE_RELAXED));
  driver_succeed(cuMemcpyDtoHAsync(back, device, BYTES, stream));
#if CUDA_VERSION >= 13000
  driver_succeed(cuStreamUpdateCaptureDependencies(stream, &first, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
  driver_succeed(cuStreamGetCaptureInfo(stream, &status, NULL, NULL, &tips, NULL, &count));
#else
  driver_succeed(cuStreamUpdateCaptureDependencies(stream, &first, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
  driver_succeed(cuStreamGetCaptureInfo(stream, &status, NULL, NULL, &tips, &count));
#endif
  driver_true(count == 2);
  driver_succeed(cuStreamEndCapture(stream, &same));
  driver_true(same == graph);
  run(graph);
  driver_true(is_all(back, 2));
  driver_succeed(cuGraphDestroy(graph));
}

/* What may not be captured ends it; a thread's mode says what it may do meanwhile. */
static void captures_end_as_the_runtimes_do(void) {
  CUgraph graph = (CUgraph)(uintptr_t)77;
  CUdeviceptr ptr = 0;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  driver_succeed(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  driver_succeed(cuThreadExchangeStreamCaptureMode(&mode));
  driver_true(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
  driver_succeed(cuMemAlloc(&ptr, BYTES));
  driver_succeed(cuThreadExchangeStreamCaptureMode(&mode));
  driver_true(mode == CU_STREAM_CAPTURE_MODE_RELAXED);
  driver_expect(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(stream));
  driver_true(status_of(stream) == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  driver_expect(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
  driver_true(graph == NULL);
  driver_expect(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(stream, &graph));
  driver_succeed(cuMemFree(ptr));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamBeginCapture(stream, (CUstreamCaptureMode)9));
}

/* Whichever way the driver's calls send it, what a captured stream cannot have ends the capture. */
static void allocations_are_refused(void) {
  CUgraph graph = NULL;
  CUdeviceptr ptr = 0;
  driver_succeed(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  driver_expect(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&ptr, BYTES));
  driver_true(ptr == 0 && status_of(stream) == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  driver_expect(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
  driver_succeed(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  driver_expect(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize());
  driver_expect(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
}

/* What a stream writes, or waits for, the graph does in each launch: also a wait for what is written between. */
static void words_are_captured(void) {
  CUgraph graph = NULL;
  CUgraphExec exec = NULL;
  CUdeviceptr words = 0;
  unsigned read[3] = { 0 };
  driver_succeed(cuMemAlloc(&words, sizeof read));
  driver_succeed(cuMemsetD32Async(words, 0, 3, stream));
  driver_succeed(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  driver_succeed(cuStreamWriteValue32(stream, words, 7, CU_STREAM_WRITE_VALUE_DEFAULT));
  driver_succeed(cuStreamWaitValue32(stream, words, 7, CU_STREAM_WAIT_VALUE_EQ));
  driver_succeed(cuMemcpyAsync(words + 4, words, 4, stream));
  driver_succeed(cuStreamWaitValue32(stream, words + 8, 1, CU_STREAM_WAIT_VALUE_GEQ));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(stream, words + 2, 1, CU_STREAM_WAIT_VALUE_GEQ));
  driver_succeed(cuStreamEndCapture(stream, &graph));
  driver_succeed(cuStreamSynchronize(stream));
  driver_succeed(cuMemcpyDtoH(read, words, sizeof read));
  driver_true(read[0] == 0 && read[1] == 0);
  driver_succeed(cuGraphInstantiate(&exec, graph, 0));
  for (unsigned i = 1; i < 4; i++) {
    driver_succeed(cuMemsetD32Async(words, 0, 3, stream));
    driver_succeed(cuStreamSynchronize(stream));
    driver_succeed(cuGraphLaunch(exec, stream));
    driver_expect(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
    driver_succeed(cuStreamWriteValue32(NULL, words + 8, i, CU_STREAM_WRITE_VALUE_DEFAULT));
    driver_succeed(cuStreamSynchronize(stream));
    driver_succeed(cuMemcpyDtoH(read, words, sizeof read));
    driver_true(read[0] == 7 && read[1] == 7 && read[2] == i);
  }
  driver_succeed(cuGraphExecDestroy(exec));
  driver_succeed(cuGraphDestroy(graph));
  driver_succeed(cuMemFree(words));
}

/* Events carry a capture into another stream, and back. */
static void captures_follow_events(void) {
  CUstream other = NULL;
  CUevent begun = NULL, done = NULL;
  CUgraph graph = NULL;
  size_t count = 0;
  driver_succeed(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuEventCreate(&begun, CU_EVENT_DISABLE_TIMING));
  driver_succeed(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
  driver_succeed(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  driver_succeed(cuMemsetD8Async(device, 11, BYTES, stream));
  driver_succeed(cuEventRecord(begun, stream));
  driver_succeed(cuStreamWaitEvent(other, begun, 0));
  driver_true(status_of(other) == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  driver_succeed(cuMemcpyDtoHAsync(back, device, BYTES, other));
  driver_succeed(cuEventRecord(done, other));
  driver_succeed(cuStreamWaitEvent(stream, done, 0));
  driver_succeed(cuStreamEndCapture(stream, &graph));
  driver_true(status_of(other) == CU_STREAM_CAPTURE_STATUS_NONE);
  driver_succeed(cuGraphGetNodes(graph, NULL, &count));
  driver_true(count == 2);
  run(graph);
  driver_true(is_all(back, 11));
  driver_succeed(cuGraphDestroy(graph));
  driver_succeed(cuEventDestroy(begun));
  driver_succeed(cuEventDestroy(done));
  driver_succeed(cuStreamDestroy(other));
}

int main(void) {
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, 0));
  driver_succeed(cuCtxSetCurrent(context));
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuMemAlloc(&device, BYTES));
  what_is_sent_becomes_nodes();
  a_graph_takes_what_is_captured();
  captures_end_as_the_runtimes_do();
  allocations_are_refused();
  words_are_captured();
  captures_follow_events();
  driver_succeed(cuMemFree(device));
  driver_succeed(cuStreamDestroy(stream));
  return driver_done("conform_driver_capture");
}
