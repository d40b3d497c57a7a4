/* SPDX-License-Identifier: MIT */
/*
 * scale - see scale.h.
 *
 * Each row is measured in a process of its own, forked from this one, which never opens a device: so memory that is
 * kept from one row is not counted, or missing, in the next.
 *
 * How many of a kind there can be is decided on the way: a row that fails, or that would take more time than is spent
 * or more memory than there is, going by the one before it, is left out, and so are those of the kind behind it.
 */
#include "scale.h"

#include "device.h"
#include "growth.h"
#include "plot.h"
#include "progress.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USUAL_LIVE = 10000000, STEP = 10, WORDS_SIZE = 160 };

static const uint64_t MOST_ROW_NS = UINT64_C(120000000000);

typedef struct scale_kind {
  const char *name, *used;
  size_t least, most; /* steps of ten between, and the most last */
} scale_kind;

static const scale_kind kinds[GROWTH_KINDS] = {
  [GROWTH_ALLOCATIONS] = { "allocations", "look-ups", 100, USUAL_LIVE },
  [GROWTH_BUFFERS] = { "buffers", "look-ups", 10, 10000 },
  [GROWTH_STREAMS] = { "streams", "commands", 1, 500 },
};

static const report_column columns[] = {
  { "of", "of", 11, REPORT_TEXT, REPORT_IN_ALL },
  { "live", "live", 8, 0, REPORT_IN_ALL },
  { "make ns", "make_ns", 9, 1, REPORT_IN_ALL },
  { "+-%", "make_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "make_low_ns", 0, 1, REPORT_IN_DATA },
  { "", "make_high_ns", 0, 1, REPORT_IN_DATA },
  { "use ns", "use_ns", 9, 1, REPORT_IN_ALL },
  { "+-%", "use_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "use_low_ns", 0, 1, REPORT_IN_DATA },
  { "", "use_high_ns", 0, 1, REPORT_IN_DATA },
  { "end ns", "end_ns", 9, 1, REPORT_IN_ALL },
  { "+-%", "end_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "", "end_low_ns", 0, 1, REPORT_IN_DATA },
  { "", "end_high_ns", 0, 1, REPORT_IN_DATA },
  { "idle ns", "idle_synchronize_ns", 9, 1, REPORT_IN_ALL },
  { "host B", "host_bytes_each", 9, 2, REPORT_IN_ALL },
  { "device/asked", "device_per_asked", 12, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct scale_bench {
  const options *options;
  report report;
  plot plot;
  progress progress;
} scale_bench;

/* What a child tells. */
typedef struct scale_answer {
  char words[WORDS_SIZE]; /* what failed, "" if nothing did; of the first child: the device's name */
  bool fake;
  growth found;
} scale_answer;

/* ---- children -------------------------------------------------------------------------------------------- */

typedef void (*child_body)(const scale_bench *bench, growth_kind kind, size_t count, scale_answer *answer_out);

static void measure(const scale_bench *bench, growth_kind kind, size_t count, scale_answer *answer_out) {
  growth_measure(kind, count, bench->options->repetitions, &answer_out->found, answer_out->words, WORDS_SIZE);
}

/* An empty name says that there is no device. */
static void describe(const scale_bench *bench, growth_kind kind, size_t count, scale_answer *answer_out) {
  (void)bench, (void)kind, (void)count;
  if (!device_describe(answer_out->words, WORDS_SIZE))
    answer_out->words[0] = '\0';
  answer_out->fake = device_is_fake();
}

static bool complain(const char *what) {
  fprintf(stderr, "vptr-bench: %s: %s\n", what, strerror(errno));
  return false;
}

/* Runs the body in a child. False if there was none, or it died, which has been said on stderr. */
static bool ask_child(const scale_bench *bench, child_body body, growth_kind kind, size_t count,
                      scale_answer *answer_out) {
  int ends[2], status = 0;
  if (pipe(ends) != 0)
    return complain("no pipe");
  pid_t child = fork();
  if (child == 0) {
    scale_answer answer = { .words = "" };
    body(bench, kind, count, &answer);
    _exit(write(ends[1], &answer, sizeof answer) == (ssize_t)sizeof answer ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  close(ends[1]);
  ssize_t got = child > 0 ? read(ends[0], answer_out, sizeof *answer_out) : -1;
  close(ends[0]);
  if (child < 0)
    return complain("no process");
  waitpid(child, &status, 0);
  if (got == (ssize_t)sizeof *answer_out)
    return true;
  fprintf(stderr, "vptr-bench: the process that measured %zu %s died\n", count, kinds[kind].name);
  return false;
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

static size_t fill_summary(report_cell *cells, const summary *of) {
  cells[0] = report_number(of->median);
  cells[1] = report_number(summary_spread_percent(of));
  cells[2] = report_number(of->low);
  cells[3] = report_number(of->high);
  return 4;
}

static void print_row(scale_bench *bench, growth_kind kind, size_t count, const growth *found) {
  report_cell cells[COLUMNS] = { { .text = kinds[kind].name }, report_number((double)count) };
  size_t at = 2;
  at += fill_summary(&cells[at], &found->make);
  at += fill_summary(&cells[at], &found->use);
  at += fill_summary(&cells[at], &found->end);
  cells[at++] = report_number(found->idle_ns);
  cells[at++] = report_number(found->host_bytes);
  cells[at++] = report_number(found->device_ratio);
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
}

static void draw(scale_bench *bench, growth_kind kind, size_t count, const growth *found) {
  char line[64];
  const struct {
    const char *name;
    double ns;
  } points[] = { { "made", found->make.median },
                 { kinds[kind].used, found->use.median },
                 { "ended", found->end.median } };
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    snprintf(line, sizeof line, "%s: %s", kinds[kind].name, points[i].name);
    plot_add(&bench->plot, line, (double)count, points[i].ns);
  }
}

/* ---- how far --------------------------------------------------------------------------------------------- */

/* 0 where it is not known. */
static double available_bytes(void) {
  char line[256];
  size_t kib = 0;
  FILE *file = fopen("/proc/meminfo", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "MemAvailable: %zu kB", &kib) != 1)
    continue;
  if (file != NULL)
    fclose(file);
  return (double)kib * 1024;
}

/* Whether a row of `count` is affordable, going by `found` of the row before it; if not, the report says so. */
static bool can_go_on(scale_bench *bench, growth_kind kind, size_t count, const growth *found) {
  double bytes = (fmax(found->host_bytes, 0) + sizeof(void *)) * (double)count, available = available_bytes();
  double ns = (found->make.median + found->use.median + found->end.median) * (double)count;
  if (available > 0 && bytes > available / 4 * 3)
    report_left_out(&bench->report, "%zu %s and more: about %.0f MiB of memory, of %.0f there are", count,
                    kinds[kind].name, bytes / 1048576, available / 1048576);
  else if (ns > (double)MOST_ROW_NS)
    report_left_out(&bench->report, "%zu %s and more: about %.0f s, and more than %.0f are not spent", count,
                    kinds[kind].name, ns / 1e9, (double)MOST_ROW_NS / 1e9);
  else
    return true;
  return false;
}

static size_t most_of(const scale_bench *bench, growth_kind kind) {
  size_t most = kinds[kind].most, wanted = bench->options->live;
  return wanted != 0 && wanted < most ? wanted : most;
}

static size_t behind(size_t count, size_t most) {
  return count < most && count * STEP > most ? most : count * STEP;
}

static bool measure_kind(scale_bench *bench, growth_kind kind) {
  scale_answer answer;
  size_t most = most_of(bench, kind);
  for (size_t count = kinds[kind].least; count <= most; count = behind(count, most)) {
    if (count > kinds[kind].least && !can_go_on(bench, kind, count, &answer.found))
      return true;
    progress_step(&bench->progress, kinds[kind].name);
    if (!ask_child(bench, measure, kind, count, &answer))
      return false;
    if (answer.words[0] != '\0') {
      report_left_out(&bench->report, "%zu %s and more: %s", count, kinds[kind].name, answer.words);
      return true;
    }
    print_row(bench, kind, count, &answer.found);
    draw(bench, kind, count, &answer.found);
  }
  return true;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static bool print_notes(scale_bench *bench) {
  scale_answer answer;
  char text[256];
  if (!ask_child(bench, describe, GROWTH_ALLOCATIONS, 0, &answer) || answer.words[0] == '\0')
    return false;
  report_note(&bench->report, "device", answer.words);
  snprintf(text, sizeof text, "of 1 to %d bytes; buffers: of 1 to %d MiB, each with an OpenCL buffer of its own",
           GROWTH_MOST_BYTES, GROWTH_MOST_MIB);
  report_note(&bench->report, "allocations", text);
  report_note(&bench->report, "use", "a look-up (vptr_get_offset) in random order; of streams: a small command sent");
  report_note(&bench->report, "idle", "one cudaDeviceSynchronize() with nothing to wait for");
  report_note(&bench->report, "host B",
              answer.fake ? "resident bytes of the process for each; the fake device's buffers have none"
                          : "resident bytes of the process for each, the driver's and its buffers' among them");
  report_note(&bench->report, "device/asked", "bytes of all buffers for each byte asked for, while all are live");
  snprintf(text, sizeof text,
           "medians of up to %zu rounds, with half the width of the middle half; a process each row",
           bench->options->repetitions);
  report_note(&bench->report, "figures", text);
  return true;
}

static bool run_all(scale_bench *bench) {
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  if (!print_notes(bench))
    return false;
  for (growth_kind kind = 0; kind < GROWTH_KINDS; kind++) {
    if (kind > 0)
      report_gap(&bench->report);
    if (!measure_kind(bench, kind))
      return false;
  }
  progress_wipe(&bench->progress);
  report_end(&bench->report);
  return true;
}

static size_t count_rows(const scale_bench *bench) {
  size_t rows = 0;
  for (growth_kind kind = 0; kind < GROWTH_KINDS; kind++)
    for (size_t count = kinds[kind].least, most = most_of(bench, kind); count <= most; count = behind(count, most))
      rows++;
  return rows;
}

bool scale_run(const options *wanted) {
  scale_bench bench = { .options = wanted };
  if (!plot_begin(&bench.plot, wanted->plot, "the cost of one, by how many there are", "live", "ns"))
    return false;
  progress_begin(&bench.progress, count_rows(&bench));
  bool good = run_all(&bench);
  progress_wipe(&bench.progress);
  if (good)
    return plot_end(&bench.plot);
  plot_abandon(&bench.plot);
  return false;
}
