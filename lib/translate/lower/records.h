/* SPDX-License-Identifier: MIT */
/*
 * records - the structs and unions of the module, those first that others contain.
 */
#ifndef VPTR_TRANSLATE_LOWER_RECORDS_H
#define VPTR_TRANSLATE_LOWER_RECORDS_H

#include "translate/lower/plan.h"

/* Sets plan->records; the rest of the plan is there. */
void vptr__records_plan(vptr__plan *plan);

#endif
