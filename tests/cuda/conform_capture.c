/* SPDX-License-Identifier: MIT */
/* conform_capture - streams that are captured: what becomes of what is sent, of events and other streams, and
 * errors. */
#include "conform.h"

#include <pthread.h>
#include <string.h>

enum { WORDS = 256, BYTES = WORDS * 4, MOST = 16 };

static int calls;

static void CUDART_CB count_call(void *context) {
  (void)context;
  calls++;
}

static void CUDART_CB ignore_call(cudaStream_t stream, cudaError_t status, void *context) {
  (void)stream, (void)status, (void)context;
}

static int holds(const unsigned char *bytes, unsigned char value) {
  for (int i = 0; i < BYTES; i++)
    if (bytes[i] != value)
      return 0;
  return 1;
}

static size_t count_nodes(cudaGraph_t graph) {
  size_t count = 99;
  conform_succeed(cudaGraphGetNodes(graph, NULL, &count));
  return count;
}

static size_t count_edges(cudaGraph_t graph) {
  size_t count = 99;
  conform_succeed(cudaGraphGetEdges(graph, NULL, NULL, NULL, &count));
  return count;
}

static enum cudaStreamCaptureStatus status_of(cudaStream_t stream) {
  enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)9;
  conform_succeed(cudaStreamIsCapturing(stream, &status));
  return status;
}

static cudaGraph_t end(cudaStream_t stream) {
  cudaGraph_t graph = NULL;
  conform_succeed(cudaStreamEndCapture(stream, &graph));
  conform_true(graph != NULL);
  return graph;
}

static void launch_and_end(cudaGraph_t graph, cudaStream_t stream) {
  cudaGraphExec_t exec = NULL;
  conform_succeed(cudaGraphInstantiate(&exec, graph, 0));
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
}

/* The error with which a capture ends, and no graph. */
static void expect_end(cudaError_t error, cudaStream_t stream) {
  cudaGraph_t graph = (cudaGraph_t)&graph;
  conform_expect(error, cudaStreamEndCapture(stream, &graph));
  conform_true(graph == NULL && status_of(stream) == cudaStreamCaptureStatusNone);
}

static void nothing_runs_until_it_is_launched(cudaStream_t stream, void *device, unsigned char *host) {
  conform_succeed(cudaMemset(device, 1, BYTES));
  conform_succeed(cudaDeviceSynchronize());
  memset(host, 0, BYTES);
  calls = 0;
  conform_true(status_of(stream) == cudaStreamCaptureStatusNone);
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  conform_true(status_of(stream) == cudaStreamCaptureStatusActive);
  conform_succeed(cudaMemsetAsync(device, 2, BYTES, stream));
  conform_succeed(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream));
  conform_succeed(cudaLaunchHostFunc(stream, count_call, NULL));
  cudaGraph_t graph = end(stream);
  conform_true(status_of(stream) == cudaStreamCaptureStatusNone);
  conform_true(count_nodes(graph) == 3 && count_edges(graph) == 2);
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(holds(host, 0) && calls == 0);
  launch_and_end(graph, stream);
  conform_true(holds(host, 2) && calls == 1);
}

/* Rects of two and three dimensions, whose rows are a part of the pitch. */
static void copies_of_all_shapes(cudaStream_t stream, void *device, void *other, unsigned char *host) {
  struct cudaMemcpy3DParms params;
  memset(&params, 0, sizeof params);
  params.srcPtr.ptr = device;
  params.dstPtr.ptr = other;
  params.srcPtr.pitch = params.dstPtr.pitch = params.srcPtr.xsize = params.dstPtr.xsize = 16;
  params.srcPtr.ysize = params.dstPtr.ysize = 4;
  params.extent.width = 16;
  params.extent.height = 4;
  params.extent.depth = BYTES / 64;
  params.kind = cudaMemcpyDeviceToDevice;
  struct cudaPitchedPtr pitched;
  memset(&pitched, 0, sizeof pitched);
  pitched.ptr = device;
  pitched.pitch = pitched.xsize = 16;
  pitched.ysize = 4;
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  conform_succeed(cudaMemsetAsync(other, 9, BYTES, stream));
  conform_succeed(cudaMemset3DAsync(pitched, 3, params.extent, stream));
  conform_succeed(cudaMemcpy3DAsync(&params, stream));
  conform_succeed(cudaMemset2DAsync(device, 32, 4, 16, BYTES / 32, stream));
  conform_succeed(cudaMemcpy2DAsync(other, 32, device, 32, 16, BYTES / 32, cudaMemcpyDeviceToDevice, stream));
  conform_succeed(cudaMemcpyAsync(host, other, BYTES, cudaMemcpyDeviceToHost, stream));
  launch_and_end(end(stream), stream);
  int fits = 1;
  for (int i = 0; i < BYTES; i++)
    fits &= host[i] == (i % 32 < 16 ? 4 : 3);
  conform_true(fits);
}

