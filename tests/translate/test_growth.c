/* SPDX-License-Identifier: MIT */
/*
 * How the translator's time grows with the text: with its length, not with its square. Sixteen times the text may take
 * 64 times the processor's time; what is quadratic takes 140 to 460 times. On a busy machine that time is longer, too:
 * the shortest is taken, and both texts are timed again, up to ROUNDS times, while it is too long. Memory stays with
 * the process: pages that the system gives anew each time take longer than the text, which the shorter one's are not.
 */
#include "support/support.h"

#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "translate/translate.h"

enum { FEW = 1000, TIMES = 16, LIMIT = 64, ROUNDS = 8 };

typedef struct text {
  char *bytes;
  size_t length, room;
} text;

static void put(text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(text *text, const char *format, ...) {
  if (text->room - text->length < 256) {
    text->room = text->room * 2 + 4096;
    text->bytes = realloc(text->bytes, text->room);
    ck_assert_ptr_nonnull(text->bytes);
  }
  va_list arguments;
  va_start(arguments, format);
  text->length += (size_t)vsnprintf(text->bytes + text->length, 256, format, arguments);
  va_end(arguments);
}

/* ---- texts of n pieces ----------------------------------------------------------------------------------- */

static void labels(text *out, int n) {
  put(out, "__global__ void k(int *p) {\n");
  for (int i = 0; i < n; i++)
    put(out, "if (p[%d] == %d) goto l%d;\n", i, i, i);
  for (int i = 0; i < n; i++)
    put(out, "l%d: p[%d]++;\n", i, i);
  put(out, "}\n");
}

static void cases(text *out, int n) {
  put(out, "__global__ void k(int *p) { switch (p[0]) {\n");
  for (int i = 0; i < n; i++)
    put(out, "case %d: p[%d]++; break;\n", i, i);
  put(out, "} }\n");
}

/* Each with a shared variable of one name, and a variable of its own. */
static void kernels(text *out, int n) {
  for (int i = 0; i < n; i++)
    put(out, "__device__ int d%d; __global__ void k%d(int *p) { __shared__ int s; s = d%d; *p = s; }\n", i, i, i);
}

/* Of fifty functions each: deeper ones are refused. */
static void chains(text *out, int n) {
  enum { DEEP = 50 };
  for (int i = 0; i < n; i++)
    if (i % DEEP == 0)
      put(out, "__device__ int f%d(int *p) { return p[0]; }\n", i);
    else
      put(out, "__device__ int f%d(int *p) { return f%d(p) + 1; }\n", i, i - 1);
  for (int i = DEEP - 1; i < n; i += DEEP)
    put(out, "__global__ void k%d(int *p) { *p = f%d(p); }\n", i, i);
}

static void variables(text *out, int n) {
  for (int i = 0; i < n; i++)
    put(out, "__device__ int d%d = %d;\n", i, i);
  put(out, "__global__ void k(int *p) {\n");
  for (int i = 0; i < n; i++)
    put(out, "p[%d] = d%d;\n", i, i);
  put(out, "}\n");
}

/* As generated texts have them, and kernel C has for each of its lines. */
static void renumbered(text *out, int n) {
  for (int i = 0; i < n; i++) {
    if (i % 1000 == 0)
      put(out, "%s__global__ void k%d(int *p) {\n", i == 0 ? "" : "}\n", i);
    put(out, "#line %d \"b%d.cu\"\np[%d] = %d;\n", i * 7 + 1, i % 3, i, i);
  }
  put(out, "}\n");
}

/* Each with two of the one before in it. */
static void nesting(text *out, int n) {
  put(out, "struct s0 { int x; };\n");
  for (int i = 1; i <= n; i++)
    put(out, "struct s%d { s%d a, b; };\n", i, i - 1);
  put(out, "__global__ void k(s%d *p, s%d *q) { *p = *q; }\n", n, n);
}

/* ---- time ------------------------------------------------------------------------------------------------ */

static double seconds_of(const text *text) {
  static const vptr__reader nothing = { 0 };
  struct timespec begin, end;
  vptr__translation translation;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  ck_assert(vptr__translate("a.cu", text->bytes, text->length, &nothing, NULL, &translation));
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  ck_assert_msg(translation.module != NULL, "%.500s", translation.log);
  vptr__translate_free(&translation);
  return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

static void time_again(const text *text, double *best) {
  double seconds = seconds_of(text);
  *best = seconds < *best ? seconds : *best;
}

static void grows(const char *name, void (*make)(text *, int), int few, int many, double limit) {
  text short_text = { NULL, 0, 0 }, long_text = { NULL, 0, 0 };
  double short_one = INFINITY, long_one = INFINITY;
  make(&short_text, few);
  make(&long_text, many);
  for (int round = 0; round < ROUNDS && (round < 2 || long_one >= limit * short_one); round++) {
    time_again(&short_text, &short_one);
    time_again(&long_text, &long_one);
  }
  free(short_text.bytes);
  free(long_text.bytes);
  printf("%s: %d take %.1f ms, %d take %.1f ms: %.1f times\n", name, few, 1e3 * short_one, many, 1e3 * long_one,
         long_one / short_one);
  ck_assert_msg(long_one < limit * short_one, "%s: %d take %.1f ms, %d take %.1f ms", name, few, 1e3 * short_one,
                many, 1e3 * long_one);
}

START_TEST(time_grows_with_the_text) {
  grows("labels", labels, FEW, TIMES * FEW, LIMIT);
  grows("cases", cases, 4 * FEW, 4 * TIMES * FEW, LIMIT);
  grows("kernels", kernels, FEW, TIMES * FEW, LIMIT);
  grows("chains", chains, FEW, TIMES * FEW, LIMIT);
  grows("variables", variables, FEW, TIMES * FEW, LIMIT);
  grows("renumbered", renumbered, FEW, TIMES * FEW, LIMIT);
}
END_TEST

/* What doubles with each level is a thousand times at ten more. */
START_TEST(time_does_not_double_with_each_level_of_structs) {
  grows("nesting", nesting, 10, 30, LIMIT);
}
END_TEST

static Suite *growth_suite(void) {
  Suite *suite = suite_create("growth");
  TCase *all = tcase_create("all");
  tcase_add_test(all, time_grows_with_the_text);
  tcase_add_test(all, time_does_not_double_with_each_level_of_structs);
  suite_add_tcase(suite, all);
  return suite;
}

int main(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
  return support_run(growth_suite());
}
