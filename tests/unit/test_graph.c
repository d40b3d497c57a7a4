/* SPDX-License-Identifier: MIT */
/*
 * test_graph - graphs where the driver, or the host's memory, fails; threads that use one executable graph.
 *
 * On the fake device, whose kernels are functions here. Whatever fails while a graph is launched, the next launch does
 * all of it; and what fails while one is put together leaves it as it was.
 */
#include <pthread.h>
#include <unistd.h>

#include "graph/capture.h"
#include "unit/graphs.h"

enum { MOST_FAILURES = 400, MOST_COMMANDS = 24, THREADS = 4 };

/* Calls of the driver that a first launch makes are among them: queues are opened. */
START_TEST(any_call_of_the_driver_may_fail_once) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int failed = 0;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(build(graph));
  for (int nth = 1; nth <= MOST_FAILURES; nth++) {
    succeed(cudaGraphInstantiate(&exec, graph, 0));
    vptr__fake_counts before, after;
    vptr__fake_get_counts(&before);
    vptr__fake_fail_nth(nth, CL_OUT_OF_RESOURCES);
    failed += cudaGraphLaunch(exec, stream) != cudaSuccess;
    vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__fake_get_counts(&after);
    const bool was_reached = after.operations - before.operations >= (uint64_t)nth;
    cudaStreamSynchronize(stream);
    cudaDeviceSynchronize();
    cudaGetLastError();
    launch_and_expect(exec, stream);
    succeed(cudaGraphExecDestroy(exec));
    if (!was_reached)
      break;
  }
  ck_assert_int_gt(failed, 8);
  succeed(cudaGraphDestroy(graph));
}
END_TEST

/* Whichever branch it is in: whoever waits for the stream is told of a set, a kernel or a copy that fails on the
 * device, once. Barriers that fail behind all of them harm nobody. */
START_TEST(any_command_may_fail_once) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int heard = 0;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(build(graph));
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  launch_and_expect(exec, stream);
  for (int nth = 1; nth <= MOST_COMMANDS; nth++) {
    memset(host, 0, BYTES);
    vptr__fake_fail_command(nth, CL_OUT_OF_RESOURCES);
    cudaError_t error = cudaGraphLaunch(exec, stream);
    if (error == cudaSuccess)
      error = cudaStreamSynchronize(stream);
    vptr__fake_fail_command(0, CL_SUCCESS);
    heard += error != cudaSuccess;
    if (error == cudaSuccess)
      expect_done();
    succeed(cudaDeviceSynchronize());
    cudaGetLastError();
    launch_and_expect(exec, stream);
  }
  ck_assert_int_gt(heard, 5);
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
}
END_TEST

/* Each allocation of the host's: while a graph is made, instantiated, launched, copied. */
START_TEST(any_allocation_may_fail_once) {
  int failed = 0, fine = 0;
  for (long nth = 1; nth <= MOST_FAILURES && fine < 3; nth++) {
    cudaGraph_t graph = NULL, clone = NULL;
    cudaGraphExec_t exec = NULL;
    vptr__memory_fail_nth(nth);
    cudaError_t error = cudaGraphCreate(&graph, 0);
    if (error == cudaSuccess)
      error = build(graph);
    if (error == cudaSuccess)
      error = cudaGraphClone(&clone, graph);
    if (error == cudaSuccess)
      error = cudaGraphInstantiate(&exec, clone, 0);
    if (error == cudaSuccess)
      error = cudaGraphLaunch(exec, stream);
    vptr__memory_fail_nth(0);
    failed += error != cudaSuccess;
    fine = error == cudaSuccess ? fine + 1 : 0;
    cudaStreamSynchronize(stream);
    cudaGetLastError();
    if (exec != NULL) {
      launch_and_expect(exec, stream);
      succeed(cudaGraphExecDestroy(exec));
    }
    if (clone != NULL)
      succeed(cudaGraphDestroy(clone));
    if (graph != NULL)
      succeed(cudaGraphDestroy(graph));
  }
  ck_assert_int_gt(failed, 30);
}
END_TEST

static cudaError_t capture(cudaGraph_t *graph) {
  cudaEvent_t fork = NULL, join = NULL;
  cudaError_t error = cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  const bool has_begun = error == cudaSuccess;
  if (error == cudaSuccess)
    error = cudaMemsetAsync(device, 1, BYTES, stream);
  if (error == cudaSuccess)
    error = cudaEventRecord(fork, stream);
  if (error == cudaSuccess)
    error = cudaStreamWaitEvent(other, fork, 0);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(second, 2, BYTES, other);
  if (error == cudaSuccess)
    error = cudaEventRecord(join, other);
  if (error == cudaSuccess)
    error = cudaStreamWaitEvent(stream, join, 0);
  cudaError_t ended = has_begun ? cudaStreamEndCapture(stream, graph) : cudaSuccess;
  if (fork != NULL)
    cudaEventDestroy(fork);
  if (join != NULL)
    cudaEventDestroy(join);
  return error != cudaSuccess ? error : ended;
}

