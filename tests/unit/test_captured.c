/* SPDX-License-Identifier: MIT */
/*
 * test_captured - what libraries send to a captured stream: their kernels, memory of a call's own, and calls that are
 * made when the graph is launched; each allocation and each call of the driver failed once.
 *
 * On the fake device. A "library" here adds to a word by the kernel of graphs.h.
 */
#include "library/captured.h"

#include "graph/capture.h"
#include "unit/graphs.h"

enum { MOST_FAILURES = 300 };

typedef struct adding {
  int *to;
  int by;
} adding;

static atomic_int made;

static vptr__launch launch_of(const char *what, void *const *arguments) {
  return (vptr__launch){ .what = what, .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
}

static vptr_status send_adding(const void *context, const char *what, vptr__stream *on) {
  adding it = *(const adding *)context;
  void *arguments[] = { &it.to, &it.by };
  vptr__launch launch = launch_of(what, arguments);
  atomic_fetch_add(&made, 1);
  return vptr__function_launch(vptr__module_function(module, "add"), on, &launch);
}

/* As a library's call: a kernel, one into memory of its own, and a call that is made later, by the same amount. */
static vptr_status capture_adding(int by) {
  vptr__stream *on = (vptr__stream *)stream;
  vptr__function *function = vptr__module_function(module, "add");
  adding it = { device, by };
  void *arguments[] = { &it.to, &it.by }, *room = NULL;
  vptr__launch launch = launch_of("add", arguments);
  vptr_status status = vptr__library_capture_launch(function, on, &launch);
  if (status == VPTR_SUCCESS)
    status = vptr__library_capture_alloc("add", BYTES, NULL, on, &room);
  if (status != VPTR_SUCCESS)
    return status;
  it.to = room;
  launch = launch_of("add", arguments);
  status = vptr__library_capture_launch(function, on, &launch);
  vptr_status freed = vptr__library_capture_free("add", room, on);
  it.to = device;
  const vptr__graph_call call = { "add", send_adding, &it, sizeof it };
  if (status == VPTR_SUCCESS && freed == VPTR_SUCCESS)
    status = vptr__library_capture_call(&call, on);
  it.by = 1000; /* the node has its own */
  return status != VPTR_SUCCESS ? status : freed;
}

static cudaError_t capture(cudaGraph_t *graph, vptr_status *status_out) {
  cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  if (error != cudaSuccess)
    return error;
  *status_out = capture_adding(5);
  return cudaStreamEndCapture(stream, graph);
}

static void expect_sum(cudaGraphExec_t exec, int sum) {
  int value = -1;
  succeed(cudaMemset(device, 0, BYTES));
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaStreamSynchronize(stream));
  succeed(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(value, sum);
}

START_TEST(calls_are_made_at_each_launch) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  vptr_status status = VPTR_ERROR_CORRUPT;
  atomic_store(&made, 0);
  succeed(capture(&graph, &status));
  ck_assert_int_eq(status, VPTR_SUCCESS);
  ck_assert_int_eq(atomic_load(&made), 0);
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  succeed(cudaGraphDestroy(graph));
  for (int i = 1; i <= 3; i++) {
    expect_sum(exec, 10);
    ck_assert_int_eq(atomic_load(&made), i);
  }
  succeed(cudaGraphExecDestroy(exec));
}
END_TEST

/* A copy of the graph has a copy of what the call was given, and so has a graph that is another one's child. */
START_TEST(calls_are_copied_with_their_graph) {
  cudaGraph_t graph = NULL, clone = NULL, parent = NULL;
  cudaGraphNode_t node;
  cudaGraphExec_t exec = NULL;
  adding it = { device, 7 };
  const vptr__graph_call call = { "add", send_adding, &it, sizeof it };
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  support_succeed(vptr__library_capture_call(&call, (vptr__stream *)stream));
  succeed(cudaStreamEndCapture(stream, &graph));
  succeed(cudaGraphClone(&clone, graph));
  succeed(cudaGraphCreate(&parent, 0));
  succeed(cudaGraphAddChildGraphNode(&node, parent, NULL, 0, graph));
  succeed(cudaGraphDestroy(graph));
  succeed(cudaGraphInstantiate(&exec, clone, 0));
  expect_sum(exec, 7);
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphInstantiate(&exec, parent, 0));
  expect_sum(exec, 7);
  succeed(cudaGraphDestroy(clone));
  succeed(cudaGraphDestroy(parent));
  succeed(cudaGraphExecDestroy(exec));
}
END_TEST

