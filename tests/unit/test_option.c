/* SPDX-License-Identifier: MIT */
/* option and log: each test sets the environment, reloads, and sees what was read and what was said on stderr. */
#include "support/support.h"

#include "base/log.h"
#include "base/option.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAID_SIZE = 8192 };

static char said[SAID_SIZE]; /* on stderr, by the latest capture */

typedef struct stderr_capture {
  int stderr_before;
  int reading_end;
} stderr_capture;

static stderr_capture capture_begin(void) {
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  stderr_capture capture = { dup(STDERR_FILENO), ends[0] };
  dup2(ends[1], STDERR_FILENO);
  close(ends[1]);
  return capture;
}

static void capture_end(stderr_capture capture) {
  dup2(capture.stderr_before, STDERR_FILENO);
  close(capture.stderr_before);
  size_t used = 0;
  ssize_t got;
  while (used < SAID_SIZE - 1 && (got = read(capture.reading_end, said + used, SAID_SIZE - 1 - used)) > 0)
    used += (size_t)got;
  said[used] = '\0';
  close(capture.reading_end);
}

static void reload(void) {
  stderr_capture capture = capture_begin();
  vptr__option_reload();
  capture_end(capture);
}

static void clear_environment(void) {
  for (int i = 0; vptr__option_name(i) != NULL; i++)
    unsetenv(vptr__option_name(i));
  unsetenv("VPTR_VERBOES");
}

/* A reload before the first reading would read twice, and say all twice. */
static void read_once(void) {
  clear_environment();
  vptr__option_flag(VPTR__OPTION_VERBOSE);
}

static void restore(void) {
  clear_environment();
  vptr__option_reload();
}

static void reload_with(const char *name, const char *value) {
  clear_environment();
  setenv(name, value, 1);
  reload();
}

START_TEST(unset_means_the_fallback) {
  clear_environment();
  reload();
  ck_assert_str_eq(said, "");
  for (int i = 0; i < VPTR__OPTION_COUNT; i++) {
    ck_assert_uint_eq(vptr__option_number((vptr__option)i, 77), 77);
    ck_assert(!vptr__option_flag((vptr__option)i));
    ck_assert_ptr_null(vptr__option_text((vptr__option)i));
  }
}
END_TEST

START_TEST(empty_means_unset) {
  reload_with("VPTR_RESERVE", "");
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_RESERVE, 77), 77);
  reload_with("VPTR_DEVICE", "");
  ck_assert_ptr_null(vptr__option_text(VPTR__OPTION_DEVICE));
  ck_assert_str_eq(said, "");
}
END_TEST

START_TEST(flags_take_their_words_and_no_others) {
  const char *const on[] = { "1", "yes", "on" };
  const char *const off[] = { "0", "no", "off" };
  for (int i = 0; i < 3; i++) {
    reload_with("VPTR_LEAKS", on[i]);
    ck_assert(vptr__option_flag(VPTR__OPTION_LEAKS));
    ck_assert_str_eq(said, "");
    reload_with("VPTR_LEAKS", off[i]);
    ck_assert(!vptr__option_flag(VPTR__OPTION_LEAKS));
    ck_assert_str_eq(said, "");
  }
  reload_with("VPTR_LEAKS", "maybe");
  ck_assert(!vptr__option_flag(VPTR__OPTION_LEAKS));
  ck_assert(strstr(said, "VPTR_LEAKS=maybe") != NULL);
  ck_assert(strstr(said, "1, yes or on") != NULL);
}
END_TEST

START_TEST(a_count_is_from_1_to_64) {
  reload_with("VPTR_PARTITION", "1");
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_PARTITION, 7), 1);
  reload_with("VPTR_PARTITION", "64");
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_PARTITION, 7), 64);
  const char *const bad[] = { "0", "65", "-1", "2K", "x", "2 ", "99999999999999999999" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    reload_with("VPTR_PARTITION", bad[i]);
    ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_PARTITION, 7), 7);
    ck_assert(strstr(said, "a number from 1 to 64") != NULL);
  }
}
END_TEST

START_TEST(words_are_numbers_in_their_order) {
  const char *const words[] = { "auto", "place", "faults" };
  for (uint64_t i = 0; i < 3; i++) {
    reload_with("VPTR_MANAGED", words[i]);
    ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_MANAGED, 7), i);
    ck_assert_str_eq(said, "");
  }
  reload_with("VPTR_MANAGED", "Faults");
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_MANAGED, 7), 7);
  ck_assert(strstr(said, "auto, place or faults") != NULL);
}
END_TEST

