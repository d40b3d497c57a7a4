/* SPDX-License-Identifier: MIT */
/*
 * graphs - a graph for tests on the fake device: a set and a kernel, a set beside them, copies, and a function.
 *
 * What each test of a suite begins with (set_up) and ends with (tear_down): streams, memory, and a kernel's stub.
 */
#ifndef VPTR_TESTS_GRAPHS_H
#define VPTR_TESTS_GRAPHS_H

#include <string.h>

#include <vptr/cuda/cuda_runtime.h>

#include "base/memory.h"
#include "device/fake.h"
#include "support/support.h"
#include "unit/modules.h"

enum { WORDS = 64, BYTES = WORDS * 4, ROUNDS = 25 };

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
static inline cudaError_t build(cudaGraph_t graph) {
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

static inline void launch_and_expect(cudaGraphExec_t exec, cudaStream_t on) {
  memset(host, 0, BYTES);
  atomic_store(&calls, 0);
  succeed(cudaGraphLaunch(exec, on));
  succeed(cudaStreamSynchronize(on));
  expect_done();
  ck_assert_int_eq(atomic_load(&calls), 1);
}

#endif
