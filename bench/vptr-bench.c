/* SPDX-License-Identifier: MIT */
/*
 * vptr-bench - how fast vptr is on this machine, beside what it stands in for.
 *
 * Each benchmark is a noun with a file of its own. None is a test: numbers depend on the machine and on what else it
 * does, so ratios against something that was measured in the same run are what to look at.
 */
#include <vptr/vptr.h>

#include "alloc.h"
#include "checkpoint.h"
#include "child.h"
#include "compile.h"
#include "cuda.h"
#include "migrate.h"
#include "model.h"
#include "options.h"
#include "report.h"
#include "startup.h"
#include "stripe.h"
#include "threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef struct benchmark {
  const char *noun, *about;
  bool (*run)(const options *wanted); /* NULL: another program has it (become_other()) */
  bool takes_fake; /* the fake device, unless told otherwise: allocating costs what vptr itself takes */
  bool draws;      /* with --plot */
} benchmark;

/* Benchmarks of libraries, each in the program that is linked with its library; others are in vptr-bench-cudart. */
static const struct {
  const char *noun, *program;
  bool is_quick; /* with --quick */
} others[] = {
  { "blas", "vptr-bench-cublas", true },     { "fft", "vptr-bench-cufft", false },
  { "sparse", "vptr-bench-cusparse", true }, { "qr", "vptr-bench-cusolver", true },
  { "eigen", "vptr-bench-cusolver", true },
};
enum { OTHERS = sizeof others / sizeof *others };

static const benchmark benchmarks[] = {
  { "lookup", "look-ups by live allocations, form and order, beside a red-black tree and sallocx", NULL, true, true },
  { "alloc", "malloc and free by size and in a churn, beside the host's malloc and OpenCL buffers", alloc_run, true,
    true },
  { "threads", "look-ups and updates by several threads at once, beside a red-black tree", threads_run, true, true },
  { "scale", "allocations, buffers and streams as they become many: time and host memory of each", NULL, true, true },
  { "model", "look-ups with 10^9 allocations over 64 TiB, by a model that is checked here", model_run, true, true },
  { "checkpoint", "vptr_checkpoint and vptr_restore beside write() and read() of the same bytes, in memory",
    checkpoint_run, false, false },
  { "startup", "a program's start to the end of cudaFree(0), and of a first kernel, beside bare OpenCL", startup_run,
    false, false },
  { "copy", "cudaMemcpy and cudaMemcpy2D beside the bare OpenCL call, by direction and size", NULL, false, false },
  { "fill", "cudaMemset, vptr_fill and cudaMemset2D beside clEnqueueFillBuffer, by pattern and size", NULL, false,
    false },
  { "cuda", "CUDA's calls, beside NVIDIA's own runtime in a program that nvcc built", cuda_run, false, false },
  { "launch", "cudaLaunchKernel beside the bare OpenCL calls, by arguments", NULL, false, false },
  { "blas", "cublasSaxpy and cublasSgemm beside CLBlast's, sent and waited for", NULL, false, false },
  { "fft", "cufftExecC2C beside VkFFT's own call, sent and waited for", NULL, false, false },
  { "sparse", "cusparseSpMV, SpMM and SpGEMM beside loops in C, of even and of skewed rows", NULL, false, false },
  { "qr", "cusolverDnSgeqrf and Dgeqrf beside LAPACK's", NULL, false, false },
  { "eigen", "cuSOLVER's syevd and gesvd beside LAPACK's", NULL, false, false },
  { "managed", "cudaMallocManaged's memory used by host and kernels in turns, beside copies", NULL, false, false },
  { "evict", "arrays of twice the device's memory that leave it, beside copies by hand", NULL, false, false },
  { "span", "kernels over an allocation of three buffers, beside one buffer as large", NULL, false, false },
  { "compact", "what a fragmented heap gives back by vptr_compact(): bytes and time", NULL, false, false },
  { "migrate", "vptr_migrate() of a mapper's memory to another device and back, beside the two links", migrate_run,
    false, false },
  { "stripe", "copies to and from several devices as one, beside one of them", stripe_run, false, false },
  { "pinned", "cudaMallocHost and cudaFreeHost, beside malloc and OpenCL's host memory", NULL, false, false },
  { "svm", "memory of host and kernels: pinned, copied, OpenCL's shared virtual memory, plain", NULL, false, false },
  { "compile", "NVRTC's time and memory for kernels, a long program and a template, beside NVIDIA's libnvrtc",
    compile_run, false, false },
  { "translate", "CUDA C to OpenCL C, by lines (translated kernels at work: vptr-bench-kernels)", NULL, false,
    false },
};
enum { BENCHMARKS = sizeof benchmarks / sizeof *benchmarks };

