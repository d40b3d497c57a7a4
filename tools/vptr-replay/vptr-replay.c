/* SPDX-License-Identifier: MIT */
/*
 * vptr-replay - lists, checks and runs the launches that VPTR_RECORD wrote into a file, and compares what they leave
 * with what they left when they were recorded, or on two devices.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <vptr/version.h>

#include "compare.h"
#include "device.h"

enum { EXIT_SAME = 0, EXIT_DIFFERS = 1, EXIT_USAGE = 2, EXIT_FAILED = 3, MOST_REPEATS = 1000000 };

typedef enum action { RUN, LIST, VERIFY, COMPARE } action;

typedef struct options {
  action action;
  uint64_t first, last;
  unsigned repeat;
  rp_rule rule;
  const char *device;
} options;

static void print_help(void) {
  puts(
      "Usage: vptr-replay [OPTION]... FILE\n"
      "       vptr-replay [OPTION]... --compare A B FILE\n"
      "Run the launches of kernels that a program recorded with VPTR_RECORD=FILE, each with the memory that it had, "
      "and\n"
      "compare what they leave with what was recorded.\n"
      "\n"
      "  --list              list the launches, and run nothing\n"
      "  --verify            check the whole file, and run nothing\n"
      "  --compare           run on devices A and B, and name the first launch that differs, and the first byte\n"
      "  --device=DEVICE     run there\n"
      "  --launch=N[-M]      only these launches, by the numbers that --list shows\n"
      "  --repeat=N          run each launch N times, from the same memory\n"
      "  --tolerance=T       numbers may differ by T times the larger one (needs --type)\n"
      "  --type=float|double what the memory holds; without it, bytes are compared\n"
      "  --help, --version\n"
      "\n"
      "A DEVICE is a part of an OpenCL platform's name, or words NAME=VALUE with commas between them, which set the\n"
      "variables VPTR_NAME: platform=portable,device=0,threads=items. The exit status is 0 where all is the same,\n"
      "1 where something differs or a file is not whole, 2 for a wrong command line, 3 where something fails.");
}

/* ---- listing -------------------------------------------------------------------------------------------- */

static const char *state_of(const rp_launch *launch) {
  if (launch->is_dropped)
    return "not sent";
  if (!launch->is_ready)
    return "not all of its memory is there";
  return launch->is_done ? "done" : "not done when the file ends";
}

static int list(const rp_recording *recording) {
  for (size_t i = 0; i < recording->launch_count; i++) {
    const rp_launch *launch = &recording->launches[i];
    uint64_t bytes = 0;
    char line[512];
    rp_launch_line(recording, launch, line, sizeof line);
    for (uint32_t k = 0; k < launch->is.area_count; k++)
      bytes += launch->areas[k].is.size;
    printf("%" PRIu64 "  %.*s  grid %u %u %u  block %u %u %u  shared %" PRIu64 "  %u areas of %" PRIu64
           " bytes  %s%s%s\n",
           launch->number, (int)launch->name.length, launch->name.at, launch->is.grid[0], launch->is.grid[1],
           launch->is.grid[2], launch->is.block[0], launch->is.block[1], launch->is.block[2], launch->is.shared,
           launch->is.area_count, bytes, state_of(launch), line[0] != '\0' ? "  " : "", line);
  }
  return EXIT_SAME;
}

/* ---- running -------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

/* Whether an area is as it was recorded behind the launch. */
static int check_area(const rp_recording *recording, const rp_launch *launch, uint32_t area, const rp_rule *rule) {
  const size_t size = launch->areas[area].is.size;
  unsigned char *recorded = rp_area_bytes(launch, area, true), *here = rp_calloc(1, size);
  int verdict = EXIT_FAILED;
  if (rp_device_read(launch, area, 0, here, size)) {
    size_t found = rp_difference_find(rule, recorded, here, size);
    verdict = found < size ? EXIT_DIFFERS : EXIT_SAME;
    if (found < size)
      rp_difference_tell(recording, launch, area, found, rule, recorded + found, here + found, "recorded", "here");
  }
  free(recorded);
  free(here);
  return verdict;
}

static int check_launch(const rp_recording *recording, const rp_launch *launch, const rp_rule *rule) {
  int verdict = EXIT_SAME;
  for (uint32_t i = 0; launch->is_done && i < launch->is.area_count && verdict == EXIT_SAME; i++)
    verdict = check_area(recording, launch, i, rule);
  return verdict;
}

static int run_launch(const rp_recording *recording, const rp_launch *launch, const options *it) {
  double *seconds = rp_calloc(it->repeat, sizeof *seconds);
  int verdict = EXIT_FAILED;
  if (rp_device_run(recording, launch, it->repeat, seconds)) {
    verdict = check_launch(recording, launch, &it->rule);
    qsort(seconds, it->repeat, sizeof *seconds, by_size);
  }
  if (verdict != EXIT_FAILED)
    printf("%" PRIu64 "  %.*s  min %.3f us  median %.3f us  %s\n", launch->number, (int)launch->name.length,
           launch->name.at, seconds[0] * 1e6, seconds[it->repeat / 2] * 1e6,
           verdict == EXIT_DIFFERS ? "differs"
           : launch->is_done       ? "as recorded"
                                   : "what it left was not recorded");
  free(seconds);
  return verdict;
}

static int run(const rp_recording *recording, const options *it) {
  int verdict = EXIT_SAME;
  if (!rp_device_open(recording, it->first, it->last))
    return EXIT_FAILED;
  for (size_t i = 0; i < recording->launch_count && verdict != EXIT_FAILED; i++) {
    const rp_launch *launch = &recording->launches[i];
    if (!rp_launch_can_run(launch) || launch->number < it->first || launch->number > it->last)
      continue;
    int one = run_launch(recording, launch, it);
    verdict = one > verdict ? one : verdict;
  }
  return verdict;
}

