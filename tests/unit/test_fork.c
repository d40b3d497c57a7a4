/* SPDX-License-Identifier: MIT */
/*
 * fork - a child of a process that uses OpenCL gets a clear answer from every call, and harms nobody.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "support/support.h"

enum { ALARM_SECONDS = 20 }; /* a child that waits for a lock of its parent's would wait for ever */

static vptr_mapper *mapper;
static char *device;

static int visit(const vptr_location *location, void *context) {
  (void)location;
  (void)context;
  return 0;
}

/* How many calls answered otherwise than FORKED. */
static int wrong_answers(void) {
  char host[16] = "";
  void *out = NULL;
  vptr_location location;
  vptr_stats stats = { .struct_size = sizeof stats };
  const vptr_status answers[] = {
    vptr_malloc(mapper, 100, &out),
    vptr_malloc(NULL, 100, &out),
    vptr_free(mapper, device),
    vptr_memcpy(mapper, host, device, sizeof host),
    vptr_memset(mapper, device, 1, 100),
    vptr_fill(mapper, device, "ab", 2, 3),
    vptr_map(mapper, device, 10, VPTR_ACCESS_READ, &out),
    vptr_resolve(mapper, device, 1, &location),
    vptr_walk(mapper, visit, NULL),
    vptr_finish(mapper),
    vptr_clear(mapper),
    vptr_trim(mapper, 0),
    vptr_check(mapper),
    vptr_get_stats(mapper, &stats),
    vptr_mapper_create(NULL, (vptr_mapper **)&out),
    vptr_mapper_destroy(mapper),
  };
  int wrong = out != NULL || vptr_get_buffer(mapper, device) != NULL || vptr_get_offset(mapper, device) != -1 ||
              strstr(vptr_last_error(), "forked") == NULL;
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
    wrong += answers[i] != VPTR_ERROR_FORKED;
  return wrong;
}

START_TEST(every_call_of_a_child_says_forked_and_the_parent_goes_on) {
  char host[16] = "";
  void *ptr;
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr_malloc(mapper, 1000, &ptr));
  device = ptr;
  support_succeed(vptr_memset(mapper, device, 0x33, 1000));
  pid_t child = fork();
  if (child == 0) {
    alarm(ALARM_SECONDS);
    _exit(wrong_answers());
  }
  int state;
  ck_assert_int_eq(waitpid(child, &state, 0), child);
  ck_assert_msg(WIFEXITED(state) && WEXITSTATUS(state) == 0, "the child ended with 0x%x", state);
  support_succeed(vptr_memcpy(mapper, host, device + 500, sizeof host));
  ck_assert_int_eq(host[15], 0x33);
  support_succeed(vptr_free(mapper, device));
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

static Suite *fork_suite(void) {
  Suite *suite = suite_create("fork");
  TCase *forks = tcase_create("fork");
  tcase_add_test(forks, every_call_of_a_child_says_forked_and_the_parent_goes_on);
  suite_add_tcase(suite, forks);
  return suite;
}

int main(void) {
  return support_run(fork_suite());
}