START_TEST(the_level_ends_at_three) {
  reload_with("VPTR_VERBOSE", "3");
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_VERBOSE, 0), 3);
  const char *const bad[] = { "4", "-1", "1x", "x", " 1" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    reload_with("VPTR_VERBOSE", bad[i]);
    ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_VERBOSE, 0), 0);
    ck_assert(strstr(said, "0, 1, 2 or 3") != NULL);
  }
}
END_TEST

START_TEST(ways_of_faulting_have_names) {
  const char *const good[] = { "auto", "userfaultfd", "mprotect" };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    reload_with("VPTR_FAULTS", good[i]);
    ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_FAULTS, 9), i);
  }
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_FAULTS, 9), VPTR__FAULTS_MPROTECT);
  const char *const bad[] = { "uffd", "Auto", "mprotect ", "1" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    reload_with("VPTR_FAULTS", bad[i]);
    ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_FAULTS, VPTR__FAULTS_AUTO), VPTR__FAULTS_AUTO);
    ck_assert(strstr(said, "auto, userfaultfd or mprotect") != NULL);
  }
}
END_TEST

START_TEST(ways_of_passing_arguments_have_names) {
  const char *const good[] = { "auto", "each", "one" };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    reload_with("VPTR_ARGUMENTS", good[i]);
    ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_ARGUMENTS, 9), i);
  }
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_ARGUMENTS, 9), VPTR__ARGUMENTS_ONE);
  reload_with("VPTR_ARGUMENTS", "all");
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_ARGUMENTS, VPTR__ARGUMENTS_AUTO), VPTR__ARGUMENTS_AUTO);
  ck_assert(strstr(said, "auto, each or one") != NULL);
}
END_TEST

START_TEST(ways_of_running_threads_have_names) {
  const char *const good[] = { "auto", "items", "loops" };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    reload_with("VPTR_THREADS", good[i]);
    ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_THREADS, 9), i);
  }
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_THREADS, 9), VPTR__THREADS_LOOPS);
  reload_with("VPTR_THREADS", "states");
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_THREADS, VPTR__THREADS_AUTO), VPTR__THREADS_AUTO);
  ck_assert(strstr(said, "auto, items or loops") != NULL);
}
END_TEST

START_TEST(ways_of_spectra_have_names) {
  const char *const good[] = { "auto", "host", "device" };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    reload_with("VPTR_SPECTRA", good[i]);
    ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_SPECTRA, 9), i);
  }
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_SPECTRA, 9), VPTR__SPECTRA_DEVICE);
  reload_with("VPTR_SPECTRA", "512");
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_SPECTRA, VPTR__SPECTRA_AUTO), VPTR__SPECTRA_AUTO);
  ck_assert(strstr(said, "auto, host or device") != NULL);
}
END_TEST

START_TEST(addresses_are_a_word_or_a_word_and_a_size) {
  static const struct {
    const char *text;
    uint64_t number;
  } good[] = { { "own", VPTR__ADDRESSES_OWN },
               { "device", VPTR__ADDRESSES_DEVICE },
               { "device:64M", UINT64_C(64) << 20 },
               { "device:8G", UINT64_C(8) << 30 } };
  static const char *const bad[] = {
    "host", "Device", "device:", "device:1G2", "device:63M", "device: 1G", "own:1G"
  };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    reload_with("VPTR_ADDRESSES", good[i].text);
    ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_ADDRESSES, 77), good[i].number);
    ck_assert_str_eq(said, "");
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    reload_with("VPTR_ADDRESSES", bad[i]);
    ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_ADDRESSES, 77), 77);
    ck_assert(strstr(said, bad[i]) != NULL);
    ck_assert(strstr(said, "device:8G") != NULL);
  }
}
END_TEST

START_TEST(sizes_take_suffixes) {
  reload_with("VPTR_RESERVE", "3G");
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_RESERVE, 0), UINT64_C(3) << 30);
  ck_assert_str_eq(said, "");
  reload_with("VPTR_RESERVE", "3g");
  ck_assert_uint_eq(vptr__option_number(VPTR__OPTION_RESERVE, 5), 5);
  ck_assert(strstr(said, "VPTR_RESERVE=3g") != NULL);
  ck_assert(strstr(said, "K, M, G and T") != NULL);
}
END_TEST