static void events_bring_other_streams_in_and_back(cudaStream_t stream, cudaStream_t other, void *device,
                                                   unsigned char *host) {
  cudaEvent_t fork, join;
  unsigned char *device_bytes = (unsigned char *)device;
  conform_succeed(cudaEventCreate(&fork));
  conform_succeed(cudaEventCreate(&join));
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  conform_succeed(cudaMemsetAsync(device, 5, BYTES, stream));
  conform_succeed(cudaEventRecord(fork, stream));
  conform_succeed(cudaStreamWaitEvent(other, fork, 0));
  conform_true(status_of(other) == cudaStreamCaptureStatusActive);
  conform_succeed(cudaMemsetAsync(device_bytes, 6, BYTES / 2, other));
  conform_succeed(cudaMemsetAsync(device_bytes + BYTES / 2, 6, BYTES / 2, stream));
  conform_succeed(cudaEventRecord(join, other));
  conform_succeed(cudaStreamWaitEvent(stream, join, 0));
  conform_succeed(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph = end(stream);
  conform_true(status_of(other) == cudaStreamCaptureStatusNone);
  conform_true(count_nodes(graph) == 4 && count_edges(graph) == 4);
  memset(host, 0, BYTES);
  launch_and_end(graph, stream);
  conform_true(holds(host, 6));
  conform_succeed(cudaEventDestroy(fork));
  conform_succeed(cudaEventDestroy(join));
}

static void what_is_known_of_a_capture(cudaStream_t stream, void *device) {
  enum cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaGraph_t graph = NULL;
  const cudaGraphNode_t *tips = NULL;
  const cudaGraphEdgeData *edges = NULL;
  cudaGraphNode_t node = NULL, got[MOST];
  size_t count = 99;
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  conform_expect(cudaErrorInvalidValue, cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, NULL, &edges, &count));
  conform_succeed(cudaStreamGetCaptureInfo(stream, &status, (void *)&id, &graph, &tips, NULL, &count));
  conform_true(status == cudaStreamCaptureStatusActive && id != 0 && graph != NULL && count == 0);
  conform_succeed(cudaMemsetAsync(device, 1, BYTES, stream));
  conform_succeed(cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, NULL, NULL, &count));
  conform_succeed(cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, &tips, NULL, &count));
  conform_true(count == 1 && tips != NULL && tips[0] != NULL);
  conform_succeed(cudaGraphAddEmptyNode(&node, graph, tips, 1));
  conform_succeed(cudaStreamUpdateCaptureDependencies(stream, &node, NULL, 1, cudaStreamSetCaptureDependencies));
  conform_succeed(cudaMemsetAsync(device, 2, BYTES, stream));
  cudaGraph_t ended = end(stream);
  conform_true(ended == graph && count_nodes(graph) == 3 && count_edges(graph) == 2);
  count = MOST;
  conform_succeed(cudaGraphNodeGetDependentNodes(node, got, NULL, &count));
  conform_true(count == 1);
  launch_and_end(ended, stream);
}

