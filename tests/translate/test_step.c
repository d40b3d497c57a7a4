/* SPDX-License-Identifier: MIT */
/*
 * step - code that counts on warps in step is warned of, at its place, once a function; code with barriers is not.
 */
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "translate/translate.h"

static bool no_file(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                    const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after, (void)text_out, (void)length_out,
      (void)path_out;
  return false;
}

static vptr__translation translate(const char *text, bool no_warnings) {
  vptr__reader reader = { .open = no_file };
  vptr__translate_options options = { .no_warnings = no_warnings };
  vptr__translation translation = { 0 };
  ck_assert(vptr__translate("test.cu", text, strlen(text), &reader, &options, &translation));
  ck_assert_msg(translation.module != NULL, "%s\n%s", text, translation.log);
  return translation;
}

static int count_of(const char *text, const char *word) {
  int count = 0;
  for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
    count++;
  return count;
}

/* A body with t the thread's number, n the same for all, and 64 volatile shared ints s; a line of its own. */
static const char *kernel_with(const char *body) {
  static char text[2000];
  snprintf(text, sizeof text,
           "__global__ void k(int *o, int n) { volatile __shared__ int s[64]; int t = threadIdx.x, u = 0;\n%s\no[t] "
           "= u; }",
           body);
  return text;
}

static void must_warn(const char *text, const char *where, const char *variable) {
  vptr__translation translation = translate(text, false);
  ck_assert_msg(strstr(translation.log, where) != NULL, "'%s' is not in '%s' of: %s", where, translation.log, text);
  ck_assert_msg(strstr(translation.log, variable) != NULL, "'%s' is not in '%s' of: %s", variable, translation.log,
                text);
  ck_assert_msg(count_of(translation.log, "warning:") == 1, "not one warning but '%s' of: %s", translation.log, text);
  ck_assert_msg(strstr(translation.log, "__syncthreads()") != NULL, "%s", translation.log);
  vptr__translate_free(&translation);
  translation = translate(text, true);
  ck_assert_msg(translation.log[0] == '\0', "without warnings: '%s' of: %s", translation.log, text);
  vptr__translate_free(&translation);
}

static void must_be_silent(const char *text) {
  vptr__translation translation = translate(text, false);
  ck_assert_msg(translation.log[0] == '\0', "'%s' of: %s", translation.log, text);
  vptr__translate_free(&translation);
}

START_TEST(reductions_without_barriers_are_warned_of) {
  must_warn(kernel_with(
                "s[t] = n; __syncthreads(); if (t < 32) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; }"),
            "test.cu:2:69: warning: ", "'s'");
  must_warn(
      "__global__ void k(float *o) { __shared__ float sdata[64]; unsigned tid = threadIdx.x; sdata[tid] = o[tid];\n"
      "__syncthreads(); if (tid < 32) { volatile float *smem = sdata;\n"
      "smem[tid] += smem[tid + 32];\nsmem[tid] += smem[tid + 16]; } o[tid] = sdata[0]; }",
      "test.cu:4:14: warning: ", "'smem'");
  must_warn("__device__ void last(volatile float *v, int t) {\nv[t] = v[t] + v[t + 2];\nv[t] = v[t] + v[t + 1]; }\n"
            "__global__ void k(float *o) { __shared__ float s[64]; s[threadIdx.x] = 1; __syncthreads();\n"
            "last(s, threadIdx.x); o[0] = s[0]; }",
            "test.cu:3:15: warning: ", "'v'");
  must_warn("__global__ void k(float *o) { volatile __shared__ float s[64]; int t = threadIdx.x; float sum = o[t];\n"
            "s[t] = sum; __syncthreads(); if (t < 32) {\ns[t] = sum = sum + s[t + 32];\ns[t] = sum = sum + s[t + "
            "16]; } o[t] = sum; }",
            "test.cu:4:20: warning: ", "'s'");
}
END_TEST

START_TEST(loops_and_scans_without_barriers_are_warned_of) {
  must_warn(kernel_with("s[t] = n; __syncthreads(); for (int d = 16; d > 0; d >>= 1) s[t] += s[t + d];"),
            "test.cu:2:", "'s'");
  must_warn(kernel_with("s[t] = n; if (t >= 1) s[t] = s[t] + s[t - 1]; if (t >= 2) s[t] = s[t] + s[t - 2];"),
            "test.cu:2:", "'s'");
  must_warn(kernel_with("s[t] = n; if (t >= 1) { u = s[t - 1]; s[t] += u; }"), "test.cu:2:", "'s'");
  must_warn(kernel_with("*(s + t) = n; u = *(s + t + 1);"), "test.cu:2:", "'s'");
  must_warn(
      kernel_with("s[t] = n; while (n-- > 0) { __syncthreads(); u += s[t ^ 1]; s[t] = u; if (t == 0) u += s[5]; }"),
      "test.cu:2:", "'s'");
  must_warn("__global__ void k(int *o) { volatile __shared__ int m[2][32]; int x = threadIdx.x, y = threadIdx.y;\n"
            "m[y][x] = o[x]; o[x] = m[y][x ^ 1]; }",
            "test.cu:2:", "'m'");
  must_warn("__global__ void k(int *o, int n) { volatile __shared__ int s[64]; int t = threadIdx.x; s[t] = n;\n"
            "if (n > 32) __syncthreads(); o[t] = s[63 - t]; }",
            "test.cu:2:", "'s'");
}
END_TEST

