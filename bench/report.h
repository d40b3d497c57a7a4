/* SPDX-License-Identifier: MIT */
/*
 * report - what a benchmark found: as a table to read, as CSV or JSON to go on with.
 *
 * One row is one measurement, and every form has the same rows. Rows are written as they come, so that a long run
 * shows where it is; column widths are therefore fixed beforehand. A column may be for the table only or for the data
 * only: people want one number and how sure it is, programs want the quartiles.
 *
 * What could not be measured is said in the report itself: a figure that is missing without a word looks like one
 * that nobody thought of. It stands behind the rows, since that is when it is known; CSV has no place, so there it
 * goes to stderr.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum report_format { REPORT_TABLE, REPORT_CSV, REPORT_JSON } report_format;

enum { REPORT_IN_TABLE = 1, REPORT_IN_DATA = 2, REPORT_IN_ALL = 3 };
enum { REPORT_TEXT = -1 /* in place of decimals */, REPORT_MOST_LEFT_OUT = 32 };

typedef struct report_column {
  const char *title; /* in the table */
  const char *key;   /* in CSV and JSON */
  int width;
  int decimals;
  int where;         /* REPORT_IN_* */
} report_column;

/* A text column's cell has text; a number column's has number, NAN for none. */
typedef struct report_cell {
  const char *text;
  double number;
} report_cell;

static inline report_cell report_number(double value) {
  return (report_cell){ .number = value };
}

typedef struct report {
  report_format format;
  const report_column *columns;
  size_t column_count;
  size_t notes, rows;
  char left_out[REPORT_MOST_LEFT_OUT][192];
  size_t left_out_count;
} report;

void report_begin(report *report, report_format format, const report_column *columns, size_t column_count);

/* A fact about the run as a whole; all before the first row. CSV has no place for it. */
void report_note(report *report, const char *name, const char *value);

void report_row(report *report, const report_cell *cells);

/* Something that was not measured, and why; printed by report_end(). */
__attribute__((format(printf, 2, 3))) void report_left_out(report *report, const char *format, ...);

/* An empty line of the table. */
void report_gap(const report *report);

void report_end(report *report);

/* Closes stdout. False if not all of it could be written, which has been said on stderr. */
bool report_close(void);

#endif
