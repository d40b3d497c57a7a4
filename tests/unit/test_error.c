/* SPDX-License-Identifier: MIT */
/* error, with the texts of status.c and the failing door of memory.c, which are how errors look from outside. */
#include "support/support.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/option.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const vptr_status statuses[] = {
  VPTR_SUCCESS,
  VPTR_ERROR_NULL_POINTER,
  VPTR_ERROR_UNKNOWN_ADDRESS,
  VPTR_ERROR_FREED,
  VPTR_ERROR_PAST_END,
  VPTR_ERROR_OUT_OF_BOUNDS,
  VPTR_ERROR_OTHER_MAPPER,
  VPTR_ERROR_INTERIOR,
  VPTR_ERROR_INVALID_ARGUMENT,
  VPTR_ERROR_INVALID_SIZE,
  VPTR_ERROR_MAPPED,
  VPTR_ERROR_NOT_MAPPED,
  VPTR_ERROR_UNSUPPORTED,
  VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
  VPTR_ERROR_OUT_OF_HOST_MEMORY,
  VPTR_ERROR_OUT_OF_ADDRESSES,
  VPTR_ERROR_NO_DEVICE,
  VPTR_ERROR_OPENCL,
  VPTR_ERROR_CORRUPT,
};
enum { STATUSES = sizeof statuses / sizeof *statuses };

START_TEST(every_status_has_a_text_of_its_own) {
  const char *unknown = vptr_status_string((vptr_status)99);
  for (int i = 0; i < STATUSES; i++) {
    const char *text = vptr_status_string(statuses[i]);
    ck_assert_str_ne(text, unknown);
    ck_assert_msg(strncmp(text, "VPTR_", 5) == 0 && strchr(text, ':') != NULL, "no name in \"%s\"", text);
    for (int k = 0; k < i; k++)
      ck_assert_str_ne(text, vptr_status_string(statuses[k]));
  }
}
END_TEST

START_TEST(an_unknown_status_says_so) {
  ck_assert(strstr(vptr_status_string((vptr_status)-1), "unknown") != NULL);
  ck_assert(strstr(vptr_status_string((vptr_status)1000), "unknown") != NULL);
}
END_TEST

START_TEST(the_library_runs_as_the_version_it_was_built_as) {
  ck_assert_int_eq(vptr_version(), VPTR_VERSION);
}
END_TEST

START_TEST(error_returns_the_status_and_keeps_the_sentence) {
  ck_assert_int_eq(vptr__error(VPTR_ERROR_INVALID_SIZE, "%d bytes, but %s", 7, "no more"), VPTR_ERROR_INVALID_SIZE);
  ck_assert_str_eq(vptr_last_error(), "7 bytes, but no more");
}
END_TEST

