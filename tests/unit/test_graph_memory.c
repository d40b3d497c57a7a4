/* SPDX-License-Identifier: MIT */
/*
 * test_graph_memory - graphs that allocate and free, where something fails, ends, or happens at once.
 *
 * On the fake device. An address is told as freed but where a launch has allocated it; a launch that fails leaves
 * nothing allocated; and in the end the device has all of its memory again.
 */
#include <pthread.h>

#include "graph/capture.h"
#include "unit/graphs.h"

enum { MOST_FAILURES = 600, THREADS = 4, ALLOCATIONS = 24, SLOT = 512 << 10 };

static size_t idle_bytes(void) {
  size_t left, total;
  succeed(cudaDeviceGraphMemTrim(0));
  succeed(cudaMemGetInfo(&left, &total));
  return left;
}

static struct cudaMemAllocNodeParams describe(size_t bytes) {
  struct cudaMemAllocNodeParams params;
  memset(&params, 0, sizeof params);
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = bytes;
  return params;
}

static cudaGraphNode_t add_alloc(cudaGraph_t graph, const cudaGraphNode_t *from, size_t count, size_t bytes,
                                 void **ptr) {
  struct cudaMemAllocNodeParams params = describe(bytes);
  cudaGraphNode_t node = NULL;
  succeed(cudaGraphAddMemAllocNode(&node, graph, from, count, &params));
  *ptr = params.dptr;
  return node;
}

/* Two branches that allocate, set, copy to the host and free; of a third allocation nothing frees the memory. */
static cudaError_t build_memory(cudaGraph_t graph, void **kept) {
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < 3 && error == cudaSuccess; i++) {
    struct cudaMemAllocNodeParams params = describe(i == 1 ? SLOT : BYTES);
    struct cudaMemsetParams set = { NULL, 0, (unsigned)i + 1, 4, WORDS / 4, 1 };
    cudaGraphNode_t nodes[4];
    error = cudaGraphAddMemAllocNode(&nodes[0], graph, NULL, 0, &params);
    set.dst = *kept = params.dptr;
    if (error == cudaSuccess)
      error = cudaGraphAddMemsetNode(&nodes[1], graph, &nodes[0], 1, &set);
    if (error == cudaSuccess)
      error = cudaGraphAddMemcpyNode1D(&nodes[2], graph, &nodes[1], 1, host + i * (WORDS / 4), params.dptr, WORDS,
                                       cudaMemcpyDeviceToHost);
    if (error == cudaSuccess && i < 2)
      error = cudaGraphAddMemFreeNode(&nodes[3], graph, &nodes[2], 1, params.dptr);
  }
  return error;
}

static void launch_memory(cudaGraphExec_t exec, void *kept) {
  memset(host, 0, BYTES);
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaStreamSynchronize(stream));
  for (int i = 0; i < 3 * WORDS / 4; i++)
    ck_assert_int_eq(host[i], i / (WORDS / 4) + 1);
  succeed(cudaFreeAsync(kept, other));
}

START_TEST(any_call_of_the_driver_may_fail_once) {
  cudaGraph_t graph;
  void *kept = NULL;
  int failed = 0;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(build_memory(graph, &kept));
  for (int nth = 1; nth <= MOST_FAILURES; nth++) {
    cudaGraphExec_t exec;
    vptr__fake_counts before, after;
    succeed(cudaGraphInstantiate(&exec, graph, 0));
    launch_memory(exec, kept);
    vptr__fake_get_counts(&before);
    vptr__fake_fail_nth(nth, CL_OUT_OF_RESOURCES);
    const bool is_sent = cudaGraphLaunch(exec, stream) == cudaSuccess;
    vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__fake_get_counts(&after);
    failed += !is_sent;
    cudaDeviceSynchronize();
    cudaGetLastError();
    if (is_sent)
      succeed(cudaFree(kept));
    else
      ck_assert_int_eq(cudaFree(kept), cudaErrorInvalidValue);
    cudaGetLastError();
    launch_memory(exec, kept);
    succeed(cudaGraphExecDestroy(exec));
    if (after.operations - before.operations < (uint64_t)nth)
      break;
  }
  ck_assert_int_gt(failed, 8);
  succeed(cudaGraphDestroy(graph));
}
END_TEST

