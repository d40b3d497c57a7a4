/* SPDX-License-Identifier: MIT */
/*
 * apart - kernels over an allocation of three buffers that lie apart, beside the same over one buffer: microseconds a
 * launch, and the ratio.
 *
 *     vptrcc -O2 --finds-buffers apart.cu -o apart && ./apart 5 9        or, on a GPU, ./apart 5 9 elapsed
 *
 * The program runs itself anew: how large a buffer may be, and that buffers lie apart, are variables of the environment.
 * So many pairs of processes take turns (5 if no number is given), each measures so many launches (9) and tells the
 * least, and what is printed is the median of their figures and of their ratios. Time is the processors', so that other
 * programs disturb it little, or what has elapsed. Both must compute the same.
 */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <string>

#include "program.h"

#ifndef SCALE
#define SCALE 1 /* 192 MiB in buffers of 64 MiB; -DSCALE=8 for a device that reads them in no time */
#endif
enum { WORDS = SCALE * (48 << 20), PART = SCALE * (64 << 20), THREADS = 1 << 16, BLOCK = 256, JUMPS = 64, KERNELS = 5 };

__global__ void write_all(unsigned *to, unsigned step) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < WORDS; i += step)
    to[i] = i * 3;
}

__global__ void read_all(const unsigned *from, unsigned *sums, unsigned step) {
  unsigned first = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (unsigned i = first; i < WORDS; i += step)
    sum += from[i];
  sums[first] = sum;
}

__global__ void add_one(unsigned *to) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] += 1;
}

__global__ void add_other(unsigned *to, const unsigned *from, unsigned step) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < WORDS; i += step)
    to[i] += from[i];
}

__global__ void jump(const unsigned *from, unsigned *sums) {
  unsigned first = blockIdx.x * blockDim.x + threadIdx.x, at = first * 2246822519u, sum = 0;
  for (int i = 0; i < JUMPS; i++, at = at * 1664525u + 1013904223u)
    sum += from[at % WORDS];
  sums[first] = sum;
}

static const char *const names[KERNELS] = { "writing in order", "reading in order", "a word a thread",
                                            "reading at random", "adding another" };

/* ---- a process that measures ------------------------------------------------------------------------------ */

static unsigned long long checksum(const unsigned *sums) {
  std::vector<unsigned> host(THREADS);
  unsigned long long sum = 0;
  must(cudaMemcpy(host.data(), sums, THREADS * sizeof(unsigned), cudaMemcpyDeviceToHost), "cudaMemcpy");
  for (unsigned each : host)
    sum = sum * 31 + each;
  return sum;
}

static double read_clock(bool is_elapsed) {
  timespec time;
  if (is_elapsed)
    return now();
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

struct sampling {
  int samples;
  bool is_elapsed;
};

/* The first launch builds the kernel. */
template <typename Send> static double least_of(const char *name, const sampling &how, const Send &send) {
  double least = 0;
  for (int i = 0; i <= how.samples; i++) {
    const double begin = read_clock(how.is_elapsed);
    send();
    must(cudaGetLastError(), name);
    must(cudaDeviceSynchronize(), name);
    const double took = read_clock(how.is_elapsed) - begin;
    if (i == 1 || (i > 1 && took < least))
      least = took;
  }
  return least;
}

/* A line a kernel: microseconds, and what came out of it. */
static int measure(const sampling &how) {
  unsigned *words, *others, *sums;
  must(cudaMalloc((void **)&words, WORDS * sizeof(unsigned)), "cudaMalloc");
  must(cudaMalloc((void **)&others, WORDS * sizeof(unsigned)), "cudaMalloc");
  must(cudaMalloc((void **)&sums, THREADS * sizeof(unsigned)), "cudaMalloc");
  const int blocks = THREADS / BLOCK;
  double took = least_of(names[0], how, [&] { write_all<<<blocks, BLOCK>>>(words, THREADS); });
  printf("%.3f 0\n", took);
  took = least_of(names[1], how, [&] { read_all<<<blocks, BLOCK>>>(words, sums, THREADS); });
  printf("%.3f %llu\n", took, checksum(sums));
  took = least_of(names[2], how, [&] { add_one<<<WORDS / BLOCK, BLOCK>>>(words); });
  write_all<<<blocks, BLOCK>>>(words, THREADS);
  printf("%.3f 0\n", took);
  took = least_of(names[3], how, [&] { jump<<<blocks, BLOCK>>>(words, sums); });
  printf("%.3f %llu\n", took, checksum(sums));
  write_all<<<blocks, BLOCK>>>(others, THREADS);
  took = least_of(names[4], how, [&] { add_other<<<blocks, BLOCK>>>(words, others, THREADS); });
  jump<<<blocks, BLOCK>>>(words, sums);
  printf("%.3f %llu\n", took, checksum(sums));
  return 0;
}

/* ---- the one that asks ------------------------------------------------------------------------------------ */

struct figures {
  double microseconds[KERNELS];
  unsigned long long sums[KERNELS];
};

static void fail(const char *what) {
  fprintf(stderr, "apart: %s\n", what);
  exit(1);
}

static figures run(const char *self, bool is_apart, const char *samples, const char *clock) {
  figures seen;
  int ends[2], status = 0;
  if (pipe(ends) != 0)
    fail("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    if (is_apart) {
      setenv("VPTR_BUFFER_BYTES", std::to_string(PART).c_str(), 1);
      setenv("VPTR_BUFFER_ROWS", "0", 1);
    }
    execl(self, self, "measure", samples, clock, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  FILE *from = fdopen(ends[0], "r");
  bool is_read = child > 0 && from != NULL;
  for (int i = 0; i < KERNELS && is_read; i++)
    is_read = fscanf(from, "%lf %llu", &seen.microseconds[i], &seen.sums[i]) == 2;
  if (from != NULL)
    fclose(from);
  if (!is_read || waitpid(child, &status, 0) != child || status != 0)
    fail("a process that measures failed");
  return seen;
}

int main(int argc, char **argv) {
  if (argc == 4 && std::string(argv[1]) == "measure")
    return measure({ atoi(argv[2]), std::string(argv[3]) == "elapsed" });
  const int pairs = argc > 1 ? atoi(argv[1]) : 5;
  const char *samples = argc > 2 ? argv[2] : "9", *clock = argc > 3 ? argv[3] : "processors";
  if (std::string(clock) != "processors" && std::string(clock) != "elapsed")
    fail("the third argument is processors or elapsed");
  std::vector<double> one[KERNELS], apart[KERNELS], ratio[KERNELS];
  for (int pair = 0; pair < pairs; pair++) {
    const figures whole = run("/proc/self/exe", false, samples, clock),
                  parts = run("/proc/self/exe", true, samples, clock);
    for (int i = 0; i < KERNELS; i++) {
      if (whole.sums[i] != parts.sums[i])
        fail("the results differ");
      one[i].push_back(whole.microseconds[i]);
      apart[i].push_back(parts.microseconds[i]);
      ratio[i].push_back(parts.microseconds[i] / whole.microseconds[i]);
    }
  }
  printf("%-20s %14s %14s %8s\n", "kernel", "one buffer us", "apart us", "ratio");
  for (int i = 0; i < KERNELS; i++)
    printf("%-20s %14.1f %14.1f %8.2f\n", names[i], median(one[i]), median(apart[i]), median(ratio[i]));
  return 0;
}
