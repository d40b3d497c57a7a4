/* SPDX-License-Identifier: MIT */
/* callsite: with the real addr2line where it is installed, and with false ones that misbehave. */
#include "support/support.h"

#include "base/callsite.h"
#include "base/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_SIZE = 300 };

/* Not exported, so that the loader does not know it and addr2line must. */
enum { LANDMARK_LINE = __LINE__ + 1 };
static __attribute__((noinline)) int landmark(int x) {
  return x + 1;
}

static const void *landmark_address(void) {
  return (const void *)(uintptr_t)landmark;
}

static bool has_addr2line(void) {
  bool has = system("addr2line --version > /dev/null 2>&1") == 0;
  if (!has)
    puts("left out: addr2line is not installed");
  return has;
}

START_TEST(a_static_function_is_named_with_its_line) {
  static const char start[] = "landmark (test_callsite)";
  static const char file[] = " test_callsite.c:";
  if (!has_addr2line())
    return;
  char text[TEXT_SIZE];
  vptr__callsite_describe(landmark_address(), text, sizeof text);
  ck_assert_msg(strncmp(text, start, strlen(start)) == 0, "got: %s", text);
  const char *rest = text + strlen(start);
  if (*rest == '\0') {
    puts("left out: lines, since this program has no debug information");
    return;
  }
  ck_assert_msg(strncmp(rest, file, strlen(file)) == 0, "got: %s", text);
  int line = atoi(rest + strlen(file));
  ck_assert_msg(line >= LANDMARK_LINE && line < LANDMARK_LINE + 3, "got: %s", text);
}
END_TEST

START_TEST(an_exported_function_of_a_library_is_named_with_the_library) {
  char text[TEXT_SIZE];
  const char *function = dlsym(RTLD_DEFAULT, "insque");
  ck_assert_ptr_nonnull(function);
  vptr__callsite_describe(function + 1, text, sizeof text);
  ck_assert_msg(strstr(text, "insque") != NULL && strstr(text, "(libc.so") != NULL, "got: %s", text);
}
END_TEST

START_TEST(an_address_outside_of_code_is_a_number) {
  char text[TEXT_SIZE];
  char expected[TEXT_SIZE];
  vptr__callsite_describe((const void *)(uintptr_t)0x10, text, sizeof text);
  ck_assert_str_eq(text, "0x10");
  vptr__callsite_describe(NULL, text, sizeof text);
  ck_assert_str_eq(text, "0x0");
  snprintf(expected, sizeof expected, "%p", (void *)text);
  vptr__callsite_describe(text, text, sizeof text);
  ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(the_text_is_cut_at_its_size_and_terminated) {
  char whole[TEXT_SIZE];
  vptr__callsite_describe(landmark_address(), whole, sizeof whole);
  for (size_t size = 1; size < 20; size++) {
    char text[24];
    memset(text, '#', sizeof text);
    vptr__callsite_describe(landmark_address(), text, size);
    ck_assert_uint_eq(strlen(text), size - 1);
    ck_assert_int_eq(strncmp(text, whole, size - 1), 0);
    ck_assert_int_eq(text[size], '#');
  }
}
END_TEST

START_TEST(errno_stays) {
  char text[TEXT_SIZE];
  errno = EDOM;
  vptr__callsite_describe(landmark_address(), text, sizeof text);
  ck_assert_int_eq(errno, EDOM);
}
END_TEST

/* ---- addr2line that is missing or misbehaves ------------------------------------------------------------- */

/* Puts a script called addr2line where execvp() looks first, and describes landmark with it. */
static void describe_with_script(const char *body, char text[TEXT_SIZE]) {
  char folder[] = "/tmp/vptr-callsite-XXXXXX";
  char file[sizeof folder + 16];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(file, sizeof file, "%s/addr2line", folder);
  FILE *script = fopen(file, "w");
  ck_assert_ptr_nonnull(script);
  fprintf(script, "#!/bin/sh\n%s\n", body);
  fclose(script);
  chmod(file, 0755);
  char *path_before = strdup(getenv("PATH"));
  vptr__callsite_forget();
  setenv("PATH", folder, 1);
  vptr__callsite_describe(landmark_address(), text, TEXT_SIZE);
  setenv("PATH", path_before, 1);
  free(path_before);
  unlink(file);
  rmdir(folder);
}

/* What there is to say about a static function without addr2line. */
static void expect_address_only(const char *text) {
  ck_assert_msg(strncmp(text, "0x", 2) == 0 && strstr(text, " (test_callsite)") != NULL, "got: %s", text);
}

START_TEST(without_a_usable_answer_the_address_in_the_file_is_told) {
  static const char *const bodies[] = {
    "exit 1",
    "echo name; echo file.c:3; exit 1",
    "printf name",
    "echo \"??\"; echo \"??:0\"",
    "i=0; while [ $i -lt 2000 ]; do echo name; i=$((i+1)); done",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    char text[TEXT_SIZE];
    describe_with_script(bodies[i], text);
    expect_address_only(text);
  }
  char text[TEXT_SIZE];
  char *path_before = strdup(getenv("PATH"));
  setenv("PATH", "/nonexistent", 1);
  vptr__callsite_forget();
  vptr__callsite_describe(landmark_address(), text, sizeof text);
  setenv("PATH", path_before, 1);
  free(path_before);
  expect_address_only(text);
}
END_TEST

START_TEST(remarks_are_dropped_and_names_with_blanks_kept) {
  char text[TEXT_SIZE];
  describe_with_script("echo 'f(int, char)'; echo 'my file.c:42 (discriminator 3)'", text);
  ck_assert_str_eq(text, "f(int, char) (test_callsite) my file.c:42");
}
END_TEST

/* The real one, which would be asked again, knows other lines. */
START_TEST(what_was_answered_once_is_not_asked_again) {
  char text[TEXT_SIZE], again[TEXT_SIZE];
  describe_with_script("echo 'f'; echo 'file.c:42'", text);
  ck_assert_msg(strstr(text, "f (test_callsite) file.c:42") != NULL, "got: %s", text);
  vptr__callsite_describe(landmark_address(), again, sizeof again);
  ck_assert_str_eq(again, text);
}
END_TEST

START_TEST(nor_is_what_had_no_answer) {
  char text[TEXT_SIZE], again[TEXT_SIZE];
  describe_with_script("exit 1", text);
  vptr__callsite_describe(landmark_address(), again, sizeof again);
  ck_assert_str_eq(again, text);
  ck_assert_ptr_null(strstr(again, "test_callsite.c:"));
}
END_TEST

START_TEST(addr2line_sees_none_of_our_environment) {
  char text[TEXT_SIZE];
  setenv("VPTR_TEST_SECRET", "seen", 1);
  describe_with_script("echo \"name$VPTR_TEST_SECRET\"; echo file.c:1", text);
  unsetenv("VPTR_TEST_SECRET");
  ck_assert_str_eq(text, "name (test_callsite) file.c:1");
}
END_TEST

START_TEST(addr2line_is_killed_when_it_hangs) {
  char text[TEXT_SIZE];
  uint64_t before = vptr__clock_ns();
  describe_with_script("exec /bin/sleep 60", text);
  uint64_t took = vptr__clock_ns() - before;
  expect_address_only(text);
  ck_assert(took >= UINT64_C(1500000000) && took < UINT64_C(20000000000));
}
END_TEST

/* ---- in a signal handler --------------------------------------------------------------------------------- */

/* The sanitizers bring a malloc of their own, which cannot be replaced. */
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_OWN_MALLOC 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HAS_OWN_MALLOC 1
#endif

static volatile sig_atomic_t allocations;

#ifndef HAS_OWN_MALLOC
void *__libc_malloc(size_t size); /* glibc's, which it exports for those who wrap it */

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}
#endif

