/* SPDX-License-Identifier: MIT */
/*
 * test_loops - blocks as loops over threads: which kernels have the form, where their variables are, and what is
 * around the loops. That the form computes the same is shown by test_random_kernels and tests/kernels/loops.cu.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "translate/lower/loops.h"
#include "translate/planned.h"
#include "translate/translate.h"

static const char frame[] =
    "__device__ int twice(int x) { return 2 * x; } __device__ int told; "
    "__device__ int place() { return threadIdx.x; } __device__ int block() { return blockIdx.x + gridDim.y; } "
    "__device__ void most(int *p) { atomicMax(p, 3); } __device__ int checked(int n) { assert(n > 0); return n; } "
    "__device__ void sync() { __syncthreads(); } "
    "__device__ int sum(int x, int *s) { s[threadIdx.x] = x; __syncthreads(); return s[0]; } "
    "__device__ int first(int x, int *s) { __syncthreads(); if (threadIdx.x == 0) s[0] = x; return x; } "
    "__device__ int jumps(int n) { again: __syncthreads(); if (--n > 0) goto again; return n; } "
    "__shared__ int s[64]; struct two { int x, y; }; "
    "__global__ void k(int *a, const int *b, int n) { int t = threadIdx.x; %s }\n";

static planned *plan_body(const char *body) {
  char text[4096];
  snprintf(text, sizeof text, frame, body);
  planned *made = planned_make(text);
  ck_assert_msg(made->plan != NULL, "%s\n%s", body, made->log);
  return made;
}

/* ---- which have the form ----------------------------------------------------------------------------------- */

/* For all that are left. */
#define SERIES "int x = 0; for (int i = 0; i < n; i++) x += b[i + t]; a[t] = x;"

static const char *const with_loops[] = {
  "__syncthreads(); a[t] = 1;",
  "s[t] = b[t]; __syncthreads(); a[t] = s[63 - t];",
  "for (int i = 0; i < n; i++) { s[t] = i; __syncthreads(); }",
  "int i = n; while (i-- > 0) { __syncthreads(); s[t] += i; }",
  "int i = 0; do { __syncthreads(); } while (++i < n);",
  "if (n > 3) { __syncthreads(); a[t] = 1; } else { a[t] = 2; }",
  "switch (n) { case 1: __syncthreads(); break; case 2: s[t] = 1; default: sync(); }",
  "if (blockIdx.x > 3) return; __syncthreads(); a[t] = 1;",
  "__syncthreads(); if (t > n) return; a[t] = s[t];",
  "for (int i = 0; i < n; i++) { __syncthreads(); if (t > i) continue; s[t] = i; }",
  "while (true) { __syncthreads(); if (told) break; s[t] = 2; }",
  "a[t] = sum(b[t], s) + sum(t, s);",
  "int c = __syncthreads_count(t > n); a[t] = c;",
  "while (__syncthreads_or(s[t] > 3)) s[t]--;",
  "two v = { t, n }; __syncthreads(); a[t] = v.x;",
  "int own[4]; own[n & 3] = t; __syncthreads(); a[t] = own[n & 1];",
  /* what a loop of each thread's counts with is another variable */
  "int i; for (i = 0; i < n; i++) { s[t] = i; __syncthreads(); } for (i = t; i < n; i += 64) a[i] = s[i & 63];",
  "int i; i = 0; while (i < n) { __syncthreads(); s[t] = i++; } i = t; do a[i] += s[t]; while (++i < n);",
  /* no barrier, but a loop that all threads go round together, next to each other */
  "int x = 0; for (int i = 0; i < n; i++) x += b[i * 64 + t]; a[t] = x;",
  "float x = 0; for (int i = 0; i < n; i++) x = x * 0.5f + 1; a[t] = x;",
  /* some leave first, as where they are says */
  "int g = blockIdx.x * blockDim.x + t; if (g >= n) return; " SERIES,
  "int g = blockIdx.x * blockDim.x + t; if (g < n) { int x = 0; for (int i = 0; i < n; i++) x += b[i + t]; a[t] = x; "
  "}",
  "if (t >= n || threadIdx.y > 3) return; if (threadIdx.z + 1 == n) return; " SERIES,
  "bool out = t - 3u >= 5u; if (n > 7) { if (out) { int y = n; y++; return; } } " SERIES,
  "if (t >= b[n]) return; " SERIES,
  "if (!(t + 2 * blockIdx.x < n)) return; if (n == 3) return; " SERIES,
  "if (t + blockIdx.x < threadIdx.y + blockIdx.y) return; " SERIES,
};

