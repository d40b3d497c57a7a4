/* SPDX-License-Identifier: MIT */
/*
 * startup - see startup.h.
 *
 * The two programs take turns, so that what disturbs the machine disturbs both; and what is added is the median of
 * the differences within each turn, which is steadier than the difference of two medians, since a driver's start
 * takes tens of milliseconds and wanders. One turn beforehand, unmeasured, has their files in memory.
 */
#include "startup.h"

#include <vptr/vptr.h>

#include "clock.h"
#include "device.h"
#include "progress.h"
#include "report.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_DEVICES = 64, PATH_SIZE = 4096 };

typedef enum startup_side { BARE, CUDA, STARTUP_SIDES } startup_side;

typedef enum startup_figure { LOADED, READY, CALLS, USED, THREADS, RESIDENT, WRITTEN, FIGURES } startup_figure;
static const char *const figure_names[FIGURES] = {
  [LOADED] = "ms from exec to main()",
  [READY] = "ms from exec to a ready device",
  [CALLS] = "ms from main() to a ready device",
  [USED] = "ms of processor time",
  [THREADS] = "threads",
  [RESIDENT] = "KiB resident",
  [WRITTEN] = "KiB of its own",
};

static const report_column columns[] = {
  { "figure", "figure", 32, REPORT_TEXT, REPORT_IN_ALL },
  { "OpenCL", "opencl", 9, 2, REPORT_IN_ALL },
  { "+-%", "opencl_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "opencl_low", 0, 3, REPORT_IN_DATA },
  { "", "opencl_high", 0, 3, REPORT_IN_DATA },
  { "vptr", "vptr", 9, 2, REPORT_IN_ALL },
  { "+-%", "vptr_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "vptr_low", 0, 3, REPORT_IN_DATA },
  { "", "vptr_high", 0, 3, REPORT_IN_DATA },
  { "added", "added", 9, 2, REPORT_IN_ALL },
  { "low", "added_low", 9, 2, REPORT_IN_ALL },
  { "high", "added_high", 9, 2, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct startup_bench {
  const options *options;
  report report;
  progress progress;
  char paths[STARTUP_SIDES][PATH_SIZE];
  char platform[16], device[16]; /* ordinals, for the side without vptr */
  double *memory;
  double *samples[STARTUP_SIDES + 1][FIGURES]; /* the last: what is added */
} startup_bench;

static bool complain(const char *what, int error) {
  fprintf(stderr, "vptr-bench: %s: %s\n", what, strerror(error));
  return false;
}

/* ---- the two programs ------------------------------------------------------------------------------------ */

/* Beside this one; or, of a build that was not installed, in the folder above: libtool puts there what needs none of
 * the libraries that were built. */
static bool find_program(const char *name, char *path) {
  static const char *const folders[] = { "", "../" };
  char self[PATH_SIZE];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  char *last = length > 0 ? memrchr(self, '/', (size_t)length) : NULL;
  if (last == NULL)
    return complain("/proc/self/exe", errno);
  last[1] = '\0';
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if ((size_t)snprintf(path, PATH_SIZE, "%s%s%s", self, folders[i], name) < PATH_SIZE && access(path, X_OK) == 0)
      return true;
  fprintf(stderr, "vptr-bench: there is no %s in %s, where it should be\n", name, self);
  return false;
}

/* The first line that a program prints. Its words about errors go where ours do. */
static bool read_line_of(char *const *argv, char *line, size_t size) {
  extern char **environ;
  int ends[2], status = 0;
  pid_t child;
  posix_spawn_file_actions_t actions;
  if (pipe(ends) != 0)
    return complain("no pipe", errno);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  int error = posix_spawn(&child, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  FILE *from = fdopen(ends[0], "r");
  bool good = from != NULL && fgets(line, (int)size, from) != NULL;
  if (from != NULL)
    fclose(from);
  if (error != 0)
    return complain(argv[0], error);
  waitpid(child, &status, 0);
  if (good && status == 0)
    return true;
  fprintf(stderr, "vptr-bench: %s failed\n", argv[0]);
  return false;
}

static bool start(startup_bench *bench, startup_side side, double *figures_out) {
  char *argv[] = { bench->paths[side], bench->platform, bench->device, NULL };
  if (side == CUDA)
    argv[1] = NULL;
  char line[256];
  unsigned long long entered, ready;
  double used_ns;
  uint64_t begin = clock_ns();
  if (!read_line_of(argv, line, sizeof line))
    return false;
  if (sscanf(line, "%llu %llu %lf %lf %lf %lf", &entered, &ready, &used_ns, &figures_out[THREADS],
             &figures_out[RESIDENT], &figures_out[WRITTEN]) != 6) {
    fprintf(stderr, "vptr-bench: %s answers '%s', which is no measurement\n", argv[0], line);
    return false;
  }
  figures_out[USED] = used_ns / 1e6;
  figures_out[LOADED] = (double)(entered - begin) / 1e6;
  figures_out[READY] = (double)(ready - begin) / 1e6;
  figures_out[CALLS] = (double)(ready - entered) / 1e6;
  return true;
}

/* ---- which device ---------------------------------------------------------------------------------------- */

/* The ordinals of the device that vptr chooses, by which the other side finds it. */
static bool find_device(startup_bench *bench) {
  cl_device_id chosen = vptr_get_device(NULL), devices[MOST_DEVICES];
  cl_platform_id platforms[MOST_DEVICES];
  cl_uint platform_count = 0, device_count = 0;
  clGetPlatformIDs(MOST_DEVICES, platforms, &platform_count);
  for (cl_uint i = 0; i < platform_count && i < MOST_DEVICES; i++) {
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &device_count) != CL_SUCCESS)
      continue;
    for (cl_uint k = 0; k < device_count && k < MOST_DEVICES; k++) {
      if (devices[k] != chosen)
        continue;
      snprintf(bench->platform, sizeof bench->platform, "%u", i);
      snprintf(bench->device, sizeof bench->device, "%u", k);
      return true;
    }
  }
  fputs("vptr-bench: no OpenCL platform lists the device; unset VPTR_PARTITION\n", stderr);
  return false;
}

static bool prepare(startup_bench *bench, char *text, size_t size) {
  if (!device_describe(text, size))
    return false;
  if (device_is_fake()) {
    fputs("vptr-bench: startup stands beside OpenCL's own calls, and the fake device has none\n", stderr);
    return false;
  }
  return find_device(bench) && find_program("vptr-bench-startup-bare", bench->paths[BARE]) &&
         find_program("vptr-bench-startup-cuda", bench->paths[CUDA]);
}

/* ---- turns ----------------------------------------------------------------------------------------------- */

static bool take_turn(startup_bench *bench, size_t turn) {
  double found[STARTUP_SIDES][FIGURES];
  progress_step(&bench->progress, "starts of programs");
  for (startup_side side = 0; side < STARTUP_SIDES; side++)
    if (!start(bench, side, found[side]))
      return false;
  for (startup_figure figure = 0; figure < FIGURES; figure++) {
    bench->samples[BARE][figure][turn] = found[BARE][figure];
    bench->samples[CUDA][figure][turn] = found[CUDA][figure];
    bench->samples[STARTUP_SIDES][figure][turn] = found[CUDA][figure] - found[BARE][figure];
  }
  return true;
}

/* The first is overwritten. */
static bool take_turns(startup_bench *bench) {
  if (!take_turn(bench, 0))
    return false;
  for (size_t turn = 0; turn < bench->options->repetitions; turn++)
    if (!take_turn(bench, turn))
      return false;
  return true;
}

static void print_figure(startup_bench *bench, startup_figure figure) {
  report_cell cells[COLUMNS] = { { .text = figure_names[figure] } };
  size_t at = 1, count = bench->options->repetitions;
  for (startup_side side = 0; side < STARTUP_SIDES; side++) {
    summary found = summary_of(bench->samples[side][figure], count);
    cells[at++] = report_number(found.median);
    cells[at++] = report_number(summary_spread_percent(&found));
    cells[at++] = report_number(found.low);
    cells[at++] = report_number(found.high);
  }
  summary added = summary_of(bench->samples[STARTUP_SIDES][figure], count);
  cells[at++] = report_number(added.median);
  cells[at++] = report_number(added.low);
  cells[at++] = report_number(added.high);
  report_row(&bench->report, cells);
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static bool run_all(startup_bench *bench) {
  char text[256];
  if (!prepare(bench, text, sizeof text) || !take_turns(bench))
    return false;
  progress_wipe(&bench->progress);
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  report_note(&bench->report, "device", text);
  report_note(&bench->report, "OpenCL",
              "a program that asks for platforms and devices, makes a context, a queue and a small buffer");
  report_note(&bench->report, "vptr", "a program that calls cudaFree(0), linked with libvptr-cudart");
  report_note(
      &bench->report, "processor time",
      "from exec to a ready device, of all threads: steadier than the clock where the machine does other things");
  report_note(&bench->report, "of its own", "memory that no other process shares: written to since the start");
  snprintf(text, sizeof text, "medians of %zu turns, with half the width of the middle half; added: in each turn",
           bench->options->repetitions);
  report_note(&bench->report, "figures", text);
  for (startup_figure figure = 0; figure < FIGURES; figure++)
    print_figure(bench, figure);
  report_end(&bench->report);
  return true;
}

static bool allocate_samples(startup_bench *bench) {
  size_t repetitions = bench->options->repetitions;
  bench->memory = calloc(repetitions * (STARTUP_SIDES + 1) * FIGURES, sizeof *bench->memory);
  for (size_t side = 0; bench->memory != NULL && side <= STARTUP_SIDES; side++)
    for (size_t figure = 0; figure < FIGURES; figure++)
      bench->samples[side][figure] = bench->memory + (side * FIGURES + figure) * repetitions;
  return bench->memory != NULL;
}

bool startup_run(const options *wanted) {
  startup_bench bench = { .options = wanted };
  if (!allocate_samples(&bench)) {
    fputs("vptr-bench: the host has no memory for the samples\n", stderr);
    return false;
  }
  progress_begin(&bench.progress, wanted->repetitions + 1);
  bool good = run_all(&bench);
  progress_wipe(&bench.progress);
  free(bench.memory);
  return good;
}
