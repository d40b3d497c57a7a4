/* SPDX-License-Identifier: MIT */
/*
 * mirror_ways - the two ways that page faults of managed memory come by: which one is taken, and what system calls find
 * on each. Each test's body is a process of its own.
 */
#include "mirror_child.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mirror/userfault.h"
#include "support/support.h"

/* ---- which one ------------------------------------------------------------------------------------------ */

static const char *wish; /* VPTR_FAULTS */

static void take_a_way(void) {
  child_set("VPTR_VERBOSE", "2");
  child_set("VPTR_FAULTS", wish);
  mirror_child_begin();
  mirror_child_mirror();
  mirror_child_check();
  if (wish != NULL && strcmp(wish, "auto") != 0)
    child_require(vptr__userfault_is_on() == (strcmp(wish, "userfaultfd") == 0), "the way is the one that is wished");
}

START_TEST(the_way_is_chosen_and_told) {
  static const char *const wishes[] = { NULL, "auto", "userfaultfd", "mprotect" };
  wish = wishes[_i];
  if (_i == 2 && !mirror_child_has_userfault())
    return; /* the system does not give it */
  mirror_child_exits(take_a_way, 0);
  bool is_by_userfault = strstr(mirror_child.text, "page faults come by userfaultfd") != NULL;
  bool is_by_signal = strstr(mirror_child.text, "page faults come by mprotect and SIGSEGV: ") != NULL;
  ck_assert_msg(is_by_userfault != is_by_signal, "%s", mirror_child.text);
  if (_i >= 2)
    ck_assert_msg(is_by_userfault == (_i == 2), "%s", mirror_child.text);
}
END_TEST

/* A user who may not. */
static void take_a_way_as_nobody(void) {
  vptr__mirror *none = NULL;
  child_set("VPTR_VERBOSE", "2");
  child_set("VPTR_FAULTS", wish);
  mirror_child_begin();
  child_require(setuid(65534) == 0, "setuid");
  vptr_status status = vptr__mirror_create(mapper, page, &none);
  child_require(!vptr__userfault_is_on(), "nobody is given no userfaultfd");
  child_require(status == (wish == NULL ? VPTR_SUCCESS : VPTR_ERROR_UNSUPPORTED), vptr_last_error());
  child_require(wish == NULL || strstr(vptr_last_error(), "vm.unprivileged_userfaultfd") != NULL, "what to do");
  if (status == VPTR_SUCCESS) {
    mirror_child_mirror();
    mirror_child_check();
  }
}

START_TEST(without_leave_faults_come_by_signal_or_not_at_all) {
  wish = _i == 0 ? NULL : "userfaultfd";
  if (geteuid() != 0 || access("/proc/sys/vm/unprivileged_userfaultfd", F_OK) != 0)
    return; /* cannot become less than it is */
  mirror_child_exits(take_a_way_as_nobody, 0);
}
END_TEST

/* ---- system calls --------------------------------------------------------------------------------------- */

static int ends[2];

/* What a call on a closed page returns: as many bytes, or EFAULT. */
static void expect_call(ssize_t got, ssize_t size, const char *what) {
  int reason = errno;
  if (vptr__userfault_is_on())
    child_require(got == size, what);
  else
    child_require(got == -1 && reason == EFAULT, what);
}

static void *at(size_t offset) {
  return (void *)(uintptr_t)(host + offset);
}

static void transfer_by_pipe(void) {
  mirror_child_begin();
  mirror_child_mirror();
  unsigned char got[6] = { 0 };
  child_require(pipe(ends) == 0, "pipe");
  expect_call(write(ends[1], at(page - 1), 2), 2, "write, across two closed pages");
  if (vptr__userfault_is_on())
    child_require(read(ends[0], got, 2) == 2 && got[0] == 5 && got[1] == 5, "what was written is the device's");
  mirror_child_fill(mirror, 6);
  child_require(write(ends[1], "abcd", 4) == 4, "write, of other memory");
  expect_call(read(ends[0], at(3 * page), 4), 4, "read, into a closed page");
  if (!vptr__userfault_is_on())
    return;
  child_require(memcmp(at(3 * page), "abcd", 4) == 0 && host[3 * page + 4] == 6,
                "what was read, and what lies behind");
  mirror_child_succeed(mirrors_acquire_all(mirror, VPTR_ACCESS_READ));
  unsigned char byte = 0;
  vptr__device *device = mapper->device;
  mirror_child_succeed(device->ops->transfer.read(device, vptr__mirror_buffer(mirror), 3 * page, &byte, 1));
  child_require(byte == 'a', "the device has what the system wrote");
  vptr__mirror_release(mirror, 0, NULL);
  child_require(write(ends[1], "e", 1) == 1 && read(ends[0], at(3 * page), 1) == 1, "read, into what may be read");
  child_require(host[3 * page] == 'e' && host[3 * page + 1] == 'b', "that too");
}