static const char *const without_loops[] = {
  "a[t] = b[t];",
  /* who takes part depends on what came before in the expression */
  "if (n && __syncthreads_or(t)) a[t] = 1;",
  "int x = n ? sum(t, s) : 1; a[t] = x;",
  "a[t] = jumps(n);",
  "if (n > 3) { __syncthreads(); if (t > n) return; } a[t] = 1;",
  "int i; for (i = 0; i < n; i++) { s[t] = i; __syncthreads(); } for (i = t; i < n; i++) a[i] = 1; a[0] = i;",
  /* each thread along a row of its own, alone, or by rounds of its own */
  "int x = 0; for (int i = 0; i < n; i++) x += b[t * n + i]; a[t] = x;",
  "int x = 0; for (int i = 0; i < n; i++) x += b[a[i + t]]; a[t] = x;",
  "for (int i = 0; i < t; i++) a[i] = 1;",
  "for (int i = 0; i < n; i++) atomicAdd(a + t, i);",
  "int x = t; for (int i = 1; i < n; i++) x += x % i; a[t] = x;",
  "int x = 0; for (int i = 0; i < n; i++) for (int j = t; j < n; j++) x += j; a[t] = x;",
  /* those that leave have done something, others did before or go round first, or it is not where they are that says
     who */
  "if (t >= n) { a[t] = 0; return; } " SERIES,
  "if (t >= n) { assert(n); return; } " SERIES,
  "a[t] = 0; if (t >= n) return; " SERIES,
  "atomicAdd(a, 1); if (t < n) { int x = 0; for (int i = 0; i < n; i++) x += b[i + t]; a[t] = x; }",
  "int y = 0; for (int i = 0; i < n; i++) y += b[t + i]; if (t >= n) return; " SERIES,
  "if (b[t] > n) return; " SERIES,
  "if (t % 3 == n) return; " SERIES,
  "if (threadIdx.y & 1) return; " SERIES,
  "if (t * n > 64) return; " SERIES,
  "if (t < threadIdx.y) return; " SERIES,
  "switch (t) { case 1: return; } " SERIES,
  "if (t < n) { " SERIES " } a[t]++;",
  "if (t < n) { for (int i = t; i < n; i++) a[i] = 1; }",
  /* an array for each thread of as many bytes as all of them may have together */
  "int own[512]; own[n] = t; __syncthreads(); a[t] = own[n + 1];",
};

START_TEST(kernels_with_barriers_have_loops) {
  planned *made = plan_body(with_loops[_i]);
  ck_assert_msg(planned_kernel(made, "k")->instance->loops != NULL, "%s", with_loops[_i]);
  planned_free(made);
}
END_TEST

START_TEST(what_is_not_understood_has_none) {
  planned *made = plan_body(without_loops[_i]);
  ck_assert_msg(planned_kernel(made, "k")->instance->loops == NULL, "%s", without_loops[_i]);
  planned_free(made);
}
END_TEST

/* ---- where variables are ----------------------------------------------------------------------------------- */

static const char *storage_of(const vptr__place_of *place) {
  static const char *const words[] = { "plain", "again", "inside", "kept" };
  return place == NULL ? "inner" : place->is_spread ? "spread" : words[place->storage];
}

static void check_storage(const char *body, const char *variable, const char *expected) {
  planned *made = plan_body(body);
  const vptr__instance *kernel = planned_kernel(made, "k")->instance;
  ck_assert_msg(kernel->loops != NULL, "%s", body);
  const char *is = storage_of(vptr__loops_place(kernel->loops, planned_variable(kernel, variable)));
  ck_assert_msg(strcmp(is, expected) == 0, "%s: %s is %s, not %s", body, variable, is, expected);
  planned_free(made);
}

