/* SPDX-License-Identifier: MIT */
/*
 * forms - the ways to look a pointer up, as the loops that lookup measures.
 *
 * "Independent" look-ups may overlap in the processor, as they do in a loop over an array of pointers, and show the
 * throughput; "dependent" ones may not, as when a pointer is found behind a pointer, and show the latency. A new form
 * is a row in forms.c with a loop for each side that has it.
 */
#ifndef BENCH_FORMS_H
#define BENCH_FORMS_H

#include "population.h"

/* Looks up POPULATION_CHUNK picks from first on, and returns something that cannot be known without. */
typedef size_t (*form_chunk)(population *all, size_t first);

typedef struct form {
  const char *name;
  form_chunk chunk[SIDES]; /* NULL: the side has no such form */
} form;

enum { FORMS = 8, FORM_DRAWN = 1 /* in a plot: the latency of get_offset */ };
extern const form forms[FORMS];

#endif
