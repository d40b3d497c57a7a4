/* SPDX-License-Identifier: MIT */
/*
 * mangled - the names that C++ compilers give functions and variables of namespaces (Itanium's), as far as kernels in C
 * have them: no templates, no members.
 */
#ifndef VPTRCC_MANGLED_H
#define VPTRCC_MANGLED_H

#include <stdbool.h>

#include "translate/source/arena.h"

/* What stands behind the name of a static variable or kernel of unit 2: "__vptr_unit2". */
#define CC_MANGLED_UNIT "__vptr_unit"

enum { CC_MANGLED_EVERYBODYS = -1, CC_MANGLED_CLANGS = -2 /* a unit's own, by clang's mark */ };

typedef struct cc_mangled {
  const char *path;        /* "a::k" of "_ZN1a1kEPf"; what is not mangled is its own path */
  const char *stub;        /* "_ZN1a16__device_stub__kEPf": what clang calls the kernel's stub */
  int unit;                /* whose own it is, or one of those below */
} cc_mangled;

/* False: it is something else's name, such as a template's instance. */
bool cc_mangled_read(vptr__arena *arena, const char *name, cc_mangled *mangled_out);

#endif
