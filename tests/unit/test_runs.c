/* SPDX-License-Identifier: MIT */
/*
 * test_runs - kernels of one block that go as one launch: when they do, what ends it, and whatever fails.
 *
 * The fake device has no compiler, so what a chain's kernel does is a function here, of as many links as `links` says,
 * each {pointer, int}; and how often it ran beside the kernel alone tells what was sent. The device says that buffers
 * have addresses.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime.h>

#include "base/memory.h"
#include "base/option.h"
#include "device/fake.h"
#include "module/module.h"
#include "support/support.h"

enum { CALLS = 8, BYTES = 4096, MOST_FAILURES = 300, PER_LAUNCH = 512, WORTH_IT = 1 << 16 };

static const char text[] = "//vptr-module 1\n"
                           "//vptr kernel name=add lowered=add entry=r_add packed=1\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr-for 0\n"
                           "r_add vptr_chain\n";

typedef struct link {
  int *to;
  int by, gap;
} link;

static char stub;
static vptr__module *module;
static cudaStream_t stream;
static int *words;
static atomic_int chains, alone;
static int links;

static void succeed(cudaError_t error) {
  ck_assert_msg(error == cudaSuccess, "%s: %s", cudaGetErrorName(error), vptr_last_error());
}

static void run_add(const vptr__fake_launch *launch) {
  int *to;
  memcpy(&to, launch->arguments[0], sizeof to);
  *to += *(const int *)launch->arguments[1];
  atomic_fetch_add(&alone, 1);
}

static void run_chain(const vptr__fake_launch *launch) {
  const link *each = launch->arguments[0];
  for (int i = 0; i < links; i++)
    *each[i].to += each[i].by;
  atomic_fetch_add(&chains, 1);
}

static void set_up(void) {
  vptr__fake_report_addresses(true);
  vptr__fake_define("r_add", run_add);
  vptr__fake_define("vptr_chain", run_chain);
  support_succeed(vptr__module_load(text, sizeof text - 1, &module));
  support_succeed(vptr__function_bind(&stub, vptr__module_function(module, "add")));
  succeed(cudaMalloc((void **)&words, BYTES));
  succeed(cudaStreamCreate(&stream));
  atomic_store(&chains, 0);
  atomic_store(&alone, 0);
}

static void tear_down(void) {
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__memory_fail_nth(0);
  succeed(cudaStreamDestroy(stream));
  succeed(cudaFree(words));
  vptr__function_unbind(&stub);
  vptr__module_unload(module);
}

static cudaError_t add(int *to, int by) {
  const dim3 one = { 1, 1, 1 };
  void *arguments[] = { &to, &by };
  return cudaLaunchKernel(&stub, one, one, arguments, 0, stream);
}

/* Adds 1, 2, 3 ... to a word. */
static void capture(int count, cudaGraph_t *graph, cudaGraphExec_t *exec) {
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 1; i <= count; i++)
    succeed(add(words, i));
  succeed(cudaStreamEndCapture(stream, graph));
  succeed(cudaGraphInstantiate(exec, *graph, 0));
  links = count;
}

/* What a launch adds, and how. */
static void expect_launch(cudaGraphExec_t exec, int chained, int single, int sum) {
  int value = -1;
  succeed(cudaMemset(words, 0, BYTES));
  atomic_store(&chains, 0);
  atomic_store(&alone, 0);
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaStreamSynchronize(stream));
  succeed(cudaMemcpy(&value, words, sizeof value, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(value, sum);
  ck_assert_int_eq(atomic_load(&chains), chained);
  ck_assert_int_eq(atomic_load(&alone), single);
}

static int sum_to(int count) {
  return count * (count + 1) / 2;
}

static void end(cudaGraph_t graph, cudaGraphExec_t exec) {
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
}

START_TEST(what_was_uploaded_is_one_launch) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  capture(CALLS, &graph, &exec);
  expect_launch(exec, 0, CALLS, sum_to(CALLS));
  succeed(cudaGraphUpload(exec, stream));
  for (int i = 0; i < 3; i++)
    expect_launch(exec, 1, 0, sum_to(CALLS));
  end(graph, exec);
}
END_TEST

