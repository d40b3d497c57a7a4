/* SPDX-License-Identifier: MIT */
/*
 * spaces - where pointers point, as infer/ found it: for each instance its parameters, variables and calls, in the
 * order of the text; before them fields and variables of the module, which all instances have in common.
 *
 * Behind a type stands the space of each pointer in it, the outermost first, with the line that says so where that is
 * another one: "p : float * -> shared (6)".
 */
#ifndef VPTR_TRANSLATE_DUMP_SPACES_H
#define VPTR_TRANSLATE_DUMP_SPACES_H

#include "translate/infer/infer.h"

/* In the unit's arena. */
const char *vptr__spaces_text(const vptr__unit *unit, const vptr__inference *inference);

#endif