START_TEST(any_allocation_may_fail_once) {
  int failed = 0, fine = 0;
  const size_t before = idle_bytes();
  for (long nth = 1; nth <= MOST_FAILURES && fine < 3; nth++) {
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    void *kept = NULL;
    vptr__memory_fail_nth(nth);
    cudaError_t error = cudaGraphCreate(&graph, 0);
    if (error == cudaSuccess)
      error = build_memory(graph, &kept);
    if (error == cudaSuccess)
      error = cudaGraphInstantiate(&exec, graph, 0);
    if (error == cudaSuccess)
      error = cudaGraphLaunch(exec, stream);
    const bool is_sent = error == cudaSuccess;
    if (is_sent)
      error = cudaFreeAsync(kept, other);
    vptr__memory_fail_nth(0);
    failed += error != cudaSuccess;
    fine = error == cudaSuccess ? fine + 1 : 0;
    if (is_sent && error != cudaSuccess)
      succeed(cudaFree(kept));
    cudaDeviceSynchronize();
    cudaGetLastError();
    if (exec != NULL) {
      launch_memory(exec, kept);
      succeed(cudaGraphExecDestroy(exec));
    }
    if (graph != NULL)
      succeed(cudaGraphDestroy(graph));
  }
  ck_assert_int_gt(failed, 30);
  ck_assert_uint_eq(idle_bytes(), before);
}
END_TEST

static bool used_again;

static cudaError_t capture(cudaGraph_t *graph) {
  void *first = NULL, *next = NULL;
  cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  if (error != cudaSuccess)
    return error;
  error = cudaMallocAsync(&first, BYTES, stream);
  if (error == cudaSuccess)
    error = cudaFreeAsync(first, stream);
  if (error == cudaSuccess)
    error = cudaMallocAsync(&next, BYTES, stream);
  used_again = first == next;
  if (error == cudaSuccess)
    error = cudaFreeAsync(next, stream);
  cudaError_t ended = cudaStreamEndCapture(stream, graph);
  return error != cudaSuccess ? error : ended;
}

START_TEST(a_capture_of_allocations_ends_whatever_fails) {
  int failed = 0;
  cudaError_t error = cudaErrorUnknown;
  const size_t before = idle_bytes();
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
    succeed(cudaStreamSynchronize(stream));
  }
  cudaGraph_t graph = NULL;
  succeed(capture(&graph));
  ck_assert(used_again);
  succeed(cudaGraphDestroy(graph));
  ck_assert_int_gt(failed, 5);
  ck_assert_uint_eq(idle_bytes(), before);
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
}
END_TEST

/* ---- what is live ---------------------------------------------------------------------------------------- */

static void expect_freed(void *ptr) {
  ck_assert_int_eq(cudaMemset(ptr, 0, BYTES), cudaErrorInvalidValue);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "freed"));
  cudaGetLastError();
}

START_TEST(addresses_are_freed_but_after_a_launch) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  void *ptr;
  succeed(cudaGraphCreate(&graph, 0));
  add_alloc(graph, NULL, 0, BYTES, &ptr);
  expect_freed(ptr);
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  expect_freed(ptr);
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaMemset(ptr, 0, BYTES));
  ck_assert_int_eq(cudaMemset(ptr, 0, BYTES + 1), cudaErrorInvalidValue);
  cudaGetLastError();
  succeed(cudaFree(ptr));
  expect_freed(ptr);
  ck_assert_int_eq(cudaFree(ptr), cudaErrorInvalidValue);
  ck_assert_int_eq(cudaFreeAsync(ptr, stream), cudaErrorInvalidValue);
  cudaGetLastError();
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
  succeed(cudaMemset(ptr, 0, BYTES));
  succeed(cudaFreeAsync(ptr, stream));
  expect_freed(ptr);
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
}
END_TEST

START_TEST(a_free_of_nothing_is_found_at_the_launch) {
  cudaGraph_t graph, freeing;
  cudaGraphExec_t exec, freeing_exec;
  cudaGraphNode_t node;
  void *ptr;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(cudaGraphCreate(&freeing, 0));
  add_alloc(graph, NULL, 0, BYTES, &ptr);
  succeed(cudaGraphAddMemFreeNode(&node, freeing, NULL, 0, ptr));
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  succeed(cudaGraphInstantiate(&freeing_exec, freeing, 0));
  ck_assert_int_eq(cudaGraphLaunch(freeing_exec, stream), cudaErrorInvalidValue);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "node 0 (free)"));
  cudaGetLastError();
  for (int i = 0; i < 3; i++) {
    succeed(cudaGraphLaunch(exec, stream));
    succeed(cudaGraphLaunch(freeing_exec, i == 1 ? other : stream));
  }
  succeed(cudaDeviceSynchronize());
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphExecDestroy(freeing_exec));
  succeed(cudaGraphDestroy(graph));
  succeed(cudaGraphDestroy(freeing));
}
END_TEST

