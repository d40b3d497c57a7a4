/* SPDX-License-Identifier: MIT */
/*
 * test_solver_logger - the lines of cuSOLVER's logger: of calls, and of errors; to a function, to a program's file and
 * to one that the library opens; by level and by mask; while other threads call; and none when it is disabled for good.
 */
#include "solver_check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int calls, errors, others;

static void take_line(int level, const char *function, const char *message) {
  if (level == 5 && strcmp(message, "called") == 0 && strncmp(function, "cusolverDn", 10) == 0)
    calls++;
  else if (level == 1 && strstr(message, "n is -1") != NULL && strcmp(function, "cusolverDnSpotrf_bufferSize") == 0)
    errors++;
  else
    others++;
}

/* One call that succeeds, and one that fails. */
static void call_twice(cusolverDnHandle_t handle) {
  int room = 0;
  FINE(cusolverDnSpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, 1, NULL, 1, &room));
  WRONG(cusolverDnSpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, -1, NULL, 1, &room));
}

static void expect_lines(cusolverDnHandle_t handle, const char *what, int of_calls, int of_errors) {
  calls = errors = others = 0;
  call_twice(handle);
  EXPECT(what, calls == of_calls && errors == of_errors && others == 0);
}

static void check_levels(cusolverDnHandle_t handle) {
  expect_lines(handle, "nothing at first", 0, 0);
  FINE(cusolverDnLoggerSetCallback(take_line));
  expect_lines(handle, "no level", 0, 0);
  FINE(cusolverDnLoggerSetLevel(5));
  expect_lines(handle, "level 5", 2, 1);
  FINE(cusolverDnLoggerSetLevel(4));
  expect_lines(handle, "level 4", 0, 1);
  FINE(cusolverDnLoggerSetLevel(1));
  expect_lines(handle, "level 1", 0, 1);
  FINE(cusolverDnLoggerSetMask(16));
  expect_lines(handle, "the mask of calls", 2, 0);
  WRONG(cusolverDnLoggerSetLevel(6));
  WRONG(cusolverDnLoggerSetLevel(-1));
  expect_lines(handle, "what is refused changes nothing", 2, 0);
  FINE(cusolverDnLoggerSetLevel(0));
  expect_lines(handle, "level 0", 0, 0);
  FINE(cusolverDnLoggerSetCallback(NULL));
}

static int lines_in(const char *name) {
  FILE *file = fopen(name, "r");
  char line[512];
  int lines = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    lines += strncmp(line, "cuSOLVER: cusolverDnSpotrf_bufferSize: ", 39) == 0;
  if (file != NULL)
    fclose(file);
  return lines;
}

static void check_files(cusolverDnHandle_t handle) {
  char name[64];
  snprintf(name, sizeof name, "solver-logger.%ld", (long)getpid());
  FINE(cusolverDnLoggerSetLevel(5));
  FINE(cusolverDnLoggerOpenFile(name));
  call_twice(handle);
  EXPECT("a file that was opened", lines_in(name) == 3);
  FILE *file = fopen(name, "a");
  FINE(cusolverDnLoggerSetFile(file));
  call_twice(handle);
  EXPECT("the program's file", lines_in(name) == 6);
  FINE(cusolverDnLoggerSetFile(NULL));
  EXPECT("the program closes it", file != NULL && fclose(file) == 0);
  WRONG(cusolverDnLoggerOpenFile(NULL));
  WRONG(cusolverDnLoggerOpenFile("/no/such/folder/at/all"));
  remove(name);
}

static void *make_calls(void *context) {
  int *wrong = context, room;
  cusolverDnHandle_t handle;
  *wrong = cusolverDnCreate(&handle) != 0;
  for (int i = 0; i < 200 && *wrong == 0; i++)
    *wrong = cusolverDnSpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, 1, NULL, 1, &room) != 0;
  *wrong += cusolverDnDestroy(handle) != 0;
  return NULL;
}

static void check_threads(void) {
  pthread_t threads[3];
  int wrong[3] = { 0 };
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, make_calls, &wrong[i]);
  for (int i = 0; i < 100; i++) {
    FINE(cusolverDnLoggerSetLevel(i % 6));
    FINE(cusolverDnLoggerSetCallback(i % 2 ? take_line : NULL));
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], NULL);
    EXPECT("a thread that calls", wrong[i] == 0);
  }
}

int main(void) {
  cusolverDnHandle_t handle;
  FINE(cusolverDnCreate(&handle));
  check_levels(handle);
  check_files(handle);
  check_threads();
  FINE(cusolverDnLoggerSetCallback(take_line));
  FINE(cusolverDnLoggerForceDisable());
  FINE(cusolverDnLoggerSetLevel(5));
  expect_lines(handle, "disabled for good", 0, 0);
  FINE(cusolverDnDestroy(handle));
  return verdict("test_solver_logger");
}
