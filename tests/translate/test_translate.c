/* SPDX-License-Identifier: MIT */
/*
 * The whole way from text to module, as a caller sees it: what comes back, and that nothing is left when memory or a
 * limit ends, wherever it ends.
 */
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "translate/translate.h"

static const char saxpy[] = "#include \"scale.h\"\n"
                            "__global__ void saxpy(int n, float a, const float *x, float *y) {\n"
                            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  if (i < n)\n"
                            "    y[i] = SCALE * a * x[i] + y[i];\n"
                            "}\n"
                            "namespace inner { __constant__ int table[3] = { 1, 2, 3 };\n"
                            "__global__ void copy(int *out) { out[threadIdx.x] = table[threadIdx.x]; } }\n";

static bool open_header(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                        const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)is_quoted, (void)includer, (void)after;
  static const char text[] = "#define SCALE 2\n";
  if (strcmp(name, "scale.h") != 0)
    return false;
  *text_out = text;
  *length_out = strlen(text);
  *path_out = "include/scale.h";
  return true;
}

static const vptr__reader reader = { .open = open_header };

static vptr__translation translate(const char *text, const vptr__translate_options *options) {
  vptr__translation translation;
  ck_assert(vptr__translate("test.cu", text, strlen(text), &reader, options, &translation));
  return translation;
}

static void expect_in_log(const char *text, const vptr__translate_options *options, const char *message) {
  long live = vptr__memory_live();
  vptr__translation translation = translate(text, options);
  ck_assert_ptr_null(translation.module);
  ck_assert_msg(strstr(translation.log, message) != NULL, "\"%s\" is not in the log: %s", message, translation.log);
  vptr__translate_free(&translation);
  ck_assert_int_eq(vptr__memory_live(), live);
}

START_TEST(a_text_becomes_a_module) {
  vptr__translation translation = translate(saxpy, NULL);
  ck_assert_str_eq(translation.log, "");
  ck_assert_ptr_nonnull(translation.module);
  ck_assert(strncmp(translation.module, "//vptr-module 1\n", 16) == 0);
  ck_assert_ptr_nonnull(strstr(translation.module, "//vptr kernel name=saxpy "));
  ck_assert_str_eq(translation.included[0], "include/scale.h");
  ck_assert_ptr_null(translation.included[1]);
  vptr__translate_free(&translation);
}
END_TEST

START_TEST(the_text_may_end_without_a_zero) {
  size_t length = strlen(saxpy);
  char *exact = malloc(length);
  ck_assert_ptr_nonnull(exact);
  memcpy(exact, saxpy, length);
  vptr__translation translation;
  ck_assert(vptr__translate("test.cu", exact, length, &reader, NULL, &translation));
  ck_assert_ptr_nonnull(translation.module);
  vptr__translate_free(&translation);
  free(exact);
}
END_TEST

START_TEST(names_are_lowered) {
  static const char *const names[] = { "saxpy", "& inner::copy", "&inner::table", NULL };
  vptr__translation translation = translate(saxpy, &(vptr__translate_options){ .names = names });
  ck_assert_msg(translation.module != NULL, "%s", translation.log);
  ck_assert_ptr_nonnull(strstr(translation.module, "//vptr expression name=saxpy lowered=_Z5saxpyifPKfPf\n"));
  ck_assert_ptr_nonnull(
      strstr(translation.module, "//vptr expression name=&%20inner::copy lowered=_ZN5inner4copyEPi\n"));
  vptr__translate_free(&translation);
  static const char *const wrong[] = { "nothing", NULL };
  expect_in_log(saxpy, &(vptr__translate_options){ .names = wrong }, "name expression \"nothing\"");
  static const char *const apart[] = { "sax py", NULL };
  expect_in_log(saxpy, &(vptr__translate_options){ .names = apart }, "name expression \"sax py\"");
}
END_TEST

