/* SPDX-License-Identifier: MIT */
/*
 * cuda - see cuda.h.
 *
 * The programs print "# key: text", then a head, then rows; sample.h has it. What is none of that ends the run, since
 * figures of a program that is not the runner mean nothing. Rows stand in the order in which they first came.
 */
#include "cuda.h"

#include "child.h"
#include "clock.h"
#include "progress.h"
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096, NAME = 96, TEXT = 160, FIELDS = 6, MOST_ROWS = 512, MOST_SAID = 16 };
static const char HEAD[] = "name,bytes,moved,ns,low_ns,high_ns", FAILED[] = "failed: ";

typedef enum side { VPTR, CUDA, SIDES } side;

static const char *const side_names[SIDES] = { [VPTR] = "vptr", [CUDA] = "CUDA" };
static const char *const built_at[SIDES] = { [VPTR] = "cuda/runner", [CUDA] = "cuda/runner-nvcc" };
static const char *const how_to_build[SIDES] = {
  [VPTR] = "make bench/cuda/runner",
  [CUDA] = "make bench/cuda/runner-nvcc NVCC=/usr/local/cuda/bin/nvcc",
};
static const char *const options_of[SIDES] = { [VPTR] = "--own", [CUDA] = "--peer" };

static const report_column columns[] = {
  { "operation", "operation", 56, REPORT_TEXT, REPORT_IN_ALL },
  { "bytes", "bytes", 10, 0, REPORT_IN_ALL },
  { "vptr ns", "vptr_ns", 13, 1, REPORT_IN_ALL },
  { "+-%", "vptr_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "vptr_low_ns", 0, 1, REPORT_IN_DATA },
  { "", "vptr_high_ns", 0, 1, REPORT_IN_DATA },
  { "CUDA ns", "cuda_ns", 13, 1, REPORT_IN_ALL },
  { "+-%", "cuda_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "cuda_low_ns", 0, 1, REPORT_IN_DATA },
  { "", "cuda_high_ns", 0, 1, REPORT_IN_DATA },
  { "speed", "vptr_speed_per_cuda", 9, 3, REPORT_IN_ALL },
  { "vptr GB/s", "vptr_gigabytes_per_second", 9, 2, REPORT_IN_ALL },
  { "CUDA GB/s", "cuda_gigabytes_per_second", 9, 2, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };
static const double LEAST_FOR_BANDWIDTH = 1 << 20;

/* An operation with its bytes; NAN: none. */
typedef struct row {
  char name[NAME];
  double bytes, moved;
  double *samples[SIDES]; /* ns, as many as there were runs of this side that had it */
  size_t count[SIDES];
} row;

typedef struct cuda_bench {
  const options *options;
  progress progress;
  char program[SIDES][PATH]; /* empty: there is none */
  char device[SIDES][TEXT], runtime[SIDES][TEXT];
  char said[SIDES][MOST_SAID][TEXT]; /* what was left out or has failed, each once */
  size_t said_count[SIDES];
  row *rows;
  size_t row_count;
  side now; /* whose lines are read: */
  bool has_head, has_failed;
} cuda_bench;

/* ---- lines of a program ---------------------------------------------------------------------------------- */

static bool refuse(const cuda_bench *bench, const char *line, const char *why) {
  progress_wipe(&bench->progress);
  fprintf(stderr, "vptr-bench: %s printed '%.200s': %s\n", bench->program[bench->now], line, why);
  return false;
}

/* The number that is all of the text, and none less than 0; an empty one is none. */
static bool read_number(const char *text, double *number_out) {
  char *end;
  errno = 0;
  double number = *text == '\0' ? NAN : strtod(text, &end);
  if (*text != '\0' && (*end != '\0' || errno != 0 || !(number >= 0) || isinf(number)))
    return false;
  *number_out = number;
  return true;
}

static bool is_same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

/* NULL: there is no room for a new one. */
static row *find_row(cuda_bench *bench, const char *name, double bytes, double moved) {
  for (size_t i = 0; i < bench->row_count; i++)
    if (strcmp(bench->rows[i].name, name) == 0 && is_same(bench->rows[i].bytes, bytes))
      return &bench->rows[i];
  if (bench->row_count == MOST_ROWS)
    return NULL;
  row *row = &bench->rows[bench->row_count];
  row->samples[VPTR] = calloc(SIDES * bench->options->repetitions, sizeof *row->samples[VPTR]);
  if (row->samples[VPTR] == NULL)
    return NULL;
  row->samples[CUDA] = row->samples[VPTR] + bench->options->repetitions;
  snprintf(row->name, sizeof row->name, "%s", name);
  row->bytes = bytes;
  row->moved = moved;
  bench->row_count++;
  return row;
}

static bool take_row(cuda_bench *bench, char *line) {
  char *fields[FIELDS], *rest = line, copy[TEXT];
  double numbers[FIELDS];
  size_t count = 0;
  snprintf(copy, sizeof copy, "%s", line);
  for (; rest != NULL && count < FIELDS; count++)
    fields[count] = strsep(&rest, ",");
  bool good = count == FIELDS && rest == NULL && *fields[0] != '\0' && strlen(fields[0]) < NAME;
  for (size_t i = 1; i < FIELDS && good; i++)
    good = read_number(fields[i], &numbers[i]);
  if (!good || isnan(numbers[3]))
    return refuse(bench, copy, "a row is a name and five numbers, of which the first two may be empty");
  row *row = find_row(bench, fields[0], numbers[1], numbers[2]);
  if (row == NULL)
    return refuse(bench, copy, "there is no room for so many rows");
  if (row->count[bench->now] == bench->options->repetitions)
    return refuse(bench, copy, "a second row of that name and size");
  row->samples[bench->now][row->count[bench->now]++] = numbers[3];
  return true;
}

/* What each run says again is kept once. */
static void keep_said(cuda_bench *bench, const char *text) {
  size_t count = bench->said_count[bench->now];
  for (size_t i = 0; i < count; i++)
    if (strncmp(bench->said[bench->now][i], text, TEXT - 1) == 0)
      return;
  if (count < MOST_SAID)
    snprintf(bench->said[bench->now][bench->said_count[bench->now]++], TEXT, "%s", text);
}

/* Where line goes on behind "# key: "; NULL if it is another note. */
static const char *text_of(const char *line, const char *key) {
  size_t length = strlen(key);
  return strncmp(line + 2, key, length) == 0 ? line + 2 + length : NULL;
}

static bool take_note(cuda_bench *bench, const char *line) {
  const char *text;
  if (strncmp(line, "# ", 2) != 0)
    return refuse(bench, line, "a note begins with '# '");
  if ((text = text_of(line, "device: ")) != NULL)
    snprintf(bench->device[bench->now], TEXT, "%s", text);
  else if ((text = text_of(line, "runtime: ")) != NULL)
    snprintf(bench->runtime[bench->now], TEXT, "%s", text);
  else if ((text = text_of(line, "left out: ")) != NULL)
    keep_said(bench, text);
  else if (text_of(line, FAILED) != NULL) {
    keep_said(bench, line + 2);
    bench->has_failed = true;
  } else
    return refuse(bench, line, "a note is of the device, the runtime, what was left out or has failed");
  return true;
}

static bool take_line(void *to, char *line) {
  cuda_bench *bench = to;
  if (line[0] == '#')
    return take_note(bench, line);
  if (bench->has_head)
    return take_row(bench, line);
  bench->has_head = strcmp(line, HEAD) == 0;
  return bench->has_head || refuse(bench, line, "rows come behind a head, and this is another one");
}

/* ---- runs ------------------------------------------------------------------------------------------------ */

/* One of a program. A status of 1 is its word for calls that failed, which it has named. */
static bool run_once(cuda_bench *bench, side of) {
  char begun[32];
  const char *arguments[8] = { bench->program[of], "--begun", begun };
  size_t count = 3;
  int status = 0;
  if (bench->options->quick)
    arguments[count++] = "--quick";
  if (bench->options->only != NULL) {
    arguments[count++] = "--only";
    arguments[count++] = bench->options->only;
  }
  progress_step(&bench->progress, side_names[of]);
  bench->now = of;
  bench->has_head = bench->has_failed = false;
  snprintf(begun, sizeof begun, "%llu", (unsigned long long)clock_ns());
  if (!child_run(arguments, take_line, bench, &status))
    return false;
  if (bench->has_head && (status == EXIT_SUCCESS || (status == EXIT_FAILURE && bench->has_failed)))
    return true;
  progress_wipe(&bench->progress);
  fprintf(stderr, "vptr-bench: %s ended with status %d%s\n", bench->program[of], status,
          bench->has_head ? "" : " before its first row");
  return false;
}

static bool run_all(cuda_bench *bench) {
  bool has_peer = bench->program[CUDA][0] != '\0', good = true;
  for (size_t i = 0; i < bench->options->repetitions && good; i++) {
    side first = i % 2 == 0 || !has_peer ? VPTR : CUDA;
    good = run_once(bench, first) && (!has_peer || run_once(bench, first == VPTR ? CUDA : VPTR));
  }
  progress_wipe(&bench->progress);
  return good;
}

/* ---- the report ------------------------------------------------------------------------------------------ */

static report_cell bandwidth(const row *row, double ns) {
  return report_number(row->moved >= LEAST_FOR_BANDWIDTH && ns > 0 ? row->moved / ns : NAN);
}

static summary summary_of_side(const row *row, side of) {
  if (row->count[of] == 0)
    return (summary){ NAN, NAN, NAN };
  return summary_of(row->samples[of], row->count[of]);
}

static void print_row(report *report, const row *row) {
  summary ours = summary_of_side(row, VPTR), theirs = summary_of_side(row, CUDA);
  const report_cell cells[COLUMNS] = {
    { .text = row->name },
    report_number(row->bytes),
    report_number(ours.median),
    report_number(summary_spread_percent(&ours)),
    report_number(ours.low),
    report_number(ours.high),
    report_number(theirs.median),
    report_number(summary_spread_percent(&theirs)),
    report_number(theirs.low),
    report_number(theirs.high),
    report_number(ours.median > 0 ? theirs.median / ours.median : NAN),
    bandwidth(row, ours.median),
    bandwidth(row, theirs.median),
  };
  report_row(report, cells);
}

static bool is_one_device(const cuda_bench *bench) {
  return bench->device[CUDA][0] == '\0' || strcmp(bench->device[VPTR], bench->device[CUDA]) == 0;
}

static void print_notes(const cuda_bench *bench, report *report) {
  char text[2 * TEXT + 8];
  for (side of = VPTR; of < SIDES; of++) {
    if (bench->device[of][0] == '\0')
      continue;
    snprintf(text, sizeof text, "%s; %s", bench->device[of], bench->runtime[of]);
    report_note(report, side_names[of], text);
  }
  snprintf(text, sizeof text,
           "medians of %zu runs of each, in turns, with half the width of the middle half; 'speed' is vptr's by "
           "CUDA's, above 1 where vptr is quicker",
           bench->options->repetitions);
  report_note(report, "figures", text);
}

static void print_said(const cuda_bench *bench, report *report, bool is_complete) {
  for (side of = VPTR; of < SIDES; of++)
    for (size_t i = 0; i < bench->said_count[of]; i++)
      report_left_out(report, "%s: %s", side_names[of], bench->said[of][i]);
  if (bench->program[CUDA][0] == '\0')
    report_left_out(report, "CUDA: there is no %s here; '%s' builds it, or name it with %s", built_at[CUDA],
                    how_to_build[CUDA], options_of[CUDA]);
  if (!is_complete)
    report_left_out(report, "what would have come behind this: a program did not end well, stderr says why");
  if (!is_one_device(bench))
    report_left_out(report, "a comparison: vptr ran on '%.40s', CUDA on '%.40s'", bench->device[VPTR],
                    bench->device[CUDA]);
}

static void print_report(const cuda_bench *bench, bool is_complete) {
  report report;
  report_begin(&report, bench->options->format, columns, COLUMNS);
  print_notes(bench, &report);
  for (size_t i = 0; i < bench->row_count; i++)
    print_row(&report, &bench->rows[i]);
  print_said(bench, &report, is_complete);
  report_end(&report);
}

/* ---- the whole ------------------------------------------------------------------------------------------- */

/* False only if a program is missing without which nothing can be measured. */
static bool find_program(cuda_bench *bench, side of, const char *named) {
  if (named != NULL) {
    snprintf(bench->program[of], PATH, "%s", named);
    return true;
  }
  if (child_find(built_at[of], bench->program[of], PATH))
    return true;
  bench->program[of][0] = '\0';
  if (of == VPTR)
    fprintf(stderr, "vptr-bench: there is no %s in vptr-bench's folder; '%s' builds it, or name it with %s\n",
            built_at[of], how_to_build[of], options_of[of]);
  return of != VPTR;
}

static bool prepare(cuda_bench *bench, const options *wanted) {
  bench->options = wanted;
  bench->rows = calloc(MOST_ROWS, sizeof *bench->rows);
  if (bench->rows == NULL)
    fputs("vptr-bench: the host has no memory for the rows\n", stderr);
  return bench->rows != NULL && find_program(bench, VPTR, wanted->own) && find_program(bench, CUDA, wanted->peer);
}

static bool has_rows(const cuda_bench *bench) {
  if (bench->row_count > 0)
    return true;
  if (bench->options->only != NULL)
    fprintf(stderr, "vptr-bench: no operation has '%s' in its name\n", bench->options->only);
  else
    fputs("vptr-bench: no operation was measured\n", stderr);
  return false;
}

/* Says what did. */
static bool nothing_failed(const cuda_bench *bench) {
  bool good = is_one_device(bench);
  if (!good)
    fprintf(stderr, "vptr-bench: vptr ran on '%s', CUDA on '%s'; choose one by VPTR_DEVICE, CUDA_VISIBLE_DEVICES\n",
            bench->device[VPTR], bench->device[CUDA]);
  for (side of = VPTR; of < SIDES; of++)
    for (size_t i = 0; i < bench->said_count[of]; i++)
      if (strncmp(bench->said[of][i], FAILED, strlen(FAILED)) == 0) {
        fprintf(stderr, "vptr-bench: with %s %s\n", side_names[of], bench->said[of][i]);
        good = false;
      }
  return good;
}

static void give_back(cuda_bench *bench) {
  for (size_t i = 0; i < bench->row_count; i++)
    free(bench->rows[i].samples[VPTR]);
  free(bench->rows);
}

bool cuda_run(const options *wanted) {
  static cuda_bench bench;
  bool good = prepare(&bench, wanted);
  if (good) {
    progress_begin(&bench.progress, wanted->repetitions * (bench.program[CUDA][0] != '\0' ? SIDES : 1));
    good = run_all(&bench);
    if (good || bench.row_count > 0)
      print_report(&bench, good);
    good = good && has_rows(&bench);
    good &= nothing_failed(&bench);
  }
  give_back(&bench);
  return good;
}
