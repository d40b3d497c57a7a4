/* SPDX-License-Identifier: MIT */
/* conform_graph_condition - conditional nodes without kernels: what a condition begins with, bodies, what is refused.
 * Kernels set conditions in tests/kernels/conditions.cu. */
#include "conform.h"

#include <string.h>

enum { BYTES = 4096, MOST = 4 };

static cudaGraph_t make_graph(void) {
  cudaGraph_t graph = NULL;
  conform_succeed(cudaGraphCreate(&graph, 0));
  return graph;
}

static cudaGraphConditionalHandle make_handle(cudaGraph_t graph, unsigned value) {
  cudaGraphConditionalHandle handle = 0;
  conform_succeed(cudaGraphConditionalHandleCreate(&handle, graph, value, cudaGraphCondAssignDefault));
  return handle;
}

static struct cudaGraphNodeParams describe(cudaGraphConditionalHandle handle, enum cudaGraphConditionalNodeType type,
                                           unsigned size) {
  struct cudaGraphNodeParams params;
  memset(&params, 0, sizeof params);
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  return params;
}

static cudaGraph_t *add_branch(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                               enum cudaGraphConditionalNodeType type, unsigned size) {
  struct cudaGraphNodeParams params = describe(handle, type, size);
  cudaGraphNode_t node = NULL;
  conform_succeed(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params));
  conform_true(node != NULL && params.conditional.phGraph_out != NULL);
  return params.conditional.phGraph_out;
}

static void add_set(cudaGraph_t graph, void *ptr, unsigned value) {
  struct cudaMemsetParams params;
  cudaGraphNode_t node = NULL;
  memset(&params, 0, sizeof params);
  params.dst = ptr;
  params.value = value;
  params.elementSize = 1;
  params.width = BYTES;
  params.height = 1;
  conform_succeed(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &params));
}

/* What the device has after a launch; before it all bytes are 0xff. */
static int launch(cudaGraphExec_t exec, cudaStream_t stream, void *device) {
  unsigned char byte = 0;
  conform_succeed(cudaMemset(device, 0xff, BYTES));
  conform_succeed(cudaDeviceSynchronize());
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaMemcpy(&byte, device, 1, cudaMemcpyDeviceToHost));
  return byte;
}

/* Bodies set 10, 11 ... */
static void a_body_is_chosen(cudaStream_t stream, void *device, enum cudaGraphConditionalNodeType type, unsigned size,
                             unsigned value, int wanted) {
  cudaGraph_t graph = make_graph();
  cudaGraphExec_t exec = NULL;
  cudaGraph_t *bodies = add_branch(graph, make_handle(graph, value), type, size);
  for (unsigned i = 0; i < size; i++)
    add_set(bodies[i], device, 10 + i);
  conform_succeed(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; i++)
    conform_true(launch(exec, stream, device) == wanted);
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
}

static void one_in_another(cudaStream_t stream, void *device) {
  cudaGraph_t graph = make_graph(), child = make_graph();
  cudaGraphExec_t exec = NULL;
  cudaGraphNode_t node = NULL;
  cudaGraphConditionalHandle outer = make_handle(graph, 7), inner = make_handle(graph, 1);
  cudaGraph_t body = add_branch(graph, outer, cudaGraphCondTypeIf, 1)[0];
  cudaGraph_t *bodies = add_branch(body, inner, cudaGraphCondTypeSwitch, 2);
  add_set(child, device, 42);
  conform_succeed(cudaGraphAddChildGraphNode(&node, bodies[1], NULL, 0, child));
  conform_succeed(cudaGraphInstantiate(&exec, graph, 0));
  conform_true(launch(exec, stream, device) == 42);
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(child));
  conform_succeed(cudaGraphDestroy(graph));
}

static void bodies_are_captured(cudaStream_t stream, void *device) {
  cudaGraph_t graph = make_graph(), ended = NULL;
  cudaGraphExec_t exec = NULL;
  cudaGraph_t body = add_branch(graph, make_handle(graph, 1), cudaGraphCondTypeIf, 1)[0];
  conform_succeed(cudaStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
  conform_succeed(cudaMemsetAsync(device, 33, BYTES, stream));
  conform_succeed(cudaStreamEndCapture(stream, &ended));
  conform_true(ended == body);
  conform_succeed(cudaGraphInstantiate(&exec, graph, 0));
  conform_true(launch(exec, stream, device) == 33);
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
}

static void CUDART_CB do_nothing(void *context) {
  (void)context;
}

static void what_is_refused(void) {
  cudaGraph_t graph = make_graph(), other = make_graph(), clone = NULL;
  cudaGraphExec_t exec = NULL;
  cudaGraphNode_t node = NULL;
  cudaGraphConditionalHandle handle = make_handle(graph, 0), none = 0;
  const struct cudaHostNodeParams host = { do_nothing, NULL };
  conform_expect(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(NULL, graph, 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&none, graph, 0, 99));
  conform_true(cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess && exec == NULL); /* the handle is not used */
  cudaGetLastError();
  struct cudaGraphNodeParams params = describe(handle, cudaGraphCondTypeWhile, 2);
  conform_expect(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params));
  params = describe(handle, cudaGraphCondTypeIf, 0);
  conform_expect(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params));
  params = describe(handle, cudaGraphCondTypeIf, 1);
  conform_expect(cudaErrorInvalidValue, cudaGraphAddNode(&node, other, NULL, NULL, 0, &params));
  cudaGraph_t body = add_branch(graph, handle, cudaGraphCondTypeIf, 1)[0];
  params = describe(handle, cudaGraphCondTypeIf, 1);
  conform_expect(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params));
  conform_true(cudaGraphClone(&clone, graph) != cudaSuccess && clone == NULL);
  conform_true(cudaGraphDestroy(body) != cudaSuccess);
  cudaError_t added = cudaGraphAddHostNode(&node, body, NULL, 0, &host);
  conform_true(added != cudaSuccess || cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess);
  printf("observed: a host function in a body is %s when it is added\n", cudaGetErrorName(added));
  cudaGetLastError();
  conform_succeed(cudaGraphDestroy(graph));
  conform_succeed(cudaGraphDestroy(other));
}

int main(void) {
  cudaStream_t stream = NULL;
  void *device = NULL;
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaMalloc(&device, BYTES));
  a_body_is_chosen(stream, device, cudaGraphCondTypeIf, 1, 1, 10);
  a_body_is_chosen(stream, device, cudaGraphCondTypeIf, 1, 0, 0xff);
  a_body_is_chosen(stream, device, cudaGraphCondTypeIf, 2, 5, 10);
  a_body_is_chosen(stream, device, cudaGraphCondTypeIf, 2, 0, 11);
  a_body_is_chosen(stream, device, cudaGraphCondTypeWhile, 1, 0, 0xff);
  a_body_is_chosen(stream, device, cudaGraphCondTypeSwitch, MOST, 2, 12);
  a_body_is_chosen(stream, device, cudaGraphCondTypeSwitch, MOST, MOST, 0xff);
  one_in_another(stream, device);
  bodies_are_captured(stream, device);
  what_is_refused();
  conform_succeed(cudaFree(device));
  conform_succeed(cudaStreamDestroy(stream));
  return conform_done("conform_graph_condition");
}