static void a_graph_of_the_programs_is_gone_on_with(cudaStream_t stream, cudaStream_t other, void *device) {
  cudaGraph_t graph = NULL, ended = NULL;
  cudaGraphNode_t node = NULL;
  conform_succeed(cudaGraphCreate(&graph, 0));
  conform_succeed(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
  conform_succeed(cudaStreamBeginCaptureToGraph(stream, graph, &node, NULL, 1, cudaStreamCaptureModeGlobal));
#ifndef ON_NVIDIA /* which crashes */
  conform_expect(cudaErrorIllegalState,
                 cudaStreamBeginCaptureToGraph(other, graph, &node, NULL, 1, cudaStreamCaptureModeGlobal));
#else
  (void)other;
#endif
  conform_succeed(cudaMemsetAsync(device, 3, BYTES, stream));
  conform_expect(cudaErrorIllegalState, cudaGraphDestroyNode(node));
  conform_expect(cudaErrorIllegalState, cudaGraphDestroy(graph));
  conform_succeed(cudaStreamEndCapture(stream, &ended));
  conform_true(ended == graph && count_nodes(graph) == 2 && count_edges(graph) == 1);
  launch_and_end(graph, stream);
}

/* What there is until then. */
static void a_graph_is_instantiated_while_it_is_captured_into(cudaStream_t stream, void *device) {
  cudaGraph_t graph = NULL, ended = NULL, clone = NULL;
  cudaGraphExec_t exec = NULL;
  unsigned char byte = 0;
  conform_succeed(cudaGraphCreate(&graph, 0));
  conform_succeed(cudaStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
  conform_succeed(cudaMemsetAsync(device, 3, BYTES, stream));
  conform_succeed(cudaGraphInstantiate(&exec, graph, 0));
  conform_succeed(cudaGraphExecUpdate(exec, graph, &(cudaGraphExecUpdateResultInfo){ 0 }));
  conform_succeed(cudaGraphClone(&clone, graph));
  conform_succeed(cudaMemsetAsync(device, 4, BYTES, stream));
  conform_succeed(cudaStreamEndCapture(stream, &ended));
  conform_true(ended == graph && count_nodes(graph) == 2 && count_nodes(clone) == 1);
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaMemcpy(&byte, device, 1, cudaMemcpyDeviceToHost));
  conform_true(byte == 3);
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(clone));
  conform_succeed(cudaGraphInstantiate(&exec, graph, 0));
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  conform_expect(cudaErrorStreamCaptureUnsupported, cudaGraphUpload(exec, stream));
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  conform_succeed(cudaGraphExecDestroy(exec));
  launch_and_end(graph, stream);
}

#ifndef ON_NVIDIA /* which refuses the launch of any graph, of one set too: cudaErrorStreamCaptureUnsupported */
static void a_launched_graph_becomes_a_child(cudaStream_t stream, void *device, unsigned char *host) {
  cudaGraph_t inner = NULL;
  cudaGraphExec_t exec = NULL;
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  conform_succeed(cudaMemsetAsync(device, 7, BYTES, stream));
  inner = end(stream);
  conform_succeed(cudaGraphInstantiate(&exec, inner, 0));
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  conform_succeed(cudaMemsetAsync(device, 1, BYTES, stream));
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph = end(stream);
  conform_true(count_nodes(graph) == 3);
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(inner));
  launch_and_end(graph, stream);
  conform_true(holds(host, 7));
}
#endif

/* ---- errors --------------------------------------------------------------------------------------------- */

static void begin(cudaStream_t stream) {
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
}

static void what_waits_invalidates(cudaStream_t stream, void *device) {
  void *memory = NULL;
  begin(stream);
  conform_expect(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  conform_true(status_of(stream) == cudaStreamCaptureStatusInvalidated);
  conform_expect(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(device, 1, BYTES, stream));
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream);
  conform_expect(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream);
  conform_expect(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream);
  conform_expect(cudaErrorStreamCaptureUnsupported, cudaMalloc(&memory, BYTES));
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream);
  conform_expect(cudaErrorStreamCaptureUnsupported, cudaStreamAddCallback(stream, ignore_call, NULL, 0));
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  conform_succeed(cudaMalloc(&memory, BYTES));
  conform_succeed(cudaGraphDestroy(end(stream)));
  conform_succeed(cudaFree(memory));
}

static void the_thread_may_relax(cudaStream_t stream) {
  void *memory = NULL;
  enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  begin(stream);
  conform_succeed(cudaThreadExchangeStreamCaptureMode(&mode));
  conform_true(mode == cudaStreamCaptureModeGlobal);
  conform_succeed(cudaMalloc(&memory, BYTES));
  conform_succeed(cudaThreadExchangeStreamCaptureMode(&mode));
  conform_succeed(cudaGraphDestroy(end(stream)));
  conform_succeed(cudaFree(memory));
}

static void legacy_streams_stay_out(cudaStream_t blocking, cudaStream_t free_stream, void *device) {
  cudaGraph_t graph = NULL;
  conform_expect(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal));
  begin(blocking);
  conform_expect(cudaErrorStreamCaptureImplicit, cudaMemsetAsync(device, 1, BYTES, NULL));
  expect_end(cudaErrorStreamCaptureInvalidated, blocking);
  begin(free_stream);
  conform_succeed(cudaMemsetAsync(device, 1, BYTES, NULL));
  conform_succeed(cudaStreamEndCapture(free_stream, &graph));
  conform_succeed(cudaGraphDestroy(graph));
}

