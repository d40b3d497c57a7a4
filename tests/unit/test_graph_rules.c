/* SPDX-License-Identifier: MIT */
/*
 * test_graph_rules - what outlives what: graphs, captures and executable graphs beside resets, modules, user objects;
 * and what may not be while a stream is captured.
 *
 * On the fake device, whose kernels are functions here.
 */
#include <unistd.h>

#include "library/call.h"
#include "stream/stream.h"
#include "unit/graphs.h"

/* What would wait for the stream has nothing to wait for, and says so. */
START_TEST(nothing_waits_for_a_captured_stream) {
  cudaGraph_t graph = NULL;
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  succeed(cudaMemsetAsync(device, 1, BYTES, stream));
  ck_assert_int_eq(vptr__stream_synchronize((vptr__stream *)stream), VPTR_ERROR_UNSUPPORTED);
  ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  ck_assert_ptr_null(graph);
  cudaGetLastError();
  succeed(cudaStreamSynchronize(stream));
}
END_TEST

static cudaError_t copy_batch(enum cudaMemcpySrcAccessOrder order) {
  void *const to[] = { device };
  const void *const from[] = { host };
  const size_t size = BYTES;
  size_t first = 0;
  struct cudaMemcpyAttributes attributes = { .srcAccessOrder = order };
  return cudaMemcpyBatchAsync(to, from, &size, 1, &attributes, &first, 1, stream);
}

static cudaError_t copy_rect_batch(enum cudaMemcpySrcAccessOrder order) {
  struct cudaMemcpy3DBatchOp op = { .extent = { BYTES, 1, 1 }, .srcAccessOrder = order };
  op.dst.type = op.src.type = cudaMemcpyOperandTypePointer;
  op.dst.op.ptr.ptr = device;
  op.src.op.ptr.ptr = host;
  return cudaMemcpy3DBatchAsync(1, &op, 0, stream);
}

static void expect_refused(cudaError_t (*copy)(enum cudaMemcpySrcAccessOrder order)) {
  cudaGraph_t graph = NULL;
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  succeed(copy(cudaMemcpySrcAccessOrderStream));
  ck_assert_int_eq(copy(cudaMemcpySrcAccessOrderDuringApiCall), cudaErrorStreamCaptureUnsupported);
  ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
}

START_TEST(sources_are_not_read_while_a_stream_is_captured) {
  expect_refused(copy_batch);
  expect_refused(copy_rect_batch);
}
END_TEST

/* What cuRAND and its kin ask for first. */
START_TEST(libraries_are_not_captured) {
  cudaGraph_t graph = NULL;
  vptr_mapper *mapper = vptr__stream_mapper((vptr__stream *)stream);
  vptr__stream *found = NULL;
  ck_assert_int_eq(vptr__library_stream("curandGenerate", "the stream", "handle", mapper, stream, &found),
                   VPTR_SUCCESS);
  ck_assert_ptr_eq(found, stream);
  found = NULL;
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  ck_assert_int_eq(vptr__library_stream("curandGenerate", "the stream", "handle", mapper, other, &found),
                   VPTR_SUCCESS);
  found = NULL;
  ck_assert_int_eq(vptr__library_stream("curandGenerate", "the stream", "handle", mapper, stream, &found),
                   VPTR_ERROR_UNSUPPORTED);
  ck_assert_ptr_null(found);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "curandGenerate: the stream is captured"));
  ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
}
END_TEST