START_TEST(nothing_is_built_where_it_is_not_wanted) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  setenv("VPTR_CHAINS", "0", 1);
  vptr__option_reload();
  capture(CALLS, &graph, &exec);
  succeed(cudaGraphUpload(exec, stream));
  unsetenv("VPTR_CHAINS");
  vptr__option_reload();
  expect_launch(exec, 0, CALLS, sum_to(CALLS));
  end(graph, exec);
}
END_TEST

/* Two are no run. */
START_TEST(short_runs_stay_as_they_are) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  capture(2, &graph, &exec);
  succeed(cudaGraphUpload(exec, stream));
  expect_launch(exec, 0, 2, sum_to(2));
  end(graph, exec);
}
END_TEST

static void set_node(cudaGraphExec_t exec, cudaGraphNode_t node, int by, unsigned threads) {
  void *arguments[] = { &words, &by };
  const struct cudaKernelNodeParams params = { &stub, { 1, 1, 1 }, { threads, 1, 1 }, 0, arguments, NULL };
  succeed(cudaGraphExecKernelNodeSetParams(exec, node, &params));
}

/* Arguments may be others each time; a shape that is another one ends the run, and so does a node that is off. */
START_TEST(what_changes_ends_a_run_or_not) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t nodes[CALLS];
  size_t count = CALLS;
  capture(CALLS, &graph, &exec);
  succeed(cudaGraphGetNodes(graph, nodes, &count));
  succeed(cudaGraphUpload(exec, stream));
  set_node(exec, nodes[3], 100, 1);
  expect_launch(exec, 1, 0, sum_to(CALLS) - 4 + 100);
  set_node(exec, nodes[3], 4, 2);
  expect_launch(exec, 0, CALLS, sum_to(CALLS));
  succeed(cudaGraphUpload(exec, stream)); /* the four behind it */
  links = 4;
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  succeed(cudaGraphNodeSetEnabled(exec, nodes[3], 0));
  succeed(cudaGraphUpload(exec, stream));
  links = 3;
  succeed(cudaGraphNodeSetEnabled(exec, nodes[7], 0)); /* behind it a run of four, in front of it one of three */
  expect_launch(exec, 1, 3, sum_to(CALLS) - 4 - 8);
  end(graph, exec);
}
END_TEST

/* The launches before it were sent, and the error has the node's name. */
START_TEST(memory_that_was_freed_is_found_by_its_node) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t nodes[CALLS];
  size_t count = CALLS;
  int *gone = NULL, by = 1;
  capture(CALLS, &graph, &exec);
  succeed(cudaGraphGetNodes(graph, nodes, &count));
  succeed(cudaMalloc((void **)&gone, BYTES));
  void *arguments[] = { &gone, &by };
  const struct cudaKernelNodeParams params = { &stub, { 1, 1, 1 }, { 1, 1, 1 }, 0, arguments, NULL };
  succeed(cudaGraphExecKernelNodeSetParams(exec, nodes[5], &params));
  succeed(cudaGraphUpload(exec, stream));
  expect_launch(exec, 1, 0, sum_to(CALLS) - 6);
  succeed(cudaFree(gone));
  for (int i = 0; i < 5; i++) {
    atomic_store(&alone, 0);
    ck_assert_int_ne(cudaGraphLaunch(exec, stream), cudaSuccess);
    ck_assert_msg(strstr(vptr_last_error(), "node 5 (kernel add)") != NULL, "%s", vptr_last_error());
    succeed(cudaStreamSynchronize(stream));
    ck_assert_int_eq(atomic_load(&alone), 5);
    cudaGetLastError();
  }
  set_node(exec, nodes[5], 6, 1);
  expect_launch(exec, 0, CALLS, sum_to(CALLS)); /* it failed too often to be tried again */
  end(graph, exec);
}
END_TEST