START_TEST(what_one_thread_tells_others_without_a_barrier_is_warned_of) {
  must_warn(kernel_with("if (t == 0) s[0] = n; u = s[0];"), "test.cu:2:", "'s'");
  must_warn(kernel_with("s[t] = n; if (t == 0) u = s[0] + s[1];"), "test.cu:2:", "'s'");
  must_warn("__global__ void k(int *o) { volatile __shared__ int flag; if (threadIdx.x == 0) flag = o[0];\n"
            "if (flag) o[threadIdx.x] = 1; }",
            "test.cu:2:", "'flag'");
}
END_TEST

START_TEST(code_with_barriers_is_not_warned_of) {
  must_be_silent(
      kernel_with("s[t] = n; __syncthreads(); for (int d = 32; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; "
                  "__syncthreads(); } if (t == 0) u = s[0];"));
  must_be_silent(kernel_with("s[t] = n; __syncthreads(); u = s[t + 32]; __syncthreads(); s[t] += s[63 - t]; "
                             "__syncthreads(); s[t] += s[u];"));
  must_be_silent(
      kernel_with("for (int d = 1; d < 64; d *= 2) { int x = t >= d ? s[t - d] : 0; __syncthreads(); s[t] += x; "
                  "__syncthreads(); }"));
  must_be_silent("__device__ int both(volatile int *v, int t) { v[t] = 1; __syncthreads(); return v[t ^ 1]; }\n"
                 "__device__ void all() { __syncthreads(); }\n"
                 "__global__ void k(int *o) { volatile __shared__ int s[64]; int t = threadIdx.x; s[t] = 1; all();\n"
                 "o[t] = s[t ^ 1] + both(s, t); }");
  must_be_silent("__global__ void k(int *o) { volatile __shared__ int flag; if (threadIdx.x == 0) flag = o[0];\n"
                 "__syncthreads(); if (flag) o[threadIdx.x] = 1; }");
  must_be_silent("__global__ void k(int *o, int n) { volatile __shared__ int done; for (int i = 0; i < n; i++) {\n"
                 "if (threadIdx.x == 0) done = o[i]; __syncthreads(); if (done) break; __syncthreads(); } }");
}
END_TEST

START_TEST(what_is_a_threads_own_is_not_warned_of) {
  must_be_silent(kernel_with("s[t] = n; s[t] += 1; s[t] += 2; u = s[t]; s[t]++;"));
  must_be_silent(kernel_with("s[t] = n; s[t + 32] = 1; u = s[t] + s[t + 32];"));
  must_be_silent(
      kernel_with("for (int i = 0; i < 4; i++) s[t * 4 + i] = i; for (int j = 0; j < 4; j++) u += s[t * 4 + j];"));
  must_be_silent(kernel_with("if (t == 0) { s[0] = 1; for (int i = 1; i < n; i++) s[i] = s[i - 1] + 1; }"));
  must_be_silent(kernel_with("if (t == 0) { s[0] = n; u = s[0]; }"));
  must_be_silent(kernel_with("s[0] = n; u = s[1];"));
  must_be_silent(kernel_with("if (s[t] > s[t + 1]) { int x = s[t]; s[t] = s[t + 1]; s[t + 1] = x; }"));
  must_be_silent("__global__ void k(int *o) { volatile __shared__ int m[4][32]; int x = threadIdx.x;\n"
                 "for (int i = 0; i < 4; i++) m[i][x] = i; for (int j = 0; j < 4; j++) o[x] += m[j][x]; }");
  must_be_silent("__global__ void k(volatile int *o) { int t = threadIdx.x; o[t] += o[t + 1]; o[t] += o[t + 3]; }");
  must_be_silent("__global__ void k(int *o) { volatile int own[8]; for (int i = 1; i < 8; i++) own[i] = i;\n"
                 "for (int i = 1; i < 8; i++) own[i] += own[i - 1]; *o = own[threadIdx.x]; }");
}
END_TEST

START_TEST(deep_nests_take_no_more_time) {
  char text[8000], *end = text;
  end += sprintf(end, "__global__ void k(int *o, int n) { volatile __shared__ int s[64]; int t = threadIdx.x;\n");
  for (int i = 0; i < 60; i++)
    end += sprintf(end, "for (int i%d = 0; i%d < n; i%d++) { s[t + %d] = n;\n", i, i, i, i);
  end += sprintf(end, "o[t] = s[t + 63];");
  for (int i = 0; i < 60; i++)
    end += sprintf(end, " }");
  sprintf(end, "\n}");
  must_warn(text, "test.cu:62:", "'s'");
}
END_TEST

static Suite *step_suite(void) {
  Suite *suite = suite_create("step");
  TCase *tests = tcase_create("step");
  tcase_add_test(tests, reductions_without_barriers_are_warned_of);
  tcase_add_test(tests, loops_and_scans_without_barriers_are_warned_of);
  tcase_add_test(tests, what_one_thread_tells_others_without_a_barrier_is_warned_of);
  tcase_add_test(tests, code_with_barriers_is_not_warned_of);
  tcase_add_test(tests, what_is_a_threads_own_is_not_warned_of);
  tcase_add_test(tests, deep_nests_take_no_more_time);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(step_suite());
}
