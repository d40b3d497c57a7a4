/* SPDX-License-Identifier: MIT */
/*
 * plot - what a benchmark found, drawn by gnuplot into an SVG file: lines over a number, both axes logarithmic.
 *
 * Whether gnuplot is there and the file can be written is asked before anything is measured, since a run may take
 * minutes. The picture is made beside the file and takes its name when it is whole.
 */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdbool.h>
#include <stddef.h>

enum { PLOT_MOST_LINES = 32, PLOT_MOST_POINTS = 512 };

typedef struct plot {
  const char *path; /* NULL: nothing is drawn, and the calls do nothing */
  const char *title, *x, *y;
  char part[4096];
  char lines[PLOT_MOST_LINES][64];
  size_t line_count;
  struct plot_point {
    size_t line;
    double x, y;
  } points[PLOT_MOST_POINTS];
  size_t point_count;
} plot;

/* False if a plot is wanted and cannot be, which has been said on stderr. The texts must outlive the plot. */
bool plot_begin(plot *plot, const char *path, const char *title, const char *x, const char *y);

/* A point of the line of that name; NAN and what no logarithm has are passed over, and so is what there is no
 * room for. */
void plot_add(plot *plot, const char *line, double x, double y);

/* Draws. False if that failed, which has been said on stderr; then the file is as it was. */
bool plot_end(plot *plot);

/* In place of plot_end() where a run failed. */
void plot_abandon(plot *plot);

#endif
