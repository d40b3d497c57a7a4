/* SPDX-License-Identifier: MIT */
/*
 * test_graph_condition - conditional nodes where something fails, ends, or is changed.
 *
 * On the fake device, whose kernel adds to a word: here that is the condition's, so a loop runs as often as the word
 * is above 0. A launch whose calls fail leaves a graph that runs again, from what its condition begins with.
 */
#include <pthread.h>

#include "graph/memory.h"
#include "unit/graphs.h"

enum { MOST_FAILURES = 600, LOOPS = 3, THREADS = 4 };

typedef struct loop {
  cudaGraph_t graph;
  cudaGraphNode_t counting;
  cudaGraphExec_t exec;
} loop;

static cudaError_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t *from, void *word, int by,
                              cudaGraphNode_t *node) {
  void *arguments[] = { &word, &by };
  const struct cudaKernelNodeParams launch = { &stub, { 1, 1, 1 }, { 1, 1, 1 }, 0, arguments, NULL };
  return cudaGraphAddKernelNode(node, graph, from, from != NULL, &launch);
}

/* A loop that adds 1 to a word of the device's LOOPS times; it begins as 0, and is read by the host in the end. */
static cudaError_t make_loop(loop *of, int *word, int *into) {
  const struct cudaMemsetParams set = { word, 0, 0, 4, 1, 1 };
  struct cudaGraphNodeParams params;
  cudaGraphConditionalHandle handle = 0;
  cudaGraphNode_t zero, branch, count, copy;
  memset(&params, 0, sizeof params);
  cudaError_t error = cudaGraphCreate(&of->graph, 0);
  if (error == cudaSuccess)
    error = cudaGraphConditionalHandleCreate(&handle, of->graph, LOOPS, cudaGraphCondAssignDefault);
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  if (error == cudaSuccess)
    error = cudaGraphAddMemsetNode(&zero, of->graph, NULL, 0, &set);
  if (error == cudaSuccess)
    error = cudaGraphAddNode(&branch, of->graph, &zero, NULL, 1, &params);
  if (error == cudaSuccess)
    error = add_kernel(params.conditional.phGraph_out[0], NULL, word, 1, &of->counting);
  if (error == cudaSuccess)
    error = add_kernel(params.conditional.phGraph_out[0], &of->counting, (void *)(uintptr_t)handle, -1, &count);
  if (error == cudaSuccess)
    error = cudaGraphAddMemcpyNode1D(&copy, of->graph, &branch, 1, into, word, sizeof *word, cudaMemcpyDeviceToHost);
  return error == cudaSuccess ? cudaGraphInstantiate(&of->exec, of->graph, 0) : error;
}

static void end_loop(loop *of) {
  if (of->exec != NULL)
    succeed(cudaGraphExecDestroy(of->exec));
  if (of->graph != NULL)
    succeed(cudaGraphDestroy(of->graph));
}

static void expect_loop(const loop *of, int rounds) {
  host[0] = -1;
  succeed(cudaGraphLaunch(of->exec, stream));
  succeed(cudaStreamSynchronize(stream));
  ck_assert_int_eq(host[0], rounds);
}

START_TEST(any_call_of_the_driver_may_fail_once) {
  int failed = 0;
  loop of = { .graph = NULL };
  succeed(make_loop(&of, device, host));
  for (int nth = 1; nth <= MOST_FAILURES; nth++) {
    vptr__fake_counts before, after;
    vptr__fake_get_counts(&before);
    vptr__fake_fail_nth(nth, CL_OUT_OF_RESOURCES);
    failed += cudaGraphLaunch(of.exec, stream) != cudaSuccess;
    vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__fake_get_counts(&after);
    cudaDeviceSynchronize();
    cudaGetLastError();
    expect_loop(&of, LOOPS);
    if (after.operations - before.operations < (uint64_t)nth)
      break;
  }
  ck_assert_int_gt(failed, 8);
  end_loop(&of);
}
END_TEST

START_TEST(any_allocation_may_fail_once) {
  int failed = 0, fine = 0;
  for (long nth = 1; nth <= MOST_FAILURES && fine < 3; nth++) {
    loop of = { .graph = NULL };
    vptr__memory_fail_nth(nth);
    cudaError_t error = make_loop(&of, device, host);
    if (error == cudaSuccess)
      error = cudaGraphLaunch(of.exec, stream);
    vptr__memory_fail_nth(0);
    failed += error != cudaSuccess;
    fine = error == cudaSuccess ? fine + 1 : 0;
    cudaDeviceSynchronize();
    cudaGetLastError();
    if (of.exec != NULL)
      expect_loop(&of, LOOPS);
    end_loop(&of);
  }
  ck_assert_int_gt(failed, 20);
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
}
END_TEST

START_TEST(nodes_of_bodies_are_changed) {
  loop of = { .graph = NULL };
  int by = 10;
  void *arguments[] = { &device, &by };
  const struct cudaKernelNodeParams tens = { &stub, { 1, 1, 1 }, { 1, 1, 1 }, 0, arguments, NULL };
  cudaGraphExecUpdateResultInfo info;
  succeed(make_loop(&of, device, host));
  expect_loop(&of, LOOPS);
  succeed(cudaGraphExecKernelNodeSetParams(of.exec, of.counting, &tens));
  expect_loop(&of, LOOPS * 10);
  succeed(cudaGraphExecUpdate(of.exec, of.graph, &info));
  expect_loop(&of, LOOPS);
  succeed(cudaGraphKernelNodeSetParams(of.counting, &tens));
  succeed(cudaGraphExecUpdate(of.exec, of.graph, &info));
  expect_loop(&of, LOOPS * 10);
  end_loop(&of);
}
END_TEST