static const struct {
  const char *body, *variable, *expected;
} places[] = {
  { "int u = n * 2; s[t] = u; __syncthreads(); a[t] = u + s[0];", "u", "plain" },
  { "int u = b[n]; s[t] = u; __syncthreads(); a[t] = u;", "u", "plain" },
  { "int u = n; u += 2; __syncthreads(); a[t] = u;", "u", "plain" },
  { "for (int i = 0; i < n; i++) { s[t] = i; __syncthreads(); }", "i", "plain" },
  { "s[t] = 1; __syncthreads(); a[t] = 1;", "t", "again" },
  { "int i = blockIdx.x * blockDim.x + t; s[t] = b[i]; __syncthreads(); a[i] = 1;", "i", "again" },
  { "for (int k = 0; k < n; k++) { int i = k * 64 + t; s[t] = b[i]; __syncthreads(); a[i] = 1; __syncthreads(); }",
    "i", "again" },
  { "int i; i = t + n; s[t] = b[i]; __syncthreads(); a[i] = 1;", "i", "again" },
  /* what it is made of has changed by then */
  { "int u = n, i = u + t; u = 5; s[i] = u; __syncthreads(); a[i] = u;", "i", "kept" },
  { "int k = 0, i; for (; k < n; k++) { i = k + t; __syncthreads(); } a[i] = 1;", "i", "kept" },
  { "int x = b[t]; s[t] = x; __syncthreads(); a[t] = x;", "x", "kept" },
  { "int x = t; x++; __syncthreads(); a[t] = x;", "x", "kept" },
  { "int x; if (t > 3) x = 1; else x = 2; __syncthreads(); a[t] = x;", "x", "kept" },
  { "int x = b[t]; s[t] = x + x; __syncthreads(); a[t] = 1;", "x", "inside" },
  { "int x; for (int i = 0; i < n; i++) { x = b[t]; s[t] = x; __syncthreads(); }", "x", "inside" },
  { "int x = 0; for (int i = 0; i < n; i++) { x += b[t]; s[t] = x; __syncthreads(); }", "x", "kept" },
  { "int x = 0; for (int i = 0; i < n; i++) { if (t) x = b[t]; s[t] = x; __syncthreads(); }", "x", "kept" },
  { "int x[4]; x[0] = t; x[n] = 1; __syncthreads(); a[t] = x[n];", "x", "spread" },
  { "int x[4]; int *p = x; p[n] = t; __syncthreads(); a[t] = x[n];", "x", "kept" },
  { "int x = t; int *p = &x; __syncthreads(); *p += 1; a[t] = *p;", "x", "kept" },
  { "int x[4]; x[0] = t; x[1] = 2; a[t] = x[n]; __syncthreads();", "x", "inside" },
  { "int x = t; int *p = &x; __syncthreads(); *p += 1; a[t] = *p;", "p", "kept" },
  { "const int x[3] = { 1, 2, 3 }; s[t] = x[n]; __syncthreads(); a[t] = x[t % 3];", "x", "plain" },
  { "two v = { t, 2 }; __syncthreads(); a[t] = v.y;", "v", "kept" },
  { "int &r = a[t]; __syncthreads(); r = 1;", "r", "kept" },
  { "n += t; __syncthreads(); a[t] = n;", "n", "kept" },
  { "s[t] = n; __syncthreads(); a[t] = n;", "n", "plain" },
};

START_TEST(variables_are_where_they_must_be) {
  check_storage(places[_i].body, places[_i].variable, places[_i].expected);
}
END_TEST

/* ---- what is around ---------------------------------------------------------------------------------------- */

typedef struct counts {
  int around, once, ahead, threads, barriers;
} counts;

static void count_part(counts *all, const vptr__loops *loops, const void *of) {
  const vptr__part *part = vptr__loops_part(loops, of);
  if (part == NULL)
    return;
  all->around += part->kind == VPTR__PART_AROUND;
  all->once += part->kind == VPTR__PART_ONCE;
  all->ahead += part->kind == VPTR__PART_AHEAD;
  all->threads += part->kind == VPTR__PART_THREADS;
  all->barriers += part->kind == VPTR__PART_BARRIER;
}

static void count_list(counts *all, const vptr__loops *loops, const vptr__statement *list) {
  for (; list != NULL; list = list->next) {
    if (list->kind != VPTR__STATEMENT_DECLARATION)
      count_part(all, loops, list);
    for (const vptr__declaration *each = list->declarations; each != NULL; each = each->next)
      count_part(all, loops, each);
    count_list(all, loops, list->body);
    count_list(all, loops, list->otherwise);
    if (list->kind == VPTR__STATEMENT_BLOCK)
      count_list(all, loops, list->first);
  }
}