/* A prefetch is an empty node; what is gone when it is launched is an error. */
START_TEST(prefetches_are_captured_and_discards_are_not) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  void *managed = NULL;
  size_t size = BYTES, first = 0, count = 0;
  struct cudaMemLocation to = { .type = cudaMemLocationTypeHost };
  succeed(cudaMallocManaged(&managed, BYTES, cudaMemAttachGlobal));
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  succeed(cudaMemPrefetchBatchAsync(&managed, &size, 1, &to, &first, 1, 0, stream));
  succeed(cudaMemPrefetchAsync(managed, BYTES, to, 0, stream));
  succeed(cudaStreamEndCapture(stream, &graph));
  succeed(cudaGraphGetNodes(graph, NULL, &count));
  ck_assert_uint_eq(count, 2);
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  succeed(cudaGraphDestroy(graph));
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaStreamEndCapture(stream, &graph));
  succeed(cudaGraphDestroy(graph));
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  ck_assert_int_eq(cudaMemDiscardBatchAsync(&managed, &size, 1, 0, stream), cudaErrorStreamCaptureUnsupported);
  ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  succeed(cudaFree(managed));
  ck_assert_int_ne(cudaGraphLaunch(exec, stream), cudaSuccess);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "node 0 (empty)"));
  cudaGetLastError();
  succeed(cudaGraphExecDestroy(exec));
}
END_TEST

/* The program's new streams and events may lie where the graph's own were. */
START_TEST(a_reset_takes_no_new_streams_and_events) {
  enum { MANY = 32 };
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStream_t streams[MANY];
  cudaEvent_t events[MANY];
  succeed(cudaGraphCreate(&graph, 0));
  succeed(build(graph));
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  launch_and_expect(exec, stream);
  succeed(cudaDeviceReset());
  for (int i = 0; i < MANY; i++) {
    succeed(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    succeed(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming));
  }
  succeed(cudaGraphExecDestroy(exec));
  for (int i = 0; i < MANY; i++) {
    succeed(cudaStreamDestroy(streams[i]));
    succeed(cudaEventDestroy(events[i]));
  }
  succeed(cudaGraphDestroy(graph));
  succeed(cudaStreamCreate(&stream));
  succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  succeed(cudaMalloc((void **)&device, BYTES));
  succeed(cudaMalloc((void **)&second, BYTES));
  succeed(cudaMallocHost((void **)&host, BYTES));
}
END_TEST

/* A graph with a child that holds an object, which goes with the last that holds it. */
static cudaGraph_t make_holding(void) {
  cudaGraph_t graph, child;
  cudaGraphNode_t node;
  cudaUserObject_t object;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(cudaGraphCreate(&child, 0));
  succeed(cudaGraphAddEmptyNode(&node, child, NULL, 0));
  succeed(cudaUserObjectCreate(&object, NULL, count_call, 1, cudaUserObjectNoDestructorSync));
  succeed(cudaGraphRetainUserObject(child, object, 1, cudaGraphUserObjectMove));
  succeed(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
  succeed(cudaGraphDestroy(child));
  return graph;
}

START_TEST(an_update_takes_over_user_objects) {
  cudaGraph_t before = make_holding(), after = make_holding();
  cudaGraphExec_t exec;
  cudaGraphExecUpdateResultInfo info;
  atomic_store(&calls, 0);
  succeed(cudaGraphInstantiate(&exec, before, 0));
  succeed(cudaGraphDestroy(before));
  succeed(cudaGraphLaunch(exec, stream));
  ck_assert_int_eq(atomic_load(&calls), 0);
  succeed(cudaGraphExecUpdate(exec, after, &info));
  ck_assert_int_eq(atomic_load(&calls), 1);
  succeed(cudaGraphDestroy(after));
  ck_assert_int_eq(atomic_load(&calls), 1);
  succeed(cudaGraphExecDestroy(exec));
  ck_assert_int_eq(atomic_load(&calls), 2);
}
END_TEST

START_TEST(a_captured_launch_holds_user_objects) {
  cudaGraph_t inner = make_holding(), outer = NULL;
  cudaGraphExec_t exec;
  atomic_store(&calls, 0);
  succeed(cudaGraphInstantiate(&exec, inner, 0));
  succeed(cudaGraphDestroy(inner));
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaStreamEndCapture(stream, &outer));
  succeed(cudaGraphExecDestroy(exec));
  ck_assert_int_eq(atomic_load(&calls), 0);
  succeed(cudaGraphDestroy(outer));
  ck_assert_int_eq(atomic_load(&calls), 1);
}
END_TEST