START_TEST(parse_bytes_accepts_what_it_says) {
  static const struct {
    const char *text;
    uint64_t bytes;
  } good[] = {
    { "0", 0 },
    { "64", 64 },
    { "007", 7 },
    { "1K", 1024 },
    { "5M", UINT64_C(5) << 20 },
    { "3G", UINT64_C(3) << 30 },
    { "16T", UINT64_C(16) << 40 },
    { "18446744073709551615", UINT64_MAX },
    { "16777215T", UINT64_C(16777215) << 40 },
  };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    uint64_t bytes = 1;
    ck_assert_msg(vptr__option_parse_bytes(good[i].text, &bytes), "refused %s", good[i].text);
    ck_assert_uint_eq(bytes, good[i].bytes);
  }
}
END_TEST

START_TEST(parse_bytes_refuses_the_rest_and_writes_nothing) {
  static const char *const bad[] = {
    "",
    "K",
    "1.5G",
    "-1",
    "+1",
    " 1",
    "1 ",
    "1KB",
    "1k",
    "0x10",
    "1P",
    "1KK",
    "1 K",
    "1e3",
    "ten",
    "16777216T",
    "18446744073709551616",
    "99999999999999999999999",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint64_t bytes = 1234;
    ck_assert_msg(!vptr__option_parse_bytes(bad[i], &bytes), "accepted \"%s\"", bad[i]);
    ck_assert_uint_eq(bytes, 1234);
  }
}
END_TEST

START_TEST(text_is_a_copy) {
  reload_with("VPTR_DEVICE", "H200");
  const char *text = vptr__option_text(VPTR__OPTION_DEVICE);
  ck_assert_str_eq(text, "H200");
  setenv("VPTR_DEVICE", "another, and longer", 1);
  ck_assert_str_eq(text, "H200");
  ck_assert_ptr_eq(vptr__option_text(VPTR__OPTION_DEVICE), text);
}
END_TEST

START_TEST(a_text_that_is_too_long_is_refused) {
  char text[300];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  reload_with("VPTR_DEVICE", text);
  ck_assert_ptr_null(vptr__option_text(VPTR__OPTION_DEVICE));
  ck_assert(strstr(said, "255") != NULL);
  text[255] = '\0';
  reload_with("VPTR_DEVICE", text);
  ck_assert_str_eq(vptr__option_text(VPTR__OPTION_DEVICE), text);
  ck_assert_str_eq(said, "");
}
END_TEST

START_TEST(an_unknown_name_is_reported_once_with_the_known_ones) {
  reload_with("VPTR_VERBOES", "1");
  const char *first = strstr(said, "VPTR_VERBOES");
  ck_assert_ptr_nonnull(first);
  ck_assert_ptr_null(strstr(first + 1, "VPTR_VERBOES"));
  for (int i = 0; vptr__option_name(i) != NULL; i++)
    ck_assert_ptr_nonnull(strstr(said, vptr__option_name(i)));
  stderr_capture capture = capture_begin();
  vptr__option_flag(VPTR__OPTION_LEAKS);
  capture_end(capture);
  ck_assert_str_eq(said, "");
}
END_TEST

START_TEST(a_beginning_or_continuation_of_a_name_is_unknown) {
  reload_with("VPTR_LEAK", "1");
  ck_assert(strstr(said, "VPTR_LEAK ") != NULL);
  unsetenv("VPTR_LEAK");
  reload_with("VPTR_LEAKSX", "1");
  ck_assert(strstr(said, "VPTR_LEAKSX ") != NULL);
  unsetenv("VPTR_LEAKSX");
}
END_TEST

START_TEST(names_of_the_tests_are_left_alone) {
  reload_with("VPTR_TEST_ANYTHING", "1");
  ck_assert_str_eq(said, "");
  unsetenv("VPTR_TEST_ANYTHING");
  reload_with("VPTR_CLANG", "/usr/bin/clang");
  ck_assert_str_eq(said, "");
  unsetenv("VPTR_CLANG");
}
END_TEST

START_TEST(names_are_complete_and_distinct) {
  for (int i = 0; i < VPTR__OPTION_COUNT; i++) {
    ck_assert(strncmp(vptr__option_name(i), "VPTR_", 5) == 0);
    for (int k = 0; k < i; k++)
      ck_assert_str_ne(vptr__option_name(i), vptr__option_name(k));
  }
  ck_assert_ptr_null(vptr__option_name(VPTR__OPTION_COUNT));
  ck_assert_ptr_null(vptr__option_name(-1));
}
END_TEST