static counts count_parts(const char *body) {
  counts all = { 0 };
  planned *made = plan_body(body);
  const vptr__instance *kernel = planned_kernel(made, "k")->instance;
  ck_assert_ptr_nonnull(kernel->loops);
  count_list(&all, kernel->loops, kernel->function->body->first);
  planned_free(made);
  return all;
}

/* The loop without a barrier is outside, too: its body is one loop over threads. */
START_TEST(loops_of_the_block_are_outside) {
  counts all = count_parts("int x = 0; for (int i = 0; i < n; i++) { s[t] = b[i * 64 + t]; __syncthreads(); "
                           "for (int k = 0; k < 8; k++) x += s[t + k]; __syncthreads(); } a[t] = x;");
  ck_assert_int_eq(all.around, 2);
  ck_assert_int_eq(all.barriers, 2);
}
END_TEST

START_TEST(conditions_without_a_barrier_are_inside) {
  counts all = count_parts("if (n > 3) s[t] = 1; __syncthreads(); a[t] = s[t];");
  ck_assert_int_eq(all.around, 0);
  ck_assert_int_eq(all.threads, 3); /* t, the if, and the last */
}
END_TEST

/* What is the same for all does not cut a loop over threads in two, unless it loads what that may have written. */
START_TEST(plain_values_come_ahead) {
  ck_assert_int_eq(count_parts("s[t] = 1; int u = n * 2; s[t] += u; __syncthreads(); a[t] = u;").ahead, 1);
  ck_assert_int_eq(count_parts("s[t] = 1; int u = b[n]; s[t] += u; __syncthreads(); a[t] = u;").ahead, 0);
  ck_assert_int_eq(count_parts("int u = n; s[t] = u; u = 3; s[t] += u; __syncthreads(); a[t] = u;").once, 1);
}
END_TEST

/* ---- text -------------------------------------------------------------------------------------------------- */

static bool no_file(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                    const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after, (void)text_out, (void)length_out,
      (void)path_out;
  return false;
}

static vptr__translation translate_body(const char *body) {
  char text[4096];
  vptr__reader reader = { .open = no_file };
  vptr__translate_options none = { 0 };
  vptr__translation translation = { 0 };
  snprintf(text, sizeof text, frame, body);
  ck_assert(vptr__translate("k.cu", text, strlen(text), &reader, &none, &translation));
  ck_assert_msg(translation.module != NULL, "%s", translation.log);
  return translation;
}

static void check_order(const char *body, const char *const *expected) {
  vptr__translation translation = translate_body(body);
  const char *at = translation.module;
  for (; *expected != NULL; expected++) {
    const char *next = strstr(at, *expected);
    ck_assert_msg(next != NULL, "no \"%s\" behind \"%.40s\" in\n%s", *expected, at, translation.module);
    at = next;
  }
  vptr__translate_free(&translation);
}

static void check_text(const char *body, const char *const *expected, const char *unexpected) {
  vptr__translation translation = translate_body(body);
  for (; *expected != NULL; expected++)
    ck_assert_msg(strstr(translation.module, *expected) != NULL, "no \"%s\" in\n%s", *expected, translation.module);
  if (unexpected != NULL)
    ck_assert_msg(strstr(translation.module, unexpected) == NULL, "\"%s\" in\n%s", unexpected, translation.module);
  vptr__translate_free(&translation);
}

START_TEST(the_text_has_both_forms) {
  static const char *const expected[] = { "//vptr hidden kind=block of=loops\n",
                                          " loops=4096\n",
                                          "#if !VPTR_LOOPS",
                                          "static void vptr_b_k__loops(",
                                          "  int x[1024];\n",
                                          "x[VPTR_AT] = b[t];",
                                          "\n#if VPTR_LOOPS\n, ulong vptr_block, ulong vptr_blocks\n#endif\n",
                                          "VPTR_BLOCKS_BEGIN\n  vptr_b_k__loops(&vptr, a, b, n, VPTR_BLOCK_HERE);\n",
                                          "//vptr hidden kind=blocks of=loops\n",
                                          NULL };
  check_text("int x = b[t]; s[t] = x; __syncthreads(); a[t] = x + s[0];", expected, "__placed");
}
END_TEST

