/* SPDX-License-Identifier: MIT */
/*
 * resident - keeps an object that dlopen() loaded from being unloaded (resident.h). In a program that has the code
 * linked in, there is nothing to find and nothing to do.
 *
 * No data but the constant `here`, whose address lies in the library's own object; no locks but the loader's. Called by
 * mapper/mapper.c when a mapper is made, and by cudart/cuda/registration.c and cudart/cuda/binary.c for the object that
 * has a module with managed variables.
 */
#include "base/resident.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

static const char here;

void vptr__stay_resident(void) {
  vptr__keep_resident(&here);
}

void vptr__keep_resident(const void *address) {
  Dl_info info;
  struct link_map *object = NULL;
  if (dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) != 0 && object != NULL && object->l_name[0] != '\0')
    dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
