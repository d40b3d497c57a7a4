/* SPDX-License-Identifier: MIT */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *backend(void) {
  const char *name = getenv("VPTR_TEST_BACKEND");
  return name != NULL && *name != '\0' ? name : "fake";
}

/* Check reads it when a test case is made, which is before support_run(). A hang ends as a failure that bears its
 * test's name. The slowest test takes a sixth of this, on a machine with nothing else to do and a driver that compiles
 * anew. */
__attribute__((constructor)) static void limit_every_test(void) {
  setenv("CK_DEFAULT_TIMEOUT", "120", 0);
}

int support_run(Suite *suite) {
  const char *platform = strcmp(backend(), "pocl") == 0 ? "Portable Computing Language" : backend();
  setenv("VPTR_PLATFORM", platform, 1);
  setenv("CK_MAX_MSG_SIZE", "131072", 0); /* what a child wrote, which a sanitizer makes long, is part of a message */
  SRunner *runner = srunner_create(suite);
  if (SUPPORT_IS_SANITIZED)
    srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool support_has_opencl(void) {
  return strcmp(backend(), "fake") != 0;
}

void *support_nowhere(void) {
  const size_t bytes = 4096;
  char *page = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(page, bytes);
  return page + 100;
}

static bool is_under_valgrind(void) {
  const char *preloaded = getenv("LD_PRELOAD");
  return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

long support_rounds(long rounds) {
  enum { SHARE = 8 };
  if (!SUPPORT_WATCHES_THREADS && !is_under_valgrind())
    return rounds;
  return rounds < SHARE ? 1 : rounds / SHARE;
}

long support_next(long n) {
  return n + (SUPPORT_WATCHES_THREADS ? 7 : 1);
}

uint64_t support_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

size_t support_below(uint64_t *state, size_t limit) {
  return (size_t)(support_random(state) % limit);
}

void support_wait_at_gate(vptr_status status, void *gate) {
  support_gate *it = gate;
  (void)status;
  atomic_store(&it->reached, true);
  while (!atomic_load(&it->opened))
    usleep(50);
}
