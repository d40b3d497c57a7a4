/* SPDX-License-Identifier: MIT */
/*
 * userfault - the kernel's list of page faults: who waits is woken in all cases, and a page is answered once at a time.
 */
#include "mirror/userfault.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mirror/trial.h"
#include "mirror/view.h"
#include "support/child.h"
#include "support/support.h"

enum { PAGES = 8, SOON_MS = 100, LATE_MS = 5000 };

static vptr__view view;
static size_t page;

static bool begin(void) {
  page = (size_t)sysconf(_SC_PAGESIZE);
  if (!vptr__userfault_begin())
    return false; /* the system does not give it */
  ck_assert_int_eq(vptr__view_open(&view, PAGES * page, (vptr__view_wish){ 0 }), VPTR_SUCCESS);
  return true;
}

static void end(void) {
  vptr__view_close(&view);
  if (vptr__userfault_is_on())
    vptr__userfault_end();
}

static void *read_byte(void *context) {
  return (void *)(uintptr_t) * (volatile unsigned char *)context;
}

/* The next request, which must be at that page. */
static void take_request(vptr__request *request, size_t at) {
  ck_assert(vptr__userfault_wait(LATE_MS));
  ck_assert(vptr__userfault_requests.take(request));
  ck_assert_ptr_eq((void *)((uintptr_t)request->address & ~(page - 1)), view.user + at * page);
}

static void expect_byte(pthread_t thread, uintptr_t byte) {
  void *got;
  pthread_join(thread, &got);
  ck_assert_uint_eq((uintptr_t)got, byte);
}

/* ---- who waits ------------------------------------------------------------------------------------------ */

START_TEST(the_trial_passes) {
  if (!vptr__userfault_begin())
    return;
  ck_assert_ptr_null(vptr__trial());
  vptr__userfault_end();
}
END_TEST

START_TEST(a_page_is_answered_once_and_all_who_wait_go_on) {
  pthread_t threads[4];
  vptr__request request, none;
  if (!begin())
    return;
  view.alias[page] = 7;
  pthread_create(&threads[0], NULL, read_byte, view.user + page);
  take_request(&request, 1);
  for (int i = 1; i < 4; i++)
    pthread_create(&threads[i], NULL, read_byte, view.user + page + i);
  view.alias[page + 1] = view.alias[page + 2] = view.alias[page + 3] = 7;
  ck_assert(vptr__userfault_wait(LATE_MS));
  usleep(20000);
  ck_assert(!vptr__userfault_requests.take(&none));
  ck_assert_uint_eq(vptr__userfault_map(view.user + page, page, false), page);
  vptr__userfault_requests.answered(&request);
  for (int i = 0; i < 4; i++)
    expect_byte(threads[i], 7);
  ck_assert(!vptr__userfault_wait(0));
  end();
}
END_TEST

START_TEST(an_answer_that_changes_nothing_makes_it_ask_again) {
  pthread_t thread;
  if (!begin())
    return;
  pthread_create(&thread, NULL, read_byte, view.user);
  for (int i = 0; i < 3; i++) {
    vptr__request request;
    take_request(&request, 0);
    vptr__userfault_requests.answered(&request);
  }
  view.alias[0] = 8;
  vptr__request request;
  take_request(&request, 0);
  ck_assert_uint_eq(vptr__userfault_map(view.user, page, false), page);
  vptr__userfault_requests.answered(&request);
  expect_byte(thread, 8);
  end();
}
END_TEST

START_TEST(who_waits_goes_on_when_the_file_is_closed) {
  pthread_t threads[2];
  if (!begin())
    return;
  view.alias[0] = 1;
  view.alias[page] = 2;
  pthread_create(&threads[0], NULL, read_byte, view.user);
  vptr__request request;
  take_request(&request, 0); /* taken, and never answered */
  pthread_create(&threads[1], NULL, read_byte, view.user + page);
  ck_assert(vptr__userfault_wait(LATE_MS)); /* not even taken */
  vptr__userfault_end();
  expect_byte(threads[0], 1);
  expect_byte(threads[1], 2);
  vptr__userfault_requests.answered(&request); /* of a file that is no more */
  end();
}
END_TEST

/* ---- pages that go away --------------------------------------------------------------------------------------- */

static void unmap_under_a_waiter(void) {
  const struct rlimit none = { 0, 0 };
  pthread_t thread;
  vptr__request request;
  setrlimit(RLIMIT_CORE, &none);
  signal(SIGSEGV, SIG_DFL);
  page = (size_t)sysconf(_SC_PAGESIZE);
  child_require(vptr__userfault_begin(), "userfaultfd");
  child_require(vptr__view_open(&view, PAGES * page, (vptr__view_wish){ 0 }) == VPTR_SUCCESS, "view");
  pthread_create(&thread, NULL, read_byte, view.user);
  child_require(vptr__userfault_wait(LATE_MS) && vptr__userfault_requests.take(&request), "a request");
  vptr__view_close(&view);
  vptr__userfault_requests.answered(&request);
  pthread_join(thread, NULL);
}

