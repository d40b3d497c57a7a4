/* SPDX-License-Identifier: MIT */
/* sample - see sample.h. */
#include "sample.h"

#include "../clock.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { CHUNK_NS = 100000, WARM_NS = 10000000, SAMPLE_NS = 20000000, QUICK = 10 /* times shorter */ };
enum { LEAST_CHUNKS = 3, MOST_CHUNKS = 1024, MOST_CALLS = 1000, SENT_CALLS = 50 };

/* ns of one call. */
typedef struct taken {
  double wall, cpu;
} taken;

bool runner_wants(const runner *runner, const char *name) {
  return runner->only == NULL || strstr(name, runner->only) != NULL;
}

void runner_report(const char *key, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("# %s: ", key);
  vprintf(format, arguments);
  putchar('\n');
  fflush(stdout);
  va_end(arguments);
}

static void print_size(size_t size) {
  if (size > 0)
    printf("%zu", size);
  putchar(',');
}

void runner_print(const char *name, size_t bytes, size_t moved, double ns, double low, double high) {
  printf("%s,", name);
  print_size(bytes);
  print_size(moved);
  printf("%.3f,%.3f,%.3f\n", ns, low, high);
  fflush(stdout);
}

bool runner_good(runner *runner, const char *name, size_t bytes, cudaError_t error) {
  if (error == cudaSuccess)
    return true;
  cudaGetLastError();
  bool is_room = error == cudaErrorMemoryAllocation;
  const char *key = is_room ? "left out" : "failed", *why = cudaGetErrorString(error);
  if (bytes > 0)
    runner_report(key, "%s of %zu bytes: %s", name, bytes, why);
  else
    runner_report(key, "%s: %s", name, why);
  runner->failed |= !is_room;
  return false;
}

static uint64_t cpu_ns(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return (uint64_t)used.tv_sec * UINT64_C(1000000000) + (uint64_t)used.tv_nsec;
}

static cudaError_t time_calls(const work *work, size_t calls, taken *taken_out) {
  cudaError_t error = cudaSuccess;
  uint64_t cpu = work->how == SENT_WITH_CPU ? cpu_ns() : 0, begin = clock_ns();
  for (size_t i = 0; i < calls && error == cudaSuccess; i++)
    error = work->go(work->of, i);
  double wall = (double)clock_since(begin);
  cpu = work->how == SENT_WITH_CPU ? cpu_ns() - cpu : 0;
  if (work->how != WAITED_FOR && error == cudaSuccess)
    error = cudaStreamSynchronize(work->stream);
  *taken_out = (taken){ wall / (double)calls, (double)cpu / (double)calls };
  return error;
}

/* And finds out how many calls a chunk has; what is sent has as many on either side, for they fill a queue. */
static cudaError_t warm_up(const runner *runner, const work *work, size_t *calls_out) {
  uint64_t begin = clock_ns(), enough = WARM_NS / (runner->quick ? QUICK : 1);
  size_t calls = work->how == WAITED_FOR ? 1 : SENT_CALLS;
  cudaError_t error = cudaSuccess;
  for (int i = 0; error == cudaSuccess && (i < LEAST_CHUNKS || clock_since(begin) < enough); i++) {
    taken once;
    error = time_calls(work, calls, &once);
    double fitting = CHUNK_NS / (once.wall + 1);
    if (work->how == WAITED_FOR)
      calls = fitting < 1 ? 1 : fitting > MOST_CALLS ? MOST_CALLS : (size_t)fitting;
  }
  *calls_out = calls;
  return error;
}

static void print_figure(const work *work, const char *ending, double *samples, size_t count) {
  char name[128];
  summary of = summary_of(samples, count);
  snprintf(name, sizeof name, "%s%s", work->name, ending);
  runner_print(name, work->bytes, work->moved, of.median, of.low, of.high);
}

void runner_measure(runner *runner, const work *work) {
  double wall[MOST_CHUNKS], cpu[MOST_CHUNKS];
  size_t calls, count = 0;
  if (!runner_wants(runner, work->name))
    return;
  cudaError_t error = warm_up(runner, work, &calls);
  uint64_t begin = clock_ns(), enough = SAMPLE_NS / (runner->quick ? QUICK : 1);
  while (error == cudaSuccess && count < MOST_CHUNKS && (count < LEAST_CHUNKS || clock_since(begin) < enough)) {
    taken each;
    error = time_calls(work, calls, &each);
    wall[count] = each.wall;
    cpu[count++] = each.cpu;
  }
  if (!runner_good(runner, work->name, work->bytes, error))
    return;
  print_figure(work, "", wall, count);
  if (work->how == SENT_WITH_CPU)
    print_figure(work, "; CPU time", cpu, count);
}
