/* SPDX-License-Identifier: MIT */
/*
 * runner - what calls of CUDA's runtime take, one line of CSV each: the same program on vptr and on NVIDIA's library,
 * which `vptr-bench cuda` starts in turns and holds beside each other. Here, in this folder:
 *
 *     nvcc -O2 -o runner-nvcc runner.c sample.c allocations.c transfers.c launches.c empty.cu ../clock.c
 *     vptrcc -O2 -o runner runner.c sample.c allocations.c transfers.c launches.c empty.cu ../clock.c
 *
 * One thread, the first device. Exit status: 0 if all was measured, 1 if something failed, 2 for a wrong command
 * line.
 */
#include "groups.h"

#include "../clock.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, DEVICE = 0 };
static const size_t MOST_QUICK = (size_t)1 << 20, MOST_IN_PLACE = (size_t)64 << 20;
static const char START_UP[] = "cudaFree(0); from the process's start";

#ifdef VPTR_CUDA_API
static const char library[] = "vptr's";
#else
static const char library[] = "NVIDIA's";
#endif

static int print_help(void) {
  puts("Usage: runner [OPTION]...\n"
       "Measure calls of CUDA's runtime; a line is " RUNNER_COLUMNS ".\n\n"
       "  --only TEXT     operations that have TEXT in their name alone\n"
       "  --quick         see that it works: short, and up to 1 MiB\n"
       "  --begun NS      this was started when CLOCK_MONOTONIC was NS: adds what starting takes\n"
       "  --help          print this text");
  return EXIT_SUCCESS;
}

/* Where the current device's work is in the host's memory, sizes beyond its caches say nothing more. */
static bool look_at_device(runner *runner) {
  struct cudaDeviceProp properties;
  int in_place = 0, runtime = 0, driver = 0;
  cudaError_t error = cudaGetDeviceProperties(&properties, DEVICE);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&in_place, cudaDevAttrIntegrated, DEVICE);
  if (error == cudaSuccess)
    error = cudaRuntimeGetVersion(&runtime);
  if (error == cudaSuccess)
    error = cudaDriverGetVersion(&driver);
  if (error != cudaSuccess) {
    fprintf(stderr, "runner: cannot ask the device: %s\n", cudaGetErrorString(error));
    return false;
  }
  runner_report("device", "%s", properties.name);
  runner_report("runtime", "%s, %d.%d, driver %d.%d", library, runtime / 1000, runtime % 1000 / 10, driver / 1000,
                driver % 1000 / 10);
  runner->largest = runner->quick ? MOST_QUICK : in_place ? MOST_IN_PLACE : SIZE_MAX;
  return true;
}

/* All a runtime does before the first call that needs a device returns. */
static bool start_up(uint64_t *taken_at_out) {
  cudaError_t error = cudaFree(NULL);
  *taken_at_out = clock_ns();
  if (error != cudaSuccess)
    fprintf(stderr, "runner: there is no device: %s\n", cudaGetErrorString(error));
  return error == cudaSuccess;
}

static void print_head(const runner *runner, uint64_t begun, uint64_t ready) {
  if (runner->largest != SIZE_MAX)
    runner_report("left out", "sizes above %zu bytes", runner->largest);
  puts(RUNNER_COLUMNS);
  double ns = (double)(ready - begun);
  if (begun != 0 && runner_wants(runner, START_UP))
    runner_print(START_UP, 0, 0, ns, ns, ns);
}

static int run(runner *runner, uint64_t begun) {
  uint64_t ready;
  if (!start_up(&ready) || !look_at_device(runner))
    return EXIT_FAILED;
  print_head(runner, begun, ready);
  if (runner_good(runner, "a stream", 0, cudaStreamCreate(&runner->stream))) {
    allocations_measure(runner);
    transfers_measure(runner);
    launches_measure(runner);
    cudaStreamDestroy(runner->stream);
  }
  if (fclose(stdout) != 0) {
    perror("runner: cannot write the output");
    return EXIT_FAILED;
  }
  return runner->failed ? EXIT_FAILED : EXIT_SUCCESS;
}

/* Of CLOCK_MONOTONIC, so not behind what it is now. */
static bool take_begun(const char *text, uint64_t *begun_out) {
  char *end;
  errno = 0;
  unsigned long long begun = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || begun > clock_ns()) {
    fprintf(stderr, "runner: --begun takes nanoseconds of CLOCK_MONOTONIC that have passed, not '%s'\n", text);
    return false;
  }
  *begun_out = begun;
  return true;
}

int main(int argc, char **argv) {
  enum { QUICK, ONLY, BEGUN, HELP };
  static const struct option known[] = { { "quick", no_argument, NULL, QUICK },
                                         { "only", required_argument, NULL, ONLY },
                                         { "begun", required_argument, NULL, BEGUN },
                                         { "help", no_argument, NULL, HELP },
                                         { NULL, 0, NULL, 0 } };
  runner runner = { .only = NULL };
  uint64_t begun = 0;
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    if (option == HELP)
      return print_help();
    if (option == QUICK)
      runner.quick = true;
    else if (option == ONLY)
      runner.only = optarg;
    else if (option != BEGUN || !take_begun(optarg, &begun))
      return EXIT_USAGE;
  }
  if (optind < argc) {
    fprintf(stderr, "runner: takes options alone, not '%s'; --help lists them\n", argv[optind]);
    return EXIT_USAGE;
  }
  return run(&runner, begun);
}
