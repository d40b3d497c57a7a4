/* SPDX-License-Identifier: MIT */
/* sallocx - see sallocx.h. */
#include "sallocx.h"

#include <dlfcn.h>
#include <string.h>

/* POSIX promises that a function's address fits into what dlsym() returns; C has no cast for it. */
static bool find(const char *name, void *pointer_out) {
  void *symbol = dlsym(RTLD_DEFAULT, name);
  memcpy(pointer_out, &symbol, sizeof symbol);
  return symbol != NULL;
}

bool sallocx_find(sallocx_names *names_out) {
  sallocx_names names;
  bool found = find("mallocx", &names.allocate) && find("dallocx", &names.release) && find("sallocx", &names.size);
  *names_out = found ? names : (sallocx_names){ 0 };
  return found;
}
