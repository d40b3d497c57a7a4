/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_12 - a program for CUDA 12's driver interface: the calls whose arguments CUDA 13 changed.
 *
 * NVIDIA's header has one version, so there this is for the toolkit 12.8.
 */
#define CUDA_VERSION 12080
#include "conform_driver.h"

#include <string.h>

enum { PAGE = 4096 };

static void contexts_have_no_parameters(void) {
  CUcontext context = NULL, current = NULL;
  unsigned flags = 0;
  driver_succeed(cuCtxCreate(&context, CU_CTX_SCHED_YIELD, 0));
  driver_succeed(cuCtxGetCurrent(&current));
  driver_true(context != NULL && context == current);
  driver_succeed(cuCtxGetFlags(&flags));
  driver_true((flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_YIELD);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(NULL, 0, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(&current, 0x1000, 0));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&current, 0, 99));
  driver_succeed(cuCtxDestroy(context));
}

static void managed_memory_is_sent_to_ordinals(void) {
  CUcontext primary = NULL;
  CUdeviceptr ptr = 0;
  CUmemLocation host = { CU_MEM_LOCATION_TYPE_HOST, 0 };
  driver_succeed(cuDevicePrimaryCtxRetain(&primary, 0));
  driver_succeed(cuCtxSetCurrent(primary));
  driver_succeed(cuMemAllocManaged(&ptr, PAGE, CU_MEM_ATTACH_GLOBAL));
  driver_succeed(cuMemAdvise(ptr, PAGE, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
  driver_succeed(cuMemAdvise_v2(ptr, PAGE, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
  driver_succeed(cuMemPrefetchAsync(ptr, PAGE, 0, NULL));
  driver_succeed(cuMemPrefetchAsync_v2(ptr, PAGE, host, 0, NULL));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync(ptr, PAGE, 99, NULL));
  driver_succeed(cuMemFree(ptr));
  driver_succeed(cuDevicePrimaryCtxRelease(0));
}

static void edges_have_no_data(void) {
  CUgraph graph = NULL;
  CUgraphNode a = NULL, b = NULL, from = NULL, to = NULL;
  CUgraphNodeParams params;
  size_t count = 1;
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_EMPTY;
  driver_succeed(cuGraphCreate(&graph, 0));
  driver_succeed(cuGraphAddNode(&a, graph, NULL, 0, &params));
  driver_succeed(cuGraphAddNode(&b, graph, NULL, 0, &params));
  driver_succeed(cuGraphAddDependencies(graph, &a, &b, 1));
  driver_succeed(cuGraphGetEdges(graph, &from, &to, &count));
  driver_true(count == 1 && from == a && to == b);
  driver_succeed(cuGraphNodeGetDependencies(b, &from, &count));
  driver_true(count == 1 && from == a);
  driver_succeed(cuGraphNodeGetDependentNodes(a, &to, &count));
  driver_true(count == 1 && to == b);
  driver_succeed(cuGraphRemoveDependencies(graph, &a, &b, 1));
  driver_succeed(cuGraphGetEdges(graph, NULL, NULL, &count));
  driver_true(count == 0);
  driver_succeed(cuGraphDestroy(graph));
}

static void captures_tell_no_edge_data(void) {
  CUcontext primary = NULL;
  CUstream stream = NULL;
  CUgraph graph = NULL, told = NULL;
  const CUgraphNode *tips = NULL;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  size_t count = 99;
  driver_succeed(cuDevicePrimaryCtxRetain(&primary, 0));
  driver_succeed(cuCtxSetCurrent(primary));
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  driver_succeed(cuStreamUpdateCaptureDependencies(stream, NULL, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  driver_succeed(cuStreamGetCaptureInfo(stream, &status, &id, &told, &tips, &count));
  driver_true(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0 && told != NULL && count == 0);
  driver_succeed(cuStreamEndCapture(stream, &graph));
  driver_true(graph == told);
  driver_succeed(cuGraphDestroy(graph));
  driver_succeed(cuStreamDestroy(stream));
  driver_succeed(cuDevicePrimaryCtxRelease(0));
}

int main(void) {
  driver_succeed(cuInit(0));
  contexts_have_no_parameters();
  managed_memory_is_sent_to_ordinals();
  edges_have_no_data();
  captures_tell_no_edge_data();
  return driver_done("conform_driver_12");
}
