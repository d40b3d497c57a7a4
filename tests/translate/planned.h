/* SPDX-License-Identifier: MIT */
/*
 * planned - a text through the translator's passes up to the plan, for tests that ask what was inferred and decided.
 */
#ifndef VPTR_TESTS_TRANSLATE_PLANNED_H
#define VPTR_TESTS_TRANSLATE_PLANNED_H

#include "translate/lower/plan.h"

typedef struct planned {
  vptr__arena arena;
  vptr__source *source;
  vptr__unit *unit;
  vptr__inference *inference; /* NULL: refused, by this pass or before */
  vptr__plan *plan;
  const char *log;
} planned;

/* The text's first line is line 1 of t.cu. */
planned *planned_make(const char *text);
void planned_free(planned *made);

/* By the name of the OpenCL function; NULL: there is none. */
vptr__instance *planned_instance(const planned *made, const char *name);

/* A parameter or local variable by name; fails the test if there is none. */
vptr__declaration *planned_variable(const vptr__instance *instance, const char *name);

/* Where it points to at a depth: 0 is the outermost pointer or reference. "global", ... */
const char *planned_space(const planned *made, const char *instance, const char *variable, int depth);

vptr__kernel_plan *planned_kernel(const planned *made, const char *name);
vptr__context_member *planned_member(const planned *made, const char *name);

/* The text is accepted, or refused with each of these (NULL behind the last) in the log; else the test fails. */
void planned_accept(const char *text);
void planned_refuse(const char *text, const char *const *expected);

#endif