START_TEST(functions_are_told_who_they_are) {
  static const char *const expected[] = { "vptr_f_place__placed(vptr_x, vptr_y, vptr_z, VPTR_BLOCK_HERE)",
                                          "vptr_f_block__placed(vptr_x, vptr_y, vptr_z, VPTR_BLOCK_HERE)",
                                          "vptr_f_checked__placed(vptr, n, vptr_x, vptr_y, vptr_z, VPTR_BLOCK_HERE)",
                                          "[5] = (ulong)(uint)(vptr_z), vptr_print(vptr->m_prints, 1, \"",
                                          "vptr_f_sum__loops(vptr_g0_0, (*vptr->m_s), vptr_g0, VPTR_BLOCK_HERE);",
                                          "vptr_f_twice(",
                                          NULL };
  check_text("a[t] = sum(place() + twice(t) + block() + checked(n), s);", expected, "vptr_f_twice__placed");
}
END_TEST

/* Only threads that do something are gone round, where they are told by their place in their row. */
static const struct {
  const char *condition, *head;
} row_parts[] = {
  { "t < n", "VPTR_THREADS_BELOW(int, n)" },
  { "t == 0", "VPTR_THREADS_AT(int, 0)" },
  { "7u == threadIdx.x", "VPTR_THREADS_AT(uint, 7u)" },
  { "t == n && b[t] > 3", "VPTR_THREADS_AT(int, n)" },
  { "b[t] > 3 && t < n", "VPTR_THREADS_BELOW(int, n)" },
  { "t % 32 == 5", "VPTR_THREADS_EACH(int, 5, 32)" },
  { "n == (t & 15)", "VPTR_THREADS_EACH(int, n, 16)" },
  { "t % 4 == 0", NULL },
  { "(t & 24) == 8", NULL },
  { "t % n == 0", NULL },
  { "t % 32 == b[t]", NULL },
  /* it may be that nobody comes to the division, and each does to the addition */
  { "n != 0 && t == 6 / n", NULL },
  { "atomicAdd(a, 1) > 3 && t == n", NULL },
  { "t == b[n]", NULL },
  { "t == 0 || t == 3", NULL },
  { "(char)t == 0", NULL },
  { "threadIdx.y == 0", NULL },
};

/* What one thread does for 32 neighbours in a row, and what each must do for itself. */
static const struct {
  const char *loop;
  bool is_led;
} leads[] = {
  { "for (k = 0, x = 0; k < t / 32; k++) x += s[k];", true },
  { "if (t >= 64) for (k = 0, x = 0; k < (int)(threadIdx.x >> 5) + n; k++) x += b[k]; else x = 7;", true },
  { "for (k = 0, x = 0; k < t / 32 + (int)threadIdx.y; k++) { if (s[k] == n) break; x += s[k]; }", true },
  { "for (k = 0, x = 0; k < t / 16; k++) x += s[k];", false },
  { "for (k = 0, x = 0; k < t / 32; k++) x += s[k + t];", false },
  { "for (k = 0, x = 0; k < t / 32; k++) x += b[t];", false },
  { "for (k = 0, x = 0; k < t / 32; k++) x += atomicAdd(a, 1);", false },
  { "for (k = 0, x = 0; k < t / 32; k++) { x += s[k]; s[k] = n; }", false },
  { "for (k = 0, x = 0; k < t / 32; k++) x += s[k]; x += t;", false },
  { "if (t >= 40) x = n; else for (k = 0, x = 0; k < t / 32; k++) x += s[k];", false },
  { "a[t + 64] = t; for (k = 0, x = 0; k < t / 32; k++) x += s[k];", false },
  { "for (k = 0, x = 0; k < t / 32; k++) x += ((volatile int *)b)[k];", false },
  { "x = t / 32 + n;", false },
};

START_TEST(neighbours_that_do_the_same_are_led) {
  char body[256];
  static const char *const expected[] = { "\nVPTR_THREADS_LED", NULL };
  snprintf(body, sizeof body, "int x, k; s[t] = t; __syncthreads(); %s a[t] = x;", leads[_i].loop);
  check_text(body, leads[_i].is_led ? expected : expected + 1, leads[_i].is_led ? NULL : "\nVPTR_THREADS_LED");
}
END_TEST

START_TEST(rows_are_gone_round_in_part) {
  char body[256];
  const char *const expected[] = { row_parts[_i].head, NULL };
  snprintf(body, sizeof body, "s[t] = t; __syncthreads(); if (%s) s[t] = 0; __syncthreads(); a[t] = s[t];",
           row_parts[_i].condition);
  check_text(body, row_parts[_i].head != NULL ? expected : expected + 1,
             row_parts[_i].head != NULL ? NULL : "\nVPTR_THREADS_AT");
  check_text(body, row_parts[_i].head != NULL ? expected : expected + 1,
             row_parts[_i].head != NULL ? NULL : "\nVPTR_THREADS_EACH");
}
END_TEST

