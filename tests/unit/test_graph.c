/* SPDX-License-Identifier: MIT */
/*
 * test_graph - graphs where the driver, or the host's memory, fails; threads that use one executable graph.
 *
 * On the fake device, whose kernels are functions here. Whatever fails while a graph is launched, the next launch does
 * all of it; and what fails while one is put together leaves it as it was.
 */
#include <pthread.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime.h>

#include "base/memory.h"
#include "device/fake.h"
#include "graph/capture.h"
#include "stream/stream.h"
#include "support/support.h"
#include "unit/modules.h"

enum { WORDS = 64, BYTES = WORDS * 4, MOST_FAILURES = 400, THREADS = 4, ROUNDS = 25 };

static char stub;
static vptr__module *module;
static cudaStream_t stream, other;
static int *device, *second, *host;
static atomic_int calls;

static void succeed(cudaError_t error) {
  ck_assert_msg(error == cudaSuccess, "%s: %s", cudaGetErrorName(error), vptr_last_error());
}

static void CUDART_CB count_call(void *context) {
  (void)context;
  atomic_fetch_add(&calls, 1);
}

static void set_up(void) {
  modules_define();
  support_succeed(modules_load(&module));
  support_succeed(vptr__function_bind(&stub, vptr__module_function(module, "add")));
  succeed(cudaMalloc((void **)&device, BYTES));
  succeed(cudaMalloc((void **)&second, BYTES));
  succeed(cudaMallocHost((void **)&host, BYTES));
  succeed(cudaStreamCreate(&stream));
  succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
}

static void tear_down(void) {
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__memory_fail_nth(0);
  succeed(cudaStreamDestroy(stream));
  succeed(cudaStreamDestroy(other));
  succeed(cudaFreeHost(host));
  succeed(cudaFree(device));
  succeed(cudaFree(second));
  vptr__function_unbind(&stub);
  vptr__module_unload(module);
}

/* A set and a kernel; beside them a set; both copied to the host, and a function called. */
static cudaError_t build(cudaGraph_t graph) {
  const struct cudaMemsetParams set = { device, 0, 5, 4, WORDS, 1 }, beside = { second, 0, 9, 4, WORDS, 1 };
  const struct cudaHostNodeParams call = { count_call, NULL };
  int by = 3;
  void *arguments[] = { &device, &by };
  const struct cudaKernelNodeParams launch = { &stub, { 1, 1, 1 }, { 1, 1, 1 }, 0, arguments, NULL };
  cudaGraphNode_t first, kernel, apart, copies[2], end;
  cudaError_t error = cudaGraphAddMemsetNode(&first, graph, NULL, 0, &set);
  if (error == cudaSuccess)
    error = cudaGraphAddKernelNode(&kernel, graph, &first, 1, &launch);
  if (error == cudaSuccess)
    error = cudaGraphAddMemsetNode(&apart, graph, NULL, 0, &beside);
  if (error == cudaSuccess)
    error = cudaGraphAddMemcpyNode1D(&copies[0], graph, &kernel, 1, host, device, BYTES / 2, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess)
    error = cudaGraphAddMemcpyNode1D(&copies[1], graph, &apart, 1, host + WORDS / 2, second, BYTES / 2,
                                     cudaMemcpyDeviceToHost);
  if (error == cudaSuccess)
    error = cudaGraphAddHostNode(&end, graph, copies, 2, &call);
  return error;
}

static void expect_done(void) {
  ck_assert_int_eq(host[0], 8);
  ck_assert_int_eq(host[1], 5);
  ck_assert_int_eq(host[WORDS / 2 - 1], 5);
  ck_assert_int_eq(host[WORDS / 2], 9);
  ck_assert_int_eq(host[WORDS - 1], 9);
}

static void launch_and_expect(cudaGraphExec_t exec, cudaStream_t on) {
  memset(host, 0, BYTES);
  atomic_store(&calls, 0);
  succeed(cudaGraphLaunch(exec, on));
  succeed(cudaStreamSynchronize(on));
  expect_done();
  ck_assert_int_eq(atomic_load(&calls), 1);
}

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

START_TEST(batches_of_managed_memory_are_not_captured) {
  cudaGraph_t graph = NULL;
  void *managed = NULL;
  size_t size = BYTES, first = 0;
  struct cudaMemLocation to = { .type = cudaMemLocationTypeHost };
  succeed(cudaMallocManaged(&managed, BYTES, cudaMemAttachGlobal));
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  ck_assert_int_eq(cudaMemPrefetchBatchAsync(&managed, &size, 1, &to, &first, 1, 0, stream),
                   cudaErrorStreamCaptureUnsupported);
  ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  ck_assert_int_eq(cudaMemDiscardBatchAsync(&managed, &size, 1, 0, stream), cudaErrorStreamCaptureUnsupported);
  ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  succeed(cudaFree(managed));
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
  tcase_add_test(faults, any_allocation_may_fail_once);
  tcase_add_test(faults, a_capture_ends_whatever_fails);
  tcase_add_test(faults, a_capture_goes_with_its_stream);
  tcase_add_test(faults, a_reset_ends_captures_and_leaves_graphs);
  suite_add_tcase(suite, faults);
  TCase *rules = tcase_create("rules");
  tcase_add_checked_fixture(rules, set_up, tear_down);
  tcase_add_test(rules, nothing_waits_for_a_captured_stream);
  tcase_add_test(rules, sources_are_not_read_while_a_stream_is_captured);
  tcase_add_test(rules, batches_of_managed_memory_are_not_captured);
  tcase_add_test(rules, a_reset_takes_no_new_streams_and_events);
  tcase_add_test(rules, an_update_takes_over_user_objects);
  tcase_add_test(rules, a_captured_launch_holds_user_objects);
  suite_add_tcase(suite, rules);
  TCase *threads = tcase_create("threads");
  tcase_add_checked_fixture(threads, set_up, tear_down);
  tcase_add_test(threads, threads_launch_one_graph);
  tcase_add_test(threads, threads_capture_beside_each_other);
  suite_add_tcase(suite, threads);
  return support_run(suite);
}