START_TEST(an_update_keeps_addresses) {
  cudaGraph_t graph, another;
  cudaGraphExec_t exec;
  cudaGraphExecUpdateResultInfo info;
  void *ptr;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(cudaGraphCreate(&another, 0));
  add_alloc(graph, NULL, 0, BYTES, &ptr);
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  succeed(cudaGraphExecUpdate(exec, graph, &info));
  add_alloc(another, NULL, 0, BYTES, &ptr);
  ck_assert_int_eq(cudaGraphExecUpdate(exec, another, &info), cudaErrorGraphExecUpdateFailure);
  ck_assert_int_eq(info.result, cudaGraphExecUpdateErrorNotSupported);
  cudaGetLastError();
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
  succeed(cudaGraphDestroy(another));
}
END_TEST

START_TEST(a_reset_ends_memory_of_graphs) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  void *ptr[2];
  succeed(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node = add_alloc(graph, NULL, 0, BYTES, &ptr[0]), end;
  add_alloc(graph, NULL, 0, BYTES, &ptr[1]);
  succeed(cudaGraphAddMemFreeNode(&end, graph, &node, 1, ptr[0]));
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaDeviceReset());
  succeed(cudaStreamCreate(&stream));
  succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  ck_assert_int_eq(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "was reset"));
  ck_assert_int_eq(cudaFree(ptr[1]), cudaErrorInvalidValue);
  cudaGetLastError();
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
  succeed(cudaMalloc((void **)&device, BYTES));
  succeed(cudaMalloc((void **)&second, BYTES));
  succeed(cudaMallocHost((void **)&host, BYTES));
}
END_TEST

START_TEST(a_graph_of_memory_is_not_captured) {
  cudaGraph_t graph, captured = NULL;
  cudaGraphExec_t exec;
  void *ptr;
  succeed(cudaGraphCreate(&graph, 0));
  add_alloc(graph, NULL, 0, BYTES, &ptr);
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  ck_assert_int_eq(cudaGraphLaunch(exec, stream), cudaErrorStreamCaptureUnsupported);
  ck_assert_int_eq(cudaFreeAsync(device, stream), cudaErrorInvalidValue); /* no graph's */
  ck_assert_int_eq(cudaStreamEndCapture(stream, &captured), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
}
END_TEST

static cudaError_t move_into(cudaGraph_t graph, cudaGraph_t child) {
  cudaGraphNode_t node = NULL;
  struct cudaGraphNodeParams params;
  memset(&params, 0, sizeof params);
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = child;
  params.graph.ownership = cudaGraphChildGraphOwnershipMove;
  return cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params);
}

/* Into no child graph, and not while it can be launched by itself; what it leaves allocated is freed as ever. */
START_TEST(a_graph_of_memory_is_moved_once) {
  cudaGraph_t graph, middle, child, clone = NULL;
  cudaGraphExec_t exec;
  void *ptr;
  succeed(cudaGraphCreate(&graph, 0));
  succeed(cudaGraphCreate(&middle, 0));
  succeed(cudaGraphCreate(&child, 0));
  add_alloc(child, NULL, 0, BYTES, &ptr);
  succeed(cudaGraphInstantiate(&exec, child, 0));
  ck_assert_int_eq(move_into(graph, child), cudaErrorNotSupported);
  succeed(cudaGraphExecDestroy(exec));
  succeed(move_into(graph, middle));
  ck_assert_int_eq(move_into(middle, child), cudaErrorNotSupported);
  succeed(move_into(graph, child));
  ck_assert_int_eq(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; i++) {
    succeed(cudaGraphLaunch(exec, i == 1 ? other : stream));
    ck_assert_int_ne(cudaGraphLaunch(exec, stream), cudaSuccess); /* it is not freed */
    succeed(cudaMemset(ptr, i, BYTES));
    succeed(i == 0 ? cudaFree(ptr) : cudaFreeAsync(ptr, stream));
  }
  cudaGetLastError();
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
}
END_TEST

/* ---- beside a model -------------------------------------------------------------------------------------- */

/* Each allocation is set, read and freed; it waits for one or two frees before, or for none. What is read tells whether
 * two had the same memory at a time. */
