/* SPDX-License-Identifier: MIT */
/*
 * pocl - which versions of PoCL are told how to run the work-items of a group. That the results are right is for
 * tests/translate/test_random_kernels.c, with the PoCL that is installed.
 */
#include <stdlib.h>
#include <string.h>

#include "device/pocl.h"
#include "support/child.h"
#include "support/support.h"

static const char name[] = "Portable Computing Language";

START_TEST(the_version_is_read_from_what_drivers_tell) {
  ck_assert_uint_eq(vptr__pocl_version(name, "3.1+debian"), 3);
  ck_assert_uint_eq(vptr__pocl_version(name, "6.0+debian"), 6);
  ck_assert_uint_eq(vptr__pocl_version(name, "10.2-pre main-0-g1234"), 10);
  ck_assert_uint_eq(vptr__pocl_version("NVIDIA CUDA", "580.95"), 0);
  ck_assert_uint_eq(vptr__pocl_version(name, ""), 0);
}
END_TEST

static bool method_is(const char *expected) {
  const char *method = getenv("POCL_WORK_GROUP_METHOD");
  return expected == NULL ? method == NULL : method != NULL && strcmp(method, expected) == 0;
}

static void loop_with_version_3(void) {
  unsetenv("POCL_WORK_GROUP_METHOD");
  child_require(vptr__pocl_choose_method(3), "version 3 loses threads");
  child_require(method_is(NULL), "version 3 knows no such method");
}

static void jump_from_version_4_on(void) {
  unsetenv("POCL_WORK_GROUP_METHOD");
  child_require(!vptr__pocl_choose_method(4) && method_is("cbs"), "version 4 can jump");
  child_require(!vptr__pocl_choose_method(7) && method_is("cbs"), "and so can those behind");
}

static void keep_the_choice_of_the_program(void) {
  setenv("POCL_WORK_GROUP_METHOD", "loopvec", 1);
  child_require(!vptr__pocl_choose_method(5) && method_is("loopvec"), "the program has chosen");
  vptr__pocl_choose_method(5);
}

static void run(void (*body)(void), const char *expected) {
  child done;
  child_run(body, &done);
  ck_assert_msg(done.exited && done.exit_code == 0, "exit %d, signal %d: %s", done.exit_code, done.signal, done.text);
  ck_assert_str_eq(done.text, expected);
}

START_TEST(pocl_is_told_to_jump_where_it_can) {
  run(loop_with_version_3, "");
  run(jump_from_version_4_on, "");
}
END_TEST

START_TEST(another_choice_stays_and_is_warned_of_once) {
  run(keep_the_choice_of_the_program, "vptr: POCL_WORK_GROUP_METHOD is 'loopvec': PoCL 5 runs kernels with barriers "
                                      "under conditions or in loops rightly only "
                                      "with 'cbs'; unset the variable, and vptr sets it\n");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("pocl");
  TCase *methods = tcase_create("methods");
  tcase_add_test(methods, the_version_is_read_from_what_drivers_tell);
  tcase_add_test(methods, pocl_is_told_to_jump_where_it_can);
  tcase_add_test(methods, another_choice_stays_and_is_warned_of_once);
  suite_add_tcase(suite, methods);
  return support_run(suite);
}
