/* SPDX-License-Identifier: MIT */
/*
 * planted - a suite with faults on purpose: one test hangs, one crashes, one leaves the process, and others that pass
 * stand before and behind them. tests/project/isolation.sh runs it and reads the report.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"

START_TEST(this_has_the_limit) {
  ck_assert_str_eq(getenv("CK_DEFAULT_TIMEOUT"), getenv("PLANTED_LIMIT"));
}
END_TEST

static int tests_here;

START_TEST(this_hangs) {
  tests_here++;
  for (;;)
    pause();
}
END_TEST

START_TEST(this_crashes) {
  tests_here++;
  raise(SIGSEGV);
}
END_TEST

START_TEST(this_leaves) {
  _exit(3);
}
END_TEST

START_TEST(this_passes_behind) {
  ck_assert_int_eq(tests_here, 0); /* the others ran in processes of their own */
}
END_TEST

int main(void) {
  Suite *suite = suite_create("planted");
  TCase *limit = tcase_create("limit"), *tests = tcase_create("planted");
  tcase_add_test(limit, this_has_the_limit);
  suite_add_tcase(suite, limit);
  tcase_add_test(tests, this_hangs);
  tcase_add_test(tests, this_crashes);
  tcase_add_test(tests, this_leaves);
  tcase_add_test(tests, this_passes_behind);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