START_TEST(log_obeys_the_level) {
  reload_with("VPTR_VERBOSE", "1");
  ck_assert(vptr__log_wanted(VPTR__LOG_ERROR) && !vptr__log_wanted(VPTR__LOG_DECISION));
  stderr_capture capture = capture_begin();
  vptr__log(VPTR__LOG_ERROR, "error %d", 1);
  vptr__log(VPTR__LOG_DECISION, "decision");
  vptr__log_always("always");
  capture_end(capture);
  ck_assert_str_eq(said, "vptr: error 1\nvptr: always\n");
}
END_TEST

START_TEST(log_cuts_a_long_line_visibly_and_ends_it) {
  char text[3000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  stderr_capture capture = capture_begin();
  vptr__log_always("%s", text);
  capture_end(capture);
  size_t length = strlen(said);
  ck_assert(length > 512 && length <= 1024);
  ck_assert_str_eq(said + length - 5, "x...\n");
}
END_TEST

START_TEST(log_leaves_errno_alone) {
  int stderr_before = dup(STDERR_FILENO);
  close(STDERR_FILENO);
  errno = EDOM;
  vptr__log_always("to nobody");
  int after = errno;
  dup2(stderr_before, STDERR_FILENO);
  close(stderr_before);
  ck_assert_int_eq(after, EDOM);
}
END_TEST

enum { THREADS = 4, LINES = 100 };

static void *report_lines(void *letter) {
  char text[31];
  memset(text, *(const char *)letter, sizeof text - 1);
  text[sizeof text - 1] = '\0';
  for (int i = 0; i < LINES / THREADS; i++)
    vptr__log_always("%s", text);
  return NULL;
}

START_TEST(lines_of_threads_do_not_mix) {
  static const char letters[THREADS] = { 'a', 'b', 'c', 'd' };
  pthread_t threads[THREADS];
  stderr_capture capture = capture_begin();
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, report_lines, (void *)&letters[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  capture_end(capture);
  int lines = 0;
  for (char *line = strtok(said, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++) {
    ck_assert_uint_eq(strlen(line), strlen("vptr: ") + 30);
    ck_assert_uint_eq(strspn(line + strlen("vptr: "), (char[]){ line[6], '\0' }), 30);
  }
  ck_assert_int_eq(lines, LINES);
}
END_TEST

static Suite *option_suite(void) {
  Suite *suite = suite_create("option");
  TCase *option = tcase_create("option");
  tcase_add_checked_fixture(option, read_once, restore);
  tcase_add_test(option, unset_means_the_fallback);
  tcase_add_test(option, a_count_is_from_1_to_64);
  tcase_add_test(option, empty_means_unset);
  tcase_add_test(option, flags_take_their_words_and_no_others);
  tcase_add_test(option, words_are_numbers_in_their_order);
  tcase_add_test(option, the_level_ends_at_three);
  tcase_add_test(option, ways_of_faulting_have_names);
  tcase_add_test(option, ways_of_passing_arguments_have_names);
  tcase_add_test(option, ways_of_running_threads_have_names);
  tcase_add_test(option, ways_of_spectra_have_names);
  tcase_add_test(option, addresses_are_a_word_or_a_word_and_a_size);
  tcase_add_test(option, sizes_take_suffixes);
  tcase_add_test(option, parse_bytes_accepts_what_it_says);
  tcase_add_test(option, parse_bytes_refuses_the_rest_and_writes_nothing);
  tcase_add_test(option, text_is_a_copy);
  tcase_add_test(option, a_text_that_is_too_long_is_refused);
  tcase_add_test(option, an_unknown_name_is_reported_once_with_the_known_ones);
  tcase_add_test(option, a_beginning_or_continuation_of_a_name_is_unknown);
  tcase_add_test(option, names_of_the_tests_are_left_alone);
  tcase_add_test(option, names_are_complete_and_distinct);
  suite_add_tcase(suite, option);
  TCase *log = tcase_create("log");
  tcase_add_checked_fixture(log, NULL, restore);
  tcase_add_test(log, log_obeys_the_level);
  tcase_add_test(log, log_cuts_a_long_line_visibly_and_ends_it);
  tcase_add_test(log, log_leaves_errno_alone);
  tcase_add_test(log, lines_of_threads_do_not_mix);
  suite_add_tcase(suite, log);
  return suite;
}

int main(void) {
  return support_run(option_suite());
}
