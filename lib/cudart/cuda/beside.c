/* SPDX-License-Identifier: MIT */
/*
 * beside - opening another library of this package's (beside.h).
 *
 * It is looked for in this library's folder first: a program may have found this one by a path of its own, where the
 * loader would not look for the other. No data, no locks. Called by jit.c and driver_entry.c. It blocks
 * while files are read.
 */
#include "cuda/beside.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *open_in_own_folder(const char *library_name) {
  static const char own[] = "an address in this library";
  Dl_info self;
  char path[4096];
  if (dladdr(own, &self) == 0 || self.dli_fname == NULL)
    return NULL;
  const char *slash = strrchr(self.dli_fname, '/');
  if (slash == NULL)
    return NULL;
  int length = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - self.dli_fname), self.dli_fname, library_name);
  return length > 0 && (size_t)length < sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

void *vptr__beside_open(const char *library_name) {
  void *library = open_in_own_folder(library_name);
  return library != NULL ? library : dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
}