START_TEST(pipes_move_what_the_device_has_or_say_so) {
  mirror_child_exits(transfer_by_pipe, 0);
}
END_TEST

static void transfer_by_file(void) {
  mirror_child_begin();
  mirror_child_mirror();
  size_t size = PAGES * page;
  int file = memfd_create("test", 0);
  child_require(file >= 0, "memfd_create");
  expect_call(pwrite(file, at(0), size, 0), (ssize_t)size, "pwrite of all of it");
  mirror_child_fill(mirror, 6);
  child_require(ftruncate(file, (off_t)size) == 0, "ftruncate");
  expect_call(pread(file, at(page), size - page, (off_t)page), (ssize_t)(size - page), "pread of all but a page");
  if (!vptr__userfault_is_on())
    return;
  child_require(host[0] == 6 && host[page] == 5 && host[size - 1] == 5, "what was not read, and what was");
}

START_TEST(files_move_what_the_device_has_or_say_so) {
  mirror_child_exits(transfer_by_file, 0);
}
END_TEST

static void transfer_what_was_fetched(void) {
  mirror_child_begin();
  mirror_child_mirror();
  child_require(pipe(ends) == 0 && write(ends[1], "abcd", 4) == 4, "pipe");
  mirror_child_succeed(vptr__mirror_fetch(mirror, 0, 2, VPTR_ACCESS_READ_WRITE));
  child_require(read(ends[0], at(0), 2) == 2 && host[2] == 5, "a fetched page is read into");
}

START_TEST(system_calls_work_on_what_was_fetched) {
  mirror_child_exits(transfer_what_was_fetched, 0);
}
END_TEST

/* ---- what the system does to pages --------------------------------------------------------------------------- */

/* Taken out of the page table, as when memory is short. */
static void lose_entries(void) {
  mirror_child_begin();
  mirror_child_mirror();
  mirror_child_check();
  for (size_t i = 0; i < PAGES * page; i += page)
    (void)host[i];
  for (int i = 0; i < 3; i++) {
    child_require(madvise(at(0), PAGES * page, MADV_DONTNEED) == 0, "madvise");
    mirror_child_check();
    child_require(host[(PAGES - 1) * page] == 5, "a page that may be read");
  }
  child_require(madvise(at(0), PAGES * page, MADV_DONTNEED) == 0, "madvise");
  host[2 * page] = 7; /* is opened to writes now, and not in the page table */
  child_require(host[2 * page] == 7 && host[2 * page + 1] == 5, "a page that is written then");
  mirror_child_fill(mirror, 5);
  mirror_child_check();
}

START_TEST(pages_that_the_system_takes_away_come_again) {
  mirror_child_exits(lose_entries, 0);
}
END_TEST

static void lock_memory(void) {
  mirror_child_begin();
  if (mlockall(MCL_FUTURE) != 0)
    return; /* is not allowed to */
  mirror_child_mirror();
  mirror_child_check();
  mirror_child_fill(mirror, 5);
  mirror_child_check();
}

START_TEST(a_process_may_lock_its_memory) {
  mirror_child_exits(lock_memory, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror_ways");
  TCase *tests = tcase_create("ways");
  tcase_add_loop_test(tests, the_way_is_chosen_and_told, 0, 4);
  tcase_add_loop_test(tests, without_leave_faults_come_by_signal_or_not_at_all, 0, 2);
  tcase_add_test(tests, pipes_move_what_the_device_has_or_say_so);
  tcase_add_test(tests, files_move_what_the_device_has_or_say_so);
  tcase_add_test(tests, system_calls_work_on_what_was_fetched);
  tcase_add_test(tests, pages_that_the_system_takes_away_come_again);
  tcase_add_test(tests, a_process_may_lock_its_memory);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
