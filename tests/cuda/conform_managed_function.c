/* SPDX-License-Identifier: MIT */
/*
 * conform_managed_function - host functions that use managed memory between the kernels of their stream, all of it
 * queued before any of it is waited for. A hang ends by an alarm.
 */
#include "conform_kernel.h"

#include <string.h>
#include <unistd.h>

enum { COUNT = 5000, ROUNDS = 50, STREAMS = 2, LIMIT = 120 /* seconds */ };

static const char text[] =
    "extern \"C\" __global__ void add(int *x, int count, int n) {\n"
    "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)\n"
    "    x[i] += n;\n"
    "}\n";

static CUfunction add;

typedef struct chain {
  cudaStream_t stream;
  int *x;
  int calls;     /* that there were */
  int wrong;     /* numbers that a call found to be others than they must be */
  int by_kernel; /* what one kernel adds */
  int by_call;   /* what one call adds: 0, it reads alone */
} chain;

static void add_on_the_host(void *context) {
  chain *it = context;
  int expected = (it->calls + 1) * it->by_kernel + it->calls * it->by_call;
  it->calls++;
  for (int i = 0; i < COUNT; i++) {
    it->wrong += it->x[i] != expected + i;
    if (it->by_call != 0)
      it->x[i] += it->by_call;
  }
}

static void CUDART_CB add_in_a_callback(cudaStream_t stream, cudaError_t status, void *context) {
  (void)stream;
  if (status == cudaSuccess)
    add_on_the_host(context);
}

static int launch(const chain *it) {
  int *x = it->x, count = COUNT, n = it->by_kernel;
  void *arguments[] = { &x, &count, &n };
  return conform_launch(add, it->stream, arguments);
}

/* Memory of a stream's own, so that other streams may work where concurrentManagedAccess is 0. */
static void begin(chain *it, int by_kernel, int by_call) {
  memset(it, 0, sizeof *it);
  it->by_kernel = by_kernel;
  it->by_call = by_call;
  conform_succeed(cudaStreamCreateWithFlags(&it->stream, cudaStreamNonBlocking));
  conform_succeed(cudaMallocManaged((void **)&it->x, COUNT * sizeof(int), cudaMemAttachHost));
  for (int i = 0; i < COUNT; i++)
    it->x[i] = i;
  conform_succeed(cudaStreamAttachMemAsync(it->stream, it->x, 0, cudaMemAttachSingle));
}

static void end(chain *it, int kernels) {
  int wrong = 0;
  conform_succeed(cudaStreamSynchronize(it->stream));
  for (int i = 0; i < COUNT; i++)
    wrong += it->x[i] != kernels * it->by_kernel + it->calls * it->by_call + i;
  conform_true(wrong == 0);
  conform_true(it->wrong == 0);
  conform_true(it->calls == ROUNDS);
  conform_succeed(cudaFree(it->x));
  conform_succeed(cudaStreamDestroy(it->stream));
}

static void send_round(chain *it, int is_callback) {
  conform_true(launch(it));
  if (is_callback)
    conform_succeed(cudaStreamAddCallback(it->stream, add_in_a_callback, it, 0));
  else
    conform_succeed(cudaLaunchHostFunc(it->stream, add_on_the_host, it));
}

/* by_call is 0 for a function that reads alone. */
static void kernels_and_functions_take_turns(int by_call, int is_callback) {
  chain it;
  begin(&it, 1, by_call);
  for (int round = 0; round < ROUNDS; round++)
    send_round(&it, is_callback);
  conform_true(launch(&it));
  end(&it, ROUNDS + 1);
}

static void two_streams_do_so_at_once(void) {
  chain chains[STREAMS];
  for (int i = 0; i < STREAMS; i++)
    begin(&chains[i], i + 1, 10 * i + 3);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < STREAMS; i++)
      send_round(&chains[i], 0);
  for (int i = 0; i < STREAMS; i++)
    end(&chains[i], ROUNDS);
}

int main(void) {
  CUmodule module = conform_load(text);
  add = conform_function(module, "add");
  alarm(LIMIT);
  kernels_and_functions_take_turns(1000, 0);
  kernels_and_functions_take_turns(0, 0);
  kernels_and_functions_take_turns(7, 1);
  two_streams_do_so_at_once();
  conform_true(cuModuleUnload(module) == CUDA_SUCCESS);
  return conform_done("conform_managed_function");
}
