/* SPDX-License-Identifier: MIT */
/*
 * mirror_process - managed memory and its process: fork, mappings, what ends it. Each test's body is a process of its
 * own.
 */
#include "mirror_child.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/fake.h"
#include "mirror/userfault.h"
#include "support/support.h"

/* ---- what is no access ---------------------------------------------------------------------------------- */

static void call_managed_memory(void) {
  mirror_child_begin();
  mirror_child_mirror();
  mirror_child_check();
  void (*function)(void);
  void *at = (void *)(uintptr_t)host;
  memcpy(&function, &at, sizeof function);
  function();
}

START_TEST(a_jump_into_managed_memory_kills) {
  mirror_child_dies(call_managed_memory, SIGSEGV);
}
END_TEST

static void lose_the_device(void) {
  mirror_child_begin();
  mirror_child_mirror();
  vptr__fake_lose(CL_OUT_OF_RESOURCES);
  mirror_child_check();
}

/* Each operation that brings them fails once, in its turn; then the driver is well again. */
static void fail_once_each_time(void) {
  mirror_child_begin();
  mirror_child_mirror();
  for (long n = 1; n <= 6; n++) {
    mirror_child_fill(mirror, (unsigned char)n);
    mirror_child_succeed(vptr_finish(mapper));
    if (n % 2 == 0)
      vptr__fake_fail_command(n / 2, CL_OUT_OF_RESOURCES);
    else
      vptr__fake_fail_nth(n / 2 + 1, CL_OUT_OF_HOST_MEMORY);
    child_require(host[0] == n && host[page] == n, "the bytes are there");
    vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__fake_fail_command(0, CL_SUCCESS);
  }
}

START_TEST(one_failure_of_a_fetch_ends_nothing) {
  mirror_child_exits(fail_once_each_time, 0);
  ck_assert_msg(strstr(mirror_child.text, "tried again") != NULL, "%s", mirror_child.text);
}
END_TEST

START_TEST(bytes_that_cannot_be_brought_end_the_process_with_words) {
  mirror_child_dies(lose_the_device, SIGABRT);
  ck_assert_msg(strstr(mirror_child.text, "cannot be brought to the host") != NULL, "%s", mirror_child.text);
  ck_assert_msg(strstr(mirror_child.text, "CL_OUT_OF_RESOURCES") != NULL, "%s", mirror_child.text);
}
END_TEST

/* ---- fork ----------------------------------------------------------------------------------------------- */

static void expect_child(bool touches) {
  int state;
  pid_t son = fork();
  if (son == 0) {
    vptr__mirror *none = NULL;
    if (touches)
      host[page] = 1;
    _exit(vptr__mirror_create(mapper, page, &none) != VPTR_ERROR_FORKED);
  }
  child_require(waitpid(son, &state, 0) == son, "waitpid");
  if (touches)
    child_require(WIFSIGNALED(state) && WTERMSIG(state) == SIGSEGV, "a child that touches managed memory dies of it");
  else
    child_require(WIFEXITED(state) && WEXITSTATUS(state) == 0, "a child that does not lives");
}

static void fork_and_touch(void) {
  mirror_child_begin();
  mirror_child_mirror();
  expect_child(true); /* with pages closed, then open */
  mirror_child_check();
  expect_child(true);
  expect_child(false);
  child_require(host[0] == 5 && host[page] == 6, "the parent has what it had");
  mirror_child_fill(mirror, 8);
  child_require(host[0] == 8, "the parent goes on");
}

START_TEST(a_child_has_no_managed_memory_and_its_parent_keeps_it) {
  mirror_child_exits(fork_and_touch, 0);
}
END_TEST

/* ---- a process without mappings ------------------------------------------------------------------------- */

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* which need mappings themselves */

static size_t max_mappings(void) {
  size_t most = 65530;
  FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
  if (file != NULL && fscanf(file, "%zu", &most) != 1)
    most = 65530;
  if (file != NULL)
    fclose(file);
  return most;
}

static size_t count_mappings(void) {
  char line[512];
  size_t count = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  child_require(maps != NULL, "/proc/self/maps");
  while (fgets(line, sizeof line, maps) != NULL)
    count++;
  fclose(maps);
  return count;
}

static void give_to_device(vptr__mirror *what) {
  mirror_child_succeed(mirrors_acquire_all(what, VPTR_ACCESS_READ_WRITE));
  vptr__mirror_release(what, 0, NULL);
}

/* Every other page is opened, which takes a mapping for each. */
static void use_up_mappings(void) {
  size_t count = max_mappings() + 4096;
  if (count > 200000)
    return; /* would need more memory than a test should */
  mirror_child_begin();
  mirror_child_succeed(vptr__mirror_create(mapper, count * page, &mirror));
  give_to_device(mirror);
  for (size_t i = 0; i < count; i += 2)
    mirror_child_succeed(vptr__mirror_fetch(mirror, i * page, 1, VPTR_ACCESS_READ));
  host = vptr__mirror_host(mirror);
  size_t mappings = count_mappings();
  for (size_t i = 0; i < count; i += 997)
    host[i * page] = 1;
  give_to_device(mirror);
  child_require(host[997 * page] == 1, "nothing is lost");
  child_require(!vptr__userfault_is_on() || mappings < 1000, "userfaultfd needs no mapping for each piece");
  vptr__mirror_destroy(mirror);
}

START_TEST(a_process_without_mappings_left_goes_on) {
  mirror_child_exits(use_up_mappings, 0);
}
END_TEST

#endif

int main(void) {
  Suite *suite = suite_create("mirror_process");
  TCase *tests = tcase_create("processes");
  tcase_add_test(tests, a_jump_into_managed_memory_kills);
  if (!support_has_opencl()) {
    tcase_add_test(tests, bytes_that_cannot_be_brought_end_the_process_with_words);
    tcase_add_test(tests, one_failure_of_a_fetch_ends_nothing);
  }
  tcase_add_test(tests, a_child_has_no_managed_memory_and_its_parent_keeps_it);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  tcase_add_test(tests, a_process_without_mappings_left_goes_on);
#endif
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
