/* SPDX-License-Identifier: MIT */
/*
 * checkpoint - see checkpoint.h.
 *
 * The sides take turns, sample by sample. What a sample needs (memory that changed, a file to restore from, an empty
 * mapper) is made before its clock starts.
 */
#include "checkpoint.h"

#include <vptr/vptr.h>

#include "clock.h"
#include "device.h"
#include "progress.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECES = 8, PIECE = 64 << 20, QUICK_PIECE = 1 << 20, STEP = 16 << 20 };

typedef enum work { WHOLE, EIGHTH, UNCHANGED, RESTORE, WORKS } work;

static const char *const work_names[WORKS] = { "checkpoint", "an eighth changed", "nothing changed", "restore" };

static const report_column columns[] = {
  { "work", "work", 20, REPORT_TEXT, REPORT_IN_ALL },
  { "bytes", "bytes", 12, 0, REPORT_IN_ALL },
  { "vptr GB/s", "vptr_gb_per_second", 10, 2, REPORT_IN_ALL },
  { "+-%", "vptr_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "plain GB/s", "plain_gb_per_second", 10, 2, REPORT_IN_ALL },
  { "+-%", "plain_spread_percent", 4, 0, REPORT_IN_TABLE },
  { "ratio", "plain_per_vptr", 8, 3, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct checkpoint_bench {
  const options *options;
  report report;
  progress progress;
  size_t piece;
  void *pieces[PIECES];
  unsigned char *host; /* of one piece */
  char folder[256], path[300], plain[300], aside[320];
  int value;
  double *ours, *theirs; /* ns */
} checkpoint_bench;

static bool complain(const char *what, const char *why) {
  fprintf(stderr, "vptr-bench: %s: %s\n", what, why);
  return false;
}

static bool must(const char *what, vptr_status status) {
  return status == VPTR_SUCCESS || complain(what, vptr_last_error());
}

/* ---- plain files ----------------------------------------------------------------------------------------- */

static bool write_pieces(const checkpoint_bench *bench, int file) {
  for (int i = 0; i < PIECES; i++)
    for (size_t at = 0; at < bench->piece;) {
      const size_t left = bench->piece - at;
      const ssize_t got = write(file, bench->host + at, left < STEP ? left : STEP);
      if (got <= 0)
        return false;
      at += (size_t)got;
    }
  return fsync(file) == 0;
}

static bool write_plain(const checkpoint_bench *bench) {
  const int file = open(bench->aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = file >= 0 && write_pieces(bench, file);
  good = file >= 0 && close(file) == 0 && good && rename(bench->aside, bench->plain) == 0;
  return good || complain(bench->plain, strerror(errno));
}

static bool read_plain(const checkpoint_bench *bench) {
  const int file = open(bench->plain, O_RDONLY | O_CLOEXEC);
  bool good = file >= 0;
  for (size_t at = 0; good && at < PIECES * bench->piece;) {
    const size_t place = at % bench->piece, left = bench->piece - place;
    const ssize_t got = read(file, bench->host + place, left < STEP ? left : STEP);
    good = got > 0;
    at += good ? (size_t)got : 0;
  }
  if (file >= 0)
    close(file);
  return good || complain(bench->plain, strerror(errno));
}

/* ---- samples --------------------------------------------------------------------------------------------- */

static bool change(checkpoint_bench *bench, int count) {
  bool good = true;
  bench->value = bench->value % 250 + 1;
  for (int i = 0; i < count && good; i++)
    good = must("vptr_memset", vptr_memset(NULL, bench->pieces[i], bench->value, bench->piece));
  return good;
}

static bool save(const checkpoint_bench *bench, unsigned flags) {
  return must("vptr_checkpoint", vptr_checkpoint(NULL, bench->path, flags));
}

static bool prepare_sample(checkpoint_bench *bench, work of) {
  if (of == RESTORE)
    return save(bench, VPTR_CHECKPOINT_WHOLE) && must("vptr_clear", vptr_clear(NULL)) &&
           must("vptr_trim", vptr_trim(NULL, 0));
  return change(bench, PIECES) && (of == WHOLE || save(bench, VPTR_CHECKPOINT_WHOLE)) &&
         (of != EIGHTH || change(bench, PIECES / 8));
}

static bool take_ours(checkpoint_bench *bench, work of, double *ns_out) {
  if (!prepare_sample(bench, of))
    return false;
  const uint64_t begin = clock_ns();
  const bool good = of == RESTORE ? must("vptr_restore", vptr_restore(NULL, bench->path))
                                  : save(bench, of == WHOLE ? VPTR_CHECKPOINT_WHOLE : 0);
  *ns_out = (double)clock_since(begin);
  return good;
}

static bool take_theirs(const checkpoint_bench *bench, work of, double *ns_out) {
  const uint64_t begin = clock_ns();
  const bool good = of == RESTORE ? read_plain(bench) : write_plain(bench);
  *ns_out = (double)clock_since(begin);
  return good;
}

static bool measure(checkpoint_bench *bench, work of) {
  const double bytes = (double)bench->piece * PIECES;
  const size_t count = bench->options->repetitions;
  double warm;
  bool good = take_ours(bench, of, &warm) && take_theirs(bench, of, &warm);
  for (size_t i = 0; i < count && good; i++) {
    progress_step(&bench->progress, work_names[of]);
    good = take_ours(bench, of, &bench->ours[i]) && take_theirs(bench, of, &bench->theirs[i]);
  }
  if (!good)
    return false;
  const summary ours = summary_of(bench->ours, count), theirs = summary_of(bench->theirs, count);
  const report_cell cells[COLUMNS] = { { .text = work_names[of] },
                                       report_number(bytes),
                                       report_number(bytes / ours.median),
                                       report_number(summary_spread_percent(&ours)),
                                       report_number(bytes / theirs.median),
                                       report_number(summary_spread_percent(&theirs)),
                                       report_number(theirs.median / ours.median) };
  progress_wipe(&bench->progress);
  report_row(&bench->report, cells);
  return true;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static bool prepare(checkpoint_bench *bench) {
  const char *named = getenv("TMPDIR");
  bench->piece = bench->options->quick ? QUICK_PIECE : PIECE;
  snprintf(bench->folder, sizeof bench->folder, "%.200s/vptr-bench-XXXXXX", named != NULL ? named : "/dev/shm");
  if (mkdtemp(bench->folder) == NULL)
    return complain(bench->folder, strerror(errno));
  snprintf(bench->path, sizeof bench->path, "%s/vptr", bench->folder);
  snprintf(bench->plain, sizeof bench->plain, "%s/plain", bench->folder);
  snprintf(bench->aside, sizeof bench->aside, "%s/plain.new", bench->folder);
  bench->host = malloc(bench->piece);
  bench->ours = calloc(bench->options->repetitions, sizeof *bench->ours);
  bench->theirs = calloc(bench->options->repetitions, sizeof *bench->theirs);
  if (bench->host == NULL || bench->ours == NULL || bench->theirs == NULL)
    return complain("memory", strerror(ENOMEM));
  memset(bench->host, 1, bench->piece);
  bool good = true;
  for (int i = 0; i < PIECES && good; i++)
    good = must("vptr_malloc", vptr_malloc(NULL, bench->piece, &bench->pieces[i]));
  return good;
}

static bool run_all(checkpoint_bench *bench) {
  char text[256];
  bool good = device_describe(text, sizeof text);
  if (!good)
    return false;
  progress_begin(&bench->progress, WORKS * bench->options->repetitions);
  report_begin(&bench->report, bench->options->format, columns, COLUMNS);
  report_note(&bench->report, "device", text);
  report_note(&bench->report, "folder", bench->folder);
  report_note(&bench->report, "plain",
              "write() or read() of all bytes, 16 MiB a call; fsync() and rename() where written");
  for (int of = 0; of < WORKS && good; of++)
    good = measure(bench, (work)of);
  if (good)
    report_end(&bench->report);
  return good;
}

bool checkpoint_run(const options *wanted) {
  checkpoint_bench bench = { .options = wanted };
  const bool good = prepare(&bench) && run_all(&bench);
  unlink(bench.path);
  unlink(bench.plain);
  unlink(bench.aside);
  rmdir(bench.folder);
  free(bench.host);
  free(bench.ours);
  free(bench.theirs);
  return good;
}
