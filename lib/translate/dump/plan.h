/* SPDX-License-Identifier: MIT */
/*
 * plan - what lower/ decided: for each kernel how its threads run, its parameters, shared variables and hidden
 * arguments, and bytes; then each function, statement by statement (threads.h). emit/ must be over: only then is it
 * known which of the hidden arguments there are.
 */
#ifndef VPTR_TRANSLATE_DUMP_PLAN_H
#define VPTR_TRANSLATE_DUMP_PLAN_H

#include "translate/lower/plan.h"

/* In the unit's arena. */
const char *vptr__plan_text(const vptr__plan *plan);

#endif