START_TEST(a_capture_ends_whatever_fails) {
  int failed = 0;
  cudaError_t error = cudaErrorUnknown;
  for (long nth = 1; nth <= MOST_FAILURES && error != cudaSuccess; nth++) {
    cudaGraph_t graph = NULL;
    vptr__memory_fail_nth(nth);
    error = capture(&graph);
    vptr__memory_fail_nth(0);
    failed += error != cudaSuccess;
    cudaGetLastError();
    ck_assert_uint_eq(atomic_load(&vptr__captures_open), 0);
    if (graph != NULL)
      succeed(cudaGraphDestroy(graph));
    succeed(cudaMemsetAsync(device, 0, BYTES, stream));
    succeed(cudaMemsetAsync(second, 0, BYTES, other));
    succeed(cudaDeviceSynchronize());
  }
  ck_assert_int_gt(failed, 5);
}
END_TEST

START_TEST(a_capture_goes_with_its_stream) {
  cudaStream_t brief, beside;
  cudaEvent_t event;
  cudaGraph_t graph = NULL;
  succeed(cudaStreamCreate(&brief));
  succeed(cudaStreamBeginCapture(brief, cudaStreamCaptureModeGlobal));
  succeed(cudaMemsetAsync(device, 1, BYTES, brief));
  succeed(cudaStreamDestroy(brief));
  ck_assert_uint_eq(atomic_load(&vptr__captures_open), 0);
  succeed(cudaStreamCreate(&beside));
  succeed(cudaEventCreate(&event));
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  succeed(cudaEventRecord(event, stream));
  succeed(cudaStreamWaitEvent(beside, event, 0));
  succeed(cudaStreamDestroy(beside));
  ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  ck_assert_ptr_null(graph);
  succeed(cudaEventDestroy(event));
  cudaGetLastError();
  succeed(cudaMemsetAsync(device, 1, BYTES, stream));
}
END_TEST

/* What was launched before is over, and what is launched again makes its queues anew. */
START_TEST(a_reset_ends_captures_and_leaves_graphs) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStream_t brief;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(build(graph));
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  launch_and_expect(exec, stream);
  succeed(cudaStreamCreate(&brief));
  succeed(cudaStreamBeginCapture(brief, cudaStreamCaptureModeRelaxed));
  succeed(cudaMemsetAsync(device, 1, BYTES, brief));
  succeed(cudaDeviceReset());
  ck_assert_uint_eq(atomic_load(&vptr__captures_open), 0);
  succeed(cudaStreamCreate(&stream));
  succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  ck_assert_int_ne(cudaGraphLaunch(exec, stream), cudaSuccess); /* its memory is gone */
  cudaGetLastError();
  succeed(cudaStreamSynchronize(stream));
  succeed(cudaMalloc((void **)&device, BYTES));
  succeed(cudaMalloc((void **)&second, BYTES));
  succeed(cudaMallocHost((void **)&host, BYTES));
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
}
END_TEST

static void CUDART_CB wait_for_word(void *context) {
  while (!atomic_load((atomic_bool *)context))
    usleep(100);
}

/* Kernels, sets and copies behind each other; of two branches each has memory of its own. */
static void build_large(cudaGraph_t graph, int nodes, bool has_branches) {
  cudaGraphNode_t last[2] = { NULL, NULL };
  const struct cudaMemsetParams set = { second, 0, 9, 4, WORDS, 1 };
  for (int i = 0; i < nodes; i++) {
    int by = 1;
    void *arguments[] = { has_branches && i % 2 == 1 ? &second : &device, &by };
    const struct cudaKernelNodeParams kernel = { &stub, { 1, 1, 1 }, { 1, 1, 1 }, 0, arguments, NULL };
    cudaGraphNode_t *at = has_branches ? &last[i % 2] : &last[0];
    const size_t count = *at == NULL ? 0 : has_branches && i % 10 == 9 ? 2 : 1;
    const cudaGraphNode_t from[] = { *at, last[at == &last[0]] };
    if (i % 4 == 1)
      succeed(cudaGraphAddMemsetNode(at, graph, from, count, &set));
    else if (i % 4 == 2)
      succeed(cudaGraphAddMemcpyNode1D(at, graph, from, count, host, device, 4, cudaMemcpyDeviceToHost));
    else
      succeed(cudaGraphAddKernelNode(at, graph, from, count, &kernel));
  }
}

