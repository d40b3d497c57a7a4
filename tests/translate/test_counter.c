/* SPDX-License-Identifier: MIT */
/*
 * test_counter - variables that several loops count with: of which the loops get one each, and of which not. That the
 * text does the same is shown by test_random_kernels and tests/kernels/loops.cu.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "translate/infer/visit.h"
#include "translate/planned.h"

typedef struct variable_walk {
  int count;
} variable_walk;

static void count_variable(void *context, vptr__declaration *variable) {
  variable_walk *walk = context;
  walk->count += strcmp(variable->name->text, "i") == 0;
}

/* How many variables called i the kernel has. */
static int variables_of(const char *body) {
  char text[2048];
  variable_walk walk = { 0 };
  vptr__visitor visitor = { .variable = count_variable, .context = &walk };
  snprintf(text, sizeof text,
           "__device__ void put(int *p) { *p = 1; }\n"
           "__global__ void k(int *a, int n) { int t = threadIdx.x, j = 0, i = 3; %s a[t] = j; }\n",
           body);
  planned *made = planned_make(text);
  ck_assert_msg(made->plan != NULL, "%s\n%s", body, made->log);
  vptr__visit_statement(&visitor, planned_kernel(made, "k")->instance->function->body);
  planned_free(made);
  return walk.count;
}

static const struct {
  const char *body;
  int variables;
} bodies[] = {
  { "for (i = 0; i < n; i++) a[i] = 1; for (i = t; i < n; i++) a[i] = 2;", 3 },
  { "i = 0; while (i < n) i++; i = t; do a[i] = 2; while (++i < n);", 3 },
  { "i = n; for (; i > t; i--) a[i] = 1; for (i = 0; i < n; i++) j++;", 3 },
  { "for (j = 0; j < n; j++) { for (i = j; i < n; i++) a[i] = 1; for (i = j; i < t; i++) a[i] = 2; }", 3 },
  { "if (n) for (i = 0; i < n; i++) a[i] = 1; else for (i = 0; i < t; i++) a[i] = 2;", 3 },
  { "switch (n) { case 1: for (i = 0; i < n; i++) a[i] = 1; break; default: for (i = 0; i < t; i++) j++; }", 3 },
  /* the inner one is a part of the outer */
  { "for (i = 0; i < n; i++) { for (i = 1; i < t; i++) j++; } for (i = 0; i < n; i++) j++;", 3 },
  { "i = 0; for (i = 1; i < n; i++) j++; for (i = 0; i < n; i++) j++;", 3 },
  /* nothing would be gained */
  { "for (i = 0; i < n; i++) j++;", 1 },
  /* what a loop leaves is read, or what was there before it */
  { "for (i = 0; i < n; i++) j++; for (i = t; i < n; i++) j++; a[0] = i;", 1 },
  { "for (i = 0; i < n; i++) j++; for (i = i + 1; i < t; i++) j++;", 1 },
  { "for (i = 0; i < n; i++) j++; for (i = 0; i < n; i++) j++; for (; i < t; i++) j++;", 1 },
  { "for (i = 0; i < n; i++) j++; for (i += 2; i < t; i++) j++;", 1 },
  { "i = 0; j++; while (i < n) i++; i = 0; while (i < t) i++;", 1 },
  { "for (i = 0, j = 1; i < n; i++) j++; for (i = 0; i < n; i++) j++;", 1 },
  /* there are ways into it that pass its beginning by */
  { "for (i = 0; i < n; i++) j++; switch (n) { for (i = 0; i < n; i++) { case 1: j++; } }", 1 },
  { "for (i = 0; i < n; i++) j++; if (n) goto in; for (i = 0; i < n; i++) { in: j++; }", 1 },
  /* it is known by its address */
  { "for (i = 0; i < n; i++) put(&i); for (i = 0; i < n; i++) j++;", 1 },
};

START_TEST(loops_with_beginnings_get_their_own) {
  int is = variables_of(bodies[_i].body);
  ck_assert_msg(is == bodies[_i].variables, "%s: %d variables, not %d", bodies[_i].body, is, bodies[_i].variables);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("counter");
  TCase *tcase = tcase_create("counter");
  tcase_add_loop_test(tcase, loops_with_beginnings_get_their_own, 0, sizeof bodies / sizeof *bodies);
  suite_add_tcase(suite, tcase);
  return support_run(suite);
}