static void build_random(cudaGraph_t graph, uint64_t *random, int *into) {
  cudaGraphNode_t frees[ALLOCATIONS];
  for (int i = 0; i < ALLOCATIONS; i++) {
    cudaGraphNode_t from[2], node;
    size_t count = 0;
    void *ptr;
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    const unsigned pick = (unsigned)(*random >> 33);
    if (i > 0 && pick % 4 != 0)
      from[count++] = frees[pick / 4 % (unsigned)i];
    if (i > 1 && pick % 3 == 0 && frees[i - 1] != from[0])
      from[count++] = frees[i - 1];
    node = add_alloc(graph, from, count, pick % 2 ? SLOT : BYTES, &ptr);
    const struct cudaMemsetParams set = { ptr, 0, (unsigned)i + 100, 4, BYTES / 4, 1 };
    succeed(cudaGraphAddMemsetNode(&node, graph, &node, 1, &set));
    succeed(cudaGraphAddMemcpyNode1D(&node, graph, &node, 1, into + i * WORDS, ptr, BYTES, cudaMemcpyDeviceToHost));
    succeed(cudaGraphAddMemFreeNode(&frees[i], graph, &node, 1, ptr));
  }
}

START_TEST(memory_is_shared_by_no_two_at_once) {
  int *into;
  uint64_t random = 4711;
  succeed(cudaMallocHost((void **)&into, (size_t)ALLOCATIONS * BYTES));
  for (int round = 0; round < ROUNDS; round++) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    unsigned long long used = 0;
    succeed(cudaGraphCreate(&graph, 0));
    build_random(graph, &random, into);
    succeed(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    ck_assert_uint_lt(used, (uint64_t)ALLOCATIONS * SLOT / 2);
    succeed(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < 3; launch++) {
      memset(into, 0, (size_t)ALLOCATIONS * BYTES);
      succeed(cudaGraphLaunch(exec, launch == 1 ? other : stream));
      succeed(cudaDeviceSynchronize());
      for (int i = 0; i < ALLOCATIONS * WORDS; i++)
        ck_assert_int_eq(into[i], i / WORDS + 100);
    }
    succeed(cudaGraphExecDestroy(exec));
    succeed(cudaGraphDestroy(graph));
  }
  succeed(cudaFreeHost(into));
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
}
END_TEST

/* ---- threads --------------------------------------------------------------------------------------------- */

static void *launch_own(void *context) {
  const unsigned value = (unsigned)(uintptr_t)context;
  cudaStream_t own, beside;
  int *into;
  succeed(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  succeed(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
  succeed(cudaMallocHost((void **)&into, BYTES));
  for (int i = 0; i < ROUNDS; i++) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    void *ptr = NULL;
    succeed(cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal));
    succeed(cudaMallocAsync(&ptr, i % 2 ? SLOT : BYTES, own));
    succeed(cudaMemset2DAsync(ptr, BYTES, (int)value, BYTES, 1, own));
    succeed(cudaMemcpyAsync(into, ptr, BYTES, cudaMemcpyDeviceToHost, own));
    succeed(cudaStreamEndCapture(own, &graph));
    succeed(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < 3; launch++) {
      succeed(cudaGraphLaunch(exec, own));
      succeed(cudaStreamSynchronize(own));
      ck_assert_int_eq(into[WORDS - 1], (int)(value * 0x01010101u));
      succeed(cudaFreeAsync(ptr, launch == 1 ? beside : own));
    }
    succeed(cudaGraphExecDestroy(exec));
    succeed(cudaGraphDestroy(graph));
  }
  succeed(cudaFreeHost(into));
  succeed(cudaStreamDestroy(beside));
  succeed(cudaStreamDestroy(own));
  return NULL;
}

START_TEST(threads_have_graphs_of_their_own) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_own, (void *)(i + 1)), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("graph_memory");
  TCase *tests = tcase_create("memory");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, any_call_of_the_driver_may_fail_once);
  tcase_add_test(tests, any_allocation_may_fail_once);
  tcase_add_test(tests, a_capture_of_allocations_ends_whatever_fails);
  tcase_add_test(tests, addresses_are_freed_but_after_a_launch);
  tcase_add_test(tests, a_free_of_nothing_is_found_at_the_launch);
  tcase_add_test(tests, an_update_keeps_addresses);
  tcase_add_test(tests, a_reset_ends_memory_of_graphs);
  tcase_add_test(tests, a_graph_of_memory_is_not_captured);
  tcase_add_test(tests, a_graph_of_memory_is_moved_once);
  tcase_add_test(tests, memory_is_shared_by_no_two_at_once);
  tcase_add_test(tests, threads_have_graphs_of_their_own);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, tests);
  return support_run(suite);
}
