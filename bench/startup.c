/* SPDX-License-Identifier: MIT */
/*
 * startup - see startup.h.
 *
 * The programs take turns, so that what disturbs the machine disturbs all; and what is added is the median of
 * the differences within each turn, which is steadier than the difference of two medians, since a driver's start
 * takes tens of milliseconds and wanders. So is the ratio the median of the turns' ratios. One turn beforehand,
 * unmeasured, has their files in memory, and builds the kernel: either side keeps its own in a folder that is made for
 * the run, so that no earlier run and no VPTR_CACHE of the user's decides what is warm. A driver's own cache is left
 * as it is, and serves both.
 */
#include "startup.h"

#include <vptr/vptr.h>

#include "clock.h"
#include "device.h"
#include "progress.h"
#include "report.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_DEVICES = 64, PATH_SIZE = 4096 };

typedef enum startup_side { BARE, CUDA, STARTUP_SIDES } startup_side;

/* How far a program goes. */
typedef enum startup_goal { DEVICE, KERNEL, STARTUP_GOALS } startup_goal;

static const char *const program_names[STARTUP_GOALS][STARTUP_SIDES] = {
  [DEVICE] = { "vptr-bench-startup-bare", "vptr-bench-startup-cuda" },
  [KERNEL] = { "vptr-bench-startup-bare-launch", "vptr-bench-startup-cuda-launch" },
};

/* What is known of one start. */
typedef enum startup_reading { LOADED, REACHED, CALLS, USED, THREADS, RESIDENT, WRITTEN, READINGS } startup_reading;

typedef struct startup_figure {
  const char *name;
  startup_goal goal;
  startup_reading reading;
} startup_figure;

static const startup_figure figures[] = {
  { "ms from exec to main()", DEVICE, LOADED },
  { "ms from exec to a ready device", DEVICE, REACHED },
  { "ms from main() to a ready device", DEVICE, CALLS },
  { "ms of processor time", DEVICE, USED },
  { "threads", DEVICE, THREADS },
  { "KiB resident", DEVICE, RESIDENT },
  { "KiB of its own", DEVICE, WRITTEN },
  { "ms from exec to a kernel's end", KERNEL, REACHED },
  { "ms from main() to a kernel's end", KERNEL, CALLS },
  { "ms of processor time to its end", KERNEL, USED },
};
enum { FIGURES = sizeof figures / sizeof *figures };

