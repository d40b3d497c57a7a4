/* SPDX-License-Identifier: MIT */
/*
 * test_uniform - barriers that all threads reach pass; those that some may miss are refused, with both places.
 */
#include <check.h>
#include <stdio.h>

#include "support/support.h"
#include "translate/planned.h"

/* Bodies of `__global__ void k(float *a, int n, const int *p)`, on line 4 of the text. */
static const char frame[] =
    "__device__ void sync() { __syncthreads(); }  __device__ int twice(int x) { return 2 * x; }\n"
    "__device__ int pick(int x, int y) { if (x > 3) return y; return 1; }  __shared__ int flag; __shared__ float "
    "s[64];\n"
    "__device__ void set(int *x, int y) { *x = y; } __device__ void bump(int &x) { x++; }  struct two { int x, y; "
    "}; struct holder { int *at; }; __device__ holder held(int *x) { holder h; h.at = x; return h; } __device__ void "
    "through(int *const &x, int y) { *x = y; }\n"
    "__global__ void k(float *a, int n, const int *p) { unsigned t = threadIdx.x; %s }\n";

static const char *const accepted[] = {
  "__syncthreads(); a[t] = 1;",
  "if (t < 3) a[t] = 1; __syncthreads();",
  "for (int i = 0; i < n; i++) { s[t] = a[i]; __syncthreads(); }",
  "for (int step = blockDim.x / 2; step > 0; step >>= 1) { if (t < step) s[t] += s[t + step]; __syncthreads(); }",
  "int step = 32; while (step >= 1) { if (t < step) s[t] += s[t + step]; __syncthreads(); step /= 2; }",
  "int step = 32; do { sync(); step -= 2; } while (step != 0);",
  "if (n > 3) { __syncthreads(); }",
  "if (p[blockIdx.x]) { __syncthreads(); }",
  "if (t == 0) flag = n; __syncthreads(); if (flag) { __syncthreads(); }",
  "while (true) { __syncthreads(); if (flag) break; __syncthreads(); s[t] = 2; }",
  "__syncthreads(); if (t > n) return; a[t] = s[t];",
  "if (blockIdx.x > n) return; __syncthreads();",
  "for (int i = 0; i < n; i++) { __syncthreads(); if (t > i) continue; s[t] = i; }",
  "for (int i = t; i < n; i += blockDim.x) { if (a[i] > 2) break; s[i] = a[i]; } __syncthreads();",
  "for (int i = 0; i < n; i++) { for (int j = t; j < n; j++) { if (s[j] > 1) break; } __syncthreads(); }",
  "switch (n) { case 1: __syncthreads(); break; case 2: s[t] = 1; break; default: sync(); }",
  "switch (t) { case 1: s[t] = 1; break; default: break; } __syncthreads();",
  "int m = twice(n); if (m > 4) sync();",
  "int m = pick(n, 4); if (m > 4) sync();",
  "int m = 0; set(&m, n); bump(m); while (m-- > 0) __syncthreads();",
  "two v = { n, 1 }; if (v.y) __syncthreads();",
  "if (n && p[0]) __syncthreads();",
  "int local[4] = { 0, 1, 2, 3 }; if (local[n & 3]) __syncthreads();",
  "if (__syncthreads_or(t > 3)) __syncthreads();",
  "int c = t > 3 ? 1 : 2; s[t] = c; __syncthreads();",
  "const int &r = n; if (r) __syncthreads();",
  "again: __syncthreads(); if (--n > 0) goto again;",
  /* Who jumps ahead is met at the label. */
  "if (t > 3) goto on; s[t] = 1; on: ; __syncthreads();",
  "for (int i = 0; i < n; i++) { if (t > i) { if (t > 9) goto on; s[t] = i; } on: ; __syncthreads(); }",
  "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (t == j) goto on; on: ; __syncthreads();",
  "if (t > 3) goto on; if (t > 2) goto off; s[t] = 1; on: s[t] += 1; off: ; __syncthreads();",
  "int k; for (k = 0; k < n; ) { k++; __syncthreads(); }",
  "int x = t; x = 3; s[x] = 1; __syncthreads();",
  /* What a variable holds counts where it is used, not what it held before or will hold. */
  "int i = t; s[i] = 1; for (i = 32; i > 0; i >>= 1) { if (t < i) s[t] += 1; __syncthreads(); }",
  "int i = t; i = n; if (i) __syncthreads();",
  "int i = n; if (i) __syncthreads(); i = t; s[i] = 1;",
  "int i = t; if (n) i = 3; else i = 4; if (i) __syncthreads();",
  "int i; for (i = t; i < n; i += 64) s[t] += a[i]; for (i = 0; i < n; i++) __syncthreads();",
  "int i = n; while (i > 0) { int j = i; __syncthreads(); j = t; s[j & 63] = 1; i--; }",
  "int i = t; switch (n) { case 1: i = 2; break; case 2: i = 3; break; default: i = 4; } if (i) __syncthreads();",
  "int i = t; do { i = n; __syncthreads(); } while (i < 3);",
  "int i = 0; for (;;) { if (n > i) { i = t; break; } __syncthreads(); i++; } i = 3; if (i) __syncthreads();",
};

