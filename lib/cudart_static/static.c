/* SPDX-License-Identifier: MIT */
/*
 * static - opening libvptr-cudart for a program that is linked with the archive, and filling its table (static.h).
 *
 * The static `why` has the first reason why a library did not load. There is no lock: vptr__static_open() runs once, in
 * a constructor that the archive's own object has (lib/cudart-static.awk writes it), before the program's.
 */
#include "cudart_static/static.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef VPTR_STATIC_LIBDIR
#define VPTR_STATIC_LIBDIR "/usr/local/lib"
#endif

#define LIBRARY "libvptr-cudart.so.0"

enum { NOT_LOADED = 127 }; /* the exit status of the system's loader */

/* In each object of vptrcc's: where its libraries are. */
extern const char vptr_cuda_folder[] __attribute__((weak, visibility("hidden")));

static char why[512]; /* the first library that was there and did not load, and the reason */

static void *open_one(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  const char *words = library == NULL ? dlerror() : NULL;
  if (words != NULL && why[0] == 0)
    snprintf(why, sizeof why, "%s", words);
  return library;
}

static void *open_in(const char *folder) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/" LIBRARY, folder);
  bool is_there = length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
  return is_there ? open_one(path) : NULL;
}

static void *open_library(void) {
  const char *folders = getenv("LD_LIBRARY_PATH");
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  if (library == NULL && folders != NULL && *folders != 0)
    library = open_one(LIBRARY);
  if (library == NULL && vptr_cuda_folder != NULL)
    library = open_in(vptr_cuda_folder);
  if (library == NULL)
    library = open_in(VPTR_STATIC_LIBDIR);
  return library != NULL ? library : open_one(LIBRARY);
}

static void end_process(const char *what) {
  fprintf(stderr,
          "vptr: the CUDA runtime cannot be used: %s; LD_LIBRARY_PATH may name the folder of a " LIBRARY
          " that can\n",
          what);
  _exit(NOT_LOADED);
}

/* A library that is older than the archive. */
static void call_missing(void) {
  end_process("the program calls a function that this version of " LIBRARY " does not have");
}

void vptr__static_open(const char *const *names, void **table, size_t count) {
  void *library = open_library();
  if (library == NULL)
    end_process(why);
  for (size_t i = 0; i < count; i++) {
    void *function = dlsym(library, names[i]);
    table[i] = function != NULL ? function : (void *)(uintptr_t)call_missing;
  }
}