START_TEST(a_long_sentence_is_cut_and_terminated) {
  char text[2000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  vptr__error(VPTR_ERROR_INVALID_SIZE, "%s", text);
  ck_assert_uint_eq(strlen(vptr_last_error()), 511);
  ck_assert_int_eq(vptr__error_cl(-5, "%s", text), VPTR_ERROR_OPENCL);
  ck_assert_uint_eq(strlen(vptr_last_error()), 511);
}
END_TEST

START_TEST(a_sentence_may_quote_the_one_before) {
  vptr__error(VPTR_ERROR_INVALID_SIZE, "first");
  vptr__error(VPTR_ERROR_INVALID_SIZE, "%s, then %s", vptr_last_error(), vptr_last_error());
  ck_assert_str_eq(vptr_last_error(), "first, then first");
}
END_TEST

START_TEST(error_cl_keeps_and_names_the_code) {
  ck_assert_int_eq(vptr__error_cl(-30, "clFoo(%d)", 3), VPTR_ERROR_OPENCL);
  ck_assert_str_eq(vptr_last_error(), "clFoo(3): CL_INVALID_VALUE (-30)");
  ck_assert_int_eq(vptr_last_cl_error(), -30);
  vptr__error(VPTR_ERROR_INVALID_SIZE, "not OpenCL's");
  ck_assert_int_eq(vptr_last_cl_error(), -30);
}
END_TEST

START_TEST(out_of_memory_codes_have_their_own_status) {
  ck_assert_int_eq(vptr__error_cl(CL_MEM_OBJECT_ALLOCATION_FAILURE, "x"), VPTR_ERROR_OUT_OF_DEVICE_MEMORY);
  ck_assert_int_eq(vptr__error_cl(CL_OUT_OF_HOST_MEMORY, "x"), VPTR_ERROR_OUT_OF_HOST_MEMORY);
  ck_assert_int_eq(vptr__error_cl(CL_OUT_OF_RESOURCES, "x"), VPTR_ERROR_OPENCL);
}
END_TEST

/* The table holds numbers; these hold it to the header's macros. */
START_TEST(cl_error_names_agree_with_the_header) {
  ck_assert_str_eq(vptr__cl_error_name(CL_SUCCESS), "CL_SUCCESS");
  ck_assert_str_eq(vptr__cl_error_name(CL_MEM_OBJECT_ALLOCATION_FAILURE), "CL_MEM_OBJECT_ALLOCATION_FAILURE");
  ck_assert_str_eq(vptr__cl_error_name(CL_KERNEL_ARG_INFO_NOT_AVAILABLE), "CL_KERNEL_ARG_INFO_NOT_AVAILABLE");
  ck_assert_str_eq(vptr__cl_error_name(CL_INVALID_VALUE), "CL_INVALID_VALUE");
  ck_assert_str_eq(vptr__cl_error_name(CL_INVALID_ARG_INDEX), "CL_INVALID_ARG_INDEX");
  ck_assert_str_eq(vptr__cl_error_name(CL_INVALID_BUFFER_SIZE), "CL_INVALID_BUFFER_SIZE");
  ck_assert_str_eq(vptr__cl_error_name(CL_INVALID_DEVICE_QUEUE), "CL_INVALID_DEVICE_QUEUE");
  ck_assert_str_eq(vptr__cl_error_name(-123456), "unknown OpenCL error");
}
END_TEST

START_TEST(host_memory_says_how_many_bytes) {
  ck_assert_int_eq(vptr__error_host_memory(12345), VPTR_ERROR_OUT_OF_HOST_MEMORY);
  ck_assert(strstr(vptr_last_error(), "12345") != NULL);
}
END_TEST

static void *fail_in_thread(void *was_fresh_out) {
  *(bool *)was_fresh_out = *vptr_last_error() == '\0' && vptr_last_cl_error() == CL_SUCCESS;
  vptr__error_cl(-5, "the thread's");
  return NULL;
}

START_TEST(each_thread_has_its_own_error) {
  vptr__error_cl(-30, "mine");
  pthread_t thread;
  bool was_fresh = false;
  ck_assert_int_eq(pthread_create(&thread, NULL, fail_in_thread, &was_fresh), 0);
  pthread_join(thread, NULL);
  ck_assert(was_fresh);
  ck_assert_str_eq(vptr_last_error(), "mine: CL_INVALID_VALUE (-30)");
  ck_assert_int_eq(vptr_last_cl_error(), -30);
}
END_TEST

/* What lands on stderr while an error is said, with VPTR_VERBOSE at level. */
static void capture_error(const char *level, char *text, size_t size) {
  setenv("VPTR_VERBOSE", level, 1);
  vptr__option_reload();
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  int stderr_before = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  close(ends[1]);
  vptr__error(VPTR_ERROR_INVALID_SIZE, "too large");
  dup2(stderr_before, STDERR_FILENO);
  close(stderr_before);
  ssize_t got = read(ends[0], text, size - 1);
  text[got > 0 ? got : 0] = '\0';
  close(ends[0]);
  unsetenv("VPTR_VERBOSE");
  vptr__option_reload();
}

START_TEST(an_error_is_printed_only_where_verbose_asks) {
  char text[200];
  capture_error("0", text, sizeof text);
  ck_assert_str_eq(text, "");
  capture_error("1", text, sizeof text);
  ck_assert_str_eq(text, "vptr: too large\n");
  capture_error("2", text, sizeof text);
  ck_assert_str_eq(text, "vptr: too large\n");
}
END_TEST

START_TEST(memory_is_zeroed_and_counted) {
  long before = vptr__memory_live();
  char *memory = vptr__memory_calloc(3, 100);
  ck_assert_ptr_nonnull(memory);
  for (int i = 0; i < 300; i++)
    ck_assert_int_eq(memory[i], 0);
  ck_assert_int_eq(vptr__memory_live(), before + 1);
  vptr__memory_free(memory);
  vptr__memory_free(NULL);
  ck_assert_int_eq(vptr__memory_live(), before);
}
END_TEST

START_TEST(memory_refuses_a_product_that_overflows) {
  volatile size_t half = SIZE_MAX / 2 + 1; /* hidden from the compiler, which would warn */
  ck_assert_ptr_null(vptr__memory_calloc(half, 2));
}
END_TEST

START_TEST(the_nth_allocation_fails_once) {
  for (long n = 1; n <= 3; n++) {
    vptr__memory_fail_nth(n);
    for (long i = 1; i <= 5; i++) {
      void *memory = vptr__memory_calloc(1, 8);
      ck_assert_int_eq(memory == NULL, i == n);
      vptr__memory_free(memory);
    }
  }
  vptr__memory_fail_nth(2);
  vptr__memory_fail_nth(0);
  for (int i = 0; i < 3; i++) {
    void *memory = vptr__memory_calloc(1, 8);
    ck_assert_ptr_nonnull(memory);
    vptr__memory_free(memory);
  }
}
END_TEST

enum { THREADS = 4, PER_THREAD = 1000 };

static void *allocate_many(void *unused) {
  (void)unused;
  uintptr_t refused = 0;
  for (int i = 0; i < PER_THREAD; i++) {
    void *memory = vptr__memory_calloc(1, 8);
    refused += memory == NULL;
    vptr__memory_free(memory);
  }
  return (void *)refused;
}

START_TEST(racing_threads_see_exactly_one_failure) {
  long before = vptr__memory_live();
  vptr__memory_fail_nth(THREADS * PER_THREAD / 2);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, allocate_many, NULL), 0);
  uintptr_t refused = 0;
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    refused += (uintptr_t)result;
  }
  ck_assert_uint_eq(refused, 1);
  ck_assert_int_eq(vptr__memory_live(), before);
}
END_TEST