/* Without an upload it takes as many kernels as are worth a build. */
START_TEST(many_launches_are_worth_a_build) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int rounds = 0;
  capture(CALLS, &graph, &exec);
  while (atomic_load(&chains) == 0 && rounds <= WORTH_IT / CALLS) {
    for (int i = 0; i < PER_LAUNCH / CALLS; i++, rounds++)
      succeed(cudaGraphLaunch(exec, stream));
    succeed(cudaStreamSynchronize(stream));
  }
  ck_assert_int_eq(atomic_load(&alone), WORTH_IT);
  expect_launch(exec, 1, 0, sum_to(CALLS));
  end(graph, exec);
}
END_TEST

/* Several kernels of one shape have one program. */
START_TEST(runs_that_are_alike_are_built_once) {
  enum { RUNS = 5, EACH = 32 }; /* of 16 bytes, and 512 for all */
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  vptr__fake_counts before, after;
  capture(RUNS * EACH, &graph, &exec);
  links = EACH;
  succeed(add(words, 0));
  succeed(cudaStreamSynchronize(stream));
  vptr__fake_get_counts(&before);
  succeed(cudaGraphUpload(exec, stream));
  vptr__fake_get_counts(&after);
  ck_assert_uint_lt(after.operations - before.operations, 20);
  expect_launch(exec, RUNS, 0, sum_to(RUNS * EACH));
  end(graph, exec);
}
END_TEST

static void upload_and_launch(cudaGraphExec_t exec) {
  cudaGraphUpload(exec, stream);
  cudaGraphLaunch(exec, stream);
}

/* Whatever it was: the next launch does everything, in one way or the other. */
static void expect_whole(cudaGraphExec_t exec) {
  int value = -1;
  cudaStreamSynchronize(stream);
  cudaDeviceSynchronize();
  cudaGetLastError();
  succeed(cudaMemset(words, 0, BYTES));
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaStreamSynchronize(stream));
  succeed(cudaMemcpy(&value, words, sizeof value, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(value, sum_to(CALLS));
}

START_TEST(any_call_of_the_driver_may_fail_once) {
  bool was_reached = true;
  int reached = 0;
  for (int nth = 1; nth <= MOST_FAILURES && was_reached; nth++) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    vptr__fake_counts before, after;
    capture(CALLS, &graph, &exec);
    vptr__fake_get_counts(&before);
    vptr__fake_fail_nth(nth, CL_OUT_OF_RESOURCES);
    upload_and_launch(exec);
    vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__fake_get_counts(&after);
    was_reached = after.operations - before.operations >= (uint64_t)nth;
    reached += was_reached;
    expect_whole(exec);
    end(graph, exec);
  }
  ck_assert(!was_reached);
  ck_assert_int_gt(reached, 4);
}
END_TEST

START_TEST(any_allocation_may_fail_once) {
  for (long nth = 1; nth <= MOST_FAILURES; nth++) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    capture(CALLS, &graph, &exec);
    vptr__memory_fail_nth(nth);
    upload_and_launch(exec);
    vptr__memory_fail_nth(0);
    expect_whole(exec);
    end(graph, exec);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("runs");
  TCase *runs = tcase_create("runs");
  tcase_add_checked_fixture(runs, set_up, tear_down);
  tcase_add_test(runs, what_was_uploaded_is_one_launch);
  tcase_add_test(runs, nothing_is_built_where_it_is_not_wanted);
  tcase_add_test(runs, short_runs_stay_as_they_are);
  tcase_add_test(runs, what_changes_ends_a_run_or_not);
  tcase_add_test(runs, memory_that_was_freed_is_found_by_its_node);
  tcase_add_test(runs, many_launches_are_worth_a_build);
  tcase_add_test(runs, runs_that_are_alike_are_built_once);
  tcase_add_test(runs, any_call_of_the_driver_may_fail_once);
  tcase_add_test(runs, any_allocation_may_fail_once);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, runs);
  return support_run(suite);
}
