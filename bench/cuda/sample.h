/* SPDX-License-Identifier: MIT */
/*
 * sample - how a figure of the runner comes about, and the line it becomes.
 *
 * Calls are timed in chunks of some 100 us, or of 50 calls that are only sent: those are waited for behind the chunk
 * and outside of its time, so that nobody pays for what went before. A figure is the median of the chunks of 20 ms,
 * with their quartiles. Before anything is counted the same calls run for 10 ms: drivers make memory, build kernels
 * and raise clocks when they are first asked.
 *
 * A line is "name,bytes,moved,ns,low_ns,high_ns": what is asked for, what goes through a bus or a memory (empty:
 * nothing), and the time of one call. Lines that begin with '#' are "# key: text". What fails is such a line and the
 * next operation goes on, so that one bad call does not cost the rest of a run.
 *
 * All of it is C and CUDA's runtime, nothing else: the same source is compiled for vptr and by nvcc. One thread.
 */
#ifndef BENCH_CUDA_SAMPLE_H
#define BENCH_CUDA_SAMPLE_H

#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stddef.h>

#define RUNNER_COLUMNS "name,bytes,moved,ns,low_ns,high_ns"

typedef struct runner {
  const char *only;    /* names that have this in them alone; NULL: all */
  bool quick;          /* a look at whether it works: short, and nothing large */
  size_t largest;      /* sizes above are not measured */
  cudaStream_t stream; /* of work that is not waited for */
  bool failed;         /* something did */
} runner;

/* The thread's CPU time of what is sent is a line of its own, where asked for. */
typedef enum waiting { WAITED_FOR, SENT, SENT_WITH_CPU } waiting;

/* One call; it alternates by turn what it is to alternate. */
typedef cudaError_t (*operation)(const void *of, size_t turn);

typedef struct work {
  const char *name;
  size_t bytes, moved; /* 0: none */
  operation go;
  const void *of;      /* handed to it */
  cudaStream_t stream; /* where it is sent to */
  waiting how;
} work;

bool runner_wants(const runner *runner, const char *name);

/* A line for each figure, or one that says why there is none. Nothing if the name is not wanted. */
void runner_measure(runner *runner, const work *work);

/* Nothing was measured. */
__attribute__((format(printf, 2, 3))) void runner_report(const char *key, const char *format, ...);

/* A figure that was had in another way. */
void runner_print(const char *name, size_t bytes, size_t moved, double ns, double low, double high);

/* Says so if error is one; true if not. What has no memory is left out, all else has failed. */
bool runner_good(runner *runner, const char *name, size_t bytes, cudaError_t error);

#endif