static void print_help(void) {
  puts("Usage: vptr-bench BENCHMARK [OPTION]...\n"
       "Measure vptr on this machine.\n");
  for (size_t i = 0; i < BENCHMARKS; i++)
    printf("  %-16s %s\n", benchmarks[i].noun, benchmarks[i].about);
  puts("\n"
       "  --live MAX         go up to MAX live allocations: lookup in steps of 10 (10000000, or as far as\n"
       "                     memory and two minutes a step allow), alloc from 100 in steps of 100 (1000000);\n"
       "                     threads looks up in MAX (10000); scale and model from 100 in steps of 10 (10000000)\n"
       "  --least BYTES      lookup: allocations have from BYTES, a power of two, to 4096 (256)\n"
       "  --threads N        threads: up to N at once (one for each CPU)\n"
       "  --repetitions N    measure everything N times (15)\n"
       "  --peer PROGRAM     cuda: bench/cuda/runner.c as nvcc built it (cuda/runner-nvcc in vptr-bench's folder)\n"
       "  --own PROGRAM      cuda: the same as vptrcc built it (cuda/runner in vptr-bench's folder)\n"
       "  --nvrtc PATH       compile: NVIDIA's library (libnvrtc.so.13 or .12, where the loader finds it)\n"
       "  --only TEXT        cuda: operations that have TEXT in their name alone\n"
       "  --quick            checkpoint, cuda, blas, sparse, qr, eigen: see that it works; short,\n"
       "                     and up to 1 MiB\n"
       "  --real             lookup, alloc, threads, scale, model: use the device that is found; without it, and\n"
       "                     with VPTR_PLATFORM unset, the fake device, on which allocating costs what vptr itself\n"
       "                     takes. The others always use the device that is found\n"
       "  --csv, --json      print data instead of a table\n"
       "  --plot FILE.svg    lookup, alloc, threads, scale, model: draw it, too; needs gnuplot\n"
       "  --help             print this text\n"
       "  --version          print the version\n"
       "\n"
       "Exit status: 0 if all was measured, 1 if something failed, 2 if the command line is wrong.");
}

static const benchmark *find(const char *noun) {
  for (size_t i = 0; i < BENCHMARKS; i++)
    if (strcmp(benchmarks[i].noun, noun) == 0)
      return &benchmarks[i];
  return NULL;
}

/* An empty variable means the same as none. */
static void choose_device(const benchmark *chosen, const options *wanted) {
  const char *platform = getenv("VPTR_PLATFORM");
  if (chosen->takes_fake && !wanted->real && (platform == NULL || *platform == '\0'))
    setenv("VPTR_PLATFORM", "fake", 1);
}

/* Becomes the program beside this one that has the benchmark; returns only if that cannot be. */
static int become_other(const char *noun, char **argv) {
  const char *program = "vptr-bench-cudart";
  char path[4096];
  for (size_t i = 0; i < OTHERS; i++)
    if (strcmp(noun, others[i].noun) == 0)
      program = others[i].program;
  if (child_find(program, path, sizeof path))
    execv(path, argv);
  fprintf(stderr,
          "vptr-bench: cannot start %s, which should be in the same folder (%s); blas is there where CLBlast is, fft "
          "where VkFFT is, and qr and eigen where LAPACK is\n",
          program, strerror(errno));
  return EXIT_FAILED;
}

static bool takes_of_cuda(const options *wanted) {
  return wanted->own != NULL || wanted->peer != NULL || wanted->only != NULL;
}

static bool has_quick(const char *noun) {
  for (size_t i = 0; i < OTHERS; i++)
    if (strcmp(noun, others[i].noun) == 0)
      return others[i].is_quick;
  return false;
}

/* Those that are one benchmark's. */
static bool takes_options(const benchmark *chosen, const options *wanted) {
  if (chosen->run != cuda_run && takes_of_cuda(wanted))
    fprintf(stderr, "vptr-bench: --own, --peer and --only are cuda's, and %s has none of them\n", chosen->noun);
  else if (chosen->run != cuda_run && chosen->run != checkpoint_run && !has_quick(chosen->noun) && wanted->quick)
    fprintf(stderr, "vptr-bench: %s has no --quick; checkpoint, cuda, blas, sparse, qr and eigen have\n",
            chosen->noun);
  else if (chosen->run != compile_run && wanted->nvrtc != NULL)
    fprintf(stderr, "vptr-bench: --nvrtc is compile's, and %s has it not\n", chosen->noun);
  else
    return true;
  return false;
}

static int run(const options *wanted, char **argv) {
  if (wanted->help) {
    print_help();
    return EXIT_SUCCESS;
  }
  if (wanted->version) {
    printf("vptr-bench (vptr) %s\n", VPTR_VERSION_STRING);
    return EXIT_SUCCESS;
  }
  const benchmark *chosen = wanted->noun != NULL ? find(wanted->noun) : NULL;
  if (chosen == NULL) {
    fprintf(stderr, "vptr-bench: %s%s; 'vptr-bench --help' lists what there is\n",
            wanted->noun != NULL ? "there is no benchmark " : "name a benchmark, such as lookup",
            wanted->noun != NULL ? wanted->noun : "");
    return EXIT_USAGE;
  }
  if (wanted->plot != NULL && !chosen->draws) {
    fprintf(stderr, "vptr-bench: %s has no --plot; 'vptr-bench --help' lists what has\n", chosen->noun);
    return EXIT_USAGE;
  }
  if (!takes_options(chosen, wanted))
    return EXIT_USAGE;
  choose_device(chosen, wanted);
  if (chosen->run == NULL)
    return become_other(chosen->noun, argv);
  return chosen->run(wanted) ? EXIT_SUCCESS : EXIT_FAILED;
}

int main(int argc, char **argv) {
  options wanted;
  if (!options_parse(argc, argv, &wanted))
    return EXIT_USAGE;
  int status = run(&wanted, argv);
  return report_close() ? status : EXIT_FAILED;
}