/* ---- options -------------------------------------------------------------------------------------------- */

static int refuse_usage(const char *what, const char *value) {
  fprintf(stderr, "vptr-replay: %s '%s'; see vptr-replay --help\n", what, value);
  return EXIT_USAGE;
}

static bool read_number(const char *text, uint64_t *number_out, const char **end_out) {
  char *end;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *number_out = strtoull(text, &end, 10);
  *end_out = end;
  return errno == 0;
}

static bool read_launches(const char *text, options *it) {
  const char *end;
  if (!read_number(text, &it->first, &end))
    return false;
  it->last = it->first;
  return *end == '\0' ||
         (*end == '-' && read_number(end + 1, &it->last, &end) && *end == '\0' && it->first <= it->last);
}

static bool read_repeat(const char *text, unsigned *repeat_out) {
  uint64_t number;
  const char *end;
  if (!read_number(text, &number, &end) || *end != '\0' || number < 1 || number > MOST_REPEATS)
    return false;
  *repeat_out = (unsigned)number;
  return true;
}

static bool read_tolerance(const char *text, double *tolerance_out) {
  char *end;
  *tolerance_out = strtod(text, &end);
  return end != text && *end == '\0' && *tolerance_out >= 0 && *tolerance_out < 1;
}

static bool read_type(const char *text, rp_type *type_out) {
  *type_out = strcmp(text, "double") == 0 ? RP_DOUBLE : RP_FLOAT;
  return *type_out == RP_DOUBLE || strcmp(text, "float") == 0;
}

/* 0: read on; below 0: done with success; else the exit status. */
static int read_option(int option, options *it) {
  switch (option) {
  case 'l':
    it->action = LIST;
    return 0;
  case 'v':
    it->action = VERIFY;
    return 0;
  case 'c':
    it->action = COMPARE;
    return 0;
  case 'd':
    it->device = optarg;
    return 0;
  case 'n':
    return read_launches(optarg, it) ? 0
                                     : refuse_usage("--launch takes a number, or two with '-' between, not", optarg);
  case 'r':
    return read_repeat(optarg, &it->repeat) ? 0
                                            : refuse_usage("--repeat takes a number from 1 to 1000000, not", optarg);
  case 't':
    return read_tolerance(optarg, &it->rule.tolerance)
               ? 0
               : refuse_usage("--tolerance takes a number below 1, not", optarg);
  case 'y':
    return read_type(optarg, &it->rule.type) ? 0 : refuse_usage("--type takes float or double, not", optarg);
  case 'h':
    print_help();
    return -1;
  case 'V':
    printf("vptr-replay (vptr) %s\n", VPTR_VERSION_STRING);
    return -1;
  default:
    return EXIT_USAGE;
  }
}

static int read_options(int argc, char **argv, options *it) {
  static const struct option known[] = { { "list", no_argument, NULL, 'l' },
                                         { "verify", no_argument, NULL, 'v' },
                                         { "compare", no_argument, NULL, 'c' },
                                         { "device", required_argument, NULL, 'd' },
                                         { "launch", required_argument, NULL, 'n' },
                                         { "repeat", required_argument, NULL, 'r' },
                                         { "tolerance", required_argument, NULL, 't' },
                                         { "type", required_argument, NULL, 'y' },
                                         { "help", no_argument, NULL, 'h' },
                                         { "version", no_argument, NULL, 'V' },
                                         { NULL, 0, NULL, 0 } };
  int option, status = 0;
  while (status == 0 && (option = getopt_long(argc, argv, "", known, NULL)) != -1)
    status = read_option(option, it);
  if (status != 0)
    return status;
  const int wanted = it->action == COMPARE ? 3 : 1;
  if (argc - optind != wanted) {
    fprintf(stderr, "vptr-replay: %s, not %d names; see vptr-replay --help\n",
            wanted == 3 ? "--compare takes two devices and a file" : "it takes a file", argc - optind);
    return EXIT_USAGE;
  }
  return it->rule.tolerance > 0 && it->rule.type == RP_BYTES ? refuse_usage("--tolerance needs", "--type") : 0;
}

static int act(const rp_recording *recording, const options *it, char **names) {
  switch (it->action) {
  case LIST:
    return list(recording);
  case VERIFY:
    printf("%s: %zu launches, %zu modules, %zu bytes\n", recording->name, recording->launch_count,
           recording->module_count, recording->whole);
    return recording->whole < recording->size ? EXIT_DIFFERS : EXIT_SAME;
  case COMPARE:
    return rp_compare(recording, names[0], names[1], it->first, it->last, &it->rule);
  default:
    return it->device == NULL || rp_device_choose(it->device) ? run(recording, it) : EXIT_USAGE;
  }
}

int main(int argc, char **argv) {
  options it = { .last = UINT64_MAX, .repeat = 1 };
  static rp_recording recording; /* until the process ends */
  unsetenv("VPTR_RECORD");       /* it might be the file that is read */
  int status = read_options(argc, argv, &it);
  if (status != 0)
    return status < 0 ? EXIT_SAME : status;
  if (!rp_recording_open(argv[argc - 1], &recording))
    return EXIT_FAILED;
  if (recording.whole < recording.size)
    fprintf(stderr,
            "vptr-replay: %s: the record at byte %zu is not all there, and is left out: the program ended while it "
            "was written, or the file was cut\n",
            recording.name, recording.whole);
  status = act(&recording, &it, argv + optind);
  if (fflush(stdout) != 0) {
    perror("vptr-replay: standard output");
    return EXIT_FAILED;
  }
  return status;
}