START_TEST(kernels_go_with_their_modules) {
  cudaGraph_t graph, clone;
  cudaGraphExec_t exec, late;
  vptr__function *function = vptr__function_of(&stub);
  succeed(cudaGraphCreate(&graph, 0));
  succeed(build(graph));
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  vptr__function_unbind(&stub);
  ck_assert_int_eq(cudaGraphLaunch(exec, stream), cudaErrorInvalidDeviceFunction);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "node 1 (kernel add)"));
  ck_assert_int_ne(cudaGraphClone(&clone, graph), cudaSuccess);
  ck_assert_int_ne(cudaGraphInstantiate(&late, graph, 0), cudaSuccess);
  cudaGetLastError();
  support_succeed(vptr__function_bind(&stub, function));
  launch_and_expect(exec, stream);
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
}
END_TEST

static atomic_bool may_end;

static void CUDART_CB await_end(void *context) {
  (void)context;
  while (!atomic_load(&may_end))
    usleep(100);
}

/* What was sent of the first launch is behind the function, and so is a launch on another stream. */
START_TEST(a_launch_waits_for_what_a_failed_one_sent) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  vptr__function *function = vptr__function_of(&stub);
  succeed(cudaGraphCreate(&graph, 0));
  succeed(build(graph));
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  launch_and_expect(exec, stream);
  atomic_store(&may_end, false);
  succeed(cudaLaunchHostFunc(stream, await_end, NULL));
  vptr__function_unbind(&stub);
  ck_assert_int_ne(cudaGraphLaunch(exec, stream), cudaSuccess);
  cudaGetLastError();
  support_succeed(vptr__function_bind(&stub, function));
  succeed(cudaGraphLaunch(exec, other));
  for (int i = 0; i < ROUNDS; i++, usleep(1000))
    ck_assert_int_eq(cudaStreamQuery(other), cudaErrorNotReady);
  atomic_store(&may_end, true);
  succeed(cudaStreamSynchronize(other));
  expect_done();
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
}
END_TEST

START_TEST(the_legacy_stream_can_be_asked) {
  enum cudaStreamCaptureStatus status;
  cudaGraph_t graph = NULL;
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  ck_assert_int_eq(cudaStreamIsCapturing(NULL, &status), cudaErrorStreamCaptureImplicit);
  cudaGetLastError();
  succeed(cudaStreamIsCapturing(stream, &status));
  ck_assert_int_eq(status, cudaStreamCaptureStatusActive);
  succeed(cudaStreamEndCapture(stream, &graph));
  succeed(cudaGraphDestroy(graph));
}
END_TEST