/* What a function gives back is worked out for all, also behind a condition that is for one thread. */
START_TEST(results_are_of_all_threads) {
  static const char *const expected[] = { "vptr_result[VPTR_AT] = ", "vptr_f_first__loops(", NULL };
  check_text("a[t] = first(t, s);", expected, "\nVPTR_THREADS_AT");
}
END_TEST

/* Nobody else has the block's shared memory; where a block's threads are work-items they have it together. */
START_TEST(atomic_operations_on_shared_memory_are_plain) {
  static const char *const expected[] = { "vptr_own_add_int((*vptr->m_s)",
                                          "atomic_add((*vptr->m_s)",
                                          "vptr_own_max_int(p, 3)",
                                          "atomic_max(p, 3)",
                                          "vptr_f_most__placed(",
                                          "atomic_sub(a, t)",
                                          NULL };
  check_text("atomicAdd(s, t); most(s); __syncthreads(); atomicSub(a, t); a[t] = s[0];", expected, "vptr_own_sub");
}
END_TEST

/* Blocks with short rows are not worth it. */
START_TEST(without_barriers_there_is_a_way_for_each_thread) {
  static const char *const expected[] = { "if (!VPTR_IS_SHORT)", " alone=short\n", "vptr_b_k__placed(",
                                          "vptr_b_k__loops(", NULL };
  check_text("int x = 0; for (int i = 0; i < n; i++) x += b[i * 64 + t]; a[t] = x;", expected, "VPTR_LEAVE");
}
END_TEST

/* A block that goes round no loop is not worth it: that is asked where a block begins, of what is known there. */
static const struct {
  const char *body, *asked; /* NULL: always */
} busy[] = {
  { SERIES, "0 < n" },
  { "if (t >= n) return; int x = 0; for (int i = 4; i < n * 2; i++) x += b[i + t]; a[t] = x;", "4 < n * 2" },
  { "int m = n - 2, x = 0; for (int i = blockIdx.x; i < m; i++) x += b[i + t]; a[t] = x;", "(int)vptr_ix < n - 2" },
  { "int x = 0; if (n > 3) { int i = 0; do x += b[i + t]; while (++i < n); } a[t] = x;", "n > 3" },
  { "int x = 0; if (n > 3) a[t + 64] = 1; else for (int i = 7; i < n; i++) x += b[i + t]; a[t] = x;",
    "!(n > 3) && 7 < n" },
  { SERIES " for (int i = 3; i != n; i++) x ^= b[i + t]; a[t] = x;", "0 < n || 3 != n" },
  { "int x = 0; for (int i = 0; i < n; i++) for (int j = 5; j < n; j++) x += b[j + t]; a[t] = x;", "0 < n" },
  /* rounds that there surely are, and what is not known: what is loaded, written twice, divided, or another loop's */
  { "int x = 0, i = 0; do x += b[i + t]; while (++i < n); a[t] = x;", NULL },
  { "int x = 0; for (int i = 0;; i++) { if (i == n) break; x += b[i + t]; } a[t] = x;", NULL },
  { "int x = 0; for (int i = 0; i < told; i++) x += b[i + t]; a[t] = x;", NULL },
  { "int x = 0; n += 2; for (int i = 0; i < n; i++) x += b[i + t]; a[t] = x;", NULL },
  { "int x = 0, m = 1; if (n > 3) m = 2; for (int i = 0; i < m; i++) x += b[i + t]; a[t] = x;", NULL },
  { "int x = 0; for (int i = 0; i < 64 / n; i++) x += b[i + t]; a[t] = x;", NULL },
  { "int x = 0; for (int i = -4; i < 5; i++) x += b[i + t + 4]; a[t] = x;", NULL },
};

START_TEST(loops_that_are_not_gone_round_are_known_before) {
  char asked[128] = "VPTR_BLOCKS_BEGIN\n  if (!VPTR_IS_SHORT)\n";
  const char *const expected[] = { asked, "vptr_b_k__placed(", "vptr_b_k__loops(", NULL };
  if (busy[_i].asked != NULL)
    snprintf(asked, sizeof asked, "VPTR_BLOCKS_BEGIN\n  if (!VPTR_IS_SHORT && !(%s)) {\n", busy[_i].asked);
  check_text(busy[_i].body, expected, NULL);
}
END_TEST

