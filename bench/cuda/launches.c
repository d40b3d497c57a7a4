/* SPDX-License-Identifier: MIT */
/*
 * launches - see groups.h.
 *
 * With the same arguments each time, and with those of two sets in turn: a runtime may leave out what a kernel has
 * already. And a loop of launches beside the graph that is captured of it.
 */
#include "groups.h"

#include "empty.h"

#include <stdio.h>

enum { SETS = 2, BYTES = 256, LOOP = 32 };

/* One kernel, and where its pointers are. */
typedef struct launches {
  runner *runner;
  const void *function;
  char *pointers[SETS][MOST_POINTERS];
  void *arguments[SETS][MOST_POINTERS];
  cudaEvent_t event;
  cudaGraphExec_t graph; /* of LOOP launches */
} launches;

static cudaError_t launch(const launches *of, size_t set) {
  const dim3 one = { 1, 1, 1 };
  return cudaLaunchKernel(of->function, one, one, (void **)of->arguments[set], 0, of->runner->stream);
}

static cudaError_t send_same(const void *of, size_t turn) {
  (void)turn;
  return launch((const launches *)of, 0);
}

static cudaError_t send_other(const void *of, size_t turn) {
  return launch((const launches *)of, turn % SETS);
}

static cudaError_t wait_for(const void *of) {
  return cudaStreamSynchronize(((const launches *)of)->runner->stream);
}

static cudaError_t send_and_wait(const void *of, size_t turn) {
  cudaError_t error = send_other(of, turn);
  return error != cudaSuccess ? error : wait_for(of);
}

/* A loop of launches, as a program sends it, and as a graph that was captured of it. */
static cudaError_t send_loop(const void *of, size_t turn) {
  cudaError_t error = cudaSuccess;
  (void)turn;
  for (size_t i = 0; i < LOOP && error == cudaSuccess; i++)
    error = send_other(of, i);
  return error;
}

static cudaError_t send_loop_and_wait(const void *of, size_t turn) {
  cudaError_t error = send_loop(of, turn);
  return error != cudaSuccess ? error : wait_for(of);
}

static cudaError_t launch_graph_and_wait(const void *of, size_t turn) {
  const launches *launches = of;
  (void)turn;
  cudaError_t error = cudaGraphLaunch(launches->graph, launches->runner->stream);
  return error != cudaSuccess ? error : wait_for(of);
}

static cudaError_t wait_idle(const void *of, size_t turn) {
  (void)turn;
  return wait_for(of);
}

static cudaError_t record(const void *of, size_t turn) {
  const launches *launches = of;
  (void)turn;
  return cudaEventRecord(launches->event, launches->runner->stream);
}

static void measure_one(launches *launches, const char *name, operation go, waiting how) {
  const work work = { .name = name, .go = go, .of = launches, .stream = launches->runner->stream, .how = how };
  runner_measure(launches->runner, &work);
}

static void measure_launch(launches *launches, const char *format, size_t pointers, operation go, waiting how) {
  char name[96];
  snprintf(name, sizeof name, format, pointers);
  measure_one(launches, name, go, how);
}

static cudaError_t capture_loop(launches *launches) {
  cudaGraph_t graph = NULL;
  cudaError_t error = cudaStreamBeginCapture(launches->runner->stream, cudaStreamCaptureModeThreadLocal);
  if (error != cudaSuccess)
    return error;
  error = send_loop(launches, 0);
  cudaError_t ended = cudaStreamEndCapture(launches->runner->stream, &graph);
  if (error == cudaSuccess)
    error = ended;
  if (error == cudaSuccess)
    error = cudaGraphInstantiate(&launches->graph, graph, 0);
  if (graph != NULL)
    cudaGraphDestroy(graph);
  if (error == cudaSuccess)
    error = cudaGraphUpload(launches->graph, launches->runner->stream);
  return error;
}

static void measure_graph(launches *launches) {
  static const char of_calls[] = "32 launches waited for; one by one",
                    of_graph[] = "32 launches waited for; as a graph";
  if (!runner_wants(launches->runner, of_calls) && !runner_wants(launches->runner, of_graph))
    return;
  measure_one(launches, of_calls, send_loop_and_wait, WAITED_FOR);
  if (!runner_good(launches->runner, of_graph, 0, capture_loop(launches)))
    return;
  measure_one(launches, of_graph, launch_graph_and_wait, WAITED_FOR);
  cudaGraphExecDestroy(launches->graph);
}

static void measure_kernels(launches *launches) {
  empty_kernel kernels[EMPTY_KERNELS];
  empty_kernels(kernels);
  for (int i = 0; i < EMPTY_KERNELS; i++) {
    size_t pointers = kernels[i].pointers;
    launches->function = kernels[i].function;
    measure_launch(launches, "launch sent; %zu pointers", pointers, send_same, SENT_WITH_CPU);
    if (pointers > 0)
      measure_launch(launches, "launch sent; %zu pointers; others each time", pointers, send_other, SENT_WITH_CPU);
    measure_launch(launches, "launch waited for; %zu pointers", pointers, send_and_wait, WAITED_FOR);
    if (pointers == 1)
      measure_graph(launches);
  }
}

static void measure_event(launches *launches, const char *name, unsigned flags) {
  if (!runner_wants(launches->runner, name) ||
      !runner_good(launches->runner, name, 0, cudaEventCreateWithFlags(&launches->event, flags)))
    return;
  measure_one(launches, name, record, SENT);
  cudaEventDestroy(launches->event);
}

static cudaError_t make_pointers(launches *launches) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < (size_t)SETS * MOST_POINTERS && error == cudaSuccess; i++) {
    char **pointer = &launches->pointers[i / MOST_POINTERS][i % MOST_POINTERS];
    error = cudaMalloc((void **)pointer, BYTES);
    launches->arguments[i / MOST_POINTERS][i % MOST_POINTERS] = pointer;
  }
  return error;
}

void launches_measure(runner *runner) {
  launches launches = { .runner = runner };
  if (runner_good(runner, "launches, with pointers", BYTES, make_pointers(&launches)))
    measure_kernels(&launches);
  for (size_t i = 0; i < (size_t)SETS * MOST_POINTERS; i++)
    cudaFree(launches.pointers[i / MOST_POINTERS][i % MOST_POINTERS]);
  measure_one(&launches, "cudaStreamSynchronize; idle", wait_idle, WAITED_FOR);
  measure_event(&launches, "cudaEventRecord", cudaEventDefault);
  measure_event(&launches, "cudaEventRecord; without time", cudaEventDisableTiming);
}
