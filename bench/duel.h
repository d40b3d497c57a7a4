/* SPDX-License-Identifier: MIT */
/*
 * duel - two ways to move the same bytes, OpenCL's own call and vptr's, beside each other.
 *
 * How a number comes about. The bare call and vptr's take turns in chunks of some 100 us, so that what disturbs the
 * machine disturbs both, and so does a driver that is quicker when it has just been asked. A sample is the median of
 * its chunks; what vptr adds is the difference of two samples of the same repetition. Who goes first alternates.
 *
 * The bare queue has no properties: there is none that is quicker. It is in vptr's own context, since a device that has
 * to change contexts takes 140 us for it.
 */
#ifndef BENCH_DUEL_H
#define BENCH_DUEL_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

#include "options.h"
#include "progress.h"
#include "report.h"

/* Moves the bytes once, to the end; or sends what does, where the work says how that settles. */
typedef bool duel_call(void *context);

typedef struct duel_work {
  const char *what;
  size_t bytes;
  duel_call *bare, *vptr;
  void *context;
  duel_call *settle_bare, *settle_vptr; /* behind each chunk, outside of the time; NULL: calls end by themselves */
} duel_work;

typedef struct duel {
  const options *options;
  report report;
  progress progress;
  cl_command_queue queue; /* of the bare calls, and their context */
  cl_context context;
  bool on_cpu;
  double *bare, *vptr, *added; /* ns of one call, a sample each repetition */
} duel;

/* A queue, and room for samples. Needs an OpenCL device. False: it has been said on stderr; duel_end() is due all the
 * same. */
bool duel_begin(duel *duel, const options *wanted, const char *benchmark);
void duel_end(duel *duel);

/* Begins the report; the first column is called `first`. Rows are `rows` for the progress. */
void duel_report(duel *duel, const char *first, size_t rows, const char *bare);

/* Measures one piece of work and prints its row. False if a call failed, which has been said on stderr. */
bool duel_row(duel *duel, const duel_work *work);

/* Device memory of the bare calls with these bytes in it: buffers that nobody wrote to are slow the first time. NULL on
 * failure. */
cl_mem duel_buffer(const duel *duel, size_t size, const void *bytes);

#endif