/* What is worked out once comes behind the place where they leave: nobody may be left. Those that are no box are
 * marked. */
START_TEST(those_that_stay_go_on_together) {
  static const char *const expected[] = { "VPTR_BLOCK_PARAMETERS, uint *vptr_torn, const uint vptr_marks) {",
                                          "VPTR_STAYING_ALL(1024)",
                                          "VPTR_LEAVE_BEGIN(VPTR_PARALLEL)",
                                          "goto vptr_next_",
                                          "VPTR_LEAVE_END",
                                          "each = ",
                                          "for (",
                                          "VPTR_STAYING_BEGIN(VPTR_PARALLEL)",
                                          ", &vptr_torn, 0);",
                                          "if (vptr_torn) vptr_b_k__loops(",
                                          ", &vptr_torn, 1);",
                                          NULL };
  check_order("if (t >= n) return; int each = 64 / n; " SERIES, expected);
  check_order("if (t < n) { int each = 64 / n; " SERIES " }", expected);
}
END_TEST

/* What all rounds of a loop over threads have in one place, and what has to be done one after the other. */
static const char *const in_order[] = {
  "if (t >= n) return; int x = 0; for (int i = 0; i < n; i++) { int v[2] = { b[t], 1 }; x += v[i & 1]; } a[t] = x;",
  "if (t >= n) return; int x = 0; for (int i = 0; i < n; i++) { int v = b[i + t], *p = &v; x += *p; } a[t] = x;",
  "if (t >= n) return; int x = 0; for (int i = 0; i < n; i++) x += b[i + t] + place(); a[t] = x;",
  "if (t >= n) return; int x = 0; for (int i = 0; i < n; i++) { int2 v = { b[i + t], 1 }; x += v.x; } a[t] = x;",
};

START_TEST(rounds_that_share_something_are_in_order) {
  static const char *const expected[] = { "VPTR_LEAVE_BEGIN(VPTR_PARALLEL)", "VPTR_STAYING_BEGIN() ", NULL };
  check_order(in_order[_i], expected);
}
END_TEST

/* A variable of a kernel without any such form costs nothing. */
START_TEST(other_kernels_have_none_of_it) {
  static const char *const expected[] = { "vptr_b_k(", NULL };
  check_text("a[t] = place();", expected, "VPTR_LOOPS");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("loops");
  TCase *tcase = tcase_create("loops");
  tcase_add_loop_test(tcase, kernels_with_barriers_have_loops, 0, sizeof with_loops / sizeof *with_loops);
  tcase_add_loop_test(tcase, what_is_not_understood_has_none, 0, sizeof without_loops / sizeof *without_loops);
  tcase_add_loop_test(tcase, variables_are_where_they_must_be, 0, sizeof places / sizeof *places);
  tcase_add_test(tcase, loops_of_the_block_are_outside);
  tcase_add_test(tcase, conditions_without_a_barrier_are_inside);
  tcase_add_test(tcase, plain_values_come_ahead);
  tcase_add_test(tcase, the_text_has_both_forms);
  tcase_add_test(tcase, functions_are_told_who_they_are);
  tcase_add_loop_test(tcase, neighbours_that_do_the_same_are_led, 0, sizeof leads / sizeof *leads);
  tcase_add_loop_test(tcase, rows_are_gone_round_in_part, 0, sizeof row_parts / sizeof *row_parts);
  tcase_add_test(tcase, results_are_of_all_threads);
  tcase_add_test(tcase, atomic_operations_on_shared_memory_are_plain);
  tcase_add_test(tcase, without_barriers_there_is_a_way_for_each_thread);
  tcase_add_loop_test(tcase, loops_that_are_not_gone_round_are_known_before, 0, sizeof busy / sizeof *busy);
  tcase_add_test(tcase, those_that_stay_go_on_together);
  tcase_add_loop_test(tcase, rounds_that_share_something_are_in_order, 0, sizeof in_order / sizeof *in_order);
  tcase_add_test(tcase, other_kernels_have_none_of_it);
  suite_add_tcase(suite, tcase);
  return support_run(suite);
}
