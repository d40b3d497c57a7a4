/* SPDX-License-Identifier: MIT */
/*
 * compile - see compile.h.
 *
 * Each library and text has a process of its own (compile_child.c), which starts small: memory that one compilation
 * leaves behind is not another's. The first compilation of a process is not measured.
 */
#include "compile.h"

#include <vptr/vptr.h>

#include "child.h"
#include "clock.h"
#include "compile_text.h"
#include "progress.h"
#include "report.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, WORDS = 160 };

typedef enum side { VPTR, NVIDIA, SIDES } side;

static const report_column columns[] = {
  { "kernel", "kernel", 10, REPORT_TEXT, REPORT_IN_ALL },
  { "lines", "lines", 6, 0, REPORT_IN_ALL },
  { "vptr ms", "vptr_ms", 9, 2, REPORT_IN_ALL },
  { "least", "vptr_least_ms", 8, 2, REPORT_IN_ALL },
  { "most", "vptr_most_ms", 8, 2, REPORT_IN_ALL },
  { "MiB", "vptr_mib", 7, 1, REPORT_IN_ALL },
  { "NVRTC ms", "nvrtc_ms", 9, 2, REPORT_IN_ALL },
  { "least", "nvrtc_least_ms", 8, 2, REPORT_IN_ALL },
  { "most", "nvrtc_most_ms", 8, 2, REPORT_IN_ALL },
  { "MiB", "nvrtc_mib", 7, 1, REPORT_IN_ALL },
  { "vptr/NVRTC", "vptr_per_nvrtc", 10, 3, REPORT_IN_ALL },
  { "of memory", "vptr_mib_per_nvrtc", 9, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* What a process told. */
typedef struct answer {
  double *samples; /* ms, count of them */
  size_t count, room;
  double mib;
  char library[WORDS], none[WORDS], failed[WORDS]; /* empty: not told */
} answer;

typedef struct compile_bench {
  const options *options;
  report report;
  progress progress;
  char child[PATH_SIZE], own[PATH_SIZE];
  double *memory;
} compile_bench;

/* ---- processes ------------------------------------------------------------------------------------------------ */

static const char *behind(const char *line, const char *word) {
  size_t length = strlen(word);
  return strncmp(line, word, length) == 0 ? line + length : NULL;
}

static bool take_line(void *to, char *line) {
  answer *answer = to;
  const char *rest;
  if ((rest = behind(line, "ns ")) != NULL && answer->count < answer->room)
    answer->samples[answer->count++] = strtod(rest, NULL) / 1e6;
  else if ((rest = behind(line, "kib ")) != NULL)
    answer->mib = strtod(rest, NULL) / 1024;
  else if ((rest = behind(line, "library ")) != NULL)
    snprintf(answer->library, WORDS, "%s", rest);
  else if ((rest = behind(line, "none ")) != NULL)
    snprintf(answer->none, WORDS, "%s", rest);
  else if ((rest = behind(line, "failed ")) != NULL)
    snprintf(answer->failed, WORDS, "%s", rest);
  else
    return false;
  return true;
}

/* False: the process did not do what it is for. */
static bool ask(compile_bench *bench, side side, const char *text, size_t times, answer *answer) {
  const char *given = bench->options->nvrtc;
  char number[24];
  const char *arguments[] = { bench->child, number, text, bench->own, NULL, NULL };
  int status = 0;
  snprintf(number, sizeof number, "%zu", times);
  *answer =
      (struct answer){ .samples = bench->memory + side * bench->options->repetitions, .room = times, .mib = NAN };
  if (side == NVIDIA) {
    arguments[3] = given != NULL ? given : "libnvrtc.so.13";
    arguments[4] = given != NULL ? NULL : "libnvrtc.so.12";
  }
  progress_step(&bench->progress, "compilations");
  if (!child_run(arguments, take_line, answer, &status))
    return false;
  bool good = status == 0 && (answer->count == answer->room || answer->failed[0] != '\0' || answer->none[0] != '\0');
  if (!good)
    fprintf(stderr, "vptr-bench: %s ended with status %d, after %zu of %zu compilations\n", bench->child, status,
            answer->count, answer->room);
  return good;
}

/* In the folder of libvptr, as it is installed and built. */
static bool find_own(char *path) {
  Dl_info where = { 0 };
  void *function;
  __typeof__(&vptr_get_device) known = vptr_get_device;
  memcpy(&function, &known, sizeof function);
  const char *end = dladdr(function, &where) != 0 ? strrchr(where.dli_fname, '/') : NULL;
  int length = end != NULL ? (int)(end - where.dli_fname) : 0;
  return snprintf(path, PATH_SIZE, "%.*s/libvptr-nvrtc.so", length, end != NULL ? where.dli_fname : "") < PATH_SIZE;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static void say_failure(compile_bench *bench, side side, const compile_text *text, const answer *answer) {
  bool is_for_clang = side == VPTR && text->is_cxx;
  if (answer->failed[0] != '\0')
    report_left_out(&bench->report, "%s, by %s%s: %.100s", text->name, side == VPTR ? "vptr" : "NVIDIA's",
                    is_for_clang ? " (it takes clang, and vptrcc, which VPTRCC names)" : "", answer->failed);
}

static void add_cells(const answer *answer, report_cell *cells, double *median_out) {
  bool is_there = answer->count > 0 && answer->count == answer->room;
  summary of = { NAN, NAN, NAN };
  if (is_there)
    of = summary_of(answer->samples, answer->count);
  *median_out = of.median;
  cells[0] = report_number(of.median);
  cells[1] = report_number(is_there ? answer->samples[0] : (double)NAN);
  cells[2] = report_number(is_there ? answer->samples[answer->count - 1] : (double)NAN);
  cells[3] = report_number(answer->mib);
}

static void print_row(compile_bench *bench, const compile_text *text, const answer *answers) {
  enum { OF_VPTR = 2, OF_NVIDIA = 6, RATIOS = 10 };
  double medians[SIDES];
  report_cell cells[COLUMNS] = { { .text = text->name }, report_number((double)text->lines) };
  add_cells(&answers[VPTR], cells + OF_VPTR, &medians[VPTR]);
  add_cells(&answers[NVIDIA], cells + OF_NVIDIA, &medians[NVIDIA]);
  cells[RATIOS] = report_number(medians[VPTR] / medians[NVIDIA]);
  cells[RATIOS + 1] = report_number(answers[VPTR].mib / answers[NVIDIA].mib);
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

static bool measure(compile_bench *bench, size_t which) {
  compile_text text;
  answer answers[SIDES];
  bool good = compile_text_make(which, &text);
  for (side side = 0; good && side < SIDES; side++)
    good = ask(bench, side, text.text, bench->options->repetitions, &answers[side]);
  for (side side = 0; good && side < SIDES; side++)
    say_failure(bench, side, &text, &answers[side]);
  if (good)
    print_row(bench, &text, answers);
  free(text.text);
  return good;
}

/* ---- which libraries -------------------------------------------------------------------------------------------- */

static bool is_own(const char *library) {
  return strstr(library, "libvptr-nvrtc") != NULL;
}

/* vptr's library also stands under NVIDIA's names. */
static bool are_right(const compile_bench *bench, const answer *answers) {
  const answer *own = &answers[VPTR], *other = &answers[NVIDIA];
  progress_wipe(&bench->progress);
  if (own->none[0] != '\0')
    fprintf(stderr, "vptr-bench: %s; a build by --disable-shared has no such library to open\n", own->none);
  else if (is_own(other->library))
    fprintf(stderr, "vptr-bench: the libnvrtc that is found is vptr's own (%s): name NVIDIA's by --nvrtc=PATH\n",
            other->library);
  else if (bench->options->nvrtc != NULL && other->none[0] != '\0')
    fprintf(stderr, "vptr-bench: --nvrtc=%s: %s\n", bench->options->nvrtc, other->none);
  else
    return true;
  return false;
}

/* An empty text tells what there is. */
static bool begin_report(compile_bench *bench) {
  answer answers[SIDES];
  for (side side = 0; side < SIDES; side++)
    if (!ask(bench, side, "", 0, &answers[side]))
      return false;
  if (!are_right(bench, answers))
    return false;
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  report_note(&bench->report, "memory", "what a process grows by at most, with the library and its child processes");
  report_note(&bench->report, "vptr", answers[VPTR].library);
  if (answers[NVIDIA].none[0] == '\0')
    report_note(&bench->report, "NVRTC", answers[NVIDIA].library);
  else
    report_left_out(&bench->report, "NVIDIA's libnvrtc: %s; --nvrtc=PATH names one", answers[NVIDIA].none);
  return true;
}

bool compile_run(const options *wanted) {
  compile_bench bench = { .options = wanted };
  bench.memory = calloc(SIDES * wanted->repetitions, sizeof *bench.memory);
  if (bench.memory == NULL) {
    fputs("vptr-bench: the host has no memory for the samples\n", stderr);
    return false;
  }
  bool good = child_find("vptr-bench-compile", bench.child, sizeof bench.child) && find_own(bench.own);
  if (!good)
    fputs("vptr-bench: there is no vptr-bench-compile in its folder\n", stderr);
  setenv("VPTR_CACHE", "off", 1); /* where vptr keeps what clang made */
  progress_begin(&bench.progress, SIDES * (COMPILE_TEXTS + 1));
  good = good && begin_report(&bench);
  for (size_t i = 0; good && i < COMPILE_TEXTS; i++)
    good = measure(&bench, i);
  progress_wipe(&bench.progress);
  if (good)
    report_end(&bench.report);
  free(bench.memory);
  return good;
}
