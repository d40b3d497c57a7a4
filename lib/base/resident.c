/* SPDX-License-Identifier: MIT */
/* resident - see resident.h. In a program that has the code linked in, there is nothing to find and nothing to do. */
#include "base/resident.h"

#include <dlfcn.h>
#include <stddef.h>

static const char here;

void vptr__stay_resident(void) {
  Dl_info info;
  if (dladdr(&here, &info) != 0 && info.dli_fname != NULL)
    dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
