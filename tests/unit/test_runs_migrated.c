/* SPDX-License-Identifier: MIT */
/*
 * test_runs_migrated - kernels of a graph that go as one launch, and the device goes: what was joined for the old one
 * is not sent to the new one, and is joined anew.
 *
 * As in test_runs.c the fake device has no compiler, so what the joined kernel does is a function here.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "module/chain.h"
#include "module/module.h"
#include "support/support.h"
#include "unit/launched.h"

enum { CALLS = 8, SUM = CALLS * (CALLS + 1) / 2 };

static const char text[] = "//vptr-module 1\n"
                           "//vptr kernel name=add lowered=add entry=w_add packed=1\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr-for 0\n"
                           "w_add vptr_chain\n";

typedef struct link {
  int *to;
  int by, gap;
} link;

static atomic_int chains, alone;

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
  for (int i = 0; i < CALLS; i++)
    *each[i].to += each[i].by;
  atomic_fetch_add(&chains, 1);
}

static void define_kernels(void) {
  vptr__fake_report_addresses(true);
  vptr__fake_define("w_add", run_add);
  vptr__fake_define("vptr_chain", run_chain);
}

/* ---- graphs --------------------------------------------------------------------------------------------- */

static char stub;
static vptr__module *module;
static cudaStream_t stream;
static int *word;
static cudaGraph_t graph;
static cudaGraphExec_t exec;

/* Adds 1, 2, 3 ... to a word. */
static void capture(void) {
  const dim3 one = { 1, 1, 1 };
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 1; i <= CALLS; i++) {
    void *arguments[] = { &word, &i };
    succeed(cudaLaunchKernel(&stub, one, one, arguments, 0, stream));
  }
  succeed(cudaStreamEndCapture(stream, &graph));
  succeed(cudaGraphInstantiate(&exec, graph, 0));
}

static void set_up(void) {
  define_kernels();
  support_succeed(vptr__module_load(text, sizeof text - 1, &module));
  support_succeed(vptr__function_bind(&stub, vptr__module_function(module, "add")));
  succeed(cudaMalloc((void **)&word, sizeof *word));
  succeed(cudaStreamCreate(&stream));
  capture();
}

static void tear_down(void) {
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
  succeed(cudaStreamDestroy(stream));
  succeed(cudaFree(word));
  vptr__function_unbind(&stub);
  vptr__module_unload(module);
}

static void expect_launch(int chained, int single) {
  int value = -1;
  succeed(cudaMemset(word, 0, sizeof *word));
  atomic_store(&chains, 0);
  atomic_store(&alone, 0);
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaStreamSynchronize(stream));
  succeed(cudaMemcpy(&value, word, sizeof value, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(value, SUM);
  ck_assert_int_eq(atomic_load(&chains), chained);
  ck_assert_int_eq(atomic_load(&alone), single);
}

START_TEST(a_graph_joins_its_kernels_for_each_device) {
  for (int i = 0; i < 3; i++) {
    succeed(cudaGraphUpload(exec, stream));
    expect_launch(1, 0);
    support_succeed(vptr_migrate(NULL, NULL));
    expect_launch(0, CALLS);
  }
}
END_TEST

/* ---- chains --------------------------------------------------------------------------------------------- */

static vptr__chain_plan plan;

static void set_up_chain(void) {
  define_kernels();
  launched_begin(text);
}

static vptr__chain *make_chain(int **words) {
  vptr__chain *chain = NULL;
  const vptr__function *add = vptr__module_function(launched_module, "add");
  plan = (vptr__chain_plan){ .mapper = launched_mapper, .generation = launched_mapper->device->generation };
  for (int i = 0; i < CALLS; i++) {
    const link values = { .to = *words, .by = i + 1 };
    const vptr__launch launch = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .packed = &values, .packed_size = 12 };
    ck_assert(vptr__chain_plan_add(&plan, add, &launch));
  }
  support_succeed(vptr__chain_make(&plan, NULL, &chain));
  for (int i = 0; i < CALLS; i++) {
    const link values = { .to = *words, .by = i + 1 };
    const vptr__launch launch = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .packed = &values, .packed_size = 12 };
    ck_assert(vptr__chain_set(chain, (uint32_t)i, add, &launch));
  }
  return chain;
}

/* Also in the midst of a graph, whose runs were looked at when its launch began. */
START_TEST(a_chain_is_sent_to_no_other_device) {
  void *words;
  int value = -1;
  support_succeed(vptr_malloc(launched_mapper, sizeof value, &words));
  support_succeed(vptr_memset(launched_mapper, words, 0, sizeof value));
  vptr__chain *old = make_chain((int **)&words);
  support_succeed(vptr__chain_send(old, launched_stream, "test"));
  support_succeed(vptr_migrate(launched_mapper, NULL));
  ck_assert_int_eq(vptr__chain_send(old, launched_stream, "test"), VPTR_ERROR_NOT_READY);
  vptr__chain *anew = make_chain((int **)&words);
  ck_assert(!vptr__chain_is_like(old, &plan));
  support_succeed(vptr__chain_send(anew, launched_stream, "test"));
  support_succeed(vptr__stream_synchronize(launched_stream));
  support_succeed(vptr_memcpy(launched_mapper, &value, words, sizeof value));
  ck_assert_int_eq(value, 2 * SUM);
  vptr__chain_free(anew);
  vptr__chain_free(old);
  support_succeed(vptr_free(launched_mapper, words));
}
END_TEST

int main(void) {
  setenv("VPTR_MIGRATE", "1", 1); /* before CUDA's device 0 is made */
  Suite *suite = suite_create("runs migrated");
  TCase *graphs = tcase_create("graphs"), *single = tcase_create("chains");
  if (!support_has_opencl()) {
    tcase_add_checked_fixture(graphs, set_up, tear_down);
    tcase_add_test(graphs, a_graph_joins_its_kernels_for_each_device);
    tcase_add_checked_fixture(single, set_up_chain, launched_end);
    tcase_add_test(single, a_chain_is_sent_to_no_other_device);
  }
  suite_add_tcase(suite, graphs);
  suite_add_tcase(suite, single);
  return support_run(suite);
}