START_TEST(barriers_that_all_reach_pass) {
  char text[2048];
  snprintf(text, sizeof text, frame, accepted[_i]);
  planned_accept(text);
}
END_TEST

static const struct {
  const char *body, *barrier, *note;
} refused[] = {
  { "\nif (t < 3)\n__syncthreads();", "t.cu:6:1: error: __syncthreads() may not be", "t.cu:5:" },
  { "\nif (n) { s[t] = 1; } else if (t)\n { __syncthreads(); }", "t.cu:6:4: error: ", "t.cu:5:" },
  { "\nif (t > n)\n return;\n__syncthreads();",
    "t.cu:7:1: error: ", "t.cu:6:2: note: some threads may have returned here" },
  { "\nfor (int i = t; i < n; i++)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 0;\nwhile (i < n) { __syncthreads();\nif (a[t] > 1)\n break; i++; }",
    "t.cu:5:17: error: ", "t.cu:7:2: note: some threads may have left the loop here" },
  { "for (int i = 0; i < n; i++) { if (t)\ncontinue;\n__syncthreads(); }",
    "t.cu:6:1: error: ", "t.cu:5:1: note: some threads may have gone on" },
  { "int i = 0; do\n __syncthreads();\nwhile (i++ < a[t]);", "t.cu:5:2: error: ", "t.cu:6:" },
  { "\nswitch (t) { case 1:\n__syncthreads(); }", "t.cu:6:1: error: ", "t.cu:5:" },
  { "\nswitch (t) { case 1: return; default: break; }\n__syncthreads();",
    "t.cu:6:1: error: ", "t.cu:5:22: note: some threads may have returned here" },
  { "for (int i = 0; i < n; i++) { switch (t) { case 1: s[0] = 1;\nbreak; default: return; }\n__syncthreads(); }",
    "t.cu:6:1: error: ", "t.cu:5:17: note: some threads may have returned here" },
  { "\nint x = t && (__syncthreads_or(n)); s[0] = x;", "t.cu:5:", "note: this condition may differ" },
  { "\nif (t)\nsync();", "t.cu:6:1: error: 'sync', which has a barrier, may not be called by all", "t.cu:5:" },
  { "int m = twice(t);\nif (m)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = pick(t, 4);\nif (m)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = 0; set(&m, t);\nif (m)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = 0; if (t) bump(m);\nif (m)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = 0; int &r = m; r = t;\nif (m)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = 0; int *q = &m; int **w = &q; **w = t;\nif (m)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "two v = { n, 1 }; v.x = t;\nif (v.x)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = 0; if (t) m = 1;\nif (m)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = atomicAdd(&flag, 1);\nif (m)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "\nif (p[t])\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "const int *q = p + t;\nif (*q)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m[4] = { 0 }; m[t & 3] = 1;\nif (m[0])\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 0; for (;;) { if (t > 3) break; i++; if (i > n) break; }\nif (i)\n__syncthreads();",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "again: ;\n__syncthreads();\n if (t > 3)\n goto again;",
    "t.cu:5:1: error: ", "t.cu:7:2: note: some threads may have gone elsewhere" },
  { "if (t > 3)\ngoto on;\n__syncthreads(); on: ;",
    "t.cu:6:1: error: ", "t.cu:5:1: note: some threads may have gone elsewhere" },
  { "if (n) {\n__syncthreads(); if (t > 3)\ngoto on; s[t] = 1; } on: ;",
    "t.cu:5:1: error: ", "t.cu:6:1: note: some threads may have gone elsewhere" },
  { "if (n) goto on; if (t > 3)\ngoto on;\ns[t] = 2; on: ;\n__syncthreads();",
    "t.cu:7:1: error: ", "t.cu:5:1: note: some threads may have gone elsewhere" },
  { "for (int i = 0; i < n; i++) {\n__syncthreads(); if (t > i)\ngoto on; } on: ;",
    "t.cu:5:1: error: ", "t.cu:6:1: note: " },
  { "int i = 0; if (t > 3) goto on; i = 1; on:\nif (i)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = 0; int *q = &m, *w; memcpy(&w, &q, sizeof w); *w = t;\nif (m)\n__syncthreads();",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = 0; through(&m, t);\nif (m)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = 0; *held(&m).at = t;\nif (m)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int m = 0; const holder &h = holder{ &m }; *h.at = t;\nif (m)\n__syncthreads();",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "float y, z; sincosf(t, &y, &z);\nif (z > 0)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  /* Where ways meet, what any of them left; what a round leaves, the next one finds. */
  { "int i = t; if (n) i = 3;\nif (i)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = t; for (int j = 0; j < n; j++) i = 3;\nif (i)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 3; for (int j = 0; j < n; j++) {\nif (i)\n__syncthreads(); i = t; }", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 3; for (int j = 0; j < n; j++) { for (int l = 0; l < n; l++) {\nif (i)\n__syncthreads(); } if (n == j) "
    "i = t; }",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 3; for (int j = 0; j < n; j++) { if (j == 5) { i = t; continue; } i = 4; }\nif (i)\n__syncthreads();",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 3; for (int j = 0; j < n; j++) { if (j == 5) { i = t; break; } }\nif (i)\n__syncthreads();",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 3; for (int j = 0; j < n; j++) { i = 4; if (j == n - 2) { i = t; continue; } }\nif "
    "(i)\n__syncthreads();",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 3; for (; i < n; i = t) {\n__syncthreads(); }", "t.cu:5:1: error: ", "t.cu:4:" },
  { "int i = t; switch (n) { case 1: i = 2; break; case 2: i = 3; }\nif (i)\n__syncthreads();",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 1; switch (n) { case 1: i = t; case 2:\nif (i)\n__syncthreads(); }", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = t; n && (i = 3);\nif (i)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = t; n ? (i = 3) : n;\nif (i)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = t, j = 1; (n ? i : j) = 3;\nif (i)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = n; again: if (n > 4) {\nif (i)\n__syncthreads(); } i = t; if (n-- > 0) goto again;",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = t; if (t > 3) i = 3; else i = 4;\nif (i)\n__syncthreads();", "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 0; while (i < n) { if (a[t] > i) break; i = 3; } \nif (i)\n__syncthreads();",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "int i = 0, j = t; do { i = j; j = n; } while (i < 3 && n);\nif (i)\n__syncthreads();",
    "t.cu:6:1: error: ", "t.cu:5:" },
  { "for (int i = 0; i < n; i++) {\n__syncthreads(); for (int j = 0; j < n; j++) if (t)\nreturn; }",
    "t.cu:5:1: error: ", "t.cu:6:1: note: some threads may have returned here" },
};

START_TEST(barriers_that_some_may_miss_are_refused) {
  char text[2048];
  snprintf(text, sizeof text, frame, refused[_i].body);
  planned_refuse(text, (const char *const[]){ refused[_i].barrier, refused[_i].note, NULL });
}
END_TEST

START_TEST(parameters_differ_if_any_caller_says_so) {
  static const char *const expected[] = { "t.cu:2:2: error: ", "t.cu:1:", NULL };
  planned_refuse("__device__ void f(int x) { if (x)\n __syncthreads(); }\n"
                 "__global__ void k(int n) { f(n); f(threadIdx.y); }\n",
                 expected);
  planned_accept("__device__ void f(int x) { if (x)\n __syncthreads(); }\n"
                 "__device__ void g(int *x) { *x = threadIdx.x; }\n"
                 "__global__ void k(int n) { int y; g(&y); f(n); f(blockIdx.x); }\n");
}
END_TEST

START_TEST(kernels_without_barriers_are_not_judged) {
  planned_accept("__global__ void k(float *a, int n) { int i = threadIdx.x; if (i >= n) return; while (a[i] > 1) "
                 "a[i] /= 2; }\n");
}
END_TEST

static Suite *uniform_suite(void) {
  Suite *suite = suite_create("uniform");
  TCase *barriers = tcase_create("barriers");
  tcase_add_loop_test(barriers, barriers_that_all_reach_pass, 0, (int)(sizeof accepted / sizeof *accepted));
  tcase_add_loop_test(barriers, barriers_that_some_may_miss_are_refused, 0, (int)(sizeof refused / sizeof *refused));
  tcase_add_test(barriers, parameters_differ_if_any_caller_says_so);
  tcase_add_test(barriers, kernels_without_barriers_are_not_judged);
  suite_add_tcase(suite, barriers);
  return suite;
}

int main(void) {
  return support_run(uniform_suite());
}
