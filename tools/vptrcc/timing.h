/* SPDX-License-Identifier: MIT */
/*
 * timing - how long each step of a compilation took: --time.
 *
 * Steps are the programs that vptrcc runs and the translator. Those that run at once are told each for itself, so that
 * their sum is more than what the clock on the wall says; clang's host half waits for the device's.
 */
#ifndef VPTRCC_TIMING_H
#define VPTRCC_TIMING_H

#include "options.h"

typedef struct cc_timing_step {
  const char *source;      /* the file at work; "": all of them */
  const char *phase, *tool, *output;
  double seconds, cpu;     /* by the clock on the wall; of the processor's time */
} cc_timing_step;

typedef struct cc_timing {
  vptr__arena *arena;
  const char *source;      /* of the steps that follow */
  cc_timing_step *steps;
  size_t count, capacity;
  double begin;            /* of all */
} cc_timing;

/* The tool of steps in this process. */
#define CC_TIMING_SELF "vptrcc"

/* Seconds of a clock that only goes on; seconds of the processor's that this process has had. */
double cc_timing_now(void);
double cc_timing_cpu(void);

void cc_timing_begin(cc_timing *timing, vptr__arena *arena);
void cc_timing_add(cc_timing *timing, const char *phase, const char *tool, const char *output, double seconds,
                   double cpu);

/* --time: a table on stderr; --time=FILE: rows behind those of the file, as nvcc has them. False: it was said why. */
bool cc_timing_tell(const cc_timing *timing, const cc_options *options);

#endif