START_TEST(who_waits_where_memory_goes_away_has_the_fault) {
  child ended;
  if (!vptr__userfault_begin())
    return;
  vptr__userfault_end();
  child_run(unmap_under_a_waiter, &ended);
  ck_assert_msg(!ended.exited && ended.signal == SIGSEGV, "exit code %d, signal %d:\n%s", ended.exit_code,
                ended.signal, ended.text);
}
END_TEST

static void close_the_file(void) {
  const struct rlimit none = { 0, 0 };
  setrlimit(RLIMIT_CORE, &none);
  child_require(vptr__userfault_begin(), "userfaultfd");
  for (int file = 3; file < 100; file++)
    close(file);
  vptr__userfault_wait(SOON_MS);
}

START_TEST(a_program_that_closes_the_file_is_stopped) {
  child ended;
  if (!vptr__userfault_begin())
    return;
  vptr__userfault_end();
  child_run(close_the_file, &ended);
  ck_assert(!ended.exited && ended.signal == SIGABRT);
  ck_assert_msg(strstr(ended.text, "closed the file") != NULL, "%s", ended.text);
}
END_TEST

/* ---- views that are guarded ------------------------------------------------------------------------------- */

START_TEST(pages_say_what_they_are) {
  if (!begin())
    return;
  view.alias[0] = 1;
  ck_assert_uint_eq(vptr__userfault_map(view.user, 2 * page, false), page);
  ck_assert_int_eq(errno, EFAULT); /* the file has no second page */
  ck_assert_uint_eq(vptr__userfault_map(view.user, page, true), 0);
  ck_assert_int_eq(errno, EEXIST);
  ck_assert_uint_eq(view.user[0], 1);
  end();
}
END_TEST

/* No request may come of what was granted: nobody would answer. */
START_TEST(what_is_granted_needs_no_request) {
  if (!begin())
    return;
  ck_assert_int_eq(vptr__view_grant(&view, 0, PAGES * page, PROT_READ | PROT_WRITE), VPTR_SUCCESS);
  memset(view.user, 1, PAGES * page);
  ck_assert_int_eq(vptr__view_revoke(&view, page, 2 * page, PROT_READ), VPTR_SUCCESS);
  ck_assert_uint_eq(view.user[page], 1);
  ck_assert_int_eq(vptr__view_revoke(&view, 4 * page, page, PROT_NONE), VPTR_SUCCESS);
  ck_assert_int_eq(vptr__view_grant(&view, 4 * page, page, PROT_READ), VPTR_SUCCESS);
  ck_assert_uint_eq(view.user[4 * page], 1);
  ck_assert_int_eq(vptr__view_grant(&view, 0, PAGES * page, PROT_READ | PROT_WRITE), VPTR_SUCCESS);
  memset(view.user, 2, PAGES * page);
  ck_assert(!vptr__userfault_wait(0));
  ck_assert_uint_eq(view.alias[page], 2);
  end();
}
END_TEST

static void *write_byte(void *context) {
  *(volatile unsigned char *)context = 9;
  return NULL;
}

START_TEST(what_is_revoked_is_asked_for) {
  pthread_t thread;
  if (!begin())
    return;
  ck_assert_int_eq(vptr__view_grant(&view, 0, PAGES * page, PROT_READ | PROT_WRITE), VPTR_SUCCESS);
  ck_assert_int_eq(vptr__view_revoke(&view, 0, PAGES * page, PROT_READ), VPTR_SUCCESS);
  pthread_create(&thread, NULL, write_byte, view.user + 2 * page);
  vptr__request request;
  take_request(&request, 2);
  ck_assert_int_eq(request.touch, VPTR__TOUCH_WRITE);
  ck_assert_uint_eq(view.alias[2 * page], 0);
  ck_assert_int_eq(vptr__view_grant(&view, 2 * page, page, PROT_READ | PROT_WRITE), VPTR_SUCCESS);
  vptr__userfault_requests.answered(&request);
  pthread_join(thread, NULL);
  ck_assert_uint_eq(view.alias[2 * page], 9);
  ck_assert_int_eq(vptr__view_revoke(&view, 0, PAGES * page, PROT_NONE), VPTR_SUCCESS);
  pthread_create(&thread, NULL, read_byte, view.user + 2 * page);
  take_request(&request, 2);
  ck_assert_int_eq(request.touch, VPTR__TOUCH_READ);
  ck_assert_int_eq(vptr__view_mend(&view, 2, (vptr__run){ 0, 4 }, PROT_READ), VPTR_SUCCESS);
  vptr__userfault_requests.answered(&request);
  expect_byte(thread, 9);
  end();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("userfault");
  TCase *tests = tcase_create("userfault");
  tcase_add_test(tests, the_trial_passes);
  tcase_add_test(tests, a_page_is_answered_once_and_all_who_wait_go_on);
  tcase_add_test(tests, an_answer_that_changes_nothing_makes_it_ask_again);
  tcase_add_test(tests, who_waits_goes_on_when_the_file_is_closed);
  tcase_add_test(tests, who_waits_where_memory_goes_away_has_the_fault);
  tcase_add_test(tests, a_program_that_closes_the_file_is_stopped);
  tcase_add_test(tests, pages_say_what_they_are);
  tcase_add_test(tests, what_is_granted_needs_no_request);
  tcase_add_test(tests, what_is_revoked_is_asked_for);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