START_TEST(options_define_macros) {
  static const char *const defines[] = { "A=2", "B", "-B", "C", NULL };
  vptr__translate_options options = { .defines = defines, .arch = 860, .is_rtc = true };
  vptr__translation translation =
      translate("#if A == 2 && !defined B && C == 1 && __CUDA_ARCH__ == 860 && defined __CUDACC_RTC__\n"
                "__global__ void k(int *p) { *p = A; }\n#else\n#error wrong\n#endif",
                &options);
  ck_assert_msg(translation.module != NULL, "%s", translation.log);
  vptr__translate_free(&translation);
}
END_TEST

START_TEST(errors_say_where) {
  expect_in_log("\n  #error here", NULL, "test.cu:2:3: error: #error here\n");
  expect_in_log("__global__ void k(int *p) {\n  *p = unknown;\n}", NULL, "test.cu:2:8: error: ");
}
END_TEST

START_TEST(limits_are_errors) {
  expect_in_log(saxpy, &(vptr__translate_options){ .memory_limit = 20000 }, "error: the translation takes more than");
  expect_in_log(saxpy, &(vptr__translate_options){ .memory_limit = 1 }, "error: the translation takes more than");
  static char deep[100001];
  memset(deep, '(', sizeof deep - 1);
  memcpy(deep, "__global__ void k(int *p) { *p = ", 33);
  expect_in_log(deep, NULL, "error: something in this text nests more than");
  memcpy(deep, "const int not_surely_the_hosts = (", 33); /* an attempt, which is silent */
  expect_in_log(deep, NULL, "error: something in this text nests more than");
  memset(deep, '(', 40);
  memcpy(deep, "#if ", 4);
  expect_in_log(deep, NULL, "error: something in this text nests more than");
}
END_TEST

/* Under the address sanitizer each piece is an allocation, thousands: then not every one of them is failed. */
START_TEST(nothing_is_left_when_memory_ends) {
  static const char *const names[] = { "saxpy", NULL };
  vptr__translate_options options = { .names = names };
  long live = vptr__memory_live();
  bool is_done = false;
  int failures = 0;
  for (long nth = 1; !is_done; nth += 1 + nth / 16) {
    vptr__translation translation = { .module = NULL };
    vptr__memory_fail_nth(nth);
    is_done = vptr__translate("test.cu", saxpy, strlen(saxpy), &reader, &options, &translation);
    vptr__memory_fail_nth(0);
    failures += !is_done;
    if (is_done) {
      ck_assert_ptr_nonnull(translation.module);
      vptr__translate_free(&translation);
    }
    ck_assert_int_eq(vptr__memory_live(), live);
  }
  ck_assert_int_gt(failures, 4);
}
END_TEST

static const char *translate_again(const char *expected) {
  for (int i = 0; i < 20; i++) {
    vptr__translation translation;
    if (!vptr__translate("test.cu", saxpy, strlen(saxpy), &reader, NULL, &translation))
      return "memory is out";
    bool is_same = translation.module != NULL && strcmp(translation.module, expected) == 0;
    vptr__translate_free(&translation);
    if (!is_same)
      return "the module differs";
  }
  return NULL;
}

static void *thread(void *expected) {
  return (void *)(uintptr_t)translate_again(expected);
}

START_TEST(threads_do_not_meet) {
  vptr__translation alone = translate(saxpy, NULL);
  ck_assert_ptr_nonnull(alone.module);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, thread, alone.module), 0);
  for (int i = 0; i < 2; i++) {
    void *wrong;
    ck_assert_int_eq(pthread_join(threads[i], &wrong), 0);
    ck_assert_msg(wrong == NULL, "%s", (const char *)wrong);
  }
  vptr__translate_free(&alone);
}
END_TEST

static Suite *translate_suite(void) {
  Suite *suite = suite_create("translate");
  TCase *cases = tcase_create("all");
  tcase_add_test(cases, a_text_becomes_a_module);
  tcase_add_test(cases, the_text_may_end_without_a_zero);
  tcase_add_test(cases, names_are_lowered);
  tcase_add_test(cases, options_define_macros);
  tcase_add_test(cases, errors_say_where);
  tcase_add_test(cases, limits_are_errors);
  tcase_add_test(cases, nothing_is_left_when_memory_ends);
  tcase_add_test(cases, threads_do_not_meet);
  suite_add_tcase(suite, cases);
  return suite;
}

int main(void) {
  return support_run(translate_suite());
}
