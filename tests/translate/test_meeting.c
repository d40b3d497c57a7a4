/* SPDX-License-Identifier: MIT */
/*
 * test_meeting - where barriers and marks for PoCL stand in the text. What they are good for, tests/kernels/nested.cu
 * and test_random_kernels show on the device.
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

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
    count++;
  return count;
}

/* Bodies of a kernel; how many of each are in its text. */
static const struct {
  const char *body;
  int plain, in_way, in_round, met;
} bodies[] = {
  /* Products by tiles have none: nothing in them takes threads apart between barriers. */
  { "for (int i = 0; i < n; i++) { s[t] = a[i]; __syncthreads(); for (int k = 0; k < 64; k++) a[t] += s[k]; "
    "__syncthreads(); }",
    0, 0, 0, 0 },
  /* Nor has what has no barrier under a condition or in a loop. */
  { "if (t == 0) s[0] = 1; __syncthreads(); if (t) a[t] = s[0];", 0, 0, 0, 0 },
  /* A sum has one mark. */
  { "for (int i = 32; i > 0; i >>= 1) { if (t < i) s[t] += s[t + i]; __syncthreads(); }", 1, 0, 0, 0 },
  { "for (int i = 0; i < n; i++) switch (i & 3) { case 0: if (t) a[t]++; break; default: __syncthreads(); }", 0, 1, 0,
    3 },
  { "for (int i = 0; i < n; i++) if (i & 1) { __syncthreads(); if (t) a[t]++; } else if (t > 3) a[t]--;", 0, 2, 0,
    2 },
  { "if (n < 0) return; if (t == 0) s[0] = 1; __syncthreads();", 1, 0, 0, 2 },
  /* All may leave early, and some alone at the end: these meet the others there. */
  { "if (n < 0) return; __syncthreads(); if (t > 2) return; a[t] = 1;", 1, 0, 0, 2 },
  { "__syncthreads(); if (t > 2) return; a[t] = 1;", 0, 0, 0, 0 },
  { "int i = 0; while (i < n && pick(n, i)) { __syncthreads(); i++; }", 0, 0, 1, 0 },
  { "int i = 0; do { __syncthreads(); i++; } while (pick(n, i));", 0, 0, 1, 0 },
  { "for (int i = 0; pick(n, i); i++) __syncthreads();", 0, 0, 2, 0 },
  { "for (int i = 0; i < n; i++) sync();", 1, 0, 0, 1 },
};

static void expect(const char *module, const char *part, int count) {
  ck_assert_msg(count_of(module, part) == count, "not %d times '%s':\n%s", count, part, module);
}

START_TEST(they_stand_where_threads_part_and_meet) {
  char text[1024];
  vptr__reader reader = { .open = no_file };
  vptr__translate_options options = { 0 };
  vptr__translation translation = { 0 };
  snprintf(text, sizeof text,
           "__device__ int pick(int x, int y) { return y < x; } __shared__ int s[64];\n"
           "__device__ void sync() { __syncthreads(); }\n"
           "__global__ void k(int *a, int n) { int t = threadIdx.x; %s }",
           bodies[_i].body);
  ck_assert(vptr__translate("test.cu", text, strlen(text), &reader, &options, &translation));
  ck_assert_msg(translation.module != NULL, "%s", translation.log);
  expect(translation.module, "VPTR_PART;", bodies[_i].plain);
  expect(translation.module, "VPTR_PART_IN_WAY(",
         bodies[_i].in_way + count_of(translation.module, "#define VPTR_PART_IN_WAY("));
  expect(translation.module, "VPTR_PART, ", bodies[_i].in_round);
  expect(translation.module, "VPTR_MEET;", bodies[_i].met);
  vptr__translate_free(&translation);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("meeting");
  TCase *tcase = tcase_create("meeting");
  tcase_add_loop_test(tcase, they_stand_where_threads_part_and_meet, 0, (int)(sizeof bodies / sizeof *bodies));
  suite_add_tcase(suite, tcase);
  return support_run(suite);
}