START_TEST(what_a_graph_cannot_do_ends_the_capture) {
  cudaGraph_t graph = NULL;
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  ck_assert_int_eq(vptr__library_capture_refuse("cublasSdot", (vptr__stream *)stream), VPTR_ERROR_UNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "cublasSdot: the stream is captured"));
  ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
}
END_TEST

/* The capture has ended in between, as by another thread. */
START_TEST(nothing_is_sent_where_nothing_is_captured) {
  ck_assert_int_eq(capture_adding(1), VPTR_ERROR_UNSUPPORTED);
  void *room = &room;
  ck_assert_int_eq(vptr__library_capture_alloc("add", BYTES, NULL, (vptr__stream *)stream, &room),
                   VPTR_ERROR_UNSUPPORTED);
}
END_TEST

/* What was captured is whole, or the capture gives no graph, or the call has said so. */
START_TEST(any_allocation_may_fail_once) {
  int failed = 0, whole = 0;
  for (long nth = 1; nth <= MOST_FAILURES && whole < 3; nth++) {
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    vptr_status status = VPTR_ERROR_CORRUPT;
    vptr__memory_fail_nth(nth);
    cudaError_t error = capture(&graph, &status);
    if (error == cudaSuccess && status == VPTR_SUCCESS)
      error = cudaGraphInstantiate(&exec, graph, 0);
    if (exec != NULL)
      error = cudaGraphLaunch(exec, stream);
    vptr__memory_fail_nth(0);
    const bool is_whole = error == cudaSuccess && status == VPTR_SUCCESS;
    whole = is_whole ? whole + 1 : 0;
    failed += !is_whole;
    cudaStreamSynchronize(stream);
    cudaGetLastError();
    if (exec != NULL) {
      expect_sum(exec, 10);
      succeed(cudaGraphExecDestroy(exec));
    }
    if (graph != NULL)
      succeed(cudaGraphDestroy(graph));
  }
  ck_assert_int_gt(failed, 10);
}
END_TEST

START_TEST(any_call_of_the_driver_may_fail_once) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  vptr_status status = VPTR_ERROR_CORRUPT;
  int failed = 0;
  succeed(capture(&graph, &status));
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  for (int nth = 1; nth <= MOST_FAILURES; nth++) {
    vptr__fake_counts before, after;
    vptr__fake_get_counts(&before);
    vptr__fake_fail_nth(nth, CL_OUT_OF_RESOURCES);
    failed += cudaGraphLaunch(exec, stream) != cudaSuccess;
    vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__fake_get_counts(&after);
    cudaStreamSynchronize(stream);
    cudaDeviceSynchronize();
    cudaGetLastError();
    expect_sum(exec, 10);
    if (after.operations - before.operations < (uint64_t)nth)
      break;
  }
  ck_assert_int_gt(failed, 2);
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("captured");
  TCase *captured = tcase_create("captured");
  tcase_add_checked_fixture(captured, set_up, tear_down);
  tcase_add_test(captured, calls_are_made_at_each_launch);
  tcase_add_test(captured, calls_are_copied_with_their_graph);
  tcase_add_test(captured, what_a_graph_cannot_do_ends_the_capture);
  tcase_add_test(captured, nothing_is_sent_where_nothing_is_captured);
  tcase_add_test(captured, any_allocation_may_fail_once);
  tcase_add_test(captured, any_call_of_the_driver_may_fail_once);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, captured);
  return support_run(suite);
}