START_TEST(a_draft_of_an_attempt_that_worked_out_is_forgotten) {
  vptr__error_cl(CL_INVALID_VALUE, "before");
  vptr__error_try();
  vptr__error_cl(CL_OUT_OF_RESOURCES, "first try");
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "first try")); /* can be quoted meanwhile */
  vptr__error_try();
  vptr__error(VPTR_ERROR_INVALID_SIZE, "inner try");
  support_succeed(vptr__error_tried(VPTR_SUCCESS));
  support_succeed(vptr__error_tried(VPTR_SUCCESS));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "before"));
  ck_assert_int_eq(vptr_last_cl_error(), CL_INVALID_VALUE);
}
END_TEST

START_TEST(the_draft_of_an_attempt_that_failed_is_said) {
  vptr__error_cl(CL_INVALID_VALUE, "before");
  vptr__error_try();
  vptr__error_cl(CL_OUT_OF_RESOURCES, "the reason");
  ck_assert_int_eq(vptr__error_tried(VPTR_ERROR_OPENCL), VPTR_ERROR_OPENCL);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "the reason"));
  ck_assert_int_eq(vptr_last_cl_error(), CL_OUT_OF_RESOURCES);
}
END_TEST

static Suite *error_suite(void) {
  Suite *suite = suite_create("error");
  TCase *status = tcase_create("status");
  tcase_add_test(status, every_status_has_a_text_of_its_own);
  tcase_add_test(status, an_unknown_status_says_so);
  tcase_add_test(status, the_library_runs_as_the_version_it_was_built_as);
  suite_add_tcase(suite, status);
  TCase *error = tcase_create("error");
  tcase_add_test(error, error_returns_the_status_and_keeps_the_sentence);
  tcase_add_test(error, a_long_sentence_is_cut_and_terminated);
  tcase_add_test(error, a_sentence_may_quote_the_one_before);
  tcase_add_test(error, error_cl_keeps_and_names_the_code);
  tcase_add_test(error, out_of_memory_codes_have_their_own_status);
  tcase_add_test(error, cl_error_names_agree_with_the_header);
  tcase_add_test(error, host_memory_says_how_many_bytes);
  tcase_add_test(error, each_thread_has_its_own_error);
  tcase_add_test(error, an_error_is_printed_only_where_verbose_asks);
  suite_add_tcase(suite, error);
  TCase *memory = tcase_create("memory");
  tcase_add_test(memory, memory_is_zeroed_and_counted);
  tcase_add_test(memory, memory_refuses_a_product_that_overflows);
  tcase_add_test(memory, the_nth_allocation_fails_once);
  tcase_add_test(memory, racing_threads_see_exactly_one_failure);
  tcase_add_test(memory, a_draft_of_an_attempt_that_worked_out_is_forgotten);
  tcase_add_test(memory, the_draft_of_an_attempt_that_failed_is_said);
  suite_add_tcase(suite, memory);
  return suite;
}

int main(void) {
  return support_run(error_suite());
}
