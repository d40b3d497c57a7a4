/* SPDX-License-Identifier: MIT */
/*
 * expression - name expressions of run-time compilation: "&filter::taps", "k", and what they are called in the module.
 */
#ifndef VPTR_TRANSLATE_EXPRESSION_H
#define VPTR_TRANSLATE_EXPRESSION_H

#include "translate/syntax/tree.h"

/* The module with a line for each name (NULL behind the last), in the arena. A name that means no kernel or variable
 * of the device, or more than one, is an error in the unit's source, and the result NULL. */
const char *vptr__expression_add(vptr__unit *unit, const char *const *names, const char *module);

#endif