static void *end_by_thread(void *context) {
  cudaGraph_t graph = NULL;
  return (void *)(size_t)cudaStreamEndCapture(*(cudaStream_t *)context, &graph);
}

/* It is over, too. */
static void another_thread_ends_no_capture(cudaStream_t stream) {
  const enum cudaStreamCaptureMode modes[] = { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal };
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    void *told = NULL;
    cudaGraph_t graph = NULL;
    conform_succeed(cudaStreamBeginCapture(stream, modes[i]));
    conform_true(pthread_create(&thread, NULL, end_by_thread, &stream) == 0);
    conform_true(pthread_join(thread, &told) == 0 && (size_t)told == cudaErrorStreamCaptureWrongThread);
    conform_true(status_of(stream) == cudaStreamCaptureStatusNone);
    conform_expect(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  }
}

/* A capture of the stream, which an event brings the other one into. */
static void begin_both(cudaStream_t stream, cudaStream_t other, cudaEvent_t event, void *device) {
  begin(stream);
  conform_succeed(cudaEventRecord(event, stream));
  conform_succeed(cudaStreamWaitEvent(other, event, 0));
  conform_succeed(cudaMemsetAsync(device, 1, BYTES, other));
}

static void ends_that_do_not_fit(cudaStream_t stream, cudaStream_t other, void *device) {
  cudaEvent_t event;
  cudaGraph_t graph = NULL;
  conform_succeed(cudaEventCreate(&event));
  conform_expect(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  conform_expect(cudaErrorIllegalState, cudaStreamEndCapture(stream, NULL));
  begin(stream);
  conform_succeed(cudaStreamEndCapture(stream, NULL)); /* the graph goes with it */
  conform_true(status_of(stream) == cudaStreamCaptureStatusNone);
  begin_both(stream, other, event, device);
  expect_end(cudaErrorStreamCaptureUnjoined, stream);
  conform_true(status_of(other) == cudaStreamCaptureStatusNone);
  begin_both(stream, other, event, device);
  conform_expect(cudaErrorIllegalState, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  conform_expect(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(other, &graph));
  expect_end(cudaErrorStreamCaptureInvalidated, stream); /* by the wrong end */
  conform_true(status_of(other) == cudaStreamCaptureStatusNone);
  conform_succeed(cudaEventDestroy(event));
}

static void events_stay_on_their_side(cudaStream_t stream, cudaStream_t other) {
  cudaEvent_t outside, inside;
  conform_succeed(cudaEventCreate(&outside));
  conform_succeed(cudaEventCreate(&inside));
  conform_succeed(cudaEventRecord(outside, other));
  begin(stream);
  conform_expect(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(stream, outside, 0));
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream);
  conform_succeed(cudaEventRecord(inside, stream));
  conform_expect(cudaErrorCapturedEvent, cudaEventSynchronize(inside));
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream);
  conform_succeed(cudaEventRecord(inside, stream));
  begin(other);
  conform_expect(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(other, inside, 0));
  expect_end(cudaErrorStreamCaptureInvalidated, other);
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream); /* what leads out is a node */
  conform_succeed(cudaStreamWaitEvent(stream, outside, cudaEventWaitExternal));
  conform_succeed(cudaEventRecordWithFlags(outside, stream, cudaEventRecordExternal));
  cudaGraph_t graph = end(stream);
  conform_true(count_nodes(graph) == 2);
  launch_and_end(graph, stream);
  conform_succeed(cudaEventSynchronize(outside));
  conform_succeed(cudaEventDestroy(outside));
  conform_succeed(cudaEventDestroy(inside));
}

