/* SPDX-License-Identifier: MIT */
/* options - the command line of vptr-bench, the same for every benchmark. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "report.h"

typedef struct options {
  report_format format;
  size_t live;        /* the most live allocations; 0: as many as the benchmark takes by itself */
  size_t least;       /* bytes of the smallest allocation of lookup, a power of two; 0: what it takes by itself */
  size_t threads;     /* the most threads; 0: one for each CPU */
  size_t repetitions;
  const char *plot;   /* the file to draw into, *.svg; NULL: none */
  const char *own, *peer; /* programs of cuda: vptr's runner and the other runtime's; NULL: where they are built */
  const char *nvrtc;  /* compile: NVIDIA's libnvrtc; NULL: where the loader finds it */
  const char *only;   /* cuda: operations that have this in their name; NULL: all */
  bool quick;         /* cuda, and some of libraries: a look at whether it works */
  bool real;          /* the device that the environment selects, not the fake one */
  bool help, version;
  const char *noun;   /* which benchmark; NULL: none was named */
} options;

/* Reads the command line. False if it is wrong, which has been said on stderr. */
bool options_parse(int argc, char **argv, options *options_out);

#endif