/* While the device has not begun with any of it, and cannot. The allocation fails that comes after as many as may be
 * asked for, and that is one behind the launch. */
static void launch_held(cudaGraphExec_t exec, cudaStream_t on, long allocations) {
  atomic_bool goes_on = false;
  void *rest[2] = { NULL, NULL };
  succeed(cudaLaunchHostFunc(on, wait_for_word, &goes_on));
  vptr__memory_fail_nth(allocations + 1);
  cudaError_t error = cudaGraphLaunch(exec, on);
  for (long i = 0; i <= allocations; i++)
    rest[i] = vptr__memory_calloc(1, 1);
  vptr__memory_fail_nth(0);
  atomic_store(&goes_on, true);
  succeed(error);
  ck_assert(rest[0] == NULL || rest[1] == NULL);
  for (int i = 0; i < 2; i++)
    vptr__memory_free(rest[i]);
  succeed(cudaStreamSynchronize(on));
}

/* No memory of the host's is asked for once a launch has made what lasts; another stream makes its own room at once. */
static void launch_without_allocating(bool has_branches) {
  enum { NODES = 1000 };
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStream_t fresh;
  succeed(cudaGraphCreate(&graph, 0));
  build_large(graph, NODES, has_branches);
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; i++) {
    succeed(cudaGraphLaunch(exec, stream));
    succeed(cudaStreamSynchronize(stream));
  }
  launch_held(exec, stream, 0);
  succeed(cudaStreamCreate(&fresh));
  launch_held(exec, fresh, 1);
  launch_held(exec, fresh, 0);
  succeed(cudaStreamDestroy(fresh));
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
}

START_TEST(a_large_graph_is_launched_without_allocating) {
  launch_without_allocating(false);
  launch_without_allocating(true);
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------------------- */

static cudaGraphExec_t shared_exec;

static void *launch_often(void *context) {
  (void)context;
  for (int i = 0; i < ROUNDS; i++) {
    succeed(cudaGraphLaunch(shared_exec, cudaStreamPerThread));
    succeed(cudaStreamSynchronize(cudaStreamPerThread));
  }
  return NULL;
}

/* CUDA forbids it; here one launch follows the other. */
START_TEST(threads_launch_one_graph) {
  pthread_t threads[THREADS];
  cudaGraph_t graph;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(build(graph));
  succeed(cudaGraphInstantiate(&shared_exec, graph, 0));
  atomic_store(&calls, 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_often, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  ck_assert_int_eq(atomic_load(&calls), THREADS * ROUNDS);
  expect_done();
  succeed(cudaGraphExecDestroy(shared_exec));
  succeed(cudaGraphDestroy(graph));
}
END_TEST

static void *capture_alone(void *context) {
  cudaStream_t own;
  (void)context;
  succeed(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  for (int i = 0; i < ROUNDS; i++) {
    cudaGraph_t graph = NULL;
    size_t count = 0;
    succeed(cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal));
    succeed(cudaMemsetAsync(device, i, BYTES, own));
    succeed(cudaLaunchHostFunc(own, count_call, NULL));
    succeed(cudaStreamEndCapture(own, &graph));
    succeed(cudaGraphGetNodes(graph, NULL, &count));
    ck_assert_uint_eq(count, 2);
    succeed(cudaGraphDestroy(graph));
  }
  succeed(cudaStreamDestroy(own));
  return NULL;
}

START_TEST(threads_capture_beside_each_other) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, capture_alone, NULL), 0);
  for (int i = 0; i < ROUNDS; i++) {
    succeed(cudaMemsetAsync(second, i, BYTES, other));
    succeed(cudaStreamSynchronize(other));
  }
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("graph");
  TCase *faults = tcase_create("faults");
  tcase_add_checked_fixture(faults, set_up, tear_down);
  tcase_add_test(faults, any_call_of_the_driver_may_fail_once);
  tcase_add_test(faults, any_command_may_fail_once);
  tcase_add_test(faults, any_allocation_may_fail_once);
  tcase_add_test(faults, a_capture_ends_whatever_fails);
  tcase_add_test(faults, a_large_graph_is_launched_without_allocating);
  tcase_add_test(faults, a_capture_goes_with_its_stream);
  tcase_add_test(faults, a_reset_ends_captures_and_leaves_graphs);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, faults);
  TCase *threads = tcase_create("threads");
  tcase_add_checked_fixture(threads, set_up, tear_down);
  tcase_add_test(threads, threads_launch_one_graph);
  tcase_add_test(threads, threads_capture_beside_each_other);
  if (!support_has_opencl())
    suite_add_tcase(suite, threads);
  return support_run(suite);
}