START_TEST(an_executable_graph_outlives_its_graph) {
  loop of = { .graph = NULL }, changed = { .graph = NULL };
  cudaGraphExecUpdateResultInfo info;
  succeed(make_loop(&of, device, host));
  succeed(make_loop(&changed, device, host));
  ck_assert_int_eq(cudaGraphExecUpdate(of.exec, changed.graph, &info), cudaErrorGraphExecUpdateFailure);
  ck_assert_int_eq(info.result, cudaGraphExecUpdateErrorParametersChanged);
  cudaGraphExec_t again = NULL;
  ck_assert_int_eq(cudaGraphInstantiate(&again, of.graph, 0), cudaErrorNotSupported);
  cudaGetLastError();
  succeed(cudaGraphDestroy(of.graph));
  of.graph = NULL;
  expect_loop(&of, LOOPS);
  end_loop(&of);
  end_loop(&changed);
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
}
END_TEST

START_TEST(a_reset_ends_conditions) {
  loop of = { .graph = NULL };
  succeed(make_loop(&of, device, host));
  expect_loop(&of, LOOPS);
  succeed(cudaDeviceReset());
  succeed(cudaStreamCreate(&stream));
  succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  ck_assert_int_eq(cudaGraphLaunch(of.exec, stream), cudaErrorInvalidValue);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "was reset"));
  cudaGetLastError();
  end_loop(&of);
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
  succeed(cudaMalloc((void **)&device, BYTES));
  succeed(cudaMalloc((void **)&second, BYTES));
  succeed(cudaMallocHost((void **)&host, BYTES));
}
END_TEST

START_TEST(bodies_have_no_functions_of_the_host) {
  loop of = { .graph = NULL };
  struct cudaGraphNodeParams params;
  cudaGraphInstantiateParams report;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t branch, call, inner;
  const struct cudaHostNodeParams function = { count_call, NULL };
  memset(&params, 0, sizeof params);
  memset(&report, 0, sizeof report);
  succeed(cudaGraphCreate(&of.graph, 0));
  succeed(cudaGraphConditionalHandleCreate(&handle, of.graph, 0, 0));
  ck_assert_int_eq(cudaGraphInstantiateWithParams(&of.exec, of.graph, &report), cudaErrorInvalidValue);
  ck_assert_int_eq(report.result_out, cudaGraphInstantiateConditionalHandleUnused);
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.size = 1;
  succeed(cudaGraphAddNode(&branch, of.graph, NULL, NULL, 0, &params));
  cudaGraph_t body = params.conditional.phGraph_out[0];
  ck_assert_int_eq(cudaGraphInstantiateWithParams(&of.exec, body, &report), cudaErrorInvalidValue);
  succeed(cudaGraphAddEmptyNode(&inner, body, NULL, 0));
  succeed(cudaGraphAddHostNode(&call, body, &inner, 1, &function));
  ck_assert_int_eq(cudaGraphInstantiateWithParams(&of.exec, of.graph, &report), cudaErrorNotSupported);
  ck_assert_int_eq(report.result_out, cudaGraphInstantiateNodeOperationNotSupported);
  ck_assert_ptr_eq(report.errNode_out, call);
  cudaGetLastError();
  succeed(cudaGraphDestroyNode(call));
  succeed(cudaGraphInstantiateWithParams(&of.exec, of.graph, &report));
  end_loop(&of);
}
END_TEST

static void *launch_loops(void *context) {
  cudaStream_t own;
  int *word, *into;
  loop of = { .graph = NULL };
  (void)context;
  succeed(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  succeed(cudaMalloc((void **)&word, BYTES));
  succeed(cudaMallocHost((void **)&into, BYTES));
  succeed(make_loop(&of, word, into));
  for (int i = 0; i < ROUNDS; i++) {
    *into = -1;
    succeed(cudaGraphLaunch(of.exec, own));
    succeed(cudaStreamSynchronize(own));
    ck_assert_int_eq(*into, LOOPS);
  }
  end_loop(&of);
  succeed(cudaFree(word));
  succeed(cudaFreeHost(into));
  succeed(cudaStreamDestroy(own));
  return NULL;
}

START_TEST(threads_loop_beside_each_other) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_loops, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("graph_condition");
  TCase *tests = tcase_create("condition");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, any_call_of_the_driver_may_fail_once);
  tcase_add_test(tests, any_allocation_may_fail_once);
  tcase_add_test(tests, nodes_of_bodies_are_changed);
  tcase_add_test(tests, an_executable_graph_outlives_its_graph);
  tcase_add_test(tests, a_reset_ends_conditions);
  tcase_add_test(tests, bodies_have_no_functions_of_the_host);
  tcase_add_test(tests, threads_loop_beside_each_other);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, tests);
  return support_run(suite);
}