static char text_of_handler[TEXT_SIZE];
static int allocations_of_handler;

static void describe_in_handler(int signal_number) {
  (void)signal_number;
  int before = allocations;
  vptr__callsite_describe(landmark_address(), text_of_handler, sizeof text_of_handler);
  allocations_of_handler = allocations - before;
}

START_TEST(a_handler_on_a_stack_of_its_own_may_ask_and_nothing_is_allocated) {
  enum { STACK_SIZE = 64 * 1024 };
  char *memory = malloc(STACK_SIZE);
  ck_assert_ptr_nonnull(memory);
  stack_t before;
  struct sigaction action_before;
  stack_t stack = { .ss_sp = memory, .ss_size = STACK_SIZE };
  struct sigaction action = { .sa_handler = describe_in_handler, .sa_flags = SA_ONSTACK };
  ck_assert_int_eq(sigaltstack(&stack, &before), 0);
  ck_assert_int_eq(sigaction(SIGUSR1, &action, &action_before), 0);
  raise(SIGUSR1);
  sigaction(SIGUSR1, &action_before, NULL);
  sigaltstack(&before, NULL);
  free(memory);
  ck_assert_ptr_nonnull(strstr(text_of_handler, "(test_callsite)"));
  ck_assert_int_eq(allocations_of_handler, 0);
}
END_TEST

static Suite *callsite_suite(void) {
  Suite *suite = suite_create("callsite");
  TCase *tcase = tcase_create("callsite");
  tcase_add_test(tcase, a_static_function_is_named_with_its_line);
  tcase_add_test(tcase, an_exported_function_of_a_library_is_named_with_the_library);
  tcase_add_test(tcase, an_address_outside_of_code_is_a_number);
  tcase_add_test(tcase, the_text_is_cut_at_its_size_and_terminated);
  tcase_add_test(tcase, errno_stays);
  tcase_add_test(tcase, without_a_usable_answer_the_address_in_the_file_is_told);
  tcase_add_test(tcase, remarks_are_dropped_and_names_with_blanks_kept);
  tcase_add_test(tcase, what_was_answered_once_is_not_asked_again);
  tcase_add_test(tcase, nor_is_what_had_no_answer);
  tcase_add_test(tcase, addr2line_sees_none_of_our_environment);
  tcase_add_test(tcase, addr2line_is_killed_when_it_hangs);
  tcase_add_test(tcase, a_handler_on_a_stack_of_its_own_may_ask_and_nothing_is_allocated);
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) {
  return support_run(callsite_suite());
}
