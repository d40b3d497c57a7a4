/* SPDX-License-Identifier: MIT */
/*
 * carried - a unit of relocatable code that a module's text carries, instead of an object (-ptx -rdc=true).
 *
 * The unit (unit.h) stands armored (armor.h) behind what modules are loaded from, if it needs no other one. Else, and
 * if clang compiled it, there are only the names of what it defines, and one of the first lines says that it is to be
 * linked.
 * Programs link such modules at run time (cuLinkAddData()), which is `vptrcc -dlink -ptx`.
 */
#ifndef VPTRCC_CARRIED_H
#define VPTRCC_CARRIED_H

#include "compile.h"

/* An exit status. */
int cc_carried_write(cc_driver *driver, const cc_input *input, bool is_by_clang, const char *output);

#endif
