/* SPDX-License-Identifier: MIT */
/*
 * growth - a number of things made, used and ended again, in a process that has done nothing else.
 *
 * Host memory is what the process has more while all are live than before the first: its resident bytes, as the
 * system counts them. The fake device's buffers are mapped and not touched, so there it is what vptr itself keeps,
 * and the fake driver's few words on each buffer. Of other devices it is the driver's too, and of those that are the
 * host's CPU the buffers' own bytes, if the driver touches them.
 */
#ifndef BENCH_GROWTH_H
#define BENCH_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

#include "clock.h"

typedef enum growth_kind {
  GROWTH_ALLOCATIONS, /* of 1 to GROWTH_MOST_BYTES; used: looked up, in another order than they were made */
  GROWTH_BUFFERS,     /* allocations of 1 to GROWTH_MOST_MIB, each with a buffer of its own; used: looked up */
  GROWTH_STREAMS,     /* used: a small cudaMemsetAsync(), sent and not waited for */
  GROWTH_KINDS
} growth_kind;

enum { GROWTH_MOST_BYTES = 4096, GROWTH_MOST_MIB = 8 };

typedef struct growth {
  summary make, use, end; /* ns each; ends come in random order */
  double idle_ns;         /* of streams: cudaDeviceSynchronize() while all are idle; else NAN */
  double host_bytes;      /* each */
  double device_ratio;    /* bytes of buffers for each byte asked for; NAN of streams */
} growth;

/* Runs as often as asked for, or until it has taken long enough. Words of what failed, if it did; "" if not. */
void growth_measure(growth_kind kind, size_t count, size_t repetitions, growth *found_out, char *words,
                    size_t words_size);

#endif
