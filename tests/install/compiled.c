/* SPDX-License-Identifier: MIT */
/*
 * compiled - a program that clang or nvcc compiled kernels for: `compiled [LIBRARY]`. What it has itself must do its work
 * before a library with the same kernels is opened, and when that is closed again, and the library's meanwhile.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int plugin_run(int n);
int first_instance(void);
int second_instance(void);

/* The fake device cannot. */
static int runs_kernels(void) {
  const char *platform = getenv("VPTR_PLATFORM");
  return platform == NULL || strcmp(platform, "fake") != 0;
}

static void judge(const char *what, int code) {
  if (code == 0)
    return;
  fprintf(stderr, "%s: %d\n", what, code);
  exit(1);
}

static void run_own(void) {
  if (!runs_kernels())
    return;
  judge("the program's kernels", plugin_run(1000));
  judge("a template's instance", first_instance());
  judge("the same in another file", second_instance());
}

static void run_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  int (*run)(int) = NULL;
  if (library != NULL)
    *(void **)(void *)&run = dlsym(library, "plugin_run");
  if (run == NULL)
    fprintf(stderr, "%s\n", dlerror());
  judge(path, run == NULL);
  if (runs_kernels())
    judge("the library's kernels", run(500));
  dlclose(library);
}

int main(int count, char **arguments) {
  run_own();
  if (count > 1)
    run_library(arguments[1]);
  run_own();
  return 0;
}