/* Of each figure, a sample each turn: of either side, and of both together. */
enum { ADDED = STARTUP_SIDES, PER_BARE, SAMPLES };

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
  { "vptr/OpenCL", "vptr_per_opencl", 11, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct startup_bench {
  const options *options;
  report report;
  progress progress;
  char paths[STARTUP_GOALS][STARTUP_SIDES][PATH_SIZE];
  char platform[16], device[16];           /* ordinals, for the side without vptr */
  char folder[PATH_SIZE], kept[PATH_SIZE]; /* what both sides keep, and the file of the side without vptr there */
  double *memory;
  double *samples[SAMPLES][FIGURES];
} startup_bench;

static bool complain(const char *what, int error) {
  fprintf(stderr, "vptr-bench: %s: %s\n", what, strerror(error));
  return false;
}

/* ---- the programs ---------------------------------------------------------------------------------------- */

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

static bool start(startup_bench *bench, startup_goal goal, startup_side side, double *readings_out) {
  char *argv[] = { bench->paths[goal][side], bench->platform, bench->device, bench->kept, NULL };
  if (goal == DEVICE)
    argv[3] = NULL;
  if (side == CUDA)
    argv[1] = NULL;
  char line[256];
  unsigned long long entered, reached;
  double used_ns;
  uint64_t begin = clock_ns();
  if (!read_line_of(argv, line, sizeof line))
    return false;
  if (sscanf(line, "%llu %llu %lf %lf %lf %lf", &entered, &reached, &used_ns, &readings_out[THREADS],
             &readings_out[RESIDENT], &readings_out[WRITTEN]) != 6) {
    fprintf(stderr, "vptr-bench: %s answers '%s', which is no measurement\n", argv[0], line);
    return false;
  }
  readings_out[USED] = used_ns / 1e6;
  readings_out[LOADED] = (double)(entered - begin) / 1e6;
  readings_out[REACHED] = (double)(reached - begin) / 1e6;
  readings_out[CALLS] = (double)(reached - entered) / 1e6;
  return true;
}

static bool find_programs(startup_bench *bench) {
  bool found = true;
  for (startup_goal goal = 0; goal < STARTUP_GOALS; goal++)
    for (startup_side side = 0; side < STARTUP_SIDES && found; side++)
      found = find_program(program_names[goal][side], bench->paths[goal][side]);
  return found;
}

/* ---- what they keep -------------------------------------------------------------------------------------- */

static bool make_folder(startup_bench *bench) {
  static const char inside[] = "/bare";
  const char *parent = getenv("TMPDIR");
  char path[PATH_SIZE - sizeof inside];
  int length =
      snprintf(path, sizeof path, "%s/vptr-bench-startup-XXXXXX", parent != NULL && *parent ? parent : "/tmp");
  if ((size_t)length >= sizeof path)
    return complain("TMPDIR", ENAMETOOLONG);
  if (mkdtemp(path) == NULL)
    return complain("no folder for what the drivers build; TMPDIR names where it would be", errno);
  strcpy(bench->folder, path);
  snprintf(bench->kept, sizeof bench->kept, "%s%s", path, inside);
  return setenv("VPTR_CACHE", bench->folder, 1) == 0 || complain("VPTR_CACHE", errno);
}

/* It has files alone. */
static void remove_folder(const startup_bench *bench) {
  DIR *folder = bench->folder[0] != '\0' ? opendir(bench->folder) : NULL;
  if (folder == NULL)
    return;
  for (const struct dirent *file; (file = readdir(folder)) != NULL;)
    if (strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0)
      unlinkat(dirfd(folder), file->d_name, 0);
  closedir(folder);
  rmdir(bench->folder);
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
  return find_device(bench) && find_programs(bench) && make_folder(bench);
}

/* ---- turns ----------------------------------------------------------------------------------------------- */

static bool take_turn(startup_bench *bench, size_t turn) {
  double found[STARTUP_GOALS][STARTUP_SIDES][READINGS];
  progress_step(&bench->progress, "starts of programs");
  for (startup_goal goal = 0; goal < STARTUP_GOALS; goal++)
    for (startup_side side = 0; side < STARTUP_SIDES; side++)
      if (!start(bench, goal, side, found[goal][side]))
        return false;
  for (size_t i = 0; i < FIGURES; i++) {
    double bare = found[figures[i].goal][BARE][figures[i].reading];
    double cuda = found[figures[i].goal][CUDA][figures[i].reading];
    bench->samples[BARE][i][turn] = bare;
    bench->samples[CUDA][i][turn] = cuda;
    bench->samples[ADDED][i][turn] = cuda - bare;
    bench->samples[PER_BARE][i][turn] = bare > 0 ? cuda / bare : NAN;
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

static void print_figure(startup_bench *bench, size_t figure) {
  report_cell cells[COLUMNS] = { { .text = figures[figure].name } };
  size_t at = 1, count = bench->options->repetitions;
  for (startup_side side = 0; side < STARTUP_SIDES; side++) {
    summary found = summary_of(bench->samples[side][figure], count);
    cells[at++] = report_number(found.median);
    cells[at++] = report_number(summary_spread_percent(&found));
    cells[at++] = report_number(found.low);
    cells[at++] = report_number(found.high);
  }
  summary added = summary_of(bench->samples[ADDED][figure], count);
  cells[at++] = report_number(added.median);
  cells[at++] = report_number(added.low);
  cells[at++] = report_number(added.high);
  cells[at++] = report_number(summary_of(bench->samples[PER_BARE][figure], count).median);
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
  report_note(&bench->report, "a kernel's end",
              "programs that launch a kernel with a pointer once and wait; it was built before, and is on disk");
  snprintf(text, sizeof text,
           "medians of %zu turns, with half the width of the middle half; added, vptr/OpenCL: in each turn",
           bench->options->repetitions);
  report_note(&bench->report, "figures", text);
  for (size_t figure = 0; figure < FIGURES; figure++)
    print_figure(bench, figure);
  report_end(&bench->report);
  return true;
}

static bool allocate_samples(startup_bench *bench) {
  size_t repetitions = bench->options->repetitions;
  bench->memory = calloc(repetitions * SAMPLES * FIGURES, sizeof *bench->memory);
  for (size_t of = 0; bench->memory != NULL && of < SAMPLES; of++)
    for (size_t figure = 0; figure < FIGURES; figure++)
      bench->samples[of][figure] = bench->memory + (of * FIGURES + figure) * repetitions;
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
  remove_folder(&bench);
  free(bench.memory);
  return good;
}