START_TEST(a_captured_child_graph_stays) {
  cudaGraph_t graph, child, ended = NULL;
  cudaGraphNode_t node;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(cudaGraphCreate(&child, 0));
  succeed(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
  succeed(cudaGraphDestroy(child));
  succeed(cudaGraphChildGraphNodeGetGraph(node, &child));
  succeed(cudaStreamBeginCaptureToGraph(stream, child, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
  ck_assert_int_eq(cudaGraphDestroy(graph), cudaErrorIllegalState);
  ck_assert_int_eq(cudaGraphDestroyNode(node), cudaErrorIllegalState);
  cudaGetLastError();
  succeed(cudaMemsetAsync(device, 1, BYTES, stream));
  succeed(cudaStreamEndCapture(stream, &ended));
  ck_assert_ptr_eq(ended, child);
  succeed(cudaGraphDestroy(graph));
}
END_TEST

typedef struct handles {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaError_t errors[3];
} handles;

static void CUDART_CB end_handles(void *context) {
  handles *it = context;
  it->errors[0] = cudaGraphLaunch(it->exec, cudaStreamPerThread);
  it->errors[1] = cudaGraphExecDestroy(it->exec);
  it->errors[2] = cudaGraphDestroy(it->graph);
}

START_TEST(host_functions_call_nothing_about_graphs) {
  handles it;
  succeed(cudaGraphCreate(&it.graph, 0));
  succeed(cudaGraphInstantiate(&it.exec, it.graph, 0));
  succeed(cudaLaunchHostFunc(stream, end_handles, &it));
  succeed(cudaStreamSynchronize(stream));
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(it.errors[i], cudaErrorNotPermitted);
  succeed(cudaGraphExecDestroy(it.exec));
  succeed(cudaGraphDestroy(it.graph));
}
END_TEST

START_TEST(a_threads_own_stream_stays_captured) {
  cudaGraph_t graph = NULL;
  succeed(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed));
  ck_assert_int_ne(cudaStreamDestroy(cudaStreamPerThread), cudaSuccess);
  cudaGetLastError();
  succeed(cudaMemsetAsync(device, 1, BYTES, cudaStreamPerThread));
  succeed(cudaStreamEndCapture(cudaStreamPerThread, &graph));
  succeed(cudaGraphDestroy(graph));
}
END_TEST

START_TEST(a_captured_kernel_has_its_streams_priority) {
  cudaStream_t urgent;
  cudaGraph_t graph = NULL;
  cudaGraphNode_t node;
  cudaLaunchAttributeValue value = { .priority = 0 };
  size_t count = 1;
  int least, greatest, by = 1;
  void *arguments[] = { &device, &by };
  const dim3 one = { 1, 1, 1 };
  succeed(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  succeed(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
  succeed(cudaStreamBeginCapture(urgent, cudaStreamCaptureModeRelaxed));
  succeed(cudaLaunchKernel(&stub, one, one, arguments, 0, urgent));
  succeed(cudaStreamEndCapture(urgent, &graph));
  succeed(cudaGraphGetNodes(graph, &node, &count));
  succeed(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value));
  ck_assert_int_ne(greatest, least);
  ck_assert_int_eq(value.priority, greatest);
  succeed(cudaGraphDestroy(graph));
  succeed(cudaStreamDestroy(urgent));
}
END_TEST

/* A capture of a launch that no device has is invalid. */
START_TEST(a_captured_launch_is_checked) {
  int by = 1;
  void *arguments[] = { &device, &by };
  const dim3 one = { 1, 1, 1 }, grids[] = { { 1, 0, 1 }, one }, blocks[] = { one, { 1 << 20, 1, 1 } };
  for (int i = 0; i < 2; i++) {
    cudaGraph_t graph = NULL;
    succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    ck_assert_int_eq(cudaLaunchKernel(&stub, grids[i], blocks[i], arguments, 0, stream), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    ck_assert_ptr_null(graph);
    cudaGetLastError();
  }
}
END_TEST

/* Those that change nothing; they stay with the node, go with copies of it, and to others. */
START_TEST(attributes_of_kernels_are_kept) {
  cudaGraph_t graph, clone;
  cudaGraphNode_t node, sibling, copy;
  cudaLaunchAttributeValue value;
  int by = 1;
  void *arguments[] = { &device, &by };
  const struct cudaKernelNodeParams kernel = { &stub, { 1, 1, 1 }, { 1, 1, 1 }, 0, arguments, NULL };
  succeed(cudaGraphCreate(&graph, 0));
  succeed(cudaGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
  succeed(cudaGraphAddKernelNode(&sibling, graph, NULL, 0, &kernel));
  succeed(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeMemSyncDomainMap, &value));
  ck_assert(value.memSyncDomainMap.default_ == 0 && value.memSyncDomainMap.remote == 1);
  memset(&value, 0, sizeof value);
  value.accessPolicyWindow.base_ptr = device;
  value.accessPolicyWindow.num_bytes = BYTES;
  succeed(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeAccessPolicyWindow, &value));
  value.sharedMemCarveout = 40;
  succeed(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePreferredSharedMemoryCarveout, &value));
  succeed(cudaGraphKernelNodeSetParams(node, &kernel));
  succeed(cudaGraphKernelNodeCopyAttributes(sibling, node));
  succeed(cudaGraphDestroyNode(node));
  succeed(cudaGraphClone(&clone, graph));
  succeed(cudaGraphNodeFindInClone(&copy, sibling, clone));
  succeed(cudaGraphDestroy(graph));
  memset(&value, 0, sizeof value);
  succeed(cudaGraphKernelNodeGetAttribute(copy, cudaLaunchAttributeAccessPolicyWindow, &value));
  ck_assert(value.accessPolicyWindow.base_ptr == device && value.accessPolicyWindow.num_bytes == BYTES);
  succeed(cudaGraphKernelNodeGetAttribute(copy, cudaLaunchAttributePreferredSharedMemoryCarveout, &value));
  ck_assert_uint_eq(value.sharedMemCarveout, 40);
  succeed(cudaGraphKernelNodeGetAttribute(copy, cudaLaunchAttributeClusterDimension, &value));
  ck_assert_uint_eq(value.clusterDim.x, 0);
  ck_assert_int_eq(cudaGraphKernelNodeGetAttribute(copy, (cudaLaunchAttributeID)17, &value), cudaErrorInvalidValue);
  ck_assert_int_eq(cudaGraphKernelNodeSetAttribute(copy, cudaLaunchAttributeProgrammaticEvent, &value),
                   cudaErrorInvalidResourceHandle); /* of no event */
  cudaGetLastError();
  succeed(cudaGraphDestroy(clone));
}
END_TEST

START_TEST(attributes_of_kernels_may_have_no_memory) {
  cudaGraph_t graph, clone;
  cudaGraphNode_t node, sibling;
  cudaLaunchAttributeValue value;
  int by = 1;
  void *arguments[] = { &device, &by };
  const struct cudaKernelNodeParams kernel = { &stub, { 1, 1, 1 }, { 1, 1, 1 }, 0, arguments, NULL };
  memset(&value, 0, sizeof value);
  value.sharedMemCarveout = 40;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(cudaGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
  succeed(cudaGraphAddKernelNode(&sibling, graph, NULL, 0, &kernel));
  vptr__memory_fail_nth(1);
  ck_assert_int_eq(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePreferredSharedMemoryCarveout, &value),
                   cudaErrorMemoryAllocation);
  succeed(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePreferredSharedMemoryCarveout, &value));
  vptr__memory_fail_nth(1);
  ck_assert_int_eq(cudaGraphKernelNodeCopyAttributes(sibling, node), cudaErrorMemoryAllocation);
  for (long nth = 1; nth < 40; nth++) { /* a copy of the graph has all or is none */
    clone = NULL;
    vptr__memory_fail_nth(nth);
    if (cudaGraphClone(&clone, graph) == cudaSuccess)
      succeed(cudaGraphDestroy(clone));
    else
      ck_assert_ptr_null(clone);
    vptr__memory_fail_nth(0);
  }
  cudaGetLastError();
  succeed(cudaGraphDestroy(graph));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("graph_rules");
  TCase *rules = tcase_create("rules");
  tcase_add_checked_fixture(rules, set_up, tear_down);
  tcase_add_test(rules, nothing_waits_for_a_captured_stream);
  tcase_add_test(rules, sources_are_not_read_while_a_stream_is_captured);
  tcase_add_test(rules, libraries_are_not_captured);
  tcase_add_test(rules, prefetches_are_captured_and_discards_are_not);
  tcase_add_test(rules, a_reset_takes_no_new_streams_and_events);
  tcase_add_test(rules, an_update_takes_over_user_objects);
  tcase_add_test(rules, a_captured_launch_holds_user_objects);
  tcase_add_test(rules, kernels_go_with_their_modules);
  tcase_add_test(rules, a_launch_waits_for_what_a_failed_one_sent);
  tcase_add_test(rules, the_legacy_stream_can_be_asked);
  tcase_add_test(rules, a_captured_child_graph_stays);
  tcase_add_test(rules, host_functions_call_nothing_about_graphs);
  tcase_add_test(rules, a_threads_own_stream_stays_captured);
  tcase_add_test(rules, a_captured_kernel_has_its_streams_priority);
  tcase_add_test(rules, a_captured_launch_is_checked);
  tcase_add_test(rules, attributes_of_kernels_are_kept);
  tcase_add_test(rules, attributes_of_kernels_may_have_no_memory);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, rules);
  return support_run(suite);
}
