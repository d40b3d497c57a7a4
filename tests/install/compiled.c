/* SPDX-License-Identifier: MIT */
/*
 * compiled - a program that clang or nvcc compiled kernels for: `compiled [LIBRARY...]`. What it has itself must do its
 * work before libraries with the same kernels are opened, and when they are closed again, and the libraries' meanwhile.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

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

static void *opened(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    fprintf(stderr, "%s\n", dlerror());
  judge(path, library == NULL);
  return library;
}

static void run_library(void *library) {
  int (*run)(int) = NULL;
  *(void **)(void *)&run = dlsym(library, "plugin_run");
  judge("plugin_run", run == NULL);
  if (runs_kernels())
    judge("a library's kernels", run(500));
}

int main(int count, char **arguments) {
  void *libraries[MOST];
  int most = count <= MOST ? count : MOST;
  run_own();
  for (int i = 1; i < most; i++)
    libraries[i] = opened(arguments[i]);
  for (int i = 1; i < most; i++)
    run_library(libraries[i]);
  for (int i = 1; i < most; i++) /* the first goes first */
    dlclose(libraries[i]);
  run_own();
  return 0;
}