/* No work is before an event that was recorded in a capture last, whether that goes on or not. */
static void events_of_captures_are_no_works(cudaStream_t stream, cudaStream_t other) {
  cudaEvent_t outside, inside;
  float ms;
  conform_succeed(cudaEventCreate(&outside));
  conform_succeed(cudaEventCreate(&inside));
  conform_succeed(cudaEventRecord(outside, other));
  conform_succeed(cudaEventRecord(inside, other));
  begin(stream);
  conform_succeed(cudaEventRecord(inside, stream));
  conform_succeed(cudaGraphDestroy(end(stream)));
  conform_expect(cudaErrorInvalidValue, cudaEventQuery(inside));
  conform_expect(cudaErrorInvalidValue, cudaEventSynchronize(inside));
  conform_expect(cudaErrorInvalidValue, cudaEventElapsedTime(&ms, outside, inside));
  conform_expect(cudaErrorInvalidValue, cudaStreamWaitEvent(other, inside, 0));
  begin(stream);
  conform_expect(cudaErrorInvalidValue, cudaEventQuery(inside)); /* which does that capture no harm */
  conform_succeed(cudaGraphDestroy(end(stream)));
  begin(stream);
  conform_expect(cudaErrorInvalidValue, cudaStreamWaitEvent(stream, inside, 0));
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  conform_succeed(cudaEventRecord(inside, other));
  conform_succeed(cudaStreamWaitEvent(stream, inside, 0));
  conform_succeed(cudaEventSynchronize(inside));
  conform_succeed(cudaEventQuery(inside));
  conform_succeed(cudaEventElapsedTime(&ms, outside, inside));
  begin(stream);
  conform_succeed(cudaEventRecord(inside, stream));
  conform_expect(cudaErrorCapturedEvent, cudaEventQuery(inside));
  conform_expect(cudaErrorInvalidValue, cudaStreamWaitEvent(other, inside, 0)); /* the capture is invalid */
  conform_true(status_of(other) == cudaStreamCaptureStatusNone);
  expect_end(cudaErrorStreamCaptureInvalidated, stream);
  conform_succeed(cudaEventDestroy(outside));
  conform_succeed(cudaEventDestroy(inside));
}

#ifndef ON_NVIDIA
/* A stream of the device came into a capture that began on another; the device's next streams are others. */
static void resets_invalidate_captures_of_other_devices(void) {
  enum { MANY = 16 };
  int count = 0;
  cudaStream_t near, far, streams[MANY];
  cudaEvent_t event;
  conform_succeed(cudaGetDeviceCount(&count));
  if (count < 2)
    return;
  conform_succeed(cudaStreamCreate(&near));
  conform_succeed(cudaEventCreate(&event));
  conform_succeed(cudaSetDevice(1));
  conform_succeed(cudaStreamCreate(&far));
  conform_succeed(cudaStreamBeginCapture(near, cudaStreamCaptureModeRelaxed));
  conform_succeed(cudaEventRecord(event, near));
  conform_succeed(cudaStreamWaitEvent(far, event, 0));
  conform_succeed(cudaDeviceReset());
  for (int i = 0; i < MANY; i++) {
    conform_succeed(cudaStreamCreate(&streams[i]));
    conform_true(status_of(streams[i]) == cudaStreamCaptureStatusNone);
  }
  for (int i = 0; i < MANY; i++)
    conform_succeed(cudaStreamDestroy(streams[i]));
  conform_succeed(cudaSetDevice(0));
  expect_end(cudaErrorStreamCaptureInvalidated, near);
  conform_succeed(cudaEventDestroy(event));
  conform_succeed(cudaStreamDestroy(near));
}
#endif

int main(void) {
  void *device = NULL, *other_device = NULL, *host = NULL;
  cudaStream_t stream, other, free_stream;
  conform_succeed(cudaMalloc(&device, BYTES));
  conform_succeed(cudaMalloc(&other_device, BYTES));
  conform_succeed(cudaMallocHost(&host, BYTES));
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaStreamCreate(&other));
  conform_succeed(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking));
  nothing_runs_until_it_is_launched(stream, device, host);
  nothing_runs_until_it_is_launched(cudaStreamPerThread, device, host);
  copies_of_all_shapes(stream, device, other_device, host);
  events_bring_other_streams_in_and_back(stream, other, device, host);
  what_is_known_of_a_capture(stream, device);
  a_graph_of_the_programs_is_gone_on_with(free_stream, stream, device);
  a_graph_is_instantiated_while_it_is_captured_into(free_stream, device);
#ifndef ON_NVIDIA
  a_launched_graph_becomes_a_child(stream, device, host);
#endif
  what_waits_invalidates(stream, device);
  the_thread_may_relax(stream);
  legacy_streams_stay_out(stream, free_stream, device);
  ends_that_do_not_fit(stream, other, device);
  another_thread_ends_no_capture(stream);
  events_stay_on_their_side(stream, other);
  events_of_captures_are_no_works(stream, other);
#ifndef ON_NVIDIA /* whose document does not say what becomes of such a capture */
  resets_invalidate_captures_of_other_devices();
#endif
  conform_succeed(cudaStreamDestroy(stream));
  conform_succeed(cudaStreamDestroy(other));
  conform_succeed(cudaStreamDestroy(free_stream));
  conform_succeed(cudaFreeHost(host));
  conform_succeed(cudaFree(device));
  conform_succeed(cudaFree(other_device));
  return conform_done("conform_capture");
}
